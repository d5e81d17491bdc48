"""Features of regions: what tells the list that a page exists for from its menus and side lists; and their sums.
One pass over the page, and one over the nodes of the records, which no two sets share."""

from libc.math cimport log, log1p
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from fastwrap._core.common.hashing cimport hashed
from fastwrap._core.common.names cimport TAG_A, TAG_IMG, TEXT
from fastwrap._core.common.page cimport PageArrays
from fastwrap._core.regions.autorm cimport Content

cdef enum:
    IN_LINK = 1             # what a node may be within: bits
    IN_NAVIGATION = 2

FEATURE_NAMES = ("quality", "coverage", "similarity", "variety", "count", "letters", "longest", "linked", "pictures",
                 "items", "unique", "navigation", "prose")

cdef double LEAST = 1e-4    # in place of a smaller quality or coverage, for the logarithm's sake
cdef double ENOUGH = 12     # records: more of them say no more


cdef double share_of_different(const uint64_t *hashes, int32_t count, uint64_t *table) noexcept nogil:
    """The share of the hashes that are different, none of which is 0; `table` has room for four times as many."""
    cdef int32_t k, different = 0
    cdef uint64_t mask = 1, place
    while mask < 2 * <uint64_t>count:
        mask = 2 * mask + 1
    memset(table, 0, (mask + 1) * sizeof(uint64_t))
    for k in range(count):
        place = hashes[k] & mask
        while table[place] != 0 and table[place] != hashes[k]:
            place = (place + 1) & mask
        different += table[place] == 0
        table[place] = hashes[k]
    return <double>different / count


cdef void read_page(RankedPage *ranked, const RankingOptions *options) noexcept nogil:
    """Write what each node is within, and sum up the letters of all prose that is in no link."""
    cdef const Content *content = ranked.content
    cdef const int32_t *tag = ranked.page.tag
    cdef const int32_t *parent = ranked.page.parent
    cdef const uint8_t *is_navigation = options.is_navigation
    cdef uint8_t *within = ranked.within
    cdef int32_t node, k, count = ranked.page.count, known_tags = options.known_tags
    cdef double letters
    within[0] = 0
    for node in range(count):
        within[node] = within[max(parent[node], 0)] | (IN_LINK * (tag[node] == TAG_A)) | (
            IN_NAVIGATION * (is_navigation[min(tag[node], known_tags)] != 0))
    ranked.prose = options.prose
    ranked.all_prose = 0
    for k in range(content.shown_before[count]):
        node = content.shown[k]
        letters = content.letters_before[node + 1] - content.letters_before[node]
        if letters >= options.prose and tag[node] == TEXT and not within[node] & IN_LINK:
            ranked.all_prose += letters


cdef inline bint has_tag(const int32_t *tag, int32_t start, int32_t end, int32_t wanted) noexcept nogil:
    cdef int32_t node
    cdef bint found = False
    for node in range(start, end):
        found |= tag[node] == wanted
    return found


cdef void read_set(const RankedPage *ranked, const RecordSet *chosen, const int32_t *records,
                   double *features) noexcept nogil:
    """Write the features of a set, whose records start at `records`."""
    cdef const PageArrays *page = ranked.page
    cdef const Content *content = ranked.content
    cdef int32_t record, node, start, end, k, count = chosen.end - chosen.first
    cdef double letters, longest, text = 0, linked = 0, total = 0, prose = ranked.all_prose
    memset(features, 0, FEATURES * sizeof(double))
    for record in range(count):
        start = records[2 * record]
        end = records[2 * record + 1]
        longest = 0
        for k in range(content.shown_before[start], content.shown_before[end]):
            node = content.shown[k]
            if page.tag[node] == TEXT:
                letters = content.letters_before[node + 1] - content.letters_before[node]
                text += letters
                longest = max(longest, letters)
                if ranked.within[node] & IN_LINK:
                    linked += letters
                elif letters >= ranked.prose:
                    prose -= letters
        total += content.letters_before[end] - content.letters_before[start]
        features[ITEMS] += content.shown_before[end] - content.shown_before[start]
        features[LONGEST] += longest
        features[PICTURES] += has_tag(page.tag, start, end, TAG_IMG)
        features[NAVIGATION] += (ranked.within[start] & IN_NAVIGATION) != 0
        ranked.hashes[record] = 1 | hashed(
            page.text + page.text_start[start], page.text_start[end] - page.text_start[start], 0)
    features[QUALITY] = max(chosen.coverage * chosen.similarity * chosen.variety, LEAST)
    features[COVERAGE] = max(chosen.coverage, LEAST)
    features[SIMILARITY] = chosen.similarity
    features[VARIETY] = chosen.variety
    features[COUNT] = count
    features[LETTERS] = total / count
    features[LONGEST] /= count
    features[PICTURES] /= count
    features[ITEMS] /= count
    features[NAVIGATION] /= count
    features[LINKED] = linked / text if text > 0 else 0
    features[UNIQUE] = share_of_different(ranked.hashes, count, ranked.table)
    features[PROSE] = prose / content.total


cdef double weighed(const double *features, const double *weights) noexcept nogil:
    """The sum of the features times their weights, after the intercept; of amounts and shares the logarithm counts."""
    cdef double total = weights[FEATURES]
    cdef int column
    for column in range(FEATURES):
        if weights[column] == 0:
            continue
        if column == QUALITY or column == COVERAGE:
            total += weights[column] * log(features[column])
        elif column == COUNT:
            total += weights[column] * log1p(min(features[column], ENOUGH))
        elif column == LETTERS or column == LONGEST or column == ITEMS:
            total += weights[column] * log1p(features[column])
        else:
            total += weights[column] * features[column]
    return total
