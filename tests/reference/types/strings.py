"""Twin of `fastwrap._core.types.strings`: the strings of a column, and the first look at them, one string at a time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.reference.page.addresses import resolve
from tests.reference.types.addresses import kind_of
from tests.reference.types.families import (
    ADDRESSES,
    CLOCKS,
    DATES,
    DIGITS,
    MAIL,
    PHONES,
    RATINGS,
    STARS,
    YES_OR_NO,
    may_be_clock,
    may_be_date,
    may_be_phone,
    may_be_rating,
)
from tests.reference.types.numbers import split_numbers

TEXTS, PAGES, PICTURES, SETS, PRICES = range(5)

_LONGEST_ANSWER = 40
_HAS_DIGIT = re.compile(r"[0-9]")
_INTEGER = re.compile(r"0|[1-9][0-9]{0,6}")


class Look:
    """What the first look at columns goes by."""

    def __init__(
        self,
        longest: int,
        unknown: frozenset[str],
        answers: Mapping[str, Any],
        stars: str,
        misses: float,
        miss_of_words: float,
    ) -> None:
        self.longest, self.unknown, self.answers, self.stars = longest, unknown, answers, stars
        self.misses, self.miss_of_words = misses, miss_of_words

    def at(self, strings: Sequence[str | None]) -> Strings:
        """The strings of a column, looked at."""
        return Strings(self, strings)

    def at_table(
        self,
        columns: Sequence[Sequence[str | None]],
        kinds: list[int],
        base: tuple[str, str, str],
        typed: Callable[[str, list[Any], str | None, str], Any],
    ) -> tuple[list[Any], list[tuple[int, Strings | None]]]:
        """The columns that need no reader, typed; and those that are still to be read."""
        found: list[Any] = []
        unread: list[tuple[int, Strings | None]] = []
        for place, (column, kind) in enumerate(zip(columns, kinds, strict=True)):
            strings = self.at(column)
            finished: tuple[str, list[Any]] | None = None
            if kind in (PAGES, PICTURES, SETS):
                links = list(column)
                name = (
                    "contact"
                    if kind == SETS or resolve(links, *base)
                    else kind_of(links, kind == PICTURES, self.misses)
                )
                if name == "contact":
                    unread.append((place, None))
                    found.append(None)
                    continue
                finished = (name, links) if name else None
            if finished is None and not strings.families:
                finished = "text", strings.cleaned
            if finished is None and strings.are_integers and kind != PRICES:
                finished = "integer", strings.spread([int(string) for string in strings.filled])
            if finished is None:
                unread.append((place, strings))
            found.append(None if finished is None else typed(*finished, None, ""))
        return found, unread


class Strings:
    """The strings of a column."""

    def __init__(self, look: Look, strings: Sequence[str | None]) -> None:
        self._look = look
        self.cleaned = [None if string is None else " ".join(string.split()) or None for string in strings]
        self.filled = [string for string in self.cleaned if string is not None and string not in look.unknown]
        self.total = len(self.filled)
        self.slack = look.misses * self.total
        self.are_integers = bool(self.filled) and all(map(_INTEGER.fullmatch, self.filled))
        self.counts = dict(Counter(self.filled))
        self.numbers = split_numbers(self.filled, int(self.slack / look.miss_of_words))
        self._families = self._first_look()
        with_digits = bool(self._families & DIGITS)
        self._told_by_digits = self._second_look() if with_digits else 0
        self.families = self._families
        if with_digits and self.numbers is None:
            self.families = self._families ^ DIGITS | self._told_by_digits

    def may_be(self, family: int) -> bool:
        """Whether a family may be read in them."""
        return bool((self.families | self._told_by_digits) & family)

    def spread(self, values: list[Any]) -> list[Any]:
        """One value for each string, given one for each filled string."""
        of_filled = iter(values)
        found = []
        for string in self.cleaned:
            if string is None or string in self._look.unknown:
                found.append(string if string and string[0].isalpha() else None)
            else:
                value = next(of_filled)
                found.append(string if value is None else value)
        return found

    def _first_look(self) -> int:
        families = 0
        for string in self.filled[: int(self.slack) + 1]:
            families |= self._families_of_string(string)
        if self.filled and sum(map(self._least_miss, self.filled)) <= self.slack:
            families |= DIGITS
        return families

    def _least_miss(self, string: str) -> float:
        return 1 if len(string) > self._look.longest else 0 if _HAS_DIGIT.search(string) else self._look.miss_of_words

    def _second_look(self) -> int:
        short = [string for string in self.filled if len(string) <= self._look.longest]
        families = 0
        for family, fits in ((DATES, may_be_date), (CLOCKS, may_be_clock), (RATINGS, may_be_rating)):
            misses = (
                1 if _HAS_DIGIT.search(string) else self._look.miss_of_words for string in short if not fits(string)
            )
            if sum(misses) <= self.slack:
                families |= family
        if sum(not may_be_phone(string) for string in short) <= self.slack:
            families |= PHONES
        return families

    def _families_of_string(self, string: str) -> int:
        families = 0
        if " " not in string:
            host, slash, _ = string.partition("/")
            if (slash and string[0].isalpha() and "." in host) or (
                len(string) > 4 and string[:4].lower() in ("http", "www.")
            ):
                families |= ADDRESSES
        has_digit = None
        if len(string) <= self._look.longest:
            has_digit = _HAS_DIGIT.search(string)
            if string[0] in self._look.stars:
                families |= STARS
            name, _, host = string.partition("@")
            if name and "." in host and " " not in name:
                families |= MAIL
        if not has_digit and len(string) <= _LONGEST_ANSWER and string.lower().rstrip(".! ") in self._look.answers:
            families |= YES_OR_NO
        return families
