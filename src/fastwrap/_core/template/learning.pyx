"""Aligns pages of one template into a tree of slots (FiVaTech, Kayed & Chang 2010): the children of all nodes that stand
in a slot are the columns of a peer matrix, whose rows become the slots below it."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort, realloc
from libc.string cimport memcmp, memcpy, memset

from fastwrap._core.common.buffers cimport data_of, held, held_numbers
from fastwrap._core.common.names cimport TAG_A, TAG_TD, TAG_TH, TEXT
from fastwrap._core.common.page cimport NativePage, PageArrays
from fastwrap._core.common.scratch cimport put_back, take
from fastwrap._core.template.aligning cimport (
    IS_KIND, IS_LABEL, IS_LOOSE, IS_NEAR, IS_RICH, IS_STRICT, NO_PLACE, VARIES, Child, Slot, Table, align, close_table,
    count_children, fill_children, is_cell, overlap, set_contexts,
)
from fastwrap._core.template.features cimport HAS_PREFIX, IS_INLINE, Tree, open_tree, size_of_tree

import numpy as np

from fastwrap.page.names import TAG_NUMBER

cdef int32_t TAG_LI = TAG_NUMBER["li"]
cdef int32_t LABEL_TAGS[5]
LABEL_TAGS[0], LABEL_TAGS[1], LABEL_TAGS[2] = TAG_NUMBER["b"], TAG_NUMBER["strong"], TAG_NUMBER["dt"]
LABEL_TAGS[3], LABEL_TAGS[4] = TAG_NUMBER["th"], TAG_NUMBER["label"]

cdef enum:
    LONGEST_PERIOD = 6      # of what repeats
    LONG_REPEAT = 8         # so many in a row repeat, though all pages have the same number of them
    LONGEST_SEPARATOR = 8   # bytes of a text between the values of a list
    ALIKE = 4               # of 8: trees that are peers
    RECORDS_ALIKE = 3       # of 4: trees that are records of a list
    MOST_LABELS = 2
    MOST_PEERS = 8          # kinds of trees of one tag, class and label
    MOST_UNITS = 16         # among the children of one slot
    MOST_KINDS = 64
    MOST_LEARNED = 60000000     # cells of all alignments


cdef struct Ids:
    # Numbers of 64-bit keys in order of first appearance: open addressing, keys are hashes already.
    uint64_t *keys
    int32_t *numbers
    size_t mask
    int32_t count


cdef struct Symbol:
    # A tag and class among the children of a slot.
    int32_t tag
    int32_t count
    int32_t labelled
    int32_t rows
    int32_t leading
    int32_t behind          # how many stand right behind a kind of labels
    int32_t different       # labels in the member `member`
    int32_t member
    bint several            # whether a member has several different labels of it
    bint is_kind
    bint is_follower


cdef struct Labelled:
    # A tag, class and label.
    int32_t once            # members that have it just once
    int32_t here            # how often it is there in the member `member`
    int32_t member
    bint is_single
    int32_t peers
    uint64_t labels[MOST_PEERS]
    uint64_t elements[MOST_PEERS]


cdef struct Run:
    int32_t start
    int32_t period
    int32_t repeats
    int32_t order


cdef struct Unit:
    int32_t length
    int32_t most            # repeats
    int32_t order
    int32_t symbols[LONGEST_PERIOD]
    int32_t head            # the first symbol that is no text
    int32_t head_tag


cdef struct Group:
    # The children of all nodes of a slot.
    int32_t members
    int32_t count           # children of all members
    int32_t *start          # [members + 1] where those of each begin
    Child *children
    int32_t *symbol         # [count] tag and class, then number of the peer
    int32_t *labelled       # [count] tag, class and label
    Symbol *symbols
    Labelled *labels
    Unit units[MOST_UNITS]
    int32_t unit_count


cdef struct Learner:
    Tree tree
    Table table
    Slot *slots
    int32_t count
    int32_t room
    int32_t units
    int32_t *next_node      # [nodes] of the same slot


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


cdef inline uint64_t mixed(uint64_t above, uint64_t more) noexcept nogil:
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


cdef inline uint64_t symbol_key(const Child *child) noexcept nogil:
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
            symbol.labelled += child.label != 0
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


# Peers and what repeats

cdef int find_peers(const Tree *tree, Group *group) except -1 nogil:
    """Give the children their symbols: those of one tag, class and label whose trees are alike have the same one."""
    cdef Ids ids
    cdef int32_t k, number, peer
    cdef uint64_t key
    cdef Child *child
    cdef Labelled *known
    open_ids(&ids, group.count)
    memset(group.labels, 0, <size_t>group.count * sizeof(Labelled))
    for k in range(group.count):
        child = &group.children[k]
        key = mixed(symbol_key(child), child.label) ^ child.label if child.is_label else symbol_key(child)
        number = number_of(&ids, key)
        known = &group.labels[number]
        peer = 0
        while peer < known.peers and (overlap(known.labels[peer], tree.labels[child.node])
                                      + overlap(known.elements[peer], tree.elements[child.node]) < ALIKE):
            peer += 1
        if peer == known.peers and peer < MOST_PEERS:
            known.labels[peer] = tree.labels[child.node]
            known.elements[peer] = tree.elements[child.node]
            known.peers += 1
        group.symbol[k] = number * (MOST_PEERS + 1) + peer
    free(ids.keys)
    return 0


cdef int by_coverage(const void *one, const void *other) noexcept nogil:
    cdef const Run *a = <const Run *>one
    cdef const Run *b = <const Run *>other
    cdef int64_t covered = <int64_t>b.period * b.repeats - <int64_t>a.period * a.repeats
    if covered:
        return 1 if covered > 0 else -1
    return a.period - b.period if a.period != b.period else a.start - b.start


cdef int by_start(const void *one, const void *other) noexcept nogil:
    return (<const Run *>one).start - (<const Run *>other).start


cdef inline bint is_separator(const Child *child) noexcept nogil:
    """Whether a child is a text that is no label."""
    return child.tag == TEXT and not child.is_label


cdef int32_t runs_of(const Group *group, int32_t member, Run *runs, uint8_t *taken) noexcept nogil:
    """Tandem repeats of a member, those that cover most, apart; returns how many."""
    cdef const int32_t *symbols = group.symbol + group.start[member]
    cdef const Child *children = group.children + group.start[member]
    cdef int32_t count = group.start[member + 1] - group.start[member]
    cdef int32_t period, start, end, repeats, found = 0, chosen = 0, k, n
    cdef bint free_run, has_element
    for period in range(1, min(<int32_t>LONGEST_PERIOD, count // 2) + 1):
        start = 0
        while start + period < count:
            end = start
            while end + period < count and symbols[end] == symbols[end + period]:
                end += 1
            repeats = (end - start) // period + 1
            if (period == 2 and end > start and children[start].tag != TEXT
                    and is_separator(&children[start + 1])):
                repeats = (end - start + 1) // 2 + 1        # the last one has no separator behind it
            if repeats >= 2:
                runs[found] = Run(start, period, repeats, 0)
                found += 1
            start = end + 1
    qsort(runs, found, sizeof(Run), by_coverage)
    memset(taken, 0, count)
    for n in range(found):
        start = runs[n].start
        end = min(count, start + runs[n].period * runs[n].repeats)
        free_run = True
        for k in range(start, end):
            if taken[k]:
                free_run = False
                break
        has_element = False
        for k in range(start, start + runs[n].period):
            has_element |= children[k].tag != TEXT
        if free_run and has_element:
            memset(taken + start, 1, end - start)
            runs[chosen] = runs[n]
            chosen += 1
    qsort(runs, chosen, sizeof(Run), by_start)
    return chosen


cdef bint are_records(const Tree *tree, const Child *children, int32_t count) noexcept nogil:
    """Whether siblings look like the records of a list: each of several texts, and all alike."""
    cdef int32_t k, node, head = children[0].node
    if (children[0].key == 0 and children[0].tag != TAG_A and children[0].tag != TAG_LI
            or children[0].tag == TAG_TD or children[0].tag == TAG_TH):
        return False
    for k in range(count):
        node = children[k].node
        if tree.text_count[node] < 2 or children[k].label != 0:
            return False
        if overlap(tree.elements[head], tree.elements[node]) < RECORDS_ALIKE:
            return False
        if (overlap(tree.labels[head], tree.labels[node]) < RECORDS_ALIKE
                and tree.label_count[head] + tree.label_count[node] > 2 * MOST_LABELS):
            return False
    return True


cdef int by_length(const void *one, const void *other) noexcept nogil:
    cdef const Unit *a = <const Unit *>one
    cdef const Unit *b = <const Unit *>other
    cdef int64_t longer = <int64_t>b.most * b.length - <int64_t>a.most * a.length
    if longer:
        return 1 if longer > 0 else -1
    return a.order - b.order


cdef bint repeats_for_sure(Group *group, const Unit *unit) noexcept nogil:
    """Whether the members have a unit in different numbers, or very often."""
    cdef int32_t member, k, here, first = NO_PLACE
    if unit.most >= LONG_REPEAT and unit.head_tag != TAG_TD and unit.head_tag != TAG_TH:
        return True
    for member in range(group.members):
        here = 0
        for k in range(group.start[member], group.start[member + 1]):
            here += group.symbol[k] == unit.head
        if first == NO_PLACE:
            first = here
        elif here != first:
            return True
    return False


cdef int find_units(const Tree *tree, Group *group) except -1 nogil:
    """What repeats: runs of symbols of which the members have different numbers, or very many."""
    cdef int32_t member, n, k, found, count = 0, room = 16, repeats, longest = 0
    cdef Run *runs
    cdef uint8_t *taken
    cdef Unit *units = <Unit *>malloc(<size_t>room * sizeof(Unit))
    cdef Unit *larger
    cdef Ids ids
    cdef uint64_t key
    cdef const Child *children
    cdef const int32_t *symbols
    group.unit_count = 0
    for member in range(group.members):
        longest = max(longest, group.start[member + 1] - group.start[member])
    runs = <Run *>malloc(((<size_t>longest + 2) * LONGEST_PERIOD) * sizeof(Run))
    taken = <uint8_t *>malloc(<size_t>longest + 1)
    open_ids(&ids, group.count)
    if units == NULL or runs == NULL or taken == NULL:
        no_memory()
    for member in range(group.members):
        found = runs_of(group, member, runs, taken)
        children = group.children + group.start[member]
        symbols = group.symbol + group.start[member]
        for n in range(found):
            repeats = runs[n].repeats
            if (runs[n].period == 2 and is_separator(&children[runs[n].start + 1])
                    and separates(tree, &children[runs[n].start + 1])):
                repeats = LONG_REPEAT       # a comma or an "and" says that it is a list
            if runs[n].period == 1 and are_records(tree, &children[runs[n].start], repeats):
                repeats = LONG_REPEAT
            key = <uint64_t>runs[n].period
            for k in range(runs[n].period):
                key = mixed(key, <uint64_t>symbols[runs[n].start + k] + 1)
            k = number_of(&ids, key)
            if k == count:
                if count == room:
                    room *= 2
                    larger = <Unit *>realloc(units, <size_t>room * sizeof(Unit))
                    if larger == NULL:
                        no_memory()
                    units = larger
                units[k].length = runs[n].period
                units[k].most = 0
                units[k].order = k
                memcpy(units[k].symbols, &symbols[runs[n].start], runs[n].period * sizeof(int32_t))
                units[k].head = NO_PLACE
                for k in range(runs[n].period):
                    if children[runs[n].start + k].tag != TEXT:
                        units[count].head = symbols[runs[n].start + k]
                        break
                units[count].head_tag = children[runs[n].start].tag
                k = count
                count += 1
            units[k].most = max(units[k].most, repeats)
    qsort(units, count, sizeof(Unit), by_length)
    for n in range(count):
        if group.unit_count == MOST_UNITS:
            break
        if repeats_for_sure(group, &units[n]):
            group.units[group.unit_count] = units[n]
            group.unit_count += 1
    free(units)
    free(runs)
    free(taken)
    free(ids.keys)
    return 0


# Slots

cdef void take_node(Learner *learner, Slot *slot, int32_t node) noexcept nogil:
    if slot.first_node == NO_PLACE:
        slot.first_node = node
    else:
        learner.next_node[slot.last_node] = node
    slot.last_node = node
    learner.next_node[node] = NO_PLACE


cdef void start_slot(Learner *learner, Slot *slot, const Child *child, int32_t above, int32_t unit) noexcept nogil:
    """A new slot for a child."""
    memset(slot, 0, sizeof(Slot))
    slot.tag = child.tag
    slot.parent = above
    slot.flags = ((IS_LABEL if child.is_label else 0) | (IS_KIND if child.is_kind else 0)
                  | (IS_NEAR if child.near else 0))
    slot.unit = unit
    slot.key = child.key
    slot.name = child.name
    slot.label = child.label
    slot.context = child.context
    slot.labels = learner.tree.labels[child.node]
    slot.elements = learner.tree.elements[child.node]
    slot.first_node = NO_PLACE
    take_node(learner, slot, child.node)


cdef void take_child(Learner *learner, Slot *slot, const Child *child) noexcept nogil:
    """Add a node to a slot."""
    take_node(learner, slot, child.node)
    if slot.label != child.label:
        slot.label = 0
    if slot.context != child.context:
        slot.context = 0
        slot.flags &= ~IS_NEAR
    if slot.name != child.name:
        slot.name = 0
    slot.labels |= learner.tree.labels[child.node]
    slot.elements |= learner.tree.elements[child.node]


cdef int32_t fold(Learner *learner, const Group *group, int32_t member, Slot *made, int32_t above) noexcept nogil:
    """Make the slots of the first member: one for each child, but what repeats is there once. Returns how many."""
    cdef const int32_t *symbols = group.symbol + group.start[member]
    cdef const Child *children = group.children + group.start[member]
    cdef int32_t count = group.start[member + 1] - group.start[member]
    cdef int32_t at = 0, width = 0, n, end, best, chosen, k
    cdef const Unit *unit
    while at < count:
        best = 0
        chosen = NO_PLACE
        for n in range(group.unit_count):
            unit = &group.units[n]
            end = at
            while end < count and symbols[end] == unit.symbols[(end - at) % unit.length]:
                end += 1
            if end - at >= unit.length and end - at > best:
                best = end - at
                chosen = n
        if chosen == NO_PLACE:
            start_slot(learner, &made[width], &children[at], above, NO_PLACE)
            width += 1
            at += 1
            continue
        unit = &group.units[chosen]
        for k in range(best):
            if k < unit.length:
                start_slot(learner, &made[width + k], &children[at + k], above, learner.units)
            else:
                take_child(learner, &made[width + k % unit.length], &children[at + k])
        learner.units += 1
        width += unit.length
        at += best
    return width


cdef int32_t insert(Learner *learner, Slot *made, int32_t width, Slot *larger, const Child *children, int32_t count,
                    int32_t *places) noexcept nogil:
    """Add the children of a further member: to their slots, or as new ones behind that of the child before them.

    `larger` is room for all slots, and behind these for some numbers. Returns how many slots there are then.
    """
    cdef int32_t *first = <int32_t *>(larger + width + count)      # [width + 1] the first new child behind each slot
    cdef int32_t *last = first + width + 1                          # [width + 1] and the last one
    cdef int32_t *following = last + width + 1                      # [count] the next one
    cdef int32_t k, j, behind = NO_PLACE, total = 0, above = made[0].parent if width else NO_PLACE
    for j in range(width + 1):
        first[j] = NO_PLACE
    for k in range(count):
        if places[k] != NO_PLACE:
            take_child(learner, &made[places[k]], &children[k])
            behind = places[k]
            continue
        # Units stay together.
        while (behind >= 0 and behind + 1 < width and made[behind].unit >= 0
                and made[behind + 1].unit == made[behind].unit):
            behind += 1
        if first[behind + 1] == NO_PLACE:
            first[behind + 1] = k
        else:
            following[last[behind + 1]] = k
        last[behind + 1] = k
        following[k] = NO_PLACE
    for j in range(width + 1):
        if j > 0:
            larger[total] = made[j - 1]
            total += 1
        k = first[j]
        while k != NO_PLACE:
            start_slot(learner, &larger[total], &children[k], above, NO_PLACE)
            total += 1
            k = following[k]
    memcpy(made, larger, <size_t>total * sizeof(Slot))
    return total


cdef void finish_slots(Learner *learner, Slot *made, int32_t width, const Slot *above) noexcept nogil:
    """Say which slots take only their label, and which may repeat on other pages."""
    cdef int32_t j, k, alike
    cdef Slot *slot
    for j in range(width):
        slot = &made[j]
        if slot.flags & IS_LABEL and slot.label != 0 and slot.unit < 0 and not slot.flags & IS_STRICT:
            alike = 0
            for k in range(j, width):
                if (made[k].flags & IS_LABEL and made[k].label != 0 and made[k].unit < 0
                        and made[k].tag == slot.tag and made[k].key == slot.key):
                    alike += 1
                    if alike > 1:
                        made[k].flags |= IS_STRICT
            if alike > 1:
                slot.flags |= IS_STRICT
    for j in range(width):
        slot = &made[j]
        if (slot.tag != TEXT and (slot.tag == TAG_A or slot.tag == TAG_LI or slot.key != 0) and slot.unit < 0
                and slot.label == 0 and slot.name == 0):
            slot.flags |= IS_LOOSE
            slot.unit = learner.units
            learner.units += 1
        slot.in_value = slot.flags & IS_NEAR != 0 or above.in_value


cdef int32_t distinct(const Group *group, int32_t member, int32_t *seen) noexcept nogil:
    """How many different symbols a member has; `seen` has the number of the last member for each."""
    cdef int32_t k, found = 0
    for k in range(group.start[member], group.start[member + 1]):
        if seen[group.symbol[k]] != member + 1:
            seen[group.symbol[k]] = member + 1
            found += 1
    return found


cdef int by_variety(const void *one, const void *other) noexcept nogil:
    """Members with more different symbols first, then longer ones, then earlier ones: [variety, length, number]."""
    cdef const int32_t *a = <const int32_t *>one
    cdef const int32_t *b = <const int32_t *>other
    if a[0] != b[0]:
        return b[0] - a[0]
    return b[1] - a[1] if a[1] != b[1] else a[2] - b[2]


cdef int32_t align_members(Learner *learner, Group *group, int32_t above, Slot **memory) except -1 nogil:
    """Make the slots below a slot, into `memory` that is the caller's to free; returns how many."""
    cdef int32_t member, k, width = 0, count, longest = 0
    cdef int32_t *order = <int32_t *>malloc(3 * <size_t>group.members * sizeof(int32_t))
    cdef int32_t *seen = <int32_t *>calloc(<size_t>group.count * (MOST_PEERS + 1) + 1, sizeof(int32_t))
    cdef Slot *made = <Slot *>malloc((<size_t>group.count + 1) * sizeof(Slot))
    cdef Slot *larger = <Slot *>malloc((<size_t>group.count + 1) * (2 * sizeof(Slot) + 3 * sizeof(int32_t)))
    cdef int32_t *places = <int32_t *>malloc((2 * <size_t>group.count + 2) * sizeof(int32_t))
    if order == NULL or seen == NULL or made == NULL or larger == NULL or places == NULL:
        no_memory()
    for member in range(group.members):
        order[3 * member] = distinct(group, member, seen)
        order[3 * member + 1] = group.start[member + 1] - group.start[member]
        order[3 * member + 2] = member
    qsort(order, group.members, 3 * sizeof(int32_t), by_variety)
    for k in range(group.members):
        member = order[3 * k + 2]
        count = group.start[member + 1] - group.start[member]
        if k == 0:
            width = fold(learner, group, member, made, above)
        elif count:
            align(&learner.table, &learner.tree, made, width, &group.children[group.start[member]], count, places)
            width = insert(learner, made, width, larger, &group.children[group.start[member]], count, places)
    free(order)
    free(seen)
    free(larger)
    free(places)
    memory[0] = made
    return width


