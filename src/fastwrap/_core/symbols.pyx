"""Symbols of the nodes: style (class and style attribute), tag path, hidden flag, structural classes.
Each is one linear pass over the node arrays with exact (never only hashed) equality."""

from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

import numpy as np

cdef enum:
    NO_NODE = -1
    LEAF_TAGS = 256      # tags whose leaf class is looked up in a plain table

cdef struct Span:
    int32_t start
    int32_t length


cdef inline uint64_t mixed(uint64_t a, uint64_t b) noexcept nogil:
    """Mix two words into one (a multiply and a shift, after Steele & Vigna's splitmix)."""
    cdef uint64_t x = (a ^ (b * <uint64_t>0x9E3779B97F4A7C15)) * <uint64_t>0xBF58476D1CE4E5B9
    return x ^ (x >> 29)


cdef inline uint64_t hashed(const unsigned char *data, int32_t length, uint64_t seed) noexcept nogil:
    """Hash of a byte string, eight bytes a step."""
    cdef uint64_t word
    seed = mixed(seed, <uint64_t>length)
    while length >= 8:
        memcpy(&word, data, 8)
        seed = mixed(seed, word)
        data += 8
        length -= 8
    if length > 0:
        word = 0
        memcpy(&word, data, length)
        seed = mixed(seed, word)
    return seed


cdef inline size_t table_size(Py_ssize_t entries) noexcept nogil:
    """A power of two with room for twice the entries."""
    cdef size_t size = 64
    while size < <size_t>entries * 2:
        size *= 2
    return size


cdef inline bint starts_with(const unsigned char *at, const unsigned char *end, const char *word,
                             int length) noexcept nogil:
    """Whether the text at `at` starts with an ASCII word given in lower case."""
    cdef int k
    if end - at < length:
        return False
    for k in range(length):
        if (at[k] | 0x20) != <unsigned char>word[k]:
            return False
    return True


cdef inline const unsigned char *after_spaces(const unsigned char *at, const unsigned char *end) noexcept nogil:
    while at < end and (at[0] == c" " or (c"\t" <= at[0] <= c"\r")):
        at += 1
    return at


cdef bint style_hides(const unsigned char *at, const unsigned char *end) noexcept nogil:
    """Whether a style attribute says display:none or visibility:hidden."""
    cdef bint display
    while at < end:
        at = after_spaces(at, end)
        display = starts_with(at, end, "display", 7)
        if display or starts_with(at, end, "visibility", 10):
            at = after_spaces(at + (7 if display else 10), end)
            if at < end and at[0] == c":":
                at = after_spaces(at + 1, end)
                if starts_with(at, end, "none", 4) if display else starts_with(at, end, "hidden", 6):
                    at += 4 if display else 6
                    # A longer word is none that CSS knows.
                    if at == end or not (c"a" <= (at[0] | 0x20) <= c"z" or c"0" <= at[0] <= c"9" or at[0] == c"-"
                                         or at[0] == c"_"):
                        return True
        while at < end and at[0] != c";":
            at += 1
        at += 1
    return False


