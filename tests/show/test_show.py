"""The view: marks are on the right nodes, nothing of a page runs, loads or breaks out, sizes are bounded."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import lxml.html
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode

import fastwrap
from fastwrap import FastwrapError, Page, extract
from fastwrap.cli import main
from fastwrap.cli.show import view_name
from fastwrap.common.resources import resource
from fastwrap.extraction import Extraction
from fastwrap.regions import FoundRegion
from fastwrap.show import view
from fastwrap.show.frame import MARK, NO_ELEMENTS, WRAP, frame, policy
from fastwrap.show.offering import MOST_OFFERED
from fastwrap.show.panel import MAX_LEFT_OUT, section
from fastwrap.show.parts import MAX_NODES, script
from fastwrap.show.plot import MAX_BARS, MAX_DOTS, plot
from fastwrap.show.regions import MAX_COLUMNS, MAX_ROWS, shown_regions
from fastwrap.show.styles import unescaped, without_addresses
from tests.helpers.paths import EXAMPLES
from tests.reference.html import html as random_html

SCRIPT = script()
WORDS = "amber birch cedar dune ember fern grove heath iris jade".split()


def listing(*, before: str = "", within: str = "", after: str = "") -> str:
    items = "".join(
        f'<li class=item><a href="/item/{word}">{word} {WORDS[-number]}</a> <b>${5 + number}.50</b> {within}'
        f" <span class=note>made by hand in {word.title()}ton</span></li>"
        for number, word in enumerate(WORDS)
    )
    return f"<h1>Bowls</h1>{before}<ul>{items}</ul>{after}"


def srcdoc(shown: str) -> str:
    """The document in the frame, as a browser takes it out of the view."""
    [found] = LexborHTMLParser(shown).css("iframe")
    return found.attributes["srcdoc"] or ""


def first(tree: LexborHTMLParser | LexborNode, selector: str) -> LexborNode:
    found = tree.css_first(selector)
    assert found is not None
    return found


def marked(page: Page, name: str) -> dict[str, list[int]]:
    """The nodes that have a mark, by each of its values."""
    found: dict[str, list[int]] = {}
    for node in range(len(page)):
        for value in page.attributes(node).get(f"{MARK}-{name}", "").split():
            found.setdefault(value, []).append(node)
    return found


def texts_of(page: Page, first: int, end: int) -> list[str]:
    """The texts of a run of nodes one by one: whether texts touch is another matter, for there are elements of the
    view between them."""
    return [page.text(node) for node in range(first, end) if page.tag_name(node) == "#text"]


def texts_in(page: Page, node: int) -> list[str]:
    """The texts of a subtree one by one."""
    return texts_of(page, node, node + int(page.size[node]))


def check_marks(html: str | bytes, extraction: Extraction) -> None:
    """Assert that what is marked as a record is that record, and as an item, that item."""
    framed = Page(srcdoc(view(html, extraction)))
    records, items = marked(framed, "record"), marked(framed, "items")
    shown = shown_regions(extraction)
    assert set(records) <= {f"{region.number}.{k}" for region in shown for k in range(len(region.records))}
    for region in shown:
        if region.region is None:
            continue  # what the page is about: the lists within have marks of their own
        for number, record in enumerate(region.region.records):
            parts = [text for node in records.get(f"{region.number}.{number}", []) for text in texts_in(framed, node)]
            assert parts == texts_of(region.region.page, *region.region.spans[number].tolist())
            assert "".join(parts).replace(" ", "") == record.text.replace(" ", "")
        page, wrappable = region.region.page, set()
        for item in region.places:
            around = {page.tag_name(up) for up in page.ancestors(item.node)}
            if page.tag_name(item.node) == "#text" and not around & {*NO_ELEMENTS, "svg", "math"}:
                wrappable.add((item.column, item.node))
        for column in range(len(region.columns)):
            expected = [page.text(node) for place, node in sorted(wrappable) if place == column]
            found = items.get(f"{region.number}.{column}", [])
            assert [framed.text(node) for node in found if framed.tag_name(node) == WRAP] == expected


# Marks


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.html")))
@pytest.mark.parametrize("clean", [False, True])
def test_marks_on_the_example_pages(name: str, clean: bool) -> None:
    html = (EXAMPLES / name).read_bytes()
    check_marks(html, extract(html, clean=clean))


@pytest.mark.parametrize(
    "html",
    [
        pytest.param(
            "".join(f"<h3>{w} one</h3><p>text of {w}</p><p>{k} EUR</p>" for k, w in enumerate(WORDS)), id="runs"
        ),
        pytest.param("".join(f"{w} bowl<br><i>{k} EUR</i><hr>" for k, w in enumerate(WORDS)), id="bare texts"),
        pytest.param(
            "".join(f"<p>{w} says<table><tr><td>{w}ton<td>{k} EUR</table>" for k, w in enumerate(WORDS)), id="quirks"
        ),
        pytest.param(listing(within="<svg><title>a star</title><text>4</text></svg>"), id="svg"),
        pytest.param(
            listing(within="<select><option>small<option>large</select><textarea>\n\nx</textarea>"), id="fields"
        ),
        pytest.param(listing(within="<object><a>x</a></object><iframe>raw</iframe><xmp><b></xmp>"), id="renamed"),
        pytest.param(
            listing(within="a<!-- -->b<script>1</script>c<template>d</template>"), id="left out between texts"
        ),
        pytest.param(listing(within="<form><p>x<form>y</form></p></form>"), id="forms"),
        pytest.param(listing().replace("<ul>", f"<ul {MARK}-record='0.7'>"), id="marks of its own"),
    ],
)
def test_marks_on_hard_pages(html: str) -> None:
    extraction = extract(html)
    assert extraction.regions
    check_marks(html, extraction)


def test_marks_of_a_page() -> None:
    html = "<!doctype html><body><ul class=a><li>x <b>1</b><li>y <b>2</b></ul>"
    page = Page(html)
    extraction = Extraction(page, [FoundRegion(np.array([[4, 8], [8, 12]], dtype=np.int32), 1.0)], 0.0)
    head, _, body = srcdoc(view(html, extraction)).partition("<body>")
    assert body == (
        '<ul class="a" data-fastwrap-region="0">'
        '<li data-fastwrap-record="0.0"><fastwrap-text data-fastwrap-items="0.0" data-fastwrap-of="0"'
        ' data-fastwrap-hue="0" data-fastwrap-kind="text">x </fastwrap-text><b><fastwrap-text'
        ' data-fastwrap-items="0.1" data-fastwrap-of="0" data-fastwrap-hue="1" data-fastwrap-kind="text">1'
        "</fastwrap-text></b></li>"
        '<li data-fastwrap-record="0.1"><fastwrap-text data-fastwrap-items="0.0" data-fastwrap-of="0"'
        ' data-fastwrap-hue="0" data-fastwrap-kind="text">y </fastwrap-text><b><fastwrap-text'
        ' data-fastwrap-items="0.1" data-fastwrap-of="0" data-fastwrap-hue="1" data-fastwrap-kind="text">2'
        "</fastwrap-text></b></li></ul></body></html>"
    )
    assert head.startswith('<!doctype html><html><head><meta charset="utf-8"><base target="_blank"><meta http-equiv=')


def test_a_text_that_is_split_is_marked_as_all_its_columns() -> None:
    html = (
        "<ul>" + "".join(f"<li><b>{word}ton</b> <i>{word} | {k}.50 EUR</i>" for k, word in enumerate(WORDS)) + "</ul>"
    )
    extraction = extract(html)
    [region] = shown_regions(extraction)
    assert len(region.columns) == 3
    items = marked(Page(srcdoc(view(html, extraction))), "items")
    assert items["0.1"] == items["0.2"]
    assert len(items["0.1"]) == len(WORDS)


def test_a_region_without_records_is_not_shown() -> None:
    page = Page(listing())
    empty = FoundRegion(np.empty((0, 2), dtype=np.int32), 1.0, {}, 0.9)
    first = FoundRegion(extract(page).regions[0].spans, 1.0)
    extraction = Extraction(page, [empty, first], 0.0)
    assert [len(region.records) for region in shown_regions(extraction)] == [len(WORDS)]
    check_marks(listing(), extraction)


@settings(max_examples=400, deadline=None)
@example("<li><a><li><textarea><div>")
@example("<li><table><li>text")
@example("<dd><table><div><dt>text")
@example("<h1><table><h2>text")
@example("<button><table><b><button>text")
@example("<option><table><option>text")
@given(random_html)
def test_every_node_keeps_its_text(html: str) -> None:
    page = Page(html)
    again = Page(frame(html, page, {node: f"{MARK}-n={node}" for node in range(len(page))}))
    found = marked(again, "n")
    for node in range(len(page)):
        around = {page.tag_name(up) for up in page.ancestors(node)}
        if str(node) not in found:  # a text that cannot be wrapped, or an element that the head cannot hold
            assert around & {*NO_ELEMENTS, "svg", "math"} or "head" in around
        else:
            assert [texts_in(again, copy) for copy in found[str(node)]] == [texts_in(page, node)]


def test_another_page_is_refused() -> None:
    extraction = extract(listing())
    for other in (listing(after="<p>"), listing().replace("<b>", "").replace("</b>", ""), "<p>", ""):
        with pytest.raises(FastwrapError, match="not the same"):
            view(other, extraction)


def test_the_encoding_is_that_of_the_page() -> None:
    html = listing(after="<p>naïve café, 5 €</p>").encode("windows-1252")
    shown = srcdoc(view(html, extract(html)))
    assert "<p>naïve café, 5 €</p>" in shown


# Nothing of a page runs, loads or leads away

PWN = "top.document.title='pwned'"
HOSTILE = [
    f"<script>{PWN}</script>",
    f'<script src=//evil.example/a.js></script><noscript><p title="</noscript><script>{PWN}</script>"></noscript>',
    f"<img src=x onerror={PWN}><body onload={PWN}><p ONCLICK={PWN}>x",
    f"<a href='javascript:{PWN}'>x</a><a href=' &#9;jAvA&#10;script:{PWN}'>y</a>",
    "<a href='data:text/html,<script>'>z</a><area href=vbscript:x><img src=livescript:x>",
    f"<svg onload={PWN}><script>{PWN}</script><a xlink:href='javascript:{PWN}'><set attributeName=href to=x>",
    f"<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror={PWN}&gt;'>",
    f"</iframe><script>{PWN}</script>",
    f"&lt;/iframe&gt;&lt;script&gt;{PWN}&lt;/script&gt;&quot;&gt;",
    f"""<p title='"></iframe><script>{PWN}</script>' id="'&quot;><script>">x</p>""",
    f'<p {PWN}"=1 \'"><script>=2 a<b=3 `=4 =5>x</p>',
    f"<style></style ><script>{PWN}</script><style><!--</style><script>-->{PWN}</script>",
    f"<title></title><script>{PWN}</script><textarea></textarea><script>{PWN}</script><xmp></xmp><script>1</script>",
    f"<iframe srcdoc='<script>{PWN}</script>'></iframe><iframe src=//evil.example></iframe>",
    "<object data=//evil.example></object><embed src=//evil.example><applet code=x></applet><portal src=//e.example>",
    "<meta http-equiv=refresh content='0;url=//evil.example'><base href=//evil.example><link rel=preload href=//e>",
    "<form action=//evil.example><button formaction=javascript:x>go</button><input autofocus onfocus=x></form>",
    "<frameset onload=x><frame src=//evil.example></frameset>",
    "{{script}} {{page}} </script> \u2028\u2029\u202e\ufeff\x00 ＜script＞ <\x00script> <scr\x00ipt>",
    "<template><script>1</script></template><plaintext></plaintext></iframe><script>1</script>",
    f"<x-{PWN}></x-><script\u00a0>1</script\u00a0><a\x0bonclick=x>y</a><svg/onload={PWN}>",
]

NOT_IN_A_FRAME = (
    "script, noscript, template, iframe, frame, frameset, object, embed, portal, fencedframe, meta[http-equiv=refresh],"
    " [action], [formaction], [srcdoc], [target]:not(base), [ping], [autofocus], svg set, svg animate"
)


def check_harmless(shown: str) -> None:
    """Assert that the view has our script alone, and its frame none at all, nor anything else that acts."""
    outer = LexborHTMLParser(shown)
    assert [script.text() for script in outer.css("script")] == [SCRIPT]
    [holder] = outer.css("iframe")
    assert holder.attributes["sandbox"] == "allow-same-origin"
    assert set(holder.attributes) == {"sandbox", "title", "srcdoc"}
    assert [str(script) for script in lxml.html.fromstring(shown).xpath("//script/text()")] == [SCRIPT]
    for element in outer.css("body *"):
        if element.mem_id != holder.mem_id:
            check_attributes(element)
    inner = LexborHTMLParser(holder.attributes["srcdoc"] or "")
    assert [found.html for found in inner.css(NOT_IN_A_FRAME)] == []
    for element in inner.css("*"):
        check_attributes(element)


def check_attributes(element: LexborNode) -> None:
    for name, value in element.attributes.items():
        assert not name.lower().startswith("on")
        if name.lower() in ("href", "src", "xlink:href", "poster", "background", "srcset"):
            written = re.sub(r"[\x00-\x20]", "", value or "").lower()
            assert not written.startswith(("javascript:", "vbscript:", "data:text"))


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_page_can_do_nothing(hostile: str) -> None:
    for html in (listing(before=hostile), listing(within=hostile), listing(after=hostile), hostile, hostile * 5):
        for online in (False, True):
            check_harmless(view(html, extract(html), name=hostile, online=online))


@settings(max_examples=300, deadline=None)
@given(random_html, st.integers(1, 6), st.sampled_from(HOSTILE))
def test_a_random_page_gives_a_view(html: str, times: int, hostile: str) -> None:
    page = Page((html + hostile) * times, url=f"http://a.example/{html}")
    check_harmless(view((html + hostile) * times, extract(page)))


def test_the_policies() -> None:
    html = listing(before="<base href=/b/><link rel=stylesheet href=s.css><link rel=prefetch href=p>")
    offline, online = (view(html, extract(html, url="http://a.example/c/"), online=on) for on in (False, True))
    for shown, on in ((offline, False), (online, True)):
        outer, inner = LexborHTMLParser(shown), LexborHTMLParser(srcdoc(shown))
        policies = [
            first(tree, "meta[http-equiv=Content-Security-Policy]").attributes["content"] or ""
            for tree in (outer, inner)
        ]
        hashed = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
        assert policies == [f"{policy(on)}; script-src 'sha256-{hashed}'", policy(on)]
        assert policies[1].startswith("default-src 'none';")
        assert ("http:" in policies[1]) is on
        assert [element.tag for element in inner.css("head > *")][:3] == [
            "meta",
            "base",
            "meta",
        ]  # the page comes after
        assert first(inner, "base").attributes.get("href") == ("http://a.example/b/" if on else None)
        assert [link.attributes["href"] for link in inner.css("link")] == (["s.css"] if on else [])
    assert "http:" not in policy(online=False)


def test_addresses() -> None:
    pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
    html = f"<img src='{pixel}'><a href='{pixel}'>x</a><a href='/javascript:x'>y</a><img alt='javascript: a book'>"
    assert frame(html, Page(html), {}).partition("<body>")[2] == (
        f'<img src="{pixel}"><a>x</a><a href="/javascript:x">y</a><img alt="javascript: a book"></body></html>'
    )


# A view that is offline holds no address that something could be loaded from

INTEGRATION_POINTS = [
    "{}", "<svg>{}</svg>", "<svg><foreignObject>{}</foreignObject></svg>", "<svg><desc>{}</desc></svg>",
    "<svg><title>{}</title></svg>", "<math>{}</math>",
    "<math><annotation-xml encoding=text/html>{}</annotation-xml></math>", "<math><mi>{}</mi></math>",
    "<math><mo>{}</mo></math>", "<math><mn>{}</mn></math>", "<math><ms>{}</ms></math>",
    "<math><mtext>{}</mtext></math>", "<svg><foreignObject><math><mtext>{}</mtext></math></foreignObject></svg>",
    "<table><tr><td>{}</table>", "<table>{}</table>", "<select><option>{}</select>", "<template>{}</template>",
    "<noscript>{}</noscript>", "<object>{}</object>", "<button>{}</button>", "<li>{}", "<p><b><p>{}</b>",
    "</head>{}<body>", "<g>{}", "<svg><g>{}",
]  # fmt: skip
REMOTE = st.sampled_from([
    "http://h.example/", "HTTPS://h.example/x", "//h.example", " //h.example", "ht\ttp://h.example",
    "\\\\h.example\\x", "http:h.example", "/\\h.example", "ftp://h.example/",
])  # fmt: skip
LOADING = [
    "<link rel=preconnect href='{}'>", "<link rel=dns-prefetch href='{}'>", "<link rel=prefetch href='{}'>",
    "<link rel=preload href='{}'>", "<link rel=stylesheet href='{}'>", "<link rel=icon href='{}'>",
    "<link rel=preload as=image imagesrcset='{} 1x'>", "<link rel=manifest href='{}'>",
    "<meta http-equiv=refresh content='0;url={}'>", "<base href='{}'>", "<img src='{}'>",
    "<img srcset='{} 1x, {} 2x'>",
    "<img src=data:image/gif;base64,R0= srcset='data:image/gif;base64,R0= 1x, {} 2x'>",
    "<img lowsrc='{}' dynsrc='{}'>", "<picture><source srcset='{}'><img></picture>", "<image href='{}'>",
    "<image xlink:href='{}' />", "<use href='{}'/>", "<use xlink:href='{}#a'/>", "<feImage href='{}'/>",
    "<filter><feImage xlink:href='{}'/></filter>", "<mpath href='{}'/>", "<linearGradient href='{}'/>",
    "<rect fill='url({}#a)' mask='url(&quot;{}&quot;)'/>", "<g filter='url({})' cursor='url({})'/>",
    "<video poster='{}' src='{}'><source src='{}'><track src='{}'></video>", "<audio src='{}'>",
    "<input type=image src='{}'>", "<object data='{}' codebase='{}' classid='{}'></object>", "<embed src='{}'>",
    "<iframe src='{}'></iframe>", "<iframe srcdoc='<img src=&quot;{}&quot;>'></iframe>",
    "<frameset><frame src='{}'></frameset>", "<portal src='{}'></portal>", "<applet code='{}' archive='{}'>",
    "<script src='{}'></script>", "<a ping='{}' attributionsrc='{}'>x</a>", "<img attributionsrc='{}'>",
    "<form action='{}'><button formaction='{}'>b</button></form>", "<body background='{}'>",
    "<table background='{}'><td background='{}'>x</table>", "<html manifest='{}'>",
    "<p style='background:url({})'>x", "<p style='background:u\\72l(&quot;{}&quot;)'>x",
    "<p style='background:image-set(&quot;{}&quot; 1x)'>x", "<style>@import '{}'; @import url({});</style>",
    "<style>@\\69mport \"{}\";</style>", "<style>a{{b:url( '{}' )}}</style>",
    "<style>a{{--x:'{}';b:image-set(var(--x) 1x)}}</style>", "<style>@font-face{{src:\\75 rl({})}}</style>",
    "<style>/*</style><style>*/a{{b:url({})}}</style>", "<style>a{{b:'\\\n{}'}}</style>",
    "<animate attributeName=href to='{}'/>", "<svg><style>a{{b:url({})}}</style></svg>",
    "<set attributeName=xlink:href to='{}'/>", "<bgsound src='{}'>", "<model src='{}'>",
]  # fmt: skip
REMOTE_START = re.compile(r"(https?|ftp):|[/\\]{2}", re.IGNORECASE)


def is_remote(address: str) -> bool:
    return REMOTE_START.match(re.sub(r"[\x00-\x20]", "", address)) is not None


class Written(HTMLParser):
    """Reads tags without a tree: whatever a browser makes of them, no tag may load anything."""

    def __init__(self) -> None:
        super().__init__()
        self.remote: list[str] = []
        self.nested: list[str] = []
        self.in_style = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.in_style = tag == "style"
        is_link = tag in ("a", "area")
        if tag in ("link", "object", "embed", "frame", "portal", "bgsound", "animate", "set"):
            self.remote.append(tag)
        for name, value in attributes:
            value = value or ""
            if tag == "base" or (tag == "meta" and (name, value.lower()) == ("http-equiv", "refresh")):
                self.remote += [] if (tag, name) == ("base", "target") else [f"{tag} {value}"]
            elif name == "srcdoc":
                self.nested.append(value)
            elif name in ("style", "fill", "mask", "filter", "cursor"):
                self.check_style(value)
            elif is_remote(value) and not (name in ("href", "xlink:href") and is_link):
                if name not in ("alt", "title", "content", "to", "value"):
                    self.remote.append(f"{tag} {name}={value}")
            elif name in ("srcset", "imagesrcset", "ping", "attributionsrc", "action", "formaction", "manifest"):
                self.remote.append(f"{tag} {name}={value}")

    def handle_data(self, data: str) -> None:
        if self.in_style:
            self.check_style(data)

    def handle_endtag(self, tag: str) -> None:
        self.in_style = False

    def check_style(self, text: str) -> None:
        """As CSS has it: escapes mean letters. Comments are nothing; a comment that is open hides the rest."""
        text = re.sub(r"/\*.*?(\*/|\Z)", " ", text, flags=re.DOTALL)
        text = unescaped(text).replace("\t", "")
        address = r"\s*(?:https?:|ftp:|[/\\]{2})"
        found = re.findall(rf"""@import\b|\b(?:url|src)\(\s*["']?{address}|["']{address}""", text, re.IGNORECASE)
        self.remote += [f"style {found} {text}"] if found else []


def check_offline(html: str) -> None:
    """Assert that the view, and the document in its frame, would load nothing from anywhere."""
    shown = Written()
    shown.feed(view(html, extract(html, url="http://h.example/list/")))
    shown.close()
    [document] = shown.nested
    framed = Written()
    framed.feed(document)
    framed.close()
    assert shown.remote + framed.remote + framed.nested == []
    # And by a tree, as a browser builds it.
    tree = LexborHTMLParser(document)
    assert [
        found.html for found in tree.css("link, base[href], meta[http-equiv=refresh], [srcset], iframe, object")
    ] == []
    assert all(
        not is_remote(element.attributes.get(name) or "") or (element.tag in ("a", "area") and name.endswith("href"))
        for element in tree.css("*")
        for name in ("src", "href", "xlink:href", "poster", "background")
    )


@pytest.mark.parametrize("point", INTEGRATION_POINTS)
def test_nothing_is_loaded_offline(point: str) -> None:
    everything = "".join(
        piece.replace("{}", "http://h.example/x").replace("{{", "{").replace("}}", "}") for piece in LOADING
    )
    check_offline(point.replace("{}", everything))
    check_offline(listing(within=point.replace("{}", everything)))


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(INTEGRATION_POINTS), st.sampled_from(LOADING), REMOTE, random_html), max_size=6),
    st.booleans(),
)
def test_nothing_is_loaded_offline_whatever_the_page(pieces: list[tuple[str, str, str, str]], nested: bool) -> None:
    html = ""
    for point, loading, address, other in pieces:
        piece = loading.replace("{}", address).replace("{{", "{").replace("}}", "}")
        html = point.replace("{}", other + piece + html) if nested else html + other + point.replace("{}", piece)
    check_offline(html)


