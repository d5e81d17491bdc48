"""Symbols of the nodes: style (class and style attribute), tag path, hidden flag, structural classes.
Each is one linear pass over the node arrays with exact (never only hashed) equality."""

cimport cython
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memchr, memset

from fastwrap._core.common.hashing cimport (
    Numbered, Numbers, add_number, eight_bytes, few_bytes, hashed, mixed, number_of, same_bytes, size_of_numbers,
    start_numbers,
)
from fastwrap._core.common.buffers cimport data_of
from fastwrap._core.common.names cimport ATTRIBUTE_CLASS, ATTRIBUTE_HIDDEN, ATTRIBUTE_STYLE
from fastwrap._core.common.page cimport NO_NODE, NativePage, PageArrays
from fastwrap._core.common.scratch cimport piece, put_back, take

import numpy as np

cdef object empty = np.empty, INT32 = np.dtype(np.int32), BOOL = np.dtype(np.bool_)

cdef enum:
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
                          Style *style) noexcept nogil:
    """The number of a style, from 1 in order of first appearance."""
    cdef uint64_t hash, place
    cdef const Numbered *known
    if style.classes_length < 8:
        style.head = few_bytes(values + style.classes, style.classes_length)
        style.tail = 0
    else:
        style.head = eight_bytes(values + style.classes)
        style.tail = eight_bytes(values + style.classes + style.classes_length - 8)
    hash = mixed(style.head + <uint64_t>style.classes_length, style.tail)
    if style.classes_length > 16:
        hash = hashed(values + style.classes + 8, style.classes_length - 16, hash)
    if style.declared_length:
        hash = hashed(values + style.declared, style.declared_length, hash)
    place = mixed(hash, 0) & numbers.mask
    while numbers.slots[place]:
        known = &numbers.keys[numbers.slots[place] - 1]
        if known.key == hash and same_style(values, &styles[known.number], style):
            return known.number
        place = (place + 1) & numbers.mask
    count[0] += 1
    style.hides = style_hides(values + style.declared, values + style.declared + style.declared_length)
    styles[count[0]] = style[0]
    add_number(numbers, place, hash, 0, count[0])
    return count[0]


