"""Sets of records (AutoRM, Shi et al. 2015) in one native pass: content, siblings, clusters, cuts, quality, joins.
Told in `fastwrap.regions.autorm`; linear but for sorts, and for matching and measuring, which have budgets."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort
from libc.string cimport memchr, memcmp, memcpy, memset

from fastwrap._core.matching cimport Matcher, score_runs, start, stop
from fastwrap._core.quality cimport leave_out_odd_ends, similarity_of, variety_of
from fastwrap._core.segmentation cimport (
    KINDS,
    NONE,
    SINGLE,
    Found,
    Region,
    Siblings,
    average_linkage,
    close_candidates,
    cut_sequence,
    open_candidates,
    open_siblings,
    pairs_of,
    read_sequence,
)

import numpy as np

cdef enum:
    READS = 10_000_000      # items that are read to measure sets: so many, ...
    READS_A_NODE = 50       # ... and so many for each node
    GATHERED = 100          # sets, the best ones, whose siblings are looked at
    LONGEST_CLASS = 500     # bytes: longer classes are not compared word by word
    BOXES = 4           # levels of boxes that are opened around a record
    JOINED = 4          # joined sets of a kind: around the best set, around the best one that is left, ...
    WORDS = 1           # what a node is to a reader, as `fastwrap.regions.autorm` numbers it
    PICTURE = 2
    CONTROL = 3
    TEXT = 0            # the tag of a text

cdef double LEAST = 1 / 3.0         # of the content of a record on average: what a sibling has that belongs to the set
cdef double LEAST_STYLED = 0.2      # the same, if it has the style of the records
cdef double MOST_OF_BOX = 0.7       # of the content of a box: what a record in it has

MOST_JOINED = JOINED


cdef struct Nodes:
    const int32_t *tag
    const int32_t *parent
    const int32_t *size
    const int32_t *class_id
    const int32_t *path         # tag path with styles
    const int32_t *style        # class and style of the node itself; 0 for neither
    const int32_t *text_start
    const unsigned char *text
    const int32_t *attribute_start
    const int32_t *attribute_name
    const int32_t *value_start
    const unsigned char *values
    const uint8_t *hidden
    int32_t n
    int32_t body
    int32_t end                 # the node after the body


cdef struct Rules:
    # What the caller knows of names, and the constants of the method.
    const uint8_t *seen_as      # tag -> NOTHING, WORDS, PICTURE or CONTROL; the last entry is for all other tags
    int32_t known
    int32_t cell                # the tags td and th
    int32_t heading
    int32_t link                # the tag a
    int32_t class_name          # the attributes
    int32_t width
    int32_t height
    double letter
    double image
    double largest
    double spacer
    double oddness
    double full
    double similarity
    double coverage
    int64_t budget
    int64_t pairs


cdef struct Work:
    double *before              # [n + 1] the content of all nodes before each one
    double *letters             # [n] the content of a node; later, of the nodes of a tag path
    int32_t *item               # [n] which item a node is, or NONE
    int32_t *items              # the items of all nodes with content, one after the other
    int32_t *tag_path           # [n] a number for the tag path without styles
    int32_t *seen_before        # [n + 1] how many nodes before each one have content
    int32_t *stamp              # [2 n] by item: the last record it was seen in
    double total
    int64_t reads               # items that may still be read to measure sets
    int32_t turn                # a record or a sibling whose items are read, numbered from 1
    # Places: the children of many nodes, one sequence after the other.
    int32_t *first              # [s + 1] the first place of each sequence
    int32_t sequences
    int32_t places
    int32_t *child              # [places] the node
    int32_t *label              # [places] its tag path
    int32_t *class_id           # [places] its structural class
    uint8_t *separator          # [places] whether it has no content
    int32_t *by_tag             # [places] the first place of its cluster, by tag ...
    int32_t *by_tree            # [places] ... and by tree


cdef struct Set:
    # A set of records, or a single node that may join one.
    int64_t kind                # sets are joined with sets of the same kind only, ...
    int64_t sequence            # ... one of a sequence, ...
    double quality              # ... the best one
    int32_t lo                  # its records
    int32_t hi
    int32_t number              # in order of making, which decides between equals
    double coverage
    double similarity
    double variety
    int32_t form                # how it was cut, one of the forms of a candidate
    int32_t parts               # how many sets were joined
    int32_t left_out            # odd records at its ends
    int32_t added               # siblings that were taken in once the set was chosen


cdef struct Sets:
    Set *of
    int32_t count
    int32_t *records            # pairs of nodes: the first, and the one after the last
    int32_t record_count
    double *to_next             # likeness of a record to the next one of its set


# Content


cdef inline double pixels(const Nodes *nodes, int32_t entry) noexcept nogil:
    """The value of an attribute if it is a plain number, else infinity."""
    cdef const unsigned char *at = nodes.values + nodes.value_start[entry]
    cdef const unsigned char *end = nodes.values + nodes.value_start[entry + 1]
    cdef double number = 0
    if at == end:
        return INFINITY
    while at < end:
        if not 48 <= at[0] <= 57:
            return INFINITY
        number = 10 * number + (at[0] - 48)
        at += 1
    return number


cdef double picture_letters(const Nodes *nodes, const Rules *rules, int32_t node) noexcept nogil:
    """What a picture is worth: by its size where the page says it, and nothing if it is there for the layout."""
    cdef double width = INFINITY, height = INFINITY
    cdef int32_t entry
    for entry in range(nodes.attribute_start[node], nodes.attribute_start[node + 1]):
        if nodes.attribute_name[entry] == rules.width:
            width = pixels(nodes, entry)
        elif nodes.attribute_name[entry] == rules.height:
            height = pixels(nodes, entry)
    if min(width, height) <= rules.spacer:
        return 0
    if width == INFINITY or height == INFINITY:
        return rules.image
    return min(width * height / rules.letter, rules.largest)


cdef inline int32_t letters_in(const unsigned char *text, int32_t length) noexcept nogil:
    """The letters of a text in UTF-8: all bytes but those that continue a letter."""
    cdef int32_t k, letters = 0
    for k in range(length):
        letters += (text[k] & 0xC0) != 0x80
    return letters


cdef void read_content(const Nodes *nodes, const Rules *rules, Work *work) noexcept nogil:
    """Fill in `letters`, `before`, `seen_before` and `total`."""
    cdef int32_t node, control_end = 0, seen = 0
    cdef uint8_t seen_as
    cdef double all_letters = 0, visible = 0
    cdef bint is_shown
    for node in range(nodes.n):
        seen_as = rules.seen_as[min(nodes.tag[node], rules.known)]
        work.letters[node] = 0
        if seen_as == CONTROL:
            control_end = max(control_end, node + nodes.size[node])
        if node < control_end:
            continue
        if seen_as == WORDS:
            # Without the space that follows every text.
            work.letters[node] = letters_in(
                nodes.text + nodes.text_start[node], nodes.text_start[node + 1] - nodes.text_start[node]) - 1
        elif seen_as == PICTURE:
            work.letters[node] = picture_letters(nodes, rules, node)
        all_letters += work.letters[node]
        if not nodes.hidden[node]:
            visible += work.letters[node]
    # Where most is hidden, a script shows it once the page is loaded.
    is_shown = 2 * visible < all_letters
    work.reads = READS + READS_A_NODE * <int64_t>nodes.n
    work.before[0] = 0
    work.seen_before[0] = 0
    for node in range(nodes.n):
        if nodes.hidden[node] and not is_shown:
            work.letters[node] = 0
        seen += work.letters[node] > 0
        work.before[node + 1] = work.before[node] + work.letters[node]
        work.seen_before[node + 1] = seen
    work.total = max(1.0, work.before[nodes.end] - work.before[nodes.body])


cdef int32_t number_pair(uint64_t *keys, int32_t *numbers, uint64_t mask, uint64_t key, int32_t *count) noexcept nogil:
    """The number of a key, a new one if it has none (linear probing; 0 is an empty slot)."""
    cdef uint64_t place = (key ^ key >> 29) * <uint64_t>0x9E3779B97F4A7C15 >> 32 & mask
    while keys[place] != 0:
        if keys[place] == key:
            return numbers[place]
        place = (place + 1) & mask
    keys[place] = key
    numbers[place] = count[0]
    count[0] += 1
    return numbers[place]


cdef int read_items(const Nodes *nodes, const Rules *rules, Work *work) except -1 nogil:
    """Fill in `item` and `tag_path`: numbers by tag path, with styles and without.

    What is alone in a table cell is told from what is in the other columns as well.
    """
    cdef int32_t node, own, paths = 0, distinct = 0, cells = 0, columns = 0
    cdef uint64_t mask = 63, key
    cdef uint64_t *keys
    cdef int32_t *numbers
    cdef int32_t *of_path = work.stamp      # tag path with styles -> without, plus one; cleared below
    cdef int32_t *column = work.by_tag      # node -> the column that it is alone in, from 1
    for node in range(nodes.n):
        distinct = max(distinct, nodes.path[node] + 1)
        cells += (nodes.tag[node] == rules.cell) | (nodes.tag[node] == rules.heading)
    memset(column, 0, nodes.n * sizeof(int32_t))
    if cells:
        columns = mark_columns(nodes, rules, work, column)
    while mask < 2 * <uint64_t>max(distinct, columns):
        mask = 2 * mask + 1
    keys = <uint64_t *>calloc(mask + 1, sizeof(uint64_t) + sizeof(int32_t))
    if keys == NULL:
        with gil:
            raise MemoryError("no memory for the items of a page")
    numbers = <int32_t *>(keys + mask + 1)
    memset(of_path, 0, distinct * sizeof(int32_t))
    for node in range(nodes.n):
        own = nodes.path[node]
        if of_path[own] == 0:
            # Paths are numbered by that of their parent and their tag.
            key = 1 if nodes.parent[node] < 0 else work.tag_path[nodes.parent[node]] + 2
            key = key << 32 | <uint64_t><unsigned int>nodes.tag[node]
            of_path[own] = number_pair(keys, numbers, mask, key, &paths) + 1
        work.tag_path[node] = of_path[own] - 1
        work.item[node] = own if work.letters[node] > 0 else NONE
    if columns:
        memset(keys, 0, (mask + 1) * sizeof(uint64_t))
        for node in range(nodes.n):
            if column[node]:
                key = <uint64_t>(nodes.path[node] + 1) << 32 | <uint64_t>column[node]
                work.item[node] = number_pair(keys, numbers, mask, key, &distinct)
    free(keys)
    for node in range(nodes.n):
        # Written for every node, and kept for those with content.
        work.items[work.seen_before[node]] = work.item[node]
    memset(work.stamp, 0, distinct * sizeof(int32_t))
    return 0


cdef int32_t mark_columns(const Nodes *nodes, const Rules *rules, Work *work, int32_t *column) noexcept nogil:
    """Write the column of what is alone in its table cell, from 1; says how many there are.

    Links in cells that are alike are objects in a grid, not the columns of a row: they keep column 0.
    """
    cdef int32_t *place = work.by_tree      # cell -> its place among the cells of its row, from 1 ...
    cdef int32_t *last = work.child         # ... row -> the last cell met so far, plus one ...
    cdef int32_t *alike = work.label        # ... and whether the cell before or after it has an equal tree
    cdef int32_t node, cell, row, before, marked = 0
    memset(last, 0, nodes.n * sizeof(int32_t))
    for cell in range(1, nodes.n):
        if nodes.tag[cell] == rules.cell or nodes.tag[cell] == rules.heading:
            row = nodes.parent[cell]
            before = last[row] - 1
            last[row] = cell + 1
            place[cell] = place[before] + 1 if before >= 0 else 1
            alike[cell] = before >= 0 and nodes.class_id[before] == nodes.class_id[cell]
            if alike[cell]:
                alike[before] = True
    # Of cells within cells, the outermost has the last word.
    for cell in range(nodes.n - 1, 0, -1):
        if (nodes.tag[cell] == rules.cell or nodes.tag[cell] == rules.heading) and (
                work.seen_before[cell + nodes.size[cell]] == work.seen_before[cell] + 1):
            node = cell
            while work.letters[node] <= 0:
                node += 1
            marked += column[node] == 0
            column[node] = place[cell]
            row = node
            while alike[cell] and row > cell:
                row = nodes.parent[row]
                if nodes.tag[row] == rules.link:
                    column[node] = 0
                    break
    return marked


# Places


cdef int read_places(const Nodes *nodes, const Rules *rules, Work *work) except -1 nogil:
    """The children of the nodes whose tag path has enough of the content."""
    cdef int32_t node, child, place = 0, sequence = 0
    cdef double *of_path = work.letters
    cdef double enough = rules.coverage * work.total
    memset(of_path, 0, nodes.n * sizeof(double))
    for node in range(nodes.body, nodes.end):
        of_path[work.tag_path[node]] += work.before[node + nodes.size[node]] - work.before[node]
    for node in range(nodes.body, nodes.end):
        if nodes.size[node] == 1 or of_path[work.tag_path[node]] < enough or (
                work.before[node + nodes.size[node]] <= work.before[node]):
            continue
        work.first[sequence] = place
        sequence += 1
        child = node + 1
        while child < node + nodes.size[node]:
            if nodes.parent[child] != node:
                with gil:
                    raise ValueError("the arrays are not those of a page")
            work.child[place] = child
            work.label[place] = work.tag_path[child]
            work.class_id[place] = nodes.class_id[child]
            work.separator[place] = work.before[child + nodes.size[child]] <= work.before[child]
            place += 1
            child += nodes.size[child]
    work.first[sequence] = place
    work.sequences = sequence
    work.places = place
    return 0


cdef double likeness(Matcher *matcher, int32_t left, int32_t left_end, int32_t right, int32_t right_end) noexcept nogil:
    """Twice the pairs of a maximum matching, divided by the nodes of both runs; 0 where the budget ran out."""
    return 2.0 * max(score_runs(matcher, left, left_end, right, right_end), 0) / (left_end - left + right_end - right)


cdef int cluster_places(const Nodes *nodes, const Rules *rules, Work *work, Matcher *matcher) except -1 nogil:
    """Fill in `by_tag` and `by_tree`."""
    cdef Siblings siblings
    cdef int32_t sequence, number, own, kind, other, k, place, pairs
    cdef int32_t leader[KINDS]
    cdef int32_t kinds[KINDS]
    cdef double weight[KINDS]
    cdef double table[KINDS * KINDS]
    cdef double alike[KINDS * KINDS]
    cdef int64_t left = rules.pairs
    cdef int32_t *tag_symbol
    cdef int32_t *tree_symbol
    open_siblings(&siblings, work.label, work.class_id, work.places)
    tag_symbol = <int32_t *>malloc(2 * (<size_t>work.places + 1) * sizeof(int32_t))
    tree_symbol = tag_symbol + work.places + 1
    if tag_symbol == NULL:
        free(siblings.block)
        with gil:
            raise MemoryError("no memory for the clusters of a page")
    for sequence in range(work.sequences):
        place = work.first[sequence]
        if work.first[sequence + 1] == place + 1:
            work.by_tag[place] = work.by_tree[place] = place
            continue
        read_sequence(&siblings, work.label, work.class_id, place, work.first[sequence + 1], sequence)
        for number in range(siblings.label_count):
            own = siblings.labels[number]
            kind = siblings.first_kind[own]
            pairs = pairs_of(&siblings, own, left)
            left -= pairs
            k = 0
            while kind != NONE:
                tag_symbol[kind] = tree_symbol[kind] = siblings.place[siblings.first_kind[own]]
                if pairs:
                    kinds[k] = kind
                    weight[k] = siblings.count[kind]
                    for other in range(k):
                        alike[k * (k - 1) // 2 + other] = likeness_of_places(
                            nodes, work, matcher, siblings.place[kind], siblings.place[kinds[other]])
                    k += 1
                kind = siblings.following[kind]
            if k:
                average_linkage(alike, rules.similarity, k, weight, table, leader)
                for other in range(k):
                    tree_symbol[kinds[other]] = siblings.place[kinds[leader[other]]]
        for place in range(work.first[sequence], work.first[sequence + 1]):
            kind = siblings.kind_of_class[work.class_id[place]]
            work.by_tag[place] = tag_symbol[kind]
            work.by_tree[place] = tree_symbol[kind]
    free(tag_symbol)
    free(siblings.block)
    return 0


cdef inline double likeness_of_places(const Nodes *nodes, Work *work, Matcher *matcher, int32_t left,
                                      int32_t right) noexcept nogil:
    cdef int32_t one = work.child[left], other = work.child[right]
    return likeness(matcher, one, one + nodes.size[one], other, other + nodes.size[other])


# Sets


cdef void measure(const Rules *rules, Work *work, Matcher *matcher, Sets *sets, Set *own) noexcept nogil:
    """Leave out odd records at the ends of a set, and fill in its quality."""
    cdef const int32_t *records = sets.records
    cdef int32_t record
    for record in range(own.lo, own.hi - 1):
        sets.to_next[record] = likeness(matcher, records[2 * record], records[2 * record + 1],
                                        records[2 * record + 2], records[2 * record + 3])
    own.left_out = own.hi - own.lo
    leave_out_odd_ends(records, sets.to_next, work.before, rules.oddness, &own.lo, &own.hi)
    own.left_out -= own.hi - own.lo
    own.coverage = 0
    for record in range(own.lo, own.hi):
        own.coverage += work.before[records[2 * record + 1]] - work.before[records[2 * record]]
    own.coverage /= work.total
    own.similarity = similarity_of(records, sets.to_next, work.before, own.lo, own.hi)
    # Sets within sets are read at every level: a page of deep levels is not to be read hundreds of times.
    for record in range(own.lo, own.hi):
        work.reads -= work.seen_before[records[2 * record + 1]] - work.seen_before[records[2 * record]]
    own.variety = 0 if work.reads < 0 else variety_of(
        records, work.seen_before, work.items, rules.full, work.stamp, own.lo, own.hi)
    own.quality = own.coverage * own.similarity * own.variety


cdef void measure_candidates(const Nodes *nodes, const Rules *rules, Work *work, Matcher *matcher, Found *found,
                             Sets *sets) noexcept nogil:
    """Make sets of the candidates."""
    cdef int32_t number, record, last
    cdef Set *own
    for record in range(<int32_t>found.records):
        last = work.child[found.place[2 * record + 1] - 1]
        sets.records[2 * record] = work.child[found.place[2 * record]]
        sets.records[2 * record + 1] = last + nodes.size[last]
    sets.record_count = <int32_t>found.records
    sets.count = <int32_t>found.candidates
    for number in range(sets.count):
        own = &sets.of[number]
        own.number = number
        own.sequence = found.candidate[number].sequence
        own.form = found.candidate[number].form
        own.parts = 1
        own.added = 0
        own.lo = found.candidate[number].first
        own.hi = sets.record_count if number + 1 == sets.count else found.candidate[number + 1].first
        # Sets whose records begin at the same tag path may be joined: single nodes with single nodes, runs with runs.
        own.kind = 2 * <int64_t>work.label[found.place[2 * own.lo]] + (found.candidate[number].form != SINGLE)
        measure(rules, work, matcher, sets, own)


cdef void add_lone_nodes(const Nodes *nodes, Work *work, Sets *sets, int32_t *count, uint8_t *known) noexcept nogil:
    """Add the nodes that are alone with their tag among their siblings, where others are records elsewhere.

    `count` has room for the places, `known` for the tag paths.
    """
    cdef int32_t place, number
    cdef Set *own
    memset(count, 0, work.places * sizeof(int32_t))
    memset(known, 0, nodes.n)
    for number in range(sets.count):
        if sets.of[number].kind % 2 == 0:
            known[sets.of[number].kind // 2] = True
    for place in range(work.places):
        count[work.by_tag[place]] += not work.separator[place]
    for place in range(work.places):
        if work.separator[place] or count[work.by_tag[place]] != 1 or not known[work.label[place]]:
            continue
        own = &sets.of[sets.count]
        own.number = sets.count
        own.kind = 2 * <int64_t>work.label[place]
        own.sequence = <int64_t>work.sequences + 1 + place
        own.quality = own.coverage = own.similarity = own.variety = 0
        own.form = SINGLE
        own.parts = 1
        own.left_out = own.added = 0
        own.lo = sets.record_count
        own.hi = own.lo + 1
        sets.records[2 * own.lo] = work.child[place]
        sets.records[2 * own.lo + 1] = work.child[place] + nodes.size[work.child[place]]
        sets.record_count += 1
        sets.count += 1


cdef int compare(int64_t one, int64_t other) noexcept nogil:
    return (one > other) - (one < other)


cdef int by_kind_and_sequence(const void *one, const void *other) noexcept nogil:
    """By kind, then by sequence, then the better ones first."""
    cdef const Set *left = (<const Set **>one)[0]
    cdef const Set *right = (<const Set **>other)[0]
    cdef int order = compare(left.kind, right.kind)
    if order == 0:
        order = compare(left.sequence, right.sequence)
    if order == 0:
        order = (left.quality < right.quality) - (left.quality > right.quality)
    return order if order else compare(left.number, right.number)


cdef int by_first_record(const void *one, const void *other) noexcept nogil:
    """By the number of the first record, for sets that stand beside each other."""
    return compare((<const int32_t *>one)[0], (<const int32_t *>other)[0])


cdef int by_quality(const void *one, const void *other) noexcept nogil:
    """The better ones first, of equals the one that was made first."""
    cdef const Set *left = (<const Set **>one)[0]
    cdef const Set *right = (<const Set **>other)[0]
    cdef int order = (left.quality < right.quality) - (left.quality > right.quality)
    return order if order else compare(left.number, right.number)


cdef struct Part:
    int32_t node        # where its first record begins
    int32_t lo
    int32_t hi


cdef int32_t join_kind(const Rules *rules, Work *work, Matcher *matcher, Sets *sets, Set **of_kind, int32_t count,
                       Part *parts) noexcept nogil:
    """Make one set of all sets of a kind that are similar to the best one; of each, the middle record is compared.

    The others are moved to the front of `of_kind`, in their order; says how many there are.
    """
    cdef Set *best = of_kind[0]
    cdef Set *own
    cdef int32_t k, middle, of_best, joined = 0, left = 0
    for k in range(1, count):
        if of_kind[k].quality > best.quality:
            best = of_kind[k]
    of_best = (best.lo + best.hi) // 2
    for k in range(count):
        own = of_kind[k]
        middle = (own.lo + own.hi) // 2
        if likeness(matcher, sets.records[2 * of_best], sets.records[2 * of_best + 1], sets.records[2 * middle],
                    sets.records[2 * middle + 1]) >= rules.similarity:
            parts[joined].node = sets.records[2 * own.lo]
            parts[joined].lo = own.lo
            parts[joined].hi = own.hi
            joined += 1
        elif own != best:
            of_kind[left] = own
            left += 1
    if joined < 2:
        return left
    # Records of one kind are at one depth below different parents, so that they never overlap.
    qsort(parts, joined, sizeof(Part), by_first_record)
    own = &sets.of[sets.count]
    own.number = sets.count
    own.kind = best.kind
    own.sequence = NONE
    own.form = best.form
    own.parts = joined
    own.added = 0
    own.lo = sets.record_count
    for k in range(joined):
        memcpy(sets.records + 2 * sets.record_count, sets.records + 2 * parts[k].lo,
               2 * (parts[k].hi - parts[k].lo) * sizeof(int32_t))
        sets.record_count += parts[k].hi - parts[k].lo
    own.hi = sets.record_count
    sets.count += 1
    measure(rules, work, matcher, sets, own)
    return left


cdef int join(const Rules *rules, Work *work, Matcher *matcher, Sets *sets) except -1 nogil:
    """Add the joined sets: of each kind, the best set of every sequence, around the best one, the best one left, ..."""
    cdef int32_t groups = sets.count, chosen = 0, k, first, left, _turn
    cdef Set **order = <Set **>malloc((groups + 1) * (sizeof(Set *) + sizeof(Part)))
    if order == NULL:
        with gil:
            raise MemoryError("no memory for the sets of a page")
    for k in range(groups):
        order[k] = &sets.of[k]
    qsort(order, groups, sizeof(Set *), by_kind_and_sequence)
    for k in range(groups):
        if k == 0 or order[k].kind != order[chosen - 1].kind or order[k].sequence != order[chosen - 1].sequence:
            order[chosen] = order[k]
            chosen += 1
    first = 0
    for k in range(1, chosen + 1):
        if k == chosen or order[k].kind != order[first].kind:
            left = k - first
            for _turn in range(JOINED):
                if left > 1:
                    left = join_kind(rules, work, matcher, sets, order + first, left, <Part *>(order + groups + 1))
            first = k
    free(order)
    return 0


# Siblings that belong to a chosen set


cdef struct Gathering:
    # A chosen set whose siblings are looked at.
    const Set *own
    int32_t tag             # of its records
    double letters          # of a record, on average ...
    double items            # ... and the nodes with content
    bint styled             # whether all records have a class or a style
    int32_t stamp           # a number of its own
    int32_t *with_style     # tag path with styles -> the last set that had it
    int32_t *holders        # tag path -> the records that have an item there; zero for others
    int32_t *last_seen      # tag path -> the last turn in which an item was seen there
    int32_t core            # tag paths that at least half of the records have; NONE until they are counted
    int32_t *found          # the siblings
    int32_t first_class     # the attribute `class` of the first record, or NONE, ...
    int32_t last_class      # ... and of the last one


cdef inline double letters_of(const Nodes *nodes, const Work *work, int32_t node) noexcept nogil:
    return work.before[node + nodes.size[node]] - work.before[node]


cdef void count_items(Work *work, const Sets *sets, Gathering *gathering) noexcept nogil:
    """Count the records that have an item at a tag path."""
    cdef int32_t record, node, path, count = gathering.own.hi - gathering.own.lo
    gathering.core = 0
    for record in range(gathering.own.lo, gathering.own.hi):
        work.turn += 1
        for node in range(sets.records[2 * record], sets.records[2 * record + 1]):
            path = work.tag_path[node]
            if work.item[node] != NONE and gathering.last_seen[path] != work.turn:
                gathering.last_seen[path] = work.turn
                gathering.holders[path] += 1
                gathering.core += 2 * gathering.holders[path] >= count > 2 * (gathering.holders[path] - 1)


cdef void forget_items(const Work *work, const Sets *sets, Gathering *gathering) noexcept nogil:
    cdef int32_t record, node
    if gathering.core != NONE:
        for record in range(gathering.own.lo, gathering.own.hi):
            for node in range(sets.records[2 * record], sets.records[2 * record + 1]):
                gathering.holders[work.tag_path[node]] = 0


cdef bint has_items(const Nodes *nodes, Work *work, const Sets *sets, Gathering *gathering,
                    int32_t sibling) noexcept nogil:
    """Whether a sibling has most of the items that the records have in common, and few others."""
    cdef int32_t node, path, distinct = 0, known = 0, common = 0, count = gathering.own.hi - gathering.own.lo
    if gathering.core == NONE:
        count_items(work, sets, gathering)
    work.turn += 1
    for node in range(sibling, sibling + nodes.size[sibling]):
        path = work.tag_path[node]
        if work.item[node] != NONE and gathering.last_seen[path] != work.turn:
            gathering.last_seen[path] = work.turn
            distinct += 1
            known += gathering.holders[path] > 0
            common += 2 * gathering.holders[path] >= count
    return gathering.core > 0 and 4 * common >= 3 * gathering.core and 4 * known >= 3 * distinct


cdef bint is_wrapped(const Nodes *nodes, const Rules *rules, const Work *work, Matcher *matcher,
                     const Gathering *gathering, int32_t sibling, int32_t record) noexcept nogil:
    """Whether a sibling is a box around a node that is like a record, and has little else in it."""
    cdef double least = MOST_OF_BOX * letters_of(nodes, work, sibling)
    cdef int32_t inner = sibling, child, end
    for _level in range(BOXES):
        # The child that has most of the content.
        end = inner + nodes.size[inner]
        child = inner + 1
        while child < end and letters_of(nodes, work, child) < least:
            child += nodes.size[child]
        if child >= end:
            return False
        inner = child
        if nodes.tag[inner] == gathering.tag and likeness(
                matcher, inner, inner + nodes.size[inner], record, record + nodes.size[record]) >= rules.similarity:
            return True
    return False


cdef int32_t class_of(const Nodes *nodes, const Rules *rules, int32_t node) noexcept nogil:
    """The entry of the attribute `class`, or NONE."""
    cdef int32_t entry
    for entry in range(nodes.attribute_start[node], nodes.attribute_start[node + 1]):
        if nodes.attribute_name[entry] == rules.class_name:
            return entry
    return NONE


cdef bint has_word(const Nodes *nodes, int32_t entry, const unsigned char *word, size_t length) noexcept nogil:
    """Whether a word is one of those of an attribute."""
    cdef const unsigned char *at = nodes.values + nodes.value_start[entry]
    cdef const unsigned char *end = nodes.values + nodes.value_start[entry + 1]
    cdef const unsigned char *first
    while at < end:
        while at < end and at[0] <= 32:
            at += 1
        first = at
        while at < end and at[0] > 32:
            at += 1
        if <size_t>(at - first) == length and length and memcmp(first, word, length) == 0:
            return True
    return False


cdef bint shares_class(const Nodes *nodes, const Rules *rules, const Gathering *gathering,
                       int32_t sibling) noexcept nogil:
    """Whether a sibling has all words that the first and the last record have in their class, if there are any."""
    cdef int32_t entry = gathering.first_class, last = gathering.last_class
    cdef int32_t own = class_of(nodes, rules, sibling), words = 0
    cdef const unsigned char *at
    cdef const unsigned char *end
    cdef const unsigned char *first
    if entry == NONE or last == NONE or own == NONE:
        return False
    if nodes.value_start[entry + 1] - nodes.value_start[entry] > LONGEST_CLASS or (
            nodes.value_start[own + 1] - nodes.value_start[own] > LONGEST_CLASS) or (
            nodes.value_start[last + 1] - nodes.value_start[last] > LONGEST_CLASS):
        return False
    at = nodes.values + nodes.value_start[entry]
    end = nodes.values + nodes.value_start[entry + 1]
    while at < end:
        while at < end and at[0] <= 32:
            at += 1
        first = at
        while at < end and at[0] > 32:
            at += 1
        if at > first and has_word(nodes, last, first, at - first):
            words += 1
            if not has_word(nodes, own, first, at - first):
                return False
    return words > 0


cdef bint belongs(const Nodes *nodes, const Rules *rules, Work *work, Matcher *matcher, const Sets *sets,
                  Gathering *gathering, int32_t sibling, int32_t record) noexcept nogil:
    """Whether a sibling is a record too; `record` is the last one before it, or NONE where it is not among them."""
    cdef double letters = letters_of(nodes, work, sibling)
    if nodes.tag[sibling] == gathering.tag and gathering.styled and nodes.style[sibling] and (
            gathering.with_style[nodes.path[sibling]] == gathering.stamp) and (
            letters >= LEAST_STYLED * gathering.letters):
        return True
    if nodes.tag[sibling] == TEXT or letters < LEAST * gathering.letters:
        return False
    if nodes.tag[sibling] == gathering.tag and has_items(nodes, work, sets, gathering, sibling):
        return True
    if record == NONE:
        return False
    if nodes.tag[sibling] == gathering.tag and (
            2 * (work.seen_before[sibling + nodes.size[sibling]] - work.seen_before[sibling]) >= gathering.items) and (
            2 * letters >= gathering.letters) and shares_class(nodes, rules, gathering, sibling):
        return True
    return is_wrapped(nodes, rules, work, matcher, gathering, sibling, record)


cdef void gather(const Nodes *nodes, const Rules *rules, Work *work, Matcher *matcher, Sets *sets, Set *own,
                 const uint8_t *taken) noexcept nogil:
    """Add to a chosen set of single nodes the siblings that belong to it, though their trees differ.

    These have the tag and the style of the records, or most of their items; or, among the records, are a box
    around a node that is like one (an indented result, a sponsored one).
    """
    cdef Gathering gathering
    cdef int32_t record, first, last, up, sibling, before, found = 0, k
    cdef double letters = 0, items = 0
    gathering.tag = nodes.tag[sets.records[2 * own.lo]]
    if own.form != SINGLE or gathering.tag == TEXT:
        return
    gathering.own = own
    gathering.stamp = own.number + 1
    gathering.with_style = work.by_tree
    gathering.holders = work.by_tag
    gathering.last_seen = work.label
    gathering.found = work.class_id
    gathering.core = NONE
    gathering.styled = True
    gathering.first_class = class_of(nodes, rules, sets.records[2 * own.lo])
    gathering.last_class = class_of(nodes, rules, sets.records[2 * own.hi - 2])
    for record in range(own.lo, own.hi):
        first = sets.records[2 * record]
        letters += letters_of(nodes, work, first)
        items += work.seen_before[first + nodes.size[first]] - work.seen_before[first]
        gathering.styled &= nodes.style[first] != 0
        gathering.with_style[nodes.path[first]] = gathering.stamp
    gathering.letters = letters / (own.hi - own.lo)
    gathering.items = items / (own.hi - own.lo)
    first = own.lo
    while first < own.hi:
        # The records of one parent.
        up = nodes.parent[sets.records[2 * first]]
        last = first
        while last + 1 < own.hi and nodes.parent[sets.records[2 * last + 2]] == up:
            last += 1
        record = first
        before = NONE
        sibling = up + 1
        while sibling < up + nodes.size[up]:
            if record <= last and sibling == sets.records[2 * record]:
                before = sibling
                record += 1
            elif letters_of(nodes, work, sibling) > 0 and (
                    memchr(taken + sibling, 1, nodes.size[sibling]) == NULL) and belongs(
                    nodes, rules, work, matcher, sets, &gathering, sibling, before if record <= last else NONE):
                gathering.found[found] = sibling
                found += 1
            sibling += nodes.size[sibling]
        first = last + 1
    forget_items(work, sets, &gathering)
    if found == 0:
        return
    # Both are in order, but for parents within others: those of one tag path are not.
    record = own.lo
    k = 0
    first = sets.record_count
    while record < own.hi or k < found:
        if k == found or (record < own.hi and sets.records[2 * record] < gathering.found[k]):
            sibling = sets.records[2 * record]
            record += 1
        else:
            sibling = gathering.found[k]
            k += 1
        sets.records[2 * sets.record_count] = sibling
        sets.records[2 * sets.record_count + 1] = sibling + nodes.size[sibling]
        sets.record_count += 1
    own.lo = first
    own.hi = sets.record_count
    own.added = found


cdef int32_t choose(const Nodes *nodes, const Rules *rules, Work *work, Matcher *matcher, Sets *sets, Set **order,
                    uint8_t *taken) noexcept nogil:
    """Put the sets with enough content first in `order`, the best one first, without those that share a node with a
    better one; says how many there are. `taken` has a zero for each node."""
    cdef int32_t k, count = 0, kept = 0, record, first, length
    cdef bint is_free
    for k in range(sets.count):
        if sets.of[k].quality > 0 and sets.of[k].coverage >= rules.coverage:
            order[count] = &sets.of[k]
            count += 1
    qsort(order, count, sizeof(Set *), by_quality)
    # Where the places were, what is gathered is counted.
    work.turn = 0
    memset(work.by_tree, 0, nodes.n * sizeof(int32_t))
    memset(work.by_tag, 0, nodes.n * sizeof(int32_t))
    memset(work.label, 0, nodes.n * sizeof(int32_t))
    for k in range(count):
        is_free = True
        for record in range(order[k].lo, order[k].hi):
            first = sets.records[2 * record]
            length = sets.records[2 * record + 1] - first
            if taken[first] or memchr(taken + first, 1, length) != NULL:
                is_free = False
                break
        if is_free:
            if kept < GATHERED:
                gather(nodes, rules, work, matcher, sets, order[k], taken)
            for record in range(order[k].lo, order[k].hi):
                first = sets.records[2 * record]
                memset(taken + first, 1, sets.records[2 * record + 1] - first)
            order[kept] = order[k]
            kept += 1
    return kept


cdef int check(const Nodes *nodes, Py_ssize_t bytes_of_text, Py_ssize_t entries,
               Py_ssize_t bytes_of_values) except -1:
    """Raise ValueError for arrays that no page has: nothing below looks again."""
    cdef int32_t node
    cdef Py_ssize_t entry
    cdef bint wrong = False
    if not 0 <= nodes.body < nodes.n:
        raise ValueError(f"the body is not one of the {nodes.n} nodes")
    # No branches, so that compilers vectorise the loops: every page pays for them.
    for node in range(nodes.n):
        wrong |= ((nodes.parent[node] >= node) | (nodes.size[node] < 1) | (nodes.size[node] > nodes.n - node)
                  | (nodes.path[node] < 0) | (nodes.path[node] >= nodes.n) | (nodes.class_id[node] < 0)
                  | (nodes.tag[node] < 0) | (nodes.attribute_start[node] > nodes.attribute_start[node + 1])
                  | (nodes.text_start[node] > nodes.text_start[node + 1]) | ((nodes.parent[node] < 0) & (node > 0)))
    wrong |= nodes.attribute_start[0] < 0 or nodes.attribute_start[nodes.n] > entries
    for entry in range(entries):
        wrong |= nodes.value_start[entry] > nodes.value_start[entry + 1]
    wrong |= nodes.text_start[0] < 0 or nodes.text_start[nodes.n] > bytes_of_text
    if wrong or nodes.value_start[0] < 0 or nodes.value_start[entries] > bytes_of_values:
        raise ValueError("the arrays are not those of a page")
    return 0


cdef int open_work(Work *work, double[::1] before) except -1:
    """Take the memory of a page: one block, the wider numbers first."""
    cdef size_t room = before.shape[0]
    cdef double *block = <double *>malloc(room * (sizeof(double) + 12 * sizeof(int32_t) + 1))
    cdef int32_t *numbers = <int32_t *>(block + room)
    if block == NULL:
        raise MemoryError("no memory for the nodes of a page")
    work.before = &before[0]
    work.letters = block
    work.item = numbers
    work.tag_path = numbers + room
    work.seen_before = numbers + 2 * room
    work.stamp = numbers + 3 * room
    work.first = numbers + 5 * room
    work.child = numbers + 6 * room
    work.label = numbers + 7 * room
    work.class_id = numbers + 8 * room
    work.by_tag = numbers + 9 * room
    work.by_tree = numbers + 10 * room
    work.items = numbers + 11 * room
    work.separator = <uint8_t *>(numbers + 12 * room)
    return 0


cdef int cut(Work *work, Found *found, Region *region) except -1 nogil:
    """All candidates of all sequences, by either way to cluster; where both are the same, once."""
    cdef int32_t sequence, lo, hi
    region.separator = work.separator
    for sequence in range(work.sequences):
        lo = work.first[sequence]
        hi = work.first[sequence + 1]
        region.sequence = sequence
        if hi - lo > 1:
            region.symbol = work.by_tag
            cut_sequence(found, region, lo, hi)
            if memcmp(work.by_tag + lo, work.by_tree + lo, (hi - lo) * sizeof(int32_t)) != 0:
                region.symbol = work.by_tree
                cut_sequence(found, region, lo, hi)
    return 0


cdef int open_sets(Sets *sets, int64_t record_count, int64_t count) except -1 nogil:
    """Take the memory of all sets, and of as many records again: those of joined sets."""
    cdef size_t records = 2 * <size_t>record_count + 1
    sets.of = <Set *>malloc((2 * <size_t>count + 1) * sizeof(Set))
    sets.to_next = <double *>malloc(records * (sizeof(double) + 2 * sizeof(int32_t)))
    sets.records = <int32_t *>(sets.to_next + records)
    if sets.of == NULL or sets.to_next == NULL:
        free(sets.of)
        free(sets.to_next)
        with gil:
            raise MemoryError("no memory for the sets of a page")
    return 0


cdef int read_page(
    Nodes *nodes,
    Rules *known,
    const int32_t[::1] tag,
    const int32_t[::1] parent,
    const int32_t[::1] size,
    const int32_t[::1] class_id,
    const int32_t[::1] path,
    const int32_t[::1] style,
    const uint8_t[::1] hidden,
    const int32_t[::1] text_start,
    bytes text,
    const int32_t[::1] attribute_start,
    const int32_t[::1] attribute_name,
    const int32_t[::1] value_start,
    bytes values,
    int32_t body,
    rules,
) except -1:
    """Check what the caller gave, and take it over."""
    cdef const uint8_t[::1] seen_as = rules.seen_as
    cdef Py_ssize_t n = tag.shape[0]
    if (parent.shape[0] != n or size.shape[0] != n or class_id.shape[0] != n or path.shape[0] != n
            or style.shape[0] != n or hidden.shape[0] != n or text_start.shape[0] != n + 1
            or attribute_start.shape[0] != n + 1
            or value_start.shape[0] != attribute_name.shape[0] + 1):
        raise ValueError("the arrays differ in length")
    if n == 0 or seen_as.shape[0] == 0:
        raise ValueError("there are no nodes, or no rules for them")
    nodes.tag = &tag[0]
    nodes.parent = &parent[0]
    nodes.size = &size[0]
    nodes.class_id = &class_id[0]
    nodes.path = &path[0]
    nodes.style = &style[0]
    nodes.hidden = &hidden[0]
    nodes.text_start = &text_start[0]
    nodes.text = <const unsigned char *>PyBytes_AS_STRING(text)
    nodes.attribute_start = &attribute_start[0]
    nodes.attribute_name = &attribute_name[0] if attribute_name.shape[0] else NULL
    nodes.value_start = &value_start[0]
    nodes.values = <const unsigned char *>PyBytes_AS_STRING(values)
    nodes.n = <int32_t>n
    nodes.body = body
    check(nodes, PyBytes_GET_SIZE(text), attribute_name.shape[0], PyBytes_GET_SIZE(values))
    nodes.end = body + nodes.size[body]
    known.seen_as = &seen_as[0]
    known.known = <int32_t>seen_as.shape[0] - 1
    known.cell = rules.cell
    known.heading = rules.heading
    known.link = rules.link
    known.class_name = rules.class_name
    known.width = rules.width
    known.height = rules.height
    known.letter = rules.letter
    known.image = rules.image
    known.largest = rules.largest_image
    known.spacer = rules.spacer
    known.oddness = rules.odd_record
    known.full = rules.full_record
    known.budget = rules.budget
    known.pairs = rules.pairs
    return 0


def best_sets(
    const int32_t[::1] tag not None,
    const int32_t[::1] parent not None,
    const int32_t[::1] size not None,
    const int32_t[::1] class_id not None,
    const int32_t[::1] path not None,
    const int32_t[::1] style not None,
    const uint8_t[::1] hidden not None,
    const int32_t[::1] text_start not None,
    bytes text not None,
    const int32_t[::1] attribute_start not None,
    const int32_t[::1] attribute_name not None,
    const int32_t[::1] value_start not None,
    bytes values not None,
    int32_t body,
    rules,
    double similarity,
    double coverage,
):
    """The best sets of records of a page; see `record_sets.pyi`."""
    cdef Nodes nodes
    cdef Rules known
    cdef Work work
    cdef Matcher matcher
    cdef Found found
    cdef Region region
    cdef Sets sets
    cdef Set **order = NULL
    cdef uint8_t *taken
    cdef int32_t kept = 0, k, record = 0
    cdef size_t n
    read_page(&nodes, &known, tag, parent, size, class_id, path, style, hidden, text_start, text,
              attribute_start, attribute_name, value_start, values, body, rules)
    n = nodes.n
    known.similarity = similarity
    known.coverage = coverage
    before = np.empty(n + 1, dtype=np.float64)
    open_work(&work, before)
    try:
        start(&matcher, <const int *>nodes.tag, <const int *>nodes.size, <const int *>nodes.class_id, n,
              known.budget)
        try:
            with nogil:
                read_content(&nodes, &known, &work)
                read_items(&nodes, &known, &work)
                read_places(&nodes, &known, &work)
                cluster_places(&nodes, &known, &work, &matcher)
                open_candidates(&found, &region, work.places)
            try:
                with nogil:
                    cut(&work, &found, &region)
                    open_sets(&sets, found.records + work.places + n, found.candidates + work.places)
                try:
                    # One block: the order of the sets, then a byte a node; before, what lone nodes are counted by.
                    order = <Set **>malloc(2 * (<size_t>found.candidates + work.places + 1) * sizeof(Set *) + n)
                    if order == NULL:
                        raise MemoryError("no memory for the sets of a page")
                    taken = <uint8_t *>(order + 2 * (<size_t>found.candidates + work.places + 1))
                    with nogil:
                        matcher.budget = known.budget
                        measure_candidates(&nodes, &known, &work, &matcher, &found, &sets)
                        if sets.count:
                            add_lone_nodes(&nodes, &work, &sets, <int32_t *>order, taken)
                            memset(taken, 0, n)
                            matcher.budget = known.budget
                            join(&known, &work, &matcher, &sets)
                            matcher.budget = known.budget
                            kept = choose(&nodes, &known, &work, &matcher, &sets, order, taken)
                    for k in range(kept):
                        record += order[k].hi - order[k].lo
                    first = np.zeros(kept + 1, dtype=np.int32)
                    scores = np.empty((kept, 3), dtype=np.float64)
                    records = np.empty((record, 2), dtype=np.int32)
                    cuts = np.empty((kept, 4), dtype=np.int32)
                    copy_out(&sets, order, kept, first, scores, cuts, records)
                finally:
                    free(order)
                    free(sets.of)
                    free(sets.to_next)
            finally:
                close_candidates(&found, &region)
        finally:
            stop(&matcher)
    finally:
        free(work.letters)
    return records, first, scores, cuts, before


def measure_sets(
    const int32_t[::1] tag not None,
    const int32_t[::1] parent not None,
    const int32_t[::1] size not None,
    const int32_t[::1] class_id not None,
    const int32_t[::1] path not None,
    const int32_t[::1] style not None,
    const uint8_t[::1] hidden not None,
    const int32_t[::1] text_start not None,
    bytes text not None,
    const int32_t[::1] attribute_start not None,
    const int32_t[::1] attribute_name not None,
    const int32_t[::1] value_start not None,
    bytes values not None,
    int32_t body,
    rules,
    const int32_t[:, ::1] records not None,
    const int32_t[::1] first not None,
):
    """The scores of given sets of records; see `record_sets.pyi`."""
    cdef Nodes nodes
    cdef Rules known
    cdef Work work
    cdef Matcher matcher
    cdef Sets sets
    cdef Set own
    cdef Py_ssize_t count = first.shape[0] - 1, number, record
    read_page(&nodes, &known, tag, parent, size, class_id, path, style, hidden, text_start, text,
              attribute_start, attribute_name, value_start, values, body, rules)
    if count < 0 or first[0] != 0 or first[count] != records.shape[0] or records.shape[1] != 2:
        raise ValueError("the sets do not cover the records")
    for number in range(count):
        if first[number] >= first[number + 1]:
            raise ValueError("a set has one record or more")
    for record in range(records.shape[0]):
        if not 0 <= records[record, 0] < records[record, 1] <= nodes.n:
            raise ValueError(f"a record is not within the {nodes.n} nodes")
    before = np.empty(nodes.n + 1, dtype=np.float64)
    scores = np.zeros((count, 3), dtype=np.float64)
    cdef double[:, ::1] out = scores
    if count == 0:
        return scores, before
    known.oddness = 0           # every record stays
    open_work(&work, before)
    try:
        start(&matcher, <const int *>nodes.tag, <const int *>nodes.size, <const int *>nodes.class_id, nodes.n,
              known.budget)
        try:
            open_sets(&sets, records.shape[0], 0)
            try:
                memcpy(sets.records, &records[0, 0], 2 * records.shape[0] * sizeof(int32_t))
                with nogil:
                    read_content(&nodes, &known, &work)
                    read_items(&nodes, &known, &work)
                    for number in range(count):
                        own.lo = first[number]
                        own.hi = first[number + 1]
                        measure(&known, &work, &matcher, &sets, &own)
                        out[number, 0] = own.coverage
                        out[number, 1] = own.similarity if own.hi - own.lo > 1 else 0
                        out[number, 2] = own.variety
            finally:
                free(sets.of)
                free(sets.to_next)
        finally:
            stop(&matcher)
    finally:
        free(work.letters)
    return scores, before


cdef int copy_out(Sets *sets, Set **order, int32_t kept, int32_t[::1] first, double[:, ::1] scores,
                  int32_t[:, ::1] cuts, int32_t[:, ::1] records) except -1:
    cdef int32_t k, written = 0
    for k in range(kept):
        if order[k].hi > order[k].lo:
            memcpy(&records[written, 0], sets.records + 2 * order[k].lo,
                   2 * (order[k].hi - order[k].lo) * sizeof(int32_t))
        written += order[k].hi - order[k].lo
        first[k + 1] = written
        scores[k, 0] = order[k].coverage
        scores[k, 1] = order[k].similarity
        scores[k, 2] = order[k].variety
        cuts[k, 0] = order[k].form
        cuts[k, 1] = order[k].parts
        cuts[k, 2] = order[k].left_out
        cuts[k, 3] = order[k].added
    return 0
