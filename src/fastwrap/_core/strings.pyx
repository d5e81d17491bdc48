"""First look at the strings of a column: cleans them, and says which types are worth trying.
One pass over the characters, so that columns of text, which most are, cost next to nothing."""

from cpython.list cimport PyList_GET_SIZE
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.unicode cimport (
    PyUnicode_DATA,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
    PyUnicode_READ,
    PyUnicode_Substring,
)

cdef extern from "Python.h":
    bint Py_UNICODE_ISSPACE(Py_UCS4 character)
    bint Py_UNICODE_ISALPHA(Py_UCS4 character)

# What `glance` says may be read.
DIGITS = 1
ADDRESSES = 2
STARS = 4
MAIL = 8
ANSWERS = 16
PAIRS = 32
CLOCKS = 64
PHONES = 128

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

cdef enum:
    FEWEST_OF_PHONE = 7     # digits
    PAIRS_BIT = 32
    CLOCKS_BIT = 64
    PHONES_BIT = 128

    FILLED = 1
    HAS_DIGIT = 2
    IS_LONG = 4
    MAY_BE_ADDRESS = 8
    IS_STAR = 16
    HAS_AT = 32
    LONGEST_ANSWER = 40
    NUMBERLESS = 256
    SIDE = 40  # characters before and after a number


cdef enum:
    # What a character is.
    SPACE = 1
    OTHER_SPACE = 2
    DIGIT = 4
    AT = 8
    SLASH = 16

cdef unsigned char CHARACTERS[256]
for _code in range(256):
    CHARACTERS[_code] = (
        SPACE if _code == 32
        else OTHER_SPACE if chr(_code).isspace()
        else DIGIT if 48 <= _code <= 57
        else AT if _code == 64
        else SLASH if _code == 47
        else 0
    )


cdef inline unsigned char characters_of(int kind, void *data, Py_ssize_t length) noexcept:
    """What characters there are; OTHER_SPACE also for white space at either end, or two in a row."""
    cdef unsigned char found = 0, before = SPACE, this = 0
    cdef const unsigned char *bytes_of = <const unsigned char *>data
    cdef Py_ssize_t i
    cdef Py_UCS4 c
    if kind == 1:
        for i in range(length):
            this = CHARACTERS[bytes_of[i]]
            found |= this | ((this & before & SPACE) << 1)
            before = this
    else:
        for i in range(length):
            c = PyUnicode_READ(kind, data, i)
            this = CHARACTERS[c] if c < 256 else OTHER_SPACE if Py_UNICODE_ISSPACE(c) else 0
            found |= this | ((this & before & SPACE) << 1)
            before = this
    return found | ((before & SPACE) << 1)


cdef int look(str string, Py_ssize_t longest, str stars) except -1:
    """The class of a string; 0 when its white space is not normalised."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(string)
    cdef int kind = PyUnicode_KIND(string)
    cdef void *data = PyUnicode_DATA(string)
    cdef unsigned char characters = characters_of(kind, data, length)
    cdef Py_UCS4 c
    cdef int found = FILLED
    if characters & OTHER_SPACE:
        return 0
    c = PyUnicode_READ(kind, data, 0)
    if length > longest:
        found |= IS_LONG
    else:
        if characters & DIGIT:
            found |= HAS_DIGIT
        if characters & AT:
            found |= HAS_AT
        if c > 127 and c in stars:
            found |= IS_STAR
    if not characters & SPACE:
        if characters & SLASH and Py_UNICODE_ISALPHA(c):
            found |= MAY_BE_ADDRESS
        elif length > 4 and (c == 104 or c == 119 or c == 72 or c == 87):
            if string[:4].lower() in ("http", "www."):
                found |= MAY_BE_ADDRESS
    return found


cdef int look_at_digits(str string) noexcept:
    """What a string may be by its digits: two numbers at least, something that begins with one, a telephone number."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(string), i, digits = 0, runs = 0
    cdef int kind = PyUnicode_KIND(string)
    cdef void *data = PyUnicode_DATA(string)
    cdef bint before = False, this
    for i in range(length):
        this = 48 <= PyUnicode_READ(kind, data, i) <= 57
        digits += this
        runs += this and not before
        before = this
    return (
        (PAIRS_BIT if runs > 1 else 0)
        | (CLOCKS_BIT if length and 48 <= PyUnicode_READ(kind, data, 0) <= 57 else 0)
        | (PHONES_BIT if digits >= FEWEST_OF_PHONE else 0)
    )


