"""The amount in a text: a number with its currency, or two of them, from one to the other.
What a regular expression would find (the twin has it), without trying to begin at every character."""

from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from cpython.unicode cimport PyUnicode_GET_LENGTH, PyUnicode_READ_CHAR

cdef extern from "Python.h":
    bint Py_UNICODE_ISSPACE(Py_UCS4 c)
    bint Py_UNICODE_ISDECIMAL(Py_UCS4 c)

cdef str SYMBOLS = "$€£¥₹₽₺₩"
cdef tuple CURRENCIES = ("R$", "US$", "Rs.", "Rs", "BRL", "USD", "EUR", "GBP", "CHF", "PKR", "INR", "kr.", "kr", "zł",
                         "Kč")      # of two that begin or end alike the longer one first, but for US$


cdef inline Py_UCS4 character(str text, Py_ssize_t at):
    """The character at a place; 0 after the end."""
    return PyUnicode_READ_CHAR(text, at) if at < PyUnicode_GET_LENGTH(text) else 0


cdef inline Py_ssize_t after_spaces(str text, Py_ssize_t at):
    while at < PyUnicode_GET_LENGTH(text) and Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(text, at)):
        at += 1
    return at


cdef inline bint has_at(str text, Py_ssize_t at, str word):
    """Whether a word stands at a place, which may be before the beginning."""
    cdef Py_ssize_t k, length = PyUnicode_GET_LENGTH(word)
    if at < 0 or at + length > PyUnicode_GET_LENGTH(text):
        return False
    for k in range(length):
        if PyUnicode_READ_CHAR(text, at + k) != PyUnicode_READ_CHAR(word, k):
            return False
    return True


cdef inline bint is_symbol(Py_UCS4 c):
    cdef Py_ssize_t k
    if c != c"$" and c < 0xA3:
        return False
    for k in range(PyUnicode_GET_LENGTH(SYMBOLS)):
        if PyUnicode_READ_CHAR(SYMBOLS, k) == c:
            return True
    return False


cdef Py_ssize_t after_currency(str text, Py_ssize_t at):
    """Where a currency ends that begins at a place: the place itself if there is none."""
    cdef Py_UCS4 c = character(text, at)
    cdef str currency
    if is_symbol(c):
        return at + 1
    if c < c"B" or c > c"z":
        return at
    for currency in CURRENCIES:
        if has_at(text, at, currency):
            return at + PyUnicode_GET_LENGTH(currency)
    return at


cdef Py_ssize_t before_currency(str text, Py_ssize_t end):
    """Where a currency begins that ends at a place: the place itself if there is none."""
    cdef str currency
    cdef Py_ssize_t length
    if end == 0:
        return 0
    if has_at(text, end - 3, "US$"):
        return end - 3
    for currency in CURRENCIES:
        length = PyUnicode_GET_LENGTH(currency)
        if has_at(text, end - length, currency):
            return end - length
    return end - 1 if is_symbol(PyUnicode_READ_CHAR(text, end - 1)) else end


cdef Py_ssize_t after_number(str text, Py_ssize_t at):
    """Where a number ends: digits, points and commas."""
    cdef Py_UCS4 c
    while at < PyUnicode_GET_LENGTH(text):
        c = PyUnicode_READ_CHAR(text, at)
        if c != c"." and c != c"," and not Py_UNICODE_ISDECIMAL(c):
            break
        at += 1
    return at


cdef Py_ssize_t after_second(str text, Py_ssize_t at):
    """Where the second amount ends after the first one: where that does, if there is none."""
    cdef Py_ssize_t place = after_spaces(text, at)
    cdef Py_UCS4 c = character(text, place)
    if c == c"-" or c == 0x2013:
        place += 1
    elif has_at(text, place, "to"):
        place += 2
    elif has_at(text, place, "bis"):
        place += 3
    else:
        return at
    place = after_spaces(text, after_currency(text, after_spaces(text, place)))
    if not Py_UNICODE_ISDECIMAL(character(text, place)):
        return at
    place = after_number(text, place)
    return after_currency(text, place + Py_UNICODE_ISSPACE(character(text, place)))


cdef bint find_span(str text, Py_ssize_t *start, Py_ssize_t *end):
    """Where the first amount begins and ends, with the white space around it; whether there is one."""
    cdef Py_ssize_t digit = 0, length = PyUnicode_GET_LENGTH(text), after
    while digit < length and not Py_UNICODE_ISDECIMAL(PyUnicode_READ_CHAR(text, digit)):
        digit += 1
    if digit == length:
        return False
    start[0] = digit
    while start[0] and Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(text, start[0] - 1)):
        start[0] -= 1
    start[0] = before_currency(text, start[0])
    end[0] = after_number(text, digit)
    after = end[0] + Py_UNICODE_ISSPACE(character(text, end[0]))
    if after_currency(text, after) > after:
        end[0] = after_currency(text, after)
    end[0] = after_second(text, end[0])
    return True


def amount_span(str text not None):
    """Where the first amount in a text is; see `amounts.pyi`."""
    cdef Py_ssize_t start, end
    return (start, end) if find_span(text, &start, &end) else None


cdef object amount(object cell):
    """The amount in a text; what is no text, or has none, as it is."""
    cdef Py_ssize_t start, end
    if type(cell) is not str or not find_span(<str>cell, &start, &end):
        return cell
    if start == 0 and end == PyUnicode_GET_LENGTH(<str>cell) and not Py_UNICODE_ISSPACE(
            PyUnicode_READ_CHAR(<str>cell, 0)) and not Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(<str>cell, end - 1)):
        return cell
    return (<str>cell)[start:end].strip()


def amount_in(cell):
    """The amount in the cell of a table; see `amounts.pyi`."""
    return amount(cell)


def trim_amounts(list rows not None, Py_ssize_t column):
    """Leave the amounts alone in a column; see `amounts.pyi`."""
    cdef Py_ssize_t k
    cdef list row
    for k in range(PyList_GET_SIZE(rows)):
        row = <list?>rows[k]
        if not 0 <= column < PyList_GET_SIZE(row):
            raise IndexError("there is no such column")
        row[column] = amount(<object>PyList_GET_ITEM(row, column))
