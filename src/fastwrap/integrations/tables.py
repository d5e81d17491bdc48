"""What the doors to engines share: Arrow tables in, Arrow tables out, batch by batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fastwrap.arrow import extract_batch, schema
from fastwrap.columns.wishes import Want
from fastwrap.output.frames import require

if TYPE_CHECKING:
    import pyarrow


def result_schema(table: pyarrow.Schema, want: Want | None, keep: Sequence[str]) -> pyarrow.Schema:
    """The schema of what `extract_table` makes of a table with this one."""
    return schema(want, [table.field(name) for name in keep])


def extract_table(
    table: pyarrow.Table, want: Want | None = None, keep: Sequence[str] = (), **options: Any
) -> pyarrow.Table:
    """`extract_batch` of all batches of a table; `page` is the number in the table.

    >>> import pyarrow
    >>> extract_table(pyarrow.table({"html": ["<p>Nothing repeats."], "id": [1]}), keep=["id"]).column("id").to_pylist()
    [1]
    """
    arrow = require("pyarrow", "arrow")
    batches = []
    before = 0
    for batch in table.to_batches():
        found = extract_batch(batch, want, keep=keep, **options)
        if want is not None:
            numbers = require("pyarrow.compute", "arrow").add(found.column("page"), before)
            found = found.set_column(found.schema.get_field_index("page"), found.schema.field("page"), numbers)
        batches.append(found)
        before += len(batch)
    return arrow.Table.from_batches(batches, result_schema(table.schema, want, keep))


def whole(column: Any) -> pyarrow.Array:
    """A column in one piece."""
    if not hasattr(column, "chunks"):
        return column
    found = column.combine_chunks()
    return found.chunk(0) if hasattr(found, "chunks") else found
