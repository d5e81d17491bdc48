"""Numbers of a column: the one number of each string and what stands around it, and the values that they are.
A number is digits with single separators (point, comma, space, apostrophe) between them."""

cimport cython
from cpython.list cimport PyList_GET_SIZE
from cpython.object cimport PyObject, PyTypeObject
from cpython.unicode cimport PyUnicode_Substring
from libc.string cimport memcmp

from fastwrap._core.common.characters cimport (
    Py_UNICODE_ISALPHA, PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ_CHAR, character, is_digit,
    uint8_t, uint16_t, uint32_t,
)

cpdef enum:
    # The shape of a number: which separators it has, and what they do.
    DECIMAL_POINT = 1
    DECIMAL_COMMA = 2
    GROUP_POINT = 4
    GROUP_COMMA = 8
    GROUP_SPACE = 16
    GROUP_APOSTROPHE = 32
    EITHER_POINT = 64       # 1.234: it may be either
    EITHER_COMMA = 128
    NO_NUMBER = 256

cdef enum:
    LONGEST_SIDE = 40       # characters before and after a number


cdef struct NumberSpan:
    # Where the number of a string is, and how it is written.
    Py_ssize_t start
    Py_ssize_t end
    int shape
    Py_ssize_t width  # digits, if it has no separator; else 0


cdef inline int separator_bit(uint32_t c) noexcept:
    """The group bit of a separator; 0 if it is none."""
    if c == 46:
        return GROUP_POINT
    if c == 44:
        return GROUP_COMMA
    if c == 32:
        return GROUP_SPACE
    if c == 39 or c == 0x2019:
        return GROUP_APOSTROPHE
    return 0


cdef bint find_number(const character *text, Py_ssize_t size, NumberSpan *span) noexcept:
    """The one number of a string, runs of digits with one separator between two of them; False if it has none."""
    cdef Py_ssize_t start = 0, end, i, separators = 0, run = 0, first_run = 0, last_run = 0
    cdef int bit, last_bit = 0, bits_before = 0
    cdef bint threes = True, twos = True, may_have_groups
    while start < size and not is_digit(text[start]):
        start += 1
    if start == size or start > LONGEST_SIDE + 1:
        return False
    end = start
    while end < size:
        if is_digit(text[end]):
            run += 1
            end += 1
            continue
        bit = separator_bit(text[end])
        if bit == 0 or end + 1 >= size or not is_digit(text[end + 1]):
            break
        if separators == 0:
            first_run = run
        elif separators > 1:
            threes = threes and last_run == 3
            twos = twos and last_run == 2
        separators += 1
        bits_before |= last_bit
        last_bit, last_run = bit, run
        run = 0
        end += 1
    if size - end > LONGEST_SIDE:
        return False
    for i in range(end, size):
        if is_digit(text[i]):
            return False
    span.start, span.end, span.width, span.shape = start, end, 0, NO_NUMBER
    may_have_groups = first_run <= 3 and text[start] != 48
    if separators == 0:
        span.width, span.shape = run, 0
    elif separators == 1 and last_bit <= GROUP_COMMA:
        if run == 3 and may_have_groups:
            span.shape = EITHER_POINT if last_bit == GROUP_POINT else EITHER_COMMA
        else:
            span.shape = DECIMAL_POINT if last_bit == GROUP_POINT else DECIMAL_COMMA
    elif separators == 1 or bits_before == last_bit:
        threes = threes and (separators == 1 or last_run == 3)
        twos = last_bit == GROUP_COMMA and twos and last_run == 2
        if may_have_groups and run == 3 and (threes or twos):
            span.shape = last_bit
    elif last_bit <= GROUP_COMMA and bits_before & (bits_before - 1) == 0:
        # The last separator is a decimal sign, the others make groups.
        if may_have_groups and last_run == 3 and (threes or (twos and bits_before == GROUP_COMMA)):
            span.shape = bits_before | (DECIMAL_POINT if last_bit == GROUP_POINT else DECIMAL_COMMA)
    return True


cdef bint find_number_in(str string, NumberSpan *span) noexcept:
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(string)
    cdef int kind = PyUnicode_KIND(string)
    if kind == 1:
        return find_number(<const uint8_t *>PyUnicode_DATA(string), size, span)
    if kind == 2:
        return find_number(<const uint16_t *>PyUnicode_DATA(string), size, span)
    return find_number(<const uint32_t *>PyUnicode_DATA(string), size, span)


