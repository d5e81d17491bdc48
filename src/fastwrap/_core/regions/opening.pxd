"""What `opening` offers other native modules: the post above a list that opened the thread."""

from libc.stdint cimport int32_t, uint64_t

from fastwrap._core.regions.autorm cimport RecordSearch
from fastwrap._core.regions.sets cimport RecordSets


cdef struct KnownToken:
    # A token of classes.
    uint64_t hash           # 0 in a free place
    int32_t turn            # the last record or block that it was seen in, ...
    int32_t records         # ... how many of the records that were looked at have it, ...
    int32_t all             # ... how often they do, ...
    int32_t own             # ... and how often the block at hand does


cdef struct Opening:
    # What the posts of a set have in common.
    KnownToken *known       # a table of the tokens of classes in them
    int32_t known_count     # different tokens
    int32_t turn            # each record or block that is looked at has a number, from 1
    int32_t *styles         # [nodes + 1] style -> the last set of which a record has it, from 1, ...
    int32_t *seen           # ... and the last block that has it
    int32_t blocks_seen     # blocks so far ...
    int32_t sets_seen       # ... and sets
    int32_t sampled         # records that were looked at
    int32_t fewest          # of these: those that have a common token, at least
    int32_t common          # how many common tokens there are, ...
    double often            # ... and how often a record has any of them
    double letters          # of a record on average
    uint64_t kind           # of the page about somebody that most records link to, or 0
    uint64_t *kinds         # by record
    int32_t *blocks         # those before a list, of one parent


cdef size_t size_of_opening(size_t nodes) noexcept nogil
cdef void open_opening(Opening *opening, const RecordSearch *search, int32_t styles, char **memory) noexcept nogil
cdef void add_openings(RecordSearch *search, Opening *opening, RecordSets *sets) noexcept nogil
