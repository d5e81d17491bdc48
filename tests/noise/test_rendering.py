"""The text of blocks: what a reader expects between them, and the kernel against its plain twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import Page
from fastwrap._core.noise import rendering as kernel
from fastwrap.noise.labelling import label
from fastwrap.noise.rendering import KINDS, places, text
from fastwrap.page.arrays import Int32Array
from tests.helpers.hangs import ends_soon
from tests.reference.html import TEXTS, html
from tests.reference.noise import rendering as plain

STRUCTURE = """
    div p h2 ul ol li dl dt dd table tr td th tbody thead caption blockquote pre a b span br br hr section sup
    """.split()

structured = st.lists(
    st.one_of(
        st.sampled_from([f"<{tag}>" for tag in STRUCTURE]),
        st.sampled_from([f"</{tag}>" for tag in STRUCTURE]),
        st.sampled_from(["one", "two words", "(", ")", ". Then", "'s", "’s own", "日本", "語", ", ", "!", "3", ":x"]),
        TEXTS,
    ),
    max_size=60,
).map("".join)
"""Pages of lists, tables and paragraphs, well-formed or not."""

cells = st.lists(
    st.lists(
        st.lists(
            st.sampled_from(["a", "<p>b", "<div>c</div>", "d<br>e", "<ul><li>f<li>g</ul>", "<h3>h</h3>", "<pre>i"]),
            max_size=4,
        ).map("".join),
        max_size=4,
    ).map(lambda row: "<tr>" + "".join(f"<td>{cell}" for cell in row)),
    max_size=5,
).map(lambda rows: f"<table>{''.join(rows)}</table>")
tables = st.lists(st.one_of(cells, cells.map(lambda table: f"<table><tr><td>x<td>{table}</table>"), structured)).map(
    "".join
)


def rendered(source: str) -> str:
    """The text of all blocks of a page."""
    labels = label(Page(source))
    return text(labels.page, labels.starts, labels.ends)


# What a reader expects


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<h1>One</h1><p>Two<p>Three", "One\n\nTwo\n\nThree"),
        ("<div>One</div><div>Two</div>three", "One\n\nTwo\n\nthree"),
        ("One<br>two<br><br>three", "One\ntwo\n\nthree"),
        ("<p>One<br> </p><p>two", "One\n\ntwo"),
        ("19<sup>,90</sup> EUR, <b>H</b><sub>2</sub>O", "19,90 EUR, H2O"),
        # White space around links is not known: punctuation tells.
        ("<p>See <a>this</a>, (<a>that</a>) or <a>Ann</a>'s <a>.NET</a>.", "See this, (that) or Ann's .NET."),
        ("<p>彼は<a>東京</a>に住む", "彼は東京に住む"),
        ("<p><a>東京</a> <a>大阪</a>", "東京 大阪"),
        # Lists
        ("<p>All:<ul><li>One<li>Two</ul>End", "All:\n\nOne\nTwo\n\nEnd"),
        ("<ul><li><p>One</p></li><li><p>Two</p></li></ul>", "One\nTwo"),
        ("<ul><li>One<ul><li>a<li>b</ul><li>Two</ul>", "One\na\nb\nTwo"),
        ("<ul><li><div>One</div><div>1 EUR</div><li><div>Two</div><div>2 EUR</div></ul>", "One\n1 EUR\n\nTwo\n2 EUR"),
        ("<ol><li><p>One</p><p>more</p><li>Two</ol>", "One\n\nmore\n\nTwo"),
        ("<dl><dt>One<dd>first<dt>Two<dd>second<dd>third</dl>", "One\nfirst\nTwo\nsecond\nthird"),
        ("<dl><dt>One<dd><p>first<p>more<dt>Two<dd>second</dl>", "One\nfirst\n\nmore\n\nTwo\nsecond"),
        ("<select><option>One<option>Two</select>", "One\nTwo"),
        # Tables
        ("<table><tr><th>a<th>b<tr><td>c<td>d</table>e", "a\tb\nc\td\n\ne"),
        ("<table><caption>All</caption><thead><tr><th>a<th>b<tbody><tr><td>c<br>d<td><p>e<p>f</table>",
         "All\n\na\tb\nc d\te f"),
        ("<table><tr><td>a<tr><td>b</table>", "a\nb"),
        ("<table><tr><td>menu<td><h2>One</h2><p>Two</table>", "menu\n\nOne\n\nTwo"),
        ("<table><tr><td>menu<td><table><tr><td>a<td>b<tr><td>c<td>d</table></table>", "menu\n\na\tb\nc\td"),
        (f"<table><tr><td>menu<td>{'<p>x' * kernel.MOST_LINES}</table>", "menu\t" + " ".join("x" * kernel.MOST_LINES)),
        (f"<table><tr><td>menu<td>{'<p>x' * 9}</table>", "menu\n\n" + "\n\n".join("x" * 9)),
        # Preformatted text
        ("<p>Run<pre>\n  if a:\n\t<b>b</b>  c\n\n</pre>end", "Run\n\n  if a:\n\tb  c\n\nend"),
        ("<pre><div>a  1</div><div>b<i>2</i></div></pre>", "a  1\nb2"),
        ("<pre>a<br>b<pre>c  d</pre></pre>", "a\nb\n\nc  d"),
        ("<svg><pre>x</svg><pre>y  z", "x\n\ny  z"),
        ("", ""),
    ],
)  # fmt: skip
def test_text_is_what_a_reader_expects(source: str, expected: str) -> None:
    assert rendered(source) == expected


def test_only_some_blocks() -> None:
    labels = label(Page("<ul><li>a<li>b<li>c</ul><p>d<p>e"))
    kept = np.array([True, False, True, False, True])
    assert text(labels.page, labels.starts[kept], labels.ends[kept]) == "a\nc\n\ne"


def test_a_part_of_preformatted_text() -> None:
    labels = label(Page("<pre><div>a  1</div><div>b  2</div><div>c  3</div></pre>"))
    kept = np.array([True, False, True])
    assert text(labels.page, labels.starts[kept], labels.ends[kept]) == "a 1\nc 3"


# The kernel and its twin


def compare(page: Page, starts: Int32Array, ends: Int32Array) -> None:
    native = page.native
    before, *cells = kernel.places(native, starts, ends, KINDS)
    before_of_twin, *cells_of_twin = plain.places(native, starts, ends, KINDS)
    assert list(before) == list(before_of_twin)
    assert [nodes.tolist() for nodes in cells] == [nodes.tolist() for nodes in cells_of_twin]
    texts, joints = kernel.joints(native, starts, ends, KINDS)
    texts_of_twin, joints_of_twin = plain.joints(native, starts, ends, KINDS)
    assert (texts.tolist(), joints.tolist()) == (texts_of_twin.tolist(), joints_of_twin.tolist())
    for verbatim in ([], [(k, min(k + 1, len(starts) - 1), b"new\n") for k in range(0, len(starts), 3)]):
        assert kernel.text(native, starts, ends, KINDS, verbatim) == plain.text(native, starts, ends, KINDS, verbatim)


@settings(max_examples=1500)
@given(st.one_of(structured, tables, html), st.randoms(use_true_random=False))
def test_kernel_is_its_twin(source: str, random: np.random.Generator) -> None:
    labels = label(Page(source))
    compare(labels.page, labels.starts, labels.ends)
    kept = np.array([random.random() < 0.7 for _ in labels.starts], dtype=bool)
    compare(labels.page, labels.starts[kept], labels.ends[kept])


@settings(max_examples=500)
@given(st.one_of(structured, tables, html), st.data())
def test_any_runs_of_nodes(source: str, data: st.DataObject) -> None:
    """What no labels are like: blocks that begin with an element, and hold others."""
    page = Page(source)
    bounds = sorted(data.draw(st.sets(st.integers(0, len(page)), min_size=2)))
    bounds = bounds[: len(bounds) // 2 * 2]
    compare(page, np.array(bounds[::2], dtype=np.int32), np.array(bounds[1::2], dtype=np.int32))


@pytest.mark.parametrize("bounds", [[(0, 0)], [(3, 2)], [(-1, 2)], [(0, 99)], [(2, 4), (3, 5)], [(3, 5), (1, 2)]])
def test_what_is_no_blocks_is_refused(bounds: list[tuple[int, int]]) -> None:
    page = Page("<p>one<p>two<p>three")
    starts, ends = np.array(bounds, dtype=np.int32).T.copy()
    for call in (kernel.places, kernel.joints, plain.places):
        with pytest.raises(ValueError, match="is not within the page, or begins before"):
            call(page.native, starts, ends, KINDS)
    with pytest.raises(ValueError, match="is not within the page, or begins before"):
        kernel.text(page.native, starts, ends, KINDS, [])


@pytest.mark.parametrize("verbatim", [[(0, 2, b"")], [(1, 0, b"")], [(-1, 0, b"")], [(0, 0, b""), (0, 1, b"")]])
def test_what_is_written_instead_is_in_order(verbatim: list[tuple[int, int, bytes]]) -> None:
    labels = label(Page("<p>one<p>two"))
    with pytest.raises(ValueError, match="in place of blocks"):
        kernel.text(labels.page.native, labels.starts, labels.ends, KINDS, verbatim)


def test_arrays_of_other_lengths_are_refused() -> None:
    page = Page("<p>one<p>two")
    one, two = np.array([4], dtype=np.int32), np.array([5, 7], dtype=np.int32)
    for starts, ends, kinds in ((one, two, KINDS), (one, two[:1], KINDS[:-1])):
        with pytest.raises(ValueError, match="differ in length"):
            kernel.text(page.native, starts, ends, kinds, [])


# All that is said


@settings(max_examples=300)
@given(st.one_of(structured, tables, html))
def test_every_word_of_the_body_is_there(source: str) -> None:
    labels = label(Page(source))
    found = text(labels.page, labels.starts, labels.ends)
    assert "".join(found.split()) == "".join(labels.page.text(labels.page.body).split())
    assert found == found.strip()
    assert len(places(labels.page, labels.starts, labels.ends).before) == len(labels.starts)


@pytest.mark.parametrize(
    "source",
    [
        "<div>" * 5_000 + "x" + "</div>y" * 5_000,
        "<table><tr><td>x" * 2_000 + "</table>y" * 2_000,
        "<ul><li>x" * 3_000,
        "<p>x" + "<b>日" * 3 + "<p>本" * 50_000,
        "<br>x" * 100_000,
        "<pre>x" * 3_000,
        "<pre>x</pre>" * 200_000,
        "<table>" + "<tr><td>x<td>y" * 50_000,
        "<table>" + "<tr><td>x<td>y" * 50_000 + "<td><h1>z",
    ],
    ids=lambda source: source[:30],
)
def test_time_is_linear(source: str) -> None:
    labels = label(Page(source))
    with ends_soon():
        found = text(labels.page, labels.starts, labels.ends)
    assert found.count("x") == source.count("x")
