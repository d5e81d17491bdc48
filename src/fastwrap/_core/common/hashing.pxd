"""Hashes of byte strings and of numbers, and a table that numbers keys in order of their first appearance.
Equality is exact everywhere: a hash only says where to look."""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

cdef enum:
    LEAST_SLOTS = 256       # of a table; it doubles when it is half full


cdef inline uint64_t mixed(uint64_t one, uint64_t other) noexcept nogil:
    """Mix two words into one (a multiply and a shift, after Steele & Vigna's splitmix)."""
    cdef uint64_t mix = (one ^ (other * <uint64_t>0x9E3779B97F4A7C15)) * <uint64_t>0xBF58476D1CE4E5B9
    return mix ^ (mix >> 29)


cdef inline uint64_t eight_bytes(const unsigned char *data) noexcept nogil:
    cdef uint64_t word
    memcpy(&word, data, 8)
    return word


cdef inline uint32_t four_bytes(const unsigned char *data) noexcept nogil:
    cdef uint32_t word
    memcpy(&word, data, 4)
    return word


cdef inline uint64_t few_bytes(const unsigned char *data, int32_t length) noexcept nogil:
    """One word for a string of up to seven bytes: different ones of a length have different words."""
    if length >= 4:
        return <uint64_t>four_bytes(data) << 32 | four_bytes(data + length - 4)
    if length > 0:
        return <uint64_t>data[0] << 16 | <uint64_t>data[length >> 1] << 8 | data[length - 1]
    return 0


cdef inline uint64_t hashed(const unsigned char *data, int32_t length, uint64_t seed) noexcept nogil:
    """Hash of a byte string, eight bytes per step; the last step may read some of them again."""
    seed += <uint64_t>length
    if length < 8:
        return mixed(seed, few_bytes(data, length))
    while length > 8:
        seed = mixed(seed, eight_bytes(data))
        data += 8
        length -= 8
    return mixed(seed, eight_bytes(data + length - 8))


cdef inline bint same_bytes(const unsigned char *one, const unsigned char *other, int32_t length) noexcept nogil:
    """Whether two byte strings of a length are equal: most are short, so no call is made."""
    if length < 8:
        return few_bytes(one, length) == few_bytes(other, length)
    while length > 8:
        if eight_bytes(one) != eight_bytes(other):
            return False
        one += 8
        other += 8
        length -= 8
    return eight_bytes(one + length - 8) == eight_bytes(other + length - 8)


cdef struct Numbered:
    uint64_t key            # a key has two parts
    uint32_t more
    int32_t number


cdef struct Numbers:
    # Open addressing with linear probing, over an array of the keys: a small table stays in the cache. When it grows,
    # the larger table is made in the memory after the one that it replaces.
    int32_t *slots          # places in the array, from 1; 0 is an empty slot
    Numbered *keys
    uint64_t mask
    int32_t count
    int32_t room            # keys that fill half of the table


cdef inline size_t most_slots(size_t keys) noexcept nogil:
    cdef size_t slots = LEAST_SLOTS
    while slots < 2 * keys + 2:
        slots *= 2
    return slots


cdef inline size_t size_of_numbers(size_t keys) noexcept nogil:
    """Bytes of a table for so many keys, and of all the smaller ones before it."""
    return keys * sizeof(Numbered) + 2 * most_slots(keys) * sizeof(int32_t)


cdef inline void start_numbers(Numbers *numbers, void *memory, size_t keys, size_t likely) noexcept nogil:
    """An empty table for `keys` keys at most, that takes the likely number of them before it grows."""
    cdef size_t slots = most_slots(likely)
    numbers.keys = <Numbered *>memory
    numbers.slots = <int32_t *>(numbers.keys + keys)
    numbers.mask = slots - 1
    numbers.count = 0
    numbers.room = <int32_t>(slots // 2)
    memset(numbers.slots, 0, slots * sizeof(int32_t))


cdef inline void grow_numbers(Numbers *numbers) noexcept nogil:
    """Double a table that is half full."""
    cdef uint64_t place
    cdef int32_t k
    numbers.slots += numbers.mask + 1
    numbers.mask = 2 * numbers.mask + 1
    numbers.room *= 2
    memset(numbers.slots, 0, (numbers.mask + 1) * sizeof(int32_t))
    for k in range(numbers.count):
        place = mixed(numbers.keys[k].key, numbers.keys[k].more) & numbers.mask
        while numbers.slots[place]:
            place = (place + 1) & numbers.mask
        numbers.slots[place] = k + 1


cdef inline void add_number(Numbers *numbers, uint64_t place, uint64_t key, uint32_t more,
                            int32_t number) noexcept nogil:
    """Number a new key, whose search ended at the slot `place`."""
    cdef Numbered *entry = &numbers.keys[numbers.count]
    entry.key = key
    entry.more = more
    entry.number = number
    numbers.count += 1
    numbers.slots[place] = numbers.count
    if numbers.count == numbers.room:
        grow_numbers(numbers)


cdef inline int32_t number_of(Numbers *numbers, uint64_t key, uint32_t more, int32_t *following) noexcept nogil:
    """The number of a key; a new key takes `following`, which then counts on."""
    cdef uint64_t place = mixed(key, more) & numbers.mask
    cdef const Numbered *entry
    while numbers.slots[place]:
        entry = &numbers.keys[numbers.slots[place] - 1]
        if entry.key == key and entry.more == more:
            return entry.number
        place = (place + 1) & numbers.mask
    add_number(numbers, place, key, more, following[0])
    following[0] += 1
    return following[0] - 1
