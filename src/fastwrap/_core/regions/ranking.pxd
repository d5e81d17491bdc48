"""What `ranking` offers other native modules: the features of regions, and their weighted sums."""

from libc.stdint cimport int32_t, uint8_t

cdef enum:
    COLUMNS = 13        # features of a region
    IN_LINK = 1         # what a node may be within
    IN_MENU = 2


cdef struct Page:
    # What the features are read from: node arrays, and what is known of their tags.
    const int32_t *tag
    const int32_t *parent
    const int32_t *text_start
    const unsigned char *text
    const double *before        # the content before each node
    const int32_t *seen_before  # how many nodes before each one have content ...
    const int32_t *seen         # ... and which
    const uint8_t *within       # what each node is or is within: bits
    double all_prose            # letters of all prose that is in no link
    int32_t n
    double total                # the content of the page
    const uint8_t *is_navigation
    int32_t known               # the place of the last entry, which is for all tags beyond
    int32_t link
    int32_t picture
    int32_t words
    double prose                # letters of a text that is prose, not a label
    const double *weights       # [rows, COLUMNS + 1]
    int32_t rows


cdef int read_rules(Page *page, rules) except -1
cdef void read_page(Page *page, uint8_t *within) noexcept nogil
cdef size_t size_of_features(size_t records) noexcept nogil
cdef void read_features(const Page *page, const int32_t *records, const int32_t *first, int32_t regions,
                        const double *scores, int32_t score_step, void *memory, double *features,
                        int32_t feature_step, double *sums) noexcept nogil
