"""The route that needs no wrapper: that of the page's site is applied, learned, healed or learned again.
What a page changes is a candidate until a second, different page fits it, so that one strange page poisons nothing."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

import fastwrap
from fastwrap.extraction import MIN_CONFIDENCE, Extraction
from fastwrap.page import Page
from fastwrap.server import metrics
from fastwrap.server.answers import Answer, Wished, table_answer, wished
from fastwrap.server.bodies import packing_of, unpack
from fastwrap.server.problems import Problem
from fastwrap.server.requests import Given, Incoming, ReadOptions, wanted
from fastwrap.server.services import Services, services_of
from fastwrap.server.shelf import Kept
from fastwrap.server.sites import ALIKE, Place
from fastwrap.server.store import Expected
from fastwrap.server.wrappers import namespace_of, told_of
from fastwrap.wrapper import Wrapper
from fastwrap.wrapper.fitting import ALARM
from fastwrap.wrapper.wrapper import WrappedExtraction

MOST_WRAPPERS = 6
"""Wrappers of a site that a page is compared with: those that are nearest to it."""

MOST_VERSIONS = 4
"""Versions of each: the current one, the candidate, and those that were current last, where a site has two designs."""

MOST_HEALED = 2
"""Wrappers that are healed for one page."""

GOOD = 0.9
"""A fit from which on no other wrapper is tried."""

NEAR = 0.3
"""How near a wrapper must be to be healed by a page; learned again is only the one of the same place."""

TRIES = 3
"""So often a request begins anew because another one changed a wrapper at the same time."""


class Near(NamedTuple):
    """A wrapper of the page's site, with the versions that the page may be read by, the current one first."""

    nearness: float
    versions: list[Kept]


class Change(NamedTuple):
    """What a page changes in the store."""

    id: str
    document: bytes
    origin: str
    sample: str | None
    """Of a candidate, what its page has; None of a wrapper that is new."""


class Verdict(NamedTuple):
    """What became of a page."""

    found: Extraction
    happened: str
    kept: Kept | None = None
    """The version that it is read by, if the store has it."""
    wrapper: Wrapper | None = None
    change: Change | None = None
    """What is to be kept before anything is answered."""


async def extract(request: Request) -> Response:
    """The records of a page, read by the wrapper of its site."""
    services, namespace = services_of(request), namespace_of(request)
    wish, packing, incoming = wished(request), packing_of(request), Incoming(request, ReadOptions)

    def read(body: bytes) -> Given[ReadOptions] | tuple[Given[ReadOptions], Page, Place]:
        given = incoming.given(unpack(body, packing, services.limits.body))
        return given if given.html is None else placed(given)

    def placed(given: Given[ReadOptions]) -> tuple[Given[ReadOptions], Page, Place]:
        page = given.page(services.limits)
        place = Place(page, page.url)
        place.keys  # noqa: B018 - computed here, on the thread
        return given, page, place

    async with services.held.body(request) as body:
        first = await services.run(read, body)
        if isinstance(first, Given):
            first = await services.run(placed, await services.fetched(first))
    given, page, place = first
    answer = await Reader(services, namespace, given, page, place).answer(wish)
    return answer.response()


