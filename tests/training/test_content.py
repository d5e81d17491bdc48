"""The script that fits the shipped model: its groups of features, folds of sites, and what it prints and writes."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest

pytest.importorskip("sklearn", reason="training needs scikit-learn")
pytest.importorskip("lightgbm", reason="training needs LightGBM")
pytest.importorskip("numba", reason="training needs numba")

from fastwrap import FastwrapError, Model, content
from fastwrap.noise.features import NAMES
from fastwrap.noise.model import ModelFile
from tests.helpers.articles import article, articles
from training import content as script

REFEREE = """
def measure(text, truth):
    one, other = set(text.split()), set(truth.split())
    return len(one & other) / max(1, len(one)), len(one & other) / len(other), float(one == other)

def half_of(page):
    return int(page["url"].split("site")[1].split(".")[0]) % 2
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus with its measure, as the shared one has it."""
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "score_content.py").write_text(REFEREE)
    folder = tmp_path / "corpus" / "made"
    folder.mkdir(parents=True)
    lines = [
        json.dumps({"html": page.html, "content": page.content, "url": page.url, "type": f"type {number % 2}"})
        for number, page in enumerate(articles(sites=10, each=3))
    ]
    (folder / "truth.jsonl").write_text("\n".join(lines))
    return folder


def test_groups_of_features() -> None:
    in_a_group = {NAMES[number] for numbers in script.GROUPS.values() for number in numbers}
    assert all(script.GROUPS.values())
    assert {"words", "owner", "in_nav", "hidden", "copies"} <= set(NAMES) - in_a_group  # the text of a block itself
    assert not [name for name in NAMES if "score" in name and name not in in_a_group]
    assert [NAMES[k] for k in script.GROUPS["heading"]][:2] == ["score_heading_words", "previous_score_heading_words"]


def test_the_model_is_written(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = tmp_path / "own.model"
    script.main([str(corpus), "-o", str(made), "--limit", "24"])
    assert capsys.readouterr().out.endswith("from 24 pages of 8 sites\n")
    assert Model.load(made).about.endswith("24 pages of 8 sites")
    page = article(30, 0)
    assert content(page.html, page.url, model=made).text.replace("\n\n", "\n") == page.content


def test_halves_and_what_each_group_gains(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script.main([str(corpus), "--without", "names", "--without", "words"])
    tables = [table.split("\n") for table in capsys.readouterr().out.strip().split("\n\n")]
    titles = ["fitted on half 0, measured on the other", "without names", "without words"]
    assert [table[0] for table in tables] == titles
    assert [row.split()[0] for row in tables[0][1:]] == ["pages", "all", "type", "type"]
    assert tables[0][2].split()[1] == "15"
    assert float(tables[0][2].split()[-1]) > 0.9


def test_without_a_group_no_tree_asks_for_it(corpus: Path) -> None:
    pages = list(script.known_pages(corpus, None, lambda _: 0))
    learned = script.learned(pages)
    for name in ("names", "position"):
        file = msgspec.msgpack.decode(learned.model("", script.GROUPS[name]).dumps(), type=ModelFile)
        asked = set(np.frombuffer(file.features, "<i2").tolist())
        assert len(asked) > 1
        assert not asked & set(script.GROUPS[name])


def test_folds_measure_every_page_once(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script.main([str(corpus), "--folds", "--limit", "12"])
    captured = capsys.readouterr()
    assert captured.out.split("\n")[2].split()[:2] == ["all", "12"]
    assert captured.err.splitlines() == [f"fold {k} of 5" for k in range(1, 5)]


def test_a_measure_that_is_not_there(corpus: Path) -> None:
    (corpus.parent.parent / "tools" / "score_content.py").unlink()
    with pytest.raises(FastwrapError, match="is not there"):
        script.main([str(corpus), "--half", "0"])
