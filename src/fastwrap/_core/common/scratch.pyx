"""Scratch memory: one block per call, kept for the next one.
Memory fresh from the system costs page faults, and memory that was used a moment ago is still in the cache."""

from libc.stdlib cimport free, malloc

from fastwrap._core.common.atomic cimport exchange

cdef enum:
    POOLED = 8              # blocks that wait: one for each thread that is at work, up to so many
    HEADER = 64             # bytes before a block, which say how long it is: as many as a line of the cache has
    LEAST_BYTES = 1 << 19   # for an ordinary page; what is not written to takes no memory
    KEPT_BYTES = 1 << 24    # longer blocks are given back to the system

# Taken and put back by atomic exchange, so any thread may use any of them.
cdef void *POOL[POOLED]
for _place in range(POOLED):
    POOL[_place] = NULL


cdef void *take(size_t size) except NULL nogil:
    """A block of at least `size` bytes, with anything in it; MemoryError when there is no memory."""
    cdef size_t room = LEAST_BYTES
    cdef char *block
    cdef int k
    for k in range(POOLED):
        block = <char *>exchange(&POOL[k], NULL)
        if block != NULL:
            if (<size_t *>block)[0] >= size:
                return block + HEADER
            free(block)
            break
    while room < size and room < KEPT_BYTES:
        room *= 2
    # Under AddressSanitizer a block is as long as asked for and freed at once, so that it sees what is wrong.
    room = size if FW_SANITISED else max(room, size)
    block = <char *>malloc(HEADER + room)
    if block == NULL:
        with gil:
            raise MemoryError("no memory for the work on a page")
    (<size_t *>block)[0] = room
    return block + HEADER


cdef void put_back(void *block) noexcept nogil:
    """Keep a block for the next call, unless it is a long one or enough of them wait; NULL is no block."""
    cdef void *whole
    cdef int k
    if block == NULL:
        return
    whole = <char *>block - HEADER
    if not FW_SANITISED and (<size_t *>whole)[0] <= KEPT_BYTES:
        for k in range(POOLED):
            whole = exchange(&POOL[k], whole)
            if whole == NULL:
                return
    free(whole)
