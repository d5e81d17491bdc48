"""What `content` offers other native modules: what a reader sees of a page."""

from fastwrap._core.regions.autorm cimport RecordSearch

cdef size_t size_of_content(size_t nodes) noexcept nogil
cdef void read_content(RecordSearch *search) noexcept nogil
