"""Page: both walks give the same arrays, the arrays are a tree, and nodes can be found again by their paths."""

from __future__ import annotations

import itertools
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from lxml import etree
from selectolax.lexbor import LexborHTMLParser, LexborNode

import fastwrap
from fastwrap import FastwrapError, Page
from fastwrap.page.arrays import TOUCHES, NodeArrays
from fastwrap.page.decode import decode
from fastwrap.page.names import CUSTOM, TEXT
from tests.reference.html import html
from tests.reference.page.walk import may_differ, parse
from tests.reference.page.walk import walk as public_walk


def public(source: bytes | str) -> tuple[NodeArrays, dict[int, str]]:
    custom: dict[int, str] = {}
    return public_walk(parse(decode(source).html), custom), custom


def as_bytes(part: object) -> bytes:
    """A field of the arrays as bytes; an array is of 32-bit numbers."""
    if isinstance(part, bytes):
        return part
    assert isinstance(part, np.ndarray)
    assert part.dtype == np.int32
    return part.tobytes()


def assert_same_arrays(page: Page, other: Page) -> None:
    for mine, theirs in zip(page.arrays, other.arrays, strict=True):
        assert as_bytes(mine) == as_bytes(theirs)


def assert_same_walk(source: bytes | str) -> None:
    page = Page(source)
    arrays, custom = public(source)
    assert page.custom_names == custom
    for name, native, other in zip(NodeArrays._fields, page.arrays, arrays, strict=True):
        assert type(native) is type(other), name
        assert as_bytes(native) == as_bytes(other), name


@settings(max_examples=600)
@given(html)
def test_both_walks_are_equal_on_random_html(source: str) -> None:
    assume(not may_differ(source.encode()))
    assert_same_walk(source)


def test_both_walks_are_equal_on_the_examples(example: bytes) -> None:
    assert_same_walk(example)


@pytest.mark.corpus
def test_both_walks_are_equal_on_real_pages(corpus: list[Path]) -> None:
    for path in corpus[::12]:
        assert_same_walk(path.read_bytes())


@settings(max_examples=300)
@given(html)
def test_arrays_are_a_tree_in_preorder(source: str) -> None:
    page = Page(source)
    n = len(page)
    assert page.parent[0] == -1
    assert page.size[0] == n
    assert page.depth[0] == 0
    for node in range(1, n):
        up = int(page.parent[node])
        assert up < node < up + page.size[up]
        assert page.depth[node] == page.depth[up] + 1
    for node in range(n):
        assert page.size[node] == 1 + sum(int(page.size[child]) for child in page.children(node))
        assert page.tag[node] != TEXT or page.size[node] == 1
    for starts, total in (
        (page.text_start, len(page.arrays.text)),
        (page.attribute_start, len(page.arrays.attribute_name)),
        (page.arrays.value_start, int(page.arrays.script_start[0])),
    ):
        assert starts[0] == 0
        assert starts[-1] == total
        assert (np.diff(starts) >= 0).all()


@settings(max_examples=300)
@given(html)
def test_text_is_the_texts_joined_and_normalised(source: str) -> None:
    page = Page(source)
    own = [page.text(node) for node in range(len(page)) if page.tag[node] == TEXT]
    between = [" "] * len(own)
    for k, end in enumerate(page.text_start[1:][page.tag == TEXT].tolist()):
        if page.arrays.text[end - 1 : end] == TOUCHES:
            between[k] = ""
    assert page.text() == "".join(map(str.__add__, own, between)).rstrip(" ")
    for text in own:
        assert text
        assert text == " ".join(text.split())


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("<p>19<sup>,90</sup> EUR", "19,90 EUR"),
        ("H<sub>2</sub>O", "H2O"),
        ("a<b>b<i>c</i></b>d<u> e</u>f <em>g</em>", "abcd ef g"),
        ("<b>Ann</b><i>singer</i>", "Ann singer"),
        ("<b>$</b><big>11</big><small>.99</small>", "$11.99"),
        ("super<wbr>cali<!-- c -->fragi<script>0</script>listic", "supercalifragilistic"),
        ("<b>a</b> <b>b</b>", "a b"),
        ("<b>a<i> </i>b</b>", "a b"),
        ("a&nbsp;<b>b</b>", "a b"),
        ("<del>29.90</del>19.90<s>9.90</s>8", "29.90 19.90 9.90 8"),
        ("738<sup>00</sup> <b>$199.99</b>$139.99 <b>29</b>£19 19<i>€", "738 00 $199.99 $139.99 29 £19 19€"),
        ("a<br>b<span>c</span>d<a href=x>e</a>f<img>g", "a b c d e f g"),
        ("<div><b>a</b></div><b>b</b><p><b>c</b></p>", "a b c"),
        ("<x-y>a</x-y>b", "a b"),
        ("<h1>a<i></i></h1>b<b>c</b><i>d</i><sup>e</sup><b>f</b><i>, g</i>", "a bc def, g"),
        # Where nodes are moved: formatting that a block splits, and what a table does not allow.
        ("<b>a<i>b</b>, c</i><p><b>d<p>e</b>f", "ab, c d ef"),
        ("<i>a$</i><table> <tr><td>b</td></tr><b>c$</b><u> </u><b>d</b></table>e", "a$c$ d b e"),
    ],
)
def test_texts_touch_where_only_formatting_is_between_them(source: str, said: str) -> None:
    assert Page(source).text() == said
    assert public(source)[0].text == Page(source).arrays.text


