"""Symbols of the nodes: style (class and style attribute), tag path, hidden flag, structural classes.
Each is one linear pass over the node arrays with exact (never only hashed) equality."""

from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memchr, memset

from fastwrap._core.hashing cimport (
    Numbered, Numbers, add_number, eight_bytes, few_bytes, hashed, mixed, number_of, same_bytes, size_of_numbers,
    start_numbers,
)
from fastwrap._core.scratch cimport data_of, piece, put_back, take

import numpy as np

cdef object empty = np.empty, INT32 = np.dtype(np.int32), BOOL = np.dtype(np.bool_)

cdef enum:
    NO_NODE = -1
    LEAF_TAGS = 256      # tags whose leaf class is looked up in a plain table

cdef uint64_t TREE = <uint64_t>1 << 63      # in the key of a tree; that of a chain has none

cdef uint64_t FACTOR = <uint64_t>0xD1342543DE82EF95      # of a hash of numbers (Steele & Vigna 2022)

cdef struct Style:
    # What stands for a style symbol: the values of the two attributes, as spans.
    uint64_t head               # the first and the last eight bytes of the class: all of a short one
    uint64_t tail
    int32_t classes
    int32_t classes_length
    int32_t declared
    int32_t declared_length
    bint hides                  # whether it says display:none or visibility:hidden


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
        at = <const unsigned char *>memchr(at, c";", end - at) if at < end else NULL
        if at == NULL:
            break
        at += 1
    return False


cdef inline bint same_style(const unsigned char *values, const Style *one, const Style *other) noexcept nogil:
    return (one.head == other.head and one.tail == other.tail and one.classes_length == other.classes_length
            and one.declared_length == other.declared_length
            and (one.classes_length <= 16
                 or same_bytes(values + one.classes, values + other.classes, one.classes_length))
            and (one.declared_length == 0
                 or same_bytes(values + one.declared, values + other.declared, one.declared_length)))


cdef int32_t style_number(Numbers *numbers, const unsigned char *values, Style *styles, int32_t *count,
                          Style *own) noexcept nogil:
    """The number of a style, from 1 in order of first appearance."""
    cdef uint64_t hash, place
    cdef const Numbered *known
    if own.classes_length < 8:
        own.head = few_bytes(values + own.classes, own.classes_length)
        own.tail = 0
    else:
        own.head = eight_bytes(values + own.classes)
        own.tail = eight_bytes(values + own.classes + own.classes_length - 8)
    hash = mixed(own.head + <uint64_t>own.classes_length, own.tail)
    if own.classes_length > 16:
        hash = hashed(values + own.classes + 8, own.classes_length - 16, hash)
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


cdef size_t size_of_symbols(size_t nodes, size_t attributes) noexcept nogil:
    """The memory that `read_symbols` needs."""
    return size_of_numbers(nodes) + (nodes + 1) * sizeof(Style) + (attributes + 1) * sizeof(int32_t) + 64


cdef int32_t list_entries(const Attributed *nodes, int32_t *entries) noexcept nogil:
    """List the attributes that say how a node looks; most say something else."""
    cdef int32_t entry, name, count = 0
    cdef int32_t class_name = nodes.class_name, style_name = nodes.style_name, hidden_name = nodes.hidden_name
    for entry in range(nodes.attribute_start[0], nodes.attribute_start[nodes.n]):
        name = nodes.attribute_name[entry]
        entries[count] = entry
        # Without a branch: nobody can tell which one is next.
        count += (name == class_name) | (name == style_name) | (name == hidden_name)
    entries[count] = nodes.attribute_start[nodes.n]
    return count


