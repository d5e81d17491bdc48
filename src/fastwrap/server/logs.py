"""Logs: one line of JSON on standard error for each request and each thing that happens to a server.
A line names the route and the request id; never a query, a header, a token or a part of a page."""

from __future__ import annotations

import os
import re
import secrets
import sys
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import msgspec

_SANE = re.compile(r"[A-Za-z0-9._-]{1,64}\Z")

_encoder = msgspec.json.Encoder()


def log(event: str, **fields: Any) -> None:
    """Write a line, in one piece, so that those of several processes do not mix."""
    moment = datetime.now(UTC).isoformat(timespec="milliseconds")
    line = _encoder.encode({"time": moment, "event": event, "process": os.getpid(), **fields})
    with suppress(OSError, ValueError):
        os.write(sys.stderr.fileno(), line + b"\n")


def request_id(given: str | None) -> str:
    """The id of a request: the one that it came with, if that is harmless, or a new one.

    >>> request_id("a-1"), len(request_id("a b")) == len(request_id(None)) == 16
    ('a-1', True)
    """
    return given if given is not None and _SANE.match(given) else secrets.token_hex(8)
