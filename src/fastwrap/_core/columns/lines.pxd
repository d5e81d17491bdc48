"""What `lines` offers other native modules: the texts of records, those that are one joined."""

from libc.stdint cimport int32_t

from fastwrap._core.columns.cells cimport Column
from fastwrap._core.columns.choosing cimport Chooser

# -1: no memory
cdef int32_t find_texts(Chooser *chooser) noexcept nogil
cdef bint is_name(Chooser *chooser, Column *column) noexcept nogil
