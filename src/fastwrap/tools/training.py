"""Training: fits a model that tells content from noise to pages whose content is known (`fastwrap train`).
Needs `fastwrap[train]`: scikit-learn for the linear part, LightGBM for the trees. Applying a model needs neither."""

from __future__ import annotations

import hashlib
import importlib.util
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from fastwrap._core.noise import labelling
from fastwrap._core.noise.labelling import Classifier
from fastwrap.errors import FastwrapError
from fastwrap.noise.labelling import address_of
from fastwrap.noise.model import NAME_KINDS, Bytes, Floats, Model, Trees, Weights
from fastwrap.noise.vocabulary import BUCKETS, vocabulary
from fastwrap.page import Page
from fastwrap.page.names import TAG_NUMBER
from fastwrap.tools.aligning import aligned
from fastwrap.tools.labelled import WORD

MOST_CELLS = 400_000_000
"""Words of a page times words of its content that are aligned: a byte for each."""
MOST_ABOVE = 4_000_000
"""Elements above the blocks of a page, all together: the names of each are listed for each block."""
LEAST_FOUND = 0.6
"""Share of the words of the content that a page must show; pages that show less teach nothing."""
FOLDS = 5
STRENGTH = 0.02
"""The inverse of the regularisation of the linear part (`C` of scikit-learn)."""
TREES = {
    "objective": "cross_entropy", "learning_rate": 0.08, "num_leaves": 31, "max_depth": 6, "min_data_in_leaf": 200,
    "feature_fraction": 0.4, "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 5.0, "max_bin": 127,
    "verbose": -1, "seed": 1, "deterministic": True, "force_row_wise": True,
}  # fmt: skip
"""The options of LightGBM."""
FEW_ROWS = 20_000
"""Up to here one thread does it: several would wait for each other longer than they work."""
ROUNDS = 150
MOST_INSIDE = 16
"""As the kernel has it: inline elements around a whole block that are read."""
HEADINGS = range(TAG_NUMBER["h1"], TAG_NUMBER["h6"] + 1)
NEEDED = {"sklearn": "scikit-learn", "lightgbm": "lightgbm", "numba": "numba"}
"""Modules, and what installs them."""

Matrix = Any
"""A sparse matrix of scipy."""
Four = tuple[float, float, float, float]


class Example(NamedTuple):
    """A page, and how much of each of its blocks is content."""

    page: Page
    group: str
    """Pages of one group are never in different parts of a split: the host, or any name."""
    content: Floats
    """[blocks] From 0 to 1."""
    weight: Floats
    """[blocks] How much each counts: those of one page make 1 together, or 0 if it teaches nothing."""
    shown: bool
    """Whether the page shows its content at all."""


class Tokens(NamedTuple):
    """Where a model has the weights of what the blocks of an example are made of; a row for each block."""

    above: Matrix
    near: Matrix
    words: Matrix
    heads: Matrix


def need_libraries() -> None:
    """Raise FastwrapError if what training needs is not installed."""
    if absent := [name for module, name in NEEDED.items() if importlib.util.find_spec(module) is None]:
        raise FastwrapError(f"training needs {', '.join(absent)}: pip install 'fastwrap[train]'")


def example(page: Page, content: str, group: str) -> Example:
    """A page, with the blocks that its content stands in. FastwrapError for a page that is too long to learn from.

    >>> page = Page("<p>Home<p>A dome of stone keeps the rain out.<p>Imprint")
    >>> example(page, "A dome of stone keeps the rain out.", "a.example").content.tolist()
    [0.0, 1.0, 0.0]
    """
    starts, ends, _ = labelling.features(page.native, untrained(), address_of(page.url))
    blocks = [WORD.findall(page.span_text(*span).lower()) for span in zip(starts.tolist(), ends.tolist(), strict=True)]
    truth = WORD.findall(content.lower())
    numbers: dict[str, int] = {}
    text = [numbers.setdefault(word, len(numbers)) for block in blocks for word in block]
    if len(text) * len(truth) > MOST_CELLS:
        raise FastwrapError(
            f"a page of {len(text):,} words with {len(truth):,} words of content is too long to learn from"
        )
    if int(page.depth[starts].sum(dtype=np.int64)) > MOST_ABOVE:
        raise FastwrapError(f"a page of {len(blocks):,} blocks, which nest as deep as these, is too long to learn from")
    marks = aligned(text, [numbers.setdefault(word, len(numbers)) for word in truth])
    lengths = np.array([len(block) for block in blocks], np.int64)
    sums = np.append(0, np.cumsum(marks, dtype=np.int64))
    ends_of = np.cumsum(lengths)
    counts = np.maximum(lengths, 1).astype(np.float32)
    found = (sums[ends_of] - sums[ends_of - lengths]).astype(np.float32)
    # Less than in proportion to its words: a page of one long text has short lines to get right as well.
    weight = counts ** np.float32(0.75)
    shown = bool(truth) and int(sums[-1]) >= LEAST_FOUND * len(truth)
    weight = weight / weight.sum() if shown and len(weight) else weight * 0
    return Example(page, group, found / counts, weight.astype(np.float32), shown)


