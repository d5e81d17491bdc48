"""`fastwrap apply`: the records of pages, read by a wrapper that `fastwrap learn` saved.
Says on standard error where the wrapper no longer fits."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from fastwrap.cli import inputs, outputs
from fastwrap.cli.messages import tell

if TYPE_CHECKING:
    from fastwrap.extraction import Extraction
    from fastwrap.page import Page


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `fastwrap apply`."""
    parser.add_argument("wrapper", type=Path, metavar="WRAPPER", help="the file of a wrapper")
    inputs.add_arguments(parser)
    outputs.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Apply the wrapper to all inputs; 1 where nothing was found, 2 where an input failed."""
    from fastwrap.wrapper import Wrapper
    from fastwrap.wrapper.fitting import ALARM

    wrapper = Wrapper.load(options.wrapper)

    def extract(page: Page) -> Extraction:
        found = wrapper.extract(page)
        if found.fit < ALARM and not options.quiet:
            tell(f"the wrapper does not fit this page any more (fit {found.fit:.2f}): learn it again")
        return found

    return outputs.run(options, extract)
