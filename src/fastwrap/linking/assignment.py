"""The best pairs of two sides, none of them twice: exactly where few compete, else the best pair first.
Which of the two it was is told by a limit."""

from __future__ import annotations

from collections.abc import Mapping

from fastwrap.columns.wanted import best_pairs

BUDGET = 1_000_000
"""Steps of the exact assignment within one group of pairs that compete: rows times rows times columns."""


def assign(scores: Mapping[tuple[int, int], float]) -> tuple[list[tuple[int, int]], tuple[str, ...]]:
    """Pairs of rows and columns, of which none is twice, such that the sum of their scores is the largest; scores are
    above 0, and pairs without one are not taken. In order of the rows, with the limits that were met.

    >>> assign({(0, 0): 5.0, (0, 1): 4.0, (1, 0): 4.5})
    ([(0, 1), (1, 0)], ())
    """
    limits: tuple[str, ...] = ()
    found: list[tuple[int, int]] = []
    for group in competing(scores):
        if len(group) == 1:
            found += group
            continue
        rows = sorted({row for row, _ in group})
        columns = {column for _, column in group}
        if len(rows) * len(rows) * (len(rows) + len(columns)) > BUDGET:
            limits = ("linking.assignment",)
            found += greedy(group, scores)
            continue
        number = {row: place for place, row in enumerate(rows)}
        table: list[dict[int, float]] = [{} for _ in rows]
        for row, column in group:
            table[number[row]][column] = scores[row, column]
        found += [(row, column) for row, column in zip(rows, best_pairs(table), strict=True) if column is not None]
    return sorted(found), limits


def competing(scores: Mapping[tuple[int, int], float]) -> list[list[tuple[int, int]]]:
    """The pairs in groups: those that share a row or a column, directly or by others, are together."""
    above: dict[tuple[bool, int], tuple[bool, int]] = {}

    def top(one: tuple[bool, int]) -> tuple[bool, int]:
        while (up := above.setdefault(one, one)) != one:
            above[one] = above[up]
            one = up
        return one

    for row, column in scores:
        above[top((True, column))] = top((False, row))
    groups: dict[tuple[bool, int], list[tuple[int, int]]] = {}
    for pair in scores:
        groups.setdefault(top((False, pair[0])), []).append(pair)
    return list(groups.values())


def greedy(pairs: list[tuple[int, int]], scores: Mapping[tuple[int, int], float]) -> list[tuple[int, int]]:
    """Pairs of which none is twice: always the best that is left, and of equal ones the first."""
    rows: set[int] = set()
    columns: set[int] = set()
    found = []
    for row, column in sorted(pairs, key=lambda pair: (-scores[pair], pair)):
        if row not in rows and column not in columns:
            rows.add(row)
            columns.add(column)
            found.append((row, column))
    return found
