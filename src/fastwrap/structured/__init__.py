"""Structured data: what a page says of itself in JSON-LD, for machines to read.
A first part: the types of the things that it is about, and the items of the lists that it names."""

from fastwrap.structured.jsonld import Listed, listed, types

__all__ = ["Listed", "listed", "types"]
