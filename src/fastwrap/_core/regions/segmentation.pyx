"""Child sequences into records (AutoRM, Shi et al. 2015): clusters of siblings, coarse regions, and ways to cut them.
The sequences of a page are laid end to end, a *place* is an index of the whole; every pass is linear in the places."""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp, memcpy, memmove, memset

import numpy as np

cdef enum:
    HEADS = 16          # symbols of a coarse region that are tried as heads: the most frequent ones
    SPLITS = 8          # runs of separators that a coarse region is split at: the first ones that differ

MOST_KINDS, MOST_HEADS, MOST_SPLITS = KINDS, HEADS, SPLITS
SINGLE_NODES, HEAD_TO_HEAD, BETWEEN_SEPARATORS = SINGLE, HEADED, SEPARATED


# Clusters: the kinds (distinct structural classes) of one label are merged while they are alike.


cdef int open_siblings(Siblings *siblings, int64_t classes, int64_t labels, int64_t places) except -1 nogil:
    """Take the memory for sequences of up to `places` with so many classes and labels, which are numbers from 0."""
    cdef int32_t *block
    block = <int32_t *>malloc((2 * classes + 5 * labels + 3 * places + 1) * sizeof(int32_t))
    if block == NULL:
        with gil:
            raise MemoryError("no memory for the clusters of a page")
    # Only what says when something was last seen must begin as nothing.
    memset(block, 0, (classes + labels) * sizeof(int32_t))
    siblings.block = block
    siblings.seen_class = block
    block += classes
    siblings.seen_label = block
    block += labels
    siblings.kind_of_class = block
    block += classes
    siblings.first_kind = block
    siblings.last_kind = block + labels
    siblings.kinds_of_label = block + 2 * labels
    siblings.labels = block + 3 * labels
    block += 4 * labels
    siblings.place = block
    siblings.count = block + places
    siblings.following = block + 2 * places
    return 0


cdef void read_sequence(Siblings *siblings, const int32_t *label, const int32_t *class_id, int32_t lo, int32_t hi,
                        int32_t sequence) noexcept nogil:
    """Fill in the kinds of the sequence [lo, hi)."""
    cdef int32_t stamp = sequence + 1, place, kind, own
    siblings.kinds = siblings.label_count = 0
    for place in range(lo, hi):
        if siblings.seen_class[class_id[place]] == stamp:
            siblings.count[siblings.kind_of_class[class_id[place]]] += 1
            continue
        kind = siblings.kinds
        siblings.kinds += 1
        siblings.seen_class[class_id[place]] = stamp
        siblings.kind_of_class[class_id[place]] = kind
        siblings.place[kind] = place
        siblings.count[kind] = 1
        siblings.following[kind] = NONE
        own = label[place]
        if siblings.seen_label[own] == stamp:
            siblings.following[siblings.last_kind[own]] = kind
            siblings.kinds_of_label[own] += 1
        else:
            siblings.seen_label[own] = stamp
            siblings.first_kind[own] = kind
            siblings.kinds_of_label[own] = 1
            siblings.labels[siblings.label_count] = own
            siblings.label_count += 1
        siblings.last_kind[own] = kind


cdef int32_t pairs_of(Siblings *siblings, int32_t own, int64_t budget) noexcept nogil:
    """Pairs of kinds of a label that are to be compared; 0 where these are too many."""
    cdef int32_t kinds = siblings.kinds_of_label[own]
    cdef int32_t pairs = kinds * (kinds - 1) // 2 if kinds <= KINDS else 0
    return pairs if pairs <= budget else 0


