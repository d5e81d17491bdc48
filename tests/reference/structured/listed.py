"""Hashes of names and addresses, in plain Python: what data lists is compared with texts and links by them.
Arguments and results are those of `fastwrap._core.structured.listed`."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable
from typing import Any

from fastwrap.structured.jsonld import kind_of

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


def gather(root: Any, left: int, names: set[str], addresses: set[str], trails: tuple[str, ...], least: int) -> int:
    """Add what data lists; returns how many things may still be looked at."""

    def add(item: dict[str, Any]) -> None:
        if kind_of(item) not in trails:
            addresses.update(said for key in ("url", "@id") if isinstance(said := item.get(key), str) and said)
            called = (item.get(key) for key in ("name", "headline", "title"))
            names.update(said for said in called if isinstance(said, str) and len(said) > 1)

    waiting = [root]
    while waiting and left >= 0:
        thing = waiting.pop()
        left -= 1
        inner: Iterable[Any] = ()
        if isinstance(thing, list):
            count = Counter(map(kind_of, thing))
            for entry in thing:
                if (kind := kind_of(entry)) and count[kind] >= least:
                    add(entry)
            inner = thing
        elif isinstance(thing, dict) and kind_of(thing) not in trails:
            elements = thing.get("itemListElement")
            for entry in elements if isinstance(elements, list) else ():
                if isinstance(entry, dict):
                    add(entry)
                    item = entry.get("item")
                    add(item if isinstance(item, dict) else {"url": item})
            inner = thing.values()
        waiting += [entry for entry in inner if isinstance(entry, (dict, list))]
    return left
