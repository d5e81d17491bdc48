"""What `quality` offers other native modules: the measures of one set of records."""

from libc.stdint cimport int32_t, int64_t

# Records are pairs of nodes, one after the other: the first, and the one after the last.
cdef void leave_out_odd_ends(const int32_t *records, const double *to_next, const double *before, double oddness,
                             int32_t *first, int32_t *end) noexcept nogil
cdef double similarity_of(const int32_t *records, const double *to_next, const double *before, int32_t first,
                          int32_t end) noexcept nogil
# Items are numbers; `seen` has the last turn that each was seen in, which are numbered from 1.
cdef int32_t different_of(const int32_t *items, int32_t first, int32_t end, int32_t *seen, int32_t turn) noexcept nogil
cdef double variety_of(int64_t count, int64_t different, int32_t records, double full) noexcept nogil
