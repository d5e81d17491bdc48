"""Wrappers against the bare parse of the same page: learning one, applying it from bytes, choosing one of 1,000.
`python benchmarks/bench_wrapper.py PAGE...` prints the same as multiples of the parse, over the pages given, and
those of them that a wrapper, saved and loaded, takes longer to read than they take to be extracted anew."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from selectolax.lexbor import LexborHTMLParser

from fastwrap import Page, extract
from fastwrap.tools.bench.pages import KINDS, generate
from fastwrap.wrapper import Wrapper, WrapperSet, learn

PAGES = {kind: generate(kind, 2_000) for kind in KINDS}
EVERY_KIND = pytest.mark.parametrize("kind", PAGES)
MANY = 1_000


@cache
def wrapper_of(kind: str) -> Wrapper:
    return learn(PAGES[kind])


@cache
def many() -> WrapperSet:
    """The wrappers of the pages, among others of as many sites as make a thousand, each with classes of its own."""
    wrappers = WrapperSet(wrapper_of(kind) for kind in PAGES)
    number = 0
    while len(wrappers) < MANY:
        site = "".join("abcdefghij"[int(digit)] for digit in str(number))
        depth = number % 7
        records = f"<li class=r-{site}><a href=/1>Name</a> <b class=p>1.50 EUR</b> <i>text</i></li>" * 4
        wrappers.add(learn(f"<div class={site}>" * depth + f"<ul class='list {site}'>{records}</ul>"))
        number += 1
    return wrappers


@EVERY_KIND
def test_parse(benchmark: BenchmarkFixture, kind: str) -> None:
    benchmark.group = kind
    benchmark(lambda: LexborHTMLParser(PAGES[kind]))


@EVERY_KIND
def test_page(benchmark: BenchmarkFixture, kind: str) -> None:
    benchmark.group = kind
    benchmark(lambda: Page(PAGES[kind]))


@EVERY_KIND
def test_learn(benchmark: BenchmarkFixture, kind: str) -> None:
    benchmark.group = kind
    benchmark(lambda: learn(PAGES[kind]))


@EVERY_KIND
def test_apply(benchmark: BenchmarkFixture, kind: str) -> None:
    benchmark.group = kind
    wrapper = wrapper_of(kind)
    benchmark(lambda: [record.texts for record in wrapper.extract(PAGES[kind]).records])


@EVERY_KIND
def test_fit(benchmark: BenchmarkFixture, kind: str) -> None:
    benchmark.group = kind
    wrapper, page = wrapper_of(kind), Page(PAGES[kind])
    benchmark(lambda: wrapper.extract(page).fit)


@EVERY_KIND
def test_choose(benchmark: BenchmarkFixture, kind: str) -> None:
    benchmark.group = kind
    wrappers, page = many(), Page(PAGES[kind])
    assert wrappers.choose(page) is not None
    benchmark(lambda: wrappers.choose(page))


def seconds(work: Callable[[], object], times: int = 9) -> float:
    """The least time of several."""
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    """Measure pages from the command line."""
    found: dict[str, list[float]] = {}
    nothing = 0
    wrappers = many()
    pages = [Path(name).read_bytes() for name in sys.argv[1:]]
    learned = [Wrapper.loads(learn(html).dumps()) for html in pages]
    slower: list[tuple[float, str]] = []
    for wrapper in learned:
        wrappers.add(wrapper)
    for path, html, wrapper in zip(sys.argv[1:], pages, learned, strict=True):
        page = Page(html)
        nothing += not wrapper.patterns
        work: dict[str, Callable[[], object]] = {
            "page": lambda html=html: Page(html),  # type: ignore[misc]
            "learn": lambda html=html: learn(html),  # type: ignore[misc]
            "apply": lambda html=html, wrapper=wrapper: [r.texts for r in wrapper.extract(html).records],  # type: ignore[misc]
            "extract": lambda html=html: [r.texts for r in extract(html).records],  # type: ignore[misc]
            "json": lambda html=html, wrapper=wrapper: wrapper.extract(html).to_json(),  # type: ignore[misc]
            "find": lambda page=page, wrapper=wrapper: wrapper.extract(page).records,  # type: ignore[misc]
            "choose": lambda page=page: wrappers.choose(page),  # type: ignore[misc]
        }
        parse = seconds(lambda html=html: LexborHTMLParser(html))  # type: ignore[misc]
        for name, run in work.items():
            found.setdefault(name, []).append(seconds(run, 3 if name == "learn" else 9) / parse)
        if (share := found["apply"][-1] / found["extract"][-1]) > 1:
            slower.append((share, path))
    print(f"{len(pages)} pages, {nothing} of them without a list, {len(wrappers):,} wrappers; multiples of the parse:")
    for name, values in found.items():
        print(f"{name:<8} median {statistics.median(values):7.3f}   most {max(values):7.3f}")
    shares = [one / other for one, other in zip(found["apply"], found["extract"], strict=True)]
    print(f"apply by extract: median {statistics.median(shares):.3f}, over 1 on {len(slower)} pages")
    for share, path in sorted(slower, reverse=True):
        print(f"{share:6.2f} {path}")


if __name__ == "__main__":
    main()
