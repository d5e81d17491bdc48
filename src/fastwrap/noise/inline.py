"""One line of Markdown: texts in which nothing acts as markup, with what is a link, code, set in bold or in italics.
Emphasis is marked only where CommonMark is sure to read it as such (0.31, 6.2: delimiter runs between other marks)."""

from __future__ import annotations

import itertools
import re
import string
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from fastwrap.page.addresses import scheme_of

# What begins markup anywhere in a line. An underscore between letters does not, nor does an ampersand that no name and
# semicolon follow; the second expression is for texts that go on in the next one.
MARKUP = re.compile(r"[\\`*\[\]<~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)")
MAY_BE_MARKUP = re.compile(r"[\\`*\[\]<~_&]")
CUT_MARKUP = re.compile(rf"{MARKUP.pattern}|&(?=#?\w*$)")

# What begins a block at the start of a line: headings, items, quotations, underlines of headings, rows of tables.
BLOCK = re.compile(r"(?:#{1,6}|[-+])(?:\s|$)|[>=|]|-[-|:]|:-")
NUMBER = re.compile(r"\d{1,9}(?=[.)](?:\s|$))")
STARTS = frozenset("#-+>=|:0123456789")
"""What such a line begins with."""
CLOSING = re.compile(r"#+$")
TICKS = re.compile(r"`+")

SCHEMES = frozenset(("", "http", "https", "ftp", "mailto", "tel", "sms", "geo", "xmpp", "magnet"))
"""Of what may be a link, or a picture. None of them makes a browser run something."""
# What would end an address, be read before it is (code, HTML, cells of tables), or is no part of any.
ESCAPED = {code: f"%{code:02X}" for code in (*range(33), *map(ord, '<>`\\|"'), *range(127, 160))}
ENTITY, BRACKET = re.compile(r"&(?=#?\w+;)"), re.compile(r"[()]")
PLAIN_ADDRESS = re.compile(r"(?:https?:/)?/[\w./?=#%~:@!$,+*'-]+", re.ASCII)
"""An address that stands in a link as it is."""
NO_SIDE = "*_`\\"
"""Marks beside which no emphasis is begun or ended."""


class Piece(NamedTuple):
    """A text, or a picture, with what it is set in."""

    text: str
    between: str
    """What is between it and the piece before: a space or nothing."""
    link: str = ""
    """Where it leads; nothing if it is in no link."""
    code: int = 0
    """The element of code that it is in; 0 for none."""
    bold: bool = False
    italic: bool = False
    picture: str = ""
    """The address of a picture, whose text is what stands for it."""

    @property
    def is_plain(self) -> bool:
        """Whether it is a text, and no more than a link."""
        return not (self.code or self.bold or self.italic or self.picture)


def escaped(text: str, goes_on: bool = False) -> str:
    """A text in which nothing is markup, unless at the start of a line; `goes_on` if another follows without a space.

    >>> print(escaped("2 * 3 <b> [x] snake_case _y_ &amp; AT&T"))
    2 \\* 3 \\<b> \\[x\\] snake_case \\_y\\_ \\&amp; AT&T
    """
    if MAY_BE_MARKUP.search(text) is None:
        return text  # most texts are
    return (CUT_MARKUP if goes_on else MARKUP).sub(r"\\\g<0>", text)


def started(line: str) -> str:
    """A line that begins no block.

    >>> [started(line) for line in ("# a", "1. a", "-5", "- a", "> a", "2024) b", "===")]
    ['\\\\# a', '1\\\\. a', '-5', '\\\\- a', '\\\\> a', '2024\\\\) b', '\\\\===']
    """
    if line[0] not in STARTS:
        return line  # most lines are
    if number := NUMBER.match(line):
        return f"{number[0]}\\{line[number.end() :]}"
    return f"\\{line}" if BLOCK.match(line) else line


def ended(heading: str) -> str:
    """A heading whose last signs are not taken for its end.

    >>> ended("C #"), ended("C#")
    ('C \\\\#', 'C\\\\#')
    """
    return CLOSING.sub(r"\\\g<0>", heading)


def safe_address(address: str | None) -> str:
    """An address as it stands in a link; nothing for one that is no place to go to.

    >>> safe_address("https://a.example/b_(c)?d=1|2"), safe_address("/a(b"), safe_address("data:text/html,x")
    ('https://a.example/b_(c)?d=1%7C2', '/a\\\\(b', '')
    """
    if address and PLAIN_ADDRESS.fullmatch(address):
        return address  # most are
    if not address or scheme_of(address) not in SCHEMES:
        return ""
    address = address.translate(ESCAPED)
    depth = 0
    for bracket in BRACKET.findall(address):
        depth += 1 if bracket == "(" else -1
        if not 0 <= depth <= 3:
            break
    if depth:
        address = BRACKET.sub(r"\\\g<0>", address)
    return ENTITY.sub(r"\\&", address)


