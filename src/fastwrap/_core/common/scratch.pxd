"""What `scratch` offers other native modules: the memory of one call, and the next piece of it."""

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

cdef void *take(size_t size) noexcept nogil
cdef void *taken(size_t size, str use) except NULL
cdef void put_back(void *block) noexcept nogil


cdef inline void *piece(char **at, size_t size) noexcept nogil:
    """The next `size` bytes of a block, and those that fill up its last 16."""
    cdef char *start = at[0]
    at[0] = start + ((size + 15) & ~<size_t>15)
    return start
