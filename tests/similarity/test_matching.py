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

from fastwrap._core.similarity import matching as cython_matching
from tests.reference.similarity.matching import stm, stm_forest
from tests.reference.trees import NO_NODE, Arrays, Tree, arrays_from_forest, record_pages, trees, tuples_from_span

Spans = npt.NDArray[np.int32]
"""[pairs, 4] left_start, left_end, right_start, right_end."""

PLENTY = 10**12


@pytest.fixture(scope="module", params=["cython", "numba"])
def matching(request: pytest.FixtureRequest) -> ModuleType:
    if request.param == "cython":
        return cython_matching
    pytest.importorskip("numba")
    return importlib.import_module("fastwrap._numba.matching")


def scores(matching: ModuleType, arrays: Arrays, spans: Any, budget: int = PLENTY) -> list[int]:
    columns = [np.ascontiguousarray(column) for column in np.array(spans, dtype=np.int32).reshape(-1, 4).T]
    result = matching.scores(arrays.tag, arrays.size, arrays.class_id, *columns, budget)
    assert result.dtype == np.int32
    return [int(score) for score in result]


def mapping(matching: ModuleType, arrays: Arrays, span: Any, budget: int = PLENTY) -> list[list[int]] | None:
    result = matching.mapping(arrays.tag, arrays.size, arrays.class_id, *map(int, span), budget)
    if result is None:
        return None
    assert result.dtype == np.int32
    assert result.shape[1:] == (2,)
    pairs: list[list[int]] = result.tolist()
    return pairs


def twin_score(arrays: Arrays, span: Any) -> int:
    left_start, left_end, right_start, right_end = map(int, span)
    left = tuples_from_span(arrays, left_start, left_end)
    right = tuples_from_span(arrays, right_start, right_end)
    return stm_forest(left, right)


def tree_spans(arrays: Arrays) -> Spans:
    """Every node against every node."""
    ends = np.arange(len(arrays.size)) + arrays.size
    pairs = itertools.product(enumerate(ends), repeat=2)
    return np.array([(left, end, right, stop) for (left, end), (right, stop) in pairs], dtype=np.int32)


def run_spans(arrays: Arrays, chooser: random.Random, pairs: int) -> Spans:
    """Pairs of runs, chosen from all runs of adjacent siblings, empty ones and whole forests among them."""
    children: dict[int, list[int]] = {}
    for node, parent in enumerate(arrays.parent.tolist()):
        children.setdefault(parent, []).append(node)
    bounds = [[*nodes, nodes[-1] + int(arrays.size[nodes[-1]])] for parent, nodes in children.items() if nodes]

    def choose() -> list[int]:
        return sorted(chooser.choices(chooser.choice(bounds), k=2))

    return np.array([choose() + choose() for _ in range(pairs)], dtype=np.int32)


@st.composite
def forests(draw: st.DrawFn) -> Arrays:
    """Two random trees or one page with records, read-only as the arrays of a page are."""
    forest = draw(st.tuples(trees(), trees()) | st.tuples(record_pages(max_records=5, max_leaves=6)))
    arrays = arrays_from_forest(forest)
    for array in vars(arrays).values():
        array.flags.writeable = False
    return arrays


@settings(max_examples=40)
@given(arrays=forests())
def test_trees_score_as_the_twin_says(matching: ModuleType, arrays: Arrays) -> None:
    spans = tree_spans(arrays)[:1500]
    expected = [
        stm(tuples_from_span(arrays, left, end)[0], tuples_from_span(arrays, right, stop)[0])
        for left, end, right, stop in spans.tolist()
    ]
    assert scores(matching, arrays, spans) == expected


@settings(max_examples=60)
@given(arrays=forests(), chooser=st.randoms(use_true_random=False))
def test_runs_score_as_the_twin_says(matching: ModuleType, arrays: Arrays, chooser: random.Random) -> None:
    spans = run_spans(arrays, chooser, 40)
    assert scores(matching, arrays, spans) == [twin_score(arrays, span) for span in spans]


@settings(max_examples=30)
@given(arrays=forests(), chooser=st.randoms(use_true_random=False))
def test_a_batch_scores_as_its_pairs_alone(matching: ModuleType, arrays: Arrays, chooser: random.Random) -> None:
    """The memo that the pairs of a batch share changes no score."""
    spans = run_spans(arrays, chooser, 20)
    assert scores(matching, arrays, spans) == [scores(matching, arrays, span)[0] for span in spans]


@settings(max_examples=30)
@given(arrays=forests(), chooser=st.randoms(use_true_random=False))
def test_classes_are_a_short_cut_only(matching: ModuleType, arrays: Arrays, chooser: random.Random) -> None:
    """With a class for every node nothing is equal, first and last trees included, and no score changes."""
    apart = np.arange(len(arrays.tag), dtype=np.int32)
    different = Arrays(arrays.tag, arrays.parent, arrays.size, arrays.depth, apart)
    spans = run_spans(arrays, chooser, 20)
    assert scores(matching, different, spans) == scores(matching, arrays, spans)


