"""The strings of columns, cleaned, and the first look at them: what may be read in them, and what may not.
Texts, integers and simple links need no reader: they are most of what a page has, and cost one call per table."""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from cpython.object cimport PyObject, PyTypeObject
from cpython.unicode cimport PyUnicode_READ

from fastwrap._core.common.characters cimport (
    DIGIT, OTHER_SPACE, SPACE, Py_UNICODE_ISALPHA, PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_IS_ASCII,
    PyUnicode_KIND, character, classes_of, classes_of_bytes, is_digit, uint8_t, uint16_t, uint32_t, uint64_t,
)
from fastwrap._core.page.addresses cimport resolve
from fastwrap._core.types.addresses cimport kind_of
from fastwrap._core.types.numbers cimport split_numbers

cpdef enum:
    # What the strings of a column are of.
    TEXTS = 0
    PAGES = 1           # links to pages
    PICTURES = 2        # links to pictures
    SETS = 3            # several links in a string
    PRICES = 4          # amounts of money, even if they are bare numbers

cpdef enum:
    # What may be read in a column, as bits.
    DIGITS = 1          # a number in each string, or something else that has digits
    ADDRESSES = 2
    STARS = 4
    MAIL = 8
    YES_OR_NO = 16
    DATES = 32
    CLOCKS = 64
    PHONES = 128
    RATINGS = 256

cdef enum:
    TOLD_BY_DIGITS = DATES | CLOCKS | PHONES | RATINGS  # known after a second look, at the numbers of each string
    WIDEST_INTEGER = 7      # digits; what is wider may be a code
    LONGEST_ANSWER = 40     # characters
    LONGEST_UNKNOWN = 5
    LONGEST_BEFORE = 40     # characters before a date
    LONGEST_BETWEEN = 24    # characters between the first two numbers of a date
    SHORTEST_MONTH = 3
    FEWEST_OF_PHONE = 7     # digits
    LONGEST_BEFORE_PHONE = 16   # characters

    # Classes of strings, as bits.
    FILLED = 1
    HAS_DIGIT = 2
    HAS_SPACE = 4
    IS_LONG = 8
    IS_INTEGER = 16
    DISORDERED = 128        # its white space is not normalised

cdef bint IN_PHONES[128]
for _code in range(128):
    IN_PHONES[_code] = chr(_code) in " ().-/+extnsioEXTNSIO"


cdef struct FirstNumbers:
    # Where the first three numbers of a string begin and end.
    Py_ssize_t start[3]
    Py_ssize_t end[3]


cdef int families_in(const character *text, Py_ssize_t length) noexcept:
    """What a string may be by its numbers. A rating has two to four of at most three digits, two of them with words or
    a slash between them. A time begins with a number of at most two digits, and what makes it an hour. A telephone
    number has many, and few other characters between them."""
    cdef Py_ssize_t i = 0, start, width, digits = 0, runs = 0, widest = 0
    cdef uint32_t c
    cdef bint clock = False, phone = True, plus = False, link = False, words = False, only_words = True
    cdef FirstNumbers first
    while i < length:
        c = text[i]
        if not is_digit(c):
            words = words or c == 47 or c > 64
            only_words = only_words and (c == 32 or c == 47 or c > 64)
            plus = plus or c == 43
            phone = phone and (runs == 0 or c > 127 or IN_PHONES[c])
            i += 1
            continue
        start = i
        while i < length and is_digit(text[i]):
            i += 1
        width = i - start
        if runs < 3:
            first.start[runs], first.end[runs] = start, i
        if runs == 0:
            clock = start == 0 and width <= 2 and begins_clock(text + i, length - i)
            phone = start <= LONGEST_BEFORE_PHONE
        elif words and only_words:
            link = True
        words, only_words = False, True
        widest = max(widest, width)
        digits += width
        runs += 1
    return (
        (DATES if runs > 1 and may_be_date(text, &first, runs) else 0)
        | (RATINGS if link and widest <= 3 and runs <= 4 else 0)
        | (CLOCKS if clock else 0)
        | (PHONES if phone and digits >= FEWEST_OF_PHONE and (plus or runs > 1) else 0)
    )


