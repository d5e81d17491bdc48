"""The values of recipes, books and teams of the shared corpus: not worse than they were."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

import fastwrap
from fastwrap.tools.evaluate.pairing import tokens
from tests.helpers.paths import CORPUS

FIELDS = CORPUS / "fields"
MOST = 40
ALIKE = 0.85


def words(value: Any) -> Counter[str]:
    return Counter(tokens(" ".join(map(str, value)) if isinstance(value, list) else str(value or "")))


def dice(one: Counter[str], other: Counter[str]) -> float:
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "structured", "least"), [("recipes", True, 0.94), ("recipes", False, 0.91), ("swde", True, 0.93)]
)
def test_values_of_records(name: str, structured: bool, least: float) -> None:
    if not FIELDS.is_dir():
        pytest.skip(f"no pages in {FIELDS}: this test needs the shared corpus")
    right = labelled = 0
    for line in (FIELDS / f"{name}.jsonl").read_text(encoding="utf-8").split("\n"):
        if not line:
            continue
        truth = json.loads(line)
        record = fastwrap.extract(FIELDS / truth["page"], structured=structured).record
        cells = [words(cell) for cell in record.texts[:MOST]] if record is not None else []
        for value in truth["records"][0]:
            if true := words(value):
                labelled += 1
                right += any(dice(cell, true) >= ALIKE for cell in cells)
    assert right >= least * labelled
