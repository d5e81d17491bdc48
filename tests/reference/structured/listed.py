"""Hashes of names and addresses, in plain Python: what data lists is compared with texts and links by them.
Arguments and results are those of `fastwrap._core.structured.listed`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable

MASK = 2**64 - 1
AUTHORITY = re.compile(rb"(?:[^/?#:]*:)?//[^/?#]*")
"""The scheme and the host of an address (RFC 3986, 3)."""


def mixed(one: int, other: int) -> int:
    """Two words as one: a product, and its upper bits once more below."""
    product = (one ^ other * 0x9E3779B97F4A7C15 & MASK) * 0xBF58476D1CE4E5B9 & MASK
    return product ^ product >> 29


def hashed(data: bytes, seed: int) -> int:
    """The hash of a byte string: of its words of eight bytes, the last of which ends where the string does."""
    seed += len(data)
    if len(data) >= 8:
        for place in [*range(0, len(data) - 8, 8), len(data) - 8]:
            seed = mixed(seed, int.from_bytes(data[place : place + 8], sys.byteorder))
        return seed
    if len(data) >= 4:
        first, last = (int.from_bytes(part, sys.byteorder) for part in (data[:4], data[-4:]))
        return mixed(seed, first << 32 | last)
    return mixed(seed, data[0] << 16 | data[len(data) // 2] << 8 | data[-1] if data else 0)


def authority(address: bytes) -> bytes:
    """The scheme and the host of an address, or nothing."""
    found = AUTHORITY.match(address)
    return found[0] if found else b""


def essence(address: bytes) -> bytes:
    """What is compared of an address: its path and its parameters."""
    path = address.removeprefix(authority(address)).partition(b"#")[0]
    return path.removesuffix(b"/")


def address_hash(address: bytes) -> int:
    """The hash of an address; 0 where nothing is left to compare."""
    path = essence(address)
    return hashed(path, 1) if path else 0


def sorted_hashes(names: Iterable[bytes], addresses: Iterable[bytes]) -> list[int]:
    """The hashes of names and of addresses, each once."""
    found = {hashed(name, 0) for name in names} | {address_hash(address) for address in addresses}
    return sorted(found - {0})
