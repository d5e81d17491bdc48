"""The parse: Lexbor's own functions, found in selectolax's module, called from page to page with one parser."""

from collections.abc import Callable, Mapping
from typing import Any

from fastwrap.page.arrays import Int32Array

OFFSETS: dict[str, int]
"""Byte offset of every field of Lexbor's structures that the parse reads: what `functions.py` verifies."""

CHUNK: int
"""Bytes that the parser is given at a time, until a page has been checked."""

def use(
    addresses: Mapping[str, int], tags: Int32Array, attributes: Int32Array, type_name: int, numbers: Mapping[str, int]
) -> None:
    """Take Lexbor's functions from their addresses, once a process and before any page is read.

    The tables are those of `walk`; `numbers` has Lexbor's numbers of all tags that `construction` knows by name.
    """

def trees() -> int:
    """How many pages of this process needed a tree, about."""

def read(html: bytes, check: Callable[[], None], custom: dict[int, str]) -> tuple[Any, ...] | None:
    """Parse a page in UTF-8 into the fields of `NodeArrays`, in order, as `walk` reads them from a tree.

    The arrays are made without a tree (`construction`) but for the few pages that need one.

    `check` is called at most once, in the middle of the parse, if the page looks as if the parser were to choke on
    it: what it raises ends the parse and is raised here.

    Returns None when the tree holds a static number that the tables do not know. Raises what `walk` raises, and
    ValueError where Lexbor gives up.
    """
