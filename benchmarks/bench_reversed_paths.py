"""Reversed enhanced tag paths, in one run against the bare parse of the same page, and time per node: that at 100,000
nodes must be 1.5 times that at 2,000 at most. The saved JSON has both as extra information."""

from __future__ import annotations

import timeit
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from selectolax.lexbor import LexborHTMLParser

from fastwrap import Page
from fastwrap.tools.bench.pages import KINDS, generate

PAGES = {kind: generate(kind, 2_000) for kind in KINDS}


@pytest.mark.parametrize("kind", PAGES)
def test_retps(benchmark: BenchmarkFixture, kind: str) -> None:
    benchmark.group = f"reversed paths, {kind}"
    html = PAGES[kind]
    page = Page(html)
    assert len(benchmark(page.retps)) == page.text_count(0, len(page))
    # by turns and by the fastest of each: the machine may be busy at times
    times = [
        (timeit.timeit(page.retps, number=5), timeit.timeit(lambda: LexborHTMLParser(html), number=5)) for _ in range(9)
    ]
    paths, parse = (min(column) for column in zip(*times, strict=True))
    benchmark.extra_info["of_parse"] = round(paths / parse, 3)


@pytest.mark.parametrize("levels", [1, 10_000])
@pytest.mark.parametrize("nodes", [2_000, 100_000])
def test_retps_by_size(benchmark: Any, nodes: int, levels: int) -> None:
    """Flat, and with as many levels as a page may have: a path is cut, so depth costs nothing."""
    benchmark.group = f"reversed paths, {min(nodes, levels):,} levels"
    deep = "<div class=box>" * min(levels, nodes // 2)
    page = Page(deep + "<p class=price>$1 <a href=/item>Tea</a></p>" * ((nodes - min(levels, nodes // 2)) // 4))
    benchmark(page.retps)
    # the minimum: a call of milliseconds is interrupted more often than one of microseconds
    benchmark.extra_info["nodes"] = len(page)
    benchmark.extra_info["ns_per_node"] = round(benchmark.stats.stats.min / len(page) * 1e9, 2)
