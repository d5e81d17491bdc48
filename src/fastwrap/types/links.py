"""Links of a column: strings of attributes that hold addresses, made absolute.
Which attributes do is known by their names; where the links lead, pages, pictures or contacts, by themselves."""

from __future__ import annotations

from collections.abc import Sequence

from fastwrap._core.types import addresses as kernel
from fastwrap.page.addresses import Base
from fastwrap.types.contacts import read_contact_links
from fastwrap.types.reading import MISSES, Value

PAGE_ATTRIBUTES = frozenset("href action cite data-href data-url data-link formaction longdesc".split())
PICTURE_ATTRIBUTES = frozenset(
    "src srcset poster background data-src data-srcset data-original data-lazy data-image".split()
)


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
