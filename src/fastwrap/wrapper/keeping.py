"""Keeps the names and ids of columns when a site is learned again: columns are the same if their values tell so.
For a redesign, after which paths and classes are others, but the site still lists what it listed."""

from __future__ import annotations

from collections.abc import Sequence
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
    if old.family != new.family or not old.samples or not new.samples:
        return 0.0
    shared = len(values.intersection(old.samples)) / len(old.samples)
    alike = max(0.0, 1.0 - old.distance(new))
    return (
        VALUES * shared
        + LIKE * alike * (0.4 if not shared and old_name != new_name else 1.0)
        + NAME * (old_name == new_name)
    )


def pairs_of(old: Pattern, new: Pattern) -> dict[int, int]:
    """For columns of the new list the columns of the old one that they are."""
    values = values_of(new)
    scored = []
    for ours, (profile, name) in enumerate(zip(new.profiles, new.template.names, strict=True)):
        for theirs, (before, old_name) in enumerate(zip(old.profiles, old.template.names, strict=True)):
            score = likeness(before, old_name.name, profile, name.name, values[ours])
            if score >= LEAST_LIKENESS:
                scored.append((score, -abs(ours - theirs), ours, theirs))
    found: dict[int, int] = {}
    for _, _, ours, theirs in sorted(scored, reverse=True):
        if ours not in found and theirs not in found.values():
            found[ours] = theirs
    return found


def shared_values(old: Pattern, new: Pattern) -> int:
    """How many of the values that are known of the old list the new one has."""
    have: set[str] = set().union(*values_of(new))
    return sum(len(have.intersection(profile.samples)) for profile in old.profiles)


def keep_columns(old: Sequence[Pattern], new: Sequence[Pattern]) -> list[Pattern]:
    """The new lists, in which columns that were in the old ones have their names and ids."""
    if not old or not new:
        return list(new)
    taken: dict[int, int] = {0: 0}  # the main list stays the main list, ...
    for number in range(1, len(new)):
        # ... and others are those whose values they have.
        left = [k for k in range(1, len(old)) if k not in taken.values()]
        best = max(left, key=lambda k: shared_values(old[k], new[number]), default=None)
        if best is not None and shared_values(old[best], new[number]):
            taken[number] = best
    return [renamed(pattern, old[taken[k]]) if k in taken else pattern for k, pattern in enumerate(new)]


def renamed(pattern: Pattern, old: Pattern) -> Pattern:
    """A list whose columns have the names and ids that they had in an old one; new columns have new ids."""
    pairs = pairs_of(old, pattern)
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
    kept = replace(pattern, template=Template.from_json(data))
    kept.__dict__["profiles"] = tuple(profiles)
    return kept