class Reader:
    """One page, and the wrappers of its site."""

    def __init__(
        self, services: Services, namespace: str, given: Given[ReadOptions], page: Page, place: Place
    ) -> None:  # fmt: skip
        self._services = services
        self._shelf = services.shelf
        self._namespace = namespace
        self._want = given.options.want
        self._page = page
        self._place = place

    async def answer(self, wish: Wished) -> Answer:
        """The records; what the page changes is kept before it is answered."""
        made = await self._services.run(self._apply, await self._near(), wish)
        if made is not None:
            return made
        turns = self._services.turns
        lock = turns.setdefault((self._namespace, self._place.name), asyncio.Lock())
        async with lock:
            for _ in range(TRIES):
                near = await self._near(fresh=True)
                verdict = await self._services.run(self._judge, near)
                kept, done = await self._keep(verdict)
                if done:
                    return await self._services.run(self._tell, verdict._replace(kept=kept), wish)
        raise Problem("conflict", "the wrapper of the site changes all the time")

    async def _near(self, *, fresh: bool = False) -> list[Near]:
        """The wrappers of the page's site, the nearest first."""
        namespace, place = self._namespace, self._place
        known = await self._shelf.of_site(namespace, place.keys, fresh=fresh)
        if fresh and place.id not in dict(known) and await self._shelf.fresh_head(namespace, place.id) is not None:
            # It was put here under the id of this place, as a copy of one that was learned on another day, or server.
            await self._shelf.settle(namespace, place.id, place.sited)
            known = await self._shelf.of_site(namespace, place.keys)
        if len(known) > 1 or not self._place.host:
            ranked = sorted(((self._place.nearness(id, told), id) for id, told in known), reverse=True)
        else:
            ranked = [(self._place.nearness(id, told), id) for id, told in known]
        found = []
        for nearness, id in ranked[:MOST_WRAPPERS]:
            if fresh:
                await self._shelf.fresh_head(self._namespace, id)
            versions = await self._shelf.readable(self._namespace, id, MOST_VERSIONS)
            if versions and (self._place.host or nearness >= ALIKE):
                found.append(Near(nearness, versions))
        return found

    def _apply(self, near: Sequence[Near], wish: Wished) -> Answer | None:
        """The answer, if a version fits that is or was current: nothing is changed then."""
        verdict = self._fitting(near)
        return None if verdict is None else self._tell(verdict, wish)

    def _fitting(self, near: Sequence[Near]) -> Verdict | None:
        """The verdict on a page that a version fits which is or was current: the current ones go first."""
        best: Verdict | None = None
        best_fit = 0.0
        current = [each.versions[0] for each in near]
        old = [kept for each in near for kept in each.versions[1:] if kept.state == "old"]
        for group in (current, old):
            for kept in group:
                wrapper = self._shelf.loaded.wrapper(kept)
                found = wrapper.extract(self._page, want=wanted(self._want))
                if found.fit >= ALARM and found.fit > best_fit:
                    best, best_fit = Verdict(found, "applied", kept, wrapper), found.fit
                if best_fit >= GOOD:
                    return best
            if best is not None:
                return best
        return None

    def _judge(self, near: Sequence[Near]) -> Verdict:
        """What becomes of a page that no wrapper is known to fit."""
        return (
            self._fitting(near)
            or self._confirmed(near)
            or self._healed(near)
            or self._learned(near)
            or Verdict(self._by_itself(), "misfit" if near else "extracted")
        )  # fmt: skip

    def _by_itself(self) -> Extraction:
        return fastwrap.extract(self._page, want=wanted(self._want))

    def _confirmed(self, near: Sequence[Near]) -> Verdict | None:
        """A candidate that the page fits: it becomes current, unless this is the page that it was made from."""
        for each in near:
            for kept in each.versions:
                if kept.state != "candidate":
                    continue
                wrapper = self._shelf.loaded.wrapper(kept)
                found = wrapper.extract(self._page, want=wanted(self._want))
                if found.fit >= ALARM:
                    happened = "candidate" if sample_of(found) == kept.sample else "confirmed"
                    return Verdict(found, happened, kept, wrapper)
        return None

    def _healed(self, near: Sequence[Near]) -> Verdict | None:
        """A wrapper of the site that finds its list again on the page."""
        for each in [each for each in near if each.nearness >= NEAR][:MOST_HEALED]:
            old = self._shelf.loaded.wrapper(each.versions[0])
            healed, report = old.heal(self._page)
            if report.found and report.changed:
                return self._candidate(each.versions[0].id, healed, "healed")
        return None

    def _learned(self, near: Sequence[Near]) -> Verdict | None:
        """A wrapper that is learned from the page: a new one, or a candidate where there is one of the same place."""
        same = next((each.versions[0] for each in near if each.versions[0].id == self._place.id), None)
        previous = None if same is None else self._shelf.loaded.wrapper(same)
        wrapper = fastwrap.learn(self._page, previous=previous)
        if wrapper.kind != "list" or not wrapper.patterns or wrapper.patterns[0].confidence < MIN_CONFIDENCE:
            return None
        if wrapper.extract(self._page).fit < ALARM:
            return None
        if same is not None:
            return self._candidate(same.id, wrapper, "learned again")
        document = wrapper.dumps().encode()
        found = wrapper.extract(self._page, want=wanted(self._want))
        return Verdict(found, "learned", None, wrapper, Change(self._place.id, document, "learned", None))

    def _candidate(self, id: str, wrapper: Wrapper, origin: str) -> Verdict:
        found = wrapper.extract(self._page, want=wanted(self._want))
        change = Change(id, wrapper.dumps().encode(), origin, sample_of(found))
        return Verdict(found, origin, None, wrapper, change)

    async def _keep(self, verdict: Verdict) -> tuple[Kept | None, bool]:
        """Keep what a page changes; the version that it is read by, and whether nobody else changed it meanwhile."""
        if verdict.happened == "confirmed" and verdict.kept is not None:
            kept = verdict.kept._replace(state="current")
            return kept, await self._shelf.confirm(self._namespace, kept.id, kept.number)
        change = verdict.change
        if change is None:
            return verdict.kept, True
        is_new = change.sample is None
        try:
            version = await self._shelf.put(
                self._namespace, change.id, change.document, change.origin,
                expected=Expected(absent=True) if is_new else Expected(etags=("*",)),
                sample=change.sample,
                sited=self._place.sited if is_new else None,
            )  # fmt: skip
        except Problem as problem:
            if problem.name == "precondition-failed":
                return None, False
            raise
        return Kept(change.id, version.number, version.etag, change.document, version.state), True

    def _tell(self, verdict: Verdict, wish: Wished) -> Answer:
        """The answer, which says what happened."""
        kept, wrapper = verdict.kept, verdict.wrapper
        metrics.HAPPENED.labels(verdict.happened).inc()
        told: dict[str, Any] = {"id": None, "version": None, "etag": None, "fit": None, "fits": False, "drift": []}
        if kept is not None and wrapper is not None and isinstance(verdict.found, WrappedExtraction):
            told = told_of(wrapper, kept, verdict.found, self._page, whole=self._want is None)
        is_candidate = kept is not None and kept.state == "candidate"
        told |= {"happened": verdict.happened, "is_candidate": is_candidate, "site": self._place.name}
        return table_answer(verdict.found, wish, told)


def sample_of(found: Extraction) -> str:
    """The hash of the records of a page: another page has others."""
    digest = hashlib.blake2b(digest_size=16)
    for record in found.records:
        digest.update(record.text.encode("utf-8", "replace") + b"\0")
    return digest.hexdigest()
