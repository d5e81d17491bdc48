"""Lists of several pages of one template: which regions of different pages are the same list, and which list is the
main one. Pages are put into an order of their own first, so that the order in which they are given changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import blake2b
from itertools import combinations
from math import log2
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE
from fastwrap.regions import auto, ranking
from fastwrap.wrapper.cutting import Example
from fastwrap.wrapper.hashes import tokens_without_digits
from fastwrap.wrapper.location import LONGEST_PATH, class_of, in_one_place, path_of
from fastwrap.wrapper.pattern import GOOD_SHARE, FoundList

if TYPE_CHECKING:
    from fastwrap.wrapper.pattern import Pattern

MOST_REGIONS = 20
"""Lists of a page or a wrapper, sections included."""

LEAST_ALIKE = 0.3
"""Lists of two pages are not the same if the tag paths in their records have less than this share in common."""

MOST_PATHS = 200
"""Tag paths of records that are compared, the most frequent ones, ..."""

MOST_GROUPS = 40
"""... with those of so many lists that have the same path from the root: twice as many as are learned."""

MOST_TEXTS = 200
"""Records of a page whose texts are compared with those of another page, ..."""

MOST_COMPARED = 5
"""... and pages of which all pairs are compared."""

MANY_RECORDS = 8
"""From so many records on, a page shows a list as well as it can."""

WORST = -4.0
"""Scores of regions that are worse tell no more."""

FIXED_COST = 2.0
"""What a list loses that says the same on all pages, as menus do: the main list has other records."""

ABSENT, ABSENT_WEIGHT = -2.0, 0.5
"""The score of a list on a page that has no place for it, and the weight of such a page."""

FEW = 3
"""Records that may be there without being found to repeat."""

WEAK = 2.0
"""By how much a region with so few records scores less than the best of its list, if it may be cut wrongly."""

OVERLAP = 0.5
"""Records found by a pattern are those of a region if they have this share of their nodes in common."""

MOST_LOOKS = 400
"""Pages times lists that are looked for where they were not found to repeat; the last lists count as absent there."""


def in_order(pages: Sequence[Page]) -> list[int]:
    """The numbers of pages in an order that depends on nothing but their content.

    >>> pages = [Page("<p>one"), Page("<p>other")]
    >>> in_order(pages) == in_order(pages[::-1])[::-1]
    True
    """
    return sorted(range(len(pages)), key=lambda number: digest(pages[number])) if len(pages) > 1 else [0]


def digest(page: Page) -> bytes:
    """A hash of all that a page says; its address does not count."""
    made = blake2b(digest_size=16)
    arrays = page.arrays
    for part in (page.tag, page.parent, page.text_start, arrays.attribute_name):
        made.update(part.tobytes())
    made.update(arrays.text)
    made.update(arrays.values)
    return made.digest()


class TagPaths:
    """Numbers for the paths of tags from the root, the same on all pages."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, int], int] = {}

    def of_symbols(self, page: Page) -> npt.NDArray[np.intp]:
        """[symbols] For each tag path symbol of a page the number of its path of tags."""
        symbols, first = np.unique(page.path_symbol, return_index=True)
        numbers = np.zeros(int(symbols[-1]) + 1, dtype=np.intp)
        order = np.argsort(first)
        above = page.parent[first[order]]
        # A path is there before those below it, in document order.
        for symbol, tag, over in zip(
            symbols[order].tolist(),
            page.tag[first[order]].tolist(),
            np.where(above == NO_NODE, -1, page.path_symbol[above]).tolist(),
            strict=True,
        ):
            key = (-1 if over < 0 else int(numbers[over]), tag)
            numbers[symbol] = self._numbers.setdefault(key, len(self._numbers))
        return numbers


class Place:
    """A region of a page, as an example of a list."""

    def __init__(self, example: Example, score: float, confidence: float) -> None:
        self.example = example
        self.score = score
        """What it has its place among the regions of its page by."""
        self.confidence = confidence
        page, parents, spans = example
        nodes = path_of(page, int(parents[0]))
        self.path = tuple(page.tag[nodes].tolist())
        """The tags from the root to the elements whose children the records are."""
        heads = dict(zip(page.style_symbol[spans[:, 0]].tolist(), spans[:, 0].tolist(), strict=True)).values()
        classes = [*enumerate(class_of(page, node) for node in nodes)]
        classes += [(len(nodes), class_of(page, head)) for head in heads]
        self.names = {(depth, token) for depth, name in classes for token in tokens_without_digits(name)}
        """The class tokens of these elements and of the first nodes of records, each with its depth."""
        self.weight = min(1.0, log2(max(2, len(spans))) / log2(MANY_RECORDS))
        """How well the page shows the list."""

    @cached_property
    def texts(self) -> set[str]:
        """The texts of the records."""
        return {self.example.page.span_text(*span) for span in self.example.spans[:MOST_TEXTS].tolist()}

    def shape(self, paths: npt.NDArray[np.intp]) -> dict[int, float]:
        """How many nodes a record has of each tag path, of the most frequent ones."""
        page, _, spans = self.example
        counts = np.bincount(paths[page.path_symbol[nodes_of(spans)]])
        there = np.flatnonzero(counts)
        if len(there) > MOST_PATHS:
            there = there[np.argsort(-counts[there], kind="stable")[:MOST_PATHS]]
        return dict(zip(there.tolist(), (counts[there] / len(spans)).tolist(), strict=True))


