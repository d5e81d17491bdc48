"""Noise removal: what is kept of a page, against algorithm 5 written out, and that the page left is whole."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastwrap
from fastwrap import Page
from fastwrap.names import TEXT
from fastwrap.noise import main_region, prune
from reference.html import html


def pruned_by_algorithm_5(page: Page, start: int, end: int) -> list[int]:
    """The nodes left in the body when childless nodes outside the region are removed from below."""

    def visit(node: int) -> list[int]:
        left = [kept for child in page.children(node) for kept in visit(child)]
        return [node, *left] if left or start <= node < end else []

    return visit(page.body)


@settings(max_examples=300)
@given(html, st.data())
def test_prune_keeps_what_algorithm_5_keeps(source: str, data: st.DataObject) -> None:
    page = Page(source)
    body, last = page.body, page.body + int(page.size[page.body])
    start = data.draw(st.integers(body, last - 1))
    end = data.draw(st.integers(start + 1, last))
    left = prune(page, start, end)
    assert left.origin is not None
    assert left.origin.tolist() == [*range(body), *[n for n in pruned_by_algorithm_5(page, start, end) if n >= body]]
    check_selection(page, left)


def check_selection(page: Page, left: Page) -> None:
    """Every node of the smaller page is the node that it says it was."""
    assert left.original is page
    assert left.origin is not None
    for node, was in enumerate(left.origin.tolist()):
        assert left.tag_name(node) == page.tag_name(was)
        assert left.attributes(node) == page.attributes(was)
        assert left.depth[node] == page.depth[was]
        assert left.css_path(node) == page.css_path(was)
        assert left.xpath(node) == page.xpath(was)
        if left.tag[node] == TEXT:
            assert left.text(node) == page.text(was)
        if node:
            assert left.origin[left.parent[node]] == page.parent[was]
        assert left.size[node] == 1 + sum(int(left.size[child]) for child in left.children(node))
    texts = [page.text(was) for was in left.origin.tolist() if page.tag[was] == TEXT]
    assert left.text() == " ".join(texts)
    assert left.json_scripts == page.json_scripts


@settings(max_examples=200)
@given(html)
def test_clean_gives_a_page_again(source: str) -> None:
    page = Page(source)
    region = main_region(page)
    assert page.body <= region.start < region.end <= page.body + page.size[page.body]
    assert region.complete
    left = fastwrap.clean(page)
    check_selection(page, left)
    again = pickle.loads(pickle.dumps(left))  # noqa: S301 - our own bytes
    assert [again.css_path(node) for node in range(len(again))] == [left.css_path(node) for node in range(len(left))]


def test_cleaning_twice_still_points_at_the_first_page(example: bytes) -> None:
    page = Page(example)
    once = fastwrap.clean(page)
    twice = fastwrap.clean(once)
    assert twice.original is page
    check_selection(page, twice)


def test_listing_of_the_seed() -> None:
    """Seed 004, listing 3.1: three regions between two breaks, the middle one the largest."""

    def spans(number: int, count: int) -> str:
        return "<div>" + f"<span class=region{number}></span>" * count + "</div>"

    page = Page("<br>" + spans(1, 6) + spans(2, 20) + spans(3, 5) + "<br>")
    left = fastwrap.clean(page)
    classes = [left.attributes(node).get("class") for node in range(len(left)) if left.tag_name(node) == "span"]
    assert classes == ["region2"] * 20


@pytest.mark.parametrize("source", ["", "x", "<p>", "<frameset><frame></frameset>", "<!-- -->"])
def test_nothing_to_clean(source: str) -> None:
    page = fastwrap.clean(source)
    assert page.text() == Page(source).text()


def test_url_is_kept() -> None:
    assert fastwrap.clean("<p>x", url="https://example.org/a").url == "https://example.org/a"


def test_cuts_name_nodes_of_the_page(example: bytes) -> None:
    page = Page(example)
    region = main_region(page)
    assert region.cuts.shape[1] == 3
    assert len(region.cuts) > 0
    assert (region.cuts[:, 0] > page.body).all()
    assert np.isin(region.cuts[:, 2], (0, 1)).all()
