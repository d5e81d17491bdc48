"""Columns of plain numeric dates: what they show of the order of day and month, and their values once it is decided.
Twice over the characters, which costs less than to keep what was read."""

from cpython.datetime cimport date_new, datetime_new, import_datetime, timedelta_new, timezone_new
from libc.string cimport memset

from fastwrap._core.common.characters cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_IS_ASCII, is_digit, uint8_t,
)

import_datetime()

cdef enum:
    FIRST_YEAR = 1000
    LAST_YEAR = 2199
    EARLIEST_OF_TWO = 69    # the first year of two digits that is in the twentieth century (POSIX)
    MINUTES = 24 * 60
    WIDEST_FRACTION = 9     # digits of a second's fraction, ...
    WIDEST_MICROSECONDS = 6     # ... of which so many count

    # What a string has besides its date.
    NOTHING = 0
    CLOCK = 1
    ZONED = 2

ORDERS = {"dmy": (2, 1, 0), "mdy": (2, 0, 1), "ymd": (0, 1, 2)}
"""By order, which of the three numbers are the year, the month and the day."""


cdef struct DatePart:
    int value
    int width       # digits


cdef struct Moment:
    # The numbers of a date in the order in which they are written, and those of the time after it.
    DatePart parts[3]
    uint8_t separator
    Py_ssize_t end  # of the date
    int form
    int hour
    int minute
    int seconds
    int microseconds
    int offset      # minutes that the zone is before UTC


cdef inline bint take(const uint8_t *text, Py_ssize_t *at, int most, DatePart *number) noexcept:
    """Read all digits from here on. False if there are none, or more than `most`."""
    number.value = number.width = 0
    while is_digit(text[at[0]]):
        if number.width == most:
            return False
        number.value = 10 * number.value + text[at[0]] - 48
        number.width += 1
        at[0] += 1
    return number.width > 0


cdef inline bint take_two(const uint8_t *text, Py_ssize_t *at, int *value) noexcept:
    """Read two digits, whatever comes after them."""
    if not is_digit(text[at[0]]) or not is_digit(text[at[0] + 1]):
        return False
    value[0] = 10 * (text[at[0]] - 48) + text[at[0] + 1] - 48
    at[0] += 2
    return True


cdef bint take_clock(const uint8_t *text, Py_ssize_t *at, Moment *moment) noexcept:
    """Read a time of day with its zone: 9:30, 09:30:15.25Z, 09:30 +01:00."""
    cdef DatePart number
    cdef int hours, minutes
    cdef bint behind
    if not take(text, at, 2, &number) or number.value > 23 or text[at[0]] != 58:
        return False
    at[0] += 1
    moment.hour = number.value
    if not take_two(text, at, &moment.minute) or moment.minute > 59:
        return False
    if text[at[0]] == 58:
        at[0] += 1
        if not take_two(text, at, &moment.seconds) or moment.seconds > 59:
            return False
        if text[at[0]] == 46 or text[at[0]] == 44:
            at[0] += 1
            if not take(text, at, WIDEST_FRACTION, &number):
                return False
            while number.width < WIDEST_MICROSECONDS:
                number.value *= 10
                number.width += 1
            while number.width > WIDEST_MICROSECONDS:
                number.value //= 10
                number.width -= 1
            moment.microseconds = number.value
    moment.form = CLOCK
    if text[at[0]] == 0:
        return True
    if text[at[0]] == 32:
        at[0] += 1
    moment.form = ZONED
    if text[at[0]] == 90:
        at[0] += 1
        return True
    behind = text[at[0]] == 45
    if not behind and text[at[0]] != 43:
        return False
    at[0] += 1
    if not take_two(text, at, &hours):
        return False
    if text[at[0]] == 58:
        at[0] += 1
    if not take_two(text, at, &minutes):
        return False
    moment.offset = 60 * hours + minutes
    if moment.offset >= MINUTES:
        return False
    if behind:
        moment.offset = -moment.offset
    return True


