"""The wrappers of a store as routes use them: those in use are kept in memory, read from their files once.
A change that another process or machine makes is seen when what is known of a wrapper is half a second old."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import NamedTuple, ParamSpec, TypeVar

from fastwrap.server.logs import log
from fastwrap.server.problems import Problem
from fastwrap.server.store import Expected, Head, Store, StoreError, Version
from fastwrap.server.store.records import ANYTHING, ConflictError, Sited
from fastwrap.wrapper import Wrapper

P = ParamSpec("P")
T = TypeVar("T")

KNOWN = 0.5
"""Seconds for which what is known of a wrapper is taken to be true."""

MOST_HEADS = 10_000
"""Wrappers of which something is known."""

MOST_SITES = 1_000
"""Wrappers whose versions are at hand."""

MOST_BYTES = 64 * 1024 * 1024
"""Of the files of all wrappers that are kept in memory."""

READERS, WRITERS = 2, 2
"""Threads that wait for the store."""


class Kept(NamedTuple):
    """A version of a wrapper, to be read by."""

    id: str
    number: int
    etag: str
    document: bytes
    state: str = "current"
    sample: str = ""


class Loaded:
    """Wrappers by their entity tags, those used last: an entity tag says all of what a file has. For any thread."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._kept: OrderedDict[str, tuple[Wrapper, int]] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def wrapper(self, kept: Kept) -> Wrapper:
        """The wrapper of a file."""
        with self._lock:
            if kept.etag in self._kept:
                self._kept.move_to_end(kept.etag)
                return self._kept[kept.etag][0]
        wrapper = Wrapper.loads(kept.document)
        with self._lock:
            if kept.etag not in self._kept:
                self._kept[kept.etag] = wrapper, len(kept.document)
                self._bytes += len(kept.document)
            while self._bytes > self._most and len(self._kept) > 1:
                self._bytes -= self._kept.popitem(last=False)[1][1]
        return wrapper


