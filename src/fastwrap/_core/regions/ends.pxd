"""What `ends` offers other native modules: the first and the last record of a set, as its links see them."""

from libc.stdint cimport uint8_t, uint64_t

from fastwrap._core.regions.autorm cimport RecordSearch
from fastwrap._core.regions.sets cimport RecordSet, RecordSets

cdef void settle_ends(RecordSearch *search, RecordSets *sets, RecordSet *chosen, const uint8_t *taken,
                      uint64_t *kinds, uint64_t *hosts) noexcept nogil
