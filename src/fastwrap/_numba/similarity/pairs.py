"""Pairs of spans, as the kernels of this room take them: one array [pairs, 4], checked.
The same checks as in `fastwrap._core.similarity.pairs`."""

from __future__ import annotations

import numpy as np

from fastwrap.page.arrays import Int32Array


def read_only(array: Int32Array) -> Int32Array:
    """A view that nobody may write to, so that numba compiles each kernel for one type alone; ValueError for others."""
    if array.dtype != np.int32 or not array.flags.c_contiguous:
        raise ValueError("an array is not a contiguous one of int32")
    view = array.view()
    view.flags.writeable = False
    return view


def checked_pairs(pairs: Int32Array, length: int) -> Int32Array:
    """The pairs, read-only; ValueError for spans that are not within so many items."""
    if pairs.ndim != 2 or pairs.shape[1] != 4:
        raise ValueError("a pair of spans is four numbers: where the left and the right one start and end")
    left, left_end, right, right_end = pairs.T
    within = (left >= 0) & (left <= left_end) & (left_end <= length)
    within &= (right >= 0) & (right <= right_end) & (right_end <= length)
    if not within.all():
        raise ValueError(f"pair {int(np.argmin(within))} has a span that is not within 0 to {length}")
    return read_only(pairs)