class Shelf:
    """The wrappers of one process."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="store-read")
        self._writers = ThreadPoolExecutor(WRITERS, thread_name_prefix="store-write")
        self._heads: OrderedDict[tuple[str, str], tuple[float, Head | None]] = OrderedDict()
        self._kept: OrderedDict[tuple[str, str, int, str], Kept] = OrderedDict()
        self._bytes = 0
        self._readable: OrderedDict[tuple[str, str], tuple[object, list[Kept]]] = OrderedDict()
        self._sites: OrderedDict[tuple[str, ...], tuple[float, list[tuple[str, str]]]] = OrderedDict()
        self.loaded = Loaded()

    async def _call(
        self, threads: ThreadPoolExecutor, function: Callable[P, T], *arguments: P.args, **keywords: P.kwargs
    ) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(threads, lambda: function(*arguments, **keywords))
        except StoreError as error:
            log("store", error=str(error)[:500])  # not for clients: it may say where the store is, and whose
            raise Problem("overloaded", "the store does not answer", headers={"Retry-After": "2"}) from error

    async def head(self, namespace: str, id: str) -> Head | None:
        """A wrapper; None if there is none."""
        known = self._heads.get((namespace, id))
        if known is not None and known[1] is not None and self._clock() - known[0] < KNOWN:
            return known[1]
        return await self.fresh_head(namespace, id)

    async def fresh_head(self, namespace: str, id: str) -> Head | None:
        """The same, as the store has it now."""
        asked = self._clock()
        head = await self._call(self._readers, self._store.head, namespace, id)
        self._know(namespace, id, asked, head)
        return head

    def _know(self, namespace: str, id: str, asked: float, head: Head | None = None) -> None:
        """Remember what the store said when it was asked, if nothing newer is known; None has it asked again."""
        if self._heads.get((namespace, id), (asked,))[0] <= asked:
            self._heads[namespace, id] = asked, head
            self._heads.move_to_end((namespace, id))
        while len(self._heads) > MOST_HEADS:
            self._heads.popitem(last=False)

    async def existing(self, namespace: str, id: str) -> Head:
        """A wrapper; Problem if there is none."""
        head = await self.head(namespace, id)
        if head is None:
            raise missing(id)
        return head

    async def kept(self, namespace: str, id: str, number: int | None = None) -> Kept:
        """A version of a wrapper, the current one by default; Problem if there is none."""
        head = await self.existing(namespace, id)
        if number is None or number == head.current:
            return await self._version(namespace, id, head.current, head.etag)
        return await self._version(namespace, id, number)

    async def _version(self, namespace: str, id: str, number: int, etag: str = "") -> Kept:
        key = namespace, id, number, etag
        if etag and key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        found = await self._call(self._readers, self._store.version, namespace, id, number)
        if found is None:
            raise Problem("not-found", f"the wrapper {id!r} has no version {number}")
        kept = Kept(id, number, found.etag, found.document, found.state, found.sample)
        if etag == found.etag and key not in self._kept:  # else it was changed in between, or its tag was not known
            self._kept[key] = kept
            self._bytes += len(kept.document)
            while self._bytes > MOST_BYTES and len(self._kept) > 1:
                self._bytes -= len(self._kept.popitem(last=False)[1].document)
        return kept

    async def heads(self, namespace: str, after: str, most: int) -> list[Head]:
        """The wrappers whose ids come after one."""
        return await self._call(self._readers, self._store.heads, namespace, after, most)

    async def versions(self, namespace: str, id: str) -> list[Version]:
        """All versions, the latest first."""
        return await self._call(self._readers, self._store.versions, namespace, id)

    async def of_site(self, namespace: str, keys: Sequence[str], *, fresh: bool = False) -> list[tuple[str, str]]:
        """The ids of wrappers of a site, each with what the store keeps of its pages."""
        key = namespace, *keys
        known = self._sites.get(key)
        if known is not None and known[1] and not fresh and self._clock() - known[0] < KNOWN:
            return known[1]
        asked = self._clock()
        found = await self._call(self._readers, self._store.of_site, namespace, keys)
        self._sites[key] = asked, found
        self._sites.move_to_end(key)
        while len(self._sites) > MOST_HEADS:
            self._sites.popitem(last=False)
        return found

    async def put(
        self,
        namespace: str,
        id: str,
        document: bytes,
        origin: str,
        *,
        expected: Expected = ANYTHING,
        sample: str | None = None,
        sited: Sited | None = None,
    ) -> Version:
        """Keep a version; it is in the store when this returns. Problem if the wrapper is not what is expected."""

        def put() -> Version:
            return self._store.put(
                namespace, id, document, origin, expected=expected, sample=sample, sited=sited
            )  # fmt: skip

        try:
            try:
                return await self._call(self._writers, put)
            except ConflictError:
                if expected != ANYTHING:
                    raise
                return await self._call(self._writers, put)  # somebody made it at the same time: now it is there
        except ConflictError as error:
            name = "conflict" if expected == ANYTHING else "precondition-failed"
            raise Problem(name, f"the wrapper {id!r}: {error}") from None
        finally:
            self._know(namespace, id, self._clock())
            if sited is not None:
                self._sites.pop((namespace, *sited.keys), None)

    async def confirm(self, namespace: str, id: str, number: int) -> bool:
        """Make a candidate the current version; False if it is none any more."""
        done = await self._call(self._writers, self._store.confirm, namespace, id, number)
        self._know(namespace, id, self._clock())
        return done

    async def settle(self, namespace: str, id: str, sited: Sited) -> None:
        """Have a wrapper found by pages of a site."""
        await self._call(self._writers, self._store.settle, namespace, id, sited)
        self._know(namespace, id, self._clock())
        self._sites.pop((namespace, *sited.keys), None)

    async def delete(self, namespace: str, id: str, expected: Expected) -> None:
        """Forget a wrapper; Problem if there is none, or it is not what is expected."""
        try:
            done = await self._call(self._writers, self._store.delete, namespace, id, expected)
        except ConflictError as error:
            raise Problem("precondition-failed", f"the wrapper {id!r}: {error}") from None
        self._know(namespace, id, self._clock())
        if not done:
            raise missing(id)

    async def readable(self, namespace: str, id: str, most: int) -> list[Kept]:
        """The versions that a page may be read by: the current one, the candidate, then those that were current."""
        head = await self.head(namespace, id)
        if head is None:
            return []
        known = self._readable.get((namespace, id))
        if known is not None and known[0] == head[:4]:
            return known[1]
        numbers = {head.current: "current"}
        if head.candidate is not None or head.current > 1:
            all_versions = await self.versions(namespace, id)
            if head.candidate is not None:
                numbers[head.candidate] = "candidate"
            for each in all_versions:
                if each.state == "old" and len(numbers) < most:
                    numbers.setdefault(each.number, "old")
        found = [
            (await self._version(namespace, id, number, head.etag if state == "current" else ""))._replace(state=state)
            for number, state in numbers.items()
        ]
        self._readable[namespace, id] = head[:4], found
        while len(self._readable) > MOST_SITES:
            self._readable.popitem(last=False)
        return found

    async def ping(self) -> None:
        """Problem if the store does not answer."""
        await self._call(self._readers, self._store.ping)

    def close(self) -> None:
        """Close the store, when what is under way is done."""
        self._readers.shutdown()
        self._writers.shutdown()
        self._store.close()


def missing(id: str) -> Problem:
    """The answer where there is no such wrapper."""
    return Problem("not-found", f"there is no wrapper {id[:100]!r}")
