"""Sets of records: the native pass against the one with numpy, on any page, and what it refuses."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import ROOT
from fastwrap import Page
from fastwrap._plain import record_sets as plain
from fastwrap.regions import autorm
from reference.html import html

native = pytest.importorskip("fastwrap._core.record_sets", reason="the compiled modules are not installed")

CELLS = st.sampled_from(
    ["<td>a", "<td><a href=#>b</a>", "<th>c", "<td><b>d</b> e", "<td><img width=40 height=40>", "<td>", "<p>f", "<hr>"]
)
tables = st.lists(st.lists(CELLS, min_size=1, max_size=5), max_size=8).map(
    lambda rows: "<table>" + "".join("<tr>" + "".join(row) for row in rows) + "</table>"
)
boxes = st.lists(
    st.sampled_from(
        [
            "<li class=r><b>a</b> <i>b</i> <u>c</u>",
            "<li class=r><b>a</b>",
            "<li class=r><p>other",
            "<li><b>a</b> <i>b</i>",
            "<li><b>a</b> <i>b</i> <u>c</u>",
            "<li class=s><b>a</b> <i>b</i> <u>c</u>",
            "<div><li><b>a</b> <i>b</i> <u>c</u></div>",
            "<li class='x r'><b>a</b> <p>b</p> <u>c</u>",
            "<li class='r\tx '><p>a</p> <p>b</p>",
            "<section>x<li><b>a</b> <i>b</i> <u>c</u></section>",
        ]
    ),
    max_size=12,
).map(lambda parts: "<ul>" + "".join(parts) + "</ul>")
repeated = st.builds(
    lambda parts, order: "".join(parts[k % len(parts)] for k in order),
    st.lists(html | tables | boxes, min_size=1, max_size=3),
    st.lists(st.integers(0, 2), max_size=12),
)
"""A page of a few parts, again and again."""


def assert_equal(one: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    for left, right in zip(one, other, strict=True):
        assert left.dtype == right.dtype
        if left.dtype == np.float64:
            np.testing.assert_allclose(left, right, rtol=1e-12, atol=1e-12)
        else:
            assert left.tolist() == right.tolist()


@given(repeated, st.sampled_from([0.3, 0.5, 0.8]), st.sampled_from([0.0, 0.01, 0.2]))
@settings(max_examples=1500)
def test_both_find_the_same(text: str, similarity: float, coverage: float) -> None:
    arrays = (*autorm.arrays_of(Page(text)), similarity, coverage)
    assert_equal(native.best_sets(*arrays), plain.best_sets(*arrays))


@given(repeated, st.data())
@settings(max_examples=500)
def test_both_measure_the_same(text: str, data: st.DataObject) -> None:
    page = Page(text)
    nodes = data.draw(st.lists(st.integers(0, len(page) - 1), min_size=1, max_size=6))
    records = np.array([[node, node + page.size[node]] for node in nodes], dtype=np.int32)
    bounds = sorted({0, len(nodes), *data.draw(st.lists(st.integers(0, len(nodes)), max_size=2))})
    arrays = (*autorm.arrays_of(page), records, np.array(bounds, dtype=np.int32))
    assert_equal(native.measure_sets(*arrays), plain.measure_sets(*arrays))


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.html")), ids=lambda path: path.stem)
def test_both_find_the_same_on_the_examples(path: Any) -> None:
    arrays = (*autorm.arrays_of(Page(path.read_bytes())), 0.5, 0.01)
    assert_equal(native.best_sets(*arrays), plain.best_sets(*arrays))


def content(text: str) -> list[float]:
    before: list[float] = autorm.best_sets(Page(text)).before.tolist()
    return before


def test_content_is_letters_and_pictures() -> None:
    text = "<p>12 EUR</p><img width=16 height=16><img width=1><select><option>a</select>"
    assert content(text) == [0.0, 0.0, 0.0, 0.0, 0.0, 6.0, 8.0, 8.0, 8.0, 8.0, 8.0]
    assert content("<img width=9999999 height=9999999999999999999999>")[-1] == autorm.LARGEST_IMAGE
    assert content("<img width=50%>")[-1] == autorm.IMAGE


def test_what_is_hidden_counts_only_where_most_is() -> None:
    assert content("<p>shown</p><p hidden>four</p>")[-1] == 5
    assert content("<p>two</p><p hidden>four, and some more</p>")[-1] == 3 + 19


def test_sections_of_small_records_are_cut_into_records() -> None:
    body = "".join(
        f"<h2>Section {k}</h2><div>"
        + "".join(f"<div><a href={j}>Item {j}</a> <b>{j} EUR</b></div>" for j in range(n))
        + "</div>"
        for k, n in enumerate((2, 4, 3, 5, 2, 4))
    )
    assert len(listed(body)) == 20


def test_letters_are_not_bytes() -> None:
    assert content("<p>four</p><p>день</p><p>漢字四つ</p>")[-1] == 12


def test_a_page_of_deep_levels_is_read_within_a_budget() -> None:
    """Every level has sets whose last record holds the rest: without a budget the bottom is read at each of them."""
    tags = ("b", "i", "u", "s", "em", "tt")
    level = "".join(f"<{tag}>x</{tag}>" for tag in tags) + "".join(f"<{tag}>x</{tag}>" for tag in tags[:-1]) + "<tt>"
    page = Page(level * 700 + "<i>x</i>" * 200_000)
    assert len(page) > 400_000
    autorm.find(page)


def test_threads_do_not_share_scratch_memory() -> None:
    """Blocks of scratch memory are handed from call to call, and pages of many sizes take turns."""
    pages = [Page(f"<ul>{'<li><b>a</b> <i>b</i> <u>c</u>' * k}</ul><p>{'<a href=#>x</a> ' * k}") for k in range(2, 90)]
    alone = [autorm.best_sets(page) for page in pages]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            for one, other in zip(alone, pool.map(autorm.best_sets, pages), strict=True):
                assert_equal(one, other)


def test_links_in_like_cells_are_objects_of_a_grid() -> None:
    rows = "".join(
        "<tr>" + "".join(f"<td><a href=/{k}{n}>Name {k}{n}</a></td>" for n in "abc") + "</tr>" for k in "123"
    )
    page = Page(f"<table>{rows}</table>")
    assert len(autorm.find(page)[0].records) == 9


def test_sets_are_joined_around_more_than_one() -> None:
    """A menu is the best set of its path; the rows beside it are still joined with each other."""
    menu = "<tr>" + "".join(f"<td>A rather long entry of a menu {k}</td>" for k in range(6)) + "</tr>"
    rows = ("<tr>" + "".join(f"<td><i><a href=/{k}>{k}{k}</a></i></td>" for k in "ab") + "</tr>") * 7
    page = Page(f"<table>{menu}{rows}</table>")
    assert 14 in [len(region.records) for region in autorm.find(page)]


def listed(text: str) -> list[str]:
    page = Page(text)
    return [page.span_text(*span) for span in autorm.find(page)[0].records.tolist()]


RECORD = "<a href=#>Name {k}</a> <p>some text of {k}</p> <b>{k} EUR</b> <i>{k}</i> <u>{k}</u>"


def test_a_sibling_with_the_style_of_the_records_is_added() -> None:
    records = [f"<div class=item>{RECORD.format(k=k)}</div>" for k in range(8)]
    records[3] = "<div class=item><h3>Name 3</h3> <table><tr><td>quite another <td>tree</table></div>"
    assert len(listed(f"<main>{''.join(records)}</main>")) == 8
    assert autorm.find(Page(f"<main>{''.join(records)}</main>"))[0].why["added"] == 1
    records[3] = records[3].replace("item", "other")
    assert len(listed(f"<main>{''.join(records)}</main>")) == 7


def test_a_sponsored_record_is_added() -> None:
    """It has one class more, and another tree; or a box around it, with a label."""
    records = [f"<div class=item>{RECORD.format(k=k)}</div>" for k in range(8)]
    other = f"<div class='x item y'><em>Sponsored</em><div><h3>by</h3><p>{RECORD.format(k=3)}</p></div></div>"
    for place, own in ((3, other), (4, f"<section><em>Sponsored</em>{records[4]}</section>")):
        listing = [*records[:place], own, *records[place + 1 :]]
        assert len(listed(f"<main>{''.join(listing)}</main>")) == 8


def test_an_indented_record_is_added() -> None:
    records = [f"<div>{RECORD.format(k=k)}</div>" for k in range(8)]
    records[3] = f"<blockquote>{records[3]}</blockquote>"
    assert len(listed(f"<main>{''.join(records)}</main>")) == 8
    records[3] = "<blockquote><div>What somebody said about all this</div></blockquote>"
    assert len(listed(f"<main>{''.join(records)}</main>")) == 7


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (1, np.array([5, 0, 0], dtype=np.int32)),
        (2, np.array([3, 9, 1], dtype=np.int32)),
        (4, np.array([0, 7, 0], dtype=np.int32)),
        (13, 5),
        (0, np.array([1], dtype=np.int32)),
    ],
)
def test_arrays_of_no_page_are_refused(place: int, value: Any) -> None:
    arrays = list(autorm.arrays_of(Page("")))
    assert len(arrays[0]) == 3
    arrays[place] = value
    with pytest.raises(ValueError, match=r"page|body|length"):
        native.best_sets(*arrays, 0.5, 0.01)
