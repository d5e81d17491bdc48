"""Microdata (HTML standard, 5.2): items of elements with `itemscope`, their properties those with `itemprop`.
RDFa Lite (W3C 2015) is read by the same walk: `typeof` opens a thing, `property` names what an element says of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from fastwrap.page import Page
from fastwrap.page.names import ATTRIBUTE_NUMBER, CUSTOM
from fastwrap.structured.things import MICRODATA, RDFA, Found, Thing, short

ADDRESS = {
    "a": "href", "area": "href", "link": "href", "audio": "src", "embed": "src", "iframe": "src", "img": "src",
    "source": "src", "track": "src", "video": "src", "object": "data",
}  # fmt: skip
"""By tag: the attribute that is the value of a property (HTML standard, 5.2.4)."""
VALUE = {"data": "value", "meter": "value", "time": "datetime", "meta": "content"}
MOST_PROPERTIES = 50_000
"""That are read, of either notation."""
MOST_REFERENCES = 1000
"""Elements that items refer to (`itemref`)."""


class Notation(NamedTuple):
    """Which attributes say what."""

    source: str
    scope: str
    """Makes its element a thing."""
    kind: str
    """Its types."""
    names: str
    """What of the thing around it an element says."""
    identifiers: tuple[str, ...]


NOTATIONS = (
    Notation(MICRODATA, "itemscope", "itemtype", "itemprop", ("itemid",)),
    Notation(RDFA, "typeof", "typeof", "property", ("resource", "about")),
)


def attribute_numbers(page: Page, names: tuple[str, ...]) -> dict[str, int]:
    """The numbers of those names of attributes that a page has."""
    custom = {name: number for number, name in page.custom_names.items() if name in names and number >= CUSTOM}
    return {name: custom.get(name, ATTRIBUTE_NUMBER.get(name, -1)) for name in names}


def nodes_with(page: Page, number: int) -> list[int]:
    """The nodes that have an attribute."""
    entries = np.flatnonzero(page.arrays.attribute_name == number)
    found: list[int] = np.unique(np.searchsorted(page.attribute_start, entries, side="right") - 1).tolist()
    return found


def value_of(page: Page, node: int, attributes: dict[str, str], source: str) -> str:
    """What an element says: an attribute by its tag, else its text (HTML standard, 5.2.4)."""
    tag = page.tag_name(node)
    if (source == RDFA and "content" in attributes) or tag == "meta":
        return attributes.get("content", "")
    if tag in ADDRESS and (value := attributes.get(ADDRESS[tag], "")):
        return value.strip()
    if tag == "img":
        return (attributes.get("data-src") or attributes.get("srcset", "").split(" ")[0]).strip()
    if tag in VALUE and VALUE[tag] in attributes:
        return attributes[VALUE[tag]]
    # Not in the standard, but what sites write, and what search engines read.
    return attributes["content"] if "content" in attributes else page.text(node)


def read_items(page: Page, notation: Notation) -> Found:
    """The things of a page in one of the two notations.

    >>> tea = '<p itemscope itemtype="https://schema.org/Product"><b itemprop=name>Tea</b><data itemprop=sku value=7>'
    >>> read_items(Page(tea), NOTATIONS[0]).things[0].properties
    {'name': ['Tea'], 'sku': ['7']}
    """
    number = attribute_numbers(page, (notation.scope, notation.names, "itemref"))
    scopes = nodes_with(page, number[notation.scope])
    if not scopes:
        return Found([])
    reader = Reader(page, notation)
    named = nodes_with(page, number[notation.names])
    limits: tuple[str, ...] = ("structured.things",) if len(named) > MOST_PROPERTIES else ()
    for node in sorted({*scopes, *named[:MOST_PROPERTIES]}):
        reader.visit(node)
    if notation.source == MICRODATA and nodes_with(page, number["itemref"]):
        limits += reader.refer()
    return Found(reader.roots, limits)


class Reader:
    """The state of the walk: the things that are open."""

    def __init__(self, page: Page, notation: Notation) -> None:
        self.page, self.notation = page, notation
        self.roots: list[Thing] = []
        self.open: list[tuple[int, Thing]] = []
        """Where the element of each ends, and the thing."""
        self.referring: list[tuple[Thing, str]] = []
        self.said: dict[int, list[tuple[str, object]]] = {}
        """By node, what stands there that belongs to no item: an item may refer to it."""

    def visit(self, node: int) -> None:
        """Open the thing of an element, or add what it says to the thing around it."""
        while self.open and self.open[-1][0] <= node:
            self.open.pop()
        attributes = self.page.attributes(node)
        notation = self.notation
        names = [name for word in attributes.get(notation.names, "").split() if (name := short(word))]
        value: object
        if notation.scope in attributes:
            value = thing = self.thing(node, attributes)
        else:
            value, thing = value_of(self.page, node, attributes, notation.source), None
        around = self.open[-1][1] if self.open else None
        if names and around is not None:
            for name in names:
                around.properties.setdefault(name, []).append(value)
        elif names and thing is None:
            self.said[node] = [(name, value) for name in names]
        if thing is not None:
            if not names:
                self.roots.append(thing)
            elif around is None:
                self.roots.append(thing)
                self.said[node] = [(name, value) for name in names]
            self.open.append((node + self.page.size.item(node), thing))

    def thing(self, node: int, attributes: dict[str, str]) -> Thing:
        """The thing that an element is, still without what is said of it within."""
        types = tuple(name for word in attributes.get(self.notation.kind, "").split() if (name := short(word)))
        thing = Thing(types, {}, self.notation.source, node)
        for name in self.notation.identifiers:
            if attributes.get(name):
                thing.properties.setdefault("@id", []).append(attributes[name])
        if attributes.get("itemref"):
            self.referring.append((thing, attributes["itemref"]))
        return thing

    def refer(self) -> tuple[str, ...]:
        """Add to items what stands in the elements that they refer to; returns the limits that were met."""
        nodes = self.by_identifier()
        left = MOST_REFERENCES
        for thing, references in self.referring:
            for word in references.split():
                left -= 1
                if left < 0:
                    return ("structured.things",)
                for name, value in self.below(nodes.get(word, -1)):
                    if value is not thing:
                        thing.properties.setdefault(name, []).append(value)
                        self.roots = [root for root in self.roots if root is not value]
        return ()

    def by_identifier(self) -> dict[str, int]:
        """The elements of the page by their id, those that hold something which belongs to no item."""
        page = self.page
        wanted: set[int] = set()
        for node in self.said:
            wanted.update((node, *page.ancestors(node)))
        found: dict[str, int] = {}
        for node in sorted(wanted):
            if identifier := page.attributes(node).get("id"):
                found.setdefault(identifier, node)
        return found

    def below(self, node: int) -> Iterator[tuple[str, object]]:
        """What stands in an element, and belongs to no item there."""
        if node >= 0:
            end = node + self.page.size.item(node)
            for said, entries in self.said.items():
                if node <= said < end:
                    yield from entries
