"""Generalised nodes (MDR, Liu, Grossman & Zhai 2003): the pairs of adjacent sibling runs of a page to compare,
and the choice of the regions that explain most of it. Also the loop over pairs for a user's own distance."""

from libc.stdint cimport int32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc

import numpy as np

cdef enum:
    MAX_SIBLINGS = 64   # siblings in a generalised node: what a call may ask for
    NONE = 0            # no run ends at this sibling: it is looked into by itself
    RECORDS = 1         # generalised nodes that are records of one region
    ROWS = 2            # similar generalised nodes that are looked into, because their insides explain more

cdef double EPSILON = 1e-9      # a gain that is no rounding error
cdef double RICH = 3.0          # texts a record: fewer make it a cell of a data table, not a record in a row

cdef str NO_TREE = "the sizes are not those of a tree"

ctypedef double (*Distance)(const int32_t*, const int32_t*, int32_t, int32_t, int32_t, int32_t) noexcept nogil


cdef struct Chain:
    # The generalised nodes of one length that end at one sibling, seen as one region and as rows of regions.
    double records      # nodes explained up to this sibling if they are records
    int32_t record_count    # how many they are
    double rows         # nodes explained if they are looked into; negative if there is nothing inside
    int32_t row_count


cdef struct Choice:
    # What is done with the siblings up to this one, in the best of all ways.
    int32_t kind
    int32_t siblings        # in a generalised node
    int32_t count           # generalised nodes


cdef int32_t check_arguments(const int32_t[::1] size, const int32_t[::1] other, int32_t root, int32_t longest) except -1:
    cdef Py_ssize_t nodes = size.shape[0]
    if other.shape[0] != nodes:
        raise ValueError("the arrays differ in length")
    if not 0 <= root < nodes or not 1 <= size[root] <= nodes - root:
        raise ValueError(f"the root is not one of the {nodes} nodes")
    if not 1 <= longest <= MAX_SIBLINGS:
        raise ValueError(f"generalised nodes have 1 to {MAX_SIBLINGS} siblings")
    return 0


cdef int32_t list_siblings(const int32_t[::1] size, int32_t root, int32_t longest, int32_t[::1] parents, int32_t[::1] list_start,
                       int32_t[::1] children, int32_t[::1] pair_start) noexcept nogil:
    """Write the children of every node below the root and of itself, parents in document order.

    The list of parent number p is children[list_start[p]:list_start[p + 1]]; the pairs whose left run starts
    at a child are pair_start[its place] and the following, one for each length of the runs. Returns how many
    parents there are, or -1 if the sizes are not those of a tree.
    """
    cdef int32_t lists = 0, filled = 0, node, child, place, most
    list_start[0] = 0
    pair_start[0] = 0
    for node in range(root, root + size[root]):
        if size[node] == 1:
            continue
        parents[lists] = node
        child = node + 1
        while child < node + size[node]:
            if size[child] < 1 or child + size[child] > node + size[node]:
                return -1
            children[filled] = child
            filled += 1
            child += size[child]
        lists += 1
        list_start[lists] = filled
        for place in range(list_start[lists - 1], filled):
            # Two runs of the same length must fit into what is left of the list.
            most = (filled - place) // 2
            pair_start[place + 1] = pair_start[place] + (most if most < longest else longest)
    return lists


cdef int32_t tag_paths(const int32_t[::1] tag, const int32_t[::1] parents, const int32_t[::1] list_start, const int32_t[::1] children,
                   int32_t root, uint64_t[::1] path) except -1:
    """Write a number for the tags from the root down to each parent (a product of hashes, Knuth 6.4)."""
    cdef Py_ssize_t number, place, lists = parents.shape[0]
    cdef uint64_t above
    cdef uint64_t *reached = <uint64_t *>malloc((children.shape[0] + 1) * sizeof(uint64_t))
    if reached == NULL:
        raise MemoryError
    with nogil:
        # By node from the root on: children come after their parents.
        reached[0] = 0
        for number in range(lists):
            above = reached[parents[number] - root]
            path[number] = (above ^ <uint64_t> tag[parents[number]]) * <uint64_t> 0x9E3779B97F4A7C15
            for place in range(list_start[number], list_start[number + 1]):
                reached[children[place] - root] = path[number]
        free(reached)
    return 0


