"""The records of a region as the kernels take them: spans of nodes, with their symbols, slots and items.
The kernels that read records are called from here alone."""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fastwrap._core.columns import alignment as kernel
from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import ATTRIBUTE_NUMBER, ATTRIBUTES, TAG_NUMBER, TAGS

BUDGET = 10_000_000
"""Cells a call, some hundredths of a second: records beyond it are mapped from left to right, by tags alone."""

LABEL_SHARE = 0.5
"""A text that so many of the records have is a label."""

ITEMS = ("href", "src", "alt", "title", "datetime", "content")
"""Attributes that are items, besides those called data-..., in the order of columns."""

KINDS = (*ITEMS, *(name for name in ATTRIBUTES if name.startswith("data-")))
NUMBERS = np.array([ATTRIBUTE_NUMBER[name] for name in KINDS], dtype=np.int32)
ALTERNATIVE = ITEMS.index("alt")

MAX_DATA = 24
"""Names of data attributes that are looked at; a page with more of them keeps something else there."""

WORDS, FILES = 1 << 12, 1 << 13
"""Of the ways in which texts may be split: they begin with the same words; they are names of image files."""

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

INT32 = np.dtype(np.int32)
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
nested = kernel.nested


class Learned(NamedTuple):
    """What records give a template; see `fastwrap.columns.template.Template`."""

    slots: Int32Array
    """Of all nodes of all records."""
    tree: Int32Array
    """[8, slots] Tag, parent, symbol and size of each slot; then into, unit, the list that it is in, and repeats."""
    places: Int32Array
    """[3, items] Slot, kind and list."""
    rows: list[list[Cell]]
    data: list[int]
    """The attributes data-... of the page that were looked at."""
    split: list[tuple[int, int]]
    """Items whose texts may be split, and how: bits for separators, then WORDS and FILES."""
    lists: int
    limits: int


class Records:
    """Records of a page, given as spans of nodes (runs of siblings with all below them)."""

    def __init__(self, page: Page, spans: npt.ArrayLike) -> None:
        self.page = page
        if type(spans) is not np.ndarray or spans.dtype != INT32 or not spans.flags.c_contiguous:
            spans = np.ascontiguousarray(spans, dtype=np.int32).reshape(-1, 2)
        self.spans: Int32Array = spans

    def __len__(self) -> int:
        return len(self.spans)

    @property
    def extent(self) -> int:
        """Nodes from the first record to the last: more than these have if anything is between them."""
        return int(self.spans[-1, 1]) - int(self.spans[0, 0]) if len(self.spans) else 0

    def nodes_at(self, places: list[int]) -> tuple[list[int], list[int]]:
        """The nodes at places among all nodes of all records, laid end to end, and the records that they are in."""
        start, end = self.spans.T
        ends = np.cumsum(end - start)
        found = np.searchsorted(ends, places, side="right")
        return (end[found] - (ends[found] - places)).tolist(), found.tolist()

    def learn(self, budget: int) -> Learned:
        """Grow a tree that has a slot for each node, find in it what is one text in pieces and what is a list, and
        enter the items of the slots into a table."""
        page, arrays = self.page, self.page.arrays
        enough = max(2, math.ceil(LABEL_SHARE * len(self)))
        try:
            return Learned(
                *kernel.learn(
                    page.tag, page.size, page.parent, page.attribute_start, arrays.attribute_name, arrays.value_start,
                    arrays.values, page.text_start, arrays.text, page.style_symbol, self.spans, NUMBERS, len(ITEMS),
                    ALTERNATIVE, page.custom_names, MAX_DATA, TRAITS, LINE_BREAK, LINK, CLASS, STYLE, enough, budget,
                    MAX_FILLED, MAX_CELLS, LONGEST,
                )
            )  # fmt: skip
        except ValueError as error:
            raise FastwrapError(f"the records cannot be aligned: {error}") from None

    def read(self, reader: Reader, budget: int) -> tuple[Int32Array, list[list[Cell]], tuple[str, ...]]:
        """The slots of all nodes in a template, NO_NODE for those that it has none for, the table, and the limits."""
        page, arrays = self.page, self.page.arrays
        try:
            slots, rows, limits = reader.read(
                page.tag, page.size, page.parent, page.attribute_start, arrays.attribute_name, arrays.value_start,
                arrays.values, page.text_start, arrays.text, self.spans, budget,
            )  # fmt: skip
        except ValueError as error:
            raise FastwrapError(f"the records cannot be aligned: {error}") from None
        return slots, rows, limits_of(limits)


def limits_of(bits: int) -> tuple[str, ...]:
    """The names of the steps whose budget was met."""
    return tuple(name for name, bit in kernel.LIMITS.items() if bits & bit) if bits else ()


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
