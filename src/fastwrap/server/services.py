"""What the routes share: the settings, the threads, the bodies that are held, the store of wrappers.
One object for each worker process; routes find it as `request.app.state.services`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar
from weakref import WeakValueDictionary

from msgspec.structs import replace
from starlette.requests import Request

from fastwrap import fetching
from fastwrap.errors import FastwrapError
from fastwrap.server import metrics
from fastwrap.server.bodies import Held
from fastwrap.server.pool import Pool
from fastwrap.server.problems import Problem
from fastwrap.server.requests import Given, SomeOptions
from fastwrap.server.settings import Settings
from fastwrap.server.shelf import Shelf
from fastwrap.server.store import open_store

P = ParamSpec("P")
T = TypeVar("T")


FETCHERS = 8
"""Addresses that are fetched at once by one process; they wait for the network, not for a core."""


class Services:
    """What the routes of one process share."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.limits = settings.limits
        self.held = Held(settings.limits)
        self.pool = Pool(settings.threads, settings.limits.queue, settings.limits.seconds)
        self.stopping = False
        self.shelf = Shelf(open_store(settings.store))
        self.turns: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()
        """By namespace and site: requests take turns where they change what is known of it."""
        self._fetchers = ThreadPoolExecutor(FETCHERS, thread_name_prefix="fetch")
        self._fetching = 0

    async def run(self, function: Callable[P, T], *arguments: P.args, **keywords: P.kwargs) -> T:
        """Call a function on one of the threads that read pages; Problem where there is no room or no time for it."""
        metrics.WAITING.set(len(self.pool) + 1)
        try:
            return await self.pool.run(function, *arguments, **keywords)
        finally:
            metrics.WAITING.set(len(self.pool))

    async def fetched(self, given: Given[SomeOptions]) -> Given[SomeOptions]:
        """A page that a request names by its address; Problem where that may not, or cannot, be fetched."""
        options = given.options
        if options.url is None:
            raise Problem("bad-request", "there is neither a page nor its url")
        if not self.settings.allow_fetch:
            raise Problem("fetching-not-allowed")
        if self._fetching >= 4 * FETCHERS:
            raise Problem("overloaded", "too many addresses are being fetched", headers={"Retry-After": "2"})
        limits = fetching.Limits(size=self.limits.body, seconds=self.limits.seconds)
        self._fetching += 1
        try:
            loop = asyncio.get_running_loop()
            page = await loop.run_in_executor(self._fetchers, lambda: fetching.fetch(str(options.url), limits=limits))
        except FastwrapError as error:
            raise Problem("fetch-failed", str(error)) from None
        finally:
            self._fetching -= 1
        return Given(page.content, replace(options, url=page.url), page.headers.get("content-type"))

    def close(self) -> None:
        """End the threads."""
        self.pool.close()
        self.shelf.close()
        self._fetchers.shutdown(wait=False, cancel_futures=True)


def services_of(request: Request) -> Services:
    """Those of the process that answers a request."""
    services: Services = request.app.state.services
    return services
