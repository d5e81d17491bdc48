"""Whether data may have a day as ISO 8601 writes it: told from the bytes of a page, before any of it is decoded.
One search for dashes, and a look at what is around each."""

from libc.stddef cimport size_t
from libc.string cimport memchr

cdef enum:
    DASH = 45
    BACKSLASH = 92
    TOUCHES = 0xFF          # between texts of which the next one goes on


cdef inline bint is_digit(unsigned char c) noexcept nogil:
    return 48 <= c <= 57


cdef inline bint are_digits(const unsigned char *data, Py_ssize_t at, Py_ssize_t size, int count,
                            int step) noexcept nogil:
    """Whether so many digits follow each other from a place on, forwards or backwards."""
    while count:
        if not 0 <= at < size:
            return False
        if is_digit(data[at]):
            count -= 1
        elif data[at] != TOUCHES:
            return False
        at += step
    return True


cdef inline Py_ssize_t behind(const unsigned char *data, Py_ssize_t at, Py_ssize_t size, int count) noexcept nogil:
    """The place behind so many digits, which are there."""
    while count:
        count -= is_digit(data[at])
        at += 1
    while at < size and data[at] == TOUCHES:
        at += 1
    return at


cdef inline bint begins_day(const unsigned char *data, Py_ssize_t dash, Py_ssize_t size) noexcept nogil:
    """Whether four digits are before a dash, and a month, a dash and a day behind it."""
    cdef Py_ssize_t second
    if not are_digits(data, dash - 1, size, 4, -1) or not are_digits(data, dash + 1, size, 2, 1):
        return False
    second = behind(data, dash + 1, size, 2)
    return second < size and data[second] == DASH and are_digits(data, second + 1, size, 2, 1)


cdef inline bint is_hidden(const unsigned char *data, Py_ssize_t at, Py_ssize_t size) noexcept nogil:
    """Whether an escape stands for a dash or a digit: those of JSON, and of JavaScript in hexadecimal and octal."""
    cdef Py_ssize_t code = at + 2
    if at + 1 >= size:
        return False
    if 48 <= data[at + 1] <= 55:
        return True
    if data[at + 1] == c"u":
        if at + 3 >= size or data[at + 2] == c"{":
            return at + 2 < size and data[at + 2] == c"{"
        if data[at + 2] != 48 or data[at + 3] != 48:
            return False
        code = at + 4
    elif data[at + 1] != c"x":
        return False
    if code + 1 >= size:
        return False
    return is_digit(data[code + 1]) if data[code] == 51 else data[code] == 50 and data[code + 1] | 32 == c"d"


cdef bint search(const unsigned char *data, Py_ssize_t size, unsigned char sign) noexcept nogil:
    """Whether any dash begins a day, or any backslash hides a part of one."""
    cdef const unsigned char *found = data
    cdef Py_ssize_t at = 0
    while at < size:
        found = <const unsigned char *>memchr(data + at, sign, <size_t>(size - at))
        if found == NULL:
            return False
        at = found - data
        if begins_day(data, at, size) if sign == DASH else is_hidden(data, at, size):
            return True
        at += 1
    return False


def may_have_days(bytes data not None):
    """Whether there may be a day in some bytes; see `days.pyi`."""
    cdef const unsigned char *start = data
    cdef Py_ssize_t size = len(data)
    cdef bint found
    with nogil:
        found = search(start, size, DASH) or search(start, size, BACKSLASH)
    return found
