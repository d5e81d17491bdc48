"""`fastwrap.content`: what it takes, what it gives, builders; that it is lazy, can be pickled, and never fails."""

from __future__ import annotations

import gzip
import io
import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt

import fastwrap
from fastwrap import Content, FastwrapError, Page, content
from fastwrap.noise.about import language_of, title_of
from fastwrap.noise.content import LabelledText
from fastwrap.noise.labelling import label
from tests.helpers.labels import all_content, main_content
from tests.helpers.markdown import words_of
from tests.reference.html import html

URL = "https://tea.example/"
SOURCE = """<html lang=en-gb><title>On tea | Tea House</title><body><nav><a href=/>Home</a> <a href=/shop>Shop</a></nav>
<main><h1>On tea</h1><p>Tea is <b>green</b>, or <a href=/black>black</a>.<p><img src=cup.png alt="A cup">
<ul><li>Assam<li>Ceylon</ul></main><footer>All rights</footer>"""
TEXT = "On tea\n\nTea is green, or black.\n\nAssam\nCeylon"
MARKDOWN = """# On tea

Tea is **green**, or [black](https://tea.example/black).

![A cup](https://tea.example/cup.png)

- Assam
- Ceylon"""


@pytest.fixture(autouse=True)
def labels_of_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fastwrap.noise.content.label", main_content)


def test_what_there_is() -> None:
    found = content(SOURCE, URL)
    assert (found.text, found.markdown, found.title, found.language) == (TEXT, MARKDOWN, "On tea", "en-GB")
    assert (len(found), bool(found), found.url, found.limits) == (8, True, URL, ())
    assert found.to_dict() == {
        "url": URL, "title": "On tea", "language": "en-GB", "text": TEXT, "markdown": MARKDOWN
    }  # fmt: skip
    assert repr(found) == f"<Content: 8 texts, {len(TEXT)} letters>"


def test_a_formula_stands_in_its_line() -> None:
    formula = "<math><semantics><mrow><mi>x</mi><mo>=</mo><msqrt><mn>2</mn></msqrt></mrow></semantics></math>"
    found = content(f"<main><p>Where {formula} holds</p><p>and <b>not</b> else</main>")
    assert (found.text, found.markdown) == (
        "Where x = 2 holds\n\nand not else",
        "Where x = 2 holds\n\nand **not** else",
    )


def test_nodes() -> None:
    found = content(SOURCE, URL)
    assert [node.text for node in found.nodes] == [
        "On tea", "Tea is", "green", ", or", "black", ".", "Assam", "Ceylon"
    ]  # fmt: skip
    for node in found.nodes:
        assert found.page.text(node.node) == node.text
        assert node.label == "content"
        assert 0.5 <= node.probability <= 1
    assert found.nodes[6].path.startswith("<#CNT><#SEP>li|")
    assert found.nodes[2].path == found.page.retps()[found.nodes[2].node]
    assert repr(found.nodes[0]) == "<content: On tea>"
    (long,) = content(f"<main><p>{'x' * 99}")
    assert repr(long) == f"<content: {'x' * 57}...>"


@pytest.mark.parametrize(
    "source", ["", "x", "<p>", "<frameset><frame></frameset>", "<!-- -->", "<nav>a b c d e f</nav>"]
)
def test_a_page_without_content(source: str) -> None:
    found = content(source)
    assert not found
    assert (found.text, found.markdown, found.nodes, len(found)) == ("", "", [], 0)
    assert repr(found) == "<Content: 0 texts, 0 letters>"
    assert found._repr_markdown_() == ""


def test_whatever_extract_takes(tmp_path: Path) -> None:
    path = tmp_path / "tea.html"
    path.write_text(SOURCE)
    response = SimpleNamespace(content=SOURCE.encode(), url=URL, headers={"content-type": "text/html"})
    for source in (SOURCE, SOURCE.encode(), path, io.BytesIO(SOURCE.encode()), response, Page(SOURCE)):
        assert content(source).text == TEXT
    assert content(response).markdown == content(Page(SOURCE), URL).markdown == MARKDOWN
    assert content(SOURCE.replace("Assam", "Thé").encode("latin-1"), encoding="latin-1").text.endswith("Thé\nCeylon")
    assert content(fastwrap.clean(SOURCE)).page.original is not None
    with pytest.raises(FastwrapError, match="this is a PDF document, not HTML"):
        content(b"%PDF-1.7 ...")
    with pytest.raises(FastwrapError, match=r"a str is HTML, and this one is a path: give Path\('tea.html'\)"):
        content("tea.html")
    with pytest.raises(TypeError, match="a page is bytes"):
        content(3)  # type: ignore[call-overload]


def test_nothing_is_computed_before_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def computed(page: Page, model: Any) -> Any:
        raise AssertionError("computed")

    monkeypatch.setattr("fastwrap.noise.content.label", computed)
    found = content(SOURCE, URL)
    assert (found.title, found.language, found.limits) == ("On tea", "en-GB", ())
    with pytest.raises(AssertionError, match="computed"):
        _ = found.text


def test_limits_are_those_of_what_was_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    def with_limits(page: Page, model: Any) -> Any:
        return main_content(page)._replace(limits=("noise.search",))

    monkeypatch.setattr("fastwrap.noise.content.label", with_limits)
    found = content(SOURCE)
    before = found.limits
    assert found.text
    assert (before, found.limits) == ((), ("noise.search",))


def test_it_can_be_pickled() -> None:
    found = content(SOURCE, URL)
    for _ in range(2):  # before and after it is used
        again = pickle.loads(pickle.dumps(found))  # noqa: S301 - our own bytes
        assert again.to_dict() == found.to_dict()
        nodes = pickle.loads(pickle.dumps(found.nodes))  # noqa: S301
        assert [(node.node, node.text, node.path) for node in nodes] == [
            (node.node, node.text, node.path) for node in found
        ]


