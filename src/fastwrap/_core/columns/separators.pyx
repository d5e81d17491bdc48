"""Separators within texts: which kinds of them the texts of a slot agree on, and whether all begin with the same words.
Only where they do is `fastwrap.columns.splitting` asked, which has the last word."""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from fastwrap._core.columns.alignment cimport Records, end_of, start_of
from fastwrap._core.common.names cimport TEXT
from fastwrap._core.common.page cimport PageArrays

cdef enum:
    MOST_SEPARATORS = 30        # of one kind, in a text that may be split

cdef uint8_t[256] KIND          # by byte: one more than the kind of separator that it may begin; 0: of none
memset(KIND, 0, 256)
for _kind, _byte in enumerate(bytearray(b"|;()[],-/~:\xc2\xe2")):
    KIND[<int32_t>_byte] = min(_kind + 1, SEPARATORS)


cdef void separators_in(const unsigned char *text, int32_t start, int32_t end, uint8_t *counts) noexcept nogil:
    """Count what may separate values within a text, by kind."""
    cdef int32_t at
    cdef unsigned char byte, before, after, second
    memset(counts, 0, SEPARATORS)
    for at in range(start, end):
        byte = text[at]
        if KIND[byte] == 0:
            continue
        before = text[at - 1] if at > start else 0
        after = text[at + 1] if at + 1 < end else 0
        if byte == c",":
            if after != c" ":
                continue
        elif byte == c"-" or byte == c"~":
            if before != c" ":
                continue
        elif byte == c"/":
            if before != c" " or after != c" ":
                continue
        elif byte == c":":
            if after != c":":
                continue
        elif byte == 0xC2:      # broken bar, middle dot, guillemet
            if after != 0xA6 and after != 0xB7 and after != 0xBB:
                continue
        elif byte == 0xE2:      # dashes and the double line, bullet; black circle; arrow
            second = text[at + 2] if at + 2 < end else 0
            if not (after == 0x80 and (0x93 <= second <= 0x96 or second == 0xA2)
                    or after == 0x97 and second == 0x8F or after == 0x86 and second == 0x92):
                continue
        if counts[KIND[byte] - 1] < 255:
            counts[KIND[byte] - 1] += 1


cdef inline bint is_capital(unsigned char byte) noexcept nogil:
    return c"A" <= byte <= c"Z"


cdef inline bint is_letter(unsigned char byte) noexcept nogil:
    return c"A" <= byte <= c"Z" or c"a" <= byte <= c"z" or byte >= 128


cdef void vote(SlotTexts *texts, const uint8_t *counts) noexcept nogil:
    """Count the separators of a text towards what more than half of the texts have (Boyer & Moore 1981)."""
    cdef int32_t kind
    for kind in range(SEPARATORS):
        if counts[kind] == 0:
            texts.lacking[kind] += 1
            if 10 * <int64_t>texts.lacking[kind] > texts.items:
                texts.possible &= ~(1 << kind)
        if texts.votes[kind] == 0:
            texts.usual[kind] = counts[kind]
        texts.votes[kind] += 1 if texts.usual[kind] == counts[kind] else -1


cdef int32_t compare_separators(const PageArrays *page, const Records *records, const int32_t *slots,
                                SlotTexts *texts, int32_t slot_count, int32_t compared) noexcept nogil:
    """Find the usual numbers of separators of the texts that are compared, which are so many, and count the texts that
    have these. -1: no memory."""
    cdef int32_t record, node, i = -1, kind
    cdef bint again = False
    cdef uint8_t *separators = <uint8_t *>malloc(<size_t>compared * SEPARATORS + 1)
    cdef uint8_t *own = separators
    cdef SlotTexts *of_slot
    if separators == NULL:
        return -1
    for record in range(records.count):
        for node in range(start_of(records, record), end_of(records, record)):
            i += 1
            if page.tag[node] == TEXT and texts[slots[i]].compared:
                of_slot = &texts[slots[i]]
                if of_slot.possible:    # else texts without any separator are too many already
                    separators_in(page.text, page.text_start[node], page.text_start[node + 1] - 1, own)
                    vote(of_slot, own)
                own += SEPARATORS
    for i in range(slot_count):
        again = again or texts[i].possible
    own = separators
    i = -1
    for record in range(records.count if again else 0):
        for node in range(start_of(records, record), end_of(records, record)):
            i += 1
            if page.tag[node] == TEXT and texts[slots[i]].compared:
                of_slot = &texts[slots[i]]
                if of_slot.possible:
                    for kind in range(SEPARATORS):
                        of_slot.agreeing[kind] += own[kind] == of_slot.usual[kind]
                own += SEPARATORS
    free(separators)
    return 0


cdef int32_t ways_to_split(const SlotTexts *texts, const PageArrays *page) noexcept nogil:
    """The kinds of separators that texts agree on, as bits, and WORDS_BIT if they begin with the same words."""
    cdef int32_t kind, at, ways = 0
    cdef int32_t first = first_text(texts, page), words = first
    cdef const unsigned char *text = page.text
    cdef bint letters = True, spaced = False, small = True
    for kind in range(SEPARATORS):
        if (texts.possible & 1 << kind and texts.usual[kind] <= MOST_SEPARATORS
                and 10 * <int64_t>texts.agreeing[kind] >= 9 * <int64_t>texts.items):
            ways |= 1 << kind
    # Words that all begin with: a label, or a word like "by".
    for at in range(first, first + texts.prefix):
        if text[at] == c":":
            return ways | WORDS_BIT
        if text[at] == c" ":
            spaced = True
            if letters:
                words = at + 1
        elif not is_letter(text[at]):
            letters = False
        if not letters and spaced:
            break
    for at in range(first, words):
        small = small and not is_capital(text[at])
    if first < words < first + first_length(texts, page) and (small or words - first <= 4):
        ways |= WORDS_BIT
    return ways
