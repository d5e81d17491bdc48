"""Symbols of the nodes: style (class and style attribute), tag path, hidden flag, structural classes.
Each is one linear pass over the node arrays with exact (never only hashed) equality."""

from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from fastwrap._core.hashing cimport (
    Numbered, Numbers, add_number, hashed, mixed, number_of, same_bytes, size_of_numbers, start_numbers,
)
from fastwrap._core.scratch cimport data_of, piece, put_back, take

import numpy as np

cdef object empty = np.empty, INT32 = np.dtype(np.int32), BOOL = np.dtype(np.bool_)

cdef enum:
    NO_NODE = -1
    LEAF_TAGS = 256      # tags whose leaf class is looked up in a plain table

cdef uint64_t TREE = <uint64_t>1 << 63      # in the key of a tree; that of a chain has none

cdef struct Style:
    # What stands for a style symbol: the values of the two attributes, as spans.
    int32_t classes
    int32_t classes_length
    int32_t declared
    int32_t declared_length
    bint hides           # whether it says display:none or visibility:hidden


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


cdef inline bint same_style(const unsigned char *values, const Style *one, const Style *other) noexcept nogil:
    return (one.classes_length == other.classes_length and one.declared_length == other.declared_length
            and same_bytes(values + one.classes, values + other.classes, one.classes_length)
            and same_bytes(values + one.declared, values + other.declared, one.declared_length))


cdef int32_t style_number(Numbers *numbers, const unsigned char *values, Style *styles, int32_t *count,
                          Style *own) noexcept nogil:
    """The number of a style, from 1 in order of first appearance."""
    cdef uint64_t hash = hashed(values + own.classes, own.classes_length, 1)
    cdef uint64_t place
    cdef const Numbered *known
    if own.declared_length:
        hash = hashed(values + own.declared, own.declared_length, hash)
    place = mixed(hash, 0) & numbers.mask
    while numbers.slots[place]:
        known = &numbers.keys[numbers.slots[place] - 1]
        if known.key == hash and same_style(values, &styles[known.number], own):
            return known.number
        place = (place + 1) & numbers.mask
    count[0] += 1
    own.hides = style_hides(values + own.declared, values + own.declared + own.declared_length)
    styles[count[0]] = own[0]
    add_number(numbers, place, hash, 0, count[0])
    return count[0]


cdef void symbols_of(const int32_t[::1] tag, const int32_t[::1] parent, const int32_t[::1] attribute_start,
                     const int32_t[::1] attribute_name, const int32_t[::1] value_start, const unsigned char *values,
                     int32_t class_name, int32_t style_name, int32_t hidden_name, Numbers *of_style, Numbers *of_path,
                     Style *styles, int32_t *style, int32_t *path, uint8_t *hidden) noexcept nogil:
    cdef int32_t style_count = 0, path_count = 0, entry = attribute_start[0], end, up, name, symbol
    cdef Style own
    cdef Py_ssize_t i
    cdef bint hides
    memset(&own, 0, sizeof(Style))
    for i in range(tag.shape[0]):
        up = parent[i]
        hides = up != NO_NODE and hidden[up] != 0
        symbol = 0
        end = attribute_start[i + 1]
        if entry < end:
            own.classes_length = own.declared_length = 0
            while entry < end:
                name = attribute_name[entry]
                if name == class_name:
                    own.classes = value_start[entry]
                    own.classes_length = value_start[entry + 1] - own.classes
                elif name == style_name:
                    own.declared = value_start[entry]
                    own.declared_length = value_start[entry + 1] - own.declared
                elif name == hidden_name:
                    hides = True
                entry += 1
            # The style symbol: 0 for no class and no style, then 1, 2, ... in order of first appearance.
            if own.classes_length or own.declared_length:
                symbol = style_number(of_style, values, styles, &style_count, &own)
                hides |= styles[symbol].hides
        hidden[i] = hides
        style[i] = symbol
        # The tag path symbol: that of the parent, the tag and the style (TPS, seed 004 def. 3).
        path[i] = number_of(of_path, <uint64_t>(path[up] + 1 if up != NO_NODE else 0) << 32 | <uint64_t>symbol,
                            tag[i], &path_count)


