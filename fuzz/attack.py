#!/usr/bin/env python3
"""The attack: real pages spliced, cut, duplicated and damaged, through all that the library does with a page.
More than 2 s of processor time for a step, 1 GB of memory, a crash or an exception but FastwrapError is a finding."""

from __future__ import annotations

import argparse
import multiprocessing
import re
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from cases import Case, Sources
from steps import Finding, Outcome, Run, place_of, prepare_watch

from fastwrap import methods

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
ADDRESS_SPACE = 4_000_000_000
SILENCE = 300.0
"""Seconds after which a process that says nothing is ended: it waits, or it would have ended itself."""

KEPT = 3
"""Cases that are kept of one finding."""

REPORT_EVERY = 30.0
FORK = multiprocessing.get_context("fork")


class Worker:
    """A process that runs cases, one after the other."""

    def __init__(self, sources: Sources, seed: int, folder: Path) -> None:
        self.stacks = folder / "stacks.txt"
        self.stacks.touch()
        self.folder = folder
        self.connection, other = FORK.Pipe()
        self.process = FORK.Process(target=work, args=(self.connection, other, sources, seed, folder), daemon=True)
        self.process.start()
        other.close()
        self.number: int | None = None
        self.since = time.monotonic()

    def give(self, number: int | None) -> None:
        """The next case; None ends it."""
        self.number, self.since = number, time.monotonic()
        self.connection.send(number)

    def last_words(self) -> Outcome:
        """What to report of the case at which it died."""
        assert self.number is not None
        self.process.join(10)
        code = self.process.exitcode or 0
        stack = self.stacks.read_text(encoding="utf-8", errors="replace")
        step = re.match(r"step: (.+)", stack)
        kind = "time" if code == -signal.SIGVTALRM else signal.Signals(-code).name if code < 0 else f"exit {code}"
        detail = f"the process ended: {'much too long' if kind == 'time' else kind}\n{stack}"
        finding = Finding(kind, step[1] if step else "", place_of(stack), detail)
        return Outcome(self.number, 0, findings=[finding])


def work(above: Connection, connection: Connection, sources: Sources, seed: int, folder: Path) -> None:
    """What a worker's process does, until it is told to end or the process that started it has ended."""
    above.close()  # the other end, which must not be held here: its end is how that is noticed
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with (folder / "stacks.txt").open("w", encoding="utf-8") as stacks:
        prepare_watch(stacks)
        with suppress(EOFError, ConnectionError, KeyboardInterrupt):
            while (number := connection.recv()) is not None:
                connection.send(Run(sources.case(seed, number), number, folder, stacks).go())


def outcomes(sources: Sources, seed: int, numbers: Iterable[int], workers: int) -> Iterator[Outcome]:
    """Run cases in other processes, and start new ones for those that die."""
    with tempfile.TemporaryDirectory(prefix="attack") as temporary:
        folders = [Path(temporary, str(k)) for k in range(workers)]
        for folder in folders:
            folder.mkdir()
        remaining = iter(numbers)
        busy: list[Worker] = []
        for folder in folders:
            if (number := next(remaining, None)) is not None:
                busy.append(Worker(sources, seed, folder))
                busy[-1].give(number)
        while busy:
            wait([worker.connection for worker in busy], timeout=5)
            for place, worker in reversed(list(enumerate(busy))):
                if worker.connection.poll():
                    try:
                        outcome = worker.connection.recv()
                    except EOFError:
                        outcome = worker.last_words()
                elif time.monotonic() - worker.since > SILENCE:
                    worker.process.kill()
                    outcome = worker.last_words()
                else:
                    continue
                number = next(remaining, None)
                if worker.process.exitcode is not None and number is not None:
                    busy[place] = worker = Worker(sources, seed, worker.folder)
                if worker.process.exitcode is None:
                    worker.give(number)
                if number is None:
                    worker.process.join()
                    del busy[place]
                yield outcome


