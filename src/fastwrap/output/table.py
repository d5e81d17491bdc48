"""Tables: the typed values of regions as fields and rows, for every format that has rows, and for people.
Regions of several pages become one table: columns of one name are one field."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from fastwrap.output.values import json_value, plain_text, with_unit
from fastwrap.types import STRINGS, remainders
from fastwrap.types.affixes import alike

if TYPE_CHECKING:
    from fastwrap.extraction import Column, Extraction, Record, Region


@dataclass(frozen=True, slots=True)
class Field:
    """One column of a table."""

    name: str
    type: str  # one of `fastwrap.types.TYPES`; of a list, the type of what is in it
    is_list: bool = False
    fields: tuple[Field, ...] = ()
    """Of a list whose entries have several values each: what these are. The entries are then dicts."""
    unit: str = ""
    """What all numbers of the column have: see `fastwrap.Column`."""
    beside: str = ""
    """The name of another column, if this one has the texts that the values there do not say all of."""
    role: str = dataclasses.field(default="", compare=False)
    """What the column is for a reader (title, price, ...), if that is known."""

    @property
    def is_number(self) -> bool:
        """Whether the values are numbers, one each: tables for people set them to the right."""
        return self.type in ("integer", "number", "money", "percent", "rating") and not self.is_list


@dataclass(frozen=True, slots=True)
class Table:
    """Fields, and rows with one value per field."""

    fields: tuple[Field, ...]
    rows: list[list[Any]]


def parts(source: Extraction | Region) -> tuple[Extraction | None, Region | None]:
    """The extraction, None if a region is given by itself; and the region whose records are meant, None if an
    extraction is not sure enough of it. TypeError for anything else."""
    # They are told by what they have, since a later room makes them.
    if has(source, "records", "columns", "score"):
        return None, cast("Region", source)
    if not has(source, "records", "regions", "next_page"):
        raise TypeError(f"an Extraction or a Region is what can be written, not {type(source).__name__}")
    extraction = cast("Extraction", source)
    return extraction, extraction.regions[0] if extraction.records else None


def has(source: object, *names: str) -> bool:
    """Whether something has all of these attributes; asked so, nothing is computed.

    >>> has("a", "upper", "lower"), has("a", "records")
    (True, False)
    """
    own = getattr(source, "__dict__", ())
    return all(name in own or hasattr(type(source), name) for name in names)


def main_table(source: Extraction | Region) -> Table:
    """The table of a region; of an extraction that of the main one, and an empty one if it is not sure enough."""
    _, region = parts(source)
    return Table((), []) if region is None else table_of(region)


def to_dicts(source: Extraction | Region, *, json: bool = False) -> list[dict[str, Any]]:
    """The records of a region, each as {name of the column: value}; of an extraction those of the main region, and none
    below the least confidence.

    Values are as in `Record.values`, None where one is absent; in a column that is a list of several columns, each
    entry of the list is a dict, too. With `json` they are as in `to_json`: money, dates and times as `json.dumps`
    takes them.

    >>> import fastwrap
    >>> page = "".join(f"<li><b>{wood}</b> <i>{len(wood)}.50 EUR</i></li>" for wood in "Ash Beech Cedar Oak".split())
    >>> found = fastwrap.extract(page)
    >>> [list(record.values()) for record in to_dicts(found)][1]
    ['Beech', Money(amount=Decimal('5.50'), currency='EUR')]
    >>> to_dicts(found, json=True)[1]["price"]
    {'amount': '5.50', 'currency': 'EUR'}
    """
    _, region = parts(source)
    if region is None:
        return []
    columns = region.columns
    names = [column.name for column in columns]
    lists = [(place, column) for place, column in enumerate(columns) if len(column.columns) > 1]
    rows = []
    for record in region.records:
        values = record.values
        if lists:
            values = list(values)
            for place, column in lists:
                values[place] = named_value(column, values[place])
        rows.append(dict(zip(names, values, strict=True)))
    return [json_value(row) for row in rows] if json else rows


def table_of(region: Region) -> Table:
    """The table of a region."""
    return table_with(region.columns, region.records)


def table_with(shown: Sequence[Column], records: Sequence[Record]) -> Table:
    """The table of records with these columns. Beside a column with texts that its values do not say all of (they do
    not read as its type, or have words that the others have not) stands one with these texts. A list with such texts
    has texts alone."""
    fields: list[Field] = []
    columns: list[list[Any]] = []
    values, texts = ([getattr(record, name) for record in records] for name in ("values", "texts"))
    taken = {column.name for column in shown}
    for place, column in enumerate(shown):
        cells, raw = [row[place] for row in values], [row[place] for row in texts]
        if column.columns:
            field, cells = list_of(column, cells, raw)
            fields.append(field)
            columns.append(cells)
            continue
        fields.append(Field(column.name, column.type, unit=column.unit, role=column.role))
        columns.append(cells)
        left = remainders(column.type, raw, cells)
        if any(left):
            name = unused_name(f"{column.name} text", taken)
            taken.add(name)
            fields.append(Field(name, "text", beside=column.name))
            columns.append(left)
    return Table(tuple(fields), rows_by(columns, len(values)))


def table_of_names(record: Record) -> Table:
    """The names of a record's columns and its values, one below the other, as people read them."""
    table = for_people(table_with(record.columns, [record]))
    rows = [[field.name, plain_text(value)] for field, value in zip(table.fields, table.rows[0], strict=True)]
    return Table((Field("name", "text"), Field("value", "text")), [row for row in rows if row[1]])


