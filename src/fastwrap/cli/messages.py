"""What commands tell people, on standard error: messages, and a progress bar.
Nothing that a page or a file name holds can make a terminal do something."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# What moves a terminal's cursor, changes its colours, or turns the direction of its text.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]+")


def tell(message: str) -> None:
    """A message on standard error."""
    print(f"fastwrap: {printable(message)}", file=sys.stderr)


def printable(text: str) -> str:
    """A text without what a terminal would obey.

    >>> printable("a\\x1b[31m\\n b")
    'a [31m  b'
    """
    return _CONTROL.sub(" ", text)


@contextmanager
def progress(total: int) -> Iterator[Callable[[str], None]]:
    """A bar, on a terminal and where rich is installed: gives what to call, with its name, before each of the steps."""
    try:
        from rich.console import Console
        from rich.markup import escape
        from rich.progress import Progress
    except ImportError:
        yield lambda _: None
        return
    terminal = Console(stderr=True)
    with Progress(console=terminal, transient=True, disable=not terminal.is_terminal) as bar:
        task = bar.add_task("", total=total)
        begun = False

        def step(name: str) -> None:
            nonlocal begun
            bar.update(task, description=escape(printable(name)), advance=int(begun))
            begun = True

        yield step
