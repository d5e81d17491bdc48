"""Pairs of spans, as the kernels of this room take them: one array [pairs, 4], checked when it is opened."""

from libc.stdint cimport int32_t

from fastwrap._core.common.buffers cimport held_numbers


cdef struct SpanPair:
    # Nodes or symbols [left, left_end) and [right, right_end), either of which may be empty.
    int32_t left
    int32_t left_end
    int32_t right
    int32_t right_end


cdef struct SpanPairs:
    Py_ssize_t count
    const SpanPair *pair
    int32_t most_shorter    # the most that the shorter span of a pair has ...
    int32_t most_longer     # ... and the longer one


cdef inline int open_pairs(SpanPairs *pairs, array, Py_ssize_t length) except -1:
    """Take over an array that the caller keeps alive; ValueError for spans that are not within so many items."""
    cdef const SpanPair *pair
    cdef int32_t left, right
    cdef Py_ssize_t k
    if array.ndim != 2 or array.shape[1] != 4:
        raise ValueError("a pair of spans is four numbers: where the left and the right one start and end")
    pairs.count = len(array)
    pairs.pair = <const SpanPair *>held_numbers(array, 4 * <size_t>pairs.count)
    pairs.most_shorter = pairs.most_longer = 0
    for k in range(pairs.count):
        pair = &pairs.pair[k]
        if not (0 <= pair.left <= pair.left_end <= length and 0 <= pair.right <= pair.right_end <= length):
            raise ValueError(f"pair {k} has a span that is not within 0 to {length}")
        left = pair.left_end - pair.left
        right = pair.right_end - pair.right
        pairs.most_shorter = max(pairs.most_shorter, min(left, right))
        pairs.most_longer = max(pairs.most_longer, max(left, right))
    return 0
