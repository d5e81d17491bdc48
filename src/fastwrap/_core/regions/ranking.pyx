"""Features of regions: what tells the list that a page exists for from its menus and side lists; and their sums.
One pass over the page, and one over the nodes of the records, which no two sets share."""

from libc.math cimport log, log1p
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from fastwrap._core.common.hashing cimport hashed
from fastwrap._core.common.names cimport ATTRIBUTE_HREF, ATTRIBUTE_ROLE, TAG_A, TAG_H1, TAG_H6, TAG_MAIN, TEXT
from fastwrap._core.common.page cimport NO_ENTRY, NO_NODE, PageArrays, attribute_of, subtree_end, value_length
from fastwrap._core.regions.autorm cimport Content, has_digit
from fastwrap._core.regions.links cimport Links, first_link, link_around
from fastwrap._core.regions.places cimport BESIDE, IN_MAIN, IN_NAVIGATION, MOST_BESIDE, is_main_role, place_of
from fastwrap._core.structured.listed cimport address_hash, is_in

FEATURE_NAMES = ("quality", "coverage", "similarity", "variety", "count", "letters", "longest", "items", "unique",
                 "navigation", "prose", "beside", "outside", "start", "links", "kindred", "digits", "headings",
                 "listed", "hidden")


cdef enum:
    MOST_BYTES = 4          # of a letter: content that is hidden at first counts for less than its bytes
cdef double LEAST = 1e-4    # in place of a smaller quality or coverage, for the logarithm's sake
cdef double ENOUGH = 12     # records: more of them say no more
cdef double LEAST_MAIN = 0.1    # of the content: a main landmark with less says nothing
cdef double UNLINKED = 0.6      # how kindred records are of which less than half have a link


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


cdef int32_t most_frequent(const uint64_t *hashes, int32_t count, uint64_t *table, int32_t *different) noexcept nogil:
    """How often the most frequent hash that is not 0 occurs; `different` receives how many there are. `table` has room
    for four times as many."""
    cdef int32_t k, most = 0
    cdef uint64_t mask = 1, place
    while mask < 2 * <uint64_t>count:
        mask = 2 * mask + 1
    memset(table, 0, (mask + 1) * sizeof(uint64_t))
    different[0] = 0
    for k in range(count):
        if hashes[k] == 0:
            continue
        # An entry has the place of the first of its kind, from 1, above how many there are.
        place = hashes[k] >> 1 & mask
        while table[place] != 0 and hashes[(table[place] >> 32) - 1] != hashes[k]:
            place = (place + 1) & mask
        if table[place] == 0:
            table[place] = <uint64_t>(k + 1) << 32
            different[0] += 1
        table[place] += 1
        most = max(most, <int32_t><uint32_t>table[place])
    return most


cdef double share_of_kindred(const RankedPage *ranked, int32_t count, int32_t linked) noexcept nogil:
    """The share of records that link to the most frequent kind of page, or to other sites, if these are many."""
    cdef int32_t kindred, different, record, named = 0
    if 2 * linked < count:
        return UNLINKED
    kindred = most_frequent(ranked.kinds, count, ranked.table, &different)
    for record in range(count):
        named += ranked.hosts[record] != 0
    most_frequent(ranked.hosts, count, ranked.table, &different)
    if 2 * different >= named:
        kindred = max(kindred, named)
    return <double>kindred / count


# The page


cdef inline bint is_prose(RankedPage *ranked, int32_t text, double letters) noexcept nogil:
    """Whether a text is prose that is shown at first, in no link, and neither in navigation nor in a dialog. Its bytes
    count: a letter of Chinese says more."""
    cdef int32_t length = ranked.page.text_start[text + 1] - ranked.page.text_start[text] - 1
    return length >= ranked.options.prose and MOST_BYTES * letters >= length and not ranked.in_link[text] and (
        not place_of(&ranked.places, text) & IN_NAVIGATION)


cdef int32_t holder_of(const PageArrays *page, int32_t entry) noexcept nogil:
    """The node that has an attribute (binary search)."""
    cdef int32_t low = 0, high = page.count, middle
    while high - low > 1:
        middle = (low + high) // 2
        if page.attribute_start[middle] <= entry:
            low = middle
        else:
            high = middle
    return low


cdef int32_t main_landmark(const PageArrays *page) noexcept nogil:
    """The first element `main`, or else the first one with its role; NO_NODE where there is none."""
    cdef const int32_t *tag = page.tag
    cdef const int32_t *name = page.attribute_name
    cdef int32_t node, k
    cdef bint is_there = False
    for node in range(page.count):
        is_there |= tag[node] == TAG_MAIN
    if is_there:
        for node in range(page.count):
            if tag[node] == TAG_MAIN:
                return node
    for k in range(page.attribute_start[page.body + 1], page.entries):      # that of the body would be all
        if name[k] == ATTRIBUTE_ROLE and is_main_role(page, k):
            return holder_of(page, k)
    return NO_NODE


