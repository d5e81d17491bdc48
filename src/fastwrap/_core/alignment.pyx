"""Partial tree alignment (PTA, Zhai & Liu 2005): every node of every record is given a slot of one grown tree.
Records are matched into the tree by weighted tree matching; what has no partner in it is inserted."""

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memset

import numpy as np

cdef enum:
    NOWHERE = -1        # no node, path, or partner
    ROOT = 0            # the grown tree's root, whose children the top nodes of the records are
    SAME_TAG = 2        # what a pair of nodes weighs, ...
    SAME_SYMBOL = 1     # ... and what it weighs more if the nodes have the same symbol
    ATTEMPTS = 3        # times that a record is placed: twice where it fits, then by force
    WINDOW = 64         # siblings that are looked at where a table would exceed the budget
    MAX_NODES = 1 << 28  # in all records, so that three times as many slots can be numbered

cdef struct Slot:
    # A node of the grown tree.
    int tag
    int symbol
    int parent
    int first           # its children are a linked list
    int last
    int following       # the next child of its parent
    int path            # its tag path from the root
    int rank            # its number among the slots of that path ...
    int next_of_path    # ... which are linked, the newest first

cdef struct Path:
    int slots           # slots that have it
    int newest          # the first of them in the chain
    int children        # children of all of them

cdef struct Entry:
    uint64_t key        # path of the parent and tag, from 1; 0 in a free entry
    int path

cdef struct Aligner:
    const int* tag
    const int* size
    const int* parent
    const int* symbols  # of the nodes of all records, record by record
    const int* symbol   # node -> its symbol, for the record that is being placed
    int64_t budget      # cells that may still be filled
    Slot* slots
    int slot_count
    Path* paths         # the root's is 0
    int path_count
    Entry* table        # paths by parent and tag: open addressing
    int table_bits
    # of the record that is being placed
    int start
    int end
    int* path           # node -> its path, or NOWHERE if the grown tree has none such
    int64_t* offset     # node -> where its weights begin
    int* placed         # node -> its slot, or NOWHERE
    int* weights        # of each node with each slot of its path, by rank
    int64_t weights_room
    int* cells          # a table of two lists of siblings
    int64_t cells_room
    int* lefts          # siblings of the record
    int* rights         # and of the grown tree
    int* stack          # nodes whose children are still to be placed


cdef int* grown(int* buffer, int64_t* room, int64_t wanted) noexcept nogil:
    """The buffer with room for so many integers, NULL if there is no memory."""
    if buffer != NULL and wanted <= room[0]:
        return buffer
    wanted += wanted // 2 + 64
    buffer = <int*> realloc(buffer, wanted * sizeof(int))
    if buffer != NULL:
        room[0] = wanted
    return buffer


cdef inline uint64_t path_key(int above, int tag) noexcept nogil:
    return (<uint64_t> <unsigned int> above << 32 | <unsigned int> tag) + 1


cdef Entry* find_path(Aligner* work, int above, int tag) noexcept nogil:
    """The entry of a tag below a path, or the free one where it belongs (Fibonacci hashing, Knuth 6.4)."""
    cdef uint64_t key = path_key(above, tag)
    cdef uint64_t mask = (<uint64_t> 1 << work.table_bits) - 1
    cdef uint64_t place = (key * <uint64_t> 0x9E3779B97F4A7C15) >> (64 - work.table_bits)
    while work.table[place].key != key and work.table[place].key != 0:
        place = (place + 1) & mask
    return &work.table[place]


cdef int add_slot(Aligner* work, int node, int parent, int previous) noexcept nogil:
    """Make a slot for a node, after a sibling or, if that is NOWHERE, before all of them."""
    cdef int number = work.slot_count
    cdef Slot* slot = &work.slots[number]
    cdef Slot* above = &work.slots[parent]
    cdef Entry* entry = find_path(work, above.path, work.tag[node])
    cdef Path* path
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


cdef int insert(Aligner* work, int node, int parent, int previous) noexcept nogil:
    """Put a node and all below it into the grown tree. Returns its slot."""
    cdef int slot = add_slot(work, node, parent, previous), below, above
    work.placed[node - work.start] = slot
    for below in range(node + 1, node + work.size[node]):
        above = work.placed[work.parent[below] - work.start]
        work.placed[below - work.start] = add_slot(work, below, above, work.slots[above].last)
    return slot


