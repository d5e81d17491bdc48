"""The records of a region as the kernels take them: spans of nodes, with their symbols, slots and items.
The one place of this package that calls the compiled kernels."""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

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


Reader: TypeAlias = kernel.Reader
transposed = kernel.transposed


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
        self.spans: Int32Array = np.ascontiguousarray(spans, dtype=np.int32).reshape(-1, 2)

    def __len__(self) -> int:
        return len(self.spans)

    def nodes_at(self, places: list[int]) -> tuple[list[int], list[int]]:
        """The nodes at places among all nodes of all records, laid end to end, and the records that they are in."""
        start, end = self.spans.T
        ends = np.cumsum(end - start)
        found = np.searchsorted(ends, places, side="right")
        return (end[found] - (ends[found] - places)).tolist(), found.tolist()

    def symbols(self) -> Int32Array:
        """What nodes of one tag are told apart by; texts only if many records have them."""
        page, arrays = self.page, self.page.arrays
        enough = max(2, math.ceil(LABEL_SHARE * len(self)))
        try:
            return kernel.node_symbols(
                page.tag, page.size, page.attribute_start, arrays.attribute_name, arrays.value_start, arrays.values,
                CLASS, STYLE, page.text_start, arrays.text, self.spans, enough,
            )  # fmt: skip
        except ValueError as error:
            raise FastwrapError(f"the records cannot be aligned: {error}") from None

    def grow(self, budget: int) -> tuple[Int32Array, Int32Array]:
        """The slots of all nodes, and the tree that was grown to have one for each."""
        page = self.page
        return kernel.align(page.tag, page.size, page.parent, self.spans, self.symbols(), budget)

    def fold(self, slots: Int32Array, tree: Int32Array) -> Folding:
        """Find what is one text in pieces, and what is a list, in a tree that was grown of these records."""
        page = self.page
        into, unit, lists = kernel.fold_slots(
            tree, slots, page.size, self.spans, page.text_start, page.arrays.text, TRAITS, LINE_BREAK, LINK, MAX_FILLED
        )
        # Without lists no slot is in one, and none begins a unit of one.
        return fold_lists(tree, into, unit, lists) if lists else Folding(into, unit, unit, unit)

    def tabulate(
        self, attributes: Int32Array, first_data: int, slots: Int32Array, folding: Folding
    ) -> tuple[Int32Array, list[list[Cell]]]:
        """The columns that there are (slot, kind, list, whether it may be split), and the table."""
        page, arrays = self.page, self.page.arrays
        return kernel.tabulate(
            page.tag, page.size, page.attribute_start, arrays.attribute_name, arrays.value_start, arrays.values,
            page.text_start, arrays.text, attributes, first_data, self.spans, slots, folding.into, folding.unit,
            folding.list_of, MAX_CELLS, LONGEST,
        )  # fmt: skip

    def read(self, reader: Reader, budget: int) -> tuple[Int32Array, list[list[Cell]]]:
        """The slots of all nodes in a template, NO_NODE for those that it has none for, and the table."""
        page, arrays = self.page, self.page.arrays
        try:
            return reader.read(
                page.tag, page.size, page.parent, page.attribute_start, arrays.attribute_name, arrays.value_start,
                arrays.values, page.text_start, arrays.text, self.spans, budget,
            )  # fmt: skip
        except ValueError as error:
            raise FastwrapError(f"the records cannot be aligned: {error}") from None


def reader_of(
    tree: Int32Array,
    repeats: Int32Array,
    labels: Int32Array,
    attributes: Int32Array,
    column_of: Int32Array,
    unit: Int32Array,
    lists: Int32Array,
) -> Reader:
    """What reads records by a template: `column_of` has the column of each slot and kind, `lists` the list of each."""
    return kernel.Reader(tree, repeats, labels, attributes, column_of, unit, lists, CLASS, STYLE)


def fold_lists(tree: Int32Array, into: Int32Array, unit: Int32Array, lists: int) -> Folding:
    """Map the units of lists onto each other: what is alike in them goes to the first slot that has it."""
    list_of = np.full(len(into), NO_NODE, dtype=np.int32)
    repeats = list_of.copy()
    tag, parent, symbol, size = tree
    for number in range(lists):
        units = np.flatnonzero(unit == number).astype(np.int32)
        first, last = int(units[0]), int(units[-1] + size[units[-1]])
        # A unit reaches to the next one: separators, or texts that belong to it, are between them.
        spans = np.stack((units, np.append(units[1:], np.int32(last))), axis=1)
        places, _ = kernel.align(tag, size, parent, spans, symbol[first:last], BUDGET)
        _, earliest, place = np.unique(places, return_index=True, return_inverse=True)
        into[first:last] = first + earliest[place]
        list_of[first:last] = number
        tops = np.flatnonzero((parent[first:last] == parent[first]) & (tag[first:last] == TEXT)) + first
        repeats[tops] = tops
        repeats[units] = units[size[units].argmax()]
    return Folding(into, unit, list_of, repeats)
