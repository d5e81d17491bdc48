"""Numbers of a column: integers, decimals, percentages and money, with constant words around them.
Decimal and group separators are decided by all strings together, so that 1.234,56 says how to read 1.234."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from functools import cache, lru_cache
from itertools import repeat
from typing import NamedTuple

from fastwrap import backend
from fastwrap.types.locales import (
    AMBIGUOUS_CURRENCIES,
    AMBIGUOUS_SPELLINGS,
    CURRENCIES,
    MONTHS,
    THREE_DECIMALS,
    WEEKDAYS,
    Conventions,
)
from fastwrap.types.reading import MISS_OF_WORDS, Money, Reading, Strings, Value

if backend.compiled():
    from fastwrap._core import strings
else:
    from fastwrap._plain import strings  # type: ignore[no-redef]

_DIGIT = re.compile(r"[0-9]")
_RANGE = re.compile(r"(.{1,40}?[0-9]\S{0,4}) ?(?:[-–—~]|to|bis|à|a) ?(\S{0,6}[0-9].{0,40})")

_SIGNS = {"-": -1, "−": -1, "–": -1, "+": 1}
_DECORATION = " \t•·*|>»<«()[]{}（）【】:：;,，、.。–—-"
_APPROXIMATE = re.compile(r"[<>~≈±≤≥+½¼¾⅓⅔]")
_DASH = re.compile(r"(?:^|\s)[-–—−]\s\D{0,4}$")
_CASH = re.compile(r"[.,:][-–—]{1,2}|/-")

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


_EURO = re.compile(r"\b(?:eur|usd|gbp|Eur|Usd|Gbp|EURO|Euros?)\b")


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


_NOTHING_AROUND = [("", "")]
_CODES = ~0xFE
"""Widths that codes have, but not numbers without separators: eight digits and more; and the bit of leading zeros."""


def read_numbers(column: Strings, conventions: Conventions, money: bool = False) -> Reading | None:
    """Read a column as integers, numbers, percentages, money, or ratings in stars; `money` if bare numbers are prices.

    >>> read_numbers(Strings(["1.299 €", "12,50 €"]), Conventions()).values["1.299 €"]
    Money(amount=Decimal('1299'), currency='EUR')
    """
    split = strings.split_numbers(column.filled, int(column.slack / MISS_OF_WORDS))
    if split is None:
        return None
    around, places, numbers, shapes, all_shapes, widths = split
    if around == _NOTHING_AROUND and not all_shapes and not widths & _CODES and -1 not in places and not money:
        return Reading("integer", dict(zip(numbers, map(int, numbers), strict=True)))
    chosen = _choose(column, [read_affixes(*pair) for pair in around], places)
    if chosen is None or not _consistent(chosen, column):
        return None
    if len({each.doubtful for each in chosen.affixes if each is not None}) == 2:
        return Reading("text", {}, "numbers with and without brackets or dashes: some may be negative")
    if chosen.misses:
        affixes = chosen.affixes
        places = [-1 if place < 0 or affixes[place] is None else place for place in places]
        kept = [string for string, place in zip(column.filled, places, strict=True) if place >= 0]
        all_shapes, widths = (strings.split_numbers(kept, 0) or split)[4:]
    kind, decimal = chosen.kind, conventions.decimal
    if kind == "plain":
        if all_shapes & strings.NO_NUMBER:
            return None  # 1.2.3 says that 1.2 is a version
        if (codes := _read_codes(column, numbers, places, widths, all_shapes, chosen)) is not None:
            return codes
        if money:
            kind = "money"
    elif kind == "money" and decimal is None and _has_three_decimals(chosen):
        decimal = "."
    try:
        separators = decide_separators(all_shapes, widths, kind, decimal)
    except UndecidedError:
        either = strings.EITHER_POINT | strings.EITHER_COMMA
        example = next(number for number, shape in zip(numbers, shapes, strict=True) if shape & either)
        return Reading("text", {}, f"{example} may have three decimals, or thousands", wanted="decimal")
    if separators is None:
        return None
    if unfit := all_shapes & ~separators.fitting:
        unread = [place >= 0 and bool(shape & unfit) for place, shape in zip(places, shapes, strict=True)]
        places = [-1 if not_so else place for not_so, place in zip(unread, places, strict=True)]
        if chosen.misses + sum(unread) > column.slack:
            return None
    if separators.group is not None:
        numbers = [number.replace(separators.group, "").replace("’", "") for number in numbers]
    if separators.decimal == ",":
        numbers = [number.replace(",", ".") for number in numbers]
    if kind == "money":
        return _read_money(column, numbers, places, chosen, separators, conventions)
    return _read_plain(column, numbers, places, chosen, separators)


class Chosen(NamedTuple):
    """What the numbers of a column have around them."""

    affixes: list[Affixes | None]
    """Of each of the surroundings; None for those that are not of the column's kind."""
    kind: str
    lead: str
    unit: str
    misses: float


def _choose(column: Strings, readable: list[Affixes | None], places: list[int]) -> Chosen | None:
    """Which of the surroundings of numbers have the kind and the unit that most have; None if too many have not."""
    if len(readable) == 1 and -1 not in places:
        only = readable[0]
        return None if only is None else Chosen(readable, only.kind, *only.words, 0)
    weights = strings.count(places)
    misses: float = sum(weights[place] for place, affixes in enumerate(readable) if affixes is None)
    if misses > column.slack:
        return None
    if -1 in weights:
        for string, place in zip(column.filled, places, strict=True):
            if place < 0:
                partly = _DIGIT.search(string) is None or _is_money_range(string)
                misses += MISS_OF_WORDS if partly else 1
    kinds: dict[str, int] = {}
    surroundings: dict[tuple[str, str], int] = {}
    for place, affixes in enumerate(readable):
        if affixes is not None:
            kinds[affixes.kind] = kinds.get(affixes.kind, 0) + weights[place]
            surroundings[affixes.words] = surroundings.get(affixes.words, 0) + weights[place]
    if misses > column.slack or not kinds:
        return None
    kind = max(kinds, key=kinds.__getitem__)
    lead, unit = max(surroundings, key=surroundings.__getitem__)
    chosen = list(readable)
    for place, affixes in enumerate(readable):
        if affixes is not None and (affixes.kind != kind or (kind == "plain" and not _fits(affixes.words, lead, unit))):
            chosen[place] = None
            misses += weights[place]
    return None if misses > column.slack else Chosen(chosen, kind, lead, unit, misses)


