"""What the values of a column are like: how many records have one, their type, length and digits, and a few of them.
By these a column is recognised on other pages, and after a redesign of the site."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from math import fsum, log2, sqrt
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from fastwrap.columns import Cell, Table
from fastwrap.types import TYPES
from fastwrap.wrapper.location import MAX_COUNT

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


Count: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_COUNT)]
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
Measure: TypeAlias = Annotated[float, Meta(ge=0, le=64)]
Sample: TypeAlias = Annotated[str, Meta(max_length=LONGEST_SAMPLE)]
if TYPE_CHECKING:
    ColumnType: TypeAlias = str
else:
    ColumnType = Literal[TYPES]


class Profile(Struct, frozen=True, forbid_unknown_fields=True):
    """What the values of a column were like."""

    id: Annotated[Count, Meta(description="Stays the same when the site is learned again.")]
    filled: Annotated[Share, Meta(description="The share of records that have a value.")]
    type: ColumnType
    length: Annotated[Measure, Meta(description="Mean of log2(1 + characters).")]
    length_spread: Measure
    digits: Annotated[Measure, Meta(description="Mean share of digits.")]
    digit_spread: Measure
    samples: Annotated[tuple[Sample, ...], Meta(max_length=SAMPLES)]

    @property
    def family(self) -> str:
        """The type, without the differences that small columns often show."""
        return FAMILIES.get(self.type, self.type)

    def distance(self, other: Profile) -> float:
        """How unlike the values of two columns are: up to 1 is usual within a site.

        >>> columns = ["$5", "$12"], ["$7", "$8"], ["A long name", "Another name"]
        >>> price, other, name = (profile_of(column, "text", number) for number, column in enumerate(columns))
        >>> price.distance(other) < 1 < price.distance(name)
        True
        """
        length = abs(self.length - other.length) / (max(self.length_spread, other.length_spread) + LENGTH_SLACK)
        digits = abs(self.digits - other.digits) / (max(self.digit_spread, other.digit_spread) + DIGIT_SLACK)
        return max(length, digits)


def profiles_of(table: Table, others: Iterable[Table] = ()) -> tuple[Profile, ...]:
    """The profiles of all columns of a table, those of nested lists one by one; `others` are the same columns on
    further pages."""
    if not table.texts:
        return tuple(profile_of((), "text", number) for number in range(table.shown.width))
    rows = chain(table.texts, *(other.texts for other in others))
    columns = zip(zip(*rows, strict=True), table.typed, strict=True)
    return tuple(profile_of(column, typed.type, number) for number, (column, typed) in enumerate(columns))


def texts_of(column: Sequence[Cell]) -> list[str]:
    """The texts of the cells of a column, those of nested lists one by one."""
    cells = ([cell] if isinstance(cell, str) else cell or [] for cell in column)
    return [text for texts in cells for text in texts if text is not None]


def mean_and_spread(numbers: Sequence[float]) -> tuple[float, float]:
    """The mean and the standard deviation, as files have them.

    >>> mean_and_spread([1.0, 2.0, 6.0])
    (3.0, 2.16)
    """
    mean = fsum(numbers) / len(numbers)
    return round(mean, 3), round(sqrt(fsum((number - mean) ** 2 for number in numbers) / len(numbers)), 3)


def profile_of(column: Sequence[Cell], kind: str, number: int) -> Profile:
    """The profile of one column."""
    texts = texts_of(column)
    if not texts:
        return Profile(number, 0.0, kind, 0.0, 0.0, 0.0, 0.0, ())
    length, length_spread = mean_and_spread([log2(1 + len(text)) for text in texts])
    digits, digit_spread = mean_and_spread([sum(map(text.count, "0123456789")) / max(1, len(text)) for text in texts])
    return Profile(
        number,
        round(sum(cell is not None and cell != [] for cell in column) / len(column), 4),
        kind,
        length,
        length_spread,
        digits,
        digit_spread,
        tuple(dict.fromkeys(text[:LONGEST_SAMPLE] for text in texts))[:SAMPLES],
    )
