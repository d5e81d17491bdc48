"""Ranking: what the features of regions mean, the confidence, and what holds of the automatic method."""

from __future__ import annotations

import itertools
import json
import re
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fastwrap import Page, extract, methods
from fastwrap._core.regions import record_sets as native
from fastwrap._core.structured.listed import sorted_hashes
from fastwrap.regions import auto, autorm, ranking
from tests.helpers.listings import listings
from tests.helpers.paths import EXAMPLES
from tests.reference.html import html
from tests.reference.regions import ranking as twin
from tests.reference.regions import record_sets as plain
from tests.reference.regions.places import unpacked

# Parts of pages that the features look at: each in forms that count, and in forms that nearly do.
NAMES = st.one_of(
    st.sampled_from(
        """menu mainMenu MENU menus related-items relatedItems js_cookie_banner card product-card is-hidden Hidden
        recommendations recommendationsList notifications notificationX search-results x9nav nav9 navé col-md-4 flex
        HTMLNav navBar aside""".split()
    ),
    st.sampled_from(["x" * 496 + " nav", "x" * 497 + " nav", "x" * 495 + "-navy"]),
    st.text(st.sampled_from("navNAV -_9é"), max_size=8),
)
ADDRESSES = st.one_of(
    st.sampled_from(
        ["", "#", "#top", " ", " #a", "javascript:void(0)", "JavaScript:x", "javascripts:x", "mailto:a@b.example",
         "MAILTO:x", "tel:1", "telephone", "/", "//", "/a", "a", "/a/1", "/a/2/", "/b/1", "/a/b/c/d", "/a/b/c/d/",
         "/a/b/c/d//?x=1", "/a/b/c/d/e", "/a/b/c/d/e?x=1", "/a/b/c/d/e/f", "/a?id=1", "/a?id=2#x", "/a?id", "/a?",
         "/a?&x=1", "?id=1", "http://x.example", "http://x.example/", "https://x.example/a/1", "//x.example/a/2?q=1",
         "x:y", "a:b/c", "a/b:c", "\t/a/1"]
    ),
    st.text(st.sampled_from("ab/:?#=& .%é"), max_size=12),
)  # fmt: skip
ROLES = st.sampled_from(
    ["main", "Main", "navigation", "dialog", "alertdialog", "list", "search", "presentation", "banner", "menuitem",
     "tab", "tablist", "dialog main", "main navigation", "listBox", ""]
)  # fmt: skip
ATTRIBUTES = st.one_of(
    st.just(""),
    NAMES.map(lambda name: f' class="{name}"'),
    NAMES.map(lambda name: f' id="{name}"'),
    st.builds(lambda one, other: f' class="{one}" id="{other}"', NAMES, NAMES),
    ROLES.map(lambda role: f' role="{role}"'),
)
TEXTS = st.sampled_from(
    ["word", "Name 1", "12345678", "abcdefg/", "abcdefgh:", "abcdefghi", "no digit here at all", "²③", "Name",
     "prose " * 20, "x" * 79, "x" * 80, "", "&nbsp;"]
)  # fmt: skip
CONTAINERS = st.sampled_from(
    "div div div main nav header footer aside menu dialog section x-card ul li h1 h2 h6 h7 p form label".split()
)


def in_element(tag: str, attributes: str, inside: list[str]) -> str:
    return f"<{tag}{attributes}>{''.join(inside)}</{tag}>"


LEAVES = st.one_of(
    TEXTS,
    st.builds(lambda address, text: f'<a href="{address}">{text}</a>', ADDRESSES, TEXTS),
    TEXTS.map(lambda text: f"<a>{text}</a>"),
    st.just("<img width=50 height=50>"),
    st.builds(lambda depth, text: "<i>" * depth + text + "</i>" * depth, st.integers(0, 9), TEXTS),
)
TREES = st.recursive(
    LEAVES,
    lambda below: st.one_of(
        st.builds(in_element, CONTAINERS, ATTRIBUTES, st.lists(below, max_size=4)),
        st.builds(in_element, st.just("a"), ADDRESSES.map(' href="{}"'.format), st.lists(below, max_size=2)),
    ),
    max_leaves=12,
)
BODIES = st.sampled_from(["", "", "", "<body role=main>", "<body class=nav>", "<html class=menu>", "<frameset>"])
PAGES = st.builds(lambda body, trees: body + "".join(trees), BODIES, st.lists(TREES, min_size=1, max_size=4))


