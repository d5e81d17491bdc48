"""Similarity of subtrees, one function a measure, each over many pairs of nodes or sibling runs at once.
The work is done by the backend in use; this module turns nodes into spans and scores into distances."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fastwrap.common.backend import kernel
from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE

Nodes: TypeAlias = int | npt.ArrayLike
"""Nodes whose subtrees are meant, or runs of siblings as pairs [first node, node after the last subtree]."""

BUDGET = 50_000_000
"""Cells (tree matching) or words (edit distances) a call: some tenths of a second."""

Spans: TypeAlias = tuple[Int32Array, Int32Array]


def spans(page: Page, nodes: Nodes) -> Spans:
    """First node and node after the last, of each subtree or run.

    >>> page = Page("<p><b>1</b><i>2</i></p>")
    >>> [ends.tolist() for ends in spans(page, [3, 4])]
    [[3, 4], [8, 6]]
    >>> [ends.tolist() for ends in spans(page, [[4, 8]])]
    [[4], [8]]
    """
    given = np.asarray(nodes)
    if given.dtype.kind not in "iu" and given.size:
        raise FastwrapError("nodes are whole numbers")
    if given.size and (given.min() < 0 or given.max() > len(page)):
        raise FastwrapError(f"the page has nodes 0 to {len(page) - 1}")
    if given.ndim == 2 and given.shape[1] == 2:
        first, last = np.ascontiguousarray(given.T, dtype=np.int32)
        # A subtree that begins in the run and goes on behind it is that of an ancestor of the node behind it.
        behind = np.append(page.parent, NO_NODE)[last]
        if ((first > last) | ((first < last) & (behind >= first))).any():
            raise FastwrapError("a run goes from its first node to the one after its last subtree")
        return first, last
    first = np.ascontiguousarray(given.reshape(-1), dtype=np.int32)
    if first.size and first.max() == len(page):
        raise FastwrapError(f"the page has nodes 0 to {len(page) - 1}")
    return first, first + page.size[first]


def pairs(page: Page, left: Nodes, right: Nodes) -> tuple[Int32Array, Int32Array, Int32Array, Int32Array]:
    """The spans of both sides; a single one is compared with every one of the other side."""
    left_spans, right_spans = spans(page, left), spans(page, right)
    try:
        together = np.broadcast_arrays(*left_spans, *right_spans)
    except ValueError:
        raise FastwrapError(
            f"{len(left_spans[0])} nodes on the left, {len(right_spans[0])} on the right: they go in pairs"
        ) from None
    first, last, other_first, other_last = (np.ascontiguousarray(ends) for ends in together)
    return first, last, other_first, other_last


def tree_matching(page: Page, left: Nodes, right: Nodes, budget: int = BUDGET) -> Int32Array:
    """Pairs of nodes in a maximum matching of two subtrees, -1 where the budget ran out (STM, Yang 1991).

    >>> page = Page("<p><b>1</b><i>2</i></p><p><b>3</b></p>")
    >>> tree_matching(page, 3, [3, 8]).tolist()
    [5, 3]
    """
    found: Int32Array = kernel("similarity.matching").scores(
        page.tag, page.size, page.structural_class, *pairs(page, left, right), budget
    )
    return found


def tree_mapping(page: Page, left: Nodes, right: Nodes, budget: int = BUDGET) -> Int32Array | None:
    """The pairs of nodes of one maximum matching of two subtrees or runs; None where the budget ran out.

    >>> page = Page("<p><b>1</b><i>2</i></p><p><b>3</b></p>")
    >>> tree_mapping(page, 3, 8).tolist()
    [[3, 8], [4, 9], [5, 10]]
    """
    ends = pairs(page, left, right)
    if len(ends[0]) != 1:
        raise FastwrapError("a mapping is of one pair")
    found: Int32Array | None = kernel("similarity.matching").mapping(
        page.tag, page.size, page.structural_class, *(int(end[0]) for end in ends), budget
    )
    return found


def tag_edits(page: Page, left: Nodes, right: Nodes, budget: int = BUDGET) -> Int32Array:
    """Edits from one list of tags to the other, -1 where the budget ran out (DG, seed 002; Hyyrö 2003).

    >>> page = Page("<p><b>1</b><i>2</i></p><p><b>3</b></p>")
    >>> tag_edits(page, 3, 8).tolist()
    [2]
    """
    found: Int32Array = kernel("similarity.levenshtein").distances(page.tag, *pairs(page, left, right), budget)
    return found


def name_edits(page: Page, left: Nodes, right: Nodes, budget: int = BUDGET) -> Int32Array:
    """Edits between the tag names written one after the other, -1 where the budget ran out (DC, seed 002).

    >>> page = Page("<p><b>1</b></p><p><em>3</em></p>")
    >>> name_edits(page, 3, 6).tolist()
    [2]
    """
    letters, letter_start = page.name_letters
    found: Int32Array = kernel("similarity.levenshtein").distances(
        letters, *(letter_start[end] for end in pairs(page, left, right)), budget
    )
    return found


def tree_distance(page: Page, left: Nodes, right: Nodes, budget: int = BUDGET) -> npt.NDArray[np.float64]:
    """DT: 1 - matched nodes / nodes of the larger tree, in [0, 1]; NaN where the budget ran out.

    >>> page = Page("<p><b>1</b><i>2</i></p><p><b>3</b></p>")
    >>> tree_distance(page, 3, 8).tolist()
    [0.4]
    """
    matched = tree_matching(page, left, right, budget)
    first, last, other_first, other_last = ends = pairs(page, left, right)
    unmatched = np.maximum(last - first, other_last - other_first) - matched
    return np.where(matched < 0, np.nan, unmatched / longer(ends))


def tag_distance(page: Page, left: Nodes, right: Nodes, budget: int = BUDGET) -> npt.NDArray[np.float64]:
    """DG divided by the length of the longer list, in [0, 1]; NaN where the budget ran out.

    >>> page = Page("<p><b>1</b><i>2</i></p><p><b>3</b></p>")
    >>> tag_distance(page, 3, 8).tolist()
    [0.4]
    """
    edits = tag_edits(page, left, right, budget)
    return np.where(edits < 0, np.nan, edits / longer(pairs(page, left, right)))


def name_distance(page: Page, left: Nodes, right: Nodes, budget: int = BUDGET) -> npt.NDArray[np.float64]:
    """DC divided by the length of the longer text, in [0, 1]; NaN where the budget ran out.

    >>> page = Page("<p><b>1</b></p><p><em>3</em></p>")
    >>> name_distance(page, 3, 6).round(2).tolist()
    [0.67]
    """
    edits = name_edits(page, left, right, budget)
    letter_start = page.name_letters[1]
    first, last, other_first, other_last = (letter_start[end] for end in pairs(page, left, right))
    return np.where(edits < 0, np.nan, edits / longer((first, last, other_first, other_last)))


def longer(ends: tuple[Int32Array, Int32Array, Int32Array, Int32Array]) -> Int32Array:
    """The length of the longer side of each pair; 1 where both are empty, so that it can be divided by."""
    first, last, other_first, other_last = ends
    length: Int32Array = np.maximum(np.maximum(last - first, other_last - other_first), 1)
    return length
