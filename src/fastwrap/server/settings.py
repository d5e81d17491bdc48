"""Settings of a server: where it listens, who may use it, and how far a request may go.
They are plain values, so that worker processes are given them as they are."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fastwrap.errors import FastwrapError

SHORTEST_TOKEN = 16
"""Characters of a token; shorter ones can be guessed."""

TOKEN_VARIABLE = "FASTWRAP_TOKEN"  # noqa: S105 - the name of a variable

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a request may go; each has an answer of its own (docs/server.md)."""

    body: int = 16 * 1024 * 1024
    """Bytes of a body, as it comes and unpacked; of a line of a batch likewise."""
    body_seconds: float = 30.0
    """For a body to come; between two pieces of a batch."""
    idle: float = 30.0
    """Seconds that a connection may wait for the head of its next request."""
    nodes: int = 1_000_000
    """Of the tree of a page."""
    depth: int = 2_000
    """Elements inside one another."""
    seconds: float = 30.0
    """For a request to wait for its turn and to be worked on."""
    queue: int = 128
    """Requests of one worker process that wait for their turn."""
    requests: int = 2_000
    """Requests of one worker process that are open at once, their bodies still on the way or their answers."""
    memory: int = 512 * 1024 * 1024
    """Bytes of all bodies that one worker process holds at once."""
    pages: int = 50
    """Pages that a wrapper is learned from."""
    rate: float = 0.0
    """Requests per second of one client, in the long run; 0 for any number."""
    burst: float = 5.0
    """Seconds of that rate that a client may use at once."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server is started."""

    host: str = "127.0.0.1"
    port: int = 8080
    workers: int = 1
    threads: int = 2
    """Pages that one worker process reads at once."""
    store: str = "fastwrap.db"
    """A file for SQLite, or the DSN of PostgreSQL."""
    tokens: Mapping[str, str] = field(default_factory=dict, repr=False)
    """By token, the namespace of its wrappers; empty where none is needed."""
    allow_fetch: bool = False
    allowed_hosts: tuple[str, ...] = ()
    """Names besides those of loopback that requests may be addressed to."""
    limits: Limits = Limits()

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        return is_loopback(self.host)

    def check(self) -> None:
        """Raise FastwrapError for settings that are no safe way to run a server."""
        if not self.is_local and not self.tokens:
            raise FastwrapError(
                f"{self.host} can be reached from other machines: give a token (--token-file or {TOKEN_VARIABLE}),"
                " or listen on 127.0.0.1"
            )


def is_loopback(host: str) -> bool:
    """Whether a host to listen on is loopback.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.1", "::1", "0.0.0.0", "::", "example.org")]
    [True, True, True, False, False, False]
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def tokens_of(file: str | os.PathLike[str] | None, environment: Mapping[str, str]) -> dict[str, str]:
    """The tokens of a file and of the environment, each with its namespace; the one of the environment has "default".

    A line of the file is `NAME TOKEN`, or `TOKEN` alone, whose namespace is "default", too; a `#` after a space, or
    first of all, begins a comment.

    >>> tokens_of(None, {"FASTWRAP_TOKEN": "a-token-long-enough"})
    {'a-token-long-enough': 'default'}
    """
    lines: list[tuple[str, str]] = []
    if file is not None:
        try:
            text = Path(file).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise FastwrapError(f"the tokens cannot be read: {error}") from None
        for number, line in enumerate(text.splitlines(), 1):
            words = re.sub(r"(^|\s)#.*", "", line).split()  # a token may have such a sign, too
            if len(words) > 2:
                raise FastwrapError(f"{file}, line {number}: a line is NAME TOKEN, or TOKEN")
            if words:
                lines.append((words[0] if len(words) == 2 else "default", words[-1]))
        if not lines:
            raise FastwrapError(f"{file} has no token")
    if given := environment.get(TOKEN_VARIABLE, "").strip():
        lines.append(("default", given))
    tokens: dict[str, str] = {}
    for name, token in lines:
        if len(token) < SHORTEST_TOKEN or not token.isascii():
            raise FastwrapError(f"a token of {name!r} is too short: at least {SHORTEST_TOKEN} ASCII characters, please")
        if tokens.setdefault(token, name) != name:
            raise FastwrapError(f"{name!r} and {tokens[token]!r} have the same token")
    return tokens
