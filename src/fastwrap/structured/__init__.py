"""Structured data: what a page says of itself for machines to read, in whatever notation, without running anything.
`read` has all of it, each part found when it is asked for; `listed` and `types` are what choosing a list needs."""

from fastwrap.structured.jsonld import Listed, listed, types
from fastwrap.structured.reading import ObjectArray, Structured, read
from fastwrap.structured.things import Thing

__all__ = ["Listed", "ObjectArray", "Structured", "Thing", "listed", "read", "types"]
