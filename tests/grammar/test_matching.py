"""The kernel that matches strings against its plain twin: the same readings, costs and steps."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap._core.grammar.matching import Simulation
from fastwrap.grammar import Automaton, Expression, Matcher, parse_expression
from fastwrap.grammar.automaton import ACCEPT, BEGIN, JUMP, LOOP, READ
from fastwrap.grammar.expression import Symbol, alternative, optional, repeat, sequence
from tests.reference.grammar import matching as plain

symbols = st.integers(0, 3)


def extend(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    several = st.lists(inner, min_size=2, max_size=4)
    return st.one_of(
        several.map(lambda parts: sequence(*parts)),
        several.map(lambda parts: alternative(*parts)),
        inner.map(optional),
        inner.map(repeat),
    )


expressions = st.recursive(st.builds(Symbol, symbols), extend, max_leaves=12)
strings = st.lists(st.integers(-1, 4), max_size=14)


@settings(max_examples=1500)
@given(expressions, st.lists(strings, min_size=1, max_size=3))
def test_the_preferred_reading(expression: Expression, several: list[list[int]]) -> None:
    """The second string is read with what is known of the first."""
    matcher, twin = Matcher(expression), plain.Matcher(expression)
    for string in several:
        assert matcher.match(string) == twin.match(string)


@settings(max_examples=1500)
@given(expressions, strings, st.integers(0, 300), st.integers(0, 60))
def test_the_cheapest_reading(expression: Expression, string: list[int], budget: int, exact_budget: int) -> None:
    found = Matcher(expression).tolerant(string, budget, exact_budget)
    expected = plain.Matcher(expression).tolerant(string, budget, exact_budget)
    assert (found, found.limits, found.steps) == (expected, expected.limits, expected.steps)


@pytest.mark.parametrize("parts", [12, 60])
def test_many_threads(parts: int) -> None:
    """Everything may be absent, and all is the same: what follows is not kept, and steps are counted otherwise."""
    expression = parse_expression("(" + "0? " * parts + ")+ 1")
    for string in ([0] * 40, [0, 2] * 20, [0] * 40 + [1]):
        found = Matcher(expression).tolerant(string, 3_000, 3_000)
        expected = plain.Matcher(expression).tolerant(string, 3_000, 3_000)
        assert (found, found.limits, found.steps) == (expected, expected.limits, expected.steps)


@given(expressions, strings)
def test_how_a_step_is_made_does_not_matter(expression: Expression, string: list[int]) -> None:
    """Many threads at once, a cache that overflows, a matcher that has been sent elsewhere."""
    matcher = Matcher(expression)
    expected = matcher.match(string)
    reading = None if expected is None else (expected.positions, expected.begun)
    parts = matcher.automaton
    assert Simulation(*parts, limits=(0, 300_000)).exact(string, 1e9)[0] == reading
    forgetful = Simulation(*parts, limits=(8, 0))
    assert forgetful.exact(string, 1e9)[0] == forgetful.exact(string, 1e9)[0] == reading
    assert pickle.loads(pickle.dumps(matcher)).match(string) == expected  # noqa: S301


@pytest.mark.parametrize(
    "parts",
    [
        ([READ], [0], [1], []),  # nothing accepts
        ([READ, ACCEPT], [1, 0], [1], []),
        ([JUMP, ACCEPT], [0, 0], [], []),
        ([JUMP, ACCEPT], [2, 0], [], []),
        ([BEGIN, ACCEPT], [0, 0], [], []),
        ([LOOP, ACCEPT], [0, 0], [], [(0, 0)]),
        ([READ, LOOP, ACCEPT], [0, 0, 0], [1], [(0, 1)]),
        ([READ, ACCEPT], [0], [1], []),
        ([9, ACCEPT], [0, 0], [], []),
        ([], [], [], []),
    ],
)
def test_what_is_no_automaton(parts: tuple[list[int], list[int], list[int], list[tuple[int, int]]]) -> None:
    with pytest.raises(ValueError, match="automaton"):
        Simulation(*parts)


def test_symbols_of_any_size() -> None:
    automaton = Automaton.of(sequence(Symbol(10**30), Symbol(7)))
    assert Simulation(*automaton).exact([10**30, 7], 100.0)[0] == ((0, 1), ((), ()))
    assert Simulation(*automaton).exact([10**30, 8], 100.0)[0] is None
