"""From bytes to a Page, in one run against the bare parse of the same page: walk, symbols, classes, all of it.
The parse is selectolax's (`LexborHTMLParser(html)`); the plain twins read the page through its public API."""

from __future__ import annotations

from types import ModuleType

import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from selectolax.lexbor import LexborHTMLParser
from tests.reference.page import symbols as plain_symbols

from fastwrap import Page, clean
from fastwrap._core.page import symbols
from fastwrap.page.names import ATTRIBUTE_NUMBER
from fastwrap.page.public_walk import walk as public_walk
from fastwrap.page.reading import parse, read
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
@pytest.mark.parametrize("module", [symbols, plain_symbols], ids=["native", "plain"])
def test_symbols(benchmark: BenchmarkFixture, kind: str, module: ModuleType) -> None:
    benchmark.group = kind
    arrays = Page(PAGES[kind]).arrays
    attributes = arrays.attribute_start, arrays.attribute_name, arrays.value_start, arrays.values
    names = [ATTRIBUTE_NUMBER[name] for name in ("class", "style", "hidden")]
    benchmark(lambda: module.style_path_hidden(arrays.tag, arrays.parent, *attributes, *names))


@EVERY_KIND
@pytest.mark.parametrize("module", [symbols, plain_symbols], ids=["native", "plain"])
def test_classes(benchmark: BenchmarkFixture, kind: str, module: ModuleType) -> None:
    benchmark.group = kind
    page = Page(PAGES[kind])
    benchmark(lambda: module.structural_classes(page.tag, page.parent, page.size))


@EVERY_KIND
def test_page(benchmark: BenchmarkFixture, kind: str) -> None:
    benchmark.group = kind
    benchmark(lambda: Page(PAGES[kind]))


@EVERY_KIND
def test_clean(benchmark: BenchmarkFixture, kind: str) -> None:
    benchmark.group = kind
    benchmark(lambda: clean(PAGES[kind]))
