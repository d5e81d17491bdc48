"""The kernels of the method signal: both backends against the plain twin, and what regions and records promise."""

from __future__ import annotations

import importlib
from itertools import pairwise
from types import ModuleType
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.regions import contour as twin
from tests.reference.trees import Arrays, Tree, arrays_from_tuple, record_pages, trees

Ints: TypeAlias = npt.NDArray[np.int32]

pages = st.one_of(trees(40, 3), record_pages(), record_pages(20, 3, 2))


@pytest.fixture(scope="module", params=["cython", "numba"])
def kernel(request: pytest.FixtureRequest) -> ModuleType:
    if request.param == "numba":
        pytest.importorskip("numba")
        return importlib.import_module("fastwrap._numba.contour")
    return importlib.import_module("fastwrap._core.regions.contour")


def ints(values: object) -> Ints:
    return np.array(values, dtype=np.int32)


def rows(values: list[tuple[int, int]]) -> Ints:
    return ints(values).reshape(-1, 2)


def tag_paths(arrays: Arrays) -> Ints:
    """The symbol of each node: the number of its path of tags, in order of first appearance."""
    numbers: dict[tuple[int, ...], int] = {}
    paths: list[tuple[int, ...]] = []
    for tag, parent in zip(arrays.tag.tolist(), arrays.parent.tolist(), strict=True):
        paths.append((*paths[parent], tag) if parent >= 0 else (tag,))
        numbers.setdefault(paths[-1], len(numbers))
    return ints([numbers[path] for path in paths])


def in_order_of_appearance(labels: list[int]) -> Ints:
    numbers: dict[int, int] = {}
    return ints([numbers.setdefault(label, len(numbers)) for label in labels])


sequences = st.lists(st.integers(0, 12), max_size=60).map(in_order_of_appearance)


@settings(max_examples=300)
@given(symbols=sequences, shortest=st.integers(1, 6))
def test_regions_of_any_sequence(kernel: ModuleType, symbols: Ints, shortest: int) -> None:
    check_regions(kernel, symbols, shortest)


@settings(max_examples=300)
@given(tree=pages, shortest=st.integers(1, 6))
def test_regions_of_a_page(kernel: ModuleType, tree: Tree, shortest: int) -> None:
    check_regions(kernel, tag_paths(arrays_from_tuple(tree)), shortest)


