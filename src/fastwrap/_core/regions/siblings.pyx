"""Siblings that belong to a chosen set of records, though their trees differ: featured, indented and sponsored ones.
Nothing here is for Python."""

from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memchr, memset

from fastwrap._core.common.names cimport ATTRIBUTE_CLASS, TEXT
from fastwrap._core.common.page cimport (
    NO_ENTRY, PageArrays, Tokens, attribute_of, has_token, next_token, subtree_end, tokens_of, value_length,
)
from fastwrap._core.common.scratch cimport numbers
from fastwrap._core.regions.autorm cimport NONE, Content, RecordSearch, items_of, letters_of, likeness
from fastwrap._core.regions.segmentation cimport SINGLE
from fastwrap._core.regions.sets cimport RecordSet, RecordSets

cdef enum:
    LONGEST_CLASS = 500     # bytes: longer classes are not compared token by token
    BOXES = 4               # levels of boxes that are opened around a record

cdef double LEAST = 1 / 3.0         # of the content of a record on average: what a sibling has that belongs to the set
cdef double LEAST_STYLED = 0.2      # the same, if it has the style of the records
cdef double MOST_OF_BOX = 0.7       # of the content of a box: what a record in it has


cdef struct ChosenSet:
    # What siblings are compared with.
    const int32_t *records  # pairs of nodes ...
    int32_t count           # ... and how many there are
    int32_t number          # of the set, from 1
    int32_t tag             # of its records
    double letters          # of a record, on average ...
    double items            # ... and its nodes with content
    bint is_styled          # whether all records have a class or a style
    int32_t core            # tag paths at which at least half of the records have an item; NONE until they are counted
    int32_t first_class     # the attribute `class` of the first record, or NO_ENTRY, ...
    int32_t last_class      # ... and of the last one


cdef size_t size_of_gathering(size_t nodes) noexcept nogil:
    """The scratch memory that `open_gathering` takes."""
    return 4 * (nodes * sizeof(int32_t) + 16)


cdef void open_gathering(Gathering *gathering, const RecordSearch *search, char **memory) noexcept nogil:
    """Take the memory for the sets of a page, from `memory` on."""
    cdef size_t paths = search.content.tag_path_count
    gathering.siblings = numbers(memory, search.page.count)
    gathering.with_style = numbers(memory, search.page.path_count)
    gathering.holders = numbers(memory, paths)
    gathering.last_seen = numbers(memory, paths)
    memset(gathering.with_style, 0, <char *>(gathering.last_seen + paths) - <char *>gathering.with_style)


# Items

cdef void count_items(RecordSearch *search, Gathering *gathering, ChosenSet *chosen) noexcept nogil:
    """Count the records that have an item at a tag path."""
    cdef const Content *content = &search.content
    cdef int32_t record, node, path, held
    chosen.core = 0
    for record in range(chosen.count):
        search.turn += 1
        for node in range(chosen.records[2 * record], chosen.records[2 * record + 1]):
            path = content.tag_path[node]
            if content.shown_before[node + 1] > content.shown_before[node] and (
                    gathering.last_seen[path] != search.turn):
                gathering.last_seen[path] = search.turn
                gathering.holders[path] += 1
                held = gathering.holders[path]
                chosen.core += 2 * held >= chosen.count > 2 * (held - 1)


cdef void forget_items(const RecordSearch *search, Gathering *gathering, const ChosenSet *chosen) noexcept nogil:
    cdef int32_t record, node
    if chosen.core != NONE:
        for record in range(chosen.count):
            for node in range(chosen.records[2 * record], chosen.records[2 * record + 1]):
                gathering.holders[search.content.tag_path[node]] = 0


cdef bint has_items(RecordSearch *search, Gathering *gathering, ChosenSet *chosen, int32_t sibling) noexcept nogil:
    """Whether a sibling has most of the items that the records have in common, and few others."""
    cdef const Content *content = &search.content
    cdef int32_t node, path, distinct = 0, known = 0, common = 0
    if chosen.core == NONE:
        count_items(search, gathering, chosen)
    search.turn += 1
    for node in range(sibling, subtree_end(search.page, sibling)):
        path = content.tag_path[node]
        if content.shown_before[node + 1] > content.shown_before[node] and gathering.last_seen[path] != search.turn:
            gathering.last_seen[path] = search.turn
            distinct += 1
            known += gathering.holders[path] > 0
            common += 2 * gathering.holders[path] >= chosen.count
    return chosen.core > 0 and 4 * common >= 3 * chosen.core and 4 * known >= 3 * distinct


# Boxes and classes

cdef bint is_box(RecordSearch *search, const ChosenSet *chosen, int32_t sibling, int32_t record) noexcept nogil:
    """Whether a sibling is a box around a node that is like a record, and has little else in it."""
    cdef const PageArrays *page = search.page
    cdef double least = MOST_OF_BOX * letters_of(search, sibling)
    cdef int32_t inner = sibling, child, end
    for _level in range(BOXES):
        # The child that has most of the content.
        end = subtree_end(page, inner)
        child = inner + 1
        while child < end and letters_of(search, child) < least:
            child += page.size[child]
        if child >= end:
            return False
        inner = child
        if page.tag[inner] == chosen.tag and likeness(
                search, inner, subtree_end(page, inner), record, subtree_end(page, record)
        ) >= search.options.similarity:
            return True
    return False


