"""Partial tree alignment (PTA, Zhai & Liu 2005): every node of every record is given a slot of one grown tree.
Records are matched into the tree by weighted tree matching; what has no partner in it is inserted. Then the items."""

cimport cython
from cpython.list cimport PyList_GET_ITEM, PyList_New, PyList_SET_ITEM
from cpython.ref cimport Py_DECREF, Py_INCREF, Py_XDECREF, PyObject
from cpython.unicode cimport PyUnicode_DecodeUTF8, PyUnicode_GET_LENGTH
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort, realloc
from libc.string cimport memcmp, memcpy, memset

import numpy as np

from fastwrap._core.common.buffers cimport data_of

cdef object empty = np.empty, INT32 = np.dtype(np.int32)

cdef enum:
    NOWHERE = -1        # no node, path, or partner
    ROOT = 0            # the grown tree's root, whose children the top nodes of the records are
    SAME_TAG = 2        # what a pair of nodes weighs, ...
    SAME_SYMBOL = 1     # ... and what it weighs more if the nodes have the same symbol
    ATTEMPTS = 3        # times that a record is placed: twice where it fits, then by force
    WINDOW = 64         # siblings that are looked at where a table would exceed the budget
    MAX_NODES = 1 << 28  # in all records, so that three times as many slots can be numbered

cdef uint64_t FNV_START = <uint64_t> 0xCBF29CE484222325

cdef struct Slot:
    # A node of the grown tree.
    int32_t tag
    int32_t symbol
    int32_t parent
    int32_t first           # its children are a linked list
    int32_t last
    int32_t following       # the next child of its parent
    int32_t path            # its tag path from the root
    int32_t rank            # its number among the slots of that path ...
    int32_t next_of_path    # ... which are linked, the newest first

cdef struct Path:
    int32_t slots           # slots that have it
    int32_t newest          # the first of them in the chain
    int32_t children        # children of all of them

cdef struct Entry:
    uint64_t key        # path of the parent and tag, from 1; 0 in a free entry
    int32_t path

cdef struct Aligner:
    const int32_t *tag
    const int32_t *size
    const int32_t *parent
    const int32_t *symbols  # of the nodes of all records, record by record
    const int32_t *symbol   # node -> its symbol, for the record that is being placed
    int64_t budget      # cells that may still be filled
    bint exceeded       # whether a record would have filled more
    Slot *slots
    int32_t slot_count
    Path *paths         # the root's is 0
    int32_t path_count
    Entry *table        # paths by parent and tag: open addressing
    int32_t table_bits
    # of the record that is being placed
    int32_t start
    int32_t end
    int32_t *path           # node -> its path, or NOWHERE if the grown tree has none such
    int64_t *offset     # node -> where its weights begin
    int32_t *placed         # node -> its slot, or NOWHERE
    int32_t *weights        # of each node with each slot of its path, by rank
    int64_t weights_room
    int32_t *cells          # a table of two lists of siblings
    int64_t cells_room
    int32_t *lefts          # siblings of the record
    int32_t *rights         # and of the grown tree
    int32_t *stack          # nodes whose children are still to be placed
    const int32_t *repeats  # slot -> the slot that further nodes like those in it go to, or NOWHERE (NULL while growing)
    int32_t *first_repeat   # slot -> the first of its children that has such


cdef struct Source:
    # The node arrays that symbols and items are read from.
    const int32_t *tag
    const int32_t *attribute_start
    const int32_t *attribute_name
    const int32_t *value_start
    const unsigned char *values
    const int32_t *text_start
    const unsigned char *text
    int32_t class_name
    int32_t style_name


cdef int32_t open_source(Source *page, const int32_t[::1] tag, const int32_t[::1] size, const int32_t[::1] attribute_start,
                     const int32_t[::1] attribute_name, const int32_t[::1] value_start, const unsigned char[::1] values,
                     const int32_t[::1] text_start, const unsigned char[::1] text) except -1:
    """Refuse arrays that do not belong together."""
    cdef Py_ssize_t nodes = size.shape[0]
    if (tag.shape[0] != nodes or attribute_start.shape[0] != nodes + 1 or text_start.shape[0] != nodes + 1
            or value_start.shape[0] != attribute_name.shape[0] + 1):
        raise ValueError("arrays that belong together differ in length")
    if nodes and (text_start[0] < 0 or text_start[nodes] > text.shape[0]
                  or attribute_start[nodes] > attribute_name.shape[0]
                  or value_start[attribute_name.shape[0]] > values.shape[0]):
        raise ValueError("the texts are not within the text, or the values not within theirs")
    page.tag = &tag[0] if nodes else NULL
    page.attribute_start = &attribute_start[0]
    page.attribute_name = &attribute_name[0] if attribute_name.shape[0] else NULL
    page.value_start = &value_start[0]
    page.values = &values[0] if values.shape[0] else NULL
    page.text_start = &text_start[0]
    page.text = &text[0] if text.shape[0] else NULL
    return 0


cdef int32_t *grown(int32_t *buffer, int64_t *room, int64_t wanted) noexcept nogil:
    """The buffer with room for so many integers, NULL if there is no memory."""
    if buffer != NULL and wanted <= room[0]:
        return buffer
    wanted += wanted // 2 + 64
    buffer = <int32_t *>realloc(buffer, wanted * sizeof(int32_t))
    if buffer != NULL:
        room[0] = wanted
    return buffer


cdef inline uint64_t path_key(int32_t above, int32_t tag) noexcept nogil:
    return (<uint64_t> <uint32_t> above << 32 | <uint32_t> tag) + 1


cdef Entry *find_path(Aligner *work, int32_t above, int32_t tag) noexcept nogil:
    """The entry of a tag below a path, or the free one where it belongs (Fibonacci hashing, Knuth 6.4)."""
    cdef uint64_t key = path_key(above, tag)
    cdef uint64_t mask = (<uint64_t> 1 << work.table_bits) - 1
    cdef uint64_t place = (key * <uint64_t> 0x9E3779B97F4A7C15) >> (64 - work.table_bits)
    while work.table[place].key != key and work.table[place].key != 0:
        place = (place + 1) & mask
    return &work.table[place]


cdef int32_t add_slot(Aligner *work, int32_t node, int32_t parent, int32_t previous) noexcept nogil:
    """Make a slot for a node, after a sibling or, if that is NOWHERE, before all of them."""
    cdef int32_t number = work.slot_count
    cdef Slot *slot = &work.slots[number]
    cdef Slot *above = &work.slots[parent]
    cdef Entry *entry = find_path(work, above.path, work.tag[node])
    cdef Path *path
    work.slot_count += 1
    if entry.key == 0:
        entry.key = path_key(above.path, work.tag[node])
        entry.path = work.path_count
        work.path_count += 1
        work.paths[entry.path].slots = work.paths[entry.path].children = 0
        work.paths[entry.path].newest = NOWHERE
    path = &work.paths[entry.path]
    slot.tag = work.tag[node]
    slot.symbol = work.symbol[node]
    slot.parent = parent
    slot.first = slot.last = NOWHERE
    slot.path = entry.path
    slot.rank = path.slots
    slot.next_of_path = path.newest
    path.newest = number
    path.slots += 1
    work.paths[above.path].children += 1
    if previous == NOWHERE:
        slot.following = above.first
        above.first = number
    else:
        slot.following = work.slots[previous].following
        work.slots[previous].following = number
    if slot.following == NOWHERE:
        above.last = number
    return number


cdef int32_t insert(Aligner *work, int32_t node, int32_t parent, int32_t previous) noexcept nogil:
    """Put a node and all below it into the grown tree. Returns its slot."""
    cdef int32_t slot = add_slot(work, node, parent, previous), below, above
    work.placed[node - work.start] = slot
    for below in range(node + 1, node + work.size[node]):
        above = work.placed[work.parent[below] - work.start]
        work.placed[below - work.start] = add_slot(work, below, above, work.slots[above].last)
    return slot


cdef int64_t find_paths(Aligner *work, int64_t *weights) noexcept nogil:
    """Find the path of each node of the record in the grown tree, and how many weights there are to be.

    Returns the cells that matching takes.
    """
    cdef Entry *entry
    cdef int32_t node, above, i
    cdef int64_t cells = 0
    weights[0] = 0
    for node in range(work.start, work.end):
        i = node - work.start
        above = work.parent[node] - work.start
        above = work.slots[ROOT].path if above < 0 else work.path[above]
        work.path[i] = NOWHERE
        work.offset[i] = weights[0]
        if above == NOWHERE:
            continue
        # Each child of a node is compared with each child of every slot of the node's path.
        cells += work.paths[above].children
        entry = find_path(work, above, work.tag[node])
        if entry.key != 0:
            work.path[i] = entry.path
            weights[0] += work.paths[entry.path].slots
    return cells + weights[0]


cdef inline int32_t weight_of(Aligner *work, int32_t node, int32_t slot) noexcept nogil:
    """What the best mapping of two trees weighs; 0 if their roots are of different paths."""
    if work.path[node - work.start] != work.slots[slot].path:
        return 0
    return work.weights[work.offset[node - work.start] + work.slots[slot].rank]


cdef int32_t weigh_children(Aligner *work, int32_t node, int32_t slot) noexcept nogil:
    """What the best mapping of the children of a node and of a slot weighs."""
    cdef int32_t *row = work.cells
    cdef int32_t child = node + 1, end = node + work.size[node], other, j, width = 0
    cdef int32_t diagonal, above, best
    other = work.slots[slot].first
    if child == end or other == NOWHERE:
        return 0
    if child + work.size[child] == end:
        # Most elements have one child.
        best = 0
        while other != NOWHERE:
            best = max(best, weight_of(work, child, other))
            other = work.slots[other].following
        return best
    while other != NOWHERE:
        row[width] = 0
        width += 1
        other = work.slots[other].following
    while child < end:
        diagonal = best = 0
        other = work.slots[slot].first
        for j in range(width):
            above = row[j]
            diagonal += weight_of(work, child, other)
            # max(M[i, j - 1], M[i - 1, j], M[i - 1, j - 1] + weight)
            if diagonal > best:
                best = diagonal
            if above > best:
                best = above
            row[j] = best
            diagonal = above
            other = work.slots[other].following
        child += work.size[child]
    return row[width - 1]


cdef int32_t weigh(Aligner *work, int64_t wanted) noexcept nogil:
    """Fill the weights of all pairs of a node and a slot of the same path, leaves first. -1: no memory."""
    cdef int32_t node, slot, i, own
    cdef int32_t *buffer = grown(work.weights, &work.weights_room, wanted)
    if buffer == NULL:
        return -1
    work.weights = buffer
    for node in range(work.end - 1, work.start - 1, -1):
        i = node - work.start
        if work.path[i] == NOWHERE:
            continue
        slot = work.paths[work.path[i]].newest
        while slot != NOWHERE:
            own = SAME_TAG
            if work.symbol[node] != 0 and work.symbol[node] == work.slots[slot].symbol:
                own += SAME_SYMBOL
            work.weights[work.offset[i] + work.slots[slot].rank] = own + weigh_children(work, node, slot)
            slot = work.slots[slot].next_of_path
    return 0


cdef void pair_by_tag(Aligner *work, int32_t height, int32_t slot) noexcept nogil:
    """Place siblings of the record in the next child of a slot that has their tag, if it is near."""
    cdef int32_t following = work.slots[slot].first, reach, i, steps
    for i in range(height):
        reach = following
        steps = 0
        while reach != NOWHERE and steps < WINDOW and work.slots[reach].tag != work.tag[work.lefts[i]]:
            reach = work.slots[reach].following
            steps += 1
        if reach != NOWHERE and steps < WINDOW:
            work.placed[work.lefts[i] - work.start] = reach
            following = work.slots[reach].following


