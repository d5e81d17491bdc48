"""First look at the columns of a table: cleans their strings, finishes those that need no more, and says what may be
read in the others. One pass over the characters, eight at a time, so that texts and addresses cost next to nothing."""

cimport cython
from cpython.list cimport PyList_GET_SIZE
from cpython.long cimport PyLong_FromLong
from cpython.mem cimport PyMem_Free, PyMem_Realloc
from cpython.object cimport PyObject, PyTypeObject
from cpython.unicode cimport (
    PyUnicode_DATA,
    PyUnicode_DecodeASCII,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
    PyUnicode_READ,
    PyUnicode_Substring,
)
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp, memcpy

cdef extern from "Python.h":
    bint Py_UNICODE_ISSPACE(Py_UCS4 character) noexcept
    bint Py_UNICODE_ISALPHA(Py_UCS4 character) noexcept
    bint PyUnicode_IS_ASCII(object string) noexcept
    Py_UCS4 PyUnicode_READ_CHAR(object string, Py_ssize_t index) noexcept

cdef extern from *:
    """
    #define EIGHT_TIMES(byte) (0x0101010101010101ULL * (byte))
    """
    uint64_t EIGHT_TIMES(uint64_t byte) noexcept

# What may be read in a column.
DIGITS = 1
ADDRESSES = 2
STARS = 4
MAIL = 8
ANSWERS = 16
DATES = 32
CLOCKS = 64
PHONES = 128
RATINGS = 256
CONTACTS = 512

# What the strings of a column are of.
PAGES = 1
PICTURES = 2
SETS = 4
PRICES = 8
MACHINES = 16

# What a number shows of how it is written.
DECIMAL_POINT = 1
DECIMAL_COMMA = 2
GROUP_POINT = 4
GROUP_COMMA = 8
GROUP_SPACE = 16
GROUP_APOSTROPHE = 32
EITHER_POINT = 64
EITHER_COMMA = 128
NO_NUMBER = 256

# Widths that numbers without separators do not have, but codes: eight digits and more; and the bit of leading zeros.
CODES = ~0xFE

cdef enum:
    # The same, for where they must be constants.
    DIGITS_BIT = 1
    ADDRESSES_BIT = 2
    STARS_BIT = 4
    MAIL_BIT = 8
    ANSWERS_BIT = 16
    DATES_BIT = 32
    CLOCKS_BIT = 64
    PHONES_BIT = 128
    RATINGS_BIT = 256
    CONTACTS_BIT = 512
    WITH_DIGITS = 1 | 32 | 64 | 128 | 256
    PAGES_BIT = 1
    PICTURES_BIT = 2
    SETS_BIT = 4
    PRICES_BIT = 8
    MACHINES_BIT = 16
    POINT = 1
    COMMA = 2
    EITHER_OF_POINT = 64
    EITHER_OF_COMMA = 128
    NUMBERLESS = 256

    FEWEST_OF_PHONE = 7   # digits
    LONGEST_BEFORE_PHONE = 16   # characters
    LONGEST_BETWEEN = 24  # characters between the first two numbers of a date
    SHORTEST_MONTH = 3
    WIDEST_INTEGER = 7    # digits; what is wider may be a code
    LONGEST_ANSWER = 40   # characters
    LONGEST_UNKNOWN = 5
    SIDE = 40             # characters before and after a number
    SHORT = 64            # characters of a number

    # What a string is.
    DISORDERED = 128
    FILLED = 1
    HAS_DIGIT = 2
    HAS_SPACE = 4
    IS_LONG = 8
    IS_INTEGER = 16

    # What a character is.
    SPACE = 1
    OTHER_SPACE = 2
    DIGIT = 4

    # Where an address leads.
    NOWHERE = 0
    ABSOLUTE = 1
    TO_HOST = 2
    TO_ROOT = 3
    TO_SIBLING = 4
    BY_HAND = 5

    # What the addresses of a column are.
    NO_ADDRESSES = 0
    OF_PAGES = 1
    OF_PICTURES = 2
    OF_CONTACTS = 3

ctypedef fused character:
    uint8_t
    uint16_t
    uint32_t

cdef uint8_t CHARACTERS[256]
for _code in range(256):
    CHARACTERS[_code] = (
        SPACE if _code == 32
        else OTHER_SPACE if chr(_code).isspace()
        else DIGIT if 48 <= _code <= 57
        else 0
    )

cdef bint IN_PHONES[128]
for _code in range(128):
    IN_PHONES[_code] = chr(_code) in " ().-/+extnsioEXTNSIO"

PICTURE_ENDINGS = (".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg", ".avif", ".bmp", ".tif", ".tiff", ".ico")
OTHER_ENDINGS = (".html", ".htm", ".js", ".mp3", ".mp4", ".webm", ".ogg", ".wav", ".m4a", ".m4v", ".pdf", ".swf")

cdef enum:
    MOST_ENDINGS = 12
cdef uint32_t PICTURE_LETTERS[MOST_ENDINGS]
cdef uint32_t OTHER_LETTERS[MOST_ENDINGS]
for _number in range(MOST_ENDINGS):
    PICTURE_LETTERS[_number] = OTHER_LETTERS[_number] = 0
