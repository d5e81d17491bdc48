"""The automaton of an expression as two lists of integers: a state is an instruction and its argument.
Thompson's construction (1968), so that it is linear in the expression, with marks where an iteration begins."""

from __future__ import annotations

from typing import NamedTuple

from fastwrap.grammar.expression import Alternative, Expression, Optional, Repeat, Sequence, Symbol

# What a state does.
READ = 0  # read an element, the symbol of position `argument`, and go on to the next state; no other state reads
FORK = 1  # go on to the next state, or else to state `argument`, which is a later one
JUMP = 2  # go on to state `argument`, which is a later one
BEGIN = 3  # an iteration of repeat number `argument` begins; go on to the next state
LOOP = 4  # go back to state `argument`, a BEGIN, or else on to the next state
ACCEPT = 5  # the string may end here; the last state, and the only one of its kind


class Automaton(NamedTuple):
    """The states of an expression; state 0 is the start. Of two ways on, the first is preferred.

    >>> from fastwrap.grammar.expression import parse_expression
    >>> automaton = Automaton.of(parse_expression("(5 6?)+ 5"))
    >>> automaton.operations == [BEGIN, READ, FORK, READ, LOOP, READ, ACCEPT], automaton.arguments
    (True, [0, 0, 4, 1, 0, 2, 0])
    >>> automaton.symbols, automaton.repeats
    ([5, 6, 5], [(0, 2)])
    """

    operations: list[int]
    arguments: list[int]
    symbols: list[int]
    """The symbol at each position; positions are the symbols of the expression from left to right."""
    repeats: list[tuple[int, int]]
    """For each repeat, in the order in which they begin in the text, its first position and the one after its last."""

    @classmethod
    def of(cls, expression: Expression) -> Automaton:
        """Build the states of an expression."""
        automaton = cls([], [], [], [])
        automaton._append(expression)
        automaton._state(ACCEPT)
        return automaton

    def _state(self, operation: int, argument: int = 0) -> int:
        self.operations.append(operation)
        self.arguments.append(argument)
        return len(self.operations) - 1

    def _append(self, expression: Expression) -> None:
        """Recursion is safe: expressions are of limited depth."""
        match expression:
            case Symbol(number=number):
                self._state(READ, len(self.symbols))
                self.symbols.append(number)
            case Sequence(parts=parts):
                for part in parts:
                    self._append(part)
            case Alternative(parts=parts):
                jumps = []
                for part in parts[:-1]:
                    fork = self._state(FORK)
                    self._append(part)
                    jumps.append(self._state(JUMP))
                    self.arguments[fork] = len(self.operations)
                self._append(parts[-1])
                for jump in jumps:
                    self.arguments[jump] = len(self.operations)
            case Optional(part=part):
                fork = self._state(FORK)
                self._append(part)
                self.arguments[fork] = len(self.operations)
            case Repeat(part=part):
                number, first = len(self.repeats), len(self.symbols)
                self.repeats.append((first, first))
                begin = self._state(BEGIN, number)
                self._append(part)
                self._state(LOOP, begin)
                self.repeats[number] = (first, len(self.symbols))