def test_style_sheets_keep_what_they_hold_themselves() -> None:
    own = "a{background:url(data:image/gif;base64,R0=)} b{content:'// 5: \\201C';fill:url(#a)} c{font-family:\"A B\"}"
    assert without_addresses(own.replace("//", "/")) == own.replace("//", "/")
    html = f"<style>{own}</style><img src=data:image/gif;base64,R0= alt=x><svg><use href=#a /></svg>"
    written = frame(html, Page(html), {})
    assert 'src="data:image/gif;base64,R0="' in written
    assert 'href="#a"' in written
    assert "http://h/s.css" in frame("<style>@import 'http://h/s.css'</style>", Page(""), {}, online=True)


FUNCTIONS = [
    "url(",
    "URL(",
    "src(",
    "\\75rl(",
    "u\\52 l(",
    "\\55\\52\\4C(",
    "@import",
    "@\\69mport",
    "x(",
    "-url(",
    "é(",
]
OTHERS = ["\\75", "rl", "(", ")", "/*", "*/", "a", " ", ";", "data:", "#", "é", "image-set(", "-"]


@settings(max_examples=500)
@given(st.lists(st.sampled_from([*FUNCTIONS, *OTHERS, "//h.example", "http:h.example"]), max_size=12))
def test_style_sheets_whatever_they_hold(parts: list[str]) -> None:
    once = without_addresses("".join(parts))
    plain = unescaped(re.sub(r"/\*.*?(\*/|\Z)", " ", once, flags=re.DOTALL))
    plain = re.sub(r"(?:url|src)\(\s*(?:data:|#)[^)]*(?:\)|\Z)", " ", plain, flags=re.IGNORECASE)
    assert re.findall(r"\burl\(\s*(?:http:|//)|@import(?![-\w])", plain, re.IGNORECASE) == []


