"""Numbers of a column: integers, decimals, percentages and money, with constant words around them.
Which of them a column has is decided by what stands around most of its numbers."""

from __future__ import annotations

from collections import Counter
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from fastwrap._core.types.numbers import NO_NUMBER, NumberStyle, split_numbers
from fastwrap._core.types.strings import DIGITS, Strings
from fastwrap.types.affixes import UNITS, Affixes, alike, read_affixes
from fastwrap.types.expressions import DIGIT, Expression
from fastwrap.types.locales import Conventions
from fastwrap.types.reading import MISS_OF_WORDS, Context, Money, Reader, Reading
from fastwrap.types.separators import CONTRADICTORY, EITHER_SHAPES, UNDECIDED, Separators, decide_separators
from fastwrap.types.words import AMBIGUOUS_CURRENCIES, RATING_WORDS, STAR_WORDS, THREE_DECIMALS

_RANGE = Expression(r"(.{1,40}?[0-9]\S{0,4}) ?(?:[-–—~]|to|bis|à|a) ?(\S{0,6}[0-9].{0,40})")

# Widths that numbers without separators do not have, but codes: eight digits and more; and the bit of leading zeros.
_CODES = ~0xFE


def read_numbers(strings: Strings, context: Context) -> Reading | None:
    """Read a column as integers, numbers, percentages, money, or ratings in stars.

    >>> from fastwrap.types.reading import look_at
    >>> read_numbers(look_at(["1.299 €", "12,50 €"]), Context()).values[0]
    Money(amount=Decimal('1299'), currency='EUR')
    """
    split = strings.numbers
    if split is None:
        return None
    around, places, numbers, shapes, all_shapes, widths, missed = split
    conventions, item = context
    prices = "price" in item
    if len(around) == 1:
        # Other widths change nothing.
        relevant = widths if widths & _CODES or all_shapes & EITHER_SHAPES else 0
        manner = manner_of_one(*around[0], all_shapes, relevant, conventions, prices)
        if manner is None:
            return None
        chosen = manner.chosen
        misses = _misses(strings, places) if missed else 0
        if misses > strings.slack or not _consistent(chosen, strings):
            return None
    else:
        choice = _choose(around, strings, places)
        if choice is None or not _consistent(choice[0], strings):
            return None
        chosen, misses = choice
        affixes = chosen.affixes
        if len({each.doubtful for each in affixes if each is not None}) == 2:
            return Reading("text", [], "numbers with and without brackets or dashes: some may be negative")
        if None in affixes:
            places = [-1 if place < 0 or affixes[place] is None else place for place in places]
            kept = [string for string, place in zip(strings.filled, places, strict=True) if place >= 0]
            all_shapes, widths, _ = (split_numbers(kept, 0) or split)[4:]
        manner = _manner(chosen, all_shapes, widths, conventions, prices)
    if chosen.kind == "plain":
        if all_shapes & NO_NUMBER:
            return None  # 1.2.3 says that 1.2 is a version
        if widths & _CODES and (codes := _read_codes(strings, numbers, places, widths, all_shapes, chosen)) is not None:
            return codes
    separators = manner.separators
    if separators is UNDECIDED:
        example = next(number for number, shape in zip(numbers, shapes, strict=True) if shape & EITHER_SHAPES)
        return Reading("text", [], f"{example} may have three decimals, or thousands", wanted="decimal")
    if separators is CONTRADICTORY:
        return None
    if unfit := all_shapes & ~separators.fitting:
        unread = [place >= 0 and bool(shape & unfit) for place, shape in zip(places, shapes, strict=True)]
        places = [-1 if not_so else place for not_so, place in zip(unread, places, strict=True)]
        if misses + sum(unread) > strings.slack:
            return None
    if manner.name == "text":
        return Reading("text", [], "R may stand for rand, or be part of a code", wanted="currency")
    name, values = _with_words(manner, manner.style.values(numbers, places))
    return Reading(name, values, separators.why, manner.unit, manner.shown, manner.wanted)


def _unit(chosen: Chosen) -> str | None:
    """What all numbers have around them, with an ellipsis for the number if there are words before it; a label
    ("Depth: 2") is none.

    >>> _unit(Chosen((), "percent", "Save", "", False)), _unit(Chosen((), "plain", "", "km", False))
    ('Save … %', 'km')
    """
    after = " ".join(filter(None, ("%" if chosen.kind == "percent" else "", chosen.unit)))
    if not chosen.lead or chosen.lead.endswith(":") or chosen.lead == "#":
        return after or None
    return f"{chosen.lead} … {after}".rstrip()


