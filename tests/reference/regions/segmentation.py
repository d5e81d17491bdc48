"""Child sequences into records (AutoRM, Shi et al. 2015), in plain Python: clusters, coarse regions, ways to cut them.
Part of the twin of `record_sets`. The sequences of a page are laid end to end; a *place* is an index of the whole."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fastwrap.page.arrays import Int32Array

MOST_KINDS, MOST_HEADS, MOST_SPLITS = 32, 16, 8
SINGLE_NODES, HEAD_TO_HEAD, BETWEEN_SEPARATORS = 0, 1, 2

Record: TypeAlias = tuple[int, int]
"""First place, and place after the last."""

Kinds: TypeAlias = dict[int, list[int]]
"""The places of each class of a sequence, by class in order of the first ones."""


# Clusters


def kinds_by_label(label: Int32Array, class_id: Int32Array, start: Int32Array) -> Iterator[Kinds]:
    """The kinds of each label of each sequence, in order."""
    labels, classes = label.tolist(), class_id.tolist()
    for first, end in itertools.pairwise(start.tolist()):
        found: dict[int, Kinds] = {}
        label_of_class: dict[int, int] = {}
        for place in range(first, end):
            own = label_of_class.setdefault(classes[place], labels[place])
            found.setdefault(own, {}).setdefault(classes[place], []).append(place)
        yield from found.values()


def pairs_of(kinds: Kinds, budget: int) -> list[tuple[int, int]]:
    """The pairs of kinds to compare, each by its first place; none where these are too many."""
    places = [of_kind[0] for of_kind in kinds.values()]
    pairs = [(one, other) for number, one in enumerate(places) for other in places[:number]]
    return pairs if len(places) <= MOST_KINDS and len(pairs) <= budget else []


def kind_pairs(
    label: Int32Array, class_id: Int32Array, start: Int32Array, budget: int
) -> tuple[Int32Array, Int32Array]:
    """The pairs of places whose similarity `cluster` needs: the first ones of two kinds with one label.

    Sequence i has the places start[i] up to start[i + 1] of `label` and `class_id`. The *kinds* of a sequence are the
    different classes in it; equal classes have equal labels. There are at most `budget` pairs: a label with too many,
    or with more than MOST_KINDS kinds, has none.
    """
    pairs: list[tuple[int, int]] = []
    for kinds in kinds_by_label(label, class_id, start):
        pairs += pairs_of(kinds, budget - len(pairs))
    left, right = np.array(pairs, dtype=np.int32).reshape(-1, 2).T.copy()
    return left, right


def average_linkage(similarity: Sequence[float], counts: Sequence[int], threshold: float) -> list[int]:
    """The first member of each one's cluster, given the pairs (1, 0), (2, 0), (2, 1), (3, 0), ..."""
    leader = list(range(len(counts)))
    weight = [float(count) for count in counts]
    pairs = [(one, other) for one in range(len(counts)) for other in range(one)]
    alike = dict(zip(pairs, similarity, strict=True))
    while alike:
        (other, one), best = max(alike.items(), key=lambda pair: pair[1])
        if best < threshold:
            break
        del alike[other, one]
        together = weight[one] + weight[other]
        for member in range(len(counts)):
            if leader[member] == other:
                leader[member] = one
            elif leader[member] == member and member != one:
                merged = weight[one] * alike[ordered(one, member)]
                merged += weight[other] * alike.pop(ordered(other, member))
                alike[ordered(one, member)] = merged / together
        weight[one] = together
    return leader


def ordered(one: int, other: int) -> tuple[int, int]:
    """The larger one first."""
    return (one, other) if one > other else (other, one)


def cluster(
    label: Int32Array,
    class_id: Int32Array,
    start: Int32Array,
    similarity: npt.NDArray[np.float64],
    threshold: float,
    budget: int,
) -> Int32Array:
    """The symbol of every place: the first place of its cluster."""
    symbol = np.empty(len(label), dtype=np.int32)
    used = 0
    for kinds in kinds_by_label(label, class_id, start):
        places = list(kinds.values())
        pairs = len(pairs_of(kinds, budget - used))
        leader = [0] * len(places)
        if pairs:
            leader = average_linkage(similarity[used : used + pairs].tolist(), [*map(len, places)], threshold)
        used += pairs
        for own, of_kind in zip(leader, places, strict=True):
            symbol[of_kind] = places[own][0]
    return symbol


# Candidates


