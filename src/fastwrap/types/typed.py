"""Types the columns of a table: each is looked at and read, and those with two readings are read again.
What one column shows of how the page writes decides in others, too."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from fastwrap._core.types import strings as kernel
from fastwrap._core.types.strings import Strings
from fastwrap.page.addresses import base_of
from fastwrap.types.links import PAGE_ATTRIBUTES, PICTURE_ATTRIBUTES, read_links
from fastwrap.types.locales import Conventions, agreed, conventions_of
from fastwrap.types.reading import LOOK, Context, Reading, Value, look_at
from fastwrap.types.registry import ALL_ARE_ASKED, read_strings

# Attributes that are written for machines, besides those that begin with "data-": their decimal sign is a point.
_FOR_MACHINES = frozenset(("datetime", "content", "value"))


class TypedColumn(NamedTuple):
    """A column and its type."""

    type: str
    """One of TYPES."""
    values: list[Value | None]
    """One per string: the string itself where it does not read as the type; None where it is absent, empty or a mark
    that stands for nothing, such as "-", and for links that lead nowhere."""
    unit: str | None = None
    """What all numbers of the column have: "reviews", "km", "% off", "out of 5"; with words before the numbers an
    ellipsis stands for these, as in "from …"."""
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


def is_text(strings: list[str]) -> bool:
    """Whether strings are neither numbers nor dates nor anything else that has a type.

    >>> is_text(["a", "b"]), is_text(["12", "7"])
    (True, False)
    """
    column = look_at(strings)
    reading = read_strings(column, Context()) if column.families or ALL_ARE_ASKED else None
    return reading is None or reading.type == "text"


def type_columns(
    columns: Sequence[Sequence[str | None]],
    items: Sequence[str],
    url: str | None = None,
    language: str | None = None,
    base: str | None = None,
) -> list[TypedColumn]:
    """Find the types of all columns of a table: what one column shows of how the page writes decides in others, too.
    Links are resolved against `base`, or the page's address where that is not given.

    >>> [column.type for column in type_columns([["1/2/2003"], ["31/1/2003"]], ["text", "text"])]
    ['date', 'date']
    """
    page = _page(language, url)
    link_base = base_of(url if base is None else base)
    kinds = list(map(_kind, items))
    if link_base.address is not None and not link_base.parts[0]:
        # Only a path is known, which the first look does not go by.
        are_links = [kind in (kernel.PAGES, kernel.PICTURES) for kind in kinds]
        columns = [link_base.resolve(column) if are else column for column, are in zip(columns, are_links, strict=True)]
    typed, unread = LOOK.at_table(columns, kinds, link_base.parts, TypedColumn)
    if ALL_ARE_ASKED:
        texts = [place for place, column in enumerate(typed) if column is not None and column.type == "text"]
        unread += [(place, look_at(columns[place])) for place in texts]
    shown: list[Conventions] = []
    unsure: list[tuple[int, str, Strings, str]] = []
    for place, strings in unread:
        item = items[place]
        if strings is None:
            links = read_links(columns[place], item, link_base)
            if links is not None:
                typed[place] = TypedColumn(*links)
                continue
            strings = look_at(columns[place])
        reading = read_strings(strings, _context(item, page))
        typed[place] = _as_read(strings, reading)
        if reading is not None:
            shown.append(reading.shown)
            if reading.wanted:
                unsure.append((place, reading.wanted, strings, item))
    known = agreed(frozenset(shown), page) if unsure else page
    for place, wanted, strings, item in unsure:
        if getattr(known, wanted) != getattr(page, wanted):
            typed[place] = _as_read(strings, read_strings(strings, _context(item, known)))
    return typed


@lru_cache(64)
def _page(language: str | None, url: str | None) -> Conventions:
    """How a page writes."""
    return conventions_of(language, url)


@lru_cache(1024)
def _kind(item: str) -> int:
    """What the strings of an attribute, or of texts, are of."""
    if item in PICTURE_ATTRIBUTES:
        return kernel.SETS if item.endswith("srcset") else kernel.PICTURES
    if item in PAGE_ATTRIBUTES:
        return kernel.PAGES
    return kernel.PRICES if "price" in item else kernel.TEXTS


@lru_cache(1024)
def _context(item: str, page: Conventions) -> Context:
    """What is known of a column of an item, on a page that writes so."""
    for_machines = item in _FOR_MACHINES or item[:5] == "data-"
    return Context(Conventions(".", page.day_first, page.currency) if for_machines else page, item)


def _as_read(strings: Strings, reading: Reading | None) -> TypedColumn:
    """A column as it is read; of text if it is not."""
    if reading is None:
        return TypedColumn("text", [*strings.cleaned])
    name, values, why, unit, _, _ = reading
    return TypedColumn(name, [*strings.cleaned] if name == "text" else strings.spread(values), unit, why)
