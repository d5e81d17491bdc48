"""Tree construction: the rules of the HTML standard (13.2.6), from Lexbor's tokens straight to node arrays.
Gives up where a page needs what is rare (templates, frames, MathML): the caller has Lexbor build that tree.

The arrays are in document order, and so are most tokens: a node is written where it stays. Only tables with text
between their rows and formatting that is closed within a block move nodes, and a second html or body tag gives its
attributes to the first; then links are kept, and the arrays are put in order at the end.
"""

from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcmp, memcpy, memmove, memset

from fastwrap._core.page.lexbor cimport STATIC_NAMES, fw_string, fw_token, fw_token_attribute
from fastwrap._core.page.walk cimport (
    ANYTHING, CUSTOM, FOREIGN_NAME, LEFT_OUT, NO_NODE, OUT_OF_MEMORY, RAW_TEXT, TEXT, TOO_LARGE, UNSEEN, Growing,
    add_text, begins_data, ends_in_space, formatting_between, grow_attributes, grow_nodes, grow_scripts, holds_data,
    is_long_markup, part_numbers, place_of, put_back, reserve, space_length, take, touch,
)

cpdef enum:
    # Lexbor's numbers: bits of a token's type, and namespaces
    CLOSING = 1
    SELF_CLOSING = 2
    HTML_NAMESPACE = 2
    SVG_NAMESPACE = 4

cdef enum:
    # and those of tokens that are no tags
    END_OF_FILE = 1
    TEXT_TOKEN = 2
    COMMENT = 4
    DOCTYPE = 5
    INSTRUCTION = 6
    FEW_ATTRIBUTES = 24      # of a tag: up to so many, each is compared with all before
    MOST_ATTRIBUTES = 200    # of a formatting element, and of a second html or body tag: likewise
    MOST_STEPS = 1 << 16     # from sibling to sibling, to find out which of two scripts is the first
    KEPT_BYTES = 1 << 21     # of texts and of nodes, that a builder keeps from page to page
    # in place of the size of a text, until the end: flags
    PARTED = 1               # a comment or a script is behind it
    SPACE_BEFORE = 2         # it begins with white space
    SPACE_BEHIND = 4         # it ends in white space, or that is behind it
    # in place of the tag of a text of white space, which is kept as long as nodes may be moved
    BLANK = -2

TOKENS = {"end": END_OF_FILE, "#": TEXT_TOKEN, "!": COMMENT, "doctype": DOCTYPE, "?": INSTRUCTION}

cdef enum Mode:
    INITIAL, BEFORE_HTML, BEFORE_HEAD, IN_HEAD, AFTER_HEAD, IN_BODY, IN_TEXT, IN_TABLE, IN_CAPTION, IN_COLUMN_GROUP
    IN_TABLE_BODY, IN_ROW, IN_CELL, AFTER_BODY, AFTER_AFTER_BODY

# What the rules tell apart. The names of the standard are in the comments where a kind has several.
cdef enum Kind:
    OTHER
    BLOCK                    # address article aside ... ul
    PARAGRAPH
    HEADING                  # h1 to h6
    PREFORMATTED             # pre listing
    FORM
    LIST_ITEM
    DEFINITION               # dd dt
    BUTTON
    LINK
    FORMAT                   # b big code em font i s small strike strong tt u
    NO_BREAK
    OBJECT                   # applet marquee object
    TABLE
    VOID                     # area embed img keygen wbr
    BREAK                    # br: its end tag is a br, too
    INPUT
    PARAMETER                # param source track
    RULE                     # hr
    TEXTAREA
    EXAMPLE                  # xmp
    FRAME_TEXT               # iframe noembed
    SELECT
    OPTION
    OPTION_GROUP
    RUBY_BASE                # rb rtc
    RUBY_TEXT                # rp rt
    SVG
    CAPTION
    COLUMN
    COLUMN_GROUP
    FRAME
    HEAD
    ROW_GROUP                # tbody tfoot thead
    CELL                     # td th
    ROW
    HTML
    BODY
    METADATA                 # base basefont bgsound link meta
    TITLE
    NO_FRAMES
    STYLE
    SCRIPT_ELEMENT
    NO_SCRIPT_ELEMENT
    RARE                     # image math plaintext frameset template selectedcontent: given up

_BLOCKS = """address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header
    hgroup main menu nav ol search section summary ul"""
_KINDS = {
    BLOCK: _BLOCKS, PARAGRAPH: "p", HEADING: "h1 h2 h3 h4 h5 h6", PREFORMATTED: "pre listing", FORM: "form",
    LIST_ITEM: "li", DEFINITION: "dd dt", BUTTON: "button", LINK: "a",
    FORMAT: "b big code em font i s small strike strong tt u", NO_BREAK: "nobr", OBJECT: "applet marquee object",
    TABLE: "table", VOID: "area embed img keygen wbr", BREAK: "br", INPUT: "input", PARAMETER: "param source track",
    RULE: "hr", TEXTAREA: "textarea", EXAMPLE: "xmp", FRAME_TEXT: "iframe noembed", SELECT: "select", OPTION: "option",
    OPTION_GROUP: "optgroup", RUBY_BASE: "rb rtc", RUBY_TEXT: "rp rt", SVG: "svg", CAPTION: "caption", COLUMN: "col",
    COLUMN_GROUP: "colgroup", FRAME: "frame", HEAD: "head", ROW_GROUP: "tbody tfoot thead", CELL: "td th", ROW: "tr",
    HTML: "html", BODY: "body", METADATA: "base basefont bgsound link meta", TITLE: "title", NO_FRAMES: "noframes",
    STYLE: "style", SCRIPT_ELEMENT: "script", NO_SCRIPT_ELEMENT: "noscript",
    RARE: "image math plaintext frameset template selectedcontent",
}
KINDS = {name: kind for kind, names in _KINDS.items() for name in names.split()}

cdef enum:
    # Categories of tags. The first five are Lexbor's, under its own numbers (`functions.py`).
    SPECIAL = 0x02
    SCOPE = 0x08
    LIST_SCOPE = 0x10
    BUTTON_SCOPE = 0x20
    TABLE_SCOPE = 0x40
    IMPLIED_END = 0x100
    TABLE_PART = 0x200       # what holds rows and cells
    PASSED = 0x400           # an item of a list may be closed through these
    BREAKING_OUT = 0x800     # no part of foreign content
    INTEGRATION = 0x1000     # of SVG: what is in it is HTML

CATEGORIES = {"special": SPECIAL, "scope": SCOPE, "list scope": LIST_SCOPE, "button scope": BUTTON_SCOPE,
              "table scope": TABLE_SCOPE}
_BITS = {
    IMPLIED_END: "dd dt li optgroup option p rb rp rt rtc",
    TABLE_PART: "table tbody tfoot thead tr",
    PASSED: "address div p",
    # sup, too, by the standard; Lexbor has it stay.
    BREAKING_OUT: """b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li
        listing menu meta nobr ol p pre ruby s small span strong strike sub table tt u ul var""",
    INTEGRATION: "foreignobject desc title",
}
_TAGS = {name for names in _BITS.values() for name in names.split()}
BITS = {tag: sum(bit for bit, names in _BITS.items() if tag in names.split()) for tag in _TAGS}


# Memory

cdef Builder *create_builder() noexcept nogil:
    """A new builder; NULL when there is no memory."""
    return <Builder *>calloc(1, sizeof(Builder))


cdef void destroy_builder(Builder *b) noexcept nogil:
    if b != NULL:
        free(b.text)
        free(b.json)
        free(b.places)
        free(b.first)
        free(b.last)
        free(b.next)
        free(b.prev)
        free(b.seen)
        free(b)


cdef void drop_large(unsigned char **block, size_t *capacity) noexcept nogil:
    if capacity[0] > KEPT_BYTES:
        free(block[0])
        block[0] = NULL
        capacity[0] = 0


cdef void end_page(Builder *b) noexcept nogil:
    """Free what only a large page needs."""
    drop_large(&b.text, &b.text_capacity)
    drop_large(&b.json, &b.json_capacity)
    if b.link_capacity * sizeof(int32_t) > KEPT_BYTES:
        free(b.first)
        free(b.last)
        free(b.next)
        free(b.prev)
        b.first = b.last = b.next = b.prev = NULL
        b.link_capacity = 0
    if b.seen_capacity * sizeof(int64_t) > KEPT_BYTES:
        free(b.seen)
        b.seen = NULL
        b.seen_capacity = 0


cdef bint is_in_text(const Builder *b) noexcept nogil:
    """Whether a script or the like is open, which may be as long as it wants to."""
    return b.mode == IN_TEXT


