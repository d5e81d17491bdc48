"""What may be read in a string by its numbers: a date, a time of day, a telephone number, a rating.
It may be more than what is read in the end, never less; a look at each number is all that it takes."""

from fastwrap._core.types.characters cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, character, is_digit, uint8_t, uint16_t, uint32_t,
)

cdef enum:
    LONGEST_BEFORE = 40     # characters before a date
    LONGEST_BETWEEN = 24    # characters between the first two numbers of a date
    SHORTEST_MONTH = 3
    FEWEST_OF_PHONE = 7     # digits
    LONGEST_BEFORE_PHONE = 16   # characters

cdef bint IN_PHONES[128]
for _code in range(128):
    IN_PHONES[_code] = chr(_code) in " ().-/+extnsioEXTNSIO"


cdef struct FirstNumbers:
    # Where the first three numbers of a string begin and end.
    Py_ssize_t start[3]
    Py_ssize_t end[3]


cdef int families_of(const character *text, Py_ssize_t length) noexcept:
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
        return families_of(<const uint8_t *>PyUnicode_DATA(string), length)
    if kind == 2:
        return families_of(<const uint16_t *>PyUnicode_DATA(string), length)
    return families_of(<const uint32_t *>PyUnicode_DATA(string), length)
