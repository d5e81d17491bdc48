"""Noise removal: the regions found and what is kept of a page, against the algorithms written out, and that the page
left is whole, in all modes; the kernels against their plain twins."""

from __future__ import annotations

import itertools
import pickle
from collections import Counter
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastwrap
from fastwrap import FastwrapError, Page
from fastwrap._core.noise import richness, selection
from fastwrap.noise import cleaning as noise
from fastwrap.noise.cleaning import cut_off, keep, main_region, regions
from fastwrap.page.names import TEXT
from tests.reference.html import html
from tests.reference.noise import richness as plain_richness
from tests.reference.noise import selection as plain_selection
from tests.reference.noise import tag_path

blocks = st.lists(
    st.builds(
        lambda tag, style, inside, times: f"<{tag} class={style}>{inside}</{tag}>" * times,
        st.sampled_from(["div", "p", "ul", "x-y", "z-w"]),
        st.sampled_from("abc"),
        st.sampled_from(
            ["x", "<b>name</b> 1", "<a href=#>menu</a>", "<a href=#>m</a> <i class=z>long text</i>", "<hr>"]
        ),
        st.integers(1, 12),
    ),
    max_size=12,
).map("".join)
"""A page of blocks that repeat, so that there is something to cut."""

pages = st.one_of(html, blocks)


def pruned_by_algorithm_5(page: Page, start: int, end: int) -> list[int]:
    """The nodes left in the body when childless nodes outside the region are removed from below."""

    def visit(node: int) -> list[int]:
        left = [kept for child in page.children(node) for kept in visit(child)]
        return [node, *left] if left or start <= node < end else []

    return visit(page.body)


@settings(max_examples=300)
@given(pages, st.data())
def test_prune_keeps_what_algorithm_5_keeps(source: str, data: st.DataObject) -> None:
    page = Page(source)
    body, last = noise.body_span(page)
    start = data.draw(st.integers(body, last - 1))
    end = data.draw(st.integers(start + 1, last))
    left = keep(page, np.array([[start, end]], dtype=np.int32))
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
    assert left.text().replace(" ", "") == "".join(texts).replace(" ", "")
    assert left.data_scripts == page.data_scripts


@settings(max_examples=200)
@given(pages, st.sampled_from(noise.MODES))
def test_clean_gives_a_page_again(source: str, mode: str) -> None:
    page = Page(source)
    left = fastwrap.clean(page, mode=mode)
    check_selection(page, left)
    again = pickle.loads(pickle.dumps(left))  # noqa: S301 - our own bytes
    assert [again.css_path(node) for node in range(len(again))] == [left.css_path(node) for node in range(len(left))]


@pytest.mark.parametrize("mode", noise.MODES)
def test_cleaning_twice_still_points_at_the_first_page(example: bytes, mode: str) -> None:
    page = Page(example)
    once = fastwrap.clean(page, mode=mode)
    twice = fastwrap.clean(once, mode=mode)
    assert twice.original is page
    check_selection(page, twice)


def test_listing_of_the_thesis() -> None:
    """Velloso 2014, listing 3.1: three regions between two breaks, the middle one the largest."""

    def spans(number: int, count: int) -> str:
        return "<div>" + f"<span class=region{number}></span>" * count + "</div>"

    page = Page("<br>" + spans(1, 6) + spans(2, 20) + spans(3, 5) + "<br>")
    left = fastwrap.clean(page)
    classes = [left.attributes(node).get("class") for node in range(len(left)) if left.tag_name(node) == "span"]
    assert classes == ["region2"] * 20


@pytest.mark.parametrize("mode", noise.MODES)
@pytest.mark.parametrize("source", ["", "x", "<p>", "<frameset><frame></frameset>", "<!-- -->"])
def test_nothing_to_clean(source: str, mode: str) -> None:
    page = fastwrap.clean(source, mode=mode)
    assert page.text() == Page(source).text()


