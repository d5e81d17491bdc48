"""Validates UTF-8 without decoding it, and writes it from single-byte encodings: what the parser takes.
ASCII in steps of 32 bytes; other sequences by table 3-7 of the Unicode Standard."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport uint32_t
from libc.string cimport memchr, memcpy

cdef extern from "scan.h" nogil:
    ctypedef struct Block:
        pass
    Block load(const unsigned char *at)
    uint32_t equal2(Block block, unsigned char one, unsigned char other)
    uint32_t beyond_ascii(Block block)
    unsigned lowest_bit(uint32_t mask)

cdef enum:
    ESCAPE = 0x1B
    LONE = 48           # ASCII bytes in a row from which on they are a piece of their own
    AWAITED = 4         # bytes after which no character of several bytes goes on


cdef inline bint continues(unsigned char byte) noexcept nogil:
    return (byte & 0xC0) == 0x80


cdef inline int sequence_length(const unsigned char *at, const unsigned char *end, int *bad) noexcept nogil:
    """Bytes of the well-formed sequence of several bytes at `at`; 0 where there is none, and `bad` then gets how many
    bytes are the beginning of one (Unicode Standard, 3.9: what one replacement character stands for)."""
    cdef unsigned char first = at[0], low = 0x80, high = 0xBF
    bad[0] = 1
    if first < 0xC2 or first > 0xF4 or end - at < 2:
        return 0
    if first < 0xE0:
        return 2 if continues(at[1]) else 0
    # The second byte rules out overlong forms, surrogates and what lies beyond U+10FFFF.
    if first == 0xE0:
        low = 0xA0
    elif first == 0xED:
        high = 0x9F
    elif first == 0xF0:
        low = 0x90
    elif first == 0xF4:
        high = 0x8F
    if not low <= at[1] <= high:
        return 0
    bad[0] = 2
    if end - at < 3 or not continues(at[2]):
        return 0
    if first < 0xF0:
        return 3
    bad[0] = 3
    return 4 if end - at >= 4 and continues(at[3]) else 0


cdef inline const unsigned char *skip_ascii(const unsigned char *at, const unsigned char *end) noexcept nogil:
    """Where the first byte is that is not ASCII."""
    cdef uint32_t found
    while end - at >= 32:
        found = beyond_ascii(load(at)) | beyond_ascii(load(at + 16)) << 16
        if found:
            return at + lowest_bit(found)
        at += 32
    while at < end and at[0] < 0x80:
        at += 1
    return at


cdef inline const unsigned char *skip_text(const unsigned char *at, const unsigned char *end) noexcept nogil:
    """Where the first byte is that is not ASCII, or one that no page in UTF-8 or ASCII has."""
    cdef Block first, second
    cdef uint32_t found
    while end - at >= 32:
        first, second = load(at), load(at + 16)
        found = (beyond_ascii(first) | equal2(first, 0, ESCAPE)
                 | (beyond_ascii(second) | equal2(second, 0, ESCAPE)) << 16)
        if found:
            return at + lowest_bit(found)
        at += 32
    while at < end and at[0] < 0x80 and at[0] != 0 and at[0] != ESCAPE:
        at += 1
    return at


cdef inline const unsigned char *skip_utf8(const unsigned char *at, const unsigned char *end,
                                           Py_ssize_t *continuations, int *bad) noexcept nogil:
    """Where the first bytes are that are not UTF-8, which `bad` gets the number of; adds up those that continue a
    character."""
    cdef int length
    while True:
        at = skip_ascii(at, end)
        length = 0 if at == end else sequence_length(at, end, bad)
        if length == 0:
            return at
        at += length
        continuations[0] += length - 1


def is_plain(bytes html not None, Py_ssize_t convincing):
    """Whether a page is in UTF-8, beyond doubt; see `utf8.pyi`."""
    cdef const unsigned char *at = <const unsigned char *>PyBytes_AS_STRING(html)
    cdef const unsigned char *end = at + PyBytes_GET_SIZE(html)
    cdef Py_ssize_t continuations = 0
    cdef int length, bad
    with nogil:
        if end - at >= 3 and at[0] == 0xEF and at[1] == 0xBB and at[2] == 0xBF:
            at = end
            continuations = -1
        while True:
            at = skip_text(at, end)
            length = 0 if at == end else sequence_length(at, end, &bad)
            if length == 0:
                break
            while length:  # often another one follows
                at += length
                continuations += length - 1
                length = sequence_length(at, end, &bad) if at < end and at[0] >= 0x80 else 0
    return at == end and (continuations == 0 or continuations >= convincing)


cdef inline bint ends_in(const unsigned char *start, const unsigned char *end, const char *word,
                         int length) noexcept nogil:
    """Whether what is before `end` is a word that is given in lower case."""
    cdef int k
    if end - start < length:
        return False
    for k in range(length):
        if (end[k - length] | 0x20) != <unsigned char>word[k]:
            return False
    return True


def may_declare(bytes html not None, Py_ssize_t most):
    """Whether a page may declare its encoding; see `utf8.pyi`."""
    cdef const unsigned char *start = <const unsigned char *>PyBytes_AS_STRING(html)
    cdef const unsigned char *end = start + max(0, min(most, PyBytes_GET_SIZE(html)))
    cdef const unsigned char *at = start
    cdef const unsigned char *word
    while True:
        at = <const unsigned char *>memchr(at, c"=", end - at)
        if at == NULL:
            return False
        word = at
        while word > start and ((word - 1)[0] <= 0x20 or (word - 1)[0] == 0x85 or (word - 1)[0] == 0xA0):
            word -= 1
        if ends_in(start, word, "charset", 7) or ends_in(start, word, "encoding", 8):
            return True
        at += 1


def valid_utf8(bytes html not None):
    """How much of the page is valid UTF-8; see `utf8.pyi`."""
    cdef const unsigned char *start = <const unsigned char *>PyBytes_AS_STRING(html)
    cdef const unsigned char *at
    cdef Py_ssize_t size = PyBytes_GET_SIZE(html), continuations = 0
    cdef int bad
    with nogil:
        at = skip_utf8(start, start + size, &continuations, &bad)
    return at - start, continuations


def count_utf8(bytes html not None, Py_ssize_t first, Py_ssize_t last):
    """How much of a part of the page is UTF-8; see `utf8.pyi`."""
    cdef const unsigned char *start = <const unsigned char *>PyBytes_AS_STRING(html)
    cdef const unsigned char *at = start + min(first, PyBytes_GET_SIZE(html))
    cdef const unsigned char *end = start + min(last, PyBytes_GET_SIZE(html))
    cdef Py_ssize_t continuations = 0, unreadable = 0
    cdef int bad
    if first < 0:
        raise ValueError("a part does not begin before the page")
    with nogil:
        while at < end:
            at = skip_utf8(at, end, &continuations, &bad)
            if at < end:
                at += bad
                unreadable += 1
    return continuations, unreadable


def non_ascii_texts(bytes html not None, Py_ssize_t most, Py_ssize_t context):
    """The texts around non-ASCII bytes; see `utf8.pyi`."""
    cdef const unsigned char *start = <const unsigned char *>PyBytes_AS_STRING(html)
    cdef const unsigned char *tag
    cdef Py_ssize_t size = PyBytes_GET_SIZE(html), begin, end = 0, at
    cdef list texts = []
    while most > 0 and end < size:
        at = skip_ascii(start + end, start + size) - start
        if at == size:
            break
        begin = max(end, at - context)
        tag = <const unsigned char *>memchr(start + at, c"<", min(most, size - at))
        end = at + most if tag == NULL else tag - start + 1
        texts.append(html[begin:end])
        most -= end - begin
    return texts


cdef inline bint parts_words(unsigned char byte) noexcept nogil:
    """Whether no character of several bytes has this one: a letter of none, in any encoding."""
    return byte < 0x30 or 0x3A <= byte <= 0x3F


def non_ascii_words(bytes text not None, Py_ssize_t most):
    """The words with non-ASCII bytes; see `utf8.pyi`."""
    cdef const unsigned char *first = <const unsigned char *>PyBytes_AS_STRING(text)
    cdef const unsigned char *end = first + PyBytes_GET_SIZE(text)
    cdef const unsigned char *start = first
    cdef const unsigned char *at = first
    cdef const unsigned char *word
    cdef list words = []
    while most > 0:
        word = skip_ascii(at, end)
        if word == end:
            break
        at = word
        while word > start and not parts_words((word - 1)[0]):
            word -= 1
        while at < end and not parts_words(at[0]) and at - word < most:
            at += 1
        words.append(text[word - first:at - first])
        most -= at - word + 1
        start = at  # what a word has is in no other one
    return b" ".join(words)


def foreign_runs(bytes html not None):
    """A page in pieces, of which every second one has non-ASCII bytes; see `utf8.pyi`."""
    cdef const unsigned char *start = <const unsigned char *>PyBytes_AS_STRING(html)
    cdef const unsigned char *end = start + PyBytes_GET_SIZE(html)
    cdef const unsigned char *begin = start
    cdef const unsigned char *at
    cdef const unsigned char *more
    cdef list runs = []
    while begin < end:
        at = skip_ascii(begin, end)
        if at > begin:
            runs.append((False, html[begin - start:at - start]))
            begin = at
        while at < end:
            # Up to a byte that no character of several bytes has, and that the last one cannot be waiting for.
            while at < end and at[0] >= 0x80:
                at += 1
            more = skip_ascii(at, min(at + LONE, end))
            if more < min(at + LONE, end):
                at = more
                continue
            at += AWAITED
            while at < more and not parts_words((at - 1)[0]):
                at += 1
            if at < more:
                break
            at = more
        if at > begin:
            runs.append((True, html[begin - start:min(at, end) - start]))
            begin = at
    return runs


def from_single_bytes(bytes html not None, str characters not None):
    """A page of a single-byte encoding in UTF-8; see `utf8.pyi`."""
    cdef const unsigned char *at = <const unsigned char *>PyBytes_AS_STRING(html)
    cdef const unsigned char *end = at + PyBytes_GET_SIZE(html)
    cdef const unsigned char *ascii_end
    cdef unsigned char written[256][3]
    cdef unsigned char lengths[256]
    cdef Py_ssize_t total = PyBytes_GET_SIZE(html)
    cdef unsigned char *out
    cdef bytes utf8
    cdef uint32_t character
    cdef int byte
    if len(characters) != 256 or not characters[:128].isascii():
        raise ValueError("a single-byte encoding has 256 characters, half of them ASCII")
    for byte in range(128, 256):
        character = <uint32_t><Py_UCS4>characters[byte]
        if character < 0x80 or character > 0xFFFF or 0xD800 <= character < 0xE000:
            raise ValueError("a character of a single-byte encoding takes two or three bytes")
        lengths[byte] = 2 if character < 0x800 else 3
        if character < 0x800:
            written[byte][0] = 0xC0 | character >> 6
        else:
            written[byte][0] = 0xE0 | character >> 12
            written[byte][1] = 0x80 | (character >> 6 & 0x3F)
        written[byte][lengths[byte] - 1] = 0x80 | (character & 0x3F)
    with nogil:
        while True:
            at = skip_ascii(at, end)
            if at == end:
                break
            total += lengths[at[0]] - 1
            at += 1
    utf8 = PyBytes_FromStringAndSize(NULL, total)
    out = <unsigned char *>PyBytes_AS_STRING(utf8)
    at = <const unsigned char *>PyBytes_AS_STRING(html)
    with nogil:
        while True:
            ascii_end = skip_ascii(at, end)
            memcpy(out, at, ascii_end - at)
            out += ascii_end - at
            at = ascii_end
            if at == end:
                break
            memcpy(out, written[at[0]], lengths[at[0]])
            out += lengths[at[0]]
            at += 1
    return utf8
