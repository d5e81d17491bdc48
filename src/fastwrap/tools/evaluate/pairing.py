"""Which found record is which true one: bags of tokens paired off by their Dice coefficient, best pairs first.
Only pairs that share a rare token are compared, so that a list costs about its length rather than its square."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from itertools import chain

TOKEN = re.compile(r"\w+")


def tokens(text: str) -> list[str]:
    """The words and numbers of a text, in lower case.

    >>> tokens("The price: $5.00")
    ['the', 'price', '5', '00']
    """
    return TOKEN.findall(text.lower())


def distinct(bag: Iterable[str]) -> frozenset[Hashable]:
    """A bag as a set: repeated members are numbered, so that sets have in common what their bags have.

    >>> len(distinct(["a", "b", "a"]) & distinct(["a", "a", "c"]))
    2
    """
    seen: Counter[str] = Counter()
    members: list[Hashable] = []
    for member in bag:
        members.append((member, seen[member]) if member in seen else member)
        seen[member] += 1
    return frozenset(members)


class Pairing:
    """The true bags of a page, made ready to be paired with found ones.

    A pair needs a Dice coefficient of `least`: twice what the bags share, over the sum of their sizes.

    >>> Pairing([["a", "b"], ["c", "d"]], least=0.8).pair([["c", "d"], ["x"], ["a"]])
    [(0, 1)]
    """

    def __init__(self, true: Sequence[Iterable[str]], least: float) -> None:
        self.true = [distinct(bag) for bag in true]
        self.least = least
        self.holders: dict[Hashable, list[int]] = {}
        """Which true bags hold a token."""
        for number, bag in enumerate(self.true):
            for member in bag:
                self.holders.setdefault(member, []).append(number)
        self.empty = [number for number, bag in enumerate(self.true) if not bag]

    def pair(self, found: Iterable[Iterable[str]]) -> list[tuple[int, int]]:
        """Found and true bags as pairs of numbers, in order of the found ones; each is in one pair at most.

        The most similar pairs come off first, and among equals those of the first bags.
        """
        scored: list[tuple[float, int, int]] = []
        for number, members in enumerate(found):
            bag = distinct(members)
            for candidate in self.candidates(bag):
                total = len(bag) + len(self.true[candidate])
                similarity = 2 * len(bag & self.true[candidate]) / total if total else 1.0
                if similarity >= self.least:
                    scored.append((-similarity, number, candidate))
        scored.sort()
        partner: dict[int, int] = {}
        taken: set[int] = set()
        for _, number, candidate in scored:
            if number not in partner and candidate not in taken:
                partner[number] = candidate
                taken.add(candidate)
        return sorted(partner.items())

    def candidates(self, bag: frozenset[Hashable]) -> Iterable[int]:
        """The true bags that can be similar enough.

        Prefix filter (Chaudhuri, Ganti & Kaushik 2006): similar bags share so many tokens that one of them is
        among any few of this bag's, so the rarest few will do. The share that two bags must have in common is
        smallest when the other is as small as the coefficient allows.
        """
        if not bag:
            return self.empty
        shared = math.ceil(len(bag) * self.least / (2 - self.least) - 1e-9)
        rarest = sorted(bag, key=lambda member: len(self.holders.get(member, ())))
        return set(chain.from_iterable(self.holders.get(member, ()) for member in rarest[: len(bag) - shared + 1]))
