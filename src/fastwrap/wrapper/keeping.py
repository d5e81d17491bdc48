"""Keeps the names and ids of columns when a site is learned again: columns are the same if their values are alike.
This is for redesigns, which change paths and classes, while the site still lists the same things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from msgspec import structs

from fastwrap.columns import Template
from fastwrap.columns.template import MAX_NAME
from fastwrap.wrapper.pattern import Pattern
from fastwrap.wrapper.profile import LONGEST_SAMPLE, Profile, texts_of

LEAST_LIKENESS = 0.5
"""Columns that are less alike than this are different ones."""

VALUES = 2.0
"""The weight of equal values, ..."""

LIKE = 1.0
"""... of lengths and digits that agree, ..."""

NAME = 0.5
"""... and of equal names."""

MOST_PAIRS = 200_000
"""Pairs of columns that are all compared; in wider lists only those of one name, place or value are."""

LONGEST_NAME = MAX_NAME - 10
"""Characters of a name that a number is added to."""

MOST_ALIKE = 20
"""Old columns that are compared for one value that they share with a new one, in such lists."""


def values_of(pattern: Pattern) -> list[set[str]]:
    """The values of each column on the page that a list was learned from; the samples if there is no page."""
    if pattern.example is None:
        return [set(profile.samples) for profile in pattern.profiles]
    columns = zip(*pattern.table.texts, strict=True)
    return [{text[:LONGEST_SAMPLE] for text in texts_of(column)} for column in columns]


def likeness(old: Profile, old_name: str, new: Profile, new_name: str, values: set[str]) -> float:
    """How much says that two columns are the same; 0 for nothing."""
    if old.family != new.family or bool(old.samples) != bool(new.samples):
        return 0.0
    if not old.samples:
        return NAME * (old_name == new_name)  # which is all that is known of empty columns
    shared = len(values.intersection(old.samples)) / len(old.samples)
    alike = max(0.0, 1.0 - old.distance(new)) * (0.4 if not shared and old_name != new_name else 1.0)
    return VALUES * shared + LIKE * alike + NAME * (old_name == new_name)


def pairs_of(old: Pattern, new: Pattern) -> tuple[dict[int, int], bool]:
    """For columns of the new list the same columns of the old one; and whether all were compared."""
    values = values_of(new)
    names, old_names = new.column_names, old.column_names
    complete = len(names) * len(old_names) <= MOST_PAIRS
    others = [range(len(old_names))] * len(names) if complete else alike(old, names, values)
    scored = []
    for ours, (profile, name) in enumerate(zip(new.profiles, names, strict=True)):
        for theirs in others[ours]:
            score = likeness(old.profiles[theirs], old_names[theirs], profile, name, values[ours])
            if score >= LEAST_LIKENESS:
                scored.append((score, -abs(ours - theirs), ours, theirs))
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, ours, theirs in sorted(scored, reverse=True):
        if ours not in pairs and theirs not in taken:
            pairs[ours] = theirs
            taken.add(theirs)
    return pairs, complete


def alike(old: Pattern, names: Sequence[str], values: Sequence[set[str]]) -> list[list[int]]:
    """For columns of a new list those of the old one that have the same name or place, or a value in common."""
    places = {name: place for place, name in enumerate(old.column_names)}
    having: dict[str, list[int]] = {}
    for place, profile in enumerate(old.profiles):
        for sample in profile.samples:
            having.setdefault(sample, []).append(place)
    candidates = []
    for ours, (name, texts) in enumerate(zip(names, values, strict=True)):
        near = {ours} if ours < len(old.profiles) else set()
        if name in places:
            near.add(places[name])
        for value in texts.intersection(having):
            near.update(having[value][:MOST_ALIKE])
        candidates.append(sorted(near))
    return candidates


def keep_columns(old: Sequence[Pattern], new: Sequence[Pattern]) -> tuple[list[Pattern], bool]:
    """The new lists with the old names and ids for columns that the old ones had; and whether all were compared."""
    if not old or not new:
        return list(new), True
    taken: dict[int, int] = {0: 0}  # the main list stays the main list, ...
    for number in range(1, len(new)):
        # ... and others are those whose values they have.
        have: set[str] = set().union(*values_of(new[number]))
        shared = [
            (sum(len(have.intersection(profile.samples)) for profile in old[k].profiles), -k)
            for k in sorted(set(range(1, len(old))).difference(taken.values()))
        ]
        most, place = max(shared, default=(0, 0))
        if most:
            taken[number] = -place
    kept = list(new)
    complete = True
    for number, theirs in taken.items():
        kept[number], all_compared = renamed(new[number], old[theirs])
        complete = complete and all_compared
    return kept, complete


def renamed(pattern: Pattern, old: Pattern) -> tuple[Pattern, bool]:
    """A list whose columns have the names and ids that they had in an old one, while new columns have new ids; and
    whether all columns were compared."""
    pairs, complete = pairs_of(old, pattern)
    free = max((profile.id for profile in old.profiles), default=-1) + 1
    old_names = old.column_names
    names = {ours: old_names[theirs] for ours, theirs in pairs.items()}
    profiles = []
    used = set(names.values())
    for number, (profile, name) in enumerate(zip(pattern.profiles, pattern.column_names, strict=True)):
        if number in pairs:
            profiles.append(structs.replace(profile, id=old.profiles[pairs[number]].id))
            continue
        profiles.append(structs.replace(profile, id=free))
        free += 1
        fresh, count = name, 2
        while fresh in used:
            fresh, count = f"{name[:LONGEST_NAME]} {count}", count + 1
        used.add(fresh)
        names[number] = fresh
    data = pattern.template.to_json()
    for number, entry in enumerate(data["names"]):
        entry["name"] = names[number]
    kept = replace(pattern, learned=Template.from_json(data))
    kept.__dict__["profiles"] = tuple(profiles)
    return kept, complete