for _number, _ending in enumerate(PICTURE_ENDINGS):
    PICTURE_LETTERS[_number] = int.from_bytes(_ending[1:].encode(), "big")
for _number, _ending in enumerate(OTHER_ENDINGS):
    OTHER_LETTERS[_number] = int.from_bytes(_ending[1:].encode(), "big")


# ---- Characters

cdef inline uint64_t eight(const uint8_t *text) noexcept:
    cdef uint64_t word
    memcpy(&word, text, 8)
    return word


cdef inline uint64_t from_on(uint64_t word, uint64_t least) noexcept:
    """Of eight bytes below 128, those that are at least so large have their highest bit set, the others have not."""
    return word + EIGHT_TIMES(128 - least)


cdef inline uint8_t characters_of(const character *text, Py_ssize_t length) noexcept:
    """What characters there are; OTHER_SPACE also for white space at either end, or two in a row."""
    cdef uint8_t found = 0, before = SPACE, this = 0
    cdef Py_ssize_t i
    for i in range(length):
        if character is uint8_t:
            this = CHARACTERS[text[i]]
        else:
            this = CHARACTERS[text[i]] if text[i] < 256 else OTHER_SPACE if Py_UNICODE_ISSPACE(text[i]) else 0
        found |= this | ((this & before & SPACE) << 1)
        before = this
    return found | ((before & SPACE) << 1)


cdef struct Seen:
    # What was seen in words of eight bytes: the highest bits of those that are so.
    uint64_t controls
    uint64_t spaces
    uint64_t doubled
    uint64_t digits


cdef inline void see(Seen *seen, uint64_t word) noexcept:
    cdef uint64_t low = word & ~EIGHT_TIMES(128), high = word & EIGHT_TIMES(128)
    cdef uint64_t spaces = from_on(low, 32) & ~from_on(low, 33) & ~word & EIGHT_TIMES(128)
    seen.spaces |= spaces
    seen.doubled |= spaces & (spaces << 8)
    seen.digits |= from_on(low, 48) & ~from_on(low, 58) & ~word
    # There are controls from 0 to 31 and from 128 to 159; 160 is white space as well.
    seen.controls |= ~from_on(low, 32) | (high & ~from_on(low, 33))


cdef inline uint8_t characters_of_bytes(const uint8_t *text, Py_ssize_t length) noexcept:
    """The same for Latin-1 that is not empty, eight at a time."""
    cdef Seen seen = Seen(0, 0, 0, 0)
    cdef uint32_t first, last
    cdef Py_ssize_t i = 0
    if length >= 8:
        while i < length - 8:
            see(&seen, eight(text + i))
            i += 7  # one is seen twice, for spaces beside each other
        see(&seen, eight(text + length - 8))
    elif length >= 4:
        # Instead of what is missing, the first character once more.
        memcpy(&first, text, 4)
        memcpy(&last, text + length - 4, 4)
        see(&seen, EIGHT_TIMES(text[0]) << 32 | first)
        see(&seen, EIGHT_TIMES(text[0]) << 32 | last)
    else:
        # Two spaces beside each other are at one of the ends.
        see(&seen, EIGHT_TIMES(text[0]) << 16 | <uint64_t>text[length >> 1] << 8 | text[length - 1])
    if seen.controls & EIGHT_TIMES(128):
        return characters_of(text, length)
    return (
        (seen.spaces != 0) * SPACE
        | ((seen.doubled != 0) | (text[0] == 32) | (text[length - 1] == 32)) * OTHER_SPACE
        | ((seen.digits & EIGHT_TIMES(128)) != 0) * DIGIT
    )


cdef inline bint is_digit(uint32_t c) noexcept:
    return c - 48 < 10


cdef bint are_digits(const uint8_t *text, Py_ssize_t length) noexcept:
    cdef Py_ssize_t i
    for i in range(length):
        if not is_digit(text[i]):
            return False
    return True


# ---- Numbers

cdef struct Number:
    Py_ssize_t start
    Py_ssize_t end
    int shape
    Py_ssize_t width  # digits, if it has no separator; else 0


cdef inline int separator_bit(uint32_t c) noexcept:
    """The group bit of a separator; 0 if it is none."""
    if c == 46:
        return 4
    if c == 44:
        return 8
    if c == 32:
        return 16
    if c == 39 or c == 0x2019:
        return 32
    return 0


cdef bint find_number(const character *text, Py_ssize_t size, Number *number) noexcept:
    """The one number of a string, runs of digits with one separator between two of them; False if it has none."""
    cdef Py_ssize_t start = 0, end, i, groups = 0, run = 0, first_run = 0
    cdef int used = 0, last_bit = 0, last_count = 0, bit
    cdef bint threes = True, twos = True, leading_zero
    while start < size and not is_digit(text[start]):
        start += 1
    if start == size or start > SIDE + 1:
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
        if groups == 0:
            first_run = run
        else:
            threes = threes and run == 3
            twos = twos and run == 2
        groups += 1
        if bit != last_bit:
            last_count = 0
        last_count += 1
        last_bit = bit
        used |= bit
        run = 0
        end += 1
    if size - end > SIDE:
        return False
    for i in range(end, size):
        if is_digit(text[i]):
            return False
    leading_zero = text[start] == 48
    number.start = start
    number.end = end
    number.width = 0
    if groups == 0:
        number.width = run
        number.shape = 0
    elif groups == 1 and last_bit <= 8:
        if run == 3 and first_run <= 3 and not leading_zero:
            number.shape = EITHER_OF_POINT if last_bit == 4 else EITHER_OF_COMMA
        else:
            number.shape = POINT if last_bit == 4 else COMMA
    elif used == last_bit:
        threes = threes or (twos and used == 8)
        number.shape = used if run == 3 and first_run <= 3 and threes and not leading_zero else NUMBERLESS
    elif last_count == 1 and last_bit <= 8:
        number.shape = shape_with_both(text, start, end, used, last_bit)
    else:
        number.shape = NUMBERLESS
    return True


