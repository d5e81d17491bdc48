"""Columns of records that the data of the page has, too: the page gives the form, the data the name and the type.
A column and a key belong together where the texts of nearly all records are what their objects say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple, Protocol

from fastwrap._core.structured.flattening import Member, flatten
from fastwrap.columns.data import PLAIN_NUMBER, names_of, place_of, written
from fastwrap.columns.roles import role_of_words
from fastwrap.columns.table import DIGITS, LEAST_DATED, LONGEST_DATED, Column, may_be_told, says_nothing
from fastwrap.structured import ObjectArray
from fastwrap.types import Money

AGREEMENT = 0.8
"""Of the records that have both, where the texts of a column are the values of a key."""
ISO_DURATION = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:\d+S)?)?")
HOURS = re.compile(r"(\d+)\s*(?:h\b|hr|hour|std|stunde|heure|hora|ora)", re.IGNORECASE)
MINUTES = re.compile(r"(\d+)\s*m(?:in|\b)", re.IGNORECASE)
ISO_DATE = re.compile(r"\d{4}-\d\d-(\d\d)(?:[T ]\d\d:\d\d.*)?")


class Shown(Protocol):
    """An array that a region shows: see `fastwrap.regions.data.Link`."""

    @property
    def array(self) -> ObjectArray:
        """The array."""

    @property
    def objects(self) -> list[int]:
        """For each record which object it shows."""


class Told(NamedTuple):
    """Columns as data tells of them."""

    columns: list[Column]
    values: dict[int, list[Any]]
    """By the place of a column whose type the data gives: the values of all records."""


def minutes_of(text: str) -> int | None:
    """How long a duration is, as ISO 8601 or people write it; None for what is none.

    >>> minutes_of("PT1H5M"), minutes_of("45 minutes"), minutes_of("1 hr 5 min"), minutes_of("Pan")
    (65, 45, 65, None)
    """
    if (iso := ISO_DURATION.fullmatch(text)) and len(text) > 2:
        days, hours, minutes = (int(part or 0) for part in iso.groups())
        return (days * 24 + hours) * 60 + minutes
    found_hours, found_minutes = HOURS.search(text), MINUTES.search(text)
    if found_hours is None and found_minutes is None:
        return None
    return 60 * int(found_hours[1] if found_hours else 0) + int(found_minutes[1] if found_minutes else 0)


def agree(text: str, value: Any, said: Any) -> bool:
    """Whether a text, or the value that is read in it, is what data says.

    >>> agree("Green tea", "Green tea", "green  tea"), agree("45 minutes", 45, "PT45M"), agree("2,50", 2.5, "2.50")
    (True, True, True)
    """
    wanted: str = written(said)
    if " ".join(text.split()).casefold() == " ".join(wanted.split()).casefold():
        return True
    amount = value.amount if isinstance(value, Money) else value
    if isinstance(amount, (int, float, Decimal)) and not isinstance(amount, bool) and PLAIN_NUMBER.fullmatch(wanted):
        return bool(Decimal(str(amount)) == Decimal(wanted))
    if isinstance(value, date):
        return wanted.startswith(value.isoformat()[:10])
    if (day := ISO_DATE.fullmatch(wanted)) is not None:
        return int(day[1]) in map(int, DIGITS.findall(text[:LONGEST_DATED]))
    length = minutes_of(wanted) if wanted[:1] == "P" else None
    return length is not None and minutes_of(text) == length


def told_by(
    columns: Sequence[Column], texts: Sequence[Sequence[Any]], values: Sequence[Sequence[Any]], shown: Sequence[Shown]
) -> Told:
    """Columns of records that show objects of data: called as the keys of which they have the values, where their own
    names say nothing, and dates where their texts do not say all of one."""
    found, dates = list(columns), {}
    for each in shown:
        objects = [each.array.objects[number] if number >= 0 else {} for number in each.objects]
        members = [member for member in flatten(objects) if not member.is_list]
        names = names_of([member.path for member in members])
        for place, column in enumerate(found):
            if not may_be_told(column):
                continue
            rows = [(row[place], cells[place]) for row, cells in zip(texts, values, strict=True)]
            for member, name in zip(members, names, strict=True):
                if not says(rows, member):
                    continue
                if says_nothing(column):
                    if name in {other.name for other in found}:
                        continue
                    why = {"data": place_of(each.array, member)}
                    column = replace(column, name=name, why=why, role=role_of_words(name))
                if column.type == "text" and (read := dates_of(member, rows)) is not None:
                    dates[place] = read
                    is_date = all(type(value) is not datetime for value in read)
                    column = replace(column, type="date" if is_date else "datetime")
                found[place] = column
                break
    return Told(found, dates)


def says(rows: Sequence[tuple[Any, Any]], member: Member) -> bool:
    """Whether the cells of a column are the values of a member: of nearly all records, not all the same, and equal
    texts for equal values."""
    both = [
        (text, value, said)
        for (text, value), said in zip(rows, member.values, strict=True)
        if isinstance(text, str) and said is not None
    ]
    if len(both) < LEAST_DATED or len({text for text, _, _ in both}) < 2:
        return False
    pairs = {(text, written(said)) for text, _, said in both}
    is_one_to_one = 5 * len({text for text, _ in pairs}) >= 4 * len(pairs)
    if not is_one_to_one:
        return False
    possible, least = len(both), AGREEMENT * len(both)
    for each in both:
        if not agree(*each):
            possible -= 1
            if possible < least:
                return False  # whatever the others say
    return True


def dates_of(member: Member, rows: Sequence[tuple[Any, Any]]) -> list[Any] | None:
    """The values of a member as dates, the text of the record where it has none; None if they are no dates, or of
    several kinds.

    >>> dates_of(Member(("day",), ["2024-05-03", None]), [("3 May", "3 May"), ("soon", "soon")])
    [datetime.date(2024, 5, 3), 'soon']
    """
    found: list[Any] = []
    for value, (_, shown) in zip(member.values, rows, strict=True):
        if value is None:
            found.append(shown)
            continue
        if not isinstance(value, str) or not ISO_DATE.fullmatch(value):
            return None
        try:
            found.append(datetime.fromisoformat(value) if len(value) > 10 else date.fromisoformat(value))
        except ValueError:
            return None
    # Days and moments, and moments with and without a time zone, do not go together.
    kinds = {(type(each), getattr(each, "tzinfo", None) is None) for each in found if not isinstance(each, str | None)}
    return found if len(kinds) == 1 else None
