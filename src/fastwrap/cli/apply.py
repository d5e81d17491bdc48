"""`fastwrap apply`: the records of pages, read by a wrapper that `fastwrap learn` saved.
Says on standard error where the wrapper no longer fits; with --heal, it is healed there."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from fastwrap.cli import inputs, outputs
from fastwrap.cli.messages import tell
from fastwrap.errors import FastwrapError

if TYPE_CHECKING:
    from fastwrap.extraction import Extraction
    from fastwrap.page import Page
    from fastwrap.wrapper import Wrapper

MOST_HEALED = 5
"""Healed wrappers that are tried on a page: a site has one or two designs at a time."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `fastwrap apply`."""
    parser.add_argument("wrapper", type=Path, metavar="WRAPPER", help="the file of a wrapper")
    inputs.add_arguments(parser)
    outputs.add_arguments(parser)
    parser.add_argument(
        "--heal", action="store_true",
        help="where the wrapper does not fit a page any more, find its list again by what is in it",
    )  # fmt: skip
    parser.add_argument(
        "--save-healed", metavar="FILE", help="with --heal: write the healed wrapper here; WRAPPER stays as it is"
    )


def run(options: argparse.Namespace) -> int:
    """Apply the wrapper to all inputs; 1 where nothing was found, 2 where an input failed."""
    from fastwrap.wrapper import Wrapper
    from fastwrap.wrapper.fitting import ALARM

    if options.save_healed is not None and not options.heal:
        raise FastwrapError("--save-healed takes --heal")
    if options.save_healed is not None:
        spare(options.save_healed, [str(options.wrapper), *options.pages])
    wrappers = [Wrapper.load(options.wrapper)]

    def extract(page: Page) -> Extraction:
        # The latest first: most pages have the new design. The wrapper itself is always among them.
        tried = [wrapper.extract(page) for wrapper in (*wrappers[:0:-1][:MOST_HEALED], wrappers[0])]
        found = next((each for each in tried if each.fit >= ALARM), tried[-1])
        if found.fit >= ALARM:
            return found
        if options.heal and (healed := heal(wrappers[0], page, options.quiet)) is not None:
            wrappers.append(healed)
            return healed.extract(page)
        if not options.quiet and not options.heal:
            tell(f"the wrapper does not fit this page any more (fit {found.fit:.2f}): heal it, or learn it again")
        return found

    code = outputs.run(options, extract)
    if options.save_healed is not None and len(wrappers) > 1:
        wrappers[-1].save(options.save_healed)
        if not options.quiet:
            tell(f"the healed wrapper is written to {options.save_healed}")
    return code


def spare(file: str, read: Iterable[str]) -> None:
    """Raise FastwrapError if a file that is to be written is one that is read, by whatever name."""
    for name in read:
        there, status = Path(file), inputs.status(name)
        if status is not None and there.exists() and os.path.samestat(status, there.stat()):
            raise FastwrapError(f"{file} would be written over {name}, which is read: give another name")


def heal(wrapper: Wrapper, page: Page, quiet: bool) -> Wrapper | None:
    """The wrapper, healed; None where its list is not found on the page. Says what was done."""
    healed, report = wrapper.heal(page)
    if not quiet:
        for line in str(report).splitlines():
            tell(line)
    return healed if report.found else None
