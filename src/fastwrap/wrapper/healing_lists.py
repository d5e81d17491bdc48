"""Finds an old list again on a page that has changed: every list of the page is compared with it, column by column.
The one that has most of its columns is taken, if it has enough of them and clearly more than any other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import exp
from typing import NamedTuple

import numpy as np
from msgspec import structs

from fastwrap import limits
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import TEXT
from fastwrap.regions import auto
from fastwrap.wrapper.cutting import Example
from fastwrap.wrapper.healing_columns import OldColumn, Pairing, healed_template, old_columns, pair
from fastwrap.wrapper.location import LONGEST_PATH
from fastwrap.wrapper.pattern import Pattern, learn_pattern
from fastwrap.wrapper.profile import LONGEST_SAMPLE

MOST_LISTS = 24
"""Lists of a page that are compared with the old one: those with most of its values, then the first ones."""

MOST_SECTIONS = 8
"""Sections of a list that are also compared as lists of their own."""

MOST_NODES = 200_000
"""Nodes of lists that are searched for old values, to tell which lists to compare."""

LEAST_CONFIDENCE = 0.5
"""A list is taken for the old one if this much speaks for it."""

WEIGHTS = {"bias": -5.0, "columns": 7.0, "shared": 4.0, "margin": 4.0, "first": 1.0}
"""What speaks for a list being the old one: weights of a logistic regression."""


class Comparison(NamedTuple):
    """How a list of the page compares with the old one."""

    example: Example
    rank: int
    """Its place among the lists of the page."""
    pairing: Pairing


class FoundAgain(NamedTuple):
    """What is known of an old list on a page that has changed."""

    best: Comparison | None
    """The list of the page that is most like it."""
    confidence: float
    """In [0, 1], that this is the old one."""
    lists: int
    """How many lists were compared."""
    limits: tuple[str, ...]


def candidates_of(page: Page, old: Sequence[OldColumn], known: Int32Array) -> tuple[list[tuple[int, Example]], list[str]]:
    """The lists of a page that may be the old one, with their ranks: what the wrapper still reads, the regions of the
    page, and the sections of joined ones; those with most of the old values first. And limits."""
    regions, met = auto.find(page)
    found: dict[bytes, tuple[int, Example]] = {}

    def add(rank: int, spans: Int32Array) -> None:
        parents = np.unique(page.parent[spans[:, 0]])
        if len(spans) and int(page.depth[parents[0]]) < LONGEST_PATH:
            found.setdefault(spans.tobytes(), (rank, Example(page, parents, spans)))

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
    samples = {sample for column in old for sample in column.samples}
    left = MOST_NODES
    counted = []
    for rank, example in found.values():
        left -= int((example.spans[:, 1] - example.spans[:, 0]).sum())
        counted.append((-hits_in(example, samples) if left >= 0 else 0, rank, len(counted)))
    lists = list(found.values())
    kept = [lists[place] for _, _, place in sorted(counted)[:MOST_LISTS]]
    return kept, [*met, *(["wrapper.healing"] if len(lists) > MOST_LISTS else [])]


def hits_in(example: Example, samples: set[str]) -> int:
    """How many of some values are texts of a list."""
    page = example.page
    texts: set[str] = set()
    for start, end in example.spans.tolist():
        nodes = np.flatnonzero(page.tag[start:end] == TEXT) + start
        texts.update(page.text(node)[:LONGEST_SAMPLE] for node in nodes.tolist())
    return len(texts & samples)


def find_again(pattern: Pattern, page: Page) -> FoundAgain:
    """The list of a page that is most like an old one."""
    old = old_columns(pattern)
    candidates, met = candidates_of(page, old, pattern.find(page).spans)
    compared = [Comparison(example, rank, pair(old, example)) for rank, example in candidates]
    if not compared:
        return FoundAgain(None, 0.0, 0, limits.union(met))
    compared.sort(key=lambda each: (-each.pairing.score, each.rank))
    best = compared[0]
    rival = max((each.pairing.score for each in compared[1:] if not overlap(each, best)), default=0.0)
    if not all(each.pairing.complete for each in compared):
        met.append("wrapper.healing")
    return FoundAgain(best, confidence_of(best, rival), len(compared), limits.union(met))


def list_features(best: Comparison, rival: float) -> dict[str, float]:
    """What speaks for the best list; `rival` is the score of the best one of those elsewhere on the page."""
    return {
        "bias": 1.0,
        "columns": best.pairing.score,
        "shared": best.pairing.shared,
        "margin": best.pairing.score - rival,
        "first": float(best.rank == 0),
    }


def confidence_of(best: Comparison, rival: float) -> float:
    """In [0, 1], that the best list is the old one."""
    return 1 / (1 + exp(-sum(WEIGHTS[name] * value for name, value in list_features(best, rival).items())))


def overlap(one: Comparison, other: Comparison) -> bool:
    """Whether two lists share nodes: they are ways to cut the same records."""
    ours, theirs = one.example.spans, other.example.spans
    places = np.searchsorted(theirs[:, 1], ours[:, 0], side="right")
    inside = places < len(theirs)
    return bool((theirs[places[inside], 0] < ours[inside, 1]).any())


def healed(pattern: Pattern, best: Comparison) -> tuple[Pattern, list[int]]:
    """The pattern of the list that was found, with the columns of the old one, and which of these it has."""
    template, numbers = healed_template(pattern, best.pairing)
    learned = learn_pattern([best.example], pattern.confidence)
    made = replace(learned, learned=template)
    ids = [pattern.profiles[number].id for number in numbers]
    profiles = [structs.replace(profile, id=id_) for profile, id_ in zip(made.profiles, ids, strict=True)]
    made.__dict__["profiles"] = tuple(profiles)
    return made, numbers
