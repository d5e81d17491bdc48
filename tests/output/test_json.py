"""The kernel that writes JSON, against msgspec, byte for byte."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fastwrap import FastwrapError, Page, extract
from fastwrap._core.output.json import Writer
from fastwrap.output.document import WRITER, encode, written
from fastwrap.page.arrays import joined
from fastwrap.types import Money
from tests.reference.output import json as plain

letters = st.characters(exclude_categories=["Cs"])
strings = st.text(letters, max_size=40) | st.text(st.sampled_from('a"\\\x00\x1f\x7f\n\té€😀'), max_size=40)
amounts = st.decimals(allow_nan=False, allow_infinity=False)
zones = st.sampled_from([None, UTC, timezone(timedelta(hours=-5, minutes=-30))])
simple = (
    strings
    | st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.builds(Money, amounts, st.sampled_from(["EUR", "kr", None]))
    | st.dates()
    | st.times(timezones=zones)
    | st.datetimes(timezones=zones)
)
values = st.recursive(simple, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(strings, inner, max_size=4))


@settings(max_examples=3000)
@given(values)
@example(-(2**63))
@example(2**63)
@example(-0.0)
@example(math.nan)
@example(1e16)
@example(5e-324)
@example(Money(Decimal("1E-9"), None))
@example([date(1, 1, 1), time(0), datetime(9999, 12, 31, 23, 59, 59, 999999)])
def test_values(value: Any) -> None:
    assert WRITER.value(value) == plain.value(value)


@given(st.lists(st.tuples(st.lists(values, max_size=3), st.lists(strings, max_size=3), strings), max_size=4))
def test_records(rows: list[tuple[list[Any], list[str], str]]) -> None:
    links: list[str | None] = [text or None for _, _, text in rows]
    cells, texts, said = [row for row, _, _ in rows], [row for _, row, _ in rows], [text for _, _, text in rows]
    assert written(cells, texts, links, said) == plain.records(cells, texts, links, said)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[list[Any]], list[list[Any]]]:
    """The values of some columns, and rows of texts: many of these are the values themselves."""
    width, count = draw(st.integers(0, 4)), draw(st.integers(0, 4))
    rows = draw(st.lists(st.lists(strings | st.none(), min_size=width, max_size=width), min_size=count, max_size=count))
    columns: list[list[Any]] = [[row[place] for row in rows] for place in range(width)]
    for column in columns:
        for number in range(count):
            if draw(st.booleans()):
                column[number] = draw(values)
    return columns, rows


@given(tables())
def test_records_by_column(table: tuple[list[list[Any]], list[list[Any]]]) -> None:
    columns, rows = table
    links: list[str | None] = [None] * len(rows)
    said = ["a"] * len(rows)
    assert written(columns, rows, links, said, True) == plain.records(columns, rows, links, said, True)


texts = st.text(st.sampled_from('ab c<"\\é€😀\x07/') | letters, max_size=30)


@settings(max_examples=300)
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=4))
def test_the_text_of_a_page(parts: list[tuple[str, str]]) -> None:
    """Written from the page itself, with what touches joined."""
    page = Page("".join(f"<p>{one}<sup>{other}</sup></p>" for one, other in parts))
    spans = np.array([[node, node + int(page.size[node])] for node in range(len(page))], dtype=np.int32)
    said = [page.span_text(*span) for span in spans.tolist()]
    nothing: list[Any] = [[] for _ in said]
    links: list[str | None] = [None for _ in said]
    assert written(nothing, nothing, links, (page.native, spans)) == plain.records(nothing, nothing, links, said)


def test_half_of_a_surrogate_pair_is_refused() -> None:
    for value in ("\ud800", ["é\udfff"], {"\ud800": 1}):
        with pytest.raises(UnicodeEncodeError):
            WRITER.value(value)
    with pytest.raises(FastwrapError, match="UTF-8"):
        written([["\ud800"]], [[]], [None], [""])
    with pytest.raises(FastwrapError, match="UTF-8"):
        encode("\ud800")


def test_what_belongs_to_other_records_is_refused() -> None:
    page = Page("<p>a")
    others: list[Any] = [
        ([[]], [], [None], [""]),
        ([[]], [[]], [], [""]),
        ([[]], [[]], [None], []),
        ([[]], [[]], [None], (page.native, np.empty((0, 2), dtype=np.int32))),
        ([[]], [[]], [None], (page.native, np.array([[0, 99]], dtype=np.int32))),
    ]
    for cells in others:
        with pytest.raises(ValueError, match=r"as many|span|page"):
            written(*cells)
    columns: list[Any] = [([["a"]], [[]]), ([[]], [["a"]]), ([], [["a"]]), ([["a"], []], [["a", "b"]])]
    for column, row in columns:
        with pytest.raises(ValueError, match=r"as many|length"):
            written(column, row, [None], [""], True)


def test_values_that_no_column_has() -> None:
    assert Writer(Money, msgspec.json.encode).value([(1, 2), {3}]) == b"[[1,2],[3]]"
    with pytest.raises(TypeError):
        WRITER.value([object()])
    with pytest.raises(TypeError):
        WRITER.value({1: 2})


def test_lists_without_end_are_no_crash() -> None:
    deep: list[Any] = []
    deep.append(deep)
    with pytest.raises(RecursionError):
        WRITER.value(deep)
    with pytest.raises(FastwrapError, match="deep"):
        written([deep], [[]], [None], [""])


def test_texts_are_those_of_the_records() -> None:
    page = "<ul>" + "".join(f"<li><b>Pan {k}</b> <i>{k}<sup>,90</sup> EUR</i> “{k}”</li>" for k in range(5)) + "</ul>"
    found = extract(page)
    region = msgspec.json.decode(found.to_json())["regions"][0]
    assert [record["text"] for record in region["records"]] == [record.text for record in found.records]
    assert joined(b"a\xffb") == "ab"
