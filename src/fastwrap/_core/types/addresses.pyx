"""Addresses of a column: made absolute by what the page's address has, and told apart by where they lead.
What is not simple is left to `urllib`; a look at every eighth byte is enough for most."""

from cpython.list cimport PyList_GET_SIZE
from libc.string cimport memchr, memcmp

from fastwrap._core.types.characters cimport (
    EIGHT_TIMES, Py_UNICODE_ISSPACE, PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_IS_ASCII, PyUnicode_KIND,
    PyUnicode_READ_CHAR, character, eight, from_on, uint8_t, uint16_t, uint32_t, uint64_t,
)

PICTURE_ENDINGS = (".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg", ".avif", ".bmp", ".tif", ".tiff", ".ico")
OTHER_ENDINGS = (".html", ".htm", ".js", ".mp3", ".mp4", ".webm", ".ogg", ".wav", ".m4a", ".m4v", ".pdf", ".swf")

cdef enum:
    # How an address is made absolute.
    NOWHERE = 0         # it leads nowhere
    ABSOLUTE = 1        # it is absolute
    TO_HOST = 2         # after the scheme
    TO_ROOT = 3         # after the origin
    TO_SIBLING = 4      # after the directory
    NOT_SIMPLE = 5

    MOST_ENDINGS = 12

# The letters of each ending in one number.
cdef uint32_t PICTURE_LETTERS[MOST_ENDINGS]
cdef uint32_t OTHER_LETTERS[MOST_ENDINGS]
for _number in range(MOST_ENDINGS):
    PICTURE_LETTERS[_number] = OTHER_LETTERS[_number] = 0
for _number, _ending in enumerate(PICTURE_ENDINGS):
    PICTURE_LETTERS[_number] = int.from_bytes(_ending[1:].encode(), "big")
for _number, _ending in enumerate(OTHER_ENDINGS):
    OTHER_LETTERS[_number] = int.from_bytes(_ending[1:].encode(), "big")


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
        return NOT_SIMPLE
    for i in range(size):
        c = text[i]
        if c <= 63:
            if c <= 32 or (c == 46 and before == 47) or (c == 58 and not path):
                return NOT_SIMPLE
            if c == 47 or c == 63 or c == 35:
                path = True
        elif c == 92 or (c > 127 and Py_UNICODE_ISSPACE(c)):
            return NOT_SIMPLE
        before = c
    if first != 47:
        return TO_SIBLING
    if size == 1 or text[1] != 47:
        return TO_ROOT
    # What follows must be a host.
    return TO_HOST if size > 2 and text[2] > 47 and text[2] != 63 else NOT_SIMPLE


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
        return NOT_SIMPLE if has_unseen(text, size) else ABSOLUTE
    if known:
        # As `way_of` says, but it need not look at every character.
        if text[0] != 47 or (size > 1 and text[1] == 47) or has_unseen(text, size) or may_have_steps(text, size):
            return way_of(text, size)
        return TO_ROOT
    for i in range(size):
        c = text[i]
        if c == 58:
            return NOT_SIMPLE
        if c == 47 or c == 63 or c == 35:
            break
    if has_unseen(text, size) or memchr(text, 92, size) != NULL:
        return NOT_SIMPLE
    return ABSOLUTE


cdef int way_of_string(str string, bint known) noexcept:
    """How an address is made absolute."""
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(string)
    cdef int kind = PyUnicode_KIND(string)
    if size == 0:
        return NOWHERE
    if PyUnicode_IS_ASCII(string):
        return way_of_ascii(<const uint8_t *>PyUnicode_DATA(string), size, known)
    if string.startswith("javascript:"):
        return NOWHERE
    if (string.startswith("http://") or string.startswith("https://")) and is_whole(string):
        return ABSOLUTE
    if kind == 1:
        return way_of(<const uint8_t *>PyUnicode_DATA(string), size)
    if kind == 2:
        return way_of(<const uint16_t *>PyUnicode_DATA(string), size)
    return way_of(<const uint32_t *>PyUnicode_DATA(string), size)