class Region:
    """A coarse region of a sequence, seen through one way to cluster it."""

    def __init__(self, symbol: list[int], separator: list[bool], begin: int, end: int) -> None:
        self.symbol = symbol
        self.separator = separator
        self.begin = begin
        self.end = end

    def places_of(self, head: int) -> list[int]:
        """The content nodes of a symbol."""
        places = range(self.begin, self.end)
        return [place for place in places if self.symbol[place] == head and not self.separator[place]]

    def stripped(self, first: int, end: int) -> list[Record]:
        """The record without separators at its ends, if anything is left of it."""
        content = [place for place in range(first, end) if not self.separator[place]]
        return [(content[0], content[-1] + 1)] if content else []

    def heads(self) -> list[int]:
        """The symbols with two content nodes or more, the most frequent ones first."""
        count = Counter(self.symbol[place] for place in range(self.begin, self.end) if not self.separator[place])
        return [head for head, places in count.most_common() if places > 1]

    def cut_at_head(self, head: int) -> list[Record]:
        """From one head to the next (head-order-based segmentation)."""
        places = self.places_of(head)
        records = list(itertools.pairwise(places))
        longest = max(end - first for first, end in records)
        follow = {self.symbol[place] for place in range(places[0], places[-1]) if place not in places}
        last = end = places[-1]
        end += 1
        while end < self.end and end - last < longest and self.symbol[end] in follow:
            end += 1
        return [record for first, end in [*records, (last, end)] for record in self.stripped(first, end)]

    def runs(self) -> list[Record]:
        """The runs of separators."""
        places = range(self.begin, self.end)
        groups = [(is_run, list(run)) for is_run, run in itertools.groupby(places, lambda place: self.separator[place])]
        return [(run[0], run[-1] + 1) for is_run, run in groups if is_run]

    def cut_at_separators(self) -> Iterator[list[Record]]:
        """What stands between equal runs of separators (separator-based segmentation)."""
        runs = self.runs()
        kinds = dict.fromkeys(tuple(self.symbol[first:end]) for first, end in runs)
        for kind in itertools.islice(kinds, MOST_SPLITS):
            splits = [(first, end) for first, end in runs if tuple(self.symbol[first:end]) == kind]
            bounds = [self.begin, *itertools.chain.from_iterable(splits), self.end]
            parts = zip(bounds[::2], bounds[1::2], strict=True)
            yield self.fitted([record for first, end in parts for record in self.stripped(first, end)])

    def fitted(self, records: list[Record]) -> list[Record]:
        """The first record begins like one between the ends; the last one ends with a symbol that others have."""
        if len(records) < 3:
            return records
        (first, first_end), *between, (last, end) = records
        begins = {self.symbol[start] for start, _ in between}
        starts = [p for p in range(first, first_end) if self.symbol[p] in begins and not self.separator[p]]
        first = starts[0] if starts else first
        others = {self.symbol[place] for start, stop in [(first, first_end), *between] for place in range(start, stop)}
        ends = [p for p in range(last, end) if self.symbol[p] in others and not self.separator[p]]
        return [(first, first_end), *between, (last, ends[-1] + 1 if ends else end)]

    def candidates(self) -> Iterator[tuple[int, list[Record]]]:
        """Form and records of every way to cut the region."""
        for head in self.heads()[:MOST_HEADS]:
            yield SINGLE_NODES, [(place, place + 1) for place in self.places_of(head)]
            yield HEAD_TO_HEAD, self.cut_at_head(head)
        for records in self.cut_at_separators():
            yield BETWEEN_SEPARATORS, records


def coarse_regions(symbol: list[int], separator: list[bool], first: int, end: int) -> list[Region]:
    """Overlapping intervals, from the first to the last node of a symbol that repeats, united (CG-Regions)."""
    places: dict[int, list[int]] = {}
    for place in range(first, end):
        if not separator[place]:
            places.setdefault(symbol[place], []).append(place)
    regions: list[Region] = []
    for of_symbol in places.values():
        if len(of_symbol) > 1:
            if not regions or of_symbol[0] >= regions[-1].end:
                regions.append(Region(symbol, separator, of_symbol[0], of_symbol[0]))
            regions[-1].end = max(regions[-1].end, of_symbol[-1] + 1)
    return regions


def leaves_out(symbol: Int32Array, separator: npt.NDArray[np.uint8], start: Int32Array) -> bool:
    """Whether a coarse region has more heads, or more different runs of separators, than `segment` tries."""
    separators = separator.astype(np.bool_).tolist()
    return any(
        len(region.heads()) > MOST_HEADS or len({tuple(level[first:end]) for first, end in region.runs()}) > MOST_SPLITS
        for level in symbol.tolist()
        for first, end in itertools.pairwise(start.tolist())
        for region in coarse_regions(level, separators, first, end)
    )


def segment(
    symbol: Int32Array, separator: npt.NDArray[np.uint8], start: Int32Array
) -> tuple[Int32Array, Int32Array, Int32Array, Int32Array]:
    """Every way to cut the sequences into two or more records.

    `symbol` has one row for each way to cluster the places, such as `cluster` gives; `separator` is not 0 where a node
    has no content. Records have no separators at their ends, and no two candidates of a sequence the same records.

    Returns `(records, first, of_sequence, form)`: candidate i has the records first[i] up to first[i + 1], each a first
    place and the place after the last; it is of a sequence and of one of the three forms.
    """
    levels, separators = symbol.tolist(), separator.astype(np.bool_).tolist()
    found: dict[tuple[int, tuple[Record, ...]], int] = {}
    for sequence, (first, end) in enumerate(itertools.pairwise(start.tolist())):
        for level in levels:
            for region in coarse_regions(level, separators, first, end):
                for form, records in region.candidates():
                    if len(records) > 1:
                        found.setdefault((sequence, tuple(records)), form)
    counts = [len(records) for _, records in found]
    return (
        np.array([record for _, records in found for record in records], dtype=np.int32).reshape(-1, 2),
        np.array([0, *itertools.accumulate(counts)], dtype=np.int32),
        np.array([sequence for sequence, _ in found], dtype=np.int32),
        np.array(list(found.values()), dtype=np.int32),
    )
