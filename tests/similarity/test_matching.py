"""Simple tree matching: both backends against the twin, and what must hold of every score and mapping.
Scores are compared, not chosen mappings: several maximum mappings of two trees are equally right."""

from __future__ import annotations

import importlib
import itertools
import random
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import Page
from fastwrap._core.similarity import matching as cython_matching
from tests.helpers.pages import page_of, page_of_forest, run_as_tuples
from tests.reference.similarity.matching import stm, stm_forest
from tests.reference.trees import NO_NODE, Tree, record_pages, trees

Spans = npt.NDArray[np.int32]
"""[pairs, 4] left_start, left_end, right_start, right_end."""

PLENTY = 10**12


@pytest.fixture(scope="module", params=["cython", "numba"])
def matching(request: pytest.FixtureRequest) -> ModuleType:
    if request.param == "cython":
        return cython_matching
    pytest.importorskip("numba")
    return importlib.import_module("fastwrap._numba.similarity.matching")


def scores(matching: ModuleType, page: Page, spans: Any, budget: int = PLENTY) -> list[int]:
    result = matching.scores(page.native, np.array(spans, dtype=np.int32).reshape(-1, 4), budget)
    assert result.dtype == np.int32
    return [int(score) for score in result]


def mapping(matching: ModuleType, page: Page, span: Any, budget: int = PLENTY) -> list[list[int]] | None:
    result = matching.mapping(page.native, np.array([span], dtype=np.int32), budget)
    if result is None:
        return None
    assert result.dtype == np.int32
    assert result.shape[1:] == (2,)
    pairs: list[list[int]] = result.tolist()
    return pairs


def twin_score(page: Page, span: Any) -> int:
    left_start, left_end, right_start, right_end = map(int, span)
    return stm_forest(run_as_tuples(page, left_start, left_end), run_as_tuples(page, right_start, right_end))


def tree_spans(page: Page) -> Spans:
    """Every node against every node."""
    ends = np.arange(len(page)) + page.size
    pairs = itertools.product(enumerate(ends), repeat=2)
    return np.array([(left, end, right, stop) for (left, end), (right, stop) in pairs], dtype=np.int32)


def run_spans(page: Page, chooser: random.Random, pairs: int) -> Spans:
    """Pairs of runs, chosen from all runs of adjacent siblings, empty ones and whole forests among them."""
    children: dict[int, list[int]] = {}
    for node, parent in enumerate(page.parent.tolist()):
        children.setdefault(parent, []).append(node)
    bounds = [[*nodes, nodes[-1] + int(page.size[nodes[-1]])] for nodes in children.values()]

    def choose() -> list[int]:
        return sorted(chooser.choices(chooser.choice(bounds), k=2))

    return np.array([choose() + choose() for _ in range(pairs)], dtype=np.int32)


forests = (st.tuples(trees(), trees()) | st.tuples(record_pages(max_records=5, max_leaves=6))).map(page_of_forest)
"""Pages of two random trees, or of one tree with records."""


@settings(max_examples=40)
@given(page=forests)
def test_trees_score_as_the_twin_says(matching: ModuleType, page: Page) -> None:
    spans = tree_spans(page)[:1500]
    expected = [
        stm(run_as_tuples(page, left, end)[0], run_as_tuples(page, right, stop)[0])
        for left, end, right, stop in spans.tolist()
    ]
    assert scores(matching, page, spans) == expected


@settings(max_examples=60)
@given(page=forests, chooser=st.randoms(use_true_random=False))
def test_runs_score_as_the_twin_says(matching: ModuleType, page: Page, chooser: random.Random) -> None:
    spans = run_spans(page, chooser, 40)
    assert scores(matching, page, spans) == [twin_score(page, span) for span in spans]