def glance(list strings not None, Py_ssize_t longest, frozenset unknown not None, answers, str stars not None,
           double misses, double miss_of_words):
    """What may be read in a column; see `strings.pyi`."""
    cdef Py_ssize_t length = PyList_GET_SIZE(strings)
    cdef Py_ssize_t i, total = 0, head
    cdef list cleaned = strings[:]
    cdef list filled
    cdef unsigned char *classes = <unsigned char *>PyMem_Malloc(length + 1)
    cdef int found, families = 0
    cdef double missed = 0, slack, least, without_pair, without_clock, without_phone
    cdef int seen
    cdef str string
    if classes == NULL:
        raise MemoryError
    try:
        for i in range(length):
            classes[i] = 0
            string = cleaned[i]
            if string is None:
                continue
            found = look(string, longest, stars)
            if found == 0:
                string = " ".join(string.split())
                if not string:
                    cleaned[i] = None
                    continue
                cleaned[i] = string
                found = look(string, longest, stars)
            if PyUnicode_GET_LENGTH(string) <= 5 and string in unknown:
                continue
            classes[i] = found
            total += 1
        # If none of the first so many strings reads as a type, too many do not.
        slack = misses * total
        head = <Py_ssize_t>slack + 1
        for i in range(length):
            found = classes[i]
            if not found & FILLED:
                continue
            if head > 0:
                head -= 1
                if found & MAY_BE_ADDRESS:
                    families |= ADDRESSES
                if found & IS_STAR:
                    families |= STARS
                if found & HAS_AT:
                    families |= MAIL
                if not found & HAS_DIGIT:
                    string = cleaned[i]
                    if PyUnicode_GET_LENGTH(string) <= LONGEST_ANSWER and string.lower().rstrip(".! ") in answers:
                        families |= ANSWERS
            if missed <= slack:
                if found & IS_LONG:
                    missed += 1
                elif not found & HAS_DIGIT:
                    missed += miss_of_words
            elif head == 0:
                break
        if total and missed <= slack:
            families |= DIGITS
            without_pair = without_clock = without_phone = 0
            for i in range(length):
                found = classes[i]
                if not found & FILLED or found & IS_LONG:
                    continue
                seen = look_at_digits(<str>cleaned[i]) if found & HAS_DIGIT else 0
                least = 1 if found & HAS_DIGIT else miss_of_words
                without_pair += 0 if seen & PAIRS_BIT else least
                without_clock += 0 if seen & CLOCKS_BIT else least
                without_phone += 0 if seen & PHONES_BIT else 1
            families |= (
                (PAIRS_BIT if without_pair <= slack else 0)
                | (CLOCKS_BIT if without_clock <= slack else 0)
                | (PHONES_BIT if without_phone <= slack else 0)
            )
        filled = []
        if families:
            for i in range(length):
                if classes[i] & FILLED:
                    filled.append(cleaned[i])
    finally:
        PyMem_Free(classes)
    return cleaned, filled, families


def count(list things not None):
    """How often each is there; see `strings.pyi`."""
    cdef dict found = {}
    cdef object thing, times
    for thing in things:
        times = found.get(thing)
        found[thing] = 1 if times is None else times + 1
    return found


cdef inline int separator_bit(Py_UCS4 c) noexcept:
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


def split_numbers(list strings not None, Py_ssize_t most_missed):
    """The one number of each string and what stands around it; see `strings.pyi`."""
    cdef Py_ssize_t length = PyList_GET_SIZE(strings)
    cdef list around = []
    cdef dict place_of = {}
    cdef list places = [], numbers = [], shapes = []
    cdef Py_ssize_t k, i, start, end, size, missed = 0, groups, run, first_run, last_known_end = 0, last_start = 0
    cdef Py_ssize_t place = -1
    cdef int kind, last_kind = 0, shape, all_shapes = 0, bit, used, last_bit, last_count
    cdef void *data
    cdef void *last_data = NULL
    cdef Py_ssize_t last_size = 0
    cdef Py_UCS4 c, sign
    cdef str string, number, last = None
    cdef tuple key
    cdef unsigned int widths = 0
    cdef bint same, threes, twos, leading_zero
    for k in range(length):
        string = <str>strings[k]
        size = PyUnicode_GET_LENGTH(string)
        kind = PyUnicode_KIND(string)
        data = PyUnicode_DATA(string)
        start = 0
        while start < size and not 48 <= PyUnicode_READ(kind, data, start) <= 57:
            start += 1
        # Runs of digits with one separator between two of them.
        end = start
        groups = run = first_run = 0
        used = last_bit = last_count = 0
        threes = twos = True
        while end < size:
            c = PyUnicode_READ(kind, data, end)
            if 48 <= c <= 57:
                run += 1
                end += 1
                continue
            bit = separator_bit(c)
            if bit == 0 or end + 1 >= size or not 48 <= PyUnicode_READ(kind, data, end + 1) <= 57:
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
        same = start < size and start <= SIDE + 1 and size - end <= SIDE
        i = end
        while same and i < size:
            if 48 <= PyUnicode_READ(kind, data, i) <= 57:
                same = False
            i += 1
        if not same:
            missed += 1
            if missed > most_missed:
                return None
            places.append(-1)
            numbers.append("")
            shapes.append(NO_NUMBER)
            continue
        leading_zero = PyUnicode_READ(kind, data, start) == 48
        sign = PyUnicode_READ(kind, data, start - 1) if start > 0 else 0
        number = PyUnicode_Substring(string, start, end)
        shape = 0
        if groups == 0:
            if (sign == 46 or sign == 44) and not (
                start >= 2 and Py_UNICODE_ISALPHA(PyUnicode_READ(kind, data, start - 2))
            ):
                # .99 is 0.99
                start -= 1
                number = "0" + chr(sign) + number
                shape = DECIMAL_POINT if sign == 46 else DECIMAL_COMMA
            else:
                widths |= <unsigned int>1 << (run if run < 31 else 31)
                if leading_zero and run > 1:
                    widths |= 1
        elif groups == 1 and last_bit <= 8:
            if run == 3 and first_run <= 3 and not leading_zero:
                shape = EITHER_POINT if last_bit == 4 else EITHER_COMMA
            else:
                shape = DECIMAL_POINT if last_bit == 4 else DECIMAL_COMMA
        elif used == last_bit:
            threes = threes or (twos and used == 8)
            shape = used if run == 3 and first_run <= 3 and threes and not leading_zero else NO_NUMBER
        elif last_count == 1 and last_bit <= 8:
            shape = number_with_both(kind, data, start, end, used, last_bit)
        else:
            shape = NO_NUMBER
        all_shapes |= shape
        # Most strings have the same around their number as the one before them.
        same = (
            last is not None and kind == last_kind and start == last_start and size - end == last_size - last_known_end
        )
        if same:
            i = 0
            while i < start and PyUnicode_READ(kind, data, i) == PyUnicode_READ(kind, last_data, i):
                i += 1
            same = i == start
            i = 0
            while same and i < size - end:
                same = PyUnicode_READ(kind, data, end + i) == PyUnicode_READ(kind, last_data, last_known_end + i)
                i += 1
        if not same:
            key = (PyUnicode_Substring(string, 0, start), PyUnicode_Substring(string, end, size))
            place = place_of.setdefault(key, len(around))
            if place == len(around):
                around.append(key)
        last, last_kind, last_data, last_size, last_start, last_known_end = string, kind, data, size, start, end
        places.append(place)
        numbers.append(number)
        shapes.append(shape)
    return around, places, numbers, shapes, all_shapes, widths


