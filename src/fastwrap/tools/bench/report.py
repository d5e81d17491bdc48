"""The report of a run: one HTML file that needs nothing else, with plots and all tables.
Style sheet and plots are those of the report of `fastwrap eval`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from fastwrap.tools.bench import tables
from fastwrap.tools.bench.figures import Run, nanoseconds_a_node, speedups, stage_figures
from fastwrap.tools.bench.stages import PAGE, PARSE, TASKS, TEXTS, VALUES, WRAPPER
from fastwrap.tools.evaluate.frame import FRAME
from fastwrap.tools.evaluate.plots import MARGIN_BOTTOM, MARGIN_TOP, Plot, around, colour, powers, time_against_nodes

SHOWN = (PAGE, TEXTS, VALUES, WRAPPER)
"""The tasks in the plots, in the order of their colours."""

STYLE = """
.pairs { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 540px), 1fr)); gap: 22px }
.figures :is(td, tr:first-child th) { text-align: right !important }
.figures :is(td, tr:first-child th).words { text-align: left !important } svg .parse.line { fill: none }
</style>"""
HEAD = FRAME.partition("{{body}}")[0].replace("fastwrap eval", "fastwrap bench").replace("</style>", STYLE)


def html_report(run: Run) -> str:
    """The whole report."""
    figures = [
        ("Stages, as multiples of the bare parse (median of the pages)", stage_bars(run)),
        ("Tasks on every page, as multiples of its bare parse, sorted", multiples(run)),
        ("Time against nodes (grey: the bare parse)", times_of_pages(run)),
    ]
    if run.sizes:
        figures.append(("Time a node, by size of generated pages (grey: the bare parse)", time_a_node(run)))
    if run.threads:
        figures.append(("Threads: times the speed of one (grey: as many times as there are)", threads(run)))
    if run.rivals:
        figures.append(("Other libraries: times as long as fastwrap", rivals(run)))
    drawn = "".join(f"<figure><figcaption>{escape(title)}</figcaption>{svg}</figure>" for title, svg in figures)
    entries = "".join(f'<li class="{colour(k)}">{escape(name)}</li>' for k, name in enumerate(SHOWN))
    blocks = [
        ("Stages", tables.stage_rows(run)), ("Tasks", tables.task_rows(run)), ("Size of pages", tables.size_rows(run)),
        ("Threads", tables.thread_rows(run)), ("Memory", tables.memory_rows(run)),
        ("Other libraries", tables.rival_rows(run)), ("Pages", page_rows(run)),
    ]  # fmt: skip
    body = [
        f"<header><h1>fastwrap bench</h1><p>{escape(tables.caption(run))}<br>{escape(tables.machine_line(run))}<br>"
        f"medians of {run.repeat} rounds, processor time</p></header>",
        f'<section><h2>Plots</h2><ul class="legend">{entries}</ul><div class="pairs">{drawn}</div></section>',
        f"<section><h2>Figures</h2>{''.join(table(title, rows) for title, rows in blocks)}</section>",
    ]
    return HEAD + "\n".join(body) + "\n</body></html>\n"


def table(title: str, rows: Iterable[tables.Row]) -> str:
    """Rows as a table that opens; nothing if there are none."""
    head, *lines = [*rows] or [()]
    if not lines:
        return ""
    words = [' class="words"' if cell[:1].isalpha() else "" for cell in lines[0]]
    heads = "".join(f"<th{kind}>{escape(cell)}</th>" for kind, cell in zip(words, head, strict=True))
    body = "".join(
        "<tr>" + "".join(f"<td{kind}>{escape(cell)}</td>" for kind, cell in zip(words, line, strict=True)) + "</tr>"
        for line in lines
    )
    return (
        f'<details class="table" open><summary>{escape(title)}</summary><div class="scroll"><table class="figures">'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div></details>"
    )


def page_rows(run: Run) -> Sequence[tables.Row]:
    """Every page."""
    heads = ("page", "nodes", "bytes", "records", *TASKS)
    return [heads] + [
        (
            page.name, f"{page.nodes:,}", f"{page.html_bytes:,}", f"{page.records:,}",
            *(tables.seconds(page.tasks[task]) for task in TASKS),
        )
        for page in run.pages
    ]  # fmt: skip


def bars(rows: Sequence[tuple[str, float, str, int]], title: str, left: int, log: bool = False) -> str:
    """A bar for each row: its label, how long it is, what is written behind it, and its colour. Labels have `left`."""
    line = 22
    height = MARGIN_TOP + MARGIN_BOTTOM + line * len(rows)
    low, high = around([*(length for _, length, _, _ in rows), 1.0]) if log else (0.0, 0.0)
    domain = (low, high) if log else (0.0, 1.15 * max([length for _, length, _, _ in rows] + [1e-9]))
    plot = Plot(640, height, left, domain, (height - MARGIN_TOP - MARGIN_BOTTOM, 0), log=False)
    ruler = Plot(640, height, left, domain, (1, 10), log=log)  # lengths may be on a scale that lines are not on
    ticks = powers(domain) if log else {}
    for value, label in ticks.items():
        at = ruler.x(value)
        plot.parts.append(f'<path class="grid" d="M{at:.1f} {MARGIN_TOP}V{height - MARGIN_BOTTOM}"/>')
        plot.text(at, height - MARGIN_BOTTOM + 15, label, "middle")
    plot.text((left + 640) / 2, height - 6, title, "middle", "title")
    for number, (label, length, says, kind) in enumerate(rows):
        top = MARGIN_TOP + line * number
        ends = sorted((ruler.x(max(length, domain[0])), ruler.x(1.0 if log else 0.0)))
        plot.text(plot.left - 7, top + 14, label, "end")
        width = max(1.0, ends[1] - ends[0])
        plot.parts.append(
            f'<rect class="{colour(kind)} full" x="{ends[0]:.1f}" y="{top + 3}" width="{width:.1f}"'
            f' height="{line - 7}"><title>{escape(f"{label}: {says}")}</title></rect>'
        )
        plot.text(ends[1] + 5, top + 14, says, "start")
    return plot.svg(title)


def stage_bars(run: Run) -> str:
    """How long each stage is."""
    rows = [(stage.name, max(stage.median, 0.0), f"{stage.median:.2f}", 0) for stage in stage_figures(run)[1:]]
    return bars(rows, "times the bare parse", 110)


def multiples(run: Run) -> str:
    """The multiple of every page, sorted, one line a task."""
    series = [sorted((page.tasks[task] / page.tasks[PARSE], page.name) for page in run.pages) for task in SHOWN]
    top = 1.05 * max(multiple for points in series for multiple, _ in points)
    plot = Plot(640, 300, 52, (0, 1), (0, top))
    step = next(size for size in (0.5, 1, 2, 5, 10, 20, 50, 100, 1000, top) if top / size <= 8)
    plot.axes(
        {share / 5: f"{share / 5:.0%}" for share in range(6)},
        {step * k: f"{step * k:g}" for k in range(int(top / step) + 1)},
        "share of pages, cheapest first",
        "times the parse",
    )
    for number, points in enumerate(series):
        places = [(k + 0.5) / len(points) for k in range(len(points))]
        line(plot, number, [(place, multiple) for place, (multiple, _) in zip(places, points, strict=True)])
        for place, (multiple, name) in zip(places, points, strict=True):
            plot.dot(place, multiple, 4, "hover", f"{SHOWN[number]}, {name}: {multiple:.2f}")
    return plot.svg("Multiples of the parse")


def line(plot: Plot, number: int, points: Sequence[tuple[float, float]], kind: str = "") -> None:
    """Draw a line through points."""
    path = "L".join(f"{plot.x(x):.1f} {plot.y(y):.1f}" for x, y in points)
    plot.parts.append(f'<path class="{kind or colour(number)} line" d="M{path}"/>')


def times_of_pages(run: Run) -> str:
    """Milliseconds against nodes."""

    def points(task: str) -> list[tuple[float, float, str]]:
        return [(page.nodes, 1e3 * page.tasks[task], f"{task}, {page.name}") for page in run.pages]

    return time_against_nodes(points(PARSE), [points(task) for task in SHOWN])


def time_a_node(run: Run) -> str:
    """Nanoseconds a node against nodes, a line for each task, mean of the kinds of pages."""
    drawn = {
        task: [
            (float(nodes), sum(each) / len(each))
            for nodes, each in zip(
                run.sizes[0].nodes,
                zip(*(nanoseconds_a_node(times, task) for times in run.sizes), strict=True),
                strict=True,
            )
        ]
        for task in run.sizes[0].seconds
    }
    all_points = [point for points in drawn.values() for point in points]
    x_range, y_range = around(x for x, _ in all_points), around(y for _, y in all_points)
    plot = Plot(640, 300, 62, x_range, y_range, log=True)
    ticks = {value: f"{value:g}" for digit in (1, 2, 5) for value in (digit * power for power in powers((1, 1e9)))}
    plot.axes(
        powers(x_range),
        {value: label for value, label in ticks.items() if y_range[0] <= value <= y_range[1]},
        "nodes of the page",
        "nanoseconds a node",
    )
    for task, points in drawn.items():
        number = SHOWN.index(task) if task in SHOWN else 0
        kind = "parse" if task == PARSE else colour(number)
        line(plot, number, points, kind)
        for nodes, time in points:
            plot.dot(nodes, time, 4, f"{kind} full", f"{task}, {nodes:,.0f} nodes: {time:.0f} ns a node")
    return plot.svg("Time a node")


def threads(run: Run) -> str:
    """How many times as fast as one thread."""
    counts = sorted({number for times in run.threads for number in times.seconds})
    most = max(2, counts[-1])
    plot = Plot(640, 260, 52, (1, most), (0, most))
    plot.axes({float(k): str(k) for k in counts}, {float(k): str(k) for k in range(most + 1)}, "threads")
    line(plot, 0, [(1, 1), (most, most)], "parse")
    for times in run.threads:
        number = SHOWN.index(times.task)
        points = [(float(count), speedup) for count, speedup in speedups(times).items()]
        line(plot, number, points)
        for count, speedup in points:
            plot.dot(count, speedup, 5, f"{colour(number)} full", f"{times.task}, {count:.0f} threads: {speedup:.2f}")
    return plot.svg("Speed by threads")


def rivals(run: Run) -> str:
    """How many times as long as fastwrap the others take, task by task."""
    rows = []
    order = list(dict.fromkeys(result.task for result in run.rivals))
    for result in run.rivals:
        if result.multiple != 1.0 or result.library != "fastwrap":
            label = f"{result.library}: {result.task}"
            rows.append((label, result.multiple, tables.multiple(result.multiple), order.index(result.task)))
    return bars(rows, "times as long as fastwrap, logarithmic", 270, log=True)
