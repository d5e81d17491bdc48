"""Recognises the site of a page: which of many wrappers share tag paths and classes with it.
One pass over the page, whatever the number of wrappers; paths are looked up in one table of all of them."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from fastwrap._core.common.buffers cimport data_of, held, held_numbers
from fastwrap._core.common.page cimport NO_NODE, NativePage, PageArrays
from fastwrap._core.common.scratch cimport piece, put_back, take
from fastwrap._core.wrapper.hashes cimport SEED, KeyTable, class_hash, entry_of, held_starts, mixed, open_table

import numpy as np

cdef object empty = np.empty, INT32 = np.dtype(np.int32), FLOAT64 = np.dtype(np.float64)


cdef struct PathIndex:
    # `fastwrap.wrapper.choosing.PathIndex`, which says what the arrays are.
    int32_t count               # wrappers
    KeyTable paths
    const uint8_t *by_class
    const int32_t *first
    const int32_t *wrappers
    const double *votes
    const double *least


cdef struct Tally:
    # What speaks for the wrappers, so far.
    int32_t count               # wrappers that something speaks for ...
    int32_t *touched            # ... and which
    double *votes               # [wrappers] 0 for the others
    uint8_t *seen               # [entries] whether the page has the path


cdef inline void vote(const PathIndex *index, Py_ssize_t entry, Tally *tally) noexcept nogil:
    """Count the votes of a path that the page has, once."""
    cdef int32_t place, wrapper
    if tally.seen[entry]:
        return
    tally.seen[entry] = 1
    for place in range(index.first[entry], index.first[entry + 1]):
        wrapper = index.wrappers[place]
        if tally.votes[wrapper] == 0:
            tally.touched[tally.count] = wrapper
            tally.count += 1
        tally.votes[wrapper] += index.votes[entry]


cdef uint64_t classes_down_to(const PageArrays *page, uint64_t *known, int32_t node) noexcept nogil:
    """A hash of the classes from the root down to a node; `known` keeps those of all nodes on the way, 0 if not yet."""
    cdef int32_t top = node, below
    # The links upwards are walked twice, and never further than to a node that is known.
    while page.parent[top] != NO_NODE and known[page.parent[top]] == 0:
        top = page.parent[top]
    while True:
        known[top] = mixed(SEED if page.parent[top] == NO_NODE else known[page.parent[top]], class_hash(page, top)) | 1
        if top == node:
            return known[node]
        below = node
        while page.parent[below] != top:
            below = page.parent[below]
        top = below


cdef void count_votes(const PageArrays *page, const PathIndex *index, uint64_t *paths, uint64_t *classes,
                      Tally *tally) noexcept nogil:
    """Look up the path of every node, and the path with its classes where the index asks for that."""
    cdef int32_t node
    cdef Py_ssize_t entry
    for node in range(page.count):
        paths[node] = mixed(SEED if node == 0 else paths[page.parent[node]], <uint64_t>page.tag[node])
        entry = entry_of(&index.paths, paths[node] | 1)
        if index.paths.keys[entry] == 0:
            continue
        vote(index, entry, tally)
        if index.by_class[entry]:
            entry = entry_of(&index.paths, mixed(paths[node] | 1, classes_down_to(page, classes, node)) | 1)
            if index.paths.keys[entry] != 0:
                vote(index, entry, tally)


cdef class Recogniser:
    """Recognises the pages of many wrappers; see `recognising.pyi`."""
    cdef PathIndex index
    cdef tuple arrays           # what the struct points into

    def __cinit__(self, index):
        cdef Py_ssize_t room, place
        keys, by_class, first, wrappers, votes, least = self.arrays = tuple(index)
        open_table(&self.index.paths, keys)
        room = self.index.paths.mask + 1
        self.index.count = len(least)
        self.index.by_class = <const uint8_t *>held(by_class, room, 1)
        self.index.first = held_starts(first, room, len(wrappers))
        self.index.wrappers = held_numbers(wrappers, len(wrappers))
        self.index.votes = <const double *>held(votes, room, sizeof(double))
        self.index.least = <const double *>held(least, self.index.count, sizeof(double))
        for place in range(len(wrappers)):
            if not 0 <= self.index.wrappers[place] < self.index.count:
                raise ValueError("a wrapper is not one of those")

    def recognise(self, NativePage native not None):
        """The wrappers that share paths with a page, and what speaks for each; see `recognising.pyi`."""
        cdef const PageArrays *page = &native.arrays
        cdef size_t hashes = <size_t>page.count * sizeof(uint64_t), room = self.index.paths.mask + 1
        cdef size_t count = self.index.count
        cdef uint64_t *paths
        cdef uint64_t *classes
        cdef int32_t *numbers
        cdef double *totals
        cdef Tally tally
        cdef int32_t k
        cdef char *block
        cdef char *at
        block = at = <char *>take(2 * hashes + count * (sizeof(double) + sizeof(int32_t)) + room + 80)
        try:
            paths, tally.touched = <uint64_t *>piece(&at, hashes), <int32_t *>piece(&at, count * sizeof(int32_t))
            classes, tally.votes = <uint64_t *>piece(&at, hashes), <double *>piece(&at, count * sizeof(double))
            tally.seen = <uint8_t *>piece(&at, room)
            tally.count = 0
            memset(classes, 0, at - <char *>classes)
            with nogil:
                count_votes(page, &self.index, paths, classes, &tally)
            number_array, total_array = empty(tally.count, INT32), empty(tally.count, FLOAT64)
            numbers, totals = <int32_t *>data_of(number_array), <double *>data_of(total_array)
            for k in range(tally.count):
                numbers[k] = tally.touched[k]
                totals[k] = tally.votes[numbers[k]] + self.index.least[numbers[k]]
        finally:
            put_back(block)
        return number_array, total_array