def list_of(column: Column, cells: list[Any], raw: list[Any]) -> tuple[Field, list[Any]]:
    """The field of a nested list, and its cells; entries with several values are dicts."""
    if len(column.columns) == 1:
        entries, written = ([entry for cell in part for entry in cell or ()] for part in (cells, raw))
        if any(remainders(column.type, written, entries)):
            return Field(column.name, "text", True, role=column.role), raw
        return Field(column.name, column.type, True, unit=column.unit, role=column.role), cells
    inner = []
    lists = [[] if cell is None else [list(entry) for entry in cell] for cell in cells]
    for place, each in enumerate(column.columns):
        entries = [entry[place] for rows in lists for entry in rows]
        written = [entry[place] for cell in raw for entry in cell or ()]
        if each.unit or any(remainders(each.type, written, entries)):
            for entry, text in zip((entry for rows in lists for entry in rows), written, strict=True):
                entry[place] = text
            inner.append(Field(each.name, "text"))
        else:
            inner.append(Field(each.name, each.type))
    names = [each.name for each in inner]
    dicts = [
        None if cell is None else [dict(zip(names, entry, strict=True)) for entry in rows]
        for cell, rows in zip(cells, lists, strict=True)
    ]
    return Field(column.name, "text", True, tuple(inner), role=column.role), dicts


def rows_by(columns: list[list[Any]], count: int) -> list[list[Any]]:
    """The rows of columns, which are so many."""
    return [list(row) for row in zip(*columns, strict=True)] if columns else [[] for _ in range(count)]


def for_people(table: Table) -> Table:
    """The table as people read it: numbers with their units, and in one column what stands beside it.

    >>> fields = Field("price", "money", unit="/ kg"), Field("price text", "text", beside="price")
    >>> table = for_people(Table(fields, [[5, None], ["ask", "ask"], [7, "from 7"]]))
    >>> [field.name for field in table.fields], table.rows
    (['price'], [['5 / kg'], ['ask'], ['from 7']])
    """
    places = {field.beside: place for place, field in enumerate(table.fields) if field.beside}
    shown = [(place, field, places.get(field.name)) for place, field in enumerate(table.fields) if not field.beside]
    if not places and not any(field.unit for field in table.fields):
        return table
    rows = []
    for row in table.rows:
        cells = []
        for place, field, beside in shown:
            value = row[place]
            if beside is not None and row[beside] is not None:
                value = row[beside]
            elif field.unit and value is not None and not isinstance(value, str):
                value = with_unit(value, field.unit)
            cells.append(value)
        rows.append(cells)
    return Table(tuple(replace(field, unit="") for _, field, _ in shown), rows)


def named_value(column: Column, value: Any) -> Any:
    """A value of a column; the entries of a list that has several columns as dicts."""
    if value is None or len(column.columns) < 2:
        return value
    names = [inner.name for inner in column.columns]
    return [dict(zip(names, entry, strict=True)) for entry in value]