cdef void average_linkage(const double *similarity, double threshold, int32_t members, double *weight,
                          double *table, int32_t *leader) noexcept nogil:
    """Merge the two clusters that are most alike, until none are as alike as the threshold.

    `similarity` has the pairs (1, 0), (2, 0), (2, 1), (3, 0), ... and `weight` how often a member occurs;
    `leader` receives the first member of each one's cluster (Kaufman & Rousseeuw 1990, 5.2).
    """
    cdef int32_t i, j, one, other
    cdef double best, together
    for i in range(members):
        leader[i] = i
        for j in range(i):
            table[i * members + j] = table[j * members + i] = similarity[i * (i - 1) // 2 + j]
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


cdef int check_starts(const int32_t[::1] start, Py_ssize_t places) except -1:
    cdef Py_ssize_t sequence
    if start.shape[0] == 0 or start[0] != 0 or start[start.shape[0] - 1] != places:
        raise ValueError(f"the sequences do not cover the {places} places")
    for sequence in range(start.shape[0] - 1):
        if start[sequence] > start[sequence + 1]:
            raise ValueError("the sequences are not in order")
    return 0


cdef int open_checked(Siblings *siblings, const int32_t[::1] label, const int32_t[::1] class_id,
                      const int32_t[::1] start) except -1:
    cdef int64_t classes = 0, labels = 0
    cdef Py_ssize_t place
    if class_id.shape[0] != label.shape[0]:
        raise ValueError("label and class_id differ in length")
    check_starts(start, label.shape[0])
    for place in range(label.shape[0]):
        if label[place] < 0 or class_id[place] < 0:
            raise ValueError("labels and classes are 0 or more")
        labels = max(labels, label[place] + 1)
        classes = max(classes, class_id[place] + 1)
    return open_siblings(siblings, classes, labels, label.shape[0])


def kind_pairs(const int32_t[::1] label, const int32_t[::1] class_id, const int32_t[::1] start, int64_t budget):
    """The pairs of places whose similarity `cluster` needs; see `segmentation.pyi`."""
    cdef Siblings siblings
    cdef int32_t sequences, sequence, number, own, kind, other
    cdef int64_t pairs = 0, left = budget, written = 0
    cdef int32_t[:, ::1] out
    open_checked(&siblings, label, class_id, start)
    try:
        if label.shape[0] == 0:
            return np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32)
        sequences = <int32_t>start.shape[0] - 1
        with nogil:
            for sequence in range(sequences):
                read_sequence(&siblings, &label[0], &class_id[0], start[sequence], start[sequence + 1], sequence)
                for number in range(siblings.label_count):
                    pairs += pairs_of(&siblings, siblings.labels[number], budget - pairs)
            # Nothing has been seen yet when the sequences are read again.
            memset(siblings.block, 0, (siblings.kind_of_class - siblings.block) * sizeof(int32_t))
        result = np.empty((2, pairs), dtype=np.int32)
        out = result
        with nogil:
            for sequence in range(sequences):
                read_sequence(&siblings, &label[0], &class_id[0], start[sequence], start[sequence + 1], sequence)
                for number in range(siblings.label_count):
                    own = siblings.labels[number]
                    if pairs_of(&siblings, own, left) == 0:
                        continue
                    left -= pairs_of(&siblings, own, left)
                    kind = siblings.following[siblings.first_kind[own]]
                    while kind != NONE:
                        other = siblings.first_kind[own]
                        while other != kind:
                            out[0, written] = siblings.place[kind]
                            out[1, written] = siblings.place[other]
                            written += 1
                            other = siblings.following[other]
                        kind = siblings.following[kind]
    finally:
        free(siblings.block)
    return result[0], result[1]


def cluster(const int32_t[::1] label, const int32_t[::1] class_id, const int32_t[::1] start,
            const double[::1] similarity, double threshold, int64_t budget):
    """The symbol of every place: the first place of its cluster; see `segmentation.pyi`."""
    cdef Siblings siblings
    cdef int32_t leader[KINDS]
    cdef double weight[KINDS]
    cdef double table[KINDS * KINDS]
    cdef int32_t kinds[KINDS]
    cdef int32_t sequences, sequence, number, own, kind, first, pairs, k
    cdef int64_t used = 0
    cdef int32_t *symbol        # kind -> the first place of its cluster
    cdef bint enough = True
    result = np.empty(label.shape[0], dtype=np.int32)
    cdef int32_t[::1] out = result
    open_checked(&siblings, label, class_id, start)
    sequences = <int32_t>start.shape[0] - 1 if label.shape[0] else 0
    symbol = <int32_t *>malloc((label.shape[0] + 1) * sizeof(int32_t))
    try:
        if symbol == NULL:
            raise MemoryError("no memory for the clusters of a page")
        with nogil:
            for sequence in range(sequences):
                read_sequence(&siblings, &label[0], &class_id[0], start[sequence], start[sequence + 1], sequence)
                for number in range(siblings.label_count):
                    own = siblings.labels[number]
                    kind = siblings.first_kind[own]
                    first = siblings.place[kind]
                    pairs = pairs_of(&siblings, own, budget - used)
                    enough = enough and used + pairs <= similarity.shape[0]
                    k = 0
                    while kind != NONE:
                        symbol[kind] = first
                        if pairs and enough:
                            kinds[k] = kind
                            weight[k] = siblings.count[kind]
                            k += 1
                        kind = siblings.following[kind]
                    if k:
                        average_linkage(&similarity[used], threshold, k, weight, table, leader)
                        used += pairs
                        for k in range(siblings.kinds_of_label[own]):
                            symbol[kinds[k]] = siblings.place[kinds[leader[k]]]
                for k in range(start[sequence], start[sequence + 1]):
                    out[k] = symbol[siblings.kind_of_class[class_id[k]]]
        if not enough or used != similarity.shape[0]:
            raise ValueError("there is one similarity for each pair that `kind_pairs` gives")
    finally:
        free(symbol)
        free(siblings.block)
    return result


