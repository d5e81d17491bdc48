"""Simple tree matching (STM, Yang 1991) as printed: one recursive function over nested tuples.
The twin of `fastwrap._core.similarity.matching` and `fastwrap._numba.similarity.matching`."""

from __future__ import annotations

from collections.abc import Sequence

from tests.reference.trees import Tree


def stm(left: Tree, right: Tree) -> int:
    """Pairs in the maximum mapping of two trees: 0 if the roots differ, else the forests plus one."""
    if left[0] != right[0]:
        return 0
    return stm_forest(left[1], right[1]) + 1


def stm_forest(left: Sequence[Tree], right: Sequence[Tree]) -> int:
    """Pairs in the maximum mapping of two runs of sibling trees, which have no roots to pair."""
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, left_tree in enumerate(left, 1):
        for j, right_tree in enumerate(right, 1):
            weight = stm(left_tree, right_tree)
            table[i][j] = max(table[i][j - 1], table[i - 1][j], table[i - 1][j - 1] + weight)
    return table[-1][-1]
