"""What the user holds: Extraction, Region, Record, Column; and `extract`, which makes one of a page.
Objects are made when they are asked for, so that a region nobody looks at costs nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fastwrap import columns, ranking
from fastwrap import regions as region_methods
from fastwrap.arrays import Int32Array
from fastwrap.errors import FastwrapError
from fastwrap.noise import clean as remove_noise
from fastwrap.page import Page
from fastwrap.regions import FoundRegion

MIN_CONFIDENCE = 0.5


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a region."""

    path: str
    """The tags from the top of a record down to the items, then #text or the attribute."""
    template: bool
    """Whether the items are the same in more than 80% of the records."""


class Record:
    """One record of a region: a run of adjacent siblings with all below them."""

    __slots__ = ("_number", "_region", "end", "start")

    def __init__(self, region: Region, number: int, start: int, end: int) -> None:
        self._region = region
        self._number = number
        self.start = start
        """The first node of the record."""
        self.end = end
        """The node after its last one."""

    def __repr__(self) -> str:
        text = self.text
        return f"<Record {text if len(text) <= 60 else text[:57] + '...'}>"

    @property
    def text(self) -> str:
        """All text of the record, nodes joined by a space, white space normalised."""
        first, last = self._region.text_spans[self._number]
        return self._region.page.arrays.text[first : max(first, last - 1)].decode("utf-8", "replace")

    @property
    def texts(self) -> list[str | None]:
        """The items of the record (texts, and href, src, alt and title), one a column; None where one is absent."""
        return self._region.texts[self._number]


class Region:
    """Something that repeats on a page."""

    def __init__(self, page: Page, found: FoundRegion) -> None:
        self.page = page
        self.spans: Int32Array = found.records
        """[k, 2] First node of each record, and the node after its last."""
        self.score = found.score
        """How the method ranks this region among those of the page; larger is better."""
        self.why: Mapping[str, float | str] = found.why
        """Scores by name: what the ranking and the cutting rest on."""

    def __len__(self) -> int:
        return len(self.spans)

    def __repr__(self) -> str:
        return f"<Region of {len(self)} records, score {self.score:.3g}>"

    @cached_property
    def text_spans(self) -> list[list[int]]:
        """Where the text of each record starts and ends in the text of the page, the space after it included."""
        spans: list[list[int]] = self.page.text_start[self.spans].tolist()
        return spans

    @cached_property
    def records(self) -> list[Record]:
        """The records, in document order."""
        return [Record(self, number, start, end) for number, (start, end) in enumerate(self.spans.tolist())]

    @cached_property
    def _alignment(self) -> columns.Alignment:
        return columns.align(self.page, self.spans)

    @cached_property
    def columns(self) -> list[Column]:
        """The columns that the items of the records are aligned into."""
        template = self._alignment.template.tolist()
        return [
            Column(path, fixed) for path, fixed in zip(columns.paths(self.page, self._alignment), template, strict=True)
        ]

    @cached_property
    def texts(self) -> list[list[str | None]]:
        """The table: for each record, one raw string a column, None where absent."""
        return columns.texts(self.page, self._alignment)


class Extraction:
    """What was found on a page."""

    def __init__(self, page: Page, found: list[FoundRegion], min_confidence: float) -> None:
        self.page = page
        self.url = page.url
        self.regions = [Region(page, region) for region in found]
        """What repeats, ranked, never sharing a node."""
        self.min_confidence = min_confidence
        self._found = found

    def __repr__(self) -> str:
        return f"<Extraction: {len(self.regions)} regions, confidence {self.confidence:.2f}>"

    @cached_property
    def confidence(self) -> float:
        """In [0, 1], that the first region is the list that the page exists for."""
        return ranking.confidence(self.page, self._found)

    @cached_property
    def next_page(self) -> str | None:
        """The address of the listing's next page, absolute if the page's own is known; None where there is none."""
        from fastwrap import paging  # only when it is asked for: its word lists take time to load

        return paging.next_page(self.page)

    @property
    def records(self) -> list[Record]:
        """The records of the first region; none when the confidence is below `min_confidence`."""
        if not self.regions or self.confidence < self.min_confidence:
            return []
        return self.regions[0].records


def longest_first(page: Page, found: list[FoundRegion]) -> list[FoundRegion]:
    """The main-list rule of seed 000, 3.3: the longest list with at least 3 items a record, their number
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
    html: bytes | str | Page,
    url: str | None = None,
    method: str = "auto",
    *,
    clean: bool | str = False,
    main: str | None = None,
    min_confidence: float = MIN_CONFIDENCE,
    **options: Any,
) -> Extraction:
    """Find the lists of a page and cut them into records.

    `method` is one of `fastwrap.methods()`, with its `options`; "auto" is the one that is most often right.
    `clean` removes noise first, in the mode that it names, or the plain one if True. `main` chooses the first
    region: None for the method's own order, "longest" for the longest list (seed 000, 3.3).

    >>> page = "<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k} EUR</i></li>" for k in range(5)) + "</ul>"
    >>> [record.text for record in extract(page).records][:2]
    ['Name 0 0 EUR', 'Name 1 1 EUR']
    """
    if main not in (None, "longest"):
        raise FastwrapError(f"main is {main!r}: expected None or 'longest'")
    page = html if isinstance(html, Page) else Page(html, url)
    if clean:
        page = remove_noise(page, mode="plain" if clean is True else str(clean))
    found = region_methods.find(page, method, options)
    if main == "longest":
        found = longest_first(page, found)
    return Extraction(page, found, min_confidence)
