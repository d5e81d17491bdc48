"""The parse: Lexbor's own functions, found in selectolax's module, called from page to page with one parser.
Its tokens become arrays without a tree (`construction.pyx`); where that gives up, it builds one, guarded."""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport memchr, memset

from fastwrap._core.common.atomic cimport exchange
from fastwrap._core.page.construction cimport (
    FREE_MEMORY, GIVEN_UP, LABORIOUS, MEMORY_A_BYTE, MOST_FORMATTING, MOST_OPEN, NAMES_A_STEP,
    Builder, Tables, complete, create_builder, destroy_builder, end_page, is_in_text, set_state_f, start_page,
    take_token, token_f,
)
from fastwrap._core.page.lexbor cimport (
    ELEMENT_NODE, STATIC_NAMES,
    fw_chunk, fw_document, fw_node, fw_pool, fw_token, fw_token_attribute, fw_tree,
    offsetof_active_formatting, offsetof_array_length, offsetof_attribute_name_number, offsetof_chunk,
    offsetof_chunk_prev, offsetof_chunk_size, offsetof_memory, offsetof_open_elements, offsetof_quirks,
    offsetof_token_attribute_name, offsetof_token_attribute_next, offsetof_token_attribute_value,
    offsetof_token_attribute_value_begin, offsetof_token_attribute_value_length,
    offsetof_token_end, offsetof_token_first_attribute, offsetof_token_last_attribute, offsetof_token_null_count,
    offsetof_token_tag, offsetof_token_text_end, offsetof_token_text_start, offsetof_token_type,
)
from fastwrap._core.page.walk cimport UNSEEN, Growing, finished, put_back, take, walk_tree

from fastwrap._core.page.construction import BITS as TAG_BITS
from fastwrap._core.page.construction import CATEGORIES, HTML_NAMESPACE, SVG_NAMESPACE
from fastwrap._core.page.construction import KINDS as TAG_KINDS

OFFSETS = {
    "token_end": offsetof_token_end,
    "token_text_start": offsetof_token_text_start,
    "token_text_end": offsetof_token_text_end,
    "token_first_attribute": offsetof_token_first_attribute,
    "token_last_attribute": offsetof_token_last_attribute,
    "token_attribute_next": offsetof_token_attribute_next,
    "token_attribute_name": offsetof_token_attribute_name,
    "token_attribute_value_begin": offsetof_token_attribute_value_begin,
    "token_attribute_value": offsetof_token_attribute_value,
    "token_attribute_value_length": offsetof_token_attribute_value_length,
    "attribute_name_number": offsetof_attribute_name_number,
    "token_null_count": offsetof_token_null_count,
    "token_tag": offsetof_token_tag,
    "token_type": offsetof_token_type,
    "array_length": offsetof_array_length,
    "open_elements": offsetof_open_elements,
    "active_formatting": offsetof_active_formatting,
    "quirks": offsetof_quirks,
    "memory": offsetof_memory,
    "chunk": offsetof_chunk,
    "chunk_size": offsetof_chunk_size,
    "chunk_prev": offsetof_chunk_prev,
}

cdef enum:
    NO_ROOT = -1
    WITHOUT_EVENTS = 1       # with events, options of a select cost their square
    POOLED = 8
    # The first block of memory of a document stays with it, so that most trees need no other.
    NODE_BLOCK = 1 << 20
    TEXT_BLOCK = 1 << 18
    CHUNK_BYTES = 1 << 17    # a tag with as many could hold 30,000 attributes, each compared with all before

CHUNK = CHUNK_BYTES

ctypedef void *(*create_f)() noexcept nogil
ctypedef void *(*get_f)(void *of) noexcept nogil
ctypedef void (*clean_f)(void *of) noexcept nogil
ctypedef uint32_t (*step_f)(void *of) noexcept nogil
ctypedef void (*set_f)(void *of, uint32_t value) noexcept nogil
ctypedef void (*set_flag_f)(void *of, bint value) noexcept nogil
ctypedef uint32_t (*prepare_f)(void *parser, void *document) noexcept nogil
ctypedef uint32_t (*process_f)(void *parser, const unsigned char *html, size_t length) noexcept nogil
ctypedef void *(*destroy_pool_f)(void *pool, bint itself) noexcept nogil
ctypedef uint32_t (*init_pool_f)(void *pool, size_t block) noexcept nogil
ctypedef bint (*is_category_f)(uintptr_t tag, uintptr_t ns, int category) noexcept nogil
ctypedef void (*set_callback_f)(void *tokenizer, token_f callback, void *context) noexcept nogil

