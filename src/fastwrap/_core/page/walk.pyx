"""The walk: from Lexbor's tree to integer-coded node arrays in one pass, without the GIL.
Reads foreign memory, so only `layout.py` may hand it an address, after the layout has been verified."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport INT32_MAX, int32_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memchr, memcmp, memcpy, memset

from fastwrap._core.common.atomic cimport exchange
from fastwrap._core.common.page cimport TOUCHES
from fastwrap._core.page.lexbor cimport (
    ELEMENT_NODE, SHORT_NAME, STATIC_NAMES, TEXT_NODE,
    fw_attribute, fw_element, fw_name, fw_node, fw_string, fw_text,
    offsetof_attribute_next, offsetof_first_attribute, offsetof_first_child, offsetof_last_attribute,
    offsetof_last_child, offsetof_local_name, offsetof_name_length, offsetof_next, offsetof_owner,
    offsetof_parent, offsetof_prev, offsetof_qualified_name, offsetof_text_data, offsetof_text_length,
    offsetof_type, offsetof_value,
)

import numpy as np

from fastwrap.page.names import (
    ATTRIBUTE_NUMBER, FORMATTING, GOES_ON, GOES_ON_BEFORE, JOINTS, SVG_ATTRIBUTE_CASE, TAG_NUMBER, number_of,
)

OFFSETS = {
    "next": offsetof_next,
    "prev": offsetof_prev,
    "parent": offsetof_parent,
    "first_child": offsetof_first_child,
    "last_child": offsetof_last_child,
    "local_name": offsetof_local_name,
    "type": offsetof_type,
    "text_data": offsetof_text_data,
    "text_length": offsetof_text_length,
    "first_attribute": offsetof_first_attribute,
    "last_attribute": offsetof_last_attribute,
    "qualified_name": offsetof_qualified_name,
    "value": offsetof_value,
    "owner": offsetof_owner,
    "attribute_next": offsetof_attribute_next,
    "name_length": offsetof_name_length,
}

cdef enum:
    # of a script that does not say that it is JSON, in bytes: those that are looked at, and how many it may have
    BEGINNING = 1024
    LEAST_DATA = 48
    MOST_DATA = 1 << 23
    LEAST_MARKUP = 1024  # of a noscript, likewise
    # arenas
    FIRST_NODES = 1 << 13
    FIRST_BYTES = 1 << 17
    KEPT_NODES = 1 << 17
    KEPT_BYTES = 1 << 23
    POOLED = 8
    REMEMBERED = 1 << 14  # names of all pages
    # of `NodeArrays`
    FIELDS = 12
    TEXT_FIELD = 8
    VALUES_FIELD = 9
    FORMATTING_END = 256  # no number of a tag of `FORMATTING` is as large
    # of a byte: a text that ends in it, or begins with it, goes on
    ENDS = 1
    BEGINS = 2

cdef object frombuffer = np.frombuffer, INT32 = np.dtype(np.int32)
cdef dict TAG_NAMES = {}, ATTRIBUTE_NAMES = {}

# 0: not white space; 1: ASCII white space; 2: first byte of a sequence that may be white space
cdef unsigned char SPACE_TABLE[256]
memset(SPACE_TABLE, 0, 256)
for _byte in (*range(9, 14), *range(28, 33)):
    SPACE_TABLE[_byte] = 1
for _byte in (0xC2, 0xE1, 0xE2, 0xE3):
    SPACE_TABLE[_byte] = 2

# Of tags: ANYTHING, 0 for formatting, and JOINT.
cdef unsigned char ROLES[FORMATTING_END]
memset(ROLES, ANYTHING, FORMATTING_END)
for _name in FORMATTING:
    ROLES[<size_t>TAG_NUMBER[_name]] = JOINT if _name in JOINTS else 0
cdef unsigned char GOES_ON_AT[256]
memset(GOES_ON_AT, 0, 256)
for _byte in GOES_ON:
    GOES_ON_AT[_byte] |= ENDS
for _byte in GOES_ON_BEFORE:
    GOES_ON_AT[_byte] |= BEGINS


cdef inline int role_of(int32_t tag) noexcept nogil:
    """What a tag is between two texts."""
    return ROLES[tag] if <uint32_t>tag < FORMATTING_END else ANYTHING


cdef inline int width_of_space(const unsigned char *at, const unsigned char *end) noexcept nogil:
    """Bytes of the white space character at `at` (Unicode White_Space, as str.isspace), 0 where it is another."""
    cdef unsigned char first = at[0]
    if SPACE_TABLE[first] == 1:
        return 1
    if SPACE_TABLE[first] == 0:
        return 0
    if first == 0xC2:
        return 2 if end - at >= 2 and (at[1] == 0xA0 or at[1] == 0x85) else 0
    if end - at < 3:
        return 0
    if first == 0xE2:
        if at[1] == 0x80:
            return 3 if at[2] <= 0x8A or at[2] == 0xA8 or at[2] == 0xA9 or at[2] == 0xAF else 0
        return 3 if at[1] == 0x81 and at[2] == 0x9F else 0
    if first == 0xE3:
        return 3 if at[1] == 0x80 and at[2] == 0x80 else 0
    return 3 if at[1] == 0x9A and at[2] == 0x80 else 0


cdef int space_length(const unsigned char *at, const unsigned char *end) noexcept nogil:
    """`width_of_space`, for other modules."""
    return width_of_space(at, end)


cdef bint ends_in_space(const unsigned char *start, const unsigned char *end) noexcept nogil:
    """Whether a text that is not empty ends in white space."""
    cdef unsigned char last = (end - 1)[0]
    if last < 0x80:
        return SPACE_TABLE[last] != 0
    return (end - start >= 2 and width_of_space(end - 2, end) == 2
            or end - start >= 3 and width_of_space(end - 3, end) == 3)


cdef int formatting_between(const Growing *page, int32_t text, int32_t end, int32_t parent) noexcept nogil:
    """What is opened or closed behind a text and before `end`, the next node of `parent`: NOTHING, bits of formatting,
    or ANYTHING if anything else is.

    The nodes between them are opened; closed are the ancestors of the text that the node behind it is not within.
    """
    cdef int32_t node, common = parent
    cdef int between = NOTHING, role
    for node in range(text + 1, end):
        role = role_of(page.tag[node])
        if role == ANYTHING:
            return ANYTHING
        between |= role | OPENED
    while common > text:
        common = page.parent[common]
    node = page.parent[text]
    while node != common:
        role = role_of(page.tag[node]) if node != NO_NODE else ANYTHING
        if role == ANYTHING:
            return ANYTHING
        between |= role | CLOSED
        node = page.parent[node]
    return between


cdef inline bint is_digit(unsigned char byte) noexcept nogil:
    return c"0" <= byte <= c"9"


cdef inline bint is_amount(const unsigned char *at) noexcept nogil:
    """Whether a text begins with a digit, or with a currency sign and a digit. There is a byte behind every text."""
    if at[0] == c"$":
        at += 1
    elif at[0] == 0xC2 and (at[1] == 0xA3 or at[1] == 0xA5):
        at += 2
    elif at[0] == 0xE2 and at[1] == 0x82:
        at += 3
    return is_digit(at[0])


cdef void touch(Growing *page, int32_t text, int32_t following) noexcept nogil:
    """Say so if the text that follows another one, without white space between them, touches it."""
    cdef unsigned char *start = page.text + page.text_start[following]
    cdef int between = formatting_between(page, text, following, page.parent[following])
    if between == ANYTHING:
        return
    if between == (OPENED | CLOSED) and not (GOES_ON_AT[(start - 2)[0]] & ENDS or GOES_ON_AT[start[0]] & BEGINS):
        return
    (start - 1)[0] = TOUCHES
    part_numbers(page, following)


cdef void part_numbers(Growing *page, int32_t text) noexcept nogil:
    """Let a text not touch the one before it if both are numbers there: cents that are raised (738<sup>00</sup>) and
    powers are other numbers, as is another price."""
    cdef unsigned char *start = page.text + page.text_start[text]
    if start != page.text and (start - 1)[0] == TOUCHES and is_digit((start - 2)[0]) and is_amount(start):
        (start - 1)[0] = c" "


cdef int reserve(unsigned char **buffer, size_t *capacity, size_t wanted) noexcept nogil:
    """Grow a byte buffer to hold `wanted` bytes; -1 when there is no memory."""
    cdef size_t larger
    cdef unsigned char *moved
    if wanted <= capacity[0]:
        return 0
    larger = capacity[0] * 2
    if larger < wanted:
        larger = wanted
    moved = <unsigned char *>realloc(buffer[0], larger)
    if moved == NULL:
        return -1
    buffer[0] = moved
    capacity[0] = larger
    return 0


cdef inline int grow(int32_t **array, size_t capacity) noexcept nogil:
    cdef int32_t *moved = <int32_t *>realloc(array[0], capacity * sizeof(int32_t))
    if moved == NULL:
        return -1
    array[0] = moved
    return 0


cdef int grow_nodes(Growing *page) noexcept nogil:
    cdef size_t capacity = <size_t>page.node_capacity * 2
    if capacity > INT32_MAX:
        return TOO_LARGE
    if (grow(&page.tag, capacity) or grow(&page.parent, capacity) or grow(&page.size, capacity)
            or grow(&page.depth, capacity) or grow(&page.text_start, capacity + 1)
            or grow(&page.attribute_start, capacity + 1)):
        return OUT_OF_MEMORY
    page.node_capacity = <int32_t>capacity
    return 0


cdef int grow_attributes(Growing *page) noexcept nogil:
    cdef size_t capacity = <size_t>page.attribute_capacity * 2
    if capacity > INT32_MAX:
        return TOO_LARGE
    if grow(&page.attribute_name, capacity) or grow(&page.value_start, capacity + 1):
        return OUT_OF_MEMORY
    page.attribute_capacity = <int32_t>capacity
    return 0


cdef inline size_t hashed(uintptr_t address) noexcept nogil:
    return <size_t>((address >> 4) * <uintptr_t>0x9E3779B97F4A7C15) >> 20


cdef int rehash_names(Names *names) noexcept nogil:
    """Double the table of names."""
    cdef int32_t capacity = names.capacity * 2
    cdef uintptr_t *keys = <uintptr_t *>calloc(capacity, sizeof(uintptr_t))
    cdef int32_t *places = <int32_t *>malloc(capacity * sizeof(int32_t))
    cdef uintptr_t *addresses = <uintptr_t *>realloc(names.addresses, capacity * sizeof(uintptr_t))
    cdef size_t slot
    cdef int32_t k
    if addresses != NULL:
        names.addresses = addresses
    if keys == NULL or places == NULL or addresses == NULL:
        free(keys)
        free(places)
        return OUT_OF_MEMORY
    for k in range(names.count):
        slot = hashed(addresses[k]) & <size_t>(capacity - 1)
        while keys[slot] != 0:
            slot = (slot + 1) & <size_t>(capacity - 1)
        keys[slot] = addresses[k]
        places[slot] = k
    free(names.keys)
    free(names.places)
    names.keys = keys
    names.places = places
    names.capacity = capacity
    return 0


cdef int32_t place_of(Names *names, uintptr_t address) noexcept nogil:
    """The place of a name among the names of this page, entered when new; -1 when there is no memory."""
    cdef size_t slot = hashed(address) & <size_t>(names.capacity - 1)
    while names.keys[slot] != 0:
        if names.keys[slot] == address:
            return names.places[slot]
        slot = (slot + 1) & <size_t>(names.capacity - 1)
    if names.count * 2 >= names.capacity:
        if rehash_names(names) != 0:
            return -1
        slot = hashed(address) & <size_t>(names.capacity - 1)
        while names.keys[slot] != 0:
            slot = (slot + 1) & <size_t>(names.capacity - 1)
    names.keys[slot] = address
    names.places[slot] = names.count
    names.addresses[names.count] = address
    names.count += 1
    return names.count - 1


cdef inline bint is_plain(const unsigned char *at) noexcept nogil:
    """Whether eight bytes are ASCII without white space but for single spaces: in all bytes at once."""
    cdef uint64_t eight, spaces, low
    cdef uint64_t highest = 0x8080808080808080  # the highest bit of each byte
    memcpy(&eight, at, 8)
    if eight & highest:
        return False
    # Whether a byte is up to a space, and whether it is one: no sum carries into the next byte.
    low = ~(eight + <uint64_t>0x5F5F5F5F5F5F5F5F) & highest
    spaces = ~((eight ^ <uint64_t>0x2020202020202020) + <uint64_t>0x7F7F7F7F7F7F7F7F) & highest
    return low == spaces and spaces & spaces << 8 == 0


cdef int add_text(Growing *page, const fw_string *data) noexcept nogil:
    """Append a text, white space normalised; `text_length` stays where it was when the text is blank."""
    cdef const unsigned char *at = data.data
    cdef const unsigned char *end = at + data.length
    cdef const unsigned char *word
    cdef unsigned char *out
    cdef uint64_t eight
    cdef int width
    while at < end:
        # Half of the texts are indentation: spaces go eight at a time.
        if end - at >= 8:
            memcpy(&eight, at, 8)
            if eight == <uint64_t>0x2020202020202020:
                at += 8
                continue
        width = width_of_space(at, end)
        if width == 0:
            break
        at += width
    if at >= end:
        return 0
    if reserve(&page.text, &page.text_capacity, page.text_length + <size_t>(end - at) + 2):
        return OUT_OF_MEMORY
    out = page.text + page.text_length
    while at < end:
        # Words with one space between them go together.
        word = at
        width = 0
        while at < end:
            if end - at >= 8 and is_plain(at):
                at += 7 if at[7] == c" " else 8
                continue
            if SPACE_TABLE[at[0]] != 0:
                if at[0] == c" " and end - at > 1 and SPACE_TABLE[at[1]] == 0:
                    at += 2
                    continue
                width = width_of_space(at, end)
                if width != 0:
                    break
            at += 1
        memcpy(out, word, <size_t>(at - word))
        out += at - word
        while width != 0:
            at += width
            width = width_of_space(at, end) if at < end else 0
        out[0] = c" "
        out += 1
    # One space after every text separates it from the next, so a subtree's text is one slice.
    page.text_length = <size_t>(out - page.text)
    return 0


cdef int add_attributes(Growing *page, fw_attribute *attribute, const int32_t *known) noexcept nogil:
    cdef uintptr_t name
    cdef int32_t number
    cdef int failed
    while attribute != NULL:
        name = attribute.qualified_name if attribute.qualified_name != 0 else attribute.node.local_name
        if name < STATIC_NAMES:
            number = known[name]
            if number == UNSEEN:
                return UNKNOWN_NUMBER
        else:
            number = place_of(&page.attribute_names, name)
            if number < 0:
                return OUT_OF_MEMORY
            number |= CUSTOM
        if page.attributes == page.attribute_capacity:
            failed = grow_attributes(page)
            if failed:
                return failed
        page.attribute_name[page.attributes] = number
        page.value_start[page.attributes] = <int32_t>page.values_length
        page.attributes += 1
        if attribute.value != NULL and attribute.value.length != 0:
            if reserve(&page.values, &page.values_capacity, page.values_length + attribute.value.length):
                return OUT_OF_MEMORY
            memcpy(page.values + page.values_length, attribute.value.data, attribute.value.length)
            page.values_length += attribute.value.length
            if page.values_length > INT32_MAX:
                return TOO_LARGE
        attribute = attribute.next
    return 0


cdef inline unsigned char lower(unsigned char byte) noexcept nogil:
    return byte + 32 if c"A" <= byte <= c"Z" else byte


cdef bint is_json(fw_element *script, uintptr_t type_name) noexcept nogil:
    """Whether the script's type says JSON (application/json, application/ld+json, ...)."""
    cdef fw_attribute *attribute = script.first_attribute
    cdef const unsigned char *data
    cdef size_t k
    while attribute != NULL:
        if attribute.node.local_name == type_name and attribute.value != NULL:
            data = attribute.value.data
            for k in range(4, attribute.value.length + 1):
                if (lower(data[k - 4]) == c"j" and lower(data[k - 3]) == c"s"
                        and lower(data[k - 2]) == c"o" and lower(data[k - 1]) == c"n"):
                    return True
        attribute = attribute.next
    return False


