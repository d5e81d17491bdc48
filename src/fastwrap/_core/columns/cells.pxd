"""What `cells` offers other native modules: the texts of records by item, and columns that come together of them."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t

from fastwrap._core.columns.alignment cimport TemplateTree
from fastwrap._core.columns.items cimport Columns, PlacedRecords

cdef enum:
    UNKNOWN = -1            # of what is computed when it is asked for
    MANY = 4                # different texts: as many, or more
    NORMALS = 16            # texts of a column that are remembered without case and signs
    TAKE = 0                # operations, in the order of `fastwrap.columns.choice`
    FIRST = 1
    JOIN = 2
    LIST = 3
    REST = 4


cdef struct Arena:
    # Memory of one call: blocks of which pieces are taken, all of them freed at its end.
    char *at
    char *end
    void *blocks            # each begins with the address of the one before


cdef struct Cell:
    # What a record has in a column.
    const unsigned char *text
    int32_t length          # 0: nothing
    int32_t room            # bytes of the arena that it may take; 0 for a piece of the page
    const unsigned char *end    # of its last text, in the page


cdef struct Normal:
    # A text without case and signs.
    const unsigned char *text
    int32_t length
    int32_t record          # whose it is; NOWHERE in a place that is free


cdef struct Column:
    # Items that come together. Columns are changed in place, so what is of no more use need not be kept.
    Cell *cells             # [records]
    uint64_t *records       # the set of records that have any
    int32_t filled          # how many these are
    int64_t bytes           # of all texts
    Normal *normals         # [NORMALS] by the last bits of the record; NULL before the first
    int32_t first           # its items are a chain, from this one ...
    int32_t last            # ... to this one
    int32_t where_first     # of REST: only records that have one of the items of this chain have it
    int32_t where_last
    int32_t slot
    int32_t kind
    int32_t list            # the nested list that its first item is in, or NOWHERE
    int32_t label           # the item that names it, or NOWHERE
    int32_t relation
    int8_t operation
    int8_t distinct         # different texts, at most MANY; UNKNOWN
    int8_t shape
    int8_t fixed            # whether nearly all texts say the same
    int8_t name             # whether its texts name what follows them


cdef struct CellTable:
    # All columns of a choice.
    int32_t records
    int32_t words           # 64-bit words of a set of records
    int32_t width
    Column *columns         # [width] one for each item
    int32_t *following      # [width] item -> the next of the same column
    uint8_t *begins         # [width] whether an item begins a further source of its column
    uint64_t *hashes        # [records] of texts that are looked up ...
    int32_t *places         # ... in a table of places of cells, from 1, with open addressing
    uint64_t mask           # of its places
    Arena arena
    int64_t work            # bytes and words that may still be looked at
    bint failed             # whether there was no memory


cdef inline int32_t bits_of(uint64_t word) noexcept nogil:
    """How many bits of a word are set."""
    word -= (word >> 1) & <uint64_t>0x5555555555555555
    word = (word & <uint64_t>0x3333333333333333) + ((word >> 2) & <uint64_t>0x3333333333333333)
    word = (word + (word >> 4)) & <uint64_t>0x0F0F0F0F0F0F0F0F
    return <int32_t>((word * <uint64_t>0x0101010101010101) >> 56)


cdef inline int32_t count_both(const CellTable *table, const Column *one, const Column *other) noexcept nogil:
    """How many records have both columns."""
    cdef int32_t word, found = 0
    for word in range(table.words):
        found += bits_of(one.records[word] & other.records[word])
    return found


cdef inline bint share_records(const CellTable *table, const Column *one, const Column *other) noexcept nogil:
    """Whether any record has both columns."""
    cdef int32_t word
    for word in range(table.words):
        if one.records[word] & other.records[word]:
            return True
    return False


cdef void *taken(Arena *arena, size_t size) noexcept nogil
cdef void close_arena(Arena *arena) noexcept nogil
# -1: no memory
cdef int32_t open_cells(CellTable *table, const PlacedRecords *placed, const TemplateTree *tree, const Columns *items,
                        int32_t *times) noexcept nogil
cdef void join_columns(CellTable *table, const int32_t *parts, int32_t count, int32_t operation) noexcept nogil
cdef void fill_up(CellTable *table, Column *column, const Column *other) noexcept nogil
cdef void measure(const CellTable *table, Column *column) noexcept nogil
cdef const Cell *first_cell(const Column *column) noexcept nogil
cdef int32_t distinct_of(const CellTable *table, Column *column) noexcept nogil
cdef int32_t count_different(CellTable *table, const Column *column, bint pages) noexcept nogil
cdef bint share_text(CellTable *table, const Column *one, const Column *other) noexcept nogil
cdef int32_t shape_of_column(const CellTable *table, Column *column) noexcept nogil
cdef bint is_fixed(CellTable *table, Column *column) noexcept nogil
cdef bint find_normal(CellTable *table, Column *column, int32_t record, Normal *normal) noexcept nogil
