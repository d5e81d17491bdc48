"""Headings above groups of records: which kinds of texts stand between the groups, and which one is above each record.
Only the few nodes before each group are looked at, so this takes as long as there are groups."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memset

from fastwrap._core.common.buffers cimport held
from fastwrap._core.common.hashing cimport mixed
from fastwrap._core.common.names cimport TEXT
from fastwrap._core.common.page cimport NO_NODE, NativePage, PageArrays, Spans, open_spans

cdef enum:
    MOST_LEVELS = 4
    MOST_KINDS = 3
    LEAST_ENTRIES = 16

LEVELS = MOST_LEVELS


cdef struct HeadingSearch:
    const PageArrays *page
    Spans records
    const uint8_t *is_heading   # by tag ...
    Py_ssize_t known_tags       # ... for so many of them; the others are not for headings
    int32_t max_gap


# Nothing but numbers of one size: there is no padding, so that kinds are compared as bytes.
cdef struct TextKind:
    int32_t tags[MOST_LEVELS]   # the nearest first; 0 after the last
    int32_t levels


cdef struct KindCount:
    TextKind kind
    int32_t times
    int32_t group               # the first record of the last one that the kind was counted for


cdef struct KindTable:
    # The kinds that were counted, found by hash: open addressing.
    KindCount *counts
    int32_t count
    int32_t *places             # in `counts`, from 1; 0 in a free entry
    uint64_t mask


cdef inline bint is_for_headings(const HeadingSearch *search, int32_t tag) noexcept nogil:
    return tag < search.known_tags and search.is_heading[tag]


cdef inline int32_t start_of(const HeadingSearch *search, int32_t record) noexcept nogil:
    return search.records.of[2 * <Py_ssize_t>record]


cdef inline int32_t end_before(const HeadingSearch *search, int32_t record) noexcept nogil:
    """The end of the record before one."""
    return search.records.of[2 * <Py_ssize_t>record - 1] if record else 0


cdef inline bint starts_group(const HeadingSearch *search, int32_t record) noexcept nogil:
    """Whether something stands between a record and the one before it."""
    return record == 0 or start_of(search, record) != end_before(search, record)


cdef inline int32_t gap_of(const HeadingSearch *search, int32_t record) noexcept nogil:
    """The first node of the gap before a group that starts with a record, which is where the gap ends."""
    return max(end_before(search, record), start_of(search, record) - search.max_gap)


cdef inline void read_kind(const HeadingSearch *search, int32_t node, TextKind *kind) noexcept nogil:
    """The kind of a text: the tags of the elements around it, up to one that is for headings."""
    memset(kind, 0, sizeof(TextKind))
    while kind.levels < MOST_LEVELS:
        node = search.page.parent[node]
        if node == NO_NODE:
            break
        kind.tags[kind.levels] = search.page.tag[node]
        kind.levels += 1
        if is_for_headings(search, search.page.tag[node]):
            break


cdef void count_kind(KindTable *table, const TextKind *kind, int32_t group) noexcept nogil:
    """Count a kind, unless it has been for this group."""
    cdef uint64_t place = mixed(mixed(kind.tags[0], kind.tags[1]), mixed(kind.tags[2], kind.tags[3])) & table.mask
    cdef KindCount *count
    while table.places[place] and memcmp(&table.counts[table.places[place] - 1].kind, kind, sizeof(TextKind)):
        place = (place + 1) & table.mask
    if not table.places[place]:
        table.counts[table.count].kind = kind[0]
        table.count += 1
        table.places[place] = table.count
    count = &table.counts[table.places[place] - 1]
    if count.group != group:
        count.group = group
        count.times += 1


cdef void count_kinds(const HeadingSearch *search, KindTable *table) noexcept nogil:
    """Count the kinds of the texts before each group but the first one."""
    cdef TextKind kind
    cdef int32_t record, node, first, texts
    for record in range(1, search.records.count):
        if not starts_group(search, record):
            continue
        first = gap_of(search, record)
        texts = 0
        for node in range(first, start_of(search, record)):
            texts += search.page.tag[node] == TEXT
        for node in range(first, start_of(search, record)):
            if search.page.tag[node] == TEXT:
                read_kind(search, node, &kind)
                if kind.levels and (texts == 1 or is_for_headings(search, kind.tags[kind.levels - 1])):
                    count_kind(table, &kind, record)


cdef int most_frequent(const KindTable *table, int32_t *best) noexcept nogil:
    """The places of the most frequent kinds, of equally many the first one first; returns how many there are."""
    cdef int found = 0, place
    cdef int32_t k
    for k in range(table.count):
        place = found
        while place > 0 and table.counts[best[place - 1]].times < table.counts[k].times:
            if place < MOST_KINDS:
                best[place] = best[place - 1]
            place -= 1
        if place < MOST_KINDS:
            best[place] = k
            found = min(found + 1, <int>MOST_KINDS)
    return found


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
    cdef KindTable table
    cdef Py_ssize_t groups = 0, nodes = 0
    cdef uint64_t entries = LEAST_ENTRIES
    cdef const KindCount *count
    cdef int32_t best[MOST_KINDS]
    cdef int32_t record
    cdef int k, level, found
    open_search(&search, native, spans, is_heading, max_gap)
    for record in range(search.records.count):
        if starts_group(&search, record):
            groups += 1
            nodes += max(0, start_of(&search, record) - gap_of(&search, record))
    if (search.records.count < 3 or groups == 1 or groups - 1 >= max_share * search.records.count
            or groups - 1 >= max_groups):
        return groups, []
    while entries < <uint64_t>nodes * 2:
        entries *= 2
    table.counts = <KindCount *>calloc(1, nodes * sizeof(KindCount) + entries * sizeof(int32_t))
    if table.counts == NULL:
        raise MemoryError("no memory for the kinds of headings")
    table.places = <int32_t *>(table.counts + nodes)
    table.count = 0
    table.mask = entries - 1
    try:
        with nogil:
            count_kinds(&search, &table)
            found = most_frequent(&table, best)
        frequent = []
        for k in range(found):
            count = &table.counts[best[k]]
            frequent.append((tuple([count.kind.tags[level] for level in range(count.kind.levels)]), count.times))
        return groups, frequent
    finally:
        free(table.counts)


def nodes(NativePage native not None, spans not None, bytes is_heading not None, int32_t max_gap, tuple kind not None):
    """The text of the heading above each record; see `headings.pyi`."""
    cdef HeadingSearch search
    cdef TextKind wanted, own
    cdef int32_t record, node, current = NO_NODE
    cdef list found = []
    open_search(&search, native, spans, is_heading, max_gap)
    if not 0 < len(kind) <= MOST_LEVELS:
        raise ValueError(f"a kind has 1 to {MOST_LEVELS} tags")
    memset(&wanted, 0, sizeof(TextKind))
    for number in kind:
        wanted.tags[wanted.levels] = number
        wanted.levels += 1
    for record in range(search.records.count):
        if starts_group(&search, record):
            for node in range(start_of(&search, record) - 1, gap_of(&search, record) - 1, -1):
                if search.page.tag[node] == TEXT:
                    read_kind(&search, node, &own)
                    if memcmp(&own, &wanted, sizeof(TextKind)) == 0:
                        current = node
                        break
        found.append(current)
    return found
