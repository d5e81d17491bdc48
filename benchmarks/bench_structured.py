"""Times reading the structured data of pages, as a multiple of the bare parse, and for each megabyte of data.

    python benchmarks/bench_structured.py PAGE...    files of HTML, .gz or not; without any, pages made here

For each page: bytes, bytes of the scripts that hold data, the parse of selectolax, a Page, then what each step takes as
a multiple of that parse: the things (JSON-LD, microdata, RDFa Lite), `meta`, the arrays, and the regions made of them.
Pages made here have data of one, two, four and eight hundred kilobytes: the last column must stay about the same.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter
from typing import Any

from fastwrap import Page, structured
from fastwrap.regions import auto, data
from fastwrap.tools.timing import bare_parse, medians, seconds_of, without_collector

STEPS = ("things", "meta", "arrays", "regions")
ROUNDS = 9
LITTLE = 2_000
"""Bytes of data that are little."""


def made(kilobytes: int) -> bytes:
    """A page with a visible list, and about so much data in a script."""
    rows = [
        {"id": k, "name": f"Product {k} of many", "url": f"/p/{k}", "offer": {"price": k + 0.99, "currency": "EUR"},
         "tags": ["new", "sale"], "note": "A sentence or two of what it is, as shops write them."}
        for k in range(kilobytes * 5)
    ]  # fmt: skip
    cards = "".join(f"<li><a href=/q/{k}>Article {k}</a> <i>{k} EUR</i></li>" for k in range(60))
    return f"<ul>{cards}</ul><script>window.state = {json.dumps({'items': rows})}</script>".encode()


def fresh(page: Page, use: Callable[[Page], Any]) -> Callable[[], Any]:
    """Use a page of which nothing was read yet: what it keeps of its data is dropped each time."""

    def run() -> Any:
        found = use(page)
        page.notes.clear()
        return found

    return run


def measure(html: bytes) -> dict[str, float]:
    """Seconds of each step on one page."""
    page = Page(html)
    regions = auto.find(page, structured=False).regions
    steps: dict[str, Callable[[], Any]] = {
        "parse": bare_parse(html),
        "page": lambda: Page(html),
        "things": fresh(page, lambda page: structured.read(page).things),
        "meta": fresh(page, lambda page: structured.read(page).meta),
        "arrays": fresh(page, lambda page: structured.read(page).arrays),
        "regions": fresh(page, lambda page: data.find(page, regions)),
    }
    with without_collector():
        rounds = [{name: seconds_of(step, perf_counter) for name, step in steps.items()} for _ in range(ROUNDS)]
    return medians(rounds)


def pages_of(paths: Iterable[Path]) -> Iterable[tuple[str, bytes]]:
    """The pages to time: those given, or those made here."""
    for path in paths:
        content = path.read_bytes()
        yield path.name, gzip.decompress(content) if path.suffix == ".gz" else content


def main() -> None:
    """Time pages, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=Path)
    given = list(pages_of(parser.parse_args().pages))
    pages = given or [(f"made here, {size} kB", made(size)) for size in (0, 100, 200, 400, 800)]
    print(f"{'page':<28}{'bytes':>10}{'data':>10}{'parse ms':>10}", *(f"{step:>7}" for step in (*STEPS, "ms/MB")))
    little: list[float] = []
    for name, html in pages:
        start = Page(html).arrays.script_start
        size = int(start[-1] - start[0])
        seconds = measure(html)
        times = [seconds[step] / seconds["parse"] for step in STEPS]
        each = f"{seconds['regions'] * 1e9 / size:>8.1f}" if size > LITTLE else " " * 8
        print(f"{name[-27:]:<28}{len(html):>10,}{size:>10,}{seconds['parse'] * 1e3:>10.3f}"
              + "".join(f"{each_time:>8.3f}" for each_time in times) + each)  # fmt: skip
        if size <= LITTLE:
            little.append(times[3])
    if little:
        print(f"with little data: {len(little)} pages, regions {statistics.median(little):.3f} x the parse (median),"
              f" {statistics.fmean(little):.3f} (mean)")  # fmt: skip


if __name__ == "__main__":
    main()
