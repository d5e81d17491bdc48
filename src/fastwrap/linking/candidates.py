"""Which records of two tables are worth comparing: those that share rare words, codes or values, or two frequent ones.
Not all pairs: what very many records have is looked up only while the budget lasts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from itertools import combinations
from math import log
from typing import TypeAlias

BUDGET = 2_000_000
"""Times that a record is looked at for another that shares a token with it."""

LEAST_LOOKS = 50
"""Of these each record has at least so many."""

FREQUENT = 1 / 8
"""A token is frequent if looking up the records that have it takes more than this share of a record's looks."""

MOST_PAIRED = 8
"""Tokens of a record that are looked up in pairs, if one of the two is frequent: the rarest of them."""

MOST = 8
"""Candidates of a record, those that share the most."""

Token: TypeAlias = Hashable


def candidates(
    left: Sequence[frozenset[Token]], right: Sequence[frozenset[Token]]
) -> tuple[list[tuple[int, int]], tuple[str, ...]]:
    """Pairs of records whose tokens are given, and the limits that were met. Each record of either side has its best
    partners by the tokens that they share, rare ones weighing more.

    >>> left = [frozenset(("acme", "kx3000")), frozenset(("acme", "pan"))]
    >>> candidates(left, [frozenset(("kx3000", "kettle")), frozenset(("lid",))])
    ([(0, 0)], ())
    """
    looks = max(LEAST_LOOKS, BUDGET // max(1, len(left)))
    ours, theirs = counted(left), counted(right)
    shared = ours.keys() & theirs.keys()
    frequent = {token for token in shared if theirs[token] > max(LEAST_LOOKS, FREQUENT * looks)}
    is_limited = bool(frequent)
    if frequent:
        counts = {token: theirs[token] for token in shared}
        left = [with_pairs(tokens, frequent, counts) for tokens in left]
        right = [with_pairs(tokens, frequent, counts) for tokens in right]
        ours, theirs = counted(left), counted(right)
    where: dict[Token, list[int]] = defaultdict(list)
    for number, tokens in enumerate(right):
        for token in tokens:
            if token in ours:
                where[token].append(number)
    many = len(left) + len(right) + 20
    rarity = {token: log(many / (len(numbers) + ours[token])) for token, numbers in where.items()}
    best_of_right: dict[int, list[tuple[float, int]]] = defaultdict(list)
    pairs: set[tuple[int, int]] = set()
    for number, tokens in enumerate(left):
        found = sorted(((len(where[token]), str(token), token) for token in tokens if token in where), key=first_two)
        weights: dict[int, float] = defaultdict(float)
        left_looks = looks
        for count, _, token in found:
            left_looks -= count
            if left_looks < 0:
                is_limited = True
                break
            for other in where[token]:
                weights[other] += rarity[token]
        best = sorted((-weight, other) for other, weight in weights.items())
        pairs.update((number, other) for _, other in best[:MOST])
        for weight, other in best[: 4 * MOST]:
            best_of_right[other].append((weight, number))
    for other, numbers in best_of_right.items():
        pairs.update((number, other) for _, number in sorted(numbers)[: MOST // 2])
    return sorted(pairs), ("linking.pairs",) if is_limited else ()


def counted(records: Sequence[frozenset[Token]]) -> dict[Token, int]:
    """How many records have each token."""
    counts: dict[Token, int] = defaultdict(int)
    for tokens in records:
        for token in tokens:
            counts[token] += 1
    return counts


def with_pairs(tokens: frozenset[Token], frequent: set[Token], counts: dict[Token, int]) -> frozenset[Token]:
    """The tokens of a record; those that are frequent only in pairs with another."""
    known = sorted((token for token in tokens if token in counts), key=lambda token: (counts[token], str(token)))
    pairs = combinations(sorted(known[:MOST_PAIRED], key=str), 2)
    return (tokens - frequent).union(pair for pair in pairs if not frequent.isdisjoint(pair))


def first_two(each: tuple[int, str, Token]) -> tuple[int, str]:
    """What tokens are sorted by: they are of several types, which cannot be compared."""
    return each[:2]
