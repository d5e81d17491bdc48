"""What the strings of data look like: names, addresses, dates, prose; each string is looked at once.
Regular expressions are asked only where a first look leaves it open."""

import re

from cpython.list cimport PyList_GET_SIZE
from cpython.unicode cimport PyUnicode_Check, PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memset

from fastwrap._core.common.characters cimport PyUnicode_FindChar, PyUnicode_READ_CHAR, character

cdef extern from "Python.h":
    bint Py_UNICODE_ISALNUM(Py_UCS4 character) noexcept
    bint Py_UNICODE_ISDECIMAL(Py_UCS4 character) noexcept

cdef object DATE = re.compile(r"\d{4}-\d\d-\d\d")
cdef object ADDRESS = re.compile(r"(?:https?:)?//\S+|/[\w%.~-][^\s<>]*|[\w-]+\.(?:jpe?g|png|webp|gif|svg)")
cdef object TOKEN = re.compile(r"(?=\S*\d)[\w-]{12,}|[.#{<]\S.*", re.DOTALL)
# What programs call things: identifiers, selectors, markup.

cdef enum:
    TOKEN_LENGTH = 12       # of identifiers
    DATE_LENGTH = 10

    # What characters of sentences are, as bits.
    LETTER = 1              # letters, and the marks on them that many scripts write apart
    WIDE = 2                # letters of the scripts that put no space between words
    SIGN = 4                # that programs have, and sentences have not
    COMMA = 8
    END = 16                # of a sentence
    JOIN = 32               # that put words together in names of classes, keys and files
    ALPHANUMERIC = 64

cdef uint8_t CLASSES[128]


cdef void fill_classes() noexcept:
    """The classes of ASCII characters."""
    cdef int c
    memset(CLASSES, 0, sizeof(CLASSES))
    for c in range(128):
        if 97 <= c | 32 <= 122:
            CLASSES[c] |= LETTER | ALPHANUMERIC
        if 48 <= c <= 57:
            CLASSES[c] |= ALPHANUMERIC
    for c in b"{}<>\\|=;$_^~`":
        CLASSES[c] |= SIGN
    for c in b",;|":
        CLASSES[c] |= COMMA
    for c in b".!?:":
        CLASSES[c] |= END
    for c in b"-_/:.=#%+*":
        CLASSES[c] |= JOIN


fill_classes()


cdef inline uint8_t class_of_wide(uint32_t c) noexcept:
    """The class of a character beyond ASCII."""
    cdef uint8_t found = 0
    if (0xaa <= c <= 0x1fff or 0x2c00 <= c <= 0x2fff or 0x3041 <= c <= 0xd7ff or 0xf900 <= c <= 0xffef
            or 0x20000 <= c <= 0x3ffff):
        found |= LETTER
    if (0xe00 <= c <= 0xeff or 0x1000 <= c <= 0x109f or 0x1780 <= c <= 0x17ff or 0x3040 <= c <= 0x30ff
            or 0x3400 <= c <= 0x9fff or 0xf900 <= c <= 0xfaff):
        found |= WIDE
    if c == 0x60c or c == 0x3001 or c == 0xff0c or c == 0xb7 or c == 0x2022:
        found |= COMMA
    if c == 0x2026 or c == 0x3002 or c == 0xff01 or c == 0xff1f or c == 0x964 or c == 0x61f:
        found |= END
    return found


cdef struct Counts:
    Py_ssize_t letters
    Py_ssize_t wide
    Py_ssize_t signs
    Py_ssize_t commas
    Py_ssize_t ends
    Py_ssize_t joined


cdef void count_in(const character *text, Py_ssize_t length, Counts *counts) noexcept:
    cdef Py_ssize_t k
    cdef uint8_t this, before = 0, last = 0
    for k in range(length):
        this = CLASSES[text[k]] if text[k] < 128 else class_of_wide(text[k])
        counts.letters += this & LETTER != 0
        counts.wide += this & WIDE != 0
        counts.signs += this & SIGN != 0
        counts.commas += this & COMMA != 0
        counts.ends += this & END != 0
        counts.joined += this & before & ALPHANUMERIC != 0 and last & JOIN != 0
        before, last = last, this


def count(str text not None):
    """How many letters and signs a string has; see `looks.pyi`."""
    cdef Counts counts
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
    cdef int kind = PyUnicode_KIND(text)
    memset(&counts, 0, sizeof(counts))
    if kind == 1:
        count_in(<const uint8_t *>PyUnicode_DATA(text), length, &counts)
    elif kind == 2:
        count_in(<const uint16_t *>PyUnicode_DATA(text), length, &counts)
    else:
        count_in(<const uint32_t *>PyUnicode_DATA(text), length, &counts)
    return counts.letters, counts.wide, counts.signs, counts.commas, counts.ends, counts.joined


# Members of objects

cdef inline bint has_space(str text):
    return PyUnicode_FindChar(text, 32, 0, PyUnicode_GET_LENGTH(text), 1) >= 0


cdef bint is_address(str text):
    """Whether a string is an address, or the name of a picture."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
    cdef Py_UCS4 first, last
    if length == 0:
        return False
    first, last = PyUnicode_READ_CHAR(text, 0), PyUnicode_READ_CHAR(text, length - 1)
    if first != c"h" and first != c"/" and last != c"g" and last != c"p" and last != c"f":
        return False
    return not has_space(text) and ADDRESS.fullmatch(text) is not None


cdef bint begins_with_date(str text):
    if PyUnicode_GET_LENGTH(text) < DATE_LENGTH or PyUnicode_READ_CHAR(text, 4) != c"-":
        return False
    return DATE.match(text) is not None


cdef bint has_word(str text):
    """Whether two letters stand side by side."""
    cdef Py_ssize_t k
    cdef uint32_t c
    cdef bint before = False, this
    for k in range(PyUnicode_GET_LENGTH(text)):
        c = PyUnicode_READ_CHAR(text, k)
        this = 97 <= c | 32 <= 122 if c < 128 else Py_UNICODE_ISALNUM(c) and not Py_UNICODE_ISDECIMAL(c)
        if before and this:
            return True
        before = this
    return False


cdef bint is_token(str text):
    """Whether a string is what programs call things."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
    cdef Py_UCS4 first = PyUnicode_READ_CHAR(text, 0) if length else 0
    if first != c"." and first != c"#" and first != c"{" and first != c"<" and (
            length < TOKEN_LENGTH or has_space(text)):
        return False
    return TOKEN.fullmatch(text) is not None


def look(list values not None):
    """What the values of a member look like; see `looks.pyi`."""
    cdef list texts = []
    cdef set different = set()
    cdef Py_ssize_t filled = 0, numbers = 0, addresses = 0, dates = 0
    for value in values:
        if PyUnicode_Check(value):
            filled += 1
            texts.append(value)
            different.add(value)
            addresses += is_address(value)
            dates += begins_with_date(value)
        else:
            filled += value is not None
            different.add(str(value))
            numbers += isinstance(value, (int, float)) and not isinstance(value, bool)
    return texts, filled, len(different), numbers, addresses, dates


def are_names(list texts not None, Py_ssize_t count):
    """Whether strings may be what things are called; see `looks.pyi`."""
    cdef Py_ssize_t length = PyList_GET_SIZE(texts), named = 0
    cdef str text
    if length * 5 < count * 4 or len(set(texts)) * 10 < length * 7:
        return False
    for text in texts:
        named += has_word(text) and not is_address(text) and not is_token(text)
    return named * 5 >= length * 4
