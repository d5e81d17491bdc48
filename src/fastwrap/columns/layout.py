"""Which columns the records of a region have: the slots that each is read from, how it is split, which are one list.
All that a table needs; a `fastwrap.columns.template.Template` is this with the names of the columns."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fastwrap.columns.headings import Heading
from fastwrap.columns.records import INLINE, TRAITS
from fastwrap.columns.splitting import Rule
from fastwrap.common.lazy import lazy_property
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import CUSTOM, NO_NODE, TAGS, TEXT

LONGEST_PATH = 500
"""Characters of a path: of what is deeper, the lowest steps are kept."""

TEXT_ITEM = "text"
"""The kind of an item that is a text; other items are called after their attribute."""


IS_INLINE = [bool(traits & INLINE) for traits in TRAITS]


def is_inline(tag: int) -> bool:
    """Whether what has a tag stands in a line of text."""
    return tag < len(IS_INLINE) and IS_INLINE[tag]


IS_HEADING = np.array([name in ("h1", "h2", "h3", "h4", "h5", "h6") for name in TAGS] + [False])
"""By the number of the tag; the last one stands for all others."""


class Item(NamedTuple):
    """What one place of the records gives: a text or an attribute, one per record, or a list of them."""

    slot: int
    """The slot; the first one, if texts of several are joined or a list goes through several."""
    kind: str
    """TEXT_ITEM, or the name of the attribute."""
    list: int
    """The number of the list that it is in: those of one list have as many items in each record. NO_NODE: in none."""
    rule: Rule | None
    """How the texts are split into several columns."""
    column: int
    """The first of its columns."""

    @property
    def width(self) -> int:
        """How many columns it makes."""
        return 1 if self.rule is None else self.rule.width


@dataclass(frozen=True)
class Layout:
    """The columns of a table, and the grown tree that their items are read from.

    A slot is a node of the grown tree: its tag, the slot of its parent, and a symbol, which is a hash of class and
    style, or, for a text that many records have, of the text.
    """

    places: Int32Array
    """[3, items] Slot, kind and list of each item, in the order of columns; see `Item`."""
    kinds: tuple[str, ...]
    """What the numbers of kinds mean: attributes, then TEXT_ITEM."""
    rules: Mapping[int, Rule]
    """By item: how it is split."""
    heading: Heading | None
    """Where the headings of groups of records are, if these are a column, which is then the last one."""
    tree: Int32Array
    """[4, slots] Tag number, parent (NO_NODE at the top), symbol and size of each slot, in document order."""
    into: Int32Array
    """[slots] The slot whose columns a slot's items go to: itself, unless texts are joined or a list is folded."""
    unit: Int32Array
    """[slots] The list that a node of this slot begins a new unit of; NO_NODE for most."""
    repeats: Int32Array
    """[slots] Where further nodes go of lists that a page has more of than were seen; NO_NODE: nowhere."""
    lists: int
    """How many nested lists there are."""
    tag_names: Mapping[int, str]
    """The names of tags that are not in the tables."""

    @lazy_property
    def items(self) -> tuple[Item, ...]:
        """What the slots give, in the order of columns."""
        items: list[Item] = []
        column = 0
        for number, (slot, kind, in_list) in enumerate(self.places.T.tolist()):
            items.append(Item(slot, self.kinds[kind], in_list, self.rules.get(number), column))
            column += items[-1].width
        return tuple(items)

    @lazy_property
    def column_items(self) -> list[Item | None]:
        """The item that each column is from; None for headings."""
        found: list[Item | None] = [item for item in self.items for _ in range(item.width)]
        return found + [None] * (self.heading is not None)

    def items_of(self, column: int) -> list[Item]:
        """The items that a column is made of: one, or none for headings."""
        item = self.column_items[column]
        return [] if item is None else [item]

    @lazy_property
    def item_numbers(self) -> list[int]:
        """The number of the item that each column is from; headings, which come last, are from none."""
        count = self.places.shape[1]
        if not self.rules:
            return list(range(count))
        widths = [self.rules[number].width if number in self.rules else 1 for number in range(count)]
        return [number for number, width in enumerate(widths) for _ in range(width)]

    @lazy_property
    def column_kinds(self) -> list[str]:
        """The kind of each column, as in `Item`."""
        kinds = [self.kinds[kind] for kind in self.places[1].tolist()]
        if self.rules:
            kinds = [kinds[number] for number in self.item_numbers]
        return kinds + [TEXT_ITEM] * (self.heading is not None)

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self.column_kinds)

    @lazy_property
    def groups(self) -> list[list[int]]:
        """The columns that are shown as one, in order: those of one nested list. None at all if there is no list."""
        if not self.lists:
            return []
        groups: list[list[int]] = []
        of_list: dict[int, list[int]] = {}
        column = 0
        # Not by `items`: those take longer to make than all of this.
        for item, number in enumerate(self.places[2].tolist()):
            width = self.rules[item].width if item in self.rules else 1
            if number == NO_NODE:
                groups += [[column + part] for part in range(width)]
            elif number in of_list:
                of_list[number].append(column)
            else:
                groups.append(of_list.setdefault(number, [column]))
            column += width
        return groups + [[column]] * (self.heading is not None)

    @lazy_property
    def main_columns(self) -> list[int]:
        """For each column that is shown, the one that it is called after: of a list, the first with texts."""
        kinds = self.column_kinds
        if not self.groups:
            return list(range(len(kinds)))
        return [next((column for column in group if kinds[column] == TEXT_ITEM), group[0]) for group in self.groups]

    @lazy_property
    def list_columns(self) -> frozenset[int]:
        """The columns that are part of a nested list."""
        return frozenset(item.column for item in self.items if item.list != NO_NODE)

    def tag_name(self, slot: int) -> str:
        """The tag of a slot; '#text' for a text."""
        tag = int(self.tree[0, slot])
        return TAGS[tag] if tag < CUSTOM else self.tag_names[tag]

    def path_of(self, item: Item) -> str:
        """The path of an item: the tags from the top of a record down to it, then the attribute. One of more than
        LONGEST_PATH characters begins with an ellipsis."""
        steps = [] if item.kind == TEXT_ITEM else [f"@{item.kind}"]
        slot, room = item.slot, LONGEST_PATH
        while slot != NO_NODE:
            name = self.tag_name(slot)
            room -= len(name) + 1
            if room < 0:
                steps.append("…")
                break
            steps.append(name)
            slot = self._parents[slot]
        steps.reverse()
        return "/".join(steps)

    @lazy_property
    def _parents(self) -> list[int]:
        parents: list[int] = self.tree[1].tolist()
        return parents

    @lazy_property
    def paths(self) -> list[str]:
        """The path of each column; "heading" for headings of groups of records."""
        paths = [path for item in self.items for path in [self.path_of(item)] * item.width]
        return paths + ["heading"] * (self.heading is not None)

    @lazy_property
    def bodies(self) -> list[int]:
        """[slots] For each element in which all texts go to one slot, and which is more than a line, that slot; NO_NODE
        for others. What else a record has in such an element belongs to that text, too."""
        tags, parents, into = self.tree[0].tolist(), self._parents, self.into.tolist()
        own, several = [NO_NODE] * len(tags), set()
        wide = [False] * len(tags)
        for slot in range(len(tags) - 1, -1, -1):
            if tags[slot] == TEXT:
                own[slot] = into[slot]
            above = parents[slot]
            if above == NO_NODE or own[slot] == NO_NODE:
                continue
            wide[above] |= wide[slot] or not (tags[slot] == TEXT or is_inline(tags[slot]))
            if own[above] not in (NO_NODE, own[slot]) or slot in several:
                several.add(above)
            own[above] = own[slot]
        joined = {slot for place, slot in enumerate(into) if place != slot}
        found = [NO_NODE] * len(tags)
        for slot, tag in enumerate(tags):
            above = parents[slot]
            if tag == TEXT:
                continue
            if above != NO_NODE and found[above] != NO_NODE:
                found[slot] = found[above]
            elif own[slot] in joined and slot not in several and wide[slot] and not is_inline(tag):
                found[slot] = own[slot]
        return found

    @lazy_property
    def heading_slots(self) -> list[int]:
        """The slots of elements h1 to h6, in document order."""
        found: list[int] = np.flatnonzero(IS_HEADING[np.minimum(self.tree[0], len(TAGS))]).tolist()
        return found

    @lazy_property
    def in_heading(self) -> list[bool]:
        """[slots] Whether a slot is within such an element."""
        inside = [False] * self.tree.shape[1]
        end = 0
        for slot in self.heading_slots:
            if slot >= end:
                end = slot + int(self.tree[3, slot])
                inside[slot + 1 : end] = [True] * (end - slot - 1)
        return inside

    def has_below(self, slot: int, sought: Sequence[int]) -> bool:
        """Whether a slot or one in it is among those sought, which are in document order."""
        place = bisect_left(sought, slot)
        return place < len(sought) and sought[place] < slot + int(self.tree[3, slot])
