"""What `folded_trees` offers `folding`: folded trees, each one once, and how alike two of them are.
Also the tables that both of them need: from keys of 64 bits to numbers, growing as they are filled."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

cdef enum:
    NONE = -1                   # in place of a number that there is none of


cdef struct TableEntry:
    uint64_t key
    int32_t value               # NONE = empty


cdef struct NumberTable:
    # From keys to numbers: open addressing with linear probing, never more than half full.
    TableEntry *entries
    int32_t bits                # 2 ** bits entries
    int32_t used


cdef struct TreePair:
    int32_t left
    int32_t right


cdef struct FoldedTree:
    # Each list among its children is folded to one item. Equal folded trees are one.
    int32_t tag
    int32_t size                # nodes, with lists folded to one item
    int32_t first               # its children are those of the pool from here on
    int32_t count


cdef struct TreePool:
    # All folded trees of a page, and the scores of their pairs.
    double threshold            # tau 1 of the paper: less alike is not alike
    int64_t allowance           # cells that may still be filled; below 0, scores are 0
    FoldedTree *trees
    int32_t tree_count
    int32_t *children           # of all trees
    int32_t child_count
    NumberTable states          # the tags and children of all trees as a trie: hash-consing in exact steps
    int32_t state_count
    int32_t *tree_at            # the tree that ends in a state of the trie
    NumberTable scores          # of pairs of trees
    TreePair *waiting           # pairs whose score waits for those above them in the stack
    int32_t waiting_count
    int32_t waiting_room
    int32_t *tree_row           # rolling rows of the tables: of two trees ...
    int32_t *run_row            # ... and of two runs, which need scores of trees while they are being filled


cdef inline TableEntry *seek(const NumberTable *table, uint64_t key) noexcept nogil:
    """The entry of the key, or the empty one where it belongs (Fibonacci hashing, Knuth 6.4)."""
    cdef uint64_t mask = (<uint64_t>1 << table.bits) - 1
    cdef uint64_t place = (key * <uint64_t>0x9E3779B97F4A7C15) >> (64 - table.bits)
    while table.entries[place].value != NONE and table.entries[place].key != key:
        place = (place + 1) & mask
    return &table.entries[place]


cdef inline uint64_t pair_key(int32_t one, int32_t other) noexcept nogil:
    return (<uint64_t><uint32_t>one << 32) | <uint32_t>other


cdef inline uint64_t other_kind(uint64_t key) noexcept nogil:
    """A key of another kind in the same table: no pair of numbers has its highest bit."""
    return <uint64_t>1 << 63 | key


cdef int empty_table(NumberTable *table) except -1 nogil
cdef int put(NumberTable *table, uint64_t key, int32_t value) except -1 nogil
cdef int reserve(void **memory, int32_t *room, int32_t needed, size_t width) except -1 nogil

cdef size_t size_of_pool(size_t nodes) noexcept nogil
cdef int open_pool(TreePool *pool, char **at, size_t nodes) except -1 nogil
cdef void close_pool(TreePool *pool) noexcept nogil
cdef int32_t tree_of(TreePool *pool, int32_t tag, const int32_t *children, int32_t count) except -1 nogil
cdef double likeness(TreePool *pool, int32_t left, int32_t right) except -1 nogil
cdef int32_t match_runs(TreePool *pool, const int32_t *left, int32_t height, const int32_t *right, int32_t width,
                        int32_t *prefix) except -1 nogil
