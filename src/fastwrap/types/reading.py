"""What the readers of the types share: the strings of a column, the misses they may have, and what a reader returns.
A reader reads every distinct string once, and gives up as soon as too many do not read as its type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, time
from decimal import Decimal
from typing import Any, NamedTuple, TypeAlias, TypeVar

from fastwrap._core.types.strings import Look, Strings
from fastwrap.types.expressions import has_digit
from fastwrap.types.locales import NOTHING_KNOWN, Conventions
from fastwrap.types.words import ANSWERS, EMPTY_STARS, FULL_STARS, UNKNOWN

LONGEST = 80
"""Characters. What is longer is a sentence: it is read as nothing but text or an address."""

MISSES = 0.1
"""The share of a column's filled strings that need not read as its type."""

MISS_OF_WORDS = 0.5
"""What a string counts that is not meant as a number ("Call us" among prices), or that is two of them ("$5 - $9")."""

LOOK = Look(LONGEST, UNKNOWN, ANSWERS, FULL_STARS + EMPTY_STARS, MISSES, MISS_OF_WORDS)
look_at = LOOK.at
"""The strings of a column, cleaned, and what may be read in them."""


class Money(NamedTuple):
    """An amount of money."""

    amount: Decimal
    currency: str | None
    """The ISO 4217 code; the sign as written where it may mean several currencies, such as "$"; None without a sign."""


Value: TypeAlias = str | bool | int | float | Money | date | time
"""A typed value. A datetime is a date, too."""


class Context(NamedTuple):
    """What is known of a column besides its strings."""

    conventions: Conventions = NOTHING_KNOWN
    """How the page writes."""
    item: str = "text"
    """"text", or the name of the attribute that the strings are of."""


class Reading(NamedTuple):
    """A column as a reader reads it."""

    type: str
    """The type's name; "text" when the reader knows what the strings are, and that it must not read them."""
    values: list[Any]
    """Of the filled strings, one each; None for those that do not read as the type. Of a text, none."""
    why: str = ""
    """What the type, or the choice between readings, rests on."""
    unit: str | None = None
    """Words, or a scale, that all numbers have."""
    shown: Conventions = NOTHING_KNOWN
    """What the column itself shows of how the page writes."""
    wanted: str = ""
    """Which of the conventions would decide, were it known."""


def read_as(
    name: str, strings: Strings, values: Mapping[str, Value], why: str = "", unit: str | None = None
) -> Reading:
    """The reading of a column, given the values of its distinct strings.

    >>> read_as("phone", look_at(["a", "b", "a"]), {"a": "1"}).values
    ['1', None, '1']
    """
    return Reading(name, list(map(values.get, strings.filled)), why, unit)


T = TypeVar("T")


def read_each(
    strings: Strings, read: Callable[[str], T | None], miss_of_words: float = 1
) -> tuple[dict[str, T], float]:
    """What is read in the distinct strings of a column, and how much is missed by those in which nothing is; no values
    if that is too much. Strings without a digit count `miss_of_words`.

    >>> read_each(look_at(["12"] * 9 + ["a"]), lambda string: len(string) if string.isdigit() else None)
    ({'12': 2}, 1)
    """
    values: dict[str, T] = {}
    misses: float = 0
    for string, count in strings.counts.items():
        value = read(string)
        if value is not None:
            values[string] = value
            continue
        misses += count if miss_of_words == 1 or has_digit(string) else miss_of_words * count
        if misses > strings.slack:
            return {}, misses
    return values, misses


ANYTHING = 0
"""The family of a reader that is asked about every column that none before it could read: a call for each text."""


class Reader(NamedTuple):
    """One line of the registry: what can be read, and how."""

    types: tuple[str, ...]
    """The names of the types that it may find."""
    family: int
    """One of `fastwrap._core.types.strings`: the reader is asked only if the first look does not rule it out; or
    ANYTHING."""
    read: Callable[[Strings, Context], Reading | None]
    """Reads a column; None if it is of another type."""
