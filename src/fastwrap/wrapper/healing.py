"""Heals a wrapper whose site was redesigned: its lists are found again by what is in them, and learned anew.
`HealingReport` says what was kept, what has moved, and what could not be found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fastwrap import columns, limits
from fastwrap.columns.offers import Offer, offers_of
from fastwrap.page import Page
from fastwrap.page.names import NO_NODE
from fastwrap.wrapper import fitting
from fastwrap.wrapper.fitting import ALARM, Check
from fastwrap.wrapper.healing_columns import NewList, old_columns
from fastwrap.wrapper.healing_doubts import doubt_of
from fastwrap.wrapper.healing_lists import (
    LEAST_CONFIDENCE,
    MOST_LISTS,
    Comparison,
    FoundAgain,
    NewPage,
    compare,
    find_again,
    healed,
    overlap,
    read_page,
    samples_of,
)
from fastwrap.wrapper.pattern import FoundList, Pattern

if TYPE_CHECKING:
    from fastwrap.wrapper.wrapper import Wrapper

LEAST_AGREEMENT = 0.8
"""Of the records that were found, the new wrapper must read this share, and little else."""


MOST_NEAR = 2
"""Lists of the page that are compared with one of the wrapper's lists after the first."""

MANY_SHARED = 0.5
"""A list with this share of the known values is surely the old one."""

DOUBTED = 0.4
"""What is left of the confidence where something speaks against a list: less than it takes, whatever speaks for it."""

NOT_SURE = "no list of the page is surely the old one"
CANNOT_TELL = "the list is on the page, but neither its place nor its elements tell it from others there"
NO_LIST = "the wrapper has no list"
RECORDS_ARE_NOT_HEALED = "records of pages about one thing are not healed, only lists are; learn from the new pages"


class HealedColumn(NamedTuple):
    """What has become of a column."""

    name: str
    id: int
    """As in the file of the wrapper; -1 for a new one."""
    state: str
    """kept; moved (it is there, but at another place among the columns); lost; or new: the page has it, the wrapper
    did not, and does not."""
    score: float
    """In [0, 1], how sure it is that the column is the old one; 0 if it is lost or new."""
    detail: str = ""
    """Where it is, or why it is not."""


@dataclass(frozen=True)
class HealingReport:
    """What healing did."""

    found: bool
    """Whether the first list is on the page and can be told from others; if not, the wrapper stays as it was."""
    changed: bool
    """Whether the wrapper is a new one; not where the old one still fits, and not where the list is not found."""
    fit_before: float
    """The fit of the old wrapper, in [0, 1]."""
    fit: float
    """That of the wrapper that is returned."""
    confidence: float
    """In [0, 1], that the list is the old one."""
    records: int
    """How many records the wrapper that is returned reads on the page."""
    columns: tuple[HealedColumn, ...]
    """Of the first list: those of the old wrapper in their order, then new ones."""
    lists: tuple[str, ...]
    """For each list of the wrapper: fits, healed, not found, or not looked for, where the first was not healed; those
    that are not healed stay as they were."""
    limits: tuple[str, ...] = ()
    """Budgets of healing that were met: names of `fastwrap.limits.LIMITS`."""
    reason: str = ""
    """Why the list is not found; empty if it is."""

    def __str__(self) -> str:
        if not self.found:
            return f"not healed: {self.reason} (confidence {self.confidence:.2f}, fit {self.fit_before:.2f})"
        if not self.changed:
            return f"the wrapper fits as it is (fit {self.fit:.2f}, {self.records:,} records)"
        lines = [
            f"healed: {self.records:,} records, fit {self.fit:.2f} (was {self.fit_before:.2f}),"
            f" confidence {self.confidence:.2f}"
        ]
        for column in self.columns:
            score = f" ({column.score:.2f})" if column.score else ""
            lines.append(f"  {column.state} {column.name!r}{score}: {column.detail}")
        left = sum(state == "not found" for state in self.lists[1:])
        if left:
            lines.append(f"  {left} of {len(self.lists) - 1} other lists not found")
        return "\n".join(lines)


class Healing(NamedTuple):
    """A healed wrapper, and what was done."""

    wrapper: Wrapper
    """The new wrapper; the old one, if nothing was changed."""
    report: HealingReport


def fit_on(pattern: Pattern, page: Page) -> tuple[float, FoundList]:
    """How well a list fits a page, and its records."""
    found = pattern.find(page)
    if not len(found.spans):
        return 0.0, found
    return fitting.fit_of(pattern, found, columns.apply(pattern.template, page, found.spans)), found


def heal_lists(patterns: Sequence[Pattern], page: Page) -> tuple[tuple[Pattern, ...], HealingReport]:
    """The lists of a wrapper as a page has them now, and what was done."""
    if not patterns:
        return (), HealingReport(False, False, 0.0, 0.0, 0.0, 0, (), (), reason=NO_LIST)
    first = patterns[0]
    before, read = fit_on(first, page)
    old = old_columns(first)
    new = read_page(page, old, read.spans)
    met = new.limits
    found, doubt = find_surely(patterns, 0, new, MOST_LISTS)
    if not found.complete:
        met = (*met, "wrapper.healing")
    best = found.best
    made = None
    if best is not None and found.confidence >= LEAST_CONFIDENCE and (before < ALARM or is_better(first, read, best)):
        made = healed(first, best)
        fit, now = fit_on(made, page)
        if fit < ALARM or agreement(now, best) < LEAST_AGREEMENT:
            made = None
    if made is not None and best is not None:
        became = what_became(first, best)
        free = [each for each in new.lists if not overlap(each, best.new)]
        others, states = heal_others(patterns, page, new._replace(lists=free))
        report = HealingReport(
            True, True, before, fit, found.confidence, len(now.spans), became, ("healed", *states),
            limits.union(met, made.limits),
        )  # fmt: skip
        return (made, *others), report
    fits = before >= ALARM
    state, detail = ("kept", "as it was") if fits else ("lost", "the list is not found")
    became = tuple(
        HealedColumn(name, profile.id, state, float(fits), detail)
        for name, profile in zip(first.column_names, first.profiles, strict=True)
    )
    sure = 1.0 if fits else found.confidence
    lists_are = ("fits" if fits else "not found", *["not looked for"] * (len(patterns) - 1))
    reason = "" if fits else CANNOT_TELL if found.confidence >= LEAST_CONFIDENCE else doubt or NOT_SURE
    report = HealingReport(
        fits, False, before, before, sure, len(read.spans), became, lists_are, limits.union(met), reason
    )  # fmt: skip
    return tuple(patterns), report


