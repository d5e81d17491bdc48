"""The report of `fastwrap eval`: one HTML file with plots, all figures, and for each page what was found against what
was true. Everything that comes from a page is escaped."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape

from fastwrap._version import __version__
from fastwrap.common.resources import filled, resource
from fastwrap.tools import reports
from fastwrap.tools.evaluate.benchmark import PageResult, Summary
from fastwrap.tools.evaluate.evaluators import Referee
from fastwrap.tools.evaluate.pairing import TOKEN, Pairing, tokens
from fastwrap.tools.evaluate.tables import blocks
from fastwrap.tools.reports import Figure, plots
from fastwrap.tools.reports.plots import colour

LONGEST_TEXT = 1_000  # letters of a record that are shown
NEAR = 0.3  # records are shown side by side from this Dice coefficient on, though not right
NEAR_PAIRS = 100_000  # budget: pairs of records a page that are compared to find these
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


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
    scored = [f1 for run in runs if (f1 := main_f1(run)) is not None]
    return sum(scored) / len(scored) if scored else math.inf


def main_f1(run: PageResult) -> float | None:
    """The F1 of the first region; None for a page without a key."""
    return run.figures.get("referee", {}).get("main_f1")


def all_plots(methods: Sequence[str], summaries: Sequence[Summary], results: Sequence[PageResult]) -> Iterator[Figure]:
    """The plots: of accuracy where there are answer keys, of time where something was timed."""
    runs = [[result for result in results if result.method == method] for method in methods]
    scored = [
        [(f1, f"{run.method}, {run.corpus}/{run.page}") for run in group if (f1 := main_f1(run)) is not None]
        for group in runs
    ]
    timed = [[run for run in group if "time" in run.figures] for group in runs]
    if any(scored):
        bars = [
            (f"{each.corpus}: {each.method}", each.figures["referee"]["main"]["f1"], methods.index(each.method))
            for each in sorted(summaries, key=lambda each: each.corpus)
            if "referee" in each.figures
        ]
        yield Figure("Methods compared", plots.bars(bars, "F1 of all records, first region", 220), "tall")
        ticks = {share / 5: f"{share / 5:g}" for share in range(6)}
        yield Figure("F1 of every page", plots.sorted_pages(scored, ticks, 1.0, "best first", "F1 of the page"))
    if any(timed):

        def point(run: PageResult, figure: str, what: str) -> plots.Point:
            time = run.figures["time"]
            return time["nodes"], time[figure], f"{what}, {run.corpus}/{run.page}"

        parse = [point(run, "parse_ms", "bare parse") for run in max(timed, key=len)]
        svg = plots.time_against_nodes(parse, [[point(run, "ms", run.method) for run in group] for group in timed])
        yield Figure("Time against nodes (grey: the bare parse)", svg)


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
    return f'<span class="chip {kind} {colour(number)}" title="{escape(run.method)}">{says}</span>'


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
    if rows := "".join(side_by_side(run.true or (), run.found)):
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
    length = 0
    for part in re.split(r"(\w+)", text):
        left[part.lower()] -= 1
        is_lacking = TOKEN.match(part) and left[part.lower()] < 0
        parts.append(f"<mark>{shown(part)}</mark>" if is_lacking else shown(part))
        length += len(part)
        if length > LONGEST_TEXT:
            return "".join([*parts, " …"])
    return "".join(parts)
