"""Numbers of a column: integers, decimals, percentages and money, with constant words around them.
Decimal and group separators are decided by all strings together, so that 1.234,56 says how to read 1.234."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from functools import cache, lru_cache
from typing import NamedTuple

from fastwrap._core.types import strings
from fastwrap.types.locales import (
    AMBIGUOUS_CURRENCIES,
    AMBIGUOUS_SPELLINGS,
    CURRENCIES,
    MONTHS,
    NOTHING_KNOWN,
    THREE_DECIMALS,
    WEEKDAYS,
    Conventions,
)
from fastwrap.types.reading import MISS_OF_WORDS, Expression, Money, Reading, Strings, Value

_DIGIT = Expression(r"[0-9]")
_RANGE = Expression(r"(.{1,40}?[0-9]\S{0,4}) ?(?:[-–—~]|to|bis|à|a) ?(\S{0,6}[0-9].{0,40})")

_SIGNS = {"-": -1, "−": -1, "–": -1, "+": 1}
_DECORATION = " \t•·*|>»<«()[]{}（）【】:：;,，、.。–—-"
_APPROXIMATE = Expression(r"[<>~≈±≤≥+½¼¾⅓⅔]")
_DASH = Expression(r"(?:^|\s)[-–—−]\s\D{0,4}$")
_CASH = Expression(r"[.,:][-–—]{1,2}|/-")

# A unit that may be written without a space. Other letters at a number make it an identifier, such as 12A.
_UNITS = frozenset(
    """
    b kb kib kbyte kbytes mb mib gb gib tb tib bit kbit mbit gbit mm cm dm m km m² m2 km² m³ g kg mg t l ml cl dl kw
    kwh w v mah hz khz mhz ghz px pt in ft ft² sqft lb lbs oz mi mph km/h kmh min sec s yr yrs ° °c °f " ″ ' ′ x hp
    ps cc cv ha kcal kj cal mp fps rpm dpi k ★ ⭐
    """.split()
)
# Words that change what the number before them means, or make it part of something else.
_NO_UNITS = frozenset(
    """
    million millions mio mln milhões milhão millones millón milioni mrd bn billion billions billones bilhões
    thousand tsd tys mille mil hundred dozen lakh lakhs crore crores ago atrás atras geleden temu sedan siden sitten
    назад önce fa am pm a.m p.m uhr h hrs o'clock st nd rd th
    """.split()
)
_NO_UNITS_OF_MONEY = _NO_UNITS | frozenset("k m mm b".split())
_NO_UNITS_EAST_ASIAN = frozenset("万萬億亿兆千百月日号時时点월일시만억천백")
_RELATIVE = frozenset("vor hace há ha il y seit ago since fa".split())
_IDENTIFIERS = frozenset(
    """
    id isbn issn sku ean asin upc gtin mpn code cod código codigo ref réf reference référence referenz referência
    art artikel artikelnummer article artnr item model modell modelo part order bestellnummer nr no number serial
    vin lot patent case zip plz postcode cep tel phone fax pmid doi vol version v
    """.split()
)
STAR_WORDS = frozenset(
    "star stars stern sterne sternen étoile étoiles estrella estrellas estrela estrelas stella stelle ster sterren "
    "gwiazdka gwiazdki gwiazdek stjärna stjärnor stjerne stjerner ★ ⭐".split()
)
RATING_WORDS = frozenset(
    "rating rated score note bewertung avaliação nota valutazione waardering ocena betyg puntuación calificación "
    "évaluation valoración beoordeling".split()
)
_THOUSANDS = {"k": 1_000, "K": 1_000, "M": 1_000_000, "B": 1_000_000_000}


def _currency_pattern() -> str:
    """The signs of money; letters are one only where no other letter touches them."""
    signs = sorted({*CURRENCIES, *AMBIGUOUS_CURRENCIES, *AMBIGUOUS_SPELLINGS}, key=len, reverse=True)
    letter = r"[^\W\d_]"
    symbols = [
        (f"(?<!{letter})" if sign[0].isalpha() else "") + re.escape(sign) for sign in signs if not sign.isalpha()
    ]
    words = "|".join(sign for sign in signs if sign.isalpha())
    return "|".join([*symbols, f"(?<!{letter})(?:{words})(?!{letter})"])


# Compiled when a column first needs them: that takes longer than to read a page.
@cache
def _currency_after() -> re.Pattern[str]:
    return re.compile(rf"\s?({_currency_pattern()})")


@cache
def _currency_before() -> re.Pattern[str]:
    return re.compile(rf"(?:|.*?[\s(:\[])([-−–+]?)({_currency_pattern()})[\s:]*")


_EURO = Expression(r"\b(?:eur|usd|gbp|Eur|Usd|Gbp|EURO|Euros?)\b")


class Affixes(NamedTuple):
    """What stands around a number, and what it makes of it."""

    kind: str
    """"plain", "percent" or "money"."""
    sign: int
    currency: str | None
    words: tuple[str, str]
    """Before and after, without punctuation."""
    doubtful: bool
    """Whether it has brackets or a dash, which beside numbers without them may make it negative."""
    factor: int


@lru_cache(4096)
def read_affixes(before: str, after: str) -> Affixes | None:
    """What stands before and after a number; None when it is not the number alone that is meant.

    >>> read_affixes("Price: -$", "")
    Affixes(kind='money', sign=-1, currency='$', words=('Price:', ''), doubtful=False, factor=1)
    >>> read_affixes("", " reviews").words
    ('', 'reviews')
    >>> read_affixes("iPhone ", "") is None
    True
    """
    if _APPROXIMATE.search(before.removesuffix("+")) or _APPROXIMATE.search(after):
        return None
    before, after = (_EURO.sub(lambda found: found[0].upper()[:3], part) for part in (before, after))
    doubtful = ("(" in before and ")" in after) or _DASH.search(before) is not None
    sign, kind, factor = 1, "plain", 1
    currency = None
    if before and before[-1] in _SIGNS:
        if len(before) > 1 and (before[-2].isalnum() or before[-2] == "."):
            return None
        sign, before = _SIGNS[before[-1]], before[:-1]
    if (found := _currency_before().fullmatch(before)) is not None:
        kind, currency = "money", found[2]
        sign *= _SIGNS.get(found[1], 1)
        before = before[: found.start(1)]
    elif before.endswith("%"):
        kind, before = "percent", before[:-1]
    if kind == "plain" and after[:1] in _THOUSANDS and not after[1:2].isalpha():
        factor, after = _THOUSANDS[after[0]], after[1:]
    if (found := _CASH.match(after)) is not None:
        kind, after = "money", after[found.end() :]
    if (found := _currency_after().match(after)) is not None:
        if currency is None or found[1] in CURRENCIES:
            kind, currency = "money", found[1]
        after = after[found.end() :]
        if (found := _CASH.match(after)) is not None:
            after = after[found.end() :]
    elif after.lstrip().startswith("%"):
        kind, after = "percent", after.lstrip()[1:]
    if after and after[0] not in _DECORATION and after[0] != "/":
        unit = after.split(maxsplit=1)[0].rstrip(_DECORATION).lower()
        # Where letters have no case, words need no space.
        attached = unit in _UNITS or (after[0].isalpha() and after[0].lower() == after[0].upper())
        if unit and (kind != "plain" or factor != 1 or not attached):
            return None
    words = before.strip(_DECORATION.replace(":", "")).lstrip(": "), after.strip(_DECORATION)
    if kind == "plain":
        if not _may_surround(before, words):
            return None
    elif words[1] and words[1].lower().split()[0] in _NO_UNITS_OF_MONEY:
        return None
    if currency is not None:
        currency = AMBIGUOUS_SPELLINGS.get(currency, CURRENCIES.get(currency, currency))
    return Affixes(kind, sign, currency, words, doubtful, factor)


def _may_surround(before: str, words: tuple[str, str]) -> bool:
    """Whether a bare number between these words is a number, and not a name, a code, a day or a span of time."""
    lead, unit = (part.lower() for part in words)
    units = [word.strip(".,:") for word in unit.split()]
    if any(word in _NO_UNITS or (len(word) > 2 and (word in MONTHS or word in WEEKDAYS)) for word in units):
        return False
    if unit and (unit[0] in _NO_UNITS_EAST_ASIAN or unit[-1] in "前전"):
        return False
    if not lead or lead == "#":
        return not before[-1:].isalpha()
    leads = {word.strip(".:#()") for word in lead.split()}
    if leads & _IDENTIFIERS or leads & _RELATIVE or not leads.isdisjoint(MONTHS):
        return False
    if before[-1:].isalnum() or before.rstrip()[-1:] == "#":
        return False
    # "Depth: 2" and "in 74 shops" count; "iPhone 5" is a name
    return lead.endswith(":") or bool(units)


def alike(one: str, other: str) -> bool:
    """Whether two units are one, in the singular and the plural.

    >>> alike("review", "reviews"), alike("avaliação", "avaliações"), alike("mg", "kg")
    (True, True, False)
    """
    if one == other:
        return True
    words, others = one.lower().split(), other.lower().split()
    return len(words) == len(others) and all(map(_alike_words, words, others))


def _alike_words(one: str, other: str) -> bool:
    if one == other:
        return True
    shared = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        shared += 1
    return shared >= 3 and 2 * shared >= max(len(one), len(other)) and max(len(one), len(other)) - shared <= 3


class Separators(NamedTuple):
    """How the numbers of a column are written."""

    decimal: str | None
    group: str | None
    shown: Conventions
    """What the numbers themselves show of it."""
    fitting: int
    """The shapes that numbers written so may have (`strings.split_numbers`)."""
    why: str


class UndecidedError(Exception):
    """The numbers of a column can be read in two ways."""


_EITHER_SHAPES = strings.EITHER_POINT | strings.EITHER_COMMA
_EITHER = {".": strings.EITHER_POINT, ",": strings.EITHER_COMMA}
_DECIMAL = {".": strings.DECIMAL_POINT, ",": strings.DECIMAL_COMMA}
_GROUP = {
    ".": strings.GROUP_POINT, ",": strings.GROUP_COMMA, " ": strings.GROUP_SPACE, "'": strings.GROUP_APOSTROPHE
}  # fmt: skip


@lru_cache(1024)
def decide_separators(shapes: int, widths: int, kind: str, decimal: str | None) -> Separators | None:
    """Decide by all numbers of a column which sign is the decimal sign, and which one makes groups of digits.

    `shapes` and `widths` are those of `strings.split_numbers`, `decimal` is the page's sign. None if numbers contradict
    each other; UndecidedError if they have two readings.

    >>> _, _, _, _, shapes, widths = strings.split_numbers(["1.299", "12,50"], 0)
    >>> decide_separators(shapes, widths, "plain", None).why
    "decimal sign ',', groups by '.'"
    """
    decimals = [sign for sign, bit in _DECIMAL.items() if shapes & bit]
    groups = [sign for sign, bit in _GROUP.items() if shapes & bit]
    sure = True
    for sign, bit in _EITHER.items():
        if not shapes & bit:
            continue
        other = "," if sign == "." else "."
        if sign in groups or other in decimals:
            makes_groups: bool | None = True
        elif sign in decimals or other in groups:
            makes_groups = False
        else:
            makes_groups = _makes_groups(kind, sign, widths, decimal)
            sure = False
            if makes_groups is None:
                raise UndecidedError
        where = groups if makes_groups else decimals
        if sign not in where:
            where.append(sign)
    if len(decimals) > 1 or len(groups) > 1 or (decimals and decimals == groups):
        return None
    found, fitting, why = None, 0, []
    for sign in groups:
        found = {",": ".", ".": ","}.get(sign)
        fitting |= _GROUP[sign] | _EITHER.get(sign, 0)
        why.append(f"groups by {sign!r}")
    for sign in decimals:
        found = sign
        fitting |= _DECIMAL[sign] | _EITHER[sign]
        why.insert(0, f"decimal sign {sign!r}")
    return Separators(
        decimals[0] if decimals else None,
        groups[0] if groups else None,
        Conventions(decimal=found if sure else None),
        fitting,
        ", ".join(why),
    )


def _makes_groups(kind: str, sign: str, widths: int, decimal: str | None) -> bool | None:
    """Whether the sign in numbers like 1.234 and 12.345, and no others, makes groups; None if it is not known.

    Prices have no three decimals, and percentages no thousands. Beside 904, 1.299 has a group; beside 1385 it has not.
    """
    if kind == "percent":
        return False
    if kind == "money" or widths & ~1 == 1 << 3:
        return None if decimal == sign else True
    if decimal is not None:
        return decimal != sign
    return True if sign == "," and widths < 1 << 4 else None


_CODES = strings.CODES


def read_numbers(column: Strings, conventions: Conventions, money: bool = False) -> Reading | None:
    """Read a column as integers, numbers, percentages, money, or ratings in stars; `money` if bare numbers are prices.

    >>> filled = ["1.299 €", "12,50 €"]
    >>> read_numbers(Strings(filled, strings.split_numbers(filled, 0)), Conventions()).values["1.299 €"]
    Money(amount=Decimal('1299'), currency='EUR')
    """
    if column.split is None:
        return None
    around, places, numbers, shapes, all_shapes, widths = column.split
    chosen: Chosen | None
    misses = _misses(column, places)
    if len(around) == 1:
        plan = plan_numbers(*around[0], all_shapes, strings.relevant(widths, all_shapes), conventions, money)
        if plan is None or misses > column.slack:
            return None
        manner = plan.manner
        chosen = manner.chosen
        if not _consistent(chosen, column):
            return None
    else:
        chosen = _choose(around, strings.count(places), misses, column.slack)
        if chosen is None or not _consistent(chosen, column):
            return None
        affixes = chosen.affixes
        if len({each.doubtful for each in affixes if each is not None}) == 2:
            return Reading("text", {}, "numbers with and without brackets or dashes: some may be negative")
        misses = chosen.misses
        if None in affixes:
            places = [-1 if place < 0 or affixes[place] is None else place for place in places]
            kept = [string for string, place in zip(column.filled, places, strict=True) if place >= 0]
            all_shapes, widths = (strings.split_numbers(kept, 0) or column.split)[4:]
        manner = _manner(chosen, all_shapes, widths, conventions, money)
    if chosen.kind == "plain":
        if all_shapes & strings.NO_NUMBER:
            return None  # 1.2.3 says that 1.2 is a version
        if widths & _CODES and (codes := _read_codes(column, numbers, places, widths, all_shapes, chosen)) is not None:
            return codes
    if manner.undecided:
        example = next(number for number, shape in zip(numbers, shapes, strict=True) if shape & _EITHER_SHAPES)
        return Reading("text", {}, f"{example} may have three decimals, or thousands", wanted="decimal")
    separators = manner.separators
    if separators is None:
        return None
    if unfit := all_shapes & ~separators.fitting:
        unread = [place >= 0 and bool(shape & unfit) for place, shape in zip(places, shapes, strict=True)]
        places = [-1 if not_so else place for not_so, place in zip(unread, places, strict=True)]
        if misses + sum(unread) > column.slack:
            return None
    if manner.name == "text":
        return Reading("text", {}, "R may stand for rand, or be part of a code", wanted="currency")
    money_type = Money if manner.name == "money" else None
    values: dict[str, Value] = strings.values_of(
        column.filled, numbers, places, separators.group, separators.decimal == ",",
        manner.convert, manner.scales, money_type, manner.currencies,
    )  # fmt: skip
    if not values:
        return None
    name = manner.name
    if name == "number" and max(manner.scales) > 1:  # 1.2K is a whole number
        rounded = {string: round(value) for string, value in values.items() if isinstance(value, float)}
        if all(abs(whole - float(str(values[string]))) < 1e-6 for string, whole in rounded.items()):
            name, values = "integer", dict(rounded)
    if chosen.rated and name != "money":
        ratings = {string: float(value) for string, value in values.items() if isinstance(value, int | float)}
        if all(0 <= value <= 10 for value in ratings.values()):
            name, values = "rating", dict(ratings)
    return Reading(name, values, separators.why, chosen.unit or None, manner.shown, manner.wanted)


class Chosen(NamedTuple):
    """What the numbers of a column have around them."""

    affixes: tuple[Affixes | None, ...]
    """Of each of the surroundings; None for those that are not of the column's kind."""
    kind: str
    lead: str
    unit: str
    misses: float
    rated: bool
    """Whether words say that the numbers are ratings."""


