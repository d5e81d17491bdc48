"""What `folded_trees` offers `folding`: folded trees, each one once, and how alike two of them are."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from fastwrap._core.common.hashing cimport Numbers

cdef enum:
    NONE = -1                   # in place of a number that there is none of


cdef struct Score:
    uint64_t key                # a pair of trees
    int32_t value               # NONE = empty


cdef struct ScoreTable:
    # From pairs of trees to their scores: open addressing with linear probing, never more than half full.
    Score *entries
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
    Numbers states              # the tags and children of all trees as a trie: hash-consing in exact steps
    int32_t state_count
    int32_t *tree_at            # the tree that ends in a state of the trie
    ScoreTable scores
    TreePair *waiting           # pairs whose score waits for those above them in the stack
    int32_t waiting_count
    int64_t waiting_room
    int32_t *tree_row           # rolling rows of the tables: of two trees ...
    int32_t *run_row            # ... and of two runs, which need scores of trees while they are being filled


cdef inline uint64_t pair_key(int32_t one, int32_t other) noexcept nogil:
    return (<uint64_t><uint32_t>one << 32) | <uint32_t>other


cdef size_t size_of_pool(size_t nodes) noexcept nogil
cdef int open_pool(TreePool *pool, char **at, size_t nodes) except -1 nogil
cdef void close_pool(TreePool *pool) noexcept nogil
cdef int32_t tree_of(TreePool *pool, int32_t tag, const int32_t *children, int32_t count) noexcept nogil
cdef double likeness(TreePool *pool, int32_t left, int32_t right) except -1 nogil
cdef int32_t match_runs(TreePool *pool, const int32_t *left, int32_t height, const int32_t *right, int32_t width,
                        int32_t *prefix) except -1 nogil
