"""What `links` offers other native modules: kinds of the pages that records link to."""

from libc.stdint cimport int32_t, uint64_t

from fastwrap._core.common.page cimport PageArrays


cdef struct Links:
    # The links of a page, each read once.
    const PageArrays *page
    uint64_t *kinds             # by node: the kind of page that a link leads to; zeros before any was read


cdef uint64_t kind_of_link(const Links *links, int32_t node) noexcept nogil
cdef int32_t link_around(const Links *links, int32_t node) noexcept nogil
cdef uint64_t host_of_link(const Links *links, int32_t node) noexcept nogil
cdef uint64_t majority(const uint64_t *kinds, int32_t count, int32_t *equal) noexcept nogil
cdef uint64_t first_kind(const Links *links, int32_t start, int32_t end) noexcept nogil
cdef bint has_kind(const Links *links, int32_t start, int32_t end, uint64_t kind) noexcept nogil
cdef uint64_t first_host(const Links *links, int32_t start, int32_t end) noexcept nogil
