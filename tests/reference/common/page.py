"""Which node arrays are those of a page, in plain Python: the twin of the check that `NativePage` makes."""

from __future__ import annotations

import itertools

from fastwrap.page.arrays import Int32Array, NodeArrays
from fastwrap.page.names import NO_NODE


def is_page(arrays: NodeArrays) -> bool:
    """Whether arrays of the right lengths and types are those of a page."""
    count, entries = len(arrays.tag), len(arrays.attribute_name)
    return (
        min(arrays.tag.tolist()) >= 0
        and min(arrays.attribute_name.tolist(), default=0) >= 0
        and are_starts(arrays.text_start, len(arrays.text))
        and are_starts(arrays.attribute_start, entries)
        and are_starts(arrays.value_start, len(arrays.values))
        and is_tree(arrays, count)
    )


def are_starts(starts: Int32Array, length: int) -> bool:
    """Whether numbers are places in a sequence of this length, none before the one before it."""
    return all(0 <= one <= other <= length for one, other in itertools.pairwise([0, *starts.tolist()]))


def is_tree(arrays: NodeArrays, count: int) -> bool:
    """Whether parents, sizes and depths are those of one tree in document order, found by a stack of open nodes."""
    parents, sizes, depths = arrays.parent.tolist(), arrays.size.tolist(), arrays.depth.tolist()
    if (parents[0], sizes[0], depths[0]) != (NO_NODE, count, 0):
        return False
    open_nodes = [0]
    for node in range(1, count):
        while open_nodes[-1] + sizes[open_nodes[-1]] <= node:
            open_nodes.pop()
        up = open_nodes[-1]
        if parents[node] != up or depths[node] != depths[up] + 1:
            return False
        if not 1 <= sizes[node] <= up + sizes[up] - node:
            return False
        open_nodes.append(node)
    return True
