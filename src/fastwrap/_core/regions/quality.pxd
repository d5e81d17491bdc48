"""How good a set of records is (AutoRM, Shi et al. 2015): similarity between its records, variety within them.
Records are pairs of nodes, the first and the one after the last; a set has those from `first` up to `end`."""

from libc.math cimport pow
from libc.stdint cimport int32_t, int64_t


cdef inline double letters_in(const int32_t *records, const double *letters_before, int32_t record) noexcept nogil:
    return letters_before[records[2 * record + 1]] - letters_before[records[2 * record]]


cdef inline bint is_odd(double likeness, double all_likeness, double letters, double all_letters, int32_t count,
                        double oddness) noexcept nogil:
    """Whether a record at the end of a set of `count` is less like its neighbour than the others are like theirs
    and so much smaller, that the product of both ratios is below `oddness`."""
    cdef double other_likeness = (all_likeness - likeness) / (count - 2)
    cdef double other_letters = (all_letters - letters) / (count - 1)
    # A record that is 0.8 like its neighbour is not odd, however small it is.
    return likeness < min(other_likeness, 0.8) and likeness * letters < oddness * other_likeness * other_letters


cdef inline void leave_out_odd_ends(const int32_t *records, const double *to_next, const double *letters_before,
                                    double oddness, int32_t *first, int32_t *end) noexcept nogil:
    """Narrow a set, which keeps two of its records; `to_next` is the likeness of each to the next one."""
    cdef int32_t count = end[0] - first[0], record
    cdef double likeness = 0, letters = 0
    cdef bint odd_first
    if count < 3:
        return
    for record in range(first[0], end[0]):
        letters += letters_in(records, letters_before, record)
        if record + 1 < end[0]:
            likeness += to_next[record]
    odd_first = is_odd(
        to_next[first[0]], likeness, letters_in(records, letters_before, first[0]), letters, count, oddness)
    if (count > 3 or not odd_first) and is_odd(
            to_next[end[0] - 2], likeness, letters_in(records, letters_before, end[0] - 1), letters, count, oddness):
        end[0] -= 1
    first[0] += odd_first


cdef inline double similarity_of(const int32_t *records, const double *to_next, const double *letters_before,
                                 int32_t first, int32_t end) noexcept nogil:
    """The mean likeness of neighbours, times the mean likeness of a record to the nearer one of its neighbours, where
    records count by their content.

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
        letters += letters_in(records, letters_before, record)
        weighted += nearer * letters_in(records, letters_before, record)
    return likeness / (end - first - 1) * weighted / letters if letters > 0 else 0


cdef inline double variety_of(int64_t count, int64_t different, int32_t records, double full) noexcept nogil:
    """1 for records of `full` or more items that are all different; less for items that repeat within a record
    (the cells of a row, the links of a menu), and for records with few of them."""
    cdef double few
    if count == 0:
        return 0
    few = min(1.0, <double>different / records / full) ** 2
    # Not **, which is that of complex numbers for such an exponent.
    return few if different == count else pow(<double>different / count, 2.0 / 3) * few