cdef void equal_runs(const int32_t[::1] class_id, const int32_t[::1] children, const int32_t[::1] pair_start, int32_t first, int32_t last,
                     int32_t longest, unsigned char[::1] equal) noexcept nogil:
    """Write for each pair in a list, from place `first` to place `last`, whether its runs are equal."""
    cdef int32_t same[MAX_SIBLINGS + 1]
    cdef int32_t place, pair, siblings
    for siblings in range(longest + 1):
        same[siblings] = 0
    for place in range(last, first - 1, -1):
        # same[k]: from here on, so many siblings are equal to the k-th after them.
        for siblings in range(1, min(longest, last - place) + 1):
            if class_id[children[place]] == class_id[children[place + siblings]]:
                same[siblings] += 1
            else:
                same[siblings] = 0
        for pair in range(pair_start[place], pair_start[place + 1]):
            siblings = pair - pair_start[place] + 1
            equal[pair] = same[siblings] >= siblings


def candidates(const int32_t[::1] tag, const int32_t[::1] size, const int32_t[::1] class_id, int32_t root, int32_t longest):
    """Lists of siblings and the pairs of adjacent runs in them; see `generalised.pyi`."""
    check_arguments(size, tag, root, longest)
    check_arguments(size, class_id, root, longest)
    cdef int32_t below = size[root] - 1
    cdef int32_t lists, number, child, place, siblings, pair
    parents_array = np.empty(below, dtype=np.int32)
    list_start_array = np.empty(below + 1, dtype=np.int32)
    children_array = np.empty(below, dtype=np.int32)
    pair_start_array = np.empty(below + 1, dtype=np.int32)
    cdef int32_t[::1] parents = parents_array, list_start = list_start_array
    cdef int32_t[::1] children = children_array, pair_start = pair_start_array
    with nogil:
        lists = list_siblings(size, root, longest, parents, list_start, children, pair_start)
    if lists < 0:
        raise ValueError(NO_TREE)
    path_array = np.empty(lists, dtype=np.uint64)
    tag_paths(tag, parents[:lists], list_start, children, root, path_array)
    pairs = pair_start_array[below]
    left_start_array, left_end_array, right_end_array = (np.empty(pairs, dtype=np.int32) for _ in range(3))
    equal_array = np.empty(pairs, dtype=np.bool_)
    cdef int32_t[::1] left_start = left_start_array, left_end = left_end_array, right_end = right_end_array
    cdef unsigned char[::1] equal = equal_array.view(np.uint8)
    with nogil:
        for number in range(lists):
            equal_runs(class_id, children, pair_start, list_start[number], list_start[number + 1] - 1, longest, equal)
        for place in range(below):
            for pair in range(pair_start[place], pair_start[place + 1]):
                siblings = pair - pair_start[place] + 1
                child = children[place + 2 * siblings - 1]
                left_start[pair] = children[place]
                left_end[pair] = children[place + siblings]
                right_end[pair] = child + size[child]
    return (
        list_start_array[:lists + 1].copy(), path_array, children_array, pair_start_array,
        left_start_array, left_end_array, right_end_array, equal_array,
    )


cdef struct Explanation:
    const int32_t *size
    const int32_t *children
    const int32_t *pair_start
    const double *distance
    double threshold
    int32_t longest
    int32_t *texts          # [nodes + 1] texts before each node
    double *inside      # by node: nodes that the best regions below it explain
    double *heads       # by node: nodes of the first records of those regions, which nothing explains
    double *best        # by sibling of a list, from 1: nodes explained up to it; at 0, none
    double *inner       # the same: nodes explained inside the siblings up to it
    double *head        # the same: nodes of first records inside the siblings up to it
    Choice* choices     # by place in `children`
    Chain* chains       # by length k, k chains: those that end at sibling j are at j % k


