"""The guard before the parse: its figures against the parser's own tree, its verdicts, and its twin."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from fastwrap._core.page.nesting import is_harmless, scan
from fastwrap.errors import FastwrapError
from fastwrap.page import nesting
from fastwrap.page.nesting_rules import MAX_DEPTH, MAX_NODES, MAX_WORK
from tests.helpers.hangs import ends_soon
from tests.helpers.nesting import ACCEPTED, REFUSED, numbered
from tests.reference.page import nesting as plain

INLINE = "a b i em font nobr span x-y"
BLOCK = "div p ul li dl dt dd h1 h2 pre address section center form button"
TABLE = "table caption colgroup col tbody thead tr td th"
CONTROL = "select option optgroup hr input br img object marquee ruby rb rt rtc rp"
FOREIGN = "svg math g desc title foreignObject mi mo mglyph annotation-xml style script"
RAW = "title textarea style script xmp iframe noembed noframes noscript listing plaintext"
PAGE = "html head body frameset frame template meta link base"
# Each page draws from one of these, so that tags that have to do with one another meet.
VOCABULARIES = [
    f"{INLINE} {BLOCK}",
    f"{INLINE} {TABLE} div p form input",
    f"{INLINE} {CONTROL} div p button",
    f"{FOREIGN} a b p font table td option rt textarea",
    f"{TABLE} {PAGE} b p object",
    f"{RAW} b p div select table td",
    f"{INLINE} {BLOCK} {TABLE} {CONTROL} {FOREIGN} {RAW} {PAGE}",
]
ATTRIBUTES = ["", "", "", " a", " b=1", " size=2", ' c="x>y"', " d='<b>'", "/", " e=/", " = f", ' encoding="text/html"']
TEXTS = ["x", " ", "\n", "y z", "&amp;", "<", "< ", "a<b", "\0"]
DECLARATIONS = ["<!--<b>-->", "<!-->", "<!--->", "<!-- --!>", "<!x>", "<?x>", "</ >", "</>", "<![CDATA[<b>]]>"]
PIECES = [
    "<",
    "<b",
    '=="',
    "\r\n",
    '<b "',
    "<i a='",
    "<!--",
    "-->",
    "<!--<script>",
    "</script",
    "</textarea>",
    '">',
    "'>",
    "]]>",
]


def spell(vocabulary: str, attributes: list[str], others: list[str], code: bytes) -> bytes:
    """Tags in any order with other pieces in between: two bytes a piece, which hypothesis draws and shrinks fast."""
    names = vocabulary.split()
    pieces = []
    for pick, variant in zip(code[::2], code[1::2], strict=False):
        name = names[pick % len(names)]
        start = f"<{name}{attributes[variant % len(attributes)]}>"
        pieces.append(
            [start, start, start, start.upper(), *3 * [f"</{name}>"], others[pick % len(others)]][variant >> 5]
        )
    return "".join(pieces).encode()


def pages(vocabularies: list[str], attributes: list[str], others: list[str]) -> st.SearchStrategy[bytes]:
    codes = st.builds(
        spell, st.sampled_from(vocabularies), st.just(attributes), st.just(others), st.binary(max_size=80)
    )
    return st.builds(bytes.__add__, st.sampled_from([b"", b"", b"<!DOCTYPE html>", b"<body>", b"<table>"]), codes)


MALFORMED = pages(VOCABULARIES, ATTRIBUTES, TEXTS + DECLARATIONS + PIECES)


def tree(html: bytes) -> tuple[int, int]:
    """The depth and the number of elements of the parser's tree; the content of templates is not part of it."""
    root = LexborHTMLParser(html, scripting=True).root
    assert root is not None
    deepest = elements = 0
    level = [root]
    while level:
        deepest += 1
        elements += len(level)
        children = []
        for node in level:
            child = node.first_child
            while child is not None:
                if child.is_element_node:
                    children.append(child)
                child = child.next
        level = children
    return deepest, elements


@settings(max_examples=2_500)
@given(MALFORMED)
@example(b"<a><table><a><tr><td>" * 5)
@example(b"<p><b></p><textarea>x</textarea>y")
@example(b"<p><b><listing>\n<section>x</section>y")
@example(b"<template><b><object></template></b><b><div><form>")
@example(b"<svg><desc></p>")
@example(b"<script><!--<script></script><div></script><p>")
@example(b"<select><a><select><a><hr><p><option>")
def test_never_less_than_the_tree(html: bytes) -> None:
    deepest, _, nodes = scan(html)
    true_depth, elements = tree(html)
    assert deepest >= true_depth
    assert nodes >= elements


@settings(max_examples=1_500)
@given(pages(VOCABULARIES[:4], ["", "", " a", " b"], ["x", " ", "<!---->"]))
def test_as_many_nodes_as_the_tree(html: bytes) -> None:
    """Exact, since tags this short leave nothing to allow for when they are copied."""
    html = b"<body>" + re.sub(rb"(?i)<(font|nobr) [ab]>", rb"<\1>", html)
    assert scan(html)[2] == tree(html)[1]


