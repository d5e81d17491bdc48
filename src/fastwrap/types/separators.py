"""Decimal and group separators of a column's numbers, decided by all of them together.
So 1.234,56 says how to read 1.234."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from fastwrap._core.types import numbers
from fastwrap.types.locales import NOTHING_KNOWN, Conventions


class Separators(NamedTuple):
    """How the numbers of a column are written."""

    decimal: str | None
    group: str | None
    shown: Conventions
    """What the numbers themselves show of it."""
    fitting: int
    """The shapes that numbers written so may have (`split_numbers`)."""
    why: str


UNDECIDED = Separators(None, None, NOTHING_KNOWN, 0, "the numbers can be read in two ways")
CONTRADICTORY = Separators(None, None, NOTHING_KNOWN, 0, "the numbers contradict each other")

EITHER_SHAPES = numbers.EITHER_POINT | numbers.EITHER_COMMA
_EITHER = {".": numbers.EITHER_POINT, ",": numbers.EITHER_COMMA}
_DECIMAL = {".": numbers.DECIMAL_POINT, ",": numbers.DECIMAL_COMMA}
_GROUP = {
    ".": numbers.GROUP_POINT, ",": numbers.GROUP_COMMA, " ": numbers.GROUP_SPACE, "'": numbers.GROUP_APOSTROPHE
}  # fmt: skip


@lru_cache(1024)
def decide_separators(shapes: int, widths: int, kind: str, decimal: str | None) -> Separators:
    """Decide by all numbers of a column which sign is the decimal sign, and which one makes groups of digits.

    `shapes` and `widths` are those of `split_numbers`, `decimal` is the page's sign.

    >>> *_, shapes, widths, _ = numbers.split_numbers(["1.299", "12,50"], 0)
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
                return UNDECIDED
        where = groups if makes_groups else decimals
        if sign not in where:
            where.append(sign)
    if len(decimals) > 1 or len(groups) > 1 or (decimals and decimals == groups):
        return CONTRADICTORY
    shown, fitting, why = None, 0, []
    for sign in groups:
        shown = {",": ".", ".": ","}.get(sign)
        fitting |= _GROUP[sign] | _EITHER.get(sign, 0)
        why.append(f"groups by {sign!r}")
    for sign in decimals:
        shown = sign
        fitting |= _DECIMAL[sign] | _EITHER[sign]
        why.insert(0, f"decimal sign {sign!r}")
    signs = next(iter(decimals), None), next(iter(groups), None)
    return Separators(*signs, Conventions(decimal=shown if sure else None), fitting, ", ".join(why))


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
