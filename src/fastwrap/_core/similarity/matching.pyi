"""Simple tree matching (STM, Yang 1991) of runs of sibling subtrees: scores in batches, and one mapping."""

from fastwrap.page.arrays import Int32Array

UNKNOWN: int
"""The score of a pair that the budget did not reach."""

def scores(
    tag: Int32Array,
    size: Int32Array,
    class_id: Int32Array,
    left_start: Int32Array,
    left_end: Int32Array,
    right_start: Int32Array,
    right_end: Int32Array,
    budget: int,
) -> Int32Array:
    """Number of node pairs in the maximum STM mapping of each pair of runs.

    The runs of pair p are [left_start[p], left_end[p]) and [right_start[p], right_end[p]): whole subtrees of
    adjacent siblings. One subtree against one is STM itself; several are matched as the children of two
    roots are, without counting the roots. `class_id` are the structural classes with leaves.

    `budget` bounds the cells of all tables that the call fills, edges included. Pairs are scored in order;
    one that does not fit into what is left of the budget is UNKNOWN, every other score is exact. A score is
    computed once for two classes, however often they meet.

    Raises ValueError for arrays that differ in length, spans outside the arrays, and spans that cut a
    subtree.

    >>> import numpy as np
    >>> tag = np.array([1, 2, 0, 1, 2, 0, 0], dtype=np.int32)  # <p><b>text</b></p> <p><b>text</b>text</p>
    >>> size = np.array([3, 2, 1, 4, 2, 1, 1], dtype=np.int32)
    >>> class_id = np.array([3, 2, 1, 4, 2, 1, 1], dtype=np.int32)
    >>> spans = [np.array([bound], dtype=np.int32) for bound in (0, 3, 3, 7)]
    >>> scores(tag, size, class_id, *spans, budget=1000)
    array([3], dtype=int32)
    """

def mapping(
    tag: Int32Array,
    size: Int32Array,
    class_id: Int32Array,
    left_start: int,
    left_end: int,
    right_start: int,
    right_end: int,
    budget: int,
) -> Int32Array | None:
    """One maximum STM mapping of two runs: rows (left node, right node), in preorder on both sides.

    There are as many rows as `scores` says. The two nodes of a row have the same tag, and parents that are a
    row as well, unless they are at the top of the runs. None if the budget ran out, or if one table of
    decisions would take more than 64 MB.

    Raises ValueError as `scores` does.

    >>> import numpy as np
    >>> tag = np.array([1, 2, 0, 1, 2, 0, 0], dtype=np.int32)  # <p><b>text</b></p> <p><b>text</b>text</p>
    >>> size = np.array([3, 2, 1, 4, 2, 1, 1], dtype=np.int32)
    >>> class_id = np.array([3, 2, 1, 4, 2, 1, 1], dtype=np.int32)
    >>> mapping(tag, size, class_id, 0, 3, 3, 7, budget=1000).tolist()
    [[0, 3], [1, 4], [2, 5]]
    """
