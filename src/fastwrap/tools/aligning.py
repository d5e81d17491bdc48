"""Alignment: which words of a page are those of its content, where both are long and much stands on the page twice.
By dynamic programming over whole texts; compiled by numba, which fitting a model needs, and applying one does not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from fastwrap.errors import FastwrapError

START = np.float32(-1.0)
"""What it costs an alignment to begin a run of equal words: one word alone is no sign of anything."""


def aligned(text: Sequence[int], truth: Sequence[int]) -> npt.NDArray[np.uint8]:
    """Which words of a text are aligned with those of its content, in order, so that runs of equal words are long.

    >>> aligned([1, 9, 1, 2, 3, 8], [1, 2, 3]).tolist()
    [0, 0, 1, 1, 1, 0]
    """
    one, other = np.asarray(text, np.int32), np.asarray(truth, np.int32)
    marks = np.zeros(len(one), np.uint8)
    if len(one) and len(other):
        trace = np.zeros((len(one) + 1, len(other) + 1), np.uint8)
        compiled()(one, other, START, trace, marks)
    return marks


@cache
def compiled() -> Callable[..., None]:
    """`align`, compiled on first use."""
    try:
        import numba
    except ImportError:
        raise FastwrapError("training needs numba: pip install 'fastwrap[train]'") from None
    made: Callable[..., None] = numba.njit(align)
    return made


def align(one: Any, other: Any, start: Any, trace: Any, marks: Any) -> None:
    """Fill `trace` and set the marks of the words of `one` that are aligned with those of `other` (Gotoh 1982, where
    gaps cost nothing and runs do). Only two rows of the table of scores are kept; `trace` says where each came from."""
    rows, columns = len(one), len(other)
    any_before = np.zeros(columns + 1, np.float32)
    run_before = np.full(columns + 1, -1e9, np.float32)
    any_now = np.zeros(columns + 1, np.float32)
    run_now = np.full(columns + 1, -1e9, np.float32)
    for i in range(1, rows + 1):
        any_now[0] = 0
        run_now[0] = -1e9
        for j in range(1, columns + 1):
            begins = 0
            run_now[j] = -1e9
            if one[i - 1] == other[j - 1]:
                run_now[j] = run_before[j - 1] + 1
                if any_before[j - 1] + start + 1 > run_now[j]:
                    run_now[j] = any_before[j - 1] + start + 1
                    begins = 4
            best = any_before[j]
            way = 1
            if any_now[j - 1] > best:
                best = any_now[j - 1]
                way = 2
            if run_now[j] > -1e8 and run_now[j] >= best:
                best = run_now[j]
                way = 0
            any_now[j] = best
            trace[i, j] = begins | way
        any_before, any_now = any_now, any_before
        run_before, run_now = run_now, run_before
    i, j = rows, columns
    within = False
    while i > 0 and j > 0:
        step = trace[i, j]
        if not within and step & 3 == 1:
            i -= 1
            continue
        if not within and step & 3 == 2:
            j -= 1
            continue
        marks[i - 1] = 1
        within = not step & 4
        i -= 1
        j -= 1
