"""Links of records: the kind of page that each one leads to, and the kind that most records lead to.
The records of a list link to pages of one kind, which its neighbours do not. Nothing here is for Python."""

from libc.stdint cimport int32_t, uint64_t

from fastwrap._core.common.hashing cimport hashed, mixed
from fastwrap._core.common.names cimport ATTRIBUTE_HREF, TAG_A
from fastwrap._core.common.page cimport NO_ENTRY, NO_NODE, PageArrays, attribute_of, value_length
from fastwrap._core.structured.listed cimport ends_part, host_end

cdef enum:                  # in place of a kind, which is odd
    UNREAD = 0
    NOWHERE = 2             # the link leads to no other page

cdef enum:
    LINK_AROUND = 8         # levels around a record in which a link is looked for
    MOST_SEGMENTS = 12      # of the path of an address that are counted


cdef inline bint has_scheme(const unsigned char *at, int32_t length, const char *scheme, int32_t size) noexcept nogil:
    """Whether an address has this scheme, in either case."""
    cdef int32_t k
    if length <= size or at[size] != 58:
        return False
    for k in range(size):
        if (at[k] | 32) != <unsigned char>scheme[k]:
            return False
    return True


cdef uint64_t kind_of_address(const unsigned char *at, int32_t length) noexcept nogil:
    """One number for each kind of address: its host, how many segments its path has, up to twelve, the first of
    several, and the name of the first parameter after fewer. 0 for an address that leads to no other page."""
    cdef int32_t k, start, host, segments = 0, first_end = 0, first = 0
    cdef uint64_t kind
    while length and at[0] <= 32:
        at += 1
        length -= 1
    if length == 0 or at[0] == 35 or has_scheme(at, length, b"javascript", 10) or (
            has_scheme(at, length, b"mailto", 6)) or has_scheme(at, length, b"tel", 3):
        return 0
    host = k = host_end(at, length)
    while k < length and segments < MOST_SEGMENTS and at[k] != 63 and at[k] != 35:
        start = k
        while k < length and not ends_part(at[k]):
            k += 1
        if k > start:
            segments += 1
            if segments == 1:
                first = start
                first_end = k
        if k < length and at[k] == 47:
            k += 1
    kind = mixed(hashed(at, host, 0), segments)
    if segments > 1:
        kind = mixed(kind, hashed(at + first, first_end - first, 1))
    if segments < MOST_SEGMENTS and k < length and at[k] == 63:
        start = k + 1
        k = start
        while k < length and at[k] not in b"=&#":
            k += 1
        kind = mixed(kind, hashed(at + start, k - start, 2))
    return kind | 1


cdef uint64_t kind_of_link(const Links *links, int32_t node) noexcept nogil:
    """The kind of the address of a link, or 0; it is read once."""
    cdef const PageArrays *page = links.page
    cdef int32_t entry
    cdef uint64_t kind = links.kinds[node]
    if kind == UNREAD:
        entry = attribute_of(page, node, ATTRIBUTE_HREF)
        kind = 0
        if entry != NO_ENTRY:
            kind = kind_of_address(page.values + page.value_start[entry], value_length(page, entry))
        links.kinds[node] = kind if kind else NOWHERE
    return 0 if kind == NOWHERE else kind


cdef int32_t link_around(const Links *links, int32_t node) noexcept nogil:
    """The link to another page that a node is within, or NO_NODE."""
    cdef const PageArrays *page = links.page
    cdef int32_t _level
    for _level in range(LINK_AROUND):
        node = page.parent[node]
        if node < 0:
            return NO_NODE
        if page.tag[node] == TAG_A:
            return node if kind_of_link(links, node) else NO_NODE
    return NO_NODE


cdef uint64_t host_of_link(const Links *links, int32_t node) noexcept nogil:
    """One number for each host that a link may name; 0 if it names none."""
    cdef const PageArrays *page = links.page
    cdef int32_t entry = attribute_of(page, node, ATTRIBUTE_HREF), length
    cdef const unsigned char *address = page.values + page.value_start[entry]
    length = host_end(address, value_length(page, entry))
    return 1 | hashed(address, length, 0) if length else 0


cdef uint64_t majority(const uint64_t *kinds, int32_t count, int32_t *equal) noexcept nogil:
    """The kind that most have, if more than half of those that have one do (majority vote, Boyer & Moore 1981); `equal`
    receives how many have it."""
    cdef int32_t k, lead = 0
    cdef uint64_t candidate = 0
    equal[0] = 0
    for k in range(count):
        if kinds[k] == 0:
            continue
        if lead == 0:
            candidate = kinds[k]
        lead += 1 if kinds[k] == candidate else -1
    for k in range(count):
        equal[0] += candidate != 0 and kinds[k] == candidate
    return candidate


cdef uint64_t first_kind(const Links *links, int32_t start, int32_t end) noexcept nogil:
    """The kind of the first link from `start` up to `end` that leads to another page, or 0."""
    cdef const PageArrays *page = links.page
    cdef int32_t node
    cdef uint64_t kind
    for node in range(start, end):
        if page.tag[node] == TAG_A:
            kind = kind_of_link(links, node)
            if kind:
                return kind
    return 0


cdef uint64_t first_host(const Links *links, int32_t start, int32_t end) noexcept nogil:
    """One number for the host that the first link from `start` up to `end` to another page names, 1 if it names none; 0
    where there is no such link."""
    cdef const PageArrays *page = links.page
    cdef int32_t node
    for node in range(start, end):
        if page.tag[node] == TAG_A and kind_of_link(links, node):
            return max(host_of_link(links, node), 1)
    return 0


cdef bint has_kind(const Links *links, int32_t start, int32_t end, uint64_t kind) noexcept nogil:
    """Whether a link from `start` up to `end` leads to a page of this kind."""
    cdef const PageArrays *page = links.page
    cdef int32_t node
    for node in range(start, end):
        if page.tag[node] == TAG_A and kind_of_link(links, node) == kind:
            return True
    return False