def nodes_of(spans: Int32Array) -> npt.NDArray[np.int64]:
    """All nodes of spans, in order.

    >>> nodes_of(np.array([[2, 4], [6, 7]], dtype=np.int32)).tolist()
    [2, 3, 6]
    """
    sizes = np.diff(spans, axis=1).ravel()
    skipped = spans[:, 0].astype(np.int64) - np.append(0, np.cumsum(sizes)[:-1])
    return np.repeat(skipped, sizes) + np.arange(int(sizes.sum()))


class Group:
    """Regions of different pages that are the same list."""

    def __init__(self) -> None:
        self.places: dict[int, Place] = {}
        """By the number of the page."""
        self.names: set[tuple[int, bytes]] = set()
        self.shape: dict[int, float] = {}

    def add(self, page: int, place: Place, shape: dict[int, float]) -> None:
        """Add the region of a page."""
        if not self.places:
            self.names, self.shape = place.names, shape
        self.places[page] = place

    def drop_weak(self) -> None:
        """Leave out pages with a few records that hardly look like a list: what others show tells how to cut them."""
        best = max(place.score for place in self.places.values())
        weak = [k for k, place in self.places.items() if len(place.example.spans) <= FEW and place.score < best - WEAK]
        for page in weak:
            del self.places[page]

    @property
    def examples(self) -> list[Example]:
        """The examples of the list, those of pages that show it best first."""
        return [place.example for place in sorted(self.places.values(), key=lambda place: -place.weight)]

    @property
    def confidence(self) -> float:
        """That it is the list that the pages exist for, by those that show it."""
        total = sum(place.weight for place in self.places.values())
        return sum(place.confidence * place.weight for place in self.places.values()) / total

    def likeness(self, place: Place, shape: dict[int, float]) -> float:
        """How much a region is like those of the group: in its records, the class names around it, its texts and its
        score; negative if it is another list."""
        alike = overlap(self.shape, shape)
        if alike < LEAST_ALIKE:
            return -1.0
        first = next(iter(self.places.values()))
        return (
            alike
            + shared(self.names, place.names)
            + shared(first.texts, place.texts) / 2
            + 1 / (4 + abs(first.score - place.score))
        )

    def worth(self, found: dict[int, FoundList | None], others: Sequence[Sequence[Place]]) -> float:
        """By how much the pages speak for it to be the main list. `found` is what was found of it, by its pattern, on
        pages where it is no region, None where there is no place for it; a page with one record or with an empty place
        says nothing against it."""
        values = [(max(WORST, place.score), place.weight) for place in self.places.values()]
        for page, there in found.items():
            if there is None or there.misses or (len(there.spans) and there.share < GOOD_SHARE):
                values.append((ABSENT, ABSENT_WEIGHT))
            elif len(there.spans) > 1:
                region = same_records(there.spans, others[page])
                if region is not None:
                    values.append((max(WORST, region.score), region.weight))
                elif len(there.spans) > FEW:
                    values.append((ABSENT, ABSENT_WEIGHT))
        total = sum(weight for _, weight in values)
        return sum(value * weight for value, weight in values) / total - FIXED_COST * self.fixed

    @property
    def fixed(self) -> float:
        """In [0, 1], how much the pages that have it say the same in it."""
        some = list(self.places.values())[:MOST_COMPARED]
        pairs = [shared(one.texts, other.texts) for one, other in combinations(some, 2)]
        return max(0.0, 2 * sum(pairs) / len(pairs) - 1) if pairs else 0.0


def overlap(one: dict[int, float], other: dict[int, float]) -> float:
    """The share that two bags have in common: the sum of the lesser counts by that of the larger ones.

    >>> overlap({1: 1.0, 2: 3.0}, {2: 2.0})
    0.5
    """
    keys = one.keys() | other.keys()
    least = sum(min(one.get(key, 0.0), other.get(key, 0.0)) for key in keys)
    return least / sum(max(one.get(key, 0.0), other.get(key, 0.0)) for key in keys)


def shared(one: set[Any], other: set[Any]) -> float:
    """The share that two sets have in common (Jaccard); 1 if both are empty."""
    return len(one & other) / len(one | other) if one or other else 1.0