cdef int32_t pair_by_weight(Aligner *work, int32_t height, int32_t slot) noexcept nogil:
    """Place siblings of the record in the children of a slot by the heaviest mapping. -1: no memory.

    Of equally heavy mappings the one farthest to the left is taken, so that what is missing is missing at the
    end of a list.
    """
    cdef int32_t *row
    cdef int32_t *buffer
    cdef int32_t i, j, best = 0, weight, width = 0, right = work.slots[slot].first
    if height == 1:
        while right != NOWHERE:
            weight = weight_of(work, work.lefts[0], right)
            if weight > best:
                best = weight
                work.placed[work.lefts[0] - work.start] = right
            right = work.slots[right].following
        return 0
    while right != NOWHERE:
        work.rights[width] = right
        width += 1
        right = work.slots[right].following
    buffer = grown(work.cells, &work.cells_room, (<int64_t> height + 1) * (width + 1))
    if buffer == NULL:
        return -1
    work.cells = buffer
    for j in range(width + 1):
        buffer[j] = 0
    for i in range(height):
        row = buffer + (<int64_t> i + 1) * (width + 1)
        row[0] = 0
        for j in range(width):
            best = row[j] if row[j] > row[j - width] else row[j - width]
            weight = row[j - width - 1] + weight_of(work, work.lefts[i], work.rights[j])
            row[j + 1] = weight if weight > best else best
    i = height
    j = width
    while i > 0 and j > 0:
        row = buffer + <int64_t> i * (width + 1)
        if row[j] == row[j - 1]:
            j -= 1
        elif row[j] == row[j - width - 1]:
            i -= 1
        else:
            i -= 1
            j -= 1
            work.placed[work.lefts[i] - work.start] = work.rights[j]
    return 0


cdef int32_t prepare(Aligner *work, int32_t start, int32_t end, int32_t first_node) noexcept nogil:
    """Make a record the one to be placed, and weigh its pairs. 1: they are weighed, 0: too many, -1: no memory.

    `first_node` is the place of its first node among those of all records.
    """
    cdef int64_t cells, weights
    cdef int32_t *buffer
    cdef int32_t node
    work.start = start
    work.end = end
    work.symbol = work.symbols + first_node - start
    cells = find_paths(work, &weights)
    for node in range(start, end):
        work.placed[node - start] = NOWHERE
    # `weigh_children` fills a row as wide as the widest list.
    buffer = grown(work.cells, &work.cells_room, work.slot_count)
    if buffer == NULL:
        return -1
    work.cells = buffer
    if cells > work.budget:
        work.exceeded = True
        return 0
    work.budget -= cells
    return -1 if weigh(work, weights) < 0 else 1


cdef int32_t pair_children(Aligner *work, int32_t node, int32_t slot, bint weighed) noexcept nogil:
    """Place the children of a node, or the top nodes of the record if it is NOWHERE, in those of a slot.

    Leaves them in `lefts`. Returns how many they are; -1: no memory.
    """
    cdef int32_t child = work.start if node == NOWHERE else node + 1
    cdef int32_t after = work.end if node == NOWHERE else node + work.size[node]
    cdef int32_t height = 0
    while child < after:
        work.lefts[height] = child
        height += 1
        child += work.size[child]
    if not weighed:
        pair_by_tag(work, height, slot)
    elif pair_by_weight(work, height, slot) < 0:
        return -1
    return height


cdef int32_t place(Aligner *work, int32_t start, int32_t end, int32_t first_node, bint forced) noexcept nogil:
    """Place the nodes of a record, as far as that can be done in one way only, or all of them if forced.

    Returns 1 if all are placed, 0 if not, -1 if there is no memory.
    """
    cdef int32_t node, first, slot, i, j, height, previous, following, waiting = 1
    cdef int32_t weighed = prepare(work, start, end, first_node)
    cdef bint complete = True
    if weighed < 0:
        return -1
    work.stack[0] = NOWHERE
    while waiting:
        waiting -= 1
        node = work.stack[waiting]
        slot = ROOT if node == NOWHERE else work.placed[node - start]
        height = pair_children(work, node, slot, weighed)
        if height < 0:
            return -1
        previous = NOWHERE
        i = 0
        while i < height:
            node = work.lefts[i]
            if work.placed[node - start] != NOWHERE:
                previous = work.placed[node - start]
                if work.size[node] > 1:
                    work.stack[waiting] = node
                    waiting += 1
                i += 1
                continue
            # A run without partners. Its place is known if the partners on both sides of it are neighbours.
            j = i
            while j < height and work.placed[work.lefts[j] - start] == NOWHERE:
                j += 1
            following = NOWHERE if j == height else work.placed[work.lefts[j] - start]
            first = work.slots[slot].first if previous == NOWHERE else work.slots[previous].following
            if first == following or forced:
                while i < j:
                    previous = insert(work, work.lefts[i], slot, previous)
                    i += 1
            else:
                complete = False
                i = j
    return complete


cdef int32_t repeat_of(Aligner *work, int32_t node, int32_t slot) noexcept nogil:
    """The child of a slot that a node without a partner goes to, because a list goes on: NOWHERE if there is none."""
    cdef int32_t child = work.first_repeat[slot], steps = 0
    while child != NOWHERE and steps < WINDOW:
        if (work.repeats[child] != NOWHERE and work.slots[child].tag == work.tag[node]
                and (work.tag[node] == 0 or work.slots[child].symbol == work.symbol[node])):
            return work.repeats[child]
        child = work.slots[child].following
        steps += 1
    return NOWHERE


cdef int32_t fit(Aligner *work, int32_t start, int32_t end, int32_t first_node) noexcept nogil:
    """Place the nodes of a record in a tree that grows no more. What has no partner and continues no list stays out.

    -1: no memory.
    """
    cdef int32_t node, slot, i, height, waiting = 1
    cdef int32_t weighed = prepare(work, start, end, first_node)
    if weighed < 0:
        return -1
    work.stack[0] = NOWHERE
    while waiting:
        waiting -= 1
        node = work.stack[waiting]
        slot = ROOT if node == NOWHERE else work.placed[node - start]
        height = pair_children(work, node, slot, weighed)
        if height < 0:
            return -1
        for i in range(height):
            node = work.lefts[i]
            if work.placed[node - start] == NOWHERE:
                work.placed[node - start] = repeat_of(work, node, slot)
            if work.placed[node - start] != NOWHERE and work.size[node] > 1:
                work.stack[waiting] = node
                waiting += 1
    return 0


cdef int32_t number_slots(Aligner *work, int32_t *numbers) noexcept nogil:
    """Number the slots in document order, without the root, those that are not in use (0) left out.

    Returns how many are numbered.
    """
    cdef int32_t slot = ROOT, number = 0
    while slot != NOWHERE:
        if numbers[slot]:
            numbers[slot] = number
            number += 1
        else:
            numbers[slot] = NOWHERE
        if work.slots[slot].first != NOWHERE:
            slot = work.slots[slot].first
            continue
        while slot != NOWHERE and work.slots[slot].following == NOWHERE:
            slot = work.slots[slot].parent
        if slot != NOWHERE:
            slot = work.slots[slot].following
    return number


cdef uint64_t record_hash(Aligner *work, int32_t start, int32_t end, int32_t first_node) noexcept nogil:
    cdef const int32_t *symbol = work.symbols + first_node - start
    cdef uint64_t mixed = <uint64_t> (end - start)
    cdef int32_t node
    for node in range(start, end):
        mixed = (mixed ^ <uint32_t> work.tag[node]) * <uint64_t> 0x9E3779B97F4A7C15
        mixed = (mixed ^ mixed >> 29 ^ <uint32_t> symbol[node]) * <uint64_t> 0xBF58476D1CE4E5B9
        mixed ^= mixed >> 32 ^ <uint64_t> <uint32_t> work.size[node] << 17
    return mixed


cdef struct Batch:
    # The records of a call.
    const int32_t *spans    # of each the first node, and the one after the last
    int32_t count
    int32_t nodes           # of all of them
    int32_t longest         # most nodes of one
    int32_t *first_node     # [count] where the nodes of each begin, if all are laid end to end
    int32_t *like           # [count] the first record that is equal to each in tags, shape and symbols
    uint64_t *hashes    # [count] of these


cdef inline int32_t start_of(Batch *batch, Py_ssize_t record) noexcept nogil:
    return batch.spans[2 * record]


cdef inline int32_t end_of(Batch *batch, Py_ssize_t record) noexcept nogil:
    return batch.spans[2 * record + 1]


cdef inline int32_t length_of(Batch *batch, Py_ssize_t record) noexcept nogil:
    return batch.spans[2 * record + 1] - batch.spans[2 * record]


cdef int32_t distinct_records(Aligner *work, Batch *batch) noexcept nogil:
    """Find for each record the first one that is equal to it in tags, shape and symbols. -1: no memory."""
    cdef int32_t bits = 4, other, record
    cdef size_t length
    cdef uint64_t mask, place
    while <int64_t> 1 << bits < 2 * <int64_t> batch.count:
        bits += 1
    cdef int32_t *table = <int32_t *>malloc((<size_t> 1 << bits) * sizeof(int32_t))
    if table == NULL:
        return -1
    mask = (<uint64_t> 1 << bits) - 1
    memset(table, 0xFF, (mask + 1) * sizeof(int32_t))   # NOWHERE
    for record in range(batch.count):
        length = length_of(batch, record) * sizeof(int32_t)
        batch.hashes[record] = record_hash(work, start_of(batch, record), end_of(batch, record),
                                           batch.first_node[record])
        place = batch.hashes[record] >> (64 - bits)
        while table[place] != NOWHERE:
            other = table[place]
            if (batch.hashes[other] == batch.hashes[record] and length_of(batch, other) == length_of(batch, record)
                    and memcmp(work.tag + start_of(batch, other), work.tag + start_of(batch, record), length) == 0
                    and memcmp(work.size + start_of(batch, other), work.size + start_of(batch, record), length) == 0
                    and memcmp(work.symbols + batch.first_node[other], work.symbols + batch.first_node[record],
                               length) == 0):
                break
            place = (place + 1) & mask
        if table[place] == NOWHERE:
            table[place] = record
        batch.like[record] = table[place]
    free(table)
    return 0


cdef int32_t seed_of(Aligner *work, Batch *batch) noexcept nogil:
    """The record with most texts, among these the longest, among these the first (PTA)."""
    cdef int32_t record, node, texts, most = -1, seed = 0
    for record in range(batch.count):
        texts = 0
        for node in range(start_of(batch, record), end_of(batch, record)):
            texts += work.tag[node] == 0
        if texts > most or (texts == most and length_of(batch, record) > length_of(batch, seed)):
            most = texts
            seed = record
    return seed


cdef int32_t place_all(Aligner *work, Batch *batch, int32_t *order, int32_t waiting, int32_t *slots) noexcept nogil:
    """Place the records in the given order; those that cannot be completed again; then by force.

    Writes the slots of their nodes. -1: no memory.
    """
    cdef int32_t attempt, number, record, done, left
    for attempt in range(ATTEMPTS):
        left = 0
        for number in range(waiting):
            record = order[number]
            done = place(work, start_of(batch, record), end_of(batch, record), batch.first_node[record],
                         attempt == ATTEMPTS - 1)
            if done < 0:
                return -1
            if done:
                memcpy(slots + batch.first_node[record], work.placed, length_of(batch, record) * sizeof(int32_t))
            else:
                order[left] = record
                left += 1
        waiting = left
    return 0


cdef int32_t fill_batch(Batch *batch, const int32_t *spans, int32_t count) noexcept nogil:
    """Take the records of a call. -1: no memory. They have at most MAX_NODES nodes."""
    cdef int32_t record
    batch.count = count
    batch.spans = spans
    batch.nodes = batch.longest = 0
    batch.hashes = <uint64_t *>malloc((<size_t> count + 1) * (sizeof(uint64_t) + 2 * sizeof(int32_t)))
    if batch.hashes == NULL:
        return -1
    batch.first_node = <int32_t *>(batch.hashes + count + 1)
    batch.like = batch.first_node + count + 1
    for record in range(count):
        batch.first_node[record] = batch.nodes
        batch.longest = max(batch.longest, length_of(batch, record))
        batch.nodes += length_of(batch, record)
    return 0


