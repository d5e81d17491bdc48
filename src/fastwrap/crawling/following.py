"""`fastwrap.follow`: a listing from its first page to its last, or as far as it may go.
It says why it stopped; what has been read by then is kept, whatever happens on the way."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import NamedTuple, TypedDict, Unpack

from fastwrap import paging
from fastwrap.columns import GivenTable
from fastwrap.columns.wishes import Want, Wanted, wanted_of
from fastwrap.common.arguments import expect, whole_number
from fastwrap.common.lazy import lazy_property
from fastwrap.crawling.politeness import PAUSE, Fetch, Polite
from fastwrap.crawling.reading import Reader
from fastwrap.crawling.tables import Doubles, FollowedRegion, Row, joined_table, rows_of
from fastwrap.errors import FastwrapError
from fastwrap.extraction import Extraction, Record, Region
from fastwrap.limits import union
from fastwrap.page import Page
from fastwrap.page.addresses import is_web
from fastwrap.page.sources import HtmlSource, page_of
from fastwrap.paging.addresses import Address
from fastwrap.paging.buttons import more
from fastwrap.wrapper import Wrapper

MOST = 10
"""Pages that are read if nobody says how many."""

SECONDS = 600.0

END, LIMIT, LOOP, NOTHING_NEW = "end", "limit", "loop", "nothing new"
OTHER_SITE, NO_ADDRESS, NO_LIST, FAILED = "other site", "no address", "no list", "failed"
"""Why a listing was not followed further."""


class FollowedPage(NamedTuple):
    """One of the pages that were read."""

    url: str | None
    records: int
    """That it has."""
    doubles: int
    """Of these, that an earlier page had."""
    by_wrapper: bool
    """Whether it was read by the wrapper that was learned from the first pages, or by itself."""


class Stop(NamedTuple):
    """Why a listing was not followed further."""

    kind: str
    why: str
    """For people."""


class Reading(TypedDict, total=False):
    """How the pages are read: keywords of `fastwrap.extract`."""

    want: Want | None
    columns: str | None
    method: str
    min_confidence: float


class Followed(Extraction):
    """The records of a listing, of all its pages that were read, as one table.

    What is said of a page (`confidence`, `record`, `page`) is that of the first one; `next_page` is where to go on.
    """

    def __init__(self, first: Extraction, walk: Walk, stop: Stop, wanted: Wanted | None = None) -> None:
        self.page = first.page
        self.url = first.url
        self.min_confidence = first.min_confidence
        self.structured = first.structured
        self.pages = tuple(walk.pages)
        """The pages that were read, in their order."""
        self.stopped = stop.kind
        """Why there are no more of them: "end" (there is no next page), "limit" (as many as were asked for), "loop"
        (the next page was read already), "nothing new" (a page had only known records), "other site", "no address" (a
        button loads more, and the page does not say from where), "no list", or "failed"."""
        self.why = stop.why
        """The same for people."""
        self._extraction = first
        self._rows = walk.rows
        self._goes_on_at = walk.goes_on_at
        self._limits = walk.limits
        self._wanted = wanted

    def __repr__(self) -> str:
        return f"<Followed: {len(self)} records of {len(self.pages)} pages, {self.stopped}>"

    @lazy_property
    def _first(self) -> Region | None:
        return None if not self._rows else FollowedRegion(self.page, self._table, self._extraction, self._wanted)

    @lazy_property
    def _table(self) -> GivenTable:
        return joined_table(self.page, self._rows)

    @lazy_property
    def regions(self) -> Sequence[Region]:
        """The listing; if there is none, what else repeats on the first page."""
        return self._extraction.regions if self._first is None else [self._first]

    @lazy_property
    def confidence(self) -> float:
        """That the first page has a list, and is for it."""
        return self._extraction.confidence

    @property
    def _is_sure(self) -> bool:
        return self.confidence >= self.min_confidence

    @lazy_property
    def kind(self) -> str:
        """ "list"; if there is none, what the first page is about."""
        return self._extraction.kind if self._first is None else "list"

    @lazy_property
    def record(self) -> Record | None:
        """What the first page is about, besides its list."""
        return self._extraction.record

    @lazy_property
    def next_page(self) -> str | None:
        """Where the listing goes on; None at its end."""
        return self._goes_on_at

    @property
    def doubles(self) -> int:
        """Records that were left out, since an earlier page had them."""
        return sum(page.doubles for page in self.pages)

    @property
    def limits(self) -> tuple[str, ...]:
        """The budgets of `fastwrap.limits` that were met on any page."""
        return union(self._limits, self._extraction.limits if self._first is None else self._first.limits)


class Walk:
    """A listing that is being followed."""

    def __init__(self, polite: Polite, reader: Reader, most: int, keep_doubles: bool) -> None:
        self._polite = polite
        self._reader = reader
        self._most = most
        self._doubles = Doubles(keep_doubles)
        self._visited: set[str] = set()
        self.rows: list[Row] = []
        self.pages: list[FollowedPage] = []
        self.limits: tuple[str, ...] = ()
        self.goes_on_at: str | None = None

    def run(self, page: Page) -> Stop:
        """Read page after page, until there is a reason to stop."""
        site = None if page.url is None else Address(page.url).site
        held: Page | None = None  # the first page, until the second one is there to learn from
        while True:
            self._note(page.url)
            if held is not None:
                self._reader.learn(held, page)
                self._read_again(held)
                held = None
            found = self._take(page)
            if not self.rows:
                return Stop(NO_LIST, "there is no list on the first page")
            if len(self.pages) == 1:
                held = page
            following, stop = self._following(page, site)
            if found == 0:
                return Stop(NOTHING_NEW, f"{page.url} has no records that were not there before")
            if following is None:
                return stop
            self.goes_on_at = following
            if len(self.pages) >= self._most:
                return Stop(LIMIT, f"as many pages as were asked for ({self._most})")
            try:
                page = page_of(self._polite(following), None)
            except Exception as error:  # whatever fetches: what was read so far is kept
                return Stop(FAILED, str(error) or type(error).__name__)
            self.goes_on_at = None
            if page.url is None:
                page = page_of(page, following)
            if page.url in self._visited:
                return Stop(LOOP, f"{following} leads to a page that was read already")

    def _note(self, url: str | None) -> None:
        if url is not None:
            self._visited.add(url.partition("#")[0])

    def _take(self, page: Page) -> int:
        """Add the records of a page; how many of them are new."""
        read, by_wrapper = self._reader.read(page)
        rows = rows_of(read)
        new = self._doubles.without(rows)
        self.rows += new
        self.limits = union(self.limits, read.limits)
        self.pages.append(FollowedPage(page.url, len(rows), len(rows) - len(new), by_wrapper))
        return len(new)

    def _read_again(self, first: Page) -> None:
        """Read the first page by what was learned of it and the second."""
        if self._reader.wrapper is not None:
            self.rows, self.pages = [], []
            self._doubles.forget()
            self._take(first)

    def _following(self, page: Page, site: list[str] | None) -> tuple[str | None, Stop]:
        """The address of the next page, or why it is not gone to."""
        found = paging.find(page)
        self.limits = union(self.limits, found.limits)
        address = found.address
        if address is None:
            button = more(page)
            if button is None:
                return None, Stop(END, "there is no next page")
            if button.address is None:
                said = f"a button ({button.label!r})" if button.label else "scrolling"
                why = f"{said} loads more, by a script: the page does not say from where; let a browser do it"
                return None, Stop(NO_ADDRESS, why)
            address = button.address
        if not is_web(address):
            return None, Stop(NO_ADDRESS, f"the next page is {address}, and the address of this one is not known")
        if site is None or Address(address).site != site:
            self.goes_on_at = address
            return None, Stop(OTHER_SITE, f"the next page is on another site: {address}")
        if address.partition("#")[0] in self._visited:
            return None, Stop(LOOP, f"the next page would be {address}, which was read already")
        return address, Stop(END, "")


def follow(
    first: str | HtmlSource,
    *,
    most: int = MOST,
    fetch: Fetch | None = None,
    pause: float = PAUSE,
    seconds: float = SECONDS,
    wrapper: Wrapper | None = None,
    keep_doubles: bool = False,
    **reading: Unpack[Reading],
) -> Followed:
    """Read a listing, page after page, and make one table of its records.

    `first` is the address of its first page, or this page itself, as `extract` takes it, but for a str of HTML: a str
    is an address here. `most` is how many pages are read. `fetch` fetches the page at an address, and may return
    anything that `extract` takes; without one, pages are fetched as `fastwrap.fetch` does (it needs `fastwrap[fetch]`),
    and robots.txt is asked. There are at least `pause` seconds between two pages of one host, more where its robots.txt
    asks for it, and after `seconds` no further page is fetched. `reading` is how pages are read: `want`, `columns`,
    `method` and `min_confidence`, as in `extract`.

    From the second page on, pages are read by a wrapper, which is learned from the first two, or given. Records that an
    earlier page had are left out (by their links or, where these say nothing, by all that they say), unless
    `keep_doubles`. Next pages are found as `Extraction.next_page` does, and behind buttons that load more, if the page
    has the address.

    >>> def page(number):
    ...     items = "".join(f"<li><a href=/{k}>Pan {k}</a> {k}.90 EUR</li>" for k in range(5 * number, 5 * number + 5))
    ...     return f"<ul>{items}</ul>" + (f"<a href='?page={number + 1}'>next</a>" if number < 3 else "")
    >>> found = follow("https://shop.example/?page=1", fetch=lambda url: page(int(url[-1])), pause=0)
    >>> len(found), len(found.pages), found.stopped, found[14]["title"]
    (15, 3, 'end', 'Pan 19')
    """
    if unknown := reading.keys() - Reading.__annotations__.keys():
        raise TypeError(f"there is no option {min(unknown)!r}")
    most = whole_number(most, "most")
    if most < 1:
        raise FastwrapError("most is a number of pages, at least 1")
    for name, value in (("pause", pause), ("seconds", seconds)):
        expect(value, (int, float), f"{name} is a number of seconds")
        if not 0 <= value < 1e9:
            raise FastwrapError(f"{name} is a number of seconds, not {value!r}")
    wanted = None if (want := reading.get("want")) is None else wanted_of(want)
    with ExitStack() as stack:
        if fetch is None:
            from fastwrap.fetching.client import Fetcher

            fetch = stack.enter_context(Fetcher())
        polite = Polite(fetch, pause, seconds)
        if isinstance(first, str):
            page = page_of(polite(first))
            if page.url is None:
                page = page_of(page, first)
        else:
            page = page_of(first)
            polite.note(page.url)
        reader = Reader(wrapper, reading)
        found, _ = reader.read(page)
        walk = Walk(polite, reader, most, keep_doubles)
        stop = walk.run(page)
    return Followed(found, walk, stop, wanted)
