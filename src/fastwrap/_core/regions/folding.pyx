"""The lists of G-STM (Jindal & Liu 2010): likenesses of folded siblings, runs and tandem repeats folded to one item.
Each structural class is folded once, bottom-up; no recursion, all in a budget."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memmove, memset

from fastwrap._core.common.buffers cimport data_of
from fastwrap._core.common.page cimport NativePage, PageArrays, subtree_end
from fastwrap._core.common.scratch cimport piece, put_back, take
from fastwrap._core.page.symbols cimport need_classes
from fastwrap._core.regions.folded_trees cimport (
    NONE, NumberTable, TableEntry, TreePool, close_pool, empty_table, likeness, match_runs, open_pool, other_kind,
    pair_key, put, reserve, seek, size_of_pool, tree_of,
)

import numpy as np

cdef object empty = np.empty, INT32 = np.dtype(np.int32)

cdef enum:
    NEAR = 64                   # a tree is compared with so many other trees after it among its siblings
    LONGEST_ITEM = 100          # parts of an item: no record is made of more siblings
    REFERENCES = 4              # items that tell where the last one ends
    CELLS_PER_CHILD = 2_000     # what one wide node may spend, so that it leaves the others their share


cdef struct Part:
    # What stands for some adjacent siblings: one child, or a list folded to one item.
    int32_t symbol
    int32_t begin           # the siblings that it stands for, by number
    int32_t end
    int32_t first           # its folded trees in `sequence`; those of adjacent parts are adjacent
    int32_t count
    int32_t size            # nodes of its folded trees
    int32_t level           # 0 for a child, else 1 more than the parts that were folded


cdef struct ListItem:
    int32_t begin           # siblings, by number
    int32_t end
    double likeness         # to the item before it; 0 for the first of a list


cdef struct FoldedList:
    int32_t first           # its items
    int32_t count
    int32_t level
    int32_t example         # folded trees of the item that it was folded to, in `examples`
    int32_t example_count
    int32_t example_size


cdef struct FoldedClass:
    # What is known of a structural class.
    int32_t tree
    int32_t first_list
    int32_t list_count


cdef struct RegionIndex:
    # Lists that are parts of one region, wherever on the page.
    NumberTable newest      # the region found last under this tag path and level
    int32_t *older          # the region found before it there
    int32_t *example        # the list that a region was found with
    int32_t count


cdef struct ListFolder:
    TreePool pool           # the folded trees; it has the first threshold, tau 1, and what the class at hand may spend
    double relative         # tau 2: siblings far below the best likeness that one of them has are not of one list
    int64_t budget          # cells that the whole call may still fill
    bint met                # whether the budget, or the share of a wide node, was met

    int32_t *prefix         # scores of the first trees of a run against another run
    int32_t *place          # place of a tree in `distinct`, NONE elsewhere
    int32_t *distinct       # the folded trees of the children at hand, each one once
    int32_t *multiplicity
    double *best            # the largest likeness to another sibling
    int32_t *fine           # sets of trees that are alike by both thresholds (union-find) ...
    int32_t *coarse         # ... and by the first one alone
    int32_t *symbols        # of the children at hand
    NumberTable contexts    # scratch: neighbours of siblings, later tag paths

    int32_t *sequence       # folded trees of the parts at hand, in order
    Part *parts
    int32_t part_count
    int32_t symbol_count
    int32_t *occurrences    # parts with this symbol ...
    int32_t *first_part     # ... the first of them ...
    int32_t *next_part      # ... and the next part with the symbol of this one
    int32_t *nodes_before   # nodes in the parts before this one
    int32_t *starts         # where the items of the list at hand start
    int32_t *best_starts
    double *trimmed         # scratch of `end_of_last`

    FoldedClass *classes    # by structural class
    FoldedList *lists
    int32_t list_count
    ListItem *items
    int32_t item_count
    int32_t *examples
    int32_t example_count
    int32_t example_room

    RegionIndex regions
    int32_t *path           # by node: the number of its tag path
    void *block             # all memory of fixed size


# DetectLists of the paper: symbols

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


cdef int32_t gather(ListFolder *folder, int32_t count) noexcept nogil:
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


cdef int32_t label(ListFolder *folder, int32_t count) except -1 nogil:
    """Give each child a symbol: the same to those that are alike."""
    cdef int32_t trees = gather(folder, count)
    cdef int32_t fine_sets = trees, coarse_sets = trees, i, j, child
    cdef double value
    # A sibling equal to this one is the best there is; the tree itself, the diagonal of W, does not count.
    for i in range(trees):
        folder.best[i] = folder.multiplicity[i] > 1
    for i in range(trees):
        for j in range(i + 1, min(trees, i + 1 + NEAR)):
            folder.pool.allowance -= 1
            value = likeness(&folder.pool, folder.distinct[i], folder.distinct[j])
            folder.best[i] = max(folder.best[i], value)
            folder.best[j] = max(folder.best[j], value)
    for i in range(trees):
        for j in range(i + 1, min(trees, i + 1 + NEAR)):
            folder.pool.allowance -= 1
            value = likeness(&folder.pool, folder.distinct[i], folder.distinct[j])
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


cdef int32_t join_by_context(ListFolder *folder, int32_t count) except -1 nogil:
    """Between the same two neighbours the first threshold is enough: the sibling has the same part to play.

    Ours. The second threshold tells the parts of an item from each other (a row with the title, a row with
    the price), but it also splits off the variants of an item that are in the minority (one without a price).
    """
    cdef int32_t child, before, after, context
    cdef uint64_t key
    empty_table(&folder.contexts)
    for child in range(count):
        before = folder.symbols[child - 1] if child else count
        after = folder.symbols[child + 1] if child + 1 < count else count
        key = pair_key(before, after)
        context = seek(&folder.contexts, key).value
        if context == NONE:
            context = folder.contexts.used
            put(&folder.contexts, key, context)
        key = other_kind(pair_key(context, root_of(folder.coarse, folder.place[folder.sequence[child]])))
        if seek(&folder.contexts, key).value == NONE:
            put(&folder.contexts, key, folder.symbols[child])
        else:
            join(folder.fine, seek(&folder.contexts, key).value, folder.symbols[child])
    return 0


# UpdateW of the paper: lists folded to one item

cdef inline int32_t trees_in(ListFolder *folder, int32_t begin, int32_t end) noexcept nogil:
    """How many folded trees the parts from `begin` up to `end` have."""
    return folder.parts[end - 1].first + folder.parts[end - 1].count - folder.parts[begin].first


cdef inline int32_t nodes_in(ListFolder *folder, int32_t begin, int32_t end) noexcept nogil:
    """How many nodes their folded trees have."""
    return folder.nodes_before[end] - folder.nodes_before[begin]


cdef int32_t match_parts(ListFolder *folder, int32_t begin, int32_t end, int32_t other, int32_t other_end,
                         int32_t *prefix) except -1 nogil:
    """`match_runs` of the folded trees of two runs of parts."""
    return match_runs(&folder.pool, folder.sequence + folder.parts[begin].first, trees_in(folder, begin, end),
                      folder.sequence + folder.parts[other].first, trees_in(folder, other, other_end), prefix)


cdef int32_t add_list(ListFolder *folder, const int32_t *starts, int32_t count, int32_t end,
                      Part *folded) except -1 nogil:
    """Add a list, its items starting at the parts in `starts`; write what it is folded to.

    The paper keeps the first item with the average score and size. Ours keeps the largest item, which has
    most of the optional parts: it is a tree again, so scores stay symmetric and never pass 1.
    """
    cdef FoldedList *added = &folder.lists[folder.list_count]
    cdef ListItem *item
    cdef int32_t k, begin, stop, part, size, previous_size = 0
    folder.list_count += 1
    added.first = folder.item_count
    added.count = count
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
    added.level = folded.level
    added.example = folder.example_count
    added.example_count = folded.count
    added.example_size = folded.size
    reserve(<void **>&folder.examples, &folder.example_room, folder.example_count + folded.count, sizeof(int32_t))
    memmove(folder.examples + folder.example_count, folder.sequence + folded.first, folded.count * sizeof(int32_t))
    folder.example_count += folded.count
    folder.pool.allowance -= folded.count
    return 0


cdef int32_t fold_runs(ListFolder *folder) except -1 nogil:
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
            add_list(folder, folder.starts, after - part, after, &folded)
        # What is kept moves to the left, never over what has not been read.
        memmove(folder.sequence + filled, folder.sequence + folded.first, folded.count * sizeof(int32_t))
        folded.first = filled
        filled += folded.count
        folder.parts[kept] = folded
        kept += 1
        part = after
    folder.part_count = kept
    return 0


cdef int32_t end_of_last(ListFolder *folder, int32_t count) except -1 nogil:
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


cdef double saving(ListFolder *folder, int32_t count, int32_t end) except -1 nogil:
    """Nodes of the items that those before them explain, above what the first threshold asks for."""
    cdef int32_t *starts = folder.starts
    cdef double saved = 0
    cdef int32_t k, stop
    for k in range(1, count):
        stop = starts[k + 1] if k + 1 < count else end
        saved += match_parts(folder, starts[k], stop, starts[k - 1], starts[k], NULL)
        saved -= folder.pool.threshold * max(nodes_in(folder, starts[k], stop),
                                             nodes_in(folder, starts[k - 1], starts[k]))
    return max(saved, 0)


cdef double most_saving(ListFolder *folder, int32_t count) noexcept nogil:
    """What `saving` cannot exceed: a score is at most the smaller size. The last item may be of any size."""
    cdef int32_t *starts = folder.starts
    cdef double saved = 0
    cdef int32_t k, size, previous = nodes_in(folder, starts[0], starts[1])
    for k in range(1, count):
        size = nodes_in(folder, starts[k], starts[k + 1]) if k + 1 < count else previous
        saved += min(size, previous) - folder.pool.threshold * max(size, previous)
        previous = size
    return saved


cdef bint shift_left(ListFolder *folder, int32_t count) noexcept nogil:
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


cdef void index_parts(ListFolder *folder) noexcept nogil:
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


cdef int32_t starts_at(ListFolder *folder, int32_t symbol) noexcept nogil:
    """Let items start where the symbol occurs. Returns how many they are, 0 if they cannot be a list."""
    cdef int32_t found = 0, part = folder.first_part[symbol]
    while part != NONE:
        folder.starts[found] = part
        found += 1
        part = folder.next_part[part]
        if part != NONE and part - folder.starts[found - 1] > LONGEST_ITEM:
            return 0
    return found if found > 1 else 0


cdef bint fold_tandem(ListFolder *folder) except -1 nogil:
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
        while found and folder.pool.allowance >= 0:
            folder.pool.allowance -= found
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
    add_list(folder, folder.best_starts, best_count, best_end, &folded)
    collapse(folder, folder.best_starts[0], best_end, &folded)
    return True


cdef void collapse(ListFolder *folder, int32_t begin, int32_t end, Part *folded) noexcept nogil:
    """Put one part in place of those from `begin` up to `end`; `fold_runs` closes the gap in the sequence."""
    # A symbol of its own: all parts with the anchor's symbol are in this list.
    folded.symbol = folder.symbol_count
    folder.symbol_count += 1
    folder.parts[begin] = folded[0]
    memmove(folder.parts + begin + 1, folder.parts + end, (folder.part_count - end) * sizeof(Part))
    folder.part_count -= end - begin - 1


cdef int32_t fold(ListFolder *folder, int32_t count) except -1 nogil:
    """Fold the lists of the sequence, inner ones first. Returns how many trees are left in it."""
    cdef int32_t child
    cdef Part *part
    for child in range(count):
        part = &folder.parts[child]
        part.symbol = folder.symbols[child]
        part.begin = child
        part.end = child + 1
        part.first = child
        part.count = 1
        part.size = folder.pool.trees[folder.sequence[child]].size
        part.level = 0
    folder.part_count = folder.symbol_count = count
    fold_runs(folder)
    while folder.pool.allowance >= 0 and fold_tandem(folder):
        folder.pool.allowance -= folder.part_count
        fold_runs(folder)
    part = &folder.parts[folder.part_count - 1]
    return part.first + part.count


# The page

cdef size_t size_of_folder(size_t nodes) noexcept nogil:
    """The memory that `open_folder` needs. What is not reached is not touched, so it costs address space only."""
    cdef size_t room = nodes + 2
    return (
        size_of_pool(nodes) + room * (sizeof(Part) + sizeof(FoldedClass) + sizeof(FoldedList) + 2 * sizeof(ListItem))
        + room * (20 * sizeof(int32_t) + 2 * sizeof(double)) + 24 * 16
    )


cdef inline int32_t *numbers(char **at, size_t count) noexcept nogil:
    return <int32_t *>piece(at, count * sizeof(int32_t))


cdef int open_folder(ListFolder *folder, size_t nodes) except -1 nogil:
    """Take the memory for a page of so many nodes.

    A list of k items leaves k - 1 parts fewer, so the lists of a node have at most twice as many items as it has
    children; and the lists of all nodes are no more than the nodes.
    """
    cdef size_t room = nodes + 2
    cdef char *at
    folder.block = take(size_of_folder(nodes))
    if folder.block == NULL:
        with gil:
            raise MemoryError("no memory for the lists of the page")
    at = <char *>folder.block
    open_pool(&folder.pool, &at, nodes)
    folder.prefix = numbers(&at, room)
    folder.place = numbers(&at, room)
    folder.distinct = numbers(&at, room)
    folder.multiplicity = numbers(&at, room)
    folder.best = <double *>piece(&at, room * sizeof(double))
    folder.fine = numbers(&at, room)
    folder.coarse = numbers(&at, room)
    folder.symbols = numbers(&at, room)
    folder.sequence = numbers(&at, room)
    folder.parts = <Part *>piece(&at, room * sizeof(Part))
    folder.occurrences = numbers(&at, 2 * room)
    folder.first_part = numbers(&at, 2 * room)
    folder.next_part = numbers(&at, room)
    folder.nodes_before = numbers(&at, room)
    folder.starts = numbers(&at, room)
    folder.best_starts = numbers(&at, room)
    folder.trimmed = <double *>piece(&at, room * sizeof(double))
    folder.lists = <FoldedList *>piece(&at, room * sizeof(FoldedList))
    folder.items = <ListItem *>piece(&at, 2 * room * sizeof(ListItem))
    folder.classes = <FoldedClass *>piece(&at, room * sizeof(FoldedClass))
    folder.path = numbers(&at, room)
    folder.regions.older = numbers(&at, room)
    folder.regions.example = numbers(&at, room)
    memset(folder.place, NONE, room * sizeof(int32_t))
    memset(folder.classes, NONE, room * sizeof(FoldedClass))
    empty_table(&folder.contexts)
    empty_table(&folder.regions.newest)
    return 0


cdef void close_folder(ListFolder *folder) noexcept nogil:
    close_pool(&folder.pool)
    free(folder.contexts.entries)
    free(folder.regions.newest.entries)
    free(folder.examples)
    put_back(folder.block)


cdef int fold_classes(ListFolder *folder, const PageArrays *page) except -1 nogil:
    """Fold every structural class below the body once, children before parents."""
    cdef int32_t node, child, count
    cdef int64_t share
    cdef FoldedClass *own
    for node in range(page.body_end - 1, page.body - 1, -1):
        own = &folder.classes[page.structural_class[node]]
        if own.tree != NONE:
            continue
        count = 0
        child = node + 1
        while child < subtree_end(page, node):
            folder.sequence[count] = folder.classes[page.structural_class[child]].tree
            count += 1
            child = subtree_end(page, child)
        own.first_list = folder.list_count
        if count > 1:
            share = min(folder.budget, <int64_t>CELLS_PER_CHILD * count)
            folder.pool.allowance = share
            label(folder, count)
            count = fold(folder, count)
            folder.budget -= share - folder.pool.allowance
            folder.met |= folder.pool.allowance < 0
        own.list_count = folder.list_count - own.first_list
        own.tree = tree_of(&folder.pool, page.tag[node], folder.sequence, count)
    return 0


cdef int32_t count_lists(const ListFolder *folder, const PageArrays *page, int32_t *items) noexcept nogil:
    """Lists of all nodes of the body, and their items."""
    cdef int32_t lists = 0, node, k
    cdef const FoldedClass *own
    items[0] = 0
    for node in range(page.body, page.body_end):
        own = &folder.classes[page.structural_class[node]]
        lists += own.list_count
        for k in range(own.first_list, own.first_list + own.list_count):
            items[0] += folder.lists[k].count
    return lists


cdef bint alike(ListFolder *folder, const FoldedList *one, const FoldedList *other) except -1 nogil:
    """Whether the items of two lists are alike by the first threshold."""
    cdef int32_t matched
    if one == other:
        return True
    matched = match_runs(&folder.pool, folder.examples + one.example, one.example_count,
                         folder.examples + other.example, other.example_count, NULL)
    return matched > folder.pool.threshold * max(one.example_size, other.example_size)


cdef int32_t region_of(ListFolder *folder, int32_t path, int32_t number) except -1 nogil:
    """The region that a list belongs to: same tag path of the parent, same level, items alike."""
    cdef RegionIndex *regions = &folder.regions
    cdef uint64_t key = pair_key(path, folder.lists[number].level)
    cdef TableEntry *newest = seek(&regions.newest, key)
    cdef int32_t region = newest.value
    while region != NONE and folder.pool.allowance >= 0:
        folder.pool.allowance -= 1
        if alike(folder, &folder.lists[regions.example[region]], &folder.lists[number]):
            return region
        region = regions.older[region]
    region = regions.count
    regions.count += 1
    regions.example[region] = number
    regions.older[region] = newest.value
    if newest.value == NONE:
        put(&regions.newest, key, region)
    else:
        newest.value = region
    return region


cdef int32_t path_below(ListFolder *folder, int32_t path, int32_t tag) except -1 nogil:
    """The tag path one step down from another, as a number."""
    cdef uint64_t key = pair_key(path, tag)
    cdef int32_t below = seek(&folder.contexts, key).value
    if below == NONE:
        below = folder.contexts.used
        put(&folder.contexts, key, below)
    return below


cdef struct ListArrays:
    # What `find_lists` returns: pointers into its arrays.
    int32_t *node
    int32_t *region
    int32_t *first
    int32_t *item_start
    int32_t *item_end
    double *item_likeness


cdef int write_lists(ListFolder *folder, const PageArrays *page, const ListArrays *found) except -1 nogil:
    """Write the lists of every node of the body, in document order of the nodes."""
    cdef int32_t *below = folder.starts
    cdef int32_t lists = 0, items = 0, node, child, count, k, item
    cdef const FoldedClass *own
    empty_table(&folder.contexts)
    folder.path[page.body] = path_below(folder, NONE, page.tag[page.body])
    for node in range(page.body, page.body_end):
        own = &folder.classes[page.structural_class[node]]
        count = 0
        child = node + 1
        while child < subtree_end(page, node):
            folder.path[child] = path_below(folder, folder.path[node], page.tag[child])
            below[count] = child
            count += 1
            child = subtree_end(page, child)
        below[count] = child
        for k in range(own.first_list, own.first_list + own.list_count):
            found.node[lists] = node
            found.region[lists] = region_of(folder, folder.path[node], k)
            found.first[lists] = items
            lists += 1
            for item in range(folder.lists[k].first, folder.lists[k].first + folder.lists[k].count):
                found.item_start[items] = below[folder.items[item].begin]
                found.item_end[items] = below[folder.items[item].end]
                found.item_likeness[items] = folder.items[item].likeness
                items += 1
    found.first[lists] = items
    return 0


def find_lists(NativePage native not None, double threshold, double relative, int64_t budget):
    """All lists of a page, found by matching it with itself; see `folding.pyi`."""
    need_classes(native)
    cdef const PageArrays *page = &native.arrays
    cdef int32_t lists, items = 0
    cdef ListFolder folder
    cdef ListArrays found
    memset(&folder, 0, sizeof(ListFolder))
    folder.pool.threshold = threshold
    folder.relative = relative
    folder.budget = budget
    try:
        with nogil:
            open_folder(&folder, page.count)
            fold_classes(&folder, page)
            lists = count_lists(&folder, page, &items)
        nodes, regions, firsts = empty(lists, INT32), empty(lists, INT32), empty(lists + 1, INT32)
        starts, ends, likenesses = empty(items, INT32), empty(items, INT32), empty(items, np.float64)
        found.node = <int32_t *>data_of(nodes)
        found.region = <int32_t *>data_of(regions)
        found.first = <int32_t *>data_of(firsts)
        found.item_start = <int32_t *>data_of(starts)
        found.item_end = <int32_t *>data_of(ends)
        found.item_likeness = <double *>data_of(likenesses)
        folder.pool.allowance = folder.budget
        with nogil:
            write_lists(&folder, page, &found)
        met = folder.met or folder.pool.allowance < 0
    finally:
        close_folder(&folder)
    return nodes, regions, firsts, starts, ends, likenesses, bool(met)
