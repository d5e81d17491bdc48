"""Markdown of content: read again by a CommonMark renderer it has the words, and the structure, that the page has."""

from __future__ import annotations

import html as entities
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from fastwrap import Page
from fastwrap.noise.labelling import Labels
from fastwrap.noise.markdown import markdown
from fastwrap.noise.rendering import text
from tests.helpers.hangs import ends_soon
from tests.helpers.labels import all_content
from tests.helpers.markdown import words_of
from tests.reference.html import html

RENDERER = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table").enable("strikethrough")
URL = "https://a.example/b/c"


def all_of(source: str, url: str | None = URL) -> Labels:
    """A page whose blocks are all content."""
    return all_content(Page(source, url))


def written(source: str, url: str | None = URL) -> str:
    return markdown(all_of(source, url))


# What is written


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<h1>One</h1><h4>Two <b>three</b><br>four</h4><p>five<h2>C #</h2>",
         "# One\n\n#### Two three four\n\nfive\n\n## C \\#"),
        ("One<br>two<br><br>three", "One\\\ntwo\n\nthree"),
        ("<p>A <b>bold</b>, <em>slanted</em> <strong><i>both</i></strong> <code>x*y</code> <tt>a`b</tt>.",
         "A **bold**, _slanted_ **_both_** `x*y` ``a`b``."),
        ("<p>AT&amp;T &amp;amp; x&amp;am<b>p;</b>", "AT&T \\&amp; x\\&amp;"),
        ("<p>un<b>believ</b>able H<sub>2</sub>O (<b>x</b>) <b>y</b>z", "unbelievable H2O (**x**) yz"),
        # Links
        ("<p>See <a href=/x>this</a>, <a href='y?a=1&b=(2'>that</a>, <a href=#>top</a> <a>none</a>.",
         "See [this](https://a.example/x), [that](https://a.example/b/y?a=1&b=\\(2), top none."),
        ("<p><a href='javascript:alert(1)'>run</a> <a href=' data:text/html,x'>data</a> <a href=vbscript:x>vb</a>",
         "run data vb"),
        ("<p><a href='mailto:a@b.example'>write</a> <a href='/a b<c>`d|e\\f'>odd</a>",
         "[write](mailto:a@b.example) [odd](https://a.example/a%20b%3Cc%3E%60d%7Ce/f)"),
        ("<a href=/1><div>New</div><h3>Oak table</h3><p>120 EUR</p></a><p>x",
         "New\n\n### [Oak table](https://a.example/1)\n\n120 EUR\n\nx"),
        ("<p><a href=/x>One<br>two</a> <a href=/x>three</a>",
         "[One](https://a.example/x)\\\ntwo [three](https://a.example/x)"),
        ("<p>Wow! <a href=/x>a <b>b</b> <code>c</code></a>", "Wow! [a **b** `c`](https://a.example/x)"),
        # Pictures
        ("<p>One<p><img src=/1.png alt='A [b]'><p>two <img data-src=2.png src=data:,> three",
         "One\n\n![A \\[b\\]](https://a.example/1.png)\n\ntwo ![](https://a.example/b/2.png) three"),
        ("<img src=before.png><p>One <img src=data:,x><img src=t.gif width=1> two<p><img src=after.png>", "One two"),
        # Lists
        ("<p>All:<ul><li>One<ul><li>a<li>b</ul><li>Two</ul><p>End",
         "All:\n\n- One\n  - a\n  - b\n- Two\n\nEnd"),
        ("<ol start=9><li>nine<li>ten<ul><li>x</ul></ol>", "9. nine\n10. ten\n    - x"),
        ("<ol start=x><li>one</ol><ol start=9999999999><li>a</ol>", "1. one\n\n1) a"),
        ("<p>x<ul><li>one<ol start=3><li>three</ol></ul>", "x\n\n- one\n\n  3. three"),
        ("<ul><li>a</ul><ul><li>b</ul><ul><li>c</ul>", "- a\n\n+ b\n\n- c"),
        ("<ul><li><h3>One</h3><p>1 EUR<p>new</p><li>Two</ul>", "- ### One\n\n  1 EUR\n\n  new\n\n- Two"),
        ("<ul><li>a<ul><ul><li>deep</ul></ul><li>b</ul>", "- a\n  - deep\n- b"),
        ("<ul><li>a<ul><li>b</ul></li><ul><li>c</ul></ul>", "- a\n  - b\n\n  - c"),
        ("<ol><li>a</li>|<li>b</ol>", "1. a\n\n\\|\n\n2. b"),
        ("<li>a<li>b", "- a\n- b"),
        ("<a href=/x><ol start=7><li>a<li>b<a href=/y>", "1. [a](https://a.example/x)\n7. [b](https://a.example/x)"),
        ("<ul><li><ul><li>a</ul></ul>", "- - a"),
        # Quotations, rules
        ("<blockquote><p>One<p>two<ul><li>a<li>b</ul></blockquote><blockquote>three</blockquote><p>four",
         "> One\n>\n> two\n>\n> - a\n> - b\n\n> three\n\nfour"),
        ("<ul><li><blockquote>a</blockquote>b</ul>", "- > a\n\n  b"),
        ("<hr><p>a<hr>b<ul><li>c<hr>d</ul><hr>", "a\n\n***\n\nb\n\n- c\n\n  ***\n\n  d"),
        # Code
        ("<pre><code class='language-python hljs'>print()</code></pre>", "```python\nprint()\n```"),
        ("<pre data-lang=C>int <b>f</b>(void) {\n\treturn 0;\n}</pre>", "```c\nint f(void) {\n\treturn 0;\n}\n```"),
        ("<ul><li>Run<div class=highlight-bash><pre>ls<br>```</pre></div></ul>",
         "- Run\n\n  ````bash\n  ls\n  ```\n  ````"),
        # Tables
        ("<table><thead><tr><th>a|b<th>*c*<tbody><tr><td><code>x|y</code><td><a href='/|'>d</a><br>e</table>f",
         "| a\\|b | \\*c\\* |\n| --- | --- |\n| `x\\|y` | [d](https://a.example/%7C) e |\n\nf"),
        ("<table><tr><td>a<td><td>b<tr><td colspan=2>c<td>d<tr><td>e</table>",
         "|  |  |  |\n| --- | --- | --- |\n| a |  | b |\n| c |  | d |\n| e |"),
        ("<table><tr><th>x<td rowspan=2>a<td>b<tr><th>y<td>c</table>",
         "|  |  |  |\n| --- | --- | --- |\n| x | a | b |\n| y |  | c |"),
        ("<table><tr><th><img src=1.png>a<th>b<tr><td>c<img src=2.png><td>d<tr><td><img src=3.png><td>e</table>",
         "| a | b |\n| --- | --- |\n| c ![](https://a.example/b/2.png) | d |\n| ![](https://a.example/b/3.png) | e |"),
        ("<ul><li><table><tr><td>a<td>b</table></ul><ul><li>c</ul>",
         "- |  |  |\n  | --- | --- |\n  | a | b |\n\n+ c"),
        ("<table><tr><td><h2>Not data</h2><td><p>but<p>a layout</table>", "## Not data\n\nbut\n\na layout"),
        ("<dl><dt>Term<dd>What it is</dl>", "**Term**\n\nWhat it is"),
        ("", ""),
    ],
)  # fmt: skip
def test_markdown_is_as_people_write_it(source: str, expected: str) -> None:
    assert written(source) == expected
    labels = all_of(source)
    assert words_of(RENDERER.render(expected)) == text(labels.page, labels.starts, labels.ends).split()