def test_url_is_kept() -> None:
    assert fastwrap.clean("<p>x", url="https://example.org/a").url == "https://example.org/a"


def test_unknown_mode_is_refused() -> None:
    with pytest.raises(FastwrapError, match="mode is 'best': expected 'plain' or 'printed' or 'joined'"):
        fastwrap.clean("<p>x", mode="best")


# The search


@settings(max_examples=200)
@given(pages, st.booleans())
def test_search_is_algorithm_3(source: str, printed: bool) -> None:
    page = Page(source)
    body, last = noise.body_span(page)
    expected = tag_path.search_region(page.path_symbol[body:last].tolist(), gives_up=printed)
    region = main_region(page, printed=printed)
    assert (region.start - body, region.end - body) == (expected.start, expected.end)
    assert region.complete


def check_cuts(page: Page) -> None:
    """The cuts lead from the body to the region, and each splits its window as algorithm 3 says."""
    symbols = page.path_symbol.tolist()
    start, end = noise.body_span(page)
    region = main_region(page)
    for node, threshold, right_kept in region.cuts.tolist():
        assert start < node < end
        times = Counter(symbols[start:end])
        both = set(symbols[start:node]) & set(symbols[node:end])
        assert all(times[symbol] < threshold for symbol in both)
        assert 5 * max(node - start, end - node) > 3 * (end - start)
        assert right_kept == (end - node > node - start)
        start, end = (node, end) if right_kept else (start, node)
    assert (start, end) == (region.start, region.end)


@settings(max_examples=200)
@given(pages)
def test_cuts_split_what_shares_no_frequent_symbol(source: str) -> None:
    check_cuts(Page(source))


def test_cuts_of_the_examples(example: bytes) -> None:
    page = Page(example)
    assert len(main_region(page).cuts) > 0
    check_cuts(page)


def test_a_refused_cut_hides_nothing_behind_it() -> None:
    """Two halves too even to choose from, then a footer: as printed, the footer stays for good."""
    halves = "<p class=a>x</p>" * 20 + "<p class=b>x</p>" * 20
    page = Page(halves + "<p class=c>x</p>" * 5)
    region = main_region(page)
    assert page.span_text(region.start, region.end) == " ".join(["x"] * 40)
    region = main_region(page, printed=True)
    assert page.span_text(region.start, region.end) == " ".join(["x"] * 45)


# The budget


def comb(teeth: int) -> str:
    """Made to hurt: b0 a0 a0 a0 a0 b1 a1 ... then every b twice more, in turn. The b span the window, whatever is cut;
    only the a, one at a time from the left and behind two failing thresholds, give a cut."""
    blocks = [label for tooth in range(teeth) for label in [2 * tooth, *[2 * tooth + 1] * 4]]
    blocks += [2 * tooth for tooth in range(teeth)] * 2
    return "".join(f"<hr class=c{label}>" for label in blocks)


@pytest.mark.parametrize("mode", noise.MODES)
def test_a_page_says_that_the_search_met_its_budget(mode: str) -> None:
    page = Page(comb(20_000))
    left = fastwrap.clean(page, mode=mode)
    assert left.limits == ("noise.search",)
    assert 0 < len(left) <= len(page)
    assert left.original is page
    again = pickle.loads(pickle.dumps(left))  # noqa: S301 - our own bytes
    assert again.limits == left.limits
    assert len(again) == len(left)


@pytest.mark.parametrize("mode", noise.MODES)
def test_other_pages_have_no_limits(example: bytes, mode: str) -> None:
    assert fastwrap.clean(example, mode=mode).limits == ()


# The mode "joined"


@settings(max_examples=200)
@given(pages)
def test_regions_share_no_node_and_begin_with_the_main_one(source: str) -> None:
    page = Page(source)
    found, complete = regions(page)
    assert complete
    region = main_region(page)
    assert found[0] == (region.start, region.end)
    ends = list(itertools.chain.from_iterable(sorted(found)))
    assert ends == sorted(ends)
    body, last = noise.body_span(page)
    assert body <= ends[0]
    assert ends[-1] <= last
    assert all(start < end for start, end in found)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=20))
