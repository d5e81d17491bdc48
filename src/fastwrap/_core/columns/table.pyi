"""Rows and columns of a table as Python lists."""

from typing import Any, TypeVar

T = TypeVar("T")

def transposed(rows: list[list[T]], width: int) -> list[list[T]]:
    """The columns of rows that have so many entries each, or the rows of such columns; ValueError if they have not.

    >>> transposed([[1, 2], [3, 4], [5, 6]], 2)
    [[1, 3, 5], [2, 4, 6]]
    """

def fixed(rows: list[list[Any]], width: int, enough: float) -> list[bool]:
    """For each column of rows that have so many entries each, whether more than `enough` of them, at least half of the
    rows, have the same there; None is nothing that they could have. ValueError for less, or other rows.

    >>> fixed([["a", "b"], ["a", None], ["a", "c"]], 2, 2.4)
    [True, False]
    """

def nested(rows: list[list[Any]], groups: list[list[int]]) -> list[list[Any]]:
    """Rows in which the columns of each group are one: entries that have several values are rows themselves.

    ValueError for columns that there are not, and for lists of one group that differ in length.

    >>> nested([["a", ["b", "c"], ["d", None]], ["e", None, None]], [[0], [1, 2]])
    [['a', [['b', 'd'], ['c', None]]], ['e', None]]
    """