cdef void start_page(Builder *b, Growing *page, const Tables *tables, void *tokenizer, void *tree,
                     fw_document *document, size_t length) noexcept nogil:
    """Make a builder ready for a page of so many bytes."""
    b.tables = tables
    b.page = page
    b.tokenizer = tokenizer
    b.tree = tree
    b.document = document
    b.status = 0
    b.mode = b.original_mode = INITIAL
    b.quirks = b.foster = b.was_table_text = b.skips_newline = b.text_open = b.linked = False
    b.in_script = b.in_markup = b.in_json = False
    b.head = b.form = b.text_last = NO_NODE
    b.depth = b.formats = b.late = 0
    b.json_length = 0
    b.tokens = b.work = b.names = b.strays = 0
    b.memory_limit = FREE_MEMORY + MEMORY_A_BYTE * <int64_t>length


cdef inline void give_up(Builder *b) noexcept nogil:
    if b.status == 0:
        b.status = GIVEN_UP


# Nodes

cdef int resize_links(Builder *b) noexcept nogil:
    cdef size_t size = <size_t>b.page.node_capacity * sizeof(int32_t)
    cdef int32_t **arrays[4]
    cdef void *moved
    cdef int k
    arrays[:] = [&b.first, &b.last, &b.next, &b.prev]
    for k in range(4):
        moved = realloc(arrays[k][0], size)
        if moved == NULL:
            return OUT_OF_MEMORY
        arrays[k][0] = <int32_t *>moved
    b.link_capacity = b.page.node_capacity
    return 0


cdef inline void unlink_node(Builder *b, int32_t node) noexcept nogil:
    """Take a node out of its parent."""
    cdef int32_t parent = b.page.parent[node]
    if parent == NO_NODE:
        return
    if b.prev[node] != NO_NODE:
        b.next[b.prev[node]] = b.next[node]
    else:
        b.first[parent] = b.next[node]
    if b.next[node] != NO_NODE:
        b.prev[b.next[node]] = b.prev[node]
    else:
        b.last[parent] = b.prev[node]
    b.prev[node] = b.next[node] = b.page.parent[node] = NO_NODE


cdef inline void link_node(Builder *b, int32_t node, int32_t parent, int32_t before) noexcept nogil:
    """Put a node into a parent: before one of its children, or behind the last."""
    cdef int32_t after = b.prev[before] if before != NO_NODE else b.last[parent]
    b.page.parent[node] = parent
    b.prev[node] = after
    b.next[node] = before
    if after != NO_NODE:
        b.next[after] = node
    else:
        b.first[parent] = node
    if before != NO_NODE:
        b.prev[before] = node
    else:
        b.last[parent] = node


cdef bint keep_links(Builder *b) noexcept nogil:
    """Link the nodes, from now on: nodes are about to be moved. False when there is no memory."""
    cdef int32_t node, parent
    if b.linked:
        return True
    if b.link_capacity < b.page.node_capacity:
        b.status = resize_links(b)
        if b.status:
            return False
    b.linked = True
    for node in range(b.page.nodes):
        b.first[node] = b.last[node] = b.next[node] = b.prev[node] = NO_NODE
        parent = b.page.parent[node]
        if parent != NO_NODE:
            link_node(b, node, parent, NO_NODE)
    return True


cdef inline int32_t add_node(Builder *b, int32_t number, int32_t parent, int32_t before, size_t text) noexcept nogil:
    """A new node; NO_NODE, with a status, when there is no memory. A `parent` of NO_NODE: it is put somewhere later."""
    cdef Growing *page = b.page
    cdef int32_t node
    if page.nodes == page.node_capacity:
        b.status = grow_nodes(page)
        if b.status == 0 and b.linked:
            b.status = resize_links(b)
        if b.status:
            return NO_NODE
    node = page.nodes
    page.tag[node] = number
    page.parent[node] = parent
    page.depth[node] = page.depth[parent] + 1 if parent != NO_NODE else 0
    page.size[node] = 1
    page.text_start[node] = <int32_t>text
    page.attribute_start[node] = page.attributes
    page.nodes += 1
    if b.linked:
        b.first[node] = b.last[node] = b.next[node] = b.prev[node] = NO_NODE
        if parent != NO_NODE:
            link_node(b, node, parent, before)
    return node


cdef inline Open *current(Builder *b) noexcept nogil:
    return &b.stack[b.depth - 1]


cdef bint foster_place(Builder *b, int32_t *parent, int32_t *before) noexcept nogil:
    """Where a table does not allow a node: before the table. False where that cannot be told here."""
    cdef int k = b.depth - 1
    while k > 0 and b.stack[k].kind != TABLE:
        k -= 1
    if k <= 0 or b.stack[k].node == NO_NODE or b.page.parent[b.stack[k].node] == NO_NODE or not keep_links(b):
        give_up(b)
        return False
    parent[0] = b.page.parent[b.stack[k].node]
    before[0] = b.stack[k].node
    return True


cdef inline bint place(Builder *b, int32_t *parent, int32_t *before) noexcept nogil:
    """Where the next node goes ("appropriate place for inserting a node"). False where that cannot be told here."""
    cdef Open *target = current(b)
    if b.foster and target.bits & TABLE_PART and not target.foreign:
        return foster_place(b, parent, before)
    parent[0] = target.inner
    before[0] = NO_NODE
    return True


cdef inline bint is_blank(const fw_token *token) noexcept nogil:
    """Whether a text is white space as the parser sees it."""
    cdef const unsigned char *at = token.text_start
    cdef uint64_t eight
    while at < token.text_end:
        if token.text_end - at >= 8:
            memcpy(&eight, at, 8)
            if eight == <uint64_t>0x2020202020202020:
                at += 8
                continue
        if at[0] != c" " and at[0] != c"\n" and at[0] != c"\t" and at[0] != c"\r" and at[0] != 12:
            return False
        at += 1
    return True


cdef inline bint is_plain(unsigned char byte) noexcept nogil:
    """Whether a byte is for sure no part of white space."""
    return c" " < byte < 0x80


cdef bint write_text(Builder *b, const unsigned char *start, const unsigned char *end) noexcept nogil:
    """Add a text to that of the page; False if it is blank, or when there is no memory."""
    cdef size_t length = b.page.text_length
    cdef fw_string written
    written.data = <unsigned char *>start
    written.length = <size_t>(end - start)
    b.status = add_text(b.page, &written)
    if b.status == 0 and b.page.text_length > INT32_MAX:
        b.status = TOO_LARGE
    return b.status == 0 and b.page.text_length != length


cdef void continue_text(Builder *b, const unsigned char *start, const unsigned char *end) noexcept nogil:
    """Add to the text that was written last. A space is behind it, which stays only if there is one between the two."""
    cdef int32_t text = b.page.nodes - 1
    if b.page.size[text] & SPACE_BEHIND == 0 and space_length(start, end) == 0:
        if start[0] & 0xC0 == 0x80:
            give_up(b)  # a character in two parts: no UTF-8
            return
        b.page.text_length -= 1
    b.page.size[text] |= SPACE_BEHIND
    if write_text(b, start, end) and not ends_in_space(start, end):
        b.page.size[text] ^= SPACE_BEHIND
    part_numbers(b.page, text)


cdef inline void insert_blank(Builder *b, int32_t parent, int32_t before) noexcept nogil:
    """Note white space where the next node goes: nothing touches what is before it."""
    if b.linked:
        add_node(b, BLANK, parent, before, b.page.text_length)
    elif b.text_last != NO_NODE:
        if formatting_between(b.page, b.text_last, b.page.nodes, parent) != ANYTHING:
            b.page.size[b.text_last] |= SPACE_BEHIND
        b.text_last = NO_NODE


cdef void insert_written(Builder *b, const unsigned char *start, const unsigned char *end) noexcept nogil:
    """Put a text where the next node goes: it continues the text before it, if nothing is between them."""
    cdef int32_t parent, before, neighbour, text
    cdef size_t length = b.page.text_length
    if b.status != 0 or start == end or not place(b, &parent, &before) or parent == NO_NODE:
        return
    if b.text_open and b.text_parent == parent and b.text_before == before:
        continue_text(b, start, end)
        return
    b.text_open = False
    if b.linked:
        neighbour = b.prev[before] if before != NO_NODE else b.last[parent]
        if neighbour != NO_NODE and b.page.tag[neighbour] == TEXT and b.page.size[neighbour] & PARTED == 0:
            give_up(b)  # it continues a text that was closed
            return
    if not write_text(b, start, end):
        if b.status == 0:
            insert_blank(b, parent, before)
        return
    text = add_node(b, TEXT, parent, before, length)
    if text == NO_NODE:
        return
    b.text_open = True
    b.text_parent = parent
    b.text_before = before
    b.page.size[text] = 0
    if not is_plain(start[0]) and space_length(start, end) != 0:
        b.page.size[text] = SPACE_BEFORE
    if not is_plain((end - 1)[0]) and ends_in_space(start, end):
        b.page.size[text] |= SPACE_BEHIND
    if not b.linked:
        if (b.text_last != NO_NODE and b.page.size[b.text_last] & SPACE_BEHIND == 0
                and b.page.size[text] & SPACE_BEFORE == 0):
            touch(b.page, b.text_last, text)
        b.text_last = text