@given(st.text("'\"\\()/*\nurlsc75 :#;@importdah.é\r\f", max_size=40))
def test_style_sheets_end(text: str) -> None:
    """Whatever is quoted or not closed, nothing that is no address is lost from plain sheets, and all are read."""
    assert without_addresses(text + "*/\n") is not None
    plain = re.sub(r"[^urls ;]", "", text)
    assert without_addresses(plain) == plain


# The script asks nothing of a page that the page could answer itself

CLOBBERED = """
const calls = [];
class EventTarget {
  addEventListener(kind, listener) {
    const before = (this.heard ??= {})[kind];
    this.heard[kind] = event => { before?.(event); listener(event); };
  }
}
class Node extends EventTarget { get nodeType() { return this.kind; } }
class Element extends Node {
  constructor(marks = {}) { super(); this.marks = marks; this.kind = 1; this.style = {}; this.inside = []; }
  getAttribute(name) { return this.marks[name] ?? null; }
  setAttribute(name, value) { this.marks[name] = value; calls.push(name); }
  removeAttribute(name) { delete this.marks[name]; }
  getBoundingClientRect() { return {left: 1, top: 2, right: 30, bottom: 40}; }
  closest(selector) { return "data-fastwrap-record" in this.marks ? this : null; }
  append(...nodes) { this.inside.push(...nodes); }
  replaceChildren(...nodes) { this.inside = nodes; }
}
class Document extends Node {
  constructor(found) { super(); this.kind = 9; this.found = found; this.root = new Element(); }
  get documentElement() { return this.root; }
  get body() { return this.root; }
  get readyState() { return "complete"; }
  createElement() { return new Element(); }
  querySelectorAll() { return this.found; }
  querySelector(selector) { return selector.endsWith("iframe") ? frame : null; }
  elementsFromPoint() { return []; }
}
function clobber(owner, also) {  // as named elements do: they stand before all that the prototypes have
  const kept = new Set(["found", "root", "kind", "heard", "marks", "inside"]);
  for (let type = Object.getPrototypeOf(owner); type; type = Object.getPrototypeOf(type))
    for (const name of [...Object.getOwnPropertyNames(type), ...also])
      if (!kept.has(name) && name !== "constructor")
        Object.defineProperty(owner, name, {value: {}, configurable: true});
}
const form = new Element({"data-fastwrap-record": "0.3", "data-fastwrap-items": "0.1 0.2"});
const inner = new Document([form]);
clobber(form, ["style", "classList", "dataset", "parentNode", "submit"]);
clobber(inner, ["head", "currentScript", "getElementById", "querySelector", "defaultView", "forms", "childNodes"]);
const scrolled = [];
const frame = Object.assign(new Element(), {contentDocument: inner, contentWindow:
  {scrollX: 0, scrollY: 0, innerWidth: 100, scrollTo: place => scrolled.push(place)}});
const outer = new Document([]);
outer.root = new Document([]);
Object.assign(globalThis, {EventTarget, Node, Element, Document, document: outer, CSS: {escape: text => text},
  addEventListener() {}, requestAnimationFrame: work => work(), matchMedia: () => ({matches: true})});
"""
CHECKS = """
let prevented = 0;
inner.heard.click({target: form, preventDefault() { prevented += 1; }});
inner.heard.mousemove({target: form});
inner.heard.mousemove({target: inner});
inner.heard.mouseleave?.({});
frame.heard.load();
console.log(JSON.stringify({prevented, hot: calls.includes("data-fastwrap-hot"), boxes: inner.root.inside.length,
  drawn: inner.root.inside[0].inside.length, scrolled: scrolled.length}));
"""


