"""`fastwrap extract`: the records of pages, or the one record of a page about one thing, every page by itself."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from fastwrap.cli import inputs, outputs, wanting
from fastwrap.errors import FastwrapError

if TYPE_CHECKING:
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


def run(options: argparse.Namespace) -> int:
    """Extract from all inputs; 1 where nothing was found, 2 where an input failed."""
    from fastwrap.extraction import extract

    inputs.check_method(options)
    method, least = options.method, options.min_confidence
    if not 0 <= least <= 1:
        raise FastwrapError("--min-confidence takes a number from 0 to 1")

    def found(page: Page) -> Extraction:
        extraction = extract(page, method=method, min_confidence=least, columns=options.columns, want=options.want)
        return wanting.tell_missing(extraction, options.quiet)

    return outputs.run(options, found)
