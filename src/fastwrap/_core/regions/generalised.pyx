"""Generalised nodes (MDR, Liu, Grossman & Zhai 2003): the pairs of adjacent sibling runs of a page to compare,
and the choice of the regions that explain most of it. Also the loop over pairs for a user's own distance."""

from libc.stdint cimport int32_t, uint8_t, uint64_t, uintptr_t
from libc.string cimport memset

from fastwrap._core.common.buffers cimport data_of, held, held_numbers
from fastwrap._core.common.names cimport TEXT
from fastwrap._core.common.page cimport NativePage, PageArrays, subtree_end
from fastwrap._core.common.scratch cimport numbers, piece, put_back, take
from fastwrap._core.page.symbols cimport need_classes

import numpy as np

cdef object empty = np.empty, INT32 = np.dtype(np.int32)

cdef enum:
    MAX_SIBLINGS = 64   # siblings in a generalised node: what a call may ask for
    # What is done with siblings:
    ALONE = 0           # no run ends at this sibling: it is looked into by itself
    RECORDS = 1         # generalised nodes that are records of one region
    ROWS = 2            # similar generalised nodes that are looked into, because their insides explain more

cdef double EPSILON = 1e-9      # a gain that is no rounding error
cdef double RICH = 3.0          # texts per record: fewer make it a cell of a data table, not a record in a row

ctypedef double (*Distance)(const int32_t *, const int32_t *, int32_t, int32_t, int32_t, int32_t) noexcept nogil


cdef struct SiblingLists:
    # The children of the body and of every node below it, parents in document order.
    int32_t count           # lists
    int32_t *parent         # by list
    int32_t *start          # list i is child[start[i]:start[i + 1]]
    int32_t *child          # a *place* is an index of this array
    int32_t *pair_start     # the pairs whose left run starts at a place: one for each length of the runs


cdef struct Chain:
    # The generalised nodes of one length that end at one sibling, seen as one region and as rows of regions.
    double records          # nodes explained up to this sibling if they are records
    int32_t record_count    # how many they are
    double rows             # nodes explained if they are looked into; negative if there is nothing inside
    int32_t row_count


cdef struct Choice:
    # What is done with the siblings up to this one, in the best of all ways.
    int32_t kind
    int32_t siblings        # in a generalised node
    int32_t count           # generalised nodes


cdef int check_longest(int32_t longest) except -1:
    if not 1 <= longest <= MAX_SIBLINGS:
        raise ValueError(f"generalised nodes have 1 to {MAX_SIBLINGS} siblings")
    return 0


cdef void list_siblings(SiblingLists *lists, const PageArrays *page, int32_t longest) noexcept nogil:
    """Fill in the lists, whose arrays have room for all nodes of the body."""
    cdef int32_t filled = 0, node, child, place, most
    lists.count = 0
    lists.start[0] = 0
    lists.pair_start[0] = 0
    for node in range(page.body, page.body_end):
        if page.size[node] == 1:
            continue
        lists.parent[lists.count] = node
        child = node + 1
        while child < subtree_end(page, node):
            lists.child[filled] = child
            filled += 1
            child = subtree_end(page, child)
        lists.count += 1
        lists.start[lists.count] = filled
        for place in range(lists.start[lists.count - 1], filled):
            # Two runs of the same length must fit into what is left of the list.
            most = (filled - place) // 2
            lists.pair_start[place + 1] = lists.pair_start[place] + (most if most < longest else longest)


cdef void number_paths(const PageArrays *page, const SiblingLists *lists, uint64_t *above,
                       uint64_t *path) noexcept nogil:
    """Write a number for the tags from the body down to each parent (a product of hashes, Knuth 6.4).

    `above` has room for that of each node's parent.
    """
    cdef int32_t number, parent, place
    # By node from the body on: children come after their parents.
    above[0] = 0
    for number in range(lists.count):
        parent = lists.parent[number]
        path[number] = (above[parent - page.body] ^ <uint64_t>page.tag[parent]) * <uint64_t>0x9E3779B97F4A7C15
        for place in range(lists.start[number], lists.start[number + 1]):
            above[lists.child[place] - page.body] = path[number]