cdef int64_t find_paths(Aligner* work, int64_t* weights) noexcept nogil:
    """Find the path of each node of the record in the grown tree, and how many weights there are to be.

    Returns the cells that matching takes.
    """
    cdef Entry* entry
    cdef int node, above, i
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


cdef inline int weight_of(Aligner* work, int node, int slot) noexcept nogil:
    """What the best mapping of two trees weighs; 0 if their roots are of different paths."""
    if work.path[node - work.start] != work.slots[slot].path:
        return 0
    return work.weights[work.offset[node - work.start] + work.slots[slot].rank]


cdef int weigh_children(Aligner* work, int node, int slot) noexcept nogil:
    """What the best mapping of the children of a node and of a slot weighs."""
    cdef int* row = work.cells
    cdef int child = node + 1, end = node + work.size[node], other, j, width = 0
    cdef int diagonal, above, best
    if child == end or work.slots[slot].first == NOWHERE:
        return 0
    other = work.slots[slot].first
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


cdef int weigh(Aligner* work, int64_t wanted) noexcept nogil:
    """Fill the weights of all pairs of a node and a slot of the same path, leaves first. -1: no memory."""
    cdef int node, slot, i, own
    cdef int* buffer = grown(work.weights, &work.weights_room, wanted)
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


cdef void pair_by_tag(Aligner* work, int height, int slot) noexcept nogil:
    """Place siblings of the record in the next child of a slot that has their tag, if it is near."""
    cdef int following = work.slots[slot].first, reach, i, steps
    for i in range(height):
        reach = following
        steps = 0
        while reach != NOWHERE and steps < WINDOW and work.slots[reach].tag != work.tag[work.lefts[i]]:
            reach = work.slots[reach].following
            steps += 1
        if reach != NOWHERE and steps < WINDOW:
            work.placed[work.lefts[i] - work.start] = reach
            following = work.slots[reach].following


cdef int pair_by_weight(Aligner* work, int height, int slot) noexcept nogil:
    """Place siblings of the record in the children of a slot by the heaviest mapping. -1: no memory.

    Of equally heavy mappings the one farthest to the left is taken, so that what is missing is missing at the
    end of a list.
    """
    cdef int* row
    cdef int* buffer
    cdef int i, j, best, weight, width = 0, right = work.slots[slot].first
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


cdef int place(Aligner* work, int start, int end, int first_node, bint forced) noexcept nogil:
    """Place the nodes of a record, as far as that can be done in one way only, or all of them if forced.

    `first_node` is the place of its first node among those of all records.

    Returns 1 if all are placed, 0 if not, -1 if there is no memory.
    """
    cdef int node, first, after, slot, i, j, height, previous, following, waiting = 1
    cdef int64_t cells, weights
    cdef int* buffer
    cdef bint complete = True, weighed
    work.start = start
    work.end = end
    work.symbol = work.symbols + first_node - start
    cells = find_paths(work, &weights)
    weighed = cells <= work.budget
    for node in range(start, end):
        work.placed[node - start] = NOWHERE
    # `weigh_children` fills a row as wide as the widest list.
    buffer = grown(work.cells, &work.cells_room, work.slot_count)
    if buffer == NULL:
        return -1
    work.cells = buffer
    if weighed:
        work.budget -= cells
        if weigh(work, weights) < 0:
            return -1
    work.stack[0] = NOWHERE
    while waiting:
        waiting -= 1
        node = work.stack[waiting]
        slot = ROOT if node == NOWHERE else work.placed[node - start]
        first = start if node == NOWHERE else node + 1
        after = end if node == NOWHERE else node + work.size[node]
        height = 0
        while first < after:
            work.lefts[height] = first
            height += 1
            first += work.size[first]
        if not weighed:
            pair_by_tag(work, height, slot)
        elif pair_by_weight(work, height, slot) < 0:
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


cdef void number_slots(Aligner* work, int* numbers) noexcept nogil:
    """Number the slots in document order, the root with -1."""
    cdef int slot = ROOT, number = -1
    while slot != NOWHERE:
        numbers[slot] = number
        number += 1
        if work.slots[slot].first != NOWHERE:
            slot = work.slots[slot].first
            continue
        while slot != NOWHERE and work.slots[slot].following == NOWHERE:
            slot = work.slots[slot].parent
        if slot != NOWHERE:
            slot = work.slots[slot].following


