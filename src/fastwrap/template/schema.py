"""The schema of pages about one thing: tuples, sets and optionals of basic values (Kayed & Chang 2010).
It is read off the slots of a template: nodes with one child are left out, optional neighbours come together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from fastwrap.page.names import NO_NODE
from fastwrap.template.template import NO_UNIT, DetailTemplate

Kind = Literal["tuple", "set", "optional", "basic"]


@dataclass(frozen=True, repr=False)
class Schema:
    """A type of a schema.

    >>> name, grade = Schema("basic", "name"), Schema("basic", "grade")
    >>> Schema("tuple", "", (Schema("basic", "title"), Schema("set", "", (Schema("tuple", "", (name, grade)),))))
    <title, {<name, grade>}>
    """

    kind: Kind
    """A basic value, a tuple of several types, a set of any number of one, or an optional: one or none."""
    name: str = ""
    """Of a basic value: its column."""
    parts: tuple[Schema, ...] = ()

    def __repr__(self) -> str:
        inner = ", ".join(map(repr, self.parts))
        if self.kind == "basic":
            return self.name
        if self.kind == "set":
            return "{" + inner + "}"
        return f"({inner})?" if self.kind == "optional" else f"<{inner}>"

    def to_json(self) -> dict[str, Any]:
        """As plain data.

        >>> Schema("optional", "", (Schema("basic", "price"),)).to_json()
        {'kind': 'optional', 'parts': [{'kind': 'basic', 'name': 'price'}]}
        """
        if self.kind == "basic":
            return {"kind": self.kind, "name": self.name}
        return {"kind": self.kind, "parts": [part.to_json() for part in self.parts]}

    @property
    def names(self) -> list[str]:
        """The names of all basic values, in order."""
        return [self.name] if self.kind == "basic" else [name for part in self.parts for name in part.names]


Typed = tuple[Schema, int]
"""A type, and its occurrence vector: a bit for each page that has it."""


def schema_of(template: DetailTemplate) -> Schema:
    """The schema of a template: its columns in document order, as the slots hold them."""
    everywhere = (1 << template.pages) - 1
    found: dict[int, list[Typed]] = {}
    """By slot: the types of what is below it, its own columns first."""
    for column in template.columns:
        seen = int(column.occurs[::-1] or "0", 2) & everywhere
        found.setdefault(column.slot, []).append((Schema("basic", column.name), seen))
    _, parents, _, units = template.slots.numbers.tolist()
    below: dict[int, list[int]] = {}
    for slot, parent in enumerate(parents):
        below.setdefault(parent, []).append(slot)
    for slot in range(len(parents) - 1, NO_NODE, -1):
        types = found.get(slot, [])
        for child in below.get(slot, ()):
            if child not in found:
                continue
            unit = units[child] if units[child] == template.sets[child] else NO_UNIT
            if unit == NO_UNIT:
                types.append(together(found[child]))
                continue
            same = [other for other in below[slot] if units[other] == unit and other in found]
            if child == same[0]:
                types.append(set_of([together(found[other]) for other in same]))
        if types:
            found[slot] = types
    whole, _ = together(found.get(0, []))
    return whole if whole.kind == "tuple" else Schema("tuple", "", (whole,))


def set_of(types: list[Typed]) -> Typed:
    """A set of what is in one unit."""
    seen = 0
    for _, pages in types:
        seen |= pages
    parts = tuple(kind for kind, _ in types)
    return Schema("set", "", parts if len(parts) == 1 else (Schema("tuple", "", parts),)), seen


def together(types: list[Typed]) -> Typed:
    """Types side by side as one: a tuple, in which neighbours that the same pages have are one optional; a single one
    stays what it is."""
    seen = 0
    for _, pages in types:
        seen |= pages
    if len(types) == 1:
        return types[0]
    parts: list[Schema] = []
    at = 0
    while at < len(types):
        end = at + 1
        while end < len(types) and types[end][1] == types[at][1] != seen:
            end += 1
        run = [kind for kind, _ in types[at:end]]
        if types[at][1] == seen:
            parts += run
        else:
            parts.append(Schema("optional", "", tuple(run) if len(run) == 1 else (Schema("tuple", "", tuple(run)),)))
        at = end
    return Schema("tuple", "", tuple(parts)), seen
