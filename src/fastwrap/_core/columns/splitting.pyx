"""Takes texts apart by a rule: what is cut from both ends, then the separator, then how each part is taken apart.
Wrappers do it to every text of a column, on every page; and what many texts have in common, to find such a rule."""

from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from cpython.unicode cimport (
    PyUnicode_Compare, PyUnicode_FindChar, PyUnicode_GET_LENGTH, PyUnicode_READ_CHAR, PyUnicode_Split,
)

cdef extern from "Python.h":
    bint Py_UNICODE_ISSPACE(Py_UCS4 c)

cdef str MARKS = "-–—:|·•»"     # LEFT_OVER_MARKS of `fastwrap.columns.splitting`


cdef bint may_have_date(str text):
    """Whether a text has a comma, a space and a digit: most texts are told by it to have no date with a comma."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
    cdef Py_ssize_t at = PyUnicode_FindChar(text, c",", 0, length, 1)
    while 0 <= at < length - 2:
        if PyUnicode_READ_CHAR(text, at + 1) == c" " and c"0" <= PyUnicode_READ_CHAR(text, at + 2) <= c"9":
            return True
        at = PyUnicode_FindChar(text, c",", at + 1, length, 1)
    return False


cdef str stripped(str text):
    """A text without white space at its ends: most have none."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
    if length and not Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(text, 0)) and not Py_UNICODE_ISSPACE(
            PyUnicode_READ_CHAR(text, length - 1)):
        return text
    return text.strip()


cdef list pieces_of(str text, str separator, split_dated):
    """What is between separators. `split_dated` is asked where a date may have them; None if none has."""
    if split_dated is not None and may_have_date(text):
        return split_dated(separator, text)
    return PyUnicode_Split(text, separator, -1)


def parted(list texts not None, str separator not None, split_dated):
    """What is between separators in most texts, as columns; see `splitting.pyi`."""
    cdef list split = [], columns = [], pieces, column
    cdef dict times = {}
    cdef Py_ssize_t usual = 0, agreeing = 0, place, i
    cdef str text
    for text in texts:
        pieces = pieces_of(text, separator, split_dated)
        split.append(pieces)
        times[PyList_GET_SIZE(pieces)] = times.get(PyList_GET_SIZE(pieces), 0) + 1
    for count, number in times.items():
        if number > agreeing:
            usual, agreeing = count, number
    for place in range(usual):
        column = []
        for i in range(PyList_GET_SIZE(split)):
            pieces = <list>PyList_GET_ITEM(split, i)
            if PyList_GET_SIZE(pieces) == usual:
                column.append(stripped(<str>PyList_GET_ITEM(pieces, place)))
        columns.append(column)
    return agreeing, columns


def extremes(list texts not None):
    """The first and the last of texts in the order of their characters, and how much both begin with; see
    `splitting.pyi`."""
    cdef str text, least = None, most = None
    cdef Py_ssize_t shared = 0, length
    for text in texts:
        if least is None:
            least = most = text
        elif PyUnicode_Compare(text, least) < 0:
            least = text
        elif PyUnicode_Compare(text, most) > 0:
            most = text
    if least is None:
        raise ValueError("there are no texts")
    length = min(PyUnicode_GET_LENGTH(least), PyUnicode_GET_LENGTH(most))
    while shared < length and PyUnicode_READ_CHAR(least, shared) == PyUnicode_READ_CHAR(most, shared):
        shared += 1
    return least, most, shared


cdef class Splitter:
    """A rule, ready to take texts apart; see `splitting.pyi`."""
    cdef str prefix, suffix, separator
    cdef tuple parts
    cdef Py_ssize_t width
    cdef bint is_plain
    cdef object split_dated     # splits texts that may have dates; None where the separator is no part of dates
    cdef object tidied          # a text without the marks at its beginning

    def __init__(self, tuple ends not None, str separator not None, tuple parts not None, split_dated, tidied not None):
        cdef Splitter part
        self.prefix, self.suffix = ends
        if self.prefix is None or self.suffix is None:
            raise TypeError("what is cut from a text is a str")
        self.separator, self.parts = separator, parts
        self.split_dated, self.tidied = split_dated, tidied
        self.is_plain = not (self.prefix or self.suffix or parts)
        self.width = 0 if parts else 1
        for part in parts:
            if part is None:
                raise TypeError("a part of a rule is a Splitter")
            self.width += part.width

    def apply(self, str text not None):
        """The values of a text; see `splitting.pyi`."""
        cdef list values = []
        self.add(text, values)
        return values

    def columns(self, list texts not None):
        """The values of texts, column by column; see `splitting.pyi`."""
        cdef list values, found = [[] for _ in range(self.width)]
        cdef str text
        cdef Py_ssize_t place
        for text in texts:
            values = []
            self.add(text, values)
            for place in range(self.width):
                (<list>PyList_GET_ITEM(found, place)).append(<object>PyList_GET_ITEM(values, place))
        return found

    cdef int add(self, str text, list values) except -1:
        """Add the values of a text."""
        cdef list pieces
        cdef Splitter part
        cdef Py_ssize_t place
        if self.prefix or self.suffix:
            text = text.removeprefix(self.prefix).removesuffix(self.suffix)
        text = stripped(text)
        if not self.parts:
            if self.prefix and text and text[0] in MARKS:
                text = self.tidied(text)
            values.append(text or None)
            return 0
        pieces = pieces_of(text, self.separator, self.split_dated)
        if len(pieces) != len(self.parts):
            values.append(text or None)
            values.extend([None] * (self.width - 1))
            return 0
        for place in range(len(pieces)):
            part = self.parts[place]
            text = stripped(<str>pieces[place])
            if part.is_plain:
                values.append(text or None)
            else:
                part.add(text, values)
        return 0
