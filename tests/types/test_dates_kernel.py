"""Columns of plain numeric dates: the native kernel against the plain one, and against how other dates are read."""

from __future__ import annotations

import itertools
from datetime import date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap._core.types import dates as native
from fastwrap.types import dates
from fastwrap.types.locales import Conventions
from fastwrap.types.reading import Context, look_at
from tests.reference.types import dates as plain

ORDERS = ("dmy", "mdy", "ymd")
DATES = (
    "{year}-{a:02}-{b:02}", "{year}/{a}/{b}", "{year:04}. {a}. {b}", "{a}/{b}/{year}", "{a:02}.{b:02}.{year}",
    "{a}. {b}. {year}", "{a}-{b}-{short:02}", "{a:02}/{b:02}/{short:02}", "{a}.{b}.{short:02}", "{short:02}/{a}/{b:02}",
)  # fmt: skip
CLOCKS = (
    "", "", " {c}:{d:02}", "T{c:02}:{d:02}", "T{c:02}:{d:02}:{d:02}Z", "T{c:02}:{d:02}:{d:02}.{year}+{c:02}:00",
    " {c}:{d:02}:30 -{c:02}{d:02}", " {c}:{d:02} Z", " {c}:{d:02}:{d:02},{a}",
)  # fmt: skip
# What is no plain date, whether it is read as one or not.
OTHERS = (
    "today", "3 May 2003", "May 3, 2003", "Posted: 3/4/2003", "3/4/2003.", "(3/4/2003)", "3/4/2003 x", "3/4-2003",
    "3/4/203", "2003-04", "2003-04-051", "20030-4-5", "3.4. 2003", "3 . 4 . 2003", "1.2.3.4", "٣/٤/2003", "3/4/2003é",
    "3/4/2003\x00", "3/4/2003 12", "3/4/2003 12:3", "3/4/2003  12:30", "3/4/2003T12:30:5", "3/4/2003 12:30 ",
    "3/4/2003 12:30:05.", "3/4/2003 12:30:05.1234567890", "3/4/2003 12:30+1:00", "3/4/2003 12:30 UTC", "3/4/2003 24:00",
    "3/4/2003 12:60", "3/4/2003 12:30:60", "3/4/2003 12:30 +24:00", "3/4/2003 9.30", "3/4/2003 9:30 pm", "12:30", "",
)  # fmt: skip
small = st.integers(1, 12) | st.integers(0, 40)
numbers = st.fixed_dictionaries(
    {
        "year": st.integers(1990, 2030) | st.integers(0, 9999),
        "short": st.integers(0, 99),
        "a": small,
        "b": small,
        "c": st.integers(0, 24),
        "d": st.integers(0, 60),
    }
)
days = st.fixed_dictionaries(
    {
        "year": st.integers(1990, 2030),
        "short": st.integers(0, 99),
        "a": st.integers(1, 12),
        "b": st.integers(1, 12),
        "c": st.integers(0, 23),
        "d": st.integers(0, 59),
    }
)


@st.composite
def columns(draw: st.DrawFn) -> list[str]:
    """Dates of one form, and maybe some of another, or garbage."""
    pattern = draw(st.sampled_from(DATES)) + draw(st.sampled_from(CLOCKS))
    strings = [pattern.format(**values) for values in draw(st.lists(days, max_size=20))]
    strings += [pattern.format(**values) for values in draw(st.lists(numbers, max_size=3))]
    if draw(st.booleans()):
        pattern = draw(st.sampled_from(DATES)) + draw(st.sampled_from(CLOCKS))
        strings += [pattern.format(**values) for values in draw(st.lists(numbers, max_size=2))]
        strings += draw(
            st.lists(st.sampled_from(OTHERS) | st.text("0123456789-/. :TZ+", max_size=24) | st.text(), max_size=2)
        )
    strings += draw(st.lists(st.sampled_from(strings), max_size=4)) if strings else []
    return draw(st.permutations(strings))


@settings(max_examples=1500)
@given(columns())
def test_native_and_plain_find_the_same(strings: list[str]) -> None:
    found = native.survey(strings)
    assert repr(found) == repr(plain.survey(strings))
    if found is None:
        return
    for order in ORDERS:
        values, missed = native.values(strings, order)
        assert repr((values, missed)) == repr(plain.values(strings, order))


@settings(max_examples=1500)
@given(columns(), st.sampled_from([None, True, False]))
def test_plain_dates_are_read_as_all_others(strings: list[str], day_first: bool | None) -> None:
    conventions = Conventions(day_first=day_first)
    column = look_at(strings)
    reading = dates.read_any(column, conventions)
    assert repr(dates.read_dates(column, Context(conventions))) == repr(reading)
    at_once = dates.read_numeric(column, conventions)
    assert at_once is None or repr(at_once) == repr(reading)