def record_is_not_healed(found: Check) -> HealingReport:
    """The report of a wrapper of pages about one thing, whose record was checked as it is."""
    return HealingReport(
        False, False, found.fit, found.fit, 0.0, found.records, (), (), found.limits, RECORDS_ARE_NOT_HEALED
    )  # fmt: skip


def find_surely(patterns: Sequence[Pattern], number: int, page: NewPage, most: int) -> tuple[FoundAgain, str]:
    """As `find_again`, but surely no list that something speaks against; and what does."""
    found = find_again(patterns, number, page, most)
    doubt = ""
    if found.confidence >= LEAST_CONFIDENCE:
        doubt = doubt_of(patterns[number], old_columns(patterns[number]), found, page)
    return (found._replace(confidence=DOUBTED * found.confidence) if doubt else found), doubt


def heal_others(patterns: Sequence[Pattern], page: Page, new: NewPage) -> tuple[list[Pattern], list[str]]:
    """The lists of a wrapper after the first, and what has become of each: those that do not fit are healed where
    their own values are found again, and else stay as they were."""
    others: list[Pattern] = []
    states: list[str] = []
    left = new.lists
    for number, pattern in enumerate(patterns[1:], 1):
        others.append(pattern)
        states.append("not found")
        if fit_on(pattern, page)[0] >= ALARM:
            states[-1] = "fits"
            continue
        samples = samples_of(pattern)
        near = [each for each in left if len(each.texts & samples) > 1]
        found, _ = find_surely(patterns, number, new._replace(lists=near), MOST_NEAR)
        if found.best is not None and found.confidence >= LEAST_CONFIDENCE:
            made = healed(pattern, found.best)
            fit, now = fit_on(made, page)
            if fit >= ALARM and agreement(now, found.best) >= LEAST_AGREEMENT:
                others[-1], states[-1] = made, "healed"
                left = [each for each in left if each is not found.best.new]
    return others, states


def is_better(pattern: Pattern, read: FoundList, best: Comparison) -> bool:
    """Whether a list is the old one rather than what a wrapper reads that still seems to fit: it has values that are
    known, and what is read has less of them, or records too many or too few."""
    example = best.new.example
    if np.array_equal(example.spans, read.spans) or best.pairing.shared < MANY_SHARED:
        return False
    now = compare(pattern, old_columns(pattern), NewList(0, example._replace(spans=read.spans)))
    return now.worth < best.worth


def agreement(found: FoundList, best: Comparison) -> float:
    """In [0, 1], how much of the records that a pattern reads are those it was learned from."""
    read, meant = (set(map(tuple, spans.tolist())) for spans in (found.spans, best.new.example.spans))
    return len(read & meant) / max(1, len(read | meant))


def what_became(pattern: Pattern, best: Comparison) -> tuple[HealedColumn, ...]:
    """What has become of each column."""
    pairs = best.pairing.pairs
    still = in_order([new.place for new, _ in pairs.values()])
    moved = {number for number, stays in zip(pairs, still, strict=True) if not stays}
    states = []
    for number, (name, profile) in enumerate(zip(pattern.column_names, pattern.profiles, strict=True)):
        if number not in pairs:
            states.append(HealedColumn(name, profile.id, "lost", 0.0, "no column is like it"))
            continue
        new, chance = pairs[number]
        path = new.offer.column.path
        states.append(HealedColumn(name, profile.id, "moved" if number in moved else "kept", round(chance, 4), path))
    used = {item for new, _ in pairs.values() for item in items_of(new.offer)}
    names = set(pattern.column_names)
    states += [
        HealedColumn(offer.column.name, NO_NODE, "new", 0.0, offer.column.path)
        for offer in offers_of(best.new.shown)
        if used.isdisjoint(items_of(offer)) and offer.source is not None and offer.column.name not in names
    ]
    return tuple(states)


def items_of(offer: Offer) -> set[int]:
    """The items that a column is made of."""
    return set() if offer.source is None else {item for part in offer.source.items for item in part}


def in_order(places: Sequence[float]) -> list[bool]:
    """Which of some places are in the longest run that only goes up.

    >>> in_order([1, 5, 2, 3])
    [True, False, True, True]
    """
    length, before = [1] * len(places), [-1] * len(places)
    for place, own in enumerate(places):
        for other in range(place):
            if places[other] <= own and length[other] + 1 > length[place]:
                length[place], before[place] = length[other] + 1, other
    kept = [False] * len(places)
    place = int(np.argmax(length)) if places else -1
    while place >= 0:
        kept[place] = True
        place = before[place]
    return kept
