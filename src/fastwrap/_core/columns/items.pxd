"""What `items` offers other native modules: the attributes that are items, and the columns that items make."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from fastwrap._core.columns.alignment cimport NOWHERE, Records, TemplateTree
from fastwrap._core.columns.separators cimport SlotTexts
from fastwrap._core.common.page cimport PageArrays

cdef enum:
    LAST_BYTES = 256    # of the numbers of attribute names, by which kinds are looked up
    MAX_KINDS = 250
    PLACE_ROWS = 4      # numbers of a column in `Columns.places`


cdef struct ItemAttributes:
    # The attributes that are items. The kind of an item is the place of its attribute here; that of texts comes last.
    int32_t[MAX_KINDS] names
    int32_t count
    int32_t first_data      # the first kind that needs more than one value to be an item
    int32_t alternative     # the kind of texts that stand for images
    uint8_t[LAST_BYTES] by_byte     # one more than the last kind whose name has this last byte; 0: none has
    uint8_t[MAX_KINDS] before       # kind -> one more than the kind before it with the same last byte; 0: none


cdef struct PlacedRecords:
    # Records of a page whose nodes have slots: what items are read from.
    const PageArrays *page
    const Records *records
    const int32_t *slots    # of all nodes; NOWHERE for those without one
    const ItemAttributes *attributes


cdef struct ItemCount:
    # The items of a slot and kind.
    int32_t items           # how many there are
    bint differ             # whether any differs from the first ...
    uint64_t first          # ... whose hash this is


cdef struct Columns:
    # The columns of a call.
    int32_t width
    bint left_out           # whether there were more of them
    ItemCount *counts       # of each slot and kind
    SlotTexts *texts        # by slot
    int32_t *column_of      # of each slot and kind, or NOWHERE
    uint8_t *takes          # slot -> whether any attribute of it is an item
    int32_t *places         # [PLACE_ROWS, width] slot, kind, list, and how the texts may be split


cdef inline int32_t kind_of(const ItemAttributes *attributes, int32_t name) noexcept nogil:
    """The kind of an attribute's name; NOWHERE if it is no item."""
    cdef int32_t kind = attributes.by_byte[name & (LAST_BYTES - 1)]
    while kind and attributes.names[kind - 1] != name:
        kind = attributes.before[kind - 1]
    return kind - 1     # NOWHERE for 0


cdef int take_attributes(ItemAttributes *attributes, names) except -1
cdef list add_data_attributes(ItemAttributes *attributes, dict names, int32_t most)
cdef void keep_used(ItemAttributes *attributes, const PageArrays *page, const Records *records,
                    uint8_t *numbers) noexcept nogil
# -1: no memory. `columns` is all zeros, and is to be closed in any case.
cdef int32_t find_columns(const PlacedRecords *placed, const TemplateTree *tree, int64_t most_cells, int32_t longest,
                          Columns *columns) noexcept nogil
cdef void close_columns(Columns *columns) noexcept nogil
