"""Simple tree matching (STM, Yang 1991) of runs of sibling subtrees: scores in batches, and one mapping.
Class ids answer first, bounds second; the dynamic programme fills what is left, with an explicit stack."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from fastwrap._core.common.buffers cimport data_of
from fastwrap._core.common.page cimport NativePage
from fastwrap._core.page.symbols cimport need_classes
from fastwrap._core.similarity.pairs cimport SpanPair, SpanPairs, open_pairs

import numpy as np

cdef enum:
    OPENED = -2                 # a frame was pushed: the score comes when it is popped
    NOT_A_RUN = -3              # a span that does not end where a subtree ends
    MEMO_LEAST_BITS = 9         # the memo of scores has 512 slots of 16 bytes ...
    MEMO_LIKELY_BITS = 12       # ... as many as half the nodes, up to 4,096, ...
    MEMO_MOST_BITS = 19         # ... and doubles when it is half full, up to half a million: 8 MB
    MAX_TABLE_CELLS = 1 << 26   # decisions that a mapping may hold at once, a byte each
    ABOVE = 0                   # the three decisions of a cell: without the left tree, ...
    BESIDE = 1                  # ... without the right tree, ...
    PAIRED = 2                  # ... with both

UNKNOWN = OUT_OF_BUDGET


cdef int32_t start(Matcher *matcher, const PageArrays *page, int64_t longest, int64_t budget) except -1:
    """Take all the memory of a call. The trees of all open frames are distinct nodes, so the longest span bounds
    columns and frames. What is not reached is not touched, so it costs address space only."""
    matcher.tag = page.tag
    matcher.size = page.size
    matcher.class_id = page.structural_class
    matcher.budget = budget
    matcher.memo_bits = MEMO_LEAST_BITS
    while matcher.memo_bits < MEMO_LIKELY_BITS and longest >> matcher.memo_bits > 1:
        matcher.memo_bits += 1
    matcher.memo_room = 1 << (matcher.memo_bits - 1)
    matcher.arena_used = 0
    matcher.depth = 0
    matcher.memo = <MemoSlot *>calloc(1 << matcher.memo_bits, sizeof(MemoSlot))
    matcher.frames = <MatchFrame *>malloc((longest + 1) * (sizeof(MatchFrame) + sizeof(TableColumn) + sizeof(int32_t)))
    if matcher.memo == NULL or matcher.frames == NULL:
        stop(matcher)
        raise MemoryError
    matcher.arena = <TableColumn *>(matcher.frames + longest + 1)
    matcher.lefts = <int32_t *>(matcher.arena + longest + 1)
    return 0


cdef void stop(Matcher *matcher) noexcept nogil:
    free(matcher.memo)
    free(matcher.frames)


cdef inline uint64_t pair_key(int32_t one, int32_t other) noexcept nogil:
    # STM is symmetric: both orders are one key.
    if one > other:
        one, other = other, one
    return (<uint64_t><uint32_t>one << 32) | <uint32_t>other


cdef inline MemoSlot *find_slot(MemoSlot *memo, int32_t bits, uint64_t key) noexcept nogil:
    """The slot of the key, or the empty one where it belongs (Fibonacci hashing, Knuth 6.4)."""
    cdef uint64_t mask = (<uint64_t>1 << bits) - 1
    cdef uint64_t place = (key * <uint64_t>0x9E3779B97F4A7C15) >> (64 - bits)
    while memo[place].key != key and memo[place].key != 0:
        place = (place + 1) & mask
    return &memo[place]


cdef void grow(Matcher *matcher) noexcept nogil:
    """Double the memo, if it may grow and there is memory for it: it only saves work."""
    cdef int32_t bits = matcher.memo_bits + 1, place
    cdef MemoSlot *larger
    if bits > MEMO_MOST_BITS:
        return
    larger = <MemoSlot *>calloc(1 << bits, sizeof(MemoSlot))
    if larger == NULL:
        return
    for place in range(1 << matcher.memo_bits):
        if matcher.memo[place].key != 0:
            find_slot(larger, bits, matcher.memo[place].key)[0] = matcher.memo[place]
    free(matcher.memo)
    matcher.memo = larger
    matcher.memo_room = 1 << (matcher.memo_bits - 1)
    matcher.memo_bits = bits


cdef inline void remember(Matcher *matcher, uint64_t key, int32_t score) noexcept nogil:
    """Store a score, unless the memo is half full and may not grow."""
    cdef MemoSlot *slot
    if matcher.memo_room == 0:
        grow(matcher)
    if matcher.memo_room:
        slot = find_slot(matcher.memo, matcher.memo_bits, key)
        matcher.memo_room -= slot.key == 0
        slot.key = key
        slot.score = score


cdef inline int32_t obvious_score(Matcher *matcher, int32_t left, int32_t right) noexcept nogil:
    """Score of two trees that need no table, else OPENED."""
    if matcher.tag[left] != matcher.tag[right]:
        return 0
    if matcher.class_id[left] == matcher.class_id[right]:
        return matcher.size[left]
    if matcher.size[left] == 1 or matcher.size[right] == 1:
        return 1
    return OPENED


cdef int32_t open_runs(Matcher *matcher, int32_t left, int32_t left_end, int32_t right, int32_t right_end,
                       int32_t outside, uint64_t key) noexcept nogil:
    """Score two runs that are not empty, if they need no table, else push a frame for them.

    `outside` counts the pairs that the caller has found above the runs, `key` is what their score will be
    remembered by. Returns the score with `outside`, OPENED, or OUT_OF_BUDGET.
    """
    cdef const int32_t *tag = matcher.tag
    cdef const int32_t *size = matcher.size
    cdef const int32_t *class_id = matcher.class_id
    cdef TableColumn *columns = matcher.arena + matcher.arena_used
    cdef int32_t height = 0, width = 0, node, score
    if matcher.budget < 0:
        return OUT_OF_BUDGET
    # Only children: their pair is the whole mapping, so chains of them need neither table nor stack.
    while left + size[left] == left_end and right + size[right] == right_end:
        score = obvious_score(matcher, left, right)
        if score != OPENED:
            return outside + score
        outside += 1
        left += 1
        right += 1
        matcher.budget -= 1
    # Equal first trees (and equal last ones) are paired in some maximum mapping: no partner is worth more
    # to either of them than their common size, and they cannot both have other partners, which would cross.
    # So giving them to each other never loses a pair.
    while left < left_end and right < right_end and class_id[left] == class_id[right]:
        outside += size[left]
        left += size[left]
        right += size[right]
        matcher.budget -= 1
    if left == left_end or right == right_end:
        return outside
    node = left
    while node < left_end:
        matcher.lefts[height] = node
        height += 1
        node += size[node]
    node = right
    while node < right_end:
        columns[width] = TableColumn(tag[node], size[node], class_id[node], node, best=0)
        width += 1
        node += size[node]
    # The edges of the table count as cells, so that the budget bounds the walk over wide nodes as well.
    matcher.budget -= height + width
    while height and width and class_id[matcher.lefts[height - 1]] == columns[width - 1].class_id:
        height -= 1
        width -= 1
        outside += columns[width].size
    if height == 0 or width == 0:
        return outside
    if <int64_t>height * width > matcher.budget:
        return OUT_OF_BUDGET
    matcher.budget -= <int64_t>height * width
    matcher.frames[matcher.depth] = MatchFrame(
        key, outside, left, rows=height, columns=matcher.arena_used, width=width, column=0, diagonal=0, beside=0)
    matcher.depth += 1
    matcher.arena_used += width
    return OPENED


cdef int32_t open_trees(Matcher *matcher, int32_t left, int32_t right, uint64_t key) noexcept nogil:
    """Score two trees that have no obvious score and whose key is not in the memo, by opening the runs of their
    children."""
    cdef int32_t score = open_runs(
        matcher, left + 1, left + matcher.size[left], right + 1, right + matcher.size[right], 1, key)
    if score >= 0:
        remember(matcher, key, score)
    return score


cdef int32_t fill(Matcher *matcher, MatchFrame *frame) noexcept nogil:
    """Fill the table of the frame from its current cell on. Returns the score of the runs, or OPENED or OUT_OF_BUDGET
    when a cell has to wait."""
    cdef TableColumn *columns = matcher.arena + frame.columns
    cdef TableColumn *end = columns + frame.width
    cdef TableColumn *column = columns + frame.column
    cdef int32_t diagonal = frame.diagonal, beside = frame.beside, left = frame.left, rows = frame.rows
    cdef int32_t left_tag, left_size, left_class, score, above, best
    cdef uint64_t key
    cdef const MemoSlot *slot
    while rows:
        left_tag = matcher.tag[left]
        left_size = matcher.size[left]
        left_class = matcher.class_id[left]
        while column < end:
            # M[i,j] = max(M[i,j-1], M[i-1,j], M[i-1,j-1] + score)
            above = column.best
            best = max(above, beside)
            if left_tag == column.tag:
                # The bound min(size) is the score itself for equal classes and for leaves, and where even the
                # bound cannot change the cell the score is not needed.
                score = min(left_size, column.size)
                if diagonal + score > best:
                    if score > 1 and left_class != column.class_id:
                        key = pair_key(left_class, column.class_id)
                        slot = find_slot(matcher.memo, matcher.memo_bits, key)
                        score = slot.score if slot.key != 0 else open_trees(matcher, left, column.node, key)
                        if score < 0:
                            frame.left = left
                            frame.rows = rows
                            frame.column = <int32_t>(column - columns)
                            frame.diagonal = diagonal
                            frame.beside = beside
                            return score
                    best = max(best, diagonal + score)
            column.best = best
            diagonal = above
            beside = best
            column += 1
        left += left_size
        rows -= 1
        column = columns
        diagonal = beside = 0
    return frame.outside + (end - 1).best


cdef int32_t finish(Matcher *matcher, int32_t score) noexcept nogil:
    """Work off the open frames, given what opening the first one returned: the score, or OUT_OF_BUDGET."""
    cdef MatchFrame *frame
    cdef TableColumn *column
    while matcher.depth and score != OUT_OF_BUDGET:
        frame = &matcher.frames[matcher.depth - 1]
        if score != OPENED:
            # The cell that waited, as in `fill`.
            column = &matcher.arena[frame.columns + frame.column]
            frame.beside = max(max(column.best, frame.beside), frame.diagonal + score)
            frame.diagonal = column.best
            column.best = frame.beside
            frame.column += 1
        score = fill(matcher, frame)
        if score >= 0:
            if frame.key != 0:
                remember(matcher, frame.key, score)
            matcher.arena_used = frame.columns
            matcher.depth -= 1
    matcher.arena_used = 0
    matcher.depth = 0
    return score


cdef int32_t score_trees(Matcher *matcher, int32_t left, int32_t right) noexcept nogil:
    """Pairs in the maximum mapping of two trees, or OUT_OF_BUDGET."""
    cdef int32_t score = obvious_score(matcher, left, right)
    cdef uint64_t key
    cdef const MemoSlot *slot
    if score != OPENED:
        return score
    key = pair_key(matcher.class_id[left], matcher.class_id[right])
    slot = find_slot(matcher.memo, matcher.memo_bits, key)
    if slot.key != 0:
        return slot.score
    return finish(matcher, open_trees(matcher, left, right, key))


cdef bint is_run(Matcher *matcher, int32_t node, int32_t end) noexcept nogil:
    """Whether [node, end) is a run of whole subtrees; counted in the budget, a cell for each of them."""
    while node < end:
        node += matcher.size[node]
        matcher.budget -= 1
    return node == end


cdef int32_t score_runs(Matcher *matcher, int32_t left, int32_t left_end, int32_t right,
                        int32_t right_end) noexcept nogil:
    """Pairs in the maximum mapping of two runs, OUT_OF_BUDGET or NOT_A_RUN."""
    if left == left_end or right == right_end:
        return 0
    if left + matcher.size[left] == left_end and right + matcher.size[right] == right_end:
        return score_trees(matcher, left, right)
    if matcher.budget < 0:
        return OUT_OF_BUDGET
    if not is_run(matcher, left, left_end) or not is_run(matcher, right, right_end):
        return NOT_A_RUN
    return finish(matcher, open_runs(matcher, left, left_end, right, right_end, 0, 0))


cdef struct MappingTrace:
    # The memory that a mapping needs besides its matcher's.
    int32_t *lefts      # trees of the two runs whose pairs are being decided
    int32_t *rights
    int32_t *row        # the rolling row of their table, one cell longer than rights
    char *decisions     # ABOVE, BESIDE or PAIRED for every cell of it, row by row
    int32_t *pending    # pairs (left, right) that are in the mapping and not yet written, a stack
    int32_t waiting     # pairs of it


cdef inline void push(MappingTrace *trace, int32_t left, int32_t right) noexcept nogil:
    trace.pending[2 * trace.waiting] = left
    trace.pending[2 * trace.waiting + 1] = right
    trace.waiting += 1


cdef int32_t decide(Matcher *matcher, MappingTrace *trace, int32_t *lefts, int32_t height,
                    int32_t *rights, int32_t width) except -2 nogil:
    """Push the pairs of trees in one maximum mapping of two runs, the last one first. The cells are those of `fill`,
    with their decisions kept. Returns 0, or OUT_OF_BUDGET."""
    cdef int64_t cells = <int64_t>height * width
    cdef int32_t i, j, left, right, score, diagonal, above, best
    cdef char decision
    if height == 1 and width == 1:
        # No choice, hence no score: a chain is not scored anew at each of its levels.
        if matcher.tag[lefts[0]] == matcher.tag[rights[0]]:
            push(trace, lefts[0], rights[0])
        return 0
    if cells > matcher.budget or cells > MAX_TABLE_CELLS:
        return OUT_OF_BUDGET
    matcher.budget -= cells
    free(trace.decisions)
    trace.decisions = <char *>malloc(cells)
    if trace.decisions == NULL:
        with gil:
            raise MemoryError
    for j in range(width + 1):
        trace.row[j] = 0
    for i in range(height):
        left = lefts[i]
        diagonal = 0
        for j in range(width):
            right = rights[j]
            above = trace.row[j + 1]
            best = above
            decision = ABOVE
            if trace.row[j] > best:
                best = trace.row[j]
                decision = BESIDE
            if diagonal + min(matcher.size[left], matcher.size[right]) > best:
                score = score_trees(matcher, left, right)
                if score == OUT_OF_BUDGET:
                    return OUT_OF_BUDGET
                if diagonal + score > best:
                    best = diagonal + score
                    decision = PAIRED
            trace.row[j + 1] = best
            trace.decisions[<int64_t>i * width + j] = decision
            diagonal = above
    i = height - 1
    j = width - 1
    while i >= 0 and j >= 0:
        decision = trace.decisions[<int64_t>i * width + j]
        if decision == PAIRED:
            push(trace, lefts[i], rights[j])
        if decision != BESIDE:
            i -= 1
        if decision != ABOVE:
            j -= 1
    return 0


cdef int32_t pair_runs(Matcher *matcher, MappingTrace *trace, int32_t left, int32_t left_end,
                       int32_t right, int32_t right_end) except -2 nogil:
    """Push the pairs of trees in one maximum mapping of two runs, so that the first one is popped first.
    Returns 0, or OUT_OF_BUDGET."""
    cdef const int32_t *class_id = matcher.class_id
    cdef int32_t height = 0, width = 0, first = 0
    while left < left_end:
        trace.lefts[height] = left
        height += 1
        left += matcher.size[left]
    while right < right_end:
        trace.rights[width] = right
        width += 1
        right += matcher.size[right]
    matcher.budget -= height + width
    # Equal first and equal last trees are paired without a table (the proof is in `open_runs`).
    while first < height and first < width and class_id[trace.lefts[first]] == class_id[trace.rights[first]]:
        first += 1
    while height > first and width > first and class_id[trace.lefts[height - 1]] == class_id[trace.rights[width - 1]]:
        height -= 1
        width -= 1
        push(trace, trace.lefts[height], trace.rights[width])
    if height > first and width > first and decide(matcher, trace, trace.lefts + first, height - first,
                                                   trace.rights + first, width - first) == OUT_OF_BUDGET:
        return OUT_OF_BUDGET
    while first:
        first -= 1
        push(trace, trace.lefts[first], trace.rights[first])
    return 0


cdef int32_t write_pairs(Matcher *matcher, MappingTrace *trace, const SpanPair *runs, int32_t *pairs) except -2 nogil:
    """Write one maximum mapping of two runs in preorder. Returns the number of pairs, or OUT_OF_BUDGET."""
    cdef int32_t left, right, written = 0, equal, node
    if pair_runs(matcher, trace, runs.left, runs.left_end, runs.right, runs.right_end) == OUT_OF_BUDGET:
        return OUT_OF_BUDGET
    while trace.waiting:
        trace.waiting -= 1
        left = trace.pending[2 * trace.waiting]
        right = trace.pending[2 * trace.waiting + 1]
        # Equal trees are paired node by node.
        equal = matcher.size[left] if matcher.class_id[left] == matcher.class_id[right] else 1
        for node in range(equal):
            pairs[2 * written] = left + node
            pairs[2 * written + 1] = right + node
            written += 1
        if equal < matcher.size[left] and pair_runs(matcher, trace, left + 1, left + matcher.size[left],
                                                    right + 1, right + matcher.size[right]) == OUT_OF_BUDGET:
            return OUT_OF_BUDGET
    return written


def scores(NativePage native not None, pairs not None, int64_t budget):
    """Pairs of nodes in the maximum mapping of each pair of runs; see `matching.pyi`."""
    cdef SpanPairs opened
    cdef const SpanPair *runs
    cdef Py_ssize_t k
    cdef int32_t score = 0
    cdef int32_t *out
    cdef Matcher matcher
    need_classes(native)
    open_pairs(&opened, pairs, native.arrays.count)
    result = np.empty(opened.count, dtype=np.int32)
    out = <int32_t *>data_of(result)
    start(&matcher, &native.arrays, opened.most_longer, budget)
    with nogil:
        for k in range(opened.count):
            runs = &opened.pair[k]
            score = score_runs(&matcher, runs.left, runs.left_end, runs.right, runs.right_end)
            if score == NOT_A_RUN:
                break
            out[k] = score
        stop(&matcher)
    if score == NOT_A_RUN:
        raise ValueError(f"pair {k} has a span that is not a run of whole subtrees")
    return result


def mapping(NativePage native not None, pairs not None, int64_t budget):
    """One maximum mapping of two runs; see `matching.pyi`."""
    cdef SpanPairs opened
    cdef const SpanPair *runs
    cdef int64_t longest
    cdef int32_t written = NOT_A_RUN
    cdef int32_t *out
    cdef int32_t *block
    cdef Matcher matcher
    cdef MappingTrace trace
    need_classes(native)
    open_pairs(&opened, pairs, native.arrays.count)
    if opened.count != 1:
        raise ValueError("a mapping is of one pair")
    runs = opened.pair
    longest = opened.most_longer
    # No left node is in two pairs.
    result = np.empty((runs.left_end - runs.left, 2), dtype=np.int32)
    out = <int32_t *>data_of(result)
    start(&matcher, &native.arrays, longest, budget)
    block = <int32_t *>malloc((5 * longest + 1) * sizeof(int32_t))
    trace = MappingTrace(lefts=block, rights=block + longest, pending=block + 2 * longest, row=block + 4 * longest,
                         decisions=NULL, waiting=0)
    try:
        if block == NULL:
            raise MemoryError
        with nogil:
            if is_run(&matcher, runs.left, runs.left_end) and is_run(&matcher, runs.right, runs.right_end):
                written = write_pairs(&matcher, &trace, runs, out)
    finally:
        free(trace.decisions)
        free(block)
        stop(&matcher)
    if written == NOT_A_RUN:
        raise ValueError("pair 0 has a span that is not a run of whole subtrees")
    return None if written == OUT_OF_BUDGET else result[:written].copy()
