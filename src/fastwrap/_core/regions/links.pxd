"""What `links` offers other native modules: kinds of the pages that records link to."""

from libc.stdint cimport int32_t, uint64_t

from fastwrap._core.common.page cimport PageArrays

cdef enum:                  # in place of a kind, which is odd
    UNREAD = 0
    NOWHERE = 2             # the link leads to no other page


cdef struct KnownHost:
    # The host of the address that was read last: most links of a page name one, or none.
    const unsigned char *address
    int32_t length              # with the scheme; 0 before any was read
    uint64_t hash


cdef struct Links:
    # The links of a page by their numbers, in order of their nodes; each is read once.
    const PageArrays *page
    int32_t *before             # [n + 1] how many links are before each node ...
    int32_t *nodes              # ... and which
    uint64_t *kinds             # the kind of page that each leads to; zeros before they are read
    uint64_t *hosts             # one number for the host that each names once it is read; 0 if it names none
    KnownHost *known


cdef inline int32_t number_of_link(const Links *links, int32_t node) noexcept nogil:
    """The number of an element `a`."""
    return links.before[node]


cdef void read_link(const Links *links, int32_t number) noexcept nogil
cdef int32_t link_around(const Links *links, int32_t node) noexcept nogil
cdef int32_t first_link(const Links *links, int32_t start, int32_t end) noexcept nogil
cdef uint64_t majority(const uint64_t *kinds, int32_t count, int32_t *equal) noexcept nogil
cdef bint has_kind(const Links *links, int32_t start, int32_t end, uint64_t kind) noexcept nogil


cdef inline uint64_t kind_of_link(const Links *links, int32_t number) noexcept nogil:
    """The kind of the address of a link, or 0."""
    if links.kinds[number] == UNREAD:
        read_link(links, number)
    return 0 if links.kinds[number] == NOWHERE else links.kinds[number]


cdef inline uint64_t first_kind(const Links *links, int32_t start, int32_t end) noexcept nogil:
    """The kind of the first link from `start` up to `end` that leads to another page, or 0."""
    cdef int32_t number = first_link(links, start, end)
    return 0 if number < 0 else links.kinds[number]


cdef inline uint64_t first_host(const Links *links, int32_t start, int32_t end) noexcept nogil:
    """One number for the host that the first link from `start` up to `end` to another page names, 1 if it names none; 0
    where there is no such link."""
    cdef int32_t number = first_link(links, start, end)
    return 0 if number < 0 else max(links.hosts[number], 1)


cdef inline void read_first_link(const Links *links, int32_t start, int32_t end, uint64_t *kind,
                                 uint64_t *host) noexcept nogil:
    """Both at once."""
    cdef int32_t number = first_link(links, start, end)
    kind[0] = 0 if number < 0 else links.kinds[number]
    host[0] = 0 if number < 0 else max(links.hosts[number], 1)
