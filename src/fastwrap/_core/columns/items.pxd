"""What `items` offers other native modules: the attributes that are items, and the columns that items make."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from fastwrap._core.columns.alignment cimport NOWHERE, Records, TemplateTree
from fastwrap._core.columns.separators cimport SlotTexts
from fastwrap._core.common.page cimport PageArrays

cdef enum:
    KNOWN_NAMES = 256   # attribute names whose kind is looked up in a table
    MAX_KINDS = 250
    PLACE_ROWS = 4      # numbers of a column in `Columns.places`


cdef struct ItemAttributes:
    # The attributes that are items. The kind of an item is the place of its attribute here; that of texts comes last.
    int32_t[MAX_KINDS] names
    int32_t count
    int32_t first_data      # the first kind that needs more than one value to be an item
    int32_t alternative     # the kind of texts that stand for images
    uint8_t[KNOWN_NAMES] by_name    # one more than the kind of a name that has a small number; 0: no item


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
    cdef int32_t kind
    if 0 <= name < KNOWN_NAMES:
        return attributes.by_name[name] - 1
    for kind in range(attributes.count):
        if attributes.names[kind] == name:
            return kind
    return NOWHERE


cdef int take_attributes(ItemAttributes *attributes, names) except -1
cdef list add_data_attributes(ItemAttributes *attributes, dict names, int32_t most)
# -1: no memory. `columns` is all zeros, and is to be closed in any case.
cdef int32_t find_columns(const PlacedRecords *placed, const TemplateTree *tree, int64_t most_cells, int32_t longest,
                          Columns *columns) noexcept nogil
cdef void close_columns(Columns *columns) noexcept nogil
