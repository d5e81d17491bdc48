"""Pager: which links of a page are labelled or marked as pagers do, and which links and texts are page numbers.
One linear pass over the node arrays; what it finds is for `fastwrap.paging` to judge."""

from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free

import numpy as np

cdef enum:
    TEXT = 0
    NO_NODE = -1
    # What attributes may tell, bits of `roles`.
    IS_HREF = 1
    IS_LABEL = 2
    IS_NAME = 4
    IS_CLASS = 8
    # What is found of a link, bits.
    LABELLED = 1
    MARKED = 2
    POINTING = 4
    # What a number is.
    NO_LINK = 0
    LINK = 1
    CURRENT = 2
    MAX_DIGITS = 5
    MAX_NUMBER = 14         # bytes of "[11111-22222]", and one to spare
    MAX_LEAD = 24           # bytes of a text that ends in the number of the page
    HEAD = 8                # bytes of a word that tell it from others
    CHARACTERS = 6          # the same, where two characters are as good as a word

cdef struct Page:
    const int32_t *attribute_start
    const int32_t *attribute_name
    const int32_t *value_start
    const unsigned char *values
    const uint8_t *roles
    int32_t known           # attributes that have a role


cdef inline bint is_letter(unsigned char byte) noexcept nogil:
    """Whether a byte is of a letter; those of most punctuation and of arrows start with one of two bytes."""
    return c"a" <= (byte | 0x20) <= c"z" or byte >= 0x80 and byte != 0xC2 and byte != 0xE2


cdef uint64_t head_of(const unsigned char *at, int32_t length) noexcept nogil:
    """The start of a label's first word, or its first sign, as one number; ASCII letters in lower case."""
    cdef uint64_t head = 0
    cdef int32_t k = 0, count = 0, most
    while k < length and (at[k] == c" " or at[k] == c"[" or at[k] == c"(" or at[k] == c"|"):
        k += 1
    if k < length and not is_letter(at[k]):
        most = 3 if at[k] == 0xE2 else 2 if at[k] == 0xC2 else 1
        while k < length and count < most:
            head |= <uint64_t>at[k] << 8 * count
            k += 1
            count += 1
        return head
    most = CHARACTERS if k < length and at[k] >= 0xE3 else HEAD
    while k < length and count < most and is_letter(at[k]):
        head |= <uint64_t>(at[k] | 0x20 if at[k] < 0x80 else at[k]) << 8 * count
        k += 1
        count += 1
    return head


cdef inline bint is_head(uint64_t head, const uint64_t[::1] heads) noexcept nogil:
    """Whether a number is one of the sorted ones."""
    cdef Py_ssize_t low = 0, high = heads.shape[0], middle
    while low < high:
        middle = (low + high) >> 1
        if heads[middle] < head:
            low = middle + 1
        else:
            high = middle
    return low < heads.shape[0] and heads[low] == head


cdef bint has_letters(const unsigned char *at, int32_t length) noexcept nogil:
    """Whether a text has letters, and so says something."""
    cdef int32_t k
    for k in range(length):
        # The bytes after the first one of a sign are not letters.
        if is_letter(at[k]) and not 0x80 <= at[k] < 0xC0:
            return True
    return False


cdef bint has_word(const unsigned char *at, int32_t length, const char *word, int letters) noexcept nogil:
    """Whether a value holds an ASCII word given in lower case."""
    cdef int32_t k
    cdef int j
    for k in range(length - letters + 1):
        if (at[k] | 0x20) == <unsigned char>word[0]:
            j = 1
            while j < letters and (at[k + j] | 0x20) == <unsigned char>word[j]:
                j += 1
            if j == letters:
                return True
    return False


cdef bint names_current(const unsigned char *at, int32_t length) noexcept nogil:
    """Whether class names tell that this is where the reader is."""
    return (has_word(at, length, "current", 7) or has_word(at, length, "selected", 8)
            or (has_word(at, length, "activ", 5) or has_word(at, length, "aktiv", 5))
            and not has_word(at, length, "inactiv", 7) and not has_word(at, length, "inaktiv", 7))


cdef inline int digits(const unsigned char *at, int32_t length, int32_t *number) noexcept nogil:
    """The number at the start of a text; returns how many digits it has, 0 if there are none or too many."""
    cdef int32_t k = 0
    number[0] = 0
    while k < length and c"0" <= at[k] <= c"9":
        if k == MAX_DIGITS:
            return 0
        number[0] = number[0] * 10 + at[k] - c"0"
        k += 1
    return k


