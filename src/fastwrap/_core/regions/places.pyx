"""Where a node stands on its page: within navigation or the main landmark, or in what is named as beside the point.
Each node is looked at once, and only those around records. Nothing here is for Python."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memcmp

from fastwrap._core.common.hashing cimport same_bytes
from fastwrap._core.common.names cimport (
    ATTRIBUTE_CLASS, ATTRIBUTE_ID, ATTRIBUTE_ROLE, TAG_BODY, TAG_HTML, TAG_MAIN, TEXT,
)
from fastwrap._core.common.page cimport PageArrays, value_length
from fastwrap._core.structured.listed cimport is_in

cdef enum:
    LETTERS = 12            # of a word that count: five bits each
    LONGEST_NAME = 500      # bytes of a class or an id that are read


cdef bint has_word(const unsigned char *at, int32_t length, const uint64_t *words, int32_t count) noexcept nogil:
    """Whether a name has one of the words: letters between other characters, or up to the next capital."""
    cdef uint64_t word = 0
    cdef int32_t k, letters = 0
    cdef unsigned char byte
    cdef bint was_small = False, is_small
    for k in range(min(length, LONGEST_NAME) + 1):
        byte = at[k] if k < min(length, LONGEST_NAME) else 0
        is_small = 97 <= byte <= 122
        if letters and (not (is_small or 65 <= byte <= 90) or (was_small and not is_small)):
            if is_in(words, count, word):
                return True
            word = 0
            letters = 0
        if (is_small or 65 <= byte <= 90) and letters < LETTERS:
            word = word << 5 | (byte & 31)
            letters += 1
        was_small = is_small
    return False


cdef bint is_main_role(const PageArrays *page, int32_t entry) noexcept nogil:
    """Whether a role is that of the main landmark."""
    return value_length(page, entry) == 4 and memcmp(
        page.values + page.value_start[entry], b"main", 4) == 0


cdef uint8_t own_place(Places *places, int32_t node) noexcept nogil:
    """What a node says of itself."""
    cdef const PageArrays *page = places.page
    cdef const PlaceRules *rules = places.rules
    cdef int32_t tag = page.tag[node], entry, name, length
    cdef const unsigned char *value
    cdef uint8_t place = 0
    cdef bint is_beside
    if tag == TEXT or tag == TAG_HTML or tag == TAG_BODY:
        return 0
    if rules.is_navigation[min(tag, rules.known_tags)]:
        place = IN_NAVIGATION
    if tag == TAG_MAIN:
        place |= IN_MAIN
    for entry in range(page.attribute_start[node], page.attribute_start[node + 1]):
        name = page.attribute_name[entry]
        value = page.values + page.value_start[entry]
        length = value_length(page, entry)
        if name == ATTRIBUTE_ROLE:
            if is_main_role(page, entry):
                place |= IN_MAIN
            elif has_word(value, length, rules.roles, rules.role_count):
                place |= IN_NAVIGATION
        elif (name == ATTRIBUTE_CLASS or name == ATTRIBUTE_ID) and not place & BESIDE:
            # The records of a list have one class.
            if name == ATTRIBUTE_ID:
                is_beside = has_word(value, length, rules.words, rules.word_count)
            elif places.class_length == length and same_bytes(value, places.last_class, length):
                is_beside = places.class_is_beside
            else:
                is_beside = has_word(value, length, rules.words, rules.word_count)
                places.last_class = value
                places.class_length = length
                places.class_is_beside = is_beside
            if is_beside:
                place |= BESIDE
    return place


cdef uint8_t place_of(Places *places, int32_t node) noexcept nogil:
    """What is known of a node: bits, and the levels around it that are beside the point, up to three."""
    cdef int32_t count = 0
    cdef uint8_t place = KNOWN, own
    while node >= 0 and places.known[node] == 0:
        places.path[count] = node
        count += 1
        node = places.page.parent[node]
    if node >= 0:
        place = places.known[node]
    while count:
        count -= 1
        own = own_place(places, places.path[count])
        place |= own & (IN_NAVIGATION | IN_MAIN)
        if own & BESIDE and place & MOST_BESIDE < MOST_BESIDE:
            place += BESIDE
        places.known[places.path[count]] = place
    return place