cdef void read_styles(const Attributed *nodes, void *table, Style *styles, int32_t *entries, int32_t *style,
                      uint8_t *hidden) noexcept nogil:
    """Fill in the style symbols, 0 for no class and no style, then 1, 2, ... in order of first appearance; and what
    hides itself."""
    cdef int32_t count = 0, i, entry, end, name
    cdef Numbers numbers
    cdef Style own
    list_entries(nodes, entries)
    start_numbers(&numbers, table, nodes.n, nodes.n // 8)
    memset(style, 0, nodes.n * sizeof(int32_t))
    memset(hidden, 0, nodes.n)
    memset(&own, 0, sizeof(Style))
    for i in range(nodes.n):
        end = nodes.attribute_start[i + 1]
        if entries[0] >= end:
            continue
        own.classes_length = own.declared_length = 0
        while entries[0] < end:
            entry = entries[0]
            name = nodes.attribute_name[entry]
            if name == nodes.class_name:
                own.classes = nodes.value_start[entry]
                own.classes_length = nodes.value_start[entry + 1] - own.classes
            elif name == nodes.style_name:
                own.declared = nodes.value_start[entry]
                own.declared_length = nodes.value_start[entry + 1] - own.declared
            else:
                hidden[i] = True
            entries += 1
        if own.classes_length or own.declared_length:
            style[i] = style_number(&numbers, nodes.values, styles, &count, &own)
            hidden[i] |= styles[style[i]].hides


cdef void add_path(Numbers *numbers, uint64_t place, uint64_t key, int32_t tag) noexcept nogil:
    add_number(numbers, place, key, tag, numbers.count)


cdef int32_t read_paths(const Attributed *nodes, void *table, const int32_t *style, int32_t *path,
                        uint8_t *hidden) noexcept nogil:
    """Fill in the tag path symbols, numbered from 0: that of the parent, the tag and the style (TPS, seed 004 def. 3);
    says how many there are. What is below a hidden node is hidden too."""
    cdef const int32_t *tag = nodes.tag
    cdef const int32_t *parent = nodes.parent
    cdef Numbers numbers
    cdef const Numbered *known
    cdef int32_t i, up, number
    cdef uint64_t key, place
    start_numbers(&numbers, table, nodes.n, nodes.n // 2)
    for i in range(nodes.n):
        up = parent[i]
        key = <uint64_t>style[i]
        if up != NO_NODE:
            key |= <uint64_t>(path[up] + 1) << 32
            hidden[i] |= hidden[up]
        place = mixed(key, tag[i]) & numbers.mask
        while True:
            number = numbers.slots[place] - 1
            if number < 0:
                number = numbers.count
                add_path(&numbers, place, key, tag[i])
                break
            known = &numbers.keys[number]
            if known.key == key and known.more == <uint32_t>tag[i]:
                break
            place = (place + 1) & numbers.mask
        path[i] = number
    return numbers.count


cdef int32_t read_symbols(const Attributed *nodes, void *memory, int32_t *style, int32_t *path,
                          uint8_t *hidden) noexcept nogil:
    """Fill in the symbols of all nodes; says how many tag paths there are."""
    cdef char *at = <char *>memory
    cdef void *table = piece(&at, size_of_numbers(nodes.n))
    cdef Style *styles = <Style *>piece(&at, (nodes.n + 1) * sizeof(Style))
    read_styles(nodes, table, styles, <int32_t *>at, style, hidden)
    return read_paths(nodes, table, style, path, hidden)


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
    cdef Attributed nodes
    cdef void *block
    if n == 0:
        return style, path, hidden
    nodes.tag = &tag[0]
    nodes.parent = &parent[0]
    nodes.attribute_start = &attribute_start[0]
    nodes.attribute_name = &attribute_name[0] if attribute_name.shape[0] else NULL
    nodes.value_start = &value_start[0]
    nodes.values = <const unsigned char *>PyBytes_AS_STRING(values)
    nodes.n = <int32_t>n
    nodes.class_name = class_name
    nodes.style_name = style_name
    nodes.hidden_name = hidden_name
    block = take(size_of_symbols(n, attribute_name.shape[0]))
    if block == NULL:
        raise MemoryError("no memory for the symbols of the page")
    with nogil:
        read_symbols(&nodes, block, style_of, path_of, is_hidden)
        put_back(block)
    return style, path, hidden


cdef inline bint same_children(const int32_t *size, const int32_t *classes, int32_t one, int32_t other) noexcept nogil:
    """Whether two trees of a size have children of the same classes, which then are equally far behind them."""
    cdef int32_t child = one + 1, end = one + size[one], shift = other - one
    while child < end:
        if classes[child] != classes[child + shift]:
            return False
        child += size[child]
    return True


cdef size_t size_of_classes(size_t nodes) noexcept nogil:
    """The memory that `read_classes` needs."""
    return size_of_numbers(nodes) + nodes * sizeof(uint64_t) + (nodes + 1) * sizeof(int32_t) + 32


cdef void add_class(Numbers *numbers, uint64_t place, uint64_t key, int32_t tag) noexcept nogil:
    add_number(numbers, place, key, tag, numbers.count + 1)


cdef int32_t read_classes(const int32_t *tag, const int32_t *parent, const int32_t *size, int32_t n, void *memory,
                          int32_t *classes) noexcept nogil:
    """Fill in the classes (bottom-up, Valiente 2001); says how many there are.

    A tree is looked up by its tag and a hash of the classes of its children, and then compared with the first tree of
    the class: a number stands for exactly one tree.
    """
    cdef char *at = <char *>memory
    cdef Numbers numbers
    cdef uint64_t *below            # node -> a hash of the classes of its children
    cdef int32_t *first             # class -> the first node of it
    cdef int32_t leaf_class[LEAF_TAGS]
    cdef const Numbered *known
    cdef int32_t i, number
    cdef uint64_t key, place
    start_numbers(&numbers, piece(&at, size_of_numbers(n)), n, n // 4)
    below = <uint64_t *>piece(&at, n * sizeof(uint64_t))
    first = <int32_t *>at
    memset(below, 0, n * sizeof(uint64_t))
    memset(leaf_class, 0, sizeof(leaf_class))
    # From the last node to the first: children come before their parent, the last child first.
    for i in range(n - 1, -1, -1):
        number = leaf_class[tag[i]] if size[i] == 1 and tag[i] < LEAF_TAGS else 0
        if number == 0:
            key = below[i]
            place = mixed(key, tag[i]) & numbers.mask
            while True:
                number = numbers.slots[place]
                if number == 0:
                    number = numbers.count + 1
                    first[number] = i
                    add_class(&numbers, place, key, tag[i])
                    break
                known = &numbers.keys[number - 1]
                if known.key == key and known.more == <uint32_t>tag[i] and (
                        size[first[number]] == size[i] and same_children(size, classes, i, first[number])):
                    break
                place = (place + 1) & numbers.mask
            if size[i] == 1 and tag[i] < LEAF_TAGS:
                leaf_class[tag[i]] = number
        classes[i] = number
        if parent[i] != NO_NODE:
            below[parent[i]] = (below[parent[i]] + <uint64_t>number) * FACTOR
    return numbers.count


def structural_classes(const int32_t[::1] tag, const int32_t[::1] parent, const int32_t[::1] size):
    """Structural classes; see `symbols.pyi`."""
    cdef Py_ssize_t n = tag.shape[0]
    classes = empty(n, INT32)
    cdef int32_t *class_of = <int32_t *>data_of(classes)
    cdef void *block
    if n == 0:
        return classes
    block = take(size_of_classes(n))
    if block == NULL:
        raise MemoryError("no memory for the classes of the page")
    with nogil:
        read_classes(&tag[0], &parent[0], &size[0], <int32_t>n, block, class_of)
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