cdef bint holds_data(const unsigned char *text, size_t length) noexcept nogil:
    """Whether a script that does not say so may hold JSON. See `public_walk.holds_data`."""
    return LEAST_DATA <= length <= MOST_DATA and begins_data(text, length)


cdef bint begins_data(const unsigned char *text, size_t length) noexcept nogil:
    """Whether the first kilobyte of a script has what begins JSON: a quote that follows a brace, or is that of
    `JSON.parse("` or `([1,"` (the chunks that Next.js streams)."""
    cdef const unsigned char *at = text
    cdef const unsigned char *end = text + (length if length < BEGINNING else BEGINNING)
    cdef const unsigned char *before
    while True:
        at = <const unsigned char *>memchr(at, c'"', end - at)
        if at == NULL:
            return False
        if at - text >= 4 and memcmp(at - 4, b"([1,", 4) == 0:
            return True
        if at - text >= 11 and memcmp(at - 11, b"JSON.parse(", 11) == 0:
            return True
        before = at - 1
        while before >= text and (before[0] == 32 or 9 <= before[0] <= 10 or 12 <= before[0] <= 13):
            before -= 1
        if before >= text and before[0] == c"{":
            return True
        at += 1


cdef bint is_long_markup(size_t length) noexcept nogil:
    """Whether what a noscript has is more than a picture or a word of regret, and not too much."""
    return LEAST_MARKUP <= length <= MOST_DATA


