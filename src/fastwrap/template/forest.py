"""Several pages as one: their trees side by side below one root, so that every kernel can compare them.
Symbols and classes of such a page mean the same on all the pages it is made of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array, NodeArrays
from fastwrap.page.names import NO_NODE, TAG_NUMBER
from fastwrap.page.page import restore


def starts_of(pages: Sequence[Page]) -> Int32Array:
    """[pages + 1] The nodes that are the roots of the pages, and the number of all nodes."""
    return np.cumsum([1, *map(len, pages)], dtype=np.int32)


def shifted(parts: Sequence[Int32Array], shifts: Sequence[int]) -> Int32Array:
    """Numbers of several pages one after the other, those of each counted on from the pages before it."""
    return np.concatenate([part + shift for part, shift in zip(parts, shifts, strict=True)]).astype(np.int32)


def bounds(parts: Sequence[Int32Array], first: int) -> Int32Array:
    """Starts of several pages, whose last entry is an end, as those of one; `first` entries of nothing come before."""
    shifts = np.cumsum([0, *(int(part[-1]) for part in parts)])
    joined = [part[:-1] + shift for part, shift in zip(parts, shifts, strict=False)]
    return np.concatenate([np.zeros(first, dtype=np.int32), *joined, [shifts[-1]]]).astype(np.int32)


def forest_of(pages: Sequence[Page]) -> Page:
    """One page that has the given ones as the children of its root.

    >>> forest = forest_of([Page("<p>one"), Page("<p class=a>two")])
    >>> forest.text(), [forest.tag_name(node) for node in forest.children(0)], forest.attributes(9)
    ('one two', ['html', 'html'], {'class': 'a'})
    """
    parts = [page.arrays for page in pages]
    starts = starts_of(pages).tolist()
    one = np.ones(1, dtype=np.int32)
    parents = shifted([part.parent for part in parts], starts[:-1])
    parents[np.array(starts[:-1]) - 1] = 0
    text_start = bounds([part.text_start for part in parts], 1)
    value_start = bounds([part.value_start for part in parts], 0)
    arrays = NodeArrays(
        tag=np.concatenate([one * TAG_NUMBER["html"], *(part.tag for part in parts)]).astype(np.int32),
        parent=np.concatenate([one * NO_NODE, parents]).astype(np.int32),
        size=np.concatenate([one * starts[-1], *(part.size for part in parts)]).astype(np.int32),
        depth=np.concatenate([one * 0, *(part.depth + 1 for part in parts)]).astype(np.int32),
        text_start=text_start,
        attribute_start=bounds([part.attribute_start for part in parts], 1),
        attribute_name=np.concatenate([part.attribute_name for part in parts]).astype(np.int32),
        value_start=value_start,
        text=b"".join(part.text for part in parts),
        values=b"".join(part.values[: int(part.value_start[-1])] for part in parts),
        script_start=value_start[-1:],
        noscript_start=value_start[-1:],
    )
    names = {number: name for page in pages for number, name in page.custom_names.items()}
    return restore(tuple(arrays), names, pages[0].url, pages[0].encoding, None, None)