cdef bint may_be_date(const character *text, const FirstNumbers *first, Py_ssize_t runs) noexcept:
    """Whether the first two numbers have one, two or four digits, and a sign between them that is after the second one
    as well, or what may be a month between or before them."""
    cdef Py_ssize_t i, width, start = first.start[0], end = first.end[0], letters = 0
    cdef Py_ssize_t between = first.start[1] - end, after = first.end[1]
    for i in range(2):
        width = first.end[i] - first.start[i]
        if width == 3 or width > 4:
            return False
    if start > LONGEST_BEFORE or between > LONGEST_BETWEEN:
        return False
    if 45 <= text[end] <= 47 and (between == 1 or (between == 2 and text[end] == 46 and text[end + 1] == 32)):
        return runs > 2 and (
            first.start[2] == after + 1 or (first.start[2] == after + 2 and text[after] == 46 and text[after + 1] == 32)
        )
    for i in range(end, first.start[1]):
        letters = letters + 1 if is_letter(text[i]) else 0
        if letters == SHORTEST_MONTH or text[i] > 127:
            return True
    while start > 0 and (text[start - 1] == 32 or 44 <= text[start - 1] <= 47):
        start -= 1
    letters = 0
    while start > 0 and (is_letter(text[start - 1]) or text[start - 1] == 39):
        letters += 1
        if letters == SHORTEST_MONTH or text[start - 1] > 127:
            return True
        start -= 1
    return False


cdef inline bint is_letter(uint32_t c) noexcept:
    """Whether a character is a letter; one beyond ASCII may be."""
    return c > 127 or (c | 32) - 97 < 26


cdef inline bint begins_clock(const character *text, Py_ssize_t length) noexcept:
    """Whether what follows a number makes it an hour."""
    if length and (text[0] == 58 or text[0] == 46):
        return True
    if length and text[0] == 32:
        text += 1
        length -= 1
    # a, p, u or h
    return length and (text[0] | 32 == 97 or text[0] | 32 == 112 or text[0] | 32 == 117 or text[0] | 32 == 104)


cdef int families_by_digits(str string) noexcept:
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(string)
    cdef int kind = PyUnicode_KIND(string)
    if kind == 1:
        return families_in(<const uint8_t *>PyUnicode_DATA(string), length)
    if kind == 2:
        return families_in(<const uint16_t *>PyUnicode_DATA(string), length)
    return families_in(<const uint32_t *>PyUnicode_DATA(string), length)


