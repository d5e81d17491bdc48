"""What `join` and `match` give alike: rows of linked records, the links, and how sure they are.
Each adds what it alone knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fastwrap import extraction
from fastwrap.columns.table import Column
from fastwrap.extraction import GivenContents, Record
from fastwrap.linking.sides import LinkedTable
from fastwrap.output.tabular import Tabular


class Scored(Protocol):
    """A link, with how sure it is."""

    @property
    def score(self) -> float: ...  # noqa: D102 - said above


class LinkedRows(Tabular[Record]):
    """A table whose rows are made of records that belong together."""

    def __init__(self, table: LinkedTable, links: Sequence[Scored], limits: tuple[str, ...]) -> None:
        self._contents = GivenContents(table)
        self.page = table.page
        """The page of the listing, or of the first table."""
        self.score = sum(link.score for link in links) / len(links) if links else 0.0
        """The mean of the links' scores; 0 where there are none."""
        self.limits = limits
        """The budgets of `fastwrap.limits` that were met."""
        self._records = [Record(self._contents, number) for number in range(table.count)]

    @property
    def records(self) -> list[Record]:
        """The rows: the listing's records in their order, or the things of the first table, then those of others."""
        return self._records

    @property
    def columns(self) -> list[Column]:
        """The columns of the rows: those of the listing, or of the first table, come first."""
        return self._contents.columns

    @property
    def cells(self) -> extraction.Cells:
        """All that the rows hold: what output is written of."""
        return self._contents.cells
