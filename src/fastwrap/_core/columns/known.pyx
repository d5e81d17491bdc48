"""What is known of a column while it is named: its texts, what stands around them, and what can be counted in them.
What is counted is counted when it is first asked for: most columns are asked for little."""

cimport cython
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from cpython.unicode cimport PyUnicode_Check

from fastwrap._core.common.characters cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, Py_UNICODE_ISALPHA, character, is_digit, uint8_t, uint16_t,
    uint32_t,
)

cdef extern from "Python.h":
    bint Py_UNICODE_ISDIGIT(Py_UCS4 character) noexcept

cdef enum:
    POINT = 46
    SPACE = 32


cdef bint has_digit(const character *text, Py_ssize_t length) noexcept:
    cdef Py_ssize_t i
    for i in range(length):
        if is_digit(text[i]) or (text[i] > 127 and Py_UNICODE_ISDIGIT(text[i])):
            return True
    return False


cdef Py_ssize_t letters_in(const character *text, Py_ssize_t length) noexcept:
    cdef Py_ssize_t i, found = 0
    for i in range(length):
        if text[i] < 128:
            found += 97 <= (text[i] | 32) <= 122
        else:
            found += Py_UNICODE_ISALPHA(text[i])
    return found


cdef inline bint text_has_digit(object text) noexcept:
    cdef const void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
    if PyUnicode_KIND(text) == 1:
        return has_digit(<const uint8_t *>data, length)
    if PyUnicode_KIND(text) == 2:
        return has_digit(<const uint16_t *>data, length)
    return has_digit(<const uint32_t *>data, length)


cdef inline Py_ssize_t text_letters(object text) noexcept:
    cdef const void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
    if PyUnicode_KIND(text) == 1:
        return letters_in(<const uint8_t *>data, length)
    if PyUnicode_KIND(text) == 2:
        return letters_in(<const uint16_t *>data, length)
    return letters_in(<const uint32_t *>data, length)


cdef bint has_point(const character *text, Py_ssize_t length) noexcept:
    """Whether there is a point within a text, not only at its ends, and no space."""
    cdef Py_ssize_t first = 0, last = length - 1, i
    cdef bint found = False
    while first < length and text[first] == POINT:
        first += 1
    while last > first and text[last] == POINT:
        last -= 1
    for i in range(first, last):
        found = found or text[i] == POINT
    for i in range(length):
        if text[i] == SPACE:
            return False
    return found


cdef inline bint text_has_point(object text) noexcept:
    cdef const void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
    if PyUnicode_KIND(text) == 1:
        return has_point(<const uint8_t *>data, length)
    if PyUnicode_KIND(text) == 2:
        return has_point(<const uint16_t *>data, length)
    return has_point(<const uint32_t *>data, length)


@cython.final
cdef class Words:
    """The words and expressions by which columns are named; see `known.pyi`."""

    def __init__(self, given):
        self.given = given
        self.name, self.unique, self.money = given.name, given.unique, given.money
        self.is_person, self.is_joined, self.without_reply = given.is_person, given.is_joined, given.without_reply
        self.leads_to_somebody, self.role_of_words = given.leads_to_somebody, given.role_of_words
        self.telling_word, self.phrase_of, self.tidy = given.telling_word, given.phrase_of, given.tidy
        self.units_in, self.is_currency, self.labels_of = given.units_in, given.is_currency, given.labels_of
        self.header_names = given.header_names
        self.attribute_names, self.type_roles = given.attribute_names, given.type_roles
        self.said_better, self.telling, self.named = given.said_better, given.telling, given.named
        self.particles, self.by, self.counted = given.particles, given.by, given.counted
        self.naming_attributes = given.naming_attributes
        self.said = {}


@cython.final
cdef class Known:
    """What is known of a column; see `known.pyi`."""

    def __init__(self, list texts not None, list values not None, str type not None, Py_ssize_t records,
                 Py_ssize_t held):
        for text in texts:
            if not PyUnicode_Check(text):
                raise TypeError("texts are strings")
        self.held = held
        self.fill(texts, values, type, records)

    cdef int fill(self, list texts, list values, str type, Py_ssize_t records) except -1:
        """Take what is known from the beginning; texts are strings."""
        cdef Py_ssize_t i
        self.texts, self.values, self.type, self.records = texts, values, type, records
        self.label = self.relation = self.role = ""
        self._different = -1
        self._digits = self._points = self._letters = -1.0
        self.characters = 0
        for i in range(PyList_GET_SIZE(texts)):
            self.characters += PyUnicode_GET_LENGTH(<object>PyList_GET_ITEM(texts, i))
        return 0

    cdef double length(self) noexcept:
        """Characters of the texts on average."""
        return <double>self.characters / max(1, PyList_GET_SIZE(self.texts))

    cdef double length_of_cells(self) noexcept:
        """Characters of what a record has, on average: of a list, all of it."""
        return <double>self.characters / max(1, self.held)

    cdef Py_ssize_t different(self) except -1:
        """How many texts there are that differ."""
        if self._different < 0:
            self._different = len(set(self.texts))
        return self._different

    cdef double digits(self) noexcept:
        """The share of texts with a digit."""
        cdef Py_ssize_t i, found = 0, count = PyList_GET_SIZE(self.texts)
        if self._digits < 0:
            for i in range(count):
                found += text_has_digit(<object>PyList_GET_ITEM(self.texts, i))
            self._digits = <double>found / max(1, count)
        return self._digits

    cdef double points(self) noexcept:
        """The share of texts with a point within them, and no space."""
        cdef Py_ssize_t i, found = 0, count = PyList_GET_SIZE(self.texts)
        if self._points < 0:
            for i in range(count):
                found += text_has_point(<object>PyList_GET_ITEM(self.texts, i))
            self._points = <double>found / max(1, count)
        return self._points

    cdef double letters(self) noexcept:
        """The share of letters."""
        cdef Py_ssize_t i, found = 0
        if self._letters < 0:
            for i in range(PyList_GET_SIZE(self.texts)):
                found += text_letters(<object>PyList_GET_ITEM(self.texts, i))
            self._letters = <double>found / max(1, self.characters)
        return self._letters