def _chosen(affixes: tuple[Affixes | None, ...], kind: str, words: tuple[str, str], misses: float) -> Chosen | None:
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
    return Chosen(affixes, kind, lead, unit, misses, rated)


def _misses(column: Strings, places: list[int]) -> float:
    """How much is missed by the strings that have no number, or several."""
    misses: float = 0
    if -1 in places:
        for string, place in zip(column.filled, places, strict=True):
            if place < 0:
                misses += MISS_OF_WORDS if _DIGIT.search(string) is None or _is_money_range(string) else 1
    return misses


def _choose(around: list[tuple[str, str]], weights: dict[int, int], misses: float, slack: float) -> Chosen | None:
    """Which of the surroundings of numbers have the kind and the unit that most have; None if too many have not."""
    readable: list[Affixes | None] = []
    for place, pair in enumerate(around):
        affixes = read_affixes(*pair)
        readable.append(affixes)
        if affixes is None:
            misses += weights[place]
            if misses > slack:
                return None
    kinds: dict[str, int] = {}
    surroundings: dict[tuple[str, str], int] = {}
    for place, affixes in enumerate(readable):
        if affixes is not None:
            kinds[affixes.kind] = kinds.get(affixes.kind, 0) + weights[place]
            surroundings[affixes.words] = surroundings.get(affixes.words, 0) + weights[place]
    if misses > slack or not kinds:
        return None
    kind = max(kinds, key=kinds.__getitem__)
    words = max(surroundings, key=surroundings.__getitem__)
    for place, affixes in enumerate(readable):
        if affixes is not None and (affixes.kind != kind or (kind == "plain" and not _fits(affixes.words, *words))):
            readable[place] = None
            misses += weights[place]
    return None if misses > slack else _chosen(tuple(readable), kind, words, misses)