cdef int grow_scripts(Growing *page) noexcept nogil:
    """Make room for one more text of a script or noscript."""
    cdef Kept *moved
    if page.script_count == page.script_capacity:
        moved = <Kept *>realloc(page.scripts, (page.script_capacity * 2 + 4) * sizeof(Kept))
        if moved == NULL:
            return OUT_OF_MEMORY
        page.scripts = moved
        page.script_capacity = page.script_capacity * 2 + 4
    return 0


cdef int keep_script(Growing *page, fw_node *script, bint is_markup, bint says_so) noexcept nogil:
    """Remember where the text of a script is, if it holds data, or that of a noscript, if it is long; it is copied once
    the attributes are complete."""
    cdef fw_node *child = script.first_child
    cdef const fw_string *text
    cdef Kept *kept
    while child != NULL:
        if child.type == TEXT_NODE:
            text = &(<fw_text *>child).data
            if is_long_markup(text.length) if is_markup else says_so or holds_data(text.data, text.length):
                if grow_scripts(page):
                    return OUT_OF_MEMORY
                kept = &page.scripts[page.script_count]
                kept.data = text.data
                kept.length = text.length
                kept.is_markup = is_markup
                page.script_count += 1
        child = child.next
    return 0


cdef int walk_tree(Growing *page, fw_node *root, const int32_t *tags, const int32_t *attributes,
                   uintptr_t type_name) noexcept nogil:
    """Fill the arrays from the tree below `root`: preorder, iterative, each node visited once."""
    cdef fw_node *node = root
    cdef int32_t up = NO_NODE
    cdef int32_t depth = 0
    cdef int32_t number, here
    cdef int32_t last = NO_NODE  # the last text, if there is no white space behind it
    cdef size_t text_before
    cdef const fw_string *data
    cdef bint raw
    cdef int failed
    while True:
        if page.nodes == page.node_capacity:
            failed = grow_nodes(page)
            if failed:
                return failed
        here = page.nodes
        if node.type == ELEMENT_NODE:
            if node.local_name < STATIC_NAMES:
                number = tags[node.local_name]
                if number == UNSEEN:
                    return UNKNOWN_NUMBER
            else:
                number = place_of(&page.tag_names, node.local_name)
                if number < 0:
                    return OUT_OF_MEMORY
                number |= CUSTOM
            if number == SCRIPT or number == NO_SCRIPT:
                failed = keep_script(page, node, number == NO_SCRIPT, is_json(<fw_element *>node, type_name))
                if failed:
                    return failed
            elif number != LEFT_OUT:
                raw = number > 0 and (number & RAW_TEXT) != 0
                page.tag[here] = number & ~RAW_TEXT if raw else number
                page.parent[here] = up
                page.depth[here] = depth
                page.size[here] = 1
                page.text_start[here] = <int32_t>page.text_length
                page.attribute_start[here] = page.attributes
                page.nodes += 1
                failed = add_attributes(page, (<fw_element *>node).first_attribute, attributes)
                if failed:
                    return failed
                if node.first_child != NULL and not raw:
                    up = here
                    depth += 1
                    node = node.first_child
                    continue
        elif node.type == TEXT_NODE:
            text_before = page.text_length
            data = &(<fw_text *>node).data
            failed = add_text(page, data)
            if failed:
                return failed
            if page.text_length > INT32_MAX:
                return TOO_LARGE
            if page.text_length != text_before:
                page.tag[here] = TEXT
                page.parent[here] = up
                page.depth[here] = depth
                page.size[here] = 1
                page.text_start[here] = <int32_t>text_before
                page.attribute_start[here] = page.attributes
                page.nodes += 1
                if last != NO_NODE and width_of_space(data.data, data.data + data.length) == 0:
                    touch(page, last, here)
                last = NO_NODE if ends_in_space(data.data, data.data + data.length) else here
            elif data.length != 0:
                last = NO_NODE
        while node != root and node.next == NULL:
            node = node.parent
            page.size[up] = page.nodes - up
            up = page.parent[up]
            depth -= 1
        if node == root:
            return 0
        node = node.next


