"""What `bodies` offers other native modules: the prose of records, in paragraphs, quotes and lists, as one text."""

from libc.stdint cimport int32_t

from fastwrap._core.columns.folding cimport Folding

cdef enum:
    LONG = 40           # bytes of a text from which on it is prose, not a field

# -1: no memory.
cdef int32_t find_bodies(Folding *folding) noexcept nogil
