"""Which records of two tables are worth comparing: those that share rare words, codes or values.
Not all pairs: what very many records have is looked up only while the budget lasts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from math import log

BUDGET = 2_000_000
"""Times that a record is looked at for another that shares a token with it."""

LEAST_LOOKS = 50
"""Of these each record has at least so many."""

MOST = 8
"""Candidates of a record, those that share the most."""


def candidates(
    left: Sequence[frozenset[Hashable]], right: Sequence[frozenset[Hashable]]
) -> tuple[list[tuple[int, int]], tuple[str, ...]]:
    """Pairs of records whose tokens are given, and the limits that were met. Each record of either side has its best
    partners by the tokens that they share, rare ones weighing more.

    >>> left = [frozenset(("acme", "kx3000")), frozenset(("acme", "pan"))]
    >>> candidates(left, [frozenset(("kx3000", "kettle")), frozenset(("lid",))])
    ([(0, 0)], ())
    """
    where: dict[Hashable, list[int]] = defaultdict(list)
    for number, tokens in enumerate(right):
        for token in tokens:
            where[token].append(number)
    counts: dict[Hashable, int] = defaultdict(int)
    for tokens in left:
        for token in tokens:
            counts[token] += token in where
    many = len(left) + len(right)
    looks = max(LEAST_LOOKS, BUDGET // max(1, len(left)))
    is_limited = False
    best_of_right: dict[int, list[tuple[float, int]]] = defaultdict(list)
    pairs: set[tuple[int, int]] = set()
    for number, tokens in enumerate(left):
        shared = [
            (len(where[token]), token) for token in tokens if token in where
        ]
        shared.sort(key=lambda each: (each[0], str(each[1])))
        weights: dict[int, float] = defaultdict(float)
        left_looks = looks
        for count, token in shared:
            left_looks -= count
            if left_looks < 0:
                is_limited = True
                break
            rarity = log((many + 20) / (count + counts[token]))
            for other in where[token]:
                weights[other] += rarity
        best = sorted(((weight, -other) for other, weight in weights.items()), reverse=True)
        pairs.update((number, -other) for _, other in best[:MOST])
        for weight, other in best[: 4 * MOST]:
            best_of_right[-other].append((weight, -number))
    for other, found in best_of_right.items():
        found.sort(reverse=True)
        pairs.update((-number, other) for _, number in found[: MOST // 2])
    return sorted(pairs), ("linking.pairs",) if is_limited else ()
