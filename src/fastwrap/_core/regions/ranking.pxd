"""What `ranking` offers other native modules: the features of sets of records, and their weighted sums."""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from fastwrap._core.common.page cimport PageArrays
from fastwrap._core.regions.autorm cimport Content
from fastwrap._core.regions.links cimport Links
from fastwrap._core.regions.places cimport PlaceRules, Places
from fastwrap._core.regions.sets cimport RecordSet

cdef enum:
    PURPOSES = 2            # what the features are weighed for: the order of the sets, and the confidence

cdef enum:                  # the features, in the order of FEATURE_NAMES, and how many there are
    QUALITY, COVERAGE, SIMILARITY, VARIETY, COUNT, LETTERS, LONGEST, ITEMS, UNIQUE, NAVIGATION, PROSE, BESIDE_SHARE
    OUTSIDE, START, LINKS, KINDRED, DIGITS, HEADINGS, LISTED, HIDDEN
    FEATURES


cdef struct RankingOptions:
    # `fastwrap.regions.ranking.Options`, where they are described.
    PlaceRules rules
    double prose
    const double *weights           # [PURPOSES, FEATURES + 1]
    const uint64_t *listed          # sorted hashes of what the page's own data lists ...
    int32_t listed_count            # ... and how many there are


cdef struct RankedPage:
    # What the features are read from.
    const PageArrays *page
    const Content *content
    const RankingOptions *options
    const Links *links
    Places places
    double all_prose            # letters of all prose
    bint has_main               # whether the main landmark has much of the content
    uint8_t *in_link            # [n] whether each node is a link or within one
    uint64_t *hashes            # one per record of the set at hand: of its text, ...
    uint64_t *kinds             # ... and of the kind of page that it links to
    uint64_t *hosts             # ... and of the host that the link names, or 0
    uint64_t *table             # room for four times as many


cdef void read_page(RankedPage *ranked) noexcept nogil
cdef void read_set(RankedPage *ranked, const RecordSet *chosen, const int32_t *records,
                   double *features) noexcept nogil
cdef double weighed(const double *features, const double *weights) noexcept nogil
