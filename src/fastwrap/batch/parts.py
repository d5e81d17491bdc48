"""One part of a run: its pages are read, their rows are written, and what was learned on the way is kept.
What comes out depends on the part and on what parts before it have learned, and on nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fastwrap.batch.pages import RawPage, Reach
from fastwrap.batch.reading import Reading, parsed
from fastwrap.batch.sites import (
    FEWEST,
    LEARN_FROM,
    MOST_WRAPPERS,
    SAMPLE,
    Chosen,
    Known,
    Learned,
    Store,
    by_site,
    learned_from,
    spread,
)
from fastwrap.batch.sources import Source
from fastwrap.batch.writing import Sink, Written
from fastwrap.errors import told
from fastwrap.extraction import Extraction
from fastwrap.page import Page

NOTHING = -1
"""What a worker tells of where it is while it works on no page; below are the sites it learns, from -2 down."""

Step = Callable[[int], None]
"""Told of where a worker is: the number of a page in the part, or one of the above."""


@dataclass(frozen=True)
class Task:
    """A part to be worked on."""

    number: int
    source: Source | None
    start: int
    """Where in the source it begins."""
    learned_before: int
    """Wrappers that parts with lower numbers than this have learned may be used."""
    reach: Reach | None = None
    """Its pages, where they were read already."""

    def read(self) -> Reach:
        """Its pages."""
        if self.reach is not None:
            return self.reach
        assert self.source is not None
        return self.source.read(self.start)


class Result(NamedTuple):
    """What has become of a part."""

    pages: int
    records: int
    errors: int
    unfit: int
    """Pages that no wrapper fitted, where there were any to choose from."""
    files: list[Written]
    learned: list[Learned]
    seconds: float
    """Of processor time."""


FIRST = b"<title>Pans</title><ul>" + b"<li><a href=/1>Pan</a> <i>1.90 EUR</i> <p>1 May 2026</p></li>" * 4 + b"</ul>"


class PartWork:
    """Works on parts, one after the other."""

    def __init__(self, folder: str, reading: Reading) -> None:
        self._folder = folder
        self._reading = reading
        self._store = Store(folder)

    def warm_up(self) -> None:
        """Load what pages need: it is loaded when it is asked for first, and no page should be timed for that."""
        raw = RawPage("", 0, FIRST)
        Sink(self._reading).add(raw, self._reading.extract(parsed(raw)))

    def work(self, task: Task, pages: Sequence[RawPage], step: Step, skip: Mapping[int, str]) -> Result:
        """Work on a part whose pages have been read. `skip` has the pages, and the sites that were being learned, which
        a process did not survive, each with what has become of it."""
        begun = time.process_time()
        part = _Part(task, pages, self._reading, self._store, step, skip)
        if self._reading.auto_site:
            part.read_by_site()
        else:
            for number in range(len(pages)):
                part.read(number)
        step(NOTHING)
        sink = part.sink
        files = sink.write(self._folder, task.number)
        seconds = time.process_time() - begun
        return Result(sink.pages, sink.records, sink.errors, part.unfit, files, part.learned, seconds)


class _Part:
    def __init__(
        self, task: Task, pages: Sequence[RawPage], reading: Reading, store: Store, step: Step, skip: Mapping[int, str]
    ) -> None:
        self.task, self.pages, self.reading, self.store, self.step, self.skip = task, pages, reading, store, step, skip
        self.sink = Sink(reading)
        self.learned: list[Learned] = []
        self.unfit = 0

    def read(self, number: int) -> None:
        """Read a page by the wrappers that were given; without any, by itself."""
        page = self._parse(number)
        if page is None:
            return
        try:
            if not self.reading.wrappers:
                self.sink.add(self.pages[number], self.reading.extract(page))
                return
            found = self.reading.by_given(page)
            if found is None:
                self.unfit += 1
                found = "", self.reading.extract(page), 0.0
            self.sink.add(self.pages[number], found[1], found[0] or None, found[2])
        except Exception as error:  # whatever it is, it is the page's
            self.sink.fail(self.pages[number], told(error))

    def _parse(self, number: int) -> Page | None:
        """A page; None, and a row of errors, if it is none or a process did not survive it."""
        if number in self.skip:
            self.sink.fail(self.pages[number], self.skip[number])
            return None
        self.step(number)
        try:
            return parsed(self.pages[number])
        except Exception as error:
            self.sink.fail(self.pages[number], told(error))
            return None

    # By site

    def read_by_site(self) -> None:
        """Read the pages, those of each site together, by the wrappers of the site; learn what none of them fits."""
        for place, (site, numbers) in enumerate(by_site(self.pages).items()):
            known = self.store.known(site, self.task.learned_before)
            drifted: set[int] = set()
            left = [number for number in numbers if not self._read_by(known, number, drifted)]
            if left:
                self._read_left(site, place, left, known, drifted)

    def _read_by(self, known: Known, number: int, drifted: set[int]) -> bool:
        """Whether a page is done with: read by a wrapper, or failed."""
        if not known.wrappers and not self.reading.wrappers:
            return False
        page = self._parse(number)
        if page is None:
            return True
        try:
            given = self.reading.by_given(page) if self.reading.wrappers else None
            chosen = None if given is None else Chosen(*given)
            if chosen is None and known.wrappers:
                chosen, has_drifted = known.read(page, self.reading)
                if has_drifted:
                    drifted.add(number)
            if chosen is None:
                return False
            self.sink.add(self.pages[number], chosen.extraction, chosen.file, chosen.fit)
        except Exception as error:
            self.sink.fail(self.pages[number], told(error))
        return True

    def _read_left(self, site: str, place: int, left: list[int], known: Known, drifted: set[int]) -> None:
        """Read pages of a site that none of its wrappers fits, after learning from some of them."""
        code = NOTHING - 1 - place
        found: dict[int, Extraction] = {}
        failed: set[int] = set()
        fresh = known
        if code in self.skip:
            self.sink.note(RawPage(site, 0, url=site), f"the site is not learned here: {self.skip[code]}")
        elif len(left) >= FEWEST and len(known.wrappers) < MOST_WRAPPERS:
            found, failed = self._extracted(spread(left, SAMPLE))
            worth = [number for number in found if found[number].kind != "none"][:LEARN_FROM]
            if len(worth) >= FEWEST:
                self.step(code)
                fresh = self._learn(site, [found[number].page for number in worth], worth, known, drifted)
        self.unfit += len(left) - len(failed) if known.wrappers else 0
        for number in left:
            if number in failed or (fresh is not known and self._read_by(fresh, number, set())):
                continue
            if number in found:
                self._add(number, found[number])
            elif (page := self._parse(number)) is not None:
                try:
                    extraction = self.reading.extract(page)
                except Exception as error:
                    self.sink.fail(self.pages[number], told(error))
                    continue
                self._add(number, extraction)

    def _add(self, number: int, extraction: Extraction) -> None:
        try:
            self.sink.add(self.pages[number], extraction)
        except Exception as error:
            self.sink.fail(self.pages[number], told(error))

    def _extracted(self, numbers: Sequence[int]) -> tuple[dict[int, Extraction], set[int]]:
        """What is found on pages by themselves; and those that failed."""
        found: dict[int, Extraction] = {}
        failed: set[int] = set()
        for number in numbers:
            page = self._parse(number)
            if page is None:
                failed.add(number)
                continue
            try:
                extraction = self.reading.extract(page)
                extraction.kind  # noqa: B018 - computed here, where it may fail
                found[number] = extraction
            except Exception as error:
                self.sink.fail(self.pages[number], told(error))
                failed.add(number)
        return found, failed

    def _learn(
        self, site: str, pages: Sequence[Page], numbers: Sequence[int], known: Known, drifted: set[int]
    ) -> Known:
        """The wrappers of a site with those learned from these pages."""
        fresh = known.copy()
        try:
            found = list(learned_from(pages, self.reading))
        except Exception as error:
            self.sink.note(RawPage(site, 0, url=site), f"the site is not learned here: {told(error)}")
            return known
        for wrapper, members in found:
            again = 2 * sum(numbers[member] in drifted for member in members) > len(members)
            file = self.store.keep(site, self.task.number, len(self.learned), wrapper, again)
            why = "drift" if again else "new template" if known.wrappers else "new site"
            self.learned.append(Learned(site, file, why, wrapper.kind, wrapper.pages))
            fresh.add(file, wrapper)
        return fresh if found else known
