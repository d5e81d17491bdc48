"""What `alignment` offers other native modules: the records of a call, and the tree that they are aligned in."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from fastwrap._core.common.page cimport PageArrays

cdef enum:
    NOWHERE = -1        # no node, path, or partner
    ROOT = 0            # the grown tree's root, whose children the top nodes of the records are
    TEMPLATE_ROWS = 8   # arrays of a TemplateTree


cdef struct Records:
    # The records of a call, or the units of a list.
    const int32_t *spans    # the first node of each, and the one after its last
    int32_t count
    int32_t nodes           # of all of them
    int32_t longest         # most nodes of one
    int32_t *first_node     # [count] where the nodes of each begin, if all are laid end to end
    int32_t *like           # [count] the first record that is equal to each in tags, shape and symbols
    uint64_t *hashes        # [count] of these


cdef struct TreeSlot:
    # A node of the grown tree.
    int32_t tag
    int32_t symbol
    int32_t parent
    int32_t first           # its children are a linked list
    int32_t last
    int32_t following       # the next child of its parent
    int32_t path            # its tag path from the root
    int32_t rank            # its number among the slots of that path ...
    int32_t next_of_path    # ... which are linked, the newest first


cdef struct TagPath:
    int32_t slots           # slots that have it
    int32_t newest          # the first of them in the chain
    int32_t children        # children of all of them


cdef struct PathEntry:
    uint64_t key            # path of the parent and tag, from 1; 0 in a free entry
    int32_t path


cdef struct Aligner:
    # What the records are made of: nodes of a page, or slots of a tree.
    const int32_t *tag
    const int32_t *size
    const int32_t *parent
    const int32_t *symbols  # of the nodes of all records, record by record
    const int32_t *symbol   # node -> its symbol, for the record that is being placed
    int64_t budget          # cells that may still be filled
    bint exceeded           # whether a record would have filled more
    # The grown tree
    TreeSlot *slots
    int32_t slot_count
    TagPath *paths          # the root's is 0
    int32_t path_count
    PathEntry *table        # paths by parent and tag: open addressing
    int32_t table_bits
    # The record that is being placed
    int32_t start
    int32_t end
    int32_t *path           # node -> its path, or NOWHERE if the grown tree has none such
    int64_t *offset         # node -> where its weights begin
    int32_t *placed         # node -> its slot, or NOWHERE
    int32_t *weights        # of each node with each slot of its path, by rank
    int64_t weights_room
    int32_t *cells          # a table of two lists of siblings
    int64_t cells_room
    int32_t *lefts          # siblings of the record ...
    int32_t *rights         # ... and of the grown tree
    int32_t *stack          # nodes whose children are still to be placed
    # For a tree that grows no more; NULL while it does:
    const int32_t *repeats  # slot -> the slot that further nodes like those in it go to, or NOWHERE
    int32_t *first_repeat   # slot -> the first of its children that has such


cdef struct TemplateTree:
    # The slots that are in use, in document order: what a template keeps of the grown tree.
    int32_t count
    int32_t *tag            # one block of memory, in this order
    int32_t *parent
    int32_t *symbol
    int32_t *size
    int32_t *into           # slot -> the one that its items go to
    int32_t *unit           # slot -> the list that it begins a unit of, or NOWHERE
    int32_t *list_of        # slot -> the list that it is in, or NOWHERE
    int32_t *repeats        # slot -> the one that further nodes like those in it go to, or NOWHERE


cdef inline int32_t start_of(const Records *records, Py_ssize_t record) noexcept nogil:
    return records.spans[2 * record]


cdef inline int32_t end_of(const Records *records, Py_ssize_t record) noexcept nogil:
    return records.spans[2 * record + 1]


cdef inline int32_t length_of(const Records *records, Py_ssize_t record) noexcept nogil:
    return records.spans[2 * record + 1] - records.spans[2 * record]


cdef inline uint64_t path_key(int32_t above, int32_t tag) noexcept nogil:
    return (<uint64_t><uint32_t>above << 32 | <uint32_t>tag) + 1


cdef inline PathEntry *find_path(const Aligner *aligner, int32_t above, int32_t tag) noexcept nogil:
    """The entry of a tag below a path, or the free one where it belongs (Fibonacci hashing, Knuth 6.4)."""
    cdef uint64_t key = path_key(above, tag)
    cdef uint64_t mask = (<uint64_t>1 << aligner.table_bits) - 1
    cdef uint64_t place = (key * <uint64_t>0x9E3779B97F4A7C15) >> (64 - aligner.table_bits)
    while aligner.table[place].key != key and aligner.table[place].key != 0:
        place = (place + 1) & mask
    return &aligner.table[place]


# -1: no memory. Records have at least one node each; `grow_tree` needs at least one record.
cdef int open_records(Records *records, spans, const PageArrays *page) except -1
cdef int32_t fill_records(Records *records, const int32_t *spans, int32_t count) noexcept nogil
cdef void close_records(Records *records) noexcept nogil
cdef int32_t distinct_records(Aligner *aligner, Records *records) noexcept nogil

cdef int32_t open_tree(Aligner *aligner, int32_t capacity, int32_t paths) noexcept nogil
cdef int32_t add_slot(Aligner *aligner, int32_t node, int32_t parent, int32_t previous) noexcept nogil
cdef int32_t grow_tree(Aligner *aligner, Records *records, int32_t *slots) noexcept nogil
cdef int32_t write_tree(Aligner *aligner, Records *records, int32_t *slots, TemplateTree *tree) noexcept nogil
cdef void close_tree(Aligner *aligner) noexcept nogil

cdef int32_t open_tables(Aligner *aligner, int32_t capacity, int32_t longest) noexcept nogil
cdef int32_t place(Aligner *aligner, const Records *records, int32_t record, bint forced) noexcept nogil
cdef void close_tables(Aligner *aligner) noexcept nogil
