"""`fastwrap serve`: the extraction server, which answers over HTTP what the other commands print."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from fastwrap.errors import FastwrapError

if TYPE_CHECKING:
    from fastwrap.server.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `fastwrap serve`."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    add = parser.add_argument
    add("--host", default="127.0.0.1", metavar="ADDRESS", help="the address to listen on (default: 127.0.0.1)")
    add("--port", type=int, default=8080, metavar="N", help="the port; 0 for a free one (default: 8080)")
    add("--workers", type=int, default=cores, metavar="N", help="processes (default: one for each core)")
    add("--threads", type=int, default=2, metavar="N", help="pages that a process reads at once (default: 2)")
    add("--store", default="fastwrap.db", metavar="PATH|DSN",
        help="where wrappers are kept: a file for SQLite, or the DSN of PostgreSQL (default: fastwrap.db)")  # fmt: skip
    add("--token-file", metavar="FILE",
        help="a line for each token, NAME TOKEN or TOKEN; FASTWRAP_TOKEN in the environment is one, too")  # fmt: skip
    add("--allow-fetch", action="store_true", help="fetch pages of public addresses for requests that name one")
    add("--allow-host", action="append", default=[], metavar="NAME", help="a name that requests may be addressed to,"
        " besides those of this machine; may be given again")  # fmt: skip
    limits = parser.add_argument_group("limits")
    for name, (flag, metavar, what) in LIMITS.items():
        kind = float if name in ("seconds", "rate") else int
        limits.add_argument(flag, dest=f"limit_{name}", type=kind, metavar=metavar, help=what)


LIMITS = {
    "body": ("--max-body", "BYTES", "of a body, as it comes and unpacked (default: 16777216)"),
    "nodes": ("--max-nodes", "N", "of the tree of a page (default: 1000000)"),
    "depth": ("--max-depth", "N", "elements inside one another (default: 2000)"),
    "seconds": ("--time-limit", "S", "seconds for a page to wait and be read (default: 30)"),
    "queue": ("--queue", "N", "pages that wait for their turn in each process (default: 128)"),
    "rate": ("--rate", "N", "requests per second of one client; 0 for any number (default: 0)"),
}
"""By the name of a limit, its option."""


def settings_of(options: argparse.Namespace) -> Settings:
    """The settings that the options describe; FastwrapError for those that make no sense."""
    from fastwrap.server.settings import Limits, Settings, tokens_of

    given = {name: value for name in LIMITS if (value := getattr(options, f"limit_{name}")) is not None}
    for name, value in given.items():
        if not (0 < value < 1e12 or (name in ("rate", "queue") and value == 0)):
            raise FastwrapError(f"{LIMITS[name][0]} takes a number above 0")
    if not 0 <= options.port < 65_536:
        raise FastwrapError("--port takes a number from 0 to 65535")
    if not (0 < options.workers <= 256 and 0 < options.threads <= 256):
        raise FastwrapError("--workers and --threads take numbers from 1 to 256")
    settings = Settings(
        host=options.host.strip("[]"),
        port=options.port,
        workers=options.workers,
        threads=options.threads,
        store=options.store,
        tokens=tokens_of(options.token_file, os.environ),
        allow_fetch=options.allow_fetch,
        allowed_hosts=tuple(options.allow_host),
        limits=Limits(**given),
    )
    settings.check()
    return settings


def run(options: argparse.Namespace) -> int:
    """Serve until a signal."""
    settings = settings_of(options)
    if settings.allow_fetch:
        import fastwrap.fetching.client  # noqa: F401 - which says what is missing, before a request finds out
    try:
        from fastwrap.server.supervisor import Supervisor
    except ImportError as error:
        raise FastwrapError(f"{error.name} is not installed: pip install 'fastwrap[server]'") from error
    return Supervisor(settings).run()