def _fits(words: tuple[str, str], lead: str, unit: str) -> bool:
    return alike(words[0], lead) and alike(words[1], unit)


def _consistent(chosen: Chosen, column: Strings) -> bool:
    """Whether the words around the numbers are a label or a unit. Words that differ from record to record are a
    sentence with a number in it; so are those of a single record."""
    affixes, kind, lead, unit = chosen[:4]
    if not lead and not unit:
        return True
    if (lead and not lead.endswith(":")) or (unit and kind != "plain"):
        different = len({each.words for each in affixes if each is not None and any(each.words)})
        if different > 1 + column.total // 10 or column.total == 1:
            return False
    if kind != "plain":
        return True
    if lead and not lead.endswith(":") and len(column.counts) < 2:
        return False  # "in the next 24 hours" says nothing of a record
    return not unit or column.total > 2 or len(column.counts) > 1 or unit.lower() in _UNITS


class Manner(NamedTuple):
    """How the numbers of a column are read."""

    chosen: Chosen
    separators: Separators | None
    """None if the numbers contradict each other."""
    undecided: bool
    """Whether they have two readings."""
    name: str
    """The type; text if the currency may be none."""
    convert: type[int | float | Decimal]
    scales: list[int]
    """What the numbers in each of the surroundings are multiplied with; 0 for those that are not read."""
    currencies: list[str | None]
    """Of each of the surroundings."""
    shown: Conventions
    wanted: str