@settings(max_examples=30)
@given(page=forests, chooser=st.randoms(use_true_random=False))
def test_a_batch_scores_as_its_pairs_alone(matching: ModuleType, page: Page, chooser: random.Random) -> None:
    """The memo that the pairs of a batch share changes no score."""
    spans = run_spans(page, chooser, 20)
    assert scores(matching, page, spans) == [scores(matching, page, span)[0] for span in spans]


@settings(max_examples=30)
@given(page=forests, chooser=st.randoms(use_true_random=False))
def test_identities(matching: ModuleType, page: Page, chooser: random.Random) -> None:
    spans = run_spans(page, chooser, 20)
    left, right = spans[:, :2], spans[:, 2:]
    found = np.array(scores(matching, page, spans))
    assert scores(matching, page, np.hstack([left, left])) == (left[:, 1] - left[:, 0]).tolist()
    assert scores(matching, page, np.hstack([right, left])) == found.tolist()
    assert (found >= 0).all()
    assert (found <= np.minimum(left[:, 1] - left[:, 0], right[:, 1] - right[:, 0])).all()


@settings(max_examples=50)
@given(page=forests, chooser=st.randoms(use_true_random=False))
def test_a_mapping_keeps_tags_levels_order_and_ancestry(
    matching: ModuleType, page: Page, chooser: random.Random
) -> None:
    tag, parent = page.tag.tolist(), page.parent.tolist()
    spans = run_spans(page, chooser, 10)
    for span, score in zip(spans.tolist(), scores(matching, page, spans), strict=True):
        pairs = mapping(matching, page, span)
        assert pairs is not None
        assert len(pairs) == score
        paired = {tuple(pair) for pair in pairs}
        for left, right in pairs:
            assert span[0] <= left < span[1]
            assert span[2] <= right < span[3]
            assert tag[left] == tag[right]
            # Same level and same ancestors: both are at the top of their runs, or below a pair.
            if parent[left] == parent[span[0]] or parent[right] == parent[span[2]]:
                assert (parent[left], parent[right]) == (parent[span[0]], parent[span[2]])
            else:
                assert (parent[left], parent[right]) in paired
        for (left, right), (later_left, later_right) in itertools.pairwise(pairs):
            assert left < later_left
            assert right < later_right


@settings(max_examples=30)
@given(page=forests, chooser=st.randoms(use_true_random=False), budget=st.integers(0, 300))
def test_a_budget_makes_scores_unknown_but_never_wrong(
    matching: ModuleType, page: Page, chooser: random.Random, budget: int
) -> None:
    spans = run_spans(page, chooser, 20)
    exact = scores(matching, page, spans)
    assert matching.UNKNOWN not in exact
    for score, expected in zip(scores(matching, page, spans, budget), exact, strict=True):
        assert score in (expected, matching.UNKNOWN)
    for span, expected in zip(spans, exact, strict=True):
        pairs = mapping(matching, page, span, budget)
        assert pairs is None or len(pairs) == expected


def flat(tags: list[int]) -> Tree:
    return (1, tuple((tag, ()) for tag in tags))


def test_the_budget_counts_the_cells_of_all_tables(matching: ModuleType) -> None:
    page = page_of_forest([flat([1, 2, 3, 1]), flat([2, 1, 3, 2]), flat([3, 1, 2, 3])])
    spans = [(1, 6, 6, 11), (6, 11, 11, 16)]
    cells = 5 * 5 - 1  # the edges count, their common corner does not
    assert scores(matching, page, spans, 2 * cells) == [3, 3]
    assert scores(matching, page, spans, 2 * cells - 1) == [3, matching.UNKNOWN]
    assert scores(matching, page, spans, cells - 1) == [matching.UNKNOWN] * 2
    assert mapping(matching, page, spans[0], 2 * cells) is not None
    assert mapping(matching, page, spans[0], cells - 1) is None
    run = [(2, 6, 7, 11)]
    walk = 4 + 4  # a run of several trees is walked once more, to see that it is one
    assert scores(matching, page, run, cells + walk) == [2]
    assert scores(matching, page, run, cells + walk - 1) == [matching.UNKNOWN]