@settings(max_examples=30)
@given(arrays=forests(), chooser=st.randoms(use_true_random=False))
def test_identities(matching: ModuleType, arrays: Arrays, chooser: random.Random) -> None:
    spans = run_spans(arrays, chooser, 20)
    left, right = spans[:, :2], spans[:, 2:]
    found = np.array(scores(matching, arrays, spans))
    assert scores(matching, arrays, np.hstack([left, left])) == (left[:, 1] - left[:, 0]).tolist()
    assert scores(matching, arrays, np.hstack([right, left])) == found.tolist()
    assert (found >= 0).all()
    assert (found <= np.minimum(left[:, 1] - left[:, 0], right[:, 1] - right[:, 0])).all()


@settings(max_examples=50)
@given(arrays=forests(), chooser=st.randoms(use_true_random=False))
def test_a_mapping_keeps_tags_levels_order_and_ancestry(
    matching: ModuleType, arrays: Arrays, chooser: random.Random
) -> None:
    tag, parent = arrays.tag.tolist(), arrays.parent.tolist()
    spans = run_spans(arrays, chooser, 10)
    for span, score in zip(spans.tolist(), scores(matching, arrays, spans), strict=True):
        pairs = mapping(matching, arrays, span)
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
@given(arrays=forests(), chooser=st.randoms(use_true_random=False), budget=st.integers(0, 300))
def test_a_budget_makes_scores_unknown_but_never_wrong(
    matching: ModuleType, arrays: Arrays, chooser: random.Random, budget: int
) -> None:
    spans = run_spans(arrays, chooser, 20)
    exact = scores(matching, arrays, spans)
    assert matching.UNKNOWN not in exact
    for score, expected in zip(scores(matching, arrays, spans, budget), exact, strict=True):
        assert score in (expected, matching.UNKNOWN)
    for span, expected in zip(spans, exact, strict=True):
        pairs = mapping(matching, arrays, span, budget)
        assert pairs is None or len(pairs) == expected


def flat(tags: list[int]) -> Tree:
    return (1, tuple((tag, ()) for tag in tags))


def test_the_budget_counts_the_cells_of_all_tables(matching: ModuleType) -> None:
    arrays = arrays_from_forest([flat([1, 2, 3, 1]), flat([2, 1, 3, 2]), flat([3, 1, 2, 3])])
    spans = [(0, 5, 5, 10), (5, 10, 10, 15)]
    cells = 5 * 5 - 1  # the edges count, their common corner does not
    assert scores(matching, arrays, spans, 2 * cells) == [3, 3]
    assert scores(matching, arrays, spans, 2 * cells - 1) == [3, matching.UNKNOWN]
    assert scores(matching, arrays, spans, cells - 1) == [matching.UNKNOWN] * 2
    assert mapping(matching, arrays, spans[0], 2 * cells) is not None
    assert mapping(matching, arrays, spans[0], cells - 1) is None
    run = [(1, 5, 6, 10)]
    walk = 4 + 4  # a run of several trees is walked once more, to see that it is one
    assert scores(matching, arrays, run, cells + walk) == [2]
    assert scores(matching, arrays, run, cells + walk - 1) == [matching.UNKNOWN]


def test_a_pair_too_large_does_not_stop_the_pairs_after_it(matching: ModuleType) -> None:
    """Not even if it is given up inside the table of another one."""
    wide: list[Tree] = [flat([1, 2] * 50), flat([2, 3] * 50)]
    nested: list[Tree] = [(1, (flat([2]), tree, flat([3]))) for tree in wide]
    small: list[Tree] = [flat([1, 2, 3]), flat([3, 2])]
    arrays = arrays_from_forest([*wide, *nested, *small])
    start = np.flatnonzero(arrays.parent == NO_NODE).tolist()
    end = [*start[1:], len(arrays.tag)]
    spans = [(start[left], end[left], start[left + 1], end[left + 1]) for left in (0, 2, 4)]
    assert scores(matching, arrays, spans, 2000) == [matching.UNKNOWN, matching.UNKNOWN, 2]


def chain(length: int, tag: int, last: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    tags = np.full(length, tag, dtype=np.int32)
    tags[-1] = last
    return tags, np.arange(length, 0, -1, dtype=np.int32)


def joined(*pages: tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]) -> Arrays:
    """Arrays of pages given by tag and size, with all classes different."""
    tag, size = (np.concatenate(part) for part in zip(*pages, strict=True))
    unused = np.full(len(tag), NO_NODE, dtype=np.int32)
    return Arrays(tag, unused, size, unused, np.arange(len(tag), dtype=np.int32))


def test_ten_thousand_levels(matching: ModuleType) -> None:
    arrays = joined(chain(10_000, 1, 1), chain(10_000, 1, 2))
    span = (0, 10_000, 10_000, 20_000)
    assert scores(matching, arrays, [span]) == [9_999]
    pairs = mapping(matching, arrays, span)
    assert pairs == [[level, 10_000 + level] for level in range(9_999)]


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
    arrays = joined(before, after)
    span = (0, 2 * levels, 2 * levels, 4 * levels)
    # One side's leaf and next level cross the other's; the innermost level has a leaf alone.
    assert scores(matching, arrays, [span]) == [levels + 1]
    pairs = mapping(matching, arrays, span)
    assert pairs is not None
    assert len(pairs) == levels + 1


