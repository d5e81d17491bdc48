"""Times the pipeline stage by stage, as multiples of the bare parse of the same page in the same run.
Stages are interleaved page by page and medians taken, so that a noisy machine disturbs all alike."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from fastwrap import nesting
from fastwrap.decode import decode
from fastwrap.noise import main_region, prune
from fastwrap.page import Page, arrays_of, parse
from fastwrap.references import spell_out

PARSE = "parse"


@dataclass(frozen=True)
class PageTimes:
    """One page: its size, and the seconds that each stage took (median of the repeats)."""

    name: str
    html_bytes: int
    nodes: int
    page_bytes: int
    """What the Page holds besides its text and attribute values."""
    seconds: dict[str, float]


@dataclass(frozen=True)
class StageFigures:
    """One stage over all pages, as a multiple of the parse of the same page."""

    name: str
    seconds: float
    """Median over the pages."""
    median: float
    percentile_95: float


def run_stages(html: bytes) -> dict[str, float]:
    """One pass of a page through all stages: seconds by stage, in order."""
    seconds: dict[str, float] = {}

    def stage(name: str, work: Callable[[], Any]) -> Any:
        start = time.perf_counter()
        result = work()
        seconds[name] = time.perf_counter() - start
        return result

    bare = spell_out(html)  # the references that would overflow the parser's buffer must not reach it here either
    stage(PARSE, lambda: LexborHTMLParser(bare))
    decoded = stage("decode", lambda: decode(html))
    stage("nesting guard", lambda: nesting.check(decoded.html))
    parser = parse(spell_out(decoded.html))
    stage("walk", lambda: arrays_of(parser, {}))
    page = Page(html)
    stage("symbols", lambda: page.path_symbol)
    stage("classes", lambda: page.structural_class)
    region = stage("region search", lambda: main_region(page))
    stage("prune", lambda: prune(page, region.start, region.end))
    stage("complete Page (parse included)", lambda: complete(html))
    return seconds


def complete(html: bytes) -> Page:
    """A Page with everything that is computed on first use: what a method that needs it all pays."""
    page = Page(html)
    page.path_symbol, page.structural_class  # noqa: B018 - computed on first use
    return page


def measure(name: str, html: bytes, repeat: int) -> PageTimes:
    """Time one page `repeat` times.

    >>> times = measure("small", b"<ul><li>one<li>two</ul>", repeat=3)
    >>> times.nodes, sorted(times.seconds)[0]
    (8, 'classes')
    """
    page = complete(html)  # first of all: what is refused here must not reach the bare parser
    collecting = gc.isenabled()
    gc.disable()
    try:
        runs = [run_stages(html) for _ in range(repeat)]
    finally:
        if collecting:
            gc.enable()
    texts = len(page.arrays.text) + len(page.arrays.values)
    return PageTimes(
        name=name,
        html_bytes=len(html),
        nodes=len(page),
        page_bytes=page.nbytes - texts,
        seconds={stage: statistics.median(run[stage] for run in runs) for stage in runs[0]},
    )


def summary(pages: Iterable[PageTimes]) -> list[StageFigures]:
    """Every stage over all pages, in order of the pipeline."""
    measured = list(pages)
    return [stage_figures(stage, measured) for stage in measured[0].seconds]


def stage_figures(stage: str, pages: list[PageTimes]) -> StageFigures:
    """One stage over all pages."""
    multiples = sorted(page.seconds[stage] / page.seconds[PARSE] for page in pages)
    return StageFigures(
        name=stage,
        seconds=statistics.median(page.seconds[stage] for page in pages),
        median=statistics.median(multiples),
        percentile_95=multiples[int(0.95 * (len(multiples) - 1))],
    )
