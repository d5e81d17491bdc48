"""`fastwrap extract`: the records of pages, or the one record of a page about one thing; every page by itself, or with
the pages that follow it (`--follow`)."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from fastwrap.cli import inputs, outputs, wanting
from fastwrap.cli.messages import tell
from fastwrap.errors import FastwrapError

if TYPE_CHECKING:
    from fastwrap.crawling.following import Reading
    from fastwrap.extraction import Extraction
    from fastwrap.page import Page


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `fastwrap extract`."""
    inputs.add_arguments(parser)
    outputs.add_arguments(parser)
    inputs.add_method(parser)
    inputs.add_columns(parser)
    wanting.add_want(parser)
    parser.add_argument(
        "--min-confidence", type=float, default=0.5, metavar="C",
        help="below it a page is taken to have no list (from 0 to 1; default: 0.5)",
    )  # fmt: skip
    parser.add_argument(
        "--follow", type=int, metavar="N",
        help="read N pages of the listing at most: this one, and those that its next pages lead to, as one table",
    )  # fmt: skip
    parser.add_argument(
        "--pause", type=float, default=1.0, metavar="S",
        help="seconds between two pages that are followed; robots.txt may ask for more (default: 1)",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Extract from all inputs; 1 where nothing was found, 2 where an input failed."""
    from fastwrap.extraction import extract
    from fastwrap.regions import check_method

    check_method(options.method)
    method, least = options.method, options.min_confidence
    if not 0 <= least <= 1:
        raise FastwrapError("--min-confidence takes a number from 0 to 1")

    if options.follow is not None and options.follow < 1:
        raise FastwrapError("--follow takes a number of pages, at least 1")
    if not 0 <= options.pause < 1e6:
        raise FastwrapError("--pause takes a number of seconds")
    reading: Reading = {
        "method": method, "min_confidence": least, "columns": options.columns, "want": options.want
    }  # fmt: skip

    def found(page: Page) -> Extraction:
        extraction = extract(page, **reading) if options.follow is None else followed(page, options, reading)
        return wanting.tell_missing(extraction, options.quiet)

    return outputs.run(options, found)


def followed(page: Page, options: argparse.Namespace, reading: Reading) -> Extraction:
    """The listing that a page is the first one of; says how far it was followed, and why not further."""
    from fastwrap.crawling import follow

    with inputs.fetcher(options) as fetcher:
        found = follow(page, most=options.follow, fetch=fetcher, pause=options.pause, **reading)
    if not options.quiet:
        doubles = f", {found.doubles:,} doubles left out" if found.doubles else ""
        pages = f"{len(found.pages):,} page{'s' if len(found.pages) != 1 else ''}"
        tell(f"{pages} read{doubles}; stopped: {found.why}")
    return found
