"""`fastwrap bench`: the stages of the pipeline as multiples of the bare parse.
On the pages that ship with the project, or on the pages of any folder."""

from __future__ import annotations

import argparse
import dataclasses
import json
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

from fastwrap._version import __version__
from fastwrap.errors import FastwrapError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `fastwrap bench`."""
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="time the .html and .htm files below this folder")
    parser.add_argument("--repeat", type=int, default=7, metavar="N", help="passes over each page (default: 7)")
    parser.add_argument("--json", action="store_true", help="print figures of every page and stage as JSON")


def pages(corpus: Path | None) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of each page to time."""
    if corpus is None:
        from fastwrap.bench.pages import shipped

        yield from shipped()
        return
    if not corpus.is_dir():
        raise FastwrapError(f"{corpus} is not a folder")
    from fastwrap.evaluate.corpora import without_keys

    for document in without_keys(corpus):
        yield document.name, document.read()


def run(options: argparse.Namespace) -> int:
    """Time the pages, print the table or the JSON; 1 where there is no page to time."""
    from fastwrap.backend import BACKEND
    from fastwrap.bench.stages import measure, summary

    if options.repeat < 1:
        raise FastwrapError("--repeat takes a number from 1 on")
    measured = []
    for name, html in pages(options.corpus):
        try:
            measured.append(measure(name, html, options.repeat))
        except FastwrapError as error:
            print(f"fastwrap: {name}: {error}", file=sys.stderr)
    if not measured:
        print("fastwrap: no page to time", file=sys.stderr)
        return 1
    figures = summary(measured)
    nodes = sum(page.nodes for page in measured)
    bytes_a_node = sum(page.page_bytes for page in measured) / nodes
    machine = f"{platform.machine()}, Python {platform.python_version()}, fastwrap {__version__} ({BACKEND})"
    if options.json:
        report = {
            "machine": machine,
            "pages": [dataclasses.asdict(page) for page in measured],
            "stages": [dataclasses.asdict(stage) for stage in figures],
            "bytes_a_node": bytes_a_node,
        }
        print(json.dumps(report, indent=1))
        return 0
    print(f"{len(measured)} pages, {nodes:,} nodes, {sum(page.html_bytes for page in measured):,} bytes of HTML")
    print(f"{machine}; medians of {options.repeat} passes")
    print(f"a Page holds {bytes_a_node:.0f} bytes a node besides its text")
    print(f"\n{'stage':<32}{'median ms':>10}{'x parse':>10}{'95% of pages':>14}")
    for stage in figures:
        print(f"{stage.name:<32}{1000 * stage.seconds:>10.3f}{stage.median:>10.3f}{stage.percentile_95:>14.3f}")
    return 0
