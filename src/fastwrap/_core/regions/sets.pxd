"""What `sets` offers other native modules: sets of records, measured and joined when they may be the best."""

from libc.stdint cimport int32_t, int64_t, uint8_t

from fastwrap._core.regions.autorm cimport RecordSearch
from fastwrap._core.regions.segmentation cimport Candidates


cdef struct RecordSet:
    # A set of records, or a single node that may join one.
    int64_t sequence            # of the sets of a kind, one of a sequence is joined with others, ...
    double quality              # ... the best one; no less than that while it is not measured
    int64_t number              # in order of making, which decides between equals
    double coverage
    double similarity
    double variety
    int32_t first               # its records are those from this one ...
    int32_t end                 # ... up to this one
    int32_t model               # as many records that are like each other in the same way, or NONE
    int32_t most_items          # of one of its records
    int32_t following           # the next set of its kind, or NONE
    int32_t form                # how it was cut, one of the forms of a candidate
    int32_t parts               # how many sets were joined
    int32_t left_out            # odd records at its ends
    bint odd_first              # whether the first record was left out as an odd one, and stands before the others ...
    bint odd_last               # ... and the last one, after them
    int32_t refused             # the first node of what was left out because of its links, or 0
    int32_t added               # siblings that were taken in once the set was chosen
    bint is_bounded             # whether it was offered again by what its records may be alike
    bint is_measured


cdef struct KindOfSets:
    int32_t first               # its sets, in order of their sequences
    int32_t last
    int32_t bounded             # how often its bound was worked out


cdef struct Offer:
    # What may be chosen next: a set, or the sets that those of a kind are joined to.
    double bound                # its quality, or no less than that
    int64_t number              # of the set, or of the kind
    int32_t place               # of the set, or NONE for a kind
    bint is_exact               # whether it is a set that was measured


cdef struct RecordSets:
    RecordSet *sets
    int32_t count
    int32_t *records            # pairs of nodes: the first, and the one after the last
    int32_t record_count
    size_t record_room
    double *to_next             # likeness of a record to the next one of its set; NONE if not known yet
    int32_t *different          # the different items of a record; NONE if not known yet
    KindOfSets *kinds
    int64_t kind_count
    Offer *offers               # a heap, the best one on top
    int32_t offer_count
    RecordSet **of_kind         # the sets of the kind at hand
    RecordSet **chosen          # the best sets, in order ...
    int32_t chosen_count        # ... and how many there are
    void *block                 # the memory of all of them


cdef int open_sets(RecordSets *sets, size_t records, size_t count, size_t kinds) except -1 nogil
cdef void add_candidates(RecordSearch *search, RecordSets *sets, const Candidates *candidates) noexcept nogil
cdef void measure(RecordSearch *search, RecordSets *sets, RecordSet *measured) noexcept nogil
cdef void measure_whole(RecordSearch *search, RecordSets *sets, RecordSet *measured) noexcept nogil
cdef int32_t next_set(RecordSearch *search, RecordSets *sets, const uint8_t *taken) noexcept nogil
