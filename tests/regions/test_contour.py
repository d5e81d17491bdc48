"""The kernels of the method signal: each against its plain twin, and what regions and records promise."""

from __future__ import annotations

from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import Page
from fastwrap._core.regions import contour
from tests.helpers.pages import page_of
from tests.helpers.tree_pages import tree_page
from tests.reference.regions import contour as twin
from tests.reference.trees import Tree, record_pages, trees

Ints: TypeAlias = npt.NDArray[np.int32]

pages = st.one_of(trees(40, 3), record_pages(), record_pages(20, 3, 2))


def ints(values: object) -> Ints:
    return np.array(values, dtype=np.int32)


def rows(values: list[tuple[int, int]]) -> Ints:
    return ints(values).reshape(-1, 2)


def tag_paths(page: Page) -> Ints:
    """The symbol of each node: the number of its path of tags, in order of first appearance."""
    numbers: dict[tuple[int, ...], int] = {}
    paths: list[tuple[int, ...]] = []
    for tag, parent in zip(page.tag.tolist(), page.parent.tolist(), strict=True):
        paths.append((*paths[parent], tag) if parent >= 0 else (tag,))
        numbers.setdefault(paths[-1], len(numbers))
    return ints([numbers[path] for path in paths])


def in_order_of_appearance(labels: list[int]) -> Ints:
    numbers: dict[int, int] = {}
    return ints([numbers.setdefault(label, len(numbers)) for label in labels])


sequences = st.lists(st.integers(0, 12), max_size=60).map(in_order_of_appearance)


@settings(max_examples=300)
@given(symbols=sequences, shortest=st.integers(1, 6))
def test_regions_of_any_sequence(symbols: Ints, shortest: int) -> None:
    check_regions(symbols, shortest)


@settings(max_examples=300)
@given(tree=pages, shortest=st.integers(1, 6))
def test_regions_of_a_page(tree: Tree, shortest: int) -> None:
    check_regions(tag_paths(tree_page(tree)), shortest)


def check_regions(symbols: Ints, shortest: int) -> None:
    found, slopes, signal = contour.regions(symbols, shortest)
    assert [array.dtype.name for array in (found, slopes, signal)] == ["int32", "float64", "float64"]
    expected = twin.regions(symbols.tolist(), shortest)
    assert [tuple(row) for row in found.tolist()] == expected
    level = np.zeros(len(symbols))
    for (start, end), slope in zip(expected, slopes.tolist(), strict=True):
        expected_slope, intercept = twin.regression_line(symbols.tolist(), start, end)
        assert slope == pytest.approx(expected_slope, abs=1e-9)
        level[start:end] = symbols[start:end] - intercept - expected_slope * np.arange(start, end)
    np.testing.assert_allclose(signal, level, atol=1e-7)
    for (_, end), (start, _) in pairwise(expected):
        assert end <= start


