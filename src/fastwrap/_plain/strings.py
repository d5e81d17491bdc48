"""First look at the strings of a column, for where the compiled module cannot be imported.
The same functions and results as `fastwrap._core.strings`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container
from typing import TypeVar

T = TypeVar("T")

DIGITS, ADDRESSES, STARS, MAIL, ANSWERS, PAIRS, CLOCKS, PHONES = 1, 2, 4, 8, 16, 32, 64, 128

DECIMAL_POINT, DECIMAL_COMMA, GROUP_POINT, GROUP_COMMA, GROUP_SPACE, GROUP_APOSTROPHE = 1, 2, 4, 8, 16, 32
EITHER_POINT, EITHER_COMMA, NO_NUMBER = 64, 128, 256

LONGEST_ANSWER = 40
FEWEST_OF_PHONE = 7

_GROUPS = {".": GROUP_POINT, ",": GROUP_COMMA, " ": GROUP_SPACE, "'": GROUP_APOSTROPHE, "’": GROUP_APOSTROPHE}
_DECIMALS = {".": DECIMAL_POINT, ",": DECIMAL_COMMA}
_EITHER = {".": EITHER_POINT, ",": EITHER_COMMA}

# Every part begins with what the part before it cannot contain.
_PARTS = re.compile(r"([^0-9]{0,41})([0-9]+(?:[.,'’ ][0-9]+)*)([^0-9]{0,40})")
_NO_DIGIT = re.compile(r"[^0-9]")
_HAS_DIGIT = re.compile(r"[0-9]")
_PAIR = re.compile(r"[^0-9]*[0-9]+[^0-9]+[0-9]")
_ABSOLUTE = re.compile(r"https?://[^\x00-\x20]*")
_NOT_SIMPLE = re.compile(r"[.#?;]|.*[\s\x00-\x20\\]|.*/\.|[^/?#]*:|//(?:[\x00-/?]|$)", re.DOTALL)


def glance(
    strings: list[str | None],
    longest: int,
    unknown: frozenset[str],
    answers: Container[str],
    stars: str,
    misses: float,
    miss_of_words: float,
) -> tuple[list[str | None], list[str], int]:
    """The strings cleaned, those of them that say something, and what may be read in them; see `strings.pyi`.

    >>> glance([" 12 ", None, "-"], 80, frozenset("-"), {}, "", 0.1, 0.5)
    (['12', None, '-'], ['12'], 65)
    """
    cleaned = [None if string is None else " ".join(string.split()) or None for string in strings]
    filled = [string for string in cleaned if string is not None and string not in unknown]
    slack = misses * len(filled)
    families = 0
    for string in filled[: int(slack) + 1]:
        if " " not in string and (
            ("/" in string and string[0].isalpha()) or (len(string) > 4 and string[:4].lower() in ("http", "www."))
        ):
            families |= ADDRESSES
        if len(string) <= longest:
            if string[0] in stars:
                families |= STARS
            if "@" in string:
                families |= MAIL
        has_digit = len(string) <= longest and _HAS_DIGIT.search(string)
        if not has_digit and len(string) <= LONGEST_ANSWER and string.lower().rstrip(".! ") in answers:
            families |= ANSWERS
    missed: float = 0
    for string in filled:
        if len(string) > longest:
            missed += 1
        elif _HAS_DIGIT.search(string) is None:
            missed += miss_of_words
    if filled and missed <= slack:
        families |= DIGITS
        short = [string for string in filled if len(string) <= longest]
        least = [1 if _HAS_DIGIT.search(string) else miss_of_words for string in short]
        for family, pattern in ((PAIRS, _PAIR), (CLOCKS, _HAS_DIGIT)):
            if sum(miss for string, miss in zip(short, least, strict=True) if not pattern.match(string)) <= slack:
                families |= family
        if sum(len(_HAS_DIGIT.findall(string)) < FEWEST_OF_PHONE for string in short) <= slack:
            families |= PHONES
    return cleaned, filled if families else [], families


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


def count(things: list[T]) -> dict[T, int]:
    """How often each thing is there, in order of first appearance."""
    return dict(Counter(things))


def split_numbers(
    strings: list[str], most_missed: int
) -> tuple[list[tuple[str, str]], list[int], list[str], list[int], int, int] | None:
    """The one number of each string and what stands around it; see `strings.pyi`.

    >>> split_numbers(["$ 1.50", "1-2"], 1)
    ([('$ ', '')], [0, -1], ['1.50', ''], [1, 256], 1, 0)
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
    return list(place_of), places, numbers, shapes, all_shapes, widths


def resolve(
    strings: list[str | None], scheme: str, origin: str, directory: str, by_hand: Callable[[str], str | None]
) -> list[str | None]:
    """Addresses made absolute; see `strings.pyi`.

    >>> resolve(["a", "/b", None], "https:", "https://example.org", "https://example.org/c/", str)
    ['https://example.org/c/a', 'https://example.org/b', None]
    """
    resolved: list[str | None] = []
    for string in strings:
        if not string or string == "#" or string.startswith("javascript:"):
            resolved.append(None)
        elif not _NOT_SIMPLE.match(string):
            resolved.append((directory if string[0] != "/" else scheme if string[1:2] == "/" else origin) + string)
        elif _ABSOLUTE.fullmatch(string):
            resolved.append(string)
        else:
            resolved.append(by_hand(string))
    return resolved
