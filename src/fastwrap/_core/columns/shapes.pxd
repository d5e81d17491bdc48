"""What `shapes` offers other native modules: what a text looks like, and scanners of bytes that the choice needs."""

from libc.stdint cimport int32_t, int64_t

cdef enum:
    # What texts look like, in the order of `fastwrap.columns.choice`
    NOTHING = 0
    WORDS = 1
    NUMBER = 2
    COUNT = 3
    MONEY = 4
    PERCENT = 5
    DATE = 6
    TIME = 7
    ADDRESS = 8
    MAIL = 9
    SHAPES = 10


cdef inline bint is_digit(unsigned char byte) noexcept nogil:
    return c"0" <= byte <= c"9"


cdef inline unsigned char lower(unsigned char byte) noexcept nogil:
    return byte | 0x20 if c"A" <= byte <= c"Z" else byte


# Texts have at least one byte.
cdef inline bint is_fraction(const unsigned char *text, int32_t length) noexcept nogil:
    """Whether a text goes on with a number before it: ,90"""
    return length > 1 and (text[0] == c"," or text[0] == c".") and is_digit(text[1])


cdef int32_t shape_of(const unsigned char *text, int32_t length) noexcept nogil
cdef bint has_digit(const unsigned char *text, int32_t length) noexcept nogil
cdef int32_t sign_length(const unsigned char *text, int32_t length) noexcept nogil
cdef int64_t amount_of(const unsigned char *text, int32_t length) noexcept nogil
cdef int32_t normalise(const unsigned char *text, int32_t length, unsigned char *normal) noexcept nogil
cdef bint contains(const unsigned char *text, int32_t length, const unsigned char *part, int32_t size,
                   int64_t *work) noexcept nogil
cdef bint is_page(const unsigned char *link, int32_t length) noexcept nogil
cdef bint is_file_name(const unsigned char *text, int32_t length) noexcept nogil