def untrained() -> Classifier:
    """A classifier without weights, for what does not depend on them."""
    return classifier_of(blank())


def blank() -> Weights:
    """Weights that say nothing."""
    zeros = np.zeros(BUCKETS, np.int8)
    nothing = (0.0, 0.0, 0.0, 0.0)
    return Weights(np.zeros((BUCKETS, NAME_KINDS), np.int8), zeros, zeros, nothing, nothing)


def classifier_of(weights: Weights) -> Classifier:
    """A classifier of the linear part alone."""
    nothing = np.zeros(0, np.int16)
    trees = Trees(np.zeros(1, np.int32), nothing, np.zeros(0, np.float32), nothing, 0.0)
    return Classifier(vocabulary(), weights, trees)


def _rows(rows: list[list[int]], width: int) -> Matrix:
    """Lists of columns as a sparse matrix that counts them."""
    from scipy import sparse

    starts = np.append(0, np.cumsum([len(row) for row in rows]))
    columns = np.array([column for row in rows for column in row], dtype=np.int32)
    matrix = sparse.csr_matrix((np.ones(len(columns), np.float32), columns, starts), shape=(len(rows), width))
    matrix.sum_duplicates()
    return matrix


def tokens(page: Page) -> Tokens:
    """What the linear part knows of the blocks of a page.

    >>> found = tokens(Page("<main class=text><h1>Tea</h1><p>It is green"))
    >>> found.above.shape[0], found.above.sum(axis=1).tolist(), found.near[:, :BUCKETS].nnz
    (2, [[4.0], [4.0]], 0)
    """
    starts, ends, owners, words, heads, names = labelling.evidence(page.native, untrained())
    parent, size, tag = page.parent.tolist(), page.size.tolist(), page.tag.tolist()
    body, heading = page.body, -1
    above_of: dict[int, list[int]] = {}
    above: list[list[int]] = []
    near: list[list[int]] = []
    before: list[list[int]] = []
    for block, (start, end, owner) in enumerate(zip(starts.tolist(), ends.tolist(), owners, strict=True)):
        way = []
        node = owner
        while node >= body and node not in above_of:
            way.append(node)
            node = parent[node]
        for node in reversed(way):
            above_of[node] = above_of.get(parent[node], []) + names[node]
        above.append(above_of[owner])
        own: list[int] = []
        node = parent[start]
        for _ in range(MOST_INSIDE):
            if node == owner:
                break
            if node + size[node] >= end:
                own += names[node]
            node = parent[node]
        node = owner
        for kind in range(1, 4):
            if node < body:
                break
            own += [kind * BUCKETS + bucket for bucket in names[node]]
            node = parent[node]
        near.append(own)
        before.append(heads[heading] if heading >= 0 else [])
        node = owner
        for _ in range(3):
            if node < 0:
                break
            if tag[node] in HEADINGS:
                heading = block
                break
            node = parent[node]
    return Tokens(_rows(above, BUCKETS), _rows(near, 4 * BUCKETS), _rows(words, BUCKETS), _rows(before, BUCKETS))


