"""Structured: all data of one page, each part read when it is first asked for, and then kept.
`read` makes one; what was decoded is kept with the page, so that nothing is parsed twice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastwrap.common.lazy import lazy_property
from fastwrap.limits import union
from fastwrap.page import Page
from fastwrap.structured import jsonld, microdata
from fastwrap.structured.meta import read_meta
from fastwrap.structured.things import Found, Thing, by_id


@dataclass(frozen=True, slots=True)
class ObjectArray:
    """An array of similar objects."""

    source: str
    """The notation: "json-ld", "microdata", "rdfa", "state" or "attribute"."""
    path: str
    """Where it stands: names of keys, joined by dots."""
    objects: list[dict[str, Any]]
    """In order. Values are those of JSON."""
    nodes: list[int]
    """Of each object the element of the page that it is written in; none if they stand in a script."""


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
    def _notations(self) -> list[Found]:
        data = jsonld.read_things(self.page)
        return [data, *(microdata.read_items(self.page, notation) for notation in microdata.NOTATIONS)]

    @lazy_property
    def things(self) -> list[Thing]:
        """What the page tells of, those that are no property of another: JSON-LD, with its graphs opened, then
        microdata, then RDFa Lite; each in document order."""
        return [thing for found in self._notations for thing in found.things]

    @lazy_property
    def by_id(self) -> Mapping[str, Thing]:
        """All things that have an identifier, by it: what `{"@id": "#maker"}` stands for."""
        return by_id(self.things)

    @lazy_property
    def meta(self) -> dict[str, list[str]]:
        """What `meta` elements say, by their names in small letters: Open Graph ("og:title"), Twitter cards, article:,
        product:, and the ordinary ones."""
        return read_meta(self.page)

    @property
    def limits(self) -> tuple[str, ...]:
        """The budgets of `fastwrap.limits` that were met so far. Asking computes nothing."""
        notations = self.__dict__.get("_notations", ())
        return union(*(found.limits for found in notations))


def read(page: Page) -> Structured:
    """The data of a page, each part read when it is asked for.

    >>> read(Page('<div vocab="https://schema.org/" typeof=Person><i property=name>Ann</i></div>')).things[0].types
    ('Person',)
    """
    return Structured(page)
