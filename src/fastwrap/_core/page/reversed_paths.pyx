"""The reversed enhanced tag path (reTPS) of every text: its elements from the leaf up, and what they say of themselves.
Two passes over the nodes. Equal paths share their steps, so that each different one is written out once."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memcpy, memset

from fastwrap._core.common.buffers cimport data_of
from fastwrap._core.common.hashing cimport (
    Numbered, Numbers, add_number, mixed, number_of, size_of_numbers, start_numbers,
)
from fastwrap._core.common.names cimport (
    ATTRIBUTE_CLASS, ATTRIBUTE_HIDDEN, ATTRIBUTE_ID, ATTRIBUTE_STYLE, KNOWN_TAGS, TEXT,
)
from fastwrap._core.common.page cimport NO_NODE, TOUCHES, NativePage, PageArrays, value_length
from fastwrap._core.common.scratch cimport numbers, piece, put_back, reserve, take
from fastwrap._core.page.symbols cimport style_hides

import numpy as np

cdef object empty = np.empty, INT32 = np.dtype(np.int32), INT64 = np.dtype(np.int64)

cdef enum:
    MOST_TOKENS = 20        # of a path
    MOST_VALUES = 64        # that are searched in attributes ...
    MOST_MARKS = 24         # ... and different tokens that stand for them
    MOST_NAMES = 1024       # attributes that are in the table of names
    LONGEST_VALUE = 64      # bytes
    GRAM = 3                # bytes of the pieces by which values are looked for: those of the shortest value
    GRAMS = 4096            # places for pieces; two to the power ...
    GRAM_BITS = 12          # ... of this
    CLASSES = 11            # Fibonacci classes

    # What a tag is, as bits; `reversed_paths.pyi` says what each means.
    WRAPPER = 1
    REPEATING = 2
    FORMATTER = 4
    SKIPPED = 8
    BREAK = 16

    # Tokens below 32 are special. Then come the tags: number << 5 | WITHOUT_TEXT | Fibonacci class, from 1.
    CONTENT_TOKEN = 1
    MONEY_TOKEN = 2
    ID_TOKEN = 3
    CLASS_TOKEN = 4
    PROPERTY_TOKEN = 5
    HIDDEN_TOKEN = 6
    WITHOUT_TEXT = 16       # a wrapper tag that does not begin with a text
    TAG_SHIFT = 5

    # What an element says, as bits. The lowest five are those of its token.
    TOKEN_BITS = 31
    HAS_ID = 1 << 5
    HAS_CLASSES = 1 << 6
    HAS_PROPERTIES = 1 << 7
    HIDES = 1 << 8
    CLASS_MARKS = 9         # from here on MOST_MARKS bits: the values in its classes ...
    PROPERTY_MARKS = 33     # ... and in its properties

# Where the classes begin, in percent of the tags of the page.
cdef int64_t[CLASSES] FIBONACCI = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 100]


# The values that are searched


cdef struct Value:
    unsigned char text[LONGEST_VALUE]
    int32_t length
    uint32_t mark               # one bit, for its token


cdef struct Rules:
    unsigned char kinds[KNOWN_TAGS + 1]     # [tag] what it is; the last place is for all tags without a number
    int32_t value_count
    Value values[MOST_VALUES]
    int32_t step                # one of so many adjacent places in a text is looked at
    unsigned char may_be[GRAMS]     # [hash of a piece] bits of the values that have it among their first ones
    int32_t mark_count
    int64_t tokens[MOST_MARKS]  # of the marks
    int32_t name_count
    uint32_t named[MOST_NAMES]  # [attribute] marks of the values in its name


cdef inline uint32_t place_of(const unsigned char *at) noexcept nogil:
    """The place of a piece among all, whatever the case of its letters."""
    cdef uint32_t gram = (at[0] | <uint32_t>at[1] << 8 | <uint32_t>at[2] << 16) | 0x202020
    return (gram * <uint32_t>0x9E3779B1) >> (32 - GRAM_BITS)


cdef bint stands_at(const Value *value, const unsigned char *text) noexcept nogil:
    """Whether a text goes on with a value, with letters of ASCII in either case."""
    cdef int32_t k
    cdef unsigned char byte
    for k in range(value.length):
        byte = text[k]
        if c"A" <= byte <= c"Z":
            byte |= 0x20
        if byte != value.text[k]:
            return False
    return True


cdef uint32_t marks_around(const Rules *rules, const unsigned char *text, int32_t length, int32_t at) noexcept nogil:
    """The marks of the values that have one of their first pieces at a place of a text."""
    cdef uint32_t found = 0
    cdef int32_t k, start
    cdef unsigned char may_be = rules.may_be[place_of(text + at)]
    cdef const Value *value
    for k in range(rules.value_count):
        if may_be >> (k & 7) & 1:
            value = &rules.values[k]
            for start in range(max(0, at - rules.step + 1), at + 1):
                if start + value.length <= length and stands_at(value, text + start):
                    found |= value.mark
    return found


cdef uint32_t marks_in(const Rules *rules, const unsigned char *text, int32_t length) noexcept nogil:
    """The marks of the values that stand in a text. Wherever one stands, one of its first pieces is at a place that is
    looked at; most places have no piece of any value (after Wu & Manber 1994)."""
    cdef uint32_t found = 0
    cdef int32_t at = 0
    while at <= length - GRAM:
        if rules.may_be[place_of(text + at)]:
            found |= marks_around(rules, text, length, at)
        at += rules.step
    return found


cdef class TokenRules:
    """What tags are and which values are searched; see `reversed_paths.pyi`."""
    cdef Rules rules

    def __cinit__(self, bytes kinds not None, list names not None, list values not None, list marks not None,
                  list tokens not None):
        cdef Rules *rules = &self.rules
        cdef Value *value
        cdef bytes text
        cdef int32_t k, start
        memset(rules, 0, sizeof(Rules))
        if len(kinds) != sizeof(rules.kinds) or len(names) > MOST_NAMES:
            raise ValueError("there is one kind for each tag, and not one name for each attribute")
        if not 0 < len(values) <= MOST_VALUES or len(marks) != len(values) or len(tokens) > MOST_MARKS:
            raise ValueError("there are too many values or tokens, or not one mark for each value")
        memcpy(rules.kinds, <const unsigned char *>kinds, sizeof(rules.kinds))
        rules.mark_count = <int32_t>len(tokens)
        for k in range(rules.mark_count):
            rules.tokens[k] = tokens[k]
        rules.step = LONGEST_VALUE
        for text, mark in zip(values, marks, strict=True):
            value = &rules.values[rules.value_count]
            if not GRAM <= len(text) <= LONGEST_VALUE or text != text.lower() or not 0 <= mark < rules.mark_count:
                raise ValueError(f"{text} has no token, is not in lower case, or is too short or too long")
            memcpy(value.text, <const unsigned char *>text, len(text))
            value.length = <int32_t>len(text)
            value.mark = <uint32_t>1 << <int32_t>mark
            rules.step = min(rules.step, value.length - GRAM + 1)
            rules.value_count += 1
        for k in range(rules.value_count):
            for start in range(rules.step):
                rules.may_be[place_of(rules.values[k].text + start)] |= <unsigned char>(1 << (k & 7))
        for text in names:
            rules.named[rules.name_count] = marks_in(rules, text, <int32_t>len(text))
            rules.name_count += 1


# The paths


cdef struct Step:
    # One element of a path, and with those above it the whole path. Step 0 is above all.
    int32_t above
    int32_t tag
    uint64_t said               # its token without the tag, and what it says of itself, as bits
    int32_t reached[2]          # the path of texts below it, and of those that begin with a sign of money; from 1


cdef struct Paths:
    const PageArrays *page
    const Rules *rules
    Numbers custom              # attributes that are not in the table of names -> marks of the values in their names
    Numbers known               # steps, by their hash
    Step *steps
    int32_t step_count
    Numbers written             # paths, by their hash
    int64_t *tokens             # those of all paths, one after the other
    int64_t token_room
    int64_t *starts             # [path_count + 1]
    int64_t start_room
    int32_t path_count


cdef inline unsigned char kind_of(const Rules *rules, int32_t tag) noexcept nogil:
    return rules.kinds[tag if 0 <= tag < KNOWN_TAGS else KNOWN_TAGS]


cdef inline bint is_without_text(const PageArrays *page, int32_t node) noexcept nogil:
    """Whether an element does not begin with a text of its own."""
    return page.size[node] == 1 or page.tag[node + 1] != TEXT


cdef inline bint counts(const PageArrays *page, int32_t node, unsigned char kind) noexcept nogil:
    """Whether an element counts for the place of all that follows it."""
    return not kind & (REPEATING | SKIPPED) and not (kind & WRAPPER and is_without_text(page, node))


cdef inline uint32_t marks_of_name(const Paths *paths, int32_t name) noexcept nogil:
    """The marks of the values in the name of an attribute."""
    cdef const Numbers *custom = &paths.custom
    cdef uint64_t place
    cdef const Numbered *entry
    if 0 <= name < paths.rules.name_count:
        return paths.rules.named[name]
    place = mixed(<uint64_t>name, 0) & custom.mask
    while custom.slots[place]:
        entry = &custom.keys[custom.slots[place] - 1]
        if entry.key == <uint64_t>name:
            return <uint32_t>entry.number
        place = (place + 1) & custom.mask
    return 0


cdef uint64_t said_by(const Paths *paths, int32_t node) noexcept nogil:
    """What the attributes of an element say."""
    cdef const PageArrays *page = paths.page
    cdef uint64_t said = 0
    cdef int32_t entry, name, length
    cdef const unsigned char *value
    for entry in range(page.attribute_start[node], page.attribute_start[node + 1]):
        name = page.attribute_name[entry]
        value = page.values + page.value_start[entry]
        length = value_length(page, entry)
        if name == ATTRIBUTE_CLASS:
            said |= HAS_CLASSES | <uint64_t>marks_in(paths.rules, value, length) << CLASS_MARKS
        elif name == ATTRIBUTE_ID:
            said |= HAS_ID
        elif name == ATTRIBUTE_HIDDEN or name == ATTRIBUTE_STYLE:
            if name == ATTRIBUTE_HIDDEN or style_hides(value, value + length):
                said |= HIDES
        else:
            said |= HAS_PROPERTIES | <uint64_t>(
                marks_of_name(paths, name) | marks_in(paths.rules, value, length)) << PROPERTY_MARKS
    return said


cdef int32_t step_of(Paths *paths, int32_t above, int32_t tag, uint64_t said) noexcept nogil:
    """The step for an element below others."""
    cdef uint64_t hash = mixed(said, <uint64_t>above << 32 | <uint32_t>tag)
    cdef uint64_t place = mixed(hash, 0) & paths.known.mask
    cdef Step *step
    while paths.known.slots[place]:
        step = &paths.steps[paths.known.slots[place]]       # the first key is that of step 1
        if step.above == above and step.tag == tag and step.said == said:
            return <int32_t>(step - paths.steps)
        place = (place + 1) & paths.known.mask
    step = &paths.steps[paths.step_count]
    step.above = above
    step.tag = tag
    step.said = said
    step.reached[0] = step.reached[1] = 0
    add_number(&paths.known, place, hash, 0, paths.step_count)
    paths.step_count += 1
    return paths.step_count - 1


cdef inline void put(int64_t *path, int32_t *count, int64_t token) noexcept nogil:
    """Add a token to a path that is not full."""
    if count[0] < MOST_TOKENS:
        path[count[0]] = token
        count[0] += 1


cdef void put_marks(const Rules *rules, uint64_t marks, int64_t *path, int32_t *count) noexcept nogil:
    """Add the tokens of marks, the last one first."""
    cdef int32_t k
    for k in range(rules.mark_count - 1, -1, -1):
        if marks >> k & 1:
            put(path, count, rules.tokens[k])


cdef int32_t spell(const Paths *paths, int32_t at, bint is_money, int64_t *path) noexcept nogil:
    """Write the tokens of a path from the leaf up, and return how many there are. An element has its tag, id, classes,
    properties, whether it is hidden and its content in this order, so in a reversed path the tag comes last."""
    cdef int32_t count = 0
    cdef const Step *step
    if is_money:
        put(path, &count, MONEY_TOKEN)
    put(path, &count, CONTENT_TOKEN)
    while at and count < MOST_TOKENS:
        step = &paths.steps[at]
        if step.said & HIDES:
            put(path, &count, HIDDEN_TOKEN)
        if step.said & HAS_PROPERTIES:
            put_marks(paths.rules, step.said >> PROPERTY_MARKS, path, &count)
            put(path, &count, PROPERTY_TOKEN)
        if step.said & HAS_CLASSES:
            put_marks(paths.rules, step.said >> CLASS_MARKS & ((1 << MOST_MARKS) - 1), path, &count)
            put(path, &count, CLASS_TOKEN)
        if step.said & HAS_ID:
            put(path, &count, ID_TOKEN)
        put(path, &count, <int64_t>step.tag << TAG_SHIFT | <int64_t>(step.said & TOKEN_BITS))
        at = step.above
    return count


cdef int32_t path_of(Paths *paths, int32_t at, bint is_money) except -1 nogil:
    """The number of the path of a text below a step, from 1. Steps are told apart by all that is above them, and paths
    are cut: different steps may have the same path."""
    cdef int64_t path[MOST_TOKENS]
    cdef int32_t count = spell(paths, at, is_money, path), k, number
    cdef uint64_t hash = <uint64_t>count, place
    cdef const Numbered *entry
    for k in range(count):
        hash = mixed(hash, <uint64_t>path[k])
    place = mixed(hash, 0) & paths.written.mask
    while paths.written.slots[place]:
        entry = &paths.written.keys[paths.written.slots[place] - 1]
        number = entry.number
        if (entry.key == hash and paths.starts[number] - paths.starts[number - 1] == count
                and memcmp(paths.tokens + paths.starts[number - 1], path, count * sizeof(int64_t)) == 0):
            return number
        place = (place + 1) & paths.written.mask
    paths.path_count += 1
    number = paths.path_count
    add_number(&paths.written, place, hash, 0, number)
    reserve(<void **>&paths.starts, &paths.start_room, number + 1, sizeof(int64_t))
    paths.starts[number] = paths.starts[number - 1] + count
    reserve(<void **>&paths.tokens, &paths.token_room, paths.starts[number], sizeof(int64_t))
    memcpy(paths.tokens + paths.starts[number - 1], path, count * sizeof(int64_t))
    return number


cdef struct Joint:
    # What has come since the last text: whether the next one is of the same content.
    bint only_formatters        # nothing but formatter tags began or ended
    bint has_ended              # and one of them ended
    bint touches                # the page says that the next text touches this one


cdef void pass_ends(const PageArrays *page, const Rules *rules, int32_t node, Joint *joint) noexcept nogil:
    """Note the elements that end before a node."""
    cdef int32_t at = node - 1
    while at != page.parent[node] and joint.only_formatters:
        if page.tag[at] != TEXT:
            joint.only_formatters = kind_of(rules, page.tag[at]) & FORMATTER != 0
            joint.has_ended = True
        at = page.parent[at]


cdef inline void pass_begin(unsigned char kind, Joint *joint) noexcept nogil:
    """Note an element that begins. Of two side by side (<b>Name</b><i>author</i>) each is a thing."""
    joint.only_formatters = kind & FORMATTER != 0 and not joint.has_ended


cdef inline int32_t reach(Paths *paths, int32_t at, bint is_money) except -1 nogil:
    """The number of the path of a text below a step, from 0."""
    if paths.steps[at].reached[is_money] == 0:
        paths.steps[at].reached[is_money] = path_of(paths, at, is_money)
    return paths.steps[at].reached[is_money] - 1


cdef int read_paths(Paths *paths, int64_t tags, int32_t *step, int32_t **found) except -1 nogil:
    """Fill in the texts, their paths and their contents: the three arrays of `found`."""
    cdef const PageArrays *page = paths.page
    cdef int32_t node, above, end, at_text = 0, content = -1, fibonacci = 1
    cdef int64_t count = 0
    cdef uint64_t said
    cdef unsigned char kind
    cdef Joint joint
    joint.only_formatters = joint.has_ended = joint.touches = False
    for node in range(page.count):
        above = 0 if page.parent[node] == NO_NODE else step[page.parent[node]]
        step[node] = above
        if joint.only_formatters:
            pass_ends(page, paths.rules, node, &joint)
        end = page.text_start[node + 1]
        if page.tag[node] == TEXT:
            if not (joint.only_formatters or joint.touches):
                content += 1
            found[0][at_text] = node
            found[1][at_text] = reach(paths, above, end > page.text_start[node]
                                      and page.text[page.text_start[node]] == c"$")
            found[2][at_text] = content
            at_text += 1
            joint.only_formatters = True
            joint.has_ended = False
            joint.touches = end > page.text_start[node] and page.text[end - 1] == TOUCHES
            continue
        kind = kind_of(paths.rules, page.tag[node])
        if joint.only_formatters:
            pass_begin(kind, &joint)
        if counts(page, node, kind):
            count += 1
            # Counts only rise, and so do the classes.
            while fibonacci < CLASSES and count * 100 >= FIBONACCI[fibonacci] * tags:
                fibonacci += 1
        if page.text_start[node + page.size[node]] > page.text_start[node] and not kind & SKIPPED:
            said = said_by(paths, node)
            if not kind & BREAK:
                said |= <uint64_t>fibonacci
            if kind & WRAPPER and is_without_text(page, node):
                said |= WITHOUT_TEXT
            step[node] = step_of(paths, above, page.tag[node], said)
    return 0


cdef int mark_names(Paths *paths, dict custom_names, void *memory) except -1:
    """Look for the values in the names of attributes that are not in the table."""
    cdef int32_t marks
    cdef bytes text
    start_numbers(&paths.custom, memory, len(custom_names), 0)
    for number, name in custom_names.items():
        text = name.encode("utf-8", "surrogatepass")
        marks = <int32_t>marks_in(paths.rules, text, <int32_t>len(text))
        if marks:
            number_of(&paths.custom, number, 0, &marks)
    return 0


cdef object copied(const int64_t *items, int64_t count):
    """An array of what stands in memory."""
    array = empty(count, INT64)
    if count:
        memcpy(data_of(array), items, count * sizeof(int64_t))
    return array


def reversed_paths(NativePage native not None, TokenRules rules not None, dict custom_names not None):
    """The paths of all texts; see `reversed_paths.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef int32_t node, texts = 0
    cdef int64_t tags = 0
    cdef size_t steps, names = len(custom_names)
    cdef int32_t *step
    cdef int32_t *found[3]
    cdef Paths paths
    cdef char *at
    cdef void *block
    memset(&paths, 0, sizeof(Paths))
    paths.page = page
    paths.rules = &rules.rules
    with nogil:
        for node in range(page.count):
            if page.tag[node] == TEXT:
                texts += 1
            else:
                tags += counts(page, node, kind_of(paths.rules, page.tag[node]))
    arrays = empty(texts, INT32), empty(texts, INT32), empty(texts, INT32)
    for node in range(3):
        found[node] = <int32_t *>data_of(arrays[node])
    steps = page.count - texts + 1
    block = take(size_of_numbers(names) + size_of_numbers(steps) + size_of_numbers(texts)
                 + steps * sizeof(Step) + <size_t>page.count * sizeof(int32_t) + 80)
    at = <char *>block
    try:
        mark_names(&paths, custom_names, piece(&at, size_of_numbers(names)))
        with nogil:
            start_numbers(&paths.known, piece(&at, size_of_numbers(steps)), steps, steps // 4)
            start_numbers(&paths.written, piece(&at, size_of_numbers(texts)), texts, texts // 8)
            paths.steps = <Step *>piece(&at, steps * sizeof(Step))
            memset(paths.steps, 0, sizeof(Step))
            paths.step_count = 1
            step = numbers(&at, page.count)
            reserve(<void **>&paths.starts, &paths.start_room, 1, sizeof(int64_t))
            paths.starts[0] = 0
            read_paths(&paths, tags, step, found)
        arrays += copied(paths.starts, paths.path_count + 1), copied(paths.tokens, paths.starts[paths.path_count])
    finally:
        put_back(block)
        free(paths.starts)
        free(paths.tokens)
    for array in arrays:
        array.setflags(write=False)
    return arrays
