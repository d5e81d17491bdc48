"""Ratings of a column: "4.5 out of 5", "4,5/5", stars.
A rating is read only if its scale is the same in all records, and it does not merely count them."""

from __future__ import annotations

from fastwrap._core.types.strings import RATINGS, STARS, Strings
from fastwrap.types.expressions import Expression
from fastwrap.types.reading import MISS_OF_WORDS, Context, Reader, Reading, Value, read_as, read_each
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
    ratings = read_each(strings, _rating, MISS_OF_WORDS)[0]
    scales = {scale for _, scale, _ in ratings.values()}
    if len(scales) != 1:
        return None
    values: dict[str, Value] = {string: number for string, (number, _, _) in ratings.items()}
    scale = scales.pop()
    sure = any(sure for _, _, sure in ratings.values())
    count_up = list(values.values()) == [*range(1, len(values) + 1)]  # pages or steps
    if not sure and (scale not in ("5", "10", "100") or count_up):
        return None
    return read_as("rating", strings, values, f"out of {scale}", f"out of {scale}")


def _rating(string: str) -> tuple[float, str, bool] | None:
    """The rating that a string is, its scale, and whether it cannot be anything else."""
    match = _RATING.fullmatch(string)
    if match is None:
        return None
    before, value, link, scale, after = match.groups()
    words = {word.lower() for word in _WORD.findall(before + " " + after)}
    rated = not words.isdisjoint(RATING_WORDS) or not words.isdisjoint(STAR_WORDS)
    number = float(value.replace(",", "."))
    if scale not in _SCALES or number > int(scale) or (words and not rated):
        return None
    return number, scale, rated or not number.is_integer() or link == "out of"


def read_stars(strings: Strings, _: Context) -> Reading | None:
    """Read a column of stars.

    >>> from fastwrap.types.reading import look_at
    >>> read_stars(look_at(["★★★★☆", "★★★½"]), Context()).values, read_stars(look_at(["★★★★☆"]), Context()).unit
    ([4.0, 3.5], 'out of 5')
    """
    stars = read_each(strings, _stars)[0]
    if not stars or list(stars) == ["★"]:
        return None  # one star each is an ornament
    drawn = {number for _, number in stars.values()}
    has_empty = any(number > rating for rating, number in stars.values())
    unit = f"out of {drawn.pop()}" if len(drawn) == 1 and has_empty else None
    return read_as("rating", strings, {string: rating for string, (rating, _) in stars.items()}, "stars", unit)


def _stars(string: str) -> tuple[float, int] | None:
    """The rating that a string of stars is, and how many stars are drawn, full, half and empty."""
    match = _STARS.fullmatch(string)
    if match is None:
        return None
    full, half, empty = (
        sum(map(part.count, kind))
        for part, kind in zip(match.groups(), (FULL_STARS, HALF_STARS, EMPTY_STARS), strict=True)
    )
    return (full + 0.5 * half, full + half + empty) if full + half <= 10 else None


READER = Reader(("rating",), RATINGS, read_ratings)
STAR_READER = Reader(("rating",), STARS, read_stars)