def test_cut_off_is_what_the_cuts_remove(steps: list[tuple[float, bool]]) -> None:
    start, end = 10, 1_000
    cuts, removed = [], []
    for place, right_kept in steps:
        node = start + 1 + int(place * (end - start - 2))
        if not start < node < end:
            break
        cuts.append((node, 1, int(right_kept)))
        removed.append([start, node] if right_kept else [node, end])
        start, end = (node, end) if right_kept else (start, node)
    assert cut_off(np.array(cuts, dtype=np.int32).reshape(-1, 3), 10, 1_000).tolist() == removed


MENU = "<ul>" + "<li><a href='#'>something</a></li>" * 40 + "</ul>"


def record(number: int, style: str = "record") -> str:
    """One record of a list."""
    name = f"<h3><a href='#'>Name {number}</a></h3>"
    return f"<div class={style}>{name} <p>All about the thing {number}</p> <b>{number} EUR</b></div>"


def records(*numbers: int) -> str:
    """Records of one style."""
    return "".join(map(record, numbers))


def text_of(source: str) -> str:
    """The text of a page."""
    return Page(source).text()


def test_a_list_smaller_than_the_menu_is_kept() -> None:
    listed = records(*range(9))
    page = f"<div>{MENU}</div><div>{listed}</div>"
    assert fastwrap.clean(page).text() == text_of(MENU)
    assert fastwrap.clean(page, mode="joined").text() == text_of(listed)


def test_records_of_another_style_are_joined() -> None:
    listed = record(100, "first") + records(*range(9)) + record(200, "last")
    page = f"<div>{MENU}</div><div>{listed}</div>"
    assert fastwrap.clean(page, mode="joined").text() == text_of(listed)


def test_sections_of_a_list_are_joined() -> None:
    sections = "".join(f"<div class=section{k}>{records(*range(k, 20))}</div>" for k in (0, 10, 15))
    page = f"<div>{MENU}</div><div>{sections}</div><p>Copyright</p>"
    assert text_of(sections) not in fastwrap.clean(page, mode="plain").text()
    assert fastwrap.clean(page, mode="joined").text() == text_of(sections)


def test_a_region_that_rivals_the_best_is_kept_too() -> None:
    one = f"<div class=one>{records(*range(20))}</div>"
    other = f"<table>{'<tr><td>Some words<td>and others<td>12 EUR</tr>' * 40}</table>"
    page = f"<div>{MENU}</div><div>{one}</div><div>{other}</div>"
    assert fastwrap.clean(page).text() == text_of(other)
    assert fastwrap.clean(page, mode="joined").text() == f"{text_of(one)} {text_of(other)}"


def test_keep_takes_several_spans() -> None:
    page = Page("<p>a</p><div><p>b</p><p>c</p></div><p>d</p>")
    found = [node for node in range(len(page)) if page.tag[node] == TEXT]
    spans = np.array([[found[0], found[0] + 1], [found[2], found[2] + 1]], dtype=np.int32)
    left = keep(page, spans)
    assert left.text() == "a c"
    assert [left.tag_name(node) for node in range(len(left))] == [
        "html",
        "head",
        "body",
        "p",
        "#text",
        "div",
        "p",
        "#text",
    ]


# The kernels, and their plain twins


@pytest.fixture(params=[selection, plain_selection], ids=["native", "plain"])
def select_module(request: pytest.FixtureRequest) -> ModuleType:
    """Each of the two modules."""
    module: ModuleType = request.param
    return module


