"""Bodies packed in every way, unpacked in pieces: all of it, never more at once, and nothing broken is believed."""

from __future__ import annotations

import gzip
import itertools
import zlib
from collections.abc import Callable

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap import FastwrapError
from fastwrap.common import packing
from fastwrap.common.packing import Unpacker, packings, unpacked
from tests.helpers.packing import zstd

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": lambda data: brotli.compress(data, quality=4),
    "zstd": zstd.compress,
}
names = st.sampled_from(sorted(PACKERS))


@given(name=names, data=st.binary(max_size=400), most=st.integers(1, 50), at=st.lists(st.integers(0, 400), max_size=5))
def test_in_pieces(name: str, data: bytes, most: int, at: list[int]) -> None:
    packed = PACKERS[name](data)
    cuts = [0, *sorted(min(cut, len(packed)) for cut in at), len(packed)]
    pieces = list(unpacked([packed[one:other] for one, other in itertools.pairwise(cuts)], name, most))
    assert b"".join(pieces) == data
    assert all(0 < len(piece) <= most for piece in pieces)


@given(name=names, data=st.binary(min_size=1, max_size=400), cut=st.integers(1, 400))
def test_what_ends_too_early(name: str, data: bytes, cut: int) -> None:
    packed = PACKERS[name](data)
    short = packed[: max(1, len(packed) - cut)]
    with pytest.raises(FastwrapError, match=f"packed as {name} cannot be unpacked"):
        list(unpacked([short], name, 100))


@pytest.mark.parametrize("name", sorted(PACKERS))
def test_a_bomb_is_never_held(name: str) -> None:
    packed = PACKERS[name](bytes(30_000_000))
    unpacker = Unpacker(name)
    first = list(itertools.islice(unpacker.feed(packed, 1000), 100))
    assert [len(piece) for piece in first] == [1000] * 100 or max(map(len, first)) <= 1000


@pytest.mark.parametrize("name", sorted(PACKERS))
def test_garbage(name: str) -> None:
    with pytest.raises(FastwrapError, match="cannot be unpacked"):
        list(unpacked([b"\x00\xffno packed data at all" * 9], name, 100))


def test_empty_bodies_are_empty() -> None:
    assert [list(unpacked([b""], name, 9)) for name in PACKERS] == [[]] * len(PACKERS)


def test_zstd_in_frames_and_with_large_windows() -> None:
    assert b"".join(unpacked([zstd.compress(b"ab") + zstd.compress(b"c")], "zstd", 9)) == b"abc"
    greedy = zstd.compress(bytes(40_000_000), options={zstd.CompressionParameter.window_log: 25})
    with pytest.raises(FastwrapError, match="cannot be unpacked"):
        list(unpacked([greedy], "zstd", 100_000))


def test_what_is_not_installed_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    assert packings() == ["gzip", "deflate", "br", "zstd"]
    monkeypatch.setattr(packing, "is_installed", lambda library: library == "brotli")
    assert packings() == ["gzip", "deflate", "br"]
    for unknown in ("zstd", "compress", ""):
        with pytest.raises(FastwrapError, match="not a packing that can be undone here: gzip, deflate, br"):
            Unpacker(unknown)
