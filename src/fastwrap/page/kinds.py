"""What is no page: files of other kinds, known by how they begin, and texts that only name a page.
Decided by what is given alone: nothing is opened to find out."""

from __future__ import annotations

import re

BEGINNINGS = {
    b"%PDF-": "a PDF document",
    b"\x1f\x8b": "gzip data (gzip.decompress unpacks it)",
    b"PK\x03\x04": "a ZIP archive (or a document that is one, such as .docx, .xlsx or .epub)",
    b"\x89PNG\r\n\x1a\n": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF87a": "a GIF image",
    b"GIF89a": "a GIF image",
    b"II*\x00": "a TIFF image",
    b"MM\x00*": "a TIFF image",
    b"\x00\x00\x01\x00": "an icon",
    b"(\xb5/\xfd": "zstd data",
    b"BZh": "bzip2 data",
    b"\xfd7zXZ\x00": "xz data",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"Rar!\x1a\x07": "a RAR archive",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "an old Office document",
    b"{\\rtf": "an RTF document",
    b"%!PS": "a PostScript document",
    b"PAR1": "a Parquet file",
    b"ARROW1": "an Arrow file",
    b"SQLite format 3\x00": "an SQLite database",
    b"\x7fELF": "a program",
    b"wOFF": "a font",
    b"wOF2": "a font",
    b"ID3": "an audio file",
    b"OggS": "an audio or video file",
    b"bplist": "a binary property list",
}
"""By the bytes that a file begins with. No page begins like that."""

CONTAINERS = {b"WEBP": "a WebP image", b"WAVE": "an audio file", b"AVI ": "a video file"}
"""By the bytes from the ninth on, of what begins with RIFF."""

LOOKED_AT = 1445
"""Bytes that tell text from other data, as the WHATWG's MIME Sniffing Standard has it."""

BINARY = bytes({*range(0x20)} - {*b"\t\n\f\r\x1b"})
"""Bytes that no text has, in any encoding but UTF-16 (the same standard)."""

BINARY_SHARE = 0.02
"""Of the bytes looked at: other data has about a tenth, pages have none or a stray one."""

LONGEST_NAME = 2_000
"""Characters of a text that may be meant as an address or a path."""

_ADDRESS = re.compile(r"(?:https?|ftp|file)://\S*", re.IGNORECASE)
_HOST = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?(?:/\S*)?", re.IGNORECASE)
_PATH = re.compile(
    r"(?:~|\.{1,2})?[\\/][^\s\\/]\S*|[a-z]:\\.+"
    r"|[^\n\r<>|]*[^\s.<>|]\.(?:x?html?|mht|mhtml|php|aspx?|jsp|xml|txt|json|pdf|gz|zip|warc)",
    re.IGNORECASE,
)


def other_kind(data: bytes) -> str | None:
    """What data is, with its article, if it is certainly no page; None for everything else.

    >>> other_kind(b"%PDF-1.7 ..."), other_kind(b' {"a": [1, 2]}'), other_kind(b"plain text"), other_kind(b"{a}<p>")
    ('a PDF document', 'JSON', None, None)
    """
    head = data[:16]
    if head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<":
        return None
    for beginning, kind in BEGINNINGS.items():
        if head.startswith(beginning):
            return kind
    if head[:4] == b"RIFF":
        return CONTAINERS.get(head[8:12], "a media file")
    if head[4:8] == b"ftyp":
        return "a video file, or an AVIF or HEIC image"
    if is_json(data):
        return "JSON"
    return "binary data" if is_binary(data[:LOOKED_AT]) else None


def is_json(data: bytes | str) -> bool:
    """Whether data is an object or an array of JSON.

    >>> is_json('[{"a": 1}]'), is_json("{{ title }}<p>"), is_json("12")
    (True, False, False)
    """
    if data[:100].lstrip()[:1] not in (b"{", b"[", "{", "["):
        return False
    import msgspec  # here: most pages need it for nothing else

    try:
        msgspec.json.decode(data, type=msgspec.Raw)  # checks it to its end, and builds nothing
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return False
    return True


def is_binary(sample: bytes) -> bool:
    """Whether the start of some data cannot be that of a text.

    >>> is_binary(bytes(range(256))), is_binary(b"caf\\xe9 \\x00 page"), is_binary("<p>x".encode("utf-16-le"))
    (True, False, False)
    """
    # UTF-16 says so by a byte order mark, or shows it by markup; short data may be anything.
    if len(sample) < 32 or sample[:2] in (b"\xff\xfe", b"\xfe\xff") or b"<\0" in sample or b"\0<" in sample:
        return False
    return len(sample) - len(sample.translate(None, BINARY)) > BINARY_SHARE * len(sample)


def named_instead(text: str) -> str | None:
    """What to call instead, if a text without markup looks like the address or the path of a page; else None.

    >>> named_instead("https://shop.example/pans"), named_instead("pages/list.html")
    ("an address: fastwrap.fetch('https://shop.example/pans') fetches the page", \
"a path: give Path('pages/list.html') to have the file read")
    >>> named_instead("<p>https://shop.example/"), named_instead("either/or")
    (None, None)
    """
    if len(text) > LONGEST_NAME or "<" in text:
        return None
    name = text.strip()
    short = name if len(name) <= 100 else name[:100] + "…"
    if _ADDRESS.fullmatch(name):
        return f"an address: fastwrap.fetch({short!r}) fetches the page"
    if _PATH.fullmatch(name):
        return f"a path: give Path({short!r}) to have the file read"
    if _HOST.fullmatch(name):
        return f"an address: fastwrap.fetch({'https://' + short!r}) fetches the page"
    return None
