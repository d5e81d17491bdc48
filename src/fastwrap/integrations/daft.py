"""Daft: an expression that has the records of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastwrap.arrow import column_type, extract_column
from fastwrap.columns.wishes import Want
from fastwrap.integrations.tables import whole
from fastwrap.output.frames import require

if TYPE_CHECKING:
    import daft


def extract(
    html: daft.Expression, url: daft.Expression | None = None, want: Want | None = None, **options: Any
) -> daft.Expression:
    """A struct of what is found on each page, with `error`. With `want` it has `records`, a list of structs with what
    is wanted, for `explode` and `unnest`.

    `options` are those of `fastwrap.arrow.extract_batch`.
    """
    library = require("daft", "daft")
    given = (html,) if url is None else (html, url)

    def found(*columns: Any) -> Any:
        pages, *urls = [whole(column.to_arrow()) for column in columns]
        return library.Series.from_arrow(extract_column(pages, urls[0] if urls else None, want, **options))

    function = library.func.batch(return_dtype=library.DataType.from_arrow_type(column_type(want)))(found)
    return function(*given)
