"""Pager: which links of a page are labelled or marked as pagers do, and which links and texts are page numbers.
One linear pass over the node arrays; `fastwrap.paging` judges what comes out."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memchr, memcpy, memset, strchr

from fastwrap._core.common.buffers cimport data_of, held
from fastwrap._core.common.names cimport (
    ATTRIBUTE_ALT, ATTRIBUTE_ARIA_LABEL, ATTRIBUTE_CLASS, ATTRIBUTE_HREF, ATTRIBUTE_ID, ATTRIBUTE_REL, ATTRIBUTE_SRC,
    ATTRIBUTE_TITLE, ATTRIBUTE_XLINK_HREF, TAG_A, TAG_AREA, TAG_LINK, TEXT,
)
from fastwrap._core.common.page cimport (
    NO_ENTRY, NO_NODE, TOUCHES, NativePage, PageArrays, attribute_of, subtree_end, value_length,
)
from fastwrap._core.common.scratch cimport piece, put_back, take

import numpy as np

cdef enum:
    # What an attribute is to the scan.
    NOT_READ = 0
    IS_LABEL = 1            # of the link that it is in
    IS_NAME = 2
    # The kinds of a link, bits.
    LABELLED = 1
    MARKED = 2
    POINTING = 4
    # What a number is.
    NO_LINK = 0
    LINK = 1
    CURRENT = 2
    MAX_DIGITS = 5
    MAX_NUMBER = 40         # bytes of "[11111-22222]" in digits of three bytes, and some to spare
    MAX_LEAD = 24           # bytes of a text that ends in the number of the page
    HEAD = 8                # bytes of a word that tell it from others
    IN_ONE = 256            # bytes of a text that is joined where its parts touch
    CHARACTERS = 6          # the same, where two characters are as good as a word


cdef struct ScanRules:
    # As `fastwrap.paging.scanning.ScanRules`.
    int32_t max_label
    int32_t max_more
    int32_t gap
    int32_t max_unlinked


cdef struct PageNumber:
    # A row of the second array that is returned.
    int32_t node
    int32_t first
    int32_t last
    int32_t kind            # NO_LINK, LINK or CURRENT
    int32_t row


cdef struct Heads:
    # Ways in which texts start.
    Py_ssize_t count
    const uint64_t *head    # [count] sorted


cdef struct PagerScan:
    const PageArrays *page
    ScanRules rules
    Heads labels            # how labels start
    Heads pages             # how links to numbered pages start that say more than the number
    uint8_t *kinds          # [nodes] the kinds of each link
    int32_t count
    PageNumber *numbers     # [count] page numbers; room for one per node


cdef inline bint is_letter(unsigned char byte) noexcept nogil:
    """Whether a byte is of a letter; those of most punctuation and of arrows start with one of two bytes."""
    return c"a" <= (byte | 0x20) <= c"z" or byte >= 0x80 and byte != 0xC2 and byte != 0xE2


cdef inline bint is_one_of(unsigned char byte, const char *signs) noexcept nogil:
    return byte != 0 and strchr(signs, byte) != NULL


cdef uint64_t head_of(const unsigned char *at, int32_t length) noexcept nogil:
    """The start of a label's first word, or its first sign, as one number; ASCII letters in lower case."""
    cdef uint64_t head = 0
    cdef int32_t k = 0, count = 0, most
    while k < length and is_one_of(at[k], " [(|"):
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


cdef bint starts_with(const Heads *heads, const unsigned char *at, int32_t length) noexcept nogil:
    """Whether a text starts with one of some words or signs."""
    cdef uint64_t head = head_of(at, length)
    cdef Py_ssize_t low = 0, high = heads.count, middle
    while low < high:
        middle = (low + high) >> 1
        if heads.head[middle] < head:
            low = middle + 1
        else:
            high = middle
    return low < heads.count and heads.head[low] == head


cdef inline bint starts_like_a_label(const PagerScan *scan, const unsigned char *at, int32_t length) noexcept nogil:
    """Whether a text starts with a word or sign that labels start with, and is short enough for a label."""
    return 0 < length <= scan.rules.max_label and starts_with(&scan.labels, at, length)


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


