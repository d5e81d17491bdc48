"""Extractions as rows of Arrow tables whose schema is known before any page is read: for many pages at once.
One nested row per page; or, where columns are wanted, one flat row per record."""

from __future__ import annotations

import functools
import typing
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from fastwrap.columns.wishes import Want, alternatives, is_sequence, wanted_of
from fastwrap.errors import FastwrapError
from fastwrap.output.document import encode
from fastwrap.output.frames import require
from fastwrap.output.values import json_value, plain_text
from fastwrap.types import Money

if TYPE_CHECKING:
    import pyarrow

    from fastwrap.extraction import Column, Extraction, Record

DECIMALS = 9
"""Digits behind the point of amounts and decimal numbers, of 38."""

ARROW: Mapping[Any, str] = {
    str: "string", int: "int64", float: "float64", bool: "bool", date: "date32", datetime: "timestamp[us]",
    time: "time64[us]",
}  # fmt: skip
"""What Arrow calls the types that can be wanted; the others are string, or need a closer look."""

RESERVED = ("page", "page_url", "error")
"""Columns that stand beside those that are wanted."""


@functools.cache
def page_schema() -> pyarrow.Schema:
    """The schema of one row per page.

    `values` are texts, in the order of `columns`, whose types say how to read them: numbers and dates as in JSON, money
    as "12.50 EUR", lists as JSON.

    >>> page_schema().names
    ['url', 'kind', 'confidence', 'next_page', 'columns', 'records', 'error']
    """
    arrow = require("pyarrow", "arrow")
    text = arrow.string()
    column = arrow.struct([("name", text), ("type", text), ("role", text), ("unit", text)])
    record = arrow.struct([("link", text), ("values", arrow.list_(text))])
    return arrow.schema(
        [
            ("url", text), ("kind", text), ("confidence", arrow.float64()), ("next_page", text),
            ("columns", arrow.list_(column)), ("records", arrow.list_(record)), ("error", text),
        ]
    )  # fmt: skip


class PageRows:
    """Gathers extractions as one nested row each."""

    def __init__(self) -> None:
        self._urls: list[str | None] = []
        self._kinds: list[str | None] = []
        self._confidences: list[float | None] = []
        self._next_pages: list[str | None] = []
        self._errors: list[str | None] = []
        self._columns: tuple[list[str], list[str], list[str | None], list[str | None]] = ([], [], [], [])
        self._columns_until = [0]
        self._links: list[str | None] = []
        self._values: list[str | None] = []
        self._values_until = [0]
        self._records_until = [0]

    def __len__(self) -> int:
        return len(self._urls)

    def add(self, extraction: Extraction, url: str | None = None) -> int:
        """Add a page: the records of its main list, or the one record that it is about. Returns how many.

        Everything is computed before anything is kept, so that a page that fails leaves nothing behind.
        """
        kind = extraction.kind
        columns, records = found_on(extraction, kind)
        rows = [values_as_text(record, columns) for record in records]
        links = [record.link for record in records]
        confidence, next_page = extraction.confidence, extraction.next_page
        self._urls.append(url if url is not None else extraction.url)
        self._kinds.append(kind)
        self._confidences.append(confidence)
        self._next_pages.append(next_page)
        self._errors.append(None)
        names, types, roles, units = self._columns
        names += [column.name for column in columns]
        types += ["list" if column.columns else column.type for column in columns]
        roles += [column.role or None for column in columns]
        units += [column.unit or None for column in columns]
        self._columns_until.append(len(names))
        for row in rows:
            self._values += row
            self._values_until.append(len(self._values))
        self._links += links
        self._records_until.append(len(self._links))
        return len(rows)

    def fail(self, url: str | None, error: str) -> None:
        """Add a page that could not be read."""
        self._urls.append(url)
        for column in (self._kinds, self._confidences, self._next_pages):
            column.append(None)
        self._errors.append(error)
        self._columns_until.append(self._columns_until[-1])
        self._records_until.append(self._records_until[-1])

    def batch(self) -> pyarrow.RecordBatch:
        """All rows so far."""
        arrow = require("pyarrow", "arrow")
        schema = page_schema()
        column_type, record_type = (schema.field(name).type.value_type for name in ("columns", "records"))
        columns = struct_of([text_array(part) for part in self._columns], column_type)
        values = list_of(self._values_until, text_array(self._values))
        records = struct_of([text_array(self._links), values], record_type)
        arrays = [
            text_array(self._urls), text_array(self._kinds), arrow.array(self._confidences, arrow.float64()),
            text_array(self._next_pages), list_of(self._columns_until, columns),
            list_of(self._records_until, records), text_array(self._errors),
        ]  # fmt: skip
        return arrow.RecordBatch.from_arrays(arrays, schema=schema)


def found_on(extraction: Extraction, kind: str) -> tuple[Sequence[Column], Sequence[Record]]:
    """The columns and the records of a page: those of its list, or the one that it is about."""
    if kind == "detail" and extraction.record is not None:
        return extraction.record.columns, [extraction.record]
    return (extraction.columns, extraction.records) if kind == "list" else ((), ())


def values_as_text(record: Record, columns: Sequence[Column]) -> list[str | None]:
    """The values of a record as texts."""
    return [
        value if value is None or type(value) is str else text_of_value(column, value)
        for column, value in zip(columns, record.values, strict=True)
    ]


def text_of_value(column: Column, value: Any) -> str:
    """A value as text: as people read it, lists as JSON."""
    if column.columns:
        if len(column.columns) > 1:
            names = [inner.name for inner in column.columns]
            value = [dict(zip(names, entry, strict=True)) for entry in value]
        return encode(json_value(value)).decode("utf-8")
    return plain_text(value)


