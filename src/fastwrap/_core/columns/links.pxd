"""What `links` offers other native modules: the link and the pictures of records."""

from libc.stdint cimport int32_t

from fastwrap._core.columns.choosing cimport Chooser

# Columns, or NOWHERE
cdef int32_t find_link(Chooser *chooser) noexcept nogil
cdef int32_t find_pictures(Chooser *chooser, int32_t link) noexcept nogil