cdef void explain_list(Explanation* work, int32_t parent, int32_t start, int32_t end) noexcept nogil:
    """Choose the regions among the siblings start .. end - 1 that explain most nodes, given their insides.

    A generalised node is explained by a similar one before it to the extent (1 - distance) of its nodes.
    """
    cdef const int32_t *children = work.children + start
    cdef double *best = work.best
    cdef double *inner = work.inner
    cdef double *head = work.head
    cdef Choice* choice
    cdef Chain* chain
    cdef double distance, records, rows, within, total
    cdef int32_t count = end - start, j, k, first, after, record_count, row_count
    best[0] = inner[0] = head[0] = 0
    for j in range(1, count + 1):
        first = children[j - 1]
        after = first + work.size[first]
        choice = &work.choices[start + j - 1]
        choice.kind = NONE
        choice.siblings = choice.count = 1
        inner[j] = inner[j - 1] + work.inside[first]
        head[j] = head[j - 1] + work.heads[first]
        best[j] = best[j - 1] + work.inside[first]
        chain = work.chains
        for k in range(1, min(work.longest, j) + 1):
            # chain[j % k] still is the one that ended k siblings before.
            first = children[j - k]
            records = best[j - k]
            record_count = 1
            within = inner[j] - inner[j - k]
            rows = best[j - k] + within if within > 0 else -1
            row_count = 1
            if j >= 2 * k:
                distance = work.distance[work.pair_start[start + j - 2 * k] + k - 1]
                if distance <= work.threshold:  # not so if it is NaN
                    total = chain[j % k].records + (after - first) * (1 - distance)
                    if total >= records:
                        records = total
                        record_count = chain[j % k].record_count + 1
                    if rows >= 0 and chain[j % k].rows >= 0:
                        # In rows that are alike, the first record of one follows the last of the one before.
                        total = chain[j % k].rows + within + (head[j] - head[j - k]) * (1 - distance)
                        if total >= rows:
                            rows = total
                            row_count = chain[j % k].row_count + 1
            chain[j % k].records = records
            chain[j % k].record_count = record_count
            chain[j % k].rows = rows
            chain[j % k].row_count = row_count
            if record_count > 1 and records > best[j] + EPSILON:
                best[j] = records
                choice.kind = RECORDS
                choice.siblings = k
                choice.count = record_count
            if row_count > 1 and rows > best[j] + EPSILON:
                best[j] = rows
                choice.kind = ROWS
                choice.siblings = k
                choice.count = row_count
            chain += k
    work.inside[parent] = best[count]
    # What nothing explains: the first record of each region, of each run of rows those of its first row.
    total = 0
    j = count
    while j > 0:
        choice = &work.choices[start + j - 1]
        j -= choice.siblings * choice.count
        first = children[j]
        if choice.kind != RECORDS:
            total += head[j + choice.siblings] - head[j]
        else:
            after = children[j + choice.siblings * choice.count - 1]
            after += work.size[after]
            if work.texts[after] - work.texts[first] >= RICH * choice.count:
                after = children[j + choice.siblings - 1]
                total += after + work.size[after] - first
    work.heads[parent] = total


cdef int32_t collect(Explanation* work, const int32_t[::1] parents, const int32_t[::1] list_start, int32_t lists,
                 char *looked_into, int32_t[:, ::1] regions) noexcept nogil:
    """Write the regions chosen in the lists that are looked into, from the root down. Returns how many."""
    cdef Choice* choice
    cdef int32_t number, place, sibling, found = 0
    looked_into[parents[0]] = True
    for number in range(lists):
        if not looked_into[parents[number]]:
            continue
        place = list_start[number + 1]
        while place > list_start[number]:
            choice = &work.choices[place - 1]
            place -= choice.siblings * choice.count
            if choice.kind == RECORDS:
                regions[found, 0] = place
                regions[found, 1] = choice.siblings
                regions[found, 2] = choice.count
                found += 1
            else:
                for sibling in range(place, place + choice.siblings * choice.count):
                    looked_into[work.children[sibling]] = True
    return found


