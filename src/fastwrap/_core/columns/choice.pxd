"""What `choice` offers other native modules: which items of records are shown, and how they come together."""

from libc.stdint cimport int32_t, uint8_t, uint16_t

from fastwrap._core.columns.alignment cimport TemplateTree
from fastwrap._core.columns.cells cimport CellTable
from fastwrap._core.columns.items cimport Columns, PlacedRecords


cdef struct ChoiceTraits:
    # What tags are for, by number, as bits. Tags beyond the table have no trait.
    const uint16_t *by_tag
    int32_t count


cdef struct Choice:
    # The columns that are shown. All zeros before, and to be closed in any case.
    CellTable table
    int32_t *shown          # columns, in the order of their first items
    int32_t count
    uint8_t *left_out       # [items] why an item is not shown
    uint8_t *wanted         # [items] whether an item is a source of a column, or names one
    bint exceeded           # whether it was too much work: nothing is chosen


# -1: no memory
cdef int32_t choose_columns(const PlacedRecords *placed, const TemplateTree *tree, const Columns *items,
                            ChoiceTraits traits, Choice *choice) noexcept nogil
cdef tuple chosen(const Choice *choice)
cdef void close_choice(Choice *choice) noexcept nogil
