from typing import Any

from fastwrap.page.arrays import Int32Array

SIMD: str
"""What looks at sixteen bytes at a time: "SSE2", "NEON", or "none"."""

LEVELS: int
"""Elements that may be open within one another."""

def read(html: bytes, custom: dict[int, str]) -> tuple[Any, ...]:
    """The fields of `fastwrap.page.arrays.NodeArrays` of a page in valid UTF-8. `custom` gets the names that are not in
    the tables, by their numbers.

    Raises TooComplexError for a page that goes beyond a limit.
    """

def has_tag(tag: Int32Array, number: int) -> bool:
    """Whether a page has an element of a tag: the numbers of its nodes, and that of the tag."""

def recorded_tree(html: bytes) -> bytes:
    """The whole tree of a page, with all that the arrays leave out, as `fastwrap.page.tree` reads it."""

def recorded_preformatted(html: bytes) -> bytes:
    """Of all `pre` that the arrays have, in their order: "P" with the text as it stands, or "N" if another one is in
    it."""

def recorded_tokens(html: bytes, content: int = 0, element: str = "") -> bytes:
    """For tests: the tokens of a page. It may begin in another state, by a number of `Content` in construction.h (-1:
    in a section of characters), as if the start tag of an element had been read."""
