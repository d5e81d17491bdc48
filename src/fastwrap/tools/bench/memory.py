"""Measures the most memory that a task takes, each in a process of its own: what one has freed, another would reuse.
Run as a module it is that process: `python -m fastwrap.tools.bench.memory TASK` reads the page from standard input."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from fastwrap.errors import FastwrapError

STATUS = Path("/proc/self/status")
WARMING_PAGE = b"<ul>" + b"<li><a href=/1>one</a> <b>1.00</b></li>" * 5 + b"</ul>"


@dataclass(frozen=True)
class PeakMemory:
    """The most memory that tasks on one page need at once."""

    page: str
    nodes: int
    html_bytes: int
    bytes_by_task: dict[str, int]


def peak(task: str, html: bytes) -> int:
    """Bytes that a task takes at its peak, in a process of its own that has done it before on a small page.

    >>> 0 <= peak("texts", WARMING_PAGE) < 100_000_000
    True
    """
    command = [sys.executable, "-m", "fastwrap.tools.bench.memory", task]
    done = subprocess.run(command, input=html, capture_output=True, check=False)
    if done.returncode:
        raise FastwrapError(f"no memory was measured: {done.stderr.decode('utf-8', 'replace').strip()[-200:]}")
    return int(done.stdout)


def measure(nodes: int, name: str, html: bytes) -> PeakMemory | None:
    """The peaks of the bare parse and of the records' texts on a page; None where the system does not tell."""
    if not STATUS.exists():
        return None
    return PeakMemory(name, nodes, len(html), {task: peak(task, html) for task in ("parse", "texts")})


def resident_peak() -> int:
    """The most bytes that this process had in memory so far; Linux alone tells that of this process only."""
    peak = re.search(r"^VmHWM:\s+(\d+) kB", STATUS.read_text(), re.MULTILINE)
    if peak is None:
        raise FastwrapError(f"{STATUS} does not tell the peak")
    return 1024 * int(peak[1])


def main(task: str) -> None:
    """Print by how many bytes a task raises the peak of this process."""
    from fastwrap.tools.bench.stages import task_of

    html = sys.stdin.buffer.read()
    task_of(task, WARMING_PAGE)()
    work = task_of(task, html)
    before = resident_peak()
    work()
    print(resident_peak() - before)


if __name__ == "__main__":
    main(sys.argv[1])
