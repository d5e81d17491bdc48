"""Richness in plain Python: the twin of `fastwrap._core.noise.richness`."""

from __future__ import annotations

from collections import Counter

import numpy as np

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import TAG_NUMBER, TAGS, TEXT


def richest(native: NativePage, regions: Int32Array, link_weight: float, rival: float, alike: float) -> Int32Array:
    """The regions that hold most, each with what continues it."""
    tag, parent, size, depth, text_start, *_ = native.node_arrays
    sizes = size.tolist()
    body = next((node for node in np.flatnonzero(parent == 0).tolist() if tag[node] == TAG_NUMBER["body"]), 0)
    for number, (start, end) in enumerate(regions.tolist()):
        if not body <= start < end <= len(tag):
            raise ValueError(f"region {number} is not within the body")
    is_text = tag == TEXT
    known = np.minimum(np.where(is_text, tag[parent], tag), len(TAGS))
    kinds = list(zip(depth.tolist(), is_text.tolist(), known.tolist(), strict=True))
    text = weighted_text(tag, size, text_start, link_weight)
    scores = []
    for start, end in regions.tolist():
        times = Counter(kind for kind in kinds[start:end] if kind[1])
        scores.append(sum(text[start:end]) * (1 + sum(count > 1 for count in times.values())))
    found = []
    for (start, end), score in zip(regions.tolist(), scores, strict=True):
        if score >= rival * max(scores):
            own = set(kinds[start:end])
            joined = [(start, end)]
            for child in beside(parent.tolist(), sizes, body, start, end):
                other = set(kinds[child : child + sizes[child]])
                if len(own & other) >= alike * len(own | other):
                    joined.append((child, child + sizes[child]))
            found.append((min(first for first, _ in joined), max(last for _, last in joined)))
    return np.array(found, dtype=np.int32).reshape(-1, 2)


def weighted_text(tag: Int32Array, size: Int32Array, text_start: Int32Array, weight: float) -> list[float]:
    """[n] The length of each node's own text, less where it is in a link."""
    lengths = np.diff(text_start).astype(np.float64)
    in_link = np.zeros(len(tag), dtype=np.bool_)
    for node in np.flatnonzero(tag == TAG_NUMBER["a"]).tolist():
        in_link[node : node + size[node]] = True
    lengths[in_link] *= weight
    weighted: list[float] = lengths.tolist()
    return weighted


def beside(parent: list[int], size: list[int], body: int, start: int, end: int) -> list[int]:
    """The children of whatever holds the region that neither hold it themselves nor are in it."""
    found = []
    around = start
    while around >= body:
        if around + size[around] >= end:
            child = around + 1
            while child < around + size[around]:
                child_end = child + size[child]
                if (child < start or child_end > end) and not (child <= start and child_end >= end):
                    found.append(child)
                child = child_end
        around = parent[around]
    return found
