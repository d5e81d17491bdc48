"""Finds the records of a learned list: the elements at the end of a path, their children cut into records, and how
much of each record is known. Each step for itself, and all of them at once for pages that are as expected."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memcpy

from fastwrap._core.common.buffers cimport data_of, held, held_numbers
from fastwrap._core.common.page cimport NativePage, PageArrays, Spans, class_tokens, has_token, open_spans, subtree_end
from fastwrap._core.common.scratch cimport piece, put_back, take
from fastwrap._core.wrapper.hashes cimport SEED, KeyTable, class_hash, entry_of, held_starts, mixed, open_table

import numpy as np

cdef object empty = np.empty, INT32 = np.dtype(np.int32), UINT64 = np.dtype(np.uint64)
cdef object UINT8 = np.dtype(np.uint8), FLOAT64 = np.dtype(np.float64)

cdef enum:
    # The levels and roles of `fastwrap.wrapper.hashes`.
    BY_CLASS = 1
    BY_SHAPE = 2
    BY_TEXT = 3

    HEAD = 1
    INSIDE = 2
    UNKNOWN = 3

    IN_PLACE = 1            # an element agrees with a step in its place among siblings, ...
    HAS_TOKENS = 2          # ... and in its class tokens
    AGREES = 3

    LARGE_PAGE = 20000      # nodes; on a smaller one a list is found before another thread could take the global lock


cdef struct PathSteps:
    # A path from the root down; what the numbers mean is told in `finding.pyi`.
    int32_t count
    const int32_t *tag
    const int32_t *first_token  # [count + 1] the tokens of step k are [first_token[k], first_token[k + 1])
    const int32_t *token_start  # token t is tokens[token_start[t]:token_start[t + 1]]
    const unsigned char *tokens
    const int32_t *nth


cdef struct Frontier:
    # Elements that a path has been followed to, and room for those that it may go on to.
    int32_t count
    int32_t *nodes
    int32_t *children
    uint8_t *agreement          # of the children with the step that leads to them


cdef struct Cutter:
    # What children are told by.
    int32_t level
    KeyTable symbols
    const uint8_t *roles        # of the entries of the table


cdef struct RecordRuns:
    # The records so far among the children of elements.
    int32_t count
    int32_t *spans              # first node and the one after the last, one pair per record
    bint is_open                # whether the last one may go on


# Paths

cdef int open_path(PathSteps *path, steps) except -1:
    """Take over a path that the caller keeps alive; ValueError for arrays that do not belong together."""
    cdef Py_ssize_t tokens
    tags, first_token, token_start, text, nth = steps
    path.count = len(tags)
    tokens = len(token_start) - 1
    path.tag = held_numbers(tags, path.count)
    path.first_token = held_starts(first_token, path.count, tokens)
    path.token_start = held_starts(token_start, tokens, len(text))
    path.tokens = <const unsigned char *>held(text, len(text), 1)
    path.nth = held_numbers(nth, path.count)
    return 0


cdef char *open_frontier(Frontier *frontier, char **at, const PageArrays *page, size_t more) except NULL:
    """Take a block for a frontier and, at `at`, more; the caller puts the block back."""
    cdef size_t numbers = <size_t>page.count * sizeof(int32_t)
    cdef char *block = <char *>take(2 * numbers + page.count + 48 + more)
    at[0] = block
    frontier.nodes, frontier.children = <int32_t *>piece(at, numbers), <int32_t *>piece(at, numbers)
    frontier.agreement = <uint8_t *>piece(at, page.count)
    return block


cdef inline uint8_t agreement_of(const PageArrays *page, const PathSteps *path, int32_t step, int32_t child,
                                 bint in_place) noexcept nogil:
    """In what an element of the right tag agrees with a step: IN_PLACE, HAS_TOKENS, both or neither."""
    cdef int32_t token
    for token in range(path.first_token[step], path.first_token[step + 1]):
        if not has_token(class_tokens(page, child), path.tokens + path.token_start[token],
                         path.token_start[token + 1] - path.token_start[token]):
            return IN_PLACE if in_place else 0
    return AGREES if in_place else HAS_TOKENS


cdef int32_t follow(const PageArrays *page, const PathSteps *path, bint by_tags, Frontier *frontier) noexcept nogil:
    """Follow a path from the root to the elements at its end. Returns how much they differ from what it says."""
    cdef int32_t step, kept, child, end, place, alike, children, nth, misses = 0
    cdef uint8_t best
    frontier.count = path.count > 0 and page.tag[0] == path.tag[0]
    frontier.nodes[0] = 0
    for step in range(1, path.count):
        children = best = 0
        nth = 0 if by_tags else path.nth[step]
        for kept in range(frontier.count):
            end = subtree_end(page, frontier.nodes[kept])
            alike = 0
            if nth < 0:
                child = frontier.nodes[kept] + 1
                while child < end:
                    alike += page.tag[child] == path.tag[step]
                    child = subtree_end(page, child)
            place = 0
            child = frontier.nodes[kept] + 1
            while child < end:
                if page.tag[child] == path.tag[step]:
                    place += 1
                    frontier.children[children] = child
                    frontier.agreement[children] = AGREES if by_tags else agreement_of(
                        page, path, step, child, nth == 0 or nth == (place if nth > 0 else place - alike - 1))
                    best = max(best, frontier.agreement[children])
                    children += 1
                child = subtree_end(page, child)
        frontier.count = 0
        for kept in range(children):
            if frontier.agreement[kept] == best:
                frontier.nodes[frontier.count] = frontier.children[kept]
                frontier.count += 1
        if frontier.count == 0:
            break
        misses += AGREES - best
    return misses


def locate(NativePage native not None, steps, bint by_tags):
    """The elements at the end of a path; see `finding.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef PathSteps path
    cdef Frontier frontier
    cdef int32_t misses
    cdef char *block
    cdef char *at
    open_path(&path, steps)
    block = open_frontier(&frontier, &at, page, 0)
    try:
        with nogil:
            misses = follow(page, &path, by_tags, &frontier)
        nodes = empty(frontier.count, INT32)
        memcpy(data_of(nodes), frontier.nodes, frontier.count * sizeof(int32_t))
    finally:
        put_back(block)
    return nodes, misses


# Records

cdef int open_cutter(Cutter *cutter, int32_t level, keys, roles) except -1:
    cutter.level = level
    open_table(&cutter.symbols, keys)
    cutter.roles = <const uint8_t *>held(roles, cutter.symbols.mask + 1, 1)
    return 0


cdef inline uint64_t symbol_of(const PageArrays *page, int32_t node, int32_t level) noexcept nogil:
    """The symbol of a child, as `fastwrap.wrapper.hashes.symbol_hash` computes it."""
    cdef uint64_t symbol = mixed(SEED, <uint64_t>page.tag[node])
    cdef int32_t below, end = subtree_end(page, node)
    if level >= BY_CLASS:
        symbol = mixed(symbol, class_hash(page, node))
    if level >= BY_SHAPE:
        for below in range(node + 1, end):
            if page.size[below] > 1:
                symbol = mixed(symbol, <uint64_t>page.tag[below] << 24
                               | <uint64_t>(page.depth[below] - page.depth[node]))
    if level >= BY_TEXT:
        symbol = mixed(symbol, page.text_start[node] < page.text_start[end])
    return symbol | 1


cdef inline uint8_t role_of(const Cutter *cutter, uint64_t symbol) noexcept nogil:
    cdef Py_ssize_t entry = entry_of(&cutter.symbols, symbol)
    return cutter.roles[entry] if cutter.symbols.keys[entry] != 0 else <uint8_t>UNKNOWN


cdef inline void add_child(RecordRuns *records, int32_t child, int32_t end, uint8_t role) noexcept nogil:
    """Add the next child of an element to the records: a head begins one, what is inside continues it. A child of an
    unknown role ends no record, and is in one if something inside follows."""
    if role == HEAD:
        records.spans[2 * records.count] = child
        records.spans[2 * records.count + 1] = end
        records.count += 1
        records.is_open = True
    elif role == INSIDE and records.is_open:
        records.spans[2 * records.count - 1] = end
    elif role != UNKNOWN:
        records.is_open = False


def cut(NativePage native not None, parents, int32_t level, keys, roles):
    """The records among the children of elements; see `finding.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef Py_ssize_t number, count = len(parents), total = 0, at = 0
    cdef const int32_t *above = held_numbers(parents, count)
    cdef int32_t child, end, unknown = 0
    cdef int32_t *children
    cdef uint64_t *symbols
    cdef uint8_t *child_roles
    cdef Cutter cutter
    cdef RecordRuns records
    open_cutter(&cutter, level, keys, roles)
    for number in range(count):
        if not 0 <= above[number] < page.count:
            raise ValueError("an element is not on the page")
        child = above[number] + 1
        while child < subtree_end(page, above[number]):
            total += 1
            child = subtree_end(page, child)
    child_array, symbol_array, role_array = empty(total, INT32), empty(total, UINT64), empty(total, UINT8)
    span_array = empty((total, 2), INT32)
    children, symbols = <int32_t *>data_of(child_array), <uint64_t *>data_of(symbol_array)
    child_roles, records.spans = <uint8_t *>data_of(role_array), <int32_t *>data_of(span_array)
    records.count = 0
    with nogil:
        for number in range(count):
            child = above[number] + 1
            records.is_open = False
            while child < subtree_end(page, above[number]):
                end = subtree_end(page, child)
                children[at] = child
                symbols[at] = symbol_of(page, child, level)
                child_roles[at] = role_of(&cutter, symbols[at])
                unknown += child_roles[at] == UNKNOWN
                add_child(&records, child, end, child_roles[at])
                at += 1
                child = end
    return span_array[:records.count], child_array, symbol_array, role_array, unknown


