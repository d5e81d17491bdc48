"""Counts the instructions of the main path on generated pages, by callgrind, and compares them with those kept here.

    python benchmarks/instructions/count.py           exit code 1 if any count grew by more than 5 %
    python benchmarks/instructions/count.py --write   keep the new counts, in counts.json beside this file

Instructions are counted, not seconds, so that a busy machine changes nothing. One process runs under valgrind; each
task is done once before it is counted, so that nothing is imported or set up while it is. Needs valgrind with its
headers and a C compiler. Counts hold for one build: with another Python, selectolax or compiler they differ, which is
told.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

HERE = Path(__file__).resolve().parent
KEPT = HERE / "counts.json"
PAGES = {"table": 300, "old": 600, "forum": 1_500, "shop": 2_500, "search": 6_000}
"""Kinds and nodes of the pages, as `fastwrap bench` generates them."""
ALLOWED = 1.05

Counts = dict[str, dict[str, int]]
"""By task and page."""


def build_toggle(folder: Path) -> Path:
    """The library by which a process tells callgrind what to count."""
    library = folder / "toggle.so"
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", str(library), str(HERE / "toggle.c")], check=True)
    return library


def work(library: Path) -> None:
    """What runs under valgrind: every task on every page."""
    from fastwrap.tools.bench.pages import generate
    from fastwrap.tools.bench.stages import TASKS, task_of

    callgrind = ctypes.CDLL(str(library))
    if not callgrind.under_valgrind():
        raise SystemExit("not under valgrind")
    tasks = {
        f"{task}|{kind}-{nodes}": task_of(task, html)
        for kind, nodes in PAGES.items()
        for html in [generate(kind, nodes)]
        for task in TASKS
    }
    for run in tasks.values():
        run()
    gc.collect()
    gc.disable()
    callgrind.start_instrumentation()
    for name, run in tasks.items():
        callgrind.begin()
        run()
        callgrind.end(name.encode())


def count(folder: Path) -> Counts:
    """Run all tasks under valgrind; the instructions of each."""
    command = [
        "valgrind", "--tool=callgrind", "--instr-atstart=no", "--collect-atstart=no", "--combine-dumps=no",
        f"--callgrind-out-file={folder / 'out'}", sys.executable, __file__, "--work", str(build_toggle(folder)),
    ]  # fmt: skip
    # The order of sets and dictionaries must not differ from run to run, nor the threads that numpy starts.
    fixed = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, env=os.environ | fixed, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"instructions: {done.stderr[-2000:]}")
    return dict(collect(folder))


def collect(folder: Path) -> Iterator[tuple[str, dict[str, int]]]:
    """The counts in the files that callgrind wrote, one for each task and page, in the order of their numbers."""
    counts: Counts = {}
    for path in sorted(folder.glob("out.*"), key=lambda path: int(path.suffix[1:])):
        text = path.read_text(encoding="utf-8", errors="replace")
        trigger = re.search(r"^desc: Trigger: Client Request: (.+)\|(.+)$", text, re.MULTILINE)
        totals = re.search(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)
        if trigger and totals:
            counts.setdefault(trigger[1], {})[trigger[2]] = int(totals[1])
    yield from counts.items()


def versions() -> dict[str, str]:
    """What the counts depend on besides our own code."""
    from importlib.metadata import version

    from fastwrap._core.common.build_info import COMPILER

    valgrind = subprocess.run(["valgrind", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return {
        "python": platform.python_version(),
        "selectolax": version("selectolax"),
        "numpy": version("numpy"),
        "compiler": COMPILER,
        "libc": " ".join(platform.libc_ver()),
        "valgrind": valgrind.removeprefix("valgrind-"),
        "machine": platform.machine(),
    }


def table(old: Mapping[str, Mapping[str, int]], new: Counts) -> Iterator[str]:
    """All counts beside those that were kept."""
    yield f"{'task':<15}{'page':<14}{'kept':>14}{'now':>14}{'ratio':>8}{'x parse':>9}"
    for task, pages in new.items():
        for page, now in pages.items():
            kept = old.get(task, {}).get(page)
            ratio = f"{now / kept:8.3f}" if kept else f"{'new':>8}"
            more = "  grew by more than 5 %" if kept and now > ALLOWED * kept else ""
            yield f"{task:<15}{page:<14}{kept or 0:>14,}{now:>14,}{ratio}{now / new['parse'][page]:>9.2f}{more}"


def grown(old: Mapping[str, Mapping[str, int]], new: Counts) -> bool:
    """Whether any count is more than 5 % larger than the one that was kept.

    >>> grown({"texts": {"a": 100}}, {"texts": {"a": 105}}), grown({"texts": {"a": 100}}, {"texts": {"a": 106}})
    (False, True)
    """
    return any(
        now > ALLOWED * old.get(task, {}).get(page, now) for task, pages in new.items() for page, now in pages.items()
    )


def main() -> int:
    """Count, compare, and keep if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="keep the new counts")
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work is not None:
        work(options.work)
        return 0
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {"versions": {}, "counts": {}}
    with tempfile.TemporaryDirectory() as folder:
        counts = count(Path(folder))
    now = versions()
    print("\n".join(table(kept["counts"], counts)))
    if options.write:
        KEPT.write_text(json.dumps({"versions": now, "counts": counts}, indent=1) + "\n", encoding="utf-8")
        return 0
    for name, version in now.items():
        if (other := kept["versions"].get(name)) != version:
            print(f"instructions: {name} is {version}; counts are kept for {other}", file=sys.stderr)
    return int(grown(kept["counts"], counts))


if __name__ == "__main__":
    sys.exit(main())
