"""How good sets of records are (AutoRM, Shi et al. 2015): content, similarity between records, variety within them.
One pass over the nodes of the records; odd records at the ends of a set are left out first."""

from libc.math cimport pow
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free

import numpy as np

cdef double ALIKE = 0.8     # a record this like its neighbour is not odd, however small it is


cdef inline double letters_of(const int32_t *records, const double *before, int32_t record) noexcept nogil:
    return before[records[2 * record + 1]] - before[records[2 * record]]


cdef inline bint is_odd(double likeness, double all_likeness, double letters, double all_letters, int32_t count,
                        double oddness) noexcept nogil:
    """Whether a record at the end of a set of `count` is less like its neighbour than the others are like theirs
    and so much smaller, that the product of both ratios is below `oddness`."""
    cdef double other_likeness = (all_likeness - likeness) / (count - 2)
    cdef double other_letters = (all_letters - letters) / (count - 1)
    return likeness < min(other_likeness, ALIKE) and likeness * letters < oddness * other_likeness * other_letters


cdef void leave_out_odd_ends(const int32_t *records, const double *to_next, const double *before, double oddness,
                             int32_t *first, int32_t *end) noexcept nogil:
    """Narrow the set of the records from `first` up to `end`, which keeps two of them."""
    cdef int32_t count = end[0] - first[0], record
    cdef double likeness = 0, letters = 0
    cdef bint odd_first
    if count < 3:
        return
    for record in range(first[0], end[0]):
        letters += letters_of(records, before, record)
        if record + 1 < end[0]:
            likeness += to_next[record]
    odd_first = is_odd(to_next[first[0]], likeness, letters_of(records, before, first[0]), letters, count, oddness)
    if (count > 3 or not odd_first) and is_odd(
            to_next[end[0] - 2], likeness, letters_of(records, before, end[0] - 1), letters, count, oddness):
        end[0] -= 1
    first[0] += odd_first


cdef double similarity_of(const int32_t *records, const double *to_next, const double *before, int32_t first,
                          int32_t end) noexcept nogil:
    """The mean likeness of neighbours, times the likeness of a letter's record to its nearer neighbour.

    So a large record that is unlike the others adds nothing to what the set is worth.
    """
    cdef double likeness = 0, letters = 0, weighted = 0, nearer
    cdef int32_t record
    for record in range(first, end):
        nearer = 0
        if record > first:
            nearer = to_next[record - 1]
        if record + 1 < end:
            likeness += to_next[record]
            nearer = max(nearer, to_next[record])
        letters += letters_of(records, before, record)
        weighted += nearer * letters_of(records, before, record)
    return likeness / (end - first - 1) * weighted / letters if letters > 0 else 0


cdef int32_t different_of(const int32_t *items, int32_t first, int32_t end, int32_t *seen, int32_t turn) noexcept nogil:
    """How many of the items from `first` up to `end` are different."""
    cdef int32_t k, different = 0
    for k in range(first, end):
        different += seen[items[k]] != turn
        seen[items[k]] = turn
    return different


cdef double variety_of(int64_t count, int64_t different, int32_t records, double full) noexcept nogil:
    """1 for records of `full` or more items that are all different; less for items that repeat within a record
    (the cells of a row, the links of a menu), and for records with few of them."""
    cdef double few
    if count == 0:
        return 0
    few = min(1.0, <double>different / records / full) ** 2
    # Not **, which is that of complex numbers for such an exponent.
    return few if different == count else pow(<double>different / count, 2.0 / 3) * few


def measure(const int32_t[:, ::1] records, const int32_t[::1] first, const double[::1] to_next,
            const double[::1] before, const int32_t[::1] item, double oddness, double full):
    """The quality of every set; see `quality.pyi`."""
    cdef Py_ssize_t nodes = item.shape[0], sets = first.shape[0] - 1, number, node
    cdef int32_t lo, hi, record, turn = 0
    cdef int64_t count, different
    cdef int32_t *seen          # item -> the last turn that it was seen in
    cdef int32_t *items_before  # node -> the items of all nodes before it, whose numbers ...
    cdef int32_t *items         # ... are here, one after the other
    cdef const int32_t *spans
    if before.shape[0] != nodes + 1 or to_next.shape[0] != records.shape[0] or records.shape[1] != 2:
        raise ValueError("the arrays differ in length")
    if sets < 0 or first[0] != 0 or first[sets] != records.shape[0]:
        raise ValueError("the sets do not cover the records")
    for number in range(sets):
        if first[number + 1] - first[number] < 2:
            raise ValueError("a set has two records or more")
    for record in range(<int32_t>records.shape[0]):
        if not 0 <= records[record, 0] <= records[record, 1] <= nodes:
            raise ValueError(f"a record is not within the {nodes} nodes")
    for node in range(nodes):
        if item[node] >= nodes:
            raise ValueError("items are numbered from 0, and there are no more than nodes")
    kept_array = np.zeros(records.shape[0], dtype=np.bool_)
    quality_array = np.zeros((3, sets), dtype=np.float64)
    cdef uint8_t[::1] kept = kept_array.view(np.uint8)
    cdef double[:, ::1] quality = quality_array
    seen = <int32_t *>calloc(3 * (nodes + 1), sizeof(int32_t))
    if seen == NULL:
        raise MemoryError("no memory for the items of a page")
    items_before = seen + nodes + 1
    items = items_before + nodes + 1
    for node in range(nodes):
        items_before[node + 1] = items_before[node]
        if item[node] >= 0:
            items[items_before[node]] = item[node]
            items_before[node + 1] += 1
    spans = &records[0, 0] if sets else NULL
    with nogil:
        for number in range(sets):
            lo = first[number]
            hi = first[number + 1]
            leave_out_odd_ends(spans, &to_next[0], &before[0], oddness, &lo, &hi)
            count = different = 0
            for record in range(lo, hi):
                kept[record] = True
                quality[0, number] += letters_of(spans, &before[0], record)
                turn += 1
                different += different_of(items, items_before[spans[2 * record]], items_before[spans[2 * record + 1]],
                                          seen, turn)
                count += items_before[spans[2 * record + 1]] - items_before[spans[2 * record]]
            quality[1, number] = similarity_of(spans, &to_next[0], &before[0], lo, hi)
            quality[2, number] = variety_of(count, different, hi - lo, full)
        free(seen)
    return kept_array, quality_array[0], quality_array[1], quality_array[2]
