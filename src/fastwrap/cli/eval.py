"""`fastwrap eval`: methods run on corpora of pages and measured against their answer keys.
A table on stdout, or JSON; and, if asked for, a report to look at."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastwrap.errors import FastwrapError

if TYPE_CHECKING:
    from fastwrap.tools.evaluate.benchmark import PageResult, Summary
    from fastwrap.tools.evaluate.corpora import Folder

ERRORS_SHOWN = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `fastwrap eval`."""
    parser.add_argument(
        "corpus", nargs="+", type=Path, metavar="CORPUS",
        help='a folder of pages, with a truth.jsonl that has a line {"page": path, "records": [text, ...]} for each;'
        " without it, the .html files below are pages without a list",
    )  # fmt: skip
    parser.add_argument(
        "--method", action="append", default=[], metavar="NAME[:OPTION=VALUE,...]",
        help="a method and its options, as mdr:distance=dt,search=ca; repeat it to compare (default: every method)",
    )  # fmt: skip
    parser.add_argument(
        "--clean", action="store_true",
        help="remove noise first, and tell what that removes (for one method, or in another mode: NAME:clean=joined)",
    )  # fmt: skip
    parser.add_argument("--main", choices=["longest"], help="how the first region is chosen (default: by the method)")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="times that each page is run (default: 3)")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="also list the N pages with the lowest F1")
    parser.add_argument("--json", action="store_true", help="print all figures as JSON")
    parser.add_argument("--report", type=Path, metavar="FILE.html", help="write a report with plots and every page")


def run(options: argparse.Namespace) -> int:
    """Run the methods, print the figures; 1 where there is no page to run them on."""
    from fastwrap.regions import methods
    from fastwrap.tools.evaluate import benchmark, extractors
    from fastwrap.tools.evaluate.report import html_report

    if options.repeat < 1:
        raise FastwrapError("--repeat takes a number from 1 on")
    if options.report is not None and not options.report.parent.is_dir():
        raise FastwrapError(f"{options.report.parent} is not a folder")
    corpora = folders(options.corpus)
    if repeated := [name for name, times in Counter(options.method).items() if times > 1]:
        raise FastwrapError(f"the method {repeated[0]} is given twice")
    tried = [
        extractors.method(written, clean=options.clean, main=options.main) for written in options.method or methods()
    ]
    pages = sum(len(corpus) for corpus in corpora)
    if not pages:
        print("fastwrap: no page to run on", file=sys.stderr)
        return 1
    runs = benchmark.run(corpora, tried, repeat=options.repeat)
    results = list(with_progress(runs, pages * len(tried)))
    summaries = benchmark.summarise(results)
    if options.report is not None:
        options.report.write_text(html_report(summaries, results), encoding="utf-8", errors="replace")
    if options.json:
        print(json.dumps(benchmark.as_json(summaries, results), indent=1))
    else:
        print("\n".join(tables(summaries, results, options.worst)))
    failed = [result for result in results if result.error is not None]
    for result in failed[:ERRORS_SHOWN]:
        print(f"fastwrap: {result.corpus}/{result.page}: {result.method}: {result.error}", file=sys.stderr)
    if len(failed) > ERRORS_SHOWN:
        print(f"fastwrap: and {len(failed) - ERRORS_SHOWN} more that failed", file=sys.stderr)
    return 0


def folders(paths: Sequence[Path]) -> list[Folder]:
    """The corpora, each under a name of its own: that of its folder, or its path where two are called alike."""
    from fastwrap.tools.evaluate.benchmark import ALL
    from fastwrap.tools.evaluate.corpora import Folder

    called = Counter([ALL, *(path.resolve().name for path in paths)])
    return [Folder(path, str(path) if called[path.resolve().name] > 1 else None) for path in paths]


def with_progress(results: Iterable[PageResult], total: int) -> Iterator[PageResult]:
    """The results, with a bar on the terminal while they come: where there is one, and rich is installed."""
    try:
        from rich.console import Console
        from rich.progress import track
    except ImportError:
        yield from results
        return
    terminal = Console(stderr=True)
    yield from track(results, "evaluating", total, console=terminal, transient=True, disable=not terminal.is_terminal)


