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


cdef inline bint may_be_json(const PageArrays *page, int32_t entry, int32_t least) noexcept nogil:
    """Whether a value is long enough, and begins like JSON."""
    cdef int32_t length = value_length(page, entry)
    return (length > 0 and length >= least and (page.values[page.value_start[entry]] == c"{"
                                                or page.values[page.value_start[entry]] == c"["))


def has_data(NativePage native not None, int32_t first, int32_t second, int32_t custom, int32_t least):
    """Whether there is anything to be found; see `attributes.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef int32_t entry, name
    for entry in range(page.entries):
        name = page.attribute_name[entry]
        if name == first or name == second or name >= custom and may_be_json(page, entry, least):
            return True
    return False


def with_json(NativePage native not None, int32_t custom, int32_t least):
    """The attributes that may hold JSON; see `attributes.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef int32_t entry, node = 0
    cdef list nodes = [], entries = []
    for entry in range(page.entries):
        if page.attribute_name[entry] >= custom and may_be_json(page, entry, least):
            node = node_of(page, node, entry)
            nodes.append(node)
            entries.append(entry)
    return nodes, entries