def check_regions(kernel: ModuleType, symbols: Ints, shortest: int) -> None:
    found, slopes, signal = kernel.regions(symbols, shortest)
    assert (found.dtype, slopes.dtype, signal.dtype) == (np.int32, np.float64, np.float64)
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
def test_recurrences(kernel: ModuleType, tree: Tree, least: int, pause: float) -> None:
    arrays = arrays_from_tuple(tree)
    symbols = tag_paths(arrays)
    for regions in (twin.regions(symbols.tolist(), 2), [(0, len(symbols))], [(len(symbols) // 3, len(symbols))], []):
        check_recurrences(kernel, symbols, arrays.parent, regions, least, pause)


def check_recurrences(
    kernel: ModuleType, symbols: Ints, parent: Ints, regions: list[tuple[int, int]], least: int, pause: float
) -> None:
    positions, start, region, *measures = kernel.recurrences(symbols, parent, rows(regions), least, pause)
    assert {array.dtype for array in (positions, start, region)} == {np.dtype(np.int32)}
    expected = twin.recurrences(symbols.tolist(), parent.tolist(), regions, least, pause)
    assert [positions[a:b].tolist() for a, b in pairwise(start.tolist())] == [run.positions for run in expected]
    assert region.tolist() == [run.region for run in expected]
    np.testing.assert_allclose(measures, np.array([run[2:] for run in expected]).reshape(-1, 3).T, atol=1e-9)


def runs_of_one_path(arrays: Arrays) -> list[list[int]]:
    """Nodes with a path of tags in common: those are at one depth."""
    places: dict[int, list[int]] = {}
    for node, symbol in enumerate(tag_paths(arrays).tolist()):
        places.setdefault(symbol, []).append(node)
    return [nodes for nodes in places.values() if len(nodes) > 1]


@settings(max_examples=300)
@given(tree=pages, step=st.integers(1, 3))
def test_records(kernel: ModuleType, tree: Tree, step: int) -> None:
    arrays = arrays_from_tuple(tree)
    runs = [nodes[::step] for nodes in runs_of_one_path(arrays) if len(nodes[::step]) > 1]
    starts = ints(np.cumsum([0, *map(len, runs)]))
    spans = kernel.records(arrays.parent, arrays.size, ints([node for nodes in runs for node in nodes]), starts)
    assert spans.dtype == np.int32
    assert spans.shape == (starts[-1], 2)
    for nodes, (first, last) in zip(runs, pairwise(starts.tolist()), strict=True):
        found = [tuple(row) for row in spans[first:last].tolist()]
        assert found == twin.records(arrays.parent.tolist(), arrays.size.tolist(), nodes)
        for node, (start, end) in zip(nodes, found, strict=True):
            assert start <= node < end
            while start < end:
                assert arrays.parent[start] == arrays.parent[found[nodes.index(node)][0]]
                start += int(arrays.size[start])
            assert start == end
        for (_, end), (start, _) in pairwise(found):
            assert end <= start


def test_symbols_that_follow_their_parent_are_left_out(kernel: ModuleType) -> None:
    """A cell in each row cuts what the row cuts; two cells in a row do not."""
    symbols, parent = ints([0, 1, 2, 1, 2, 1, 2]), ints([-1, 0, 1, 0, 3, 0, 5])
    positions, start, *_ = kernel.recurrences(symbols, parent, rows([(0, 7)]), 3, 2.0)
    assert (positions.tolist(), start.tolist()) == ([1, 3, 5], [0, 3])
    symbols, parent = ints([0, 1, 2, 2, 1, 2, 1]), ints([-1, 0, 1, 1, 0, 4, 0])
    positions, start, *_ = kernel.recurrences(symbols, parent, rows([(0, 7)]), 3, 100.0)
    assert (positions.tolist(), start.tolist()) == ([1, 4, 6, 2, 3, 5], [0, 3, 6])


ONE, TWO, FLAT = ints([0]), ints([0, 1]), ints([0, 0, 0])


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("regions", (ints([0, 2]), 1), "symbol"),
        ("regions", (ints([0, -1]), 1), "symbol"),
        ("regions", (FLAT, 0), "one symbol or more"),
        ("recurrences", (ints([1]), ints([-1]), rows([]), 2, 2.0), "symbol"),
        ("recurrences", (ONE, ints([-1, 0]), rows([]), 2, 2.0), "differ in number"),
        ("recurrences", (TWO, ints([-1, 1]), rows([]), 2, 2.0), "parent"),
        ("recurrences", (TWO, ints([-1, 0]), rows([(0, 3)]), 2, 2.0), "region"),
        ("recurrences", (TWO, ints([-1, 0]), rows([(-1, 1)]), 2, 2.0), "region"),
        ("recurrences", (TWO, ints([-1, 0]), rows([(1, 0)]), 2, 2.0), "region"),
        ("recurrences", (TWO, ints([-1, 0]), rows([]), 1, 2.0), "two occurrences"),
        ("records", (ints([-1, 0, 0]), ints([3, 1]), ints([1, 2]), ints([0, 2])), "differ in number"),
        ("records", (ints([-1, 0, 0]), ints([3, 1, 1]), ints([1, 3]), ints([0, 2])), "node"),
        ("records", (ints([-1, 0, 0]), ints([3, 1, 1]), ints([1, 2]), ints([0, 1])), "runs"),
        ("records", (ints([-1, 0, 0]), ints([3, 1, 1]), ints([1, 2]), ints([])), "runs"),
        ("records", (ints([-1, 0, 0]), ints([3, 1, 1]), ints([1, 2]), ints([0, 1, 2])), "two nodes"),
        ("records", (ints([-1, 0, 1, 0]), ints([4, 2, 1, 1]), ints([2, 3]), ints([0, 2])), "depths"),
    ],
)
def test_bad_arguments(kernel: ModuleType, name: str, arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        getattr(kernel, name)(*arguments)


def test_a_long_list_is_one_run(kernel: ModuleType) -> None:
    """Each node is the only child of the one before, so all but the outermost symbol follow their parents."""
    symbols = ints(np.tile([0, 1, 2, 3, 4], 40_000))
    parent = ints(np.where(symbols == 0, -1, np.arange(len(symbols)) - 1))
    found, _, _ = kernel.regions(symbols, 4)
    assert found.tolist() == [[0, len(symbols)]]
    positions, start, *_ = kernel.recurrences(symbols, parent, found, 3, 2.0)
    assert start.tolist() == [0, 40_000]
    assert positions.tolist() == [*range(0, len(symbols), 5)]
