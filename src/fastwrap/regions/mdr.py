"""MDR: runs of adjacent siblings that are like the runs beside them (Liu, Grossman & Zhai 2003).
Three distances, or your own; the paper's search, two simpler ones, and one that explains as much as it can.

A *generalised node* is a run of 1 to 10 siblings, a *region* a row of such runs of one length, each within the
threshold of the one before it. docs/methods.md tells which of the many possible regions each search takes, and why.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from fastwrap._core.regions import generalised
from fastwrap.common.arguments import expect
from fastwrap.common.backend import kernel
from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.regions import Search, cutting
from fastwrap.regions.cutting import ComparedLists, Distances, Measure, Places, Siblings
from fastwrap.similarity.measures import BUDGET, longer

NO_PLACE = -1
"""Where no region begins."""

MAX_SIBLINGS = 10
"""The longest generalised node, as in the paper."""

THRESHOLDS = {"dg": 0.5, "dc": 0.5, "dt": 0.6}
"""Distances up to these are similar. The papers take 0.3, which the records of real lists often exceed; trees that
differ near their roots are farther apart by DT than by the others."""

SIGNATURE = "float64(CPointer(int32), CPointer(int32), int32, int32, int32, int32)"
"""What `numba.cfunc` needs to make a distance of your own: (tag, size, left_start, left_end, right_start,
right_end) -> distance. `tag` and `size` are the page's arrays; the runs are the nodes from start up to end."""


class NativeFunction(Protocol):
    """A compiled function of the published signature, such as `numba.cfunc` makes."""

    @property
    def address(self) -> int:
        """Where its code is."""


class Row(NamedTuple):
    """A region: the place of its first sibling, the siblings in a generalised node, and how many of those it has."""

    place: int
    siblings: int
    runs: int


def find(
    page: Page,
    *,
    distance: str | NativeFunction = "dg",
    search: str = "explain",
    threshold: float | None = None,
    siblings: int = MAX_SIBLINGS,
) -> Search:
    """The regions of a page by MDR, those with most text first.

    `distance` is "dg" (edits between lists of tags), "dc" (edits between tag names), "dt" (tree matching), or a
    compiled function (see `SIGNATURE`), which is called without the GIL for all pairs of runs that are not equal;
    `search` is "explain", "mdr", "ca" or "cs"; runs of at most `siblings` siblings are similar up to `threshold`,
    None standing for what suits the distance (`THRESHOLDS`).

    >>> page = Page("<ul>" + "".join(f"<li><b>{k}</b> <i>text</i></li>" for k in range(4)) + "</ul>")
    >>> [page.span_text(*record) for record in find(page).regions[0].records]
    ['0 text', '1 text', '2 text', '3 text']
    """
    name = distance if isinstance(distance, str) else "dg"
    measure = measure_of(page, distance)
    limit = THRESHOLDS[name] if threshold is None else threshold
    # Neither the edits nor the unmatched nodes are fewer than the nodes that one side has more.
    bound = limit if distance in ("dg", "dt") else 1.0
    return find_by(page, BudgetedMeasure(measure, LIMIT_OF.get(distance)), limit, bound, search, siblings)


class BudgetedMeasure:
    """A measure that remembers whether its budget was met: distances are not known then."""

    def __init__(self, measure: Measure, limit: str | None) -> None:
        self.measure = measure
        self.limit = limit
        """What `fastwrap.limits` calls its budget; None for one without."""
        self.limits: tuple[str, ...] = ()

    def __call__(self, pairs: Int32Array) -> Distances:
        """The distances of pairs of runs."""
        distances = self.measure(pairs)
        if self.limit and np.isnan(distances).any():
            self.limits = (self.limit,)
        return distances


def find_by(page: Page, measure: BudgetedMeasure, threshold: float, bound: float, search: str, siblings: int) -> Search:
    """The regions of a page by a measure.

    Runs are not similar if one has more nodes than the other by a larger share of its own than `bound`.
    """
    if search not in SEARCHES:
        expect(search, str, "search is a str")
        raise FastwrapError(f"there is no search {search!r}: choose one of {', '.join(SEARCHES)}")
    if not 0 <= threshold <= 1:
        raise FastwrapError(f"the threshold is {threshold}: distances are between 0 and 1")
    if not 1 <= siblings <= MAX_SIBLINGS:
        raise FastwrapError(f"generalised nodes have 1 to {MAX_SIBLINGS} siblings, not {siblings}")
    lists = Siblings(*generalised.candidates(page.native, siblings))
    distances = compare(lists, measure, bound)
    records, region = SEARCHES[search](ComparedLists(page, lists, measure, distances, threshold, siblings))
    return Search(cutting.ranked(page, records, region), measure.limits)


