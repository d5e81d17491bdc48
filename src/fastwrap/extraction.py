"""What the user holds: Extraction, Region, Record, Column; and `extract`, which makes one of a page.
Objects are made when they are asked for, so that a region nobody looks at costs nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from fastwrap import columns, output
from fastwrap import regions as region_methods
from fastwrap.columns import Column
from fastwrap.common.arguments import expect
from fastwrap.common.lazy import lazy_property
from fastwrap.errors import FastwrapError
from fastwrap.limits import union
from fastwrap.noise.cleaning import clean as remove_noise
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.sources import HtmlSource, page_of
from fastwrap.regions import FoundRegion, ranking

__all__ = ["MIN_CONFIDENCE", "Column", "Extraction", "Record", "Region", "extract"]

MIN_CONFIDENCE = 0.5


class Contents:
    """What the records of a region hold, read when it is asked for.

    Records know this, not their region, which knows them: a page without cycles is freed as soon as it is let go.
    """

    def __init__(self, page: Page, spans: Int32Array, template: columns.Template | None) -> None:
        self.page = page
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
        if self.template is None:
            return columns.learn(self.page, self.spans)
        return columns.apply(self.template, self.page, self.spans)

    @property
    def limits(self) -> tuple[str, ...]:
        """The limits of the table, if it has been read."""
        return self.table.limits if "table" in self.__dict__ else ()


class Record:
    """One record of a region: a run of adjacent siblings with all below them."""

    __slots__ = ("_contents", "_number")

    def __init__(self, contents: Contents, number: int) -> None:
        self._contents = contents
        self._number = number

    def __repr__(self) -> str:
        text = self.text
        return f"<Record {text if len(text) <= 60 else text[:57] + '...'}>"

    @property
    def start(self) -> int:
        """The first node of the record."""
        return int(self._contents.spans[self._number, 0])

    @property
    def end(self) -> int:
        """The node after its last one."""
        return int(self._contents.spans[self._number, 1])

    @property
    def text(self) -> str:
        """All text of the record, nodes joined by a space, white space normalised."""
        first, last = self._contents.text_spans[self._number]
        return self._contents.page.arrays.text[first : max(first, last - 1)].decode("utf-8", "replace")

    @property
    def texts(self) -> list[Any]:
        """The items of the record, one per column: a raw string, None where absent. For a nested list, a list of
        strings, or of rows if it has several columns."""
        return self._contents.table.nested_texts[self._number]

    @property
    def values(self) -> list[Any]:
        """The items as the types of their columns; None where one is absent or does not read as the type."""
        return self._contents.table.nested_values[self._number]

    @property
    def link(self) -> str | None:
        """The address of the record's own page, absolute if that of the list is known; None if there is none."""
        return self._contents.table.links[self._number]


class Region:
    """Something that repeats on a page."""

    def __init__(self, page: Page, found: FoundRegion, template: columns.Template | None = None) -> None:
        self.page = page
        self._contents = Contents(page, found.records, template)
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
        return self.table.nested_columns

    @property
    def limits(self) -> tuple[str, ...]:
        """The budgets of `fastwrap.limits` that were met so far: while the records were found, and, once anything in
        columns has been asked for (texts, values, columns, links), while they were read. Asking computes nothing."""
        return union(self._limits, self._contents.limits)

    @property
    def texts(self) -> list[list[Any]]:
        """The table: for each record one raw string per column, None where absent; lists for nested lists."""
        return self.table.nested_texts


