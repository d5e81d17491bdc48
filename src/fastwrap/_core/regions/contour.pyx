"""The tag path sequence as a signal: where its contour is flat, what recurs there, and the records cut there.
After DSRE (Velloso & Dorneles 2020). Each function is one pass over the nodes; only climbs depend on depth."""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memset

from fastwrap._core.common.buffers cimport data_of, held_numbers
from fastwrap._core.common.page cimport NO_NODE, NativePage, PageArrays, subtree_end
from fastwrap._core.common.scratch cimport numbers, put_back, take

import numpy as np

cdef object empty = np.empty, INT32 = np.dtype(np.int32), FLOAT64 = np.dtype(np.float64)

cdef enum:
    NO_REGION = -1


cdef struct TagPaths:
    # The tag path sequence of a page: the symbol of each node, all below `count`.
    int32_t count
    const int32_t *symbol


cdef int open_tag_paths(TagPaths *paths, array, Py_ssize_t count) except -1:
    """Take over an array of symbols that the caller keeps alive; ValueError for those out of range."""
    cdef int32_t i
    paths.count = <int32_t>count
    paths.symbol = held_numbers(array, count)
    for i in range(paths.count):
        if not 0 <= paths.symbol[i] < paths.count:
            raise ValueError(f"symbol {paths.symbol[i]} is not between 0 and {count - 1}")
    return 0


cdef int32_t flat_regions(const TagPaths *paths, int32_t shortest, int32_t *regions, uint8_t *seen,
                          int32_t *owner) noexcept nogil:
    """Write the regions, [k, 2]; return how many. `owner` is the last region whose alphabet has a symbol."""
    cdef const int32_t *symbols = paths.symbol
    cdef int32_t n = paths.count, i = 0, k, start, end, count = 0
    cdef bint shares
    memset(owner, NO_REGION, n * sizeof(int32_t))
    while i < n:
        if not seen[symbols[i]]:
            seen[symbols[i]] = 1
            i += 1
            continue
        start = i
        while i < n and seen[symbols[i]]:
            i += 1
        if i - start < shortest:
            continue
        shares = False
        for k in range(start, i):
            shares |= (count > 0) & (owner[symbols[k]] == count - 1)
        if shares:
            start = regions[2 * count - 1]
        else:
            regions[2 * count] = start
            count += 1
        regions[2 * count - 1] = i
        for k in range(start, i):
            owner[symbols[k]] = count - 1
    # The first record brings the symbols of the others, so the contour still rises there.
    for k in range(count):
        for i in range(regions[2 * k], regions[2 * k + 1]):
            owner[symbols[i]] = k
        start = regions[2 * k]
        end = regions[2 * k - 1] if k else 0
        while start > end and owner[symbols[start - 1]] == k:
            start -= 1
        regions[2 * k] = start
    return count


cdef double level(const int32_t *symbols, int32_t start, int32_t end, double *signal) noexcept nogil:
    """Write a region without its regression line; return the slope of the line."""
    cdef int32_t i, n = end - start
    cdef double middle = 0.5 * (<double>start + end - 1), mean = 0, slope = 0
    for i in range(start, end):
        mean += symbols[i]
        slope += symbols[i] * (i - middle)
    mean /= n
    slope = 12 * slope / (<double>n * n * n - n) if n > 1 else 0
    for i in range(start, end):
        signal[i] = symbols[i] - mean - slope * (i - middle)
    return slope


