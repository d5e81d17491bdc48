"""Polars: the pages of a frame into a frame of their records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fastwrap.columns.wishes import Want
from fastwrap.integrations.tables import extract_table, result_schema
from fastwrap.output.frames import require

if TYPE_CHECKING:
    import polars


def extract(
    frame: polars.DataFrame, want: Want | None = None, keep: Sequence[str] = (), **options: Any
) -> polars.DataFrame:
    """The records of the pages in the column `html`: a row for each page, or, with `want`, for each record.

    `keep` names columns that go along, `options` are those of `fastwrap.arrow.extract_batch`. In a lazy query:
    `frame.lazy().map_batches(partial(extract, want=want), schema=schema(frame.schema, want))`.

    >>> import polars
    >>> page = "".join(f"<li><b>{wood}</b> <i>{len(wood)}.50 EUR</i></li>" for wood in "Ash Beech Cedar Oak".split())
    >>> extract(polars.DataFrame({"html": [page]}), {"title": str, "price": float})["price"].to_list()
    [3.5, 5.5, 5.5, 3.5]
    """
    library = require("polars", "polars")
    made: polars.DataFrame = library.from_arrow(extract_table(frame.to_arrow(), want, keep, **options))
    return made


def schema(frame: polars.Schema, want: Want | None = None, keep: Sequence[str] = ()) -> polars.Schema:
    """The schema of what `extract` makes of a frame with this one.

    >>> import polars
    >>> schema(polars.Schema({"html": polars.String}), {"price": float})["price"]
    Float64
    """
    library = require("polars", "polars")
    empty = library.DataFrame(schema=frame).to_arrow()
    made: polars.Schema = library.from_arrow(result_schema(empty.schema, want, keep).empty_table()).schema
    return made
