"""The one JSON shape of an extraction, in Python, on the command line and elsewhere.
Published as a JSON Schema in `fastwrap/schema/extraction.schema.json`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from fastwrap._core.output import json
from fastwrap.errors import FastwrapError
from fastwrap.output.table import parts
from fastwrap.types import Money

if TYPE_CHECKING:
    from fastwrap._core.common.page import NativePage
    from fastwrap.columns.table import Head
    from fastwrap.extraction import Cells, Column, Extraction, Record, Region
    from fastwrap.page.arrays import Int32Array


def to_json(source: Extraction | Region) -> str:
    """All regions as JSON, compact, in the shape of `fastwrap/schema/extraction.schema.json`; of a region its part.

    `{url, confidence, next_page, kind, record, regions: [{score, columns: [{name, type}], records: [{text, link,
    values, texts}]}]}`; `record` has the columns and the one record of a page about one thing, or is null.
    Values and texts are in the order of the columns. Money is {"amount": "12.50", "currency": "EUR"}, the amount a
    string so that it stays exact; dates and times are ISO 8601 strings. A column of numbers that all have a unit has
    `unit`. A column that is a nested list also has `columns`: its values are lists of values if it has one, else lists
    of rows.

    >>> import fastwrap, json
    >>> page = "".join(f"<li><b>{wood}</b> <i>{len(wood)}.50 EUR</i></li>" for wood in "Ash Beech Cedar Oak".split())
    >>> json.loads(to_json(fastwrap.extract(page)))["regions"][0]["records"][1]["values"]
    ['Beech', {'amount': '5.50', 'currency': 'EUR'}]
    """
    return encoded(source).decode("utf-8")


def encoded(source: Extraction | Region) -> bytes:
    """The same in UTF-8."""
    extraction, region = parts(source)
    if extraction is not None:
        return encode(document(extraction, extraction.regions))
    return encode(None if region is None else region_document(region))


def document(extraction: Extraction, regions: Iterable[Region], name: str | None = None) -> dict[str, Any]:
    """What the JSON says, with these of the regions; `name` tells several inputs of a command line apart."""
    return {
        **({} if name is None else {"source": name}),
        "url": extraction.url,
        "confidence": extraction.confidence,
        "next_page": extraction.next_page,
        "kind": extraction.kind,
        "record": None if extraction.record is None else record_document(extraction.record),
        "regions": [region_document(region) for region in regions],
    }


def record_document(record: Record) -> dict[str, Any]:
    """The one record of a page about one thing."""
    return rows_document(record.columns, record.cells)


def region_document(region: Region) -> dict[str, Any]:
    """One region."""
    # What is no region of a page (joined tables, for one) has columns alone.
    heads = region.heads if hasattr(type(region), "heads") else region.columns
    return {"score": region.score, **rows_document(heads, region.cells)}


def rows_document(columns: Sequence[Head | Column], cells: Cells) -> dict[str, Any]:
    """Columns, and the records that have them, which are written already: what msgspec copies as it is."""
    said = heads_written(columns) if isinstance(columns, tuple) else [column_document(each) for each in columns]
    return {"columns": said, "records": msgspec.Raw(written(*cells))}


@lru_cache(1024)
def heads_written(heads: tuple[Head, ...]) -> msgspec.Raw:
    """What is said of columns, written: those of a wrapper are the same on page after page."""
    return msgspec.Raw(encode([column_document(each) for each in heads]))


def written(
    values: list[Any],
    texts: list[Any],
    links: list[str | None],
    said: list[str] | tuple[NativePage, Int32Array],
    by_column: bool = False,
) -> bytes:
    """Records as JSON; see `Writer.records`."""
    try:
        return WRITER.records(values, texts, links, said, by_column)
    except UnicodeEncodeError as error:
        raise no_utf8(error) from None
    except RecursionError as error:
        raise FastwrapError(str(error)) from None


def column_document(column: Head | Column) -> dict[str, Any]:
    """One column; a list with its columns."""
    head: dict[str, Any] = {"name": column.name, "type": column.type}
    if column.role:
        head["role"] = column.role
    if column.unit:
        head["unit"] = column.unit
    if column.columns:
        head["columns"] = [column_document(inner) for inner in column.columns]
    return head


def encode(value: Any) -> bytes:
    """Compact JSON in UTF-8 of what `json_value` gives.

    >>> encode({"n": 10**30, "é": 0.1})
    b'{"n":1000000000000000000000000000000,"\\xc3\\xa9":0.1}'
    """
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError as error:
        raise no_utf8(error) from None


def no_utf8(error: UnicodeEncodeError) -> FastwrapError:
    """The error for text that has half of a surrogate pair."""
    return FastwrapError(f"cannot be written as UTF-8: {error}")


WRITER = json.Writer(Money, encode)
