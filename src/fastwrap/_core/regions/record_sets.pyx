"""Sets of records (AutoRM, Shi et al. 2015) in one native pass, and their ranking: the two calls of the method.
The steps are modules beside this one (see `autorm.pxd`); linear but for sorts, matching and measuring, with budgets."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from fastwrap._core.common.buffers cimport data_of, held, held_numbers
from fastwrap._core.common.page cimport NativePage, Spans, open_spans
from fastwrap._core.common.scratch cimport numbers, piece, put_back, take
from fastwrap._core.page.symbols cimport need_classes, need_symbols
from fastwrap._core.regions.autorm cimport NONE, SIBLINGS_MET, AutormOptions, RecordSearch
from fastwrap._core.regions.content cimport read_content, size_of_content
from fastwrap._core.regions.ends cimport settle_ends
from fastwrap._core.regions.groups cimport Grouping, lift_parts, open_grouping, size_of_grouping, split_groups
from fastwrap._core.regions.links cimport KnownHost
from fastwrap._core.regions.opening cimport Opening, add_openings, open_opening, size_of_opening
from fastwrap._core.regions.ranking cimport (
    FEATURES, PURPOSES, RankedPage, RankingOptions, read_page, read_set, weighed,
)
from fastwrap._core.regions.replies cimport Replies, find_replies, gather_replies, size_of_replies
from fastwrap._core.regions.segmentation cimport SINGLE, Candidates, close_candidates
from fastwrap._core.regions.sequences cimport cut_page, size_of_sequences
from fastwrap._core.regions.sets cimport RecordSet, RecordSets, add_candidates, measure, next_set, open_sets
from fastwrap._core.regions.siblings cimport Gathering, gather, open_gathering, size_of_gathering
from fastwrap._core.regions.strays cimport gather_strays, join_chosen
from fastwrap._core.similarity.matching cimport start as start_matcher, stop as stop_matcher

from operator import itemgetter

import numpy as np

cdef object empty = np.empty, INT32 = np.dtype(np.int32), FLOAT64 = np.dtype(np.float64)
cdef object SCORE = itemgetter(2)

LIMITS = ("regions.clusters", "regions.segmentation", "regions.matching", "regions.variety", "regions.siblings")

cdef enum:
    READS = 10_000_000      # items that are read to measure sets: so many, ...
    READS_PER_NODE = 50     # ... and so many for each node
    GATHERED = 100          # sets, the best ones, whose siblings are looked at
    SPARE = 10              # times that the nodes of a page may be records anew: seven steps, and sets that are joined
    REASONS = 7             # numbers that say why a set is one, before its features


# The memory and the options of a search

cdef const uint8_t *table_of_tags(table, int32_t *known_tags) except NULL:
    """A table by tag number, which the caller keeps; its last entry is for all tags from `known_tags` on."""
    if len(table) == 0:
        raise ValueError("there is no entry for any tag")
    known_tags[0] = <int32_t>len(table) - 1
    return <const uint8_t *>held(table, len(table), 1)


cdef int read_options(AutormOptions *known, options) except -1:
    """Take over `fastwrap.regions.autorm.Options`, which the caller keeps."""
    (seen_as, known.letter, known.image, known.largest_image, known.spacer, known.hidden, known.odd_record,
     known.full_record, known.similarity, known.coverage, known.budget, known.pairs) = options
    known.seen_as = table_of_tags(seen_as, &known.known_tags)
    return 0


cdef int read_ranking_options(RankingOptions *known, options) except -1:
    """Take over `fastwrap.regions.ranking.Options`, which the caller keeps."""
    is_navigation, words, roles, known.prose, weights, listed = options
    known.rules.is_navigation = table_of_tags(is_navigation, &known.rules.known_tags)
    known.rules.word_count = <int32_t>len(words)
    known.rules.words = <const uint64_t *>held(words, len(words), sizeof(uint64_t))
    known.rules.role_count = <int32_t>len(roles)
    known.rules.roles = <const uint64_t *>held(roles, len(roles), sizeof(uint64_t))
    known.listed_count = <int32_t>len(listed)
    known.listed = <const uint64_t *>held(listed, len(listed), sizeof(uint64_t))
    known.weights = <const double *>held(weights, PURPOSES * (FEATURES + 1), sizeof(double))
    return 0


cdef int open_search(RecordSearch *search, NativePage native, options) except -1:
    """Begin a search; it takes its memory as one block."""
    cdef size_t nodes = native.arrays.count, row = nodes + 1
    cdef size_t scratch = max(size_of_content(nodes), size_of_sequences(nodes),
                              size_of_gathering(nodes) + size_of_grouping(nodes) + size_of_replies(nodes)
                              + size_of_opening(nodes) + nodes + 16)
    cdef char *at
    memset(search, 0, sizeof(RecordSearch))
    read_options(&search.options, options)
    need_symbols(native)
    need_classes(native)
    search.page = &native.arrays
    search.reads_left = READS + READS_PER_NODE * <int64_t>nodes
    start_matcher(&search.matcher, search.page, search.page.count, search.options.budget)
    try:
        search.block = at = <char *>take(15 * (row * sizeof(int32_t) + 16) + sizeof(KnownHost) + 16 + scratch)
    except MemoryError:
        stop_matcher(&search.matcher)
        raise
    search.content.letters_before = <double *>piece(&at, row * sizeof(double))
    search.content.shown_before = numbers(&at, row)
    search.content.shown = numbers(&at, row)
    search.content.items = numbers(&at, row)
    search.content.tag_path = numbers(&at, row)
    search.links.page = search.page
    search.links.before = numbers(&at, row)
    search.links.nodes = numbers(&at, row)
    search.links.kinds = <uint64_t *>piece(&at, row * sizeof(uint64_t))
    search.links.hosts = <uint64_t *>piece(&at, row * sizeof(uint64_t))
    search.links.known = <KnownHost *>piece(&at, sizeof(KnownHost))
    search.seen_in_turn = numbers(&at, 2 * row)
    search.lone = numbers(&at, row)
    search.scratch = at
    return 0


cdef void close_search(RecordSearch *search) noexcept nogil:
    stop_matcher(&search.matcher)
    put_back(search.block)


# What is found, as Python has it

cdef results(const RecordSearch *search, const RecordSets *sets, const RankingOptions *options):
    """The chosen sets in order of their rank, or of their quality if `options` is NULL; see `record_sets.pyi`."""
    cdef int32_t count = sets.chosen_count, k, columns = REASONS if options == NULL else REASONS + FEATURES
    cdef size_t record_count = 0, nodes = search.page.count
    cdef const RecordSet *chosen
    cdef RankedPage ranked
    cdef int32_t *record
    cdef double *row
    cdef double *sums
    cdef void *block = NULL
    cdef char *at
    for k in range(count):
        record_count += sets.chosen[k].end - sets.chosen[k].first
    records, why, order = empty((record_count, 2), INT32), empty((count, columns), FLOAT64), []
    limits = tuple([name for k, name in enumerate(LIMITS) if search.met >> k & 1]) if search.met else ()
    if count == 0:
        return records, order, why, limits
    record = <int32_t *>data_of(records)
    row = <double *>data_of(why)
    if options != NULL:
        block = at = <char *>take(2 * nodes + (nodes + 1) * sizeof(int32_t) + 7 * (record_count + 1) * sizeof(uint64_t)
                                  + 2 * count * sizeof(double) + 9 * 16)
    with nogil:
        if options != NULL:
            ranked.page = search.page
            ranked.content = &search.content
            ranked.options = options
            ranked.links = &search.links
            sums = <double *>piece(&at, 2 * count * sizeof(double))
            ranked.in_link = <uint8_t *>piece(&at, nodes)
            ranked.places.page = search.page
            ranked.places.rules = &options.rules
            ranked.places.known = <uint8_t *>piece(&at, nodes)
            ranked.places.path = numbers(&at, nodes)
            ranked.places.class_length = NONE
            ranked.hashes = <uint64_t *>piece(&at, record_count * sizeof(uint64_t))
            ranked.kinds = <uint64_t *>piece(&at, record_count * sizeof(uint64_t))
            ranked.hosts = <uint64_t *>piece(&at, record_count * sizeof(uint64_t))
            ranked.table = <uint64_t *>at
            memset(ranked.places.known, 0, nodes)
            read_page(&ranked)
        for k in range(count):
            chosen = sets.chosen[k]
            memcpy(record, sets.records + 2 * chosen.first, 2 * (chosen.end - chosen.first) * sizeof(int32_t))
            row[0] = chosen.coverage
            row[1] = chosen.similarity
            row[2] = chosen.variety
            row[3] = chosen.form
            row[4] = chosen.parts
            row[5] = chosen.left_out
            row[6] = chosen.added
            if options != NULL:
                read_set(&ranked, chosen, record, row + REASONS)
                sums[2 * k] = weighed(row + REASONS, options.weights)
                sums[2 * k + 1] = weighed(row + REASONS, options.weights + FEATURES + 1)
            record += 2 * (chosen.end - chosen.first)
            row += columns
    record_count = 0
    for k in range(count):
        first, record_count = record_count, record_count + sets.chosen[k].end - sets.chosen[k].first
        chosen = sets.chosen[k]
        if options == NULL:
            # What the steps after choosing made of it.
            order.append((first, record_count, chosen.coverage * chosen.similarity * chosen.variety, None, k))
        else:
            order.append((first, record_count, sums[2 * k], sums[2 * k + 1], k))
    order.sort(key=SCORE, reverse=True)
    put_back(block)
    return records, order, why, limits


# Calls

cdef void choose(RecordSearch *search, RecordSets *sets) noexcept nogil:
    """Choose sets with enough content, the best one first, none of which shares a node with a better one."""
    cdef char *memory = <char *>search.scratch
    cdef uint8_t *taken = <uint8_t *>piece(&memory, search.page.count)
    cdef int32_t place, record, first
    cdef Gathering gathering
    cdef Grouping grouping
    cdef Replies replies
    cdef Opening opening
    cdef RecordSet *chosen
    memset(taken, 0, search.page.count)
    open_gathering(&gathering, search, &memory)
    open_grouping(&grouping, search, &memory)
    find_replies(search, &replies, &memory)
    open_opening(&opening, search, replies.styles, &memory)
    while True:
        place = next_set(search, sets, taken)
        if place == NONE:
            break
        chosen = &sets.sets[place]
        if sets.chosen_count < GATHERED:
            lift_parts(search, &grouping, sets, chosen, taken)
            if not gather_replies(search, &replies, &grouping, sets, chosen, taken):
                settle_ends(search, sets, chosen, taken, gathering.kinds, gathering.hosts)
                gather(search, &gathering, sets, chosen, sets.chosen_count + 1, taken)
                gather_strays(search, sets, chosen, taken, gathering.siblings)
                split_groups(search, &grouping, sets, chosen)
        else:
            search.met |= SIBLINGS_MET
        for record in range(chosen.first, chosen.end):
            first = sets.records[2 * record]
            memset(taken + first, 1, sets.records[2 * record + 1] - first)
        sets.chosen[sets.chosen_count] = chosen
        sets.chosen_count += 1
    add_openings(search, &opening, sets)
    join_chosen(search, sets, gathering.kinds)


def find_sets(NativePage native not None, options not None, ranking_options):
    """The best sets of records of a page; see `record_sets.pyi`."""
    cdef RecordSearch search
    cdef RankingOptions ranking
    cdef Candidates candidates
    cdef RecordSets sets
    if ranking_options is not None:
        read_ranking_options(&ranking, ranking_options)
    memset(&candidates, 0, sizeof(Candidates))
    memset(&sets, 0, sizeof(RecordSets))
    open_search(&search, native, options)
    try:
        # One section without the lock: to take it again may mean to wait for another thread.
        with nogil:
            read_content(&search)
            cut_page(&search, &candidates)
            # Of joined sets there are half as many, with as many records; each step after has at most all nodes.
            open_sets(&sets, 2 * (<size_t>candidates.record_count + search.lone_count) + SPARE * search.page.count,
                      <size_t>candidates.count + search.lone_count + 1, 2 * <size_t>search.content.tag_path_count)
            add_candidates(&search, &sets, &candidates)
            search.matcher.budget = 3 * search.options.budget
            choose(&search, &sets)
        return results(&search, &sets, NULL if ranking_options is None else &ranking)
    finally:
        put_back(sets.block)
        close_candidates(&candidates)
        close_search(&search)


def rank_sets(NativePage native not None, options not None, ranking_options not None, records not None,
              first not None):
    """Given sets of records, ranked; see `record_sets.pyi`."""
    cdef RecordSearch search
    cdef RankingOptions ranking
    cdef RecordSets sets
    cdef RecordSet *measured
    cdef Spans spans
    cdef int32_t count = <int32_t>len(first) - 1, k
    cdef const int32_t *bounds = held_numbers(first, count + 1)
    read_ranking_options(&ranking, ranking_options)
    open_spans(&spans, records, &native.arrays)
    if count < 0 or bounds[0] != 0 or bounds[count] != spans.count:
        raise ValueError("the sets do not cover the records")
    for k in range(count):
        if bounds[k] >= bounds[k + 1]:
            raise ValueError("a set has one record or more")
    memset(&sets, 0, sizeof(RecordSets))
    open_search(&search, native, options)
    search.options.odd_record = 0       # every record stays
    try:
        with nogil:
            open_sets(&sets, spans.count, count, 0)
            read_content(&search)
            memcpy(sets.records, spans.bounds, 2 * spans.count * sizeof(int32_t))
            for k in range(spans.count):
                sets.to_next[k] = NONE
                sets.different[k] = NONE
            memset(sets.sets, 0, count * sizeof(RecordSet))
            for k in range(count):
                measured = &sets.sets[k]
                measured.first = bounds[k]
                measured.end = bounds[k + 1]
                measured.model = NONE
                measured.form = SINGLE
                measured.parts = 1
                measure(&search, &sets, measured)
                if measured.end - measured.first == 1:
                    measured.similarity = measured.quality = 0
                sets.chosen[k] = measured
            sets.chosen_count = count
        return results(&search, &sets, &ranking)
    finally:
        put_back(sets.block)
        close_search(&search)
