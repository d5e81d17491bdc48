"""Children of a node aligned with the slots of a template: what is equal at both ends first, then what is between.
Labels keep their slots whatever order they come in. Nothing here but the flags is for Python."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from fastwrap._core.common.names cimport KNOWN_TAGS, TEXT
from fastwrap._core.template.features cimport Tree

from fastwrap.page.names import TAG_NUMBER

cdef enum:
    MOST_LABELS = 2         # below what is named by the first of them
    LOOSE_COST = 3

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define FW_BITS(word) ((int)__builtin_popcountll(word))
    #else
    static int FW_BITS(unsigned long long word) {
        int count = 0;
        for (; word; word &= word - 1) count++;
        return count;
    }
    #endif
    """
    int FW_BITS(uint64_t word) noexcept nogil

cdef bint CELL[KNOWN_TAGS + 1]
memset(CELL, 0, sizeof(CELL))
for _name in ("td", "th", "span", "font", "b", "strong", "i", "em", "a", "label"):
    CELL[TAG_NUMBER[_name]] = True

# For Python, which reads the flags of a template.
LABEL_FLAG, STRICT_FLAG, RICH_FLAG, LOOSE_FLAG = IS_LABEL, IS_STRICT, IS_RICH, IS_LOOSE
NEAR_FLAG, VARIES_FLAG, KIND_FLAG = IS_NEAR, VARIES, IS_KIND


cdef bint is_cell(int32_t tag) noexcept nogil:
    """Whether an element may stand beside the label that names it, and be of the same kind."""
    return tag <= KNOWN_TAGS and CELL[tag]


cdef int32_t count_children(const Tree *tree, int32_t node) noexcept nogil:
    cdef int32_t at = node + 1, end = node + tree.page.size[node], count = 0
    while at < end:
        count += 1
        at += tree.page.size[at]
    return count


cdef int32_t fill_children(Child *children, const Tree *tree, int32_t node) noexcept nogil:
    """Write the children of a node; returns how many they are."""
    cdef int32_t at = node + 1, end = node + tree.page.size[node], count = 0
    cdef Child *child
    while at < end:
        child = &children[count]
        memset(child, 0, sizeof(Child))
        child.node = at
        child.tag = tree.page.tag[at]
        child.key = tree.own.key[at]
        child.name = tree.own.name[at]
        # What holds many labels is named by none of them.
        if tree.label_count[at] <= MOST_LABELS:
            child.label = tree.label[at]
            child.raw = tree.raw[at]
        count += 1
        at += tree.page.size[at]
    return count


cdef void set_contexts(Child *children, int32_t count) noexcept nogil:
    """Say which children are labels, and give the others the label before them."""
    cdef uint64_t context = 0
    cdef int32_t k, distance = 0
    cdef bint previous = False, is_label
    cdef Child *child
    for k in range(count):
        child = &children[k]
        if child.is_kind and child.label == 0:
            child.label = child.raw
        is_label = child.is_kind or child.is_single
        if is_label and is_cell(child.tag):
            is_label = child.label != 0 and not previous    # a cell behind a label has its value
        if is_label and child.tag == TEXT and child.label == 0:
            is_label = False        # a comma, or a word between the values of a list
        elif is_label:
            context = child.label
            distance = 0
        if not is_label:
            distance += 1
            child.context = context
            child.near = distance == 1 and context != 0
        child.is_label = previous = is_label


cdef int32_t overlap(uint64_t one, uint64_t other) noexcept nogil:
    """From 0 to 4, how alike two words are."""
    cdef int32_t both = FW_BITS(one | other)
    return 4 * FW_BITS(one & other) // both if both else 4


