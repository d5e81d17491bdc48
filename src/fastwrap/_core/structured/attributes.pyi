"""Which attributes of a page hold data."""

from fastwrap._core.common.page import NativePage

def with_names(native: NativePage, first: int, second: int) -> tuple[list[int], list[int]]:
    """The nodes that have an attribute of the one number, and of the other, in order."""

def has_data(native: NativePage, first: int, second: int, custom: int, least: int) -> bool:
    """Whether any attribute has one of the two numbers, or may hold JSON: see `with_json`."""

def with_json(native: NativePage, custom: int, least: int) -> tuple[list[int], list[int]]:
    """The attributes whose number is `custom` or more and whose value has at least `least` bytes and begins with a
    brace or a bracket, in order: their nodes, and which they are among all attributes."""
