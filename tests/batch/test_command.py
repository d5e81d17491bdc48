"""`fastwrap batch`: what it prints, how it ends, and what it refuses."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import fastwrap
from fastwrap.batch import manifest
from tests.helpers.batches import batch_command, rows_of, run_batch, shop_page, shop_pages, write_input, write_warc
from tests.helpers.terminals import run_in_terminal


def test_it_tells_what_was_done(tmp_path: Path) -> None:
    pages = [*shop_pages(4), ("https://a.example/x.pdf", b"%PDF-1.7 no page")]
    path = write_warc(tmp_path / "a.warc.gz", pages)
    done = run_batch(path, "-o", tmp_path / "out", "-f", "jsonl", "--want", "title,price", "--workers", "1")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.splitlines() == ["fastwrap: 5 pages, 32 records", "fastwrap: 1 error: see errors/"]
    rows = rows_of(tmp_path / "out")
    assert rows[0].keys() >= {"title", "price"}
    again = run_batch(path, "-o", tmp_path / "out", "-f", "jsonl", "--want", "title,price")
    assert (again.returncode, "go on with it" in again.stderr) == (2, True)
    other = run_batch(path, "-o", tmp_path / "out", "-f", "jsonl", "--want", "title", "--resume")
    assert (other.returncode, "a run with want " in other.stderr) == (2, True)


def test_exit_codes(tmp_path: Path) -> None:
    (tmp_path / "empty.html").write_text("<p>Nothing repeats.")
    nothing = run_batch(tmp_path / "empty.html", "-o", tmp_path / "one", "-q", "--workers", "1")
    assert (nothing.returncode, nothing.stderr) == (1, "")
    missing = run_batch(tmp_path / "none.html", "-o", tmp_path / "two")
    assert (missing.returncode, "there is no such file" in missing.stderr) == (2, True)
    assert not (tmp_path / "two").exists()
    wrong = run_batch(tmp_path / "empty.html", "-o", tmp_path / "three", "--wrappers", tmp_path)
    assert (wrong.returncode, "no wrappers" in wrong.stderr) == (2, True)


def test_one_wrapper(tmp_path: Path) -> None:
    fastwrap.learn([shop_page(90), shop_page(91)]).save(tmp_path / "shop.json")
    path = write_input(tmp_path, "zip", shop_pages(3))
    done = run_batch(path, "-o", tmp_path / "out", "--wrapper", tmp_path / "shop.json", "--workers", "1")
    assert done.returncode == 0, done.stderr
    assert {row["wrapper"] for row in rows_of(tmp_path / "out")} == {str(tmp_path / "shop.json")}


def test_an_interrupted_run_says_how_to_go_on(tmp_path: Path) -> None:
    folder = write_input(tmp_path, "folder", shop_pages(5000))
    process = subprocess.Popen(
        batch_command(folder, "-o", tmp_path / "out", "--workers", "1"), stderr=subprocess.PIPE, text=True
    )
    while not (tmp_path / "out" / "data").exists():
        time.sleep(0.01)
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "--resume" in told
    assert "Traceback" not in told


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="processes see Ctrl-C on this system")
def test_the_ctrl_c_of_a_terminal_ends_all_processes(tmp_path: Path) -> None:
    """It goes to the workers, too, whatever they are about: they say nothing, and none is left or started again."""
    path = write_warc(tmp_path / "a.warc.gz", shop_pages(6000))
    moments = {"at once": manifest.NAME, "while processes start": manifest.NAME, "at work": "data"}
    for moment, there in moments.items():
        out = tmp_path / moment
        process = subprocess.Popen(
            batch_command(path, "-o", out, "--workers", "2"), stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        while not (out / there).exists():
            time.sleep(0.01)
            assert process.poll() is None
        if moment == "while processes start":
            time.sleep(0.3)
        os.killpg(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=120)  # also of those that hold its standard error
        assert process.returncode == 130
        assert told.splitlines() == [
            f"fastwrap: stopped: go on with fastwrap batch --resume, the same inputs and -o {out}"
        ]


def test_a_terminal_has_a_bar_and_a_pipe_has_none(tmp_path: Path) -> None:
    path = write_input(tmp_path, "jsonl", shop_pages(5))
    code, shown = run_in_terminal("batch", str(path), "-o", str(tmp_path / "out"), "--workers", "1")
    assert code == 0
    assert "pages, " in shown
    assert "/s" in shown


def test_records_go_through_duckdb_or_anything_that_reads_parquet(tmp_path: Path) -> None:
    """The output is a data set of the field's own tools: pyarrow reads the folder as one table."""
    import pyarrow.dataset

    path = write_input(tmp_path, "folder", shop_pages(5))
    assert run_batch(path, "-o", tmp_path / "out", "--workers", "1").returncode == 0
    table = pyarrow.dataset.dataset(tmp_path / "out" / "data").to_table()
    assert table.num_rows == 5
    assert json.dumps(table.schema.names) == json.dumps(
        ["source", "position", "page_url", "kind", "confidence", "next_page", "columns", "records", "wrapper", "fit"]
    )


def test_help_says_what_there_is() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "fastwrap.cli", "batch", "--help"], capture_output=True, text=True, check=True,
        env=os.environ | {"COLUMNS": "200"},
    )  # fmt: skip
    assert all(word in done.stdout for word in ("--auto-site", "--resume", "WARC", "Parquet"))
