"""What `sequences` offers other native modules: the candidates of a page, all ways to cut it into records."""

from libc.stdint cimport int32_t, int64_t

from fastwrap._core.regions.autorm cimport RecordSearch

cdef enum:
    SINGLE = 0          # the forms of a candidate: each node of one symbol is a record, ...
    HEADED = 1          # ... a record reaches from one head to the next, ...
    SEPARATED = 2       # ... a record is what stands between two separators


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


cdef size_t size_of_sequences(size_t nodes) noexcept nogil
cdef int cut_page(RecordSearch *search, Candidates *candidates) except -1 nogil
cdef void close_candidates(Candidates *candidates) noexcept nogil