cdef bint is_number(const unsigned char *at, int32_t length, int32_t *first, int32_t *last) noexcept nogil:
    """Whether a text is a page number or a range of numbers, with at most a bracket or a stop around it."""
    cdef int32_t k = 0, count
    if length <= 0 or length > MAX_NUMBER:
        return False
    if at[0] == c"[" or at[0] == c"(" or at[0] == c"{" or at[0] == c"|":
        k = 1
    if k < length and at[k] == c" ":
        k += 1
    count = digits(at + k, length - k, first)
    if count == 0:
        return False
    k += count
    last[0] = first[0]
    if k < length and at[k] == c" ":
        k += 1
    if k < length and at[k] == c"-" or k + 2 < length and at[k] == 0xE2 and at[k + 1] == 0x80 and at[k + 2] == 0x93:
        k += 1 if at[k] == c"-" else 3
        if k < length and at[k] == c" ":
            k += 1
        count = digits(at + k, length - k, last)
        if count == 0:
            return False
        k += count
        if k < length and at[k] == c" ":
            k += 1
    if k < length and (at[k] == c"]" or at[k] == c")" or at[k] == c"}" or at[k] == c"|" or at[k] == c"."
                       or at[k] == c","):
        k += 1
    return k == length


cdef bint ends_in_number(const unsigned char *at, int32_t length, int32_t *number) noexcept nogil:
    """Whether a short text ends in a number that stands alone, as "Pages: 1" and "| 2 |" do."""
    cdef int32_t end = length, start
    if length <= 0 or length > MAX_LEAD:
        return False
    while end > 0 and (at[end - 1] == c" " or at[end - 1] == c"|" or at[end - 1] == c"]" or at[end - 1] == c")"
                       or at[end - 1] == c"}" or at[end - 1] == c"." or at[end - 1] == c","):
        end -= 1
    start = end
    while start > 0 and c"0" <= at[start - 1] <= c"9":
        start -= 1
    if start > 0 and not (at[start - 1] == c" " or at[start - 1] == c"|" or at[start - 1] == c"["
                          or at[start - 1] == c"(" or at[start - 1] == c"{" or at[start - 1] == c":"):
        return False
    return digits(at + start, end - start, number) > 0


cdef int32_t with_role(const Page *page, int32_t node, uint8_t role) noexcept nogil:
    """The last attribute of a node that has a role; -1 if none has."""
    cdef int32_t k, found = -1
    for k in range(page.attribute_start[node], page.attribute_start[node + 1]):
        if page.attribute_name[k] < page.known and page.roles[page.attribute_name[k]] & role:
            found = k
    return found


cdef bint is_current(const Page *page, int32_t node, int32_t parent) noexcept nogil:
    """Whether a link is where the reader is: by its class, or that of what it is in, or because it leads nowhere."""
    cdef int32_t k = with_role(page, node, IS_HREF)
    if page.value_start[k] == page.value_start[k + 1] or page.values[page.value_start[k]] == c"#":
        return True
    k = with_role(page, node, IS_CLASS)
    if k >= 0 and names_current(page.values + page.value_start[k], page.value_start[k + 1] - page.value_start[k]):
        return True
    if parent == NO_NODE:
        return False
    k = with_role(page, parent, IS_CLASS)
    return k >= 0 and names_current(page.values + page.value_start[k], page.value_start[k + 1] - page.value_start[k])


cdef bint is_around_marked(const Page *page, int32_t node, const int32_t[::1] parent, const int32_t[::1] size,
                           int32_t max_more) noexcept nogil:
    """Whether "next" is in a name of the parent or its parent, if these hold little else than the link."""
    cdef int32_t up = parent[node], k, start
    for _step in range(2):
        if up == NO_NODE or size[up] > size[node] + max_more:
            return False
        for k in range(page.attribute_start[up], page.attribute_start[up + 1]):
            if page.attribute_name[k] < page.known and page.roles[page.attribute_name[k]] & IS_NAME:
                start = page.value_start[k]
                if has_word(page.values + start, page.value_start[k + 1] - start, "next", 4):
                    return True
        up = parent[up]
    return False