def _with_words(manner: Manner, values: list[Any]) -> tuple[str, list[Any]]:
    """The type and the values of numbers, after what the words around them say."""
    name = manner.name
    if (
        name == "number"
        and manner.scaled
        and all(value is None or abs(round(value) - value) < 1e-6 for value in values)
    ):
        name, values = "integer", [None if value is None else round(value) for value in values]  # 1.2K
    if manner.chosen.rated and name != "money" and all(value is None or 0 <= value <= 10 for value in values):
        name, values = "rating", [None if value is None else float(value) for value in values]
    return name, values


class Chosen(NamedTuple):
    """What the numbers of a column have around them."""

    affixes: tuple[Affixes | None, ...]
    """Of each of the surroundings; None for those that are not of the column's kind."""
    kind: str
    lead: str
    unit: str
    rated: bool
    """Whether words say that the numbers are ratings."""


def _chosen(affixes: tuple[Affixes | None, ...], kind: str, words: tuple[str, str]) -> Chosen | None:
    lead, unit = words
    rated = False
    if kind == "plain":
        # "4K" and "10K" are names; beside "980" they are thousands
        factors = {each.factor for each in affixes if each is not None}
        if len(factors) == 1 and 1 not in factors:
            return None
        rated = not STAR_WORDS.isdisjoint(unit.lower().split()) or not RATING_WORDS.isdisjoint(
            word.strip(":") for word in lead.lower().split()
        )
    return Chosen(affixes, kind, lead, unit, rated)


def _misses(strings: Strings, places: list[int]) -> float:
    """How much is missed by the strings that have no number, or several."""
    return sum(
        MISS_OF_WORDS if DIGIT.search(string) is None or _is_money_range(string) else 1
        for string, place in zip(strings.filled, places, strict=True)
        if place < 0
    )


def _is_money_range(string: str) -> bool:
    """Whether this is two amounts, "$5 - $9"; as one value it has none."""
    halves = _RANGE.fullmatch(string)
    split = None if halves is None else split_numbers(list(halves.groups()), 0)
    if split is None:
        return False
    kinds = {None if (affixes := read_affixes(*pair)) is None else affixes.kind for pair in split[0]}
    return None not in kinds and "money" in kinds


def _choose(around: list[tuple[str, str]], strings: Strings, places: list[int]) -> tuple[Chosen, float] | None:
    """Which of the surroundings of numbers have the kind and the unit that most have, and how much is missed by the
    others, and by the strings without a number; None if that is too much."""
    readable: list[Affixes | None] = []
    weights = Counter(places)
    misses = _misses(strings, places) if weights[-1] else 0
    kinds: dict[str, int] = {}
    surroundings: dict[tuple[str, str], int] = {}
    for place, pair in enumerate(around):
        affixes = read_affixes(*pair)
        readable.append(affixes)
        if affixes is not None:
            kinds[affixes.kind] = kinds.get(affixes.kind, 0) + weights[place]
            surroundings[affixes.words] = surroundings.get(affixes.words, 0) + weights[place]
            continue
        misses += weights[place]
        if misses > strings.slack:
            return None
    if not kinds:
        return None
    kind = max(kinds, key=kinds.__getitem__)
    words = max(surroundings, key=surroundings.__getitem__)
    for place, affixes in enumerate(readable):
        if affixes is None:
            continue
        if affixes.kind != kind or (kind == "plain" and not all(map(alike, affixes.words, words))):
            readable[place] = None
            misses += weights[place]
    chosen = None if misses > strings.slack else _chosen(tuple(readable), kind, words)
    return None if chosen is None else (chosen, misses)


def _consistent(chosen: Chosen, strings: Strings) -> bool:
    """Whether the words around the numbers are a label or a unit. Words that differ from record to record are a
    sentence with a number in it; so are those of a single record."""
    affixes, kind, lead, unit, _ = chosen
    if not lead and not unit:
        return True
    if (lead and not lead.endswith(":")) or (unit and kind != "plain"):
        different = len({each.words for each in affixes if each is not None and any(each.words)})
        if different > 1 + strings.total // 10 or strings.total == 1:
            return False
    if kind != "plain":
        return True
    all_same = strings.filled.count(strings.filled[0]) == strings.total
    if lead and not lead.endswith(":") and all_same:
        return False  # "in the next 24 hours" says nothing of a record
    return not unit or strings.total > 2 or not all_same or unit.lower() in UNITS


class Manner(NamedTuple):
    """How the numbers of a column are read."""

    chosen: Chosen
    separators: Separators
    name: str
    """The type; text if the currency may be none."""
    style: NumberStyle
    scaled: bool
    """Whether some stand for thousands or more, as 1.2K."""
    shown: Conventions
    wanted: str
    unit: str | None