cdef int allocate_names(Names *names) noexcept nogil:
    names.capacity = 256
    names.keys = <uintptr_t *>calloc(names.capacity, sizeof(uintptr_t))
    names.places = <int32_t *>malloc(names.capacity * sizeof(int32_t))
    names.addresses = <uintptr_t *>malloc(names.capacity * sizeof(uintptr_t))
    return OUT_OF_MEMORY if names.keys == NULL or names.places == NULL or names.addresses == NULL else 0


cdef int allocate(Growing *page) noexcept nogil:
    """First capacities: what an ordinary page needs."""
    if (allocate_names(&page.tag_names) or allocate_names(&page.attribute_names)
            or grow(&page.tag, FIRST_NODES) or grow(&page.parent, FIRST_NODES) or grow(&page.size, FIRST_NODES)
            or grow(&page.depth, FIRST_NODES) or grow(&page.text_start, FIRST_NODES + 1)
            or grow(&page.attribute_start, FIRST_NODES + 1)
            or grow(&page.attribute_name, FIRST_NODES) or grow(&page.value_start, FIRST_NODES + 1)
            or reserve(&page.text, &page.text_capacity, FIRST_BYTES)
            or reserve(&page.values, &page.values_capacity, FIRST_BYTES)):
        return OUT_OF_MEMORY
    page.node_capacity = page.attribute_capacity = FIRST_NODES
    return 0


