"""`fastwrap train`: what it reads, writes and says, and its exit codes."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

pytest.importorskip("sklearn", reason="training needs scikit-learn")
pytest.importorskip("lightgbm", reason="training needs LightGBM")
pytest.importorskip("numba", reason="training needs numba")

from fastwrap import Model
from fastwrap.cli import main
from fastwrap.tools import training
from fastwrap.tools.labelled import labelled_pages
from tests.helpers.articles import article, articles, write_truth


@pytest.fixture
def truth(tmp_path: Path) -> Path:
    path = tmp_path / "truth.jsonl"
    write_truth(path, articles(sites=8, each=3))
    return path


def test_a_model_of_ones_own(truth: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = tmp_path / "own.model"
    assert main(["train", str(truth), "-o", str(made), "--hold-out", "0.25"]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"learned from 18 pages of 6 sites, written to {made}" in captured.err
    assert "held out: 6 pages of 2 sites" in captured.err
    assert captured.err.splitlines()[-1].split() == ["fastwrap:", "all", "6", "1.000", "1.000", "1.000"]
    assert Model.load(made).about == "truth.jsonl: 18 pages of 6 sites"
    page = article(30, 0)
    (tmp_path / "a.html").write_text(page.html)
    assert main(["content", str(tmp_path / "a.html"), "--model", str(made)]) == 0
    assert capsys.readouterr().out.replace("\n\n", "\n").strip() == page.content
    assert main(["content", str(tmp_path / "a.html"), "--model", str(truth)]) == 2
    assert "no model of fastwrap" in capsys.readouterr().err


def test_pages_are_read_from_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines: list[str] = []
    (tmp_path / "pages").mkdir()
    for page in articles(sites=1, each=6):
        name = f"pages/{len(lines)}.html" + (".gz" if len(lines) % 2 else "")
        data = page.html.encode()
        (tmp_path / name).write_bytes(gzip.compress(data) if len(lines) % 2 else data)
        lines.append(json.dumps({"page": name, "content": page.content, "type": "article", "more": 1}))
    (tmp_path / "pages" / "cut.html.gz").write_bytes(gzip.compress(b"<p>Tea" * 99)[:-20])
    (tmp_path / "pages" / "plain.html.gz").write_bytes(b"<p>Tea")
    bad = ("none.html", "cut.html.gz", "plain.html.gz")
    lines += [json.dumps({"page": f"pages/{name}", "content": "Tea"}) for name in bad]
    lines.append(json.dumps({"html": "<p>Home", "content": "a text that is not there"}))
    path = tmp_path / "truth.jsonl"
    path.write_text("\n\n".join(lines))
    assert main(["train", str(path), "-o", str(tmp_path / "own.model")]) == 0
    said = capsys.readouterr().err
    assert "pages/none.html: No such file" in said
    assert "pages/cut.html.gz: no gzip data" in said
    assert "pages/plain.html.gz: no gzip data" in said
    assert "1 of 7 pages do not show the content that is given for them" in said
    assert "learned from 6 pages, written" in said
    assert main(["train", str(path), "-o", str(tmp_path / "own.model"), "--quiet"]) == 0
    assert len(capsys.readouterr().err.splitlines()) == 3


def test_one_site_is_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "truth.jsonl"
    write_truth(path, articles(sites=2, each=3))
    assert main(["train", str(path), "-o", str(tmp_path / "own.model"), "--hold-out", "0.5"]) == 0
    said = capsys.readouterr().err
    assert "learned from 3 pages of 1 site, written" in said
    assert "held out: 3 pages of 1 site\n" in said


def test_groups(tmp_path: Path) -> None:
    path = tmp_path / "truth.jsonl"
    page = {"html": "<p>Tea", "content": "Tea"}
    path.write_text(
        "\n".join(json.dumps(page | {"url": f"https://{host}/"}) for host in ("www.a.example", "a.example"))
    )
    assert [each.group for each in labelled_pages(path)] == ["line 1", "line 2"]  # one site alone
    with path.open("a") as file:
        file.write("\n" + json.dumps(page | {"url": "https://b.example"}))
    assert [each.group for each in labelled_pages(path)] == ["a.example", "a.example", "b.example"]


BROKEN = [
    "{", "[]", "5", '{"html": "<p>Tea"}', '{"content": "Tea"}', '{"page": 5, "content": "Tea"}',
    '{"page": "", "content": "Tea"}', '{"page": "a\\u0000", "content": "Tea"}', '{"html": "<p>Tea", "content": null}',
    '{"html": "<p>Tea", "content": "Tea", "url": 5}', '{"html": "", "content": "", "url": "http://["}',
    '{"html": "", "content": "", "type": 5}', "[" * 100_000,
]  # fmt: skip


@pytest.mark.parametrize("line", BROKEN, ids=range(len(BROKEN)))
def test_broken_lines(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "truth.jsonl"
    path.write_text('{"html": "<p>Tea", "content": "Tea"}\n' + line)
    assert main(["train", str(path), "-o", str(tmp_path / "own.model")]) == 2
    assert f"{path}, line 2: expected" in capsys.readouterr().err
    assert not (tmp_path / "own.model").exists()


def test_exit_codes(truth: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = str(tmp_path / "own.model")
    other = tmp_path / "other.jsonl"
    before = truth.read_bytes()

    def train(lines: str, *options: str) -> tuple[int, str]:
        other.write_text(lines)
        code = main(["train", str(other), "-o", made, *options])
        return code, capsys.readouterr().err

    assert train("") == (1, f"fastwrap: {other}: no page to learn from\n")
    code, said = train('{"html": "<p>Home", "content": "not there"}')
    assert (code, said.splitlines()[-1]) == (1, "fastwrap: nothing to learn from")
    code, said = train('{"page": "none.html", "content": "not there"}')
    assert (code, said.splitlines()[-1]) == (2, "fastwrap: no page can be read")
    assert train('{"html": "<p>Tea", "content": "Tea"}')[0] == 2
    assert "there is only one page" in train('{"html": "<p>Tea", "content": "Tea"}', "--hold-out", "0.5")[1]
    for share in ("0", "1", "nan", "-1", "inf"):
        code, said = train("", f"--hold-out={share}")
        assert (code, said) == (2, "fastwrap: --hold-out takes a number between 0 and 1\n")
    assert main(["train", str(truth), "-o", str(truth)]) == 2
    assert "would be written over" in capsys.readouterr().err
    assert main(["train", str(tmp_path / "none.jsonl"), "-o", made]) == 2
    assert truth.read_bytes() == before
    assert not Path(made).exists()


def test_libraries_that_are_missing(
    truth: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "NEEDED", {"no_such_module": "lightgbm"})
    assert main(["train", str(truth), "-o", str(truth.parent / "own.model")]) == 2
    assert capsys.readouterr().err == "fastwrap: training needs lightgbm: pip install 'fastwrap[train]'\n"