@lru_cache(4096)
def is_aside(character: str) -> bool:
    """Whether emphasis may begin behind a character, or end before it: nothing, a space, or punctuation."""
    if character in NO_SIDE:
        return character == ""
    return character == " " or character in string.punctuation or unicodedata.category(character)[0] == "P"


def line_of(pieces: Sequence[Piece], in_cell: bool = False) -> str:
    """Pieces as one line of Markdown; in a cell of a table what would end it is escaped.

    >>> line_of([Piece("See", ""), Piece("this", " ", bold=True), Piece("page", " ", "/a"), Piece("!", "")])
    'See **this** [page](/a)!'
    >>> line_of([Piece("un", ""), Piece("believ", "", bold=True), Piece("able", "")])
    'unbelievable'
    >>> line_of([Piece("a`b", "", code=3), Piece("*", " "), Piece("x", " ", picture="/x.png")])
    '``a`b`` \\\\* ![x](/x.png)'
    """
    if len(pieces) == 1 and pieces[0].is_plain:  # as most lines are
        line = escaped(pieces[0].text)
        line = f"[{line}]({pieces[0].link})" if pieces[0].link else line
    else:
        line = joined_by_link(pieces)
    return line.replace("|", "\\|") if in_cell else line


def joined(pieces: Sequence[Piece]) -> str:
    """The texts of pieces, as they stand."""
    return "".join((piece.between if place else "") + piece.text for place, piece in enumerate(pieces))


def joined_by_link(pieces: Sequence[Piece]) -> str:
    """The pieces, with links around those that lead to the same place."""
    groups = [list(group) for _, group in itertools.groupby(pieces, lambda piece: piece.link)]
    parts: list[str] = []
    for number, group in enumerate(groups):
        between = group[0].between if number else ""
        if group[0].link:
            if parts and not between and parts[-1].endswith("!"):
                parts[-1] = parts[-1][:-1] + "\\!"  # or the link would be a picture
            written = f"[{joined_by_code(group, '', '')}]({group[0].link})"
        else:
            left = between or (parts[-1][-1:] if parts else "")
            right = groups[number + 1][0].between or "[" if number + 1 < len(groups) else ""
            written = joined_by_code(group, left, right)
        parts += [between, written] if between else [written]
    return "".join(parts)


def joined_by_code(pieces: Sequence[Piece], left: str, right: str) -> str:
    """Pieces of one link or of none, with code and pictures; `left` and `right` are the characters beside them."""
    groups: list[tuple[str, list[Piece]]] = []
    for (code, is_picture), alike in itertools.groupby(pieces, lambda piece: (piece.code, bool(piece.picture))):
        kind, there = "picture" if is_picture else "code" if code else "text", list(alike)
        if groups and kind == "code" and groups[-1][0] == "code" and not there[0].between:
            groups[-1][1].extend(there)  # or the marks of both would be one
        else:
            groups.append((kind, there))
    parts: list[str] = []
    for number, (kind, group) in enumerate(groups):
        between = group[0].between if number else ""
        if kind == "code":
            written = code_span(joined(group))
        elif kind == "picture":
            marked = [piece._replace(text=f"![{escaped(piece.text)}]({piece.picture})") for piece in group]
            written = joined(marked)
        else:
            behind = groups[number + 1][1][0].between or "`" if number + 1 < len(groups) else right
            written = emphasised(group, between or ("`" if number else left), behind)
        parts += [between, written]
    return "".join(parts)


def code_span(text: str) -> str:
    """Code within a line, between more backticks than it has itself."""
    ticks = "`" * (1 + max(map(len, TICKS.findall(text)), default=0))
    blank = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{ticks}{blank}{text}{blank}{ticks}"


def emphasised(pieces: Sequence[Piece], left: str, right: str) -> str:
    """Texts, with those marked that are set in bold or in italics."""
    runs = [list(run) for _, run in itertools.groupby(pieces, lambda piece: (piece.bold, piece.italic))]
    texts = [joined(run) for run in runs]
    parts: list[str] = []
    last = left
    for number, run in enumerate(runs):
        bold, italic = run[0].bold, run[0].italic
        between = run[0].between if number else ""
        other = runs[number + 1][0] if number + 1 < len(runs) else None
        text = escaped(texts[number], other is not None and not other.between)
        if bold or italic:
            behind = right
            if other is not None:
                # Marks of its own would stand there.
                behind = other.between or ("*" if other.bold or other.italic else texts[number + 1][0])
            if is_aside(between or last) and is_aside(behind):
                text = f"_{text}_" if italic else text
                text = f"**{text}**" if bold else text
        parts += [between, text]
        last = text[-1]
    return "".join(parts)