def test_the_script_asks_no_node_of_the_page_directly() -> None:
    marked = resource("fastwrap.show", "marked.js")
    assert not re.search(r"#inner\??\.", marked)
    for name in (
        "addEventListener",
        "getBoundingClientRect",
        "getAttribute",
        "setAttribute",
        "removeAttribute",
        "closest",
    ):
        assert re.findall(rf"(?:element|target|holder|root|page)\??\.{name}", marked) == []


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_names_in_a_page_do_not_stop_the_script(tmp_path: Path) -> None:
    """`<form name=addEventListener>` once did."""
    (tmp_path / "view.mjs").write_text(CLOBBERED + SCRIPT + CHECKS)
    run = subprocess.run(["node", str(tmp_path / "view.mjs")], capture_output=True, text=True, timeout=60)
    assert run.stderr == ""
    said = json.loads(run.stdout)
    assert said == {"prevented": 1, "hot": True, "boxes": 2, "drawn": 2, "scrolled": 2}


# What the view says


def test_the_tables_are_those_of_the_regions() -> None:
    html = (EXAMPLES / "jobs.html").read_bytes()
    extraction = extract(html)
    tree = LexborHTMLParser(view(html, extraction))
    [table] = tree.css("#list-0 .table table")
    shown = shown_regions(extraction)[0]
    heads = [head.text() for head in table.css("thead th button span")]
    assert sorted(heads) == sorted(column.name for column in extraction.regions[0].columns)
    assert [[cell.text() for cell in row.css("td")] for row in table.css("tbody tr")] == shown.rows
    reasons = {first(entry, "dt").text(): first(entry, "dd").text() for entry in tree.css("#list-0 dl div")}
    assert reasons.keys() == {"score", *extraction.regions[0].why}
    columns, left_out = tree.css("#list-0 .why table")
    whys = [row.css("td")[1].text() for row in columns.css("tr")]
    assert whys == [", ".join(f"{kind} {found}" for kind, found in column.why.items()) for column in shown.columns]
    items = [tuple(cell.text() for cell in row.css("td")) for row in left_out.css("tr")]
    assert items == extraction.regions[0].table.left_out != []
    assert first(tree, "header p").text().startswith(f"{len(extraction.records)} records")


