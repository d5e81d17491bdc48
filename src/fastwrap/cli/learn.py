"""`fastwrap learn`: the wrapper of a site, from one or a few of its pages.
Pages that cannot be read are told at the end; the others are learned from all the same."""

from __future__ import annotations

import argparse
from pathlib import Path

from fastwrap.cli import inputs, outputs, wanting


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `fastwrap learn`."""
    inputs.add_arguments(parser)
    inputs.add_columns(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="write the wrapper here (default: standard output)")
    parser.add_argument(
        "--previous", type=Path, metavar="FILE",
        help="an older wrapper: columns keep their names where the values tell that they are the same",
    )  # fmt: skip
    wanting.add_want(parser)
    wanting.add_example(parser)


def run(options: argparse.Namespace) -> int:
    """Learn from all inputs; 1 where nothing repeats on them, 2 where an input failed."""
    from fastwrap.extraction import MIN_CONFIDENCE
    from fastwrap.wrapper import Wrapper, learn

    previous = None if options.previous is None else Wrapper.load(options.previous)
    sources = inputs.Inputs(options)
    sources.spare(options.output)
    written = outputs.Target(options.output)
    read = list(sources.each(lambda name, source: (name, source.page())))
    pages = [page for _, page in read]
    wanted = {"columns": options.columns, "want": options.want, "examples": options.example}
    wrapper = learn(pages, previous=previous, **wanted) if pages else None
    lists = len(wrapper.patterns) if wrapper is not None else 0
    found = wrapper is not None and (lists > 0 or wrapper.detail is not None)
    if wrapper is not None and found:
        with written as target:
            target.write(wrapper.dumps().encode())
        what = f"{lists} {'list' if lists == 1 else 'lists'}"
        if wrapper.detail is not None:
            what += f" and a record of {len(wrapper.detail.columns)} columns"
        sources.note(f"learned {what} from {len(pages)} of {len(sources.names)} pages")
        if wrapper.kind == "list" and (sure := wrapper.patterns[0].confidence) < MIN_CONFIDENCE:
            sources.note(
                f"the first list is probably not what the pages are for (confidence {sure:.2f}): fastwrap show"
            )
        for misfit in wrapper.misfits:
            sources.note(f"{read[misfit.page][0]}: the wrapper does not fit this page: {misfit.why}")
        sources.note_limits(wrapper.limits)
    elif pages:
        sources.note("nothing repeats on these pages")
    return sources.exit_code(found)
