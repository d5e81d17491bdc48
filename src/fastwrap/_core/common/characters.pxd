"""Characters of a string, as all kernels read them that look at Python strings: eight bytes at a time where possible.
Only inline functions, so that a look at a cell costs no call."""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

cdef extern from "Python.h":
    bint Py_UNICODE_ISSPACE(Py_UCS4 character) noexcept
    bint Py_UNICODE_ISALPHA(Py_UCS4 character) noexcept
    bint PyUnicode_IS_ASCII(object string) noexcept
    Py_UCS4 PyUnicode_READ_CHAR(object string, Py_ssize_t index) noexcept
    Py_ssize_t PyUnicode_FindChar(object string, Py_UCS4 c, Py_ssize_t start, Py_ssize_t end, int step) except -2

cdef extern from *:
    """
    #define EIGHT_TIMES(byte) (0x0101010101010101ULL * (byte))
    """
    uint64_t EIGHT_TIMES(uint64_t byte) noexcept

cdef enum:
    # Classes of characters, as bits.
    SPACE = 1
    OTHER_SPACE = 2
    DIGIT = 4

ctypedef fused character:
    uint8_t
    uint16_t
    uint32_t


cdef inline bint is_digit(uint32_t c) noexcept:
    return c - 48 < 10


cdef inline uint8_t class_of(uint32_t c) noexcept:
    if c > 57:
        return OTHER_SPACE if c > 127 and Py_UNICODE_ISSPACE(c) else 0
    if c >= 48:
        return DIGIT
    if c == 32:
        return SPACE
    return OTHER_SPACE if c < 32 and Py_UNICODE_ISSPACE(c) else 0


cdef inline uint64_t eight(const uint8_t *text) noexcept:
    cdef uint64_t word
    memcpy(&word, text, 8)
    return word


cdef inline uint64_t from_on(uint64_t word, uint64_t least) noexcept:
    """Of eight bytes below 128, those that are at least so large have their highest bit set, the others have not."""
    return word + EIGHT_TIMES(128 - least)


cdef inline uint8_t classes_of(const character *text, Py_ssize_t length) noexcept:
    """The classes of all characters in one; OTHER_SPACE also for white space at either end, or two in a row."""
    cdef uint8_t together = 0, before = SPACE, this = 0
    cdef Py_ssize_t i
    for i in range(length):
        this = class_of(text[i])
        together |= this | ((this & before & SPACE) << 1)
        before = this
    return together | ((before & SPACE) << 1)


cdef struct SeenBytes:
    # What was seen in words of eight bytes: the highest bit of each byte that is such a character.
    uint64_t controls
    uint64_t spaces
    uint64_t doubled
    uint64_t digits


cdef inline void see(SeenBytes *seen, uint64_t word) noexcept:
    cdef uint64_t low = word & ~EIGHT_TIMES(128), high = word & EIGHT_TIMES(128)
    cdef uint64_t spaces = from_on(low, 32) & ~from_on(low, 33) & ~word & EIGHT_TIMES(128)
    seen.spaces |= spaces
    seen.doubled |= spaces & (spaces << 8)
    seen.digits |= from_on(low, 48) & ~from_on(low, 58) & ~word
    # There are controls from 0 to 31 and from 128 to 159; 160 is white space as well.
    seen.controls |= ~from_on(low, 32) | (high & ~from_on(low, 33))


cdef inline uint8_t classes_of_bytes(const uint8_t *text, Py_ssize_t length) noexcept:
    """The same as `classes_of` for Latin-1 that is not empty, eight at a time."""
    cdef SeenBytes seen = SeenBytes(0, 0, 0, 0)
    cdef uint32_t first, last
    cdef Py_ssize_t i = 0
    if length >= 8:
        while i < length - 8:
            see(&seen, eight(text + i))
            i += 7  # one is seen twice, for spaces beside each other
        see(&seen, eight(text + length - 8))
    elif length >= 4:
        # Instead of what is missing, the first character once more.
        memcpy(&first, text, 4)
        memcpy(&last, text + length - 4, 4)
        see(&seen, EIGHT_TIMES(text[0]) << 32 | first)
        see(&seen, EIGHT_TIMES(text[0]) << 32 | last)
    else:
        # Two spaces beside each other are at one of the ends.
        see(&seen, EIGHT_TIMES(text[0]) << 16 | <uint64_t>text[length >> 1] << 8 | text[length - 1])
    if seen.controls & EIGHT_TIMES(128):
        return classes_of(text, length)
    return (
        (seen.spaces != 0) * SPACE
        | ((seen.doubled != 0) | (text[0] == 32) | (text[length - 1] == 32)) * OTHER_SPACE
        | ((seen.digits & EIGHT_TIMES(128)) != 0) * DIGIT
    )
