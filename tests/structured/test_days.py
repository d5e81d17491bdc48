"""Days in bytes: the kernel against regular expressions."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fastwrap import extract
from fastwrap._core.structured.days import days_in
from tests.reference.structured import days as plain

PIECES = [b"2024", b"05", b"u00", b"2d", *(bytes([letter]) for letter in b"19--\\ 3cxuD{\xff")]


@settings(max_examples=3000)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join))
@example(b"2024\xff-\xff05-\xff\xff03")
@example(b"2024-05-0")
@example(b"\\u002")
def test_days(data: bytes) -> None:
    assert days_in(data) == plain.days_in(data)


@pytest.mark.parametrize("escaped", [False, True])
def test_dates_that_data_completes_are_values(escaped: bool) -> None:
    """Days without their years are dates by the data, whether or not names have been asked for."""
    days = ["2024-05-03", "2024-06-17", "2024-07-21", "2024-08-09"]
    shown = ["3 May", "17 June", "21 July", "9 August"]
    items = ",".join(f'{{"name":"Concert number {k}","date":"{day}","url":"/c/{k}"}}' for k, day in enumerate(days))
    if escaped:
        items = items.replace("-", "\\u002d")
    listed = "".join(
        f"<li><h3><a href=/c/{k}>Concert number {k}</a></h3><time>{day}</time></li>" for k, day in enumerate(shown)
    )
    page = f'<ul>{listed}</ul><script type="application/json">{{"concerts":[{items}]}}</script>'
    values = [record.values for record in extract(page).records]
    names = extract(page)
    place = [column.type for column in names.columns].index("date")
    assert [str(row[place]) for row in values] == days
