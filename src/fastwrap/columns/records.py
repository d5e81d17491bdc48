"""The records of a region as the kernels take them: spans of nodes, with their symbols, slots and items.
The one place of this package that calls the compiled kernels."""

from __future__ import annotations

import math
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap import backend
from fastwrap.arrays import Int32Array
from fastwrap.errors import FastwrapError
from fastwrap.names import ATTRIBUTE_NUMBER, NO_NODE, TAG_NUMBER, TAGS, TEXT
from fastwrap.page import Page

if backend.compiled():
    from fastwrap._core import alignment as kernel
else:
    from fastwrap._plain import alignment as kernel  # type: ignore[no-redef]

BUDGET = 10_000_000
"""Cells a call, some hundredths of a second: records beyond it are mapped from left to right, by tags alone."""

LABEL_SHARE = 0.5
"""A text that so many of the records have is a label."""

NEVER = 2**31 - 1
NO_LABELS = np.empty(0, dtype=np.int32)
CLASS, STYLE = ATTRIBUTE_NUMBER["class"], ATTRIBUTE_NUMBER["style"]

LONGEST = 300
"""Bytes of the texts of a column on average: what is longer is prose, in which separators mean nothing."""

FORMATTING, CELL = 1, 2

TRAITS = np.zeros(len(TAGS), dtype=np.uint8)
"""[tags] FORMATTING for inline elements that often only format: without class and style they may be part of a text.
CELL for those whose place among their siblings says what they mean: no lists."""

for _name in """
    b i u s em strong small big sub sup tt font code kbd samp var span mark abbr acronym bdi bdo cite del dfn ins q
    strike wbr nobr blink
    """.split():
    TRAITS[TAG_NUMBER[_name]] = FORMATTING
for _name in ("td", "th", "dt"):
    TRAITS[TAG_NUMBER[_name]] = CELL

LINE_BREAK = TAG_NUMBER["br"]
LINK = TAG_NUMBER["a"]

MAX_FILLED = 4_000_000
"""Records times slots: where they are more, nothing is joined or folded."""

MAX_CELLS = 20_000_000
"""Records times columns: of more columns than that, those with fewest items are left out."""

Cell = str | list[str | None] | None
"""What a record has in a column: a text, or a list of them; None if it has none."""


class Tree(NamedTuple):
    """A grown tree: its slots in document order."""

    tag: Int32Array
    parent: Int32Array
    symbol: Int32Array
    size: Int32Array
    array: Int32Array
    """All four, as the kernels take them."""


class Folding(NamedTuple):
    """Where the items of slots go; see `fastwrap.columns.template.Template`."""

    into: Int32Array
    unit: Int32Array
    list_of: Int32Array
    """[slots] The list that a slot is in; NO_NODE: in none."""
    repeats: Int32Array


