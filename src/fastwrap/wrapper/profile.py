"""What the values of a column are like: how many records have one, their type, length and digits, and a few of them.
By these a column is recognised on other pages, and after a redesign of the site."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2
from statistics import fmean, pstdev

from fastwrap.columns import Cell, Table

SAMPLES = 12
"""Values that are kept of each column."""

LONGEST_SAMPLE = 80

LENGTH_SLACK = 0.75
"""By how much (in powers of 2) values may be longer or shorter than those of another page, besides their spread."""

DIGIT_SLACK = 0.2
"""By how much the share of digits may differ."""

FAMILIES = {
    "integer": "number", "number": "number", "money": "number", "percent": "number", "rating": "number",
    "date": "date", "time": "date", "datetime": "date", "url": "address", "image": "address",
}  # fmt: skip
"""Types that differ only in how a page happens to write values count as one."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What the values of a column are like."""

    id: int
    """Stays the same when a wrapper is learned again with the old one as `previous`."""
    filled: float
    """The share of records that have a value."""
    type: str
    length: float = 0.0
    """The mean logarithm (base 2) of the length of values, ..."""
    length_spread: float = 0.0
    """... and its standard deviation."""
    digits: float = 0.0
    """The mean share of digits among the letters of values, ..."""
    digit_spread: float = 0.0
    """... and its standard deviation."""
    samples: tuple[str, ...] = ()

    @property
    def family(self) -> str:
        """The type, without the differences that small columns often show."""
        return FAMILIES.get(self.type, self.type)

    def distance(self, other: Profile) -> float:
        """How unlike the values of two columns are: up to 1 is usual within a site.

        >>> price, other, name = profiles_of_columns([["$5", "$12"], ["$7", "$8"], ["A long name", "Another name"]])
        >>> price.distance(other) < 1 < price.distance(name)
        True
        """
        length = abs(self.length - other.length) / (max(self.length_spread, other.length_spread) + LENGTH_SLACK)
        digits = abs(self.digits - other.digits) / (max(self.digit_spread, other.digit_spread) + DIGIT_SLACK)
        return max(length, digits)


def profiles_of(table: Table) -> tuple[Profile, ...]:
    """The profiles of all columns of a table, those of nested lists one by one."""
    if not table.texts:
        return tuple(Profile(number, 0.0, "text") for number in range(table.template.width))
    types = [typed.type for typed in table.typed]
    return tuple(
        profile_of(column, kind, number)
        for number, (column, kind) in enumerate(zip(zip(*table.texts, strict=True), types, strict=True))
    )


def profiles_of_columns(columns: Sequence[Sequence[Cell]]) -> list[Profile]:
    """The profiles of columns whose types are not known."""
    return [profile_of(column, "text", number) for number, column in enumerate(columns)]


def profile_of(column: Sequence[Cell], kind: str, number: int) -> Profile:
    """The profile of one column."""
    texts: list[str] = []
    filled = 0
    for cell in column:
        if isinstance(cell, str):
            texts.append(cell)
            filled += 1
        elif cell:
            texts += [part for part in cell if part is not None]
            filled += 1
    if not texts:
        return Profile(number, 0.0, kind)
    lengths = [log2(1 + len(text)) for text in texts]
    digits = [sum(map(text.count, "0123456789")) / max(1, len(text)) for text in texts]
    return Profile(
        number,
        round(filled / len(column), 4),
        kind,
        round(fmean(lengths), 3),
        round(pstdev(lengths), 3),
        round(fmean(digits), 3),
        round(pstdev(digits), 3),
        tuple(dict.fromkeys(text[:LONGEST_SAMPLE] for text in texts))[:SAMPLES],
    )
