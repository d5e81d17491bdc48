"""Links of records: the kind of page that each one leads to, and the kind that most records lead to.
The records of a list link to pages of one kind, which its neighbours do not. Nothing here is for Python."""

from libc.stdint cimport int32_t, uint32_t, uint64_t

from fastwrap._core.common.hashing cimport hashed, mixed, same_bytes
from fastwrap._core.common.names cimport ATTRIBUTE_HREF, TAG_A
from fastwrap._core.common.page cimport NO_ENTRY, NO_NODE, PageArrays, attribute_of, value_length
from fastwrap._core.structured.listed cimport ends_part, host_end

cdef extern from "../page/scan.h" nogil:
    ctypedef struct Block:
        pass
    Block load(const unsigned char *at) noexcept
    uint32_t equal3(Block block, unsigned char one, unsigned char two, unsigned char three) noexcept
    uint32_t lowest_bit(uint32_t mask) noexcept

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


cdef int32_t read_host(KnownHost *known, const unsigned char *at, int32_t length) noexcept nogil:
    """Where the host of an address ends; what is known of it is then in `known`."""
    cdef int32_t end = known.length
    if 0 < end < length and ends_part(at[end]) and same_bytes(at, known.address, end):
        return end
    end = host_end(at, length)
    if end:
        known.address = at
        known.length = end
        known.hash = hashed(at, end, 0)
    return end


cdef inline int32_t part_end(const unsigned char *at, int32_t k, int32_t length, int32_t readable) noexcept nogil:
    """Where the part of an address that begins at `k` ends; sixteen bytes at a time, as far as the memory goes."""
    cdef uint32_t marks
    while k < length:
        if k + 16 <= readable:
            marks = equal3(load(at + k), 47, 63, 35)
            if marks:
                return min(k + <int32_t>lowest_bit(marks), length)
            k += 16
        elif ends_part(at[k]):
            return k
        else:
            k += 1
    return length


cdef uint64_t kind_of_address(KnownHost *known, const unsigned char *at, int32_t length, int32_t readable,
                              uint64_t *host) noexcept nogil:
    """One number for each kind of address: its host, how many segments its path has, up to twelve, the first of
    several, and the name of the first parameter after fewer. 0 for an address that leads to no other page. `host`
    receives one number for each host, or 0. So many bytes are `readable` from `at` on."""
    cdef int32_t k, start, segments = 0, first_end = 0, first = 0
    cdef uint64_t kind
    k = read_host(known, at, length)
    host[0] = 1 | known.hash if k else 0
    if length and at[0] <= 32:
        while length and at[0] <= 32:
            at += 1
            length -= 1
            readable -= 1
        k = read_host(known, at, length)
    if length == 0 or at[0] == 35 or has_scheme(at, length, b"javascript", 10) or (
            has_scheme(at, length, b"mailto", 6)) or has_scheme(at, length, b"tel", 3):
        return 0
    kind = known.hash if k else hashed(at, 0, 0)
    while k < length and segments < MOST_SEGMENTS and at[k] != 63 and at[k] != 35:
        start = k
        k = part_end(at, k, length, readable)
        if k > start:
            segments += 1
            if segments == 1:
                first = start
                first_end = k
        if k < length and at[k] == 47:
            k += 1
    kind = mixed(kind, segments)
    if segments > 1:
        kind = mixed(kind, hashed(at + first, first_end - first, 1))
    if segments < MOST_SEGMENTS and k < length and at[k] == 63:
        start = k + 1
        k = start
        while k < length and at[k] not in b"=&#":
            k += 1
        kind = mixed(kind, hashed(at + start, k - start, 2))
    return kind | 1


cdef void read_link(const Links *links, int32_t number) noexcept nogil:
    """Fill in what is known of a link: that of the one before it, where both have one address, as a picture and a title
    often do."""
    cdef const PageArrays *page = links.page
    cdef int32_t entry = attribute_of(page, links.nodes[number], ATTRIBUTE_HREF), before, length
    cdef const unsigned char *address
    cdef uint64_t kind
    links.hosts[number] = 0
    links.kinds[number] = NOWHERE
    if entry == NO_ENTRY:
        return
    address = page.values + page.value_start[entry]
    length = value_length(page, entry)
    if number and links.kinds[number - 1] != UNREAD:
        before = attribute_of(page, links.nodes[number - 1], ATTRIBUTE_HREF)
        if before != NO_ENTRY and value_length(page, before) == length and same_bytes(
                page.values + page.value_start[before], address, length):
            links.kinds[number] = links.kinds[number - 1]
            links.hosts[number] = links.hosts[number - 1]
            return
    kind = kind_of_address(
        links.known, address, length, page.value_start[page.entries] - page.value_start[entry], &links.hosts[number])
    if kind:
        links.kinds[number] = kind


cdef int32_t link_around(const Links *links, int32_t node) noexcept nogil:
    """The number of the link to another page that a node is within, or NO_NODE."""
    cdef const PageArrays *page = links.page
    cdef int32_t _level
    for _level in range(LINK_AROUND):
        node = page.parent[node]
        if node < 0:
            return NO_NODE
        if page.tag[node] == TAG_A:
            return links.before[node] if kind_of_link(links, links.before[node]) else NO_NODE
    return NO_NODE


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


cdef int32_t first_link(const Links *links, int32_t start, int32_t end) noexcept nogil:
    """The number of the first link from `start` up to `end` that leads to another page, or NO_NODE."""
    cdef int32_t number
    for number in range(links.before[start], links.before[end]):
        if kind_of_link(links, number):
            return number
    return NO_NODE


cdef bint has_kind(const Links *links, int32_t start, int32_t end, uint64_t kind) noexcept nogil:
    """Whether a link from `start` up to `end` leads to a page of this kind."""
    cdef int32_t number
    for number in range(links.before[start], links.before[end]):
        if kind_of_link(links, number) == kind:
            return True
    return False
