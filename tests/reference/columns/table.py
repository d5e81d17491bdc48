"""The table as Python lists: the oracle of `fastwrap._core.columns.table`."""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeVar

from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE, TEXT
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
        row = Row(items, len(order), lists)
        placed: dict[int, int] = {}
        for node in range(first, last):
            own = placed[node] = next(slot)
            if own == NO_NODE and items.tags[node] == TEXT:
                # A text that the template does not know goes where the others in the element around it go.
                around = items.parents[node]
                while around >= first and placed[around] == NO_NODE:
                    around = items.parents[around]
                if around >= first:
                    row.enter(node, len(order), items.letters(node), columns[placed[around]][len(order)])
            if own == NO_NODE:
                continue
            if begins[own] != NO_NODE:
                row.units[begins[own]] += 1
            for kind, said in items.of(node, order):
                row.enter(node, kind, said, columns[own][kind])
        rows.append(row.complete())
    return rows


class Row:
    """The row of a record while it is read."""

    def __init__(self, items: Items, texts: int, lists: list[int]) -> None:
        self.items, self.texts, self.lists = items, texts, lists
        self.cells: list[Cell] = [None] * len(lists)
        self.units: Counter[int] = Counter()
        self.end: dict[int, int] = {}
        """By column: where its last text ends in the text of the page, if the next touches it."""

    def enter(self, node: int, kind: int, said: bytes, column: int) -> None:
        """Enter an item of a node into its column."""
        if column == NO_NODE:
            return
        item = said.decode("utf-8", "replace")
        cell = self.cells[column]
        between = " "
        if kind == self.texts:
            between = "" if self.end.get(column) == self.items.starts[node] else " "
            self.end[column] = self.items.starts[node + 1] if self.items.touches(node) else NO_NODE
        if self.lists[column] == NO_NODE:
            self.cells[column] = item if cell is None else f"{cell}{between}{item}"
        elif self.units[self.lists[column]]:
            listed = cell if isinstance(cell, list) else []
            self.cells[column] = listed
            listed += [None] * (self.units[self.lists[column]] - len(listed))
            listed[-1] = item if listed[-1] is None else f"{listed[-1]}{between}{item}"

    def complete(self) -> list[Cell]:
        """The cells, those of lists with an entry for each unit."""
        for column, number in enumerate(self.lists):
            if number != NO_NODE and self.units[number]:
                cell = self.cells[column]
                listed = cell if isinstance(cell, list) else []
                self.cells[column] = listed + [None] * (self.units[number] - len(listed))
        return self.cells


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
