"""Training: alignment against a twin, what a small model learns, sites kept apart, trees as they were fitted."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("sklearn", reason="training needs scikit-learn")
pytest.importorskip("lightgbm", reason="training needs LightGBM")
pytest.importorskip("numba", reason="training needs numba")

from fastwrap import FastwrapError, Model, Page, content
from fastwrap._core.noise import labelling
from fastwrap.noise.features import NAMES
from fastwrap.noise.model import Floats, Weights
from fastwrap.tools import training
from fastwrap.tools.aligning import aligned
from fastwrap.tools.training import Example, Tokens, blank, boosted, example, flat, held_out, tokens, train
from tests.helpers.articles import article, articles

# Alignment


def best(text: list[int], truth: list[int], marked: list[int] | None = None) -> float:
    """The best score of an alignment, each run of n words having n - 1; of those that align just the marked words."""

    @cache
    def score(i: int, j: int, within: bool) -> float:
        if i == len(text) or j == len(truth):
            return 0 if marked is None or not any(marked[i:]) else -np.inf
        found = [score(i, j + 1, False)]
        if marked is None or not marked[i]:
            found.append(score(i + 1, j, False))
        if text[i] == truth[j] and (marked is None or marked[i]):
            found.append(within + score(i + 1, j + 1, True))
        return max(found)

    return score(0, 0, False)


words = st.lists(st.integers(0, 3), max_size=9)


@given(words, words)
def test_no_alignment_has_longer_runs(text: list[int], truth: list[int]) -> None:
    marks = aligned(text, truth).tolist()
    assert len(marks) == len(text)
    assert best(text, truth, marks) == best(text, truth)


@given(words, words, words)
def test_a_copy_is_found_as_a_whole(before: list[int], truth: list[int], after: list[int]) -> None:
    """Words of their own around it change nothing."""
    text = [9] * len(before) + truth + [9] * len(after)
    expected = [0] * len(before) + [1] * len(truth) + [0] * len(after)
    assert aligned(text, truth).tolist() == expected


def test_of_two_places_the_longer_run_is_taken() -> None:
    assert aligned([1, 2, 9, 1, 2, 3], [1, 2, 3]).tolist() == [0, 0, 0, 1, 1, 1]
    assert aligned([], [1]).tolist() == aligned([], []).tolist() == []
    assert aligned([1], []).tolist() == [0]


# Examples


def test_examples() -> None:
    page = article(0, 0)
    made = example(Page(page.html), page.content, "a")
    assert made.shown
    assert made.weight.sum() == pytest.approx(1)
    starts, ends = labelling.features(made.page.native, training.untrained(), (0.0,) * 4)[:2]
    texts = [made.page.span_text(*span) for span in zip(starts.tolist(), ends.tolist(), strict=True)]
    assert [text for text, share in zip(texts, made.content, strict=True) if share == 1] == page.content.split("\n")
    assert made.content[0] == made.content[-1] == 0


def test_pages_that_do_not_show_their_content_teach_nothing() -> None:
    made = example(Page("<p>Home<p>News"), "A text that scripts would have loaded.", "a")
    assert (made.shown, made.weight.tolist()) == (False, [0, 0])
    assert not example(Page("<p>Home"), "", "a").shown
    assert not example(Page(""), "Tea", "a").shown
    with pytest.raises(FastwrapError, match="no page shows the content"):
        train([made], "")
    for text in ("Home News", "Home"):
        only = example(Page(f"<p>{text}"), text, "a")
        with pytest.raises(FastwrapError, match="all is content, or all is noise"):
            train([only], "")


def test_pages_that_are_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("<div><p>one two three")
    monkeypatch.setattr(training, "MOST_CELLS", 8)
    with pytest.raises(FastwrapError, match="3 words with 3 words of content is too long"):
        example(page, "one two three", "a")
    monkeypatch.undo()
    monkeypatch.setattr(training, "MOST_ABOVE", 3)
    with pytest.raises(FastwrapError, match="1 blocks, which nest"):
        example(page, "one two three", "a")


# Models


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    return [
        example(Page(page.html, page.url), page.content, page.url.split("/")[2]) for page in articles(sites=10, each=3)
    ]


@pytest.fixture(scope="module")
def model(examples: list[Example]) -> Model:
    return train(examples, "made up", rounds=40)


def test_what_a_model_learns_holds_on_other_sites(model: Model, tmp_path: Path) -> None:
    model.save(tmp_path / "own.model")
    loaded = Model.load(tmp_path / "own.model")
    assert (loaded.about, loaded.dumps()) == ("made up", model.dumps())
    for site in range(20, 25):
        page = article(site, 0)
        for given_model in (model, loaded, tmp_path / "own.model", str(tmp_path / "own.model")):
            found = content(page.html, page.url, model=given_model)
            assert found.text.replace("\n\n", "\n") == page.content
        noise = " ".join(text.text for text in found.labelled() if text.label == "noise")
        assert noise.startswith(page.menu)
        assert noise.endswith(f"All rights reserved {site}")


def test_content_by_a_model_can_be_pickled(model: Model) -> None:
    page = article(20, 1)
    found = content(page.html, model=model)
    copy = pickle.loads(pickle.dumps(found))  # noqa: S301
    assert copy.text == found.text == content(page.html, model=pickle.loads(pickle.dumps(model))).text  # noqa: S301
    with pytest.raises(TypeError, match="not int"):
        content(page.html, model=5)  # type: ignore[call-overload]


def test_training_is_the_same_each_time(examples: list[Example], model: Model) -> None:
    assert train(examples, "made up", rounds=40).dumps() == model.dumps()


def test_groups_are_kept_apart(examples: list[Example]) -> None:
    """Weights are asked for the features of no page of a group that they were fitted on."""
    of = [tokens(each.page) for each in examples]
    fitted: list[set[str]] = []
    asked: list[tuple[str, set[str]]] = []

    def fit(part: Any, _: Any) -> Weights:
        fitted.append({each.group for each in part})
        return blank()

    def features(part: Any, _: Weights) -> list[Floats]:
        asked.extend((each.group, fitted[-1]) for each in part)
        return [np.full((1, 1), id(each.page), np.float64) for each in part]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "features", features)
        found = held_out(examples, of, fit)
    assert [float(rows[0, 0]) for rows in found] == [float(id(each.page)) for each in examples]
    assert sorted(group for group, _ in asked) == sorted(each.group for each in examples)
    assert all(group not in known for group, known in asked)
    assert 2 <= len(fitted) <= training.FOLDS


def test_one_group_alone_has_no_weights_of_others(examples: list[Example]) -> None:
    def fit(part: Sequence[Example], of: Sequence[Tokens]) -> Weights:
        raise AssertionError("there is nothing to fit on")

    one = [each for each in examples if each.group == examples[0].group]
    found = held_out(one, [tokens(each.page) for each in one], fit)
    expected = training.features(one, blank())
    assert all(np.array_equal(rows, other) for rows, other in zip(found, expected, strict=True))


def test_features_of_the_linear_part_are_its_scores(examples: list[Example]) -> None:
    """The kernel and the sparse matrices that weights are fitted on count the same names and words."""
    of = [tokens(each.page) for each in examples]
    weights = training.fit_weights(examples, of)
    near = weights.names[:, 1:].T.reshape(-1)
    tables = (weights.names[:, 0], near, weights.words, weights.heads)
    for rows, parts in zip(training.features(examples, weights), of, strict=True):
        for k, (part, table) in enumerate(zip(parts, tables, strict=True)):
            expected = weights.scales[k] * (part @ table.astype(np.float64)) + weights.intercepts[k]
            assert rows[:, NAMES.index("score_above") + k] == pytest.approx(expected, rel=1e-4, abs=1e-4)


def test_flat_trees_say_what_lightgbm_says() -> None:
    random = np.random.default_rng(5)
    rows = random.normal(size=(900, 6)).astype(np.float32)
    content_of = (rows[:, 0] + rows[:, 1] * rows[:, 2] > 0).astype(np.float32)
    made = boosted(rows, content_of, np.ones(900, np.float32), 30)
    trees = flat(made.dump_model()["tree_info"])
    assert len(trees.roots) == 31

    def odds(row: Floats) -> float:
        total = trees.base
        for root in trees.roots[:-1].tolist():
            node = root
            while trees.features[node] >= 0:
                is_right = row[trees.features[node]] > trees.thresholds[node]
                node = root + int(trees.lefts[node]) + int(is_right)
            total += float(trees.thresholds[node])
        return total

    assert [odds(row) for row in rows] == pytest.approx(made.predict(rows, raw_score=True).tolist(), abs=1e-5)


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, examples: list[Example]) -> None:
    monkeypatch.setattr(training, "NEEDED", {"no_such_module": "lightgbm", "json": "json"})
    with pytest.raises(FastwrapError, match=r"^training needs lightgbm: pip install 'fastwrap\[train\]'$"):
        train(examples, "")
