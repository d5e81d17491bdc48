"""What stands around a number, and what that makes of it: a bare number, a percentage, an amount of money.
Or nothing of the kind: in "iPhone 5", "3 days ago" and "12A" it is not the number alone that is meant."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from fastwrap.types.expressions import Expression
from fastwrap.types.words import AMBIGUOUS_CURRENCIES, AMBIGUOUS_SPELLINGS, CURRENCIES, MONTHS, WEEKDAYS

_SIGNS = {"-": -1, "−": -1, "–": -1, "+": 1}
_SPACED_SIGNS = frozenset("-−–")
_DECORATION = " \t•·*|>»<«()[]{}（）【】:：;,，、.。–—-"
_APPROXIMATE = Expression(r"[<>~≈±≤≥+½¼¾⅓⅔]")
_DASH = Expression(r"(?:^|\s)[-–—−]\s\D{0,4}$")
_CASH = Expression(r"[.,:][-–—]{1,2}|/-")

# A unit that may be written without a space. Other letters at a number make it an identifier, such as 12A.
UNITS = frozenset(
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


_CURRENCY_AFTER = Expression(lambda: rf"\s?({_currency_pattern()})")
_CURRENCY_BEFORE = Expression(lambda: rf"(?:|.*?[\s(:\[])([-−–+]?)({_currency_pattern()})[\s:]*")
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
    >>> read_affixes("- ", "%").sign, read_affixes("− ", "").sign
    (-1, -1)
    >>> read_affixes("", " reviews").words
    ('', 'reviews')
    >>> read_affixes("iPhone ", "") is None
    True
    """
    if _APPROXIMATE.search(before.removesuffix("+")) or _APPROXIMATE.search(after):
        return None
    before, after = (_EURO.sub(lambda match: match[0].upper()[:3], part) for part in (before, after))
    doubtful = ("(" in before and ")" in after) or _DASH.search(before) is not None
    sign, kind, factor = 1, "plain", 1
    currency = None
    if before and before[-1] in _SIGNS:
        if len(before) > 1 and (before[-2].isalnum() or before[-2] == "."):
            return None
        sign, before = _SIGNS[before[-1]], before[:-1]
    if (match := _CURRENCY_BEFORE.fullmatch(before)) is not None:
        kind, currency = "money", match[2]
        sign *= _SIGNS.get(match[1], 1)
        before = before[: match.start(1)]
    elif before.endswith("%"):
        kind, before = "percent", before[:-1]
    if kind == "plain" and after[:1] in _THOUSANDS and not after[1:2].isalpha():
        factor, after = _THOUSANDS[after[0]], after[1:]
    if (match := _CASH.match(after)) is not None:
        kind, after = "money", after[match.end() :]
    if (match := _CURRENCY_AFTER.match(after)) is not None:
        if currency is None or match[1] in CURRENCIES:
            kind, currency = "money", match[1]
        after = after[match.end() :]
        if (match := _CASH.match(after)) is not None:
            after = after[match.end() :]
    elif after.lstrip().startswith("%"):
        kind, after = "percent", after.lstrip()[1:]
    if (dash := before.strip()) in _SPACED_SIGNS and (kind == "percent" or dash == "−"):
        # "- 43%"; with other numbers, a dash may also be what stands between them and another text
        sign, before, doubtful = -sign, "", False
    if after and after[0] not in _DECORATION and after[0] != "/":
        unit = after.split(maxsplit=1)[0].rstrip(_DECORATION).lower()
        # Where letters have no case, words need no space.
        attached = unit in UNITS or (after[0].isalpha() and after[0].lower() == after[0].upper())
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
    longest = max(len(one), len(other))
    shared = max(3, (longest + 1) // 2, longest - 3)
    return one[:shared] == other[:shared]