# Distances


def dg(page: Page, pairs: Int32Array) -> Distances:
    """DG: edits between the lists of tags, divided by the length of the longer one."""
    return share(kernel("similarity.levenshtein").distances(page.tag, pairs, BUDGET), pairs)


def dc(page: Page, pairs: Int32Array) -> Distances:
    """DC: edits between the tag names written one after the other, divided by the length of the longer text."""
    letters, letter_start = page.name_letters
    places = letter_start[pairs]
    return share(kernel("similarity.levenshtein").distances(letters, places, BUDGET), places)


def dt(page: Page, pairs: Int32Array) -> Distances:
    """DT: the share of the larger forest's nodes that a maximum matching leaves alone."""
    return 1 - share(kernel("similarity.matching").scores(page.native, pairs, BUDGET), pairs)


def share(counts: Int32Array, pairs: Int32Array) -> Distances:
    """Counts divided by the length of the longer side of each pair of spans; NaN for those that are not known."""
    return np.where(counts < 0, np.nan, counts / np.maximum(longer(pairs), 1))


DISTANCES = {"dg": dg, "dc": dc, "dt": dt}
LIMIT_OF: dict[object, str] = {"dg": "regions.edits", "dc": "regions.edits", "dt": "regions.matching"}
"""The limits of their budgets; a distance of your own has none."""


def measure_of(page: Page, distance: str | NativeFunction) -> Measure:
    """The function that compares runs of a page."""
    if isinstance(distance, str):
        if distance not in DISTANCES:
            raise FastwrapError(f"there is no distance {distance!r}: choose one of {', '.join(DISTANCES)}, or your own")
        return partial(DISTANCES[distance], page)
    address = getattr(distance, "address", None)
    if not isinstance(address, int) or address <= 0:
        wrong = FastwrapError if hasattr(distance, "address") else TypeError
        raise wrong(f"{distance!r} is no distance: numba.cfunc({SIGNATURE!r}) makes one")
    return partial(generalised.distances, page.native, address)


def compare(lists: Siblings, measure: Measure, bound: float) -> Distances:
    """The distances of all pairs; infinite where the lengths differ by more than the bound."""
    left, right = np.diff(lists.runs).T
    near = np.abs(left - right) <= bound * np.maximum(left, right)
    wanted = np.flatnonzero(near & ~lists.equal)
    distances = np.where(lists.equal, 0.0, np.inf)
    distances[wanted] = measure(np.ascontiguousarray(lists.runs[wanted][:, [0, 1, 1, 2]]))
    return distances


# The searches: each gives records, and for each record the number of its region


def search_cs(compared: ComparedLists) -> tuple[Int32Array, Places]:
    """CS: a list is cut wherever two neighbours are farther apart than the threshold."""
    return search_by_period(compared, compared.distances <= compared.threshold, [1] * len(compared.lists.children))


def search_ca(compared: ComparedLists) -> tuple[Int32Array, Places]:
    """CA: runs as long as the way from a sibling to the next one that is similar to it.

    Of the two readings that the dissertation allows: the smallest q >= 1 with d(L[0], L[q]) < threshold gives
    generalised nodes L[iq:(i + 1)q].
    """
    return search_by_period(compared, compared.distances < compared.threshold, periods(compared))


