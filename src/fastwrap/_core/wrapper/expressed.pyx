"""Cuts the children of elements into records where an expression has read them: an iteration of its list is a record,
without what stands at its end between records."""

from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memcpy

from fastwrap._core.common.buffers cimport data_of, held, held_numbers
from fastwrap._core.common.scratch cimport piece, put_back, take

import numpy as np

cdef object empty = np.empty, INT32 = np.dtype(np.int32)

cdef enum:
    # Roles of `fastwrap.wrapper.hashes`, and of elements that are left out of a match.
    OUTSIDE = 0
    UNKNOWN = 3
    SKIPPED = -1


def cut(children not None, ends not None, list readings not None, bytes position_roles not None, tuple repeat not None):
    """The spans of the records, and the children that are unknown; see `expressed.pyi`."""
    cdef int32_t total = len(children), at = 0, number, first, last, position, element, opened, k
    cdef int32_t spans = 0, unknown = 0
    cdef Py_ssize_t count = len(position_roles)
    cdef const int32_t *node = held_numbers(children, total)
    cdef const int32_t *end = held_numbers(ends, total)
    cdef const uint8_t *role_of = <const uint8_t *>held(position_roles, count, 1)
    cdef uint8_t *roles
    cdef int32_t *found
    cdef int32_t *strange
    cdef tuple positions, begun
    cdef char *at_piece
    cdef char *block
    number, first, last = repeat
    block = <char *>take(<size_t>total * (3 * sizeof(int32_t) + 1) + 64)
    at_piece = block
    try:
        found = <int32_t *>piece(&at_piece, 2 * <size_t>total * sizeof(int32_t))
        strange = <int32_t *>piece(&at_piece, <size_t>total * sizeof(int32_t))
        roles = <uint8_t *>piece(&at_piece, total)
        for positions, begun in readings:
            if len(positions) != len(begun) or len(positions) > total - at:
                raise ValueError("a reading is not of the children")
            opened = SKIPPED    # the first child of the record
            for element in range(<int32_t>len(positions)):
                position = positions[element]
                if not SKIPPED <= position < count:
                    raise ValueError("a position is not in the expression")
                k = at + element
                roles[k] = <uint8_t>UNKNOWN if position == SKIPPED else role_of[position]
                if roles[k] == UNKNOWN:
                    strange[unknown] = node[k]
                    unknown += 1
                if not first <= position < last:
                    continue
                if number in <tuple>begun[element]:
                    opened = k
                    found[2 * spans] = node[k]
                    found[2 * spans + 1] = end[k]
                    spans += 1
                elif opened == SKIPPED:
                    raise ValueError("an iteration goes on that has not begun")
                # One that is inside is part of the record, even if its position is mostly read between records.
                elif roles[k] != OUTSIDE and roles[k] != UNKNOWN:
                    found[2 * spans - 1] = end[k]
            at += <int32_t>len(positions)
        if at != total:
            raise ValueError("a reading is not of the children")
        span_array, unknown_array = empty((spans, 2), INT32), empty(unknown, INT32)
        memcpy(data_of(span_array), found, 2 * <size_t>spans * sizeof(int32_t))
        memcpy(data_of(unknown_array), strange, <size_t>unknown * sizeof(int32_t))
    finally:
        put_back(block)
    return span_array, unknown_array