cdef int32_t open_batch(Batch *batch, const int32_t[::1] size, const int32_t[:, ::1] spans) except -1:
    """Take the records of a call, unless they are no runs of whole subtrees."""
    cdef Py_ssize_t nodes = size.shape[0], record
    cdef int32_t node
    cdef int64_t total = 0
    if spans.shape[1] != 2:
        raise ValueError("a span is a first node and the one after the last")
    for record in range(spans.shape[0]):
        if not 0 <= spans[record, 0] < spans[record, 1] <= nodes:
            raise ValueError(f"record {record} is not a span of the {nodes} nodes")
        node = spans[record, 0]
        while node < spans[record, 1]:
            node += size[node]
        if node != spans[record, 1]:
            raise ValueError(f"record {record} is not a run of whole subtrees")
        total += spans[record, 1] - spans[record, 0]
        if total > MAX_NODES:
            raise ValueError(f"the records have more than {MAX_NODES} nodes")
    if fill_batch(batch, &spans[0, 0] if spans.shape[0] else NULL, <int32_t> spans.shape[0]) < 0:
        raise MemoryError
    return 0


cdef void close_batch(Batch *batch) noexcept nogil:
    free(batch.hashes)


cdef int32_t open_tree(Aligner *work, int32_t capacity, int32_t paths) noexcept nogil:
    """Take the memory for a grown tree of so many slots and paths; make its root. -1: no memory."""
    work.table_bits = 4
    while 1 << work.table_bits < 2 * paths:
        work.table_bits += 1
    work.slots = <Slot *>malloc(capacity * sizeof(Slot))
    work.paths = <Path *>malloc(paths * sizeof(Path))
    work.table = <Entry *>calloc(<size_t> 1 << work.table_bits, sizeof(Entry))
    if work.slots == NULL or work.paths == NULL or work.table == NULL:
        return -1
    work.slot_count = work.path_count = 1
    work.slots[ROOT].parent = work.slots[ROOT].first = work.slots[ROOT].last = NOWHERE
    work.slots[ROOT].following = NOWHERE
    work.slots[ROOT].path = 0
    work.paths[0].children = 0
    return 0


cdef void close_tree(Aligner *work) noexcept nogil:
    free(work.slots)
    free(work.paths)
    free(work.table)


cdef int32_t open_tables(Aligner *work, int32_t capacity, int32_t longest) noexcept nogil:
    """Take the memory for placing records of so many nodes in a tree of so many slots. -1: no memory."""
    work.offset = <int64_t *>malloc(longest * sizeof(int64_t))
    # Four arrays by node of a record, and one by slot.
    work.path = <int32_t *>malloc((4 * <int64_t> longest + capacity) * sizeof(int32_t))
    if work.offset == NULL or work.path == NULL:
        return -1
    work.placed = work.path + longest
    work.lefts = work.placed + longest
    work.stack = work.lefts + longest
    work.rights = work.stack + longest
    return 0


cdef void close_tables(Aligner *work) noexcept nogil:
    free(work.offset)
    free(work.path)
    free(work.weights)
    free(work.cells)


cdef int32_t grow_tree(Aligner *work, Batch *batch, int32_t *slots) noexcept nogil:
    """Place all records, at least one, in a tree that grows to have a slot for each node; write their slots.

    -1: no memory.
    """
    cdef int32_t seed, number, record, different = 0, kept = 0, failed = 0
    cdef int32_t *order = <int32_t *>malloc(batch.count * sizeof(int32_t))      # the different records, the seed first
    if order == NULL or distinct_records(work, batch) < 0:
        free(order)
        return -1
    seed = batch.like[seed_of(work, batch)]
    for record in range(batch.count):
        if batch.like[record] == record:
            order[different] = record
            different += 1
            kept += length_of(batch, record)
    for number in range(different - 1, 0, -1):
        if order[number] == seed:
            order[number] = order[number - 1]
            order[number - 1] = seed
    # A record that is placed again may leave slots behind that only its first attempt used.
    if (open_tree(work, ATTEMPTS * kept + 1, kept + 1) < 0 or open_tables(work, ATTEMPTS * kept + 1, batch.longest) < 0
            or place_all(work, batch, order, different, slots) < 0):
        failed = -1
    else:
        for record in range(batch.count):
            if batch.like[record] != record:
                memcpy(slots + batch.first_node[record], slots + batch.first_node[batch.like[record]],
                       length_of(batch, record) * sizeof(int32_t))
    free(order)
    return failed


cdef int32_t number_tree(Aligner *work, Batch *batch, const int32_t *slots) noexcept nogil:
    """Number the slots that are in use in document order, in `rights`. Returns how many there are."""
    cdef int32_t i
    memset(work.rights, 0, work.slot_count * sizeof(int32_t))
    for i in range(batch.nodes):
        work.rights[slots[i]] = 1
    return number_slots(work, work.rights)


cdef enum:
    ROWS = 8

cdef struct Tree:
    # The slots of a grown tree in document order: what a template keeps of them, ROWS numbers each.
    int32_t count
    int32_t *tag
    int32_t *parent
    int32_t *symbol
    int32_t *size
    int32_t *into           # slot -> the one that its items go to
    int32_t *unit           # slot -> the list that it begins a unit of, or NOWHERE
    int32_t *list_of        # slot -> the list that it is in, or NOWHERE
    int32_t *repeats        # slot -> the one that further nodes like those in it go to, or NOWHERE


cdef int32_t write_tree(Aligner *work, Batch *batch, int32_t *slots, Tree *tree) noexcept nogil:
    """Write the slots in document order, each by itself, and number those of all nodes so. -1: no memory."""
    cdef int32_t slot, number, i, count = number_tree(work, batch, slots)
    tree.count = count
    tree.tag = <int32_t *>malloc(<size_t> count * ROWS * sizeof(int32_t))
    if tree.tag == NULL:
        return -1
    tree.parent = tree.tag + count
    tree.symbol = tree.parent + count
    tree.size = tree.symbol + count
    tree.into = tree.size + count
    tree.unit = tree.into + count
    tree.list_of = tree.unit + count
    tree.repeats = tree.list_of + count
    for slot in range(ROOT + 1, work.slot_count):
        number = work.rights[slot]
        if number != NOWHERE:
            tree.tag[number] = work.slots[slot].tag
            tree.parent[number] = work.rights[work.slots[slot].parent]
            tree.symbol[number] = work.slots[slot].symbol
            tree.size[number] = 1
            tree.into[number] = number
            tree.unit[number] = tree.list_of[number] = tree.repeats[number] = NOWHERE
    for number in range(tree.count - 1, -1, -1):
        if tree.parent[number] != NOWHERE:
            tree.size[tree.parent[number]] += tree.size[number]
    for i in range(batch.nodes):
        slots[i] = work.rights[slots[i]]
    return 0


# One value in pieces, and lists


cdef enum:
    FORMATTING = 1      # traits of tags: may only format, ...
    CELL = 2            # ... or mean something by their place
    MIN_UNITS = 3       # siblings of a list, at least, in the longest record
    MIN_PATTERNS = 3    # ways to fill a run of slots: of two, one is the other with an optional part
    # Shares in percent
    RARE = 30           # records that have a link, below which it is part of the text around it
    SAME_NUMBER = 60    # records with the same number of like siblings, from which these are columns, not a list
    BARE = 50           # records with text outside inline elements, from which these are markup within a text
    SAME_MARKUP = 90    # records with the same markup in a line, from which its parts are columns
    SAME_LINES = 50     # records with the same lines, from which these are columns

cdef struct Folder:
    const int32_t *tag      # of the slots
    const int32_t *symbol
    const int32_t *size
    int32_t count
    int32_t records
    int32_t *times          # slot -> records that fill it
    int32_t *solid          # [slots + 1] slots before each that are neither texts nor line breaks nor mere formatting
    int32_t *first          # slot -> the first node in it
    uint8_t *filled     # [records, slots]
    uint8_t *settled    # slot -> whether it is within a list or a joined text
    int32_t *into
    int32_t *unit
    int32_t *run            # siblings that are looked at
    int32_t *line
    int32_t *numbers
    uint64_t *patterns
    const uint8_t *traits
    int32_t trait_count
    int32_t line_break
    int32_t link
    int32_t lists
    const int32_t *text_start
    const unsigned char *text


cdef int compare_patterns(const void *left, const void *right) noexcept nogil:
    cdef uint64_t a = (<const uint64_t *>left)[0], b = (<const uint64_t *>right)[0]
    return (a > b) - (a < b)


cdef inline int32_t trait_of(Folder *work, int32_t slot) noexcept nogil:
    return work.traits[work.tag[slot]] if work.tag[slot] < work.trait_count else 0


cdef inline bint is_loose(Folder *work, int32_t slot) noexcept nogil:
    """Whether a slot and all below it are texts, line breaks and mere formatting."""
    return work.solid[slot + work.size[slot]] == work.solid[slot]


cdef bint ends_as_name(Folder *work, int32_t slot) noexcept nogil:
    """Whether a text slot has a text that many records have, and that names what follows it ("Price:")."""
    cdef int32_t end
    if work.tag[slot] != 0 or work.symbol[slot] == 0:
        return False
    end = work.text_start[work.first[slot] + 1] - 1
    return end > work.text_start[work.first[slot]] and work.text[end - 1] == c":"


cdef bint has_name(Folder *work, int32_t slot) noexcept nogil:
    """Whether such a text is in a slot or below it."""
    cdef int32_t below
    for below in range(slot, slot + work.size[slot]):
        if ends_as_name(work, below):
            return True
    return False


cdef bint is_list(Folder *work, int32_t members) noexcept nogil:
    """Whether the like siblings in `run` are a list: in differing numbers, and not each with a name of its own."""
    cdef int32_t i, number, record, slot, usual = 0, most = 0, different = 0, all_records = 0, name = 0
    cdef int32_t trait = trait_of(work, work.run[0])
    if members < MIN_UNITS or trait == CELL or (trait == FORMATTING and is_loose(work, work.run[0])):
        return False
    for i in range(members + 1):
        work.numbers[i] = 0
    for record in range(work.records):
        number = 0
        for i in range(members):
            number += work.filled[<int64_t> record * work.count + work.run[i]]
        work.numbers[number] += 1
    for i in range(1, members + 1):
        if work.numbers[i]:
            different += 1
            most = i
            all_records += work.numbers[i]
            if usual == 0 or work.numbers[i] > work.numbers[usual]:
                usual = i
    if most < MIN_UNITS or different < 2 or (
            usual > 1 and 100 * <int64_t> work.numbers[usual] >= SAME_NUMBER * <int64_t> all_records):
        return False
    for i in range(members):
        for slot in range(work.run[i], work.run[i] + work.size[work.run[i]]):
            if ends_as_name(work, slot):
                if name != 0 and name != work.symbol[slot]:
                    return False
                name = work.symbol[slot]
    return True


cdef void find_lists(Folder *work, int32_t slot, int32_t end) noexcept nogil:
    """Mark lists among the children of a slot: like siblings with nothing but texts and line breaks between them."""
    cdef int32_t child = slot + 1, members = 0, tag = NOWHERE, symbol = 0, i
    while True:
        if child < end and members and (work.tag[child] == 0 or work.tag[child] == work.line_break):
            child += work.size[child]
            continue
        if child >= end or work.tag[child] != tag or work.symbol[child] != symbol:
            if is_list(work, members):
                for i in range(members):
                    work.unit[work.run[i]] = work.lists
                i = work.run[members - 1]
                memset(work.settled + work.run[0], 1, i + work.size[i] - work.run[0])
                work.lists += 1
            members = 0
            if child >= end:
                return
            tag = work.tag[child]
            symbol = work.symbol[child]
        if tag != 0 and tag != work.line_break:
            work.run[members] = child
            members += 1
        child += work.size[child]


cdef void join(Folder *work, const int32_t *run, int32_t length) noexcept nogil:
    """Let all texts of a run of siblings go to the first one."""
    cdef int32_t i, slot, first = NOWHERE
    for i in range(length):
        for slot in range(run[i], run[i] + work.size[run[i]]):
            work.settled[slot] = 1
            if work.tag[slot] == 0:
                if first == NOWHERE:
                    first = slot
                work.into[slot] = first


