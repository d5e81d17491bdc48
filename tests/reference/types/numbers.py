"""Twin of `fastwrap._core.types.numbers`: the same functions and results, by regular expressions."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

SplitNumbers: TypeAlias = tuple[list[tuple[str, str]], list[int], list[str], list[int], int, int, int]

DECIMAL_POINT, DECIMAL_COMMA, GROUP_POINT, GROUP_COMMA, GROUP_SPACE, GROUP_APOSTROPHE = 1, 2, 4, 8, 16, 32
EITHER_POINT, EITHER_COMMA, NO_NUMBER = 64, 128, 256

_GROUPS = {".": GROUP_POINT, ",": GROUP_COMMA, " ": GROUP_SPACE, "'": GROUP_APOSTROPHE, "’": GROUP_APOSTROPHE}
_DECIMALS = {".": DECIMAL_POINT, ",": DECIMAL_COMMA}
_EITHER = {".": EITHER_POINT, ",": EITHER_COMMA}

# Every part begins with what the part before it cannot contain.
_PARTS = re.compile(r"([^0-9]{0,41})([0-9]+(?:[.,'’ ][0-9]+)*)([^0-9]{0,40})")
_NO_DIGIT = re.compile(r"[^0-9]")


def _shape(number: str) -> int:
    separators, runs = _NO_DIGIT.findall(number), [len(run) for run in _NO_DIGIT.split(number)]
    if not separators:
        return 0
    bits = [_GROUPS[separator] for separator in separators]
    last = separators[-1]
    head = runs[0] <= 3 and number[0] != "0"
    if len(separators) == 1 and last in ".,":
        return (_EITHER if head and runs[1] == 3 else _DECIMALS)[last]
    decimals = 0
    if len(set(bits)) == 2 and last in ".," and separators.count(last) == 1:
        decimals = _DECIMALS[last]
        bits.pop()
        runs.pop()
    if len(set(bits)) != 1:
        return NO_NUMBER
    middle = set(runs[1:-1])
    in_groups = middle <= {3} or (middle <= {2} and bits[0] == GROUP_COMMA)
    return bits[0] | decimals if head and runs[-1] == 3 and in_groups else NO_NUMBER


def split_numbers(strings: list[str], most_missed: int) -> SplitNumbers | None:
    """The one number of each string and what stands around it.

    >>> split_numbers(["$ 1.50", "1-2"], 1)
    ([('$ ', '')], [0, -1], ['1.50', ''], [1, 256], 1, 0, 1)
    """
    place_of: dict[tuple[str, str], int] = {}
    places, numbers, shapes = [], [], []
    all_shapes = widths = missed = 0
    for string in strings:
        found = _PARTS.fullmatch(string)
        if found is None:
            missed += 1
            if missed > most_missed:
                return None
            places.append(-1)
            numbers.append("")
            shapes.append(NO_NUMBER)
            continue
        before, number, after = found.groups()
        if before[-1:] in _DECIMALS and not before[-2:-1].isalpha() and number.isdigit():
            before, number, shape = before[:-1], f"0{before[-1]}{number}", _DECIMALS[before[-1]]
        else:
            shape = _shape(number)
            if shape == 0:
                widths |= 1 << min(len(number), 31) | (number[0] == "0" and len(number) > 1)
        places.append(place_of.setdefault((before, after), len(place_of)))
        numbers.append(number)
        shapes.append(shape)
        all_shapes |= shape
    return list(place_of), places, numbers, shapes, all_shapes, widths, missed


class NumberStyle(NamedTuple):
    """How numbers become values."""

    group: str | None
    comma: bool
    convert: Callable[[str], Any]
    scales: list[int]
    money: Callable[[Any, str | None], Any] | None
    currencies: list[str | None]

    def values(self, numbers: list[str], places: list[int]) -> list[Any]:
        """The values of numbers.

        >>> NumberStyle(None, False, float, [-1], None, [None]).values(["1.5", ""], [0, -1])
        [-1.5, None]
        """
        return [
            None if place < 0 else self._value(number, place) for number, place in zip(numbers, places, strict=True)
        ]

    def _value(self, number: str, place: int) -> Any:
        scale = self.scales[place]
        if scale == 0:
            return None
        for group in ("'", "’") if self.group == "'" else (self.group or "",):
            number = number.replace(group, "")
        if self.comma:
            number = number.replace(",", ".")
        value = self.convert(number) if scale == 1 else scale * self.convert(number)
        return value if self.money is None else self.money(value, self.currencies[place])