cdef int open_group(Group *group, const Learner *learner, const Slot *slot) except -1 nogil:
    """The children of all nodes of a slot."""
    cdef int32_t node = slot.first_node, k = 0
    group.members = group.count = 0
    while node != NO_PLACE:
        group.members += 1
        group.count += count_children(&learner.tree, node)
        node = learner.next_node[node]
    group.start = <int32_t *>malloc((<size_t>group.members + 1) * sizeof(int32_t))
    group.children = <Child *>malloc((<size_t>group.count + 1) * sizeof(Child))
    group.symbol = <int32_t *>malloc((<size_t>group.count + 1) * sizeof(int32_t))
    group.labelled = <int32_t *>malloc((<size_t>group.count + 1) * sizeof(int32_t))
    group.symbols = <Symbol *>malloc((<size_t>group.count + 1) * sizeof(Symbol))
    group.labels = <Labelled *>malloc((<size_t>group.count + 1) * sizeof(Labelled))
    if (group.start == NULL or group.children == NULL or group.symbol == NULL or group.labelled == NULL
            or group.symbols == NULL or group.labels == NULL):
        no_memory()
    group.start[0] = 0
    node = slot.first_node
    while node != NO_PLACE:
        group.start[k + 1] = group.start[k] + fill_children(group.children + group.start[k], &learner.tree, node)
        k += 1
        node = learner.next_node[node]
    return 0