cdef bint are_digits(const uint8_t *text, Py_ssize_t length) noexcept:
    cdef Py_ssize_t i
    for i in range(length):
        if not is_digit(text[i]):
            return False
    return True


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
        self.longest, self.unknown, self.answers, self.stars = longest, unknown, answers, stars
        self.misses, self.miss_of_words = misses, miss_of_words
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
        cdef list typed_columns = [], unread = [], strings
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
            finished = column = None
            name = ""
            if kind == SETS or kind == PAGES or kind == PICTURES:
                # What is not simple is read as contacts are, by a reader.
                not_simple = kind == SETS or resolve(strings, scheme, origin, directory)
                name = "contact" if not_simple else kind_of(strings, kind == PICTURES, self.misses)
            if not name:
                column = self.look_at(strings if kind == TEXTS or kind == PRICES else list(raw))
                if column.families == 0:
                    finished = named_tuple(typed, "text", column.cleaned)
                elif column.are_integers and kind != PRICES:
                    finished = named_tuple(typed, "integer", column.integers())
            elif name != "contact":
                finished = named_tuple(typed, name, strings)
            typed_columns.append(finished)
            if finished is None:
                unread.append((place, column))
            place += 1
        return typed_columns, unread

    cdef Strings look_at(self, list cleaned):
        """The same, for a list that may be cleaned in its place."""
        cdef Py_ssize_t i, total = 0, length = PyList_GET_SIZE(cleaned)
        cdef bytes kept = PyBytes_FromStringAndSize(NULL, length)
        cdef uint8_t *classes = <uint8_t *>PyBytes_AS_STRING(kept)
        cdef uint8_t together = IS_INTEGER
        cdef str string
        cdef int bits
        for i in range(length):
            classes[i] = 0
            string = cleaned[i]
            if string is None:
                continue
            bits = self.class_of_string(string)
            if bits == DISORDERED:
                string = " ".join(string.split()) or None
                cleaned[i] = string
                if string is None:
                    continue
                bits = self.class_of_string(string)
            if bits:
                classes[i] = bits
                together &= bits
                total += 1
        cdef Strings column = Strings.__new__(Strings)
        column.look, column.cleaned, column.kept, column.classes, column.total = self, cleaned, kept, classes, total
        column.slack = self.misses * total
        if total and together:
            column.are_integers = True
            column.families = DIGITS
        elif total:
            column.families = self.families_of(column)
            if column.families & DIGITS and column.numbers is None:
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
        cdef int bits = FILLED
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
            bits |= HAS_SPACE
        if length > self.longest:
            return bits | IS_LONG
        first = PyUnicode_READ(kind, data, 0)
        if length <= LONGEST_UNKNOWN and (first > 127 or self.begins_unknown[first]) and string in self.unknown:
            return 0
        if characters & DIGIT:
            bits |= HAS_DIGIT
            if length <= WIDEST_INTEGER and kind == 1 and (first != 48 or length == 1):
                if are_digits(<const uint8_t *>data, length):
                    bits |= IS_INTEGER
        return bits

    cdef int families_of(self, Strings column) except -1:
        """What may be read in the strings of a column; DIGITS for all that has digits."""
        cdef Py_ssize_t i
        cdef double missed = 0
        # If none of the first so many strings reads as a type, too many do not.
        cdef Py_ssize_t head = <Py_ssize_t>column.slack + 1
        cdef int families = 0, bits
        for i in range(PyList_GET_SIZE(column.cleaned)):
            bits = column.classes[i]
            if not bits & FILLED:
                continue
            if head > 0:
                head -= 1
                families |= self.families_of_string(<str>column.cleaned[i], bits)
            if missed <= column.slack:
                if bits & IS_LONG:
                    missed += 1
                elif not bits & HAS_DIGIT:
                    missed += self.miss_of_words
            elif head == 0:
                break
        return families if missed > column.slack else families | DIGITS

    cdef int families_of_string(self, str string, int bits) except -1:
        """What may be read in a string of a class, besides what has digits."""
        cdef uint32_t first = PyUnicode_READ(PyUnicode_KIND(string), PyUnicode_DATA(string), 0)
        cdef int families = 0
        cdef Py_ssize_t mark
        if not bits & HAS_SPACE:
            mark = string.find("/")
            if mark > 0 and Py_UNICODE_ISALPHA(first) and string.find(".", 0, mark) > 0:
                families |= ADDRESSES
            elif (first | 32 == 104 or first | 32 == 119) and PyUnicode_GET_LENGTH(string) > 4:
                if string[:4].lower() in ("http", "www."):
                    families |= ADDRESSES
        if not bits & IS_LONG:
            if first > 127 and <Py_UCS4>first in self.stars:
                families |= STARS
            mark = string.find("@")
            if mark > 0 and string.find(".", mark) > 0 and string.find(" ", 0, mark) < 0:
                families |= MAIL
        if not bits & HAS_DIGIT and self.is_answer(string):
            families |= YES_OR_NO
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

    @property
    def filled(self):
        """See `strings.pyi`."""
        cdef Py_ssize_t i
        if self.filled_strings is None:
            self.filled_strings = self.cleaned
            if self.total < PyList_GET_SIZE(self.cleaned):
                self.filled_strings = [self.cleaned[i] for i in range(PyList_GET_SIZE(self.cleaned)) if self.classes[i]]
        return self.filled_strings

    @property
    def counts(self):
        """See `strings.pyi`."""
        if self.counted is None:
            self.counted = {}
            for string in self.filled:
                self.counted[string] = self.counted.get(string, 0) + 1
        return self.counted

    @property
    def numbers(self):
        """See `strings.pyi`."""
        if not self.is_split:
            self.split = split_numbers(self.filled, <Py_ssize_t>(self.slack / self.look.miss_of_words))
            self.is_split = True
        return self.split

    def may_be(self, int family):
        """See `strings.pyi`."""
        if family & TOLD_BY_DIGITS and self.families & DIGITS and not self.is_told:
            self.look_again()
        return self.families & family != 0

    cdef int look_again(self) except -1:
        """Find out which of the families may be read that are told by digits."""
        cdef double least, without_date = 0, without_clock = 0, without_phone = 0, without_rating = 0
        cdef Py_ssize_t i
        cdef int bits, families
        for i in range(PyList_GET_SIZE(self.cleaned)):
            bits = self.classes[i]
            if not bits & FILLED or bits & IS_LONG:
                continue
            families = families_by_digits(<str>self.cleaned[i]) if bits & HAS_DIGIT else 0
            least = 1 if bits & HAS_DIGIT else self.look.miss_of_words
            without_date += 0 if families & DATES else least
            without_rating += 0 if families & RATINGS else least
            without_clock += 0 if families & CLOCKS else least
            without_phone += 0 if families & PHONES else 1
            if min(min(without_date, without_rating), min(without_clock, without_phone)) > self.slack:
                break
        self.families |= (
            (DATES if without_date <= self.slack else 0)
            | (RATINGS if without_rating <= self.slack else 0)
            | (CLOCKS if without_clock <= self.slack else 0)
            | (PHONES if without_phone <= self.slack else 0)
        )
        self.is_told = True
        return 0

    cdef list integers(self):
        """The numbers that the strings are; those that are not filled stay as `left` has them."""
        cdef Py_ssize_t i, j
        cdef long value
        cdef const uint8_t *text
        cdef list numbers = [None] * PyList_GET_SIZE(self.cleaned)
        for i in range(PyList_GET_SIZE(self.cleaned)):
            if self.classes[i]:
                text = <const uint8_t *>PyUnicode_DATA(self.cleaned[i])
                value = 0
                for j in range(PyUnicode_GET_LENGTH(self.cleaned[i])):
                    value = 10 * value + text[j] - 48
                numbers[i] = value
            else:
                numbers[i] = self.left(i)
        return numbers

    cdef str left(self, Py_ssize_t place):
        """A string that says that nothing is known, as a value: words stay, a mark alone is nothing."""
        cdef str string = self.cleaned[place]
        if string is None or not Py_UNICODE_ISALPHA(PyUnicode_READ(PyUnicode_KIND(string), PyUnicode_DATA(string), 0)):
            return None
        return string

    def spread(self, list values not None):
        """See `strings.pyi`."""
        cdef Py_ssize_t i, number = 0, size = PyList_GET_SIZE(self.cleaned)
        cdef list spread
        if PyList_GET_SIZE(values) != self.total:
            raise ValueError("there are not as many values as filled strings")
        if self.total == size:
            while number < size and <object>PyList_GET_ITEM(values, number) is not None:
                number += 1
            if number == size:
                return values  # of most columns
            number = 0
        spread = [None] * size
        for i in range(size):
            if self.classes[i]:
                value = <object>PyList_GET_ITEM(values, number)
                spread[i] = <object>PyList_GET_ITEM(self.cleaned, i) if value is None else value
                number += 1
            else:
                spread[i] = self.left(i)
        return spread
