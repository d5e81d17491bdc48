"""The tag path sequence as a signal: where its contour is flat, what recurs there, and the records cut there."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array

Floats: TypeAlias = npt.NDArray[np.float64]

def regions(symbols: Int32Array, shortest: int) -> tuple[Int32Array, Floats, Floats]:
    """Parts of a tag path sequence whose contour is flat (DSRE, Velloso & Dorneles 2020).

    `symbols` are between 0 and n - 1, numbered in order of first appearance, so that the contour (the running
    maximum) rises exactly where a symbol is new. A stretch of at least `shortest` symbols, none of them new, is flat.
    It is one region with the one before it if they share a symbol. A region begins with the symbols of its own that
    directly precede it: the first record, whose symbols are still new, but never inside the region before it.

    Returns the regions as rows [start, end); the slope of the regression line through each; and the sequence without
    those lines, 0 outside of the regions. Raises ValueError for symbols out of range.
    """

def recurrences(
    native: NativePage, symbols: Int32Array, regions: Int32Array, least: int, pause: float
) -> tuple[Int32Array, Int32Array, Int32Array, Floats, Floats, Floats]:
    """The runs of occurrences of each symbol in each region, and how periodic they are.

    `symbols` are those of the nodes of the body, as for `regions`. A run ends where the gap to the next occurrence
    exceeds `pause` times the mean gap of the symbol in the region. Runs are left out that have fewer than `least`
    occurrences, or gaps whose standard deviation is their mean or more; so are symbols that occur exactly once below
    each occurrence of their parent's in the region, which cut the same records.

    Returns the nodes of all runs, one run after the other; [k + 1] where each run begins there; and [k] of each its
    region, its period (the mean gap), its coverage (the part of the region that it spans, the last record being as
    long as the others) and its regularity (1 - standard deviation of the gaps / their mean). Runs are in order of
    their regions, and within one of the first appearance of their symbols.

    Raises ValueError for symbols or regions out of range.
    """

def records(native: NativePage, nodes: Int32Array, run_start: Int32Array) -> Int32Array:
    """Records that begin at the nodes of each run, as spans of siblings with all below them: one row per node.

    The nodes of a run, two or more, ascend and are at one depth. A record begins at the ancestor of its node (or the
    node itself) that is a sibling of an ancestor of a neighbour: of the nearer neighbour, where they differ. It ends
    before that sibling, or with the last of its own siblings where the next record is not among them. The last record
    of a run, whose end nothing tells, is not longer than the longest before it.

    Raises ValueError for nodes out of range, for runs of one node, and for nodes of a run at different depths.
    """
