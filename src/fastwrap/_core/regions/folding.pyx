"""The lists of G-STM (Jindal & Liu 2010): likenesses of folded siblings, runs and tandem repeats folded to one item.
Each structural class is folded once, bottom-up, and two folded trees are scored once; no recursion, all in a budget."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memmove, memset

import numpy as np

cdef enum:
    NONE = -1
    NEAR = 64                   # a tree is compared with so many other trees after it among its siblings
    LONGEST_ITEM = 100          # parts of an item: no record is made of more siblings
    REFERENCES = 4              # items that tell where the last one ends
    CELLS_PER_CHILD = 2_000     # what one wide node may spend, so that it leaves the others their share
    PAIR_CELLS = 4              # what a pair of trees costs besides: its place in memory
    LEAST_BITS = 6              # a table starts with 64 slots
    OWNED = 32                  # arrays of a call

cdef uint64_t UPPER = <uint64_t> 1 << 63    # sets keys of one kind apart from those of another in the same table


cdef struct Slot:
    uint64_t key
    int32_t value           # NONE = empty


cdef struct Table:
    # From keys to numbers: open addressing with linear probing, never more than half full.
    Slot *slots
    int32_t bits            # 2 ** bits slots
    int32_t used


cdef struct Pair:
    int32_t left
    int32_t right


cdef struct Tree:
    # A folded tree: each list among its children is one item. Equal folded trees are one.
    int32_t tag
    int32_t size            # nodes, with lists folded to one item
    int32_t first           # its children are those of the pool from here on
    int32_t count


cdef struct Part:
    # What stands for some adjacent siblings: one child, or a list folded to one item.
    int32_t symbol
    int32_t begin           # the siblings that it stands for, by number
    int32_t end
    int32_t first           # its folded trees in `sequence`; those of adjacent parts are adjacent
    int32_t count
    int32_t size            # nodes of its folded trees
    int32_t level           # 0 for a child, else 1 more than the parts that were folded


cdef struct Item:
    int32_t begin           # siblings, by number
    int32_t end
    double likeness     # to the item before it; 0 for the first of a list


cdef struct List:
    int32_t first           # its items
    int32_t count
    int32_t level
    int32_t example         # folded trees of the item that it was folded to, in `examples`
    int32_t example_count
    int32_t example_size


cdef struct Folder:
    double threshold        # tau 1: siblings that are less alike are not of one list
    double relative         # tau 2: ... nor those far below the best that one of them has
    int64_t budget          # cells that the whole call may still fill
    int64_t allowance       # cells that the class at hand may still fill

    Tree *trees
    int32_t tree_count
    int32_t *children           # pool of the children of all trees
    int32_t child_count
    Table states            # the tags and children of all trees as a trie: hash-consing in exact steps
    int32_t state_count
    int32_t *tree_at            # the tree that ends in a state of the trie
    Table scores            # of pairs of trees
    Pair* waiting           # pairs whose score waits for those above them in the stack
    int32_t waiting_count
    int32_t waiting_room
    int32_t *tree_row           # rolling rows of the tables: of two trees ...
    int32_t *run_row            # ... and of two runs, which need scores of trees while they are being filled
    int32_t *prefix             # scores of the first trees of a run against another run

    int32_t *place              # place of a tree in `distinct`, NONE elsewhere
    int32_t *distinct           # the folded trees of the children at hand, each one once
    int32_t *multiplicity
    double *best            # the largest likeness to another sibling
    int32_t *fine               # sets of trees that are alike by both thresholds (union-find) ...
    int32_t *coarse             # ... and by the first one alone
    int32_t *symbols            # of the children at hand
    Table contexts          # scratch: neighbours of siblings, later tag paths

    int32_t *sequence           # folded trees of the parts at hand, in order
    Part* parts
    int32_t part_count
    int32_t symbol_count
    int32_t *occurrences        # parts with this symbol ...
    int32_t *first_part         # ... the first of them ...
    int32_t *next_part          # ... and the next part with the symbol of this one
    int32_t *nodes_before       # nodes in the parts before this one
    int32_t *starts             # where the items of the list at hand start
    int32_t *best_starts
    double *trimmed         # scratch of `end_of_last`

    List *lists
    int32_t list_count
    Item *items
    int32_t item_count
    int32_t *examples
    int32_t example_count
    int32_t example_room

    void *owned[OWNED]      # all memory of fixed size, to be given back
    int32_t owned_count


# Memory

cdef void *take(Folder *folder, size_t count, size_t width) except NULL:
    """Memory that `stop` gives back. What is not reached is not touched, so it costs address space only."""
    cdef void *memory = malloc(count * width)
    if memory == NULL:
        raise MemoryError
    folder.owned[folder.owned_count] = memory
    folder.owned_count += 1
    return memory


cdef int32_t reserve(void **memory, int32_t *room, int32_t needed, size_t width) except -1 nogil:
    """Make room for `needed` elements, at least twice as many as before."""
    cdef void *larger
    if needed <= room[0]:
        return 0
    needed = max(needed, 2 * room[0], 256)
    larger = realloc(memory[0], <size_t> needed * width)
    if larger == NULL:
        with gil:
            raise MemoryError
    memory[0] = larger
    room[0] = needed
    return 0


cdef int32_t empty(Table *table, int32_t bits) except -1 nogil:
    """A table with nothing in it."""
    cdef Slot *slots = <Slot *>realloc(table.slots, sizeof(Slot) << bits)
    if slots == NULL:
        with gil:
            raise MemoryError
    memset(slots, 0xFF, sizeof(Slot) << bits)
    table.slots = slots
    table.bits = bits
    table.used = 0
    return 0


cdef inline Slot *seek(Table *table, uint64_t key) noexcept nogil:
    """The slot of the key, or the empty one where it belongs (Fibonacci hashing, Knuth 6.4)."""
    cdef uint64_t mask = (<uint64_t> 1 << table.bits) - 1
    cdef uint64_t place = (key * <uint64_t> 0x9E3779B97F4A7C15) >> (64 - table.bits)
    while table.slots[place].value != NONE and table.slots[place].key != key:
        place = (place + 1) & mask
    return &table.slots[place]


cdef int32_t put(Table *table, uint64_t key, int32_t value) except -1 nogil:
    """Store the number of a key that has none yet."""
    cdef Table larger
    cdef Slot *slot
    cdef int32_t old
    if 2 * table.used >= 1 << table.bits:
        larger.slots = NULL
        empty(&larger, table.bits + 1)
        for old in range(1 << table.bits):
            if table.slots[old].value != NONE:
                slot = seek(&larger, table.slots[old].key)
                slot[0] = table.slots[old]
        larger.used = table.used
        free(table.slots)
        table[0] = larger
    slot = seek(table, key)
    slot.key = key
    slot.value = value
    table.used += 1
    return 0


cdef inline uint64_t pair_key(int32_t one, int32_t other) noexcept nogil:
    return (<uint64_t> <uint32_t> one << 32) | <uint32_t> other


# Folded trees: hash-consing and scores

cdef int32_t next_state(Folder *folder, uint64_t key) except -1 nogil:
    """One step in the trie of tags and children; new steps are added."""
    cdef int32_t state = seek(&folder.states, key).value
    if state == NONE:
        state = folder.state_count
        put(&folder.states, key, state)
        folder.tree_at[state] = NONE
        folder.state_count += 1
    return state


cdef int32_t tree_of(Folder *folder, int32_t tag, const int32_t *children, int32_t count) except -1 nogil:
    """The folded tree with this root and these children."""
    cdef int32_t state = next_state(folder, UPPER | <uint32_t> tag)
    cdef int32_t child
    cdef Tree *tree
    for child in range(count):
        state = next_state(folder, pair_key(state, children[child]))
    if folder.tree_at[state] == NONE:
        folder.tree_at[state] = folder.tree_count
        tree = &folder.trees[folder.tree_count]
        folder.tree_count += 1
        tree.tag = tag
        tree.size = 1
        tree.first = folder.child_count
        tree.count = count
        for child in range(count):
            tree.size += folder.trees[children[child]].size
            folder.children[folder.child_count] = children[child]
            folder.child_count += 1
    return folder.tree_at[state]


cdef inline int32_t known_score(Folder *folder, int32_t left, int32_t right) noexcept nogil:
    """Pairs of nodes in the maximum mapping of two folded trees, NONE if it has yet to be computed."""
    if left == right:
        return folder.trees[left].size
    if folder.trees[left].tag != folder.trees[right].tag:
        return 0
    if folder.trees[left].count == 0 or folder.trees[right].count == 0:
        return 1
    return seek(&folder.scores, pair_key(min(left, right), max(left, right))).value


cdef int32_t wait_for(Folder *folder, int32_t left, int32_t right) except -1 nogil:
    reserve(<void **>&folder.waiting, &folder.waiting_room, folder.waiting_count + 1, sizeof(Pair))
    folder.waiting[folder.waiting_count].left = left
    folder.waiting[folder.waiting_count].right = right
    folder.waiting_count += 1
    return 0


cdef int32_t score_waiting(Folder *folder) except -1 nogil:
    """Score the pair on top of the stack, or push what its score needs: the second visit finds all of it."""
    cdef Pair pair = folder.waiting[folder.waiting_count - 1]
    cdef Tree left = folder.trees[pair.left], right = folder.trees[pair.right]
    cdef const int32_t *lefts = folder.children + left.first
    cdef const int32_t *rights = folder.children + right.first
    cdef int32_t height = left.count, width = right.count, before = folder.waiting_count
    cdef int32_t matched = 1, i, j, diagonal, above, value
    cdef int32_t *row = folder.tree_row
    # Equal first and equal last children are paired in some maximum mapping (the proof is in `matching`).
    while height and width and lefts[0] == rights[0]:
        matched += folder.trees[lefts[0]].size
        lefts += 1
        rights += 1
        height -= 1
        width -= 1
    while height and width and lefts[height - 1] == rights[width - 1]:
        matched += folder.trees[lefts[height - 1]].size
        height -= 1
        width -= 1
    folder.allowance -= <int64_t> height * width + PAIR_CELLS
    if folder.allowance < 0:
        return 0
    for i in range(height):
        for j in range(width):
            if known_score(folder, lefts[i], rights[j]) == NONE:
                wait_for(folder, lefts[i], rights[j])
    if folder.waiting_count > before:
        return 0
    for j in range(width + 1):
        row[j] = 0
    for i in range(height):
        diagonal = 0
        for j in range(width):
            above = row[j + 1]
            value = diagonal + known_score(folder, lefts[i], rights[j])
            row[j + 1] = max(value, max(above, row[j]))
            diagonal = above
    put(&folder.scores, pair_key(min(pair.left, pair.right), max(pair.left, pair.right)), matched + row[width])
    folder.waiting_count -= 1
    return 0


cdef int32_t score(Folder *folder, int32_t left, int32_t right) except -1 nogil:
    """W(A, B) of seed 000, fig. 6, on folded trees; 0 where the allowance ran out."""
    cdef int32_t found = known_score(folder, left, right)
    cdef Pair top
    if found != NONE:
        return found
    wait_for(folder, left, right)
    while folder.waiting_count:
        if folder.allowance < 0:
            folder.waiting_count = 0
            return 0
        top = folder.waiting[folder.waiting_count - 1]
        if known_score(folder, top.left, top.right) == NONE:
            score_waiting(folder)
        else:
            folder.waiting_count -= 1       # waited for twice
    return known_score(folder, left, right)


cdef double likeness(Folder *folder, int32_t left, int32_t right) except -1 nogil:
    """NormW (seed 000, eq. 3.1) of two trees if it is above the first threshold, else 0."""
    cdef int32_t smaller = min(folder.trees[left].size, folder.trees[right].size)
    cdef int32_t larger = max(folder.trees[left].size, folder.trees[right].size)
    cdef int32_t found
    if folder.trees[left].tag != folder.trees[right].tag or smaller <= folder.threshold * larger:
        return 0    # a score is at most the smaller size
    found = score(folder, left, right)
    return <double> found / larger if found > folder.threshold * larger else 0


cdef int32_t match_runs(Folder *folder, const int32_t *left, int32_t height, const int32_t *right, int32_t width,
                    int32_t *prefix) except -1 nogil:
    """Pairs of nodes in the maximum mapping of two runs of folded trees.

    With `prefix`, prefix[i] becomes that of the first i + 1 trees on the left.
    """
    cdef int32_t equal = 0, i, j, diagonal, above, value
    cdef int32_t *row = folder.run_row
    if prefix == NULL:
        while height and width and left[0] == right[0]:
            equal += folder.trees[left[0]].size
            left += 1
            right += 1
            height -= 1
            width -= 1
            folder.allowance -= 1
    for j in range(width + 1):
        row[j] = 0
    for i in range(height):
        folder.allowance -= width + 1
        if folder.allowance < 0:
            if prefix == NULL:
                return 0
            prefix[i] = 0
            continue
        diagonal = 0
        for j in range(width):
            above = row[j + 1]
            value = diagonal + score(folder, left[i], right[j])
            row[j + 1] = max(value, max(above, row[j]))
            diagonal = above
        if prefix != NULL:
            prefix[i] = row[width]
    return equal + row[width]


# DetectLists (seed 000, fig. 9): symbols

cdef inline int32_t root_of(int32_t *parents, int32_t member) noexcept nogil:
    while parents[member] != member:
        parents[member] = parents[parents[member]]
        member = parents[member]
    return member


cdef inline bint join(int32_t *parents, int32_t one, int32_t other) noexcept nogil:
    """Unite two sets; the earlier root stays one. Returns whether they were two."""
    one = root_of(parents, one)
    other = root_of(parents, other)
    parents[max(one, other)] = min(one, other)
    return one != other


cdef int32_t gather(Folder *folder, int32_t count) noexcept nogil:
    """List the distinct trees of the sequence. Returns how many they are."""
    cdef int32_t found = 0, child, tree
    for child in range(count):
        tree = folder.sequence[child]
        if folder.place[tree] == NONE:
            folder.place[tree] = found
            folder.distinct[found] = tree
            folder.multiplicity[found] = 0
            folder.fine[found] = folder.coarse[found] = found
            found += 1
        folder.multiplicity[folder.place[tree]] += 1
    return found


cdef int32_t label(Folder *folder, int32_t count) except -1 nogil:
    """Give each child a symbol: the same to those that are alike (seed 000, 3.1.2)."""
    cdef int32_t trees = gather(folder, count)
    cdef int32_t fine_sets = trees, coarse_sets = trees, i, j, child
    cdef double value
    # A sibling equal to this one is the best there is; the tree itself, the diagonal of W, does not count.
    for i in range(trees):
        folder.best[i] = folder.multiplicity[i] > 1
    for i in range(trees):
        for j in range(i + 1, min(trees, i + 1 + NEAR)):
            folder.allowance -= 1
            value = likeness(folder, folder.distinct[i], folder.distinct[j])
            folder.best[i] = max(folder.best[i], value)
            folder.best[j] = max(folder.best[j], value)
    for i in range(trees):
        for j in range(i + 1, min(trees, i + 1 + NEAR)):
            folder.allowance -= 1
            value = likeness(folder, folder.distinct[i], folder.distinct[j])
            if value > 0:
                coarse_sets -= join(folder.coarse, i, j)
                if value >= folder.relative * folder.best[i] and value >= folder.relative * folder.best[j]:
                    fine_sets -= join(folder.fine, i, j)
    for child in range(count):
        folder.symbols[child] = root_of(folder.fine, folder.place[folder.sequence[child]])
    if fine_sets > coarse_sets:
        join_by_context(folder, count)
        for child in range(count):
            folder.symbols[child] = root_of(folder.fine, folder.place[folder.sequence[child]])
    for i in range(trees):
        folder.place[folder.distinct[i]] = NONE
    return 0


cdef int32_t join_by_context(Folder *folder, int32_t count) except -1 nogil:
    """Between the same two neighbours the first threshold is enough: the sibling has the same part to play.

    Ours. The second threshold tells the parts of an item from each other (a row with the title, a row with
    the price), but it also splits off the variants of an item that are in the minority (one without a price).
    """
    cdef int32_t child, before, after, context
    cdef uint64_t key
    empty(&folder.contexts, LEAST_BITS)
    for child in range(count):
        before = folder.symbols[child - 1] if child else count
        after = folder.symbols[child + 1] if child + 1 < count else count
        key = pair_key(before, after)
        context = seek(&folder.contexts, key).value
        if context == NONE:
            context = folder.contexts.used
            put(&folder.contexts, key, context)
        key = UPPER | pair_key(context, root_of(folder.coarse, folder.place[folder.sequence[child]]))
        if seek(&folder.contexts, key).value == NONE:
            put(&folder.contexts, key, folder.symbols[child])
        else:
            join(folder.fine, seek(&folder.contexts, key).value, folder.symbols[child])
    return 0


# UpdateW (seed 000, fig. 12): lists folded to one item

cdef inline int32_t trees_in(Folder *folder, int32_t begin, int32_t end) noexcept nogil:
    """How many folded trees the parts from `begin` up to `end` have."""
    return folder.parts[end - 1].first + folder.parts[end - 1].count - folder.parts[begin].first


cdef inline int32_t nodes_in(Folder *folder, int32_t begin, int32_t end) noexcept nogil:
    """How many nodes their folded trees have."""
    return folder.nodes_before[end] - folder.nodes_before[begin]


cdef int32_t match_parts(Folder *folder, int32_t begin, int32_t end, int32_t other, int32_t other_end, int32_t *prefix) except -1 nogil:
    """`match_runs` of the folded trees of two runs of parts."""
    return match_runs(folder, folder.sequence + folder.parts[begin].first, trees_in(folder, begin, end),
                      folder.sequence + folder.parts[other].first, trees_in(folder, other, other_end), prefix)


cdef int32_t record(Folder *folder, const int32_t *starts, int32_t count, int32_t end, Part* folded) except -1 nogil:
    """Add a list, its items starting at the parts in `starts`; tell what it is folded to.

    The paper keeps the first item with the average score and size. Ours keeps the largest item, which has
    most of the optional parts: it is a tree again, so scores stay symmetric and never pass 1.
    """
    cdef List *found = &folder.lists[folder.list_count]
    cdef Item *item
    cdef int32_t k, begin, stop, part, size, previous_size = 0
    folder.list_count += 1
    found.first = folder.item_count
    found.count = count
    folded.symbol = folder.parts[starts[0]].symbol
    folded.begin = folder.parts[starts[0]].begin
    folded.end = folder.parts[end - 1].end
    folded.size = 0
    folded.level = 0
    for k in range(count):
        begin = starts[k]
        stop = starts[k + 1] if k + 1 < count else end
        size = 0
        for part in range(begin, stop):
            size += folder.parts[part].size
            folded.level = max(folded.level, folder.parts[part].level + 1)
        item = &folder.items[folder.item_count]
        folder.item_count += 1
        item.begin = folder.parts[begin].begin
        item.end = folder.parts[stop - 1].end
        item.likeness = 0
        if k:
            item.likeness = match_parts(folder, begin, stop, starts[k - 1], begin, NULL)
            item.likeness /= max(size, previous_size)
        previous_size = size
        if size > folded.size:
            folded.size = size
            folded.first = folder.parts[begin].first
            folded.count = trees_in(folder, begin, stop)
    found.level = folded.level
    found.example = folder.example_count
    found.example_count = folded.count
    found.example_size = folded.size
    reserve(<void **>&folder.examples, &folder.example_room, folder.example_count + folded.count, sizeof(int32_t))
    memmove(folder.examples + folder.example_count, folder.sequence + folded.first, folded.count * sizeof(int32_t))
    folder.example_count += folded.count
    folder.allowance -= folded.count
    return 0


cdef int32_t fold_runs(Folder *folder) except -1 nogil:
    """Fold each run of parts with one symbol: a a a b becomes a b. Leaves no gap in the sequence."""
    cdef Part folded
    cdef int32_t part = 0, kept = 0, filled = 0, after
    while part < folder.part_count:
        after = part
        while after < folder.part_count and folder.parts[after].symbol == folder.parts[part].symbol:
            folder.starts[after - part] = after
            after += 1
        if after - part == 1:
            folded = folder.parts[part]
        else:
            record(folder, folder.starts, after - part, after, &folded)
        # What is kept moves to the left, never over what has not been read.
        memmove(folder.sequence + filled, folder.sequence + folded.first, folded.count * sizeof(int32_t))
        folded.first = filled
        filled += folded.count
        folder.parts[kept] = folded
        kept += 1
        part = after
    folder.part_count = kept
    return 0


cdef int32_t end_of_last(Folder *folder, int32_t count) except -1 nogil:
    """Where the last item ends: where it is most like one of the items before it."""
    cdef int32_t begin = folder.starts[count - 1]
    cdef int32_t most = min(folder.part_count, begin + LONGEST_ITEM)
    cdef int32_t reference, other, stop, end, part
    cdef double value
    for part in range(begin, most):
        folder.trimmed[part] = NONE
    for reference in range(max(0, count - 1 - REFERENCES), count - 1):
        other = folder.starts[reference]
        stop = folder.starts[reference + 1]
        match_parts(folder, begin, most, other, stop, folder.prefix)
        for part in range(begin, most):
            value = folder.prefix[trees_in(folder, begin, part + 1) - 1]
            value /= max(nodes_in(folder, other, stop), nodes_in(folder, begin, part + 1))
            folder.trimmed[part] = max(folder.trimmed[part], value)
    end = begin + 1
    for part in range(end, most):
        if folder.trimmed[part] > folder.trimmed[end - 1]:
            end = part + 1
    return end


cdef double saving(Folder *folder, int32_t count, int32_t end) except -1 nogil:
    """Nodes of the items that those before them explain, above what the first threshold asks for."""
    cdef int32_t *starts = folder.starts
    cdef double saved = 0
    cdef int32_t k, stop
    for k in range(1, count):
        stop = starts[k + 1] if k + 1 < count else end
        saved += match_parts(folder, starts[k], stop, starts[k - 1], starts[k], NULL)
        saved -= folder.threshold * max(nodes_in(folder, starts[k], stop), nodes_in(folder, starts[k - 1], starts[k]))
    return max(saved, 0)


cdef double most_saving(Folder *folder, int32_t count) noexcept nogil:
    """What `saving` cannot exceed: a score is at most the smaller size. The last item may be of any size."""
    cdef int32_t *starts = folder.starts
    cdef double saved = 0
    cdef int32_t k, size, previous = nodes_in(folder, starts[0], starts[1])
    for k in range(1, count):
        size = nodes_in(folder, starts[k], starts[k + 1]) if k + 1 < count else previous
        saved += min(size, previous) - folder.threshold * max(size, previous)
        previous = size
    return saved


cdef bint shift_left(Folder *folder, int32_t count) noexcept nogil:
    """Move all starts one part to the left, if there is the same symbol in front of every one.

    A symbol that occurs nowhere else is an anchor itself, and has been or will be tried as such; so starts
    never move past the anchor before them.
    """
    cdef int32_t *starts = folder.starts
    cdef int32_t k, symbol
    if starts[0] == 0:
        return False
    symbol = folder.parts[starts[0] - 1].symbol
    if folder.occurrences[symbol] == count:
        return False
    for k in range(1, count):
        if folder.parts[starts[k] - 1].symbol != symbol:
            return False
    for k in range(count):
        starts[k] -= 1
    return True


cdef void index_parts(Folder *folder) noexcept nogil:
    """Where each symbol occurs, and how many nodes there are before each part."""
    cdef int32_t part, symbol
    for symbol in range(folder.symbol_count):
        folder.occurrences[symbol] = 0
        folder.first_part[symbol] = NONE
    for part in range(folder.part_count - 1, -1, -1):
        symbol = folder.parts[part].symbol
        folder.occurrences[symbol] += 1
        folder.next_part[part] = folder.first_part[symbol]
        folder.first_part[symbol] = part
    folder.nodes_before[0] = 0
    for part in range(folder.part_count):
        folder.nodes_before[part + 1] = folder.nodes_before[part] + folder.parts[part].size


cdef int32_t starts_at(Folder *folder, int32_t symbol) noexcept nogil:
    """Let items start where the symbol occurs. Returns how many they are, 0 if they cannot be a list."""
    cdef int32_t found = 0, part = folder.first_part[symbol]
    while part != NONE:
        folder.starts[found] = part
        found += 1
        part = folder.next_part[part]
        if part != NONE and part - folder.starts[found - 1] > LONGEST_ITEM:
            return 0
    return found if found > 1 else 0


cdef bint fold_tandem(Folder *folder) except -1 nogil:
    """Fold the tandem repeat, with optional parts, that saves most: h a b a c b a b becomes h a c b.

    In place of the paper's grammar, which makes a loop of any symbol that comes back: every symbol is tried
    as the anchor of the items, which start at it or at what stands in front of all its occurrences.
    Returns whether there was one.
    """
    cdef int32_t part, symbol, found, end, best_count = 0, best_end = 0
    cdef double saved, best_saved = 0
    cdef Part folded
    index_parts(folder)
    for part in range(folder.part_count):
        symbol = folder.parts[part].symbol
        found = starts_at(folder, symbol) if folder.first_part[symbol] == part else 0
        while found and folder.allowance >= 0:
            folder.allowance -= found
            if most_saving(folder, found) > best_saved:
                end = end_of_last(folder, found)
                saved = saving(folder, found, end)
                if saved > best_saved:
                    best_saved = saved
                    best_count = found
                    best_end = end
                    memmove(folder.best_starts, folder.starts, found * sizeof(int32_t))
            if not shift_left(folder, found):
                break
    if best_count == 0:
        return False
    record(folder, folder.best_starts, best_count, best_end, &folded)
    collapse(folder, folder.best_starts[0], best_end, &folded)
    return True


cdef void collapse(Folder *folder, int32_t begin, int32_t end, Part* folded) noexcept nogil:
    """Put one part in place of those from `begin` up to `end`; `fold_runs` closes the gap in the sequence."""
    # A symbol of its own: all parts with the anchor's symbol are in this list.
    folded.symbol = folder.symbol_count
    folder.symbol_count += 1
    folder.parts[begin] = folded[0]
    memmove(folder.parts + begin + 1, folder.parts + end, (folder.part_count - end) * sizeof(Part))
    folder.part_count -= end - begin - 1


cdef int32_t fold(Folder *folder, int32_t count) except -1 nogil:
    """Fold the lists of the sequence, inner ones first. Returns how many trees are left in it."""
    cdef int32_t child
    cdef Part* part
    for child in range(count):
        part = &folder.parts[child]
        part.symbol = folder.symbols[child]
        part.begin = child
        part.end = child + 1
        part.first = child
        part.count = 1
        part.size = folder.trees[folder.sequence[child]].size
        part.level = 0
    folder.part_count = folder.symbol_count = count
    fold_runs(folder)
    while folder.allowance >= 0 and fold_tandem(folder):
        folder.allowance -= folder.part_count
        fold_runs(folder)
    part = &folder.parts[folder.part_count - 1]
    return part.first + part.count


# The page

cdef struct Fold:
    # What is known of a structural class.
    int32_t tree
    int32_t children
    int32_t first_list
    int32_t list_count


cdef int32_t start(Folder *folder, size_t nodes) except -1:
    """Take the memory of a call.

    A class folds to at most one tree, so trees and their children are no more than nodes. A list of k items
    leaves k - 1 parts fewer, so the lists of a node have at most twice as many items as it has children.
    """
    cdef size_t room = nodes + 2
    folder.trees = <Tree *>take(folder, room, sizeof(Tree))
    folder.children = <int32_t *>take(folder, room, sizeof(int32_t))
    folder.tree_at = <int32_t *>take(folder, 2 * room, sizeof(int32_t))
    folder.tree_row = <int32_t *>take(folder, room, sizeof(int32_t))
    folder.run_row = <int32_t *>take(folder, room, sizeof(int32_t))
    folder.prefix = <int32_t *>take(folder, room, sizeof(int32_t))
    folder.place = <int32_t *>take(folder, room, sizeof(int32_t))
    folder.distinct = <int32_t *>take(folder, room, sizeof(int32_t))
    folder.multiplicity = <int32_t *>take(folder, room, sizeof(int32_t))
    folder.best = <double *>take(folder, room, sizeof(double))
    folder.fine = <int32_t *>take(folder, room, sizeof(int32_t))
    folder.coarse = <int32_t *>take(folder, room, sizeof(int32_t))
    folder.symbols = <int32_t *>take(folder, room, sizeof(int32_t))
    folder.sequence = <int32_t *>take(folder, room, sizeof(int32_t))
    folder.parts = <Part *>take(folder, room, sizeof(Part))
    folder.occurrences = <int32_t *>take(folder, 2 * room, sizeof(int32_t))
    folder.first_part = <int32_t *>take(folder, 2 * room, sizeof(int32_t))
    folder.next_part = <int32_t *>take(folder, room, sizeof(int32_t))
    folder.nodes_before = <int32_t *>take(folder, room, sizeof(int32_t))
    folder.starts = <int32_t *>take(folder, room, sizeof(int32_t))
    folder.best_starts = <int32_t *>take(folder, room, sizeof(int32_t))
    folder.trimmed = <double *>take(folder, room, sizeof(double))
    folder.lists = <List *>take(folder, room, sizeof(List))
    folder.items = <Item *>take(folder, 2 * room, sizeof(Item))
    memset(folder.place, NONE, room * sizeof(int32_t))
    empty(&folder.states, LEAST_BITS)
    empty(&folder.scores, LEAST_BITS)
    empty(&folder.contexts, LEAST_BITS)
    return 0


cdef void stop(Folder *folder) noexcept:
    cdef int32_t k
    for k in range(folder.owned_count):
        free(folder.owned[k])
    free(folder.states.slots)
    free(folder.scores.slots)
    free(folder.contexts.slots)
    free(folder.waiting)
    free(folder.examples)


cdef bint is_tree(const int32_t[::1] size, int32_t root, int32_t *open_ends) noexcept nogil:
    """Whether every subtree lies inside the one that it begins in."""
    cdef int32_t depth = 0, node
    open_ends[0] = root + size[root]
    for node in range(root + 1, root + size[root]):
        while open_ends[depth] <= node:
            depth -= 1
        if not 1 <= size[node] <= open_ends[depth] - node:
            return False
        depth += 1
        open_ends[depth] = node + size[node]
    return True


cdef int32_t fold_classes(Folder *folder, const int32_t[::1] tag, const int32_t[::1] size, const int32_t[::1] class_id, int32_t root,
                      Fold *folds) except -1 nogil:
    """Fold every structural class below the root once, children before parents."""
    cdef int32_t node, child, end, count
    cdef int64_t share
    cdef Fold *found
    for node in range(root + size[root] - 1, root - 1, -1):
        found = &folds[class_id[node]]
        if found.tree != NONE:
            continue
        count = 0
        child = node + 1
        end = node + size[node]
        while child < end:
            folder.sequence[count] = folds[class_id[child]].tree
            count += 1
            child += size[child]
        found.children = count
        found.first_list = folder.list_count
        if count > 1:
            share = min(folder.budget, <int64_t> CELLS_PER_CHILD * count)
            folder.allowance = share
            label(folder, count)
            count = fold(folder, count)
            folder.budget -= share - folder.allowance
        found.list_count = folder.list_count - found.first_list
        found.tree = tree_of(folder, tag[node], folder.sequence, count)
    return 0


cdef int32_t count_lists(Folder *folder, const int32_t[::1] class_id, int32_t root, int32_t end, Fold *folds,
                     Py_ssize_t* items) noexcept nogil:
    """Lists of all nodes from `root` up to `end`, and their items."""
    cdef int32_t lists = 0, node, k
    cdef Fold *found
    items[0] = 0
    for node in range(root, end):
        found = &folds[class_id[node]]
        lists += found.list_count
        for k in range(found.first_list, found.first_list + found.list_count):
            items[0] += folder.lists[k].count
    return lists


cdef struct Regions:
    # Lists that are parts of one region, wherever on the page.
    Table newest        # region found last under this tag path and level
    int32_t *older          # region found before it there
    int32_t *example        # the list that a region was found with
    int32_t count


cdef bint alike(Folder *folder, List *one, List *other) except -1 nogil:
    """Whether the items of two lists are alike by the first threshold."""
    cdef int32_t matched
    if one == other:
        return True
    matched = match_runs(folder, folder.examples + one.example, one.example_count,
                         folder.examples + other.example, other.example_count, NULL)
    return matched > folder.threshold * max(one.example_size, other.example_size)


cdef int32_t region_of(Folder *folder, Regions *regions, int32_t path, int32_t found) except -1 nogil:
    """The region that a list belongs to: same tag path of the parent, same level, items alike."""
    cdef uint64_t key = pair_key(path, folder.lists[found].level)
    cdef Slot *slot = seek(&regions.newest, key)
    cdef int32_t region = slot.value
    while region != NONE and folder.allowance >= 0:
        folder.allowance -= 1
        if alike(folder, &folder.lists[regions.example[region]], &folder.lists[found]):
            return region
        region = regions.older[region]
    region = regions.count
    regions.count += 1
    regions.example[region] = found
    regions.older[region] = slot.value
    if slot.value == NONE:
        put(&regions.newest, key, region)
    else:
        slot.value = region
    return region


cdef int32_t path_below(Folder *folder, int32_t path, int32_t tag) except -1 nogil:
    """The tag path one step down from another, as a number."""
    cdef uint64_t key = pair_key(path, tag)
    cdef int32_t below = seek(&folder.contexts, key).value
    if below == NONE:
        below = folder.contexts.used
        put(&folder.contexts, key, below)
    return below


cdef int32_t write_lists(Folder *folder, const int32_t[::1] tag, const int32_t[::1] size, const int32_t[::1] class_id, int32_t root,
                     Fold *folds, Regions *regions, int32_t *path,
                     int32_t[::1] list_node, int32_t[::1] list_region, int32_t[::1] list_first,
                     int32_t[::1] item_start, int32_t[::1] item_end, double[::1] item_likeness) except -1 nogil:
    """Write the lists of every node, in document order of the nodes."""
    cdef int32_t *below = folder.starts
    cdef int32_t lists = 0, items = 0, node, child, end, count, k, item
    cdef Fold *found
    empty(&folder.contexts, LEAST_BITS)
    path[root] = path_below(folder, NONE, tag[root])
    for node in range(root, root + size[root]):
        found = &folds[class_id[node]]
        count = 0
        child = node + 1
        end = node + size[node]
        while child < end:
            path[child] = path_below(folder, path[node], tag[child])
            below[count] = child
            count += 1
            child += size[child]
        below[count] = end
        if count != found.children:
            with gil:
                raise ValueError("nodes of one class_id differ in their children")
        for k in range(found.first_list, found.first_list + found.list_count):
            list_node[lists] = node
            list_region[lists] = region_of(folder, regions, path[node], k)
            list_first[lists] = items
            lists += 1
            for item in range(folder.lists[k].first, folder.lists[k].first + folder.lists[k].count):
                item_start[items] = below[folder.items[item].begin]
                item_end[items] = below[folder.items[item].end]
                item_likeness[items] = folder.items[item].likeness
                items += 1
    list_first[lists] = items
    return 0


def find_lists(const int32_t[::1] tag, const int32_t[::1] size, const int32_t[::1] class_id, int32_t root,
               double threshold, double relative, int64_t budget):
    """All lists below a node, found by matching its tree with itself; see `folding.pyi`."""
    cdef Py_ssize_t nodes = tag.shape[0], node, items
    cdef int32_t lists
    cdef Folder folder
    cdef Regions regions
    cdef Fold *folds
    cdef int32_t *path
    cdef int32_t[::1] list_node, list_region, list_first, item_start, item_end
    cdef double[::1] item_likeness
    if size.shape[0] != nodes or class_id.shape[0] != nodes:
        raise ValueError("tag, size and class_id differ in length")
    if not 0 <= root < nodes:
        raise ValueError(f"there is no node {root}")
    if not 1 <= size[root] <= nodes - root:
        raise ValueError(f"the tree of node {root} ends outside the arrays")
    for node in range(root, root + size[root]):
        if not 0 <= class_id[node] <= nodes:
            raise ValueError(f"node {node} has class {class_id[node]}: there are no more classes than nodes")
    memset(&folder, 0, sizeof(Folder))
    memset(&regions, 0, sizeof(Regions))
    folder.threshold = threshold
    folder.relative = relative
    folder.budget = budget
    try:
        start(&folder, size[root])
        if not is_tree(size, root, folder.starts):
            raise ValueError("the sizes are not those of a tree")
        folds = <Fold *>take(&folder, nodes + 1, sizeof(Fold))
        memset(folds, NONE, (nodes + 1) * sizeof(Fold))
        with nogil:
            fold_classes(&folder, tag, size, class_id, root, folds)
            lists = count_lists(&folder, class_id, root, root + size[root], folds, &items)
        list_node = np.empty(lists, dtype=np.int32)
        list_region = np.empty(lists, dtype=np.int32)
        list_first = np.empty(lists + 1, dtype=np.int32)
        item_start = np.empty(items, dtype=np.int32)
        item_end = np.empty(items, dtype=np.int32)
        item_likeness = np.empty(items, dtype=np.float64)
        path = <int32_t *>take(&folder, nodes, sizeof(int32_t))
        regions.older = <int32_t *>take(&folder, lists + 1, sizeof(int32_t))
        regions.example = <int32_t *>take(&folder, lists + 1, sizeof(int32_t))
        empty(&regions.newest, LEAST_BITS)
        folder.allowance = folder.budget
        with nogil:
            write_lists(&folder, tag, size, class_id, root, folds, &regions, path,
                        list_node, list_region, list_first, item_start, item_end, item_likeness)
    finally:
        free(regions.newest.slots)
        stop(&folder)
    return tuple(map(np.asarray, (list_node, list_region, list_first, item_start, item_end, item_likeness)))
