"""The guard before the parse, in one run against the bare parse of the same page: ordinary pages, and worst ones.
`check` is what a Page pays; `scan` is the part of it that most pages are spared."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from selectolax.lexbor import LexborHTMLParser
from tests.reference.page.nesting import scan as plain_scan

from fastwrap._core.page.nesting import scan
from fastwrap.page.nesting import check
from fastwrap.tools.bench.pages import KINDS, generate

PAGES = {f"{kind}, {nodes:,} nodes": generate(kind, nodes) for kind in KINDS for nodes in (1_000, 10_000)}
EVERY_PAGE = pytest.mark.parametrize("name", PAGES)

WORST = {
    "50 MB of tags": b"<p class=x>text</p>" * 2_600_000,
    "50 MB of text": b"x" * 50_000_000,
    "10,000 levels": b"<div>" * 10_000,
    "as many steps as are allowed": b"<span>" * 10_000 + b"</x>" * 49_000,
    "as many elements as are allowed": b"<p>" + b"".join(b"<b id=%d>" % k for k in range(1_000)) + b"<p>x" * 1_900,
}


@EVERY_PAGE
def test_parse(benchmark: BenchmarkFixture, name: str) -> None:
    benchmark.group = name
    benchmark(lambda: LexborHTMLParser(PAGES[name], scripting=True))


@EVERY_PAGE
def test_check(benchmark: BenchmarkFixture, name: str) -> None:
    benchmark.group = name
    benchmark(check, PAGES[name])


@EVERY_PAGE
def test_scan(benchmark: BenchmarkFixture, name: str) -> None:
    benchmark.group = name
    benchmark(scan, PAGES[name])


@pytest.mark.parametrize("name", [name for name in PAGES if "1,000" in name])
def test_scan_in_plain_python(benchmark: BenchmarkFixture, name: str) -> None:
    benchmark.group = name
    benchmark(plain_scan, PAGES[name])


@pytest.mark.parametrize("name", WORST)
def test_scan_of_the_worst(benchmark: BenchmarkFixture, name: str) -> None:
    benchmark.group = name
    benchmark(scan, WORST[name])
