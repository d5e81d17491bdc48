"""Headers of tables: what the cells above a row call its columns, by markup or by looks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from fastwrap.columns.records import Records
from fastwrap.page import Page
from fastwrap.page.names import NO_NODE, TAG_NUMBER

CELL_TAGS = frozenset(TAG_NUMBER[name] for name in ("td", "th"))
ROW, HEADER_CELL, TABLE, HEAD = (TAG_NUMBER[name] for name in ("tr", "th", "table", "thead"))

LONGEST = 60
"""Characters of a name."""

MAX_BACK = 400
"""Nodes before the records in which header rows are looked for."""

MAX_HEADER_ROWS = 20
"""Rows above the records that their headers are read from: the nearest."""

MAX_COLUMNS_OF_ROW = 200
"""Cells of a table row that are looked at, those that span several counted as several."""


def tidy(text: str) -> str:
    """A label or header as a name.

    >>> tidy(" Unit price: "), tidy("*"), tidy("x" * 99)
    ('Unit price', '', '')
    """
    text = " ".join(text.split()).strip(" :：*·|-–—.,;#?¿")
    return text if len(text) <= LONGEST and any(letter.isalpha() for letter in text) else ""


def header_names(records: Records, nodes: Sequence[int], first_records: Sequence[int]) -> dict[int, str]:
    """By item: the header of the table column that it is in. `nodes` has one node of each item, `first_records` the
    record that it is in."""
    page = records.page
    first = int(records.spans[0, 0]) if len(records) else 0
    if not len(records) or page.tag[first] != ROW:
        return {}
    headers = header_cells(page, first)
    if not headers:
        return {}
    found = {}
    rows: dict[int, tuple[list[int], list[int]]] = {}  # by record: its cells, and the columns that they are in
    for item, (node, record) in enumerate(zip(nodes, first_records, strict=True)):
        if record not in rows:
            row = cells_of(page, int(records.spans[record, 0]))
            rows[record] = list(row), list(row.values())
        cells, columns = rows[record]
        place = bisect_right(cells, node) - 1
        if place >= 0 and node < cells[place] + int(page.size[cells[place]]) and headers.get(columns[place]):
            found[item] = headers[columns[place]]
    return found


def span_of(page: Page, cell: int, name: str) -> int:
    """How many columns or rows a cell spans."""
    span = page.attributes(cell).get(name, "1")
    return min(max(1, int(span)), MAX_COLUMNS_OF_ROW) if span.isdecimal() and len(span) < 6 else 1


def cells_of(page: Page, row: int) -> dict[int, int]:
    """The cells of a table row, and the column that each is in."""
    found = {}
    column = 0
    for cell in page.children(row):
        if int(page.tag[cell]) in CELL_TAGS and column < MAX_COLUMNS_OF_ROW:
            found[cell] = column
            column += span_of(page, cell, "colspan")
    return found


def header_cells(page: Page, first: int) -> dict[int, str]:
    """By column: the header above a row. Headers of several rows are read from top to bottom.

    >>> page = Page("<table><tr><th rowspan=2>A<th colspan=2>B<tr><th>C<th>D<tr><td>1<td>2<td>3")
    >>> header_cells(page, [node for node in range(len(page)) if page.tag_name(node) == "tr"][2])
    {0: 'A', 1: 'B C', 2: 'B D'}
    """
    table = next((node for node in page.ancestors(first) if page.tag[node] == TABLE), NO_NODE)
    rows: list[int] = []
    if table == NO_NODE:
        return {}
    for row in range(first - 1, max(table, first - MAX_BACK), -1):
        if page.tag[row] == ROW and row + int(page.size[row]) <= first:
            if len(rows) == MAX_HEADER_ROWS or not is_header(page, row):
                break
            rows.append(row)
    if not rows:
        # Without such markup: the first row of the table, as wide as the others, all of it short words.
        row = next((child for child in page.children(int(page.parent[first])) if page.tag[child] == ROW), first)
        cells = [tidy(page.text(cell)) for cell in cells_of(page, row)]
        if row == first or len(cells) < 2 or len(cells) != len(cells_of(page, first)) or not all(cells):
            return {}
        rows = [row]
    grid: dict[tuple[int, int], str] = {}
    for number, row in enumerate(reversed(rows)):
        column = 0
        for cell in cells_of(page, row):
            while (number, column) in grid:
                column += 1
            text = tidy(page.text(cell))
            across, down = span_of(page, cell, "colspan"), min(span_of(page, cell, "rowspan"), len(rows) - number)
            for place in range(across * down):
                grid[number + place // across, column + place % across] = text
            column += across
    found: dict[int, str] = {}
    for (_, column), text in sorted(grid.items()):
        before = found.get(column, "")
        if text and not before.endswith(text):
            found[column] = f"{before} {text}".strip()
    return {column: tidy(text) for column, text in found.items()}


def is_header(page: Page, row: int) -> bool:
    """Whether a table row is marked up as a header."""
    cells = cells_of(page, row)
    of_headers = sum(page.tag[cell] == HEADER_CELL for cell in cells)
    return len(cells) > 1 and (2 * of_headers > len(cells) or page.tag[int(page.parent[row])] == HEAD)