cdef void release(Growing *page) noexcept nogil:
    if page == NULL:
        return
    free(page.tag)
    free(page.parent)
    free(page.size)
    free(page.depth)
    free(page.text_start)
    free(page.attribute_start)
    free(page.attribute_name)
    free(page.value_start)
    free(page.text)
    free(page.values)
    free(page.scripts)
    free(page.tag_names.keys)
    free(page.tag_names.places)
    free(page.tag_names.addresses)
    free(page.attribute_names.keys)
    free(page.attribute_names.places)
    free(page.attribute_names.addresses)
    free(page)


# Finished arenas wait here for the next page: memory fresh from the system costs a third of a walk in page
# faults. Taken and put back by atomic exchange, so any thread may use any of them.
cdef Growing *POOL[POOLED]
memset(POOL, 0, sizeof(POOL))


cdef Growing *take() noexcept nogil:
    """An empty arena; NULL when there is no memory."""
    cdef Growing *page
    cdef int k
    for k in range(POOLED):
        page = <Growing *>exchange(<void **>&POOL[k], NULL)
        if page != NULL:
            page.nodes = page.attributes = page.script_count = 0
            page.text_length = page.values_length = 0
            page.tag_names.count = page.attribute_names.count = 0
            memset(page.tag_names.keys, 0, page.tag_names.capacity * sizeof(uintptr_t))
            memset(page.attribute_names.keys, 0, page.attribute_names.capacity * sizeof(uintptr_t))
            return page
    page = <Growing *>calloc(1, sizeof(Growing))
    if page != NULL and allocate(page) != 0:
        release(page)
        return NULL
    return page


