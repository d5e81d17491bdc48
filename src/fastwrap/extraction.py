"""What the user holds: Extraction, Region, Record, Column; and `extract`, which makes one of a page.
Objects are made when they are asked for, so that a region nobody looks at costs nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, KeysView, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fastwrap import columns
from fastwrap import regions as region_methods
from fastwrap.columns import Column
from fastwrap.columns.choice import is_chosen
from fastwrap.columns.table import described, may_be_told, places_with_days
from fastwrap.common.arguments import expect
from fastwrap.common.lazy import lazy_property
from fastwrap.errors import FastwrapError
from fastwrap.limits import union
from fastwrap.noise.cleaning import clean as remove_noise
from fastwrap.output.table import named_value
from fastwrap.output.tabular import Tabular
from fastwrap.output.values import json_value
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array, joined
from fastwrap.page.names import NO_NODE
from fastwrap.page.sources import HtmlSource, page_of
from fastwrap.regions import FoundRegion, ranking
from fastwrap.regions.data import FoundData, PageData

if TYPE_CHECKING:
    from fastwrap._core.common.page import NativePage
    from fastwrap.columns.agreement import Told
    from fastwrap.columns.wanted import Served
    from fastwrap.columns.wishes import Want, Wanted
    from fastwrap.detail import Detail

__all__ = ["MIN_CONFIDENCE", "Column", "DataRegion", "Extraction", "Record", "Region", "extract"]

MIN_CONFIDENCE = 0.5
DETAIL_CONFIDENCE = 0.5
"""From which on a page is taken to be about one thing."""


class Cells(NamedTuple):
    """All that records hold: what output is written of."""

    values: list[list[Any]]
    """Record by record, or column by column."""
    texts: list[list[Any]]
    links: list[str | None]
    said: list[str] | tuple[NativePage, Int32Array]
    """All text of each record; or the page and the spans of nodes [k, 2] whose text that is."""
    by_column: bool = False
    """Whether the values are column by column."""


class Contents:
    """What the records of a region hold, read when it is asked for.

    Records know this, not their region, which knows them: a page without cycles is freed as soon as it is let go.
    """

    def __init__(
        self,
        page: Page,
        spans: Int32Array,
        template: columns.Template | None,
        choose: bool = True,
        wanted: Wanted | None = None,
        data: tuple[PageData, int] | None = None,
    ) -> None:
        self.page = page
        self.data = data
        """The data of the page, and the place of the region among those that it is compared with; None if the columns
        are not named by data."""
        self.choose = choose
        """Whether to choose the columns that a person would have made, where the template is still to be learned."""
        self.wanted = wanted
        """What the caller wants of each record; None for nothing in particular."""
        self.spans = spans
        self.template = template
        """What the records are read by; None if that is still to be learned from them."""

    @lazy_property
    def text_spans(self) -> list[list[int]]:
        """Where the text of each record starts and ends in the text of the page, the space after it included."""
        spans: list[list[int]] = self.page.text_start[self.spans].tolist()
        return spans

    @lazy_property
    def table(self) -> columns.Table:
        """The items of the records in columns, and the template that they are read by."""
        if self.served is not None:
            table = columns.apply(self.served.template, self.page, self.spans)
            table.__dict__["links"] = self.usual_table.links  # whether or not they are wanted as a column
            return table
        return self.usual_table

    @lazy_property
    def usual_table(self) -> columns.Table:
        """The same, if nothing is wanted in particular."""
        if self.template is None:
            return columns.learn(self.page, self.spans, choose=self.choose)
        return columns.apply(self.template, self.page, self.spans)

    @lazy_property
    def served(self) -> Served | None:
        """The columns that are wanted, of all that there are; None if nothing is wanted in particular."""
        if self.wanted is None:
            return None
        from fastwrap.columns.wanted import serve  # most callers want nothing in particular

        tables = [self.usual_table]
        if self.template is None and self.choose:
            tables.append(columns.learn(self.page, self.spans))
        return serve(tables, self.wanted.wishes)

    @lazy_property
    def places(self) -> dict[str, int]:
        """By its name, which of the columns it is."""
        return places_of(self.columns)

    @lazy_property
    def told(self) -> Told | None:
        """What the data of the page tells of the columns; None if that is nothing."""
        if self.data is None or self.served is not None or not self.data[0].is_there:
            return None
        if self.data[0].is_found and not self.data[0].found.links.get(self.data[1]):
            return None
        if not any(map(may_be_told, self.table.nested_columns)):
            return None
        links = self.data[0].found.links.get(self.data[1])
        if not links:
            return None
        from fastwrap.columns.agreement import told_by  # few pages have their lists as data, too

        return told_by(self.table.nested_columns, self.table.nested_texts, self.table.nested_values, links)

    @property
    def may_be_dated(self) -> bool:
        """Whether data may tell values, which are dates then: names and data take longer to read than all the rest."""
        if self.data is None or self.served is not None or not self.data[0].days:
            return False
        places = places_with_days(self.table, self.data[0].days)
        return bool(places) and any(may_be_told(self.table.nested_columns[place]) for place in places)

    @property
    def columns(self) -> list[Column]:
        """The columns that the items of the records are aligned into."""
        return self.table.nested_columns if self.told is None else self.told.columns

    @property
    def described(self) -> list[dict[str, Any]]:
        """What JSON says of the columns."""
        return self.table.described if self.told is None else [described(column) for column in self.told.columns]

    @lazy_property
    def values(self) -> list[list[Any]]:
        """For each record the values of its columns."""
        rows = self.table.nested_values
        if not self.may_be_dated or self.told is None or not self.told.values:
            return rows
        dates = self.told.values
        return [
            [dates[place][number] if place in dates else value for place, value in enumerate(row)]
            for number, row in enumerate(rows)
        ]

    @property
    def limits(self) -> tuple[str, ...]:
        """The limits of the table, if it has been read."""
        return self.table.limits if "table" in self.__dict__ else ()

    @property
    def cells(self) -> Cells:
        """What the records hold."""
        table, said = self.table, (self.page.native, self.spans)
        if table.shown.groups or self.may_be_dated:
            return Cells(self.values, table.nested_texts, table.links, said)
        return Cells(table.value_columns, table.texts, table.links, said, by_column=True)

    def text(self, number: int) -> str:
        """All text of a record."""
        first, last = self.text_spans[number]
        return joined(self.page.arrays.text[first : max(first, last - 1)])


class Places(NamedTuple):
    """Which columns of a given table serve wishes."""

    places: list[int | None]
    """By wish; None where there is none."""
    there: list[str]
    """The names of the columns that there were."""


class GivenContents:
    """What records hold whose columns are given: the record of a page about one thing, or objects of its data."""

    wanted: Wanted | None = None
    """What the caller wants of each record; None for nothing in particular."""
    served: Places | None = None
    """The columns that are wanted; None if nothing is wanted in particular."""

    def __init__(
        self, table: columns.GivenTable, spans: Int32Array | None = None, extra: Mapping[str, str] | None = None
    ) -> None:
        self.page = table.page
        self.table = table
        self.spans: Int32Array = np.full((table.count, 2), NO_NODE, dtype=np.int32) if spans is None else spans
        """Where the records are shown on the page; NO_NODE where they are not."""
        self.extra = {} if extra is None else extra
        """What there is on the page besides the columns."""

    @lazy_property
    def places(self) -> dict[str, int]:
        """By its name, which of the columns it is."""
        return places_of(self.columns)

    @property
    def columns(self) -> list[Column]:
        """The columns."""
        return self.table.nested_columns

    @property
    def described(self) -> list[dict[str, Any]]:
        """What JSON says of them."""
        return [described(column) for column in self.columns]

    @property
    def values(self) -> list[list[Any]]:
        """For each record the values of its columns."""
        return self.table.nested_values

    @property
    def limits(self) -> tuple[str, ...]:
        """The limits of the table."""
        return self.table.limits

    @property
    def cells(self) -> Cells:
        """What the records hold."""
        said = [self.table.text(number) for number in range(self.table.count)]
        return Cells(self.values, self.table.nested_texts, self.table.links, said)

    def text(self, number: int) -> str:
        """All text of a record."""
        return self.table.text(number)


def places_of(columns: Sequence[Column]) -> dict[str, int]:
    """By the names of columns, which each is."""
    return {column.name: place for place, column in enumerate(columns)}


class Record:
    """One record of a region: a run of adjacent siblings with all below them, or an object of the page's data.

    Its values are there by the names of their columns, as those of a dict: `record["price"]`, `dict(record)`.
    """

    __slots__ = ("_contents", "_number")

    def __init__(self, contents: Contents | GivenContents, number: int) -> None:
        self._contents = contents
        self._number = number

    def __repr__(self) -> str:
        text = self.text
        return f"<Record {text if len(text) <= 60 else text[:57] + '...'}>"

    def __getitem__(self, name: str) -> Any:
        places = self._contents.places
        if name not in places:
            expect(name, str, "a value is asked for by the name of its column")
            raise KeyError(f"there is no column {name!r}, but {', '.join(map(repr, places)) or 'none at all'}")
        return named_value(self._contents.columns[places[name]], self.values[places[name]])

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self._contents.places)

    def __contains__(self, name: object) -> bool:
        return name in self._contents.places

    def keys(self) -> KeysView[str]:
        """The names of the columns."""
        return self._contents.places.keys()

    def items(self) -> list[tuple[str, Any]]:
        """The names of the columns, each with the value of the record."""
        return [(name, self[name]) for name in self.keys()]

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a column; the default if there is no such column."""
        return self[name] if name in self else default  # noqa: SIM401 - this is get

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """The values by the names of their columns; with `json` what `json.dumps` takes.

        >>> page = "<title>Oak table</title><h1>Oak table</h1><p>Price: 120 EUR<p>Width: 80 cm"
        >>> extract(page).record.to_dict(json=True)["Price"]
        {'amount': '120', 'currency': 'EUR'}
        """
        found = dict(self.items())
        return {name: json_value(value) for name, value in found.items()} if json else found

    @property
    def columns(self) -> list[Column]:
        """The columns, in the order of the values."""
        return self._contents.columns

    @property
    def extra(self) -> Mapping[str, str]:
        """Of the one record of a page that a wrapper has read: labels that were never seen while learning, each with
        what follows it."""
        return self._contents.extra if isinstance(self._contents, GivenContents) else {}

    @property
    def start(self) -> int:
        """The first node of the record; -1 if it is data that the page does not show."""
        return int(self._contents.spans[self._number, 0])

    @property
    def end(self) -> int:
        """The node after its last one; -1 likewise."""
        return int(self._contents.spans[self._number, 1])

    @property
    def text(self) -> str:
        """All text of the record, as `Page.text` gives that of a node."""
        return self._contents.text(self._number)

    @property
    def texts(self) -> list[Any]:
        """The items of the record, one per column: a raw string, None where absent. For a nested list, a list of
        strings, or of rows if it has several columns."""
        return self._contents.table.nested_texts[self._number]

    @property
    def values(self) -> list[Any]:
        """The items as the types of their columns, None where one is absent; the string where it does not read as the
        type."""
        return self._contents.values[self._number]

    @property
    def cells(self) -> Cells:
        """All that it holds, as one row."""
        return Cells([self.values], [self.texts], [self.link], [self.text])

    @property
    def link(self) -> str | None:
        """The address of the record's own page, absolute if that of the list is known; None if there is none."""
        return self._contents.table.links[self._number]