cdef void close_group(Group *group) noexcept nogil:
    free(group.start)
    free(group.children)
    free(group.symbol)
    free(group.labelled)
    free(group.symbols)
    free(group.labels)


cdef int32_t learn_below(Learner *learner, int32_t above) except -1 nogil:
    """Make the slots below a slot; returns how many."""
    cdef Group group
    cdef Slot *made = NULL
    cdef Slot *larger
    cdef int32_t width = 0, node = learner.slots[above].first_node
    cdef bint alone = learner.slots[above].in_value
    open_group(&group, learner, &learner.slots[above])
    # What stands alone behind a label is its value, and no label itself.
    while alone and node != NO_PLACE:
        alone = learner.tree.text_count[node] == 1
        node = learner.next_node[node]
    tell_labels(&learner.tree, &group, alone)
    if is_rich(&learner.tree, &group):
        learner.slots[above].flags |= IS_RICH
    else:
        find_peers(&learner.tree, &group)
        find_units(&learner.tree, &group)
        width = align_members(learner, &group, above, &made)
        finish_slots(learner, made, width, &learner.slots[above])
        if learner.count + width > learner.room:
            learner.room = 2 * (learner.count + width)
            larger = <Slot *>realloc(learner.slots, <size_t>learner.room * sizeof(Slot))
            if larger == NULL:
                no_memory()
            learner.slots = larger
        memcpy(&learner.slots[learner.count], made, <size_t>width * sizeof(Slot))
        learner.count += width
        free(made)
    close_group(&group)
    return width


