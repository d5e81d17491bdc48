"""Rendering: the text of blocks of a page, with the line breaks and tabs that a reader expects between them.
One pass over the nodes around the blocks; what is below elements that hold no block is never looked at."""

from cpython.bytes cimport PyBytes_AS_STRING
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from fastwrap._core.common.buffers cimport data_of, held, held_numbers
from fastwrap._core.common.names cimport KNOWN_TAGS, TAG_A, TEXT
from fastwrap._core.common.page cimport NO_NODE, TOUCHES, NativePage, PageArrays, subtree_end
from fastwrap._core.common.scratch cimport numbers, piece, put_back, reserve, take

import numpy as np

cdef object empty = np.empty, INT32 = np.dtype(np.int32)

cdef enum:
    # Kinds of element, see `rendering.pyi`.
    IS_INLINE
    IS_BREAK
    IS_DIVISION
    IS_PARAGRAPH
    IS_APART
    IS_VERBATIM
    IS_ITEM
    IS_DETAILS
    IS_TABLE
    IS_PART
    IS_ROW
    IS_CELL

cdef enum:
    # What is between two texts, or two blocks; the larger one wins.
    IS_NOTHING
    IS_SPACE
    IS_TAB
    IS_LINE
    IS_TWO_LINES

cdef enum:
    MOST_IN_A_CELL = 8      # blocks of a cell that is set in one line: what has more is no cell of data
    MOST_AROUND = 8         # elements around a text that are looked at for a link
    NO_BLOCK = -1
    NONE_OPEN = -1

INLINE, BREAK, DIVISION, PARAGRAPH, APART, VERBATIM = (
    IS_INLINE, IS_BREAK, IS_DIVISION, IS_PARAGRAPH, IS_APART, IS_VERBATIM)
ITEM, DETAILS, TABLE, PART, ROW, CELL = IS_ITEM, IS_DETAILS, IS_TABLE, IS_PART, IS_ROW, IS_CELL
NOTHING, SPACE, TAB, LINE, TWO_LINES = IS_NOTHING, IS_SPACE, IS_TAB, IS_LINE, IS_TWO_LINES
MOST_LINES = MOST_IN_A_CELL


cdef struct Open:
    # An element around the block that is looked at.
    int32_t node
    int32_t end             # the node after its last one
    uint8_t kind
    bint is_grid            # of a table, as far as is known
    int32_t blocks          # of an item, a row, a cell: its own; of a table: the most cells of a row that have some
    int32_t cells           # of a row: its cells with blocks
    int32_t before          # the block before which the element begins; of a table: the last one in its cells
    int32_t around          # the table, row or cell that one of these is within, as a place in the stack
    int32_t item_around     # the same of what is like an item


cdef struct Blocks:
    const PageArrays *page
    const uint8_t *kinds
    int32_t count
    const int32_t *starts
    const int32_t *ends
    uint8_t *before         # [count] what is before each block; in cells, until all is known, as if there was no grid
    int32_t *table          # [count] the grid, ...
    int32_t *row            # ... the row and ...
    int32_t *cell           # ... the cell that it is in; NO_NODE for none
    int32_t *earlier        # [count] the block in the same grid that comes before it
    # The elements that are open.
    Open *stack
    int64_t room
    int32_t open            # how many there are
    int32_t in_table, in_row, in_cell, in_item      # the innermost ones, as places in the stack
    int32_t narrow          # how many elements are open in which divisions are lines


cdef inline uint8_t kind_of(const Blocks *blocks, int32_t node) noexcept nogil:
    return blocks.kinds[min(blocks.page.tag[node], KNOWN_TAGS)]


cdef inline bint is_like_an_item(uint8_t kind) noexcept nogil:
    return kind == IS_ITEM or kind == IS_DETAILS or kind == IS_ROW


cdef inline uint8_t edge_of(const Blocks *blocks, uint8_t kind) noexcept nogil:
    """What the edge of an element is."""
    if kind == IS_PARAGRAPH or kind == IS_APART or kind == IS_VERBATIM:
        return IS_TWO_LINES
    return IS_LINE if kind == IS_PART or is_like_an_item(kind) or blocks.narrow else IS_TWO_LINES