def test_what_is_left_out_is_said_with_the_reason() -> None:
    html = "<ul>" + "".join(
        f"<li><a href=/{w}>{w.title()} lamp</a> <i>Colour:</i> <u>{w}</u> <b>{k}.50 EUR</b>"
        " <button>Add to basket</button><em>in stock</em></li>"
        for k, w in enumerate(WORDS)
    ) + "</ul>"  # fmt: skip
    headings = [head.text() for head in LexborHTMLParser(view(html, extract(html))).css("#list-0 .why h2")]
    assert headings == ["Why this list", "Why these columns", "What is left out"]
    [_, table] = LexborHTMLParser(view(html, extract(html))).css("#list-0 .why table")
    assert {tuple(cell.text() for cell in row.css("td")) for row in table.css("tr")} == {
        ("li/i/#text", "it names the column after it"),
        ("li/button/#text", "it is a button or a link that says what to do"),
        ("li/em/#text", "all records have the same"),
    }
    [_, *more] = LexborHTMLParser(view(html, extract(html, columns="all"))).css("#list-0 .why table")
    assert more == []


def test_very_much_that_is_left_out_is_cut() -> None:
    cells = "".join(f"<td data-a{k}=x>same {k}</td>" for k in range(MAX_LEFT_OUT + 7))
    html = "<table>" + "".join(f"<tr><td>{w}</td><td>{k}</td>{cells}</tr>" for k, w in enumerate(WORDS)) + "</table>"
    extraction = extract(html)
    many = len(extraction.regions[0].table.left_out)
    assert many > MAX_LEFT_OUT
    tree = LexborHTMLParser(view(html, extraction))
    assert len(tree.css("#list-0 .why table")[1].css("tr")) == MAX_LEFT_OUT
    assert first(tree, "#list-0 .why .cut").text() == f"And {many - MAX_LEFT_OUT:,} more."


