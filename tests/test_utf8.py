"""Validation of UTF-8 against the decoder that Python has."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap._core import utf8 as native
from fastwrap._plain import utf8 as plain

pieces = st.one_of(
    st.text(max_size=12).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.binary(max_size=3),
    st.sampled_from(
        [b"ascii only", b"\xc3\xa9" * 5, b"\xe2\x82\xac" * 3, b"\xf0\x9f\x98\x80", b"\xed\xa0\x80", b"\xf4\x90"]
    ),
)


def by_decoding(html: bytes) -> tuple[int, int]:
    try:
        text = html.decode()
    except UnicodeDecodeError as error:
        text = html[: error.start].decode()
    return len(text.encode()), len(text.encode()) - len(text)


@settings(max_examples=1500)
@given(st.lists(pieces, max_size=12).map(b"".join))
def test_valid_up_to_where_python_says(html: bytes) -> None:
    assert native.valid_utf8(html) == by_decoding(html)
    assert plain.valid_utf8(html) == by_decoding(html)


def test_every_sequence_of_up_to_three_bytes() -> None:
    """All first and second bytes, with third bytes on both sides of each boundary."""
    for first in range(0x80, 0x100):
        for second in range(0x100):
            for tail in (b"", b"\x7f", b"\x80", b"\xbf", b"\xc0", b"\x80\x80", b"\xbf\xbf", b"\x80\x7f"):
                html = bytes((first, second)) + tail
                assert native.valid_utf8(html) == by_decoding(html), html


@pytest.mark.parametrize("size", [65_535, 65_536, 65_537, 131_072])
def test_characters_across_the_pieces(size: int) -> None:
    html = b"x" * (size - 1) + "é€😀".encode() * 3
    assert plain.valid_utf8(html) == native.valid_utf8(html) == by_decoding(html)
