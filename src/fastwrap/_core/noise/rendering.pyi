"""Rendering: the text of blocks of a page, with the line breaks and tabs that a reader expects between them.

A block is a run of nodes [start, end) that holds texts and no more than inline elements: one line, or several with `br`
in between. Blocks are in document order, and none begins before the one before it ends; ValueError otherwise. `kinds`
has one of the following for each number of a tag, and one more for all names without a number.

INLINE: within a line. BREAK: `br`. DIVISION, PARAGRAPH, APART, VERBATIM: each begins a line and ends it. ITEM (li, dt),
DETAILS (dd), ROW and CELL are those of lists and tables, TABLE is a table. PART: in a table around rows.

Between two blocks are two line breaks where a paragraph begins or ends, or something APART or VERBATIM. Where a
division does, they are one within an item or in VERBATIM, else two. Where an item or a row begins or ends, it is one,
whatever stands at the edges of the item, but two if one of these has more than one block of its own; what DETAILS have
does not count before them. A PART makes no more than one.

The cells of a *grid* are set in lines: a tab between two cells, one line break between two rows, a space between two
blocks of a cell. A table is a grid if it has two cells with blocks in some row, no cell has more than MOST_LINES
blocks, and none has something APART (a heading, a quotation), VERBATIM (`pre`), or another table, with blocks in it.
"""

import numpy as np
import numpy.typing as npt

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array

INLINE: int
BREAK: int
DIVISION: int
PARAGRAPH: int
APART: int
VERBATIM: int
ITEM: int
DETAILS: int
TABLE: int
PART: int
ROW: int
CELL: int

NOTHING: int
SPACE: int
TAB: int
LINE: int
TWO_LINES: int
"""What is between two blocks, or two texts."""

MOST_LINES: int

def places(
    native: NativePage, starts: Int32Array, ends: Int32Array, kinds: bytes
) -> tuple[bytes, Int32Array, Int32Array, Int32Array]:
    """For each block what is before it, and the grid, the row and the cell that it is in; NO_NODE where in none. What
    is before the first one is LINE."""

def joints(
    native: NativePage, starts: Int32Array, ends: Int32Array, kinds: bytes
) -> tuple[Int32Array, npt.NDArray[np.uint8]]:
    """The texts of all blocks, and what is before each: NOTHING for the first one of a block, LINE behind a `br`,
    TWO_LINES behind several, else NOTHING or SPACE.

    NOTHING is between texts that touch (`NodeArrays.text`). The arrays do not tell whether there was white space beside
    a link, so punctuation tells: NOTHING is behind an opening bracket, before a closing one, before a mark with no
    letter behind it, and before an apostrophe and s. Nor is anything between two characters of Chinese or Japanese,
    unless both are in links.
    """

def text(
    native: NativePage, starts: Int32Array, ends: Int32Array, kinds: bytes, verbatim: list[tuple[int, int, bytes]]
) -> str:
    """The text of all blocks, with what `places` and `joints` say between them. Within a grid a `br` is a space.

    `verbatim` has what is written in place of blocks: the number of the first one, that of the last one, and what is
    written, in UTF-8; in the order of the blocks, ValueError otherwise.
    """