cdef void equal_runs(const int32_t *class_of, const SiblingLists *lists, int32_t number, int32_t longest,
                     uint8_t *equal) noexcept nogil:
    """Write for each pair in a list whether its runs are equal."""
    cdef int32_t same[MAX_SIBLINGS + 1]
    cdef int32_t first = lists.start[number], last = lists.start[number + 1] - 1, place, pair, siblings
    cdef bint are_equal
    memset(same, 0, sizeof(same))
    for place in range(last, first - 1, -1):
        # same[k]: from here on, so many siblings are equal to the k-th after them.
        for siblings in range(1, min(longest, last - place) + 1):
            are_equal = class_of[lists.child[place]] == class_of[lists.child[place + siblings]]
            same[siblings] = same[siblings] + 1 if are_equal else 0
        for pair in range(lists.pair_start[place], lists.pair_start[place + 1]):
            siblings = pair - lists.pair_start[place] + 1
            equal[pair] = same[siblings] >= siblings


def candidates(NativePage native not None, int32_t longest):
    """Lists of siblings and the pairs of adjacent runs in them; see `generalised.pyi`."""
    check_longest(longest)
    need_classes(native)
    cdef const PageArrays *page = &native.arrays
    cdef int32_t below = page.body_end - page.body - 1, number, place, siblings, pair
    cdef SiblingLists lists
    cdef uint64_t *path
    cdef int32_t *run
    cdef uint8_t *equal
    cdef void *block = take((<size_t>below + 1) * (sizeof(int32_t) + sizeof(uint64_t)) + 32)
    cdef char *at = <char *>block
    try:
        starts, children, pair_starts = empty(below + 1, INT32), empty(below, INT32), empty(below + 1, INT32)
        lists.parent = numbers(&at, below + 1)
        lists.start = <int32_t *>data_of(starts)
        lists.child = <int32_t *>data_of(children)
        lists.pair_start = <int32_t *>data_of(pair_starts)
        with nogil:
            list_siblings(&lists, page, longest)
        pair = lists.pair_start[below]
        paths, runs, equals = empty(lists.count, np.uint64), empty((pair, 3), INT32), empty(pair, np.bool_)
        path = <uint64_t *>data_of(paths)
        run = <int32_t *>data_of(runs)
        equal = <uint8_t *>data_of(equals)
        with nogil:
            number_paths(page, &lists, <uint64_t *>at, path)
            for number in range(lists.count):
                equal_runs(page.structural_class, &lists, number, longest, equal)
            for place in range(below):
                for pair in range(lists.pair_start[place], lists.pair_start[place + 1]):
                    siblings = pair - lists.pair_start[place] + 1
                    run[0] = lists.child[place]
                    run[1] = lists.child[place + siblings]
                    run[2] = subtree_end(page, lists.child[place + 2 * siblings - 1])
                    run += 3
    finally:
        put_back(block)
    return starts[:lists.count + 1].copy(), paths, children, pair_starts, runs, equals


cdef struct Prefix:
    # The siblings of a list up to one of them.
    double best             # nodes explained by the best regions
    double inner            # nodes explained inside the siblings
    double head             # nodes of first records inside the siblings


cdef struct Explanation:
    const PageArrays *page
    SiblingLists lists
    const double *distance  # by pair
    double threshold
    int32_t longest
    int32_t *texts          # [nodes + 1] texts before each node
    double *inside          # by node: nodes that the best regions below it explain
    double *heads           # by node: nodes of the first records of those regions, which nothing explains
    Prefix *prefixes        # by sibling of a list, from 1; at 0, nothing
    Choice *choices         # by place
    Chain *chains           # by length k, k chains: those that end at sibling j are at j % k
    uint8_t *looked_into    # by node: whether regions among its children are taken
    int32_t *regions        # [k, 3] place of the first sibling, siblings in a generalised node, generalised nodes


