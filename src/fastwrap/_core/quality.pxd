"""What `quality` offers other native modules: the measures of one set of records."""

from libc.stdint cimport int32_t

# Records are pairs of nodes, one after the other: the first, and the one after the last.
cdef void leave_out_odd_ends(const int32_t *records, const double *to_next, const double *before, double oddness,
                             int32_t *first, int32_t *end) noexcept nogil
cdef double similarity_of(const int32_t *records, const double *to_next, const double *before, int32_t first,
                          int32_t end) noexcept nogil
# Items are numbers, those of all nodes in order; `items_before` says how many stand before each node, and `seen` has
# the last record that each was seen in, plus one.
cdef double variety_of(const int32_t *records, const int32_t *items_before, const int32_t *items, double full,
                       int32_t *seen, int32_t first, int32_t end) noexcept nogil
