"""Gives the nodes of a page their slots in a template: from the root down, the children of each node are aligned with
the slots below its own. Where a page is as expected, that is one comparison per node."""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memchr, memset

from fastwrap._core.common.buffers cimport data_of, held, held_numbers
from fastwrap._core.common.page cimport TOUCHES, NativePage, PageArrays
from fastwrap._core.common.scratch cimport put_back, take
from fastwrap._core.template.aligning cimport (
    IS_KIND, IS_LABEL, IS_RICH, NO_PLACE, Child, Slot, Table, align, close_table, count_children, fill_children,
    set_contexts,
)
from fastwrap._core.template.features cimport Tree, open_tree, size_of_tree

import numpy as np

cdef object empty = np.empty, INT32 = np.dtype(np.int32)
cdef tuple LIMIT = ("template.alignment",)

cdef enum:
    ROWS = 4            # of numbers: tag, parent, flags, unit
    WORDS = 6           # of hashes: key, name, label, context, labels, elements
    MOST_MATCHED = 20000000
    WITH_TEXT = 2


cdef object text_of(const unsigned char *at, int32_t length):
    """What a slice of the texts says."""
    if length <= 0:
        return None
    if memchr(at, TOUCHES, length) != NULL:
        return at[:length].replace(b"\xff", b"").decode("utf-8", "replace")
    return PyUnicode_DecodeUTF8(<const char *>at, length, "replace")