class Region(Tabular[Record]):
    """Something that repeats on a page."""

    def __init__(
        self,
        page: Page,
        found: FoundRegion,
        template: columns.Template | None = None,
        choose: bool = True,
        wanted: Wanted | None = None,
        data: tuple[PageData, int] | None = None,
    ) -> None:
        self.page = page
        self._contents = Contents(page, found.records, template, choose, wanted, data)
        self.spans: Int32Array = found.records
        """[k, 2] First node of each record, and the node after its last."""
        self.score = found.score
        """How the method ranks this region among those of the page; larger is better."""
        self.why: Mapping[str, float | str] = found.why
        """Scores by name: what the ranking and the cutting rest on."""
        self._limits = found.limits

    def __len__(self) -> int:
        return len(self.spans)

    def __repr__(self) -> str:
        return f"<Region of {len(self)} records, score {self.score:.3g}>"

    @lazy_property
    def records(self) -> list[Record]:
        """The records, in document order."""
        contents = self._contents
        return [Record(contents, number) for number in range(len(self.spans))]

    @property
    def table(self) -> columns.Table:
        """The items of the records in columns, and the template that they are read by."""
        return self._contents.table

    @property
    def columns(self) -> list[Column]:
        """The columns that the items of the records are aligned into."""
        return self._contents.columns

    @property
    def limits(self) -> tuple[str, ...]:
        """The budgets of `fastwrap.limits` that were met so far: while the records were found, and, once anything in
        columns has been asked for (texts, values, columns, links), while they were read. Asking computes nothing."""
        return union(self._limits, self._contents.limits)

    @property
    def texts(self) -> list[list[Any]]:
        """The table: for each record one raw string per column, None where absent; lists for nested lists."""
        return self.table.nested_texts

    @property
    def described(self) -> list[dict[str, Any]]:
        """What JSON says of the columns."""
        return self._contents.described

    @property
    def cells(self) -> Cells:
        """All that the records hold."""
        return self._contents.cells

    @property
    def missing(self) -> list[str]:
        """The names of what is wanted and not there; none if nothing is wanted in particular."""
        served, wanted = self._contents.served, self._contents.wanted
        if served is None or wanted is None:
            return []
        return [wish.name for wish, place in zip(wanted.wishes, served.places, strict=True) if place is None]

    @lazy_property
    def rows(self) -> list[Any]:
        """The records as what is wanted: instances of the class, else dicts. FastwrapError if one of its fields that
        has no default is not there."""
        served, wanted = self._contents.served, self._contents.wanted
        if served is None or wanted is None:
            return self.to_dicts()
        for wish, place in zip(wanted.wishes, served.places, strict=True):
            if place is None and wanted.strict and wish.needed:
                there = ", ".join(map(repr, served.there)) or "none at all"
                raise FastwrapError(f"there is no column for {wish.name!r}; the columns are {there}")
        values, texts = self.table.nested_values, self.table.nested_texts
        found = [
            None if place is None else ([row[place] for row in values], [row[place] for row in texts])
            for place in served.places
        ]
        return wanted.rows(found, len(self))


