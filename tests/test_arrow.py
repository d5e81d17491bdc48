"""One call for every engine: whatever the pages are, the schema is the one known beforehand, and nothing is raised."""

from __future__ import annotations

import pickle
from datetime import date, time
from decimal import Decimal
from functools import partial
from typing import Any

import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastwrap
from fastwrap.arrow import column_type, extract_batch, extract_column, schema
from fastwrap.errors import FastwrapError
from fastwrap.types import Money
from tests.helpers.batches import shop_page

WANT = {"title": str, "price": Money, "link": str | None, "stock": int}

HTML = st.one_of(
    st.none(), st.binary(max_size=60), st.builds(shop_page, st.integers(0, 9), records=st.integers(0, 6)),
    st.text(st.sampled_from("<>/ablipdiv 1€"), max_size=80).map(str.encode), st.just(b"<div>" * 40_000),
)  # fmt: skip


def batch_of(pages: list[Any], type: Any = None) -> pyarrow.RecordBatch:
    urls = [f"https://a.example/{number}" for number in range(len(pages))]
    numbers = pyarrow.array(range(len(pages)), pyarrow.int64())
    columns = {"id": numbers, "html": pyarrow.array(pages, type), "url": pyarrow.array(urls, pyarrow.string())}
    return pyarrow.record_batch(columns)


@settings(max_examples=50)
@given(st.lists(HTML, max_size=5))
def test_each_page_has_one_row(pages: list[bytes | None]) -> None:
    found = extract_batch(batch_of(pages, pyarrow.binary()), keep=["id"])
    found.validate(full=True)
    assert found.schema.equals(schema(keep=[pyarrow.field("id", pyarrow.int64())]))
    assert found.column("id").to_pylist() == list(range(len(pages)))
    for row, html in zip(found.to_pylist(), pages, strict=True):
        assert (row["error"] is None) != (row["kind"] is None)
        if row["error"] is None:
            assert html is not None
            extraction = fastwrap.extract(html, url=row["url"])
            assert (row["kind"], row["confidence"]) == (extraction.kind, extraction.confidence)
            assert len(row["records"]) == (len(extraction) if row["kind"] == "list" else int(row["kind"] == "detail"))
            assert all(len(record["values"]) == len(row["columns"]) for record in row["records"])


@settings(max_examples=30)
@given(st.lists(HTML, max_size=5))
def test_each_record_has_one_row_of_what_is_wanted(pages: list[bytes | None]) -> None:
    found = extract_batch(batch_of(pages, pyarrow.binary()), WANT, keep=["id"])
    found.validate(full=True)
    assert found.schema.equals(schema(WANT, [pyarrow.field("id", pyarrow.int64())]))
    assert found.column("id").to_pylist() == found.column("page").to_pylist()
    column = extract_column(pyarrow.array(pages, pyarrow.binary()), want=WANT)
    column.validate(full=True)
    assert column.type.equals(column_type(WANT))
    assert len(column) == len(pages)
    flat = [{name: row[name] for name in WANT} for row in found.to_pylist() if row["error"] is None]
    for row in flat:
        row["link"] = row["link"] and row["link"].removeprefix("https://a.example")
    assert flat == [record for value in column.to_pylist() for record in value["records"]]
    assert [value["error"] for value in column.to_pylist() if value["error"]] == [
        error for error in found.column("error").to_pylist() if error
    ]


@pytest.mark.parametrize("type", [pyarrow.string(), pyarrow.large_string(), pyarrow.binary(), pyarrow.large_binary()])
def test_html_is_bytes_or_text(type: Any) -> None:
    page = shop_page(1).decode()
    found = extract_batch(batch_of([page.encode() if "binary" in str(type) else page], type)).to_pylist()[0]
    assert found["kind"] == "list"
    assert [column["name"] for column in found["columns"]] == ["link", "title", "price", "availability"]
    assert [column["type"] for column in found["columns"]] == ["url", "text", "money", "integer"]
    record = found["records"][0]
    assert record["link"] == record["values"][0] == "https://a.example/shop/1/0"
    assert record["values"][2].endswith(" EUR")