def regions(symbols not None, int32_t shortest):
    """Parts of a tag path sequence whose contour is flat; see `contour.pyi`."""
    cdef TagPaths paths
    cdef int32_t count, k, n
    cdef int32_t *spans
    cdef int32_t *owner
    cdef double *slope
    cdef double *signal
    cdef void *block
    cdef char *at
    if shortest < 1:
        raise ValueError("a region has one symbol or more")
    open_tag_paths(&paths, symbols, len(symbols))
    n = paths.count
    span_array = empty((n // shortest + 1, 2), INT32)
    slope_array = empty(n // shortest + 1, FLOAT64)
    signal_array = np.zeros(n, FLOAT64)
    spans = <int32_t *>data_of(span_array)
    slope = <double *>data_of(slope_array)
    signal = <double *>data_of(signal_array)
    block = at = <char *>take(<size_t>n * (sizeof(int32_t) + 1) + 16)
    with nogil:
        owner = numbers(&at, n)
        memset(at, 0, n)
        count = flat_regions(&paths, shortest, spans, <uint8_t *>at, owner)
        for k in range(count):
            slope[k] = level(paths.symbol, spans[2 * k], spans[2 * k + 1], signal)
        put_back(block)
    return span_array[:count], slope_array[:count], signal_array


cdef struct Recurrence:
    # What is looked for, where, and the runs that are found: pointers into the arrays that `recurrences` returns.
    TagPaths paths              # of the body
    const int32_t *parent       # of the nodes of the body, by the numbers of the page
    int32_t body                # the node that the first symbol is that of
    int32_t least               # occurrences of a run
    double pause                # the gap, in mean gaps, that ends a run
    int32_t region              # the one at hand, ...
    int32_t start               # ... where it begins in the sequence ...
    int32_t end                 # ... and ends
    int32_t *counts             # symbol -> occurrences in the region
    int32_t *places             # symbol -> where its next occurrence goes
    int32_t *order              # the symbols of the region in order of first appearance
    int32_t *occurrence         # positions in the region by symbol
    int32_t run_count
    int32_t node_count          # of all runs
    int32_t *run_node
    int32_t *run_start
    int32_t *run_region
    double *period
    double *coverage
    double *regularity


cdef void add_run(Recurrence *recurrence, const int32_t *occurrence, int32_t count) noexcept nogil:
    """Append a run, unless its gaps vary as much as their mean: then it has no period."""
    cdef int32_t i, gap, span = occurrence[count - 1] - occurrence[0], run = recurrence.run_count
    cdef double period = <double>span / (count - 1), squares = 0, regularity
    for i in range(1, count):
        gap = occurrence[i] - occurrence[i - 1]
        squares += <double>gap * gap
    regularity = 1 - sqrt(max(0.0, squares / (count - 1) - period * period)) / period
    if regularity <= 0:
        return
    recurrence.run_count += 1
    recurrence.run_start[run] = recurrence.node_count
    recurrence.run_region[run] = recurrence.region
    recurrence.period[run] = period
    recurrence.coverage[run] = min(1.0, (span + period) / (recurrence.end - recurrence.start))
    recurrence.regularity[run] = regularity
    for i in range(count):
        recurrence.run_node[recurrence.node_count + i] = recurrence.body + occurrence[i]
    recurrence.node_count += count


cdef void add_symbol(Recurrence *recurrence, const int32_t *occurrence, int32_t count) noexcept nogil:
    """Append the runs of one symbol, which end where it pauses."""
    cdef int32_t i, start = 0
    # A gap is a pause when it exceeds so many times the mean gap, span / (count - 1).
    cdef double limit = recurrence.pause * (occurrence[count - 1] - occurrence[0])
    for i in range(1, count + 1):
        if i < count and <double>(occurrence[i] - occurrence[i - 1]) * (count - 1) <= limit:
            continue
        if i - start >= recurrence.least:
            add_run(recurrence, occurrence + start, i - start)
        start = i


cdef bint follows_parent(const Recurrence *recurrence, const int32_t *occurrence, int32_t count) noexcept nogil:
    """Whether a symbol occurs once in each occurrence of its parent: then both cut the same records."""
    cdef int32_t i, above = recurrence.parent[occurrence[0]] - recurrence.body
    if above < recurrence.start or recurrence.counts[recurrence.paths.symbol[above]] != count:
        return False
    for i in range(1, count):
        if recurrence.parent[occurrence[i]] == recurrence.parent[occurrence[i - 1]]:
            return False
    return True


cdef void add_region(Recurrence *recurrence) noexcept nogil:
    """Append the runs of the region at hand: a counting sort of its positions, by symbols in order of appearance."""
    cdef const int32_t *symbols = recurrence.paths.symbol
    cdef int32_t *counts = recurrence.counts
    cdef int32_t *order = recurrence.order
    cdef int32_t i, j, touched = 0, place = 0
    for i in range(recurrence.start, recurrence.end):
        if counts[symbols[i]] == 0:
            order[touched] = symbols[i]
            touched += 1
        counts[symbols[i]] += 1
    for j in range(touched):
        recurrence.places[order[j]] = place
        place += counts[order[j]]
    for i in range(recurrence.start, recurrence.end):
        recurrence.occurrence[recurrence.places[symbols[i]]] = i
        recurrence.places[symbols[i]] += 1
    place = 0
    for j in range(touched):
        i = counts[order[j]]
        if i >= recurrence.least and not follows_parent(recurrence, recurrence.occurrence + place, i):
            add_symbol(recurrence, recurrence.occurrence + place, i)
        place += i
    for j in range(touched):
        counts[order[j]] = 0


def recurrences(NativePage native not None, symbols not None, regions not None, int32_t least, double pause):
    """The runs of occurrences of each symbol in each region; see `contour.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef Recurrence recurrence
    cdef const int32_t *spans
    cdef void *block
    cdef char *at
    cdef Py_ssize_t total = 0, most
    cdef int32_t region_count = len(regions), k, count = page.body_end - page.body
    if least < 2:
        raise ValueError("a run has two occurrences or more")
    open_tag_paths(&recurrence.paths, symbols, count)
    spans = held_numbers(regions, 2 * <size_t>region_count)
    for k in range(region_count):
        if not 0 <= spans[2 * k] <= spans[2 * k + 1] <= count:
            raise ValueError(f"region {k} is not within the {count} symbols")
        total += spans[2 * k + 1] - spans[2 * k]
    if total > 0x7FFFFFFF:
        raise ValueError("the regions overlap too often")
    most = total // least + 1
    nodes, starts, region = empty(total, INT32), empty(most, INT32), empty(most, INT32)
    measures = empty((3, most), FLOAT64)
    recurrence.run_count = recurrence.node_count = 0
    recurrence.run_node = <int32_t *>data_of(nodes)
    recurrence.run_start = <int32_t *>data_of(starts)
    recurrence.run_region = <int32_t *>data_of(region)
    recurrence.period = <double *>data_of(measures)
    recurrence.coverage = recurrence.period + most
    recurrence.regularity = recurrence.coverage + most
    recurrence.parent = page.parent + page.body
    recurrence.body = page.body
    recurrence.least = least
    recurrence.pause = pause
    block = at = <char *>take(4 * (count * sizeof(int32_t) + 16))
    with nogil:
        recurrence.counts = numbers(&at, count)
        recurrence.places = numbers(&at, count)
        recurrence.order = numbers(&at, count)
        recurrence.occurrence = numbers(&at, count)
        memset(recurrence.counts, 0, count * sizeof(int32_t))
        for k in range(region_count):
            recurrence.region = k
            recurrence.start = spans[2 * k]
            recurrence.end = spans[2 * k + 1]
            add_region(&recurrence)
        put_back(block)
    k = recurrence.run_count
    recurrence.run_start[k] = recurrence.node_count
    return nodes[:recurrence.node_count], starts[:k + 1], region[:k], *measures[:, :k]


cdef inline int32_t ancestor(const PageArrays *page, int32_t node, int32_t climbs) noexcept nogil:
    while climbs > 0:
        node = page.parent[node]
        climbs -= 1
    return node


cdef bint cut_run(const PageArrays *page, const int32_t *node, int32_t count, int32_t *climbs,
                  int32_t *spans) noexcept nogil:
    """Cut one run; False when its nodes are not all at one depth."""
    cdef int32_t i, u, v, up, start, end, child, longest = 0
    for i in range(count - 1):
        u = node[i]
        v = node[i + 1]
        climbs[i] = 0
        while page.parent[u] != page.parent[v]:
            u = page.parent[u]
            v = page.parent[v]
            climbs[i] += 1
            if u == NO_NODE or v == NO_NODE:
                return False
    for i in range(count):
        # A record branches off its nearer neighbour: that is where it begins.
        up = climbs[i] if i < count - 1 else climbs[i - 1]
        if i > 0 and climbs[i - 1] < up:
            up = climbs[i - 1]
        start = ancestor(page, node[i], up)
        end = subtree_end(page, page.parent[start] if page.parent[start] != NO_NODE else start)
        if i < count - 1:
            if climbs[i] == up:
                end = ancestor(page, node[i + 1], up)
            longest = max(longest, end - start)
        else:
            # Nothing says where the last record ends: it is not longer than the longest before it.
            child = subtree_end(page, start)
            while child < end and subtree_end(page, child) - start <= longest:
                child = subtree_end(page, child)
            end = child
        spans[2 * i] = start
        spans[2 * i + 1] = end
    return True


def records(NativePage native not None, nodes not None, run_start not None):
    """Records that begin at the nodes of each run, as runs of siblings; see `contour.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef int32_t count = len(nodes), runs = <int32_t>len(run_start) - 1, k
    cdef const int32_t *node = held_numbers(nodes, count)
    cdef const int32_t *start = held_numbers(run_start, runs + 1)
    cdef int32_t *spans
    cdef int32_t *climbs
    cdef bint at_one_depth = True
    for k in range(count):
        if not 0 <= node[k] < page.count:
            raise ValueError(f"node {node[k]} is not between 0 and {page.count - 1}")
    if runs < 0 or start[0] != 0 or start[runs] != count:
        raise ValueError("the runs do not begin with the first node and end with the last")
    for k in range(runs):
        if start[k + 1] - start[k] < 2:
            raise ValueError("a run has two nodes or more")
    span_array = empty((count, 2), INT32)
    spans = <int32_t *>data_of(span_array)
    climbs = <int32_t *>take((<size_t>count + 1) * sizeof(int32_t))
    with nogil:
        for k in range(runs):
            at_one_depth = at_one_depth and cut_run(
                page, node + start[k], start[k + 1] - start[k], climbs, spans + 2 * start[k])
        put_back(climbs)
    if not at_one_depth:
        raise ValueError("the nodes of a run are at different depths")
    return span_array
