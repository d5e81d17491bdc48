"""Partial tree alignment (PTA, Zhai & Liu 2005): every node of every record is given a slot of one grown tree.
Records are matched into the tree by weighted tree matching; what has no partner in it is inserted."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

from fastwrap._core.common.names cimport TEXT
from fastwrap._core.common.page cimport PageArrays, Spans, open_spans

cdef enum:
    SAME_TAG = 2        # what a pair of nodes weighs, ...
    SAME_SYMBOL = 1     # ... and what it weighs more if the nodes have the same symbol
    ATTEMPTS = 3        # times that a record is placed: twice where it fits, then by force
    WINDOW = 64         # siblings that are looked at where a table would exceed the budget
    MAX_NODES = 1 << 28     # in all records, so that three times as many slots can be numbered


cdef int32_t reserve(int32_t **buffer, int64_t *room, int64_t wanted) noexcept nogil:
    """Make room for so many integers in a buffer. -1: no memory."""
    cdef int32_t *larger
    if buffer[0] == NULL or wanted > room[0]:
        wanted += wanted // 2 + 64
        larger = <int32_t *>realloc(buffer[0], wanted * sizeof(int32_t))
        if larger == NULL:
            return -1
        buffer[0] = larger
        room[0] = wanted
    return 0


cdef int32_t add_slot(Aligner *aligner, int32_t node, int32_t parent, int32_t previous) noexcept nogil:
    """Make a slot for a node, after a sibling or, if that is NOWHERE, before all of them."""
    cdef int32_t number = aligner.slot_count
    cdef TreeSlot *slot = &aligner.slots[number]
    cdef TreeSlot *above = &aligner.slots[parent]
    cdef PathEntry *entry = find_path(aligner, above.path, aligner.tag[node])
    cdef TagPath *path
    aligner.slot_count += 1
    if entry.key == 0:
        entry.key = path_key(above.path, aligner.tag[node])
        entry.path = aligner.path_count
        aligner.path_count += 1
        aligner.paths[entry.path].slots = aligner.paths[entry.path].children = 0
        aligner.paths[entry.path].newest = NOWHERE
    path = &aligner.paths[entry.path]
    slot.tag = aligner.tag[node]
    slot.symbol = aligner.symbol[node]
    slot.parent = parent
    slot.first = slot.last = NOWHERE
    slot.path = entry.path
    slot.rank = path.slots
    slot.next_of_path = path.newest
    path.newest = number
    path.slots += 1
    aligner.paths[above.path].children += 1
    if previous == NOWHERE:
        slot.following = above.first
        above.first = number
    else:
        slot.following = aligner.slots[previous].following
        aligner.slots[previous].following = number
    if slot.following == NOWHERE:
        above.last = number
    return number


cdef int32_t insert(Aligner *aligner, int32_t node, int32_t parent, int32_t previous) noexcept nogil:
    """Put a node and all below it into the grown tree. Returns its slot."""
    cdef int32_t slot = add_slot(aligner, node, parent, previous), below, above
    aligner.placed[node - aligner.start] = slot
    for below in range(node + 1, node + aligner.size[node]):
        above = aligner.placed[aligner.parent[below] - aligner.start]
        aligner.placed[below - aligner.start] = add_slot(aligner, below, above, aligner.slots[above].last)
    return slot


cdef int64_t find_paths(Aligner *aligner, int64_t *weights) noexcept nogil:
    """Find the path of each node of the record in the grown tree, and how many weights there are to be.

    Returns the cells that matching takes.
    """
    cdef PathEntry *entry
    cdef int32_t node, above, i
    cdef int64_t cells = 0
    weights[0] = 0
    for node in range(aligner.start, aligner.end):
        i = node - aligner.start
        above = aligner.parent[node] - aligner.start
        above = aligner.slots[ROOT].path if above < 0 else aligner.path[above]
        aligner.path[i] = NOWHERE
        aligner.offset[i] = weights[0]
        if above == NOWHERE:
            continue
        # Each child of a node is compared with each child of every slot of the node's path.
        cells += aligner.paths[above].children
        entry = find_path(aligner, above, aligner.tag[node])
        if entry.key != 0:
            aligner.path[i] = entry.path
            weights[0] += aligner.paths[entry.path].slots
    return cells + weights[0]


cdef inline int32_t weight_of(Aligner *aligner, int32_t node, int32_t slot) noexcept nogil:
    """What the best mapping of two trees weighs; 0 if their roots are of different paths."""
    if aligner.path[node - aligner.start] != aligner.slots[slot].path:
        return 0
    return aligner.weights[aligner.offset[node - aligner.start] + aligner.slots[slot].rank]


cdef int32_t list_children(Aligner *aligner, int32_t slot) noexcept nogil:
    """Write the children of a slot to `rights`. Returns how many they are."""
    cdef int32_t width = 0, child = aligner.slots[slot].first
    while child != NOWHERE:
        aligner.rights[width] = child
        width += 1
        child = aligner.slots[child].following
    return width


cdef int32_t weigh_children(Aligner *aligner, int32_t node, int32_t slot) noexcept nogil:
    """What the best mapping of the children of a node, which has some, and of a slot weighs."""
    cdef int32_t *row = aligner.cells
    cdef const TreeSlot *slots = aligner.slots
    cdef const int32_t *weights
    cdef int32_t child = node + 1, end = node + aligner.size[node], other = slots[slot].first
    cdef int32_t j, width, path, diagonal, above, best
    if other == NOWHERE:
        return 0
    if child + aligner.size[child] == end:
        # Most elements have one child.
        path = aligner.path[child - aligner.start]
        weights = aligner.weights + aligner.offset[child - aligner.start]
        best = 0
        while other != NOWHERE:
            if slots[other].path == path:
                best = max(best, weights[slots[other].rank])
            other = slots[other].following
        return best
    width = list_children(aligner, slot)
    for j in range(width):
        row[j] = 0
    while child < end:
        path = aligner.path[child - aligner.start]
        if path != NOWHERE:     # else nothing of the row changes
            weights = aligner.weights + aligner.offset[child - aligner.start]
            diagonal = best = 0
            for j in range(width):
                # max(M[i, j - 1], M[i - 1, j], M[i - 1, j - 1] + weight); without weight the last is no more than
                # the second.
                above = row[j]
                if slots[aligner.rights[j]].path == path:
                    best = max(best, diagonal + weights[slots[aligner.rights[j]].rank])
                best = max(best, above)
                row[j] = best
                diagonal = above
        child += aligner.size[child]
    return row[width - 1]


cdef int32_t weigh(Aligner *aligner, int64_t wanted) noexcept nogil:
    """Fill the weights of all pairs of a node and a slot of the same path, leaves first. -1: no memory."""
    cdef int32_t node, slot, i, symbol
    cdef int32_t *weights
    cdef const TreeSlot *slots = aligner.slots
    if reserve(&aligner.weights, &aligner.weights_room, wanted) < 0:
        return -1
    for node in range(aligner.end - 1, aligner.start - 1, -1):
        i = node - aligner.start
        if aligner.path[i] == NOWHERE:
            continue
        weights = aligner.weights + aligner.offset[i]
        symbol = aligner.symbol[node]
        slot = aligner.paths[aligner.path[i]].newest
        while slot != NOWHERE:
            weights[slots[slot].rank] = (
                SAME_TAG + (SAME_SYMBOL if symbol != 0 and symbol == slots[slot].symbol else 0)
                + (weigh_children(aligner, node, slot) if aligner.size[node] > 1 else 0))
            slot = slots[slot].next_of_path
    return 0


cdef void pair_by_tag(Aligner *aligner, int32_t height, int32_t slot) noexcept nogil:
    """Place siblings of the record in the next child of a slot that has their tag, if it is near."""
    cdef int32_t following = aligner.slots[slot].first, reach, i, steps
    for i in range(height):
        reach = following
        steps = 0
        while reach != NOWHERE and steps < WINDOW and aligner.slots[reach].tag != aligner.tag[aligner.lefts[i]]:
            reach = aligner.slots[reach].following
            steps += 1
        if reach != NOWHERE and steps < WINDOW:
            aligner.placed[aligner.lefts[i] - aligner.start] = reach
            following = aligner.slots[reach].following


cdef int32_t pair_by_weight(Aligner *aligner, int32_t height, int32_t slot) noexcept nogil:
    """Place siblings of the record in the children of a slot by the heaviest mapping. -1: no memory.

    Of equally heavy mappings the one farthest to the left is taken, so that what is missing is missing at the
    end of a list.
    """
    cdef const TreeSlot *slots = aligner.slots
    cdef const int32_t *weights
    cdef const int32_t *above
    cdef int32_t *row
    cdef int32_t i, j, best = 0, weight, width, path, right = slots[slot].first
    if height == 1:
        while right != NOWHERE:
            weight = weight_of(aligner, aligner.lefts[0], right)
            if weight > best:
                best = weight
                aligner.placed[aligner.lefts[0] - aligner.start] = right
            right = slots[right].following
        return 0
    width = list_children(aligner, slot)
    if reserve(&aligner.cells, &aligner.cells_room, (<int64_t>height + 1) * (width + 1)) < 0:
        return -1
    row = aligner.cells
    memset(row, 0, (<size_t>width + 1) * sizeof(int32_t))
    for i in range(height):
        above = row
        row += width + 1
        path = aligner.path[aligner.lefts[i] - aligner.start]
        if path == NOWHERE:
            memcpy(row, above, (<size_t>width + 1) * sizeof(int32_t))
            continue
        weights = aligner.weights + aligner.offset[aligner.lefts[i] - aligner.start]
        row[0] = best = 0
        for j in range(width):
            if slots[aligner.rights[j]].path == path:
                best = max(best, above[j] + weights[slots[aligner.rights[j]].rank])
            best = max(best, above[j + 1])
            row[j + 1] = best
    i = height
    j = width
    while i > 0 and j > 0:
        row = aligner.cells + <int64_t>i * (width + 1)
        if row[j] == row[j - 1]:
            j -= 1
        elif row[j] == row[j - width - 1]:
            i -= 1
        else:
            i -= 1
            j -= 1
            aligner.placed[aligner.lefts[i] - aligner.start] = aligner.rights[j]
    return 0


cdef int32_t prepare(Aligner *aligner, const Records *records, int32_t record) noexcept nogil:
    """Make a record the one to be placed, and weigh its pairs. 1: they are weighed, 0: too many, -1: no memory."""
    cdef int64_t cells, weights
    aligner.start = start_of(records, record)
    aligner.end = end_of(records, record)
    aligner.symbol = aligner.symbols + records.first_node[record] - aligner.start
    cells = find_paths(aligner, &weights)
    memset(aligner.placed, 0xFF, length_of(records, record) * sizeof(int32_t))  # NOWHERE
    # `weigh_children` fills a row as wide as the widest list.
    if reserve(&aligner.cells, &aligner.cells_room, aligner.slot_count) < 0:
        return -1
    if cells > aligner.budget:
        aligner.exceeded = True
        return 0
    aligner.budget -= cells
    return -1 if weigh(aligner, weights) < 0 else 1


cdef int32_t pair_children(Aligner *aligner, int32_t node, int32_t slot, bint weighed) noexcept nogil:
    """Place the children of a node, or the top nodes of the record if it is NOWHERE, in those of a slot.

    Leaves them in `lefts`. Returns how many they are; -1: no memory.
    """
    cdef int32_t child = aligner.start if node == NOWHERE else node + 1
    cdef int32_t after = aligner.end if node == NOWHERE else node + aligner.size[node]
    cdef int32_t height = 0
    while child < after:
        aligner.lefts[height] = child
        height += 1
        child += aligner.size[child]
    if not weighed:
        pair_by_tag(aligner, height, slot)
    elif pair_by_weight(aligner, height, slot) < 0:
        return -1
    return height


cdef int32_t repeat_of(Aligner *aligner, int32_t node, int32_t slot) noexcept nogil:
    """The child of a slot that a node without a partner goes to, because a list goes on: NOWHERE if there is none."""
    cdef int32_t child = aligner.first_repeat[slot], steps = 0
    while child != NOWHERE and steps < WINDOW:
        if (aligner.repeats[child] != NOWHERE and aligner.slots[child].tag == aligner.tag[node]
                and (aligner.tag[node] == TEXT or aligner.slots[child].symbol == aligner.symbol[node])):
            return aligner.repeats[child]
        child = aligner.slots[child].following
        steps += 1
    return NOWHERE


cdef int32_t place(Aligner *aligner, const Records *records, int32_t record, bint forced) noexcept nogil:
    """Place the nodes of a record, as far as that can be done in one way only, or all of them if forced.

    In a tree that grows no more, what has no partner and continues no list stays out. Returns 1 if all are placed, 0 if
    not, -1 if there is no memory.
    """
    cdef int32_t node, first, slot, i, j, height, previous, following, waiting = 1
    cdef int32_t weighed = prepare(aligner, records, record), start = aligner.start
    cdef bint complete = True
    if weighed < 0:
        return -1
    aligner.stack[0] = NOWHERE
    while waiting:
        waiting -= 1
        node = aligner.stack[waiting]
        slot = ROOT if node == NOWHERE else aligner.placed[node - start]
        height = pair_children(aligner, node, slot, weighed)
        if height < 0:
            return -1
        previous = NOWHERE
        i = 0
        while i < height:
            node = aligner.lefts[i]
            if aligner.repeats != NULL and aligner.placed[node - start] == NOWHERE:
                aligner.placed[node - start] = repeat_of(aligner, node, slot)
            if aligner.placed[node - start] != NOWHERE:
                previous = aligner.placed[node - start]
                if aligner.size[node] > 1:
                    aligner.stack[waiting] = node
                    waiting += 1
                i += 1
                continue
            if aligner.repeats != NULL:
                complete = False
                i += 1
                continue
            # A run without partners. Its place is known if the partners on both sides of it are neighbours.
            j = i
            while j < height and aligner.placed[aligner.lefts[j] - start] == NOWHERE:
                j += 1
            following = NOWHERE if j == height else aligner.placed[aligner.lefts[j] - start]
            first = aligner.slots[slot].first if previous == NOWHERE else aligner.slots[previous].following
            if first == following or forced:
                while i < j:
                    previous = insert(aligner, aligner.lefts[i], slot, previous)
                    i += 1
            else:
                complete = False
                i = j
    return complete


cdef uint64_t record_hash(Aligner *aligner, const Records *records, int32_t record) noexcept nogil:
    cdef int32_t start = start_of(records, record), node
    cdef const int32_t *symbol = aligner.symbols + records.first_node[record] - start
    cdef uint64_t mixed = <uint64_t>length_of(records, record)
    for node in range(start, end_of(records, record)):
        mixed = (mixed ^ <uint32_t>aligner.tag[node]) * <uint64_t>0x9E3779B97F4A7C15
        mixed = (mixed ^ mixed >> 29 ^ <uint32_t>symbol[node]) * <uint64_t>0xBF58476D1CE4E5B9
        mixed ^= mixed >> 32 ^ <uint64_t><uint32_t>aligner.size[node] << 17
    return mixed


cdef bint are_equal(const Aligner *aligner, const Records *records, int32_t one, int32_t other) noexcept nogil:
    """Whether two records are equal in tags, shape and symbols."""
    cdef int32_t start = start_of(records, one), other_start = start_of(records, other)
    cdef size_t length = length_of(records, one) * sizeof(int32_t)
    return (length_of(records, one) == length_of(records, other)
            and memcmp(aligner.tag + start, aligner.tag + other_start, length) == 0
            and memcmp(aligner.size + start, aligner.size + other_start, length) == 0
            and memcmp(aligner.symbols + records.first_node[one], aligner.symbols + records.first_node[other],
                       length) == 0)


cdef int32_t distinct_records(Aligner *aligner, Records *records) noexcept nogil:
    """Find for each record the first one that is equal to it in tags, shape and symbols. -1: no memory."""
    cdef int32_t bits = 4, other, record
    cdef uint64_t mask, place
    while <int64_t>1 << bits < 2 * <int64_t>records.count:
        bits += 1
    cdef int32_t *table = <int32_t *>malloc((<size_t>1 << bits) * sizeof(int32_t))
    if table == NULL:
        return -1
    mask = (<uint64_t>1 << bits) - 1
    memset(table, 0xFF, (mask + 1) * sizeof(int32_t))   # NOWHERE
    for record in range(records.count):
        records.hashes[record] = record_hash(aligner, records, record)
        place = records.hashes[record] >> (64 - bits)
        while table[place] != NOWHERE:
            other = table[place]
            if records.hashes[other] == records.hashes[record] and are_equal(aligner, records, other, record):
                break
            place = (place + 1) & mask
        if table[place] == NOWHERE:
            table[place] = record
        records.like[record] = table[place]
    free(table)
    return 0


cdef int32_t seed_of(Aligner *aligner, Records *records) noexcept nogil:
    """The record with most texts, among these the longest, among these the first (PTA)."""
    cdef int32_t record, node, texts, most = -1, seed = 0
    for record in range(records.count):
        texts = 0
        for node in range(start_of(records, record), end_of(records, record)):
            texts += aligner.tag[node] == TEXT
        if texts > most or (texts == most and length_of(records, record) > length_of(records, seed)):
            most = texts
            seed = record
    return seed


cdef int32_t place_all(Aligner *aligner, const Records *records, int32_t *order, int32_t waiting,
                       int32_t *slots) noexcept nogil:
    """Place the records in the given order; those that cannot be completed again; then by force.

    Writes the slots of their nodes. -1: no memory.
    """
    cdef int32_t attempt, number, record, done, left
    for attempt in range(ATTEMPTS):
        left = 0
        for number in range(waiting):
            record = order[number]
            done = place(aligner, records, record, attempt == ATTEMPTS - 1)
            if done < 0:
                return -1
            if done:
                memcpy(slots + records.first_node[record], aligner.placed, length_of(records, record) * sizeof(int32_t))
            else:
                order[left] = record
                left += 1
        waiting = left
    return 0


cdef int32_t fill_records(Records *records, const int32_t *spans, int32_t count) noexcept nogil:
    """Take the records of a call. -1: no memory. They have at most MAX_NODES nodes."""
    cdef int32_t record
    records.count = count
    records.spans = spans
    records.nodes = records.longest = 0
    records.hashes = <uint64_t *>malloc((<size_t>count + 1) * (sizeof(uint64_t) + 2 * sizeof(int32_t)))
    if records.hashes == NULL:
        return -1
    records.first_node = <int32_t *>(records.hashes + count + 1)
    records.like = records.first_node + count + 1
    for record in range(count):
        records.first_node[record] = records.nodes
        records.longest = max(records.longest, length_of(records, record))
        records.nodes += length_of(records, record)
    return 0


cdef int open_records(Records *records, spans, const PageArrays *page) except -1:
    """Take the records of a call; ValueError for those that are no runs of whole subtrees."""
    cdef Spans runs
    cdef int32_t record, node
    cdef int64_t total = 0
    open_spans(&runs, spans, page)
    for record in range(runs.count):
        node = runs.bounds[2 * record]
        total += runs.bounds[2 * record + 1] - node
        while node < runs.bounds[2 * record + 1]:
            node += page.size[node]
        if node != runs.bounds[2 * record + 1]:
            raise ValueError(f"span {record} is not a run of whole subtrees")
    if total > MAX_NODES:
        raise ValueError(f"the records have more than {MAX_NODES} nodes")
    if fill_records(records, runs.bounds, runs.count) < 0:
        raise MemoryError("no memory for the records")
    return 0


cdef void close_records(Records *records) noexcept nogil:
    free(records.hashes)


cdef int32_t open_tree(Aligner *aligner, int32_t capacity, int32_t paths) noexcept nogil:
    """Take the memory for a grown tree of so many slots and paths; make its root. -1: no memory."""
    aligner.table_bits = 4
    while 1 << aligner.table_bits < 2 * paths:
        aligner.table_bits += 1
    aligner.slots = <TreeSlot *>malloc(capacity * sizeof(TreeSlot))
    aligner.paths = <TagPath *>malloc(paths * sizeof(TagPath))
    aligner.table = <PathEntry *>calloc(<size_t>1 << aligner.table_bits, sizeof(PathEntry))
    if aligner.slots == NULL or aligner.paths == NULL or aligner.table == NULL:
        return -1
    aligner.slot_count = aligner.path_count = 1
    aligner.slots[ROOT].parent = aligner.slots[ROOT].first = aligner.slots[ROOT].last = NOWHERE
    aligner.slots[ROOT].following = NOWHERE
    aligner.slots[ROOT].path = 0
    aligner.paths[0].children = 0
    return 0


cdef void close_tree(Aligner *aligner) noexcept nogil:
    free(aligner.slots)
    free(aligner.paths)
    free(aligner.table)


cdef int32_t open_tables(Aligner *aligner, int32_t capacity, int32_t longest) noexcept nogil:
    """Take the memory for placing records of so many nodes in a tree of so many slots. -1: no memory."""
    aligner.offset = <int64_t *>malloc(longest * sizeof(int64_t))
    # Four arrays by node of a record, and one by slot.
    aligner.path = <int32_t *>malloc((4 * <int64_t>longest + capacity) * sizeof(int32_t))
    if aligner.offset == NULL or aligner.path == NULL:
        return -1
    aligner.placed = aligner.path + longest
    aligner.lefts = aligner.placed + longest
    aligner.stack = aligner.lefts + longest
    aligner.rights = aligner.stack + longest
    return 0


cdef void close_tables(Aligner *aligner) noexcept nogil:
    free(aligner.offset)
    free(aligner.path)
    free(aligner.weights)
    free(aligner.cells)


cdef int32_t grow_tree(Aligner *aligner, Records *records, int32_t *slots) noexcept nogil:
    """Place all records, at least one, in a tree that grows to have a slot for each node; write their slots.

    -1: no memory.
    """
    cdef int32_t seed, number, record, different = 0, kept = 0, failed = 0
    # The different records, the seed first.
    cdef int32_t *order = <int32_t *>malloc(records.count * sizeof(int32_t))
    if order == NULL or distinct_records(aligner, records) < 0:
        free(order)
        return -1
    seed = records.like[seed_of(aligner, records)]
    for record in range(records.count):
        if records.like[record] == record:
            order[different] = record
            different += 1
            kept += length_of(records, record)
    for number in range(different - 1, 0, -1):
        if order[number] == seed:
            order[number] = order[number - 1]
            order[number - 1] = seed
    # A record that is placed again may leave slots behind that only its first attempt used.
    if (open_tree(aligner, ATTEMPTS * kept + 1, kept + 1) < 0
            or open_tables(aligner, ATTEMPTS * kept + 1, records.longest) < 0
            or place_all(aligner, records, order, different, slots) < 0):
        failed = -1
    else:
        for record in range(records.count):
            if records.like[record] != record:
                memcpy(slots + records.first_node[record], slots + records.first_node[records.like[record]],
                       length_of(records, record) * sizeof(int32_t))
    free(order)
    return failed


cdef int32_t number_slots(Aligner *aligner, const Records *records, const int32_t *slots) noexcept nogil:
    """Number the slots that are in use in document order, in `rights`; NOWHERE for the others and the root.

    Returns how many there are.
    """
    cdef int32_t *numbers = aligner.rights
    cdef int32_t slot = ROOT, number = 0, i
    memset(numbers, 0xFF, aligner.slot_count * sizeof(int32_t))     # NOWHERE
    for i in range(records.nodes):
        numbers[slots[i]] = 0
    while slot != NOWHERE:
        if numbers[slot] != NOWHERE:
            numbers[slot] = number
            number += 1
        if aligner.slots[slot].first != NOWHERE:
            slot = aligner.slots[slot].first
            continue
        while slot != NOWHERE and aligner.slots[slot].following == NOWHERE:
            slot = aligner.slots[slot].parent
        if slot != NOWHERE:
            slot = aligner.slots[slot].following
    return number


cdef int32_t write_tree(Aligner *aligner, Records *records, int32_t *slots, TemplateTree *tree) noexcept nogil:
    """Write the slots in document order, each by itself, and number those of all nodes so. -1: no memory."""
    cdef int32_t slot, number, i, count = number_slots(aligner, records, slots)
    tree.count = count
    tree.tag = <int32_t *>malloc(<size_t>count * TEMPLATE_ROWS * sizeof(int32_t))
    if tree.tag == NULL:
        return -1
    tree.parent = tree.tag + count
    tree.symbol = tree.parent + count
    tree.size = tree.symbol + count
    tree.into = tree.size + count
    tree.unit = tree.into + count
    tree.list_of = tree.unit + count
    tree.repeats = tree.list_of + count
    for slot in range(ROOT + 1, aligner.slot_count):
        number = aligner.rights[slot]
        if number != NOWHERE:
            tree.tag[number] = aligner.slots[slot].tag
            tree.parent[number] = aligner.rights[aligner.slots[slot].parent]
            tree.symbol[number] = aligner.slots[slot].symbol
            tree.size[number] = 1
            tree.into[number] = number
            tree.unit[number] = tree.list_of[number] = tree.repeats[number] = NOWHERE
    for number in range(tree.count - 1, -1, -1):
        if tree.parent[number] != NOWHERE:
            tree.size[tree.parent[number]] += tree.size[number]
    for i in range(records.nodes):
        slots[i] = aligner.rights[slots[i]]
    return 0
