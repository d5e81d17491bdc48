"""Sets of records: the native pass against the one with numpy, on any page, and what it refuses."""

from __future__ import annotations

import importlib
from concurrent.futures import ThreadPoolExecutor
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import FastwrapError, Page
from fastwrap.regions import auto, autorm, find, methods, ranking, signal
from tests.conftest import ROOT
from tests.reference.html import html
from tests.reference.regions import record_sets as plain

native = pytest.importorskip("fastwrap._core.regions.record_sets", reason="the compiled modules are not installed")

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
        if isinstance(left, tuple):  # the limits
            assert left == right
            continue
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


def ints(*numbers: int) -> npt.NDArray[np.int32]:
    return np.array(numbers, dtype=np.int32)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tag", ints(1)),
        ("tag", ints(1, -1, 1)),
        ("parent", ints(5, 0, 0)),
        ("parent", ints(-1, 0, 2)),
        ("parent", ints(-1, 0, -1)),
        ("parent", ints(-1, 0, -(2**31))),
        ("size", ints(3, 9, 1)),
        ("size", ints(3, 0, 1)),
        ("size", ints(3, -(2**31), 1)),
        ("text_start", ints(0, 0, 2**31 - 1, -(2**31))),
        ("text_start", ints(0, 0, 0, 9)),
        ("attribute_start", ints(0, 1, 0, 0)),
        ("attribute_start", ints(-1, 0, 0, 0)),
        ("attribute_start", ints(0, 0, 0, 1)),
        ("value_start", ints(1)),
        ("value_start", ints()),
    ],
)
def test_arrays_of_no_page_are_refused(name: str, value: Any) -> None:
    page = Page("")
    assert len(page) == 3
    wrong = page.arrays._replace(**{name: value})
    symbols = autorm.arrays_of(page)[1]
    for given_symbols in (None, symbols):
        with pytest.raises(ValueError, match=r"page|length"):
            native.ranked_sets(wrong, given_symbols, autorm.RULES, 0.5, 0.01, ranking.rules())
    with pytest.raises(ValueError, match=r"page|length"):
        native.best_sets(wrong, symbols, autorm.RULES, 0.5, 0.01)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (0, ints(0, 0)),
        (1, ints(0, 7, 0)),
        (1, ints(0, -1, 0)),
        (2, np.zeros(2, dtype=np.bool_)),
        (3, ints(1, 2, 4)),
        (3, ints(1, 2, -1)),
    ],
)
def test_symbols_of_no_page_are_refused(place: int, value: Any) -> None:
    arrays, symbols, rules = autorm.arrays_of(Page(""))
    wrong = (*symbols[:place], value, *symbols[place + 1 :])
    with pytest.raises(ValueError, match=r"page|length"):
        native.best_sets(arrays, wrong, rules, 0.5, 0.01)
    with pytest.raises(ValueError, match=r"page|length"):
        native.ranked_sets(arrays, wrong, rules, 0.5, 0.01, ranking.rules())


def test_wrong_rules_are_refused() -> None:
    arrays, symbols, rules = autorm.arrays_of(Page(""))
    with pytest.raises(ValueError, match="rules"):
        native.best_sets(arrays, symbols, rules._replace(seen_as=rules.seen_as[:0]), 0.5, 0.01)
    for weights in (ranking.fitted()[:1], ranking.fitted()[:, :-1].copy()):
        with pytest.raises(ValueError, match=r"weights|length"):
            native.ranked_sets(arrays, symbols, rules, 0.5, 0.01, ranking.rules()._replace(weights=weights))


# One call for all


@given(repeated)
@settings(max_examples=500)
def test_both_rank_the_same(text: str) -> None:
    arrays = Page(text).arrays
    records, order, why, limits, symbols = native.ranked_sets(arrays, None, autorm.RULES, 0.5, 0.01, ranking.rules())
    other = plain.ranked_sets(arrays, None, autorm.RULES, 0.5, 0.01, ranking.rules())
    assert records.tolist() == other[0].tolist()
    # Where two ranks are equal but for rounding, either may be first.
    assert sorted(set_[4] for set_ in order) == sorted(set_[4] for set_ in other[1])
    np.testing.assert_allclose(
        [set_[:4] for set_ in sorted(order, key=itemgetter(4))],
        [set_[:4] for set_ in sorted(other[1], key=itemgetter(4))],
        rtol=1e-9,
    )
    np.testing.assert_allclose(why, other[2], rtol=1e-9, atol=1e-9)
    assert limits == other[3] == ()
    for one, another in zip(symbols, other[4], strict=True):
        assert one.tolist() == another.tolist()
        assert one.dtype == another.dtype
        assert not one.flags.writeable


