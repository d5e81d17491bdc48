# What the parse takes from the construction of trees: a builder, what it does with a token, and its end.

from libc.stdint cimport int32_t, int64_t, uint16_t, uintptr_t

from fastwrap._core.page.lexbor cimport fw_document, fw_token
from fastwrap._core.page.walk cimport Growing

cdef enum:
    # Alarms: far beyond what pages have, and far below what hurts. `nesting.check` decides what becomes of the page.
    MOST_OPEN = 1_000        # open elements
    MOST_FORMATTING = 100    # formatting elements that are opened again in every block
    LABORIOUS = 200_000_000  # steps of the parser's searches
    FREE_MEMORY = 1 << 25    # bytes of the tree, and ...
    MEMORY_A_BYTE = 64       # ... these for every byte of the page (10 to 20 are usual)
    NAMES_A_STEP = 8         # the parser's tables of names have few chains, so a look-up takes names / 8 steps
    MOST_LATE = 8            # html and body tags with attributes, after the first ones
    # why a builder ended early
    GIVEN_UP = 9             # the page needs what is not built here

ctypedef void (*set_state_f)(void *tokenizer, bint scripting, uintptr_t tag, uintptr_t ns) noexcept nogil
ctypedef fw_token *(*token_f)(void *tokenizer, fw_token *token, void *context) noexcept nogil

cdef struct Tables:
    # By Lexbor's number of a tag (the first two) or an attribute: ours, and what the rules need to know.
    const int32_t *tags
    const int32_t *attributes
    const unsigned char *kinds
    const uint16_t *bits
    const uint16_t *foreign_bits
    uintptr_t type_name
    uintptr_t html, head, body, paragraph, column_group, row_group, row, select, option_group, ruby, ruby_container
    uintptr_t font
    set_state_f set_state
    token_f build_tree

cdef struct Open:
    # An open element.
    uintptr_t tag
    int32_t node             # NO_NODE: it is left out of the arrays
    int32_t inner            # the parent of its children; NO_NODE: these are left out
    uint16_t bits
    unsigned char kind       # 0 in foreign content
    bint foreign

cdef struct Place:
    # Where a script is.
    int32_t parent
    int32_t nodes            # that there were before it

cdef struct Builder:
    const Tables *tables
    Growing *page
    void *tokenizer
    void *tree               # Lexbor's, which reads the document type
    fw_document *document
    int status
    int mode
    int original_mode
    bint quirks
    bint foster
    bint skips_newline       # a text that is a line break is dropped here
    bint was_table_text      # the token before was a text where tables do not allow any
    int32_t head
    int32_t form
    int depth
    Open stack[MOST_OPEN + 2]
    int formats
    Open formatting[MOST_FORMATTING + 2]  # a marker has no node
    # The text that was written last, as long as another one may continue it.
    bint text_open
    int32_t text_parent
    int32_t text_before
    int32_t text_last        # where no links are kept: the last text, if the next one may touch it
    unsigned char *text      # scratch memory
    size_t text_capacity
    # Scripts that hold data, end to end.
    bint in_script           # within a script, or a noscript ...
    bint in_markup           # ... which it is
    bint in_json             # ... whose type says JSON, or that looks like it; or that is kept as markup
    unsigned char *json
    size_t json_length
    size_t json_capacity
    unsigned char *places    # a Place for each
    size_t places_capacity
    # Links, from the first time that a node is not the last one of the page.
    bint linked
    int32_t link_capacity
    int32_t *first
    int32_t *last
    int32_t *next
    int32_t *prev
    # Nodes without a place, whose attributes belong to others.
    int late
    int32_t late_node[MOST_LATE]
    int32_t late_owner[MOST_LATE]
    # By the names of attributes, the mark of the last tag with many attributes that had one.
    int64_t *seen
    int64_t seen_capacity
    int64_t tag_mark
    # What the guards count.
    int64_t tokens
    const unsigned char *behind  # in the page, the end of the last token
    int64_t work
    int64_t names            # of the token, that Lexbor's static tables do not have
    int64_t strays           # such names in all, of end tags and of what is ignored or left out
    int64_t memory_limit

cdef Builder *create_builder() noexcept nogil
cdef void destroy_builder(Builder *builder) noexcept nogil
cdef void start_page(Builder *builder, Growing *page, const Tables *tables, void *tokenizer, void *tree,
                     fw_document *document, size_t length) noexcept nogil
cdef fw_token *take_token(void *tokenizer, fw_token *token, void *context) noexcept nogil
cdef int complete(Builder *builder) noexcept nogil
cdef void end_page(Builder *builder) noexcept nogil
cdef bint is_in_text(const Builder *builder) noexcept nogil
