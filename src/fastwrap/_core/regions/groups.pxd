"""What `groups` offers other native modules: the records of a set whose records are groups of them."""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from fastwrap._core.regions.autorm cimport RecordSearch
from fastwrap._core.regions.sets cimport RecordSet, RecordSets


cdef struct RecordLink:
    # A link of a record to a page of the kind that the records link to.
    int32_t node
    int32_t holder              # the largest tree around it, in its record, that links to no other page of the kind
    uint64_t address


cdef struct Grouping:
    # Memory that is kept from one chosen set to the next.
    RecordLink *links           # those of the set at hand, in order
    uint64_t *kinds             # one per link
    int32_t *nodes              # the records of groups


cdef size_t size_of_grouping(size_t nodes) noexcept nogil
cdef void open_grouping(Grouping *grouping, const RecordSearch *search, char **memory) noexcept nogil
cdef void replace_records(const RecordSearch *search, const Grouping *grouping, RecordSets *sets, RecordSet *chosen,
                          int32_t count) noexcept nogil
cdef void split_groups(RecordSearch *search, Grouping *grouping, RecordSets *sets, RecordSet *chosen) noexcept nogil
cdef void lift_parts(RecordSearch *search, Grouping *grouping, RecordSets *sets, RecordSet *chosen,
                     const uint8_t *taken) noexcept nogil
