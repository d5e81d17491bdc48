"""Finds an old list again on a page that has changed: every list of the page is compared with it, column by column.
The one that has most of its columns is taken, if it has enough of them and clearly more than any other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import exp, log2
from typing import NamedTuple

import numpy as np
from msgspec import structs

from fastwrap.columns.layout import TEXT_ITEM
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import TEXT
from fastwrap.regions import auto
from fastwrap.wrapper.cutting import Example
from fastwrap.wrapper.examples import alike
from fastwrap.wrapper.healing_columns import NewList, OldColumn, Pairing, healed_template, old_columns, pair
from fastwrap.wrapper.location import LONGEST_PATH, in_one_place
from fastwrap.wrapper.pattern import Pattern, learn_pattern
from fastwrap.wrapper.profile import LONGEST_SAMPLE

MOST_LISTS = 24
"""Lists of a page that are compared with the old one: those with most of its values, then the first ones."""

MOST_SECTIONS = 8
"""Sections of a list that are also compared as lists of their own."""

MOST_PAIRS = 50_000
"""Pairs of old and new columns that are compared; the first list is compared in any case."""

MOST_NODES = 200_000
"""Nodes of lists that are searched for old values, to tell which lists to compare."""

LEAST_CONFIDENCE = 0.5
"""A list is taken for the old one if this much speaks for it."""

SIZE_WEIGHT = 0.1
"""What it costs a list to have twice as many records, or half as many, or records that hold twice as much."""

MOST_ANCHORS = 3
"""Columns whose values are looked for on the page, ..."""

FEWEST_ANCHORS = 3
"""... those of at least so many values, ..."""

MOST_OF_THEM = 0.6
"""... and the element that has this share of the values that are there is the one around the list."""

MOST_PLACES = 20
"""Places of one value that are looked at."""

ENOUGH_COLUMNS = 0.6
"""A list that has less of the old columns must have old values to be taken for it."""

MOST_OTHERS = 6
"""Other lists of the wrapper that the best one is compared with: it may be one of them."""

WEIGHTS = {
    "bias": -2.3, "columns": 3.0, "few columns": -8.0, "shared": 2.8, "margin": 2.4, "other columns": -0.5,
    "other shared": -2.0, "site": 2.8, "longer": -1.2, "richer": -1.8,
}  # fmt: skip
"""What speaks for a list being the old one: weights of a logistic regression, after which those of sizes were lessened,
as the pages that it was fitted on had as many records as before, and the bias, so that doubtful lists are not taken."""


class Comparison(NamedTuple):
    """How a list of the page compares with the old one."""

    new: NewList
    pairing: Pairing
    longer: float
    """How much longer or shorter it is, in powers of 2, ..."""
    richer: float
    """... and how much more or less its records hold."""

    @property
    def worth(self) -> float:
        """By which lists are ranked: columns and values count most."""
        return self.pairing.score + self.pairing.shared - SIZE_WEIGHT * (self.longer + self.richer)


class FoundAgain(NamedTuple):
    """What is known of an old list on a page that has changed."""

    best: Comparison | None
    """The list of the page that is most like it."""
    confidence: float
    """In [0, 1], that this is the old one."""
    features: dict[str, float]
    """What the confidence rests on."""
    complete: bool
    """Whether everything was compared."""


class NewPage(NamedTuple):
    """A page that has changed."""

    lists: list[NewList]
    texts: dict[str, list[int]]
    """The nodes of each text, some of them where it is there very often."""
    limits: tuple[str, ...]


def read_page(page: Page, old: Sequence[OldColumn], known: Int32Array) -> NewPage:
    """The lists of a page: `known`, the records that the wrapper still reads; its regions; the sections of those that
    are joined, one by one and those with old values together; and what repeats around old values."""
    regions, met = auto.find(page)
    nodes = np.flatnonzero(page.tag == TEXT)
    texts: dict[str, list[int]] = {}
    for node in nodes[:MOST_NODES].tolist():
        here = texts.setdefault(page.text(node)[:LONGEST_SAMPLE], [])
        if len(here) < MOST_PLACES:
            here.append(node)
    found: dict[bytes, NewList] = {}

    def add(rank: int, spans: Int32Array) -> NewList | None:
        spans = in_one_place(page, spans)
        parents = np.unique(page.parent[spans[:, 0]])
        if len(spans) < 2 or int(page.depth[parents[0]]) >= LONGEST_PATH:
            return None
        return found.setdefault(spans.tobytes(), NewList(rank, Example(page, parents, spans)))

    if len(known):
        add(len(regions), known)
    for rank, region in enumerate(regions):
        add(rank, region.records)
    samples = {sample for column in old for sample in column.samples}
    for rank, region in enumerate(regions[:MOST_LISTS]):
        owners = page.parent[region.records[:, 0]]
        parents = np.unique(owners)
        if 1 < len(parents) <= MOST_SECTIONS:
            sections = [add(rank, np.ascontiguousarray(region.records[owners == parent])) for parent in parents]
            having = [section is not None and bool(section.texts & samples) for section in sections]
            if 1 < sum(having) < len(having):
                add(rank, np.ascontiguousarray(region.records[np.isin(owners, parents[having])]))
    for spans in around_values(page, old, texts):
        add(len(regions), spans)
    return NewPage(list(found.values()), texts, met if len(nodes) <= MOST_NODES else (*met, "wrapper.healing"))


def around_values(page: Page, old: Sequence[OldColumn], texts: Mapping[str, list[int]]) -> Iterator[Int32Array]:
    """What repeats around the values of old columns: the children of the smallest element that has most of them."""
    telling = sorted((each for each in old if each.kind == TEXT_ITEM), key=lambda each: -len(each.samples))
    telling = [each for each in telling[:MOST_ANCHORS] if len(each.samples) >= FEWEST_ANCHORS]
    seen: set[int] = set()
    for column in telling:
        there = [texts[sample] for sample in column.samples if sample in texts]
        if len(there) < FEWEST_ANCHORS:
            continue
        counts: Counter[int] = Counter()
        for nodes in there:
            counts.update({above for node in nodes for above in page.ancestors(node)})
        holder = max(node for node, count in counts.items() if count >= MOST_OF_THEM * len(there))
        first = next((child for child in page.children(holder) if counts[child]), None)
        if first is not None and holder not in seen:
            seen.add(holder)
            tops = alike(page, first)
            yield np.array([[top, top + int(page.size[top])] for top in tops], dtype=np.int32)


def likely(old: Sequence[OldColumn], lists: Sequence[NewList], most: int) -> tuple[list[NewList], bool]:
    """The lists with most of the values of an old one, then the first ones; and whether these are all."""
    samples = {sample for column in old for sample in column.samples}
    left = MOST_NODES
    counted = []
    for place, each in enumerate(lists):
        spans = each.example.spans
        left -= int((spans[:, 1] - spans[:, 0]).sum())
        counted.append((-len(each.texts & samples) if left >= 0 else 0, each.rank, place))
    return [lists[place] for _, _, place in sorted(counted)[:most]], len(lists) <= most


def compare(pattern: Pattern, old: Sequence[OldColumn], new: NewList) -> Comparison:
    """Compare a list of the page with an old one."""
    longer = abs(log2(len(new.example.spans) / max(1, pattern.records)))
    richer = abs(log2((1 + len(new.whole.layout.items)) / (1 + len(pattern.layout.items))))
    return Comparison(new, pair(old, new), min(3.0, longer), min(3.0, richer))


def find_again(patterns: Sequence[Pattern], number: int, page: NewPage, most: int) -> FoundAgain:
    """The list of a page that is most like one of a wrapper; the others of the wrapper tell what it is not."""
    old = old_columns(patterns[number])
    near, complete = likely(old, page.lists, most)
    compared: list[Comparison] = []
    left = MOST_PAIRS
    for new in near:
        left -= len(old) * len(new.offers)
        if left < 0 and compared:
            complete = False
            break
        compared.append(compare(patterns[number], old, new))
    if not compared:
        return FoundAgain(None, 0.0, {}, complete)
    best = max(compared, key=lambda each: (each.worth, -each.new.rank))
    rival = max((each.worth for each in compared if not overlap(each.new, best.new)), default=0.0)
    known = [pair(other, best.new) for other in other_lists(patterns, number, best.new)]
    around = known_around(patterns, number)
    features = {
        "bias": 1.0,
        "columns": best.pairing.score,
        "few columns": max(0.0, ENOUGH_COLUMNS - best.pairing.score) * (1.0 - best.pairing.shared),
        "shared": best.pairing.shared,
        "margin": best.worth - max(0.0, rival),
        "other columns": max((each.score for each in known), default=0.0),
        "other shared": max((each.shared for each in known), default=0.0),
        "site": len(around & page.texts.keys()) / len(around) if len(around) >= FEWEST_ANCHORS else 0.5,
        "longer": best.longer,
        "richer": best.richer,
    }
    odds = sum(WEIGHTS[name] * value for name, value in features.items())
    complete = complete and all(each.pairing.complete for each in compared)
    return FoundAgain(best, 1 / (1 + exp(-odds)), features, complete)


def other_lists(patterns: Sequence[Pattern], number: int, new: NewList) -> list[list[OldColumn]]:
    """The columns of the other lists of a wrapper that a new one may be, those with most of its values first; without
    sections of the same list, which have the same values."""
    own = samples_of(patterns[number])
    others = []
    for place, other in enumerate(patterns):
        samples = samples_of(other)
        if place != number and 2 * len(samples & own) <= len(samples):
            others.append((-len(new.texts & samples), place))
    return [old_columns(patterns[place]) for _, place in sorted(others)[:MOST_OTHERS]]


def known_around(patterns: Sequence[Pattern], number: int) -> set[str]:
    """The values of the other lists of a wrapper, which pages of the same site have: menus, links to categories."""
    others = (samples_of(pattern) for place, pattern in enumerate(patterns) if place != number)
    return set().union(*others) - samples_of(patterns[number])


def samples_of(pattern: Pattern) -> set[str]:
    """The values that are known of a list."""
    return {sample for profile in pattern.profiles for sample in profile.samples}


def overlap(one: NewList, other: NewList) -> bool:
    """Whether two lists share nodes: they are ways to cut the same records."""
    ours, theirs = one.example.spans, other.example.spans
    places = np.searchsorted(theirs[:, 1], ours[:, 0], side="right")
    inside = places < len(theirs)
    return bool((theirs[places[inside], 0] < ours[inside, 1]).any())


def healed(pattern: Pattern, best: Comparison) -> Pattern:
    """The pattern of the list that was found, with the columns of the old one."""
    template, numbers = healed_template(pattern, best.new.whole, best.pairing)
    made = replace(learn_pattern([best.new.example], pattern.confidence), learned=template)
    ids = [pattern.profiles[number].id for number in numbers]
    profiles = [structs.replace(profile, id=each) for profile, each in zip(made.profiles, ids, strict=True)]
    made.__dict__["profiles"] = tuple(profiles)
    return made
