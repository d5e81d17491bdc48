"""Times of day, and columns of them: "09:15", "9:30 am", "14.30 Uhr", "9h30".
What may be a length of time, as 3:45, is read only if something tells that it is none."""

from __future__ import annotations

import re
from datetime import UTC, time, timedelta, timezone, tzinfo
from functools import lru_cache

from fastwrap._core.types.strings import CLOCKS, Strings
from fastwrap.types.expressions import Expression
from fastwrap.types.reading import MISS_OF_WORDS, Context, Reader, Reading, read_as, read_each

_TIME = Expression(
    r"""
    [\sT,|@·–—(-]{0,4}
    (?:(?:at|às|as|ás|um|à|a\ las|alle|ore|om|ob|kl|klo|la|в|о)\b\.?\s?)?
    ([0-9]{1,2})
    (?:(:|\ ?[hH]\ ?|\.)([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?)?
    (?:\ ?([AaPp])\.?\ ?[Mm]\b\.?)?
    (\ ?(?:Uhr|uhr|hrs?|hs|h)\b\.?)?
    (?:\ ?(Z|(?:UTC|GMT)?[+−-][0-9]{2}:?[0-9]{2}|[A-Z]{3,4}\b))?
    [\s.,;|)\]–—-]{0,4}
    """,
    re.VERBOSE,
)
# Hours from UTC of the zones of RFC 822, and of Central Europe.
_ZONES = {
    "Z": 0, "UTC": 0, "GMT": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
    "CET": 1, "CEST": 2,
}  # fmt: skip
_EAST_ASIAN_TIME = Expression(r" ?([0-9]{1,2}) ?[時时点시] ?([0-9]{1,2}) ?[分분](?: ?([0-9]{1,2}) ?[秒초])?")
_TIME_START = Expression(r"[0-9]{1,2}[:hH.]|[0-9]{1,2} ?[AaPpUuhH]")


def _zone(name: str) -> tzinfo | None:
    hours = _ZONES.get(name)
    if hours is not None:
        return timezone(timedelta(hours=hours)) if hours else UTC
    name = name.removeprefix("UTC").removeprefix("GMT")
    if name[0] not in "+-−":
        return None
    digits = name[1:].replace(":", "")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    if offset >= timedelta(days=1):
        return None
    return timezone(offset if name[0] == "+" else -offset)


@lru_cache(4096)
def read_clock(text: str) -> tuple[time, bool] | None:
    """The time of day that a text is, and whether it has a zone.

    >>> read_clock("9:30 pm")
    (datetime.time(21, 30), False)
    """
    if not text.isascii() and (found := _EAST_ASIAN_TIME.fullmatch(text)) is not None:
        text = ":".join(part.zfill(2) for part in found.groups() if part is not None)
    found = _TIME.fullmatch(text)
    if found is None:
        return None
    hours, _, minutes, seconds, fraction, half, clock, zone_name = found.groups()
    if minutes is None and half is None and "uhr" not in (clock or "").lower():
        return None  # 12 h is a length of time
    hour = int(hours)
    if half is not None:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half in "pP" else 0)
    zone = None
    if zone_name is not None:
        zone = _zone(zone_name)
        if zone is None:
            return None
    microseconds = int(fraction[:6].ljust(6, "0")) if fraction else 0
    try:
        return time(hour, int(minutes or 0), int(seconds or 0), microseconds, zone), zone is not None
    except ValueError:
        return None


def read_times(strings: Strings, _: Context) -> Reading | None:
    """Read a column as times of day; 3:45 may also be minutes and seconds, so something must tell.

    >>> from fastwrap.types.reading import look_at
    >>> read_times(look_at(["09:15", "17:30"]), Context()).values
    [datetime.time(9, 15), datetime.time(17, 30)]
    """
    clocks = read_each(strings, _local_clock, MISS_OF_WORDS)[0]
    sure = fives = True
    late = False
    for string, clock in clocks.items():
        marked = string[-1].isalpha() or string[-1] == "." or "h" in string.lower()
        if not marked and string[2:3] == ".":
            return None  # 14.30 alone is a number
        sure = sure and (marked or (string[1].isdigit() and string[2:3] == ":"))
        late = late or marked or clock.hour >= 10
        fives = fives and clock.minute % 5 == 0
    if not clocks:
        return None
    # Lengths of songs and films are seldom written with two digits before the colon, and seldom end in 0 and 5.
    if not (sure and late) and not (fives and len(clocks) >= 3):
        return Reading("text", [], "times of day or lengths of time")
    return read_as("time", strings, clocks)


def _local_clock(string: str) -> time | None:
    """The time of day that a string is, if it has no zone."""
    clock = read_clock(string) if _TIME_START.match(string) else None
    return None if clock is None or clock[1] else clock[0]


READER = Reader(("time",), CLOCKS, read_times)
