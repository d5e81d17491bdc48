"""The native page: what every kernel takes, opened and checked once."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from fastwrap.page.arrays import Int32Array, NodeArrays

class NativePage:
    """The arrays of a page as one C struct, which is described in `page.pxd`.

    Raises ValueError for arrays that no page has: of other lengths or types, with numbers that point out of them, with
    parents, sizes and depths that are not those of a tree in document order, or without nodes.
    """

    node_arrays: NodeArrays
    style_symbol: Int32Array
    """None before `fastwrap._core.page.symbols.need_symbols`, as are the next two."""
    path_symbol: Int32Array
    hidden: npt.NDArray[np.bool_]
    structural_class: Int32Array
    """None before `fastwrap._core.page.symbols.need_classes`."""
    @property
    def body(self) -> int:
        """The body element; the root where there is none (frames)."""
    def __init__(self, node_arrays: NodeArrays) -> None: ...
    def attributes(self, node: int, names: Sequence[str], custom_names: Mapping[int, str]) -> dict[str, str]:
        """The attributes of a node, in order, with their names: those with small numbers in `names`, all others in
        `custom_names`. IndexError for a node that the page does not have."""

    def text(self, start: int, end: int) -> str:
        """All text of the nodes from `start` up to `end`. IndexError for nodes that the page does not have."""
