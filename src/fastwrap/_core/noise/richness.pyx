"""Richness: which regions of a page hold most text of most kinds, and what beside them continues them.
Linear in the nodes for each region, and there are few of those."""

from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

import numpy as np

cdef enum:
    TEXT = 0
    NO_KIND = -1

cdef struct Nodes:
    const int32_t *tag
    const int32_t *parent
    const int32_t *size
    const int32_t *depth
    const int32_t *text_start
    int32_t n
    int32_t body
    int32_t known_tags      # tags from here on are one, for the table's sake

cdef struct Work:
    int32_t *kind           # node -> the number of its kind
    int32_t kinds
    int32_t *times          # kind -> how often it was met in what is being counted
    uint8_t *own            # kind -> whether the region has it
    double *text            # node -> text before it, that in links counting less


cdef int number_kinds(const Nodes *nodes, Work *work) except -1 nogil:
    """Number the kinds of node, in order of appearance, by a table of depths and tags."""
    cdef int32_t node, tag, deepest = 0
    cdef size_t columns = 2 * (<size_t>nodes.known_tags + 1), entries, entry
    cdef int32_t *number
    for node in range(nodes.n):
        deepest = max(deepest, nodes.depth[node])
    entries = (<size_t>deepest + 1) * columns
    number = <int32_t *>malloc(entries * sizeof(int32_t))
    if number == NULL:
        raise MemoryError
    memset(number, 0xFF, entries * sizeof(int32_t))  # NO_KIND
    work.kinds = 0
    for node in range(nodes.n):
        tag = nodes.tag[node]
        entry = <size_t>nodes.depth[node] * columns
        if tag == TEXT:
            tag = nodes.tag[nodes.parent[node]]
            entry += nodes.known_tags + 1
        entry += min(tag, nodes.known_tags)
        if number[entry] == NO_KIND:
            number[entry] = work.kinds
            work.kinds += 1
        work.kind[node] = number[entry]
    free(number)
    return 0


cdef void sum_text(const Nodes *nodes, Work *work, int32_t link, double link_weight) noexcept nogil:
    """Sum up the text before each node, that in links counting less."""
    cdef int32_t node, link_end = 0, length
    work.text[0] = 0
    for node in range(nodes.n):
        if nodes.tag[node] == link:
            link_end = max(link_end, node + nodes.size[node])
        length = nodes.text_start[node + 1] - nodes.text_start[node]
        work.text[node + 1] = work.text[node] + (link_weight * length if node < link_end else length)


cdef double score(const Nodes *nodes, Work *work, int32_t start, int32_t end) noexcept nogil:
    """The text of a region, times one more than the kinds of text that it repeats."""
    cdef int32_t node, kind, repeated = 0
    memset(work.times, 0, work.kinds * sizeof(int32_t))
    for node in range(start, end):
        if nodes.tag[node] == TEXT:
            kind = work.kind[node]
            work.times[kind] += 1
            repeated += work.times[kind] == 2
    return (work.text[end] - work.text[start]) * (1 + repeated)


cdef void extend(const Nodes *nodes, Work *work, double alike, int32_t *start, int32_t *end) noexcept nogil:
    """Extend a region over the siblings of it, and of what holds it, whose kinds of node are alike."""
    cdef int32_t first = start[0], last = end[0]
    cdef int32_t node, around, child, child_end, kind, own = 0, other, common
    memset(work.own, 0, work.kinds)
    for node in range(first, last):
        own += not work.own[work.kind[node]]
        work.own[work.kind[node]] = True
    memset(work.times, 0xFF, work.kinds * sizeof(int32_t))  # here: the sibling that a kind was last met in
    around = first
    while around >= nodes.body:
        if around + nodes.size[around] >= last:
            child = around + 1
            while child < around + nodes.size[around]:
                child_end = child + nodes.size[child]
                # Neither in the region nor around it; smaller ones cannot be alike, whatever they hold.
                if ((child < first or child_end > last) and not (child <= first and child_end >= last)
                        and nodes.size[child] >= alike * own):
                    other = common = 0
                    for node in range(child, child_end):
                        kind = work.kind[node]
                        if work.times[kind] != child:
                            work.times[kind] = child
                            other += 1
                            common += work.own[kind]
                    if common >= alike * (own + other - common):  # Jaccard's coefficient
                        start[0] = min(start[0], child)
                        end[0] = max(end[0], child_end)
                child = child_end
        around = nodes.parent[around]


def richest(
    const int32_t[:, ::1] regions not None,
    const int32_t[::1] tag not None,
    const int32_t[::1] parent not None,
    const int32_t[::1] size not None,
    const int32_t[::1] depth not None,
    const int32_t[::1] text_start not None,
    int32_t body,
    int32_t known_tags,
    int32_t link,
    double link_weight,
    double rival,
    double alike,
):
    """The regions that hold most, each with what continues it; see `richness.pyi`."""
    cdef Nodes nodes
    cdef Work work
    cdef Py_ssize_t count = regions.shape[0], region
    cdef int32_t n = tag.shape[0]
    cdef double most = 0
    cdef int32_t kept = 0
    found = np.empty((count, 2), dtype=np.int32)
    scores = np.empty(count, dtype=np.float64)
    cdef int32_t[:, ::1] spans = found
    cdef double[::1] score_of = scores
    for region in range(count):
        if not body <= regions[region, 0] < regions[region, 1] <= n:
            raise ValueError(f"region {region} is not within the body")
    if count == 0:
        return found
    nodes.tag = &tag[0]
    nodes.parent = &parent[0]
    nodes.size = &size[0]
    nodes.depth = &depth[0]
    nodes.text_start = &text_start[0]
    nodes.n = n
    nodes.body = body
    nodes.known_tags = known_tags
    work.text = <double *>malloc((<size_t>n + 1) * sizeof(double) + <size_t>n * (2 * sizeof(int32_t) + 1))
    if work.text == NULL:
        raise MemoryError
    work.kind = <int32_t *>(work.text + n + 1)
    work.times = work.kind + n
    work.own = <uint8_t *>(work.times + n)
    try:
        with nogil:
            number_kinds(&nodes, &work)
            sum_text(&nodes, &work, link, link_weight)
            for region in range(count):
                score_of[region] = score(&nodes, &work, regions[region, 0], regions[region, 1])
                most = max(most, score_of[region])
            for region in range(count):
                if score_of[region] >= rival * most:
                    spans[kept, 0] = regions[region, 0]
                    spans[kept, 1] = regions[region, 1]
                    extend(&nodes, &work, alike, &spans[kept, 0], &spans[kept, 1])
                    kept += 1
    finally:
        free(work.text)
    return found[:kept]
