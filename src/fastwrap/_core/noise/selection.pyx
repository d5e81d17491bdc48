"""Selection: which nodes of a page stay, and the node arrays of these alone.
One pass measures what the nodes that stay hold, a second one copies it."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memcpy, memset

from fastwrap._core.common.buffers cimport data_of, held_numbers
from fastwrap._core.common.page cimport NO_NODE, NativePage, PageArrays, Spans, open_spans, subtree_end
from fastwrap._core.common.scratch cimport put_back, take

import numpy as np

cdef object empty = np.empty, INT32 = np.dtype(np.int32)


def spanned(NativePage native not None, spans not None):
    """The nodes of spans, their ancestors, and all before the body; see `selection.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef Spans kept
    cdef int32_t span, node, count = 0
    cdef uint8_t *stays
    cdef int32_t *nodes
    open_spans(&kept, spans, page)
    found = empty(page.count, INT32)
    nodes = <int32_t *>data_of(found)
    stays = <uint8_t *>take(page.count)
    with nogil:
        memset(stays, 0, page.count)
        memset(stays, True, page.body)
        for span in range(kept.count):
            memset(stays + kept.bounds[2 * span], True, kept.bounds[2 * span + 1] - kept.bounds[2 * span])
        for node in range(page.count - 1, 0, -1):  # children before their parents
            if stays[node]:
                stays[page.parent[node]] = True
        for node in range(page.count):
            nodes[count] = node
            count += stays[node]
        put_back(stays)
    return found[:count].copy()


cdef struct SmallerPage:
    # The arrays of the nodes that stay, as they are filled in; the fields are those of `PageArrays`.
    int32_t *tag
    int32_t *parent
    int32_t *size
    int32_t *depth
    int32_t *text_start
    char *text
    int32_t *attribute_start
    int32_t *attribute_name
    int32_t *value_start
    char *values
    int32_t count, entries, text_bytes, value_bytes


cdef int measure(SmallerPage *smaller, const PageArrays *page, const int32_t *kept, int32_t *number) except -1:
    """Count what the nodes hold. number[i] becomes how many nodes are kept before node i, which is what a kept node is
    called from now on. ValueError for nodes that are not in order, or without their parents."""
    cdef int32_t k, node, before = NO_NODE
    memset(number, 0, (<size_t>page.count + 1) * sizeof(int32_t))
    smaller.entries = smaller.text_bytes = smaller.value_bytes = 0
    for k in range(smaller.count):
        node = kept[k]
        if not before < node < page.count:
            raise ValueError(f"the nodes kept must rise from 0 and be below {page.count}, but {node} follows {before}")
        before = node
        number[node + 1] = 1
        if page.parent[node] != NO_NODE and number[page.parent[node] + 1] == 0:
            raise ValueError(f"node {node} is to be kept without its parent {page.parent[node]}")
        smaller.entries += page.attribute_start[node + 1] - page.attribute_start[node]
        smaller.text_bytes += page.text_start[node + 1] - page.text_start[node]
        smaller.value_bytes += (page.value_start[page.attribute_start[node + 1]]
                                - page.value_start[page.attribute_start[node]])
    for k in range(page.count):
        number[k + 1] += number[k]
    return 0


cdef void part_last(SmallerPage *smaller, const PageArrays *page, int32_t last, int32_t start) noexcept nogil:
    """Put a space behind the last text where the one that it touched is not kept: the next starts at `start`."""
    if last != NO_NODE and page.text_start[last + 1] != start:
        smaller.text[smaller.text_bytes - 1] = c" "


cdef void copy(SmallerPage *smaller, const PageArrays *page, const int32_t *kept, const int32_t *number) noexcept nogil:
    """Copy what the nodes hold."""
    cdef int32_t k, node, entry, start, length, last = NO_NODE
    smaller.entries = smaller.text_bytes = smaller.value_bytes = 0
    for k in range(smaller.count):
        node = kept[k]
        smaller.tag[k] = page.tag[node]
        smaller.parent[k] = NO_NODE if page.parent[node] == NO_NODE else number[page.parent[node]]
        smaller.size[k] = number[subtree_end(page, node)] - number[node]
        smaller.depth[k] = page.depth[node]
        smaller.text_start[k] = smaller.text_bytes
        start = page.text_start[node]
        length = page.text_start[node + 1] - start
        if length != 0:
            part_last(smaller, page, last, start)
            last = node
            memcpy(smaller.text + smaller.text_bytes, page.text + start, length)
            smaller.text_bytes += length
        smaller.attribute_start[k] = smaller.entries
        for entry in range(page.attribute_start[node], page.attribute_start[node + 1]):
            smaller.attribute_name[smaller.entries] = page.attribute_name[entry]
            smaller.value_start[smaller.entries] = smaller.value_bytes
            smaller.entries += 1
            start = page.value_start[entry]
            length = page.value_start[entry + 1] - start
            memcpy(smaller.values + smaller.value_bytes, page.values + start, length)
            smaller.value_bytes += length
    part_last(smaller, page, last, NO_NODE)
    smaller.text_start[smaller.count] = smaller.text_bytes
    smaller.attribute_start[smaller.count] = smaller.entries
    smaller.value_start[smaller.entries] = smaller.value_bytes


def select(NativePage native not None, kept not None):
    """The node arrays of these nodes alone; see `selection.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef SmallerPage smaller
    cdef const int32_t *nodes
    cdef int32_t *number
    cdef bytes values = native.node_arrays.values
    script_start = native.node_arrays.script_start
    cdef Py_ssize_t scripts = script_start[0]
    if not 0 <= scripts <= len(values):
        raise ValueError("the scripts are not within the values of the page")
    smaller.count = len(kept)
    nodes = held_numbers(kept, smaller.count)
    number = <int32_t *>take((<size_t>page.count + 1) * sizeof(int32_t))
    try:
        measure(&smaller, page, nodes, number)
        tag, parent, size, depth = (empty(smaller.count, INT32) for _ in range(4))
        text_start, attribute_start = empty(smaller.count + 1, INT32), empty(smaller.count + 1, INT32)
        attribute_name, value_start = empty(smaller.entries, INT32), empty(smaller.entries + 1, INT32)
        text = PyBytes_FromStringAndSize(NULL, smaller.text_bytes)
        new_values = PyBytes_FromStringAndSize(NULL, smaller.value_bytes + len(values) - scripts)
        smaller.tag = <int32_t *>data_of(tag)
        smaller.parent = <int32_t *>data_of(parent)
        smaller.size = <int32_t *>data_of(size)
        smaller.depth = <int32_t *>data_of(depth)
        smaller.text_start = <int32_t *>data_of(text_start)
        smaller.attribute_start = <int32_t *>data_of(attribute_start)
        smaller.attribute_name = <int32_t *>data_of(attribute_name)
        smaller.value_start = <int32_t *>data_of(value_start)
        smaller.text = PyBytes_AS_STRING(text)
        smaller.values = PyBytes_AS_STRING(new_values)
        with nogil:
            copy(&smaller, page, nodes, number)
        memcpy(smaller.values + smaller.value_bytes, PyBytes_AS_STRING(values) + scripts, len(values) - scripts)
    finally:
        put_back(number)
    return (tag, parent, size, depth, text_start, attribute_start, attribute_name, value_start, text, new_values,
            script_start + np.int32(smaller.value_bytes - scripts),
            native.node_arrays.noscript_start + np.int32(smaller.value_bytes - scripts))
