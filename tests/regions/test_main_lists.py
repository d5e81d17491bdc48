"""Which list is the main one, and whether there is one: pages of today with all that stands around a list.
Each list is found as it is, first and with confidence, beside each of the things that are not the point."""

from __future__ import annotations

import pytest

from fastwrap import Extraction, extract
from tests.helpers import modern

LISTS = [name for name in modern.LISTS if name != "links"]
LONG, SHORT = 24, 8
SURELY_BESIDE = [
    "privacy", "mega_menu", "div_menu", "footer", "facets", "facet_links", "trending", "banners", "pagers", "prose",
    "faq", "form",
]  # fmt: skip
"""What loses against a list of SHORT, too."""
BESIDE = [*SURELY_BESIDE, "consent", "reviews", "comments", "carousel", "viewed"]
WINS_AGAINST = {"threads": {"comments", "carousel"}}
"""What wins against a long list that is in no main landmark: not good, but so it is."""


def numbers(found: Extraction) -> list[list[str]]:
    """The numbers of the list within each record of the first region."""
    return [
        [number for node in range(*span) if (number := found.page.attributes(node).get("data-n"))]
        for span in found.regions[0].spans.tolist()
    ]


def check(text: str, count: int) -> None:
    found = extract(text)
    assert numbers(found) == [[str(k)] for k in range(count)]
    assert found.confidence >= 0.5
    assert len(found.records) == count


@pytest.mark.parametrize("around", BESIDE)
@pytest.mark.parametrize("name", LISTS)
def test_a_long_list_in_the_main_landmark(name: str, around: str) -> None:
    check(modern.page_with(modern.LISTS[name](LONG), around, in_main=True), LONG)


@pytest.mark.parametrize("around", BESIDE)
@pytest.mark.parametrize("name", LISTS)
def test_a_long_list_without_landmarks(name: str, around: str) -> None:
    if around not in WINS_AGAINST.get(name, ()):
        check(modern.page_with(modern.LISTS[name](LONG), around), LONG)


@pytest.mark.parametrize("around", SURELY_BESIDE)
@pytest.mark.parametrize("name", LISTS)
def test_a_short_list(name: str, around: str) -> None:
    for in_main in (False, True):
        check(modern.page_with(modern.LISTS[name](SHORT), around, in_main=in_main), SHORT)


@pytest.mark.parametrize("around", ["mega_menu", "div_menu", "footer", "facets", "pagers", "prose", "faq", "form"])
def test_a_plain_list_of_links(around: str) -> None:
    """No text but in links, and no more to a record: what a menu looks like, too."""
    for in_main in (False, True):
        check(modern.page_with(modern.links(LONG), around, in_main=in_main), LONG)
