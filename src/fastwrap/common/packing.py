"""What HTTP packs (gzip, deflate, br, zstd), unpacked in pieces of a bounded size: a bomb is never held in memory.
brotli and backports.zstd are asked for here alone; what is not installed is not offered to servers."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from fastwrap.errors import FastwrapError

ZSTD = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
ZSTD_WINDOW = 23
"""Bits: 8 MiB, as much as HTTP allows (RFC 9659)."""


def packings() -> list[str]:
    """The packings that can be unpacked here, as an Accept-Encoding names them.

    >>> packings()[:2]
    ['gzip', 'deflate']
    """
    libraries = {"br": "brotli", "zstd": ZSTD}
    return ["gzip", "deflate", *(name for name, library in libraries.items() if is_installed(library))]


def packed(data: bytes, packing: str) -> bytes:
    """Data, packed by gzip, br or zstd: quickly rather than tightly.

    >>> b"".join(unpacked([packed(b"a" * 50, "gzip")], "gzip", 100)) == b"a" * 50
    True
    """
    if packing == "br":
        return bytes(import_module("brotli").compress(data, quality=4))
    if packing == "zstd":
        return bytes(import_module(ZSTD).compress(data, level=3))
    return zlib.compress(data, 5, wbits=31)


def is_installed(library: str) -> bool:
    """Whether a library could be imported."""
    try:
        return find_spec(library) is not None
    except ImportError:  # the package that it is in is missing
        return False


def unpacked(chunks: Iterable[bytes], packing: str, most: int) -> Iterator[bytes]:
    """What was packed, in pieces of at most so many bytes. FastwrapError for what is broken or ends too early.

    >>> b"".join(unpacked([zlib.compress(b"a" * 50)], "deflate", 20)) == b"a" * 50
    True
    """
    unpacker = Unpacker(packing)
    for chunk in chunks:
        yield from unpacker.feed(chunk, most)
    unpacker.finish()


class Unpacker:
    """Unpacks one body, chunk by chunk.

    >>> unpacker = Unpacker("gzip")
    >>> list(unpacker.feed(zlib.compress(b"abcde", wbits=31), 2))
    [b'ab', b'cd', b'e']
    >>> unpacker.finish()
    """

    def __init__(self, packing: str) -> None:
        if packing not in STEPS or (packing in ("br", "zstd") and packing not in packings()):
            raise FastwrapError(f"{packing[:40]!r} is not a packing that can be undone here: {', '.join(packings())}")
        self._pieces = STEPS[packing]
        self._packing = packing
        self._unpacker: Any = None
        self._is_whole = True  # nothing at all is an empty body

    def feed(self, chunk: bytes, most: int) -> Iterator[bytes]:
        """What the next chunk adds, in pieces of at most so many bytes; what is not asked for is not unpacked."""
        if not chunk:
            return
        try:
            for unpacker, is_whole, piece in self._pieces(self._unpacker, chunk, most):
                self._unpacker, self._is_whole = unpacker, is_whole
                if piece:
                    yield piece
        except errors(self._packing) as error:
            raise FastwrapError(f"what is packed as {self._packing} cannot be unpacked: {error}") from error

    def finish(self) -> None:
        """Raise FastwrapError if more should have come."""
        if not self._is_whole:
            raise FastwrapError(f"what is packed as {self._packing} cannot be unpacked: it ends too early")


Pieces = Iterator[tuple[Any, bool, bytes]]
"""The unpacker, whether it has come to the end, and a piece."""


def zlib_pieces(unpacker: Any, chunk: bytes, most: int) -> Pieces:
    """Of gzip and deflate. What follows the end is passed over, as browsers do."""
    if unpacker is None:
        # "deflate" is a zlib stream by the standard (RFC 9110), and a bare one with some servers.
        has_header = chunk[0] == 0x1F or chunk[0] & 0x0F == 8
        unpacker = zlib.decompressobj(47 if has_header else -15)
    while chunk and not unpacker.eof:
        piece = unpacker.decompress(chunk, most)
        chunk = unpacker.unconsumed_tail
        yield unpacker, unpacker.eof, piece


def brotli_pieces(unpacker: Any, chunk: bytes, most: int) -> Pieces:
    """Of br."""
    import brotli

    if unpacker is None:
        unpacker = brotli.Decompressor()
    while not unpacker.is_finished():
        piece = unpacker.process(chunk, output_buffer_limit=most)  # which may be 32 KiB more
        for start in range(0, max(1, len(piece)), most):
            yield unpacker, unpacker.is_finished(), piece[start : start + most]
        if not piece and not chunk:
            return
        chunk = b""


def zstd_pieces(unpacker: Any, chunk: bytes, most: int) -> Pieces:
    """Of zstd, which may come in several frames."""
    zstd = import_module(ZSTD)
    while True:
        if unpacker is None or unpacker.eof:
            limits = {zstd.DecompressionParameter.window_log_max: ZSTD_WINDOW}
            unpacker = zstd.ZstdDecompressor(options=limits)
        piece = unpacker.decompress(chunk, max_length=most)
        yield unpacker, unpacker.eof, piece
        chunk = unpacker.unused_data if unpacker.eof else b""
        if not chunk and (unpacker.eof or unpacker.needs_input):
            return


def errors(packing: str) -> tuple[type[Exception], ...]:
    """What the unpacker of a packing raises for what is broken."""
    if packing == "br":
        return (import_module("brotli").error,)
    if packing == "zstd":
        return (import_module(ZSTD).ZstdError,)
    return (zlib.error,)


STEPS: dict[str, Callable[[Any, bytes, int], Pieces]] = {
    "gzip": zlib_pieces,
    "x-gzip": zlib_pieces,
    "deflate": zlib_pieces,
    "br": brotli_pieces,
    "zstd": zstd_pieces,
}
