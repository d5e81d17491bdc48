"""`fastwrap batch`, killed at random moments and gone on with: the rows of a run that nobody has stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from random import Random

import pytest

from fastwrap.batch import manifest
from fastwrap.batch.writing import TEMPORARY
from tests.helpers.batches import batch_command, rows_of, run_batch, shop_page, write_warc

KILLS = int(os.environ.get("FASTWRAP_KILLS", "3"))
"""How often each run is killed; ten by `make test-kill`."""

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 on this system")


def some_files(folder: Path, files: int, pages: int) -> Path:
    folder.mkdir()
    for number in range(files):
        shop = ("shop", "other", "third")[number % 3]
        numbers = range(number * pages, (number + 1) * pages)
        some = [(f"https://{shop}.example/?page={k}", shop_page(k, shop, 30, table=k % 2 == 1)) for k in numbers]
        write_warc(folder / f"{number:03}.warc.gz", some)
    return folder


def lines_in(out: Path) -> int:
    try:
        return (out / manifest.NAME).read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


@pytest.mark.parametrize("option", ["--quiet", "--auto-site"])
def test_rows_are_those_of_a_run_that_was_not_killed(option: str, tmp_path: Path) -> None:
    random = Random(os.environ.get("FASTWRAP_SEED", "7"))
    folder = some_files(tmp_path / "in", 10 * KILLS, 12)
    whole = run_batch(folder, "-o", tmp_path / "whole", option, "--workers", "2")
    assert whole.returncode == 0, whole.stderr
    out = tmp_path / "out"
    killed = 0
    for _ in range(KILLS):
        before = lines_in(out)
        process = subprocess.Popen(batch_command(folder, "-o", out, option, "--workers", "2", "--resume"))
        # At a moment somewhere within the next parts: of any of them, and of what is done between them.
        wanted = before + random.randint(0, 8)
        while lines_in(out) < wanted and process.poll() is None:
            time.sleep(0.001)
        time.sleep(random.random() * 0.1)
        process.kill()
        process.wait()
        killed += process.returncode == -signal.SIGKILL
    assert killed > KILLS // 2
    done = run_batch(folder, "-o", out, option, "--workers", "2", "--resume")
    assert done.returncode == 0, done.stderr
    assert rows_of(out) == rows_of(tmp_path / "whole")
    assert len(rows_of(out)) == 120 * KILLS
    log = list(manifest.read(out))
    assert sorted(line["part"] for line in log if "part" in line) == list(range(10 * KILLS))
    assert not list(out.rglob(f"*{TEMPORARY}"))
    wrappers = [
        {path.relative_to(top) for path in top.rglob("wrappers/**/*.json")} for top in (out, tmp_path / "whole")
    ]
    assert wrappers[0] == wrappers[1]
    learned = {wrapper["file"] for line in log if "part" in line for wrapper in line["wrappers"]}
    assert learned == set(map(str, wrappers[0]))
    assert bool(learned) == (option == "--auto-site")
    if option == "--auto-site":
        # What was learned before a kill is used after it.
        later = [row["wrapper"] for row in rows_of(out) if int(Path(row["source"]).stem.split(".")[0]) >= 20]
        assert later
        assert all(name is not None and int(Path(name).stem.split("-")[0]) < 6 for name in later)
