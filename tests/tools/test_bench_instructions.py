"""The counts of instructions: how callgrind's files are read, and when a count has grown. Valgrind is not run."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from fastwrap.tools.bench.stages import TASKS
from tests.helpers.paths import ROOT

FOLDER = ROOT / "benchmarks" / "instructions"


@pytest.fixture(scope="module")
def count() -> ModuleType:
    spec = importlib.util.spec_from_file_location("count", FOLDER / "count.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_dumps_are_read_by_name(count: ModuleType, tmp_path: Path) -> None:
    for number, (name, instructions) in enumerate({"texts|a-1": 12, "texts|b-2": 34, "Page|a-1": 5}.items(), start=1):
        (tmp_path / f"out.{number}").write_text(
            f"version: 1\ndesc: Trigger: Client Request: {name}\nevents: Ir\nfn=(1) main\n1 7\n\n"
            f"totals: {instructions}\n"
        )
    (tmp_path / "out.4").write_text("version: 1\ndesc: Trigger: Program termination\nevents: Ir\n\ntotals: 999\n")
    assert dict(count.collect(tmp_path)) == {"texts": {"a-1": 12, "b-2": 34}, "Page": {"a-1": 5}}


@pytest.mark.parametrize(("now", "grew"), [(90, False), (100, False), (105, False), (106, True)])
def test_more_than_five_percent_is_too_much(count: ModuleType, now: int, grew: bool) -> None:
    old, new = {"parse": {"a": 50}, "texts": {"a": 100}}, {"parse": {"a": 50}, "texts": {"a": now, "b": 10**9}}
    new["parse"]["b"] = 1
    assert count.grown(old, new) is grew
    lines = list(count.table(old, new))
    assert [("grew by more than 5 %" in line) for line in lines] == [False, False, False, grew, False]
    assert f"{now / 100:.3f}" in lines[3]
    assert "new" in lines[4]


def test_all_tasks_and_pages_are_kept(count: ModuleType) -> None:
    kept = json.loads((FOLDER / "counts.json").read_text(encoding="utf-8"))
    assert set(kept["counts"]) == set(TASKS)
    pages = {f"{kind}-{nodes}" for kind, nodes in count.PAGES.items()}
    assert all(set(counts) == pages for counts in kept["counts"].values())
    assert all(instructions > 100_000 for counts in kept["counts"].values() for instructions in counts.values())
    assert set(kept["versions"]) == {"python", "selectolax", "numpy", "compiler", "libc", "valgrind", "machine"}
