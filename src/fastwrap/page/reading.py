"""From a page in UTF-8 to its node arrays, by the native reader."""

from __future__ import annotations

from fastwrap._core.page import reading
from fastwrap.page.arrays import NodeArrays


def read(html: bytes, custom: dict[int, str]) -> NodeArrays:
    """The node arrays of a page; `custom` gets the names that are not in the tables, by their numbers.

    Raises TooComplexError for a page that goes beyond a limit (SECURITY.md lists them).

    >>> read(b"<p>one<p>two", {}).text
    b'one two '
    """
    return NodeArrays._make(reading.read(html, custom))
