"""Validation and writing of UTF-8 against the codecs that Python has."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap._core.page import utf8 as native
from tests.reference.page import utf8 as plain

pieces = st.one_of(
    st.text(max_size=12).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.binary(max_size=3),
    st.sampled_from(
        [b"ascii only", b"\xc3\xa9" * 5, b"\xe2\x82\xac" * 3, b"\xf0\x9f\x98\x80", b"\xed\xa0\x80", b"\xf4\x90"]
    ),
)


@settings(max_examples=1500)
@given(st.lists(pieces, max_size=12).map(b"".join))
def test_valid_up_to_where_python_says(html: bytes) -> None:
    assert native.valid_utf8(html) == plain.valid_utf8(html)


marks = st.sampled_from([b"\0", b"\x1b", b"\xef\xbb\xbf", b"x" * 40])


@settings(max_examples=1500)
@given(st.lists(st.one_of(pieces, marks), max_size=12).map(b"".join), st.integers(1, 9))
def test_plain_where_nothing_speaks_for_another_encoding(html: bytes, convincing: int) -> None:
    assert native.is_plain(html, convincing) == plain.is_plain(html, convincing)


@settings(max_examples=1000)
@given(
    st.lists(
        st.sampled_from(
            [b"=", b"charset", b"CharSet", b"harset", b"Encoding", b" ", b"\xa0", b"\x85", b"\0", b"x", b"\xe3"]
        ),
        max_size=9,
    ).map(b"".join),
    st.integers(0, 40),
)
def test_may_declare_an_encoding(html: bytes, most: int) -> None:
    assert native.may_declare(html, most) == plain.may_declare(html, most)


def test_every_sequence_of_up_to_three_bytes() -> None:
    """All first and second bytes, with third bytes on both sides of each boundary."""
    for first in range(0x80, 0x100):
        for second in range(0x100):
            for tail in (b"", b"\x7f", b"\x80", b"\xbf", b"\xc0", b"\x80\x80", b"\xbf\xbf", b"\x80\x7f"):
                html = bytes((first, second)) + tail
                assert native.valid_utf8(html) == plain.valid_utf8(html), html
                assert native.is_plain(html, 1) == plain.is_plain(html, 1), html


@pytest.mark.parametrize("size", [65_535, 65_536, 65_537, 131_072])
def test_characters_after_long_ascii(size: int) -> None:
    html = b"x" * (size - 1) + "é€😀".encode() * 3
    assert native.valid_utf8(html) == plain.valid_utf8(html) == (len(html), 18)


@settings(max_examples=1500)
@given(st.lists(pieces, max_size=12).map(b"".join), st.integers(0, 20), st.integers(0, 60))
def test_as_many_replacement_characters_as_python_writes(html: bytes, first: int, last: int) -> None:
    assert native.count_utf8(html, first, last) == plain.count_utf8(html, first, last)


@settings(max_examples=500)
@given(
    st.lists(st.sampled_from([b"a", b" b ", b"<i>", b"<", b"\xe9", b"\xc3\xa9", b"x" * 70]), max_size=20).map(b"".join),
    st.integers(0, 90),
    st.integers(0, 9),
)
def test_texts_that_are_not_ascii(html: bytes, most: int, context: int) -> None:
    texts = native.non_ascii_texts(html, most, context)
    assert texts == plain.non_ascii_texts(html, most, context)
    assert all(not text.isascii() for text in texts)
    if most > len(html) * (context + 1):
        assert sum(len(text) - len(text.translate(None, bytes(range(128, 256)))) for text in texts) == sum(
            byte > 127 for byte in html
        )


@settings(max_examples=500)
@given(
    st.lists(st.sampled_from([b"a", b" b ", b"<i>", b"0", b"\xe9", b"\xc3\xa9", b"\x81|", b"x" * 20]), max_size=20).map(
        b"".join
    ),
    st.integers(0, 90),
)
def test_words_that_are_not_ascii(text: bytes, most: int) -> None:
    words = native.non_ascii_words(text, most)
    assert words == plain.non_ascii_words(text, most)
    assert all(word in text for word in words.split())


def test_every_beginning_of_a_sequence() -> None:
    for first in range(0x80, 0x100):
        for second in (0x20, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF):
            for tail in (b"", b"x", b"\x80", b"\x80x", b"\x80\x80", b"\x80\xff"):
                html = bytes((first, second)) + tail
                assert native.count_utf8(html, 0, 9) == plain.count_utf8(html, 0, 9), html


@pytest.mark.parametrize("name", ["latin-1", "cp1252", "koi8-r", "iso8859-7", "cp874"])
@given(st.binary(max_size=200))
def test_single_bytes(name: str, html: bytes) -> None:
    characters = bytes(range(256)).decode(name, "replace")
    for written in (html, b"x" * 100 + html, html * 5):
        expected = written.decode(name, "replace").encode()
        assert native.from_single_bytes(written, characters) == expected
        assert plain.from_single_bytes(written, characters) == expected


@pytest.mark.parametrize("characters", ["", "x" * 255, "é" * 256, "x" * 128 + "\U0001f600" * 128])
def test_what_is_no_single_byte_encoding_is_refused(characters: str) -> None:
    with pytest.raises(ValueError, match="single-byte encoding"):
        native.from_single_bytes(b"x\xff", characters)


foreign = st.one_of(
    st.binary(max_size=3),
    st.sampled_from(
        [
            b"<p>", b"0", b"~", b"\\", b"@", b" ", b"letters" * 9, b"a line of text " * 4, b"\x93\xfa\x96{",
            b"\x81\x30", b"\x81\x30\x81\x30", b"\x8f\xa1\xa1", b"\x95\x32", b"\x80", b"\xff",
        ]
    ),
)  # fmt: skip


@settings(max_examples=1500)
@given(
    st.lists(foreign, max_size=12).map(b"".join),
    st.sampled_from(["gb18030", "big5hkscs", "euc_jis_2004", "cp932", "cp949"]),
)
def test_foreign_runs_are_decoded_one_by_one(html: bytes, codec: str) -> None:
    runs = native.foreign_runs(html)
    assert b"".join(run for _, run in runs) == html
    assert all(run and (is_foreign or run.isascii()) for is_foreign, run in runs)
    decoded = "".join(run.decode(codec if is_foreign else "ascii", "replace") for is_foreign, run in runs)
    assert decoded == html.decode(codec, "replace")
