#!/usr/bin/env python3
"""Fuzzes the grammar package: what is induced from strings matches them, and matching takes bounded work.
Random text is refused with ValueError, or is an expression that is written and read again as the same one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress

import atheris

with atheris.instrument_imports(include=["fastwrap"]):
    from fastwrap.grammar import SKIPPED, Expression, Match, Matcher, induce, parse_expression
    from fastwrap.grammar.matching import ELEMENT_COST, MANY_THREADS, SYMBOL_COST

PATIENCE = 24
"""Rounds of a tolerant match: its bound grows fourfold in each."""


def check_reading(matcher: Matcher, string: Sequence[int], match: Match) -> None:
    """A reading is of the string: symbols are where the expression has them, the cost is that of what is left out."""
    symbols = matcher.automaton.symbols
    assert len(match.positions) == len(match.begun) == len(string)
    for symbol, position in zip(string, match.positions, strict=True):
        assert position == SKIPPED or symbols[position] == symbol
    assert match.cost == ELEMENT_COST * len(match.skipped_elements) + SYMBOL_COST * len(match.skipped_symbols)
    for repeat, (first, behind) in enumerate(match.repeats):
        ends = 0
        for start, end in match.iterations(repeat):
            assert ends <= start < end <= len(string)
            ends = end
        assert sum(first <= position < behind for position in match.positions) >= len(match.iterations(repeat))
    with suppress(ValueError):
        match.iterations(len(match.repeats))
        raise AssertionError("there is no such repeat")


def check_tolerant(expression: Expression, string: Sequence[int], budget: int) -> None:
    """A tolerant match is found within its budget, is a reading, and is exact where an exact one exists."""
    matcher = Matcher(expression)
    exact = matcher.match(string)
    match = matcher.tolerant(string, budget)
    check_reading(matcher, string, match)
    assert (match.cost == 0) == (exact is not None)
    states = len(matcher.automaton.operations)
    # An exact match visits the states once per element and thread, of which few are followed one by one.
    assert match.steps <= 2 * budget + ((MANY_THREADS + 3) * len(string) + PATIENCE) * states
    if exact is not None:
        assert match.positions == exact.positions


def check_text(expression: Expression) -> None:
    """An expression is written and read again."""
    again = parse_expression(str(expression))
    assert again == expression
    assert str(again) == str(expression)


def from_strings(provider: atheris.FuzzedDataProvider) -> None:
    """Induce from random strings; with lists that are known, if the input says so."""
    letters = provider.ConsumeIntInRange(1, 12)
    budget = provider.PickValueInList([0, 10, 100, 1_000, 1_000, 10_000, 100_000])
    know = provider.ConsumeBool()
    strings = []
    for _ in range(provider.ConsumeIntInRange(1, 6)):
        string = [byte % letters for byte in provider.ConsumeBytes(provider.ConsumeIntInRange(0, 24))]
        strings.append(string * provider.PickValueInList([1, 1, 1, 1, 2, 3, 9]))
    other = [byte % (letters + 1) for byte in provider.ConsumeBytes(30)]
    lists = None
    if know:
        lists = []
        for string in strings:
            bounds = sorted({provider.ConsumeIntInRange(0, len(string)) for _ in range(3)})
            lists.append([bounds] if len(bounds) > 1 else [])
    expression = induce(strings, lists, budget)
    check_text(expression)
    matcher = Matcher(expression)
    for string in strings:
        match = matcher.match(string)
        assert match is not None, (str(expression), string)
        check_reading(matcher, string, match)
    check_tolerant(expression, other, provider.PickValueInList([0, 50, 500, 2_000, 20_000, 500_000]))


def from_text(provider: atheris.FuzzedDataProvider) -> None:
    """Read an expression from any text, or from characters that expressions are made of."""
    budget = provider.PickValueInList([0, 50, 500, 2_000, 20_000, 500_000])
    string = [byte % 4 for byte in provider.ConsumeBytes(provider.ConsumeIntInRange(0, 20))]
    if provider.ConsumeBool():
        text = provider.ConsumeUnicode(200)
    else:
        text = "".join("0123 ()()?*+||-9"[byte % 16] for byte in provider.ConsumeBytes(200))
    if provider.ConsumeBool():
        depth = provider.ConsumeIntInRange(1, 130)
        text = "(" * depth + text + provider.PickValueInList([")", ")?", ")+", " 1)", "|1)", " ())", "|())"]) * depth
    try:
        expression = parse_expression(text)
    except ValueError:
        return
    check_text(expression)
    check_tolerant(expression, string, budget)


def one_input(data: bytes) -> None:
    """The first bit says which."""
    provider = atheris.FuzzedDataProvider(data)
    (from_strings if provider.ConsumeBool() else from_text)(provider)


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