cdef bint has_current_class(const PageArrays *page, int32_t node) noexcept nogil:
    """Whether the class of a node says that this is where the reader is."""
    cdef int32_t entry = attribute_of(page, node, ATTRIBUTE_CLASS)
    if entry == NO_ENTRY:
        return False
    cdef const unsigned char *at = page.values + page.value_start[entry]
    cdef int32_t length = value_length(page, entry)
    return (has_word(at, length, "current", 7) or has_word(at, length, "selected", 8)
            or (has_word(at, length, "activ", 5) or has_word(at, length, "aktiv", 5))
            and not has_word(at, length, "inactiv", 7) and not has_word(at, length, "inaktiv", 7))


cdef inline int digit(const unsigned char *at, int32_t length, int *value) noexcept nogil:
    """The digit at the start of a text, in the scripts that page numbers are written in; returns its bytes, 0 if there
    is none."""
    cdef int last
    if length > 0 and c"0" <= at[0] <= c"9":
        value[0] = at[0] - c"0"
        return 1
    if length >= 2 and (at[0] == 0xD9 or at[0] == 0xDB):  # Arabic, Persian
        value[0] = at[1] - (0xA0 if at[0] == 0xD9 else 0xB0)
        return 2 if 0 <= value[0] <= 9 else 0
    if length >= 3 and (at[0] == 0xE0 or at[0] == 0xEF):
        last = at[2]
        if at[0] == 0xE0 and (at[1] == 0xA5 or at[1] == 0xA7):  # Devanagari, Bengali
            value[0] = last - 0xA6
        elif at[0] == 0xE0 and at[1] == 0xB9 or at[0] == 0xEF and at[1] == 0xBC:  # Thai, full width
            value[0] = last - 0x90
        else:
            return 0
        return 3 if 0 <= value[0] <= 9 else 0
    return 0


cdef inline int digits(const unsigned char *at, int32_t length, int32_t *number) noexcept nogil:
    """The number at the start of a text; returns how many bytes it has, 0 if there is none or it is too long."""
    cdef int32_t k = 0
    cdef int count = 0, value = 0, bytes = digit(at, length, &value)
    number[0] = 0
    while bytes > 0:
        if count == MAX_DIGITS:
            return 0
        number[0] = number[0] * 10 + value
        k += bytes
        count += 1
        bytes = digit(at + k, length - k, &value)
    return k


cdef bint is_number(const unsigned char *at, int32_t length, int32_t *first, int32_t *last) noexcept nogil:
    """Whether a text is a page number or a range of numbers, with at most a bracket or a stop around it."""
    cdef int32_t k, count
    if length <= 0 or length > MAX_NUMBER:
        return False
    k = is_one_of(at[0], "[({|")
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
    if k < length and is_one_of(at[k], "])}|.,"):
        k += 1
    return k == length


cdef bint ends_in_number(const unsigned char *at, int32_t length, int32_t *number) noexcept nogil:
    """Whether a short text ends in a number that stands alone, as "Pages: 1" and "| 2 |" do."""
    cdef int32_t end = length, start
    if length <= 0 or length > MAX_LEAD:
        return False
    while end > 0 and is_one_of(at[end - 1], " |])}.,"):
        end -= 1
    start = end
    while start > 0 and c"0" <= at[start - 1] <= c"9":
        start -= 1
    return (start == 0 or is_one_of(at[start - 1], " |[({:")) and digits(at + start, end - start, number) > 0


cdef inline int32_t role_of(int32_t name) noexcept nogil:
    """What the attributes of a name are to the scan."""
    if name == ATTRIBUTE_ALT or name == ATTRIBUTE_TITLE or name == ATTRIBUTE_ARIA_LABEL or name == ATTRIBUTE_SRC:
        return IS_LABEL
    if name == ATTRIBUTE_CLASS or name == ATTRIBUTE_ID or name == ATTRIBUTE_REL:
        return IS_NAME
    return NOT_READ


