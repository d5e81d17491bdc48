"""Sets of records: measured, joined with sets of their kind, and chosen by their quality, the best one first.
A set is measured once no other may be better (lazy evaluation, Minoux 1978). Nothing here is for Python."""

from libc.math cimport pow
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memchr, memcpy

from fastwrap._core.common.page cimport PageArrays, subtree_end
from fastwrap._core.common.scratch cimport piece, take
from fastwrap._core.regions.autorm cimport NONE, VARIETY_MET, AutormOptions, Content, RecordSearch, likeness, most_alike
from fastwrap._core.regions.segmentation cimport SINGLE, Candidate, Candidates

cdef enum:
    BOUNDED = 4         # times that the bound of a kind is worked out before its sets are joined
    JOINED = 4          # joined sets of a kind: around the best set, around the best one that is left, ...

cdef double ROUNDED = 1 + 1e-9      # a bound is no less than what it bounds, however both were rounded


cdef int open_sets(RecordSets *sets, size_t records, size_t count, size_t kinds) except -1 nogil:
    """Take the memory of all sets, zeros before: of `count` that are cut or single, and what they are joined to."""
    cdef char *at = <char *>take(
        2 * count * (sizeof(RecordSet) + sizeof(Offer) + 2 * sizeof(RecordSet *))
        + kinds * (sizeof(KindOfSets) + sizeof(Offer)) + records * (sizeof(double) + 3 * sizeof(int32_t)) + 128)
    cdef size_t kind
    sets.block = at
    sets.kinds = <KindOfSets *>piece(&at, kinds * sizeof(KindOfSets))
    sets.offers = <Offer *>piece(&at, (2 * count + kinds) * sizeof(Offer))
    sets.of_kind = <RecordSet **>piece(&at, 2 * count * sizeof(RecordSet *))
    sets.chosen = <RecordSet **>piece(&at, 2 * count * sizeof(RecordSet *))
    sets.sets = <RecordSet *>piece(&at, 2 * count * sizeof(RecordSet))
    sets.to_next = <double *>piece(&at, records * sizeof(double))
    sets.different = <int32_t *>piece(&at, records * sizeof(int32_t))
    sets.records = <int32_t *>at
    sets.kind_count = kinds
    sets.record_room = records
    for kind in range(kinds):
        sets.kinds[kind].first = sets.kinds[kind].last = NONE
        sets.kinds[kind].bounded = 0
    return 0


# Measuring: similarity between the records of a set, variety within them

cdef inline double letters_in(const RecordSearch *search, const RecordSets *sets, int32_t record) noexcept nogil:
    cdef const double *letters_before = search.content.letters_before
    return letters_before[sets.records[2 * record + 1]] - letters_before[sets.records[2 * record]]


cdef inline bint is_odd(double alike, double all_alike, double letters, double all_letters, int32_t count,
                        double oddness) noexcept nogil:
    """Whether a record at the end of a set of `count` is less like its neighbour than the others are like theirs
    and so much smaller, that the product of both ratios is below `oddness`."""
    cdef double other_alike = (all_alike - alike) / (count - 2)
    cdef double other_letters = (all_letters - letters) / (count - 1)
    # A record that is 0.8 like its neighbour is not odd, however small it is.
    return alike < min(other_alike, 0.8) and alike * letters < oddness * other_alike * other_letters


cdef void leave_out_odd_ends(const RecordSearch *search, const RecordSets *sets, RecordSet *measured) noexcept nogil:
    """Narrow a set, which keeps two of its records; the likeness of each to the next one is known."""
    cdef int32_t first = measured.first, last = measured.end - 1, count = measured.end - first, record
    cdef double alike = 0, letters = 0, oddness = search.options.odd_record
    measured.left_out = 0
    measured.odd_first = measured.odd_last = False
    if count < 3:
        return
    for record in range(first, last + 1):
        letters += letters_in(search, sets, record)
        if record < last:
            alike += sets.to_next[record]
    if is_odd(sets.to_next[first], alike, letters_in(search, sets, first), letters, count, oddness):
        measured.first += 1
        measured.odd_first = True
    if measured.end - measured.first > 2 and is_odd(
            sets.to_next[last - 1], alike, letters_in(search, sets, last), letters, count, oddness):
        measured.end -= 1
        measured.odd_last = True
    measured.left_out = count - (measured.end - measured.first)