cdef void explain_list(Explanation *explanation, int32_t number) noexcept nogil:
    """Choose the regions among the siblings of a list that explain most nodes, given their insides.

    A generalised node is explained by a similar one before it to the extent (1 - distance) of its nodes.
    """
    cdef const PageArrays *page = explanation.page
    cdef int32_t start = explanation.lists.start[number], parent = explanation.lists.parent[number]
    cdef const int32_t *children = explanation.lists.child + start
    cdef Prefix *prefixes = explanation.prefixes
    cdef Prefix *upto
    cdef const Prefix *before
    cdef Choice *choice
    cdef Chain *chain
    cdef double distance, records, rows, within, total
    cdef int32_t count = explanation.lists.start[number + 1] - start, j, k, first, after, record_count, row_count
    memset(prefixes, 0, sizeof(Prefix))
    for j in range(1, count + 1):
        first = children[j - 1]
        after = subtree_end(page, first)
        choice = &explanation.choices[start + j - 1]
        choice.kind = ALONE
        choice.siblings = choice.count = 1
        upto = &prefixes[j]
        upto.inner = prefixes[j - 1].inner + explanation.inside[first]
        upto.head = prefixes[j - 1].head + explanation.heads[first]
        upto.best = prefixes[j - 1].best + explanation.inside[first]
        chain = explanation.chains
        for k in range(1, min(explanation.longest, j) + 1):
            # chain[j % k] still is the one that ended k siblings before.
            first = children[j - k]
            before = &prefixes[j - k]
            records = before.best
            within = upto.inner - before.inner
            rows = before.best + within if within > 0 else -1
            record_count = row_count = 1
            if j >= 2 * k:
                distance = explanation.distance[explanation.lists.pair_start[start + j - 2 * k] + k - 1]
                if distance <= explanation.threshold:  # not so if it is NaN
                    total = chain[j % k].records + (after - first) * (1 - distance)
                    if total >= records:
                        records = total
                        record_count = chain[j % k].record_count + 1
                    if rows >= 0 and chain[j % k].rows >= 0:
                        # In rows that are alike, the first record of one follows the last of the one before.
                        total = chain[j % k].rows + within + (upto.head - before.head) * (1 - distance)
                        if total >= rows:
                            rows = total
                            row_count = chain[j % k].row_count + 1
            chain[j % k].records = records
            chain[j % k].record_count = record_count
            chain[j % k].rows = rows
            chain[j % k].row_count = row_count
            if record_count > 1 and records > upto.best + EPSILON:
                upto.best = records
                choice.kind = RECORDS
                choice.siblings = k
                choice.count = record_count
            if row_count > 1 and rows > upto.best + EPSILON:
                upto.best = rows
                choice.kind = ROWS
                choice.siblings = k
                choice.count = row_count
            chain += k
    explanation.inside[parent] = prefixes[count].best
    explanation.heads[parent] = unexplained_heads(explanation, number)


cdef double unexplained_heads(const Explanation *explanation, int32_t number) noexcept nogil:
    """Nodes that nothing explains in a list: the first record of each region, of each run of rows those of its first
    row. `explain_list` has just filled in the choices."""
    cdef const PageArrays *page = explanation.page
    cdef int32_t start = explanation.lists.start[number], j = explanation.lists.start[number + 1] - start, first, after
    cdef const int32_t *children = explanation.lists.child + start
    cdef const Choice *choice
    cdef double total = 0
    while j > 0:
        choice = &explanation.choices[start + j - 1]
        j -= choice.siblings * choice.count
        first = children[j]
        if choice.kind != RECORDS:
            total += explanation.prefixes[j + choice.siblings].head - explanation.prefixes[j].head
        else:
            after = subtree_end(page, children[j + choice.siblings * choice.count - 1])
            if explanation.texts[after] - explanation.texts[first] >= RICH * choice.count:
                total += subtree_end(page, children[j + choice.siblings - 1]) - first
    return total


cdef int32_t collect(Explanation *explanation) noexcept nogil:
    """Write the regions chosen in the lists that are looked into, from the body down. Returns how many."""
    cdef const SiblingLists *lists = &explanation.lists
    cdef uint8_t *looked_into = explanation.looked_into
    cdef const Choice *choice
    cdef int32_t number, place, sibling, found = 0
    memset(looked_into, 0, explanation.page.count)
    looked_into[explanation.page.body] = True
    for number in range(lists.count):
        if not looked_into[lists.parent[number]]:
            continue
        place = lists.start[number + 1]
        while place > lists.start[number]:
            choice = &explanation.choices[place - 1]
            place -= choice.siblings * choice.count
            if choice.kind == RECORDS:
                explanation.regions[3 * found] = place
                explanation.regions[3 * found + 1] = choice.siblings
                explanation.regions[3 * found + 2] = choice.count
                found += 1
            else:
                for sibling in range(place, place + choice.siblings * choice.count):
                    looked_into[lists.child[sibling]] = True
    return found


