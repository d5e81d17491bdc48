"""The command line: `fastwrap VERB ...`. Data on stdout, messages on stderr.
Exit codes: 0 done, 1 nothing found, 2 bad use or unreadable input."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from fastwrap._version import __version__
from fastwrap.errors import FastwrapError

VERBS = {
    "bench": "time the stages of the pipeline as multiples of the bare parse",
    "eval": "run methods on corpora of pages and measure them against their answer keys",
}
"""Each verb is a module of this package with `add_arguments(parser)` and `run(options) -> int`."""

DONE, NOTHING_FOUND, BAD_USE = 0, 1, 2


def build_parser(verb: str | None) -> argparse.ArgumentParser:
    """The parser of arguments; only the verb in use is imported."""
    parser = argparse.ArgumentParser(prog="fastwrap", description="Turns web pages into tables.")
    parser.add_argument("--version", action="version", version=f"fastwrap {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, what in VERBS.items():
        sub = verbs.add_parser(name, help=what, description=what[0].upper() + what[1:] + ".")
        if name == verb:
            importlib.import_module(f"fastwrap.cli.{name}").add_arguments(sub)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    verb = next((word for word in given if not word.startswith("-")), None)
    options = build_parser(verb).parse_args(given)
    try:
        code: int = importlib.import_module(f"fastwrap.cli.{options.verb}").run(options)
        sys.stdout.flush()
    except (FastwrapError, OSError) as error:
        if isinstance(error, BrokenPipeError):
            # Whoever read our output has seen enough; what is left in the buffer goes nowhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return DONE
        print(f"fastwrap: {error}", file=sys.stderr)
        return BAD_USE
    return code
