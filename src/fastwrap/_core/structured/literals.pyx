"""Literals: objects and arrays of plain data in the text of a script, from their first byte to their last.
What JavaScript allows and JSON does not is rewritten on the way; nothing is run, and no byte is read twice."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memcpy

cdef enum:
    DEEPEST = 200
    MOST_MAGNITUDE = 308     # digits before the point, and the exponent: more of them are no float
    MOST_DIGITS = 300        # of a number

MOST_DEPTH = DEEPEST

# What comes next.
cdef enum Turn:
    A_VALUE
    VALUE_OR_END
    KEY_OR_END
    A_COLON
    COMMA_OR_END

cdef enum Outcome:
    DATA
    NO_DATA
    TOO_DEEP
    NO_MEMORY

cdef struct Scan:
    const unsigned char *at
    const unsigned char *end
    const unsigned char *copied   # what is before it is in `out`, if anything had to be rewritten
    unsigned char *out
    size_t length
    size_t capacity
    int depth
    Outcome outcome
    unsigned char open[DEEPEST]   # the brackets


# Rewriting

cdef bint append(Scan *scan, const unsigned char *text, size_t length) noexcept nogil:
    cdef unsigned char *moved
    cdef size_t wanted = scan.length + length
    if wanted > scan.capacity:
        wanted = wanted * 2 + 256
        moved = <unsigned char *>realloc(scan.out, wanted)
        if moved == NULL:
            scan.outcome = NO_MEMORY
            return False
        scan.out = moved
        scan.capacity = wanted
    memcpy(scan.out + scan.length, text, length)
    scan.length += length
    return True


cdef bint put(Scan *scan, const unsigned char *start, const unsigned char *end, const char *text,
              size_t length) noexcept nogil:
    """Write other bytes in place of those from `start` to `end`."""
    if not append(scan, scan.copied, start - scan.copied):
        return False
    scan.copied = end
    return append(scan, <const unsigned char *>text, length)


cdef bint put_null(Scan *scan, const unsigned char *start, const unsigned char *end) noexcept nogil:
    return put(scan, start, end, b"null", 4)


# Bytes

cdef inline bint is_digit(unsigned char byte) noexcept nogil:
    return 48 <= byte <= 57


cdef inline bint is_word(unsigned char byte) noexcept nogil:
    """Whether a byte may be part of a name: a letter, a digit, _ or $, or of a character beyond ASCII."""
    return is_digit(byte) or 97 <= byte | 32 <= 122 or byte == 95 or byte == 36 or byte >= 128


cdef inline int hex_value(unsigned char byte) noexcept nogil:
    if is_digit(byte):
        return byte - 48
    byte |= 32
    return byte - 87 if 97 <= byte <= 102 else -1


cdef int hex_number(const unsigned char *at, const unsigned char *end, int digits) noexcept nogil:
    """The number that so many digits write; -1 where they are none."""
    cdef int number = 0, k
    if end - at < digits:
        return -1
    for k in range(digits):
        if hex_value(at[k]) < 0:
            return -1
        number = number * 16 + hex_value(at[k])
    return number


cdef int odd_space(const unsigned char *at, const unsigned char *end) noexcept nogil:
    """Bytes of white space here that JSON does not have: a comment, a form feed, U+00A0, U+FEFF, U+2028, U+2029; 0 for
    none, -1 for a comment without an end."""
    cdef const unsigned char *start = at
    cdef Py_ssize_t left = end - at
    if at[0] == 11 or at[0] == 12:
        return 1
    if left >= 2 and at[0] == 0xC2 and at[1] == 0xA0:
        return 2
    if left >= 3 and (memcmp(at, b"\xef\xbb\xbf", 3) == 0 or memcmp(at, b"\xe2\x80\xa8", 3) == 0
                      or memcmp(at, b"\xe2\x80\xa9", 3) == 0):
        return 3
    if left < 2 or at[0] != c"/":
        return 0
    if at[1] == c"/":
        while at < end and at[0] != c"\n":
            at += 1
        return <int>(at - start)
    if at[1] != c"*":
        return 0
    at += 2
    while end - at >= 2:
        if at[0] == c"*" and at[1] == c"/":
            return <int>(at + 2 - start)
        at += 1
    return -1


cdef const unsigned char *behind_space(Scan *scan, bint write) noexcept nogil:
    """Where white space ends, with comments in it; NULL for one without an end. What JSON does not have is removed."""
    cdef const unsigned char *at = scan.at
    cdef int odd
    while at < scan.end:
        if at[0] == 32 or at[0] == 10 or at[0] == 13 or at[0] == 9:
            at += 1
            continue
        if is_word(at[0]) and at[0] < 128 or at[0] == c'"':
            break
        odd = odd_space(at, scan.end)
        if odd < 0:
            scan.at = scan.end
            return NULL
        if odd == 0:
            break
        if write and not put(scan, at, at + odd, b" ", 1):
            return NULL
        at += odd
    return at


# Values

cdef bint read_escape(Scan *scan) noexcept nogil:
    """What a backslash begins, within a string; False where the string ends after it."""
    cdef const unsigned char *at = scan.at
    cdef unsigned char byte
    cdef char written[6]
    cdef const char *digits = b"0123456789abcdef"
    cdef int number
    if scan.end - at < 2:
        return False
    byte = at[1]
    scan.at = at + 2
    if (byte == c'"' or byte == c"\\" or byte == c"/" or byte == c"b" or byte == c"f" or byte == c"n" or byte == c"r"
            or byte == c"t"):
        return True
    if byte == c"u":
        number = hex_number(at + 2, scan.end, 4)
        if number >= 0:
            scan.at = at + 6
            if not 0xD800 <= number <= 0xDFFF:
                return True
            if (number <= 0xDBFF and scan.end - at >= 12 and at[6] == c"\\" and at[7] == c"u"
                    and 0xDC00 <= hex_number(at + 8, scan.end, 4) <= 0xDFFF):
                scan.at = at + 12
                return True
            return put(scan, at, at + 6, b"\\ufffd", 6)
    elif byte == c"x" or byte == c"v" or byte == c"0":
        number = hex_number(at + 2, scan.end, 2) if byte == c"x" else 11 if byte == c"v" else 0
        if number >= 0:
            if byte == c"x":
                scan.at = at + 4
            memcpy(written, b"\\u00", 4)
            written[4] = digits[number >> 4]
            written[5] = digits[number & 15]
            return put(scan, at, scan.at, written, 6)
    elif byte == c"\n":
        return put(scan, at, at + 2, b"", 0)  # the string goes on in the next line
    # The character stands for itself.
    scan.at = at + 1 if byte < 32 else at + 2
    return put(scan, at, at + 1, b"", 0)


cdef bint read_string(Scan *scan) noexcept nogil:
    """A string, from its opening quote on."""
    cdef unsigned char quote = scan.at[0], byte
    cdef char written[6]
    cdef const char *digits = b"0123456789abcdef"
    if quote != c'"' and not put(scan, scan.at, scan.at + 1, b'"', 1):
        return False
    scan.at += 1
    while scan.at < scan.end:
        byte = scan.at[0]
        if byte == quote:
            scan.at += 1
            return quote == c'"' or put(scan, scan.at - 1, scan.at, b'"', 1)
        if byte == c"\\":
            if not read_escape(scan):
                return False
        elif byte < 32:
            if quote != c'"':
                return False  # an apostrophe, then
            memcpy(written, b"\\u00", 4)
            written[4] = digits[byte >> 4]
            written[5] = digits[byte & 15]
            if not put(scan, scan.at, scan.at + 1, written, 6):
                return False
            scan.at += 1
        else:
            if byte == c'"' and not put(scan, scan.at, scan.at, b"\\", 1):
                return False
            scan.at += 1
    return False


cdef bint read_number(Scan *scan) noexcept nogil:
    """A number, as JSON writes it; null for one that is too large."""
    cdef const unsigned char *start = scan.at
    cdef const unsigned char *at = start
    cdef const unsigned char *first
    cdef const unsigned char *zeros
    cdef const unsigned char *point
    cdef const unsigned char *end = scan.end
    cdef Py_ssize_t whole, parts = 0
    cdef int exponent = 0
    cdef bint is_small = False
    if at[0] == c"-" or at[0] == c"+":
        at += 1
    first = at
    while at < end and is_digit(at[0]):
        at += 1
    point = at
    if at < end and at[0] == c".":
        at += 1
        while at < end and is_digit(at[0]):
            at += 1
        parts = at - point - 1
        if point == first and parts == 0:
            return False
    elif point == first:
        return False
    if at < end and at[0] | 32 == c"e":
        at += 1
        if at < end and (at[0] == c"-" or at[0] == c"+"):
            is_small = at[0] == c"-"
            at += 1
        if at == end or not is_digit(at[0]):
            return False
        while at < end and is_digit(at[0]):
            exponent = exponent * 10 + at[0] - 48 if exponent < 10_000 else exponent
            at += 1
    if at < end and (is_word(at[0]) or at[0] == c"."):
        return False
    scan.at = at
    zeros = first
    while point - first > 1 and first[0] == c"0":
        first += 1
    whole = point - first
    if whole + parts > MOST_DIGITS or not is_small and whole + exponent > MOST_MAGNITUDE:
        return put_null(scan, start, at)
    if start[0] == c"+" and not put(scan, start, start + 1, b"", 0):
        return False
    if zeros != first and not put(scan, zeros, first, b"", 0):
        return False
    if whole == 0 and not put(scan, point, point, b"0", 1):
        return False
    return parts > 0 or point >= end or point[0] != c"." or put(scan, point + 1, point + 1, b"0", 1)


cdef bint read_word(Scan *scan) noexcept nogil:
    """A word that stands for a value."""
    cdef const unsigned char *start = scan.at
    cdef const unsigned char *at = start
    cdef Py_ssize_t length
    if at[0] == c"-" or at[0] == c"+":
        at += 1
    while at < scan.end and is_word(at[0]):
        at += 1
    length = at - start
    scan.at = at
    if length == 4 and (memcmp(start, b"true", 4) == 0 or memcmp(start, b"null", 4) == 0):
        return True
    if length == 5 and memcmp(start, b"false", 5) == 0:
        return True
    if length == 3 and memcmp(start, b"NaN", 3) == 0 or length == 9 and memcmp(start, b"undefined", 9) == 0:
        return put_null(scan, start, at)
    if (length == 8 or length == 9 and not is_word(start[0])) and memcmp(at - 8, b"Infinity", 8) == 0:
        return put_null(scan, start, at)
    if length == 4 and memcmp(start, b"void", 4) == 0 and scan.end - at >= 2 and at[0] == 32 and at[1] == c"0":
        scan.at = at + 2
        return (scan.at == scan.end or not is_word(scan.at[0])) and put_null(scan, start, scan.at)
    scan.at = start
    return False


cdef bint read_not(Scan *scan) noexcept nogil:
    """How programs are made shorter: !0 and !1."""
    cdef const unsigned char *at = scan.at
    if scan.end - at < 2 or at[1] != c"0" and at[1] != c"1" or scan.end - at > 2 and is_word(at[2]):
        return False
    scan.at = at + 2
    return put(scan, at, at + 2, b"true", 4) if at[1] == c"0" else put(scan, at, at + 2, b"false", 5)


cdef bint read_scalar(Scan *scan) noexcept nogil:
    """A string, a number or a word."""
    cdef unsigned char byte = scan.at[0]
    if byte == c'"' or byte == c"'":
        return read_string(scan)
    if byte == c"!":
        return read_not(scan)
    if is_digit(byte) or byte == c".":
        return read_number(scan)
    if byte == c"-" or byte == c"+":
        return read_word(scan) if scan.end - scan.at > 1 and scan.at[1] == c"I" else read_number(scan)
    return is_word(byte) and byte < 128 and read_word(scan)


cdef bint read_key(Scan *scan) noexcept nogil:
    """The name of a member."""
    cdef const unsigned char *start = scan.at
    if start[0] == c'"' or start[0] == c"'":
        return read_string(scan)
    while scan.at < scan.end and is_word(scan.at[0]):
        scan.at += 1
    return scan.at > start and put(scan, start, start, b'"', 1) and put(scan, scan.at, scan.at, b'"', 1)


cdef bint ends_after(Scan *scan) noexcept nogil:
    """Whether an object or array ends after a comma, behind which the scan is."""
    cdef const unsigned char *at = scan.at
    if at < scan.end and (at[0] == c'"' or at[0] == c"{"):
        return False
    at = behind_space(scan, False)
    return at != NULL and at < scan.end and (at[0] == c"}" or at[0] == c"]")


cdef bint read_literal(Scan *scan) noexcept nogil:
    """An object or array, with all in it; False where it is no data, and the scan is where that was seen."""
    cdef const unsigned char *at
    cdef unsigned char byte
    cdef bint is_last
    cdef Turn turn = A_VALUE
    scan.depth = 0
    while True:
        at = behind_space(scan, True)
        if at == NULL:
            return False
        scan.at = at
        if at == scan.end:
            return False
        byte = at[0]
        if (byte == c"}" or byte == c"]") and turn != A_VALUE and turn != A_COLON:
            if byte != scan.open[scan.depth - 1] + 2:
                return False
            scan.at += 1
            scan.depth -= 1
            if scan.depth == 0:
                return True
            turn = COMMA_OR_END
        elif turn == COMMA_OR_END:
            if byte != c",":
                return False
            scan.at += 1
            is_last = ends_after(scan)
            if is_last and not put(scan, at, at + 1, b"", 0):
                return False
            turn = KEY_OR_END if scan.open[scan.depth - 1] == c"{" else VALUE_OR_END if is_last else A_VALUE
        elif turn == KEY_OR_END:
            if not read_key(scan):
                return False
            turn = A_COLON
        elif turn == A_COLON:
            if byte != c":":
                return False
            scan.at += 1
            turn = A_VALUE
        elif byte == c"{" or byte == c"[":
            if scan.depth == DEEPEST:
                scan.outcome = TOO_DEEP
                return False
            scan.open[scan.depth] = byte
            scan.depth += 1
            scan.at += 1
            turn = KEY_OR_END if byte == c"{" else VALUE_OR_END
        else:
            if not read_scalar(scan):
                return False
            turn = COMMA_OR_END


# The search

cdef bint read_parsed(Scan *scan) noexcept nogil:
    """The string that `JSON.parse` is called with, which is here; False where there is none."""
    cdef const unsigned char *at = scan.at
    if scan.end - at < 12 or memcmp(at, b"JSON.parse(", 11) != 0:
        scan.at = at + 1
        return False
    at += 11
    while at < scan.end and (at[0] == 32 or at[0] == 10 or at[0] == 13 or at[0] == 9):
        at += 1
    scan.at = at
    if at == scan.end or at[0] != c'"' and at[0] != c"'":
        return False
    scan.copied = at
    return read_string(scan)


cdef bint find_next(Scan *scan, const unsigned char *stop, const unsigned char **found) noexcept nogil:
    """The next literal that begins before `stop`; the scan is behind it. False where there is none."""
    cdef const unsigned char *at
    while scan.outcome != NO_MEMORY:
        at = scan.at
        while at < stop and at[0] != c"{" and at[0] != c"[" and at[0] != c"J":
            at += 1
        scan.at = at
        if at >= stop:
            return False
        scan.length = 0
        scan.copied = at
        if at[0] == c"J":
            if read_parsed(scan):
                found[0] = at + 11
                while found[0][0] != c'"' and found[0][0] != c"'":
                    found[0] += 1
                return True
        elif read_literal(scan):
            found[0] = at
            return True
        elif scan.at == at:
            scan.at = at + 1
    return False


def find(bytes data not None, Py_ssize_t start, Py_ssize_t end, Py_ssize_t least, Py_ssize_t fruitless):
    """The literals of plain data in a part of a script; see `literals.pyi`."""
    cdef const unsigned char *source = <const unsigned char *>PyBytes_AS_STRING(data)
    cdef const unsigned char *found = NULL
    cdef const unsigned char *stop
    cdef Scan scan
    cdef bint there = True
    cdef list literals = []
    if not 0 <= start <= end <= PyBytes_GET_SIZE(data) or least < 0 or fruitless < 0:
        raise ValueError("no part of the data")
    scan.at = scan.copied = source + start
    scan.end = source + end
    scan.out = NULL
    scan.length = scan.capacity = 0
    scan.outcome = DATA
    stop = scan.end if end - start < fruitless else scan.at + fruitless
    try:
        while there:
            with nogil:
                there = find_next(&scan, stop, &found)
                if there:
                    stop = scan.end if scan.end - scan.at < fruitless else scan.at + fruitless
            if scan.outcome == NO_MEMORY:
                raise MemoryError("no memory for the data of a script")
            if there and scan.at - found >= least:
                if scan.length and not append(&scan, scan.copied, scan.at - scan.copied):
                    raise MemoryError("no memory for the data of a script")
                literals.append((found - source, scan.at - source,
                                 PyBytes_FromStringAndSize(<char *>scan.out, scan.length) if scan.length else None))
    finally:
        free(scan.out)
    return literals, scan.outcome == TOO_DEEP
