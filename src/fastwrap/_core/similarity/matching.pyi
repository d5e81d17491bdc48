"""Simple tree matching (STM, Yang 1991) of runs of sibling subtrees: scores in batches, and one mapping."""

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array

UNKNOWN: int
"""The score of a pair that the budget did not reach."""

def scores(native: NativePage, pairs: Int32Array, budget: int) -> Int32Array:
    """Number of node pairs in the maximum STM mapping of each pair of runs.

    A row of `pairs`, [pairs, 4], is where the left run starts and ends, and where the right one does: whole subtrees
    of adjacent siblings. One subtree against one is STM itself; several are matched as the children of two roots
    are, without counting the roots.

    `budget` bounds the cells of all tables that the call fills, edges included. Pairs are scored in order; one that
    does not fit into what is left of the budget is UNKNOWN, every other score is exact. A score is computed once for
    two structural classes, however often they meet.

    Raises ValueError for an array of another type or shape, spans outside the page, and spans that cut a subtree.
    """

def mapping(native: NativePage, pairs: Int32Array, budget: int) -> Int32Array | None:
    """One maximum STM mapping of the one pair of runs: rows (left node, right node), in preorder on both sides.

    There are as many rows as `scores` says. The two nodes of a row have the same tag, and parents that are a row as
    well, unless they are at the top of the runs. None if the budget ran out, or if one table of decisions would take
    more than 64 MB. Raises ValueError as `scores` does.
    """
