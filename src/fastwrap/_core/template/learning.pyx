"""Aligns pages of one template into a tree of slots (FiVaTech, Kayed & Chang 2010): the children of all nodes of a slot
are the columns of a peer matrix, whose rows become the slots below it."""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort, realloc
from libc.string cimport memcmp, memcpy, memset

from fastwrap._core.common.buffers cimport data_of, held, held_numbers
from fastwrap._core.common.names cimport TAG_A, TEXT
from fastwrap._core.common.page cimport NativePage, PageArrays
from fastwrap._core.common.scratch cimport put_back, take
from fastwrap._core.template.aligning cimport (
    IS_KIND, IS_LABEL, IS_LOOSE, IS_NEAR, IS_RICH, IS_STRICT, NO_PLACE, VARIES, Child, Slot, Table, align, close_table,
    count_children, fill_children,
)
from fastwrap._core.template.features cimport Tree, open_tree, size_of_tree
from fastwrap._core.template.groups cimport MOST_PEERS, Group, Labelled, Symbol, Unit, is_rich, no_memory, tell_labels
from fastwrap._core.template.repeats cimport find_peers, find_units

import numpy as np

from fastwrap.page.names import TAG_NUMBER

cdef int32_t TAG_LI = TAG_NUMBER["li"]

cdef enum:
    MOST_LEARNED = 60000000     # cells of all alignments
    MOST_COMPARED = 2000        # slots that a label is compared with


cdef struct Learner:
    Tree tree
    Table table
    Slot *slots
    int32_t count
    int32_t room
    int32_t units
    int32_t *next_node      # [nodes] of the same slot


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
            for k in range(j, min(width, j + <int32_t>MOST_COMPARED)):
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
    cdef int32_t member, k, width = 0, count
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
