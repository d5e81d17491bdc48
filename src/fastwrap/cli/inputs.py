"""What commands read: pages from files, from the web, and from standard input, with a progress bar for several.
One that fails does not stop the others; it is told at the end."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, nullcontext
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from fastwrap.cli.codes import BAD_USE, DONE, NOTHING_FOUND
from fastwrap.cli.messages import progress, tell
from fastwrap.errors import FastwrapError

if TYPE_CHECKING:
    from fastwrap.fetching.client import Fetcher
    from fastwrap.page import Page

Result = TypeVar("Result")

_WEB = re.compile(r"https?://", re.IGNORECASE)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of every command that reads pages."""
    parser.add_argument("pages", nargs="+", metavar="PAGE", help="a file, an address of the web, - for standard input")
    parser.add_argument("--url", metavar="URL", help="the address that a file or standard input is the page of")
    parser.add_argument("--encoding", metavar="NAME", help="the encoding of the pages (default: as a browser finds it)")
    parser.add_argument("--timeout", type=float, default=30, metavar="S", help="seconds to fetch a page (default: 30)")
    parser.add_argument("--ignore-robots", action="store_true", help="fetch also what a robots.txt does not allow")
    parser.add_argument("--allow-private", action="store_true", help="fetch also from private networks, this machine")
    parser.add_argument("-q", "--quiet", action="store_true", help="no messages but errors")


def add_method(parser: argparse.ArgumentParser) -> None:
    """The option of every command that finds lists."""
    parser.add_argument(
        "--method", default="auto", metavar="NAME",
        help="how lists are found: one of fastwrap.methods() (default: auto)",
    )  # fmt: skip


def add_columns(parser: argparse.ArgumentParser) -> None:
    """The option of every command that finds columns."""
    parser.add_argument(
        "--columns", choices=["all"],
        help="one column for each text and attribute that any record has (default: those that a person would keep)",
    )  # fmt: skip


class Source(NamedTuple):
    """A page as it was read."""

    html: bytes
    url: str | None
    encoding: str | None = None  # as the user names it, or the header Content-Type of a page from the web

    def page(self) -> Page:
        """The page; FastwrapError, which says what it is, for data of another kind."""
        from fastwrap.page import Page

        return Page.of(self.html, self.url, self.encoding)


def status(name: str) -> os.stat_result | None:
    """What the system knows of the file that is read for this name; None if none is."""
    try:
        # A folder could be called like an address; what is fetched, or piped in, is no file of this name.
        return None if _WEB.match(name) else os.fstat(sys.stdin.fileno()) if name == "-" else os.stat(name)
    except (OSError, ValueError, AttributeError):
        return None


class Inputs:
    """The pages that a command was given."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.names: list[str] = options.pages
        self.failed: list[tuple[str, Exception]] = []
        """The inputs that could not be read or worked on, and why."""
        self._options = options
        self._open = ExitStack()
        if self.names.count("-") > 1:
            raise FastwrapError("standard input can be read only once")
        if options.url is not None and (len(self.names) > 1 or _WEB.match(self.names[0])):
            raise FastwrapError("--url is for one page that is not fetched")
        if not 0 < options.timeout < 1e6:
            raise FastwrapError("--timeout takes a number of seconds above 0")

    def spare(self, *files: str | None) -> None:
        """Raise FastwrapError if one of the files that are to be written is one that is read, by whatever name."""
        wrapper = getattr(self._options, "wrapper", None)
        for file in files:
            if file in (None, "-"):
                continue
            try:
                written = os.stat(file)
            except OSError:
                continue  # there is no such file yet; or writing will tell what is wrong with it
            for name in [*self.names, *([] if wrapper is None else [str(wrapper)])]:
                if (read := status(name)) is not None and os.path.samestat(read, written):
                    raise FastwrapError(
                        f"{file} would be written over {name}, which is read: give another name with -o"
                    )

    def each(self, work: Callable[[str, Source], Result]) -> Iterator[Result]:
        """What `work` makes of each name and the bytes behind it."""
        # For one page no bar is worth the import of rich; nor without a terminal.
        shown = len(self.names) > 1 and not self._options.quiet and sys.stderr.isatty()
        with self._open, progress(len(self.names)) if shown else nullcontext() as step:
            for name in self.names:
                if step is not None:
                    step(f"reading {name}")
                try:
                    result = work(name, self._read(name))
                except (FastwrapError, OSError) as error:
                    self.failed.append((name, error))
                else:
                    yield result

    def note_limits(self, limits: Iterable[str], name: str = "") -> None:
        """Say which budgets were met while what has this name was made, and what can be done about each."""
        from fastwrap.limits import LIMITS

        for limit in limits:
            advice = f": {LIMITS[limit]}" if limit in LIMITS else ""
            self.note(f"{name}{': ' * bool(name)}budget met: {limit}{advice}")

    def exit_code(self, found: bool) -> int:
        """The exit code of a command that found something or nothing; says which inputs failed."""
        for name, error in self.failed:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            tell(reason if reason.startswith(name) else f"{name}: {reason}")
        if len(self.names) > 1 and self.failed:
            tell(f"{len(self.failed)} of {len(self.names)} pages failed")
        return BAD_USE if self.failed else DONE if found else NOTHING_FOUND

    def note(self, message: str) -> None:
        """Say something that is no error."""
        if not self._options.quiet:
            tell(message)

    def _read(self, name: str) -> Source:
        from fastwrap.page.page import MAX_BYTES

        if name == "-":
            return Source(sys.stdin.buffer.read(MAX_BYTES + 1), self._options.url, self._options.encoding)
        if _WEB.match(name):
            fetched = self._fetcher.fetch(name)
            return Source(fetched.content, fetched.url, self._options.encoding or fetched.headers.get("content-type"))
        if "://" in name and not Path(name).exists():
            raise FastwrapError("only http and https are fetched")
        if Path(name).is_dir():
            raise FastwrapError(f"this is a folder: give the pages in it, such as {Path(name) / '*.html'}")
        with Path(name).open("rb") as file:
            return Source(file.read(MAX_BYTES + 1), self._options.url, self._options.encoding)

    @cached_property
    def _fetcher(self) -> Fetcher:
        return self._open.enter_context(fetcher(self._options))


def fetcher(options: argparse.Namespace) -> Fetcher:
    """What fetches pages, as the options say."""
    from fastwrap.fetching import Limits
    from fastwrap.fetching.client import Fetcher

    limits, robots = Limits(seconds=options.timeout), not options.ignore_robots
    return Fetcher(limits=limits, robots=robots, allow_private=options.allow_private)
