"""Measures `fastwrap batch` on generated pages in WARCs: its speed against a loop in memory, and how it grows.

    python benchmarks/batch.py                        ratios: one worker and two against the loop, in turns
    python benchmarks/batch.py --engine ray           and Ray on one node against the local engine
    python benchmarks/batch.py --scale 200000         one long run: memory, and speed in each tenth of it
    python benchmarks/batch.py --auto-site            either of them with wrappers

The pages are those of `fastwrap bench`, --distinct of them (default: 1,000) of five sites, over and over again.
Processor time is counted beside the clock, since other work on the machine changes that least. What is printed is JSON.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from fastwrap import batch
from fastwrap.batch.reading import Reading, parsed
from fastwrap.batch.sources import sources_of
from fastwrap.output.nested import PageRows
from fastwrap.tools.bench.pages import KINDS, generate

NODES = (300, 600, 1_200, 2_000)
IN_A_FILE = 5_000


def record_of(number: int) -> bytes:
    """A page as a record of a WARC, compressed by itself as crawlers have it."""
    kind = list(KINDS)[number % len(KINDS)]
    html = generate(kind, Random(number).choice(NODES), seed=number)
    charset = KINDS[kind].encoding
    http = (
        f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset={charset}\r\nContent-Length: {len(html)}\r\n\r\n".encode()
    )
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://{kind}.example/{number}\r\n"
        f"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:{number:032x}>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http) + len(html)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + http + html + b"\r\n\r\n", 6)


def write_warcs(folder: Path, pages: int, distinct: int) -> None:
    """Files of so many pages in all."""
    folder.mkdir(parents=True)
    records = [record_of(number) for number in range(min(distinct, pages))]
    for start in range(0, pages, IN_A_FILE):
        with open(folder / f"{start:09}.warc.gz", "wb") as file:
            for number in range(start, min(start + IN_A_FILE, pages)):
                file.write(records[number % len(records)])


def processor_seconds() -> float:
    """Of this process and of those that it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def timed(work: Callable[[], Any]) -> tuple[float, float]:
    """Seconds by the clock, and of the processors."""
    clock, used = time.perf_counter(), processor_seconds()
    work()
    return time.perf_counter() - clock, processor_seconds() - used


def loop(pages: list[Any], reading: Reading) -> Callable[[], None]:
    """The same work in memory, by one thread: pages that are in memory already become rows that stay there."""

    def work() -> None:
        rows = PageRows()
        for raw in pages:
            rows.add(reading.extract(parsed(raw)))
        rows.batch()

    return work


@contextmanager
def memory_watched(peaks: dict[str, int]) -> Iterator[None]:
    """Keeps the most memory that this process and its children had together (proportional set size)."""
    stop = threading.Event()

    def watch() -> None:
        while not stop.wait(1):
            tree = [os.getpid(), *children(os.getpid())]
            sizes = [size for size in map(proportional, tree) if size]
            peaks["processes"] = max(peaks.get("processes", 0), len(sizes))
            peaks["bytes"] = max(peaks.get("bytes", 0), sum(sizes))
            peaks["largest"] = max(peaks.get("largest", 0), max(sizes, default=0))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def children(above: int) -> list[int]:
    """The processes below one."""
    found = []
    for task in Path(f"/proc/{above}/task").glob("*/children"):
        for name in task.read_text().split():
            found += [int(name), *children(int(name))]
    return found


def proportional(process: int) -> int:
    """The memory of a process, what it shares with others counted in part."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return 1024 * int(next(line for line in lines if line.startswith("Pss:")).split()[1])


def ratios(folder: Path, options: argparse.Namespace) -> None:
    """The loop, one worker and two, in turns."""
    write_warcs(folder / "in", options.pages, options.distinct)
    reading = Reading(auto_site=options.auto_site)
    pages = []
    for source in sources_of([str(folder / "in")]):
        start: int | None = 0
        while start is not None:
            reach = source.read(start)
            pages += reach.pages
            start = reach.end
    runs: dict[str, Callable[[], Any]] = {} if options.auto_site else {"loop": loop(pages, reading)}

    def run(workers: int, engine: str = "local") -> None:
        shutil.rmtree(folder / "out", ignore_errors=True)
        batch.run([folder / "in"], folder / "out", reading, engine=engine, workers=workers)

    runs |= {"batch, 1 worker": lambda: run(1), f"batch, {options.workers} workers": lambda: run(options.workers)}
    if options.engine == "ray":
        run(options.workers, "ray")  # which starts it
        runs[f"ray, {options.workers} workers"] = lambda: run(options.workers, "ray")
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in runs}
    for _ in range(options.repeat):
        for name, work in runs.items():
            times[name].append(timed(work))
    for name, both in times.items():
        clock, used = (statistics.median(each) for each in zip(*both, strict=True))
        line = {
            "run": name, "pages": options.pages, "pages/s": round(options.pages / clock), "seconds": round(clock, 2),
            "processor ms/page": round(1000 * used / options.pages, 3),
        }  # fmt: skip
        print(json.dumps(line), flush=True)


def scale(folder: Path, options: argparse.Namespace) -> None:
    """One long run."""
    write_warcs(folder / "in", options.scale, options.distinct)
    told: list[tuple[float, float, int]] = []
    peaks: dict[str, int] = {}
    used = processor_seconds()
    begun = time.perf_counter()
    with memory_watched(peaks):
        done = batch.run(
            [folder / "in"], folder / "out", Reading(auto_site=options.auto_site), workers=options.workers,
            tell=lambda so_far: told.append((time.perf_counter() - begun, so_far.seconds, so_far.pages)),
        )  # fmt: skip
    clock = time.perf_counter() - begun
    used = processor_seconds() - used
    tenths = []
    for tenth in range(10):
        inside = [each for each in told if tenth * options.scale <= 10 * each[2] <= (tenth + 1) * options.scale]
        (first, first_used, before), (last, last_used, after) = inside[0], inside[-1]
        tenths.append(
            {"pages/s": round((after - before) / max(last - first, 1e-9)),
             "pages/processor s": round((after - before) / max(last_used - first_used, 1e-9))}
        )  # fmt: skip
    line = {
        "pages": done.pages, "records": done.records, "errors": done.errors, "wrappers": done.wrappers,
        "pages/s": round(done.pages / clock), "seconds": round(clock, 1), "processor seconds": round(used, 1),
        "bytes read": sum(file.stat().st_size for file in (folder / "in").iterdir()), "bytes written": done.bytes,
        "memory of all processes (PSS)": peaks["bytes"], "memory of the largest": peaks["largest"],
        "most resident, any child": 1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, "tenths": tenths,
    }  # fmt: skip
    print(json.dumps(line, indent=1))


def main() -> int:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=4_000)
    parser.add_argument("--distinct", type=int, default=1_000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--engine", choices=batch.ENGINES, default="local")
    parser.add_argument("--auto-site", action="store_true")
    parser.add_argument("--scale", type=int, metavar="PAGES")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        (ratios if options.scale is None else scale)(Path(folder), options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
