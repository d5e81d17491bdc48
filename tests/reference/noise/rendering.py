"""Rendering in plain Python: the twin of `fastwrap._core.noise.rendering`.
What is between two blocks is told by their ancestors, and what is a grid by looking at each table by itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap._core.common.page import NativePage
from fastwrap._core.noise import rendering as kernel
from fastwrap._core.noise.rendering import DETAILS, INLINE, ITEM, LINE, NOTHING, PART, ROW, SPACE, TAB, TABLE, TWO_LINES
from fastwrap.page.arrays import TOUCHES, Int32Array
from fastwrap.page.names import NO_NODE, TAG_NUMBER, TEXT

LIKE_ITEMS = (ITEM, DETAILS, ROW)
MOST_AROUND = 8
WRITTEN = {NOTHING: b"", SPACE: b" ", TAB: b"\t", LINE: b"\n", TWO_LINES: b"\n\n"}
GOES_ON = re.compile(rb"[)\]]|[.,:;!?](?:$|[ )\"\x80-\xff])|(?:'|\xe2\x80\x99)s(?:$| )")
WIDE = re.compile(rb"(?s:[\xe3-\xe9]..|\xef[\xbc\xbd].)")


class Place(NamedTuple):
    """Where a block stands."""

    around: list[int]
    """The elements that were opened around it, outermost first."""
    table: int = NO_NODE
    row: int = NO_NODE
    cell: int = NO_NODE


class Rendering:
    """Blocks of a page."""

    def __init__(self, native: NativePage, starts: Int32Array, ends: Int32Array, kinds: bytes) -> None:
        arrays = native.node_arrays
        self.tag, self.parent, self.size = arrays.tag.tolist(), arrays.parent.tolist(), arrays.size.tolist()
        self.text_start, self.text = arrays.text_start.tolist(), arrays.text
        self.spans = list(zip(starts.tolist(), ends.tolist(), strict=True))
        self.kind = [kinds[min(tag, len(kinds) - 1)] for tag in self.tag]
        reached = 0
        for block, (start, end) in enumerate(self.spans):
            if not reached <= start < end <= len(self.tag):
                raise ValueError(f"block {block} is not within the page, or begins before the one before it ends")
            reached = end
        self.places = self.read_places()
        self.around_by_block = [place.around for place in self.places]
        self.own_blocks = Counter(
            next((node for node in reversed(place.around) if self.kind[node] in LIKE_ITEMS), NO_NODE)
            for place in self.places
        )
        """By item, how many blocks have it as their innermost one."""
        self.grids = {table for table in {place.table for place in self.places} - {NO_NODE} if self.is_grid(table)}

    def end(self, node: int) -> int:
        end: int = node + self.size[node]
        return end

    def read_places(self) -> list[Place]:
        """The elements around each block, and its innermost cell."""
        found: list[Place] = []
        around: list[int] = []
        reached = 0
        for start, end in self.spans:
            around = [node for node in around if self.end(node) > start]
            ancestors = []
            node = self.parent[start]
            while node != NO_NODE:
                ancestors.append(node)
                node = self.parent[node]
            known = set(around)
            around = around + [
                node for node in reversed(ancestors)
                if node >= reached and node not in known and self.kind[node] != INLINE
            ]  # fmt: skip
            found.append(Place(around, *self.cell_of(around)))
            reached = end
        return found

    def cell_of(self, around: list[int]) -> tuple[int, int, int]:
        """The table, the row and the cell that a block is in: the innermost ones, if they are within each other."""
        places = [max((at for at, node in enumerate(around) if self.kind[node] == kind), default=NO_NODE)
                  for kind in (TABLE, ROW, kernel.CELL)]  # fmt: skip
        if places[0] == NO_NODE or not places[0] < places[1] < places[2]:
            return NO_NODE, NO_NODE, NO_NODE
        return around[places[0]], around[places[1]], around[places[2]]

    def is_grid(self, table: int) -> bool:
        """Whether a table is set in lines."""
        cells: dict[int, int] = {}
        rows: dict[int, set[int]] = {}
        for place in self.places:
            if place.table == table:
                cells[place.cell] = cells.get(place.cell, 0) + 1
                rows.setdefault(place.row, set()).add(place.cell)
            if table in place.around:
                inside = place.around[place.around.index(table) + 1 :]
                in_cell = False
                for node in inside:
                    if in_cell and self.kind[node] in (kernel.APART, kernel.VERBATIM, TABLE):
                        return False
                    if self.kind[node] == TABLE:
                        break  # in the caption of another table, say: that one has cells of its own
                    in_cell = in_cell or self.kind[node] == kernel.CELL
        return max(map(len, rows.values())) > 1 and max(cells.values()) <= kernel.MOST_LINES

    def edge(self, node: int, around: Iterable[int]) -> int:
        """What the edge of an element is, within others."""
        if self.kind[node] in (kernel.PARAGRAPH, kernel.APART, kernel.VERBATIM):
            return TWO_LINES
        is_narrow = any(self.kind[other] in (ITEM, DETAILS, kernel.VERBATIM) for other in around)
        return LINE if self.kind[node] == PART or self.kind[node] in LIKE_ITEMS or is_narrow else TWO_LINES

    def between(self, block: int) -> int:
        """What is before a block, if there were no grids."""
        start = self.spans[block][0]
        node = self.spans[block - 1][1]
        before, around = self.around_by_block[block - 1], self.around_by_block[block]
        found = LINE
        for place in range(len(before) - 1, -1, -1):
            closed = before[place]
            if self.end(closed) <= start:
                node = max(node, self.end(closed))
                if self.kind[closed] in LIKE_ITEMS:
                    found = TWO_LINES if self.own_blocks[closed] > 1 else LINE
                else:
                    found = max(found, self.edge(closed, before[:place]))
        breaks = 0
        passed_item = False
        while node < start:
            if self.end(node) <= start:
                if self.kind[node] == kernel.BREAK:
                    breaks += 1
                elif self.kind[node] != INLINE and not passed_item:
                    found = max(found, self.edge(node, [other for other in around if other < node]))
                node = self.end(node)
                continue
            if self.kind[node] != INLINE:
                is_item = self.kind[node] in LIKE_ITEMS
                if not passed_item:
                    found = max(found, self.edge(node, [other for other in around if other < node]))
                passed_item = passed_item or is_item
                if self.kind[node] in (ITEM, ROW) and self.own_blocks[node] > 1:
                    found = TWO_LINES
            node += 1
        return TWO_LINES if breaks > 1 else found

    def before(self, block: int) -> int:
        """What is before a block."""
        place, earlier = self.places[block], self.places[block - 1]
        if block == 0:
            return LINE
        if place.table in self.grids and place.table == earlier.table:
            return LINE if place.row != earlier.row else TAB if place.cell != earlier.cell else SPACE
        return self.between(block)

    def in_grid(self, block: int) -> bool:
        return self.places[block].table in self.grids

    # Texts

    def joints(self, block: int) -> list[tuple[int, int]]:
        """The texts of a block, each with what is before it."""
        found: list[tuple[int, int]] = []
        breaks = 0
        for node in range(*self.spans[block]):
            if self.tag[node] == TEXT:
                between = LINE if breaks == 1 else TWO_LINES
                if not found:
                    between = NOTHING
                elif not breaks:
                    between = self.joint(found[-1][0], node)
                found.append((node, between))
                breaks = 0
            else:
                breaks += self.kind[node] == kernel.BREAK
        return found

    def text_of(self, node: int) -> bytes:
        """The text of a text, and the byte behind it."""
        return self.text[self.text_start[node] : self.text_start[node + 1]]

    def joint(self, before: int, node: int) -> int:
        """What is between two texts of a line."""
        first, second = self.text_of(before), self.text_of(node)[:-1]
        if first.endswith(TOUCHES):
            return NOTHING
        first = first[:-1]
        if not first or not second:
            return SPACE
        if first.endswith((b"(", b"[")) or GOES_ON.match(second):
            return NOTHING
        both_wide = len(first) > 2 and WIDE.fullmatch(first[-3:]) and WIDE.fullmatch(second[:3])
        return NOTHING if both_wide and not (self.is_linked(before) and self.is_linked(node)) else SPACE

    def is_linked(self, node: int) -> bool:
        """Whether a text is in a link, not far around it."""
        for _ in range(MOST_AROUND):
            node = self.parent[node]
            if node == NO_NODE or self.kind[node] != INLINE:
                return False
            if self.tag[node] == TAG_NUMBER["a"]:
                return True
        return False


def places(
    native: NativePage, starts: Int32Array, ends: Int32Array, kinds: bytes
) -> tuple[bytes, Int32Array, Int32Array, Int32Array]:
    """For each block what is before it, and where it is."""
    rendering = Rendering(native, starts, ends, kinds)
    count = len(rendering.spans)
    cells = [
        [rendering.places[block][part] if rendering.in_grid(block) else NO_NODE for block in range(count)]
        for part in (1, 2, 3)
    ]
    table, row, cell = (np.array(nodes, dtype=np.int32) for nodes in cells)
    return bytes(rendering.before(block) for block in range(count)), table, row, cell


def joints(
    native: NativePage, starts: Int32Array, ends: Int32Array, kinds: bytes
) -> tuple[Int32Array, npt.NDArray[np.uint8]]:
    """The texts of all blocks, and what is before each."""
    rendering = Rendering(native, starts, ends, kinds)
    found = [each for block in range(len(rendering.spans)) for each in rendering.joints(block)]
    return (
        np.array([node for node, _ in found], dtype=np.int32), np.array([before for _, before in found], dtype=np.uint8)
    )  # fmt: skip


def text(
    native: NativePage, starts: Int32Array, ends: Int32Array, kinds: bytes, verbatim: list[tuple[int, int, bytes]]
) -> str:
    """The text of all blocks, and what is written in place of some."""
    rendering = Rendering(native, starts, ends, kinds)
    written = []
    others = {first: said for first, _, said in verbatim}
    left_out = {block for first, last, _ in verbatim for block in range(first, last + 1)} - others.keys()
    for block in range(len(rendering.spans)):
        if block in left_out:
            continue
        if block:
            written.append(WRITTEN[rendering.before(block)])
        if block in others:
            written.append(others[block])
            continue
        for node, between in rendering.joints(block):
            written.append(WRITTEN[min(between, SPACE) if rendering.in_grid(block) else between])
            written.append(rendering.text_of(node)[:-1])
    return b"".join(written).decode("utf-8", "replace")
