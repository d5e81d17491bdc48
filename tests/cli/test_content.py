"""`fastwrap content`: what it writes, where, in which format, and its exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

import fastwrap
from fastwrap.cli import main
from fastwrap.cli.content import FORMATS, SUFFIXES
from tests.helpers.labels import main_content
from tests.helpers.server import Site, answer
from tests.helpers.terminals import run_in_terminal

TEA = "<title>On tea</title><nav>Home</nav><main><h1>On tea</h1><p>Green, or <a href=/b>black</a>.</main>"
OAK = "<html lang=en><title>Oak</title><main><h1>Oak</h1><ul><li>tall<li>old</ul></main>"
TEA_TEXT = "On tea\n\nGreen, or black.\n"
URL = "https://tea.example/"


@pytest.fixture(autouse=True)
def labels_of_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fastwrap.noise.content.label", main_content)


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with pages, the current one."""
    monkeypatch.chdir(tmp_path)
    for name, source in (("tea", TEA), ("oak", OAK), ("nothing", "<nav>Home</nav>")):
        tmp_path.joinpath(f"{name}.html").write_text(source)
    return tmp_path


@pytest.mark.usefixtures("pages")
def test_text_is_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["content", "tea.html"]) == 0
    assert capsys.readouterr() == (TEA_TEXT, "")


@pytest.mark.usefixtures("pages")
def test_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["content", "tea.html", "--url", URL, "-f", "md"]) == 0
    assert capsys.readouterr() == ("# On tea\n\nGreen, or [black](https://tea.example/b).\n", "")


@pytest.mark.usefixtures("pages")
def test_json_is_that_of_to_dict(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["content", "tea.html", "--url", URL, "--format", "json"]) == 0
    said = capsys.readouterr()
    assert said.out.count("\n") == 1
    assert json.loads(said.out) == fastwrap.content(TEA, URL).to_dict()


@pytest.mark.usefixtures("pages")
def test_several_pages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["content", "tea.html", "nothing.html", "oak.html"]) == 0
    said = capsys.readouterr()
    assert said.out == f"==> tea.html <==\n\n{TEA_TEXT}\n==> oak.html <==\n\nOak\n\ntall\nold\n"
    assert said.err == "fastwrap: nothing.html: no content\n"
    assert main(["content", "tea.html", "oak.html", "-f", "md", "-q"]) == 0
    said = capsys.readouterr()
    assert said.out.endswith("\n\n==> oak.html \\<==\n\n# Oak\n\n- tall\n- old\n")
    assert main(["content", "tea.html", "nothing.html", "-f", "json", "-q"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["source"], line["text"]) for line in lines] == [("tea.html", TEA_TEXT[:-1]), ("nothing.html", "")]


def test_files(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert set(SUFFIXES.values()) == set(FORMATS)
    for suffix, format in SUFFIXES.items():
        written = pages / f"a.{suffix}"
        assert main(["content", "tea.html", "oak.html", "-o", str(written)]) == 0
        assert capsys.readouterr() == ("", f"fastwrap: 2 pages written to {written}\n")
        assert main(["content", "tea.html", "oak.html", "-f", format, "-o", "-"]) == 0
        assert capsys.readouterr().out.encode() == written.read_bytes()
    assert main(["content", "tea.html", "-o", "b.dat", "-f", "text", "-q"]) == 0
    assert (pages / "b.dat").read_text() == TEA_TEXT
    assert main(["content", "tea.html", "-o", "b.dat"]) == 2
    assert "give it one of the suffixes .txt, .text, .md, .markdown, .json, .jsonl" in capsys.readouterr().err


@pytest.mark.parametrize("form", FORMATS)
def test_where_there_is_no_content(form: str, pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["content", "nothing.html", "-f", form]) == 1
    said = capsys.readouterr()
    assert said.err == "fastwrap: nothing.html: no content\n"
    assert bool(said.out) == (form == "json")
    kept = pages / "kept"
    kept.write_text("old")
    assert main(["content", "nothing.html", "-f", form, "-o", str(kept)]) == 1
    assert kept.read_text() == "old"
    assert capsys.readouterr().err.endswith(f"fastwrap: {kept} is not written\n")


def test_one_that_fails_is_told_and_the_others_are_written(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pages / "a.pdf").write_bytes(b"%PDF-1.7 ...")
    assert main(["content", "a.pdf", "tea.html", "none.html"]) == 2
    said = capsys.readouterr()
    assert said.out == f"==> tea.html <==\n\n{TEA_TEXT}"
    assert "a.pdf: this is a PDF document, not HTML" in said.err
    assert "none.html: No such file or directory" in said.err
    assert said.err.endswith("2 of 3 pages failed\n")


def test_a_model_that_is_not_there_is_told_as_a_page_is(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = str(pages / "none.model")
    assert main(["content", str(next(pages.glob("*.html"))), "--model", missing]) == 2
    assert capsys.readouterr().err == f"fastwrap: {missing}: No such file or directory\n"


def test_no_page_is_written_over(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["content", "tea.html", "-f", "md", "-o", "tea.html"]) == 2
    assert "would be written over" in capsys.readouterr().err
    assert (pages / "tea.html").read_text() == TEA


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(TEA.encode())))
    assert main(["content", "-", "--url", URL, "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["url"] == URL


def test_pages_from_the_web(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.answers["/tea"] = answer(TEA.encode())
    assert main(["content", f"{site.url}/tea", "--allow-private", "-f", "md"]) == 0
    assert capsys.readouterr().out.endswith(f"[black]({site.url}/b).\n")


@pytest.mark.usefixtures("pages")
def test_limits_are_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(
        "fastwrap.noise.content.label", lambda page, model: main_content(page)._replace(limits=("noise.search",))
    )
    assert main(["content", "tea.html"]) == 0
    assert "tea.html: budget met: noise.search: " in capsys.readouterr().err


# As a process of its own: without the labels of the tests, so that no more than this is known of what is found


def test_what_pages_say_to_terminals(tmp_path: Path) -> None:
    path = tmp_path / "evil.html"
    path.write_bytes(b"<main><h1>One &#x1b;[31m\x1b]0;x\x07</h1><p>" + b"\xc2\x9b31m words of prose " * 30)
    code, shown = run_in_terminal("content", str(path))
    assert code == 0
    assert "words of prose" in shown
    assert not set("\x1b\x07\x9b") & set(shown)


def test_help_says_what_there_is() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "fastwrap.cli", "content", "--help"], capture_output=True, text=True, check=True
    )
    assert "--format {text,md,json}" in done.stdout
