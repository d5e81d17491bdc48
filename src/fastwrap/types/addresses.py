"""Addresses of a column: of pages and pictures (made absolute), of mail, and telephone numbers.
Attributes that hold addresses are known by name; in texts, only what cannot be anything else is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias
from urllib.parse import unquote, urljoin, urlsplit

from fastwrap._core.types import strings as kernel
from fastwrap.types.reading import LONGEST, MISSES, Expression, Reading, Strings, Value

PAGE_ATTRIBUTES = frozenset("href action cite data-href data-url data-link formaction longdesc".split())
PICTURE_ATTRIBUTES = frozenset(
    "src srcset poster background data-src data-srcset data-original data-lazy data-image".split()
)

_QUERY = Expression(r"[?#]")
_SCHEME = Expression(r"([A-Za-z][A-Za-z0-9+.-]{0,20}):")
_WEB = Expression(r"https?://", re.IGNORECASE)
# Spaces and control characters are escaped; line breaks and tabs are not there at all, as in a browser.
_UNSEEN = {chr(code): "" if chr(code) in "\n\t\r" else f"%{code:02X}" for code in range(33)}
_CONTACTS = {"mailto:": "email", "tel:": "phone"}
_NOWHERE = frozenset("javascript about vbscript blob".split())


# A scheme, "www", or a host with a path. A name with a domain alone may be the name of a company.
_TEXT_ADDRESS = Expression(
    r"(?:(https?://)[^\s/?#]{3,255}|www\.[^\s/?#]{1,250}\.[^\s/?#]{2,24}|"
    r"(?:[a-z0-9][a-z0-9-]{0,62}\.){1,5}(?:com|org|net|edu|gov|mil|int|info|biz|io|dev|app|[a-z]{2})(?::[0-9]{1,5})?(?=/))"
    r"(?:[/?#]\S*)?",
    re.IGNORECASE,
)
# Lines that are all of the first kind: one look at a column costs less than one at each of its strings.
_WEB_ADDRESSES = Expression(r"(?:https?://[^\s/?#]{3,255}+(?:[/?#]\S*+)?+\n)*+", re.IGNORECASE)
LONGEST_ADDRESS = 2048
"""Characters of an address in a text."""
_DIGIT = Expression(r"[0-9]")
_MAIL = Expression(r"(?:mailto:)?([A-Za-z0-9._%+'-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,6}[A-Za-z]{2,24})(?:\?.*)?")

_PHONE = Expression(
    r"""
    (?:(?:tel|phone|ph|fax|telefon|telefono|teléfono|telefone|téléphone|mobile?|cell|call|t|f|m)\b[.:]{0,2}\s?[.:]?\s?)?
    (
        \+[0-9](?:[\s().\-/]{0,2}[0-9]){6,14}                           # +49 30 123456
      | \(\+?[0-9]{1,5}\)\s?[0-9]{2,5}(?:[\s.\-/]?[0-9]{2,5}){1,3}      # (205) 854-1688
      | (?:1[\s.-])?[0-9]{3}([\s.-])[0-9]{3}\2[0-9]{4}                  # 205-854-1688
      | 0[0-9]{1,4}(?:[\s/.-][0-9]{2,8}){1,5}                           # 030 123456, 01 23 45 67 89
    )
    (?:\s?(?:x|ext\.?|extension)\s?[0-9]{1,6})?
    """,
    re.VERBOSE | re.IGNORECASE,
)


Parts: TypeAlias = tuple[str, str, str, Callable[[str], str | None]]
"""What addresses are made absolute with: a scheme, an origin and a directory; and what resolves those that are not
simple."""


class Base:
    """The address of a page, against which others are resolved as a browser does, by `urllib.parse.urljoin`.

    >>> Base("https://example.org/a/b?c").resolve([" ../d", "e", "//example.com", "#", None])
    ['https://example.org/d', 'https://example.org/a/e', 'https://example.com', None, None]
    """

    __slots__ = ("_url", "parts")

    def __init__(self, url: str | None) -> None:
        self._url = url if url is not None and _WEB.match(url) else None
        scheme = origin = directory = ""
        if self._url is not None:
            scheme = f"{urlsplit(self._url).scheme}:"
            origin = urljoin(self._url, "/x")[:-2]
            directory = urljoin(self._url, "x")[:-1]
        self.parts: Parts = scheme, origin, directory, self._resolve

    def resolve(self, addresses: Sequence[str | None]) -> list[str | None]:
        """The addresses made absolute if the page's is known; None for those that lead nowhere."""
        return kernel.resolve(list(addresses), *self.parts)

    def _resolve(self, string: str) -> str | None:
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