@settings(max_examples=300)
@given(tree=pages, least=st.integers(2, 4), pause=st.sampled_from([1.0, 1.5, 2.0, 3.0, 100.0]))
def test_recurrences(tree: Tree, least: int, pause: float) -> None:
    page = tree_page(tree)
    symbols = tag_paths(page)
    for regions in (twin.regions(symbols.tolist(), 2), [(0, len(symbols))], [(len(symbols) // 3, len(symbols))], []):
        check_recurrences(page, symbols, regions, least, pause)


@settings(max_examples=200)
@given(before=trees(5), tree=pages)
def test_recurrences_are_those_of_the_body(before: Tree, tree: Tree) -> None:
    whole = tree_page((9, (before, tree)))
    page = tree_page((9, (before, tree)), body=1 + int(whole.size[1]))
    symbols = in_order_of_appearance(tag_paths(page)[page.body :].tolist())
    check_recurrences(page, symbols, [(0, len(symbols))], 2, 2.0)


def check_recurrences(page: Page, symbols: Ints, regions: list[tuple[int, int]], least: int, pause: float) -> None:
    nodes, start, region, *measures = contour.recurrences(page.native, symbols, rows(regions), least, pause)
    assert {array.dtype for array in (nodes, start, region)} == {np.dtype(np.int32)}
    parents = (page.parent[page.body :] - page.body).tolist()
    expected = twin.recurrences(symbols.tolist(), parents, regions, least, pause)
    positions = nodes - page.body
    assert [positions[a:b].tolist() for a, b in pairwise(start.tolist())] == [run.positions for run in expected]
    assert region.tolist() == [run.region for run in expected]
    np.testing.assert_allclose(measures, np.array([run[2:] for run in expected]).reshape(-1, 3).T, atol=1e-9)


def runs_of_one_path(page: Page) -> list[list[int]]:
    """Nodes with a path of tags in common: those are at one depth."""
    places: dict[int, list[int]] = {}
    for node, symbol in enumerate(tag_paths(page).tolist()):
        places.setdefault(symbol, []).append(node)
    return [nodes for nodes in places.values() if len(nodes) > 1]


@settings(max_examples=300)
@given(tree=pages, step=st.integers(1, 3))
def test_records(tree: Tree, step: int) -> None:
    page = tree_page(tree)
    runs = [nodes[::step] for nodes in runs_of_one_path(page) if len(nodes[::step]) > 1]
    starts = ints(np.cumsum([0, *map(len, runs)]))
    spans = contour.records(page.native, ints([node for nodes in runs for node in nodes]), starts)
    assert spans.dtype == np.int32
    assert spans.shape == (starts[-1], 2)
    for nodes, (first, last) in zip(runs, pairwise(starts.tolist()), strict=True):
        found = [tuple(row) for row in spans[first:last].tolist()]
        assert found == twin.records(page.parent.tolist(), page.size.tolist(), nodes)
        for node, (start, end) in zip(nodes, found, strict=True):
            assert start <= node < end
            while start < end:
                assert page.parent[start] == page.parent[found[nodes.index(node)][0]]
                start += int(page.size[start])
            assert start == end
        for (_, end), (start, _) in pairwise(found):
            assert end <= start


def test_symbols_that_follow_their_parent_are_left_out() -> None:
    """A cell in each row cuts what the row cuts; two cells in a row do not."""
    symbols, page = ints([0, 1, 2, 1, 2, 1, 2]), page_of([9] * 7, [-1, 0, 1, 0, 3, 0, 5])
    nodes, start, region, *measures = contour.recurrences(page.native, symbols, rows([(0, 7)]), 3, 2.0)
    assert (nodes.tolist(), start.tolist()) == ([1, 3, 5], [0, 3])
    assert [region.tolist(), *(measure.tolist() for measure in measures)] == [[0], [2.0], [6 / 7], [1.0]]
    symbols, page = ints([0, 1, 2, 2, 1, 2, 1]), page_of([9] * 7, [-1, 0, 1, 1, 0, 4, 0])
    nodes, start, *_ = contour.recurrences(page.native, symbols, rows([(0, 7)]), 3, 100.0)
    assert (nodes.tolist(), start.tolist()) == ([1, 4, 6, 2, 3, 5], [0, 3, 6])


def test_a_record_ends_before_the_next_and_the_last_is_not_longer() -> None:
    page = page_of([9] * 7, [-1, 0, 1, 0, 0, 4, 0])
    assert contour.records(page.native, ints([2, 5]), ints([0, 2])).tolist() == [[1, 4], [4, 7]]


ONE, TWO = page_of([9], [-1]).native, page_of([9, 9], [-1, 0]).native
FLAT, DEEP = page_of([9] * 3, [-1, 0, 0]).native, page_of([9] * 4, [-1, 0, 1, 0]).native


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("regions", (ints([0, 2]), 1), "symbol"),
        ("regions", (ints([0, -1]), 1), "symbol"),
        ("regions", (ints([0, 0, 0]), 0), "one symbol or more"),
        ("recurrences", (ONE, ints([1]), rows([]), 2, 2.0), "symbol"),
        ("recurrences", (ONE, ints([0, 0]), rows([]), 2, 2.0), "differ in length"),
        ("recurrences", (TWO, ints([0, 1]), rows([(0, 3)]), 2, 2.0), "region"),
        ("recurrences", (TWO, ints([0, 1]), rows([(-1, 1)]), 2, 2.0), "region"),
        ("recurrences", (TWO, ints([0, 1]), rows([(1, 0)]), 2, 2.0), "region"),
        ("recurrences", (TWO, ints([0, 1]), ints([[0, 1, 2]]), 2, 2.0), "differ in length"),
        ("recurrences", (TWO, ints([0, 1]), rows([]), 1, 2.0), "two occurrences"),
        ("records", (FLAT, ints([1, 3]), ints([0, 2])), "node"),
        ("records", (FLAT, ints([1, 2]), ints([0, 1])), "runs"),
        ("records", (FLAT, ints([1, 2]), ints([])), "runs"),
        ("records", (FLAT, ints([1, 2]), ints([0, 1, 2])), "two nodes"),
        ("records", (DEEP, ints([2, 3]), ints([0, 2])), "depths"),
    ],
)
def test_bad_arguments(name: str, arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        getattr(contour, name)(*arguments)


def test_a_long_list_is_one_run() -> None:
    """Each node is the only child of the one before, so all but the outermost symbol follow their parents."""
    symbols = ints([0, *[1, 2, 3, 4, 5] * 40_000])
    numbers = np.arange(len(symbols))
    page = page_of([9] * len(symbols), np.where(symbols == 0, -1, np.where(symbols == 1, 0, numbers - 1)))
    found, _, _ = contour.regions(symbols, 4)
    assert found.tolist() == [[1, len(symbols)]]
    nodes, start, *_ = contour.recurrences(page.native, symbols, found, 3, 2.0)
    assert start.tolist() == [0, 40_000]
    assert nodes.tolist() == [*range(1, len(symbols), 5)]
