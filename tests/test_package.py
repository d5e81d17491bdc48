"""The package itself: its public face, its flags, its version and its command line."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import fastwrap
from fastwrap._core.common import build_info
from fastwrap.cli import VERBS, main
from tests.helpers.paths import ROOT


def test_public_names_are_there() -> None:
    modules = {
        "arrow",
        "batch",
        "client",
        "fetching",
        "grammar",
        "kernels",
        "limits",
        "output",
        "show",
        "similarity",
        "structured",
        "types",
    }
    assert {*fastwrap.__all__, *modules} == set(dir(fastwrap))
    for name in dir(fastwrap):
        assert getattr(fastwrap, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        fastwrap.nothing  # noqa: B018


def test_public_modules_are_there_after_the_import() -> None:
    for name in ("kernels.tree_matching", "output.write", "similarity.tag_edits", "types.Money", "limits.LIMITS"):
        code = f"import fastwrap; assert fastwrap.{name}"
        assert subprocess.run([sys.executable, "-c", code], check=True).returncode == 0


@pytest.mark.parametrize("name", [name for name in fastwrap.__all__ if name != "__version__"])
def test_no_module_bears_the_name_of_something_public(name: str) -> None:
    """Whatever has been imported, in whatever order, `fastwrap.fetch` is the function."""
    package = Path(fastwrap.__file__).parent
    assert not (package / name).exists()
    assert not (package / f"{name}.py").exists()


def test_compiled_as_meant() -> None:
    assert build_info.PORTABLE
    assert build_info.OPTIMISED
    assert build_info.COMPILER


def test_import_is_light() -> None:
    code = "import sys, fastwrap; print([m for m in ('numpy', 'numba', 'selectolax') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_no_source_names_a_corpus() -> None:
    for path in (ROOT / "src").rglob("*.py*"):
        if path.suffix in (".py", ".pyx", ".pyi", ".pxd"):
            text = path.read_text(encoding="utf-8").lower()
            assert not [name for name in ("tb" + "dw", "zhao" + "1", "tp" + "sf") if name in text], path


def test_the_package_has_its_files() -> None:
    """What is no module must be listed in pyproject.toml, and in MANIFEST.in for the sdist."""
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    package = ROOT / "src" / "fastwrap"
    patterns = configuration["tool"]["setuptools"]["package-data"]["fastwrap"]
    listed = {path for pattern in patterns for path in package.glob(pattern)}
    made = {".py", ".so", ".pyc", ".pyd", ".c", ".nbi", ".nbc"}  # the last two are numba's cache
    others = {path for path in package.rglob("*") if path.is_file() and path.suffix not in made}
    assert others == listed
    manifest = (ROOT / "MANIFEST.in").read_text(encoding="utf-8")
    [included] = re.findall(r"^recursive-include src/fastwrap (.+)$", manifest, re.MULTILINE)
    assert not [path for path in others if not {path.name, f"*{path.suffix}"} & set(included.split())]


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--version"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out == f"fastwrap {fastwrap.__version__}\n"
    assert f"## {fastwrap.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_package_runs_as_a_command() -> None:
    done = subprocess.run([sys.executable, "-m", "fastwrap", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"fastwrap {fastwrap.__version__}\n"


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_every_verb(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([verb, "--help"])
    assert stopped.value.code == 0
    assert f"usage: fastwrap {verb}" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["nothing"], ["bench", "--nothing"]])
def test_bad_use_is_exit_code_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert "usage: fastwrap" in capsys.readouterr().err


def test_bench_on_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.html").write_bytes(b"<ul><li>one<li>two</ul>")
    (tmp_path / "b.htm").write_bytes(b"<p>x")
    (tmp_path / "growing.html").write_bytes(b"&nGt;" * 300_000)  # would end the process in the bare parser
    (tmp_path / "deep.html").write_bytes(b"<div>" * 50_000)
    (tmp_path / "c.txt").write_bytes(b"no page")
    assert main(["bench", "--corpus", str(tmp_path), "--repeat", "2", "--json"]) == 0
    captured = capsys.readouterr()
    report = json.loads(captured.out)
    assert [page["name"] for page in report["pages"]] == ["a.html", "b.htm", "growing.html"]
    assert report["stages"][0]["name"] == "parse"
    assert report["stages"][0]["median"] == 1.0
    assert "deep.html: the page nests" in captured.err
    assert main(["bench", "--corpus", str(tmp_path), "--repeat", "1"]) == 0
    out = capsys.readouterr().out
    assert "3 pages, 17 nodes" in out
    assert "x parse" in out


def test_bench_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--corpus", str(tmp_path)]) == 1
    assert main(["bench", "--corpus", str(tmp_path / "none")]) == 2
    assert main(["bench", "--repeat", "0"]) == 2
    assert capsys.readouterr().out == ""
