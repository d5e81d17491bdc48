"""What `sequences` offers other native modules: the candidates of a page."""

from fastwrap._core.regions.autorm cimport RecordSearch
from fastwrap._core.regions.segmentation cimport Candidates

cdef size_t size_of_sequences(size_t nodes) noexcept nogil
cdef int cut_page(RecordSearch *search, Candidates *candidates) except -1 nogil
