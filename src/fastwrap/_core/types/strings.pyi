"""First look at the columns of a table: cleans their strings, finishes those that need no more, and says what may be
read in the others."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")

# What may be read in a column.
DIGITS: int
ADDRESSES: int
STARS: int
MAIL: int
ANSWERS: int
DATES: int
CLOCKS: int
PHONES: int
RATINGS: int
CONTACTS: int

# What the strings of a column are: addresses of pages, of pictures, several in one string; prices; for machines.
PAGES: int
PICTURES: int
SETS: int
PRICES: int
MACHINES: int

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

CODES: int
"""Widths that codes have, but not numbers without separators: eight digits and more; and the bit of leading zeros."""

PICTURE_ENDINGS: tuple[str, ...]
OTHER_ENDINGS: tuple[str, ...]

Split: TypeAlias = tuple[list[tuple[str, str]], list[int], list[str], list[int], int, int]
"""What `split_numbers` returns."""

class Look:
    """The first look at columns.

    Strings longer than `longest` can only be addresses; those that are `unknown` are as if absent. `answers` are words
    that answer yes or no, and whether they do without their opposite. `stars` are the characters that ratings begin
    with. A type may be read if not more than the share `misses` of the strings cannot be meant as it; without a digit,
    they count `miss_of_words` against the types that have digits.

    `affixes` says what stands before and after a number, None if it is no number. `plan` says how to read numbers that
    all have the same around them, given what is before and after them, their shapes, their widths if `relevant`, the
    conventions, and whether bare numbers are prices: None if they are no numbers; else a tuple of how many there must
    be to go by it, type, conversion, scale, group separator, whether the decimal sign is a comma, the type of money or
    None, currency, unit, why, what they show, what they want to know, and anything.
    """

    def __init__(
        self,
        longest: int,
        unknown: frozenset[str],
        answers: Mapping[str, tuple[bool, bool]],
        stars: str,
        misses: float,
        miss_of_words: float,
        affixes: Callable[[str, str], Any],
        plan: Callable[[str, str, int, int, Any, bool], Any],
    ) -> None: ...
    def table(
        self,
        columns: Sequence[Sequence[str | None]],
        kinds: list[int],
        scheme: str,
        origin: str,
        directory: str,
        by_hand: Callable[[str], str | None],
        conventions: Any,
        for_machines: Any,
        typed: Callable[[str, list[Any], str | None, str], Any],
    ) -> tuple[list[Any], list[tuple[int, int, list[str | None], list[str], Split | None, Any]]]:
        """Each column as `typed`, a named tuple of type, values, unit and why, and those that are unfinished. Texts,
        addresses, answers and numbers that all have the same around them are finished.

        Of an unfinished column are given: its number; what may be read in it; its strings with normalised white space
        (None if nothing is left), or its addresses if it may have CONTACTS; those of them that are not unknown; what
        `split_numbers` says of these, None if they are no numbers; and the plan that it was read by, or None if it is
        not typed. If it is, the plan shows something that may matter to other columns, or the reverse.

        Addresses are made absolute as by `resolve`.
        """

def count(things: list[T]) -> dict[T, int]:
    """How often each thing is there, in order of first appearance.

    >>> count(["a", "b", "a"])
    {'a': 2, 'b': 1}
    """

def split_numbers(strings: list[str], most_missed: int) -> Split | None:
    """The one number of each string and what stands around it. None if more than `most_missed` strings have none.

    Returns what stands before and after numbers, each pair once; which pair each string has, -1 if it has no number,
    or several; the numbers; their shapes; all shapes in one; and a bit for each width of numbers without a separator,
    the lowest one set if any of these has a leading zero.

    A number is digits with single separators (point, comma, space, apostrophe) inside. Its shape: 0 without a
    separator; a decimal sign, a sign that makes groups, or both; a sign that may be EITHER, as in 1.234; NO_NUMBER.
    """

def relevant(widths: int, shapes: int) -> int:
    """The widths of numbers if something depends on them, else 0: they may be codes, or say what makes groups."""

def values_of(
    strings: list[str],
    numbers: list[str],
    places: list[int],
    group: str | None,
    comma: bool,
    convert: Callable[[str], Any],
    scales: list[int],
    money: type | None,
    currencies: list[str | None],
) -> dict[str, Any]:
    """The values of strings, given their `numbers` and `places` as `split_numbers` returns them.

    A number is converted without the signs that make groups, with a decimal point instead of a comma, and multiplied
    with the scale of its place; numbers with a scale of 0 are left out. If `money` is given, a named tuple, the value
    is made of it and the currency of its place.
    """

def answers_of(strings: list[str], answers: Mapping[str, tuple[bool, bool]], slack: float) -> dict[str, bool] | None:
    """The answers that strings are; None if more than `slack` are none, or only a word that needs its opposite."""

def resolve(
    strings: list[str | None], scheme: str, origin: str, directory: str, by_hand: Callable[[str], str | None]
) -> list[str | None]:
    """Addresses made absolute by what the page's address has before "//", "/" and a name, all empty if it is not known;
    None for none, "#" and scripts.

    Addresses that need more than that are resolved `by_hand`.
    """

def count_pictures(addresses: list[str]) -> int:
    """How many addresses have the ending of a picture, before their query."""
