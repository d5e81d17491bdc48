"""Style sheets of a page that may load nothing: addresses are taken out of them, wherever CSS allows one.
More than need be is taken, never less: the names of functions may be spelled with escapes, strings may be variables."""

from __future__ import annotations

import re

EMPTY = "data:,"  # an address that leads nowhere

_ESCAPE = re.compile(r"\\(?:([0-9a-f]{1,6})(?:\r\n|\s)?|(\r\n|[\n\r\f])|(.)|\Z)", re.IGNORECASE | re.DOTALL)
# What can hold an address, or hide one: comments, strings, names of functions and rules, plain or with escapes.
_TOKEN = re.compile(
    r"""/\*.*?(?:\*/|\Z)
    |(?P<string>"(?:[^"\\\n\r\f]|\\.)*"?|'(?:[^'\\\n\r\f]|\\.)*'?)
    |(?P<name>@import|(?:url|src)(?=\()|(?:@|(?<![-\w\\]))[-\w]*(?:\\(?:[0-9a-f]{1,6}\s?|[^0-9a-f])[-\w]*)+)""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
_OPEN = re.compile(r"\(\s*")
_UNQUOTED = re.compile(r"(?:[^\\)]|\\.)*\)?", re.DOTALL)
_IGNORED = dict.fromkeys(range(0x21))
_REMOTE = re.compile(r"(?:https?|ftp|wss?|file|blob|filesystem):|[/\\]{2}", re.IGNORECASE)


def without_addresses(style: str) -> str:
    """A style sheet, or the value of a style attribute, that loads nothing but what it holds itself.

    >>> without_addresses('a { background: url(//h/a.png) } b { content: "c" } @import "//h/s.css";')
    'a { background: url(data:,) } b { content: "c" } @fastwrap-import "";'
    >>> without_addresses(r"a { background: u\\72 l('b.png'), URL(data:image/gif;base64,R0=), image-set('http:h' 1x) }")
    "a { background: url(''), URL(data:image/gif;base64,R0=), image-set('' 1x) }"
    """
    parts: list[str] = []
    place = 0
    while match := _TOKEN.search(style, place):
        parts.append(style[place : match.start()])
        written, place = match[0], match.end()
        if match["string"] is not None:
            if is_remote(unescaped(written[1:])):
                written = written[0] * 2
        elif match["name"] is not None:
            name = unescaped(written).lower()
            if name == "@import":
                written = "@fastwrap-import"
            elif name.endswith(("url", "src")) and (opened := _OPEN.match(style, place)):
                written = (name[-3:] if "\\" in written else written) + "("
                place = opened.end()
                if style[place : place + 1] in ('"', "'"):
                    string = _TOKEN.match(style, place)
                    if string is not None and not is_own(unescaped(string[0][1:])):
                        written, place = written + string[0][0] * 2, string.end()
                elif address := _UNQUOTED.match(style, place):
                    place = address.end()
                    is_kept = is_own(unescaped(address[0])) and not any(mark in address[0] for mark in "('\"")
                    written += address[0] if is_kept else f"{EMPTY})"
        parts.append(written)
    return "".join([*parts, style[place:]])


def unescaped(text: str) -> str:
    """What a text with the escapes of CSS says.

    >>> unescaped(r"u\\72 l"), unescaped(r"\\000075rl"), unescaped(r"a\\/b")
    ('url', 'url', 'a/b')
    """

    def character(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[3] or ""
        number = int(match[1], 16)
        return chr(number) if 0 < number < 0x110000 else "\ufffd"

    return _ESCAPE.sub(character, text) if "\\" in text else text


def is_remote(address: str) -> bool:
    """Whether an address leads to another place than where the document is from.

    >>> is_remote("ht\\ntp:h"), is_remote("/\\\\h"), is_remote("a/b"), is_remote("Note: a")
    (True, True, False, False)
    """
    return _REMOTE.match(address.translate(_IGNORED)) is not None


def is_own(address: str) -> bool:
    """Whether an address holds what it leads to, or is of the document itself."""
    return address.translate(_IGNORED)[:5].lower().startswith(("data:", "#"))