@lru_cache(1024)
def _manner(chosen: Chosen, shapes: int, widths: int, conventions: Conventions, money: bool) -> Manner:
    kind, decimal = chosen.kind, conventions.decimal
    signs = [None if each is None else each.currency for each in chosen.affixes]
    if kind == "plain" and money:
        kind = "money"
    elif kind == "money" and decimal is None and not THREE_DECIMALS.isdisjoint(signs):
        decimal = "."
    undecided = False
    separators = None
    try:
        separators = decide_separators(shapes, widths, kind, decimal)
    except UndecidedError:
        undecided = True
    shown, wanted = NOTHING_KNOWN if separators is None else separators.shown, ""
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
        whole = separators is not None and separators.decimal is None and all(-1 <= scale <= 1 for scale in scales)
        name, convert = ("integer", int) if whole else ("number", float)
    return Manner(chosen, separators, undecided, name, convert, scales, signs, shown, wanted)


class Plan(NamedTuple):
    """What is to be done with numbers that all have the same around them."""

    fewest: int
    """How many there must be, so that nothing else has to be known of them; NEVER if more has to be."""
    name: str
    """The type."""
    convert: type[int | float | Decimal]
    scale: int
    group: str | None
    comma: bool
    """Whether the decimal sign is one."""
    money: type[Money] | None
    currency: str | None
    unit: str | None
    why: str
    shown: Conventions
    wanted: str
    manner: Manner