cdef int64_t score_of(const Tree *tree, const Slot *slot, const Child *child) noexcept nogil:
    """How well a node fits a slot; 0 if it may not be there."""
    cdef int64_t total = 4
    cdef int32_t alike
    cdef bint same_label = slot.label != 0 and slot.label == child.label, near = slot.flags & IS_NEAR != 0, same_name
    if slot.tag != child.tag or (slot.flags & IS_STRICT and not same_label):
        return 0
    if slot.flags & IS_LABEL and slot.label != 0 and child.label != 0 and not same_label:
        # What has several labels may begin with another one of them.
        if FW_BITS(slot.labels & tree.labels[child.node]) < 2 or overlap(slot.labels, tree.labels[child.node]) < 2:
            return 0
    if slot.context != 0 and child.context != 0:
        if slot.context == child.context:
            total += 8
        elif near and child.near:
            return 0
    elif near != child.near:
        total -= 2
    if same_label:
        total += 16 if slot.flags & IS_LABEL else 4
    if slot.tag == TEXT:
        return total
    alike = overlap(slot.labels, tree.labels[child.node]) + overlap(slot.elements, tree.elements[child.node])
    same_name = slot.name != 0 and slot.name == child.name
    if same_name:
        total += 12
    elif slot.name != 0 and child.name != 0:
        total -= 2
    if slot.key == child.key:
        total += 8 if slot.key else 2
    elif slot.key != 0 and child.key != 0 and not same_name and not same_label:
        if alike < 4:
            return 0
        total -= 2
    return total + alike


cdef bint is_exact(const Tree *tree, const Slot *slot, const Child *child, bint even) noexcept nogil:
    """Whether a node is just what a slot has had before; `even` if there are as many nodes as slots."""
    return (
        (slot.unit < 0 or (even and slot.flags & IS_LOOSE != 0))
        and slot.tag == child.tag and slot.key == child.key and slot.name == child.name and slot.label == child.label
        and slot.context == child.context and (slot.flags & IS_NEAR != 0) == child.near
        and (slot.tag == TEXT or (overlap(slot.labels, tree.labels[child.node]) == 4
                                  and overlap(slot.elements, tree.elements[child.node]) == 4))
    )


cdef int make_room(Table *table, int32_t width, int32_t height) except -1 nogil:
    """Memory for an alignment."""
    cdef size_t cells = <size_t>width * height
    if cells > table.room:
        free(table.from_child)
        table.room = 2 * cells
        table.from_child = <int32_t *>malloc(2 * table.room * sizeof(int32_t))
        table.from_slot = table.from_child + table.room
        if table.from_child == NULL:
            table.room = 0
            with gil:
                raise MemoryError("no memory for aligning siblings")
    if width > table.width:
        free(table.score)
        table.width = 2 * width
        # Three arrays of long numbers and four of short ones; the first has one entry more, and so have two others.
        table.score = <int64_t *>malloc((<size_t>table.width + 1) * (3 * sizeof(int64_t) + 4 * sizeof(int32_t)))
        if table.score == NULL:
            table.width = 0
            with gil:
                raise MemoryError("no memory for aligning siblings")
        table.row = table.score + table.width + 1
        table.unit_score = table.row + table.width + 1
        table.last_child = <int32_t *>(table.unit_score + table.width + 1)
        table.last_slot = table.last_child + table.width + 1
        table.unit_child = table.last_slot + table.width + 1
        table.unit_slot = table.unit_child + table.width + 1
    return 0


cdef void close_table(Table *table) noexcept nogil:
    free(table.from_child)
    free(table.score)
    table.from_child = NULL
    table.score = NULL


cdef int32_t unit_of(const Slot *slots, int32_t j) noexcept nogil:
    """The first slot of the unit that a slot is in."""
    while j > 0 and slots[j - 1].unit == slots[j].unit:
        j -= 1
    return j


