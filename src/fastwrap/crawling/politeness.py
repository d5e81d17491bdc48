"""Politeness: a pause between two pages of one host, at least as long as its robots.txt asks for.
What fetches is up to the caller; the one of `fastwrap.fetching` asks robots.txt itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlsplit

from fastwrap.errors import FastwrapError
from fastwrap.fetching import BusyError
from fastwrap.page.sources import HtmlSource

if TYPE_CHECKING:
    from fastwrap.fetching.client import Fetcher

Fetch: TypeAlias = "Callable[[str], HtmlSource] | Fetcher"
"""Fetches the page at an address: whatever `fastwrap.extract` takes."""

PAUSE = 1.0
"""Seconds between two pages of one host."""


TRIES = 3
"""Of one page, at a site that says that it is busy."""

AGAIN = 10.0
"""Seconds until it is asked again, if it does not say when."""


class Polite:
    """Fetches one page after the other, with pauses.

    >>> polite = Polite(lambda url: f"<p>the page at {url}", pause=0)
    >>> polite("https://a.example/")
    '<p>the page at https://a.example/'
    """

    def __init__(
        self,
        fetch: Fetch,
        pause: float = PAUSE,
        seconds: float = 600.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._fetch = fetch
        self._pause = pause
        self._clock = clock
        self._sleep = sleep
        self._end = clock() + seconds
        self._fetched: dict[str, float] = {}
        """By host, when its last page was there."""

    def note(self, url: str | None) -> None:
        """A page of this address has just been fetched by somebody else."""
        if url is not None:
            self._fetched[host_of(url)] = self._clock()

    def __call__(self, url: str) -> HtmlSource:
        """The page at an address; FastwrapError where there is no time left for it, and for what the fetch raises. A
        site that is busy is asked again, when it says so."""
        pause = self._pause
        for tried in range(TRIES):
            self._wait(url, pause)
            try:
                return self._fetch(url) if callable(self._fetch) else self._fetch.fetch(url)
            except BusyError as error:
                if tried == TRIES - 1:
                    raise
                pause = max(self._pause, AGAIN if error.retry_after is None else error.retry_after)
            finally:
                self._fetched[host_of(url)] = self._clock()
        raise AssertionError("the last try returns or raises")

    def _wait(self, url: str, pause: float) -> None:
        """Wait until the site of an address may be asked."""
        asked = self._asked_for(url)
        wait = max(pause, asked) - (self._clock() - self._fetched.get(host_of(url), float("-inf")))
        if self._clock() + max(0.0, wait) > self._end:
            why = f": robots.txt asks for {asked:g} s between two pages" if asked > pause else ""
            raise FastwrapError(f"there was no time left for {url}{why}")
        if wait > 0:
            self._sleep(wait)

    def _asked_for(self, url: str) -> float:
        """Seconds that the robots.txt of a site asks for, where it is known."""
        return 0.0 if callable(self._fetch) else self._fetch.crawl_delay(url)


def host_of(url: str) -> str:
    """The host of an address.

    >>> host_of("https://a.example:8080/list"), host_of("http://[")
    ('a.example', '')
    """
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