def node_at(parser: LexborHTMLParser, path: str) -> LexborNode:
    found = parser.css(path)
    assert len(found) == 1, path
    return found[0]


def elements(page: Page) -> list[int]:
    return [node for node in range(len(page)) if page.tag[node] != TEXT]


@settings(max_examples=200)
@given(html)
def test_css_path_selects_the_node_alone(source: str) -> None:
    page = Page(source)
    parser = parse(decode(source).html)
    addresses = set()
    for node in elements(page):
        found = node_at(parser, page.css_path(node))
        addresses.add(found.mem_id)
        assert (found.tag or "").lower() == page.tag_name(node)
        assert {name: value or "" for name, value in found.attributes.items()} == page.attributes(node)
    assert len(addresses) == len(elements(page))


def lxml_tree(source: str) -> etree._Element:
    """The parser's own tree, blank texts, comments and scripts included, as lxml's, for its XPath."""
    root = parse(decode(source).html).root
    assert root is not None
    built = etree.Element("html")
    stack = [(root, built)]
    while stack:
        node, target = stack.pop()
        for child in node.iter(include_text=True):
            name = child.tag or ""
            if name == "-text":
                kept = "".join(c for c in child.text_content or "" if c >= " " or c in "\t\n\r")
                if len(target):
                    target[-1].tail = (target[-1].tail or "") + kept
                else:
                    target.text = (target.text or "") + kept
            elif not name.startswith("-"):
                below = etree.SubElement(target, name.replace(":", "-colon-"))
                stack.append((child, below))
    return built


def test_xpath_selects_the_node_alone(example: bytes) -> None:
    source = decode(example).html.decode()
    page, tree = Page(source), lxml_tree(source)
    for node in range(0, len(page), 3):
        found = tree.xpath(page.xpath(node))
        assert len(found) == 1, page.xpath(node)
        if page.tag[node] == TEXT:
            assert " ".join(found[0].split()) == page.text(node)
        else:
            assert found[0].tag.lower() == page.tag_name(node)


def test_xpath_counts_texts_without_the_blank_ones() -> None:
    page = Page("<p>\n<b>x</b> one <i></i>&nbsp;<i></i> two</p><svg><g></g><g><path/></g></svg>")
    tree = lxml_tree("<p>\n<b>x</b> one <i></i>\xa0<i></i> two</p><svg><g></g><g><path/></g></svg>")
    texts = [node for node in range(len(page)) if page.tag[node] == TEXT]
    assert [tree.xpath(page.xpath(node))[0].strip() for node in texts] == ["x", "one", "two"]
    path = next(node for node in elements(page) if page.tag_name(node) == "path")
    assert page.xpath(path) == "/html/body/*[local-name()='svg']/*[local-name()='g'][2]/*[local-name()='path']"


@pytest.mark.parametrize("name", ["x\u00c9", "x'y", 'x"y', "x'\"'y", "x.y", "x\u212a"])
def test_odd_names(name: str) -> None:
    """HTML allows nearly any letter in a tag name, and folds the case of ASCII letters alone."""
    source = f"<div></div><{name}></{name}><b></b>"
    assert_same_walk(source)
    page = Page(source)
    assert page.tag_name(4) == name
    expected = node_at(parse(source.encode()), page.css_path(4))
    assert expected.tag == name
    path = page.xpath(4)
    assert path.startswith("/html/body/*[local-name()=")
    assert etree.Element("x").xpath(path.removeprefix("/html/body/*[local-name()=").removesuffix("]")) == name


@settings(max_examples=60)
@given(html)
def test_a_page_pickles(source: str) -> None:
    page = Page(source, url="https://example.org/")
    again = pickle.loads(pickle.dumps(page))  # noqa: S301 - our own bytes
    assert again.url == page.url
    assert again.encoding == page.encoding
    assert again.text() == page.text()
    assert again.path_symbol.tolist() == page.path_symbol.tolist()
    assert_same_arrays(page, again)


def test_arrays_are_read_only() -> None:
    page = pickle.loads(pickle.dumps(Page("<p class=a>x</p>")))  # noqa: S301 - our own bytes
    arrays = [part for part in page.arrays if not isinstance(part, bytes)]
    computed = [page.style_symbol, page.path_symbol, page.hidden, page.structural_class, page.leafless_class]
    for array in arrays + computed:
        with pytest.raises(ValueError, match="read-only"):
            array[:1] = 0


def test_scripts_that_hold_data_are_kept_and_others_are_not() -> None:
    state = 'window.state = {"name": "as long as need be", "price": 1}'
    page = Page(
        f"<script>no</script><script>{state}</script><script>{state[:40]}</script>"
        f"<script>{'f(1);' * 300}{state}</script>"
        '<script type="application/ld+json">{"a": "é"}</script><p data-x="v">text</p>'
        "<script type='Application/JSON'>[1]</script><script type=module>no</script>"
    )
    assert page.data_scripts == [state, '{"a": "é"}', "[1]"]
    assert page.text() == "text"