def tables(summaries: Sequence[Summary], results: Sequence[PageResult], worst: int) -> Iterator[str]:
    """The figures for a terminal, method by method."""
    for method in dict.fromkeys(summary.method for summary in summaries):
        rows = [summary for summary in summaries if summary.method == method]
        if len({row.corpus for row in rows}) == 2:
            rows.pop()  # one corpus and all corpora are the same
        yield from ("", method, *record_table(rows))
        if any("noise" in row.figures for row in rows):
            yield from noise_table(rows)
        yield from worst_pages([result for result in results if result.method == method], worst)


def record_table(rows: Iterable[Summary]) -> Iterator[str]:
    """Records right, pages answered, time."""
    yield (
        f"{'set':<14}{'pages':>6}{'records':>8}{'errors':>7}{'ms/page':>9}{'x parse':>9}{'95%':>9}   "
        f"{'main P':>7}{'R':>7}{'F1':>7}{'pageF1':>8}{'exact':>7}{'count':>7}   {'any F1':>7}{'exact':>7}   "
        f"{'rec. F':>7}{'item F':>7}   {'answers':>7}"
    )
    for row in rows:
        time, sure = row.figures.get("time", {}), row.figures.get("confidence", {})
        main, best = (row.figures.get("referee", {}).get(view, {}) for view in ("main", "any"))
        records, items = (row.figures.get("items", {}).get(what, {}) for what in ("records", "items"))
        yield (
            f"{row.corpus:<14}{row.pages:>6}{row.records:>8}{row.errors:>7}{cell(time, 'ms_per_page', 2):>9}"
            f"{cell(time, 'median_multiple', 2):>9}{cell(time, 'percentile_95_multiple', 2):>9}   "
            f"{cell(main, 'precision'):>7}{cell(main, 'recall'):>7}{cell(main, 'f1'):>7}{cell(main, 'page_f1'):>8}"
            f"{cell(main, 'pages_exact'):>7}{cell(main, 'count_hit'):>7}   "
            f"{cell(best, 'f1'):>7}{cell(best, 'pages_exact'):>7}   {cell(records, 'f1'):>7}{cell(items, 'f1'):>7}   "
            f"{cell(sure, 'answers'):>7}"
        )


def noise_table(rows: Iterable[Summary]) -> Iterator[str]:
    """What was removed, and the records of all regions before and after."""
    yield (
        f"{'noise':<14}{'list kept':>10}{'noise removed':>14}{'nodes pruned':>13}   "
        f"{'before P':>9}{'R':>7}{'F1':>7}   {'after P':>9}{'R':>7}{'F1':>7}"
    )
    for row in rows:
        if noise := row.figures.get("noise"):
            before, after = noise["before"], noise["after"]
            yield (
                f"{row.corpus:<14}{cell(noise, 'main_list_kept'):>10}{cell(noise, 'noise_removed'):>14}"
                f"{cell(noise, 'nodes_pruned'):>13}   "
                f"{cell(before, 'precision'):>9}{cell(before, 'recall'):>7}{cell(before, 'f1'):>7}   "
                f"{cell(after, 'precision'):>9}{cell(after, 'recall'):>7}{cell(after, 'f1'):>7}"
            )


def cell(figures: dict[str, Any], name: str, digits: int = 4) -> str:
    """A figure as the referee prints it; a dash where there is none."""
    figure = figures.get(name)
    return "-" if figure is None else str(round(figure, digits))


def worst_pages(results: Iterable[PageResult], count: int) -> Iterator[str]:
    """The pages with the lowest F1."""
    scored = [(result, result.figures["referee"]) for result in results if "referee" in result.figures]
    for result, page in sorted(scored, key=lambda row: row[1]["main_f1"])[: max(0, count)]:
        yield (
            f"  {result.corpus}/{result.page}: {page['true']} true, main {page['main_found']} found"
            f" {page['main_right']} right, best region {page['any_found']} found {page['any_right']} right"
        )
