"""The regions that a view shows: the rows and columns of each, and the node of the page that each value comes from.
Everything is cut to what a person looks at and a browser bears."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np

from fastwrap.columns.layout import TEXT_ITEM
from fastwrap.extraction import Column, DataRegion, Extraction, Record, Region
from fastwrap.output.table import for_people, table_with
from fastwrap.output.telling import telling_first
from fastwrap.output.values import plain_text
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE, TEXT
from fastwrap.show.offering import with_left_out
from fastwrap.types import Money

MAX_REGIONS = 8
MAX_ROWS = 200
MAX_COLUMNS = 60
MAX_CELLS = 20_000  # of all regions together
RECORD = -1  # in place of its rank, for the one record of a page about one thing


class ValuePlace(NamedTuple):
    """Where on the page a value stands."""

    column: int
    node: int  # a text, or the element whose attribute it is
    kind: str  # TEXT_ITEM, or the attribute's name


@dataclass(frozen=True, slots=True)
class ShownRegion:
    """A region as it is shown."""

    number: int  # from 0 on, best first
    rank: int  # which of the regions of the extraction it is; RECORD if it is none
    region: Region | None
    records: Sequence[Record]
    columns: list[Column]  # in the order in which they are shown
    order: list[int]  # which of the columns of the records they are
    rows: list[list[str]]
    numbers: list[list[float | None]]  # what the values are sorted by, where they are numbers
    places: list[ValuePlace]
    left_out: dict[str, str]  # by the names of columns that are hidden at first: why
    more: int  # how many columns are left out besides

    @property
    def all_columns(self) -> list[Column]:
        """The columns of the records, whether shown or not, in their own order."""
        return self.records[0].columns

    @property
    def spans(self) -> Int32Array:
        """[k, 2] The first node of each record, and the node after its last; NO_NODE for one that has none."""
        if self.region is not None:
            return self.region.spans
        return np.array([[record.start, record.end] for record in self.records], dtype=np.int32)


def shown_regions(extraction: Extraction, offering: bool = False) -> list[ShownRegion]:
    """The first regions, as they are shown; with `offering` also the columns that were left out, which come last.

    >>> import fastwrap
    >>> page = "<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k}.50 EUR</i></li>" for k in range(5)) + "</ul>"
    >>> [shown] = shown_regions(fastwrap.extract(page))
    >>> shown.rows[1], [shown.region.page.xpath(place.node)[:20] for place in shown.places[:2]]
    (['Name 1', '1.50 EUR'], ['/html/body/ul/li[1]/', '/html/body/ul/li[1]/'])
    """
    shown = []
    cells = MAX_CELLS
    lists: list[tuple[int, Region | None, Sequence[Record]]] = []
    if extraction.kind == "detail" and extraction.record is not None:
        lists.append((RECORD, None, [extraction.record]))
    # A wrapper may find no records of a region.
    lists += [(rank, region, region.records) for rank, region in enumerate(extraction.regions) if len(region)]
    for number, (rank, region, records) in enumerate(lists[:MAX_REGIONS]):
        left_out: dict[str, str] = {}
        more = 0
        if offering and region is not None:
            region, left_out, more = with_left_out(region)
            records = region.records
        columns = records[0].columns
        table = for_people(table_with(columns, records))
        names = [field.name for field in table.fields]
        order = sorted(telling_first(table), key=lambda place: names[place] in left_out)[:MAX_COLUMNS]
        values = table.rows[: min(MAX_ROWS, max(1, cells // max(1, len(order))))]
        rows = [[plain_text(row[place]) for place in order] for row in values]
        numbers = [[number_of(record.values[place]) for place in order] for record in records[: len(rows)]]
        places = [] if region is None else list(value_places(region, order, len(rows)))
        named = [columns[place] for place in order]
        shown.append(ShownRegion(number, rank, region, records, named, order, rows, numbers, places, left_out, more))
        cells -= len(order) * len(rows)
    return shown


def number_of(value: Any) -> float | None:
    """What a value is sorted by, if it is a number or an amount.

    >>> from decimal import Decimal
    >>> number_of(Money(Decimal("2.50"), "EUR")), number_of(3), number_of("ask")
    (2.5, 3.0, None)
    """
    if isinstance(value, Money):
        value = value.amount
    return float(value) if isinstance(value, int | float | Decimal) else None


def value_places(region: Region, order: Sequence[int], rows: int) -> Iterator[ValuePlace]:
    """Where the values of these columns are on the page, in the first rows: the nodes whose slots make the columns."""
    if isinstance(region, DataRegion):
        return  # the page does not show it
    page, table = region.page, region.table
    groups = table.shown.groups or [[column] for column in range(table.shown.width)]
    by_slot: dict[int, list[tuple[int, str]]] = {}
    for number, place in enumerate(order):
        for column in groups[place]:
            for item in table.shown.items_of(column):
                by_slot.setdefault(item.slot, []).append((number, item.kind))
    slots = np.where(table.slots == NO_NODE, NO_NODE, table.template.into[table.slots]).tolist()
    place = 0
    for start, end in region.spans[:rows].tolist():
        for node in range(start, end):
            for column, kind in by_slot.get(slots[place], ()):
                if (kind == TEXT_ITEM) if page.tag[node] == TEXT else page.attributes(node).get(kind):
                    yield ValuePlace(column, node, kind)
            place += 1
