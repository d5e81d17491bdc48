"""The comparison of tables as it is defined, in plain Python: every pair of records and every cell is looked at."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any


def bag(cell: Any) -> Counter[str]:
    values = cell if isinstance(cell, list) else [cell]
    return Counter(re.findall(r"\w+", " ".join(str(value) for value in values if value is not None).lower()))


def bag_of_all(record: Sequence[Any]) -> Counter[str]:
    return sum(map(bag, record), Counter())


def pair_records(found: Sequence[Sequence[Any]], true: Sequence[Sequence[Any]]) -> dict[int, int]:
    """By true record, the found one: always the best pair of those left, until none holds half of the true words."""
    pairs: dict[int, int] = {}
    while True:
        left = [
            (Fraction((bag_of_all(record) & bag_of_all(truth)).total(), bag_of_all(truth).total()), -abs(i - j), i, j)
            for i, record in enumerate(found)
            for j, truth in enumerate(true)
            if i not in pairs.values() and j not in pairs and bag_of_all(truth)
        ]
        if not left or max(left)[0] < Fraction(1, 2):
            return pairs
        *_, i, j = max(left)
        pairs[j] = i


def is_value(cell: Any, value: Any) -> bool:
    one, other = bag(cell), bag(value)
    total = one.total() + other.total()
    return bool(one and other) and Fraction(2 * (one & other).total(), total) >= Fraction(85, 100)


def hits(
    pairs: dict[int, int], found: Sequence[Sequence[Any]], true: Sequence[Sequence[Any]]
) -> Counter[tuple[int, int]]:
    """By column and field, how many values of the field stand in the column."""
    return Counter(
        (column, field)
        for j, i in pairs.items()
        for column, cell in enumerate(found[i])
        for field, value in enumerate(true[j])
        if is_value(cell, value)
    )
