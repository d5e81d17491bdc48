"""The output of one part: rows of data and rows of errors, each a file that takes its name when it is whole.
What is written to disk is on disk (fsync) before anybody is told of it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Container
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from fastwrap.batch.pages import RawPage
from fastwrap.batch.reading import Reading
from fastwrap.output.document import encode
from fastwrap.output.frames import require
from fastwrap.output.nested import PageRows, WantedRows, found_on, text_array
from fastwrap.output.values import json_value

if TYPE_CHECKING:
    import pyarrow

    from fastwrap.extraction import Extraction

DATA, ERRORS = "data", "errors"
"""Folders of the output."""

PART = "part-"
"""What their files' names begin with."""

TEMPORARY = ".tmp"


class Written(NamedTuple):
    """A file that is whole and does not have its name yet."""

    temporary: str
    name: str
    """Both are relative to the folder of the output."""
    rows: int
    bytes: int


class Sink:
    """Gathers the rows of a part."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._wanted = None if reading.want is None else WantedRows(reading.want)
        self._pages = PageRows()
        self._lines: list[bytes] = []
        self._places: list[tuple[str, int, str | None, float | None]] = []
        """Of each row: source, position, wrapper, fit."""
        self._errors: list[tuple[RawPage, str]] = []
        self.pages = self.records = 0

    @property
    def errors(self) -> int:
        """Rows of errors."""
        return len(self._errors)

    def add(self, raw: RawPage, found: Extraction, wrapper: str | None = None, fit: float | None = None) -> None:
        """Add what was found on a page; what fails on it is raised, and nothing is added."""
        raw = raw._replace(source=named(raw.source))
        if self._reading.format == "jsonl":
            lines = self._lines_of(raw, found, wrapper, fit)
            self._lines += lines[0]
            records = lines[1]
        else:
            # A part is one table: rows are counted from the places, of which wanted rows have one each.
            rows: Any = self._pages if self._wanted is None else self._wanted
            records = rows.add(found, raw.url)
            self._places += [(raw.source, raw.position, wrapper, fit)] * (1 if self._wanted is None else records)
        self.records += records
        self.pages += 1

    def fail(self, raw: RawPage, error: str) -> None:
        """Add a page that could not be read."""
        self.note(raw, error)
        self.pages += 1

    def note(self, raw: RawPage, error: str) -> None:
        """Add an error that is not that of a page."""
        self._errors.append((raw._replace(source=named(raw.source)), error))

    def write(self, folder: str, number: int) -> list[Written]:
        """Write files of what there is, without their names yet."""
        suffix = self._reading.format
        written = []
        if self._lines or self._places:
            rows = len(self._lines) or len(self._places)
            write = self._write_lines if suffix == "jsonl" else self._write_table
            written.append(write_part(folder, f"{DATA}/{PART}{number:08d}.{suffix}", rows, write))
        if self._errors:
            write = self._write_error_lines if suffix == "jsonl" else self._write_errors
            written.append(write_part(folder, f"{ERRORS}/{PART}{number:08d}.{suffix}", len(self._errors), write))
        return written

    def _lines_of(
        self, raw: RawPage, found: Extraction, wrapper: str | None, fit: float | None
    ) -> tuple[list[bytes], int]:
        place = {"source": raw.source, "position": raw.position, "page_url": raw.url, "wrapper": wrapper, "fit": fit}
        if self._reading.wanted is not None:
            rows = [json_value(row) for row in found.rows]
            return [encode(place | row) + b"\n" for row in rows], len(rows)
        kind = found.kind
        _, records = found_on(found, kind)
        line = place | {
            "kind": kind, "confidence": found.confidence, "next_page": found.next_page,
            "records": [record.to_dict(json=True) for record in records],
        }  # fmt: skip
        return [encode(line) + b"\n"], len(records)

    def _write_lines(self, file: BinaryIO) -> None:
        file.writelines(self._lines)

    def _write_error_lines(self, file: BinaryIO) -> None:
        for raw, error in self._errors:
            row = {"source": raw.source, "position": raw.position, "page_url": raw.url, "error": error}
            file.write(encode({name: clean(value) for name, value in row.items()}) + b"\n")

    def _write_table(self, file: BinaryIO) -> None:
        arrow = require("pyarrow", "arrow")
        rows = self._pages.batch() if self._wanted is None else self._wanted.batch()
        source, position, wrapper, fit = zip(*self._places, strict=True)
        columns = {
            "source": text_array(source), "position": arrow.array(position, arrow.int64()),
            **{name: rows.column(name) for name in rows.schema.names if name not in ("page", "error")},
            "wrapper": text_array(wrapper), "fit": arrow.array(fit, arrow.float64()),
        }  # fmt: skip
        if self._wanted is None:
            columns = {"page_url" if name == "url" else name: column for name, column in columns.items()}
        self._write_parquet(arrow.table(columns), file)

    def _write_errors(self, file: BinaryIO) -> None:
        arrow = require("pyarrow", "arrow")
        pages = [raw for raw, _ in self._errors]
        columns = {
            "source": text_array([raw.source for raw in pages]),
            "position": arrow.array([raw.position for raw in pages], arrow.int64()),
            "page_url": text_array([raw.url for raw in pages]),
            "error": text_array([error for _, error in self._errors]),
        }  # fmt: skip
        self._write_parquet(arrow.table(columns), file)

    def _write_parquet(self, table: pyarrow.Table, file: BinaryIO) -> None:
        require("pyarrow.parquet", "arrow").write_table(table, file, compression="zstd")


def named(source: str) -> str:
    r"""The name of a source as rows have it: bytes that are no UTF-8 are told apart, as `\udce9`."""
    return source.encode("utf-8", "backslashreplace").decode("utf-8")


def clean(value: Any) -> Any:
    """A value that can be written as UTF-8."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


def write_part(folder: str, name: str, rows: int, write: Callable[[BinaryIO], None]) -> Written:
    """Write a file of the output, on disk when this returns, under a name that no other process has."""
    temporary = f"{name}.{os.getpid()}-{secrets.token_hex(4)}{TEMPORARY}"
    path = os.path.join(folder, temporary)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    try:
        with open(path, "xb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
            size = file.tell()
    except BaseException:
        with suppress(OSError):
            os.unlink(path)
        raise
    return Written(temporary, name, rows, size)


def take_names(folder: str, files: list[Written]) -> None:
    """Give files their names, for good."""
    for file in files:
        os.replace(os.path.join(folder, file.temporary), os.path.join(folder, file.name))
    for above in {os.path.dirname(os.path.join(folder, file.name)) for file in files}:
        sync_folder(above)


def sync_folder(folder: str) -> None:
    """Write the names in a folder to disk, where the system can do that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def remove_files(folder: str, but: Container[str]) -> None:
    """Remove the files of parts but these, and those that have no names yet."""
    for above in (DATA, ERRORS):
        path = os.path.join(folder, above)
        if os.path.isdir(path):
            with os.scandir(path) as entries:
                there = [entry.name for entry in entries if entry.name.startswith(PART)]
            for name in there:
                if f"{above}/{name}" not in but:
                    with suppress(FileNotFoundError):
                        os.unlink(os.path.join(path, name))
