"""Rows of tables, transposed, nested and compared: the kernel against its oracle."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap._core.columns import table as native
from tests.reference.columns import table as plain


@st.composite
def grouped_rows(draw: st.DrawFn) -> tuple[list[list[Any]], list[list[int]]]:
    """Rows with nested lists, whose columns have as many entries in each row, and the groups of columns."""
    widths = draw(st.lists(st.integers(1, 3), min_size=1, max_size=5))
    groups, column = [], 0
    for width in widths:
        groups.append(list(range(column, column + width)))
        column += width
    rows = []
    for _ in range(draw(st.integers(0, 4))):
        row: list[Any] = []
        for width in widths:
            entries = draw(st.none() | st.integers(0, 3))
            if width == 1 and draw(st.booleans()):
                row.append("single")
            else:
                row += [None if entries is None else [f"{len(row)} {k}" for k in range(entries)] for _ in range(width)]
        rows.append(row)
    return rows, groups


@settings(max_examples=1_000)
@given(grouped_rows())
def test_nested_rows(given_rows: tuple[list[list[Any]], list[list[int]]]) -> None:
    rows, groups = given_rows
    found = native.nested(rows, groups)
    assert found == plain.nested(rows, groups)
    assert all(len(row) == len(groups) for row in found)


@settings(max_examples=200)
@given(rows=st.integers(0, 5).flatmap(lambda width: st.lists(st.lists(st.integers(), min_size=width, max_size=width))))
def test_transposed_rows(rows: list[list[int]]) -> None:
    width = len(rows[0]) if rows else 0
    found = native.transposed(rows, width)
    assert found == plain.transposed(rows, width) == [list(column) for column in zip(*rows, strict=True)]
    assert native.transposed(found, len(rows)) == rows


@settings(max_examples=500)
@given(
    rows=st.integers(0, 3).flatmap(
        lambda width: st.lists(
            st.lists(st.sampled_from(["a", "b", None, ["a"], ["a", None], []]), min_size=width, max_size=width)
        )
    ),
    share=st.sampled_from([0.5, 0.6, 0.8, 1.0]),
)
def test_fixed_columns(rows: list[list[Any]], share: float) -> None:
    width = len(rows[0]) if rows else 2
    assert native.fixed(rows, width, share * len(rows)) == plain.fixed(rows, width, share * len(rows))


@pytest.mark.parametrize("module", [native, plain], ids=["native", "plain"])
def test_what_is_refused(module: ModuleType) -> None:
    with pytest.raises(ValueError, match="length"):
        module.transposed([[1, 2], [3]], 2)
    with pytest.raises(ValueError, match="length"):
        module.fixed([[1, 2], [3]], 2, 2)
    with pytest.raises(ValueError, match="half"):
        module.fixed([[1], [3], [1]], 1, 1.4)
    for rows, groups, message in (
        ([[1]], [[1]], "no such column"),
        ([[1]], [[-1]], "no such column"),
        ([[1]], [[]], "a column or more"),
    ):
        with pytest.raises(ValueError, match=message):
            module.nested(rows, groups)
    with pytest.raises(ValueError, match=r"length|argument"):
        module.nested([[[1, 2], [3]]], [[0, 1]])