class Records:
    """Records of a page, given as spans of nodes (runs of siblings with all below them)."""

    def __init__(self, page: Page, spans: npt.ArrayLike) -> None:
        self.page = page
        self.spans: Int32Array = np.asarray(spans, dtype=np.int32).reshape(-1, 2)
        self.start, self.end = np.ascontiguousarray(self.spans.T)

    def __len__(self) -> int:
        return len(self.spans)

    @property
    def has_gaps(self) -> bool:
        """Whether there is anything between the records."""
        return bool((self.start[1:] != self.end[:-1]).any())

    @cached_property
    def lengths(self) -> Int32Array:
        """[records] How many nodes each has."""
        lengths: Int32Array = self.end - self.start
        return lengths

    def nodes_at(self, places: list[int]) -> tuple[list[int], list[int]]:
        """The nodes at places among all nodes of all records, laid end to end, and the records that they are in."""
        ends = np.cumsum(self.lengths)
        found = np.searchsorted(ends, places, side="right")
        return (self.end[found] - (ends[found] - places)).tolist(), found.tolist()

    def symbols(self, labels: Int32Array | None = None) -> Int32Array:
        """What nodes of one tag are told apart by; texts only if many records have them, or if they are `labels`."""
        page, arrays = self.page, self.page.arrays
        enough = NEVER if labels is not None else max(2, math.ceil(LABEL_SHARE * len(self)))
        try:
            return kernel.node_symbols(
                page.tag, page.size, page.style_symbol, page.attribute_start, arrays.attribute_name,
                arrays.value_start, arrays.values, CLASS, STYLE, page.text_start, arrays.text, self.start, self.end,
                enough, NO_LABELS if labels is None else labels,
            )  # fmt: skip
        except ValueError as error:
            raise FastwrapError(f"the records cannot be aligned: {error}") from None

    def grow(self, budget: int) -> tuple[Int32Array, Tree]:
        """The slots of all nodes, and the tree that was grown to have one for each."""
        page = self.page
        slots, tree = kernel.align(page.tag, page.size, page.parent, self.start, self.end, self.symbols(), budget)
        return slots, Tree(tree[0], tree[1], tree[2], tree[3], tree)

    def fold(self, slots: Int32Array, tree: Tree) -> Folding:
        """Find what is one text in pieces, and what is a list, in a tree that was grown of these records."""
        page = self.page
        into, unit, lists = kernel.fold_slots(
            tree.array, slots, page.size, self.start, self.end, page.text_start, page.arrays.text, TRAITS, LINE_BREAK,
            LINK, MAX_FILLED,
        )  # fmt: skip
        if not lists:
            return Folding(into, unit, nothing := np.full(len(into), NO_NODE, dtype=np.int32), nothing)
        return fold_lists(tree, into, unit, lists)

    def place(self, tree: Int32Array, repeats: Int32Array, labels: Int32Array, budget: int) -> Int32Array:
        """The slots of all nodes in a tree that was grown before; NO_NODE for those that it has none for."""
        page = self.page
        return kernel.place_records(
            page.tag, page.size, page.parent, self.start, self.end, self.symbols(labels), tree, repeats, budget
        )

    def tabulate(
        self, attributes: Int32Array, first_data: int, slots: Int32Array, folding: Folding
    ) -> tuple[Int32Array, list[list[Cell]]]:
        """The columns that there are (slot, kind, list, whether it may be split), and the table."""
        page, arrays = self.page, self.page.arrays
        return kernel.tabulate(
            page.tag, page.size, page.attribute_start, arrays.attribute_name, arrays.value_start, arrays.values,
            page.text_start, arrays.text, attributes, first_data, self.start, self.end, slots, folding.into,
            folding.unit, folding.list_of, MAX_CELLS, LONGEST,
        )  # fmt: skip

    def read(
        self, attributes: Int32Array, slots: Int32Array, column_of: Int32Array, unit: Int32Array, lists: Int32Array
    ) -> list[list[Cell]]:
        """The table: `column_of` has the column of each slot and kind, `lists` the list of each column."""
        page, arrays = self.page, self.page.arrays
        return kernel.read_items(
            page.tag, page.size, page.attribute_start, arrays.attribute_name, arrays.value_start, arrays.values,
            page.text_start, arrays.text, attributes, self.start, self.end, slots, column_of, unit, lists,
        )  # fmt: skip


def fold_lists(tree: Tree, into: Int32Array, unit: Int32Array, lists: int) -> Folding:
    """Map the units of lists onto each other: what is alike in them goes to the first slot that has it."""
    list_of = np.full(len(into), NO_NODE, dtype=np.int32)
    repeats = list_of.copy()
    tag, parent, symbol, size = (np.ascontiguousarray(part) for part in tree[:4])
    for number in range(lists):
        units = np.flatnonzero(unit == number).astype(np.int32)
        first, last = int(units[0]), int(units[-1] + size[units[-1]])
        # A unit reaches to the next one: separators, or texts that belong to it, are between them.
        ends = np.append(units[1:], np.int32(last))
        places, _ = kernel.align(tag, size, parent, units, ends, symbol[first:last], BUDGET)
        _, earliest, place = np.unique(places, return_index=True, return_inverse=True)
        into[first:last] = first + earliest[place]
        list_of[first:last] = number
        tops = np.flatnonzero((parent[first:last] == parent[first]) & (tag[first:last] == TEXT)) + first
        repeats[tops] = tops
        repeats[units] = units[size[units].argmax()]
    return Folding(into, unit, list_of, repeats)
