"""Selection: which nodes of a page stay, and the node arrays of these alone.
One pass measures what the nodes that stay hold, a second one copies it."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memcpy

import numpy as np

cdef enum:
    NO_NODE = -1


def spanned(const int32_t[:, ::1] spans not None, const int32_t[::1] parent not None, int32_t body):
    """The nodes of spans, their ancestors, and all before the body; see `selection.pyi`."""
    cdef int32_t n = parent.shape[0], node, count = 0
    cdef Py_ssize_t span
    for span in range(spans.shape[0]):
        if not 0 <= spans[span, 0] <= spans[span, 1] <= n:
            raise ValueError(f"span {span} is not within the {n} nodes")
    if not 0 <= body <= n:
        raise ValueError(f"the body is not within the {n} nodes")
    cdef uint8_t[::1] stays = np.zeros(n, dtype=np.uint8)
    found = np.empty(n, dtype=np.int32)
    cdef int32_t[::1] nodes = found
    with nogil:
        for node in range(body):
            stays[node] = True
        for span in range(spans.shape[0]):
            for node in range(spans[span, 0], spans[span, 1]):
                stays[node] = True
        for node in range(n - 1, 0, -1):  # children before their parents
            if stays[node]:
                stays[parent[node]] = True
        for node in range(n):
            nodes[count] = node
            count += stays[node]
    return found[:count].copy()


def select(
    const int32_t[::1] kept not None,
    const int32_t[::1] tag not None,
    const int32_t[::1] parent not None,
    const int32_t[::1] size not None,
    const int32_t[::1] depth not None,
    const int32_t[::1] text_start not None,
    const int32_t[::1] attribute_start not None,
    const int32_t[::1] attribute_name not None,
    const int32_t[::1] value_start not None,
    bytes text not None,
    bytes values not None,
    const int32_t[::1] script_start not None,
):
    """The node arrays of these nodes alone; see `selection.pyi`."""
    cdef Py_ssize_t n = tag.shape[0], m = kept.shape[0], k
    cdef int32_t node, before = NO_NODE, attribute, start, end
    cdef int32_t attributes = 0, text_bytes = 0, value_bytes = 0
    cdef int32_t script_bytes = len(values) - script_start[0]
    # number[i]: how many nodes are kept before node i, which is what a kept node is called from now on.
    cdef int32_t[::1] number = np.zeros(n + 1, dtype=np.int32)
    for k in range(m):
        node = kept[k]
        if not before < node < n:
            raise ValueError(f"the nodes kept must rise from 0 and be below {n}, but {node} follows {before}")
        before = node
        number[node + 1] = 1
        if parent[node] != NO_NODE and number[parent[node] + 1] == 0:
            raise ValueError(f"node {node} is to be kept without its parent {parent[node]}")
        attributes += attribute_start[node + 1] - attribute_start[node]
        text_bytes += text_start[node + 1] - text_start[node]
        value_bytes += value_start[attribute_start[node + 1]] - value_start[attribute_start[node]]

    new_tag, new_parent, new_size, new_depth = (np.empty(m, dtype=np.int32) for _ in range(4))
    new_text_start, new_attribute_start = (np.empty(m + 1, dtype=np.int32) for _ in range(2))
    new_attribute_name = np.empty(attributes, dtype=np.int32)
    new_value_start = np.empty(attributes + 1, dtype=np.int32)
    new_script_start = np.empty(script_start.shape[0], dtype=np.int32)
    cdef bytes new_text = PyBytes_FromStringAndSize(NULL, text_bytes)
    cdef bytes new_values = PyBytes_FromStringAndSize(NULL, value_bytes + script_bytes)
    cdef int32_t[::1] tags = new_tag, parents = new_parent, sizes = new_size, depths = new_depth
    cdef int32_t[::1] text_starts = new_text_start, attribute_starts = new_attribute_start
    cdef int32_t[::1] names = new_attribute_name, value_starts = new_value_start, script_starts = new_script_start
    cdef const char *old_text_at = PyBytes_AS_STRING(text)
    cdef const char *old_values_at = PyBytes_AS_STRING(values)
    cdef char *text_at = PyBytes_AS_STRING(new_text)
    cdef char *values_at = PyBytes_AS_STRING(new_values)
    with nogil:
        for k in range(n):
            number[k + 1] += number[k]
        attributes = text_bytes = value_bytes = 0
        for k in range(m):
            node = kept[k]
            tags[k] = tag[node]
            parents[k] = NO_NODE if parent[node] == NO_NODE else number[parent[node]]
            sizes[k] = number[node + size[node]] - number[node]
            depths[k] = depth[node]
            text_starts[k] = text_bytes
            start, end = text_start[node], text_start[node + 1]
            memcpy(text_at + text_bytes, old_text_at + start, end - start)
            text_bytes += end - start
            attribute_starts[k] = attributes
            for attribute in range(attribute_start[node], attribute_start[node + 1]):
                names[attributes] = attribute_name[attribute]
                value_starts[attributes] = value_bytes
                attributes += 1
                start, end = value_start[attribute], value_start[attribute + 1]
                memcpy(values_at + value_bytes, old_values_at + start, end - start)
                value_bytes += end - start
        text_starts[m] = text_bytes
        attribute_starts[m] = attributes
        value_starts[attributes] = value_bytes
        memcpy(values_at + value_bytes, old_values_at + script_start[0], script_bytes)
        for k in range(script_start.shape[0]):
            script_starts[k] = script_start[k] - script_start[0] + value_bytes
    return (
        new_tag, new_parent, new_size, new_depth, new_text_start, new_attribute_start, new_attribute_name,
        new_value_start, new_text, new_values, new_script_start,
    )
