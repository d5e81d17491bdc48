"""Features of regions, in plain Python: what tells a main list from menus and side lists.
Arguments and results are those of `fastwrap._core.regions.ranking`, where they are documented."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from fastwrap.page.arrays import Int32Array

if TYPE_CHECKING:
    from fastwrap.regions.ranking import Rules

NAMES = (
    "quality", "coverage", "similarity", "variety", "count", "letters", "longest", "linked", "pictures", "items",
    "unique", "navigation", "prose",
)  # fmt: skip
LEAST = 1e-4
"""In place of a smaller quality or coverage, for the logarithm's sake."""
ENOUGH = 12
"""Records: more of them say no more."""


def features(
    tag: Int32Array,
    parent: Int32Array,
    size: Int32Array,
    text_start: Int32Array,
    text: bytes,
    before: npt.NDArray[np.float64],
    body: int,
    rules: Rules,
    records: Int32Array,
    first: Int32Array,
    scores: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The features of every region, a row each, and their weighted sums."""
    is_navigation, link, picture, words, prose, weights = rules
    n = len(tag)
    if not len(parent) == len(size) == len(text_start) - 1 == len(before) - 1 == n or not len(is_navigation):
        raise ValueError("the arrays differ in length")
    if len(first) == 0 or first[0] != 0 or first[-1] != len(records):
        raise ValueError("the regions do not cover the records")
    if len(records) and ((records[:, 0] >= records[:, 1]).any() or records.min() < 0 or records.max() > n):
        raise ValueError(f"a record is not within the {n} nodes")
    if (np.diff(first) < 1).any():
        raise ValueError("a region has one record or more")
    if not 0 <= body < n:
        raise ValueError(f"the body is not one of the {n} nodes")
    total = max(1.0, float(before[body + size[body]] - before[body]))
    letters = np.diff(before)
    in_link, in_navigation = np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.bool_)
    for node in range(n):
        in_link[node : node + size[node]] |= bool(tag[node] == link)
        if is_navigation[min(int(tag[node]), len(is_navigation) - 1)]:
            in_navigation[node : node + size[node]] = True
    is_text = tag == words
    is_prose = is_text & ~in_link & (letters >= prose)
    rows = []
    for (begin, end), score in zip(itertools.pairwise(first.tolist()), scores.tolist(), strict=True):
        spans = [slice(*span) for span in records[begin:end].tolist()]
        texts = sum(float(letters[span][is_text[span]].sum()) for span in spans)
        linked = sum(float(letters[span][is_text[span] & in_link[span]].sum()) for span in spans)
        rows.append(
            (
                max(score[0] * score[1] * score[2], LEAST),
                max(score[0], LEAST),
                *score[1:],
                len(spans),
                np.mean([letters[span].sum() for span in spans]),
                np.mean([letters[span][is_text[span]].max(initial=0) for span in spans]),
                linked / texts if texts else 0.0,
                np.mean([(tag[span] == picture).any() for span in spans]),
                np.mean([(letters[span] > 0).sum() for span in spans]),
                len({text[text_start[span.start] : text_start[span.stop]] for span in spans}) / len(spans),
                np.mean([in_navigation[span.start] for span in spans]),
                (letters[is_prose].sum() - sum(float(letters[span][is_prose[span]].sum()) for span in spans)) / total,
            )
        )
    found = np.array(rows, dtype=np.float64).reshape(-1, len(NAMES))
    scaled = found.copy()
    scaled[:, :2] = np.log(found[:, :2])
    scaled[:, NAMES.index("count")] = np.minimum(found[:, NAMES.index("count")], ENOUGH)
    amounts = [NAMES.index(name) for name in ("count", "letters", "longest", "items")]
    scaled[:, amounts] = np.log1p(scaled[:, amounts])
    return found, weights[:, :-1] @ scaled.T + weights[:, -1:]
