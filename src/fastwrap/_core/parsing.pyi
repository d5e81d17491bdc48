"""The parse: Lexbor's own functions, found in selectolax's module, called with guards at every token."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from fastwrap.arrays import Int32Array

OFFSETS: dict[str, int]
"""Byte offset of every field of Lexbor's structures that the parse reads: what `functions.py` verifies."""

TEXT_TOKEN: int
"""Lexbor's number of texts, among those of tags."""

KINDS: dict[str, int]
"""Tags that the parse treats in a way of their own."""
CHUNK: int
"""Bytes that the parser is given at a time, until a page has been checked."""

def use(
    addresses: Mapping[str, int],
    tags: Int32Array,
    attributes: Int32Array,
    type_name: int,
    kinds: npt.NDArray[np.uint8],
) -> None:
    """Take Lexbor's functions from their addresses, once a process and before any page is read.

    The tables are those of `walk`; `kinds` has the entries of KINDS by Lexbor's numbers of the tags, 0 for others.
    """

def read(html: bytes, check: Callable[[], None], custom: dict[int, str]) -> tuple[Any, ...] | None:
    """Parse a page in UTF-8 and read its tree into the fields of `NodeArrays`, in order, as `walk` does.

    `check` is called at most once, in the middle of the parse, if the page looks as if the parser were to choke on
    it: what it raises ends the parse and is raised here.

    Returns None when the tree holds a static number that the tables do not know. Raises what `walk` raises, and
    ValueError where Lexbor gives up.
    """