def test_what_is_left_out_is_offered_with_the_reason() -> None:
    cells = "".join(f"<td data-a{k}=x>same {k}</td>" for k in range(MOST_OFFERED + 7))
    html = "<table>" + "".join(f"<tr><td>{w}</td><td>{k}</td>{cells}</tr>" for k, w in enumerate(WORDS)) + "</table>"
    extraction = extract(html)
    whole, few = len(extraction.regions[0].table.left_out), len(extraction.columns)
    assert whole > MOST_OFFERED
    [shown] = shown_regions(extraction, offering=True)
    assert (len(shown.columns), len(shown.left_out), shown.more) == (
        few + MOST_OFFERED,
        MOST_OFFERED,
        whole - MOST_OFFERED,
    )
    assert [column.name in shown.left_out for column in shown.columns] == [False] * few + [True] * MOST_OFFERED
    tree = LexborHTMLParser(section(shown, editable=True))
    assert len(tree.css("thead th[hidden]")) == len(tree.css("tbody tr:first-child td[hidden]")) == MOST_OFFERED
    assert len(tree.css("[data-shows]")) == len(tree.css("[data-renames]")) == few + MOST_OFFERED
    assert len(tree.css("[data-shows][checked]")) == few
    assert first(tree, ".why .cut").text() == f"And {whole - MOST_OFFERED:,} more."