cdef void read_styles(const PageArrays *page, void *table, Style *styles, int32_t *entries, int32_t *symbol,
                      uint8_t *hidden) noexcept nogil:
    """Fill in the style symbols, 0 for no class and no style, then 1, 2, ... in order of first appearance; and what
    hides itself."""
    cdef int32_t count = 0, i, entry, end, name
    cdef Numbers numbers
    cdef Style style
    # First a list of the attributes that say how a node looks, made without a branch; most say something else.
    for entry in range(page.attribute_start[0], page.attribute_start[page.count]):
        name = page.attribute_name[entry]
        entries[count] = entry
        count += (name == ATTRIBUTE_CLASS) | (name == ATTRIBUTE_STYLE) | (name == ATTRIBUTE_HIDDEN)
    entries[count] = page.attribute_start[page.count]
    count = 0
    start_numbers(&numbers, table, page.count, page.count // 8)
    memset(symbol, 0, page.count * sizeof(int32_t))
    memset(hidden, 0, page.count)
    memset(&style, 0, sizeof(Style))
    for i in range(page.count):
        end = page.attribute_start[i + 1]
        if entries[0] >= end:
            continue
        style.classes_length = style.declared_length = 0
        while entries[0] < end:
            entry = entries[0]
            name = page.attribute_name[entry]
            if name == ATTRIBUTE_CLASS:
                style.classes = page.value_start[entry]
                style.classes_length = page.value_start[entry + 1] - style.classes
            elif name == ATTRIBUTE_STYLE:
                style.declared = page.value_start[entry]
                style.declared_length = page.value_start[entry + 1] - style.declared
            else:
                hidden[i] = True
            entries += 1
        if style.classes_length or style.declared_length:
            symbol[i] = style_number(&numbers, page.values, styles, &count, &style)
            hidden[i] |= styles[symbol[i]].hides


cdef int32_t read_paths(const PageArrays *page, void *table, const int32_t *style, int32_t *path,
                        uint8_t *hidden) noexcept nogil:
    """Fill in the tag path symbols, numbered from 0: that of the parent, the tag and the style (TPS, Velloso 2014,
    definition 3). Returns how many there are. What is below a hidden node is hidden too."""
    cdef Numbers numbers
    cdef int32_t i, up, count = 0
    cdef uint64_t key
    start_numbers(&numbers, table, page.count, page.count // 2)
    for i in range(page.count):
        up = page.parent[i]
        key = <uint64_t>style[i]
        if up != NO_NODE:
            key |= <uint64_t>(path[up] + 1) << 32
            hidden[i] |= hidden[up]
        path[i] = number_of(&numbers, key, page.tag[i], &count)
    return count


cpdef object need_symbols(NativePage native):
    """Find the style, path symbols and hidden flags of a page; see `symbols.pyi`."""
    cdef PageArrays *page = &native.arrays
    cdef size_t table = size_of_numbers(page.count), most_styles = page.count + 1
    cdef Style *styles
    cdef int32_t *style
    cdef int32_t *path
    cdef uint8_t *hidden
    cdef int32_t paths
    cdef void *block
    if page.style_symbol != NULL:
        return
    symbols = empty(page.count, INT32), empty(page.count, INT32), empty(page.count, BOOL)
    style = <int32_t *>data_of(symbols[0])
    path = <int32_t *>data_of(symbols[1])
    hidden = <uint8_t *>data_of(symbols[2])
    block = take(table + most_styles * sizeof(Style) + (page.entries + 1) * sizeof(int32_t))
    with nogil:
        styles = <Style *>(<char *>block + table)
        read_styles(page, block, styles, <int32_t *>(styles + most_styles), style, hidden)
        paths = read_paths(page, block, style, path, hidden)
        put_back(block)
    for array in symbols:
        array.setflags(write=False)
    # Once: what another thread found meanwhile may be in use.
    with cython.critical_section(native):
        if page.style_symbol == NULL:
            native.style_symbol, native.path_symbol, native.hidden = symbols
            page.path_count = paths
            page.path_symbol = path
            page.hidden = hidden
            page.style_symbol = style


def tag_paths(NativePage native not None):
    """Tag paths without styles; see `symbols.pyi`."""
    paths, nothing = empty(native.arrays.count, INT32), np.zeros(native.arrays.count, INT32)
    cdef int32_t *path = <int32_t *>data_of(paths)
    cdef int32_t *zeros = <int32_t *>data_of(nothing)
    cdef void *table = take(size_of_numbers(native.arrays.count))
    with nogil:
        # No style, and nothing hidden: zeros stay zeros.
        read_paths(&native.arrays, table, zeros, path, <uint8_t *>zeros)
        put_back(table)
    return paths


cdef inline bint same_children(const int32_t *size, const int32_t *classes, int32_t one, int32_t other) noexcept nogil:
    """Whether two trees of a size have children of the same classes, which then are equally far after them."""
    cdef int32_t child = one + 1, end = one + size[one], shift = other - one
    while child < end:
        if classes[child] != classes[child + shift]:
            return False
        child += size[child]
    return True


cdef int32_t read_classes(const PageArrays *page, void *memory, int32_t *classes) noexcept nogil:
    """Fill in the classes (bottom-up, Valiente 2001); returns how many there are.

    A tree is looked up by its tag and a hash of the classes of its children, and then compared with the first tree of
    the class: a number stands for exactly one tree.
    """
    cdef const int32_t *tag = page.tag
    cdef const int32_t *parent = page.parent
    cdef const int32_t *size = page.size
    cdef int32_t n = page.count
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
                    add_number(&numbers, place, key, tag[i], number)
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


cpdef object need_classes(NativePage native):
    """Find the structural classes of a page; see `symbols.pyi`."""
    cdef PageArrays *page = &native.arrays
    cdef size_t n = page.count
    cdef int32_t *class_of
    cdef int32_t count
    cdef void *block
    if page.structural_class != NULL:
        return
    classes = empty(page.count, INT32)
    class_of = <int32_t *>data_of(classes)
    block = take(size_of_numbers(n) + n * sizeof(uint64_t) + (n + 1) * sizeof(int32_t) + 32)
    with nogil:
        count = read_classes(page, block, class_of)
        put_back(block)
    classes.setflags(write=False)
    with cython.critical_section(native):
        if page.structural_class == NULL:
            native.structural_class = classes
            page.class_count = count
            page.structural_class = class_of


def leafless_classes(NativePage native not None):
    """Structural classes without leaves; see `symbols.pyi`."""
    need_classes(native)
    cdef const PageArrays *page = &native.arrays
    cdef const int32_t *size = page.size
    cdef size_t count = page.count, table = size_of_numbers(2 * count)
    result = empty(page.count, INT32)
    cdef int32_t *leafless = <int32_t *>data_of(result)
    cdef int32_t *of_class      # class -> the same without leaves, once it is known
    cdef int32_t next_class = 1, next_chain = 1, links, node, child, known
    cdef Numbers numbers
    cdef void *block = take(table + (count + 1) * sizeof(int32_t) + 16)
    cdef char *at = <char *>block
    with nogil:
        start_numbers(&numbers, piece(&at, table), 2 * count, count // 8)
        of_class = <int32_t *>at
        memset(of_class, 0, (count + 1) * sizeof(int32_t))
        for node in range(page.count - 1, -1, -1):
            known = of_class[page.structural_class[node]]
            # Once for each class: equal trees are equal without their leaves.
            if known == 0 and size[node] > 1:
                links = 0
                child = node + 1
                while child < node + size[node]:
                    if size[child] > 1:
                        links = number_of(&numbers, <uint64_t>leafless[child], links, &next_chain)
                    child += size[child]
                known = number_of(&numbers, TREE | <uint64_t>page.tag[node], links, &next_class)
                of_class[page.structural_class[node]] = known
            leafless[node] = known
        put_back(block)
    result.setflags(write=False)
    return result
