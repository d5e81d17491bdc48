"""The one JSON shape of an extraction, in Python, on the command line and elsewhere.
Published as a JSON Schema in `fastwrap/schema/extraction.schema.json`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from fastwrap._core.output import json
from fastwrap.columns.table import described
from fastwrap.errors import FastwrapError
from fastwrap.output.table import parts
from fastwrap.types import Money

if TYPE_CHECKING:
    from fastwrap._core.common.page import NativePage
    from fastwrap.extraction import Cells, Extraction, Record, Region
    from fastwrap.page.arrays import Int32Array


def to_json(source: Extraction | Region) -> str:
    """All regions as JSON, compact, in the shape of `fastwrap/schema/extraction.schema.json`; of a region its part.

    `{url, confidence, next_page, kind, record, regions: [{score, columns: [{name, type}], records: [{text, link,
    values, texts}]}]}`; `record` has the columns and the one record of a page about one thing; it is null where
    there is none, and where `kind` is "list".
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
    kind = extraction.kind
    # Of a page that has a list it is not looked for: that takes longer than all the rest.
    record = None if kind == "list" else extraction.record
    return {
        **({} if name is None else {"source": name}),
        "url": extraction.url,
        "confidence": extraction.confidence,
        "next_page": extraction.next_page,
        "kind": kind,
        "record": None if record is None else record_document(record),
        "regions": [region_document(region) for region in regions],
    }


def record_document(record: Record) -> dict[str, Any]:
    """The one record of a page about one thing."""
    return rows_document([described(column) for column in record.columns], record.cells)


def region_document(region: Region) -> dict[str, Any]:
    """One region."""
    return {"score": region.score, **rows_document(region.described, region.cells)}


def rows_document(columns: list[dict[str, Any]], cells: Cells) -> dict[str, Any]:
    """Columns, and the records that have them, which are written already: what msgspec copies as it is."""
    return {"columns": columns, "records": msgspec.Raw(written(*cells))}


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
