# What the parse takes from the walk: the arena of a page, and the steps from a tree to its arrays.

from libc.stdint cimport int32_t, uintptr_t

from fastwrap._core.page.lexbor cimport fw_node, fw_string

cdef enum:
    NO_NODE = -1
    TEXT = 0
    CUSTOM = 1 << 30     # flag: not a number yet, but a place among the names of this page
    FOREIGN_NAME = 1     # flag of the address of an attribute's name: SVG spells some in its own way
    # what a tag number is mapped to besides a number of ours
    UNSEEN = -1          # a number of Lexbor's tables that `layout.py` did not meet: the caller walks the slow way
    LEFT_OUT = -2        # style, template: the whole subtree is skipped
    SCRIPT = -3          # skipped too, but the text of scripts that hold data is kept
    NO_SCRIPT = -4       # skipped too, but markup that is long is kept
    RAW_TEXT = 1 << 29   # flag: the children are markup as text that no browser shows (iframe, noframes, noembed)
    # what is between two texts
    NOTHING = 0
    OPENED = 1           # bits of formatting: that some is opened, ...
    CLOSED = 2           # ... that some is closed, ...
    JOINT = 4            # ... and that it joins
    ANYTHING = 0x80
    # why a walk ended early
    OUT_OF_MEMORY = 1
    UNKNOWN_NUMBER = 2
    TOO_LARGE = 3

cdef struct Names:
    # Names outside Lexbor's static tables, in order of first appearance: an open-addressing table from the
    # address of the name to its place. A page has a few dozen.
    uintptr_t *keys
    int32_t *places
    uintptr_t *addresses
    int32_t count
    int32_t capacity     # a power of two

cdef struct Kept:
    # The text of a script that holds data, or the markup of a noscript.
    const unsigned char *data
    size_t length
    bint is_markup

cdef struct Growing:
    # An arena: the arrays under construction. Capacities double; the buffers hold UTF-8.
    int32_t nodes
    int32_t node_capacity
    int32_t *tag
    int32_t *parent
    int32_t *size
    int32_t *depth
    int32_t *text_start
    int32_t *attribute_start
    int32_t attributes
    int32_t attribute_capacity
    int32_t *attribute_name
    int32_t *value_start
    unsigned char *text
    size_t text_length
    size_t text_capacity
    unsigned char *values
    size_t values_length
    size_t values_capacity
    Kept *scripts
    int32_t script_count
    int32_t script_capacity
    Names tag_names
    Names attribute_names

cdef bint begins_data(const unsigned char *text, size_t length) noexcept nogil
cdef bint is_long_markup(size_t length) noexcept nogil
cdef bint holds_data(const unsigned char *text, size_t length) noexcept nogil
cdef int reserve(unsigned char **buffer, size_t *capacity, size_t wanted) noexcept nogil
cdef int grow_nodes(Growing *page) noexcept nogil
cdef int grow_attributes(Growing *page) noexcept nogil
cdef int grow_scripts(Growing *page) noexcept nogil
cdef int32_t place_of(Names *names, uintptr_t address) noexcept nogil
cdef int space_length(const unsigned char *at, const unsigned char *end) noexcept nogil
cdef bint ends_in_space(const unsigned char *start, const unsigned char *end) noexcept nogil
cdef int formatting_between(const Growing *page, int32_t text, int32_t end, int32_t parent) noexcept nogil
cdef void touch(Growing *page, int32_t text, int32_t following) noexcept nogil
cdef void part_numbers(Growing *page, int32_t text) noexcept nogil
cdef int add_text(Growing *page, const fw_string *data) noexcept nogil
cdef Growing *take() noexcept nogil
cdef void put_back(Growing *page) noexcept nogil
cdef int walk_tree(Growing *page, fw_node *root, const int32_t *tags, const int32_t *attributes,
                   uintptr_t type_name) noexcept nogil
cdef finished(Growing *page, int failed, dict custom)
