"""Sets of records: the native search against its plain twin, on any page, and what it refuses."""

from __future__ import annotations

import importlib
from concurrent.futures import ThreadPoolExecutor
from operator import itemgetter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import FastwrapError, Page
from fastwrap._core.regions import record_sets as native
from fastwrap.page.arrays import Int32Array
from fastwrap.regions import auto, autorm, find, methods, ranking, signal
from tests.helpers.listings import listings, modern, sections, sequences, threads
from tests.helpers.paths import EXAMPLES
from tests.reference.regions import record_sets as plain

RANKED = ranking.options()


def assert_same(one: plain.Found, other: plain.Found) -> None:
    """Exactly the same records; the same numbers but for rounding."""
    records, order, why, limits = one
    other_records, other_order, other_why, other_limits = other
    assert records.dtype == other_records.dtype
    assert records.tolist() == other_records.tolist()
    np.testing.assert_allclose(why, other_why, rtol=1e-9, atol=1e-9)
    assert limits == other_limits
    # Where two ranks are equal but for rounding, either may be first.
    for left, right in zip(sorted(order, key=itemgetter(4)), sorted(other_order, key=itemgetter(4)), strict=True):
        assert (left[0], left[1], left[4]) == (right[0], right[1], right[4])
        assert left[2] == pytest.approx(right[2], rel=1e-9)
        assert left[3] is right[3] is None or left[3] == pytest.approx(right[3], rel=1e-9)
    scores = [score for _, _, score, _, _ in order]
    assert scores == sorted(scores, reverse=True)


@given(listings, st.sampled_from([0.3, 0.5, 0.8]), st.sampled_from([0.0, 0.01, 0.2]))
@settings(max_examples=1500)
def test_both_find_the_same(text: str, similarity: float, coverage: float) -> None:
    page = Page(text)
    options = autorm.OPTIONS._replace(similarity=similarity, coverage=coverage)
    assert_same(native.find_sets(page.native, options, None), plain.find_sets(page, options, None))


@given(modern, st.sampled_from([0.3, 0.5, 0.8]))
@settings(max_examples=1500)
def test_both_do_the_same_with_what_is_chosen(text: str, similarity: float) -> None:
    page = Page(text)
    options = autorm.OPTIONS._replace(similarity=similarity)
    assert_same(native.find_sets(page.native, options, RANKED), plain.find_sets(page, options, RANKED))


@given(threads(), st.sampled_from([0.3, 0.5]))
@settings(max_examples=1500)
def test_both_find_the_same_posts_of_threads(text: str, similarity: float) -> None:
    page = Page(text)
    options = autorm.OPTIONS._replace(similarity=similarity)
    assert_same(native.find_sets(page.native, options, RANKED), plain.find_sets(page, options, RANKED))


@given(sequences | sections, st.sampled_from([0.3, 0.5, 0.8]))
@settings(max_examples=1500)
def test_both_cut_the_same(text: str, similarity: float) -> None:
    """Few siblings, in every order: it is the ways to cut that differ."""
    page = Page(text)
    options = autorm.OPTIONS._replace(similarity=similarity, coverage=0.0)
    assert_same(native.find_sets(page.native, options, None), plain.find_sets(page, options, None))


@given(listings)
@settings(max_examples=700)
def test_both_rank_the_same(text: str) -> None:
    page = Page(text)
    found = native.find_sets(page.native, autorm.OPTIONS, RANKED)
    assert_same(found, plain.find_sets(page, autorm.OPTIONS, RANKED))
    assert found[3] == ()


def some_sets(page: Page, data: st.DataObject) -> tuple[Int32Array, Int32Array]:
    """Any nodes as records, of one set or a few."""
    nodes = data.draw(st.lists(st.integers(0, len(page) - 1), min_size=1, max_size=6))
    records = np.array([[node, node + page.size[node]] for node in nodes], dtype=np.int32)
    bounds = sorted({0, len(nodes), *data.draw(st.lists(st.integers(0, len(nodes)), max_size=2))})
    return records, np.array(bounds, dtype=np.int32)


