"""Real pages whose lists stand only in a script: the table is there, first and sure enough."""

from __future__ import annotations

import json

import pytest

from fastwrap import extract
from fastwrap.columns.given import flattened
from fastwrap.extraction import DataRegion
from tests.helpers.paths import CORPUS

STATE = CORPUS / "fields" / "state.jsonl"


@pytest.mark.corpus
@pytest.mark.skipif(not STATE.exists(), reason="there is no corpus")
def test_lists_that_stand_only_in_a_script() -> None:
    for line in STATE.read_text(encoding="utf-8").splitlines():
        truth = json.loads(line)
        found = extract((STATE.parent / truth["page"]).read_bytes())
        region = found.regions[0]
        assert isinstance(region, DataRegion)
        assert found.confidence >= 0.5
        assert len(region) == len(truth["records"])
        right = there = 0
        for record, values in zip(region.records, truth["records"], strict=True):
            cells = {text for text in flattened(record.texts) if text}
            there += sum(value is not None for value in values)
            right += sum(str(value) in cells for value in values if value is not None)
        assert right >= 0.85 * there
