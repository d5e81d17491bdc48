"""Values as they are compared: equal ones are equal whatever they are written as, and nothing is too odd."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap.linking.addresses import addresses_of, is_address, plain_address
from fastwrap.linking.values import is_start, key_of, left_of, of_measures, same, words_in
from fastwrap.page import Page
from fastwrap.types import Money

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=30)
    | st.dates()
    | st.datetimes()
    | st.times()
    | st.builds(Money, st.decimals(allow_nan=False, allow_infinity=False), st.sampled_from([None, "EUR", "USD"])),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)


@given(values, values)
def test_values_are_the_same_in_both_directions(one: Any, other: Any) -> None:
    assert same(one, other) == same(other, one)
    hash(key_of(one))


@given(values)
def test_a_value_is_the_same_as_itself_if_it_says_anything(value: Any) -> None:
    if value == value and key_of(value) is not None:
        assert same(value, value)


@given(st.text(max_size=60))
def test_case_and_space_do_not_matter(text: str) -> None:
    assert key_of(text) == key_of(f"  {text}\t")
    if text.isascii() and not is_address(text):
        assert key_of(text) == key_of(text.upper())
        assert words_in(text) == words_in(text.upper())


@given(st.text("abAB09-_./~", max_size=20), st.sampled_from(["", "id=1", "id=1&q=a"]))
def test_what_does_not_matter_in_an_address_is_left_out(path: str, query: str) -> None:
    plain = plain_address(f"https://shop.example/{path}?{query}")
    tracked = "&".join(reversed(["utm_source=x", *query.split("&"), "gclid=7"]))
    assert plain_address(f"http://www.shop.example:80/{path}/?{tracked}#part") == plain
    assert plain_address(f"https://shop.example/x{path}?{query}") != plain


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Money(Decimal("12.50"), "EUR"), Money(Decimal("12.5"), None)),
        (12, 12.0),
        (datetime(2026, 3, 1, 12, 30), date(2026, 3, 1)),
        ("Café – Paris", "cafe paris"),
        ("https://a.example/x/", "http://www.a.example/x?utm_medium=mail"),
        (["a", "B"], ["A", "b"]),
        ("The very long story …", "The very long story of a pan"),
    ],
)
def test_the_same(one: Any, other: Any) -> None:
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (None, None),
        ("", ""),
        ("-", "–"),
        (Money(Decimal(5), "EUR"), Money(Decimal(5), "USD")),
        ("5", 5),
        (True, 1),
        (time(5, 0), date(2026, 1, 1)),
        ("https://a.example/x?id=1", "https://a.example/x?id=2"),
        ("https://a.example/x?ref=B1", "https://a.example/x?ref=B2"),
        ("The very long", "The very long story of a pan"),
    ],
)
def test_not_the_same(one: Any, other: Any) -> None:
    assert not same(one, other)


def test_a_text_that_is_cut_off_too_early_says_nothing() -> None:
    assert not is_start("The …", "The story")
    assert is_start("A long story...", "a long story of two")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("0.5 l", "500ml"),
        ("1kg", "1000 g"),
        ("16 cm", "160mm"),
        ("2 TB", "2000 GB"),
        ("1,5 L", "1.5l"),
        ("5-pack", "5 pcs"),
    ],
)
def test_measures_of_one_size_are_the_same(one: str, other: str) -> None:
    assert words_in(one).measures == words_in(other).measures != frozenset()
    assert of_measures(words_in(one).measures, words_in(other).measures) > 0


def test_codes_are_found_together_and_apart() -> None:
    shared = words_in("KX-3000").words & words_in("model KX 3000").codes
    assert shared == {"kx3000"}
    assert left_of(words_in("model KX 3000").words, shared) == {"model"}


def test_a_page_has_the_addresses_that_it_gives() -> None:
    page = Page(
        "<link rel='alternate canonical' href='/a'><meta property=og:url content='https://b.example/c'>"
        "<link rel=canonical href=''><link rel=stylesheet href=/style><meta name=og:url content='javascript:x'>",
        url="https://b.example/list?x=1",
    )
    assert addresses_of(page) == ["b.example/list?x=1", "b.example/a", "b.example/c"]
    assert addresses_of(Page("<p>nothing")) == []
