"""Richness: which regions of a page hold most text of most kinds, and what beside them continues them.
Linear in the nodes for each region, and there are few of those."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from fastwrap._core.common.buffers cimport data_of
from fastwrap._core.common.hashing cimport Numbers, number_of, size_of_numbers, start_numbers
from fastwrap._core.common.names cimport KNOWN_TAGS, TAG_A, TEXT
from fastwrap._core.common.page cimport NativePage, PageArrays, Spans, open_spans, subtree_end
from fastwrap._core.common.scratch cimport numbers, piece, put_back, take

import numpy as np


cdef struct Kinds:
    # The *kind* of a node is its depth and tag; of a text, its depth and the tag that it is in.
    int32_t *kind           # node -> the number of its kind, in order of appearance
    int32_t count
    int32_t *times          # kind -> how often it occurs in what is being counted
    uint8_t *in_region      # kind -> whether the region has it
    double *text            # node -> text before it, that in links counting less


cdef void number_kinds(const PageArrays *page, Kinds *kinds, void *table) noexcept nogil:
    """Number the kinds of node. Tags without a number of their own count as one."""
    cdef Numbers known
    cdef int32_t node, tag
    cdef bint is_text
    start_numbers(&known, table, page.count, page.count // 8)
    kinds.count = 0
    for node in range(page.count):
        is_text = page.tag[node] == TEXT
        tag = page.tag[page.parent[node]] if is_text and node else page.tag[node]
        kinds.kind[node] = number_of(
            &known, <uint64_t>page.depth[node], 2 * min(tag, KNOWN_TAGS) + is_text, &kinds.count)


cdef void sum_text(const PageArrays *page, double link_weight, double *text) noexcept nogil:
    """Sum up the text before each node, that in links counting less."""
    cdef int32_t node, link_end = 0, length
    text[0] = 0
    for node in range(page.count):
        if page.tag[node] == TAG_A:
            link_end = max(link_end, subtree_end(page, node))
        length = page.text_start[node + 1] - page.text_start[node]
        text[node + 1] = text[node] + (link_weight * length if node < link_end else length)


cdef double score(const PageArrays *page, Kinds *kinds, int32_t start, int32_t end) noexcept nogil:
    """The text of a region, times one more than the kinds of text that it repeats."""
    cdef int32_t node, kind, repeated = 0
    memset(kinds.times, 0, kinds.count * sizeof(int32_t))
    for node in range(start, end):
        if page.tag[node] == TEXT:
            kind = kinds.kind[node]
            kinds.times[kind] += 1
            repeated += kinds.times[kind] == 2
    return (kinds.text[end] - kinds.text[start]) * (1 + repeated)


cdef void extend(const PageArrays *page, Kinds *kinds, double alike, int32_t *span) noexcept nogil:
    """Extend a region over the siblings of it, and of what holds it, whose kinds of node are alike."""
    cdef int32_t first = span[0], last = span[1]
    cdef int32_t node, around, child, child_end, kind, kinds_inside = 0, other, common
    memset(kinds.in_region, 0, kinds.count)
    for node in range(first, last):
        kinds_inside += not kinds.in_region[kinds.kind[node]]
        kinds.in_region[kinds.kind[node]] = True
    memset(kinds.times, 0xFF, kinds.count * sizeof(int32_t))  # here: the sibling that a kind was last found in
    around = first
    while around >= page.body:
        if subtree_end(page, around) >= last:
            child = around + 1
            while child < subtree_end(page, around):
                child_end = subtree_end(page, child)
                # Neither in the region nor around it; smaller ones cannot be alike, whatever they hold.
                if ((child < first or child_end > last) and not (child <= first and child_end >= last)
                        and page.size[child] >= alike * kinds_inside):
                    other = common = 0
                    for node in range(child, child_end):
                        kind = kinds.kind[node]
                        if kinds.times[kind] != child:
                            kinds.times[kind] = child
                            other += 1
                            common += kinds.in_region[kind]
                    if common >= alike * (kinds_inside + other - common):  # Jaccard's coefficient
                        span[0] = min(span[0], child)
                        span[1] = max(span[1], child_end)
                child = child_end
        around = page.parent[around]


def richest(NativePage native not None, regions not None, double link_weight, double rival, double alike):
    """The regions that hold most, each with what continues it; see `richness.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef size_t count = page.count
    cdef Spans spans
    cdef Kinds kinds
    cdef double most = 0
    cdef int32_t region, kept = 0
    cdef int32_t *found
    cdef double *scores
    cdef void *table
    cdef void *block
    cdef char *at
    open_spans(&spans, regions, page)
    for region in range(spans.count):
        if spans.bounds[2 * region] < page.body:
            raise ValueError(f"region {region} is not within the body")
    found_array = np.empty((spans.count, 2), np.int32)
    found = <int32_t *>data_of(found_array)
    block = at = <char *>take(
        size_of_numbers(count) + (count + 1 + spans.count) * sizeof(double) + count * (2 * sizeof(int32_t) + 1) + 96)
    with nogil:
        table = piece(&at, size_of_numbers(count))
        kinds.text = <double *>piece(&at, (count + 1) * sizeof(double))
        scores = <double *>piece(&at, spans.count * sizeof(double))
        kinds.kind = numbers(&at, count)
        kinds.times = numbers(&at, count)
        kinds.in_region = <uint8_t *>at
        number_kinds(page, &kinds, table)
        sum_text(page, link_weight, kinds.text)
        for region in range(spans.count):
            scores[region] = score(page, &kinds, spans.bounds[2 * region], spans.bounds[2 * region + 1])
            most = max(most, scores[region])
        for region in range(spans.count):
            if scores[region] >= rival * most:
                found[2 * kept] = spans.bounds[2 * region]
                found[2 * kept + 1] = spans.bounds[2 * region + 1]
                extend(page, &kinds, alike, found + 2 * kept)
                kept += 1
        put_back(block)
    return found_array[:kept]
