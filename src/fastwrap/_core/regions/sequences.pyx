"""The children of every node, clustered and cut into candidate records in every way (AutoRM, Shi et al. 2015).
Clusters by tag and by tree; coarse regions, heads and separators. Nothing here is for Python."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memmove, memset

from fastwrap._core.common.page cimport PageArrays, subtree_end
from fastwrap._core.common.scratch cimport numbers, piece, reserve
from fastwrap._core.regions.autorm cimport (
    CLUSTERS_MET, NONE, SEGMENTATION_MET, RecordSearch, letters_of, likeness, most_alike,
)

cdef enum:
    KINDS = 32              # trees of one tag in a sequence: more of them are not compared
    COUNTERS = 32           # of the nodes of a tree, by tag path
    MOST_COUNTED = 65535    # nodes of a tree whose tag paths are counted
    UNTRIED = 2
    HEADS = 16              # symbols of a coarse region that are tried as heads: the most frequent ones
    SPLITS = 8              # runs of separators that a coarse region is split at: the first ones that differ


cdef struct Sequence:
    # The children of one node. A *place* is a number of one of them.
    int32_t number              # of the sequence, on its page
    int32_t places
    int32_t *child              # [places] the node
    uint8_t *separator          # [places] whether it has no content
    int32_t *by_tag             # [places] the first place of its cluster, by tag ...
    int32_t *by_tree            # [places] ... and by tree


cdef struct Kind:
    # A structural class among the children of a node.
    int32_t place               # its first place
    int32_t count               # its places
    int32_t following           # the next kind of its label, or NONE
    int32_t by_tag              # the first place of its cluster, by tag ...
    int32_t by_tree             # ... and by tree


cdef struct KnownClass:
    int32_t sequence            # the last sequence that it was seen in, plus one ...
    int32_t kind                # ... and its kind there
    int32_t model               # the last model of nodes of this class, plus one


cdef struct Label:
    # A tag path of children.
    int32_t sequence            # the last sequence that it was seen in, plus one, and there:
    int32_t shown               # its places that have content
    int32_t kinds               # how many kinds it has, ...
    int32_t first_kind          # ... the first one in order of their places ...
    int32_t last_kind           # ... and the last


cdef struct Symbol:
    # What is known of a symbol in its sequence. A symbol is the first place of a cluster.
    int32_t first           # the first one of its content places, ...
    int32_t last            # ... the last ...
    int32_t count           # ... and how many there are
    int32_t stamp           # that of the records that it was last seen in


cdef struct CoarseRegion:
    # Part of a sequence that is cut.
    const Sequence *sequence
    const int32_t *symbol   # place -> symbol
    Symbol *symbols         # by symbol
    int32_t begin
    int32_t end
    int32_t *heads          # its symbols with two content places or more, ...
    int32_t head_count      # ... in order of their first places
    int32_t stamp           # that of the records at hand
    int32_t *run_start      # the runs of separators
    int32_t *run_end
    int32_t *latest         # place -> the last candidate whose first record begins there, plus one


cdef struct Model:
    # What the children of a node were cut into, to be copied where the children are the same.
    int32_t node
    int64_t pairs               # of siblings that were compared
    int32_t candidates          # the first candidate and, ...
    int32_t candidates_end      # ... after them, the last one
    int32_t lone                # the same of lone nodes
    int32_t lone_end


cdef struct Cutting:
    # The cutting of a page: the sequence at hand, and what is kept from one sequence to the next.
    Sequence sequence
    CoarseRegion region
    Candidates *candidates
    Kind *kinds                 # those of the sequence, in order of their first places
    KnownClass *classes         # by structural class
    Label *labels               # by tag path
    int32_t *label_order        # the labels of the sequence, in order of their first places ...
    int32_t label_count         # ... and how many there are
    int64_t pairs_left          # of trees that may still be compared
    Model *models
    int32_t model_count


# Clusters

cdef void read_kinds(const RecordSearch *search, Cutting *cutting) noexcept nogil:
    """Fill in the kinds of the sequence at hand, which `read_children` has read."""
    cdef const Sequence *sequence = &cutting.sequence
    cdef int32_t stamp = sequence.number + 1, place, count = 0
    cdef KnownClass *known
    cdef Label *label
    cutting.label_count = 0
    for place in range(sequence.places):
        known = &cutting.classes[search.page.structural_class[sequence.child[place]]]
        if known.sequence == stamp:
            cutting.kinds[known.kind].count += 1
            continue
        known.sequence = stamp
        known.kind = count
        cutting.kinds[count].place = place
        cutting.kinds[count].count = 1
        cutting.kinds[count].following = NONE
        label = &cutting.labels[search.content.tag_path[sequence.child[place]]]
        if label.kinds:
            cutting.kinds[label.last_kind].following = count
        else:
            label.first_kind = count
            cutting.label_order[cutting.label_count] = search.content.tag_path[sequence.child[place]]
            cutting.label_count += 1
        label.kinds += 1
        label.last_kind = count
        count += 1


cdef inline bint count_paths(RecordSearch *search, int32_t node, uint16_t *counts) noexcept nogil:
    """Count the nodes of a tree by their tag path, of which some share a counter; returns whether it was done.

    A tree in a tree is counted again, so this is counted in the budget.
    """
    cdef int32_t k, size = search.page.size[node]
    cdef const int32_t *tag_path = search.content.tag_path
    if size > MOST_COUNTED or size > search.matcher.budget:
        return False
    search.matcher.budget -= size
    memset(counts, 0, COUNTERS * sizeof(uint16_t))
    for k in range(node, node + size):
        counts[tag_path[k] & (COUNTERS - 1)] += 1
    return True


cdef inline int32_t in_common(const uint16_t *one, const uint16_t *other) noexcept nogil:
    """No less than the nodes of two trees that a matching pairs: their tag paths are the same."""
    cdef int32_t k, common = 0
    for k in range(COUNTERS):
        common += min(one[k], other[k])
    return common


cdef bint read_likeness(RecordSearch *search, const int32_t *trees, int32_t count, double *alike) noexcept nogil:
    """Compare the trees that may come together in a cluster; returns whether there are any.

    A cluster is no more alike on average than two of its trees are: trees that are not linked by pairs of which
    each may be alike enough never come together, and what they have in common is of no account.
    """
    cdef const PageArrays *page = search.page
    cdef double similarity = search.options.similarity
    cdef uint16_t counts[KINDS * COUNTERS]
    cdef uint8_t counted[KINDS]     # whether the paths are counted, once that was tried
    cdef int32_t group[KINDS]
    cdef int32_t k, other, member, left, right, merged
    cdef bint linked = False
    for k in range(count):
        group[k] = k
        counted[k] = UNTRIED
        left = page.size[trees[k]]
        for other in range(k):
            right = page.size[trees[other]]
            if group[other] == k or most_alike(left, right, min(left, right)) < similarity:
                continue
            if counted[k] == UNTRIED:
                counted[k] = count_paths(search, trees[k], counts + k * COUNTERS)
            if counted[other] == UNTRIED:
                counted[other] = count_paths(search, trees[other], counts + other * COUNTERS)
            if counted[k] and counted[other] and most_alike(
                    left, right, in_common(counts + k * COUNTERS, counts + other * COUNTERS)) < similarity:
                continue
            linked = True
            merged = group[other]
            for member in range(k):
                if group[member] == merged:
                    group[member] = k
    if linked:
        for k in range(count):
            for other in range(k):
                alike[k * (k - 1) // 2 + other] = 0 if group[k] != group[other] else likeness(
                    search, trees[k], subtree_end(page, trees[k]), trees[other], subtree_end(page, trees[other]))
    return linked


cdef void average_linkage(const double *alike, double threshold, int32_t members, double *weight,
                          int32_t *leader) noexcept nogil:
    """Merge the two clusters that are most alike, until none are as alike as the threshold.

    `alike` has the pairs (1, 0), (2, 0), (2, 1), (3, 0), ... and `weight` how often a member occurs; `leader` receives
    the first member of each one's cluster (Kaufman & Rousseeuw 1990, 5.2).
    """
    cdef double table[KINDS * KINDS]
    cdef int32_t i, j, one, other
    cdef double best, together
    for i in range(members):
        leader[i] = i
        for j in range(i):
            table[i * members + j] = table[j * members + i] = alike[i * (i - 1) // 2 + j]
    while True:
        best = threshold
        one = NONE
        other = NONE
        for i in range(1, members):
            for j in range(i):
                if leader[i] == i and leader[j] == j and table[i * members + j] >= best and (
                        one == NONE or table[i * members + j] > best):
                    best = table[i * members + j]
                    one = j
                    other = i
        if one == NONE:
            return
        together = weight[one] + weight[other]
        for i in range(members):
            if leader[i] == other:
                leader[i] = one
            elif leader[i] == i and i != one:
                table[one * members + i] = (
                    weight[one] * table[one * members + i] + weight[other] * table[other * members + i]
                ) / together
                table[i * members + one] = table[one * members + i]
        weight[one] = together


cdef void cluster_places(RecordSearch *search, Cutting *cutting) noexcept nogil:
    """Fill in `by_tag` and `by_tree` of the sequence at hand."""
    cdef Sequence *sequence = &cutting.sequence
    cdef int32_t number, kind, k, count, place, pairs
    cdef const Label *label
    cdef Kind *kinds = cutting.kinds
    cdef int32_t compared[KINDS]
    cdef int32_t leader[KINDS]
    cdef int32_t trees[KINDS]
    cdef double weight[KINDS]
    cdef double alike[KINDS * KINDS]
    read_kinds(search, cutting)
    for number in range(cutting.label_count):
        label = &cutting.labels[cutting.label_order[number]]
        kind = label.first_kind
        pairs = label.kinds * (label.kinds - 1) // 2 if label.kinds <= KINDS else 0
        if pairs > cutting.pairs_left:
            pairs = 0       # these are too many
        cutting.pairs_left -= pairs
        if pairs == 0 and label.kinds > 1:
            search.met |= CLUSTERS_MET
        count = 0
        while kind != NONE:
            kinds[kind].by_tag = kinds[kind].by_tree = kinds[label.first_kind].place
            if pairs:
                compared[count] = kind
                weight[count] = kinds[kind].count
                trees[count] = sequence.child[kinds[kind].place]
                kinds[kind].by_tree = kinds[kind].place
                count += 1
            kind = kinds[kind].following
        if count and read_likeness(search, trees, count, alike):
            average_linkage(alike, search.options.similarity, count, weight, leader)
            for k in range(count):
                kinds[compared[k]].by_tree = kinds[compared[leader[k]]].place
    for place in range(sequence.places):
        kind = cutting.classes[search.page.structural_class[sequence.child[place]]].kind
        sequence.by_tag[place] = kinds[kind].by_tag
        sequence.by_tree[place] = kinds[kind].by_tree


# Candidates: every pass is linear in the places of the sequence

cdef inline int room_for_records(Candidates *candidates, int64_t more) except -1 nogil:
    return reserve(
        <void **>&candidates.records, &candidates.record_room, candidates.record_count + more, 2 * sizeof(int32_t))


cdef inline int room_for_candidates(Candidates *candidates, int64_t more) except -1 nogil:
    return reserve(<void **>&candidates.entries, &candidates.room, candidates.count + more, sizeof(Candidate))


cdef int add_record(Candidates *candidates, CoarseRegion *region, int32_t first, int32_t end) except -1 nogil:
    """Add the record [first, end) without the separators at its ends; nothing where nothing else is there."""
    cdef const uint8_t *separator = region.sequence.separator
    while first < end and separator[first]:
        first += 1
    while first < end and separator[end - 1]:
        end -= 1
    if first == end:
        return 0
    room_for_records(candidates, 1)
    candidates.records[2 * candidates.record_count] = first
    candidates.records[2 * candidates.record_count + 1] = end
    candidates.record_count += 1
    return 0


cdef int close_candidate(Candidates *candidates, CoarseRegion *region, int32_t form, int64_t first) except -1 nogil:
    """Make a candidate of the records from `first` on, unless it is a single one or another has the same."""
    cdef int64_t records = candidates.record_count - first, end
    cdef int32_t other = NONE, begin
    cdef Candidate *added
    if records > 1:
        begin = candidates.records[2 * first]
        other = region.latest[begin] - 1
        while other != NONE:
            end = candidates.entries[other + 1].first if other + 1 < candidates.count else first
            if end - candidates.entries[other].first == records and memcmp(
                    candidates.records + 2 * candidates.entries[other].first, candidates.records + 2 * first,
                    2 * records * sizeof(int32_t)) == 0:
                break
            other = candidates.entries[other].before
    if records < 2 or other != NONE:
        candidates.record_count = first
        return 0
    room_for_candidates(candidates, 1)
    added = &candidates.entries[candidates.count]
    added.sequence = region.sequence.number
    added.form = form
    added.first = <int32_t>first
    added.before = region.latest[begin] - 1
    added.model = NONE
    candidates.count += 1
    region.latest[begin] = <int32_t>candidates.count
    return 0


cdef int copy_candidates(Candidates *candidates, int64_t first, int64_t end, int32_t sequence,
                         int32_t shift) except -1 nogil:
    """Add the candidates from `first` up to `end` once more, for an equal sequence whose nodes are so much further."""
    cdef int64_t number, record, last
    cdef Candidate *copy
    if first == end:
        return 0
    record = candidates.entries[first].first
    last = candidates.entries[end].first if end < candidates.count else candidates.record_count
    room_for_records(candidates, last - record)
    room_for_candidates(candidates, end - first)
    for number in range(first, end):
        copy = &candidates.entries[candidates.count]
        copy[0] = candidates.entries[number]
        copy.sequence = sequence
        copy.first += <int32_t>(candidates.record_count - record)
        copy.before = NONE
        copy.model = <int32_t>number
        candidates.count += 1
    for record in range(record, last):
        candidates.records[2 * candidates.record_count] = candidates.records[2 * record] + shift
        candidates.records[2 * candidates.record_count + 1] = candidates.records[2 * record + 1] + shift
        candidates.record_count += 1
    return 0


cdef inline Symbol *stamped(CoarseRegion *region, int32_t place) noexcept nogil:
    """The symbol of a place, whose stamp is read or written."""
    return &region.symbols[region.symbol[place]]


cdef int cut_at_head(Candidates *candidates, CoarseRegion *region, int32_t head) except -1 nogil:
    """Two candidates: the heads alone, and the runs from one head to the next (head-order-based segmentation).

    The last record has what may follow its head: symbols that follow the heads before it, and no more places
    than the longest of their records.
    """
    cdef int64_t first = candidates.record_count
    cdef const Symbol *known = &region.symbols[head]
    cdef const uint8_t *separator = region.sequence.separator
    cdef int32_t place, previous = known.first, longest = 1
    for place in range(known.first, known.last + 1):
        if region.symbol[place] == head and not separator[place]:
            add_record(candidates, region, place, place + 1)
    close_candidate(candidates, region, SINGLE, first)
    first = candidates.record_count
    region.stamp += 1
    for place in range(known.first + 1, known.last + 1):
        if region.symbol[place] == head and not separator[place]:
            add_record(candidates, region, previous, place)
            longest = max(longest, place - previous)
            previous = place
        else:
            stamped(region, place).stamp = region.stamp
    place = previous + 1
    while place < region.end and place - previous < longest and stamped(region, place).stamp == region.stamp:
        place += 1
    add_record(candidates, region, previous, place)
    close_candidate(candidates, region, HEADED, first)
    return 0


cdef inline bint equal_runs(CoarseRegion *region, int32_t one, int32_t other) noexcept nogil:
    cdef int32_t length = region.run_end[one] - region.run_start[one]
    return length == region.run_end[other] - region.run_start[other] and memcmp(
        region.symbol + region.run_start[one], region.symbol + region.run_start[other], length * sizeof(int32_t)
    ) == 0


cdef void fit_ends(Candidates *candidates, CoarseRegion *region, int64_t first) noexcept nogil:
    """Let the first of the records from `first` on begin as one between the ends does, and the last one end with a
    symbol that others have: a heading and a pager stand within the coarse region, but not between separators."""
    cdef const uint8_t *separator = region.sequence.separator
    cdef int32_t *records = candidates.records
    cdef int64_t last = candidates.record_count - 1, record
    cdef int32_t place, end
    if last - first < 2:
        return
    region.stamp += 1
    for record in range(first + 1, last):
        stamped(region, records[2 * record]).stamp = region.stamp
    for place in range(records[2 * first], records[2 * first + 1]):
        if not separator[place] and stamped(region, place).stamp == region.stamp:
            records[2 * first] = place
            break
    region.stamp += 1
    for record in range(first, last):
        for place in range(records[2 * record], records[2 * record + 1]):
            stamped(region, place).stamp = region.stamp
    for end in range(records[2 * last + 1], records[2 * last], -1):
        if not separator[end - 1] and stamped(region, end - 1).stamp == region.stamp:
            records[2 * last + 1] = end
            break


cdef int cut_at_separators(Candidates *candidates, CoarseRegion *region) except -1 nogil:
    """The candidates of what stands between equal runs of separators (separator-based segmentation)."""
    cdef const uint8_t *separator = region.sequence.separator
    cdef int32_t splits[SPLITS]
    cdef int32_t runs = 0, split_count = 0, place = region.begin, run, split
    cdef int64_t first
    while place < region.end:
        if separator[place]:
            region.run_start[runs] = place
            while place < region.end and separator[place]:
                place += 1
            region.run_end[runs] = place
            for split in range(split_count):
                if equal_runs(region, runs, splits[split]):
                    break
            else:
                if split_count < SPLITS:
                    splits[split_count] = runs
                    split_count += 1
                else:
                    candidates.left_out = True
            runs += 1
        place += 1
    for split in range(split_count):
        first = candidates.record_count
        place = region.begin
        for run in range(runs):
            if equal_runs(region, run, splits[split]):
                add_record(candidates, region, place, region.run_start[run])
                place = region.run_end[run]
        add_record(candidates, region, place, region.end)
        fit_ends(candidates, region, first)
        close_candidate(candidates, region, SEPARATED, first)
    return 0


cdef int cut_region(Candidates *candidates, CoarseRegion *region) except -1 nogil:
    """All candidates of a coarse region: those of its most frequent symbols, of equally frequent ones the first."""
    cdef int32_t tried, k, best, head
    if region.head_count > HEADS:
        candidates.left_out = True
    for tried in range(min(region.head_count, HEADS)):
        best = tried
        for k in range(tried + 1, region.head_count):
            if region.symbols[region.heads[k]].count > region.symbols[region.heads[best]].count:
                best = k
        head = region.heads[best]
        memmove(region.heads + tried + 1, region.heads + tried, (best - tried) * sizeof(int32_t))
        region.heads[tried] = head
        cut_at_head(candidates, region, head)
    cut_at_separators(candidates, region)
    return 0


cdef int cut_regions(Candidates *candidates, CoarseRegion *region, const int32_t *symbol) except -1 nogil:
    """The candidates of the coarse regions of a sequence, seen through one way to cluster it.

    A coarse region (CG-Region) is a union of overlapping intervals, each from the first to the last node of one
    cluster (properties 1 and 2 of the paper).
    """
    cdef const uint8_t *separator = region.sequence.separator
    cdef int32_t *heads = region.heads
    cdef int32_t place, repeated = 0, k, places = region.sequence.places
    cdef Symbol *known
    region.symbol = symbol
    region.stamp = 0
    memset(region.symbols, 0, places * sizeof(Symbol))
    for place in range(places):
        if not separator[place]:
            known = &region.symbols[symbol[place]]
            if known.count == 0:
                known.first = place
            known.last = place
            known.count += 1
    for place in range(places):
        known = &region.symbols[symbol[place]]
        if not separator[place] and known.count > 1 and known.first == place:
            heads[repeated] = symbol[place]
            repeated += 1
    region.head_count = 0
    for k in range(repeated):
        known = &region.symbols[heads[k]]
        if region.head_count and known.first >= region.end:
            cut_region(candidates, region)
            region.head_count = 0
        if region.head_count == 0:
            region.heads = heads + k
            region.begin = region.end = known.first
        region.head_count += 1
        region.end = max(region.end, known.last + 1)
    if region.head_count:
        cut_region(candidates, region)
    region.heads = heads
    return 0


cdef int cut_sequence(Candidates *candidates, CoarseRegion *region, const Sequence *sequence) except -1 nogil:
    """Add all candidates of a sequence, by either way to cluster it; where both are the same, once."""
    cdef size_t room = sequence.places * sizeof(int32_t)
    region.sequence = sequence
    memset(region.latest, 0, room)      # the places are those of a new sequence
    cut_regions(candidates, region, sequence.by_tag)
    if memcmp(sequence.by_tag, sequence.by_tree, room) != 0:
        cut_regions(candidates, region, sequence.by_tree)
    return 0


# Sequences

cdef bint read_children(const RecordSearch *search, Cutting *cutting, int32_t node) noexcept nogil:
    """Make the children of a node the sequence at hand; returns whether two that have content have one tag."""
    cdef const PageArrays *page = search.page
    cdef Sequence *sequence = &cutting.sequence
    cdef int32_t child = node + 1, end = subtree_end(page, node), places = 0, stamp = sequence.number + 1
    cdef bint repeats = False, is_shown
    cdef Label *label
    while child < end:
        label = &cutting.labels[search.content.tag_path[child]]
        if label.sequence != stamp:
            label.sequence = stamp
            label.shown = label.kinds = 0
        is_shown = letters_of(search, child) > 0
        sequence.child[places] = child
        sequence.separator[places] = not is_shown
        label.shown += is_shown
        repeats |= label.shown > 1
        places += 1
        child += page.size[child]
    sequence.places = places
    return repeats


cdef void find_lone_nodes(RecordSearch *search, const Cutting *cutting) noexcept nogil:
    """Add the nodes that are alone with their tag among the siblings that have content."""
    cdef const Sequence *sequence = &cutting.sequence
    cdef int32_t place, child
    for place in range(sequence.places):
        child = sequence.child[place]
        search.lone[search.lone_count] = child
        search.lone_count += not sequence.separator[place] and cutting.labels[search.content.tag_path[child]].shown == 1


cdef void to_nodes(const PageArrays *page, const Sequence *sequence, Candidates *candidates,
                   int64_t record) noexcept nogil:
    """From places to nodes, for the records from `record` on: the places of the next sequence are others."""
    cdef int32_t *span
    while record < candidates.record_count:
        span = candidates.records + 2 * record
        span[0] = sequence.child[span[0]]
        span[1] = subtree_end(page, sequence.child[span[1] - 1])
        record += 1


cdef int copy_model(RecordSearch *search, Cutting *cutting, int32_t node) except -1 nogil:
    """Cut the children of a node as those of an earlier node with an equal tree were cut, where these have content too;
    returns whether there was one."""
    cdef const PageArrays *page = search.page
    cdef const Model *model
    cdef int32_t number = cutting.classes[page.structural_class[node]].model
    cdef int32_t shift, child = node + 1, end = subtree_end(page, node), k
    if number == 0:
        return False
    model = &cutting.models[number - 1]
    shift = node - model.node
    if model.pairs > cutting.pairs_left or page.size[node] != page.size[model.node]:
        return False
    while child < end:
        if (letters_of(search, child) > 0) != (letters_of(search, child - shift) > 0):
            return False
        child += page.size[child]
    cutting.pairs_left -= model.pairs
    for k in range(model.lone, model.lone_end):
        search.lone[search.lone_count] = search.lone[k] + shift
        search.lone_count += 1
    copy_candidates(cutting.candidates, model.candidates, model.candidates_end, cutting.sequence.number, shift)
    return True


cdef int cut_children(RecordSearch *search, Cutting *cutting, int32_t node) except -1 nogil:
    """Cluster and cut the children of a node."""
    cdef Candidates *candidates = cutting.candidates
    cdef int64_t record = candidates.record_count
    cdef Model *model
    if copy_model(search, cutting, node):
        return 0
    model = &cutting.models[cutting.model_count]
    cutting.model_count += 1
    cutting.classes[search.page.structural_class[node]].model = cutting.model_count
    model.node = node
    model.pairs = cutting.pairs_left
    model.candidates = <int32_t>candidates.count
    model.lone = search.lone_count
    # Where no tag repeats there is nothing to cut: the most alike are those of one tag.
    if read_children(search, cutting, node):
        cluster_places(search, cutting)
        cut_sequence(candidates, &cutting.region, &cutting.sequence)
        to_nodes(search.page, &cutting.sequence, candidates, record)
    find_lone_nodes(search, cutting)
    model.pairs -= cutting.pairs_left
    model.candidates_end = <int32_t>candidates.count
    model.lone_end = search.lone_count
    return 0


cdef size_t size_of_sequences(size_t nodes) noexcept nogil:
    """The scratch memory that `cut_page` needs."""
    return (nodes + 1) * (
        sizeof(double) + sizeof(uint8_t) + 9 * sizeof(int32_t) + sizeof(Kind) + sizeof(KnownClass) + sizeof(Label)
        + sizeof(Symbol) + sizeof(Model)) + 17 * 16


cdef void open_cutting(Cutting *cutting, const RecordSearch *search, char *memory) noexcept nogil:
    """Divide up the memory for the sequences of a page."""
    cdef size_t nodes = search.page.count, classes = (search.page.class_count + 1) * sizeof(KnownClass)
    cdef size_t labels = search.content.tag_path_count * sizeof(Label)
    cutting.sequence.number = 0
    cutting.sequence.child = numbers(&memory, nodes)
    cutting.sequence.by_tag = numbers(&memory, nodes)
    cutting.sequence.by_tree = numbers(&memory, nodes)
    cutting.sequence.separator = <uint8_t *>piece(&memory, nodes)
    cutting.models = <Model *>piece(&memory, nodes * sizeof(Model))
    cutting.kinds = <Kind *>piece(&memory, nodes * sizeof(Kind))
    cutting.classes = <KnownClass *>piece(&memory, classes)
    cutting.labels = <Label *>piece(&memory, labels)
    cutting.label_order = numbers(&memory, search.content.tag_path_count)
    cutting.region.symbols = <Symbol *>piece(&memory, nodes * sizeof(Symbol))
    cutting.region.heads = numbers(&memory, nodes)
    cutting.region.run_start = numbers(&memory, nodes)
    cutting.region.run_end = numbers(&memory, nodes)
    cutting.region.latest = numbers(&memory, nodes)
    memset(cutting.classes, 0, classes)
    memset(cutting.labels, 0, labels)
    cutting.model_count = 0
    cutting.pairs_left = search.options.pairs


cdef int cut_page(RecordSearch *search, Candidates *candidates) except -1 nogil:
    """Cluster and cut the children of all nodes whose tag path has enough of the content, one sequence at a time: what
    is known of it stays in the cache."""
    cdef const PageArrays *page = search.page
    cdef const int32_t *tag_path = search.content.tag_path
    cdef int32_t node, k, inner_count = 0
    cdef double letters, enough = search.options.coverage * search.content.total
    cdef char *memory = <char *>search.scratch
    cdef double *of_path = <double *>piece(&memory, page.count * sizeof(double))    # tag path -> its content
    cdef int32_t *inner = numbers(&memory, page.count)      # nodes with children and content
    cdef Cutting cutting
    memset(of_path, 0, search.content.tag_path_count * sizeof(double))
    for node in range(page.body, page.body_end):
        letters = letters_of(search, node)
        of_path[tag_path[node]] += letters
        inner[inner_count] = node
        inner_count += (page.size[node] > 1) & (letters > 0)
    search.lone_count = 0
    cutting.candidates = candidates
    open_cutting(&cutting, search, memory)
    for k in range(inner_count):
        node = inner[k]
        if of_path[tag_path[node]] < enough:
            continue
        if page.size[node + 1] == page.size[node] - 1:
            # A single child, which has the content.
            search.lone[search.lone_count] = node + 1
            search.lone_count += 1
        else:
            cut_children(search, &cutting, node)
        cutting.sequence.number += 1
    search.sequence_count = cutting.sequence.number
    if candidates.left_out:
        search.met |= SEGMENTATION_MET
    return 0


cdef void close_candidates(Candidates *candidates) noexcept nogil:
    """Free the memory, which grows with what is added; candidates of zeros have none."""
    free(candidates.records)
    free(candidates.entries)