# How much of a record is known

cdef double known_share(const PageArrays *page, const int32_t *span, const KeyTable *known,
                        uint64_t *paths) noexcept nogil:
    """The share of a record's nodes whose tag path is known; `paths` has room for one hash per node."""
    cdef int32_t node, above, count = 0
    for node in range(span[0], span[1]):
        above = page.parent[node] - span[0]
        paths[node - span[0]] = mixed(SEED if above < 0 else paths[above], <uint64_t>page.tag[node])
        count += known.keys[entry_of(known, paths[node - span[0]] | 1)] != 0
    return <double>count / (span[1] - span[0])


cdef (double, double) measure(const PageArrays *page, const int32_t *spans, int32_t count, const KeyTable *known,
                              uint64_t *paths, double *shares) noexcept nogil:
    """Fill in the share of each record; the least of them (1 for no records), and their mean (0 for none)."""
    cdef double least = 1, total = 0
    cdef int32_t k
    for k in range(count):
        shares[k] = known_share(page, spans + 2 * k, known, paths)
        least = min(least, shares[k])
        total += shares[k]
    return least, total / count if count else 0


def known_shares(NativePage native not None, spans, keys):
    """How much of each record has a tag path that is known; see `finding.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef Spans records
    cdef KeyTable known
    cdef double least, mean
    cdef double *room
    cdef uint64_t *paths
    open_spans(&records, spans, page)
    open_table(&known, keys)
    shares = empty(records.count, FLOAT64)
    paths = <uint64_t *>take(page.count * sizeof(uint64_t))
    room = <double *>data_of(shares)
    with nogil:
        least, mean = measure(page, records.bounds, records.count, &known, paths, room)
        put_back(paths)
    return shares, least, mean


cdef class Finder:
    """Finds the records of a list on pages that are as expected; see `finding.pyi`."""
    cdef PathSteps path
    cdef Cutter cutter
    cdef KeyTable known
    cdef tuple arrays           # what the structs point into

    def __cinit__(self, steps, int32_t level, keys, roles, known):
        self.arrays = (steps, keys, roles, known)
        open_path(&self.path, steps)
        open_cutter(&self.cutter, level, keys, roles)
        open_table(&self.known, known)

    cdef bint cut_all(self, const PageArrays *page, Frontier *frontier, RecordRuns *records) noexcept nogil:
        """Whether the path leads to elements that are what it says, and all of their children are known."""
        cdef int32_t number, child, end, last
        cdef uint8_t role
        records.count = 0
        if follow(page, &self.path, False, frontier):
            return False
        for number in range(frontier.count):
            child = frontier.nodes[number] + 1
            last = subtree_end(page, frontier.nodes[number])
            records.is_open = False
            while child < last:
                end = subtree_end(page, child)
                role = role_of(&self.cutter, symbol_of(page, child, self.cutter.level))
                if role == UNKNOWN:
                    return False
                add_child(records, child, end, role)
                child = end
        return True

    def find(self, NativePage native not None, double least):
        """The records, if all of them are as expected; see `finding.pyi`."""
        cdef const PageArrays *page = &native.arrays
        cdef size_t pairs = <size_t>page.count * 2 * sizeof(int32_t)
        cdef Frontier frontier
        cdef RecordRuns records
        cdef uint64_t *paths
        cdef double worst, mean
        cdef double *room
        cdef bint expected
        cdef char *at
        cdef char *block = open_frontier(&frontier, &at, page, 2 * pairs + 32)
        try:
            records.spans, paths = <int32_t *>piece(&at, pairs), <uint64_t *>piece(&at, pairs)
            if page.count < LARGE_PAGE:
                expected = self.cut_all(page, &frontier, &records)
            else:
                with nogil:
                    expected = self.cut_all(page, &frontier, &records)
            if not expected or not records.count:
                return None
            shares, spans = empty(records.count, FLOAT64), empty((records.count, 2), INT32)
            memcpy(data_of(spans), records.spans, 2 * records.count * sizeof(int32_t))
            room = <double *>data_of(shares)
            if page.count < LARGE_PAGE:
                worst, mean = measure(page, records.spans, records.count, &self.known, paths, room)
            else:
                with nogil:
                    worst, mean = measure(page, records.spans, records.count, &self.known, paths, room)
        finally:
            put_back(block)
        return (spans, shares, mean) if worst >= least else None
