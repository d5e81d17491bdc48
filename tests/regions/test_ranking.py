"""Ranking: what the features of regions mean, the confidence, and what holds of the automatic method."""

from __future__ import annotations

import itertools
from operator import itemgetter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import Page, extract, methods
from fastwrap._core.regions import record_sets as native
from fastwrap.regions import auto, autorm, ranking
from tests.helpers.listings import listings
from tests.helpers.paths import EXAMPLES
from tests.reference.html import html
from tests.reference.regions import record_sets as plain

PARTS = st.lists(
    st.sampled_from(
        ["<nav>", "</nav>", "<a href=#>", "</a>", "<p>" + "prose " * 20, "<p>" + "x" * 79, "<p>" + "x" * 80, "<img>"]
    ),
    max_size=6,
)


@given(st.lists(html | PARTS.map("".join), min_size=1, max_size=4).map("".join), st.data())
@settings(max_examples=1000)
def test_both_read_the_same(text: str, data: st.DataObject) -> None:
    """Any nodes as records, any weights: prose, links, pictures and navigation."""
    page = Page(text)
    nodes = data.draw(st.lists(st.integers(0, len(page) - 1), min_size=1, max_size=6))
    records = np.array([[node, node + page.size[node]] for node in nodes], dtype=np.int32)
    bounds = sorted({0, len(nodes), *data.draw(st.lists(st.integers(0, len(nodes)), max_size=2))})
    first = np.array(bounds, dtype=np.int32)
    weights = np.array([[data.draw(st.sampled_from([0.0, 1.0, -0.5])) for _ in range(14)] for _ in range(2)])
    options = ranking.options()._replace(weights=weights)
    _, order, why, _ = native.rank_sets(page.native, autorm.OPTIONS, options, records, first)
    _, other_order, other_why, _ = plain.rank_sets(page, autorm.OPTIONS, options, records, first)
    np.testing.assert_allclose(why, other_why, rtol=1e-9, atol=1e-9)
    one, other = (np.array(sorted(ranked, key=itemgetter(4))) for ranked in (order, other_order))
    np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)


def features_of(text: str) -> list[dict[str, Any]]:
    return [dict(region.why) for region in auto.find(Page(text)).regions]


def test_what_the_features_mean() -> None:
    items = "".join(f"<li><a href=/{k}><img> Name {k}</a> <i>text {k % 2}</i> <b>{k} EUR</b></li>" for k in range(4))
    prose = "words " * 20
    [own] = features_of(f"<p>{prose}</p><ul>{items}</ul>")
    assert own["count"] == 4
    assert own["items"] == 4
    assert own["pictures"] == 1
    assert own["longest"] == 6
    assert own["linked"] == pytest.approx(6 / 17)
    assert own["unique"] == 1
    assert own["navigation"] == 0
    assert own["prose"] == pytest.approx(119 / (119 + 4 * (40 + 17)))
    [other] = features_of(f"<nav><ul>{items}</ul></nav>")
    assert other["navigation"] == 1


# The automatic method

MENU = "<ul class=menu>" + "".join(f"<li><a href=/m{k}>Section {k}</a></li>" for k in range(40)) + "</ul>"


def shop(count: int) -> str:
    return "".join(
        f"<div class=item><a href=/{k}>Product {k}</a> <p>What there is to be said about product {k}, in a line.</p>"
        f"<b>{k}.99 EUR</b></div>"
        for k in range(count)
    )


def test_the_main_list_is_first_and_sure() -> None:
    found = extract(f"<header>{MENU}</header><main>{shop(12)}</main><footer>{MENU}</footer>")
    assert len(found.regions[0]) == 12
    assert found.confidence > 0.9
    assert [record.text.split()[1] for record in found.records] == [str(k) for k in range(12)]


ARTICLE = "<h1>A title</h1>" + "".join(
    f"<p>{'This is what the article has to say, at some length and without a list. ' * (3 + k % 3)}</p>"
    for k in range(9)
)


def test_an_article_has_no_main_list() -> None:
    related = (
        "<h2>Read on</h2><ul>" + "".join(f"<li><a href=/r{k}>Another story {k}</a></li>" for k in range(5)) + "</ul>"
    )
    found = extract(f"<nav>{MENU}</nav><article>{ARTICLE}</article><aside>{related}</aside>")
    assert found.confidence < 0.5
    assert found.records == []
    assert found.regions
    assert extract(f"<nav>{MENU}</nav><article>{ARTICLE}</article>", min_confidence=0.0).records


def test_a_form_has_no_main_list() -> None:
    fields = "".join(f"<p><label>Field {k}</label> <input name=f{k}></p>" for k in range(8))
    assert extract(f"<h1>Tell us</h1><form>{fields}<button>Send</button></form>").records == []


def test_nothing_that_repeats() -> None:
    found = extract("<form><input><input></form>")
    assert found.confidence == 0.0
    assert found.records == []


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.html")), ids=lambda path: path.stem)
def test_the_examples_are_listings_but_for_the_article(path: Any) -> None:
    assert (extract(path.read_bytes()).confidence > 0.5) == (path.stem != "article")


@given(listings, st.sampled_from(sorted(methods())))
@settings(max_examples=400)
def test_what_holds_of_any_page_and_method(text: str, method: str) -> None:
    found = extract(text, method=method)
    assert 0 <= found.confidence <= 1
    assert (found.confidence == 0) <= (not found.records)
    taken: set[int] = set()
    for region in found.regions:
        spans = region.spans.tolist()
        assert all(end <= start for (_, end), (start, _) in itertools.pairwise(spans))
        for start, end in spans:
            assert taken.isdisjoint(range(start, end))
            taken.update(range(start, end))


@given(listings)
@settings(max_examples=200)
def test_auto_has_the_regions_of_autorm(text: str) -> None:
    page = Page(text)
    ranked, cut = auto.find(page).regions, autorm.find(page).regions
    assert sorted(region.records.tolist() for region in ranked) == sorted(region.records.tolist() for region in cut)
    assert [region.score for region in ranked] == sorted((region.score for region in ranked), reverse=True)
