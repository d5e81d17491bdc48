"""Reading: Lexbor called directly gives the arrays that selectolax's interface gives, whatever came before."""

from __future__ import annotations

import itertools
import threading
import warnings
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import FastwrapError, Page
from fastwrap._core.page import functions, layout, parsing
from fastwrap._core.page.layout import LayoutError
from fastwrap.page import nesting, reading
from fastwrap.page.arrays import NodeArrays
from fastwrap.page.public_walk import LEAST_MARKUP
from fastwrap.page.public_walk import walk as public_walk
from tests.helpers.nesting import ACCEPTED, REFUSED

# What has rules of its own: tables, formatting, texts that go on, raw texts, foreign content. The first ones are given
# more often, and so nest more deeply.
TAGS = """
    a b i font sub sup p div span li ul table tr td tbody form select option
    nobr wbr thead tfoot th caption colgroup col optgroup svg math mi desc title foreignobject g script style noscript
    template textarea pre form button h1 h2 dl dt dd ruby rb rt rtc frameset frame iframe noembed noframes xmp
    object applet br hr img image input area param body html head meta link x-y plaintext code address main search
    dialog label center selectedcontent annotation-xml
    """.split()
PIECES = st.one_of(
    st.builds(
        "<{}{}{}>".format,
        st.sampled_from(TAGS),
        st.sampled_from(
            ["", "", " a=1", " a=1 b=2 a=3", " class=x", " type=application/json", " type=hidden", " color=red",
             " encoding=text/html", " viewbox=0 refx=1 xlink:href=2"]
        ),
        st.sampled_from(["", "", "/"]),
    ),
    st.sampled_from(TAGS).map("</{}>".format),
    st.sampled_from(
        ["x", "a b", " ", "\n  ", "\t", "&nbsp;", "&#32;", " y", "y ", "< ", "<", "</>", "</ x>", "<!-- c -->", "<!x>",
         "<?p?>", "\x00", "\x0c", "\r\n", "<![CDATA[ z ]]>", "&lt;", "\u3000", "<!doctype html>"]
    ),
)  # fmt: skip
soups = st.lists(PIECES, max_size=60).map(lambda pieces: "".join(pieces).encode())


@pytest.fixture(autouse=True, scope="module")
def functions_are_known() -> None:
    """As after the first page: single tests of this module find it so, whatever ran before them."""
    assert reading.has_functions()


def verified() -> layout.Layout:
    found = layout.verified()
    assert isinstance(found, layout.Layout)
    return found


def both(html: bytes) -> tuple[NodeArrays, NodeArrays]:
    """The arrays by either way, with equal numbers of names."""
    own: dict[int, str] = {}
    other: dict[int, str] = {}
    direct, through = reading.read_directly(html, own), reading.walk_tree(html, verified(), other)
    assert direct is not None
    assert through is not None
    assert own == other
    return direct, through


def assert_same(direct: NodeArrays, through: NodeArrays) -> None:
    for name, mine, theirs in zip(NodeArrays._fields, direct, through, strict=True):
        assert np.array_equal(np.asarray(mine), np.asarray(theirs)), name


def test_the_functions_are_found() -> None:
    assert functions.ready(verified()) is None
    assert reading.has_functions()


@settings(max_examples=2_000)
@given(soups)
def test_both_ways_are_equal(html: bytes) -> None:
    assert_same(*both(html))


STATE = b'<script>state = {"name": "one of several scripts", "number": %d}</script>'
MARKUP = b"<noscript><p>" + b"markup of a page number %d " * 50 + b"</noscript>"
moving = st.lists(st.sampled_from(
    [b"<table>", b"<tr>", b"<td>", b"</td>", b"</table>", b"<b>", b"</b>", b"<a>", b"</a>", b"<p>", b"</p>", b"<div>",
     b"</div>", b"<h1>", b"text", b"</body>", b"<script type=application/json>%d</script>", STATE, STATE,
     MARKUP]
), min_size=3, max_size=24)  # fmt: skip


@settings(max_examples=1_000)
@given(moving)
def test_scripts_are_in_order_where_nodes_are_moved(parts: list[bytes]) -> None:
    html = b"".join(part.replace(b"%d", b"%d" % number) for number, part in enumerate(parts))
    assert_same(*both(html))
    assert_same(*both(b"<p>x<b><div>y</b>z</div>" + html))


