"""Opens a page for the kernels: takes over its arrays and checks them, so that no kernel has to."""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int32_t
from libc.string cimport memchr

from fastwrap._core.common.buffers cimport held, held_numbers
from fastwrap._core.common.names cimport TAG_BODY


cdef int check_bounds(const PageArrays *page, Py_ssize_t text_bytes, Py_ssize_t value_bytes) except -1:
    """Raise ValueError for numbers that point out of the arrays.

    What must not be negative is collected by its sign and without branches, so that compilers vectorise the loops:
    every page pays for them. Differences of numbers that are not negative do not overflow.
    """
    cdef int32_t node, entry, count = page.count, below = 0
    for node in range(1, count):
        below |= page.parent[node] | (node - 1 - page.parent[node])
    for node in range(count):
        below |= (page.size[node] | (page.size[node] - 1) | (count - node - page.size[node]) | page.tag[node]
                  | page.attribute_start[node] | (page.attribute_start[node + 1] - page.attribute_start[node])
                  | page.text_start[node] | (page.text_start[node + 1] - page.text_start[node]))
    for entry in range(page.entries):
        below |= (page.attribute_name[entry] | page.value_start[entry]
                  | (page.value_start[entry + 1] - page.value_start[entry]))
    below |= page.attribute_start[count] | page.text_start[count] | page.value_start[page.entries]
    if (below < 0 or page.parent[0] != NO_NODE or page.size[0] != count or page.attribute_start[count] > page.entries
            or page.text_start[count] > text_bytes or page.value_start[page.entries] > value_bytes):
        raise ValueError("the arrays are not those of a page")
    return 0


cdef bint is_tree(const PageArrays *page) noexcept nogil:
    """Whether parents and sizes, which are within bounds, and depths are those of one tree in document order.

    The parent of a node is the node before it, or the nearest ancestor of that one whose subtree goes on: a climb that
    passes every node once.
    """
    cdef int32_t node, above
    if page.depth[0] != 0:
        return False
    for node in range(1, page.count):
        above = node - 1
        while subtree_end(page, above) <= node:
            above = page.parent[above]
        if (page.parent[node] != above or subtree_end(page, node) > subtree_end(page, above)
                or page.depth[node] != page.depth[above] + 1):
            return False
    return True


cdef class NativePage:
    """The arrays of a page, opened and checked; see `page.pyi`."""

    def __cinit__(self, node_arrays not None):
        cdef PageArrays *page = &self.arrays
        (tag, parent, size, depth, text_start, attribute_start, attribute_name, value_start, text, values,
         _, _) = node_arrays
        cdef Py_ssize_t count = len(tag), entries = len(attribute_name)
        if count == 0:
            raise ValueError("there are no nodes")
        if count > 0x7FFFFFFE or entries > 0x7FFFFFFE:
            raise ValueError("there are more nodes or attributes than 32-bit numbers have place for")
        self.node_arrays = node_arrays
        page.count = <int32_t>count
        page.entries = <int32_t>entries
        page.tag = held_numbers(tag, count)
        page.parent = held_numbers(parent, count)
        page.size = held_numbers(size, count)
        page.depth = held_numbers(depth, count)
        page.text_start = held_numbers(text_start, count + 1)
        page.attribute_start = held_numbers(attribute_start, count + 1)
        page.attribute_name = held_numbers(attribute_name, entries)
        page.value_start = held_numbers(value_start, entries + 1)
        page.text = <const unsigned char *>held(text, len(text), 1)
        page.values = <const unsigned char *>held(values, len(values), 1)
        check_bounds(page, len(text), len(values))
        if not is_tree(page):
            raise ValueError("the arrays are not those of a tree")
        page.body = 1
        while page.body < page.count and page.tag[page.body] != TAG_BODY:
            page.body += page.size[page.body]
        if page.body >= page.count:
            page.body = 0
        page.body_end = subtree_end(page, page.body)

    @property
    def body(self):
        """The body element; see `page.pyi`."""
        return self.arrays.body

    def attributes(self, int32_t node, names not None, custom_names not None):
        """The attributes of a node; see `page.pyi`."""
        cdef const PageArrays *page = &self.arrays
        cdef int32_t entry, name, known = <int32_t>len(names)
        cdef dict found = {}
        if not 0 <= node < page.count:
            raise IndexError("there is no such node")
        for entry in range(page.attribute_start[node], page.attribute_start[node + 1]):
            name = page.attribute_name[entry]
            found[names[name] if 0 <= name < known else custom_names[name]] = PyUnicode_DecodeUTF8(
                <const char *>page.values + page.value_start[entry], value_length(page, entry), "replace")
        return found

    def text(self, int32_t start, int32_t end):
        """The text of some nodes; see `page.pyi`."""
        cdef const PageArrays *page = &self.arrays
        cdef const char *at
        cdef int32_t length
        if not 0 <= start <= end <= page.count:
            raise IndexError("there are no such nodes")
        at = <const char *>page.text + page.text_start[start]
        length = page.text_start[end] - page.text_start[start] - 1  # without what stands behind the last text
        if length <= 0:
            return ""
        if memchr(at, TOUCHES, length) == NULL:
            return PyUnicode_DecodeUTF8(at, length, "replace")
        return (<bytes>at[:length]).replace(b"\xff", b"").decode("utf-8", "replace")


cdef int open_spans(Spans *spans, array, const PageArrays *page) except -1:
    """Take over an array of spans, [k, 2], that the caller keeps alive; ValueError for spans outside the page."""
    cdef int32_t k
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError("a span is a first node and the one after the last")
    spans.count = len(array)
    spans.bounds = held_numbers(array, 2 * <size_t>spans.count)
    for k in range(spans.count):
        if not 0 <= spans.bounds[2 * k] < spans.bounds[2 * k + 1] <= page.count:
            raise ValueError(f"span {k} is not within the {page.count} nodes of the page")
    return 0
