"""The report: all figures of a run as one HTML file that needs nothing else, with plots, and for each page
what was found against what was true. Everything that comes from a page is escaped."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from fastwrap._version import __version__
from fastwrap.tools.evaluate import plots
from fastwrap.tools.evaluate.benchmark import ALL, PageResult, Summary
from fastwrap.tools.evaluate.evaluators import Referee
from fastwrap.tools.evaluate.frame import FRAME
from fastwrap.tools.evaluate.pairing import TOKEN, Pairing, tokens

LONGEST_TEXT = 1_000
"""Letters of a record that are shown."""
NEAR = 0.3
"""Records are shown side by side from this Dice coefficient on, though not right."""
NEAR_PAIRS = 100_000
"""Budget: pairs of records a page that are compared to find these."""
ALONE = ""
"""The name of a figure that is in no group."""
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def html_report(summaries: Sequence[Summary], results: Sequence[PageResult]) -> str:
    """The whole report of a run."""
    methods = list(dict.fromkeys(result.method for result in results))
    corpora = list(dict.fromkeys(result.corpus for result in results))
    if len(corpora) == 1:
        summaries = [summary for summary in summaries if summary.corpus != ALL]  # the same again
    pages: dict[tuple[str, str], list[PageResult]] = {}
    for result in results:
        pages.setdefault((result.corpus, result.page), []).append(result)
    body = [
        f"<header><h1>fastwrap eval</h1><p>{len(pages):,} pages; corpora: {escape(', '.join(corpora))};"
        f" fastwrap {escape(__version__)}</p></header>",
        f"<section><h2>Plots</h2>{legend(methods)}{all_plots(methods, summaries, results)}</section>",
        f"<section><h2>Figures</h2>{tables(summaries)}</section>",
        f"<section><h2>Pages</h2>{controls(corpora)}{legend(methods)}"
        f"{''.join(page_entry(runs) for runs in worst_first(pages))}</section>",
    ]
    return FRAME.replace("{{body}}", "\n".join(body))


def worst_first(pages: dict[tuple[str, str], list[PageResult]]) -> list[list[PageResult]]:
    """The runs on each page, those with the lowest F1 first: faults are what a reader is after."""

    def order(runs: Sequence[PageResult]) -> float:
        scored = [f1 for run in runs if (f1 := main_f1(run)) is not None]
        return sum(scored) / len(scored) if scored else math.inf

    return sorted(pages.values(), key=order)


def main_f1(run: PageResult) -> float | None:
    """The F1 of the first region; None for a page without a key."""
    return run.figures.get("referee", {}).get("main_f1")


def tables(summaries: Sequence[Summary]) -> str:
    """All totals, evaluator by evaluator; the first one is open."""
    names = list(dict.fromkeys(name for summary in summaries for name in summary.figures))
    return "".join(table(name, summaries, is_open=name == names[0]) for name in names)


def table(name: str, summaries: Sequence[Summary], is_open: bool) -> str:
    """The totals of one evaluator: one row for each method and corpus, groups of figures under one head."""
    rows = [summary for summary in summaries if name in summary.figures]
    groups = {group: list(columns(figure)) for group, figure in rows[0].figures[name].items()}
    heads = "".join(
        f'<th rowspan="2">{spaced(group)}</th>'
        if members == [ALONE]
        else f'<th colspan="{len(members)}" class="group">{spaced(group)}</th>'
        for group, members in groups.items()
    )
    subheads = "".join(
        f"<th>{spaced(member)}</th>" for members in groups.values() for member in members if member != ALONE
    )
    lines = []
    method = None
    for row in rows:
        cells = [row.method if row.method != method else "", row.corpus]
        method = row.method
        for group, members in groups.items():
            figure = row.figures[name][group]
            cells += [number(figure if member == ALONE else figure[member]) for member in members]
        kind = ' class="all"' if row.corpus == ALL else ""
        lines.append(f"<tr{kind}>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
    return (
        f'<details class="table"{" open" if is_open else ""}><summary>{escape(name)}</summary>'
        f'<div class="scroll"><table class="figures"><thead><tr><th rowspan="2">method</th>'
        f'<th rowspan="2">corpus</th>{heads}</tr><tr>{subheads}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div></details>"
    )


def columns(figure: Any) -> list[str]:
    """The names of a group of figures; one without a name for a figure alone.

    >>> columns({"precision": 0.5, "recall": 1.0}), columns(0.5)
    (['precision', 'recall'], [''])
    """
    return list(figure) if isinstance(figure, dict) else [ALONE]


def spaced(name: str) -> str:
    """The name of a figure as a heading."""
    return escape(name.replace("_", " "))


def number(figure: float | None) -> str:
    """A figure as text."""
    if figure is None:
        return "–"
    if isinstance(figure, int):
        return f"{figure:,}"
    return f"{figure:,.4f}" if abs(figure) < 10 else f"{figure:,.2f}"


def legend(methods: Iterable[str]) -> str:
    """Which colour is which method."""
    entries = "".join(f'<li class="{plots.colour(k)}">{escape(name)}</li>' for k, name in enumerate(methods))
    return f'<ul class="legend">{entries}</ul>'


def all_plots(methods: Sequence[str], summaries: Sequence[Summary], results: Sequence[PageResult]) -> str:
    """The plots, each with its heading."""
    by_corpus: dict[str, list[tuple[int, str, float, float]]] = {}
    for summary in summaries:
        if referee := summary.figures.get("referee"):
            row = (methods.index(summary.method), summary.method, referee["main"]["f1"], referee["any"]["f1"])
            by_corpus.setdefault(summary.corpus, []).append(row)
    runs = [[result for result in results if result.method == method] for method in methods]
    scored = [[(f1, where(run)) for run in group if (f1 := main_f1(run)) is not None] for group in runs]
    timed = [[run for run in group if "time" in run.figures] for group in runs]
    figures = []
    if by_corpus:
        figures += [
            ("Methods compared", plots.comparison(list(by_corpus.items()))),
            ("F1 of every page", plots.by_page(scored)),
        ]
    if any(timed):
        figures.append(
            (
                "Time against nodes (grey: the bare parse)",
                plots.time_against_nodes(
                    [point(run, "parse_ms", "bare parse") for run in max(timed, key=len)],
                    [[point(run, "ms", run.method) for run in group] for group in timed],
                ),
            )
        )
    if by_corpus:
        histograms = (
            f"<div><h4>{escape(method)}</h4>{plots.histogram(k, method, [f1 for f1, _ in group])}</div>"
            for k, (method, group) in enumerate(zip(methods, scored, strict=True))
        )
        figures.append(("Pages by F1", f'<div class="small">{"".join(histograms)}</div>'))
    return (
        '<div class="plots">'
        + "".join(f"<figure><figcaption>{title}</figcaption>{svg}</figure>" for title, svg in figures)
        + "</div>"
    )


def where(run: PageResult) -> str:
    """A page in words."""
    return f"{run.method}, {run.corpus}/{run.page}"


def point(run: PageResult, figure: str, what: str) -> plots.Point:
    """Where the time of a run stands."""
    time = run.figures["time"]
    return time["nodes"], time[figure], f"{what}, {run.corpus}/{run.page}"


def controls(corpora: Iterable[str]) -> str:
    """What narrows the list of pages down."""
    choices = "".join(f"<option>{escape(name)}</option>" for name in corpora)
    return (
        '<form class="controls"><label>corpus <select id="corpus"><option value="">all</option>'
        f'{choices}</select></label><label>page <input id="page" type="search" placeholder="part of its name"></label>'
        '<label><input id="faults" type="checkbox"> only pages with faults</label><output id="shown"></output></form>'
        '<p class="key"><span class="ok">✓ matched</span> <span class="near">≠ not alike enough</span>'
        ' <span class="missed">✗ missed</span> <span class="wrong">! wrong</span> <span>lowest F1 first;'
        " <mark>words</mark> that the other side lacks</span></p>"
    )


def page_entry(runs: Sequence[PageResult]) -> str:
    """All methods on one page."""
    first = runs[0]
    faultless = all(run.error is None and main_f1(run) in (None, 1.0) for run in runs)
    chips = "".join(chip(number, run) for number, run in enumerate(runs))
    bodies = "".join(method_entry(run, is_open=len(runs) == 1) for run in runs)
    return (
        f'<details class="page" data-corpus="{shown(first.corpus)}" data-faults="{int(not faultless)}">'
        f"<summary><b>{shown(f'{first.corpus}/{first.page}')}</b>{chips}</summary>{bodies}</details>"
    )


def chip(number: int, run: PageResult) -> str:
    """How a method did on a page, in a word beside its colour."""
    f1 = main_f1(run)
    if run.error is not None:
        kind, says = "bad", "failed"
    elif f1 is None:
        kind, says = "none", f"{len(run.found)} found"
    else:
        kind, says = "good" if f1 >= 0.95 else "fair" if f1 >= 0.5 else "bad", f"{f1:.2f}"
    return f'<span class="chip {kind} {plots.colour(number)}" title="{escape(run.method)}">{says}</span>'


def method_entry(run: PageResult, is_open: bool) -> str:
    """What one method found on a page, against what is true."""
    if run.error is not None:
        said = f'<p class="error">failed: {shown(run.error)}</p>'
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
    rows = "".join(side_by_side(run.true or (), run.found))
    records = (
        f'<table class="records"><thead><tr><th></th><th>true</th><th>found</th></tr></thead>{rows}</table>'
        if rows
        else ""
    )
    return f"<details{' open' if is_open else ''}><summary>{escape(run.method)}</summary>{said}{records}</details>"


def side_by_side(true: Sequence[str], found: Sequence[str]) -> Iterator[str]:
    """Rows of true and found records: pairs in one row, all others in order between them."""
    bags, found_bags = ([tokens(text) for text in texts] for texts in (true, found))
    right = {place: number for number, place in Pairing(bags, Referee.LEAST).pair(found_bags)}
    missed = [place for place in range(len(true)) if place not in right]
    left = sorted({*range(len(found))} - {*right.values()})
    near = (
        Pairing([bags[place] for place in missed], NEAR).pair(found_bags[number] for number in left)
        if len(missed) * len(left) <= NEAR_PAIRS
        else []
    )
    partner = right | {missed[place]: left[number] for number, place in near}
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


def shown(text: str) -> str:
    """A text for HTML: cut, escaped, without what no HTML may hold.

    >>> shown('<b title="x">\\x00')
    '&lt;b title=&quot;x&quot;&gt;�'
    """
    cut = text if len(text) <= LONGEST_TEXT else text[:LONGEST_TEXT] + " …"
    return escape(CONTROL.sub("\ufffd", cut))


def marked(text: str, other: str) -> str:
    """A text with the words marked that the other one lacks.

    >>> marked("one two two", "two one")
    'one two <mark>two</mark>'
    """
    left = Counter(tokens(other))
    parts: list[str] = []
    end = 0
    for word in TOKEN.finditer(text):
        lower = word[0].lower()
        plain = left[lower] > 0
        left[lower] -= 1
        parts.append(shown(text[end : word.start()]))
        parts.append(shown(word[0]) if plain else f"<mark>{shown(word[0])}</mark>")
        end = word.end()
        if end > LONGEST_TEXT:
            return "".join([*parts, " …"])
    return "".join([*parts, shown(text[end:])])
