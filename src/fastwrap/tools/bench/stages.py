"""Times a page: the stages of the pipeline, and whole tasks from bytes to results, beside the bare parse of the page.
Runs are interleaved and medians taken, so that what disturbs the machine for a while disturbs all alike."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import fastwrap
from fastwrap import regions
from fastwrap.errors import FastwrapError
from fastwrap.extraction import MIN_CONFIDENCE, Extraction
from fastwrap.page import Page
from fastwrap.page.decode import decode
from fastwrap.page.reading import read
from fastwrap.tools.timing import Clock, Task, bare_parse, medians, seconds_of, without_collector

PARSE = "parse"
PAGE, TEXTS, ALL_TEXTS, VALUES, WRAPPER = "Page", "texts", "texts of all columns", "typed values", "wrapper texts"
JSON, WRAPPER_JSON, PATHS, CONTENT = "JSON", "wrapper JSON", "reversed paths", "content"

TASKS = {
    PARSE: "LexborHTMLParser(b)",
    PAGE: "Page(b)",
    TEXTS: "[r.texts for r in extract(b).records]",
    ALL_TEXTS: "[r.texts for r in extract(b, columns='all').records]",
    VALUES: "[r.values for r in extract(b).records]",
    JSON: "extract(b).to_json()",
    WRAPPER: "[r.texts for r in wrapper.extract(b).records]",
    WRAPPER_JSON: "wrapper.extract(b).to_json()",
    PATHS: "Page(b).retps()",
    CONTENT: "content(b).text",
}
"""What is timed from bytes to result, each as a whole; the first is what the others are multiples of."""

STAGES = {
    "decode": "bytes in any encoding to UTF-8",
    "parse and walk": "UTF-8 to node arrays: the tokens of Lexbor, and the tree that they stand for",
    "classes": "style and tag path symbols, structural classes",
    "regions": "what repeats, cut into records and ranked",
    "records": "the confidence, and an object for each record",
    "columns": "the records aligned into columns, their texts read",
    "values": "the columns typed, their values read",
}
"""The way of a page, in order: together they are the task "typed values"."""


@dataclass(frozen=True)
class PageTimes:
    """One page: its size, what was found, and the seconds that each stage and task took (median of the rounds)."""

    name: str
    html_bytes: int
    nodes: int
    records: int
    wrapper_records: int  # records that a wrapper learned from this page finds on it
    page_bytes: int  # what the Page holds besides its text and attribute values, when everything in it is computed
    stages: Mapping[str, float]
    tasks: Mapping[str, float]


def task_of(name: str, html: bytes) -> Task:
    """One of `TASKS` on a page. A wrapper is learned here, saved and loaded again.

    >>> task_of("texts", b"<ul>" + b"".join(b"<li><b>Name %d</b> <i>1 EUR</i>" % k for k in range(4)) + b"</ul>")()[0]
    ['Name 0', '1 EUR']
    """
    if name == PARSE:
        return bare_parse(html)
    if name == PAGE:
        return lambda: Page(html)
    if name == TEXTS:
        return lambda: [record.texts for record in fastwrap.extract(html).records]
    if name == ALL_TEXTS:
        return lambda: [record.texts for record in fastwrap.extract(html, columns="all").records]
    if name == VALUES:
        return lambda: [record.values for record in fastwrap.extract(html).records]
    if name == JSON:
        return lambda: fastwrap.extract(html).to_json()
    if name == PATHS:
        return lambda: Page(html).retps()
    if name == CONTENT:
        return lambda: fastwrap.content(html).text
    if name not in (WRAPPER, WRAPPER_JSON):
        raise FastwrapError(f"no task is called {name!r}: there are {', '.join(TASKS)}")
    wrapper = fastwrap.Wrapper.loads(fastwrap.learn(html).dumps())
    if name == WRAPPER_JSON:
        return lambda: wrapper.extract(html).to_json()
    return lambda: [record.texts for record in wrapper.extract(html).records]


def stages_of(html: bytes, clock: Clock) -> dict[str, float]:
    """Send a page through the pipeline once: seconds by stage, in order."""
    seconds: dict[str, float] = {}

    def stage(name: str, work: Task) -> Any:
        start = clock()
        result = work()
        seconds[name] = clock() - start
        return result

    decoded = stage("decode", lambda: decode(html))
    stage("parse and walk", lambda: read(decoded.html, {}))
    page = Page(html)
    stage("classes", lambda: (page.path_symbol, page.structural_class))
    found = stage("regions", lambda: regions.find(page, "auto", {}))
    records = stage("records", lambda: Extraction(page, found.regions, MIN_CONFIDENCE).records)
    stage("columns", lambda: [record.texts for record in records])
    stage("values", lambda: [record.values for record in records])
    return seconds


def measure(name: str, html: bytes, repeat: int, clock: Clock = time.process_time) -> PageTimes:
    """Time one page `repeat` times.

    >>> times = measure("small", b"<ul><li>one<li>two</ul>", repeat=3)
    >>> times.nodes, list(times.tasks) == list(TASKS), list(times.stages) == list(STAGES)
    (8, True, True)
    """
    page = Page(html)  # first of all: what is refused here must not reach the bare parser
    tasks = {task: task_of(task, html) for task in TASKS}
    records, wrapper_records = len(fastwrap.extract(page).records), len(tasks[WRAPPER]())
    page.path_symbol, page.structural_class  # noqa: B018 - computed on first use
    with without_collector():
        rounds = [
            ({task: seconds_of(work, clock) for task, work in tasks.items()}, stages_of(html, clock))
            for _ in range(repeat)
        ]
    page_bytes = page.nbytes - len(page.arrays.text) - len(page.arrays.values)
    task_times, stage_times = map(medians, zip(*rounds, strict=True))
    return PageTimes(name, len(html), len(page), records, wrapper_records, page_bytes, stage_times, task_times)
