"""The manifest is read again as it was written, whatever is left of its last line; and nobody else writes to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastwrap.batch import manifest
from fastwrap.batch.manifest import NAME, Manifest
from fastwrap.batch.writing import take_names, write_part
from fastwrap.errors import FastwrapError

RUN = {"inputs": ["a.warc"], "lag": 16, "want": None}


def begun(folder: Path, parts: int) -> Path:
    log = Manifest(str(folder), RUN, resume=False)
    for number in range(parts):
        log.record(number, {"pages": number})
    log.close()
    return folder / NAME


def test_it_goes_on_wherever_it_was_cut_off(tmp_path: Path) -> None:
    data = begun(tmp_path / "whole", 3).read_bytes()
    lines = data.splitlines(keepends=True)
    for cut in range(len(data) + 1):
        folder = tmp_path / str(cut)
        folder.mkdir()
        (folder / NAME).write_bytes(data[:cut])
        log = Manifest(str(folder), RUN, resume=True)
        whole = sum(len(b"".join(lines[: place + 1])) <= cut for place in range(len(lines)))
        assert sorted(log.parts) == list(range(max(0, whole - 1)))
        log.record(7, {"pages": 7})
        log.close()
        assert [line.get("part") for line in manifest.read(folder)] == [None, *range(max(0, whole - 1)), 7]


def test_what_a_killed_run_left_without_its_name_is_removed(tmp_path: Path) -> None:
    begun(tmp_path / "out", 1)
    left = write_part(str(tmp_path / "out"), "data/part-1.jsonl", 1, lambda file: None)
    assert (tmp_path / "out" / left.temporary).exists()
    Manifest(str(tmp_path / "out"), RUN, resume=True).close()
    assert not (tmp_path / "out" / left.temporary).exists()


def test_what_a_killed_run_has_named_and_not_recorded_is_removed(tmp_path: Path) -> None:
    """The part is worked on again, and may have no errors then: the page would be in both folders."""
    out = tmp_path / "out"
    log = Manifest(str(out), RUN, resume=False)
    names = "data/part-0.jsonl", "errors/part-1.jsonl", "data/mine.txt"
    for name in names:
        take_names(str(out), [write_part(str(out), name, 1, lambda file: None)])
    log.record(0, {"files": [{"name": names[0]}]})
    log.close()
    Manifest(str(out), RUN, resume=True).close()
    assert [(out / name).exists() for name in names] == [True, False, True]


def test_a_part_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    def fails(file: object) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        write_part(str(tmp_path), "data/part-1.jsonl", 1, fails)
    assert list((tmp_path / "data").iterdir()) == []


def test_names_that_are_no_utf8_are_read_as_they_were_written(tmp_path: Path) -> None:
    run = {**RUN, "inputs": ["caf\udce9.html"]}
    log = Manifest(str(tmp_path / "out"), run, resume=False)
    log.record(0, {"from": "caf\udce9.html 5"})
    log.close()
    log = Manifest(str(tmp_path / "out"), run, resume=True)
    assert log.parts[0]["from"] == "caf\udce9.html 5"
    log.close()


def test_a_run_that_had_finished_and_got_more_finishes_again(tmp_path: Path) -> None:
    begun(tmp_path / "out", 1)
    log = Manifest(str(tmp_path / "out"), RUN, resume=True)
    log.finish({"parts": 1})
    log.record(1, {})
    log.finish({"parts": 2})
    log.close()
    assert [line.get("parts") for line in manifest.read(tmp_path / "out")] == [None, None, 1, None, 2]


def test_what_it_refuses(tmp_path: Path) -> None:
    begun(tmp_path / "out", 1)
    with pytest.raises(FastwrapError, match="has the output of a run: go on"):
        Manifest(str(tmp_path / "out"), RUN, resume=False)
    with pytest.raises(FastwrapError, match="a run with want null, not"):
        Manifest(str(tmp_path / "out"), {**RUN, "want": {"title": "str"}}, resume=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").touch()
    with pytest.raises(FastwrapError, match="is not empty"):
        Manifest(str(tmp_path / "other"), RUN, resume=True)
    first = Manifest(str(tmp_path / "out"), RUN, resume=True)
    with pytest.raises(FastwrapError, match="another process"):
        Manifest(str(tmp_path / "out"), RUN, resume=True)
    first.close()


def test_another_lag_is_that_of_the_run(tmp_path: Path) -> None:
    begun(tmp_path / "out", 1)
    log = Manifest(str(tmp_path / "out"), {**RUN, "lag": 99}, resume=True)
    assert log.run["lag"] == 16
    log.close()
