"""Partial tree alignment (PTA, Zhai & Liu 2005): symbols of the nodes of records, their slots, and their items.

`spans` are records, runs of whole subtrees: of each the first node, and the node after its last one. All functions
raise ValueError for those that are none, and for arrays that differ in length. "All nodes" are those of all records,
record by record. A tree is an array of four rows: tag, parent (-1 at the top), symbol and size of its slots, in
document order.
"""

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from fastwrap.page.arrays import Int32Array

Cell = str | list[str | None] | None
T = TypeVar("T")

LIMITS: dict[str, int]
"""The budgets of a call by name, and the bits that say that they were met."""

def learn(
    tag: Int32Array,
    size: Int32Array,
    parent: Int32Array,
    attribute_start: Int32Array,
    attribute_name: Int32Array,
    value_start: Int32Array,
    values: bytes,
    text_start: Int32Array,
    text: bytes,
    styles: Int32Array,
    spans: Int32Array,
    wanted: Int32Array,
    first_data: int,
    alternative: int,
    names: dict[int, str],
    most_data: int,
    traits: npt.NDArray[np.uint8],
    line_break: int,
    link: int,
    class_name: int,
    style_name: int,
    enough: int,
    budget: int,
    most_filled: int,
    cells: int,
    longest: int,
) -> tuple[Int32Array, Int32Array, Int32Array, list[list[Cell]], list[int], list[tuple[int, int]], int, int]:
    """The template of records, and their table: `(slots, tree, places, rows, data, split, lists, limits)`.

    `slots` has the slot of a grown tree that each of all nodes is placed in. `tree` has eight rows: tag, parent, symbol
    and size of its slots, then those of the foldings below: into, unit, list and repeats.

    Symbols. What nodes of one tag are told apart by, in numbers that mean the same on every page. An element has a hash
    of its class and style attribute, 0 if it has neither; `styles` has a number for each pair of these on this page. A
    text has a hash of what it says if `enough` records have it; else 0. The symbol of a slot is that of its first node.

    Slots. No two nodes of a record are in one slot; nodes of a slot have the same tag, parents of a slot, and, within a
    record, the order of their slots. The record with most texts is placed first. A record is mapped into the tree so
    that the mapping is heaviest (2 a pair of nodes, 3 if their symbols are equal and not 0), and of several such
    mappings the one farthest to the left. A run of siblings without partners is inserted between the partners of its
    neighbours if these adjoin; a record for which they do not is placed again when all others are, and then, if need
    be, right after the left one. Equal records are placed once. `budget` bounds the cells of all tables; a record that
    exceeds it is mapped by tags alone, from left to right.

    Foldings. `into` is the slot that the items of a slot go to, itself for most; `unit` the number of the list that a
    slot begins a unit of, -1 for most. Like siblings (same tag and symbol, only texts and line breaks between them) are
    a list if some record has at least 3 of them, records differ in their number, and not 60% of those that have any
    have the same number above 1; unless their tag has the trait 2 (cell), or they have names of their own (texts with a
    symbol that end with a colon). Its units are aligned as records are: what is alike goes to the first slot that has
    it. `repeats` is, for a slot of a list, the sibling that further ones like it go to.

    A line is a run of siblings that are texts or, without symbol, elements with the trait 1 (formatting), `link`
    elements that fewer than 30% of the records have, with only such below, and no names; `line_break` elements are
    between lines. Its texts are joined if at least half of the records have text outside elements in it, and they fill
    it in at least 3 ways, of which none is that of 90%. All lines of a run are joined if the records fill them in at
    least 3 ways, of which none is that of half of them. Nothing is folded if there are more than `most_filled` records
    times slots.

    Columns. Items are texts, and attributes that are not empty: the `wanted` ones, and those called data-... in
    `names`, at most `most_data`, whose numbers are `data`. Of each column, in ascending order, `places` has the slot,
    the kind (the place of the attribute among these; texts come after them) and the list that it is in. Attributes
    from `first_data` on are items only if they are not JSON, at least half as many as records, and not all the same.
    The rows are those of `Reader.read`. If there are more than `cells` records times columns, columns with the fewest
    items are left out.

    `split` has the columns whose texts may be split, and how: bits for the separators that 90% have equally often
    (`|`, `;`, `(`, `)`, `[`, `]`, comma, dash, slash, tilde, `::`, and others), bit 12 if they begin with the same
    words; none if they have more than `longest` bytes on average. Bit 13: the first of the kind `alternative` is the
    name of a file.

    `limits` are the bits of the budgets that were met; see LIMITS.
    """

def transposed(rows: list[list[T]], width: int) -> list[list[T]]:
    """The columns of rows that have so many entries each, or the rows of such columns.

    >>> transposed([[1, 2], [3, 4], [5, 6]], 2)
    [[1, 3, 5], [2, 4, 6]]
    """

def nested(rows: list[list[Any]], groups: list[list[int]]) -> list[list[Any]]:
    """Rows in which the columns of each group are one: entries that have several values are rows themselves.

    >>> nested([["a", ["b", "c"], ["d", None]], ["e", None, None]], [[0], [1, 2]])
    [['a', [['b', 'd'], ['c', None]]], ['e', None]]
    """

class Reader:
    """Reads the records of pages by a template: keeps what depends on it alone, and the slots of records like others.

    `tree` is a tree, which needs no sizes here. `repeats` has, for a slot of a list, the sibling of the same tag that
    further nodes like those of the slot go to, if a record has more of them than there are slots; -1 for other slots.
    `labels` are the symbols of texts that many records have; they ascend. `column_of` has the column of each slot and
    kind (the place of the attribute in `wanted`; texts come after these), or -1; `unit` the list that a node of a slot
    begins a unit of, or -1; `list_of` the list that each column is in, or -1.

    It may be used by several threads.
    """

    def __init__(
        self,
        tree: Int32Array,
        repeats: Int32Array,
        labels: Int32Array,
        wanted: Int32Array,
        column_of: Int32Array,
        unit: Int32Array,
        list_of: Int32Array,
        class_name: int,
        style_name: int,
    ) -> None: ...
    def read(
        self,
        tag: Int32Array,
        size: Int32Array,
        parent: Int32Array,
        attribute_start: Int32Array,
        attribute_name: Int32Array,
        value_start: Int32Array,
        values: bytes,
        text_start: Int32Array,
        text: bytes,
        spans: Int32Array,
        budget: int,
    ) -> tuple[Int32Array, list[list[Cell]], int]:
        """The slot of the tree that each of all nodes is placed in, by the heaviest mapping (see `learn`), or -1; for
        each record one text a column, None where there is none; and the bits of the budgets that were met.

        Equal records are placed once, and those that are equal but for symbols that no slot of the path has are equal.
        Several texts of one record in a column are joined by a space. A column whose `list_of` is not -1 has a list
        instead, of one text or None for each node of the record in a slot that begins a unit of that list.
        """
