"""AutoRM: records of every form on pages written for it, and what holds of any page."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import Page
from fastwrap.errors import FastwrapError
from fastwrap.page.names import TAG_NUMBER, TEXT
from fastwrap.regions import autorm
from tests.helpers.listings import listings, modern
from tests.helpers.paths import EXAMPLES
from tests.reference.regions import record_sets as plain
from tests.reference.regions.content import Nodes, read_content

MENU = "<div class=menu>" + "".join(f"<a href=/{k}>Section {k}</a> | " for k in range(6)) + "</div>"
FOOTER = "<p><small>Terms</small> of use</p>"


def listed(body: str | Iterable[str], menu: str = MENU, footer: str = FOOTER) -> list[str]:
    """The texts of the records of the first region of a page with a menu and a footer."""
    page = Page(menu + "".join(body) + footer)
    return [page.span_text(start, end) for start, end in autorm.find(page).regions[0].records.tolist()]


def names(texts: list[str]) -> list[str]:
    return [text.split()[0] for text in texts]


def expected(count: int) -> list[str]:
    return [f"Name{k}" for k in range(count)]


# Single nodes


@pytest.mark.parametrize("count", [2, 3, 12, 70])
def test_one_element_a_record(count: int) -> None:
    body = (f"<li><a href=/{k}>Name{k}</a> <b>{k} EUR</b><p>text</p></li>" for k in range(count))
    assert names(listed(["<ul>", *body, "</ul>"])) == expected(count)


def test_optional_parts() -> None:
    parts = ["<em>new</em>", "<p>text</p>", "<p>text</p><p>more <b>text</b></p>", "<ul><li>a<li>b</ul>", ""]
    body = (f"<div><a href=/{k}>Name{k}</a> <b>{k} EUR</b>{parts[k % 5]}</div>" for k in range(11))
    assert names(listed(["<section>", *body, "</section>"])) == expected(11)


@pytest.mark.parametrize("columns", [2, 3, 8])
def test_a_data_table_has_rows_not_cells(columns: int) -> None:
    head = "<tr>" + "<th>Column</th>" * columns + "</tr>"
    rows = (f"<tr><td>Name{k}</td>" + f"<td>{k} EUR</td>" * (columns - 1) + "</tr>" for k in range(9))
    assert names(listed(["<table>", head, *rows, "</table>"])) == expected(9)


def test_headings_and_pager_among_the_records() -> None:
    def row(k: int) -> str:
        return f"<tr><td><a href=/{k}>Name{k}</a></td><td>text of some length</td><td>{k} EUR</td></tr>"

    rows = [row(k) for k in range(9)]
    for place in (6, 3):
        rows.insert(place, f"<tr><td colspan=3><b>Group {place}</b></td></tr>")
    pager = "<tr><td colspan=3>1 <a href=/2>2</a></td></tr>"
    assert names(listed(["<table>", *rows, pager, "</table>"])) == expected(9)


# Runs


def test_terms_and_definitions() -> None:
    body = (f"<dt><a href=/{k}>Name{k}</a></dt><dd>text</dd>" + "<dd>more</dd>" * (k % 3) for k in range(9))
    found = listed(["<dl>", *body, "</dl>"])
    assert names(found) == expected(9)
    assert found[2].endswith("more more")
    assert found[8].endswith("more more")


def test_rows_that_belong_together() -> None:
    """Two rows a record and an empty one between records; the last row is not of them."""
    body = (
        f"<tr><td><img src={k}.png></td><td><a href=/{k}>Name{k}</a> (site)</td></tr>"
        f"<tr><td></td><td>{k} points by <i>someone</i></td></tr><tr><td></td></tr>"
        for k in range(8)
    )
    found = listed(["<table>", *body, "<tr><td colspan=2><a href=/2>More</a></td></tr></table>"])
    assert names(found) == expected(8)
    assert found[7] == "Name7 (site) 7 points by someone"


def test_text_and_line_breaks() -> None:
    """No element holds a record: a blank line ends it, a heading and a pager stand in the same parent."""
    body = (f"Name{k} <a href=/{k}>link</a><br>text of the record<br><i>{k} kB</i><br><br>" for k in range(7))
    found = listed(["<p>Found 7</p>", *body, "<p>Next</p>"], footer="")
    assert names(found) == expected(7)
    assert found[0] == "Name0 link text of the record 0 kB"


@pytest.mark.parametrize("separator", ["<hr>", "<br><hr><br>", "<p></p>", "<img src=dot.gif width=1 height=20>"])
def test_separators(separator: str) -> None:
    """What is between them need not begin alike."""
    tags = "bibbiibbi"
    body = [f"<{tag}>Name{k}</{tag}> text<br><u>more</u> text<br><a href=/{k}>link</a>" for k, tag in enumerate(tags)]
    assert names(listed(["<div>", separator.join(body), "</div>"])) == expected(9)


# Records in wider objects


def cell(k: int) -> str:
    return f"<td><a href=/{k}><img src={k}.png width=90 height=90></a><br><a href=/{k}>Name{k}</a><b>{k} EUR</b></td>"


@pytest.mark.parametrize("count", [6, 8, 10])
def test_rows_of_cells(count: int) -> None:
    """Three records a row; the last row may have one or two of them."""
    rows = ("<tr>" + "".join(map(cell, range(k, min(k + 3, count)))) + "</tr>" for k in range(0, count, 3))
    assert names(listed(["<table>", *rows, "</table>"])) == expected(count)


def test_sections_of_a_page() -> None:
    """Lists of any length below headings, whose styles differ, are one list."""
    body, k = [], itertools.count()
    for section, count in enumerate((5, 1, 2, 4)):
        records = (f"<li><a href=#>Name{next(k)}</a> <i>text</i> <b>EUR</b></li>" for _ in range(count))
        body += [f"<div class=s{section}><h2>Section {section}</h2><ul class=u{section}>", *records, "</ul></div>"]
    assert names(listed(body)) == expected(12)


def test_lists_within_records() -> None:
    """A record has a list of its own, which is not the region."""
    tags = "<ul>" + "<li><a href=#>tag</a></li>" * 5 + "</ul>"
    body = (f"<div><h3>Name{k}</h3><p>text of the record, some words of it</p>{tags}</div>" for k in range(6))
    assert names(listed(["<section>", *body, "</section>"])) == expected(6)


# Any page


@given(listings | modern)
@settings(max_examples=1000)
def test_what_holds_of_any_page(text: str) -> None:
    page = Page(text)
    found = autorm.find(page).regions
    taken: set[int] = set()
    for region in found:
        spans = region.records.tolist()
        assert region.records.dtype == np.int32
        assert len(spans) >= 2
        assert all(page.body < start < end for start, end in spans)
        assert all(end <= start for (_, end), (start, _) in itertools.pairwise(spans))
        for start, end in spans:
            roots = [node for node in range(start, end) if page.parent[node] < start]
            assert len({int(page.parent[node]) for node in roots}) == 1
            assert roots[-1] + page.size[roots[-1]] == end
            assert taken.isdisjoint(range(start, end))
            taken.update(range(start, end))
        assert 0 < region.score <= 1
        coverage, similarity, variety = (float(region.why[name]) for name in ("coverage", "similarity", "variety"))
        assert region.score == pytest.approx(coverage * similarity * variety)
        assert region.why["cut"] in autorm.CUTS
        assert coverage >= autorm.COVERAGE
    assert [region.score for region in found] == sorted((region.score for region in found), reverse=True)


@pytest.mark.parametrize(("name", "count"), [("shop", 24), ("jobs", 20), ("search", 15), ("forum", 25), ("table", 40)])
def test_the_example_pages(name: str, count: int) -> None:
    """All their records, the sponsored product of the shop too."""
    page = Page((EXAMPLES / f"{name}.html").read_bytes())
    assert len(autorm.find(page).regions[0].records) == count


@pytest.mark.parametrize("text", ["", "text", "<frameset><frame></frameset>", "<p>one</p>", "<p></p><p></p>"])
def test_a_page_without_lists(text: str) -> None:
    assert autorm.find(Page(text)) == ([], ())


def test_options() -> None:
    page = Page("<ul>" + "<li><a href=#>a</a> b <i>c</i></li>" * 4 + "</ul><p>" + "text " * 40 + "</p>")
    assert len(autorm.find(page, coverage=0.01).regions) == 1
    assert autorm.find(page, coverage=0.5).regions == []
    for similarity, coverage in ((1.5, 0.01), (0.5, -0.1)):
        with pytest.raises(FastwrapError, match="shares"):
            autorm.find(page, similarity=similarity, coverage=coverage)


def test_siblings_are_clustered_from_the_threshold_on() -> None:
    """Titles and details are both p: one cluster where a third of their nodes is enough, two where half must match."""
    body = "".join(f"<p><a href=/{k}><b>Name{k}</b></a></p><p>text <i>and</i> more</p>" for k in range(6))
    page = Page(f"<div>{body}</div>")
    nodes = Nodes(page, autorm.OPTIONS)
    sequences = plain.child_sequences(nodes, read_content(nodes), 0.0)
    paragraphs = np.flatnonzero(page.tag[sequences.spans[:, 0]] == TAG_NUMBER["p"])
    for similarity, count in ((0.2, 1), (0.5, 2)):
        by_tag, by_tree = plain.clusters(nodes, sequences, similarity)
        assert len(set(by_tag[paragraphs].tolist())) == 1
        assert len(set(by_tree[paragraphs].tolist())) == count
    assert names([page.span_text(*record) for record in autorm.find(page).regions[0].records.tolist()]) == expected(6)


@given(st.integers(2, 30), st.integers(1, 4))
@settings(max_examples=40)
def test_lists_that_are_made_are_found(count: int, items: int) -> None:
    """Records of `items` fields in as many elements, whatever their number."""
    fields = "".join(f"<{tag}>field</{tag}>" for tag in ("b", "i", "u", "em")[:items])
    body = (f"<li><a href=/{k}>Name{k}</a>{fields}</li>" for k in range(count))
    assert names(listed(["<ul>", *body, "</ul>"], menu="", footer="")) == expected(count)


def test_a_huge_page_takes_time_in_proportion() -> None:
    """Siblings of every kind, by the thousand: comparing them all would take minutes."""
    tags = itertools.product("bius", repeat=5)
    kinds = ["".join(f"<{tag}>x</{tag}>" for tag in kind) for kind in tags]
    page = Page("<div>" + "".join(f"<p>{kind}</p>" for kind in kinds * 10) + "</div>")
    assert np.count_nonzero(page.tag == TEXT) > 50_000
    assert len(autorm.find(page).regions[0].records) > 10_000
