"""One table of the records of several pages: columns of one name are one column, typed by the values of all pages.
Pages are let go: of a record, its texts, its link and its own text are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from fastwrap.columns import Column, GivenColumn, GivenTable
from fastwrap.columns.given import flattened
from fastwrap.columns.wishes import Wanted
from fastwrap.common.lazy import lazy_property
from fastwrap.extraction import Extraction, GivenContents, Places, Region
from fastwrap.linking.addresses import plain_address
from fastwrap.page import Page

ADDRESSES = ("url", "image")
"""Types whose values are kept as they were read: they are relative to the address of their page."""

ALIKE = 0.5
"""Of two records with one link, the share of texts that must be the same: the link may be that of what both are in."""


class Row(NamedTuple):
    """A record, without its page."""

    columns: Sequence[Column]
    """Those of its page: the same object for all records of it."""
    texts: list[Any]
    values: list[Any]
    text: str
    link: str | None


def rows_of(extraction: Extraction) -> list[Row]:
    """The records of a page."""
    columns = extraction.columns
    return [Row(columns, each.texts, each.values, each.text, each.link) for each in extraction.records]


class Doubles:
    """The records that earlier pages had."""

    def __init__(self, keep: bool) -> None:
        self._keep = keep
        self._by_link: dict[str, frozenset[str]] = {}
        self._texts: set[str] = set()

    def forget(self) -> None:
        """Begin anew."""
        self._by_link.clear()
        self._texts.clear()

    def without(self, rows: Sequence[Row]) -> list[Row]:
        """The rows of a page that no earlier page had; two of one page are two."""
        keys = [None if row.link is None else plain_address(row.link) for row in rows]
        times = Counter(keys)
        alone = [key if times[key] == 1 else None for key in keys]
        said = [frozenset(text for text in flattened(row.texts) if text) for row in rows]
        new = []
        for row, key, words in zip(rows, alone, said, strict=True):
            if key is not None and key in self._by_link:
                known = self._by_link[key]
                is_double = len(known & words) >= ALIKE * min(len(known), len(words))
            else:
                is_double = row.text in self._texts
            if self._keep or not is_double:
                new.append(row)
        for row, key, words in zip(rows, alone, said, strict=True):
            if key is None:
                self._texts.add(row.text)
            else:
                self._by_link[key] = words
        return new


class JoinedTable(GivenTable):
    """The records of several pages in columns."""

    def __init__(self, page: Page, columns: Sequence[GivenColumn], rows: Sequence[Row]) -> None:
        super().__init__(page, columns, len(rows))
        self._of = rows

    @lazy_property
    def links(self) -> list[str | None]:
        """The address of each record's own page."""
        return [row.link for row in self._of]

    def text(self, record: int) -> str:
        """All text of a record."""
        return self._of[record].text


class FollowedRegion(Region):
    """The list of all pages. Where its records stand is not kept: `spans` are -1."""

    def __init__(self, page: Page, table: GivenTable, first: Extraction, wanted: Wanted | None) -> None:
        contents = GivenContents(table)
        if wanted is not None:
            names = [column.name for column in table.given]
            there = [names.index(wish.name) if wish.name in names else None for wish in wanted.wishes]
            contents.wanted, contents.served = wanted, Places(there, names)
        self.page = page
        self._contents = contents  # type: ignore[assignment]
        self.spans = contents.spans
        main = first.regions[0] if first.regions else None
        self.score = 0.0 if main is None else main.score
        self.why = {} if main is None else main.why
        self._limits = ()


def joined_table(page: Page, rows: Sequence[Row]) -> JoinedTable:
    """The table of all rows."""
    names: dict[str, list[Column]] = {}
    for columns in {id(row.columns): row.columns for row in rows}.values():
        for column in columns:
            names.setdefault(column.name, []).append(column)
    cells = {name: cells_of(name, rows) for name in names}
    return JoinedTable(page, [given(same, *cells[name]) for name, same in names.items()], rows)


def cells_of(name: str, rows: Iterable[Row]) -> tuple[list[Any], list[Any]]:
    """The texts and the values that rows have in a column; None where they lack it."""
    places: dict[int, int | None] = {}
    texts, values = [], []
    for row in rows:
        if id(row.columns) not in places:
            places[id(row.columns)] = next((k for k, column in enumerate(row.columns) if column.name == name), None)
        place = places[id(row.columns)]
        texts.append(None if place is None else row.texts[place])
        values.append(None if place is None else row.values[place])
    return texts, values


def given(same: Sequence[Column], texts: list[Any], values: list[Any]) -> GivenColumn:
    """A column of all pages, given what it is on each, and what the records have in it."""
    first = same[0]
    widths = {len(column.columns) for column in same}
    if widths == {0}:
        return plain_column(first, same, texts, values)
    if max(widths) > 1:
        inner = max(same, key=lambda column: len(column.columns)).columns
        parts = tuple(
            plain_column(
                each,
                [other for column in same for other in column.columns if other.name == each.name] or [each],
                [part_of(cell, place) for cell in texts],
                [part_of(cell, place) for cell in values],
            )
            for place, each in enumerate(inner)
        )
        return GivenColumn(first.name, role=first.role, why=first.why, path=first.path, columns=parts)
    listed = [[cell] if cell is not None and not isinstance(cell, list) else cell for cell in texts]
    valued = [[cell] if cell is not None and not isinstance(cell, list) else cell for cell in values]
    inner_columns = [column.columns[0] if column.columns else column for column in same]
    return plain_column(first, inner_columns, listed, valued)


def plain_column(first: Column, same: Sequence[Column], texts: list[Any], values: list[Any]) -> GivenColumn:
    """A column that is no list of rows: typed anew by all its texts, but for addresses."""
    about = {"why": first.why, "role": first.role, "path": first.path}
    if all(column.type in ADDRESSES for column in same):
        return GivenColumn(first.name, texts, type=same[0].type, values=values, **about)  # type: ignore[arg-type]
    return GivenColumn(first.name, texts, **about)  # type: ignore[arg-type]


def part_of(cell: Any, place: int) -> Any:
    """One column of a list of rows."""
    if cell is None:
        return None
    rows = cell if isinstance(cell, list) else [[cell]]
    return [row[place] if isinstance(row, list) and place < len(row) else None for row in rows]
