"""Cuts rows of generalised nodes into records: the last step of MDR (Liu, Grossman & Zhai 2003).
Shared by the methods that compare runs of siblings; what is near enough is decided by their own measure."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.regions import FoundRegion

Distances: TypeAlias = npt.NDArray[np.float64]
Measure: TypeAlias = Callable[[Int32Array], Distances]
"""The distances of pairs of runs, [k, 4]: where the left one starts and ends, where the right one starts and ends."""
Places: TypeAlias = npt.NDArray[np.intp]


class Siblings(NamedTuple):
    """The lists of siblings of a page, and the pairs of adjacent runs in them."""

    list_start: Int32Array
    """[l + 1] List i is children[list_start[i]:list_start[i + 1]]."""
    path: npt.NDArray[np.uint64]
    """[l] A number for the tags from the root down to the list."""
    children: Int32Array
    """[c] The nodes of all lists. A *place* is an index of this array."""
    pair_start: Int32Array
    """[c + 1] The first of the pairs whose left run begins at a place: with runs of 1, 2, ... siblings."""
    runs: Int32Array
    """[p, 3] Where the left run of a pair starts, where it ends and the right one starts, and where that one ends."""
    equal: npt.NDArray[np.bool_]
    """[p] Whether the runs are equal in tags and shape."""


class ComparedLists(NamedTuple):
    """The lists of a page, and how far apart their runs are."""

    page: Page
    lists: Siblings
    measure: Measure
    distances: Distances
    """[p] Of the pairs; infinite or NaN where they are not similar or not known."""
    threshold: float
    """Runs up to this distance are similar."""
    longest: int
    """The most siblings of a generalised node."""


class CutRegions(NamedTuple):
    """Regions, in order of their places, and their records."""

    place: Places
    """[r] The first sibling of a region."""
    end: Places
    """[r] The place after its last sibling."""
    siblings: Places
    """[r] In a generalised node."""
    records: Int32Array
    """[k, 2] Region by region, in order."""
    region: Places
    """[k] Which region a record is of."""


def records_of(compared: ComparedLists, rows: Int32Array) -> CutRegions:
    """The generalised nodes of rows as records; a row is (place of its first sibling, siblings in each, how many)."""
    place, siblings, count = rows.astype(np.intp).T
    region = np.repeat(np.arange(len(rows)), count)
    number = np.arange(len(region)) - np.repeat(np.cumsum(count) - count, count)
    first = place[region] + number * siblings[region]
    children = compared.lists.children
    last = children[first + siblings[region] - 1]
    records = np.column_stack([children[first], last + compared.page.size[last]])
    return CutRegions(place, place + siblings * count, siblings, records, region)


def split(compared: ComparedLists, cut: CutRegions) -> CutRegions:
    """Take single siblings as records where generalised nodes hold several of them and a separator.

    Separators show no text. They interrupt a row of single siblings, but the siblings between them may explain
    each other better than the generalised nodes do: products, four in a row, and then a rule.
    """
    page, children = compared.page, compared.lists.children
    ends = children + page.size[children]
    shown = page.text_start[ends] > page.text_start[children]
    before = np.append(0, np.cumsum(shown))
    width, with_text = cut.end - cut.place, before[cut.end] - before[cut.place]
    doubtful = (cut.siblings > 1) & (with_text < width) & (with_text * cut.siblings >= 2 * width)
    if not doubtful.any():
        return cut
    region = np.repeat(np.arange(len(width)), np.where(doubtful, width, 0))
    places = np.concatenate([np.arange(cut.place[k], cut.end[k]) for k in np.flatnonzero(doubtful).tolist()])
    region, places = region[shown[places]], places[shown[places]]
    singles = np.column_stack([children[places], ends[places]])
    whole = doubtful[cut.region]
    better = explained(compared, singles, region, len(width)) > explained(
        compared, cut.records[whole], cut.region[whole], len(width)
    )
    kept, taken = ~better[cut.region], better[region]
    return with_records(
        cut._replace(siblings=np.where(better, 1, cut.siblings)),
        np.concatenate([cut.records[kept], singles[taken]]),
        np.concatenate([cut.region[kept], region[taken]]),
    )


def explained(compared: ComparedLists, records: Int32Array, region: Places, regions: int) -> Distances:
    """[regions] How many nodes of each region's records are explained by the records before them.

    A record is explained by a similar one to the extent (1 - distance) of its nodes.
    """
    follows = np.flatnonzero(region[:-1] == region[1:]) + 1
    distances = compared.measure(np.hstack((records[follows - 1], records[follows])))
    lengths = records[follows, 1] - records[follows, 0]
    nodes = np.where(distances <= compared.threshold, lengths * (1 - distances), 0)
    return np.bincount(region[follows], weights=nodes, minlength=regions).astype(np.float64)


def with_records(cut: CutRegions, records: Int32Array, region: Places) -> CutRegions:
    """The same regions with other records."""
    order = np.lexsort((records[:, 0], region))
    return cut._replace(records=records[order], region=region[order])


def complete(compared: ComparedLists, cut: CutRegions) -> CutRegions:
    """Add a first and a last record that lack some siblings, such as the rule after a record.

    Of the parts beside a region, the one nearest to the record there is taken.
    """
    children, size = compared.lists.children, compared.page.size
    list_start = compared.lists.list_start.tolist()
    place, end, siblings = cut.place.tolist(), cut.end.tolist(), cut.siblings.tolist()
    first_record = np.searchsorted(cut.region, np.arange(len(place) + 1)).tolist()
    tried: list[tuple[int, int, int, int]] = []  # region, record beside, first place, place after the last
    for number in np.flatnonzero(cut.siblings > 1).tolist():
        following = bisect(list_start, place[number])
        lowest = max(list_start[following - 1], end[number - 1] if number else 0)
        highest = min(list_start[following], place[number + 1] if number + 1 < len(place) else len(children))
        first, last, most = first_record[number], first_record[number + 1] - 1, siblings[number] - 1
        tried += [
            (number, first, far, place[number]) for far in range(max(lowest, place[number] - most), place[number])
        ]
        tried += [(number, last, end[number], far + 1) for far in range(end[number], min(highest, end[number] + most))]
    if not tried:
        return cut
    _, beside, start, stop = np.array(tried).T
    closing = children[stop - 1]
    parts = np.column_stack([children[start], closing + size[closing]])
    distances = compared.measure(np.hstack((parts, cut.records[beside])))
    nearest: dict[tuple[int, bool], int] = {}
    for k in np.flatnonzero(distances <= compared.threshold).tolist():
        number, _, low, _ = tried[k]
        side = number, low >= end[number]
        if side not in nearest or distances[k] < distances[nearest[side]]:
            nearest[side] = k
    taken = []
    for (number, after), k in sorted(nearest.items()):
        # The region before may have taken the same siblings.
        if after or not number or tried[k][2] >= end[number - 1]:
            taken.append(k)
            end[number] = max(end[number], tried[k][3])
    added = np.array([tried[k][0] for k in taken], dtype=np.intp)
    return without_regions_inside(
        with_records(cut, np.concatenate([cut.records, parts[taken]]), np.concatenate([cut.region, added])),
        parts[taken],
    )


def without_regions_inside(cut: CutRegions, parts: Int32Array) -> CutRegions:
    """The regions that are not inside of one of the parts, which are records now."""
    if not len(parts):
        return cut
    start, end = parts[np.lexsort((-parts[:, 1], parts[:, 0]))].T
    outermost = np.append(True, start[1:] >= np.maximum.accumulate(end)[:-1])
    start, end = start[outermost], end[outermost]
    part = np.searchsorted(start, cut.records[:, 0], side="right") - 1
    length = cut.records[:, 1] - cut.records[:, 0]
    # A part is a record of its own region, so that only what is shorter is inside.
    inside = (part >= 0) & (cut.records[:, 1] <= end[part]) & (length < end[part] - start[part])
    gone = np.zeros(len(cut.place), dtype=np.bool_)
    gone[cut.region[inside]] = True
    number = np.cumsum(~gone) - 1
    kept = ~gone[cut.region]
    return CutRegions(
        cut.place[~gone], cut.end[~gone], cut.siblings[~gone], cut.records[kept], number[cut.region[kept]]
    )


def joined(compared: ComparedLists, cut: CutRegions) -> Places:
    """[r] The number of the region that each region is a part of.

    Regions are one that are below the same tag path and whose records are alike, the last of one and the first of
    the next: rows of a grid, lists that something interrupts, sections of a page.
    """
    if not len(cut.place):
        return cut.place
    path = compared.lists.path[np.searchsorted(compared.lists.list_start, cut.place, side="right") - 1]
    first = np.searchsorted(cut.region, np.arange(len(cut.place)))
    last = np.append(first[1:], len(cut.region)) - 1
    order = np.lexsort((cut.records[first, 0], cut.siblings, path))
    before, after = order[:-1], order[1:]
    follows = (path[before] == path[after]) & (cut.siblings[before] == cut.siblings[after])
    pairs = np.hstack((cut.records[last[before[follows]]], cut.records[first[after[follows]]]))
    follows[follows] = compared.measure(pairs) <= compared.threshold
    part_of = np.empty(len(order), dtype=np.intp)
    part_of[order] = np.cumsum(np.append(True, ~follows)) - 1
    return part_of


def ranked(page: Page, records: Int32Array, region: Places) -> list[FoundRegion]:
    """Regions in order of the text of all their records, times the text of their average record.

    Menus have more records than a main list, but shorter ones.
    """
    if not len(records):
        return []
    lengths = page.text_start[records[:, 1]] - page.text_start[records[:, 0]]
    text, count = np.bincount(region, weights=lengths), np.bincount(region)
    score = text * text / count
    best_first = np.argsort(-score, kind="stable")
    rank = np.empty_like(best_first)
    rank[best_first] = np.arange(len(best_first))
    records = records[np.lexsort((records[:, 0], rank[region]))]
    ends = np.cumsum(count[best_first]).tolist()
    return [
        FoundRegion(records[start:end], value, {"text": letters, "records": float(end - start)})
        for start, end, value, letters in zip(
            [0, *ends], ends, score[best_first].tolist(), text[best_first].tolist(), strict=False
        )
    ]