@st.composite
def well_formed(draw: st.DrawFn, depth: int = 4) -> str:
    """An element with all its tags, and with nothing that is out of place."""
    kind = draw(st.sampled_from(["text", "inline", "block", "list", "table", "svg", "raw"]))
    if kind == "text" or depth == 0:
        return draw(st.sampled_from(["x", "<br>", "<img src='a>b'>", "<!--<div>-->", "&lt;div>"]))
    inner = well_formed(depth - 1)
    content = "".join(draw(st.lists(inner, max_size=3))) if kind != "inline" else "text<br>"
    return {
        "inline": f"<b class='{draw(st.integers(0, 9))}'>{content}</b>",
        "block": f"<div><section>{content}</section></div>",
        "list": f"<ul><li>{content}</li><li>{content}</li></ul>",
        "table": f"<table><thead><tr><th>x</th></tr></thead><tbody><tr><td>{content}</td></tr></tbody></table>",
        "svg": f"<svg><g><path d='M0'/></g><foreignObject><div>{content}</div></foreignObject></svg>",
        "raw": f"<script>'<div>' + 1 < 2</script><textarea><b></textarea><div>{content}</div>",
    }[kind]


@settings(max_examples=150)
@given(well_formed())
def test_exact_on_well_formed_pages(body: str) -> None:
    html = f"<!DOCTYPE html><html><head><title><b></title></head><body>{body}</body></html>".encode()
    deepest, _, nodes = scan(html)
    assert (deepest, nodes) == tree(html)


@settings(max_examples=1_500)
@given(MALFORMED | st.binary(max_size=300))
def test_the_scanner_finds_what_its_twin_finds(html: bytes) -> None:
    assert plain.scan(html) == scan(html)
    assert plain.is_harmless(html) == is_harmless(html)


@settings(max_examples=300)
@given(MALFORMED, st.binary(max_size=40), st.data())
def test_truncated_and_binary_pages(html: bytes, noise: bytes, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(html)))
    for page in (html[:cut], html[:cut] + noise + html[cut:]):
        deepest, _, nodes = scan(page)
        true_depth, elements = tree(page)
        assert deepest >= true_depth
        assert nodes >= elements
        nesting.check(page)


REPEATED = ["<div>", "<p>x", "<b id=%d>", "<b>", "<a href=%d>", "</b>", "</a>", "<table><td>", "<font a b c d e=%d>"]


@settings(max_examples=150)
@given(st.lists(st.tuples(st.sampled_from(REPEATED), st.integers(1, 1_500)), min_size=1, max_size=5))
@example([("<p>x", 1), ("<b id=%d>", 30), ("<p>x", 3_900)])
@example([("<b id=%d>", 600), ("<div>", 600), ("</b>", 600)])
def test_harmless_pages_pass(runs: list[tuple[str, int]]) -> None:
    """Pages made to grow, of the size where the quick answer ends."""
    html = "".join(tag % k if "%" in tag else tag for tag, times in runs for k in range(times)).encode()
    if is_harmless(html):
        deepest, work, nodes = scan(html)
        assert deepest <= MAX_DEPTH
        assert work <= MAX_WORK
        assert nodes <= MAX_NODES


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    html, message = REFUSED[name]
    with pytest.raises(FastwrapError, match=message):
        nesting.check(html)


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(name: str) -> None:
    nesting.check(ACCEPTED[name])


SLOW_TO_READ = {
    "tags in tags": b"<b " * 1_000_000,
    "names in names": b"<b" * 1_000_000,
    "few tags in tags": b"<b " * 3_900 + b"x " * 70_000,
    "end tags in a script": b"<script>" + b"</<" * 1_000_000,
    "comments in a script": b"<script>" + b"<!--" * 1_000_000,
    "quotations": b"<b a='" * 1_000_000,
    "comments": b"<!--" * 1_000_000,
    "declarations": b"<!" * 1_000_000,
    "sections": b"<svg>" + b"<![CDATA[" * 300_000,
    "steps": b"<span>" * 10_000 + b"</x>" * 49_000,
    "copies": b"<p>" + numbered(b"<b id=%d>", 1_000) + b"<p>x" * 1_900,
}


@pytest.mark.parametrize("name", SLOW_TO_READ)
def test_time_does_not_grow_with_the_square(name: str) -> None:
    """At a byte a nanosecond these take milliseconds; with the square of their length, hours."""
    with ends_soon():
        is_harmless(SLOW_TO_READ[name])
        scan(SLOW_TO_READ[name])


def test_work_is_the_parsers() -> None:
    """A block starts with a search for a paragraph through all that is open; its end tag finds it at once."""
    for depth in (100, 1_000):
        assert scan(b"<div>" * depth)[1] == depth * (depth + 3) // 2
        assert scan(b"<div>" * depth + b"</div>" * depth)[1] == depth * (depth + 5) // 2


def test_real_pages_pass(corpus: list[Path]) -> None:
    refused = {}
    for path in corpus:
        html = path.read_bytes()
        try:
            nesting.check(html)
        except FastwrapError as error:
            refused[path] = str(error)
        assert scan(html)[0] < 500
    assert refused == {}


def test_real_pages_against_their_trees(corpus: list[Path]) -> None:
    for path in corpus[::12]:
        html = path.read_bytes()
        deepest, _, nodes = scan(html)
        # The scan takes every page for one in quirks mode, where a table does not close a paragraph.
        true_depth, elements = tree(re.sub(rb"<!doctype[^>]*>", b"", html, count=1, flags=re.IGNORECASE))
        assert true_depth <= deepest <= true_depth + 8, path
        assert elements <= nodes <= 1.5 * elements + 100, path
