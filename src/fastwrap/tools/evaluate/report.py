"""The figures of an evaluation as text for a terminal, and as one HTML file with plots and every page: what was found
against what was true. Everything that comes from a page is escaped."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from fastwrap._version import __version__
from fastwrap.common.resources import filled, resource
from fastwrap.tools import reports
from fastwrap.tools.evaluate.benchmark import ALL, PageResult, Summary
from fastwrap.tools.evaluate.evaluators import Referee
from fastwrap.tools.evaluate.pairing import TOKEN, Pairing, tokens
from fastwrap.tools.evaluate.table_report import LONGEST_TEXT, shown, table_entry
from fastwrap.tools.reports import Figure, plots
from fastwrap.tools.reports.plots import colour
from fastwrap.tools.tables import Row, aligned

NEAR = 0.3  # records are shown side by side from this Dice coefficient on, though not right
NEAR_PAIRS = 100_000  # budget: pairs of records a page that are compared to find these

RECORDS = {
    "ms/page": "time.ms_per_page", "x parse": "time.median_multiple", "95%": "time.percentile_95_multiple",
    "main P": "referee.main.precision", "main R": "referee.main.recall", "main F1": "referee.main.f1",
    "page F1": "referee.main.page_f1", "exact": "referee.main.pages_exact", "count": "referee.main.count_hit",
    "any F1": "referee.any.f1", "any exact": "referee.any.pages_exact",
    "rec. F": "items.records.f1", "item F": "items.items.f1", "answers": "confidence.answers",
}  # fmt: skip
"""The columns of the table of records: the heading, and which figure of which evaluator."""

NOISE = {
    "list kept": "noise.main_list_kept", "noise removed": "noise.noise_removed", "nodes pruned": "noise.nodes_pruned",
    "before P": "noise.before.precision", "before R": "noise.before.recall", "before F1": "noise.before.f1",
    "after P": "noise.after.precision", "after R": "noise.after.recall", "after F1": "noise.after.f1",
}  # fmt: skip
"""Likewise, where noise was removed first."""

CONFIDENCE = {
    "confidence": "confidence.confidence", "right": "confidence.right", "ECE": "confidence.calibration_error",
}  # fmt: skip
"""Likewise, of the confidence."""

TABLES = {
    "ms/page": "time.ms_per_page", "x parse": "time.median_multiple", "95%": "time.percentile_95_multiple",
    "P": "columns.precision", "R": "columns.recall", "F1": "columns.f1", "page F1": "columns.macro",
    "names": "columns.names", "width": "columns.width", "filled": "columns.filled",
    "value P": "alignment.values.precision", "value R": "alignment.values.recall", "value F1": "alignment.values.f1",
    "column P": "alignment.columns.precision", "column R": "alignment.columns.recall", "whole": "alignment.whole",
}  # fmt: skip
"""Likewise, of tables; `P` to `filled` are those of the columns shown, the others those of the alignment."""


def blocks(summaries: Sequence[Summary]) -> dict[str, list[Row]]:
    """All tables by title: one row for each method and corpus."""
    tables = without_repetition([each for each in summaries if is_of_tables(each)])
    lists = without_repetition([each for each in summaries if not is_of_tables(each)])
    return {
        "Records": list(rows_of(lists, RECORDS)),
        "Noise removed first": list(rows_of([each for each in lists if "noise" in each.figures], NOISE)),
        "Confidence (bins: mean, share right, pages)": list(confidence_rows(lists)),
        "Tables": list(rows_of(tables, with_figures(tables, TABLES))),
    }


def with_figures(summaries: Sequence[Summary], columns: dict[str, str]) -> dict[str, str]:
    """The columns that have a figure in some row."""
    return {
        head: path
        for head, path in columns.items()
        if any(figure_at(each.figures, path) is not None for each in summaries)
    }


def is_of_tables(each: Summary | PageResult) -> bool:
    """Whether this is about tables, rather than about records."""
    return "alignment" in each.figures


def without_repetition(summaries: Sequence[Summary]) -> Sequence[Summary]:
    """Of one corpus alone, the totals over all corpora say the same again."""
    is_one = len({each.corpus for each in summaries}) == 2
    return [each for each in summaries if not (is_one and each.corpus == ALL)]


def confidence_rows(summaries: Sequence[Summary]) -> Iterator[Row]:
    """The rows of the table of the confidence: its error, and for each bin the mean confidence, the share of the pages
    that are right, and how many there are."""
    curves = [each.figures["confidence"]["reliability"] for each in summaries if "confidence" in each.figures]
    bins = max(map(len, curves), default=0)
    if bins:
        yield ("method", "set", "pages", *CONFIDENCE, *(f"bin {number}" for number in range(1, bins + 1)))
    for each in summaries:
        if "confidence" in each.figures:
            curve = [
                f"{part['confidence']:.2f}/{part['right']:.2f}/{part['pages']}"
                for part in each.figures["confidence"]["reliability"]
            ]
            figures = (as_text(each.figures, path) for path in CONFIDENCE.values())
            yield (each.method, each.corpus, str(each.pages), *figures, *curve, *[""] * (bins - len(curve)))


def rows_of(summaries: Sequence[Summary], columns: dict[str, str]) -> Iterator[Row]:
    """The rows of a table; none, not even its head, where there are no figures."""
    if summaries:
        yield ("method", "set", "pages", "records", "errors", *columns)
    for each in summaries:
        counts = (str(count) for count in (each.pages, each.records, each.errors))
        yield (each.method, each.corpus, *counts, *(as_text(each.figures, path) for path in columns.values()))


def terminal(summaries: Sequence[Summary], results: Sequence[PageResult], worst: int = 0) -> str:
    """The tables, and for each method the pages with the lowest F1, if these are asked for."""
    texts = [aligned(rows, left=(0, 1)) for rows in blocks(summaries).values() if rows]
    methods = dict.fromkeys(each.method for each in summaries) if worst > 0 else ()
    texts += (worst_pages([result for result in results if result.method == method], worst) for method in methods)
    return "\n\n".join(map("\n".join, texts))


def as_text(figures: dict[str, Any], path: str) -> str:
    """A figure as the referee prints it, times with two digits; a dash where there is none.

    >>> as_text({"time": {"ms": 1.23456}}, "time.ms"), as_text({}, "items.records.f1")
    ('1.23', '-')
    """
    figure = figure_at(figures, path)
    return "-" if figure is None else str(round(figure, 2 if path.startswith("time.") else 4))


def figure_at(figures: dict[str, Any], path: str) -> float | None:
    """The figure of an evaluator at this path of names; None where there is none.

    >>> figure_at({"time": {"ms": 1.5}}, "time.ms"), figure_at({}, "items.records.f1")
    (1.5, None)
    """
    figure: Any = figures
    for name in path.split("."):
        figure = figure.get(name) if figure is not None else None
    return figure  # type: ignore[no-any-return]


def worst_pages(results: Sequence[PageResult], count: int) -> Iterator[str]:
    """The pages of a method with the lowest F1."""
    scored = [(f1, result) for result in results if (f1 := f1_of(result)) is not None]
    yield f"{results[0].method}: lowest F1"
    for f1, result in sorted(scored, key=lambda row: row[0])[:count]:
        yield f"  {result.corpus}/{result.page}: {in_words(result, f1)}"


def in_words(result: PageResult, f1: float) -> str:
    """What was found on a page against what is true, in a few words."""
    if page := result.figures.get("columns"):
        cells = f"{page['true']} true, {page['shown']} shown, {page['right']} right"
        return f"F1 {f1:.3f}, values {cells}; {page['named']} of {page['fields']} fields named"
    if page := result.figures.get("alignment"):
        cells = f"{page['values_true']} true, {page['values_found']} found, {page['values_right']} right"
        return f"F1 {f1:.3f}, values {cells}; {page['columns_right']} of {page['columns_true']} columns right"
    page = result.figures["referee"]
    return (
        f"{page['true']} true, main {page['main_found']} found {page['main_right']} right,"
        f" best region {page['any_found']} found {page['any_right']} right"
    )


def html_report(summaries: Sequence[Summary], results: Sequence[PageResult]) -> str:
    """The whole report of a run."""
    methods = list(dict.fromkeys(result.method for result in results))
    corpora = list(dict.fromkeys(result.corpus for result in results))
    pages: dict[tuple[str, str], list[PageResult]] = {}
    for result in results:
        pages.setdefault((result.corpus, result.page), []).append(result)
    controls = filled(
        resource(reports.__name__, "pages.html"),
        choices="".join(f"<option>{escape(name)}</option>" for name in corpora),
    )
    # Faults are what a reader is after, so the lowest F1 comes first.
    entries = "".join(page_entry(runs) for runs in sorted(pages.values(), key=mean_f1))
    return reports.report(
        "fastwrap eval",
        [f"{len(pages):,} pages; corpora: {', '.join(corpora)}; fastwrap {__version__}"],
        {
            "Plots": reports.legend(methods) + reports.figures(all_plots(methods, summaries, results)),
            "Figures": "".join(reports.table(name, rows, (0, 1)) for name, rows in blocks(summaries).items()),
            "Pages": controls + reports.legend(methods) + entries,
        },
        resource(reports.__name__, "pages.js"),
    )


def mean_f1(runs: Sequence[PageResult]) -> float:
    """Of all methods on a page; infinite for a page without a key."""
    scored = [f1 for run in runs if (f1 := f1_of(run)) is not None]
    return sum(scored) / len(scored) if scored else math.inf


def f1_of(run: PageResult) -> float | None:
    """The F1 of the first region: of its cells, if the truth is a table, or of its records; None without a truth."""
    for evaluator, figure in (("columns", "f1"), ("alignment", "f1"), ("referee", "main_f1")):
        if evaluator in run.figures:
            return run.figures[evaluator][figure]
    return None


def all_plots(methods: Sequence[str], summaries: Sequence[Summary], results: Sequence[PageResult]) -> Iterator[Figure]:
    """The plots: of accuracy where there are answer keys, of time where something was timed."""
    runs = [[result for result in results if result.method == method] for method in methods]
    scored = [
        [(f1, f"{run.method}, {run.corpus}/{run.page}") for run in group if (f1 := f1_of(run)) is not None]
        for group in runs
    ]
    timed = [[run for run in group if "time" in run.figures] for group in runs]
    if any(scored):
        bars = [
            (f"{each.corpus}: {each.method}", f1, methods.index(each.method))
            for each in sorted(summaries, key=lambda each: each.corpus)
            if (f1 := total_f1(each)) is not None
        ]
        what = "F1 of the first region: all records, or all cells of tables"
        yield Figure("Methods compared", plots.bars(bars, what, 220), "tall")
        ticks = {share / 5: f"{share / 5:g}" for share in range(6)}
        yield Figure("F1 of every page", plots.sorted_pages(scored, ticks, 1.0, "best first", "F1 of the page"))
    if any(timed):

        def point(run: PageResult, figure: str, what: str) -> plots.Point:
            time = run.figures["time"]
            return time["nodes"], time[figure], f"{what}, {run.corpus}/{run.page}"

        parse = [point(run, "parse_ms", "bare parse") for run in max(timed, key=len)]
        svg = plots.time_against_nodes(parse, [[point(run, "ms", run.method) for run in group] for group in timed])
        yield Figure("Time against nodes (grey: the bare parse)", svg)


def total_f1(each: Summary) -> float | None:
    """The F1 of all pages, as that of one."""
    for path in ("columns.f1", "alignment.values.f1", "referee.main.f1"):
        if (figure := figure_at(each.figures, path)) is not None:
            return figure
    return None


def page_entry(runs: Sequence[PageResult]) -> str:
    """All methods on one page."""
    first = runs[0]
    faultless = all(run.error is None and f1_of(run) in (None, 1.0) for run in runs)
    chips = "".join(chip(number, run) for number, run in enumerate(runs))
    bodies = "".join(method_entry(run, is_open=len(runs) == 1) for run in runs)
    return (
        f'<details class="page" data-corpus="{shown(first.corpus)}" data-faults="{int(not faultless)}">'
        f"<summary><b>{shown(f'{first.corpus}/{first.page}')}</b>{chips}</summary>{bodies}</details>"
    )


def chip(number: int, run: PageResult) -> str:
    """How a method did on a page, in a word beside its colour."""
    f1 = f1_of(run)
    if run.error is not None:
        kind, says = "bad", "failed"
    elif f1 is None:
        kind, says = "none", f"{len(run.found)} found"
    else:
        kind, says = "good" if f1 >= 0.95 else "fair" if f1 >= 0.5 else "bad", f"{f1:.2f}"
    return f'<span class="chip {kind} {colour(number)}" title="{escape(run.method)}">{says}</span>'


def method_entry(run: PageResult, is_open: bool) -> str:
    """What one method found on a page, against what is true."""
    if run.error is not None:
        said = f'<p class="error">failed: {shown(run.error)}</p>'
    elif run.comparison is not None:
        said = table_entry(run.comparison)
    elif run.true is None:
        said = f"<p>A page without a key; the first region has {len(run.found)} records.</p>"
    else:
        said = f"<p>{len(run.true)} true, {len(run.found)} found"
        if figures := run.figures.get("referee"):
            said += f", {figures['main_right']} right"
            if figures["any_region"]:
                best = f"{figures['any_found']} found, {figures['any_right']} right"
                said += f"; region {figures['any_region'] + 1} is better: {best}"
        said += "</p>"
    if run.comparison is None and (rows := "".join(side_by_side(run.true or (), run.found))):
        said += f'<table class="records"><thead><tr><th></th><th>true</th><th>found</th></tr></thead>{rows}</table>'
    return f"<details{' open' if is_open else ''}><summary>{escape(run.method)}</summary>{said}</details>"


def side_by_side(true: Sequence[str], found: Sequence[str]) -> Iterator[str]:
    """Rows of true and found records: pairs in one row, all others in order between them."""
    bags, found_bags = ([tokens(text) for text in texts] for texts in (true, found))
    right = {place: number for number, place in Pairing(bags, Referee.LEAST).pair(found_bags)}
    missed = [place for place in range(len(true)) if place not in right]
    left = sorted({*range(len(found))} - {*right.values()})
    partner = dict(right)
    if len(missed) * len(left) <= NEAR_PAIRS:
        near = Pairing([bags[place] for place in missed], NEAR).pair(found_bags[number] for number in left)
        partner |= {missed[place]: left[number] for number, place in near}
    alone = sorted({*range(len(found))} - {*partner.values()}, reverse=True)
    for place, text in enumerate(true):
        if place not in partner:
            yield f'<tr class="missed"><td>✗</td><td>{shown(text)}</td><td></td></tr>'
            continue
        while alone and alone[-1] < partner[place]:
            yield wrong(found[alone.pop()])
        other = found[partner[place]]
        if bags[place] == found_bags[partner[place]]:
            one, same = shown(text), '<i class="same">the same</i>'
        else:
            one, same = marked(text, other), marked(other, text)
        kind = 'class="ok"><td>✓' if place in right else 'class="near"><td>≠'
        yield f"<tr {kind}</td><td>{one}</td><td>{same}</td></tr>"
    while alone:
        yield wrong(found[alone.pop()])


def wrong(text: str) -> str:
    """The row of a record that is none."""
    content = shown(text) if text else '<i class="same">no text</i>'
    return f'<tr class="wrong"><td>!</td><td></td><td>{content}</td></tr>'


def marked(text: str, other: str) -> str:
    """A text with the words marked that the other one lacks.

    >>> marked("one two two", "two one")
    'one two <mark>two</mark>'
    """
    left = Counter(tokens(other))
    parts: list[str] = []
    length = 0
    for part in re.split(r"(\w+)", text):
        left[part.lower()] -= 1
        is_lacking = TOKEN.match(part) and left[part.lower()] < 0
        parts.append(f"<mark>{shown(part)}</mark>" if is_lacking else shown(part))
        length += len(part)
        if length > LONGEST_TEXT:
            return "".join([*parts, " …"])
    return "".join(parts)