cdef void insert_text(Builder *b, const fw_token *token) noexcept nogil:
    """`insert_written`, without zero bytes."""
    cdef const unsigned char *at = token.text_start
    cdef unsigned char *out
    if token.null_count == 0:
        insert_written(b, token.text_start, token.text_end)
        return
    if reserve(&b.text, &b.text_capacity, <size_t>(token.text_end - token.text_start)):
        b.status = OUT_OF_MEMORY
        return
    out = b.text
    while at < token.text_end:
        if at[0] != 0:
            out[0] = at[0]
            out += 1
        at += 1
    insert_written(b, b.text, out)


cdef inline void part_texts(Builder *b, int32_t parent, int32_t before) noexcept nogil:
    """Note that something that is no node here is put between texts: the one before it cannot be continued."""
    cdef int32_t neighbour
    b.text_open = False
    if parent == NO_NODE:
        return
    if not b.linked:
        neighbour = b.page.nodes - 1
        if b.page.parent[neighbour] != parent:
            return
    else:
        neighbour = b.prev[before] if before != NO_NODE else b.last[parent]
    if neighbour != NO_NODE and b.page.tag[neighbour] == TEXT:
        b.page.size[neighbour] |= PARTED


cdef inline void insert_comment(Builder *b) noexcept nogil:
    part_texts(b, current(b).inner, NO_NODE)


cdef inline void insert_visible(Builder *b, const fw_token *token) noexcept nogil:
    """`insert_text` where zero bytes are not dropped, but shown."""
    if token.null_count != 0:
        give_up(b)
    else:
        insert_text(b, token)


cdef inline int64_t place_seen(int32_t number) noexcept nogil:
    """Where in `seen` an attribute has its mark: names of the tables first, then those of this page."""
    return STATIC_NAMES + <int64_t>(number ^ CUSTOM) if number & CUSTOM else number


cdef int first_seen(Builder *b, int32_t first) noexcept nogil:
    """Begin to mark the names of a tag, with those that were compared; 0 for success. Marks of other tags are older."""
    cdef int32_t k
    b.tag_mark += 1
    for k in range(first, b.page.attributes):
        if see(b, b.page.attribute_name[k]) < 0:
            return OUT_OF_MEMORY
    return 0


cdef inline int see(Builder *b, int32_t number) noexcept nogil:
    """Mark the name of an attribute: 1 where the tag has it already, 0 where not, -1 when there is no memory."""
    cdef int64_t place = place_seen(number), capacity
    cdef void *moved
    if place >= b.seen_capacity:
        capacity = 2 * (place + 1)
        moved = realloc(b.seen, capacity * sizeof(int64_t))
        if moved == NULL:
            return -1
        b.seen = <int64_t *>moved
        memset(b.seen + b.seen_capacity, 0, (capacity - b.seen_capacity) * sizeof(int64_t))
        b.seen_capacity = capacity
    if b.seen[place] == b.tag_mark:
        return 1
    b.seen[place] = b.tag_mark
    return 0


cdef bint add_attributes(Builder *b, fw_token_attribute *attribute, bint foreign) noexcept nogil:
    """Write the attributes of a tag for the last node; of two with the same name the first one counts."""
    cdef Growing *page = b.page
    cdef int32_t first = page.attributes
    cdef int32_t number, k
    cdef int seen
    cdef bint marking = False
    cdef uintptr_t name
    while attribute != NULL:
        if attribute.name == NULL:
            give_up(b)
            return False
        name = attribute.name.number
        if name < STATIC_NAMES:
            number = b.tables.attributes[name]
            if number == UNSEEN:
                give_up(b)
                return False
        else:
            number = place_of(&page.attribute_names, name | FOREIGN_NAME if foreign else name)
            if number < 0:
                b.status = OUT_OF_MEMORY
                return False
            number |= CUSTOM
        if page.attributes - first < FEW_ATTRIBUTES:
            k = first
            while k < page.attributes and page.attribute_name[k] != number:
                k += 1
        else:
            if not marking:
                marking = True
                b.status = first_seen(b, first)
            seen = see(b, number) if b.status == 0 else -1
            if seen < 0:
                b.status = OUT_OF_MEMORY
                return False
            k = page.attributes - seen
        if k == page.attributes:
            if k == page.attribute_capacity:
                b.status = grow_attributes(page)
                if b.status:
                    return False
            page.attribute_name[k] = number
            page.value_start[k] = <int32_t>page.values_length
            page.attributes += 1
            if attribute.value_begin != NULL and attribute.value_length != 0:
                if reserve(&page.values, &page.values_capacity, page.values_length + attribute.value_length):
                    b.status = OUT_OF_MEMORY
                    return False
                memcpy(page.values + page.values_length, attribute.value, attribute.value_length)
                page.values_length += attribute.value_length
                if page.values_length > INT32_MAX:
                    b.status = TOO_LARGE
                    return False
        elif foreign:
            give_up(b)  # Lexbor keeps a second xmlns
            return False
        attribute = attribute.next
    return True


cdef inline void attribute_span(const Growing *page, int32_t node, int32_t *first, int32_t *end) noexcept nogil:
    """Which attributes a node has, while nodes are in order of their making."""
    first[0] = page.attribute_start[node]
    end[0] = page.attribute_start[node + 1] if node + 1 < page.nodes else page.attributes


cdef inline size_t value_end(const Growing *page, int32_t attribute) noexcept nogil:
    return page.value_start[attribute + 1] if attribute + 1 < page.attributes else page.values_length


cdef bint is_json_type(Builder *b, fw_token_attribute *attribute) noexcept nogil:
    """Whether the type of a script says JSON."""
    cdef const unsigned char *value
    cdef size_t k
    while attribute != NULL and (attribute.name == NULL or attribute.name.number != b.tables.type_name):
        attribute = attribute.next
    if attribute == NULL or attribute.value_begin == NULL:
        return False
    value = attribute.value
    for k in range(4, attribute.value_length + 1):
        if (value[k - 4] | 32 == c"j" and value[k - 3] | 32 == c"s" and value[k - 2] | 32 == c"o"
                and value[k - 1] | 32 == c"n"):
            return True
    return False


cdef bint is_hidden_type(Builder *b, fw_token_attribute *attribute) noexcept nogil:
    """Whether a field of a form is hidden."""
    cdef const unsigned char *hidden = b"hidden"
    cdef size_t k
    while attribute != NULL:
        if (attribute.name != NULL and attribute.name.number == b.tables.type_name and attribute.value_begin != NULL
                and attribute.value_length == 6):
            k = 0
            while k < 6 and attribute.value[k] | 32 == hidden[k]:
                k += 1
            if k == 6:
                return True
        attribute = attribute.next
    return False


# The stack of open elements

cdef inline void push(Builder *b, uintptr_t tag, int32_t node, int32_t inner, bint foreign) noexcept nogil:
    cdef Open *opened
    if b.depth >= MOST_OPEN:
        give_up(b)
        return
    opened = &b.stack[b.depth]
    b.depth += 1
    opened.tag = tag
    opened.node = node
    opened.inner = inner
    opened.foreign = foreign
    opened.kind = b.tables.kinds[tag] if tag < STATIC_NAMES and not foreign else <unsigned char>OTHER
    if tag >= STATIC_NAMES:
        opened.bits = 0
    else:
        opened.bits = b.tables.foreign_bits[tag] if foreign else b.tables.bits[tag]


cdef void insert(Builder *b, uintptr_t tag, fw_token_attribute *attributes, bint foreign) noexcept nogil:
    """Put an element where the next node goes, and open it."""
    cdef int32_t parent, before, number, node
    b.text_open = False
    if b.status != 0 or not place(b, &parent, &before):
        return
    number = b.tables.tags[tag] if tag < STATIC_NAMES else CUSTOM
    if number == UNSEEN:
        give_up(b)
        return
    if number <= LEFT_OUT or parent == NO_NODE:
        if number >= 0 and not foreign or number < LEFT_OUT and (foreign or parent == NO_NODE):
            give_up(b)  # HTML within what is left out; JSON within SVG
        part_texts(b, parent, before)
        push(b, tag, NO_NODE, NO_NODE, foreign)
        return
    if number == CUSTOM:
        number = place_of(&b.page.tag_names, tag)
        if number < 0:
            b.status = OUT_OF_MEMORY
            return
        number |= CUSTOM
    node = add_node(b, number & ~RAW_TEXT if number < CUSTOM else number, parent, before, b.page.text_length)
    if node != NO_NODE and (attributes == NULL or add_attributes(b, attributes, foreign)):
        push(b, tag, node, NO_NODE if number < CUSTOM and number & RAW_TEXT else node, foreign)


cdef inline void insert_token(Builder *b, fw_token *token) noexcept nogil:
    insert(b, token.tag, token.first_attribute, False)


cdef inline void insert_root(Builder *b, fw_token_attribute *attributes) noexcept nogil:
    """The html element."""
    cdef int32_t node = add_node(b, b.tables.tags[b.tables.html], NO_NODE, NO_NODE, 0)
    if node != NO_NODE and add_attributes(b, attributes, False):
        push(b, b.tables.html, node, node, False)
    b.mode = BEFORE_HEAD


