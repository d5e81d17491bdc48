"""The method gstm: records cut where they begin, regions in a sensible order, and nothing that breaks it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from fastwrap import extract, regions
from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.regions import FoundRegion, gstm, side_by_side
from fastwrap.regions.side_by_side import Pair
from tests.helpers import records
from tests.reference.html import html

main_list = partial(records.main_list, method="gstm")
numbered = partial(records.numbered, first=1)


def test_terms_with_their_descriptions() -> None:
    listing = numbered("<dt><a href=#>Name #</a></dt><dd>about #</dd><dd>price <b>#</b></dd>", 4)
    assert main_list(f"<h1>Found</h1><dl>{listing}</dl>") == [f"Name {k} about {k} price {k}" for k in (1, 2, 3, 4)]


def test_runs_of_rows_without_header_and_pager() -> None:
    header = "<tr><th>Results</th><th>sorted by date</th></tr>"
    row = (
        "<tr><td>#.</td><td><a href=#>Title #</a></td></tr>"
        "<tr><td></td><td>by <i>author #</i>, <b>#</b> comments</td></tr>"
    )
    pager = "<tr><td colspan=2><form><select><option>10</select><input></form></td></tr>"
    found = main_list(f"<table>{header}{numbered(row, 5)}{pager}</table>")
    assert found == [f"{k}. Title {k} by author {k}, {k} comments" for k in range(1, 6)]


def test_rank_text_link_break_runs() -> None:
    """The rank stands in front of the link that anchors an item: the item starts with it."""
    listing = numbered("#. <a href=#>Title #</a><br>What # is about<br><font>site #</font><br><br>", 5)
    found = main_list(f"<p>Results for query</p><div>{listing}</div>")
    assert found == [f"{k}. Title {k} What {k} is about site {k}" for k in range(1, 6)]


def test_optional_parts() -> None:
    items = "".join(
        f"<h3><a href={k}>Name {k}</a></h3>" + "<p><b>new</b></p>" * (k in (1, 2, 5)) + f"<div>about <i>{k}</i></div>"
        for k in range(8)
    )
    assert len(main_list(f"<section>{items}</section>")) == 8


def test_a_record_may_differ_from_its_neighbours() -> None:
    full = "<li><a>#</a><b>#</b><i>#</i><u>#</u><s>#</s></li>"
    lesser = "<li><a>7</a><b>7</b><i>7</i></li>"
    assert len(main_list(f"<ul>{numbered(full, 4)}{lesser}{numbered(full, 3)}</ul>")) == 8


def test_cells_of_a_grid_are_records_not_its_rows() -> None:
    row = (
        "<tr>"
        + "<td><img><a href=#>Name #</a><br>from # EUR<br><i>in stock: #</i><br><b>new</b><p>buy</p></td>" * 4
        + "</tr>"
    )
    assert len(main_list(f"<table>{numbered(row, 5)}</table>")) == 20


def test_rows_of_a_table_are_records_not_its_cells() -> None:
    row = "<tr><td>Name #</td><td>Place #</td><td>#</td><td>20#</td></tr>"
    found = main_list(f"<table>{numbered(row, 8)}</table>")
    assert found[0] == "Name 1 Place 1 1 201"
    assert len(found) == 8


def test_records_of_several_sections_are_one_region() -> None:
    item = "<li><a href=#>Name #</a><p>about # at some length</p><b>#</b><i>#</i><u>#</u></li>"
    sections = [f"<section><h2>Part {k}</h2><ul>{numbered(item, k)}</ul></section>" for k in (4, 7, 5)]
    assert len(main_list("".join(sections))) == 16


def test_a_menu_comes_after_the_list() -> None:
    menu = "<nav><ul>" + numbered("<li><a href=#>A rather long name of a section #</a></li>", 30) + "</ul></nav>"
    listing = numbered("<article><h2><a href=#>Title #</a></h2><p>About #</p><p>More on #</p></article>", 10)
    page = Page(menu + listing)
    first, second = regions.find(page, "gstm", {}).regions
    assert (len(first.records), len(second.records)) == (10, 30)
    assert first.score > second.score
    assert first.why["regularity"] == pytest.approx(0.9)
    assert first.why["items"] == 3


def test_thresholds_are_options() -> None:
    """Items half alike are a list below that threshold, and none above it."""
    page = Page("<ul><li><b>1</b><i>2</i></li><li><b>1</b><u>2</u></li><li><b>1</b><s>2</s></li></ul>")
    (found,) = gstm.find(page, threshold=0.5).regions
    assert len(found.records) == 3
    assert gstm.find(page, threshold=0.6) == ([], ())
    for wrong in (-0.1, 1.1, float("nan")):
        with pytest.raises(FastwrapError, match="from 0 to 1"):
            gstm.find(page, threshold=wrong)
        with pytest.raises(FastwrapError, match="from 0 to 1"):
            gstm.find(page, relative=wrong)


def test_a_page_without_lists() -> None:
    for empty in ("", "<p>One <b>text</b></p>", "<ul><li></li><li></li></ul>", "<title>a</title><title>b</title>"):
        assert gstm.find(Page(empty)) == ([], ())


def test_a_page_says_that_the_budget_was_met(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("<ul>" + numbered("<li><b>#</b> text <i>#</i></li>", 9) + "</ul>")
    assert gstm.find(page).limits == ()
    monkeypatch.setattr(gstm, "BUDGET", 3)
    assert gstm.find(page).limits == ("regions.folding",)


def check(page: Page) -> None:
    """What must hold of the regions of any page."""
    found = gstm.find(page).regions
    records.check_regions(page, found)
    assert all(region.score > 0 for region in found)


@settings(max_examples=300)
@given(source=html)
def test_any_page_gives_regions_of_records(source: str) -> None:
    check(Page(source))


@settings(max_examples=100)
@given(source=html)
def test_a_repeated_page_gives_regions_of_records(source: str) -> None:
    check(Page(f"<div>{source}</div>" * 3))


def test_example_pages(example: bytes) -> None:
    page = Page(example)
    check(page)
    assert len(gstm.find(page).regions[0].records) >= 4


@pytest.mark.corpus
def test_real_pages(corpus: list[Path]) -> None:
    for path in corpus[::7]:
        check(Page(path.read_bytes()))


# Two pages


ITEM = "<li><a href=#>Name #</a><p>about # at some length</p><b>#</b><i>#</i><u>#</u></li>"
MENU = (
    "<nav><ul>"
    + numbered("<li><a href=#>A section #</a> <i>new</i> <u>more</u> <s>x</s> <b>y</b></li>", 12)
    + "</ul></nav>"
)


def two(count: int, word: str) -> Page:
    return Page(f"<body>{MENU}<main><h1>Found</h1><ul>{numbered(ITEM, count).replace('Name', word)}</ul></main>")


def texts(page: Page, found: FoundRegion) -> list[str]:
    return [page.span_text(*span) for span in found.records.tolist()]


def test_a_single_record_is_found_by_a_page_with_many() -> None:
    one, many = two(1, "Only"), two(7, "Other")
    assert all(len(region.records) > 1 for region in gstm.find(one).regions)
    first = gstm.find(one, other=many).regions[0]
    assert [text.split()[0] for text in texts(one, first)] == ["Only"]
    assert len(gstm.find(many, other=one).regions[0].records) == 7
    assert extract(one, method="gstm", other=many, min_confidence=0).regions[0].texts[0][1] == "Only 1"


def test_what_says_the_same_on_both_pages_comes_last() -> None:
    one, other = two(4, "One"), two(5, "Other")
    first, second = gstm.find(one, other=other).regions
    assert (len(first.records), len(second.records)) == (4, 12)
    assert (first.why["same"], second.why["same"]) == (0.0, 1.0)
    assert len(gstm.find(one).regions[0].records) == 12


def test_a_page_with_nothing_beside_it_gives_what_it_gives_alone() -> None:
    page = two(4, "One")
    alone, both = gstm.find(page).regions, gstm.find(page, other="<p>").regions
    assert [region.records.tolist() for region in alone] == [region.records.tolist() for region in both]
    with pytest.raises(TypeError):
        gstm.find(page, other=7)  # type: ignore[arg-type]


@settings(max_examples=200)
@given(source=html, other=html)
def test_two_pages_give_regions_of_records(source: str, other: str) -> None:
    page = Page(source)
    found = gstm.find(page, other=other)
    records.check_regions(page, found.regions, fewest=1)
    assert all(region.score > 0 for region in found.regions)


@given(source=html, other=html)
def test_two_pages_in_one_tree_are_these_pages(source: str, other: str) -> None:
    pages = Page(source), Page(other)
    pair = Pair.of(*pages)
    for page, start in zip(pages, (2, pair.second), strict=True):
        body, size = page.body, int(page.size[page.body])
        ours = slice(start + 1, start + size)
        assert pair.tree.tag[ours].tolist() == page.tag[body + 1 : body + size].tolist()
        assert pair.tree.size[ours].tolist() == page.size[body + 1 : body + size].tolist()
        assert (pair.tree.parent[ours] - start).tolist() == (page.parent[body + 1 : body + size] - body).tolist()
    spans = np.array([[2, pair.second], [pair.second, len(pair.tree)]], dtype=np.int32)
    assert [own.tolist() for own in pair.own(spans)] == [
        [[page.body, page.body + int(page.size[page.body])]] for page in pages
    ]


def test_two_pages_say_that_a_budget_was_met(monkeypatch: pytest.MonkeyPatch) -> None:
    one, many = two(1, "Only"), two(7, "Other")
    assert gstm.find(one, other=many).limits == ()
    monkeypatch.setattr(side_by_side, "MOST_PLACES", 0)
    assert gstm.find(one, other=many).limits == ("regions.folding",)
    monkeypatch.undo()
    monkeypatch.setattr(gstm, "BUDGET", 3)
    assert gstm.find(one, other=many).limits == ("regions.folding",)
