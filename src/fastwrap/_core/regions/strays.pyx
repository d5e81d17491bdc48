"""Records that stand elsewhere: single ones a level higher or lower, and lists that were chosen as two, in the next
section or under another tag. Nothing here is for Python."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memchr

from fastwrap._core.common.names cimport TEXT
from fastwrap._core.common.page cimport PageArrays, subtree_end
from fastwrap._core.regions.autorm cimport RecordSearch, common_ancestor, items_of, letters_of, likeness
from fastwrap._core.regions.links cimport first_kind, majority
from fastwrap._core.regions.segmentation cimport SINGLE
from fastwrap._core.regions.sets cimport RecordSet, RecordSets
from fastwrap._core.regions.siblings cimport add_siblings

cdef enum:
    JOINED = 8          # chosen sets, the best ones, that others may belong to ...
    LOOKED_AT = 24      # ... and how many others are looked at
    FEWEST = 3          # records of a set whose strays are looked for

cdef double ALIKE = 0.7         # likeness of what is in two records
cdef double SMALLEST = 0.4      # of the content and the items of a record on average: what the other records have
cdef double KINDRED = 0.6       # of the records: those that link to one kind of page


# Single records


cdef int32_t style_of(const PageArrays *page, const int32_t *records, int32_t count) noexcept nogil:
    """The class and style that all records have, or 0."""
    cdef int32_t record, style = page.style_symbol[records[0]]
    for record in range(1, count):
        if page.style_symbol[records[2 * record]] != style:
            return 0
    return style


cdef int32_t find_strays(RecordSearch *search, const int32_t *records, int32_t count, const uint8_t *taken,
                         int32_t *strays) noexcept nogil:
    """List the nodes near a set that have the tag and the style of all its records, about their content, and a tree
    like theirs; returns how many there are."""
    cdef const PageArrays *page = search.page
    cdef int32_t style = style_of(page, records, count), scope, node, end, record = 0, k, found = 0
    cdef int32_t tag = page.tag[records[0]], middle = records[2 * (count // 2)]
    cdef double letters = 0
    if style == 0 or count < FEWEST:
        return 0
    scope = common_ancestor(page, records, count)
    if scope < 0 or scope == page.parent[records[0]]:
        return 0        # one parent has all of them, and its children were looked at
    for k in range(count):
        letters += letters_of(search, records[2 * k]) / count
    node = scope + 1
    while node < subtree_end(page, scope):
        if record < count and node == records[2 * record]:
            node = records[2 * record + 1]
            record += 1
            continue
        end = subtree_end(page, node)
        if page.tag[node] == tag and page.style_symbol[node] == style and (
                record == count or end <= records[2 * record]) and of_a_size(letters_of(search, node), letters) and (
                memchr(taken + node, 1, end - node) == NULL) and likeness(
                search, node, end, middle, subtree_end(page, middle)) >= search.options.similarity:
            strays[found] = node
            found += 1
            node = end
        else:
            node += 1
    return found


cdef void gather_strays(RecordSearch *search, RecordSets *sets, RecordSet *chosen, const uint8_t *taken,
                        int32_t *strays) noexcept nogil:
    """Add to a chosen set of single nodes the records that stand elsewhere near it."""
    cdef const int32_t *records = sets.records + 2 * chosen.first
    cdef int32_t count
    if chosen.form != SINGLE or search.page.tag[records[0]] == TEXT:
        return
    count = find_strays(search, records, chosen.end - chosen.first, taken, strays)
    if count:
        add_siblings(search.page, sets, chosen, strays, count)


# Lists


cdef struct Summary:
    double letters          # of a record on average ...
    double items            # ... and its nodes with content
    uint64_t kind           # of the pages that most records link to, or 0
    int32_t linked          # records that have a link


cdef Summary summary_of(const RecordSearch *search, const RecordSets *sets, const RecordSet *chosen,
                        uint64_t *kinds) noexcept nogil:
    cdef int32_t k, count = chosen.end - chosen.first, equal, node
    cdef Summary summary
    summary.letters = summary.items = 0
    summary.linked = 0
    for k in range(count):
        node = sets.records[2 * (chosen.first + k)]
        kinds[k] = first_kind(&search.links, node, subtree_end(search.page, node))
        summary.letters += letters_of(search, node) / count
        summary.items += <double>items_of(search, node) / count
        summary.linked += kinds[k] != 0
    summary.kind = majority(kinds, count, &equal)
    if equal < KINDRED * count:
        summary.kind = 0
    return summary


cdef inline bint are_near(const PageArrays *page, int32_t one, int32_t other) noexcept nogil:
    """Whether two nodes have a parent or grandparent in common, or the parent of one is the other's grandparent."""
    cdef int32_t above = page.parent[one], other_above = page.parent[other]
    if above == other_above:
        return True
    return above > 0 and other_above > 0 and (
        page.parent[above] == page.parent[other_above] or page.parent[above] == other_above
        or page.parent[other_above] == above)


