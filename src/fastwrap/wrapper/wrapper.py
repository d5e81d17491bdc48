"""Wrapper: the lists of a site, learned once, read on any page of the same template at the speed of parsing it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from fastwrap.common.lazy import lazy_property
from fastwrap.errors import FastwrapError
from fastwrap.extraction import Extraction, Record, Region
from fastwrap.page import Page
from fastwrap.regions import FoundRegion
from fastwrap.wrapper import files, fitting
from fastwrap.wrapper.fitting import Check
from fastwrap.wrapper.pattern import Found, Pattern
from fastwrap.wrapper.selecting import LIMIT, Selectors, learn_selectors, spider

SKIPPED_WORK = 1_000_000_000
"""Nodes looked at for the paths of what was skipped: about a second."""

FEWEST_SKIPPED = 20
"""Of these, paths are always told."""


class Skipped(NamedTuple):
    """Something on a page that a wrapper did not expect, and left out."""

    path: str
    """A CSS selector."""
    text: str
    """The start of its text."""


class WrappedRegion(Region):
    """A list of a wrapper on a page."""

    def __init__(self, page: Page, pattern: Pattern, found: Found) -> None:
        found_region = FoundRegion(found.spans, pattern.confidence, {}, pattern.confidence, found.limits)
        super().__init__(page, found_region, pattern.template)
        self.pattern = pattern
        self.found = found


class WrappedExtraction(Extraction):
    """What a wrapper reads on a page."""

    def __init__(self, page: Page, wrapper: Wrapper) -> None:
        super().__init__(page, [], 0.0)
        self.wrapper = wrapper
        self._regions: dict[int, WrappedRegion] = {}

    def region(self, number: int) -> WrappedRegion:
        """One list, as learned; it may have no records here."""
        if number not in self._regions:
            pattern = self.wrapper.patterns[number]
            self._regions[number] = WrappedRegion(self.page, pattern, pattern.find(self.page))
        return self._regions[number]

    @lazy_property
    def regions(self) -> list[Region]:
        """The lists in the order in which they were learned. Sections of joined lists come last, and share nodes."""
        return [self.region(number) for number in range(len(self.wrapper.patterns))]

    @property
    def records(self) -> list[Record]:
        """The records of the first list."""
        return self.region(0).records if self.wrapper.patterns else []

    @lazy_property
    def confidence(self) -> float:
        """That the first list is the one that the pages exist for, as learned; 0 if it has no records here."""
        return self.wrapper.patterns[0].confidence if self.records else 0.0

    @lazy_property
    def fit(self) -> float:
        """In [0, 1], how well the first list fits the page; below 0.5 the page has changed. See `Wrapper.check`."""
        if not self.wrapper.patterns:
            return 0.0
        region = self.region(0)
        return fitting.fit_of(region.pattern, region.found, region.table) if len(region) else 0.0

    @property
    def limits(self) -> tuple[str, ...]:
        """Steps whose budget was met while the first list was read; "skipped" if that would be too long a list. Those
        of learning are in `Wrapper.limits`."""
        if not self.wrapper.patterns:
            return ()
        region = self.region(0)
        return (*region.limits, "skipped") if len(region.found.skipped) > self._most_skipped else region.limits

    @lazy_property
    def skipped(self) -> list[Skipped]:
        """What does not match in and around the first list; the first of it, if the page is large and most of it does
        not match."""
        if not self.wrapper.patterns:
            return []
        return [
            Skipped(self.page.css_path(node), self.page.text(node)[:80])
            for node in self.region(0).found.skipped[: self._most_skipped].tolist()
        ]

    @property
    def _most_skipped(self) -> int:
        """A path looks at the siblings of every level."""
        levels = len(self.wrapper.patterns[0].location.path) + 1
        return max(FEWEST_SKIPPED, SKIPPED_WORK // (levels * len(self.page)))


@dataclass(frozen=True, eq=False)
class Wrapper:
    """The lists of a site; `fastwrap.learn` makes one."""

    patterns: tuple[Pattern, ...]
    """The main list first."""
    url: str | None = None
    pages: int = 1
    """How many pages it was learned from."""
    limits: tuple[str, ...] = ()
    """Steps of learning whose budget was met: there may be more to find than it does.

    "pages": more than 50 were given; "lists", "sections": the pages have more than 20 and 8; "depth": a list is too
    deep in the page; "names": a list has names too long for a file; "location", "cutting", "tag paths": what a list
    is known by is not all that there is; "keeping": columns may have lost their old names. Others are those of the
    regions (`fastwrap.regions.LIMITS`), the columns, and the grammar (`fastwrap.grammar.Induction.limits`)."""

    def __repr__(self) -> str:
        where = f" of {self.url}" if self.url else ""
        return f"<Wrapper{where}: {len(self.patterns)} lists>"

    def extract(self, html: bytes | str | Page, url: str | None = None) -> WrappedExtraction:
        """Read a page by this wrapper."""
        return WrappedExtraction(html if isinstance(html, Page) else Page(html, url), self)

    def check(self, html: bytes | str | Page, url: str | None = None) -> Check:
        """How well the first list fits a page, and which columns emptied, moved or have other values than they had."""
        extraction = self.extract(html, url)
        if not extraction.records:
            # There may be no list at all.
            found = [extraction.region(0).found] if self.patterns else []
            return fitting.check_of_nothing(self.patterns, found)
        region = extraction.region(0)
        return fitting.check(region.pattern, extraction.page, region.found, region.table)

    def dumps(self) -> str:
        """The wrapper as JSON: readable, versioned, in the shape of `fastwrap/schema/wrapper.schema.json`."""
        return files.write(self.patterns, self.url, self.pages, self.limits)

    @classmethod
    def loads(cls, text: str | bytes) -> Wrapper:
        """A wrapper from what `dumps` wrote; FastwrapError, which says why, for anything else."""
        return cls(*files.read(text))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the wrapper to a file."""
        Path(path).write_text(self.dumps(), encoding="utf-8")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Wrapper:
        """A wrapper from a file; FastwrapError, which says why, if there is none in it."""
        try:
            text = Path(path).read_bytes()
        except OSError as error:
            raise FastwrapError(f"the wrapper cannot be read: {error}") from None
        return cls.loads(text)

    def __reduce__(self) -> tuple[Any, ...]:
        return Wrapper.loads, (self.dumps(),)

    def _selectors(self, html: bytes | str | Page | None) -> Selectors:
        if not self.patterns:
            raise FastwrapError("the wrapper has no list that could be selected")
        pattern = self.patterns[0]
        if html is None:
            if pattern.example is None:
                raise FastwrapError("a wrapper from a file does not know its pages any more: give one of them")
            page = pattern.example.page
        else:
            page = html if isinstance(html, Page) else Page(html)
        region = self.extract(page).region(0)
        if not len(region):
            raise FastwrapError("the page has no records of the wrapper's first list")
        found = learn_selectors(page, pattern.location, region.table)
        if found.records.why == LIMIT:
            raise FastwrapError(f"there is no selector of the records: {LIMIT}")
        if found.records.xpath is None:
            raise FastwrapError("the records are told by their order, or begin with a text: no selector can do that")
        return found

    def to_xpath(self, html: bytes | str | Page | None = None) -> dict[str, Any]:
        """XPaths of the first list: `records`, the first node of each, and `columns`, by name, from there.

        They select what the wrapper reads on the page that it was learned from, or on the one that is given. Columns
        without one are in `left_out`, with the reason: that no path tells them from others, or that the search met
        its budget. Where a text is split into columns, the whole is selected.

        >>> from fastwrap.wrapper import learn
        >>> page = "<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k} EUR</i></li>" for k in range(5)) + "</ul>"
        >>> learn(page).to_xpath()
        {'records': '/html/body/ul/li', 'columns': {'title': './b/text()', 'price': './i/text()'}, 'left_out': {}}
        """
        found = self._selectors(html)
        return self._by_name(found, [selector.xpath for selector in found.columns], found.records.xpath)

    def to_css(self, html: bytes | str | Page | None = None) -> dict[str, Any]:
        """The same in CSS, with `::text` and `::attr(...)` as parsel and Scrapy have them.

        >>> from fastwrap.wrapper import learn
        >>> page = "<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k} EUR</i></li>" for k in range(5)) + "</ul>"
        >>> learn(page).to_css()["columns"]["price"]
        ':scope > i::text'
        """
        found = self._selectors(html)
        if found.records.css is None:
            raise FastwrapError("CSS cannot say which children are records: use to_xpath")
        return self._by_name(found, [selector.css for selector in found.columns], found.records.css)

    def to_scrapy(self, html: bytes | str | Page | None = None) -> str:
        """The source of a spider that reads the first list with Scrapy, without fastwrap; comments say which columns
        are left out, and why."""
        found = self._selectors(html)
        return spider(found, [name.name for name in self.patterns[0].template.names], self.url)

    def _by_name(self, found: Selectors, paths: list[str | None], records: str | None) -> dict[str, Any]:
        names = [name.name for name in self.patterns[0].template.names]
        return {
            "records": records,
            "columns": {name: path for name, path in zip(names, paths, strict=True) if path is not None},
            "left_out": {
                name: selector.why
                for name, selector, path in zip(names, found.columns, paths, strict=True)
                if path is None
            },
        }
