"""Writes records as JSON: bytes out, from the cells of a table and from the text of the page itself.
Byte for byte what msgspec writes of the same as dicts and lists; no dict, list or str is made for it."""

cimport cython
from cpython.bool cimport PyBool_Check
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.datetime cimport PyDate_Check, PyTime_Check, import_datetime
from cpython.dict cimport PyDict_Check
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.list cimport PyList_Check, PyList_GET_ITEM, PyList_GET_SIZE
from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_CheckExact
from cpython.mem cimport PyMem_Free
from cpython.unicode cimport PyUnicode_Check, PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset, strlen

from fastwrap._core.common.hashing cimport eight_bytes
from fastwrap._core.common.page cimport NativePage, PageArrays, Spans, open_spans
from fastwrap._core.common.scratch cimport reserve

import_datetime()

cdef extern from "Python.h":
    int Py_DTSF_ADD_DOT_0
    char *PyOS_double_to_string(double value, char code, int precision, int flags, int *kind) except NULL

cdef enum:
    TOUCHES = 0xFF          # between texts of which the next one goes on
    QUOTE = 34
    BACKSLASH = 92
    MOST_DEPTH = 300        # lists and dicts within each other: far more than columns have
    ROOM = 6                # bytes that a character may become: an escape
    LONG_TEXT = 1 << 17     # bytes; a shorter one is written before another thread could take the global lock

cdef const char *HEX = b"0123456789abcdef"

# For the bytes below 128: 0 for those that are written as they are, 117 (u) for those that are written by their number,
# else the letter of their escape.
cdef uint8_t ESCAPES[128]
memset(ESCAPES, 0, 128)
memset(ESCAPES, 117, 32)
ESCAPES[8], ESCAPES[9], ESCAPES[10], ESCAPES[12], ESCAPES[13] = 98, 116, 110, 102, 114
ESCAPES[QUOTE], ESCAPES[BACKSLASH] = QUOTE, BACKSLASH


cdef inline uint64_t each(uint64_t byte) noexcept nogil:
    """Eight times a byte."""
    return byte * <uint64_t>0x0101010101010101


cdef inline bint is_plain(uint64_t word) noexcept nogil:
    """Whether eight bytes are ASCII, and none is a quote, a backslash or a control character."""
    cdef uint64_t quotes = word ^ each(QUOTE), slashes = word ^ each(BACKSLASH)
    cdef uint64_t low = (word - each(32)) | (quotes - each(1)) | (slashes - each(1)) | word
    return low & each(128) == 0


cdef inline int32_t length_of_sequence(const uint8_t *text, int64_t left) noexcept nogil:
    """The bytes of the character that begins here in UTF-8, which is not ASCII; 0 if it is none (RFC 3629)."""
    cdef uint8_t first = text[0], second
    if left < 2 or first < 0xC2 or first > 0xF4:
        return 0
    second = text[1]
    if second & 0xC0 != 0x80:
        return 0
    if first < 0xE0:
        return 2
    if left < 3 or text[2] & 0xC0 != 0x80 or (first == 0xE0 and second < 0xA0) or (first == 0xED and second > 0x9F):
        return 0
    if first < 0xF0:
        return 3
    if (left < 4 or text[3] & 0xC0 != 0x80 or (first == 0xF0 and second < 0x90)
            or (first == 0xF4 and second > 0x8F)):
        return 0
    return 4


cdef inline object cell_of(list columns, Py_ssize_t column, Py_ssize_t row):
    """What a row has in a column."""
    cdef list cells = columns[column]
    if row >= PyList_GET_SIZE(cells):
        raise ValueError("the columns differ in length")
    return <object>PyList_GET_ITEM(cells, row)


