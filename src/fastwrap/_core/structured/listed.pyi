"""Hashes of the names and addresses that the data of a page lists."""

from collections.abc import Iterable

def sorted_hashes(names: Iterable[bytes], addresses: Iterable[bytes]) -> list[int]:
    """The 64-bit hashes of names and of addresses, in order, each once.

    An address counts without its scheme, host, fragment and a slash at its end; one of which nothing is left has none.
    """