cdef class Matcher:
    """The slots of a template; see `matching.pyi`."""
    cdef Slot *slots
    cdef int32_t count
    cdef int32_t *first_child       # [count] the first slot below each, ...
    cdef int32_t *child_count       # ... and how many there are: one after the other
    cdef const uint64_t *known
    cdef int32_t known_count
    cdef object arrays              # what `known` points into

    def __cinit__(self, numbers not None, hashes not None, labels not None):
        cdef int32_t count = <int32_t>numbers.shape[1], slot, parent
        cdef const int32_t *rows = held_numbers(numbers, <size_t>ROWS * count)
        cdef const uint64_t *words = <const uint64_t *>held(hashes, <size_t>WORDS * count, sizeof(uint64_t))
        if numbers.shape[0] != ROWS or count == 0:
            raise ValueError("a template has at least one slot, of four numbers")
        self.arrays = labels
        self.known_count = <int32_t>len(labels)
        self.known = <const uint64_t *>held(labels, self.known_count, sizeof(uint64_t))
        self.count = count
        self.slots = <Slot *>calloc(count, sizeof(Slot))
        self.first_child = <int32_t *>calloc(2 * <size_t>count, sizeof(int32_t))
        if self.slots == NULL or self.first_child == NULL:
            raise MemoryError("no memory for the slots of a template")
        self.child_count = self.first_child + count
        for slot in range(count):
            parent = rows[count + slot]
            if not (NO_PLACE <= parent < slot) or (parent == NO_PLACE) != (slot == 0):
                raise ValueError(f"slot {slot} does not stand behind the one that it is in")
            if parent >= 0:
                if self.child_count[parent] == 0:
                    self.first_child[parent] = slot
                elif self.first_child[parent] + self.child_count[parent] != slot:
                    raise ValueError(f"slot {slot} does not stand beside its siblings")
                self.child_count[parent] += 1
            self.slots[slot].tag = rows[slot]
            self.slots[slot].parent = parent
            self.slots[slot].flags = rows[2 * count + slot]
            self.slots[slot].unit = rows[3 * count + slot]
            self.slots[slot].key = words[slot]
            self.slots[slot].name = words[count + slot]
            self.slots[slot].label = words[2 * count + slot]
            self.slots[slot].context = words[3 * count + slot]
            self.slots[slot].labels = words[4 * count + slot]
            self.slots[slot].elements = words[5 * count + slot]

    def __dealloc__(self):
        free(self.slots)
        free(self.first_child)

    cdef void tell_labels(self, const Slot *slots, int32_t width, Child *children, int32_t height) noexcept nogil:
        """Say which children are of a kind that is a label, or a label that every page has."""
        cdef int32_t i, j
        cdef bint some = False
        if <int64_t>width * height > MOST_MATCHED:
            return      # they are aligned by their order alone
        for j in range(width):
            some |= slots[j].flags & (IS_KIND | IS_LABEL) != 0
        if not some:
            return
        for i in range(height):
            for j in range(width):
                if slots[j].tag == children[i].tag and slots[j].key == children[i].key:
                    if slots[j].flags & IS_KIND:
                        children[i].is_kind = True
                    elif slots[j].flags & IS_LABEL and slots[j].label == children[i].label:
                        children[i].is_single = True

    cdef int match_all(self, const Tree *tree, int32_t *slot_of, Table *table) except -1 nogil:
        """Write the slots of all nodes."""
        cdef int32_t *todo = NULL
        cdef Child *children = NULL
        cdef int32_t *places = NULL
        cdef int32_t waiting = 0, node, slot, height, width, k, room = 0
        cdef int status = 0
        todo = <int32_t *>malloc(<size_t>tree.page.count * sizeof(int32_t))
        if todo == NULL:
            status = -1
        else:
            slot_of[0] = 0
            todo[0] = 0
            waiting = 1
        while waiting and status == 0:
            waiting -= 1
            node = todo[waiting]
            slot = slot_of[node]
            width = self.child_count[slot]
            if width == 0 or self.slots[slot].flags & IS_RICH or tree.page.size[node] == 1:
                continue
            height = count_children(tree, node)
            if height + width > room:
                free(children)
                free(places)
                room = 2 * (height + width)
                children = <Child *>malloc(<size_t>room * sizeof(Child))
                places = <int32_t *>malloc(<size_t>room * sizeof(int32_t))
                if children == NULL or places == NULL:
                    status = -1
                    break
            fill_children(children, tree, node)
            self.tell_labels(&self.slots[self.first_child[slot]], width, children, height)
            set_contexts(children, height)
            align(table, tree, &self.slots[self.first_child[slot]], width, children, height, places)
            for k in range(height):
                if places[k] != NO_PLACE:
                    slot_of[children[k].node] = self.first_child[slot] + places[k]
                    todo[waiting] = children[k].node
                    waiting += 1
        free(todo)
        free(children)
        free(places)
        if status < 0:
            with gil:
                raise MemoryError("no memory for matching a page")
        return 0

    def read(self, NativePage native not None, used not None):
        """The nodes of some slots and their texts; see `matching.pyi`."""
        cdef const PageArrays *page = &native.arrays
        cdef const uint8_t *wanted = <const uint8_t *>held(used, self.count, 1)
        cdef const int32_t *found
        cdef int32_t node, first, end
        cdef list nodes = [], slots = [], texts = []
        slot_of, limits = self.match(native)
        found = <const int32_t *>data_of(slot_of)
        for node in range(page.count):
            if found[node] == NO_PLACE or not wanted[found[node]]:
                continue
            nodes.append(node)
            slots.append(found[node])
            first = page.text_start[node]
            end = page.text_start[node + page.size[node]] - 1
            texts.append(text_of(page.text + first, end - first) if wanted[found[node]] == WITH_TEXT else None)
        return slot_of, nodes, slots, texts, limits

    def match(self, NativePage native not None):
        """The slot of each node; see `matching.pyi`."""
        cdef const PageArrays *page = &native.arrays
        cdef Tree tree
        cdef Table table
        cdef char *memory
        memset(&table, 0, sizeof(Table))
        table.budget = MOST_MATCHED
        slot_of = empty(page.count, INT32)
        cdef int32_t *found = <int32_t *>data_of(slot_of)
        memory = <char *>take(size_of_tree(page.count))
        try:
            with nogil:
                memset(found, 0xFF, <size_t>page.count * sizeof(int32_t))
                open_tree(&tree, memory, page, self.known, self.known_count)
                self.match_all(&tree, found, &table)
        finally:
            put_back(memory)
            close_table(&table)
        return slot_of, LIMIT if table.exceeded else ()
