"""What the nodes of pages about one thing are told apart by: hashes of classes, names and what may be a label.
One pass over the nodes, and one from the last to the first for what is below each."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memchr, memset

from fastwrap._core.common.buffers cimport data_of
from fastwrap._core.common.names cimport (
    ATTRIBUTE_CLASS, ATTRIBUTE_ID, ATTRIBUTE_REL, KNOWN_TAGS, TAG_A, TAG_BR, TEXT,
)
from fastwrap._core.common.page cimport NO_NODE, NativePage, PageArrays, Tokens, next_token, tokens_of, value_length

import numpy as np

from fastwrap.page.names import ATTRIBUTE_NUMBER, FORMATTING, TAG_NUMBER

cdef enum:
    LONGEST_LABEL = 80          # bytes
    LONGEST_PREFIX = 50
    LONGEST_RAW = 40
    MOST_CONNECTORS = 32

cdef int32_t ATTRIBUTE_NAME = ATTRIBUTE_NUMBER["name"]
cdef int32_t ATTRIBUTE_PROPERTY = ATTRIBUTE_NUMBER["property"]
cdef int32_t ATTRIBUTE_ITEMPROP = ATTRIBUTE_NUMBER["itemprop"]

cdef uint8_t INLINE[KNOWN_TAGS + 1]
memset(INLINE, 0, KNOWN_TAGS + 1)
INLINE[TEXT] = INLINE[TAG_A] = INLINE[TAG_BR] = True
for _name in FORMATTING:
    INLINE[TAG_NUMBER[_name]] = True

CONNECTORS = "and und et y e og och en i or ou oder with mit avec con feat featuring".split()

cdef uint64_t CONNECTOR[MOST_CONNECTORS]
cdef int32_t connectors = 0


cdef inline uint64_t mixed(uint64_t above, uint64_t more) noexcept nogil:
    above = (above ^ more) * <uint64_t>0x9E3779B97F4A7C15
    return above ^ (above >> 29)


cdef inline uint64_t fnv(const unsigned char *at, int32_t length) noexcept nogil:
    """FNV-1a: byte by byte, so that it is the same on every machine."""
    cdef uint64_t value = <uint64_t>0xCBF29CE484222325
    cdef int32_t k
    for k in range(length):
        value = (value ^ at[k]) * <uint64_t>0x100000001B3
    return value


cdef inline bint is_digit(unsigned char byte) noexcept nogil:
    return 48 <= byte <= 57


cdef inline bint is_letter(unsigned char byte) noexcept nogil:
    """Of ASCII, or a part of any other character."""
    return byte >= 128 or 97 <= (byte | 32) <= 122


cdef uint64_t hash_of_label(const unsigned char *at, int32_t length) noexcept nogil:
    """The hash of what may be a label, without the marks at its ends; 0 for what is none."""
    cdef int32_t k, letters = 0
    while length > 0 and not (is_letter(at[0]) or is_digit(at[0])):
        at += 1
        length -= 1
    while length > 0 and not (is_letter(at[length - 1]) or is_digit(at[length - 1])):
        length -= 1
    if length > LONGEST_LABEL:
        return 0
    for k in range(length):
        letters += is_letter(at[k])
    return fnv(at, length) | 1 if letters >= 2 else 0


cdef uint64_t hash_of_prefix(const unsigned char *at, int32_t length) noexcept nogil:
    """The hash of what stands before the first colon, if a value stands behind it."""
    cdef const unsigned char *colon = <const unsigned char *>memchr(at, c":", min(length, <int32_t>LONGEST_PREFIX))
    cdef int32_t before, k
    if colon == NULL or colon == at:
        return 0
    before = <int32_t>(colon - at)
    if before + 2 < length and at[before + 1] == c"/" and at[before + 2] == c"/":
        return 0
    for k in range(before + 1, length):
        if at[k] != c" ":
            return hash_of_label(at, before)
    return 0


cdef bint is_connector(uint64_t value) noexcept nogil:
    cdef int32_t k
    for k in range(connectors):
        if CONNECTOR[k] == value:
            return True
    return False


cdef uint64_t hash_of_class(const PageArrays *page, int32_t entry) noexcept nogil:
    """A hash of the tokens that have no digit, in any order; 0 for none."""
    cdef Tokens tokens = tokens_of(page, entry)
    cdef uint64_t total = 0
    cdef int32_t k
    cdef bint has_digit
    while next_token(&tokens):
        has_digit = False
        for k in range(tokens.length):
            has_digit |= is_digit(tokens.token[k])
        if not has_digit:
            total += mixed(fnv(tokens.token, tokens.length), 1)
    return total


cdef void read_element(const Features *features, const PageArrays *page, int32_t node) noexcept nogil:
    cdef int32_t entry, name, length, k
    cdef const unsigned char *value
    cdef bint has_digit
    for entry in range(page.attribute_start[node], page.attribute_start[node + 1]):
        name = page.attribute_name[entry]
        if name == ATTRIBUTE_CLASS:
            features.key[node] = hash_of_class(page, entry)
        elif (name == ATTRIBUTE_ID or name == ATTRIBUTE_NAME or name == ATTRIBUTE_PROPERTY
                or name == ATTRIBUTE_ITEMPROP or name == ATTRIBUTE_REL):
            value = page.values + page.value_start[entry]
            length = value_length(page, entry)
            has_digit = length == 0
            for k in range(length):
                has_digit |= is_digit(value[k])
            if not has_digit:
                features.name[node] = mixed(features.name[node], fnv(value, length) + <uint64_t>name)


cdef void read_features(const Features *features, const PageArrays *page) noexcept nogil:
    """Write the features of all nodes."""
    cdef int32_t node, length
    cdef const unsigned char *at
    cdef uint64_t whole
    for node in range(page.count):
        features.key[node] = features.name[node] = 0
        features.text[node] = features.prefix[node] = features.raw[node] = 0
        if page.tag[node] == TEXT:
            at = page.text + page.text_start[node]
            length = page.text_start[node + 1] - page.text_start[node] - 1
            whole = hash_of_label(at, length)
            features.text[node] = 0 if is_connector(whole) else whole
            features.prefix[node] = hash_of_prefix(at, length)
            if features.prefix[node]:
                features.raw[node] = features.prefix[node]
            elif length <= LONGEST_RAW:
                features.raw[node] = features.text[node]
        elif page.attribute_start[node] < page.attribute_start[node + 1]:
            read_element(features, page, node)


cdef bint is_known(const uint64_t *known, int32_t count, uint64_t value) noexcept nogil:
    """Whether a sorted list has a value."""
    cdef int32_t low = 0, high = count, middle
    while low < high:
        middle = (low + high) // 2
        if known[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low < count and known[low] == value


cdef inline uint64_t bit_of(uint64_t value) noexcept nogil:
    return <uint64_t>1 << (value * <uint64_t>0x9E3779B97F4A7C15 >> 58)


cdef size_t size_of_tree(int32_t count) noexcept nogil:
    """Bytes of the memory that `open_tree` takes."""
    return <size_t>count * (9 * sizeof(uint64_t) + 2 * sizeof(int32_t) + 1) + 64


cdef void open_tree(Tree *tree, char *memory, const PageArrays *page, const uint64_t *known,
                    int32_t known_count) noexcept nogil:
    """Read the features of a page, and those of subtrees; `known` are the labels, sorted."""
    cdef size_t count = page.count
    cdef uint64_t *at = <uint64_t *>memory
    tree.page = page
    tree.own.key = at
    tree.own.name = at + count
    tree.own.text = at + 2 * count
    tree.own.prefix = at + 3 * count
    tree.own.raw = at + 4 * count
    tree.label = at + 5 * count
    tree.raw = at + 6 * count
    tree.labels = at + 7 * count
    tree.elements = at + 8 * count
    tree.label_count = <int32_t *>(at + 9 * count)
    tree.text_count = tree.label_count + count
    tree.marks = <uint8_t *>(tree.text_count + count)
    read_features(&tree.own, page)
    read_subtrees(tree, known, known_count)


cdef void read_subtrees(Tree *tree, const uint64_t *known, int32_t known_count) noexcept nogil:
    cdef const PageArrays *page = tree.page
    cdef int32_t node, up, tag
    memset(tree.label, 0, <size_t>page.count * 4 * sizeof(uint64_t))
    memset(tree.label_count, 0, <size_t>page.count * 2 * sizeof(int32_t))
    for node in range(page.count):
        tag = page.tag[node]
        tree.marks[node] = IS_INLINE if INLINE[min(tag, <int32_t>KNOWN_TAGS)] else 0
    for node in range(page.count - 1, -1, -1):
        if page.tag[node] == TEXT:
            if tree.own.prefix[node] and is_known(known, known_count, tree.own.prefix[node]):
                tree.label[node] = tree.own.prefix[node]
            elif tree.own.text[node] and is_known(known, known_count, tree.own.text[node]):
                tree.label[node] = tree.own.text[node]
            tree.raw[node] = tree.own.raw[node]
            tree.text_count[node] = 1
            tree.marks[node] |= HAS_TEXT
            if tree.own.prefix[node]:
                tree.marks[node] |= HAS_PREFIX
            if page.text_start[node + 1] - page.text_start[node] > 1 and (
                    page.text[page.text_start[node + 1] - 2] == c":"):
                tree.marks[node] |= HAS_COLON
            if tree.label[node]:
                tree.labels[node] |= bit_of(tree.label[node])
                tree.label_count[node] = 1
        else:
            tree.elements[node] |= bit_of(tree.own.key[node] + <uint64_t>page.tag[node])
        up = page.parent[node]
        if up == NO_NODE:
            continue
        if not tree.marks[node] & IS_INLINE:
            tree.marks[up] &= ~IS_INLINE
        if tree.marks[node] & HAS_TEXT:
            # Nodes come last to first: what the first text says is written last.
            tree.label[up] = tree.label[node]
            tree.raw[up] = tree.raw[node]
            tree.marks[up] = (tree.marks[up] & ~(HAS_PREFIX | HAS_COLON)) | HAS_TEXT | (
                tree.marks[node] & (HAS_PREFIX | HAS_COLON))
        tree.labels[up] |= tree.labels[node]
        tree.elements[up] |= tree.elements[node]
        tree.label_count[up] += tree.label_count[node]
        tree.text_count[up] += tree.text_count[node]


def label_hash(bytes text not None):
    """The hash of a label; see `features.pyi`."""
    return hash_of_label(text, <int32_t>min(len(text), 1 << 20))


for _word in CONNECTORS:
    CONNECTOR[connectors] = label_hash(_word.encode())
    connectors += 1


def features(NativePage native not None):
    """The features of all nodes; see `features.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef Features found
    arrays = np.empty((5, page.count), dtype=np.uint64)
    cdef uint64_t *at = <uint64_t *>data_of(arrays)
    found.key = at
    found.name = at + page.count
    found.text = at + 2 * <size_t>page.count
    found.prefix = at + 3 * <size_t>page.count
    found.raw = at + 4 * <size_t>page.count
    with nogil:
        read_features(&found, page)
    return arrays
