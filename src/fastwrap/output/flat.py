"""CSV and TSV: tables as lines of text, one cell per value; lists are JSON in a cell.
What a spreadsheet would run as a formula is marked with an apostrophe, wherever it may take a cell to begin."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from fastwrap.output.document import encode
from fastwrap.output.table import Table, in_columns
from fastwrap.output.values import json_value, plain_text

# OWASP, "CSV Injection". A cell that is only a number or a telephone number runs nothing, and is left as it is. In half
# of the world spreadsheets separate cells by ";", and some by tabs, too: there the quotes around a cell that is not the
# first are text, a line break in it ends a row, and what is behind the last ";" goes on in the next cell.
_BLANKS = r'["\x0b\x0c\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*'  # and quotes; no separators
_NUMBER = r"[+-][\d \xa0().,/-]*"
_FORMULA = re.compile(
    rf"(?:\A{_BLANKS}(?!{_NUMBER}\Z)|([;\t\r\n]){_BLANKS}(?!{_NUMBER}(?:\1|[\r\n])))(?=[=@＝＠＋－+-])"
)
_BLANK_FIRST = re.compile(r"[\t\r\n]")
_SEMICOLON = re.compile(r""";(?=[\s"\\]*[=@＝＠＋－+-])""")
_NEW_LINE = re.compile(r"\r\n?")
_CONTROL = re.compile(r"[\t\r\n]+")


def to_csv(table: Table) -> bytes:
    """A table as CSV (RFC 4180) in UTF-8 with a line of names; lines end in a line feed.

    >>> from fastwrap.output.table import Field
    >>> print(to_csv(Table((Field("title", "text"), Field("tags", "text", True)), [["=1+1", ["a", "b"]]])).decode())
    title,tags
    '=1+1,"[""a"",""b""]"
    <BLANKLINE>
    """
    return written(table, ",")


def to_tsv(table: Table) -> bytes:
    """A table as tab-separated values: every record is one line, for tabs and line breaks in cells are spaces.

    >>> from fastwrap.output.table import Field
    >>> to_tsv(Table((Field("a", "text"), Field("b", "integer")), [["1\\t2", 3]]))
    b'a\\tb\\n1 2\\t3\\n'
    """
    return written(table, "\t")


def written(table: Table, delimiter: str) -> bytes:
    """The lines."""
    flat = in_columns(table)
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
        return _SEMICOLON.sub(r"\\u003b", encode(json_value(value)).decode("utf-8"))  # the same to who reads JSON
    return plain_text(value)


def guarded(text: str) -> str:
    """A text that no spreadsheet takes for a formula, whole or in the parts that it may cut it into.

    >>> [guarded(text) for text in ("=HYPERLINK(1)", "-2+cmd|' /C calc'!A0", "+49 (30) 123-45", "-5", "a=b")]
    ["'=HYPERLINK(1)", "'-2+cmd|' /C calc'!A0", '+49 (30) 123-45', '-5', 'a=b']
    >>> guarded("a;=1+1"), guarded("a; -5; b"), guarded("ab\\n@c")
    ("a;'=1+1", 'a; -5; b', "ab\\n'@c")
    """
    marked = _FORMULA.sub(r"\g<0>'", text)
    return "'" + marked if _BLANK_FIRST.match(marked) else marked
