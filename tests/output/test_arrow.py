"""The kernel that builds Arrow arrays, against pyarrow."""

from __future__ import annotations

import gc
import math
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any

import polars
import pyarrow
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fastwrap._core.output.arrow import KINDS, Builder
from fastwrap.types import Money
from tests.reference.output import arrow as plain

zones = st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=30)), timezone(timedelta(hours=-8))])
SCALARS: dict[str, st.SearchStrategy[Any]] = {
    "u": st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    "l": st.integers(-(2**63), 2**63 - 1),
    "g": st.floats(allow_nan=False),
    "b": st.booleans(),
    "tdD": st.dates(),
    "ttu": st.times(),
    "tsu:": st.datetimes(),
    "tsu:UTC": st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=zones),
    "d:38,6": st.decimals(-(10**30), 10**30, places=4),
}


def typed(spec: Any) -> st.SearchStrategy[tuple[Any, st.SearchStrategy[Any]]]:
    return st.just((spec, SCALARS[spec]))


def within(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    lists = inner.map(lambda pair: (("+l", pair[0]), st.lists(st.none() | pair[1], max_size=4)))
    structs = st.lists(inner, min_size=1, max_size=3).map(
        lambda pairs: (
            ("+s", [(f"f{place}", spec) for place, (spec, _) in enumerate(pairs)]),
            st.fixed_dictionaries({f"f{place}": st.none() | values for place, (_, values) in enumerate(pairs)}),
        )
    )
    return lists | structs


types = st.recursive(st.sampled_from(list(SCALARS)).flatmap(typed), within, max_leaves=4)


@st.composite
def filled(draw: st.DrawFn) -> tuple[Any, list[Any]]:
    spec, values = draw(types)
    return spec, draw(st.lists(st.none() | values, max_size=20))


@settings(max_examples=1500)
@given(filled(), st.integers(0, 20))
def test_arrays(case: tuple[Any, list[Any]], cut: int) -> None:
    """All at once, and in two parts that the builder hands over one after the other."""
    spec, values = case
    builder = Builder(spec)
    builder.extend(values)
    assert len(builder) == len(values)
    found = pyarrow.array(builder.finish())
    found.validate(full=True)
    assert found.equals(plain.array(spec, values))
    assert found.type == plain.type_of(spec)
    for part in (values[:cut], values[cut:]):
        for value in part:
            builder.append(value)
        again = pyarrow.array(builder.finish())
        again.validate(full=True)
        assert again.equals(plain.array(spec, part))
    assert len(builder) == 0


class Nothing:
    """What no type can hold."""


@settings(max_examples=500)
@given(filled(), st.integers(0, 20))
def test_what_fails_leaves_nothing(case: tuple[Any, list[Any]], cut: int) -> None:
    spec, values = case
    row = ("+s", [("first", spec), ("list", ("+l", spec)), ("last", "l")])
    rows = [{"first": value, "list": [value, None], "last": 1} for value in values]
    builder = Builder(row)
    builder.extend(rows[:cut])
    for wrong in (
        {"first": None, "list": [None, *values[:3], Nothing()], "last": 1},
        {"first": None, "list": values, "last": Nothing()},
        (None, values),
    ):
        with pytest.raises((TypeError, ValueError)):
            builder.extend([*rows, wrong])
        with pytest.raises((TypeError, ValueError)):
            builder.append(wrong)
        assert len(builder) == len(rows[:cut])
    builder.extend(rows[cut:])
    found = pyarrow.array(builder.finish())
    found.validate(full=True)
    assert found.equals(plain.array(row, rows))


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        ("u", 1), ("u", b"a"), ("u", "\ud800"), ("l", 2**63), ("l", 1.5), ("l", True), ("g", 1), ("g", "1"), ("b", 1),
        ("tdD", datetime(2024, 1, 2)), ("tdD", "2024-01-02"), ("ttu", time(1, tzinfo=UTC)),
        ("tsu:", datetime(2024, 1, 2, tzinfo=UTC)), ("tsu:UTC", datetime(2024, 1, 2)), ("tsu:", date(2024, 1, 2)),
        ("d:5,2", Decimal("1000")), ("d:5,2", Decimal("0.001")), ("d:5,2", Decimal("1E+40")),
        ("d:5,2", Decimal("NaN")), ("d:5,2", 1.0), (("+l", "u"), "a"), (("+l", "u"), ("a",)),
        (("+s", [("a", "u")]), "a"), (("+s", [("a", "u")]), ("a", "b")), (("+s", [("a", "u")]), {"b": "a"}),
    ],
)  # fmt: skip
def test_values_of_other_types_are_refused(spec: Any, value: Any) -> None:
    builder = Builder(spec)
    with pytest.raises((TypeError, ValueError, OverflowError)):
        builder.append(value)
    builder.append(None)
    assert pyarrow.array(builder.finish()).to_pylist() == [None]


@pytest.mark.parametrize("spec", ["x", "d:39,2", "d:5,6", "d:a", ("+l", "x"), ("+m", "u"), ("+s", [("a", 1)]), 1, None])
def test_what_is_no_type(spec: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        Builder(spec)
    deep: Any = "u"
    for _ in range(40):
        deep = ("+l", deep)
    with pytest.raises(ValueError, match="levels"):
        Builder(deep)


def test_money_and_records() -> None:
    builder = Builder(("+s", [("title", "u"), ("price", ("+s", [("amount", "d:18,2"), ("currency", "u")]))]))
    builder.append({"title": "Tea", "price": Money(Decimal("2.50"), "EUR")})
    builder.append({"title": "Pot"})
    built = builder.finish()
    batch = pyarrow.record_batch(built)
    assert batch.to_pylist() == [
        {"title": "Tea", "price": {"amount": Decimal("2.50"), "currency": "EUR"}},
        {"title": "Pot", "price": None},
    ]
    with pytest.raises(ValueError, match="taken"):
        pyarrow.record_batch(built)
    builder.append(("Cup", None))
    assert polars.Series(builder.finish()).to_list() == [{"title": "Cup", "price": None}]


@example([math.nan, math.inf, -0.0, None])
@given(st.lists(st.floats() | st.none()))
def test_numbers_that_are_none(values: list[float | None]) -> None:
    builder = Builder("g")
    builder.extend(values)
    assert repr(pyarrow.array(builder.finish()).to_pylist()) == repr(values)


def test_arrays_outlive_what_made_them() -> None:
    """And what nobody takes is freed: counted by pyarrow's own pool no more than by ours, so this is for sanitizers."""
    arrays = []
    for number in range(200):
        builder = Builder(("+l", ("+s", [("a", "u"), ("b", "b")])))
        builder.extend([[("x" * number, True)] * 3, None, []] * 5)
        built, _ = builder.finish(), Builder("u").finish().__arrow_c_array__()
        if number % 2:
            arrays.append(pyarrow.array(built))
        del builder, built
    gc.collect()
    assert [len(array) for array in arrays] == [15] * 100
    assert arrays[-1][0].as_py() == [{"a": "x" * 199, "b": True}] * 3
    assert set(KINDS) < {*SCALARS}
