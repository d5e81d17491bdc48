"""Aligns strings in columns, and assembles columns to an expression: parts that some strings lack are optional, those
that exclude each other are alternatives. Every expression has a description length, by which the induction chooses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import chain
from math import log2
from operator import or_
from typing import NamedTuple, TypeAlias

from fastwrap.grammar.expression import EMPTY, Expression, alternative, optional, sequence
from fastwrap.grammar.folding import Element, String, key_of

SYMBOL_BITS = 6.0
OPERATOR_BITS = 2.0
"""What a symbol and an operator cost in an expression."""

NESTING = 5
"""How deep optional parts and alternatives are nested; below that every column is optional for itself."""

CHANCE = 0.1
"""A coincidence that is less likely than this is not taken for chance."""

EXCLUSIVE_STEPS = 50
"""Steps per column to look for alternatives; if they are not enough, there are none."""


class Described(NamedTuple):
    """An expression with its description length (Rissanen 1978): the bits to write it, and those to tell its examples
    from other strings that match: which parts are there, how often, which alternative."""

    expression: Expression
    model: float
    data: float

    @property
    def bits(self) -> float:
        """What the induction keeps small."""
        return self.model + self.data


Columns: TypeAlias = list[tuple[Described, int]]
"""Parts of an expression, each with the strings that have it: bit k is set for string k."""


def choice_bits(counts: Iterable[float]) -> float:
    """Bits for a series of choices, given how often each was made.

    >>> choice_bits([4, 4]), choice_bits([8, 0])
    (8.0, 0.0)
    """
    counts = [count for count in counts if count]
    total = sum(counts)
    return sum((count * log2(total / count) for count in counts), 0.0)


@dataclass(slots=True)
class Column:
    """Elements that are the same part of the expression, at most one per string."""

    key: int
    strings: int
    """Bit k is set if string k is in the column."""
    elements: Counter[Element] = field(default_factory=Counter)


def align(strings: Sequence[tuple[String, int]], most: float) -> list[Column] | None:
    """Columns in which every string is in order, by longest common subsequences, the longest string first.

    Strings come with how often they occur. None if there would be more than `most` columns.

    >>> columns = align([((1, 2, 3), 1), ((1, 3, 4), 1)], most=9)
    >>> [(column.key, bin(column.strings)) for column in columns]
    [(1, '0b11'), (2, '0b1'), (3, '0b11'), (4, '0b10')]
    """
    columns: list[Column] = []
    for number in sorted(range(len(strings)), key=lambda k: -len(strings[k][0])):
        string, weight = strings[number]
        bit = 1 << number
        merged: list[Column] = []
        done = taken = 0
        pairs = _common([column.key for column in columns], [key_of(element) for element in string])
        for column, index in [*pairs, (len(columns), len(string))]:
            merged += columns[done:column]
            merged += (Column(key_of(element), bit, Counter({element: weight})) for element in string[taken:index])
            if index < len(string):
                columns[column].strings |= bit
                columns[column].elements[string[index]] += weight
                merged.append(columns[column])
            done, taken = column + 1, index + 1
        columns = merged
        if len(columns) > most:
            return None
    return columns


def _common(a: list[int], b: list[int]) -> list[tuple[int, int]]:
    """Pairs of places in a longest common subsequence, bit-parallel (Hyyro 2004): a row is one long integer."""
    places: dict[int, int] = {}
    for place, key in enumerate(a):
        places[key] = places.get(key, 0) | 1 << place
    everything = (1 << len(a)) - 1
    row = everything
    rows = []
    for key in b:
        matching = row & places.get(key, 0)
        row = (row + matching | row - matching) & everything
        rows.append(row)
    pairs = []
    place, index = len(a) - 1, len(b) - 1
    while place >= 0 and index >= 0:
        if rows[index] >> place & 1:
            place -= 1
        elif index and not rows[index - 1] >> place & 1:
            index -= 1
        else:
            pairs.append((place, index))
            place, index = place - 1, index - 1
    pairs.reverse()
    return pairs


class Assembly:
    """Assembles columns to an expression that every string they were made of matches, whatever the columns are.

    >>> from fastwrap.grammar.expression import Symbol
    >>> columns = [(Described(Symbol(n), 6, 0), strings) for n, strings in [(1, 0b111), (2, 0b001), (3, 0b110)]]
    >>> str(Assembly([1, 1, 1]).assemble(columns).expression)
    '1 (2|3)'
    """

    def __init__(self, weights: Sequence[int]) -> None:
        self.all = (1 << len(weights)) - 1
        # Bit k of digit d is binary digit d of weight k, so that a set of strings is weighed by counting bits.
        self.digits = [
            sum((weight >> digit & 1) << number for number, weight in enumerate(weights))
            for digit in range(max(weights).bit_length())
        ]
        self.limits: tuple[str, ...] = ()
        """"grammar.alternatives" if looking for some would have taken too long."""

    def weight(self, strings: int) -> int:
        """How many strings there are in a set, each as often as it occurs."""
        return sum((strings & digits).bit_count() << place for place, digits in enumerate(self.digits))

    def assemble(self, columns: Columns) -> Described:
        """The expression of all columns; a string that has none of them is empty."""
        return self._part(columns, self.all, NESTING)

    def _part(self, columns: Columns, strings: int, nesting: int) -> Described:
        """The expression of columns that some of the strings may have none of."""
        if not columns:
            return Described(EMPTY, 0, 0)
        present = _union(columns)
        if present == strings:
            return self._parts(columns, strings, nesting)
        before, inside, after = self._peel(columns, strings)
        if nesting and len(inside) < len(columns):
            return _join(self._part(piece, strings, nesting - 1) for piece in (before, inside, after))
        inner = self._parts(columns, present, nesting)
        chosen = choice_bits([self.weight(present), self.weight(strings & ~present)])
        return Described(optional(inner.expression), inner.model + OPERATOR_BITS, inner.data + chosen)

    def _parts(self, columns: Columns, strings: int, nesting: int) -> Described:
        """The expression of columns of which every string has at least one."""
        if nesting == 0:
            return _join(self._part([column], strings, 1) for column in columns)
        if not any(inside == strings for _, inside in columns):
            groups = _exclusive(columns)
            if groups is None:
                self.limits = ("grammar.alternatives",)
            elif len(groups) > 1:
                before, inside, after = zip(*(self._peel(group, strings) for group in groups), strict=True)
                left, right = (self._part([*chain(*side)], strings, nesting - 1) for side in (before, after))
                return _join((left, self._alternative(inside, nesting - 1), right))
            # No part that all have, no alternatives: the most common part, and what is before and after it.
            best = max(range(len(columns)), key=lambda k: self.weight(columns[k][1]))
            end = best + 1
            while end < len(columns) and columns[end][1] == columns[best][1]:
                end += 1
            pieces = columns[:best], columns[best:end], columns[end:]
            return _join(self._part(piece, strings, nesting - 1) for piece in pieces)
        parts: list[Described] = []
        gap: Columns = []
        for column in columns:
            if column[1] == strings:
                parts += self._part(gap, strings, nesting - 1), column[0]
                gap = []
            else:
                gap.append(column)
        parts.append(self._part(gap, strings, nesting - 1))
        return _join(parts)

    def _peel(self, columns: Columns, strings: int) -> tuple[Columns, Columns, Columns]:
        """Take columns off both ends that may go with the rest by chance only.

        Only a few strings have such a column, and it is likely anyway that all of these have the rest, too.
        """
        present = _union(columns)
        if all(inside != present for _, inside in columns):
            return [], columns, []
        share = self.weight(present) / self.weight(strings)
        bound = [inside == present or share ** self.weight(inside) < CHANCE for _, inside in columns]
        first, last = bound.index(True), len(bound) - bound[::-1].index(True)
        return columns[:first], columns[first:last], columns[last:]

    def _alternative(self, groups: Iterable[Columns], nesting: int) -> Described:
        presence = [(group, _union(group)) for group in groups]
        branches = [self._parts(group, strings, nesting) for group, strings in presence]
        weights = [self.weight(strings) for _, strings in presence]
        return Described(
            alternative(*(branch.expression for branch in branches)),
            sum(branch.model for branch in branches) + OPERATOR_BITS * len(branches),
            sum(branch.data for branch in branches) + choice_bits(weights),
        )


def _join(parts: Iterable[Described]) -> Described:
    parts = list(parts)
    expression = sequence(*(part.expression for part in parts))
    return Described(expression, sum(part.model for part in parts), sum(part.data for part in parts))


def _union(columns: Columns) -> int:
    return reduce(or_, (inside for _, inside in columns), 0)


def _exclusive(columns: Columns) -> list[Columns] | None:
    """Columns in groups such that no string has columns of two groups; None if that takes too long."""
    groups: list[tuple[int, list[int]]] = []
    seen = steps = 0
    for number, (_, inside) in enumerate(columns):
        shared, seen = seen & inside, seen | inside
        group, members = inside, [number]
        at = len(groups)
        while shared:
            at -= 1
            steps += 1
            if groups[at][0] & shared:
                present, others = groups.pop(at)
                shared &= ~present
                group |= present
                members += others
        groups.append((group, members))
        if steps > EXCLUSIVE_STEPS * len(columns):
            return None
    return [[columns[number] for number in sorted(members)] for members in sorted((m for _, m in groups), key=min)]