cdef int align_middle(Table *table, const Tree *tree, const Slot *slots, int32_t width, const Child *children,
                      int32_t height, int32_t *places) except -1 nogil:
    """The alignment of the best score (Needleman & Wunsch 1970); slots of one unit may take several rounds."""
    cdef int32_t i, j, unit, last_child, last_slot, from_child, from_slot
    cdef int64_t gain, total, again, highest
    cdef int64_t cells = <int64_t>width * height
    for i in range(height):
        places[i] = NO_PLACE
    if width == 0 or height == 0:
        return 0
    if cells > MOST_CELLS or cells > table.budget:
        table.exceeded = True
        for i in range(min(width, height)):
            if score_of(tree, &slots[i], &children[i]):
                places[i] = i
        return 0
    table.budget -= cells
    make_room(table, width, height)
    for j in range(width + 1):
        table.score[j] = 0
        table.last_child[j] = table.last_slot[j] = NO_PLACE
        if j < width:
            table.unit_score[j] = 0
            table.unit_child[j] = table.unit_slot[j] = NO_PLACE
    for i in range(height):
        for j in range(width):
            table.row[j] = -1
            gain = score_of(tree, &slots[j], &children[i])
            if gain == 0:
                continue
            total = table.score[j]
            from_child = table.last_child[j]
            from_slot = table.last_slot[j]
            if slots[j].unit >= 0:
                unit = unit_of(slots, j)
                again = table.unit_score[unit] - (LOOSE_COST if slots[j].flags & IS_LOOSE else 0)
                if again > total:
                    total = again
                    from_child = table.unit_child[unit]
                    from_slot = table.unit_slot[unit]
            table.row[j] = total + gain
            table.from_child[<size_t>i * width + j] = from_child
            table.from_slot[<size_t>i * width + j] = from_slot
        highest = 0
        last_slot = NO_PLACE
        for j in range(width):
            if table.row[j] > 0 and slots[j].unit >= 0:
                unit = unit_of(slots, j)
                if table.row[j] > table.unit_score[unit]:
                    table.unit_score[unit] = table.row[j]
                    table.unit_child[unit] = i
                    table.unit_slot[unit] = j
            if table.row[j] > highest:
                highest = table.row[j]
                last_slot = j
            if highest > table.score[j + 1]:
                table.score[j + 1] = highest
                table.last_child[j + 1] = i
                table.last_slot[j + 1] = last_slot
    last_child = table.last_child[width]
    last_slot = table.last_slot[width]
    while last_child != NO_PLACE:
        places[last_child] = last_slot
        i = last_child
        j = last_slot
        last_child = table.from_child[<size_t>i * width + j]
        last_slot = table.from_slot[<size_t>i * width + j]
    return 0


cdef int align(Table *table, const Tree *tree, const Slot *slots, int32_t width, const Child *children, int32_t height,
               int32_t *places) except -1 nogil:
    """Write for each child the place of its slot, or NO_PLACE. `places` has room for the slots behind the children."""
    cdef int32_t first = 0, last = 0, least = min(width, height), i, j
    cdef int32_t *taken = places + height
    cdef bint even = width == height
    cdef const Child *child
    cdef const Slot *slot
    while first < least and is_exact(tree, &slots[first], &children[first], even):
        places[first] = first
        first += 1
    while last < least - first and is_exact(tree, &slots[width - 1 - last], &children[height - 1 - last], even):
        last += 1
    align_middle(table, tree, slots + first, width - last - first, children + first, height - last - first,
                 places + first)
    for i in range(first, height - last):
        if places[i] != NO_PLACE:
            places[i] += first
    for i in range(last):
        places[height - 1 - i] = width - 1 - i
    # Labels keep their slots whatever order they come in, and so does what stands right behind one.
    if <int64_t>width * height > MOST_CELLS:
        return 0
    for j in range(width):
        taken[j] = 0
    for i in range(height):
        if places[i] != NO_PLACE:
            taken[places[i]] = 1
    for i in range(first, height - last):
        child = &children[i]
        if places[i] != NO_PLACE or (child.label == 0 and not child.near):
            continue
        for j in range(width):
            slot = &slots[j]
            if not taken[j] and ((slot.flags & IS_LABEL and slot.label != 0 and slot.label == child.label)
                                 or (slot.flags & IS_NEAR and child.near and slot.context == child.context)):
                if score_of(tree, slot, child):
                    places[i] = j
                    taken[j] = 1
                    break
    return 0