def test_what_is_wrong_with_the_call_is_raised() -> None:
    batch = batch_of([b"<p>a"])
    with pytest.raises(FastwrapError, match="no column 'page' in the batch: it has 'id', 'html', 'url'"):
        extract_batch(batch, html="page")
    with pytest.raises(FastwrapError, match="'url' cannot be kept"):
        extract_batch(batch, keep=["url"])
    with pytest.raises(FastwrapError, match="beside those that are wanted"):
        extract_batch(batch, want=["page_url"])
    with pytest.raises(FastwrapError, match="no method 'magic'"):
        extract_batch(batch, method="magic")
    with pytest.raises(FastwrapError, match="from 0 to 1"):
        extract_batch(batch, min_confidence=2)
    with pytest.raises(TypeError, match="keep is a list of names"):
        extract_batch(batch, keep="id")
    with pytest.raises(TypeError, match="wrapper is a Wrapper"):
        extract_batch(batch, wrapper="shop.json")  # type: ignore[arg-type]
    twice = pyarrow.RecordBatch.from_arrays([pyarrow.array(["<p>a"])] * 3, names=["html", "url", "url"])
    with pytest.raises(FastwrapError, match="several columns 'url'"):
        extract_batch(twice)


def test_addresses_are_texts_or_bytes_and_anything_else_is_none() -> None:
    html = [shop_page(1)] * 2
    for urls, told in (
        ([b"https://a.example/", b"https://a.example/\xff"], ["https://a.example/", "https://a.example/\ufffd"]),
        ([5, None], [None, None]),
    ):
        found = extract_batch(pyarrow.record_batch({"html": html, "url": urls}))
        assert found.column("url").to_pylist() == told
        assert found.column("error").null_count == 2


def test_a_page_that_is_too_large_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fastwrap.arrow.MAX_PAGE", 100)
    first, second = extract_batch(batch_of([b"<p>" * 50, b"<p>a"])).column("error").to_pylist()
    assert (first, second) == ("it has more than 100 bytes", None)


def test_any_exception_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: Any, **options: Any) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr("fastwrap.arrow.extract", fail)
    assert extract_batch(batch_of([b"<p>a"])).column("error").to_pylist() == ["RecursionError: too deep"]


def test_a_wrapper_reads_what_it_fits() -> None:
    wrapper = fastwrap.learn([shop_page(1), shop_page(2)])
    pages = [shop_page(3, records=1), shop_page(4, table=True)]
    plain = extract_batch(batch_of(pages)).to_pylist()
    read = extract_batch(batch_of(pages), wrapper=wrapper).to_pylist()
    assert [len(row["records"]) for row in plain] == [len(row["records"]) for row in read] == [1, 8]
    # By itself, a page with one record is about one thing; the wrapper knows that it is a list.
    assert [row["kind"] for row in plain] == ["detail", "list"]
    assert [row["kind"] for row in read] == ["list", "list"]
    wrappers = fastwrap.WrapperSet([wrapper])
    assert extract_batch(batch_of(pages), wrapper=wrappers, want=["title"]).num_rows == 9


def test_it_is_pickled_with_what_it_was_given() -> None:
    wrapper = fastwrap.learn([shop_page(1), shop_page(2)])
    call = partial(extract_batch, want=WANT, wrapper=wrapper)
    batch = batch_of([shop_page(5)])
    assert pickle.loads(pickle.dumps(call))(batch).equals(call(batch))  # noqa: S301


def test_every_type_that_can_be_wanted() -> None:
    items = "".join(
        f"<tr><td>Board {k}</td><td>{k}.50 EUR</td><td>{k + 3} pieces</td><td>2026-01-{k + 10}</td>"
        f"<td>{k + 10}:30</td></tr>"
        for k in range(1, 9)
    )
    head = "<tr><th>title</th><th>price</th><th>count</th><th>day</th><th>hour</th></tr>"
    want: dict[str, Any] = {
        "title": list[str], "price": Decimal, "count": float, "day": date, "hour": time, "no": bool, "never": int,
    }  # fmt: skip
    found = extract_batch(batch_of([f"<table>{head}{items}</table>".encode()]), want)
    assert found.to_pylist()[0] == {
        "page": 0, "page_url": "https://a.example/0", "title": ["Board 1"], "price": Decimal("1.500000000"),
        "count": 4.0, "day": date(2026, 1, 11), "hour": time(11, 30), "no": None, "never": None, "error": None,
    }  # fmt: skip


def test_numbers_that_no_column_can_hold_are_null() -> None:
    items = "".join(f"<tr><td>Board {k}</td><td>{10**k}</td></tr>" for k in (1, 2, 3, 25))
    page = f"<table><tr><th>title</th><th>count</th></tr>{items}</table>".encode()
    found = extract_batch(batch_of([page]), {"title": str, "count": int})
    assert found.column("count").to_pylist() == [10, 100, 1000, None]


def test_halves_of_surrogate_pairs_are_written_as_something() -> None:
    items = "".join(f"{{'name': 'Board {k} \\ud800', 'price': {k}.5, 'url': '/b/{k}'}}," for k in range(9))
    page = f"<p>Loading<script>let state = {{items: [{items}]}}</script>".encode()
    found = extract_batch(batch_of([page]))
    assert found.column("error").to_pylist() == [None]
    found.validate(full=True)
