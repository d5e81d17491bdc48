"""Similar objects as columns, in plain Python: key by key.
The twin of `fastwrap._core.structured.flattening`."""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

MOST_MEMBERS = 400
"""Scalars of an object that are read."""
DEEPEST = 6
"""Objects within an object of an array that are read."""
TOLD_ELSEWHERE = frozenset(("@context", "@type", "__typename"))
"""Keys whose values say what an object is, not what it says."""
REFERENCE = re.compile(r"&(?:\w{2,8}|#\d{2,6}|#x[0-9a-fA-F]{2,6});")


@dataclass(slots=True)
class Member:
    """What objects have at one place."""

    path: tuple[str, ...]
    """The keys down to it."""
    values: list[Any]
    """For each object a str, int, float or bool, or a list of these; None where it has none."""
    members: list[Member] = field(default_factory=list)
    """Of an array of objects in each object: what these have, each with a list of values for each object."""

    @property
    def key(self) -> str:
        """The last key."""
        return self.path[-1]

    @property
    def is_list(self) -> bool:
        """Whether objects have several values here."""
        return bool(self.members) or any(isinstance(value, list) for value in self.values)


def scalar(value: Any) -> Any:
    """A value as it is shown: strings without character references and outer white space, None for nothing."""
    if isinstance(value, str):
        return (html.unescape(value) if "&" in value and REFERENCE.search(value) else value).strip() or None
    return value if isinstance(value, (int, float)) else None


def flatten(objects: Sequence[Any], path: tuple[str, ...] = (), lists: bool = True) -> list[Member]:
    """The members of objects, in the order of their keys; entries that are no objects have none. With `lists`, arrays
    of several entries as well.
    """
    keys = list(dict.fromkeys(key for each in objects if isinstance(each, dict) for key in each))
    members: list[Member] = []
    for key in keys[:MOST_MEMBERS]:
        if key not in TOLD_ELSEWHERE:
            column = [each.get(key) if isinstance(each, dict) else None for each in objects]
            members += column_of(column, (*path, key), lists)
        if len(members) > MOST_MEMBERS:
            break
    return members[:MOST_MEMBERS]


def column_of(column: list[Any], path: tuple[str, ...], lists: bool) -> list[Member]:
    """The members of one key, whose values may be scalars, objects and arrays."""
    if any(isinstance(value, list) for value in column):
        longest = max(len(value) for value in column if isinstance(value, list))
        if longest > 1 and not lists:
            return []
        if longest > 1:
            return lists_of([value if isinstance(value, list) else [value] for value in column], path)
        column = [(value[0] if value else None) if isinstance(value, list) else value for value in column]
    found: list[Member] = []
    values = [scalar(value) for value in column]
    if any(value is not None for value in values):
        found.append(Member(path, values))
    if len(path) < DEEPEST and any(isinstance(value, dict) and value for value in column):
        found += flatten(column, path, lists)
    return found


def lists_of(column: list[list[Any]], path: tuple[str, ...]) -> list[Member]:
    """The members of one key whose values are arrays: a list of scalars, or what the objects in them have."""
    entries = [entry for value in column for entry in value]
    objects = [entry for entry in entries if isinstance(entry, dict)]
    if not objects:
        values = [[kept for entry in value if (kept := scalar(entry)) is not None] or None for value in column]
        return [Member(path, values)] if any(values) else []
    if len(path) >= DEEPEST:
        return []
    inner = [member for member in flatten(entries, path) if not member.is_list]
    starts = [0]
    for value in column:
        starts.append(starts[-1] + len(value))
    for member in inner:
        spans = itertools.pairwise(starts)
        member.values = [member.values[start:end] if start < end else None for start, end in spans]
    return [Member(path, [], inner)] if inner else []
