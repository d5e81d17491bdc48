"""Twin of `fastwrap._core.page.addresses`: the same function and results, by regular expressions."""

from __future__ import annotations

import re

_ABSOLUTE = re.compile(r"https?://[^\x00-\x20]*|(?:data|mailto|tel):[\x21-\x7f]*")
_RELATIVE = re.compile(r"[!-\x22$-.0-9;->@-\[\]-\x7f]*(?:[/?#][!-\[\]-\x7f]*)?")
_NOT_SIMPLE = re.compile(r"[.#?;]|.*[\s\x00-\x20\\]|.*/\.|[^/?#]*:|//(?:[\x00-/?]|$)", re.DOTALL)


def resolve(addresses: list[str | None], scheme: str, origin: str, directory: str) -> list[int]:
    """Make addresses absolute in their places; the places of those that are not simple.

    >>> addresses = ["a", "/b", "../c", None]
    >>> resolve(addresses, "https:", "https://example.org", "https://example.org/d/"), addresses
    ([2], ['https://example.org/d/a', 'https://example.org/b', '../c', None])
    """
    not_simple = []
    for place, string in enumerate(addresses):
        if not string or string == "#" or string.startswith("javascript:"):
            addresses[place] = None
        elif _ABSOLUTE.fullmatch(string) or (not origin and _RELATIVE.fullmatch(string)):
            pass
        elif not _NOT_SIMPLE.match(string):
            addresses[place] = (directory if string[0] != "/" else scheme if string[1:2] == "/" else origin) + string
        else:
            not_simple.append(place)
    return not_simple
