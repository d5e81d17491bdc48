"""pandas: `frame.fastwrap.extract()`, once this module is imported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fastwrap.columns.wishes import Want
from fastwrap.integrations.tables import extract_table
from fastwrap.output.frames import require

if TYPE_CHECKING:
    import pandas

library = require("pandas", "pandas")


@library.api.extensions.register_dataframe_accessor("fastwrap")
class FastwrapAccessor:
    """What `frame.fastwrap` is.

    >>> import pandas
    >>> page = "".join(f"<li><b>{wood}</b> <i>{len(wood)}.50 EUR</i></li>" for wood in "Ash Beech Cedar Oak".split())
    >>> pandas.DataFrame({"html": [page]}).fastwrap.extract({"title": str, "price": float})["price"].tolist()
    [3.5, 5.5, 5.5, 3.5]
    """

    def __init__(self, frame: pandas.DataFrame) -> None:
        self._frame = frame

    def extract(self, want: Want | None = None, keep: Sequence[str] = (), **options: Any) -> pandas.DataFrame:
        """The records of the pages in the column `html`: a row for each page, or, with `want`, for each record; of
        Arrow types, so that whole numbers stay whole. `keep` names columns that go along, `options` are those of
        `fastwrap.arrow.extract_batch`."""
        arrow = require("pyarrow", "arrow")
        names = {"html": "html", "url": "url"} | {name: options[name] for name in ("html", "url") if name in options}
        used = [name for name in dict.fromkeys([*names.values(), *keep]) if name in self._frame.columns]
        table = arrow.Table.from_pandas(self._frame[used], preserve_index=False)
        made: pandas.DataFrame = extract_table(table, want, keep, **options).to_pandas(types_mapper=library.ArrowDtype)
        return made
