"""What must hold for every column: whatever its strings are, and for what was written in a known way."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from fastwrap.types import STRINGS, TYPES, Money, remainders, type_column
from fastwrap.types.links import PAGE_ATTRIBUTES, PICTURE_ATTRIBUTES
from fastwrap.types.reading import LONGEST
from fastwrap.types.words import UNKNOWN
from tests.helpers.typed_columns import COLUMNS, PAGE

digits_and_marks = st.text(st.sampled_from(list("0123456789.,-/: $€%()'abK\u00a0★")), max_size=16)
strings_of_columns = st.one_of(
    st.text(max_size=20), digits_and_marks, st.sampled_from([string for column in COLUMNS for string in column[1]])
)
columns_of_strings = st.lists(st.none() | strings_of_columns, max_size=14)
items = st.sampled_from(["text", "href", "src", "srcset", "alt", "title", "datetime", "content", "data-price", "value"])
urls = st.sampled_from([None, PAGE, "http://example.com", "not an address", "http://[bad", "//x"]) | st.text(max_size=9)
languages = st.sampled_from([None, "en", "en-US", "de", "pt-BR", "xx", ""]) | st.text(max_size=6)


@settings(max_examples=1500, suppress_health_check=[HealthCheck.too_slow])
@given(columns_of_strings, items, urls, languages)
def test_any_strings_give_a_column(strings: list[str | None], item: str, url: str | None, language: str | None) -> None:
    given_strings = list(strings)
    typed = type_column(strings, item, url, language)
    assert strings == given_strings
    assert typed.type in TYPES
    assert len(typed.values) == len(strings)
    kinds: dict[str, type | tuple[type, ...]] = {
        "integer": int, "number": float, "percent": float, "rating": float, "money": Money, "date": date, "time": time,
        "datetime": datetime, "boolean": bool,
    }  # fmt: skip
    for string, value in zip(strings, typed.values, strict=True):
        if string is None or not string.strip():
            assert value is None
        elif typed.type == "text":
            assert value == " ".join(string.split())
        elif value is None:
            # A mark that stands for nothing, or a link that leads nowhere.
            assert string.strip() in UNKNOWN or item in PAGE_ATTRIBUTES | PICTURE_ATTRIBUTES
        elif type(value) is str:
            assert typed.type in STRINGS or value == " ".join(string.split())
        else:
            assert type(value) is kinds[typed.type]
    left = remainders(typed.type, strings, typed.values)
    for string, value, kept in zip(strings, typed.values, left, strict=True):
        if typed.type not in STRINGS and type(value) is str:
            assert kept == value
        elif kept is not None:
            assert kept == " ".join((string or "").split())
    if typed.type != "text" and typed.type not in ("url", "image", "email", "phone"):
        filled = [string for string in strings if string and string.strip()]
        assert len(filled) >= sum(type(value) is not str for value in typed.values if value is not None) > 0


@settings(max_examples=500)
@given(columns_of_strings, st.sampled_from(["text", "href"]))
def test_a_tuple_is_read_like_a_list(strings: list[str | None], item: str) -> None:
    assert type_column(tuple(strings), item) == type_column(strings, item)


SEPARATORS = [(".", ","), (",", "."), (",", " "), (".", "'"), (",", "\u00a0"), (".", ""), (",", "")]


def written(number: Decimal, decimal: str, group: str) -> str:
    return f"{number:,}".replace(",", "\0").replace(".", decimal).replace("\0", group)


amounts = st.decimals(min_value=0, max_value=99_999_999, places=2)


@settings(max_examples=500)
@given(st.lists(amounts, min_size=1, max_size=12), st.sampled_from(SEPARATORS))
def test_numbers_of_a_locale_are_read_back(values: list[Decimal], separators: tuple[str, str]) -> None:
    typed = type_column([written(value, *separators) for value in values])
    assert typed.type == "number"
    assert typed.values == [float(value) for value in values]


@settings(max_examples=500)
@given(
    st.lists(amounts, min_size=1, max_size=12),
    st.sampled_from(SEPARATORS),
    st.sampled_from(["{} €", "€ {}", "{} EUR", "EUR {}", "Preis: {} €", "{}€"]),
)
def test_prices_of_a_locale_are_read_back(values: list[Decimal], separators: tuple[str, str], form: str) -> None:
    typed = type_column([form.format(written(value, *separators)) for value in values])
    assert typed.type == "money"
    assert typed.values == [Money(value, "EUR") for value in values]


@settings(max_examples=500)
@given(st.lists(st.integers(0, 99_999_999), min_size=2, max_size=12), st.sampled_from([",", " ", "'"]))
def test_integers_with_groups_are_read_back(values: list[int], group: str) -> None:
    values[0] = 1234  # without a group they may be codes
    assert type_column([f"{value:,}".replace(",", group) for value in values]).values == values


days = st.dates(date(1970, 1, 1), date(2068, 12, 31))
DATE_FORMS = ["%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d.%m.%y", "%d %b %Y", "%B %d, %Y", "%d-%b-%y", "%A, %d %B %Y"]


@settings(max_examples=500)
@given(st.lists(days, min_size=1, max_size=12), st.sampled_from(DATE_FORMS))
def test_dates_are_read_back(values: list[date], form: str) -> None:
    typed = type_column([value.strftime(form) for value in values])
    assert typed.type == "date"
    assert typed.values == values


@settings(max_examples=500)
@given(st.lists(days, min_size=1, max_size=12), st.sampled_from(["/", "-"]), st.booleans())
def test_the_order_of_day_and_month_is_shown_by_one_late_day(values: list[date], separator: str, first: bool) -> None:
    form = separator.join(["%d", "%m", "%Y"] if first else ["%m", "%d", "%Y"])
    typed = type_column([value.strftime(form) for value in [*values, date(2013, 12, 25)]])
    assert typed.type == "date"
    assert typed.values == [*values, date(2013, 12, 25)]


@settings(max_examples=300)
@given(st.lists(st.datetimes(datetime(1970, 1, 1), datetime(2068, 12, 31)), min_size=1, max_size=8))
def test_datetimes_are_read_back(values: list[datetime]) -> None:
    values = [value.replace(microsecond=0) for value in values]
    assert type_column([value.isoformat() for value in values]).values == values
    aware = [value.replace(tzinfo=UTC) for value in values]
    assert type_column([value.isoformat() for value in aware]).values == aware
    assert type_column([value.strftime("%m/%d/%Y %I:%M:%S %p") for value in values], language="en-US").values == values


@settings(max_examples=500)
@given(st.lists(st.text(max_size=20), min_size=1, max_size=8), st.sampled_from([None, PAGE]))
@example(["0\x1f#"], PAGE)
def test_reading_addresses_twice_changes_nothing(addresses: list[str], url: str | None) -> None:
    once = type_column(addresses, "href", url)
    if once.type in ("url", "image"):
        texts = [None if value is None else str(value) for value in once.values]
        assert type_column(texts, "href", url).values == once.values


@pytest.mark.parametrize(
    "string",
    ["1" * 1_000_000, "$" * 1_000_000, "1," * 500_000, "a" * 999_999 + "1", " " * 1_000_000, "1 " * 500_000,
     "http://" + "a" * 1_000_000, "@" * 1_000_000, "★" * 1_000_000, "/." * 500_000, "1/" * 500_000, "(" * 1_000_000],
    ids=lambda string: string[:8],
)  # fmt: skip
@pytest.mark.parametrize("item", ["text", "href", "srcset"])
def test_hostile_strings_are_text_or_addresses(string: str, item: str) -> None:
    assert type_column([string] * 3, item, PAGE).type in ("text", "url", "image")


@pytest.mark.parametrize(
    "string", ["1" + ".1" * 39, "1 " * 39 + "1", "a " * 39 + "1", "9" * 79, "$ " * 39 + "1", "-1" * 40]
)
def test_strings_just_short_enough_to_be_read(string: str) -> None:
    assert len(string) <= LONGEST
    assert type_column([string] * 50).type == "text"
