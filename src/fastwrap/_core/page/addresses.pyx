"""Addresses made absolute by what the base of a page has.
What is not simple is left to `urllib`, by `fastwrap.page.addresses`."""

from libc.string cimport memchr, memcmp, strcspn, strstr

from fastwrap._core.common.characters cimport (
    Py_UNICODE_ISSPACE, PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_IS_ASCII, PyUnicode_KIND, PyUnicode_READ_CHAR,
    character, uint8_t, uint16_t, uint32_t,
)

cdef enum:
    # How an address is made absolute.
    NOWHERE = 0         # it leads nowhere
    ABSOLUTE = 1        # it is absolute
    TO_HOST = 2         # after the scheme
    TO_ROOT = 3         # after the origin
    TO_SIBLING = 4      # after the directory
    NOT_SIMPLE = 5


cdef inline bint begins(const uint8_t *text, Py_ssize_t size, const char *start, Py_ssize_t length) noexcept:
    return size >= length and memcmp(text, start, length) == 0


cdef bint has_unseen(const uint8_t *text, Py_ssize_t size) noexcept:
    """Whether ASCII text has white space or control characters."""
    cdef uint8_t lowest = 255
    cdef Py_ssize_t i
    for i in range(size):
        lowest = min(lowest, text[i])  # without a way out of the loop, the compiler looks at many at a time
    return lowest <= 32


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
    if (size == 1 and text[0] == 35) or begins(text, size, "javascript:", 11):
        return NOWHERE
    if (
        begins(text, size, "http://", 7) or begins(text, size, "https://", 8) or begins(text, size, "data:", 5)
        or begins(text, size, "mailto:", 7) or begins(text, size, "tel:", 4)
    ):
        return NOT_SIMPLE if has_unseen(text, size) else ABSOLUTE
    if known:
        # As `way_of` says, but it need not look at every character by itself.
        if (
            text[0] == 47 and (size == 1 or text[1] != 47) and not has_unseen(text, size)
            and strstr(<const char *>text, "/.") == NULL and memchr(text, 92, size) == NULL
        ):
            return TO_ROOT
        return way_of(text, size)
    if text[strcspn(<const char *>text, ":/?#")] == 58 or has_unseen(text, size) or memchr(text, 92, size) != NULL:
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


cpdef list resolve(list addresses, str scheme, str origin, str directory):
    """Make addresses absolute in their places; see `addresses.pyi`."""
    cdef list not_simple = []
    cdef bint known = len(origin) > 0
    cdef Py_ssize_t i
    cdef str address
    cdef int way
    for i in range(len(addresses)):
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
