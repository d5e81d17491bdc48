"""The method signal: what a period is, records cut at subtrees, content first, and nothing that breaks it."""

from __future__ import annotations

import cmath
import json
import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import fmean, pvariance

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import Page, regions
from fastwrap.regions import FoundRegion, signal
from tests.helpers import records
from tests.helpers.paths import EXAMPLES
from tests.helpers.records import check_regions, numbered, texts
from tests.reference.html import html

main_list = partial(records.main_list, method="signal")

MENU = "<ul>" + "".join(f"<li><a href={k}>Section {k}</a></li>" for k in range(5)) + "</ul>"


def test_terms_with_their_descriptions() -> None:
    listing = numbered("<dt><a href=#>Name #</a></dt><dd>about #</dd><dd>price <b>#</b></dd>", 8)
    found = main_list(f"{MENU}<h1>Found</h1><dl>{listing}</dl>")
    assert found == [f"Name {k} about {k} price {k}" for k in range(8)]


def test_optional_parts() -> None:
    items = "".join(
        f"<div><h3><a href={k}>Name {k}</a></h3>"
        + "<p><b>new</b></p>" * (k % 3 == 0)
        + f"<p>about <i>{k}</i></p></div>"
        for k in range(12)
    )
    assert len(main_list(f"{MENU}<section>{items}</section>")) == 12


def test_a_record_begins_where_it_branches_off() -> None:
    """What recurs once a record may be deep inside: the record is still the whole row."""
    rows = numbered("<tr><td><img></td><td><p>text #</p></td></tr>", 8)
    assert main_list(f"{MENU}<table>{rows}</table>") == [f"text {k}" for k in range(8)]
    page = Page(f"<table>{rows}</table>")
    [region] = signal.find(page).regions
    assert {page.tag_name(start) for start in region.records[:, 0].tolist()} == {"tr"}


def test_rows_of_a_grid_are_one_list() -> None:
    cells = [f"<td><a href={k}>Name {k}</a><br><b>{k} EUR</b><p>about it</p></td>" for k in range(12)]
    rows = "".join(f"<tr>{''.join(cells[k : k + 3])}</tr>" for k in range(0, 12, 3))
    assert main_list(f"{MENU}<table>{rows}</table>") == [f"Name {k} {k} EUR about it" for k in range(12)]


def test_classes_that_number_the_places_of_a_row() -> None:
    """With styles the columns differ and the period is the row; without, it is the item."""
    items = "".join(
        f"<div class='place{k % 3}'><a href={k}>Name {k}</a><b>{k} EUR</b><p>about it</p></div>" for k in range(18)
    )
    assert len(main_list(f"{MENU}<main>{items}</main>")) == 18
    assert len(main_list(f"{MENU}<main>{items}</main>", styles=True)) == 6


def test_heading_and_pager_are_strangers() -> None:
    rows = numbered("<tr><td>#.</td><td><a href=#>Title #</a> <i>by #</i></td><td><b>#</b> EUR</td></tr>", 9)
    heading = "<tr><th>Results</th></tr>"
    pager = "<tr><td>pages</td></tr>"
    found = main_list(f"{MENU}<table>{heading}{rows}{pager}</table>")
    assert found == [f"{k}. Title {k} by {k} {k} EUR" for k in range(9)]


def test_only_strangers_at_the_ends_go() -> None:
    """The centre is a usual record; one unlike it goes from the ends of a list, not from its middle."""
    item, ad = "<li><a>name</a><b>price</b><i>more</i></li>", "<li>ad</li>"
    page = Page(f"<ul>{ad}{item * 3}{ad}{item * 4}{ad}{ad}</ul>")
    items = [node for node in range(len(page)) if page.tag_name(node) == "li"]
    spans = np.array([[node, node + int(page.size[node])] for node in items], dtype=np.int32)
    [left] = signal.without_strangers(partial(signal.path_distance, page.path_symbol), [signal.CutList(spans, 2, {})])
    assert left.spans.tolist() == spans[1:-2].tolist()


