"""Sets on the wrong level: records that are groups of records (rows of a grid, lists under headings), and parts of
records (the comments on posts). Every record links to a page of its own; a group to several. Nothing is for Python."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memchr

from fastwrap._core.common.hashing cimport same_bytes
from fastwrap._core.common.names cimport ATTRIBUTE_HREF, TAG_A, TAG_TD, TAG_TH
from fastwrap._core.common.page cimport PageArrays, attribute_of, subtree_end, value_length
from fastwrap._core.common.scratch cimport numbers, piece
from fastwrap._core.regions.autorm cimport NONE, RecordSearch, common_ancestor, letters_of, likeness
from fastwrap._core.regions.links cimport Links, first_kind, has_kind, kind_of_link, majority, number_of_link
from fastwrap._core.regions.segmentation cimport SINGLE
from fastwrap._core.regions.sets cimport RecordSet, RecordSets, measure
from fastwrap._core.structured.listed cimport address_hash

cdef enum:
    COMPARED = 32       # pairs of neighbours
    FEWEST_ITEMS = 2    # that a record has besides its parts
    FEWEST_WHOLE = 3    # records that have parts

cdef double LEAST_KINDRED = 0.6     # of the records: those that link to one kind of page, for it to be theirs
cdef double MORE_LINKS = 1.4        # links to different pages for each record, from which on records are groups
cdef double LEAST_HELD = 0.7        # of the content of groups: what the records in them have
cdef double LEAST_ALIKE = 0.8       # of the records of groups: those that stand at one tag path, and that have ...
cdef double LEAST_CONTENT = 0.25    # ... so much of the content of one on average
cdef double LEAST_OUTSIDE = 0.04    # of the content of a record: what it has besides its parts
cdef double MOST_SINGLE = 0.9       # of the records of groups: those that link to one page of the kind


cdef size_t size_of_grouping(size_t nodes) noexcept nogil:
    """The scratch memory that `open_grouping` takes."""
    return nodes * (sizeof(RecordLink) + sizeof(uint64_t) + sizeof(int32_t)) + 3 * 16


cdef void open_grouping(Grouping *grouping, const RecordSearch *search, char **memory) noexcept nogil:
    """Take the memory for the sets of a page, from `memory` on."""
    grouping.links = <RecordLink *>piece(memory, search.page.count * sizeof(RecordLink))
    grouping.kinds = <uint64_t *>piece(memory, search.page.count * sizeof(uint64_t))
    grouping.nodes = numbers(memory, search.page.count)


cdef uint64_t kind_of_set(const RecordSearch *search, Grouping *grouping, const int32_t *records,
                          int32_t count) noexcept nogil:
    """The kind of page that most links lead to, if most records have one to it; else 0."""
    cdef const Links *all_links = &search.links
    cdef int32_t record, number, links = 0, equal, have = 0
    cdef uint64_t kind
    for record in range(count):
        for number in range(all_links.before[records[2 * record]], all_links.before[records[2 * record + 1]]):
            grouping.kinds[links] = kind_of_link(all_links, number)
            links += grouping.kinds[links] != 0
    kind = majority(grouping.kinds, links, &equal)
    if kind == 0 or 2 * equal < links:
        return 0
    for record in range(count):
        have += has_kind(&search.links, records[2 * record], records[2 * record + 1], kind)
    return kind if have >= LEAST_KINDRED * count else 0


cdef int32_t list_links(const RecordSearch *search, Grouping *grouping, int32_t first, int32_t start, int32_t end,
                        uint64_t kind) noexcept nogil:
    """List the links of a record to pages of a kind, from the place `first` on; returns the place after them."""
    cdef const Links *links = &search.links
    cdef int32_t number
    for number in range(links.before[start], links.before[end]):
        if kind_of_link(links, number) == kind:
            grouping.links[first].node = links.nodes[number]
            first += 1
    return first


cdef void read_addresses(const PageArrays *page, RecordLink *links, int32_t count) noexcept nogil:
    """Fill in the addresses of links: a picture and a title often have one."""
    cdef int32_t k, entry, length, length_before = -1
    cdef const unsigned char *address
    cdef const unsigned char *before = NULL
    for k in range(count):
        entry = attribute_of(page, links[k].node, ATTRIBUTE_HREF)
        address = page.values + page.value_start[entry]
        length = value_length(page, entry)
        if length == length_before and same_bytes(address, before, length):
            links[k].address = links[k - 1].address
        else:
            links[k].address = address_hash(address, length)
        before = address
        length_before = length


cdef int32_t find_holders(const PageArrays *page, RecordLink *links, int32_t count, int32_t start,
                          int32_t end) noexcept nogil:
    """Fill in the holders of the links of one record, NONE if all lead to one page; returns how many runs of one
    address there are."""
    cdef int32_t k, run = 0, runs = 0, before = start - 1, after, holder
    while run < count:
        k = run
        while k < count and links[k].address == links[run].address:
            k += 1
        after = links[k].node if k < count else end
        runs += 1
        while run < k:
            holder = links[run].node
            while page.parent[holder] > before and page.parent[holder] >= start and (
                    subtree_end(page, page.parent[holder]) <= after):
                holder = page.parent[holder]
            links[run].holder = holder
            run += 1
        before = links[k - 1].node
    if runs == 1:
        for k in range(count):
            links[k].holder = NONE
    return runs


cdef int32_t path_of_holders(const RecordSearch *search, const Grouping *grouping, int32_t count) noexcept nogil:
    """The tag path at which most holders stand, or NONE (majority vote, Boyer & Moore 1981)."""
    cdef const int32_t *tag_path = search.content.tag_path
    cdef int32_t k, lead = 0, equal = 0, held = 0, holder, path = NONE
    for k in range(count):
        holder = grouping.links[k].holder
        if holder != NONE:
            if lead == 0:
                path = tag_path[holder]
            lead += 1 if tag_path[holder] == path else -1
    for k in range(count):
        holder = grouping.links[k].holder
        held += holder != NONE
        equal += holder != NONE and tag_path[holder] == path
    return path if equal >= LEAST_ALIKE * held else NONE


cdef bint are_records(RecordSearch *search, const Grouping *grouping, int32_t count, double letters,
                      int32_t single) noexcept nogil:
    """Whether the nodes found in groups are records: they have most of the content of the groups, about the same each,
    link to one page each, and what is in one of them is like what is in the next. Parts of one record differ."""
    cdef const PageArrays *page = search.page
    cdef int32_t k, one, other, enough = 0, compared = 0
    cdef double held = 0, alike = 0
    for k in range(count):
        held += letters_of(search, grouping.nodes[k])
    for k in range(count):
        enough += letters_of(search, grouping.nodes[k]) * count >= LEAST_CONTENT * held
    if held < LEAST_HELD * letters or enough < LEAST_ALIKE * count or single < MOST_SINGLE * count:
        return False
    for k in range(min(count - 1, COMPARED)):
        one = grouping.nodes[k]
        other = grouping.nodes[k + 1]
        if page.size[one] > 1 and page.size[other] > 1:
            alike += likeness(search, one + 1, subtree_end(page, one), other + 1, subtree_end(page, other))
        compared += 1
    return alike >= search.options.similarity * compared


cdef int32_t runs_within(const Grouping *grouping, int32_t *k, int32_t count, int32_t end) noexcept nogil:
    """How many runs of one address there are before the node `end`, from the link `k` on, which moves on."""
    cdef int32_t runs = 0
    cdef uint64_t address = 0
    while k[0] < count and grouping.links[k[0]].node < end:
        if runs == 0 or grouping.links[k[0]].address != address:
            runs += 1
            address = grouping.links[k[0]].address
        k[0] += 1
    return runs


cdef int32_t find_nodes(const RecordSearch *search, Grouping *grouping, const int32_t *records, int32_t groups,
                        int32_t count, int32_t path, int32_t *single) noexcept nogil:
    """List the nodes of the groups that link to pages of the kind: those at a tag path, or the siblings that a group is
    made of if `path` is NONE. Returns how many there are; `single` receives how many link to one page."""
    cdef const PageArrays *page = search.page
    cdef int32_t group, node, k = 0, found = 0, runs
    single[0] = 0
    for group in range(groups):
        node = records[2 * group]
        while node < records[2 * group + 1]:
            if path != NONE and search.content.tag_path[node] != path:
                # Links before the nodes at the path are in none of them.
                while k < count and grouping.links[k].node <= node:
                    k += 1
                node += 1
                continue
            runs = runs_within(grouping, &k, count, subtree_end(page, node))
            if runs:
                grouping.nodes[found] = node
                found += 1
                single[0] += runs == 1
            node = subtree_end(page, node)
    return found


cdef void replace_records(const RecordSearch *search, const Grouping *grouping, RecordSets *sets, RecordSet *chosen,
                          int32_t count) noexcept nogil:
    """Give a set the first `count` nodes found as its records."""
    cdef int32_t k
    chosen.first = sets.record_count
    for k in range(count):
        sets.records[2 * sets.record_count] = grouping.nodes[k]
        sets.records[2 * sets.record_count + 1] = subtree_end(search.page, grouping.nodes[k])
        sets.to_next[sets.record_count] = sets.different[sets.record_count] = NONE
        sets.record_count += 1
    chosen.end = sets.record_count
    chosen.model = NONE
    chosen.form = SINGLE


cdef void split_groups(RecordSearch *search, Grouping *grouping, RecordSets *sets, RecordSet *chosen) noexcept nogil:
    """Give a set the records of its groups, if its records are groups."""
    cdef const PageArrays *page = search.page
    cdef const int32_t *records = sets.records + 2 * chosen.first
    cdef int32_t groups = chosen.end - chosen.first, group, start, end, count = 0, runs = 0, path, found, single, k
    cdef int32_t first              # link of a group
    cdef int32_t several = 0        # groups of several siblings
    cdef double letters = 0
    cdef uint64_t kind = kind_of_set(search, grouping, records, groups)
    if kind == 0:
        return
    for group in range(groups):
        count = list_links(search, grouping, count, records[2 * group], records[2 * group + 1], kind)
    if count < MORE_LINKS * groups:
        return      # most sets: runs of one address are no more than links
    read_addresses(page, grouping.links, count)
    k = 0
    for group in range(groups):
        start = records[2 * group]
        end = records[2 * group + 1]
        first = k
        while k < count and grouping.links[k].node < end:
            k += 1
        runs += find_holders(page, grouping.links + first, k - first, start, end)
        letters += search.content.letters_before[end] - search.content.letters_before[start]
        several += subtree_end(page, start) < end
    if runs < MORE_LINKS * groups:
        return
    path = path_of_holders(search, grouping, count)
    if path == NONE and 2 * several < groups:
        return
    found = find_nodes(search, grouping, records, groups, count, path, &single)
    if found < MORE_LINKS * groups or not are_records(search, grouping, found, letters, single):
        return
    if path != NONE and (page.tag[grouping.nodes[0]] == TAG_TD or page.tag[grouping.nodes[0]] == TAG_TH):
        return      # cells of a row are its columns
    replace_records(search, grouping, sets, chosen, found)
    if path != NONE:
        measure(search, sets, chosen)       # siblings of different tags are not alike, but their groups are


# Parts of records


cdef bint is_whole(const RecordSearch *search, int32_t node, const int32_t *parts, int32_t count,
                   int32_t *part) noexcept nogil:
    """Whether a node has parts in it and, besides them, a link, several items and enough content. `part` is the first
    part that is not before the node, and moves on."""
    cdef const PageArrays *page = search.page
    cdef int32_t end = subtree_end(page, node), at = node, items = 0
    cdef double letters = 0
    cdef bint is_linked = False
    if part[0] == count or parts[2 * part[0]] >= end:
        return False
    while at < end:
        if part[0] < count and at == parts[2 * part[0]]:
            at = parts[2 * part[0] + 1]
            part[0] += 1
            continue
        is_linked |= page.tag[at] == TAG_A and kind_of_link(
            &search.links, number_of_link(&search.links, at)) != 0
        items += search.content.shown_before[at + 1] - search.content.shown_before[at]
        letters += search.content.letters_before[at + 1] - search.content.letters_before[at]
        at += 1
    return is_linked and items >= FEWEST_ITEMS and letters >= LEAST_OUTSIDE * letters_of(search, node)


cdef void lift_parts(RecordSearch *search, Grouping *grouping, RecordSets *sets, RecordSet *chosen,
                     const uint8_t *taken) noexcept nogil:
    """Give a set that was joined the siblings around its records, if these are parts of them: they lead nowhere, and
    the siblings do, and have more to say."""
    cdef const PageArrays *page = search.page
    cdef const int32_t *parts = sets.records + 2 * chosen.first
    cdef int32_t count = chosen.end - chosen.first, record, linked = 0, above, node, part = 0, found = 0, others = 0
    if chosen.parts < 2:
        return
    for record in range(count):
        linked += first_kind(&search.links, parts[2 * record], parts[2 * record + 1]) != 0
    above = common_ancestor(page, parts, count)
    if 2 * linked >= count or above < 0:
        return
    node = above + 1
    while node < subtree_end(page, above):
        if is_whole(search, node, parts, count, &part):
            if found and page.tag[node] != page.tag[grouping.nodes[0]]:
                return
            grouping.nodes[found] = node
            found += 1
        elif part < count and parts[2 * part] < subtree_end(page, node):
            return
        elif part and parts[2 * part - 1] > node:
            others += 1     # parts that are in no whole
        node = subtree_end(page, node)
    if found < FEWEST_WHOLE or others or part < count or 2 * found > count:
        return
    for record in range(found):
        if memchr(taken + grouping.nodes[record], 1, page.size[grouping.nodes[record]]) != NULL:
            return
    replace_records(search, grouping, sets, chosen, found)
    measure(search, sets, chosen)