cdef struct Functions:
    create_f document_create
    get_f document_destroy
    clean_f document_clean
    get_f document_nodes
    get_f document_texts
    set_f set_options
    set_flag_f set_scripting
    create_f parser_create
    step_f parser_init
    get_f parser_destroy
    clean_f parser_clean
    get_f tokenizer_of
    get_f tree_of
    set_callback_f set_callback
    prepare_f prepare
    process_f process
    step_f end
    destroy_pool_f destroy_pool
    init_pool_f init_pool

cdef struct Machine:
    # A parser with its document, and what the guards have seen of the page.
    void *parser
    fw_document *document
    void *tokenizer
    fw_tree *tree
    fw_pool *nodes
    fw_pool *texts
    fw_chunk *node_chunk
    fw_chunk *text_chunk
    bint guarded
    int64_t tokens
    int64_t names
    int64_t root_attributes
    int64_t work
    int64_t memory
    int64_t memory_limit
    Builder *builder
    void *check                    # borrowed: a list with the check of the page, later what it raised

# Set once, by `use`, after `functions.py` has verified everything; no machine is made before.
cdef Functions lexbor
cdef token_f build_tree = NULL
cdef int32_t TAGS[STATIC_NAMES]
cdef int32_t ATTRIBUTES[STATIC_NAMES]
cdef unsigned char KINDS[STATIC_NAMES]
cdef uint16_t BITS[STATIC_NAMES]
cdef uint16_t FOREIGN_BITS[STATIC_NAMES]
cdef Tables TABLES

cdef Machine *POOL[POOLED]
memset(POOL, 0, sizeof(POOL))