def test_a_notebook_loads_no_pictures() -> None:
    shown = content(SOURCE, URL)._repr_markdown_()
    assert shown == MARKDOWN.replace("![A cup](https://tea.example/cup.png)\n\n", "")
    many = content("<main>" + "<p>One.</p>" * 250)._repr_markdown_()
    assert many.endswith("One.\n\n… 150 more")
    assert many.count("One.") == 100


# Builders


class Both:
    """Keeps what it is called with."""

    def __init__(self) -> None:
        self.called: list[tuple[str, str]] = []

    def content(self, node: LabelledText) -> None:
        self.called.append((node.label, node.text))

    def noise(self, node: LabelledText) -> None:
        self.called.append((node.label, node.text))


class Kept:
    """Has a method for one label, and a result."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def content(self, node: LabelledText) -> None:
        self.texts.append(node.text)

    def result(self) -> list[str]:
        return self.texts


EXPECTED = [
    ("noise", "Home"), ("noise", "Shop"), ("content", "On tea"), ("content", "Tea is"), ("content", "green"),
    ("content", ", or"), ("content", "black"), ("content", "."), ("content", "Assam"), ("content", "Ceylon"),
    ("noise", "All rights"),
]  # fmt: skip
"""The texts of the body; what the head has may have labels, too."""


def of_body(called: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """What a builder was called with, without the title of the page."""
    return [each for each in called if each[1] != "On tea | Tea House"]


def test_a_builder_is_called_with_all_texts_in_order() -> None:
    builder = Both()
    assert content(SOURCE, builder=builder) is builder
    assert of_body(builder.called) == EXPECTED
    made = content(SOURCE, URL, Both)
    assert isinstance(made, Both)
    assert of_body(made.called) == EXPECTED


def test_what_a_builder_makes_is_returned() -> None:
    kept = [text for label, text in EXPECTED if label == "content"]
    assert content(SOURCE, builder=Kept) == content(SOURCE, builder=Kept()) == kept
    assert content("", builder=Kept) == []


def test_a_builder_may_have_functions() -> None:
    removed: list[tuple[str, str]] = []
    builder = SimpleNamespace(
        noise=lambda node: removed.append((node.label, node.text)), content=None, result=lambda: None
    )
    assert content(SOURCE, builder=builder) is None
    assert of_body(removed) == [each for each in EXPECTED if each[0] == "noise"]


@pytest.mark.parametrize("builder", [3, "content", object, SimpleNamespace(content=b"x"), [], Path()])
def test_what_is_no_builder_is_told(builder: Any) -> None:
    with pytest.raises(TypeError, match=r"a builder has a method 'content' or 'noise', .+ has neither"):
        content(SOURCE, builder=builder)


def test_what_a_builder_raises_is_raised() -> None:
    def fail(node: LabelledText) -> None:
        raise KeyError(node.text)

    with pytest.raises(KeyError, match="On tea"):
        content(SOURCE, builder=SimpleNamespace(content=fail))


# What the page says of itself


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<title>Oak | Shop</title><h1>Shop</h1><h2>Oak</h2>", "Oak"),
        ("<title>Oak | Shop</title><p>nothing", "Oak"),
        ("<title>Why oaks grow slowly</title><h1>My diary</h1><h2>Why oaks grow so slow</h2>", "Why oaks grow so slow"),
        ("<title>Why oaks grow</title><h1>My diary</h1><h2>Archive</h2>", "Why oaks grow"),
        ("<meta property=og:title content='On\n oaks'><h1>My diary</h1>", "On oaks"),
        ("<meta name=twitter:title content=Oaks><p>x", "Oaks"),
        ("<h1>Oaks</h1>", "Oaks"),
        ("<title> </title><p>x", None),
        ("", None),
    ],
)  # fmt: skip
def test_titles(source: str, expected: str | None) -> None:
    assert title_of(Page(source)) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<html lang=DE>", "de"),
        ("<html lang=en_us>", "en-US"),
        ("<html lang='zh-hant-TW '>", "zh-Hant-TW"),
        ("<html lang=''><meta http-equiv=CONTENT-language content='fr, en'>", "fr"),
        ("<html lang=[[lang]]><meta property=og:locale content=pt_BR>", "pt-BR"),
        ("<meta name=language content=English><meta property=og:locale content=en_GB>", "en-GB"),
        ("<meta http-equiv=content-language><p>x", None),
        ("<p lang=de>x", None),
    ],
)
def test_languages(source: str, expected: str | None) -> None:
    assert language_of(Page(source)) == expected


# Any page


def check(found: Content) -> None:
    """What holds for every page."""
    assert bool(found) == bool(found.nodes) == bool(found.text.strip() or found.nodes)
    assert len(found) == len(found.nodes)
    said = "".join(found.text.split())
    assert said == "".join("".join(node.text.split()) for node in found.nodes)
    assert found.language is None or found.language
    assert found.title is None or found.title.strip()
    rendered = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table").render(found.markdown)
    assert words_of(rendered) == found.text.replace("\0", "\ufffd").split()


@settings(max_examples=300)
@given(html)
def test_it_never_fails(source: str) -> None:
    check(content(f"<main>{source}", URL))


def test_real_pages(corpus: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [path for path in corpus if path.suffix == ".gz"][::25] or corpus[::25]
    for path in pages:
        data = path.read_bytes()
        try:
            page = Page.of(gzip.decompress(data) if path.suffix == ".gz" else data, URL)
        except FastwrapError:
            continue  # no page
        monkeypatch.setattr("fastwrap.noise.content.label", all_content)
        check(content(page))
        monkeypatch.setattr("fastwrap.noise.content.label", label)
        check(content(page))
