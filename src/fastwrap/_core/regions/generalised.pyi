"""Generalised nodes (MDR, Liu, Grossman & Zhai 2003): pairs of adjacent sibling runs, and the choice of regions."""

import numpy as np
import numpy.typing as npt

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array

def candidates(
    native: NativePage, longest: int
) -> tuple[Int32Array, npt.NDArray[np.uint64], Int32Array, Int32Array, Int32Array, npt.NDArray[np.bool_]]:
    """The lists of siblings from the body on, and all pairs of adjacent runs of up to `longest` siblings in them.

    Returns the fields of `fastwrap.regions.cutting.Siblings`. Lists are in document order of their parents, pairs in
    order of the place of their first sibling, then of their length: `pair_start[place] + k - 1` is the pair of the k
    siblings from that place on and the k after these.

    Raises ValueError for `longest` not in 1 to 64.
    """

def explain(native: NativePage, distance: npt.NDArray[np.float64], threshold: float, longest: int) -> Int32Array:
    """The regions from the body on that together explain most nodes.

    `distance` is that of each pair of `candidates` for the same `longest`. A region is a row of runs of one
    length, each within `threshold` of the one before it, which then explains (1 - distance) of its nodes; regions do
    not share nodes. In rows of runs that are alike, regions may be looked for inside instead; then the first record
    of each row after the first counts as explained as well, to the same extent, if its region's records have three
    texts on average (fewer are the cells of a data table).

    Returns a row (place of the first sibling in `children`, siblings in a run, number of runs) for each region, in
    order of places. Takes time proportional to the nodes times `longest`. Raises ValueError as `candidates` does,
    and for the wrong number of distances.
    """

def distances(native: NativePage, address: int, pairs: Int32Array) -> npt.NDArray[np.float64]:
    """What a compiled function says of each pair of runs, called in a loop without the GIL.

    A row of `pairs`, [k, 4], is where the left run starts and ends, and where the right one does. `address` is that
    of a `double f(const int32_t *tag, const int32_t *size, int32_t left_start, int32_t left_end, int32_t right_start,
    int32_t right_end)`, which must be thread-safe; nothing can check that it is one.

    Raises ValueError for pairs of another shape, spans outside of the page, and the address 0.
    """