cdef int number_with_both(int kind, void *data, Py_ssize_t start, Py_ssize_t end, int used, int last_bit) noexcept:
    """The shape of a number whose last separator is a decimal sign, and the others make groups."""
    cdef int group = used & ~last_bit
    cdef Py_ssize_t i, run = 0, groups = 0
    cdef bint fine = PyUnicode_READ(kind, data, start) != 48
    cdef bint threes = True, twos = group == 8, decimals = False
    cdef int bit
    if group & (group - 1):
        return NUMBERLESS
    for i in range(start, end):
        bit = separator_bit(PyUnicode_READ(kind, data, i))
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
    return group | (1 if last_bit == 4 else 2)


def resolve(list strings not None, str scheme not None, str origin not None, str directory not None, by_hand not None):
    """Addresses made absolute; see `strings.pyi`."""
    cdef Py_ssize_t k, i, size, length = PyList_GET_SIZE(strings)
    cdef list resolved = [None] * length
    cdef int kind
    cdef void *data
    cdef Py_UCS4 c, before, first
    cdef str string
    cdef bint simple, path
    for k in range(length):
        string = <str>strings[k]
        if string is None:
            continue
        size = PyUnicode_GET_LENGTH(string)
        if size == 0 or string == "#" or string.startswith("javascript:"):
            continue
        kind = PyUnicode_KIND(string)
        data = PyUnicode_DATA(string)
        first = PyUnicode_READ(kind, data, 0)
        # A dot after a slash may have to be removed; a colon before one is the end of a scheme.
        simple = first > 32 and first != 46 and first != 35 and first != 63 and first != 59
        path = False
        before = 0
        i = 0
        while simple and i < size:
            c = PyUnicode_READ(kind, data, i)
            if c <= 63:
                if c <= 32:
                    simple = False
                elif c == 47 or c == 63 or c == 35:
                    path = True
                elif c == 46:
                    simple = before != 47
                elif c == 58:
                    simple = path
            elif c == 92 or c > 127:
                simple = c != 92 and not Py_UNICODE_ISSPACE(c)
            before = c
            i += 1
        if simple and first == 47 and size > 1 and PyUnicode_READ(kind, data, 1) == 47:
            # What follows must be a host.
            c = PyUnicode_READ(kind, data, 2) if size > 2 else 0
            simple = c > 47 and c != 63
        if simple:
            if first != 47:
                resolved[k] = directory + string
            elif size > 1 and PyUnicode_READ(kind, data, 1) == 47:
                resolved[k] = scheme + string
            else:
                resolved[k] = origin + string
        elif first == 104 and (string.startswith("http://") or string.startswith("https://")) and is_whole(string):
            resolved[k] = string
        else:
            resolved[k] = by_hand(string)
    return resolved


cdef bint is_whole(str string):
    """Whether no character has to be removed or escaped."""
    cdef Py_ssize_t i
    cdef int kind = PyUnicode_KIND(string)
    cdef void *data = PyUnicode_DATA(string)
    for i in range(PyUnicode_GET_LENGTH(string)):
        if PyUnicode_READ(kind, data, i) <= 32:
            return False
    return True
