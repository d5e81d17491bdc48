"""The best pairs: as good as the best of all ways to pair, and the best first where there are too many."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap.linking import assignment
from fastwrap.linking.assignment import assign

scores = st.dictionaries(st.tuples(st.integers(0, 4), st.integers(0, 4)), st.integers(1, 20).map(float), max_size=14)


def best_sum(given: dict[tuple[int, int], float]) -> float:
    """The largest sum, by all ways."""
    return max(
        sum(given.get((row, column), 0.0) for row, column in enumerate(order)) for order in permutations(range(5))
    )


@given(scores)
def test_no_way_to_pair_is_better(given: dict[tuple[int, int], float]) -> None:
    pairs, limits = assign(given)
    assert limits == ()
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == len(pairs)
    assert sum(given[pair] for pair in pairs) == best_sum(given)
    assert pairs == sorted(pairs)


@given(scores)
def test_over_the_budget_the_best_come_first(given: dict[tuple[int, int], float]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assignment, "BUDGET", 0)
        pairs, limits = assign(given)
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == len(pairs)
    assert 2 * sum(given[pair] for pair in pairs) >= best_sum(given)  # the bound of greedy matching
    assert set(limits) <= {"linking.assignment"}
    if not limits:
        assert len(pairs) == len(given)  # nothing competed


def test_many_that_compete_end_soon() -> None:
    pairs, limits = assign({(row, column): 1.0 + (row == column) for row in range(300) for column in range(300)})
    assert pairs == [(number, number) for number in range(300)]
    assert limits == ("linking.assignment",)
