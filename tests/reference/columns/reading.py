"""Reading records by a template in plain Python: the oracle of `fastwrap._core.columns.reading`."""

from __future__ import annotations

import numpy as np

from fastwrap._core.columns.presenting import Presenter
from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE, TEXT
from tests.reference.columns.alignment import GrownTree, Slot, alike, checked_spans
from tests.reference.columns.items import MAX_KINDS, Items
from tests.reference.columns.symbols import style_symbol, text_symbol
from tests.reference.columns.table import Cell, read_rows


class Reader:
    """Reads the records of pages by a template."""

    def __init__(
        self,
        tree: Int32Array,
        repeats: Int32Array,
        labels: Int32Array,
        attributes: Int32Array,
        column_of: Int32Array,
        unit: Int32Array,
        list_of: Int32Array,
    ) -> None:
        count = tree.shape[1]
        if (
            len(tree) < 3
            or any(len(part) != count for part in (repeats, column_of, unit))
            or column_of.shape[1] != len(attributes) + 1
        ):
            raise ValueError("arrays that belong together differ in length")
        if len(attributes) > MAX_KINDS:
            raise ValueError(f"more than {MAX_KINDS} attributes are wanted")
        self.rows, self.again = tree[:3].T.tolist(), repeats.tolist()
        for number, row in enumerate(self.rows):
            if not NO_NODE <= row[1] < number:
                raise ValueError(f"slot {number} is not in document order")
            other = self.again[number]
            if other != NO_NODE and not (0 <= other < count and self.rows[other][:2] == row[:2]):
                raise ValueError(f"slot {number} is not repeated by one of its siblings")
        if column_of.size and not (column_of.min() >= NO_NODE and column_of.max() < len(list_of)):
            raise ValueError("a column is not within the table")
        if unit.min(initial=NO_NODE) < NO_NODE or list_of.min(initial=NO_NODE) < NO_NODE:
            raise ValueError("there is no such list")
        self.labels = set(labels.tolist())
        self.order = attributes.tolist()
        self.column_of, self.unit, self.list_of = column_of, unit, list_of

    def read(
        self, native: NativePage, spans: Int32Array, budget: int, presenter: Presenter | None = None
    ) -> tuple[Int32Array, list[list[Cell]], tuple[str, ...]]:
        """The slots of all nodes of all records, the table, and the limits."""
        items, page = Items(native), native.node_arrays
        records = checked_spans(page.size, spans)
        grown = GrownTree(page.tag.tolist(), page.size.tolist(), page.parent.tolist(), budget)
        node_tags, grown.tag = grown.tag, [row[0] for row in self.rows]  # `add` takes tags of nodes: those of the tree
        slots: list[Slot] = []
        for number, row in enumerate(self.rows):
            above = grown.root if row[1] == NO_NODE else slots[row[1]]
            slots.append(grown.add(number, row[2], above, len(above.children)))
            slots[-1].number = number
        grown.tag = node_tags
        more = {slots[number]: slots[other] for number, other in enumerate(self.again) if other != NO_NODE}
        like, own_symbols = alike(grown, records, self.symbols(items, grown, records, more))
        placed = {record: grown.fit(*records[record], own_symbols[record], more) for record in sorted(set(like))}
        numbers = [NO_NODE if slot is None else slot.number for record in like for slot in placed[record]]
        rows = read_rows(items, self.order, records, numbers, self.column_of, self.unit, self.list_of)
        if presenter is not None:
            rows = presenter.rows(rows)
        return np.array(numbers, dtype=np.int32), rows, ("columns.alignment",) if grown.exceeded else ()

    def symbols(
        self, items: Items, grown: GrownTree, records: list[tuple[int, int]], more: dict[Slot, Slot]
    ) -> list[int]:
        """The symbols of all nodes: 0 for those that no symbol tells apart."""
        telling = {
            path
            for path, slots in enumerate(grown.slots_of)
            if any(slot.symbol != 0 or (slot in more and slot.tag != TEXT) for slot in slots)
        }
        found = []
        for first, last in records:
            path: dict[int, int] = {}
            for node in range(first, last):
                up = grown.parent[node]
                key = path[up] if up >= first else 0, grown.tag[node]
                path[node] = grown.path_number.get(key, NO_NODE)
                if path[node] not in telling:
                    found.append(0)
                elif grown.tag[node] != TEXT:
                    found.append(style_symbol(items, node))
                else:
                    symbol = text_symbol(items, node)
                    found.append(symbol if symbol in self.labels else 0)
        return found
