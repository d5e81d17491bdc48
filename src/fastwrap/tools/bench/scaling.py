"""Times tasks as pages grow, and as threads are added: time per node at each size, speed with each number.
Threads share one interpreter, so they are timed by the clock on the wall."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import fastwrap
from fastwrap.tools.bench.pages import generate
from fastwrap.tools.bench.stages import PARSE, TEXTS, WRAPPER, task_of
from fastwrap.tools.timing import Clock, medians, seconds_of, without_collector

THREADS = (1, 2, 4)

ENOUGH_BYTES, ENOUGH_READS = 10_000_000, 60
"""All threads together read the pages again and again in a round, until there were so many bytes or so many pages."""


@dataclass(frozen=True)
class SizeTimes:
    """Generated pages of one kind, by the number of their nodes."""

    kind: str
    nodes: list[int]  # of each page, as they came out
    seconds: Mapping[str, list[float]]  # by task: median seconds of each page


@dataclass(frozen=True)
class ThreadTimes:
    """One task by the number of threads."""

    task: str
    nodes: int  # that all threads together read in a round
    seconds: Mapping[int, float]
    """Of the fastest round, on the wall, by number of threads: other processes take cores away, and add none."""


def measure_sizes(kind: str, sizes: Sequence[int], repeat: int, clock: Clock = time.process_time) -> SizeTimes:
    """Time pages of one kind and several sizes, in turn.

    >>> times = measure_sizes("table", [100, 200], repeat=1)
    >>> times.nodes, list(times.seconds)
    ([100, 200], ['parse', 'texts', 'wrapper texts'])
    """
    pages = [generate(kind, size) for size in sizes]
    tasks = [{name: task_of(name, html) for name in (PARSE, TEXTS, WRAPPER)} for html in pages]
    with without_collector():
        rounds = [
            [{name: seconds_of(work, clock) for name, work in of_page.items()} for of_page in tasks]
            for _ in range(repeat)
        ]
    taken = [medians(of_page) for of_page in zip(*rounds, strict=True)]
    nodes = [len(fastwrap.Page(html)) for html in pages]
    return SizeTimes(kind, nodes, {name: [of_page[name] for of_page in taken] for name in taken[0]})


def measure_threads(
    pages: Sequence[bytes], task: str, repeat: int, threads: Sequence[int] = THREADS, clock: Clock = time.perf_counter
) -> ThreadTimes:
    """Time a task on all pages by several numbers of threads, in turn; the largest pages are begun with.

    >>> times = measure_threads([b"<ul><li>one<li>two</ul>"], "texts", repeat=1, threads=(1, 2))
    >>> times.nodes, list(times.seconds)
    (480, [1, 2])
    """
    ordered = sorted(pages, key=len, reverse=True)
    nodes = sum(len(fastwrap.Page(html)) for html in ordered)
    times = math.ceil(min(ENOUGH_BYTES / max(1, sum(map(len, ordered))), ENOUGH_READS / len(ordered)))
    works = [work for html in ordered for work in [task_of(task, html)] * times]
    seconds: dict[int, list[float]] = {number: [] for number in threads}
    with without_collector():
        for _ in range(repeat):
            for number in threads:
                with ThreadPoolExecutor(number) as pool:
                    list(pool.map(str, range(number)))  # its threads are started before the clock is
                    start = clock()
                    for future in [pool.submit(work) for work in works]:
                        future.result()
                    seconds[number].append(clock() - start)
    return ThreadTimes(task, nodes * times, {number: min(taken) for number, taken in seconds.items()})
