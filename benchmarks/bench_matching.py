"""Simple tree matching of sibling records of about 67 nodes: backends, Python twin, tree edit distances.
Each benchmark takes the same pairs of records, so the factors within the group compare like with like.

zss (Zhang and Shasha 1989) and apted (Pawlik and Augsten 2016) solve a more general problem: an edit script
may delete and insert inner nodes, a simple matching pairs level by level. They are what Python offers for
comparing trees, not slow ways to do the same.
"""

from __future__ import annotations

import importlib
import itertools
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.helpers.pages import page_of_forest
from tests.reference.similarity.matching import stm
from tests.reference.trees import Tree

RECORDS = 10
BUDGET = 10**9

TEXT, ARTICLE, DIV, A, IMG, H3, SPAN, UL, LI, P, B, BR, TABLE, TR, TD = range(15)


def element(tag: int, *children: Tree) -> Tree:
    return (tag, children)


def record(random: Random) -> Tree:
    """A product of a listing: picture, title, badges, a paragraph, a list of features, a table of prices."""
    text = element(TEXT)
    badges = [element(SPAN, text) for _ in range(random.randint(0, 3))]
    words = [random.choice([text, element(B, text), element(BR)]) for _ in range(random.randint(3, 8))]
    features = [
        element(LI, element(SPAN, text), *random.choice([(), (text,), (element(A, text),)]))
        for _ in range(random.randint(4, 7))
    ]
    prices = [
        element(TR, *[element(TD, *random.choice([(), (text,), (element(B, text),)])) for _ in range(3)])
        for _ in range(random.randint(2, 4))
    ]
    return element(
        ARTICLE,
        element(DIV, element(A, element(IMG)), *badges),
        element(H3, element(A, text)),
        element(P, *words),
        element(UL, *features),
        element(DIV, element(TABLE, *prices), element(A, text)),
    )


def size(tree: Tree) -> int:
    return 1 + sum(map(size, tree[1]))


FOREST = [record(Random(seed)) for seed in range(RECORDS)]
PAIRS = list(itertools.combinations(range(RECORDS), 2))
EXPECTED = [stm(FOREST[left], FOREST[right]) for left, right in PAIRS]


def test_records_are_of_the_stated_size() -> None:
    assert 65 <= sum(map(size, FOREST)) / RECORDS <= 69


@pytest.mark.benchmark(group=f"simple tree matching, {len(PAIRS)} pairs of records of 67 nodes")
class TestMatching:
    @pytest.mark.parametrize("backend", ["_core", "_numba"])
    def test_batch(self, benchmark: Any, backend: str) -> None:
        if backend == "_numba":
            pytest.importorskip("numba")
        matching = importlib.import_module(f"fastwrap.{backend}.similarity.matching")
        page = page_of_forest(FOREST)
        starts = np.flatnonzero(page.parent == 0)
        spans = np.column_stack((starts, starts + page.size[starts])).astype(np.int32)
        lefts, rights = np.array(PAIRS).T
        pairs = np.hstack((spans[lefts], spans[rights]))
        scores = benchmark(matching.scores, page.native, pairs, BUDGET)
        assert scores.tolist() == EXPECTED

    def test_twin(self, benchmark: Any) -> None:
        benchmark(lambda: [stm(FOREST[left], FOREST[right]) for left, right in PAIRS])

    def test_zss(self, benchmark: Any) -> None:
        zss = pytest.importorskip("zss")

        def node(tree: Tree) -> Any:
            return zss.Node(tree[0], [node(child) for child in tree[1]])

        def differ(one: int, other: int) -> int:
            return int(one != other)

        nodes = [node(tree) for tree in FOREST]
        pairs = [(nodes[left], nodes[right]) for left, right in PAIRS]
        benchmark.pedantic(lambda: [zss.simple_distance(*pair, label_dist=differ) for pair in pairs], rounds=1)

    def test_apted(self, benchmark: Any) -> None:
        apted = pytest.importorskip("apted")
        helpers = pytest.importorskip("apted.helpers")

        def node(tree: Tree) -> Any:
            return helpers.Tree(tree[0], *[node(child) for child in tree[1]])

        nodes = [node(tree) for tree in FOREST]
        pairs = [(nodes[left], nodes[right]) for left, right in PAIRS]
        benchmark.pedantic(lambda: [apted.APTED(*pair).compute_edit_distance() for pair in pairs], rounds=1)
