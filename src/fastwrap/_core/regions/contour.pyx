"""The tag path sequence as a signal: where its contour is flat, what recurs there, and the records cut there.
After DSRE (Velloso & Dorneles 2020). Each function is one pass over the nodes; only climbs depend on depth."""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

import numpy as np

cdef enum:
    NO_NODE = -1
    NO_REGION = -1


cdef Py_ssize_t flat_regions(
    const int32_t[::1] symbols, Py_ssize_t shortest, int32_t[:, ::1] out, uint8_t *seen, int32_t *owner
) noexcept nogil:
    """Fill in the regions and return their number. `owner` is the last region whose alphabet has a symbol."""
    cdef Py_ssize_t n = symbols.shape[0], i = 0, k, start, end, count = 0
    cdef bint shares
    for k in range(n):
        owner[k] = NO_REGION
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
            if count and owner[symbols[k]] == count - 1:
                shares = True
                break
        if shares:
            start = out[count - 1, 1]
        else:
            out[count, 0] = <int32_t>start
            count += 1
        out[count - 1, 1] = <int32_t>i
        for k in range(start, i):
            owner[symbols[k]] = <int32_t>(count - 1)
    # The first record brings the symbols of the others, so the contour still rises there.
    for k in range(count):
        for i in range(out[k, 0], out[k, 1]):
            owner[symbols[i]] = <int32_t>k
        start = out[k, 0]
        end = out[k - 1, 1] if k else 0
        while start > end and owner[symbols[start - 1]] == k:
            start -= 1
        out[k, 0] = <int32_t>start
    return count


cdef double levelled(const int32_t[::1] symbols, Py_ssize_t start, Py_ssize_t end, double[::1] signal) noexcept nogil:
    """Write a region without its regression line; return the slope of the line."""
    cdef Py_ssize_t i, n = end - start
    cdef double middle = 0.5 * (start + end - 1), mean = 0, slope = 0
    for i in range(start, end):
        mean += symbols[i]
        slope += symbols[i] * (i - middle)
    mean /= n
    slope = 12 * slope / (<double>n * n * n - n) if n > 1 else 0
    for i in range(start, end):
        signal[i] = symbols[i] - mean - slope * (i - middle)
    return slope


