"""Matches strings with an expression by simulating its automaton, element by element, with what is known kept.
The twin of `fastwrap._core.grammar.matching` and of `fastwrap.grammar.Matcher` on top of it."""

from __future__ import annotations

import collections.abc as abc
from dataclasses import replace
from heapq import heapify, heappop, heappush
from itertools import count
from math import inf
from typing import NamedTuple, TypeAlias

from fastwrap.grammar.automaton import ACCEPT, BEGIN, FORK, JUMP, LOOP, READ, Automaton
from fastwrap.grammar.expression import Expression
from fastwrap.grammar.matching import (
    BUDGET,
    BUDGET_MET,
    ELEMENT_COST,
    EXACT_BUDGET,
    EXACT_EFFORT,
    SKIPPED,
    SYMBOL_COST,
    Match,
)

START = -1
"""In place of the last position: nothing has been read yet."""

MANY_THREADS = 8
"""With more threads, what follows each position is no longer looked up one by one."""

MAX_CACHED = 300_000
"""States that were visited to find out what can follow them, while that is kept."""

MAX_STEPS = 10_000
"""Steps that are kept."""

SKIP_SYMBOL, SKIP_ELEMENT = -1, -2
Trail: TypeAlias = "tuple[Trail, int, int] | None"
"""What a tolerant match did: the trail before, the operation (BEGIN, READ or one of the two skips), its argument."""


class Successors(NamedTuple):
    """What can be read next from a state."""

    positions: dict[int, list[int]]
    """By symbol, the preferred one first."""
    begun: dict[int, tuple[int, ...]]
    """By position, the repeats around it of which an iteration begins before it, if any; outer ones first."""


class Step(NamedTuple):
    """All positions that an element of a string may be read as."""

    threads: dict[int, int]
    """By position, the preferred one first: the position of the element before it."""
    then: dict[int, Step]
    """The step of the next element by its symbol, where it is known."""


