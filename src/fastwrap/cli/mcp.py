"""`fastwrap mcp`: tools for agents by the Model Context Protocol, over standard input and output.
An agent's settings name this command; `fastwrap serve` has the same tools at /mcp."""

from __future__ import annotations

import argparse
from pathlib import Path

from fastwrap.cli.codes import DONE
from fastwrap.errors import FastwrapError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `fastwrap mcp`."""
    parser.add_argument(
        "--allow-fetch", action="store_true", help="let the tools fetch pages by their addresses: public ones alone"
    )
    parser.add_argument("--ignore-robots", action="store_true", help="fetch also what a robots.txt does not allow")
    parser.add_argument("--timeout", type=float, default=30, metavar="S", help="seconds to fetch a page (default: 30)")
    parser.add_argument(
        "--wrappers", type=Path, metavar="FOLDER",
        help="keep the wrappers that are learned in this folder (default: only as long as the command runs)",
    )  # fmt: skip
    parser.add_argument(
        "--most", type=int, default=20_000, metavar="BYTES", help="the size of an answer (from 2000; default: 20000)"
    )


def run(options: argparse.Namespace) -> int:
    """Serve until the input ends."""
    if options.most < 2_000:
        raise FastwrapError("--most takes a number of bytes, at least 2000")
    if not 0 < options.timeout < 1e6:
        raise FastwrapError("--timeout takes a number of seconds above 0")
    from fastwrap.agents.keeping import WrappersInFolder
    from fastwrap.agents.server import Agents, guarded_fetch, serve_stdio
    from fastwrap.fetching import Limits

    fetch = None
    if options.allow_fetch:
        fetch = guarded_fetch(limits=Limits(seconds=options.timeout), robots=not options.ignore_robots)
    wrappers = None if options.wrappers is None else WrappersInFolder(options.wrappers)
    serve_stdio(Agents(fetch=fetch, wrappers=wrappers, most=options.most))
    return DONE
