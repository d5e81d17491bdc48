"""Thing: something that the data of a page tells of, in whatever notation, by the words of schema.org.
Notations differ in how they write it down; whoever asks for the price of a product need not know which it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fastwrap.page.names import NO_NODE

JSON_LD, MICRODATA, RDFA = "json-ld", "microdata", "rdfa"


def short(name: str) -> str:
    """The name of a type or property without its vocabulary.

    >>> short("https://schema.org/Book"), short("schema:Book"), short("http://rdf.example/terms#Book")
    ('Book', 'Book', 'Book')
    """
    return name.rpartition("/")[2].rpartition("#")[2].rpartition(":")[2]


@dataclass(slots=True)
class Thing:
    """Something that the data of a page tells of.

    >>> bread = Thing(("Product",), {"name": ["Bread"], "offers": [Thing(("Offer",), {"price": ["2.50"]})]})
    >>> bread.text("name"), bread.first("offers").text("price"), bread.text("sku")
    ('Bread', '2.50', '')
    """

    types: tuple[str, ...] = ()
    """Without the vocabulary: "Product", not "https://schema.org/Product"; none if it does not say."""
    properties: dict[str, list[Any]] = field(default_factory=dict)
    """By the name of the property, without the vocabulary: its values in order, each a str, int, float, bool or Thing.
    The identifier of the thing, if it has one, is "@id"."""
    source: str = JSON_LD
    """"json-ld", "microdata" or "rdfa"."""
    node: int = NO_NODE
    """The element of the page that it is written in; NO_NODE for scripts."""

    def first(self, name: str) -> Any:
        """The first value of a property; None where there is none."""
        values = self.properties.get(name)
        return values[0] if values else None

    def text(self, name: str) -> str:
        """The first value of a property that is a text or a number, as text; nothing where there is none."""
        for value in self.properties.get(name, ()):
            if not isinstance(value, Thing):
                return str(value)
        return ""

    def things(self) -> Iterator[Thing]:
        """The thing itself, and all below it, in order."""
        waiting = [self]
        while waiting:
            thing = waiting.pop()
            yield thing
            below = [value for values in thing.properties.values() for value in values if isinstance(value, Thing)]
            waiting += reversed(below)


class Found(NamedTuple):
    """What the data of a page tells of in one notation."""

    things: list[Thing]
    """Those that are not a property of another, in document order."""
    limits: tuple[str, ...] = ()


def by_id(things: list[Thing]) -> Mapping[str, Thing]:
    """The things that have an identifier, those below others among them, by it: of several, the one that says most.

    >>> by_id([Thing((), {"author": [Thing((), {"@id": ["#1"]})]}), Thing((), {"@id": ["#1"], "name": ["Ann"]})])["#1"]
    Thing(types=(), properties={'@id': ['#1'], 'name': ['Ann']}, source='json-ld', node=-1)
    """
    found: dict[str, Thing] = {}
    for root in things:
        for thing in root.things():
            if identifier := thing.text("@id"):
                other = found.get(identifier)
                if other is None or len(other.properties) < len(thing.properties):
                    found[identifier] = thing
    return found
