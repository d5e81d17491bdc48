"""Validates UTF-8 without decoding it: most pages are UTF-8 already, and the parser takes them as they are.
Eight ASCII bytes a step; other sequences by table 3-7 of the Unicode Standard."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint64_t
from libc.string cimport memcpy


cdef inline bint continues(unsigned char byte) noexcept nogil:
    return (byte & 0xC0) == 0x80


cdef inline int sequence_length(const unsigned char *at, const unsigned char *end) noexcept nogil:
    """Bytes of the well-formed sequence of several bytes at `at`; 0 where there is none."""
    cdef unsigned char first = at[0]
    cdef unsigned char low = 0x80
    cdef unsigned char high = 0xBF
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
    if not low <= at[1] <= high or end - at < 3 or not continues(at[2]):
        return 0
    if first < 0xF0:
        return 3
    return 4 if end - at >= 4 and continues(at[3]) else 0


def valid_utf8(bytes html not None):
    """How much of the page is valid UTF-8; see `utf8.pyi`."""
    cdef const unsigned char *start = <const unsigned char *>PyBytes_AS_STRING(html)
    cdef const unsigned char *end = start + PyBytes_GET_SIZE(html)
    cdef const unsigned char *at = start
    cdef Py_ssize_t continuations = 0
    cdef uint64_t eight
    cdef int length
    with nogil:
        while at < end:
            if end - at >= 8:
                memcpy(&eight, at, 8)
                if eight & <uint64_t>0x8080808080808080 == 0:
                    at += 8
                    continue
            if at[0] < 0x80:
                at += 1
                continue
            length = sequence_length(at, end)
            if length == 0:
                break
            at += length
            continuations += length - 1
    return at - start, continuations
