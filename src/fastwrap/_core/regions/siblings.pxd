"""What `siblings` offers other native modules: the siblings that belong to a chosen set."""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from fastwrap._core.common.page cimport PageArrays
from fastwrap._core.regions.autorm cimport RecordSearch
from fastwrap._core.regions.sets cimport RecordSet, RecordSets


cdef struct Gathering:
    # Memory that is kept from one chosen set to the next.
    int32_t *with_style     # tag path with styles -> the number of the last set that had it, from 1
    int32_t *holders        # tag path -> the records of the set at hand that have an item there; zero between sets
    int32_t *last_seen      # tag path -> the last turn in which an item was seen there
    uint64_t *kinds         # of the page that each record of the set at hand links to
    uint64_t *hosts         # the same of the host
    int32_t *siblings       # those that belong to the set at hand


cdef size_t size_of_gathering(size_t nodes) noexcept nogil
cdef void open_gathering(Gathering *gathering, const RecordSearch *search, char **memory) noexcept nogil
cdef void gather(RecordSearch *search, Gathering *gathering, RecordSets *sets, RecordSet *chosen, int32_t number,
                 const uint8_t *taken) noexcept nogil
cdef void add_siblings(const PageArrays *page, RecordSets *sets, RecordSet *chosen, const int32_t *siblings,
                       int32_t count) noexcept nogil
