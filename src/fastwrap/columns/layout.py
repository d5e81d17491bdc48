"""Which columns the records of a region have: what each is read from, how it is split, and which are one list.
All that a table needs to be shown; how its items are found is `fastwrap.columns.template`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from fastwrap.columns.sections import Heading
from fastwrap.columns.splitting import Rule
from fastwrap.common.lazy import lazy_property
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE

TEXT_ITEM = "text"
"""The kind of an item that is a text; other items are called after their attribute."""


class Item(NamedTuple):
    """What one place of the records gives: a text or an attribute, one a record, or a list of them."""

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
    """The columns of a table."""

    places: Int32Array
    """[3, items] Slot, kind and list of each item, in the order of columns; see `Item`."""
    kinds: tuple[str, ...]
    """What the numbers of kinds mean: attributes, then TEXT_ITEM."""
    rules: Mapping[int, Rule]
    """By item: how it is split."""
    heading: Heading | None
    """Where the headings of groups of records are, if these are a column, which is then the last one."""

    @lazy_property
    def items(self) -> tuple[Item, ...]:
        """What the slots give, in the order of columns."""
        found: list[Item] = []
        column = 0
        for number, (slot, kind, in_list) in enumerate(self.places.T.tolist()):
            found.append(Item(slot, self.kinds[kind], in_list, self.rules.get(number), column))
            column += found[-1].width
        return tuple(found)

    @lazy_property
    def width(self) -> int:
        """How many columns there are."""
        split = sum(rule.width - 1 for rule in self.rules.values())
        return int(self.places.shape[1]) + split + (self.heading is not None)

    @lazy_property
    def column_kinds(self) -> list[str]:
        """The kind of each column, as in `Item`."""
        found = [self.kinds[kind] for kind in self.places[1].tolist()]
        for number in sorted(self.rules, reverse=True):
            found[number : number + 1] = [found[number]] * self.rules[number].width
        return found + [TEXT_ITEM] * (self.heading is not None)

    @property
    def groups(self) -> list[list[int]]:
        """The columns that are shown as one, in order: those of one nested list. None at all if there is no list."""
        return self._grouped[0]

    @lazy_property
    def _grouped(self) -> tuple[list[list[int]], dict[int, list[int]]]:
        """The groups, and by list those of its columns."""
        lists = self.places[2].tolist()
        found: list[list[int]] = []
        of_list: dict[int, list[int]] = {}
        if all(number == NO_NODE for number in lists):
            return found, of_list
        column = 0
        rules = self.rules
        for item, number in enumerate(lists):
            width = rules[item].width if item in rules else 1
            if number == NO_NODE:
                found += [[column]] if width == 1 else [[column + part] for part in range(width)]
            elif number in of_list:
                of_list[number].append(column)
            else:
                found.append(of_list.setdefault(number, [column]))
            column += width
        return found + [[column]] * (self.heading is not None), of_list

    def is_list(self, column: int) -> bool:
        """Whether a column is part of a nested list."""
        return any(column in columns for columns in self._grouped[1].values())
