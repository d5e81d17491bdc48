"""The kernels of the types against their twins: strings, numbers, addresses and the first look at a table."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap._core.types import addresses, numbers, strings
from fastwrap.types import Money, TypedColumn, registry
from fastwrap.types.affixes import read_affixes
from fastwrap.types.locales import Conventions
from fastwrap.types.numbers import manner_of_one
from fastwrap.types.reading import LONGEST, MISS_OF_WORDS, MISSES, Context
from fastwrap.types.separators import decide_separators
from fastwrap.types.words import ANSWERS
from tests.helpers.typed_columns import COLUMNS
from tests.reference.types import addresses as plain_addresses
from tests.reference.types import numbers as plain_numbers
from tests.reference.types import strings as plain_strings

TWINS = [(addresses, plain_addresses), (numbers, plain_numbers), (strings, plain_strings)]
FAMILIES = [1 << bit for bit in range(9)]
BASES = [("https:", "https://h", "https://h/d/"), ("", "", "")]

odd = st.sampled_from(list("0123456789" * 2 + ".,'’ -/$€%@:#?;\\ abAht wp★☆\xa0\n\t\u2009é漢😀\x1f\x85"))
pieces = st.one_of(
    st.text(odd, max_size=14),
    st.text(max_size=10),
    st.sampled_from(
        ["http://a.b/c", "www.x.y", "yes", "In stock!", "n/a", "-", "1.234,56", "$ 1,234.50", "12 reviews", "../a",
         "/a/./b", "//x/y", "3 May 2003", "Jan' 5, 2014", "3. 4. 2003", "3/4 20", "2003年4月5日", "é 1 2", "7:41 pm",
         "4.5 / 5", "4 of 5", "+49 30 123456", "Tel. 030/12 34 567", "a@b.c", "mailto:a@b.c", "tel:1", "data:,x",
         "a.b/c.PNG?d", "no", "x" * 90, "1" + "x" * 41, "x" * 40 + "1", "x" * 41 + ".1", "x" * 42 + "1"]
    ),
)  # fmt: skip


# What the columns of the table by hand are made of, and odd strings.
strings_of_columns = st.one_of(
    st.text(max_size=20),
    st.text(st.sampled_from(list("0123456789.,-/: $€%()'abK\u00a0★")), max_size=16),
    st.sampled_from([string for column in COLUMNS for string in column[1]]),
    pieces,
)


def look(module: ModuleType) -> Any:
    return module.Look(LONGEST, frozenset(["-", "n/a", ""]), ANSWERS, "★☆", MISSES, MISS_OF_WORDS)


def seen(column: Any) -> dict[str, Any]:
    """All that the strings of a column tell, what costs a second look last."""
    names = ("cleaned", "families", "total", "slack", "numbers", "filled")
    told = {name: getattr(column, name) for name in names}
    told["counts"] = list(column.counts.items())
    told["spread"] = column.spread([None if number % 3 == 1 else number for number in range(column.total)])
    return told | {f"may be {family}": column.may_be(family) for family in FAMILIES}


@settings(max_examples=3000)
@given(column=st.lists(st.none() | pieces, max_size=12) | st.lists(strings_of_columns, max_size=12))
def test_native_and_plain_see_the_same(column: list[str | None]) -> None:
    assert seen(look(strings).at(column)) == seen(look(plain_strings).at(column))


@settings(max_examples=3000)
@given(column=st.lists(st.none() | pieces, max_size=12), base=st.sampled_from(BASES))
def test_native_and_plain_tables_agree(column: list[str | None], base: tuple[str, str, str]) -> None:
    kinds = [strings.TEXTS, strings.PAGES, strings.PICTURES, strings.SETS, strings.PRICES]
    columns = [column] * len(kinds)
    typed, unread = look(strings).at_table(columns, kinds, base, TypedColumn)
    plain_typed, plain_unread = look(plain_strings).at_table(columns, kinds, base, TypedColumn)
    assert typed == plain_typed
    assert [(place, None if left is None else seen(left)) for place, left in unread] == [
        (place, None if left is None else seen(left)) for place, left in plain_unread
    ]


@settings(max_examples=3000)
@given(links=st.lists(st.none() | pieces, max_size=12))
def test_native_and_plain_addresses_agree(links: list[str | None]) -> None:
    for pictures in (False, True):
        assert addresses.kind_of(links, pictures, MISSES) == plain_addresses.kind_of(links, pictures, MISSES)
    filled = [link for link in links if link is not None]
    assert addresses.are_pictures(filled, MISSES) == plain_addresses.are_pictures(filled, MISSES)


@settings(max_examples=3000)
@given(column=st.lists(strings_of_columns, max_size=12), most_missed=st.sampled_from([0, 2, 99]))
def test_native_and_plain_numbers_agree(column: list[str], most_missed: int) -> None:
    assert numbers.split_numbers(column, most_missed) == plain_numbers.split_numbers(column, most_missed)


@settings(max_examples=1000)
@given(
    column=st.lists(pieces, max_size=8), signs=st.sampled_from([(None, False), (".", True), ("'", False), (",", True)])
)
def test_native_and_plain_values_agree(column: list[str], signs: tuple[str | None, bool]) -> None:
    around, places, digits, *_ = plain_numbers.split_numbers(column, len(column)) or ([], [], [])
    scales = [(0, 1, -1, 1000)[place % 4] for place in range(len(around))]
    currencies = [None if place % 2 else "EUR" for place in range(len(around))]
    for money in (None, Money):
        style = numbers.NumberStyle(*signs, str, scales, money, currencies)
        plain_style = plain_numbers.NumberStyle(*signs, str, scales, money, currencies)
        values = style.values(digits, places)
        plain_values = plain_style.values(digits, places)
        assert values == plain_values
        assert [type(value) for value in values] == [type(value) for value in plain_values]


@pytest.mark.parametrize("text", ["a" * 9, "x y" * 5, "1" * 70, "é" * 20])
@pytest.mark.parametrize("odd_one", ["  ", "\t", "\xa0", "\x85", "\x1f", "\x01", "\u2009", "7", " ", "漢", "\xff"])
def test_every_character_is_looked_at(text: str, odd_one: str) -> None:
    for place in range(len(text) + 1):
        column = [text[:place] + odd_one + text[place:]]
        assert seen(look(strings).at(column)) == seen(look(plain_strings).at(column))


def test_bad_arguments_are_refused() -> None:
    native = look(strings)
    with pytest.raises(ValueError, match="kinds"):
        native.at_table([["a"]], [], BASES[1], TypedColumn)
    with pytest.raises(TypeError):
        native.at_table([["a"]], [0], BASES[1], dict)
    with pytest.raises(TypeError):
        native.at_table([["a"]], [0], (None, "", ""), TypedColumn)
    for kind in (strings.TEXTS, strings.PAGES):
        with pytest.raises(TypeError):
            native.at_table([[1]], [kind], BASES[1], TypedColumn)
    with pytest.raises(TypeError):
        strings.Strings()
    with pytest.raises(ValueError, match="values"):
        native.at(["a"]).spread([])
    style = numbers.NumberStyle(None, False, int, [1], None, [None])
    with pytest.raises(ValueError, match="places"):
        style.values(["1"], [])
    with pytest.raises(IndexError):
        style.values(["1"], [1])
    with pytest.raises(TypeError):
        numbers.NumberStyle(None, False, int, [1], int, [None])
    with pytest.raises(ValueError, match="scales"):
        numbers.NumberStyle(None, False, int, [1], None, [])
    calls: list[Callable[[Any], Any]] = [
        lambda wrong: numbers.split_numbers(wrong, 1),
        lambda wrong: addresses.are_pictures(wrong, 0.1),
        lambda wrong: addresses.kind_of(wrong, False, 0.1),
        native.at,
    ]
    for call in calls:
        with pytest.raises(TypeError):
            call(None)


@settings(max_examples=1500)
@given(st.lists(strings_of_columns, min_size=1, max_size=12))
def test_what_the_first_look_rules_out_cannot_be_read(column: list[str]) -> None:
    native, plain = look(strings).at(column), look(plain_strings).at(column)
    # These count words half, also in long strings, which the first look counts whole.
    half = strings.DIGITS | strings.DATES | strings.CLOCKS | strings.RATINGS
    has_long = any(len(string) > LONGEST for string in native.filled)
    if native.total:
        for reader in registry.READERS:
            if not plain.may_be(reader.family) and not (has_long and reader.family & half):
                assert reader.read(native, Context(Conventions(day_first=True))) is None, reader.types


def test_native_and_plain_have_the_same_names() -> None:
    for native, plain in TWINS:
        for name in vars(native):
            if not name.startswith("_"):
                assert hasattr(plain, name)
                if name.isupper():
                    assert getattr(plain, name) == getattr(native, name)


def test_what_is_kept_is_bounded() -> None:
    for function in (read_affixes, decide_separators, manner_of_one):
        assert function.cache_parameters()["maxsize"] is not None
