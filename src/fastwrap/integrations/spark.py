"""Spark: the pages of a DataFrame into a DataFrame of their records, by `mapInArrow`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from fastwrap.arrow import extract_batch
from fastwrap.columns.wishes import Want
from fastwrap.integrations.tables import result_schema
from fastwrap.output.frames import require

if TYPE_CHECKING:
    import pyarrow
    import pyspark.sql


def extract(
    frame: pyspark.sql.DataFrame, want: Want | None = None, keep: Sequence[str] = (), **options: Any
) -> pyspark.sql.DataFrame:
    """The records of the pages in the column `html`: a row for each page, or, with `want`, for each record.

    `keep` names columns that go along, `options` are those of `fastwrap.arrow.extract_batch`. How many pages are in
    memory at a time says `spark.sql.execution.arrow.maxRecordsPerBatch`. Where the pages of a site come together
    (`frame.repartition("host")`), a wrapper can be learned for it.
    """
    types = require("pyspark.sql.pandas.types", "spark")
    found = result_schema(types.to_arrow_schema(frame.schema), want, keep)
    call = partial(extract_batch, want=want, keep=keep, **options)
    return frame.mapInArrow(partial(each, call), types.from_arrow_schema(found))


def each(call: Any, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    """What is found in each batch."""
    for batch in batches:
        yield call(batch)