cdef uint64_t record_hash(Aligner* work, int start, int end, int first_node) noexcept nogil:
    cdef const int* symbol = work.symbols + first_node - start
    cdef uint64_t mixed = <uint64_t> (end - start)
    cdef int node
    for node in range(start, end):
        mixed = (mixed ^ <unsigned int> work.tag[node]) * <uint64_t> 0x9E3779B97F4A7C15
        mixed = (mixed ^ mixed >> 29 ^ <unsigned int> symbol[node]) * <uint64_t> 0xBF58476D1CE4E5B9
        mixed ^= mixed >> 32 ^ <uint64_t> <unsigned int> work.size[node] << 17
    return mixed


cdef int distinct_records(Aligner* work, const int[::1] start, const int[::1] end, const int[::1] first_node,
                          int[::1] like) except -1:
    """Write for each record the first one that is equal to it in tags, shape and symbols."""
    cdef Py_ssize_t records = start.shape[0], record
    cdef int bits = 4, other
    cdef size_t length
    cdef uint64_t mask, place
    while 1 << bits < 2 * records:
        bits += 1
    cdef int* table = <int*> malloc((<size_t> 1 << bits) * sizeof(int))
    if table == NULL:
        raise MemoryError
    with nogil:
        mask = (<uint64_t> 1 << bits) - 1
        for place in range(mask + 1):
            table[place] = NOWHERE
        for record in range(records):
            length = (end[record] - start[record]) * sizeof(int)
            place = record_hash(work, start[record], end[record], first_node[record]) >> (64 - bits)
            while table[place] != NOWHERE:
                other = table[place]
                if (end[other] - start[other] == end[record] - start[record]
                        and memcmp(work.tag + start[other], work.tag + start[record], length) == 0
                        and memcmp(work.size + start[other], work.size + start[record], length) == 0
                        and memcmp(work.symbols + first_node[other], work.symbols + first_node[record], length) == 0):
                    break
                place = (place + 1) & mask
            if table[place] == NOWHERE:
                table[place] = <int> record
            like[record] = table[place]
        free(table)
    return 0


cdef int seed_of(Aligner* work, const int[::1] start, const int[::1] end) noexcept nogil:
    """The record with most texts, among these the longest, among these the first (PTA)."""
    cdef Py_ssize_t record
    cdef int node, texts, most = -1, seed = 0
    for record in range(start.shape[0]):
        texts = 0
        for node in range(start[record], end[record]):
            texts += work.tag[node] == 0
        if texts > most or (texts == most and end[record] - start[record] > end[seed] - start[seed]):
            most = texts
            seed = <int> record
    return seed


cdef int place_all(Aligner* work, const int[::1] start, const int[::1] end, const int[::1] first_node,
                   int[::1] order, int waiting, int[::1] slots) noexcept nogil:
    """Place the records in the given order; those that cannot be completed again; then by force.

    Writes the slots of their nodes. -1: no memory.
    """
    cdef int attempt, number, record, done, left, i
    for attempt in range(ATTEMPTS):
        left = 0
        for number in range(waiting):
            record = order[number]
            done = place(work, start[record], end[record], first_node[record], attempt == ATTEMPTS - 1)
            if done < 0:
                return -1
            if done:
                for i in range(end[record] - start[record]):
                    slots[first_node[record] + i] = work.placed[i]
            else:
                order[left] = record
                left += 1
        waiting = left
    return 0


cdef int check_spans(const int[::1] size, const int[::1] start, const int[::1] end, int[::1] first_node) except -1:
    """Refuse what are no runs of whole subtrees. Writes where the nodes of each begin, if all are laid end to end.

    Returns how many nodes they have.
    """
    cdef Py_ssize_t nodes = size.shape[0], records = start.shape[0], record
    cdef int node
    cdef int64_t total = 0
    if end.shape[0] != records:
        raise ValueError("start and end differ in length")
    for record in range(records):
        if not 0 <= start[record] < end[record] <= nodes:
            raise ValueError(f"record {record} is not a span of the {nodes} nodes")
        node = start[record]
        while node < end[record]:
            node += size[node]
        if node != end[record]:
            raise ValueError(f"record {record} is not a run of whole subtrees")
        first_node[record] = <int> total
        total += end[record] - start[record]
        if total > MAX_NODES:
            raise ValueError(f"the records have more than {MAX_NODES} nodes")
    return <int> total