@given(listings, st.data())
@settings(max_examples=700)
def test_both_rank_given_sets_the_same(text: str, data: st.DataObject) -> None:
    page = Page(text)
    sets = some_sets(page, data)
    assert_same(
        native.rank_sets(page.native, autorm.OPTIONS, RANKED, *sets),
        plain.rank_sets(page, autorm.OPTIONS, RANKED, *sets),
    )


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.html")), ids=lambda path: path.stem)
def test_both_find_the_same_on_the_examples(path: Any) -> None:
    page = Page(path.read_bytes())
    for ranked in (None, RANKED):
        assert_same(
            native.find_sets(page.native, autorm.OPTIONS, ranked), plain.find_sets(page, autorm.OPTIONS, ranked)
        )


@given(listings)
def test_without_a_ranking_the_sets_are_the_same(text: str) -> None:
    page = Page(text)
    records, order, why, limits = native.find_sets(page.native, autorm.OPTIONS, RANKED)
    unranked = native.find_sets(page.native, autorm.OPTIONS, None)
    assert records.tolist() == unranked[0].tolist()
    assert why[:, : unranked[2].shape[1]].tolist() == unranked[2].tolist()
    assert limits == unranked[3]
    assert [number for *_, number in unranked[1]] == list(range(len(order)))


def content(text: str) -> list[float]:
    """The letters of each node of a page, without those below it."""
    page = Page(text)
    nodes = np.arange(len(page) + 1, dtype=np.int32)
    records = np.stack((nodes[:-1], nodes[1:]), axis=1)
    _, _, why, _ = native.rank_sets(page.native, autorm.OPTIONS, RANKED, records, nodes)
    letters: list[float] = why[:, 7 + ranking.FEATURES.index("letters")].tolist()
    return letters


def test_content_is_letters_and_pictures() -> None:
    text = "<p>12 EUR</p><img width=16 height=16><img width=1><select><option>a</select>"
    assert content(text) == [0, 0, 0, 0, 6, 2, 0, 0, 0, 0]
    assert content("<img width=9999999 height=9999999999999999999999>")[-1] == autorm.OPTIONS.largest_image
    assert content("<img width=50%>")[-1] == autorm.OPTIONS.image


def test_a_large_picture_is_worth_more_than_a_small_one() -> None:
    text = "<img width=160 height=160><img width=16 height=16><img width=1 height=90><img><img width=100%>"
    assert content(text)[3:] == [200, 2, 0, 40, 40]


def test_controls_are_not_seen() -> None:
    assert sum(content("<p>four</p><select><option>hidden</select><textarea>x</textarea>")) == 4


def test_what_is_hidden_counts_little_unless_most_is() -> None:
    shown, hidden = "<p>four</p>", "<p style='display:none'>hidden</p>"
    assert sum(content(shown * 2 + hidden)) == pytest.approx(8 + autorm.OPTIONS.hidden * 6)
    assert sum(content(shown + hidden * 2)) == 16
    assert sum(content("<p>shown</p><p hidden>four</p>")) == pytest.approx(5 + autorm.OPTIONS.hidden * 4)
    assert sum(content("<p>two</p><p hidden>four, and some more</p>")) == 3 + 19


def test_hidden_data_is_not_seen() -> None:
    """What looks like JSON and is long, where it is hidden."""
    data = '{"a": "' + "x" * 100 + '"}'
    assert sum(content(f"<p>four</p><code hidden>{data}</code>")) == 4
    assert sum(content(f"<p>four</p><code>{data}</code>")) == 4 + len(data)
    assert sum(content("<p>four</p><code hidden>{}</code>")) == pytest.approx(4 + autorm.OPTIONS.hidden * 2)


def test_labels_of_controls_are_not_seen() -> None:
    assert sum(content("<label>four</label>")) == 4
    assert sum(content("<label for=x>four</label><label><input>four</label><label>four<select></select></label>")) == 0


