"""How both tools take times: without the garbage collector, against the bare parse of the same page, as medians.
Nothing here knows what is timed."""

from __future__ import annotations

import gc
import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

from selectolax.lexbor import LexborHTMLParser

LARGE_BLOCK = 30_000_000  # bytes; glibc learns from blocks of up to 32 MiB

Clock: TypeAlias = Callable[[], float]
Task: TypeAlias = Callable[[], Any]


@contextmanager
def without_collector() -> Iterator[None]:
    """Keep the garbage collector from running in the middle of what is timed, as `timeit` does; memory is settled."""
    collecting = gc.isenabled()
    # As in a process that has worked for a while: glibc gives memory back to the system after every parse until a large
    # block has been freed once, and the page faults of that would make the bare parse half as slow again.
    bytearray(LARGE_BLOCK)
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def seconds_of(work: Task, clock: Clock) -> float:
    """Seconds that something takes, until its result is gone."""
    start = clock()
    work()
    return clock() - start


def bare_parse(html: bytes) -> Task:
    """The parse that all is compared with, of what may safely reach it: two references overflow its buffer."""
    safe = html.replace(b"&nGt;", "\u226b\u20d2".encode()).replace(b"&nLt;", "\u226a\u20d2".encode())
    return lambda: LexborHTMLParser(safe)


def medians(rounds: Sequence[dict[str, float]]) -> dict[str, float]:
    """The median of each figure.

    >>> medians([{"a": 1.0}, {"a": 5.0}, {"a": 2.0}])
    {'a': 2.0}
    """
    return {name: statistics.median(figures[name] for figures in rounds) for name in rounds[0]}


def percentile(values: Iterable[float], share: float) -> float:
    """The smallest value that at least this share of all values does not exceed.

    >>> percentile([3.0, 1.0, 2.0], 0.95), percentile(range(1, 101), 0.95)
    (3.0, 95)
    """
    ordered = sorted(values)
    return ordered[math.ceil(share * len(ordered)) - 1]
