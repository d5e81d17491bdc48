"""Twin of a part of `fastwrap._core.types.strings`: what a string may be by its numbers."""

from __future__ import annotations

import re

DIGITS, ADDRESSES, STARS, MAIL, YES_OR_NO, DATES, CLOCKS, PHONES, RATINGS = (1 << bit for bit in range(9))

_FEWEST_OF_PHONE = 7
_RUN = re.compile(r"[0-9]+")
_DATE = re.compile(r"([^0-9]{0,40})(?:[0-9]{1,2}|[0-9]{4})([^0-9]{1,24})(?:[0-9]{1,2}|[0-9]{4})(?![0-9])")
_THIRD = re.compile(r"(?:\. |[^0-9])[0-9]")
_WORD = re.compile(r"[A-Za-z\x80-\U0010ffff]{3}|[\x80-\U0010ffff]")
_LAST_WORD = re.compile(r"(?:[A-Za-z'\x80-\U0010ffff]{3}|[\x80-\U0010ffff][A-Za-z'\x80-\U0010ffff]*)[ ,\-./]*\Z")
_CLOCK = re.compile(r"[0-9]{1,2}(?:[:.]| ?[AaPpUuHh])")
_LINK = re.compile(r"[0-9][ /A-\U0010ffff]*[/A-\U0010ffff][ /A-\U0010ffff]*[0-9]")
_PHONE = re.compile(r"[^0-9]{0,16}[0-9][0-9 ().\-/+extnsioEXTNSIO\x80-\U0010ffff]*")


def may_be_date(string: str) -> bool:
    """Whether a string may have a date."""
    found = _DATE.match(string)
    if found is None:
        return False
    before, between = found.groups()
    if between in ("-", "/", ".", ". "):
        return _THIRD.match(string, found.end()) is not None
    return _WORD.search(between) is not None or _LAST_WORD.search(before) is not None


def may_be_clock(string: str) -> bool:
    """Whether a string may be a time of day."""
    return _CLOCK.match(string) is not None


def may_be_rating(string: str) -> bool:
    """Whether a string may be a rating."""
    runs = _RUN.findall(string)
    return len(runs) <= 4 and max(map(len, runs), default=0) <= 3 and _LINK.search(string) is not None


def may_be_phone(string: str) -> bool:
    """Whether a string may be a telephone number."""
    runs = _RUN.findall(string)
    enough = sum(map(len, runs)) >= _FEWEST_OF_PHONE and (len(runs) > 1 or "+" in string)
    return enough and _PHONE.fullmatch(string) is not None
