"""The strings of columns, cleaned, and the first look at them: what may be read in them, and what may not."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from fastwrap._core.types.numbers import SplitNumbers

T = TypeVar("T", bound=tuple[Any, ...])

# What the strings of a column are of.
TEXTS: int
PAGES: int
PICTURES: int
SETS: int
PRICES: int

# What may be read in a column, as bits of `Strings.families` and for `Strings.may_be`.
DIGITS: int
ADDRESSES: int
STARS: int
MAIL: int
YES_OR_NO: int
DATES: int
CLOCKS: int
PHONES: int
RATINGS: int

class Look:
    """What the first look at columns goes by.

    Strings longer than `longest` can only be addresses; those that are `unknown` are as if absent. `answers` are words
    that answer yes or no. `stars` are the characters that ratings begin with. A type may be read if not more than the
    share `misses` of the strings cannot be meant as it; without a digit, they count `miss_of_words` against the types
    that have digits.
    """

    def __init__(
        self,
        longest: int,
        unknown: frozenset[str],
        answers: Mapping[str, Any],
        stars: str,
        misses: float,
        miss_of_words: float,
    ) -> None: ...
    def at(self, strings: Sequence[str | None]) -> Strings:
        """The strings of a column, looked at."""
    def at_table(
        self, columns: Sequence[Sequence[str | None]], kinds: list[int], base: tuple[str, str, str], typed: type[T]
    ) -> tuple[list[T], list[tuple[int, Strings | None]]]:
        """Each column as `typed`, a named tuple of type, values, unit and why; and those that are still to be read, by
        their number, which are None among the others.

        To be read are strings that may be of a type; and links, for which None is given: those of SETS, contacts, and
        those that `addresses.resolve` cannot make absolute by the parts of `base`.
        """

class Strings:
    """The strings of a column. What costs a second pass over them is found when it is first asked for.

    Its lists are not copies: they must not be changed.
    """

    cleaned: list[str | None]  # all strings with normalised white space; None if nothing is left
    filled: list[str]  # those that are there, and do not say that nothing is known ("n/a")
    total: int  # how many are filled
    slack: float  # how many of these may be missed
    families: int
    """What may be read in them: DIGITS if they have a number each, which stands for the families that are told by
    digits until one of them is asked for (`may_be`)."""
    counts: Mapping[str, int]  # each distinct filled string, in order of first appearance, and how often it is there
    numbers: (
        SplitNumbers | None
    )  # the number of each filled string, and what stands around it; None if too many lack it

    def may_be(self, family: int) -> bool:
        """Whether a family may be read in them, at a second look for those that are told by digits."""
    def spread(self, values: list[Any]) -> list[Any]:
        """One value for each string, given one for each filled string: the string itself where that is None. Of those
        that say that nothing is known, words stay as they are; marks such as "-" are None, as what is absent."""
