"""`fastwrap bench`: the stages of the pipeline, and whole tasks, as multiples of the bare parse.
On pages that are generated to look like the web's, or on the pages of any folder."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from fastwrap.cli.codes import DONE, NOTHING_FOUND
from fastwrap.cli.messages import progress, tell
from fastwrap.common.files import write_beside
from fastwrap.errors import FastwrapError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `fastwrap bench`."""
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="time the .html and .htm files below this folder")
    parser.add_argument("--repeat", type=int, default=7, metavar="N", help="rounds of each page (default: 7)")
    parser.add_argument("--compare", action="store_true", help="time other libraries, too (fastwrap[bench])")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print all figures as JSON")
    form.add_argument("--markdown", action="store_true", help="print the table that the README has")
    parser.add_argument("--html", type=Path, metavar="FILE", help="also write a report with plots")


def run(options: argparse.Namespace) -> int:
    """Time everything, print the tables or the JSON; 1 where there is no page to time."""
    from fastwrap.tools.bench import report, rivals
    from fastwrap.tools.bench.figures import as_json
    from fastwrap.tools.bench.pages import shipped
    from fastwrap.tools.bench.running import measure_all, steps
    from fastwrap.tools.evaluate.corpora import without_keys

    if options.repeat < 1:
        raise FastwrapError("--repeat takes a number from 1 on")
    if options.html is not None and not options.html.parent.is_dir():
        raise FastwrapError(f"{options.html.parent} is not a folder")
    if options.compare and (absent := rivals.missing()):
        tell(f"not installed, so not compared: {', '.join(absent)} (pip install 'fastwrap[bench]')")
    if options.corpus is None:
        corpus, pages = None, shipped()
    elif options.corpus.is_dir():
        corpus, pages = str(options.corpus), [(page.name, page.read()) for page in without_keys(options.corpus)]
    else:
        raise FastwrapError(f"{options.corpus} is not a folder")
    with progress(steps(len(pages), corpus is None, options.compare)) as step:
        measured = measure_all(pages, corpus, options.repeat, options.compare, step, tell)
    if measured is None:
        tell("no page to time")
        return NOTHING_FOUND
    if options.html is not None:
        write_beside(options.html, report.html_report(measured))
    if options.json:
        print(json.dumps(as_json(measured), indent=1))
    else:
        print(report.markdown(measured) if options.markdown else report.terminal(measured))
    return DONE
