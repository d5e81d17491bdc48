"""Matches strings with an expression by simulating its automaton: no backtracking, time by length times size.
Exact: which position of the expression each element is. Tolerant: the same with the fewest elements left out."""

from __future__ import annotations

import collections.abc as abc
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

from fastwrap._core.grammar.matching import Simulation
from fastwrap.common.lazy import lazy_property
from fastwrap.errors import FastwrapError
from fastwrap.grammar.automaton import Automaton
from fastwrap.grammar.expression import Expression

SKIPPED = -1
"""In place of a position: the element is left out of the match."""

ELEMENT_COST = 3
SYMBOL_COST = 2
"""Leaving out an element of the string costs more than a symbol of the expression: elements are kept if possible."""

BUDGET = 500_000
"""Steps of a tolerant match, ..."""

EXACT_BUDGET = 500_000
"""... those that it may take before that, to find out whether the string matches exactly, ..."""

EXACT_EFFORT = 16
"""... and so many more per element: no string is too long for an expression that says clearly what comes next."""

BUDGET_MET = ("grammar.expression",)


@dataclass(frozen=True, slots=True)
class Match:
    """How a string is read by an expression."""

    positions: tuple[int, ...]
    """For each element of the string its position in the expression, or SKIPPED."""
    begun: tuple[tuple[int, ...], ...]
    """For each element the repeats that it begins an iteration of, outer ones first."""
    repeats: list[tuple[int, int]]
    """For each repeat the first position inside it, and the one after the last."""
    skipped_symbols: tuple[tuple[int, int], ...] = ()
    """Symbols of the expression that the string lacks: the element that one is missing before, and its position."""
    cost: int = 0
    """3 for each skipped element and 2 for each skipped symbol; 0 if the string matches."""
    limits: tuple[str, ...] = ()
    """"grammar.expression" if the budget was met: there may be a reading of less cost."""
    steps: int = field(default=0, compare=False)
    """How many steps a tolerant match took of its budgets."""

    @property
    def skipped_elements(self) -> tuple[int, ...]:
        """The elements that are left out of the match."""
        return tuple(index for index, position in enumerate(self.positions) if position == SKIPPED)

    def iterations(self, repeat: int) -> list[tuple[int, int]]:
        """The iterations of a repeat: the first element of each, and the one after its last.

        Repeats are numbered in the order in which they begin in the text. The iterations of a repeat inside another
        are all in one list; each lies within one iteration of the outer one. Iterations without elements are left out.

        >>> from fastwrap.grammar.expression import parse_expression
        >>> match = Matcher(parse_expression("(1 (2 3?)*)+")).match([1, 2, 3, 2, 1, 1, 2])
        >>> match.iterations(0), match.iterations(1)
        ([(0, 4), (4, 5), (5, 7)], [(1, 3), (3, 4), (6, 7)])
        """
        if not 0 <= repeat < len(self.repeats):
            raise FastwrapError(f"there is no repeat {repeat}: the expression has {len(self.repeats)}")
        first, end = self.repeats[repeat]
        iterations: list[tuple[int, int]] = []
        for index, position in enumerate(self.positions):
            if first <= position < end:
                if repeat in self.begun[index]:
                    iterations.append((index, index + 1))
                else:
                    iterations[-1] = (iterations[-1][0], index + 1)
        return iterations


class Matcher:
    """An expression, ready to match strings.

    Where a string can be read in several ways, the first alternative, the optional part and the further iteration
    are preferred, from left to right: the reading that Perl's regular expressions find.

    >>> from fastwrap.grammar.expression import parse_expression
    >>> matcher = Matcher(parse_expression("(1 2?)+ 1"))
    >>> matcher.match([1, 2, 1, 1]).positions
    (0, 1, 0, 2)
    >>> matcher.match([1, 2]) is None
    True
    """

    def __init__(self, expression: Expression) -> None:
        self.automaton = Automaton.of(expression)

    @lazy_property
    def _simulation(self) -> Simulation:
        return Simulation(*self.automaton)

    def __getstate__(self) -> dict[str, Any]:
        # Without the simulation, which is native: it is made again.
        return {"automaton": self.automaton}

    def match(self, string: abc.Sequence[int]) -> Match | None:
        """The reading of the whole string, None if it does not match."""
        return self._exact(string, inf)[0]

    def _exact(self, string: abc.Sequence[int], budget: float) -> tuple[Match | None, float]:
        """The reading of the whole string, None if it does not match, and what is left of the budget: if that is
        negative, it is not known whether the string matches."""
        reading, rest = self._simulation.exact(string, budget)
        return None if reading is None else Match(*reading, self.automaton.repeats), rest

    def tolerant(self, string: abc.Sequence[int], budget: int = BUDGET, exact_budget: int = EXACT_BUDGET) -> Match:
        """The cheapest reading of the string if elements, and symbols of the expression, may be left out.

        It is the exact match if there is one that is found within `exact_budget` steps. The cost is the least possible
        if `budget` is at least a few times the length of the string times the size of the expression; often far less
        is enough. With a smaller one, only the cheapest states are followed before each element, so that some reading
        is always found; its `limits` tell.

        >>> from fastwrap.grammar.expression import parse_expression
        >>> match = Matcher(parse_expression("(1 2 3)+")).tolerant([1, 2, 3, 9, 1, 3])
        >>> match.positions, match.skipped_symbols, match.iterations(0)
        ((0, 1, 2, -1, 0, 2), ((5, 1),), [(0, 3), (4, 6)])
        """
        most = exact_budget + EXACT_EFFORT * len(string)
        exact, rest = self._exact(string, most)
        spent = int(most - rest)
        if exact is not None:
            return replace(exact, steps=spent)
        # Searches under a growing bound (Ukkonen 1985): all but the last cost little, since few states are within it.
        worst = ELEMENT_COST * len(string) + SYMBOL_COST * len(self.automaton.symbols)
        bound, left = ELEMENT_COST, budget
        while left > 0:
            found, steps = self._search(string, min(bound, worst), left)
            spent += steps
            if found is not None:
                return replace(found, limits=BUDGET_MET if rest < 0 else (), steps=spent)
            if bound >= worst:
                break
            left -= steps
            bound *= 4
        found, steps = self._search(string, worst, worst * len(self.automaton.operations), budget // (len(string) + 1))
        assert found is not None  # all can be left out, at the worst cost
        return replace(found, limits=BUDGET_MET, steps=spent + steps)

    def _search(self, string: abc.Sequence[int], bound: int, budget: int, width: int = -1) -> tuple[Match | None, int]:
        """The cheapest reading within a bound, and the steps taken; see `Simulation.cheapest`."""
        found, cost, steps = self._simulation.cheapest(string, bound, budget, width)
        if found is None:
            return None, steps
        positions, begun, missing = found
        return Match(positions, begun, self.automaton.repeats, missing, cost), steps
