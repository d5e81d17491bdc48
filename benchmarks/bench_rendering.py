"""The text and the Markdown of a page of which all is kept, in one run against the bare parse of the same page. The
saved JSON has both as extra information."""

from __future__ import annotations

import timeit
from collections.abc import Callable

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from selectolax.lexbor import LexborHTMLParser

from fastwrap import Page
from fastwrap.noise import rendering
from fastwrap.noise.labelling import Labels, label
from fastwrap.noise.markdown import markdown
from fastwrap.tools.bench.pages import KINDS, generate

PAGES = {kind: generate(kind, 2_000) for kind in KINDS}

WRITERS: dict[str, Callable[[Labels], str]] = {
    "text": lambda labels: rendering.text(labels.page, labels.starts, labels.ends),
    "markdown": markdown,
}


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("kind", PAGES)
def test_rendering(benchmark: BenchmarkFixture, kind: str, writer: str) -> None:
    benchmark.group = f"{writer}, {kind}"
    html = PAGES[kind]
    labels = label(Page(html))
    labels = labels._replace(content=np.ones(len(labels.starts), dtype=bool))

    def write() -> str:
        return WRITERS[writer](labels)

    assert len(benchmark(write).split()) >= len(labels.starts)
    # by turns and by the fastest of each: the machine may be busy at times
    times = [
        (timeit.timeit(write, number=5), timeit.timeit(lambda: LexborHTMLParser(html), number=5)) for _ in range(9)
    ]
    ours, parse = (min(column) for column in zip(*times, strict=True))
    benchmark.extra_info["of_parse"] = round(ours / parse, 3)