class Extraction:
    """What was found on a page."""

    def __init__(
        self, page: Page, found: list[FoundRegion], min_confidence: float, limits: Collection[str] = ()
    ) -> None:
        self.page = page
        self.url = page.url
        self.min_confidence = min_confidence
        self._found = found
        self._limits = limits

    def __repr__(self) -> str:
        return f"<Extraction: {len(self.regions)} regions, confidence {self.confidence:.2f}>"

    @lazy_property
    def _first(self) -> Region:
        return Region(self.page, self._found[0])

    @lazy_property
    def regions(self) -> Sequence[Region]:
        """What repeats, ranked, never sharing a node."""
        return [self._first, *(Region(self.page, region) for region in self._found[1:])] if self._found else []

    @lazy_property
    def confidence(self) -> float:
        """In [0, 1], that the first region is the list that the page exists for."""
        return ranking.confidence(self.page, self._found)

    @property
    def limits(self) -> tuple[str, ...]:
        """The budgets of `fastwrap.limits` that were met so far: while the page was cleaned and its regions were found,
        and, once they have been read, in the columns of the first region. Asking computes nothing."""
        of_first = self._first.limits if "_first" in self.__dict__ else ()
        return union(self.page.limits, sorted(self._limits), of_first)

    @lazy_property
    def next_page(self) -> str | None:
        """The address of the listing's next page, absolute if the page's own is known; None where there is none."""
        from fastwrap import paging  # only when it is asked for: its word lists take time to load

        return paging.next_page(self.page)

    @property
    def records(self) -> list[Record]:
        """The records of the first region; none when the confidence is below `min_confidence`."""
        if not self._found or self.confidence < self.min_confidence:
            return []
        return self._first.records

    def to_dicts(self) -> list[dict[str, Any]]:
        """The records as dictionaries: typed values by the names of the columns.

        >>> page = "<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k}.50 EUR</i></li>" for k in range(5)) + "</ul>"
        >>> extract(page, min_confidence=0).to_dicts()[0]
        {'title': 'Name 0', 'price': Money(amount=Decimal('0.50'), currency='EUR')}
        """
        return output.to_dicts(self)

    def to_json(self) -> str:
        """All regions as JSON, in the shape of `fastwrap/schema/extraction.schema.json`."""
        return output.to_json(self)

    def to_arrow(self) -> Any:
        """The records as a `pyarrow.Table`, its types those of the columns (needs `fastwrap[arrow]`)."""
        return output.to_arrow(self)

    def to_pandas(self) -> Any:
        """The records as a `pandas.DataFrame` of Arrow types (needs `fastwrap[pandas]`)."""
        return output.to_pandas(self)

    def to_polars(self) -> Any:
        """The records as a `polars.DataFrame` (needs `fastwrap[polars]`)."""
        return output.to_polars(self)


def longest_first(page: Page, found: list[FoundRegion]) -> list[FoundRegion]:
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


def extract(
    html: HtmlSource,
    url: str | None = None,
    method: str = "auto",
    *,
    clean: bool | str = False,
    main: str | None = None,
    min_confidence: float = MIN_CONFIDENCE,
    **options: Any,
) -> Extraction:
    """Find the lists of a page and cut them into records.

    `html` is bytes or a str of HTML, the Path of a file, a Page, or a response (of requests, httpx, Scrapy).
    `method` is one of `fastwrap.methods()`, with its `options`; "auto" is the one that is most often right.
    `clean` removes noise first, in the mode that it names, or the plain one if True. `main` chooses the first
    region: None for the method's own order, "longest" for the longest list (Moura 2018, 3.3).

    >>> page = "<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k} EUR</i></li>" for k in range(5)) + "</ul>"
    >>> [record.text for record in extract(page).records][:2]
    ['Name 0 0 EUR', 'Name 1 1 EUR']
    """
    if main is not None and main != "longest":
        expect(main, str, "main is a str or None")
        raise FastwrapError(f"main is {main!r}: expected None or 'longest'")
    if not (isinstance(min_confidence, (int, float)) and 0 <= min_confidence <= 1):
        raise FastwrapError(f"min_confidence is {min_confidence!r}: expected a number from 0 to 1")
    page = page_of(html, url)
    if clean is not False:
        expect(clean, (bool, np.bool_, str), "clean is True, False or a mode")
    if clean:
        page = remove_noise(page, mode=clean if isinstance(clean, str) else "plain")
    found, limits = region_methods.find(page, method, options)
    if main == "longest":
        found = longest_first(page, found)
    return Extraction(page, found, min_confidence, limits)
