"""What `listed` offers other native modules: hashes of names and addresses, whether one is listed, types of things."""

from libc.stdint cimport int32_t, uint64_t

cdef uint64_t address_hash(const unsigned char *address, int32_t length) noexcept nogil

cdef str kind_of(object thing)


cdef inline bint ends_part(unsigned char byte) noexcept nogil:
    """Whether a byte ends the host of an address, or a segment of its path: a slash, a question mark or a hash."""
    return byte < 64 and (byte == 47 or byte == 63 or byte == 35)


cdef inline int32_t host_end(const unsigned char *address, int32_t length) noexcept nogil:
    """Where the host of an address ends, with the scheme before it; 0 where there is none."""
    cdef int32_t k = 0
    while k < length and address[k] != 58 and not ends_part(address[k]):
        k += 1
    if k < length and address[k] == 58:
        k += 1
    else:
        k = 0
    if k + 1 >= length or address[k] != 47 or address[k + 1] != 47:
        return 0
    k += 2
    while k < length and not ends_part(address[k]):
        k += 1
    return k


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
