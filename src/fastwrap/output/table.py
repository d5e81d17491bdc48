"""Tables: the typed values of regions as fields and rows, for every format that has rows.
Regions of several pages become one table: columns of one name are one field."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fastwrap.output.values import plain_text

if TYPE_CHECKING:
    from fastwrap import columns
    from fastwrap.extraction import Extraction, Region


@dataclass(frozen=True, slots=True)
class Field:
    """One column of a table."""

    name: str
    type: str  # one of `fastwrap.types.TYPES`; of a list, the type of what is in it
    is_list: bool = False
    fields: tuple[Field, ...] = ()
    """Of a list whose entries have several values each: what these are. The entries are then dicts."""

    @property
    def is_number(self) -> bool:
        """Whether the values are numbers, one each: tables for people set them to the right."""
        return self.type in ("integer", "number", "money", "percent", "rating") and not self.is_list


@dataclass(frozen=True, slots=True)
class Table:
    """Fields, and rows with one value per field."""

    fields: tuple[Field, ...]
    rows: list[list[Any]]


def expect_extraction(extraction: object) -> None:
    """Raise TypeError for anything else: by what it has, since it is made by a room after this one."""
    there = {*dir(type(extraction)), *getattr(extraction, "__dict__", ())}  # asked so, nothing is computed
    if not {"regions", "records", "next_page"} <= there:
        raise TypeError(f"an Extraction is what can be written, not {type(extraction).__name__}")


def main_table(extraction: Extraction) -> Table:
    """The table of the main region; empty where there is none, or its confidence is below `min_confidence`."""
    expect_extraction(extraction)
    return table_of(extraction.regions[0]) if extraction.records else Table((), [])


def to_dicts(extraction: Extraction) -> list[dict[str, Any]]:
    """The records of the main region, each as {name of the column: value}; none below the least confidence.

    Values are as in `Record.values`, None where one is absent; in a column that is a list of several columns, each
    entry of the list is a dict, too.

    >>> import fastwrap
    >>> page = "".join(f"<li><b>{wood}</b> <i>{len(wood)}.50 EUR</i></li>" for wood in "Ash Beech Cedar Oak".split())
    >>> [list(record.values()) for record in to_dicts(fastwrap.extract(page))][1]
    ['Beech', Money(amount=Decimal('5.50'), currency='EUR')]
    """
    expect_extraction(extraction)
    if not extraction.records:
        return []
    table = extraction.regions[0].table
    names = [table.names[main].name for main in table.layout.main_columns]
    return [dict(zip(names, row, strict=True)) for row in rows_of(table)]


def table_of(region: Region) -> Table:
    """The table of a region."""
    table, layout = region.table, region.table.layout
    single = [Field(name, typed.type) for (name, _), typed in zip(table.names, table.typed, strict=True)]
    fields = list(map(single.__getitem__, layout.main_columns))
    for place, group in enumerate(layout.groups):
        if len(group) > 1:
            fields[place] = Field(fields[place].name, "text", True, tuple(single[column] for column in group))
        elif group[0] in layout.list_columns:
            fields[place] = Field(fields[place].name, fields[place].type, True)
    return Table(tuple(fields), rows_of(table))


def rows_of(table: columns.Table) -> list[list[Any]]:
    """The values of records; the entries of a list that has several columns as dicts."""
    groups = [(place, group) for place, group in enumerate(table.layout.groups) if len(group) > 1]
    if not groups:
        return table.nested_values
    lists = [(place, [table.names[column].name for column in group]) for place, group in groups]
    rows = [list(row) for row in table.nested_values]
    for row in rows:
        for place, names in lists:
            if row[place] is not None:
                row[place] = [dict(zip(names, entry, strict=True)) for entry in row[place]]
    return rows


def with_column(table: Table, name: str, value: str | int) -> Table:
    """The table with one column more, in front, that has one value for all rows.

    >>> with_column(Table((Field("page", "text"),), [["1"]]), "page", "a.html").fields[0].name
    'page_2'
    """
    name = unused_name(name, {field.name for field in table.fields})
    field = Field(name, "integer" if isinstance(value, int) else "text")
    return Table((field, *table.fields), [[value, *row] for row in table.rows])


def unused_name(name: str, taken: Collection[str]) -> str:
    """The name, with a number if it is taken."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    return found


def joined(tables: Sequence[Table]) -> Table:
    """One table of several, with the fields of all in order of first appearance.

    A field that has different types in them is text.

    >>> one = Table((Field("title", "text"), Field("price", "integer")), [["a", 5]])
    >>> other = Table((Field("price", "text"), Field("stars", "rating")), [["ask", 4.5]])
    >>> both = joined([one, other])
    >>> [(field.name, field.type) for field in both.fields]
    [('title', 'text'), ('price', 'text'), ('stars', 'rating')]
    >>> both.rows
    [['a', '5', None], [None, 'ask', 4.5]]
    """
    fields: dict[str, Field] = {}
    for table in tables:
        for field in table.fields:
            known = fields.setdefault(field.name, field)
            if known != field:
                fields[field.name] = Field(field.name, "text")
    rows = []
    for table in tables:
        retyped = {field.name for field in table.fields if field != fields[field.name]}
        for row in table.rows:
            values = {field.name: value for field, value in zip(table.fields, row, strict=True)}
            values |= {name: plain_text(values[name]) for name in retyped if values[name] is not None}
            rows.append([values.get(name) for name in fields])
    return Table(tuple(fields.values()), rows)
