"""What the times of pages say: multiples of the parse, shares, speed, scaling; and all of a run as plain data.
Nothing is timed here."""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fastwrap.tools.bench.memory import PeakMemory
from fastwrap.tools.bench.rivals import Result
from fastwrap.tools.bench.scaling import SizeTimes, ThreadTimes
from fastwrap.tools.bench.stages import PARSE, STAGES, TASKS, PageTimes
from fastwrap.tools.timing import percentile

SMALL = 2_000  # nodes of the page that larger ones are compared with: most pages of the web have about as many


@dataclass(frozen=True)
class Run:
    """Everything that was measured."""

    machine: Mapping[str, str]
    corpus: str  # what the pages are
    repeat: int
    pages: Sequence[PageTimes]
    sizes: Sequence[SizeTimes] = ()
    threads: Sequence[ThreadTimes] = ()
    memory: PeakMemory | None = None
    rivals: Sequence[Result] = ()

    @property
    def nodes(self) -> int:
        """Of all pages."""
        return sum(page.nodes for page in self.pages)

    @property
    def html_bytes(self) -> int:
        """Of all pages."""
        return sum(page.html_bytes for page in self.pages)

    @property
    def bytes_a_node(self) -> float:
        """That a Page holds besides its text and attribute values."""
        return sum(page.page_bytes for page in self.pages) / self.nodes


@dataclass(frozen=True)
class Figures:
    """A stage or a task over all pages."""

    name: str
    what: str
    seconds: float  # median over the pages
    median: float  # multiple of the bare parse of the same page, median over the pages
    percentile_95: float
    share: float | None  # of the seconds that all stages take on all pages; None for what is no stage
    nodes_a_second: float  # over all pages
    megabytes_a_second: float


def figures_of(name: str, what: str, run: Run, kind: str, whole: float | None = None) -> Figures:
    """The figures of a stage or a task, `kind` being "stages" or "tasks"."""
    seconds = [getattr(page, kind)[name] for page in run.pages]
    multiples = [taken / page.tasks[PARSE] for taken, page in zip(seconds, run.pages, strict=True)]
    total = max(sum(seconds), 1e-9)  # a clock may stand still for what takes no time
    return Figures(
        name=name,
        what=what,
        seconds=statistics.median(seconds),
        median=statistics.median(multiples),
        percentile_95=percentile(multiples, 0.95),
        share=None if whole is None else sum(seconds) / whole,
        nodes_a_second=run.nodes / total,
        megabytes_a_second=run.html_bytes / total / 1e6,
    )


def stage_figures(run: Run) -> list[Figures]:
    """The bare parse, then every stage in order."""
    whole = sum(seconds for page in run.pages for seconds in page.stages.values())
    parse = figures_of(PARSE, f"the bare parse, for comparison: {TASKS[PARSE]}", run, "tasks")
    return [parse, *(figures_of(name, what, run, "stages", whole) for name, what in STAGES.items())]


def task_figures(run: Run) -> list[Figures]:
    """Every task, the bare parse first."""
    return [figures_of(name, what, run, "tasks") for name, what in TASKS.items()]


def nanoseconds_a_node(times: SizeTimes, task: str) -> list[float]:
    """Nanoseconds per node, of each page of a kind."""
    return [1e9 * seconds / nodes for seconds, nodes in zip(times.seconds[task], times.nodes, strict=True)]


def growth(sizes: Sequence[SizeTimes]) -> dict[str, float]:
    """By task: time per node on the largest pages, as a multiple of that at 2,000 nodes; median over the kinds.

    >>> growth([SizeTimes("shop", [500, 2_000, 100_000], {"texts": [1.0, 2.0, 120.0]})])
    {'texts': 1.2}
    """
    by_task: dict[str, list[float]] = {}
    for times in sizes:
        small = min(range(len(times.nodes)), key=lambda place: abs(times.nodes[place] - SMALL))
        for task in times.seconds:
            each = nanoseconds_a_node(times, task)
            by_task.setdefault(task, []).append(each[-1] / each[small])
    return {task: statistics.median(ratios) for task, ratios in by_task.items()}


def speedups(times: ThreadTimes) -> dict[int, float]:
    """By number of threads: how many times as fast as one.

    >>> speedups(ThreadTimes("texts", 9, {1: 3.0, 2: 1.5}))
    {1: 1.0, 2: 2.0}
    """
    return {number: times.seconds[1] / seconds for number, seconds in times.seconds.items()}


def as_json(run: Run) -> dict[str, Any]:
    """A run as plain data; the names in it are kept from version to version.

    `format`: 1. `machine`: what ran where. `corpus`, `repeat`. `pages`: of each its `name`, `html_bytes`, `nodes`,
    `records`, `wrapper_records`, `page_bytes`, and median seconds by name in `stages` and `tasks`. `stages` (the bare
    parse first) and `tasks`: of each `name`, `what`, median `seconds`, `median` and `percentile_95` of the multiples of
    the parse, `share` of all stages or null, `nodes_a_second`, `megabytes_a_second`. `bytes_a_node`. `growth`: time a
    node at 100,000 nodes as a multiple of that at 2,000, by task; `sizes`: what it rests on. `threads`: of each task
    `nodes`, `seconds` and `speedups` by number of threads. `memory`: null, or the largest page and peak bytes by task.
    `rivals`: of each `task`, `library`, `version`, `does`, `pages`, median `seconds`, `multiple` of fastwrap's time.
    """
    return {
        "format": 1,  # larger when a name changes its meaning
        "machine": dict(run.machine),
        "corpus": run.corpus,
        "repeat": run.repeat,
        "pages": [dataclasses.asdict(page) for page in run.pages],
        "stages": [dataclasses.asdict(stage) for stage in stage_figures(run)],
        "tasks": [dataclasses.asdict(task) for task in task_figures(run)],
        "bytes_a_node": run.bytes_a_node,
        "growth": growth(run.sizes),
        "sizes": [dataclasses.asdict(times) for times in run.sizes],
        "threads": [{**dataclasses.asdict(times), "speedups": speedups(times)} for times in run.threads],
        "memory": None if run.memory is None else dataclasses.asdict(run.memory),
        "rivals": [dataclasses.asdict(result) for result in run.rivals],
    }