def test_sections_of_small_records_are_cut_into_records() -> None:
    body = "".join(
        f"<h2>Section {k}</h2><div>"
        + "".join(f"<div><a href={j}>Item {j}</a> <b>{j} EUR</b></div>" for j in range(n))
        + "</div>"
        for k, n in enumerate((2, 4, 3, 5, 2, 4))
    )
    assert len(listed(body)) == 20


def test_letters_are_not_bytes() -> None:
    assert sum(content("<p>four</p><p>день</p><p>漢字四つ</p>")) == 12


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

    def found(page: Page) -> plain.Found:
        return native.find_sets(page.native, autorm.OPTIONS, RANKED)

    alone = [found(page) for page in pages]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            for one, other in zip(alone, pool.map(found, pages), strict=True):
                assert_same(one, other)


def test_links_in_like_cells_are_objects_of_a_grid() -> None:
    rows = "".join(
        "<tr>" + "".join(f"<td><a href=/{k}{n}>Name {k}{n}</a></td>" for n in "abc") + "</tr>" for k in "123"
    )
    page = Page(f"<table>{rows}</table>")
    assert len(autorm.find(page).regions[0].records) == 9


def test_sets_are_joined_around_more_than_one() -> None:
    """A menu is the best set of its path; the rows beside it are still joined with each other."""
    menu = "<tr>" + "".join(f"<td>A rather long entry of a menu {k}</td>" for k in range(6)) + "</tr>"
    rows = ("<tr>" + "".join(f"<td><i><a href=/{k}>{k}{k}</a></i></td>" for k in "ab") + "</tr>") * 7
    page = Page(f"<table>{menu}{rows}</table>")
    assert 14 in [len(region.records) for region in autorm.find(page).regions]


def listed(text: str) -> list[str]:
    page = Page(text)
    return [page.span_text(*span) for span in autorm.find(page).regions[0].records.tolist()]


RECORD = "<a href=#>Name {k}</a> <p>some text of {k}</p> <b>{k} EUR</b> <i>{k}</i> <u>{k}</u>"


def test_a_sibling_with_the_style_of_the_records_is_added() -> None:
    records = [f"<div class=item>{RECORD.format(k=k)}</div>" for k in range(8)]
    records[3] = "<div class=item><h3>Name 3</h3> <table><tr><td>quite another <td>tree</table></div>"
    assert len(listed(f"<main>{''.join(records)}</main>")) == 8
    assert autorm.find(Page(f"<main>{''.join(records)}</main>")).regions[0].why["added"] == 1
    records[3] = records[3].replace("item", "other")
    assert len(listed(f"<main>{''.join(records)}</main>")) == 7


def test_a_sponsored_record_is_added() -> None:
    """It has one class more, and another tree; or a box around it, with a label."""
    records = [f"<div class=item>{RECORD.format(k=k)}</div>" for k in range(8)]
    other = f"<div class='x item y'><em>Sponsored</em><div><h3>by</h3><p>{RECORD.format(k=3)}</p></div></div>"
    for place, own in ((3, other), (4, f"<section><em>Sponsored</em>{records[4]}</section>")):
        listing = [*records[:place], own, *records[place + 1 :]]
        assert len(listed(f"<main>{''.join(listing)}</main>")) == 8
    records[3] = f"<div class='x item y'>A single text that is long enough{'<br>' * 30}</div>"
    assert len(listed(f"<main>{''.join(records)}</main>")) == 7


def test_an_indented_record_is_added() -> None:
    records = [f"<div>{RECORD.format(k=k)}</div>" for k in range(8)]
    records[3] = f"<blockquote>{records[3]}</blockquote>"
    assert len(listed(f"<main>{''.join(records)}</main>")) == 8
    records[3] = "<blockquote><div>What somebody said about all this</div></blockquote>"
    assert len(listed(f"<main>{''.join(records)}</main>")) == 7