cdef bint is_leaf(const Learner *learner, const Slot *slot) noexcept nogil:
    cdef int32_t node = slot.first_node
    if slot.tag == TEXT:
        return True
    while node != NO_PLACE:
        if learner.tree.page.size[node] > 1:
            return False
        node = learner.next_node[node]
    return True


cdef bint learn_all(Learner *learner, int32_t most) except -1 nogil:
    """Make all slots, from the first one down; returns whether there would have been more than `most`."""
    cdef int32_t room = 64, waiting = 1, slot, width, k, first
    cdef int32_t *todo = <int32_t *>malloc(<size_t>room * sizeof(int32_t))
    cdef int32_t *larger
    cdef bint exceeded = False
    if todo == NULL:
        no_memory()
    todo[0] = 0
    while waiting:
        waiting -= 1
        slot = todo[waiting]
        if learner.count > most:
            exceeded = True
            break
        if is_leaf(learner, &learner.slots[slot]):
            continue
        first = learner.count
        width = learn_below(learner, slot)
        if waiting + width > room:
            room = 2 * (waiting + width)
            larger = <int32_t *>realloc(todo, <size_t>room * sizeof(int32_t))
            if larger == NULL:
                no_memory()
            todo = larger
        for k in range(width):
            todo[waiting + k] = first + width - 1 - k
        waiting += width
    free(todo)
    return exceeded


