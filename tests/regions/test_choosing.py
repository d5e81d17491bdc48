"""Choosing: on pages of today the main list is first and trusted, whatever else repeats there.
What a page without a main list repeats is not trusted. Features and weights are tested in `test_ranking`."""

from __future__ import annotations

import pytest

from fastwrap import extract
from tests.helpers.modern_texts import LANGUAGES, Texts
from tests.helpers.rivals import KINDS, NAMED, RIVALS, WITHOUT, main_list

SIZES = (3, 8, 25, 43)
TIMES = range(4)

NOT_YET = {
    "consent_dialog": "3",
    "vendors_of_a_consent_dialog": "3 8-short",
    "promotional_banners": "3 8-results 8-stories",
    "carousel_before_the_list": "3 8-short 8-stories",
    "twenty_richer_cards_after_the_list": "3 8 25-results 25-short 25-stories",
    "related": "3",
    "recently_viewed": "3 8-stories",
    "trending": "3",
    "reviews": "3 8-short",
    "comments": "3",
    "mega_menu": "3",
    "long_prose": "3",
    "questions_and_answers": "3",
    "descriptions_of_filters": "3 8",
    "product": "all",
    "product_with_open_graph": "ja",
    "login": "ja",
}
"""By rival, the main lists that are not chosen or not trusted yet and left out below: a number of records, or this of
one kind. By page without a list, the languages in which something on it is trusted, or `all`."""


def is_left_out(name: str, *variants: str) -> bool:
    return not {"all", *variants}.isdisjoint(NOT_YET.get(name, "").split())


@pytest.mark.parametrize(
    ("name", "size", "kind"),
    [
        (name, size, kind)
        for name in RIVALS
        for size in SIZES
        for kind in KINDS
        if not is_left_out(name, str(size), f"{size}-{kind}")
    ],
)
def test_the_main_list_is_first(name: str, size: int, kind: str) -> None:
    """Whether or not a class says what its rival is."""
    for language in LANGUAGES:
        for naming, named in NAMED.items():
            texts = Texts(language, f"{name} {size} {kind} {naming}")
            page, expected = main_list(texts, size, kind, RIVALS[name](texts, named))
            found = extract(page)
            assert [record.text for record in found.regions[0].records] == expected
            assert found.confidence >= 0.5


@pytest.mark.parametrize(
    ("name", "language"),
    [(name, language) for name in WITHOUT for language in LANGUAGES if not is_left_out(name, language)],
)
def test_nothing_is_trusted_without_a_main_list(name: str, language: str) -> None:
    for size in SIZES:
        for time in TIMES:
            found = extract(WITHOUT[name](Texts(language, f"{name} {size} {time}"), size))
            assert found.confidence < 0.5
            assert found.records == []


def test_what_is_left_out_is_there() -> None:
    """A page that is renamed is not left out by its old name."""
    assert set(NOT_YET) <= {*RIVALS, *WITHOUT}