def test_similar_records_decide_between_equal_periods() -> None:
    paths = np.array([1, 7, 1, 8, 1, 9], dtype=np.int32)
    spans = np.array([[0, 2], [2, 4], [4, 6], [0, 1], [2, 3], [4, 5]], dtype=np.int32)
    start, region = np.array([0, 3, 6], dtype=np.int32), np.zeros(2, dtype=np.int32)
    runs = signal.Runs(spans[:, 0], start, region, np.ones((3, 2)))
    [found] = signal.best_lists(partial(signal.path_distance, paths), runs, spans)
    assert found.spans.tolist() == [[0, 1], [2, 3], [4, 5]]
    assert found.why["similarity"] == 1
    assert found.centre == 1


def test_max_slope() -> None:
    """The first record is new, so every list climbs a little."""
    page = Page("<ul>" + numbered("<li><b>#</b></li>", 9) + "</ul>")
    assert signal.find(page).regions
    assert signal.find(page, max_slope=0.0) == ([], ())


def test_a_pause_ends_a_list() -> None:
    """The same tags at the same depth: two short lists with much between them are not one."""
    listing = "<div>" + numbered("<p><b>#</b> <i>#</i></p>", 6) + "</div>"
    between = "<section>" + numbered("<h2>a</h2><u>b</u><em>c</em><q>d</q>", 20) + "</section>"
    page = Page(listing + between + listing)
    counts = sorted(len(region.records) for region in regions.find(page, "signal", {}).regions)
    assert counts.count(6) == 2
    unpaused = regions.find(page, "signal", {"pause": 1e9}).regions
    assert 6 not in [len(region.records) for region in unpaused]


def test_content_comes_before_menus() -> None:
    items = numbered("<article><h2><a href=#>Item #</a></h2><p>about <b>it</b></p><span># EUR</span></article>", 10)
    page = Page(f"{MENU}<main>{items}</main><footer>{MENU}</footer>")
    found = regions.find(page, "signal", {}).regions
    assert texts(page, found[0])[0] == "Item 0 about it 0 EUR"
    assert found[0].score > 0.5 > found[1].score
    assert [region.score for region in found] == sorted((region.score for region in found), reverse=True)


def test_what_climbs_is_no_list() -> None:
    """Nested ever deeper, every symbol new or long gone."""
    page = Page("<div>" * 40 + "text" + "</div>" * 40)
    assert signal.find(page) == ([], ())


@pytest.mark.parametrize("body", ["", "text", "<p>one<p>two", "<frameset><frame><frame></frameset>", "<br>" * 2])
def test_pages_without_a_list(body: str) -> None:
    assert signal.find(Page(body)) == ([], ())


def test_features_are_those_of_the_sequence() -> None:
    """A list in the second half of a page, worked out by hand."""
    page = Page("<body>" + "<p>a" * 3 + "<div>" + "<b>x</b>" * 6 + "</div>")
    sequence = np.array([0] + [1, 2] * 3 + [3] + [4, 5] * 6)
    why = next(region.why for region in signal.find(page).regions if len(region.records) == 6)
    mean, whole = 4.5, 5 - sequence.mean()
    assert [why[name] for name in signal.FEATURES] == pytest.approx(
        [12 / 20, 1 - abs(14 / 20 * 2 - 1), 14 / 20, mean / 5, 0.5 / whole, 2 / 6]
    )