class DataRegion(Region):
    """A list that a page has as data, and does not show: the objects of an array, in columns that their keys name.

    >>> teas = ",".join(f'{{"name": "Tea number {k}", "price": {k}.5, "url": "/tea/{k}"}}' for k in range(9))
    >>> region = extract(f'<p>Loading...<script>let state = {{"items": [{teas}]}}</script>').regions[0]
    >>> region.records[1]["price"], region.columns[1].why, region.records[1].start
    (1.5, {'data': 'state items.price'}, -1)
    """

    def __init__(self, page: Page, found: FoundData, wanted: Wanted | None = None) -> None:
        self.page = page
        self.array = found.array
        """The objects, as they stand in the data."""
        self.spans = np.full((len(found.array.objects), 2), NO_NODE, dtype=np.int32)
        self.score = found.odds
        self.why = found.why
        self._wanted = wanted
        self._limits = ()

    def __repr__(self) -> str:
        return f"<DataRegion of {len(self)} records, {self.why['data']}>"

    @property
    def table(self) -> columns.GivenTable:  # type: ignore[override]
        """The members of the objects in columns."""
        return self._contents.table

    @lazy_property
    def _contents(self) -> GivenContents:  # type: ignore[override]
        from fastwrap.columns.data import table_of  # few pages have their lists as data alone

        table = table_of(self.page, self.array)
        if self._wanted is None:
            return GivenContents(table, self.spans)
        from fastwrap.columns.wanted import serve_given

        served, places = serve_given(table, self._wanted.wishes)
        wanted = columns.GivenTable(self.page, served, table.count, table.limits)
        wanted.__dict__["links"] = table.links  # whether or not they are wanted as a column
        contents = GivenContents(wanted, self.spans)
        contents.wanted, contents.served = self._wanted, Places(places, [column.name for column in table.given])
        return contents