cdef inline bint of_a_size(double one, double other) noexcept nogil:
    return min(one, other) >= SMALLEST * max(one, other)


cdef bint belong_together(RecordSearch *search, const RecordSets *sets, const RecordSet *one, const RecordSet *other,
                          uint64_t *kinds) noexcept nogil:
    """Whether two chosen sets are one list: they stand side by side, link to one kind of page, or each record to a page
    of its own kind, and what is in their records is alike."""
    cdef const PageArrays *page = search.page
    cdef int32_t left = sets.records[2 * ((one.first + one.end) // 2)]
    cdef int32_t right = sets.records[2 * ((other.first + other.end) // 2)]
    cdef Summary summary, other_summary
    if one.form != SINGLE or other.form != SINGLE or page.tag[left] == TEXT or page.tag[right] == TEXT:
        return False
    if page.size[left] < 2 or page.size[right] < 2 or not are_near(page, left, right):
        return False
    summary = summary_of(search, sets, one, kinds)
    other_summary = summary_of(search, sets, other, kinds)
    if summary.kind != other_summary.kind or summary.linked == 0 or other_summary.linked == 0:
        return False
    if not of_a_size(summary.letters, other_summary.letters) or not of_a_size(summary.items, other_summary.items):
        return False
    return likeness(search, left + 1, subtree_end(page, left), right + 1, subtree_end(page, right)) >= ALIKE


cdef inline bint has_room(const RecordSets *sets, const RecordSet *one, const RecordSet *other) noexcept nogil:
    """Whether there is room for the records of both: it is not for lists in very many pieces."""
    cdef size_t records = one.end - one.first + other.end - other.first
    return sets.record_count + records <= sets.record_room


cdef void join_two(RecordSets *sets, RecordSet *one, const RecordSet *other) noexcept nogil:
    """Give a set the records of another one as well, in order."""
    cdef int32_t left = one.first, right = other.first, first = sets.record_count, taken
    while left < one.end or right < other.end:
        if right == other.end or (left < one.end and sets.records[2 * left] < sets.records[2 * right]):
            taken = left
            left += 1
        else:
            taken = right
            right += 1
        sets.records[2 * sets.record_count] = sets.records[2 * taken]
        sets.records[2 * sets.record_count + 1] = sets.records[2 * taken + 1]
        sets.record_count += 1
    one.first = first
    one.end = sets.record_count
    one.parts += other.parts
    one.coverage += other.coverage


cdef void join_chosen(RecordSearch *search, RecordSets *sets, uint64_t *kinds) noexcept nogil:
    """Join the chosen sets that are one list; `kinds` has room for one per record."""
    cdef int32_t one = 0, other, kept
    while one < min(sets.chosen_count, JOINED):
        kept = one + 1
        for other in range(one + 1, sets.chosen_count):
            if other < LOOKED_AT and has_room(sets, sets.chosen[one], sets.chosen[other]) and (
                    belong_together(search, sets, sets.chosen[one], sets.chosen[other], kinds)):
                join_two(sets, sets.chosen[one], sets.chosen[other])
            else:
                sets.chosen[kept] = sets.chosen[other]
                kept += 1
        sets.chosen_count = kept
        one += 1
