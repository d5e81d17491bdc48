"""Which columns of several tables are the same: by role, name, type, what their values are like, and shared values.
Odds are logarithms: what speaks for and against two columns is added up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, NamedTuple

import numpy as np

from fastwrap.columns.roles import fold, role_of_words, words_of
from fastwrap.linking.agreement import SURE, Compared, Counted, compared, counted, rank_of
from fastwrap.linking.assignment import assign
from fastwrap.linking.pairing import probability
from fastwrap.linking.sides import Cells, Side, fullest, spread
from fastwrap.linking.values import Key, Words, amount_of, words_in
from fastwrap.output.frames import require

FAMILIES = {"integer": "number", "percent": "number", "datetime": "date"}
"""By type, another that says the same of a column; others are by themselves."""

ALIKE = frozenset((frozenset(("number", "money")), frozenset(("number", "rating")), frozenset(("date", "time"))))
"""Families that one site may have where another has the other."""

PRIOR = -1.5
SAME_ROLE, OTHER_ROLE, PERHAPS_OTHER = 3.5, -3.0, -1.5
SAME_NAME, ALIKE_NAME, OTHER_NAME = 2.5, 1.5, -1.0
SAME_TYPE, TEXT_AND_OTHER, OTHER_TYPE = 0.5, -1.5, -5.0
SHARED_VALUES, SHARED_WORDS = 4.0, 2.0
SAME_RANGE, OTHER_RANGE = 1.0, -1.5
OTHER_VARIETY = -1.0
SAME_PLACE = 0.2
CONFIRMED = 4.0
"""What each of these adds to the odds that two columns are the same."""

LEAST_DISTINCT = 3
"""Different values from which on it says something that they are shared."""

LEAST_PAIRS = 4
"""Linked records from which on it says something that they agree in two columns."""

LIKE = 85
"""From which likeness on, of 100, two names are alike."""


LONGEST, MOST_COMPARED = 200, 200
"""Characters of texts, and linked records, that are compared to confirm that two columns are the same."""


class ColumnGroup(NamedTuple):
    """Columns of several tables that are the same."""

    name: str
    """That of the first of them."""
    columns: tuple[str | None, ...]
    """For each table the name of its column; None if it has none."""
    score: float
    """In [0, 1], the least of those that hold the group together."""
    why: Mapping[str, str]
    """What speaks for it."""


@dataclass(frozen=True)
class Profile:
    """What a column is like."""

    cells: Cells
    place: int
    """Which column of its table it is."""
    role: str
    words: frozenset[str]
    """Of its name; none if the name says nothing."""
    family: str
    keys: frozenset[Key]
    """Its different values."""
    vocabulary: frozenset[str]
    """The words of its texts."""
    length: float
    """The mean number of words of its texts."""
    variety: float
    """How many of its values are different, as a share."""
    span: tuple[float, float] | None
    """Of numbers: the logarithms of their first and third quartile."""
    keyed: Compared
    said: Sequence[tuple[Words, ...]]
    """For each record the words of its text, or of the texts of its list."""

    @property
    def is_id(self) -> bool:
        """Whether the values are ids: told by the role, or by long codes of which hardly one is twice."""
        if self.role == "id":
            return True
        texts = [text for text in self.cells.texts if isinstance(text, str)]
        codes = sum(len(text) >= 6 and 2 * sum(map(str.isdigit, text)) >= len(text) for text in texts)
        return self.family == "text" and self.variety > 0.9 and self.length < 1.5 and codes > 0.8 * len(texts)


def profiles_of(side: Side) -> list[Profile]:
    """What the columns of a table are like; of a very wide one those that the most records have."""
    return [profile_of(side.cells[place], place) for place in fullest(side.cells)]


def profile_of(cells: Cells, place: int) -> Profile:
    """What a column is like."""
    column = cells.column
    keyed = compared(cells)
    said = [tuple(map(words_in, texts_in(cell))) for cell in cells.texts]
    keys = [key for key in keyed.values if key is not None]
    texts = [each.words for one in said for each in one]
    amounts = [amount for value in cells.values if (amount := amount_of(value)) is not None and amount > 0]
    low, high = np.quantile(amounts, (0.25, 0.75)).tolist() if amounts else (0.0, 0.0)
    rests_on_type = set(column.why) <= {"type"}
    return Profile(
        cells,
        place,
        column.role or ("" if rests_on_type else role_of_words(column.name)),
        frozenset() if rests_on_type else frozenset(words_of(column.name)),
        FAMILIES.get(column.type, column.type) + (" list" if column.columns else ""),
        frozenset(keys),
        frozenset().union(*texts),
        sum(map(len, texts)) / len(texts) if texts else 0.0,
        len(set(keys)) / len(keys) if keys else 0.0,
        (log(low), log(high)) if amounts else None,
        keyed,
        said,
    )


def texts_in(cell: Any) -> list[str]:
    """The strings of a cell."""
    return [cell] if isinstance(cell, str) else [each for each in cell or () if isinstance(each, str)]


def odds_of(one: Profile, other: Profile) -> tuple[float, dict[str, str]]:
    """The odds that two columns are the same, and what speaks for it."""
    why: dict[str, str] = {}
    odds = PRIOR + of_names(one, other, why)
    families = {one.family, other.family}
    if len(families) == 1:
        odds += SAME_TYPE
    elif "text" in families:
        odds += TEXT_AND_OTHER
    elif frozenset(families) not in ALIKE:
        odds += OTHER_TYPE
    if min(len(one.keys), len(other.keys)) >= LEAST_DISTINCT:
        shared = len(one.keys & other.keys) / min(len(one.keys), len(other.keys))
        # Small whole numbers, and a few words that all sites have, are shared by chance.
        odds += SHARED_VALUES * shared * min(1.0, len(one.keys & other.keys) / 10)
        if shared >= 0.1:
            why["values"] = f"{shared:.0%} are shared"
        if families == {"text"}:
            known = len(one.vocabulary & other.vocabulary) / max(1, min(len(one.vocabulary), len(other.vocabulary)))
            odds += SHARED_WORDS * known
    if one.span is not None and other.span is not None:
        apart = max(one.span[0], other.span[0]) - min(one.span[1], other.span[1])
        odds += SAME_RANGE if apart <= 0 else OTHER_RANGE * min(1.0, apart)
    elif families == {"text"} and one.length and other.length:
        ratio = max(one.length, other.length) / min(one.length, other.length)
        odds += 0.5 if ratio < 1.7 else -1.5 if ratio > 4 else 0.0
    if abs(one.variety - other.variety) > 0.6:
        odds += OTHER_VARIETY
    return odds, why


def of_names(one: Profile, other: Profile, why: dict[str, str]) -> float:
    """What the roles and names of two columns say."""
    odds = 0.0
    if one.role and other.role:
        if one.role == other.role:
            odds += SAME_ROLE
            why["role"] = one.role
        else:
            sure = all(rank_of(each.cells.column.why) >= SURE for each in (one, other))
            odds += OTHER_ROLE if sure else PERHAPS_OTHER
    if one.words and other.words:
        shared = len(one.words & other.words) / len(one.words | other.words)
        names = " ".join(sorted(one.words)), " ".join(sorted(other.words))
        if shared == 1:
            why["name"] = one.cells.column.name
            return odds + SAME_NAME
        if shared >= 0.5 or require("rapidfuzz.fuzz", "match").ratio(*names) >= LIKE:
            why["name"] = f"{one.cells.column.name!r} is like {other.cells.column.name!r}"
            return odds + ALIKE_NAME
        if not why:
            odds += OTHER_NAME
    return odds


def align(one: Sequence[Profile], other: Sequence[Profile], pairs: Sequence[tuple[int, int]] = ()) -> Aligned:
    """The columns of two tables that are the same; records that are linked say more of it."""
    odds: dict[tuple[int, int], float] = {}
    whys: dict[tuple[int, int], dict[str, str]] = {}
    pairs = spread(pairs, MOST_COMPARED)
    lefts = [compared(each.cells.at(pair[0] for pair in pairs)) for each in one] if pairs else []
    rights = [compared(each.cells.at(pair[1] for pair in pairs)) for each in other] if pairs else []
    for left, first in enumerate(one):
        for right, second in enumerate(other):
            total, why = odds_of(first, second)
            total += SAME_PLACE * (1 - abs(left / len(one) - right / len(other)))
            if pairs and total > OTHER_TYPE + PRIOR:
                found = counted(lefts[left], rights[right])
                if first.family == second.family == "text":
                    found = max(found, likely(lefts[left], rights[right]), key=lambda each: each.same)
                if found.pairs >= LEAST_PAIRS and found.same / found.pairs - found.by_chance > 0.5:
                    total += CONFIRMED
                    why["links"] = f"{found.same} of {found.pairs} linked records agree"
            if total > 0:
                odds[left, right], whys[left, right] = total, why
    chosen, _ = assign(odds)
    return {pair: (probability(odds[pair]), whys[pair]) for pair in chosen}


def likely(one: Compared, other: Compared) -> Counted:
    """How often the texts of two columns, which are in step, are alike; by chance is how often each is like the text of
    the next record."""
    fuzz = require("rapidfuzz.fuzz", "match")
    texts = [
        (fold(left[:LONGEST]), fold(right[:LONGEST]))
        for left, right in zip(one.raw, other.raw, strict=True)
        if isinstance(left, str) and isinstance(right, str)
    ]
    if len(texts) < LEAST_PAIRS:
        return Counted(len(texts), 0, 1.0)
    same = sum(fuzz.token_set_ratio(*pair) >= LIKE for pair in texts)
    after = [*texts[1:], texts[0]]
    chance = sum(fuzz.token_set_ratio(pair[0], other[1]) >= LIKE for pair, other in zip(texts, after, strict=True))
    return Counted(len(texts), same, chance / len(texts))


Aligned = dict[tuple[int, int], tuple[float, dict[str, str]]]
"""By the numbers of two profiles whose columns are the same: the score, and what speaks for it."""


def grouped(
    sides: Sequence[Side], aligned: Mapping[tuple[int, int], Aligned]
) -> list[tuple[list[int | None], ColumnGroup]]:
    """The columns of all tables in groups of those that are the same, of each table at most one: the surest pairs come
    together first. With each group, for each table the place of its column."""
    pairs = [
        (score, (one, left), (other, right), why)
        for (one, other), found in aligned.items()
        for (left, right), (score, why) in found.items()
    ]
    members: dict[tuple[int, int], dict[int, int]] = {}
    scores: dict[tuple[int, int], float] = {}
    whys: dict[tuple[int, int], dict[str, str]] = {}
    for score, left, right, why in sorted(pairs, key=lambda pair: (-pair[0], pair[1:3])):
        ours, theirs = members.get(left, dict([left])), members.get(right, dict([right]))
        if ours is theirs:
            continue
        if not ours.keys().isdisjoint(theirs):
            continue
        both = dict(sorted((ours | theirs).items()))
        reason, least = (
            {**whys.get(left, {}), **whys.get(right, {}), **why},
            min(score, scores.get(left, 1.0), scores.get(right, 1.0)),
        )
        for each in both.items():
            members[each], scores[each], whys[each] = both, least, reason
    found = []
    for start, both in members.items():
        if min(both.items()) != start:
            continue
        places = [both.get(number) for number in range(len(sides))]
        names = tuple(
            None if place is None else side.columns[place].name for side, place in zip(sides, places, strict=True)
        )
        name = next(name for name in names if name is not None)
        found.append((places, ColumnGroup(name, names, scores[start], whys[start])))
    found.sort(key=lambda each: [len(sides[0].columns) if place is None else place for place in each[0]])
    return found