def peak_by_definition(values: list[float], period: float) -> float:
    """One entry of `spectral_peaks`: the Fourier transform written out, zeros appended up to a power of two."""
    points = 1 << (len(values) - 1).bit_length()
    power = [
        abs(sum(value * cmath.exp(-2j * cmath.pi * frequency * t / points) for t, value in enumerate(values))) ** 2
        for frequency in range(points // 2 + 1)
    ]
    cycle, frequency = points / len(values), points / period
    width = max(signal.TOLERANCE * frequency, cycle)
    lowest = int(max(frequency - width, signal.SLOWEST * cycle))
    highest = int(max(frequency + width, lowest))
    height = max(power[lowest : highest + 1], default=0.0)
    deviation = math.sqrt(max(pvariance(power), signal.TINY))
    return min(height / (signal.CLEAR_PEAK * deviation), 1.0)


@settings(max_examples=150)
@given(st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=40), min_size=1, max_size=3), st.data())
def test_spectral_peaks(parts: list[list[int]], data: st.DataObject) -> None:
    levelled = [[value - fmean(part) for value in part] for part in parts]
    ends = np.cumsum([len(part) for part in parts])
    bounds = np.array([[end - len(part), end] for end, part in zip(ends, parts, strict=True)], dtype=np.int32)
    used = sorted(data.draw(st.lists(st.integers(0, len(parts) - 1), min_size=1, max_size=8)))
    periods = [data.draw(st.floats(1, len(parts[number]) / 2)) for number in used]
    whole = np.array([value for part in levelled for value in part])
    found = signal.spectral_peaks(whole, bounds, np.array(used, dtype=np.int32), np.array(periods))
    expected = [peak_by_definition(levelled[number], period) for number, period in zip(used, periods, strict=True)]
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_a_period_has_a_clear_peak_and_others_have_none() -> None:
    wave = np.tile(np.arange(8) - 3.5, 16)
    periods = np.array([8.0, 16.0, 11.0])
    peaks = signal.spectral_peaks(wave, np.array([[0, len(wave)]]), np.zeros(3, dtype=np.int32), periods)
    assert peaks.tolist() == pytest.approx([1, 0, 0], abs=1e-9)


def test_weights_are_shipped_for_every_feature() -> None:
    path = Path(signal.__file__).with_name("signal_weights.json")
    assert set(json.loads(path.read_text())["weights"]) == set(signal.FEATURES)
    weights, intercept = signal.content_weights()
    assert np.isfinite([*weights, intercept]).all()


def check(page: Page, found: Sequence[FoundRegion]) -> None:
    """Scores are likelihoods, and all that they rest on is a number."""
    check_regions(page, found)
    for region in found:
        assert 0 <= region.score <= 1
        assert all(np.isfinite(value) for value in region.why.values())


@settings(max_examples=300)
@given(html, st.booleans())
def test_any_page(source: str, styles: bool) -> None:
    page = Page(source)
    check(page, signal.find(page, styles=styles).regions)


@settings(max_examples=100)
@given(html, st.integers(3, 12))
def test_any_page_repeated(source: str, times: int) -> None:
    """Random pages hardly repeat: here a part of them does."""
    page = Page(f"<ul>{f'<li>{source}</li>' * times}</ul>")
    check(page, signal.find(page).regions)


def test_examples(example: bytes) -> None:
    page = Page(example)
    check(page, regions.find(page, "signal", {}).regions)


@pytest.mark.parametrize(("name", "count"), [("forum", 25), ("jobs", 20), ("table", 40)])
def test_lists_of_the_examples(name: str, count: int) -> None:
    page = Page((EXAMPLES / f"{name}.html").read_bytes())
    assert len(signal.find(page).regions[0].records) == count


def test_an_article_has_no_content_list() -> None:
    page = Page((EXAMPLES / "article.html").read_bytes())
    assert all(region.score < 0.5 for region in signal.find(page).regions)


def test_a_page_of_many_regions_keeps_the_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    lists = "".join(f"<x-{k}>{'<i><b>1</b></i>' * (4 + k)}</x-{k}>" for k in range(6))
    page = Page(lists)
    found, limits = signal.find(page)
    assert sorted(len(region.records) for region in found) == [4, 5, 6, 7, 8, 9]
    assert limits == ()
    monkeypatch.setattr(signal, "MOST_REGIONS", 2)
    found, limits = signal.find(page)
    assert sorted(len(region.records) for region in found) == [8, 9]
    assert limits == ("regions.candidates",)


def test_real_pages(corpus: list[Path]) -> None:
    for path in corpus[::20]:
        page = Page(path.read_bytes())
        check(page, signal.find(page).regions)
