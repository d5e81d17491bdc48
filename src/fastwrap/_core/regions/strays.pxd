"""What `strays` offers other native modules: records of a set that stand elsewhere."""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from fastwrap._core.regions.autorm cimport RecordSearch
from fastwrap._core.regions.sets cimport RecordSet, RecordSets

cdef void join_chosen(RecordSearch *search, RecordSets *sets, uint64_t *kinds) noexcept nogil
cdef void gather_strays(RecordSearch *search, RecordSets *sets, RecordSet *chosen, const uint8_t *taken,
                        int32_t *strays) noexcept nogil