cdef inline void pop_to(Builder *b, int depth) noexcept nogil:
    """Close elements until only so many are open: the root stays."""
    b.depth = depth if depth > 1 else 1


cdef inline void pop(Builder *b) noexcept nogil:
    pop_to(b, b.depth - 1)


cdef void remove_open(Builder *b, int place) noexcept nogil:
    """Take an element from the middle of the stack."""
    b.depth -= 1
    memmove(&b.stack[place], &b.stack[place + 1], (b.depth - place) * sizeof(Open))


cdef inline int place_of_open(Builder *b, int32_t node) noexcept nogil:
    """Where a node is on the stack; -1 if it is not open."""
    cdef int k = b.depth - 1
    while k >= 0 and b.stack[k].node != node:
        k -= 1
    return k


cdef inline int in_scope(Builder *b, uintptr_t tag, int category) noexcept nogil:
    """Where the last element with this tag is on the stack, if it is in scope; -1 if not."""
    cdef int k = b.depth - 1
    while k >= 0:
        if b.stack[k].tag == tag and not b.stack[k].foreign:
            return k
        if b.stack[k].bits & category:
            return -1
        k -= 1
    return -1


cdef inline int kind_in_scope(Builder *b, int kind, int category) noexcept nogil:
    """As `in_scope`, for the tags of a kind."""
    cdef int k = b.depth - 1
    while k >= 0:
        if b.stack[k].kind == kind:
            return k
        if b.stack[k].bits & category:
            return -1
        k -= 1
    return -1


cdef inline void imply_ends(Builder *b, uintptr_t spared) noexcept nogil:
    """Close what needs no end tag ("generate implied end tags"), except an element with the tag `spared`."""
    while b.depth > 1 and current(b).bits & IMPLIED_END and (current(b).tag != spared or current(b).foreign):
        b.depth -= 1


cdef inline bint close(Builder *b, int found) noexcept nogil:
    """Close what `in_scope` has found, with all that is open within it; False if that is nothing."""
    if found >= 0:
        pop_to(b, found)
    return found >= 0


cdef inline void close_paragraph(Builder *b) noexcept nogil:
    """Close the paragraph that is open within the innermost button, cell or the like."""
    close(b, in_scope(b, b.tables.paragraph, BUTTON_SCOPE))


cdef inline void clear_to(Builder *b, int kind) noexcept nogil:
    """Close what is open within the innermost element of a kind, or within the root."""
    while b.depth > 1 and current(b).kind != kind:
        b.depth -= 1


cdef void reset_mode(Builder *b) noexcept nogil:
    """Choose the mode by what is open ("reset the insertion mode appropriately")."""
    cdef int k = b.depth - 1
    cdef int kind
    while k >= 0:
        kind = b.stack[k].kind
        if kind == CELL:
            b.mode = IN_CELL
        elif kind == ROW:
            b.mode = IN_ROW
        elif kind == ROW_GROUP:
            b.mode = IN_TABLE_BODY
        elif kind == CAPTION:
            b.mode = IN_CAPTION
        elif kind == COLUMN_GROUP:
            b.mode = IN_COLUMN_GROUP
        elif kind == TABLE:
            b.mode = IN_TABLE
        elif kind == HEAD:
            b.mode = IN_HEAD
        elif kind == BODY:
            b.mode = IN_BODY
        elif kind == HTML:
            b.mode = BEFORE_HEAD if b.head == NO_NODE else AFTER_HEAD
        else:
            k -= 1
            continue
        return
    b.mode = IN_BODY


# The list of active formatting elements

cdef inline void add_marker(Builder *b) noexcept nogil:
    if b.formats >= MOST_FORMATTING:
        give_up(b)
        return
    b.formatting[b.formats].node = NO_NODE
    b.formatting[b.formats].tag = 0
    b.formats += 1


cdef inline void clear_to_marker(Builder *b) noexcept nogil:
    while b.formats > 0:
        b.formats -= 1
        if b.formatting[b.formats].node == NO_NODE:
            return


cdef void remove_formatting(Builder *b, int place) noexcept nogil:
    if place >= b.formats:
        return
    b.formats -= 1
    memmove(&b.formatting[place], &b.formatting[place + 1], (b.formats - place) * sizeof(Open))


cdef inline int place_of_formatting(Builder *b, int32_t node) noexcept nogil:
    cdef int k = b.formats - 1
    while k >= 0 and b.formatting[k].node != node:
        k -= 1
    return k


cdef bint same_attributes(Builder *b, int32_t one, int32_t other, bint *unsure) noexcept nogil:
    """Whether two elements have the same attributes, in any order. Lexbor tells an empty value from none: `unsure`."""
    cdef const Growing *page = b.page
    cdef int32_t first, end, second, second_end, k, at
    cdef size_t length
    attribute_span(page, one, &first, &end)
    attribute_span(page, other, &second, &second_end)
    if end - first != second_end - second:
        return False
    if end - first > MOST_ATTRIBUTES:
        give_up(b)
        return False
    for k in range(first, end):
        at = second + (k - first)  # where it most often is
        if page.attribute_name[at] != page.attribute_name[k]:
            at = second
            while at < second_end and page.attribute_name[at] != page.attribute_name[k]:
                at += 1
            b.work += at - second
            if at == second_end:
                return False
        length = value_end(page, k) - page.value_start[k]
        if (length != value_end(page, at) - page.value_start[at]
                or memcmp(page.values + page.value_start[k], page.values + page.value_start[at], length) != 0):
            return False
        if length == 0:
            unsure[0] = True
    return True


cdef void add_formatting(Builder *b) noexcept nogil:
    """Enter the element that was opened last; of more than three equal ones the first is dropped."""
    cdef Open *element = current(b)
    cdef int equal = 0, earliest = 0, k = b.formats - 1
    cdef bint unsure = False
    if b.status != 0:
        return
    while k >= 0 and b.formatting[k].node != NO_NODE:
        if (b.formatting[k].tag == element.tag
                and same_attributes(b, b.formatting[k].node, element.node, &unsure)):
            equal += 1
            earliest = k
        k -= 1
    if equal >= 3:
        if unsure:
            give_up(b)
            return
        remove_formatting(b, earliest)
    if b.formats >= MOST_FORMATTING:
        give_up(b)
        return
    b.formatting[b.formats] = element[0]
    b.formats += 1


cdef int32_t copy_element(Builder *b, int32_t original, int32_t parent, int32_t before) noexcept nogil:
    """A new element with the tag and the attributes of another one."""
    cdef Growing *page = b.page
    cdef int32_t first, end, k, copied
    cdef size_t length
    cdef int32_t node = add_node(b, page.tag[original], parent, before, page.text_length)
    if node == NO_NODE:
        return NO_NODE
    attribute_span(page, original, &first, &end)
    for k in range(first, end):
        if page.attributes == page.attribute_capacity:
            b.status = grow_attributes(page)
            if b.status:
                return NO_NODE
        length = value_end(page, k) - page.value_start[k]
        if reserve(&page.values, &page.values_capacity, page.values_length + length):
            b.status = OUT_OF_MEMORY
            return NO_NODE
        copied = page.attributes
        page.attribute_name[copied] = page.attribute_name[k]
        page.value_start[copied] = <int32_t>page.values_length
        page.attributes += 1
        memcpy(page.values + page.values_length, page.values + page.value_start[k], length)
        page.values_length += length
        if page.values_length > INT32_MAX:
            b.status = TOO_LARGE
            return NO_NODE
    b.work += b.depth + end - first  # the search for the original on the stack, and its attributes
    if (<int64_t>page.nodes * 24 + <int64_t>page.attributes * 8 + <int64_t>page.values_length > b.memory_limit
            or b.work > LABORIOUS):
        give_up(b)
    return node


cdef void reopen_formatting(Builder *b) noexcept nogil:
    """Open the formatting elements again that a block has closed ("reconstruct the active formatting elements")."""
    cdef int k = b.formats - 1
    cdef int32_t parent, before, node
    while k >= 0 and b.formatting[k].node != NO_NODE and place_of_open(b, b.formatting[k].node) < 0:
        k -= 1
    k += 1
    while k < b.formats and b.status == 0:
        b.text_open = False
        if b.status != 0 or not place(b, &parent, &before):
            return
        if parent == NO_NODE or b.depth >= MOST_OPEN:
            give_up(b)
            return
        node = copy_element(b, b.formatting[k].node, parent, before)
        if b.status != 0:
            return
        b.formatting[k].node = b.formatting[k].inner = node
        b.stack[b.depth] = b.formatting[k]
        b.depth += 1
        k += 1


cdef inline bint has_closed(Builder *b) noexcept nogil:
    """Whether there are formatting elements to be opened again."""
    cdef int32_t node
    if b.formats == 0:
        return False
    node = b.formatting[b.formats - 1].node
    return node != NO_NODE and node != current(b).node and place_of_open(b, node) < 0


cdef inline void reopen(Builder *b) noexcept nogil:
    """`reopen_formatting`, if anything is to be done."""
    if has_closed(b):
        reopen_formatting(b)


