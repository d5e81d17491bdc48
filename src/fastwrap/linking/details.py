"""Detail pages as `join` needs them: their addresses, what stands at their heads, and the record of the one thing.
Each is read once; nothing is compared here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np

from fastwrap.columns.given import GivenColumn, GivenTable
from fastwrap.columns.table import Column
from fastwrap.common.arguments import expect
from fastwrap.errors import FastwrapError
from fastwrap.extraction import Extraction, extract
from fastwrap.linking.addresses import addresses_of
from fastwrap.linking.sides import Cells
from fastwrap.page import Page
from fastwrap.page.names import TAG_NUMBER, TEXT
from fastwrap.page.sources import HtmlSource, page_of, pages_of
from fastwrap.wrapper import Wrapper

DetailSource: TypeAlias = Extraction | HtmlSource
DetailPages: TypeAlias = Mapping[str, DetailSource] | Iterable[DetailSource] | DetailSource

LONGEST_HEAD = 300
"""Characters of a heading or a title that are looked at."""

LONGEST_TEXT = 200
"""Characters of a text that may be a value of the listing."""


MOST_CELLS = 2_000_000
"""Cells of the columns of all pages; columns that the fewest pages have are left out."""


@dataclass(frozen=True)
class DetailPage:
    """What a page about one thing says. The page itself is not kept: there may be very many."""

    addresses: Sequence[str]
    """See `addresses_of`."""
    heads: Sequence[str]
    """Its headings of the first level, its title, and the title that it gives to be shared by."""
    columns: Sequence[Column] = ()
    """Of the one record; none if the page is about nothing."""
    values: Sequence[Any] = ()
    texts: Sequence[Any] = ()
    limits: tuple[str, ...] = ()


def read_pages(given: DetailPages, wrapper: Wrapper | None) -> Iterator[tuple[Page, DetailPage]]:
    """The pages one by one, each read by the wrapper, or by `fastwrap.extract` if there is none."""
    for number, (source, url) in enumerate(sources_of(given)):
        yield detail_page(source, url, wrapper, number)


def sources_of(given: DetailPages) -> Iterator[tuple[DetailSource, str | None]]:
    """What was given one by one, with the addresses of a mapping."""
    if isinstance(given, Mapping):
        for url, source in given.items():
            expect(url, str, "the keys of detail_pages are addresses")
            yield source, url
    else:
        # What makes its pages one by one is not asked for the next before this one is read.
        is_stream = isinstance(given, Generator | map | filter)
        sources: Iterable[DetailSource] = cast(Iterable[DetailSource], given) if is_stream else pages_of(given)
        yield from ((source, None) for source in sources)


def detail_page(source: DetailSource, url: str | None, wrapper: Wrapper | None, number: int) -> tuple[Page, DetailPage]:
    """One of the pages; its number is told if it cannot be read."""
    try:
        if isinstance(source, Extraction):
            found, page = source, source.page if url is None else page_of(source.page, url)
        else:
            page = page_of(source, url)
            found = extract(page) if wrapper is None else wrapper.extract(page)
    except FastwrapError as error:
        raise FastwrapError(f"detail page {number}: {error}") from None
    record = found.record
    addresses, heads = addresses_of(page), heads_of(page)
    if record is None:
        return page, DetailPage(addresses, heads, limits=found.limits)
    return page, DetailPage(addresses, heads, record.columns, record.values, record.texts, found.limits)


def heads_of(page: Page) -> list[str]:
    """What a page is headed by.

    >>> heads_of(Page("<title>Pan | Shop</title><meta property=og:title content=Pan><h1>The <b>Pan</b></h1>"))
    ['Pan | Shop', 'Pan', 'The Pan']
    """
    found = []
    wanted = [TAG_NUMBER[name] for name in ("title", "meta", "h1")]
    for node in np.flatnonzero(np.isin(page.tag, wanted)).tolist():
        if page.tag[node] == TAG_NUMBER["meta"]:
            attributes = page.attributes(node)
            is_title = (attributes.get("property") or attributes.get("name", "")).lower() == "og:title"
            text = attributes.get("content", "") if is_title else ""
        else:
            text = page.text(node)
        if text.strip():
            found.append(text.strip()[:LONGEST_HEAD])
    return list(dict.fromkeys(found))


def united(pages: Sequence[DetailPage], first: Page) -> tuple[list[Cells], tuple[str, ...]]:
    """The records of the pages as the columns of one table, with the limits that were met. Columns of one name are one;
    where it has no type, or not the same on all pages, its texts are typed again, all together, as on the first."""
    places: dict[str, dict[int, int]] = {}
    for number, page in enumerate(pages):
        for place, column in enumerate(page.columns):
            places.setdefault(column.name, {})[number] = place
    limits: tuple[str, ...] = ()
    if len(places) * len(pages) > MOST_CELLS:
        limits = ("linking.width",)
        most = sorted(places, key=lambda name: -len(places[name]))[: MOST_CELLS // len(pages)]
        places = {name: places[name] for name in places if name in set(most)}
    return [united_column(pages, found, first) for found in places.values()], limits


def united_column(pages: Sequence[DetailPage], places: Mapping[int, int], first_page: Page) -> Cells:
    """One column of several pages, which is there at these places."""
    values: list[Any] = [None] * len(pages)
    texts: list[Any] = [None] * len(pages)
    columns = {number: pages[number].columns[place] for number, place in places.items()}
    first = next(iter(columns.values()))
    for number, place in places.items():
        values[number], texts[number] = pages[number].values[place], pages[number].texts[place]
    shapes = {len(column.columns) for column in columns.values()}
    if shapes in ({0}, {1}, {0, 1}):
        if 1 in shapes:
            values, texts = ([cell if cell is None else as_list(cell) for cell in part] for part in (values, texts))
            first = next(column for column in columns.values() if column.columns)
        kinds = {(column.type, column.unit) for column in columns.values()}
        # Texts that nobody has read may be numbers with a word that all pages have.
        if len(kinds) > 1 or (kinds == {("text", "")} and values == texts):
            return retyped(first, texts, first_page)
        return Cells(first, values, texts)
    # Lists of several columns, which are not the same on all pages: those of the most pages are kept.
    inner = Counter(tuple(each.name for each in column.columns) for column in columns.values()).most_common(1)[0][0]
    for number, column in columns.items():
        if tuple(each.name for each in column.columns) != inner:
            values[number] = texts[number] = None
        else:
            first = column
    return Cells(first, values, texts)


def as_list(cell: Any) -> list[Any]:
    """A list as it is, a value as a list of one."""
    return cell if isinstance(cell, list) else [cell]


def retyped(column: Column, texts: list[Any], page: Page) -> Cells:
    """A column with its type found by all texts together."""
    given = GivenTable(page, [GivenColumn(column.name, texts, column.why, column.role, column.path)], len(texts))
    return Cells(given.nested_columns[0], [row[0] for row in given.nested_values], texts)


def short_texts(page: Page) -> Iterator[str]:
    """The texts of a page that may be values: the short ones, each once."""
    seen = set()
    starts, buffer = page.text_start.tolist(), page.arrays.text
    for node in np.flatnonzero(page.tag == TEXT).tolist():
        raw = buffer[starts[node] : starts[node + 1] - 1]
        if len(raw) <= LONGEST_TEXT and raw not in seen:
            seen.add(raw)
            yield raw.decode("utf-8", "replace")
