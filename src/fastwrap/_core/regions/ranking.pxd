"""What `ranking` offers other native modules: the features of sets of records, and their weighted sums."""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from fastwrap._core.common.page cimport PageArrays
from fastwrap._core.regions.autorm cimport Content
from fastwrap._core.regions.sets cimport RecordSet

cdef enum:
    PURPOSES = 2            # what the features are weighed for: the order of the sets, and the confidence

cdef enum:                  # the features, in the order of FEATURE_NAMES, and how many there are
    QUALITY, COVERAGE, SIMILARITY, VARIETY, COUNT, LETTERS, LONGEST, LINKED, PICTURES, ITEMS, UNIQUE, NAVIGATION, PROSE
    FEATURES


cdef struct RankingOptions:
    # `fastwrap.regions.ranking.Options`, where they are described.
    const uint8_t *is_navigation    # [tags + 1] by tag; the last entry is for all tags that are not in the table
    int32_t known_tags
    double prose
    const double *weights           # [PURPOSES, FEATURES + 1]


cdef struct RankedPage:
    # What the features are read from.
    const PageArrays *page
    const Content *content
    double prose                # letters from which on a text is prose
    double all_prose            # letters of all prose that is in no link
    uint8_t *within             # what each node is or is within: bits
    uint64_t *hashes            # of the texts of the records of the set at hand
    uint64_t *table             # room for four times as many


cdef void read_page(RankedPage *ranked, const RankingOptions *options) noexcept nogil
cdef void read_set(const RankedPage *ranked, const RecordSet *chosen, const int32_t *records,
                   double *features) noexcept nogil
cdef double weighed(const double *features, const double *weights) noexcept nogil
