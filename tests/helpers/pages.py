"""Pages made of trees: for tests of kernels, which take a page and look at no more than its tags and shape."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array, NodeArrays
from fastwrap.page.names import TEXT
from fastwrap.page.page import restore
from tests.reference.trees import NO_NODE, Tree


def arrays_of(tag: npt.ArrayLike, parent: npt.ArrayLike) -> NodeArrays:
    """The node arrays of a tree in document order, without attributes; every text is "x"."""
    tags, parents = np.array(tag, dtype=np.int32), np.array(parent, dtype=np.int32)
    count = len(tags)
    size, depth = np.ones(count, dtype=np.int32), np.zeros(count, dtype=np.int32)
    for node in range(count - 1, 0, -1):
        size[parents[node]] += size[node]
    for node in range(1, count):
        depth[node] = depth[parents[node]] + 1
    texts = np.zeros(count + 1, dtype=np.int32)
    np.cumsum(2 * (tags == TEXT), out=texts[1:])
    nothing, zero = np.zeros(0, dtype=np.int32), np.zeros(1, dtype=np.int32)
    none: Int32Array = np.zeros(count + 1, dtype=np.int32)
    return NodeArrays(
        tags, parents, size, depth, texts, none, nothing, zero, b"x " * int(texts[-1] // 2), b"", zero, zero
    )  # fmt: skip


def page_of(tag: npt.ArrayLike, parent: npt.ArrayLike) -> Page:
    """The same as a page, whose `native` is what kernels take."""
    return restore(tuple(arrays_of(tag, parent)), {}, None, "utf-8", None, None)


def page_of_forest(forest: Iterable[Tree]) -> Page:
    """A page whose root, node 0, has these trees below it: the first of them starts at node 1."""
    tags, parents = [1], [NO_NODE]

    def add(tree: Tree, above: int) -> None:
        node = len(tags)
        tags.append(tree[0])
        parents.append(above)
        for child in tree[1]:
            add(child, node)

    for tree in forest:
        add(tree, 0)
    return page_of(tags, parents)


def run_as_tuples(page: Page, start: int, end: int) -> tuple[Tree, ...]:
    """The run of sibling subtrees that fills [start, end), as nested tuples."""
    run: list[Tree] = []
    while start < end:
        after = start + int(page.size[start])
        run.append((int(page.tag[start]), run_as_tuples(page, start + 1, after)))
        start = after
    return tuple(run)
