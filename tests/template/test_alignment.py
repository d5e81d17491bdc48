"""The kernels of `fastwrap.template` against their plain twins, on random trees and on made-up sites."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap import Page
from fastwrap._core.template import features as kernel
from fastwrap._core.template.aligning import LOOSE_FLAG, STRICT_FLAG, VARIES_FLAG
from fastwrap._core.template.learning import learn
from fastwrap._core.template.matching import Matcher
from fastwrap.template.forest import forest_of, starts_of
from fastwrap.template.learning import labels_of
from tests.helpers.detail_sites import Site
from tests.reference.template import alignment, features

MOST = 6_000

TAGS = ["div", "p", "li", "ul", "td", "tr", "table", "span", "b", "a", "dt", "dd", "h3", "br"]
TEXTS = [
    "ISBN:",
    "Weight",
    "Publisher: Penguin",
    "12",
    "and",
    ",",
    "Red",
    "Blue",
    "A longer text of some words",
    "x",
    "",
]
CLASSES = ["", "", "", " class=a", ' class="b a"', ' class="row-3"', " id=main", " itemprop=name"]


@st.composite
def markup(draw: st.DrawFn) -> str:
    """Some HTML in which labels, rows and runs of siblings are likely."""
    rng = random.Random(draw(st.integers(0, 10**9)))

    def part(depth: int) -> str:
        found = []
        for _ in range(rng.randrange(1, 5)):
            kind = rng.randrange(6)
            if kind == 0 or depth > 4:
                found.append(rng.choice(TEXTS))
            elif kind == 1:
                tag, classes = rng.choice(TAGS), rng.choice(CLASSES)
                found += [f"<{tag}{classes}>{rng.choice(TEXTS)}</{tag}>"] * rng.randrange(1, 4)
            elif kind == 2:
                rows = rng.sample(["Size", "Color", "Price", "Made in"], rng.randrange(1, 4))
                found += [f"<p><b>{row}:</b> {rng.choice(TEXTS)}</p>" for row in rows]
            else:
                tag, classes = rng.choice(TAGS), rng.choice(CLASSES)
                found.append(f"<{tag}{classes}>{part(depth + 1)}</{tag}>")
        return "".join(found)

    return f"<body>{part(0)}"


def compare(pages: list[Page], others: list[Page]) -> None:
    """Kernels and twins agree on everything that they say of some pages."""
    forest, starts = forest_of(pages), starts_of(pages)
    page_of = np.repeat(np.arange(-1, len(pages)), np.diff(starts, prepend=0))
    found, expected = kernel.features(forest.native), features.features(forest.arrays)
    assert np.array_equal(found, np.array(expected))
    labels = labels_of(found[2:4], page_of)
    known = set(labels.tolist())
    numbers, hashes, slot_of, limits = learn(forest.native, starts[:-1].copy(), labels, MOST)
    twin = alignment.learn(forest.arrays, expected, starts[:-1], known, MOST)
    assert np.array_equal(numbers, twin[0])
    assert np.array_equal(hashes, twin[1])
    assert np.array_equal(slot_of, twin[2])
    assert limits == ()
    assert not twin[3]
    matcher = Matcher(numbers, hashes, labels)
    for page in others:
        matched, _ = matcher.match(page.native)
        assert np.array_equal(matched, alignment.match(page.arrays, features.features(page.arrays), *twin[:2], known))


@given(st.lists(markup(), min_size=2, max_size=4), markup())
def test_kernels_agree_with_their_twins(pages: list[str], other: str) -> None:
    compare([Page(page) for page in pages], [Page(page) for page in (pages[0], other)])


@pytest.mark.parametrize("seed", range(25))
def test_kernels_agree_on_sites(seed: int) -> None:
    site = Site(seed)
    pages = [Page(site.page(number).html) for number in range(4)]
    compare(pages[:3], pages)


@given(st.binary(max_size=100))
def test_label_hashes_agree(text: bytes) -> None:
    assert kernel.label_hash(text) == features.label_hash(text)


@given(st.lists(markup(), min_size=2, max_size=4))
def test_slots_are_a_tree_of_like_nodes(sources: list[str]) -> None:
    """Every node has a slot of its own tag, within that of its parent; children of a slot stand side by side."""
    pages = [Page(source) for source in sources]
    forest, starts = forest_of(pages), starts_of(pages)
    labels = np.empty(0, dtype=np.uint64)
    numbers, _, slot_of, _ = learn(forest.native, starts[:-1].copy(), labels, MOST)
    tags, parents, flags, _ = numbers
    placed = np.flatnonzero(slot_of >= 0)
    assert (tags[slot_of[placed]] == forest.tag[placed]).all()
    inner = placed[~np.isin(placed, starts[:-1])]
    assert (parents[slot_of[inner]] == slot_of[forest.parent[inner]]).all()
    assert len(np.unique(slot_of[placed])) == len(tags)
    for parent in np.unique(parents):
        below = np.flatnonzero(parents == parent)
        assert below[-1] - below[0] + 1 == len(below)
    assert not (flags & STRICT_FLAG).any(), "there are no labels"


def test_a_matcher_refuses_slots_that_are_no_tree() -> None:
    hashes, labels = np.zeros((6, 2), dtype=np.uint64), np.empty(0, dtype=np.uint64)
    for parents in ([-1, 1], [-1, -1], [0, 0], [1, 0]):
        with pytest.raises(ValueError, match="slot"):
            Matcher(np.array([[1, 1], parents, [0, 0], [-1, -1]], dtype=np.int32), hashes, labels)
    with pytest.raises(ValueError, match="length"):
        Matcher(np.zeros((3, 2), dtype=np.int32), hashes, labels)


def test_roots_must_be_trees() -> None:
    page = Page("<p>one<p>two")
    labels = np.empty(0, dtype=np.uint64)
    for roots in ([], [-1], [99], [0, 1], [3, 2]):
        with pytest.raises(ValueError, match="tree"):
            learn(page.native, np.array(roots, dtype=np.int32), labels, MOST)


def test_flags_are_those_of_the_twin() -> None:
    assert (STRICT_FLAG, LOOSE_FLAG, VARIES_FLAG) == (alignment.IS_STRICT, alignment.IS_LOOSE, alignment.VARIES)