@pytest.mark.parametrize(
    ("records", "first", "message"),
    [
        ([[0, 9]], [0, 1], "within"),
        ([[2, 2]], [0, 1], "within"),
        ([[-1, 2]], [0, 1], "within"),
        ([[0, 1, 2]], [0, 1], "span"),
        ([[0, 1]], [0, 2], "cover"),
        ([[0, 1]], [1, 1], "cover"),
        ([[0, 1]], [0], "cover"),
        ([[0, 1]], [0, 0, 1], "one record"),
        ([[0, 1], [1, 2]], [0, 3, 2], "one record"),
    ],
)
def test_sets_that_are_not_of_the_page_are_refused(records: list[list[int]], first: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        native.rank_sets(
            Page("").native, autorm.OPTIONS, RANKED, np.array(records, dtype=np.int32), np.array(first, dtype=np.int32)
        )


def test_no_sets_are_ranked() -> None:
    records, first = np.empty((0, 2), dtype=np.int32), np.zeros(1, dtype=np.int32)
    found, order, why, limits = native.rank_sets(Page("").native, autorm.OPTIONS, RANKED, records, first)
    assert (found.shape, order, why.shape, limits) == ((0, 2), [], (0, 7 + len(ranking.FEATURES)), ())


def test_wrong_options_are_refused() -> None:
    page = Page("").native
    with pytest.raises(ValueError, match="tag"):
        native.find_sets(page, autorm.OPTIONS._replace(seen_as=autorm.SEEN_AS[:0]), None)
    with pytest.raises(ValueError, match="tag"):
        native.find_sets(page, autorm.OPTIONS, RANKED._replace(is_navigation=ranking.NAVIGATION[:0]))
    for weights in (RANKED.weights[:1], RANKED.weights[:, :-1].copy()):
        with pytest.raises(ValueError, match="length"):
            native.find_sets(page, autorm.OPTIONS, RANKED._replace(weights=weights))


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
    page = Page(text)
    for similarity, coverage in ((0.5, 0.01), (0.9, 0.0)):
        options = autorm.OPTIONS._replace(similarity=similarity, coverage=coverage)
        assert_same(native.find_sets(page.native, options, None), plain.find_sets(page, options, None))


# Limits


def met_on(text: str, **budgets: int) -> tuple[str, ...]:
    """The limits that both meet on a page."""
    page, options = Page(text), autorm.OPTIONS._replace(**budgets)  # type: ignore[arg-type]
    limits = native.find_sets(page.native, options, None)[-1]
    assert plain.find_sets(page, options, None)[-1] == limits
    return limits


def kinds(count: int) -> str:
    """Siblings of one tag, no two of which have the same tree."""
    return "".join(f"<div>{'<b>x</b>' * (k + 1)}</div>" for k in range(count))


def test_too_many_kinds_of_siblings_are_said() -> None:
    assert met_on(kinds(32)) == ()
    assert met_on(kinds(33)) == ("regions.clusters",)
    assert met_on(kinds(4), pairs=5) == ("regions.clusters",)
    assert met_on(kinds(4), pairs=6) == ()
    # The children of an equal node are not compared again, but counted.
    assert met_on(f"<p>{kinds(4)}</p>".replace("p>", "section>") * 2, pairs=6) == ("regions.clusters",)


def test_too_many_ways_to_cut_are_said() -> None:
    tags = "abbr b big bdi bdo cite code dfn em i kbd mark q s samp small strong".split()
    assert len(tags) == 17
    assert met_on("".join(f"<{tag}>x</{tag}>" for tag in tags[:16]) * 2) == ()
    assert met_on("".join(f"<{tag}>x</{tag}>" for tag in tags) * 2) == ("regions.segmentation",)
    separators = [f"<{tag}></{tag}>" for tag in tags[:9]]
    assert met_on("<u>x</u>" + "".join(f"{separator}<u>x</u>" for separator in separators[:8])) == ()
    assert met_on("<u>x</u>" + "".join(f"{separator}<u>x</u>" for separator in separators)) == ("regions.segmentation",)


def test_a_budget_of_tree_matching_is_said() -> None:
    text = "<div><b>x</b><i>y</i><b>z</b></div><div><i>x</i><b>y</b><i>z</i></div>" * 3
    assert met_on(text) == ()
    assert met_on(text, budget=1) == ("regions.matching",)


DEEP = ("b", "i", "u", "s", "em", "tt")
LEVEL = "".join(f"<{tag}>x</{tag}>" for tag in DEEP) + "".join(f"<{tag}>x</{tag}>" for tag in DEEP[:-1]) + "<tt>"


def towers(levels: int, items: int) -> str:
    """Two sections, in which every level has its records and, with the last one, all further levels: what both have on
    one level may be joined, so it is read."""
    return f"<section>{LEVEL * levels}{'<i>x</i>' * items}{'</tt>' * levels}</section>" * 2


def test_records_that_are_no_longer_read_are_said() -> None:
    assert autorm.find(Page(towers(20, 200))).limits == ()
    assert "regions.variety" in autorm.find(Page(towers(300, 50_000))).limits


def test_lists_whose_siblings_are_not_looked_at_are_said() -> None:
    def lists(count: int) -> str:
        # Lists of different tags below different paths, which are never joined.
        return "".join(
            f"<x-{k}>" + f"<y-{k}><b>name</b> <i>price</i> <u>text</u></y-{k}>" * 3 + f"</x-{k}>" for k in range(count)
        )

    assert find(Page(lists(99)), "autorm", {"coverage": 0.0}).limits == ()
    found = find(Page(lists(101)), "autorm", {"coverage": 0.0})
    assert len(found.regions) == 101
    assert found.limits == found.regions[0].limits == ("regions.siblings",)


@given(listings, st.sampled_from(sorted(methods())))
def test_ordinary_pages_meet_no_limit(text: str, method: str) -> None:
    found = find(Page(text), method, {})
    assert found.limits == ()
    assert all(region.limits == () for region in found.regions)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.html")), ids=lambda path: path.stem)
@pytest.mark.parametrize("method", sorted(methods()))
def test_the_examples_meet_no_limit(path: Any, method: str) -> None:
    found = find(Page(path.read_bytes()), method, {})
    assert found.limits == ()
    assert all(region.limits == () for region in found.regions)


@pytest.mark.parametrize("method", ["auto", "autorm"])
def test_limits_are_known_where_no_region_is_found(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("<div><b>x</b><i>y</i></div><div><i>x</i><b>y</b></div>")
    assert len(find(page, method, {}).regions) == 1
    monkeypatch.setattr(autorm, "OPTIONS", autorm.OPTIONS._replace(budget=0))
    assert find(page, method, {}) == ([], ("regions.matching",))


def test_what_is_no_option_is_refused() -> None:
    with pytest.raises(FastwrapError, match="no option 'similarity'"):
        find(Page("<p>"), "auto", {"similarity": 0.5})


@pytest.mark.parametrize(
    ("method", "options", "step"),
    [("mdr", {}, "regions.edits"), ("mdr", {"distance": "dt"}, "regions.matching"), ("depta", {}, "regions.matching")],
)
def test_a_budget_of_distances_is_said(
    method: str, options: dict[str, str], step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = importlib.import_module(f"fastwrap.regions.{method}")
    monkeypatch.setattr(module, "BUDGET", 10)
    text = "<ul>" + "<li><b>a</b> c <i>d</i></li><li><i>b</i> <b>e</b> <b>f</b></li>" * 5 + "</ul>"
    found = find(Page(text), method, options)
    for region in found.regions:
        assert region.limits == (step,)
    assert found.limits == (step,)


def test_budgets_of_the_signal_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "<p>menu</p>" + ("<ul>" + "<li><b>name</b> <i>price</i></li>" * 9 + "</ul><h2>more</h2>")
    text += "<ol>" + "<li><u>name</u> <s>price</s></li>" * 9 + "</ol>"
    monkeypatch.setattr(signal, "MOST_REGIONS", 1)
    found = find(Page(text), "signal", {})
    [region] = found.regions
    assert found.limits == region.limits == ("regions.candidates",)
