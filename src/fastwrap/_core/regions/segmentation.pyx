"""Ways to cut a sequence of siblings into records (AutoRM, Shi et al. 2015): coarse regions, heads and separators.
Every pass is linear in the places of the sequence. Nothing here is for Python."""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp, memmove, memset

from fastwrap._core.common.scratch cimport piece
from fastwrap._core.regions.autorm cimport NONE

cdef enum:
    HEADS = 16          # symbols of a coarse region that are tried as heads: the most frequent ones
    SPLITS = 8          # runs of separators that a coarse region is split at: the first ones that differ


# Candidates


cdef int make_room(Candidates *candidates, int64_t records, int64_t count) except -1 nogil:
    """Make room for so many records and candidates more."""
    cdef void *larger
    if candidates.record_count + records > candidates.record_room:
        while candidates.record_count + records > candidates.record_room:
            candidates.record_room *= 2
        larger = realloc(candidates.records, 2 * candidates.record_room * sizeof(int32_t))
        if larger == NULL:
            with gil:
                raise MemoryError("no memory for the records of a page")
        candidates.records = <int32_t *>larger
    if candidates.count + count > candidates.room:
        while candidates.count + count > candidates.room:
            candidates.room *= 2
        larger = realloc(candidates.entries, candidates.room * sizeof(Candidate))
        if larger == NULL:
            with gil:
                raise MemoryError("no memory for the records of a page")
        candidates.entries = <Candidate *>larger
    return 0


cdef int add_record(Candidates *candidates, CoarseRegion *region, int32_t first, int32_t end) except -1 nogil:
    """Add the record [first, end) without the separators at its ends; nothing where nothing else is there."""
    while first < end and region.separator[first]:
        first += 1
    while first < end and region.separator[end - 1]:
        end -= 1
    if first == end:
        return 0
    if candidates.record_count == candidates.record_room:
        make_room(candidates, 1, 0)
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
    if candidates.count == candidates.room:
        make_room(candidates, 0, 1)
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
    make_room(candidates, last - record, end - first)
    for number in range(first, end):
        copy = &candidates.entries[candidates.count]
        copy.sequence = sequence
        copy.form = candidates.entries[number].form
        copy.first = <int32_t>(candidates.record_count + candidates.entries[number].first - record)
        copy.before = NONE
        copy.model = <int32_t>number
        candidates.count += 1
    for record in range(record, last):
        candidates.records[2 * candidates.record_count] = candidates.records[2 * record] + shift
        candidates.records[2 * candidates.record_count + 1] = candidates.records[2 * record + 1] + shift
        candidates.record_count += 1
    return 0


cdef int cut_at_head(Candidates *candidates, CoarseRegion *region, int32_t head) except -1 nogil:
    """Two candidates: the heads alone, and the runs from one head to the next (head-order-based segmentation).

    The last record has what may follow its head: symbols that follow the heads before it, and no more places
    than the longest of their records.
    """
    cdef int64_t first = candidates.record_count
    cdef int32_t place, previous = region.first[head], longest = 1
    for place in range(region.first[head], region.last[head] + 1):
        if region.symbol[place] == head and not region.separator[place]:
            add_record(candidates, region, place, place + 1)
    close_candidate(candidates, region, SINGLE, first)
    first = candidates.record_count
    region.stamp += 1
    for place in range(region.first[head] + 1, region.last[head] + 1):
        if region.symbol[place] == head and not region.separator[place]:
            add_record(candidates, region, previous, place)
            longest = max(longest, place - previous)
            previous = place
        else:
            region.stamped[region.symbol[place]] = region.stamp
    place = previous + 1
    while place < region.end and place - previous < longest and (
            region.stamped[region.symbol[place]] == region.stamp):
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
    cdef int64_t last = candidates.record_count - 1, record
    cdef int32_t place, end
    if last - first < 2:
        return
    region.stamp += 1
    for record in range(first + 1, last):
        region.stamped[region.symbol[candidates.records[2 * record]]] = region.stamp
    for place in range(candidates.records[2 * first], candidates.records[2 * first + 1]):
        if not region.separator[place] and region.stamped[region.symbol[place]] == region.stamp:
            candidates.records[2 * first] = place
            break
    region.stamp += 1
    for record in range(first, last):
        for place in range(candidates.records[2 * record], candidates.records[2 * record + 1]):
            region.stamped[region.symbol[place]] = region.stamp
    for end in range(candidates.records[2 * last + 1], candidates.records[2 * last], -1):
        if not region.separator[end - 1] and region.stamped[region.symbol[end - 1]] == region.stamp:
            candidates.records[2 * last + 1] = end
            break