def test_a_node_with_100_000_children(matching: ModuleType) -> None:
    wide = 100_000

    def children(of: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        tag = (np.arange(wide + 1) % of + 1).astype(np.int32)
        size = np.ones(wide + 1, dtype=np.int32)
        tag[0], size[0] = 1, wide + 1
        return tag, size

    arrays = joined(children(2), children(3))
    span = (0, wide + 1, wide + 1, 2 * wide + 2)
    # 10 ** 10 cells are refused before any is filled; the same node against itself needs none.
    assert scores(matching, arrays, [span, (*span[:2], *span[:2])], 10**9) == [matching.UNKNOWN, wide + 1]
    assert mapping(matching, arrays, span, 10**9) is None
    assert mapping(matching, arrays, span) is None  # the table of decisions is bounded by memory, too
    narrow = (1, 2_001, wide + 2, wide + 2_002)
    assert len(mapping(matching, arrays, narrow) or ()) == scores(matching, arrays, [narrow])[0] > 1_000


def test_more_pairs_of_classes_than_the_memo_takes(matching: ModuleType) -> None:
    """Two runs of 80 trees, no two of them equal: 6,400 pairs of classes, of which 4,096 are remembered."""
    chooser = random.Random(7)
    kinds: set[Tree] = set()
    while len(kinds) < 160:
        leaves = chooser.choices(range(1, 4), k=8)
        kinds.add((1, (flat(leaves[:4]), flat(leaves[4:]))))
    run = sorted(kinds)
    chooser.shuffle(run)
    arrays = arrays_from_forest(run)
    half, end = len(arrays.tag) // 2, len(arrays.tag)
    span = (0, half, half, end)
    expected = stm_forest(run[:80], run[80:])
    assert scores(matching, arrays, [span]) == [expected]
    assert len(mapping(matching, arrays, span) or ()) == expected


def test_nothing_against_nothing(matching: ModuleType) -> None:
    arrays = arrays_from_forest([])
    assert scores(matching, arrays, []) == []
    assert scores(matching, arrays, [(0, 0, 0, 0)]) == [0]
    assert mapping(matching, arrays, (0, 0, 0, 0)) == []


OUTSIDE = [(-1, 4, 4, 7), (0, 8, 4, 7), (0, 4, 4, 8), (0, 4, -4, 7)]
REVERSED = [(4, 0, 4, 7), (0, 4, 7, 4)]
CUT = [(0, 3, 4, 7), (0, 4, 4, 6)]


@pytest.mark.parametrize(
    ("span", "reason"),
    [(span, "is not within") for span in OUTSIDE + REVERSED] + [(span, "is not a run") for span in CUT],
)
def test_spans_that_are_no_runs_are_refused(matching: ModuleType, span: tuple[int, ...], reason: str) -> None:
    arrays = arrays_from_forest([flat([2, 3, 2]), flat([2, 3])])
    assert scores(matching, arrays, [(0, 4, 4, 7)]) == [3]
    with pytest.raises(ValueError, match=reason):
        scores(matching, arrays, [span])
    with pytest.raises(ValueError, match=reason):
        mapping(matching, arrays, span)


@pytest.mark.parametrize("shorter", range(7))
def test_arrays_of_different_lengths_are_refused(matching: ModuleType, shorter: int) -> None:
    arrays = arrays_from_forest([flat([2, 3, 2]), flat([2, 3])])
    spans = [np.array([bound, bound], dtype=np.int32) for bound in (0, 4, 4, 7)]
    given = [arrays.tag, arrays.size, arrays.class_id, *spans]
    given[shorter] = given[shorter][:-1]
    with pytest.raises(ValueError, match=r"length|within"):
        matching.scores(*given, PLENTY)
    if shorter < 3:
        with pytest.raises(ValueError, match=r"length|within"):
            matching.mapping(*given[:3], 0, 4, 4, 7, PLENTY)


def test_other_types_than_int32_are_refused(matching: ModuleType) -> None:
    arrays = arrays_from_forest([flat([2])])
    one = np.array([0], dtype=np.int32)
    with pytest.raises(ValueError, match="int"):
        matching.scores(arrays.tag.astype(np.int64), arrays.size, arrays.class_id, one, one, one, one, PLENTY)


@settings(max_examples=30)
@given(arrays=forests(), chooser=st.randoms(use_true_random=False), budget=st.integers(0, 300))
def test_both_backends_know_the_same_scores(arrays: Arrays, chooser: random.Random, budget: int) -> None:
    """They spend a budget alike, so that a table does not depend on the backend."""
    pytest.importorskip("numba")
    numba_matching = importlib.import_module("fastwrap._numba.matching")
    spans = run_spans(arrays, chooser, 20)
    assert scores(cython_matching, arrays, spans, budget) == scores(numba_matching, arrays, spans, budget)
    for span in spans:
        assert mapping(cython_matching, arrays, span, budget) == mapping(numba_matching, arrays, span, budget)
