"""Values of any type in a form in which equal ones are equal, and texts as words, codes and measures.
Records of several pages and sites are compared by these."""

from __future__ import annotations

import re
from collections.abc import Hashable
from datetime import date, datetime, time
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from fastwrap.columns.roles import fold
from fastwrap.linking.addresses import is_address, plain_address
from fastwrap.types import Money

Key: TypeAlias = Hashable

LONGEST = 400
"""Characters of a text that are compared."""

MOST_WORDS = 40
"""Words of a text that are compared."""

DIGITS = 12
"""Significant digits by which two numbers are equal."""

MEASURES = {
    "mg": ("g", 0.001), "g": ("g", 1), "gr": ("g", 1), "kg": ("g", 1000), "lb": ("lb", 1), "lbs": ("lb", 1),
    "oz": ("oz", 1), "ml": ("ml", 1), "cl": ("ml", 10), "dl": ("ml", 100), "l": ("ml", 1000), "ltr": ("ml", 1000),
    "liter": ("ml", 1000), "litre": ("ml", 1000), "liters": ("ml", 1000), "litres": ("ml", 1000),
    "mm": ("mm", 1), "cm": ("mm", 10), "m": ("mm", 1000), "in": ("in", 1), "inch": ("in", 1), "zoll": ("in", 1),
    "mb": ("mb", 1), "gb": ("mb", 1000), "tb": ("mb", 1_000_000), "w": ("w", 1), "watt": ("w", 1), "kw": ("w", 1000),
    "v": ("v", 1), "volt": ("v", 1), "mah": ("mah", 1), "hz": ("hz", 1), "mp": ("mp", 1),
    "pcs": ("pcs", 1), "pack": ("pcs", 1), "stk": ("pcs", 1), "stück": ("pcs", 1), "ct": ("pcs", 1),
}  # fmt: skip
"""By what stands behind a number: the unit that it is counted in here, and how many of these it is."""

OTHER_MEASURE, SAME_MEASURE = -8.0, 0.7
"""What is added to the odds that two things are one if they have other measures, or the same."""

ORDINAL = frozenset("st nd rd th e er eme te o a".split())
"""What is written behind a number in an order: "2nd", "3e"."""

LONGEST_LETTERS = 4
"""Letters of a word that may begin a code."""