def test_a_pair_too_large_does_not_stop_the_pairs_after_it(matching: ModuleType) -> None:
    """Not even if it is given up inside the table of another one."""
    wide: list[Tree] = [flat([1, 2] * 50), flat([2, 3] * 50)]
    nested: list[Tree] = [(1, (flat([2]), tree, flat([3]))) for tree in wide]
    small: list[Tree] = [flat([1, 2, 3]), flat([3, 2])]
    page = page_of_forest([*wide, *nested, *small])
    start = np.flatnonzero(page.parent == 0).tolist()
    end = [*start[1:], len(page.tag)]
    spans = [(start[left], end[left], start[left + 1], end[left + 1]) for left in (0, 2, 4)]
    assert scores(matching, page, spans, 2000) == [matching.UNKNOWN, matching.UNKNOWN, 2]


def chain(length: int, tag: int, last: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    tags = np.full(length, tag, dtype=np.int32)
    tags[-1] = last
    return tags, np.arange(length, 0, -1, dtype=np.int32)


def joined(*trees: tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]) -> Page:
    """A page whose root has these trees below it, given by tag and size."""
    tag, size = (np.concatenate(part) for part in zip(*trees, strict=True))
    parent, open_nodes = [NO_NODE], [(0, len(tag) + 1)]
    for node, end in enumerate((np.arange(1, len(tag) + 1) + size).tolist(), 1):
        while open_nodes[-1][1] <= node:
            open_nodes.pop()
        parent.append(open_nodes[-1][0])
        open_nodes.append((node, end))
    return page_of([1, *tag.tolist()], parent)


def test_ten_thousand_levels(matching: ModuleType) -> None:
    page = joined(chain(10_000, 1, 1), chain(10_000, 1, 2))
    span = (1, 10_001, 10_001, 20_001)
    assert scores(matching, page, [span]) == [9_999]
    pairs = mapping(matching, page, span)
    assert pairs == [[level, 10_000 + level] for level in range(1, 10_000)]


def test_ten_thousand_levels_of_open_tables(matching: ModuleType) -> None:
    """Every level has a leaf besides, before the next level on one side and after it on the other."""
    levels = 10_000
    before = (
        np.tile(np.array([1, 2], dtype=np.int32), levels),
        np.array([(2 * left, 1) for left in range(levels, 0, -1)], dtype=np.int32).reshape(-1),
    )
    after = (
        np.repeat(np.array([1, 2], dtype=np.int32), levels),
        np.array([*range(2 * levels, 0, -2), *[1] * levels], dtype=np.int32),
    )
    page = joined(before, after)
    span = (1, 2 * levels + 1, 2 * levels + 1, 4 * levels + 1)
    # One side's leaf and next level cross the other's; the innermost level has a leaf alone.
    assert scores(matching, page, [span]) == [levels + 1]
    pairs = mapping(matching, page, span)
    assert pairs is not None
    assert len(pairs) == levels + 1


