"""The command line: what goes to stdout and stderr, exit codes, formats, terminals, pipes, completion, start-up."""

from __future__ import annotations

import csv
import gzip
import importlib
import io
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import fastwrap
from fastwrap.cli import VERBS, build_parser, extract, main, outputs, terminal
from fastwrap.cli.messages import printable
from fastwrap.cli.terminal import fitting, show
from fastwrap.extraction import MIN_CONFIDENCE
from fastwrap.limits import LIMITS
from fastwrap.output import FORMATS
from fastwrap.output.table import Field, Table
from tests.helpers.server import Site, answer
from tests.helpers.terminals import run_in_terminal

SCHEMA = json.loads(Path(fastwrap.__file__).with_name("schema").joinpath("extraction.schema.json").read_text())
WORDS = "amber birch cedar dune ember fern grove heath iris jade".split()


def listing(words: list[str], price: int = 5) -> str:
    items = "".join(
        f'<li class=item><a href="/item/{word}">{word} {WORDS[-number]}</a> <b class=price>${price + number}.50</b>'
        f" <span class=note>made by hand in {word.title()}ton</span></li>"
        for number, word in enumerate(words)
    )
    return f"<h1>Bowls</h1><p>All that we have at the moment.</p><ul>{items}</ul>"


ARTICLE = "<h1>On bowls</h1>" + "".join(f"<p>{' '.join(WORDS[k:] + WORDS[:k]) * 9}.</p>" for k in range(3))


@pytest.fixture
def page(tmp_path: Path) -> str:
    path = tmp_path / "bowls.html"
    path.write_text(listing(WORDS))
    return str(path)


NOTHING = "<title>Log in</title><h1>Log in</h1><p>Your name</p><p>Your word</p><p>Go on</p>"
"""A page that is about nothing, with a list that nobody would want."""


@pytest.fixture
def nothing(tmp_path: Path) -> str:
    path = tmp_path / "login.html"
    path.write_text(NOTHING)
    return str(path)


@pytest.fixture
def article(tmp_path: Path) -> str:
    path = tmp_path / "article.html"
    path.write_text(ARTICLE)
    return str(path)


