"""Types of columns beside what other parsers say of their strings: price-parser and dateutil."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap.types import type_column
from tests.helpers.typed_columns import COLUMNS

days = st.dates(date(1970, 1, 1), date(2068, 12, 31))


def test_prices_are_those_of_price_parser() -> None:
    price_parser = pytest.importorskip("price_parser")
    for name, expected, *_ in COLUMNS:
        if name != "money":
            continue
        for string, value in expected.items():
            if isinstance(value, str) or value.amount < 0 or ":-" in string or "’" in string:
                continue
            assert price_parser.Price.fromstring(string).amount == value.amount, string


def test_dates_are_those_of_dateutil() -> None:
    parser = pytest.importorskip("dateutil.parser")
    english = ["January 17, 2004", "Mar 3rd, 2014", "14 Aug 03", "15-Oct-2003", "27 January, 1980", "2003-10-15",
               "Thursday, 2 October 2003", "2013-10-15T12:30:00Z", "Fri, 24 Jan 2003 17:53:18 GMT",
               "Thu Oct 2 19:37:01 2003", "Jan 5, 2014 12:15 am", "2003/9/1"]  # fmt: skip
    for string in english:
        (value,) = type_column([string]).values
        found = parser.parse(string)
        assert value == (found if isinstance(value, datetime) else found.date()), string


@settings(max_examples=300)
@given(st.lists(days, min_size=1, max_size=6), st.booleans())
def test_the_order_chosen_is_dateutils(values: list[date], day_first: bool) -> None:
    parser = pytest.importorskip("dateutil.parser")
    strings = [value.strftime("%d/%m/%Y" if day_first else "%m/%d/%Y") for value in values]
    typed = type_column(strings, language="en-GB" if day_first else "en-US")
    assert typed.values == [parser.parse(string, dayfirst=day_first).date() for string in strings]
