"""Generalised nodes (MDR, Liu, Grossman & Zhai 2003): pairs of adjacent sibling runs, and the choice of regions."""

import numpy as np
import numpy.typing as npt

from fastwrap.page.arrays import Int32Array

def candidates(
    tag: Int32Array, size: Int32Array, class_id: Int32Array, root: int, longest: int
) -> tuple[
    Int32Array,
    npt.NDArray[np.uint64],
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    npt.NDArray[np.bool_],
]:
    """The lists of siblings from a root on, and all pairs of adjacent runs of up to `longest` siblings in them.

    Returns `(list_start, path, children, pair_start, left_start, left_end, right_end, equal)`. List i, in document
    order of the parents, is `children[list_start[i]:list_start[i + 1]]`; `path[i]` is a number for the tags from the
    root down to its parent, equal for equal tags. Pairs are in order of the place of their first sibling in
    `children`, then of their length: `pair_start[place] + k - 1` is the pair of the k siblings from that place on and
    the k after these. Its left run is [left_start, left_end), its right one [left_end, right_end); `equal` says
    whether they are equal in tags and shape, by `class_id`, the structural classes with leaves.

    Raises ValueError for arrays that differ in length or are no tree, a root that is no node, and `longest` not in 1
    to 64.

    >>> import numpy as np
    >>> tag = np.array([1, 2, 0, 2, 0, 0], dtype=np.int32)  # <p> <b>text</b> <b>text</b> text </p>
    >>> size = np.array([6, 2, 1, 2, 1, 1], dtype=np.int32)
    >>> class_id = np.array([3, 2, 1, 2, 1, 1], dtype=np.int32)
    >>> start, _, children, pairs, *spans, equal = candidates(tag, size, class_id, 0, longest=10)
    >>> start.tolist(), children.tolist(), pairs.tolist()
    ([0, 3, 4, 5], [1, 3, 5, 2, 4], [0, 1, 2, 2, 2, 2])
    >>> [ends.tolist() for ends in spans], equal.tolist()
    ([[1, 3], [3, 5], [5, 6]], [True, False])
    """

def explain(
    tag: Int32Array, size: Int32Array, root: int, distance: npt.NDArray[np.float64], threshold: float, longest: int
) -> Int32Array:
    """The regions from a root on that together explain most nodes.

    `distance` is that of each pair of `candidates` for the same root and `longest`. A region is a row of runs of one
    length, each within `threshold` of the one before it, which then explains (1 - distance) of its nodes; regions do
    not share nodes. In rows of runs that are alike, regions may be looked for inside instead; then the first record
    of each row after the first counts as explained as well, to the same extent, if its region's records have three
    texts on average (fewer are the cells of a data table).

    Returns a row (place of the first sibling in `children`, siblings in a run, number of runs) for each region, in
    order of places. Takes time proportional to the nodes times `longest`. Raises ValueError as `candidates` does,
    and for the wrong number of distances.

    >>> import numpy as np
    >>> tag = np.array([1, 2, 0, 2, 0, 0], dtype=np.int32)  # <p> <b>text</b> <b>text</b> text </p>
    >>> size = np.array([6, 2, 1, 2, 1, 1], dtype=np.int32)
    >>> explain(tag, size, 0, np.array([0.0, 1.0]), threshold=0.5, longest=10).tolist()
    [[0, 1, 2]]
    """

def distances(
    address: int,
    tag: Int32Array,
    size: Int32Array,
    left_start: Int32Array,
    left_end: Int32Array,
    right_start: Int32Array,
    right_end: Int32Array,
) -> npt.NDArray[np.float64]:
    """What a compiled function says of each pair of runs, called in a loop without the GIL.

    `address` is that of a `double f(const int32_t *tag, const int32_t *size, int32_t left_start, int32_t left_end,
    int32_t right_start, int32_t right_end)`, which must be thread-safe; nothing can check that it is one.

    Raises ValueError for arrays that differ in length, spans outside of them, and the address 0.
    """
