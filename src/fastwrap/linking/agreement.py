"""Columns of a listing that say the same as columns of its detail pages: they confirm each other (RED, Guo 2019).
Of two names of one column the better one is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fastwrap.columns.roles import fold, role_of_words
from fastwrap.columns.table import Column
from fastwrap.linking.assignment import assign
from fastwrap.linking.sides import Cells, fullest, spread
from fastwrap.linking.values import Key, is_start, key_of

LEAST_SHARE = 0.7
"""Of the pairs that have both columns, how many must have the same in both."""

ALMOST_ALL = 0.9
"""The same, of columns that have other roles."""

SURE = 2
"""From which rank of its name on (see `rank_of`) the role of a column is sure."""

BEYOND_CHANCE = 0.3
"""By how much that share must be above the one of pairs that are put together by chance."""

MOST_PAIRS = 500
"""Pairs of records and pages by which columns are compared."""

LEAST_COPIES = 3
"""A further column that says the same as a listing's is a copy if it does so on all of so many pairs."""

RANKS = {"type": 0, "relation": 1, "text": 1, "markup": 2, "header": 3, "label": 3}
"""By what a name rests on, how good it is; a name given by data or otherwise is as good as a label."""


class Agreement(NamedTuple):
    """A column of a listing and one of the detail pages that say the same."""

    listing: str
    """The name of the listing's column."""
    detail: str
    """The name of the detail pages' column."""
    share: float
    """How many of the pairs that have both have the same in both."""
    pairs: int
    """How many pairs have both; of very many, 500 are looked at."""


class Compared(NamedTuple):
    """The cells of a column, as they are compared."""

    column: Column
    values: list[Key | None]
    texts: list[Key | None]
    raw: list[Any]


class Counted(NamedTuple):
    """How often two columns say the same."""

    pairs: int
    same: int
    by_chance: float


def compared(cells: Cells) -> Compared:
    """A column, ready to be compared."""
    return Compared(cells.column, list(map(key_of, cells.values)), list(map(key_of, cells.texts)), list(cells.texts))


def counted(one: Compared, other: Compared) -> Counted:
    """How often two columns, which are in step, say the same."""
    pairs = same = 0
    left: Counter[Key] = Counter()
    right: Counter[Key] = Counter()
    for place, key in enumerate(one.values):
        against = other.values[place]
        if key is None or against is None:
            continue
        pairs += 1
        left[key] += 1
        right[against] += 1
        same += key == against or one.texts[place] == other.texts[place] or is_cut(one.raw[place], other.raw[place])
    chance = sum(count * right[key] for key, count in left.items()) / (pairs * pairs) if pairs else 0.0
    return Counted(pairs, same, chance)


def is_cut(one: Any, other: Any) -> bool:
    """Whether one of two texts is the other, cut off."""
    return isinstance(one, str) and isinstance(other, str) and (is_start(one, other) or is_start(other, one))


class Agreed(NamedTuple):
    """Which columns are the same."""

    same: dict[int, int]
    """By column of the listing, that of the details."""
    of_listing: dict[int, int]
    """By column of the details, that of the listing which it is the same as, or a copy of."""
    agreements: list[Agreement]
    limits: tuple[str, ...] = ()


def agree(listing: Sequence[Cells], details: Sequence[Cells]) -> Agreed:
    """Which columns of a listing and of its detail pages are the same. The cells of all columns are in step."""
    rows = spread(range(len(listing[0].values)) if listing else (), MOST_PAIRS)
    lefts, rights = (
        {place: compared(cells[place].at(rows)) for place in fullest(cells)} for cells in (listing, details)
    )
    counts: dict[tuple[int, int], Counted] = {}
    weights: dict[tuple[int, int], float] = {}
    for place, one in lefts.items():
        for number, other in rights.items():
            found = counted(one, other)
            if found.pairs and is_agreed(one.column, other.column, found):
                counts[place, number] = found
                alike = names_alike(one.column, other.column)
                # Of copies that agree as often, the one that is called best.
                better = 0.01 * rank_of(other.column.why) + 0.5 * alike
                weights[place, number] = found.same / found.pairs * (1 + 0.001 * found.pairs) + better
    chosen, _ = assign(weights)
    same = dict(chosen)
    of_listing = {number: place for place, number in chosen}
    for (place, number), found in counts.items():
        if found.same == found.pairs >= LEAST_COPIES and place in same:
            of_listing.setdefault(number, place)
    agreements = [
        Agreement(
            listing[place].column.name,
            details[number].column.name,
            counts[place, number].same / counts[place, number].pairs,
            counts[place, number].pairs,
        )
        for number, place in sorted(of_listing.items(), key=lambda each: (each[1], each[0]))
    ]
    limits = ("linking.columns",) if len(lefts) < len(listing) or len(rights) < len(details) else ()
    return Agreed(same, of_listing, agreements, limits)


def is_agreed(one: Column, other: Column, found: Counted) -> bool:
    """Whether two columns are the same: they have the same on most pairs, which is no accident."""
    share = found.same / found.pairs
    least = LEAST_SHARE
    if one.role and other.role and one.role != other.role:
        # A price and an old price are often the same. But what rests on the type alone may be called wrongly.
        least = 1.0 if min(rank_of(one.why), rank_of(other.why)) >= SURE else ALMOST_ALL
    if share < least:
        return False
    return names_alike(one, other) or share - found.by_chance >= BEYOND_CHANCE


def names_alike(one: Column, other: Column) -> bool:
    """Whether two columns are called the same, or have the same role."""
    return fold(one.name) == fold(other.name) or (one.role != "" and one.role == other.role)


def rank_of(why: Mapping[str, str]) -> int:
    """How good a name is, by what it rests on."""
    return max((RANKS.get(reason, 3) for reason in why), default=0)


def is_better(other: Column, one: Column) -> bool:
    """Whether the name of the other column is better than that of the one.

    >>> from fastwrap.columns.table import Column
    >>> plain = Column("text 3", "text", "", False, {"type": "text"})
    >>> label = Column("Publisher", "text", "", False, {"label": "Publisher:"})
    >>> is_better(label, plain), is_better(plain, label)
    (True, False)
    """
    role = other.role or role_of_words(other.name)
    if one.role and one.role == role:
        return False
    return rank_of(other.why) > rank_of(one.why)