cdef int open_tree(Aligner* work, int capacity, int paths, int longest) except -1:
    """Take the memory for a grown tree of so many slots and paths, and records of so many nodes; make its root."""
    work.table_bits = 4
    while 1 << work.table_bits < 2 * paths:
        work.table_bits += 1
    work.slots = <Slot*> malloc(capacity * sizeof(Slot))
    work.paths = <Path*> malloc(paths * sizeof(Path))
    work.table = <Entry*> calloc(<size_t> 1 << work.table_bits, sizeof(Entry))
    work.offset = <int64_t*> malloc(longest * sizeof(int64_t))
    # Four arrays by node of a record, and one by slot.
    work.path = <int*> malloc((4 * <int64_t> longest + capacity) * sizeof(int))
    if (work.slots == NULL or work.paths == NULL or work.table == NULL or work.offset == NULL
            or work.path == NULL):
        raise MemoryError
    work.placed = work.path + longest
    work.lefts = work.placed + longest
    work.stack = work.lefts + longest
    work.rights = work.stack + longest
    work.slot_count = work.path_count = 1
    work.slots[ROOT].parent = work.slots[ROOT].first = work.slots[ROOT].last = NOWHERE
    work.slots[ROOT].following = NOWHERE
    work.slots[ROOT].path = 0
    work.paths[0].children = 0
    return 0


cdef void close_tree(Aligner* work) noexcept nogil:
    free(work.slots)
    free(work.paths)
    free(work.table)
    free(work.offset)
    free(work.path)
    free(work.weights)
    free(work.cells)


def align(const int[::1] tag, const int[::1] size, const int[::1] parent, const int[::1] start, const int[::1] end,
          const int[::1] symbols, int64_t budget):
    """The slots of all nodes of all records; see `alignment.pyi`."""
    cdef Py_ssize_t records = start.shape[0], record
    cdef int seed, number, i, different = 0, kept = 0, longest = 1, total
    cdef bint failed
    cdef Aligner work
    cdef int[::1] first_node = np.empty(records, dtype=np.int32)
    cdef int[::1] like = np.empty(records, dtype=np.int32)      # the first record equal to each
    cdef int[::1] order = np.empty(records, dtype=np.int32)     # the different ones, the seed first
    total = check_spans(size, start, end, first_node)
    if tag.shape[0] != size.shape[0] or parent.shape[0] != size.shape[0] or symbols.shape[0] != total:
        raise ValueError("arrays that belong together differ in length")
    slots_array = np.empty(total, dtype=np.int32)
    if records == 0:
        return slots_array
    cdef int[::1] slots = slots_array
    memset(&work, 0, sizeof(Aligner))
    work.tag = &tag[0]
    work.size = &size[0]
    work.parent = &parent[0]
    work.symbols = &symbols[0]
    work.budget = budget
    distinct_records(&work, start, end, first_node, like)
    seed = like[seed_of(&work, start, end)]
    for record in range(records):
        if like[record] == record:
            order[different] = <int> record
            different += 1
            kept += end[record] - start[record]
            longest = max(longest, end[record] - start[record])
    for number in range(different - 1, 0, -1):
        if order[number] == seed:
            order[number] = order[number - 1]
            order[number - 1] = seed
    try:
        # A record that is placed again may leave slots behind that only its first attempt used.
        open_tree(&work, ATTEMPTS * kept + 1, kept + 1, longest)
        with nogil:
            failed = place_all(&work, start, end, first_node, order, different, slots) < 0
            if not failed:
                number_slots(&work, work.rights)
                for record in range(records - 1, -1, -1):
                    # Those that others are equal to come last, for their slots are overwritten by numbers.
                    for i in range(end[record] - start[record]):
                        slots[first_node[record] + i] = work.rights[slots[first_node[like[record]] + i]]
    finally:
        close_tree(&work)
    if failed:
        raise MemoryError
    return slots_array


# Texts and values


