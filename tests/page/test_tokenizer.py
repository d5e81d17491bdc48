"""The tokens of the native reader are those of a twin that goes through the states of the standard one by one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap._core.page.reading import recorded_tokens
from tests.helpers.tokens import tokens_of
from tests.reference.html import html
from tests.reference.page import tokenizer as plain
from tests.reference.soups import soups

STATES = {"data": 0, "rcdata": 1, "rawtext": 2, "script": 3, "plaintext": 4, "cdata": -1}

pieces = st.lists(
    st.one_of(
        st.text("<>/!-=&;#x'\" \n\r\f\0abAB]?[é", max_size=12),
        st.sampled_from(
            ["<script", "</script", "<!--", "-->", "--!>", "<title>", "</title", "</TITLE >", "<!doctype", " public ",
             "SYSTEM", "&amp", "&notit;", "&NotEqualTilde;", "&#x1F600;", "&#128;", "&#0", "&#xD800;", "]]>",
             "<![CDATA[",
             "<a b='c&lt=d&lt;'", " data-a-very-long-name=1", "<a-very-long-name-of-a-tag ", "</"]
        ),
    ),
    max_size=12,
).map("".join)  # fmt: skip


@settings(max_examples=3_000)
@given(
    st.one_of(pieces, html, soups.map(bytes.decode)),
    st.sampled_from(sorted(STATES)),
    st.sampled_from(["title", "script"]),
)
def test_tokens_are_those_of_the_twin(text: str, state: str, element: str) -> None:
    found = tokens_of(recorded_tokens(text.encode(), STATES[state], element))
    assert found == plain.tokens(text, state, element)


@pytest.mark.parametrize("length", [1, 30, 33, 1_000, 100_000])
def test_long_runs(length: int) -> None:
    for text in ("&" + "a" * length, "&#" + "9" * length, "&#x" + "0" * length + "41;", "<a " + "b" * length + "=1>"):
        assert tokens_of(recorded_tokens(text.encode())) == plain.tokens(text)
