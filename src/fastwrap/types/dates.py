"""Dates of a column: ISO 8601, numeric dates, dates with the names of months in many languages, times after them.
Whether the day or the month comes first is decided by all strings together, else by how the page writes."""

from __future__ import annotations

import re
from datetime import date, datetime, time
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from fastwrap._core.types import dates as kernel
from fastwrap._core.types.strings import DATES, Strings
from fastwrap.types.expressions import Expression
from fastwrap.types.locales import NOTHING_KNOWN, Conventions
from fastwrap.types.reading import MISS_OF_WORDS, Context, Reader, Reading, Value, read_each
from fastwrap.types.times import read_clock
from fastwrap.types.words import MONTHS, WEEKDAYS

# Two numbers with something between them. Every part begins with what the part before it cannot contain.
_TWO = Expression(r"([^0-9]{0,40})([0-9]{4}|[0-9]{1,2})([^0-9]{1,24})([0-9]{4}|[0-9]{1,2})([^0-9].{0,40})?", re.DOTALL)
_THIRD = Expression(r"(\. |[^0-9])([0-9]{4}|[0-9]{1,2})([^0-9].{0,40})?", re.DOTALL)
_EAST_ASIAN = Expression(r" ?[月월] ?([0-9]{1,2}) ?[日일](.{0,40})", re.DOTALL)
_CLOCK_YEAR = Expression(r"(:[0-9:]{2,5}[ A-Z]{0,5}) ([0-9]{4})")
_PUNCTUATION = " \t\n.,;:|()[]<>«»•·*–—-/'’"
_SEPARATORS = frozenset(("-", "/", ".", ". "))
_ORDINALS = frozenset("st nd rd th er re e º ª ° o de del of di d the do a".split())
_OPENERS = frozenset("on am le el em il op den the at as à de vom från fra".split())
_AFTER_DAY = Expression(r"(?:st|nd|rd|th)?(?: ?, ?| |-| de | of )'?")


_WrittenDate: TypeAlias = tuple[date | str, tuple[time, bool] | None, tuple[str, str]]
"""A date in a string: the day, or three numbers as written if their order is still unknown; the time, and whether it
has a zone; what stands before the date, weekday and punctuation removed, and after it, if it is no time."""


@lru_cache(1024)
def _words(before: str) -> str:
    """The words of what stands before a date that belong to the template: "Posted" of "Posted on Mon, "."""
    words = [(word, word.strip(_PUNCTUATION)) for word in before.lower().split()]
    kept = [word for word, bare in words if bare and bare not in WEEKDAYS and bare not in _OPENERS]
    return " ".join(kept).strip(_PUNCTUATION.replace(":", ""))


@lru_cache(1024)
def _month_between(between: str) -> int | None:
    """The month in what stands between day and year: " de março de ", "-Oct-", "th of May, "."""
    stripped = between.strip(" .,-/'’").lower()
    month = MONTHS.get(stripped)
    if month is None and " " in stripped:
        words = [word for word in stripped.replace(".", " ").replace(",", " ").split() if word not in _ORDINALS]
        month = MONTHS.get(words[0]) if len(words) == 1 else None
    return month


@lru_cache(1024)
def _month_before(before: str) -> tuple[str, int] | None:
    """What stands before a month, and the month: of "Posted: Jan. "."""
    stripped = before.rstrip(" .-,/")
    start = len(stripped)
    while start and (stripped[start - 1].isalpha() or stripped[start - 1] == "'"):
        start -= 1
    month = MONTHS.get(stripped[start:].lower())
    return None if month is None else (stripped[:start], month)


def _day(year: str, month: int, day: str) -> date | None:
    """The day, if there is such a one; a year of two digits is read by the rule of POSIX."""
    number = int(year)
    if len(year) <= 2:
        number += 1900 if number >= 69 else 2000
    if not 1000 <= number < 2200:
        return None
    try:
        return date(number, month, int(day))
    except ValueError:
        return None


def _with_rest(day: date | str | None, before: str, rest: str | None) -> _WrittenDate | None:
    """The date with what stands around it: a time, or words."""
    if day is None:
        return None
    if rest is None or not (after := rest.strip(_PUNCTUATION)):
        return day, None, (_words(before), "")
    clock = read_clock(rest)
    if clock is not None:
        return day, clock, (_words(before), "")
    if rest[0].isalpha() or any(map(str.isdigit, after)):
        return None
    return day, None, (_words(before), after)


def _find(string: str) -> _WrittenDate | None:
    """The one date in a string that is a date, with at most a time after it and words before it."""
    match = _TWO.fullmatch(string)
    if match is None:
        return None
    before, first, between, second, rest = match.groups()
    if between in _SEPARATORS:
        return _find_numeric(before, first, between, second, rest or "")
    named = None
    day: date | None = None
    if len(first) == 4:
        month = _month_between(between)
        if month is not None:
            day = _day(first, month, second)
        elif between.strip() in ("年", "년") and (match := _EAST_ASIAN.fullmatch(rest or "")) is not None:
            day, rest = _day(first, int(second), match[1]), match[2]
    elif (month := _month_between(between)) is not None:
        day = _day(second, month, first) if len(second) != 1 and not before[-1:].isalnum() else None
    elif (named := _month_before(before)) is not None:
        before, month = named
        if between == " " and rest and rest[0] == ":":
            # Thu Oct 2 19:37:01 2003, as the C library writes
            if (match := _CLOCK_YEAR.fullmatch(rest)) is None:
                return None
            rest, second = second + match[1], match[2]
            day = _day(second, month, first)
        elif _AFTER_DAY.fullmatch(between) and (len(second) == 4 or (len(second) == 2 and "," in between)):
            day = _day(second, month, first)
    return _with_rest(day, before, rest)


