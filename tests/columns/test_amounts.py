"""Amounts in texts: the kernel finds what the regular expression of its twin finds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap._core.columns.amounts import amount_in, amount_span, trim_amounts
from fastwrap.columns.choice import is_amount
from tests.reference.columns import amounts as twin

PIECES = st.sampled_from(
    "$ € £ ¥ ₹ ₽ ₺ ₩ R$ US$ Rs Rs. R U BRL USD EUR GBP CHF PKR INR kr kr. k K zł z Kč - – to bis b t from / 1 23"
    " 1.299,00 4, . 5.  ٣ ２ \xa0 \t x".split(" ")
)
TEXTS = st.lists(PIECES | st.just(" "), max_size=12).map("".join) | st.text(max_size=12)


@given(TEXTS)
def test_spans_are_those_of_the_expression(text: str) -> None:
    assert amount_span(text) == twin.amount_span(text)
    assert amount_in(text) == twin.amount_in(text)
    assert is_amount(text) == (twin.AMOUNT.fullmatch(text) is not None)


@given(st.lists(st.tuples(TEXTS | st.none(), TEXTS), max_size=5))
def test_columns_are_trimmed_in_place(pairs: list[tuple[str | None, str]]) -> None:
    rows: list[list[str | list[str | None] | None]] = [list(pair) for pair in pairs]
    trim_amounts(rows, 0)
    assert rows == [[twin.amount_in(first), second] for first, second in pairs]


def test_an_amount_alone_is_the_text_itself() -> None:
    text = "".join(["12 ", "EUR"])
    assert amount_in(text) is text
    assert amount_in(["3 EUR", None]) == ["3 EUR", None]


def test_columns_that_there_are_not_are_refused() -> None:
    with pytest.raises(IndexError):
        trim_amounts([["a"]], 1)
    with pytest.raises(IndexError):
        trim_amounts([["a"]], -1)
    with pytest.raises(TypeError):
        trim_amounts([("a",)], 0)  # type: ignore[list-item]