def hashes_of(names: list[str], addresses: list[str]) -> npt.NDArray[np.uint64]:
    data = ([" ".join(text.split()).encode() for text in texts] for texts in (names, addresses))
    return np.array(sorted_hashes(*data), dtype=np.uint64)


LISTED = st.builds(hashes_of, st.lists(TEXTS, max_size=2), st.lists(ADDRESSES, max_size=3))


@given(st.one_of(PAGES, PAGES, html), LISTED, st.data())
@settings(max_examples=3000)
def test_both_read_the_same(text: str, listed: npt.NDArray[np.uint64], data: st.DataObject) -> None:
    """Any nodes as records, any weights, on pages with all that the features look at."""
    page = Page(text)
    nodes = data.draw(st.lists(st.integers(0, len(page) - 1), min_size=1, max_size=6))
    records = np.array([[node, node + page.size[node]] for node in nodes], dtype=np.int32)
    bounds = sorted({0, len(nodes), *data.draw(st.lists(st.integers(0, len(nodes)), max_size=2))})
    first = np.array(bounds, dtype=np.int32)
    weights = data.draw(arrays(np.float64, (2, len(ranking.FEATURES) + 1), elements=st.sampled_from([0.0, 1.0, -0.5])))
    options = ranking.options()._replace(weights=weights, listed=listed)
    _, order, why, _ = native.rank_sets(page.native, autorm.OPTIONS, options, records, first)
    _, other_order, other_why, _ = plain.rank_sets(page, autorm.OPTIONS, options, records, first)
    np.testing.assert_allclose(why, other_why, rtol=1e-9, atol=1e-9)
    one, other = (np.array(sorted(ranked, key=itemgetter(4))) for ranked in (order, other_order))
    np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)


def test_the_twin_names_the_same_features() -> None:
    assert twin.NAMES == ranking.FEATURES


@given(st.lists(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=16), max_size=9))
def test_words_are_packed_in_order(words: list[str]) -> None:
    packed = ranking.packed(" ".join(words))
    assert packed.tolist() == sorted(set(packed.tolist()))
    assert unpacked(packed) == {word[:12] for word in words}


def test_words_are_words() -> None:
    """Small letters alone, each word once: a capital or a hyphen would never be found."""
    for words in (ranking.BESIDE.split(), ranking.ROLES.split()):
        assert all(re.fullmatch("[a-z]+", word) for word in words)
        assert words == sorted(set(words))


def features_of(text: str) -> list[dict[str, Any]]:
    return [dict(region.why) for region in auto.find(Page(text)).regions]


def test_what_the_features_mean() -> None:
    items = "".join(f"<li><a href=/{k}><img> Name {k}</a> <i>text {k % 2}</i> <b>{k} EUR</b></li>" for k in range(4))
    prose = "words " * 20
    [own] = features_of(f"<p>{prose}</p><ul>{items}</ul>")
    assert own["count"] == 4
    assert own["items"] == 4
    assert own["longest"] == 6
    assert own["unique"] == 1
    assert own["navigation"] == own["beside"] == own["outside"] == own["headings"] == own["listed"] == 0
    assert own["links"] == own["kindred"] == own["digits"] == 1
    assert own["prose"] == own["start"] == pytest.approx(119 / (119 + 4 * (40 + 17)))


ITEMS = "".join(f"<li><a href=/p/{k}>Name {'abcd'[k]}</a> <i>some text</i> <b>EUR</b></li>" for k in range(4))


