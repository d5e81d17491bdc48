"""Bodies: read while they are counted, so many bytes and so many seconds, and unpacked within the same limit.
A body that never ends, comes too slowly, or unpacks to too much is answered as soon as that is known."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import asynccontextmanager

from starlette.requests import Request

from fastwrap.common.packing import Unpacker
from fastwrap.errors import FastwrapError
from fastwrap.server import metrics
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

    def share(self) -> Share:
        """What one request holds of it, while this is entered."""
        return Share(self)

    @asynccontextmanager
    async def body(self, request: Request) -> AsyncIterator[bytes]:
        """The body of a request, held while this is entered."""
        with self.share() as share:
            try:
                async with asyncio.timeout(self.limits.body_seconds):
                    body = await read(request, self.limits.body, share)
            except TimeoutError:
                seconds = self.limits.body_seconds
                raise Problem("body-too-slow", f"the body did not come within {seconds:g} s") from None
            yield body


class Share:
    """What one request holds; what it has not given back is given back at the end."""

    def __init__(self, held: Held) -> None:
        self._held = held
        self._holds = 0

    def __enter__(self) -> Share:
        return self

    def __exit__(self, *_: object) -> None:
        self.hold(0)

    def hold(self, size: int) -> None:
        """Hold so many bytes, more or fewer than before; Problem where that is too much."""
        more = size - self._holds
        if more > 0 and self._held.bytes + more > self._held.limits.memory:
            raise Problem("overloaded", "too many bodies are held at once", headers={"Retry-After": "2"})
        self._holds = size
        self._held.bytes += more
        metrics.HELD.set(self._held.bytes)

    def take(self, size: int) -> None:
        """Hold so much more."""
        self.hold(self._holds + size)

    def give_back(self, size: int) -> None:
        """Hold so much less; nothing is given back twice."""
        self.hold(max(0, self._holds - size))


async def read(request: Request, most: int, share: Share) -> bytes:
    """A whole body; Problem as soon as it is known to be too large."""
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > most:
        raise too_large(most)
    body = bytearray()
    async for piece in request.stream():
        if len(body) + len(piece) > most:
            raise too_large(most)
        share.take(len(piece))
        metrics.BYTES_IN.inc(len(piece))
        if not body and declared.isdecimal() and len(piece) == int(declared):
            return piece  # most bodies come in one piece
        body += piece
    return bytes(body)


async def lines_of(request: Request, held: Held) -> AsyncGenerator[bytes]:
    """The lines of a body that is not read as a whole, unpacked, none longer than a body may be."""
    packing = packing_of(request)
    unpacker = Unpacker(packing) if packing else None
    limits = held.limits
    stream = request.stream().__aiter__()
    begun = bytearray()
    searched = 0
    with held.share() as share:
        while True:
            try:
                packed = await asyncio.wait_for(anext(stream), limits.body_seconds)
            except StopAsyncIteration:
                break
            except TimeoutError:
                raise Problem("body-too-slow", f"nothing came for {limits.body_seconds:g} s") from None
            metrics.BYTES_IN.inc(len(packed))
            for piece in pieces(unpacker, packed) if unpacker is not None else (packed,):
                begun += piece
                while (end := begun.find(b"\n", searched)) >= 0:
                    line = bytes(begun[:end])
                    # Blank lines go all at once: a small bomb may have a thousand million of them.
                    del begun[: end + 1 if line.strip() else len(begun) - len(begun.lstrip())]
                    searched = 0
                    if line.strip():
                        yield line
                searched = len(begun)
                if searched > limits.body:
                    raise too_large(limits.body, "in one line")
                share.hold(searched)
                if unpacker is not None:
                    await asyncio.sleep(0)
        if unpacker is not None:
            finish(unpacker)
        if begun.strip():
            yield bytes(begun)
