"""From bytes to node arrays: decoding, reading, and what a person asks of a node.
`Page` is the one public name; `fastwrap.page.arrays` describes the arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fastwrap.page.page import Page

__all__ = ["Page"]


def __getattr__(name: str) -> Any:
    # On first use: kernels import the tables of this room, and Page imports the kernels.
    if name != "Page":
        raise AttributeError(f"module 'fastwrap.page' has no attribute {name!r}")
    from fastwrap.page.page import Page

    globals()["Page"] = Page
    return Page
