"""The method classes: which classes are chosen, where records start, and nothing that breaks it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import Page, regions
from fastwrap.regions import FoundRegion, classes
from tests.helpers.records import check_regions, numbered, texts
from tests.reference.html import html


def lists(body: str, **options: object) -> list[list[str]]:
    page = Page(f"<body>{body}</body>")
    return [texts(page, region) for region in regions.find(page, "classes", options).regions]


def test_leaves_do_not_matter() -> None:
    """Texts, images and line breaks are leaves; that one record has a link more than the others is not one."""
    items = ["<li><a href=1>one</a> text</li>", "<li><a href=2><img></a><br></li>", "<li>text <a href=3>three</a> <br>"]
    assert lists(f"<ul>{''.join(items)}<li><a href=4>four</a><a href=5>five</a></ul>") == [
        ["one text", "", "text three"]
    ]


def test_leaves_count_for_the_size() -> None:
    """A box around one text has two nodes, around two texts three."""
    assert lists("<ul>" + "<li>a</li>" * 5 + "</ul>") == []
    assert lists("<ul>" + "<li>a<br></li>" * 5 + "</ul>") == [["a"] * 5]
    assert lists("<ul>" + "<li>a</li>" * 5 + "</ul>", min_size=2) == [["a"] * 5]


def test_a_record_starts_where_the_first_class_comes_again() -> None:
    """Not where any class comes again, so two descriptions in a row stay in one record."""
    listing = numbered("<dt><b>name #</b></dt><dd><i>about #</i></dd><dd><i>price #</i></dd>", 4)
    assert lists(f"<dl>{listing}</dl>") == [[f"name {k} about {k} price {k}" for k in range(4)]]


def test_nested_classes_are_dropped() -> None:
    """Cells are more frequent than rows, but they are inside of them."""
    rows = numbered("<tr><td><b>#</b></td><td><i>one</i></td></tr>", 6)
    assert len(classes.find(Page(f"<table>{rows}</table>")).regions) == 1
    assert lists(f"<table>{rows}</table>") == [[f"{k} one" for k in range(6)]]


def test_a_heading_starts_no_list() -> None:
    """Its class is chosen for the others on the page, but does not come again here."""
    heading = "<h2><b>Heading</b> text</h2>"
    items = numbered("<p><a href=#>item #</a></p><div><i>about #</i></div>", 3)
    found = lists(f"<main>{heading}{items}</main><aside><div>{heading}</div></aside>")
    assert [f"item {k} about {k}" for k in range(3)] in found


def test_rows_of_a_grid_are_one_list_and_other_paths_are_not() -> None:
    cells = [f"<td><b>name {k}</b></td>" for k in range(6)]
    rows = "".join(f"<tr>{''.join(cells[k : k + 2])}{'<td>last' * (k == 4)}</tr>" for k in range(0, 6, 2))
    other = "<div><table><tr><td><b>elsewhere</b></td><td><b>too</b></td></tr></table></div>"
    found = lists(f"<table>{rows}</table>{other}", classes=1)
    assert found == [[f"name {k}" for k in range(6)], ["elsewhere", "too"]]


def test_most_text_comes_first() -> None:
    menu = "<ul>" + "<li><a href=x>menu</a></li>" * 9 + "</ul>"
    items = numbered("<div><b>item #</b> <i>a longer text about it, with a price and more</i></div>", 4)
    found = lists(menu + f"<main>{items}</main>")
    assert [len(records) for records in found] == [4, 9]


@given(st.lists(st.integers(1, 30), max_size=200), st.integers(1, 12), st.sampled_from([0.0, 0.1, 0.5, 1.0]))
def test_most_frequent(labels: list[int], count: int, decay: float) -> None:
    chosen = list(classes.most_frequent(labels, count, decay).items())
    frequency = Counter(labels)
    assert chosen == [(label, frequency[label]) for label, _ in chosen]
    assert len(chosen) <= count
    assert all(times >= 2 for _, times in chosen)
    # The order is by frequency, then by appearance, and nothing is skipped.
    order = sorted(frequency, key=lambda label: (-frequency[label], labels.index(label)))
    assert [label for label, _ in chosen] == order[: len(chosen)]
    for (_, before), (_, after) in pairwise(chosen):
        assert after >= decay * before
    if len(chosen) < min(count, len(order)):
        following = frequency[order[len(chosen)]]
        assert following < 2 or (chosen and following < decay * chosen[-1][1])


def check(page: Page, found: Sequence[FoundRegion]) -> None:
    """Records start with one class, below one tag path."""
    check_regions(page, found)
    for region in found:
        spans = region.records.tolist()
        assert len({int(page.leafless_class[start]) for start, _ in spans}) == 1
        assert len({int(page.path_symbol[page.parent[start]]) for start, _ in spans}) == 1
        assert all(page.size[start] >= 3 for start, _ in spans)


@settings(max_examples=300)
@given(html)
def test_any_page(source: str) -> None:
    page = Page(source)
    check(page, classes.find(page).regions)


@settings(max_examples=100)
@given(html, st.integers(2, 8))
def test_any_page_repeated(source: str, times: int) -> None:
    """Random pages hardly repeat: here a part of them does."""
    page = Page(f"<ul>{f'<li>{source}</li>' * times}</ul>")
    check(page, classes.find(page).regions)


@pytest.mark.parametrize("body", ["", "text", "<p>one<p>two", "<frameset><frame><frame></frameset>"])
def test_pages_without_a_list(body: str) -> None:
    assert classes.find(Page(body)) == ([], ())


def test_examples(example: bytes) -> None:
    page = Page(example)
    found = regions.find(page, "classes", {}).regions
    assert found
    check(page, found)


def test_real_pages(corpus: list[Path]) -> None:
    for path in corpus[::20]:
        page = Page(path.read_bytes())
        check(page, classes.find(page).regions)
