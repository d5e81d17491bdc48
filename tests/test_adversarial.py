"""Pages made to hurt, one for every step that is not linear: each gives a result, and budgets are kept.
Nothing here is timed: what has no budget does not end, and what has one is told by counts."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import msgspec
import numpy as np
import pytest

import fastwrap
from fastwrap import FastwrapError, Page, Wrapper, columns
from fastwrap._core.page.reading import LEVELS as MAX_DEPTH
from fastwrap.columns.records import BUDGET as COLUMN_BUDGET
from fastwrap.grammar import Matcher, induce, parse_expression
from fastwrap.noise import cleaning
from fastwrap.show import view
from fastwrap.show.parts import MAX_NODES
from fastwrap.similarity import measures

URL = "https://site.example/list?page=1"
METHODS = list(fastwrap.methods())
TAGS = "p div h3 ul table span dl form section a b i".split()


def siblings(count: int, seed: int = 1) -> str:
    """Elements in random order, each with none to three children."""
    source = random.Random(seed)
    tags = (source.choice(TAGS) for _ in range(count))
    return "".join(f"<{tag}>{'<b>x</b>' * source.randint(0, 3)}</{tag}>" for tag in tags)


def different(count: int) -> str:
    """Siblings of which no two are equal: their children are the digits of their numbers."""
    return "".join(
        f"<div class=c{k}>" + "".join("<b>t</b>" if digit == "1" else "<i>u</i>" for digit in f"{k:b}") + "</div>"
        for k in range(count)
    )


def fibonacci(order: int) -> str:
    """A tree of two smaller ones of its kind: as deep as can be for its size, with all subtrees equal to others."""
    smaller, larger = "<i>x</i>", "<b>y</b>"
    for _ in range(order):
        smaller, larger = larger, f"<div>{larger}{smaller}</div>"
    return larger


def lists_in_lists(levels: int, width: int) -> str:
    """Lists whose items are lists."""
    inner = "<i>x</i>"
    for _ in range(levels):
        inner = "<ul>" + f"<li>{inner}</li>" * width + "</ul>"
    return inner


def thue_morse(count: int) -> str:
    """Siblings of two kinds in the order of Thue and Morse: it has repeats everywhere, but never three in a row."""
    return "".join("<p>a</p>" if k.bit_count() % 2 else "<h3>b</h3>" for k in range(count))


def shop(inner: str = "", count: int = 5) -> str:
    """A list as others are, with something in each of its records."""
    return "<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k} EUR</i>{inner}</li>" for k in range(count)) + "</ul>"


PAGES: dict[str, Callable[[], str]] = {
    "equal siblings": lambda: "<ul>" + "<li><b>x</b> y</li>" * 10_000 + "</ul>",
    "all-different siblings": lambda: different(3_000),
    "siblings in random order": lambda: siblings(5_000),
    "Thue-Morse": lambda: thue_morse(10_000),
    "Fibonacci tree": lambda: fibonacci(18),
    "lists in lists": lambda: lists_in_lists(4, 8),
    "a list 900 levels down": lambda: "<div>" * 900 + shop() + "</div>" * 900,
    "a text at every level": lambda: "<div><p>x</p>" * 4_000,
    "deep records": lambda: "".join(("<div>" * 1_000, "x", "</div>" * 1_000)) * 8,
    "a comb": lambda: "".join("<span>" * (k % 40) + "x" + "</span>" * (k % 40) for k in range(500)),
    "attributes of 10 MB": lambda: shop(f"<a href='/{'h' * 1_000_000}' class='{'c ' * 500_000}'>z</a>"),
    "a class of 100 names each": lambda: "".join(
        f"<p class='{' '.join(f'k{j}' for j in range(k % 100))}'><b>n</b> t</p>" for k in range(1_000)
    ),
    "many attributes": lambda: shop("<u " + " ".join(f"data-a{k}=v" for k in range(1_000)) + ">z</u>"),
    "wide records": lambda: "<div>" + ("<p>" + "".join(f"<b>v{k}</b>" for k in range(3_000)) + "</p>") * 3 + "</div>",
    "wide records, all different": lambda: "<div>" + "".join(f"<p>{siblings(400, s)}</p>" for s in range(4)) + "</div>",
    "one large record": lambda: (
        "<ul><li><b>a</b></li><li><b>b</b></li><li>" + siblings(2_000) + "</li><li><b>c</b></li>"
    ),
    "a table of 60 x 60": lambda: "<table>" + ("<tr>" + "<td>1</td>" * 60 + "</tr>") * 60 + "</table>",
    "cells that span all": lambda: "<table>" + "<tr><td colspan=1000 rowspan=65534>a<td colspan=9999>b" * 2_000,
    "many lists": lambda: "".join(f"<ul class=c{k}>" + f"<li><a>t{k}</a> u</li>" * 3 + "</ul>" for k in range(1_500)),
    "custom tags": lambda: "".join(f"<x-{k}>a<b>c</b></x-{k}>" for k in range(2_000)),
    "options": lambda: "<select>" + "<option>x" * 10_000 + "</select>",
    "never closed": lambda: "<p><b><font><a href=x>" * 100,
    "a text of many parts": lambda: shop(", ".join(f"w{k}" for k in range(10_000))),
    "labels": lambda: "<div>" + ("<p>" + "<br>".join(f"k{k}: v{k}" for k in range(500)) + "</p>") * 5 + "</div>",
    "digits": lambda: shop(f"<b>{'7' * 50_000}</b><i>{'1.' * 25_000}</i><u>{'1,000' * 10_000}</u>"),
    "words": lambda: shop("word " * 100_000),
    "blanks": lambda: shop(" " * 500_000 + "<b> </b>"),
    "a pager of 5,000": lambda: shop() + "".join(f"<a href='?page={k}'>{k}</a> " for k in range(5_000)),
    "all are the next page": lambda: "".join(f"<a href='/{k}' class=next>next {k} »</a> " for k in range(5_000)),
    "long addresses": lambda: shop(f"<a href='{'../' * 5_000}?{'&'.join(f'a{k}=1' for k in range(1_000))}'>x</a>"),
}


@cache
def page_of(name: str) -> Page:
    """A page, read once for all tests of it."""
    return Page(PAGES[name](), URL)


def assert_regions(page: Page, found: fastwrap.Extraction) -> None:
    """Regions are of whole siblings, in order, and share no node."""
    taken = np.zeros(len(page), dtype=np.int64)
    for region in found.regions:
        spans = region.spans
        assert len(spans) >= 2
        assert (spans[:, 0] < spans[:, 1]).all()
        assert (spans[1:, 0] >= spans[:-1, 1]).all()
        np.add.at(taken, spans[:, 0], 1)
        ends = spans[:, 1]
        np.subtract.at(taken, ends[ends < len(page)], 1)
        assert dict(region.why)
    assert np.cumsum(taken).max(initial=0) <= 1
    assert 0 <= found.confidence <= 1


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("method", METHODS)
def test_every_method_ends_with_regions(name: str, method: str) -> None:
    page = page_of(name)
    assert_regions(page, fastwrap.extract(page, method=method, min_confidence=0))


@pytest.mark.parametrize(
    ("name", "method", "limit"),
    [
        ("all-different siblings", "auto", "regions.clusters"),
        ("all-different siblings", "depta", "columns.alignment"),
        ("siblings in random order", "auto", "regions.segmentation"),
        ("custom tags", "mdr", "columns.folding"),
    ],
)
def test_a_result_says_which_budgets_were_met(name: str, method: str, limit: str) -> None:
    found = fastwrap.extract(page_of(name), method=method, min_confidence=0)
    assert found.regions[0].texts  # limits are those met so far
    assert limit in found.limits
    assert limit in found.regions[0].limits
    assert fastwrap.extract(page_of("equal siblings"), method=method, min_confidence=0).limits == ()


@pytest.mark.parametrize("name", PAGES)
def test_records_and_formats(name: str) -> None:
    page = page_of(name)
    found = fastwrap.extract(page, min_confidence=0)
    for region in found.regions[:2]:
        width = len(region.columns)
        texts, values = region.texts, [record.values for record in region.records]
        assert len(texts) == len(values) == len(region)
        assert {len(row) for row in texts} == {len(row) for row in values} == {width}
    document = msgspec.json.decode(found.to_json())
    assert [len(region["records"]) for region in document["regions"]] == [len(region) for region in found.regions]
    assert len(found.to_dicts()) == len(found.records)
    assert found.next_page is None or found.next_page.startswith("https://site.example/")


@pytest.mark.parametrize("name", PAGES)
def test_learn_and_apply(name: str) -> None:
    page = page_of(name)
    wrapper = fastwrap.learn(page)
    loaded = Wrapper.loads(wrapper.dumps())
    ours, theirs = wrapper.extract(page), loaded.extract(page)
    assert [record.texts for record in ours.records] == [record.texts for record in theirs.records]
    assert 0 <= theirs.fit <= 1
    assert loaded.check(page).fit == theirs.fit
    other = loaded.extract(shop())
    assert all(len(record.texts) == len(region.columns) for region in other.regions for record in region.records)


@pytest.mark.parametrize("name", PAGES)
def test_clean_and_show(name: str) -> None:
    page = page_of(name)
    for mode in cleaning.MODES:
        cleaned = fastwrap.clean(page, mode=mode)
        assert 0 < len(cleaned) <= len(page)
        assert cleaned.original is page
    html = PAGES[name]()
    found = fastwrap.extract(page, min_confidence=0)
    shown = view(html, found)
    assert shown.startswith("<!")
    assert ("<iframe" in shown) == ("too large to be shown" not in shown)


def test_a_hundred_thousand_records() -> None:
    """All items are records, by every method that reads lists of leaves."""
    html = "<ul>" + "<li>x" * 100_000
    page = Page(html)
    for method in METHODS:
        found = fastwrap.extract(page, method=method, min_confidence=0)
        # A leaf has no structure, which is what `classes` goes by.
        assert [len(region) for region in found.regions] == ([] if method == "classes" else [100_000])
    assert sum(record.texts == ["x"] for record in fastwrap.extract(page, min_confidence=0).records) == 100_000
    assert len(fastwrap.learn(page).extract(page).records) == 100_000
    assert len(page) > MAX_NODES
    assert "too large to be shown" in view(html, fastwrap.extract(page))


def test_a_million_siblings() -> None:
    page = Page(b"<i></i>" * 1_000_000)
    assert len(page) == 1_000_003
    for method in METHODS:
        found = fastwrap.extract(page, method=method, min_confidence=0)
        assert {len(region) for region in found.regions} <= {1_000_000}
    assert fastwrap.extract(page).records == []
    assert fastwrap.learn(page).patterns == ()
    assert len(fastwrap.clean(page)) == len(page)


def test_nesting_at_the_limit() -> None:
    page = Page("<div>" * (MAX_DEPTH - 10) + shop())
    assert int(page.depth.max()) > MAX_DEPTH - 10
    for method in METHODS:
        found = fastwrap.extract(page, method=method, min_confidence=0)
        assert [record.text for record in found.regions[0].records] == [f"Name {k} {k} EUR" for k in range(5)]
    assert len(page.css_path(len(page) - 1).split(" > ")) > MAX_DEPTH - 10
    assert len(fastwrap.clean(page)) > MAX_DEPTH - 10


def test_ten_megabytes_in_an_attribute_come_back() -> None:
    address = "/" + "h" * 10_000_000
    found = fastwrap.extract(shop(f"<a href='{address}'>z</a>"))
    assert [record.link for record in found.records] == [address] * 5


# Budgets, and how a result says that one was met


def test_a_page_that_the_parser_chokes_on_is_refused_and_says_why() -> None:
    with pytest.raises(FastwrapError, match="nests more than"):
        fastwrap.extract("<div>" * (MAX_DEPTH + 10))
    with pytest.raises(FastwrapError, match="steps to read"):
        fastwrap.learn("<span>" * 10_000 + "</x>" * 100_000)


def test_kernels_say_minus_one_or_nan_beyond_their_budget() -> None:
    page = Page(f"<div>{siblings(3_000, 1)}</div><div>{siblings(3_000, 2)}</div>")
    first = page.body + 1
    second = first + int(page.size[first])
    assert measures.tree_matching(page, first, second, budget=1_000).tolist() == [-1]
    assert measures.tag_edits(page, first, second, budget=1_000).tolist() == [-1]
    assert measures.name_edits(page, first, second, budget=1_000).tolist() == [-1]
    assert measures.tree_mapping(page, first, second, budget=1_000) is None
    for distance in (measures.tree_distance, measures.tag_distance, measures.name_distance):
        assert np.isnan(distance(page, first, second, budget=1_000)).all()
        known = distance(page, first, second)
        assert np.isnan(known).all() or (known >= 0).all()


def test_the_search_for_the_main_region_says_whether_it_is_complete() -> None:
    usual = cleaning.main_region(Page(shop()))
    assert usual.complete
    page = page_of("all-different siblings")
    region = cleaning.main_region(page)
    assert isinstance(region.complete, bool)
    assert page.body <= region.start < region.end <= page.body + int(page.size[page.body])


@pytest.mark.parametrize("name", ["wide records, all different", "wide records", "one large record", "deep records"])
def test_columns_beyond_their_budget_are_aligned_by_tags_and_lose_nothing(name: str) -> None:
    page = page_of(name)
    spans = fastwrap.extract(page, min_confidence=0).regions[0].spans
    texts = []
    for budget in (0, 1_000, COLUMN_BUDGET):
        table = columns.learn(page, spans, budget)
        texts.append(sorted(flat(table.texts)))
        again = columns.apply(table.template, page, spans, budget)
        assert len(again.texts) == len(table.texts) == len(spans)
    # However they are aligned, the same items are in the table.
    assert texts[0] == texts[1] == texts[2]
    assert texts[0]


def flat(rows: object) -> list[str]:
    """All strings of a table, those in nested lists included."""
    if isinstance(rows, str):
        return rows.split()
    return [text for cell in rows for text in flat(cell)] if isinstance(rows, (list, tuple)) else []


@pytest.mark.parametrize("budget", [0, 10, 1_000, 100_000])
def test_an_induction_of_any_budget_matches_its_examples(budget: int) -> None:
    source = random.Random(budget)
    strings = [[source.randrange(30) for _ in range(300)] for _ in range(10)]
    strings += [[k.bit_count() % 2 for k in range(1_000)], list(range(500)), [7] * 2_000]
    expression = induce(strings, budget=budget)
    matcher = Matcher(expression)
    assert all(matcher.match(string) is not None for string in strings)
    assert parse_expression(str(expression)) == expression


@pytest.mark.parametrize("budget", [0, 100, 500_000])
def test_a_tolerant_match_of_any_budget_reads_the_string(budget: int) -> None:
    source = random.Random(1)
    matcher = Matcher(parse_expression("(" + " ".join(f"{k}? ({k}|{k + 1})*" for k in range(60)) + " 99)+"))
    string = [source.randrange(100) for _ in range(500)]
    match = matcher.tolerant(string, budget)
    kept = [(symbol, position) for symbol, position in zip(string, match.positions, strict=True) if position >= 0]
    assert all(matcher.automaton.symbols[position] == symbol for symbol, position in kept)
    assert match.cost == 3 * len(match.skipped_elements) + 2 * len(match.skipped_symbols) > 0


LONG = "n" * 3_000

UNWRITABLE = {
    "a long class": shop().replace("<ul>", f"<ul class={LONG}>"),
    "a long tag above": f"<x-{LONG}>{shop()}",
    "a long tag inside": shop(f"<x-{LONG}>z</x-{LONG}>"),
    "long tags of records": f"<x-{LONG}><b>a</b> c</x-{LONG}>" * 5,
    "a list 1,100 levels down": "<div>" * 1_100 + shop(),
}


@pytest.mark.parametrize("name", UNWRITABLE)
def test_what_is_learned_can_be_saved_and_loaded(name: str) -> None:
    wrapper = fastwrap.learn(UNWRITABLE[name])
    loaded = Wrapper.loads(wrapper.dumps())
    assert [record.texts for record in loaded.extract(UNWRITABLE[name]).records] == [
        record.texts for record in wrapper.extract(UNWRITABLE[name]).records
    ]


def test_two_pages_of_a_list_deeper_than_a_path_may_be() -> None:
    deep = "<div>" * 1_100
    wrapper = fastwrap.learn([f"{deep}<ul><li>x</ul>{shop()}", deep + shop()])
    assert all(len(pattern.location.path) <= 1_000 for pattern in wrapper.patterns)


def test_an_address_that_no_file_holds_is_refused() -> None:
    with pytest.raises(FastwrapError, match="the address of the page has"):
        fastwrap.learn(shop(), url="https://shop.example/" + "x" * 200_000)
