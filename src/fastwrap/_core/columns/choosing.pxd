"""What the steps of the choice of columns share: what they know of slots, and the columns in their order.
`choice` calls `links`, then `lines`, and does the rest itself."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t

from fastwrap._core.columns.alignment cimport NOWHERE, TemplateTree
from fastwrap._core.columns.cells cimport CellTable, Column, shape_of_column

cdef enum:
    # Kinds of items: places of `fastwrap.columns.records.ITEMS`
    HREF = 0
    SRC = 1
    SRCSET = 2
    ALT = 3
    TITLE = 4
    # Traits of tags, as bits
    INLINE = 1
    IS_TEXT = 2
    BREAK = 4
    HEADING = 8
    ACTION = 16
    CELL = 32
    TABLE_CELL = 64
    NAMING = 128
    IMAGE = 256
    SOURCE = 512
    # What a column is, where its place among the others tells
    NO_RELATION = 0
    LINK = 1
    PICTURE = 2
    PRICE = 3
    OLD_PRICE = 4


cdef struct Line:
    # The columns of a line of text.
    int32_t start
    int32_t count
    bint bare


cdef struct Chooser:
    CellTable *table
    const TemplateTree *tree
    int64_t records
    int32_t text_kind
    int32_t first_data      # the first kind of data-...
    int32_t deepest
    int32_t *times          # slot -> nodes that have it
    int32_t *depth
    int32_t *texts          # [slots + 1] slots before each that are texts, ...
    int32_t *headings       # ... and headings
    int32_t *filled         # [slots + 1] items before each that are texts
    int32_t *text_item      # slot -> the item of its texts, or NOWHERE
    uint16_t *traits        # slot -> its traits
    uint16_t *around        # slot -> those of it and of all around it
    uint8_t *inline         # slot -> whether it and all below it are inline
    uint8_t *left_out
    int32_t title_link      # the slot of the link that titles are in, or NOWHERE
    int32_t *order          # columns in the order of the page
    int32_t count
    Line *lines
    int32_t line_count


cdef inline bint goes_on(const Chooser *chooser) noexcept nogil:
    """Whether there is memory, and work may be done."""
    return chooser.table.work >= 0 and not chooser.table.failed


cdef inline int32_t end_of_slot(const Chooser *chooser, int32_t slot) noexcept nogil:
    return slot + chooser.tree.size[slot]


cdef inline Column *column_at(const Chooser *chooser, int32_t place) noexcept nogil:
    return &chooser.table.columns[chooser.order[place]]


cdef inline int32_t shape_at(const Chooser *chooser, const int32_t *column) noexcept nogil:
    return shape_of_column(chooser.table, &chooser.table.columns[column[0]])


cdef inline bint in_title(const Chooser *chooser, const Column *column) noexcept nogil:
    """Whether a text is in the link that titles are in."""
    return chooser.title_link != NOWHERE and (
        chooser.title_link < column.slot < end_of_slot(chooser, chooser.title_link))