cdef void read_page(RankedPage *ranked) noexcept nogil:
    """Write what is within links, sum up the letters of all prose, and look for the main landmark."""
    cdef const Content *content = ranked.content
    cdef const PageArrays *page = ranked.page
    cdef const Links *links = ranked.links
    cdef const int32_t *tag = page.tag
    cdef int32_t node, k, end = 0, main = main_landmark(page)
    cdef double letters
    memset(ranked.in_link, 0, page.count)
    for k in range(links.before[page.count]):
        node = links.nodes[k]
        if node >= end:     # links within links are marked with these
            end = subtree_end(page, node)
            memset(ranked.in_link + node, 1, page.size[node])
    ranked.has_main = main >= 0 and (
        content.letters_before[subtree_end(page, main)] - content.letters_before[main] >= LEAST_MAIN * content.total)
    ranked.all_prose = 0
    for k in range(content.shown_before[page.count]):
        node = content.shown[k]
        letters = content.letters_before[node + 1] - content.letters_before[node]
        if tag[node] == TEXT and is_prose(ranked, node, letters):
            ranked.all_prose += letters


# A set


cdef bint is_in_data(const RankedPage *ranked, int32_t start, int32_t end) noexcept nogil:
    """Whether a record has a text or an address that the data of the page lists."""
    cdef const PageArrays *page = ranked.page
    cdef const RankingOptions *options = ranked.options
    cdef int32_t node, entry
    for node in range(start, end):
        if page.tag[node] == TEXT:
            if is_in(options.listed, options.listed_count, hashed(
                    page.text + page.text_start[node], page.text_start[node + 1] - page.text_start[node] - 1, 0)):
                return True
        elif page.tag[node] == TAG_A:
            entry = attribute_of(page, node, ATTRIBUTE_HREF)
            if entry != NO_ENTRY and is_in(options.listed, options.listed_count, address_hash(
                    page.values + page.value_start[entry], value_length(page, entry))):
                return True
    return False


cdef void read_tags(RankedPage *ranked, int32_t record, int32_t start, int32_t end, double *features) noexcept nogil:
    """Count a record for its elements: a heading, and a link, whose kind of page and host are written down."""
    cdef const Links *links = ranked.links
    cdef const int32_t *tag = ranked.page.tag
    cdef int32_t node, link = first_link(links, start, end)
    cdef bint heading = False
    for node in range(start, end):
        heading |= TAG_H1 <= tag[node] <= TAG_H6
    if link == NO_NODE and ranked.in_link[start]:
        link = link_around(links, start)
    ranked.kinds[record] = 0 if link == NO_NODE else links.kinds[link]
    ranked.hosts[record] = 0 if link == NO_NODE else links.hosts[link]
    features[LINKS] += link != NO_NODE
    features[HEADINGS] += heading


cdef double read_texts(RankedPage *ranked, int32_t start, int32_t end, double *features) noexcept nogil:
    """Add up the content of a record; returns the letters of its prose."""
    cdef const Content *content = ranked.content
    cdef int32_t k, node
    cdef double letters, longest = 0, prose = 0
    for k in range(content.shown_before[start], content.shown_before[end]):
        node = content.shown[k]
        if ranked.page.tag[node] == TEXT:
            letters = content.letters_before[node + 1] - content.letters_before[node]
            longest = max(longest, letters)
            if is_prose(ranked, node, letters):
                prose += letters
    features[LONGEST] += longest
    features[LETTERS] += content.letters_before[end] - content.letters_before[start]
    features[ITEMS] += content.shown_before[end] - content.shown_before[start]
    return prose


cdef void read_set(RankedPage *ranked, const RecordSet *chosen, const int32_t *records,
                   double *features) noexcept nogil:
    """Write the features of a set, whose records start at `records`."""
    cdef const PageArrays *page = ranked.page
    cdef const Content *content = ranked.content
    cdef int32_t record, start, end, k, count = chosen.end - chosen.first
    cdef double prose = 0
    cdef uint8_t place
    memset(features, 0, FEATURES * sizeof(double))
    for record in range(count):
        start = records[2 * record]
        end = records[2 * record + 1]
        prose += read_texts(ranked, start, end, features)
        read_tags(ranked, record, start, end, features)
        place = place_of(&ranked.places, start)
        features[NAVIGATION] += (place & IN_NAVIGATION) != 0
        features[BESIDE_SHARE] += (place & MOST_BESIDE) // BESIDE
        features[OUTSIDE] += ranked.has_main and not place & IN_MAIN
        features[HIDDEN] += page.hidden[start]
        features[DIGITS] += has_digit(page.text, page.text_start[start], page.text_start[end])
        if ranked.options.listed_count:
            features[LISTED] += is_in_data(ranked, start, end)
        ranked.hashes[record] = 1 | hashed(
            page.text + page.text_start[start], page.text_start[end] - page.text_start[start], 0)
    features[KINDRED] = share_of_kindred(ranked, count, <int32_t>features[LINKS])
    for k in range(LETTERS, FEATURES):
        if k != KINDRED:
            features[k] /= count        # sums so far; some are written below
    features[QUALITY] = max(chosen.coverage * chosen.similarity * chosen.variety, LEAST)
    features[COVERAGE] = max(chosen.coverage, LEAST)
    features[SIMILARITY] = chosen.similarity
    features[VARIETY] = chosen.variety
    features[COUNT] = count
    features[UNIQUE] = share_of_different(ranked.hashes, count, ranked.table)
    features[START] = (content.letters_before[records[0]] - content.letters_before[page.body]) / content.total
    features[PROSE] = (ranked.all_prose - prose) / content.total


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
