"""Numbers of a column: the one number of each string and what stands around it, and the values that they are."""

from collections.abc import Callable
from typing import Any, TypeAlias

# The shape of a number, as bits: its decimal sign, the sign that makes groups, a sign that may be EITHER, as in 1.234.
DECIMAL_POINT: int
DECIMAL_COMMA: int
GROUP_POINT: int
GROUP_COMMA: int
GROUP_SPACE: int
GROUP_APOSTROPHE: int
EITHER_POINT: int
EITHER_COMMA: int
NO_NUMBER: int

SplitNumbers: TypeAlias = tuple[list[tuple[str, str]], list[int], list[str], list[int], int, int, int]
"""What `split_numbers` returns."""

def split_numbers(strings: list[str], most_missed: int) -> SplitNumbers | None:
    """The one number of each string and what stands around it. None if more than `most_missed` strings have none.

    Returns the surroundings (what stands before and after numbers, each pair once); which of them each string has, -1
    if it has no number, or several; the numbers; their shapes (0: no separator); all shapes in one; a bit for each
    width of numbers without a separator, the lowest one set if any of these has a leading zero; and how many strings
    have no number, or several.

    >>> split_numbers(["$ 1.50", "1-2"], 1)
    ([('$ ', '')], [0, -1], ['1.50', ''], [1, 256], 1, 0, 1)
    """

class NumberStyle:
    """How the numbers of a column become values.

    A number is converted without the `group` signs, with a decimal point instead of a `comma`, and multiplied with the
    scale of its surroundings; those with a scale of 0 have no value. If `money` is given, a named tuple, the value is
    made of the number and the currency of its surroundings.

    >>> NumberStyle(None, False, float, [-1], None, [None]).values(["1.5", ""], [0, -1])
    [-1.5, None]
    """

    def __init__(
        self,
        group: str | None,
        comma: bool,
        convert: Callable[[str], Any],
        scales: list[int],
        money: type | None,
        currencies: list[str | None],
    ) -> None: ...
    def values(self, numbers: list[str], places: list[int]) -> list[Any]:
        """The values of numbers, given which surroundings each has (`split_numbers`); None where that is -1."""
