"""What is linked, as plain columns and rows: of extractions, regions, joined tables, or pages that are extracted first.
Whoever compares records reads them here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

from fastwrap.columns.given import GivenTable
from fastwrap.columns.naming import Name, unique
from fastwrap.columns.table import Column
from fastwrap.common.lazy import lazy_property
from fastwrap.extraction import Extraction, Region, extract
from fastwrap.limits import union
from fastwrap.output.tabular import Tabular
from fastwrap.page import Page
from fastwrap.page.sources import HtmlSource

T = TypeVar("T")

TableSource: TypeAlias = Extraction | Region | Tabular[Any] | HtmlSource
"""What has records: an extraction, a region, what `join` and `match` give, or a page to be extracted."""


@dataclass(frozen=True)
class Cells:
    """A column with what records have in it."""

    column: Column
    values: Sequence[Any]
    texts: Sequence[Any]
    """The raw strings of the values."""

    def at(self, places: Iterable[int | None]) -> Cells:
        """The cells of these records; None where there is none."""
        places = list(places)
        return Cells(
            self.column,
            [None if place is None else self.values[place] for place in places],
            [None if place is None else self.texts[place] for place in places],
        )


MOST_COLUMNS = 120
"""Columns of a table that are compared with those of others."""


def fullest(columns: Sequence[Cells]) -> list[int]:
    """The places of the columns that are compared: all of them, or those that the most records have."""
    if len(columns) <= MOST_COLUMNS:
        return list(range(len(columns)))
    filled = [sum(value is not None for value in each.values) for each in columns]
    return sorted(sorted(range(len(columns)), key=lambda place: (-filled[place], place))[:MOST_COLUMNS])


def spread(of: Sequence[T], most: int) -> list[T]:
    """At most so many of a sequence, at equal distances.

    >>> spread(range(10), 4)
    [0, 2, 5, 7]
    """
    return [of[place * len(of) // most] for place in range(most)] if len(of) > most else list(of)


@dataclass(frozen=True)
class Side:
    """One table that is linked with others."""

    page: Page
    columns: Sequence[Column]
    values: Sequence[Sequence[Any]]
    """For each record one value per column."""
    texts: Sequence[Sequence[Any]]
    """The raw strings of the same."""
    links: Sequence[str | None]
    """The address of each record's own page."""
    limits: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.values)

    @lazy_property
    def cells(self) -> list[Cells]:
        """The same, column by column."""
        return [
            Cells(column, [row[place] for row in self.values], [row[place] for row in self.texts])
            for place, column in enumerate(self.columns)
        ]


def side_of(source: TableSource) -> Side:
    """The columns and rows of what was given; a page is extracted."""
    table: Any = source if isinstance(source, Tabular) else extract(source)
    records = list(table.records)
    return Side(
        table.page,
        list(table.columns) if records else [],
        [record.values for record in records],
        [record.texts for record in records],
        [record.link for record in records],
        union(table.limits),
    )


class LinkedTable(GivenTable):
    """A table whose columns, texts and values are all there already: they come from other tables."""

    def __init__(self, page: Page, columns: Sequence[Cells], links: list[str | None]) -> None:
        super().__init__(page, (), len(links))
        names = unique(Name(each.column.name, {}) for each in columns)
        # What is computed when it is asked for is found in here first.
        self.__dict__.update(
            nested_columns=[replace(each.column, name=name.name) for each, name in zip(columns, names, strict=True)],
            nested_texts=[[each.texts[row] for each in columns] for row in range(self.count)],
            nested_values=[[each.values[row] for each in columns] for row in range(self.count)],
            links=links,
        )

    def __repr__(self) -> str:
        return f"<LinkedTable of {self.count} records, {len(self.nested_columns)} columns>"
