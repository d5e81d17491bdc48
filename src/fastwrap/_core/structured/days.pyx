"""Which days of months data may have as ISO 8601 writes them: told from the bytes of a page, before they are decoded.
One search for dashes, and a look at what is around each."""

from libc.stddef cimport size_t
from libc.string cimport memchr

from libc.stdint cimport uint32_t

cdef enum:
    DASH = 45
    BACKSLASH = 92
    TOUCHES = 0xFF          # between texts of which the next one goes on
    ALL_DAYS = 0xFFFFFFFE


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


cdef inline uint32_t day_at(const unsigned char *data, Py_ssize_t dash, Py_ssize_t size) noexcept nogil:
    """The bit of the day, if four digits are before a dash, and a month, a dash and a day behind it; else 0."""
    cdef Py_ssize_t at
    cdef int day = 0, digits = 0
    if not are_digits(data, dash - 1, size, 4, -1) or not are_digits(data, dash + 1, size, 2, 1):
        return 0
    at = behind(data, dash + 1, size, 2)
    if at >= size or data[at] != DASH or not are_digits(data, at + 1, size, 2, 1):
        return 0
    while digits < 2:
        at += 1
        if is_digit(data[at]):
            day = 10 * day + data[at] - 48
            digits += 1
    return <uint32_t>1 << day if 1 <= day <= 31 else 0


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


cdef uint32_t search(const unsigned char *data, Py_ssize_t size) noexcept nogil:
    """The bits of all days; all of them if any backslash hides a part of one."""
    cdef const unsigned char *found
    cdef Py_ssize_t at = 0
    cdef uint32_t days = 0
    while at < size:
        found = <const unsigned char *>memchr(data + at, BACKSLASH, <size_t>(size - at))
        if found == NULL:
            break
        at = found - data
        if is_hidden(data, at, size):
            return ALL_DAYS
        at += 1
    at = 0
    while at < size:
        found = <const unsigned char *>memchr(data + at, DASH, <size_t>(size - at))
        if found == NULL:
            break
        at = found - data
        days |= day_at(data, at, size)
        at += 1
    return days


def days_in(bytes data not None):
    """The days that may be in some bytes; see `days.pyi`."""
    cdef const unsigned char *start = data
    cdef Py_ssize_t size = len(data)
    cdef uint32_t found
    with nogil:
        found = search(start, size)
    return found
