"""What a whole page says for or against a main list, and what that does to the confidence."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap import Page, extract, paging
from fastwrap.regions import FoundRegion, auto, autorm, evidence, ranking
from tests.helpers.modern import data, jobs, links, page_with

OPEN_GRAPH = '<meta property="og:type" content="{}">'


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (data({"@type": "Product"}), True),
        (data({"@type": "https://schema.org/NewsArticle", "author": {"@type": "Person"}}), True),
        (data({"@type": ["Recipe", "Thing"]}), True),
        (data({"@type": "Product"}) * 2, True),
        (data({"@type": "Product"}) * 3, False),
        (data({"@type": "Product"}) + data({"@type": "ItemList"}), False),
        (data({"@type": "SearchResultsPage", "about": {"@type": "Product"}}), False),
        (data({"@type": "WebSite"}), False),
        ('<script type="application/ld+json">{"@type": "Product", </script>', True),
        ("<p>Product", False),
        ("", False),
    ],
)  # fmt: skip
def test_data_about_one_thing(content: str, expected: bool) -> None:
    assert evidence.is_about_one_thing(Page(content)) is expected


@pytest.mark.parametrize(
    ("content", "kind", "expected"),
    [
        (OPEN_GRAPH.format("article"), b"article", True),
        (OPEN_GRAPH.format("Article"), b"article", True),
        (OPEN_GRAPH.format("og:product"), b"og:product", True),
        (OPEN_GRAPH.format("product.item"), b"product.item", True),
        (OPEN_GRAPH.format("product.group"), b"product.group", False),
        (OPEN_GRAPH.format("website"), b"website", False),
        ('<meta content="article" property="og:type">', b"article", True),
        ('<meta property="og:title" content="article">', b"", False),
        ('<meta property="og:type">', b"", False),
        (OPEN_GRAPH.format("website") + OPEN_GRAPH.format("article"), b"website", False),
        ('<meta property="og:type">' + OPEN_GRAPH.format("article"), b"article", True),
        ("<div>Text</div>" + OPEN_GRAPH.format("article"), b"article", True),
        ("", b"", False),
    ],
)  # fmt: skip
def test_open_graph_type(content: str, kind: bytes, expected: bool) -> None:
    page = Page(content)
    assert evidence.open_graph_type(page) == kind
    assert evidence.is_called_a_detail(page) is expected


def test_all_evidence() -> None:
    assert evidence.read(Page("")) == (0, 0, 0)
    head = data({"@type": "Product"}) + OPEN_GRAPH.format("product")
    assert evidence.read(Page(f'{head}<a rel="next" href="?page=2">Next</a>')) == (1, 1, 1)


# Confidence

LIST = page_with(jobs(12))
PAGER = '<nav><a href="?page=1">1</a> <b>2</b> <a href="?page=3">3</a> <a rel="next" href="?page=3">Next</a></nav>'


def with_odds(page: Page, odds: float) -> float:
    """The odds of a page whose first region has these by itself."""
    chance = ranking.confidence(page, [FoundRegion(auto.find(page).regions[0].records, 1.0, {}, autorm.chance(odds))])
    return math.log(chance / (1 - chance))


@pytest.mark.parametrize(
    ("head", "names"),
    [
        ("", ()),
        (data({"@type": "Product"}), ("data",)),
        (OPEN_GRAPH.format("article"), ("meta",)),
        (data({"@type": "Product"}) + OPEN_GRAPH.format("product"), ("data", "meta")),
    ],
)  # fmt: skip
def test_what_a_page_says_is_added_to_the_odds(head: str, names: tuple[str, ...]) -> None:
    weights = ranking.evidence_weights()._asdict()
    added = sum(weights[name] for name in names)
    assert all(weights[name] < 0 for name in names)
    for odds in (-6.0, -1.0, 0.5, 6.0):
        assert with_odds(Page(head + LIST), odds) == pytest.approx(odds + added)


def test_a_next_page_helps_where_a_list_is_in_doubt() -> None:
    weight = ranking.evidence_weights().next_page
    page = Page(LIST + PAGER, url="https://jobs.example/?page=2")
    assert evidence.has_next_page(page)
    assert weight > 0
    assert with_odds(page, -1.0) == pytest.approx(-1.0 + weight)
    assert with_odds(page, ranking.SURE - weight / 2) == pytest.approx(ranking.SURE)
    for odds in (ranking.HOPELESS - 0.1, ranking.SURE + 0.1):
        assert with_odds(page, odds) == pytest.approx(odds)


def test_it_is_not_looked_for_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Page] = []
    find = paging.find

    def counted(page: Page) -> paging.NextPage:
        asked.append(page)
        return find(page)

    monkeypatch.setattr(paging, "find", counted)
    page = Page(LIST + PAGER)
    for odds in (ranking.HOPELESS - 0.1, ranking.SURE + 0.1, ranking.SURE - ranking.evidence_weights().data):
        with_odds(page, odds)
    assert asked == []
    with_odds(page, 0.0)
    assert asked == [page]


SAYING = [
    Page(head + LIST + tail, url="https://jobs.example/?page=2")
    for head in (
        "",
        data({"@type": "Product"}),
        OPEN_GRAPH.format("article"),
        data({"@type": "Event"}) + OPEN_GRAPH.format("product"),
    )
    for tail in ("", PAGER)
]


@given(st.sampled_from(SAYING), st.floats(-8, 8), st.floats(0, 1), st.booleans())
def test_what_is_told_sooner_is_the_same(page: Page, odds: float, least: float, structured: bool) -> None:
    own = [auto.find(page).regions[0]._replace(confidence=autorm.chance(odds))]
    confidence = ranking.confidence(page, own, structured)
    assert ranking.is_at_least(page, own, least, structured) == (confidence >= least)
    assert ranking.is_at_least(page, own, confidence, structured)


def test_a_next_page_is_looked_for_where_it_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Page] = []

    def has_next_page(page: Page) -> bool:
        asked.append(page)
        return True

    monkeypatch.setattr(evidence, "has_next_page", has_next_page)
    page, weight = Page(LIST), ranking.evidence_weights().next_page
    for odds, is_likely, looked in ((0.1, True, 0), (-weight / 2, True, 1), (-weight - 0.1, False, 0)):
        found = [FoundRegion(auto.find(page).regions[0].records, 1.0, {}, autorm.chance(odds))]
        assert ranking.is_at_least(page, found, 0.5) == is_likely
        assert len(asked) == looked
        asked.clear()


@given(st.floats(-30, 30), st.floats(-30, 30), st.floats(0, 5))
def test_better_lists_stay_better(one: float, other: float, weight: float) -> None:
    """A next page never harms, and does not turn the order of two lists."""
    low, high = sorted((one, other))
    assert ranking.with_next_page(low, weight) >= low
    assert ranking.with_next_page(low, weight) <= ranking.with_next_page(high, weight)


def test_a_listing_with_a_next_page() -> None:
    """A plain list of links above much prose."""
    text, url = page_with(links(24), "prose"), "https://list.example/?page=2"
    plain, paged = (extract(text + pager, url=url) for pager in ("", PAGER))
    assert len(paged.regions[0]) == len(plain.regions[0]) == 24
    assert plain.confidence < autorm.chance(ranking.SURE)
    assert paged.confidence > plain.confidence + 0.1


def test_nothing_is_added_to_certainty() -> None:
    page = Page(LIST)
    records = auto.find(page).regions[0].records
    for chance in (0.0, 1.0):
        assert ranking.confidence(page, [FoundRegion(records, 1.0, {}, chance)]) == chance
    assert ranking.confidence(page, []) == 0.0
