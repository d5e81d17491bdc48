"""The command line: `fastwrap VERB ...`. Data on stdout, messages on stderr.
Exit codes: 0 done, 1 nothing found, 2 bad use or unreadable input."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from fastwrap._version import __version__
from fastwrap.cli.codes import BAD_USE, DONE, INTERRUPTED
from fastwrap.cli.completion import SHELLS, PrintCompletion
from fastwrap.errors import FastwrapError

VERBS = {
    "extract": "find the records of pages: a table on a terminal, JSON in a pipe, or a file",
    "content": "find the main content of pages, as text, Markdown or JSON",
    "learn": "learn the wrapper of a site from one or a few of its pages",
    "apply": "read pages by a wrapper that was learned",
    "batch": "find the records of any number of pages, by all cores, in a folder of Parquet or JSON lines",
    "train": "fit a model of content and noise to pages of your own, for fastwrap content --model",
    "mcp": "give agents tools that read pages (Model Context Protocol, over standard input and output)",
    "show": "make a picture of what is found on a page: one HTML file",
    "serve": "run the extraction server: records, content and wrappers of pages over HTTP",
    "bench": "time the stages of the pipeline as multiples of the bare parse",
    "eval": "run methods on corpora of pages and measure them against their answer keys",
}
"""Each verb is a module of this package with `add_arguments(parser)` and `run(options) -> int`."""


def build_parser(*verbs: str) -> argparse.ArgumentParser:
    """The parser of arguments, with the options of these verbs: only their modules are imported."""
    parser = argparse.ArgumentParser(prog="fastwrap", description="Turns web pages into tables.")
    parser.add_argument("--version", action="version", version=f"fastwrap {__version__}")
    parser.add_argument(
        "--print-completion", action=PrintCompletion, choices=SHELLS, metavar="SHELL",
        help=f"print a script that completes commands in {', '.join(SHELLS)}",
    )  # fmt: skip
    subparsers = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, what in VERBS.items():
        sub = subparsers.add_parser(name, help=what, description=what[0].upper() + what[1:] + ".")
        if name in verbs:
            importlib.import_module(f"fastwrap.cli.{name}").add_arguments(sub)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    verb = next((word for word in words if not word.startswith("-")), "")
    parser = build_parser(verb)
    if any("\0" in word for word in words):
        parser.error("no argument can hold a NUL")
    if verb and verb not in VERBS and ("." in verb or "/" in verb):
        parser.error(f"there is no command {verb!r}: to have the records of a page, fastwrap extract {verb}")
    options = parser.parse_args(words)
    # numpy's linear algebra, which no command uses, would start a thread for each core: a third of the start-up.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        code: int = importlib.import_module(f"fastwrap.cli.{options.verb}").run(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has seen enough; what is left in the buffer goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except (FastwrapError, OSError) as error:
        from fastwrap.cli.messages import tell

        if isinstance(error, OSError) and error.filename is not None and error.strerror:
            tell(f"{error.filename}: {error.strerror}")
        else:
            tell(str(error))
        return BAD_USE
    except KeyboardInterrupt:
        return INTERRUPTED
    return code
