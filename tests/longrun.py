"""A long run: very many extractions on several threads, memory flat, results those of a single thread.
`python tests/longrun.py [COUNT] [--threads N]` prints memory as it goes; ends with status 1 if anything differs."""

from __future__ import annotations

import argparse
import hashlib
import sys
import threading
import time
from itertools import count
from pathlib import Path

import fastwrap
from fastwrap.tools.bench.pages import KINDS, generate

SIZES = (100, 250, 1_500)
"""Nodes a page, as often as the numbers of `SHARES` say: most are small, so that a million take minutes."""

SHARES = (24, 4, 1)

IN_FULL = 20
"""One page in so many is asked for all that it has; others for their texts, which is what most people want."""

BY_WRAPPER = 3
"""One page in so many is read by its wrapper, which all threads share."""

REPORTS = 20
WARM_UP = 0.1
"""Of the run, after which memory must not grow any more, ..."""

GROWTH = 20_000_000
"""... by more than so many bytes, whatever the number of extractions: what the allocator may keep for later."""


def pages() -> list[bytes]:
    """Pages of all kinds, in an order in which large and small ones alternate."""
    made = [
        generate(kind, nodes, seed=seed)
        for nodes, share in zip(SIZES, SHARES, strict=True)
        for seed in range(share)
        for kind in KINDS
    ]
    return made[::2] + made[1::2]


def digest(html: bytes, wrapper: fastwrap.Wrapper | None, in_full: bool) -> bytes:
    """What a page gives, as a hash: by the wrapper if there is one, else without."""
    found = fastwrap.extract(html) if wrapper is None else wrapper.extract(html)
    result: list[object] = [record.texts for record in found.records]
    if in_full:
        result += [record.values for record in found.records]
        result += [region.spans.tolist() for region in found.regions]
        result += [found.next_page, found.confidence, found.to_json()]
        if wrapper is not None:
            result.append(wrapper.check(html))
    return hashlib.blake2b(repr(result).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def resident() -> int:
    """Bytes of memory that the process has at the moment."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


class Run:
    """The work of all threads: which extraction is next, what differs, and how much memory there was."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.work_of = [
            (html, None if k % BY_WRAPPER else fastwrap.learn(html), k % IN_FULL == 0) for k, html in enumerate(pages())
        ]
        """For each page the arguments of `digest`."""
        self.expected = [digest(*work) for work in self.work_of]
        self.numbers = count()
        self.differing: list[int] = []
        self.failed: list[BaseException] = []
        self.memory: list[tuple[int, int]] = []
        self.began = time.monotonic()

    def work(self) -> None:
        """What one thread does."""
        every = max(1, self.total // REPORTS)
        try:
            while (number := next(self.numbers)) < self.total and not self.failed:
                page = number * 7919 % len(self.work_of)  # a prime: neighbours are of different sizes
                if digest(*self.work_of[page]) != self.expected[page]:
                    self.differing.append(page)
                if number % every == 0:
                    self.report(number)
        except BaseException as error:  # whatever it is: a thread must not end unseen
            self.failed.append(error)
            raise

    def report(self, number: int) -> None:
        """Note and print how much memory there is."""
        self.memory.append((number, resident()))
        seconds = time.monotonic() - self.began
        print(f"{number:>10,} extractions  {self.memory[-1][1] / 1e6:8.1f} MB  {seconds:7.0f} s", flush=True)

    def go(self, threads: int) -> bool:
        """Run; True if all went well."""
        self.began = time.monotonic()
        workers = [threading.Thread(target=self.work) for _ in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.report(self.total)
        settled = [memory for number, memory in sorted(self.memory) if number >= WARM_UP * self.total]
        growth = settled[-1] - settled[0]
        print(
            f"{self.total:,} extractions of {len(self.work_of)} pages on {threads} threads:"
            f" {len(self.differing)} differ, {len(self.failed)} failed,"
            f" memory grew by {growth / 1e6:.1f} MB after the first {WARM_UP:.0%}"
        )
        return not self.differing and not self.failed and growth <= GROWTH


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1_000_000, help="extractions (default 1,000,000)")
    parser.add_argument("--threads", type=int, default=4)
    arguments = parser.parse_args()
    return 0 if Run(arguments.count).go(arguments.threads) else 1


if __name__ == "__main__":
    sys.exit(main())
