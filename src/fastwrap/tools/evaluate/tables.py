"""Tables compared: the columns that an extractor shows against the fields of the table that a person would have made.
Records are paired by the values they hold; then every field is given the one column that serves it best."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from fastwrap.tools.evaluate.pairing import distinct, tokens

Cell: TypeAlias = str | float | Sequence[Any] | None
"""What stands in one place of a table: a value, several of them, or nothing."""

Bag: TypeAlias = frozenset[Hashable]
"""The words of a cell, those that come again numbered."""

HELD = 0.5  # the least share of a true record's words that its found record holds
ALIKE = 0.85  # the least Dice coefficient of a cell and the value that it is
SECTIONS = frozenset({"section", "heading", "group", "category"})
"""What a column is called that has the heading over a group of records: it may be there, though no truth has it."""


@dataclass(frozen=True)
class Field:
    """A column of the table that a person would have made."""

    name: str
    others: Sequence[str] = ()  # further names that are as good
    optional: bool = False  # whether a person may as well have left it out

    def accepts(self, column: str) -> bool:
        """Whether a column may have this name.

        >>> Field("old price", ["was"]).accepts("Old_Price 2"), Field("old price", ["was"]).accepts("price")
        (True, False)
        """
        return plain(column) in {plain(name) for name in (self.name, *self.others)}


@dataclass(frozen=True)
class TableKey:
    """The table of a page's main list: what an answer key is to records."""

    fields: Sequence[Field]
    records: Sequence[Sequence[Cell]]  # one cell for each field
    is_complete: bool = True  # whether a column that is none of the fields is one too many
    goes_on: bool = False  # whether the list has more records than these


@dataclass(frozen=True)
class ShownTable:
    """What an extractor shows of its first region."""

    columns: Sequence[str] = ()  # their names
    records: Sequence[Sequence[Cell]] = ()


NO_TABLE = ShownTable()


def plain(name: str) -> str:
    """A name without what does not matter: case, signs, white space, and a number at the end.

    >>> plain("  oldPrice_2 "), plain("Old price")
    ('old price', 'old price')
    """
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    words = re.sub(r"[\W_]+", " ", apart).strip().lower()
    return re.sub(r"\s*\d+$", "", words).strip()


def words_of(cell: Cell) -> Bag:
    """The words of a cell; of all values together, where it has several.

    >>> words_of(["Red", None, "blue"]) == words_of("red, blue"), words_of(None) == words_of(" - ")
    (True, True)
    """
    return distinct(tokens(text_of([cell])))


def text_of(record: Sequence[Cell]) -> str:
    """All values of a record.

    >>> text_of(["Cup", ["red", None, "blue"], None, 3])
    'Cup red blue 3'
    """
    values = (value for cell in record for value in (cell if isinstance(cell, (list, tuple)) else [cell]))
    return " ".join(str(value) for value in values if value is not None)


def is_value(cell: Bag, value: Bag) -> bool:
    """Whether a cell is a value, by its words."""
    return bool(cell and value) and 2 * len(cell & value) / (len(cell) + len(value)) >= ALIKE


def paired(found: Sequence[Sequence[Cell]], true: Sequence[Sequence[Cell]]) -> list[tuple[int, int]]:
    """Found and true records as pairs of numbers: largest share of the true record's words first, then nearest places.

    >>> paired([["menu"], ["two", "2"], ["one", "1"]], [["one", 1], ["two", 2]])
    [(1, 1), (2, 0)]
    """
    holders: dict[Hashable, list[int]] = {}
    sizes = []
    for place, record in enumerate(true):
        words = distinct(tokens(text_of(record)))
        sizes.append(len(words))
        for word in words:
            holders.setdefault(word, []).append(place)
    scored = []
    for number, record in enumerate(found):
        held = Counter(place for word in distinct(tokens(text_of(record))) for place in holders.get(word, ()))
        for place, count in held.items():
            if count / sizes[place] >= HELD:
                scored.append((count / sizes[place], -abs(number - place), number, place))
    scored.sort(reverse=True)
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for *_, number, place in scored:
        if number not in pairs and place not in taken:
            pairs[number] = place
            taken.add(place)
    return list(pairs.items())


@dataclass(frozen=True)
class Comparison:
    """A shown table beside the true one. Fields and columns go by their number."""

    key: TableKey
    shown: ShownTable
    pairs: Sequence[tuple[int, int]]  # which found record is which true one
    filled: Counter[int]  # by column, the cells that have a value
    true: Counter[int]  # by field, the values
    hits: Counter[tuple[int, int]]  # by column and field, the values of the field that stand in the column
    column_of: dict[int, int] = field(default_factory=dict)  # by field, the column that serves it, if any does

    @property
    def wanted(self) -> list[int]:
        """The fields that are not optional."""
        return [number for number, each in enumerate(self.key.fields) if not each.optional]

    @property
    def spare(self) -> set[int]:
        """The columns that count neither way: those of optional fields, and headings over groups of records."""
        used = set(self.column_of.values())
        headings = {column for column, name in enumerate(self.shown.columns) if plain(name) in SECTIONS}
        optional = {column for number, column in self.column_of.items() if self.key.fields[number].optional}
        return (headings - used) | optional

    def right(self, number: int) -> int:
        """How many values of a field stand in the column that serves it."""
        return self.hits[self.column_of[number], number] if number in self.column_of else 0

    def is_named(self, number: int) -> bool:
        """Whether a field is served by a column with a name that fits."""
        return number in self.column_of and self.key.fields[number].accepts(self.shown.columns[self.column_of[number]])


def compare(shown: ShownTable, key: TableKey) -> Comparison:
    """Pair the records, count which values stand in which columns, and give every field its column.

    The most values come first; of columns with equally many the one whose name fits, then the one that has the least
    beside them. A column serves one field.

    >>> key = TableKey([Field("name"), Field("price")], [["Cup", "3 EUR"], ["Pot", "8 EUR"]])
    >>> shown = ShownTable(["text", "cost", "button"], [["Cup", "3 EUR", "buy"], ["Pot", "8 EUR", "buy"]])
    >>> compare(shown, key).column_of
    {0: 0, 1: 1}
    """
    wanted = [number for number, each in enumerate(key.fields) if not each.optional]
    pairs = paired(shown.records, [[record[number] for number in wanted] for record in key.records])
    rows = [[words_of(cell) for cell in record] for record in shown.records]
    values = [[words_of(cell) for cell in record] for record in key.records]
    counted = {number for number, _ in pairs} if key.goes_on else range(len(rows))
    filled = Counter(column for number in counted for column, cell in enumerate(rows[number]) if cell)
    true = Counter(number for record in values for number, value in enumerate(record) if value)
    hits = Counter(
        (column, number)
        for found, place in pairs
        for number, value in enumerate(values[place])
        for column, cell in enumerate(rows[found])
        if is_value(cell, value)
    )

    def rank(served: tuple[int, int]) -> tuple[int, bool, bool, int, tuple[int, int]]:
        column, number = served
        wanted = key.fields[number]
        return -hits[served], wanted.optional, not wanted.accepts(shown.columns[column]), filled[column], served

    column_of: dict[int, int] = {}
    for column, number in sorted(hits, key=rank):
        if number not in column_of and column not in column_of.values():
            column_of[number] = column
    return Comparison(key, shown, pairs, filled, true, hits, column_of)
