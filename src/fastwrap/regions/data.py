"""Data regions: the lists among the data of a page, each with how likely the page exists for it.
A list that the page shows belongs to the region that shows it; one that it does not show is a region of its own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fastwrap import structured
from fastwrap._core.structured.days import days_in
from fastwrap.common.lazy import lazy_property
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE
from fastwrap.regions import FoundRegion, evidence
from fastwrap.structured import ObjectArray
from fastwrap.structured.judging import Judgement, is_beside, judge, titles_of
from fastwrap.structured.posts import head_of
from fastwrap.structured.shown import Called, called, prose_of

LEAST_ODDS = 0.0
"""Of an array that is shown at all."""
LINKED_ODDS = -3.0
"""Of an array that may be what a region shows."""
MOST_SHOWN = 8
"""Arrays of a page that are shown, the best ones."""
MOST_JUDGED = 60
"""Arrays that are looked at: the longest ones."""
MOST_ODDS = 8.5
"""That an array has by itself: see `fastwrap.structured.judging`."""
LONG = 1_000
"""Objects that an array must have more to be looked at first, if it is called something beside the point."""
THREAD = 6.0
"""What it says for posts that the page is called what their thread is called."""
UNSEEN = 1.0
"""What speaks against any list that a page does not show."""
PROSE_UNIT, PROSE_WEIGHT = 600, 1.5
"""A page without prose shows nothing else; with so many bytes of it, and each time twice as many, the odds fall."""
DETAIL_WEIGHTS = (4.0, 3.0)
"""What JSON-LD about one thing, and an Open Graph type that says so, speak against a list."""
LINKED_SHARE = 0.6
"""Of the objects and of the records that are the same, where a region shows an array."""
MOST_LINKED = 5
"""Regions that are compared with arrays, the first ones."""
MOST_PAIRS = 60_000
"""Titles times records that are compared."""
AHEAD = 40
"""Objects before one that a page shows, besides those that are shown: pages show the first ones of their data."""


def chance(odds: float) -> float:
    """The probability that a page exists for a list, from the logarithm of its odds.

    >>> chance(0.0)
    0.5
    """
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))


class FoundData(NamedTuple):
    """A list among the data of a page."""

    array: ObjectArray
    odds: float
    """The logarithm of the odds that the page exists for it."""
    why: dict[str, float | str]

    @property
    def confidence(self) -> float:
        """The same from 0 to 1."""
        return chance(self.odds)


class Link(NamedTuple):
    """A region that shows an array."""

    array: ObjectArray
    objects: list[int]
    """[k] For each record of the region which object it shows; NO_NODE for none."""


class Data(NamedTuple):
    """What the data of a page adds to its regions."""

    regions: list[FoundData]
    """Lists that no region shows, the best first."""
    links: dict[int, list[Link]]
    """By the place of a region, the arrays that it shows."""
    limits: tuple[str, ...]


def against_lists(page: Page) -> float:
    """What speaks against all lists that a page does not show: its prose, and what it says that it is about.

    >>> against_lists(Page("<p>short")) < 2 < against_lists(Page('<meta property="og:type" content="article">'))
    True
    """
    against = UNSEEN + PROSE_WEIGHT * math.log2(1 + prose_of(page) / PROSE_UNIT)
    if against >= MOST_ODDS:
        return against  # more would change nothing
    against += DETAIL_WEIGHTS[0] * evidence.is_about_one_thing(page)
    return against + DETAIL_WEIGHTS[1] * evidence.is_called_a_detail(page)


class Lists(NamedTuple):
    """The arrays of a page that may be lists, before they are compared with what the page shows."""

    judged: list[tuple[Judgement, ObjectArray]]
    """The best first."""
    limits: tuple[str, ...]


def lists_of(page: Page) -> Lists:
    """What there is among the data of a page.

    >>> lists_of(Page("<p>Loading"))
    Lists(judged=[], limits=())
    """
    if not structured.has_data(page):
        return Lists([], ())
    data = structured.read(page)
    return Lists(judged(page, data.arrays), data.limits)


def judged(page: Page, arrays: Sequence[ObjectArray]) -> list[tuple[Judgement, ObjectArray]]:
    """The arrays that a page may list or show, the best first; not what stands in a better one, or holds it."""
    longest = sorted(arrays, key=lambda array: -len(array.objects) + LONG * is_beside(array))[:MOST_JUDGED]
    pairs = [(judge(array), array) for array in longest]
    if any(judgement.are_posts for judgement, _ in pairs):
        name = called(page)
        pairs = [(with_thread(judgement, array, name), array) for judgement, array in pairs]
    kept: list[tuple[Judgement, ObjectArray]] = []
    for judgement, array in sorted(pairs, key=lambda pair: -pair[0].odds):
        if judgement.odds > LINKED_ODDS and not any(
            is_within(array, other) or is_within(other, array) for _, other in kept
        ):
            kept.append((judgement, array))
    return kept


def with_thread(judgement: Judgement, array: ObjectArray, name: Called) -> Judgement:
    """What an array is like, on a page of some name: for posts it counts that their thread is called what the page is
    called."""
    if judgement.are_posts and any(name.agrees(head_of(each)) for each in array.within):
        return judgement._replace(odds=judgement.odds + THREAD)
    return judgement


def is_within(array: ObjectArray, other: ObjectArray) -> bool:
    """Whether an array stands in an object of another."""
    around = array.around
    while around is not None and around is not other:
        around = around.around
    return around is other


def find(page: Page, found: Sequence[FoundRegion], lists: Lists | None = None) -> Data:
    """The lists among the data of a page whose regions are known; `lists` if these are known, too.

    >>> rows = [f'{{"name": "Tea number {k}", "price": {k}.5, "url": "/tea/{k}"}}' for k in range(9)]
    >>> data = find(Page(f'<p>Loading...<script>let state = {{"items": [{",".join(rows)}]}}</script>'), [])
    >>> [(len(region.array.objects), region.confidence > 0.5) for region in data.regions]
    [(9, True)]
    """
    there, limits = lists_of(page) if lists is None else lists
    if not there:
        return Data([], {}, limits)
    against = against_lists(page)
    text = page.text()
    texts = [[page.span_text(start, end) for start, end in region.records.tolist()] for region in found[:MOST_LINKED]]
    links: dict[int, list[Link]] = {}
    regions = []
    for judgement, array in there:
        titles = titles_of(array, judgement.title)
        place, link = linked(array, titles, found, texts)
        if link is not None:
            links.setdefault(place, []).append(link)
            continue
        if judgement.odds <= LEAST_ODDS or array.nodes:
            continue  # the page shows it, and not as a list
        if 2 * sum(title in text for title in titles if title) > max(1, sum(map(bool, titles))):
            continue
        odds = judgement.odds - against
        why: dict[str, float | str] = {"data": f"{array.source} {array.path}".strip(), "odds": round(odds, 3)}
        regions.append(FoundData(array, odds, why))
    return Data(regions[:MOST_SHOWN], links, limits)


def linked(
    array: ObjectArray, titles: Sequence[str], found: Sequence[FoundRegion], texts: Sequence[Sequence[str]]
) -> tuple[int, Link | None]:
    """The region that shows an array: the place of the region, and which object each of its records shows."""
    for place, (region, records) in enumerate(zip(found, texts, strict=False)):
        objects = objects_at(array, region.records) if array.nodes else objects_named(titles, records)
        shown = sum(number != NO_NODE for number in objects)
        if (
            shown >= 3
            and shown >= LINKED_SHARE * len(records)
            and shown >= LINKED_SHARE * min(len(array.objects), len(records))
        ):
            return place, Link(array, objects)
    return NO_NODE, None


def objects_at(array: ObjectArray, spans: Int32Array) -> list[int]:
    """For each record the object that is written in it."""
    nodes = np.array(array.nodes)
    order = np.argsort(nodes, kind="stable")
    places = np.searchsorted(nodes[order], spans[:, 0])
    found = []
    for place, (start, end) in zip(places.tolist(), spans.tolist(), strict=True):
        inside = place < len(nodes) and start <= nodes[order[place]] < end
        found.append(int(order[place]) if inside else NO_NODE)
    return found


def objects_named(titles: Sequence[str], records: Sequence[str]) -> list[int]:
    """For each record the object whose title it shows, each object once."""
    titles = titles[: 2 * len(records) + AHEAD]
    if len(titles) * len(records) > MOST_PAIRS:
        return [NO_NODE] * len(records)
    whole = "\n".join(records)  # most titles are in none of the records: sooner told of all of them at once
    free = [number for number, title in enumerate(titles) if title and title in whole]
    found = []
    for text in records:
        number = next((number for number in free if titles[number] in text), NO_NODE)
        if number != NO_NODE:
            free.remove(number)
        found.append(number)
    return found


class PageData:
    """The lists among the data of a page, found when they are first asked for. Regions share it; it knows none."""

    def __init__(self, page: Page, found: Sequence[FoundRegion]) -> None:
        self._page, self._regions = page, found

    @lazy_property
    def is_there(self) -> bool:
        """Whether the page has any data: quickly told."""
        return structured.has_data(self._page)

    @lazy_property
    def days(self) -> int:
        """The days of months that its dates may have, as bits: told before any of it is decoded."""
        arrays = self._page.arrays
        return days_in(arrays.values) | days_in(arrays.text) if self.is_there else 0

    @lazy_property
    def lists(self) -> Lists:
        """What may be a list: told before it is compared with the regions."""
        return lists_of(self._page)

    @lazy_property
    def found(self) -> Data:
        """What there is."""
        return find(self._page, self._regions, self.lists)

    def main(self, least: float) -> FoundData | None:
        """The list that the page exists for, though it does not show it: at least so likely, or any where it shows
        none at all. No more of the data is read than needed to tell that there is no such list."""
        if not self.is_there or (against := against_lists(self._page)) >= MOST_ODDS:
            return None
        if self._regions and not any(
            chance(judgement.odds - against) >= least for judgement, _ in self.lists.judged[:1]
        ):
            return None
        first = next(iter(self.found.regions), None)
        return first if first is not None and (first.confidence >= least or not self._regions) else None

    @property
    def is_found(self) -> bool:
        """Whether they have been asked for."""
        return "found" in self.__dict__

    @property
    def limits(self) -> tuple[str, ...]:
        """The budgets that were met, if it has been asked for."""
        return self.lists.limits if "lists" in self.__dict__ else ()