cdef bint varies(const Learner *learner, const Slot *slot) noexcept nogil:
    """Whether the texts of the nodes of a slot differ."""
    cdef const PageArrays *page = learner.tree.page
    cdef int32_t node = slot.first_node, start, length
    cdef int32_t first = page.text_start[node], first_length = page.text_start[node + page.size[node]] - first
    while node != NO_PLACE:
        start = page.text_start[node]
        length = page.text_start[node + page.size[node]] - start
        if length != first_length or (length > 0 and memcmp(page.text + start, page.text + first, length - 1) != 0):
            return True
        node = learner.next_node[node]
    return False


cdef tuple written(Learner *learner):
    """The slots as arrays, and the slot of each node."""
    cdef int32_t count = learner.count, slot, node
    numbers = np.empty((4, count), dtype=np.int32)
    hashes = np.empty((6, count), dtype=np.uint64)
    slot_of = np.full(learner.tree.page.count, NO_PLACE, dtype=np.int32)
    cdef int32_t *rows = <int32_t *>data_of(numbers)
    cdef uint64_t *words = <uint64_t *>data_of(hashes)
    cdef int32_t *found = <int32_t *>data_of(slot_of)
    cdef Slot *each
    for slot in range(count):
        each = &learner.slots[slot]
        if (each.tag == TEXT or each.flags & IS_RICH) and varies(learner, each):
            each.flags |= VARIES
        rows[slot] = each.tag
        rows[count + slot] = each.parent
        rows[2 * count + slot] = each.flags
        rows[3 * count + slot] = each.unit
        words[slot] = each.key
        words[count + slot] = each.name
        words[2 * count + slot] = each.label
        words[3 * count + slot] = each.context
        words[4 * count + slot] = each.labels
        words[5 * count + slot] = each.elements
        node = each.first_node
        while node != NO_PLACE:
            found[node] = slot
            node = learner.next_node[node]
    return numbers, hashes, slot_of


