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
from typing import Any, NamedTuple

from fastwrap import backend
from fastwrap.types.addresses import (
    PAGE_ATTRIBUTES,
    PICTURE_ATTRIBUTES,
    read_addresses,
    read_mail_addresses,
    read_phones,
    read_text_addresses,
)
from fastwrap.types.dates import read_dates, read_times
from fastwrap.types.locales import ANSWERS, NOTHING_KNOWN, Conventions, agreed, conventions_of
from fastwrap.types.marks import EMPTY_STARS, FULL_STARS, read_answers, read_ratings, read_stars
from fastwrap.types.numbers import read_numbers
from fastwrap.types.reading import LONGEST, MISS_OF_WORDS, MISSES, Money, Reading, Strings, Value

if backend.compiled():
    from fastwrap._core import strings as kernel
else:
    from fastwrap._plain import strings as kernel  # type: ignore[no-redef]

__all__ = ["TYPES", "Money", "TypedColumn", "Value", "is_text", "type_column", "type_columns"]

TYPES = tuple("text integer number money percent date time datetime url image email phone rating boolean".split())

# Say that nothing is known.
_UNKNOWN = frozenset(
    "- -- --- – — − / . .. ... … ? ?? * n/a N/A n.a. N.A. na NA N/I n/d N/D nd s/n k.A. null NULL none None NaN tba "
    "TBA TBD".split()
) | {""}
_STARS = FULL_STARS + EMPTY_STARS


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
    page = conventions_of(language, url)
    typed: list[TypedColumn] = []
    shown: list[Conventions] = []
    again = []
    for strings, item in zip(columns, items, strict=True):
        column, reading = _type(strings, item, url, page)
        typed.append(column)
        if reading is not None:
            shown.append(reading.shown)
            if reading.wanted:
                again.append((len(typed) - 1, reading.wanted))
    known = agreed(shown).completed(page) if again else page
    for place, wanted in again:
        if getattr(known, wanted) != getattr(page, wanted):
            typed[place], _ = _type(columns[place], items[place], url, known)
    return typed


def is_text(strings: list[str]) -> bool:
    """Whether strings are neither numbers nor dates nor anything else that has a type.

    >>> is_text(["a", "b"]), is_text(["12", "7"])
    (True, False)
    """
    _, filled, families = _glance(strings)
    if not families:
        return True
    reading = _read(Strings(filled), families, "text", NOTHING_KNOWN)
    return reading is None or reading.type == "text"


def _glance(strings: Sequence[str | None]) -> tuple[list[str | None], list[str], int]:
    given = strings if type(strings) is list else list(strings)
    return kernel.glance(given, LONGEST, _UNKNOWN, ANSWERS, _STARS, MISSES, MISS_OF_WORDS)


def _type(
    strings: Sequence[str | None], item: str, url: str | None, conventions: Conventions
) -> tuple[TypedColumn, Reading | None]:
    if item in PAGE_ATTRIBUTES or item in PICTURE_ATTRIBUTES:
        addresses = read_addresses(strings, item, url)
        if addresses is not None:
            return TypedColumn(*addresses), None
    cleaned, filled, families = _glance(strings)
    texts: list[Value | None] = cleaned  # type: ignore[assignment]  # nobody else has this list
    if not families:
        return TypedColumn("text", texts), None
    reading = _read(Strings(filled), families, item, conventions)
    if reading is None or reading.type == "text":
        return TypedColumn("text", texts, None, "" if reading is None else reading.why), reading
    values: Mapping[Any, Value] = reading.values
    return TypedColumn(reading.type, list(map(values.get, cleaned)), reading.unit, reading.why), reading


def _read(strings: Strings, families: int, item: str, conventions: Conventions) -> Reading | None:
    """What the first reader reads that can read the strings."""
    if families & kernel.DIGITS and (reading := _read_digits(strings, families, item, conventions)) is not None:
        return reading
    if families & kernel.ANSWERS and (reading := read_answers(strings)) is not None:
        return reading
    if families & kernel.ADDRESSES and (reading := read_text_addresses(strings)) is not None:
        return reading
    if families & kernel.MAIL and (reading := read_mail_addresses(strings)) is not None:
        return reading
    return read_stars(strings) if families & kernel.STARS else None


def _read_digits(strings: Strings, families: int, item: str, conventions: Conventions) -> Reading | None:
    if item == "datetime" or item == "content" or item == "value" or item[:5] == "data-":
        conventions = conventions._replace(decimal=".")  # written for machines
    pairs = families & kernel.PAIRS
    return (
        read_numbers(strings, conventions, "price" in item)
        or (read_dates(strings, conventions) if pairs else None)
        or (read_times(strings) if families & kernel.CLOCKS else None)
        or (read_ratings(strings) if pairs else None)
        or (read_phones(strings) if families & kernel.PHONES else None)
    )
