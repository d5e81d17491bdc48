"""A table that is given column by column: the one record of a page about one thing, or the objects of a page's data.
It has what a `fastwrap.columns.Table` has for those who show it, but nothing in it is read by a template."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fastwrap.columns.layout import TEXT_ITEM
from fastwrap.columns.table import TEMPLATE_SHARE, Column
from fastwrap.common.lazy import lazy_property
from fastwrap.page import Page
from fastwrap.page.addresses import base_of
from fastwrap.types import TypedColumn, type_columns


@dataclass(frozen=True, slots=True)
class GivenColumn:
    """What a column is called, and what each record has in it."""

    name: str
    """No two columns of a table have the same."""
    texts: Sequence[Any] = ()
    """For each record a raw string, or a list of them (a nested list); None where it has none. Of a list that has
    several `columns` itself, nothing: those have the texts."""
    why: Mapping[str, str] = field(default_factory=dict)
    """What the name rests on: see `Column.why`."""
    role: str = ""
    """One of `fastwrap.columns.roles.ROLES`, if it is known."""
    path: str = ""
    """Where the texts stand: see `Column.path`."""
    kind: str = TEXT_ITEM
    """TEXT_ITEM, or the name of the attribute that the strings are of: by it they are read as links or pictures."""
    type: str = ""
    """The type of the values, if these are given."""
    values: Sequence[Any] | None = None
    """The values of the texts, where they are known already; None if they are to be read in the texts."""
    columns: tuple[GivenColumn, ...] = ()
    """Of a nested list with several columns: these. Each has for each record a list, and they are in step."""

    @property
    def is_list(self) -> bool:
        """Whether it is a nested list."""
        return bool(self.columns) or any(isinstance(cell, list) for cell in self.texts)


class GivenTable:
    """Columns that are given, with their types and values.

    >>> columns = [GivenColumn("title", ["Bread"]), GivenColumn("price", ["2,50 €"])]
    >>> table = GivenTable(Page(""), [*columns, GivenColumn("needs", [["flour", "salt"]])])
    >>> table.nested_texts, [column.type for column in table.nested_columns]
    ([['Bread', '2,50 €', ['flour', 'salt']]], ['text', 'money', 'text'])
    """

    def __init__(
        self,
        page: Page,
        columns: Sequence[GivenColumn],
        count: int = 1,
        limits: tuple[str, ...] = (),
        link: int | None = None,
    ) -> None:
        self.page = page
        self.given = columns
        self.count = count
        """How many records there are."""
        self.limits = limits
        """The budgets that were met while the columns were found."""
        self.link = link
        """Which column has the addresses of the records' own pages; None if none has."""

    def __repr__(self) -> str:
        return f"<GivenTable of {self.count} records, {len(self.given)} columns>"

    @lazy_property
    def simple(self) -> list[GivenColumn]:
        """The columns, those of nested lists one by one."""
        return [each for column in self.given for each in (column.columns or (column,))]

    @lazy_property
    def typed(self) -> list[TypedColumn]:
        """The type of each of them, and its values as that type; those of lists one after the other."""
        read = [column for column in self.simple if column.values is None]
        strings = [flattened(column.texts) for column in read]
        page = self.page
        found = iter(type_columns(strings, [column.kind for column in read], page.url, page.language, page.base))
        return [
            next(found) if column.values is None else TypedColumn(column.type or "text", flattened(column.values))
            for column in self.simple
        ]

    @lazy_property
    def nested_texts(self) -> list[list[Any]]:
        """For each record one raw string per column, None where absent; for a nested list a list of strings, or of rows
        if it has several columns."""
        return self._rows([column.texts for column in self.simple])

    @lazy_property
    def nested_values(self) -> list[list[Any]]:
        """The same as values of the columns' types; what does not read as the type stays a string."""
        return self._rows([in_step(column.texts, typed.values) for column, typed in self._pairs])

    @property
    def _pairs(self) -> list[tuple[GivenColumn, TypedColumn]]:
        return list(zip(self.simple, self.typed, strict=True))

    def _rows(self, simple: Sequence[Sequence[Any]]) -> list[list[Any]]:
        """The cells of columns, record by record; lists of several columns as lists of rows."""
        columns: list[Sequence[Any]] = []
        place = 0
        for column in self.given:
            width = len(column.columns) or 1
            part = simple[place : place + width]
            columns.append(list(map(zipped, zip(*part, strict=True))) if column.columns else part[0])
            place += width
        return [[column[record] for column in columns] for record in range(self.count)]

    @lazy_property
    def nested_columns(self) -> list[Column]:
        """What the columns are."""
        simple = iter([self._described(column, typed) for column, typed in self._pairs])
        shown = []
        for column in self.given:
            if column.columns:
                inner = tuple(next(simple) for _ in column.columns)
                shown.append(Column(column.name, "text", column.path, False, column.why, inner, column.role))
            else:
                shown.append(next(simple))
        return shown

    def _described(self, given: GivenColumn, typed: TypedColumn) -> Column:
        cells = Counter(cell for cell in given.texts if isinstance(cell, str))
        fixed = self.count > 1 and max(cells.values(), default=0) > TEMPLATE_SHARE * self.count
        column = Column(given.name, typed.type, given.path, fixed, given.why, (), given.role, typed.unit or "")
        if not given.is_list:
            return column
        return Column(given.name, typed.type, given.path, fixed, given.why, (column,), given.role, typed.unit or "")

    @lazy_property
    def links(self) -> list[str | None]:
        """The address of each record's own page, absolute where the base of the page is known."""
        if self.link is None:
            return [None] * self.count
        texts = self.given[self.link].texts
        return base_of(self.page.base).resolve([text if isinstance(text, str) else None for text in texts])

    def text(self, record: int) -> str:
        """All texts of a record, one after the other."""
        return " ".join(filter(None, flattened(self.nested_texts[record])))


def flattened(cells: Sequence[Any]) -> list[Any]:
    """The strings of cells, those of lists one by one; a cell without any is one None.

    >>> flattened(["a", None, ["b", "c"], [], [["d", "e"]]])
    ['a', None, 'b', 'c', 'd', 'e']
    """
    found: list[Any] = []
    for cell in cells:
        if isinstance(cell, list):
            found += flattened(cell)
        else:
            found.append(cell)
    return found


def in_step(cells: Sequence[Any], values: Sequence[Any]) -> list[Any]:
    """Values, which are one after the other, in the lists of the cells that they are of.

    >>> in_step(["1", None, ["2", "3"]], [1, None, 2, 3])
    [1, None, [2, 3]]
    """
    found: list[Any] = []
    place = 0
    for cell in cells:
        if isinstance(cell, list):
            found.append(list(values[place : place + len(cell)]))
            place += len(cell)
        else:
            found.append(values[place])
            place += 1
    return found


def zipped(cells: tuple[list[Any] | None, ...]) -> list[list[Any]] | None:
    """The rows of one nested list, whose columns are in step; None where the record has none of them."""
    if all(cell is None for cell in cells):
        return None
    return [list(row) for row in zip(*(cell or () for cell in cells), strict=True)]
