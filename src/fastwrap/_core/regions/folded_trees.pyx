"""Folded trees (G-STM, Jindal & Liu 2010): each one once, and the maximum mapping of two of them or of two runs.
Two folded trees are scored once; no recursion, and no more cells than are allowed."""

from libc.stdlib cimport free, malloc
from libc.string cimport memset

from fastwrap._core.common.hashing cimport number_of, size_of_numbers, start_numbers
from fastwrap._core.common.scratch cimport numbers, piece, reserve

cdef enum:
    PAIR_CELLS = 4              # what a pair of trees costs besides: its place in memory
    LEAST_BITS = 6              # a table starts with 64 entries


# Memory

cdef int open_scores(ScoreTable *table, int32_t bits) except -1 nogil:
    """Make it a table with nothing in it."""
    table.entries = <Score *>malloc(sizeof(Score) << bits)
    if table.entries == NULL:
        with gil:
            raise MemoryError
    memset(table.entries, 0xFF, sizeof(Score) << bits)
    table.bits = bits
    table.used = 0
    return 0


cdef inline Score *seek(const ScoreTable *table, uint64_t key) noexcept nogil:
    """The entry of the key, or the empty one where it belongs (Fibonacci hashing, Knuth 6.4)."""
    cdef uint64_t mask = (<uint64_t>1 << table.bits) - 1
    cdef uint64_t place = (key * <uint64_t>0x9E3779B97F4A7C15) >> (64 - table.bits)
    while table.entries[place].value != NONE and table.entries[place].key != key:
        place = (place + 1) & mask
    return &table.entries[place]


cdef int put(ScoreTable *table, uint64_t key, int32_t value) except -1 nogil:
    """Store the score of a pair that has none yet."""
    cdef ScoreTable larger
    cdef Score *entry
    cdef int32_t old
    if 2 * table.used >= 1 << table.bits:
        open_scores(&larger, table.bits + 1)
        for old in range(1 << table.bits):
            if table.entries[old].value != NONE:
                seek(&larger, table.entries[old].key)[0] = table.entries[old]
        larger.used = table.used
        free(table.entries)
        table[0] = larger
    entry = seek(table, key)
    entry.key = key
    entry.value = value
    table.used += 1
    return 0


cdef size_t size_of_pool(size_t nodes) noexcept nogil:
    """The memory that `open_pool` needs: each class of subtrees folds to one tree, so trees and their children are no
    more than nodes."""
    return (nodes + 2) * (sizeof(FoldedTree) + 5 * sizeof(int32_t)) + size_of_numbers(2 * (nodes + 2)) + 6 * 16


cdef int open_pool(TreePool *pool, char **at, size_t nodes) except -1 nogil:
    """An empty pool, which was filled with zeros before."""
    cdef size_t room = nodes + 2
    pool.trees = <FoldedTree *>piece(at, room * sizeof(FoldedTree))
    pool.children = numbers(at, room)
    pool.tree_at = numbers(at, 2 * room)
    pool.tree_row = numbers(at, room)
    pool.run_row = numbers(at, room)
    start_numbers(&pool.states, piece(at, size_of_numbers(2 * room)), 2 * room, 0)
    return open_scores(&pool.scores, LEAST_BITS)


cdef void close_pool(TreePool *pool) noexcept nogil:
    free(pool.scores.entries)
    free(pool.waiting)


# Each tree once

cdef inline int32_t next_state(TreePool *pool, int32_t state, int32_t step) noexcept nogil:
    """One step in the trie of tags and children, from NONE on; new steps are added."""
    cdef int32_t known = pool.state_count
    state = number_of(&pool.states, <uint64_t>(state + 1), step, &pool.state_count)
    if state == known:
        pool.tree_at[state] = NONE
    return state


cdef int32_t tree_of(TreePool *pool, int32_t tag, const int32_t *children, int32_t count) noexcept nogil:
    """The folded tree with this root and these children."""
    cdef int32_t state = next_state(pool, NONE, tag), child
    cdef FoldedTree *tree
    for child in range(count):
        state = next_state(pool, state, children[child])
    if pool.tree_at[state] == NONE:
        pool.tree_at[state] = pool.tree_count
        tree = &pool.trees[pool.tree_count]
        pool.tree_count += 1
        tree.tag = tag
        tree.size = 1
        tree.first = pool.child_count
        tree.count = count
        for child in range(count):
            tree.size += pool.trees[children[child]].size
            pool.children[pool.child_count] = children[child]
            pool.child_count += 1
    return pool.tree_at[state]


# Scores

cdef inline int32_t known_score(const TreePool *pool, int32_t left, int32_t right) noexcept nogil:
    """Pairs of nodes in the maximum mapping of two folded trees, NONE if it has yet to be computed."""
    if left == right:
        return pool.trees[left].size
    if pool.trees[left].tag != pool.trees[right].tag:
        return 0
    if pool.trees[left].count == 0 or pool.trees[right].count == 0:
        return 1
    return seek(&pool.scores, pair_key(min(left, right), max(left, right))).value


