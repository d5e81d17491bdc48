"""Applies a wrapper: finds elements by their tag path, cuts their children into records, knows what is new in these.
Symbols are 64-bit hashes of names, so that they mean the same on every page; see `fastwrap.wrapper.hashes`."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy

import numpy as np

cdef enum:
    BY_TAG = 0          # what a symbol is made of: the tag, ...
    BY_CLASS = 1        # ... and the class, ...
    BY_SHAPE = 2        # ... and the tags below, without leaves, ...
    BY_TEXT = 3         # ... and whether there is a text

    OUTSIDE = 0         # roles
    HEAD = 1
    INSIDE = 2
    UNKNOWN = 3

cdef uint64_t SEED = 0x9E3779B97F4A7C15

cdef struct Attributes:
    const int32_t *start
    const int32_t *name
    const int32_t *value_start
    const unsigned char *values
    int32_t class_number


cdef inline uint64_t mixed(uint64_t above, uint64_t more) noexcept nogil:
    """A hash of what has the hash `above`, and more."""
    above = (above ^ more) * <uint64_t> 0x9E3779B97F4A7C15
    return above ^ (above >> 29)


cdef inline bint is_space(unsigned char letter) noexcept nogil:
    return letter == 32 or (9 <= letter <= 13 and letter != 11)


cdef bint find_class(const Attributes *of, int32_t node, int32_t *first, int32_t *last) noexcept nogil:
    """Where the class of an element is among the values; False if it has none."""
    cdef int32_t entry
    for entry in range(of.start[node], of.start[node + 1]):
        if of.name[entry] == of.class_number:
            first[0] = of.value_start[entry]
            last[0] = of.value_start[entry + 1]
            return True
    return False


cdef uint64_t class_hash(const Attributes *of, int32_t node) noexcept nogil:
    """A hash of the class tokens that have no digit, in any order; 0 for none."""
    cdef int32_t at = 0, last = 0
    cdef uint64_t total = 0, token
    cdef bint has_digit
    if not find_class(of, node, &at, &last):
        return 0
    while at < last:
        if is_space(of.values[at]):
            at += 1
            continue
        token = <uint64_t> 0xCBF29CE484222325
        has_digit = False
        while at < last and not is_space(of.values[at]):
            has_digit |= 48 <= of.values[at] <= 57
            token = (token ^ of.values[at]) * <uint64_t> 0x100000001B3
            at += 1
        if not has_digit:
            total += mixed(token, 1)
    return total


cdef bint has_token(const Attributes *of, int32_t node, const unsigned char *token, int32_t length) noexcept nogil:
    cdef int32_t at = 0, last = 0, begin
    if not find_class(of, node, &at, &last):
        return False
    while at < last:
        if is_space(of.values[at]):
            at += 1
            continue
        begin = at
        while at < last and not is_space(of.values[at]):
            at += 1
        if at - begin == length and memcmp(of.values + begin, token, length) == 0:
            return True
    return False


cdef Attributes attributes_of(const int32_t[::1] size, const int32_t[::1] attribute_start, const int32_t[::1] attribute_name,
                              const int32_t[::1] value_start, const unsigned char[::1] values, int32_t class_number) except *:
    """What is needed to read the class of a node; ValueError for arrays that do not belong together."""
    cdef Attributes of
    cdef Py_ssize_t nodes = size.shape[0]
    if attribute_start.shape[0] != nodes + 1 or value_start.shape[0] != attribute_name.shape[0] + 1:
        raise ValueError("arrays that belong together differ in length")
    if attribute_start[nodes] > attribute_name.shape[0] or value_start[attribute_name.shape[0]] > values.shape[0]:
        raise ValueError("the values are not within theirs")
    of.start = &attribute_start[0]
    of.name = &attribute_name[0] if attribute_name.shape[0] else NULL
    of.value_start = &value_start[0]
    of.values = &values[0] if values.shape[0] else NULL
    of.class_number = class_number
    return of


cdef struct Steps:
    # A path from the root down.
    const int32_t *tag
    const int32_t *first_token
    const int32_t *token_start
    const unsigned char *tokens
    const int32_t *nth
    Py_ssize_t count


cdef Steps steps_of(const int32_t[::1] tags, const int32_t[::1] first_token, const int32_t[::1] token_start,
                    const unsigned char[::1] tokens, const int32_t[::1] nth) except *:
    cdef Steps path
    path.count = tags.shape[0]
    if first_token.shape[0] != path.count + 1 or nth.shape[0] != path.count:
        raise ValueError("arrays that belong together differ in length")
    if path.count and (first_token[path.count] >= token_start.shape[0]
                       or token_start[first_token[path.count]] > tokens.shape[0]):
        raise ValueError("the tokens are not within theirs")
    path.tag = &tags[0] if path.count else NULL
    path.first_token = &first_token[0]
    path.token_start = &token_start[0] if token_start.shape[0] else NULL
    path.tokens = &tokens[0] if tokens.shape[0] else NULL
    path.nth = &nth[0] if path.count else NULL
    return path


cdef int32_t agreement(const Attributes *of, const Steps *path, Py_ssize_t step, int32_t child, int32_t place, int32_t alike,
                   bint by_tags) noexcept nogil:
    """Whether an element agrees with a step in its place (bit 0) and in its class (bit 1)."""
    cdef int32_t token, both = 3
    if by_tags:
        return both
    if path.nth[step] > 0 and place != path.nth[step]:
        both = 2
    if path.nth[step] < 0 and alike - place + 1 != -path.nth[step]:
        both = 2
    for token in range(path.first_token[step], path.first_token[step + 1]):
        if not has_token(of, child, path.tokens + path.token_start[token],
                         path.token_start[token + 1] - path.token_start[token]):
            return both & 1
    return both


cdef int32_t find_path(const Attributes *of, const Steps *path, const int32_t *tag, const int32_t *size, Py_ssize_t nodes,
                   bint by_tags, int32_t *frontier, int32_t *further, uint8_t *agrees, int32_t *misses) noexcept nogil:
    """Write the elements at the end of a path to `frontier`. Returns how many; and how often they disagree with it."""
    cdef Py_ssize_t step
    cdef int32_t node, child, end, place, alike, found = 0, here, kept, best
    misses[0] = 0
    if nodes and path.count and tag[0] == path.tag[0]:
        frontier[0] = 0
        found = 1
    for step in range(1, path.count):
        here = best = 0
        for kept in range(found):
            node = frontier[kept]
            end = node + size[node]
            alike = 0
            if path.nth[step] < 0:
                child = node + 1
                while child < end:
                    alike += tag[child] == path.tag[step]
                    child += size[child]
            place = 0
            child = node + 1
            while child < end:
                if tag[child] == path.tag[step]:
                    place += 1
                    further[here] = child
                    agrees[here] = <uint8_t> agreement(of, path, step, child, place, alike, by_tags)
                    best = max(best, <int32_t> agrees[here])
                    here += 1
                child += size[child]
        found = 0
        for kept in range(here):
            if agrees[kept] == best:
                frontier[found] = further[kept]
                found += 1
        if not found:
            break
        misses[0] += 3 - best
    return found


def locate(const int32_t[::1] tag, const int32_t[::1] size, const int32_t[::1] attribute_start, const int32_t[::1] attribute_name,
           const int32_t[::1] value_start, const unsigned char[::1] values, int32_t class_number, const int32_t[::1] steps,
           const int32_t[::1] first_token, const int32_t[::1] token_start, const unsigned char[::1] tokens,
           const int32_t[::1] nth, bint by_tags):
    """The elements at the end of a path; see `wrapping.pyi`."""
    cdef Py_ssize_t nodes = size.shape[0]
    cdef Attributes of = attributes_of(size, attribute_start, attribute_name, value_start, values, class_number)
    cdef Steps path = steps_of(steps, first_token, token_start, tokens, nth)
    cdef int32_t found = 0, kept, misses = 0
    cdef int32_t *frontier
    cdef int32_t[::1] result
    if tag.shape[0] != nodes:
        raise ValueError("arrays that belong together differ in length")
    frontier = <int32_t *>malloc((nodes + 1) * (2 * sizeof(int32_t) + 1))
    if frontier == NULL:
        raise MemoryError
    try:
        with nogil:
            found = find_path(&of, &path, &tag[0] if nodes else NULL, &size[0] if nodes else NULL, nodes, by_tags,
                              frontier, frontier + nodes + 1, <uint8_t *>(frontier + 2 * (nodes + 1)), &misses)
        array = np.empty(found, dtype=np.int32)
        result = array
        for kept in range(found):
            result[kept] = frontier[kept]
    finally:
        free(frontier)
    return array, misses


cdef inline uint64_t symbol_of(const Attributes *of, const int32_t *tag, const int32_t *size, const int32_t *depth,
                               const int32_t *text_start, int32_t node, int32_t level) noexcept nogil:
    cdef uint64_t symbol = mixed(SEED, <uint64_t> tag[node])
    cdef int32_t below
    if level >= BY_CLASS:
        symbol = mixed(symbol, class_hash(of, node))
    if level >= BY_SHAPE:
        for below in range(node + 1, node + size[node]):
            if size[below] > 1:
                symbol = mixed(symbol, <uint64_t> tag[below] << 24 | <uint64_t> (depth[below] - depth[node]))
    if level >= BY_TEXT:
        symbol = mixed(symbol, text_start[node] < text_start[node + size[node]])
    return symbol | 1


cdef inline Py_ssize_t entry_of(const uint64_t *keys, Py_ssize_t mask, uint64_t key) noexcept nogil:
    """Where a key is in a table, or the free entry (0) where it would be."""
    cdef Py_ssize_t place = <Py_ssize_t> (key >> 7) & mask
    while keys[place] != key and keys[place] != 0:
        place = (place + 1) & mask
    return place


cdef int32_t check_table(const uint64_t[::1] keys) except -1:
    """Refuse what is no table: its length is a power of 2, and it is not full."""
    cdef Py_ssize_t room = keys.shape[0], place
    if room < 2 or room & (room - 1):
        raise ValueError("the length of a table is a power of 2")
    for place in range(room):
        if keys[place] == 0:
            return 0
    raise ValueError("the table is full")


def cut(const int32_t[::1] tag, const int32_t[::1] size, const int32_t[::1] depth, const int32_t[::1] text_start,
        const int32_t[::1] attribute_start, const int32_t[::1] attribute_name, const int32_t[::1] value_start,
        const unsigned char[::1] values, int32_t class_number, const int32_t[::1] parents, int32_t level,
        const uint64_t[::1] keys, const uint8_t[::1] roles):
    """The children of some elements, their symbols and roles, and the records; see `wrapping.pyi`."""
    cdef Py_ssize_t nodes = size.shape[0], number, total = 0, at = 0, entry
    cdef Attributes of = attributes_of(size, attribute_start, attribute_name, value_start, values, class_number)
    cdef int32_t child, end, records = 0, unknown = 0
    cdef uint8_t role
    cdef bint is_open
    cdef int32_t[::1] children
    cdef uint64_t[::1] symbols
    cdef uint8_t[::1] found_roles
    cdef int32_t[:, ::1] spans
    if tag.shape[0] != nodes or depth.shape[0] != nodes or text_start.shape[0] != nodes + 1:
        raise ValueError("arrays that belong together differ in length")
    if roles.shape[0] != keys.shape[0]:
        raise ValueError("keys and roles differ in length")
    check_table(keys)
    for number in range(parents.shape[0]):
        if not 0 <= parents[number] < nodes:
            raise ValueError("an element is not on the page")
        child = parents[number] + 1
        end = parents[number] + size[parents[number]]
        while child < end:
            total += 1
            child += size[child]
    child_array = np.empty(total, dtype=np.int32)
    symbol_array = np.empty(total, dtype=np.uint64)
    role_array = np.empty(total, dtype=np.uint8)
    span_array = np.empty((total, 2), dtype=np.int32)
    children = child_array
    symbols = symbol_array
    found_roles = role_array
    spans = span_array
    with nogil:
        for number in range(parents.shape[0]):
            child = parents[number] + 1
            end = parents[number] + size[parents[number]]
            is_open = False
            while child < end:
                children[at] = child
                symbols[at] = symbol_of(&of, &tag[0], &size[0], &depth[0], &text_start[0], child, level)
                entry = entry_of(&keys[0], keys.shape[0] - 1, symbols[at])
                role = roles[entry] if keys[entry] != 0 else <uint8_t> UNKNOWN
                found_roles[at] = role
                if role == HEAD:
                    spans[records, 0] = child
                    spans[records, 1] = child + size[child]
                    records += 1
                    is_open = True
                elif role == INSIDE and is_open:
                    spans[records - 1, 1] = child + size[child]
                elif role == UNKNOWN:
                    unknown += 1
                else:
                    is_open = False
                at += 1
                child += size[child]
    return span_array[:records], child_array, symbol_array, role_array, unknown


cdef double known_share(const int32_t *tag, const int32_t *parent, int32_t start, int32_t end, const uint64_t *keys, Py_ssize_t room,
                        uint64_t *paths) noexcept nogil:
    """How much of a record has a tag path that is known; `paths` is for its nodes."""
    cdef int32_t node, above, known = 0
    for node in range(start, end):
        above = parent[node] - start
        paths[node - start] = mixed(SEED if above < 0 else paths[above], <uint64_t> tag[node])
        known += keys[entry_of(keys, room - 1, paths[node - start] | 1)] != 0
    return <double> known / (end - start)


def known_shares(const int32_t[::1] tag, const int32_t[::1] parent, const int32_t[:, ::1] spans, const uint64_t[::1] keys):
    """How much of each record has a tag path that is known; see `wrapping.pyi`."""
    cdef Py_ssize_t nodes = tag.shape[0], record
    cdef int32_t longest = 1
    cdef uint64_t *paths
    cdef double[::1] shares
    cdef double least = 1, total = 0
    if parent.shape[0] != nodes or spans.shape[1] != 2:
        raise ValueError("arrays that belong together differ in length")
    check_table(keys)
    for record in range(spans.shape[0]):
        if not 0 <= spans[record, 0] < spans[record, 1] <= nodes:
            raise ValueError("a record is not on the page")
        longest = max(longest, spans[record, 1] - spans[record, 0])
    share_array = np.empty(spans.shape[0], dtype=np.float64)
    shares = share_array
    paths = <uint64_t *>malloc(longest * sizeof(uint64_t))
    if paths == NULL:
        raise MemoryError
    with nogil:
        for record in range(spans.shape[0]):
            shares[record] = known_share(&tag[0], &parent[0], spans[record, 0], spans[record, 1], &keys[0],
                                         keys.shape[0], paths)
            least = min(least, shares[record])
            total += shares[record]
        free(paths)
    return share_array, least, total / spans.shape[0] if spans.shape[0] else 0.0


cdef class Finder:
    """Finds the records of a list on pages; see `wrapping.pyi`."""
    cdef Steps path
    cdef int32_t level
    cdef int32_t class_number
    cdef const uint64_t[::1] keys
    cdef const uint8_t[::1] roles
    cdef const uint64_t[::1] known
    cdef tuple held     # what the path points into

    def __cinit__(self, int32_t class_number, const int32_t[::1] steps, const int32_t[::1] first_token,
                  const int32_t[::1] token_start, const unsigned char[::1] tokens, const int32_t[::1] nth, int32_t level,
                  const uint64_t[::1] keys, const uint8_t[::1] roles, const uint64_t[::1] known):
        if roles.shape[0] != keys.shape[0]:
            raise ValueError("keys and roles differ in length")
        check_table(keys)
        check_table(known)
        self.path = steps_of(steps, first_token, token_start, tokens, nth)
        self.held = (steps, first_token, token_start, tokens, nth)
        self.class_number = class_number
        self.level = level
        self.keys = keys
        self.roles = roles
        self.known = known

    def find(self, const int32_t[::1] tag, const int32_t[::1] size, const int32_t[::1] parent, const int32_t[::1] depth,
             const int32_t[::1] text_start, const int32_t[::1] attribute_start, const int32_t[::1] attribute_name,
             const int32_t[::1] value_start, const unsigned char[::1] values, double least):
        """The records, if they are all as expected; see `wrapping.pyi`."""
        cdef Py_ssize_t nodes = size.shape[0], entry
        cdef Attributes of = attributes_of(size, attribute_start, attribute_name, value_start, values,
                                           self.class_number)
        cdef int32_t found, number, child, end, records = 0, misses = 0, longest = 1, record
        cdef int32_t *frontier
        cdef int32_t *spans
        cdef uint64_t *paths = NULL
        cdef double total = 0
        cdef uint64_t symbol
        cdef uint8_t role
        cdef bint is_open, expected = True
        cdef int32_t[:, ::1] span_view
        cdef double[::1] shares
        if (tag.shape[0] != nodes or parent.shape[0] != nodes or depth.shape[0] != nodes
                or text_start.shape[0] != nodes + 1):
            raise ValueError("arrays that belong together differ in length")
        if nodes == 0:
            return None
        frontier = <int32_t *>malloc((nodes + 1) * (4 * sizeof(int32_t) + 1))
        if frontier == NULL:
            raise MemoryError
        spans = frontier + 2 * (nodes + 1)
        try:
            with nogil:
                found = find_path(&of, &self.path, &tag[0], &size[0], nodes, False, frontier, frontier + nodes + 1,
                                  <uint8_t *>(frontier + 4 * (nodes + 1)), &misses)
                expected = misses == 0
                for number in range(found if expected else 0):
                    child = frontier[number] + 1
                    end = frontier[number] + size[frontier[number]]
                    is_open = False
                    while child < end:
                        symbol = symbol_of(&of, &tag[0], &size[0], &depth[0], &text_start[0], child, self.level)
                        entry = entry_of(&self.keys[0], self.keys.shape[0] - 1, symbol)
                        if self.keys[entry] == 0:
                            expected = False
                            break
                        role = self.roles[entry]
                        if role == HEAD:
                            spans[2 * records] = child
                            spans[2 * records + 1] = child + size[child]
                            records += 1
                            is_open = True
                        elif role == INSIDE and is_open:
                            spans[2 * records - 1] = child + size[child]
                        else:
                            is_open = False
                        child += size[child]
                for record in range(records):
                    longest = max(longest, spans[2 * record + 1] - spans[2 * record])
            if not expected or not records:
                return None
            paths = <uint64_t *>malloc(longest * sizeof(uint64_t))
            if paths == NULL:
                raise MemoryError
            share_array = np.empty(records, dtype=np.float64)
            span_array = np.empty((records, 2), dtype=np.int32)
            shares = share_array
            span_view = span_array
            with nogil:
                memcpy(&span_view[0, 0], spans, 2 * records * sizeof(int32_t))
                for record in range(records):
                    shares[record] = known_share(&tag[0], &parent[0], spans[2 * record], spans[2 * record + 1],
                                                 &self.known[0], self.known.shape[0], paths)
                    expected &= shares[record] >= least
                    total += shares[record]
        finally:
            free(frontier)
            free(paths)
        return (span_array, share_array, total / records) if expected else None


cdef uint64_t classes_down_to(const Attributes *of, const int32_t *parent, uint64_t *known, int32_t node) noexcept nogil:
    """A hash of the classes from the root down to a node; `known` keeps those of all nodes on the way, 0 if not yet."""
    cdef int32_t top = node, below
    # The links upwards are walked twice, and never further than to a node that is known.
    while parent[top] >= 0 and known[parent[top]] == 0:
        top = parent[top]
    while True:
        known[top] = mixed(SEED if parent[top] < 0 else known[parent[top]], class_hash(of, top)) | 1
        if top == node:
            return known[node]
        below = node
        while parent[below] != top:
            below = parent[below]
        top = below


def recognise(const int32_t[::1] tag, const int32_t[::1] parent, const int32_t[::1] size, const int32_t[::1] attribute_start,
              const int32_t[::1] attribute_name, const int32_t[::1] value_start, const unsigned char[::1] values,
              int32_t class_number, const uint64_t[::1] keys, const uint8_t[::1] by_class, const int32_t[::1] first,
              const int32_t[::1] wrappers, const double[::1] votes, const double[::1] least):
    """The wrappers that share paths with a page, and what speaks for each; see `wrapping.pyi`."""
    cdef Py_ssize_t nodes = size.shape[0], room = keys.shape[0], count = least.shape[0], entry, place, i
    cdef Attributes of = attributes_of(size, attribute_start, attribute_name, value_start, values, class_number)
    cdef int32_t node, found = 0, number, _way
    cdef uint64_t key
    cdef uint64_t *paths
    cdef uint64_t *classes
    cdef uint8_t *seen
    cdef double *sums
    cdef int32_t *touched
    cdef int32_t[::1] numbers
    cdef double[::1] totals
    if tag.shape[0] != nodes or parent.shape[0] != nodes:
        raise ValueError("arrays that belong together differ in length")
    if by_class.shape[0] != room or votes.shape[0] != room or first.shape[0] != room + 1:
        raise ValueError("tables differ in length")
    check_table(keys)
    if first[0] < 0 or first[room] > wrappers.shape[0]:
        raise ValueError("the wrappers of an entry are not within theirs")
    for i in range(wrappers.shape[0]):
        if not 0 <= wrappers[i] < count:
            raise ValueError("a wrapper is not one of those")
    paths = <uint64_t *>malloc((nodes + 1) * sizeof(uint64_t))
    classes = <uint64_t *>calloc(nodes + 1, sizeof(uint64_t))
    seen = <uint8_t *>calloc(room, 1)
    sums = <double *>calloc(count + 1, sizeof(double))
    touched = <int32_t *>malloc((count + 1) * sizeof(int32_t))
    try:
        if paths == NULL or classes == NULL or seen == NULL or sums == NULL or touched == NULL:
            raise MemoryError
        with nogil:
            for node in range(nodes):
                paths[node] = mixed(SEED if parent[node] < 0 else paths[parent[node]], <uint64_t> tag[node])
                key = paths[node] | 1
                for _way in range(2):
                    entry = entry_of(&keys[0], room - 1, key)
                    if keys[entry] == 0:
                        break
                    if not seen[entry]:
                        seen[entry] = 1
                        for place in range(first[entry], first[entry + 1]):
                            number = wrappers[place]
                            if sums[number] == 0:
                                touched[found] = number
                                found += 1
                            sums[number] += votes[entry]
                    if not by_class[entry]:
                        break
                    key = mixed(key, classes_down_to(&of, &parent[0], classes, node)) | 1
        number_array = np.empty(found, dtype=np.int32)
        total_array = np.empty(found, dtype=np.float64)
        numbers = number_array
        totals = total_array
        for i in range(found):
            numbers[i] = touched[i]
            totals[i] = sums[touched[i]] + least[touched[i]]
    finally:
        free(paths)
        free(classes)
        free(seen)
        free(sums)
        free(touched)
    return number_array, total_array
