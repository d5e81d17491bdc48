"""Sets of records (AutoRM, Shi et al. 2015) in one native pass, and their ranking: the two calls of the method.
The steps are modules beside this one (see `autorm.pxd`); linear but for sorts, matching and measuring, with budgets."""

from libc.math cimport exp
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy, memset

from fastwrap._core.common.buffers cimport data_of, held, held_numbers
from fastwrap._core.common.page cimport NativePage, Spans, open_spans
from fastwrap._core.common.scratch cimport piece, put_back, take
from fastwrap._core.page.symbols cimport need_classes, need_symbols
from fastwrap._core.regions.autorm cimport NONE, SIBLINGS_MET, AutormOptions, RecordSearch
from fastwrap._core.regions.content cimport read_content, size_of_content
from fastwrap._core.regions.ranking cimport (
    FEATURES,
    PURPOSES,
    RankingOptions,
    Regions,
    open_options,
    rank,
    size_of_ranking,
)
from fastwrap._core.regions.segmentation cimport SINGLE, Candidates, close_candidates, open_candidates
from fastwrap._core.regions.sequences cimport cut_page, size_of_sequences
from fastwrap._core.regions.sets cimport RecordSet, RecordSets, add_candidates, measure, next_set, open_sets
from fastwrap._core.regions.siblings cimport Gathering, gather, open_gathering, size_of_gathering
from fastwrap._core.similarity.matching cimport start, stop

from operator import itemgetter

import numpy as np

cdef object empty = np.empty, INT32 = np.dtype(np.int32), FLOAT64 = np.dtype(np.float64)
cdef object SCORE = itemgetter(2)

LIMITS = ("regions.clusters", "regions.segmentation", "regions.matching", "regions.variety", "regions.siblings")

cdef enum:
    READS = 10_000_000      # items that are read to measure sets: so many, ...
    READS_PER_NODE = 50     # ... and so many for each node
    GATHERED = 100          # sets, the best ones, whose siblings are looked at
    REASONS = 7             # numbers that say why a set is one, before its features


# The memory and the options of a search


cdef int read_options(AutormOptions *known, options) except -1:
    """Take over `fastwrap.regions.autorm.Options`, which the caller keeps."""
    (seen_as, known.letter, known.image, known.largest_image, known.spacer, known.odd_record, known.full_record,
     known.similarity, known.coverage, known.budget, known.pairs) = options
    if len(seen_as) == 0:
        raise ValueError("there is no entry for any tag")
    known.seen_as = <const uint8_t *>held(seen_as, len(seen_as), 1)
    known.known_tags = <int32_t>len(seen_as) - 1
    return 0


cdef int open_search(RecordSearch *search, NativePage native, options) except -1:
    """Begin a search; it takes its memory as one block."""
    cdef size_t nodes = native.arrays.count, row = (nodes + 1) * sizeof(int32_t)
    cdef size_t scratch = max(size_of_content(nodes), size_of_sequences(nodes), size_of_gathering(nodes) + nodes + 16)
    cdef char *at
    memset(search, 0, sizeof(RecordSearch))
    read_options(&search.options, options)
    need_symbols(native)
    need_classes(native)
    search.page = &native.arrays
    search.reads_left = READS + READS_PER_NODE * <int64_t>nodes
    start(&search.matcher, search.page, search.page.count, search.options.budget)
    at = <char *>take(9 * (row + 16) + scratch)
    if at == NULL:
        stop(&search.matcher)
        raise MemoryError("no memory for the nodes of a page")
    search.block = at
    search.content.letters_before = <double *>piece(&at, 2 * row)
    search.content.shown_before = <int32_t *>piece(&at, row)
    search.content.shown = <int32_t *>piece(&at, row)
    search.content.items = <int32_t *>piece(&at, row)
    search.content.tag_path = <int32_t *>piece(&at, row)
    search.seen_in_turn = <int32_t *>piece(&at, 2 * row)
    search.lone = <int32_t *>piece(&at, row)
    search.scratch = at
    return 0


cdef void close_search(RecordSearch *search) noexcept nogil:
    stop(&search.matcher)
    put_back(search.block)


# What is found, as Python has it