# Candidates: the ways to cut a sequence into records.


cdef int make_room(Found *found, int64_t records, int64_t candidates) except -1 nogil:
    """Make room for so many records and candidates more."""
    cdef void *larger
    if found.records + records > found.record_room:
        while found.records + records > found.record_room:
            found.record_room *= 2
        larger = realloc(found.place, 2 * found.record_room * sizeof(int32_t))
        if larger == NULL:
            with gil:
                raise MemoryError("no memory for the records of a page")
        found.place = <int32_t *>larger
    if found.candidates + candidates > found.room:
        while found.candidates + candidates > found.room:
            found.room *= 2
        larger = realloc(found.candidate, found.room * sizeof(Candidate))
        if larger == NULL:
            with gil:
                raise MemoryError("no memory for the records of a page")
        found.candidate = <Candidate *>larger
    return 0


cdef int add_record(Found *found, Region *region, int32_t first, int32_t end) except -1 nogil:
    """Add the record [first, end) without the separators at its ends; nothing where nothing else is there."""
    while first < end and region.separator[first]:
        first += 1
    while first < end and region.separator[end - 1]:
        end -= 1
    if first == end:
        return 0
    if found.records == found.record_room:
        make_room(found, 1, 0)
    found.place[2 * found.records] = first
    found.place[2 * found.records + 1] = end
    found.records += 1
    return 0


cdef int close_candidate(Found *found, Region *region, int32_t form, int64_t first) except -1 nogil:
    """Make a candidate of the records from `first` on, unless it is a single one or another has the same."""
    cdef int64_t records = found.records - first, end
    cdef int32_t other = NONE, begin
    if records > 1:
        begin = found.place[2 * first]
        other = found.latest[begin] - 1
        while other != NONE:
            end = found.candidate[other + 1].first if other + 1 < found.candidates else first
            if end - found.candidate[other].first == records and memcmp(
                    found.place + 2 * found.candidate[other].first, found.place + 2 * first,
                    2 * records * sizeof(int32_t)) == 0:
                break
            other = found.candidate[other].before
    if records < 2 or other != NONE:
        found.records = first
        return 0
    if found.candidates == found.room:
        make_room(found, 0, 1)
    found.candidate[found.candidates].sequence = region.sequence
    found.candidate[found.candidates].form = form
    found.candidate[found.candidates].first = <int32_t>first
    found.candidate[found.candidates].before = found.latest[begin] - 1
    found.candidate[found.candidates].model = NONE
    found.candidates += 1
    found.latest[begin] = <int32_t>found.candidates
    return 0


cdef int copy_candidates(Found *found, int64_t first, int64_t end, int32_t sequence, int32_t shift) except -1 nogil:
    """Add the candidates from `first` up to `end` once more, for an equal sequence whose nodes are so much further."""
    cdef int64_t number, record, last
    cdef Candidate *own
    if first == end:
        return 0
    record = found.candidate[first].first
    last = found.candidate[end].first if end < found.candidates else found.records
    make_room(found, last - record, end - first)
    for number in range(first, end):
        own = &found.candidate[found.candidates]
        own.sequence = sequence
        own.form = found.candidate[number].form
        own.first = <int32_t>(found.records + found.candidate[number].first - record)
        own.before = NONE
        own.model = <int32_t>number
        found.candidates += 1
    for record in range(record, last):
        found.place[2 * found.records] = found.place[2 * record] + shift
        found.place[2 * found.records + 1] = found.place[2 * record + 1] + shift
        found.records += 1
    return 0


