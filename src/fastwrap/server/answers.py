"""Answers: in which format, by Accept; how packed, by Accept-Encoding; and the bytes of what was found.
Made on the threads that read pages, so that the event loop only sends."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from fastwrap.common.packing import packed, packings
from fastwrap.errors import FastwrapError
from fastwrap.extraction import Extraction
from fastwrap.output.document import document, encode
from fastwrap.output.files import TABLE_FORMATS
from fastwrap.output.frames import require
from fastwrap.output.table import main_table
from fastwrap.server.problems import Problem

TABLES = {
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "csv": "text/csv",
    "markdown": "text/markdown",
    "arrow": "application/vnd.apache.arrow.stream",
}
"""The formats of tables, by the name that `format` has, the first one where nothing else is asked for."""

CONTENTS = {"json": "application/json", "text": "text/plain", "markdown": "text/markdown"}
"""Those of content."""

LEAST = 1_000
"""Bytes from which on an answer is packed."""

PACKINGS = tuple(name for name in ("zstd", "br", "gzip") if name in packings())
"""The best one first."""

VARY = "Accept, Accept-Encoding"

CHARSETS = frozenset(("text/csv", "text/markdown", "text/plain", "text/html"))


class Answer(NamedTuple):
    """What a thread has made."""

    data: bytes
    media_type: str
    headers: dict[str, str]
    status: int = 200

    def response(self) -> Response:
        """What is sent."""
        kind = f"{self.media_type}; charset=utf-8" if self.media_type in CHARSETS else self.media_type
        return Response(self.data, self.status, {**self.headers, "content-type": kind})


class Wished(NamedTuple):
    """What a client asked for."""

    format: str
    packing: str
    """br, gzip or zstd; empty for none."""


def qualities(header: str) -> dict[str, float]:
    """The values of a header such as Accept, each with its quality.

    >>> qualities("text/csv;q=0.5, */*")
    {'text/csv': 0.5, '*/*': 1.0}
    """
    found: dict[str, float] = {}
    for part in header.split(","):
        name, *parameters = (piece.strip().lower() for piece in part.split(";"))
        quality = 1.0
        for parameter in parameters:
            if parameter.startswith("q="):
                try:
                    quality = min(1.0, max(0.0, float(parameter[2:])))
                except ValueError:
                    quality = 0.0
        if name:
            found[name] = quality
    return found


def format_of(request: Request, formats: Mapping[str, str]) -> str:
    """The format that a request asks for: the one of the query, else the best of Accept."""
    if (named := request.query_params.get("format")) is not None:
        if named not in formats:
            raise Problem("not-acceptable", f"format is one of {', '.join(formats)}, not {named[:40]!r}")
        return named
    accept = request.headers.get("accept", "")
    if accept in ("", "*/*", "application/json"):
        return next(iter(formats))
    wanted = qualities(accept)

    def quality(media_type: str) -> float:
        for name in (media_type, f"{media_type.partition('/')[0]}/*", "*/*"):
            if name in wanted:
                return wanted[name]
        return 0.0

    best = max(formats, key=lambda name: quality(formats[name]))  # the first of the best
    if quality(formats[best]) == 0.0:
        raise Problem("not-acceptable", f"Accept names none of {', '.join(formats.values())}")
    return best


def packing_of(request: Request) -> str:
    """How to pack the answer."""
    accept = request.headers.get("accept-encoding", "")
    if not accept or accept == "identity":
        return ""
    wanted = qualities(accept)
    best = max(PACKINGS, key=lambda name: wanted.get(name, wanted.get("*", 0.0)))
    return best if wanted.get(best, wanted.get("*", 0.0)) > 0.0 else ""


def wished(request: Request, formats: Mapping[str, str] = TABLES) -> Wished:
    """What a client asked for."""
    return Wished(format_of(request, formats), packing_of(request))


def answer(
    data: bytes, media_type: str, packing: str, headers: dict[str, str] | None = None, status: int = 200
) -> Answer:
    """An answer, packed if that was asked for and is worth it."""
    headers = {"vary": VARY, **(headers or {})}
    if packing and len(data) >= LEAST:
        data = packed(data, packing)
        headers["content-encoding"] = packing
    return Answer(data, media_type, headers, status)


def table_answer(found: Extraction, wish: Wished, wrapper: Mapping[str, Any] | None = None) -> Answer:
    """The records of a page, in the format that was asked for; JSON says, too, by what wrapper they were read."""
    if wish.format == "json":
        more = {} if wrapper is None else {"wrapper": wrapper}
        data = encode({**document(found, found.regions), **more})
    elif wish.format == "arrow":
        data = arrow_stream(found)
    else:
        data = TABLE_FORMATS["md" if wish.format == "markdown" else wish.format](main_table(found))
    headers = {"fastwrap-records": str(len(found)), "fastwrap-confidence": f"{found.confidence:.4f}"}
    if found.limits:
        headers["fastwrap-limits"] = ", ".join(found.limits)
    if wrapper is not None:
        headers.update(wrapper_headers(wrapper))
    return answer(data, TABLES[wish.format], wish.packing, headers)


def wrapper_headers(wrapper: Mapping[str, Any]) -> dict[str, str]:
    """What the headers say of the wrapper that a page was read by."""
    names = {"id": "wrapper", "version": "version", "fit": "fit", "happened": "happened"}
    told = {name: wrapper.get(key) for key, name in names.items()}
    return {f"fastwrap-{name}": str(value) for name, value in told.items() if value is not None}


def arrow_stream(found: Extraction) -> bytes:
    """The records as an Arrow stream."""
    try:
        ipc = require("pyarrow", "arrow").ipc
        table = found.to_arrow()
    except FastwrapError as error:
        raise Problem("not-acceptable", str(error)) from None
    stream = io.BytesIO()
    with ipc.new_stream(stream, table.schema) as writer:
        writer.write_table(table)
    return stream.getvalue()


def json_answer(value: Any, packing: str = "", headers: dict[str, str] | None = None, status: int = 200) -> Answer:
    """A document as JSON."""
    return answer(encode(value), "application/json", packing, headers, status)


def etags(header: str) -> Sequence[str]:
    """The entity tags of If-Match and If-None-Match, without quotes and marks of weakness.

    >>> etags('W/"a", "b"'), etags("*")
    (['a', 'b'], ['*'])
    """
    return [part.strip().removeprefix("W/").strip('"') for part in header.split(",") if part.strip()]
