"""The report of `fastwrap bench`: one HTML file with plots and all tables."""

from __future__ import annotations

from collections.abc import Sequence

from fastwrap.tools import reports
from fastwrap.tools.bench import tables
from fastwrap.tools.bench.figures import Run, stage_figures
from fastwrap.tools.bench.stages import PAGE, PARSE, TASKS, TEXTS, VALUES, WRAPPER
from fastwrap.tools.reports import Figure, plots
from fastwrap.tools.reports.plots import Point
from fastwrap.tools.tables import Row

SHOWN = (PAGE, TEXTS, VALUES, WRAPPER)
"""The tasks in the plots, in the order of their colours."""


def html_report(run: Run) -> str:
    """The whole report."""
    drawn = [
        Figure("Stages, as multiples of the bare parse (median of the pages)", stage_bars(run)),
        Figure("Tasks on every page, as multiples of its bare parse, sorted", multiples(run)),
        Figure("Time against nodes (grey: the bare parse)", times_of_pages(run)),
    ]
    if run.rivals:
        drawn.append(Figure("Other libraries: times as long as fastwrap", rivals(run)))
    blocks = {**tables.blocks(run), "Pages": page_rows(run)}.items()
    return reports.report(
        "fastwrap bench",
        [tables.caption(run), tables.machine_line(run), f"medians of {run.repeat} rounds, processor time"],
        {
            "Plots": reports.legend(SHOWN) + reports.figures(drawn),
            "Figures": "".join(reports.table(title, rows, tables.WORDS.get(title, (0,))) for title, rows in blocks),
        },
    )


def page_rows(run: Run) -> Sequence[Row]:
    """Every page."""
    heads = ("page", "nodes", "bytes", "records", *TASKS)
    return [heads] + [
        (
            page.name, f"{page.nodes:,}", f"{page.html_bytes:,}", f"{page.records:,}",
            *(tables.seconds(page.tasks[task]) for task in TASKS),
        )
        for page in run.pages
    ]  # fmt: skip


def stage_bars(run: Run) -> str:
    """How long each stage is."""
    rows = [(stage.name, max(stage.median, 0.0), 0) for stage in stage_figures(run)[1:]]
    return plots.bars(rows, "times the bare parse", 110)


def multiples(run: Run) -> str:
    """The multiple of every page, sorted, one line per task."""
    series = [[(page.tasks[task] / page.tasks[PARSE], f"{task}, {page.name}") for page in run.pages] for task in SHOWN]
    top = 1.05 * max(multiple for pages in series for multiple, _ in pages)
    step = next(size for size in (0.5, 1, 2, 5, 10, 20, 50, 100, 1000, top) if top / size <= 8)
    ticks = {step * k: f"{step * k:g}" for k in range(int(top / step) + 1)}
    return plots.sorted_pages(series, ticks, top, "cheapest first", "times the parse")


def times_of_pages(run: Run) -> str:
    """Milliseconds against nodes."""

    def points(task: str) -> list[Point]:
        return [(page.nodes, 1e3 * page.tasks[task], f"{task}, {page.name}") for page in run.pages]

    return plots.time_against_nodes(points(PARSE), [points(task) for task in SHOWN])


def rivals(run: Run) -> str:
    """How many times as long as fastwrap the others take, task by task."""
    tasks = list(dict.fromkeys(result.task for result in run.rivals))
    rows = [
        (f"{result.library}: {result.task}", result.multiple, tasks.index(result.task))
        for result in run.rivals
        if result.library != "fastwrap"
    ]
    return plots.bars(rows, "times as long as fastwrap, logarithmic", 270, log=True)