cdef bint is_current(const PageArrays *page, int32_t node) noexcept nogil:
    """Whether a link is where the reader is: by its class, or that of what it is in, or because it leads nowhere."""
    cdef int32_t entry = attribute_of(page, node, ATTRIBUTE_HREF)
    return (value_length(page, entry) == 0 or page.values[page.value_start[entry]] == c"#"
            or has_current_class(page, node)
            or page.parent[node] != NO_NODE and has_current_class(page, page.parent[node]))


cdef bint is_around_marked(const PageArrays *page, int32_t node, int32_t max_more) noexcept nogil:
    """Whether "next" is in a name of the parent or its parent, if these hold little else than the link."""
    cdef int32_t up = page.parent[node], entry
    for _step in range(2):
        if up == NO_NODE or page.size[up] > page.size[node] + max_more:
            return False
        for entry in range(page.attribute_start[up], page.attribute_start[up + 1]):
            if role_of(page.attribute_name[entry]) == IS_NAME and has_word(
                    page.values + page.value_start[entry], value_length(page, entry), "next", 4):
                return True
        up = page.parent[up]
    return False


cdef bint add_number(PagerScan *scan, int32_t node, bint is_link, const unsigned char *at,
                     int32_t length) noexcept nogil:
    """Note the number that a link or a text outside links is; False if it is none."""
    cdef PageNumber *number = &scan.numbers[scan.count]
    if not is_number(at, length, &number.first, &number.last):
        if not ends_in_number(at, length, &number.first) or is_link and not starts_with(&scan.pages, at, length):
            return False
        number.last = number.first
    number.node = node
    number.kind = NO_LINK if not is_link else CURRENT if is_current(scan.page, node) else LINK
    scan.count += 1
    return True


cdef inline bint is_address(int32_t name) noexcept nogil:
    """Whether the attributes of a name have addresses; those within links are of pictures drawn elsewhere."""
    return name == ATTRIBUTE_HREF or name == ATTRIBUTE_XLINK_HREF


cdef uint8_t kinds_by_attributes(PagerScan *scan, int32_t node, int32_t link, bint empty,
                                 bint silent) noexcept nogil:
    """What the attributes of a node tell about the link that it is, or is in; that link is `empty` if it has no text,
    `silent` if its text has no letters and is no number."""
    cdef const PageArrays *page = scan.page
    cdef bint inner = empty and node != link
    cdef const unsigned char *value
    cdef int32_t entry, role, length, max_label = scan.rules.max_label
    cdef uint8_t kinds = 0
    for entry in range(page.attribute_start[node], page.attribute_start[node + 1]):
        role = role_of(page.attribute_name[entry])
        if role == NOT_READ:
            if not (inner and is_address(page.attribute_name[entry])):
                continue
            role = IS_NAME
        value = page.values + page.value_start[entry]
        length = value_length(page, entry)
        if silent and role == IS_LABEL and starts_like_a_label(scan, value, length):
            kinds |= LABELLED
        # Of addresses, the ends tell.
        if length > max_label:
            value += length - max_label
            length = max_label
        if empty and (has_word(value, length, "right", 5) or has_word(value, length, "forward", 7)):
            kinds |= POINTING
        if has_word(value, length, "next", 4):
            kinds |= MARKED
    return kinds


cdef int32_t join(const unsigned char *label, int32_t length, unsigned char *out) noexcept nogil:
    """Copy a label of at most IN_ONE bytes without those between parts that touch; how many are left."""
    cdef int32_t k, kept = 0
    for k in range(length):
        out[kept] = label[k]
        kept += label[k] != TOUCHES
    return kept