cdef results(const RecordSearch *search, const RecordSets *sets, const RankingOptions *ranking):
    """The chosen sets in order of their rank, or of their quality if `ranking` is NULL; see `record_sets.pyi`."""
    cdef int32_t count = sets.chosen_count, k, columns = REASONS if ranking == NULL else REASONS + FEATURES
    cdef const RecordSet *chosen
    cdef Regions regions
    cdef size_t record_count = 0
    cdef int32_t *first
    cdef double *row
    cdef char *at
    for k in range(count):
        record_count += sets.chosen[k].end - sets.chosen[k].first
    records = empty((record_count, 2), INT32)
    why = empty((count, columns), FLOAT64)
    limits = tuple([name for k, name in enumerate(LIMITS) if search.met >> k & 1]) if search.met else ()
    if count == 0:
        return records, [], why, limits
    at = <char *>take(
        (count + 1) * sizeof(int32_t) + PURPOSES * count * sizeof(double) + 32
        + size_of_ranking(search.page.count, record_count))
    if at == NULL:
        raise MemoryError("no memory for the sets of a page")
    first = <int32_t *>at
    try:
        regions.count = count
        regions.row_length = columns
        regions.features_at = REASONS
        regions.records = <const int32_t *>data_of(records)
        regions.first = <int32_t *>piece(&at, (count + 1) * sizeof(int32_t))
        regions.sums = <double *>piece(&at, PURPOSES * count * sizeof(double))
        regions.rows = row = <double *>data_of(why)
        first[0] = 0
        for k in range(count):
            chosen = sets.chosen[k]
            first[k + 1] = first[k] + chosen.end - chosen.first
            memcpy(<int32_t *>regions.records + 2 * first[k], sets.records + 2 * chosen.first,
                   2 * (chosen.end - chosen.first) * sizeof(int32_t))
            row[0] = chosen.coverage
            row[1] = chosen.similarity
            row[2] = chosen.variety
            row[3] = chosen.form
            row[4] = chosen.parts
            row[5] = chosen.left_out
            row[6] = chosen.added
            row += columns
        if ranking == NULL:
            order = [(first[k], first[k + 1], sets.chosen[k].quality, None, k) for k in range(count)]
        else:
            with nogil:
                rank(search.page, &search.content, ranking, &regions, at)
            order = [(first[k], first[k + 1], regions.sums[k], 1 / (1 + exp(-max(regions.sums[count + k], -700.0))), k)
                     for k in range(count)]
            order.sort(key=SCORE, reverse=True)
        return records, order, why, limits
    finally:
        put_back(first)


# Calls


cdef void choose(RecordSearch *search, RecordSets *sets) noexcept nogil:
    """Choose sets with enough content, the best one first, none of which shares a node with a better one."""
    cdef char *memory = <char *>search.scratch
    cdef uint8_t *taken = <uint8_t *>piece(&memory, search.page.count)
    cdef int32_t place, record, first
    cdef Gathering gathering
    cdef RecordSet *chosen
    memset(taken, 0, search.page.count)
    open_gathering(&gathering, search, &memory)
    while True:
        place = next_set(search, sets, taken)
        if place == NONE:
            return
        chosen = &sets.sets[place]
        if sets.chosen_count < GATHERED:
            gather(search, &gathering, sets, chosen, sets.chosen_count + 1, taken)
        else:
            search.met |= SIBLINGS_MET
        for record in range(chosen.first, chosen.end):
            first = sets.records[2 * record]
            memset(taken + first, 1, sets.records[2 * record + 1] - first)
        sets.chosen[sets.chosen_count] = chosen
        sets.chosen_count += 1


def find_sets(NativePage native not None, options not None, ranking_options):
    """The best sets of records of a page; see `record_sets.pyi`."""
    cdef RecordSearch search
    cdef RankingOptions ranking
    cdef Candidates candidates
    cdef RecordSets sets
    if ranking_options is not None:
        open_options(&ranking, ranking_options)
    memset(&candidates, 0, sizeof(Candidates))
    memset(&sets, 0, sizeof(RecordSets))
    open_search(&search, native, options)
    try:
        # One section without the lock: to take it again may mean to wait for another thread.
        with nogil:
            read_content(&search)
            open_candidates(&candidates, search.page.count)
            cut_page(&search, &candidates)
            # Of joined sets there are half as many, with as many records; what is gathered has all nodes.
            open_sets(&sets, 2 * (<size_t>candidates.record_count + search.lone_count) + search.page.count,
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
    open_options(&ranking, ranking_options)
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
            memcpy(sets.records, spans.of, 2 * spans.count * sizeof(int32_t))
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
