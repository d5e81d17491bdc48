"""The figures of a run as text for a terminal, as the Markdown that the README has, and as one HTML file with plots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fastwrap.tools import reports
from fastwrap.tools.bench.figures import Figures, Run, growth, nanoseconds_a_node, speedups, stage_figures, task_figures
from fastwrap.tools.bench.stages import PAGE, PARSE, TASKS, TEXTS, VALUES, WRAPPER
from fastwrap.tools.reports import Figure, plots
from fastwrap.tools.tables import Row, aligned
from fastwrap.tools.tables import markdown as markdown_table

WORDS = {"Other libraries": (0, 1, 5)}  # columns that are flush left, by table; the first one in all others
SHOWN = (PAGE, TEXTS, VALUES, WRAPPER)  # the tasks in the plots, in the order of their colours


def caption(run: Run) -> str:
    """The pages in one line."""
    found = sum(page.records > 0 for page in run.pages)
    return (
        f"{len(run.pages)} pages, {run.nodes:,} nodes, {run.html_bytes:,} bytes of HTML ({run.corpus});"
        f" records found on {found}"
    )


def machine_line(run: Run) -> str:
    """The machine in one line."""
    m = run.machine
    return (
        f"{m['cpu']}, {m['cores']} cores, {m['system']}, {m['python']}, fastwrap {m['fastwrap']},"
        f" selectolax {m['selectolax']}, numpy {m['numpy']}, compiler {m['compiler']}"
    )


def seconds(value: float) -> str:
    """A time with a unit that suits it.

    >>> seconds(2.5), seconds(0.0123), seconds(4.2e-05)
    ('2.50 s', '12.3 ms', '42 µs')
    """
    if value >= 1:
        return f"{value:.2f} s"
    return f"{1e3 * value:.3g} ms" if value >= 1e-3 else f"{1e6 * value:.3g} µs"


def multiple(value: float) -> str:
    """A multiple, with decimals where they matter.

    >>> multiple(1.5), multiple(1234.5)
    ('1.50', '1,234')
    """
    return f"{value:.2f}" if value < 100 else f"{value:,.0f}"


def figure_rows(what: str, figures: Iterable[Figures]) -> Iterator[Row]:
    """Stages or tasks, one per row."""
    yield (what, "median", "x parse", "95%", "share", "Mnodes/s", "MB/s")
    for each in figures:
        yield (
            each.name, seconds(each.seconds), f"{each.median:.2f}", f"{each.percentile_95:.2f}",
            "" if each.share is None else f"{each.share:.0%}",
            f"{each.nodes_a_second / 1e6:.2f}", f"{each.megabytes_a_second:.0f}",
        )  # fmt: skip


def size_rows(run: Run) -> Iterator[Row]:
    """Time a node by size of page; the last column compares the largest with 2,000 nodes."""
    if not run.sizes:
        return
    ratios = growth(run.sizes)
    yield ("ns a node", *(f"{nodes:,}" for nodes in run.sizes[0].nodes), "growth")
    for task in run.sizes[0].seconds:
        columns = zip(*(nanoseconds_a_node(times, task) for times in run.sizes), strict=True)
        yield (task, *(f"{sum(column) / len(column):.0f}" for column in columns), f"{ratios[task]:.2f}")


def thread_rows(run: Run) -> Iterator[Row]:
    """Speed by number of threads."""
    if run.threads:
        yield ("times one thread", *(f"{number} threads" for number in run.threads[0].seconds))
        for times in run.threads:
            yield (times.task, *(f"{speedup:.2f}" for speedup in speedups(times).values()))


def memory_rows(run: Run) -> Iterator[Row]:
    """What is held, and what is needed at the peak."""
    yield ("memory", "bytes a node", "in all")
    yield ("a Page holds, besides its text", f"{run.bytes_a_node:.0f}", "")
    if run.memory is not None:
        for task, taken in run.memory.bytes_by_task.items():
            yield (f"{task}: peak, {run.memory.page}", f"{taken / run.memory.nodes:.0f}", f"{taken / 1e6:,.1f} MB")


def rival_rows(run: Run) -> Iterator[Row]:
    """The libraries, task by task."""
    if not run.rivals:
        return
    yield ("task", "library", "median", "x fastwrap", "pages", "what it does")
    task = ""
    for result in run.rivals:
        yield (
            result.task if result.task != task else "", f"{result.library} {result.version}", seconds(result.seconds),
            multiple(result.multiple), str(result.pages), result.does,
        )  # fmt: skip
        task = result.task


def blocks(run: Run) -> dict[str, list[Row]]:
    """All tables by title; those that were not asked for are empty."""
    made = {
        "Stages": figure_rows("stage", stage_figures(run)), "Tasks": figure_rows("task", task_figures(run)),
        "Size of pages": size_rows(run), "Threads": thread_rows(run), "Memory": memory_rows(run),
        "Other libraries": rival_rows(run),
    }  # fmt: skip
    return {title: list(rows) for title, rows in made.items()}


def terminal(run: Run) -> str:
    """The whole run for a terminal."""
    rounds = f"medians of {run.repeat} rounds of processor time; x parse: {TASKS[PARSE]}"
    texts = [aligned(rows, WORDS.get(title, (0,))) for title, rows in blocks(run).items() if rows]
    return "\n\n".join(map("\n".join, [[caption(run), machine_line(run), rounds], *texts]))


def markdown(run: Run) -> str:
    """What the README shows of a run: the tasks, how they scale, and the machine."""
    rows = [("from bytes", "median × parse", "95% of pages", "MB/s")]
    rows += [
        (f"`{task.what}`", f"{task.median:.2f}", f"{task.percentile_95:.2f}", f"{task.megabytes_a_second:.0f}")
        for task in task_figures(run)
    ]
    said = [caption(run) + "."]
    if ratios := growth(run.sizes):
        said.append(f"Time a node at 100,000 nodes is {ratios['texts']:.2f} times that at 2,000.")
    said += [f"Two threads: {speedups(times)[2]:.2f} times as fast as one ({times.task})." for times in run.threads]
    said.append(machine_line(run) + ".")
    parts = [*markdown_table(rows), "", *said]
    if run.rivals:
        parts += ["", *markdown_table(rival_rows(run))]
    return "\n".join(parts)


def html_report(run: Run) -> str:
    """The whole report."""
    tables = {**blocks(run), "Pages": list(page_rows(run))}.items()
    return reports.report(
        "fastwrap bench",
        [caption(run), machine_line(run), f"medians of {run.repeat} rounds, processor time"],
        {
            "Plots": reports.legend(SHOWN) + reports.figures(all_plots(run)),
            "Figures": "".join(reports.table(title, rows, WORDS.get(title, (0,))) for title, rows in tables),
        },
    )


def page_rows(run: Run) -> Iterator[Row]:
    """Every page."""
    yield ("page", "nodes", "bytes", "records", *TASKS)
    for page in run.pages:
        counts = (f"{count:,}" for count in (page.nodes, page.html_bytes, page.records))
        yield (page.name, *counts, *(seconds(page.tasks[task]) for task in TASKS))


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