cdef void read_links(PagerScan *scan) noexcept nogil:
    """One pass over the nodes: the kinds of all links, and all numbers."""
    cdef const PageArrays *page = scan.page
    cdef int32_t node, tag, length, link = 0, link_end = 0, max_label = scan.rules.max_label
    cdef const unsigned char *label
    cdef unsigned char joined[IN_ONE]
    cdef bint is_link, empty = False, silent = False
    for node in range(page.count):
        tag = page.tag[node]
        is_link = (tag == TAG_A or tag == TAG_AREA) and attribute_of(page, node, ATTRIBUTE_HREF) != NO_ENTRY
        if is_link or tag == TEXT and node >= link_end:
            label = page.text + page.text_start[node]
            length = page.text_start[subtree_end(page, node)] - page.text_start[node] - 1
            if is_link:
                if 0 < length <= IN_ONE and memchr(label, TOUCHES, length) != NULL:
                    length = join(label, length, joined)
                    label = joined
                link = node
                link_end = subtree_end(page, node)
                empty = length <= 0
                silent = length <= max_label and not has_letters(label, length)
                if starts_like_a_label(scan, label, length):
                    scan.kinds[node] |= LABELLED
                if is_around_marked(page, node, scan.rules.max_more):
                    scan.kinds[node] |= MARKED
            if add_number(scan, node, is_link, label, length):
                silent = False
        if node < link_end:
            scan.kinds[link] |= kinds_by_attributes(scan, node, link, empty, silent)
        elif tag == TAG_LINK:
            scan.kinds[node] |= kinds_by_attributes(scan, node, node, False, False)


cdef void keep_rows(PagerScan *scan) noexcept nogil:
    """Number the rows that a pager may be, and drop all other numbers."""
    cdef PageNumber *number = scan.numbers
    cdef int32_t start = 0, end, k, kept = 0, links, unlinked, rows = 0
    while start < scan.count:
        end = start
        links = unlinked = 0
        while end < scan.count and (end == start or (number[end].node - number[end - 1].node <= scan.rules.gap
                                                     and number[end].first > number[end - 1].last)):
            links += number[end].kind == LINK
            unlinked += number[end].kind == NO_LINK
            end += 1
        if end - start > 1 and links > 0 and unlinked <= scan.rules.max_unlinked:
            for k in range(start, end):
                number[kept] = number[k]
                number[kept].row = rows
                kept += 1
            rows += 1
        start = end
    scan.count = kept


cdef object links_of(PagerScan *scan):
    """The links of any kind, [k, 2]: node and kinds."""
    cdef int32_t node, count = 0, place = 0
    cdef int32_t *out
    for node in range(scan.page.count):
        count += scan.kinds[node] != 0
    links = np.empty((count, 2), dtype=np.int32)
    out = <int32_t *>data_of(links)
    for node in range(scan.page.count):
        if scan.kinds[node]:
            out[place] = node
            out[place + 1] = scan.kinds[node]
            place += 2
    return links


cdef Heads heads_of(heads) except *:
    """The heads of an array, which must outlive them."""
    cdef Heads found
    found.count = len(heads)
    found.head = <const uint64_t *>held(heads, len(heads), sizeof(uint64_t))
    return found


def scan(NativePage native not None, label_heads not None, page_heads not None, rules not None):
    """Links worth a look, and rows of numbers; see `pager.pyi`."""
    cdef PagerScan scanned
    cdef size_t count = native.arrays.count
    cdef char *at
    cdef void *block
    scanned.page = &native.arrays
    scanned.labels = heads_of(label_heads)
    scanned.pages = heads_of(page_heads)
    (scanned.rules.max_label, scanned.rules.max_more, scanned.rules.gap, scanned.rules.max_unlinked) = rules
    block = take(count * (sizeof(PageNumber) + 1) + 32)
    try:
        at = <char *>block
        scanned.numbers = <PageNumber *>piece(&at, count * sizeof(PageNumber))
        scanned.kinds = <uint8_t *>at
        scanned.count = 0
        memset(scanned.kinds, 0, count)
        with nogil:
            read_links(&scanned)
            keep_rows(&scanned)
        links = links_of(&scanned)
        numbers = np.empty((scanned.count, 5), dtype=np.int32)
        memcpy(data_of(numbers), scanned.numbers, scanned.count * sizeof(PageNumber))
    finally:
        put_back(block)
    return links, numbers
