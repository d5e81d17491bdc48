"""Structured data: what a page says of itself for machines to read, in whatever notation, without running anything.
`read` has all of it, each part found when it is asked for; `listed` and `types` are what choosing a list needs, and
`carried_prose` is the content of a page that shows none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastwrap.structured.arrays import ObjectArray
from fastwrap.structured.jsonld import NOTHING_LISTED, Listed, listed, types
from fastwrap.structured.reading import Structured, has_data, read
from fastwrap.structured.things import Thing

if TYPE_CHECKING:
    from fastwrap.structured.prose import carried_prose, needs_prose

__all__ = [
    "NOTHING_LISTED", "Listed", "ObjectArray", "Structured", "Thing", "carried_prose", "has_data", "listed",
    "needs_prose", "read", "types",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    # On first use: most pages show what they say.
    if name not in ("carried_prose", "needs_prose"):
        raise AttributeError(f"module 'fastwrap.structured' has no attribute {name!r}")
    from fastwrap.structured import prose

    return getattr(prose, name)