STRUCTURED = """
    div p h1 h3 h6 ul ol li ul li dl dt dd table tr td th tbody thead caption blockquote pre a b i code span em strong
    hr section sup article figure
    """.split()
MARKS = [
    "one", "two words", "# a", "## b", "1. c", "2) d", "- e", "+ f", "* g", "*h*", "**i", "_j_", "__k__", "snake_case",
    "`l`", "```", "~~~", "~~m~~", "[n](o)", "![p](q)", "[r]: /s", "<b>", "&lt;b>", "&lt;script>alert(1)&lt;/script>",
    "&amp;amp;", "&amp;am", "p;", "&amp;#42;", "\\", "\\*", "a\\", "|", "a | b", "|---|---|", "--- | ---", ":--", "---",
    "===", "> t", "!", "(", ")", ".", "1", "1.", "#", "http://u.example/_v_", "www.w.example", "x@y.example", "***",
    "* * *", "- - -", "é", "€", "—", "\u200b", "日本", '"', "'s", "C#", "&nbsp;", "[ ] task", "[^1]", "$x$", ":--:",
    "=", "-", "+", "\t", "    indented", "&lt;!-- no -->", "&lt;?php", "&lt;a@b.example>",
]  # fmt: skip
"""Texts that would be markup if nobody escaped them."""

