"""Sets of records (AutoRM, Shi et al. 2015) in one native pass: content, siblings, clusters, cuts, quality, joins.
Told in `fastwrap.regions.autorm`; linear but for sorts, and for matching and measuring, which have budgets."""

from libc.math cimport INFINITY, exp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memchr, memcmp, memcpy, memset

from fastwrap._core.regions cimport ranking
from fastwrap._core.common.hashing cimport Numbers, eight_bytes, number_of, size_of_numbers, start_numbers
from fastwrap._core.similarity.matching cimport Matcher, score_runs, start, stop
from fastwrap._core.regions.quality cimport different_of, leave_out_odd_ends, similarity_of, variety_of
from fastwrap._core.regions.segmentation cimport (
    KINDS,
    NONE,
    SINGLE,
    Found,
    Region,
    Siblings,
    average_linkage,
    begin_sequence,
    close_candidates,
    copy_candidates,
    cut_sequence,
    open_candidates,
    open_siblings,
    pairs_of,
    read_sequence,
)
from fastwrap._core.common.buffers cimport data_of, held
from fastwrap._core.common.names cimport ATTRIBUTE_CLASS, ATTRIBUTE_HEIGHT, ATTRIBUTE_WIDTH, TAG_A, TAG_TD, TAG_TH, TEXT
from fastwrap._core.common.page cimport (
    NO_ENTRY,
    NativePage,
    PageArrays,
    Tokens,
    attribute_of,
    has_token,
    next_token,
    tokens_of,
    value_length,
)
from fastwrap._core.common.scratch cimport piece, put_back, take
from fastwrap._core.page.symbols cimport need_classes, need_symbols

from operator import itemgetter

import numpy as np

cdef object empty = np.empty, INT32 = np.dtype(np.int32), FLOAT64 = np.dtype(np.float64)
cdef object BOOL = np.dtype(np.bool_), RANK = itemgetter(2)

cdef enum:
    READS = 10_000_000      # items that are read to measure sets: so many, ...
    READS_A_NODE = 50       # ... and so many for each node
    GATHERED = 100          # sets, the best ones, whose siblings are looked at
    LONGEST_CLASS = 500     # bytes: longer classes are not compared word by word
    COUNTERS = 32           # of the nodes of a tree, by tag path
    UNTRIED = 2
    REASONS = 7             # numbers that say why a set is one, before its features
    MOST_COUNTED = 65535    # nodes of a tree whose tag paths are counted
    BOUNDED = 4             # times that the bound of a kind is worked out before its sets are joined
    BOXES = 4           # levels of boxes that are opened around a record
    JOINED = 4          # joined sets of a kind: around the best set, around the best one that is left, ...
    WORDS = 1           # what a node is to a reader, as `fastwrap.regions.autorm` numbers it
    PICTURE = 2
    CONTROL = 3

cdef double LEAST = 1 / 3.0         # of the content of a record on average: what a sibling has that belongs to the set
cdef double LEAST_STYLED = 0.2      # the same, if it has the style of the records
cdef double ROUNDED = 1 + 1e-9       # a bound is no less than what it bounds, however both were rounded
cdef double MOST_OF_BOX = 0.7       # of the content of a box: what a record in it has

MOST_JOINED = JOINED


LIMITS = ("regions.clusters", "regions.segmentation", "regions.matching", "regions.variety", "regions.siblings")

cdef enum:
    CLUSTERS_MET = 1        # a bit for each of them, in order
    SEGMENTATION_MET = 2
    MATCHING_MET = 4
    VARIETY_MET = 8
    SIBLINGS_MET = 16


cdef struct Rules:
    # What the caller knows of names, and the constants of the method.
    const uint8_t *seen_as      # tag -> NOTHING, WORDS, PICTURE or CONTROL; the last entry is for all other tags
    int32_t known
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


cdef struct Model:
    # What the children of a node were cut into.
    int32_t node
    int64_t pairs               # of siblings that were compared
    int32_t candidates          # the first and, ...
    int32_t candidates_end      # ... behind them, the last one
    int32_t lone                # the same of lone nodes
    int32_t lone_end


cdef struct Work:
    double *before              # [n + 1] the content of all nodes before each one
    int32_t *seen_before        # [n + 1] how many nodes before each one have content ...
    int32_t *seen               # ... and which
    int32_t *items              # the items of all nodes with content, one after the other
    int32_t *tag_path           # [n] a number for the tag path without styles
    int32_t paths               # how many of these there are, ...
    int32_t styled_paths        # ... with styles, ...
    int64_t classes             # ... and no less than all structural classes
    int32_t *stamp              # [2 n] by item: the last turn it was seen in
    double total
    int64_t reads               # items that may still be read to measure sets
    uint32_t met                # the limits that were met: bits
    int32_t turn                # a record or a sibling whose items are read, numbered from 1
    # The sequence at hand: the children of one node. A place is a number of one of them.
    int32_t places
    int32_t *child              # [places] the node
    int32_t *label              # [places] its tag path
    int32_t *class_id           # [places] its structural class
    uint8_t *separator          # [places] whether it has no content
    int32_t *by_tag             # [places] the first place of its cluster, by tag ...
    int32_t *by_tree            # [places] ... and by tree
    int32_t *symbols            # [2 places] of the kinds, by tag and by tree
    int32_t *last_sequence      # label -> the last sequence that it was seen in, plus one, ...
    int32_t *seen_places        # ... and its places there that have content
    # All sequences
    int32_t sequences
    Model *models               # what was cut, to be copied where the children are the same
    int32_t model_count
    int32_t *model_of           # structural class -> the last one of it, plus one
    int32_t *inner              # the nodes whose children are cut
    int32_t *lone               # the nodes that are alone with their tag among the siblings that have content
    int32_t lone_count
    void *table                 # memory for the numbers of tag paths or columns
    void *block                 # the memory of all of them


cdef struct Set:
    # A set of records, or a single node that may join one.
    int64_t kind                # sets are joined with sets of the same kind only, ...
    int64_t sequence            # ... one of a sequence, ...
    double quality              # ... the best one; no less than that while it is not measured
    int64_t number              # in order of making, which decides between equals
    double coverage
    double similarity
    double variety
    int32_t lo                  # its records
    int32_t hi
    int32_t model               # as many records that are like each other in the same way, or NONE
    int32_t most_items          # of one of its records
    int32_t following           # the next set of its kind, or NONE
    int32_t form                # how it was cut, one of the forms of a candidate
    int32_t parts               # how many sets were joined
    int32_t left_out            # odd records at its ends
    int32_t added               # siblings that were taken in once the set was chosen
    bint is_measured


cdef struct Kind:
    int32_t first               # its sets, in order of their sequences
    int32_t last
    int32_t bounded             # how often its bound was worked out


cdef struct Offer:
    # What may be chosen next: a set, or the sets that those of a kind are joined to.
    double bound                # its quality, or no less than that
    int64_t number              # of the set, or of the kind
    int32_t own                 # its place among the sets, or NONE for a kind
    bint is_exact               # whether it is a set that was measured


cdef struct Sets:
    Set *of
    int32_t count
    int32_t *records            # pairs of nodes: the first, and the one after the last
    int32_t record_count
    double *to_next             # likeness of a record to the next one of its set; NONE if not known yet
    int32_t *different          # the different items of a record; NONE if not known yet
    Kind *kinds                 # by kind
    int64_t kind_count
    Offer *offers               # a heap, the best one on top
    int32_t offer_count
    Set **of_kind               # the sets of the kind at hand
    void *block                 # the memory of all of them


# Content


cdef inline double pixels(const PageArrays *page, int32_t entry) noexcept nogil:
    """The value of an attribute if it is a plain number, else infinity."""
    cdef const unsigned char *at = page.values + page.value_start[entry]
    cdef const unsigned char *end = page.values + page.value_start[entry + 1]
    cdef double number = 0
    if at == end:
        return INFINITY
    while at < end:
        if not 48 <= at[0] <= 57:
            return INFINITY
        number = 10 * number + (at[0] - 48)
        at += 1
    return number


