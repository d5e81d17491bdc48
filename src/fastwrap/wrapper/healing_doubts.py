"""What speaks against a list of a changed page being the old one, however like it it is: known values that stand
elsewhere, records that are cut into pieces or are pieces themselves, too few of them, or nothing that is known."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np

from fastwrap.columns.layout import TEXT_ITEM
from fastwrap.wrapper.fitting import LITTLE, UNLIKE, UNLIKE_TYPED, USUAL
from fastwrap.wrapper.healing_columns import OldColumn, Pairing, weight_of
from fastwrap.wrapper.healing_lists import Comparison, FoundAgain, NewPage
from fastwrap.wrapper.pattern import Pattern
from fastwrap.wrapper.profile import LONGEST_SAMPLE, SAMPLES

VALUES_ELSEWHERE = "most of the known values stand on the page, but not in the list that is most like the old one"
UNLIKE_THE_OLD = "the records of the list that is most like the old one lack most values, or have others"
TOO_FEW = "the list that is most like the old one is much shorter, and known values stand elsewhere on the page"
OTHER_LENGTH = "the list that is most like the old one lacks columns, and is much longer or shorter"
OTHER_RECORDS = "the list that is most like the old one lacks columns, and its records hold much more or less"
CUT_ELSEWHERE = "known values of one record stand in different records of the list that is most like the old one"
MERGED = "records of the list that is most like the old one have the known values of several"
OTHER_SITE = (
    "neither the list that is most like the old one nor what is around it is known: the page is of another site"
)
NOTHING_KNOWN = "nothing in the list that is most like the old one is known, and it is not like it enough"

FEWEST_VALUES = 3
"""Values of a column that tells: one that all records have, or yes and no, stand anywhere."""

FEWEST_KNOWN = 4
"""Known values on the page, if anything is said of where they stand."""

MOST_INSIDE = 0.6
"""The old list has at least this share of the known values that are on the page, ..."""

NEARLY_ALL_INSIDE = 0.9
"""... and this share if it has become much shorter."""

MUCH_LONGER = 1.0
"""Powers of 2 by which a list is much longer or shorter than it was, ..."""

MUCH_RICHER = 0.5
"""... and its records hold much more or less."""

MOST_COLUMNS = 0.8
"""Share of the columns, by what they tell, that a list of another length must have, ..."""

ENOUGH_COLUMNS = 0.6
"""... and one whose records hold much more or less."""

FEWEST_TORN = 3
"""Known records whose values stand in different ones, if the list is cut at another place, ..."""

MORE_TORN = 2
"""... and so many times more of them than of whole ones."""

MOST_MERGED = 0.75
"""Known values of a column stand in at least so many records for each of them, if no record is several old ones."""

LONG = 30
"""Characters of a value that is no other one with other numbers."""

MOST_COMPARED = 12
"""Columns whose values are looked for in the same records."""

KNOWN = 0.05
"""A list with a smaller share of the old values has none that tell."""

SAME_SITE = 0.1
"""Such a list is of another site if a smaller share of what was around the old one is on the page, ..."""

SURE_ENOUGH = 0.75
"""... and else taken if this much speaks for it."""


def doubt_of(pattern: Pattern, old: Sequence[OldColumn], found: FoundAgain, page: NewPage) -> str:
    """What speaks against the list that was found; empty if nothing does."""
    best = found.best
    if best is None:
        return ""
    known, inside = values_on(old, best, page)
    kept = kept_share(old, best.pairing)
    if known >= FEWEST_KNOWN and inside < MOST_INSIDE * known:
        return VALUES_ELSEWHERE
    if likeness(old, best.pairing) < LITTLE:
        return UNLIKE_THE_OLD
    if 2 * len(best.new.example.spans) <= pattern.records and inside < NEARLY_ALL_INSIDE * known:
        return TOO_FEW
    if best.longer >= MUCH_LONGER and kept < MOST_COLUMNS:
        return OTHER_LENGTH
    if best.richer >= MUCH_RICHER and kept < ENOUGH_COLUMNS:
        return OTHER_RECORDS
    if is_torn(pattern.records, old, best.pairing) or is_rotated(old, best):
        return CUT_ELSEWHERE
    if is_merged(old, best, page):
        return MERGED
    if words_known(old, best.pairing) >= KNOWN:
        return ""
    if found.features["site"] < SAME_SITE:
        return OTHER_SITE
    return NOTHING_KNOWN if found.confidence < SURE_ENOUGH else ""


def values_on(old: Sequence[OldColumn], best: Comparison, page: NewPage) -> tuple[int, int]:
    """How many known values are on the page, and how many of these are in the list."""
    telling = (column.samples for column in old if column.kind == TEXT_ITEM and len(column.samples) >= FEWEST_VALUES)
    known = frozenset().union(*telling) & page.texts.keys()
    return len(known), len(known & best.new.texts)


def is_telling(value: str) -> bool:
    """Whether a value goes with its record wherever that is: words do, while numbers change, and ranks stay."""
    return any(map(str.isalpha, value)) and (len(value) >= LONG or not any(map(str.isdigit, value)))


def words_known(old: Sequence[OldColumn], pairing: Pairing) -> float:
    """The share of the old values with words that a list has: the numbers of records are the same on many sites."""
    total = there = 0
    for number, (new, _) in pairing.pairs.items():
        words = {sample for sample in old[number].samples if any(map(str.isalpha, sample))}
        if len(words) >= FEWEST_VALUES:
            total += len(words)
            there += len(words & new.values)
    return there / total if total else 0.0


def kept_share(old: Sequence[OldColumn], pairing: Pairing) -> float:
    """The share of the old columns, by what they tell, that a list has."""
    total = sum(map(weight_of, old))
    return sum(weight_of(old[number]) for number in pairing.pairs) / total if total else 0.0


def likeness(old: Sequence[OldColumn], pairing: Pairing) -> float:
    """In [0, 1], how much of the usual columns that a list has is filled as before, and with such values as before:
    what `Wrapper.check` asks, of the profiles of the old list."""
    like = total = 0.0
    for number, (new, _) in pairing.pairs.items():
        then, here = old[number].profile, new.profile
        if then.filled >= USUAL:
            weight = weight_of(old[number])
            total += weight
            if then.distance(here) <= (UNLIKE if then.family == here.family else UNLIKE_TYPED):
                like += weight * min(1.0, here.filled / then.filled)
    return like / total if total else 1.0


def is_torn(records: int, old: Sequence[OldColumn], pairing: Pairing) -> bool:
    """Whether the records are cut at another place than they were, so that one has the title of the next: values of
    columns that all records had were kept in the order of the records, so equally many of them go together."""
    columns: list[tuple[tuple[str, ...], list[str]]] = []
    for number, (new, _) in pairing.pairs.items():
        profile = old[number].profile
        cells = [cell[:LONGEST_SAMPLE] if isinstance(cell, str) else "" for cell in new.offer.cells]
        # Where there were more records than values are kept of, a value that was there twice would shift the others.
        is_certain = records <= SAMPLES or len(set(cells)) == len(cells)
        if profile.filled == 1.0 and len(profile.samples) > FEWEST_TORN and is_certain:
            columns.append((profile.samples, cells))
    for (ones, cells), (others, other_cells) in combinations(columns[:MOST_COMPARED], 2):
        if len(ones) != len(others):
            continue
        goes_with = dict(zip(ones, others, strict=True))
        known = set(filter(is_telling, others))
        rows = zip(cells, other_cells, strict=True)
        there = [(goes_with[one], other) for one, other in rows if one in goes_with and is_telling(one)]
        whole = sum(meant == other for meant, other in there)
        torn = sum(meant != other for meant, other in there if other in known)
        if torn >= FEWEST_TORN and torn > MORE_TORN * whole:
            return True
    return False


def is_rotated(old: Sequence[OldColumn], best: Comparison) -> bool:
    """Whether the records are cut at another place by their elements: the first columns come last, and what ends a
    record stands before the first one, too."""
    example = best.new.example
    page, (start, end) = example.page, example.spans[0].tolist()
    ordered = sorted(best.pairing.pairs.items(), key=lambda each: old[each[0]].place)
    places = [new.place for _, (new, _) in ordered]
    falls = sum(after < before for before, after in pairwise(places))
    if falls != 1 or places[-1] > places[0]:
        return False
    siblings = list(page.children(int(page.parent[start])))
    before = [page.tag[node] for node in siblings if node < start]
    own = [page.tag[node] for node in siblings if start <= node < end]
    return len(own) > 1 and bool(before) and bool(before[-1] == own[-1])


def is_merged(old: Sequence[OldColumn], best: Comparison, page: NewPage) -> bool:
    """Whether records are several old ones: known values of one column, which were in different records, stand in the
    same ones, whichever column is looked at."""
    starts, ends = best.new.example.spans[:, 0], best.new.example.spans[:, 1]
    shares = []
    for column in old:
        if column.kind != TEXT_ITEM or column.is_list:
            continue
        inside: list[set[int]] = []
        for sample in filter(is_telling, column.samples & page.texts.keys()):
            nodes = np.array(page.texts[sample])
            places = np.searchsorted(starts, nodes, side="right") - 1
            if having := set(places[(places >= 0) & (nodes < ends[places])].tolist()):
                inside.append(having)
        if len(inside) >= FEWEST_KNOWN:
            shares.append(len(set().union(*inside)) / len(inside))
    return bool(shares) and max(shares) < MOST_MERGED