def test_what_is_the_same_everywhere_comes_last() -> None:
    html = listing(within="<i>new</i>")
    [region] = (region for region in shown_regions(extract(html)) if len(region.records) == len(WORDS))
    assert [column.template for column in region.columns] == sorted(column.template for column in region.columns)
    assert region.columns[0].path.endswith("#text")


def test_a_page_without_anything() -> None:
    for html in ("", "<p>one text"):
        shown = view(html, extract(html))
        assert "Nothing repeats on this page." in shown
        assert "nothing repeats" in first(LexborHTMLParser(shown), "header p").text()


# Sizes


def test_large_tables_are_cut() -> None:
    cells = "".join(f"<td><b>{{k}} {place}</b></td>" for place in range(MAX_COLUMNS + 5))
    html = "<table>" + "".join(f"<tr>{cells}</tr>".format(k=k) for k in range(MAX_ROWS + 50)) + "</table>"
    extraction = extract(html, method="mdr")
    [region] = (region for region in shown_regions(extraction) if len(region.records) == MAX_ROWS + 50)
    assert (len(region.rows), len(region.columns)) == (MAX_ROWS, MAX_COLUMNS)
    said = first(LexborHTMLParser(view(html, extraction)), f"#list-{region.number} .cut").text()
    assert (
        said
        == f"Only {MAX_ROWS} of {MAX_ROWS + 50} records and {MAX_COLUMNS} of {MAX_COLUMNS + 5} columns are shown here."
    )


