"""Features of regions, in plain Python: what tells a main list from menus and side lists.
`fastwrap._core.regions.ranking` describes them."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt

from fastwrap import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import TAG_NUMBER, TEXT
from fastwrap.regions.ranking import Options

NAMES = (
    "quality", "coverage", "similarity", "variety", "count", "letters", "longest", "linked", "pictures", "items",
    "unique", "navigation", "prose",
)  # fmt: skip
LEAST = 1e-4
"""In place of a smaller quality or coverage, for the logarithm's sake."""
ENOUGH = 12
"""Records: more of them say no more."""


def features(
    page: Page,
    before: npt.NDArray[np.float64],
    options: Options,
    records: Int32Array,
    first: Int32Array,
    scores: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The features of every region, a row each, and their sums by each row of the weights.

    Region i has the `records` first[i] up to first[i + 1]; its `scores` are coverage, similarity and variety. `before`
    is the content of all nodes before each node, and in all.
    """
    is_navigation, prose, weights = options
    tag, size, text_start, text, body = page.tag, page.size, page.text_start, page.arrays.text, page.body
    n = len(page)
    total = max(1.0, float(before[body + size[body]] - before[body]))
    letters = np.diff(before)
    in_link, in_navigation = np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.bool_)
    for node in range(n):
        in_link[node : node + size[node]] |= bool(tag[node] == TAG_NUMBER["a"])
        if is_navigation[min(int(tag[node]), len(is_navigation) - 1)]:
            in_navigation[node : node + size[node]] = True
    is_text = tag == TEXT
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
                np.mean([(tag[span] == TAG_NUMBER["img"]).any() for span in spans]),
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
