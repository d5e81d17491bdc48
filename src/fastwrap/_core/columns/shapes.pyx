"""What a text looks like: a number, an amount of money, a date, words. Scanners of bytes that stop as early as may be.
They read UTF-8, and know of it what tells letters from signs."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp

from fastwrap._core.common.hashing cimport eight_bytes

cdef enum:
    LONGEST_VALUE = 60      # bytes: what is longer is words
    MONTHS = 18
    CURRENCIES = 14
    SIGNS = 14
    NO_PAGES = 5
    MOST_DIGITS = 16        # bytes of an amount, so that its hundredths are a 64-bit number
    # What words in a text say, as bits
    CURRENCY_WORD = 1
    MONTH_WORD = 2

cdef uint64_t ALL = 0x0101010101010101
cdef uint32_t MONTH[MONTHS]         # the first three letters of months, packed
cdef uint32_t CURRENCY[CURRENCIES]  # words of two or three letters
cdef uint8_t NORMAL[256]            # what is left of a byte in a text without case and signs; 0: nothing
cdef const char *SIGN[SIGNS]
cdef const char *NO_PAGE[NO_PAGES]

for _place, _word in enumerate(b"jan feb mar apr may mai jun jul aug ago sep oct okt out nov dec dez dic".split()):
    MONTH[_place] = int.from_bytes(_word, "little")
for _place, _word in enumerate(b"usd eur gbp chf rs inr brl kr pln sek nok dkk aud cad".split()):
    CURRENCY[_place] = int.from_bytes(_word, "little")
for _place in range(256):
    NORMAL[_place] = ord(chr(_place).lower()) if _place < 128 and chr(_place).isalnum() else _place & -(_place >> 7)
SIGN[0] = b"$"
SIGN[1] = b"R$"
SIGN[2] = b"US$"
SIGN[3] = b"\xc2\xa3"
SIGN[4] = b"\xc2\xa5"
SIGN[5] = b"-"
SIGN[6] = b"EUR"
SIGN[7] = b"USD"
SIGN[8] = b"GBP"
SIGN[9] = b"CHF"
SIGN[10] = b"kr."       # before "kr": the longest is wanted
SIGN[11] = b"kr"
SIGN[12] = b"z\xc5\x82"
SIGN[13] = b"K\xc4\x8d"
NO_PAGE[0] = b"javascript:"
NO_PAGE[1] = b"mailto:"
NO_PAGE[2] = b"tel:"
NO_PAGE[3] = b"#"
NO_PAGE[4] = b"data:"


cdef bint has_digit(const unsigned char *text, int32_t length) noexcept nogil:
    """Whether a text has a digit; eight bytes per step."""
    cdef uint64_t word
    cdef int32_t at = 0
    while at + 8 <= length:
        # The high bit of a byte stays 0 only if that byte is a digit.
        word = eight_bytes(text + at) ^ (ALL * 0x30)
        if ((((word & (ALL * 0x7F)) + ALL * 0x76) | word) & (ALL * 0x80)) != ALL * 0x80:
            return True
        at += 8
    while at < length:
        if is_digit(text[at]):
            return True
        at += 1
    return False


cdef struct Letters:
    # What a text is made of.
    int32_t letters
    int32_t digits
    bint currency       # a sign of one


cdef inline int32_t count_letter(const unsigned char *text, int32_t left, Letters *found) noexcept nogil:
    """Count the character that a text of `left` bytes begins with. Returns its bytes."""
    cdef unsigned char byte = text[0], after = text[1] if left > 1 else 0
    if byte < 0x80:
        found.digits += is_digit(byte)
        found.letters += c"a" <= (byte | 0x20) <= c"z"
        found.currency |= byte == c"$"
        return 1
    if byte < 0xE0:
        found.letters += byte != 0xC2
        found.currency |= byte == 0xC2 and (after == 0xA3 or after == 0xA5)
        return 2
    if byte < 0xF0:
        found.letters += not (byte == 0xE2 or (byte == 0xE3 and after == 0x80) or (
            byte == 0xEF and (after == 0xBB or after == 0xBC or after == 0xBF)))
        found.currency |= (byte == 0xE2 and after == 0x82) or (
            byte == 0xEF and after == 0xBF and left > 2 and text[2] == 0xA5)
        return 3
    found.letters += after != 0x9F      # pictures
    return 4


cdef inline bint says_something(const unsigned char *text, int32_t length) noexcept nogil:
    """Whether a text has a letter or a digit."""
    cdef Letters found = Letters(0, 0, False)
    cdef int32_t at = 0
    while at < length and not (found.letters or found.digits):
        at += count_letter(text + at, length - at, &found)
    return found.letters != 0 or found.digits != 0


cdef int32_t words_in(const unsigned char *text, int32_t length) noexcept nogil:
    """What the words of a text say: runs of ASCII letters and of bytes beyond ASCII."""
    cdef int32_t at = 0, size, k, said = 0
    cdef uint32_t start
    cdef unsigned char byte
    while at < length:
        size = 0
        start = 0
        while at < length:
            byte = text[at]
            if byte < 0x80:
                byte |= 0x20
                if not c"a" <= byte <= c"z":
                    break
            if size < 3:
                start |= <uint32_t>byte << (8 * size)
            size += 1
            at += 1
        at += 1
        if 2 <= size <= 3:
            for k in range(CURRENCIES):
                if CURRENCY[k] == start:
                    said |= CURRENCY_WORD
        if size >= 3:
            for k in range(MONTHS):
                if MONTH[k] == start:
                    said |= MONTH_WORD
    return said


cdef inline bint is_date_sign(unsigned char byte) noexcept nogil:
    return byte == c"." or byte == c"/" or byte == c"-"


cdef bint has_numeric_date(const unsigned char *text, int32_t length) noexcept nogil:
    """Whether a text has digits, a sign, one or two digits, a sign, and a digit: 2024-05-17."""
    cdef int32_t at, second
    for at in range(1, length - 3):
        if is_date_sign(text[at]) and is_digit(text[at - 1]) and is_digit(text[at + 1]):
            second = at + 2 + is_digit(text[at + 2])
            if second + 1 < length and is_date_sign(text[second]) and is_digit(text[second + 1]):
                return True
    return False


cdef bint has_clock(const unsigned char *text, int32_t length) noexcept nogil:
    """Whether a text has a digit, a colon, and two digits."""
    cdef int32_t at
    for at in range(1, length - 2):
        if text[at] == c":" and is_digit(text[at - 1]) and is_digit(text[at + 1]) and is_digit(text[at + 2]):
            return True
    return False


cdef bint is_counted(const unsigned char *text, int32_t length) noexcept nogil:
    """Whether a text is a number and one or two words: "(1,204) reviews"."""
    cdef int32_t at = 0, words = 0, start
    if text[at] == c"(":
        at += 1
    if at == length or not is_digit(text[at]):
        return False
    while at < length and (is_digit(text[at]) or text[at] == c"." or text[at] == c","):
        at += 1
    if at < length and ((text[at] | 0x20) == c"k" or (text[at] | 0x20) == c"m"):
        at += 1
    if at < length and text[at] == c"+":
        at += 1
    if at < length and text[at] == c")":
        at += 1
    while at < length and words < 2:
        if text[at] != c" ":
            return False
        at += 1
        start = at
        while at < length and text[at] != c" ":
            at += 1
        if at == start:
            return False
        words += 1
    return at == length and words > 0


cdef int32_t shape_of_value(const unsigned char *text, int32_t length) noexcept nogil:
    """What a short text with a digit looks like; NOTHING for one that is none of the values."""
    cdef Letters found = Letters(0, 0, False)
    cdef int32_t at = 0, said
    while at < length:
        at += count_letter(text + at, length - at, &found)
    said = words_in(text, length) if found.letters and (found.letters <= 12 or length < 40) else 0
    if found.letters <= 12 and (found.currency or said & CURRENCY_WORD):
        return MONEY
    if found.letters <= 8 and memchr(text, c"%", length) != NULL:
        return PERCENT
    if length < 40 and (said & MONTH_WORD or has_numeric_date(text, length)):
        return DATE
    if length < 20 and has_clock(text, length):
        return TIME
    if found.letters == 0:
        return NUMBER
    return COUNT if found.letters < 20 and is_counted(text, length) else NOTHING


cdef inline bint starts(const unsigned char *text, int32_t length, const char *start) noexcept nogil:
    """Whether a text begins so, with letters of any case; `start` has small ones."""
    cdef int32_t at = 0
    while start[at]:
        if at == length or lower(text[at]) != <unsigned char>start[at]:
            return False
        at += 1
    return True


cdef int32_t shape_of(const unsigned char *text, int32_t length) noexcept nogil:
    """What a text looks like."""
    cdef unsigned char last = text[length - 1]
    cdef int32_t shape
    if not says_something(text, length):
        return NOTHING
    if (text[0] == c"{" or text[0] == c"[") and (last == c"}" or last == c"]") and length > 2 and (
            memchr(text, c'"', length) != NULL or memchr(text, c":", length) != NULL):
        return NOTHING      # data of a program
    if starts(text, length, b"http://") or starts(text, length, b"https://") or starts(text, length, b"www."):
        return ADDRESS
    if length <= LONGEST_VALUE and has_digit(text, length):
        shape = shape_of_value(text, length)
        if shape != NOTHING:
            return shape
    return MAIL if memchr(text, c" ", length) == NULL and memchr(text, c"@", length) != NULL else WORDS


cdef int32_t sign_length(const unsigned char *text, int32_t length) noexcept nogil:
    """How many bytes of a text are the sign of a currency, or a dash, that it begins with."""
    cdef int32_t k, size
    if length >= 3 and text[0] == 0xE2 and (
            (text[1] == 0x82 and 0xA0 <= text[2] <= 0xBF) or (text[1] == 0x80 and 0x90 <= text[2] <= 0x95)):
        return 3
    for k in range(SIGNS):
        size = 0
        while SIGN[k][size] and size < length and text[size] == <unsigned char>SIGN[k][size]:
            size += 1
        if SIGN[k][size] == 0:
            return size
    return 0


cdef int64_t amount_of(const unsigned char *text, int32_t length) noexcept nogil:
    """The first amount in a text, in hundredths; 0 if there is none. The last point or comma with one or two digits
    after it is the decimal sign."""
    cdef int32_t start = 0, end, at, sign
    cdef int64_t whole = 0
    while start < length and not is_digit(text[start]):
        start += 1
    end = sign = start
    while end < length and (is_digit(text[end]) or text[end] == c"." or text[end] == c","):
        end += 1
    while end > start and not is_digit(text[end - 1]):
        end -= 1
    end = min(end, start + MOST_DIGITS)
    for at in range(start, end):
        if is_digit(text[at]):
            whole = 10 * whole + (text[at] - c"0")
        else:
            sign = at
    if sign != start and end - sign == 3:
        return whole
    return 10 * whole if sign != start and end - sign == 2 else 100 * whole


cdef int32_t normalise(const unsigned char *text, int32_t length, unsigned char *normal) noexcept nogil:
    """Write a text without case, and without all that is neither letter nor digit in ASCII. Returns its length."""
    cdef int32_t at, size = 0
    for at in range(length):
        normal[size] = NORMAL[text[at]]
        size += NORMAL[text[at]] != 0
    return size


cdef bint contains(const unsigned char *text, int32_t length, const unsigned char *part, int32_t size,
                   int64_t *work) noexcept nogil:
    """Whether a text has a part of at least one byte; `work` is what may still be compared."""
    cdef const unsigned char *last = text + length - size
    if size > length:
        return False
    work[0] -= length >> 3
    while text <= last and work[0] >= 0:
        text = <const unsigned char *>memchr(text, part[0], last - text + 1)
        if text == NULL:
            return False
        if memcmp(text, part, size) == 0:
            return True
        work[0] -= 1 + (size >> 3)
        text += 1
    return False


cdef bint is_page(const unsigned char *link, int32_t length) noexcept nogil:
    """Whether a link leads to a page."""
    cdef int32_t k
    for k in range(NO_PAGES):
        if starts(link, length, NO_PAGE[k]):
            return False
    return True


cdef bint is_file_name(const unsigned char *text, int32_t length) noexcept nogil:
    """Whether a text is rather the name of a file: no space, but two hyphens, an underscore, or a point, no digit."""
    cdef int32_t at, hyphens = 0
    cdef bint point = False, digit = False
    for at in range(length):
        if text[at] == c" ":
            return False
    for at in range(length):
        if text[at] == c"_":
            return True
        hyphens += text[at] == c"-"
        point |= text[at] == c"."
        digit |= is_digit(text[at])
    return hyphens > 1 or (point and not digit)
