"""Features of regions: what tells the list that a page exists for from its menus and side lists.
One pass over the page, and one over the nodes of the records, which no two regions share."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.math cimport log, log1p
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from fastwrap._core.common.hashing cimport hashed
from fastwrap._core.common.buffers cimport data_of
from fastwrap._core.common.scratch cimport piece, put_back, take

import numpy as np

cdef object empty = np.empty, FLOAT64 = np.dtype(np.float64)

cdef enum:
    QUALITY = 0         # the columns of the result
    COVERAGE = 1
    SIMILARITY = 2
    VARIETY = 3
    COUNT = 4
    LETTERS = 5
    LONGEST = 6
    LINKED = 7
    PICTURES = 8
    ITEMS = 9
    UNIQUE = 10
    NAVIGATION = 11
    PROSE = 12

NAMES = ("quality", "coverage", "similarity", "variety", "count", "letters", "longest", "linked", "pictures", "items",
         "unique", "navigation", "prose")

cdef double LEAST = 1e-4    # in place of a smaller quality or coverage, for the logarithm's sake
cdef double ENOUGH = 12     # records: more of them say no more


cdef double distinct(const uint64_t *hashes, int32_t count, uint64_t *table) noexcept nogil:
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


cdef void read_page(Page *page, uint8_t *within) noexcept nogil:
    """Write what each node is within, and sum up the letters of all prose that is in no link."""
    cdef const int32_t *tag = page.tag
    cdef const int32_t *parent = page.parent
    cdef const uint8_t *is_navigation = page.is_navigation
    cdef int32_t node, k, known = page.known, link = page.link
    cdef double letters
    within[0] = 0
    for node in range(page.n):
        within[node] = within[max(parent[node], 0)] | (IN_LINK * (tag[node] == link)) | (
            IN_MENU * (is_navigation[min(tag[node], known)] != 0))
    page.all_prose = 0
    for k in range(page.seen_before[page.n]):
        node = page.seen[k]
        letters = page.before[node + 1] - page.before[node]
        if letters >= page.prose and tag[node] == page.words and not within[node] & IN_LINK:
            page.all_prose += letters
    page.within = within


cdef inline bint has_tag(const int32_t *tag, int32_t start, int32_t end, int32_t wanted) noexcept nogil:
    cdef int32_t node
    cdef bint found = False
    for node in range(start, end):
        found |= tag[node] == wanted
    return found


cdef void read_region(const Page *page, const int32_t *records, int32_t count, uint64_t *hashes, uint64_t *table,
                      double *features) noexcept nogil:
    """Write the features of the records of a region."""
    cdef int32_t record, node, start, end, k
    cdef double letters, longest, text = 0, linked = 0, total = 0, prose = page.all_prose
    for record in range(count):
        start = records[2 * record]
        end = records[2 * record + 1]
        longest = 0
        for k in range(page.seen_before[start], page.seen_before[end]):
            node = page.seen[k]
            if page.tag[node] == page.words:
                letters = page.before[node + 1] - page.before[node]
                text += letters
                longest = max(longest, letters)
                if page.within[node] & IN_LINK:
                    linked += letters
                elif letters >= page.prose:
                    prose -= letters
        total += page.before[end] - page.before[start]
        features[ITEMS] += page.seen_before[end] - page.seen_before[start]
        features[LONGEST] += longest
        features[PICTURES] += has_tag(page.tag, start, end, page.picture)
        features[NAVIGATION] += (page.within[start] & IN_MENU) != 0
        hashes[record] = 1 | hashed(
            page.text + page.text_start[start], page.text_start[end] - page.text_start[start], 0)
    features[LETTERS] = total / count
    features[LONGEST] /= count
    features[PICTURES] /= count
    features[ITEMS] /= count
    features[NAVIGATION] /= count
    features[LINKED] = linked / text if text > 0 else 0
    features[UNIQUE] = distinct(hashes, count, table)
    features[PROSE] = prose
    features[COUNT] = count


cdef double weighed(const double *features, const double *weights) noexcept nogil:
    """The sum of the features times their weights, after the intercept; of amounts and shares the logarithm counts."""
    cdef double total = weights[COLUMNS]
    cdef int column
    for column in range(COLUMNS):
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


cdef size_t size_of_features(size_t records) noexcept nogil:
    """The memory that `read_features` needs."""
    return 5 * (records + 1) * sizeof(uint64_t) + 32


cdef void read_features(const Page *page, const int32_t *records, const int32_t *first, int32_t regions,
                        const double *scores, int32_t score_step, void *memory, double *features,
                        int32_t feature_step, double *sums) noexcept nogil:
    """Fill in the features of every region, and their weighted sums. The steps are those from row to row."""
    cdef char *at = <char *>memory
    cdef uint64_t *hashes = <uint64_t *>piece(&at, first[regions] * sizeof(uint64_t))
    cdef uint64_t *table = <uint64_t *>at
    cdef int32_t region, row
    cdef double *own = features
    for region in range(regions):
        memset(own, 0, COLUMNS * sizeof(double))
        read_region(page, records + 2 * first[region], first[region + 1] - first[region], hashes, table, own)
        own[PROSE] /= page.total
        own[QUALITY] = max(scores[0] * scores[1] * scores[2], LEAST)
        own[COVERAGE] = max(scores[0], LEAST)
        own[SIMILARITY] = scores[1]
        own[VARIETY] = scores[2]
        for row in range(page.rows):
            sums[row * regions + region] = weighed(own, page.weights + row * (COLUMNS + 1))
        own += feature_step
        scores += score_step


cdef int read_rules(Page *page, rules) except -1:
    """Take over what the caller knows of tags and weights, which it keeps."""
    is_navigation, link, picture, words, prose, weights = rules
    cdef const uint8_t[::1] flags = is_navigation
    cdef const double[:, ::1] rows = weights
    if flags.shape[0] == 0 or rows.shape[1] != COLUMNS + 1:
        raise ValueError("the arrays differ in length")
    page.is_navigation = &flags[0]
    page.known = <int32_t>flags.shape[0] - 1
    page.link = link
    page.picture = picture
    page.words = words
    page.prose = prose
    page.weights = &rows[0, 0] if rows.shape[0] else NULL
    page.rows = <int32_t>rows.shape[0]
    return 0


def features(
    const int32_t[::1] tag not None,
    const int32_t[::1] parent not None,
    const int32_t[::1] size not None,
    const int32_t[::1] text_start not None,
    bytes text not None,
    const double[::1] before not None,
    int32_t body,
    rules not None,
    const int32_t[:, ::1] records not None,
    const int32_t[::1] first not None,
    const double[:, ::1] scores not None,
):
    """The features of every region, and their weighted sums; see `ranking.pyi`."""
    cdef Page page
    cdef Py_ssize_t n = tag.shape[0], regions = first.shape[0] - 1, region, record
    cdef int32_t node
    cdef void *block
    cdef char *at
    cdef int32_t *seen_before
    cdef int32_t *seen
    cdef bint wrong = False
    read_rules(&page, rules)
    if (parent.shape[0] != n or size.shape[0] != n or text_start.shape[0] != n + 1 or before.shape[0] != n + 1
            or records.shape[1] != 2 or scores.shape[0] != regions or scores.shape[1] != 3):
        raise ValueError("the arrays differ in length")
    if regions < 0 or first[0] != 0 or first[regions] != records.shape[0]:
        raise ValueError("the regions do not cover the records")
    for node in range(<int32_t>n):
        wrong |= ((parent[node] >= node) | ((parent[node] < 0) & (node > 0)) | (size[node] < 1)
                  | (size[node] > n - node) | (text_start[node] > text_start[node + 1]) | (tag[node] < 0))
    if wrong or text_start[0] < 0 or text_start[n] > PyBytes_GET_SIZE(text):
        raise ValueError("the arrays are not those of a page")
    if not 0 <= body < n:
        raise ValueError(f"the body is not one of the {n} nodes")
    for record in range(records.shape[0]):
        if not 0 <= records[record, 0] < records[record, 1] <= n:
            raise ValueError(f"a record is not within the {n} nodes")
    for region in range(regions):
        if first[region] >= first[region + 1]:
            raise ValueError("a region has one record or more")
    result = empty((regions, COLUMNS), FLOAT64)
    sums = empty((page.rows, regions), FLOAT64)
    cdef double *features_of = <double *>data_of(result)
    cdef double *sums_of = <double *>data_of(sums)
    if regions == 0:
        return result, sums
    page.tag = &tag[0]
    page.parent = &parent[0]
    page.text_start = &text_start[0]
    page.text = <const unsigned char *>PyBytes_AS_STRING(text)
    page.before = &before[0]
    page.n = <int32_t>n
    page.total = max(1.0, before[body + size[body]] - before[body])
    block = take(size_of_features(records.shape[0]) + 2 * (n + 1) * sizeof(int32_t) + n + 64)
    if block == NULL:
        raise MemoryError("no memory for the features of a page")
    at = <char *>block
    seen_before = <int32_t *>piece(&at, (n + 1) * sizeof(int32_t))
    seen = <int32_t *>piece(&at, (n + 1) * sizeof(int32_t))
    page.seen_before = seen_before
    page.seen = seen
    with nogil:
        seen_before[0] = 0
        for node in range(page.n):
            seen[seen_before[node]] = node
            seen_before[node + 1] = seen_before[node] + (before[node + 1] > before[node])
        read_page(&page, <uint8_t *>piece(&at, n))
        read_features(&page, &records[0, 0], &first[0], <int32_t>regions, &scores[0, 0], 3, at,
                      features_of, COLUMNS, sums_of)
        put_back(block)
    return result, sums