cdef int wait_for(TreePool *pool, int32_t left, int32_t right) except -1 nogil:
    reserve(<void **>&pool.waiting, &pool.waiting_room, <int64_t>pool.waiting_count + 1, sizeof(TreePair))
    pool.waiting[pool.waiting_count].left = left
    pool.waiting[pool.waiting_count].right = right
    pool.waiting_count += 1
    return 0


cdef int fill_row(TreePool *pool, int32_t left, const int32_t *right, int32_t width, int32_t *row) except -1 nogil:
    """The next row of a table of mappings: with one tree more on the left."""
    cdef int32_t j, diagonal = 0, above, value
    for j in range(width):
        above = row[j + 1]
        value = diagonal + score(pool, left, right[j])
        row[j + 1] = max(value, max(above, row[j]))
        diagonal = above
    return 0


cdef int score_waiting(TreePool *pool) except -1 nogil:
    """Score the pair on top of the stack, or push what its score needs: the second visit finds all of it."""
    cdef TreePair pair = pool.waiting[pool.waiting_count - 1]
    cdef FoldedTree left = pool.trees[pair.left], right = pool.trees[pair.right]
    cdef const int32_t *lefts = pool.children + left.first
    cdef const int32_t *rights = pool.children + right.first
    cdef int32_t height = left.count, width = right.count, before = pool.waiting_count
    cdef int32_t matched = 1, i, j
    # Equal first and equal last children are paired in some maximum mapping (the proof is in `matching`).
    while height and width and lefts[0] == rights[0]:
        matched += pool.trees[lefts[0]].size
        lefts += 1
        rights += 1
        height -= 1
        width -= 1
    while height and width and lefts[height - 1] == rights[width - 1]:
        matched += pool.trees[lefts[height - 1]].size
        height -= 1
        width -= 1
    pool.allowance -= <int64_t>height * width + PAIR_CELLS
    if pool.allowance < 0:
        return 0
    for i in range(height):
        for j in range(width):
            if known_score(pool, lefts[i], rights[j]) == NONE:
                wait_for(pool, lefts[i], rights[j])
    if pool.waiting_count > before:
        return 0
    memset(pool.tree_row, 0, (width + 1) * sizeof(int32_t))
    for i in range(height):
        fill_row(pool, lefts[i], rights, width, pool.tree_row)
    matched += pool.tree_row[width]
    put(&pool.scores, pair_key(min(pair.left, pair.right), max(pair.left, pair.right)), matched)
    pool.waiting_count -= 1
    return 0


cdef int32_t score(TreePool *pool, int32_t left, int32_t right) except -1 nogil:
    """Simple tree matching (Yang 1991) of folded trees; 0 where the allowance ran out."""
    cdef int32_t value = known_score(pool, left, right)
    cdef TreePair top
    if value != NONE:
        return value
    wait_for(pool, left, right)
    while pool.waiting_count:
        if pool.allowance < 0:
            pool.waiting_count = 0
            return 0
        top = pool.waiting[pool.waiting_count - 1]
        if known_score(pool, top.left, top.right) == NONE:
            score_waiting(pool)
        else:
            pool.waiting_count -= 1       # waited for twice
    return known_score(pool, left, right)


cdef double likeness(TreePool *pool, int32_t left, int32_t right) except -1 nogil:
    """The score of two trees divided by the size of the larger one, if that is above the threshold, else 0."""
    cdef int32_t smaller = min(pool.trees[left].size, pool.trees[right].size)
    cdef int32_t larger = max(pool.trees[left].size, pool.trees[right].size)
    cdef int32_t matched
    if pool.trees[left].tag != pool.trees[right].tag or smaller <= pool.threshold * larger:
        return 0    # a score is at most the smaller size
    matched = score(pool, left, right)
    return <double>matched / larger if matched > pool.threshold * larger else 0


cdef int32_t match_runs(TreePool *pool, const int32_t *left, int32_t height, const int32_t *right, int32_t width,
                        int32_t *prefix) except -1 nogil:
    """Pairs of nodes in the maximum mapping of two runs of folded trees.

    With `prefix`, prefix[i] becomes that of the first i + 1 trees on the left.
    """
    cdef int32_t equal = 0, i
    cdef int32_t *row = pool.run_row
    if prefix == NULL:
        while height and width and left[0] == right[0]:
            equal += pool.trees[left[0]].size
            left += 1
            right += 1
            height -= 1
            width -= 1
            pool.allowance -= 1
    memset(row, 0, (width + 1) * sizeof(int32_t))
    for i in range(height):
        pool.allowance -= width + 1
        if pool.allowance < 0:
            if prefix == NULL:
                return 0
            prefix[i] = 0
            continue
        fill_row(pool, left[i], right, width, row)
        if prefix != NULL:
            prefix[i] = row[width]
    return equal + row[width]
