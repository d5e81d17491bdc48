"""The native page: all arrays of a page as one C struct, opened and checked once. Every kernel takes this one.
`NativePage` owns the memory; kernels read `&native.arrays`, and need no check of their own."""

from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memcmp

from fastwrap._core.common.names cimport ATTRIBUTE_CLASS

cdef enum:
    NO_NODE = -1                # in place of a node where there is none: the parent of the root
    NO_ENTRY = -1               # in place of an attribute that a node does not have
    TOUCHES = 0xFF              # behind a text that the next one touches; no byte of UTF-8


cdef struct PageArrays:
    # Nodes are elements and texts in document order: the subtree of node i is the nodes [i, i + size[i]). What the
    # arrays hold is described in full in `fastwrap.page.arrays`.
    int32_t count               # nodes; at least one
    const int32_t *tag          # [count] number of the tag name; TEXT for a text
    const int32_t *parent       # [count] NO_NODE for the root
    const int32_t *size         # [count] nodes of the subtree, the node itself included
    const int32_t *depth        # [count] ancestors of the node
    const int32_t *text_start   # [count + 1] the text of subtree i is text[text_start[i]:text_start[i + size[i]]], ...
    const unsigned char *text   # ... UTF-8, each text followed by one byte: a space or TOUCHES
    int32_t entries             # attributes of all nodes
    const int32_t *attribute_start  # [count + 1] those of node i are the entries [start[i], start[i + 1])
    const int32_t *attribute_name   # [entries] number of the name
    const int32_t *value_start  # [entries + 1] the value of entry k is values[value_start[k]:value_start[k + 1]], UTF-8
    const unsigned char *values
    int32_t body                # the body element, or the root where there is none (frames) ...
    int32_t body_end            # ... and the node after its last one

    # By `fastwrap._core.page.symbols`, on first use; NULL before `need_symbols`:
    const int32_t *style_symbol     # [count] one number for each pair of class and style attribute; 0 for neither
    const int32_t *path_symbol      # [count] one number for each tag path with styles, from 0
    const uint8_t *hidden           # [count] whether the node or an ancestor says that it is not shown
    int32_t path_count              # different tag paths with styles
    # NULL before `need_classes`:
    const int32_t *structural_class     # [count] one number for each different subtree, from 1
    int32_t class_count                 # different subtrees


cdef class NativePage:
    cdef PageArrays arrays
    cdef readonly object node_arrays        # the `fastwrap.page.arrays.NodeArrays` that `arrays` points into
    # The computed arrays, as numpy arrays that nobody may change; None until they are needed. They are set once, so
    # that another thread may go on reading through `arrays`.
    cdef readonly object style_symbol
    cdef readonly object path_symbol
    cdef readonly object hidden
    cdef readonly object structural_class


cdef struct Spans:
    # Records or other runs of siblings: run k is the nodes [bounds[2 * k], bounds[2 * k + 1]).
    int32_t count
    const int32_t *bounds


cdef int open_spans(Spans *spans, array, const PageArrays *page) except -1


cdef inline int32_t subtree_end(const PageArrays *page, int32_t node) noexcept nogil:
    """The node after the last one of a subtree."""
    return node + page.size[node]


cdef inline int32_t attribute_of(const PageArrays *page, int32_t node, int32_t name) noexcept nogil:
    """The entry of an attribute of a node, or NO_ENTRY."""
    cdef int32_t entry
    for entry in range(page.attribute_start[node], page.attribute_start[node + 1]):
        if page.attribute_name[entry] == name:
            return entry
    return NO_ENTRY


cdef inline int32_t value_length(const PageArrays *page, int32_t entry) noexcept nogil:
    return page.value_start[entry + 1] - page.value_start[entry]


cdef struct Tokens:
    # The tokens of an attribute, one after the other: what is between white space, as HTML has it for classes.
    const unsigned char *at     # where the next token is looked for
    const unsigned char *end
    const unsigned char *token  # the current one, and ...
    int32_t length              # ... its bytes


cdef inline bint is_space(unsigned char byte) noexcept nogil:
    """White space of HTML: space, tab, line feed, form feed, carriage return."""
    return byte == 32 or (9 <= byte <= 13 and byte != 11)


cdef inline Tokens tokens_of(const PageArrays *page, int32_t entry) noexcept nogil:
    """The tokens of an attribute; none for NO_ENTRY."""
    cdef Tokens tokens
    tokens.at = tokens.end = tokens.token = page.values
    tokens.length = 0
    if entry != NO_ENTRY:
        tokens.at = page.values + page.value_start[entry]
        tokens.end = page.values + page.value_start[entry + 1]
    return tokens


cdef inline bint next_token(Tokens *tokens) noexcept nogil:
    """Move on to the next token; False if there is none."""
    while tokens.at < tokens.end and is_space(tokens.at[0]):
        tokens.at += 1
    tokens.token = tokens.at
    while tokens.at < tokens.end and not is_space(tokens.at[0]):
        tokens.at += 1
    tokens.length = <int32_t>(tokens.at - tokens.token)
    return tokens.length > 0


cdef inline Tokens class_tokens(const PageArrays *page, int32_t node) noexcept nogil:
    """The tokens of the class of a node."""
    return tokens_of(page, attribute_of(page, node, ATTRIBUTE_CLASS))


cdef inline bint has_token(Tokens tokens, const unsigned char *token, int32_t length) noexcept nogil:
    """Whether a token is one of those."""
    while next_token(&tokens):
        if tokens.length == length and memcmp(tokens.token, token, length) == 0:
            return True
    return False
