"""What markup says of the items of records."""

from fastwrap._core.common.page import NativePage

def elements(native: NativePage, nodes: list[int], tops: list[int]) -> list[list[int]]:
    """For each node its element, which is its parent if it is a text, and the two around it, the inner ones first; none
    that is before the top of its record. ValueError for nodes that there are not."""

def values(native: NativePage, node: int, names: list[int]) -> list[str]:
    """What a node says in the attributes of these numbers; nothing in one that it has not. ValueError for a node that
    there is not."""
