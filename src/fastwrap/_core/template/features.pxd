"""What the nodes of pages about one thing are told apart by, as hashes that files and kernels share.
They are made of names and texts, so they mean the same on every page, in every version and on every machine."""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from fastwrap._core.common.page cimport PageArrays

cdef struct Features:
    # [count] each; 0 where there is nothing.
    uint64_t *key           # elements: the tokens of the class that have no digit, in any order
    uint64_t *name          # elements: id, name, property, itemprop and rel, without those that have a digit
    uint64_t *text          # texts: what may be a label, without the marks at its ends
    uint64_t *prefix        # texts: what stands before a colon, if a value stands behind it
    uint64_t *raw           # texts: what is a label where its siblings are: the prefix, or a short text


cdef struct Tree:
    # The features of each node, with those of all below it.
    const PageArrays *page
    Features own
    uint64_t *label         # the first text's: its prefix or itself, where that is known as a label
    uint64_t *raw           # the first text's
    uint64_t *labels        # one bit for each label below
    uint64_t *elements      # one bit for each tag with class, the node itself included
    int32_t *label_count
    int32_t *text_count
    uint8_t *marks          # HAS_TEXT, HAS_PREFIX, IS_INLINE, HAS_COLON


cdef enum:
    HAS_TEXT = 1
    HAS_PREFIX = 2          # of the first text
    IS_INLINE = 4           # nothing but texts and their formatting
    HAS_COLON = 8           # at the end of the first text


cdef size_t size_of_tree(int32_t count) noexcept nogil
cdef void open_tree(Tree *tree, char *memory, const PageArrays *page, const uint64_t *known,
                    int32_t known_count) noexcept nogil
cdef void read_features(const Features *features, const PageArrays *page) noexcept nogil
cdef bint is_known(const uint64_t *known, int32_t count, uint64_t value) noexcept nogil