cdef int shape_with_both(
    const character *text, Py_ssize_t start, Py_ssize_t end, int used, int last_bit
) noexcept:
    """The shape of a number whose last separator is a decimal sign, and the others make groups."""
    cdef int group = used & ~last_bit
    cdef Py_ssize_t i, run = 0, groups = 0
    cdef bint fine = text[start] != 48
    cdef bint threes = True, twos = group == 8, decimals = False
    cdef int bit
    if group & (group - 1):
        return NUMBERLESS
    for i in range(start, end):
        bit = separator_bit(text[i])
        if bit == 0:
            run += 1
            continue
        if decimals:
            return NUMBERLESS
        if bit == last_bit:
            decimals = True
            fine = fine and groups > 0 and run == 3
        elif groups == 0:
            fine = fine and run <= 3
        else:
            threes = threes and run == 3
            twos = twos and run == 2
        groups += 1
        run = 0
    if not fine or not (threes or twos):
        return NUMBERLESS
    return group | (POINT if last_bit == 4 else COMMA)


cdef bint find_number_in(str string, Number *number) noexcept:
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(string)
    cdef int kind = PyUnicode_KIND(string)
    if kind == 1:
        return find_number(<const uint8_t *>PyUnicode_DATA(string), size, number)
    if kind == 2:
        return find_number(<const uint16_t *>PyUnicode_DATA(string), size, number)
    return find_number(<const uint32_t *>PyUnicode_DATA(string), size, number)


cdef bint same_around(str one, const Number *number, str other, const Number *other_number) noexcept:
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
    """The one number of each string and what stands around it; see `strings.pyi`."""
    cdef list around = [], places = [], numbers = [], shapes = []
    cdef dict place_of = {}
    cdef Py_ssize_t missed = 0, place = -1
    cdef int all_shapes = 0
    cdef unsigned int widths = 0
    cdef Number found, before
    cdef str string, number, last = None
    cdef Py_UCS4 sign
    cdef tuple key
    for string in strings:
        if string is None:
            raise TypeError("a string is None")
        if not find_number_in(string, &found):
            missed += 1
            if missed > most_missed:
                return None
            places.append(-1)
            numbers.append("")
            shapes.append(NO_NUMBER)
            continue
        number = PyUnicode_Substring(string, found.start, found.end)
        if found.width:
            sign = PyUnicode_READ_CHAR(string, found.start - 1) if found.start else 0
            if (sign == 46 or sign == 44) and not (
                found.start >= 2 and Py_UNICODE_ISALPHA(PyUnicode_READ_CHAR(string, found.start - 2))
            ):
                # .99 is 0.99
                found.start -= 1
                number = "0" + chr(sign) + number
                found.shape = POINT if sign == 46 else COMMA
            else:
                widths |= <unsigned int>1 << min(found.width, 31)
                if found.width > 1 and PyUnicode_READ_CHAR(string, found.start) == 48:
                    widths |= 1
        all_shapes |= found.shape
        # Most strings have the same around their number as the one before them.
        if last is None or not same_around(string, &found, last, &before):
            key = (PyUnicode_Substring(string, 0, found.start),
                   PyUnicode_Substring(string, found.end, PyUnicode_GET_LENGTH(string)))
            place = place_of.setdefault(key, PyList_GET_SIZE(around))
            if place == PyList_GET_SIZE(around):
                around.append(key)
        last, before = string, found
        places.append(place)
        numbers.append(number)
        shapes.append(found.shape)
    return around, places, numbers, shapes, all_shapes, widths


cdef struct Runs:
    # Where the first three numbers of a string begin and end.
    Py_ssize_t start[3]
    Py_ssize_t end[3]


cdef int digits_of(const character *text, Py_ssize_t length) noexcept:
    """What a string may be by its numbers. A rating has two to four of at most three digits, two of them with words or
    a slash between them. A time begins with a number of at most two digits, and what makes it an hour. A telephone
    number has many, and few other characters between them."""
    cdef Py_ssize_t i = 0, start, width, digits = 0, runs = 0, widest = 0
    cdef uint32_t c
    cdef bint clock = False, phone = True, plus = False, link = False, words = False, only_words = True
    cdef Runs first
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
        (DATES_BIT if runs > 1 and may_be_date(text, &first, runs) else 0)
        | (RATINGS_BIT if link and widest <= 3 and runs <= 4 else 0)
        | (CLOCKS_BIT if clock else 0)
        | (PHONES_BIT if phone and digits >= FEWEST_OF_PHONE and (plus or runs > 1) else 0)
    )


