"""Selection: which nodes of a page stay, and the node arrays of these alone."""

from typing import Any

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array

def spanned(native: NativePage, spans: Int32Array) -> Int32Array:
    """The nodes of spans [k, 2], those that hold them, and all before the body, in order (TPS, algorithm 5)."""

def select(native: NativePage, kept: Int32Array) -> tuple[Any, ...]:
    """The node arrays (the fields of `fastwrap.page.arrays.NodeArrays`, in order) of these nodes alone.

    `kept` are nodes in order, each with its parent among them; anything else raises ValueError. The JSON scripts of
    the page stay, whatever nodes do.
    """
