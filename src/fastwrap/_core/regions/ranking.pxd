"""What `ranking` offers other native modules: the features of regions, and their weighted sums."""

from libc.stdint cimport int32_t, uint8_t

from fastwrap._core.common.page cimport PageArrays
from fastwrap._core.regions.autorm cimport Content

cdef enum:
    FEATURES = 13       # of a region
    PURPOSES = 2        # what the features are weighed for: the order of the regions, and the confidence


cdef struct RankingOptions:
    # `fastwrap.regions.ranking.Options`, where they are described.
    const uint8_t *is_navigation    # [tags + 1] by tag; the last entry is for all tags that are not in the table
    int32_t known_tags
    double prose
    const double *weights           # [PURPOSES, FEATURES + 1]


cdef struct Regions:
    # What is ranked, and the results.
    int32_t count
    const int32_t *records          # pairs of nodes: the first, and the one after the last
    const int32_t *first            # [count + 1] region i has the records first[i] up to first[i + 1]
    double *rows                    # [count, row_length] a row begins with coverage, similarity and variety ...
    int32_t row_length
    int32_t features_at             # ... and from here on receives the features
    double *sums                    # [PURPOSES, count] receives the weighted sums


cdef int open_options(RankingOptions *options, given) except -1
cdef size_t size_of_ranking(size_t nodes, size_t records) noexcept nogil
cdef void rank(const PageArrays *page, const Content *content, const RankingOptions *options, const Regions *regions,
               char *memory) noexcept nogil