@lru_cache(64)
def base_of(url: str | None) -> Base:
    """The base that a page's address is; one without an address if it is none.

    >>> base_of("http://[no address").resolve(["a"])
    ['a']
    """
    try:
        return Base(url)
    except ValueError:
        return Base(None)


def read_contacts(links: list[str | None]) -> tuple[str, list[Value | None]]:
    """Read links, some of which lead to mail addresses or telephones, as these if most do; else as addresses.

    >>> read_contacts(["mailto:a@example.org"])
    ('email', ['a@example.org'])
    """
    filled = [link for link in links if link is not None]
    enough = (1 - MISSES) * len(filled)
    few = filled[: int(MISSES * len(filled)) + 1]
    for scheme, name in _CONTACTS.items():
        if any(link.startswith(scheme) for link in few):
            contacts: list[Value | None] = [None if link is None else _of_contact(link, scheme) for link in links]
            if len(contacts) - contacts.count(None) >= enough:
                return name, contacts
    return "url", [*links]


def _of_contact(address: str, scheme: str) -> str | None:
    """The mail address or telephone number that a link leads to."""
    if not address.startswith(scheme):
        return None
    target = unquote(address[len(scheme) :].partition("?")[0]).strip()
    if scheme == "mailto:" and _MAIL.fullmatch(target) is None:
        return None
    return target or None


def read_text_addresses(strings: Strings) -> Reading | None:
    """Read a column of texts as addresses of pages; shortened ones ("www.example.org/a...") lead nowhere.

    >>> read_text_addresses(Strings(["www.example.org/a"])).values
    {'www.example.org/a': 'http://www.example.org/a'}
    """
    values = _web_addresses(strings.filled) or _text_addresses(strings)
    if not values:
        return None
    pictures = kernel.count_pictures(list(values.values())) >= (1 - MISSES) * len(values)
    return Reading("image" if pictures else "url", values)


def _web_addresses(strings: list[str]) -> dict[str, str]:
    """The strings, by themselves, if each is an address with its scheme; else nothing."""
    lines = "\n".join(strings) + "\n"
    if (
        _WEB_ADDRESSES.fullmatch(lines) is None
        or _is_shortened(lines)
        or lines.count("\n") != len(strings)
        or max(map(len, strings)) > LONGEST_ADDRESS
    ):
        return {}
    return dict(zip(strings, strings, strict=True))


def _text_addresses(strings: Strings) -> dict[str, str]:
    """The addresses that strings are, by these; nothing if too many are none."""
    values: dict[str, str] = {}
    misses = 0
    slack = strings.slack
    for string, count in strings.counts.items():
        match = _TEXT_ADDRESS.fullmatch(string) if len(string) <= LONGEST_ADDRESS else None
        if match is not None and not _is_shortened(string):
            values[string] = string if match[1] else f"http://{string}"
        else:
            misses += count
            if misses > slack:
                return {}
    return values


def _is_shortened(text: str) -> bool:
    return "..." in text or "…" in text


def read_mail_addresses(strings: Strings) -> Reading | None:
    """Read a column of texts as mail addresses.

    >>> read_mail_addresses(Strings(["a@example.org"])).type
    'email'
    """
    return _read_matches("email", _MAIL, strings)


def read_phones(strings: Strings) -> Reading | None:
    """Read a column of texts as telephone numbers, as they are written: which country's they are is not known.

    >>> read_phones(Strings(["Tel.: (205) 854-1688"])).values
    {'Tel.: (205) 854-1688': '(205) 854-1688'}
    """
    reading = _read_matches("phone", _PHONE, strings)
    if reading is None or not all(7 <= len(_DIGIT.findall(str(value))) <= 15 for value in reading.values.values()):
        return None
    # 01 02 2003 has as many digits as a date
    if any(str(value)[0] == "0" and len(_DIGIT.findall(str(value))) < 9 for value in reading.values.values()):
        return None
    return reading


def _read_matches(name: str, pattern: Expression, strings: Strings) -> Reading | None:
    values: dict[str, Value] = {}
    misses = 0
    slack = strings.slack
    for string, count in strings.counts.items():
        found = pattern.fullmatch(string) if len(string) <= LONGEST else None
        if found is None:
            misses += count
            if misses > slack:
                return None
        else:
            values[string] = found[1]
    return Reading(name, values) if values else None
