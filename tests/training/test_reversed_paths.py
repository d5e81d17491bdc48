"""The experiment with reversed tag paths: its labels, its measure, and what it keeps apart."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest

pytest.importorskip("sklearn", reason="training needs scikit-learn")

from training.reversed_paths import Labelled, best_by_path, cross_validated, gathered, scores, standing_in

from fastwrap import Page
from training import reversed_paths as experiment

PROSE = "the pan is made of iron and will last for a hundred years or more if it is kept dry".split()


def test_texts_stand_in_the_truth_with_those_around_them() -> None:
    texts = [["the", "pan"], PROSE[2:9], [], PROSE[9:], ["iron", "and"], ["home"]]
    assert standing_in(texts, PROSE) == [True, True, None, True, False, False]
    assert standing_in([["iron"], ["and"]], ["iron", "and"]) == [False, False]
    assert standing_in([], PROSE) == []


def test_what_paths_can_tell_at_best() -> None:
    def bound(paths: list[int], content: list[int]) -> float:
        path = np.array(paths)
        return best_by_path(path, np.array(content, dtype=bool))

    assert bound([0, 0, 1], [1, 1, 0]) == 100
    assert bound([0, 0], [1, 0]) == pytest.approx(200 / 3)
    # The best set has a path with less content than noise: its 1 of 3 costs less than it brings.
    assert bound([0, 1, 1, 1], [1, 1, 0, 0]) == pytest.approx(200 * 2 / (4 + 2))


def test_scores() -> None:
    assert scores(np.array([True, True, False, False]), np.array([True, False, True, False])) == (50, 50, 50)
    assert scores(np.zeros(2, dtype=bool), np.zeros(2, dtype=bool)) == (0, 0, 0)


def labelled(sites: int) -> Iterator[Labelled]:
    """Pages of which the paragraphs are content, each site with a tag of its own."""
    for site in range(sites):
        for _ in range(3):
            page = Page(f"<nav><a>Home</a><a>News</a></nav><x-{site}><p>One<p>Two</x-{site}><h6>Three</h6>")
            names = [page.tag_name(int(page.parent[node])) for node in page.retps()]
            yield Labelled(page, f"site {site}", [None if name == "h6" else name == "p" for name in names])


def test_a_model_learns_what_is_content() -> None:
    texts = gathered(labelled(10))
    assert [len(texts.path), texts.page.max() + 1, texts.site.max() + 1] == [120, 30, 10]
    for groups in (None, texts.page, texts.site):
        assert scores(cross_validated(texts, groups), texts.content) == (100, 100, 100)


def test_sites_are_kept_apart() -> None:
    """What differs from site to site for no reason is learned of these sites alone."""
    texts = gathered(labelled(20))
    at_random = texts._replace(content=texts.content & (np.arange(20) * 7 % 20 < 10)[texts.site])
    seen, unseen = (scores(cross_validated(at_random, groups), at_random.content)[2] for groups in (None, texts.site))
    assert seen == 100
    assert unseen < 70


def test_corpora_are_read(tmp_path: Path) -> None:
    (tmp_path / "wcxb" / "pages").mkdir(parents=True)
    (tmp_path / "fields").mkdir()
    html = f"<nav>Home</nav><p>{' '.join(PROSE)}".encode()
    (tmp_path / "wcxb" / "pages" / "1.html.gz").write_bytes(gzip.compress(html))
    (tmp_path / "fields" / "1.htm").write_bytes(b"<h1>Iron Pan</h1><p>: 12 EUR<p>more")
    truth = {"page": "pages/1.html.gz", "url": "https://www.shop.example/1", "content": " ".join(PROSE)}
    (tmp_path / "wcxb" / "truth.jsonl").write_bytes(msgspec.json.encode(truth))
    fields = {"page": "1.htm", "site": "shop", "records": [[["Iron Pan"], None, ["12 EUR"]]]}
    (tmp_path / "fields" / "swde.jsonl").write_bytes(msgspec.json.encode(fields))
    assert [each[1:] for each in experiment.whole_pages(tmp_path)] == [("shop.example", [False, True])]
    assert [each[1:] for each in experiment.values_of_pages(tmp_path)] == [("shop", [True, True, False])]