@lru_cache(4096)
def manner_of_one(
    before: str, after: str, shapes: int, widths: int, conventions: Conventions, prices: bool
) -> Manner | None:
    """How to read a column of numbers that all have the same around them, None if they are no numbers.

    `shapes` and `widths` are those of `split_numbers`; `prices` if bare numbers are amounts of money.

    >>> from fastwrap._core.types.numbers import DECIMAL_POINT
    >>> manner = manner_of_one("$", "", DECIMAL_POINT, 0, Conventions(currency="USD"), False)
    >>> manner.name, manner.separators.why
    ('money', "decimal sign '.'")
    """
    affixes = read_affixes(before, after)
    chosen = None if affixes is None else _chosen((affixes,), affixes.kind, affixes.words)
    return None if chosen is None else _manner(chosen, shapes, widths, conventions, prices)


@lru_cache(1024)
def _manner(chosen: Chosen, shapes: int, widths: int, conventions: Conventions, prices: bool) -> Manner:
    kind, decimal = chosen.kind, conventions.decimal
    signs = [None if each is None else each.currency for each in chosen.affixes]
    if kind == "plain" and prices:
        kind = "money"
    elif kind == "money" and decimal is None and not THREE_DECIMALS.isdisjoint(signs):
        decimal = "."
    separators = decide_separators(shapes, widths, kind, decimal)
    shown, wanted = separators.shown, ""
    scales = [0 if each is None else each.sign * each.factor for each in chosen.affixes]
    convert: type[int | float | Decimal] = float
    name = kind
    if kind == "money":
        convert, scales = Decimal, [0 if each is None else each.sign for each in chosen.affixes]
        meant = decide_currencies({each.currency for each in chosen.affixes if each is not None}, conventions.currency)
        signs = [meant.get(sign) for sign in signs]
        codes = set(meant.values()) - {None}
        ambiguous = not AMBIGUOUS_CURRENCIES.keys().isdisjoint(codes)
        name, wanted = "text" if meant.get("R") == "R" else "money", "currency" if ambiguous else ""
        shown = Conventions(shown.decimal, None, next(iter(codes)) if len(codes) == 1 and not ambiguous else None)
    elif kind == "plain":
        whole = separators.decimal is None and all(-1 <= scale <= 1 for scale in scales)
        name, convert = ("integer", int) if whole else ("number", float)
    money = Money if name == "money" else None
    style = NumberStyle(separators.group, separators.decimal == ",", convert, scales, money, signs)
    return Manner(chosen, separators, name, style, max(scales) > 1, shown, wanted, _unit(chosen))


def _read_codes(
    strings: Strings, numbers: list[str], places: list[int], widths: int, shapes: int, chosen: Chosen
) -> Reading | None:
    """Strings of digits that count nothing: codes, or dates without separators. None if they are numbers."""
    if widths & 1:
        kept = [number for number, place in zip(numbers, places, strict=True) if place >= 0]
        if not _count_up(kept):
            return Reading("text", [], "numbers with leading zeros are codes")
    if shapes or widths < 1 << 8 or chosen.unit or chosen.lead:
        return None
    widest = widths.bit_length() - 1
    if widest <= 15 and widths & ~1 != 1 << widest:
        return None
    if widths & ~1 == 1 << 8 and len(strings.counts) >= 3:
        days = list(map(_compact_date, numbers))
        if None not in days:
            return Reading("date", days, "YYYYMMDD")
    return Reading("text", [], "digits of one length are codes")


def _count_up(numbers: list[str]) -> bool:
    """Whether the numbers count the records: 01, 02, 03."""
    if len(numbers) < 3 or not all(map(str.isdigit, numbers)):
        return False
    start = int(numbers[0])
    return all(int(number) == place for place, number in enumerate(numbers, start))


def _compact_date(number: str) -> date | None:
    try:
        return date.fromisoformat(number) if "1900" <= number[:4] < "2100" else None
    except ValueError:
        return None


def decide_currencies(written: set[str | None], currency: str | None) -> dict[str | None, str | None]:
    """Decide what signs of money mean: an ambiguous one is what the column calls it elsewhere, or what the page uses.

    >>> decide_currencies({"$"}, "CAD"), decide_currencies({"$"}, None)
    ({'$': 'CAD'}, {'$': '$'})
    """
    meant = {sign: sign for sign in written}
    for sign in written & AMBIGUOUS_CURRENCIES.keys():
        candidates = AMBIGUOUS_CURRENCIES[str(sign)]
        named = [code for code in candidates if code in written]
        if len(named) == 1:
            meant[sign] = named[0]
        elif currency in candidates:
            meant[sign] = currency
    return meant


READER = Reader(("integer", "number", "money", "percent", "rating", "date"), DIGITS, read_numbers)
