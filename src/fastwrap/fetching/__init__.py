"""Fetching: `fastwrap.fetch`, one page from the web, ready for `fastwrap.extract`.
Nothing here needs httpx2 before a page is fetched, so that `from fastwrap import *` works without it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fastwrap.errors import FastwrapError

__all__ = ["LIMITS", "BusyError", "Fetched", "Limits", "fetch"]


class BusyError(FastwrapError):
    """A site has too much to do, or is asked too often (429, 503)."""

    retry_after: float | None = None
    """Seconds after which it wants to be asked again, if it says so."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a fetch may go."""

    size: int = 64 * 1024 * 1024
    """Bytes of a page, unpacked."""
    seconds: float = 30.0
    """For the whole of it: names, redirects, robots.txt and page."""
    redirects: int = 10


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page from the web, named as requests and httpx2 name the parts of theirs: `extract` and `learn` take it.

    >>> import fastwrap
    >>> fetched = Fetched(b"<p>caf\\xe9", "https://a.example/", {"content-type": "text/html; charset=latin1"})
    >>> page = fastwrap.Page.of(fetched)
    >>> page.text(), page.url
    ('café', 'https://a.example/')
    """

    content: bytes = field(repr=False)
    url: str
    """Its address, after redirects."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """The header "content-type" as it came, if there was one: it may name the encoding."""


def fetch(url: str, *, limits: Limits = LIMITS, robots: bool = True, allow_private: bool = False) -> Fetched:
    """Fetch one page (needs `fastwrap[fetch]`).

    `robots=False` does not ask the site's robots.txt. `allow_private` allows addresses of private networks, of this
    machine, and all others that are not of the public Internet. Proxies of the environment are not used.

    Raises FastwrapError for what is not reached, not allowed, no page, or beyond the limits.

    >>> fetch("http://127.0.0.1/")
    Traceback (most recent call last):
        ...
    fastwrap.errors.FastwrapError: http://127.0.0.1/: 127.0.0.1 is not a public address
    """
    from fastwrap.fetching.client import Fetcher

    with Fetcher(limits=limits, robots=robots, allow_private=allow_private) as fetcher:
        return fetcher.fetch(url)
