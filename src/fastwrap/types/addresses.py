"""Addresses of a column: of pages and pictures (made absolute), of mail, and telephone numbers.
Attributes that hold addresses are known by name; in texts, only what cannot be anything else is read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from fastwrap import backend
from fastwrap.types.reading import LONGEST, MISSES, Reading, Strings, Value

if backend.compiled():
    from fastwrap._core import strings as kernel
else:
    from fastwrap._plain import strings as kernel  # type: ignore[no-redef]

PAGE_ATTRIBUTES = frozenset("href action cite data-href data-url data-link formaction longdesc".split())
PICTURE_ATTRIBUTES = frozenset(
    "src srcset poster background data-src data-srcset data-original data-lazy data-image".split()
)

_PICTURES = (".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg", ".avif", ".bmp", ".tif", ".tiff", ".ico")
_NO_PICTURES = (".html", ".htm", ".js", ".mp3", ".mp4", ".webm", ".ogg", ".wav", ".m4a", ".m4v", ".pdf", ".swf")
_QUERY = re.compile(r"[?#]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,20}):")
_WEB = re.compile(r"https?://", re.IGNORECASE)
AVAILABILITY = ("http://schema.org/", "https://schema.org/")
"""What begins so is no address, but says whether a thing is to be had."""
_CONTACTS = {"mailto:": "email", "tel:": "phone"}
_NOWHERE = frozenset("javascript about vbscript blob".split())


# The larger expressions are compiled when a column first needs them: that takes longer than to read a page.
@cache
def _text_address() -> re.Pattern[str]:
    return re.compile(_TEXT_ADDRESS, re.IGNORECASE)


@cache
def _phone() -> re.Pattern[str]:
    return re.compile(_PHONE, re.VERBOSE | re.IGNORECASE)


# A scheme, "www", or a host with a path. A name with a domain alone may be the name of a company.
_TEXT_ADDRESS = (
    r"(?:https?://[^\s/?#]{3,255}|www\.[^\s/?#]{1,250}\.[^\s/?#]{2,24}|"
    r"(?:[a-z0-9][a-z0-9-]{0,62}\.){1,5}(?:com|org|net|edu|gov|mil|int|info|biz|io|dev|app|[a-z]{2})(?::[0-9]{1,5})?(?=/))"
    r"(?:[/?#]\S*)?"
)
LONGEST_ADDRESS = 2048
"""Characters of an address in a text."""
_DIGIT = re.compile(r"[0-9]")
_MAIL = re.compile(r"(?:mailto:)?([A-Za-z0-9._%+'-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,6}[A-Za-z]{2,24})(?:\?.*)?")

_PHONE = r"""
    (?:(?:tel|phone|ph|fax|telefon|telefono|teléfono|telefone|téléphone|mobile?|cell|call|t|f|m)\b[.:]{0,2}\s?[.:]?\s?)?
    (
        \+[0-9](?:[\s().\-/]{0,2}[0-9]){6,14}                           # +49 30 123456
      | \(\+?[0-9]{1,5}\)\s?[0-9]{2,5}(?:[\s.\-/]?[0-9]{2,5}){1,3}      # (205) 854-1688
      | (?:1[\s.-])?[0-9]{3}([\s.-])[0-9]{3}\2[0-9]{4}                  # 205-854-1688
      | 0[0-9]{1,4}(?:[\s/.-][0-9]{2,8}){1,5}                           # 030 123456, 01 23 45 67 89
    )
    (?:\s?(?:x|ext\.?|extension)\s?[0-9]{1,6})?
    """


class Base:
    """The address of a page, against which others are resolved as a browser does, by `urllib.parse.urljoin`.

    >>> Base("https://example.org/a/b?c").resolve([" ../d", "e", "//example.com", "#", None])
    ['https://example.org/d', 'https://example.org/a/e', 'https://example.com', None, None]
    """

    __slots__ = ("_directory", "_origin", "_scheme", "_url")

    def __init__(self, url: str | None) -> None:
        self._url = url if url is not None and _WEB.match(url) else None
        self._scheme = self._origin = self._directory = ""
        if self._url is not None:
            self._scheme = f"{urlsplit(self._url).scheme}:"
            self._origin = urljoin(self._url, "/x")[:-2]
            self._directory = urljoin(self._url, "x")[:-1]

    def resolve(self, addresses: Sequence[str | None]) -> list[str | None]:
        """The addresses made absolute if the page's is known; None for those that lead nowhere."""
        given = addresses if type(addresses) is list else list(addresses)
        return kernel.resolve(given, self._scheme, self._origin, self._directory, self._resolve)

    def _resolve(self, string: str) -> str | None:
        address = string.strip()
        for unseen in "\n\t\r":
            address = address.replace(unseen, "")
        address = address.replace(" ", "%20")
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
def _base(url: str | None) -> Base:
    try:
        return Base(url)
    except ValueError:
        return Base(None)


