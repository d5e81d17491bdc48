"""How likely two records of two tables are the same thing: by the words of their titles and their aligned columns.
Odds are logarithms (Fellegi & Sunter 1969); how often a column agrees is learned from the links themselves."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from math import log
from typing import Any, NamedTuple

from fastwrap.columns.roles import fold
from fastwrap.linking.aligning import Profile
from fastwrap.linking.values import NOTHING, Key, Words, amount_of, is_code, left_of, of_measures
from fastwrap.output.frames import require
from fastwrap.types import Money

DOUBT = 1.5
"""What speaks against any pair: so much that of the links with a score around 0.5, half are right."""

SLOPE, MIDDLE = 12.0, 0.6
"""The odds of two titles rise by this much from nothing to everything shared, and are even in the middle."""

OF_RARITY = 0.8
"""How much of the rarity of shared words counts: words of a title are not independent."""

BACKGROUND = 20
"""Records that are added to those of the tables, for how rare a word is: small tables know little of that."""

KNOWN_WORD, UNKNOWN_WORD, ONE_SIDED = 1.5, 0.4, 0.3
"""What a word weighs that only one of two titles has: if the other table uses it elsewhere, if it never does, and how
much of what one title has more than the other counts."""

OTHER_CODE, CODE_OF_ONE = -6.0, -3.0
"""What is added to the odds for other codes (a model, an edition), and for one that only one title has though the other
table has it elsewhere."""

LEAST_PREFIX, LEAST_WORD, LEAST_LIKE = 2, 4, 83
"""Letters of an abbreviation, those of a word that may be misspelled, and from which likeness on, of 100, two words are
one."""

SAME_TEXT = 85
"""From which likeness on, of 100, two texts of a column other than the title are one, ..."""

SAME_WORDS = 0.75
"""... or from which share of their words on."""

OTHER_CODE_IN_COLUMN = -1.5
"""What it says that the texts of a column have other numbers in them, besides that they are not the same."""

OF_PHONE = 7
"""Digits at the end of a telephone number by which it is known."""

AGREEING = {
    "id": 0.6, "price": 0.35, "old price": 0.3, "unit price": 0.35, "discount": 0.2, "rating": 0.3, "reviews": 0.1,
    "availability": 0.5, "shipping": 0.3, "seller": 0.1, "views": 0.1, "votes": 0.1, "replies": 0.1, "badge": 0.2,
    "number": 0.5, "status": 0.5, "condition": 0.6, "category": 0.5, "year": 0.85,
}  # fmt: skip
"""By role, how often the same thing has the same value on two sites, before anything is known of these sites."""

AGREEING_OF_FAMILY = {"money": 0.35, "rating": 0.3, "number": 0.6, "date": 0.7, "boolean": 0.6}
AGREEING_OTHERWISE = 0.8
AS_IF = 6
"""Links that what is assumed counts as, beside those that are found."""

OF_ID = 3.0
"""What the same id adds, besides that it is rare."""

MOST_OF_VALUE, MOST_OF_COLUMNS = 4.0, 4.0
"""What one value, and all columns without ids, can add at most to the odds of two records with titles; the columns
more, if the titles are the same but not rare."""

NEAR_PRICE, FAR_PRICE = 1.25, 2.0
"""Prices within this factor speak for two records a little, those beyond that factor against them."""

NOT_COMPARED = frozenset(("url", "image"))
LONG_TEXT = 25
"""Words from which on, on average, a text describes: it is not compared as a value, and its words are no tokens."""


DIGIT = re.compile(r"\d")


class Document(NamedTuple):
    """The words of a record."""

    title: Words
    all: Words
    """With those of its other short texts: one site says in the title what another has in a column."""


class Seen(NamedTuple):
    """How two records compare in a pair of columns."""

    agrees: bool | None
    """None where one of them has nothing."""
    odds: float
    """Of a value that agrees: how rare it is. Of one that does not: what that says by itself."""


def title_of(profiles: Sequence[Profile]) -> int | None:
    """The column that says what a record is: the title, else the text that differs most between records; None if there
    is none."""
    texts = [place for place, each in enumerate(profiles) if each.family == "text" and 0 < each.length < LONG_TEXT]
    for role in ("title", "author", "company"):
        for place in texts:
            if profiles[place].role == role:
                return place
    return max(texts, key=lambda place: profiles[place].variety * min(8.0, 2 + profiles[place].length), default=None)


def documents(profiles: Sequence[Profile], count: int) -> list[Document]:
    """The words of each record."""
    title = title_of(profiles)
    short = [
        each.said
        for each in profiles
        if each.family in ("text", "text list") and each.length < LONG_TEXT and each.role != "description"
    ]
    found = []
    for record in range(count):
        parts = [words for said in short for words in said[record]]
        own = profiles[title].said[record] if title is not None else ()
        every = Words(*(frozenset().union(*kind) for kind in zip(NOTHING, *parts, strict=True)))
        found.append(Document(own[0] if own else NOTHING, every))
    return found


def tokens_of(profiles: Sequence[Profile], documents: Sequence[Document]) -> list[frozenset[Hashable]]:
    """What records are looked up by: their words and measures; where they have no words, their values."""
    if any(document.all.words for document in documents):
        return [document.all.words | document.all.measures | document.all.codes for document in documents]
    keys = [each.keyed.values for each in profiles if each.family not in NOT_COMPARED]
    return [
        frozenset((place, column[record]) for place, column in enumerate(keys) if column[record] is not None)
        for record in range(len(documents))
    ]


class TitleOdds(NamedTuple):
    """What two titles say."""

    odds: float
    room: float
    """How much more they would say if their words were rarer: so much is left for other columns to say."""


class TitleScorer:
    """Compares the titles of the records of two tables."""

    def __init__(self, left: Sequence[Document], right: Sequence[Document]) -> None:
        self.left, self.right = left, right
        counts = [Counter(word for each in side for word in each.all.words) for side in (left, right)]
        self.of_left, self.of_right = counts
        self.many = len(left) + len(right) + BACKGROUND
        self.most = max(len(left), len(right))

    def rarity(self, word: str) -> float:
        """How rare a word is in both tables."""
        return log(self.many / (self.of_left[word] + self.of_right[word]))

    def odds(self, left: int, right: int) -> TitleOdds | None:
        """The odds of two titles; None if one of the records has none."""
        one, other = self.left[left], self.right[right]
        if not one.title.words or not other.title.words:
            return None
        shared = (one.title.words & (other.all.words | other.all.codes)) | (
            other.title.words & (one.all.words | one.all.codes)
        )
        mine, theirs = (left_of(each.title.words, shared) for each in (one, other))
        common = sum(map(self.rarity, shared))
        for word, like, weight in alike(mine, theirs):
            mine, theirs = mine - {word}, theirs - {like}
            common += weight * min(self.rarity(word), self.rarity(like))
        more = sum(self.rarity(word) * (KNOWN_WORD if word in self.of_right else UNKNOWN_WORD) for word in mine)
        less = sum(self.rarity(word) * (KNOWN_WORD if word in self.of_left else UNKNOWN_WORD) for word in theirs)
        apart = min(more, less) + ONE_SIDED * abs(more - less)
        share = common / (common + apart) if common else 0.0
        of_likeness, of_rarity = SLOPE * (share - MIDDLE), OF_RARITY * common - log(self.most)
        odds = min(of_likeness, of_rarity)
        codes = [word in self.of_right for word in mine if is_code(word)]
        other_codes = [word in self.of_left for word in theirs if is_code(word)]
        if codes and other_codes:
            odds += OTHER_CODE
        elif any(codes) or any(other_codes):
            odds += CODE_OF_ONE
        odds += of_measures(one.all.measures, other.all.measures)
        return TitleOdds(odds, max(0.0, of_likeness - of_rarity))


def alike(mine: frozenset[str], theirs: frozenset[str]) -> list[tuple[str, str, float]]:
    """Words that are one, though they are not written the same: misspelled, or abbreviated.

    >>> [each[:2] for each in alike(frozenset(("kettle", "stainless")), frozenset(("ketlte", "stain", "kx3000")))]
    [('stainless', 'stain'), ('kettle', 'ketlte')]
    """
    ratio = require("rapidfuzz.fuzz", "match").ratio
    found = []
    free = {word for word in theirs if not is_code(word)}
    for word in sorted(mine, key=lambda word: (-len(word), word)):
        if is_code(word) or not free:
            continue
        weight, like = max((likeness(word, other, ratio), other) for other in free)
        if weight:
            free.discard(like)
            found.append((word, like, weight))
    return found


def likeness(one: str, other: str, ratio: Callable[[str, str], float]) -> float:
    """How much two words are one, in [0, 1]; 0 where they are two."""
    short, long = sorted((one, other), key=len)
    if len(short) >= LEAST_PREFIX and long.startswith(short):
        return 0.9
    if len(short) < LEAST_WORD:
        return 0.0
    found = ratio(one, other)
    return found / 100 if found >= LEAST_LIKE else 0.0


def same_words(one: Words, other: Words) -> bool | None:
    """Whether two short texts say the same in their words, some of them abbreviated; None if they have other codes.

    >>> from fastwrap.linking.values import words_in
    >>> one, others = words_in("42 Letter Street"), map(words_in, ("Letter St. 42", "Letter St. 7", "River Street"))
    >>> [same_words(one, other) for other in others]
    [True, None, False]
    """
    shared = (one.words & (other.words | other.codes)) | (other.words & one.codes)
    mine, theirs = left_of(one.words, shared), left_of(other.words, shared)
    if (any(map(is_code, mine)) and any(map(is_code, theirs))) or of_measures(one.measures, other.measures) < 0:
        return None
    matched = len(shared) + len(alike(mine, theirs))
    return matched >= SAME_WORDS * max(len(one.words), len(other.words), 1)


class ColumnScorer:
    """Compares the records of two tables in a pair of columns."""

    def __init__(self, left: Profile, right: Profile) -> None:
        self.left, self.right = left, right
        self.role = "id" if left.is_id or right.is_id else left.role or right.role
        self.name = left.cells.column.name
        self.fuzz = require("rapidfuzz.fuzz", "match")
        self.counts = Counter(left.keyed.values) + Counter(right.keyed.values)
        filled = [sum(key is not None for key in side.keyed.values) for side in (left, right)]
        self.filled = sum(filled) or 1
        frequent = [count / self.filled for key, count in self.counts.items() if key is not None]
        self.by_chance = min(0.9, sum(share * share for share in frequent))
        self.is_phone = "phone" in (left.family, right.family)
        self.is_text = left.family == right.family == "text" and self.role != "id"
        prior = AGREEING.get(self.role)
        self.assumed = prior if prior is not None else AGREEING_OF_FAMILY.get(left.family, AGREEING_OTHERWISE)
        self.texts = [
            [fold(text[:200]) if isinstance(text, str) else "" for text in side.cells.texts] if self.is_text else []
            for side in (left, right)
        ]

    def see(self, left: int, right: int) -> Seen:
        """How two records compare."""
        one, other = self.left.keyed.values[left], self.right.keyed.values[right]
        if one is None or other is None:
            return Seen(None, 0.0)
        values = self.left.cells.values[left], self.right.cells.values[right]
        if all(isinstance(value, Money) for value in values):
            currencies = {value.currency for value in values} - {None}
            if len(currencies) > 1:
                return Seen(None, 0.0)
        if one == other:
            return Seen(True, self.rarity(one))
        if self.is_phone:
            digits = [DIGIT.findall(str(value))[-OF_PHONE:] for value in values]
            return Seen(digits[0] == digits[1] and len(digits[0]) == OF_PHONE, self.rarity(one))
        if self.is_text and self.left.said[left] and self.right.said[right]:
            words = same_words(self.left.said[left][0], self.right.said[right][0])
            if words is None:
                return Seen(False, OTHER_CODE_IN_COLUMN)
            if words:
                return Seen(True, min(self.rarity(one), self.rarity(other)))
            texts = self.texts[0][left], self.texts[1][right]
            if max(self.fuzz.token_sort_ratio(*texts), 0.95 * self.fuzz.token_set_ratio(*texts)) >= SAME_TEXT:
                return Seen(True, min(self.rarity(one), self.rarity(other)))
        elif self.role in ("price", "unit price", "old price", "salary"):
            return Seen(False, of_prices(*map(amount_of, values)))
        return Seen(False, 0.0)

    def rarity(self, key: Key) -> float:
        """How rare a value is, in both tables."""
        return log((self.filled + 2) / max(2, self.counts[key]))

    def odds(self, seen: Seen, agreeing: float) -> float:
        """What it says that two records compare so, where the same things agree so often."""
        if seen.agrees is None:
            return 0.0
        if seen.agrees:
            return min(MOST_OF_VALUE, max(0.0, log(agreeing) + seen.odds))
        return log((1 - agreeing) / (1 - self.by_chance)) + seen.odds


def of_prices(one: float | None, other: float | None) -> float:
    """What two different prices say.

    >>> of_prices(10.0, 11.0) > 0, of_prices(10.0, 15.0), of_prices(10.0, 90.0) < 0
    (True, 0.0, True)
    """
    if one is None or other is None or min(one, other) <= 0:
        return 0.0
    ratio = max(one, other) / min(one, other)
    return 0.8 if ratio <= NEAR_PRICE else -1.5 if ratio > FAR_PRICE else 0.0


class PairScorer:
    """Compares the records of two tables: features once, odds whenever more is known of how columns agree."""

    def __init__(
        self, columns: Sequence[ColumnScorer], titles: TitleScorer, title_odds: dict[tuple[int, int], TitleOdds | None]
    ) -> None:
        self.columns = columns
        self.titles = titles
        self.title_odds = title_odds
        """By pair; kept for the next scorer of the same tables, which may have other columns."""
        self.seen: dict[tuple[int, int], list[Seen]] = {}

    def look(self, pairs: Sequence[tuple[int, int]]) -> None:
        """Compare these pairs."""
        for pair in pairs:
            if pair not in self.title_odds:
                self.title_odds[pair] = self.titles.odds(*pair)
            self.seen[pair] = [column.see(*pair) for column in self.columns]

    def agreeing(self, links: Sequence[tuple[int, int]]) -> list[float]:
        """For each pair of columns how often the records agree that are linked, or are assumed to."""
        found = []
        for place, column in enumerate(self.columns):
            seen = [self.seen[pair][place].agrees for pair in links]
            count = sum(agrees is not None for agrees in seen)
            share = (sum(map(bool, seen)) + AS_IF * column.assumed) / (count + AS_IF)
            found.append(min(0.98, max(0.02, share)))
        return found

    def odds(self, pair: tuple[int, int], agreeing: Sequence[float]) -> float:
        """The odds that two records are the same thing."""
        of_title = self.title_odds[pair]
        of_ids = speaks_for = against = 0.0
        for column, seen, often in zip(self.columns, self.seen[pair], agreeing, strict=True):
            odds = column.odds(seen, often)
            if column.role == "id":
                of_ids += odds + (OF_ID if seen.agrees else 0.0)
            elif odds > 0:
                speaks_for += odds
            else:
                against += odds
        if of_title is None:
            return speaks_for + against + of_ids - log(self.titles.most) - DOUBT
        return of_title.odds + min(MOST_OF_COLUMNS + of_title.room, speaks_for) + against + of_ids - DOUBT

    def why(self, pair: tuple[int, int], agreeing: Sequence[float]) -> dict[str, str]:
        """What speaks for a pair and against it."""
        said: dict[str, str] = {}
        if (of_title := self.title_odds[pair]) is not None:
            said["words"] = f"{of_title.odds:+.1f}"
        for column, seen, often in zip(self.columns, self.seen[pair], agreeing, strict=True):
            if seen.agrees is not None:
                said[column.name] = f"{'same' if seen.agrees else 'other'} {column.odds(seen, often):+.1f}"
        return said


def compared_columns(
    left: Sequence[Profile], right: Sequence[Profile], aligned: Mapping[tuple[int, int], Any]
) -> list[ColumnScorer]:
    """The pairs of columns in which records are compared: not titles, addresses, lists and long texts."""
    titles = title_of(left), title_of(right)
    return [
        ColumnScorer(left[one], right[other])
        for one, other in sorted(aligned)
        if one != titles[0]
        and other != titles[1]
        and left[one].family not in NOT_COMPARED
        and not left[one].family.endswith("list")
        and left[one].role != "description"
        and max(left[one].length, right[other].length) < LONG_TEXT
    ]