cdef void split_block(Builder *b, int formatting, int opened, int furthest) noexcept nogil:
    """Close a formatting element within which a block is open: the block moves out of it, and what the block has moves
    into copies (steps 12 to 20 of the "adoption agency algorithm"; as in Lexbor, places in the list are not shifted
    when entries before them go)."""
    cdef Open element = b.stack[opened]
    cdef Open block = b.stack[furthest]
    cdef Open ancestor = b.stack[opened - 1]
    cdef int32_t last = block.node, node, parent = ancestor.inner, before = NO_NODE, child, following
    cdef int bookmark = formatting, at = furthest, steps = 0, entry
    b.text_open = False
    if b.status != 0 or not keep_links(b):
        return
    while True:
        steps += 1
        at -= 1
        if at <= opened:
            break
        if b.stack[at].node == NO_NODE:
            give_up(b)
            return
        entry = place_of_formatting(b, b.stack[at].node)
        if steps > 3 and entry >= 0:
            remove_formatting(b, entry)
            entry = -1
        if entry < 0:
            remove_open(b, at)
            continue
        node = copy_element(b, b.stack[at].node, NO_NODE, NO_NODE)
        if b.status != 0:
            return
        b.stack[at].node = b.stack[at].inner = node
        b.formatting[entry] = b.stack[at]
        if last == block.node:
            bookmark = entry + 1
        unlink_node(b, last)
        link_node(b, last, node, NO_NODE)
        last = node
    unlink_node(b, last)
    if b.foster and ancestor.bits & TABLE_PART and not ancestor.foreign and not foster_place(b, &parent, &before):
        return
    if parent == NO_NODE:
        give_up(b)
        return
    link_node(b, last, parent, before)
    node = copy_element(b, element.node, NO_NODE, NO_NODE)
    if b.status != 0:
        return
    child = b.first[block.node]
    while child != NO_NODE:
        following = b.next[child]
        unlink_node(b, child)
        link_node(b, child, node, NO_NODE)
        child = following
    link_node(b, node, block.node, NO_NODE)
    remove_formatting(b, formatting)
    if b.formats >= MOST_FORMATTING:
        give_up(b)
        return
    if bookmark > b.formats:
        bookmark = b.formats
    memmove(&b.formatting[bookmark + 1], &b.formatting[bookmark], (b.formats - bookmark) * sizeof(Open))
    b.formats += 1
    remove_open(b, place_of_open(b, element.node))
    element.node = element.inner = node
    b.formatting[bookmark] = element
    furthest = place_of_open(b, block.node)
    memmove(&b.stack[furthest + 2], &b.stack[furthest + 1], (b.depth - furthest - 1) * sizeof(Open))
    b.stack[furthest + 1] = element
    b.depth += 1


cdef void close_other(Builder *b, uintptr_t tag) noexcept nogil:
    """An end tag without rules of its own."""
    cdef int k = b.depth - 1
    while k > 0:
        if b.stack[k].tag == tag and not b.stack[k].foreign:
            pop_to(b, k)
            return
        if b.stack[k].bits & SPECIAL:
            return
        k -= 1


cdef void close_formatting(Builder *b, uintptr_t tag) noexcept nogil:
    """Close a formatting element, wherever it is open (the "adoption agency algorithm")."""
    cdef int k, at, opened, furthest, _turn
    if current(b).tag == tag and not current(b).foreign and place_of_formatting(b, current(b).node) < 0:
        pop(b)
        return
    for _turn in range(8):
        k = b.formats - 1
        while k >= 0 and b.formatting[k].tag != tag and b.formatting[k].node != NO_NODE:
            k -= 1
        if k < 0 or b.formatting[k].node == NO_NODE:
            close_other(b, tag)
            return
        opened = place_of_open(b, b.formatting[k].node)
        if opened < 0:
            remove_formatting(b, k)
            return
        furthest = -1
        for at in range(b.depth - 1, opened, -1):
            if b.stack[at].bits & SCOPE:
                return
            if b.stack[at].bits & SPECIAL:
                furthest = at
        if furthest < 0:
            remove_formatting(b, k)
            pop_to(b, opened)
            return
        if b.stack[furthest].node == NO_NODE or opened == 0:
            give_up(b)
            return
        split_block(b, k, opened, furthest)
        if b.status != 0:
            return


# The modes. A rule returns False if the token is to be processed again, in the mode that it has set.

cdef void read_raw_text(Builder *b, fw_token *token) noexcept nogil:
    """Open an element whose content is text, whatever it looks like."""
    cdef int kind = b.tables.kinds[token.tag]
    b.in_markup = kind == NO_SCRIPT_ELEMENT
    b.in_script = b.in_markup or kind == SCRIPT_ELEMENT
    b.in_json = kind == SCRIPT_ELEMENT and is_json_type(b, token.first_attribute)
    insert_token(b, token)
    b.tables.set_state(b.tokenizer, True, token.tag, HTML_NAMESPACE)
    b.original_mode = b.mode
    b.mode = IN_TEXT


cdef bint in_metadata(Builder *b, fw_token *token, int kind) noexcept nogil:
    """The start tags that are for the head, wherever they are; False for others."""
    if kind == METADATA:
        insert_token(b, token)
        pop(b)
    elif kind == TITLE or kind == NO_FRAMES or kind == STYLE or kind == SCRIPT_ELEMENT:
        read_raw_text(b, token)
    else:
        return False
    return True


cdef void take_root_tag(Builder *b, fw_token *token, int32_t owner) noexcept nogil:
    """A second html or body tag: the first one takes its attributes. A node without a place keeps them to the end."""
    cdef int32_t node
    if token.first_attribute == NULL:
        return
    b.text_open = False
    if b.late >= MOST_LATE or b.status != 0 or not keep_links(b):
        give_up(b)
        return
    node = add_node(b, b.page.tag[owner], NO_NODE, NO_NODE, b.page.text_length)
    if node != NO_NODE and add_attributes(b, token.first_attribute, False):
        if b.page.attributes - b.page.attribute_start[node] > MOST_ATTRIBUTES:
            give_up(b)
        b.late_node[b.late] = node
        b.late_owner[b.late] = owner
        b.late += 1


cdef inline bint ends_head(int kind) noexcept nogil:
    """Whether an end tag counts before there is a body."""
    return kind == HEAD or kind == BODY or kind == HTML or kind == BREAK


cdef bint before_body(Builder *b, fw_token *token, int kind, bint closing) noexcept nogil:
    """The modes up to the start of the body."""
    if token.tag == COMMENT or token.tag == INSTRUCTION:
        return True
    if token.tag == DOCTYPE:
        if b.mode == INITIAL:
            if b.tables.build_tree(b.tokenizer, token, b.tree) == NULL:
                give_up(b)
            b.quirks = b.document.quirks == 1
            b.mode = BEFORE_HTML
        return True
    if token.tag == TEXT_TOKEN:
        if token.null_count != 0:
            give_up(b)
            return True
        if is_blank(token):
            return True
    if b.mode == INITIAL:
        b.quirks = True
        b.mode = BEFORE_HTML
        return False
    if b.mode == BEFORE_HTML:
        if kind == HTML and not closing:
            insert_root(b, token.first_attribute)
            return True
        if closing and not ends_head(kind):
            return True
        insert_root(b, NULL)
        return False
    if kind == HTML and not closing:
        take_root_tag(b, token, 0)
        return True
    if b.mode == BEFORE_HEAD:
        if closing and not ends_head(kind):
            return True
        insert(b, b.tables.head, token.first_attribute if kind == HEAD and not closing else NULL, False)
        b.head = current(b).node
        b.mode = IN_HEAD
        return kind == HEAD and not closing
    if b.mode == IN_HEAD:
        if closing:
            if kind == HEAD:
                pop(b)
                b.mode = AFTER_HEAD
                return True
            if not ends_head(kind):
                return True
        elif kind == HEAD:
            return True
        elif kind == NO_SCRIPT_ELEMENT:
            read_raw_text(b, token)
            return True
        elif in_metadata(b, token, kind):
            return True
        pop(b)
        b.mode = AFTER_HEAD
        return False
    # After the head.
    if closing:
        if kind == HEAD or not ends_head(kind):
            return True
    elif kind == HEAD:
        return True
    elif kind == BODY:
        insert_token(b, token)
        b.mode = IN_BODY
        return True
    elif kind == METADATA or kind == TITLE or kind == NO_FRAMES or kind == STYLE or kind == SCRIPT_ELEMENT:
        push(b, b.tables.head, b.head, b.head, False)
        in_metadata(b, token, kind)
        remove_open(b, place_of_open(b, b.head))
        return True
    insert(b, b.tables.body, NULL, False)
    b.mode = IN_BODY
    return False