cdef double picture_letters(const PageArrays *page, const Rules *rules, int32_t node) noexcept nogil:
    """What a picture is worth: by its size where the page says it, and nothing if it is there for the layout."""
    cdef double width = INFINITY, height = INFINITY
    cdef int32_t entry
    for entry in range(page.attribute_start[node], page.attribute_start[node + 1]):
        if page.attribute_name[entry] == ATTRIBUTE_WIDTH:
            width = pixels(page, entry)
        elif page.attribute_name[entry] == ATTRIBUTE_HEIGHT:
            height = pixels(page, entry)
    if min(width, height) <= rules.spacer:
        return 0
    if width == INFINITY or height == INFINITY:
        return rules.image
    return min(width * height / rules.letter, rules.largest)


cdef inline int32_t continued(const unsigned char *text, int32_t begin, int32_t end) noexcept nogil:
    """The bytes of a text in UTF-8 that continue a letter."""
    cdef int32_t k, count = 0
    for k in range(begin, end):
        count += (text[k] & 0xC0) == 0x80
    return count


cdef inline int32_t next_beyond_ascii(const unsigned char *text, int32_t begin, int32_t end) noexcept nogil:
    """The first byte from `begin` on that is no letter of its own, or `end`."""
    while end - begin >= 8 and eight_bytes(text + begin) & <uint64_t>0x8080808080808080 == 0:
        begin += 8
    while begin < end and text[begin] < 0x80:
        begin += 1
    return begin


cdef bint read_content(const PageArrays *page, const Rules *rules, Work *work, bint with_hidden) noexcept nogil:
    """Fill in `before`, `seen_before`, `seen` and `total`; says whether most is hidden."""
    cdef int32_t node, control_end = 0, seen = 0, begin, end, beyond
    cdef int32_t text_end = page.text_start[page.count]
    cdef uint8_t seen_as
    cdef double letters, before = 0, all_letters = 0
    beyond = next_beyond_ascii(page.text, page.text_start[0], text_end)
    for node in range(page.count):
        work.before[node] = before
        work.seen_before[node] = seen
        seen_as = rules.seen_as[min(page.tag[node], rules.known)]
        if seen_as == 0:
            continue
        if seen_as == CONTROL:
            control_end = max(control_end, node + page.size[node])
        if node < control_end:
            continue
        letters = 0
        if seen_as == WORDS:
            # The letters of a text are all bytes but those that continue one, without the space that follows it.
            begin = page.text_start[node]
            end = page.text_start[node + 1]
            letters = end - begin - 1
            if beyond < end:
                letters -= continued(page.text, begin, end)
                beyond = next_beyond_ascii(page.text, end, text_end)
        elif seen_as == PICTURE:
            letters = picture_letters(page, rules, node)
        all_letters += letters
        if with_hidden or not page.hidden[node]:
            before += letters
            work.seen[seen] = node
            seen += letters > 0
    work.before[page.count] = before
    work.seen_before[page.count] = seen
    work.total = max(1.0, work.before[page.body_end] - work.before[page.body])
    return 2 * before < all_letters