cdef bint is_irregular(Folder *work, int32_t records, int32_t share) noexcept nogil:
    """Whether the records have several of the patterns, none of which so many of them have."""
    cdef int32_t i, different = 0, same = 0, most = 0
    qsort(work.patterns, records, sizeof(uint64_t), &compare_patterns)
    for i in range(records):
        same = same + 1 if i and work.patterns[i] == work.patterns[i - 1] else 1
        different += same == 1
        most = max(most, same)
    return different >= MIN_PATTERNS and 100 * <int64_t> most < share * <int64_t> records


cdef bint is_marked_up(Folder *work, int32_t length) noexcept nogil:
    """Whether the siblings in `line` are one text, which records mark up in different ways."""
    cdef int32_t record, i, found = 0, bare = 0
    cdef uint64_t pattern
    cdef uint8_t *filled
    cdef bint any_bare
    for record in range(work.records):
        filled = work.filled + <int64_t> record * work.count
        pattern = 0
        any_bare = False
        for i in range(length):
            if filled[work.line[i]]:
                pattern = (pattern ^ <uint64_t> (i + 1)) * <uint64_t> 0x9E3779B97F4A7C15 | 1
                any_bare = any_bare or work.tag[work.line[i]] == 0
        if pattern:
            work.patterns[found] = pattern
            found += 1
            bare += any_bare
    return bare > 0 and 100 * <int64_t> bare >= BARE * <int64_t> found and is_irregular(work, found, SAME_MARKUP)


cdef void join_run(Folder *work, int32_t length) noexcept nogil:
    """Join the texts of lines of `run` that are marked up in different ways, and of lines that differ in number."""
    cdef int32_t i, lines = 0, in_line = 0, record, found = 0
    cdef uint64_t pattern
    cdef uint8_t *filled
    cdef bint any_filled
    for i in range(length + 1):
        if i < length and work.tag[work.run[i]] != work.line_break:
            work.line[in_line] = work.run[i]
            in_line += 1
            continue
        lines += in_line > 0
        if in_line > 1 and is_marked_up(work, in_line):
            join(work, work.line, in_line)
        in_line = 0
    if lines < 2:
        return
    for record in range(work.records):
        filled = work.filled + <int64_t> record * work.count
        pattern = 0
        any_filled = False
        lines = 0
        for i in range(length + 1):
            if i < length and work.tag[work.run[i]] != work.line_break:
                any_filled = any_filled or filled[work.run[i]]
                continue
            lines += 1
            if any_filled:
                pattern = (pattern ^ <uint64_t> lines) * <uint64_t> 0x9E3779B97F4A7C15 | 1
            any_filled = False
        if pattern:
            work.patterns[found] = pattern
            found += 1
    if found and is_irregular(work, found, SAME_LINES):
        join(work, work.run, length)


cdef void find_texts(Folder *work, int32_t slot, int32_t end) noexcept nogil:
    """Join what is one text in pieces among the children of a slot."""
    cdef int32_t child = slot + 1, length = 0, up = work.records if slot < 0 else work.times[slot]
    while child < end:
        if not work.settled[child] and (is_loose(work, child) or (
                work.tag[child] == work.link and 100 * <int64_t> work.times[child] < RARE * <int64_t> up
                and work.solid[child + work.size[child]] == work.solid[child + 1])) and not has_name(work, child):
            work.run[length] = child
            length += 1
        else:
            if length > 1:
                join_run(work, length)
            length = 0
        child += work.size[child]
    if length > 1:
        join_run(work, length)


cdef void fold_all(Folder *work) noexcept nogil:
    """Look at the children of all slots that are not the same in all records."""
    cdef int32_t slot, child, end, up, uneven, children
    for slot in range(-1, work.count):
        if slot >= 0 and (work.settled[slot] or work.size[slot] < 3):
            continue
        end = work.count if slot < 0 else slot + work.size[slot]
        up = work.records if slot < 0 else work.times[slot]
        child = slot + 1
        uneven = children = 0
        while child < end:
            children += 1
            uneven += work.times[child] < up
            child += work.size[child]
        if uneven and children > 1:
            if children >= MIN_UNITS:
                find_lists(work, slot, end)
            if uneven > 1:
                find_texts(work, slot, end)


cdef int32_t fold_slots(Tree *tree, Batch *batch, const int32_t *slots, Source *page, const uint8_t *traits, int32_t trait_count,
                    int32_t line_break, int32_t link) noexcept nogil:
    """Find the slots that hold one text in pieces, and those that hold a list. Returns how many lists there are.

    -1: no memory.
    """
    cdef int32_t count = tree.count, slot, node, i = 0, record
    cdef Folder work
    memset(&work, 0, sizeof(Folder))
    work.tag = tree.tag
    work.symbol = tree.symbol
    work.size = tree.size
    work.count = count
    work.records = batch.count
    work.into = tree.into
    work.unit = tree.unit
    work.traits = traits
    work.trait_count = trait_count
    work.line_break = line_break
    work.link = link
    work.text_start = page.text_start
    work.text = page.text
    # Six arrays by slot, one a little longer; and two of bytes.
    work.times = <int32_t *>calloc(6 * <size_t> count + 2, sizeof(int32_t))
    work.filled = <uint8_t *>calloc(<size_t> (batch.count + 1) * count, 1)
    work.patterns = <uint64_t *>malloc((batch.count + 1) * sizeof(uint64_t))
    if work.times == NULL or work.filled == NULL or work.patterns == NULL:
        work.lists = -1
    else:
        work.first = work.times + count
        work.run = work.first + count
        work.line = work.run + count
        work.numbers = work.line + count
        work.solid = work.numbers + count + 1
        work.settled = work.filled + <int64_t> batch.count * count
        for record in range(batch.count):
            for node in range(start_of(batch, record), end_of(batch, record)):
                slot = slots[i]
                if work.times[slot] == 0:
                    work.first[slot] = node
                work.times[slot] += 1
                work.filled[<int64_t> record * count + slot] = 1
                i += 1
        for slot in range(count):
            work.solid[slot + 1] = work.solid[slot] + (not (
                work.tag[slot] == 0 or work.tag[slot] == line_break
                or (work.symbol[slot] == 0 and trait_of(&work, slot) == FORMATTING)))
        fold_all(&work)
    free(work.times)
    free(work.filled)
    free(work.patterns)
    return work.lists


cdef int32_t fold_list(Tree *tree, int32_t number, int64_t *budget, bint* exceeded) noexcept nogil:
    """Map the units of a list onto each other: what is alike in them goes to the first slot that has it.

    -1: no memory.
    """
    cdef int32_t count = 0, slot, first = NOWHERE, last = 0, i, longest = NOWHERE, failed = 0
    cdef Aligner work
    cdef Batch batch
    cdef int32_t *spans = <int32_t *>malloc(2 * <size_t> tree.count * sizeof(int32_t))
    cdef int32_t *places = NULL     # of all slots from the first unit to the last
    cdef int32_t *earliest          # the first of them that has each
    if spans == NULL:
        return -1
    for slot in range(tree.count):
        if tree.unit[slot] == number:
            # A unit reaches to the next one: separators, or texts that belong to it, are between them.
            if count:
                spans[2 * count - 1] = slot
            else:
                first = slot
            spans[2 * count] = slot
            count += 1
            last = slot + tree.size[slot]
            if longest == NOWHERE or tree.size[slot] > tree.size[longest]:
                longest = slot
    spans[2 * count - 1] = last
    memset(&work, 0, sizeof(Aligner))
    work.tag = tree.tag
    work.size = tree.size
    work.parent = tree.parent
    work.symbols = tree.symbol + first
    work.budget = budget[0]
    places = <int32_t *>malloc(<size_t> (last - first) * sizeof(int32_t))
    if places == NULL or fill_batch(&batch, spans, count) < 0:
        failed = -1
    else:
        failed = grow_tree(&work, &batch, places)
        close_batch(&batch)
    if failed == 0:
        earliest = work.rights
        memset(earliest, 0xFF, work.slot_count * sizeof(int32_t))     # NOWHERE
        for i in range(last - first):
            slot = first + i
            if earliest[places[i]] == NOWHERE:
                earliest[places[i]] = slot
            tree.into[slot] = earliest[places[i]]
            tree.list_of[slot] = number
            if tree.unit[slot] == number:
                tree.repeats[slot] = longest
            elif tree.tag[slot] == 0 and tree.parent[slot] == tree.parent[first]:
                tree.repeats[slot] = slot
    exceeded[0] |= work.exceeded
    budget[0] = work.budget
    free(spans)
    free(places)
    close_tree(&work)
    close_tables(&work)
    return failed


cdef int32_t fold_all_slots(Tree *tree, Batch *batch, const int32_t *slots, Source *page, const uint8_t *traits,
                        int32_t trait_count, int32_t line_break, int32_t link, int64_t budget, bint* exceeded) noexcept nogil:
    """Find joined texts and lists, and what is alike in the units of these. Returns how many lists there are.

    -1: no memory.
    """
    cdef int32_t lists = fold_slots(tree, batch, slots, page, traits, trait_count, line_break, link), number
    for number in range(lists):
        if fold_list(tree, number, &budget, exceeded) < 0:
            return -1
    return lists


# Texts and values


cdef inline uint64_t hashed(const unsigned char *text, int32_t start, int32_t end, uint64_t mixed) noexcept nogil:
    """FNV-1a, 64 bits (Fowler, Noll & Vo): simple enough to mean the same in every version."""
    cdef int32_t at
    for at in range(start, end):
        mixed = (mixed ^ text[at]) * <uint64_t> 0x100000001B3
    return mixed


cdef inline int32_t folded(uint64_t mixed) noexcept nogil:
    """A hash as a symbol: 31 bits, never 0."""
    cdef int32_t symbol = <int32_t> ((mixed ^ mixed >> 32) & 0x7FFFFFFF)
    return symbol if symbol else 1


cdef inline uint64_t mixed_words(const unsigned char *text, int32_t start, int32_t end) noexcept nogil:
    """A hash that need not last, eight bytes a step."""
    cdef uint64_t mixed = <uint64_t> (end - start), word
    while start + 8 <= end:
        memcpy(&word, text + start, 8)
        mixed = (mixed ^ word) * <uint64_t> 0xBF58476D1CE4E5B9
        mixed ^= mixed >> 29
        start += 8
    word = 0
    if start < end:
        memcpy(&word, text + start, end - start)
    mixed = (mixed ^ word) * <uint64_t> 0x9E3779B97F4A7C15
    return mixed ^ mixed >> 32


cdef enum:
    STYLES = 256        # styles whose symbols are at hand

cdef struct Style:
    # The class and style attribute of an element, as spans of the values, and their symbol; 0 in a free entry.
    int32_t classes
    int32_t class_length
    int32_t declared
    int32_t declared_length
    int32_t symbol


cdef inline uint64_t both_ends(const unsigned char *text, int32_t length) noexcept nogil:
    """A hash of the first and the last eight bytes, and the length: enough to find what is then compared."""
    cdef uint64_t first = 0, last = 0
    if length >= 8:
        memcpy(&first, text, 8)
        memcpy(&last, text + length - 8, 8)
    elif length > 0:
        memcpy(&first, text, length)
    first = (first ^ <uint64_t> length) * <uint64_t> 0x9E3779B97F4A7C15
    return (first ^ first >> 32 ^ last) * <uint64_t> 0xBF58476D1CE4E5B9


cdef inline bint find_style(Source *page, int32_t node, Style *style) noexcept nogil:
    """Find the class and style attribute of an element. Returns whether either says anything."""
    cdef int32_t entry
    memset(style, 0, sizeof(Style))
    for entry in range(page.attribute_start[node], page.attribute_start[node + 1]):
        if page.attribute_name[entry] == page.class_name:
            style.classes = page.value_start[entry]
            style.class_length = page.value_start[entry + 1] - style.classes
        elif page.attribute_name[entry] == page.style_name:
            style.declared = page.value_start[entry]
            style.declared_length = page.value_start[entry + 1] - style.declared
    return style.class_length != 0 or style.declared_length != 0


cdef inline int32_t style_hash(Source *page, const Style *style) noexcept nogil:
    cdef uint64_t classes = hashed(page.values, style.classes, style.classes + style.class_length, FNV_START)
    cdef uint64_t declared = hashed(page.values, style.declared, style.declared + style.declared_length, FNV_START)
    return folded((classes ^ declared >> 7) * <uint64_t> 0x100000001B3 ^ declared)