cdef void no_grid(Blocks *blocks, int32_t place) noexcept nogil:
    """Take a table for one that only arranges what is in it; each block of its cells is passed once."""
    cdef int32_t block
    if place == NONE_OPEN or not blocks.stack[place].is_grid:
        return
    blocks.stack[place].is_grid = False
    block = blocks.stack[place].before
    while block != NO_BLOCK:
        blocks.table[block] = blocks.row[block] = blocks.cell[block] = NO_NODE
        block = blocks.earlier[block]


cdef uint8_t close(Blocks *blocks, uint8_t so_far) noexcept nogil:
    """Close the innermost element; what is between the blocks before and after its end."""
    cdef Open *element
    blocks.open -= 1
    element = &blocks.stack[blocks.open]
    if is_like_an_item(element.kind):
        blocks.in_item = element.item_around
        if element.kind == IS_ROW:
            blocks.in_row = element.around
            if blocks.in_table != NONE_OPEN:
                blocks.stack[blocks.in_table].blocks = max(blocks.stack[blocks.in_table].blocks, element.cells)
        else:
            blocks.narrow -= 1
        # What ended at the edge of the item, a paragraph say, is no more than the end of the item.
        return IS_TWO_LINES if element.blocks > 1 else IS_LINE
    if element.kind == IS_TABLE:
        if element.blocks < 2:
            no_grid(blocks, blocks.open)
        blocks.in_table = element.around
    elif element.kind == IS_CELL:
        blocks.in_cell = element.around
    elif element.kind == IS_VERBATIM:
        blocks.narrow -= 1
    return max(so_far, edge_of(blocks, element.kind))


cdef int open_element(Blocks *blocks, int32_t node, uint8_t kind, int32_t block) except -1 nogil:
    """Open an element that holds a block, the first one after its start."""
    cdef Open *element
    reserve(<void **>&blocks.stack, &blocks.room, blocks.open + 1, sizeof(Open))
    element = &blocks.stack[blocks.open]
    element.node = node
    element.end = subtree_end(blocks.page, node)
    element.kind = kind
    element.blocks = element.cells = 0
    element.before = block
    if is_like_an_item(kind):
        element.item_around = blocks.in_item
        blocks.in_item = blocks.open
        if kind == IS_ROW:
            element.around = blocks.in_row
            blocks.in_row = blocks.open
        else:
            blocks.narrow += 1
    elif kind == IS_TABLE:
        element.is_grid = True
        element.before = NO_BLOCK
        element.around = blocks.in_table
        if blocks.in_table != NONE_OPEN and blocks.in_cell > blocks.in_table:
            no_grid(blocks, blocks.in_table)
        blocks.in_table = blocks.open
    elif kind == IS_CELL:
        element.around = blocks.in_cell
        blocks.in_cell = blocks.open
    elif kind == IS_APART or kind == IS_VERBATIM:
        blocks.narrow += kind == IS_VERBATIM
        if blocks.in_cell > blocks.in_table:
            no_grid(blocks, blocks.in_table)
    blocks.open += 1
    return 0


cdef void stand_in_cell(Blocks *blocks, int32_t block) noexcept nogil:
    """Note the cell of a block, if it is in one of the innermost table."""
    cdef Open *table
    cdef Open *row
    cdef Open *cell
    if blocks.in_table == NONE_OPEN or not blocks.in_table < blocks.in_row < blocks.in_cell:
        return
    table, row = &blocks.stack[blocks.in_table], &blocks.stack[blocks.in_row]
    cell = &blocks.stack[blocks.in_cell]
    row.cells += cell.blocks == 0
    cell.blocks += 1
    if not table.is_grid:
        return
    blocks.table[block], blocks.row[block], blocks.cell[block] = table.node, row.node, cell.node
    blocks.earlier[block] = table.before
    table.before = block
    if cell.blocks > MOST_IN_A_CELL:
        no_grid(blocks, blocks.in_table)


