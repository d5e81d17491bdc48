"""The amount in a text: a number with its currency, or two of them, from one to the other."""

from fastwrap.columns.records import Cell

def amount_span(text: str) -> tuple[int, int] | None:
    """Where the first amount in a text begins and ends; None if it has no number.

    A currency stands before or after the number, or on both sides, with white space between them or not. White space
    may be part of the span at both ends.

    >>> amount_span("from US$ 12 to 14"), amount_span("from 3 EUR"), amount_span("free")
    ((5, 17), (4, 10), None)
    """

def amount_in(cell: Cell) -> Cell:
    """The amount in a text; the text as it is, if there is none, and so is a list.

    >>> amount_in("Reg. $48.00"), amount_in("on request")
    ('$48.00', 'on request')
    """

def trim_amounts(rows: list[list[Cell]], column: int) -> None:
    """Leave the amounts alone in the texts of a column, in place.

    >>> rows: list[list[Cell]] = [["a", "Now 3 EUR"], ["b", None]]
    >>> trim_amounts(rows, 1)
    >>> rows
    [['a', '3 EUR'], ['b', None]]
    """
