"""Which node arrays are those of a page, and what they say of a node, in plain Python: the twin of `NativePage`."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from fastwrap.page.arrays import Int32Array, NodeArrays, joined
from fastwrap.page.names import ATTRIBUTES, CUSTOM, NO_NODE


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


def attributes_of(arrays: NodeArrays, node: int, custom: Mapping[int, str]) -> dict[str, str]:
    """The attributes of a node; of those that stand twice the last."""
    found = {}
    for entry in range(arrays.attribute_start[node], arrays.attribute_start[node + 1]):
        name = int(arrays.attribute_name[entry])
        value = arrays.values[arrays.value_start[entry] : arrays.value_start[entry + 1]]
        found[ATTRIBUTES[name] if name < CUSTOM else custom[name]] = value.decode("utf-8", "replace")
    return found


def text_of(arrays: NodeArrays, start: int, end: int) -> str:
    """The text of some nodes, without what stands behind the last one of them."""
    first, last = arrays.text_start[start], arrays.text_start[end]
    return joined(arrays.text[first : max(first, last - 1)])
