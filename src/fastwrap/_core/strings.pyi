"""First look at the strings of a column: cleans them, and says which types are worth trying."""

from collections.abc import Callable, Container
from typing import TypeVar

T = TypeVar("T")

# What `glance` says may be read.
DIGITS: int
ADDRESSES: int
STARS: int
MAIL: int
ANSWERS: int
PAIRS: int
CLOCKS: int
PHONES: int

# What a number shows of how it is written.
DECIMAL_POINT: int
DECIMAL_COMMA: int
GROUP_POINT: int
GROUP_COMMA: int
GROUP_SPACE: int
GROUP_APOSTROPHE: int
EITHER_POINT: int
EITHER_COMMA: int
NO_NUMBER: int

def glance(
    strings: list[str | None],
    longest: int,
    unknown: frozenset[str],
    answers: Container[str],
    stars: str,
    misses: float,
    miss_of_words: float,
) -> tuple[list[str | None], list[str], int]:
    """The strings with normalised white space (None if nothing is left); those of them that are not `unknown`, if
    anything may be read in them; and what may be.

    A type may be read if not more than the share `misses` of the strings cannot be meant as it. Strings longer than
    `longest` can only be addresses; without a digit, they count `miss_of_words` against the types that have digits. Of
    these, dates and ratings (PAIRS) have two numbers, times (CLOCKS) begin with one, telephone numbers (PHONES) have at
    least 7 digits.
    """

def count(things: list[T]) -> dict[T, int]:
    """How often each thing is there, in order of first appearance.

    >>> count(["a", "b", "a"])
    {'a': 2, 'b': 1}
    """

def split_numbers(
    strings: list[str], most_missed: int
) -> tuple[list[tuple[str, str]], list[int], list[str], list[int], int, int] | None:
    """The one number of each string and what stands around it. None if more than `most_missed` strings have none.

    Returns what stands before and after numbers, each pair once; which pair each string has, -1 if it has no number,
    or several; the numbers; their shapes; all shapes in one; and a bit for each width of numbers without a separator,
    the lowest one set if any of these has a leading zero.

    A number is digits with single separators (point, comma, space, apostrophe) inside. Its shape: 0 without a
    separator; a decimal sign, a sign that makes groups, or both; a sign that may be EITHER, as in 1.234; NO_NUMBER.
    """

def resolve(
    strings: list[str | None], scheme: str, origin: str, directory: str, by_hand: Callable[[str], str | None]
) -> list[str | None]:
    """Addresses made absolute by what the page's address has before "//", "/" and a name; None for none, "#" and
    scripts.

    Addresses that need more than that are resolved `by_hand`.
    """
