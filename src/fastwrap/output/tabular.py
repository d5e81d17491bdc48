"""What everything with records can do: be counted, looped over, and written as dicts, text, frames and files.
`Extraction` and `Region` are such things; the work is done by the other modules of this room."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, TypeVar, overload

from fastwrap import output
from fastwrap.columns.table import Column, described

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

T = TypeVar("T")


class Tabular(ABC, Generic[T]):
    """Records that make a table: of an Extraction those of its main region."""

    @property
    @abstractmethod
    def records(self) -> Sequence[T]:
        """The records."""

    @property
    @abstractmethod
    def columns(self) -> list[Column]:
        """The columns of the records."""

    @property
    def described(self) -> list[dict[str, Any]]:
        """What JSON says of the columns."""
        return [described(column) for column in self.columns]

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[T]:
        return iter(self.records)

    @overload
    def __getitem__(self, number: int) -> T: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[T]: ...

    def __getitem__(self, number: Any) -> T | Sequence[T]:
        if isinstance(number, str):
            raise TypeError(f"records have numbers: [record[{number!r}] for record in ...] are the values of a column")
        found: T | Sequence[T] = self.records[number]
        return found

    def to_dicts(self, *, json: bool = False) -> list[dict[str, Any]]:
        """The records as dictionaries: typed values by the names of the columns; with `json` what `json.dumps` takes.

        >>> import fastwrap
        >>> page = "<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k}.50 EUR</i></li>" for k in range(5)) + "</ul>"
        >>> fastwrap.extract(page).to_dicts()[0]
        {'title': 'Name 0', 'price': Money(amount=Decimal('0.50'), currency='EUR')}
        >>> fastwrap.extract(page).to_dicts(json=True)[0]
        {'title': 'Name 0', 'price': {'amount': '0.50', 'currency': 'EUR'}}
        """
        return output.to_dicts(self, json=json)  # type: ignore[arg-type]

    def to_json(self) -> str:
        """JSON, in the shape of `fastwrap/schema/extraction.schema.json`: an extraction with all its regions, or one
        region as it is there."""
        return output.to_json(self)  # type: ignore[arg-type]

    def to_csv(self) -> str:
        """The records as CSV, with a line of names; `write` writes files."""
        return output.to_csv(self)  # type: ignore[arg-type]

    def to_arrow(self) -> pyarrow.Table:
        """The records as a `pyarrow.Table`, its types those of the columns (needs `fastwrap[arrow]`)."""
        return output.to_arrow(self)  # type: ignore[arg-type]

    def to_pandas(self) -> pandas.DataFrame:
        """The records as a `pandas.DataFrame` of Arrow types (needs `fastwrap[pandas]`)."""
        return output.to_pandas(self)  # type: ignore[arg-type]

    def to_polars(self) -> polars.DataFrame:
        """The records as a `polars.DataFrame` (needs `fastwrap[polars]`)."""
        return output.to_polars(self)  # type: ignore[arg-type]

    def write(self, where: str | os.PathLike[str] | BinaryIO, format: str | None = None) -> None:
        """Write a file in the format of its suffix, or to a stream of bytes: see `fastwrap.output.write`."""
        output.write(self, where, format)  # type: ignore[arg-type]

    def _repr_html_(self) -> str:
        """What notebooks show: the first rows of the table."""
        from fastwrap.output.notebook import shown

        return shown(self)  # type: ignore[arg-type]