class Extraction(Tabular[Record]):
    """What was found on a page: the records of its main list, and everything else that repeats."""

    def __init__(
        self,
        page: Page,
        found: Sequence[FoundRegion],
        min_confidence: float,
        limits: Collection[str] = (),
        choose: bool = True,
        wanted: Wanted | None = None,
        structured: bool = True,
    ) -> None:
        self.page = page
        self.url = page.url
        self.structured = structured
        """Whether the data of the page counts, besides what it shows."""
        self._data = PageData(page, found) if structured else None
        self.min_confidence = min_confidence
        self._reached: dict[float, bool] = {}
        """By confidence, whether the first of the regions that are shown has it."""
        self._found = found
        self._limits = limits
        self._choose = choose
        self._wanted = wanted

    def __repr__(self) -> str:
        return f"<Extraction: {len(self)} records, {len(self.regions)} regions, confidence {self.confidence:.2f}>"

    @lazy_property
    def _first(self) -> Region | None:
        if self._main is not None:
            return DataRegion(self.page, self._main, self._wanted)
        return self._region(0) if self._found else None

    def _region(self, place: int) -> Region:
        data = None if self._data is None else (self._data, place)
        return Region(self.page, self._found[place], None, self._choose, self._wanted, data)

    @lazy_property
    def _main(self) -> FoundData | None:
        """The list of the page's data that it exists for, where it shows none that it may exist for."""
        return None if self._data is None or self._is_shown(MIN_CONFIDENCE) else self._data.main(MIN_CONFIDENCE)

    @lazy_property
    def _shown_confidence(self) -> float:
        """That the first of the regions that are shown is the list that the page exists for."""
        return ranking.confidence(self.page, self._found, self.structured)

    def _is_shown(self, least: float) -> bool:
        """Whether that is so large: told sooner, where the next page would change nothing."""
        if "_shown_confidence" in self.__dict__:
            return self._shown_confidence >= least
        if least not in self._reached:
            self._reached[least] = ranking.is_at_least(self.page, self._found, least, self.structured)
        return self._reached[least]

    @lazy_property
    def regions(self) -> Sequence[Region]:
        """What repeats, ranked, never sharing a node: what the page shows, and lists that it has as data alone."""
        first = [] if self._first is None else [self._first]
        places = range(0 if self._main is not None else 1, len(self._found))
        others = [(self._found[place].confidence or 0.0, self._region(place)) for place in places]
        data = [] if self._data is None else [each for each in self._data.found.regions if each is not self._main]
        for each in data:
            # Before what is less likely; what the page shows keeps its order.
            before = next((place for place, other in enumerate(others) if other[0] < each.confidence), len(others))
            others.insert(before, (each.confidence, DataRegion(self.page, each, self._wanted)))
        return [*first, *(region for _, region in others)]

    @lazy_property
    def confidence(self) -> float:
        """In [0, 1], that the first region is the list that the page exists for."""
        return self._shown_confidence if self._main is None else self._main.confidence

    @property
    def _is_sure(self) -> bool:
        """Whether the confidence is as large as was asked for."""
        least = self.min_confidence
        return self._is_shown(least) if self._main is None else self.confidence >= least

    @property
    def limits(self) -> tuple[str, ...]:
        """The budgets of `fastwrap.limits` that were met so far: while the page was cleaned and its regions were found,
        and, once they have been read, in the columns of the first region and of the record. Asking computes nothing."""
        first, one = self.__dict__.get("_first"), self.__dict__.get("_detail")
        parts = [part.limits for part in (self._data, first, one) if part is not None]
        return union(self.page.limits, sorted(self._limits), *parts)

    @lazy_property
    def _detail(self) -> Detail:
        """What the page says of the one thing that it may be about."""
        from fastwrap import detail  # only when it is asked for: its word lists take time to load

        return detail.find(self.page, structured=self.structured)

    @lazy_property
    def record(self) -> Record | None:
        """The one record of a page about one thing: its title, picture, price, labels with their values, sections and
        text, what a person would want first in front; None where the page is about nothing.

        A page that has a list may have a thing of its own, too: `kind` says which of them it is mainly about.

        >>> page = "<title>Oak table</title><h1>Oak table</h1><p>Price: 120 EUR<p>Width: 80 cm"
        >>> dict(extract(page).record)
        {'title': 'Oak table', 'Price': Money(amount=Decimal('120'), currency='EUR'), 'Width': 80}
        """
        table = self._record_table
        if table is None:
            return None
        return Record(GivenContents(table[0], np.array([self._detail.span], dtype=np.int32)), 0)

    @lazy_property
    def _record_table(self) -> tuple[columns.GivenTable, list[int | None]] | None:
        """The columns of the record, and by wish which of them serves it; None where the page is about nothing."""
        found = self._detail
        if not found.columns:
            return None
        table = columns.GivenTable(self.page, found.columns, 1, found.limits)
        if self._wanted is None:
            return table, []
        from fastwrap.columns.wanted import serve_given  # most callers want nothing in particular

        served, places = serve_given(table, self._wanted.wishes)
        return columns.GivenTable(self.page, served, 1, found.limits), places

    @lazy_property
    def kind(self) -> str:
        """What the page is mainly about: "list", "detail" (one thing) or "none". "list" where the page has records, and
        that is surer than that it is about one thing.

        >>> extract("<title>Oak</title><h1>Oak</h1><dl><dt>Height<dd>30 m<dt>Age<dd>500 years</dl>").kind
        'detail'
        """
        is_shown = self._found and self._main is None
        if is_shown and self.records:
            from fastwrap.detail.lists import is_surely_main  # only when it is asked for: see `_detail`

            if is_surely_main(self.page, self._found[0].records, self.confidence):
                return "list"
        if self.record is None:
            return "list" if self.records else "none"
        spans = self._found[0].records if is_shown else np.empty((0, 2), dtype=np.int32)
        one_thing, of_list = self._detail.confidence(self.confidence, spans)
        if self.records and of_list >= one_thing:
            return "list"
        return "detail" if one_thing >= DETAIL_CONFIDENCE else "list" if self.records else "none"

    @lazy_property
    def next_page(self) -> str | None:
        """The address of the listing's next page, absolute if the page's own is known; None where there is none."""
        from fastwrap import paging  # only when it is asked for: its word lists take time to load

        return paging.next_page(self.page)

    @property
    def records(self) -> list[Record]:
        """The records of the first region; none when the confidence is below `min_confidence`."""
        return self._first.records if self._first is not None and self._is_sure else []

    @property
    def columns(self) -> list[Column]:
        """The columns of the records; none where there are no records."""
        return self._first.columns if self._first is not None and self.records else []

    @property
    def rows(self) -> list[Any]:
        """The records as what was wanted: instances of the class, else dicts. FastwrapError if one of its fields that
        has no default is not there. Where there are no records and the page is about one thing, that is the one row."""
        if self._first is not None and self.records:
            return self._first.rows
        if self.kind != "detail" or self.record is None:
            return []
        if self._wanted is None or self._record_table is None:
            return [self.record.to_dict()]
        places = self._record_table[1]
        for wish, place in zip(self._wanted.wishes, places, strict=True):
            if place is None and self._wanted.strict and wish.needed:
                there = ", ".join(repr(column.name) for column in self._detail.columns)
                raise FastwrapError(f"there is no column for {wish.name!r}; the columns are {there}")
        values, texts = self.record.values, self.record.texts
        return self._wanted.rows([None if place is None else ([values[place]], [texts[place]]) for place in places], 1)

    @property
    def missing(self) -> list[str]:
        """The names of what was wanted and is not there: all of them where there are no records, unless the page is
        about one thing that has them."""
        if self._first is not None and self.records:
            return self._first.missing
        if self._wanted is None:
            return []
        served = self._record_table if self.kind == "detail" else None
        places = [None] * len(self._wanted.wishes) if served is None else served[1]
        return [wish.name for wish, place in zip(self._wanted.wishes, places, strict=True) if place is None]


