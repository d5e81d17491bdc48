"""Heals a wrapper whose site was redesigned: its lists are found again by what is in them, and learned anew.
`HealingReport` says what was kept, what has moved, and what could not be found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fastwrap import columns, limits
from fastwrap.page import Page
from fastwrap.wrapper import fitting
from fastwrap.wrapper.fitting import ALARM
from fastwrap.wrapper.healing_lists import LEAST_CONFIDENCE, Comparison, find_again, healed, lists_of, overlap
from fastwrap.wrapper.pattern import FoundList, Pattern

if TYPE_CHECKING:
    from fastwrap.wrapper.wrapper import Wrapper

LEAST_AGREEMENT = 0.8
"""Of the records that were found, the new wrapper must read this share, and little else."""


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
    """Whether the first list is on the page; if not, the wrapper stays as it was."""
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
    """For each list of the wrapper: fits, healed, or not found; those that are not found stay as they were."""
    limits: tuple[str, ...] = ()
    """Budgets of healing that were met: names of `fastwrap.limits.LIMITS`."""

    def __str__(self) -> str:
        if not self.found:
            return (
                f"not healed: no list of the page is surely the old one (confidence {self.confidence:.2f},"
                f" fit {self.fit_before:.2f})"
            )
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
        return (), HealingReport(False, False, 0.0, 0.0, 0.0, 0, (), ())
    before, read = fit_on(patterns[0], page)
    if before >= ALARM:
        kept = tuple(
            HealedColumn(name, profile.id, "kept", 1.0, "as it was")
            for name, profile in zip(patterns[0].column_names, patterns[0].profiles, strict=True)
        )
        states = ("fits", *[""] * 0)
        return tuple(patterns), HealingReport(True, False, before, before, 1.0, len(read.spans), kept, states)
    lists, met = lists_of(page, read.spans)
    found = find_again(patterns, 0, lists)
    if not found.complete:
        met = (*met, "wrapper.healing")
    made = None
    if found.best is not None and found.confidence >= LEAST_CONFIDENCE:
        made, numbers = healed(patterns[0], found.best)
        fit, now = fit_on(made, page)
        if fit < ALARM or agreement(now, found.best) < LEAST_AGREEMENT:
            made = None
    if made is None or found.best is None:
        lost = tuple(
            HealedColumn(name, profile.id, "lost", 0.0, "the list is not found")
            for name, profile in zip(patterns[0].column_names, patterns[0].profiles, strict=True)
        )
        report = HealingReport(
            False, False, before, before, found.confidence, len(read.spans), lost, ("not found",), limits.union(met)
        )
        return tuple(patterns), report
    report = HealingReport(
        True, True, before, fit, found.confidence, len(now.spans),
        what_became(patterns[0], found.best, made), ("healed",), limits.union(met, made.limits),
    )  # fmt: skip
    return (made, *patterns[1:]), report


def agreement(found: FoundList, best: Comparison) -> float:
    """In [0, 1], how much of the records that a pattern reads are those it was learned from."""
    read, meant = (set(map(tuple, spans.tolist())) for spans in (found.spans, best.new.example.spans))
    return len(read & meant) / max(1, len(read | meant))


def what_became(pattern: Pattern, best: Comparison, made: Pattern) -> tuple[HealedColumn, ...]:
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
    return tuple(states)


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
