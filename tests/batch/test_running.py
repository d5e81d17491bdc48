"""A run gives each page once: however many workers there are, whatever pages do to them, whenever it is stopped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import fastwrap
from fastwrap import batch
from fastwrap.batch import manifest, running, writing
from fastwrap.batch.parts import Task
from fastwrap.batch.reading import Reading
from fastwrap.batch.sources import Files
from fastwrap.batch.worker import Worker
from fastwrap.errors import FastwrapError
from tests.helpers.batches import KINDS, rows_of, shop_page, shop_pages, write_input, write_warc

HARM = """
import os, time
import fastwrap.extraction as extraction
whole = extraction.extract
def extract(page, *arguments, **options):
    text = page.text()
    if "CRASH" in text:
        os.abort()
    if "HANG" in text:
        time.sleep(1000)
    if "FAIL" in text:
        raise MemoryError("no more")
    return whole(page, *arguments, **options)
extraction.extract = extract
"""
"""What Python runs at its start in the workers of a test: pages that a sound library does not have."""


@pytest.fixture
def harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "harm").mkdir()
    (tmp_path / "harm" / "sitecustomize.py").write_text(HARM)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "harm"))


def files_of(folder: Path, files: int, pages: int, shops: Sequence[str] = ("shop",)) -> Path:
    """A folder of small WARCs, each of which is a part."""
    folder.mkdir()
    for number in range(files):
        shop = shops[number % len(shops)]
        some = [
            (f"https://{shop}.example/list?page={number}-{k}", shop_page(number * pages + k, shop))
            for k in range(pages)
        ]
        write_warc(folder / f"{number:03}.warc.gz", some)
    return folder


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_what_extract_finds(kind: str, tmp_path: Path) -> None:
    pages = shop_pages(6)
    path = write_input(tmp_path, kind, pages)
    done = batch.run([path], tmp_path / "out", Reading(format="jsonl"), workers=1)
    assert (done.pages, done.records, done.errors) == (6, 48, 0)
    rows = sorted(rows_of(tmp_path / "out"), key=lambda row: (row["source"], row["position"]))
    urls = [None] * 6 if kind in ("folder", "zip", "tar", "tar.gz") else [url for url, _ in pages]
    assert [row["page_url"] for row in rows] == urls
    for row, url, (_, html) in zip(rows, urls, pages, strict=True):
        found = fastwrap.extract(html, url=url)
        assert row["records"] == found.to_dicts(json=True)
        assert row["confidence"] == found.confidence


def test_parquet_has_the_same_as_json_lines(tmp_path: Path) -> None:
    path = write_input(tmp_path, "warc.gz", shop_pages(6))
    batch.run([path], tmp_path / "lines", Reading(format="jsonl"), workers=1)
    batch.run([path], tmp_path / "table", workers=1)
    lines, table = ({row["page_url"]: row for row in rows_of(tmp_path / name)} for name in ("lines", "table"))
    assert sorted(lines) == sorted(table)
    for url, row in table.items():
        names = [column["name"] for column in row["columns"]]
        assert [column["type"] for column in row["columns"]] == ["url", "text", "money", "integer"]
        records = [dict(zip(names, record["values"], strict=True)) for record in row["records"]]
        for record, line in zip(records, lines[url]["records"], strict=True):
            assert list(record) == list(line)
            assert record["title"] == line["title"]
            assert record["price"] == f"{line['price']['amount']} {line['price']['currency']}"


def test_what_is_wanted_is_a_flat_table(tmp_path: Path) -> None:
    path = write_input(tmp_path, "warc.gz", shop_pages(3))
    want = {"title": str, "price": float, "colour": str}
    for format in batch.FORMATS:
        done = batch.run([path], tmp_path / format, Reading(want=want, format=format), workers=1)
        assert done.records == 24
        rows = rows_of(tmp_path / format)
        assert len(rows) == 24
        assert {type(row["price"]) for row in rows} == {float}
        assert {row["colour"] for row in rows} == {None}
        assert set(rows[0]) == {"source", "position", "page_url", "title", "price", "colour", "wrapper", "fit"}


def outcome(out: Path) -> tuple[list[Any], list[Any], dict[str, str]]:
    wrappers = {str(path.relative_to(out)): path.read_text() for path in (out / "wrappers").rglob("*.json")}
    return rows_of(out), rows_of(out, "errors"), wrappers


@pytest.mark.parametrize("auto_site", [False, True])
def test_workers_change_nothing(auto_site: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "LAG", 8)
    folder = files_of(tmp_path / "in", 12, 6, ("shop", "other"))
    reading = Reading(auto_site=auto_site)
    one = batch.run([folder], tmp_path / "one", reading, workers=1)
    three = batch.run([folder], tmp_path / "three", reading, workers=3)
    assert outcome(tmp_path / "one") == outcome(tmp_path / "three")
    assert (one.pages, one.records) == (three.pages, three.records) == (72, 576)
    # With wrappers, the first parts have learned for themselves; the others have used what was learned.
    learned = [line["wrappers"] for line in manifest.read(tmp_path / "three") if "wrappers" in line and "part" in line]
    assert [len(each) for each in sorted(learned, key=len)] == ([0] * 4 + [1] * 8 if auto_site else [0] * 12)


class Killed(BaseException):
    """What a test stops a run with."""


@pytest.mark.parametrize("where", ["before the names", "between names and record", "after the record"])
def test_a_run_that_is_stopped_anywhere_goes_on(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "LAG", 4)
    folder = files_of(tmp_path / "in", 8, 4, ("shop", "other"))
    reading = Reading(auto_site=True)
    batch.run([folder], tmp_path / "whole", reading, workers=2)
    take_names, record = writing.take_names, manifest.Manifest.record
    countdown = 0

    def tick() -> None:
        nonlocal countdown
        countdown -= 1
        if countdown == 0:
            raise Killed

    def taking(*arguments: Any) -> None:
        if where == "before the names":
            tick()
        take_names(*arguments)

    def recording(*arguments: Any) -> None:
        if where == "between names and record":
            tick()
        record(*arguments)
        if where == "after the record":
            tick()

    monkeypatch.setattr(running, "take_names", taking)
    monkeypatch.setattr(manifest.Manifest, "record", recording)
    for moment in (1, 3):
        countdown = moment
        with pytest.raises(Killed):
            batch.run([folder], tmp_path / "out", reading, workers=2, resume=True)
    countdown = 0
    done = batch.run([folder], tmp_path / "out", reading, workers=2, resume=True)
    assert outcome(tmp_path / "out") == outcome(tmp_path / "whole")
    assert (done.parts, done.pages) == (8, 32)


def test_a_run_that_is_done_does_nothing_more(tmp_path: Path) -> None:
    path = write_input(tmp_path, "warc.gz", shop_pages(3))
    first = batch.run([path], tmp_path / "out", workers=1)
    before = (tmp_path / "out" / manifest.NAME).read_bytes()
    assert batch.run([path], tmp_path / "out", workers=1, resume=True) == first
    assert (tmp_path / "out" / manifest.NAME).read_bytes() == before


def test_an_output_within_the_input_is_no_input(tmp_path: Path) -> None:
    folder = write_input(tmp_path, "folder", shop_pages(3))
    for number in range(2):
        done = batch.run([folder], folder / "out", Reading(format="jsonl"), workers=1, resume=number > 0)
        assert (done.pages, done.errors) == (3, 0)


def test_bad_pages_are_errors(tmp_path: Path) -> None:
    good = shop_pages(3)
    bad = [("https://a.example/x.pdf", b"%PDF-1.7 no page"), ("https://a.example/deep", b"<div>" * 100_000)]
    path = write_warc(tmp_path / "a.warc", [good[0], *bad, *good[1:]])
    done = batch.run([path], tmp_path / "out", Reading(format="jsonl"), workers=1)
    assert (done.pages, done.records, done.errors) == (5, 24, 2)
    errors = rows_of(tmp_path / "out", "errors")
    assert {row["page_url"]: row["error"][:20] for row in errors} == {
        "https://a.example/x.pdf": "this is a PDF docume",
        "https://a.example/deep": "the page nests more ",
    }
    assert len(rows_of(tmp_path / "out")) == 3


@pytest.mark.usefixtures("harm")
@pytest.mark.parametrize("auto_site", [False, True])
def test_pages_that_end_or_stop_a_process_are_errors(auto_site: bool, tmp_path: Path) -> None:
    pages = shop_pages(7)
    for place, word in ((1, b"CRASH"), (3, b"HANG"), (4, b"CRASH"), (5, b"FAIL")):
        pages[place] = pages[place][0], pages[place][1].replace(b"Boards", word)
    path = write_warc(tmp_path / "a.warc.gz", pages)
    done = batch.run([path], tmp_path / "out", Reading(auto_site=auto_site, page_seconds=5), workers=1)
    assert (done.pages, done.errors, done.restarts) == (7, 4, 3)
    errors = {row["page_url"]: row["error"] for row in rows_of(tmp_path / "out", "errors")}
    assert errors == {
        pages[1][0]: "the process that worked on it ended by signal 6",
        pages[3][0]: "it took longer than 5 seconds",
        pages[4][0]: "the process that worked on it ended by signal 6",
        pages[5][0]: "MemoryError: no more",
    }
    assert {row["page_url"] for row in rows_of(tmp_path / "out")} == {pages[place][0] for place in (0, 2, 6)}


def test_no_page_is_timed_for_what_is_loaded_once(tmp_path: Path) -> None:
    """Else the first page of each process would be an error on a machine that is busy."""
    page = shop_page(0)
    script = (
        "import sys; from fastwrap.batch.parts import PartWork; from fastwrap.batch.reading import Reading, parsed\n"
        "from fastwrap.batch.pages import RawPage; from fastwrap.batch.writing import Sink\n"
        f"reading = Reading(format='jsonl'); work = PartWork({str(tmp_path)!r}, reading); work.warm_up()\n"
        f"before = set(sys.modules); raw = RawPage('a', 0, {page!r}, 'https://shop.example/')\n"
        "Sink(reading).add(raw, reading.extract(parsed(raw))); print(sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_disk_that_is_full_ends_the_run_with_the_reason(tmp_path: Path) -> None:
    path = write_input(tmp_path, "warc.gz", shop_pages(3))
    (tmp_path / "out").mkdir()
    log = manifest.Manifest(
        str(tmp_path / "out"), {"inputs": [str(path)], "lag": 16, **Reading().described()}, resume=False
    )
    log.close()
    (tmp_path / "out" / "data").write_text("a file where a folder should be")
    with pytest.raises(FastwrapError, match="part 0 cannot be worked on"):
        batch.run([path], tmp_path / "out", workers=1, resume=True)


def test_what_has_changed_since_a_run_began_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(3):
        write_warc(folder / f"{number}.warc", shop_pages(2))
    wrapper = tmp_path / "shop.json"
    fastwrap.learn([shop_page(90), shop_page(91)]).save(wrapper)
    reading = Reading(wrappers=(str(wrapper),))
    done = batch.run([folder], tmp_path / "out", reading, workers=1)
    (folder / "2.warc").rename(tmp_path / "2.warc")
    with pytest.raises(FastwrapError, match=r"no longer what it was .* part 2 was of .*2\.warc \d+$"):
        batch.run([folder], tmp_path / "out", reading, workers=1, resume=True)
    (tmp_path / "2.warc").rename(folder / "2.warc")
    assert batch.run([folder], tmp_path / "out", reading, workers=1, resume=True) == done
    write_warc(folder / "3.warc", shop_pages(2))  # what is new at the end is done
    assert batch.run([folder], tmp_path / "out", reading, workers=1, resume=True).parts == 4
    fastwrap.learn([shop_page(90, "other"), shop_page(91, "other")]).save(wrapper)
    with pytest.raises(FastwrapError, match="a run with wrappers"):
        batch.run([folder], tmp_path / "out", reading, workers=1, resume=True)


@pytest.mark.parametrize("format", ["parquet", "jsonl"])
def test_names_that_are_no_utf8(format: str, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    try:
        for number, name in enumerate((b"caf\xe8.html", b"caf\xe9.html")):
            Path(os.fsdecode(os.path.join(os.fsencode(folder), name))).write_bytes(shop_page(number))
    except OSError:
        pytest.skip("names of files are UTF-8 on this system")
    for resume in (False, True):
        done = batch.run([folder], tmp_path / "out", Reading(format=format), workers=1, resume=resume)
        assert (done.pages, done.errors) == (2, 0)
    assert {Path(row["source"]).name for row in rows_of(tmp_path / "out")} == {"caf\\udce8.html", "caf\\udce9.html"}


def test_a_worker_that_was_closed_starts_nothing_more(tmp_path: Path) -> None:
    worker = Worker(str(tmp_path), Reading())
    worker.close(kill=True)
    with pytest.raises(FastwrapError, match="stopped"):
        worker.begin(Task(0, Files("a.html", [], 0), 0, 0))


def test_what_is_refused_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(FastwrapError, match="no such file"):
        batch.run([tmp_path / "none"], tmp_path / "out")
    with pytest.raises(FastwrapError, match="workers is 0"):
        batch.run([tmp_path], tmp_path / "out", workers=0)
    with pytest.raises(FastwrapError, match="wrapper"):
        batch.run([tmp_path], tmp_path / "out", Reading(wrappers=(__file__,)))
    assert not (tmp_path / "out").exists()
    wrongs: list[dict[str, Any]] = [
        {"format": "csv"}, {"method": "magic"}, {"min_confidence": 2.0}, {"page_seconds": 0}, {"want": ["source"]},
        {"want": ["error"]}, {"want": []},
    ]  # fmt: skip
    for wrong in wrongs:
        with pytest.raises(FastwrapError):
            Reading(**wrong)


# Wrappers


def test_given_wrappers_read_the_pages_that_they_fit(tmp_path: Path) -> None:
    pages = [*shop_pages(4), *shop_pages(4, "other")]
    (tmp_path / "wrappers").mkdir()
    for shop in ("shop", "other"):
        fastwrap.learn([shop_page(k, shop) for k in (90, 91)]).save(tmp_path / "wrappers" / f"{shop}.json")
    pages.append(("https://third.example/", shop_page(5, "third", table=True)))
    path = write_warc(tmp_path / "a.warc", pages)
    reading = Reading(wrappers=batch.wrapper_files([tmp_path / "wrappers"]))
    done = batch.run([path], tmp_path / "out", reading, workers=1)
    assert (done.records, done.unfit) == (72, 1)
    for row in rows_of(tmp_path / "out"):
        shop = row["page_url"].split("/")[2].split(".")[0]
        used = None if row["wrapper"] is None else Path(row["wrapper"]).stem
        assert used == (shop if shop != "third" else None)
        assert row["fit"] == 0 if used is None else row["fit"] >= 0.5
        assert len(row["records"]) == 8


def test_a_site_that_changes_is_learned_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tenth file on has another design: what was learned no longer fits, and the manifest says what was done."""
    monkeypatch.setattr(running, "LAG", 4)
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(20):
        addresses = [f"https://shop.example/list?page={number}-{k}" for k in range(5)]
        pages = [shop_page(number * 5 + k, table=number >= 10) for k in range(5)]
        write_warc(folder / f"{number:03}.warc", zip(addresses, pages, strict=True))
    done = batch.run([folder], tmp_path / "out", Reading(auto_site=True), workers=2)
    assert (done.pages, done.records, done.errors) == (100, 800, 0)
    learned = {line["part"]: line["wrappers"] for line in manifest.read(tmp_path / "out") if "part" in line}
    reasons = [[each["why"] for each in learned[number]] for number in range(20)]
    assert reasons[:10] == [["new site"]] * 4 + [[]] * 6
    assert all(len(each) == 1 and each[0] in ("drift", "new template") for each in reasons[10:14])
    assert reasons[14:] == [[]] * 6
    for row in rows_of(tmp_path / "out"):
        number = int(row["page_url"].split("=")[1].split("-")[0])
        first = int(Path(row["wrapper"]).stem.split("-")[0])
        # The first part that has met a design has learned it for all that come later.
        assert first == (number if number % 10 < 4 else number // 10 * 10)


def test_wrappers_that_were_learned_can_be_given_to_another_run(tmp_path: Path) -> None:
    path = write_input(tmp_path, "warc.gz", shop_pages(8))
    batch.run([path], tmp_path / "first", Reading(auto_site=True), workers=1)
    reading = Reading(wrappers=batch.wrapper_files([tmp_path / "first" / "wrappers"]))
    done = batch.run([path], tmp_path / "second", reading, workers=1)
    assert (done.records, done.unfit) == (64, 0)
    first, second = rows_of(tmp_path / "first"), rows_of(tmp_path / "second")
    assert [row["records"] for row in first] == [row["records"] for row in second]


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps({"html": shop_page(k).decode()}) + "\n" for k in range(3)))
    return path


def test_pages_without_an_address_are_of_the_site_of_their_file(lines: Path, tmp_path: Path) -> None:
    done = batch.run([lines], tmp_path / "out", Reading(auto_site=True, format="jsonl"), workers=1)
    assert done.wrappers == 1
    (line,) = [line for line in manifest.read(tmp_path / "out") if "part" in line]
    assert line["wrappers"][0]["site"] == str(lines)
