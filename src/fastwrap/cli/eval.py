"""`fastwrap eval`: methods run on corpora of pages and measured against their answer keys or true tables.
A table on stdout, or JSON; and, if asked for, a report to look at."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from fastwrap.cli.codes import DONE, NOTHING_FOUND
from fastwrap.cli.messages import progress, tell
from fastwrap.common.files import write_beside
from fastwrap.errors import FastwrapError

ERRORS_SHOWN = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `fastwrap eval`."""
    parser.add_argument(
        "corpus", nargs="+", type=Path, metavar="CORPUS",
        help='a folder of pages, with a truth.jsonl that has a line {"page": path, "records": [text, ...]} for each;'
        " without it, the .html files below are pages without a list; or a file of tables, with a line"
        ' {"page": path, "fields": [{"name": name}, ...], "records": [[value, ...], ...]} for each page',
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
    parser.add_argument(
        "--columns", choices=["all"], help="every column of a table, not only those chosen (default: those chosen)"
    )
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="times that each page is run (default: 3)")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="also list the N pages with the lowest F1")
    parser.add_argument("--json", action="store_true", help="print all figures as JSON")
    parser.add_argument("--report", type=Path, metavar="FILE.html", help="write a report with plots and every page")


def run(options: argparse.Namespace) -> int:
    """Run the methods, print the figures; 1 where there is no page to run them on."""
    from fastwrap.regions import methods
    from fastwrap.tools.evaluate import benchmark
    from fastwrap.tools.evaluate.corpora import Folder, TableFile
    from fastwrap.tools.evaluate.report import html_report, terminal

    if options.repeat < 1:
        raise FastwrapError("--repeat takes a number from 1 on")
    if options.report is not None and not options.report.parent.is_dir():
        raise FastwrapError(f"{options.report.parent} is not a folder")
    # Each corpus has a name of its own: that of its folder or file, or its path where two are called alike.
    names = [path.resolve().name if path.is_dir() else path.stem for path in options.corpus]
    called = Counter([benchmark.ALL, *names])
    corpora = [
        (Folder if path.is_dir() else TableFile)(path, str(path) if called[name] > 1 else None)
        for path, name in zip(options.corpus, names, strict=True)
    ]
    if repeated := [name for name, times in Counter(options.method).items() if times > 1]:
        raise FastwrapError(f"the method {repeated[0]} is given twice")
    defaults = {
        "clean": options.clean,
        "main": options.main,
        **({"columns": options.columns} if options.columns else {}),
    }
    tried = [benchmark.method(written, **defaults) for written in options.method or methods()]
    pages = sum(len(corpus) for corpus in corpora)
    if not pages:
        tell("no page to run on")
        return NOTHING_FOUND
    results = []
    with progress(pages * len(tried)) as step:
        step("evaluating")
        for result in benchmark.run(corpora, tried, repeat=options.repeat):
            results.append(result)
            step(f"evaluated {result.corpus}/{result.page}")
    summaries = benchmark.summarise(results)
    if options.report is not None:
        write_beside(options.report, html_report(summaries, results).encode("utf-8", "replace"))
    if options.json:
        print(json.dumps(benchmark.as_json(summaries, results), indent=1))
    else:
        print(terminal(summaries, results, options.worst))
    failed = [result for result in results if result.error is not None]
    for result in failed[:ERRORS_SHOWN]:
        tell(f"{result.corpus}/{result.page}: {result.method}: {result.error}")
    if len(failed) > ERRORS_SHOWN:
        tell(f"and {len(failed) - ERRORS_SHOWN} more that failed")
    return DONE
