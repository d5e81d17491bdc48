"""Polars, pandas and DuckDB: the same rows as `extract_batch`, called as people call these libraries."""

from __future__ import annotations

from functools import partial
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pytest

import fastwrap.integrations.duckdb
import fastwrap.integrations.pandas
import fastwrap.integrations.polars
from fastwrap.arrow import extract_batch
from tests.helpers.batches import shop_page

WANT: dict[str, Any] = {"title": str, "price": float, "link": str}
PAGES = {
    "html": [shop_page(0).decode(), None, shop_page(1).decode(), "<p>Nothing repeats."],
    "url": [f"https://a.example/{k}" for k in range(4)], "id": [10, 11, 12, 13],
}  # fmt: skip


@pytest.mark.parametrize("want", [None, WANT])
def test_frames_have_the_rows_of_the_batch(want: Any) -> None:
    wanted = extract_batch(pyarrow.record_batch(PAGES), want, keep=["id"]).to_pylist()
    frame = polars.DataFrame(PAGES)
    extract = partial(fastwrap.integrations.polars.extract, want=want, keep=["id"])
    assert extract(frame).to_dicts() == wanted
    schema = fastwrap.integrations.polars.schema(frame.schema, want, ["id"])
    assert frame.lazy().map_batches(extract, schema=schema).collect().to_dicts() == wanted
    found = pandas.DataFrame(PAGES).fastwrap.extract(want, keep=["id"])
    assert pyarrow.Table.from_pandas(found, preserve_index=False).to_pylist() == wanted
    renamed = pandas.DataFrame(PAGES).rename(columns={"html": "body"})
    assert len(renamed.fastwrap.extract(want, html="body")) == len(wanted)


def test_sql() -> None:
    wanted = extract_batch(pyarrow.record_batch(PAGES), WANT).to_pylist()
    pages = pyarrow.table(PAGES)  # noqa: F841 - DuckDB finds it by its name
    with duckdb.connect() as connection:
        fastwrap.integrations.duckdb.register(connection, WANT)
        rows = connection.sql("SELECT id, unnest(extract_page(html, url).records, recursive := true) FROM pages")
        assert rows.columns == ["id", *WANT]
        assert rows.fetchall() == [
            (10 + row["page"], *(row[name] for name in WANT)) for row in wanted if row["error"] is None
        ]
        errors = connection.sql("SELECT id, extract_page(html, url).error FROM pages WHERE id < 12").fetchall()
        assert errors == [(10, None), (11, "there is no html")]
        fastwrap.integrations.duckdb.register(connection, name="whole_page")
        kinds = connection.sql("SELECT whole_page(html, url).kind, len(whole_page(html, url).records) FROM pages")
        assert kinds.fetchall() == [("list", 8), (None, 0), ("list", 8), ("none", 0)]