cdef inline uint64_t hashed(const unsigned char* text, int start, int end) noexcept nogil:
    """FNV-1a, 64 bits (Fowler, Noll & Vo); never 0."""
    cdef uint64_t mixed = <uint64_t> 0xCBF29CE484222325
    cdef int at
    for at in range(start, end):
        mixed = (mixed ^ text[at]) * <uint64_t> 0x100000001B3
    return mixed | 1


cdef struct Label:
    uint64_t hash       # of the text; 0 in a free entry
    int number          # in order of first appearance, from 1
    int record          # the last record that has it
    int records         # how many have it


def node_symbols(const int[::1] tag, const int[::1] size, const int[::1] style, const int[::1] text_start,
                 const unsigned char[::1] text, const int[::1] start, const int[::1] end, int enough):
    """The symbols of all nodes of all records; see `alignment.pyi`."""
    cdef Py_ssize_t nodes = size.shape[0], records = start.shape[0], record
    cdef int[::1] first_node = np.empty(records, dtype=np.int32)
    cdef int total = check_spans(size, start, end, first_node), bits = 4, node, i, different = 0
    cdef uint64_t mask, place, found
    cdef const unsigned char* letters = &text[0] if text.shape[0] else NULL
    cdef Label* labels
    cdef Label* label
    if tag.shape[0] != nodes or style.shape[0] != nodes or text_start.shape[0] != nodes + 1:
        raise ValueError("arrays that belong together differ in length")
    if nodes and (text_start[0] < 0 or text_start[nodes] > text.shape[0]):
        raise ValueError("the texts are not within the text")
    symbols_array = np.empty(total, dtype=np.int32)
    cdef int[::1] symbols = symbols_array
    while <int64_t> 1 << bits < 2 * <int64_t> total:
        bits += 1
    labels = <Label*> calloc(<size_t> 1 << bits, sizeof(Label))
    if labels == NULL:
        raise MemoryError
    with nogil:
        mask = (<uint64_t> 1 << bits) - 1
        i = 0
        for record in range(records):
            for node in range(start[record], end[record]):
                symbols[i] = style[node]
                if tag[node] == 0:
                    found = hashed(letters, text_start[node], text_start[node + 1])
                    place = (found * <uint64_t> 0x9E3779B97F4A7C15) >> (64 - bits)
                    while labels[place].hash != 0 and labels[place].hash != found:
                        place = (place + 1) & mask
                    label = &labels[place]
                    if label.hash == 0:
                        different += 1
                        label.number = different
                    if label.hash == 0 or label.record != record:
                        label.hash = found
                        label.record = <int> record
                        label.records += 1
                    symbols[i] = <int> place
                i += 1
        i = 0
        for record in range(records):
            for node in range(start[record], end[record]):
                if tag[node] == 0:
                    label = &labels[symbols[i]]
                    symbols[i] = label.number if label.records >= enough else 0
                i += 1
        free(labels)
    return symbols_array


cdef struct Item:
    int64_t key         # slot and kind
    int record
    int node
    uint64_t hash       # of what it says


cdef struct Column:
    int64_t items       # how many there are; then the number of the column, or NOWHERE
    uint64_t majority   # what more than half of the items say, if anything (Boyer & Moore 1981)
    int votes
    int equal           # items that say it


cdef Py_ssize_t collect_items(const int[::1] tag, const int[::1] attribute_start, const int[::1] attribute_name,
                              const int[::1] value_start, const unsigned char* values, const int[::1] text_start,
                              const unsigned char* text, const int[::1] wanted, const int[::1] start,
                              const int[::1] end, const int[::1] slots, Item* items) noexcept nogil:
    """Write the items of all records: texts, and the wanted attributes unless they are empty. Returns how many."""
    cdef Py_ssize_t found = 0, record
    cdef int64_t kinds = wanted.shape[0] + 1
    cdef int node, entry, kind, i = 0
    for record in range(start.shape[0]):
        for node in range(start[record], end[record]):
            if tag[node] == 0:
                items[found].key = slots[i] * kinds + kinds - 1
                items[found].record = <int> record
                items[found].node = node
                items[found].hash = hashed(text, text_start[node], text_start[node + 1])
                found += 1
            for entry in range(attribute_start[node], attribute_start[node + 1]):
                if value_start[entry] == value_start[entry + 1]:
                    continue
                for kind in range(kinds - 1):
                    if attribute_name[entry] == wanted[kind]:
                        items[found].key = slots[i] * kinds + kind
                        items[found].record = <int> record
                        items[found].node = node
                        items[found].hash = hashed(values, value_start[entry], value_start[entry + 1])
                        found += 1
            i += 1
    return found


