"""What `listed` offers other native modules: hashes of names and addresses, and whether one is among those listed."""

from libc.stdint cimport int32_t, uint64_t

cdef uint64_t address_hash(const unsigned char *address, int32_t length) noexcept nogil


cdef inline bint is_in(const uint64_t *hashes, int32_t count, uint64_t wanted) noexcept nogil:
    """Whether a hash is among the sorted ones (binary search)."""
    cdef int32_t low = 0, high = count, middle
    while low < high:
        middle = (low + high) // 2
        if hashes[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low < count and hashes[low] == wanted
