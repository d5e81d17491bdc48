"""The hashes of `fastwrap.wrapper.hashes` on the native page, and its tables of keys, which kernels look things up in.
Wrapper files and the Python face compute the same numbers."""

from libc.stdint cimport int32_t, uint64_t

from fastwrap._core.common.buffers cimport held, held_numbers
from fastwrap._core.common.page cimport PageArrays, Tokens, class_tokens, next_token

cdef extern from *:
    """
    #define FW_PATH_SEED 0x9E3779B97F4A7C15ULL
    """
    const uint64_t SEED "FW_PATH_SEED"      # the hash of the path of no tags


cdef struct KeyTable:
    # Open addressing, linear probing: 0 is a free entry, and there is always one.
    const uint64_t *keys
    Py_ssize_t mask             # entries - 1, a power of 2 less one


cdef inline uint64_t mixed(uint64_t above, uint64_t more) noexcept nogil:
    """The hash of what has the hash `above`, and more."""
    above = (above ^ more) * <uint64_t>0x9E3779B97F4A7C15
    return above ^ (above >> 29)


cdef inline uint64_t class_hash(const PageArrays *page, int32_t node) noexcept nogil:
    """A hash of the class tokens that have no digit, in any order; 0 for none."""
    cdef Tokens tokens = class_tokens(page, node)
    cdef uint64_t total = 0, token
    cdef int32_t place
    cdef bint has_digit
    while next_token(&tokens):
        token = <uint64_t>0xCBF29CE484222325
        has_digit = False
        for place in range(tokens.length):
            has_digit |= 48 <= tokens.token[place] <= 57
            token = (token ^ tokens.token[place]) * <uint64_t>0x100000001B3
        if not has_digit:
            total += mixed(token, 1)
    return total


cdef inline Py_ssize_t entry_of(const KeyTable *table, uint64_t key) noexcept nogil:
    """The entry of a key, or the free entry (0) where it would be."""
    cdef Py_ssize_t entry = <Py_ssize_t>(key >> 7) & table.mask
    while table.keys[entry] != key and table.keys[entry] != 0:
        entry = (entry + 1) & table.mask
    return entry


cdef inline int open_table(KeyTable *table, keys) except -1:
    """Take over a table that the caller keeps alive; ValueError unless its length is a power of 2 and it has room."""
    cdef Py_ssize_t room = len(keys), entry
    if room < 2 or room & (room - 1):
        raise ValueError("the length of a table is a power of 2")
    table.keys = <const uint64_t *>held(keys, room, sizeof(uint64_t))
    table.mask = room - 1
    for entry in range(room):
        if table.keys[entry] == 0:
            return 0
    raise ValueError("the table is full")


cdef inline const int32_t *held_starts(array, Py_ssize_t count, Py_ssize_t most) except NULL:
    """An array of where `count` lists begin, and where the last one ends, within `most` entries of all of them."""
    cdef const int32_t *starts = held_numbers(array, count + 1)
    cdef Py_ssize_t k
    for k in range(count):
        if starts[k] > starts[k + 1]:
            raise ValueError("lists do not begin one after the other")
    if starts[0] < 0 or starts[count] > most:
        raise ValueError("lists are not within their entries")
    return starts
