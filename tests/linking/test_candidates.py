"""Candidates: records that share something, the best of them where there are many, within the budget."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap.linking import candidates as module
from fastwrap.linking.candidates import MOST, candidates

records = st.lists(
    st.frozensets(st.sampled_from("abcdefgh") | st.tuples(st.sampled_from("xy"), st.floats(0, 2))), max_size=8
)


@given(records, records)
def test_small_tables_have_all_pairs_that_share_anything(
    left: list[frozenset[object]], right: list[frozenset[object]]
) -> None:
    pairs, limits = candidates(left, right)
    assert limits == ()
    assert pairs == [
        (one, other) for one in range(len(left)) for other in range(len(right)) if left[one] & right[other]
    ]


@given(records, records)
def test_over_the_budget_pairs_still_share_something(
    left: list[frozenset[object]], right: list[frozenset[object]]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BUDGET", 1)
        patch.setattr(module, "LEAST_LOOKS", 2)
        pairs, limits = candidates(left, right)
    assert all(left[one] & right[other] for one, other in pairs)
    every = [(one, other) for one in range(len(left)) for other in range(len(right)) if left[one] & right[other]]
    assert limits == ("linking.pairs",) or pairs == every


def test_records_that_share_two_frequent_words_are_found() -> None:
    many = [frozenset((f"brand{number % 50}", f"thing{number // 50}")) for number in range(5_000)]
    pairs, limits = candidates(many, many[::-1])
    assert limits == ("linking.pairs",)
    assert {(number, 4_999 - number) for number in range(5_000)} <= set(pairs)
    assert len(pairs) <= 2 * MOST * len(many)


def test_what_all_have_is_not_looked_up_everywhere() -> None:
    same = [frozenset(("a",))] * 20_000
    pairs, limits = candidates(same, same)
    assert pairs == []
    assert limits == ("linking.pairs",)
