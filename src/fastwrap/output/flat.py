"""CSV and TSV: tables as lines of text, one cell per value; money takes two columns, lists are JSON in a cell.
Cells that a spreadsheet would run as a formula are marked with an apostrophe."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from fastwrap.output.document import encode
from fastwrap.output.table import Field, Table, unused_name
from fastwrap.output.values import json_value, plain_text

# OWASP, "CSV Injection". What is only a number or a telephone number runs nothing, and is left as it is.
_FORMULA = re.compile(r"[=@\t\r\n＝＠＋－]|[+-](?![\d\s().,/-]*\Z)")
_NEW_LINE = re.compile(r"\r\n?")
_CONTROL = re.compile(r"[\t\r\n]+")


def to_csv(table: Table) -> bytes:
    """A table as CSV (RFC 4180) in UTF-8 with a line of names; lines end in a line feed.

    >>> print(to_csv(Table((Field("title", "text"), Field("tags", "text", True)), [["=1+1", ["a", "b"]]])).decode())
    title,tags
    '=1+1,"[""a"",""b""]"
    <BLANKLINE>
    """
    return written(table, ",")


def to_tsv(table: Table) -> bytes:
    """A table as tab-separated values: every record is one line, for tabs and line breaks in cells are spaces.

    >>> to_tsv(Table((Field("a", "text"), Field("b", "integer")), [["1\\t2", 3]]))
    b'a\\tb\\n1 2\\t3\\n'
    """
    return written(table, "\t")


def written(table: Table, delimiter: str) -> bytes:
    """The lines."""
    flat = with_money_in_two(table)
    if not flat.fields:
        return b""
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    clean = partial(_CONTROL.sub, " ") if delimiter == "\t" else partial(_NEW_LINE.sub, "\n")
    writer.writerow([guarded(clean(field.name)) for field in flat.fields])
    for row in flat.rows:
        writer.writerow(["" if value is None else cell(value, clean) for value in row])
    return stream.getvalue().encode("utf-8", "replace")


def cell(value: Any, clean: Callable[[str], str]) -> str:
    """What stands in a cell. Only texts are guarded: numbers and dates are written by us."""
    if isinstance(value, str):
        return guarded(clean(value))
    if isinstance(value, list):
        return encode(json_value(value)).decode("utf-8")
    return plain_text(value)


def guarded(text: str) -> str:
    """A text that no spreadsheet takes for a formula.

    >>> [guarded(text) for text in ("=HYPERLINK(1)", "-2+cmd|' /C calc'!A0", "+49 (30) 123-45", "-5", "a=b")]
    ["'=HYPERLINK(1)", "'-2+cmd|' /C calc'!A0", '+49 (30) 123-45', '-5', 'a=b']
    """
    return "'" + text if _FORMULA.match(text) else text


def with_money_in_two(table: Table) -> Table:
    """The table with a column for the amounts, and one for the currencies, in place of each column of money.

    >>> from decimal import Decimal
    >>> from fastwrap.types import Money
    >>> flat = with_money_in_two(Table((Field("price", "money"),), [[Money(Decimal("12.50"), "EUR")], [None]]))
    >>> [field.name for field in flat.fields], flat.rows
    (['price', 'price_currency'], [[Decimal('12.50'), 'EUR'], [None, None]])
    """
    amounts = {place for place, field in enumerate(table.fields) if field.type == "money" and not field.is_list}
    if not amounts:
        return table
    taken = {field.name for field in table.fields}
    fields: list[Field] = []
    columns: list[list[Any]] = []
    for place, field in enumerate(table.fields):
        values = [row[place] for row in table.rows]
        fields.append(field)
        if place in amounts:
            name = unused_name(f"{field.name}_currency", taken)
            taken.add(name)
            fields.append(Field(name, "text"))
            columns.append([money and money.amount for money in values])
            columns.append([money and money.currency for money in values])
        else:
            columns.append(values)
    return Table(tuple(fields), [list(row) for row in zip(*columns, strict=True)])