@lru_cache(4096)
def plan_numbers(
    before: str, after: str, shapes: int, widths: int, conventions: Conventions, money: bool
) -> Plan | None:
    """How to read a column of numbers that all have the same around them, None if they are no numbers.

    `shapes` are those of `strings.split_numbers`, `widths` as well, if they are `strings.relevant`.

    >>> plan = plan_numbers("$", "", strings.DECIMAL_POINT, 0, Conventions(currency="USD"), False)
    >>> plan.name, plan.currency, plan.why
    ('money', 'USD', "decimal sign '.'")
    """
    affixes = read_affixes(before, after)
    chosen = None if affixes is None else _chosen((affixes,), affixes.kind, affixes.words, 0)
    if chosen is None:
        return None
    manner = _manner(chosen, shapes, widths, conventions, money)
    separators = manner.separators
    decimal, group, _, fitting, why = (None, None, None, 0, "") if separators is None else separators
    simple = not shapes & ~fitting and not manner.undecided and manner.name != "text"
    simple = simple and not (chosen.rated and manner.name != "money")
    simple = simple and not (chosen.kind == "plain" and (shapes & strings.NO_NUMBER or widths & _CODES))
    return Plan(
        _fewest(chosen) if simple and separators is not None else NEVER,
        manner.name,
        manner.convert,
        manner.scales[0],
        group,
        decimal == ",",
        Money if manner.name == "money" else None,
        manner.currencies[0],
        chosen.unit or None,
        why,
        manner.shown,
        manner.wanted,
        manner,
    )