def selected(table: Table, names: Mapping[str, str]) -> Table:
    """Some columns of a table, by their names, and what they shall be called; with texts that stand beside them.

    >>> fields = Field("title", "text"), Field("price", "money"), Field("price text", "text", beside="price")
    >>> few = selected(Table(fields, [["Pan", 5, None], ["Lid", None, "ask"]]), {"price": "cost"})
    >>> [field.name for field in few.fields], few.rows
    (['cost', 'cost text'], [[5, None], [None, 'ask']])
    """
    taken = set(names.values())
    fields: list[Field] = []
    places = []
    for place, field in enumerate(table.fields):
        if field.beside in names:
            name = unused_name(f"{names[field.beside]} text", taken)
            taken.add(name)
            fields.append(replace(field, name=name, beside=names[field.beside]))
        elif field.name in names and not field.beside:
            fields.append(replace(field, name=names[field.name]))
        else:
            continue
        places.append(place)
    return Table(tuple(fields), [[row[place] for place in places] for row in table.rows])


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

    A field that has different types or units in them is text.

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
            if fields.setdefault(field.name, field) != field:
                fields[field.name] = Field(field.name, "text", beside=field.beside)
    rows = []
    for table in tables:
        retyped = [field for field in table.fields if field != fields[field.name]]
        for row in table.rows:
            values = {field.name: value for field, value in zip(table.fields, row, strict=True)}
            for field in retyped:
                if (value := values[field.name]) is not None:
                    values[field.name] = with_unit(value, field.unit)
            rows.append([values.get(name) for name in fields])
    return beside_each_other(Table(tuple(fields.values()), rows))


def beside_each_other(table: Table) -> Table:
    """The table with every column of texts behind the one that it is beside."""
    first = {field.name: place for place, field in enumerate(table.fields)}
    order = sorted(range(len(first)), key=lambda place: (first.get(table.fields[place].beside, place), place))
    return Table(tuple(table.fields[place] for place in order), [[row[place] for place in order] for row in table.rows])


def in_columns(table: Table, money_apart: bool = True) -> Table:
    """The table with one simple value per cell: the currency of amounts (`money_apart`) and the unit of numbers are
    columns of their own, and texts that do not read as their column's type are only in the one beside it.

    >>> from decimal import Decimal
    >>> from fastwrap.types import Money
    >>> flat = in_columns(Table((Field("price", "money"),), [[Money(Decimal("12.50"), "EUR")], [None]]))
    >>> [field.name for field in flat.fields], flat.rows
    (['price', 'price currency'], [[Decimal('12.50'), 'EUR'], [None, None]])
    >>> flat = in_columns(Table((Field("mileage", "integer", unit="km"),), [[166000], [None]]))
    >>> [field.name for field in flat.fields], flat.rows
    (['mileage', 'mileage unit'], [[166000, 'km'], [None, None]])
    """
    taken = {field.name for field in table.fields}
    beside = {field.beside: place for place, field in enumerate(table.fields) if field.beside}
    fields: list[Field] = []
    columns: list[list[Any]] = []

    def add(field: Field, kind: str, values: list[Any]) -> None:
        if any(value is not None for value in values):
            name = unused_name(f"{field.name} {kind}", taken)
            taken.add(name)
            fields.append(Field(name, "text"))
            columns.append(values)

    for place, field in enumerate(table.fields):
        values = [row[place] for row in table.rows]
        if field.type not in STRINGS and not field.is_list:
            values = [None if isinstance(value, str) else value for value in values]
        fields.append(field)
        columns.append(values)
        if money_apart and field.type == "money" and not field.is_list:
            columns[-1] = [money and money.amount for money in values]
            add(field, "currency", [money and money.currency for money in values])
        if field.unit and not says(field.name, field.unit):
            others = [row[beside[field.name]] for row in table.rows] if field.name in beside else [None] * len(values)
            units = [
                field.unit if value is not None and other is None else None
                for value, other in zip(values, others, strict=True)
            ]
            add(field, "unit", units)
    return Table(tuple(fields), rows_by(columns, len(table.rows)))


def says(name: str, unit: str) -> bool:
    """Whether the name of a column says what its numbers count.

    >>> says("reviews", "review"), says("number of reviews", "reviews"), says("percent", "%"), says("price", "/ kg")
    (True, True, True, False)
    """
    words = name.lower().replace("_", " ").split()
    return all(any(alike(word, other) for other in words) for word in unit.lower().replace("%", "percent").split())
