"""What a newcomer sees first: the README's table is what the command prints, and the demo does the main job."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

import fastwrap
from tests.helpers.paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_table_is_what_the_command_prints() -> None:
    """`make readme-table` makes it anew."""
    found = re.search(
        r"^<!-- fastwrap extract .*?-->\n```text\n(.*?)```\n<!-- end -->", README, re.MULTILINE | re.DOTALL
    )
    assert found is not None
    shown = found[1].splitlines()
    done = subprocess.run(
        [sys.executable, "-m", "fastwrap.cli", "extract", "examples/shop.html", "-f", "table", "-q"],
        cwd=ROOT, env={**os.environ, "COLUMNS": "80"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    lines = [line.rstrip() for line in done.stdout.splitlines() if line.strip()]
    assert shown == [*lines[:8], lines[-1]]
    assert max(map(len, shown)) <= 80


def test_how_to_install_names_extras_that_there_are() -> None:
    configuration = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    named = {extra for extras in re.findall(r"(?:fastwrap|\.)\[([\w,]+)\]", README) for extra in extras.split(",")}
    assert {"cli", "fetch", "all"} <= named
    assert all(re.search(rf"^{extra} = \[", configuration, re.MULTILINE) for extra in named)


def test_the_demo_does_the_main_job(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "examples/demo.py", str(tmp_path / "out")],
        cwd=ROOT, env={**os.environ, "COLUMNS": "80"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    shown = done.stdout
    steps = [shown.index(step) for step in ("1. Extract", "2. The same in Python", "3. Learn", "4. The picture")]
    assert steps == sorted(steps)
    assert "Enamel Milk Pan, 14 cm" in shown[steps[0] : steps[1]]
    assert "24 records, fit 1.00" in shown[steps[2] : steps[3]]
    assert "Copper Milk Pan" in shown[steps[2] : steps[3]]
    assert str(tmp_path / "out" / "shop.view.html") in shown[steps[3] :]
    with (tmp_path / "out" / "shop.csv").open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 24
    assert fastwrap.Wrapper.load(tmp_path / "out" / "shop.json").patterns
    assert "data-record" in (tmp_path / "out" / "shop.view.html").read_text(encoding="utf-8")