cdef int cut_at_head(Found *found, Region *region, int32_t head) except -1 nogil:
    """Two candidates: the heads alone, and the runs from one head to the next (head-order-based segmentation).

    The last record has what may follow its head: symbols that follow the heads before it, and no more places
    than the longest of their records.
    """
    cdef int64_t first = found.records
    cdef int32_t place, previous = region.first[head], longest = 1
    for place in range(region.first[head], region.last[head] + 1):
        if region.symbol[place] == head and not region.separator[place]:
            add_record(found, region, place, place + 1)
    close_candidate(found, region, SINGLE, first)
    first = found.records
    region.stamp += 1
    for place in range(region.first[head] + 1, region.last[head] + 1):
        if region.symbol[place] == head and not region.separator[place]:
            add_record(found, region, previous, place)
            longest = max(longest, place - previous)
            previous = place
        else:
            region.stamped[region.symbol[place]] = region.stamp
    place = previous + 1
    while place < region.end and place - previous < longest and (
            region.stamped[region.symbol[place]] == region.stamp):
        place += 1
    add_record(found, region, previous, place)
    close_candidate(found, region, HEADED, first)
    return 0


cdef inline bint equal_runs(Region *region, int32_t one, int32_t other) noexcept nogil:
    cdef int32_t length = region.run_end[one] - region.run_start[one]
    return length == region.run_end[other] - region.run_start[other] and memcmp(
        region.symbol + region.run_start[one], region.symbol + region.run_start[other], length * sizeof(int32_t)
    ) == 0


cdef void fit_ends(Found *found, Region *region, int64_t first) noexcept nogil:
    """Let the first of the records from `first` on begin as one between the ends does, and the last one end with a
    symbol that others have: a heading and a pager stand within the coarse region, but not between separators."""
    cdef int64_t last = found.records - 1, record
    cdef int32_t place, end
    if last - first < 2:
        return
    region.stamp += 1
    for record in range(first + 1, last):
        region.stamped[region.symbol[found.place[2 * record]]] = region.stamp
    for place in range(found.place[2 * first], found.place[2 * first + 1]):
        if not region.separator[place] and region.stamped[region.symbol[place]] == region.stamp:
            found.place[2 * first] = place
            break
    region.stamp += 1
    for record in range(first, last):
        for place in range(found.place[2 * record], found.place[2 * record + 1]):
            region.stamped[region.symbol[place]] = region.stamp
    for end in range(found.place[2 * last + 1], found.place[2 * last], -1):
        if not region.separator[end - 1] and region.stamped[region.symbol[end - 1]] == region.stamp:
            found.place[2 * last + 1] = end
            break


cdef int cut_at_separators(Found *found, Region *region) except -1 nogil:
    """The candidates of what stands between equal runs of separators (separator-based segmentation)."""
    cdef int32_t splits[SPLITS]
    cdef int32_t runs = 0, split_count = 0, place = region.begin, run, split
    cdef int64_t first
    while place < region.end:
        if region.separator[place]:
            region.run_start[runs] = place
            while place < region.end and region.separator[place]:
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
                    found.left_out = True
            runs += 1
        place += 1
    for split in range(split_count):
        first = found.records
        place = region.begin
        for run in range(runs):
            if equal_runs(region, run, splits[split]):
                add_record(found, region, place, region.run_start[run])
                place = region.run_end[run]
        add_record(found, region, place, region.end)
        fit_ends(found, region, first)
        close_candidate(found, region, SEPARATED, first)
    return 0


cdef int cut_region(Found *found, Region *region) except -1 nogil:
    """All candidates of a coarse region: those of its most frequent symbols, of equally frequent ones the first."""
    cdef int32_t tried, k, best, head
    if region.head_count > HEADS:
        found.left_out = True
    for tried in range(min(region.head_count, HEADS)):
        best = tried
        for k in range(tried + 1, region.head_count):
            if region.count[region.heads[k]] > region.count[region.heads[best]]:
                best = k
        head = region.heads[best]
        memmove(region.heads + tried + 1, region.heads + tried, (best - tried) * sizeof(int32_t))
        region.heads[tried] = head
        cut_at_head(found, region, head)
    cut_at_separators(found, region)
    return 0


cdef void begin_sequence(Found *found, Region *region, int32_t lo, int32_t hi) noexcept nogil:
    """Forget all about the places [lo, hi): they are those of a new sequence."""
    memset(found.latest + lo, 0, (hi - lo) * sizeof(int32_t))
    memset(region.stamped + lo, 0, (hi - lo) * sizeof(int32_t))