cdef void put_back(Growing *page) noexcept nogil:
    """Keep an arena for the next page, unless it is a large one or there are enough."""
    cdef int k
    if (page.node_capacity <= KEPT_NODES and page.attribute_capacity <= KEPT_NODES
            and page.script_capacity <= KEPT_NODES
            and page.tag_names.capacity + page.attribute_names.capacity <= KEPT_NODES
            and page.text_capacity + page.values_capacity <= KEPT_BYTES):
        for k in range(POOLED):
            page = <Growing *>exchange(<void **>&POOL[k], page)
            if page == NULL:
                return
    release(page)


cdef int number_names(Names *names, int32_t *numbers, int32_t count, known, dict custom, dict remembered) except -1:
    """Replace places among the names of this page by numbers, and enter the names into `custom`.

    Pages share their names: `remembered` has what `number_of` gives for one, where no other is in its way.
    """
    cdef fw_name *name
    cdef const unsigned char *letters
    cdef int32_t k
    cdef int32_t *resolved
    if names.count == 0:
        return 0
    resolved = <int32_t *>malloc(names.count * sizeof(int32_t))
    if resolved == NULL:
        raise MemoryError("no memory for the names of the page")
    try:
        for k in range(names.count):
            name = <fw_name *>(names.addresses[k] & ~<uintptr_t>FOREIGN_NAME)
            if name.length <= SHORT_NAME:
                letters = name.name.short_name
            else:
                letters = name.name.long_name
            written = <bytes>letters[:name.length]
            if names.addresses[k] & FOREIGN_NAME:
                written = SVG_ATTRIBUTE_CASE.get(written, written)
            entry = remembered.get(written)
            if entry is None:
                spelled = written.decode("utf-8", "replace")
                entry = (number_of(spelled, known, {}), spelled)
                if len(remembered) < REMEMBERED:
                    remembered[written] = entry
            number, spelled = <tuple>entry
            if number >= CUSTOM and custom.setdefault(number, spelled) != spelled:
                number = number_of(spelled, known, custom)
            resolved[k] = number
        for k in range(count):
            if numbers[k] & CUSTOM:
                numbers[k] = resolved[numbers[k] & ~CUSTOM]
    finally:
        free(resolved)
    return 0