cdef bint read(str string, Moment *moment) except -1:
    """Read a string that is a numeric date, with at most a time after it. False if it is anything else."""
    if string is None:
        raise TypeError("a string of a column is None")
    if not PyUnicode_IS_ASCII(string):
        return False
    # There is a zero after the last character, which ends every number.
    cdef const uint8_t *text = <const uint8_t *>PyUnicode_DATA(string)
    cdef Py_ssize_t at = 0
    cdef int i, width, last_width
    cdef bint spaced
    memset(moment, 0, sizeof(Moment))
    if not take(text, &at, 4, &moment.parts[0]) or text[at] < 45 or text[at] > 47:
        return False
    moment.separator = text[at]
    spaced = text[at] == 46 and text[at + 1] == 32
    for i in range(1, 3):
        if text[at] != moment.separator or (spaced and text[at + 1] != 32):
            return False
        at += 2 if spaced else 1
        if not take(text, &at, 2 if i == 1 else 4, &moment.parts[i]):
            return False
    width, last_width = moment.parts[0].width, moment.parts[2].width
    if width == 3 or (last_width > 2 if width == 4 else last_width != 2 and last_width != 4):
        return False
    moment.end = at
    if text[at] == 84 or text[at] == 32:
        at += 1
        if not take_clock(text, &at, moment):
            return False
    return at == PyUnicode_GET_LENGTH(string)


def survey(list strings not None):
    """What dates show of their order; see `dates.pyi`."""
    cdef Moment moment
    cdef DatePart first, second, third
    cdef int form = NOTHING, largest_first = -1, largest_second = -1
    cdef bint year_first = False, equal = True, two_digits = True, full_stops = True, versions = False
    cdef str string, example = None, example_of_first = None, example_of_second = None
    for string in strings:
        if not read(string, &moment):
            return None
        first, second, third = moment.parts[0], moment.parts[1], moment.parts[2]
        if example is None:
            example, form, year_first = string[:moment.end], moment.form, first.width == 4
        elif moment.form != form or (first.width == 4) != year_first:
            return None
        if year_first:
            continue
        if first.value > largest_first:
            largest_first, example_of_first = first.value, string[:moment.end]
        if second.value > largest_second:
            largest_second, example_of_second = second.value, string[:moment.end]
        equal = equal and first.value == second.value
        two_digits = two_digits and third.width == 2
        full_stops = full_stops and moment.separator == 46
        versions = versions or (third.width == 2 and moment.separator != 47 and first.width + second.width < 4)
    if example is None:
        return None
    return form != NOTHING, None if year_first else (
        largest_first, example_of_first, largest_second, example_of_second, example,
        equal, two_digits, full_stops, versions,
    )


def values(list strings not None, str order not None):
    """The dates that strings are; see `dates.pyi`."""
    cdef Moment moment
    cdef DatePart year, month, day
    cdef int year_at, month_at, day_at, full_year, offset = 0, missed = 0
    cdef list dates = []
    cdef str string
    zone = None
    year_at, month_at, day_at = ORDERS[order]
    for string in strings:
        if not read(string, &moment):
            raise ValueError("a string is no numeric date")
        year, month, day = moment.parts[0], moment.parts[1], moment.parts[2]
        if year.width < 4:
            year, month, day = moment.parts[year_at], moment.parts[month_at], moment.parts[day_at]
        full_year = year.value
        if year.width <= 2:
            full_year += 1900 if full_year >= EARLIEST_OF_TWO else 2000
        if moment.form == ZONED and (zone is None or moment.offset != offset):
            offset = moment.offset
            zone = timezone_new(timedelta_new(0, 60 * offset, 0))
        value = None
        if FIRST_YEAR <= full_year <= LAST_YEAR:
            try:
                value = date_new(full_year, month.value, day.value) if moment.form == NOTHING else datetime_new(
                    full_year, month.value, day.value, moment.hour, moment.minute, moment.seconds, moment.microseconds,
                    zone if moment.form == ZONED else None, 0,
                )
            except ValueError:
                pass  # there is no such day
        missed += value is None
        dates.append(value)
    return dates, missed
