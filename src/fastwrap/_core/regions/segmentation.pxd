"""What `segmentation` offers other native modules: the clusters of one sequence, and its candidates."""

from libc.stdint cimport int32_t, int64_t, uint8_t

cdef enum:
    KINDS = 32          # of one label in a sequence: with more, tree distances are not asked for
    NONE = -1           # no kind, no candidate
    SINGLE = 0          # the forms of a candidate: each node of one symbol is a record, ...
    HEADED = 1          # ... a record reaches from one head to the next, ...
    SEPARATED = 2       # ... a record is what stands between two separators


cdef struct Siblings:
    # The kinds of the sequence at hand, in order of their first places, chained by label.
    int32_t *seen_class         # class -> the last sequence it was seen in, plus one
    int32_t *kind_of_class      # class -> its kind, if it was seen in this sequence
    int32_t *seen_label         # label -> the last sequence it was seen in, plus one
    int32_t *first_kind         # label -> its first kind, if it was seen in this sequence, ...
    int32_t *last_kind          # ... its last one ...
    int32_t *kinds_of_label     # ... and how many there are
    int32_t *labels             # the labels of the sequence, in order of their first places
    int32_t label_count
    int32_t *place              # kind -> its first place ...
    int32_t *count              # ... its places ...
    int32_t *following          # ... and the next kind of its label, or NONE
    int32_t kinds
    int32_t *block              # the memory of all of them


cdef struct Candidate:
    int32_t sequence
    int32_t form
    int32_t first           # its first record: it has those up to the first one of the next candidate
    int32_t before          # the last candidate before it whose first record begins at the same place, or NONE
    int32_t model           # the candidate that it was copied from, or NONE


cdef struct Found:
    int32_t *place          # first place and place after the last of each record, one record after the other
    int64_t records
    int64_t record_room
    Candidate *candidate
    int64_t candidates
    int64_t room
    bint left_out           # whether a coarse region has more heads or runs of separators than are tried
    int32_t *latest         # place -> the last candidate whose first record begins there, plus one


cdef struct Region:
    # What is known of a coarse region and, by symbol, of the sequence around it. Symbols are places.
    const int32_t *symbol   # place -> symbol
    const uint8_t *separator
    int32_t sequence
    int32_t begin
    int32_t end
    int32_t *heads          # its symbols with two content places or more, ...
    int32_t head_count      # ... in order of their first places
    int32_t *first          # symbol -> the first one of its content places, ...
    int32_t *last           # ... the last ...
    int32_t *count          # ... and how many there are
    int32_t *stamped        # symbol -> the stamp of the records that it was last seen in
    int32_t stamp
    int32_t *run_start      # the runs of separators
    int32_t *run_end
    int32_t *block          # the memory of all of them, and of `Found.latest`


cdef int open_siblings(Siblings *siblings, int64_t classes, int64_t labels, int64_t places) except -1 nogil
cdef void read_sequence(Siblings *siblings, const int32_t *label, const int32_t *class_id, int32_t lo, int32_t hi,
                        int32_t sequence) noexcept nogil
cdef int32_t pairs_of(Siblings *siblings, int32_t own, int64_t budget) noexcept nogil
cdef void average_linkage(const double *similarity, double threshold, int32_t members, double *weight,
                          double *table, int32_t *leader) noexcept nogil
cdef int open_candidates(Found *found, Region *region, int64_t places) except -1 nogil
cdef void close_candidates(Found *found, Region *region) noexcept nogil
cdef void begin_sequence(Found *found, Region *region, int32_t lo, int32_t hi) noexcept nogil
cdef int cut_sequence(Found *found, Region *region, int32_t lo, int32_t hi) except -1 nogil
cdef int copy_candidates(Found *found, int64_t first, int64_t end, int32_t sequence, int32_t shift) except -1 nogil
