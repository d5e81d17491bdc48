"""Ratings and answers of a column: "4.5 out of 5", "4,5/5", stars; yes and no, in stock and sold out.
A rating is read only if its scale is the same in all records, and it does not merely count them."""

from __future__ import annotations

from collections.abc import Mapping

from fastwrap._core.types import strings as kernel
from fastwrap.types.locales import ANSWERS
from fastwrap.types.numbers import RATING_WORDS, STAR_WORDS
from fastwrap.types.reading import MISS_OF_WORDS, Expression, Reading, Strings, Value, has_digit

_RATING = Expression(
    r"([^0-9]{0,40})([0-9]{1,3}(?:[.,][0-9]{1,2})?)"
    r" ?(/|out of|of|von|sur|de un máximo de|de|su|van een maximum van|van de|van|z|na|av|ud af|af|из|sobre) ?"
    r"([0-9]{1,3})(?:[.,]0{1,2})?([^0-9]{0,40})"
)
_SCALES = frozenset("3 4 5 6 7 10 20 100".split())
_WORD = Expression(r"[^\W\d_]+")

FULL_STARS, HALF_STARS, EMPTY_STARS = "★⭐🌟✭✮✯", "⯨⯪½✬", "☆✩✰"
_STARS = Expression(rf"([{FULL_STARS}️ ]*)([{HALF_STARS}]?)([{EMPTY_STARS} ]*)")


def read_ratings(strings: Strings) -> Reading | None:
    """Read a column as ratings on one scale.

    >>> read_ratings(Strings(["4,5 von 5 Sternen", "3 von 5 Sternen"])).values["4,5 von 5 Sternen"]
    4.5
    """
    values: dict[str, Value] = {}
    scales = set()
    misses: float = 0
    slack = strings.slack
    sure = False
    for string, count in strings.counts.items():
        found = _RATING.fullmatch(string)
        fine = False
        if found is not None:
            before, value, link, scale, after = found.groups()
            words = {word.lower() for word in _WORD.findall(before + " " + after)}
            rated = not words.isdisjoint(RATING_WORDS) or not words.isdisjoint(STAR_WORDS)
            number = float(value.replace(",", "."))
            if scale in _SCALES and number <= int(scale) and (rated or not words):
                fine = True
                sure = sure or rated or not number.is_integer() or link == "out of"
                scales.add(scale)
                values[string] = number
        if not fine:
            misses += count if has_digit(string) else MISS_OF_WORDS * count
            if misses > slack:
                return None
    if len(scales) != 1:
        return None
    scale = scales.pop()
    if not sure and (scale not in ("5", "10", "100") or _counts_up(values)):
        return None
    return Reading("rating", values, f"out of {scale}", scale)


def _counts_up(values: dict[str, Value]) -> bool:
    """Whether the values are 1, 2, 3: pages or steps."""
    return list(values.values()) == [float(number) for number in range(1, len(values) + 1)]


def read_stars(strings: Strings) -> Reading | None:
    """Read a column of stars.

    >>> read_stars(Strings(["★★★★☆", "★★★½"])).values
    {'★★★★☆': 4.0, '★★★½': 3.5}
    """
    values: dict[str, Value] = {}
    misses = 0
    slack = strings.slack
    for string, count in strings.counts.items():
        found = _STARS.fullmatch(string)
        number = 0.0
        if found is not None:
            number = sum(letter in FULL_STARS for letter in found[1]) + 0.5 * len(found[2])
        if found is None or number > 10:
            misses += count
            if misses > slack:
                return None
        else:
            values[string] = number
    if not values or list(values) == ["★"]:
        return None  # one star each is an ornament
    return Reading("rating", values, "stars")


def read_answers(strings: Strings) -> Reading | None:
    """Read a column as answers.

    >>> read_answers(Strings(["In stock", "Sold out"])).values
    {'In stock': True, 'Sold out': False}
    """
    values: Mapping[str, Value] | None = kernel.answers_of(strings.filled, ANSWERS, strings.slack)
    return None if values is None else Reading("boolean", values)
