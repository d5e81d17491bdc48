"""The strings of columns, cleaned, and the first look at them: what may be read in them, and what may not.
Texts, integers and simple links need no reader: they are most of what a page has, and cost one call per table."""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.list cimport PyList_GET_SIZE
from cpython.long cimport PyLong_FromLong
from cpython.object cimport PyObject, PyTypeObject
from cpython.unicode cimport PyUnicode_READ

from fastwrap._core.types.addresses cimport kind_of, resolve
from fastwrap._core.types.characters cimport (
    DIGIT, OTHER_SPACE, SPACE, Py_UNICODE_ISALPHA, PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_IS_ASCII,
    PyUnicode_KIND, classes_of, classes_of_bytes, is_digit, uint8_t, uint16_t, uint32_t, uint64_t,
)
from fastwrap._core.types.families cimport (
    ADDRESSES, ANSWERS, CLOCKS, DATES, DIGITS, MAIL, PHONES, RATINGS, STARS, TOLD_BY_DIGITS, families_by_digits,
)
from fastwrap._core.types.numbers cimport split_numbers

cpdef enum:
    # What the strings of a column are of.
    TEXTS = 0
    PAGES = 1           # links to pages
    PICTURES = 2        # links to pictures
    SETS = 3            # several links in a string
    PRICES = 4          # amounts of money, though they be bare numbers

cdef enum:
    WIDEST_INTEGER = 7      # digits; what is wider may be a code
    LONGEST_ANSWER = 40     # characters
    LONGEST_UNKNOWN = 5

    # Classes of strings, as bits.
    FILLED = 1
    HAS_DIGIT = 2
    HAS_SPACE = 4
    IS_LONG = 8
    IS_INTEGER = 16
    DISORDERED = 128        # its white space is not normalised


cdef bint are_digits(const uint8_t *text, Py_ssize_t length) noexcept:
    cdef Py_ssize_t i
    for i in range(length):
        if not is_digit(text[i]):
            return False
    return True


cdef object integer_of(str string):
    """The number that a few digits are."""
    cdef const uint8_t *text = <const uint8_t *>PyUnicode_DATA(string)
    cdef long value = 0
    cdef Py_ssize_t i
    for i in range(PyUnicode_GET_LENGTH(string)):
        value = 10 * value + text[i] - 48
    return PyLong_FromLong(value)


cdef object named_tuple(type typed, str name, list values):
    """What the call of a named tuple gives, without Python code."""
    cdef tuple arguments = ((name, values, None, ""),)
    return (<PyTypeObject *>tuple).tp_new(typed, <PyObject *>arguments, NULL)