cdef double similarity_of(const RecordSearch *search, const RecordSets *sets, const RecordSet *measured) noexcept nogil:
    """The mean likeness of neighbours, times the mean likeness of a record to the nearer one of its neighbours, where
    records count by their content.

    So a large record that is unlike the others adds nothing to what the set is worth.
    """
    cdef double alike = 0, letters = 0, weighted = 0, nearer
    cdef int32_t record
    for record in range(measured.first, measured.end):
        nearer = 0
        if record > measured.first:
            nearer = sets.to_next[record - 1]
        if record + 1 < measured.end:
            alike += sets.to_next[record]
            nearer = max(nearer, sets.to_next[record])
        letters += letters_in(search, sets, record)
        weighted += nearer * letters_in(search, sets, record)
    return alike / (measured.end - measured.first - 1) * weighted / letters if letters > 0 else 0


cdef inline double variety_of(int64_t count, int64_t different, int32_t records, double full) noexcept nogil:
    """1 for records of `full` or more items that are all different; less for items that repeat within a record
    (the cells of a row, the links of a menu), and for records with few of them."""
    cdef double few
    if count == 0:
        return 0
    few = min(1.0, <double>different / records / full) ** 2
    # Not **, which is that of complex numbers for such an exponent.
    return few if different == count else pow(<double>different / count, 2.0 / 3) * few


cdef inline int32_t different_items(RecordSearch *search, int32_t first, int32_t end) noexcept nogil:
    """How many of the items from `first` up to `end` are different."""
    cdef const int32_t *items = search.content.items
    cdef int32_t *seen_in_turn = search.seen_in_turn
    cdef int32_t k, turn, different = 0
    search.turn += 1
    turn = search.turn
    for k in range(first, end):
        different += seen_in_turn[items[k]] != turn
        seen_in_turn[items[k]] = turn
    return different


cdef void measure(RecordSearch *search, RecordSets *sets, RecordSet *measured) noexcept nogil:
    """Fill in the likeness of neighbours that is not known yet, leave out odd records at the ends of a set, and fill
    in its quality."""
    cdef const Content *content = &search.content
    cdef const int32_t *records = sets.records
    cdef int32_t record, first, end, model = measured.model
    cdef int64_t count = 0, different = 0
    for record in range(measured.first, measured.end - 1):
        if sets.to_next[record] < 0:
            sets.to_next[record] = sets.to_next[model] if model != NONE and sets.to_next[model] >= 0 else likeness(
                search, records[2 * record], records[2 * record + 1], records[2 * record + 2], records[2 * record + 3])
        if model != NONE:
            sets.to_next[model] = sets.to_next[record]
            model += 1
    leave_out_odd_ends(search, sets, measured)
    measured.similarity = similarity_of(search, sets, measured)
    measured.coverage = 0
    for record in range(measured.first, measured.end):
        measured.coverage += letters_in(search, sets, record)
        first = content.shown_before[records[2 * record]]
        end = content.shown_before[records[2 * record + 1]]
        count += end - first
        if end - first < 2:
            sets.different[record] = end - first
        elif sets.different[record] == NONE and search.reads_left >= 0:
            # Sets within sets are read at every level: a page of deep levels is not to be read hundreds of times.
            search.reads_left -= end - first
            sets.different[record] = different_items(search, first, end)
        different += sets.different[record]
    measured.coverage /= content.total
    measured.variety = 0
    if search.reads_left < 0:
        search.met |= VARIETY_MET
    else:
        measured.variety = variety_of(count, different, measured.end - measured.first, search.options.full_record)
    measured.quality = measured.coverage * measured.similarity * measured.variety
    measured.is_measured = True


