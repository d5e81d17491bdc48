"""Addresses of pages and pictures in the texts of a column.
Only what cannot be anything else is read: with a scheme, "www", or a host with a path."""

from __future__ import annotations

import re

from fastwrap._core.types.addresses import are_pictures
from fastwrap._core.types.strings import ADDRESSES, Strings
from fastwrap.types.expressions import Expression
from fastwrap.types.reading import MISSES, Context, Reader, Reading, read_as, read_each

# A scheme, "www", or a host with a path. A name with a domain alone may be the name of a company.
_TEXT_ADDRESS = Expression(
    r"(?:(https?://)[^\s/?#]{3,255}|www\.[^\s/?#]{1,250}\.[^\s/?#]{2,24}|"
    r"(?:[a-z0-9][a-z0-9-]{0,62}\.){1,5}(?:com|org|net|edu|gov|mil|int|info|biz|io|dev|app|[a-z]{2})(?::[0-9]{1,5})?(?=/))"
    r"(?:[/?#]\S*)?",
    re.IGNORECASE,
)
# Lines that are all of the first kind: one look at a column costs less than one at each of its strings.
_WEB_ADDRESSES = Expression(r"(?:https?://[^\s/?#]{3,255}+(?:[/?#]\S*+)?+\n)*+", re.IGNORECASE)
_LONGEST = 2048  # characters


def read_addresses(strings: Strings, _: Context) -> Reading | None:
    """Read a column of texts as addresses of pages; shortened ones ("www.example.org/a...") lead nowhere.

    >>> from fastwrap.types.reading import look_at
    >>> read_addresses(look_at(["www.example.org/a"]), Context()).values
    ['http://www.example.org/a']
    """
    values = _web_addresses(strings.filled) or read_each(strings, _text_address)[0]
    if not values:
        return None
    return read_as("image" if are_pictures(list(values.values()), MISSES) else "url", strings, values)


def _web_addresses(strings: list[str]) -> dict[str, str]:
    """The strings, by themselves, if each is an address with its scheme; else nothing."""
    lines = "\n".join(strings) + "\n"
    if (
        _WEB_ADDRESSES.fullmatch(lines) is None
        or _is_shortened(lines)
        or lines.count("\n") != len(strings)
        or max(map(len, strings)) > _LONGEST
    ):
        return {}
    return dict(zip(strings, strings, strict=True))


def _text_address(string: str) -> str | None:
    match = _TEXT_ADDRESS.fullmatch(string) if len(string) <= _LONGEST else None
    if match is None or _is_shortened(string):
        return None
    return string if match[1] else f"http://{string}"


def _is_shortened(text: str) -> bool:
    return "..." in text or "…" in text


READER = Reader(("url", "image"), ADDRESSES, read_addresses)