def longest_first(page: Page, found: Sequence[FoundRegion]) -> Sequence[FoundRegion]:
    """The main-list rule of Moura 2018, 3.3: the longest list with at least 3 items per record, their number
    deviating by at most 3.5, comes first; the others keep their order."""

    def is_candidate(region: FoundRegion) -> bool:
        items = np.array([page.text_count(start, end) for start, end in region.records.tolist()])
        return float(items.mean()) >= 3 and float(items.std()) <= 3.5

    candidates = [region for region in found if is_candidate(region)]
    if not candidates:
        return found
    main = max(candidates, key=lambda region: len(region.records))
    return [main, *(region for region in found if region is not main)]


def check_confidence(min_confidence: float) -> None:
    """FastwrapError, or TypeError, for what is no confidence."""
    expect(min_confidence, (int, float), "min_confidence is a number from 0 to 1")
    if not 0 <= min_confidence <= 1:
        raise FastwrapError(f"min_confidence is {min_confidence!r}: expected a number from 0 to 1")


def extract(
    html: HtmlSource,
    url: str | None = None,
    method: str = "auto",
    *,
    clean: bool | str = False,
    main: str | None = None,
    min_confidence: float = MIN_CONFIDENCE,
    columns: str | None = None,
    encoding: str | None = None,
    want: Want | None = None,
    structured: bool = True,
    **options: Any,
) -> Extraction:
    """Find the lists of a page and cut them into records.

    `html` is bytes, a str of HTML (never the name of a file), a Path, an open file, a response (of `fastwrap.fetch`,
    requests, httpx, Scrapy), a tree of selectolax, lxml or BeautifulSoup, or a Page. `url` is its address, and
    `encoding` how its bytes are encoded; both go before what the source says of itself. `method` is one of
    `fastwrap.methods()`, with its `options`; "auto" is the one that is most often right. `clean` removes noise first,
    in the mode that it names, or the plain one if True. `main` chooses the first region: None for the method's own
    order, "longest" for the longest list (Moura 2018, 3.3). `columns` is None for the columns that a person would have
    made, or "all" for one for each text and attribute that any record has. `structured` is False for what the page
    shows alone, without the data that it carries for machines.

    `Extraction.kind` says what a page is mainly about; of one about one thing, `Extraction.record` is the one record.

    `want` says which columns to show: a list of names, a dict of names and types, or a class (a dataclass, a TypedDict,
    a NamedTuple, a msgspec Struct, a pydantic model). They are found among all columns by name, role and type, whatever
    the page calls them; `Extraction.rows` are the records as that, `Extraction.missing` is what is not there.

    >>> page = "<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k} EUR</i></li>" for k in range(5)) + "</ul>"
    >>> [record.text for record in extract(page).records][:2]
    ['Name 0 0 EUR', 'Name 1 1 EUR']
    >>> extract(page, want={"preis": float, "name": str}).rows[1]
    {'preis': 1.0, 'name': 'Name 1'}
    """
    if main is not None and main != "longest":
        expect(main, str, "main is a str or None")
        raise FastwrapError(f"main is {main!r}: expected None or 'longest'")
    check_confidence(min_confidence)
    choose = is_chosen(columns)
    wanted = None
    if want is not None:
        from fastwrap.columns.wishes import wanted_of  # most callers want nothing in particular

        wanted = wanted_of(want)
    page = page_of(html, url, encoding)
    if clean is not False:
        expect(clean, (bool, np.bool_, str), "clean is True, False or a mode")
    if clean:
        page = remove_noise(page, mode=clean if isinstance(clean, str) else "plain")
    expect(structured, (bool, np.bool_), "structured is True or False")
    if method == "auto" and not structured:
        options = {**options, "structured": False}
    found, limits = region_methods.find(page, method, options)
    if main == "longest":
        found = longest_first(page, found)
    return Extraction(page, found, min_confidence, limits, choose, wanted, bool(structured))