def test_a_page_too_large_is_not_shown_itself() -> None:
    html = "<ul>" + "<li>a<b>b</b></li>" * (MAX_NODES // 4) + "</ul>"
    shown = LexborHTMLParser(view(html, extract(html)))
    assert shown.css("iframe") == []
    assert f"{MAX_NODES:,} nodes can be shown" in first(shown, ".page .message").text()
    assert len(shown.css("tr[data-record]")) == MAX_ROWS


def test_the_plot_is_bounded() -> None:
    html = "".join(f"<p class=c{k % 900}>a</p>" for k in range(40_000))
    page = Page(html)
    spans = np.array([[node, node + 2] for node in page.children(page.body)], dtype=np.int32)
    extraction = Extraction(page, [FoundRegion(spans, 1.0)], 0.0)
    drawn = plot(page, shown_regions(extraction))
    assert drawn.count("h0") <= 2 * MAX_DOTS
    assert MAX_BARS // 2 < drawn.count('class="bar"') <= MAX_BARS


def test_the_plot_marks_the_records() -> None:
    extraction = extract(listing())
    drawn = LexborHTMLParser(plot(extraction.page, shown_regions(extraction)))
    bars = [bar.attributes["data-record"] for bar in drawn.css("g[data-region='0'] .bar")]
    assert bars == [f"0.{record}" for record in range(len(extraction.regions[0]))]


# The command


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pages").mkdir()
    path = tmp_path / "pages" / "bowls.html"
    path.write_text(listing())
    return path


def test_the_view_is_written_to_the_current_folder(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(page)]) == 0
    written = Path("bowls.view.html").read_text(encoding="utf-8")
    assert written == view(listing(), extract(listing()), name=str(page))
    assert "view written to bowls.view.html" in capsys.readouterr().err
    assert main(["show", str(page), "-q", "-o", "other.html", "--online"]) == 0
    assert "img-src data: http: https:" in Path("other.html").read_text(encoding="utf-8")
    assert capsys.readouterr().err == ""


def test_standard_streams(
    page: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(page.read_bytes())))
    assert main(["show", "-", "-o", "-", "-q", "--url", "http://a.example/"]) == 0
    shown = capfdbinary.readouterr().out.decode()
    assert first(LexborHTMLParser(shown), "h1").text() == "http://a.example/"
    assert list(page.parent.parent.glob("*.html")) == []


def test_a_page_without_a_list_is_shown_and_told(page: Path) -> None:
    page.write_text("<h1>On bowls</h1>" + "".join(f"<p>{' '.join(WORDS[k:] + WORDS[:k]) * 9}.</p>" for k in range(3)))
    assert main(["show", str(page)]) == 1
    assert Path("bowls.view.html").exists()


def test_bad_use(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = page.with_name("other") / "bowls.html"
    other.parent.mkdir()
    other.write_text(listing())
    for arguments, said in (
        (["no.html"], "No such file"),
        ([str(page), "-o", str(page)], "would be written over"),
        ([str(page), "-o", "nowhere/view.html"], "there is no folder nowhere"),
        ([str(page), str(other)], "several views"),
        ([str(page), "no.html", "-o", "view.html"], "several views"),
        ([str(page), "--method", "no"], "no method 'no'"),
    ):
        assert main(["show", *arguments]) == 2
        assert said in capsys.readouterr().err
    assert page.read_text() == listing()
    assert main(["show", str(page), "no.html", "-q"]) == 2
    assert Path("bowls.view.html").exists()


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("-", "page.view.html"),
        ("a b/c d.htm", "c_d.view.html"),
        ("https://a.example", "a.example.view.html"),
        ("https://a.example/%2e%2e/x%2Fy;z.php?q=/w", "x_2Fy_z.view.html"),
        ("https://a.example/..", "a.example.view.html"),
        ("dir/.html", "html.view.html"),
        ("x" * 300 + ".html", "x" * 80 + ".view.html"),
    ],
)
def test_names_of_views(name: str, file: str) -> None:
    assert view_name(name) == file
    assert Path(file).name == file


def test_the_wrapping_element_is_our_own() -> None:
    assert f"<{WRAP} " in srcdoc(view(listing(), extract(listing())))
    assert fastwrap.__version__ in view("", extract(""))
