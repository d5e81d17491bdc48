"""Levenshtein distance by the textbook's table (Wagner and Fischer 1974), row by row.
The twin of `fastwrap._core.similarity.levenshtein` and `fastwrap._numba.similarity.levenshtein`."""

from __future__ import annotations

from collections.abc import Sequence


def distance(left: Sequence[object], right: Sequence[object]) -> int:
    """Insertions, deletions and substitutions that turn one sequence into the other.

    >>> distance("kitten", "sitting")
    3
    """
    row = list(range(len(right) + 1))
    for i, symbol in enumerate(left, 1):
        above = row
        row = [i]
        for j, other in enumerate(right, 1):
            row.append(min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (symbol != other)))
    return row[-1]