cdef void read_items(const PageArrays *page, const Rules *rules, Work *work) noexcept nogil:
    """Fill in `items` and `tag_path`: numbers by tag path, with styles and without.

    What is alone in a table cell is told from what is in the other columns as well.
    """
    cdef int32_t node, own, number, k, distinct = page.path_count, cells = 0, columns = 0
    cdef uint64_t key
    cdef Numbers numbers
    cdef int32_t *of_path = work.stamp      # tag path with styles -> without, plus one; cleared below
    cdef int32_t *column = work.by_tag      # node -> the column that it is alone in, from 1
    for node in range(page.count):
        cells |= (page.tag[node] == TAG_TD) | (page.tag[node] == TAG_TH)
    if cells:
        memset(column, 0, page.count * sizeof(int32_t))
        columns = mark_columns(page, rules, work, column)
    start_numbers(&numbers, work.table, page.count, distinct // 4)
    memset(of_path, 0, distinct * sizeof(int32_t))
    work.styled_paths = distinct
    work.classes = <int64_t>page.class_count + 1
    work.paths = 0
    for node in range(page.count):
        own = page.path_symbol[node]
        number = of_path[own]
        if number == 0:
            # Paths are numbered by that of their parent and their tag.
            key = 0 if page.parent[node] < 0 else work.tag_path[page.parent[node]] + 1
            number = number_of(&numbers, key, page.tag[node], &work.paths) + 1
            of_path[own] = number
        work.tag_path[node] = number - 1
    for k in range(work.seen_before[page.count]):
        work.items[k] = page.path_symbol[work.seen[k]]
    if columns:
        start_numbers(&numbers, work.table, page.count, columns // 4)
        for k in range(work.seen_before[page.count]):
            if column[work.seen[k]]:
                work.items[k] = number_of(&numbers, <uint64_t>work.items[k], column[work.seen[k]], &distinct)
    memset(work.stamp, 0, distinct * sizeof(int32_t))


cdef int32_t mark_columns(const PageArrays *page, const Rules *rules, Work *work, int32_t *column) noexcept nogil:
    """Write the column of what is alone in its table cell, from 1; says how many there are.

    Links in cells that are alike are objects in a grid, not the columns of a row: they keep column 0.
    """
    cdef int32_t *place = work.by_tree      # cell -> its place among the cells of its row, from 1 ...
    cdef int32_t *last = work.child         # ... row -> the last cell met so far, plus one ...
    cdef int32_t *alike = work.label        # ... and whether the cell before or after it has an equal tree
    cdef int32_t node, cell, row, before, marked = 0
    memset(last, 0, page.count * sizeof(int32_t))
    for cell in range(1, page.count):
        if page.tag[cell] == TAG_TD or page.tag[cell] == TAG_TH:
            row = page.parent[cell]
            before = last[row] - 1
            last[row] = cell + 1
            place[cell] = place[before] + 1 if before >= 0 else 1
            alike[cell] = before >= 0 and page.structural_class[before] == page.structural_class[cell]
            if alike[cell]:
                alike[before] = True
    # Of cells within cells, the outermost has the last word.
    for cell in range(page.count - 1, 0, -1):
        if (page.tag[cell] == TAG_TD or page.tag[cell] == TAG_TH) and (
                work.seen_before[cell + page.size[cell]] == work.seen_before[cell] + 1):
            node = work.seen[work.seen_before[cell]]
            marked += column[node] == 0
            column[node] = place[cell]
            row = node
            while alike[cell] and row > cell:
                row = page.parent[row]
                if page.tag[row] == TAG_A:
                    column[node] = 0
                    break
    return marked


cdef void read_nodes(const PageArrays *page, const Rules *rules, Work *work) noexcept nogil:
    """Fill in all about the nodes. Where most is hidden, a script shows it once the page is loaded."""
    if read_content(page, rules, work, False):
        read_content(page, rules, work, True)
    work.reads = READS + READS_A_NODE * <int64_t>page.count
    work.turn = 0
    work.met = 0
    read_items(page, rules, work)


# Sequences


cdef double likeness(Work *work, Matcher *matcher, int32_t left, int32_t left_end, int32_t right,
                     int32_t right_end) noexcept nogil:
    """Twice the pairs of a maximum matching, divided by the nodes of both runs; 0 where the budget ran out."""
    cdef int score = score_runs(matcher, left, left_end, right, right_end)
    if score < 0:
        work.met |= MATCHING_MET
        return 0
    return 2.0 * score / (left_end - left + right_end - right)


cdef inline double most_alike(int32_t left, int32_t right, int32_t common) noexcept nogil:
    """What the likeness is if the `common` nodes are paired."""
    return 2.0 * common / (left + right)


cdef inline bint count_paths(const PageArrays *page, const Work *work, Matcher *matcher, int32_t node,
                             uint16_t *counts) noexcept nogil:
    """Count the nodes of a tree by their tag path, of which some share a counter; says whether it was done.

    A tree in a tree is counted again, so this is counted in the budget.
    """
    cdef int32_t k, size = page.size[node]
    if size > MOST_COUNTED or size > matcher.budget:
        return False
    matcher.budget -= size
    memset(counts, 0, COUNTERS * sizeof(uint16_t))
    for k in range(node, node + size):
        counts[work.tag_path[k] & (COUNTERS - 1)] += 1
    return True


cdef inline int32_t in_common(const uint16_t *one, const uint16_t *other) noexcept nogil:
    """No less than the nodes of two trees that a matching pairs: their tag paths are the same."""
    cdef int32_t k, common = 0
    for k in range(COUNTERS):
        common += min(one[k], other[k])
    return common


cdef bint read_likeness(const PageArrays *page, const Rules *rules, Work *work, Matcher *matcher,
                        const int32_t *trees, int32_t count, double *alike) noexcept nogil:
    """Compare the trees that may come together in a cluster; says whether there are any.

    A cluster is no more alike on average than two of its trees are: trees that are not linked by pairs of which
    each may be alike enough never come together, and what they have in common is of no account.
    """
    cdef uint16_t counts[KINDS * COUNTERS]
    cdef uint8_t counted[KINDS]     # whether the paths are counted, once that was tried
    cdef int32_t group[KINDS]
    cdef int32_t k, other, own, left, right, merged
    cdef bint linked = False
    for k in range(count):
        group[k] = k
        counted[k] = UNTRIED
        left = page.size[trees[k]]
        for other in range(k):
            right = page.size[trees[other]]
            if group[other] == k or most_alike(left, right, min(left, right)) < rules.similarity:
                continue
            if counted[k] == UNTRIED:
                counted[k] = count_paths(page, work, matcher, trees[k], counts + k * COUNTERS)
            if counted[other] == UNTRIED:
                counted[other] = count_paths(page, work, matcher, trees[other], counts + other * COUNTERS)
            if counted[k] and counted[other] and most_alike(
                    left, right, in_common(counts + k * COUNTERS, counts + other * COUNTERS)) < rules.similarity:
                continue
            linked = True
            merged = group[other]
            for own in range(k):
                if group[own] == merged:
                    group[own] = k
    if linked:
        for k in range(count):
            for other in range(k):
                alike[k * (k - 1) // 2 + other] = 0 if group[k] != group[other] else likeness(
                    work, matcher, trees[k], trees[k] + page.size[trees[k]], trees[other],
                    trees[other] + page.size[trees[other]])
    return linked


cdef void cluster_places(const PageArrays *page, const Rules *rules, Work *work, Matcher *matcher, Siblings *siblings,
                         int64_t *pairs_left) noexcept nogil:
    """Fill in `by_tag` and `by_tree`."""
    cdef int32_t number, own, kind, other, k, place, pairs
    cdef int32_t leader[KINDS]
    cdef int32_t kinds[KINDS]
    cdef int32_t trees[KINDS]
    cdef double weight[KINDS]
    cdef double table[KINDS * KINDS]
    cdef double alike[KINDS * KINDS]
    cdef int32_t *tag_symbol = work.symbols
    cdef int32_t *tree_symbol = work.symbols + work.places
    read_sequence(siblings, work.label, work.class_id, 0, work.places, work.sequences)
    for number in range(siblings.label_count):
        own = siblings.labels[number]
        kind = siblings.first_kind[own]
        pairs = pairs_of(siblings, own, pairs_left[0])
        pairs_left[0] -= pairs
        if pairs == 0 and siblings.kinds_of_label[own] > 1:
            work.met |= CLUSTERS_MET
        k = 0
        while kind != NONE:
            tag_symbol[kind] = tree_symbol[kind] = siblings.place[siblings.first_kind[own]]
            if pairs:
                kinds[k] = kind
                weight[k] = siblings.count[kind]
                trees[k] = work.child[siblings.place[kind]]
                tree_symbol[kind] = siblings.place[kind]
                k += 1
            kind = siblings.following[kind]
        if k and read_likeness(page, rules, work, matcher, trees, k, alike):
            average_linkage(alike, rules.similarity, k, weight, table, leader)
            for other in range(k):
                tree_symbol[kinds[other]] = siblings.place[kinds[leader[other]]]
    for place in range(work.places):
        kind = siblings.kind_of_class[work.class_id[place]]
        work.by_tag[place] = tag_symbol[kind]
        work.by_tree[place] = tree_symbol[kind]


cdef void find_lone_nodes(Work *work) noexcept nogil:
    """Add the nodes that are alone with their tag among the siblings that have content."""
    cdef int32_t place
    for place in range(work.places):
        work.lone[work.lone_count] = work.child[place]
        work.lone_count += not work.separator[place] and work.seen_places[work.label[place]] == 1


cdef int cut_places(const PageArrays *page, Work *work, Found *found, Region *region) except -1 nogil:
    """All candidates of the sequence, by either way to cluster; where both are the same, once."""
    cdef int64_t record = found.records
    cdef int32_t last
    region.separator = work.separator
    region.sequence = work.sequences
    region.symbol = work.by_tag
    begin_sequence(found, region, 0, work.places)
    cut_sequence(found, region, 0, work.places)
    if memcmp(work.by_tag, work.by_tree, work.places * sizeof(int32_t)) != 0:
        region.symbol = work.by_tree
        cut_sequence(found, region, 0, work.places)
    # From places to nodes: the places of the next sequence are others.
    while record < found.records:
        last = work.child[found.place[2 * record + 1] - 1]
        found.place[2 * record] = work.child[found.place[2 * record]]
        found.place[2 * record + 1] = last + page.size[last]
        record += 1
    return 0


cdef inline bint has_content(const PageArrays *page, const Work *work, int32_t node) noexcept nogil:
    return work.before[node + page.size[node]] > work.before[node]


cdef int read_children(const PageArrays *page, Work *work, int32_t node) except -1 nogil:
    """Make the children of a node the sequence at hand; says whether two that have content have one tag."""
    cdef int32_t child = node + 1, end = node + page.size[node], label
    cdef bint repeats = False
    work.places = 0
    while child < end:
        if page.parent[child] != node:
            with gil:
                raise ValueError("the arrays are not those of a page")
        label = work.tag_path[child]
        if work.last_sequence[label] != work.sequences + 1:
            work.last_sequence[label] = work.sequences + 1
            work.seen_places[label] = 0
        work.child[work.places] = child
        work.label[work.places] = label
        work.class_id[work.places] = page.structural_class[child]
        work.separator[work.places] = not has_content(page, work, child)
        work.seen_places[label] += not work.separator[work.places]
        repeats |= work.seen_places[label] > 1
        work.places += 1
        child += page.size[child]
    return repeats


cdef int copy_model(const PageArrays *page, Work *work, int32_t node, int64_t *pairs_left, Found *found) except -1 nogil:
    """Cut the children of a node as those of an earlier node with an equal tree were cut, where these have content too;
    says whether there was one."""
    cdef const Model *model
    cdef int32_t shift, child = node + 1, end = node + page.size[node], k
    if work.model_of[page.structural_class[node]] == 0:
        return False
    model = &work.models[work.model_of[page.structural_class[node]] - 1]
    shift = node - model.node
    if model.pairs > pairs_left[0] or page.size[node] != page.size[model.node]:
        return False
    while child < end:
        if page.parent[child] != node:
            with gil:
                raise ValueError("the arrays are not those of a page")
        if has_content(page, work, child) != has_content(page, work, child - shift):
            return False
        child += page.size[child]
    pairs_left[0] -= model.pairs
    for k in range(model.lone, model.lone_end):
        work.lone[work.lone_count] = work.lone[k] + shift
        work.lone_count += 1
    copy_candidates(found, model.candidates, model.candidates_end, work.sequences, shift)
    return True


cdef int cut_children(const PageArrays *page, const Rules *rules, Work *work, Matcher *matcher, Siblings *siblings,
                      int32_t node, int64_t *pairs_left, Found *found, Region *region) except -1 nogil:
    """Cluster and cut the children of a node."""
    cdef Model *model
    if copy_model(page, work, node, pairs_left, found):
        return 0
    model = &work.models[work.model_count]
    work.model_count += 1
    work.model_of[page.structural_class[node]] = work.model_count
    model.node = node
    model.pairs = pairs_left[0]
    model.candidates = <int32_t>found.candidates
    model.lone = work.lone_count
    # Where no tag repeats there is nothing to cut: the most alike are those of one tag.
    if read_children(page, work, node):
        cluster_places(page, rules, work, matcher, siblings, pairs_left)
        cut_places(page, work, found, region)
    find_lone_nodes(work)
    model.pairs -= pairs_left[0]
    model.candidates_end = <int32_t>found.candidates
    model.lone_end = work.lone_count
    return 0


cdef int cut(const PageArrays *page, const Rules *rules, Work *work, Matcher *matcher, Found *found,
             Region *region) except -1 nogil:
    """Cluster and cut the children of all nodes whose tag path has enough of the content, one sequence at a time: what
    is known of it stays in the cache."""
    cdef int32_t node, k, inner_count = 0
    cdef int32_t *inner = work.inner        # the nodes that have children, and content
    cdef double content, enough = rules.coverage * work.total
    cdef double *of_path = <double *>work.table
    cdef int64_t pairs_left = rules.pairs
    cdef Siblings siblings
    memset(of_path, 0, work.paths * sizeof(double))
    for node in range(page.body, page.body_end):
        content = work.before[node + page.size[node]] - work.before[node]
        of_path[work.tag_path[node]] += content
        inner[inner_count] = node
        inner_count += (page.size[node] > 1) & (content > 0)
    work.sequences = work.lone_count = 0
    work.model_count = 0
    memset(work.model_of, 0, work.classes * sizeof(int32_t))
    memset(work.last_sequence, 0, work.paths * sizeof(int32_t))
    open_siblings(&siblings, work.classes, work.paths, page.count)
    try:
        for k in range(inner_count):
            node = inner[k]
            if of_path[work.tag_path[node]] < enough:
                continue
            if page.size[node + 1] == page.size[node] - 1:
                # A single child, which has the content.
                work.lone[work.lone_count] = node + 1
                work.lone_count += 1
            else:
                cut_children(page, rules, work, matcher, &siblings, node, &pairs_left, found, region)
            work.sequences += 1
    finally:
        free(siblings.block)
    if found.left_out:
        work.met |= SEGMENTATION_MET
    return 0


# Sets


cdef void measure(const Rules *rules, Work *work, Matcher *matcher, Sets *sets, Set *own) noexcept nogil:
    """Fill in the likeness of neighbours that is not known yet, leave out odd records at the ends of a set, and fill
    in its quality."""
    cdef const int32_t *records = sets.records
    cdef int32_t record, first, end, model = own.model
    cdef int64_t count = 0, different = 0
    for record in range(own.lo, own.hi - 1):
        if sets.to_next[record] < 0:
            sets.to_next[record] = sets.to_next[model] if model != NONE and sets.to_next[model] >= 0 else likeness(
                work, matcher, records[2 * record], records[2 * record + 1], records[2 * record + 2],
                records[2 * record + 3])
        if model != NONE:
            sets.to_next[model] = sets.to_next[record]
            model += 1
    own.left_out = own.hi - own.lo
    leave_out_odd_ends(records, sets.to_next, work.before, rules.oddness, &own.lo, &own.hi)
    own.left_out -= own.hi - own.lo
    own.coverage = 0
    for record in range(own.lo, own.hi):
        own.coverage += work.before[records[2 * record + 1]] - work.before[records[2 * record]]
    own.coverage /= work.total
    own.similarity = similarity_of(records, sets.to_next, work.before, own.lo, own.hi)
    for record in range(own.lo, own.hi):
        first = work.seen_before[records[2 * record]]
        end = work.seen_before[records[2 * record + 1]]
        count += end - first
        if end - first < 2:
            sets.different[record] = end - first
        elif sets.different[record] == NONE and work.reads >= 0:
            # Sets within sets are read at every level: a page of deep levels is not to be read hundreds of times.
            work.reads -= end - first
            work.turn += 1
            sets.different[record] = different_of(work.items, first, end, work.stamp, work.turn)
        different += sets.different[record]
    if work.reads < 0:
        work.met |= VARIETY_MET
    own.variety = 0 if work.reads < 0 else variety_of(count, different, own.hi - own.lo, rules.full)
    own.quality = own.coverage * own.similarity * own.variety
    own.is_measured = True


cdef inline double most_variety(const Rules *rules, int32_t most) noexcept nogil:
    """No less than the variety of records of which none has more than so many items."""
    return min(1.0, most / rules.full) ** 2 * ROUNDED


cdef Set *add_set(const Work *work, Sets *sets, int64_t kind, int64_t sequence, int32_t lo, int32_t hi,
                  int32_t form) noexcept nogil:
    """Add a set to those of its kind. Its coverage is that of all of its records, with the odd ones."""
    cdef Set *own = &sets.of[sets.count]
    cdef Kind *group = &sets.kinds[kind]
    cdef int32_t record, begin, end
    own.kind = kind
    own.sequence = sequence
    own.number = sets.count
    own.form = form
    own.parts = 1
    own.left_out = own.added = 0
    own.lo = lo
    own.hi = hi
    own.model = NONE
    own.is_measured = False
    own.following = NONE
    own.quality = own.coverage = own.similarity = own.variety = 0
    own.most_items = 0
    for record in range(lo, hi):
        begin = sets.records[2 * record]
        end = sets.records[2 * record + 1]
        own.coverage += work.before[end] - work.before[begin]
        own.most_items = max(own.most_items, work.seen_before[end] - work.seen_before[begin])
    own.coverage /= work.total
    if group.first == NONE:
        group.first = sets.count
    else:
        sets.of[group.last].following = sets.count
    group.last = sets.count
    sets.count += 1
    return own


cdef void add_candidates(const Rules *rules, Work *work, const Found *found,
                         Sets *sets) noexcept nogil:
    """Make sets of the candidates, which are measured later, if at all."""
    cdef int32_t number, record, lo, hi
    cdef int64_t kind
    cdef Set *own
    memcpy(sets.records, found.place, 2 * found.records * sizeof(int32_t))
    for record in range(<int32_t>found.records):
        sets.to_next[record] = NONE
        sets.different[record] = NONE
    sets.record_count = <int32_t>found.records
    for number in range(<int32_t>found.candidates):
        lo = found.candidate[number].first
        hi = sets.record_count if number + 1 == found.candidates else found.candidate[number + 1].first
        # Sets whose records begin at the same tag path may be joined: single nodes with single page, runs with runs.
        kind = 2 * <int64_t>work.tag_path[found.place[2 * lo]] + (found.candidate[number].form != SINGLE)
        own = add_set(work, sets, kind, found.candidate[number].sequence, lo, hi, found.candidate[number].form)
        if found.candidate[number].model != NONE:
            own.model = found.candidate[found.candidate[number].model].first
        own.quality = own.coverage * most_variety(rules, own.most_items)
        if own.quality > 0 and own.coverage * ROUNDED >= rules.coverage:
            offer(sets, own.quality, own.number, <int32_t>own.number, False)


cdef void add_lone_nodes(const PageArrays *page, Work *work, Sets *sets) noexcept nogil:
    """Add the lone page, where others with their tag path are records elsewhere."""
    cdef int32_t k, node
    cdef int64_t kind
    cdef Set *own
    for k in range(work.lone_count):
        node = work.lone[k]
        kind = 2 * <int64_t>work.tag_path[node]
        if sets.kinds[kind].first == NONE:
            continue
        sets.records[2 * sets.record_count] = node
        sets.records[2 * sets.record_count + 1] = node + page.size[node]
        sets.different[sets.record_count] = NONE
        sets.record_count += 1
        own = add_set(work, sets, kind, <int64_t>work.sequences + 1 + k, sets.record_count - 1, sets.record_count,
                      SINGLE)
        own.is_measured = True


# What may be chosen next, as a heap (Williams 1964)


cdef inline bint is_better(const Offer *one, const Offer *other) noexcept nogil:
    """Of equals, what is not measured yet comes first, and then what was made first."""
    if one.bound != other.bound:
        return one.bound > other.bound
    if one.is_exact != other.is_exact:
        return other.is_exact
    return one.number < other.number


cdef void offer(Sets *sets, double bound, int64_t number, int32_t own, bint is_exact) noexcept nogil:
    cdef Offer *heap = sets.offers
    cdef Offer added
    cdef int32_t k = sets.offer_count
    added.bound = bound
    added.number = number
    added.own = own
    added.is_exact = is_exact
    sets.offer_count += 1
    while k and is_better(&added, &heap[(k - 1) // 2]):
        heap[k] = heap[(k - 1) // 2]
        k = (k - 1) // 2
    heap[k] = added


cdef Offer best_offer(Sets *sets) noexcept nogil:
    """Take the best one from the heap, which is not empty."""
    cdef Offer *heap = sets.offers
    cdef Offer best = heap[0], last
    cdef int32_t k = 0, below
    sets.offer_count -= 1
    last = heap[sets.offer_count]
    while True:
        below = 2 * k + 1
        if below >= sets.offer_count:
            break
        if below + 1 < sets.offer_count and is_better(&heap[below + 1], &heap[below]):
            below += 1
        if not is_better(&heap[below], &last):
            break
        heap[k] = heap[below]
        k = below
    heap[k] = last
    return best


cdef void offer_set(const Rules *rules, Sets *sets, const Set *own) noexcept nogil:
    """Offer a set that was measured, if it has enough content."""
    if own.quality > 0 and own.coverage >= rules.coverage:
        offer(sets, own.quality, own.number, <int32_t>(own - sets.of), True)


cdef bint is_taken(const Sets *sets, const Set *own, const uint8_t *taken) noexcept nogil:
    """Whether a set shares a node with a chosen one; the ends of one that is not measured may be left out of it."""
    cdef bint one_less = not own.is_measured and own.hi - own.lo > 2
    cdef int32_t lo = own.lo + one_less, hi = own.hi - one_less, record, first = sets.records[2 * lo]
    # Most sets are within a chosen one or apart from all.
    if taken[first]:
        return True
    if memchr(taken + first, 1, sets.records[2 * hi - 1] - first) == NULL:
        return False
    for record in range(lo, hi):
        first = sets.records[2 * record]
        if memchr(taken + first, 1, sets.records[2 * record + 1] - first) != NULL:
            return True
    return False


# Joined sets


cdef double bound_of_kind(const Rules *rules, const Sets *sets, const Kind *group,
                          const uint8_t *taken) noexcept nogil:
    """No less than the quality of what the sets of a kind are joined to, or 0 if nothing can be chosen of it.

    One set of a sequence is joined, and none that shares a node with what is taken can be chosen. NULL stands for
    nothing taken.
    """
    cdef int32_t k = group.first, parts = 0, most_items = 0
    cdef int64_t sequence = NONE
    cdef double coverage = 0, most = 0
    while k != NONE:
        if taken == NULL or not is_taken(sets, &sets.of[k], taken):
            if sets.of[k].sequence != sequence:
                sequence = sets.of[k].sequence
                coverage += most
                most = 0
                parts += 1
            most = max(most, sets.of[k].coverage)
            most_items = max(most_items, sets.of[k].most_items)
        k = sets.of[k].following
    coverage += most
    return coverage * most_variety(rules, most_items) if parts > 1 and coverage * ROUNDED >= rules.coverage else 0


cdef int32_t sets_to_join(const Rules *rules, Work *work, Matcher *matcher, Sets *sets,
                          const Kind *group) noexcept nogil:
    """Measure the sets of a kind, and list the best one of every sequence in order of the nodes; says how many."""
    cdef int32_t k = group.first, count = 0
    cdef Set *own
    cdef Set *last = NULL
    while k != NONE:
        own = &sets.of[k]
        if not own.is_measured:
            measure(rules, work, matcher, sets, own)
        if last != NULL and last.sequence == own.sequence:
            if own.quality > last.quality:
                sets.of_kind[count - 1] = own
                last = own
        else:
            sets.of_kind[count] = own
            count += 1
            last = own
        k = own.following
    return count


cdef void sort_by_node(const Sets *sets, Set **of_kind, int32_t count, Set **spare) noexcept nogil:
    """Merge the two halves, which are in order: sets that were cut, and lone nodes.

    Records of one kind are at one depth below different parents, so that they never overlap.
    """
    cdef int32_t lone = 0, cut = 0, k, written = 0
    while lone < count and of_kind[lone].hi - of_kind[lone].lo > 1:
        lone += 1
    if lone == 0 or lone == count:
        return
    memcpy(spare, of_kind, lone * sizeof(Set *))
    k = lone
    while cut < lone:
        if k < count and sets.records[2 * of_kind[k].lo] < sets.records[2 * spare[cut].lo]:
            of_kind[written] = of_kind[k]
            k += 1
        else:
            of_kind[written] = spare[cut]
            cut += 1
        written += 1


cdef int32_t join_around_best(const Rules *rules, Work *work, Matcher *matcher, Sets *sets, int32_t count,
                              int64_t number) noexcept nogil:
    """Make one set of all sets of a kind that are similar to the best one; of each, the middle record is compared.

    The others are moved to the front, in their order; says how many there are.
    """
    cdef Set **of_kind = sets.of_kind
    cdef Set *best = of_kind[0]
    cdef Set *joined = &sets.of[sets.count]
    cdef Set *own
    cdef int32_t k, middle, of_best, parts = 0, left = 0, size = 0
    for k in range(1, count):
        if of_kind[k].quality > best.quality or (
                of_kind[k].quality == best.quality and of_kind[k].number < best.number):
            best = of_kind[k]
    of_best = (best.lo + best.hi) // 2
    joined.lo = sets.record_count
    for k in range(count):
        own = of_kind[k]
        middle = (own.lo + own.hi) // 2
        if are_alike(rules, work, matcher, sets.records + 2 * of_best, sets.records + 2 * middle):
            size = own.hi - own.lo
            memcpy(sets.records + 2 * sets.record_count, sets.records + 2 * own.lo, 2 * size * sizeof(int32_t))
            memcpy(sets.to_next + sets.record_count, sets.to_next + own.lo, size * sizeof(double))
            memcpy(sets.different + sets.record_count, sets.different + own.lo, size * sizeof(int32_t))
            sets.record_count += size
            sets.to_next[sets.record_count - 1] = NONE
            parts += 1
        elif own != best:
            of_kind[left] = own
            left += 1
    if parts < 2:
        sets.record_count = joined.lo
        return left
    joined.hi = sets.record_count
    joined.number = number
    joined.kind = best.kind
    joined.sequence = joined.following = joined.model = NONE
    joined.form = best.form
    joined.parts = parts
    joined.added = 0
    sets.count += 1
    measure(rules, work, matcher, sets, joined)
    offer_set(rules, sets, joined)
    return left


cdef bint are_alike(const Rules *rules, Work *work, Matcher *matcher, const int32_t *one,
                    const int32_t *other) noexcept nogil:
    """Whether two records are similar."""
    cdef int32_t left = one[1] - one[0], right = other[1] - other[0]
    return most_alike(left, right, min(left, right)) >= rules.similarity and (
        likeness(work, matcher, one[0], one[1], other[0], other[1]) >= rules.similarity)


cdef void join(const Rules *rules, Work *work, Matcher *matcher, Sets *sets, int64_t kind) noexcept nogil:
    """Add the joined sets of a kind: of the best set of every sequence, around the best one, the best one left, ..."""
    cdef int32_t left = sets_to_join(rules, work, matcher, sets, &sets.kinds[kind]), turn
    sort_by_node(sets, sets.of_kind, left, sets.of_kind + left)
    for turn in range(JOINED):
        if left > 1:
            # Joined sets come after all others, in order of their kinds.
            left = join_around_best(rules, work, matcher, sets, left, (kind + 1) * JOINED + turn + (<int64_t>1 << 40))


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


cdef inline double letters_of(const PageArrays *page, const Work *work, int32_t node) noexcept nogil:
    return work.before[node + page.size[node]] - work.before[node]


cdef void count_items(Work *work, const Sets *sets, Gathering *gathering) noexcept nogil:
    """Count the records that have an item at a tag path."""
    cdef int32_t record, node, path, count = gathering.own.hi - gathering.own.lo
    gathering.core = 0
    for record in range(gathering.own.lo, gathering.own.hi):
        work.turn += 1
        for node in range(sets.records[2 * record], sets.records[2 * record + 1]):
            path = work.tag_path[node]
            if work.seen_before[node + 1] > work.seen_before[node] and gathering.last_seen[path] != work.turn:
                gathering.last_seen[path] = work.turn
                gathering.holders[path] += 1
                gathering.core += 2 * gathering.holders[path] >= count > 2 * (gathering.holders[path] - 1)


cdef void forget_items(const Work *work, const Sets *sets, Gathering *gathering) noexcept nogil:
    cdef int32_t record, node
    if gathering.core != NONE:
        for record in range(gathering.own.lo, gathering.own.hi):
            for node in range(sets.records[2 * record], sets.records[2 * record + 1]):
                gathering.holders[work.tag_path[node]] = 0


cdef bint has_items(const PageArrays *page, Work *work, const Sets *sets, Gathering *gathering,
                    int32_t sibling) noexcept nogil:
    """Whether a sibling has most of the items that the records have in common, and few others."""
    cdef int32_t node, path, distinct = 0, known = 0, common = 0, count = gathering.own.hi - gathering.own.lo
    if gathering.core == NONE:
        count_items(work, sets, gathering)
    work.turn += 1
    for node in range(sibling, sibling + page.size[sibling]):
        path = work.tag_path[node]
        if work.seen_before[node + 1] > work.seen_before[node] and gathering.last_seen[path] != work.turn:
            gathering.last_seen[path] = work.turn
            distinct += 1
            known += gathering.holders[path] > 0
            common += 2 * gathering.holders[path] >= count
    return gathering.core > 0 and 4 * common >= 3 * gathering.core and 4 * known >= 3 * distinct


cdef bint is_wrapped(const PageArrays *page, const Rules *rules, Work *work, Matcher *matcher,
                     const Gathering *gathering, int32_t sibling, int32_t record) noexcept nogil:
    """Whether a sibling is a box around a node that is like a record, and has little else in it."""
    cdef double least = MOST_OF_BOX * letters_of(page, work, sibling)
    cdef int32_t inner = sibling, child, end
    for _level in range(BOXES):
        # The child that has most of the content.
        end = inner + page.size[inner]
        child = inner + 1
        while child < end and letters_of(page, work, child) < least:
            child += page.size[child]
        if child >= end:
            return False
        inner = child
        if page.tag[inner] == gathering.tag and likeness(
                work, matcher, inner, inner + page.size[inner], record,
                record + page.size[record]) >= rules.similarity:
            return True
    return False


cdef bint shares_class(const PageArrays *page, const Gathering *gathering, int32_t sibling) noexcept nogil:
    """Whether a sibling has all tokens that the first and the last record have in their class, if there are any."""
    cdef int32_t first = gathering.first_class, last = gathering.last_class
    cdef int32_t own = attribute_of(page, sibling, ATTRIBUTE_CLASS), shared = 0
    cdef Tokens tokens
    if first == NO_ENTRY or last == NO_ENTRY or own == NO_ENTRY:
        return False
    if max(value_length(page, first), value_length(page, own), value_length(page, last)) > LONGEST_CLASS:
        return False
    tokens = tokens_of(page, first)
    while next_token(&tokens):
        if has_token(tokens_of(page, last), tokens.token, tokens.length):
            shared += 1
            if not has_token(tokens_of(page, own), tokens.token, tokens.length):
                return False
    return shared > 0


cdef bint belongs(const PageArrays *page, const Rules *rules, Work *work, Matcher *matcher, const Sets *sets,
                  Gathering *gathering, int32_t sibling, int32_t record) noexcept nogil:
    """Whether a sibling is a record too; `record` is the last one before it, or NONE where it is not among them."""
    cdef double letters = letters_of(page, work, sibling)
    if page.tag[sibling] == gathering.tag and gathering.styled and page.style_symbol[sibling] and (
            gathering.with_style[page.path_symbol[sibling]] == gathering.stamp) and (
            letters >= LEAST_STYLED * gathering.letters):
        return True
    if page.tag[sibling] == TEXT or letters < LEAST * gathering.letters:
        return False
    if page.tag[sibling] == gathering.tag and has_items(page, work, sets, gathering, sibling):
        return True
    if record == NONE:
        return False
    if page.tag[sibling] == gathering.tag and (
            2 * (work.seen_before[sibling + page.size[sibling]] - work.seen_before[sibling]) >= gathering.items) and (
            2 * letters >= gathering.letters) and shares_class(page, gathering, sibling):
        return True
    return is_wrapped(page, rules, work, matcher, gathering, sibling, record)


cdef void gather(const PageArrays *page, const Rules *rules, Work *work, Matcher *matcher, Sets *sets, Set *own,
                 int32_t stamp, const uint8_t *taken) noexcept nogil:
    """Add to a chosen set of single nodes the siblings that belong to it, though their trees differ.

    These have the tag and the style of the records, or most of their items; or, among the records, are a box
    around a node that is like one (an indented result, a sponsored one).
    """
    cdef Gathering gathering
    cdef int32_t record, first, last, up, sibling, before, found = 0, k
    cdef double letters = 0, items = 0
    gathering.tag = page.tag[sets.records[2 * own.lo]]
    if own.form != SINGLE or gathering.tag == TEXT:
        return
    gathering.own = own
    gathering.stamp = stamp
    gathering.with_style = work.by_tree
    gathering.holders = work.by_tag
    gathering.last_seen = work.label
    gathering.found = work.class_id
    gathering.core = NONE
    gathering.styled = True
    gathering.first_class = attribute_of(page, sets.records[2 * own.lo], ATTRIBUTE_CLASS)
    gathering.last_class = attribute_of(page, sets.records[2 * own.hi - 2], ATTRIBUTE_CLASS)
    for record in range(own.lo, own.hi):
        first = sets.records[2 * record]
        letters += letters_of(page, work, first)
        items += work.seen_before[first + page.size[first]] - work.seen_before[first]
        gathering.styled &= page.style_symbol[first] != 0
        gathering.with_style[page.path_symbol[first]] = gathering.stamp
    gathering.letters = letters / (own.hi - own.lo)
    gathering.items = items / (own.hi - own.lo)
    first = own.lo
    while first < own.hi:
        # The records of one parent.
        up = page.parent[sets.records[2 * first]]
        last = first
        while last + 1 < own.hi and page.parent[sets.records[2 * last + 2]] == up:
            last += 1
        record = first
        before = NONE
        sibling = up + 1
        while sibling < up + page.size[up]:
            if record <= last and sibling == sets.records[2 * record]:
                before = sibling
                record += 1
            elif letters_of(page, work, sibling) > 0 and (
                    memchr(taken + sibling, 1, page.size[sibling]) == NULL) and belongs(
                    page, rules, work, matcher, sets, &gathering, sibling, before if record <= last else NONE):
                gathering.found[found] = sibling
                found += 1
            sibling += page.size[sibling]
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
        sets.records[2 * sets.record_count + 1] = sibling + page.size[sibling]
        sets.record_count += 1
    own.lo = first
    own.hi = sets.record_count
    own.added = found


cdef int32_t choose(const PageArrays *page, const Rules *rules, Work *work, Matcher *matcher, Sets *sets, int32_t *chosen,
                    uint8_t *taken) noexcept nogil:
    """Write the sets with enough content, the best one first, without those that share a node with a better one; says
    how many there are. `taken` has a zero for each node.

    A set is measured once no other may be better, and sets are joined when what they may give is next: most of them
    share a node with what is taken by then (lazy evaluation of a greedy choice, Minoux 1978).
    """
    cdef int32_t count = 0, record, first
    cdef int64_t kind
    cdef double bound
    cdef Offer best
    cdef Set *own
    for kind in range(sets.kind_count):
        if sets.kinds[kind].first != sets.kinds[kind].last:
            bound = bound_of_kind(rules, sets, &sets.kinds[kind], NULL)
            if bound > 0:
                offer(sets, bound, kind, NONE, False)
    # Where the places were, what is gathered is counted.
    memset(work.by_tree, 0, work.styled_paths * sizeof(int32_t))
    memset(work.by_tag, 0, work.paths * sizeof(int32_t))
    memset(work.label, 0, work.paths * sizeof(int32_t))
    while sets.offer_count:
        best = best_offer(sets)
        if best.own == NONE:
            kind = best.number
            sets.kinds[kind].bounded += 1
            bound = bound_of_kind(rules, sets, &sets.kinds[kind], taken)
            if bound > 0 and bound < best.bound and sets.kinds[kind].bounded < BOUNDED:
                offer(sets, bound, kind, NONE, False)
            elif bound > 0:
                join(rules, work, matcher, sets, kind)
            continue
        own = &sets.of[best.own]
        if is_taken(sets, own, taken):
            continue
        if not best.is_exact:
            if not own.is_measured:
                measure(rules, work, matcher, sets, own)
            offer_set(rules, sets, own)
            continue
        if count < GATHERED:
            gather(page, rules, work, matcher, sets, own, count + 1, taken)
        else:
            work.met |= SIBLINGS_MET
        for record in range(own.lo, own.hi):
            first = sets.records[2 * record]
            memset(taken + first, 1, sets.records[2 * record + 1] - first)
        chosen[count] = best.own
        count += 1
    return count


# Calls


cdef int open_work(Work *work, int32_t n, double *before) except -1:
    """Take the memory of a page: one block. The array `before` is in it unless it is given."""
    # The table starts where the arrays end, whose lengths are multiples of 16 bytes.
    cdef size_t room = <size_t>n + 1, row = (room * sizeof(int32_t) + 15) & ~<size_t>15
    cdef char *at
    at = <char *>take(21 * row + size_of_numbers(room) + room * sizeof(Model) + 16)
    if at == NULL:
        raise MemoryError("no memory for the nodes of a page")
    work.block = at
    work.before = <double *>piece(&at, 2 * row)
    if before != NULL:
        work.before = before
    work.tag_path = <int32_t *>piece(&at, row)
    work.seen_before = <int32_t *>piece(&at, row)
    work.seen = <int32_t *>piece(&at, row)
    work.items = <int32_t *>piece(&at, row)
    work.stamp = <int32_t *>piece(&at, 2 * row)
    work.inner = <int32_t *>piece(&at, row)
    work.lone = <int32_t *>piece(&at, row)
    work.child = <int32_t *>piece(&at, row)
    work.label = <int32_t *>piece(&at, row)
    work.class_id = <int32_t *>piece(&at, row)
    work.by_tag = <int32_t *>piece(&at, row)
    work.by_tree = <int32_t *>piece(&at, row)
    work.symbols = <int32_t *>piece(&at, 2 * row)
    work.separator = <uint8_t *>piece(&at, row)
    work.last_sequence = <int32_t *>piece(&at, row)
    work.seen_places = <int32_t *>piece(&at, row)
    work.model_of = <int32_t *>piece(&at, row)
    work.models = <Model *>piece(&at, room * sizeof(Model))
    work.table = at
    return 0


cdef int open_sets(Sets *sets, size_t records, size_t count, size_t kinds) except -1 nogil:
    """Take the memory of all sets: of `count` that are cut or single, and of those that they are joined to."""
    cdef char *at = <char *>take(
        2 * count * (sizeof(Set) + sizeof(Offer) + sizeof(Set *)) + kinds * (sizeof(Kind) + sizeof(Offer))
        + records * (sizeof(double) + 3 * sizeof(int32_t)) + 128)
    cdef size_t kind
    if at == NULL:
        with gil:
            raise MemoryError("no memory for the sets of a page")
    sets.block = at
    sets.kinds = <Kind *>piece(&at, kinds * sizeof(Kind))
    sets.offers = <Offer *>piece(&at, (2 * count + kinds) * sizeof(Offer))
    sets.of_kind = <Set **>piece(&at, 2 * count * sizeof(Set *))
    sets.of = <Set *>piece(&at, 2 * count * sizeof(Set))
    sets.to_next = <double *>piece(&at, records * sizeof(double))
    sets.different = <int32_t *>piece(&at, records * sizeof(int32_t))
    sets.records = <int32_t *>at
    sets.count = sets.record_count = sets.offer_count = 0
    sets.kind_count = kinds
    for kind in range(kinds):
        sets.kinds[kind].first = sets.kinds[kind].last = NONE
        sets.kinds[kind].bounded = 0
    return 0


cdef int read_rules(Rules *known, rules) except -1:
    """Take over what the caller knows of names, and the constants."""
    (seen_as, known.letter, known.image, known.largest, known.spacer, known.oddness, known.full, known.budget,
     known.pairs) = rules
    if len(seen_as) == 0:
        raise ValueError("there are no rules for the nodes")
    known.seen_as = <const uint8_t *>held(seen_as, len(seen_as), 1)
    known.known = <int32_t>len(seen_as) - 1
    return 0


cdef find_sets(const PageArrays *page, Rules *known, Work *work, ranking.Page *ranked_page):
    """The chosen sets as arrays; ranked, if a page to read the features from is given."""
    cdef Matcher matcher
    cdef Found found
    cdef Region region
    cdef Sets sets
    cdef int32_t *chosen
    cdef uint8_t *taken
    cdef int32_t kept = 0
    memset(&found, 0, sizeof(Found))
    memset(&region, 0, sizeof(Region))
    memset(&sets, 0, sizeof(Sets))
    start(&matcher, page.tag, page.size, page.structural_class, page.count, known.budget)
    try:
        # One section without the lock: to take it again may mean to wait for another thread.
        with nogil:
            read_nodes(page, known, work)
            open_candidates(&found, &region, page.count)
            cut(page, known, work, &matcher, &found, &region)
            # Of joined sets there are half as many, with as many records; what is gathered has all nodes.
            open_sets(&sets, 2 * (<size_t>found.records + work.lone_count) + page.count,
                      <size_t>found.candidates + work.lone_count + 1, 2 * <size_t>work.paths)
            # The table of tag paths has done its work.
            chosen = <int32_t *>work.table
            taken = <uint8_t *>(chosen + page.count)
            memset(taken, 0, page.count)
            add_candidates(known, work, &found, &sets)
            if sets.count:
                add_lone_nodes(page, work, &sets)
                matcher.budget = 3 * known.budget
                kept = choose(page, known, work, &matcher, &sets, chosen, taken)
        return copied(&sets, chosen, kept) if ranked_page == NULL else ranked(
            page, work, ranked_page, &sets, chosen, kept)
    finally:
        put_back(sets.block)
        close_candidates(&found, &region)
        stop(&matcher)


cdef limits_of(const Work *work):
    """The names of the limits that were met."""
    cdef int k
    return tuple([name for k, name in enumerate(LIMITS) if work.met >> k & 1]) if work.met else ()


cdef copy_records(const Sets *sets, const int32_t *chosen, int32_t kept, int32_t *first):
    """The records of the chosen sets, one after the other; writes where those of each set begin."""
    cdef int32_t k
    cdef const Set *own
    cdef int32_t *records
    first[0] = 0
    for k in range(kept):
        first[k + 1] = first[k] + sets.of[chosen[k]].hi - sets.of[chosen[k]].lo
    array = empty((first[kept], 2), INT32)
    records = <int32_t *>data_of(array)
    for k in range(kept):
        own = &sets.of[chosen[k]]
        memcpy(records + 2 * first[k], sets.records + 2 * own.lo, 2 * (own.hi - own.lo) * sizeof(int32_t))
    return array


cdef copied(const Sets *sets, const int32_t *chosen, int32_t kept):
    """The chosen sets as arrays."""
    cdef int32_t k
    cdef const Set *own
    first = empty(kept + 1, INT32)
    score_array = empty((kept, 3), FLOAT64)
    cut_array = empty((kept, 4), INT32)
    cdef double *scores = <double *>data_of(score_array)
    cdef int32_t *cuts = <int32_t *>data_of(cut_array)
    records = copy_records(sets, chosen, kept, <int32_t *>data_of(first))
    for k in range(kept):
        own = &sets.of[chosen[k]]
        scores[3 * k] = own.coverage
        scores[3 * k + 1] = own.similarity
        scores[3 * k + 2] = own.variety
        cuts[4 * k] = own.form
        cuts[4 * k + 1] = own.parts
        cuts[4 * k + 2] = own.left_out
        cuts[4 * k + 3] = own.added
    return records, first, score_array, cut_array


cdef ranked(const PageArrays *page, Work *work, ranking.Page *ranked_page, const Sets *sets, const int32_t *chosen, int32_t kept):
    """The records of the chosen sets; the sets in order of their rank, each with where its records begin and end, its
    rank, its confidence and its number; and what they were cut and ranked by, a row each."""
    # The arrays behind `items` have done their work.
    cdef char *at = <char *>work.stamp
    cdef uint8_t *within = <uint8_t *>piece(&at, page.count)
    cdef int32_t *first = <int32_t *>piece(&at, (kept + 1) * sizeof(int32_t))
    cdef double *sums = <double *>piece(&at, 2 * kept * sizeof(double))
    cdef const int32_t *spans
    cdef double *row
    cdef const Set *own
    cdef int32_t k
    records = copy_records(sets, chosen, kept, first)
    why = empty((kept, REASONS + ranking.COLUMNS), FLOAT64)
    row = <double *>data_of(why)
    if kept == 0:
        return records, [], why
    for k in range(kept):
        own = &sets.of[chosen[k]]
        row[0] = own.coverage
        row[1] = own.similarity
        row[2] = own.variety
        row[3] = own.form
        row[4] = own.parts
        row[5] = own.left_out
        row[6] = own.added
        row += REASONS + ranking.COLUMNS
    row = <double *>data_of(why)
    ranked_page.tag = page.tag
    ranked_page.parent = page.parent
    ranked_page.text_start = page.text_start
    ranked_page.text = page.text
    ranked_page.before = work.before
    ranked_page.seen_before = work.seen_before
    ranked_page.seen = work.seen
    ranked_page.n = page.count
    ranked_page.total = work.total
    spans = <const int32_t *>data_of(records)
    with nogil:
        ranking.read_page(ranked_page, within)
        ranking.read_features(ranked_page, spans, first, kept, row, REASONS + ranking.COLUMNS, at, row + REASONS,
                              REASONS + ranking.COLUMNS, sums)
    order = [(first[k], first[k + 1], sums[k], 1 / (1 + exp(-max(sums[kept + k], -700.0))), k) for k in range(kept)]
    order.sort(key=RANK, reverse=True)
    return records, order, why


def best_sets(NativePage native not None, rules not None, double similarity, double coverage):
    """The best sets of records of a page; see `record_sets.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef Rules known
    cdef Work work
    read_rules(&known, rules)
    need_symbols(native)
    need_classes(native)
    known.similarity = similarity
    known.coverage = coverage
    before = empty(page.count + 1, FLOAT64)
    open_work(&work, page.count, <double *>data_of(before))
    try:
        return *find_sets(page, &known, &work, NULL), before, limits_of(&work)
    finally:
        put_back(work.block)


def ranked_sets(NativePage native not None, rules not None, double similarity, double coverage, ranking_rules not None):
    """The best sets of records of a page, ranked; see `record_sets.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef Rules known
    cdef Work work
    cdef ranking.Page ranked_page
    read_rules(&known, rules)
    ranking.read_rules(&ranked_page, ranking_rules)
    if ranked_page.rows != 2:
        raise ValueError("there are two rows of weights: for the order, and for the confidence")
    need_symbols(native)
    need_classes(native)
    known.similarity = similarity
    known.coverage = coverage
    open_work(&work, page.count, NULL)
    try:
        return *find_sets(page, &known, &work, &ranked_page), limits_of(&work)
    finally:
        put_back(work.block)


def measure_sets(NativePage native not None, rules not None, const int32_t[:, ::1] records not None,
                 const int32_t[::1] first not None):
    """The scores of given sets of records; see `record_sets.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef Rules known
    cdef Work work
    cdef Matcher matcher
    cdef Sets sets
    cdef Set own
    cdef Py_ssize_t count = first.shape[0] - 1, number, record
    read_rules(&known, rules)
    need_symbols(native)
    need_classes(native)
    if count < 0 or first[0] != 0 or first[count] != records.shape[0] or records.shape[1] != 2:
        raise ValueError("the sets do not cover the records")
    for number in range(count):
        if first[number] >= first[number + 1]:
            raise ValueError("a set has one record or more")
    for record in range(records.shape[0]):
        if not 0 <= records[record, 0] < records[record, 1] <= page.count:
            raise ValueError(f"a record is not within the {page.count} nodes")
    before = empty(page.count + 1, FLOAT64)
    scores = empty((count, 3), FLOAT64)
    cdef double *out = <double *>data_of(scores)
    if count == 0:
        return scores, before
    known.oddness = 0           # every record stays
    open_work(&work, page.count, <double *>data_of(before))
    try:
        start(&matcher, page.tag, page.size, page.structural_class, page.count,
              known.budget)
        try:
            open_sets(&sets, records.shape[0], 0, 0)
            try:
                memcpy(sets.records, &records[0, 0], 2 * records.shape[0] * sizeof(int32_t))
                for record in range(records.shape[0]):
                    sets.to_next[record] = NONE
                    sets.different[record] = NONE
                own.model = NONE
                with nogil:
                    read_nodes(page, &known, &work)
                    for number in range(count):
                        own.lo = first[number]
                        own.hi = first[number + 1]
                        measure(&known, &work, &matcher, &sets, &own)
                        out[3 * number] = own.coverage
                        out[3 * number + 1] = own.similarity if own.hi - own.lo > 1 else 0
                        out[3 * number + 2] = own.variety
            finally:
                put_back(sets.block)
        finally:
            stop(&matcher)
    finally:
        put_back(work.block)
    return scores, before