def test_long_markup_for_browsers_without_scripts_is_kept() -> None:
    markup = "<p>All of it, &amp; <b>more</b>: é</p>" * 40
    html = (
        f"<noscript><img src=a></noscript><script>let a = {{'b': 1}}</script><p>shown<noscript>{markup}</noscript>"
        f"<noscript>{markup}2</noscript><script type=json>[1]</script>"
    )
    page = Page(html)
    assert page.noscripts == [markup, markup + "2"]
    assert page.data_scripts == ["[1]"]
    assert page.text() == "shown"
    assert pickle.loads(pickle.dumps(page)).noscripts == page.noscripts  # noqa: S301 - our own bytes
    assert fastwrap.clean(page).noscripts == page.noscripts


def test_what_is_left_out() -> None:
    page = Page(
        "<p>a<!-- no --><script>no</script><style>no</style><template><b>no</b></template>"
        "<noscript><b>no</b></noscript><iframe><b>no</b></iframe>b</p>"
    )
    assert page.text() == "a b"
    names = [page.tag_name(node) for node in elements(page)]
    assert names == ["html", "head", "body", "p", "iframe"]


@pytest.mark.parametrize(
    ("source", "language"),
    [("<html class=a lang=pt-BR><p>x", "pt-BR"), ("<html class=a><p lang=de>x", None), ("", None), ("<html lang>", "")],
)
def test_the_language_is_that_of_the_root(source: str, language: str | None) -> None:
    assert Page(source).language == language
    assert language == Page(source).attributes(0).get("lang")


def test_hidden_text_is_text() -> None:
    page = Page("<p>a<b hidden>b</b><i style='display:none'>c</i></p>")
    assert page.text() == "ab c"
    assert [page.text(node) for node in elements(page) if page.hidden[node]] == ["b", "c"]


def test_custom_names_have_one_number_on_every_page() -> None:
    first, second = Page("<x-card><y-card></y-card></x-card>"), Page("<p>1</p><x-card></x-card>")
    number = int(first.tag[3])
    assert number >= CUSTOM
    assert number in second.tag
    assert second.custom_names[number] == "x-card"


def test_custom_names_never_share_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """The names are in no other test: what is remembered of them is wrong afterwards."""
    monkeypatch.setattr("fastwrap.page.names.zlib.crc32", lambda _: 7)
    page = Page("<x-one-of-two></x-one-of-two><x-other-of-two x-one-of-two=1></x-other-of-two><x-one-of-two>")
    assert [page.tag_name(node) for node in range(3, 6)] == ["x-one-of-two", "x-other-of-two", "x-one-of-two"]
    assert page.attributes(4) == {"x-one-of-two": "1"}


def test_nbytes_counts_what_is_held() -> None:
    page = Page("<p class=a>x</p>")
    at_first = page.nbytes
    assert at_first == sum(len(as_bytes(part)) for part in page.arrays)
    page.path_symbol  # noqa: B018 - computes style_symbol and hidden along with it
    assert page.nbytes - at_first == (4 + 4 + 1) * len(page)
    page.leafless_class  # noqa: B018 - likewise structural_class
    assert page.nbytes - at_first == (9 + 8) * len(page)


def test_memory_a_node(example: bytes) -> None:
    page = Page(example)
    page.path_symbol, page.structural_class, page.leafless_class, page.hidden, page.style_symbol  # noqa: B018
    texts = len(page.arrays.text) + len(page.arrays.values)
    assert page.nbytes - texts <= 64 * len(page)


def test_a_page_of_the_wrong_type() -> None:
    with pytest.raises(TypeError):
        Page(12)  # type: ignore[arg-type]


def test_too_many_bytes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fastwrap.page.page.MAX_BYTES", 10)
    with pytest.raises(FastwrapError, match="12 bytes: more than 10"):
        Page("<p>123456789")


def test_children_and_ancestors_agree() -> None:
    page = Page("<div><p>a<b>c</b></p><p>d</p></div>")
    for node in range(len(page)):
        for child in page.children(node):
            assert next(iter(page.ancestors(child))) == node
    assert list(itertools.islice(page.ancestors(5), 3)) == [4, 3, 2]


@pytest.mark.parametrize("node", [-1, 5, 10**12])
def test_a_node_that_is_not_there_is_refused(node: int) -> None:
    page = Page("<p>text")
    assert len(page) == 5
    for ask in (page.tag_name, page.text, page.attributes, page.css_path, page.xpath):
        with pytest.raises(FastwrapError, match="nodes 0 to 4"):
            ask(node)
    for walk in (page.children, page.ancestors):
        with pytest.raises(FastwrapError, match="nodes 0 to 4"):
            list(walk(node))
    for span in ((-1, 2), (3, 2), (0, 6)):
        with pytest.raises(FastwrapError, match="nodes 0 to 4"):
            page.span_text(*span)
