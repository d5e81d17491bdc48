"""Ways to cut a sequence of siblings into records (AutoRM, Shi et al. 2015): coarse regions, heads and separators.
Every pass is linear in the places of the sequence. Nothing here is for Python."""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memmove, memset

from fastwrap._core.common.scratch cimport numbers, piece, reserve
from fastwrap._core.regions.autorm cimport NONE

cdef enum:
    HEADS = 16          # symbols of a coarse region that are tried as heads: the most frequent ones
    SPLITS = 8          # runs of separators that a coarse region is split at: the first ones that differ


# Candidates


cdef inline int room_for_records(Candidates *candidates, int64_t more) except -1 nogil:
    return reserve(
        <void **>&candidates.records, &candidates.record_room, candidates.record_count + more, 2 * sizeof(int32_t))


cdef inline int room_for_candidates(Candidates *candidates, int64_t more) except -1 nogil:
    return reserve(<void **>&candidates.entries, &candidates.room, candidates.count + more, sizeof(Candidate))


cdef inline int add_record(Candidates *candidates, CoarseRegion *region, int32_t first, int32_t end) except -1 nogil:
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
    room_for_records(candidates, known.count)
    for place in range(known.first, known.last + 1):
        if region.symbol[place] == head and not separator[place]:
            candidates.records[2 * candidates.record_count] = place
            candidates.records[2 * candidates.record_count + 1] = place + 1
            candidates.record_count += 1
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


# Memory


cdef size_t size_of_coarse_region(size_t nodes) noexcept nogil:
    """The scratch memory that `open_coarse_region` takes."""
    return nodes * (4 * sizeof(int32_t) + sizeof(Symbol)) + 5 * 16


cdef void open_coarse_region(CoarseRegion *region, size_t nodes, char **memory) noexcept nogil:
    """Take the memory for sequences of the nodes of a page, from `memory` on."""
    region.symbols = <Symbol *>piece(memory, nodes * sizeof(Symbol))
    region.heads = numbers(memory, nodes)
    region.run_start = numbers(memory, nodes)
    region.run_end = numbers(memory, nodes)
    region.latest = numbers(memory, nodes)


cdef void close_candidates(Candidates *candidates) noexcept nogil:
    """Free the memory, which grows with what is added; candidates of zeros have none."""
    free(candidates.records)
    free(candidates.entries)
