"""DEPTA: MDR with tree matching, then partial tree alignment of the records' items (Zhai & Liu 2005).
The regions are found here; the alignment is `fastwrap.columns`, which every method's regions are given to.

Differences from `mdr` with its distance "dt": matched nodes are counted against the mean of the two sizes, as this
paper does, not against the larger one, so that an optional part weighs less; generalised nodes that hold
several records side by side are cut into the records by the same tree matching (see `cutting`).
"""

from __future__ import annotations

from functools import partial

import numpy as np

from fastwrap.common.backend import kernel
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.regions import Search
from fastwrap.regions.cutting import Distances
from fastwrap.regions.mdr import MAX_SIBLINGS, BudgetedMeasure, find_by
from fastwrap.similarity.measures import BUDGET

THRESHOLD = 0.5
"""Trees of which at least half is matched are similar. The paper asks for 0.7, which records of real lists with
optional parts often fail."""


def find(page: Page, *, threshold: float = THRESHOLD, siblings: int = MAX_SIBLINGS) -> Search:
    """The regions of a page by DEPTA, those with most text first: runs of at most `siblings` siblings are similar
    if the distance of their trees is at most `threshold`.

    >>> page = Page("<ul>" + "".join(f"<li><b>{k}</b> <i>text</i></li>" for k in range(4)) + "</ul>")
    >>> [page.span_text(*record) for record in find(page).regions[0].records]
    ['0 text', '1 text', '2 text', '3 text']
    """
    # Of two trees, as many nodes are matched at most as the smaller one has.
    bound = 2 * threshold / max(1, 1 + threshold)  # no threshold is below 0: `find_by` will say so
    measure = BudgetedMeasure(partial(tree_distance, page), "regions.matching")
    return find_by(page, measure, threshold, bound, "explain", siblings)


def tree_distance(page: Page, pairs: Int32Array) -> Distances:
    """1 - matched nodes / mean number of nodes (the paper's normalised simple tree matching); NaN if not known."""
    matched = kernel("similarity.matching").scores(page.native, pairs, BUDGET)
    start, end, other_start, other_end = pairs.T
    nodes = np.maximum(end - start + other_end - other_start, 1)
    return np.where(matched < 0, np.nan, 1 - 2 * matched / nodes)