class Summary:
    """What came of all cases."""

    def __init__(self, total: int, folder: Path) -> None:
        self.total, self.folder = total, folder
        self.done = self.bytes = self.memory = 0
        self.began = self.reported = time.monotonic()
        self.findings: Counter[tuple[str, str]] = Counter()
        self.refused: Counter[str] = Counter()
        self.seconds: Counter[str] = Counter()
        self.slow: list[tuple[float, str, int, int]] = []
        """Seconds, the step, the bytes of the page and the number of the case."""
        self.slow_for_size: list[tuple[float, str, int, int]] = []
        """The same, the first being the seconds that 100,000 bytes of the like would take at the least."""

    def add(self, outcome: Outcome, case_of: Any) -> None:
        """Count a case; keep the page if there is a finding."""
        self.done += 1
        self.bytes += outcome.size
        self.memory = max(self.memory, outcome.memory)
        self.refused.update(outcome.refused)
        self.seconds.update(outcome.seconds)
        for step, seconds in outcome.seconds.items():
            self.slow.append((seconds, step, outcome.size, outcome.number))
            for_size = seconds * 100_000 / max(10_000, outcome.size)
            self.slow_for_size.append((for_size, step, outcome.size, outcome.number))
        for finding in outcome.findings:
            self.findings[finding.kind, finding.place] += 1
            self.keep(finding, outcome.number, case_of)
        for slow in (self.slow, self.slow_for_size):
            if len(slow) > 10_000:
                slow.sort(reverse=True)
                del slow[20:]
        if time.monotonic() - self.reported > REPORT_EVERY:
            self.report()

    def keep(self, finding: Finding, number: int, case_of: Any) -> None:
        """Write down what was found, and the page."""
        name = re.sub(r"[^\w.]+", "-", f"{finding.kind}-{finding.place}")
        if self.findings[finding.kind, finding.place] > KEPT:
            return
        print(f"case {number}: {finding.kind} in {finding.step}, at {finding.place}", file=sys.stderr, flush=True)
        folder = self.folder / name / str(number)
        folder.mkdir(parents=True, exist_ok=True)
        case: Case = case_of(number)
        (folder / "page.html").write_bytes(case.page)
        (folder / "second.html").write_bytes(case.second)
        what = f"case {number}, url {case.url!r}, method {case.method}, clean {case.clean}\n{finding.step}\n\n"
        (folder / "what.txt").write_text(what + finding.detail, encoding="utf-8")

    def report(self) -> None:
        """A line about how far it is."""
        self.reported = time.monotonic()
        speed = self.done / (self.reported - self.began)
        print(
            f"{self.done:,} of {self.total:,} cases, {speed:.1f} a second, {len(self.findings)} findings",
            file=sys.stderr,
            flush=True,
        )

    def print(self) -> None:
        """All that was learned."""
        seconds = time.monotonic() - self.began
        print(
            f"{self.done:,} cases in {seconds:.0f} s, {self.bytes / max(1, self.done):,.0f} bytes on average,"
            f" at most {self.memory / 1e6:.0f} MB of memory"
        )
        print(
            "refused with FastwrapError:", ", ".join(f"{step} {n}" for step, n in self.refused.most_common()) or "none"
        )
        print("seconds by step:", ", ".join(f"{step} {spent:.1f}" for step, spent in self.seconds.most_common()))
        for title, slow in (("slowest steps", self.slow), ("slowest for 100,000 bytes", self.slow_for_size)):
            print(f"{title}:")
            for seconds, step, size, number in sorted(slow, reverse=True)[:10]:
                print(f"  case {number}, {size:,} bytes: {step}, {seconds:.2f} s")
        for (kind, place), count in self.findings.most_common():
            print(f"FOUND {count} times: {kind} at {place}")
        print(f"{len(self.findings)} findings" + (f", kept in {self.folder}" if self.findings else ""))


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000, help="how many (default 100,000)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--case", type=int, metavar="N", help="this one alone; prints the time of each step")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--corpus", type=Path, help="a folder of pages (default ../shared/corpus, else examples/)")
    parser.add_argument("--fragments", type=Path, default=SHARED / "html5lib-tests", help="html5lib-tests")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "attack", help="where findings are kept")
    arguments = parser.parse_args()
    corpus = arguments.corpus or next(filter(Path.is_dir, (SHARED / "corpus", ROOT / "examples")))
    sources = Sources(corpus, arguments.fragments, [method for method in methods() if method != "auto"])
    if not sources.paths:
        parser.error(f"{corpus} has no pages")
    alone = arguments.case is not None
    numbers = [arguments.case] if alone else range(arguments.first, arguments.first + arguments.cases)
    summary = Summary(len(numbers), arguments.folder)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)  # also where a shell has it ignored, in the background
    with suppress(KeyboardInterrupt):  # what is known by then is told
        for outcome in outcomes(sources, arguments.seed, numbers, arguments.workers):
            summary.add(outcome, lambda number: sources.case(arguments.seed, number))
            for finding in outcome.findings if alone else ():
                print(f"{finding.kind} in {finding.step}, at {finding.place}\n{finding.detail}")
    summary.print()
    return 1 if summary.findings else 0


if __name__ == "__main__":
    sys.exit(main())
