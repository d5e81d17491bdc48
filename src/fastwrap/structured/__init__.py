"""Structured data: what a page says of itself for machines to read, in whatever notation, without running anything.
`read` has all of it, each part found when it is asked for; `listed` and `types` are what choosing a list needs."""

from fastwrap.structured.arrays import ObjectArray
from fastwrap.structured.jsonld import NOTHING_LISTED, Listed, listed, types
from fastwrap.structured.reading import Structured, has_data, read
from fastwrap.structured.things import Thing

__all__ = ["NOTHING_LISTED", "Listed", "ObjectArray", "Structured", "Thing", "has_data", "listed", "read", "types"]
