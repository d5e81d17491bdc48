"""What commands write: a table on a terminal, JSON in a pipe, or a file in the format of its suffix.
Data is all that goes to standard output."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from fastwrap.cli.inputs import Inputs
from fastwrap.cli.messages import printable
from fastwrap.common.files import open_beside
from fastwrap.errors import FastwrapError

if TYPE_CHECKING:
    from fastwrap.extraction import Extraction, Record, Region
    from fastwrap.output.table import Table
    from fastwrap.page import Page

TABLE = "table"  # the format for people
FORMATS = (TABLE, *"json jsonl csv tsv parquet arrow xlsx md html".split())
"""Those of `fastwrap.output`, written out so that --help need not import it."""

BINARY = ("parquet", "arrow", "xlsx")
ALL = "all"
UNSURE = 0.5
"""A least confidence below this asks for lists that may be none."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of every command that extracts from pages."""
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write to this file, in the format of its suffix; - is standard output"
    )
    parser.add_argument(
        "-f", "--format", choices=FORMATS, metavar="FORMAT",
        help=f"{', '.join(FORMATS)} (default: table on a terminal, json in a pipe). json has one page per line with all"
        " its lists, as to_json() gives it; all others have one record per row, jsonl as {column: value}",
    )  # fmt: skip
    parser.add_argument(
        "--region", metavar="N",
        help="the N-th best list of the page, or all of them (default: the first, if its confidence is high enough;"
        " in json all)",
    )  # fmt: skip


class PageOutput(NamedTuple):
    """What one page gave."""

    name: str
    records: int
    data: bytes  # in the formats that are written page by page
    tables: list[tuple[str, Table]]  # in the others: the tables of the regions, each with a title
    note: str
    limits: tuple[str, ...]  # the budgets that were met: none on ordinary pages


def run(options: argparse.Namespace, extract: Callable[[Page], Extraction]) -> int:
    """Extract from all inputs and write what is found; 1 where nothing was, 2 where an input failed."""
    if options.region not in (None, ALL) and not re.fullmatch("0*[1-9][0-9]{0,8}", options.region):
        raise FastwrapError("--region takes a number from 1 on, or all")
    pages = Inputs(options)
    target = Target(options.output)
    format = chosen_format(options)
    pages.spare(options.output)
    found = []
    with target:
        for page in pages.each(lambda name, source: output_of(name, extract(source.page()), options, format)):
            target.write(page.data, worth=page.records > 0)
            found.append(page._replace(data=b""))
            pages.note_limits(page.limits, page.name)
            if not page.records:
                pages.note(f"{page.name}: {page.note}")
        records = sum(page.records for page in found)
        if format == TABLE:
            from fastwrap.cli import terminal

            several = sum(len(page.tables) for page in found) > 1
            drawn = True
            for page in found:
                for title, table in page.tables:
                    drawn &= terminal.show(table, title if several else "")
                if page.records:
                    sys.stdout.flush()
                    pages.note(f"{page.name}: {page.note}")
            if not drawn:
                pages.note(terminal.HINT)
        elif tables := [table for page in found for _, table in page.tables]:
            from fastwrap.output.files import TABLE_FORMATS
            from fastwrap.output.table import joined

            target.write(TABLE_FORMATS[format](joined(tables)))
    if target.is_file:
        said = f"{records:,} records written to {options.output}" if records else f"{options.output} is not written"
        pages.note(said)
    return pages.exit_code(bool(records))


def chosen_format(options: argparse.Namespace) -> str:
    """The format that was asked for, or that suits where the data goes."""
    to_file = options.output not in (None, "-")
    to_terminal = not to_file and sys.stdout.isatty()
    if options.format is not None:
        format: str = options.format
    elif to_file:
        from fastwrap.output.files import format_of

        format = format_of(options.output)
    else:
        format = TABLE if to_terminal and options.output is None else "json"
    if format == TABLE and to_file:
        raise FastwrapError("--format table is for terminals: give the file a suffix, or another format")
    if format in BINARY and to_terminal:
        raise FastwrapError(f"{format} is not for terminals: give a file with -o")
    return format


def output_of(name: str, extraction: Extraction, options: argparse.Namespace, format: str) -> PageOutput:
    """What was found on one page, in the format."""
    from fastwrap.limits import union

    regions = chosen_regions(extraction, options.region)
    record = one_record(extraction, options.region)
    several = len(options.pages) > 1
    data, tables = b"", []
    if format == "json":
        from fastwrap.output.document import document, encode

        # Without a wish all regions, as `to_json` has them.
        shown = extraction.regions if options.region is None else [region for _, region in regions]
        data = encode(document(extraction, shown, printable(name) if several else None)) + b"\n"
    else:
        from fastwrap.output.table import table_of, table_of_names, table_with, with_column

        if record is not None:
            table = table_of_names(record) if format == TABLE else table_with(record.columns, [record])
            tables.append(
                (name, with_column(table, "source", printable(name)) if format != TABLE and several else table)
            )
        for number, region in regions:
            table = table_of(region)
            if format != TABLE and options.region == ALL:
                table = with_column(table, "region", number)
            if format != TABLE and several:
                table = with_column(table, "source", printable(name))
            tables.append((f"{name}, list {number}" if options.region == ALL else name, table))
    if format == "jsonl":
        from fastwrap.output.files import to_json_lines

        data, tables = b"".join(to_json_lines(table) for _, table in tables), []
    records = sum(len(region.records) for _, region in regions) + (record is not None)
    note = about_one_thing(extraction) if record is not None else what_was_found(extraction, regions, options.region)
    limits = union(extraction.limits, *(region.limits for _, region in regions))  # last: of all that was computed
    return PageOutput(name, records, data, tables, note, limits)


