"""Symbols and classes of the nodes in plain Python: the twins of `fastwrap._core.page.symbols`.
First as it computes them, then by comparing what they stand for: strings of paths, and whole trees."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from fastwrap import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE

Tree = tuple[int, tuple[Any, ...]]

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
        attributes = {names[k]: values[spans[k] : spans[k + 1]] for k in range(starts[node], starts[node + 1])}
        declared = attributes.get(style_name, b"")
        symbol = style_number.setdefault((attributes.get(class_name, b""), declared), len(style_number))
        style.append(symbol)
        above = NO_NODE if up == NO_NODE else path[up]
        path.append(path_number.setdefault((above, tags[node], symbol), len(path_number)))
        hidden.append(hidden_name in attributes or HIDES.search(declared) is not None or (up != NO_NODE and hidden[up]))
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


def path_strings(page: Page) -> list[str]:
    """The tag path of every node with the styles on the way, as text (TPS, Velloso 2014, algorithm 2)."""
    paths: list[str] = []
    for node in range(len(page)):
        up = int(page.parent[node])
        attributes = page.attributes(node)
        step = repr((page.tag_name(node), attributes.get("class", ""), attributes.get("style", "")))
        paths.append((paths[up] if up >= 0 else "") + "/" + step)
    return paths


def numbered(things: list[Any]) -> list[int]:
    """The same things with numbers in order of first appearance."""
    numbers: dict[Any, int] = {}
    return [numbers.setdefault(thing, len(numbers)) for thing in things]


def tree(page: Page, node: int) -> Tree:
    """The subtree of a node as nested tuples."""
    return int(page.tag[node]), tuple(tree(page, child) for child in page.children(node))


def without_leaves(whole: Tree) -> Tree | None:
    """The tree without its leaves; None where it is a leaf."""
    tag, children = whole
    if not children:
        return None
    kept = (without_leaves(child) for child in children)
    return tag, tuple(child for child in kept if child is not None)


DECLARATION_HIDES = re.compile(r"\s*(display\s*:\s*none|visibility\s*:\s*hidden)(?![\w-])", re.IGNORECASE | re.ASCII)


def hides(attributes: Mapping[str, str]) -> bool:
    """Whether an element with these attributes is hidden by itself."""
    declarations = attributes.get("style", "").split(";")
    return "hidden" in attributes or any(DECLARATION_HIDES.match(declared) for declared in declarations)


def is_hidden(page: Page, node: int) -> bool:
    """Whether a declaration on the node or above it hides it."""
    return any(hides(page.attributes(step)) for step in [node, *page.ancestors(node)])