def test_scripts_need_no_tree_where_they_stay_in_order() -> None:
    before = parsing.trees()
    data = b"".join(STATE % number for number in range(3))
    assert_same(*both(data + b"<p>a<b>b<div>c</b>d" + data + b"</div><table>e<tr><td>f</td></tr></table>" + data))
    assert parsing.trees() == before
    assert_same(*both(b"<table><tr>" + STATE % 1 + b"<div>" + STATE % 2))
    assert parsing.trees() == before + 1


@settings(max_examples=300)
@given(st.text("=[{}]\"' \n\0\rJSON.parse(1,", max_size=80), st.integers(0, 1100))
def test_scripts_that_hold_data_are_told_alike(text: str, before: int) -> None:
    """By the parse, by the walk, and by the slow walk."""
    html = f"<p>a<script>{'x' * before}{text}</script>b".encode()
    direct, through = both(html)
    assert_same(direct, through)
    assert_same(direct, public_walk(reading.parse(html), {}))


@settings(max_examples=300)
@given(
    st.sampled_from(["<p>a", "<head>", "<svg>", "<table><tr>", "<select>", "<template>"]),
    st.text("<p>/scrnot&amp; \n\r\0é", max_size=40),
    st.integers(-60, 60),
)
def test_markup_for_browsers_without_scripts_is_kept_alike(before: str, text: str, more: int) -> None:
    """By the parse, by the walk, and by the slow walk."""
    script = f'<script>{{"a": [{text}]}}</script>'
    html = f"{before}<noscript>{'x' * (LEAST_MARKUP + more)}{text}</noscript>b{script}".encode()
    through = reading.walk_tree(html, verified(), {})
    assert through is not None
    assert_same(public_walk(reading.parse(html), {}), through)
    direct = reading.read_directly(html, {})
    assert direct is not None
    assert_same(direct, through)


@settings(max_examples=300)
@given(st.lists(soups, min_size=2, max_size=5))
def test_a_page_leaves_nothing_to_the_next(pages: list[bytes]) -> None:
    """Above all its quirks mode, in which a table does not close a paragraph."""
    for html in pages:
        reading.read_directly(html, {})
    assert_same(*both(b"<!doctype html><p>a<table><tr><td>b</table>" + pages[0]))


@pytest.mark.parametrize("tail", [b"", b"<", b"</", b"<!", b" <", b" </", b"\n<!"])
def test_blank_text_at_the_very_end(tail: bytes) -> None:
    assert_same(*both(b"<ul> <li>a</li> <li>b</li>" + tail))


