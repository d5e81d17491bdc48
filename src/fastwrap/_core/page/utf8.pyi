"""Validates UTF-8 without decoding it, and writes it from single-byte encodings: what the parser takes."""

def is_plain(html: bytes, convincing: int) -> bool:
    """Whether a page is in UTF-8, and nothing speaks for another encoding: it has no byte order mark, no zero byte (as
    in UTF-16) and no escape (as in ISO-2022-JP), and the bytes that continue a character are none, or `convincing`."""

def may_declare(html: bytes, most: int) -> bool:
    """Whether one of the first `most` bytes is a "=" behind "charset" or "encoding", in any case, and white space: that
    of ASCII (or a control character), or of a single-byte encoding."""

def valid_utf8(html: bytes) -> tuple[int, int]:
    """How many bytes are valid UTF-8 before the first bad one, and how many of these continue a character."""

def count_utf8(html: bytes, first: int, last: int) -> tuple[int, int]:
    """Of the bytes from `first` up to `last`: how many continue a character of UTF-8, and how many replacement
    characters the rest would become."""

def non_ascii_texts(html: bytes, most: int, context: int) -> list[bytes]:
    """The texts from `context` bytes before each non-ASCII byte to the next "<", `most` bytes in all.

    None has what the one before it has. In no encoding is "<" the second byte of a character, so none is cut.
    """

def non_ascii_words(text: bytes, most: int) -> bytes:
    """What is between white space and signs and has non-ASCII bytes, with spaces between; about `most` bytes in all.

    In no encoding is what parts words the second byte of a character, so none is cut, but where `most` is met.
    """

def foreign_runs(html: bytes) -> list[tuple[bool, bytes]]:
    """A page in an encoding of several bytes, in pieces that can be decoded one by one: those that are all ASCII, and,
    with True, those that have other bytes. Together they are the page.

    >>> [piece[:9] for _, piece in foreign_runs(b"<p>" + "日本".encode("shift_jis") + b"<p>" + b"ASCII " * 10)]
    [b'<p>', b'\x93\xfa\x96{<p>A', b' ASCII AS']
    """

def from_single_bytes(html: bytes, characters: str) -> bytes:
    """A page of a single-byte encoding in UTF-8. `characters` are those of its 256 bytes, the first half ASCII.

    Raises ValueError for other characters.
    """