def test_a_node_with_100_000_children(matching: ModuleType) -> None:
    wide = 100_000

    def children(of: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        tag = (np.arange(wide + 1) % of + 1).astype(np.int32)
        size = np.ones(wide + 1, dtype=np.int32)
        tag[0], size[0] = 1, wide + 1
        return tag, size

    page = joined(children(2), children(3))
    span = (1, wide + 2, wide + 2, 2 * wide + 3)
    # 10 ** 10 cells are refused before any is filled; the same node against itself needs none.
    assert scores(matching, page, [span, (*span[:2], *span[:2])], 10**9) == [matching.UNKNOWN, wide + 1]
    assert mapping(matching, page, span, 10**9) is None
    assert mapping(matching, page, span) is None  # the table of decisions is bounded by memory, too
    narrow = (2, 2_002, wide + 3, wide + 2_003)
    assert len(mapping(matching, page, narrow) or ()) == scores(matching, page, [narrow])[0] > 1_000


def test_more_pairs_of_classes_than_the_memo_takes(matching: ModuleType) -> None:
    """Two runs of 80 trees, no two of them equal: 6,400 pairs of classes, of which 4,096 are remembered."""
    chooser = random.Random(7)
    kinds: set[Tree] = set()
    while len(kinds) < 160:
        leaves = chooser.choices(range(1, 4), k=8)
        kinds.add((1, (flat(leaves[:4]), flat(leaves[4:]))))
    run = sorted(kinds)
    chooser.shuffle(run)
    page = page_of_forest(run)
    half, end = (len(page) + 1) // 2, len(page)
    span = (1, half, half, end)
    expected = stm_forest(run[:80], run[80:])
    assert scores(matching, page, [span]) == [expected]
    assert len(mapping(matching, page, span) or ()) == expected


def test_nothing_against_nothing(matching: ModuleType) -> None:
    page = page_of_forest([])
    assert scores(matching, page, []) == []
    assert scores(matching, page, [(0, 0, 0, 0), (1, 1, 0, 1), (0, 1, 0, 1)]) == [0, 0, 1]
    assert mapping(matching, page, (0, 0, 0, 0)) == []


OUTSIDE = [(-1, 5, 5, 8), (1, 9, 5, 8), (1, 5, 5, 9), (1, 5, -4, 8)]
REVERSED = [(5, 1, 5, 8), (1, 5, 8, 5)]
CUT = [(1, 4, 5, 8), (1, 5, 5, 7)]


@pytest.mark.parametrize(
    ("span", "reason"),
    [(span, "is not within 0 to 8") for span in OUTSIDE + REVERSED] + [(span, "is not a run") for span in CUT],
)
def test_spans_that_are_no_runs_are_refused(matching: ModuleType, span: tuple[int, ...], reason: str) -> None:
    page = page_of_forest([flat([2, 3, 2]), flat([2, 3])])
    assert scores(matching, page, [(1, 5, 5, 8)]) == [3]
    with pytest.raises(ValueError, match=f"pair 1 has a span that {reason}"):
        scores(matching, page, [(1, 5, 5, 8), span])
    with pytest.raises(ValueError, match=f"pair 0 has a span that {reason}"):
        mapping(matching, page, span)


def test_arrays_that_are_no_pairs_are_refused(matching: ModuleType) -> None:
    page = page_of_forest([flat([2, 3, 2]), flat([2, 3])])
    pairs = np.array([[1, 5, 5, 8], [1, 5, 5, 8]], dtype=np.int32)
    for function in (matching.scores, matching.mapping):
        for other in (pairs[0], pairs[:, :3], pairs.reshape(4, 2)):
            with pytest.raises(ValueError, match="four numbers"):
                function(page.native, other, PLENTY)
        for other in (pairs.astype(np.int64), pairs[:, ::-1], np.asfortranarray(pairs)):
            with pytest.raises(ValueError, match=r"int32|length|contiguous|within"):
                function(page.native, other, PLENTY)
        with pytest.raises((TypeError, AttributeError)):
            function(None, pairs, PLENTY)
    with pytest.raises(ValueError, match="one pair"):
        matching.mapping(page.native, pairs, PLENTY)


@settings(max_examples=30)
@given(page=forests, chooser=st.randoms(use_true_random=False), budget=st.integers(0, 300))
def test_both_backends_know_the_same_scores(page: Page, chooser: random.Random, budget: int) -> None:
    """They spend a budget alike, so that a table does not depend on the backend."""
    pytest.importorskip("numba")
    numba_matching = importlib.import_module("fastwrap._numba.similarity.matching")
    spans = run_spans(page, chooser, 20)
    assert scores(cython_matching, page, spans, budget) == scores(numba_matching, page, spans, budget)
    for span in spans:
        assert mapping(cython_matching, page, span, budget) == mapping(numba_matching, page, span, budget)
