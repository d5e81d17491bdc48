"""Blocks: lines of text as a reader sees them, what each looks like, and the hashes of its words.
One pass over the nodes and one over the bytes of the texts."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memchr, memcpy, memset

from fastwrap._core.common.hashing cimport (
    Numbers,
    hashed,
    mixed,
    number_of,
    size_of_numbers,
    start_numbers,
)
from fastwrap._core.common.names cimport KNOWN_TAGS, TEXT
from fastwrap._core.common.page cimport TOUCHES, PageArrays, subtree_end
from fastwrap._core.common.scratch cimport numbers, piece

cdef enum:
    # What a byte is, as bits.
    IN_WORD = 1
    IS_DIGIT = 2
    IS_CAPITAL = 4
    IS_SIGN = 8             # may be a sign that is counted, or begin one
    IS_STOP = 16            # . ! ?
    IS_CLOSING = 32         # what may stand behind the end of a sentence, and belong to it

    TAG_TITLE = 4
    TAG_MATH = 160

    # How words are used.
    FIRST_WORD = 1
    LAST_WORD = 2
    PAIR = 3
    WHOLE = 4
    HEAD_WORD = 5
    HEAD_WHOLE = 6

    MOST_COUNTED = 1 << 20  # bytes that are counted at a time
    FIELD = (1 << 21) - 1

cdef uint64_t SEED = 14695981039346656037u
cdef uint8_t BYTES[256]
cdef uint64_t COUNTS[256]   # what a byte adds to the digits, the capitals and what is not ASCII: 21 bits for each


cdef void name_bytes() noexcept:
    """Set what each byte is, and what it counts for."""
    cdef int32_t byte
    for byte in range(256):
        BYTES[byte] = (
            (48 <= byte <= 57) * (IN_WORD | IS_DIGIT) | (65 <= byte <= 90) * (IN_WORD | IS_CAPITAL)
            | (97 <= byte <= 122) * IN_WORD | (byte >= 128) * IN_WORD | (byte == 39) * IN_WORD
            | (byte == 46 or byte == 33 or byte == 63) * IS_STOP
            | (byte == 32 or byte == 34 or byte == 39 or byte == 41 or byte == 93) * IS_CLOSING
            | (byte == 44 or byte == 47 or byte == 124 or byte == 0xC2 or byte == 0xE2 or byte == 0xE3
               or byte == 0xEF) * IS_SIGN
        )
        COUNTS[byte] = (
            <uint64_t>(48 <= byte <= 57) | <uint64_t>(65 <= byte <= 90) << 21 | <uint64_t>(byte >= 128) << 42)


name_bytes()


cdef size_t size_of_blocks(const PageArrays *page) noexcept nogil:
    """Bytes that `find_blocks` takes of a block of memory, at most."""
    cdef size_t texts = 0
    cdef int32_t node
    for node in range(page.body, page.body_end):
        texts += page.tag[node] == TEXT
    return (
        texts * (3 * sizeof(int32_t) + sizeof(Look) + (TEXT_BUCKETS + HEAD_BUCKETS + 1) * sizeof(int32_t))
        + size_of_numbers(texts) + page.text_start[page.count] + page.count * sizeof(int32_t) + 16 * 16
    )


cdef void cut(const PageArrays *page, const uint8_t *begins, int32_t *owner_of, Blocks *blocks) noexcept nogil:
    """Cut the texts of the body into blocks: a block ends where an element begins or ends that is not inline. A formula
    stands in its line, whatever it is made of."""
    cdef int32_t node, owner = -1, begun = 0, begun_at_last = -1, count = 0, formula_end = 0
    for node in range(page.body, page.body_end):
        if page.tag[node] == TAG_MATH and node != page.body:
            formula_end = max(formula_end, subtree_end(page, node))
        if (begins[min(page.tag[node], KNOWN_TAGS)] and node >= formula_end) or node == page.body:
            owner_of[node] = node
            begun += 1
            continue
        owner_of[node] = owner_of[page.parent[node]]
        if page.tag[node] != TEXT:
            continue
        if owner_of[node] == owner and begun == begun_at_last:
            blocks.end[count - 1] = node + 1
            continue
        owner = owner_of[node]
        begun_at_last = begun
        blocks.start[count] = node
        blocks.end[count] = node + 1
        blocks.owner[count] = owner
        count += 1
    blocks.count = count


cdef inline bint is_mark(const unsigned char *at, int32_t left, unsigned char one, unsigned char two,
                         unsigned char three) noexcept nogil:
    """Whether a character of three bytes stands here."""
    return left >= 3 and at[0] == one and at[1] == two and at[2] == three


cdef inline bint is_full_stop(const unsigned char *at, int32_t left) noexcept nogil:
    """Whether a full stop of Chinese and Japanese stands here, an exclamation mark, a question mark, or an ellipsis."""
    return (is_mark(at, left, 0xE3, 0x80, 0x82) or is_mark(at, left, 0xEF, 0xBC, 0x81)
            or is_mark(at, left, 0xEF, 0xBC, 0x9F) or is_mark(at, left, 0xE2, 0x80, 0xA6))


cdef int32_t ending(const unsigned char *text, int32_t length) noexcept nogil:
    """How a text ends, quotation marks and brackets aside."""
    cdef unsigned char last
    while length:
        if BYTES[text[length - 1]] & IS_CLOSING:
            length -= 1
        elif length >= 3 and (is_mark(text + length - 3, 3, 0xE2, 0x80, 0x9D)
                              or is_mark(text + length - 3, 3, 0xE2, 0x80, 0x99)
                              or is_mark(text + length - 3, 3, 0xE2, 0x80, 0x9C)):
            length -= 3
        else:
            break
    if not length:
        return ENDS_OPEN
    last = text[length - 1]
    if BYTES[last] & IS_STOP or (length >= 3 and is_full_stop(text + length - 3, 3)):
        return ENDS_SENTENCE
    if last == 58 or (length >= 3 and is_mark(text + length - 3, 3, 0xEF, 0xBC, 0x9A)):
        return ENDS_COLON
    return ENDS_COMMA if last == 44 or last == 59 or last == 45 else ENDS_OPEN


cdef void look_at(const unsigned char *text, int32_t length, Look *look) noexcept nogil:
    """Count what a text is made of."""
    cdef int32_t k = 0, left, stop
    cdef unsigned char byte, following
    cdef uint64_t counts
    cdef bint within = False, was_within = False
    memset(look, 0, sizeof(Look))
    look.length = length
    while k < length:
        stop = min(length, k + MOST_COUNTED)
        counts = 0
        while k < stop:
            byte = text[k]
            counts += COUNTS[byte]
            within = BYTES[byte] & IN_WORD
            look.words += within and not was_within
            was_within = within
            if BYTES[byte] & (IS_STOP | IS_SIGN):
                left = length - k
                if BYTES[byte] & IS_STOP:
                    following = text[k + 1] if left > 1 else 32
                    look.sentences += (BYTES[following] & IS_CLOSING) != 0 or following == 0xE2
                elif byte == 44:
                    look.commas += 1
                elif byte == 124:
                    look.separators += 1
                elif byte == 47:
                    look.separators += 0 < k and left > 1 and text[k - 1] == 32 and text[k + 1] == 32
                elif byte == 0xC2:
                    look.separators += left > 1 and (text[k + 1] == 0xB7 or text[k + 1] == 0xBB)
                else:
                    look.separators += (
                        is_mark(text + k, left, 0xE2, 0x80, 0xA2) or is_mark(text + k, left, 0xE2, 0x80, 0xBA))
                    look.sentences += is_full_stop(text + k, left)
            k += 1
        look.digits += <int32_t>(counts & FIELD)
        look.capitals += <int32_t>((counts >> 21) & FIELD)
        look.others += <int32_t>(counts >> 42)
    look.ends = ending(text, length)
    if length:
        byte = text[0]
        look.begins = (1 if BYTES[byte] & IS_CAPITAL else 2 if 97 <= byte <= 122 else 3 if BYTES[byte] & IS_DIGIT
                       else 4 if byte >= 128 else 5)


cdef inline uint64_t hash_word(const unsigned char **at, const unsigned char *end) noexcept nogil:
    """The hash of the next word, in small letters, and move on behind it."""
    cdef uint64_t hash = SEED
    while at[0] < end and not BYTES[at[0][0]] & IN_WORD:
        at[0] += 1
    while at[0] < end and BYTES[at[0][0]] & IN_WORD:
        hash = with_byte(hash, at[0][0] | 32 if BYTES[at[0][0]] & IS_CAPITAL else at[0][0])
        at[0] += 1
    return hash


cdef void hash_words(const unsigned char *text, const Look *look, uint64_t *first, uint64_t *last) noexcept nogil:
    """Hash the first MOST_TITLE words of a text, and its last MOST_LAST."""
    cdef const unsigned char *at = text
    cdef const unsigned char *end = text + look.length
    cdef int32_t k, _word, left = min(look.words, MOST_LAST)
    for k in range(min(look.words, MOST_TITLE)):
        first[k] = hash_word(&at, end)
    at = end
    for _word in range(left):
        while not BYTES[(at - 1)[0]] & IN_WORD:
            at -= 1
        while at > text and BYTES[(at - 1)[0]] & IN_WORD:
            at -= 1
    for k in range(left):
        last[k] = hash_word(&at, end)


cdef inline uint64_t joined(const uint64_t *words, int32_t count) noexcept nogil:
    """One hash of several words."""
    cdef uint64_t hash = SEED
    cdef int32_t k
    for k in range(count):
        hash = mixed(hash, words[k])
    return hash


cdef void read_words(const unsigned char *text, Blocks *blocks, int32_t block, const uint64_t *title) noexcept nogil:
    """Read the words of a block: where a model has their weights, and which of them the title has."""
    cdef uint64_t first[MOST_TITLE]
    cdef uint64_t last[MOST_LAST]
    cdef Look *look = &blocks.look[block]
    cdef int32_t *bucket = blocks.word_bucket + <size_t>block * TEXT_BUCKETS
    cdef int32_t *head = blocks.head_bucket + <size_t>block * HEAD_BUCKETS
    cdef int32_t words = look.words, k, other, found = 0
    hash_words(text, look, first, last)
    for k in range(min(words, MOST_WORDS)):
        bucket[found] = bucket_of(first[k], FIRST_WORD)
        found += 1
    for k in range(min(words, MOST_LAST)):
        bucket[found] = bucket_of(last[k], LAST_WORD)
        found += 1
    for k in range(min(words - 1, MOST_PAIRS)):
        bucket[found] = bucket_of(joined(first + k, 2), PAIR)
        found += 1
    if 0 < words <= MOST_WHOLE:
        bucket[found] = bucket_of(joined(first, words), WHOLE)
        found += 1
    look.word_buckets = found
    for k in range(min(words, MOST_HEAD)):
        head[k] = bucket_of(first[k], HEAD_WORD)
    look.head_buckets = min(words, MOST_HEAD)
    if words:
        head[look.head_buckets] = bucket_of(joined(first, min(words, HEAD_START)), HEAD_WHOLE)
        look.head_buckets += 1
    for k in range(min(words, MOST_TITLE)):
        if not (blocks.title_bits >> (first[k] & 63)) & 1:
            continue
        for other in range(blocks.title_words):
            if title[other] == first[k]:
                look.of_title += 1
                break


cdef int32_t copy_text(const PageArrays *page, int32_t start, int32_t end, unsigned char *to) noexcept nogil:
    """The text of some nodes, without the marks of what touches. Returns its length."""
    cdef const unsigned char *at = page.text + page.text_start[start]
    cdef const unsigned char *stop = page.text + page.text_start[end] - 1
    cdef const unsigned char *mark
    cdef int32_t length = 0, part
    while at < stop:
        mark = <const unsigned char *>memchr(at, TOUCHES, stop - at)
        part = <int32_t>((stop if mark == NULL else mark) - at)
        memcpy(to + length, at, part)
        length += part
        at += part + 1
    return length


cdef void find_blocks(const PageArrays *page, const uint8_t *begins, Blocks *blocks, char **at) noexcept nogil:
    """Find the blocks of a page, look at them, and read their words."""
    cdef uint64_t title[MOST_TITLE]
    cdef uint64_t last[MOST_LAST]
    cdef size_t texts = 0
    cdef int32_t node, block, length, different = 0
    cdef int32_t *owner_of = numbers(at, page.count)
    cdef int32_t *copies
    cdef unsigned char *text = <unsigned char *>piece(at, page.text_start[page.count])
    cdef Numbers known
    cdef Look of_title
    for node in range(page.body, page.body_end):
        texts += page.tag[node] == TEXT
    blocks.start = numbers(at, texts)
    blocks.end = numbers(at, texts)
    blocks.owner = numbers(at, texts)
    blocks.look = <Look *>piece(at, texts * sizeof(Look))
    blocks.word_bucket = numbers(at, texts * TEXT_BUCKETS)
    blocks.head_bucket = numbers(at, texts * HEAD_BUCKETS)
    copies = numbers(at, texts)
    start_numbers(&known, piece(at, size_of_numbers(texts)), texts, texts)
    blocks.title_words = 0
    blocks.title_bits = 0
    for node in range(page.count):
        if page.tag[node] == TAG_TITLE:
            length = copy_text(page, node, subtree_end(page, node), text) if page.size[node] > 1 else 0
            look_at(text, length, &of_title)
            hash_words(text, &of_title, title, last)
            blocks.title_words = min(of_title.words, MOST_TITLE)
            for block in range(blocks.title_words):
                blocks.title_bits |= <uint64_t>1 << (title[block] & 63)
            break
    cut(page, begins, owner_of, blocks)
    memset(copies, 0, texts * sizeof(int32_t))
    for block in range(blocks.count):
        length = copy_text(page, blocks.start[block], blocks.end[block], text)
        look_at(text, length, &blocks.look[block])
        read_words(text, blocks, block, title)
        # Texts of one length and one hash of 64 bits are taken to be equal.
        blocks.look[block].copies = number_of(&known, hashed(text, length, SEED), length, &different)
        copies[blocks.look[block].copies] += 1
    for block in range(blocks.count):
        blocks.look[block].group = blocks.look[block].copies
        blocks.look[block].copies = copies[blocks.look[block].copies]
