"""Addresses without what does not matter in them, so that two of one page are equal; and the addresses of a page.
A listing writes an address in one way, the page itself in another."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

import numpy as np

from fastwrap.page import Page
from fastwrap.page.addresses import absolute, is_web
from fastwrap.page.names import TAG_NUMBER

TRACKING = re.compile(
    r"utm_\w*|(?:g|fb|ms|dc|y|tt|msclk)clid|gclsrc|wbraid|gbraid|mc_[ce]id|igshid|_g[al]|_hs\w*|mkt_tok|vero_\w*|oly_\w*"
    r"|ref_|referr?er|campaign\w*|aff(?:id|iliate\w*)?|trk\w*|spm|scm|phpsessid|jsessionid|session\w*|pos|position|rank",
    re.IGNORECASE,
)
"""Names of parameters that say where somebody came from, not what is shown."""

PERHAPS_TRACKING = re.compile(r"ref|src|source|from|via|partner|track\w*|cmp|cmpid|list", re.IGNORECASE)
"""Names that may say so, or which thing is shown: this if the value has a digit."""

_INDEX = re.compile(r"/(?:index|default)\.(?:html?|php|aspx?|jsp)$", re.IGNORECASE)
_SESSION = re.compile(r";jsessionid=[^?/]*", re.IGNORECASE)

LONGEST = 2_000
"""Characters of an address that are looked at."""


def is_address(text: str) -> bool:
    """Whether a text is an address of the web.

    >>> is_address("https://a.example/x"), is_address("see https://a.example")
    (True, False)
    """
    return is_web(text) and " " not in text


def plain_address(address: str) -> str:
    """An address without scheme, "www.", the last slash, fragment, and parameters that track; the others in order.

    >>> plain_address("https://WWW.Shop.example/Pan/12/?b=2&utm_source=mail&a=1#reviews")
    'shop.example/Pan/12?a=1&b=2'
    >>> plain_address("/pan/12/"), plain_address("http://[no address")
    ('/pan/12', 'http://[no address')
    """
    return remembered_address(address.strip()[:LONGEST])  # no more than that is kept in memory


@lru_cache(maxsize=8_192)
def remembered_address(address: str) -> str:
    """The same, of an address that is not too long."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
        port = parts.port
    except ValueError:
        return address
    host = host.removeprefix("www.").removeprefix("m.")
    if port not in (None, 80, 443):
        host = f"{host}:{port}"
    path = _INDEX.sub("/", _SESSION.sub("", unquote(parts.path))).rstrip("/")
    fields = sorted((name, value) for name, value in parse_qsl(parts.query) if not tracks(name, value))
    return f"{host}{path}{'?' * bool(fields)}{urlencode(fields)}"


def tracks(name: str, value: str) -> bool:
    """Whether a parameter only says where somebody came from.

    >>> tracks("utm_medium", "mail"), tracks("ref", "list"), tracks("ref", "B0042"), tracks("id", "7")
    (True, True, False, False)
    """
    if TRACKING.fullmatch(name):
        return True
    return PERHAPS_TRACKING.fullmatch(name) is not None and not any(map(str.isdigit, value))


def addresses_of(page: Page) -> list[str]:
    """The addresses that a page has: its own, that of its canonical link, and that which it gives to be shared by.

    >>> page = Page("<link rel=canonical href=/pan/12><meta property=og:url content='https://m.shop.example/pan/12/'>",
    ...     url="https://shop.example/pan/12?ref=list")
    >>> addresses_of(page)
    ['shop.example/pan/12']
    """
    found = [page.url] if page.url else []
    for node in np.flatnonzero((page.tag == TAG_NUMBER["link"]) | (page.tag == TAG_NUMBER["meta"])).tolist():
        attributes = page.attributes(node)
        if "canonical" in attributes.get("rel", "").lower().split():
            written = attributes.get("href", "")
        elif (attributes.get("property") or attributes.get("name", "")).lower() == "og:url":
            written = attributes.get("content", "")
        else:
            continue
        address = absolute(page.base, written) if written.strip() else None
        if address is not None:
            found.append(address)
    return list(dict.fromkeys(map(plain_address, found)))