cdef bint may_be_date(const character *text, const Runs *first, Py_ssize_t runs) noexcept:
    """Whether the first two numbers have one, two or four digits, and a sign between them that is after the second one
    as well, or what may be a month between or before them."""
    cdef Py_ssize_t i, width, start = first.start[0], end = first.end[0], letters = 0
    cdef Py_ssize_t between = first.start[1] - end, after = first.end[1]
    for i in range(2):
        width = first.end[i] - first.start[i]
        if width == 3 or width > 4:
            return False
    if start > SIDE or between > LONGEST_BETWEEN:
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


cdef int digits_in(str string) noexcept:
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(string)
    cdef int kind = PyUnicode_KIND(string)
    if kind == 1:
        return digits_of(<const uint8_t *>PyUnicode_DATA(string), length)
    if kind == 2:
        return digits_of(<const uint16_t *>PyUnicode_DATA(string), length)
    return digits_of(<const uint32_t *>PyUnicode_DATA(string), length)


cdef object integer_of(str string):
    """The number that a few digits are."""
    cdef const uint8_t *text = <const uint8_t *>PyUnicode_DATA(string)
    cdef long value = 0
    cdef Py_ssize_t i
    for i in range(PyUnicode_GET_LENGTH(string)):
        value = 10 * value + text[i] - 48
    return PyLong_FromLong(value)


# ---- Values

cdef inline object named_tuple(type kind, tuple fields):
    """What the call of a named tuple gives, without Python code."""
    cdef tuple arguments = (fields,)
    return (<PyTypeObject *>tuple).tp_new(kind, <PyObject *>arguments, NULL)


cdef str normalised(str number, str group, bint comma):
    """A number without groups, and with a decimal point."""
    cdef Py_UCS4 c, separator
    cdef Py_ssize_t i, kept = 0, size = PyUnicode_GET_LENGTH(number)
    cdef char digits[SHORT]
    if size > SHORT or not PyUnicode_IS_ASCII(number):
        if group is not None:
            number = number.replace(group, "").replace("’", "")
        return number.replace(",", ".") if comma else number
    separator = 0 if group is None else PyUnicode_READ_CHAR(group, 0)
    for i in range(size):
        c = PyUnicode_READ_CHAR(number, i)
        if c != separator:
            digits[kept] = 46 if c == 44 and comma else <char>c
            kept += 1
    return PyUnicode_DecodeASCII(digits, kept, NULL)


cdef object value_of(str number, long scale, str group, bint comma, convert, type money, currency):
    value = convert(number if group is None and not comma else normalised(number, group, comma))
    if scale != 1:
        value = scale * value
    return value if money is None else named_tuple(money, (value, currency))


def values_of(list strings not None, list numbers not None, list places not None, str group, bint comma,
              convert not None, list scales not None, type money, list currencies not None):
    """The values of strings; see `strings.pyi`."""
    cdef dict found = {}
    cdef Py_ssize_t i, place, length = PyList_GET_SIZE(strings)
    cdef long scale
    if money is not None and not issubclass(money, tuple):
        raise TypeError("money is no named tuple")
    if length != PyList_GET_SIZE(numbers) or length != PyList_GET_SIZE(places):
        raise ValueError("there are not as many numbers and places as strings")
    if PyList_GET_SIZE(scales) != PyList_GET_SIZE(currencies):
        raise ValueError("there are not as many scales as currencies")
    for i in range(length):
        place = places[i]
        if place < 0:
            continue
        if place >= PyList_GET_SIZE(scales):
            raise IndexError("a place has no scale")
        scale = scales[place]
        if scale != 0:
            found[strings[i]] = value_of(numbers[i], scale, group, comma, convert, money, currencies[place])
    return found


cpdef unsigned int relevant(unsigned int widths, int shapes) noexcept:
    """The widths of numbers if something depends on them, else 0; see `strings.pyi`."""
    return widths if widths & ~<unsigned int>0xFE or shapes & (EITHER_OF_POINT | EITHER_OF_COMMA) else 0


cpdef dict count(list things):
    """How often each is there; see `strings.pyi`."""
    cdef dict found = {}
    cdef object thing, times
    for thing in things:
        times = found.get(thing)
        found[thing] = 1 if times is None else times + 1
    return found


cpdef dict answers_of(list strings, answers, double slack):
    """The answers that strings are; see `strings.pyi`."""
    cdef dict found = {}
    cdef Py_ssize_t misses = 0
    cdef bint alone = False, yes = False, no = False
    cdef str string
    for string in strings:
        if string is None:
            raise TypeError("a string is None")
        answer = answers.get(string.lower().rstrip(".! "))
        if answer is None:
            misses += 1
            if misses > slack:
                return None
            continue
        value, by_itself = answer
        found[string] = value
        alone = alone or by_itself
        if value:
            yes = True
        else:
            no = True
    return found if found and (alone or (yes and no)) else None


# ---- Addresses

cdef inline bint begins(const uint8_t *text, Py_ssize_t size, const char *start, Py_ssize_t length) noexcept:
    return size >= length and memcmp(text, start, length) == 0