cdef void vote(Column* columns, Item* items, Py_ssize_t count) noexcept nogil:
    """Find what most items of each column say, and how many say it."""
    cdef Column* column
    cdef Py_ssize_t i
    for i in range(count):
        column = &columns[items[i].key]
        if column.votes == 0:
            column.majority = items[i].hash
        column.votes += 1 if column.majority == items[i].hash else -1
    for i in range(count):
        column = &columns[items[i].key]
        column.equal += column.majority == items[i].hash


def tabulate(const int[::1] tag, const int[::1] size, const int[::1] attribute_start, const int[::1] attribute_name,
             const int[::1] value_start, const unsigned char[::1] values, const int[::1] text_start,
             const unsigned char[::1] text, const int[::1] wanted, const int[::1] start, const int[::1] end,
             const int[::1] slots, int64_t cells):
    """The items of all records in columns; see `alignment.pyi`."""
    cdef Py_ssize_t nodes = size.shape[0], records = start.shape[0], record, count, i
    cdef int[::1] first_node = np.empty(records, dtype=np.int32)
    cdef int total = check_spans(size, start, end, first_node), slot_count = 0
    cdef int64_t room = total, kinds = wanted.shape[0] + 1, key, width = 0, fewest = 1, frequency
    cdef const unsigned char* letters = &text[0] if text.shape[0] else NULL
    cdef const unsigned char* value_letters = &values[0] if values.shape[0] else NULL
    cdef Item* items = NULL
    cdef Column* columns = NULL
    cdef int64_t[::1] keys
    cdef int[::1] equal
    cdef int[:, ::1] table
    if (tag.shape[0] != nodes or attribute_start.shape[0] != nodes + 1 or text_start.shape[0] != nodes + 1
            or value_start.shape[0] != attribute_name.shape[0] + 1 or slots.shape[0] != total):
        raise ValueError("arrays that belong together differ in length")
    if nodes and (text_start[nodes] > text.shape[0] or attribute_start[nodes] > attribute_name.shape[0]
                  or value_start[attribute_name.shape[0]] > values.shape[0]):
        raise ValueError("the texts are not within the text, or the values not within theirs")
    for i in range(total):
        if slots[i] < 0:
            raise ValueError("a slot is negative")
        slot_count = max(slot_count, slots[i] + 1)
    for record in range(records):
        room += attribute_start[end[record]] - attribute_start[start[record]]
    try:
        items = <Item*> malloc((room + 1) * sizeof(Item))
        columns = <Column*> calloc(slot_count * kinds + 1, sizeof(Column))
        if items == NULL or columns == NULL:
            raise MemoryError
        with nogil:
            count = collect_items(
                tag, attribute_start, attribute_name, value_start, value_letters, text_start, letters, wanted,
                start, end, slots, items
            )
            for i in range(count):
                columns[items[i].key].items += 1
            for key in range(slot_count * kinds):
                width += columns[key].items > 0
            vote(columns, items, count)
        if width * records > cells:
            frequencies = np.sort([columns[key].items for key in range(slot_count * kinds)])
            fewest = frequencies[-1 - cells // records] + 1
        keys_array = np.empty(width, dtype=np.int64)
        equal_array = np.empty(width, dtype=np.int32)
        keys = keys_array
        equal = equal_array
        width = 0
        for key in range(slot_count * kinds):
            frequency = columns[key].items
            columns[key].items = NOWHERE
            if frequency >= fewest:
                columns[key].items = width
                keys[width] = key
                equal[width] = columns[key].equal if 2 * columns[key].equal > frequency else 0
                width += 1
        nodes_array = np.full((records, width), NOWHERE, dtype=np.int32)
        table = nodes_array
        for i in range(count):
            if columns[items[i].key].items != NOWHERE:
                table[items[i].record, columns[items[i].key].items] = items[i].node
    finally:
        free(items)
        free(columns)
    return nodes_array, keys_array[:width], equal_array[:width]
