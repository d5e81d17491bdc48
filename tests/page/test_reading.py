"""Reading: the arrays of a page are those of its tree as selectolax has it, but where Lexbor differs from the standard.
`test_html5lib.py` compares with the standard itself, where its tests are at hand."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fastwrap import FastwrapError, Page
from fastwrap._core.page import reading as kernel
from fastwrap.page import reading
from fastwrap.page.arrays import NodeArrays
from fastwrap.page.tree import tree
from tests.helpers.nesting import ACCEPTED, REFUSED
from tests.reference.page.walk import LEAST_MARKUP, may_differ, parse, walk
from tests.reference.soups import TAGS, soups


def both(html: bytes) -> tuple[NodeArrays, NodeArrays]:
    """The arrays by either way, with equal names."""
    ours: dict[int, str] = {}
    theirs: dict[int, str] = {}
    found, expected = reading.read(html, ours), walk(parse(html), theirs)
    assert ours == theirs
    return found, expected


def assert_same(found: NodeArrays, expected: NodeArrays) -> None:
    for name, mine, theirs in zip(NodeArrays._fields, found, expected, strict=True):
        assert np.array_equal(np.asarray(mine), np.asarray(theirs)), name


@settings(max_examples=2_000)
@given(soups)
def test_the_arrays_are_those_of_the_oracle(html: bytes) -> None:
    assume(not may_differ(html))
    assert_same(*both(html))


@settings(max_examples=1_000)
@given(soups)
def test_the_arrays_are_those_of_the_whole_tree(html: bytes) -> None:
    """Two ways out of one tree: elements in the same order, and the same texts."""
    page = Page(html.decode())
    names, texts = [], []
    stack = [next(node for node in tree(html).children if node.is_element)]
    while stack:
        node = stack.pop()
        if node.name == "#text":
            texts.append(" ".join(node.text.split()))
        elif node.is_element and node.name not in ("script", "style", "template", "noscript"):
            names.append((node.name, list(node.attributes)))
            if node.name not in ("iframe", "noframes", "noembed"):
                stack += reversed(node.children)
    elements = [node for node in range(len(page)) if page.tag[node]]
    assert [(page.tag_name(node), [*map(str.lower, page.attributes(node))]) for node in elements] == names
    assert [page.text(node) for node in range(len(page)) if not page.tag[node]] == [text for text in texts if text]


STATE = b'<script>state = {"name": "one of several scripts", "number": %d}</script>'
MARKUP = b"<noscript><p>" + b"markup of a page number %d " * 50 + b"</noscript>"
moving = st.lists(st.sampled_from(
    [b"<table>", b"<tr>", b"<td>", b"</td>", b"</table>", b"<b>", b"</b>", b"<a>", b"</a>", b"<p>", b"</p>", b"<div>",
     b"</div>", b"<h1>", b"text", b"</body>", b"<script type=application/json>%d</script>", STATE, STATE,
     MARKUP]
), min_size=3, max_size=24)  # fmt: skip


@settings(max_examples=500)
@given(moving)
def test_scripts_are_in_order_where_nodes_are_moved(parts: list[bytes]) -> None:
    html = b"".join(part.replace(b"%d", b"%d" % number) for number, part in enumerate(parts))
    assert_same(*both(html))
    assert_same(*both(b"<p>x<b><div>y</b>z</div>" + html))


@settings(max_examples=300)
@given(st.text("=[{}]\"' \n\0\rJSON.parse(1,", max_size=80), st.integers(0, 1100))
def test_scripts_that_hold_data_are_told_alike(text: str, before: int) -> None:
    assert_same(*both(f"<p>a<script>{'x' * before}{text}</script>b".encode()))


@settings(max_examples=300)
@given(
    st.sampled_from(["<p>a", "<head>", "<svg>", "<table><tr>", "<select>", "<template>"]),
    st.text("<p>/scrnot&amp; \n\r\0é", max_size=40),
    st.integers(-60, 60),
)
def test_markup_for_browsers_without_scripts_is_kept_alike(before: str, text: str, more: int) -> None:
    script = f'<script>{{"a": [{text}]}}</script>'
    html = f"{before}<noscript>{'x' * (LEAST_MARKUP + more)}{text}</noscript>b{script}"
    assume(before != "<svg>" or "<p" not in text)
    assert_same(*both(html.encode()))


@settings(max_examples=300)
@given(st.lists(soups, min_size=2, max_size=5))
def test_a_page_leaves_nothing_to_the_next(pages: list[bytes]) -> None:
    """Above all its quirks mode, in which a table does not close a paragraph."""
    html = b"<!doctype html><p>a<table><tr><td>b</table>"
    expected = reading.read(html, {})
    for other in pages:
        reading.read(other, {})
        kernel.recorded_tree(other)
    assert_same(reading.read(html, {}), expected)


@given(soups, st.integers(0, 40))
def test_no_byte_behind_the_page_is_looked_at(html: bytes, more: int) -> None:
    """Sixteen bytes at a time are never more than a page has, wherever it ends; sanitizers see it."""
    cut = html[: max(0, len(html) - more)]
    assert_same(reading.read(bytes(bytearray(cut)), {}), reading.read(cut, {}))


@pytest.mark.parametrize(
    "tail", [b"", b"<", b"</", b"<!", b" <", b" </", b"\n<!", b"<p", b"<p a", b"<p a=", b"<p a='", b"&", b"&a"]
)
def test_the_very_end(tail: bytes) -> None:
    assert_same(*both(b"<ul> <li>a</li> <li>b</li>" + tail))


@pytest.mark.parametrize("name", REFUSED)
def test_beyond_a_limit(name: str) -> None:
    html, message = REFUSED[name]
    with pytest.raises(FastwrapError, match=message):
        reading.read(html, {})
    assert_same(*both(b"<p>the next page</p> <p>is read as ever"))


@pytest.mark.parametrize("name", sorted(ACCEPTED))
def test_within_the_limits(name: str) -> None:
    assert len(reading.read(ACCEPTED[name], {}).tag) >= 3


def test_by_the_standard() -> None:
    """What Lexbor does in another way."""
    cases = {
        "<svg><g><sup>x": "html head body svg g sup",
        "<p><b></p><textarea>x": "html head body p b textarea",
        "<table><image>": "html head body img table",
        "<template></template><p><frameset>": "html head template body p",
        "<table><colgroup><!doctype html><col>": "html head body table colgroup col",
        "<svg xmlns=1 xmlns=2>": "html head body svg",
        "<a><b><div><b><span><sub><sub><p><a>": "html head body a b b div a b span sub sub p a a",
        "<form><math><optgroup></form><form>": "html head body form math optgroup form",
    }
    for html, names in cases.items():
        assert [node.name for node in tree(html.encode()).walk() if node.is_element] == names.split()
    equal = tree(b"<p><b x><b x><b x><b x=''><p>y").walk()
    assert sum(node.name == "b" for node in equal) == 7  # no value is an empty one, so three are opened again


@pytest.mark.parametrize(
    "html",
    [
        b"<svg><foreignobject><![CDATA[ z ]]>",
        b"<svg>x<![CDATA[ z ]]>y</svg>",
        b"<svg><noframes><x-y>",
        b"<p><i><p><b><p><u><p><s><p><a>1<div></i>2",
        b"<nobr><table><object></table></nobr><img>",
        b"<font><pre>\n<b>x",
        b"<svg><style>a<b>c</b></style><script type=application/json>1</script></svg>",
        b"<script type=application/json>1</script><table>x<script type=application/json>2</script>",
        b"<table>x<tr>y<td>z",
        b"a<table>b<!-- c -->d<tr>e</table>f",
        b"<body>a</body><!-- c -->b</html> <!-- d --> c",
        b"<script type=a type=application/json>1</script>",
        b"<svg><script xlink:type=application/json>1</script>",
        b"<svg><style><desc><script type=application/json>1</script>",
        b"<p><b a=1 c=2><b c=2 a=1><b a=1 c=2><b a=1 c=2><p>y",
        b"<p><b></p><pre>\n\0",
        b"<p>" + b"".join(b"<b y%d>" % k for k in range(50)) + b"</p>" + b"<div>" * 960 + b"x",
    ],
)
def test_what_once_was_different(html: bytes) -> None:
    assert_same(*both(html))


@given(st.lists(st.tuples(st.sampled_from(TAGS), st.lists(st.integers(0, 60), max_size=90)), max_size=5))
def test_many_attributes_on_a_tag(tags: list[tuple[str, list[int]]]) -> None:
    """Of two with one name the first counts, however many there are; known and unknown names, in any order."""
    names = "class id href src alt title style type name value rel lang viewBox xlink:href".split()
    names += [f"x{k}" for k in range(61 - len(names))]
    html = ""
    for tag, numbers in tags:
        written = "".join(f" {names[number]}={k}" for k, number in enumerate(numbers))
        html += f"<{tag}{written}>t"
    assert_same(*both(html.encode()))


def test_many_attributes_cost_what_they_are() -> None:
    """Not the square of it; no clock looks on, but this would take minutes."""
    many = b" ".join(b"a%x" % k for k in range(15_000))
    for html in (b"<p %s>x" % many, b"<ul>" + b"<li %s>x</li>" % many[:8_000] * 100, b"<svg %s>x</svg>" % many[:500]):
        reading.read(html, {})
    assert_same(*both(b"<p %s>x<i %s a0>" % (many[:50_000], many[2_000:9_000])))


COSTLY: dict[str, Callable[[int], bytes]] = {
    "attributes that are opened again": lambda n: (
        b"<p>"
        + b"".join(b"<b x%d %s>" % (k, b" ".join(b"a%d" % j for j in range(190))) for k in range(95))
        + b"<p>x" * n
    )
}


@pytest.mark.parametrize("name", sorted(COSTLY))
def test_what_asks_for_too_much_is_refused(name: str) -> None:
    with pytest.raises(FastwrapError, match="refused"):
        Page(COSTLY[name](400_000))


@pytest.mark.parametrize(
    "html",
    [
        *(b"".join(b"</x%d>" % k for k in range(50_000)) for _ in range(1)),
        b"".join(b"<tr z%d>" % k for k in range(50_000)),
        b"<svg><style>" + b"".join(b"<x%d/>" % k for k in range(50_000)),
        b"<script>1</script " + b"".join(b"a%d " % k for k in range(50_000)) + b">",
    ],
    ids=["stray end tags", "ignored tags", "left out", "end tag of a script"],
)
def test_names_that_nobody_sees(html: bytes) -> None:
    page = Page(html)
    assert len(page) < 10
    assert not page.custom_names


def test_threads_do_not_share_a_parser() -> None:
    pages = [f"<title>{k}</title>" + f"<ul>{f'<li><b>{k}</b> text' * 50}</ul>" * 20 for k in range(20)]
    expected = [Page(html).text() for html in pages]
    found: list[bool] = []

    def work(first: int) -> None:
        found.extend(Page(pages[(first + k) % 20]).text() == expected[(first + k) % 20] for k in range(200))

    threads = [threading.Thread(target=work, args=(k * 5,)) for k in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 2_400
    assert all(found)
