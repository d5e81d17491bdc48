"""What `clusters` offers other native modules: the children of one node, and their clusters."""

from libc.stdint cimport int32_t, int64_t, uint8_t

from fastwrap._core.regions.autorm cimport RecordSearch


cdef struct Sequence:
    # The children of one node. A *place* is a number of one of them.
    int32_t number              # of the sequence, on its page
    int32_t places
    int32_t *child              # [places] the node
    int32_t *label              # [places] its tag path
    int32_t *class_id           # [places] its structural class
    uint8_t *separator          # [places] whether it has no content
    int32_t *by_tag             # [places] the first place of its cluster, by tag ...
    int32_t *by_tree            # [places] ... and by tree


cdef struct Kinds:
    # The kinds of a sequence (its different structural classes) in order of their first places, chained by label.
    int32_t *seen_class         # class -> the last sequence it was seen in, plus one
    int32_t *kind_of_class      # class -> its kind, if it was seen in this sequence
    int32_t *seen_label         # label -> the last sequence it was seen in, plus one
    int32_t *first_kind         # label -> its first kind, if it was seen in this sequence, ...
    int32_t *last_kind          # ... its last one ...
    int32_t *kinds_of_label     # ... and how many there are
    int32_t *labels             # the labels of the sequence, in order of their first places ...
    int32_t label_count         # ... and how many there are
    int32_t *place              # kind -> its first place ...
    int32_t *count              # ... its places ...
    int32_t *following          # ... and the next kind of its label, or NONE
    int32_t *by_tag             # kind -> the first place of its cluster, by tag ...
    int32_t *by_tree            # ... and by tree
    int64_t pairs_left          # of trees that may still be compared


cdef size_t size_of_kinds(size_t nodes) noexcept nogil
cdef void open_kinds(Kinds *kinds, const RecordSearch *search, char **memory) noexcept nogil
cdef void cluster_places(RecordSearch *search, Sequence *sequence, Kinds *kinds) noexcept nogil
