"""The children of all nodes of a slot, side by side: what the steps of learning a template share."""

from libc.stdint cimport int32_t, uint64_t

from fastwrap._core.template.aligning cimport Child
from fastwrap._core.template.features cimport Tree

cdef enum:
    LONGEST_PERIOD = 6      # of what repeats
    MOST_PEERS = 8          # kinds of trees of one tag, class and label
    MOST_UNITS = 16         # among the children of one slot


cdef struct Ids:
    # Numbers of 64-bit keys in order of first appearance: open addressing, keys are hashes already.
    uint64_t *keys
    int32_t *numbers
    size_t mask
    int32_t count


cdef struct Symbol:
    # A tag and class among the children of a slot.
    int32_t tag
    int32_t count
    int32_t labelled
    int32_t rows
    int32_t leading
    int32_t behind          # how many stand right behind a kind of labels
    int32_t different       # labels in the member `member`
    int32_t member
    bint several            # whether a member has several different labels of it
    bint is_kind
    bint is_follower


cdef struct Labelled:
    # A tag, class and label.
    int32_t once            # members that have it just once
    int32_t here            # how often it is there in the member `member`
    int32_t member
    bint is_single
    int32_t peers
    uint64_t labels[MOST_PEERS]
    uint64_t elements[MOST_PEERS]


cdef struct Unit:
    int32_t length
    int32_t most            # repeats
    int32_t order
    int32_t symbols[LONGEST_PERIOD]
    int32_t head            # the first symbol that is no text
    int32_t head_tag


cdef struct Group:
    # The children of all nodes of a slot.
    int32_t members
    int32_t count           # children of all members
    int32_t *start          # [members + 1] where those of each begin
    Child *children
    int32_t *symbol         # [count] tag and class, then number of the peer
    int32_t *labelled       # [count] tag, class and label
    Symbol *symbols
    Labelled *labels
    Unit units[MOST_UNITS]
    int32_t unit_count


cdef int no_memory() except -1 nogil
cdef int open_ids(Ids *ids, int32_t most) except -1 nogil
cdef int32_t number_of(Ids *ids, uint64_t key) noexcept nogil
cdef uint64_t mixed(uint64_t above, uint64_t more) noexcept nogil
cdef uint64_t symbol_key(const Child *child) noexcept nogil
cdef bint separates(const Tree *tree, const Child *child) noexcept nogil
cdef int tell_labels(const Tree *tree, Group *group, bint alone) except -1 nogil
cdef bint is_rich(const Tree *tree, const Group *group) noexcept nogil