cdef int32_t style_symbol(Source *page, Style *known, int32_t node) noexcept nogil:
    """The symbol of the class and style attribute of an element; 0 if both are empty. `known` has STYLES of them."""
    cdef Style own
    cdef uint64_t key
    cdef Style *style
    if not find_style(page, node, &own):
        return 0
    key = both_ends(page.values + own.classes, own.class_length)
    if own.declared_length:
        key ^= both_ends(page.values + own.declared, own.declared_length) >> 3
    style = &known[key >> 56]
    if (style.symbol == 0 or style.class_length != own.class_length or style.declared_length != own.declared_length
            or memcmp(page.values + style.classes, page.values + own.classes, own.class_length) != 0
            or memcmp(page.values + style.declared, page.values + own.declared, own.declared_length) != 0):
        style[0] = own
        style.symbol = style_hash(page, &own)
    return style.symbol


cdef inline int32_t text_symbol(Source *page, int32_t node) noexcept nogil:
    """The symbol of what a text says."""
    return folded(hashed(page.text, page.text_start[node], page.text_start[node + 1], FNV_START) | 1)


cdef struct Label:
    uint64_t hash       # of the text; 0 in a free entry
    int32_t record          # the last record that has it
    int32_t records         # how many have it
    int32_t symbol          # 0 until it is needed


cdef int32_t find_symbols(Source *page, Batch *batch, const int32_t *styles, int32_t enough, int32_t *symbols) noexcept nogil:
    """Write the symbols of all nodes, those of elements by the numbers of their styles. -1: no memory."""
    cdef int32_t record, node, i = 0, texts = 0, bits = 4, most = 0
    cdef uint64_t mask, place, found
    cdef Style own
    cdef int32_t *by_style      # the symbols of styles that were met
    cdef Label *table
    cdef Label *label
    for record in range(batch.count):
        for node in range(start_of(batch, record), end_of(batch, record)):
            texts += page.tag[node] == 0
            most = max(most, styles[node])
    while <int64_t> 1 << bits < 2 * <int64_t> texts:
        bits += 1
    table = <Label *>calloc(<size_t> 1 << bits, sizeof(Label))
    by_style = <int32_t *>calloc(<size_t> most + 1, sizeof(int32_t))
    if table == NULL or by_style == NULL:
        free(table)
        free(by_style)
        return -1
    mask = (<uint64_t> 1 << bits) - 1
    for record in range(batch.count):
        for node in range(start_of(batch, record), end_of(batch, record)):
            if page.tag[node] == 0:
                found = mixed_words(page.text, page.text_start[node], page.text_start[node + 1]) | 1
                place = found >> (64 - bits)
                while table[place].hash != 0 and table[place].hash != found:
                    place = (place + 1) & mask
                label = &table[place]
                if label.hash == 0 or label.record != record:
                    label.hash = found
                    label.record = record
                    label.records += 1
                symbols[i] = <int32_t> place
            else:
                if styles[node] > 0 and by_style[styles[node]] == 0 and find_style(page, node, &own):
                    by_style[styles[node]] = style_hash(page, &own)
                symbols[i] = by_style[max(styles[node], 0)]
            i += 1
    i = 0
    for record in range(batch.count):
        for node in range(start_of(batch, record), end_of(batch, record)):
            if page.tag[node] == 0:
                label = &table[symbols[i]]
                if label.records >= enough and label.symbol == 0:
                    label.symbol = text_symbol(page, node)
                symbols[i] = label.symbol
            i += 1
    free(table)
    free(by_style)
    return 0


cdef enum:
    SEPARATORS = 12     # kinds of what may separate values within a text, see `separators_of`
    WORDS = 1 << SEPARATORS     # the bit for words that all texts of a slot begin with, ...
    FILES = 2 << SEPARATORS     # ... and that for names of image files
    MOST_SEPARATORS = 30        # of one kind, in a text that may be split

cdef struct Column:
    int32_t items           # how many there are
    bint differ         # whether any differs from the first
    uint64_t first      # what that says

cdef struct Texts:
    # What the texts of a slot have in common.
    int32_t items
    int64_t length      # of all of them
    int32_t first           # the first of them, ...
    int32_t prefix          # ... and how many of its bytes all begin with
    bint attributed     # whether attributes of the slot are items, ...
    bint named          # ... and the first that stands for an image is the name of a file
    bint compared       # whether they are looked at for separators
    int32_t possible        # kinds of these, as bits, that not too many lack
    int32_t lacking[SEPARATORS]     # texts that do
    uint8_t usual[SEPARATORS]   # how many separators more than half have
    int32_t votes[SEPARATORS]
    int32_t agreeing[SEPARATORS]    # texts that have so many


cdef enum:
    KNOWN_NAMES = 256   # attribute names whose kind is looked up in a table
    MAX_KINDS = 250

cdef struct Kinds:
    # The wanted attributes.
    int32_t[MAX_KINDS] wanted
    int32_t count
    int32_t first_data      # the first kind that needs more than one value to be an item
    int32_t alternative     # the kind of texts that stand for images
    uint8_t[KNOWN_NAMES] by_name    # one more than the kind of a name that has a small number; 0: not wanted


cdef int32_t look_up(Kinds *kinds, const int32_t[::1] wanted) except -1:
    """Take the wanted attributes."""
    cdef int32_t kind
    if wanted.shape[0] > MAX_KINDS:
        raise ValueError(f"more than {MAX_KINDS} attributes are wanted")
    memset(kinds.by_name, 0, KNOWN_NAMES)
    kinds.count = <int32_t> wanted.shape[0]
    for kind in range(kinds.count):
        kinds.wanted[kind] = wanted[kind]
        if 0 <= wanted[kind] < KNOWN_NAMES:
            kinds.by_name[wanted[kind]] = <uint8_t> (kind + 1)
    return 0


cdef list look_up_data(Kinds *kinds, dict names, int32_t most):
    """Add the attributes of a page called data-..., at most so many. Returns their numbers."""
    cdef list found = []
    cdef str name
    for number, written in names.items():
        name = written
        if PyUnicode_GET_LENGTH(name) >= 5 and name[0] == "d" and name.startswith("data-"):
            if len(found) == most or kinds.count == MAX_KINDS:
                break
            found.append(number)
            kinds.wanted[kinds.count] = number
            kinds.count += 1
    return found


cdef inline int32_t kind_of(Kinds *kinds, int32_t name) noexcept nogil:
    """The place of an attribute's name among the wanted ones; NOWHERE if it is none."""
    cdef int32_t kind
    if 0 <= name < KNOWN_NAMES:
        return kinds.by_name[name] - 1
    for kind in range(kinds.count):
        if kinds.wanted[kind] == name:
            return kind
    return NOWHERE


cdef uint8_t[256] MAY_SEPARATE
memset(MAY_SEPARATE, 0, 256)
for _byte in bytearray(b"|;()[],-/~:\xc2\xe2"):
    MAY_SEPARATE[<int32_t> _byte] = 1


cdef void separators_of(const unsigned char *text, int32_t start, int32_t end, uint8_t *found) noexcept nogil:
    """Count what may separate values within a text, by kind."""
    cdef int32_t at, kind
    cdef unsigned char byte, before, after, second
    memset(found, 0, SEPARATORS)
    for at in range(start, end):
        if not MAY_SEPARATE[text[at]]:
            continue
        byte = text[at]
        kind = NOWHERE
        before = text[at - 1] if at > start else 0
        after = text[at + 1] if at + 1 < end else 0
        if byte == c"|":
            kind = 0
        elif byte == c";":
            kind = 1
        elif byte == c"(":
            kind = 2
        elif byte == c")":
            kind = 3
        elif byte == c"[":
            kind = 4
        elif byte == c"]":
            kind = 5
        elif byte == c"," and after == c" ":
            kind = 6
        elif byte == c"-" and before == c" ":
            kind = 7
        elif byte == c"/" and before == c" " and after == c" ":
            kind = 8
        elif byte == c"~" and before == c" ":
            kind = 9
        elif byte == c":" and after == c":":
            kind = 10
        elif byte == 0xC2 and (after == 0xA6 or after == 0xB7 or after == 0xBB):
            kind = 11
        elif byte == 0xE2:
            second = text[at + 2] if at + 2 < end else 0
            if (after == 0x80 and (0x93 <= second <= 0x96 or second == 0xA2)
                    or after == 0x97 and second == 0x8F or after == 0x86 and second == 0x92):
                kind = 11
        if kind != NOWHERE and found[kind] < 255:
            found[kind] += 1


cdef inline void compare_texts(Texts *seen, const unsigned char *text, int32_t start, int32_t end,
                               int32_t first_start) noexcept nogil:
    """Count a text, and how much of its beginning it shares with the first one."""
    cdef int32_t shared = 0, most
    seen.length += end - start
    if seen.items == 0:
        seen.prefix = end - start
    else:
        most = min(seen.prefix, end - start)
        while shared < most and text[start + shared] == text[first_start + shared]:
            shared += 1
        seen.prefix = shared
    seen.items += 1


cdef inline bint may_differ(Texts *seen, int32_t first_length, int32_t longest) noexcept nogil:
    """Whether texts are several, not all the same, and not so long that separators mean nothing in them."""
    return seen.items >= 2 and seen.length <= <int64_t> longest * seen.items and not (
        seen.prefix == first_length and seen.length == <int64_t> seen.items * seen.prefix)


cdef void vote(Texts *seen, const uint8_t *found) noexcept nogil:
    """Count the separators of a text towards what more than half of the texts have (Boyer & Moore 1981)."""
    cdef int32_t kind
    for kind in range(SEPARATORS):
        if found[kind] == 0:
            seen.lacking[kind] += 1
            if 10 * <int64_t> seen.lacking[kind] > seen.items:
                seen.possible &= ~(1 << kind)
        if seen.votes[kind] == 0:
            seen.usual[kind] = found[kind]
        seen.votes[kind] += 1 if seen.usual[kind] == found[kind] else -1


cdef int32_t may_split(Texts *seen, const unsigned char *text, int32_t first_start, int32_t first_end) noexcept nogil:
    """The kinds of separators that texts agree on, as bits, and WORDS if they begin with the same words."""
    cdef int32_t kind, at, words = first_start, mask = 0
    cdef bint letters = True, spaced = False, small = True
    for kind in range(SEPARATORS):
        if (seen.possible & 1 << kind and seen.usual[kind] <= MOST_SEPARATORS
                and 10 * <int64_t> seen.agreeing[kind] >= 9 * <int64_t> seen.items):
            mask |= 1 << kind
    # Words that all begin with: a label, or a word like "by".
    for at in range(first_start, first_start + seen.prefix):
        if text[at] == c":":
            return mask | WORDS
        if text[at] == c" ":
            spaced = True
            if letters:
                words = at + 1
        elif not is_letter(text[at]):
            letters = False
        if not letters and spaced:
            break
    for at in range(first_start, words):
        small = small and not is_capital(text[at])
    if first_start < words < first_end and (small or words - first_start <= 4):
        mask |= WORDS
    return mask


cdef bint is_file_name(const unsigned char *text, int32_t length) noexcept nogil:
    """Whether a text ends like the name of an image file: a point among the last five bytes, and no space."""
    cdef int32_t at
    for at in range(length):
        if text[at] == c" ":
            return False
    for at in range(max(1, length - 5), length - 2):
        if text[at] == c".":
            return True
    return False


cdef inline bint is_capital(unsigned char byte) noexcept nogil:
    return c"A" <= byte <= c"Z"


cdef inline bint is_letter(unsigned char byte) noexcept nogil:
    return c"A" <= byte <= c"Z" or c"a" <= byte <= c"z" or byte >= 128


cdef inline bint is_structure(Source *page, int32_t entry) noexcept nogil:
    """Whether a value is JSON: data of a program, not an item."""
    cdef unsigned char first = page.values[page.value_start[entry]]
    return first == c"{" or first == c"["


