"""What markup says of the items of records: the elements that they are in, and the attributes of these."""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int32_t

from fastwrap._core.common.names cimport TEXT
from fastwrap._core.common.page cimport NO_ENTRY, NativePage, PageArrays, attribute_of, value_length

cdef enum:
    MOST_LEVELS = 3


cdef int32_t checked(const PageArrays *page, node) except -1:
    if not 0 <= node < page.count:
        raise ValueError(f"there is no node {node} among the {page.count} of the page")
    return node


def elements(NativePage native not None, list nodes not None, list tops not None):
    """The elements around nodes of records; see `markup.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef int32_t node, top
    cdef Py_ssize_t i
    cdef list found = [], levels
    if len(nodes) != len(tops):
        raise ValueError("there is a top for each node")
    for i in range(len(nodes)):
        node = checked(page, nodes[i])
        top = checked(page, tops[i])
        if page.tag[node] == TEXT:
            node = page.parent[node]
        levels = []
        while node >= top and len(levels) < MOST_LEVELS:
            levels.append(node)
            node = page.parent[node]
        found.append(levels)
    return found


def values(NativePage native not None, node, list names not None):
    """Values of attributes of an element; see `markup.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef int32_t element = checked(page, node), entry
    cdef list found = []
    for name in names:
        entry = attribute_of(page, element, name)
        found.append("" if entry == NO_ENTRY else PyUnicode_DecodeUTF8(
            <const char *>page.values + page.value_start[entry], value_length(page, entry), "replace"))
    return found