_WORD = re.compile(r"\d+(?:[.,]\d+)?(?=[^\W\d_]{0,6}\b)|\w+(?:-\w*\d\w*)*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_UNIT = re.compile(r"\s?[-]?\s?([^\W\d_]{1,6})\b")
_TRUNCATED = re.compile(r"\s*(?:…|\.\.\.)\s*$")


class Words(NamedTuple):
    """What a text says, for comparing."""

    words: frozenset[str]
    """Words and codes, folded."""
    measures: frozenset[tuple[str, float]]
    """Units, each with how many: ("ml", 1700.0)."""
    codes: frozenset[str] = frozenset()
    """What short words and the numbers behind them may be together: "hv846" of "HV 846"."""


NOTHING = Words(frozenset(), frozenset())


def words_in(text: str) -> Words:
    """The words, codes and measures of a text.

    >>> sorted(words_in("Acme KX-3000 Wasserkocher, 1,7 l").words)
    ['acme', 'kx3000', 'wasserkocher']
    >>> words_in("Kettle 1.7L").measures == words_in("kettle 1700 ml").measures
    True
    >>> words_in("Pan HV 846, 2nd ed").codes, words_in("2. ed").words == words_in("2nd ed").words
    (frozenset({'hv846'}), True)
    """
    return remembered_words(text[:LONGEST])  # no more than that is kept in memory


@lru_cache(maxsize=8_192)
def remembered_words(text: str) -> Words:
    """The same, of a text that is not too long."""
    folded = fold(text)
    words: list[str] = []
    measures: list[tuple[str, float]] = []
    codes: list[str] = []
    place = 0
    while len(words) + len(measures) < MOST_WORDS and (found := _WORD.search(folded, place)) is not None:
        place = found.end()
        word = found[0]
        if _NUMBER.fullmatch(word):
            unit = _UNIT.match(folded, place)
            if unit is not None and unit[1] in MEASURES:
                base, factor = MEASURES[unit[1]]
                measures.append((base, float(f"{float(word.replace(',', '.')) * factor:.6g}")))
                place = unit.end()
                continue
            if unit is not None and unit.start(1) == place:
                if unit[1] not in ORDINAL:
                    word += unit[1]  # "3000b": a code
                place = unit.end()
            if words and words[-1].isalpha() and len(words[-1]) <= LONGEST_LETTERS:
                codes.append(words[-1] + word)
        words.append(word.replace("-", "").replace(",", "."))
    return Words(frozenset(words), frozenset(measures), frozenset(codes))


@lru_cache(maxsize=8_192)
def is_code(word: str) -> bool:
    """Whether a word has digits: a number, or the name of a model.

    >>> is_code("kx3000"), is_code("kettle")
    (True, False)
    """
    return any(map(str.isdigit, word))


def left_of(words: frozenset[str], shared: frozenset[str]) -> frozenset[str]:
    """The words that are not shared, nor parts of a code that is.

    >>> sorted(left_of(frozenset(("hv", "846", "pan")), frozenset(("hv846",))))
    ['pan']
    """
    codes = [word for word in shared if is_code(word)]
    return frozenset(word for word in words - shared if not any(word in code for code in codes))


def of_measures(one: frozenset[tuple[str, float]], other: frozenset[tuple[str, float]]) -> float:
    """What the measures of two records say: those that both give in one unit are the same, or others.

    >>> of_measures(words_in("500 g").measures, words_in("0.5kg").measures) > 0
    True
    >>> of_measures(words_in("500 g").measures, words_in("1 kg").measures) < 0
    True
    """
    odds = 0.0
    for unit in {unit for unit, _ in one} & {unit for unit, _ in other}:
        mine, theirs = ({number for each, number in side if each == unit} for side in (one, other))
        odds += SAME_MEASURE if mine & theirs else OTHER_MEASURE
    return odds


def key_of(value: Any) -> Key | None:
    """A value such that equal ones are equal, whatever they are written as; None for nothing.

    Money counts by its amount, a time of a day by its day, a text by its words, an address without what does not
    matter in it.

    >>> key_of(Money(Decimal("12.50"), "EUR")) == key_of(12.5)
    True
    >>> key_of("  The BOOK: a Novel ") == key_of("the book - a novel")
    True
    >>> key_of("http://www.shop.example/pan/?utm_source=x#top") == key_of("https://shop.example/pan")
    True
    """
    if value is None:
        return None
    if isinstance(value, str):
        return key_of_text(value)
    if isinstance(value, bool):
        return "boolean", value
    if isinstance(value, Money):
        return number_key(value.amount)
    if isinstance(value, int | float | Decimal):
        return number_key(value)
    if isinstance(value, datetime):
        return "date", value.date().isoformat()
    if isinstance(value, date | time):
        return "date", value.isoformat()
    if isinstance(value, list):
        keys = tuple(key for each in value if (key := key_of(each)) is not None)
        return ("list", keys) if keys else None
    return None


def number_key(number: int | float | Decimal) -> Key | None:
    """A number as a key; None where it is none."""
    if number != number:
        return None
    try:
        return "number", float(f"{float(number):.{DIGITS}g}")
    except (OverflowError, ValueError):  # an integer that no float can hold
        return "number", str(number)


def key_of_text(text: str) -> Key | None:
    """A text as a key: its letters and digits without case, accents and marks; None where it has none."""
    if is_address(text):
        return "address", plain_address(text)
    folded = " ".join(re.findall(r"\w+", fold(text[:LONGEST])))
    return ("text", folded) if folded else None


def same(one: Any, other: Any) -> bool:
    """Whether two values say the same; of texts one may be cut off with an ellipsis.

    >>> same("A long title of a …", "A long title of a book"), same("12.50", 12.5), same(None, None)
    (True, False, False)
    >>> same(Money(Decimal("12.5"), "EUR"), Money(Decimal("12.5"), "USD"))
    False
    """
    if one is None or other is None:
        return False
    if isinstance(one, Money) and isinstance(other, Money) and one.currency and other.currency:
        return one.currency == other.currency and key_of(one) == key_of(other)
    if isinstance(one, str) and isinstance(other, str):
        key = key_of_text(one)
        return (key is not None and key == key_of_text(other)) or is_start(one, other) or is_start(other, one)
    key = key_of(one)
    return key is not None and key == key_of(other)


def is_start(short: str, long: str) -> bool:
    """Whether a text is the start of another, cut off with an ellipsis.

    >>> is_start("The long …", "The long story"), is_start("The long", "The long story")
    (True, False)
    """
    cut = _TRUNCATED.search(short[:LONGEST])
    if cut is None or len(short) > LONGEST:
        return False
    start = " ".join(fold(short[: cut.start()]).split())
    return len(start) >= 8 and " ".join(fold(long[:LONGEST]).split()).startswith(start)


def amount_of(value: Any) -> float | None:
    """A value as a number; None where it is none.

    >>> amount_of(Money(Decimal("12.50"), "EUR")), amount_of(3), amount_of("3"), amount_of(True)
    (12.5, 3.0, None, None)
    """
    if isinstance(value, Money):
        value = value.amount
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    try:
        return float(value)
    except OverflowError:
        return None
