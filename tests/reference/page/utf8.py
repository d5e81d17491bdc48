"""Validates and writes UTF-8 by Python's codecs: the twin of `fastwrap._core.page.utf8`."""

from __future__ import annotations

import codecs
import re

NON_ASCII = re.compile(rb"[\x80-\xff]")


def is_plain(html: bytes, convincing: int) -> bool:
    """Whether a page is in UTF-8, and nothing speaks for another encoding.

    >>> is_plain("é€".encode(), 3), is_plain("é€".encode(), 4), is_plain(b"\\x1b", 1)
    (True, False, False)
    """
    valid, continuations = valid_utf8(html)
    if valid < len(html) or html.startswith(codecs.BOM_UTF8) or 0 in html or b"\x1b" in html:
        return False
    return continuations == 0 or continuations >= convincing


def valid_utf8(html: bytes) -> tuple[int, int]:
    """How many bytes are valid UTF-8 before the first bad one, and how many of these continue a character.

    >>> valid_utf8("é€".encode() + b"\\xff")
    (5, 3)
    """
    try:
        text = html.decode()
    except UnicodeDecodeError as error:
        text = html[: error.start].decode()
    return len(text.encode()), len(text.encode()) - len(text)


def count_utf8(html: bytes, first: int, last: int) -> tuple[int, int]:
    """Of the bytes from `first` up to `last`: how many continue a character of UTF-8, and how many replacement
    characters the rest would become.

    >>> count_utf8("é€".encode() + b"\\xff", 0, 6)
    (3, 1)
    """
    part = html[first:last]
    text = part.decode("utf-8", "replace")
    unreadable = text.count("\ufffd") - part.count("\ufffd".encode())
    return len(text.encode()) - len(text) - 2 * unreadable, unreadable


def non_ascii_texts(html: bytes, most: int, context: int) -> list[bytes]:
    """The texts from `context` bytes before each non-ASCII byte to the next "<", `most` bytes in all.

    >>> non_ascii_texts(b"<p>caf\\xe9 <b>", 100, 2)
    [b'af\\xe9 <']
    """
    texts: list[bytes] = []
    end = 0
    while most > 0 and (found := NON_ASCII.search(html, end)) is not None:
        begin = max(end, found.start() - context)
        end = html.find(b"<", found.start(), found.start() + most) + 1 or found.start() + most
        texts.append(html[begin:end])
        most -= end - begin
    return texts


def non_ascii_words(text: bytes, most: int) -> bytes:
    """The words that have non-ASCII bytes, parted by spaces.

    >>> non_ascii_words(b"un caf\\xe9, l'\\xe9t\\xe9 <b>", 100)
    b'caf\\xe9 \\xe9t\\xe9'
    """
    words: list[bytes] = []
    for word in re.split(rb"[\x00-\x2f\x3a-\x3f]", text):
        while most > 0 and not word.isascii():
            found = NON_ASCII.search(word)
            assert found is not None
            length = max(most, found.start())
            words.append(word[:length])
            most -= min(length, len(word)) + 1
            word = word[length:]
    return b" ".join(words)


def from_single_bytes(html: bytes, characters: str) -> bytes:
    """A page of a single-byte encoding in UTF-8. `characters` are those of its 256 bytes, the first half ASCII.

    >>> from_single_bytes(b"caf\\xe9", bytes(range(256)).decode("latin-1")).decode()
    'café'
    """
    return codecs.charmap_decode(html, "strict", characters)[0].encode()
