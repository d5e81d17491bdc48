"""Labelling in plain Python: the twin of `fastwrap._core.noise.labelling`, from features to what is kept."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from fastwrap.noise.model import Trees, Weights
from fastwrap.noise.vocabulary import Vocabulary
from fastwrap.page import Page
from tests.reference.noise.blocks import SENTENCE, Blocks, head_buckets, word_buckets
from tests.reference.noise.features import Features, name_buckets

STEPS = 1024
ROUND, SETTLED = 30, 3
LEAST_COPIED = 6


def features(
    page: Page, vocabulary: Vocabulary, weights: Weights, address: Iterable[float]
) -> tuple[list[tuple[int, int]], list[list[float]]]:
    """The blocks, and the features of each."""
    found = Features(page, vocabulary, weights, address)
    return [(block.start, block.end) for block in found.all], found.rows()


def leaf(row: Sequence[float], trees: Trees, tree: int) -> float:
    """What a tree says of a block."""
    root = node = int(trees.roots[tree])
    while (feature := int(trees.features[node])) >= 0:
        node = root + int(trees.lefts[node]) + (row[feature] > trees.thresholds[node])
    return float(trees.thresholds[node])


def probability(row: Sequence[float], trees: Trees) -> float:
    """How likely a block is content. What is settled after a round is asked no further."""
    odds = trees.base
    for tree in range(len(trees.roots) - 1):
        if tree and tree % ROUND == 0 and not -SETTLED < odds < SETTLED:
            break
        odds += leaf(row, trees, tree)
    return 1 / (1 + math.exp(-odds)) if odds > -700 else 0.0


def best_limit(words: Sequence[int], likely: Sequence[float]) -> float:
    """Half of the highest F1 over words that is to be expected (Lipton et al. 2014), and one half at most."""
    steps = [min(STEPS - 1, int(each * STEPS)) for each in likely]
    best, expected = 0.0, sum(count * each for count, each in zip(words, likely, strict=True))
    for lowest in set(steps):
        kept = [block for block, step in enumerate(steps) if step >= lowest]
        found = sum(words[block] * likely[block] for block in kept)
        both = sum(words[block] for block in kept) + expected
        best = max(best, 2 * found / both if both else 0.0)
    return min(best / 2, 0.5)


def keep(page: Page, vocabulary: Vocabulary, likely: Sequence[float]) -> tuple[list[bool], tuple[int, int, int]]:
    """Which blocks are content; and the words of all, of those, and of the prose among those."""
    blocks = Blocks(page, vocabulary).all
    limit = best_limit([len(block.words) for block in blocks], likely)
    kept = []
    seen = set()
    for block, each in zip(blocks, likely, strict=True):
        is_copy = len(block.words) >= LEAST_COPIED and block.text in seen
        kept.append(each > limit and not is_copy)
        if kept[-1]:
            seen.add(block.text)
    return kept, counts(page, vocabulary, kept)


def counts(page: Page, vocabulary: Vocabulary, kept: Sequence[bool]) -> tuple[int, int, int]:
    """The words of all blocks, of those that are content, and of the prose among those."""
    found = Features(page, vocabulary, nothing(), (0.0,) * 4)
    content = [block for block, is_kept in zip(found.all, kept, strict=True) if is_kept]
    prose = [
        block for block in content if SENTENCE.search(block.text) and len(block.words) >= 6
        and found.shares[found.all.index(block)] < 0.5
    ]  # fmt: skip
    all_words, of_content, of_prose = (sum(len(block.words) for block in some) for some in (found.all, content, prose))
    return all_words, of_content, of_prose


def nothing() -> Weights:
    """Weights that say nothing."""
    zeros = np.zeros(1 << 15, np.int8)
    return Weights(np.zeros((1 << 15, 5), np.int8), zeros, zeros, (0.0,) * 4, (0.0,) * 4)


def evidence(page: Page, vocabulary: Vocabulary) -> tuple[list[int], list[list[int]], list[list[int]], list[list[int]]]:
    """What the linear part is fitted on: owners, words, words as headings, and the names of each node."""
    blocks = Blocks(page, vocabulary).all
    names = [name_buckets(page, node, vocabulary) if page.tag[node] else [] for node in range(len(page))]
    return (
        [block.owner for block in blocks], [word_buckets(block.words) for block in blocks],
        [head_buckets(block.words) for block in blocks], names,
    )  # fmt: skip
