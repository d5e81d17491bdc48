"""Expressions over symbols by brute force: Python's own regular expressions, every reading, every cost.
The twin of `fastwrap.grammar`: straight from what the five kinds of node mean, without automata."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from fastwrap.grammar import expression as grammar

ELEMENT_COST = 3
SYMBOL_COST = 2

Reading: TypeAlias = tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]
"""For each element its position, and the repeats of which it begins an iteration."""
Part: TypeAlias = tuple[int, tuple[int, ...], frozenset[tuple[int, int]]]
"""Where a partial reading ends, positions so far, and the iterations as (first element, repeat)."""


def letter(symbol: int) -> str:
    """A letter that stands for nothing but itself in a pattern."""
    return chr(0xE000 + symbol)


def accepts(expression: grammar.Expression, string: Sequence[int]) -> bool:
    """Whether Python's `re` matches."""
    return re.fullmatch(pattern(expression), "".join(map(letter, string))) is not None


def pattern(expression: grammar.Expression) -> str:
    """The same expression for Python's `re`."""
    match expression:
        case grammar.Symbol(number=number):
            return letter(number)
        case grammar.Sequence(parts=parts):
            return "".join(map(pattern, parts))
        case grammar.Alternative(parts=parts):
            return f"(?:{'|'.join(map(pattern, parts))})"
        case grammar.Optional(part=part):
            return f"(?:{pattern(part)})?"
        case grammar.Repeat(part=part):
            return f"(?:{pattern(part)})+"
    raise TypeError(expression)


def count(expression: grammar.Expression, kind: type[grammar.Expression]) -> int:
    """How many nodes of a kind there are."""
    return isinstance(expression, kind) + sum(count(part, kind) for part in parts_of(expression))


def parts_of(expression: grammar.Expression) -> tuple[grammar.Expression, ...]:
    """The nodes directly below a node."""
    match expression:
        case grammar.Sequence(parts=parts) | grammar.Alternative(parts=parts):
            return parts
        case grammar.Optional(part=part) | grammar.Repeat(part=part):
            return (part,)
    return ()


def readings(expression: grammar.Expression, string: Sequence[int]) -> Iterator[Reading]:
    """Every way to read the whole string, preferred ones first: backtracking, as in Perl."""
    for end, positions, begun in _read(expression, string, 0, 0, 0):
        if end == len(string):
            yield positions, tuple(tuple(sorted(r for at, r in begun if at == i)) for i in range(end))


def _read(expression: grammar.Expression, string: Sequence[int], at: int, position: int, repeat: int) -> Iterator[Part]:
    """Read a node from an element on; `position` and `repeat` are the numbers of the first ones inside."""
    match expression:
        case grammar.Symbol(number=number):
            if at < len(string) and string[at] == number:
                yield at + 1, (position,), frozenset()
        case grammar.Sequence(parts=()):
            yield at, (), frozenset()
        case grammar.Sequence(parts=parts):
            rest = grammar.Sequence(parts[1:])
            after = position + count(parts[0], grammar.Symbol), repeat + count(parts[0], grammar.Repeat)
            for end, positions, begun in _read(parts[0], string, at, position, repeat):
                for last, more, more_begun in _read(rest, string, end, *after):
                    yield last, positions + more, begun | more_begun
        case grammar.Alternative(parts=parts):
            for part in parts:
                yield from _read(part, string, at, position, repeat)
                position += count(part, grammar.Symbol)
                repeat += count(part, grammar.Repeat)
        case grammar.Optional(part=part):
            yield from _read(part, string, at, position, repeat)
            yield at, (), frozenset()
        case grammar.Repeat(part=part):
            for end, positions, begun in _read(part, string, at, position, repeat + 1):
                if end > at:
                    begun |= {(at, repeat)}
                    for last, more, more_begun in _read(expression, string, end, position, repeat):
                        if last > end:
                            yield last, positions + more, begun | more_begun
                yield end, positions, begun


def least_cost(expression: grammar.Expression, string: Sequence[int]) -> int:
    """The cost of the cheapest reading with elements and symbols left out."""
    return min(
        ELEMENT_COST * (start + len(string) - end) + cost
        for start in range(len(string) + 1)
        for end, cost in _costs(expression, string, start).items()
    )


def _costs(expression: grammar.Expression, string: Sequence[int], start: int) -> dict[int, int]:
    """By the element after it, what it costs to read a node from `start` on."""
    match expression:
        case grammar.Symbol(number=number):
            costs = {}
            for end in range(start, len(string) + 1):
                found = number in string[start:end]
                costs[end] = ELEMENT_COST * (end - start - found) + (0 if found else SYMBOL_COST)
            return costs
        case grammar.Sequence(parts=parts):
            costs = {start: 0}
            for part in parts:
                costs = _then(costs, part, string)
            return costs
        case grammar.Alternative(parts=parts):
            return _least(*(_costs(part, string, start) for part in parts))
        case grammar.Optional(part=part):
            return _least({start: 0}, _costs(part, string, start))
        case grammar.Repeat(part=part):
            costs = _costs(part, string, start)
            while True:
                more = _least(costs, _then(costs, part, string))
                if more == costs:
                    return costs
                costs = more
    raise TypeError(expression)


def _then(costs: dict[int, int], part: grammar.Expression, string: Sequence[int]) -> dict[int, int]:
    return _least(*({end: cost + more for end, more in _costs(part, string, at).items()} for at, cost in costs.items()))


def _least(*all_costs: dict[int, int]) -> dict[int, int]:
    least: dict[int, int] = {}
    for costs in all_costs:
        for end, cost in costs.items():
            least[end] = min(cost, least.get(end, cost))
    return least


def longest_common(a: Sequence[int], b: Sequence[int]) -> int:
    """Length of a longest common subsequence, by the textbook's table."""
    row = [0] * (len(b) + 1)
    for x in a:
        before = row
        row = [0]
        for j, y in enumerate(b):
            row.append(before[j] + 1 if x == y else max(before[j + 1], row[j]))
    return row[-1]
