"""The guard before the parse: refuses a page whose nesting would keep the parser busy, or fill the memory.
The parser itself (Lexbor) is quadratic in the depth of a page, and multiplies elements that are never closed."""

from __future__ import annotations

from fastwrap._core.page.nesting import is_harmless, scan
from fastwrap.errors import TooComplexError
from fastwrap.page.nesting_rules import MAX_DEPTH, MAX_NODES, MAX_WORK


def check(html: bytes) -> None:
    """Raise TooComplexError for a page that nests too deep to be parsed within seconds.

    A page is not refused for bad HTML: elements that the parser closes by itself, such as 50,000 `<li>` or
    `<td><font>` without their end tags, do not nest.

    >>> check(b"<ul>" + b"<li><a href=#>one" * 50_000)
    >>> check(b"<div>" * 10_000)
    >>> check(b"<div>" * 200_000)
    Traceback (most recent call last):
        ...
    fastwrap.errors.TooComplexError: the page nests more than 12,000 elements: refused, since the time to parse it
    grows with the square of the depth
    """
    if is_harmless(html):
        return
    deepest, work, nodes = scan(html)
    if deepest > MAX_DEPTH:
        raise TooComplexError(
            f"the page nests more than {MAX_DEPTH:,} elements: refused, since the time to parse it grows with the "
            "square of the depth"
        )
    if work > MAX_WORK:
        raise TooComplexError(
            f"the page nests {deepest:,} elements and takes more than {MAX_WORK:,} steps to parse, in searches "
            "through open elements, attributes and names or in copies of a text that goes on again and again: refused, "
            "since this takes seconds to minutes, or very much memory"
        )
    if nodes > MAX_NODES:
        raise TooComplexError(
            f"the page makes more than {MAX_NODES:,} elements, counting those that are re-opened in every block "
            "because they are never closed: refused, since they would fill the memory"
        )