cdef void count_items(Source *page, Batch *batch, const int32_t *slots, const int32_t *into, Kinds *names, Column *columns,
                      Texts *texts) noexcept nogil:
    """Count the items of each slot and kind, and compare the texts of each slot."""
    cdef int32_t kinds = names.count + 1, record, node, entry, kind, i = -1, slot
    cdef Column *column
    cdef Texts *seen
    cdef uint64_t hash
    for record in range(batch.count):
        for node in range(start_of(batch, record), end_of(batch, record)):
            i += 1
            if page.tag[node] == 0:
                slot = slots[i]
                columns[<int64_t> into[slot] * kinds + kinds - 1].items += 1
                seen = &texts[slot]
                if seen.items == 0:
                    seen.first = node
                compare_texts(seen, page.text, page.text_start[node], page.text_start[node + 1] - 1,
                              page.text_start[seen.first])
                continue
            for entry in range(page.attribute_start[node], page.attribute_start[node + 1]):
                kind = kind_of(names, page.attribute_name[entry])
                if (kind == NOWHERE or page.value_start[entry] == page.value_start[entry + 1]
                        or (kind >= names.first_data and is_structure(page, entry))):
                    continue
                slot = into[slots[i]]
                texts[slot].attributed = True
                column = &columns[<int64_t> slot * kinds + kind]
                if kind >= names.first_data and not column.differ:
                    hash = mixed_words(page.values, page.value_start[entry], page.value_start[entry + 1])
                    if column.items == 0:
                        column.first = hash
                    column.differ = hash != column.first
                elif kind == names.alternative and column.items == 0:
                    texts[slot].named = is_file_name(page.values + page.value_start[entry],
                                                     page.value_start[entry + 1] - page.value_start[entry])
                column.items += 1


cdef int32_t count_separators(Source *page, Batch *batch, const int32_t *slots, Texts *texts, int32_t slot_count,
                          int32_t wanted) noexcept nogil:
    """Find the usual numbers of separators of the texts that are compared, which are so many, and count the texts that
    have these. -1: no memory."""
    cdef int32_t record, node, i = -1, kind
    cdef bint again = False
    cdef uint8_t *separators = <uint8_t *>malloc(<size_t> wanted * SEPARATORS + 1)
    cdef uint8_t *own = separators
    cdef Texts *seen
    if separators == NULL:
        return -1
    for record in range(batch.count):
        for node in range(start_of(batch, record), end_of(batch, record)):
            i += 1
            if page.tag[node] == 0 and texts[slots[i]].compared:
                seen = &texts[slots[i]]
                if seen.possible:   # else texts without any separator are too many already
                    separators_of(page.text, page.text_start[node], page.text_start[node + 1] - 1, own)
                    vote(seen, own)
                own += SEPARATORS
    for i in range(slot_count):
        again = again or texts[i].possible
    own = separators
    i = -1
    for record in range(batch.count if again else 0):
        for node in range(start_of(batch, record), end_of(batch, record)):
            i += 1
            if page.tag[node] == 0 and texts[slots[i]].compared:
                seen = &texts[slots[i]]
                if seen.possible:
                    for kind in range(SEPARATORS):
                        seen.agreeing[kind] += own[kind] == seen.usual[kind]
                own += SEPARATORS
    free(separators)
    return 0


cdef int32_t count_columns(Source *page, Batch *batch, Tree *tree, const int32_t *slots, Kinds *names, Column *columns,
                       Texts *texts) noexcept nogil:
    """Count the items of all slots and kinds, 0 for those that are no column. Returns how many columns there are."""
    cdef int32_t kinds = names.count + 1, slot, kind, width = 0
    cdef Column *own
    count_items(page, batch, slots, tree.into, names, columns, texts)
    for slot in range(tree.count):
        own = &columns[<int64_t> slot * kinds]
        if texts[slot].attributed:
            for kind in range(kinds - 1):
                if kind >= names.first_data and (
                        not own[kind].differ or 2 * <int64_t> own[kind].items < batch.count):
                    own[kind].items = 0
                width += own[kind].items > 0
        width += own[kinds - 1].items > 0
    return width


cdef int32_t compare_all(Source *page, Batch *batch, Tree *tree, const int32_t *slots, const Column *texts_of, int32_t kinds,
                     int32_t fewest, int32_t longest, Texts *texts) noexcept nogil:
    """Look for separators in the texts of the slots whose texts may be split. -1: no memory.

    `texts_of` is the column of the texts of the first slot.
    """
    cdef int32_t slot, items, compared = 0
    cdef Texts *seen
    for slot in range(tree.count):
        seen = &texts[slot]
        items = texts_of[<int64_t> slot * kinds].items
        if (items >= fewest and seen.items == items and tree.list_of[slot] == NOWHERE
                and may_differ(seen, page.text_start[seen.first + 1] - 1 - page.text_start[seen.first], longest)):
            seen.compared = True
            seen.possible = WORDS - 1
            compared += items
    return count_separators(page, batch, slots, texts, tree.count, compared) if compared else 0


cdef struct Found:
    # The columns of a call.
    int32_t width
    bint left_out       # whether there were more of them
    Column *columns     # of each slot and kind
    Texts *texts        # by slot
    int32_t *column_of      # of each slot and kind, or NOWHERE
    uint8_t *takes      # slot -> whether any attribute of it is an item
    int32_t *places         # [4, width] slot, kind, list, and how the texts may be split


cdef void close_found(Found *found) noexcept nogil:
    free(found.columns)
    free(found.texts)
    free(found.column_of)
    free(found.takes)
    free(found.places)


cdef int compare_counts(const void *left, const void *right) noexcept nogil:
    cdef int32_t a = (<const Column *>left).items, b = (<const Column *>right).items
    return (a < b) - (a > b)


cdef int32_t fewest_items(Found *found, int64_t all_kinds, int64_t most) noexcept nogil:
    """How many items a column must have, so that there are at most so many columns. -1: no memory."""
    cdef Column *sorted_columns = <Column *>malloc(all_kinds * sizeof(Column))
    cdef int32_t fewest
    cdef int64_t key
    if sorted_columns == NULL:
        return -1
    memcpy(sorted_columns, found.columns, all_kinds * sizeof(Column))
    qsort(sorted_columns, all_kinds, sizeof(Column), &compare_counts)
    fewest = 1 + sorted_columns[most].items
    free(sorted_columns)
    found.width = 0
    for key in range(all_kinds):
        found.width += found.columns[key].items >= fewest
    return fewest