def search_by_period(
    compared: ComparedLists, is_similar: npt.NDArray[np.bool_], period: list[int]
) -> tuple[Int32Array, Places]:
    """By place, the siblings of a generalised node from there on, 0 for none: as many as are similar pair by pair."""
    first_pair = compared.lists.pair_start.tolist()
    similar = is_similar.tolist()

    def rows(start: int, end: int) -> Iterable[Row]:
        place = start
        while place < end:
            siblings = period[place]
            last = place
            while siblings and last + 2 * siblings <= end and similar[first_pair[last] + siblings - 1]:
                last += siblings
            if last > place:
                yield Row(place, siblings, (last - place) // siblings + 1)
                place = last + siblings
            else:
                place += 1

    return from_the_top(compared, rows)


def periods(compared: ComparedLists) -> list[int]:
    """For each place, how many siblings on the next one is that is similar to it; 0 where none of the next is."""
    lists, size = compared.lists, compared.page.size
    list_of = np.repeat(np.arange(len(lists.path)), np.diff(lists.list_start))
    ahead, places = np.nonzero([
        np.append(list_of[:-k] == list_of[k:], np.zeros(min(k, len(list_of)), dtype=np.bool_))
        for k in range(1, compared.longest + 1)
    ])  # fmt: skip
    left, right = lists.children[places], lists.children[places + ahead + 1]
    distances = compared.measure(np.column_stack((left, left + size[left], right, right + size[right])))
    period = np.zeros(len(lists.children), dtype=np.intp)
    near = np.flatnonzero(distances < compared.threshold)[::-1]  # so that the nearest is the last one entered
    period[places[near]] = ahead[near] + 1
    return period.tolist()


def search_mdr(compared: ComparedLists) -> tuple[Int32Array, Places]:
    """MDR as printed (Liu, Grossman & Zhai 2003, IdenDRs and FindDRs): the region that covers most siblings.

    Of the generalised nodes of every length, from each of their first places on, the first region: the widest of
    these wins, if it does not start later than one before it; then the siblings after it are searched again.
    """
    first_pair = compared.lists.pair_start.tolist()
    similar = (compared.distances <= compared.threshold).tolist()

    def rows(start: int, end: int) -> Iterable[Row]:
        if not any(similar[first_pair[start] : first_pair[end]]):
            return
        # By length and place: where the next region of this length in this rhythm begins, and its generalised nodes.
        begins = [[NO_PLACE] * (end - start + 1) for _ in range(compared.longest + 1)]
        counts = [[1] * (end - start + 1) for _ in range(compared.longest + 1)]
        for siblings in range(1, compared.longest + 1):
            begin, count = begins[siblings], counts[siblings]
            for place in range(end - 2 * siblings, start - 1, -1):
                here = place - start
                begin[here], count[here] = begin[here + siblings], count[here + siblings]
                if similar[first_pair[place] + siblings - 1]:
                    count[here] = count[here] + 1 if begin[here] == place + siblings else 2
                    begin[here] = place
        at = start
        while True:
            best: Row | None = None
            for siblings in range(1, compared.longest + 1):
                for place in range(at, min(at + siblings, end)):
                    row = Row(begins[siblings][place - start], siblings, counts[siblings][place - start])
                    if row.place != NO_PLACE and (
                        best is None or (row.runs * siblings > best.runs * best.siblings and row.place <= best.place)
                    ):
                        best = row
            if best is None:
                return
            yield best
            at = best.place + best.siblings * best.runs

    return from_the_top(compared, rows)


def from_the_top(compared: ComparedLists, rows: Callable[[int, int], Iterable[Row]]) -> tuple[Int32Array, Places]:
    """The rows of each list (`rows` takes its first place and the one after its last), except inside of rows."""
    lists, size = compared.lists, compared.page.size
    children = lists.children
    parents = compared.page.parent[children[lists.list_start[:-1]]].tolist()
    covered = np.zeros(len(compared.page), dtype=np.bool_)
    taken = []
    for parent, (start, end) in zip(parents, itertools.pairwise(lists.list_start.tolist()), strict=True):
        if not covered[parent]:
            for row in rows(start, end):
                last = children[row.place + row.siblings * row.runs - 1]
                covered[children[row.place] : last + size[last]] = True
                taken.append(row)
    cut = cutting.records_of(compared, np.array(taken, dtype=np.int32).reshape(-1, 3))
    return cut.records, cut.region


def search_explain(compared: ComparedLists) -> tuple[Int32Array, Places]:
    """The regions that explain most of the page, cut into records."""
    rows = generalised.explain(compared.page.native, compared.distances, compared.threshold, compared.longest)
    cut = cutting.complete(compared, cutting.split(compared, cutting.records_of(compared, rows)))
    return cut.records, cutting.joined(compared, cut)[cut.region]


SEARCHES: dict[str, Callable[[ComparedLists], tuple[Int32Array, Places]]] = {
    "explain": search_explain,
    "mdr": search_mdr,
    "ca": search_ca,
    "cs": search_cs,
}
