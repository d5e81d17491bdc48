"""The search for sets of records on a page (AutoRM, Shi et al. 2015): what its steps share.
The steps, one module each: content, sequences with segmentation, sets, siblings, ranking. `record_sets` calls them."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from fastwrap._core.common.hashing cimport eight_bytes
from fastwrap._core.common.page cimport PageArrays, subtree_end
from fastwrap._core.regions.links cimport Links
from fastwrap._core.similarity.matching cimport Matcher, score_runs

cdef enum:
    NONE = -1               # no node, no set, no candidate; a number that is not known yet

    CLUSTERS_MET = 1        # the limits, a bit each, in the order of `record_sets.LIMITS`
    SEGMENTATION_MET = 2
    MATCHING_MET = 4
    VARIETY_MET = 8
    SIBLINGS_MET = 16


cdef struct AutormOptions:
    # `fastwrap.regions.autorm.Options`, where they are described.
    const uint8_t *seen_as      # [tags + 1] by tag; the last entry is for all tags that are not in the table
    int32_t known_tags
    double letter, image, largest_image, spacer, hidden, odd_record, full_record, similarity, coverage
    int64_t budget, pairs


cdef struct Content:
    # What a reader sees of a page: its texts and pictures, measured in letters.
    double *letters_before      # [n + 1] the letters of all nodes before each one
    int32_t *shown_before       # [n + 1] how many nodes before each one have content ...
    int32_t *shown              # ... and which
    int32_t *items              # by number of a node with content: its tag path, and its column where it has one
    int32_t *tag_path           # [n] one number for each tag path without styles ...
    int32_t tag_path_count      # ... and how many there are
    double total                # letters of the body, at least 1


cdef struct RecordSearch:
    const PageArrays *page
    AutormOptions options
    Content content
    Links links
    Matcher matcher
    int64_t reads_left          # items that may still be read to measure sets
    uint32_t met                # limits: bits
    int32_t turn                # each record or sibling whose items are counted has a number, from 1
    int32_t *seen_in_turn       # item -> the last turn that it was seen in
    int32_t *lone               # nodes that are alone with their tag among the siblings that have content ...
    int32_t lone_count          # ... and how many there are
    int32_t sequence_count      # nodes whose children were cut
    void *scratch               # memory of the step at hand, which divides it up
    void *block                 # all memory of the search


cdef inline double letters_of(const RecordSearch *search, int32_t node) noexcept nogil:
    """The content of a subtree."""
    return search.content.letters_before[subtree_end(search.page, node)] - search.content.letters_before[node]


cdef inline int32_t items_of(const RecordSearch *search, int32_t node) noexcept nogil:
    """How many nodes of a subtree have content."""
    return search.content.shown_before[subtree_end(search.page, node)] - search.content.shown_before[node]


cdef inline double likeness(RecordSearch *search, int32_t left, int32_t left_end, int32_t right,
                            int32_t right_end) noexcept nogil:
    """Twice the pairs of a maximum matching, divided by the nodes of both runs; 0 where the budget ran out."""
    cdef int32_t score = score_runs(&search.matcher, left, left_end, right, right_end)
    if score < 0:
        search.met |= MATCHING_MET
        return 0
    return 2.0 * score / (left_end - left + right_end - right)


cdef inline double most_alike(int32_t left, int32_t right, int32_t common) noexcept nogil:
    """The likeness of runs of so many nodes if the `common` ones are paired."""
    return 2.0 * common / (left + right)


cdef inline bint has_digit(const unsigned char *text, int32_t begin, int32_t end) noexcept nogil:
    """Whether a text has one of the digits 0 to 9; eight bytes per step, each of them 128 or more unless it is one."""
    cdef uint64_t word, each = 0x0101010101010101
    while begin + 8 <= end:
        word = eight_bytes(text + begin) ^ each * 48
        if (((word & each * 127) + each * 118) | word) & each * 128 != each * 128:
            return True
        begin += 8
    while begin < end:
        if 48 <= text[begin] <= 57:
            return True
        begin += 1
    return False


cdef inline int32_t common_ancestor(const PageArrays *page, const int32_t *records, int32_t count) noexcept nogil:
    """The deepest node that all records are within."""
    cdef int32_t above = page.parent[records[0]]
    while above >= 0 and subtree_end(page, above) < records[2 * count - 1]:
        above = page.parent[above]
    return above