def _fits(words: tuple[str, str], lead: str, unit: str) -> bool:
    return alike(words[0], lead) and alike(words[1], unit)


def _consistent(chosen: Chosen, column: Strings) -> bool:
    """Whether the words around the numbers are a label or a unit. Words that differ from record to record are a
    sentence with a number in it; so are those of a single record."""
    affixes, kind, lead, unit, _ = chosen
    if (lead and not lead.endswith(":")) or (unit and kind != "plain"):
        different = len({each.words for each in affixes if each is not None and any(each.words)})
        if different > 1 + column.total // 10 or column.total == 1:
            return False
    if kind != "plain":
        return True
    if lead and not lead.endswith(":") and len(column.counts) < 2:
        return False  # "in the next 24 hours" says nothing of a record
    if unit and column.total < 3 and len(column.counts) < 2 and unit.lower() not in _UNITS:
        return False
    # "4K" and "10K" are names; beside "980" they are thousands
    factors = {each.factor for each in affixes if each is not None}
    return len(factors) > 1 or 1 in factors


def _read_plain(
    column: Strings, numbers: list[str], places: list[int], chosen: Chosen, separators: Separators
) -> Reading | None:
    """Integers, numbers, percentages and ratings, of numbers with a decimal point and without groups."""
    lead, unit = chosen.lead.lower(), chosen.unit.lower()
    scale = [0 if affixes is None else affixes.sign * affixes.factor for affixes in chosen.affixes]
    whole = chosen.kind == "plain" and separators.decimal is None and all(-1 <= factor <= 1 for factor in scale)
    convert = int if whole else float
    values: dict[str, Value]
    if scale == [1] and -1 not in places:
        values = dict(zip(column.filled, map(convert, numbers), strict=True))
    else:
        values = {
            string: scale[place] * convert(number)
            for string, number, place in zip(column.filled, numbers, places, strict=True)
            if place >= 0
        }
    name = "percent" if chosen.kind == "percent" else "integer" if whole else "number"
    if name == "number" and max(scale) > 1:  # 1.2K is a whole number
        rounded = {string: round(value) for string, value in values.items() if isinstance(value, float)}
        if all(abs(whole_value - float(str(values[string]))) < 1e-6 for string, whole_value in rounded.items()):
            name, values = "integer", dict(rounded)
    if chosen.kind == "plain" and (
        (unit and not STAR_WORDS.isdisjoint(unit.split()))
        or (lead and not RATING_WORDS.isdisjoint(word.strip(":") for word in lead.split()))
    ):
        ratings: dict[str, Value] = {
            string: float(value)
            for string, value in values.items()
            if isinstance(value, int | float) and 0 <= value <= 10
        }
        if len(ratings) == len(values):
            name, values = "rating", ratings
    if not values:
        return None
    return Reading(name, values, separators.why, chosen.unit or None, separators.shown)


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


def _has_three_decimals(chosen: Chosen) -> bool:
    return any(affixes is not None and affixes.currency in THREE_DECIMALS for affixes in chosen.affixes)


def _read_money(
    column: Strings,
    numbers: list[str],
    places: list[int],
    chosen: Chosen,
    separators: Separators,
    conventions: Conventions,
) -> Reading | None:
    """Amounts with their currencies: an ambiguous sign is what the column calls it elsewhere, or what the page uses."""
    written = {affixes.currency for affixes in chosen.affixes if affixes is not None}
    meant = {sign: sign for sign in written}
    for sign in written & AMBIGUOUS_CURRENCIES.keys():
        candidates = AMBIGUOUS_CURRENCIES[str(sign)]
        named = [code for code in candidates if code in written]
        if len(named) == 1:
            meant[sign] = named[0]
        elif conventions.currency in candidates:
            meant[sign] = conventions.currency
    values: dict[str, Value]
    first = chosen.affixes[0]
    if len(places) > 1 and first is not None and len(chosen.affixes) == 1 and first.sign > 0 and -1 not in places:
        pairs = zip(map(Decimal, numbers), repeat(meant[first.currency]), strict=False)
        # What a named tuple does, without its call in Python.
        values = dict(zip(column.filled, map(tuple.__new__, repeat(Money), pairs), strict=False))
    else:
        values = {}
        for string, number, place in zip(column.filled, numbers, places, strict=True):
            affixes = chosen.affixes[place]
            if place >= 0 and affixes is not None:
                values[string] = Money(affixes.sign * Decimal(number), meant[affixes.currency])
    if meant.get("R") == "R":
        return Reading("text", {}, "R may stand for rand, or be part of a code", wanted="currency")
    codes = set(meant.values()) - {None}
    undecided = not AMBIGUOUS_CURRENCIES.keys().isdisjoint(codes)
    currency = None if undecided or len(codes) > 1 else next(iter(codes), None)
    shown = Conventions(separators.shown.decimal, None, currency)
    if not values:
        return None
    return Reading("money", values, separators.why, chosen.unit or None, shown, "currency" if undecided else "")
