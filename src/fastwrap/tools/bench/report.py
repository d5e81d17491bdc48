"""The report of `fastwrap bench`: one HTML file with plots and all tables."""

from __future__ import annotations

from collections.abc import Iterator

from fastwrap.tools import reports
from fastwrap.tools.bench import tables
from fastwrap.tools.bench.figures import Run, stage_figures
from fastwrap.tools.bench.stages import PAGE, PARSE, TASKS, TEXTS, VALUES, WRAPPER
from fastwrap.tools.reports import Figure, plots
from fastwrap.tools.tables import Row

SHOWN = (PAGE, TEXTS, VALUES, WRAPPER)  # the tasks in the plots, in the order of their colours


def html_report(run: Run) -> str:
    """The whole report."""
    blocks = {**tables.blocks(run), "Pages": list(page_rows(run))}.items()
    return reports.report(
        "fastwrap bench",
        [tables.caption(run), tables.machine_line(run), f"medians of {run.repeat} rounds, processor time"],
        {
            "Plots": reports.legend(SHOWN) + reports.figures(all_plots(run)),
            "Figures": "".join(reports.table(title, rows, tables.WORDS.get(title, (0,))) for title, rows in blocks),
        },
    )


def page_rows(run: Run) -> Iterator[Row]:
    """Every page."""
    yield ("page", "nodes", "bytes", "records", *TASKS)
    for page in run.pages:
        counts = (f"{count:,}" for count in (page.nodes, page.html_bytes, page.records))
        yield (page.name, *counts, *(tables.seconds(page.tasks[task]) for task in TASKS))


def all_plots(run: Run) -> Iterator[Figure]:
    """The plots; of other libraries where they were compared."""
    stages = [(stage.name, max(stage.median, 0.0), 0) for stage in stage_figures(run)[1:]]
    svg = plots.bars(stages, "times the bare parse", 110)
    yield Figure("Stages, as multiples of the bare parse (median of the pages)", svg)

    series = [[(page.tasks[task] / page.tasks[PARSE], f"{task}, {page.name}") for page in run.pages] for task in SHOWN]
    top = 1.05 * max(multiple for pages in series for multiple, _ in pages)
    step = next(size for size in (0.5, 1, 2, 5, 10, 20, 50, 100, 1000, top) if top / size <= 8)
    ticks = {step * k: f"{step * k:g}" for k in range(int(top / step) + 1)}
    svg = plots.sorted_pages(series, ticks, top, "cheapest first", "times the parse")
    yield Figure("Tasks on every page, as multiples of its bare parse, sorted", svg)

    parse, *others = (
        [(page.nodes, 1e3 * page.tasks[task], f"{task}, {page.name}") for page in run.pages] for task in (PARSE, *SHOWN)
    )
    yield Figure("Time against nodes (grey: the bare parse)", plots.time_against_nodes(parse, others))

    if run.rivals:
        tasks = list(dict.fromkeys(result.task for result in run.rivals))
        rows = [
            (f"{result.library}: {result.task}", result.multiple, tasks.index(result.task))
            for result in run.rivals
            if result.library != "fastwrap"
        ]
        svg = plots.bars(rows, "times as long as fastwrap, logarithmic", 270, log=True)
        yield Figure("Other libraries: times as long as fastwrap", svg)