cdef bint shares_class(const PageArrays *page, const ChosenSet *chosen, int32_t sibling) noexcept nogil:
    """Whether a sibling has all tokens that the first and the last record have in their class, if there are any."""
    cdef int32_t first = chosen.first_class, last = chosen.last_class, shared = 0
    cdef int32_t entry = attribute_of(page, sibling, ATTRIBUTE_CLASS)
    cdef Tokens tokens
    if first == NO_ENTRY or last == NO_ENTRY or entry == NO_ENTRY:
        return False
    if max(value_length(page, first), value_length(page, entry), value_length(page, last)) > LONGEST_CLASS:
        return False
    tokens = tokens_of(page, first)
    while next_token(&tokens):
        if has_token(tokens_of(page, last), tokens.token, tokens.length):
            shared += 1
            if not has_token(tokens_of(page, entry), tokens.token, tokens.length):
                return False
    return shared > 0


cdef bint belongs(RecordSearch *search, Gathering *gathering, ChosenSet *chosen, int32_t sibling,
                  int32_t record) noexcept nogil:
    """Whether a sibling is a record too; `record` is the last one before it, or NONE where it is not among them."""
    cdef const PageArrays *page = search.page
    cdef double letters = letters_of(search, sibling)
    cdef bint has_tag = page.tag[sibling] == chosen.tag
    if has_tag and chosen.is_styled and page.style_symbol[sibling] and (
            gathering.with_style[page.path_symbol[sibling]] == chosen.number) and (
            letters >= LEAST_STYLED * chosen.letters):
        return True
    if page.tag[sibling] == TEXT or letters < LEAST * chosen.letters:
        return False
    if has_tag and has_items(search, gathering, chosen, sibling):
        return True
    if record == NONE:
        return False
    if has_tag and 2 * items_of(search, sibling) >= chosen.items and 2 * letters >= chosen.letters and (
            shares_class(page, chosen, sibling)):
        return True
    return is_box(search, chosen, sibling, record)


# Gathering

cdef void describe(const RecordSearch *search, Gathering *gathering, ChosenSet *chosen) noexcept nogil:
    """Fill in what siblings are compared with, but for the items."""
    cdef const PageArrays *page = search.page
    cdef int32_t record, node
    cdef double letters = 0, items = 0
    chosen.core = NONE
    chosen.is_styled = True
    chosen.first_class = attribute_of(page, chosen.records[0], ATTRIBUTE_CLASS)
    chosen.last_class = attribute_of(page, chosen.records[2 * chosen.count - 2], ATTRIBUTE_CLASS)
    for record in range(chosen.count):
        node = chosen.records[2 * record]
        letters += letters_of(search, node)
        items += items_of(search, node)
        chosen.is_styled &= page.style_symbol[node] != 0
        gathering.with_style[page.path_symbol[node]] = chosen.number
    chosen.letters = letters / chosen.count
    chosen.items = items / chosen.count


cdef int32_t find_siblings(RecordSearch *search, Gathering *gathering, ChosenSet *chosen,
                           const uint8_t *taken) noexcept nogil:
    """List the siblings that belong to a set; returns how many there are."""
    cdef const PageArrays *page = search.page
    cdef int32_t first = 0, last, above, record, before, sibling, count = 0
    while first < chosen.count:
        # The records of one parent.
        above = page.parent[chosen.records[2 * first]]
        last = first
        while last + 1 < chosen.count and page.parent[chosen.records[2 * last + 2]] == above:
            last += 1
        record = first
        before = NONE
        sibling = above + 1
        while sibling < subtree_end(page, above):
            if record <= last and sibling == chosen.records[2 * record]:
                before = sibling
                record += 1
            elif letters_of(search, sibling) > 0 and memchr(taken + sibling, 1, page.size[sibling]) == NULL and (
                    belongs(search, gathering, chosen, sibling, before if record <= last else NONE)):
                gathering.siblings[count] = sibling
                count += 1
            sibling += page.size[sibling]
        first = last + 1
    return count


cdef void add_siblings(const PageArrays *page, RecordSets *sets, RecordSet *chosen, const int32_t *siblings,
                       int32_t count) noexcept nogil:
    """Give a set its records anew, with the siblings among them.

    Both are in order: parents within others would change that, but those of one tag path are not.
    """
    cdef int32_t record = chosen.first, k = 0, node, first = sets.record_count
    while record < chosen.end or k < count:
        if k == count or (record < chosen.end and sets.records[2 * record] < siblings[k]):
            node = sets.records[2 * record]
            record += 1
        else:
            node = siblings[k]
            k += 1
        sets.records[2 * sets.record_count] = node
        sets.records[2 * sets.record_count + 1] = subtree_end(page, node)
        sets.record_count += 1
    chosen.first = first
    chosen.end = sets.record_count
    chosen.added = count


cdef void gather(RecordSearch *search, Gathering *gathering, RecordSets *sets, RecordSet *chosen, int32_t number,
                 const uint8_t *taken) noexcept nogil:
    """Add to a chosen set of single nodes, the `number`th, the siblings that belong to it, though their trees differ.

    These have the tag and the style of the records, or most of their items; or, among the records, are a box around a
    node that is like one (an indented result, a sponsored one).
    """
    cdef ChosenSet compared
    cdef int32_t count
    compared.records = sets.records + 2 * chosen.first
    compared.tag = search.page.tag[compared.records[0]]
    if chosen.form != SINGLE or compared.tag == TEXT:
        return
    compared.count = chosen.end - chosen.first
    compared.number = number
    describe(search, gathering, &compared)
    count = find_siblings(search, gathering, &compared, taken)
    forget_items(search, gathering, &compared)
    if count:
        add_siblings(search.page, sets, chosen, gathering.siblings, count)