@cython.final
cdef class Look:
    """What the first look at columns goes by; see `strings.pyi`."""

    cdef Py_ssize_t longest
    cdef frozenset unknown
    cdef object answers
    cdef str stars
    cdef double misses
    cdef double miss_of_words
    # By the first character: whether a string may be unknown, and how long answers are.
    cdef bint begins_unknown[128]
    cdef uint64_t lengths_of_answers[128]

    def __cinit__(self, Py_ssize_t longest, frozenset unknown not None, answers not None, str stars not None,
                  double misses, double miss_of_words):
        cdef str string
        cdef int i
        self.longest, self.unknown, self.answers, self.stars = longest, unknown, answers, stars
        self.misses, self.miss_of_words = misses, miss_of_words
        for i in range(128):
            self.begins_unknown[i] = False
            self.lengths_of_answers[i] = 0
        for string in unknown:
            if string and string[0] < chr(128):
                self.begins_unknown[ord(string[0])] = True
        for string in answers:
            if string and string.isascii():
                self.lengths_of_answers[ord(string[0])] |= <uint64_t>1 << min(len(string), 63)

    def at(self, strings not None):
        """The strings of a column, looked at; see `strings.pyi`."""
        return self.look_at(list(strings))

    def at_table(self, columns not None, list kinds not None, tuple base not None, type typed not None):
        """Type the columns that need no reader; see `strings.pyi`."""
        cdef list found = [], unread = [], strings
        cdef Py_ssize_t place = 0
        cdef Strings column
        cdef str scheme, origin, directory, name
        cdef int kind
        scheme, origin, directory = base
        if scheme is None or origin is None or directory is None:
            raise TypeError("a part of the base is None")
        if not issubclass(typed, tuple):
            raise TypeError("a typed column is no named tuple")
        if len(columns) != PyList_GET_SIZE(kinds):
            raise ValueError("there are not as many kinds as columns")
        for raw in columns:
            kind = kinds[place]
            strings = list(raw)
            finished = None
            column = None
            name = ""
            if kind == PAGES or kind == PICTURES:
                # What is not simple is read as contacts are, by a reader.
                not_simple = resolve(strings, scheme, origin, directory)
                name = "contact" if not_simple else kind_of(strings, kind == PICTURES, self.misses)
                if name and name != "contact":
                    finished = named_tuple(typed, name, strings)
                elif not name:
                    strings = list(raw)
            if not name and kind != SETS:
                column = self.look_at(strings)
                if column.families == 0:
                    finished = named_tuple(typed, "text", strings)
                elif column.are_integers and kind != PRICES:
                    finished = named_tuple(typed, "integer", column.integers())
            found.append(finished)
            if finished is None:
                unread.append((place, column))
            place += 1
        return found, unread

    cdef Strings look_at(self, list cleaned):
        """The same, for a list that may be cleaned in its place."""
        cdef Py_ssize_t i, total = 0, length = PyList_GET_SIZE(cleaned)
        cdef bytes kept = PyBytes_FromStringAndSize(NULL, length)
        cdef uint8_t *classes = <uint8_t *>PyBytes_AS_STRING(kept)
        cdef uint8_t together = IS_INTEGER
        cdef str string
        cdef int found
        for i in range(length):
            classes[i] = 0
            string = cleaned[i]
            if string is None:
                continue
            found = self.class_of_string(string)
            if found == DISORDERED:
                string = " ".join(string.split()) or None
                cleaned[i] = string
                if string is None:
                    continue
                found = self.class_of_string(string)
            if found:
                classes[i] = found
                together &= found
                total += 1
        cdef Strings column = Strings.__new__(Strings)
        column.look, column.cleaned, column.kept, column.classes, column.total = self, cleaned, kept, classes, total
        column.slack = self.misses * total
        if total == 0:
            return column
        if together:
            column.are_integers = True
            column.families = DIGITS
            return column
        column.families = self.families_of(column)
        if column.families & DIGITS and column.split_into_numbers() is None:
            column.look_again()
            column.families ^= DIGITS
        return column

    cdef int class_of_string(self, str string) except -1:
        """The class of a string; 0 if it says that nothing is known."""
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(string)
        cdef int kind = PyUnicode_KIND(string)
        cdef void *data = PyUnicode_DATA(string)
        cdef uint8_t characters
        cdef Py_UCS4 first
        cdef int found = FILLED
        if length == 0:
            return DISORDERED
        if kind == 1:
            characters = classes_of_bytes(<const uint8_t *>data, length)
        elif kind == 2:
            characters = classes_of(<const uint16_t *>data, length)
        else:
            characters = classes_of(<const uint32_t *>data, length)
        if characters & OTHER_SPACE:
            return DISORDERED
        if characters & SPACE:
            found |= HAS_SPACE
        if length > self.longest:
            return found | IS_LONG
        first = PyUnicode_READ(kind, data, 0)
        if length <= LONGEST_UNKNOWN and (first > 127 or self.begins_unknown[first]) and string in self.unknown:
            return 0
        if characters & DIGIT:
            found |= HAS_DIGIT
            if length <= WIDEST_INTEGER and kind == 1 and (first != 48 or length == 1):
                if are_digits(<const uint8_t *>data, length):
                    found |= IS_INTEGER
        return found

    cdef int families_of(self, Strings column) except -1:
        """What may be read in the strings of a column; DIGITS for all that has digits."""
        cdef Py_ssize_t i
        cdef double missed = 0
        # If none of the first so many strings reads as a type, too many do not.
        cdef Py_ssize_t head = <Py_ssize_t>column.slack + 1
        cdef int families = 0, found
        for i in range(PyList_GET_SIZE(column.cleaned)):
            found = column.classes[i]
            if not found & FILLED:
                continue
            if head > 0:
                head -= 1
                families |= self.families_of_string(<str>column.cleaned[i], found)
            if missed <= column.slack:
                if found & IS_LONG:
                    missed += 1
                elif not found & HAS_DIGIT:
                    missed += self.miss_of_words
            elif head == 0:
                break
        return families if missed > column.slack else families | DIGITS

    cdef int families_of_string(self, str string, int found) except -1:
        """What may be read in a string of a class, besides what has digits."""
        cdef uint32_t first = PyUnicode_READ(PyUnicode_KIND(string), PyUnicode_DATA(string), 0)
        cdef int families = 0
        cdef Py_ssize_t mark
        if not found & HAS_SPACE:
            mark = string.find("/")
            if mark > 0 and Py_UNICODE_ISALPHA(first) and string.find(".", 0, mark) > 0:
                families |= ADDRESSES
            elif (first | 32 == 104 or first | 32 == 119) and PyUnicode_GET_LENGTH(string) > 4:
                if string[:4].lower() in ("http", "www."):
                    families |= ADDRESSES
        if not found & IS_LONG:
            if first > 127 and <Py_UCS4>first in self.stars:
                families |= STARS
            mark = string.find("@")
            if mark > 0 and string.find(".", mark) > 0 and string.find(" ", 0, mark) < 0:
                families |= MAIL
        if not found & HAS_DIGIT and self.is_answer(string):
            families |= ANSWERS
        return families

    cdef bint is_answer(self, str string) except -1:
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(string)
        cdef const uint8_t *text
        cdef uint8_t first
        if length > LONGEST_ANSWER:
            return False
        if PyUnicode_IS_ASCII(string):
            text = <const uint8_t *>PyUnicode_DATA(string)
            while length and (text[length - 1] == 46 or text[length - 1] == 33 or text[length - 1] == 32):
                length -= 1
            first = text[0]
            if 65 <= first <= 90:
                first += 32
            if length == 0 or not self.lengths_of_answers[first] >> length & 1:
                return False
        return string.lower().rstrip(".! ") in self.answers

    cdef int families_with_digits(self, Strings column) except -1:
        """Which of the families that are told by digits may be read in a column."""
        cdef double least, slack = column.slack
        cdef double without_date = 0, without_clock = 0, without_phone = 0, without_rating = 0
        cdef Py_ssize_t i
        cdef int found, families
        for i in range(PyList_GET_SIZE(column.cleaned)):
            found = column.classes[i]
            if not found & FILLED or found & IS_LONG:
                continue
            families = families_by_digits(<str>column.cleaned[i]) if found & HAS_DIGIT else 0
            least = 1 if found & HAS_DIGIT else self.miss_of_words
            without_date += 0 if families & DATES else least
            without_rating += 0 if families & RATINGS else least
            without_clock += 0 if families & CLOCKS else least
            without_phone += 0 if families & PHONES else 1
            if min(min(without_date, without_rating), min(without_clock, without_phone)) > slack:
                break
        return (
            (DATES if without_date <= slack else 0)
            | (RATINGS if without_rating <= slack else 0)
            | (CLOCKS if without_clock <= slack else 0)
            | (PHONES if without_phone <= slack else 0)
        )