def text_array(texts: Sequence[str | None]) -> pyarrow.Array:
    """An Arrow array of texts; what is no Unicode in them, as half of a surrogate pair, becomes a question mark."""
    arrow = require("pyarrow", "arrow")
    try:
        return arrow.array(texts, arrow.string())
    except UnicodeEncodeError:
        return arrow.array([text and text.encode("utf-8", "replace").decode("utf-8") for text in texts], arrow.string())


def list_of(until: Sequence[int], entries: pyarrow.Array) -> pyarrow.Array:
    """An Arrow array of lists, of which each one ends where the next begins."""
    arrow = require("pyarrow", "arrow")
    return arrow.ListArray.from_arrays(arrow.array(until, arrow.int32()), entries)


def struct_of(parts: Sequence[pyarrow.Array], type: pyarrow.DataType) -> pyarrow.Array:
    """An Arrow array of structs."""
    arrow = require("pyarrow", "arrow")
    return arrow.StructArray.from_arrays(parts, fields=[type.field(place) for place in range(type.num_fields)])


# What is wanted


class WantedRows:
    """Gathers the wanted columns of extractions, one flat row per record."""

    def __init__(self, want: Want) -> None:
        self.wanted = {wish.name: wish.annotation for wish in wanted_of(want).wishes}
        """Names and types: rows are dicts, whatever class they were named by."""
        self.schema = wanted_schema(want)
        self._pages: list[int] = []
        self._urls: list[str | None] = []
        self._columns: dict[str, list[Any]] = {name: [] for name in self.wanted}
        self._errors: list[str | None] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, extraction: Extraction, url: str | None = None) -> int:
        """Add a page, extracted with `want=self.wanted`. Returns the number of its records."""
        rows = [[row.get(name) for name in self.wanted] for row in extraction.rows]
        types = [self.schema.field(name).type for name in self.wanted]
        rows = [[held(value, type) for value, type in zip(row, types, strict=True)] for row in rows]
        for row in rows:
            self._row(url if url is not None else extraction.url, row)
        self._count += 1
        return len(rows)

    def fail(self, url: str | None, error: str) -> None:
        """Add a row that says why a page could not be read."""
        self._row(url, [None] * len(self.wanted), error)
        self._count += 1

    def _row(self, url: str | None, values: Sequence[Any], error: str | None = None) -> None:
        self._pages.append(self._count)
        self._urls.append(url)
        for column, value in zip(self._columns.values(), values, strict=True):
            column.append(value)
        self._errors.append(error)

    def batch(self) -> pyarrow.RecordBatch:
        """All rows so far."""
        arrow = require("pyarrow", "arrow")
        arrays = [arrow.array(self._pages, arrow.int64()), text_array(self._urls)]
        for name, values in self._columns.items():
            type = self.schema.field(name).type
            arrays.append(text_array(values) if type == arrow.string() else arrow.array(values, type))
        return arrow.RecordBatch.from_arrays([*arrays, text_array(self._errors)], schema=self.schema)


def wanted_schema(want: Want) -> pyarrow.Schema:
    """The schema of one row per record: the number and the address of its page, what is wanted, and `error`.

    >>> [f"{field.name}: {field.type}" for field in wanted_schema({"title": str, "stars": float})]
    ['page: int64', 'page_url: string', 'title: string', 'stars: double', 'error: string']
    """
    arrow = require("pyarrow", "arrow")
    wishes = [(wish.name, arrow_type(wish.annotation)) for wish in wanted_of(want).wishes]
    if taken := [name for name, _ in wishes if name in RESERVED]:
        raise FastwrapError(f"want has {taken[0]!r}, which is the name of a column beside those that are wanted")
    return arrow.schema([("page", arrow.int64()), ("page_url", arrow.string()), *wishes, ("error", arrow.string())])


def arrow_type(annotation: Any) -> pyarrow.DataType:
    """The Arrow type of a type that can be wanted.

    >>> str(arrow_type(list[int] | None)), str(arrow_type(Money))
    ('list<item: int64>', 'struct<amount: decimal128(38, 9), currency: string>')
    """
    arrow = require("pyarrow", "arrow")
    plain = [each for each in alternatives(annotation) if each is not type(None)]
    if len(plain) != 1:
        return arrow.string()
    (only,) = plain
    if is_sequence(typing.get_origin(only) or only):
        inner = [each for each in typing.get_args(only) if each is not ...]
        return arrow.list_(arrow_type(inner[0] if len(inner) == 1 else str))
    if only is Decimal:
        return arrow.decimal128(38, DECIMALS)
    if only is Money:
        return arrow.struct([("amount", arrow.decimal128(38, DECIMALS)), ("currency", arrow.string())])
    return arrow.type_for_alias(ARROW.get(only, "string"))


def held(value: Any, type: pyarrow.DataType) -> Any:
    """A value as an Arrow array of a type takes it; None if it cannot hold the value."""
    arrow = require("pyarrow", "arrow")
    if value is None:
        return None
    if arrow.types.is_string(type):
        if isinstance(value, str):
            return value
        return encode(json_value(value)).decode("utf-8") if isinstance(value, list | dict) else plain_text(value)
    if arrow.types.is_list(type):
        return [held(each, type.value_type) for each in value] if isinstance(value, list | tuple | set) else None
    if isinstance(value, Money):
        amount = held(value.amount, arrow.decimal128(38, DECIMALS))
        return None if amount is None else {"amount": amount, "currency": value.currency}
    if isinstance(value, datetime) and value.tzinfo is not None:
        value = value.astimezone(UTC).replace(tzinfo=None)
    try:
        arrow.scalar(value, type)
    except (arrow.ArrowException, OverflowError, ValueError, TypeError):
        return None
    return value