cdef int add_scripts(Growing *page, bint are_markup, int32_t **starts, size_t *count) noexcept nogil:
    """Copy the scripts that hold data, or the markup of noscripts, behind the last value; `starts` gets their spans,
    and `count` how many starts there are."""
    cdef int32_t k
    starts[0] = <int32_t *>malloc((page.script_count + 1) * sizeof(int32_t))
    if starts[0] == NULL:
        return OUT_OF_MEMORY
    count[0] = 0
    for k in range(page.script_count):
        if page.scripts[k].is_markup != are_markup:
            continue
        starts[0][count[0]] = <int32_t>page.values_length
        count[0] += 1
        if reserve(&page.values, &page.values_capacity, page.values_length + page.scripts[k].length):
            return OUT_OF_MEMORY
        memcpy(page.values + page.values_length, page.scripts[k].data, page.scripts[k].length)
        page.values_length += page.scripts[k].length
        if page.values_length > INT32_MAX:
            return TOO_LARGE
    starts[0][count[0]] = <int32_t>page.values_length
    count[0] += 1
    return 0


cdef int check(int failed) except -1:
    if failed == OUT_OF_MEMORY:
        raise MemoryError("no memory for the node arrays")
    if failed == TOO_LARGE:
        raise OverflowError("more than 2 GiB of text, attributes or nodes")
    return 0