cdef int place_block(Blocks *blocks, int32_t block) except -1 nogil:
    """Go from the block before to this one, and note what is between them."""
    cdef int32_t node = blocks.ends[block - 1] if block else 0, start = blocks.starts[block], end, breaks = 0
    cdef uint8_t between = IS_LINE, kind
    cdef bint in_new_item = False
    cdef Open *item
    while blocks.open and blocks.stack[blocks.open - 1].end <= start:
        node = max(node, blocks.stack[blocks.open - 1].end)
        between = close(blocks, between)
    while node < start:
        kind, end = kind_of(blocks, node), subtree_end(blocks.page, node)
        if end <= start:
            # It holds no block.
            if kind == IS_BREAK:
                breaks += 1
            elif kind != IS_INLINE and not in_new_item:
                between = max(between, edge_of(blocks, kind))
            node = end
            continue
        if kind != IS_INLINE:
            if not in_new_item:
                between = max(between, edge_of(blocks, kind))
            in_new_item |= is_like_an_item(kind)
            open_element(blocks, node, kind, block)
        node += 1
    blocks.before[block] = IS_TWO_LINES if breaks > 1 else between
    blocks.table[block] = blocks.row[block] = blocks.cell[block] = NO_NODE
    if blocks.in_item != NONE_OPEN:
        item = &blocks.stack[blocks.in_item]
        item.blocks += 1
        if item.blocks == 2 and item.kind != IS_DETAILS:
            blocks.before[item.before] = IS_TWO_LINES
    stand_in_cell(blocks, block)
    return 0


cdef int place_all(Blocks *blocks) except -1 nogil:
    """Fill in what is before each block, and where it is."""
    cdef int32_t block
    for block in range(blocks.count):
        place_block(blocks, block)
    while blocks.open:
        close(blocks, IS_LINE)
    if blocks.count:
        blocks.before[0] = IS_LINE
    for block in range(1, blocks.count):
        if blocks.table[block] != NO_NODE and blocks.table[block] == blocks.table[block - 1]:
            blocks.before[block] = (IS_LINE if blocks.row[block] != blocks.row[block - 1]
                                    else IS_TAB if blocks.cell[block] != blocks.cell[block - 1] else IS_SPACE)
    return 0


cdef int open_blocks(Blocks *blocks, NativePage native, starts, ends, kinds) except -1:
    """Take over arrays that the caller keeps alive; ValueError for what is no blocks."""
    cdef int32_t block, reached = 0
    blocks.page = &native.arrays
    blocks.kinds = <const uint8_t *>held(kinds, KNOWN_TAGS + 1, 1)
    blocks.count = len(starts)
    blocks.starts = held_numbers(starts, blocks.count)
    blocks.ends = held_numbers(ends, blocks.count)
    for block in range(blocks.count):
        if not reached <= blocks.starts[block] < blocks.ends[block] <= blocks.page.count:
            raise ValueError(f"block {block} is not within the page, or begins before the one before it ends")
        reached = blocks.ends[block]
    blocks.stack = NULL
    blocks.room = 0
    blocks.open = blocks.narrow = 0
    blocks.in_table = blocks.in_row = blocks.in_cell = blocks.in_item = NONE_OPEN
    return 0


def joints(NativePage native not None, starts not None, ends not None, kinds not None):
    """The texts of all blocks, and what is before each; see `rendering.pyi`."""
    cdef Blocks blocks
    cdef int32_t block, node, breaks, last, count = 0
    cdef int32_t *nodes
    cdef uint8_t *between
    open_blocks(&blocks, native, starts, ends, kinds)
    for block in range(blocks.count):
        count += blocks.ends[block] - blocks.starts[block]
    texts, before = empty(count, INT32), np.empty(count, np.uint8)
    nodes, between = <int32_t *>data_of(texts), <uint8_t *>data_of(before)
    count = 0
    with nogil:
        for block in range(blocks.count):
            last = NO_NODE
            breaks = 0
            for node in range(blocks.starts[block], blocks.ends[block]):
                if blocks.page.tag[node] == TEXT:
                    nodes[count] = node
                    between[count] = IS_NOTHING if last == NO_NODE else before_text(&blocks, last, node, breaks)
                    count += 1
                    last = node
                    breaks = 0
                else:
                    breaks += kind_of(&blocks, node) == IS_BREAK
    return texts[:count], before[:count]