cdef bint end_in_body(Builder *b, fw_token *token, int kind) noexcept nogil:
    """An end tag in the body."""
    cdef int found
    if kind == BLOCK or kind == PREFORMATTED or kind == BUTTON or kind == SELECT or kind == DEFINITION:
        close(b, in_scope(b, token.tag, SCOPE))
    elif kind == LINK or kind == FORMAT or kind == NO_BREAK:
        close_formatting(b, token.tag)
    elif kind == PARAGRAPH:
        if not close(b, in_scope(b, token.tag, BUTTON_SCOPE)):
            insert(b, token.tag, NULL, False)
            pop(b)
    elif kind == LIST_ITEM:
        close(b, in_scope(b, token.tag, LIST_SCOPE))
    elif kind == HEADING:
        close(b, kind_in_scope(b, HEADING, SCOPE))
    elif kind == OBJECT:
        if close(b, in_scope(b, token.tag, SCOPE)):
            clear_to_marker(b)
    elif kind == FORM:
        found = -1
        if b.form != NO_NODE:
            found = b.depth - 1
            while found >= 0 and b.stack[found].node != b.form:
                if b.stack[found].bits & SCOPE:
                    found = -1
                    break
                found -= 1
            b.form = NO_NODE
        if found > 0:
            imply_ends(b, 0)
            remove_open(b, found)
    elif kind == BREAK:
        reopen(b)
        insert(b, token.tag, NULL, False)
        pop(b)
    elif kind == BODY or kind == HTML:
        if in_scope(b, b.tables.body, SCOPE) >= 0:
            b.mode = AFTER_BODY
            return kind == BODY
    else:
        close_other(b, token.tag)
    return True


cdef bint start_in_body(Builder *b, fw_token *token, int kind) noexcept nogil:
    """A start tag in the body."""
    cdef int k
    cdef int32_t node
    if kind == OTHER:
        reopen(b)
        insert_token(b, token)
    elif kind == BLOCK or kind == PARAGRAPH or kind == PREFORMATTED:
        close_paragraph(b)
        insert_token(b, token)
        b.skips_newline = kind == PREFORMATTED
    elif kind == LINK:
        k = b.formats - 1
        while k >= 0 and b.formatting[k].node != NO_NODE:
            if b.formatting[k].tag == token.tag:
                node = b.formatting[k].node
                close_formatting(b, token.tag)
                k = place_of_formatting(b, node)
                if k >= 0:
                    remove_formatting(b, k)
                k = place_of_open(b, node)
                if k > 0:
                    remove_open(b, k)
                break
            k -= 1
        reopen(b)
        insert_token(b, token)
        add_formatting(b)
    elif kind == FORMAT:
        reopen(b)
        insert_token(b, token)
        add_formatting(b)
    elif kind == VOID or kind == BREAK:
        reopen(b)
        insert_token(b, token)
        pop(b)
    elif kind == LIST_ITEM or kind == DEFINITION:
        for k in range(b.depth - 1, 0, -1):
            if b.stack[k].kind == kind:
                pop_to(b, k)
                break
            if b.stack[k].bits & SPECIAL and not b.stack[k].bits & PASSED:
                break
        close_paragraph(b)
        insert_token(b, token)
    elif kind == HEADING:
        close_paragraph(b)
        if current(b).kind == HEADING:
            pop(b)
        insert_token(b, token)
    elif kind == TABLE:
        if not b.quirks:
            close_paragraph(b)
        insert_token(b, token)
        b.mode = IN_TABLE
    elif kind == FORM:
        if b.form == NO_NODE:
            close_paragraph(b)
            insert_token(b, token)
            b.form = current(b).node
    elif kind == INPUT:
        close(b, in_scope(b, b.tables.select, SCOPE))
        reopen(b)
        insert_token(b, token)
        pop(b)
    elif kind == BUTTON:
        close(b, in_scope(b, token.tag, SCOPE))
        reopen(b)
        insert_token(b, token)
    elif kind == SVG:
        reopen(b)
        insert(b, token.tag, token.first_attribute, True)
        if token.type & SELF_CLOSING:
            pop(b)
    elif kind == SELECT:
        if not close(b, in_scope(b, token.tag, SCOPE)):
            reopen(b)
            insert_token(b, token)
    elif kind == OPTION or kind == OPTION_GROUP:
        if in_scope(b, b.tables.select, SCOPE) >= 0:
            imply_ends(b, 0 if kind == OPTION_GROUP else b.tables.option_group)
        elif current(b).kind == OPTION:
            pop(b)
        reopen(b)
        insert_token(b, token)
    elif kind == RULE:
        close_paragraph(b)
        if in_scope(b, b.tables.select, SCOPE) >= 0:
            imply_ends(b, 0)
        insert_token(b, token)
        pop(b)
    elif kind == PARAMETER:
        insert_token(b, token)
        pop(b)
    elif kind == TEXTAREA:
        if has_closed(b):
            give_up(b)  # Lexbor opens formatting elements within the field
        read_raw_text(b, token)
    elif kind == FRAME_TEXT or kind == NO_SCRIPT_ELEMENT:
        read_raw_text(b, token)
    elif kind == EXAMPLE:
        close_paragraph(b)
        reopen(b)
        read_raw_text(b, token)
    elif kind == OBJECT:
        reopen(b)
        insert_token(b, token)
        add_marker(b)
    elif kind == NO_BREAK:
        reopen(b)
        if in_scope(b, token.tag, SCOPE) >= 0:
            close_formatting(b, token.tag)
            reopen(b)
        insert_token(b, token)
        add_formatting(b)
    elif kind == RUBY_BASE or kind == RUBY_TEXT:
        if in_scope(b, b.tables.ruby, SCOPE) >= 0:
            imply_ends(b, 0 if kind == RUBY_BASE else b.tables.ruby_container)
        insert_token(b, token)
    elif kind == HTML:
        take_root_tag(b, token, 0)
    elif kind == BODY:
        if b.depth > 1 and b.stack[1].kind == BODY:
            take_root_tag(b, token, b.stack[1].node)
    elif kind == RARE:
        give_up(b)
    else:
        in_metadata(b, token, kind)  # and what has no place in a body is ignored
    return True


cdef bint in_body(Builder *b, fw_token *token, int kind, bint closing) noexcept nogil:
    if closing:
        return end_in_body(b, token, kind)
    if token.tag == TEXT_TOKEN:
        if token.null_count == 0 or token.null_count < <size_t>(token.text_end - token.text_start):
            reopen(b)
            insert_text(b, token)
        return True
    if token.tag == COMMENT or token.tag == INSTRUCTION:
        insert_comment(b)
        return True
    if token.tag == DOCTYPE or token.tag == END_OF_FILE:
        return True
    return start_in_body(b, token, kind)


cdef inline bint is_table_tag(int kind) noexcept nogil:
    return (kind == CAPTION or kind == COLUMN or kind == COLUMN_GROUP or kind == ROW_GROUP or kind == CELL
            or kind == ROW)


cdef bint in_foster(Builder *b, fw_token *token, int kind, bint closing) noexcept nogil:
    """What a table does not allow: by the rules of the body, but put before the table."""
    b.foster = True
    in_body(b, token, kind, closing)
    b.foster = False
    return True


cdef bint in_table(Builder *b, fw_token *token, int kind, bint closing) noexcept nogil:
    if token.tag == TEXT_TOKEN:
        if token.null_count != 0 or b.was_table_text:
            give_up(b)
            return True
        if current(b).bits & TABLE_PART and not current(b).foreign:
            b.was_table_text = True
            if is_blank(token):
                # It goes into the table, where it is no node, but may part two texts.
                b.text_open = False
                return True
        return in_foster(b, token, kind, closing)
    if token.tag == COMMENT or token.tag == INSTRUCTION:
        insert_comment(b)
        return True
    if token.tag == DOCTYPE or token.tag == END_OF_FILE:
        return True
    if closing:
        if kind == TABLE:
            if close(b, in_scope(b, token.tag, TABLE_SCOPE)):
                reset_mode(b)
            return True
        if is_table_tag(kind) or kind == BODY or kind == HTML:
            return True
        return in_foster(b, token, kind, closing)
    if is_table_tag(kind):
        clear_to(b, TABLE)
        if kind == CAPTION:
            add_marker(b)
            insert_token(b, token)
            b.mode = IN_CAPTION
        elif kind == COLUMN_GROUP:
            insert_token(b, token)
            b.mode = IN_COLUMN_GROUP
        elif kind == COLUMN:
            insert(b, b.tables.column_group, NULL, False)
            b.mode = IN_COLUMN_GROUP
            return False
        elif kind == ROW_GROUP:
            insert_token(b, token)
            b.mode = IN_TABLE_BODY
        else:
            insert(b, b.tables.row_group, NULL, False)
            b.mode = IN_TABLE_BODY
            return False
        return True
    if kind == TABLE:
        if not close(b, in_scope(b, token.tag, TABLE_SCOPE)):
            return True
        reset_mode(b)
        return False
    if kind == STYLE or kind == SCRIPT_ELEMENT:
        return in_metadata(b, token, kind)
    if kind == INPUT and is_hidden_type(b, token.first_attribute):
        insert_token(b, token)
        pop(b)
        return True
    if kind == FORM:
        if b.form == NO_NODE:
            insert_token(b, token)
            b.form = current(b).node
            pop(b)
        return True
    return in_foster(b, token, kind, closing)


