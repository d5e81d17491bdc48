"""From bytes to a Page, in one run against the bare parse of the same page: walk, symbols, classes, all of it.
The parse is selectolax's (`LexborHTMLParser(html)`); the walk of its public API is there to compare."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from selectolax.lexbor import LexborHTMLParser
from tests.reference.page.walk import parse
from tests.reference.page.walk import walk as public_walk

from fastwrap import Page, clean
from fastwrap._core.common.page import NativePage
from fastwrap._core.page import symbols
from fastwrap.page.reading import read
from fastwrap.tools.bench.pages import KINDS, generate

PAGES = {kind: generate(kind, 2_000) for kind in KINDS}
EVERY_KIND = pytest.mark.parametrize("kind", PAGES)


@EVERY_KIND
def test_parse(benchmark: BenchmarkFixture, kind: str) -> None:
    benchmark.group = kind
    benchmark(lambda: LexborHTMLParser(PAGES[kind]))


@EVERY_KIND
def test_read(benchmark: BenchmarkFixture, kind: str) -> None:
    """Parse and walk: Lexbor called directly."""
    benchmark.group = kind
    benchmark(lambda: read(PAGES[kind], {}))


@EVERY_KIND
def test_walk_of_the_public_api(benchmark: BenchmarkFixture, kind: str) -> None:
    benchmark.group = kind
    parser = parse(PAGES[kind])
    benchmark(lambda: public_walk(parser, {}))


@EVERY_KIND
def test_symbols(benchmark: BenchmarkFixture, kind: str) -> None:
    """The check of the arrays included: what has been computed is kept with the native page."""
    benchmark.group = kind
    arrays = Page(PAGES[kind]).arrays
    benchmark(lambda: symbols.need_symbols(NativePage(arrays)))


@EVERY_KIND
def test_classes(benchmark: BenchmarkFixture, kind: str) -> None:
    benchmark.group = kind
    arrays = Page(PAGES[kind]).arrays
    benchmark(lambda: symbols.need_classes(NativePage(arrays)))


@EVERY_KIND
def test_page(benchmark: BenchmarkFixture, kind: str) -> None:
    benchmark.group = kind
    benchmark(lambda: Page(PAGES[kind]))


@EVERY_KIND
def test_clean(benchmark: BenchmarkFixture, kind: str) -> None:
    benchmark.group = kind
    benchmark(lambda: clean(PAGES[kind]))
