"""What holds for the record of any page: it is there without error, says what the page says, and is bounded."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastwrap
from fastwrap import Page, detail
from fastwrap.detail.finding import MOST_COLUMNS
from fastwrap.limits import LIMITS
from tests.helpers.hangs import ends_soon

WORD = re.compile(r"\w+")
TAGS = "div p span b strong h1 h2 h3 ul ol li dl dt dd table tr td th a br section article nav aside label time".split()
CLASSES = "label value price author date ingredients instructions related sidebar rating recipe sr-only steps".split()
TEXTS = (
    "Oak table", "Price: 5 EUR", "Ingredients", "Method", "12", "1 cup of tea", "by Ann Lee", "May 3, 2024", "Label:",
    "A longer text that goes on for some time, as sentences do, until it ends at last, and nobody knows why.", "",
    "Related", "★★★☆☆", "a" * 300, "Step 1", "404 not found", "：", "\u2028",
)  # fmt: skip


@st.composite
def pages(draw: st.DrawFn) -> str:
    """Pages of what records are made of, in any order."""
    parts = [draw(st.sampled_from(["<title>Oak table | Shop</title>", "<title></title>", ""]))]
    for _ in range(draw(st.integers(0, 40))):
        kind = draw(st.integers(0, 3))
        if kind == 0:
            parts.append(draw(st.sampled_from(TEXTS)))
        elif kind == 1:
            parts.append(f"</{draw(st.sampled_from(TAGS))}>")
        else:
            names = " ".join(draw(st.lists(st.sampled_from(CLASSES), max_size=2)))
            parts.append(f'<{draw(st.sampled_from(TAGS))} class="{names}">{draw(st.sampled_from(TEXTS))}')
    return "".join(parts)


@given(pages(), st.booleans())
@settings(max_examples=300, deadline=None)
def test_a_record_says_what_its_page_says(html: str, structured: bool) -> None:
    found = fastwrap.extract(html, structured=structured)
    assert found.kind in ("list", "detail", "none")
    record = found.record
    if record is None:
        assert found.kind != "detail"
        return
    names = list(record.keys())
    assert len(names) == len(set(names)) == len(record.texts) == len(record.values) <= MOST_COLUMNS
    assert all(names)
    title = re.search("<title>(.*?)</title>", html)
    words = set(WORD.findall((found.page.text() + " " + (title[1] if title else "")).lower()))
    for column, cell in zip(record.columns, record.texts, strict=True):
        for text in cell if isinstance(cell, list) else [cell]:
            assert isinstance(text, str)
            assert text.strip()
            # Words within links and bold letters may touch on the page.
            assert column.type == "image" or all(
                word in words or any(word in other or other in word for other in words)
                for word in WORD.findall(text.lower())
            )
    assert 0 <= record.start <= record.end <= len(found.page)
    assert record.to_dict().keys() == set(names)


@given(pages())
@settings(max_examples=100, deadline=None)
def test_the_chance_is_one_and_asking_twice_changes_nothing(html: str) -> None:
    page = Page(html)
    first, again = detail.find(page), detail.find(page)
    assert [column.texts for column in first.columns] == [column.texts for column in again.columns]
    regions = fastwrap.extract(page).regions
    spans = regions[0].spans if regions else np.empty((0, 2), dtype=np.int32)
    for confidence in (0.0, 0.5, 1.0):
        one_thing, of_list = first.confidence(confidence, spans)
        assert 0 <= one_thing <= 1
        assert 0 <= of_list <= confidence


HEAD = "<title>a</title><h1>a</h1>"
HOSTILE = {
    "definitions": (HEAD + "<dl>" + "".join(f"<dt>Label {k}<dd>value {k}" for k in range(100_000)), "detail.pairs"),
    "one long text": (HEAD + "<p>" + "word " * 200_000, ""),
    "paragraphs": (HEAD + f"<p>{'word ' * 15}</p>" * 60_000, "detail.prose"),
    "deep names": (HEAD + "<div class=ingredients>" * 400 + "<p>x y z: 5" * 1000, "detail.pairs"),
    "headings": (HEAD + "<h2>Ingredients</h2><ul><li>1 a<li>2 b</ul>" * 30_000, "detail.sections"),
    "labels in a line": (HEAD + "<p>" + "<b>Label:</b> value " * 60_000, "detail.pairs"),
    "rows": (HEAD + "<table>" + "".join(f"<tr><th>Label {k}<td>value" for k in range(60_000)), "detail.lines"),
    "deep lists": (HEAD + "<h2>Steps</h2>" + "<ul><li>" * 200 + "x" + "<p>y</p>" * 20_000, "detail.lines"),
    "much data": (
        HEAD + '<script type="application/ld+json">{"@type":"Recipe","name":"a","recipeIngredient":['
        + ",".join(['"1 cup"'] * 100_000) + "]}</script>",
        "detail.items",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_end_soon_and_tell(name: str) -> None:
    html, limit = HOSTILE[name]
    page = Page(html)
    with ends_soon():
        found = detail.find(page)
    assert len(found.columns) <= MOST_COLUMNS
    assert limit in ("", *found.limits)
    assert set(found.limits) <= set(LIMITS)


def test_long_pages_end_soon() -> None:
    """With the square of its length this page would take minutes."""
    page = Page(HEAD + "".join(f"<p>Label {k}: value</p><p>{'some words ' * 9}{k}</p>" for k in range(40_000)))
    with ends_soon():
        assert len(detail.find(page).columns) <= MOST_COLUMNS
