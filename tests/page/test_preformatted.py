"""Preformatted text as it stands: found again in the HTML, and believed only where it says what the page says."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastwrap
from fastwrap import Page
from tests.helpers.hangs import ends_soon
from tests.reference.html import html


def verbatim_of(page: Page) -> list[str | None]:
    """Of all elements in order."""
    return [page.verbatim(node) for node in range(len(page)) if page.tag_name(node) == "pre"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<pre>a\n  b</pre>", ["a\n  b"]),
        ("<PRE\nclass='>'>a\n\n\n  b\t c \n</PRE >", ["a\n\n\n  b\t c"]),
        ("<pre>\n\n   \n  a</pre>", ["  a"]),
        ("<pre>a<span>\n</span>b<br>c&lt;d&amp;\r\ne<!-- f -->g<script>h</script></pre>", ["a\nb\nc<d&\neg"]),
        ("<pre><div>a</div><div>b</div></pre>", ["a\nb"]),
        ("<pre><table><tr><td>1<td>a<tr><td>2<td>b</table></pre>", ["1a\n2b"]),
        ("<pre>a\nb</pre><p>c<pre>a\n\nb</pre>", ["a\nb", "a\n\nb"]),
        ("<pre>", [""]),
        ("<pre> </pre>", [""]),
        # What is not sure is not told.
        ("<pre>a\n<pre>b\n</pre>c\n</pre>", [None, "b"]),
        ("<script>'<pre>x\ny</pre>'</script><pre>x y</pre>", ["x y"]),
        ("<textarea><pre>a\nb</pre></textarea>", []),
        ("<p>a\nb", []),
    ],
)
def test_verbatim(source: str, expected: list[str | None]) -> None:
    page = Page(source)
    assert verbatim_of(page) == expected
    assert page.verbatim(0) is None
    assert (page.source is None) == (not expected)


def test_other_pages_keep_no_html() -> None:
    assert Page("<p>a").source is None
    plain, with_pre = Page("<p>" + "x" * 1000), Page("<pre>" + "x" * 1000)
    assert with_pre.nbytes - plain.nbytes > 1000


def test_it_stays_with_the_page() -> None:
    page = Page("<nav>x</nav>" + "<pre>a\n  b</pre>" * 3, "https://a.example/")
    assert verbatim_of(pickle.loads(pickle.dumps(page))) == ["a\n  b"] * 3  # noqa: S301 - our own bytes
    assert verbatim_of(Page.of(page, "https://b.example/")) == ["a\n  b"] * 3
    assert set(verbatim_of(fastwrap.clean(page))) == {"a\n  b"}


@settings(max_examples=300)
@given(st.lists(st.one_of(html, st.sampled_from(["<pre>", "</pre>", "\n  x", "a\nb", "<PRE x>", "<br>"]))).map("".join))
def test_it_says_what_the_page_says(source: str) -> None:
    page = Page(source)
    for node in range(len(page)):
        said = page.verbatim(node)
        if page.tag_name(node) != "pre":
            assert said is None
        elif said is not None:
            assert "".join(said.split()) == "".join(page.text(node).split())


@pytest.mark.parametrize(
    "source",
    [
        "<pre>" * 5_000,
        "<pre>x</pre>" * 50_000,
        "<pre>" + "<b>x" * 3_000 + "</pre>" + "<p>y" * 30,
        "<pre>" + " <i x" * 50_000,
        "<pre>x\n" + "<pre " * 100_000,
        "<pre>" + "x\n" * 500_000,
    ],
    ids=lambda source: source[:12],
)
def test_time_is_linear(source: str) -> None:
    page = Page(source)
    with ends_soon():
        page.verbatim(3)