def _ending(addresses: Sequence[str], endings: tuple[str, ...]) -> int:
    """How many addresses have a path that ends so."""
    found = 0
    for address in addresses:
        if "?" in address or "#" in address:
            address = _QUERY.split(address, maxsplit=1)[0]
        found += address[-5:].lower().endswith(endings)
    return found


def read_addresses(strings: Sequence[str | None], item: str, url: str | None) -> tuple[str, list[Value | None]] | None:
    """Read the attribute `item` of a column's elements as addresses; None if they lead nowhere ("#", scripts).

    >>> read_addresses(["/a.html", None, "javascript:;"], "href", "https://example.org/")
    ('url', ['https://example.org/a.html', None, None])
    >>> read_addresses(["mailto:a@example.org"], "href", None)
    ('email', ['a@example.org'])
    """
    if item.endswith("srcset"):  # the first of several, each followed by its size
        strings = [string.split()[0].rstrip(",") if string and string.strip() else None for string in strings]
    resolved: list[Any] = _base(url).resolve(strings)
    addresses: list[str] = [address for address in resolved if address is not None]
    if not addresses or addresses[0].startswith(AVAILABILITY):
        return None
    few = addresses[: int(MISSES * len(addresses)) + 1]
    if item in PICTURE_ATTRIBUTES:
        is_picture = not _ending(few, _NO_PICTURES) or 2 * _ending(addresses, _NO_PICTURES) < len(addresses)
        return "image" if is_picture else "url", resolved
    if _ending(few, _PICTURES) and _ending(addresses, _PICTURES) >= (1 - MISSES) * len(addresses):
        return "image", resolved
    for address in few:
        for scheme, name in () if address.startswith("http") else _CONTACTS.items():
            if address.startswith(scheme):
                contacts: list[Value | None] = [
                    None if address is None else _of_contact(address, scheme) for address in resolved
                ]
                if len(contacts) - contacts.count(None) >= (1 - MISSES) * len(addresses):
                    return name, contacts
    return "url", resolved


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
    values: dict[str, Value] = {}
    misses = 0
    slack = strings.slack
    for string, count in strings.counts.items():
        fine = len(string) <= LONGEST_ADDRESS and "..." not in string and "…" not in string
        if fine and _text_address().fullmatch(string):
            values[string] = string if _WEB.match(string) else f"http://{string}"
        else:
            misses += count
            if misses > slack:
                return None
    if not values:
        return None
    pictures = _ending([str(address) for address in values.values()], _PICTURES) >= (1 - MISSES) * len(values)
    return Reading("image" if pictures else "url", values)


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
    reading = _read_matches("phone", _phone(), strings)
    if reading is None or not all(7 <= len(_DIGIT.findall(str(value))) <= 15 for value in reading.values.values()):
        return None
    # 01 02 2003 has as many digits as a date
    if any(str(value)[0] == "0" and len(_DIGIT.findall(str(value))) < 9 for value in reading.values.values()):
        return None
    return reading


def _read_matches(name: str, pattern: re.Pattern[str], strings: Strings) -> Reading | None:
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