def words_around(string: str) -> tuple[str, str]:
    """What stands before and after the date in a string, without weekday, time and punctuation.

    >>> words_around("Posted on Mon, 5 Jan 2004"), words_around("2004-01-05")
    (('posted', ''), ('', ''))
    """
    written = _find(string)
    return ("", "") if written is None else written[2]


def _find_numeric(before: str, first: str, separator: str, second: str, rest: str) -> _WrittenDate | None:
    """The date of three numbers, of which two and the rest of the string are given."""
    match = _THIRD.fullmatch(rest)
    if match is None or match[1] != separator or len(second) > 2 or before[-1:].isalnum():
        return None
    third = match[2]
    if len(first) == 4:
        if len(third) == 4:
            return None
        return _with_rest(_day(first, int(second), third), before, match[3])
    return _with_rest(separator.join((first, second, third)), before, match[3]) if len(third) > 1 else None


class _Order(NamedTuple):
    """How the numeric dates of a column are read."""

    name: str
    """"dmy", "mdy" or "ymd"."""
    why: str = ""
    shown: Conventions = NOTHING_KNOWN
    """What the column itself shows of how the page writes."""


_YEAR_FIRST = _Order("ymd")


def _decide_order(shown: tuple[int, str, int, str, str, bool, bool, bool, bool], page: Conventions) -> _Order | Reading:
    """Decide by all dates of a column, of which `kernel.survey` tells; by how the page writes if each could be either.
    If they cannot be read, what the column is instead."""
    first, example_of_first, second, example_of_second, example, equal, two_digits, full_stops, versions = shown
    if second > 12 and first <= 12:
        order = _Order("mdy", f"order mdy by {example_of_second}", Conventions(day_first=False))
    elif 12 < first <= 31 and second <= 12:
        order = _Order("dmy", f"order dmy by {example_of_first}", Conventions(day_first=True))
    elif first > 31 and second <= 12 and two_digits:
        order = _Order("ymd", f"order ymd by {example_of_first}")
    elif first > 12:
        return Reading("text", [], "days and months in more than one order")
    elif equal:
        order = _Order("dmy")
    elif full_stops:
        order = _Order("dmy", "with full stops the day comes first")
    elif page.day_first is not None:
        order = _Order("dmy" if page.day_first else "mdy", "order of day and month as the page writes")
    else:
        return Reading("text", [], f"{example} may be day/month or month/day", wanted="day_first")
    return Reading("text", [], "dates or versions") if versions else order


def read_dates(strings: Strings, context: Context) -> Reading | None:
    """Read a column as dates, or as dates with times.

    >>> from fastwrap.types.reading import look_at
    >>> read_dates(look_at(["3/4/2003", "25/4/2003"]), Context()).values
    [datetime.date(2003, 4, 3), datetime.date(2003, 4, 25)]
    """
    return read_numeric(strings, context.conventions) or read_any(strings, context.conventions)


def read_numeric(strings: Strings, conventions: Conventions) -> Reading | None:
    """Read a column in which every string is a numeric date with nothing around it; None if it is not such a one."""
    survey = kernel.survey(strings.filled)
    if survey is None:
        return None
    timed, shown = survey
    order = _YEAR_FIRST if shown is None else _decide_order(shown, conventions)
    if isinstance(order, Reading):
        return order
    values, missed = kernel.values(strings.filled, order.name)
    if missed > strings.slack:
        return None
    return Reading("datetime" if timed else "date", values, order.why, shown=order.shown)


def read_any(strings: Strings, conventions: Conventions) -> Reading | None:
    """Read a column of dates of all kinds, with words around them."""
    written, misses = read_each(strings, _find, MISS_OF_WORDS)
    if not written:
        return None
    words = {around for _, _, around in written.values() if any(around)}
    if len(words) > 1 + strings.total // 10 or (strings.total == 1 and not all(lead[-1:] == ":" for lead, _ in words)):
        return None  # sentences with dates in them
    order: _Order | Reading = _YEAR_FIRST
    days: dict[str, date | None] = {}
    numerics = [day for day, _, _ in written.values() if isinstance(day, str)]
    _, shown = kernel.survey(numerics) or (False, None)
    if shown is not None:
        order = _decide_order(shown, conventions)
        if isinstance(order, Reading):
            return order
        values, _ = kernel.values(numerics, order.name)
        days = dict(zip(numerics, values, strict=True))
    by_form: dict[str, dict[str, Value]] = {"date": {}, "naive": {}, "zoned": {}}
    for string, (numbers_or_day, clock, _) in written.items():
        day = days.get(numbers_or_day) if isinstance(numbers_or_day, str) else numbers_or_day
        if day is None:
            misses += strings.counts[string]
        else:
            form = "date" if clock is None else "zoned" if clock[1] else "naive"
            by_form[form][string] = day if clock is None else datetime.combine(day, clock[0])
    # All are to have times, or none.
    counts = {form: sum(map(strings.counts.__getitem__, values)) for form, values in by_form.items() if values}
    most = max(counts, key=counts.__getitem__, default="")
    misses += sum(counts.values()) - counts.get(most, 0)
    if misses > strings.slack:
        why = "dates with and without times, or zones"
        return Reading("text", [], why, shown=order.shown) if len(counts) > 1 else None
    dates = list(map(by_form[most].get, strings.filled))
    return Reading("date" if most == "date" else "datetime", dates, order.why, shown=order.shown)


READER = Reader(("date", "datetime"), DATES, read_dates)