cdef finished(Growing *page, int failed, dict custom):
    """The fields of `NodeArrays` from an arena, by what the walk returned; None for a number not in the tables."""
    cdef int32_t *script_start = NULL
    cdef int32_t *noscript_start = NULL
    cdef size_t scripts, noscripts
    cdef const void *sources[FIELDS]
    cdef size_t lengths[FIELDS]
    cdef char *targets[FIELDS]
    cdef list blocks = []
    cdef bytes block
    cdef int k
    if failed == UNKNOWN_NUMBER:
        return None
    check(failed)
    number_names(&page.tag_names, page.tag, page.nodes, TAG_NUMBER, custom, TAG_NAMES)
    number_names(&page.attribute_names, page.attribute_name, page.attributes, ATTRIBUTE_NUMBER, custom, ATTRIBUTE_NAMES)
    page.text_start[page.nodes] = <int32_t>page.text_length
    page.attribute_start[page.nodes] = page.attributes
    page.value_start[page.attributes] = <int32_t>page.values_length
    try:
        check(add_scripts(page, False, &script_start, &scripts))
        check(add_scripts(page, True, &noscript_start, &noscripts))
        sources[:] = [page.tag, page.parent, page.size, page.depth, page.text_start, page.attribute_start,
                      page.attribute_name, page.value_start, page.text, page.values, script_start, noscript_start]
        lengths[:] = [page.nodes, page.nodes, page.nodes, page.nodes, page.nodes + 1, page.nodes + 1,
                      page.attributes, page.attributes + 1, page.text_length, page.values_length, scripts, noscripts]
        for k in range(FIELDS):
            if k != TEXT_FIELD and k != VALUES_FIELD:
                lengths[k] *= sizeof(int32_t)
            block = PyBytes_FromStringAndSize(NULL, lengths[k])
            targets[k] = PyBytes_AS_STRING(block)
            blocks.append(block)
        # Nobody else has these yet, so other threads may run while they are filled.
        with nogil:
            for k in range(FIELDS):
                memcpy(targets[k], sources[k], lengths[k])
    finally:
        free(script_start)
        free(noscript_start)
    # Read-only arrays, each with memory of its own.
    return tuple([block if k == TEXT_FIELD or k == VALUES_FIELD else frombuffer(block, INT32)
                  for k, block in enumerate(blocks)])


def walk(uintptr_t root, const int32_t[::1] tags, const int32_t[::1] attributes, uintptr_t type_name,
         dict custom not None):
    """Read the tree below the element at the address `root`; see `walk.pyi`."""
    cdef Growing *page
    cdef int failed
    if root == 0:
        raise ValueError("there is no element to start from")
    if tags.shape[0] != STATIC_NAMES or attributes.shape[0] != STATIC_NAMES:
        raise ValueError("the tables of numbers must have STATIC_NAMES entries")
    page = take()
    if page == NULL:
        raise MemoryError("no memory for the node arrays")
    try:
        with nogil:
            failed = walk_tree(page, <fw_node *>root, &tags[0], &attributes[0], type_name)
        return finished(page, failed, custom)
    finally:
        put_back(page)