@cython.final
@cython.freelist(8)
cdef class Strings:
    """The strings of a column; see `strings.pyi`."""

    cdef Look look
    cdef readonly list cleaned
    cdef readonly Py_ssize_t total
    cdef readonly double slack
    cdef readonly int families
    cdef bint are_integers          # nothing but a few digits in each filled string
    cdef bytes kept
    cdef const uint8_t *classes     # one per cleaned string, in `kept`; 0 if it is not filled
    # What is found when it is first asked for, and whether that was so.
    cdef list filled_strings
    cdef dict counted
    cdef tuple split
    cdef bint is_split
    cdef bint is_told

    def __init__(self):
        raise TypeError("strings are made by Look.at")

    cdef list those_filled(self):
        cdef Py_ssize_t i, number = 0
        if self.filled_strings is None:
            if self.total == PyList_GET_SIZE(self.cleaned):
                self.filled_strings = self.cleaned
            else:
                self.filled_strings = [None] * self.total
                for i in range(PyList_GET_SIZE(self.cleaned)):
                    if self.classes[i]:
                        self.filled_strings[number] = self.cleaned[i]
                        number += 1
        return self.filled_strings

    @property
    def filled(self):
        """See `strings.pyi`."""
        return self.those_filled()

    @property
    def counts(self):
        """See `strings.pyi`."""
        cdef dict counted
        cdef object string, times
        if self.counted is None:
            counted = {}
            for string in self.those_filled():
                times = counted.get(string)
                counted[string] = 1 if times is None else times + 1
            self.counted = counted
        return self.counted

    cdef tuple split_into_numbers(self):
        if not self.is_split:
            self.split = split_numbers(self.those_filled(), <Py_ssize_t>(self.slack / self.look.miss_of_words))
            self.is_split = True
        return self.split

    cdef int look_again(self) except -1:
        """Find out which of the families may be read that are told by digits."""
        if not self.is_told:
            self.families |= self.look.families_with_digits(self)
            self.is_told = True
        return 0

    @property
    def numbers(self):
        """See `strings.pyi`."""
        return self.split_into_numbers()

    def may_be(self, int family):
        """See `strings.pyi`."""
        if family & TOLD_BY_DIGITS and self.families & DIGITS:
            self.look_again()
        return self.families & family != 0

    cdef list integers(self):
        """The numbers that the strings are, None for those that are not filled; all others are of IS_INTEGER."""
        cdef Py_ssize_t i
        cdef list numbers = [None] * PyList_GET_SIZE(self.cleaned)
        for i in range(PyList_GET_SIZE(self.cleaned)):
            if self.classes[i]:
                numbers[i] = integer_of(<str>self.cleaned[i])
        return numbers

    def spread(self, list values not None):
        """See `strings.pyi`."""
        cdef Py_ssize_t i, number = 0
        if PyList_GET_SIZE(values) != self.total:
            raise ValueError("there are not as many values as filled strings")
        if self.total == PyList_GET_SIZE(self.cleaned):
            return values
        cdef list spread = [None] * PyList_GET_SIZE(self.cleaned)
        for i in range(PyList_GET_SIZE(self.cleaned)):
            if self.classes[i]:
                spread[i] = values[number]
                number += 1
        return spread
