"""The template of a region: the grown tree of slots, which of them are columns, and the names of these.
Plain numbers and strings that outlive the page: written as JSON and read back; what is read is checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fastwrap.columns.headings import Heading
from fastwrap.columns.layout import TEXT_ITEM, Layout
from fastwrap.columns.naming import Name
from fastwrap.columns.records import Reader
from fastwrap.columns.splitting import Rule
from fastwrap.common.lazy import lazy_property
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import ATTRIBUTE_NUMBER, NO_NODE, TAG_NUMBER, TEXT, number_of

MAX_SLOTS = 200_000
"""Slots and items of a template that is read: more than any list has."""

MAX_KINDS = 200
MAX_NAME = 300
"""Characters of a tag, attribute or column name, and of the evidence for it."""

SYMBOLS = 2**31
KEYS = frozenset(("slots", "items", "names", "link", "heading"))


@dataclass(frozen=True)
class Template(Layout):
    """What is learned of records (`Table.template`), and what `apply` reads others by."""

    names: tuple[Name, ...]
    """The names of the columns, none of them twice, and what they rest on."""
    link: int
    """The column of the links to the records' own pages; NO_NODE if there is none."""

    @lazy_property
    def reader(self) -> Reader:
        """What reads records by it: all that depends on the template alone, and what it remembers of pages."""
        tag, _, symbol, _ = self.tree
        column_of = np.full((len(tag), len(self.kinds)), NO_NODE, dtype=np.int32)
        slot, kind, lists = self.places
        column_of[slot, kind] = np.arange(len(slot), dtype=np.int32)
        return Reader(
            self.tree,
            self.repeats,
            np.unique(symbol[(tag == TEXT) & (symbol != 0)]),  # the labels
            np.array([number_of(name, ATTRIBUTE_NUMBER, {}) for name in self.kinds[:-1]], dtype=np.int32),
            column_of[self.into],
            self.unit,
            lists,
        )

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
            "names": [{"name": name, "why": dict(why)} for name, why in self.names],
            "link": self.link,
            "heading": None if self.heading is None else self.heading.to_json(),
        }

    @classmethod
    def from_json(cls, data: Any) -> Template:
        """A template from plain data; ValueError, which says why, for what is none."""
        if not isinstance(data, dict) or data.keys() != KEYS:
            raise ValueError(f"a template is an object with {', '.join(sorted(KEYS))}")
        slots, items, names = (list_of_objects(data, key) for key in ("slots", "items", "names"))
        tag_names: dict[int, str] = {}
        table = np.full((6, len(slots)), NO_NODE, dtype=np.int32)
        for number, slot in enumerate(slots):
            table[:, number] = checked_slot(slot, number, len(slots), tag_names)
        tag, parent, symbol, into, unit, repeats = table
        size = np.ones(len(slots), dtype=np.int32)
        for number in range(len(slots) - 1, -1, -1):
            if parent[number] != NO_NODE:
                if number >= parent[number] + 1 and not in_order(parent, number):
                    raise ValueError(f"slot {number} is not in document order")
                size[parent[number]] += size[number]
        for number in np.flatnonzero(repeats != NO_NODE).tolist():
            if parent[repeats[number]] != parent[number] or tag[repeats[number]] != tag[number]:
                raise ValueError(f"slot {number} is not repeated by a sibling of its tag")
        kinds = tuple(dict.fromkeys(text_of(item, "kind") for item in items if item.get("kind") != TEXT_ITEM))
        if len(kinds) > MAX_KINDS:
            raise ValueError("the template has too many kinds of items")
        number_of_kind = {kind: number for number, kind in enumerate((*kinds, TEXT_ITEM))}
        lists = int(unit.max(initial=NO_NODE)) + 1
        places = np.full((3, len(items)), NO_NODE, dtype=np.int32)
        rules = {}
        for number, item in enumerate(items):
            if not item.keys() <= {"slot", "kind", "list", "rule"}:
                raise ValueError(f"item {number} has keys that no item has")
            places[0, number] = whole(item.get("slot"), 0, len(slots), f"the slot of item {number}")
            places[1, number] = number_of_kind[text_of(item, "kind")]
            places[2, number] = whole(item.get("list", NO_NODE), NO_NODE, lists, f"the list of item {number}")
            if "rule" in item:
                if places[2, number] != NO_NODE:
                    raise ValueError(f"item {number} is in a list, and split")
                rules[number] = Rule.from_json(item["rule"])
        if len({(slot, kind) for slot, kind in places[:2].T.tolist()}) < len(items):
            raise ValueError("two items are in the same place")
        heading = None if data["heading"] is None else Heading.from_json(data["heading"])
        template = cls(
            places=places,
            kinds=(*kinds, TEXT_ITEM),
            rules=rules,
            heading=heading,
            tree=np.stack((tag, parent, symbol, size)),
            into=into,
            unit=unit,
            repeats=repeats,
            lists=len(set(places[2].tolist()) - {NO_NODE}),
            tag_names=tag_names,
            names=tuple(Name(text_of(name, "name"), checked_why(name)) for name in names),
            link=whole(data["link"], NO_NODE, MAX_SLOTS, "the link"),
        )
        if not len({name.name for name in template.names}) == len(template.names) == template.width:
            raise ValueError("the names of the columns are not one for each, all different")
        if template.link >= template.width:
            raise ValueError(f"the link is {template.link}: expected a number below {template.width}")
        return template