def use(addresses, const int32_t[::1] tags, const int32_t[::1] attributes, uintptr_t type_name, numbers):
    """Take Lexbor's functions from their addresses; see `parsing.pyi`."""
    global build_tree
    cdef is_category_f is_category = <is_category_f><uintptr_t>addresses["lxb_html_tag_is_category"]
    cdef int k, category
    lexbor.document_create = <create_f><uintptr_t>addresses["lxb_html_document_create"]
    lexbor.document_destroy = <get_f><uintptr_t>addresses["lxb_html_document_destroy"]
    lexbor.document_clean = <clean_f><uintptr_t>addresses["lxb_html_document_clean"]
    lexbor.document_nodes = <get_f><uintptr_t>addresses["lxb_html_document_mraw_noi"]
    lexbor.document_texts = <get_f><uintptr_t>addresses["lxb_html_document_mraw_text_noi"]
    lexbor.set_options = <set_f><uintptr_t>addresses["lxb_html_document_dom_opt_set_noi"]
    lexbor.set_scripting = <set_flag_f><uintptr_t>addresses["lxb_dom_document_scripting_set_noi"]
    lexbor.parser_create = <create_f><uintptr_t>addresses["lxb_html_parser_create"]
    lexbor.parser_init = <step_f><uintptr_t>addresses["lxb_html_parser_init"]
    lexbor.parser_destroy = <get_f><uintptr_t>addresses["lxb_html_parser_destroy"]
    lexbor.parser_clean = <clean_f><uintptr_t>addresses["lxb_html_parser_clean"]
    lexbor.tokenizer_of = <get_f><uintptr_t>addresses["lxb_html_parser_tokenizer_noi"]
    lexbor.tree_of = <get_f><uintptr_t>addresses["lxb_html_parser_tree_noi"]
    lexbor.set_callback = <set_callback_f><uintptr_t>addresses["lxb_html_tokenizer_callback_token_done_set_noi"]
    lexbor.prepare = <prepare_f><uintptr_t>addresses["lxb_html_parse_chunk_prepare"]
    lexbor.process = <process_f><uintptr_t>addresses["lxb_html_parse_chunk_process"]
    lexbor.end = <step_f><uintptr_t>addresses["lxb_html_parse_chunk_end"]
    lexbor.destroy_pool = <destroy_pool_f><uintptr_t>addresses["lexbor_mraw_destroy"]
    lexbor.init_pool = <init_pool_f><uintptr_t>addresses["lexbor_mraw_init"]
    build_tree = <token_f><uintptr_t>addresses["build_tree"]
    for k in range(STATIC_NAMES):
        TAGS[k] = tags[k]
        ATTRIBUTES[k] = attributes[k]
        if tags[k] == UNSEEN:
            continue
        for category in CATEGORIES.values():
            if is_category(k, HTML_NAMESPACE, category):
                BITS[k] |= category
            if is_category(k, SVG_NAMESPACE, category):
                FOREIGN_BITS[k] |= category
    for name, number in numbers.items():
        k = number
        KINDS[k] = TAG_KINDS.get(name, 0)
        BITS[k] |= TAG_BITS.get(name, 0)
        FOREIGN_BITS[k] |= TAG_BITS.get(name, 0)
    TABLES.tags = TAGS
    TABLES.attributes = ATTRIBUTES
    TABLES.kinds = KINDS
    TABLES.bits = BITS
    TABLES.foreign_bits = FOREIGN_BITS
    TABLES.type_name = type_name
    TABLES.html = numbers["html"]
    TABLES.head = numbers["head"]
    TABLES.body = numbers["body"]
    TABLES.paragraph = numbers["p"]
    TABLES.column_group = numbers["colgroup"]
    TABLES.row_group = numbers["tbody"]
    TABLES.row = numbers["tr"]
    TABLES.select = numbers["select"]
    TABLES.option_group = numbers["optgroup"]
    TABLES.ruby = numbers["ruby"]
    TABLES.ruby_container = numbers["rtc"]
    TABLES.font = numbers["font"]
    TABLES.set_state = <set_state_f><uintptr_t>addresses["lxb_html_tokenizer_set_state_by_tag"]
    TABLES.build_tree = build_tree


cdef bint enlarge(fw_pool *pool, size_t block) noexcept nogil:
    """Give an empty pool of memory a larger first block, which it keeps from page to page."""
    return lexbor.destroy_pool(pool, False) != NULL and lexbor.init_pool(pool, block) == 0


cdef void destroy(Machine *machine) noexcept nogil:
    if machine.parser != NULL:
        lexbor.parser_destroy(machine.parser)
    if machine.document != NULL:
        lexbor.document_destroy(machine.document)
    destroy_builder(machine.builder)
    free(machine)


cdef Machine *create() noexcept nogil:
    """A new machine; NULL when there is no memory."""
    cdef Machine *machine = <Machine *>calloc(1, sizeof(Machine))
    if machine == NULL:
        return NULL
    machine.parser = lexbor.parser_create()
    machine.document = <fw_document *>lexbor.document_create()
    machine.builder = create_builder()
    if (machine.parser == NULL or machine.document == NULL or machine.builder == NULL
            or lexbor.parser_init(machine.parser) != 0):
        destroy(machine)
        return NULL
    machine.tokenizer = lexbor.tokenizer_of(machine.parser)
    machine.tree = <fw_tree *>lexbor.tree_of(machine.parser)
    machine.nodes = <fw_pool *>lexbor.document_nodes(machine.document)
    machine.texts = <fw_pool *>lexbor.document_texts(machine.document)
    if not enlarge(machine.nodes, NODE_BLOCK) or not enlarge(machine.texts, TEXT_BLOCK):
        destroy(machine)
        return NULL
    return machine


cdef Machine *borrow() noexcept nogil:
    """A machine that no other thread has; NULL when there is no memory."""
    cdef Machine *machine
    cdef int k
    for k in range(POOLED):
        machine = <Machine *>exchange(<void **>&POOL[k], NULL)
        if machine != NULL:
            return machine
    return create()


