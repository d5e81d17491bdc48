"""The rows of the columns that are chosen. The choice itself is made by `learning.learn`."""

from collections.abc import Sequence

from fastwrap.columns.records import Cell, Output

def present(rows: list[list[Cell]], outputs: Sequence[Output]) -> list[list[Cell]]:
    """The rows of the columns that are shown, from rows with a cell for each item.

    A column has the first of its sources that says anything: its items, with a space between them. Of a picture, what
    is no address ("data:...") says nothing, and of several addresses in different sizes the first is taken. A list
    (operation 3) has all texts of its items. ValueError for items that rows have not, and columns without sources.

    >>> title, tags = (0, 0, -1, 1, ((1,), (0,)), ()), (3, 0, -1, 1, ((2, 3),), ())
    >>> present([["a", "b", "c", ["d", None]], ["a", None, None, None]], [title, tags])
    [['b', ['c', 'd']], ['a', None]]
    """
