"""Finds the two character references that Lexbor cannot take: see `fastwrap/page/references.py`."""

def has_growing(html: bytes) -> bool:
    """Whether the page holds `&nGt;` or `&nLt;`."""
