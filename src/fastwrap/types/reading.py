"""What the readers of the types share: the strings of a column, the misses they may have, and what a reader returns.
A reader reads every distinct string once, and gives up as soon as too many do not read as its type."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, time
from decimal import Decimal
from typing import Any, NamedTuple, TypeAlias

from fastwrap._core.types import strings as kernel
from fastwrap.types.locales import NOTHING_KNOWN, Conventions

LONGEST = 80
"""Characters. What is longer is a sentence: it is read as nothing but text or an address."""

MISSES = 0.1
"""The share of a column's filled strings that need not read as its type."""

MISS_OF_WORDS = 0.5
"""What a string counts that is not meant as a number ("Call us" among prices), or that is two of them ("$5 - $9")."""


class Money(NamedTuple):
    """An amount of money."""

    amount: Decimal
    currency: str | None
    """The ISO 4217 code; the sign as written where it may mean several currencies, such as "$"; None without a sign."""


Value: TypeAlias = str | bool | int | float | Money | date | time
"""A typed value. A datetime is a date, too."""


class Expression:
    """A regular expression that is compiled when it is first used: that takes longer than to read a page.

    >>> Expression("[0-9]+").findall("1 and 23")
    ['1', '23']
    """

    fullmatch: Callable[[str], re.Match[str] | None]
    match: Callable[[str], re.Match[str] | None]
    search: Callable[[str], re.Match[str] | None]
    findall: Callable[[str], list[str]]
    split: Callable[..., list[str]]
    sub: Callable[..., str]

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        # Called for what is not there yet; from then on it is.
        if name[:1] == "_":
            raise AttributeError(name)
        method = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, method)
        return method


_DIGIT = Expression(r"[0-9]")


def has_digit(string: str) -> bool:
    """Whether a string has a digit of any script.

    >>> has_digit("no 5"), has_digit("٥"), has_digit("five")
    (True, True, False)
    """
    return _DIGIT.search(string) is not None or (not string.isascii() and any(map(str.isdigit, string)))


class Strings:
    """The filled strings of a column, white space normalised, without those that say that nothing is known ("n/a")."""

    __slots__ = ("_counts", "filled", "slack", "split", "total")

    def __init__(self, filled: list[str], split: kernel.Split | None = None) -> None:
        self.filled = filled
        self.total = len(filled)
        self.slack = MISSES * len(filled)
        """How many may be missed."""
        self.split = split
        """Their numbers, and what stands around these; None if too many have none."""
        self._counts: Mapping[str, int] | None = None

    @property
    def counts(self) -> Mapping[str, int]:
        """Each distinct string, in order of first appearance, and how often it is there."""
        if self._counts is None:
            self._counts = kernel.count(self.filled)
        return self._counts


class Reading(NamedTuple):
    """A column as a reader reads it."""

    type: str
    """The type's name; "text" when the reader knows what the strings are, and that it must not read them."""
    values: Mapping[str, Value]
    """The value of each distinct string that reads as the type."""
    why: str = ""
    """What the type, or the choice between readings, rests on."""
    unit: str | None = None
    """Words, or a scale, that all numbers have."""
    shown: Conventions = NOTHING_KNOWN
    """What the column itself shows of how the page writes."""
    wanted: str = ""
    """Which of the conventions would decide, were it known."""
