"""Selection in numpy: the twin of `fastwrap._core.noise.selection`."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE, TAG_NUMBER


def spanned(native: NativePage, spans: Int32Array) -> Int32Array:
    """The nodes of spans, those that hold them, and all before the body."""
    tag, parent, *_ = native.node_arrays
    n = len(parent)
    body = next((node for node in np.flatnonzero(parent == 0).tolist() if tag[node] == TAG_NUMBER["body"]), 0)
    stays = [node < body for node in range(n)]
    for number, (start, end) in enumerate(spans.tolist()):
        if not 0 <= start < end <= n:
            raise ValueError(f"span {number} is not within the {n} nodes")
        stays[start:end] = [True] * (end - start)
    for node, holder in zip(range(n - 1, 0, -1), reversed(parent.tolist()), strict=False):
        stays[holder] |= stays[node]
    return np.flatnonzero(stays).astype(np.int32)


def select(native: NativePage, kept: Int32Array) -> tuple[Any, ...]:
    """The node arrays of these nodes alone, each of which comes with its parent."""
    tag, parent, size, depth, text_start, attribute_start, attribute_name, value_start = native.node_arrays[:8]
    text, values, script_start, noscript_start = native.node_arrays[8:]
    n = len(tag)
    for before, node in itertools.pairwise([NO_NODE, *kept.tolist()]):
        if not before < node < n:
            raise ValueError(f"the nodes kept must rise from 0 and be below {n}, but {node} follows {before}")
    is_kept = np.zeros(n + 1, dtype=np.bool_)
    is_kept[kept] = True
    is_kept[NO_NODE] = True  # the last entry stands for the parent of the root
    orphans = kept[~is_kept[parent[kept]]]
    if len(orphans):
        raise ValueError(f"node {orphans[0]} is to be kept without its parent {parent[orphans[0]]}")
    number = starts(is_kept[:-1])
    new_parent = np.where(parent[kept] == NO_NODE, NO_NODE, number[parent[kept]]).astype(np.int32)
    attribute_is_kept = np.repeat(is_kept[:-1], np.diff(attribute_start))
    new_value_start = starts(np.diff(value_start)[attribute_is_kept])
    return (
        tag[kept],
        new_parent,
        number[kept + size[kept]] - number[kept],
        depth[kept],
        starts(np.diff(text_start)[kept]),
        starts(np.diff(attribute_start)[kept]),
        attribute_name[attribute_is_kept],
        new_value_start,
        parts(parted(text, text_start, kept), text_start[kept], text_start[kept + 1]),
        parts(values, value_start[attribute_start[kept]], value_start[attribute_start[kept + 1]])
        + values[script_start[0] :],
        script_start - script_start[0] + new_value_start[-1],
        noscript_start - script_start[0] + new_value_start[-1],
    )


def parted(text: bytes, text_start: Int32Array, kept: Int32Array) -> bytes:
    """The text of a page, with a space between two texts that touch if only one of them is kept."""
    ends = text_start[kept + 1][text_start[kept] < text_start[kept + 1]].tolist()
    starts = {*text_start[kept][text_start[kept] < text_start[kept + 1]].tolist()}
    changed = bytearray(text)
    for end in ends:
        if end not in starts:
            changed[end - 1 : end] = b" "
    return bytes(changed)


def starts(lengths: npt.NDArray[np.int32] | npt.NDArray[np.bool_]) -> Int32Array:
    """Where parts of these lengths start when they are laid end to end, and where the last one ends."""
    found = np.zeros(len(lengths) + 1, dtype=np.int32)
    np.cumsum(lengths, out=found[1:])
    return found


def parts(data: bytes, first: Int32Array, last: Int32Array) -> bytes:
    """These parts of the data, joined."""
    return b"".join([data[start:end] for start, end in zip(first.tolist(), last.tolist(), strict=True)])
