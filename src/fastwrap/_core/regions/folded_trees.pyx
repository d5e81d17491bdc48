"""Folded trees (G-STM, Jindal & Liu 2010): each one once, and the maximum mapping of two of them or of two runs.
Two folded trees are scored once; no recursion, and no more cells than are allowed."""

from libc.stdlib cimport free, realloc
from libc.string cimport memset

from fastwrap._core.common.scratch cimport piece

cdef enum:
    PAIR_CELLS = 4              # what a pair of trees costs besides: its place in memory
    LEAST_BITS = 6              # a table starts with 64 entries


# Memory that grows

cdef int reserve(void **memory, int32_t *room, int32_t needed, size_t width) except -1 nogil:
    """Make room for `needed` elements, at least twice as many as before."""
    cdef void *larger
    if needed <= room[0]:
        return 0
    needed = max(needed, 2 * room[0], 256)
    larger = realloc(memory[0], <size_t>needed * width)
    if larger == NULL:
        with gil:
            raise MemoryError
    memory[0] = larger
    room[0] = needed
    return 0


cdef int clear_table(NumberTable *table, int32_t bits) except -1 nogil:
    cdef TableEntry *entries = <TableEntry *>realloc(table.entries, sizeof(TableEntry) << bits)
    if entries == NULL:
        with gil:
            raise MemoryError
    memset(entries, 0xFF, sizeof(TableEntry) << bits)
    table.entries = entries
    table.bits = bits
    table.used = 0
    return 0


cdef int empty_table(NumberTable *table) except -1 nogil:
    """Make it a table with nothing in it; its entries are NULL or those of a table before it."""
    return clear_table(table, LEAST_BITS)


cdef int put(NumberTable *table, uint64_t key, int32_t value) except -1 nogil:
    """Store the number of a key that has none yet."""
    cdef NumberTable larger
    cdef TableEntry *entry
    cdef int32_t old
    if 2 * table.used >= 1 << table.bits:
        larger.entries = NULL
        clear_table(&larger, table.bits + 1)
        for old in range(1 << table.bits):
            if table.entries[old].value != NONE:
                entry = seek(&larger, table.entries[old].key)
                entry[0] = table.entries[old]
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
    return (nodes + 2) * (sizeof(FoldedTree) + 5 * sizeof(int32_t)) + 5 * 16


cdef int open_pool(TreePool *pool, char **at, size_t nodes) except -1 nogil:
    """An empty pool, which was filled with zeros before."""
    cdef size_t room = nodes + 2
    pool.trees = <FoldedTree *>piece(at, room * sizeof(FoldedTree))
    pool.children = <int32_t *>piece(at, room * sizeof(int32_t))
    pool.tree_at = <int32_t *>piece(at, 2 * room * sizeof(int32_t))
    pool.tree_row = <int32_t *>piece(at, room * sizeof(int32_t))
    pool.run_row = <int32_t *>piece(at, room * sizeof(int32_t))
    empty_table(&pool.states)
    empty_table(&pool.scores)
    return 0


cdef void close_pool(TreePool *pool) noexcept nogil:
    free(pool.states.entries)
    free(pool.scores.entries)
    free(pool.waiting)


# Each tree once

cdef int32_t next_state(TreePool *pool, uint64_t key) except -1 nogil:
    """One step in the trie of tags and children; new steps are added."""
    cdef int32_t state = seek(&pool.states, key).value
    if state == NONE:
        state = pool.state_count
        put(&pool.states, key, state)
        pool.tree_at[state] = NONE
        pool.state_count += 1
    return state


cdef int32_t tree_of(TreePool *pool, int32_t tag, const int32_t *children, int32_t count) except -1 nogil:
    """The folded tree with this root and these children."""
    cdef int32_t state = next_state(pool, other_kind(<uint32_t>tag))
    cdef int32_t child
    cdef FoldedTree *tree
    for child in range(count):
        state = next_state(pool, pair_key(state, children[child]))
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
    reserve(<void **>&pool.waiting, &pool.waiting_room, pool.waiting_count + 1, sizeof(TreePair))
    pool.waiting[pool.waiting_count].left = left
    pool.waiting[pool.waiting_count].right = right
    pool.waiting_count += 1
    return 0


cdef int score_waiting(TreePool *pool) except -1 nogil:
    """Score the pair on top of the stack, or push what its score needs: the second visit finds all of it."""
    cdef TreePair pair = pool.waiting[pool.waiting_count - 1]
    cdef FoldedTree left = pool.trees[pair.left], right = pool.trees[pair.right]
    cdef const int32_t *lefts = pool.children + left.first
    cdef const int32_t *rights = pool.children + right.first
    cdef int32_t height = left.count, width = right.count, before = pool.waiting_count
    cdef int32_t matched = 1, i, j, diagonal, above, value
    cdef int32_t *row = pool.tree_row
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
    for j in range(width + 1):
        row[j] = 0
    for i in range(height):
        diagonal = 0
        for j in range(width):
            above = row[j + 1]
            value = diagonal + known_score(pool, lefts[i], rights[j])
            row[j + 1] = max(value, max(above, row[j]))
            diagonal = above
    put(&pool.scores, pair_key(min(pair.left, pair.right), max(pair.left, pair.right)), matched + row[width])
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
    cdef int32_t equal = 0, i, j, diagonal, above, value
    cdef int32_t *row = pool.run_row
    if prefix == NULL:
        while height and width and left[0] == right[0]:
            equal += pool.trees[left[0]].size
            left += 1
            right += 1
            height -= 1
            width -= 1
            pool.allowance -= 1
    for j in range(width + 1):
        row[j] = 0
    for i in range(height):
        pool.allowance -= width + 1
        if pool.allowance < 0:
            if prefix == NULL:
                return 0
            prefix[i] = 0
            continue
        diagonal = 0
        for j in range(width):
            above = row[j + 1]
            value = diagonal + score(pool, left[i], right[j])
            row[j + 1] = max(value, max(above, row[j]))
            diagonal = above
        if prefix != NULL:
            prefix[i] = row[width]
    return equal + row[width]
