"""Symbols of the nodes of records: what nodes of one tag are told apart by, in numbers that hold for every page.
An element has a hash of its class and style; a text, if many records have it, a hash of what it says; others have 0."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memset

from fastwrap._core.columns.alignment cimport NOWHERE, ROOT, Aligner, PathEntry, Records, end_of, find_path, start_of
from fastwrap._core.common.hashing cimport hashed
from fastwrap._core.common.names cimport ATTRIBUTE_CLASS, ATTRIBUTE_STYLE, TEXT
from fastwrap._core.common.page cimport NO_ENTRY, PageArrays, attribute_of, value_length

cdef enum:
    STYLES = 256        # styles whose symbols are at hand

cdef uint64_t FNV_START = <uint64_t>0xCBF29CE484222325
cdef uint64_t FNV_FACTOR = <uint64_t>0x100000001B3


cdef struct Style:
    # The class and style attribute of an element, as spans of the values, and their symbol; 0 in a free entry.
    int32_t classes
    int32_t class_length
    int32_t declared
    int32_t declared_length
    int32_t symbol


cdef struct LabelCount:
    uint64_t hash           # of the text; 0 in a free entry
    int32_t record          # the last record that has it
    int32_t records         # how many have it
    int32_t symbol          # 0 until it is needed


cdef inline uint64_t lasting_hash(const unsigned char *text, int32_t length) noexcept nogil:
    """FNV-1a, 64 bits (Fowler, Noll & Vo): simple enough to mean the same in every version. Templates keep it."""
    cdef uint64_t mixed = FNV_START
    cdef int32_t at
    for at in range(length):
        mixed = (mixed ^ text[at]) * FNV_FACTOR
    return mixed


cdef inline int32_t folded(uint64_t mixed) noexcept nogil:
    """A hash as a symbol: 31 bits, never 0."""
    cdef int32_t symbol = <int32_t>((mixed ^ mixed >> 32) & 0x7FFFFFFF)
    return symbol if symbol else 1


cdef inline bint find_style(const PageArrays *page, int32_t node, Style *style) noexcept nogil:
    """Find the class and style attribute of an element. Returns whether either says anything."""
    cdef int32_t entry = attribute_of(page, node, ATTRIBUTE_CLASS)
    memset(style, 0, sizeof(Style))
    if entry != NO_ENTRY:
        style.classes = page.value_start[entry]
        style.class_length = value_length(page, entry)
    entry = attribute_of(page, node, ATTRIBUTE_STYLE)
    if entry != NO_ENTRY:
        style.declared = page.value_start[entry]
        style.declared_length = value_length(page, entry)
    return style.class_length != 0 or style.declared_length != 0


cdef inline int32_t style_hash(const PageArrays *page, const Style *style) noexcept nogil:
    cdef uint64_t classes = lasting_hash(page.values + style.classes, style.class_length)
    cdef uint64_t declared = lasting_hash(page.values + style.declared, style.declared_length)
    return folded((classes ^ declared >> 7) * FNV_FACTOR ^ declared)


cdef int32_t style_symbol(const PageArrays *page, Style *known, int32_t node) noexcept nogil:
    """The symbol of the class and style attribute of an element; 0 if both are empty. `known` has STYLES of them."""
    cdef Style own
    cdef uint64_t key
    cdef Style *style
    if not find_style(page, node, &own):
        return 0
    key = hashed(page.values + own.classes, own.class_length, 0)
    if own.declared_length:
        key = hashed(page.values + own.declared, own.declared_length, key)
    style = &known[key >> 56]
    if (style.symbol == 0 or style.class_length != own.class_length or style.declared_length != own.declared_length
            or memcmp(page.values + style.classes, page.values + own.classes, own.class_length) != 0
            or memcmp(page.values + style.declared, page.values + own.declared, own.declared_length) != 0):
        style[0] = own
        style.symbol = style_hash(page, &own)
    return style.symbol


cdef inline int32_t text_length(const PageArrays *page, int32_t node) noexcept nogil:
    """The bytes of a text, without the one behind it."""
    return page.text_start[node + 1] - page.text_start[node] - 1


cdef inline int32_t text_symbol(const PageArrays *page, int32_t node) noexcept nogil:
    """The symbol of what a text says: as templates have it, with a space behind it."""
    cdef uint64_t said = lasting_hash(page.text + page.text_start[node], text_length(page, node))
    return folded((said ^ c" ") * FNV_FACTOR | 1)


cdef int32_t symbols_to_learn(const PageArrays *page, const Records *records, int32_t enough,
                              int32_t *symbols) noexcept nogil:
    """Write the symbols of all nodes; texts have one if `enough` records have them. -1: no memory.

    The page has its style symbols.
    """
    cdef int32_t record, node, i = 0, texts = 0, bits = 4, most = 0
    cdef const int32_t *styles = page.style_symbol
    cdef uint64_t mask, place, said
    cdef Style own
    cdef int32_t *by_style      # the symbols of styles that were met
    cdef LabelCount *table
    cdef LabelCount *label
    for record in range(records.count):
        for node in range(start_of(records, record), end_of(records, record)):
            texts += page.tag[node] == TEXT
            most = max(most, styles[node])
    while <int64_t>1 << bits < 2 * <int64_t>texts:
        bits += 1
    table = <LabelCount *>calloc(<size_t>1 << bits, sizeof(LabelCount))
    by_style = <int32_t *>calloc(<size_t>most + 1, sizeof(int32_t))
    if table == NULL or by_style == NULL:
        free(table)
        free(by_style)
        return -1
    mask = (<uint64_t>1 << bits) - 1
    for record in range(records.count):
        for node in range(start_of(records, record), end_of(records, record)):
            if page.tag[node] == TEXT:
                said = hashed(page.text + page.text_start[node], text_length(page, node), 0) | 1
                place = said >> (64 - bits)
                while table[place].hash != 0 and table[place].hash != said:
                    place = (place + 1) & mask
                label = &table[place]
                if label.hash == 0 or label.record != record:
                    label.hash = said
                    label.record = record
                    label.records += 1
                symbols[i] = <int32_t>place
            else:
                if styles[node] != 0 and by_style[styles[node]] == 0 and find_style(page, node, &own):
                    by_style[styles[node]] = style_hash(page, &own)
                symbols[i] = by_style[styles[node]]
            i += 1
    i = 0
    for record in range(records.count):
        for node in range(start_of(records, record), end_of(records, record)):
            if page.tag[node] == TEXT:
                label = &table[symbols[i]]
                if label.records >= enough and label.symbol == 0:
                    label.symbol = text_symbol(page, node)
                symbols[i] = label.symbol
            i += 1
    free(table)
    free(by_style)
    return 0


cdef int32_t label_symbol(const TellingSymbols *known, int32_t symbol) noexcept nogil:
    """The symbol of a text if it is a label, else 0: bisection, for labels ascend."""
    cdef Py_ssize_t low = 0, high = known.label_count, middle
    while low < high:
        middle = (low + high) // 2
        if known.labels[middle] < symbol:
            low = middle + 1
        else:
            high = middle
    return symbol if low < known.label_count and known.labels[low] == symbol else 0


cdef void symbols_to_read(const PageArrays *page, const Aligner *aligner, const Records *records,
                          const TellingSymbols *known, int32_t *symbols, int32_t *path) noexcept nogil:
    """Write the symbols of all nodes: 0 for those that no symbol tells apart. `path` is for one record's nodes."""
    cdef int32_t record, node, above, start, i = 0
    cdef const PathEntry *entry
    cdef Style[STYLES] styles
    memset(styles, 0, STYLES * sizeof(Style))
    for record in range(records.count):
        start = start_of(records, record)
        for node in range(start, end_of(records, record)):
            above = page.parent[node] - start
            above = aligner.slots[ROOT].path if above < 0 else path[above]
            path[node - start] = NOWHERE
            symbols[i] = 0
            if above != NOWHERE:
                entry = find_path(aligner, above, page.tag[node])
                if entry.key != 0:
                    path[node - start] = entry.path
                    if known.telling[entry.path]:
                        if page.tag[node] != TEXT:
                            symbols[i] = style_symbol(page, styles, node)
                        else:
                            symbols[i] = label_symbol(known, text_symbol(page, node))
            i += 1
