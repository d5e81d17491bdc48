"""`fastwrap batch`: the records of any number of pages, by all cores, in a folder of Parquet or JSON lines.
A run that was killed goes on with --resume, without a page lost or doubled."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fastwrap.cli import inputs, wanting
from fastwrap.cli.codes import DONE, NOTHING_FOUND
from fastwrap.cli.messages import tell

if TYPE_CHECKING:
    from fastwrap.batch import Summary


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `fastwrap batch`."""
    parser.add_argument(
        "inputs", nargs="+", metavar="INPUT",
        help="a folder, a pattern, or a file: a page, zip, tar, WARC (.gz, .zst), JSON lines or Parquet with html",
    )  # fmt: skip
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="the folder that the rows are written to")
    parser.add_argument(
        "-f", "--format", choices=["parquet", "jsonl"], default="parquet", help="of the output (default: parquet)"
    )
    parser.add_argument(
        "--wrapper", action="append", default=[], metavar="FILE", help="read pages by this wrapper; may be given again"
    )
    parser.add_argument(
        "--wrappers", action="append", default=[], metavar="DIR",
        help="read each page by the one of the wrappers in this folder that fits it",
    )  # fmt: skip
    parser.add_argument(
        "--auto-site", action="store_true",
        help="learn a wrapper for each site and template, read the site's other pages by it, learn again what drifts",
    )  # fmt: skip
    wanting.add_want(parser)
    inputs.add_method(parser)
    parser.add_argument(
        "--min-confidence", type=float, default=0.5, metavar="P", help="no list that is less sure (default: 0.5)"
    )
    parser.add_argument(
        "--engine", choices=["local", "ray"], default="local",
        help="what works: processes of this machine, or the Ray cluster that RAY_ADDRESS names (default: local)",
    )  # fmt: skip
    parser.add_argument("--workers", type=int, metavar="N", help="processes (default: one for each core)")
    parser.add_argument("--resume", action="store_true", help="go on with a run that was stopped")
    parser.add_argument(
        "--page-seconds", type=float, default=60, metavar="S", help="a page that takes longer is an error (default: 60)"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no messages but errors")


def run(options: argparse.Namespace) -> int:
    """Extract all pages; 1 where nothing was found."""
    from fastwrap import batch

    reading = batch.Reading(
        wrappers=batch.wrapper_files([*options.wrapper, *options.wrappers]), auto_site=options.auto_site,
        want=options.want, method=options.method, min_confidence=options.min_confidence, format=options.format,
        page_seconds=options.page_seconds,
    )  # fmt: skip
    try:
        with shown(options) as step:
            done = batch.run(
                options.inputs, options.output, reading,
                engine=options.engine, workers=options.workers, resume=options.resume, tell=step,
            )  # fmt: skip
    except KeyboardInterrupt:
        tell(f"stopped: go on with fastwrap batch --resume, the same inputs and -o {options.output}")
        raise
    if not options.quiet:
        for line in lines_of(done):
            tell(line)
    return DONE if done.records else NOTHING_FOUND


def lines_of(done: Summary) -> Iterator[str]:
    """For people: what a run has done.

    >>> from fastwrap.batch import Summary
    >>> list(lines_of(Summary(pages=1200, records=30000, errors=1, wrappers=5, drifted=2)))
    ['1,200 pages, 30,000 records', '1 error: see errors/', '5 wrappers learned, 2 of them because a site has changed']
    """
    yield f"{done.pages:,} pages, {done.records:,} records"
    if done.errors:
        yield f"{done.errors:,} error{'s' if done.errors != 1 else ''}: see errors/"
    if done.wrappers:
        again = f", {done.drifted:,} of them because a site has changed" if done.drifted else ""
        yield f"{done.wrappers:,} wrapper{'s' if done.wrappers != 1 else ''} learned{again}"
    if done.unfit:
        yield f"{done.unfit:,} pages fitted no wrapper, and were read without one"
    if done.restarts:
        yield f"{done.restarts:,} times a worker was started again"


@contextmanager
def shown(options: argparse.Namespace) -> Iterator[Callable[[Summary], None] | None]:
    """A bar with pages per second and the time left, on a terminal and where rich is installed."""
    if options.quiet or not sys.stderr.isatty():
        yield None
        return
    try:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
    except ImportError:
        yield None
        return
    from fastwrap.batch.running import size_of

    told = TextColumn("{task.fields[told]}")
    with Progress(BarColumn(), told, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=size_of(options.inputs, options.output), told="starting")
        first: list[tuple[float, int]] = []

        def step(done: Summary) -> None:
            now = time.monotonic()
            if not first:  # what was done before does not count for the speed
                first.append((now, done.pages))
            rate = (done.pages - first[0][1]) / max(now - first[0][0], 1e-3)
            errors = f", {done.errors:,} errors" if done.errors else ""
            bar.update(task, completed=done.consumed, told=f"{done.pages:,} pages, {rate:,.0f}/s{errors}")

        yield step
