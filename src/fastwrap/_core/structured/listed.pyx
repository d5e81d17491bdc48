"""Hashes of the names and addresses that the data of a page lists, to be compared with its texts and links.
An address counts from its path on: data has it with the host, links often without."""

from libc.stdint cimport int32_t, uint64_t

from fastwrap._core.common.hashing cimport hashed


cdef uint64_t address_hash(const unsigned char *address, int32_t length) noexcept nogil:
    """The hash of an address without scheme, host, fragment and the slash at its end; 0 where nothing is left."""
    cdef int32_t k = 0
    while k < length and address[k] not in b"/?#:":
        k += 1
    if k + 2 < length and address[k] == 58 and address[k + 1] == 47 and address[k + 2] == 47:
        k += 1
    else:
        k = 0
    if k + 1 < length and address[k] == 47 and address[k + 1] == 47:
        k += 2
        while k < length and address[k] not in b"/?#":
            k += 1
        address += k
        length -= k
    k = 0
    while k < length and address[k] != 35:
        k += 1
    length = k
    if length and address[length - 1] == 47:
        length -= 1
    return hashed(address, length, 1) if length else 0


def sorted_hashes(names not None, addresses not None):
    """The hashes of names and of addresses, sorted; see `listed.pyi`."""
    cdef bytes data
    hashes = {hashed(data, <int32_t>len(data), 0) for data in names}
    hashes |= {address_hash(data, <int32_t>len(data)) for data in addresses}
    hashes.discard(0)
    return sorted(hashes)
