"""The template of a region: the grown tree of slots, which of them are columns, and the names of these.
Plain numbers and strings that outlive the page: `fastwrap.wrapper.files` writes them as JSON, and reads them back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fastwrap.columns.choice import Choice
from fastwrap.columns.headings import Heading
from fastwrap.columns.layout import TEXT_ITEM, Layout
from fastwrap.columns.naming import Name
from fastwrap.columns.records import Reader
from fastwrap.columns.shown import ShownColumns
from fastwrap.columns.splitting import Rule
from fastwrap.common.lazy import lazy_property
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import ATTRIBUTE_NUMBER, NO_NODE, TAG_NUMBER, TEXT, number_of

MAX_SLOTS = 200_000
"""Slots and items of a template that is read: more than any list has."""

MAX_KINDS = 200
"""Attributes that are items."""

MAX_NAME = 300
"""Characters of a tag, attribute or column name."""

SYMBOLS = 2**31


@dataclass(frozen=True)
class Template(Layout):
    """What is learned of records (`Table.template`), and what `apply` reads others by."""

    names: tuple[Name, ...]
    """The names of the columns, none of them twice, and what they rest on."""
    link: int
    """The column of the links to the records' own pages; NO_NODE if there is none."""
    choice: Choice | None = None
    """Which columns are shown, and how they are made of the items; None for one column for each item. The names and the
    link are those of the columns that are shown."""

    @lazy_property
    def shown(self) -> Layout | ShownColumns:
        """The columns that are shown."""
        return self if self.choice is None else ShownColumns(self, self.choice)

    @lazy_property
    def widest(self) -> int:
        """How many columns there are, of the items or of what is shown: the more of both."""
        return max(self.width, self.shown.width)

    @lazy_property
    def reader(self) -> Reader:
        """What reads records by it: all that depends on the template alone, and what it remembers of pages."""
        tag, _, symbol, _ = self.tree
        column_of = np.full((len(tag), len(self.kinds)), NO_NODE, dtype=np.int32)
        slot, kind, lists = self.places
        # Of items that no column is made of, nothing is read.
        used = np.arange(len(slot)) if self.choice is None else np.array(sorted(self.choice.used), dtype=np.intp)
        column_of[slot[used], kind[used]] = used
        column_of = column_of[self.into]
        for place, text in enumerate(self.bodies):
            if text != NO_NODE:
                column_of[place, -1] = column_of[text, -1]
        return Reader(
            self.tree,
            self.repeats,
            np.unique(symbol[(tag == TEXT) & (symbol != 0)]),  # the labels
            np.array([number_of(name, ATTRIBUTE_NUMBER, {}) for name in self.kinds[:-1]], dtype=np.int32),
            column_of,
            self.unit,
            lists,
        )

    @lazy_property
    def descriptions(self) -> dict[tuple[tuple[str, str | None], ...], list[dict[str, Any]]]:
        """By the types and units of its columns on some page: what JSON says of them, so far."""
        return {}

    def __getstate__(self) -> dict[str, Any]:
        # Without the reader, which is native, and what is remembered: these are made again of the rest.
        return {name: value for name, value in self.__dict__.items() if name not in ("reader", "descriptions")}

    def to_json(self) -> dict[str, Any]:
        """The template as plain data: numbers, strings, lists and dicts."""
        parent, symbol = self.tree[1].tolist(), self.tree[2].tolist()
        folded = zip(self.into.tolist(), self.unit.tolist(), self.repeats.tolist(), strict=True)
        return {
            "slots": [[self.tag_name(slot), parent[slot], symbol[slot], *more] for slot, more in enumerate(folded)],
            "items": [
                {"slot": item.slot, "kind": item.kind}
                | ({"list": item.list} if item.list != NO_NODE else {})
                | ({"rule": item.rule.to_json()} if item.rule is not None else {})
                for item in self.items
            ],
            "names": [
                {"name": name.name, "why": dict(name.why)} | ({"role": name.role} if name.role else {})
                for name in self.names
            ],
            "link": self.link,
            "heading": None if self.heading is None else self.heading.to_json(),
        } | ({"choice": self.choice.to_json()} if self.choice is not None else {})

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Template:
        """A template from data in the shape of `fastwrap.wrapper.format.Template`; ValueError, which says why, where
        the numbers in it do not fit each other."""
        slots, items, heading = data["slots"], data["items"], data["heading"]
        tag_names: dict[int, str] = {}
        numbers = [(number_of(name, TAG_NUMBER, tag_names), *more) for name, *more in slots]
        tag, parent, symbol, into, unit, repeats = np.array(numbers, dtype=np.int32).reshape(-1, 6).T.copy()
        tree = np.stack((tag, parent, symbol, sizes_of(parent.tolist())))
        kinds = (*dict.fromkeys(item["kind"] for item in items if item["kind"] != TEXT_ITEM), TEXT_ITEM)
        if len(kinds) > MAX_KINDS + 1:
            raise ValueError("the template has too many kinds of items")
        number_of_kind = {kind: number for number, kind in enumerate(kinds)}
        found = [(item["slot"], number_of_kind[item["kind"]], item.get("list", NO_NODE)) for item in items]
        places = np.array(found, dtype=np.int32).reshape(-1, 3).T.copy()
        if max(array.max(initial=NO_NODE) for array in (into, repeats, places[0])) >= len(slots):
            raise ValueError(
                f"a slot or an item goes to a slot that there is not: expected a number below {len(slots)}"
            )
        repeated = np.flatnonzero(repeats != NO_NODE)
        if (tree[:2, repeats[repeated]] != tree[:2, repeated]).any():
            raise ValueError("a slot is not repeated by a sibling of its tag")
        if places[2].max(initial=NO_NODE) > unit.max(initial=NO_NODE):
            raise ValueError("an item is in a list that no slot begins a unit of")
        if len({place[:2] for place in found}) < len(found):
            raise ValueError("two items are in the same place")
        rules = {number: Rule.from_json(item["rule"]) for number, item in enumerate(items) if "rule" in item}
        if any(places[2, number] != NO_NODE for number in rules):
            raise ValueError("an item is in a list, and split")
        names = tuple(Name(name["name"], name.get("why", {}), name.get("role", "")) for name in data["names"])
        template = cls(
            places=places,
            kinds=kinds,
            rules=rules,
            heading=None if heading is None else Heading.from_json(heading),
            tree=tree,
            into=into,
            unit=unit,
            repeats=repeats,
            lists=len(set(places[2].tolist()) - {NO_NODE}),
            tag_names=tag_names,
            names=names,
            link=data["link"],
        )
        if "choice" in data:
            template = replace(template, choice=Choice.from_json(data["choice"], template))
        width = template.shown.width
        if not len({name.name for name in names}) == len(names) == width:
            raise ValueError("the names of the columns are not one for each, all different")
        if template.link >= width:
            raise ValueError(f"the link is {template.link}: expected a number below {width}")
        return template


def sizes_of(parents: list[int]) -> Int32Array:
    """How many slots the subtree of each has; ValueError unless each subtree is one run of slots.

    >>> sizes_of([-1, 0, 1, 0, -1]).tolist()
    [4, 2, 1, 1, 1]
    """
    sizes = np.zeros(len(parents), dtype=np.int32)
    around = [NO_NODE]  # the slot before, and those around it
    for number, parent in enumerate([*parents, NO_NODE]):
        while around[-1] != parent:
            if around[-1] == NO_NODE:
                raise ValueError(f"slot {number} is not in document order")
            sizes[around[-1]] = number - around[-1]
            around.pop()
        around.append(number)
    return sizes