cdef bint in_caption(Builder *b, fw_token *token, int kind, bint closing) noexcept nogil:
    if closing and kind == CAPTION or not closing and is_table_tag(kind) or closing and kind == TABLE:
        if not close(b, kind_in_scope(b, CAPTION, TABLE_SCOPE)):
            return True
        clear_to_marker(b)
        b.mode = IN_TABLE
        return closing and kind == CAPTION
    if closing and (is_table_tag(kind) or kind == BODY or kind == HTML):
        return True
    return in_body(b, token, kind, closing)


cdef bint in_column_group(Builder *b, fw_token *token, int kind, bint closing) noexcept nogil:
    if token.tag == TEXT_TOKEN:
        if token.null_count != 0:
            give_up(b)
            return True
        if is_blank(token):
            return True
    elif token.tag == COMMENT or token.tag == INSTRUCTION or token.tag == END_OF_FILE:
        return True
    elif token.tag == DOCTYPE:
        pass  # the standard ignores it, Lexbor does not
    elif closing:
        if kind == COLUMN_GROUP:
            if current(b).kind == COLUMN_GROUP:
                pop(b)
                b.mode = IN_TABLE
            return True
        if kind == COLUMN:
            return True
    elif kind == COLUMN:
        insert_token(b, token)
        pop(b)
        return True
    elif kind == HTML:
        take_root_tag(b, token, 0)
        return True
    elif kind == RARE:
        give_up(b)
        return True
    if current(b).kind != COLUMN_GROUP:
        return True
    pop(b)
    b.mode = IN_TABLE
    return False


cdef bint in_table_body(Builder *b, fw_token *token, int kind, bint closing) noexcept nogil:
    cdef int found
    if not closing and (kind == ROW or kind == CELL):
        clear_to(b, ROW_GROUP)
        if kind == ROW:
            insert_token(b, token)
        else:
            insert(b, b.tables.row, NULL, False)
        b.mode = IN_ROW
        return kind == ROW
    if closing and kind == ROW_GROUP:
        if in_scope(b, token.tag, TABLE_SCOPE) >= 0:
            clear_to(b, ROW_GROUP)
            pop(b)
            b.mode = IN_TABLE
        return True
    if closing and kind == TABLE or not closing and is_table_tag(kind):
        found = kind_in_scope(b, ROW_GROUP, TABLE_SCOPE)
        if found < 0:
            return True
        clear_to(b, ROW_GROUP)
        pop(b)
        b.mode = IN_TABLE
        return False
    if closing and (is_table_tag(kind) or kind == BODY or kind == HTML):
        return True
    return in_table(b, token, kind, closing)


cdef bint in_row(Builder *b, fw_token *token, int kind, bint closing) noexcept nogil:
    if not closing and kind == CELL:
        clear_to(b, ROW)
        insert_token(b, token)
        b.mode = IN_CELL
        add_marker(b)
        return True
    if closing and (kind == ROW or kind == TABLE or kind == ROW_GROUP) or not closing and is_table_tag(kind):
        if closing and kind == ROW_GROUP and in_scope(b, token.tag, TABLE_SCOPE) < 0:
            return True
        if in_scope(b, b.tables.row, TABLE_SCOPE) < 0:
            return True
        clear_to(b, ROW)
        pop(b)
        b.mode = IN_TABLE_BODY
        return closing and kind == ROW
    if closing and (is_table_tag(kind) or kind == BODY or kind == HTML):
        return True
    return in_table(b, token, kind, closing)


cdef bint in_cell(Builder *b, fw_token *token, int kind, bint closing) noexcept nogil:
    if closing and kind == CELL:
        if close(b, in_scope(b, token.tag, TABLE_SCOPE)):
            clear_to_marker(b)
            b.mode = IN_ROW
        return True
    if not closing and is_table_tag(kind) or closing and (kind == TABLE or kind == ROW_GROUP or kind == ROW):
        if closing and in_scope(b, token.tag, TABLE_SCOPE) < 0:
            return True
        if not close(b, kind_in_scope(b, CELL, TABLE_SCOPE)):
            if closing:
                give_up(b)  # the mode says that a cell is open
            return True
        clear_to_marker(b)
        b.mode = IN_ROW
        return False
    if closing and (is_table_tag(kind) or kind == BODY or kind == HTML):
        return True
    return in_body(b, token, kind, closing)


cdef bint is_kept(const Builder *b, const fw_token *token) noexcept nogil:
    """Whether the text of a script is kept that does not say that it is JSON, or the markup of a noscript; or whether
    that cannot be told, since it has bytes of zero, which the tree has as longer ones."""
    cdef size_t length = <size_t>(token.text_end - token.text_start)
    if b.in_markup:
        return token.null_count != 0 or is_long_markup(length)
    return begins_data(token.text_start, length) if token.null_count else holds_data(token.text_start, length)


cdef bint in_text(Builder *b, fw_token *token, bint closing) noexcept nogil:
    """The content of an element that holds text only."""
    cdef size_t length
    if token.tag == TEXT_TOKEN:
        if current(b).inner != NO_NODE:
            insert_visible(b, token)
        elif b.in_json or b.in_script and is_kept(b, token):
            b.in_json = True
            length = <size_t>(token.text_end - token.text_start)
            if token.null_count != 0:
                give_up(b)
            elif reserve(&b.json, &b.json_capacity, b.json_length + length):
                b.status = OUT_OF_MEMORY
            else:
                memcpy(b.json + b.json_length, token.text_start, length)
                b.json_length += length
        return True
    if not closing and token.tag != END_OF_FILE:
        return True
    pop(b)
    b.mode = b.original_mode
    b.in_script = False
    if b.in_json:
        b.in_json = False
        keep_json(b)
    return token.tag != END_OF_FILE


cdef void keep_json(Builder *b) noexcept nogil:
    """Remember where the text of a script or noscript that is kept ends, if it has any."""
    cdef Growing *page = b.page
    cdef Place *place
    cdef size_t start = page.scripts[page.script_count - 1].length if page.script_count else 0
    if b.json_length == start:
        return
    if grow_scripts(page) or reserve(&b.places, &b.places_capacity, (page.script_count + 1) * sizeof(Place)):
        b.status = OUT_OF_MEMORY
        return
    place = <Place *>b.places + page.script_count
    place.parent = current(b).node
    place.nodes = page.nodes
    page.scripts[page.script_count].length = b.json_length
    page.scripts[page.script_count].is_markup = b.in_markup
    page.script_count += 1


cdef bint after_body(Builder *b, fw_token *token, int kind, bint closing) noexcept nogil:
    if token.tag == TEXT_TOKEN and token.null_count == 0 and is_blank(token):
        return in_body(b, token, kind, closing)
    if (token.tag == COMMENT or token.tag == INSTRUCTION or token.tag == DOCTYPE or token.tag == END_OF_FILE):
        return True
    if kind == HTML:
        if not closing:
            take_root_tag(b, token, 0)
            return True
        if b.mode == AFTER_BODY:
            b.mode = AFTER_AFTER_BODY
            return True
    b.mode = IN_BODY
    return False


cdef bint in_foreign(Builder *b, fw_token *token, int kind, bint closing) noexcept nogil:
    """A token within SVG."""
    cdef int k
    if token.tag == TEXT_TOKEN:
        insert_visible(b, token)
        return True
    if token.tag == COMMENT or token.tag == INSTRUCTION:
        insert_comment(b)
        return True
    if token.tag == DOCTYPE:
        return True
    if closing:
        if kind == PARAGRAPH or kind == BREAK:
            give_up(b)
            return True
        k = b.depth - 1
        while k > 0 and b.stack[k].foreign:
            if b.stack[k].tag == token.tag:
                pop_to(b, k)
                return True
            k -= 1
        return in_mode(b, token, kind, closing)
    if token.tag < STATIC_NAMES:
        if b.tables.bits[token.tag] & BREAKING_OUT:
            b.depth -= 1
            while b.depth > 1 and current(b).foreign and not current(b).bits & INTEGRATION:
                b.depth -= 1
            return False
        # The attributes of a font tag decide; what needs no end tag would be closed as if it were HTML.
        if kind == RARE or token.tag == b.tables.font or b.tables.bits[token.tag] & IMPLIED_END:
            give_up(b)
            return True
    insert(b, token.tag, token.first_attribute, True)
    if token.type & SELF_CLOSING:
        pop(b)
    return True


cdef bint in_mode(Builder *b, fw_token *token, int kind, bint closing) noexcept nogil:
    cdef int mode = b.mode
    if mode == IN_BODY:
        return in_body(b, token, kind, closing)
    if mode == IN_TEXT:
        return in_text(b, token, closing)
    if mode == IN_CELL:
        return in_cell(b, token, kind, closing)
    if mode == IN_ROW:
        return in_row(b, token, kind, closing)
    if mode == IN_TABLE_BODY:
        return in_table_body(b, token, kind, closing)
    if mode == IN_TABLE:
        return in_table(b, token, kind, closing)
    if mode <= AFTER_HEAD:
        return before_body(b, token, kind, closing)
    if mode == IN_CAPTION:
        return in_caption(b, token, kind, closing)
    if mode == IN_COLUMN_GROUP:
        return in_column_group(b, token, kind, closing)
    return after_body(b, token, kind, closing)


