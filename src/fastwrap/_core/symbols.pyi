"""Symbols of the nodes: style (class and style attribute), tag path, hidden flag, structural classes."""

import numpy as np
import numpy.typing as npt

from fastwrap.arrays import Int32Array

def style_path_hidden(
    tag: Int32Array,
    parent: Int32Array,
    attribute_start: Int32Array,
    attribute_name: Int32Array,
    value_start: Int32Array,
    values: bytes,
    class_name: int,
    style_name: int,
    hidden_name: int,
) -> tuple[Int32Array, Int32Array, npt.NDArray[np.bool_]]:
    """Style symbol, tag path symbol and hidden flag of every node.

    A style symbol stands for one pair of class and style attribute, 0 for neither. A tag path symbol stands
    for the tags and styles from the root to the node (TPS, seed 004 def. 3). Both are numbered in order of
    first appearance. A node is hidden when it or an ancestor has the attribute hidden, or a style that says
    display:none or visibility:hidden. The last three arguments are the numbers of the attributes' names.
    """

def structural_classes(tag: Int32Array, parent: Int32Array, size: Int32Array) -> Int32Array:
    """Structural classes, numbered from 1: two nodes have one class exactly when their subtrees are equal
    (bottom-up classes, Valiente 2001)."""

def leafless_classes(tag: Int32Array, size: Int32Array, classes: Int32Array) -> Int32Array:
    """Structural classes once the leaves have been taken away (as in seed 003); a leaf itself has class 0.

    `classes` are those with leaves. Raises ValueError for such that no page has.
    """