cdef int symbols_of(const int32_t[::1] tag, const int32_t[::1] parent, const int32_t[::1] attribute_start,
                    const int32_t[::1] attribute_name, const int32_t[::1] value_start,
                    const unsigned char *values, int32_t class_name, int32_t style_name, int32_t hidden_name,
                    int32_t[::1] style, int32_t[::1] path, uint8_t[::1] hidden) except -1 nogil:
    cdef Py_ssize_t n = tag.shape[0]
    cdef size_t capacity = table_size(n)
    cdef size_t mask = capacity - 1
    cdef size_t slot
    # Tables of the first node with each symbol, plus one (0 is an empty slot); the spans of its style.
    cdef int32_t *style_table = <int32_t *>calloc(capacity, sizeof(int32_t))
    cdef int32_t *path_table = <int32_t *>calloc(capacity, sizeof(int32_t))
    cdef Span *class_span = <Span *>malloc((n + 1) * sizeof(Span))
    cdef Span *style_span = <Span *>malloc((n + 1) * sizeof(Span))
    cdef int32_t styles = 0, paths = 0
    cdef Py_ssize_t i, k, other
    cdef int32_t up, name
    cdef Span classes, declared
    cdef bint hides
    if style_table == NULL or path_table == NULL or class_span == NULL or style_span == NULL:
        free(style_table)
        free(path_table)
        free(class_span)
        free(style_span)
        with gil:
            raise MemoryError("no memory for the symbols of the page")
    for i in range(n):
        up = parent[i]
        hides = up != NO_NODE and hidden[up] != 0
        classes.start = classes.length = 0
        declared.start = declared.length = 0
        for k in range(attribute_start[i], attribute_start[i + 1]):
            name = attribute_name[k]
            if name == class_name:
                classes.start = value_start[k]
                classes.length = value_start[k + 1] - value_start[k]
            elif name == style_name:
                declared.start = value_start[k]
                declared.length = value_start[k + 1] - value_start[k]
                hides = hides or style_hides(values + value_start[k], values + value_start[k + 1])
            elif name == hidden_name:
                hides = True
        hidden[i] = hides
        # The style symbol: 0 for no class and no style, then 1, 2, ... in order of first appearance.
        if classes.length == 0 and declared.length == 0:
            style[i] = 0
        else:
            slot = hashed(values + classes.start, classes.length, 1) if classes.length else 1
            if declared.length:
                slot = hashed(values + declared.start, declared.length, slot)
            slot &= mask
            while True:
                other = style_table[slot]
                if other == 0:
                    styles += 1
                    style_table[slot] = styles
                    class_span[styles] = classes
                    style_span[styles] = declared
                    style[i] = styles
                    break
                if (class_span[other].length == classes.length and style_span[other].length == declared.length
                        and memcmp(values + class_span[other].start, values + classes.start, classes.length) == 0
                        and memcmp(values + style_span[other].start, values + declared.start,
                                   declared.length) == 0):
                    style[i] = <int32_t>other
                    break
                slot = (slot + 1) & mask
        # The tag path symbol: hash of the parent's symbol, tag and style (TPS, seed 004 def. 3).
        slot = <size_t>mixed(<uint64_t>(path[up] + 1 if up != NO_NODE else 0) << 32 | <uint64_t>style[i],
                             <uint64_t>tag[i]) & mask
        while True:
            other = path_table[slot] - 1
            if other < 0:
                path_table[slot] = <int32_t>i + 1
                path[i] = paths
                paths += 1
                break
            if (tag[other] == tag[i] and style[other] == style[i]
                    and (parent[other] == up or (up != NO_NODE and parent[other] != NO_NODE
                                                 and path[parent[other]] == path[up]))):
                path[i] = path[other]
                break
            slot = (slot + 1) & mask
    free(style_table)
    free(path_table)
    free(class_span)
    free(style_span)
    return 0


def style_path_hidden(const int32_t[::1] tag, const int32_t[::1] parent, const int32_t[::1] attribute_start,
                      const int32_t[::1] attribute_name, const int32_t[::1] value_start, bytes values,
                      int class_name, int style_name, int hidden_name):
    """Style symbol, tag path symbol and hidden flag of every node; see `symbols.pyi`."""
    cdef Py_ssize_t n = tag.shape[0]
    style = np.empty(n, dtype=np.int32)
    path = np.empty(n, dtype=np.int32)
    hidden = np.empty(n, dtype=np.uint8)
    cdef int32_t[::1] style_view = style
    cdef int32_t[::1] path_view = path
    cdef uint8_t[::1] hidden_view = hidden
    cdef const unsigned char *buffer = <const unsigned char *>PyBytes_AS_STRING(values)
    with nogil:
        symbols_of(tag, parent, attribute_start, attribute_name, value_start, buffer,
                   class_name, style_name, hidden_name, style_view, path_view, hidden_view)
    return style, path, hidden.view(np.bool_)


cdef struct Pairs:
    # Hash-consing: a pair of numbers gets a number of its own, the same for the same pair.
    uint64_t *keys
    int32_t *numbers
    size_t capacity      # a power of two
    size_t count


cdef int grow_pairs(Pairs *pairs) noexcept nogil:
    cdef size_t capacity = pairs.capacity * 4
    cdef uint64_t *keys = <uint64_t *>calloc(capacity, sizeof(uint64_t))
    cdef int32_t *numbers = <int32_t *>malloc(capacity * sizeof(int32_t))
    cdef size_t k, slot
    if keys == NULL or numbers == NULL:
        free(keys)
        free(numbers)
        return -1
    for k in range(pairs.capacity):
        if pairs.keys[k] != 0:
            slot = <size_t>mixed(pairs.keys[k], 0) & (capacity - 1)
            while keys[slot] != 0:
                slot = (slot + 1) & (capacity - 1)
            keys[slot] = pairs.keys[k]
            numbers[slot] = pairs.numbers[k]
    free(pairs.keys)
    free(pairs.numbers)
    pairs.keys = keys
    pairs.numbers = numbers
    pairs.capacity = capacity
    return 0