def regions(const int32_t[::1] symbols, Py_ssize_t shortest):
    """Parts of a tag path sequence whose contour is flat; documented in contour.pyi."""
    cdef Py_ssize_t n = symbols.shape[0], count, i
    cdef uint8_t *seen
    cdef int32_t *owner
    if shortest < 1:
        raise ValueError("a region has one symbol or more")
    for i in range(n):
        if not 0 <= symbols[i] < n:
            raise ValueError(f"symbol {symbols[i]} is not between 0 and {n - 1}")
    found = np.empty((n // shortest + 1, 2), dtype=np.int32)
    slopes = np.empty(n // shortest + 1, dtype=np.float64)
    signal = np.zeros(n, dtype=np.float64)
    cdef int32_t[:, ::1] out = found
    cdef double[::1] slope = slopes
    cdef double[::1] level = signal
    seen = <uint8_t *>calloc(n + 1, sizeof(uint8_t))
    owner = <int32_t *>malloc((n + 1) * sizeof(int32_t))
    if seen == NULL or owner == NULL:
        free(seen)
        free(owner)
        raise MemoryError("no memory for the regions of the page")
    with nogil:
        count = flat_regions(symbols, shortest, out, seen, owner)
        for i in range(count):
            slope[i] = levelled(symbols, out[i, 0], out[i, 1], level)
    free(seen)
    free(owner)
    return found[:count], slopes[:count], signal


cdef struct Runs:
    # What `recurrences` fills in: pointers into the arrays that it returns.
    Py_ssize_t count
    Py_ssize_t positions
    int32_t *position
    int32_t *start
    int32_t *region
    double *period
    double *coverage
    double *regularity


cdef void add_run(
    Runs *runs, const int32_t *occurrence, Py_ssize_t count, int32_t region, Py_ssize_t length
) noexcept nogil:
    """Append a run, unless its gaps vary as much as their mean: then it has no period."""
    cdef Py_ssize_t i, gap, span = occurrence[count - 1] - occurrence[0]
    cdef double period = <double>span / (count - 1), squares = 0, regularity
    for i in range(1, count):
        gap = occurrence[i] - occurrence[i - 1]
        squares += <double>gap * gap
    regularity = 1 - sqrt(max(0.0, squares / (count - 1) - period * period)) / period
    if regularity <= 0:
        return
    runs.start[runs.count] = <int32_t>runs.positions
    runs.region[runs.count] = region
    runs.period[runs.count] = period
    runs.coverage[runs.count] = min(1.0, (span + period) / length)
    runs.regularity[runs.count] = regularity
    runs.count += 1
    memcpy(runs.position + runs.positions, occurrence, count * sizeof(int32_t))
    runs.positions += count


cdef void add_symbol(
    Runs *runs, const int32_t *occurrence, Py_ssize_t count, int32_t region, Py_ssize_t length, Py_ssize_t least,
    double pause
) noexcept nogil:
    """Append the runs of one symbol, which end where it pauses."""
    cdef Py_ssize_t i, start = 0
    # A gap is a pause when it exceeds so many times the mean gap, span / (count - 1).
    cdef double limit = pause * (occurrence[count - 1] - occurrence[0])
    for i in range(1, count + 1):
        if i < count and <double>(occurrence[i] - occurrence[i - 1]) * (count - 1) <= limit:
            continue
        if i - start >= least:
            add_run(runs, occurrence + start, i - start, region, length)
        start = i


cdef bint follows_parent(
    const int32_t[::1] symbols, const int32_t[::1] parent, const int32_t *occurrence, Py_ssize_t count,
    Py_ssize_t region_start, const int32_t *counts
) noexcept nogil:
    """Whether a symbol occurs once in each occurrence of its parent: then both cut the same records."""
    cdef Py_ssize_t i
    if parent[occurrence[0]] < region_start or counts[symbols[parent[occurrence[0]]]] != count:
        return False
    for i in range(1, count):
        if parent[occurrence[i]] == parent[occurrence[i - 1]]:
            return False
    return True


def recurrences(
    const int32_t[::1] symbols, const int32_t[::1] parent, const int32_t[:, ::1] regions, Py_ssize_t least,
    double pause
):
    """The runs of occurrences of each symbol in each region; documented in contour.pyi."""
    cdef Py_ssize_t n = symbols.shape[0], total = 0, k, i, j, start, end, touched, place, count
    cdef int32_t *counts
    cdef int32_t *order
    cdef int32_t *places
    cdef int32_t *occurrence
    cdef Runs runs
    if least < 2:
        raise ValueError("a run has two occurrences or more")
    for i in range(n):
        if not 0 <= symbols[i] < n:
            raise ValueError(f"symbol {symbols[i]} is not between 0 and {n - 1}")
    if parent.shape[0] != n:
        raise ValueError("symbols and parents differ in number")
    for i in range(n):
        if parent[i] >= i:
            raise ValueError(f"the parent of position {i} does not come before it")
    for k in range(regions.shape[0]):
        if not 0 <= regions[k, 0] <= regions[k, 1] <= n:
            raise ValueError(f"region {k} is not within the {n} symbols")
        total += regions[k, 1] - regions[k, 0]
    # One more than needed, so that there is a first element to point at.
    position_array = np.empty(total + 1, dtype=np.int32)
    start_array = np.empty(total // least + 1, dtype=np.int32)
    region_array = np.empty(total // least + 1, dtype=np.int32)
    measures = np.empty((3, total // least + 1), dtype=np.float64)
    cdef int32_t[::1] position = position_array
    cdef int32_t[::1] run_start = start_array
    cdef int32_t[::1] region = region_array
    cdef double[:, ::1] measure = measures
    runs.count = runs.positions = 0
    runs.position = &position[0]
    runs.start = &run_start[0]
    runs.region = &region[0]
    runs.period = &measure[0, 0]
    runs.coverage = &measure[1, 0]
    runs.regularity = &measure[2, 0]
    counts = <int32_t *>calloc(n + 1, sizeof(int32_t))
    places = <int32_t *>malloc((n + 1) * sizeof(int32_t))
    order = <int32_t *>malloc((n + 1) * sizeof(int32_t))
    occurrence = <int32_t *>malloc((n + 1) * sizeof(int32_t))
    if counts == NULL or places == NULL or order == NULL or occurrence == NULL:
        free(counts)
        free(places)
        free(order)
        free(occurrence)
        raise MemoryError("no memory for the occurrences of the symbols")
    with nogil:
        for k in range(regions.shape[0]):
            # Counting sort of the region's positions, symbols in order of their first appearance in it.
            start, end, touched, place = regions[k, 0], regions[k, 1], 0, 0
            for i in range(start, end):
                if counts[symbols[i]] == 0:
                    order[touched] = symbols[i]
                    touched += 1
                counts[symbols[i]] += 1
            for j in range(touched):
                places[order[j]] = <int32_t>place
                place += counts[order[j]]
            for i in range(start, end):
                occurrence[places[symbols[i]]] = <int32_t>i
                places[symbols[i]] += 1
            place = 0
            for j in range(touched):
                count = counts[order[j]]
                if count >= least and not follows_parent(symbols, parent, occurrence + place, count, start, counts):
                    add_symbol(&runs, occurrence + place, count, <int32_t>k, end - start, least, pause)
                place += count
            for j in range(touched):
                counts[order[j]] = 0
    free(counts)
    free(places)
    free(order)
    free(occurrence)
    start_array[runs.count] = runs.positions
    return (
        position_array[:runs.positions], start_array[:runs.count + 1], region_array[:runs.count],
        *measures[:, :runs.count],
    )


cdef inline int32_t ancestor(const int32_t[::1] parent, int32_t node, int32_t climbs) noexcept nogil:
    while climbs > 0:
        node = parent[node]
        climbs -= 1
    return node


cdef bint cut_run(
    const int32_t[::1] parent, const int32_t[::1] size, const int32_t *node, Py_ssize_t count,
    int32_t *climbs, int32_t[:, ::1] spans, Py_ssize_t at
) noexcept nogil:
    """Cut one run; False when its nodes are not all at one depth."""
    cdef Py_ssize_t i
    cdef int32_t u, v, up, start, end, child, longest = 0
    for i in range(count - 1):
        u = node[i]
        v = node[i + 1]
        climbs[i] = 0
        while parent[u] != parent[v]:
            u = parent[u]
            v = parent[v]
            climbs[i] += 1
            if u == NO_NODE or v == NO_NODE:
                return False
    for i in range(count):
        # A record branches off its nearer neighbour: that is where it begins.
        up = climbs[i] if i < count - 1 else climbs[i - 1]
        if i > 0 and climbs[i - 1] < up:
            up = climbs[i - 1]
        start = ancestor(parent, node[i], up)
        end = parent[start] + size[parent[start]] if parent[start] != NO_NODE else start + size[start]
        if i < count - 1:
            if climbs[i] == up:
                end = ancestor(parent, node[i + 1], up)
            longest = max(longest, end - start)
        else:
            # Nothing says where the last record ends: it is not longer than the longest before it.
            child = start + size[start]
            while child < end and child + size[child] - start <= longest:
                child += size[child]
            end = child
        spans[at + i, 0] = start
        spans[at + i, 1] = end
    return True


def records(
    const int32_t[::1] parent, const int32_t[::1] size, const int32_t[::1] nodes, const int32_t[::1] run_start
):
    """Records that begin at the nodes of each run, as runs of siblings; documented in contour.pyi."""
    cdef Py_ssize_t n = parent.shape[0], runs = run_start.shape[0] - 1, k, first
    cdef int32_t *climbs
    cdef bint level = True
    if size.shape[0] != n:
        raise ValueError("parents and sizes differ in number")
    for k in range(nodes.shape[0]):
        if not 0 <= nodes[k] < n:
            raise ValueError(f"node {nodes[k]} is not between 0 and {n - 1}")
    if runs < 0 or run_start[0] != 0 or run_start[runs] != nodes.shape[0]:
        raise ValueError("the runs do not begin with the first node and end with the last")
    for k in range(runs):
        if run_start[k + 1] - run_start[k] < 2:
            raise ValueError("a run has two nodes or more")
    span_array = np.empty((nodes.shape[0], 2), dtype=np.int32)
    cdef int32_t[:, ::1] spans = span_array
    climbs = <int32_t *>malloc((nodes.shape[0] + 1) * sizeof(int32_t))
    if climbs == NULL:
        raise MemoryError("no memory for the records of the page")
    with nogil:
        for k in range(runs):
            first = run_start[k]
            if not cut_run(parent, size, &nodes[first], run_start[k + 1] - first, climbs, spans, first):
                level = False
                break
    free(climbs)
    if not level:
        raise ValueError("the nodes of a run are at different depths")
    return span_array
