"""Cutting: on listing pages of today, each record is one item, whole and with nothing foreign in it.
Each page has one thing that makes it hard; it is made in several sizes and languages, and several times in each."""

from __future__ import annotations

import pytest

from fastwrap import extract
from tests.helpers.modern_pages import CUTTING
from tests.helpers.modern_texts import LANGUAGES, Texts

SIZES = (3, 8, 25)
TIMES = range(4)

NOT_YET = {
    "two_templates_in_turn": "3 25",
    "groups_of_different_sizes": "3",
    "lists_in_items_with_a_heading": "3-ja",
    "custom_elements_in_sections": "3",
}
"""By page, what is not cut right yet and left out below: a number of records, or this in one language."""


def is_left_out(name: str, size: int, language: str) -> bool:
    return not {str(size), f"{size}-{language}"}.isdisjoint(NOT_YET.get(name, "").split())


@pytest.mark.parametrize(
    ("name", "size", "language"),
    [
        (name, size, language)
        for name in CUTTING
        for size in SIZES
        for language in LANGUAGES
        if not is_left_out(name, size, language)
    ],
)
def test_each_record_is_one_item(name: str, size: int, language: str) -> None:
    for time in TIMES:
        page, expected = CUTTING[name](Texts(language, f"{name} {size} {time}"), size)
        assert [record.text for record in extract(page).regions[0].records] == expected


def test_what_is_left_out_is_there() -> None:
    """A page that is renamed is not left out by its old name."""
    assert set(NOT_YET) <= set(CUTTING)
