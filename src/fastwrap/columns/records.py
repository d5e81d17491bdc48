"""The records of a region as the kernels take them: spans of nodes, which are aligned in slots and read into rows.
The kernels that learn from records and read them are called from here alone."""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fastwrap._core.columns import learning, presenting, reading
from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import ATTRIBUTE_NUMBER, ATTRIBUTES, TAGS

BUDGET = 10_000_000
"""Cells of a call, some hundredths of a second: records beyond it are mapped from left to right, by tags alone."""

LABEL_SHARE = 0.5
"""A text that so many of the records have is a label."""

ITEMS = ("href", "src", "srcset", "alt", "title", "datetime", "content")
"""Attributes that are items, besides those called data-..., in the order of columns."""

KINDS = (*ITEMS, *(name for name in ATTRIBUTES if name.startswith("data-")))
NUMBERS = np.array([ATTRIBUTE_NUMBER[name] for name in KINDS], dtype=np.int32)
ALTERNATIVE = ITEMS.index("alt")

MAX_DATA = 24
"""Names of data attributes that are looked at; a page with more of them keeps something else there."""

LONGEST = 300
"""Bytes of the texts of a column on average: what is longer is prose, in which separators mean nothing."""

INLINE_TAGS = """
    b i u s em strong small big sub sup tt font code kbd samp var span mark abbr acronym bdi bdo cite del dfn ins q
    strike wbr nobr blink
"""

TRAIT_TAGS = (
    INLINE_TAGS,
    "td th dt",
    INLINE_TAGS + "a label time img",
    "p li",
    "blockquote pre code q",
    "h1 h2 h3 h4 h5 h6",
    "p ul ol dl table thead tbody tfoot tr br hr h1 h2 h3 h4 h5 h6",
)
"""What tags are for, where slots are folded: for each bit the tags that have it. Inline elements that often only
format, which may be part of a text without class and style; elements whose place among their siblings says what they
mean, which are no lists; what stands in lines of text; paragraphs, and what is quoted, whose texts are no fields;
headings; and what is a part of prose, but never all of it."""

INLINE = 1 << 2
"""The bit of what stands in lines of text."""

TRAITS = bytes(sum(1 << bit for bit, tags in enumerate(TRAIT_TAGS) if name in tags.split()) for name in TAGS)
"""By the number of the tag."""

CHOICE_TAGS = (
    """
    #text a abbr acronym b bdi bdo big blink cite code del dfn em font i ins kbd label mark nobr q s samp small span
    strike strong sub sup time tt u var wbr br
    """,
    "#text",
    "br",
    "h1 h2 h3 h4 h5 h6",
    "a button label",
    "td th tr dt dd",
    "td",
    "dt th label",
    "img source input",
    "source",
)
"""What tags are for, where columns are chosen: for each bit the tags that have it. They stand in lines of text, are
texts, line breaks, headings, clicked, cells, cells of tables, names of what follows, images, sources of images."""

CHOICE_TRAITS = np.array(
    [sum(1 << bit for bit, tags in enumerate(CHOICE_TAGS) if name in tags.split()) for name in TAGS], dtype=np.uint16
)
"""By the number of the tag."""

INT32 = np.dtype(np.int32)

MAX_FILLED = 4_000_000
"""Records times slots: where they are more, nothing is joined or folded."""

MAX_CELLS = 5_000_000
"""Records times columns: of more columns than that, those with fewest items are left out."""

MAX_CELLS_READ = 20_000_000
"""Records times columns of a table that is read by a template: a page with more is refused."""

MAX_COLUMNS = 2_000
"""Columns of any table: no list that people read has as many."""

Cell = str | list[str | None] | None
"""What a record has in a column: a text, or a list of them; None if it has none."""

Reader: TypeAlias = reading.Reader
Presenter: TypeAlias = presenting.Presenter


class LearningOptions(NamedTuple):
    """The settings of `learning.learn`."""

    attributes: Int32Array
    """Numbers of the attributes that are items, in the order of columns."""
    first_data: int
    """The first of them that needs more than one value to be an item."""
    alternative: int
    """The one that stands for images."""
    most_data: int
    """Names of data attributes of the page that are looked at besides."""
    traits: bytes
    """By tag: bits as in TRAIT_TAGS."""
    label_records: int
    """Records that have a text which is a label."""
    alignment_cells: int
    """Budgets: of the alignment, ..."""
    folding_cells: int
    """... of folding (records times slots), ..."""
    table_cells: int
    """... and of the table (records times columns)."""
    longest: int
    """Bytes on average of texts that may be split."""
    choose: bool
    """Whether columns are chosen; `attributes` begin as ITEMS do then."""
    choice_traits: npt.NDArray[np.uint16]
    """By tag: bits as in CHOICE_TAGS."""


Output: TypeAlias = tuple[int, int, int, int, tuple[tuple[int, ...], ...], tuple[int, ...]]
"""A column that is shown: its operation, relation, label (an item; NO_NODE if none) and shape, its sources (each the
items that are joined; the first that a record has is taken), and items of which a record must have one, if any."""


class Learned(NamedTuple):
    """What is learned of records, and their table; see `fastwrap.columns.layout.Layout`."""

    slots: Int32Array
    """Of all nodes of all records."""
    tree: Int32Array
    """[8, slots] Tag, parent, symbol and size of each slot, and its into, unit, list and repeats; see `Layout`."""
    places: Int32Array
    """[3, items] Slot, kind and list."""
    rows: list[list[Cell]]
    data: list[int]
    """The attributes data-... of the page that were looked at."""
    split: list[tuple[int, int]]
    """Items whose texts may be split, and how: bits for separators, `learning.WORDS` and `learning.FILES`."""
    lists: int
    choice: tuple[list[Output], bytes] | None
    """The columns that are shown, and for each item why it is not. `rows` and `split` then have only the items that are
    of use for these. None if it was not asked for, or too much work."""
    limits: tuple[str, ...]


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
        numbers = np.searchsorted(ends, places, side="right")
        return (end[numbers] - (ends[numbers] - places)).tolist(), numbers.tolist()

    def learn(self, budget: int, choose: bool = False) -> Learned:
        """Grow a tree that has a slot for each node, find in it what is one text in pieces and what is a list, choose
        columns if so wanted, and enter the items of the slots into a table."""
        label_records = max(2, math.ceil(LABEL_SHARE * len(self)))
        cells = min(MAX_CELLS, MAX_COLUMNS * len(self))
        options = LearningOptions(
            NUMBERS, len(ITEMS), ALTERNATIVE, MAX_DATA, TRAITS, label_records, budget, MAX_FILLED, cells, LONGEST,
            choose, CHOICE_TRAITS
        )  # fmt: skip
        try:
            return Learned(*learning.learn(self.page.native, self.spans, self.page.custom_names, options))
        except ValueError as error:
            raise FastwrapError(f"the records cannot be aligned: {error}") from None

    def read(
        self, reader: Reader, budget: int, presenter: Presenter | None
    ) -> tuple[Int32Array, list[list[Cell]], tuple[str, ...]]:
        """The slots of all nodes in a template, NO_NODE for those that it has none for, the table, and the limits."""
        try:
            return reader.read(self.page.native, self.spans, budget, presenter)
        except ValueError as error:
            raise FastwrapError(f"the records cannot be aligned: {error}") from None