def _linear(matrix: Matrix, content: Floats, weight: Floats) -> tuple[Floats, float]:
    """Weights of a logistic regression, and the intercept; zeros where all is content, or all noise."""
    from scipy import sparse
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    both = sparse.vstack([matrix, matrix]).tocsr()
    weights = np.concatenate([weight * content, weight * (1 - content)])
    label = np.repeat([1, 0], len(content))
    counts = weights > 1e-9
    if len(np.unique(label[counts])) < 2:
        return np.zeros(matrix.shape[1], np.float32), 0.0
    scale = len(content) / float(weights.sum())
    fit = LogisticRegression(C=STRENGTH, max_iter=60, tol=1e-3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # nearly there is enough: the trees weigh it again
        fit.fit(both[counts], label[counts], sample_weight=weights[counts] * scale)
    return fit.coef_[0].astype(np.float32), float(fit.intercept_[0])


def in_eight_bits(weights: Floats) -> tuple[Bytes, float]:
    """Weights as multiples of a scale.

    >>> in_eight_bits(np.array([0.5, -1.0], np.float32))[0].tolist()
    [64, -127]
    """
    scale = float(np.abs(weights).max(initial=0)) / 127 or 1.0
    return np.round(weights / scale).astype(np.int8), scale


def fit_weights(examples: Sequence[Example], of: Sequence[Tokens]) -> Weights:
    """The linear part of a model: four logistic regressions."""
    from scipy import sparse

    content = np.concatenate([each.content for each in examples])
    weight = np.concatenate([each.weight for each in examples])
    fits = [_linear(sparse.vstack(part).tocsr(), content, weight) for part in zip(*of, strict=True)]
    (above, near, words, heads), scales = zip(*(in_eight_bits(weights) for weights, _ in fits), strict=True)
    names = np.ascontiguousarray(np.column_stack([above, *near.reshape(NAME_KINDS - 1, BUCKETS)]))
    return Weights(names, words, heads, cast(Four, scales), cast(Four, tuple(intercept for _, intercept in fits)))


def features(examples: Iterable[Example], weights: Weights) -> list[Floats]:
    """The features of the blocks of each example."""
    classifier = classifier_of(weights)
    return [labelling.features(each.page.native, classifier, address_of(each.page.url))[2] for each in examples]


def mixed(groups: Iterable[str]) -> list[str]:
    """The different groups in an order that has nothing to do with what they are called, and is always the same.

    >>> mixed(["a.example", "b.example", "a.example", "c.example"])
    ['c.example', 'a.example', 'b.example']
    """
    return sorted(set(groups), key=lambda group: hashlib.sha256(group.encode("utf-8", "surrogatepass")).digest())


def held_out(
    examples: Sequence[Example],
    of: Sequence[Tokens],
    fit: Callable[[Sequence[Example], Sequence[Tokens]], Weights] = fit_weights,
) -> list[Floats]:
    """The features of each example by weights that were fitted without its group, as later pages will have them."""
    found: dict[int, Floats] = {}
    part_of = {group: number % FOLDS for number, group in enumerate(mixed(each.group for each in examples))}
    parts = np.array([part_of[each.group] for each in examples])
    for part in sorted(set(parts.tolist())):
        others = np.flatnonzero(parts != part).tolist()
        weights = fit([examples[k] for k in others], [of[k] for k in others]) if others else blank()
        own = np.flatnonzero(parts == part).tolist()
        found |= dict(zip(own, features([examples[k] for k in own], weights), strict=True))
    return [found[k] for k in range(len(examples))]


def fit_trees(rows: Floats, content: Floats, weight: Floats, rounds: int = ROUNDS) -> Trees:
    """The trees of a model, by gradient boosting (Friedman 2001)."""
    return flat(boosted(rows, content, weight, rounds).dump_model()["tree_info"])


def boosted(rows: Floats, content: Floats, weight: Floats, rounds: int) -> Any:
    """The trees as LightGBM has them."""
    import lightgbm

    data = lightgbm.Dataset(rows, label=content, weight=weight * len(weight) / max(float(weight.sum()), 1e-9))
    least = min(cast(int, TREES["min_data_in_leaf"]), max(1, len(rows) // 20))
    threads = {"num_threads": 1} if len(rows) <= FEW_ROWS else {}
    return lightgbm.train({**TREES, **threads, "min_data_in_leaf": least}, data, rounds)


def flat(infos: list[dict[str, Any]]) -> Trees:
    """The trees of LightGBM as arrays: both children of a node beside each other, behind it."""
    roots: list[int] = [0]
    features_of: list[int] = []
    thresholds: list[float] = []
    lefts: list[int] = []
    for info in infos:
        nodes = [info["tree_structure"]]
        for node in nodes:
            if "left_child" in node:
                features_of.append(node["split_feature"])
                # Rounded down, so that the same numbers of 32 bits go to the left.
                threshold = np.float32(node["threshold"])
                is_above = float(threshold) > node["threshold"]
                thresholds.append(float(np.nextafter(threshold, np.float32(-np.inf)) if is_above else threshold))
                lefts.append(len(nodes))
                nodes += [node["left_child"], node["right_child"]]
            else:
                features_of.append(-1)
                thresholds.append(float(node["leaf_value"]))
                lefts.append(0)
        roots.append(roots[-1] + len(nodes))
    return Trees(
        np.array(roots, np.int32),
        np.array(features_of, np.int16),
        np.array(thresholds, np.float32),
        np.array(lefts, np.int16),
        0.0,
    )


def train(examples: Sequence[Example], about: str, rounds: int = ROUNDS) -> Model:
    """A model of pages whose content is known."""
    need_libraries()
    known = [each for each in examples if each.shown]
    if not known:
        raise FastwrapError("there is nothing to learn: no page shows the content that is given for it")
    content = np.concatenate([each.content for each in known])
    weight = np.concatenate([each.weight for each in known])
    if not content.min() < 0.5 < content.max():
        raise FastwrapError("there is nothing to learn: all is content, or all is noise")
    of = [tokens(each.page) for each in known]
    rows = np.concatenate(held_out(known, of))
    return Model(fit_weights(known, of), fit_trees(rows, content, weight, rounds), about)