cdef inline int32_t number_of(Pairs *pairs, uint64_t key, int32_t *next_number) noexcept nogil:
    """The number of a pair (never 0); a new pair takes `next_number`. -1 when there is no memory."""
    cdef size_t slot = <size_t>mixed(key, 0) & (pairs.capacity - 1)
    while pairs.keys[slot] != 0:
        if pairs.keys[slot] == key:
            return pairs.numbers[slot]
        slot = (slot + 1) & (pairs.capacity - 1)
    pairs.keys[slot] = key
    pairs.numbers[slot] = next_number[0]
    next_number[0] += 1
    pairs.count += 1
    if pairs.count * 2 > pairs.capacity and grow_pairs(pairs) != 0:
        return -1
    return next_number[0] - 1


cdef int classes_of(const int32_t[::1] tag, const int32_t[::1] parent, const int32_t[::1] size,
                    int32_t[::1] full, int32_t[::1] leafless, Pairs *pairs, int32_t *chain,
                    int32_t *leafless_of) noexcept nogil:
    """Fill both arrays of classes; -1 when there is no memory.

    A tree is a tag and a chain of children; a chain is a chain and one class more. Both are numbered by
    hash-consing (bottom-up classes, Valiente 2001), so a number stands for exactly one tree or chain.
    """
    # A key is a kind (2 bits) and two numbers of 31 bits; 0 stands for the empty chain.
    cdef uint64_t full_tree = <uint64_t>2 << 62
    cdef uint64_t leafless_tree = <uint64_t>3 << 62
    cdef uint64_t leafless_chain = <uint64_t>1 << 62
    cdef int32_t next_full = 1, next_leafless = 1, next_chain = 1
    cdef int32_t leaf_class[LEAF_TAGS]
    cdef int32_t number, links
    cdef Py_ssize_t n = tag.shape[0]
    cdef Py_ssize_t i, child
    memset(leaf_class, 0, sizeof(leaf_class))
    # From the last node to the first: children come before their parent, the last child first.
    for i in range(n - 1, -1, -1):
        if size[i] == 1 and tag[i] < LEAF_TAGS and leaf_class[tag[i]] != 0:
            number = leaf_class[tag[i]]
        else:
            number = number_of(pairs, full_tree | <uint64_t>tag[i] << 31 | <uint64_t>chain[i], &next_full)
            if number < 0:
                return -1
            if size[i] == 1 and tag[i] < LEAF_TAGS:
                leaf_class[tag[i]] = number
        full[i] = number
        if parent[i] != NO_NODE:
            links = number_of(pairs, <uint64_t>number << 31 | <uint64_t>chain[parent[i]], &next_chain)
            if links < 0:
                return -1
            chain[parent[i]] = links
    # Equal trees are equal without their leaves, so the leafless class is worked out once a full class.
    for i in range(n - 1, -1, -1):
        if size[i] == 1:
            leafless[i] = 0
            continue
        if leafless_of[full[i]] == 0:
            links = 0
            child = i + 1
            while child < i + size[i]:
                if size[child] != 1:
                    links = number_of(pairs, leafless_chain | <uint64_t>leafless[child] << 31 | <uint64_t>links,
                                      &next_chain)
                    if links < 0:
                        return -1
                child += size[child]
            number = number_of(pairs, leafless_tree | <uint64_t>tag[i] << 31 | <uint64_t>links, &next_leafless)
            if number < 0:
                return -1
            leafless_of[full[i]] = number
        leafless[i] = leafless_of[full[i]]
    return 0


def structural_classes(const int32_t[::1] tag, const int32_t[::1] parent, const int32_t[::1] size):
    """Structural classes with and without leaves; see `symbols.pyi`."""
    cdef Py_ssize_t n = tag.shape[0]
    cdef Pairs pairs
    cdef int32_t *chain
    cdef int32_t *leafless_of
    cdef int failed
    full = np.empty(n, dtype=np.int32)
    leafless = np.empty(n, dtype=np.int32)
    cdef int32_t[::1] full_view = full
    cdef int32_t[::1] leafless_view = leafless
    with nogil:
        pairs.capacity = table_size(n // 8)
        pairs.count = 0
        pairs.keys = <uint64_t *>calloc(pairs.capacity, sizeof(uint64_t))
        pairs.numbers = <int32_t *>malloc(pairs.capacity * sizeof(int32_t))
        chain = <int32_t *>calloc(n + 1, sizeof(int32_t))
        leafless_of = <int32_t *>calloc(n + 1, sizeof(int32_t))
        failed = pairs.keys == NULL or pairs.numbers == NULL or chain == NULL or leafless_of == NULL
        if not failed:
            failed = classes_of(tag, parent, size, full_view, leafless_view, &pairs, chain, leafless_of)
        free(pairs.keys)
        free(pairs.numbers)
        free(chain)
        free(leafless_of)
    if failed:
        raise MemoryError("no memory for the classes of the page")
    return full, leafless
