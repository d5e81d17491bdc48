"""Tree construction: the rules of the HTML standard (13.2.6), from Lexbor's tokens straight to node arrays.

Called by `parsing` alone. What is here is for `functions.py`, which verifies it and looks up Lexbor's numbers.
"""

CLOSING: int
"""The bit of a token's type that says that it is an end tag."""
SELF_CLOSING: int
"""The bit that says that it ends in a slash."""
HTML_NAMESPACE: int
SVG_NAMESPACE: int

TOKENS: dict[str, int]
"""Lexbor's numbers of tokens that are no tags: end (of the page), # (a text), ! (a comment), doctype, ? (a processing
instruction)."""

CATEGORIES: dict[str, int]
"""Its numbers of categories of tags."""

KINDS: dict[str, int]
"""What the rules tell apart, by the names of tags."""

BITS: dict[str, int]
"""Categories besides Lexbor's, by the names of tags."""
