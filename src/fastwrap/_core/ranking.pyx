"""Features of regions: what tells the list that a page exists for from its menus and side lists.
One pass over the page, and one over the nodes of the records, which no two regions share."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.math cimport log, log1p
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from fastwrap._core.hashing cimport hashed
from fastwrap._core.scratch cimport data_of, piece, put_back, take

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
    COLUMNS = 13
    LINK = 1            # what a node may be within, as bits
    MENU = 2

NAMES = ("quality", "coverage", "similarity", "variety", "count", "letters", "longest", "linked", "pictures", "items",
         "unique", "navigation", "prose")

cdef double LEAST = 1e-4    # in place of a smaller quality or coverage, for the logarithm's sake
cdef double ENOUGH = 12     # records: more of them say no more


cdef struct Nodes:
    const int32_t *tag
    const int32_t *parent
    const int32_t *size
    const int32_t *text_start
    const unsigned char *text
    const double *before        # [n + 1] the content of all nodes before each one
    const uint8_t *is_navigation    # by tag; the last entry is for all other tags
    int32_t known
    int32_t n
    int32_t link                # the tags a, img and texts
    int32_t picture
    int32_t words
    double prose                # letters of a text that is prose, not a label


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


cdef double read_page(const Nodes *nodes, uint8_t *within) noexcept nogil:
    """Write what each node is or is within (bits), and sum up the letters of all prose that is in no link."""
    cdef int32_t node
    cdef uint8_t bits
    cdef double letters, prose = 0
    for node in range(nodes.n):
        bits = within[nodes.parent[node]] if node else 0
        if nodes.tag[node] == nodes.link:
            bits |= LINK
        if nodes.is_navigation[min(nodes.tag[node], nodes.known)]:
            bits |= MENU
        within[node] = bits
        letters = nodes.before[node + 1] - nodes.before[node]
        if letters >= nodes.prose and nodes.tag[node] == nodes.words and not bits & LINK:
            prose += letters
    return prose


cdef void read_region(const Nodes *nodes, const uint8_t *within, const int32_t *records, int32_t count,
                      uint64_t *hashes, uint64_t *table, double prose, double *features) noexcept nogil:
    """Write the features of the records of a region."""
    cdef int32_t record, node, start, end
    cdef double letters, longest, text = 0, linked = 0, total = 0
    cdef bint has_picture
    for record in range(count):
        start = records[2 * record]
        end = records[2 * record + 1]
        longest = 0
        has_picture = False
        for node in range(start, end):
            has_picture |= nodes.tag[node] == nodes.picture
            letters = nodes.before[node + 1] - nodes.before[node]
            if letters <= 0:
                continue
            features[ITEMS] += 1
            if nodes.tag[node] == nodes.words:
                text += letters
                longest = max(longest, letters)
                if within[node] & LINK:
                    linked += letters
                elif letters >= nodes.prose:
                    prose -= letters
        total += nodes.before[end] - nodes.before[start]
        features[LONGEST] += longest
        features[PICTURES] += has_picture
        features[NAVIGATION] += (within[start] & MENU) != 0
        hashes[record] = 1 | hashed(
            nodes.text + nodes.text_start[start], nodes.text_start[end] - nodes.text_start[start], 0)
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


def features(
    const int32_t[::1] tag not None,
    const int32_t[::1] parent not None,
    const int32_t[::1] size not None,
    const int32_t[::1] text_start not None,
    bytes text not None,
    const double[::1] before not None,
    const uint8_t[::1] is_navigation not None,
    int32_t link,
    int32_t picture,
    int32_t words,
    double prose,
    int32_t body,
    const int32_t[:, ::1] records not None,
    const int32_t[::1] first not None,
    const double[:, ::1] scores not None,
    const double[:, ::1] weights not None,
):
    """The features of every region, and their weighted sums; see `ranking.pyi`."""
    cdef Nodes nodes
    cdef Py_ssize_t n = tag.shape[0], regions = first.shape[0] - 1, region, record, row
    cdef int32_t node
    cdef void *block
    cdef char *at
    cdef uint64_t *hashes
    cdef uint64_t *table
    cdef uint8_t *within
    cdef double all_prose, total
    cdef bint wrong = False
    if (parent.shape[0] != n or size.shape[0] != n or text_start.shape[0] != n + 1 or before.shape[0] != n + 1
            or records.shape[1] != 2 or is_navigation.shape[0] == 0 or scores.shape[0] != regions
            or scores.shape[1] != 3 or weights.shape[1] != COLUMNS + 1):
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
    total = max(1.0, before[body + size[body]] - before[body])
    for record in range(records.shape[0]):
        if not 0 <= records[record, 0] < records[record, 1] <= n:
            raise ValueError(f"a record is not within the {n} nodes")
    for region in range(regions):
        if first[region] >= first[region + 1]:
            raise ValueError("a region has one record or more")
    result = empty((regions, COLUMNS), FLOAT64)
    sums = empty((weights.shape[0], regions), FLOAT64)
    cdef double *own = <double *>data_of(result)
    cdef double *sum_of = <double *>data_of(sums)
    if regions == 0:
        return result, sums
    nodes.tag = &tag[0]
    nodes.parent = &parent[0]
    nodes.size = &size[0]
    nodes.text_start = &text_start[0]
    nodes.text = <const unsigned char *>PyBytes_AS_STRING(text)
    nodes.before = &before[0]
    nodes.is_navigation = &is_navigation[0]
    nodes.known = <int32_t>is_navigation.shape[0] - 1
    nodes.n = <int32_t>n
    nodes.link = link
    nodes.picture = picture
    nodes.words = words
    nodes.prose = prose
    block = take(5 * (records.shape[0] + 1) * sizeof(uint64_t) + n + 64)
    if block == NULL:
        raise MemoryError("no memory for the features of a page")
    at = <char *>block
    within = <uint8_t *>piece(&at, n)
    hashes = <uint64_t *>piece(&at, records.shape[0] * sizeof(uint64_t))
    table = <uint64_t *>at
    with nogil:
        all_prose = read_page(&nodes, within)
        memset(own, 0, regions * COLUMNS * sizeof(double))
        for region in range(regions):
            read_region(&nodes, within, &records[first[region], 0], first[region + 1] - first[region], hashes, table,
                        all_prose, own)
            own[PROSE] /= total
            own[QUALITY] = max(scores[region, 0] * scores[region, 1] * scores[region, 2], LEAST)
            own[COVERAGE] = max(scores[region, 0], LEAST)
            own[SIMILARITY] = scores[region, 1]
            own[VARIETY] = scores[region, 2]
            for row in range(weights.shape[0]):
                sum_of[row * regions + region] = weighed(own, &weights[row, 0])
            own += COLUMNS
        put_back(block)
    return result, sums