def in_order(parent: Int32Array, number: int) -> bool:
    """Whether the parent of a slot is the slot before it, or around that: so that each subtree is one run."""
    above = number - 1
    while above != NO_NODE and above > parent[number]:
        above = int(parent[above])
    return above == int(parent[number])


def list_of_objects(data: dict[str, Any], key: str) -> list[Any]:
    """A list of the template, not too long, of lists or objects."""
    found = data[key]
    if not isinstance(found, list) or len(found) > MAX_SLOTS:
        raise ValueError(f"{key} is not a list, or too long")
    if not all(isinstance(entry, list if key == "slots" else dict) for entry in found):
        raise ValueError(f"{key} has something that is not {'a list' if key == 'slots' else 'an object'}")
    return found


def whole(number: Any, least: int, below: int, what: str) -> int:
    """A whole number within bounds."""
    if type(number) is not int or not least <= number < below:
        raise ValueError(f"{what} is {str(number)[:40]!r}: expected a number from {least} below {below}")
    return number


def text_of(entry: dict[str, Any], key: str) -> str:
    """A text of an entry, neither empty nor too long."""
    text = entry.get(key)
    if not isinstance(text, str) or not 0 < len(text) <= MAX_NAME:
        raise ValueError(f"a {key} is not a text of at most {MAX_NAME} characters")
    return text


def checked_why(entry: dict[str, Any]) -> dict[str, str]:
    """The evidence for a name."""
    why = entry.get("why", {})
    if not isinstance(why, dict) or len(why) > 9 or not all(isinstance(t, str) for pair in why.items() for t in pair):
        raise ValueError("the evidence for a name is not an object of texts")
    return {key[:MAX_NAME]: text[:MAX_NAME] for key, text in why.items()}


def checked_slot(slot: list[Any], number: int, count: int, tag_names: dict[int, str]) -> list[int]:
    """The numbers of a slot: tag, parent, symbol, into, unit, repeats."""
    if len(slot) != 6 or not isinstance(slot[0], str) or not 0 < len(slot[0]) <= MAX_NAME:
        raise ValueError(f"slot {number} is not a tag and five numbers")
    return [
        number_of(slot[0], TAG_NUMBER, tag_names),
        whole(slot[1], NO_NODE, number, f"the parent of slot {number}"),
        whole(slot[2], 0, SYMBOLS, f"the symbol of slot {number}"),
        whole(slot[3], 0, count, f"where slot {number} goes"),
        whole(slot[4], NO_NODE, MAX_SLOTS, f"the list of slot {number}"),
        whole(slot[5], NO_NODE, count, f"what repeats slot {number}"),
    ]
