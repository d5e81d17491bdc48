"""Runs the commands that docs/accuracy.md shows and puts what they print there: `make figures`.
A command is an indented line that begins with `$ fastwrap`; what it prints is indented below it."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

from fastwrap.cli import main

ROOT = Path(__file__).parent.parent
DOCUMENT = ROOT / "docs" / "accuracy.md"
SHOWN = re.compile(
    r"^    \$ fastwrap (?P<arguments>.*)\n(?P<output>(?:    (?!\$ ).*\n|\n(?=    (?!\$ )))*)", re.MULTILINE
)


def printed(arguments: str) -> str:
    """What `fastwrap` prints with these arguments, in the folder of the repository."""
    os.chdir(ROOT)
    with redirect_stdout(io.StringIO()) as out:
        if code := main(arguments.split()):
            raise SystemExit(f"fastwrap {arguments} ends with {code}")
    return out.getvalue()


def renewed(document: str, output_of: Callable[[str], str]) -> str:
    """The document with what its commands print now."""

    def block(shown: re.Match[str]) -> str:
        lines = output_of(shown["arguments"]).splitlines()
        output = "".join(f"    {line}\n" if line else "\n" for line in lines)
        return f"    $ fastwrap {shown['arguments']}\n{output}"

    return SHOWN.sub(block, document)


if __name__ == "__main__":
    DOCUMENT.write_text(renewed(DOCUMENT.read_text(encoding="utf-8"), printed), encoding="utf-8")