cdef int cut_sequence(Found *found, Region *region, int32_t lo, int32_t hi) except -1 nogil:
    """The candidates of the coarse regions of the sequence [lo, hi).

    A coarse region (CG-Region) is a union of overlapping intervals, each from the first to the last node of one
    cluster (properties 1 and 2 of the paper).
    """
    cdef int32_t *heads = region.heads
    cdef int32_t place, own, repeated = 0, k
    memset(region.count + lo, 0, (hi - lo) * sizeof(int32_t))
    for place in range(lo, hi):
        if not region.separator[place]:
            own = region.symbol[place]
            if region.count[own] == 0:
                region.first[own] = place
            region.last[own] = place
            region.count[own] += 1
    for place in range(lo, hi):
        own = region.symbol[place]
        if not region.separator[place] and region.count[own] > 1 and region.first[own] == place:
            heads[repeated] = own
            repeated += 1
    region.head_count = 0
    for k in range(repeated):
        own = heads[k]
        if region.head_count and region.first[own] >= region.end:
            cut_region(found, region)
            region.head_count = 0
        if region.head_count == 0:
            region.heads = heads + k
            region.begin = region.end = region.first[own]
        region.head_count += 1
        region.end = max(region.end, region.last[own] + 1)
    if region.head_count:
        cut_region(found, region)
    region.heads = heads
    return 0


cdef int open_candidates(Found *found, Region *region, int64_t places) except -1 nogil:
    cdef int32_t *block = <int32_t *>malloc((8 * places + 1) * sizeof(int32_t))
    region.block = block
    region.stamped = block
    found.latest = block + places
    region.heads = block + 2 * places
    region.first = block + 3 * places
    region.last = block + 4 * places
    region.count = block + 5 * places
    region.run_start = block + 6 * places
    region.run_end = block + 7 * places
    region.stamp = 0
    found.records = found.candidates = 0
    found.left_out = False
    found.record_room = places + 1
    found.room = 64
    found.place = <int32_t *>malloc(2 * found.record_room * sizeof(int32_t))
    found.candidate = <Candidate *>malloc(found.room * sizeof(Candidate))
    if block == NULL or found.place == NULL or found.candidate == NULL:
        close_candidates(found, region)
        with gil:
            raise MemoryError("no memory for the records of a page")
    return 0


cdef void close_candidates(Found *found, Region *region) noexcept nogil:
    """Free the memory, once."""
    free(region.block)
    free(found.place)
    free(found.candidate)
    region.block = NULL
    found.place = NULL
    found.candidate = NULL


cdef int copy_out(Found *found, int32_t[:, ::1] records, int32_t[::1] first, int32_t[::1] sequence,
                  int32_t[::1] form) except -1:
    cdef int64_t k
    if found.records:
        memcpy(&records[0, 0], found.place, 2 * found.records * sizeof(int32_t))
    for k in range(found.candidates):
        first[k] = found.candidate[k].first
        sequence[k] = found.candidate[k].sequence
        form[k] = found.candidate[k].form
    first[found.candidates] = <int32_t>found.records
    return 0


def segment(const int32_t[:, ::1] symbol, const uint8_t[::1] separator, const int32_t[::1] start):
    """Every way to cut the sequences into records; see `segmentation.pyi`."""
    cdef Py_ssize_t levels = symbol.shape[0], places = symbol.shape[1], level, place
    cdef int32_t sequences, sequence, lo, hi
    cdef Found found
    cdef Region region
    check_starts(start, places)
    sequences = <int32_t>start.shape[0] - 1
    if separator.shape[0] != places:
        raise ValueError("symbol and separator differ in length")
    for level in range(levels):
        for sequence in range(sequences):
            for place in range(start[sequence], start[sequence + 1]):
                if not start[sequence] <= symbol[level, place] <= place:
                    raise ValueError("a symbol is the first place of its sequence that has it")
    open_candidates(&found, &region, places)
    try:
        with nogil:
            for sequence in range(sequences):
                lo = start[sequence]
                hi = start[sequence + 1]
                region.sequence = sequence
                begin_sequence(&found, &region, lo, hi)
                for level in range(levels):
                    # Levels that make the same clusters give the same candidates.
                    if hi - lo > 1 and (level == 0 or memcmp(&symbol[level, lo], &symbol[level - 1, lo],
                                                             (hi - lo) * sizeof(int32_t)) != 0):
                        region.symbol = &symbol[level, 0]
                        region.separator = &separator[0]
                        cut_sequence(&found, &region, lo, hi)
        records = np.empty((found.records, 2), dtype=np.int32)
        first = np.empty(found.candidates + 1, dtype=np.int32)
        of_sequence = np.empty(found.candidates, dtype=np.int32)
        form = np.empty(found.candidates, dtype=np.int32)
        copy_out(&found, records, first, of_sequence, form)
    finally:
        close_candidates(&found, &region)
    return records, first, of_sequence, form
