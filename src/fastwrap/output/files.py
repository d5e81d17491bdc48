"""Files: an extraction or a region written to a file or a stream, in the format of its suffix.
The whole file is made before anything is written, and beside the old one, so that a failure leaves that as it was."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from fastwrap.common.arguments import expect
from fastwrap.common.files import write_beside
from fastwrap.errors import FastwrapError
from fastwrap.output import flat
from fastwrap.output.document import encode, encoded
from fastwrap.output.frames import arrow_table, require
from fastwrap.output.markup import to_html, to_markdown
from fastwrap.output.sheet import to_xlsx
from fastwrap.output.table import Table, in_columns, main_table, parts
from fastwrap.output.values import json_value

if TYPE_CHECKING:
    from fastwrap.extraction import Extraction, Region


def to_json_lines(table: Table) -> bytes:
    """A table as JSON Lines: one record per line, {name of the column: value}, values as in `to_json`; units, and texts
    that do not read as their column's type, under names of their own.

    >>> from fastwrap.output.table import Field
    >>> to_json_lines(Table((Field("title", "text"), Field("n", "integer")), [["a", 5], ["b", None]]))
    b'{"title":"a","n":5}\\n{"title":"b","n":null}\\n'
    """
    table = in_columns(table, money_apart=False)
    names = [field.name for field in table.fields]
    return b"".join(encode(dict(zip(names, map(json_value, row), strict=True))) + b"\n" for row in table.rows)


def to_parquet(table: Table) -> bytes:
    """A table as Parquet."""
    data = arrow_table(table)
    stream = io.BytesIO()
    require("pyarrow.parquet", "arrow").write_table(data, stream)
    return stream.getvalue()


def to_arrow_file(table: Table) -> bytes:
    """A table as an Arrow IPC file (Feather, version 2)."""
    data = arrow_table(table)
    stream = io.BytesIO()
    with require("pyarrow", "arrow").ipc.new_file(stream, data.schema) as writer:
        writer.write_table(data)
    return stream.getvalue()


TABLE_FORMATS: dict[str, Callable[[Table], bytes]] = {
    "jsonl": to_json_lines,
    "csv": flat.to_csv,
    "tsv": flat.to_tsv,
    "parquet": to_parquet,
    "arrow": to_arrow_file,
    "xlsx": to_xlsx,
    "md": to_markdown,
    "html": to_html,
}
"""The formats that have rows."""

FORMATS = ("json", *TABLE_FORMATS)
"""All formats; a file's suffix is the format's name."""


def to_csv(source: Extraction | Region) -> str:
    """The records of a region, or those of the main region of an extraction, as CSV with a line of names.

    >>> import fastwrap
    >>> page = "".join(f"<li><b>{wood}</b> <i>{len(wood)} cm</i></li>" for wood in "Ash Beech Cedar Oak".split())
    >>> to_csv(fastwrap.extract(page)).splitlines()[1].split(",")[0]
    'Ash'
    """
    return flat.to_csv(main_table(source)).decode("utf-8")


def format_of(path: str | Path) -> str:
    """The format that a file's suffix names.

    >>> format_of("records.CSV")
    'csv'
    >>> format_of("records.doc")
    Traceback (most recent call last):
        ...
    fastwrap.errors.FastwrapError: records.doc: no format has the suffix .doc: choose one of json, jsonl, csv, tsv, \
parquet, arrow, xlsx, md, html
    """
    suffix = Path(path).suffix
    name = suffix.lower().removeprefix(".")
    if name not in FORMATS:
        what = f"no format has the suffix {suffix}" if name else "the name has no suffix that says the format"
        raise FastwrapError(f"{path}: {what}: choose one of {', '.join(FORMATS)}")
    return name


def write(source: Extraction | Region, where: str | os.PathLike[str] | BinaryIO, format: str | None = None) -> None:
    """Write what was found to a file, or to a stream of bytes; "-" is standard output.

    `format` is one of `FORMATS`; None takes it from the file's suffix (JSON for a stream). JSON has all regions of an
    extraction; the other formats have the records of the main one, one per row. A region is written by itself.

    >>> import fastwrap, io
    >>> page = "".join(f"<li><b>{wood}</b> <i>{len(wood)}.50 EUR</i></li>" for wood in "Ash Beech Cedar Oak".split())
    >>> stream = io.BytesIO()
    >>> write(fastwrap.extract(page), stream, "csv")
    >>> stream.getvalue().splitlines()[1]
    b'Ash,3.50,EUR'
    """
    parts(source)  # which refuses anything else
    expect(format, (str, type(None)), "format is a str or None")
    path = Path(where) if isinstance(where, str | os.PathLike) and str(where) != "-" else None
    if format is None:
        format = "json" if path is None else format_of(path)
    elif format not in FORMATS:
        raise FastwrapError(f"there is no format {format!r}: choose one of {', '.join(FORMATS)}")
    if not isinstance(where, str | os.PathLike) and not callable(getattr(where, "write", None)):
        raise TypeError(f"where to write is a path or a stream of bytes, not {type(where).__name__}")
    if isinstance(where, io.TextIOBase):
        raise TypeError("write needs a stream of bytes, such as sys.stdout.buffer")
    data = encoded(source) + b"\n" if format == "json" else TABLE_FORMATS[format](main_table(source))
    if path is not None:
        write_beside(path, data)
    elif isinstance(where, str | os.PathLike):
        sys.stdout.buffer.write(data)
    else:
        where.write(data)
