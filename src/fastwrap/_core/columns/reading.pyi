"""Reads the records of pages by a template."""

from fastwrap._core.columns.presenting import Presenter
from fastwrap._core.common.page import NativePage
from fastwrap.columns.records import Cell
from fastwrap.page.arrays import Int32Array

class Reader:
    """Keeps what depends on the template alone, and the slots of records like others. Threads may share it.

    `tree` has rows of tags, parents (-1 at the top) and symbols of the slots, in document order. `repeats` has, for a
    slot of a list, the sibling of the same tag that further nodes like those of the slot go to, if a record has more of
    them than there are slots; -1 for other slots. `labels` are the symbols of texts that many records have; they
    ascend. `column_of` has the column of each slot and kind (the place of the attribute in `attributes`; texts come
    after these), or -1, and for an element the column of further texts in it, those that have no slot; `unit` the list
    that a node of a slot begins a unit of, or -1; `list_of` the list that each column is in, or -1. ValueError for
    numbers that point out of the arrays.
    """

    def __init__(
        self, tree: Int32Array, repeats: Int32Array, labels: Int32Array, attributes: Int32Array, column_of: Int32Array,
        unit: Int32Array, list_of: Int32Array,
    ) -> None: ...  # fmt: skip
    def read(
        self, native: NativePage, spans: Int32Array, budget: int, presenter: Presenter | None = None
    ) -> tuple[Int32Array, list[list[Cell]], tuple[str, ...]]:
        """The slot of the tree that each node of all records is placed in, by the heaviest mapping (see
        `learning.learn`), or -1; for each record one text per column, None where there is none; and the limits met.

        Equal records are placed once, and those that are equal but for symbols that no slot of the path has are equal.
        Several texts of one record in a column are joined by a space. A column whose `list_of` is not -1 has a list
        instead, of one text or None for each node of the record in a slot that begins a unit of that list. With a
        presenter, the rows are those that it makes of these. ValueError for spans that are no runs of whole subtrees,
        and for a presenter of items that there are not.
        """
