"""The kernel that reads the words of class names, against its twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap import Page
from fastwrap._core.detail import names as kernel
from fastwrap.detail.lists import SET_APART
from fastwrap.detail.places import BITS, OPENINGS, beside, word_table
from tests.reference.detail import names as reference

KNOWN = sorted({word for words in BITS.values() for word in words})
PIECES = st.one_of(
    st.sampled_from(KNOWN), st.sampled_from(["x", "Card", "é", "-", "_", " ", "\t", "7", "has", "with", "no"])
)
VALUES = st.lists(st.one_of(PIECES, PIECES.map(str.title), PIECES.map(str.upper)), max_size=14).map("".join)


@given(st.lists(st.tuples(st.sampled_from(["class", "id", "role", "title"]), VALUES), max_size=8))
def test_the_kernel_reads_as_its_twin(attributes: list[tuple[str, str]]) -> None:
    page = Page("<body class=sidebar>" + "".join(f'<div {name}="{value}">text</div>' for name, value in attributes))
    hashes, bits = word_table()
    table = dict(zip(hashes.tolist(), bits.tolist(), strict=True))
    assert list(zip(*kernel.meanings(page.native, hashes, bits), strict=True)) == reference.meanings(page, table)


TEXTS = st.lists(
    st.one_of(st.sampled_from(sorted(OPENINGS)), st.sampled_from(["7", "- ", " ", "É", "oak", "x", ":"])), max_size=4
).map("".join)
APART = {"h1", "h2", "h3", "h4", "h5", "h6", "b", "strong", "th", "dt"}


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["p", "b", "h2", "h7", "li", "strong"]), VALUES, TEXTS, st.sampled_from(["", "<i>", "<p>"])
        ),
        min_size=1,
        max_size=8,
    ),
    st.data(),
)
def test_what_stands_around_records_is_read_as_by_the_twin(
    elements: list[tuple[str, str, str, str]], data: st.DataObject
) -> None:
    html = "".join(f'<{tag} class="{names}">{inner}{text}</{tag}>' for tag, names, text, inner in elements)
    page = Page(f"<body class=related>{html}<p>end")
    hashes, bits = word_table()
    table = dict(zip(hashes.tolist(), bits.tolist(), strict=True))
    start = data.draw(st.integers(page.body + 1, len(page) - 1))
    spans = [[start, data.draw(st.integers(start + 1, len(page)))]] if data.draw(st.booleans()) else []
    array = np.array(spans, dtype=np.int32).reshape(-1, 2)
    found = kernel.others_around(page.native, array, hashes, bits, SET_APART)
    assert found == reference.others_around(page, spans, table, APART)


@given(st.binary(max_size=40))
def test_words_are_hashed_alike(word: bytes) -> None:
    assert kernel.hash_of_word(word) == reference.hash_of_word(word)


@pytest.mark.parametrize(
    ("names", "meaning"),
    [
        ("sidebar", 1), ("post-comments", 1), ("has-sidebar", 0), ("relatedItems", 4), ("recipe-card", 0),
        ("comment-count", 0), ("sr-only", 2), ("recipe-ingredients", 11), ("sidebar sidebarIngredients", 11),
        ("instructions__list", 19), ("main-content sidebar", 0), ("related-products", 4),
    ],
)  # fmt: skip
def test_what_names_mean(names: str, meaning: int) -> None:
    page = Page(f'<body><div class="{names}">text</div>')
    assert kernel.meanings(page.native, *word_table())[1] == ([meaning] if meaning else [])


def test_the_table_is_checked() -> None:
    page = Page("<p class=a>b")
    hashes, bits = word_table()
    with pytest.raises(ValueError, match="as many"):
        kernel.meanings(page.native, hashes[1:], bits)
    with pytest.raises(ValueError, match="as many"):
        kernel.meanings(page.native, np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int32))
    spans = np.array([[3, 5]], dtype=np.int32)
    with pytest.raises(ValueError, match="no tags"):
        kernel.others_around(page.native, spans, hashes, bits, SET_APART[:0])
    with pytest.raises(ValueError, match="within"):
        kernel.others_around(page.native, spans + 9, hashes, bits, SET_APART)


def test_what_holds_the_main_heading_is_not_beside() -> None:
    page = Page("<body><div class=modal><h1>Oak</h1><p>a tree</div><div class=modal>buy</div><aside>more</aside>")
    out = beside(page).out
    said = {page.text(node): bool(out[node]) for node in range(len(page)) if page.tag_name(node) == "#text"}
    assert said == {"Oak": False, "a tree": False, "buy": True, "more": True}
