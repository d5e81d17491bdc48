"""Hashes of the names and addresses that the data of a page lists, to be compared with its texts and links.
An address counts from its path on: data has it with the host, links often without."""

from libc.stdint cimport int32_t, uint64_t

from fastwrap._core.common.hashing cimport hashed


cdef uint64_t address_hash(const unsigned char *address, int32_t length) noexcept nogil:
    """The hash of an address without scheme, host, fragment and the slash at its end; 0 where nothing is left."""
    cdef int32_t start = host_end(address, length), end = start
    while end < length and address[end] != 35:
        end += 1
    if end > start and address[end - 1] == 47:
        end -= 1
    return hashed(address + start, end - start, 1) if end > start else 0


def sorted_hashes(names not None, addresses not None):
    """The hashes of names and of addresses, sorted; see `listed.pyi`."""
    cdef bytes data
    hashes = {hashed(data, <int32_t>len(data), 0) for data in names}
    hashes |= {address_hash(data, <int32_t>len(data)) for data in addresses}
    hashes.discard(0)
    return sorted(hashes)