@given(repeated)
def test_one_call_finds_what_the_steps_find(text: str) -> None:
    page = Page(text)
    records, order, why, limits, symbols = native.ranked_sets(
        page.arrays, None, autorm.RULES, autorm.SIMILARITY, autorm.COVERAGE, ranking.rules()
    )
    for made, known in zip(symbols, autorm.arrays_of(page)[1], strict=True):
        assert made.tolist() == known.tolist()
    sets = autorm.best_sets(page)
    ranked = ranking.rank(page, sets.records, sets.first, sets.scores, sets.before)
    assert records.tolist() == sets.records.tolist()
    assert limits == sets.limits
    assert why.tolist() == np.hstack((sets.scores, sets.cuts, ranked.features)).tolist()
    assert [set_[2] for set_ in order] == sorted(ranked.sums[0].tolist(), reverse=True)
    for first, end, score, confidence, number in order:
        assert [first, end] == sets.first[number : number + 2].tolist()
        assert score == ranked.sums[0, number]
        assert confidence == ranking.probability(float(ranked.sums[1, number]))


def test_symbols_are_kept_by_the_page() -> None:
    page, other = Page("<p class=a>a</p><p hidden>b</p>" * 3), Page("<p class=a>a</p><p hidden>b</p>" * 3)
    auto.find(page)
    for name in ("style_symbol", "path_symbol", "hidden", "structural_class"):
        found = getattr(page, name)
        assert found is getattr(page, name)
        assert found.tolist() == getattr(other, name).tolist()
        assert not found.flags.writeable
    assert page.nbytes == other.nbytes


def test_equal_lists_are_cut_alike_where_the_same_of_them_is_seen() -> None:
    """What was cut is copied for equal trees; but a picture that is there for the layout parts records."""

    def listing(width: int) -> str:
        return "<ul>" + f"<b>a</b><i>b</i><img width={width} height=90>" * 3 + "</ul>"

    text = f"<div>{listing(90)}{listing(1)}{listing(90)}{listing(1)}</div>"
    arrays = autorm.arrays_of(Page(text))
    for similarity, coverage in ((0.5, 0.01), (0.9, 0.0)):
        assert_equal(native.best_sets(*arrays, similarity, coverage), plain.best_sets(*arrays, similarity, coverage))


# Limits


def met_on(text: str, budget: int = autorm.BUDGET, pairs: int = autorm.PAIRS) -> tuple[str, ...]:
    """The limits of both kernels on a page, which are the same."""
    arrays, symbols, rules = autorm.arrays_of(Page(text))
    given_rules = rules._replace(budget=budget, pairs=pairs)
    limits: tuple[str, ...] = native.best_sets(arrays, symbols, given_rules, 0.5, 0.01)[-1]
    assert plain.best_sets(arrays, symbols, given_rules, 0.5, 0.01)[-1] == limits
    return limits


def kinds(count: int) -> str:
    """Siblings of one tag, no two of which have the same tree."""
    return "".join(f"<div>{'<b>x</b>' * (k + 1)}</div>" for k in range(count))


def test_too_many_kinds_of_siblings_are_said() -> None:
    assert met_on(kinds(32)) == ()
    assert met_on(kinds(33)) == ("clusters",)
    assert met_on(kinds(4), pairs=5) == ("clusters",)
    assert met_on(kinds(4), pairs=6) == ()
    # The children of an equal node are not compared again, but counted.
    assert met_on(f"<p>{kinds(4)}</p>".replace("p>", "section>") * 2, pairs=6) == ("clusters",)


def test_too_many_ways_to_cut_are_said() -> None:
    tags = "abbr b big bdi bdo cite code dfn em i kbd mark q s samp small strong".split()
    assert len(tags) == 17
    assert met_on("".join(f"<{tag}>x</{tag}>" for tag in tags[:16]) * 2) == ()
    assert met_on("".join(f"<{tag}>x</{tag}>" for tag in tags) * 2) == ("segmentation",)
    separators = [f"<{tag}></{tag}>" for tag in tags[:9]]
    assert met_on("<u>x</u>" + "".join(f"{separator}<u>x</u>" for separator in separators[:8])) == ()
    assert met_on("<u>x</u>" + "".join(f"{separator}<u>x</u>" for separator in separators)) == ("segmentation",)


