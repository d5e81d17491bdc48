"""Attributes that hold data: those of microdata and RDFa by their numbers, and those that begin like JSON.
One pass over the numbers of all attributes; what is found is rare."""

from libc.stdint cimport int32_t

from fastwrap._core.common.page cimport NativePage, PageArrays, value_length


cdef inline int32_t node_of(const PageArrays *page, int32_t node, int32_t entry) noexcept nogil:
    """The node that has an attribute, which is this one or a later one."""
    while page.attribute_start[node + 1] <= entry:
        node += 1
    return node


def with_names(NativePage native not None, int32_t first, int32_t second):
    """The nodes that have attributes of two numbers; see `attributes.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef int32_t entry, name, node = 0
    cdef list one = [], other = []
    for entry in range(page.entries):
        name = page.attribute_name[entry]
        if name == first or name == second:
            node = node_of(page, node, entry)
            if name == first:
                one.append(node)
            if name == second:
                other.append(node)
    return one, other


def with_json(NativePage native not None, int32_t custom, int32_t least):
    """The attributes that may hold JSON; see `attributes.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef int32_t entry, node = 0
    cdef unsigned char byte
    cdef list nodes = [], entries = []
    for entry in range(page.entries):
        if page.attribute_name[entry] >= custom and value_length(page, entry) >= (least if least > 1 else 1):
            byte = page.values[page.value_start[entry]]
            if byte == c"{" or byte == c"[":
                node = node_of(page, node, entry)
                nodes.append(node)
                entries.append(entry)
    return nodes, entries
