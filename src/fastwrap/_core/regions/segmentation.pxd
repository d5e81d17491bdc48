"""What `segmentation` offers other native modules: all ways to cut one sequence into records."""

from libc.stdint cimport int32_t, int64_t, uint8_t

cdef enum:
    SINGLE = 0          # the forms of a candidate: each node of one symbol is a record, ...
    HEADED = 1          # ... a record reaches from one head to the next, ...
    SEPARATED = 2       # ... a record is what stands between two separators


cdef struct Sequence:
    # The children of one node. A *place* is a number of one of them.
    int32_t number              # of the sequence, on its page
    int32_t places
    int32_t *child              # [places] the node
    uint8_t *separator          # [places] whether it has no content
    int32_t *by_tag             # [places] the first place of its cluster, by tag ...
    int32_t *by_tree            # [places] ... and by tree


cdef struct Candidate:
    # Records that a sequence may be cut into.
    int32_t sequence
    int32_t form
    int32_t first           # its first record: it has those up to the first one of the next candidate
    int32_t before          # the last candidate before it whose first record begins at the same place, or NONE
    int32_t model           # the candidate that it was copied from, or NONE


cdef struct Candidates:
    int32_t *records        # first place and place after the last of each record, one record after the other
    int64_t record_count
    int64_t record_room
    Candidate *entries
    int64_t count
    int64_t room
    bint left_out           # whether a coarse region has more heads or runs of separators than are tried


cdef struct Symbol:
    # What is known of a symbol in its sequence. A symbol is the first place of a cluster.
    int32_t first           # the first one of its content places, ...
    int32_t last            # ... the last ...
    int32_t count           # ... and how many there are
    int32_t stamp           # that of the records that it was last seen in


cdef struct CoarseRegion:
    # Part of a sequence that is cut.
    const Sequence *sequence
    const int32_t *symbol   # place -> symbol
    Symbol *symbols         # by symbol
    int32_t begin
    int32_t end
    int32_t *heads          # its symbols with two content places or more, ...
    int32_t head_count      # ... in order of their first places
    int32_t stamp           # that of the records at hand
    int32_t *run_start      # the runs of separators
    int32_t *run_end
    int32_t *latest         # place -> the last candidate whose first record begins there, plus one


cdef size_t size_of_coarse_region(size_t nodes) noexcept nogil
cdef void open_coarse_region(CoarseRegion *region, size_t nodes, char **memory) noexcept nogil
cdef void close_candidates(Candidates *candidates) noexcept nogil
cdef int cut_sequence(Candidates *candidates, CoarseRegion *region, const Sequence *sequence) except -1 nogil
cdef int copy_candidates(Candidates *candidates, int64_t first, int64_t end, int32_t sequence,
                         int32_t shift) except -1 nogil
