"""The cells of the columns that are chosen. The choice itself is made by `learning.learn`."""

from collections.abc import Sequence

from fastwrap.columns.records import Cell, Output

class Presenter:
    """Makes the cells of columns: of those of items that a record has. Threads may share it.

    A column has the first of its sources that says anything: its items, with a space between them. Of a picture, what
    is no address ("data:...") says nothing, and of several addresses in different sizes the first is taken. A list
    (operation 3) has all texts of its items. ValueError for columns without sources.
    """

    def __init__(self, outputs: Sequence[Output]) -> None: ...
    def rows(self, rows: list[list[Cell]]) -> list[list[Cell]]:
        """The rows of the columns, from rows with a cell for each item; ValueError for rows without one of them.

        >>> title, tags = (0, 0, -1, 1, ((1,), (0,)), ()), (3, 0, -1, 1, ((2, 3),), ())
        >>> Presenter([title, tags]).rows([["a", "b", "c", ["d", None]], ["a", None, None, None]])
        [['b', ['c', 'd']], ['a', None]]
        """
