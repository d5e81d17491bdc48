"""Output: what was found as dicts, JSON, Arrow tables, data frames, and files of nine formats.
Each function takes an Extraction or a Region; each optional library is imported by the one function that needs it."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fastwrap.output.document import to_json
    from fastwrap.output.files import FORMATS, to_csv, write
    from fastwrap.output.frames import to_arrow, to_pandas, to_polars
    from fastwrap.output.table import to_dicts

__all__ = ["FORMATS", "to_arrow", "to_csv", "to_dicts", "to_json", "to_pandas", "to_polars", "write"]

# Imported on first use: the table on a terminal needs few of them.
_LAZY = {
    "FORMATS": "files", "write": "files", "to_csv": "files", "to_dicts": "table", "to_json": "document",
    "to_arrow": "frames", "to_pandas": "frames", "to_polars": "frames",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    module = _LAZY.get(name)
    if module is None:
        raise AttributeError(f"module 'fastwrap.output' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"fastwrap.output.{module}"), name)
    globals()[name] = value  # which is found without this from now on
    return value