cdef bint is_too_much(Builder *b, fw_token *token) noexcept nogil:
    """Whether the page asks for more than a page should: the guards of the parse decide what becomes of it."""
    cdef fw_token_attribute *attribute = token.first_attribute
    cdef int64_t attributes = 0, names = token.tag >= STATIC_NAMES
    while attribute != NULL:
        attributes += 1
        names += attribute.name != NULL and attribute.name.number >= STATIC_NAMES  # the parts of a doctype have none
        attribute = attribute.next
    b.work += b.depth + attributes
    if names != 0:
        # Lexbor keeps such names in few chains.
        b.work += names * ((b.page.tag_names.count + b.page.attribute_names.count + b.strays) // NAMES_A_STEP)
    b.names = names
    return b.work > LABORIOUS


cdef fw_token *take_token(void *tokenizer, fw_token *token, void *context) noexcept nogil:
    """What the tokenizer calls for every token; NULL ends the parse."""
    cdef Builder *b = <Builder *>context
    cdef bint closing = token.type & CLOSING
    cdef bint was_table_text = b.was_table_text
    cdef bint done = False
    cdef int32_t nodes = b.page.nodes, attributes = b.page.attributes
    cdef int kind = b.tables.kinds[token.tag] if token.tag < STATIC_NAMES else <int>OTHER
    b.tokens += 1
    b.behind = token.end
    if b.skips_newline:
        b.skips_newline = False
        if token.tag == TEXT_TOKEN and token.null_count != 0:
            give_up(b)
        if token.tag == TEXT_TOKEN and token.text_end - token.text_start == 1 and token.text_start[0] == c"\n":
            return token
    if is_too_much(b, token):
        give_up(b)
    elif (token.tag == COMMENT and b.depth > 0 and current(b).foreign and token.text_end > token.text_start
            and token.text_start[0] == c"["):
        give_up(b)  # a section of characters, here a text
    if closing and b.names != 0 and b.depth > 0 and token.tag >= STATIC_NAMES and current(b).tag == token.tag:
        b.names -= 1  # as the start tag's
    while not done and b.status == 0:
        if (b.depth > 0 and current(b).foreign and token.tag != END_OF_FILE
                and (closing or not current(b).bits & INTEGRATION)):
            done = in_foreign(b, token, kind, closing)
        else:
            done = in_mode(b, token, kind, closing)
    if was_table_text:
        b.was_table_text = False
    if b.names != 0 and (closing or b.page.attributes == attributes and (token.first_attribute != NULL
                                                                         or b.page.nodes == nodes)):
        b.strays += b.names
    return token if b.status == 0 else NULL


# The end

cdef void move_attributes(const Growing *old, int32_t node, Growing *page, int32_t taken) noexcept nogil:
    """Copy the attributes of an old node to the end of the new page, but for those that are there already, from `taken`
    on. There is memory for them."""
    cdef int32_t first, end, k, at
    cdef int32_t there = page.attributes  # those of one tag differ already
    cdef size_t length
    attribute_span(old, node, &first, &end)
    for k in range(first, end):
        at = taken
        while at < there and page.attribute_name[at] != old.attribute_name[k]:
            at += 1
        if at < there:
            continue
        at = page.attributes
        page.attribute_name[at] = old.attribute_name[k]
        page.value_start[at] = <int32_t>page.values_length
        length = value_end(old, k) - old.value_start[k]
        memcpy(page.values + page.values_length, old.values + old.value_start[k], length)
        page.values_length += length
        page.attributes += 1


cdef void move_text(const Growing *old, int32_t node, Growing *page, int32_t last) noexcept nogil:
    """Copy a text to that of the node which was added last, and say so of the text before it, `last`, if they touch."""
    cdef size_t end = old.text_start[node + 1] if node + 1 < old.nodes else old.text_length
    cdef size_t length = end - old.text_start[node]
    memcpy(page.text + page.text_length, old.text + old.text_start[node], length)
    page.text_length += length
    page.text[page.text_length - 1] = c" "
    if last != NO_NODE and old.size[node] & SPACE_BEFORE == 0:
        touch(page, last, page.nodes - 1)


cdef int put_in_order(Builder *b) noexcept nogil:
    """Write the arrays again, in document order."""
    cdef Growing *old = b.page
    cdef Growing *page = take()
    cdef int32_t node = 0, at, k, parent
    cdef int32_t last = NO_NODE  # the last text, if there is no white space behind it
    cdef int failed = 0
    if page == NULL:
        return OUT_OF_MEMORY
    page.tag_names, old.tag_names = old.tag_names, page.tag_names
    page.attribute_names, old.attribute_names = old.attribute_names, page.attribute_names
    page.scripts, old.scripts = old.scripts, page.scripts
    page.script_count, old.script_count = old.script_count, page.script_count
    page.script_capacity, old.script_capacity = old.script_capacity, page.script_capacity
    b.page = page
    if (reserve(&page.text, &page.text_capacity, old.text_length + 1)
            or reserve(&page.values, &page.values_capacity, old.values_length + 1)):
        failed = OUT_OF_MEMORY
    while failed == 0 and page.node_capacity < old.nodes:
        failed = grow_nodes(page)
    while failed == 0 and page.attribute_capacity < old.attributes:
        failed = grow_attributes(page)
    while failed == 0 and node != NO_NODE:
        if old.tag[node] == BLANK:
            last = NO_NODE
        else:
            at = page.nodes
            parent = old.parent[node]
            page.tag[at] = old.tag[node]
            page.parent[at] = old.size[parent] if parent != NO_NODE else NO_NODE
            page.depth[at] = page.depth[page.parent[at]] + 1 if parent != NO_NODE else 0
            page.text_start[at] = <int32_t>page.text_length
            page.attribute_start[at] = page.attributes
            page.nodes += 1
            if old.tag[node] == TEXT:
                move_text(old, node, page, last)
                last = NO_NODE if old.size[node] & SPACE_BEHIND else at
            else:
                old.size[node] = at  # its new number, for its children
            move_attributes(old, node, page, page.attributes)
            for k in range(b.late):
                if b.late_owner[k] == node:
                    move_attributes(old, b.late_node[k], page, page.attribute_start[at])
        if b.first[node] != NO_NODE:
            node = b.first[node]
        else:
            while node != NO_NODE and b.next[node] == NO_NODE:
                node = old.parent[node]
            if node != NO_NODE:
                node = b.next[node]
    put_back(old)
    return failed


cdef int32_t depth_of(const int32_t *parent, int32_t node) noexcept nogil:
    cdef int32_t depth = 0
    while node != NO_NODE:
        node = parent[node]
        depth += 1
    return depth


cdef bint stay_in_order(Builder *b, Place first, Place second, int32_t *steps) noexcept nogil:
    """Whether the first of two scripts is still before the second, now that nodes were moved; False also where that
    takes too many steps."""
    cdef const int32_t *parent = b.page.parent
    cdef int32_t one = first.parent, two = second.parent, below = NO_NODE
    cdef int32_t difference = depth_of(parent, one) - depth_of(parent, two)
    while difference > 0:
        one = parent[one]
        difference -= 1
    while difference < 0:
        below = two
        two = parent[two]
        difference += 1
    if one == two:
        # The one is within the parent of the other: if that is the second, in what came after the first.
        return below == NO_NODE or below >= first.nodes
    while parent[one] != parent[two]:
        one = parent[one]
        two = parent[two]
    while one != NO_NODE and one != two and steps[0] > 0:
        one = b.next[one]
        steps[0] -= 1
    return one == two


cdef bint scripts_are_in_order(Builder *b) noexcept nogil:
    """Whether the scripts of a page whose nodes were moved are still in document order."""
    cdef const Place *places = <const Place *>b.places
    cdef int32_t k, steps = MOST_STEPS
    for k in range(1, b.page.script_count):
        if not stay_in_order(b, places[k - 1], places[k], &steps):
            return False
    return True


cdef int complete(Builder *b) noexcept nogil:
    """Finish the arrays, after the last token; 0 for success."""
    cdef Growing *page
    cdef int32_t node, k
    cdef size_t start = 0, end
    if b.status != 0:
        return b.status
    if b.linked:
        if not scripts_are_in_order(b):
            return GIVEN_UP
        b.status = put_in_order(b)
        if b.status:
            return b.status
    page = b.page
    for node in range(page.nodes):
        page.size[node] = 1
    for node in range(page.nodes - 1, 0, -1):
        page.size[page.parent[node]] += page.size[node]
    for k in range(page.script_count):
        end = page.scripts[k].length
        page.scripts[k].data = b.json + start
        page.scripts[k].length = end - start
        start = end
    return 0
