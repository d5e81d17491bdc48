"""Wrapper: the lists of a site, learned once and read on any page of the same template at the speed of parsing it.
`WrappedExtraction` is what it reads on one page; each list is found when somebody asks for it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, overload

from fastwrap import limits
from fastwrap.columns.wishes import Want, Wanted, wanted_of
from fastwrap.common.arguments import expect
from fastwrap.common.files import write_beside
from fastwrap.common.lazy import lazy_property
from fastwrap.errors import FastwrapError
from fastwrap.extraction import Contents, Extraction, Record, Region
from fastwrap.page import Page
from fastwrap.page.sources import HtmlSource, page_of
from fastwrap.template import DetailTemplate, Schema, schema_of
from fastwrap.wrapper import details, files, fitting, healing
from fastwrap.wrapper.details import ReadRecord
from fastwrap.wrapper.fitting import Check
from fastwrap.wrapper.healing import Healing
from fastwrap.wrapper.pattern import FoundList, Pattern
from fastwrap.wrapper.selecting import LIMIT, Selectors, learn_selectors, spider

SKIPPED_WORK = 1_000_000_000
"""Nodes looked at for the paths of what was skipped: about a second."""

FEWEST_SKIPPED = 20
"""The paths of so many are always computed."""


class Skipped(NamedTuple):
    """Something on a page that a wrapper did not expect, and left out."""

    path: str
    """A CSS selector."""
    text: str
    """The start of its text."""


class Misfit(NamedTuple):
    """A page that a wrapper was learned from and does not fit."""

    page: int
    """Its number among those that were given, from 0."""
    fit: float
    """Below 0.5; see `WrappedExtraction.fit`."""
    why: str


class WrappedRegion(Region):
    """A list of a wrapper on a page."""

    def __init__(self, page: Page, pattern: Pattern, found: FoundList, wanted: Wanted | None = None) -> None:
        # As a Region is made, but for what its records hold: of most lists nobody asks for that.
        self.page = page
        self.spans = found.spans
        self.score = pattern.confidence
        self.why = {}
        self._limits = found.limits
        self._wanted = wanted
        self.pattern = pattern
        self.found_list = found

    @lazy_property
    def _contents(self) -> Contents:
        return Contents(self.page, self.spans, self.pattern.template, wanted=self._wanted)


class WrappedRegions(Sequence[Region]):
    """The lists of a wrapper on a page, each found when it is first asked for."""

    def __init__(self, page: Page, patterns: Sequence[Pattern], wanted: Wanted | None = None) -> None:
        self._page = page
        self._patterns = patterns
        self._wanted = wanted
        self.read: dict[int, WrappedRegion] = {}
        """By number: those that somebody has asked for."""

    def __len__(self) -> int:
        return len(self._patterns)

    @overload
    def __getitem__(self, number: int) -> WrappedRegion: ...

    @overload
    def __getitem__(self, number: slice) -> list[Region]: ...

    def __getitem__(self, number: int | slice) -> WrappedRegion | list[Region]:
        if isinstance(number, slice):
            return [self[k] for k in range(*number.indices(len(self)))]
        if number < 0:
            number += len(self)
            if number < 0:
                raise IndexError("there is no such list")
        region = self.read.get(number)
        if region is None:
            pattern = self._patterns[number]
            found = WrappedRegion(self._page, pattern, self._find(pattern), self._wanted)
            region = self.read.setdefault(number, found)  # all threads have the same one
        return region

    def _find(self, pattern: Pattern) -> FoundList:
        if pattern.cutting.expression is None:
            return pattern.find(self._page)
        # Lists share the budget of matching, whichever of them are asked for.
        return pattern.find(self._page, sum(each.cutting.expression is not None for each in self._patterns))

    def __iter__(self) -> Iterator[Region]:
        return (self[number] for number in range(len(self._patterns)))

    def __repr__(self) -> str:
        return f"<{len(self)} lists of a wrapper>"


class WrappedExtraction(Extraction):
    """What a wrapper reads on a page."""

    def __init__(self, page: Page, wrapper: Wrapper, wanted: Wanted | None = None) -> None:
        super().__init__(page, [], 0.0, wanted=wanted)
        self.wrapper = wrapper
        self._lists = WrappedRegions(page, wrapper.patterns, wanted)

    def region(self, number: int) -> WrappedRegion:
        """One list, in the order of learning; it may have no records here."""
        return self._lists[number]

    @lazy_property
    def _first(self) -> Region | None:
        return self.region(0) if self._lists else None

    @lazy_property
    def regions(self) -> Sequence[Region]:
        """The lists in the order in which they were learned, each found when it is asked for. Sections of joined lists
        come last, and share nodes."""
        return self._lists

    @property
    def records(self) -> list[Record]:
        """The records of the first list."""
        return self.region(0).records if self._lists else []

    @lazy_property
    def confidence(self) -> float:
        """That the first list is the one that the pages exist for, as learned; 0 if it has no records here."""
        return self.wrapper.patterns[0].confidence if self.records else 0.0

    @lazy_property
    def _record(self) -> ReadRecord | None:
        return None if self.wrapper.detail is None else ReadRecord(self.page, self.wrapper.detail)

    @lazy_property
    def record(self) -> Record | None:
        """The one record of a page about one thing; None where the wrapper has none. `Record.extra` has the labels that
        were never seen while learning, each with what follows it."""
        return None if self._record is None else self._record.record

    @lazy_property
    def kind(self) -> str:
        """What was read of the page: "detail" by a wrapper of pages about one thing, else "list" where the first list
        has records; "none" where there is nothing."""
        if self.wrapper.kind == "detail":
            return "detail" if self.fit >= fitting.ALARM else "none"
        return "list" if self.records else "none"

    @lazy_property
    def fit(self) -> float:
        """In [0, 1], how well the first list fits the page, or the record if the wrapper's kind is "detail"; below 0.5
        the page has changed. See `Wrapper.check`."""
        if self._record is not None and self.wrapper.kind == "detail":
            return self._record.fit
        if not self._lists:
            return 0.0
        region = self.region(0)
        if self._wanted is not None:  # the fit is that of all columns
            region = WrappedRegion(self.page, region.pattern, region.found_list)
        return fitting.fit_of(region.pattern, region.found_list, region.table) if len(region) else 0.0

    @property
    def limits(self) -> tuple[str, ...]:
        """Budgets that were met by what has been read of the first list and of the record so far; nothing is read to
        tell. Those of learning are in `Wrapper.limits`."""
        read: ReadRecord | None = self.__dict__.get("_record")
        of_record = () if read is None else read.reading.limits
        region = self._lists.read.get(0)
        if region is None:
            return of_record
        too_many = len(region.found_list.skipped) > self._most_skipped
        return limits.union(of_record, region.limits, ("wrapper.skipped",) if too_many else ())

    @lazy_property
    def skipped(self) -> list[Skipped]:
        """The elements in and around the first list that do not match; the first of them, if the page is large and
        most of it does not match."""
        if not self._lists:
            return []
        return [
            Skipped(self.page.css_path(node), self.page.text(node)[:80])
            for node in self.region(0).found_list.skipped[: self._most_skipped].tolist()
        ]

    @property
    def _most_skipped(self) -> int:
        """How many paths are computed: each looks at the siblings of every level."""
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
    """Budgets of learning that were met: names of `fastwrap.limits.LIMITS`, which says what that means. Wrappers from
    files of fastwrap 0.9 have the names without the part before the dot."""
    misfits: tuple[Misfit, ...] = ()
    """The pages that it was learned from and does not fit, with the reasons; files do not have them."""
    detail: DetailTemplate | None = None
    """The template of the one record that each page has, where it was learned from several pages about one thing."""

    def __repr__(self) -> str:
        where = f" of {self.url}" if self.url else ""
        record = f", a record of {len(self.detail.columns)} columns" if self.detail is not None else ""
        return f"<Wrapper{where}: {len(self.patterns)} lists{record}>"

    @property
    def kind(self) -> str:
        """What the pages are mainly about: "list", or "detail" for one thing each."""
        return "detail" if details.is_about_one_thing(self.detail, self.patterns) else "list"

    @lazy_property
    def schema(self) -> Schema | None:
        """The schema of the record: tuples, sets and optionals of the columns; None without a record.

        >>> from fastwrap.wrapper import learn
        >>> def page(name, *reviews):
        ...     some = "".join(f"<li><b>{who}</b><i>{said}</i></li>" for who, said in reviews)
        ...     head = f"<title>{name}</title><h1>{name}</h1><p>Weight: {len(name)} kg</p>"
        ...     return f"{head}<h2>Reviews</h2><ul>{some}</ul>"
        >>> lamp = page("Lamp", ("Ann", "fine"), ("Bob", "bad"))
        >>> chair = page("Chair", ("Cy", "good"), ("Di", "so so"), ("Ed", "ok"))
        >>> learn([lamp, chair], kind="detail").schema
        <title, Weight, {<text, text 2>}>
        """
        return None if self.detail is None else schema_of(self.detail)

    def extract(
        self, html: HtmlSource, url: str | None = None, *, encoding: str | None = None, want: Want | None = None
    ) -> WrappedExtraction:
        """Read a page by this wrapper; `html`, `url`, `encoding` and `want` are those of `fastwrap.extract`."""
        wanted = None if want is None else wanted_of(want)
        return WrappedExtraction(page_of(html, url, encoding), self, wanted)

    def check(self, html: HtmlSource, url: str | None = None, *, encoding: str | None = None) -> Check:
        """How well the first list fits a page, or the record if the kind is "detail"; and which columns emptied, moved
        or have other values than they had."""
        page = page_of(html, url, encoding)
        if self.detail is not None and self.kind == "detail":
            return ReadRecord(page, self.detail).check()
        if not self.patterns:
            return Check(0.0, (), 0, 0)
        extraction = self.extract(page)
        region = extraction.region(0)
        if not len(region):
            return fitting.check_of_nothing(region.pattern, region.found_list)
        return fitting.check(region.pattern, extraction.page, region.found_list, region.table)

    def heal(self, html: HtmlSource, url: str | None = None, *, encoding: str | None = None) -> Healing:
        """A wrapper for a page whose site was redesigned, and a report; this wrapper stays as it is.

        The first list is found again by the values, types, names and order of its columns, whatever has become of
        classes, tags and levels. Columns keep their names, ids and order; the report says which are lost. Where the
        wrapper still fits, or where no list is surely the old one, the wrapper that is returned is this one. Records of
        pages about one thing are not healed: the report of a wrapper of kind "detail" says so.

        >>> from fastwrap.wrapper import learn
        >>> wrapper = learn("<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k} EUR</i></li>" for k in range(5)) + "</ul>")
        >>> page = "".join(f"<p class=x><u>{k} EUR</u> <a href=/{k}>Name {k}</a></p>" for k in range(3, 9))
        >>> healed, report = wrapper.heal(page)
        >>> report.found, healed.extract(page).records[0].texts
        (True, ['Name 3', '3 EUR'])
        """
        page = page_of(html, url, encoding)
        if self.detail is not None and self.kind == "detail":
            return Healing(self, healing.record_is_not_healed(ReadRecord(page, self.detail).check()))
        patterns, report = healing.heal_lists(self.patterns, page)
        return Healing(replace(self, patterns=patterns) if report.changed else self, report)

    def dumps(self) -> str:
        """The wrapper as JSON: readable, versioned, in the shape of `fastwrap/schema/wrapper.schema.json`.

        FastwrapError for one that `loads` would refuse because it is too large."""
        return files.write(self.patterns, self.url, self.pages, self.limits, self.detail)

    @classmethod
    def loads(cls, text: str | bytes) -> Wrapper:
        """A wrapper from what `dumps` wrote; FastwrapError, which says why, for anything else."""
        patterns, url, pages, met, detail = files.read(text)
        return cls(patterns, url, pages, met, detail=detail)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the wrapper to a file: what `dumps` returns, in UTF-8. If that fails, an old file stays as it was."""
        write_beside(path, self.dumps())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Wrapper:
        """A wrapper from a file; FastwrapError, which says why, if there is none in it."""
        expect(path, (str, os.PathLike), "path is a str or a Path")  # a number would be an open file
        return cls.loads(files.read_bytes(path))

    def __reduce__(self) -> tuple[Any, ...]:
        return Wrapper.loads, (self.dumps(),)

    def _selectors(self, html: HtmlSource | None) -> Selectors:
        if not self.patterns:
            raise FastwrapError("the wrapper has no list that could be selected")
        pattern = self.patterns[0]
        if html is not None:
            page = page_of(html)
        elif pattern.example is not None:
            page = pattern.example.page
        else:
            raise FastwrapError("a wrapper from a file does not have its pages any more: give one of them")
        region = self.extract(page).region(0)
        if not len(region):
            raise FastwrapError("the page has no records of the wrapper's first list")
        selectors = learn_selectors(page, pattern.location, region.table)
        if selectors.records.why == LIMIT:
            raise FastwrapError(f"there is no selector of the records: {LIMIT}")
        if selectors.records.xpath is None:
            raise FastwrapError("the records are told by their order, or begin with a text: no selector can do that")
        return selectors

    def to_xpath(self, html: HtmlSource | None = None) -> dict[str, Any]:
        """XPaths of the first list: `records`, the first node of each, and `columns`, by name, from there. If the kind
        is "detail", those of the values of the record on the page that is given, from the root.

        They select what the wrapper reads on the page that it was learned from, or on the one that is given. Columns
        without one are in `left_out`, with the reason: that no path tells them from others, or that the search met
        its budget. Where a text is split into columns, the whole is selected; where texts are joined, each of them.

        >>> from fastwrap.wrapper import learn
        >>> page = "<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k} EUR</i></li>" for k in range(5)) + "</ul>"
        >>> learn(page).to_xpath()
        {'records': '/html/body/ul/li', 'columns': {'title': './b/text()', 'price': './i/text()'}, 'left_out': {}}
        >>> learn(page).to_css()["columns"]["price"]
        ':scope > i::text'
        """
        if self.detail is not None and self.kind == "detail":
            return self._record_paths(self.detail, html, "xpath")
        return self._by_name(self._selectors(html), "xpath")

    def to_css(self, html: HtmlSource | None = None) -> dict[str, Any]:
        """The same in CSS, with `::text` and `::attr(...)` as parsel and Scrapy have them."""
        if self.detail is not None and self.kind == "detail":
            return self._record_paths(self.detail, html, "css")
        selectors = self._selectors(html)
        if selectors.records.css is None:
            raise FastwrapError("CSS cannot say which children are records: use to_xpath")
        return self._by_name(selectors, "css")

    def to_scrapy(self, html: HtmlSource | None = None) -> str:
        """The source of a spider that reads the first list with Scrapy, without fastwrap; comments say which columns
        are left out, and why."""
        return spider(self._selectors(html), self.patterns[0].template, self.url)

    def _record_paths(self, detail: DetailTemplate, html: HtmlSource | None, language: str) -> dict[str, Any]:
        if html is None:
            raise FastwrapError("the paths of a record are those of one page: give it")
        return ReadRecord(page_of(html), detail).paths(language)

    def _by_name(self, selectors: Selectors, language: str) -> dict[str, Any]:
        named = dict(zip(self.patterns[0].column_names, selectors.columns, strict=True))
        paths = {name: getattr(selector, language) for name, selector in named.items()}
        return {
            "records": getattr(selectors.records, language),
            "columns": {name: path for name, path in paths.items() if path is not None},
            "left_out": {name: selector.why for name, selector in named.items() if paths[name] is None},
        }