def places(NativePage native not None, starts not None, ends not None, kinds not None):
    """What is before each block, and where it is; see `rendering.pyi`."""
    cdef Blocks blocks
    open_blocks(&blocks, native, starts, ends, kinds)
    before = np.empty(blocks.count, np.uint8)
    table, row, cell = (empty(blocks.count, INT32) for _ in range(3))
    blocks.before = <uint8_t *>data_of(before)
    blocks.table = <int32_t *>data_of(table)
    blocks.row = <int32_t *>data_of(row)
    blocks.cell = <int32_t *>data_of(cell)
    blocks.earlier = <int32_t *>take((<size_t>blocks.count + 1) * sizeof(int32_t))
    try:
        with nogil:
            place_all(&blocks)
    finally:
        free(blocks.stack)
        put_back(blocks.earlier)
    return before.tobytes(), table, row, cell


cdef inline bint is_wide(const unsigned char *character) noexcept nogil:
    """Whether a character of three bytes is one of Chinese or Japanese, which are written without spaces."""
    return 0xE3 <= character[0] <= 0xE9 or (character[0] == 0xEF and 0xBC <= character[1] <= 0xBD)


cdef bint is_linked(const Blocks *blocks, int32_t node) noexcept nogil:
    """Whether a text is in a link; elements far around it are not looked at."""
    cdef int32_t _level
    for _level in range(MOST_AROUND):
        node = blocks.page.parent[node]
        if node == NO_NODE or kind_of(blocks, node) != IS_INLINE:
            return False
        if blocks.page.tag[node] == TAG_A:
            return True
    return False


cdef bint goes_on(const unsigned char *text, int32_t length) noexcept nogil:
    """Whether a text begins with a mark that no space is before: a closing one, or one with no letter behind it."""
    if text[0] == c")" or text[0] == c"]":
        return True
    if text[0] == c"." or text[0] == c"," or text[0] == c":" or text[0] == c";" or text[0] == c"!" or text[0] == c"?":
        return length == 1 or text[1] == c" " or text[1] == c")" or text[1] == c'"' or text[1] >= 128
    if length >= 2 and text[0] == c"'" and text[1] == c"s":
        return length == 2 or text[2] == c" "
    # The same with the apostrophe of printers.
    return (length >= 4 and text[0] == 0xE2 and text[1] == 0x80 and text[2] == 0x99 and text[3] == c"s"
            and (length == 4 or text[4] == c" "))


cdef uint8_t joint(const Blocks *blocks, int32_t before, int32_t node) noexcept nogil:
    """What is between two texts of a line. White space around links is not kept in the arrays, so that punctuation and
    wide characters have to tell."""
    cdef const PageArrays *page = blocks.page
    cdef const unsigned char *end = page.text + page.text_start[before + 1] - 1
    cdef const unsigned char *start = page.text + page.text_start[node]
    cdef int32_t length = page.text_start[node + 1] - page.text_start[node] - 1
    cdef int32_t length_before = page.text_start[before + 1] - page.text_start[before] - 1
    if end[0] == TOUCHES or length <= 0 or length_before <= 0:
        return IS_NOTHING if end[0] == TOUCHES else IS_SPACE
    if (end - 1)[0] == c"(" or (end - 1)[0] == c"[" or goes_on(start, length):
        return IS_NOTHING
    if length >= 3 and length_before >= 3 and is_wide(start) and is_wide(end - 3) and not (
            is_linked(blocks, before) and is_linked(blocks, node)):
        return IS_NOTHING
    return IS_SPACE


cdef inline uint8_t before_text(const Blocks *blocks, int32_t last, int32_t node, int32_t breaks) noexcept nogil:
    """What is between two texts of a block, the last one and this one, with so many `br` in between."""
    return joint(blocks, last, node) if breaks == 0 else IS_LINE if breaks == 1 else IS_TWO_LINES