cdef int cut_at_separators(Candidates *candidates, CoarseRegion *region) except -1 nogil:
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
            if region.count[region.heads[k]] > region.count[region.heads[best]]:
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
    cdef const uint8_t *separator = region.separator
    cdef int32_t *heads = region.heads
    cdef int32_t place, head, repeated = 0, k, places = region.sequence.places
    region.symbol = symbol
    memset(region.count, 0, places * sizeof(int32_t))
    for place in range(places):
        if not separator[place]:
            head = symbol[place]
            if region.count[head] == 0:
                region.first[head] = place
            region.last[head] = place
            region.count[head] += 1
    for place in range(places):
        head = symbol[place]
        if not separator[place] and region.count[head] > 1 and region.first[head] == place:
            heads[repeated] = head
            repeated += 1
    region.head_count = 0
    for k in range(repeated):
        head = heads[k]
        if region.head_count and region.first[head] >= region.end:
            cut_region(candidates, region)
            region.head_count = 0
        if region.head_count == 0:
            region.heads = heads + k
            region.begin = region.end = region.first[head]
        region.head_count += 1
        region.end = max(region.end, region.last[head] + 1)
    if region.head_count:
        cut_region(candidates, region)
    region.heads = heads
    return 0


cdef int cut_sequence(Candidates *candidates, CoarseRegion *region, const Sequence *sequence) except -1 nogil:
    """Add all candidates of a sequence, by either way to cluster it; where both are the same, once."""
    cdef size_t room = sequence.places * sizeof(int32_t)
    region.sequence = sequence
    region.separator = sequence.separator
    # The places are those of a new sequence.
    memset(region.latest, 0, room)
    memset(region.stamped, 0, room)
    cut_regions(candidates, region, sequence.by_tag)
    if memcmp(sequence.by_tag, sequence.by_tree, room) != 0:
        cut_regions(candidates, region, sequence.by_tree)
    return 0


# Memory


cdef size_t size_of_coarse_region(size_t nodes) noexcept nogil:
    """The scratch memory that `open_coarse_region` takes."""
    return 8 * (nodes * sizeof(int32_t) + 16)


cdef void open_coarse_region(CoarseRegion *region, size_t nodes, char **memory) noexcept nogil:
    """Take the memory for sequences of the nodes of a page, from `memory` on."""
    region.heads = <int32_t *>piece(memory, nodes * sizeof(int32_t))
    region.first = <int32_t *>piece(memory, nodes * sizeof(int32_t))
    region.last = <int32_t *>piece(memory, nodes * sizeof(int32_t))
    region.count = <int32_t *>piece(memory, nodes * sizeof(int32_t))
    region.stamped = <int32_t *>piece(memory, nodes * sizeof(int32_t))
    region.run_start = <int32_t *>piece(memory, nodes * sizeof(int32_t))
    region.run_end = <int32_t *>piece(memory, nodes * sizeof(int32_t))
    region.latest = <int32_t *>piece(memory, nodes * sizeof(int32_t))
    region.stamp = 0


cdef int open_candidates(Candidates *candidates, int64_t nodes) except -1 nogil:
    """Take memory for candidates, which grows; `close_candidates` frees it."""
    candidates.record_count = candidates.count = 0
    candidates.left_out = False
    candidates.record_room = nodes + 1
    candidates.room = 64
    candidates.records = <int32_t *>malloc(2 * candidates.record_room * sizeof(int32_t))
    candidates.entries = <Candidate *>malloc(candidates.room * sizeof(Candidate))
    if candidates.records == NULL or candidates.entries == NULL:
        with gil:
            raise MemoryError("no memory for the records of a page")
    return 0


cdef void close_candidates(Candidates *candidates) noexcept nogil:
    """Free the memory; candidates of zeros have none."""
    free(candidates.records)
    free(candidates.entries)
