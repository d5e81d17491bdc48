"""The lists of G-STM (Jindal & Liu 2010): likenesses of folded siblings, runs and tandem repeats folded to one item.
Each structural class is folded once, bottom-up; no recursion, all in a budget."""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free
from libc.string cimport memmove, memset

from fastwrap._core.common.buffers cimport data_of
from fastwrap._core.common.hashing cimport Numbers, number_of, size_of_numbers, start_numbers
from fastwrap._core.common.page cimport NativePage, PageArrays, subtree_end
from fastwrap._core.common.scratch cimport numbers, piece, put_back, reserve, take
from fastwrap._core.page.symbols cimport need_classes
from fastwrap._core.regions.folded_trees cimport (
    NONE, TreePool, close_pool, likeness, match_runs, open_pool, pair_key, size_of_pool, tree_of,
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


cdef struct ListRegion:
    # Lists that are parts of one region, wherever on the page.
    int32_t example         # the list that it was found with
    int32_t older           # the region found before it under the same tag path and level


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
    void *table             # scratch: the memory of tables of numbers

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
    int64_t example_room

    ListRegion *regions
    int32_t region_count
    int32_t *newest         # the region found last, by number of tag path and level
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
    for i in range(trees):
        folder.place[folder.distinct[i]] = NONE
    return 0


cdef void join_by_context(ListFolder *folder, int32_t count) noexcept nogil:
    """Between the same two neighbours the first threshold is enough: the sibling has the same part to play.

    Ours. The second threshold tells the parts of an item from each other (a row with the title, a row with
    the price), but it also splits off the variants of an item that are in the minority (one without a price).
    """
    cdef int32_t *example = folder.starts       # by context: the symbol of the first sibling in it
    cdef int32_t child, before, after, known, context, contexts = 0
    cdef Numbers table
    start_numbers(&table, folder.table, count, 0)
    for child in range(count):
        before = folder.symbols[child - 1] if child else count
        after = folder.symbols[child + 1] if child + 1 < count else count
        known = contexts
        context = number_of(&table, pair_key(before, after),
                            root_of(folder.coarse, folder.place[folder.sequence[child]]), &contexts)
        if context == known:
            example[context] = folder.symbols[child]
        else:
            join(folder.fine, example[context], folder.symbols[child])
    for child in range(count):
        folder.symbols[child] = root_of(folder.fine, folder.symbols[child])


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

cdef int open_folder(ListFolder *folder, size_t nodes) except -1 nogil:
    """Take the memory for a page of so many nodes. What is not reached is not touched, so it costs address space only.

    A list of k items leaves k - 1 parts fewer, so the lists of a node have at most twice as many items as it has
    children; and the lists of all nodes are no more than the nodes.
    """
    cdef size_t room = nodes + 2
    cdef char *at = <char *>take(
        size_of_pool(nodes) + 2 * size_of_numbers(room) + 24 * 16 + room * (
            sizeof(Part) + sizeof(FoldedClass) + sizeof(FoldedList) + 2 * sizeof(ListItem) + sizeof(ListRegion)
            + 18 * sizeof(int32_t) + 2 * sizeof(double)))
    folder.block = at
    open_pool(&folder.pool, &at, nodes)
    folder.table = piece(&at, 2 * size_of_numbers(room))
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
    folder.regions = <ListRegion *>piece(&at, room * sizeof(ListRegion))
    folder.newest = numbers(&at, room)
    folder.path = numbers(&at, room)
    memset(folder.place, NONE, room * sizeof(int32_t))
    memset(folder.classes, NONE, room * sizeof(FoldedClass))
    return 0


cdef void close_folder(ListFolder *folder) noexcept nogil:
    close_pool(&folder.pool)
    free(folder.examples)
    put_back(folder.block)


cdef int fold_classes(ListFolder *folder, const PageArrays *page) except -1 nogil:
    """Fold every structural class below the body once, children before parents."""
    cdef int32_t node, child, count
    cdef int64_t share
    cdef FoldedClass *folded
    for node in range(page.body_end - 1, page.body - 1, -1):
        folded = &folder.classes[page.structural_class[node]]
        if folded.tree != NONE:
            continue
        count = 0
        child = node + 1
        while child < subtree_end(page, node):
            folder.sequence[count] = folder.classes[page.structural_class[child]].tree
            count += 1
            child = subtree_end(page, child)
        folded.first_list = folder.list_count
        if count > 1:
            share = min(folder.budget, <int64_t>CELLS_PER_CHILD * count)
            folder.pool.allowance = share
            label(folder, count)
            count = fold(folder, count)
            folder.budget -= share - folder.pool.allowance
            folder.met |= folder.pool.allowance < 0
        folded.list_count = folder.list_count - folded.first_list
        folded.tree = tree_of(&folder.pool, page.tag[node], folder.sequence, count)
    return 0


cdef bint alike(ListFolder *folder, const FoldedList *one, const FoldedList *other) except -1 nogil:
    """Whether the items of two lists are alike by the first threshold."""
    cdef int32_t matched
    if one == other:
        return True
    matched = match_runs(&folder.pool, folder.examples + one.example, one.example_count,
                         folder.examples + other.example, other.example_count, NULL)
    return matched > folder.pool.threshold * max(one.example_size, other.example_size)


cdef int32_t region_of(ListFolder *folder, int32_t place, int32_t number) except -1 nogil:
    """The region that a list belongs to, of those at the same place (tag path of the parent, and level): items alike."""
    cdef int32_t region = folder.newest[place]
    while region != NONE and folder.pool.allowance >= 0:
        folder.pool.allowance -= 1
        if alike(folder, &folder.lists[folder.regions[region].example], &folder.lists[number]):
            return region
        region = folder.regions[region].older
    region = folder.region_count
    folder.region_count += 1
    folder.regions[region].example = number
    folder.regions[region].older = folder.newest[place]
    folder.newest[place] = region
    return region


cdef struct PageLists:
    # What `find_lists` returns: pointers into its arrays, and how many lists and items these have.
    int32_t *region
    int32_t *first
    int32_t *items
    double *likeness
    int32_t count
    int32_t item_count


cdef int write_lists(ListFolder *folder, const PageArrays *page, PageLists *found) except -1 nogil:
    """Write the lists of every node of the body, in document order of the nodes."""
    cdef int32_t *below = folder.starts
    cdef int32_t node, child, count, k, item, place, path_count = 0, places = 0
    cdef size_t room = page.count
    cdef Numbers paths, places_by_path
    cdef const FoldedClass *folded
    start_numbers(&paths, folder.table, room, 0)
    start_numbers(&places_by_path, <char *>folder.table + size_of_numbers(room), room, 0)
    memset(folder.newest, NONE, room * sizeof(int32_t))
    folder.path[page.body] = number_of(&paths, 0, page.tag[page.body], &path_count)
    for node in range(page.body, page.body_end):
        folded = &folder.classes[page.structural_class[node]]
        count = 0
        child = node + 1
        while child < subtree_end(page, node):
            folder.path[child] = number_of(&paths, folder.path[node] + 1, page.tag[child], &path_count)
            below[count] = child
            count += 1
            child = subtree_end(page, child)
        below[count] = child
        for k in range(folded.first_list, folded.first_list + folded.list_count):
            place = number_of(&places_by_path, folder.path[node], folder.lists[k].level, &places)
            found.region[found.count] = region_of(folder, place, k)
            found.first[found.count] = found.item_count
            found.count += 1
            for item in range(folder.lists[k].first, folder.lists[k].first + folder.lists[k].count):
                found.items[2 * found.item_count] = below[folder.items[item].begin]
                found.items[2 * found.item_count + 1] = below[folder.items[item].end]
                found.likeness[found.item_count] = folder.items[item].likeness
                found.item_count += 1
    found.first[found.count] = found.item_count
    return 0


def find_lists(NativePage native not None, double threshold, double relative, int64_t budget):
    """All lists of a page, found by matching it with itself; see `folding.pyi`."""
    need_classes(native)
    cdef const PageArrays *page = &native.arrays
    cdef ListFolder folder
    cdef PageLists found
    cdef bint met
    memset(&folder, 0, sizeof(ListFolder))
    folder.pool.threshold = threshold
    folder.relative = relative
    folder.budget = budget
    # As many lists and items as there may be: see `open_folder`.
    regions, firsts = empty(page.count, INT32), empty(page.count + 1, INT32)
    items, likenesses = empty((2 * page.count, 2), INT32), empty(2 * page.count, np.float64)
    memset(&found, 0, sizeof(PageLists))
    found.region = <int32_t *>data_of(regions)
    found.first = <int32_t *>data_of(firsts)
    found.items = <int32_t *>data_of(items)
    found.likeness = <double *>data_of(likenesses)
    try:
        with nogil:
            open_folder(&folder, page.count)
            fold_classes(&folder, page)
            folder.pool.allowance = folder.budget
            write_lists(&folder, page, &found)
        met = folder.met or folder.pool.allowance < 0
    finally:
        close_folder(&folder)
    return (regions[:found.count], firsts[:found.count + 1], items[:found.item_count], likenesses[:found.item_count],
            met)