def test_a_budget_of_tree_matching_is_said() -> None:
    text = "<div><b>x</b><i>y</i><b>z</b></div><div><i>x</i><b>y</b><i>z</i></div>" * 3
    assert met_on(text) == ()
    assert met_on(text, budget=1) == ("matching",)


DEEP = ("b", "i", "u", "s", "em", "tt")
LEVEL = "".join(f"<{tag}>x</{tag}>" for tag in DEEP) + "".join(f"<{tag}>x</{tag}>" for tag in DEEP[:-1]) + "<tt>"


def test_records_that_are_no_longer_read_are_said() -> None:
    assert autorm.best_sets(Page(LEVEL * 20 + "<i>x</i>" * 200)).limits == ()
    assert "variety" in autorm.best_sets(Page(LEVEL * 700 + "<i>x</i>" * 200_000)).limits


def test_lists_whose_siblings_are_not_looked_at_are_said() -> None:
    def lists(count: int) -> str:
        # Lists of different tags below different paths, which are never joined.
        return "".join(
            f"<x-{k}>" + f"<y-{k}><b>name</b> <i>price</i> <u>text</u></y-{k}>" * 3 + f"</x-{k}>" for k in range(count)
        )

    assert autorm.find(Page(lists(99)), coverage=0.0)[0].limits == ()
    met: set[str] = set()
    found = autorm.find(Page(lists(101)), coverage=0.0, met=met)
    assert len(found) == 101
    assert found[0].limits == ("siblings",)
    assert met == {"siblings"}


@given(repeated, st.sampled_from(sorted(methods())))
def test_ordinary_pages_meet_no_limit(text: str, method: str) -> None:
    met: set[str] = set()
    found = find(Page(text), method, {}, met)
    assert met == set()
    assert all(region.limits == () for region in found)


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.html")), ids=lambda path: path.stem)
@pytest.mark.parametrize("method", sorted(methods()))
def test_the_examples_meet_no_limit(path: Any, method: str) -> None:
    met: set[str] = set()
    found = find(Page(path.read_bytes()), method, {}, met)
    assert met == set()
    assert all(region.limits == () for region in found)


@pytest.mark.parametrize("method", ["auto", "autorm"])
def test_limits_are_known_where_no_region_is_found(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("<div><b>x</b><i>y</i></div><div><i>x</i><b>y</b></div>")
    assert len(find(page, method, {})) == 1
    monkeypatch.setattr(autorm, "RULES", autorm.RULES._replace(budget=0))
    met: set[str] = set()
    assert find(page, method, {}, met) == []
    assert met == {"matching"}


def test_what_is_met_is_no_option() -> None:
    with pytest.raises(FastwrapError, match="no option 'met'"):
        find(Page("<p>"), "auto", {"met": set()})


@pytest.mark.parametrize(
    ("method", "options", "step"),
    [("mdr", {}, "edits"), ("mdr", {"distance": "dt"}, "matching"), ("depta", {}, "matching")],
)
def test_a_budget_of_distances_is_said(
    method: str, options: dict[str, str], step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = importlib.import_module(f"fastwrap.regions.{method}")
    monkeypatch.setattr(module, "BUDGET", 10)
    text = "<ul>" + "<li><b>a</b> c <i>d</i></li><li><i>b</i> <b>e</b> <b>f</b></li>" * 5 + "</ul>"
    met: set[str] = set()
    for region in find(Page(text), method, options, met):
        assert region.limits == (step,)
    assert met == {step}


def test_budgets_of_the_signal_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "<p>menu</p>" + ("<ul>" + "<li><b>name</b> <i>price</i></li>" * 9 + "</ul><h2>more</h2>")
    text += "<ol>" + "<li><u>name</u> <s>price</s></li>" * 9 + "</ol>"
    monkeypatch.setattr(signal, "MOST_REGIONS", 1)
    met: set[str] = set()
    [found] = find(Page(text), "signal", {}, met)
    assert met == {"regions"}
    assert found.limits == ("regions",)
