"""Tables on a terminal, by rich: one line per record, columns cut to the width of the window.
Columns that do not fit are left out and named: first addresses, then those with few values."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fastwrap.cli.messages import printable
from fastwrap.output.values import plain_text

if TYPE_CHECKING:
    from fastwrap.output.table import Table

NARROWEST = 14  # characters that a column must have to be worth showing, if its values are longer
GAP = 3  # characters from one column to the next: a line and blanks
MOST_ROWS = 1000  # rows that are shown: rich lays out some 2,000 a second
LONGEST = 500  # characters of a value that are looked at


def show(table: Table, title: str = "") -> None:
    """Print a table on standard output; where rich is not installed, as Markdown."""
    try:
        from rich import box
        from rich.cells import cell_len
        from rich.console import Console
        from rich.table import Table as RichTable
        from rich.text import Text
    except ImportError:
        from fastwrap.output.markup import to_markdown

        sys.stdout.write((f"{title}\n\n" if title else "") + to_markdown(table).decode("utf-8"))
        return
    console = Console(file=sys.stdout, highlight=False)
    rows = table.rows[:MOST_ROWS]
    cells = [
        [printable(plain_text(value)[:LONGEST]) for value in [field.name, *(row[place] for row in rows)]]
        for place, field in enumerate(table.fields)
    ]
    widths = [max(map(cell_len, column)) for column in cells]
    filled = [sum(map(bool, column)) - 1 for column in cells]
    order = sorted(
        range(len(cells)),
        key=lambda place: (table.fields[place].type in ("url", "image"), 2 * filled[place] < len(rows), place),
    )
    shown, level = fitting(widths, order, console.width - 2)
    drawn = RichTable(
        title=Text(printable(title)) if title else None, title_justify="left", title_style="bold",
        box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold",
    )  # fmt: skip
    for place in shown:
        field = table.fields[place]
        drawn.add_column(
            Text(cells[place][0]), width=min(widths[place], level), no_wrap=True, overflow="ellipsis",
            justify="right" if field.is_number else "left",
            style="dim" if field.type in ("url", "image") else "",
        )  # fmt: skip
    for number in range(1, len(rows) + 1):
        drawn.add_row(*(Text(cells[place][number]) for place in shown))
    console.print(drawn)
    if len(rows) < len(table.rows):
        console.print(Text(f"not shown: {len(table.rows) - len(rows):,} more records; -o FILE has all", style="dim"))
    if len(shown) < len(table.fields):
        left_out = [cells[place][0] for place in range(len(table.fields)) if place not in shown]
        console.print(Text(f"not shown: {', '.join(left_out)}", style="dim"))


def fitting(widths: Sequence[int], order: Sequence[int], width: int) -> tuple[list[int], int]:
    """Which columns are shown, and the greatest width of one, so that all fit; the last ones in `order` go first.

    >>> fitting([70, 90, 9], [1, 2, 0], 80)
    ([0, 1, 2], 32)
    >>> fitting([70, 90, 9], [1, 2, 0], 30)
    ([1, 2], 18)
    """
    for count in range(len(order), 0, -1):
        shown = sorted(order[:count])
        level = common_width([widths[place] for place in shown], width - GAP * (count - 1))
        if level >= NARROWEST or count == 1:
            return shown, max(level, 1)
    return [], width


def common_width(widths: Sequence[int], width: int) -> int:
    """The greatest width that columns may have, so that all of them together are not wider than this.

    >>> common_width([5, 30, 40], 65), common_width([5, 30], 65)
    (30, 65)
    """
    left = width
    for number, narrowest in enumerate(sorted(widths)):
        level = left // (len(widths) - number)
        if narrowest > level:
            return level
        left -= narrowest
    return max(width, 1)
