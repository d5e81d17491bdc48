"""The quality of sets of records: the native kernel against the plain one, and what the numbers mean."""

from __future__ import annotations

import itertools
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap.page.arrays import Int32Array
from tests.reference.regions import quality as plain

native = pytest.importorskip("fastwrap._core.regions.quality", reason="the compiled modules are not installed")


class Sets(NamedTuple):
    records: Int32Array
    first: Int32Array
    to_next: npt.NDArray[np.float64]
    before: npt.NDArray[np.float64]
    item: Int32Array
    oddness: float = 0.5
    full: float = 2.0


@pytest.fixture(scope="module", params=[native, plain], ids=["native", "plain"])
def kernel(request: pytest.FixtureRequest) -> ModuleType:
    module: ModuleType = request.param
    return module


@st.composite
def record_sets(draw: st.DrawFn) -> Sets:
    """Sets of adjacent records; likeness in eighths and whole letters, whose sums are exact."""
    nodes = draw(st.integers(4, 40))
    letters = draw(st.lists(st.integers(0, 9), min_size=nodes, max_size=nodes))
    item = draw(st.lists(st.integers(-1, 5).filter(lambda number: number < nodes), min_size=nodes, max_size=nodes))
    records, counts = [], []
    for _ in range(draw(st.integers(0, 5))):
        bounds = sorted(draw(st.lists(st.integers(0, nodes), min_size=3, max_size=8)))
        records += list(itertools.pairwise(bounds))
        counts.append(len(bounds) - 1)
    likeness = draw(st.lists(st.integers(0, 8), min_size=len(records), max_size=len(records)))
    return Sets(
        np.array(records, dtype=np.int32).reshape(-1, 2),
        np.array([0, *itertools.accumulate(counts)], dtype=np.int32),
        np.array(likeness, dtype=np.float64) / 8,
        np.array([0, *itertools.accumulate(letters)], dtype=np.float64),
        np.array(item, dtype=np.int32),
    )


def sets(likeness: list[float], letters: list[float], item: list[int] | None = None) -> Sets:
    """One set, a node a record."""
    count = len(letters)
    return Sets(
        np.array(list(itertools.pairwise(range(count + 1))), dtype=np.int32),
        np.array([0, count], dtype=np.int32),
        np.array([*likeness, 0.0]),
        np.array([0, *itertools.accumulate(letters)], dtype=np.float64),
        np.array(item or [0] * count, dtype=np.int32),
    )


@given(record_sets())
@settings(max_examples=300)
def test_quality_is_that_of_plain_python(given_: Sets) -> None:
    kept, *quality = native.measure(*given_)
    plain_kept, *plain_quality = plain.measure(*given_)
    assert kept.tolist() == plain_kept.tolist()
    for one, other in zip(quality, plain_quality, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


@given(record_sets())
def test_two_records_or_more_are_kept(given_: Sets) -> None:
    kept, letters, similarity, variety = native.measure(*given_)
    for number, (first, end) in enumerate(itertools.pairwise(given_.first.tolist())):
        assert kept[first:end].sum() >= 2
        assert kept[first + 1 : end - 1].all()
        spans = given_.records[first:end][kept[first:end]]
        assert letters[number] == (given_.before[spans[:, 1]] - given_.before[spans[:, 0]]).sum()
    assert (similarity >= 0).all()
    assert (similarity <= 1).all()
    assert (variety >= 0).all()
    assert (variety <= 1).all()


def test_odd_ends(kernel: ModuleType) -> None:
    """A pager is unlike the records and small; a short record is like them; a long one may be unlike them."""
    alike = [1.0, 1.0, 1.0]
    assert kernel.measure(*sets([0.5, *alike], [20, 90, 90, 90, 90]))[0].tolist() == [False, True, True, True, True]
    assert kernel.measure(*sets([*alike, 0.5], [90, 90, 90, 90, 20]))[0].tolist() == [True, True, True, True, False]
    assert kernel.measure(*sets([*alike, 1.0], [90, 90, 90, 90, 20]))[0].all()
    assert kernel.measure(*sets([*alike, 0.6], [90, 90, 90, 90, 90]))[0].all()
    assert kernel.measure(*sets([0.5], [20, 90]))[0].all()


def test_a_large_record_unlike_the_others_adds_little(kernel: ModuleType) -> None:
    _, _, alike, _ = kernel.measure(*sets([1.0, 1.0], [10, 10, 10]))
    _, _, unlike, _ = kernel.measure(*sets([1.0, 0.0, 0.0, 1.0], [10, 10, 160, 10, 10]))
    assert alike[0] == 1
    assert unlike[0] == pytest.approx(0.5 * 0.2)


@pytest.mark.parametrize(
    ("item", "variety"),
    [([0, 1, 0, 1], 1.0), ([0, 0, 1, 1], 0.5 ** (2 / 3) * 0.25), ([0, -1, -1, 0], 0.25), ([-1, -1, -1, -1], 0.0)],
)
def test_variety(kernel: ModuleType, item: list[int], variety: float) -> None:
    """Two records of two nodes: different items, the same item twice, one item each, none."""
    given_ = sets([1.0], [1, 1], item)._replace(
        records=np.array([[0, 2], [2, 4]], dtype=np.int32), before=np.arange(5.0)
    )
    assert kernel.measure(*given_)[3][0] == pytest.approx(variety)


@pytest.mark.parametrize(
    "wrong",
    [
        {"before": np.zeros(2)}, {"to_next": np.zeros(1)}, {"first": np.array([0, 1, 2], dtype=np.int32)},
        {"first": np.array([], dtype=np.int32)}, {"first": np.array([0, 1], dtype=np.int32)},
        {"records": np.array([[0, 1], [1, 9]], dtype=np.int32)},
        {"records": np.array([[1, 0], [1, 2]], dtype=np.int32)},
        {"item": np.array([0, 2], dtype=np.int32)}, {"records": np.zeros((2, 3), dtype=np.int32)},
    ],
)  # fmt: skip
def test_wrong_arrays_are_refused(kernel: ModuleType, wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"differ|cover|two records|within|items are"):
        kernel.measure(*sets([1.0], [1, 1])._replace(**wrong))


def test_no_sets(kernel: ModuleType) -> None:
    empty = Sets(np.empty((0, 2), dtype=np.int32), np.zeros(1, dtype=np.int32), np.empty(0), np.zeros(4),
                 np.zeros(3, dtype=np.int32))  # fmt: skip
    assert [array.tolist() for array in kernel.measure(*empty)] == [[], [], [], []]
