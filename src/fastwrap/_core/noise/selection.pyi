"""Selection: which nodes of a page stay, and the node arrays of these alone."""

from typing import Any

from fastwrap.page.arrays import Int32Array

def spanned(spans: Int32Array, parent: Int32Array, body: int) -> Int32Array:
    """The nodes of spans [k, 2], those that hold them, and all before the body, in order (TPS, algorithm 5)."""

def select(
    kept: Int32Array,
    tag: Int32Array,
    parent: Int32Array,
    size: Int32Array,
    depth: Int32Array,
    text_start: Int32Array,
    attribute_start: Int32Array,
    attribute_name: Int32Array,
    value_start: Int32Array,
    text: bytes,
    values: bytes,
    script_start: Int32Array,
) -> tuple[Any, ...]:
    """The node arrays (the fields of `fastwrap.page.arrays.NodeArrays`, in order) of these nodes alone.

    `kept` are nodes in order, each with its parent among them; anything else raises ValueError. The arguments
    after it are the page's node arrays. Its JSON scripts stay, whatever nodes do.
    """
