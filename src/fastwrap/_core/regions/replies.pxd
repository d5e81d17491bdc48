"""What `replies` offers other native modules: the posts of a thread, whatever level they stand on."""

from libc.stdint cimport int32_t, uint8_t

from fastwrap._core.regions.autorm cimport RecordSearch
from fastwrap._core.regions.groups cimport Grouping
from fastwrap._core.regions.sets cimport RecordSet, RecordSets

cdef enum:
    THREADS = 4             # that are known of a page, those with most posts


cdef struct Thread:
    # Elements of one class, some of which are replies to others.
    int32_t style
    int32_t first           # its posts are those from this one ...
    int32_t count           # ... and so many
    bint given              # whether a set has them as its records already, or they say too little


cdef struct Replies:
    Thread[THREADS] threads
    int32_t thread_count
    int32_t *posts          # nodes: those of each thread in order
    int32_t styles          # classes and styles of the page are less than this


cdef size_t size_of_replies(size_t nodes) noexcept nogil
cdef void find_replies(const RecordSearch *search, Replies *replies, char **memory) noexcept nogil
cdef bint gather_replies(RecordSearch *search, Replies *replies, Grouping *grouping, RecordSets *sets,
                         RecordSet *chosen, const uint8_t *taken) noexcept nogil