cdef void measure_whole(RecordSearch *search, RecordSets *sets, RecordSet *measured) noexcept nogil:
    """The same, with all records: none at the ends is odd."""
    cdef double oddness = search.options.odd_record
    search.options.odd_record = 0
    measure(search, sets, measured)
    search.options.odd_record = oddness


cdef inline double most_variety(const AutormOptions *options, int32_t most_items) noexcept nogil:
    """No less than the variety of records of which none has more than so many items."""
    return min(1.0, most_items / options.full_record) ** 2 * ROUNDED


cdef inline double most_likeness(const RecordSearch *search, const int32_t *one, const int32_t *other) noexcept nogil:
    """No less than the likeness of two records, without matching them: by their sizes and, where both are one tree, by
    their tags."""
    cdef const PageArrays *page = search.page
    cdef int32_t left = one[1] - one[0], right = other[1] - other[0]
    if page.size[one[0]] == left and page.size[other[0]] == right and page.tag[one[0]] != page.tag[other[0]]:
        return 0
    return most_alike(left, right, min(left, right))


cdef double bound_of_set(const RecordSearch *search, const RecordSets *sets, const RecordSet *member) noexcept nogil:
    """No less than the quality of a set, by what its records may be alike, whichever ends are left out.

    Coverage times similarity is the mean likeness times the weighted content, which is less without an end.
    """
    cdef const int32_t *records = sets.records + 2 * member.first
    cdef const double *to_next = sets.to_next + member.first
    cdef int32_t k, count = member.end - member.first
    cdef double before = 0, alike = 0, weighted = 0, first = 0, last = 0, likely, mean
    for k in range(count):
        likely = 0
        if k + 1 < count:
            likely = to_next[k] if to_next[k] >= 0 else most_likeness(search, records + 2 * k, records + 2 * k + 2)
            alike += likely
            if k == 0:
                first = likely
            if k + 2 == count:
                last = likely
        weighted += max(before, likely) * letters_in(search, sets, member.first + k)
        before = likely
    mean = alike / (count - 1)
    if count > 2:
        mean = max(mean, (alike - min(first, last)) / (count - 2))
    if count > 3:
        mean = max(mean, (alike - first - last) / (count - 3))
    mean = min(mean + 1e-9, 1.0)        # differences may lose what is slight
    return mean * weighted / search.content.total * most_variety(&search.options, member.most_items) * ROUNDED


# What may be chosen next, as a heap (Williams 1964)

cdef inline bint is_better(const Offer *one, const Offer *other) noexcept nogil:
    """Of equals, what is not measured yet comes first, and then what was made first."""
    if one.bound != other.bound:
        return one.bound > other.bound
    if one.is_exact != other.is_exact:
        return other.is_exact
    return one.number < other.number


