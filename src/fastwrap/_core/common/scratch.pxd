"""What `scratch` offers other native modules: the memory of one call, and the next piece of it."""

cdef void *take(size_t size) noexcept nogil
cdef void put_back(void *block) noexcept nogil


cdef inline void *piece(char **at, size_t size) noexcept nogil:
    """The next `size` bytes of a block, and those that fill up its last 16."""
    cdef char *start = at[0]
    at[0] = start + ((size + 15) & ~<size_t>15)
    return start
