"""The guard before the parse: how deep, how laborious and how large the parser's tree would become.
A tokenizer and the parser's stacks without its tree, in one pass over the bytes, without the GIL."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memchr, memcmp, memset

from fastwrap.page import nesting_rules as rules

# The bits of `nesting_rules`, read once: this module has no rules of its own.
cdef uint64_t VOID = rules.VOID, RAW = rules.RAW, PLAIN = rules.PLAIN, CLOSES_P = rules.CLOSES_P
cdef uint64_t FORMATTING = rules.FORMATTING, MARKS = rules.MARKS, IGNORED = rules.IGNORED
cdef uint64_t SKIPS_NEWLINE = rules.SKIPS_NEWLINE, STAYS_IN_HEAD = rules.STAYS_IN_HEAD
cdef uint64_t TABLE_PART = rules.TABLE_PART, NO_FRAMESET = rules.NO_FRAMESET
cdef uint64_t BREAKS_OUT = rules.BREAKS_OUT, SPECIAL = rules.SPECIAL, SCOPE = rules.SCOPE
cdef uint64_t LIST_SCOPE = rules.LIST_SCOPE, PASSED = rules.PASSED, BLOCK = rules.BLOCK
cdef uint64_t IMPLIED = rules.IMPLIED
cdef uint64_t P = rules.P, LI = rules.LI, DD_DT = rules.DD_DT, HEADING = rules.HEADING, A = rules.A
cdef uint64_t NOBR = rules.NOBR, BUTTON = rules.BUTTON, SELECT = rules.SELECT, OPTION = rules.OPTION
cdef uint64_t OPTGROUP = rules.OPTGROUP, RUBY = rules.RUBY, RUBY_BASE = rules.RUBY_BASE
cdef uint64_t RUBY_TEXT = rules.RUBY_TEXT, RTC = rules.RTC, FORM = rules.FORM, TABLE = rules.TABLE
cdef uint64_t COLGROUP = rules.COLGROUP, SECTION = rules.SECTION, ROW = rules.ROW, TEMPLATE = rules.TEMPLATE
cdef uint64_t HTML = rules.HTML, BODY = rules.BODY, FRAMESET = rules.FRAMESET
cdef uint64_t BR = rules.BR, HR = rules.HR, INPUT = rules.INPUT, TEXTAREA = rules.TEXTAREA
cdef uint64_t SCRIPT = rules.SCRIPT, PLAINTEXT = rules.PLAINTEXT, FONT = rules.FONT, SVG = rules.SVG
cdef uint64_t MATH = rules.MATH, SVG_POINT = rules.SVG_POINT, TEXT_POINT = rules.TEXT_POINT
cdef uint64_t ANNOTATION = rules.ANNOTATION, GLYPH = rules.GLYPH, FOREIGN = rules.FOREIGN
cdef uint64_t MATHML = rules.MATHML, HTML_POINT = rules.HTML_POINT, OF_FOREIGN = rules.OF_FOREIGN

cdef int IN_BODY = rules.IN_BODY, IN_COLGROUP = rules.IN_COLGROUP, IN_FRAMESET = rules.IN_FRAMESET
cdef int AFTER_FRAMESET = rules.AFTER_FRAMESET
cdef int AS_IN_BODY = rules.AS_IN_BODY, AS_IN_BODY_BEFORE_TABLE = rules.AS_IN_BODY_BEFORE_TABLE
cdef int IGNORE = rules.IGNORE, OPEN = rules.OPEN, IMPLY = rules.IMPLY, CLOSE = rules.CLOSE
cdef int CLOSE_OWN = rules.CLOSE_OWN, CLOSE_FOR = rules.CLOSE_FOR, INSERT_FORM = rules.INSERT_FORM
cdef int BECOME = rules.BECOME

cdef int64_t MAX_DEPTH = rules.MAX_DEPTH, MAX_WORK = rules.MAX_WORK, MAX_NODES = rules.MAX_NODES
cdef int64_t ADDRESSES_A_STEP = rules.ADDRESSES_A_STEP, BYTES_A_NODE = rules.BYTES_A_NODE
cdef int64_t BYTES_A_STEP = rules.BYTES_A_STEP
cdef int64_t HARMLESS_LENGTH = rules.HARMLESS_LENGTH, HARMLESS_TAGS = rules.HARMLESS_TAGS
cdef int64_t FREE_NAMES = rules.FREE_NAMES
cdef int NAME_BITS = rules.NAME_BITS, NAME_STEPS = rules.NAME_STEPS

cdef uint64_t MIXER = 0x9E3779B97F4A7C15  # 2 ** 64 / golden ratio: spreads names over a table (Knuth 1973)

# Groups of the rules below.
cdef uint64_t TABLE_SCOPE = TABLE | TEMPLATE | HTML
cdef uint64_t ROWS = TABLE | SECTION | ROW
cdef uint64_t COUNTED = P | TEMPLATE | FORM
cdef uint64_t POINTS = SVG_POINT | TEXT_POINT | ANNOTATION
cdef uint64_t BEFORE_INSERTION = IGNORED | FRAMESET | SELECT | INPUT | FORM | LI | DD_DT | BUTTON | TABLE | A

cdef enum:
    # bytes
    EXCLAMATION = 33
    DOUBLE_QUOTE = 34
    SINGLE_QUOTE = 39
    DASH = 45
    SLASH = 47
    LESS = 60
    EQUALS = 61
    GREATER = 62
    QUESTION = 63
    # others
    NONE = -1
    LONGEST_NAME = 16    # no name with rules is longer
    FIRST_ELEMENTS = 3   # html, head and body are in every tree
    NAMED = 512          # slots of the table of names with properties, a power of two
    NAMED_SHIFT = 55     # 64 - log2(NAMED)
    MODES = 10
    LONGEST_RULES = 8    # room for the rules of one mode

cdef struct Rule:
    # What a mode does with some tags; see `nesting_rules.Rule`.
    uint64_t tags
    uint64_t wanted
    uint64_t implied
    int32_t action

cdef struct Tag:
    # The tag being read.
    uint64_t name                  # its letters in lower case, up to eight; hashed beyond
    uint64_t bits                  # what the rules say about the name
    const unsigned char *start     # its "<"
    const unsigned char *end       # behind its ">"
    int64_t attributes
    bint self_closing
    bint matches                   # an attribute that makes a difference in svg or math

cdef struct Element:
    # An open element.
    uint64_t name
    uint64_t bits
    int32_t mode                   # the insertion mode inside it
    int32_t depth                  # in the tree, where the root has 1
    int32_t entry                  # its place among the formatting elements, or NONE
    int64_t text                   # of a table: bytes of the text that it does not allow, which is put before it

cdef struct Entry:
    # A formatting element to be re-opened; a marker has no name.
    uint64_t name
    uint64_t bits
    const unsigned char *start     # its tag: two elements are the same if their tags are
    int64_t length
    int32_t place                  # on the stack of open elements, or NONE when it was closed

cdef struct Scan:
    Element *stack                 # the root first
    int32_t top
    int32_t room
    Entry *entries
    int32_t count
    int32_t capacity
    int64_t deepest
    int64_t work
    int64_t nodes
    int32_t paragraphs             # open p
    int32_t templates              # open template
    bint has_form                  # the form element pointer is set ...
    int32_t form                   # ... to this place, or NONE when the form is not open any more
    bint begun                     # a tag has been read
    bint in_head                   # nothing that belongs into the body has been read
    bint frameset_ok
    bint quirks
    int64_t root_attributes
    unsigned char *names           # bit map of the names met so far
    int64_t different_names
    int64_t attributes
    int64_t declarations
    bint ended                     # an end tag of body or html was read: comments stand apart from then on
    int64_t text                   # bytes of the last text ...
    int64_t text_nodes             # ... and the nodes at that time: another one would part it from the next
    int64_t text_values            # attributes and declarations that were read before its last part
    int32_t text_place             # the element that it is in, on the stack
    bint out_of_memory

# Lower case of every byte of a name; 0 for those that end a name.
cdef unsigned char TAG_LETTER[256]
cdef unsigned char ATTRIBUTE_LETTER[256]
cdef unsigned char BLANK[256]
# For every byte, as bits, the first letters of formatting elements that it may be behind.
cdef uint32_t FORMATTING_LETTERS[256]
cdef uint64_t named[NAMED]
cdef uint64_t properties[NAMED]
cdef uint64_t CHANGES_MODE = 0
cdef uint64_t changing[MODES]
cdef int32_t mode_after[MODES]
cdef Rule start_rules[MODES][LONGEST_RULES]
cdef Rule end_rules[MODES][LONGEST_RULES]


cdef inline uint64_t read_name(const unsigned char **at, const unsigned char *end,
                               const unsigned char *letters) noexcept nogil:
    """The name at `at`, which is moved behind it, as a number: exact up to eight letters, a hash (FNV-1a) beyond."""
    cdef const unsigned char *position = at[0]
    cdef uint64_t name = 0
    cdef unsigned char letter
    cdef int length = 0
    while position < end:
        letter = letters[position[0]]
        if letter == 0:
            break
        if length < 8:
            name = name << 8 | letter
        else:
            name = (name ^ letter) * <uint64_t>0x100000001B3
        length += 1
        position += 1
    at[0] = position
    return name


cdef inline uint64_t properties_of(uint64_t name) noexcept nogil:
    """The bits of a name, 0 for an ordinary one."""
    cdef uint64_t slot = (name * MIXER) >> NAMED_SHIFT
    while named[slot] != 0:
        if named[slot] == name:
            return properties[slot]
        slot = (slot + 1) & (NAMED - 1)
    return 0


cdef void fill_tables():
    cdef int byte
    cdef bytes text
    cdef uint64_t name, slot
    for byte in range(256):
        TAG_LETTER[byte] = ATTRIBUTE_LETTER[byte] = byte + 32 if b"A"[0] <= byte <= b"Z"[0] else byte
        BLANK[byte] = byte in b" \t\n\f\r"
    TAG_LETTER[0] = ATTRIBUTE_LETTER[0] = 255  # the parser replaces it; it does not end a name
    for byte in b" \t\n\f\r/>":
        TAG_LETTER[byte] = ATTRIBUTE_LETTER[byte] = 0
    ATTRIBUTE_LETTER[b"="[0]] = 0
    memset(named, 0, sizeof(named))
    for text, bits in rules.PROPERTIES.items():
        name = name_of(text)
        slot = (name * MIXER) >> NAMED_SHIFT
        while named[slot] != 0:
            slot = (slot + 1) & (NAMED - 1)
        named[slot] = name
        properties[slot] = bits
        if bits & FORMATTING:
            for byte in (text[1], text[1] - 32) if len(text) > 1 else b" \t\n\f\r/>":
                FORMATTING_LETTERS[byte] |= 1 << (text[0] & 31)


cdef void fill_rules(Rule (*by_mode)[LONGEST_RULES], table):
    for mode in rules.MODES:
        if mode >= MODES or len(table[mode]) > LONGEST_RULES:
            raise ValueError("no room for the rules")
        for k, (tags, action, wanted, implied) in enumerate(table[mode]):
            by_mode[mode][k] = Rule(tags=tags, action=action, wanted=wanted, implied=name_of(implied))


cdef uint64_t name_of(bytes text):
    cdef const unsigned char *letters = text
    return read_name(&letters, letters + len(text), TAG_LETTER)


fill_tables()
fill_rules(start_rules, rules.START_RULES)
fill_rules(end_rules, rules.END_RULES)
for _place, (_bit, _mode) in enumerate(rules.MODE_INSIDE.items()):
    changing[_place] = _bit
    mode_after[_place] = _mode
    CHANGES_MODE |= _bit
cdef uint64_t NAME_OF_HTML = name_of(b"html"), NAME_OF_BODY = name_of(b"body")
cdef uint64_t COLOR = name_of(b"color"), FACE = name_of(b"face"), SIZE = name_of(b"size")
cdef uint64_t ENCODING = name_of(b"encoding")


# ---- the stack of open elements, and the list of formatting elements ----

cdef inline void count_element(Scan *scan, int64_t depth) noexcept nogil:
    scan.nodes += 1
    if depth > scan.deepest:
        scan.deepest = depth


cdef inline bint exceeded(Scan *scan) noexcept nogil:
    return (scan.deepest > MAX_DEPTH or scan.work > MAX_WORK or scan.nodes > MAX_NODES or scan.out_of_memory)


cdef int32_t mode_inside(uint64_t bits) noexcept nogil:
    """The insertion mode inside an element with one of the properties in CHANGES_MODE."""
    cdef int32_t k = 0
    while not bits & changing[k]:
        k += 1
    return mode_after[k]


cdef bint grow_stack(Scan *scan) noexcept nogil:
    cdef Element *grown = <Element *>realloc(scan.stack, 2 * <size_t>scan.room * sizeof(Element))
    if grown == NULL:
        scan.out_of_memory = True
        return False
    scan.stack = grown
    scan.room *= 2
    return True


cdef inline void push(Scan *scan, uint64_t name, uint64_t bits) noexcept nogil:
    """Open an element."""
    cdef Element *parent
    cdef Element *element
    if scan.top + 2 >= scan.room and not grow_stack(scan):
        return
    parent = &scan.stack[scan.top]
    element = parent + 1
    count_element(scan, parent.depth + 1)
    element.name = name
    element.bits = bits
    element.depth = parent.depth + 1
    element.mode = parent.mode
    if bits & CHANGES_MODE:
        element.mode = mode_inside(bits)
    element.entry = NONE
    element.text = 0
    scan.top += 1
    if bits & COUNTED:
        scan.paragraphs += bits & P != 0
        scan.templates += bits & TEMPLATE != 0


cdef inline void forget(Scan *scan, int32_t place) noexcept nogil:
    """An element leaves the stack."""
    cdef Element *element = &scan.stack[place]
    if element.entry != NONE:
        scan.entries[element.entry].place = NONE
    if element.bits & COUNTED:
        scan.paragraphs -= element.bits & P != 0
        scan.templates -= element.bits & TEMPLATE != 0
        if scan.form == place:
            scan.form = NONE


cdef inline void pop(Scan *scan) noexcept nogil:
    """Close the current element, but never the root."""
    if scan.top > 0:
        forget(scan, scan.top)
        scan.top -= 1


cdef inline void pop_to(Scan *scan, int32_t place) noexcept nogil:
    """Close the element at `place` and all inside it; nothing for NONE."""
    if place != NONE:
        while scan.top >= place and scan.top > 0:
            pop(scan)


cdef inline int32_t find(Scan *scan, uint64_t wanted, uint64_t name, uint64_t stops) noexcept nogil:
    """The innermost open element with one of the properties `wanted` (and that name unless 0), or NONE when one of
    those in `stops` comes before: "has an element in the specific scope"."""
    cdef int32_t place = scan.top
    cdef Element *element
    while place >= 0:
        element = &scan.stack[place]
        if element.bits & wanted and (name == 0 or element.name == name):
            break
        if element.bits & stops:
            scan.work += scan.top - place + 1
            return NONE
        place -= 1
    scan.work += scan.top - place + 1
    return place


cdef inline void close_paragraph(Scan *scan) noexcept nogil:
    if scan.paragraphs == 0:
        scan.work += scan.top + 1  # the parser would look
    else:
        pop_to(scan, find(scan, P, 0, SCOPE | BUTTON))


cdef inline void close_implied(Scan *scan, uint64_t but) noexcept nogil:
    """Generate implied end tags, except for elements with a property in `but`."""
    while scan.stack[scan.top].bits & IMPLIED and not scan.stack[scan.top].bits & but:
        pop(scan)


cdef void remove_element(Scan *scan, int32_t place) noexcept nogil:
    """Take an element out of the middle of the stack: it stays where it is in the tree."""
    cdef int32_t k
    forget(scan, place)
    for k in range(place + 1, scan.top + 1):
        scan.stack[k - 1] = scan.stack[k]
        if scan.stack[k].entry != NONE:
            scan.entries[scan.stack[k].entry].place = k - 1
    if scan.form > place:
        scan.form -= 1
    scan.work += scan.top - place + 1
    scan.top -= 1


cdef void insert_element(Scan *scan, int32_t place, const Element *element) noexcept nogil:
    """Put an element into the middle of the stack."""
    cdef int32_t k
    for k in range(scan.top, place - 1, -1):
        scan.stack[k + 1] = scan.stack[k]
        if scan.stack[k].entry != NONE:
            scan.entries[scan.stack[k].entry].place = k + 1
    if scan.form >= place:
        scan.form += 1
    scan.stack[place] = element[0]
    scan.top += 1
    scan.work += scan.top - place + 1


cdef void insert_entry(Scan *scan, int32_t k, const Entry *entry) noexcept nogil:
    """Put a formatting element (or a marker) into the list at `k`."""
    cdef Entry *grown
    cdef int32_t moved
    if scan.count == scan.capacity:
        grown = <Entry *>realloc(scan.entries, 2 * <size_t>scan.capacity * sizeof(Entry))
        if grown == NULL:
            scan.out_of_memory = True
            return
        scan.entries = grown
        scan.capacity *= 2
    for moved in range(scan.count, k, -1):
        scan.entries[moved] = scan.entries[moved - 1]
        if scan.entries[moved].place != NONE:
            scan.stack[scan.entries[moved].place].entry = moved
    scan.entries[k] = entry[0]
    if entry.place != NONE:
        scan.stack[entry.place].entry = k
    scan.count += 1
    scan.work += scan.count - k


cdef void remove_entry(Scan *scan, int32_t k) noexcept nogil:
    """Take a formatting element off the list; it may stay open."""
    cdef int32_t moved
    if scan.entries[k].place != NONE:
        scan.stack[scan.entries[k].place].entry = NONE
    scan.work += scan.count - k
    scan.count -= 1
    for moved in range(k, scan.count):
        scan.entries[moved] = scan.entries[moved + 1]
        if scan.entries[moved].place != NONE:
            scan.stack[scan.entries[moved].place].entry = moved


cdef void insert_marker(Scan *scan) noexcept nogil:
    cdef Entry marker
    memset(&marker, 0, sizeof(marker))
    marker.place = NONE
    insert_entry(scan, scan.count, &marker)


cdef void clear_to_marker(Scan *scan) noexcept nogil:
    """Clear the list of formatting elements up to the last marker."""
    cdef Entry *entry
    while scan.count > 0:
        scan.count -= 1
        entry = &scan.entries[scan.count]
        if entry.name == 0:
            break
        if entry.place != NONE:
            scan.stack[entry.place].entry = NONE


cdef void remember(Scan *scan, const Tag *tag) noexcept nogil:
    """Enter the current element into the list of formatting elements, where the third-last of its like is dropped
    (the Noah's Ark clause)."""
    cdef Entry entry
    cdef Entry *other
    cdef int32_t earliest = NONE
    cdef int32_t alike = 0
    cdef int32_t k = scan.count - 1
    entry.name = tag.name
    entry.bits = tag.bits
    entry.start = tag.start
    entry.length = tag.end - tag.start
    entry.place = scan.top
    while k >= 0 and scan.entries[k].name != 0:
        other = &scan.entries[k]
        scan.work += 1
        if other.name == entry.name:
            scan.work += 1 + other.length // BYTES_A_NODE  # the parser compares their attributes
            if other.length == entry.length and memcmp(other.start, entry.start, entry.length) == 0:
                alike += 1
                earliest = k
        k -= 1
    if alike >= 3:
        remove_entry(scan, earliest)
    insert_entry(scan, scan.count, &entry)


cdef inline void count_copy(Scan *scan, const Entry *entry) noexcept nogil:
    """The attributes of an element that is created once more."""
    scan.nodes += entry.length // BYTES_A_NODE


cdef void reopen(Scan *scan) noexcept nogil:
    """Reconstruct the active formatting elements."""
    cdef int32_t k = scan.count - 1
    cdef Entry *entry
    if k < 0 or scan.entries[k].name == 0:
        return
    if scan.entries[k].place != NONE:
        scan.work += (scan.top - scan.entries[k].place) // ADDRESSES_A_STEP
        return
    while k > 0 and scan.entries[k - 1].name != 0 and scan.entries[k - 1].place == NONE:
        k -= 1
    # The parser looks for each of them on the stack, but compares addresses only.
    scan.work += <int64_t>(scan.count - k) * (scan.top + 1) // ADDRESSES_A_STEP
    while k < scan.count and not exceeded(scan):
        entry = &scan.entries[k]
        push(scan, entry.name, entry.bits)
        count_copy(scan, entry)
        entry.place = scan.top
        scan.stack[scan.top].entry = k
        k += 1


cdef int32_t last_entry(Scan *scan, uint64_t name) noexcept nogil:
    """The last formatting element of that name behind the last marker, or NONE."""
    cdef int32_t k = scan.count - 1
    while k >= 0 and scan.entries[k].name != 0:
        scan.work += 1
        if scan.entries[k].name == name:
            return k
        k -= 1
    return NONE


cdef void adopt(Scan *scan, uint64_t name) noexcept nogil:
    """The adoption agency: what the end tag of a formatting element does to the stack and the list.
    Like the parser's own, it keeps `formatting` while entries before it are removed."""
    cdef int32_t formatting, place, furthest, bookmark, node, inner, k
    cdef bint first
    cdef Entry entry
    cdef Element element
    element = scan.stack[scan.top]
    if element.name == name and not element.bits & FOREIGN and element.entry == NONE:
        pop(scan)
        return
    for _ in range(8):
        formatting = last_entry(scan, name)
        if formatting == NONE:
            return
        place = scan.entries[formatting].place
        if place == NONE:
            scan.work += scan.top + 1
            remove_entry(scan, formatting)
            return
        scan.work += 2 * (scan.top - place) + 2
        for k in range(place + 1, scan.top + 1):
            if scan.stack[k].bits & SCOPE:
                return
        furthest = place + 1
        while furthest <= scan.top and not scan.stack[furthest].bits & SPECIAL:
            furthest += 1
        if furthest > scan.top:
            pop_to(scan, place)
            remove_entry(scan, formatting)
            return
        entry = scan.entries[formatting]
        bookmark = formatting
        node = furthest
        inner = 0
        first = True
        while True:
            inner += 1
            node -= 1
            if node == place:
                break
            scan.work += scan.count // ADDRESSES_A_STEP
            k = scan.stack[node].entry
            if k != NONE and inner > 3:
                remove_entry(scan, k)
                k = NONE
            if k == NONE:
                remove_element(scan, node)
                furthest -= 1
                continue
            count_element(scan, scan.stack[node].depth)
            count_copy(scan, &scan.entries[k])
            if first:
                bookmark = k + 1
                first = False
        element = scan.stack[place]
        count_element(scan, element.depth + 1)
        count_copy(scan, &entry)
        remove_element(scan, place)
        furthest -= 1
        if formatting < scan.count:
            remove_entry(scan, formatting)
        element.entry = NONE
        insert_element(scan, furthest + 1, &element)
        entry.place = furthest + 1
        insert_entry(scan, min(bookmark, scan.count), &entry)
        for k in range(place, scan.top + 1):
            scan.stack[k].depth = scan.stack[k - 1].depth + 1
        if exceeded(scan):
            return


# ---- start tags; a function that returns a bint leaves the tag to the rules for body content when true ----

cdef bint open_foreign(Scan *scan, const Tag *tag, bint mathml) noexcept nogil:
    """Open an element of svg or math; always False."""
    cdef uint64_t bits = FOREIGN | tag.bits & OF_FOREIGN
    if mathml:
        bits = (bits | MATHML) & ~SVG_POINT
        if bits & ANNOTATION and tag.matches:
            bits |= HTML_POINT
    else:
        bits &= ~(TEXT_POINT | ANNOTATION)
        if bits & SVG_POINT:
            bits |= HTML_POINT
    if bits & POINTS:
        bits |= SCOPE | SPECIAL
    push(scan, tag.name, bits)
    if tag.self_closing:
        pop(scan)
    return False


cdef void break_out(Scan *scan) noexcept nogil:
    """Close svg and math up to where HTML is allowed again."""
    while scan.stack[scan.top].bits & FOREIGN and not scan.stack[scan.top].bits & (HTML_POINT | TEXT_POINT):
        pop(scan)


cdef bint start_in_foreign(Scan *scan, const Tag *tag) noexcept nogil:
    """A start tag where the current element is one of svg or math."""
    cdef uint64_t inside = scan.stack[scan.top].bits
    if (inside & HTML_POINT or inside & TEXT_POINT and not tag.bits & GLYPH
            or inside & ANNOTATION and tag.bits & SVG):
        return True
    if tag.bits & BREAKS_OUT or tag.bits & FONT and tag.matches:
        break_out(scan)
        return True
    return open_foreign(scan, tag, inside & MATHML != 0)


cdef inline void clear_back(Scan *scan, uint64_t context) noexcept nogil:
    """Clear the stack back to a table, section or row context."""
    while not scan.stack[scan.top].bits & (context | TEMPLATE | HTML):
        pop(scan)


cdef bint close_in_table(Scan *scan, uint64_t wanted, uint64_t name) noexcept nogil:
    """Close an element in table scope, with its marker if it has one; False where there is none."""
    cdef int32_t place = find(scan, wanted, name, TABLE_SCOPE & ~wanted)
    cdef bint marked
    if place == NONE:
        return False
    marked = scan.stack[place].bits & MARKS != 0
    pop_to(scan, place)
    if marked:
        clear_to_marker(scan)
    return True


cdef bint apply_rules(Scan *scan, const Tag *tag, const Rule (*by_mode)[LONGEST_RULES]) noexcept nogil:
    """What the modes do with a tag: a mode that closes what it is about leaves the tag to the mode outside."""
    cdef const Rule *rule
    cdef int32_t action
    while not exceeded(scan):
        rule = &by_mode[scan.stack[scan.top].mode][0]
        while rule.tags != 0 and not tag.bits & rule.tags:
            rule += 1
        action = rule.action
        if action == AS_IN_BODY:
            return True
        if action == AS_IN_BODY_BEFORE_TABLE:
            scan.work += scan.top + 1
            return True
        if action == CLOSE or action == CLOSE_OWN or action == CLOSE_FOR:
            if action == CLOSE_FOR and find(scan, TABLE | TABLE_PART, tag.name, TABLE_SCOPE & ~tag.bits) == NONE:
                return False
            if not close_in_table(scan, rule.wanted, tag.name if action == CLOSE_OWN else 0):
                return False
            if action == CLOSE_OWN:
                return False
        elif action == IMPLY:
            clear_back(scan, rule.wanted)
            push(scan, rule.implied, properties_of(rule.implied))
        elif action == BECOME:
            scan.stack[scan.top].mode = <int32_t>rule.wanted
        elif action == OPEN:
            clear_back(scan, rule.wanted)
            push(scan, tag.name, tag.bits)
            if tag.bits & MARKS:
                insert_marker(scan)
            return False
        else:
            if action == INSERT_FORM:
                scan.work += scan.top + 1
                if scan.has_form or scan.templates > 0:
                    return False
                scan.has_form = True
            if action != IGNORE:
                count_element(scan, scan.stack[scan.top].depth + 1)
            return False
    return False


cdef void close_item(Scan *scan, uint64_t wanted) noexcept nogil:
    """Close the li, or the dd or dt, before the one that starts."""
    cdef int32_t place = scan.top
    while place >= 0:
        scan.work += 1
        if scan.stack[place].bits & wanted:
            pop_to(scan, place)
            return
        if scan.stack[place].bits & SPECIAL and not scan.stack[place].bits & PASSED:
            return
        place -= 1


cdef bint before_insertion(Scan *scan, const Tag *tag) noexcept nogil:
    """What the start tags in BEFORE_INSERTION do first; False where nothing is inserted."""
    cdef uint64_t bits = tag.bits
    cdef int32_t place
    if bits & IGNORED:
        if bits & (HTML | BODY):
            scan.work += scan.top + 1 + tag.attributes * scan.root_attributes
            scan.root_attributes += tag.attributes
        return False
    if bits & FRAMESET:
        if scan.frameset_ok:
            pop_to(scan, 1)
            scan.stack[0].mode = AFTER_FRAMESET
            push(scan, tag.name, bits)
        return False
    if bits & (SELECT | INPUT):
        place = find(scan, SELECT, 0, SCOPE)
        pop_to(scan, place)
        return place == NONE or bits & INPUT != 0
    if bits & FORM:
        scan.work += scan.top + 1
        return not scan.has_form or scan.templates > 0
    if bits & LI:
        close_item(scan, LI)
    elif bits & DD_DT:
        close_item(scan, DD_DT)
    elif bits & BUTTON:
        pop_to(scan, find(scan, BUTTON, 0, SCOPE))
    elif bits & TABLE and not scan.quirks:
        close_paragraph(scan)
    elif bits & A:
        place = last_entry(scan, tag.name)
        if place != NONE:
            replace_anchor(scan, place)
    return True


cdef void replace_anchor(Scan *scan, int32_t k) noexcept nogil:
    """An `a` starts where one is open: the adoption agency closes it, or else it is taken off both lists."""
    cdef Entry anchor = scan.entries[k]
    adopt(scan, anchor.name)
    # The adoption agency leaves the element alone only where a table stands between: then it is where it was.
    if k < scan.count and scan.entries[k].start == anchor.start and scan.entries[k].place == anchor.place:
        remove_entry(scan, k)
        if anchor.place != NONE:
            remove_element(scan, anchor.place)


cdef bint start_in_body(Scan *scan, const Tag *tag) noexcept nogil:
    """A start tag by the rules for body content; True where the content that follows is raw text."""
    cdef uint64_t bits = tag.bits
    if bits & NO_FRAMESET:
        scan.frameset_ok = False
    if bits & BEFORE_INSERTION and not before_insertion(scan, tag):
        return False
    if bits & CLOSES_P:
        close_paragraph(scan)
        if bits & HEADING and scan.stack[scan.top].bits & HEADING:
            pop(scan)
    if bits & (OPTION | OPTGROUP | HR):
        if find(scan, SELECT, 0, SCOPE) != NONE:
            close_implied(scan, OPTGROUP if bits & OPTION else 0)
        elif not bits & HR and scan.stack[scan.top].bits & OPTION:
            pop(scan)
    elif bits & (RUBY_BASE | RUBY_TEXT) and find(scan, RUBY, 0, SCOPE) != NONE:
        close_implied(scan, RTC if bits & RUBY_TEXT else 0)
    if not bits & PLAIN:
        reopen(scan)
        if bits & NOBR and find(scan, NOBR, 0, SCOPE) != NONE:
            adopt(scan, tag.name)
            reopen(scan)
    if bits & VOID:
        count_element(scan, scan.stack[scan.top].depth + 1)
        return False
    if bits & (SVG | MATH):
        return open_foreign(scan, tag, bits & MATH != 0)
    push(scan, tag.name, bits)
    if bits & FORMATTING:
        remember(scan, tag)
    elif bits & MARKS:
        insert_marker(scan)
    elif bits & FORM and scan.templates == 0:
        scan.has_form = True
        scan.form = scan.top
    return bits & RAW != 0


# ---- end tags ----

cdef bint end_in_foreign(Scan *scan, const Tag *tag) noexcept nogil:
    """An end tag where the current element is one of svg or math."""
    cdef int32_t place = scan.top
    if tag.bits & (BR | P):
        break_out(scan)
        return True
    while place > 0 and scan.stack[place].bits & FOREIGN:
        scan.work += 1
        if scan.stack[place].name == tag.name:
            pop_to(scan, place)
            return False
        place -= 1
    return True


cdef void end_form(Scan *scan) noexcept nogil:
    cdef int32_t form = scan.form
    cdef int32_t place
    scan.work += scan.top + 1
    if scan.templates > 0:
        pop_to(scan, find(scan, FORM, 0, SCOPE))
        return
    scan.has_form = False
    scan.form = NONE
    if form == NONE:
        return
    scan.work += scan.top - form + 1
    for place in range(form + 1, scan.top + 1):
        if scan.stack[place].bits & SCOPE:
            return
    close_implied(scan, 0)
    remove_element(scan, form)


cdef void end_in_body(Scan *scan, const Tag *tag) noexcept nogil:
    """An end tag by the rules for body content."""
    cdef uint64_t bits = tag.bits
    cdef int32_t place
    if bits & BLOCK:
        pop_to(scan, find(scan, BLOCK, tag.name, SCOPE))
    elif bits & FORMATTING:
        adopt(scan, tag.name)
    elif bits & P:
        place = find(scan, P, 0, SCOPE | BUTTON)
        if place == NONE:
            count_element(scan, scan.stack[scan.top].depth + 1)
        pop_to(scan, place)
    elif bits & LI:
        pop_to(scan, find(scan, LI, 0, SCOPE | LIST_SCOPE))
    elif bits & DD_DT:
        pop_to(scan, find(scan, DD_DT, tag.name, SCOPE))
    elif bits & HEADING:
        pop_to(scan, find(scan, HEADING, 0, SCOPE))
    elif bits & FORM:
        end_form(scan)
    elif bits & TEMPLATE:
        scan.work += scan.top + 1
        if scan.templates > 0:
            pop_to(scan, find(scan, TEMPLATE, 0, 0))
            clear_to_marker(scan)
    elif bits & MARKS and not bits & TABLE_PART:
        place = find(scan, MARKS, tag.name, SCOPE)
        if place != NONE:
            pop_to(scan, place)
            clear_to_marker(scan)
    elif bits & BR:
        scan.frameset_ok = False
        reopen(scan)
        count_element(scan, scan.stack[scan.top].depth + 1)
    elif bits & (BODY | HTML):
        scan.work += scan.top + 1
    else:
        end_other(scan, tag.name)


cdef void end_other(Scan *scan, uint64_t name) noexcept nogil:
    """Any other end tag: closes the element of that name unless a special one is in between."""
    cdef int32_t place = scan.top
    while place >= 0:
        scan.work += 1
        if scan.stack[place].name == name and not scan.stack[place].bits & FOREIGN:
            pop_to(scan, place)
            return
        if scan.stack[place].bits & SPECIAL:
            return
        place -= 1


# ---- the tokenizer ----

cdef inline bint is_letter(unsigned char byte) noexcept nogil:
    return 97 <= byte | 32 <= 122


cdef inline bint is_blank(const unsigned char *start, const unsigned char *end) noexcept nogil:
    while start < end and BLANK[start[0]]:
        start += 1
    return start == end


cdef bint reopen_for_text(Scan *scan, const unsigned char *start, const unsigned char *end) noexcept nogil:
    """Text re-opens formatting elements, but for white space between the parts of a table; True where it is put before
    a table."""
    cdef Element *element = &scan.stack[scan.top]
    cdef bint is_before_table = False
    if scan.frameset_ok and not is_blank(start, end):
        scan.frameset_ok = False
    if scan.in_head and scan.templates == 0:
        if is_blank(start, end):
            return False
        scan.in_head = False
    if element.bits & FOREIGN and not element.bits & (HTML_POINT | TEXT_POINT):
        return False
    if element.mode == IN_COLGROUP:
        if is_blank(start, end) or not element.bits & COLGROUP:
            return False
        pop(scan)
        is_before_table = True
    elif element.mode >= IN_FRAMESET:
        return False
    elif element.bits & ROWS:
        if is_blank(start, end):
            return False
        scan.work += scan.top + 1  # where to put it: the parser looks for the table
        is_before_table = True
    reopen(scan)
    return is_before_table


cdef void count_text(Scan *scan, int64_t length) noexcept nogil:
    """The parser copies a text that goes on, if it has stored a value since: into the element that is open."""
    cdef int64_t values = scan.attributes + scan.declarations
    if scan.text_nodes != scan.nodes or scan.text_place != scan.top:
        scan.text = 0
    elif scan.text_values != values:
        scan.work += scan.text // BYTES_A_STEP
    scan.text += length
    scan.text_nodes = scan.nodes
    scan.text_values = values
    scan.text_place = scan.top


cdef void count_text_before_table(Scan *scan, int64_t length) noexcept nogil:
    """The same for text that a table does not allow: what stands before the table may always go on."""
    cdef int32_t place = scan.top
    while place > 0 and not scan.stack[place].bits & (TABLE | TEMPLATE):
        place -= 1
    scan.work += scan.stack[place].text // BYTES_A_STEP
    scan.stack[place].text += length


cdef void read_text(Scan *scan, const unsigned char *start, const unsigned char *end) noexcept nogil:
    if start == end:
        return
    if reopen_for_text(scan, start, end):
        count_text_before_table(scan, end - start)
    else:
        count_text(scan, end - start)


cdef inline void count_name(Scan *scan, uint64_t name) noexcept nogil:
    """The parser looks a name up among the different ones it has met."""
    cdef uint64_t slot = (name * MIXER) >> (64 - NAME_BITS)
    cdef unsigned char bit = 1 << (slot & 7)
    if not scan.names[slot >> 3] & bit:
        scan.names[slot >> 3] |= bit
        scan.different_names += 1
    scan.work += scan.different_names >> NAME_STEPS


cdef inline bint is_value(const unsigned char *start, const unsigned char *end, const char *value,
                          int64_t length) noexcept nogil:
    """Whether an attribute has that value, in upper or lower case."""
    cdef int64_t k
    if end - start != length:
        return False
    for k in range(length):
        if start[k] | 32 != value[k]:
            return False
    return True


cdef inline bint makes_html(const unsigned char *start, const unsigned char *end) noexcept nogil:
    """Whether this `encoding` makes the content of an annotation in math HTML."""
    return is_value(start, end, b"text/html", 9) or is_value(start, end, b"application/xhtml+xml", 21)


cdef const unsigned char *read_attributes(Scan *scan, Tag *tag, const unsigned char *at,
                                          const unsigned char *end) noexcept nogil:
    """Read from behind the name of a tag to behind its ">"; NULL where the input ends before."""
    cdef const unsigned char *start
    cdef uint64_t name
    cdef bint thorough = scan.attributes > FREE_NAMES or tag.bits & (FONT | ANNOTATION)
    tag.attributes = 0
    tag.self_closing = False
    tag.matches = False
    while True:
        while at < end and (BLANK[at[0]] or at[0] == SLASH):
            at += 1
        if at == end:
            return NULL
        if at[0] == GREATER:
            tag.self_closing = (at - 1)[0] == SLASH
            break
        if at[0] == EQUALS:  # the first letter of a name may be one
            at += 1
        name = 0
        if thorough:
            name = read_name(&at, end, ATTRIBUTE_LETTER)
            count_name(scan, name)
        else:
            while at < end and ATTRIBUTE_LETTER[at[0]] != 0:
                at += 1
        tag.attributes += 1
        if tag.bits & FONT and (name == COLOR or name == FACE or name == SIZE):
            tag.matches = True
        while at < end and BLANK[at[0]]:
            at += 1
        if at == end:
            return NULL
        if at[0] != EQUALS:
            continue
        at += 1
        while at < end and BLANK[at[0]]:
            at += 1
        if at == end:
            return NULL
        start = at
        if at[0] == GREATER:
            break
        if at[0] == DOUBLE_QUOTE or at[0] == SINGLE_QUOTE:
            start += 1
            at = <const unsigned char *>memchr(start, at[0], end - start)
            if at == NULL:
                return NULL
            if tag.bits & ANNOTATION and name == ENCODING and makes_html(start, at):
                tag.matches = True
            at += 1
            continue
        while at < end and not BLANK[at[0]] and at[0] != GREATER:
            at += 1
        if tag.bits & ANNOTATION and name == ENCODING and makes_html(start, at):
            tag.matches = True
        if at == end:
            return NULL
        if at[0] == GREATER:
            break
    scan.attributes += tag.attributes
    scan.work += tag.attributes * tag.attributes  # the parser compares each with those before it: no step takes longer
    return at + 1


cdef inline bint starts_with(const unsigned char *at, const unsigned char *end, const char *letters,
                             int64_t length) noexcept nogil:
    return end - at >= length and memcmp(at, letters, length) == 0


cdef const unsigned char *behind(const unsigned char *at, const unsigned char *end, const char *letters,
                                 int64_t length) noexcept nogil:
    """Behind the next occurrence of `letters`, which end in ">"; the end of the input where there is none."""
    cdef const unsigned char *start = at
    while True:
        at = <const unsigned char *>memchr(at, GREATER, end - at)
        if at == NULL:
            return end
        at += 1
        if at - start >= length and memcmp(at - length, letters, length) == 0:
            return at


cdef const unsigned char *behind_comment(const unsigned char *at, const unsigned char *end) noexcept nogil:
    """Behind the comment whose "<!--" ends at `at`."""
    cdef const unsigned char *start = at
    while True:
        at = <const unsigned char *>memchr(at, GREATER, end - at)
        if at == NULL:
            return end
        # "<!-->" and "<!--->" are comments, "<!--!>" is the beginning of one.
        if (at - 1)[0] == DASH and (at - 2)[0] == DASH or at - start >= 3 and memcmp(at - 3, b"--!", 3) == 0:
            return at + 1
        at += 1


cdef inline const unsigned char *read_short_name(const unsigned char *at, const unsigned char *end,
                                                 uint64_t *name) noexcept nogil:
    """Read the name at `at` and return what is behind it, or NULL where it is longer than those with rules or
    the input ends in it: looking for a name from every "<" must not read the rest of the page every time."""
    cdef const unsigned char *limit = end if end - at < LONGEST_NAME else at + LONGEST_NAME
    name[0] = read_name(&at, limit, TAG_LETTER)
    return at if at < end and TAG_LETTER[at[0]] == 0 else NULL


cdef const unsigned char *end_tag_of(uint64_t wanted, const unsigned char *at, const unsigned char *end) noexcept nogil:
    """Behind the name of the end tag at `at` if it is one of `wanted`, else NULL."""
    cdef uint64_t name
    if end - at < 3 or at[1] != SLASH:
        return NULL
    at = read_short_name(at + 2, end, &name)
    return at if name == wanted else NULL


cdef const unsigned char *raw_text_end(uint64_t name, const unsigned char *at, const unsigned char *end) noexcept nogil:
    """The "<" of the end tag that ends raw text, or NULL."""
    while True:
        at = <const unsigned char *>memchr(at, LESS, end - at)
        if at == NULL or end_tag_of(name, at, end) != NULL:
            return at
        at += 1


cdef const unsigned char *script_end(uint64_t name, const unsigned char *at, const unsigned char *end) noexcept nogil:
    """The same for a script, where "<!--" starts a stretch in which scripts nest once ("double escaped")."""
    cdef const unsigned char *less
    cdef const unsigned char *closed = NULL  # where the stretch ends
    cdef uint64_t nested_name
    cdef bint nested = False
    while True:
        less = <const unsigned char *>memchr(at, LESS, end - at)
        if less == NULL:
            return NULL
        if closed != NULL and less >= closed:
            closed = NULL
            nested = False
        at = less + 1
        if closed == NULL and starts_with(less, end, b"<!--", 4):
            closed = behind(less + 2, end, b"-->", 3)
            nested = False
            at = less + 2
        elif end_tag_of(name, less, end) != NULL:
            if closed == NULL or not nested:
                return less
            nested = False
        elif closed != NULL and read_short_name(at, end, &nested_name) != NULL and nested_name == name:
            nested = True


cdef const unsigned char *read_raw_text(Scan *scan, const Tag *tag, const unsigned char *end) noexcept nogil:
    """Read the content of the element that has just been opened, and its end tag."""
    cdef const unsigned char *at = NULL
    cdef int32_t place = scan.top
    cdef Tag end_tag
    if tag.bits & SCRIPT:
        at = script_end(tag.name, tag.end, end)
    elif not tag.bits & PLAINTEXT:
        at = raw_text_end(tag.name, tag.end, end)
    if tag.bits & (PLAINTEXT | TEXTAREA):  # the parser does re-open formatting elements in a textarea
        read_text(scan, tag.end, end if at == NULL else at)
    if at == NULL:
        return end
    end_tag.bits = 0
    at = read_attributes(scan, &end_tag, end_tag_of(tag.name, at, end), end)
    pop_to(scan, place)
    return end if at == NULL else at


cdef const unsigned char *read_declaration(Scan *scan, const unsigned char *less,
                                           const unsigned char *end) noexcept nogil:
    """Read what starts with "<!", "<?" or "</" but is no tag."""
    cdef const unsigned char *at
    if starts_with(less, end, b"<![CDATA[", 9) and scan.stack[scan.top].bits & FOREIGN:
        at = behind(less + 9, end, b"]]>", 3)
        count_text(scan, at - less)
        return at
    scan.declarations += 1
    if not scan.ended and not starts_with(less, end, b"<!d", 3) and not starts_with(less, end, b"<!D", 3):
        scan.text = 0  # a comment, or what is taken for one
    if starts_with(less, end, b"<!--", 4):
        return behind_comment(less + 4, end)
    at = behind(less + 2, end, b">", 1)
    # Only the plain doctype is recognised: with any other, a table is taken to stay inside an open paragraph.
    if not scan.begun and scan.frameset_ok and at - less == 15 and is_value(less, at, b"<!doctype html>", 15):
        scan.quirks = False
    return at


cdef bint goes_on(Scan *scan, const Tag *tag, bint is_end) noexcept nogil:
    """The head ends before the first tag that does not belong there; False for an end tag that does nothing."""
    if is_end:
        if tag.bits & TEMPLATE:
            return True
        if not tag.bits & (BODY | HTML | BR):
            return False
    elif tag.bits & STAYS_IN_HEAD:
        return True
    scan.in_head = False
    if tag.bits & FRAMESET:
        scan.frameset_ok = True
    return True


cdef const unsigned char *read_tag(Scan *scan, const unsigned char *less, const unsigned char *end) noexcept nogil:
    """Read the tag at `less`, and the raw text behind it."""
    cdef const unsigned char *at = less + 1
    cdef bint is_end = at[0] == SLASH
    cdef Tag tag
    cdef bint raw
    scan.begun = True
    at += is_end
    tag.start = less
    tag.name = read_name(&at, end, TAG_LETTER)
    tag.bits = properties_of(tag.name)
    if tag.bits == 0:
        count_name(scan, tag.name)
    if at < end and at[0] == GREATER:  # most tags have no attributes
        tag.end = at + 1
        tag.attributes = 0
        tag.self_closing = tag.matches = False
    else:
        tag.end = read_attributes(scan, &tag, at, end)
        if tag.end == NULL:
            return end
    if is_end and tag.bits & (BODY | HTML):
        scan.ended = True
    if tag.bits & SKIPS_NEWLINE and not is_end:
        tag.end += starts_with(tag.end, end, b"\r", 1)
        tag.end += starts_with(tag.end, end, b"\n", 1)
    if scan.in_head and scan.templates == 0 and not goes_on(scan, &tag, is_end):
        return tag.end
    if is_end:
        if ((not scan.stack[scan.top].bits & FOREIGN or end_in_foreign(scan, &tag))
                and (scan.stack[scan.top].mode == IN_BODY or apply_rules(scan, &tag, end_rules))):
            end_in_body(scan, &tag)
        return tag.end
    raw = ((not scan.stack[scan.top].bits & FOREIGN or start_in_foreign(scan, &tag))
           and (scan.stack[scan.top].mode == IN_BODY or apply_rules(scan, &tag, start_rules))
           and start_in_body(scan, &tag))
    return read_raw_text(scan, &tag, end) if raw else tag.end


cdef void scan_page(Scan *scan, const unsigned char *at, const unsigned char *end) noexcept nogil:
    """Read the page up to its end, or until a limit is passed."""
    cdef const unsigned char *text = at  # what has not been read
    cdef const unsigned char *less
    cdef unsigned char next
    while not exceeded(scan):
        less = at if at < end and at[0] == LESS else <const unsigned char *>memchr(at, LESS, end - at)
        if less == NULL or less + 1 == end:
            read_text(scan, text, end)
            return
        next = less[1]
        if next == SLASH and less + 2 < end:
            next = less[2]
            if not is_letter(next):
                next = EXCLAMATION
        if is_letter(next):
            if text < less:
                read_text(scan, text, less)
            text = read_tag(scan, less, end)
        elif next == EXCLAMATION or next == QUESTION:
            read_text(scan, text, less)
            text = read_declaration(scan, less, end)
        else:
            at = less + 1
            continue
        at = text


cdef bint cannot_grow(const unsigned char *at, const unsigned char *end) noexcept nogil:
    """Whether a page is too small to pass a limit, by an upper bound on the elements that are created twice.

    Every "<" counts as a tag, even in a comment, a script or an attribute, so nothing can be hidden from it, and
    no end tag is trusted to close anything. Each of the tags re-opens at most every formatting element of the
    page (but one `a`, since a second one closes the first); each formatting tag makes the adoption agency copy
    the element 8 times, and 24 others.
    """
    cdef Scan unused
    cdef Tag tag
    cdef uint64_t bits
    cdef int64_t tags = 0, formatting_tags = 0, elements = 0, length = 0, longest = 0, longest_anchor = 0
    cdef int64_t unread = end - at  # overlapping tags, as in "<b <b <b", must not be read again and again
    cdef const unsigned char *name_end
    cdef bint is_end
    if end - at > HARMLESS_LENGTH:
        return False
    memset(&unused, 0, sizeof(unused))
    tag.bits = 0
    while True:
        at = <const unsigned char *>memchr(at, LESS, end - at)
        if at == NULL:
            break
        tags += 1
        if tags > HARMLESS_TAGS:
            return False
        tag.start = at
        at += 1
        is_end = at < end and at[0] == SLASH
        if end - at < 2 + is_end or not FORMATTING_LETTERS[at[is_end + 1]] >> (at[is_end] & 31) & 1:
            continue
        name_end = read_short_name(at + is_end, end, &tag.name)
        bits = properties_of(tag.name)
        if name_end == NULL or not bits & FORMATTING:
            continue
        formatting_tags += 1
        if is_end:
            continue
        unused.attributes = 0
        tag.end = read_attributes(&unused, &tag, name_end, end)
        unread -= (end if tag.end == NULL else tag.end) - at
        if unread < 0:
            return False
        if tag.end == NULL:  # no tag, since the page ends in it
            continue
        if bits & A:
            longest_anchor = max(longest_anchor, tag.end - tag.start)
        else:
            elements += 1
            length += tag.end - tag.start
            longest = max(longest, tag.end - tag.start)
    return (
        tags * (2 + elements + (length + longest_anchor) // BYTES_A_NODE)
        + formatting_tags * (32 + (8 * max(longest, longest_anchor) + 24 * longest) // BYTES_A_NODE) <= MAX_NODES
    )


def is_harmless(const unsigned char[::1] html):
    """Whether a page is too small to pass a limit; see `nesting.pyi`."""
    cdef const unsigned char *start = &html[0] if html.shape[0] > 0 else NULL
    cdef bint harmless
    if start == NULL:
        return True
    with nogil:
        harmless = cannot_grow(start, start + html.shape[0])
    return harmless


def scan(const unsigned char[::1] html):
    """How deep, laborious and large the tree of a page would become; see `nesting.pyi`."""
    cdef Scan state
    cdef const unsigned char *start = &html[0] if html.shape[0] > 0 else NULL
    memset(&state, 0, sizeof(state))
    state.form = NONE
    state.in_head = state.frameset_ok = state.quirks = True
    state.capacity = 64
    state.room = 256
    state.stack = <Element *>malloc(state.room * sizeof(Element))
    state.entries = <Entry *>malloc(state.capacity * sizeof(Entry))
    state.names = <unsigned char *>calloc((1 << NAME_BITS) // 8, 1)
    try:
        if state.stack == NULL or state.entries == NULL or state.names == NULL:
            raise MemoryError("no memory to scan the page")
        state.stack[0].name = NAME_OF_HTML
        state.stack[0].bits = properties_of(NAME_OF_HTML)
        state.stack[0].mode = IN_BODY
        state.stack[0].depth = 1
        state.stack[0].entry = NONE
        state.stack[0].text = 0
        push(&state, NAME_OF_BODY, properties_of(NAME_OF_BODY))
        state.nodes = FIRST_ELEMENTS
        if start != NULL:
            with nogil:
                scan_page(&state, start, start + html.shape[0])
        if state.out_of_memory:
            raise MemoryError("no memory to scan the page")
        return state.deepest, state.work, state.nodes
    finally:
        free(state.stack)
        free(state.entries)
        free(state.names)
