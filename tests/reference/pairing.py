"""The referee's rule, word for word: every found record against every true one, best pairs first.
Bags are sorted lists here, and what two of them share is counted by walking both."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def shared(one: Sequence[str], other: Sequence[str]) -> int:
    """How many members two bags have in common."""
    left, right = sorted(one), sorted(other)
    count = 0
    while left and right:
        if left[-1] == right[-1]:
            count += 1
            left.pop()
            right.pop()
        elif left[-1] > right[-1]:
            left.pop()
        else:
            right.pop()
    return count


def dice(one: Sequence[str], other: Sequence[str]) -> Fraction:
    """The Dice coefficient, exactly; two empty bags are equal."""
    total = len(one) + len(other)
    return Fraction(2 * shared(one, other), total) if total else Fraction(1)


def pair_off(found: Sequence[Sequence[str]], true: Sequence[Sequence[str]], least: Fraction) -> list[tuple[int, int]]:
    """Take the most similar pair that is left, the first of equals, until none is similar enough."""
    free_found, free_true = set(range(len(found))), set(range(len(true)))
    pairs: list[tuple[int, int]] = []
    while True:
        left = [(-dice(found[i], true[j]), i, j) for i in free_found for j in free_true]
        good = [pair for pair in left if -pair[0] >= least]
        if not good:
            return sorted(pairs)
        _, i, j = min(good)
        pairs.append((i, j))
        free_found.remove(i)
        free_true.remove(j)
