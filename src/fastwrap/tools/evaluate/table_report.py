"""One page of the report of an evaluation, where its truth is a table: which column serves which field, which serve
none, and the values that do not stand in theirs. Everything that comes from a page is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from fastwrap.tools.evaluate.tables import Comparison, is_value, text_of, words_of

LONGEST_TEXT = 1_000  # letters of a text that are shown
MOST_VALUES = 50  # values that do not stand in their column, of a page
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def shown(text: str) -> str:
    """A text for HTML: cut, escaped, without what no HTML may hold.

    >>> shown('<b title="x">\\x00')
    '&lt;b title=&quot;x&quot;&gt;�'
    """
    cut = text if len(text) <= LONGEST_TEXT else text[:LONGEST_TEXT] + " …"
    return escape(CONTROL.sub("\ufffd", cut))


def table_entry(table: Comparison) -> str:
    """The fields and their columns, then the columns without a field, then the values that are missing or wrong."""
    records = f"{len(table.key.records)} true, {len(table.shown.records)} found, {len(table.pairs)} paired"
    said = f"<p>Records: {records}; {len(table.shown.columns)} columns for {len(table.key.fields)} fields</p>"
    said += rows("field", "column", "values", [*field_rows(table), *other_rows(table)])
    if values := list(value_rows(table)):
        said += rows("record", "true", "found", values)
    return said


def rows(first: str, second: str, third: str, body: list[str]) -> str:
    """A table of rows that have a mark and three cells."""
    head = f"<tr><th></th><th>{first}</th><th>{second}</th><th>{third}</th></tr>"
    return f'<table class="records"><thead>{head}</thead>{"".join(body)}</table>'


def row(kind: str, mark: str, *cells: str) -> str:
    """A row of a kind, whose cells are markup already."""
    return f'<tr class="{kind}"><td>{mark}</td>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'


def field_rows(table: Comparison) -> Iterator[str]:
    """The fields: the column of each, and whether its name fits."""
    for number, each in enumerate(table.key.fields):
        name = shown(each.name) + (" (optional)" if each.optional else "")
        right, true = table.right(number), table.true[number]
        if number not in table.column_of:
            yield row("same" if each.optional else "missed", "" if each.optional else "✗", name, "", f"0 of {true}")
            continue
        column = table.column_of[number]
        called = shown(table.shown.columns[column]) + ("" if table.is_named(number) else " (another name)")
        is_whole = right == true == table.filled[column]
        counts = f"{right} of {true}, {table.filled[column]} shown"
        yield row("ok" if is_whole else "near", "✓" if is_whole else "≠", name, called, counts)


def other_rows(table: Comparison) -> Iterator[str]:
    """The columns that serve no field: clutter, if the fields are all there are."""
    kind, mark = ("wrong", "!") if table.key.is_complete else ("same", "")
    used = table.column_of.values()
    for column, name in enumerate(table.shown.columns):
        if column not in used:
            is_spare = column in table.spare
            yield row(
                "same" if is_spare else kind, "" if is_spare else mark, "", shown(name), f"{table.filled[column]} shown"
            )


def value_rows(table: Comparison) -> Iterator[str]:
    """The values of served fields that do not stand in their column, and what does."""
    found_of = {place: number for number, place in table.pairs}
    left = MOST_VALUES
    for place, record in enumerate(table.key.records):
        for number, column in sorted(table.column_of.items()):
            cell = table.shown.records[found_of[place]][column] if place in found_of else None
            value = record[number]
            words, want = words_of(cell), words_of(value)
            if is_value(words, want) or not (words or want):
                continue
            if not left:
                yield row("same", "", "…", "", "")
                return
            left -= 1
            field = f"{place + 1}: {shown(table.key.fields[number].name)}"
            yield row("near", "≠", field, shown(text_of([value])), shown(text_of([cell])))
