"""Types of columns: a table of columns read by hand, and what decides where a column has two readings."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest

from fastwrap.types import TYPES, TypedColumn, is_text, remainders, type_column, type_columns
from tests.helpers.typed_columns import COLUMNS, money


def test_the_table_has_every_type_and_at_least_150_columns() -> None:
    assert len(COLUMNS) >= 150
    assert {column[0] for column in COLUMNS} == set(TYPES)


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: f"{column[0]} {next(iter(column[1]))!r}")
def test_column(column: tuple[str, Mapping[str, Any], dict[str, str]]) -> None:
    name, expected, *options = column
    typed = type_column(list(expected), **(options[0] if options else {}))
    assert (typed.type, typed.values) == (name, list(expected.values())), typed.why
    assert [type(value) for value in typed.values] == [type(value) for value in expected.values()]


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: f"{column[0]} {next(iter(column[1]))!r}")
def test_absent_strings_and_order_change_nothing(column: tuple[str, Mapping[str, Any], dict[str, str]]) -> None:
    name, expected, *options = column
    if list(expected)[:3] in (["01", "02", "03"], ["1/5", "2/5", "3/5"]):
        return  # what these are is told by their order
    strings = [None, *reversed(list(expected)), None]
    typed = type_column(strings, **(options[0] if options else {}))
    assert (typed.type, typed.values) == (name, [None, *reversed(list(expected.values())), None])


def test_reasons_and_units() -> None:
    assert type_column(["05/06/2013"]).why == "05/06/2013 may be day/month or month/day"
    assert type_column(["1.234", "2.345"]).why == "1.234 may have three decimals, or thousands"
    assert type_column(["007"]).why == "numbers with leading zeros are codes"
    assert type_column(["19/12/2013", "05/12/2013"]).why == "order dmy by 19/12/2013"
    assert type_column(["1.234,50", "7"]).why == "decimal sign ',', groups by '.'"
    assert type_column(["12 reviews", "1 review", "5 reviews"]).unit == "reviews"
    assert type_column(["4/5", "3,5/5"]).unit == "out of 5"
    assert type_column(["★★★☆☆", "★★★★★"]).unit == "out of 5"
    assert type_column(["166000 km", "98000 km"]).unit == "km"
    assert type_column(["12%", "7%"]).unit == "%"
    assert type_column(["Save 31% today", "Save 46% today"]).unit == "Save … % today"
    assert type_column(["from $5", "from $7"]).unit == "from …"
    assert type_column(["$5 / kg", "$7 / kg"]).unit == "/ kg"
    assert type_column(["Depth: 2 m", "Depth: 3 m"]).unit == "m"
    assert type_column(["Blue", "Red"]) == TypedColumn("text", ["Blue", "Red"], None, "")


def test_nine_of_ten_decide() -> None:
    filled = [f"${k}.50" for k in range(9)]
    assert type_column([*filled, "2 left"]).type == "money"
    assert type_column([*filled[:-1], "2 left"]).type == "text"
    # What has no digit counts half.
    assert type_column([*filled[:4], "Call us"]).type == "money"
    assert type_column([*filled[:3], "Call us"]).type == "text"
    assert type_column([*filled, "2 left"]).values[-1] == "2 left"


@pytest.mark.parametrize(
    ("strings", "left"),
    [
        (["$1", "$2", "from $3", *(f"${k}" for k in range(4, 9))], {"from $3"}),
        ([*(f"${k}/month" for k in range(10)), "$30/year"], {"$30/year"}),
        ([*(f"{k} reviews" for k in range(2, 12)), "1 review", "no reviews"], {"no reviews"}),
        ([*(f"{k}%" for k in range(12)), "N/A", "-"], {"N/A"}),
        ([*(f"Posted: {k} May 2003" for k in range(1, 12)), "Updated: 5 May 2003"], {"Updated: 5 May 2003"}),
        (["Tel. 205-854-1688", "Fax 205-854-1689", "Tel. 205-854-1690"], {"Fax 205-854-1689"}),
        (["4.5 out of 5", "3 out of 5", "2 out of 5"], set()),
        (["In stock", "Sold out"], set()),
        (["2003-01-02", "2003-01-03"], set()),
        (["9:15 am", "10:20 pm"], set()),
        (["a", "b"], set()),
    ],
)  # fmt: skip
def test_what_values_do_not_say_is_left(strings: list[str], left: set[str]) -> None:
    typed = type_column(strings)
    found = remainders(typed.type, strings, typed.values)
    assert {text for text in found if text is not None} == left
    assert [text for text, kept in zip(strings, found, strict=True) if kept is not None] == list(filter(None, found))


def test_other_columns_decide() -> None:
    texts = ["text"] * 2
    typed = type_columns([["05/06/2013", "07/08/2013"], ["25/12/2013", "26/12/2013"]], texts)
    assert typed[0].values == [date(2013, 6, 5), date(2013, 8, 7)]
    typed = type_columns([["1.234", "2.345"], ["7,50 €", "12,00 €"]], texts)
    assert typed[0].values == [1234, 2345]
    typed = type_columns([["1.234", "2.345"], ["7.50", "12.00"]], texts)
    assert typed[0].values == [1.234, 2.345]
    typed = type_columns([["$5", "$7"], ["USD 3.50", "USD 4.50"]], texts)
    assert typed[0].values == [money("5", "USD"), money("7", "USD")]
    # Columns that contradict each other decide nothing.
    typed = type_columns([["1.234", "2.345"], ["7,50 €"], ["7.50"]], ["text"] * 3)
    assert typed[0].type == "text"


def test_what_has_a_type_is_no_text() -> None:
    for strings in (["a", "b"], ["-", "n/a"], [], ["007", "008"]):
        assert is_text(strings)
    for strings in (["1", "2"], ["$5", "from $7"], ["yes", "no"], ["3/4/2003"], ["a@example.org"], ["★★", "★"]):
        assert is_text(strings) == (type_column(strings).type == "text")
    assert not is_text(["$5", "$7"])


def test_a_table_of_nothing() -> None:
    assert type_columns([], []) == []
    assert type_column([]) == TypedColumn("text", [])
    assert type_column([None, None]).values == [None, None]
