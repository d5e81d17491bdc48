"""Similarity of subtrees, one function per measure, each over many pairs of nodes or sibling runs at once.
The work is done by the backend in use; this module turns nodes into spans and scores into distances."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fastwrap.common.arguments import expect, whole_number
from fastwrap.common.backend import kernel
from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE

Nodes: TypeAlias = int | npt.ArrayLike
"""Nodes whose subtrees are meant, or runs of siblings as pairs [first node, node after the last subtree]."""

BUDGET = 50_000_000
"""Cells (tree matching) or words (edit distances) per call: some tenths of a second."""


def spans(page: Page, nodes: Nodes) -> Int32Array:
    """[k, 2] First node and node after the last, of each subtree or run.

    >>> page = Page("<p><b>1</b><i>2</i></p>")
    >>> spans(page, [3, 4]).tolist()
    [[3, 8], [4, 6]]
    >>> spans(page, [[4, 8]]).tolist()
    [[4, 8]]
    """
    expect(page, Page, "page is a Page")
    asked = np.asarray(nodes)
    if asked.dtype.kind not in "iu" and asked.size:
        raise TypeError("nodes are whole numbers")
    is_runs = asked.ndim == 2 and asked.shape[1] == 2
    if asked.size and (asked.min() < 0 or asked.max() >= len(page) + is_runs):
        raise FastwrapError(f"the page has nodes 0 to {len(page) - 1}")
    if not is_runs:
        first = asked.reshape(-1).astype(np.int32)
        return np.column_stack((first, first + page.size[first]))
    runs = np.ascontiguousarray(asked, dtype=np.int32)
    first, end = runs.T
    # A subtree that begins in the run and goes on after it is that of an ancestor of the node after it.
    after = np.append(page.parent, NO_NODE)[end]
    if ((first > end) | ((first < end) & (after >= first))).any():
        raise FastwrapError("a run goes from its first node to the one after its last subtree")
    return runs


def steps(budget: int) -> int:
    """A budget as the kernels take it: none below 0, none beyond what they can count."""
    return min(max(0, whole_number(budget, "a budget")), 2**62)


def pairs(page: Page, left: Nodes, right: Nodes) -> Int32Array:
    """[k, 4] The spans of both sides; a single one is compared with every one of the other side."""
    left_spans, right_spans = spans(page, left), spans(page, right)
    try:
        return np.hstack(np.broadcast_arrays(left_spans, right_spans))
    except ValueError:
        raise FastwrapError(
            f"{len(left_spans)} nodes on the left, {len(right_spans)} on the right: they go in pairs"
        ) from None


def tree_matching(page: Page, left: Nodes, right: Nodes, budget: int = BUDGET) -> Int32Array:
    """Pairs of nodes in a maximum matching of two subtrees, -1 where the budget ran out (STM, Yang 1991).

    >>> page = Page("<p><b>1</b><i>2</i></p><p><b>3</b></p>")
    >>> tree_matching(page, 3, [3, 8]).tolist()
    [5, 3]
    """
    compared = pairs(page, left, right)
    scores: Int32Array = kernel("similarity.matching").scores(page.native, compared, steps(budget))
    return scores


def tree_mapping(page: Page, left: Nodes, right: Nodes, budget: int = BUDGET) -> Int32Array | None:
    """The pairs of nodes of one maximum matching of two subtrees or runs; None where the budget ran out.

    >>> page = Page("<p><b>1</b><i>2</i></p><p><b>3</b></p>")
    >>> tree_mapping(page, 3, 8).tolist()
    [[3, 8], [4, 9], [5, 10]]
    """
    pair = pairs(page, left, right)
    if len(pair) != 1:
        raise FastwrapError("a mapping is of one pair")
    mapping: Int32Array | None = kernel("similarity.matching").mapping(page.native, pair, steps(budget))
    return mapping


def tag_edits(page: Page, left: Nodes, right: Nodes, budget: int = BUDGET) -> Int32Array:
    """Edits from one list of tags to the other, -1 where the budget ran out (DG; Hyyrö 2003).

    >>> page = Page("<p><b>1</b><i>2</i></p><p><b>3</b></p>")
    >>> tag_edits(page, 3, 8).tolist()
    [2]
    """
    compared = pairs(page, left, right)
    edits: Int32Array = kernel("similarity.levenshtein").distances(page.tag, compared, steps(budget))
    return edits


def name_edits(page: Page, left: Nodes, right: Nodes, budget: int = BUDGET) -> Int32Array:
    """Edits between the tag names written one after the other, -1 where the budget ran out (DC).

    >>> page = Page("<p><b>1</b></p><p><em>3</em></p>")
    >>> name_edits(page, 3, 6).tolist()
    [2]
    """
    compared = pairs(page, left, right)
    letters, starts = page.name_letters
    edits: Int32Array = kernel("similarity.levenshtein").distances(letters, starts[compared], steps(budget))
    return edits


def tree_distance(page: Page, left: Nodes, right: Nodes, budget: int = BUDGET) -> npt.NDArray[np.float64]:
    """DT: 1 - matched nodes / nodes of the larger tree, in [0, 1]; NaN where the budget ran out.

    >>> page = Page("<p><b>1</b><i>2</i></p><p><b>3</b></p>")
    >>> tree_distance(page, 3, 8).tolist()
    [0.4]
    """
    matched = tree_matching(page, left, right, budget)
    nodes = longer(pairs(page, left, right))
    return np.where(matched < 0, np.nan, (nodes - matched) / np.maximum(nodes, 1))


def tag_distance(page: Page, left: Nodes, right: Nodes, budget: int = BUDGET) -> npt.NDArray[np.float64]:
    """DG divided by the length of the longer list, in [0, 1]; NaN where the budget ran out.

    >>> page = Page("<p><b>1</b><i>2</i></p><p><b>3</b></p>")
    >>> tag_distance(page, 3, 8).tolist()
    [0.4]
    """
    edits = tag_edits(page, left, right, budget)
    return np.where(edits < 0, np.nan, edits / np.maximum(longer(pairs(page, left, right)), 1))


def name_distance(page: Page, left: Nodes, right: Nodes, budget: int = BUDGET) -> npt.NDArray[np.float64]:
    """DC divided by the length of the longer text, in [0, 1]; NaN where the budget ran out.

    >>> page = Page("<p><b>1</b></p><p><em>3</em></p>")
    >>> name_distance(page, 3, 6).round(2).tolist()
    [0.67]
    """
    edits = name_edits(page, left, right, budget)
    letters = longer(page.name_letters[1][pairs(page, left, right)])
    return np.where(edits < 0, np.nan, edits / np.maximum(letters, 1))


def longer(compared: Int32Array) -> Int32Array:
    """The length of the longer span of each pair."""
    length: Int32Array = (compared[:, 1::2] - compared[:, ::2]).max(axis=1, initial=0)
    return length
