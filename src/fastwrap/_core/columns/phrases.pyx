"""What texts can be at all, by the beginnings of words in them: most can be none of the kinds that regular expressions
would be searched for. One pass over the characters; four of them in a row are looked up in a sorted table."""

cimport cython
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from cpython.unicode cimport PyUnicode_Check, PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from fastwrap._core.common.characters cimport character

cdef extern from "Python.h":
    bint Py_UNICODE_ISDECIMAL(Py_UCS4 c) noexcept
    bint Py_UNICODE_ISALNUM(Py_UCS4 c) noexcept
    bint Py_UNICODE_ISSPACE(Py_UCS4 c) noexcept
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 c) noexcept

cdef enum:
    # What a text has besides the words of the table, as bits.
    HAS_DIGIT = 1
    HAS_COMMA = 2
    HAS_UNSPACED = 4        # letters of languages that set no words apart
    HAS_SLASH = 8
    HAS_AREA = 16           # behind a number, a letter with which units of areas begin
    HAS_DATE = 32           # two of "./-", each behind a digit, with at most two characters between them
    FIRST_UNSPACED = 0x3040
    SLOTS = 1024            # a power of 2, many times the number of words
    MOST_KINDS = 32

cdef uint64_t MIX = 0x9E3779B97F4A7C15u


cdef struct Grams:
    Py_ssize_t count
    const uint64_t *grams   # [count] sorted: four characters each
    const uint32_t *bits    # [count] what each says
    uint8_t may_be[SLOTS]   # by hash: whether any has it


cdef inline uint32_t slot_of(uint64_t gram) noexcept:
    return <uint32_t>((gram * MIX) >> 54)


cdef uint32_t bits_of(const Grams *table, uint64_t gram) noexcept:
    """What four characters say; 0 for what is not in the table."""
    cdef Py_ssize_t low = 0, high = table.count, middle
    while low < high:
        middle = (low + high) >> 1
        if table.grams[middle] < gram:
            low = middle + 1
        else:
            high = middle
    return table.bits[low] if low < table.count and table.grams[low] == gram else 0


cdef inline uint32_t folded(uint32_t c) noexcept:
    """A letter or digit as a small letter, others as 0; of letters that are alike the plain one."""
    if c < 128:
        if 97 <= c <= 122 or 48 <= c <= 57 or c == 95:
            return c
        return c | 32 if 65 <= c <= 90 else 0
    if c == 0x131:
        return 105
    if c == 0x17F:
        return 115
    return Py_UNICODE_TOLOWER(c) if Py_UNICODE_ISALNUM(c) else 0


cdef inline bint is_odd(uint32_t c) noexcept:
    """Whether a letter is like others whose small letter it is not (case folding of Unicode): rare ones."""
    return (c == 0x345 or c == 0x1FBE or c == 0x390 or c == 0x3B0 or c == 0xB5 or 0x3D0 <= c <= 0x3F5
            or 0x1C80 <= c <= 0x1C8F or c == 0x1E9B or 0x1E9E == c or 0x1FD3 == c or 0x1FE3 == c
            or 0xFB00 <= c <= 0xFB06)


cdef inline bint begins_area(uint32_t c, uint32_t small) noexcept:
    """Whether a unit of areas may begin with a letter: m², qm, sq ft, ft², ㎡, кв."""
    return small == 109 or small == 113 or small == 115 or small == 102 or c == 0x33A1 or small == 0x43A


cdef uint32_t said_by(const Grams *table, const character *text, Py_ssize_t length) noexcept:
    """What a text has, as bits."""
    cdef uint32_t found = 0, c, small
    cdef uint64_t gram = 0
    cdef Py_ssize_t k, sign = -4
    cdef bint after_number = False, after_digit = False
    for k in range(length + 1):
        c = text[k] if k < length else 0
        small = folded(c)
        if after_number and begins_area(c, small):
            found |= HAS_AREA
        if after_digit and 45 <= c <= 47:
            if k - sign <= 3:
                found |= HAS_DATE
            sign = k
        after_digit = False
        if c < 128:
            if 48 <= c <= 57:
                found |= HAS_DIGIT
                after_number = after_digit = True
            else:
                after_number = after_number and Py_UNICODE_ISSPACE(c)
                if c == 44:
                    found |= HAS_COMMA
                elif c == 47:
                    found |= HAS_SLASH
        else:
            if is_odd(c):
                return <uint32_t>-1
            if c >= FIRST_UNSPACED:
                found |= HAS_UNSPACED
            if Py_UNICODE_ISDECIMAL(c):
                found |= HAS_DIGIT
                after_number = after_digit = True
            else:
                after_number = after_number and Py_UNICODE_ISSPACE(c)
        gram = gram << 16 | (small if small < 0x10000 else 0xFFFF)
        if table.may_be[slot_of(gram)]:
            found |= bits_of(table, gram)
    return found


@cython.final
cdef class Kinds:
    """The kinds that texts may be of; see `phrases.pyi`."""
    cdef Grams table
    cdef const uint64_t[::1] grams      # what the table points to ...
    cdef const uint32_t[::1] bits
    cdef const uint32_t[:, ::1] needs   # ... and by kind its two needs

    def __init__(self, grams not None, bits not None, needs not None):
        cdef Py_ssize_t place
        self.grams, self.bits, self.needs = grams, bits, needs
        if self.grams.shape[0] != self.bits.shape[0] or self.grams.shape[0] == 0:
            raise ValueError("there are as many bits as words, and at least one")
        if self.needs.shape[0] > MOST_KINDS or self.needs.shape[1] != 2:
            raise ValueError(f"there are at most {MOST_KINDS} kinds, each with two needs")
        self.table.count = self.grams.shape[0]
        self.table.grams, self.table.bits = &self.grams[0], &self.bits[0]
        memset(self.table.may_be, 0, SLOTS)
        for place in range(self.table.count):
            self.table.may_be[slot_of(self.table.grams[place])] = 1

    def may_be(self, list texts not None, int misses):
        """Which kinds most of some texts may be of; see `phrases.pyi`."""
        cdef Py_ssize_t place, kind, kinds = 0 if self.needs is None else self.needs.shape[0], length
        cdef int missed[MOST_KINDS]
        cdef uint32_t said, left = <uint32_t>((<uint64_t>1 << kinds) - 1)
        cdef const void *data
        memset(missed, 0, sizeof(missed))
        for place in range(PyList_GET_SIZE(texts)):
            text = <object>PyList_GET_ITEM(texts, place)
            if not PyUnicode_Check(text):
                raise TypeError("texts are strings")
            data, length = PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text)
            if PyUnicode_KIND(text) == 1:
                said = said_by(&self.table, <const uint8_t *>data, length)
            elif PyUnicode_KIND(text) == 2:
                said = said_by(&self.table, <const uint16_t *>data, length)
            else:
                said = said_by(&self.table, <const uint32_t *>data, length)
            for kind in range(kinds):
                if not (said & self.needs[kind, 0] and said & self.needs[kind, 1]):
                    missed[kind] += 1
                    if missed[kind] > misses:
                        left &= ~(<uint32_t>1 << kind)
            if left == 0:
                break
        return left
