"""Symbols of the nodes in plain Python, for where the compiled module cannot be imported.
The same functions, arguments and results as `fastwrap._core.page.symbols`."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE

HIDES = re.compile(rb"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)(?![\w-])", re.IGNORECASE)


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
    """Style symbol, tag path symbol and hidden flag of every node."""
    style_number: dict[tuple[bytes, bytes], int] = {(b"", b""): 0}
    path_number: dict[tuple[int, int, int], int] = {}
    style: list[int] = []
    path: list[int] = []
    hidden: list[bool] = []
    tags, parents = tag.tolist(), parent.tolist()
    starts, names, spans = attribute_start.tolist(), attribute_name.tolist(), value_start.tolist()
    for node, up in enumerate(parents):
        given = {names[k]: values[spans[k] : spans[k + 1]] for k in range(starts[node], starts[node + 1])}
        declared = given.get(style_name, b"")
        symbol = style_number.setdefault((given.get(class_name, b""), declared), len(style_number))
        style.append(symbol)
        above = NO_NODE if up == NO_NODE else path[up]
        path.append(path_number.setdefault((above, tags[node], symbol), len(path_number)))
        hidden.append(hidden_name in given or HIDES.search(declared) is not None or (up != NO_NODE and hidden[up]))
    return np.array(style, dtype=np.int32), np.array(path, dtype=np.int32), np.array(hidden, dtype=np.bool_)


def structural_classes(tag: Int32Array, parent: Int32Array, size: Int32Array) -> Int32Array:
    """Structural classes with leaves (Valiente 2001)."""
    children: list[list[int]] = [[] for _ in range(len(tag))]
    classes = np.zeros(len(tag), dtype=np.int32)
    numbers: dict[tuple[int, tuple[int, ...]], int] = {}
    for node, (number, up) in reversed([*enumerate(zip(tag.tolist(), parent.tolist(), strict=True))]):
        classes[node] = numbers.setdefault((number, tuple(children[node])), len(numbers) + 1)
        if up != NO_NODE:
            children[up].append(int(classes[node]))
    return classes


def leafless_classes(tag: Int32Array, size: Int32Array, classes: Int32Array) -> Int32Array:
    """Structural classes with leaves ignored."""
    tags, sizes = tag.tolist(), size.tolist()
    leafless = np.zeros(len(tags), dtype=np.int32)
    numbers: dict[tuple[int, tuple[int, ...]], int] = {}
    for node in range(len(tags) - 1, -1, -1):
        if sizes[node] > 1:
            below, child = [], node + 1
            while child < node + sizes[node]:
                if sizes[child] > 1:
                    below.append(int(leafless[child]))
                child += sizes[child]
            leafless[node] = numbers.setdefault((tags[node], tuple(below)), len(numbers) + 1)
    return leafless