cdef bint has_unseen(const uint8_t *text, Py_ssize_t size) noexcept:
    """Whether ASCII text has white space or control characters."""
    cdef uint64_t seen = EIGHT_TIMES(128)
    cdef Py_ssize_t i = 0
    if size < 8:
        for i in range(size):
            if text[i] <= 32:
                return True
        return False
    while True:
        seen &= from_on(eight(text + i), 33)
        if i == size - 8:
            break
        i = min(i + 8, size - 8)
    return seen != EIGHT_TIMES(128)


cdef bint may_have_steps(const uint8_t *text, Py_ssize_t size) noexcept:
    """Whether ASCII text has "/." or "\\"; true also for "./"."""
    cdef uint64_t word, slashes, points, back = 0, found = 0
    cdef Py_ssize_t i = 0
    if size < 8:
        for i in range(size):
            if text[i] == 92 or (text[i] == 46 and i > 0 and text[i - 1] == 47):
                return True
        return False
    while True:
        word = eight(text + i)
        slashes = from_on(word, 47) & ~from_on(word, 48) & EIGHT_TIMES(128)
        points = from_on(word, 46) & ~from_on(word, 47) & EIGHT_TIMES(128)
        # Both ways, for which byte is the next one depends on the machine.
        found |= ((slashes << 8) | (slashes >> 8)) & points
        back |= from_on(word, 92) & ~from_on(word, 93)
        if i == size - 8:
            break
        i = min(i + 7, size - 8)
    return (found | (back & EIGHT_TIMES(128))) != 0


cdef int way_of(const character *text, Py_ssize_t size) noexcept:
    """How an address that is not empty is made absolute."""
    cdef uint32_t c, before = 0, first = text[0]
    cdef bint path = False
    cdef Py_ssize_t i
    # A dot after a slash may have to be removed; a colon before one is the end of a scheme.
    if first <= 32 or first == 46 or first == 35 or first == 63 or first == 59:
        return BY_HAND
    for i in range(size):
        c = text[i]
        if c <= 63:
            if c <= 32 or (c == 46 and before == 47) or (c == 58 and not path):
                return BY_HAND
            if c == 47 or c == 63 or c == 35:
                path = True
        elif c == 92 or (c > 127 and Py_UNICODE_ISSPACE(c)):
            return BY_HAND
        before = c
    if first != 47:
        return TO_SIBLING
    if size == 1 or text[1] != 47:
        return TO_ROOT
    # What follows must be a host.
    return TO_HOST if size > 2 and text[2] > 47 and text[2] != 63 else BY_HAND


cdef int way_of_ascii(const uint8_t *text, Py_ssize_t size, bint known) noexcept:
    """The same for ASCII text; where the page's address is not `known`, there is less to do."""
    cdef Py_ssize_t i
    cdef uint8_t c
    if size == 1 and text[0] == 35:
        return NOWHERE
    if begins(text, size, "javascript:", 11):
        return NOWHERE
    if (
        begins(text, size, "http://", 7) or begins(text, size, "https://", 8) or begins(text, size, "data:", 5)
        or begins(text, size, "mailto:", 7) or begins(text, size, "tel:", 4)
    ):
        return BY_HAND if has_unseen(text, size) else ABSOLUTE
    if known:
        # As `way_of` says, but it need not look at every character.
        if text[0] != 47 or (size > 1 and text[1] == 47) or has_unseen(text, size) or may_have_steps(text, size):
            return way_of(text, size)
        return TO_ROOT
    for i in range(size):
        c = text[i]
        if c == 58:
            return BY_HAND
        if c == 47 or c == 63 or c == 35:
            break
    if has_unseen(text, size) or memchr(text, 92, size) != NULL:
        return BY_HAND
    return ABSOLUTE


cdef object resolved(str string, str scheme, str origin, str directory, by_hand):
    """An address made absolute."""
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(string)
    cdef int kind = PyUnicode_KIND(string), way
    if size == 0:
        return None
    if PyUnicode_IS_ASCII(string):
        way = way_of_ascii(<const uint8_t *>PyUnicode_DATA(string), size, PyUnicode_GET_LENGTH(origin) > 0)
    elif string.startswith("javascript:"):
        return None
    elif (string.startswith("http://") or string.startswith("https://")) and is_whole(string):
        return string
    elif kind == 1:
        way = way_of(<const uint8_t *>PyUnicode_DATA(string), size)
    elif kind == 2:
        way = way_of(<const uint16_t *>PyUnicode_DATA(string), size)
    else:
        way = way_of(<const uint32_t *>PyUnicode_DATA(string), size)
    if way == ABSOLUTE:
        return string
    if way == TO_ROOT:
        return origin + string
    if way == TO_SIBLING:
        return directory + string
    if way == TO_HOST:
        return scheme + string
    return None if way == NOWHERE else by_hand(string)


cdef bint is_whole(str string) noexcept:
    """Whether no character has to be removed or escaped."""
    cdef Py_ssize_t i
    for i in range(PyUnicode_GET_LENGTH(string)):
        if PyUnicode_READ_CHAR(string, i) <= 32:
            return False
    return True


cdef int resolve_own(list strings, str scheme, str origin, str directory, by_hand) except -1:
    """Make the addresses of a list absolute in their places."""
    cdef Py_ssize_t i
    cdef str string
    for i in range(PyList_GET_SIZE(strings)):
        string = strings[i]
        if string is not None:
            address = resolved(string, scheme, origin, directory, by_hand)
            if address is not string:
                strings[i] = address
    return 0