def run(*arguments: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command as a process of its own, in a pipe."""
    return subprocess.run(
        [sys.executable, "-m", "fastwrap.cli", *arguments],
        input=stdin, capture_output=True, check=False, env={**os.environ, **environment},
    )  # fmt: skip


# Data and messages


def test_json_in_a_pipe(page: str) -> None:
    done = run("extract", page, "--url", "https://example.org/bowls")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1
    document = json.loads(done.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert document["url"] == "https://example.org/bowls"
    region = document["regions"][0]
    assert len(region["records"]) == len(WORDS)
    kinds = [column["type"] for column in region["columns"]]
    first = region["records"][0]["values"]
    assert first[kinds.index("money")] == {"amount": "5.50", "currency": "$"}
    assert first[kinds.index("url")] == "https://example.org/item/amber"


@pytest.mark.parametrize("name", ["page", "article"])
def test_json_is_that_of_to_json(name: str, request: pytest.FixtureRequest) -> None:
    path = request.getfixturevalue(name)
    done = run("extract", path, "--url", "https://example.org/bowls")
    found = fastwrap.extract(Path(path), url="https://example.org/bowls")
    assert done.stdout.decode() == found.to_json() + "\n"
    stream = io.BytesIO()
    found.write(stream)
    assert stream.getvalue() == done.stdout


KINDS = {
    "a PDF document": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj",
    "JSON": json.dumps({"html": "<ul><li>one<li>two</ul>"}).encode(),
    "gzip data": gzip.compress(listing(WORDS).encode(), mtime=0),
    "a PNG image": b"\x89PNG\r\n\x1a\n" + bytes(64),
    "binary data": random.Random(5).randbytes(5_000),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_page_is_named(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(KINDS[kind])
    for verb in ("extract", "learn", "show"):
        assert main([verb, str(path)]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.startswith(f"fastwrap: {path}: this is {kind}")
        assert captured.err.endswith(", not HTML\n")


def test_an_encoding_may_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(listing([f"{word} ж" for word in WORDS]).encode("koi8-r"))
    assert main(["extract", str(path), "--encoding", "koi8-r"]) == 0
    assert "amber ж" in json.loads(capsys.readouterr().out)["regions"][0]["records"][0]["text"]
    assert main(["extract", str(path), "--encoding", "klingon"]) == 2
    assert "no encoding of the web is labelled 'klingon'" in capsys.readouterr().err


def test_a_page_is_no_command(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([page])
    assert stopped.value.code == 2
    assert f"fastwrap extract {page}" in capsys.readouterr().err


def test_standard_input(capsys: pytest.CaptureFixture[str]) -> None:
    done = run("extract", "-", "--url", "https://example.org/", stdin=listing(WORDS).encode())
    assert done.returncode == 0
    assert json.loads(done.stdout)["url"] == "https://example.org/"
    assert main(["extract", "-", "-"]) == 2
    assert "only once" in capsys.readouterr().err


def test_several_pages(page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "more.html"
    other.write_text(listing(WORDS[:7], price=100))
    assert main(["extract", page, str(other)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["source"] for line in lines] == [page, str(other)]
    for line in lines:
        jsonschema.Draft202012Validator(SCHEMA).validate(line)
    assert main(["extract", page, str(other), "-f", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["source"] for row in rows] == [page] * 10 + [str(other)] * 7
    assert "5.50" in rows[0].values()
    assert main(["extract", page, str(other), "-f", "jsonl"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["source"] for record in records] == [page] * 10 + [str(other)] * 7


def test_one_that_fails_is_told_at_the_end(page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deep = tmp_path / "deep.html"
    deep.write_bytes(b"<div>" * 50_000)
    given = [str(tmp_path / "none.html"), str(deep), str(tmp_path), "ftp://example.org/", "http://127.0.0.1:9/", page]
    assert main(["extract", "--quiet", *given]) == 2
    captured = capsys.readouterr()
    assert json.loads(captured.out)["source"] == page
    *told, last = captured.err.splitlines()
    assert [line.split(": ")[1] for line in told] == given[:5]
    for line, reason in zip(
        told,
        [
            "No such file",
            "the page nests",
            "this is a folder: give the pages in it",
            "only http and https",
            "not a public",
        ],
        strict=True,
    ):
        assert reason in line
    assert last == "fastwrap: 5 of 6 pages failed"


@pytest.mark.parametrize("form", FORMATS)
def test_where_nothing_is_found_a_file_stays_as_it_was(
    form: str, page: str, nothing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / f"out.{form}"
    for old in (None, b"old"):
        if old is not None:
            out.write_bytes(old)
        assert main(["extract", nothing, "-o", str(out)]) == 1
        captured = capsys.readouterr()
        assert captured.out == ""
        first, second = captured.err.splitlines()
        assert first.startswith(f"fastwrap: {nothing}: ")
        assert second == f"fastwrap: {out} is not written"
        assert main(["extract", nothing, nothing, "-o", str(out), "--quiet"]) == 1
        assert capsys.readouterr() == ("", "")
        assert (out.read_bytes() if out.exists() else None) == old
    # With one page that has a list the file is written; JSON has a line of each page.
    assert main(["extract", nothing, page, nothing, "-o", str(out)]) == 0
    assert out.read_bytes() != b"old"
    if form == "json":
        lines = [json.loads(line) for line in out.read_text().splitlines()]
        assert [line["source"] for line in lines] == [nothing, page, nothing]
        assert [line["confidence"] >= 0.5 for line in lines] == [False, True, False]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["bowls.html", "login.html", out.name])


def test_nothing_found(nothing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", nothing]) == 1
    captured = capsys.readouterr()
    assert json.loads(captured.out)["confidence"] < 0.5
    assert captured.err.startswith(f"fastwrap: {nothing}: ")
    empty = tmp_path / "empty.html"
    empty.write_bytes(b"")
    assert main(["extract", str(empty), "-f", "csv"]) == 1
    assert "nothing repeats" in capsys.readouterr().err


REFUSED = re.compile(r"no list with confidence >= 0\.5 \(best: 0\.[0-4]\d, \d+ records\)")


def test_what_is_refused_is_told_with_the_way_to_see_it(
    nothing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["extract", nothing]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert REFUSED.search(line)
    assert line.endswith("see it with --min-confidence 0 or fastwrap show")
    assert main(["extract", nothing, "--min-confidence", "0"]) == 0
    assert json.loads(capsys.readouterr().out)["regions"][0]["records"]
    assert main(["show", nothing, "-o", str(tmp_path / "view.html")]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert REFUSED.search(line)
    assert line.endswith(f"view written to {tmp_path / 'view.html'}")
    assert main(["learn", nothing, "-o", str(tmp_path / "site.json")]) == 0
    assert "probably not what the pages are for" in capsys.readouterr().err


@pytest.mark.parametrize("form", FORMATS)
def test_a_page_about_one_thing_is_one_row(form: str, article: str, page: str, tmp_path: Path) -> None:
    out = tmp_path / f"out.{form}"
    assert main(["extract", article, article, "-o", str(out), "--quiet"]) == 0
    if form == "json":
        [line, _] = [json.loads(line) for line in out.read_text().splitlines()]
        assert (line["kind"], len(line["record"]["records"])) == ("detail", 1)
        assert line["record"]["records"][0]["texts"][0] == "On bowls"
    elif form == "jsonl":
        rows = [json.loads(line) for line in out.read_text().splitlines()]
        assert [(row["source"], row["title"]) for row in rows] == [(article, "On bowls")] * 2
    elif form == "csv":
        header, *rows = csv.reader(io.StringIO(out.read_text()))
        assert header[:2] == ["source", "title"]
        assert [row[:2] for row in rows] == [[article, "On bowls"]] * 2
    else:
        assert out.stat().st_size > 100


def test_a_page_about_one_thing_is_told(article: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", article, "-f", "table"]) == 0
    captured = capsys.readouterr()
    assert re.search(r"title\s+On bowls", captured.out)
    assert "a page about one thing, 2 values" in captured.err
    assert main(["extract", article, "-f", "csv", "--want", "title,price"]) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines() == ["title", "On bowls"]
    assert "no column for price" in captured.err
    # A list that is asked for goes first.
    assert main(["extract", article, "-f", "jsonl", "--region", "1"]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 1


# Files that are not to be lost


@pytest.mark.parametrize("verb", ["extract", "learn", "show", "apply"])
@pytest.mark.parametrize("link", ["itself", "symbolic", "hard", "through a folder"])
def test_a_page_is_not_written_over(
    verb: str, link: str, page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = Path(page)
    if link == "symbolic":
        out = tmp_path / "other.html"
        out.symlink_to(page)
    elif link == "hard":
        out = tmp_path / "other.html"
        out.hardlink_to(page)
    elif link == "through a folder":
        (tmp_path / "folder").symlink_to(tmp_path)
        out = tmp_path / "folder" / ".." / tmp_path.name / "bowls.html"
    wrapper = tmp_path / "site.json"
    assert main(["learn", page, "-o", str(wrapper), "-q"]) == 0
    second = tmp_path / "second.html"
    second.write_text(listing(WORDS))
    given = [str(wrapper)] if verb == "apply" else []
    several = [] if verb == "show" else [str(second)]
    assert main([verb, *given, *several, page, "-o", str(out)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == f"fastwrap: {out} would be written over {page}, which is read: give another name with -o\n"
    assert Path(page).read_text() == listing(WORDS)


def test_a_wrapper_is_not_written_over_by_what_it_reads(page: str, tmp_path: Path) -> None:
    wrapper = tmp_path / "site.json"
    assert main(["learn", page, "-o", str(wrapper), "-q"]) == 0
    before = wrapper.read_bytes()
    assert main(["apply", str(wrapper), page, "-o", str(wrapper)]) == 2
    assert wrapper.read_bytes() == before
    # One that is learned again may take the place of the previous one.
    assert main(["learn", page, "--previous", str(wrapper), "-o", str(wrapper), "-q"]) == 0


def test_a_view_is_not_written_over_another_page(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    other = tmp_path / "bowls.view.html"
    other.write_text(listing(WORDS))
    assert main(["show", page, str(other)]) == 2
    assert other.read_text() == listing(WORDS)


def test_standard_input_is_not_written_over(page: str) -> None:
    with open(page, "rb") as file:
        done = subprocess.run(
            [sys.executable, "-m", "fastwrap.cli", "extract", "-", "-o", page],
            stdin=file,
            capture_output=True,
            check=False,
        )
    assert done.returncode == 2
    assert b"would be written over" in done.stderr
    assert Path(page).read_text() == listing(WORDS)


LIMITED = """
import resource, sys
from fastwrap.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
raise SystemExit(main(sys.argv[2:]))
"""


@pytest.mark.parametrize("verb", ["extract", "apply", "show", "learn"])
def test_a_failed_write_leaves_the_old_file(verb: str, page: str, tmp_path: Path) -> None:
    """A limit of the size of files is what a full disk is: the write fails, with a part of the data written."""
    wrapper = tmp_path / "site.json"
    assert main(["learn", page, "-o", str(wrapper), "-q"]) == 0
    given = [str(wrapper)] if verb == "apply" else []
    for form in FORMATS if verb in ("extract", "apply") else ["html"]:
        out = tmp_path / f"out.{form}"
        for old in (None, b"old"):
            if old is not None:
                out.write_bytes(old)
            done = subprocess.run(
                [sys.executable, "-c", LIMITED, "100", verb, *given, page, "-o", str(out)],
                capture_output=True, check=False,
            )  # fmt: skip
            assert done.returncode == 2
            assert b"File too large" in done.stderr
            assert b"Traceback" not in done.stderr
            assert b"records written" not in done.stderr
            assert (out.read_bytes() if out.exists() else None) == old
        out.unlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bowls.html", "site.json"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_device_is_told(page: str) -> None:
    for arguments in (["extract", page, "-f", "csv", "-o", "/dev/full"], ["show", page, "-o", "/dev/full"]):
        done = run(*arguments)
        assert done.returncode == 2
        assert done.stderr == b"fastwrap: [Errno 28] No space left on device\n"
    for arguments in (["extract", page], ["extract", page, "-f", "table"], ["learn", page], ["show", page, "-o", "-"]):
        with open("/dev/full", "wb") as full:
            command = [sys.executable, "-m", "fastwrap.cli", *arguments]
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
        assert done.returncode == 2
        assert done.stderr == b"fastwrap: [Errno 28] No space left on device\n"


def test_confidence_and_regions(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", page, "--min-confidence", "1"]) == 1
    captured = capsys.readouterr()
    assert len(json.loads(captured.out)["regions"]) > 0  # as `to_json` has them, with the confidence
    [line] = captured.err.splitlines()
    best = fastwrap.extract(Path(page))
    assert line == (
        f"fastwrap: {page}: no list with confidence >= 1 (best: {int(100 * best.confidence) / 100:.2f}, 10 records);"
        " see it with --min-confidence 0 or fastwrap show"
    )
    # who names a region means it
    assert main(["extract", page, "--min-confidence", "1", "--region", "1"]) == 0
    assert len(json.loads(capsys.readouterr().out)["regions"]) == 1
    assert main(["extract", page, "--region", "99"]) == 1
    assert "list" in capsys.readouterr().err
    assert main(["extract", page, "--region", "all", "-f", "jsonl"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert records[0]["region"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--region", "0"], "--region takes"), (["--region", "x"], "--region takes"),
        (["--min-confidence", "2"], "--min-confidence takes"), (["--min-confidence", "nan"], "--min-confidence takes"),
        (["--method", "magic"], "there is no method 'magic'"), (["--timeout", "0"], "--timeout takes"),
        (["-o", "out.doc"], "no format has the suffix .doc"), (["-o", "nowhere/out.csv"], "there is no folder nowhere"),
        (["-o", "x.png"], "no format has the suffix .png: choose one of json, jsonl, csv"),
        (["-o", ".", "-f", "csv"], ". is a folder: give the name of a file"),
        (["-o", "out.csv", "-f", "table"], "for terminals"), (["other.html", "--url", "http://a/"], "for one page"),
    ],
)  # fmt: skip
def test_bad_use(page: str, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", page, *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("fastwrap: ")
    assert message in captured.err


@pytest.mark.parametrize("form", FORMATS)
def test_files(page: str, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / f"out.{form}"
    assert main(["extract", page, "-o", str(out)]) == 0
    assert out.stat().st_size
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == f"fastwrap: 10 records written to {out}\n"
    assert main(["extract", page, "-o", str(tmp_path / "named"), "--format", form, "--quiet"]) == 0
    assert (tmp_path / "named").stat().st_size == out.stat().st_size
    assert capsys.readouterr() == ("", "")


def test_what_the_help_says_is_so() -> None:
    assert (outputs.TABLE, *FORMATS) == outputs.FORMATS
    assert vars(build_parser("extract").parse_args(["extract", "-"]))["min_confidence"] == MIN_CONFIDENCE


def test_methods(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", page, "--method", "mdr", "--region", "1"]) == 0
    assert len(json.loads(capsys.readouterr().out)["regions"][0]["records"]) == len(WORDS)


def test_pages_from_the_web(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.answers |= {
        "/bowls": answer(listing(["crème", *WORDS]).encode("latin-1"), content_type="text/html; charset=ISO-8859-1"),
        "/robots.txt": answer(b"User-agent: *\nDisallow: /private", content_type="text/plain"),
        "/private": answer(listing(WORDS).encode()),
    }
    assert main(["extract", "--allow-private", site.url + "/bowls"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["url"] == site.url + "/bowls"
    assert "crème" in document["regions"][0]["records"][0]["text"]
    assert main(["extract", "--allow-private", site.url + "/private"]) == 2
    assert "robots.txt" in capsys.readouterr().err
    assert main(["extract", "--allow-private", "--ignore-robots", site.url + "/private"]) == 0
    assert main(["extract", site.url + "/bowls"]) == 2
    assert "not a public address" in capsys.readouterr().err
    assert main(["extract", site.url + "/bowls", "--url", "http://a/"]) == 2


# Terminals


def test_a_table_on_a_terminal(page: str) -> None:
    code, shown = run_in_terminal("extract", page)
    assert code == 0
    assert "amber" in shown
    assert "5.50" in shown
    assert "{" not in shown
    assert "10 records, confidence" in shown
    *lines, note, _ = re.sub(r"\x1b\[[0-9;]*m", "", shown).split("\r\n")
    assert note.startswith(f"fastwrap: {page}: 10 records")
    assert max(map(len, lines)) <= 100


def test_budgets_that_were_met_are_told() -> None:
    kinds = "".join(f"<div>{'<b>x</b>' * k}{'<i>y</i>' * (50 - k)}</div>" for k in range(50))
    told = run("extract", "-", "--region", "1", stdin=kinds.encode()).stderr.decode()
    assert f"budget met: regions.clusters: {LIMITS['regions.clusters']}" in told
    assert "budget met" not in run("extract", "-", stdin=b"<ul>" + b"<li><b>x</b> 1 EUR" * 9).stderr.decode()
    assert "budget met: regions.clusters: " in run("learn", "-", stdin=kinds.encode()).stderr.decode()


def test_no_colour(page: str) -> None:
    colour = re.compile(r"\x1b\[[0-9;]*[34][0-9]")
    code, shown = run_in_terminal("extract", page, page, NO_COLOR="1")
    assert code == 0
    assert not colour.search(shown)


def test_what_pages_say_to_terminals(tmp_path: Path) -> None:
    path = tmp_path / "evil.html"
    path.write_text(listing([f"{word}&#27;]0;title&#7;&#x202e;" for word in WORDS]))
    code, shown = run_in_terminal("extract", str(path), "--region", "1")
    assert code == 0
    assert "amber" in shown
    assert "\x1b]" not in shown
    assert "\x07" not in shown
    assert "\u202e" not in shown
    assert printable("a\x9b31mb\ud800") == "a 31mb "


def test_progress_for_several_pages(page: str, tmp_path: Path) -> None:
    code, shown = run_in_terminal("extract", page, page, "-o", str(tmp_path / "out.csv"))
    assert code == 0
    assert "reading" in shown
    code, shown = run_in_terminal("extract", page, page, "-o", str(tmp_path / "out.csv"), "--quiet")
    assert (code, shown) == (0, "")


def test_binary_formats_are_not_for_terminals(page: str) -> None:
    code, shown = run_in_terminal("extract", page, "-f", "xlsx")
    assert code == 2
    assert "not for terminals" in shown


def test_a_table_in_a_pipe(page: str) -> None:
    done = run("extract", page, "--format", "table", COLUMNS="60")
    assert done.returncode == 0
    assert b"amber" in done.stdout
    assert b"\x1b" not in done.stdout
    assert max(len(line) for line in done.stdout.decode().splitlines()) <= 60


WITHOUT_RICH = "import sys; sys.modules['rich'] = None\nfrom fastwrap.cli import main; sys.exit(main(sys.argv[1:]))"


def test_without_rich(page: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_RICH, "extract", page, page, "-f", "table"],
        capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "70"},
    )  # fmt: skip
    assert done.stdout.count("amber") >= 2
    assert max(map(len, done.stdout.splitlines())) <= 70
    title, head, line, first, *_ = done.stdout.splitlines()
    assert title == page
    assert re.fullmatch("(-+ *)+", line)
    # Aligned: every column begins where its line does, numbers end with it.
    ends = [found.end() for found in re.finditer("-+", line)]
    price = head[: head.index("price") + 5]
    assert len(price) in ends
    assert first[: len(price)].endswith("5.50 $")
    assert "pip install 'fastwrap[cli]'" in done.stderr
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_RICH, "extract", page, "-f", "table", "--quiet"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr == ""


@pytest.mark.parametrize("rich", [True, False])
def test_the_most_telling_columns_are_shown(
    rich: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    if not rich:
        monkeypatch.setitem(sys.modules, "rich", None)
        monkeypatch.setitem(sys.modules, "rich.cells", None)
    fields = [
        Field("position", "integer"), Field("sku", "text"), Field("page", "url"),
        *(Field(f"code {k}", "text") for k in "abcdef"), Field("price", "money"), Field("what", "text", role="title"),
    ]  # fmt: skip
    rows = [
        [k, f"S-{k}", f"https://shop.example/{k}", *[f"{k} {'x' * 30}"] * 6, k, f"Thing {k} 日本 " + "y" * 50]
        for k in range(3)
    ]
    assert show(Table(tuple(fields), rows)) == rich
    shown = capsys.readouterr().out
    head = next(line for line in shown.splitlines() if "what" in line)
    assert head.split()[:4] == ["what", "price", "position", "sku"]
    assert all(terminal.width_of(line) <= 60 for line in shown.splitlines())
    assert "Thing 1 日本" in shown
    left = re.search(r"not shown: (\d+) more columns \((.*), …\); -o FILE.csv has all", shown)
    assert left is not None
    assert int(left[1]) == 7 - ("code a" in head)


def test_long_tables(capsys: pytest.CaptureFixture[str]) -> None:
    show(Table((Field("n", "integer"), Field("page", "url")), [[number, None] for number in range(5000)]))
    shown = capsys.readouterr().out
    assert " 999" in shown
    assert " 1000" not in shown
    assert "not shown: 4,000 more records" in shown


def test_widths() -> None:
    for widths in ([3, 50, 20, 9], [100], [1, 1], [15] * 9):
        for width in range(1, 200):
            shown = fitting(widths, range(len(widths)), width)
            assert [column.place for column in shown] == list(range(len(shown)))
            taken = sum(column.width for column in shown) + 3 * (len(shown) - 1)
            assert taken <= width
            assert all(column.width <= widths[column.place] for column in shown) or len(shown) == 1
            if taken < width - 20:
                assert len(shown) == len(widths)  # no room is left unused
    assert fitting([], [], 80) == []


# Pipes and signals


def test_a_broken_pipe_ends_quietly(page: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "fastwrap.cli", "extract", *[page] * 200], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_interrupted(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(extract, "run", interrupt)
    assert main(["extract", page]) == 130


# Verbs, completion, start-up


def test_every_verb_is_a_module() -> None:
    for verb in VERBS:
        module = importlib.import_module(f"fastwrap.cli.{verb}")
        assert callable(module.add_arguments)
        assert callable(module.run)


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--print-completion", shell])
    assert stopped.value.code == 0
    script = capsys.readouterr().out
    assert all(verb in script for verb in VERBS)
    assert "min-confidence" in script


def test_bash_completes(tmp_path: Path) -> None:
    script = tmp_path / "fastwrap.bash"
    script.write_bytes(run("--print-completion", "bash").stdout)
    asked = (
        f"source {script}; COMP_WORDS=(fastwrap extract --min); COMP_CWORD=2; COMP_LINE='fastwrap extract --min'; "
        '_shtab_fastwrap; echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["--min-confidence"]


def test_bad_completion(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--print-completion", "fish"])
    assert stopped.value.code == 2
    assert "fish" in capsys.readouterr().err


HEAVY = [
    "numpy",
    "selectolax",
    "rich",
    "httpx2",
    "msgspec",
    "pyarrow",
    "pandas",
    "polars",
    "xlsxwriter",
    "shtab",
    "csv",
]


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        (["extract", "--help"], []),
        (["extract", "PAGE", "-f", "table"], ["numpy", "rich"]),
        (["extract", "PAGE"], ["numpy", "msgspec"]),
        (["extract", "PAGE", "-f", "md"], None),
    ],
)
def test_imports_are_lazy(page: str, arguments: list[str], needed: list[str] | None) -> None:
    code = (
        "import sys; from fastwrap.cli import main\n"
        "try: main(sys.argv[1:])\nexcept SystemExit: pass\n"
        f"print(*(name for name in {HEAVY} if name in sys.modules), file=sys.stderr)"
    )
    given = [page if word == "PAGE" else word for word in [*arguments, *(["-q"] if "PAGE" in arguments else [])]]
    done = subprocess.run([sys.executable, "-c", code, *given], capture_output=True, text=True, check=True)
    loaded = done.stderr.split()
    if needed is not None:
        assert loaded == needed
    assert not {"httpx2", "pyarrow", "pandas", "polars", "xlsxwriter"} & set(loaded)


# learn, apply


def site_page(*numbers: int) -> str:
    items = "".join(f"<li><a href=/{k}>Name {k}</a> <p>what is said of {k}</p> <b>{k} EUR</b></li>" for k in numbers)
    return f"<h1>Found</h1><ul class=items>{items}</ul>"


def test_learn_then_apply(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second, wrapper = tmp_path / "1.html", tmp_path / "2.html", tmp_path / "site.json"
    first.write_text(site_page(*range(10, 20)), encoding="utf-8")
    second.write_text(site_page(70, 71), encoding="utf-8")
    assert main(["learn", str(first), "-o", str(wrapper)]) == 0
    assert "learned" in capsys.readouterr().err
    assert main(["apply", str(wrapper), str(second), "-f", "jsonl"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(rows) == 2
    assert all(str(number) in json.dumps(row) for number, row in zip((70, 71), rows, strict=True))
    second.write_text("<p>Nothing of the kind</p>", encoding="utf-8")
    assert main(["apply", str(wrapper), str(second)]) == 1
    assert "does not fit" in capsys.readouterr().err


def test_learn_says_which_page_does_not_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "1.html", tmp_path / "2.html"
    first.write_text(site_page(*range(10, 20)), encoding="utf-8")
    second.write_text(site_page(), encoding="utf-8")
    assert main(["learn", str(second), str(first), "-o", str(tmp_path / "site.json")]) == 0
    told = capsys.readouterr().err
    assert f"{second}: the wrapper does not fit this page: it has the place of the list, but no record" in told
    assert f"{first}: " not in told


def test_apply_writes_the_records_of_pages_about_one_thing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = [tmp_path / f"{number}.html" for number in range(4)]
    for number, page in enumerate(pages):
        facts = f"<tr><td>Material<td>{WORDS[number]}<tr><td>Weight<td>{number + 2} kg"
        said = f"<p>Lamp {number} is a good thing that gives light in the evening, for many years and to many people."
        page.write_text(f"<title>Lamp {number}</title><h1>Lamp {number}</h1><table>{facts}</table>{said}")
    wrapper = tmp_path / "lamps.json"
    assert main(["learn", *map(str, pages[:3]), "-o", str(wrapper), "-q"]) == 0
    assert main(["apply", str(wrapper), *map(str, pages[2:]), "-f", "jsonl"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["title"], row["Material"], row["Weight"]) for row in rows] == [
        (f"Lamp {number}", WORDS[number], number + 2) for number in (2, 3)
    ]


def redesigned(html: str) -> str:
    """The same listing in another design."""
    for old, new in (("<ul>", "<main>"), ("</ul>", "</main>"), ("<li class=item>", "<div>"), ("</li>", "</div>")):
        html = html.replace(old, new)
    return html.replace("<b class=price>", "<p><i>").replace("</b>", "</i></p>").replace("span", "em")


def test_heal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, new, other, wrapper, healed = (tmp_path / name for name in ("a.html", "b.html", "c.html", "w.json", "h.json"))
    page.write_text(listing(WORDS))
    new.write_text(redesigned(listing(WORDS[2:])))
    other.write_text(redesigned(listing(WORDS[:7], 50)))
    assert main(["learn", str(page), "-o", str(wrapper)]) == 0
    before = wrapper.read_bytes()
    capsys.readouterr()
    assert main(["apply", str(wrapper), str(new), "-f", "jsonl"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "heal it, or learn it again" in captured.err
    given = ["apply", str(wrapper), str(new), str(other), "-f", "jsonl"]
    assert main([*given, "--heal", "--save-healed", str(healed)]) == 0
    captured = capsys.readouterr()
    rows = [json.loads(line) for line in captured.out.splitlines()]
    assert len(rows) == 15
    assert [row["link"] for row in rows[:8]] == [f"/item/{word}" for word in WORDS[2:]]
    assert captured.err.count("healed: ") == 1  # the second page is read by what the first one gave
    assert f"written to {healed}" in captured.err
    assert wrapper.read_bytes() == before
    assert main(["apply", str(healed), str(other), "-f", "jsonl", "-q"]) == 0
    captured = capsys.readouterr()
    assert [json.loads(line) for line in captured.out.splitlines()] == [
        {name: value for name, value in row.items() if name != "source"} for row in rows[8:]
    ]
    assert captured.err == ""


def test_heal_where_there_is_no_such_list(tmp_path: Path, article: str, capsys: pytest.CaptureFixture[str]) -> None:
    page, wrapper, healed = tmp_path / "a.html", tmp_path / "w.json", tmp_path / "h.json"
    page.write_text(listing(WORDS))
    assert main(["learn", str(page), "-o", str(wrapper), "-q"]) == 0
    assert main(["apply", str(wrapper), article, "--heal", "--save-healed", str(healed), "-f", "csv"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "not healed: no list" in captured.err
    assert not healed.exists()
    assert main(["apply", str(wrapper), article, "--save-healed", str(healed)]) == 2
    assert main(["apply", str(wrapper), article, "--heal", "--save-healed", str(wrapper)]) == 2
    assert "would be written over" in capsys.readouterr().err


def test_learn_where_nothing_repeats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, wrapper = tmp_path / "1.html", tmp_path / "site.json"
    page.write_text("<p>one</p>", encoding="utf-8")
    assert main(["learn", str(page), "-o", str(wrapper)]) == 1
    assert not wrapper.exists()
    assert main(["learn", str(tmp_path / "none.html")]) == 2
    wrapper.write_text("{}", encoding="utf-8")
    assert main(["apply", str(wrapper), str(page)]) == 2
    assert capsys.readouterr().err.count("fastwrap:") >= 2
