"""Links of a column: strings of attributes that hold addresses, made absolute as a browser does.
Which attributes do is known by their names; where the links lead, pages, pictures or contacts, by themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from urllib.parse import urljoin, urlsplit

from fastwrap._core.types import addresses as kernel
from fastwrap.types.contacts import read_contact_links
from fastwrap.types.expressions import Expression
from fastwrap.types.reading import MISSES, Value

PAGE_ATTRIBUTES = frozenset("href action cite data-href data-url data-link formaction longdesc".split())
PICTURE_ATTRIBUTES = frozenset(
    "src srcset poster background data-src data-srcset data-original data-lazy data-image".split()
)

_QUERY = Expression(r"[?#]")
_SCHEME = Expression(r"([A-Za-z][A-Za-z0-9+.-]{0,20}):")
_WEB = Expression(r"https?://", re.IGNORECASE)
# Spaces and control characters are escaped; line breaks and tabs are not there at all, as in a browser.
_UNSEEN = {chr(code): "" if chr(code) in "\n\t\r" else f"%{code:02X}" for code in range(33)}
_NOWHERE = frozenset("javascript about vbscript blob".split())


class Base:
    """The address of a page, against which others are resolved as a browser does, by `urllib.parse.urljoin`.

    >>> Base("https://example.org/a/b?c").resolve([" ../d", "e", "//example.com", "#", None])
    ['https://example.org/d', 'https://example.org/a/e', 'https://example.com', None, None]
    >>> Base("http://[no address").resolve(["a"])
    ['a']
    """

    __slots__ = ("_url", "parts")

    def __init__(self, url: str | None) -> None:
        self._url: str | None = None
        self.parts = "", "", ""
        """What it has before "//", "/" and a name; all empty if it is not known, or no address."""
        if url is not None and _WEB.match(url):
            with suppress(ValueError):
                self.parts = f"{urlsplit(url).scheme}:", urljoin(url, "/x")[:-2], urljoin(url, "x")[:-1]
                self._url = url

    def resolve(self, addresses: Sequence[str | None]) -> list[str | None]:
        """The addresses made absolute if the page's is known; None for those that lead nowhere."""
        resolved = list(addresses)
        for place in kernel.resolve(resolved, *self.parts):
            resolved[place] = self._resolve(str(resolved[place]))
        return resolved

    def _resolve(self, string: str) -> str | None:
        """An address that is not simple, made absolute."""
        address = string.strip()
        # Not by `translate`, which asks for memory at every character that becomes longer.
        for unseen, written in _UNSEEN.items():
            if unseen in address:
                address = address.replace(unseen, written)
        if not address or address == "#":
            return None
        scheme = _SCHEME.match(address)
        if scheme is not None:
            return None if scheme[1].lower() in _NOWHERE else address
        path = _QUERY.split(address, maxsplit=1)[0]
        address = path.replace("\\", "/") + address[len(path) :]
        try:
            return address if self._url is None else urljoin(self._url, address)
        except ValueError:
            return None


def read_links(strings: Sequence[str | None], item: str, base: Base) -> tuple[str, list[Value | None]] | None:
    """The type of the strings of an attribute that holds addresses, and their values; None if they are no addresses.

    >>> read_links(["a.jpg 1x, b.jpg 2x", None], "srcset", Base("https://example.org/c/"))
    ('image', ['https://example.org/c/a.jpg', None])
    """
    if item.endswith("srcset"):
        strings = [None if string is None else _first_of_set(string) for string in strings]
    addresses = base.resolve(strings)
    name = kernel.kind_of(addresses, item in PICTURE_ATTRIBUTES, MISSES)
    if name == "contact":
        return read_contact_links(addresses)
    return (name, [*addresses]) if name else None


def _first_of_set(string: str) -> str | None:
    """The first address of several, each followed by its size."""
    parts = string.split(None, 1)
    return parts[0].rstrip(",") if parts else None