@pytest.mark.parametrize(
    ("page", "feature", "expected"),
    [
        (f"<nav><ul>{ITEMS}</ul></nav>", "navigation", 1),
        (f"<dialog><ul>{ITEMS}</ul></dialog>", "navigation", 1),
        (f"<div role='dialog'><ul>{ITEMS}</ul></div>", "navigation", 1),
        (f"<div role='main'><ul>{ITEMS}</ul></div>", "navigation", 0),
        (f"<div role='list'><ul>{ITEMS}</ul></div>", "navigation", 0),
        (f"<div class='cookie-list'><ul>{ITEMS}</ul></div>", "beside", 1),
        (f"<div class='cookieList' id=footer><ul>{ITEMS}</ul></div>", "beside", 1),
        (f"<div class=footer><div id=relatedItems><ul class='x y-menu'>{ITEMS}</ul></div></div>", "beside", 3),
        (f"<p class=nav><div class=nav><div class=nav><div class=nav><ul class=nav>{ITEMS}</ul>", "beside", 3),
        (f"<div class='cookies9 navigable'><ul>{ITEMS}</ul></div>", "beside", 1),
        (f"<div class='cookielist navigable'><ul>{ITEMS}</ul></div>", "beside", 0),
        (f"<body class=has-menu><ul>{ITEMS}</ul>", "beside", 0),
        (f"<main><p>{'words ' * 9}</p></main><ul>{ITEMS}</ul>", "outside", 1),
        (f"<main><p>words</p></main><ul>{ITEMS}</ul>", "outside", 0),
        (f"<main><ul>{ITEMS}</ul></main>", "outside", 0),
        (f"<div role=main><p>{'words ' * 9}</p></div><ul>{ITEMS}</ul>", "outside", 1),
        (f"<body role=main><p>{'words ' * 9}</p><ul>{ITEMS}</ul>", "outside", 0),
        (f"<ul>{ITEMS}</ul>", "digits", 0),
        (f"<ul>{ITEMS.replace('EUR', '1 EUR')}</ul>", "digits", 1),
        (f"<ul>{ITEMS.replace('EUR', '1 EUR', 1)}</ul>", "digits", 0.25),
        (f"<ul>{ITEMS.replace('<b>', '<h3>').replace('</b>', '</h3>')}</ul>", "headings", 1),
        (f"<ul>{ITEMS.replace('/p/', '#')}</ul>", "links", 0),
        (f"<ul>{ITEMS.replace('/p/', 'javascript:')}</ul>", "links", 0),
        (f"<ul>{ITEMS.replace('/p/', '#')}</ul>", "kindred", 0.6),
        (f"<ul>{ITEMS.replace('/p/', '#', 2)}</ul>", "kindred", 0.5),
        (f"<ul>{ITEMS.replace('/p/', '#', 3)}</ul>", "kindred", 0.6),
        (f"<ul>{ITEMS.replace('/p/', '/q/', 1)}</ul>", "kindred", 0.75),
        (f"<ul>{ITEMS.replace('/p/', '/q/', 2).replace('/p/', '/r/', 1)}</ul>", "kindred", 0.5),
        (f"<ul>{ITEMS.replace('/p/', '/view?id=')}</ul>", "kindred", 1),
        (f"<ul>{ITEMS.replace('/p/', '/view?id=', 1)}</ul>", "kindred", 0.75),
        (f"<ul>{ITEMS.replace('/p/', 'https://shop.example/p/', 1)}</ul>", "kindred", 0.75),
    ],
)  # fmt: skip
def test_each_feature(page: str, feature: str, expected: float) -> None:
    own = max(features_of(page), key=lambda features: float(features["count"]))
    assert own["count"] == 4
    assert own[feature] == pytest.approx(expected)


def test_records_within_links_have_these() -> None:
    cards = "".join(f"<a href=/p/{k}><div><b>Name {k}</b><i>some text</i></div></a>" for k in range(4))
    page = Page(cards)
    inner = [node for node in range(len(page)) if page.tag_name(node) == "div"]
    records = np.array([[node, node + page.size[node]] for node in inner], dtype=np.int32)
    options, first = ranking.options(), np.array([0, 4], dtype=np.int32)
    _, _, why, _ = native.rank_sets(page.native, autorm.OPTIONS, options, records, first)
    own = dict(zip(ranking.FEATURES, why[0, -len(ranking.FEATURES) :].tolist(), strict=True))
    assert own["links"] == own["kindred"] == 1


def data_of(names: list[str]) -> str:
    items = [{"@type": "ListItem", "name": name} for name in names]
    return f'<script type="application/ld+json">{json.dumps({"@type": "ItemList", "itemListElement": items})}</script>'


def test_what_the_data_lists_is_known() -> None:
    [own] = features_of(f"{data_of(['Name a', ' Name  d', 'Name z'])}<ul>{ITEMS}</ul>")
    assert own["listed"] == 0.5


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