def explain(const int32_t[::1] tag, const int32_t[::1] size, int32_t root, const double[::1] distance,
            double threshold, int32_t longest):
    """The regions that together explain most nodes of a page; see `generalised.pyi`."""
    check_arguments(size, tag, root, longest)
    cdef Py_ssize_t nodes = tag.shape[0], widest = 0
    cdef int32_t below = size[root] - 1, lists, number, node, found = 0
    cdef Explanation work
    cdef char *looked_into
    cdef double *block
    cdef int32_t[::1] parents = np.empty(below, dtype=np.int32), list_start = np.empty(below + 1, dtype=np.int32)
    cdef int32_t[::1] children = np.empty(below, dtype=np.int32), pair_start = np.empty(below + 1, dtype=np.int32)
    with nogil:
        lists = list_siblings(size, root, longest, parents, list_start, children, pair_start)
    if lists < 0:
        raise ValueError(NO_TREE)
    if distance.shape[0] != pair_start[below]:
        raise ValueError(f"there are {pair_start[below]} pairs, and {distance.shape[0]} distances")
    # A region has two siblings at least.
    regions_array = np.empty((below // 2, 3), dtype=np.int32)
    if distance.shape[0] == 0:
        return regions_array[:0]
    cdef int32_t[:, ::1] regions = regions_array
    for number in range(lists):
        widest = max(widest, list_start[number + 1] - list_start[number])
    work.size = &size[0]
    work.children = &children[0]
    work.pair_start = &pair_start[0]
    work.distance = &distance[0]
    work.threshold = threshold
    work.longest = longest
    looked_into = <char *>calloc(nodes, 1)
    block = <double *>calloc(2 * nodes + 3 * (widest + 1), sizeof(double))
    work.texts = <int32_t *>malloc((nodes + 1) * sizeof(int32_t))
    work.choices = <Choice *>malloc(below * sizeof(Choice))
    work.chains = <Chain *>malloc(longest * (longest + 1) // 2 * sizeof(Chain))
    try:
        if looked_into == NULL or block == NULL or work.texts == NULL or work.choices == NULL or work.chains == NULL:
            raise MemoryError
        work.inside = block
        work.heads = block + nodes
        work.best = block + 2 * nodes
        work.inner = work.best + widest + 1
        work.head = work.inner + widest + 1
        with nogil:
            work.texts[0] = 0
            for node in range(nodes):
                work.texts[node + 1] = work.texts[node] + (tag[node] == 0)
            for number in range(lists - 1, -1, -1):
                explain_list(&work, parents[number], list_start[number], list_start[number + 1])
            found = collect(&work, parents, list_start, lists, looked_into, regions)
    finally:
        free(looked_into)
        free(block)
        free(work.texts)
        free(work.choices)
        free(work.chains)
    chosen = regions_array[:found]
    return chosen[np.argsort(chosen[:, 0])]


def distances(uintptr_t address, const int32_t[::1] tag, const int32_t[::1] size,
              const int32_t[::1] left_start, const int32_t[::1] left_end,
              const int32_t[::1] right_start, const int32_t[::1] right_end):
    """What a function given by its address says of each pair of runs; see `generalised.pyi`."""
    cdef Py_ssize_t pairs = left_start.shape[0], pair, nodes = tag.shape[0]
    cdef Distance function = <Distance> <void *>address
    if address == 0:
        raise ValueError("0 is the address of no function")
    if (size.shape[0] != nodes or left_end.shape[0] != pairs or right_start.shape[0] != pairs
            or right_end.shape[0] != pairs):
        raise ValueError("arrays that belong together differ in length")
    for pair in range(pairs):
        if not (0 <= left_start[pair] <= left_end[pair] <= nodes
                and 0 <= right_start[pair] <= right_end[pair] <= nodes):
            raise ValueError(f"a span of pair {pair} is not within the {nodes} nodes")
    result = np.empty(pairs, dtype=np.float64)
    cdef double[::1] out = result
    with nogil:
        for pair in range(pairs):
            out[pair] = function(
                &tag[0], &size[0], left_start[pair], left_end[pair], right_start[pair], right_end[pair]
            )
    return result