class Matcher:
    """An expression, ready to match strings."""

    def __init__(self, expression: Expression) -> None:
        self.automaton = Automaton.of(expression)
        operations, arguments = self.automaton.operations, self.automaton.arguments
        self._ways: list[tuple[int, ...]] = [()] * len(operations)
        """For each state the states to go on to without reading, preferred ones first."""
        self._after = [0] * (len(self.automaton.symbols) + 1)
        """For each position the state to go on from; the last one is that of START."""
        self._may_end = [False] * len(operations)
        target = list(range(len(operations)))
        for state in reversed(range(len(operations))):
            operation, argument = operations[state], arguments[state]
            if operation == READ:
                self._after[argument] = target[state + 1]
            elif operation == ACCEPT:
                self._may_end[state] = True
            elif operation == JUMP:
                self._ways[state] = (argument,)
                target[state] = target[argument]
            elif operation == LOOP:
                self._ways[state] = argument, state + 1
            else:
                self._ways[state] = (state + 1, argument) if operation == FORK else (state + 1,)
            # A loop's way back, which is not known yet, leads here again before it leads to the end.
            self._may_end[state] |= any(self._may_end[way] for way in self._ways[state])
        self._successors: dict[int, Successors] = {}
        self._cached = 0
        self._steps: dict[tuple[tuple[int, int], ...], Step] = {}

    def match(self, string: abc.Sequence[int]) -> Match | None:
        """The reading of the whole string, None if it does not match."""
        return self._exact(string, inf)[0]

    def _exact(self, string: abc.Sequence[int], budget: float) -> tuple[Match | None, float]:
        """The reading of the whole string, None if it does not match, and what is left of the budget: if that is
        negative, it is not known whether the string matches."""
        layers: list[Step] = []
        step = Step({START: START}, {})
        for symbol in string:
            if symbol in step.then:
                step, steps = step.then[symbol], len(step.threads)
            else:
                step, steps = self._step(step, symbol)
            budget -= steps
            if not step.threads:
                return None, max(0, budget)
            if budget < 0:
                return None, budget
            layers.append(step)
        for position in step.threads:
            if self._may_end[self._after[position]]:
                return self._trace(layers, position, budget)
        return None, max(0, budget)

    def _step(self, step: Step, symbol: int) -> tuple[Step, int]:
        """Where a symbol leads to, and the steps that it took to find out."""
        threads: dict[int, int] = {}
        steps = 0
        if len(step.threads) > MANY_THREADS:
            seen: set[int] = set()
            for position in step.threads:
                for reached, _ in self._reachable(position, seen):
                    if self.automaton.symbols[reached] == symbol:
                        threads[reached] = position
            return Step(threads, {}), len(seen)
        for position in step.threads:
            successors, more = self._next(position)
            steps += more
            for reached in successors.positions.get(symbol, ()):
                threads.setdefault(reached, position)
        # Lists repeat: the same threads come back again and again.
        key = tuple(threads.items())
        known = self._steps.get(key) or Step(threads, {})
        if key in self._steps or len(self._steps) < MAX_STEPS:
            self._steps[key] = step.then[symbol] = known
        return known, steps

    def _reachable(self, position: int, seen: set[int]) -> abc.Iterator[tuple[int, frozenset[int]]]:
        """The positions that can be read next, preferred ones first, with the repeats whose iterations begin there.

        States in `seen` have been visited before, and are not visited again.
        """
        operations, arguments, _, _ = self.automaton
        stack: list[tuple[int, frozenset[int]]] = [(self._after[position], frozenset())]
        while stack:
            state, begun = stack.pop()
            if state in seen:
                continue
            seen.add(state)
            operation, argument = operations[state], arguments[state]
            if operation == READ:
                yield argument, begun
            elif operation == BEGIN:
                begun |= {argument}
            elif operation == LOOP:
                stack.append((state + 1, begun - {arguments[argument]}))
                stack.append((argument, begun))
                continue
            stack += [(way, begun) for way in reversed(self._ways[state])]

    def _next(self, position: int) -> tuple[Successors, int]:
        """What can be read after a position, and the steps that it took to find out: 1 if it was known."""
        state = self._after[position]
        # Another thread may clear them at any time.
        known = self._successors.get(state)
        if known is not None:
            return known, 1
        positions: dict[int, list[int]] = {}
        begins: dict[int, tuple[int, ...]] = {}
        seen: set[int] = set()
        for reached, begun in self._reachable(position, seen):
            positions.setdefault(self.automaton.symbols[reached], []).append(reached)
            if begun:
                begins[reached] = tuple(sorted(begun))
        self._cached += len(seen)
        if self._cached > MAX_CACHED:
            self._successors.clear()
            self._cached = len(seen)
        found = self._successors[state] = Successors(positions, begins)
        return found, len(seen)

    def _trace(self, layers: list[Step], position: int, budget: float) -> tuple[Match | None, float]:
        """The reading that ends with a position, None if it takes more than the budget; and what is left of that."""
        positions, begun = [], []
        known: dict[tuple[int, int], tuple[int, ...]] = {}
        for layer in reversed(layers):
            before = layer.threads[position]
            positions.append(position)
            budget -= 1
            begins = known.get(pair := (before, position))
            if begins is None:
                successors, steps = self._next(before)
                budget -= steps - 1
                begins = known[pair] = successors.begun.get(position, ())
            if budget < 0:
                return None, budget
            begun.append(begins)
            position = before
        return Match(tuple(reversed(positions)), tuple(reversed(begun)), self.automaton.repeats), budget

    def tolerant(self, string: abc.Sequence[int], budget: int = BUDGET, exact_budget: int = EXACT_BUDGET) -> Match:
        """The cheapest reading of the string if elements, and symbols of the expression, may be left out."""
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
        found, steps = self._search(string, worst, worst * len(self._may_end), budget // (len(string) + 1))
        assert found is not None  # all can be left out, at the worst cost
        return replace(found, limits=BUDGET_MET, steps=spent + steps)

    def _search(
        self, string: abc.Sequence[int], bound: int, budget: int, width: int | None = None
    ) -> tuple[Match | None, int]:
        """The cheapest reading within a bound (Dijkstra, element by element), and the steps taken.

        At most `width` states before each element are followed, the cheapest ones.
        """
        operations, arguments, symbols, _ = self.automaton
        order = count()
        """Among equal costs, first come, first served: the trails are never compared."""
        steps = 0
        waiting: list[tuple[int, int, int, Trail]] = [(0, next(order), 0, None)]
        for index in range(len(string) + 1):
            at_end = index == len(string)
            symbol = None if at_end else string[index]
            here, waiting = waiting, []
            heapify(here)
            seen: set[int] = set()
            while here:
                cost, _, state, trail = heappop(here)
                if state in seen:
                    continue
                if width is not None and len(seen) >= width and waiting:
                    break
                seen.add(state)
                operation, argument = operations[state], arguments[state]
                if operation == READ:
                    if symbols[argument] == symbol:
                        waiting.append((cost, next(order), state + 1, (trail, READ, argument)))
                    if cost + SYMBOL_COST <= bound:
                        skip = (trail, SKIP_SYMBOL, argument)
                        heappush(here, (cost + SYMBOL_COST, next(order), state + 1, skip))
                elif operation == BEGIN:
                    trail = (trail, BEGIN, argument)
                elif operation == ACCEPT and at_end:
                    return self._replay(trail, cost), steps + len(seen)
                if operation in (READ, ACCEPT) and not at_end and cost + ELEMENT_COST <= bound:
                    waiting.append((cost + ELEMENT_COST, next(order), state, (trail, SKIP_ELEMENT, 0)))
                for way in self._ways[state]:
                    heappush(here, (cost, next(order), way, trail))
            steps += len(seen)
            if steps > budget or not waiting:
                break
        return None, steps

    def _replay(self, trail: Trail, cost: int) -> Match:
        """The match that a trail leads to."""
        repeats = self.automaton.repeats
        events = []
        while trail is not None:
            trail, operation, argument = trail
            events.append((operation, argument))
        positions: list[int] = []
        begun: list[tuple[int, ...]] = []
        missing: list[tuple[int, int]] = []
        begins: set[int] = set()
        for operation, argument in reversed(events):
            if operation == BEGIN:
                begins.add(argument)
            elif operation == SKIP_SYMBOL:
                missing.append((len(positions), argument))
            elif operation == SKIP_ELEMENT:
                positions.append(SKIPPED)
                begun.append(())
            else:
                positions.append(argument)
                begun.append(tuple(r for r in sorted(begins) if repeats[r][0] <= argument < repeats[r][1]))
                begins.clear()
        return Match(tuple(positions), tuple(begun), repeats, tuple(missing), cost)