cdef void *open_explanation(Explanation *explanation) except NULL:
    """Take the memory for all that is found out, and list the siblings. Returns the block to put back."""
    cdef const PageArrays *page = explanation.page
    cdef size_t room = page.body_end - page.body
    cdef size_t chains = explanation.longest * (explanation.longest + 1) // 2
    cdef void *block = take(
        (room + 1) * (4 * sizeof(int32_t) + sizeof(Choice) + sizeof(Prefix)) + chains * sizeof(Chain)
        + (<size_t>page.count + 1) * (sizeof(int32_t) + 1 + 2 * sizeof(double)) + 11 * 16)
    cdef char *at = <char *>block
    with nogil:
        explanation.lists.parent = numbers(&at, room)
        explanation.lists.start = numbers(&at, room)
        explanation.lists.child = numbers(&at, room)
        explanation.lists.pair_start = numbers(&at, room)
        explanation.choices = <Choice *>piece(&at, room * sizeof(Choice))
        explanation.chains = <Chain *>piece(&at, chains * sizeof(Chain))
        explanation.prefixes = <Prefix *>piece(&at, (room + 1) * sizeof(Prefix))
        explanation.texts = numbers(&at, page.count + 1)
        explanation.looked_into = <uint8_t *>piece(&at, page.count)
        explanation.inside = <double *>piece(&at, page.count * sizeof(double))
        explanation.heads = <double *>at
        list_siblings(&explanation.lists, page, explanation.longest)
    return block


cdef int32_t explain_page(Explanation *explanation) noexcept nogil:
    """Choose the regions of all lists, from the last to the first; return how many there are."""
    cdef const PageArrays *page = explanation.page
    cdef int32_t node, number
    memset(explanation.inside, 0, page.count * sizeof(double))
    memset(explanation.heads, 0, page.count * sizeof(double))
    explanation.texts[0] = 0
    for node in range(page.count):
        explanation.texts[node + 1] = explanation.texts[node] + (page.tag[node] == TEXT)
    for number in range(explanation.lists.count - 1, -1, -1):
        explain_list(explanation, number)
    return collect(explanation)


def explain(NativePage native not None, distance not None, double threshold, int32_t longest):
    """The regions that together explain most nodes of a page; see `generalised.pyi`."""
    check_longest(longest)
    cdef const PageArrays *page = &native.arrays
    cdef int32_t below = page.body_end - page.body - 1, pairs, found = 0
    cdef Explanation explanation
    cdef void *block
    explanation.page = page
    explanation.threshold = threshold
    explanation.longest = longest
    block = open_explanation(&explanation)
    try:
        pairs = explanation.lists.pair_start[below]
        if len(distance) != pairs:
            raise ValueError(f"there are {pairs} pairs, and {len(distance)} distances")
        explanation.distance = <const double *>held(distance, pairs, sizeof(double))
        regions = empty((below // 2, 3), INT32)     # a region has two siblings at least
        explanation.regions = <int32_t *>data_of(regions)
        if pairs:
            with nogil:
                found = explain_page(&explanation)
    finally:
        put_back(block)
    chosen = regions[:found]
    return chosen[np.argsort(chosen[:, 0])]


def distances(NativePage native not None, uintptr_t address, pairs not None):
    """What a function given by its address says of each pair of runs; see `generalised.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef Distance function = <Distance><void *>address
    cdef Py_ssize_t count = len(pairs), pair
    cdef const int32_t *ends = held_numbers(pairs, 4 * count)
    cdef double *out
    if address == 0:
        raise ValueError("0 is the address of no function")
    for pair in range(count):
        if not (0 <= ends[4 * pair] <= ends[4 * pair + 1] <= page.count
                and 0 <= ends[4 * pair + 2] <= ends[4 * pair + 3] <= page.count):
            raise ValueError(f"a span of pair {pair} is not within the {page.count} nodes")
    result = empty(count, np.float64)
    out = <double *>data_of(result)
    with nogil:
        for pair in range(count):
            out[pair] = function(page.tag, page.size, ends[0], ends[1], ends[2], ends[3])
            ends += 4
    return result