def scan(
    const int32_t[::1] tag not None,
    const int32_t[::1] parent not None,
    const int32_t[::1] size not None,
    const int32_t[::1] text_start not None,
    const int32_t[::1] attribute_start not None,
    const int32_t[::1] attribute_name not None,
    const int32_t[::1] value_start not None,
    bytes text not None,
    bytes values not None,
    const int32_t[::1] link_tags not None,
    int32_t link_element,
    const uint8_t[::1] roles not None,
    const uint64_t[::1] heads not None,
    int32_t max_label,
    int32_t max_more,
    int32_t gap,
    int32_t max_unlinked,
):
    """Links worth a look, and rows of numbers; see `pager.pyi`."""
    cdef Py_ssize_t n = tag.shape[0], tags = link_tags.shape[0], count = 0, numbers = 0
    cdef const unsigned char *letters = <const unsigned char *>PyBytes_AS_STRING(text)
    cdef int32_t node, link = 0, link_end = 0, k, owner, start, length, first, last
    cdef uint8_t role
    cdef bint is_link, is_page, empty = False, silent = False
    cdef Page page
    cdef uint8_t *kinds
    if n == 0 or attribute_name.shape[0] == 0:
        return np.empty((0, 2), dtype=np.int32), np.empty((0, 5), dtype=np.int32)
    found = np.empty((n, 5), dtype=np.int32)
    cdef int32_t[:, ::1] row = found
    page.attribute_start = &attribute_start[0]
    page.attribute_name = &attribute_name[0]
    page.value_start = &value_start[0]
    page.values = <const unsigned char *>PyBytes_AS_STRING(values)
    page.roles = &roles[0]
    page.known = roles.shape[0]
    kinds = <uint8_t *>calloc(n, 1)
    if kinds == NULL:
        raise MemoryError
    try:
        with nogil:
            for node in range(n):
                is_link = False
                for k in range(tags):
                    is_link = is_link or tag[node] == link_tags[k]
                is_link = is_link and with_role(&page, node, IS_HREF) >= 0
                if is_link or tag[node] == TEXT and node >= link_end:
                    start = text_start[node]
                    length = text_start[node + size[node]] - start - 1
                    if is_link:
                        link = node
                        link_end = node + size[node]
                        empty = length <= 0
                        silent = length <= max_label and not has_letters(letters + start, length)
                        if 0 < length <= max_label and is_head(head_of(letters + start, length), heads):
                            kinds[node] |= LABELLED
                    is_page = is_number(letters + start, length, &first, &last)
                    if not is_page and not is_link and ends_in_number(letters + start, length, &first):
                        is_page = True
                        last = first
                    if is_page:
                        silent = False
                        row[numbers, 0] = node
                        row[numbers, 1] = first
                        row[numbers, 2] = last
                        row[numbers, 3] = LINK if is_link else NO_LINK
                        if is_link and is_current(&page, node, parent[node]):
                            row[numbers, 3] = CURRENT
                        numbers += 1
                if is_link and is_around_marked(&page, node, parent, size, max_more):
                    kinds[node] |= MARKED
                if node >= link_end and tag[node] != link_element:
                    continue
                owner = link
                if node >= link_end:
                    owner = node
                    silent = empty = False
                for k in range(attribute_start[node], attribute_start[node + 1]):
                    role = roles[attribute_name[k]] if attribute_name[k] < page.known else 0
                    if role & (IS_LABEL | IS_NAME) == 0:
                        continue
                    start = value_start[k]
                    length = value_start[k + 1] - start
                    if silent and role & IS_LABEL and 0 < length <= max_label:
                        if is_head(head_of(page.values + start, length), heads):
                            kinds[owner] |= LABELLED
                    # Of addresses, the ends tell.
                    if length > max_label:
                        start += length - max_label
                        length = max_label
                    if empty and has_word(page.values + start, length, "right", 5):
                        kinds[owner] |= POINTING
                    if has_word(page.values + start, length, "next", 4):
                        kinds[owner] |= MARKED
            numbers = keep_rows(row, numbers, gap, max_unlinked)
            for node in range(n):
                count += kinds[node] != 0
        links = np.empty((count, 2), dtype=np.int32)
        fill(links, kinds, n)
    finally:
        free(kinds)
    return links, found[:numbers].copy()


cdef Py_ssize_t keep_rows(int32_t[:, ::1] numbers, Py_ssize_t count, int32_t gap, int32_t max_unlinked) noexcept nogil:
    """Number the rows that a pager may be, and drop all other numbers; returns how many are left."""
    cdef Py_ssize_t start = 0, end, k, kept = 0
    cdef int32_t links, unlinked, rows = 0
    while start < count:
        end = start
        links = unlinked = 0
        while end < count and (end == start or (numbers[end, 0] - numbers[end - 1, 0] <= gap
                                                and numbers[end, 1] > numbers[end - 1, 2])):
            links += numbers[end, 3] == LINK
            unlinked += numbers[end, 3] == NO_LINK
            end += 1
        if end - start > 1 and links > 0 and unlinked <= max_unlinked:
            for k in range(start, end):
                numbers[kept, 0] = numbers[k, 0]
                numbers[kept, 1] = numbers[k, 1]
                numbers[kept, 2] = numbers[k, 2]
                numbers[kept, 3] = numbers[k, 3]
                numbers[kept, 4] = rows
                kept += 1
            rows += 1
        start = end
    return kept


cdef void fill(int32_t[:, ::1] links, const uint8_t *kinds, Py_ssize_t n) noexcept:
    """List the nodes that anything was found of."""
    cdef Py_ssize_t node, place = 0
    for node in range(n):
        if kinds[node]:
            links[place, 0] = node
            links[place, 1] = kinds[node]
            place += 1