@pytest.mark.parametrize("length", [parsing.CHUNK - 3, parsing.CHUNK, parsing.CHUNK + 3, 3 * parsing.CHUNK])
def test_pages_that_are_parsed_in_pieces(length: int) -> None:
    item = b"<li class='a b'><a href=/x?a=1&amp;b=2>a &lt; b</a> <!-- c --> text &nbsp; </li>\n "
    for shift in range(0, len(item), 7):
        assert_same(*both(b"<ul>" + b"x" * shift + item * (length // len(item) + 1)))
    assert_same(*both(b"<script type=application/json>[" + b"1, " * length + b"]</script><p title='" + b"x" * length))


@pytest.mark.parametrize("name", REFUSED)
def test_refused_as_by_the_check(name: str) -> None:
    html, message = REFUSED[name]
    with pytest.raises(FastwrapError, match=message):
        reading.read(html, {})
    assert_same(*both(b"<p>the next page</p> <p>is read as ever"))


@pytest.mark.parametrize("name", sorted(set(ACCEPTED) - {"siblings"}))
def test_accepted_as_by_the_check(name: str) -> None:
    assert_same(*both(ACCEPTED[name]))


def test_other_rules_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parser that builds other trees from the same tokens is walked, not imitated."""
    before = parsing.trees()
    assert reading.agrees(verified())
    assert parsing.trees() == before
    for number in range(len(reading.TRIALS)):
        pages = list(reading.TRIALS)
        pages[number] = pages[number].replace(b"c", b"c<template>c</template>")
        monkeypatch.setattr(reading, "TRIALS", tuple(pages))
        assert reading.agrees(verified())
    walk = reading.walk_tree
    monkeypatch.setattr(reading, "walk_tree", lambda html, *more: walk(html.replace(b"<table>", b"<tr>"), *more))
    assert not reading.agrees(verified())


def test_ordinary_pages_need_no_tree(example: bytes) -> None:
    """What real pages do wrong is no reason to give up."""
    mistakes = [
        b"<p>one<p>two<ul><li>a<li>b</ul><table><td>c<td>d<tr><td>e</table>",
        b"<b>bold<p>block</b>plain</p><a href=1>link<a href=2>link</a>",
        b"<table><tr><td>a</td></tr>text<center>more</center><form action=x><input type=hidden><input></form></table>",
        b"<html lang=en><body class=a><html lang=de dir=ltr><body class=b id=c>text",
        b"<svg viewbox='0 0 1 1'><title>t</title><style>s</style><path d=x /></svg><select><option>1<option>2</select>",
        b"x</font>y</b><!-- c -->z</table></td>&nbsp;<pre>\n</pre><br/></br></p><div/>",
        b"<script type=application/ld+json>{}</script><style>x</style><noscript><p></noscript><iframe><p></iframe>",
    ]
    before = parsing.trees()
    for html in (example, b"".join(mistakes), *mistakes):
        assert_same(*both(html))
    assert parsing.trees() == before
    assert_same(*both(b"<template><p>a</template><p>b"))
    assert parsing.trees() == before + 1


@pytest.mark.parametrize(
    "html",
    [
        b"<svg><foreignobject><![CDATA[ z ]]>",
        b"<svg>x<![CDATA[ z ]]>y</svg>",
        b"<ol><em></ol><textarea>a<b></textarea>",
        b"<svg><noframes><x-y>",
        b"<p><i><p><b><p><u><p><s><p><a>1<div></i>2",
        b"<nobr><table><object></table></nobr><img>",
        b"<table><col><!doctype html><col>",
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
        b"<p><b x><b x><b x><b x=''><p>y",
        b"<p><b></p><pre>\n\0",
        b"<svg xmlns=1 xmlns=2>",
        b"<p>a\xe3</x>\x80\x80b",
        b"<p>" + b"".join(b"<b y%d>" % k for k in range(50)) + b"</p>" + b"<div>" * 960 + b"x",
    ],
)
def test_what_once_was_different(html: bytes) -> None:
    assert_same(*both(html))


@pytest.mark.parametrize(
    "tail", [b"</script><p>x", b"<", b"</", b"</scrip", b"</b>" + b" y" * parsing.CHUNK + b"</script>z"]
)
def test_long_scripts(tail: bytes) -> None:
    """One that is longer than what the parser is given at a time needs no tree."""
    before = parsing.trees()
    assert_same(*both(b"<p>a<script type=application/json>" + b"x < y, " * (parsing.CHUNK // 2) + b"</script>b"))
    assert parsing.trees() == before
    assert_same(*both(b"<p>a<script>" + b"1 < 2; " * (parsing.CHUNK // 3) + tail))


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


def test_many_attributes_need_no_tree() -> None:
    """Lexbor's tree compares each attribute with all before it; the arrays do not need it."""
    many = b" ".join(b"a%x" % k for k in range(15_000))
    before = parsing.trees()
    for html in (b"<p %s>x" % many, b"<ul>" + b"<li %s>x</li>" % many[:8_000] * 100, b"<svg %s>x</svg>" % many[:500]):
        reading.read(html, {})
    assert parsing.trees() == before
    assert_same(*both(b"<p %s>x<i %s a0>" % (many[:50_000], many[2_000:9_000])))
    # Where elements are compared with each other, a tree is built.
    for html in (b"<b %s><b %s>x", b"<body %s><body %s>x"):
        assert_same(*both(html % (many[:2_000], many[:2_000])))


def test_more_attributes_than_the_parser_bears_are_refused() -> None:
    """40,000 of three letters fit in 160 KB, which no check may take for harmless."""
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    names = ["".join(name) for length in (1, 2, 3) for name in itertools.product(letters, repeat=length)][:40_000]
    html = f"<p {'/'.join(names)}>x".encode()
    assert len(html) < 160_000
    for check in (nesting.check, Page, lambda html: Page(b"<template>" + html)):
        with pytest.raises(FastwrapError, match="attributes"):
            check(html)


COSTLY: dict[str, Callable[[int], bytes]] = {
    "attributes that are opened again": lambda n: (
        b"<p>"
        + b"".join(b"<b x%d %s>" % (k, b" ".join(b"a%d" % j for j in range(190))) for k in range(95))
        + b"<p>x" * n
    ),
    "names of stray end tags": lambda n: b"".join(b"</x%d>" % k for k in range(n)),
    "names of ignored tags": lambda n: b"".join(b"<tr z%d>" % k for k in range(n)),
    "names within what is left out": lambda n: b"<svg><style>" + b"".join(b"<x%d/>" % k for k in range(n)),
    "names in the end tag of a script": lambda n: (
        b"<script>1</script " + b"".join(b"a%d " % k for k in range(n)) + b">"
    ),
}


@pytest.mark.parametrize("name", sorted(COSTLY))
def test_what_asks_for_too_much_is_refused(name: str) -> None:
    """Not by the clock: the check, which these set off, refuses them."""
    with pytest.raises(FastwrapError, match="refused"):
        Page(COSTLY[name](400_000))


def test_ordinary_pages_are_not_checked(example: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check costs a tenth of the parse: the guards must not call for it without need."""
    asked: list[bytes] = []
    monkeypatch.setattr(nesting, "check", asked.append)
    item = b"<div class=item><a href=/a/%d><img src=%d.png alt='thing %d'></a> <span>%d</span> <b>new</b></div>\n"
    for html in (example, b"".join(item % (k, k, k, k) for k in range(10_000))):
        reading.read_directly(html, {})
    assert asked == []
    reading.read_directly(b"<div>" * 5_000, {})
    assert asked == [b"<div>" * 5_000]


def test_what_the_check_raises_comes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(html: bytes) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(nesting, "check", interrupt)
    with pytest.raises(KeyboardInterrupt):
        reading.read(b"<div>" * 5_000, {})


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


@pytest.mark.parametrize("field", sorted(parsing.OFFSETS))
@pytest.mark.parametrize("shift", [-8, 8, 64, 4096])
def test_a_field_elsewhere_is_noticed(field: str, shift: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever single field moves, the check says so; it survives whatever it finds there."""
    if parsing.OFFSETS[field] + shift < 0:
        return
    monkeypatch.setitem(parsing.OFFSETS, field, parsing.OFFSETS[field] + shift)
    assert isinstance(functions.ready.__wrapped__(verified()), LayoutError)


def test_functions_that_are_not_shown_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(functions, "NAMES", (*functions.NAMES, "lxb_no_such_function"))
    reason = functions.ready.__wrapped__(verified())
    assert isinstance(reason, LayoutError)
    assert "lxb_no_such_function" in str(reason)


def forget() -> None:
    """What the module remembers of the way to read."""
    reading.verified_layout.cache_clear()
    reading.has_functions.cache_clear()


def test_without_the_functions_the_arrays_are_the_same(monkeypatch: pytest.MonkeyPatch, example: bytes) -> None:
    expected = Page(example)
    monkeypatch.setattr(functions, "ready", lambda _: LayoutError("none"))
    monkeypatch.setattr(parsing, "read", None)
    forget()
    try:
        assert_same(Page(example).arrays, expected.arrays)
    finally:
        forget()


def test_a_layout_that_does_not_hold_falls_back_with_one_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "<ul class=a><li>one<li data-x=1>two<x-b></ul><script type=json>{}</script>"
    expected = Page(source)
    reason = layout.LayoutError("next: found 1, expected 2")
    monkeypatch.setattr(layout, "verified", lambda: reason)
    forget()
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            pages = [Page(source), Page(source), Page(source)]
    finally:
        forget()
    assert [str(w.message) for w in caught] == [
        "fastwrap reads pages through the slower public API: this selectolax lays out its nodes in another way "
        "(next: found 1, expected 2)"
    ]
    assert caught[0].filename == __file__
    for page in pages:
        assert_same(page.arrays, expected.arrays)


@pytest.mark.parametrize("directly", [True, False])
def test_an_unknown_number_of_the_parser_takes_the_slow_walk(directly: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = Page("<p align=left>x</p>")
    if directly:
        monkeypatch.setattr(parsing, "read", lambda *_: None)
    else:
        monkeypatch.setattr(reading, "has_functions", lambda: False)
        monkeypatch.setattr(reading, "native_walk", lambda *_: None)
    assert_same(Page("<p align=left>x</p>").arrays, expected.arrays)