cdef char *write_between(char *out, uint8_t between) noexcept nogil:
    """Write what is between two texts."""
    if between == IS_NOTHING:
        return out
    if between == IS_SPACE:
        out[0] = c" "
    elif between == IS_TAB:
        out[0] = c"\t"
    else:
        out[0] = c"\n"
        if between == IS_TWO_LINES:
            out[1] = c"\n"
            return out + 2
    return out + 1


cdef char *write_block(char *out, const Blocks *blocks, int32_t block) noexcept nogil:
    """Write the text of a block, with its line breaks; where writing goes on."""
    cdef const PageArrays *page = blocks.page
    cdef int32_t node, length, breaks = 0, last = NO_NODE
    cdef uint8_t between
    for node in range(blocks.starts[block], blocks.ends[block]):
        if page.tag[node] == TEXT:
            if last != NO_NODE:
                between = before_text(blocks, last, node, breaks)
                out = write_between(out, min(between, <uint8_t>IS_SPACE) if blocks.cell[block] != NO_NODE else between)
            length = max(0, page.text_start[node + 1] - page.text_start[node] - 1)
            memcpy(out, page.text + page.text_start[node], length)
            out += length
            last = node
            breaks = 0
        else:
            breaks += kind_of(blocks, node) == IS_BREAK
    return out


cdef struct Replaced:
    # Blocks that something else is written for.
    int32_t first, last
    const char *said
    Py_ssize_t length


cdef size_t write_all(char *out, const Blocks *blocks, const Replaced *replaced, int32_t count) noexcept nogil:
    """Write all blocks, and what stands for some of them; how many bytes that are."""
    cdef char *at = out
    cdef int32_t block = 0, number = 0
    while block < blocks.count:
        if block:
            at = write_between(at, blocks.before[block])
        if number < count and block == replaced[number].first:
            memcpy(at, replaced[number].said, replaced[number].length)
            at += replaced[number].length
            block = replaced[number].last
            number += 1
        else:
            at = write_block(at, blocks, block)
        block += 1
    return at - out


def text(NativePage native not None, starts not None, ends not None, kinds not None, list verbatim not None):
    """The text of all blocks; see `rendering.pyi`."""
    cdef Blocks blocks
    cdef Replaced *replaced
    cdef size_t most = 1, count, length
    cdef int32_t block, number, others = <int32_t>len(verbatim), reached = 0
    cdef bytes said
    cdef char *memory
    cdef char *at
    open_blocks(&blocks, native, starts, ends, kinds)
    count = blocks.count
    for block in range(blocks.count):
        # A text takes two bytes or more, one of which is not written; what is written before it is no more than two.
        most += 2 * <size_t>(
            blocks.page.text_start[blocks.ends[block]] - blocks.page.text_start[blocks.starts[block]]) + 2
    for _first, _last, said in verbatim:
        most += len(said)
    memory = at = <char *>take(count + 16 + 4 * (count * sizeof(int32_t) + 16) + others * sizeof(Replaced) + 16 + most)
    try:
        blocks.before = <uint8_t *>piece(&at, count)
        blocks.table = numbers(&at, count)
        blocks.row = numbers(&at, count)
        blocks.cell = numbers(&at, count)
        blocks.earlier = numbers(&at, count)
        replaced = <Replaced *>piece(&at, others * sizeof(Replaced))
        for number in range(others):
            replaced[number].first, replaced[number].last, said = verbatim[number]
            if not reached <= replaced[number].first <= replaced[number].last < blocks.count:
                raise ValueError("what is written in place of blocks is in their order")
            reached = replaced[number].last + 1
            replaced[number].said = PyBytes_AS_STRING(said)
            replaced[number].length = len(said)
        with nogil:
            place_all(&blocks)
            length = write_all(at, &blocks, replaced, others)
        return PyUnicode_DecodeUTF8(at, length, "replace")
    finally:
        free(blocks.stack)
        put_back(memory)
