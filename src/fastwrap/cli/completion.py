"""Shell completion: prints a script that completes verbs, options and files, by shtab.
Made once for a shell, so that completing costs no start of Python."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

SHELLS = ("bash", "zsh", "tcsh")

FILES = frozenset("PAGE FILE FILE.html TRUTH.jsonl CORPUS DIR".split())
"""What is called so on the command line is a file or a folder."""


class PrintCompletion(argparse.Action):
    """An option that prints the script, as --version prints the version."""

    def __call__(self, parser: argparse.ArgumentParser, _: object, shell: object, *__: object) -> None:
        """Print the script for the shell, and end."""
        from fastwrap.cli import VERBS, build_parser

        try:
            import shtab
        except ImportError:
            parser.error("shtab is not installed: pip install 'fastwrap[cli]'")
        complete = build_parser(*VERBS)
        for action in actions(complete):
            if action.metavar in FILES:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
        print(shtab.complete(complete, str(shell)))
        parser.exit()


def actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The options and arguments of a parser and of its verbs."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for verb in action.choices.values():
                yield from actions(verb)
