"""Columns as multiples of the bare parse of the same page: learning a template, applying it, and reading all values.
Run: python benchmarks/bench_columns.py FOLDER (pages *.htm*; the first region of each, by the default method)."""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser

import fastwrap
from fastwrap import columns
from fastwrap.extraction import Region

REPEAT = 9


def seconds(work: Callable[[], Any]) -> float:
    """How long one call takes, without the time to free its result."""
    start = time.perf_counter()
    result = work()
    spent = time.perf_counter() - start
    del result
    return spent


def measure(region: Region, html: bytes) -> dict[str, float]:
    """The median time of each step, the steps taken in turn, so that caches are as cold as between real pages."""
    page, spans = region.page, region.spans
    template = columns.learn(page, spans).template

    def typed() -> list[Any]:
        table = columns.learn(page, spans)
        return [table.nested_columns, table.nested_values, table.links]

    steps: dict[str, Callable[[], Any]] = {
        "parse": lambda: LexborHTMLParser(html),
        "learn and read texts": lambda: columns.learn(page, spans).nested_texts,
        "apply and read texts": lambda: columns.apply(template, page, spans).nested_texts,
        "learn, names, types, values": typed,
    }
    times: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(REPEAT):
        for name, work in steps.items():
            times[name].append(seconds(work))
    return {name: statistics.median(spent) for name, spent in times.items()}


def main() -> None:
    """Print the median and the 95th percentile of all pages."""
    found: list[dict[str, float]] = []
    without = 0
    gc.disable()
    for path in sorted(Path(sys.argv[1]).rglob("*.htm*")):
        html = path.read_bytes()
        extraction = fastwrap.extract(html)
        if extraction.regions:
            found.append(measure(extraction.regions[0], html))
        else:
            without += 1
    print(f"{len(found)} pages, {without} without a region")
    for name in found[0]:
        multiples = sorted(page[name] / page["parse"] for page in found)
        high = multiples[int(0.95 * (len(multiples) - 1))]
        absolute = statistics.median(page[name] for page in found) * 1e6
        print(f"{name:<30}{absolute:>8.0f} us  {statistics.median(multiples):>6.3f} x   95%: {high:.3f} x")


if __name__ == "__main__":
    main()
