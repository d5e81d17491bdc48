"""What `table` offers other native modules: the rows of placed records."""

from libc.stdint cimport int32_t, uint8_t

from fastwrap._core.columns.items cimport PlacedRecords
from fastwrap._core.columns.presenting cimport Presenter


cdef struct TableLayout:
    # Which column the items of a slot go to.
    int32_t slot_count
    const int32_t *column_of    # [slots, kinds] or NOWHERE; of an element, where further texts in it go
    const uint8_t *takes        # slot -> whether any attribute of it is an item
    const int32_t *unit         # slot -> the list that a node in it begins a unit of, or NOWHERE
    int32_t width
    const int32_t *list_of      # column -> the list that it is in, or NOWHERE
    const uint8_t *wanted       # column -> whether it is read; NULL: all are


# With a presenter the rows of the columns that it makes of the items, else those of the items.
cdef list read_rows(const PlacedRecords *placed, const TableLayout *layout, Presenter presenter)
