"""Siblings that belong to a chosen set of records, though their trees differ: featured, indented and sponsored ones.
Nothing here is for Python."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memchr, memset

from fastwrap._core.common.names cimport ATTRIBUTE_CLASS, TAG_TD, TAG_TH, TAG_TR, TEXT
from fastwrap._core.common.page cimport (
    NO_ENTRY, PageArrays, Tokens, attribute_of, has_token, next_token, subtree_end, tokens_of, value_length,
)
from fastwrap._core.common.scratch cimport numbers, piece
from fastwrap._core.regions.autorm cimport (
    NONE, Content, RecordSearch, has_digit, items_of, letters_of, likeness,
)
from fastwrap._core.regions.links cimport first_host, first_kind, has_kind, majority, read_first_link
from fastwrap._core.regions.segmentation cimport SINGLE
from fastwrap._core.regions.sets cimport RecordSet, RecordSets

cdef enum:
    LONGEST_CLASS = 500     # bytes: longer classes are not compared token by token
    BOXES = 4               # levels of boxes that are opened around a record
    FEWEST_COMMON = 2       # items that the records have in common, for others to be foreign

cdef double LEAST = 1 / 3.0         # of the content of a record on average: what a sibling has that belongs to the set
cdef double LEAST_STYLED = 0.2      # the same, if it has the style of the records
cdef double LEAST_KINDRED = 0.6     # of the records: those that link to one kind of page, for it to be theirs
cdef double ONE_HOST = 0.95         # of the records: those that link to one host, for others that do to be records too
cdef double MOST_FOREIGN = 0.4      # of the records of a set: those that are left out because they are foreign
cdef double MOST_SHARE = 0.6        # of the records: those that have a token, for it to be that of most
cdef double MOST_BESIDE = 3.0       # of the content of a record: what one before the first or after the last has
cdef double MOST_OF_BOX = 0.7       # of the content of a box: what a record in it has


cdef struct ChosenSet:
    # What siblings are compared with.
    const int32_t *records  # pairs of nodes ...
    int32_t count           # ... and how many there are
    int32_t number          # of the set, from 1
    int32_t refused         # a sibling that is known to be no record, or 0
    int32_t tag             # of its records
    double letters          # of a record, on average ...
    double items            # ... and its nodes with content
    bint is_styled          # whether all records have a class or a style
    int32_t core            # tag paths at which at least half of the records have an item; NONE until they are counted
    int32_t cells           # of a row of a table, if the records are rows and have as many; else 0
    bint has_digits         # whether all records have a digit
    uint64_t host           # that nearly all records link to, or 0
    uint64_t kind           # of the pages that most records link to, or 0
    int32_t model_class     # the attribute `class` of the record in the middle, or NO_ENTRY, ...
    uint32_t shared         # ... and which of its tokens most records have: bits


cdef struct Items:
    # What a node has, by tag path.
    int32_t distinct        # different items ...
    int32_t known           # ... that a record has too ...
    int32_t common          # ... that at least half of the records have


cdef size_t size_of_gathering(size_t nodes) noexcept nogil:
    """The scratch memory that `open_gathering` takes."""
    return 4 * (nodes * sizeof(int32_t) + 16) + 2 * (nodes * sizeof(uint64_t) + 16)


cdef void open_gathering(Gathering *gathering, const RecordSearch *search, char **memory) noexcept nogil:
    """Take the memory for the sets of a page, from `memory` on."""
    cdef size_t paths = search.content.tag_path_count
    gathering.siblings = numbers(memory, search.page.count)
    gathering.kinds = <uint64_t *>piece(memory, search.page.count * sizeof(uint64_t))
    gathering.hosts = <uint64_t *>piece(memory, search.page.count * sizeof(uint64_t))
    gathering.with_style = numbers(memory, search.page.path_count)
    gathering.holders = numbers(memory, paths)
    gathering.last_seen = numbers(memory, paths)
    memset(gathering.with_style, 0, <char *>(gathering.last_seen + paths) - <char *>gathering.with_style)


# Items

cdef void count_items(RecordSearch *search, Gathering *gathering, ChosenSet *chosen) noexcept nogil:
    """Count the records that have an item at a tag path."""
    cdef const Content *content = &search.content
    cdef const int32_t *shown_before = content.shown_before
    cdef int32_t record, k, path, held
    chosen.core = 0
    for record in range(chosen.count):
        search.turn += 1
        for k in range(shown_before[chosen.records[2 * record]], shown_before[chosen.records[2 * record + 1]]):
            path = content.tag_path[content.shown[k]]
            if gathering.last_seen[path] != search.turn:
                gathering.last_seen[path] = search.turn
                gathering.holders[path] += 1
                held = gathering.holders[path]
                chosen.core += 2 * held >= chosen.count > 2 * (held - 1)


cdef void forget_items(const RecordSearch *search, Gathering *gathering, const ChosenSet *chosen) noexcept nogil:
    cdef const Content *content = &search.content
    cdef const int32_t *shown_before = content.shown_before
    cdef int32_t record, k
    if chosen.core != NONE:
        for record in range(chosen.count):
            for k in range(shown_before[chosen.records[2 * record]], shown_before[chosen.records[2 * record + 1]]):
                gathering.holders[content.tag_path[content.shown[k]]] = 0


cdef Items items_in(RecordSearch *search, Gathering *gathering, ChosenSet *chosen, int32_t sibling) noexcept nogil:
    """The items of a node, counted by what the records have."""
    cdef const Content *content = &search.content
    cdef int32_t k, path
    cdef Items items
    if chosen.core == NONE:
        count_items(search, gathering, chosen)
    items.distinct = items.known = items.common = 0
    search.turn += 1
    for k in range(content.shown_before[sibling], content.shown_before[subtree_end(search.page, sibling)]):
        path = content.tag_path[content.shown[k]]
        if gathering.last_seen[path] != search.turn:
            gathering.last_seen[path] = search.turn
            items.distinct += 1
            items.known += gathering.holders[path] > 0
            items.common += 2 * gathering.holders[path] >= chosen.count
    return items


cdef bint has_items(RecordSearch *search, Gathering *gathering, ChosenSet *chosen, int32_t sibling) noexcept nogil:
    """Whether a sibling has most of the items that the records have in common, and few others."""
    cdef Items items = items_in(search, gathering, chosen, sibling)
    return chosen.core > 0 and 4 * items.common >= 3 * chosen.core and 4 * items.known >= 3 * items.distinct


cdef bint is_foreign(RecordSearch *search, Gathering *gathering, ChosenSet *chosen, int32_t node) noexcept nogil:
    """Whether a node has next to nothing of what the records have in common, links elsewhere, and has another class or
    less content: a banner, a heading, a box of another kind."""
    cdef Items items = items_in(search, gathering, chosen, node)
    cdef int32_t count = items_of(search, node)
    # Boxes of further lists have items that repeat, but records that do are no better.
    cdef bint repeats = 2 * items.distinct <= count and count > FEWEST_COMMON and 2 * chosen.core > chosen.items
    cdef bint is_poor = 2 * count <= chosen.items and 2 * letters_of(search, node) <= chosen.letters
    cdef uint64_t own
    # Where the records link to one kind of page, what does not may have a little more in common with them.
    if chosen.core < FEWEST_COMMON or (
            2 if repeats or (is_poor and chosen.kind) else 4) * items.common >= chosen.core:
        return False
    if chosen.cells > 1 and cells_of(search.page, node) == chosen.cells:
        return False
    if chosen.kind and has_kind(&search.links, node, subtree_end(search.page, node), chosen.kind):
        return False
    if repeats or (chosen.shared and not shares_class(search.page, chosen, node)):
        return True
    own = first_kind(&search.links, node, subtree_end(search.page, node))
    return is_poor or (chosen.kind and own and own != chosen.kind and 2 * count <= chosen.items)


cdef void leave_out_foreign(RecordSearch *search, Gathering *gathering, RecordSets *sets, RecordSet *chosen,
                            ChosenSet *compared) noexcept nogil:
    """Leave out the records that are foreign, unless these are many: then the set is of mixed kinds."""
    cdef int32_t record, foreign = 0, kept, first = sets.record_count
    for record in range(compared.count):
        gathering.siblings[record] = is_foreign(search, gathering, compared, compared.records[2 * record])
        foreign += gathering.siblings[record]
    kept = compared.count - foreign
    if foreign == 0 or kept < 2 or foreign > MOST_FOREIGN * compared.count:
        return
    for record in range(compared.count):
        if not gathering.siblings[record]:
            sets.records[2 * sets.record_count] = compared.records[2 * record]
            sets.records[2 * sets.record_count + 1] = compared.records[2 * record + 1]
            sets.record_count += 1
    forget_items(search, gathering, compared)
    chosen.first = first
    chosen.end = sets.record_count
    chosen.left_out += foreign


# Rows, boxes and classes

cdef int32_t cells_of(const PageArrays *page, int32_t row) noexcept nogil:
    """How many cells a row has; 0 if it is none or has headings."""
    cdef int32_t cell = row + 1, count = 0
    if page.tag[row] != TAG_TR:
        return 0
    while cell < subtree_end(page, row):
        if page.tag[cell] == TAG_TH:
            return 0
        count += page.tag[cell] == TAG_TD
        cell += page.size[cell]
    return count


cdef bint is_row(RecordSearch *search, const ChosenSet *chosen, int32_t sibling, bint is_among) noexcept nogil:
    """Whether a sibling is a row like those of the set: it has as many cells, and, before or after them, no less to
    say."""
    cdef const PageArrays *page = search.page
    if chosen.cells < 2 or cells_of(page, sibling) != chosen.cells:
        return False
    return is_among or (chosen.has_digits and 2 * letters_of(search, sibling) >= chosen.letters and has_digit(
        page.text, page.text_start[sibling], page.text_start[subtree_end(page, sibling)]))


cdef bint is_box(RecordSearch *search, const ChosenSet *chosen, int32_t sibling, int32_t record,
                 bint has_style) noexcept nogil:
    """Whether a sibling is a box around a node that is like a record, and has little else in it; and, if this is asked
    for, its class and style."""
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
        if page.tag[inner] == chosen.tag and (
                not has_style or page.style_symbol[inner] == page.style_symbol[record] != 0) and likeness(
                search, inner, subtree_end(page, inner), record, subtree_end(page, record)
        ) >= search.options.similarity:
            return True
    return False


cdef void read_class(const PageArrays *page, ChosenSet *chosen) noexcept nogil:
    """Fill in which tokens of the class of the record in the middle most records have."""
    cdef int32_t record, entry, have, bit = 0
    cdef Tokens tokens
    chosen.model_class = attribute_of(page, chosen.records[2 * (chosen.count // 2)], ATTRIBUTE_CLASS)
    chosen.shared = 0
    if chosen.model_class == NO_ENTRY or value_length(page, chosen.model_class) > LONGEST_CLASS:
        return
    tokens = tokens_of(page, chosen.model_class)
    while bit < 32 and next_token(&tokens):
        have = 0
        for record in range(chosen.count):
            entry = attribute_of(page, chosen.records[2 * record], ATTRIBUTE_CLASS)
            have += entry == chosen.model_class or (
                entry != NO_ENTRY and value_length(page, entry) <= LONGEST_CLASS
                and has_token(tokens_of(page, entry), tokens.token, tokens.length))
        if have >= MOST_SHARE * chosen.count:
            chosen.shared |= <uint32_t>1 << bit
        bit += 1


cdef bint shares_class(const PageArrays *page, const ChosenSet *chosen, int32_t sibling) noexcept nogil:
    """Whether a sibling has all tokens that most records have in their class, if there are any."""
    cdef int32_t entry = attribute_of(page, sibling, ATTRIBUTE_CLASS), bit = 0
    cdef Tokens tokens
    if chosen.shared == 0 or entry == NO_ENTRY or value_length(page, entry) > LONGEST_CLASS:
        return False
    tokens = tokens_of(page, chosen.model_class)
    while bit < 32 and next_token(&tokens):
        if chosen.shared >> bit & 1 and not has_token(tokens_of(page, entry), tokens.token, tokens.length):
            return False
        bit += 1
    return True


cdef bint is_kin(const RecordSearch *search, const ChosenSet *chosen, int32_t sibling) noexcept nogil:
    """Whether a sibling links to the host that nearly all records link to, if not to one kind of page, and has about as
    much content."""
    cdef double letters = letters_of(search, sibling), items = items_of(search, sibling)
    return chosen.kind == 0 and chosen.host != 0 and chosen.letters <= 2 * letters <= 4 * chosen.letters and (
        chosen.items <= 2 * items <= 4 * chosen.items) and (
        first_host(&search.links, sibling, subtree_end(search.page, sibling)) == chosen.host)


cdef bint belongs(RecordSearch *search, Gathering *gathering, ChosenSet *chosen, int32_t sibling,
                  int32_t record) noexcept nogil:
    """Whether a sibling is a record too; `record` is the last one before it, or NONE where it is not among them."""
    cdef const PageArrays *page = search.page
    cdef double letters = letters_of(search, sibling)
    cdef bint has_tag = page.tag[sibling] == chosen.tag
    if has_tag and chosen.is_styled and page.style_symbol[sibling] and (
            gathering.with_style[page.path_symbol[sibling]] == chosen.number) and (
            letters >= LEAST_STYLED * chosen.letters) and not is_foreign(search, gathering, chosen, sibling):
        return True
    if is_row(search, chosen, sibling, record != NONE):
        return True
    if page.tag[sibling] == TEXT or letters < LEAST * chosen.letters:
        return False
    if has_tag and has_items(search, gathering, chosen, sibling):
        return True
    if has_tag and is_kin(search, chosen, sibling):
        return not is_foreign(search, gathering, chosen, sibling)
    if has_tag and 2 * items_of(search, sibling) >= chosen.items and 2 * letters >= chosen.letters and (
            shares_class(page, chosen, sibling)) and (record != NONE or letters <= MOST_BESIDE * chosen.letters):
        return not is_foreign(search, gathering, chosen, sibling)
    if record != NONE:
        return is_box(search, chosen, sibling, record, False)
    # Before or after the records, it has to link where they do, or to look as they do.
    return is_box(search, chosen, sibling, chosen.records[2 * chosen.count - 2], not (
        chosen.kind and has_kind(&search.links, sibling, subtree_end(page, sibling), chosen.kind)))


# Gathering

cdef void describe(const RecordSearch *search, Gathering *gathering, ChosenSet *chosen) noexcept nogil:
    """Fill in what siblings are compared with, but for the items."""
    cdef const PageArrays *page = search.page
    cdef int32_t record, node, equal, rows = 0
    cdef double letters = 0, items = 0
    chosen.core = NONE
    chosen.is_styled = True
    chosen.has_digits = True
    chosen.cells = cells_of(page, chosen.records[2 * (chosen.count // 2)])
    read_class(page, chosen)
    for record in range(chosen.count):
        node = chosen.records[2 * record]
        letters += letters_of(search, node)
        items += items_of(search, node)
        chosen.is_styled &= page.style_symbol[node] != 0
        gathering.with_style[page.path_symbol[node]] = chosen.number
        read_first_link(
            &search.links, node, subtree_end(page, node), &gathering.kinds[record], &gathering.hosts[record])
        chosen.has_digits &= has_digit(page.text, page.text_start[node], page.text_start[subtree_end(page, node)])
        rows += cells_of(page, node) == chosen.cells
    chosen.letters = letters / chosen.count
    chosen.items = items / chosen.count
    chosen.kind = majority(gathering.kinds, chosen.count, &equal)
    if equal < LEAST_KINDRED * chosen.count:
        chosen.kind = 0
    chosen.host = majority(gathering.hosts, chosen.count, &equal)
    if equal < ONE_HOST * chosen.count:
        chosen.host = 0
    if rows < MOST_SHARE * chosen.count:
        chosen.cells = 0


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
            elif letters_of(search, sibling) > 0 and sibling != chosen.refused and (
                    memchr(taken + sibling, 1, page.size[sibling]) == NULL) and (
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
    chosen.added += count


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
    compared.refused = chosen.refused
    describe(search, gathering, &compared)
    leave_out_foreign(search, gathering, sets, chosen, &compared)
    compared.records = sets.records + 2 * chosen.first
    if compared.count != chosen.end - chosen.first:
        compared.count = chosen.end - chosen.first
        describe(search, gathering, &compared)
    count = find_siblings(search, gathering, &compared, taken)
    forget_items(search, gathering, &compared)
    if count:
        add_siblings(search.page, sets, chosen, gathering.siblings, count)