def learn(NativePage native not None, roots not None, labels not None, int32_t most):
    """The slots of pages of one template; see `learning.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef Learner learner
    cdef char *memory
    cdef int32_t count = <int32_t>len(roots), known_count = <int32_t>len(labels), k
    cdef const int32_t *first = held_numbers(roots, count)
    cdef const uint64_t *known = <const uint64_t *>held(labels, known_count, sizeof(uint64_t))
    cdef bint exceeded
    if count == 0:
        raise ValueError("there is no tree to learn from")
    for k in range(count):
        if not 0 <= first[k] < page.count or (k and first[k] < first[k - 1] + page.size[first[k - 1]]):
            raise ValueError("the roots are not trees of the page, one after the other")
    memset(&learner, 0, sizeof(Learner))
    learner.table.budget = MOST_LEARNED
    memory = <char *>take(size_of_tree(page.count))
    try:
        learner.room = 64
        learner.slots = <Slot *>calloc(learner.room, sizeof(Slot))
        learner.next_node = <int32_t *>malloc(<size_t>page.count * sizeof(int32_t))
        if learner.slots == NULL or learner.next_node == NULL:
            no_memory()
        with nogil:
            open_tree(&learner.tree, memory, page, known, known_count)
            learner.count = 1
            learner.slots[0].tag = page.tag[first[0]]
            learner.slots[0].parent = learner.slots[0].unit = learner.slots[0].first_node = NO_PLACE
            for k in range(count):
                take_node(&learner, &learner.slots[0], first[k])
            exceeded = learn_all(&learner, most)
        numbers, hashes, slot_of = written(&learner)
    finally:
        put_back(memory)
        close_table(&learner.table)
        free(learner.slots)
        free(learner.next_node)
    limits = (("template.slots",) if exceeded else ()) + (("template.alignment",) if learner.table.exceeded else ())
    return numbers, hashes, slot_of, limits
