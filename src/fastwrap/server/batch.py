"""The route that reads many pages: JSON lines in, JSON lines out, streamed, in the order of the input.
Each line has a status of its own; a few are read at once, so that a batch leaves room for other requests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

import fastwrap
from fastwrap.errors import FastwrapError
from fastwrap.output.document import encode
from fastwrap.server.answers import VARY, Wished, qualities, table_answer
from fastwrap.server.bodies import lines_of, packing_of
from fastwrap.server.logs import log
from fastwrap.server.problems import Problem
from fastwrap.server.requests import Document, Given, WrapperId, decoded, media_type, query_of, refuse_query
from fastwrap.server.services import Services, services_of
from fastwrap.server.shelf import Kept
from fastwrap.server.wrappers import namespace_of, read_by

LINES = "application/x-ndjson"

KINDS = frozenset((LINES, "application/jsonl", "application/jsonlines", "application/json", ""))

WISH = Wished("json", "")


class Line(Document, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One page of a batch."""

    id: Annotated[str, Meta(max_length=1_000)] | int | None = None
    wrapper: Annotated[WrapperId | None, Meta(description="The id of a wrapper to read the page by.")] = None


class Named(Struct, frozen=True):
    """What is taken of a line that cannot be read as a whole."""

    id: str | int | None = None


async def extract(request: Request) -> Response:
    """The records of many pages."""
    kind = media_type(request)
    if kind not in KINDS:
        raise Problem("unsupported-media-type", f"a batch is {LINES}, not {kind[:60]!r}")
    wanted = qualities(request.headers.get("accept") or "*/*")
    if not any(wanted.get(name) for name in (LINES, "application/*", "*/*")):
        raise Problem("not-acceptable", f"a batch is answered as {LINES}")
    refuse_query(query_of(request))
    packing_of(request)  # which refuses what cannot be unpacked, before the answer begins
    return Streamed(Batch(request).answers(), {"content-type": LINES, "vary": VARY})


class Streamed(Response):
    """An answer in pieces. Starlette's own would listen for the end of the request, and so read its body."""

    def __init__(self, pieces: AsyncGenerator[bytes], headers: dict[str, str]) -> None:
        super().__init__(headers=headers)
        del self.headers["content-length"]
        self._pieces = pieces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the pieces as they come."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async with aclosing(self._pieces) as pieces:
            async for piece in pieces:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


class Batch:
    """One batch."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._services: Services = services_of(request)
        self._share = self._services.held.share()
        """The lines that are under way."""
        self._under_way: asyncio.Queue[asyncio.Task[bytes] | None] = asyncio.Queue(2 * self._services.settings.threads)

    async def answers(self) -> AsyncGenerator[bytes]:
        """The lines of the answer, in the order of the input, while it comes."""
        with self._share:
            reading = asyncio.create_task(self._read())
            try:
                while (task := await self._under_way.get()) is not None:
                    yield await task
            finally:
                reading.cancel()
                while not self._under_way.empty():
                    if (task := self._under_way.get_nowait()) is not None:
                        task.cancel()

    async def _read(self) -> None:
        """Begin with each line when it comes, and there is room."""
        number = 0
        try:
            async with aclosing(lines_of(self._request, self._services.held)) as lines:
                async for line in lines:
                    self._share.take(len(line))
                    await self._under_way.put(asyncio.create_task(self._answer(line, number)))
                    number += 1
        except Problem as problem:
            # The body ended in a way that it must not: what came before it is answered, then this.
            await self._under_way.put(asyncio.create_task(self._tell(None, problem)))
        except ClientDisconnect:
            pass  # nobody hears the rest
        await self._under_way.put(None)

    async def _answer(self, line: bytes, number: int) -> bytes:
        """The answer to one line."""
        id: str | int = number
        services = self._services
        try:
            await services.pool.room()
            read = await services.run(self._begin, line, number)
            if isinstance(read, bytes):
                return read
            id = number if read.id is None else read.id
            given: Given[Document] = Given(read.html, read)
            if given.html is None:
                given = await services.fetched(given)
            namespace = namespace_of(self._request)
            kept = None if read.wrapper is None else await services.shelf.kept(namespace, read.wrapper)
            await services.pool.room()
            return await services.run(self._result, given, id, kept)
        except Problem as problem:
            return await self._tell(self._named(line, id), problem)
        except FastwrapError as error:
            return await self._tell(self._named(line, id), Problem("unusable", str(error)))
        except Exception as error:
            log("error", request_id=self._request.state.request_id, error=f"{type(error).__name__}: {error}"[:500])
            return await self._tell(self._named(line, id), Problem("internal-error"))
        finally:
            self._share.give_back(len(line))

    def _begin(self, line: bytes, number: int) -> bytes | Line:
        """Read a line; its answer where nothing else is needed for that."""
        read = decoded(line, Line)
        if read.html is None or read.wrapper is not None:
            return read
        return self._result(Given(read.html, read), number if read.id is None else read.id, None)

    def _result(self, given: Given[Document], id: str | int, kept: Kept | None) -> bytes:
        """The answer to a line that has been read."""
        services = self._services
        if kept is None:
            answer = table_answer(fastwrap.extract(given.page(services.limits), **given.options.keywords), WISH)
        else:
            answer = read_by(services.shelf.loaded.wrapper(kept), kept, given, services.limits, WISH)
        return b'{"id":' + encode(id) + b',"status":200,"result":' + answer.data + b"}\n"

    @staticmethod
    def _named(line: bytes, id: str | int) -> str | int:
        """The id of a line that could not be worked with, if that can be read."""
        try:
            named = msgspec.json.decode(line, type=Named).id
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return id
        return id if named is None else named

    async def _tell(self, id: str | int | None, problem: Problem) -> bytes:
        """The answer to a line that could not be worked with."""
        document = problem.document(self._request.state.request_id)
        return encode({"id": id, "status": problem.status, "problem": document}) + b"\n"