def chosen_regions(extraction: Extraction, wanted: str | None) -> list[tuple[int, Region]]:
    """The regions that were asked for, with their numbers from 1 on: without a wish the main one, if it is one."""
    numbered = list(enumerate(extraction.regions, 1))
    if wanted is None:
        return numbered[:1] if extraction.records and not is_about_one_thing(extraction) else []
    return numbered if wanted == ALL else numbered[int(wanted) - 1 : int(wanted)]


def one_record(extraction: Extraction, wanted: str | None) -> Record | None:
    """The record of a page about one thing, unless a list was asked for."""
    return extraction.record if wanted is None and is_about_one_thing(extraction) else None


def is_about_one_thing(extraction: Extraction) -> bool:
    """Whether the record is written, not the list: unless the caller takes lists that are not sure. What the pages of a
    wrapper are about was learned."""
    is_learned = hasattr(extraction, "wrapper")
    unsure = not is_learned and extraction.records and extraction.min_confidence < UNSURE
    return extraction.kind == "detail" and not unsure


def about_one_thing(extraction: Extraction) -> str:
    """For people: that a page is about one thing, and that it has lists, too.

    >>> import fastwrap
    >>> about_one_thing(fastwrap.extract("<title>Oak</title><h1>Oak</h1><p>Height: 20 m<p>Age: 300 years"))
    'a page about one thing, 3 values; --region all shows its lists'
    """
    values = len(extraction.record or ())
    lists = "; --region all shows its lists" if extraction.regions else ""
    return f"a page about one thing, {values} value{'s' if values != 1 else ''}{lists}"


def what_was_found(extraction: Extraction, regions: Sequence[tuple[int, Region]], wanted: str | None) -> str:
    """For people: how many records, how sure, and where it goes on; or why there are none."""
    there = len(extraction.regions)
    if not there:
        return "nothing repeats on this page"
    if not regions:
        if wanted is not None:
            return f"there {'is 1 list' if there == 1 else f'are {there} lists'} on this page"
        if extraction.confidence >= extraction.min_confidence:
            return "the first list has no records here; --region all shows what there is"
        return f"{refusal(extraction)}; see it with --min-confidence 0 or fastwrap show"
    parts = [f"{sum(len(region.records) for _, region in regions):,} records"]
    if wanted is None:
        parts.append(f"confidence {extraction.confidence:.2f}")
    if extraction.next_page is not None:
        parts.append(f"next page {extraction.next_page}")
    return ", ".join(parts)


def refusal(extraction: Extraction) -> str:
    """For people: that the best list of a page is not sure enough to be one, and what it is.

    >>> import fastwrap
    >>> refusal(fastwrap.extract("<p>a<p>b<p>c", min_confidence=1))  # doctest: +ELLIPSIS
    'no list with confidence >= 1 (best: 0..., 3 records)'
    """
    sure = int(100 * extraction.confidence) / 100  # never rounded up to what would be enough
    counted = f"{len(extraction.regions[0]):,} records"
    return f"no list with confidence >= {extraction.min_confidence:g} (best: {sure:.2f}, {counted})"


class Target(ExitStack):
    """Where data goes. A file takes the place of the old one when all is written; a run that finds nothing, or that
    fails, leaves it as it was."""

    def __init__(self, output: str | None) -> None:
        super().__init__()
        self._path = None if output in (None, "-") else Path(str(output))
        self.is_file = self._path is not None
        self._stream: BinaryIO | None = None
        self._held: list[bytes] = []
        if self._path is not None and not self._path.parent.is_dir():
            raise FastwrapError(f"{self._path}: there is no folder {self._path.parent}")
        if self._path is not None and self._path.is_dir():
            raise FastwrapError(f"{self._path} is a folder: give the name of a file")

    def write(self, data: bytes, *, worth: bool = True) -> None:
        """Write, at once: who reads a pipe need not wait for the next page. To a file nothing is written before there
        is something that is worth it."""
        if not data:
            return
        if self._stream is None:
            if self._path is None:
                self._stream = sys.stdout.buffer
            elif worth:
                self._stream = self.enter_context(open_beside(self._path))
                self._stream.writelines(self._held)
            else:
                self._held.append(data)
                return
        self._stream.write(data)
        self._stream.flush()
