"""The automaton of an expression as two lists of integers: a state is an instruction and its argument.
Thompson's construction (1968), so that it is linear in the expression, with marks where an iteration begins."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from fastwrap.grammar.expression import Alternative, Expression, Optional, Repeat, Sequence, Symbol


class Operation(IntEnum):
    """What a state does. Only READ reads an element of the string."""

    READ = 0
    """Read the symbol of position `argument`, go on to the next state."""
    FORK = 1
    """Go on to the next state, or else to state `argument`, which is a later one."""
    JUMP = 2
    """Go on to state `argument`, which is a later one."""
    BEGIN = 3
    """An iteration of repeat number `argument` begins; go on to the next state."""
    LOOP = 4
    """Go back to state `argument`, a BEGIN, or else on to the next state."""
    ACCEPT = 5
    """The string may end here. The last state, and the only one of its kind."""


class Automaton(NamedTuple):
    """The states of an expression; state 0 is the start. Of two ways on, the first is preferred.

    >>> from fastwrap.grammar.expression import parse_expression
    >>> automaton = Automaton.of(parse_expression("(5 6?)+ 5"))
    >>> [f"{Operation(operation).name} {argument}" for operation, argument in zip(*automaton[:2])]
    ['BEGIN 0', 'READ 0', 'FORK 4', 'READ 1', 'LOOP 0', 'READ 2', 'ACCEPT 0']
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
        automaton._state(Operation.ACCEPT)
        return automaton

    def _state(self, operation: Operation, argument: int = 0) -> int:
        self.operations.append(int(operation))
        self.arguments.append(argument)
        return len(self.operations) - 1

    def _append(self, expression: Expression) -> None:
        """Recursion is safe: expressions are of limited depth."""
        match expression:
            case Symbol(number=number):
                self._state(Operation.READ, len(self.symbols))
                self.symbols.append(number)
            case Sequence(parts=parts):
                for part in parts:
                    self._append(part)
            case Alternative(parts=parts):
                jumps = []
                for part in parts[:-1]:
                    fork = self._state(Operation.FORK)
                    self._append(part)
                    jumps.append(self._state(Operation.JUMP))
                    self.arguments[fork] = len(self.operations)
                self._append(parts[-1])
                for jump in jumps:
                    self.arguments[jump] = len(self.operations)
            case Optional(part=part):
                fork = self._state(Operation.FORK)
                self._append(part)
                self.arguments[fork] = len(self.operations)
            case Repeat(part=part):
                number, first = len(self.repeats), len(self.symbols)
                self.repeats.append((first, first))
                begin = self._state(Operation.BEGIN, number)
                self._append(part)
                self._state(Operation.LOOP, begin)
                self.repeats[number] = (first, len(self.symbols))
