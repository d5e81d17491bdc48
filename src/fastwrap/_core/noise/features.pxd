"""What `features` offers other native modules: what a classifier knows of the blocks of a page."""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint64_t

from fastwrap._core.common.page cimport PageArrays
from fastwrap._core.noise.blocks cimport Blocks

cdef enum:
    NAME_KINDS = 5          # how a name is used: anywhere above a block, inside it, by its owner and the two above that
    SCORES = 4              # of names above, of names near by, of words, of the words of the heading
    LEVELS = 4              # elements around a block, each with more blocks than the one before
    LEVEL_FEATURES = 10
    FLAGS = 21
    OWN_FEATURES = 103
    NEIGHBOURS = 4
    NEIGHBOUR_FEATURES = 10
    ADDRESS_FEATURES = 4
    FEATURES = 179

    # Features of a block that its neighbours know, too, by number.
    LENGTH = 0
    WORDS = 1
    LINKED = 3
    SENTENCES = 9
    OWNER = 15
    HEADING = 16


cdef struct Weights:
    # The linear part of a model: where words and names have their weights.
    const int8_t *names     # [32768, NAME_KINDS]
    const int8_t *words     # [32768]
    const int8_t *heads     # [32768]
    double scale[SCORES]    # what one of these is worth
    double intercept[SCORES]


cdef struct Vocabulary:
    # What the names of the field mean: read from tables of the Python face.
    const uint8_t *begins       # by tag, whether an element begins a block; the last is for unknown tags
    const int32_t *flags        # by tag, bits of what it says of the blocks within it
    const int32_t *owners       # by tag, its number as the owner of a block
    const int32_t *tag_buckets  # by tag, where a model has its weights
    int32_t roles               # values of the attribute role that say something ...
    const uint64_t *role        # ... by their hashes ...
    const int32_t *role_flags   # ... as bits


cdef enum:
    MOST_NAMES = 24         # words of an attribute that are read ...
    MOST_NAME_BYTES = 400   # ... and bytes
    MOST_BUCKETS = 6 * MOST_NAMES + 1   # of six attributes, and of the tag


cdef int32_t names_of(const PageArrays *page, int32_t node, const Vocabulary *vocabulary,
                      int32_t *buckets) noexcept nogil
cdef size_t size_of_features(const PageArrays *page) noexcept nogil
cdef void make_features(const PageArrays *page, const Blocks *blocks, const Vocabulary *words, const Weights *weights,
                        const float *address, float *features, char **at) noexcept nogil
