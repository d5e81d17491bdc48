"""The children of every node of a page, clustered and cut into candidate records, one sequence at a time.
Clusters (AutoRM, Shi et al. 2015) are by tag, and by the likeness of trees (average linkage). Nothing is for Python."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t
from libc.string cimport memset

from fastwrap._core.common.names cimport TEXT
from fastwrap._core.common.page cimport PageArrays, subtree_end
from fastwrap._core.common.scratch cimport numbers, piece
from fastwrap._core.regions.autorm cimport (
    CLUSTERS_MET, NONE, SEGMENTATION_MET, Content, RecordSearch, letters_of, likeness, most_alike,
)
from fastwrap._core.regions.segmentation cimport (
    Candidates, CoarseRegion, Sequence, copy_candidates, cut_sequence, open_coarse_region, size_of_coarse_region,
)

cdef enum:
    KINDS = 32              # trees of one tag in a sequence: more of them are not compared
    COUNTERS = 32           # of the nodes of a tree, by tag path
    MOST_COUNTED = 65535    # nodes of a tree whose tag paths are counted
    UNTRIED = 2


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


# Kinds


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


# Likeness of kinds


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
    return (size_of_coarse_region(nodes) + 12 * 16 + nodes * (sizeof(double) + sizeof(uint8_t) + 5 * sizeof(int32_t)
            + sizeof(Kind) + sizeof(Model)) + (nodes + 1) * (sizeof(KnownClass) + sizeof(Label)))


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
    open_coarse_region(&cutting.region, nodes, &memory)
    memset(cutting.classes, 0, classes)
    memset(cutting.labels, 0, labels)
    cutting.model_count = 0
    cutting.pairs_left = search.options.pairs


cdef int cut_page(RecordSearch *search, Candidates *candidates) except -1 nogil:
    """Cluster and cut the children of all nodes whose tag path has enough of the content, one sequence at a time: what
    is known of it stays in the cache."""
    cdef const PageArrays *page = search.page
    cdef const Content *content = &search.content
    cdef const int32_t *tag_path = content.tag_path
    cdef int32_t node, k, count, inner_count = 0
    cdef double letters, enough = search.options.coverage * search.content.total
    cdef char *memory = <char *>search.scratch
    cdef double *of_path = <double *>piece(&memory, page.count * sizeof(double))    # tag path -> its content
    cdef int32_t *inner = numbers(&memory, page.count)      # nodes with children and content
    cdef Cutting cutting
    memset(of_path, 0, search.content.tag_path_count * sizeof(double))
    for node in range(page.body, page.body_end):
        inner[inner_count] = node
        inner_count += page.size[node] > 1
    # What has no children counts where its tag path has any: only pictures may.
    for k in range(content.shown_before[page.body], content.shown_before[page.body_end]):
        node = content.shown[k]
        if page.tag[node] != TEXT and page.size[node] == 1:
            of_path[tag_path[node]] += letters_of(search, node)
    count = inner_count
    inner_count = 0
    for k in range(count):
        node = inner[k]
        letters = letters_of(search, node)
        of_path[tag_path[node]] += letters
        inner[inner_count] = node
        inner_count += letters > 0
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
