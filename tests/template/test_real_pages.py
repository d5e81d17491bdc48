"""Records of real pages about one thing: fields that people have labelled are each in one column of the first forty."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from typing import Any

import pytest

import fastwrap
from tests.helpers.paths import CORPUS

FIELDS = CORPUS / "fields"
LEARNED, MOST = 3, 40
WORD = re.compile(r"\w+")


def words(value: Any) -> Counter[str]:
    """The words of a value, those of lists one after the other."""
    if isinstance(value, list):
        return sum(map(words, value), Counter())
    return Counter(WORD.findall(str(value).lower())) if value is not None else Counter()


def is_right(found: Any, true: Any) -> bool:
    """Whether two values have the same words, but for a few (Dice)."""
    one, other = words(found), words(true)
    return 2 * (one & other).total() >= 0.85 * (one.total() + other.total()) > 0


def value_f1(pages: list[dict[str, Any]], draw: int) -> float:
    """F1 of the values of all fields, on the pages that were not learned from."""
    pages = list(pages)
    random.Random(draw).shuffle(pages)
    sources = [(FIELDS / page["page"]).read_bytes() for page in pages]
    wrapper = fastwrap.learn(sources[:LEARNED])
    rows = []
    for source in sources[LEARNED:]:
        record = wrapper.extract(source).record
        assert record is not None
        rows.append(record.texts[:MOST])
    true = [page["records"][0] for page in pages[LEARNED:]]
    hits = Counter(
        (column, field)
        for row, values in zip(rows, true, strict=True)
        for column, cell in enumerate(row)
        for field, value in enumerate(values)
        if is_right(cell, value)
    )
    chosen: dict[int, int] = {}
    for (column, field), _ in hits.most_common():
        if field not in chosen and column not in chosen.values():
            chosen[field] = column
    right = sum(hits[column, field] for field, column in chosen.items())
    given = sum(bool(words(row[column])) for row in rows for column in chosen.values())
    labelled = sum(bool(words(value)) for values in true for value in values)
    return 2 * right / (given + labelled)


@pytest.mark.corpus
@pytest.mark.parametrize(("name", "least"), [("swde", 0.97), ("exalg", 0.95)])
def test_labelled_fields_are_columns(name: str, least: float) -> None:
    if not (FIELDS / f"{name}.jsonl").exists():
        pytest.skip(f"no labelled pages below {FIELDS}")
    lines = (FIELDS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    sites: dict[str, list[dict[str, Any]]] = {}
    for entry in map(json.loads, lines):
        if entry["kind"] == "detail":
            sites.setdefault(entry["site"], []).append(entry)
    found = [value_f1(pages, draw) for pages in sites.values() for draw in range(3)]
    assert sum(found) / len(found) >= least
