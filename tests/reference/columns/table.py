"""The table as Python lists: the oracle of `fastwrap._core.columns.table`."""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeVar

from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE
from tests.reference.columns.items import Items

Cell = str | list[str | None] | None
T = TypeVar("T")


def read_rows(
    items: Items,
    order: list[int],
    spans: list[tuple[int, int]],
    slots: list[int],
    column_of: Int32Array,
    unit: Int32Array,
    list_of: Int32Array,
) -> list[list[Cell]]:
    """The table: `column_of` has the column of each slot and kind, `list_of` the list of each column."""
    columns, begins, lists = column_of.tolist(), unit.tolist(), list_of.tolist()
    slot = iter(slots)
    rows: list[list[Cell]] = []
    for first, last in spans:
        row: list[Cell] = [None] * len(lists)
        units: Counter[int] = Counter()
        end: dict[int, int] = {}  # by column: where its last text ends in the text of the page, if the next touches it
        for node in range(first, last):
            own = next(slot)
            if own == NO_NODE:
                continue
            if begins[own] != NO_NODE:
                units[begins[own]] += 1
            for kind, said in items.of(node, order):
                column = columns[own][kind]
                if column == NO_NODE:
                    continue
                item = said.decode("utf-8", "replace")
                cell = row[column]
                between = " "
                if kind == len(order):
                    between = "" if end.get(column) == items.starts[node] else " "
                    end[column] = items.starts[node + 1] if items.touches(node) else NO_NODE
                if lists[column] == NO_NODE:
                    row[column] = item if cell is None else f"{cell}{between}{item}"
                elif units[lists[column]]:
                    listed = cell if isinstance(cell, list) else []
                    row[column] = listed
                    listed += [None] * (units[lists[column]] - len(listed))
                    listed[-1] = item if listed[-1] is None else f"{listed[-1]}{between}{item}"
        for column, number in enumerate(lists):
            if number != NO_NODE and units[number]:
                cell = row[column]
                listed = cell if isinstance(cell, list) else []
                row[column] = listed + [None] * (units[number] - len(listed))
        rows.append(row)
    return rows


def transposed(rows: list[list[T]], width: int) -> list[list[T]]:
    """The columns of rows, or the rows of columns."""
    if any(len(row) != width for row in rows):
        raise ValueError("the rows differ in length")
    return [[row[place] for row in rows] for place in range(width)]


def fixed(rows: list[list[Any]], width: int, enough: float) -> list[bool]:
    """For each column whether more than so many rows have the same there."""
    if 2 * enough < len(rows):
        raise ValueError("not even half of the rows would be enough")
    columns = transposed(rows, width)
    return [any(column.count(cell) > enough for cell in column if cell is not None) for column in columns]


def nested(rows: list[list[Any]], groups: list[list[int]]) -> list[list[Any]]:
    """Rows in which the columns of each group are one: entries that have several values are rows themselves."""
    least = max((column + 1 for group in groups for column in group), default=0)
    if any(column < 0 for group in groups for column in group) or any(len(row) < least for row in rows):
        raise ValueError("there is no such column")
    if not all(groups):
        raise ValueError("a group has a column or more")
    several = [(place, group) for place, group in enumerate(groups) if len(group) > 1]
    found = []
    for row in rows:
        cells = [row[group[0]] for group in groups]
        for place, group in several:
            if cells[place] is not None:
                cells[place] = [list(entry) for entry in zip(*[row[column] for column in group], strict=True)]
        found.append(cells)
    return found
