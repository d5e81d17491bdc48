"""What `scratch` offers other native modules: the memory of one call, the next piece of it, and arrays that grow."""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport realloc

cdef extern from *:
    """
    #if defined(__SANITIZE_ADDRESS__)
    #define FW_SANITISED 1
    #elif defined(__has_feature)
    #if __has_feature(address_sanitizer)
    #define FW_SANITISED 1
    #endif
    #endif
    #ifndef FW_SANITISED
    #define FW_SANITISED 0
    #endif
    """
    bint FW_SANITISED       # built with AddressSanitizer

cdef void *take(size_t size) except NULL nogil
cdef void put_back(void *block) noexcept nogil


cdef inline void *piece(char **at, size_t size) noexcept nogil:
    """The next `size` bytes of a block, and those that fill up its last 16."""
    cdef char *start = at[0]
    at[0] = start + ((size + 15) & ~<size_t>15)
    return start


cdef inline int32_t *numbers(char **at, size_t count) noexcept nogil:
    """The next piece of a block, for so many 32-bit numbers."""
    return <int32_t *>piece(at, count * sizeof(int32_t))


cdef inline int reserve(void **memory, int64_t *room, int64_t needed, size_t width) except -1 nogil:
    """Make room for `needed` elements in memory of malloc or NULL, at least twice as many as before."""
    cdef void *larger
    if needed <= room[0]:
        return 0
    needed = max(needed, 2 * room[0], 256)
    larger = realloc(memory[0], <size_t>needed * width)
    if larger == NULL:
        with gil:
            raise MemoryError("no memory for the work on a page")
    memory[0] = larger
    room[0] = needed
    return 0