def same_records(spans: Int32Array, places: Iterable[Place]) -> Place | None:
    """The region that has the records which a pattern found, or nearly so."""
    near = [place for place in places if OVERLAP < len(place.example.spans) / len(spans) < 1 / OVERLAP]
    best = max(near, key=lambda place: common(place.example.spans, spans), default=None)
    return best if best is not None and common(best.example.spans, spans) >= OVERLAP else None


def common(one: Int32Array, other: Int32Array) -> float:
    """The share of nodes that two lists have in common."""
    inside = len(np.intersect1d(nodes_of(one), nodes_of(other), assume_unique=True)) if len(one) and len(other) else 0
    return inside / max(1, int(np.diff(one, axis=1).sum()), int(np.diff(other, axis=1).sum()))


class Lists(NamedTuple):
    """The lists of pages of one template."""

    groups: list[Group]
    """The most promising first."""
    places: list[list[Place]]
    """The regions of each page, the main one first."""
    limits: list[str]


def places_of(page: Page) -> tuple[list[Place], list[str]]:
    """The regions of a page, the main one first; and limits."""
    places = []
    regions, limits = auto.find(page)
    met = [*limits, "wrapper.lists"] if len(regions) > MOST_REGIONS else list(limits)
    for rank, region in enumerate(regions[:MOST_REGIONS]):
        spans = in_one_place(page, region.records)
        if rank == 0 and len(spans) < len(region.records):
            met.append("wrapper.levels")
        parents = np.unique(page.parent[spans[:, 0]])
        if int(page.depth[parents[0]]) >= LONGEST_PATH:
            met.append("wrapper.depth")  # no location is that deep
            continue
        confidence = ranking.confidence(page, regions) if rank == 0 else region.confidence or 0.0
        places.append(Place(Example(page, parents, spans), region.score, confidence))
    return places, met


def match_lists(pages: Sequence[Page]) -> Lists:
    """The lists of pages, which are in the order of `in_order`: regions of the same tag path that are alike, each page
    with one region in each list."""
    found = [places_of(page) for page in pages]
    met = [limit for _, limits in found for limit in limits]
    places = [there for there, _ in found]
    groups: list[Group] = []
    if len(pages) == 1:
        for place in places[0]:
            groups.append(Group())
            groups[-1].add(0, place, {})
        return Lists(groups, places, met)
    paths = TagPaths()
    by_path: dict[tuple[int, ...], list[Group]] = {}
    # Pages that show their lists best make the groups that those of others are put into.
    for number in sorted(range(len(pages)), key=lambda k: -best_score(places[k])):
        numbers = paths.of_symbols(pages[number]) if places[number] else None
        shapes = [place.shape(numbers) for place in places[number] if numbers is not None]
        known = {place.path: by_path.get(place.path, [])[:MOST_GROUPS] for place in places[number]}
        pairs = [
            (likeness, k, group)
            for k, place in enumerate(places[number])
            for group in known[place.path]
            if (likeness := group.likeness(place, shapes[k])) >= 0
        ]
        left = dict(enumerate(places[number]))
        for _, k, group in sorted(pairs, key=lambda pair: (-pair[0], pair[1])):
            if k in left and number not in group.places:
                group.add(number, left.pop(k), shapes[k])
        for k, place in left.items():
            group = Group()
            group.add(number, place, shapes[k])
            groups.append(group)
            by_path.setdefault(place.path, []).append(group)
    for group in groups:
        group.drop_weak()
    groups.sort(key=lambda group: -group.worth({}, places))
    return Lists(groups, places, met)


def best_score(places: Iterable[Place]) -> float:
    """How well a page shows its main list; of a page without lists, -inf."""
    return max((place.score * place.weight for place in places), default=-np.inf)


def main_first(lists: Lists, patterns: Sequence[Pattern], pages: Sequence[Page]) -> list[int]:
    """The numbers of the groups, the main list first, given the pattern of each: lists are looked for on pages where
    they are no regions."""
    looks = MOST_LOOKS // len(pages)
    sharing = max(1, sum(pattern.cutting.expression is not None for pattern in patterns) * len(pages))
    worth = []
    for number, (group, pattern) in enumerate(zip(lists.groups, patterns, strict=False)):
        absent = [k for k in range(len(pages)) if k not in group.places]
        found = {k: looked_for(pattern, pages[k], sharing) if number < looks else None for k in absent}
        worth.append(group.worth(found, lists.places))
    return sorted(range(len(worth)), key=lambda number: -worth[number])


def looked_for(pattern: Pattern, page: Page, sharing: int) -> FoundList | None:
    """What there is of a list on a page where it is no region; None if the page has no place for it."""
    found = pattern.find(page, sharing)
    if not len(found.spans):
        parents, misses = pattern.location.find(page)
        return None if misses or not len(parents) else found
    return found
