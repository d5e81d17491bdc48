"""Headings above groups of records: which kinds of texts stand between the groups, and which one is above each record.
Only the few nodes before each group are looked at, so this takes as long as there are groups."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memset

from fastwrap._core.common.hashing cimport mixed

cdef enum:
    TEXT = 0
    NO_NODE = -1
    MOST_LEVELS = 4
    MOST_KINDS = 3
    LEAST_SLOTS = 16

LEVELS = MOST_LEVELS

cdef struct Page:
    const int32_t *tag
    const int32_t *parent
    const uint8_t *is_heading   # by tag ...
    Py_ssize_t known            # ... for so many of them; the others are not for headings

# Nothing but numbers of one size: there is no padding, so that kinds are compared as bytes.
cdef struct Kind:
    int32_t tags[MOST_LEVELS]   # the nearest first; 0 after the last
    int32_t levels

cdef struct Counted:
    Kind kind
    int32_t times
    Py_ssize_t group            # the first record of the last one that the kind was counted for


cdef inline bint is_for_headings(const Page *page, int32_t tag) noexcept nogil:
    return 0 <= tag < page.known and page.is_heading[tag]


cdef inline bint starts_group(const int32_t *spans, Py_ssize_t record) noexcept nogil:
    """Whether something stands between a record and the one before it."""
    return record == 0 or spans[2 * record] != spans[2 * record - 1]


cdef inline int32_t gap_of(const int32_t *spans, Py_ssize_t record, int32_t max_gap) noexcept nogil:
    """The first node of the gap before a group that starts with a record, which is where the gap ends."""
    cdef int32_t before = spans[2 * record - 1] if record else 0
    return max(before, spans[2 * record] - max_gap)


cdef inline bint read_kind(const Page *page, int32_t node, Kind *kind) noexcept nogil:
    """The kind of a text; False for a parent that does not come before its child."""
    cdef int32_t above
    memset(kind, 0, sizeof(Kind))
    while kind.levels < MOST_LEVELS:
        above = page.parent[node]
        if above == NO_NODE:
            break
        if not 0 <= above < node:
            return False
        kind.tags[kind.levels] = page.tag[above]
        kind.levels += 1
        if is_for_headings(page, page.tag[above]):
            break
        node = above
    return True


cdef void count_kind(const Kind *kind, Py_ssize_t group, Counted *counted, int32_t *count, int32_t *slots,
                     uint64_t mask) noexcept nogil:
    """Count a kind, unless it has been for this group; `slots` have the places of kinds in `counted`, from 1."""
    cdef uint64_t place = mixed(mixed(kind.tags[0], kind.tags[1]), mixed(kind.tags[2], kind.tags[3])) & mask
    cdef Counted *own
    while slots[place] and memcmp(&counted[slots[place] - 1].kind, kind, sizeof(Kind)):
        place = (place + 1) & mask
    if not slots[place]:
        counted[count[0]].kind = kind[0]
        count[0] += 1
        slots[place] = count[0]
    own = &counted[slots[place] - 1]
    if own.group != group:
        own.group = group
        own.times += 1


cdef bint count_kinds(const Page *page, const int32_t *spans, Py_ssize_t records, int32_t max_gap, Counted *counted,
                      int32_t *count, int32_t *slots, uint64_t mask) noexcept nogil:
    """Count the kinds of the texts before each group but the first one; False for a parent after its child."""
    cdef Kind kind
    cdef Py_ssize_t record
    cdef int32_t node, first, texts
    for record in range(1, records):
        if not starts_group(spans, record):
            continue
        first = gap_of(spans, record, max_gap)
        texts = 0
        for node in range(first, spans[2 * record]):
            texts += page.tag[node] == TEXT
        for node in range(first, spans[2 * record]):
            if page.tag[node] != TEXT:
                continue
            if not read_kind(page, node, &kind):
                return False
            if kind.levels and (texts == 1 or is_for_headings(page, kind.tags[kind.levels - 1])):
                count_kind(&kind, record, counted, count, slots, mask)
    return True


cdef int most_frequent(const Counted *counted, int32_t count, int32_t *best) noexcept nogil:
    """The places of the most frequent kinds, of equally many the first one first; returns how many there are."""
    cdef int found = 0, place
    cdef int32_t k
    for k in range(count):
        place = found
        while place > 0 and counted[best[place - 1]].times < counted[k].times:
            if place < MOST_KINDS:
                best[place] = best[place - 1]
            place -= 1
        if place < MOST_KINDS:
            best[place] = k
            found = min(found + 1, <int>MOST_KINDS)
    return found


cdef bint find_nodes(const Page *page, const int32_t *spans, Py_ssize_t records, int32_t max_gap, const Kind *wanted,
                     int32_t *found) noexcept nogil:
    """The last text of a kind above each record; False for a parent that does not come before its child."""
    cdef Kind kind
    cdef Py_ssize_t record
    cdef int32_t node, first, current = NO_NODE
    for record in range(records):
        if starts_group(spans, record):
            first = gap_of(spans, record, max_gap)
            for node in range(spans[2 * record] - 1, first - 1, -1):
                if page.tag[node] != TEXT:
                    continue
                if not read_kind(page, node, &kind):
                    return False
                if memcmp(&kind, wanted, sizeof(Kind)) == 0:
                    current = node
                    break
        found[record] = current
    return True


cdef int open_page(Page *page, const int32_t[::1] tag, const int32_t[::1] parent, const int32_t[:, ::1] spans,
                   const uint8_t[::1] is_heading, int32_t max_gap) except -1:
    """Take the arrays of a page, unless they differ in length or records are not within it."""
    cdef Py_ssize_t nodes = tag.shape[0], record
    if parent.shape[0] != nodes:
        raise ValueError("tag and parent differ in length")
    if spans.shape[1] != 2:
        raise ValueError("a span is a first node and the one after the last")
    for record in range(spans.shape[0]):
        if not 0 <= spans[record, 0] <= spans[record, 1] <= nodes:
            raise ValueError(f"record {record} is not a span of the {nodes} nodes")
    if max_gap < 0:
        raise ValueError("a gap has no nodes or more")
    page.tag = &tag[0] if nodes else NULL
    page.parent = &parent[0] if nodes else NULL
    page.known = is_heading.shape[0]
    page.is_heading = &is_heading[0] if page.known else NULL
    return 0


def kinds(const int32_t[::1] tag not None, const int32_t[::1] parent not None, const int32_t[:, ::1] spans not None,
          const uint8_t[::1] is_heading not None, int32_t max_gap, double max_share, int32_t max_groups):
    """The kinds of the texts between groups of records; see `headings.pyi`."""
    cdef Page page
    cdef Py_ssize_t records = spans.shape[0], record, groups = 0, texts = 0
    cdef uint64_t slots = LEAST_SLOTS
    cdef Counted *counted
    cdef const Counted *own
    cdef int32_t best[MOST_KINDS]
    cdef int32_t count = 0
    cdef int k, level
    cdef bint right
    cdef const int32_t *ends
    open_page(&page, tag, parent, spans, is_heading, max_gap)
    if records == 0:
        return 0, []
    ends = &spans[0, 0]
    for record in range(records):
        if starts_group(ends, record):
            groups += 1
            texts += max(0, ends[2 * record] - gap_of(ends, record, max_gap))  # or fewer
    if records < 3 or groups == 1 or groups - 1 >= max_share * records or groups - 1 >= max_groups:
        return groups, []
    while slots < <uint64_t>texts * 2:
        slots *= 2
    counted = <Counted *>calloc(1, texts * sizeof(Counted) + slots * sizeof(int32_t))
    if counted == NULL:
        raise MemoryError("no memory for the kinds of headings")
    try:
        with nogil:
            right = count_kinds(&page, ends, records, max_gap, counted, &count, <int32_t *>(counted + texts),
                                slots - 1)
            count = most_frequent(counted, count, best)
        if not right:
            raise ValueError("a parent does not come before its child")
        found = []
        for k in range(count):
            own = &counted[best[k]]
            found.append((tuple([own.kind.tags[level] for level in range(own.kind.levels)]), own.times))
        return groups, found
    finally:
        free(counted)


def nodes(const int32_t[::1] tag not None, const int32_t[::1] parent not None, const int32_t[:, ::1] spans not None,
          const uint8_t[::1] is_heading not None, int32_t max_gap, tuple kind not None):
    """The text of the heading above each record; see `headings.pyi`."""
    cdef Page page
    cdef Kind wanted
    cdef Py_ssize_t records = spans.shape[0], record
    cdef int32_t *found
    cdef bint right
    open_page(&page, tag, parent, spans, is_heading, max_gap)
    if not 0 < len(kind) <= MOST_LEVELS:
        raise ValueError(f"a kind has 1 to {MOST_LEVELS} tags")
    memset(&wanted, 0, sizeof(Kind))
    for number in kind:
        wanted.tags[wanted.levels] = number
        wanted.levels += 1
    if records == 0:
        return []
    found = <int32_t *>malloc(records * sizeof(int32_t))
    if found == NULL:
        raise MemoryError("no memory for the headings of records")
    try:
        with nogil:
            right = find_nodes(&page, &spans[0, 0], records, max_gap, &wanted, found)
        if not right:
            raise ValueError("a parent does not come before its child")
        return [found[record] for record in range(records)]
    finally:
        free(found)
