"""Clusters of siblings (AutoRM, Shi et al. 2015): by their tag, and by the likeness of their trees (average linkage).
Equal trees need no comparing, and trees that cannot be alike enough are not compared. Nothing here is for Python."""

from libc.stdint cimport int32_t, uint8_t, uint16_t
from libc.string cimport memset

from fastwrap._core.common.page cimport PageArrays, subtree_end
from fastwrap._core.common.scratch cimport piece
from fastwrap._core.regions.autorm cimport CLUSTERS_MET, KINDS, NONE, RecordSearch, likeness, most_alike

cdef enum:
    COUNTERS = 32           # of the nodes of a tree, by tag path
    MOST_COUNTED = 65535    # nodes of a tree whose tag paths are counted
    UNTRIED = 2


# Kinds


cdef size_t size_of_kinds(size_t nodes) noexcept nogil:
    """The scratch memory that `open_kinds` takes."""
    return 12 * ((nodes + 1) * sizeof(int32_t) + 16)


cdef void open_kinds(Kinds *kinds, const RecordSearch *search, char **memory) noexcept nogil:
    """Take the memory for the sequences of a page, from `memory` on."""
    cdef size_t classes = (search.page.class_count + 1) * sizeof(int32_t), places = search.page.count * sizeof(int32_t)
    cdef size_t labels = search.content.tag_path_count * sizeof(int32_t)
    kinds.seen_class = <int32_t *>piece(memory, classes)
    kinds.kind_of_class = <int32_t *>piece(memory, classes)
    kinds.seen_label = <int32_t *>piece(memory, labels)
    kinds.first_kind = <int32_t *>piece(memory, labels)
    kinds.last_kind = <int32_t *>piece(memory, labels)
    kinds.kinds_of_label = <int32_t *>piece(memory, labels)
    kinds.labels = <int32_t *>piece(memory, labels)
    kinds.place = <int32_t *>piece(memory, places)
    kinds.count = <int32_t *>piece(memory, places)
    kinds.following = <int32_t *>piece(memory, places)
    kinds.by_tag = <int32_t *>piece(memory, places)
    kinds.by_tree = <int32_t *>piece(memory, places)
    # Only what says when something was last seen must begin as nothing.
    memset(kinds.seen_class, 0, classes)
    memset(kinds.seen_label, 0, labels)
    kinds.pairs_left = search.options.pairs


cdef void read_kinds(Kinds *kinds, const Sequence *sequence) noexcept nogil:
    """Fill in the kinds of a sequence."""
    cdef int32_t stamp = sequence.number + 1, place, kind, label, class_id, count = 0
    kinds.label_count = 0
    for place in range(sequence.places):
        class_id = sequence.class_id[place]
        if kinds.seen_class[class_id] == stamp:
            kinds.count[kinds.kind_of_class[class_id]] += 1
            continue
        kind = count
        count += 1
        kinds.seen_class[class_id] = stamp
        kinds.kind_of_class[class_id] = kind
        kinds.place[kind] = place
        kinds.count[kind] = 1
        kinds.following[kind] = NONE
        label = sequence.label[place]
        if kinds.seen_label[label] == stamp:
            kinds.following[kinds.last_kind[label]] = kind
            kinds.kinds_of_label[label] += 1
        else:
            kinds.seen_label[label] = stamp
            kinds.first_kind[label] = kind
            kinds.kinds_of_label[label] = 1
            kinds.labels[kinds.label_count] = label
            kinds.label_count += 1
        kinds.last_kind[label] = kind


cdef int32_t pairs_of(const Kinds *kinds, int32_t label) noexcept nogil:
    """Pairs of kinds of a label that are to be compared; 0 where these are too many."""
    cdef int32_t count = kinds.kinds_of_label[label]
    cdef int32_t pairs = count * (count - 1) // 2 if count <= KINDS else 0
    return pairs if pairs <= kinds.pairs_left else 0


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


cdef void cluster_places(RecordSearch *search, Sequence *sequence, Kinds *kinds) noexcept nogil:
    """Fill in `by_tag` and `by_tree` of a sequence."""
    cdef int32_t number, label, kind, other, count, place, pairs
    cdef int32_t compared[KINDS]
    cdef int32_t leader[KINDS]
    cdef int32_t trees[KINDS]
    cdef double weight[KINDS]
    cdef double alike[KINDS * KINDS]
    read_kinds(kinds, sequence)
    for number in range(kinds.label_count):
        label = kinds.labels[number]
        kind = kinds.first_kind[label]
        pairs = pairs_of(kinds, label)
        kinds.pairs_left -= pairs
        if pairs == 0 and kinds.kinds_of_label[label] > 1:
            search.met |= CLUSTERS_MET
        count = 0
        while kind != NONE:
            kinds.by_tag[kind] = kinds.by_tree[kind] = kinds.place[kinds.first_kind[label]]
            if pairs:
                compared[count] = kind
                weight[count] = kinds.count[kind]
                trees[count] = sequence.child[kinds.place[kind]]
                kinds.by_tree[kind] = kinds.place[kind]
                count += 1
            kind = kinds.following[kind]
        if count and read_likeness(search, trees, count, alike):
            average_linkage(alike, search.options.similarity, count, weight, leader)
            for other in range(count):
                kinds.by_tree[compared[other]] = kinds.place[compared[leader[other]]]
    for place in range(sequence.places):
        kind = kinds.kind_of_class[sequence.class_id[place]]
        sequence.by_tag[place] = kinds.by_tag[kind]
        sequence.by_tree[place] = kinds.by_tree[kind]
