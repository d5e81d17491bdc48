"""Bodies: read while they are counted, so many bytes and so many seconds, and unpacked within the same limit.
A body that never ends, comes too slowly, or unpacks to too much is answered as soon as that is known."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from types import TracebackType

from starlette.requests import Request

from fastwrap.common.packing import Unpacker
from fastwrap.errors import FastwrapError
from fastwrap.server.problems import Problem
from fastwrap.server.settings import Limits

STEP = 256 * 1024
"""Bytes that are unpacked at once."""

MOST_PACKED = 1_032
"""Bytes that one of deflate can stand for."""

PACKINGS = ("gzip", "x-gzip", "deflate", "br", "zstd")
"""As a body may be packed."""


def packing_of(request: Request) -> str:
    """How the body is packed; empty where it is not."""
    packing = request.headers.get("content-encoding", "").strip().lower()
    if packing in ("", "identity"):
        return ""
    if packing not in PACKINGS:
        raise Problem("unsupported-media-type", f"a body may be packed by gzip, br or zstd, not by {packing[:40]!r}")
    return packing


def pieces(unpacker: Unpacker, packed: bytes) -> Iterator[bytes]:
    """What a piece unpacks to; Problem where it is not packed in this way."""
    try:
        yield from unpacker.feed(packed, STEP)
    except FastwrapError as error:
        raise Problem("bad-request", str(error)) from None


def finish(unpacker: Unpacker) -> None:
    """Problem where more should have come."""
    try:
        unpacker.finish()
    except FastwrapError as error:
        raise Problem("bad-request", str(error)) from None


def unpack(body: bytes, packing: str, most: int) -> bytes:
    """A whole body, unpacked; Problem where that is more than so many bytes.

    >>> from fastwrap.common.packing import packed
    >>> unpack(packed(b"a" * 100, "gzip"), "gzip", 100) == b"a" * 100
    True
    """
    if not packing:
        return body
    if says_too_much(body, packing, most):
        raise too_large(most, "unpacked")
    unpacker = Unpacker(packing)
    unpacked = bytearray()
    for piece in pieces(unpacker, body):
        unpacked += piece
        if len(unpacked) > most:
            raise too_large(most, "unpacked")
    finish(unpacker)
    return bytes(unpacked)


def says_too_much(body: bytes, packing: str, most: int) -> bool:
    """Whether gzip says at its end that it unpacks to more, and could: a bomb that need not be unpacked to be known.

    >>> import gzip
    >>> says_too_much(gzip.compress(bytes(100_000)), "gzip", 50_000)
    True
    """
    if packing not in ("gzip", "x-gzip") or len(body) < 18 or not body.startswith(b"\x1f\x8b"):
        return False
    size = int.from_bytes(body[-4:], "little")
    return most < size <= MOST_PACKED * len(body)


def too_large(most: int, how: str = "") -> Problem:
    """The answer to a body above the limit."""
    return Problem("body-too-large", f"the body has more than {most:,} bytes{how and ', '}{how}", limit=most)


class Held:
    """The bytes of bodies that a worker process holds at the moment."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.bytes = 0

    def take(self, size: int) -> None:
        """Hold more; Problem where that is too much."""
        if self.bytes + size > self.limits.memory:
            raise Problem("overloaded", "too many bodies are held at once", headers={"Retry-After": "2"})
        self.bytes += size

    def body(self, request: Request) -> Body:
        """The body of a request, to be read and held while this is entered."""
        return Body(request, self)


class Body:
    """The body of one request: `async with held.body(request) as body`; its bytes are given back at the end."""

    def __init__(self, request: Request, held: Held) -> None:
        self._request = request
        self._held = held
        self._taken = 0

    async def __aenter__(self) -> bytes:
        limits = self._held.limits
        declared = self._request.headers.get("content-length", "")
        if declared.isdecimal() and int(declared) > limits.body:
            raise too_large(limits.body)
        body = bytearray()
        try:
            async with asyncio.timeout(limits.body_seconds):
                async for piece in self._request.stream():
                    if len(body) + len(piece) > limits.body:
                        raise too_large(limits.body)
                    self._held.take(len(piece))
                    self._taken += len(piece)
                    if not body and declared.isdecimal() and len(piece) == int(declared):
                        return piece  # most bodies come in one piece
                    body += piece
        except TimeoutError:
            self._give_back()
            raise Problem("body-too-slow", f"the body did not come within {limits.body_seconds:g} s") from None
        except BaseException:
            self._give_back()
            raise
        return bytes(body)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._give_back()

    def _give_back(self) -> None:
        self._held.bytes -= self._taken
        self._taken = 0


async def lines_of(request: Request, limits: Limits) -> AsyncIterator[bytes]:
    """The lines of a body that is not read as a whole, unpacked, none longer than a body may be."""
    packing = packing_of(request)
    unpacker = Unpacker(packing) if packing else None
    stream = request.stream().__aiter__()
    begun = bytearray()
    searched = 0
    while True:
        try:
            packed = await asyncio.wait_for(anext(stream), limits.body_seconds)
        except StopAsyncIteration:
            break
        except TimeoutError:
            raise Problem("body-too-slow", f"nothing came for {limits.body_seconds:g} s") from None
        for piece in pieces(unpacker, packed) if unpacker is not None else (packed,):
            begun += piece
            while (end := begun.find(b"\n", searched)) >= 0:
                line = bytes(begun[:end])
                del begun[: end + 1]
                searched = 0
                if line.strip():
                    yield line
            searched = len(begun)
            if searched > limits.body:
                raise too_large(limits.body, "in one line")
            if unpacker is not None:
                await asyncio.sleep(0)
    if unpacker is not None:
        finish(unpacker)
    if begun.strip():
        yield bytes(begun)