def resolve(list strings not None, str scheme not None, str origin not None, str directory not None, by_hand not None):
    """Addresses made absolute; see `strings.pyi`."""
    cdef list found = strings[:]
    resolve_own(found, scheme, origin, directory, by_hand)
    return found


cdef bint path_ends(const character *text, Py_ssize_t size, const uint32_t *letters) noexcept:
    """Whether what is before "?" and "#" has one of the endings."""
    cdef Py_ssize_t end, i, width
    cdef uint32_t c, own
    cdef int number
    cdef void *mark
    if character is uint8_t:
        mark = <void *>memchr(text, 63, size)
        end = size if mark == NULL else <uint8_t *>mark - text
        mark = <void *>memchr(text, 35, end)
        end = end if mark == NULL else <uint8_t *>mark - text
    else:
        end = 0
        while end < size and text[end] != 63 and text[end] != 35:
            end += 1
    for width in range(2, 5):
        if end <= width or text[end - width - 1] != 46:
            continue
        own = 0
        for i in range(end - width, end):
            c = text[i]
            if c > 127:
                own = 0
                break
            own = own << 8 | (c + 32 if 65 <= c <= 90 else c)
        for number in range(MOST_ENDINGS):
            if own != 0 and own == letters[number]:
                return True
    return False


cdef bint ends(str address, const uint32_t *letters) noexcept:
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(address)
    cdef int kind = PyUnicode_KIND(address)
    if kind == 1:
        return path_ends(<const uint8_t *>PyUnicode_DATA(address), size, letters)
    if kind == 2:
        return path_ends(<const uint16_t *>PyUnicode_DATA(address), size, letters)
    return path_ends(<const uint32_t *>PyUnicode_DATA(address), size, letters)


cdef Py_ssize_t ending(list addresses, Py_ssize_t most, const uint32_t *letters) except -1:
    """How many of the first `most` that are there have a path with one of the endings."""
    cdef Py_ssize_t found = 0
    cdef str address
    for address in addresses:
        if address is None:
            continue
        if most == 0:
            break
        most -= 1
        found += ends(address, letters)
    return found


def count_pictures(list addresses not None):
    """How many addresses have the ending of a picture; see `strings.pyi`."""
    return ending(addresses, PyList_GET_SIZE(addresses), PICTURE_LETTERS)


cdef int judge(list addresses, bint pictures, double misses) except -1:
    """What the addresses of a column are, of which those that lead nowhere are None."""
    cdef Py_ssize_t total = 0, few
    cdef str address, first = None
    for address in addresses:
        if address is not None:
            total += 1
            if first is None:
                first = address
    # That says whether a thing is to be had.
    if first is None or first.startswith("http://schema.org/") or first.startswith("https://schema.org/"):
        return NO_ADDRESSES
    few = <Py_ssize_t>(misses * total) + 1
    if pictures:
        if ending(addresses, few, OTHER_LETTERS) and 2 * ending(addresses, total, OTHER_LETTERS) >= total:
            return OF_PAGES
        return OF_PICTURES
    if (
        ending(addresses, few, PICTURE_LETTERS)
        and ending(addresses, total, PICTURE_LETTERS) >= (1.0 - misses) * total
    ):
        return OF_PICTURES
    for address in addresses:
        if address is None:
            continue
        if few == 0:
            break
        few -= 1
        if address.startswith("mailto:") or address.startswith("tel:"):
            return OF_CONTACTS
    return OF_PAGES


cdef str first_of_set(str string):
    """The first address of several, each followed by its size."""
    cdef list parts = string.split(None, 1)
    return (<str>parts[0]).rstrip(",") if parts else None


cdef bint any_known(conventions) except -1:
    for known in conventions:
        if known is not None:
            return True
    return False


# ---- The first look

