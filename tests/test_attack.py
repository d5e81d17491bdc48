"""The attack of fuzz/: its cases are the same every time, it finds what it must find, and the library withstands it."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from tests.helpers.paths import EXAMPLES, ROOT

FUZZ = ROOT / "fuzz"
FEW = 40
UNTIMED = "steps.SECONDS, steps.DEADLY_SECONDS = 100, 200"


def attack(folder: Path, *options: str, code: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command on the pages that ship; `code` is run before it, to break something."""
    program = f"import sys; sys.path.insert(0, {str(FUZZ)!r}); import attack, steps\n{code}\nsys.exit(attack.main())"
    given = ["--corpus", str(EXAMPLES), "--fragments", str(folder / "none"), "--folder", str(folder), *options]
    return subprocess.run([sys.executable, "-c", program, *given], capture_output=True, text=True, timeout=600)


@pytest.fixture(scope="module")
def cases() -> ModuleType:
    sys.path.insert(0, str(FUZZ))
    try:
        return importlib.import_module("cases")
    finally:
        sys.path.remove(str(FUZZ))


def test_a_few_cases_are_withstood(tmp_path: Path) -> None:
    done = attack(tmp_path, "--cases", str(FEW), "--workers", "2", code=UNTIMED)
    assert done.stdout.startswith(f"{FEW} cases in "), done.stderr
    assert done.stdout.endswith("\n0 findings\n"), done.stdout
    assert done.returncode == 0
    assert not list(tmp_path.iterdir())


def test_a_case_is_the_same_every_time(cases: ModuleType) -> None:
    def made(seed: int) -> list[Any]:
        sources = cases.Sources(EXAMPLES, EXAMPLES / "none", ["mdr", "signal"])
        return [sources.case(seed, number) for number in range(FEW)]

    assert made(1) == made(1)
    assert not set(made(1)) & set(made(2))
    assert {case.method for case in made(1)} == {"auto", "mdr", "signal"}


def test_fragments_are_read(cases: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / "tree-construction"
    folder.mkdir()
    (folder / "one.dat").write_bytes(b"#data\n<p>One\n<p>\n#errors\n#document\n\n#data\n<b>\n#errors\n")
    sources = cases.Sources(EXAMPLES, tmp_path, ["mdr"])
    assert sources.fragments == [b"<p>One\n<p>", b"<b>"]
    assert set(sources.some_fragments(Random(1), 1000)) <= {b"<p>One\n", b"<p>", b"<p>\n", b"<b>\n", b"<b>"}


@pytest.mark.parametrize(
    ("harm", "finding"),
    [
        ("raise KeyError", "KeyError at "),
        ("os.kill(os.getpid(), 11)", "SIGSEGV at "),
        ("os._exit(3)", "exit 3 at "),
        ("kept.append(b'x' * 300_000_000)", "memory at "),
        ("while True: pass", "time at "),
    ],
)
def test_what_goes_wrong_is_found_and_kept(tmp_path: Path, harm: str, finding: str) -> None:
    code = f"import os; kept = []; steps.clean = lambda page: exec({harm!r})"
    # Only the endless loop is timed: on a busy machine another harm, or a step beside it, can take its time, too.
    timed = "steps.SECONDS, steps.DEADLY_SECONDS = 0.3, 0.6" if finding == "time at " else UNTIMED
    done = attack(tmp_path, "--cases", "2", "--workers", "1", code=f"{code}; {timed}; steps.MEMORY = 300_000_000")
    assert f"FOUND 2 times: {finding}" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 1
    kept = sorted(tmp_path.rglob("what.txt"))
    assert [path.parent.name for path in kept] == ["0", "1"]
    assert all((path.parent / "page.html").exists() for path in kept)
    assert all(path.read_text(encoding="utf-8").splitlines()[1] == "clean" for path in kept if "memory" not in finding)


def test_one_case_alone(tmp_path: Path) -> None:
    done = attack(tmp_path, "--case", "7", code="steps.clean = lambda page: 1 / 0")
    assert "ZeroDivisionError in clean" in done.stdout
    assert "\nslowest steps:\n  case 7, " in done.stdout
    assert done.returncode == 1
