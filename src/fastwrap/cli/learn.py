"""`fastwrap learn`: the wrapper of a site, from one or a few of its pages.
Pages that cannot be read are told at the end; the others are learned from all the same."""

from __future__ import annotations

import argparse
from pathlib import Path

from fastwrap.cli import inputs, outputs
from fastwrap.cli.codes import BAD_USE, DONE, NOTHING_FOUND


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `fastwrap learn`."""
    inputs.add_arguments(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="write the wrapper here (default: standard output)")
    parser.add_argument(
        "--previous", type=Path, metavar="FILE",
        help="an older wrapper: columns keep their names where the values tell that they are the same",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Learn from all inputs; 1 where nothing repeats on them, 2 where an input failed."""
    from fastwrap.wrapper import Wrapper, learn

    previous = None if options.previous is None else Wrapper.load(options.previous)
    given = inputs.Inputs(options)
    pages = list(given.each(lambda _, page: page))
    wrapper = learn(pages, previous=previous) if pages else None
    if wrapper is not None and wrapper.patterns:
        with outputs.Target(options.output) as target:
            target.write(wrapper.dumps().encode())
        lists = len(wrapper.patterns)
        given.note(f"learned {lists} {'list' if lists == 1 else 'lists'} from {len(pages)} of {len(given.names)} pages")
        given.note_limits(wrapper.limits)
    elif wrapper is not None:
        given.note("nothing repeats on these pages")
    if given.tell_failed():
        return BAD_USE
    return DONE if wrapper is not None and wrapper.patterns else NOTHING_FOUND
