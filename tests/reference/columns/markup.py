"""What markup says of the items of records, in plain Python: the oracle of `fastwrap._core.columns.markup`."""

from __future__ import annotations

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import NodeArrays
from fastwrap.page.names import TEXT

LEVELS = 3


def check(native: NativePage, nodes: list[int]) -> NodeArrays:
    """The arrays, if they have the nodes."""
    if not all(0 <= node < len(native.node_arrays.tag) for node in nodes):
        raise ValueError("there is no such node")
    return native.node_arrays


def elements(native: NativePage, nodes: list[int], tops: list[int]) -> list[list[int]]:
    """For each node its element and the two around it, none of them before the top of its record."""
    arrays = check(native, nodes + tops)
    found = []
    for node, top in zip(nodes, tops, strict=True):
        levels = [node]
        while levels[-1] >= 0:
            levels.append(int(arrays.parent[levels[-1]]))
        levels = levels[int(arrays.tag[node]) == TEXT :][:LEVELS]
        found.append([level for level in levels if level >= top])
    return found


def values(native: NativePage, node: int, names: list[int]) -> list[str]:
    """What a node says in attributes."""
    arrays = check(native, [node])
    said: dict[int, str] = {}
    for entry in range(arrays.attribute_start[node], arrays.attribute_start[node + 1]):
        value = arrays.values[arrays.value_start[entry] : arrays.value_start[entry + 1]].decode("utf-8", "replace")
        said.setdefault(int(arrays.attribute_name[entry]), value)
    return [said.get(name, "") for name in names]