NEVER = 1 << 30


def _fewest(chosen: Chosen) -> int:
    """How many numbers there must be with the same around them, so that they are `_consistent`."""
    _, kind, lead, unit = chosen[:4]
    worded = lead and not lead.endswith(":")
    if kind != "plain":
        return 2 if worded or unit else 1
    return NEVER if worded else 1 if not unit or unit.lower() in _UNITS else 3


def _is_money_range(string: str) -> bool:
    """Whether this is two amounts, "$5 - $9"; as one value it has none."""
    halves = _RANGE.fullmatch(string)
    split = None if halves is None else strings.split_numbers(list(halves.groups()), 0)
    if split is None:
        return False
    kinds = {None if (affixes := read_affixes(*pair)) is None else affixes.kind for pair in split[0]}
    return None not in kinds and "money" in kinds


def _read_codes(
    column: Strings, numbers: list[str], places: list[int], widths: int, shapes: int, chosen: Chosen
) -> Reading | None:
    """Strings of digits that count nothing: codes, or dates without separators. None if they are numbers."""
    if widths & 1:
        kept = [number for number, place in zip(numbers, places, strict=True) if place >= 0]
        if not _count_up(kept):
            return Reading("text", {}, "numbers with leading zeros are codes")
    if shapes or widths < 1 << 8 or chosen.unit or chosen.lead:
        return None
    widest = widths.bit_length() - 1
    if widest <= 15 and widths & ~1 != 1 << widest:
        return None
    if widths & ~1 == 1 << 8 and len(column.counts) >= 3:
        days = {string: _compact_date(number) for string, number in zip(column.filled, numbers, strict=True)}
        if None not in days.values():
            return Reading("date", {string: day for string, day in days.items() if day is not None}, "YYYYMMDD")
    return Reading("text", {}, "digits of one length are codes")


def _count_up(numbers: list[str]) -> bool:
    """Whether the numbers count the records: 01, 02, 03."""
    if len(numbers) < 3 or not all(map(str.isdigit, numbers)):
        return False
    start = int(numbers[0])
    return all(int(number) == place for place, number in enumerate(numbers, start))


def _compact_date(number: str) -> date | None:
    if not "1900" <= number[:4] < "2100":
        return None
    try:
        return date(int(number[:4]), int(number[4:6]), int(number[6:]))
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
