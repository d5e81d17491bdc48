"""What a way of cutting is learned from: very many children of one element, few records in very many elements."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap import Page, Wrapper, learn
from fastwrap._core.wrapper import expressed
from fastwrap.grammar import Matcher, parse_expression
from fastwrap.wrapper.cutting import MOST_PARENTS, Children, Example, induced, learn_cutting, sampled
from fastwrap.wrapper.hashes import HEAD, INSIDE, OUTSIDE
from tests.reference.wrapper import expressed as plain

roles = st.lists(st.sampled_from([OUTSIDE, HEAD, INSIDE]), min_size=1, max_size=40)


@given(roles, st.integers(1, 20), st.integers(0, 30))
def test_some_children_show_a_record_if_there_is_one(listed: list[int], count: int, before: int) -> None:
    children = Children(list(range(before + len(listed))), [OUTSIDE] * before + listed)
    some = children.some(count)
    assert 1 <= len(some.symbols) == len(some.roles) <= count
    assert (HEAD in some.roles) == (HEAD in listed)
    start = some.symbols[0]
    assert some.symbols == children.symbols[start : start + len(some.symbols)]
    assert some.roles == children.roles[start : start + len(some.roles)]
    end = start + len(some.roles)
    # They end where a record does, unless the first is longer than they may be.
    assert end == len(children.roles) or children.roles[end] == HEAD or some.roles.count(HEAD) <= 1
    assert start == 0 or children.roles[:count].count(HEAD) <= 1


@pytest.mark.parametrize("before", [0, 998, 999, 1000, 1001, 5000])
def test_records_that_begin_late_are_a_repeat(before: int) -> None:
    listed = [OUTSIDE] * before + [HEAD, INSIDE] * 600
    symbols = [0] * before + [1, 2] * 600
    expression, met = induced([Children(symbols, listed)])
    assert met == ("wrapper.cutting",)
    match = Matcher(expression).match(symbols)
    assert match is not None
    assert [(at, at + 2) for at in range(before, len(symbols), 2)] in [
        match.iterations(number) for number in range(len(match.repeats))
    ]


def test_only_a_long_element_has_records() -> None:
    short, long = Children([7, 8], [OUTSIDE] * 2), Children([1, 2] * 900, [HEAD, INSIDE] * 900)
    expression, met = induced([short, short, long])
    assert met == ("wrapper.cutting",)
    matcher = Matcher(expression)
    assert matcher.match([7, 8]) is not None
    match = matcher.match(long.symbols)
    assert match is not None
    assert len(match.iterations(0)) == 900


def irregular(seed: int) -> str:
    """Very many line breaks, and then inline elements in any order."""
    choose = random.Random(seed)
    parts = ["<br>"] * choose.choice([990, 1000, 1001, 1100])
    for number in range(choose.randint(3, 30)):
        for tag in choose.choices(["a", "b", "i", "span", "em", "u"], k=choose.randint(1, 4)):
            parts.append(f"<{tag} href=/{number}>{tag} text {number}</{tag}>")
            parts.append(choose.choice(["", "<br>", " text ", "<hr>"]))
    return "<div>" + "".join(parts) + "</div>"


@pytest.mark.parametrize("seed", range(12))
def test_a_thousand_line_breaks_before_irregular_items(seed: int) -> None:
    page = irregular(seed)
    wrapper = learn(page)
    read = wrapper.extract(page)
    again = Wrapper.loads(wrapper.dumps()).extract(page)
    assert [region.texts for region in read.regions] == [region.texts for region in again.regions]


def few_of_many(seed: int, count: int = 600) -> str:
    """Very many elements of one kind, a few of which hold records."""
    choose = random.Random(seed)
    holding = choose.sample(range(count), choose.choice([2, 3, 5]))
    return "".join(
        "<div>" + "".join(f"<p><b>Name {k} {j}</b><i>{j} EUR</i></p>" for j in range(12)) + "</div>"
        if k in holding
        else choose.choice(["<div>", "<div>x", "<div><hr>"]) + "</div>"
        for k in range(count)
    )


@pytest.mark.parametrize("seed", range(12))
def test_few_of_very_many_elements_hold_the_records(seed: int) -> None:
    page = few_of_many(seed)
    wrapper = learn(page)
    assert {len(record.texts) for record in wrapper.extract(page).records} == {2}
    assert len(wrapper.extract(page).records) == page.count("Name ")


@given(st.integers(1, 500), st.lists(st.integers(0, 499), max_size=400, unique=True))
def test_elements_with_records_are_sampled(count: int, holding: list[int]) -> None:
    holders = sorted(number for number in holding if number < count)
    page = Page("".join("<p><b>x</b></p>" if number in set(holders) else "<p>y</p>" for number in range(count)))
    parents = np.array([node for node in range(len(page)) if page.tag_name(node) == "p"], dtype=np.int32)
    heads = [int(parents[number]) + 1 for number in holders]
    example = Example(page, parents, np.array([[head, head + 2] for head in heads], dtype=np.int32).reshape(-1, 2))
    some = sampled(example)
    assert len(some.parents) == min(count, MOST_PARENTS)
    assert np.isin(some.parents, parents).all()
    assert (np.diff(some.parents) > 0).all()
    inside = np.isin(page.parent[example.spans[:, 0]], some.parents)
    assert np.array_equal(some.spans, example.spans[inside])
    assert len(some.spans) >= min(len(holders), MOST_PARENTS // 2)
    if not holders:
        assert learn_cutting([example]).apply(page, parents, np.zeros(2, dtype=np.uint64)).spans.size == 0


@pytest.mark.parametrize("repeat", [-1, 2, 10**6])
def test_a_repeat_that_there_is_not(repeat: int) -> None:
    match = Matcher(parse_expression("1+ 2+")).match([1, 2])
    assert match is not None
    with pytest.raises(ValueError, match=f"no repeat {repeat}: the expression has 2"):
        match.iterations(repeat)


@given(
    st.sampled_from(["(1 2? 3?)+ 4", "4? (1 (2 3)* 0?)+", "((1 2?)+ 3)+", "1 2 3"]).map(parse_expression).map(Matcher),
    st.lists(st.lists(st.integers(0, 4), max_size=9), min_size=1, max_size=4),
    st.lists(st.sampled_from([OUTSIDE, HEAD, INSIDE]), min_size=9, max_size=9),
    st.integers(0, 1),
)
def test_records_of_an_expression(matcher: Matcher, strings: list[list[int]], roles: list[int], number: int) -> None:
    automaton = matcher.automaton
    if number >= len(automaton.repeats):
        return
    matches = [matcher.tolerant(string) for string in strings]
    children = list(range(0, 3 * sum(map(len, strings)), 3))
    ends = [child + 2 for child in children]
    spans, unknown = expressed.cut(
        np.array(children, dtype=np.int32),
        np.array(ends, dtype=np.int32),
        [(match.positions, match.begun) for match in matches],
        bytes(roles[: len(automaton.symbols)]),
        (number, *automaton.repeats[number]),
    )
    assert (spans.tolist(), unknown.tolist()) == plain.cut(children, ends, matches, roles, number)


@pytest.mark.parametrize(
    ("readings", "repeat"),
    [
        ([((0,), ((0,),))], (0, 0, 1)),
        ([((0, 0, 0), ((0,), (), ()))], (0, 0, 1)),
        ([((0, 0), ((0,),))], (0, 0, 1)),
        ([((0, 5), ((0,), ()))], (0, 0, 1)),
        ([((0, -2), ((0,), ()))], (0, 0, 1)),
        ([((0, 0), ((), ()))], (0, 0, 1)),
    ],
)
def test_readings_of_other_children(
    readings: list[tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]], repeat: tuple[int, int, int]
) -> None:
    children = np.array([1, 2], dtype=np.int32)
    with pytest.raises(ValueError, match=r"reading|position|iteration"):
        expressed.cut(children, children + np.int32(1), readings, bytes([HEAD]), repeat)