LINKS = [
    "<a href=/x>", "<a href='https://b.example/(c'>", "<a href='javascript:alert(1)'>", "<a href=''>", "<br>", "<br>",
    "<a href='java\nscript:alert(1)'>", "<a href=' &#1;javascript:alert(1)'>", "<a href='data:text/html,<script>'>",
    "<a href='/y z\">*_[]`|\\&amp;lt;'>", "<a href='](javascript:alert(1))'>", "<img src='/l m(.png'>",
    "<img src=/i.png alt='](/j) *k* &lt;b>'>", "<ol start=7>", "<td colspan=3>", "<td rowspan=2>", "<img src=n.png>",
    "<pre class=language-x>", "<li value=3>",
]  # fmt: skip

pieces = st.one_of(
    st.sampled_from([f"<{tag}>" for tag in STRUCTURED]),
    st.sampled_from([f"</{tag}>" for tag in STRUCTURED]),
    st.sampled_from(MARKS),
    st.sampled_from(MARKS),
    st.sampled_from(LINKS),
    st.just(" "),
)
hostile = st.lists(pieces, max_size=40).map("".join)
"""Pages of lists, tables, links and texts that look like Markdown."""

characters = st.lists(
    st.one_of(
        st.text("*_`[]()!<>&;#-+=|:~\\ .19ab\u00e9\u2014\u20ac", min_size=1, max_size=4).map(entities.escape),
        st.sampled_from(
            ["<b>", "</b>", "<i>", "</i>", "<code>", "</code>", "<br>", "<a href=/x>", "</a>", "<sup>", "</sup>"]
        ),
    ),
    max_size=25,
).map(lambda parts: f"<p>{''.join(parts)}")
"""Paragraphs of the characters that mean something."""


def check(labels: Labels) -> None:
    """What holds for every page."""
    found = markdown(labels)
    rendered = RENDERER.render(found)
    said = text(labels.page, labels.starts[labels.content], labels.ends[labels.content])
    assert words_of(rendered) == said.replace("\0", "\ufffd").split(), found
    # Nothing of the page is HTML, and no link runs anything.
    tags = {tag.lower() for tag in re.findall(r"</?([^ >/]+)", rendered)}
    assert tags <= ALL_TAGS, found
    assert not re.search(
        r"""(?:href|src)="\s*(?:javascript|vbscript|data|file|about|blob):""", rendered, re.IGNORECASE
    ), found


ALL_TAGS = set(
    "p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code hr br strong em a img table thead tbody tr th td".split()
)


@settings(max_examples=1500)
@given(st.one_of(hostile, hostile, characters, html))
def test_rendered_it_has_the_words_of_the_text(source: str) -> None:
    check(all_of(source))


@settings(max_examples=500)
@given(st.one_of(hostile, html), st.randoms(use_true_random=False))
def test_so_has_a_part_of_a_page(source: str, random: np.random.Generator) -> None:
    labels = all_of(source)
    content = np.array([random.random() < 0.6 for _ in labels.starts], dtype=bool)
    check(labels._replace(content=content))


# Structure

WORDS = st.sampled_from(
    ["one", "two words", "3. three", "- four", "five <b>is bold</b>, so", "six <a href=https://x.example>is linked</a>"]
)
EMPHASIS = {"b": "strong", "i": "em"}