cdef void clean(Machine *machine) noexcept nogil:
    """Make a machine ready for the next page, its memory freed but for the first blocks."""
    lexbor.parser_clean(machine.parser)
    lexbor.document_clean(machine.document)
    machine.document.quirks = 0  # which the cleaning forgets


cdef void give_back(Machine *machine) noexcept nogil:
    """Keep a machine for the next page."""
    cdef int k
    clean(machine)
    end_page(machine.builder)
    for k in range(POOLED):
        machine = <Machine *>exchange(<void **>&POOL[k], machine)
        if machine == NULL:
            return
    destroy(machine)


cdef inline void count_memory(Machine *machine, fw_chunk **seen, fw_chunk *chunk) noexcept nogil:
    """Add the blocks of memory that are new since the last token."""
    cdef fw_chunk *last = chunk
    while chunk != NULL and chunk != seen[0]:
        machine.memory += chunk.size
        chunk = chunk.prev
    seen[0] = last


cdef bint is_alarming(Machine *machine, fw_token *token) noexcept nogil:
    """Whether the page may be one that the parser should not be given, as far as it has been read."""
    cdef fw_token_attribute *attribute = token.first_attribute
    cdef int64_t attributes = 0
    while attribute != NULL:
        attributes += 1
        attribute = attribute.next
    if attributes != 0 and (token.tag == TABLES.html or token.tag == TABLES.body):
        machine.root_attributes += attributes  # the root has them all, and each is compared with all
        machine.work += attributes * machine.root_attributes
    machine.names += attributes + (token.tag >= STATIC_NAMES)
    machine.work += (machine.tree.open_elements.length + attributes * attributes
                     + (attributes + (token.tag >= STATIC_NAMES)) * (machine.names // NAMES_A_STEP))
    if machine.nodes.memory.chunk != machine.node_chunk:
        count_memory(machine, &machine.node_chunk, machine.nodes.memory.chunk)
    if machine.texts.memory.chunk != machine.text_chunk:
        count_memory(machine, &machine.text_chunk, machine.texts.memory.chunk)
    return (machine.work > LABORIOUS or machine.memory > machine.memory_limit
            or machine.tree.open_elements.length > MOST_OPEN or machine.tree.active_formatting.length > MOST_FORMATTING)


cdef fw_token *guard_token(void *tokenizer, fw_token *token, void *context) noexcept nogil:
    """What the tokenizer calls for every token; NULL ends the parse."""
    cdef Machine *machine = <Machine *>context
    machine.tokens += 1
    if machine.guarded and is_alarming(machine, token) and not is_allowed(machine):
        return NULL
    return build_tree(tokenizer, token, machine.tree)


cdef bint is_allowed(Machine *machine) noexcept nogil:
    """Ask the check of the whole page, once; keep what it raises for the caller."""
    machine.guarded = False
    with gil:
        try:
            (<object>machine.check)[0]()
        except BaseException as error:
            (<object>machine.check)[0] = error
            return False
    return True


cdef uint32_t begin(Machine *machine, token_f callback, void *context) noexcept nogil:
    """Begin a page, whose tokens the callback is to take; 0 for success."""
    cdef uint32_t failed
    lexbor.set_options(machine.document, WITHOUT_EVENTS)
    lexbor.set_scripting(machine.document, True)
    failed = lexbor.prepare(machine.parser, machine.document)
    lexbor.set_callback(machine.tokenizer, callback, context)
    return failed


cdef uint32_t parse(Machine *machine, const unsigned char *html, size_t length) noexcept nogil:
    """Build the tree; 0 for success."""
    cdef size_t done = 0, step
    cdef int64_t tokens
    cdef uint32_t failed
    machine.guarded = True
    machine.tokens = machine.names = machine.root_attributes = machine.work = machine.memory = 0
    machine.memory_limit = FREE_MEMORY + MEMORY_A_BYTE * <int64_t>length
    machine.node_chunk = machine.nodes.memory.chunk
    machine.text_chunk = machine.texts.memory.chunk
    failed = begin(machine, guard_token, machine)
    while failed == 0 and done < length:
        step = length - done
        if machine.guarded and step > CHUNK_BYTES:
            step = CHUNK_BYTES
        tokens = machine.tokens
        failed = lexbor.process(machine.parser, html + done, step)
        done += step
        # A tag that is longer than a chunk is not seen before its end.
        if machine.guarded and machine.tokens == tokens and done < length and not is_allowed(machine):
            return 1
    return failed if failed != 0 else lexbor.end(machine.parser)


cdef int64_t TREES = 0


cdef void count_tree() noexcept nogil:
    global TREES
    TREES += 1  # a guess, where threads count at once


def trees():
    """How many trees Lexbor has built; see `parsing.pyi`."""
    return TREES


cdef bint is_without_end(const unsigned char *at, const unsigned char *end) noexcept nogil:
    """Whether no end tag begins in a part of a script, or may begin at its end."""
    while True:
        at = <const unsigned char *>memchr(at, c"<", end - at)
        if at == NULL:
            return True
        if end - at < 3 or at[1] == c"/" and c"a" <= (at[2] | 32) <= c"z":
            return False
        at += 1


cdef int build(Machine *machine, Growing **page, const unsigned char *html, size_t length) noexcept nogil:
    """Fill the arrays without a tree; 0 for success, GIVEN_UP where a tree is needed."""
    cdef Builder *builder = machine.builder
    cdef const unsigned char *seen = html
    cdef size_t done = 0, step
    cdef int64_t tokens
    cdef uint32_t failed
    start_page(builder, page[0], &TABLES, machine.tokenizer, machine.tree, machine.document, length)
    failed = begin(machine, take_token, builder)
    while failed == 0 and done < length:
        step = length - done
        if step > CHUNK_BYTES:
            step = CHUNK_BYTES
        tokens = builder.tokens
        failed = lexbor.process(machine.parser, html + done, step)
        done += step
        # A tag that is longer than a chunk is not seen before its end.
        if builder.tokens == tokens and done < length:
            if not is_in_text(builder) or not html <= builder.behind <= html + done:
                return GIVEN_UP
            # Unless it is the text of a script: from the last token on, or from where this was looked at before.
            if not is_without_end(max(builder.behind, seen), html + done):
                return GIVEN_UP
            seen = html + done - 2
    if failed == 0:
        failed = lexbor.end(machine.parser)
    if failed != 0:
        return builder.status if builder.status != 0 else GIVEN_UP
    failed = complete(builder)
    page[0] = builder.page
    return failed


def read(bytes html not None, check, dict custom not None):
    """Parse a page and read its tree; see `parsing.pyi`."""
    cdef Machine *machine
    cdef Growing *page = NULL
    cdef fw_node *root = NULL
    cdef const unsigned char *start = html
    cdef size_t length = len(html)
    cdef uint32_t status = 0
    cdef int failed = 0
    asked = [check]
    if build_tree == NULL:
        raise RuntimeError("Lexbor's functions are not known yet")
    machine = borrow()
    if machine == NULL:
        raise MemoryError("no memory for the parser")
    machine.check = <void *>asked
    with nogil:
        page = take()
        if page != NULL:
            failed = build(machine, &page, start, length)
        if page != NULL and failed == GIVEN_UP:
            put_back(page)
            page = NULL
            clean(machine)
            count_tree()
            status = parse(machine, start, length)
            if status == 0:
                page = take()
                root = machine.document.node.first_child
                while root != NULL and root.type != ELEMENT_NODE:
                    root = root.next
                if page != NULL:
                    failed = walk_tree(page, root, TAGS, ATTRIBUTES, TABLES.type_name) if root != NULL else NO_ROOT
    if status != 0:
        destroy(machine)
        if isinstance(asked[0], BaseException):
            raise asked[0]
        raise ValueError(f"Lexbor's status is {status}")
    try:
        if page == NULL:
            raise MemoryError("no memory for the node arrays")
        if failed == NO_ROOT:
            raise ValueError("the tree has no root")
        return finished(page, failed, custom)
    finally:
        give_back(machine)
        if page != NULL:
            put_back(page)