def drawn_spans(data: st.DataObject, first: int, last: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    """Some spans of nodes, [k, 2]."""
    ends = st.tuples(st.integers(first, last - 1), st.integers(1, last - first))
    drawn = data.draw(st.lists(ends, max_size=4))
    return np.array([(start, min(start + size, last)) for start, size in drawn], dtype=np.int32).reshape(-1, 2)


@settings(max_examples=200)
@given(pages, st.data())
def test_selections_are_the_same(source: str, data: st.DataObject) -> None:
    page = Page(source)
    spans = drawn_spans(data, *noise.body_span(page))
    kept = selection.spanned(page.native, spans)
    assert kept.tolist() == plain_selection.spanned(page.native, spans).tolist()
    parts = {node for start, end in spans.tolist() for node in pruned_by_algorithm_5(page, start, end)}
    assert kept.tolist() == sorted({*range(page.body), *parts})
    left, expected = (module.select(page.native, kept) for module in (selection, plain_selection))
    for native, plain in zip(left, expected, strict=True):
        assert type(native) is type(plain)
        assert np.array_equal(native, plain)
        assert isinstance(native, bytes) or native.dtype == plain.dtype == np.int32


@pytest.mark.parametrize(
    ("kept", "message"),
    [
        ([0, 2, 2], "must rise from 0 and be below 8, but 2 follows 2"),
        ([0, 8], "must rise from 0 and be below 8, but 8 follows 0"),
        ([-1, 0], "must rise from 0 and be below 8, but -1 follows -1"),
        ([0, 2, 4], "node 4 is to be kept without its parent 3"),
        ([1], "node 1 is to be kept without its parent 0"),
    ],
)
def test_selections_that_are_none(select_module: ModuleType, kept: list[int], message: str) -> None:
    page = Page("<p>a<p>b<hr>")
    with pytest.raises(ValueError, match=message):
        select_module.select(page.native, np.array(kept, dtype=np.int32))


@pytest.mark.parametrize("span", [(2, 9), (-1, 2), (4, 3), (4, 4)])
def test_spans_that_are_none(select_module: ModuleType, span: tuple[int, int]) -> None:
    page = Page("<p>a<p>b<hr>")
    with pytest.raises(ValueError, match="is not within the 8 nodes"):
        select_module.spanned(page.native, np.array([span], dtype=np.int32))


@settings(max_examples=300)
@given(pages, st.data(), st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 0.3, 0.5, 1.0]), st.floats(0, 1))
def test_richest_regions_are_the_same(
    source: str, data: st.DataObject, link_weight: float, rival: float, alike: float
) -> None:
    page = Page(source)
    spans = drawn_spans(data, *noise.body_span(page))
    native = richness.richest(page.native, spans, link_weight, rival, alike)
    assert native.tolist() == plain_richness.richest(page.native, spans, link_weight, rival, alike).tolist()
    assert native.dtype == np.int32
    assert native.shape == (len(native), 2)
    assert len(spans) == 0 or len(native) > 0


@pytest.mark.parametrize("module", [richness, plain_richness], ids=["native", "plain"])
@pytest.mark.parametrize("span", [(1, 4), (4, 4), (5, 4), (4, 9)])
def test_regions_outside_the_body_are_refused(module: ModuleType, span: tuple[int, int]) -> None:
    page = Page("<p>a<p>b<hr>")
    with pytest.raises(ValueError, match="0 is not within the"):
        module.richest(page.native, np.array([span], dtype=np.int32), 0.5, 0.5, 0.5)


def test_texts_that_touched_one_that_is_cut_out_do_not_touch() -> None:
    """There is a space where a text was."""
    page = Page("<p>a<b>b</b>c</p><p>d<i>e</i></p>")
    texts = [node for node in range(len(page)) if page.tag[node] == TEXT]
    kept = np.array([node for node in range(len(page)) if node not in (texts[1], texts[4])], dtype=np.int32)
    assert selection.select(page.native, kept)[8] == b"a c d "
    everything = np.arange(len(page), dtype=np.int32)
    assert selection.select(page.native, everything)[8] == page.arrays.text == b"a\xffb\xffc d\xffe "
