"""Ratings of a column: "4.5 out of 5", "4,5/5", stars.
A rating is read only if its scale is the same in all records, and it does not merely count them."""

from __future__ import annotations

from fastwrap._core.types import families
from fastwrap._core.types.strings import Strings
from fastwrap.types.expressions import Expression, has_digit
from fastwrap.types.reading import MISS_OF_WORDS, Context, Reader, Reading, Value, read_as
from fastwrap.types.words import EMPTY_STARS, FULL_STARS, HALF_STARS, RATING_WORDS, STAR_WORDS

_RATING = Expression(
    r"([^0-9]{0,40})([0-9]{1,3}(?:[.,][0-9]{1,2})?)"
    r" ?(/|out of|of|von|sur|de un máximo de|de|su|van een maximum van|van de|van|z|na|av|ud af|af|из|sobre) ?"
    r"([0-9]{1,3})(?:[.,]0{1,2})?([^0-9]{0,40})"
)
_SCALES = frozenset("3 4 5 6 7 10 20 100".split())
_WORD = Expression(r"[^\W\d_]+")

_STARS = Expression(rf"([{FULL_STARS}️ ]*)([{HALF_STARS}]?)([{EMPTY_STARS} ]*)")


def read_ratings(strings: Strings, _: Context) -> Reading | None:
    """Read a column as ratings on one scale.

    >>> from fastwrap.types.reading import look_at
    >>> read_ratings(look_at(["4,5 von 5 Sternen", "3 von 5 Sternen"]), Context()).values
    [4.5, 3.0]
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
    return read_as("rating", strings, values, f"out of {scale}", scale)


def _counts_up(values: dict[str, Value]) -> bool:
    """Whether the values are 1, 2, 3: pages or steps."""
    return list(values.values()) == [float(number) for number in range(1, len(values) + 1)]


def read_stars(strings: Strings, _: Context) -> Reading | None:
    """Read a column of stars.

    >>> from fastwrap.types.reading import look_at
    >>> read_stars(look_at(["★★★★☆", "★★★½"]), Context()).values
    [4.0, 3.5]
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
    return read_as("rating", strings, values, "stars")


READER = Reader(("rating",), families.RATINGS, read_ratings)
STARS = Reader(("rating",), families.STARS, read_stars)
