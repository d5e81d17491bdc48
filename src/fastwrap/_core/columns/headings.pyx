"""Headings above groups of records: which kinds of texts stand between the groups, and which one is above each record.
Only the few nodes before each group are looked at, so this takes as long as there are groups."""

from libc.stdint cimport int32_t, uint8_t

from fastwrap._core.common.buffers cimport held
from fastwrap._core.common.names cimport TEXT
from fastwrap._core.common.page cimport NO_NODE, NativePage, PageArrays, Spans, open_spans

from operator import itemgetter

cdef enum:
    MOST_LEVELS = 4
    MOST_KINDS = 3

LEVELS = MOST_LEVELS
cdef object TIMES = itemgetter(1)


cdef struct HeadingSearch:
    const PageArrays *page
    Spans records
    const uint8_t *is_heading   # by tag ...
    Py_ssize_t known_tags       # ... for so many of them; the others are not for headings
    int32_t max_gap


cdef inline bint is_for_headings(const HeadingSearch *search, int32_t tag) noexcept nogil:
    return tag < search.known_tags and search.is_heading[tag]


cdef inline int32_t start_of(const HeadingSearch *search, int32_t record) noexcept nogil:
    return search.records.bounds[2 * <Py_ssize_t>record]


cdef inline int32_t end_before(const HeadingSearch *search, int32_t record) noexcept nogil:
    """The end of the record before one."""
    return search.records.bounds[2 * <Py_ssize_t>record - 1] if record else 0


cdef inline bint starts_group(const HeadingSearch *search, int32_t record) noexcept nogil:
    """Whether something stands between a record and the one before it."""
    return record == 0 or start_of(search, record) != end_before(search, record)


cdef inline int32_t gap_of(const HeadingSearch *search, int32_t record) noexcept nogil:
    """The first node of the gap before a group that starts with a record, which is where the gap ends."""
    return max(end_before(search, record), start_of(search, record) - search.max_gap)


cdef tuple kind_of(const HeadingSearch *search, int32_t node):
    """The kind of a text: the tags of the elements around it, up to one that is for headings."""
    cdef list tags = []
    node = search.page.parent[node]
    while node != NO_NODE and len(tags) < MOST_LEVELS:
        tags.append(search.page.tag[node])
        if is_for_headings(search, search.page.tag[node]):
            break
        node = search.page.parent[node]
    return tuple(tags)


cdef int open_search(HeadingSearch *search, NativePage native, spans, is_heading, int32_t max_gap) except -1:
    if max_gap < 0:
        raise ValueError("a gap has no nodes or more")
    search.page = &native.arrays
    open_spans(&search.records, spans, search.page)
    search.known_tags = len(is_heading)
    search.is_heading = <const uint8_t *>held(is_heading, search.known_tags, 1)
    search.max_gap = max_gap
    return 0


def kinds(NativePage native not None, spans not None, bytes is_heading not None, int32_t max_gap, double max_share,
          int32_t max_groups):
    """The kinds of the texts between groups of records; see `headings.pyi`."""
    cdef HeadingSearch search
    cdef Py_ssize_t groups = 0
    cdef int32_t record, node
    cdef list texts
    cdef tuple kind
    cdef dict counts = {}
    open_search(&search, native, spans, is_heading, max_gap)
    for record in range(search.records.count):
        groups += starts_group(&search, record)
    if (search.records.count < 3 or groups == 1 or groups - 1 >= max_share * search.records.count
            or groups - 1 >= max_groups):
        return groups, []
    for record in range(1, search.records.count):
        if starts_group(&search, record):
            texts = []
            for node in range(gap_of(&search, record), start_of(&search, record)):
                if search.page.tag[node] == TEXT:
                    texts.append(kind_of(&search, node))
            for kind in dict.fromkeys(texts):
                if kind and (len(texts) == 1 or is_for_headings(&search, kind[len(kind) - 1])):
                    counts[kind] = counts.get(kind, 0) + 1
    return groups, sorted(counts.items(), key=TIMES, reverse=True)[:MOST_KINDS]


def nodes(NativePage native not None, spans not None, bytes is_heading not None, int32_t max_gap, tuple kind not None):
    """The text of the heading above each record; see `headings.pyi`."""
    cdef HeadingSearch search
    cdef int32_t record, node, current = NO_NODE
    cdef list found = []
    open_search(&search, native, spans, is_heading, max_gap)
    if not 0 < len(kind) <= MOST_LEVELS:
        raise ValueError(f"a kind has 1 to {MOST_LEVELS} tags")
    for record in range(search.records.count):
        if starts_group(&search, record):
            for node in range(start_of(&search, record) - 1, gap_of(&search, record) - 1, -1):
                if search.page.tag[node] == TEXT and kind_of(&search, node) == kind:
                    current = node
                    break
        found.append(current)
    return found
