"""What repeats among the children of all nodes of a slot: peers have one symbol, and runs of symbols are units.
Class and label decide first, then how alike the trees are. Nothing here is for Python."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc, qsort, realloc
from libc.string cimport memcpy, memset

from fastwrap._core.common.names cimport TAG_A, TAG_TD, TAG_TH, TEXT
from fastwrap._core.template.aligning cimport NO_PLACE, Child, overlap
from fastwrap._core.template.features cimport Tree
from fastwrap._core.template.groups cimport (
    LONGEST_PERIOD, MOST_PEERS, MOST_UNITS, Group, Ids, Labelled, Unit, mixed, no_memory, number_of, open_ids,
    separates, symbol_key,
)

from fastwrap.page.names import TAG_NUMBER

cdef int32_t TAG_LI = TAG_NUMBER["li"]

cdef enum:
    LONG_REPEAT = 8         # so many in a row repeat, though all pages have the same number of them
    ALIKE = 4               # of 8: trees that are peers
    RECORDS_ALIKE = 3       # of 4: trees that are records of a list
    MOST_LABELS = 2
    LARGE_TREE = 4          # nodes
    MOST_TRIED = 64         # units that are looked at


cdef struct Run:
    int32_t start
    int32_t period
    int32_t repeats


cdef bint are_peers(const Tree *tree, uint64_t labels, uint64_t elements, int32_t node) noexcept nogil:
    """Whether a tree is like one with these labels and elements; where neither has labels, the elements tell alone."""
    cdef int32_t alike = overlap(elements, tree.elements[node])
    return alike + (overlap(labels, tree.labels[node]) if labels | tree.labels[node] else alike) >= ALIKE


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
        if tree.page.size[child.node] >= LARGE_TREE and tree.text_count[child.node] == 0:
            key = mixed(key, LARGE_TREE)       # pictures alone are no peer of texts
        number = number_of(&ids, key)
        known = &group.labels[number]
        peer = 0
        while peer < known.peers and not are_peers(tree, known.labels[peer], known.elements[peer], child.node):
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
                runs[found] = Run(start, period, repeats)
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
    for n in range(min(count, <int32_t>MOST_TRIED)):
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
