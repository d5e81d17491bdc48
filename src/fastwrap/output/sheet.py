"""Spreadsheets: a table as an Excel workbook, by XlsxWriter.
Numbers and dates are typed cells; texts are always texts, never formulas or links."""

from __future__ import annotations

import io
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from fastwrap.errors import FastwrapError
from fastwrap.output.frames import require
from fastwrap.output.table import Table, in_columns
from fastwrap.output.values import plain_text

MAX_ROWS, MAX_COLUMNS = 1_048_575, 16_384  # what a sheet holds, without the line of names
MAX_TEXT = 32_767  # characters of a cell, counted in UTF-16
EXACT = 2**53  # Excel counts in doubles: what is larger is written as text
FIRST_DAY = date(1900, 3, 1)
"""Excel has a 29 February 1900 that never was: dates before the day after it are written as text."""

FORMATS = {datetime: "yyyy-mm-dd hh:mm:ss", date: "yyyy-mm-dd", time: "hh:mm:ss"}


def to_xlsx(table: Table) -> bytes:
    """A table as an Excel workbook of one sheet, the names in a first line that stays in view.

    Currencies and units are columns of their own. What Excel cannot hold exactly (numbers above 2^53, times with zones,
    dates before March 1900) is text; texts are cut at 32,767 characters, which is Excel's limit.
    """
    writer = require("xlsxwriter", "xlsx")
    flat = in_columns(table)
    if len(flat.rows) > MAX_ROWS or len(flat.fields) > MAX_COLUMNS:
        raise FastwrapError(f"{len(flat.rows):,} rows of {len(flat.fields):,} columns do not fit on a sheet of Excel")
    stream = io.BytesIO()
    with writer.Workbook(stream, {"in_memory": True}) as book:
        sheet = book.add_worksheet("records")
        sheet.freeze_panes(1, 0)
        bold = book.add_format({"bold": True})
        formats = {kind: book.add_format({"num_format": code}) for kind, code in FORMATS.items()}
        for column, field in enumerate(flat.fields):
            sheet.write_string(0, column, cell_text(field.name), bold)
        for number, row in enumerate(flat.rows, 1):
            for column, value in enumerate(row):
                write_cell(sheet, number, column, value, formats)
        sheet.autofit(300)
    return stream.getvalue()


def write_cell(sheet: Any, row: int, column: int, value: Any, formats: dict[type, Any]) -> None:
    """One value as the cell that suits it."""
    if value is None:
        return
    if isinstance(value, bool):
        sheet.write_boolean(row, column, value)
    elif isinstance(value, int | float) and abs(value) <= EXACT:
        sheet.write_number(row, column, value)
    elif isinstance(value, Decimal) and len(value.as_tuple().digits) <= 15:
        sheet.write_number(row, column, float(value))
    elif isinstance(value, date | time) and is_of_excel(value):
        sheet.write_datetime(row, column, value, formats[type(value)])
    else:
        sheet.write_string(row, column, cell_text(plain_text(value)))


def is_of_excel(value: date | time) -> bool:
    """Whether Excel has this date or time."""
    if isinstance(value, datetime | time) and (value.tzinfo is not None or value.microsecond):
        return False
    return isinstance(value, time) or (value.date() if isinstance(value, datetime) else value) >= FIRST_DAY


def cell_text(text: str) -> str:
    """A text that XML and a cell can hold.

    >>> cell_text("a" * 40_000) == "a" * 32_767
    True
    """
    units = text.translate(dict.fromkeys([0xFFFE, 0xFFFF, 0x00], 0xFFFD)).encode("utf-16-le", "replace")
    return units[: 2 * MAX_TEXT].decode("utf-16-le", "ignore")
