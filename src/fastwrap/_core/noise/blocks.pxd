"""What `blocks` offers other native modules: the blocks of a page, and what their texts look like."""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from fastwrap._core.common.page cimport PageArrays

cdef enum:
    MOST_WORDS = 12         # of a block, and of its end MOST_LAST, that are read one by one
    MOST_LAST = 3
    MOST_PAIRS = 8          # words side by side
    MOST_WHOLE = 6          # words of a block that is read as a whole, too
    MOST_HEAD = 8           # words of a heading, and of its beginning HEAD_START, that are read for what follows it
    HEAD_START = 4
    TEXT_BUCKETS = 24       # room for the buckets of a block ...
    HEAD_BUCKETS = 9        # ... and of a heading
    MOST_TITLE = 32         # words of a title, and of a block, that are compared

    # How a block ends.
    ENDS_OPEN = 0
    ENDS_SENTENCE = 1
    ENDS_COLON = 2
    ENDS_COMMA = 3


cdef struct Look:
    # What the text of one block looks like, counted in bytes of UTF-8.
    int32_t length
    int32_t words
    int32_t digits
    int32_t capitals
    int32_t others          # bytes of characters that are not ASCII
    int32_t commas
    int32_t sentences       # ends of sentences
    int32_t separators
    int32_t ends            # ENDS_OPEN, ENDS_SENTENCE, ...
    int32_t begins          # 0 nothing, 1 a capital, 2 a small letter, 3 a digit, 4 not ASCII, 5 anything else
    int32_t of_title        # words, of the first MOST_TITLE, that the title of the page has
    int32_t group           # the number of its text: blocks of one text have the same
    int32_t copies          # blocks of the page with the same text, itself included
    int32_t word_buckets
    int32_t head_buckets


cdef struct Blocks:
    int32_t count
    int32_t *start          # [count] the first text
    int32_t *end            # [count] the node after the last text
    int32_t *owner          # [count] the nearest element around it that is not inline
    Look *look              # [count]
    int32_t *word_bucket    # [count, TEXT_BUCKETS] of its words: where a model has their weights
    int32_t *head_bucket    # [count, HEAD_BUCKETS] the same, as a heading over other blocks
    int32_t title_words     # of the page's own title, that are compared
    uint64_t title_bits     # for each of them, the bit of its hash's last six bits: most words have another one


cdef size_t size_of_blocks(const PageArrays *page) noexcept nogil
cdef void find_blocks(const PageArrays *page, const uint8_t *begins, Blocks *blocks, char **at) noexcept nogil


cdef inline uint64_t with_byte(uint64_t hash, unsigned char byte) noexcept nogil:
    """The hash of a string with one byte more (FNV-1a: Fowler, Noll, Vo 1991)."""
    return (hash ^ byte) * <uint64_t>1099511628211u


cdef inline int32_t bucket_of(uint64_t hash, uint64_t kind) noexcept nogil:
    """Where a model has the weight of a word: one of 32,768 places; `kind` is how the word is used."""
    return <int32_t>(((hash ^ (kind * <uint64_t>0x9E3779B97F4A7C15)) * <uint64_t>0xBF58476D1CE4E5B9) >> 49)
