"""Twin of `fastwrap._core.types.dates`: the same functions and results, by a regular expression and `datetime`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, timezone

_DATE = re.compile(
    r"""
    (
        ([0-9]{4}) ([-/]|\.\ ?) ([0-9]{1,2}) \3 ([0-9]{1,2})
      | ([0-9]{1,2}) ([-/]|\.\ ?) ([0-9]{1,2}) \7 ([0-9]{4}|[0-9]{2})
    )
    (?:
        [T ] ([0-9]{1,2}) : ([0-9]{2}) (?: : ([0-9]{2}) (?: [.,] ([0-9]{1,9}) )? )?
        (?: \ ? ( Z | [+-][0-9]{2}:?[0-9]{2} ) )?
    )?
    """,
    re.VERBOSE,
)
ORDERS = {"dmy": (2, 1, 0), "mdy": (2, 0, 1), "ymd": (0, 1, 2)}


def _zone(name: str) -> timezone | None:
    """The zone of a name, Z or +01:00; None if it is a day or more from UTC."""
    if name == "Z":
        return UTC
    offset = timedelta(hours=int(name[1:3]), minutes=int(name[-2:]))
    if offset >= timedelta(days=1):
        return None
    return timezone(offset if name[0] == "+" else -offset)


def _clock(parts: Sequence[str | None]) -> time | None:
    """The time of hour, minute, second, fraction and zone; None if there is no such time."""
    hour, minute, second, fraction, name = parts
    zone = None
    if name is not None:
        zone = _zone(name)
        if zone is None:
            return None
    try:
        return time(int(hour or 0), int(minute or 0), int(second or 0), int((fraction or "0")[:6].ljust(6, "0")), zone)
    except ValueError:
        return None


def _read(string: str) -> tuple[str, tuple[str, str, str, str], time | None] | None:
    """The date in a string as it is written, its parts (first, separator, second, third), and the time after it."""
    match = _DATE.fullmatch(string)
    if match is None:
        return None
    clock = None
    if match[10] is not None:
        clock = _clock(match.groups()[9:])
        if clock is None:
            return None
    first = 2 if match[2] is not None else 6
    return match[1], (match[first], match[first + 1], match[first + 2], match[first + 3]), clock


def survey(strings: list[str]) -> tuple[bool, tuple[int, str, int, str, str, bool, bool, bool, bool] | None] | None:
    """What dates show of their order."""
    found = []
    for string in strings:
        reading = _read(string)
        if reading is None:
            return None
        found.append(reading)
    forms = {(clock is not None, clock is not None and clock.tzinfo is not None) for _, _, clock in found}
    families = {len(first) == 4 for _, (first, _, _, _), _ in found}
    if len(forms) != 1 or len(families) != 1:
        return None
    timed, _ = forms.pop()
    if families.pop():
        return timed, None
    examples = [example for example, _, _ in found]
    dates = [parts for _, parts, _ in found]
    firsts = [int(first) for first, _, _, _ in dates]
    seconds = [int(second) for _, _, second, _ in dates]
    return timed, (
        max(firsts),
        examples[firsts.index(max(firsts))],
        max(seconds),
        examples[seconds.index(max(seconds))],
        examples[0],
        firsts == seconds,
        all(len(third) == 2 for _, _, _, third in dates),
        all("." in separator for _, separator, _, _ in dates),
        any(
            len(third) == 2 and separator != "/" and len(first) + len(second) < 4
            for first, separator, second, third in dates
        ),
    )


def values(strings: list[str], order: str) -> tuple[list[date | None], int]:
    """The dates that strings are, and how many are days that there are not."""
    places = ORDERS[order]
    dates: list[date | None] = []
    for string in strings:
        reading = _read(string)
        if reading is None:
            raise ValueError("a string is no numeric date")
        _, (first, _, second, third), clock = reading
        year, month, number = first, second, third
        if len(first) < 4:
            year, month, number = ((first, second, third)[place] for place in places)
        day = _day(year, int(month), int(number))
        dates.append(day if day is None or clock is None else datetime.combine(day, clock))
    return dates, dates.count(None)


def _day(year: str, month: int, day: int) -> date | None:
    number = int(year)
    if len(year) <= 2:
        number += 1900 if number >= 69 else 2000
    if not 1000 <= number < 2200:
        return None
    try:
        return date(number, month, day)
    except ValueError:
        return None
