"""What the data of a page lists, and hashes of its names and addresses."""

from collections.abc import Iterable
from typing import Any

def sorted_hashes(names: Iterable[bytes], addresses: Iterable[bytes]) -> list[int]:
    """The 64-bit hashes of names and of addresses, in order, each once.

    An address counts without its scheme, host, fragment and a slash at its end; one of which nothing is left has none.
    """

def gather(root: Any, left: int, names: set[str], addresses: set[str], trails: tuple[str, ...], least: int) -> int:
    """Add what the items that decoded JSON-LD lists are called, and where they lead: those of an ItemList, and `least`
    things of one type or more side by side; nothing of the types `trails`. Returns how many of `left` things may still
    be looked at, less than 0 if it stopped early."""
