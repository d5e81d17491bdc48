"""Spells out the two character references that make Lexbor write past the end of its buffer.
All others are at least as long as written as the UTF-8 they stand for, and its buffer is sized by that."""

from __future__ import annotations

from fastwrap._core.page.references import has_growing

GROWING = {b"&nGt;": "\u226b\u20d2".encode(), b"&nLt;": "\u226a\u20d2".encode()}
"""Five bytes that become six (selectolax 1.0.2: a long run of them ends the process)."""


def spell_out(html: bytes) -> bytes:
    """The page with these references replaced by their characters; the same object where there are none.

    >>> spell_out(b"<p>a &nGt; b &lt; c").decode()
    '<p>a ≫⃒ b &lt; c'
    """
    if has_growing(html):
        for reference, characters in GROWING.items():
            html = html.replace(reference, characters)
    return html