cdef bint is_whole(str string) noexcept:
    """Whether no character has to be removed or escaped."""
    cdef Py_ssize_t i
    for i in range(PyUnicode_GET_LENGTH(string)):
        if PyUnicode_READ_CHAR(string, i) <= 32:
            return False
    return True


def resolve(list addresses not None, str scheme not None, str origin not None, str directory not None):
    """Make addresses absolute in their places; see `addresses.pyi`."""
    return resolve_in_place(addresses, scheme, origin, directory)


cdef list resolve_in_place(list addresses, str scheme, str origin, str directory):
    cdef list not_simple = []
    cdef bint known = PyUnicode_GET_LENGTH(origin) > 0
    cdef Py_ssize_t i
    cdef str address
    cdef int way
    for i in range(PyList_GET_SIZE(addresses)):
        address = addresses[i]
        if address is None:
            continue
        way = way_of_string(address, known)
        if way == ABSOLUTE:
            continue
        if way == TO_ROOT:
            addresses[i] = origin + address
        elif way == TO_SIBLING:
            addresses[i] = directory + address
        elif way == TO_HOST:
            addresses[i] = scheme + address
        elif way == NOWHERE:
            addresses[i] = None
        else:
            not_simple.append(i)
    return not_simple


cdef bint path_ends(const character *text, Py_ssize_t size, const uint32_t *letters) noexcept:
    """Whether what is before "?" and "#" has one of the endings."""
    cdef Py_ssize_t end, i, width
    cdef uint32_t c, ending
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
        ending = 0
        for i in range(end - width, end):
            c = text[i]
            if c > 127:
                ending = 0
                break
            ending = ending << 8 | (c + 32 if 65 <= c <= 90 else c)
        for number in range(MOST_ENDINGS):
            if ending != 0 and ending == letters[number]:
                return True
    return False


cdef bint has_ending(str address, const uint32_t *letters) noexcept:
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(address)
    cdef int kind = PyUnicode_KIND(address)
    if kind == 1:
        return path_ends(<const uint8_t *>PyUnicode_DATA(address), size, letters)
    if kind == 2:
        return path_ends(<const uint16_t *>PyUnicode_DATA(address), size, letters)
    return path_ends(<const uint32_t *>PyUnicode_DATA(address), size, letters)


cdef Py_ssize_t count_endings(list addresses, Py_ssize_t most, const uint32_t *letters) except -1:
    """How many of the first `most` addresses that are not None have a path with one of the endings."""
    cdef Py_ssize_t count = 0
    cdef str address
    for address in addresses:
        if address is None:
            continue
        if most == 0:
            break
        most -= 1
        count += has_ending(address, letters)
    return count


def count_pictures(list addresses not None):
    """How many addresses have the ending of a picture; see `addresses.pyi`."""
    return count_endings(addresses, PyList_GET_SIZE(addresses), PICTURE_LETTERS)


def judge(list addresses not None, bint pictures, double misses):
    """What the addresses of a column lead to; see `addresses.pyi`."""
    return kind_of(addresses, pictures, misses)


cdef str kind_of(list addresses, bint pictures, double misses):
    cdef Py_ssize_t total = 0, few
    cdef str address, first = None
    for address in addresses:
        if address is not None:
            total += 1
            if first is None:
                first = address
    # Those of schema.org say whether a thing is to be had.
    if first is None or first.startswith("http://schema.org/") or first.startswith("https://schema.org/"):
        return ""
    few = <Py_ssize_t>(misses * total) + 1
    if pictures:
        if count_endings(addresses, few, OTHER_LETTERS) and 2 * count_endings(addresses, total, OTHER_LETTERS) >= total:
            return "url"
        return "image"
    if (
        count_endings(addresses, few, PICTURE_LETTERS)
        and count_endings(addresses, total, PICTURE_LETTERS) >= (1.0 - misses) * total
    ):
        return "image"
    for address in addresses:
        if address is None:
            continue
        if few == 0:
            break
        few -= 1
        if address.startswith("mailto:") or address.startswith("tel:"):
            return "contact"
    return "url"
