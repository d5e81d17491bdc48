"""The figures of a run as tables: for a terminal, and for Markdown, which is what the README has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fastwrap.tools.bench.figures import Figures, Run, growth, nanoseconds_a_node, speedups, stage_figures, task_figures
from fastwrap.tools.bench.stages import PARSE, TASKS

Row = Sequence[str]


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


def megabytes(value: float) -> str:
    """A number of bytes.

    >>> megabytes(1_234_567)
    '1.2 MB'
    """
    return f"{value / 1e6:,.1f} MB"


def stage_rows(run: Run) -> Iterator[Row]:
    """Stage by stage."""
    yield ("stage", "median", "x parse", "95%", "share", "Mnodes/s", "MB/s")
    yield from (figure_row(stage) for stage in stage_figures(run))


def task_rows(run: Run) -> Iterator[Row]:
    """From bytes to results."""
    yield ("task", "median", "x parse", "95%", "", "Mnodes/s", "MB/s")
    yield from (figure_row(task) for task in task_figures(run))


def figure_row(figures: Figures) -> Row:
    """The figures of a stage or task as text."""
    share = "" if figures.share is None else f"{figures.share:.0%}"
    return (
        figures.name, seconds(figures.seconds), f"{figures.median:.2f}", f"{figures.percentile_95:.2f}", share,
        f"{figures.nodes_a_second / 1e6:.2f}", f"{figures.megabytes_a_second:.0f}",
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
            yield (f"{task}: peak, {run.memory.page}", f"{taken / run.memory.nodes:.0f}", megabytes(taken))


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


def plain(rows: Iterable[Row], left: Sequence[int] = (0,)) -> Iterator[str]:
    """Rows for a terminal: columns as wide as they must be, those in `left` at the left.

    >>> list(plain([("a", "bb"), ("ccc", "1")]))
    ['a    bb', 'ccc   1']
    """
    given = list(rows)
    widths = [max(map(len, column)) for column in zip(*given, strict=True)]
    for row in given:
        cells = (
            f"{cell:<{width}}" if place in left else f"{cell:>{width}}"
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()


def terminal(run: Run) -> str:
    """The whole run for a terminal."""
    blocks = [
        [caption(run), machine_line(run), f"medians of {run.repeat} rounds of processor time; x parse: {TASKS[PARSE]}"],
        plain(stage_rows(run)), plain(task_rows(run)), plain(size_rows(run)), plain(thread_rows(run)),
        plain(memory_rows(run)), plain(rival_rows(run), left=(0, 1, 5)),
    ]  # fmt: skip
    return "\n\n".join(text for block in blocks if (text := "\n".join(block)))


def markdown_table(rows: Iterable[Row]) -> Iterator[str]:
    """Rows as a table of Markdown.

    >>> list(markdown_table([("a", "b"), ("1", "2")]))
    ['| a | b |', '|---|---|', '| 1 | 2 |']
    """
    for number, row in enumerate(rows):
        yield "| " + " | ".join(row) + " |"
        if number == 0:
            yield "|" + "---|" * len(row)


def markdown(run: Run) -> str:
    """What the README shows of a run: the tasks, how they scale, and the machine."""
    lines = ["| from bytes | median × parse | 95% of pages | MB/s |", "|---|---|---|---|"]
    lines += [
        f"| `{task.what}` | {task.median:.2f} | {task.percentile_95:.2f} | {task.megabytes_a_second:.0f} |"
        for task in task_figures(run)
    ]
    said = [caption(run) + "."]
    if ratios := growth(run.sizes):
        said.append(f"Time a node at 100,000 nodes is {ratios['texts']:.2f} times that at 2,000.")
    said += [f"Two threads: {speedups(times)[2]:.2f} times as fast as one ({times.task})." for times in run.threads]
    said.append(machine_line(run) + ".")
    parts = [*lines, "", *said]
    if run.rivals:
        parts += ["", *markdown_table(rival_rows(run))]
    return "\n".join(parts)
