"""Pages made of trees: for tests of kernels, which take a page and look at no more than its tags and shape."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array, NodeArrays
from fastwrap.page.names import TEXT
from fastwrap.page.page import restore


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
        tags, parents, size, depth, texts, none, nothing, zero, b"x " * int(texts[-1] // 2), b"", zero
    )  # fmt: skip


def page_of(tag: npt.ArrayLike, parent: npt.ArrayLike) -> Page:
    """The same as a page, whose `native` is what kernels take."""
    return restore(tuple(arrays_of(tag, parent)), {}, None, "utf-8", None, None)