def style_path_hidden(const int32_t[::1] tag, const int32_t[::1] parent, const int32_t[::1] attribute_start,
                      const int32_t[::1] attribute_name, const int32_t[::1] value_start, bytes values,
                      int class_name, int style_name, int hidden_name):
    """Style symbol, tag path symbol and hidden flag of every node; see `symbols.pyi`."""
    cdef Py_ssize_t n = tag.shape[0]
    style = empty(n, INT32)
    path = empty(n, INT32)
    hidden = empty(n, BOOL)
    cdef int32_t *style_of = <int32_t *>data_of(style)
    cdef int32_t *path_of = <int32_t *>data_of(path)
    cdef uint8_t *is_hidden = <uint8_t *>data_of(hidden)
    cdef const unsigned char *buffer = <const unsigned char *>PyBytes_AS_STRING(values)
    cdef Numbers of_style, of_path
    cdef size_t table = size_of_numbers(n)
    cdef void *block = take(2 * table + (n + 1) * sizeof(Style) + 32)
    cdef char *at = <char *>block
    if block == NULL:
        raise MemoryError("no memory for the symbols of the page")
    with nogil:
        start_numbers(&of_style, piece(&at, table), n, n // 16)
        start_numbers(&of_path, piece(&at, table), n, n // 4)
        symbols_of(tag, parent, attribute_start, attribute_name, value_start, buffer, class_name, style_name,
                   hidden_name, &of_style, &of_path, <Style *>at, style_of, path_of, is_hidden)
        put_back(block)
    return style, path, hidden


cdef void classes_of(const int32_t[::1] tag, const int32_t[::1] parent, const int32_t[::1] size, Numbers *numbers,
                     int32_t *chain, int32_t *classes) noexcept nogil:
    """Fill in the classes.

    A tree is a tag and a chain of children; a chain is a chain and one class more. Both are numbered by
    hash-consing (bottom-up classes, Valiente 2001), so a number stands for exactly one tree or chain.
    """
    cdef int32_t next_class = 1, next_chain = 1         # 0 stands for the empty chain
    cdef int32_t leaf_class[LEAF_TAGS]
    cdef int32_t number
    cdef Py_ssize_t i
    memset(leaf_class, 0, sizeof(leaf_class))
    # From the last node to the first: children come before their parent, the last child first.
    for i in range(tag.shape[0] - 1, -1, -1):
        if size[i] == 1 and tag[i] < LEAF_TAGS and leaf_class[tag[i]] != 0:
            number = leaf_class[tag[i]]
        else:
            number = number_of(numbers, TREE | <uint64_t>tag[i], chain[i], &next_class)
            if size[i] == 1 and tag[i] < LEAF_TAGS:
                leaf_class[tag[i]] = number
        classes[i] = number
        if parent[i] != NO_NODE:
            chain[parent[i]] = number_of(numbers, <uint64_t>number, chain[parent[i]], &next_chain)


def structural_classes(const int32_t[::1] tag, const int32_t[::1] parent, const int32_t[::1] size):
    """Structural classes; see `symbols.pyi`."""
    cdef Py_ssize_t n = tag.shape[0]
    classes = empty(n, INT32)
    cdef int32_t *class_of = <int32_t *>data_of(classes)
    cdef Numbers numbers
    cdef size_t table = size_of_numbers(2 * n)          # a tree and a link for each node
    cdef void *block = take(table + (n + 1) * sizeof(int32_t) + 16)
    cdef char *at = <char *>block
    if block == NULL:
        raise MemoryError("no memory for the classes of the page")
    with nogil:
        start_numbers(&numbers, piece(&at, table), 2 * n, n // 4)
        memset(at, 0, (n + 1) * sizeof(int32_t))
        classes_of(tag, parent, size, &numbers, <int32_t *>at, class_of)
        put_back(block)
    return classes


cdef void leafless_classes_of(const int32_t[::1] tag, const int32_t[::1] size, const int32_t[::1] classes,
                              Numbers *numbers, int32_t *of_class, int32_t *leafless) noexcept nogil:
    """Fill in the classes without leaves, once a class: equal trees are equal without their leaves."""
    cdef int32_t next_class = 1, next_chain = 1, links
    cdef Py_ssize_t i, child
    for i in range(tag.shape[0] - 1, -1, -1):
        if size[i] == 1:
            leafless[i] = 0
            continue
        if of_class[classes[i]] == 0:
            links = 0
            child = i + 1
            while child < i + size[i]:
                if size[child] != 1:
                    links = number_of(numbers, <uint64_t>leafless[child], links, &next_chain)
                child += size[child]
            of_class[classes[i]] = number_of(numbers, TREE | <uint64_t>tag[i], links, &next_class)
        leafless[i] = of_class[classes[i]]


def leafless_classes(const int32_t[::1] tag, const int32_t[::1] size, const int32_t[::1] classes):
    """Structural classes without leaves; see `symbols.pyi`."""
    cdef Py_ssize_t n = tag.shape[0], i
    for i in range(n):
        if not 0 < classes[i] <= n:
            raise ValueError("the classes are not those of the page")
    leafless = empty(n, INT32)
    cdef int32_t *class_of = <int32_t *>data_of(leafless)
    cdef Numbers numbers
    cdef size_t table = size_of_numbers(2 * n)
    cdef void *block = take(table + (n + 1) * sizeof(int32_t) + 16)
    cdef char *at = <char *>block
    if block == NULL:
        raise MemoryError("no memory for the classes of the page")
    with nogil:
        start_numbers(&numbers, piece(&at, table), 2 * n, n // 8)
        memset(at, 0, (n + 1) * sizeof(int32_t))
        leafless_classes_of(tag, size, classes, &numbers, <int32_t *>at, class_of)
        put_back(block)
    return leafless
