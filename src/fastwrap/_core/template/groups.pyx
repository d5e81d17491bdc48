"""Which of the children of all nodes of a slot are labels, and what they name; and which are but running text.
Nothing here is for Python."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from fastwrap._core.common.names cimport TEXT
from fastwrap._core.template.aligning cimport Child, is_cell, set_contexts
from fastwrap._core.template.features cimport HAS_COLON, HAS_PREFIX, IS_INLINE, Tree

from fastwrap.page.names import TAG_NUMBER

cdef enum:
    LONGEST_SEPARATOR = 8   # bytes of a text between the values of a list
    MOST_KINDS = 64

cdef int32_t LABEL_TAGS[5]
LABEL_TAGS[0], LABEL_TAGS[1], LABEL_TAGS[2] = TAG_NUMBER["b"], TAG_NUMBER["strong"], TAG_NUMBER["dt"]
LABEL_TAGS[3], LABEL_TAGS[4] = TAG_NUMBER["th"], TAG_NUMBER["label"]


cdef int no_memory() except -1 nogil:
    with gil:
        raise MemoryError("no memory for learning a template")


# Numbers of keys

cdef int open_ids(Ids *ids, int32_t most) except -1 nogil:
    cdef size_t room = 16
    memset(ids, 0, sizeof(Ids))
    while room < 2 * <size_t>most + 2:
        room *= 2
    ids.keys = <uint64_t *>calloc(room, sizeof(uint64_t) + sizeof(int32_t))
    if ids.keys == NULL:
        no_memory()
    ids.numbers = <int32_t *>(ids.keys + room)
    ids.mask = room - 1
    ids.count = 0
    return 0


cdef uint64_t mixed(uint64_t above, uint64_t more) noexcept nogil:
    above = (above ^ more) * <uint64_t>0x9E3779B97F4A7C15
    return above ^ (above >> 29)


cdef int32_t number_of(Ids *ids, uint64_t key) noexcept nogil:
    """The number of a key; a new one has the next."""
    cdef size_t at
    key |= 1
    at = <size_t>(key >> 7) & ids.mask
    while ids.keys[at] != 0 and ids.keys[at] != key:
        at = (at + 1) & ids.mask
    if ids.keys[at] == 0:
        ids.keys[at] = key
        ids.numbers[at] = ids.count
        ids.count += 1
    return ids.numbers[at]


cdef uint64_t symbol_key(const Child *child) noexcept nogil:
    return mixed(mixed(<uint64_t>0x9E3779B97F4A7C15, <uint64_t>child.tag), child.key)


# Labels

cdef bint separates(const Tree *tree, const Child *child) noexcept nogil:
    """Whether a text is one that stands between the values of a list."""
    cdef int32_t start = tree.page.text_start[child.node], length, k
    if child.tag != TEXT or child.raw != 0:
        return False
    length = tree.page.text_start[child.node + 1] - start - 1
    if length > LONGEST_SEPARATOR:
        return False
    for k in range(start, start + length):
        if 48 <= tree.page.text[k] <= 57:
            return False
    return True


cdef bint is_row(const Tree *tree, const Child *child) noexcept nogil:
    """Whether a child may hold a label and its value."""
    return tree.text_count[child.node] > 1 or tree.marks[child.node] & HAS_PREFIX != 0


cdef bint has_form(const Tree *tree, const Child *child) noexcept nogil:
    """Whether a child looks like a label, whatever other pages have: by its colon."""
    return child.raw != 0 and tree.marks[child.node] & (HAS_PREFIX | HAS_COLON) != 0


cdef bint leads(const Tree *tree, const Child *child, const Child *following) noexcept nogil:
    """Whether a child may be the label of the one behind it."""
    if following == NULL or separates(tree, following):
        return False
    return is_cell(child.tag) or child.tag != following.tag or child.key != following.key


cdef inline const Child *after(const Group *group, int32_t member, int32_t k) noexcept nogil:
    return &group.children[k + 1] if k + 1 < group.start[member + 1] else NULL


cdef int count_symbols(const Tree *tree, Group *group) except -1 nogil:
    """Number the tags with classes, and those with labels, and count what is known of them."""
    cdef Ids symbols, labels
    cdef int32_t member, k, number
    cdef Child *child
    cdef Symbol *symbol
    cdef Labelled *labelled
    open_ids(&symbols, group.count)
    open_ids(&labels, group.count)
    memset(group.symbols, 0, <size_t>group.count * sizeof(Symbol))
    memset(group.labels, 0, <size_t>group.count * sizeof(Labelled))
    for member in range(group.members):
        for k in range(group.start[member], group.start[member + 1]):
            child = &group.children[k]
            group.symbol[k] = number_of(&symbols, symbol_key(child))
            group.labelled[k] = number_of(&labels, mixed(symbol_key(child), child.label) ^ child.label)
            symbol = &group.symbols[group.symbol[k]]
            labelled = &group.labels[group.labelled[k]]
            symbol.tag = child.tag
            symbol.count += 1
            symbol.labelled += child.label != 0 or has_form(tree, child)
            symbol.rows += is_row(tree, child)
            symbol.leading += leads(tree, child, after(group, member, k))
            if labelled.member != member + 1:
                labelled.member = member + 1
                labelled.here = 0
                if child.label != 0:
                    if symbol.member != member + 1:
                        symbol.member = member + 1
                        symbol.different = 0
                    symbol.different += 1
                    symbol.several |= symbol.different > 1
            labelled.here += 1
        for k in range(group.start[member], group.start[member + 1]):
            labelled = &group.labels[group.labelled[k]]
            if group.children[k].label != 0 and labelled.here == 1:
                labelled.once += 1
    number = symbols.count
    free(symbols.keys)
    free(labels.keys)
    return number


cdef bint is_label_tag(int32_t tag) noexcept nogil:
    """Whether elements of a tag are labels more often than others."""
    cdef int32_t k
    for k in range(5):
        if LABEL_TAGS[k] == tag:
            return True
    return False


cdef void find_kinds(Group *group, int32_t count) noexcept nogil:
    """Which kinds of elements are labels: what many pages have, if each has a value."""
    cdef int32_t number, member, k, kinds = 0
    cdef Symbol *symbol
    cdef bint are_rows
    for number in range(count):
        symbol = &group.symbols[number]
        if 5 * <int64_t>symbol.behind >= 4 * <int64_t>symbol.count:
            symbol.is_follower = True
            continue
        if not symbol.several or kinds == MOST_KINDS:
            continue
        are_rows = 2 * <int64_t>symbol.rows >= symbol.count or is_label_tag(symbol.tag)
        if 2 * <int64_t>max(symbol.rows, symbol.leading) < symbol.count:
            continue
        if (2 * <int64_t>symbol.labelled >= symbol.count if are_rows
                else 10 * <int64_t>symbol.labelled >= 7 * <int64_t>symbol.count):
            symbol.is_kind = True
            kinds += 1
            for member in range(group.members):
                for k in range(group.start[member] + 1, group.start[member + 1]):
                    if group.symbol[k - 1] == number:
                        group.symbols[group.symbol[k]].behind += 1


cdef void find_singles(const Tree *tree, Group *group) noexcept nogil:
    """Which labels all members have just once."""
    cdef int32_t k
    cdef bint previous = False
    cdef Child *child
    cdef Symbol *symbol
    for k in range(group.start[0], group.start[1]):
        child = &group.children[k]
        symbol = &group.symbols[group.symbol[k]]
        if symbol.is_kind:
            previous = True
            continue
        previous = (
            not previous and group.members > 1 and group.labels[group.labelled[k]].once == group.members
            and not symbol.is_follower and (is_row(tree, child) or leads(tree, child, after(group, 0, k)))
        )
        if previous:
            group.labels[group.labelled[k]].is_single = True


cdef int tell_labels(const Tree *tree, Group *group, bint alone) except -1 nogil:
    """Say which children are labels, and what they name; nothing is, if all is `alone` behind a label."""
    cdef int32_t count = count_symbols(tree, group), member, k
    if not alone:
        find_kinds(group, count)
        find_singles(tree, group)
    for k in range(group.count):
        group.children[k].is_kind = group.symbols[group.symbol[k]].is_kind
        group.children[k].is_single = group.labels[group.labelled[k]].is_single
    for member in range(group.members):
        set_contexts(&group.children[group.start[member]], group.start[member + 1] - group.start[member])
    return 0


# Running text

cdef bint is_rich(const Tree *tree, const Group *group) noexcept nogil:
    """Whether it is running text, whose markup says nothing: texts in lines, of different shapes, mostly no label."""
    cdef int32_t member, k, labelled = 0, length, first = group.start[1] - group.start[0]
    cdef bint same = True, some
    for member in range(1, group.members):
        length = group.start[member + 1] - group.start[member]
        same = same and length == first
        for k in range(min(length, first) if same else 0):
            same = same and group.children[group.start[member] + k].tag == group.children[k].tag
    if same:
        return False
    for k in range(group.count):
        if not tree.marks[group.children[k].node] & IS_INLINE:
            return False
    for member in range(group.members):
        some = False
        for k in range(group.start[member], group.start[member + 1]):
            some = some or group.children[k].label != 0
        labelled += some
    return 2 * labelled < group.members