cdef bint same_around(str one, const NumberSpan *number, str other, const NumberSpan *other_number) noexcept:
    """Whether two strings have the same before and after their numbers."""
    cdef int kind = PyUnicode_KIND(one)
    cdef Py_ssize_t after = PyUnicode_GET_LENGTH(one) - number.end
    cdef const uint8_t *text = <const uint8_t *>PyUnicode_DATA(one)
    cdef const uint8_t *other_text = <const uint8_t *>PyUnicode_DATA(other)
    return (
        number.start == other_number.start
        and after == PyUnicode_GET_LENGTH(other) - other_number.end
        and kind == PyUnicode_KIND(other)
        and memcmp(text, other_text, number.start * kind) == 0
        and memcmp(text + number.end * kind, other_text + other_number.end * kind, after * kind) == 0
    )


cpdef split_numbers(list strings, Py_ssize_t most_missed):
    """The one number of each string and what stands around it; see `numbers.pyi`."""
    cdef list around = [], places = [], numbers = [], shapes = []
    cdef dict place_of = {}
    cdef Py_ssize_t missed = 0, place = -1
    cdef int all_shapes = 0
    cdef unsigned int widths = 0
    cdef NumberSpan span, before
    cdef str string, number, last = None
    cdef Py_UCS4 sign
    cdef tuple key
    for string in strings:
        if string is None:
            raise TypeError("a string is None")
        if not find_number_in(string, &span):
            missed += 1
            if missed > most_missed:
                return None
            places.append(-1)
            numbers.append("")
            shapes.append(NO_NUMBER)
            continue
        number = PyUnicode_Substring(string, span.start, span.end)
        if span.width:
            sign = PyUnicode_READ_CHAR(string, span.start - 1) if span.start else 0
            if (sign == 46 or sign == 44) and not (
                span.start >= 2 and Py_UNICODE_ISALPHA(PyUnicode_READ_CHAR(string, span.start - 2))
            ):
                # .99 is 0.99
                span.start -= 1
                number = "0" + chr(sign) + number
                span.shape = DECIMAL_POINT if sign == 46 else DECIMAL_COMMA
            else:
                widths |= <unsigned int>1 << min(span.width, 31)
                if span.width > 1 and PyUnicode_READ_CHAR(string, span.start) == 48:
                    widths |= 1
        all_shapes |= span.shape
        # Most strings have the same around their number as the one before them.
        if last is None or not same_around(string, &span, last, &before):
            key = (PyUnicode_Substring(string, 0, span.start),
                   PyUnicode_Substring(string, span.end, PyUnicode_GET_LENGTH(string)))
            place = place_of.setdefault(key, PyList_GET_SIZE(around))
            if place == PyList_GET_SIZE(around):
                around.append(key)
        last, before = string, span
        places.append(place)
        numbers.append(number)
        shapes.append(span.shape)
    return around, places, numbers, shapes, all_shapes, widths, missed


@cython.final
cdef class NumberStyle:
    """How the numbers of a column become values; see `numbers.pyi`."""

    cdef str group
    cdef bint comma
    cdef object convert
    cdef list scales
    cdef type money
    cdef list currencies

    def __init__(self, str group, bint comma, convert not None, list scales not None, type money,
                 list currencies not None):
        if money is not None and not issubclass(money, tuple):
            raise TypeError("money is no named tuple")
        if PyList_GET_SIZE(scales) != PyList_GET_SIZE(currencies):
            raise ValueError("there are not as many scales as currencies")
        self.group, self.comma, self.convert = group, comma, convert
        self.scales, self.money, self.currencies = scales, money, currencies

    def values(self, list numbers not None, list places not None):
        """The values of numbers; see `numbers.pyi`."""
        cdef list values = [None] * PyList_GET_SIZE(numbers)
        cdef Py_ssize_t i, place
        cdef long scale
        cdef tuple arguments
        if PyList_GET_SIZE(numbers) != PyList_GET_SIZE(places):
            raise ValueError("there are not as many places as numbers")
        for i in range(PyList_GET_SIZE(numbers)):
            place = places[i]
            if place >= PyList_GET_SIZE(self.scales):
                raise IndexError("a place has no scale")
            scale = self.scales[place] if place >= 0 else 0
            if scale == 0:
                continue
            value = self.convert(normalised(numbers[i], self.group, self.comma))
            if scale != 1:
                value = scale * value
            if self.money is not None:
                # What the call of a named tuple gives, without Python code.
                arguments = ((value, self.currencies[place]),)
                value = (<PyTypeObject *>tuple).tp_new(self.money, <PyObject *>arguments, NULL)
            values[i] = value
        return values


cdef str normalised(str number, str group, bint comma):
    """A number without groups, and with a decimal point."""
    if group is not None:
        number = number.replace(group, "")
        if group == "'":
            number = number.replace("’", "")
    return number.replace(",", ".") if comma else number
