"""Tables of data: any objects become a table that can be written, with names that differ and values in their places."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import Page
from fastwrap._core.structured.flattening import flatten
from fastwrap.columns import agreement
from fastwrap.columns.data import names_of, table_of
from fastwrap.extraction import DataRegion
from fastwrap.regions.data import FoundData, Link
from fastwrap.structured import ObjectArray

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=8),
    st.sampled_from(["12.50", "EUR", "USD", "2024-05-03", "/a/b", "https://x.example/i.png", "a &amp; b", "2h 10m"]),
)  # fmt: skip
KEYS = st.sampled_from(["name", "price", "priceCurrency", "url", "image", "id", "a", "b", "@type", "", "offers", "x.y"])
VALUES = st.recursive(
    SCALARS,
    lambda below: st.one_of(st.lists(below, max_size=3), st.dictionaries(KEYS, below, max_size=3)),
    max_leaves=6,
)
OBJECTS = st.lists(st.dictionaries(KEYS, VALUES, max_size=6), min_size=1, max_size=6)


def region_of(objects: list[dict[str, Any]]) -> DataRegion:
    array = ObjectArray("state", "items", objects)
    return DataRegion(Page("", "https://x.example/"), FoundData(array, 1.0, {"data": "state items"}))


@settings(max_examples=400)
@given(OBJECTS)
def test_any_objects_are_a_table(objects: list[dict[str, Any]]) -> None:
    region = region_of(objects)
    names = [column.name for column in region.columns]
    assert len(set(names)) == len(names)
    for record in region.records:
        assert len(record.texts) == len(record.values) == len(names)
        assert dict(record).keys() == set(names)
        assert isinstance(record.text, str)
        assert record.link is None or isinstance(record.link, str)
    assert region.to_json()
    assert region.to_csv().count("\n") >= (len(objects) if names else 0)
    region.write(io.BytesIO(), "html")
    assert len(region.to_dicts(json=True)) == len(objects)


@settings(max_examples=150, deadline=None)
@given(OBJECTS)
def test_any_objects_are_a_frame(objects: list[dict[str, Any]]) -> None:
    pytest.importorskip("pyarrow")
    assert region_of(objects).to_arrow().num_rows in (0, len(objects))


@settings(max_examples=300)
@given(OBJECTS)
def test_no_scalar_is_lost(objects: list[dict[str, Any]]) -> None:
    """Numbers and booleans that objects have at a key are in its column."""
    members = {member.path: member for member in flatten(objects)}
    for number, each in enumerate(objects):
        for key, value in each.items():
            is_plain = all(not isinstance(other.get(key), (dict, list)) for other in objects)
            if key != "@type" and isinstance(value, (bool, int, float)) and is_plain:
                assert members[(key,)].values[number] == value


@settings(max_examples=300)
@given(
    st.lists(st.lists(st.sampled_from(["name", "id", "a", "b", "price", "", "1"]), min_size=1, max_size=4).map(tuple))
)
def test_names_differ(paths: list[tuple[str, ...]]) -> None:
    assert len(set(names_of(paths))) == len(paths)


@given(OBJECTS, OBJECTS)
def test_agreement_never_fails(objects: list[dict[str, Any]], others: list[dict[str, Any]]) -> None:
    """Columns of one table, told by data that is not its own."""
    table = table_of(Page(""), ObjectArray("state", "", objects))
    link = Link(ObjectArray("state", "", others), [number % len(others) for number, _ in enumerate(objects)])
    told = agreement.told_by(table.nested_columns, table.nested_texts, table.nested_values, [link])
    assert len(told.columns) == len(table.nested_columns)
    assert all(len(values) == len(objects) for values in told.values.values())


@pytest.mark.parametrize(
    ("text", "value", "said", "agrees"),
    [
        ("45 minutes", 45, "PT45M", True), ("1 h 10 min", "1 h 10 min", "PT1H10M", True), ("45", 45, 45, True),
        ("4,5", 4.5, "4.5", True), ("Tea", "Tea", "tea", True), ("Tea", "Tea", "Milk", False), ("yes", True, 1, False),
        ("3 May", "3 May", "2024-05-03", True), ("4 May", "4 May", "2024-05-03", False), ("P", "P", "P", True),
    ],
)  # fmt: skip
def test_agreement(text: str, value: Any, said: Any, agrees: bool) -> None:
    assert agreement.agree(text, value, said) is agrees
