"""Types of columns: given the raw strings of a column, its type and its values as that type.
Decided by all strings together: one that has two readings is read like those that have one.

| type | value | read from |
|---|---|---|
| text | str, white space normalised | everything else |
| integer, number | int, float | `1,234`, `1.234,56`, `1 234`, `(12)`, `3.`; `12 reviews` if all have the same words |
| money | `Money(amount, currency)` | `R$ 1.234,56`, `$5`, `12,- €`, `from $5 each` |
| percent | float, 12.5 for 12.5% | `12,5 %`, `Save 31%` |
| date, time, datetime | of the module datetime | ISO 8601, `3/4/2003`, `3. März 2003`, `Jan 5, 2014 3:00 pm`, `9h30` |
| url, image | str, absolute if the page's address is known | href, src and their like; texts `http://...`, `www...` |
| email, phone | str, as written | `a@example.org`, `(205) 854-1688`, links `mailto:`, `tel:` |
| rating | float | `4.5 out of 5`, `4,5/5`, `★★★☆☆`, `4 stars` |
| boolean | bool | yes and no, ✓ and ✗, in stock and sold out, in the main languages |

A column has a type other than text if at least 90% of its filled strings read as that type. Strings that do not have no
value (None). Those without a digit in a column of numbers or dates, such as "Call us", and spans of prices, such as
"$5 - $9", count half. Strings that say that nothing is known ("-", "n/a") are as if absent.

What has two readings is not guessed. The first of these decides that can: the column (`25/12/2003`, `1.234,56`), the
other columns of the table, the language, the country of the page's address. If none can, the column is text, and says
why. Prices have no three decimals: `$1.234` is a thousand, unless the page is known to have decimal points.
Never numbers: digits with leading zeros, or all of one length from 8 on (codes, ISBN), numbers in names (`iPhone 5`),
spans (`10-20`), versions (`1.2.3`). Never dates: without a year, `3 days ago`. Never times: lengths of time, `3:45`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from fastwrap._core.types import strings as kernel
from fastwrap.types.addresses import (
    PAGE_ATTRIBUTES,
    PICTURE_ATTRIBUTES,
    Parts,
    base_of,
    read_contacts,
    read_mail_addresses,
    read_phones,
    read_text_addresses,
)
from fastwrap.types.dates import read_dates, read_times
from fastwrap.types.locales import ANSWERS, Conventions, agreed, conventions_of
from fastwrap.types.marks import EMPTY_STARS, FULL_STARS, read_answers, read_ratings, read_stars
from fastwrap.types.numbers import Plan, plan_numbers, read_affixes, read_numbers
from fastwrap.types.reading import LONGEST, MISS_OF_WORDS, MISSES, Money, Reading, Strings, Value

__all__ = ["TYPES", "Money", "TypedColumn", "Value", "is_text", "type_column", "type_columns"]

TYPES = tuple("text integer number money percent date time datetime url image email phone rating boolean".split())

# Say that nothing is known.
_UNKNOWN = frozenset(
    "- -- --- – — − / . .. ... … ? ?? * n/a N/A n.a. N.A. na NA N/I n/d N/D nd s/n k.A. null NULL none None NaN tba "
    "TBA TBD".split()
) | {""}
_LOOK = kernel.Look(
    LONGEST, _UNKNOWN, ANSWERS, FULL_STARS + EMPTY_STARS, MISSES, MISS_OF_WORDS, read_affixes, plan_numbers
)


_WITH_DIGITS = kernel.DIGITS | kernel.DATES | kernel.RATINGS | kernel.CLOCKS | kernel.PHONES
_FOR_MACHINES = frozenset(("datetime", "content", "value"))


class TypedColumn(NamedTuple):
    """A column and its type."""

    type: str
    """One of TYPES."""
    values: list[Value | None]
    """One a string; None where it is absent, empty or does not read as the type."""
    unit: str | None = None
    """What all numbers of the column have: words ("reviews", "km"), or the scale of a rating ("5")."""
    why: str = ""
    """What decided between readings, or why the column is only text."""


def type_column(
    strings: Sequence[str | None], item: str = "text", url: str | None = None, language: str | None = None
) -> TypedColumn:
    """Find the type of a column, and its values.

    `item` is "text", or the name of the attribute that the strings are of. `url` is the page's address: others are
    resolved against it. `language` is the page's BCP 47 tag, if it has one.

    >>> type_column(["1.299,00 €", None, "12,50 €"]).values
    [Money(amount=Decimal('1299.00'), currency='EUR'), None, Money(amount=Decimal('12.50'), currency='EUR')]
    >>> type_column(["1/2/2003", "2/2/2003"])
    TypedColumn(type='text', values=['1/2/2003', '2/2/2003'], unit=None, why='1/2/2003 may be day/month or month/day')
    >>> type_column(["1/2/2003", "2/2/2003"], language="en-US").values
    [datetime.date(2003, 1, 2), datetime.date(2003, 2, 2)]
    """
    return type_columns([strings], [item], url, language)[0]


def type_columns(
    columns: Sequence[Sequence[str | None]], items: Sequence[str], url: str | None = None, language: str | None = None
) -> list[TypedColumn]:
    """Find the types of all columns of a table: what one column shows of how the page writes decides in others, too.

    >>> [column.type for column in type_columns([["1/2/2003"], ["31/1/2003"]], ["text", "text"])]
    ['date', 'date']
    """
    page, for_machines, parts = _known_of(language, url)
    typed, unfinished = _LOOK.table(columns, _kinds(tuple(items)), *parts, page, for_machines, TypedColumn)
    shown: list[Conventions] = []
    again = []
    for place, families, cleaned, filled, split, plan in unfinished:
        if families == kernel.CONTACTS:
            typed[place] = TypedColumn(*read_contacts(cleaned))
            continue
        reading: Plan | Reading | None = plan
        if plan is None:
            reading = _read(Strings(filled, split), families, items[place], page)
            typed[place] = _typed(cleaned, reading)
        if reading is not None:
            shown.append(reading.shown)
            if reading.wanted:
                again.append((place, reading.wanted, Strings(filled, split), families, cleaned))
    for place, wanted, strings, families, cleaned in again:
        told = {getattr(conventions, wanted) for conventions in shown} - {None}
        if len(told) == 1 and told != {getattr(page, wanted)}:
            known = agreed(shown).completed(page)
            typed[place] = _typed(cleaned, _read(strings, families, items[place], known))
    return typed


def is_text(strings: list[str]) -> bool:
    """Whether strings are neither numbers nor dates nor anything else that has a type.

    >>> is_text(["a", "b"]), is_text(["12", "7"])
    (True, False)
    """
    return type_column(strings).type == "text"


@lru_cache(1024)
def _kind(item: str) -> int:
    """What the strings of an attribute, or of a text, are."""
    return (
        (kernel.PAGES if item in PAGE_ATTRIBUTES else 0)
        | (kernel.PICTURES if item in PICTURE_ATTRIBUTES else 0)
        | (kernel.SETS if item.endswith("srcset") else 0)
        | (kernel.PRICES if "price" in item else 0)
        | (kernel.MACHINES if item in _FOR_MACHINES or item[:5] == "data-" else 0)
    )


@lru_cache(64)
def _kinds(items: tuple[str, ...]) -> list[int]:
    return list(map(_kind, items))


@lru_cache(64)
def _known_of(language: str | None, url: str | None) -> tuple[Conventions, Conventions, Parts]:
    """How a page writes, how it writes for machines, and what its addresses are resolved with."""
    page = conventions_of(language, url)
    return page, Conventions(".", page.day_first, page.currency), base_of(url).parts


def _typed(cleaned: list[str | None], reading: Reading | None) -> TypedColumn:
    """A column as it is read; of text if it is not."""
    if reading is None:
        return TypedColumn("text", [*cleaned])
    if reading.type == "text":
        return TypedColumn("text", [*cleaned], None, reading.why)
    values: Mapping[Any, Value] = reading.values
    return TypedColumn(reading.type, list(map(values.get, cleaned)), reading.unit, reading.why)


def _read(strings: Strings, families: int, item: str, conventions: Conventions) -> Reading | None:
    """What the first reader reads that can read the strings."""
    if families & _WITH_DIGITS and (reading := _read_digits(strings, families, item, conventions)) is not None:
        return reading
    if families & kernel.ANSWERS and (reading := read_answers(strings)) is not None:
        return reading
    if families & kernel.ADDRESSES and (reading := read_text_addresses(strings)) is not None:
        return reading
    if families & kernel.MAIL and (reading := read_mail_addresses(strings)) is not None:
        return reading
    return read_stars(strings) if families & kernel.STARS else None


def _read_digits(strings: Strings, families: int, item: str, conventions: Conventions) -> Reading | None:
    if _kind(item) & kernel.MACHINES:
        conventions = Conventions(".", conventions.day_first, conventions.currency)
    return (
        (read_numbers(strings, conventions, "price" in item) if families & kernel.DIGITS else None)
        or (read_dates(strings, conventions) if families & kernel.DATES else None)
        or (read_times(strings) if families & kernel.CLOCKS else None)
        or (read_ratings(strings) if families & kernel.RATINGS else None)
        or (read_phones(strings) if families & kernel.PHONES else None)
    )
