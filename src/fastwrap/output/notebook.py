"""The table that a notebook shows of an extraction or a region: its first rows, the most telling columns first.
Nothing of the page acts as markup, and nothing is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastwrap.output.markup import html_text, rows_html
from fastwrap.output.table import Table, for_people, parts, table_of
from fastwrap.output.telling import telling_first

if TYPE_CHECKING:
    from fastwrap.extraction import Extraction, Region

MOST_ROWS = 20
MOST_COLUMNS = 30
LONGEST = 200
"""Characters of a text that are shown."""


def shown(source: Extraction | Region) -> str:
    """The HTML of a table with a caption.

    >>> import fastwrap
    >>> page = "<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k}.50 EUR</i></li>" for k in range(5)) + "</ul>"
    >>> shown(fastwrap.extract(page)).startswith("<div><table><caption>5 records, 2 columns, confidence ")
    True
    """
    extraction, region = parts(source)
    table = Table((), []) if region is None else for_people(table_of(region))
    caption = [f"{len(table.rows):,} records", f"{len(table.fields):,} columns"]
    if extraction is not None:
        caption.append(f"confidence {extraction.confidence:.2f}")
        if region is None:
            there = len(extraction.regions)
            caption = [f"no list with confidence >= {extraction.min_confidence:g} among {there:,} regions"]
    order = telling_first(table)[:MOST_COLUMNS]
    if (left := len(table.fields) - len(order)) > 0:
        caption.append(f"{left:,} more columns are not shown")
    if (left := len(table.rows) - MOST_ROWS) > 0:
        caption.append(f"{left:,} more records are not shown")
    fields = tuple(table.fields[place] for place in order)
    rows = [[shortened(row[place]) for place in order] for row in table.rows[:MOST_ROWS]]
    said = html_text(", ".join(caption))
    return f"<div><table><caption>{said}</caption>\n{rows_html(Table(fields, rows))}</table></div>"


def shortened(value: object) -> object:
    """A value; of a long text its start."""
    return value[:LONGEST] + "…" if isinstance(value, str) and len(value) > LONGEST else value
