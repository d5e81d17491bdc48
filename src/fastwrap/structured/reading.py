"""Structured: all data of one page, each part read when it is first asked for, and then kept.
`read` makes one; what was decoded is kept with the page, so that nothing is parsed twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from fastwrap._core.structured import attributes
from fastwrap.common.lazy import lazy_property
from fastwrap.limits import union
from fastwrap.page import Page
from fastwrap.page.names import CUSTOM
from fastwrap.structured import jsonld, microdata
from fastwrap.structured.arrays import Arrays, ObjectArray, find_arrays
from fastwrap.structured.meta import read_meta
from fastwrap.structured.scripts import ATTRIBUTE_BYTES
from fastwrap.structured.things import Found, Thing, by_id

LINKED, ITEMS = "things of JSON-LD", "things of markup"
"""What the things of JSON-LD, and of microdata and RDFa, are called in the notes of a page."""
Read = TypeVar("Read")


def kept(page: Page, note: str, read: Callable[[], Read]) -> Read:
    """What is read of a page once, and kept with it."""
    if note not in page.notes:
        page.notes[note] = read()
    found: Read = page.notes[note]
    return found


class Structured:
    """What a page says of itself for machines.

    >>> data = '{"@type": "Product", "name": "Tea", "offers": {"@type": "Offer", "price": 2.5}}'
    >>> found = read(Page(f'<meta name=author content=Ann><script type="application/ld+json">{data}</script>'))
    >>> found.things[0].types, found.things[0].first("offers").properties, found.meta
    (('Product',), {'price': [2.5]}, {'author': ['Ann']})
    """

    def __init__(self, page: Page) -> None:
        self.page = page

    def __repr__(self) -> str:
        return f"<Structured data of {self.page!r}>"

    @lazy_property
    def _linked(self) -> Found:
        return kept(self.page, LINKED, lambda: jsonld.read_things(self.page))

    @lazy_property
    def _items(self) -> list[Found]:
        written = microdata.notations_of(self.page)
        return kept(self.page, ITEMS, lambda: [microdata.read_items(self.page, each) for each in written])

    @lazy_property
    def things(self) -> list[Thing]:
        """What the page tells of, those that are no property of another: JSON-LD, with its graphs opened, then
        microdata, then RDFa Lite; each in document order."""
        return [thing for found in (self._linked, *self._items) for thing in found.things]

    @lazy_property
    def by_id(self) -> Mapping[str, Thing]:
        """All things that have an identifier, by it: what `{"@id": "#maker"}` stands for."""
        return by_id(self.things)

    @lazy_property
    def meta(self) -> dict[str, list[str]]:
        """What `meta` elements say, by their names in small letters: Open Graph ("og:title"), Twitter cards, article:,
        product:, and the ordinary ones."""
        return read_meta(self.page)

    @lazy_property
    def _found(self) -> Arrays:
        return find_arrays(self.page, [thing for found in self._items for thing in found.things])

    @property
    def arrays(self) -> list[ObjectArray]:
        """The arrays of similar objects in all that: JSON-LD, then other scripts, attributes, microdata, RDFa Lite."""
        return self._found.arrays

    @property
    def limits(self) -> tuple[str, ...]:
        """The budgets of `fastwrap.limits` that were met so far. Asking computes nothing."""
        read = (self.__dict__.get("_linked"), *self.__dict__.get("_items", ()), self.__dict__.get("_found"))
        return union(*(found.limits for found in read if found is not None))


def has_data(page: Page) -> bool:
    """Whether a page has any data, besides `meta` elements: quickly told.

    >>> has_data(Page("<p>text</p>")), has_data(Page("<p itemscope>text</p>"))
    (False, True)
    """
    if len(page.arrays.script_start) > 1:
        return True
    first, second = (microdata.number_on(page, notation.scope) for notation in microdata.NOTATIONS)
    return attributes.has_data(page.native, first, second, CUSTOM, ATTRIBUTE_BYTES)


def read(page: Page) -> Structured:
    """The data of a page, each part read when it is asked for.

    >>> read(Page('<div vocab="https://schema.org/" typeof=Person><i property=name>Ann</i></div>')).things[0].types
    ('Person',)
    """
    return Structured(page)