paragraphs = WORDS.map(lambda said: f"<p>{said}</p>")
headings = st.builds(
    lambda level, said: f"<h{level}>{said}</h{level}>", st.integers(1, 6), st.sampled_from(["one", "# C #"])
)
grids = st.lists(st.lists(WORDS, min_size=2, max_size=2), min_size=1, max_size=3).map(
    lambda rows: (
        "<table><tr><th>a</th><th>b</th></tr>"
        + "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
        + "</table>"
    )
)
code = st.sampled_from(["<pre><code>x = 1</code></pre>", "<pre><code>```<br># no heading</code></pre>"])


def nested(blocks: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    many = st.lists(blocks, min_size=1, max_size=3).map("".join)
    items = st.lists(st.one_of(WORDS, many, st.tuples(WORDS, blocks).map("".join)), min_size=1, max_size=3)
    return st.one_of(
        st.builds(
            lambda tag, items: f"<{tag}>{''.join(f'<li>{item}</li>' for item in items)}</{tag}>",
            st.sampled_from(["ul", "ol"]), items,
        ),
        many.map(lambda inner: f"<blockquote>{inner}</blockquote>"),
    )  # fmt: skip


blocks = st.recursive(st.one_of(paragraphs, headings, grids, code), nested, max_leaves=8)
documents = st.lists(blocks, min_size=1, max_size=5).map(
    lambda parts: "<p>first</p>" + "<hr>".join(parts) + "<p>last</p>"
)


def skeleton(source: str) -> list[str]:
    """The tags and texts of HTML; paragraphs are told by what is around their texts, as items have them or not."""
    source = re.sub(r"<br ?/?>", "\n", source)
    source = re.sub(r"</?(?:p|thead|tbody)>", "<>", source)
    source = re.sub(r"<(/?\w+)[^>]*>", lambda tag: f"<{EMPHASIS.get(tag[1].strip('/'), tag[1].strip('/'))}>", source)
    parts = re.split(r"(<[^>]*>)", source)
    return [" ".join(entities.unescape(part).split()) for part in parts if part.strip() and part != "<>"]


@settings(max_examples=500)
@given(documents)
def test_rendered_it_has_the_structure_of_the_page(source: str) -> None:
    found = written(source)
    assert skeleton(RENDERER.render(found)) == skeleton(source.replace("</b>", "</strong>")), found


# Time

LONG = {
    "links": "<p>" + "<a href=/x>y</a> " * 100_000,
    "links in items": "<ul>" + "<li><a href=x>y</a>" * 50_000,
    "lists in each other": "<ul><li>x" * 3_000,
    "quotations in each other": "<blockquote>x" * 3_000,
    "elements in each other": "<i><div>x" * 1_000,
    "bold": "<p>" + "<b>x</b>y " * 50_000,
    "cells": "<table>" + "<tr><td>x<td>y" * 30_000,
    "cells in one row": "<table><tr>" + "<td>x" * 30_000,
    "wide cells": "<table>" + "<tr><td>x<td colspan=99999999>y" * 5_000,
    "high cells": "<table>" + "<tr><td>x<td rowspan=9999999>y" * 5_000,
    "pictures": "<p>x" + "<img src=x>" * 30_000 + "y",
    "pictures between blocks": "<p>x<div></div>" + "<img src=x>" * 20_000 + "<p>y",
    "backticks": "<p><code>" + "`" * 200_000 + "</code>" + "`" * 200_000 + "<pre>" + "`" * 200_000,
    "marks": "<p>" + "*_[](&#" * 50_000,
    "lines": "<p>" + "- x<br>" * 50_000,
    "brackets in an address": f"<p><a href='{'(' * 200_000}'>x</a>",
    "code": "<pre>" + "<div>x</div>" * 50_000,
    "code in each other": "<pre>x" * 3_000,
    "lists without items": "<ul>" * 5_000 + "<p>x" * 10_000,
    "lists with texts": "<ul>x" * 5_000,
    "items without lists": "<li><div>x" * 3_000,
    "captions": "<table>" + "<tr><td>x<td>y<caption>z" * 5_000,
    "a long link in many lines": f"<p><a href=/{'x' * 100_000}>" + "y<br>" * 10_000,
}


@pytest.mark.parametrize("name", LONG)
def test_time_is_linear(name: str) -> None:
    labels = all_of(LONG[name])
    with ends_soon():
        found = markdown(labels)
    assert len(found) < 30 * len(LONG[name])
