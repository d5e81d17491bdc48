"""Tables on a terminal: one line per record, the most telling columns first, as many as the window has room for.
What is left out is counted and named. rich draws it where that is installed; without it the table is plain text."""

from __future__ import annotations

import bisect
import itertools
import shutil
import sys
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from fastwrap.cli.messages import printable
from fastwrap.output.table import Table, for_people
from fastwrap.output.telling import LAST, telling_first
from fastwrap.output.values import plain_text

NARROWEST = 14  # characters that a column must have to be worth showing, if its values are longer
FIRST = 30  # the same for the first column, by which a reader knows the records
GAP = 3  # characters from one column to the next
MOST_ROWS = 1000  # rows that are shown: rich lays out some 2,000 a second
LONGEST = 500  # characters of a value that are looked at

HINT = "for tables in colour and progress bars: pip install 'fastwrap[cli]'"


class Shown(NamedTuple):
    """A column that is shown."""

    place: int
    """Which of the table's columns it is."""
    width: int


def show(table: Table, title: str = "") -> bool:
    """Print a table on standard output; False where rich is not installed, so that it is plain text."""
    try:
        from rich.cells import cell_len
        from rich.console import Console
    except ImportError:
        write_plain(for_people(table), title)
        return False
    table = for_people(table)
    console = Console(file=sys.stdout, highlight=False)
    write_rich(table, title, console, cell_len)
    return True


def write_rich(table: Table, title: str, console: Any, width_of: Callable[[str], int]) -> None:
    """Print a table by rich."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    rows, cells = cells_of(table)
    order = telling_first(table)
    shown = fitting([max(map(width_of, column)) for column in cells], order, console.width - 2)
    drawn = RichTable(
        title=Text(printable(title)) if title else None, title_justify="left", title_style="bold",
        box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold",
    )  # fmt: skip
    for place, width in shown:
        field = table.fields[place]
        drawn.add_column(
            Text(cells[place][0]), width=width, no_wrap=True, overflow="ellipsis",
            justify="right" if field.is_number else "left", style="dim" if field.type in LAST else "",
        )  # fmt: skip
    for number in range(1, rows + 1):
        drawn.add_row(*(Text(cells[column.place][number]) for column in shown))
    console.print(drawn)
    for line in left_out(table, order, shown, console.width):
        console.print(Text(line, style="dim"))


def write_plain(table: Table, title: str) -> None:
    """Print a table as plain text."""
    window = shutil.get_terminal_size().columns
    rows, cells = cells_of(table)
    order = telling_first(table)
    shown = fitting([max(map(width_of, column)) for column in cells], order, window - 1)
    lines = [printable(title)] if title else []
    for number in range(rows + 1):
        parts = [padded(cells[place][number], width, table.fields[place].is_number) for place, width in shown]
        lines.append((" " * GAP).join(parts).rstrip())
        if number == 0:
            lines.append((" " * GAP).join("-" * width for _, width in shown))
    lines += ["", *left_out(table, order, shown, window)]
    encoding = sys.stdout.encoding or "utf-8"  # a terminal of old may not know all characters of a page
    sys.stdout.write("\n".join(lines).rstrip().encode(encoding, "replace").decode(encoding) + "\n")


def cells_of(table: Table) -> tuple[int, list[list[str]]]:
    """How many rows are shown; and by column, its name and its values in them."""
    rows = table.rows[:MOST_ROWS]
    cells = [
        [printable(plain_text(value)[:LONGEST]) for value in [field.name, *(row[place] for row in rows)]]
        for place, field in enumerate(table.fields)
    ]
    return len(rows), cells


def left_out(table: Table, order: Sequence[int], shown: Sequence[Shown], window: int) -> list[str]:
    """For people: how many rows and columns are not shown, and what the columns are called, as far as a line goes."""
    lines = []
    if (rows := len(table.rows) - MOST_ROWS) > 0:
        lines.append(f"not shown: {rows:,} more records; -o FILE.csv has all")
    there = {place for place, _ in shown}
    names = [printable(table.fields[place].name) for place in order if place not in there]
    if names:
        head = f"not shown: {len(names):,} more {'column' if len(names) == 1 else 'columns'} ("
        tail = "); -o FILE.csv has all"
        room = window - len(head) - len(tail) - len(", …")
        told = list(
            itertools.takewhile(lambda width: width <= room, itertools.accumulate(width_of(f"{n}, ") for n in names))
        )
        kept = names[: max(1, len(told))]
        lines.append(f"{head}{', '.join(kept)}{', …' if len(kept) < len(names) else ''}{tail}")
    return lines


def fitting(widths: Sequence[int], order: Sequence[int], window: int) -> list[Shown]:
    """The columns that are shown, as many of the first ones in `order` as have room, and how wide each is.

    >>> fitting([70, 90, 9], [1, 2, 0], 80)
    [Shown(place=1, width=33), Shown(place=2, width=9), Shown(place=0, width=32)]
    >>> fitting([70, 90, 9], [1, 2, 0], 50)
    [Shown(place=1, width=38), Shown(place=2, width=9)]
    """
    chosen: list[int] = []
    least: list[int] = []
    taken = 0
    for place in order:
        wanted = min(widths[place], NARROWEST if chosen else FIRST)
        if chosen and taken + GAP + wanted > window:
            break
        taken += wanted + (GAP if chosen else 0)
        chosen.append(place)
        least.append(wanted)
    if taken > window:  # one column, in a very narrow window
        return [Shown(chosen[0], max(1, window))]

    def levelled(level: int) -> list[int]:
        return [min(widths[place], max(at_least, level)) for place, at_least in zip(chosen, least, strict=True)]

    # The room that is left goes to those that are cut: all of them are made as wide as can be.
    room = window - GAP * (len(chosen) - 1)
    level = bisect.bisect_right(range(max(widths, default=0)), room, key=lambda level: sum(levelled(level))) - 1
    found = levelled(level)
    for number, wider in enumerate(levelled(level + 1)):
        if wider > found[number] and sum(found) < room:
            found[number] += 1
    return [Shown(place, width) for place, width in zip(chosen, found, strict=True)]


def width_of(text: str) -> int:
    """How many characters of a terminal a text takes.

    >>> width_of("abc"), width_of("日本"), width_of("e\\u0301")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def padded(text: str, width: int, right: bool) -> str:
    """A text of this width: cut, or filled up with blanks.

    >>> padded("abcdef", 4, False), padded("ab", 4, True)
    ('abc…', '  ab')
    """
    if width_of(text) > width:
        while text and width_of(text) > width - 1:
            text = text[:-1]
        text += "…"
    blanks = " " * (width - width_of(text))
    return blanks + text if right else text + blanks
