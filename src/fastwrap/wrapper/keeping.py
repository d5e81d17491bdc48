"""Keeps the names and ids of columns when a site is learned again: columns are the same if their values tell so.
For a redesign, after which paths and classes are others, but the site still lists what it listed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from fastwrap.columns import Template
from fastwrap.wrapper.pattern import Pattern
from fastwrap.wrapper.profile import LONGEST_SAMPLE, Profile

LEAST_LIKENESS = 0.5
"""Columns that are less alike than this are different ones."""

VALUES = 2.0
"""What equal values count, against a type and lengths that agree, and a name."""

LIKE = 1.0
NAME = 0.5

MOST_PAIRS = 200_000
"""Columns that are compared with each other; of wider lists only those of one name, place or value are."""

MOST_ALIKE = 20
"""Columns of one value, of such lists."""


def values_of(pattern: Pattern) -> list[set[str]]:
    """The values of each column, on the page that a list was learned from; those in its file if that is not known."""
    if pattern.example is None:
        return [set(profile.samples) for profile in pattern.profiles]
    region = pattern.table
    return [
        {
            text[:LONGEST_SAMPLE]
            for cell in column
            for text in (cell if isinstance(cell, list) else [cell])
            if text is not None
        }
        for column in zip(*region.texts, strict=True)
    ]


def likeness(old: Profile, old_name: str, new: Profile, new_name: str, values: set[str]) -> float:
    """How much speaks for two columns to be the same, from 0 on."""
    if old.family != new.family or bool(old.samples) != bool(new.samples):
        return 0.0
    if not old.samples:
        return NAME * (old_name == new_name)  # all that is known of columns that are empty
    shared = len(values.intersection(old.samples)) / len(old.samples)
    alike = max(0.0, 1.0 - old.distance(new))
    return (
        VALUES * shared
        + LIKE * alike * (0.4 if not shared and old_name != new_name else 1.0)
        + NAME * (old_name == new_name)
    )


def pairs_of(old: Pattern, new: Pattern) -> tuple[dict[int, int], bool]:
    """For columns of the new list the columns of the old one that they are; and whether all were compared."""
    values = values_of(new)
    names, old_names = ([name.name for name in pattern.template.names] for pattern in (new, old))
    complete = len(names) * len(old_names) <= MOST_PAIRS
    others: list[Iterable[int]] = [range(len(old_names))] * len(names)
    if not complete:
        others = alike(old, names, old_names, values)
    scored = []
    for ours, (profile, name) in enumerate(zip(new.profiles, names, strict=True)):
        for theirs in others[ours]:
            score = likeness(old.profiles[theirs], old_names[theirs], profile, name, values[ours])
            if score >= LEAST_LIKENESS:
                scored.append((score, -abs(ours - theirs), ours, theirs))
    found: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, ours, theirs in sorted(scored, reverse=True):
        if ours not in found and theirs not in taken:
            found[ours] = theirs
            taken.add(theirs)
    return found, complete


def alike(
    old: Pattern, names: Sequence[str], old_names: Sequence[str], values: Sequence[set[str]]
) -> list[Iterable[int]]:
    """For columns of a new list those of the old one that have the same name or place, or a value in common."""
    places = {name: place for place, name in enumerate(old_names)}
    having: dict[str, list[int]] = {}
    for place, profile in enumerate(old.profiles):
        for sample in profile.samples:
            having.setdefault(sample, []).append(place)
    found: list[Iterable[int]] = []
    for ours, (name, own) in enumerate(zip(names, values, strict=True)):
        near = {ours} if ours < len(old_names) else set()
        if name in places:
            near.add(places[name])
        for value in own.intersection(having):
            near.update(having[value][:MOST_ALIKE])
        found.append(sorted(near))
    return found


def keep_columns(old: Sequence[Pattern], new: Sequence[Pattern]) -> tuple[list[Pattern], bool]:
    """The new lists, in which columns that were in the old ones have their names and ids; and whether all columns were
    compared."""
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
    found = list(new)
    complete = True
    for number, theirs in taken.items():
        found[number], all_compared = renamed(new[number], old[theirs])
        complete = complete and all_compared
    return found, complete


def renamed(pattern: Pattern, old: Pattern) -> tuple[Pattern, bool]:
    """A list whose columns have the names and ids that they had in an old one; new columns have new ids. And whether
    all columns were compared."""
    pairs, complete = pairs_of(old, pattern)
    free = max((profile.id for profile in old.profiles), default=-1) + 1
    names = {ours: old.template.names[theirs].name for ours, theirs in pairs.items()}
    profiles = []
    used = set(names.values())
    for number, (profile, name) in enumerate(zip(pattern.profiles, pattern.template.names, strict=True)):
        if number in pairs:
            profiles.append(replace(profile, id=old.profiles[pairs[number]].id))
            continue
        profiles.append(replace(profile, id=free))
        free += 1
        own, count = name.name, 2
        while own in used:
            own, count = f"{name.name} {count}", count + 1
        used.add(own)
        names[number] = own
    data = pattern.template.to_json()
    for number, entry in enumerate(data["names"]):
        entry["name"] = names[number]
    kept = replace(pattern, learned=Template.from_json(data))
    kept.__dict__["profiles"] = tuple(profiles)
    return kept, complete
