"""Addresses of a page: the base that its links are relative to, and links made absolute as a browser does.
The one resolver of the house: whoever has a link asks it here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import urljoin, urlsplit

from fastwrap._core.page import addresses as kernel

LONGEST_SCHEME = 20  # characters

NOWHERE = frozenset("javascript about vbscript blob".split())
"""Schemes of what is no address of a page, a picture or a person."""

# Spaces and control characters are escaped; line breaks and tabs are not there at all, as in a browser.
UNSEEN = {chr(code): "" if chr(code) in "\n\t\r" else f"%{code:02X}" for code in range(33)}


ANY_UNSEEN = re.compile("[\x00- ]")


class Base:
    """What the links of a page are relative to.

    >>> Base("https://example.org/a/b?c").resolve([" ../d", "e", "//example.com", "#", None])
    ['https://example.org/d', 'https://example.org/a/e', 'https://example.com', None, None]
    >>> Base(None).resolve(["a"]), Base("http://[no address").resolve(["a"]), Base("/shop/").resolve(["a"])
    (['a'], ['a'], ['/shop/a'])
    """

    __slots__ = ("address", "parts")

    def __init__(self, address: str | None) -> None:
        self.address: str | None = None
        """The base; None where it is not known, or no address."""
        self.parts = "", "", ""
        """What it has before "//", "/" and a name; all empty unless it is one of the web."""
        try:
            if address is not None and is_web(address):
                self.parts = f"{urlsplit(address).scheme}:", urljoin(address, "/x")[:-2], urljoin(address, "x")[:-1]
                self.address = address
            elif address is not None and address[:1] == "/":
                urlsplit(address)
                self.address = address
        except ValueError:
            pass

    def resolve(self, links: Sequence[str | None]) -> list[str | None]:
        """The links made absolute as far as the base is known; None for those that lead nowhere."""
        resolved = list(links)
        if self.address is not None and not self.parts[0]:
            return [None if link is None else self._resolve(link) for link in resolved]
        for place in kernel.resolve(resolved, *self.parts):
            resolved[place] = self._resolve(str(resolved[place]))
        return resolved

    def _resolve(self, link: str) -> str | None:
        """A link that is not simple, made absolute."""
        link = link.strip()
        # Not by `translate`, which asks for memory at every character that becomes longer.
        for unseen in set(ANY_UNSEEN.findall(link)):
            link = link.replace(unseen, UNSEEN[unseen])
        if not link or link == "#":
            return None
        if scheme := scheme_of(link):
            return None if scheme in NOWHERE else link
        end = min((place for mark in "?#" if (place := link.find(mark)) >= 0), default=len(link))
        link = link[:end].replace("\\", "/") + link[end:]
        try:
            return link if self.address is None else urljoin(self.address, link)
        except ValueError:
            return None


@lru_cache(64)
def base_of(address: str | None) -> Base:
    """The base that an address is, remembered: a page has one, and its links are many."""
    return Base(address)


def absolute(base: str | None, link: str) -> str | None:
    """The address of a link on a page with this base (`Page.base`), None if it leads nowhere; without a base, the link
    as it stands.

    >>> absolute("https://a.example/list?page=2", " item/1"), absolute(None, "item/1"), absolute("https://[", "x")
    ('https://a.example/item/1', 'item/1', 'x')
    >>> absolute("https://a.example/", "javascript:go()") is None
    True
    """
    return base_of(base).resolve([link])[0]


def base_with(url: str | None, href: str) -> str | None:
    """The base of a page at `url` whose base element has this `href`; one that leads nowhere is passed over.

    Without an address of the page, a path from the root of its site is a base that makes paths of links.

    >>> base_with("https://a.example/list/2", "/shop/"), base_with("https://a.example/list/2", "javascript:0")
    ('https://a.example/shop/', 'https://a.example/list/2')
    >>> base_with(None, "//b.example/"), base_with(None, "shop/")
    ('//b.example/', None)
    """
    address = absolute(url, href)
    if address is None or base_of(address).address is None or not (url is None or is_web(address)):
        return url
    return address


def is_web(address: str) -> bool:
    """Whether an address is one of the web.

    >>> is_web("HTTP://a.example"), is_web("ftp://a.example"), is_web("/a")
    (True, False, False)
    """
    return address[:8].lower().startswith(("http://", "https://"))


def scheme_of(link: str) -> str:
    """The scheme that a link begins with, in small letters; nothing if it has none.

    >>> scheme_of("MailTo:a@example.org"), scheme_of("list:2/"), scheme_of("./list:2"), scheme_of("2:1")
    ('mailto', 'list', '', '')
    """
    scheme, colon, _ = link[: LONGEST_SCHEME + 2].partition(":")
    plain = scheme.replace("+", "").replace(".", "").replace("-", "")
    if not colon or not scheme[:1].isalpha() or not plain.isascii() or not plain.isalnum():
        return ""
    return scheme.lower()
