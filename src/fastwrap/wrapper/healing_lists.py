"""Finds an old list again on a page that has changed: every list of the page is compared with it, column by column.
The one that has most of its columns is taken, if it has enough of them and clearly more than any other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import exp
from typing import NamedTuple

import numpy as np
from msgspec import structs

from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.regions import auto
from fastwrap.wrapper.cutting import Example
from fastwrap.wrapper.healing_columns import NewList, OldColumn, Pairing, healed_template, old_columns, pair
from fastwrap.wrapper.location import LONGEST_PATH
from fastwrap.wrapper.pattern import Pattern, learn_pattern

MOST_LISTS = 24
"""Lists of a page that are compared with the old one: those with most of its values, then the first ones."""

MOST_SECTIONS = 8
"""Sections of a list that are also compared as lists of their own."""

MOST_NODES = 200_000
"""Nodes of lists that are searched for old values, to tell which lists to compare."""

LEAST_CONFIDENCE = 0.5
"""A list is taken for the old one if this much speaks for it."""

MOST_OTHERS = 6
"""Other lists of the wrapper that the best one is compared with: it may be one of them."""

WEIGHTS = {
    "bias": -4.0, "columns": 4.3, "shared": 4.7, "margin": 2.0, "first": 0.3, "other columns": -0.3,
    "other shared": -1.2, "records": 2.5, "width": -1.9,
}  # fmt: skip
"""What speaks for a list being the old one: weights of a logistic regression."""


class Comparison(NamedTuple):
    """How a list of the page compares with the old one."""

    new: NewList
    pairing: Pairing


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


def lists_of(page: Page, known: Int32Array) -> tuple[list[NewList], tuple[str, ...]]:
    """The lists of a page: its regions, the sections of those that are joined, and `known`, the records that the
    wrapper still reads. And limits."""
    regions, met = auto.find(page)
    found: dict[bytes, NewList] = {}

    def add(rank: int, spans: Int32Array) -> None:
        parents = np.unique(page.parent[spans[:, 0]])
        if len(spans) and int(page.depth[parents[0]]) < LONGEST_PATH:
            found.setdefault(spans.tobytes(), NewList(rank, Example(page, parents, spans)))

    for rank, region in enumerate(regions):
        add(rank, region.records)
    for rank, region in enumerate(regions[:MOST_LISTS]):
        owners = page.parent[region.records[:, 0]]
        parents = np.unique(owners)
        if 1 < len(parents) <= MOST_SECTIONS:
            for parent in parents:
                if np.count_nonzero(owners == parent) > 1:
                    add(rank, np.ascontiguousarray(region.records[owners == parent]))
    if len(known) > 1:
        add(len(regions), known)
    return list(found.values()), met


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


def find_again(patterns: Sequence[Pattern], number: int, lists: Sequence[NewList]) -> FoundAgain:
    """The list of a page that is most like one of a wrapper; the others of the wrapper tell what it is not."""
    old = old_columns(patterns[number])
    near, complete = likely(old, lists, MOST_LISTS)
    compared = [Comparison(new, pair(old, new)) for new in near]
    if not compared:
        return FoundAgain(None, 0.0, {}, complete)
    compared.sort(key=lambda each: (-each.pairing.score, each.new.rank))
    best = compared[0]
    rival = max((each.pairing.score for each in compared[1:] if not overlap(each.new, best.new)), default=0.0)
    known = [pair(other, best.new) for other in other_lists(patterns, number, best.new)]
    features = {
        "bias": 1.0,
        "columns": best.pairing.score,
        "shared": best.pairing.shared,
        "margin": best.pairing.score - rival,
        "first": float(best.new.rank == 0),
        "other columns": max((each.score for each in known), default=0.0),
        "other shared": max((each.shared for each in known), default=0.0),
        "records": min(1.0, 2 * len(best.new.example.spans) / max(1, patterns[number].records)),
        "width": min(1.0, len(old) / 5),
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


def samples_of(pattern: Pattern) -> set[str]:
    """The values that are known of a list."""
    return {sample for profile in pattern.profiles for sample in profile.samples}


def overlap(one: NewList, other: NewList) -> bool:
    """Whether two lists share nodes: they are ways to cut the same records."""
    ours, theirs = one.example.spans, other.example.spans
    places = np.searchsorted(theirs[:, 1], ours[:, 0], side="right")
    inside = places < len(theirs)
    return bool((theirs[places[inside], 0] < ours[inside, 1]).any())


def healed(pattern: Pattern, best: Comparison) -> tuple[Pattern, list[int]]:
    """The pattern of the list that was found, with the columns of the old one, and which of these it has."""
    template, numbers = healed_template(pattern, best.new.whole, best.pairing)
    made = replace(learn_pattern([best.new.example], pattern.confidence), learned=template)
    ids = [pattern.profiles[number].id for number in numbers]
    profiles = [structs.replace(profile, id=each) for profile, each in zip(made.profiles, ids, strict=True)]
    made.__dict__["profiles"] = tuple(profiles)
    return made, numbers