cdef void offer(RecordSets *sets, double bound, int64_t number, int32_t place, bint is_exact) noexcept nogil:
    cdef Offer *heap = sets.offers
    cdef Offer added
    cdef int32_t k = sets.offer_count
    added.bound = bound
    added.number = number
    added.place = place
    added.is_exact = is_exact
    sets.offer_count += 1
    while k and is_better(&added, &heap[(k - 1) // 2]):
        heap[k] = heap[(k - 1) // 2]
        k = (k - 1) // 2
    heap[k] = added


cdef Offer best_offer(RecordSets *sets) noexcept nogil:
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


cdef void offer_measured(const RecordSearch *search, RecordSets *sets, const RecordSet *measured) noexcept nogil:
    """Offer a set that was measured, if it has enough content."""
    if measured.quality > 0 and measured.coverage >= search.options.coverage:
        offer(sets, measured.quality, measured.number, <int32_t>(measured - sets.sets), True)


# Sets that are cut, and single nodes

cdef RecordSet *add_set(const Content *content, RecordSets *sets, int64_t kind, const Candidate *candidate,
                        int32_t end) noexcept nogil:
    """Add the set of a candidate, whose records go up to `end`, to those of its kind. Its coverage is that of all of
    its records, with the odd ones."""
    cdef RecordSet *added = &sets.sets[sets.count]
    cdef KindOfSets *of_kind = &sets.kinds[kind]
    cdef int32_t record, begin, after
    added.quality = added.coverage = added.similarity = added.variety = 0
    added.most_items = added.left_out = added.refused = added.added = 0
    added.odd_first = added.odd_last = added.is_bounded = added.is_measured = False
    added.sequence = candidate.sequence
    added.number = sets.count
    added.form = candidate.form
    added.parts = 1
    added.first = candidate.first
    added.end = end
    added.model = added.following = NONE
    for record in range(added.first, added.end):
        begin = sets.records[2 * record]
        after = sets.records[2 * record + 1]
        added.coverage += content.letters_before[after] - content.letters_before[begin]
        added.most_items = max(added.most_items, content.shown_before[after] - content.shown_before[begin])
    added.coverage /= content.total
    if of_kind.first == NONE:
        of_kind.first = sets.count
    else:
        sets.sets[of_kind.last].following = sets.count
    of_kind.last = sets.count
    sets.count += 1
    return added


cdef void add_lone_nodes(const RecordSearch *search, RecordSets *sets) noexcept nogil:
    """Add the lone nodes, where others with their tag path are records elsewhere."""
    cdef Candidate single
    cdef int32_t k, node
    cdef int64_t kind
    single.form = SINGLE
    for k in range(search.lone_count):
        node = search.lone[k]
        kind = 2 * <int64_t>search.content.tag_path[node]
        if sets.kinds[kind].first == NONE:
            continue
        sets.records[2 * sets.record_count] = node
        sets.records[2 * sets.record_count + 1] = subtree_end(search.page, node)
        sets.different[sets.record_count] = NONE
        single.first = sets.record_count
        sets.record_count += 1
        # One of a sequence is joined, but lone nodes of one sequence have different tags: each is one of its own.
        single.sequence = search.sequence_count + 1 + k
        add_set(&search.content, sets, kind, &single, sets.record_count).is_measured = True


cdef void add_candidates(RecordSearch *search, RecordSets *sets, const Candidates *candidates) noexcept nogil:
    """Make sets of the candidates, which are measured later, if at all; add what may join them, and offer all."""
    cdef const Candidate *candidate
    cdef RecordSet *added
    cdef int32_t number, record, end
    cdef int64_t kind
    cdef double bound
    if candidates.record_count == 0:
        return      # there is no memory of records to copy from
    memcpy(sets.records, candidates.records, 2 * candidates.record_count * sizeof(int32_t))
    for record in range(<int32_t>candidates.record_count):
        sets.to_next[record] = NONE
        sets.different[record] = NONE
    sets.record_count = <int32_t>candidates.record_count
    for number in range(<int32_t>candidates.count):
        candidate = &candidates.entries[number]
        end = sets.record_count if number + 1 == candidates.count else candidates.entries[number + 1].first
        # Sets whose records begin at the same tag path may be joined: single nodes with single nodes, runs with runs.
        kind = 2 * <int64_t>search.content.tag_path[sets.records[2 * candidate.first]] + (candidate.form != SINGLE)
        added = add_set(&search.content, sets, kind, candidate, end)
        if candidate.model != NONE:
            added.model = candidates.entries[candidate.model].first
        added.quality = added.coverage * most_variety(&search.options, added.most_items)
        if added.quality > 0 and added.coverage * ROUNDED >= search.options.coverage:
            offer(sets, added.quality, added.number, <int32_t>added.number, False)
    if sets.count:
        add_lone_nodes(search, sets)
        for kind in range(sets.kind_count):
            if sets.kinds[kind].first != sets.kinds[kind].last:
                bound = bound_of_kind(search, sets, &sets.kinds[kind], NULL)
                if bound > 0:
                    offer(sets, bound, kind, NONE, False)


# Joined sets

cdef double bound_of_kind(const RecordSearch *search, const RecordSets *sets, const KindOfSets *kind,
                          const uint8_t *taken) noexcept nogil:
    """No less than the quality of what the sets of a kind are joined to, or 0 if nothing can be chosen of it.

    One set of a sequence is joined, and none that shares a node with what is taken can be chosen. NULL stands for
    nothing taken.
    """
    cdef const RecordSet *member
    cdef int32_t k = kind.first, parts = 0, most_items = 0
    cdef int64_t sequence = NONE
    cdef double coverage = 0, most = 0
    while k != NONE:
        member = &sets.sets[k]
        if taken == NULL or not is_taken(sets, member, taken):
            if member.sequence != sequence:
                sequence = member.sequence
                coverage += most
                most = 0
                parts += 1
            most = max(most, member.coverage)
            most_items = max(most_items, member.most_items)
        k = member.following
    coverage += most
    if parts < 2 or coverage * ROUNDED < search.options.coverage:
        return 0
    return coverage * most_variety(&search.options, most_items)


cdef int32_t sets_to_join(RecordSearch *search, RecordSets *sets, const KindOfSets *kind) noexcept nogil:
    """List the best set of a kind of every sequence, in order of the sequences; returns how many there are. Sets that
    cannot be the best of theirs are not measured."""
    cdef int32_t k = kind.first, count = 0
    cdef RecordSet *member
    cdef RecordSet *last = NULL
    while k != NONE:
        member = &sets.sets[k]
        k = member.following
        if last == NULL or last.sequence != member.sequence:
            if not member.is_measured:
                measure(search, sets, member)
            sets.of_kind[count] = last = member
            count += 1
        elif member.is_measured or bound_of_set(search, sets, member) > last.quality:
            if not member.is_measured:
                measure(search, sets, member)
            if member.quality > last.quality:
                sets.of_kind[count - 1] = last = member
    return count


cdef void sort_by_node(const RecordSets *sets, int32_t count) noexcept nogil:
    """Merge the two halves of `of_kind`, which are in order: sets that were cut, and lone nodes.

    Records of one kind are at one depth below different parents, so that they never overlap.
    """
    cdef RecordSet **of_kind = sets.of_kind
    cdef RecordSet **cut_sets = sets.of_kind + count
    cdef int32_t lone = 0, cut = 0, k, written = 0
    while lone < count and of_kind[lone].end - of_kind[lone].first > 1:
        lone += 1
    if lone == 0 or lone == count:
        return
    memcpy(cut_sets, of_kind, lone * sizeof(RecordSet *))
    k = lone
    while cut < lone:
        if k < count and sets.records[2 * of_kind[k].first] < sets.records[2 * cut_sets[cut].first]:
            of_kind[written] = of_kind[k]
            k += 1
        else:
            of_kind[written] = cut_sets[cut]
            cut += 1
        written += 1


cdef bint are_alike(RecordSearch *search, const int32_t *one, const int32_t *other) noexcept nogil:
    """Whether two records are similar."""
    cdef int32_t left = one[1] - one[0], right = other[1] - other[0]
    return most_alike(left, right, min(left, right)) >= search.options.similarity and (
        likeness(search, one[0], one[1], other[0], other[1]) >= search.options.similarity)


cdef int32_t join_around_best(RecordSearch *search, RecordSets *sets, int32_t count, int64_t number) noexcept nogil:
    """Make one set of all sets of a kind that are similar to the best one; of each, the middle record is compared.

    The others are moved to the front, in their order; returns how many there are.
    """
    cdef RecordSet **of_kind = sets.of_kind
    cdef RecordSet *best = of_kind[0]
    cdef RecordSet *joined = &sets.sets[sets.count]
    cdef RecordSet *member
    cdef int32_t k, middle, of_best, parts = 0, left = 0, size = 0
    for k in range(1, count):
        if of_kind[k].quality > best.quality or (
                of_kind[k].quality == best.quality and of_kind[k].number < best.number):
            best = of_kind[k]
    of_best = (best.first + best.end) // 2
    joined.first = sets.record_count
    for k in range(count):
        member = of_kind[k]
        middle = (member.first + member.end) // 2
        if are_alike(search, sets.records + 2 * of_best, sets.records + 2 * middle):
            size = member.end - member.first
            memcpy(sets.records + 2 * sets.record_count, sets.records + 2 * member.first, 2 * size * sizeof(int32_t))
            memcpy(sets.to_next + sets.record_count, sets.to_next + member.first, size * sizeof(double))
            memcpy(sets.different + sets.record_count, sets.different + member.first, size * sizeof(int32_t))
            sets.record_count += size
            sets.to_next[sets.record_count - 1] = NONE
            parts += 1
        elif member != best:
            of_kind[left] = member
            left += 1
    if parts < 2:
        sets.record_count = joined.first
        return left
    joined.end = sets.record_count
    joined.number = number
    joined.model = NONE
    joined.form = best.form
    joined.parts = parts
    joined.added = joined.refused = 0
    sets.count += 1
    measure(search, sets, joined)
    offer_measured(search, sets, joined)
    return left


cdef void join(RecordSearch *search, RecordSets *sets, int64_t kind) noexcept nogil:
    """Add the joined sets of a kind: of the best set of every sequence, around the best one, the best one left, ..."""
    cdef int32_t left = sets_to_join(search, sets, &sets.kinds[kind]), turn
    sort_by_node(sets, left)
    for turn in range(JOINED):
        if left > 1:
            # Joined sets come after all others, in order of their kinds.
            left = join_around_best(search, sets, left, (kind + 1) * JOINED + turn + (<int64_t>1 << 40))


# Choosing

cdef bint is_taken(const RecordSets *sets, const RecordSet *member, const uint8_t *taken) noexcept nogil:
    """Whether a set shares a node with a chosen one; the ends of one that is not measured may be left out of it."""
    cdef bint one_less = not member.is_measured and member.end - member.first > 2
    cdef int32_t record, begin = member.first + one_less, end = member.end - one_less
    cdef int32_t first = sets.records[2 * begin]
    # Most sets are within a chosen one or apart from all.
    if taken[first]:
        return True
    if memchr(taken + first, 1, sets.records[2 * end - 1] - first) == NULL:
        return False
    for record in range(begin, end):
        first = sets.records[2 * record]
        if memchr(taken + first, 1, sets.records[2 * record + 1] - first) != NULL:
            return True
    return False


cdef int32_t next_set(RecordSearch *search, RecordSets *sets, const uint8_t *taken) noexcept nogil:
    """The place of the best set that shares no node with those `taken` (by node, 1 where it is), or NONE.

    A set is measured once no other may be better, and sets are joined when what they may give is next: most of them
    share a node with what is taken by then.
    """
    cdef Offer best
    cdef KindOfSets *kind
    cdef RecordSet *offered
    cdef double bound
    while sets.offer_count:
        best = best_offer(sets)
        if best.place == NONE:
            kind = &sets.kinds[best.number]
            kind.bounded += 1
            bound = bound_of_kind(search, sets, kind, taken)
            if bound > 0 and bound < best.bound and kind.bounded < BOUNDED:
                offer(sets, bound, best.number, NONE, False)
            elif bound > 0:
                join(search, sets, best.number)
            continue
        offered = &sets.sets[best.place]
        if is_taken(sets, offered, taken):
            continue
        if best.is_exact:
            return best.place
        if not offered.is_bounded and not offered.is_measured:
            # Most sets are of nodes that differ in size, which is told sooner than how they match.
            offered.is_bounded = True
            bound = bound_of_set(search, sets, offered)
            if bound < best.bound:
                if bound > 0:
                    offer(sets, bound, best.number, best.place, False)
                continue
        if not offered.is_measured:
            measure(search, sets, offered)
        offer_measured(search, sets, offered)
    return NONE
