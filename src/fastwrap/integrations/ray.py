"""Ray Data: the pages of a dataset into a dataset of their records."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from fastwrap.columns.wishes import Want
from fastwrap.integrations.tables import extract_table

if TYPE_CHECKING:
    import ray.data

PAGES = 256
"""Pages of a batch, if nothing else is said: they are in memory at a time."""


def extract(
    dataset: ray.data.Dataset,
    want: Want | None = None,
    keep: Sequence[str] = (),
    *,
    batch_size: int = PAGES,
    **options: Any,
) -> ray.data.Dataset:
    """The records of the pages in the column `html`: a row for each page, or, with `want`, for each record.

    `keep` names columns that go along, `options` are those of `fastwrap.arrow.extract_batch`.
    """
    call = partial(extract_table, want=want, keep=keep, **options)
    return dataset.map_batches(call, batch_format="pyarrow", batch_size=batch_size, zero_copy_batch=True)
