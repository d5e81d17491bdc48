"""Texts taken apart by rules: the kernel against its twin."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fastwrap._core.columns.splitting import Splitter, extremes, parted
from fastwrap.columns.splitting import (
    IN_DATES,
    LEFT_OVER_MARKS,
    SEPARATORS,
    Rule,
    find_rule,
    split_at,
    without_marks,
)  # fmt: skip
from tests.reference.columns import splitting as plain

PIECES = [
    *SEPARATORS, *LEFT_OVER_MARKS, " ", "\u00a0", "a", "By ", "é", "12", "June 17, 2026", "Monday, 3 May", "17 June",
    ", ", "😀",
]  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), max_size=9).map("".join)
ends = st.sampled_from(["", "", "a", "By ", "(", "- "])
leaves = st.builds(Rule, prefix=ends, suffix=st.sampled_from(["", "", ")", "é"]))


def split(inner: st.SearchStrategy[Rule]) -> st.SearchStrategy[Rule]:
    parts = st.lists(inner, min_size=1, max_size=3).map(tuple)
    return st.builds(Rule, prefix=ends, suffix=ends, separator=st.sampled_from(SEPARATORS), parts=parts)


rules = st.recursive(leaves, split, max_leaves=6)


@settings(max_examples=3000)
@given(rules, texts)
@example(Rule("By "), "By - a")
@example(Rule("By "), "By ")
@example(Rule(separator=", ", parts=(Rule(), Rule())), "Paris, June 17, 2026")
def test_texts_are_taken_apart(rule: Rule, text: str) -> None:
    assert rule.apply(text) == plain.apply(rule, text)
    assert len(rule.apply(text)) == rule.width


@settings(max_examples=500)
@given(rules, st.lists(texts, max_size=5))
def test_columns_of_texts_are_taken_apart(rule: Rule, several: list[str]) -> None:
    assert rule.splitter.columns(several) == plain.columns(rule, several)


@settings(max_examples=1000)
@given(st.lists(texts, min_size=1, max_size=6), st.sampled_from(SEPARATORS))
@example(["a, b", "Paris, June 17, 2026", "a"], ", ")
def test_what_most_texts_have_between_separators(several: list[str], separator: str) -> None:
    assert parted(several, separator, split_at if separator in IN_DATES else None) == plain.parted(several, separator)


@given(st.lists(texts, min_size=1, max_size=6))
def test_what_texts_begin_with(several: list[str]) -> None:
    assert extremes(several) == plain.extremes(several)


def test_rules_travel() -> None:
    rule = find_rule(["Seattle, WA | $12", "Portland, OR | $9", "Austin, TX | $20"])
    assert rule is not None
    assert rule.apply("Salem, OR | $1") == ["Salem", "OR", "$1"]
    for other in (pickle.loads(pickle.dumps(rule)), copy.deepcopy(rule)):  # noqa: S301
        assert other == rule
        assert other.apply("Salem, OR | $1") == ["Salem", "OR", "$1"]


def test_marks_that_are_left_over() -> None:
    for mark in LEFT_OVER_MARKS:
        assert Rule("By ").apply(f"By {mark} 12") == ["12"]
        assert Rule("By ").apply(f"By {mark}12") == [f"{mark}12"]
    assert " - " in IN_DATES


def test_what_is_no_rule() -> None:
    with pytest.raises(TypeError):
        Splitter(("", None), "", (), None, without_marks)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Splitter(("", ""), ",", (None,), None, without_marks)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Splitter(("", ""), "", (), None, without_marks).apply(None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no texts"):
        extremes([])
