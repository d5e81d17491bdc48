"""How well a wrapper fits a page: how much of the records is known, which columns emptied, moved or changed values.
The fit is that of the structure times that of the worst column, so that one lost column is enough for an alarm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, lgamma
from typing import NamedTuple

from fastwrap import columns, limits
from fastwrap.columns import Table
from fastwrap.page import Page
from fastwrap.wrapper.pattern import LEAST_SHARE, FoundList, Pattern
from fastwrap.wrapper.profile import Profile, profiles_of

ALARM = 0.5
"""A fit below it means that the page has changed."""

USUAL = 0.5
"""A column that a smaller share of the records had is not missed where it is absent."""

FEWER = 0.7
"""A column has emptied if less than this part of its share of records has it, ..."""

CHANCE = 0.01
"""... and if so few would be less likely than this by chance."""

MOST_PAIRS = 200_000
"""Comparisons of columns that have emptied with those that the page has instead."""

PAGE_WEIGHT = 20
"""Records of one page are alike: any number of them counts as this many at most."""

FEWEST_VALUES = 3
"""With fewer values, nothing is said of what a column is like."""

UNLIKE = 2.0
"""The values of a column have changed if its profiles are further apart than this, ..."""

UNLIKE_TYPED = 1.0
"""... or than this, if its type has changed, too."""

LITTLE = 0.6
"""If less than this part of what the usual columns had is filled, the records are others."""

CERTAIN_SHARE = 0.7
"""Records of which this share is known are like those learned from."""

OTHER_CLASSES = 0.9
"""Factor if the elements around the records have another class or place than they had."""


class ColumnCheck(NamedTuple):
    """What has become of a column."""

    name: str
    state: str
    """ok, emptied, moved (emptied, and values like its own are elsewhere in the records), or changed (other values)."""
    fit: float
    detail: str = ""


@dataclass(frozen=True)
class Check:
    """How well a wrapper fits a page."""

    fit: float
    """In [0, 1]."""
    columns: tuple[ColumnCheck, ...]
    """Of the first list."""
    records: int
    """How many records there are."""
    skipped: int
    """How many elements in and around them do not match."""
    limits: tuple[str, ...] = ()
    """Budgets of reading and checking that were met: names of `fastwrap.limits.LIMITS`."""

    @property
    def alarm(self) -> bool:
        """Whether the page has changed so much that what is read should not be trusted."""
        return self.fit < ALARM

    @property
    def troubles(self) -> list[ColumnCheck]:
        """The columns that are not as they were."""
        return [column for column in self.columns if column.state != "ok"]


def fit_of_structure(found: FoundList) -> float:
    """The fit of the elements and the records, of which there is at least one."""
    known = min(1.0, (found.share - LEAST_SHARE) / (CERTAIN_SHARE - LEAST_SHARE))
    lost = len(found.skipped) / (len(found.skipped) + len(found.spans))
    return known * (OTHER_CLASSES if found.misses else 1.0) * min(1.0, 2.0 - 2.0 * lost)


def chance_of_fewer(seen: float, learned: int, filled: int, records: int) -> float:
    """How likely it is that so few records are filled, if the share `seen` of those learned from was: the tail of the
    beta-binomial distribution.

    >>> round(chance_of_fewer(1.0, 20, 0, 10), 6), round(chance_of_fewer(1.0, 3, 0, 1), 2)
    (0.0, 0.2)
    """
    learned, filled = min(learned, PAGE_WEIGHT), filled * min(records, PAGE_WEIGHT) // max(1, records)
    records = min(records, PAGE_WEIGHT)
    one, none = seen * learned + 1.0, (1.0 - seen) * learned + 1.0

    def beta(a: float, b: float) -> float:
        return lgamma(a) + lgamma(b) - lgamma(a + b)

    chances = (
        exp(beta(k + one, records - k + none) - beta(one, none) - beta(k + 1, records - k + 1)) / (records + 1)
        for k in range(filled + 1)
    )
    return sum(chances)


def column_fits(pattern: Pattern, now: Sequence[Profile], records: int) -> list[tuple[float, str]]:
    """For each column how well it fits, and what has become of it."""
    fits = []
    for then, here in zip(pattern.profiles, now, strict=True):
        share = here.filled / then.filled if then.filled >= USUAL else 1.0
        filled = round(here.filled * records)
        many = min(then.filled * pattern.records, here.filled * records) >= FEWEST_VALUES
        limit = UNLIKE if then.family == here.family else UNLIKE_TYPED
        if share < FEWER and chance_of_fewer(then.filled, pattern.records, filled, records) < CHANCE:
            fits.append((share * ALARM / FEWER, "emptied"))
        elif many and (unlike := then.distance(here)) > limit:
            fits.append((ALARM * limit / unlike, "changed"))
        else:
            fits.append((1.0, "ok"))
    return fits


def overall(pattern: Pattern, found: FoundList, now: Sequence[Profile], fits: Sequence[tuple[float, str]]) -> float:
    """The fit of the structure times that of the worst column, or of all columns together where little is left."""
    usual = [pair for pair in zip(pattern.profiles, now, strict=True) if pair[0].filled >= USUAL]
    left = sum(here.filled for _, here in usual) / sum(then.filled for then, _ in usual) if usual else 1.0
    # One record that lacks a column tells little; one that lacks most of them is none.
    filled = left * ALARM / LITTLE if left < LITTLE else 1.0
    return fit_of_structure(found) * min(filled, *(fit for fit, _ in fits), 1.0)


def fit_of(pattern: Pattern, found: FoundList, table: Table) -> float:
    """How well a pattern fits a page that has at least one record, in [0, 1]."""
    now = profiles_of(table)
    return overall(pattern, found, now, column_fits(pattern, now, len(found.spans)))


def check_of_nothing(pattern: Pattern, found: FoundList) -> Check:
    """The check of a page that has no records of the list."""
    checked = tuple(ColumnCheck(name, "emptied", 0.0, "there are no records") for name in pattern.column_names)
    return Check(0.0, checked, 0, len(found.skipped), found.limits)


def check(pattern: Pattern, page: Page, found: FoundList, table: Table) -> Check:
    """What has become of a list, on a page that has at least one record."""
    now = profiles_of(table)
    fits = column_fits(pattern, now, len(found.spans))
    fresh: list[tuple[str, Profile]] | None = None
    left = MOST_PAIRS
    checked = []
    for name, then, here, (fit, state) in zip(pattern.column_names, pattern.profiles, now, fits, strict=True):
        detail = ""
        if state == "emptied":
            detail = f"{then.filled:.0%} of the records had it, now {here.filled:.0%}"
            if fresh is None:
                fresh = columns_of(page, found, table)
            left -= len(fresh)
            if left >= 0 and (place := new_place(then, fresh)):
                state, detail = "moved", f"its values may be at {place}"
        elif state == "changed":
            # A file may have a profile without samples.
            shown = [repr(sample[:40]) for profile in (here, then) for sample in profile.samples[:1]]
            detail = "such as " + ", which was ".join(shown) if len(shown) == 2 else "its values are others"
        checked.append(ColumnCheck(name, state, round(fit, 4), detail))
    fit = overall(pattern, found, now, fits)
    met = limits.union(found.limits, table.limits, ("wrapper.moved",) if left < 0 else ())
    return Check(fit, tuple(checked), len(found.spans), len(found.skipped), met)


def columns_of(page: Page, found: FoundList, table: Table) -> list[tuple[str, Profile]]:
    """The paths and profiles of columns learned from this page alone, without those whose values are known."""
    fresh = columns.learn(page, found.spans)
    known = {sample for profile in profiles_of(table) for sample in profile.samples}
    described = list(zip(fresh.shown.paths, profiles_of(fresh), strict=True))
    if fresh.layout.heading is not None:
        described.pop()  # it is in no record
    return [(path, profile) for path, profile in described if profile.samples and not known.issuperset(profile.samples)]


def new_place(then: Profile, fresh: Sequence[tuple[str, Profile]]) -> str:
    """The path of the column that an emptied one may have become; empty if none is like it."""
    alike = [
        (distance, path)
        for path, profile in fresh
        if profile.family == then.family
        and profile.filled >= then.filled / 2
        and (distance := then.distance(profile)) < 1
    ]
    return min(alike, default=(0.0, ""))[1]
