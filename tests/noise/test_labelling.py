"""Labelling: the kernel against its plain twin, and what holds for the blocks of any page."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import Page
from fastwrap._core.noise import labelling as kernel
from fastwrap._core.noise.labelling import Classifier
from fastwrap.noise import labelling
from fastwrap.noise.features import NAMES
from fastwrap.noise.model import Trees, Weights
from fastwrap.noise.vocabulary import ROLES, vocabulary
from fastwrap.page.names import TEXT
from tests.helpers.models import no_trees, random_trees, random_weights
from tests.helpers.tree_pages import tree_page
from tests.reference.html import html
from tests.reference.noise import labelling as plain
from tests.reference.noise.blocks import beginning, ending, words_of
from tests.reference.trees import Tree, trees

NO_ADDRESS = (0.0, 0.0, 0.0, 0.0)
TAGS = """
    div p h1 h2 h3 ul li table tr td a b strong button label option select span em section article nav header footer
    aside main form figure img br pre code x-card svg title dl dt dd blockquote details
    """.split()
TITLES = ["", "Domes of stone", "Domes: all of it’s stone", "He said: No!"]
NAMES_OF_ELEMENTS = [
    "", "", " class=nav", ' class="main-Content x2 HTMLPage"', " id=siteFooter", " hidden", " itemprop=articleBody",
    " itemtype=https://schema.org/Product", " aria-label='Skip To'", " class=nav style='color: red'",
    f" class='{'word ' * 40}'", f" class='{'x' * 398}Ab'", " role='é'", f" role='{' ' * 50}main'",
    *(f" role='{role.upper()} '" for role in ROLES), f" role={'x' * 60}",
]  # fmt: skip
SAID = [
    "A dome of stone keeps the rain out, and the light of the sun as well.", "Home", "Next page »",
    "a / b | c · d • e › f", "He said: “No!”", "What is it? (It is: a dome.)", "石のドームは雨を防ぐ。", "続く…",
    "値段：", "3,5", "It's O'Neill; -", "...", "Domes of stone", "x" * 300, "'", " “", "A.B.c !’ ”", "no stop,",
    "ÄÖÜ äöü", "12/13", "one two three four five six.",
]  # fmt: skip


def page_of_chance(seed: int, length: int) -> str:
    """A page of many blocks: elements that are opened, and closed later or never, and what stands in them."""
    random = Random(seed)
    some_tags = random.sample(TAGS, random.randint(3, len(TAGS)))
    pieces = [f"<title>{random.choice(TITLES)}</title>"] * random.randint(0, 1)
    for _ in range(length):
        opened = f"<{random.choice(some_tags)}{random.choice(NAMES_OF_ELEMENTS) if random.random() < 0.4 else ''}>"
        said = random.choice(SAID) * random.choice([1, 1, 1, 2])
        pieces += random.choice([[opened], [f"</{random.choice(some_tags)}>"], [opened, said], [opened, said], [said]])
    return "".join(pieces)


articles = st.builds(page_of_chance, st.integers(0, 1 << 20), st.integers(0, 80))
seeds = st.integers(0, 40)
addresses = st.tuples(*[st.integers(0, 99).map(float)] * 4)


def compare(page: Page, weights: Weights, trees: Trees, address: tuple[float, float, float, float]) -> None:
    """All that the kernel says of a page, against the twin."""
    model, words = Classifier(vocabulary(), weights, trees), vocabulary()
    starts, ends, rows = kernel.features(page.native, model, address)
    spans = list(zip(starts.tolist(), ends.tolist(), strict=True))
    spans_of_twin, rows_of_twin = plain.features(page, words, weights, address)
    assert spans == spans_of_twin
    assert rows.shape == (len(spans), len(NAMES))
    for row, expected in zip(rows.tolist(), rows_of_twin, strict=True):
        named = dict(zip(NAMES, row, strict=True))
        assert named == pytest.approx(dict(zip(NAMES, expected, strict=True)), rel=1e-5, abs=1e-6)

    first, last, kept, likely, counts = kernel.label(page.native, model, address)
    assert (first.tolist(), last.tolist()) == (starts.tolist(), ends.tolist())
    assert likely.tolist() == pytest.approx([plain.probability(row, trees) for row in rows.tolist()], rel=1e-5)
    assert (kept.tolist(), counts) == plain.keep(page, words, likely.tolist())

    first, last, *evidence = kernel.evidence(page.native, model)
    assert (first.tolist(), last.tolist()) == (starts.tolist(), ends.tolist())
    assert tuple(evidence) == plain.evidence(page, words)


@settings(max_examples=1500)
@given(st.one_of(articles, html), seeds, addresses)
def test_kernel_is_its_twin(source: str, seed: int, address: tuple[float, float, float, float]) -> None:
    compare(Page(source), MODELS[seed][0], MODELS[seed][1], address)


@settings(max_examples=500)
@given(trees(max_leaves=30), st.booleans(), st.data(), seeds)
def test_pages_of_any_shape(tree: Tree, has_body: bool, data: st.DataObject, seed: int) -> None:
    """Pages whose body is any child of the root, or that have none."""
    children, count = [], 1
    for child in tree[1]:
        if child[0] != TEXT:
            children.append(count)
        count += nodes_of(child)
    body = data.draw(st.sampled_from(children)) if children and has_body else None
    compare(tree_page(tree, body), MODELS[seed][0], MODELS[seed][1], NO_ADDRESS)


def nodes_of(tree: Tree) -> int:
    return 1 + sum(nodes_of(child) for child in tree[1])


MODELS = [(random_weights(seed), random_trees(seed)) for seed in range(41)]


@pytest.mark.parametrize(
    "source",
    [
        "", "x", "<title>t</title>", "<frameset><frame src=a><noframes>x</noframes></frameset>", "<p>one",
        "<a><p>x</a><p>y", "<svg><title>t</title><a>x</a></svg>", "<x-one><y-two>z</y-two></x-one>",
        "".join(f"<x-{k}>a b c d e f.</x-{k}>" for k in range(90)), "<h1>a<h6>b", "<body role=main hidden>x",
        "<p>" + "a " * 70 + "<p>" + "a " * 70, "<b>" * 30 + "x", "<h2><span><b>x</b></span></h2>", "<img>" * 9,
        "<p>a <math><mi>x<mfrac><mn>1</mn><math><mtext><p>b</p></math></mfrac></math> c<p>d <math><p>e",
    ],
)  # fmt: skip
def test_odd_pages(source: str) -> None:
    for weights, of_tree in MODELS[:3]:
        compare(Page(source), weights, of_tree, NO_ADDRESS)


def test_all_names_of_an_element_are_read() -> None:
    names = ("class", "id", "role", "itemprop", "itemtype", "aria-label")
    page = Page("<p " + " ".join(f"{name}='{'a ' * 30}'" for name in names) + ">x")
    compare(page, *MODELS[0], NO_ADDRESS)
    evidence = kernel.evidence(page.native, Classifier(vocabulary(), *MODELS[0]))
    assert max(map(len, evidence[-1])) == 1 + 6 * 24


# What holds for any page


@settings(max_examples=500)
@given(st.one_of(articles, html), seeds)
def test_blocks_are_all_the_texts_in_order(source: str, seed: int) -> None:
    page = Page(source)
    starts, ends, content, likely, counts = kernel.label(
        page.native, Classifier(vocabulary(), *MODELS[seed]), NO_ADDRESS
    )
    texts = [node for node in range(page.body, page.body + int(page.size[page.body])) if page.tag[node] == TEXT]
    found = [node for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
             for node in range(start, end) if page.tag[node] == TEXT]  # fmt: skip
    assert found == texts
    assert all(page.tag[start] == TEXT == page.tag[end - 1] for start, end in zip(starts, ends, strict=True))
    assert len(content) == len(likely) == len(starts)
    assert np.all((likely >= 0) & (likely <= 1))
    assert counts[0] >= counts[1] >= counts[2] >= 0


@settings(max_examples=200)
@given(st.one_of(articles, html), st.floats(-50, 50))
def test_without_trees_all_blocks_are_alike(source: str, base: float) -> None:
    labels = kernel.label(Page(source).native, Classifier(vocabulary(), MODELS[0][0], no_trees(base)), NO_ADDRESS)
    assert labels[3].tolist() == pytest.approx([1 / (1 + math.exp(-base))] * len(labels[0]), rel=1e-6)


@pytest.mark.parametrize("base", [-1e308, -800.0, 800.0, 1e308])
def test_a_base_beyond_measure(base: float) -> None:
    labels = kernel.label(Page("<p>x").native, Classifier(vocabulary(), MODELS[0][0], no_trees(base)), NO_ADDRESS)
    assert labels[3].tolist() == [float(base > 0)]


def test_scores_have_a_place_of_their_own() -> None:
    """Of the block, and of those beside it."""
    blank = plain.nothing()._replace(intercepts=(11.0, 22.0, 33.0, 44.0))
    page = Page("<form><h1>x y</h1></form><p>one two three</p><p>b</p>")
    rows = kernel.features(page.native, Classifier(vocabulary(), blank, no_trees()), NO_ADDRESS)[2]
    named = dict(zip(NAMES, rows[1].tolist(), strict=True))
    for prefix in ("score_", "previous_score_", "next_score_", "path_score_", "page_score_"):
        assert [named[f"{prefix}{name}"] for name in ("above", "near", "words", "heading_words")] == [11, 22, 33, 44]
    assert (named["previous_words"], named["next_words"], named["previous_2_words"]) == (2, 1, 0)
    assert named["page_in_forms"] == pytest.approx(1 / 3)
    assert [row[NAMES.index("in_form")] for row in rows] == [1, 0, 0]


def test_content_that_comes_again_is_kept_once() -> None:
    line = "<p>A dome of stone keeps the rain out.</p>"
    model = Classifier(vocabulary(), MODELS[0][0], no_trees(2.0))
    content = kernel.label(Page(f"{line}<p>short one</p>{line}<p>short one</p>").native, model, NO_ADDRESS)[2]
    assert content.tolist() == [True, True, False, True]


@pytest.mark.parametrize(
    "source",
    [
        "<div>" * 10_000 + "x" + "</div>y" * 5_000,
        "<p>x" * 100_000,
        "<a>x</a>" * 70_000,
        "<div class='a b c'>" * 5_000 + "<p>one two three four five six.</p>" * 50_000,
        "<p>" + "a." * 500_000,
        "<p>" + "'" * 2_000_000,
        "<table>" + "<tr><td>x<td>y" * 40_000,
    ],
    ids=lambda source: source[:30],
)
def test_large_pages_come_to_an_end(source: str) -> None:
    page = Page(source)
    starts, ends, _, likely, _ = kernel.label(page.native, Classifier(vocabulary(), *MODELS[1]), NO_ADDRESS)
    covered = sum(int(np.count_nonzero(page.tag[start:end] == TEXT)) for start, end in zip(starts, ends, strict=True))
    assert covered == int(np.count_nonzero(page.tag[page.body :] == TEXT))
    assert np.isfinite(likely).all()


def test_address_has_four_features() -> None:
    page, model = Page("<p>x"), Classifier(vocabulary(), MODELS[0][0], no_trees())
    for call in (kernel.label, kernel.features):
        with pytest.raises(ValueError, match="an address has 4 features"):
            call(page.native, model, (1.0,))  # type: ignore[arg-type]


# The pieces of the twin, by hand


@pytest.mark.parametrize(
    ("text", "end"),
    [("", 0), ("'", 0), ("a", 0), ("a.", 1), ("a.”", 1), ("a!’)", 1), ("終。", 1), ("a…", 1), ("a:", 2), ("値段：", 2),
     ("a,", 3)],
)  # fmt: skip
def test_ending(text: str, end: int) -> None:
    assert ending(text.encode()) == end


def test_beginning() -> None:
    assert [beginning(text.encode()) for text in ("", "A", "a", "1", "é", "(")] == [0, 1, 2, 3, 4, 5]


def test_words() -> None:
    assert words_of("It's 3,5 “Domes”".encode())[:3] == [b"it's", b"3", b"5"]


# The address of a page


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (None, (0, 0, 0, 0)),
        ("", (0, 0, 0, 0)),
        ("https://a.example", (0, 0, 0, 0)),
        ("https://a.example/?q", (0, 0, 0, 1)),
        ("https://a.example/?", (0, 0, 0, 1)),
        ("https://a.example/a//b-c-d/#e/f", (2, 5, 2, 0)),
        ("file:///a/b.html", (2, 6, 0, 0)),
        ("/a/b", (2, 1, 0, 0)),
    ],
)
def test_address(url: str | None, expected: tuple[float, float, float, float]) -> None:
    assert labelling.address_of(url) == expected