cdef int32_t find_columns(Source *page, Batch *batch, Tree *tree, const int32_t *slots, Kinds *names, int64_t cells,
                      int32_t longest, Found *found) noexcept nogil:
    """Find the columns, and how their texts may be split. -1: no memory."""
    cdef int32_t kinds = names.count + 1, slot, kind, fewest = 1, column = 0, ways
    cdef int64_t all_kinds = <int64_t> tree.count * kinds
    cdef Texts *seen
    found.columns = <Column *>calloc(<size_t> all_kinds + 1, sizeof(Column))
    found.texts = <Texts *>calloc(<size_t> tree.count + 1, sizeof(Texts))
    found.column_of = <int32_t *>malloc((<size_t> all_kinds + 1) * sizeof(int32_t))
    found.takes = <uint8_t *>calloc(<size_t> tree.count + 1, 1)
    if found.columns == NULL or found.texts == NULL or found.column_of == NULL or found.takes == NULL:
        return -1
    found.width = count_columns(page, batch, tree, slots, names, found.columns, found.texts)
    if <int64_t> found.width * batch.count > cells:
        found.left_out = True
        fewest = fewest_items(found, all_kinds, cells // batch.count)
    found.places = <int32_t *>malloc((4 * <size_t> found.width + 1) * sizeof(int32_t))
    if fewest < 0 or found.places == NULL or compare_all(
            page, batch, tree, slots, found.columns + kinds - 1, kinds, fewest, longest, found.texts) < 0:
        return -1
    memset(found.column_of, 0xFF, all_kinds * sizeof(int32_t))  # NOWHERE
    for slot in range(tree.count):
        seen = &found.texts[slot]
        for kind in range(0 if seen.attributed else kinds - 1, kinds):
            if found.columns[<int64_t> slot * kinds + kind].items < fewest:
                continue
            found.column_of[<int64_t> slot * kinds + kind] = column
            found.takes[slot] |= kind < kinds - 1
            ways = 0
            if kind == names.alternative:
                ways = FILES if seen.named and tree.list_of[slot] == NOWHERE else 0
            elif kind == kinds - 1 and seen.compared:
                ways = may_split(seen, page.text, page.text_start[seen.first], page.text_start[seen.first + 1] - 1)
            found.places[column] = slot
            found.places[found.width + column] = kind
            found.places[2 * <int64_t> found.width + column] = tree.list_of[slot]
            found.places[3 * <int64_t> found.width + column] = ways
            column += 1
    for slot in range(tree.count):
        if tree.into[slot] != slot:
            memcpy(found.column_of + <int64_t> slot * kinds, found.column_of + <int64_t> tree.into[slot] * kinds,
                   kinds * sizeof(int32_t))
            found.takes[slot] = found.takes[tree.into[slot]]
    return 0


cdef struct Item:
    # A text or a value: a cell of the table, or a part of one.
    const unsigned char *letters
    int32_t length
    int32_t column
    int32_t unit            # of a list: the one that it is in, from 1; 0 before the first
    bint same           # whether the item before it in its column says the same

cdef struct Table:
    # The items of records, before they are strings.
    int32_t width
    int32_t lists
    Item *items
    int32_t *first_item     # [records + 1] where those of each record begin
    int32_t *units          # [records, lists] how many units of each list a record has
    Item *last          # column -> its last item
    PyObject **strings  # column -> the string of that


cdef int32_t open_table(Table *table, Source *page, Batch *batch, int32_t slot_count, const int32_t *unit, const int32_t *list_of,
                    int32_t width) noexcept nogil:
    """Take the memory for the items of records. -1: no memory."""
    cdef int32_t record, slot, column
    cdef int64_t most = 0
    memset(table, 0, sizeof(Table))
    table.width = width
    for slot in range(slot_count):
        table.lists = max(table.lists, unit[slot] + 1)
    for column in range(width):
        table.lists = max(table.lists, list_of[column] + 1)
    for record in range(batch.count):
        most += length_of(batch, record) + (
            page.attribute_start[end_of(batch, record)] - page.attribute_start[start_of(batch, record)])
    table.items = <Item *>malloc((most + 1) * sizeof(Item))
    table.first_item = <int32_t *>malloc((<size_t> batch.count + 1) * sizeof(int32_t))
    table.units = <int32_t *>calloc(<size_t> batch.count * table.lists + 1, sizeof(int32_t))
    table.last = <Item *>malloc((<size_t> width + 1) * sizeof(Item))
    table.strings = <PyObject **>calloc(<size_t> width + 1, sizeof(PyObject*))
    if (table.items == NULL or table.first_item == NULL or table.units == NULL or table.last == NULL
            or table.strings == NULL):
        return -1
    for column in range(width):
        table.last[column].length = NOWHERE
    return 0


cdef void close_table(Table *table) noexcept:
    cdef int32_t column
    for column in range(table.width if table.strings != NULL else 0):
        Py_XDECREF(table.strings[column])
    free(table.items)
    free(table.first_item)
    free(table.units)
    free(table.last)
    free(table.strings)


cdef inline Item *add_item(Table *table, Item *item, const unsigned char *letters, int32_t length, int32_t column, int32_t number,
                           const int32_t *units) noexcept nogil:
    """Enter a text or value of a column, which is in the list of that number. Returns where the next one goes."""
    cdef Item *last = &table.last[column]
    item.letters = letters
    item.length = length
    item.column = column
    item.unit = 0 if number == NOWHERE else units[number]
    # Most often it is that of the record before: constant texts are made once.
    item.same = last.length == length and memcmp(last.letters, letters, length) == 0
    last[0] = item[0]
    return item + 1


cdef void collect_items(Table *table, Source *page, Kinds *names, Batch *batch, const int32_t *slots, const int32_t *column_of,
                        const uint8_t *takes, const int32_t *unit, const int32_t *list_of) noexcept nogil:
    """Find the items of all records, in document order."""
    cdef int32_t kinds = names.count + 1, record, node, entry, kind, i = -1, slot, column
    cdef const int32_t *own
    cdef int32_t *units
    cdef Item *item = table.items
    for record in range(batch.count):
        table.first_item[record] = <int32_t> (item - table.items)
        units = table.units + <int64_t> record * table.lists
        for node in range(start_of(batch, record), end_of(batch, record)):
            i += 1
            slot = slots[i]
            if slot == NOWHERE:
                continue
            if unit[slot] != NOWHERE:
                units[unit[slot]] += 1
            own = column_of + <int64_t> slot * kinds
            if page.tag[node] == 0:
                column = own[kinds - 1]
                if column != NOWHERE:
                    item = add_item(table, item, page.text + page.text_start[node],
                                    page.text_start[node + 1] - 1 - page.text_start[node], column, list_of[column],
                                    units)
            elif takes[slot]:
                for entry in range(page.attribute_start[node], page.attribute_start[node + 1]):
                    kind = kind_of(names, page.attribute_name[entry])
                    if (kind != NOWHERE and own[kind] != NOWHERE
                            and page.value_start[entry] != page.value_start[entry + 1]):
                        item = add_item(table, item, page.values + page.value_start[entry],
                                        page.value_start[entry + 1] - page.value_start[entry], own[kind],
                                        list_of[own[kind]], units)
    table.first_item[batch.count] = <int32_t> (item - table.items)


cdef list read_rows(Source *page, Kinds *names, Batch *batch, const int32_t *slots, const int32_t *column_of,
                    const uint8_t *takes, int32_t slot_count, const int32_t *unit, const int32_t *list_of, int32_t width):
    """The table: `column_of` has the column of each slot and kind, `takes` whether any attribute of a slot has one,
    `list_of` the list of each column."""
    cdef Table table
    cdef int32_t record, column, k
    cdef const int32_t *units
    cdef Item *item
    cdef bint several, failed
    cdef list rows = [], row
    cdef object string
    try:
        with nogil:
            failed = open_table(&table, page, batch, slot_count, unit, list_of, width) < 0
            if not failed:
                collect_items(&table, page, names, batch, slots, column_of, takes, unit, list_of)
        if failed:
            raise MemoryError
        for record in range(batch.count):
            row = PyList_New(width)
            for column in range(width):
                Py_INCREF(None)     # which the list keeps
                PyList_SET_ITEM(row, column, None)
            several = False
            for k in range(table.first_item[record], table.first_item[record + 1]):
                item = &table.items[k]
                if not item.same:
                    string = PyUnicode_DecodeUTF8(<const char *>item.letters, item.length, "replace")
                    Py_INCREF(string)
                    Py_XDECREF(table.strings[item.column])
                    table.strings[item.column] = <PyObject *>string
                else:
                    string = <object> table.strings[item.column]
                several |= put(row, item.column, string, list_of[item.column], item.unit)
            if several:
                for column in range(width):
                    if list_of[column] == NOWHERE and type(row[column]) is list:
                        row[column] = " ".join(row[column])
            if table.lists:
                units = table.units + <int64_t> record * table.lists
                for column in range(width):
                    if list_of[column] != NOWHERE and units[list_of[column]]:
                        if row[column] is None:
                            row[column] = []
                        (<list> row[column]).extend([None] * (units[list_of[column]] - len(<list> row[column])))
            rows.append(row)
    finally:
        close_table(&table)
    return rows


cdef inline int32_t put(list row, int32_t column, object string, int32_t number, int32_t unit) except -1:
    """Enter a string: into its column; or, if that is one of a list, into the place of the unit that it is in.

    Returns whether the column has several, which are to be joined when the record is complete.
    """
    cdef list items
    cdef object before = <object> PyList_GET_ITEM(row, column)
    if number == NOWHERE:
        if before is None:
            Py_INCREF(string)
            PyList_SET_ITEM(row, column, string)
            Py_DECREF(None)     # which was there
            return 0
        if type(before) is list:
            (<list> before).append(string)
        else:
            row[column] = [before, string]
        return 1
    if unit == 0:
        return 0    # before the first unit
    if before is None:
        row[column] = []
    items = row[column]
    while len(items) < unit - 1:
        items.append(None)
    if len(items) == unit:
        before = items[unit - 1]
        items[unit - 1] = string if before is None else before + " " + string
    else:
        items.append(string)
    return 0


def transposed(list rows not None, Py_ssize_t width):
    """The columns of rows, or the rows of columns; see `alignment.pyi`."""
    cdef Py_ssize_t count = len(rows), i, j
    cdef list found = [], column, row
    cdef object cell
    for row in rows:
        if len(row) != width:
            raise ValueError("the rows differ in length")
    for j in range(width):
        column = PyList_New(count)
        for i in range(count):
            cell = <object> PyList_GET_ITEM(<object> PyList_GET_ITEM(rows, i), j)
            Py_INCREF(cell)     # which the list keeps
            PyList_SET_ITEM(column, i, cell)
        found.append(column)
    return found


cdef list entries_of(list row, const Py_ssize_t *columns, Py_ssize_t count):
    """The entries of a nested list, from its columns: rows, if there are several."""
    cdef Py_ssize_t length = len(<list?>row[columns[0]]), k, j
    cdef list found = [], entry
    cdef object cell
    for j in range(1, count):
        if len(<list?>row[columns[j]]) != length:
            raise ValueError("the columns of a list differ in length")
    for k in range(length):
        entry = PyList_New(count)
        for j in range(count):
            cell = <object> PyList_GET_ITEM(<object> PyList_GET_ITEM(row, columns[j]), k)
            Py_INCREF(cell)
            PyList_SET_ITEM(entry, j, cell)
        found.append(entry)
    return found


def nested(list rows not None, list groups not None):
    """Rows in which the columns of a nested list are one; see `alignment.pyi`."""
    cdef Py_ssize_t width = sum(map(len, groups)), count = len(groups), least = 0, k, at = 0
    cdef Py_ssize_t *columns = <Py_ssize_t *>malloc((width + count + 2) * sizeof(Py_ssize_t))
    cdef Py_ssize_t *first = columns + width
    cdef list found = [], row, cells
    cdef object cell
    if columns == NULL:
        raise MemoryError("no memory for the columns")
    try:
        for k, group in enumerate(groups):
            first[k] = at
            for column in group:
                columns[at] = column
                if columns[at] < 0:
                    raise ValueError("there is no such column")
                least = max(least, columns[at] + 1)
                at += 1
            if at == first[k]:
                raise ValueError("a group has a column or more")
        first[count] = at
        for row in rows:
            if len(row) < least:
                raise ValueError("there is no such column")
            cells = PyList_New(count)
            for k in range(count):
                cell = <object> PyList_GET_ITEM(row, columns[first[k]])
                if cell is not None and first[k + 1] - first[k] > 1:
                    cell = entries_of(row, columns + first[k], first[k + 1] - first[k])
                Py_INCREF(cell)
                PyList_SET_ITEM(cells, k, cell)
            found.append(cells)
    finally:
        free(columns)
    return found


cdef enum:
    # budgets that a call met
    ALIGNMENT_LIMIT = 1
    FOLDING_LIMIT = 2
    COLUMNS_LIMIT = 4

LIMITS = {"alignment": ALIGNMENT_LIMIT, "folding": FOLDING_LIMIT, "columns": COLUMNS_LIMIT}


def learn(const int32_t[::1] tag, const int32_t[::1] size, const int32_t[::1] parent, const int32_t[::1] attribute_start,
          const int32_t[::1] attribute_name, const int32_t[::1] value_start, const unsigned char[::1] values,
          const int32_t[::1] text_start, const unsigned char[::1] text, const int32_t[::1] styles, const int32_t[:, ::1] spans,
          const int32_t[::1] wanted, int32_t first_data, int32_t alternative, dict names not None, int32_t most_data,
          const uint8_t[::1] traits, int32_t line_break, int32_t link, int32_t class_name, int32_t style_name, int32_t enough,
          int64_t budget, int64_t most_filled, int64_t cells, int32_t longest):
    """The template of records, and their table; see `alignment.pyi`."""
    cdef Source page
    cdef Kinds kinds
    cdef Batch batch
    cdef Aligner work
    cdef Tree tree
    cdef Found found
    cdef list data, rows, split = []
    cdef int32_t *symbols = NULL
    cdef int32_t *slots
    cdef int32_t lists = 0, column, number, limits = 0
    cdef const uint8_t *all_traits = &traits[0] if traits.shape[0] else NULL
    cdef int32_t trait_count = <int32_t> traits.shape[0]
    open_source(&page, tag, size, attribute_start, attribute_name, value_start, values, text_start, text)
    page.class_name = class_name
    page.style_name = style_name
    look_up(&kinds, wanted)
    kinds.first_data = first_data
    kinds.alternative = alternative
    data = look_up_data(&kinds, names, most_data)
    if parent.shape[0] != size.shape[0] or styles.shape[0] != size.shape[0]:
        raise ValueError("arrays that belong together differ in length")
    for number in range(<int32_t> styles.shape[0]):
        if styles[number] > styles.shape[0]:
            raise ValueError("the number of a style is not within the page")
    memset(&work, 0, sizeof(Aligner))
    memset(&tree, 0, sizeof(Tree))
    memset(&found, 0, sizeof(Found))
    open_batch(&batch, size, spans)
    try:
        slots_array = empty(batch.nodes, INT32)
        slots = <int32_t *>data_of(slots_array)
        if batch.count:
            work.tag = page.tag
            work.size = &size[0]
            work.parent = &parent[0]
            work.budget = budget
            work.symbols = symbols = <int32_t *>malloc(batch.nodes * sizeof(int32_t))
            # Without the lock of the interpreter from here to where strings are made.
            with nogil:
                if symbols == NULL or find_symbols(&page, &batch, &styles[0], enough, symbols) < 0 or grow_tree(
                        &work, &batch, slots) < 0 or write_tree(&work, &batch, slots, &tree) < 0:
                    lists = -1
                elif <int64_t> batch.count * tree.count > most_filled:
                    limits |= FOLDING_LIMIT
                else:
                    lists = fold_all_slots(&tree, &batch, slots, &page, all_traits, trait_count, line_break, link,
                                           budget, &work.exceeded)
                if lists >= 0 and find_columns(&page, &batch, &tree, slots, &kinds, cells, longest, &found) < 0:
                    lists = -1
            if lists < 0:
                raise MemoryError
        if work.exceeded:
            limits |= ALIGNMENT_LIMIT
        if found.left_out:
            limits |= COLUMNS_LIMIT
        tree_array = empty((ROWS, tree.count), INT32)
        places_array = empty((3, found.width), INT32)
        if tree.count:
            memcpy(data_of(tree_array), tree.tag, <size_t> tree.count * ROWS * sizeof(int32_t))
        if found.width:
            memcpy(data_of(places_array), found.places, 3 * <size_t> found.width * sizeof(int32_t))
        for column in range(found.width):
            if found.places[3 * <int64_t> found.width + column]:
                split.append((column, found.places[3 * <int64_t> found.width + column]))
        rows = read_rows(&page, &kinds, &batch, slots, found.column_of, found.takes, tree.count, tree.unit,
                         found.places + 2 * <int64_t> found.width, found.width)
    finally:
        free(symbols)
        free(tree.tag)
        close_found(&found)
        close_batch(&batch)
        close_tree(&work)
        close_tables(&work)
    return slots_array, tree_array, places_array, rows, data, split, lists, limits


# Reading by a template


cdef enum:
    SHAPE_BITS = 9
    MAX_SHAPES = 384            # of records that a reader remembers, ...
    MAX_REMEMBERED = 1 << 14    # ... and their nodes

cdef struct Shape:
    # A record that has been placed: as its symbols are those of any page, the next page has equal ones.
    uint64_t hash
    int32_t nodes           # 0 in a free entry
    int32_t first           # where these begin among those of all shapes
    int64_t cells       # what it took of the budget

cdef struct Remembered:
    int32_t tag
    int32_t size
    int32_t symbol
    int32_t slot


cdef class Reader:
    """Reads the records of pages by a template; see `alignment.pyi`."""
    cdef Aligner tree           # with the slots of the template; never written to after it is made
    cdef int32_t slot_count
    cdef int32_t class_name
    cdef int32_t style_name
    cdef Kinds names
    cdef uint8_t *telling       # path -> whether symbols tell its nodes apart
    cdef uint8_t *takes         # slot -> whether any attribute of it is an item
    cdef int32_t *shifted           # slot of the tree -> the one that further nodes like those in it go to, or NOWHERE
    cdef const int32_t[::1] labels
    cdef const int32_t[:, ::1] column_of
    cdef const int32_t[::1] unit
    cdef const int32_t[::1] list_of
    # Shapes by hash: open addressing. Both are forgotten when either is full.
    cdef Shape[1 << SHAPE_BITS] shapes
    cdef int32_t shape_count
    cdef Remembered *remembered
    cdef int32_t remembered_count

    def __cinit__(self, const int32_t[:, ::1] tree, const int32_t[::1] repeats, const int32_t[::1] labels, const int32_t[::1] wanted,
                  const int32_t[:, ::1] column_of, const int32_t[::1] unit, const int32_t[::1] list_of, int32_t class_name,
                  int32_t style_name):
        cdef int32_t count = <int32_t> tree.shape[1], slot, up, number, kind
        cdef Slot *made
        if (tree.shape[0] < 3 or repeats.shape[0] != count or column_of.shape[0] != count or unit.shape[0] != count
                or column_of.shape[1] != wanted.shape[0] + 1):
            raise ValueError("arrays that belong together differ in length")
        for slot in range(count):
            if not -1 <= tree[1, slot] < slot:
                raise ValueError(f"slot {slot} is not in document order")
            if repeats[slot] != NOWHERE and not (0 <= repeats[slot] < count
                                                 and tree[1, repeats[slot]] == tree[1, slot]
                                                 and tree[0, repeats[slot]] == tree[0, slot]):
                raise ValueError(f"slot {slot} is not repeated by one of its siblings")
            for kind in range(<int32_t> column_of.shape[1]):
                if not NOWHERE <= column_of[slot, kind] < list_of.shape[0]:
                    raise ValueError("a column is not within the table")
        look_up(&self.names, wanted)
        self.slot_count = count
        self.class_name = class_name
        self.style_name = style_name
        self.labels = labels
        self.column_of = column_of
        self.unit = unit
        self.list_of = list_of
        if open_tree(&self.tree, count + 1, count + 1) < 0:
            raise MemoryError
        self.telling = <uint8_t *>calloc(2 * (<size_t> count + 1), 1)
        self.takes = self.telling + count + 1
        self.shifted = <int32_t *>malloc(2 * (count + 1) * sizeof(int32_t))
        self.remembered = <Remembered *>malloc(MAX_REMEMBERED * sizeof(Remembered))
        if self.telling == NULL or self.shifted == NULL or self.remembered == NULL:
            raise MemoryError
        self.tree.repeats = self.shifted
        self.tree.first_repeat = self.shifted + count + 1
        self.shifted[ROOT] = NOWHERE
        for slot in range(count + 1):
            self.tree.first_repeat[slot] = NOWHERE
        # `add_slot` takes tags and symbols of nodes: those of the template's slots.
        self.tree.tag = &tree[0, 0] if count else NULL
        self.tree.symbol = &tree[2, 0] if count else NULL
        for slot in range(count):
            up = tree[1, slot] + 1
            number = add_slot(&self.tree, slot, up, self.tree.slots[up].last)
            self.shifted[number] = NOWHERE if repeats[slot] == NOWHERE else repeats[slot] + 1
            if repeats[slot] != NOWHERE and self.tree.first_repeat[up] == NOWHERE:
                self.tree.first_repeat[up] = number
            for kind in range(<int32_t> column_of.shape[1] - 1):
                self.takes[slot] |= column_of[slot, kind] != NOWHERE
            made = &self.tree.slots[number]
            self.telling[made.path] |= made.symbol != 0 or (repeats[slot] != NOWHERE and made.tag != 0)

    def __dealloc__(self):
        close_tree(&self.tree)
        free(self.telling)
        free(self.shifted)
        free(self.remembered)

    cdef void find_symbols(self, Source *page, Aligner *work, Batch *batch, int32_t *symbols, int32_t *path) noexcept nogil:
        """Write the symbols of all nodes: 0 for those that no symbol tells apart. `path` is for one record's nodes."""
        cdef int32_t record, node, above, start, i = 0
        cdef Entry *entry
        cdef Style[STYLES] styles
        memset(styles, 0, STYLES * sizeof(Style))
        for record in range(batch.count):
            start = start_of(batch, record)
            for node in range(start, end_of(batch, record)):
                above = work.parent[node] - start
                above = work.slots[ROOT].path if above < 0 else path[above]
                path[node - start] = NOWHERE
                symbols[i] = 0
                if above != NOWHERE:
                    entry = find_path(work, above, page.tag[node])
                    if entry.key != 0:
                        path[node - start] = entry.path
                        if self.telling[entry.path]:
                            if page.tag[node] != 0:
                                symbols[i] = style_symbol(page, styles, node)
                            else:
                                symbols[i] = self.label_symbol(text_symbol(page, node))
                i += 1

    cdef int32_t label_symbol(self, int32_t symbol) noexcept nogil:
        """The symbol of a text if it is a label, else 0: bisection, for labels ascend."""
        cdef Py_ssize_t low = 0, high = self.labels.shape[0], middle
        while low < high:
            middle = (low + high) // 2
            if self.labels[middle] < symbol:
                low = middle + 1
            else:
                high = middle
        return symbol if low < self.labels.shape[0] and self.labels[low] == symbol else 0

    cdef Shape *find_shape(self, Aligner *work, Batch *batch, int32_t record) noexcept:
        """The shape of a record, or the free entry where it belongs."""
        cdef uint64_t place = batch.hashes[record] >> (64 - SHAPE_BITS)
        cdef int32_t nodes = length_of(batch, record), start = start_of(batch, record), i
        cdef const int32_t *symbol = work.symbols + batch.first_node[record]
        cdef Shape *shape
        cdef Remembered *known
        while self.shapes[place].nodes != 0:
            shape = &self.shapes[place]
            if shape.hash == batch.hashes[record] and shape.nodes == nodes:
                known = self.remembered + shape.first
                i = 0
                while i < nodes and (known[i].tag == work.tag[start + i] and known[i].size == work.size[start + i]
                                     and known[i].symbol == symbol[i]):
                    i += 1
                if i == nodes:
                    return shape
            place = (place + 1) & ((1 << SHAPE_BITS) - 1)
        return &self.shapes[place]

    cdef void remember(self, Aligner *work, Batch *batch, int32_t record, const int32_t *slots, int64_t cells) noexcept:
        """Keep the slots of a record's nodes."""
        cdef int32_t nodes = length_of(batch, record), start = start_of(batch, record), i
        cdef const int32_t *symbol = work.symbols + batch.first_node[record]
        cdef Shape *shape
        cdef Remembered *known
        if nodes > MAX_REMEMBERED // 4:
            return
        if self.shape_count == MAX_SHAPES or self.remembered_count + nodes > MAX_REMEMBERED:
            memset(self.shapes, 0, sizeof(self.shapes))
            self.shape_count = self.remembered_count = 0
        shape = self.find_shape(work, batch, record)
        if shape.nodes:
            return
        shape.hash = batch.hashes[record]
        shape.nodes = nodes
        shape.first = self.remembered_count
        shape.cells = cells
        known = self.remembered + shape.first
        for i in range(nodes):
            known[i].tag = work.tag[start + i]
            known[i].size = work.size[start + i]
            known[i].symbol = symbol[i]
            known[i].slot = slots[i]
        self.shape_count += 1
        self.remembered_count += nodes

    cdef int32_t place(self, Aligner *work, Batch *batch, int32_t *slots) except -1:
        """Write the slots of all nodes; NOWHERE for those without one. Equal records are placed once.

        What is remembered changes nothing but the time: it takes of the budget what placing took.
        """
        cdef int64_t *cells = <int64_t *>malloc((batch.count + 1) * sizeof(int64_t))    # -1: not remembered
        cdef int64_t before
        cdef int32_t record, i, unknown = 0
        cdef int32_t *own
        cdef bint failed = False
        cdef Shape *shape
        if cells == NULL:
            raise MemoryError
        try:
            with cython.critical_section(self):
                for record in range(batch.count):
                    cells[record] = 0
                    if batch.like[record] != record:
                        continue
                    shape = self.find_shape(work, batch, record)
                    if shape.nodes:
                        cells[record] = shape.cells
                        own = slots + batch.first_node[record]
                        for i in range(shape.nodes):
                            own[i] = self.remembered[shape.first + i].slot
                    else:
                        cells[record] = -1
            with nogil:
                for record in range(batch.count):
                    if batch.like[record] != record:
                        memcpy(slots + batch.first_node[record], slots + batch.first_node[batch.like[record]],
                               length_of(batch, record) * sizeof(int32_t))
                    elif 0 <= cells[record] <= work.budget:
                        work.budget -= cells[record]
                        cells[record] = -1
                    else:
                        if work.path == NULL and open_tables(work, self.slot_count + 1, batch.longest) < 0:
                            failed = True
                            break
                        before = work.budget
                        if fit(work, start_of(batch, record), end_of(batch, record), batch.first_node[record]) < 0:
                            failed = True
                            break
                        own = slots + batch.first_node[record]
                        for i in range(length_of(batch, record)):
                            own[i] = work.placed[i] - 1 if work.placed[i] != NOWHERE else NOWHERE
                        # Of those beyond the budget nothing is to be remembered.
                        cells[record] = before - work.budget if before > work.budget else -1
                        unknown += cells[record] >= 0
            if failed:
                raise MemoryError
            if unknown:
                with cython.critical_section(self):
                    for record in range(batch.count):
                        if batch.like[record] == record and cells[record] >= 0:
                            self.remember(work, batch, record, slots + batch.first_node[record], cells[record])
        finally:
            free(cells)
        return 0

    def read(self, const int32_t[::1] tag, const int32_t[::1] size, const int32_t[::1] parent, const int32_t[::1] attribute_start,
             const int32_t[::1] attribute_name, const int32_t[::1] value_start, const unsigned char[::1] values,
             const int32_t[::1] text_start, const unsigned char[::1] text, const int32_t[:, ::1] spans, int64_t budget):
        """The slots of all nodes of all records, and the table; see `alignment.pyi`."""
        cdef Aligner work = self.tree
        cdef Batch batch
        cdef Source page
        cdef int32_t *symbols = NULL
        cdef int32_t *slots
        cdef bint failed
        open_source(&page, tag, size, attribute_start, attribute_name, value_start, values, text_start, text)
        page.class_name = self.class_name
        page.style_name = self.style_name
        if parent.shape[0] != size.shape[0]:
            raise ValueError("arrays that belong together differ in length")
        open_batch(&batch, size, spans)
        try:
            slots_array = empty(batch.nodes, INT32)
            slots = <int32_t *>data_of(slots_array)
            if batch.count:
                symbols = <int32_t *>malloc((<size_t> batch.nodes + batch.longest) * sizeof(int32_t))
                if symbols == NULL:
                    raise MemoryError
                work.tag = &tag[0]
                work.size = &size[0]
                work.parent = &parent[0]
                work.symbols = symbols
                work.budget = budget
                with nogil:
                    self.find_symbols(&page, &work, &batch, symbols, symbols + batch.nodes)
                    failed = distinct_records(&work, &batch) < 0
                if failed:
                    raise MemoryError
                self.place(&work, &batch, slots)
            rows = read_rows(&page, &self.names, &batch, slots, &self.column_of[0, 0] if self.slot_count else NULL,
                             self.takes, self.slot_count, &self.unit[0] if self.slot_count else NULL,
                             &self.list_of[0] if self.list_of.shape[0] else NULL, <int32_t> self.list_of.shape[0])
        finally:
            free(symbols)
            close_batch(&batch)
            close_tables(&work)
        return slots_array, rows, ALIGNMENT_LIMIT if work.exceeded else 0
