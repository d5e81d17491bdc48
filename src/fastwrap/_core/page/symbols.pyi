"""Symbols of the nodes: style (class and style attribute), tag path, hidden flag, structural classes."""

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array

def need_symbols(native: NativePage) -> None:
    """Find the `style_symbol`, `path_symbol` and `hidden` of a page, unless it has them.

    A style symbol stands for one pair of class and style attribute, 0 for neither. A tag path symbol stands for the
    tags and styles from the root to the node (TPS, Velloso 2014, definition 3). Both are numbered in order of first
    appearance. A node is hidden when it or an ancestor has the attribute hidden, or a style that says display:none or
    visibility:hidden.
    """

def tag_paths(native: NativePage) -> Int32Array:
    """The tag path of every node, without styles, numbered from 0 in order of first appearance."""

def need_classes(native: NativePage) -> None:
    """Find the `structural_class` of a page, unless it has it: numbers from 1, two nodes having the same exactly when
    their subtrees are equal (bottom-up classes, Valiente 2001)."""

def leafless_classes(native: NativePage) -> Int32Array:
    """Structural classes once the leaves have been taken away; a leaf itself has class 0."""