@cython.final
cdef class Writer:
    """Writes values; see `json.pyi`."""
    cdef type money
    cdef object others          # writes what is rare: numbers with exponents, and what no column has

    def __init__(self, type money not None, others not None):
        self.money, self.others = money, others

    def value(self, value):
        """One value as JSON; see `json.pyi`."""
        cdef Text text = Text.__new__(Text)
        self.write(text, value)
        return text.bytes()

    def records(self, list values not None, list texts not None, list links not None, said not None,
                bint by_column=False):
        """Records as a list of objects; see `json.pyi`."""
        cdef Py_ssize_t count = PyList_GET_SIZE(texts), k
        cdef Text text = Text.__new__(Text)
        cdef NativePage native = None
        cdef const PageArrays *page = NULL
        cdef Spans spans
        cdef list strings = None
        cdef int64_t first
        cdef int64_t *places
        if isinstance(said, tuple):
            native, numbers = said
            page = &native.arrays
            open_spans(&spans, numbers, page)
            if spans.count != count:
                raise ValueError("there are not as many spans as records")
        else:
            strings = said
            if PyList_GET_SIZE(strings) != count:
                raise ValueError("there are not as many texts as records")
        if PyList_GET_SIZE(links) != count or (not by_column and PyList_GET_SIZE(values) != count):
            raise ValueError("there are not as many rows or links as records")
        places = <int64_t *>malloc((<size_t>PyList_GET_SIZE(values) + 1) * 2 * sizeof(int64_t))
        if places == NULL:
            raise MemoryError("no memory for the records")
        try:
            text.add(c"[")
            for k in range(count):
                text.raw(b'{"text":' if k == 0 else b',{"text":', 8 if k == 0 else 9)
                if strings is None:
                    first = page.text_start[spans.bounds[2 * k]]
                    text.shown(page.text + first, max(0, page.text_start[spans.bounds[2 * k + 1]] - 1 - first))
                else:
                    self.write(text, <object>PyList_GET_ITEM(strings, k))
                text.raw(b',"link":', 8)
                self.write(text, <object>PyList_GET_ITEM(links, k))
                text.raw(b',"values":', 10)
                if by_column:
                    self.write_across(text, values, k, places)
                    text.raw(b',"texts":', 9)
                    self.write_again(text, <object>PyList_GET_ITEM(texts, k), values, k, places)
                else:
                    self.write(text, <object>PyList_GET_ITEM(values, k))
                    text.raw(b',"texts":', 9)
                    self.write(text, <object>PyList_GET_ITEM(texts, k))
                text.add(c"}")
            text.add(c"]")
        finally:
            free(places)
        return text.bytes()

    cdef int write_across(self, Text text, list columns, Py_ssize_t k, int64_t *places) except -1:
        """Write what a record has in each column; at `places` is told from where to where."""
        cdef Py_ssize_t j
        text.deeper()
        text.add(c"[")
        for j in range(PyList_GET_SIZE(columns)):
            if j:
                text.add(c",")
            places[2 * j] = text.size
            self.write(text, cell_of(columns, j, k))
            places[2 * j + 1] = text.size
        text.depth -= 1
        return text.add(c"]")

    cdef int write_again(self, Text text, list texts, list columns, Py_ssize_t k, const int64_t *places) except -1:
        """Write the texts of a record. Most values are these themselves: what is written of them is copied."""
        cdef Py_ssize_t j
        cdef object cell
        if PyList_GET_SIZE(texts) != PyList_GET_SIZE(columns):
            raise ValueError("there are not as many texts as columns")
        text.add(c"[")
        for j in range(PyList_GET_SIZE(texts)):
            if j:
                text.add(c",")
            cell = <object>PyList_GET_ITEM(texts, j)
            if cell is cell_of(columns, j, k):
                text.copy(places[2 * j], places[2 * j + 1])
            else:
                self.write(text, cell)
        return text.add(c"]")

    cdef int write(self, Text text, object value) except -1:
        """Write any value."""
        cdef int64_t number
        cdef int overflow = 0
        if value is None:
            return text.raw(b"null", 4)
        if PyUnicode_Check(value):
            return text.string(value)
        if PyBool_Check(value):
            return text.raw(b"true", 4) if value is True else text.raw(b"false", 5)
        if PyLong_CheckExact(value):
            number = PyLong_AsLongLongAndOverflow(value, &overflow)
            return text.number(number) if overflow == 0 else text.ascii(str(value))
        if PyFloat_CheckExact(value):
            return self.write_float(text, value)
        if isinstance(value, self.money):
            return self.write_money(text, value)
        if PyList_Check(value):
            return self.write_list(text, value)
        if PyDict_Check(value):
            return self.write_dict(text, value)
        if PyDate_Check(value) or PyTime_Check(value):
            return text.string(value.isoformat())
        return text.ready(self.others(value))

    cdef int write_list(self, Text text, list values) except -1:
        cdef Py_ssize_t k
        text.deeper()
        text.add(c"[")
        for k in range(PyList_GET_SIZE(values)):
            if k:
                text.add(c",")
            self.write(text, <object>PyList_GET_ITEM(values, k))
        text.depth -= 1
        return text.add(c"]")

    cdef int write_dict(self, Text text, dict values) except -1:
        cdef bint is_first = True
        text.deeper()
        text.add(c"{")
        for name, value in values.items():
            if not PyUnicode_Check(name):
                raise TypeError(f"the name of a value is a {type(name).__name__}")
            if not is_first:
                text.add(c",")
            is_first = False
            text.string(name)
            text.add(c":")
            self.write(text, value)
        text.depth -= 1
        return text.add(c"}")

    cdef int write_money(self, Text text, object money) except -1:
        """An amount with its currency; without an exponent, however it was read."""
        number, currency = money
        cdef str amount = str(number)
        if "E" in amount:
            amount = format(number, "f")
        text.raw(b'{"amount":', 10)
        text.string(amount)
        text.raw(b',"currency":', 12)
        self.write(text, currency)
        return text.add(c"}")

    cdef int write_float(self, Text text, value) except -1:
        """The shortest digits that give the number again."""
        cdef char *digits = PyOS_double_to_string(PyFloat_AS_DOUBLE(value), c"r", 0, Py_DTSF_ADD_DOT_0, NULL)
        cdef size_t length = strlen(digits), k
        cdef bint is_simple = True
        try:
            for k in range(length):
                # Exponents, and what is no number in JSON.
                is_simple = is_simple and (48 <= digits[k] <= 57 or digits[k] == c"." or digits[k] == c"-")
            if is_simple:
                return text.raw(digits, length)
        finally:
            PyMem_Free(digits)
        return text.ready(self.others(value))


