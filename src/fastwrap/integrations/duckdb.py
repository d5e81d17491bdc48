"""DuckDB: a function of SQL that has the records of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastwrap.arrow import column_type, extract_column
from fastwrap.columns.wishes import Want
from fastwrap.integrations.tables import whole
from fastwrap.output.frames import require

if TYPE_CHECKING:
    import duckdb


def register(
    connection: duckdb.DuckDBPyConnection, want: Want | None = None, name: str = "extract_page", **options: Any
) -> None:
    """Make the function `name(html, url)` of a connection: a struct of what is found on a page, with `error`. With
    `want` it has `records`, a list of structs with what is wanted.

        register(connection, {"title": str, "price": float})
        SELECT url, unnest(extract_page(html, url).records, recursive := true) FROM pages

    `options` are those of `fastwrap.arrow.extract_batch`.
    """
    named: Any = connection  # whose stubs do not know the names of enumerations
    named.create_function(
        # Not a function with annotations, which DuckDB would look up.
        name, lambda html, url: extract_column(whole(html), whole(url), want, **options), ["VARCHAR", "VARCHAR"],
        type_of(want), type="arrow", null_handling="special",
    )  # fmt: skip


def type_of(want: Want | None) -> Any:
    """What DuckDB calls the type of the function."""
    library, arrow = require("duckdb", "duckdb"), require("pyarrow", "arrow")
    empty = arrow.table({"found": arrow.array([], column_type(want))})
    with library.connect() as connection:
        return connection.from_arrow(empty).types[0]