@pytest.mark.parametrize("pattern", [one + other for one, other in itertools.product(DATES, sorted(set(CLOCKS)))])
def test_plain_dates_are_known(pattern: str) -> None:
    strings = [pattern.format(year=2003, short=99, a=a, b=2, c=9, d=30) for a in range(1, 13)]
    found = native.survey(strings)
    assert found is not None
    timed, shown = found
    assert timed == ("{c" in pattern)
    assert (shown is None) == pattern.startswith("{year")
    values, missed = native.values(strings, "ymd" if pattern.startswith("{short") else "dmy")
    assert len(values) == len(strings)
    assert not missed
    assert {type(value) for value in values} == {datetime if timed else date}


@pytest.mark.parametrize("string", OTHERS)
def test_other_strings_are_not_plain_dates(string: str) -> None:
    assert native.survey([string]) is plain.survey([string]) is None
    assert native.survey(["3/4/2003", string]) is None
    for module in (native, plain):
        with pytest.raises(ValueError, match="no numeric date"):
            module.values([string], "dmy")


@pytest.mark.parametrize(
    "strings",
    [
        ["2003-04-05", "3/4/2003"],
        ["3/4/2003", "2003/4/5"],
        ["3/4/2003", "3/4/2003 12:30"],
        ["3/4/2003 12:30Z", "3/4/2003 12:30"],
        [],
    ],
)
def test_columns_of_two_kinds_are_not_plain(strings: list[str]) -> None:
    assert native.survey(strings) is plain.survey(strings) is None


def test_what_dates_show() -> None:
    strings = ["3/4/2003 9:30", "25/4/2003 9:31", "25/11/2003 9:32", "1/11/2003 9:33"]
    assert native.survey(strings) == (
        True, (25, "25/4/2003", 11, "25/11/2003", "3/4/2003", False, False, False, False),
    )  # fmt: skip
    assert native.survey(["4.4.12", "5. 5. 12"]) == (False, (5, "5. 5. 12", 5, "5. 5. 12", "4.4.12", *[True] * 4))
    assert native.survey(["2003-04-05T9:30:00Z"]) == (True, None)


def test_every_day() -> None:
    years = [0, 69, 999, 1000, 1582, 1899, 1900, 1904, 1999, 2000, 2001, 2004, 2100, 2199, 2200, 9999]
    for year, month, day in itertools.product(years, range(15), range(34)):
        try:
            expected: list[date | None] = [date(year, month, day)] if 1000 <= year < 2200 else []
        except ValueError:
            expected = []
        values, missed = native.values([f"{year:04}-{month}-{day}"], "dmy")
        assert (values, missed) == (expected or [None], not expected)


def test_years_of_two_digits() -> None:
    strings = [f"1/2/{year:02}" for year in range(100)]
    values, _ = native.values(strings, "dmy")
    assert [value.year for value in values if value is not None] == [*range(2000, 2069), *range(1969, 2000)]


@pytest.mark.parametrize(
    ("written", "minutes"),
    [("Z", 0), ("+00:00", 0), ("-0000", 0), ("+05:30", 330), ("-0330", -210), ("+23:59", 1439), ("-00:99", -99)],
)
def test_zones(written: str, minutes: int) -> None:
    values, _ = native.values([f"2003-04-05T06:07:08.25{written}"], "dmy")
    zone = timezone(timedelta(minutes=minutes))
    assert repr(values[0]) == repr(datetime(2003, 4, 5, 6, 7, 8, 250_000, zone))


def test_days_that_there_are_not_are_counted_as_often_as_they_are_there() -> None:
    strings = ["31/4/2003", "30/4/2003", "31/4/2003", "30/4/2003"]
    assert native.values(strings, "dmy") == ([None, date(2003, 4, 30)] * 2, 2)


@pytest.mark.parametrize("wrong", [None, ("3/4/2003",), [None], [b"3/4/2003"], [3]])
def test_bad_arguments_are_refused(wrong: Any) -> None:
    with pytest.raises(TypeError):
        native.survey(wrong)
    with pytest.raises(TypeError):
        native.values(wrong, "dmy")
    with pytest.raises(KeyError):
        native.values(["3/4/2003"], "dym")
    with pytest.raises(TypeError):
        native.values(["3/4/2003"], None)  # type: ignore[arg-type]


def test_native_and_plain_have_the_same_names() -> None:
    for name in vars(native):
        if not name.startswith("_"):
            assert hasattr(plain, name)