@cython.final
cdef class Text:
    """JSON that grows."""
    cdef uint8_t *data
    cdef int64_t size, room
    cdef int32_t depth

    def __dealloc__(self):
        free(self.data)

    cdef bytes bytes(self):
        return PyBytes_FromStringAndSize(<char *>self.data, self.size)

    cdef int deeper(self) except -1:
        """Count a list or a dict within others."""
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise RecursionError(f"values are nested more than {MOST_DEPTH} levels deep")
        return 0

    cdef inline int more(self, int64_t length) except -1:
        """Make room for so many bytes more."""
        if self.size + length > self.room:
            reserve(<void **>&self.data, &self.room, self.size + length, 1)
        return 0

    cdef inline int add(self, char character) except -1:
        self.more(1)
        self.data[self.size] = character
        self.size += 1
        return 0

    cdef inline int raw(self, const char *letters, int64_t length) except -1:
        self.more(length)
        memcpy(self.data + self.size, letters, length)
        self.size += length
        return 0

    cdef int copy(self, int64_t start, int64_t end) except -1:
        """What is written there, once more."""
        self.more(end - start)
        memcpy(self.data + self.size, self.data + start, end - start)
        self.size += end - start
        return 0

    cdef int ready(self, bytes json) except -1:
        """JSON that is written already."""
        return self.raw(PyBytes_AS_STRING(json), PyBytes_GET_SIZE(json))

    cdef int ascii(self, str letters) except -1:
        """Digits."""
        return self.raw(<const char *>PyUnicode_DATA(letters), PyUnicode_GET_LENGTH(letters))

    cdef int number(self, int64_t number) except -1:
        cdef char digits[20]
        cdef int at = 20
        cdef uint64_t left = <uint64_t>number if number >= 0 else 0 - <uint64_t>number
        while True:
            at -= 1
            digits[at] = <char>(48 + left % 10)
            left //= 10
            if left == 0:
                break
        if number < 0:
            self.add(c"-")
        return self.raw(&digits[at], 20 - at)

    cdef void escaped(self, uint8_t code) noexcept nogil:
        """An ASCII character; there is room for it."""
        cdef uint8_t letter = ESCAPES[code]
        cdef uint8_t *at = self.data + self.size
        if letter == 0:
            at[0] = code
            self.size += 1
            return
        at[0], at[1] = BACKSLASH, letter
        self.size += 2
        if letter == 117:
            at[2] = at[3] = 48
            at[4], at[5] = HEX[code >> 4], HEX[code & 15]
            self.size += 4

    cdef void point(self, uint32_t code) noexcept nogil:
        """A character that is not ASCII, in UTF-8; there is room for it."""
        cdef uint8_t *at = self.data + self.size
        if code < 0x800:
            at[0] = <uint8_t>(0xC0 | code >> 6)
            at[1] = <uint8_t>(0x80 | code & 63)
            self.size += 2
        elif code < 0x10000:
            at[0] = <uint8_t>(0xE0 | code >> 12)
            at[1] = <uint8_t>(0x80 | code >> 6 & 63)
            at[2] = <uint8_t>(0x80 | code & 63)
            self.size += 3
        else:
            at[0] = <uint8_t>(0xF0 | code >> 18)
            at[1] = <uint8_t>(0x80 | code >> 12 & 63)
            at[2] = <uint8_t>(0x80 | code >> 6 & 63)
            at[3] = <uint8_t>(0x80 | code & 63)
            self.size += 4

    cdef int string(self, str string) except -1:
        """A string; UnicodeEncodeError if half of a surrogate pair is in it."""
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(string), k
        cdef int kind = PyUnicode_KIND(string)
        cdef const void *letters = PyUnicode_DATA(string)
        cdef uint32_t code
        self.more(ROOM * length + 2)
        self.data[self.size] = QUOTE
        self.size += 1
        if kind == 1:
            self.latin_letters(<const uint8_t *>letters, length)
        else:
            for k in range(length):
                code = (<const uint16_t *>letters)[k] if kind == 2 else (<const uint32_t *>letters)[k]
                if code < 128:
                    self.escaped(<uint8_t>code)
                elif code & 0xFFFFF800 == 0xD800:
                    string.encode("utf-8")
                else:
                    self.point(code)
        self.data[self.size] = QUOTE
        self.size += 1
        return 0

    cdef void latin_letters(self, const uint8_t *letters, int64_t length) noexcept nogil:
        """Characters of one byte each; there is room for them."""
        cdef int64_t k = 0
        cdef uint64_t word
        while k < length:
            if k + 8 <= length:
                word = eight_bytes(letters + k)
                if is_plain(word):
                    memcpy(self.data + self.size, &word, 8)
                    self.size += 8
                    k += 8
                    continue
            elif length >= 8 and is_plain(eight_bytes(letters + length - 8)):
                # The last of them, with some that have been written already.
                memcpy(self.data + self.size, letters + k, length - k)
                self.size += length - k
                return
            if letters[k] < 128:
                self.escaped(letters[k])
            else:
                self.point(letters[k])
            k += 1

    cdef int shown(self, const unsigned char *letters, int64_t length) except -1:
        """Text of a page, as a string: `joined` of `fastwrap.page.arrays` says what it says."""
        cdef int64_t start
        cdef bint is_valid
        self.more(ROOM * length + 2)
        start = self.size
        if length < LONG_TEXT:
            is_valid = self.letters(letters, length)
        else:
            with nogil:
                is_valid = self.letters(letters, length)
        if not is_valid:
            self.size = start
            said = (<const char *>letters)[:length].replace(b"\xff", b"").decode("utf-8", "replace")
            return self.string(said)
        return 0

    cdef bint letters(self, const unsigned char *letters, int64_t length) noexcept nogil:
        """Whether it is UTF-8, and written; there is room for it."""
        cdef int64_t k = 0
        cdef uint64_t word
        cdef int32_t bytes_of
        self.data[self.size] = QUOTE
        self.size += 1
        while k < length:
            if k + 8 <= length:
                word = eight_bytes(letters + k)
                if is_plain(word):
                    memcpy(self.data + self.size, &word, 8)
                    self.size += 8
                    k += 8
                    continue
            if letters[k] < 128:
                self.escaped(letters[k])
                k += 1
            elif letters[k] == TOUCHES:
                k += 1
            else:
                bytes_of = length_of_sequence(letters + k, length - k)
                if bytes_of == 0:
                    return False
                memcpy(self.data + self.size, letters + k, bytes_of)
                self.size += bytes_of
                k += bytes_of
        self.data[self.size] = QUOTE
        self.size += 1
        return True