@cython.final
cdef class Look:
    """The first look at columns; see `strings.pyi`."""

    cdef Py_ssize_t longest
    cdef frozenset unknown
    cdef object answers
    cdef str stars
    cdef double misses
    cdef double miss_of_words
    cdef object affixes
    cdef object plan
    # By the first character: whether a string may be unknown, and how long answers are.
    cdef bint begins_unknown[128]
    cdef uint64_t lengths_of_answers[128]

    def __cinit__(self, Py_ssize_t longest, frozenset unknown not None, answers not None, str stars not None,
                  double misses, double miss_of_words, affixes not None, plan not None):
        cdef str string
        cdef int i
        self.longest, self.unknown, self.answers, self.stars = longest, unknown, answers, stars
        self.misses, self.miss_of_words, self.affixes, self.plan = misses, miss_of_words, affixes, plan
        for i in range(128):
            self.begins_unknown[i] = False
            self.lengths_of_answers[i] = 0
        for string in unknown:
            if string and string[0] < chr(128):
                self.begins_unknown[ord(string[0])] = True
        for string in answers:
            if string and string.isascii():
                self.lengths_of_answers[ord(string[0])] |= <uint64_t>1 << min(len(string), 63)

    cdef int look(self, str string) except -1:
        """The class of a string; DISORDERED if its white space is not normalised, 0 if it says that it is unknown."""
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(string)
        cdef int kind = PyUnicode_KIND(string)
        cdef void *data = PyUnicode_DATA(string)
        cdef uint8_t characters
        cdef Py_UCS4 first
        cdef int found = FILLED
        if length == 0:
            return DISORDERED
        if kind == 1:
            characters = characters_of_bytes(<const uint8_t *>data, length)
        elif kind == 2:
            characters = characters_of(<const uint16_t *>data, length)
        else:
            characters = characters_of(<const uint32_t *>data, length)
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

    cdef int families_of_one(self, str string, int found) except -1:
        """What may be read in a string of a class, besides what has digits."""
        cdef uint32_t first = PyUnicode_READ(PyUnicode_KIND(string), PyUnicode_DATA(string), 0)
        cdef int families = 0
        cdef Py_ssize_t mark
        if not found & HAS_SPACE:
            mark = string.find("/")
            if mark > 0 and Py_UNICODE_ISALPHA(first) and string.find(".", 0, mark) > 0:
                families |= ADDRESSES_BIT
            elif (first | 32 == 104 or first | 32 == 119) and PyUnicode_GET_LENGTH(string) > 4:
                if string[:4].lower() in ("http", "www."):
                    families |= ADDRESSES_BIT
        if not found & IS_LONG:
            if first > 127 and <Py_UCS4>first in self.stars:
                families |= STARS_BIT
            mark = string.find("@")
            if mark > 0 and string.find(".", mark) > 0 and string.find(" ", 0, mark) < 0:
                families |= MAIL_BIT
        if not found & HAS_DIGIT and self.is_answer(string):
            families |= ANSWERS_BIT
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

    cdef int families_of(self, list cleaned, uint8_t *classes, Py_ssize_t total) except -1:
        """What may be read in the strings of a column, of which `total` are filled; of what has digits, only these."""
        cdef Py_ssize_t i, length = PyList_GET_SIZE(cleaned)
        cdef double missed = 0, slack = self.misses * total
        # If none of the first so many strings reads as a type, too many do not.
        cdef Py_ssize_t head = <Py_ssize_t>slack + 1
        cdef int families = 0, found
        for i in range(length):
            found = classes[i]
            if not found & FILLED:
                continue
            if head > 0:
                head -= 1
                families |= self.families_of_one(<str>cleaned[i], found)
            if missed <= slack:
                if found & IS_LONG:
                    missed += 1
                elif not found & HAS_DIGIT:
                    missed += self.miss_of_words
            elif head == 0:
                break
        return families if total == 0 or missed > slack else families | DIGITS_BIT

    cdef int families_with_digits(self, list cleaned, uint8_t *classes, double slack) except -1:
        """What may be read in a column that may be of something with digits, besides a number in each string."""
        cdef double least, without_date = 0, without_clock = 0, without_phone = 0, without_rating = 0
        cdef Py_ssize_t i
        cdef int found, seen
        for i in range(PyList_GET_SIZE(cleaned)):
            found = classes[i]
            if not found & FILLED or found & IS_LONG:
                continue
            seen = digits_in(<str>cleaned[i]) if found & HAS_DIGIT else 0
            least = 1 if found & HAS_DIGIT else self.miss_of_words
            without_date += 0 if seen & DATES_BIT else least
            without_rating += 0 if seen & RATINGS_BIT else least
            without_clock += 0 if seen & CLOCKS_BIT else least
            without_phone += 0 if seen & PHONES_BIT else 1
            if min(min(without_date, without_rating), min(without_clock, without_phone)) > slack:
                break
        return (
            (DATES_BIT if without_date <= slack else 0)
            | (RATINGS_BIT if without_rating <= slack else 0)
            | (CLOCKS_BIT if without_clock <= slack else 0)
            | (PHONES_BIT if without_phone <= slack else 0)
        )

    cdef object column(
        self, Py_ssize_t place, int kind, list cleaned, uint8_t *classes, conventions, type typed, list unfinished
    ):
        """A column of strings that are its own, typed if it is of text or numbers; else it is `unfinished`."""
        cdef Py_ssize_t i, total = 0
        cdef uint8_t together = 255
        cdef int found, families
        cdef double slack
        cdef str string
        cdef list filled
        cdef dict answers
        cdef tuple split = None
        for i in range(PyList_GET_SIZE(cleaned)):
            classes[i] = 0
            string = cleaned[i]
            if string is None:
                continue
            found = self.look(string)
            if found == DISORDERED:
                string = " ".join(string.split()) or None
                cleaned[i] = string
                if string is None:
                    continue
                found = self.look(string)
            if found:
                classes[i] = found
                together &= found
                total += 1
        if total and together & IS_INTEGER and not kind & PRICES_BIT:
            for i in range(PyList_GET_SIZE(cleaned)):
                cleaned[i] = integer_of(<str>cleaned[i]) if classes[i] else None
            return named_tuple(typed, ("integer", cleaned, None, ""))
        slack = self.misses * total
        families = self.families_of(cleaned, classes, total)
        if families == 0:
            return named_tuple(typed, ("text", cleaned, None, ""))
        filled = []
        for i in range(PyList_GET_SIZE(cleaned)):
            if classes[i]:
                filled.append(cleaned[i])
        if families & DIGITS_BIT:
            split = split_numbers(filled, <Py_ssize_t>(slack / self.miss_of_words))
            if split is None:
                families ^= DIGITS_BIT
            elif PyList_GET_SIZE(split[0]) == 1:
                plan = self.plan_of(split, kind, conventions)
                if plan is None:
                    families ^= DIGITS_BIT
                elif <Py_ssize_t>plan[0] <= total and self.misses_of(split[1], classes) <= slack:
                    families |= WITH_DIGITS
                    return self.planned(place, families, cleaned, classes, filled, split, plan, typed, unfinished)
            elif self.too_many_are_none(split, slack):
                families ^= DIGITS_BIT
            families |= self.families_with_digits(cleaned, classes, slack)
        if families & ANSWERS_BIT and not families & WITH_DIGITS:
            answers = answers_of(filled, self.answers, slack)
            if answers is not None:
                for i in range(PyList_GET_SIZE(cleaned)):
                    cleaned[i] = answers.get(cleaned[i])
                return named_tuple(typed, ("boolean", cleaned, None, ""))
            families ^= ANSWERS_BIT
        if families == 0:
            return named_tuple(typed, ("text", cleaned, None, ""))
        unfinished.append((place, families, cleaned, filled, split, None))
        return None

    cdef object plan_of(self, tuple split, int kind, conventions):
        """How to read numbers that all have the same around them."""
        before, after = (<list>split[0])[0]
        widths = relevant(split[5], split[4])
        return self.plan(before, after, split[4], widths, conventions, (kind & PRICES_BIT) != 0)

    cdef double misses_of(self, list places, const uint8_t *classes) except -1:
        """How much is missed at most by the strings that have no number."""
        cdef double misses = 0
        cdef Py_ssize_t number, i = 0
        for number in range(PyList_GET_SIZE(places)):
            while not classes[i]:
                i += 1
            if <Py_ssize_t>places[number] < 0:
                misses += 1 if classes[i] & (HAS_DIGIT | IS_LONG) else self.miss_of_words
            i += 1
        return misses

    cdef bint too_many_are_none(self, tuple split, double slack) except -1:
        """Whether more numbers than `slack` are none, by what stands around them."""
        cdef dict weights = count(split[1])
        cdef Py_ssize_t place = 0
        cdef double misses = 0
        for before, after in <list>split[0]:
            if self.affixes(before, after) is None:
                misses += weights[place]
                if misses > slack:
                    return True
            place += 1
        return False

    cdef object planned(
        self, Py_ssize_t place, int families, list cleaned, uint8_t *classes, list filled, tuple split, plan,
        type typed, list unfinished
    ):
        """A column of numbers. If others may say more of it, or it of others, it is among the `unfinished`, too."""
        cdef list places = split[1], numbers = split[2], values = []
        cdef Py_ssize_t i, number = 0
        _, name, convert, scale, group, comma, money, currency, unit, why, shown, wanted, _ = plan
        if money is not None and not issubclass(money, tuple):
            raise TypeError("money is no named tuple")
        for i in range(PyList_GET_SIZE(cleaned)):
            value = None
            if classes[i]:
                if <Py_ssize_t>places[number] >= 0:
                    value = value_of(numbers[number], scale, group, comma, convert, money, currency)
                number += 1
            values.append(value)
        if wanted or any_known(shown):
            unfinished.append((place, families, cleaned, filled, split, plan))
        return named_tuple(typed, (name, values, unit, why))

    def table(self, columns not None, list kinds not None, str scheme not None, str origin not None,
              str directory not None, by_hand not None, conventions, for_machines, type typed not None):
        """The columns of a table; see `strings.pyi`."""
        cdef list found = [], unfinished = [], strings
        cdef Py_ssize_t place = 0, room = 0
        cdef int kind, verdict
        cdef uint8_t *classes = NULL
        cdef uint8_t *larger
        if not issubclass(typed, tuple):
            raise TypeError("a typed column is no named tuple")
        if len(columns) != PyList_GET_SIZE(kinds):
            raise ValueError("there are not as many kinds as columns")
        try:
            for column in columns:
                kind = kinds[place]
                strings = list(column)
                if kind & (PAGES_BIT | PICTURES_BIT):
                    if kind & SETS_BIT:
                        strings = [None if string is None else first_of_set(string) for string in strings]
                    resolve_own(strings, scheme, origin, directory, by_hand)
                    verdict = judge(strings, kind & PICTURES_BIT, self.misses)
                    if verdict == OF_CONTACTS:
                        unfinished.append((place, CONTACTS_BIT, strings, [], None, None))
                        found.append(None)
                    elif verdict != NO_ADDRESSES:
                        name = "url" if verdict == OF_PAGES else "image"
                        found.append(named_tuple(typed, (name, strings, None, "")))
                    else:
                        strings = list(column)
                if PyList_GET_SIZE(found) == place:
                    if PyList_GET_SIZE(strings) > room:
                        room = 2 * PyList_GET_SIZE(strings)
                        larger = <uint8_t *>PyMem_Realloc(classes, room)
                        if larger == NULL:
                            raise MemoryError
                        classes = larger
                    known = for_machines if kind & MACHINES_BIT else conventions
                    found.append(self.column(place, kind, strings, classes, known, typed, unfinished))
                place += 1
        finally:
            PyMem_Free(classes)
        return found, unfinished
