"""Node arrays from the tree of selectolax, through its public API: the oracle of the reader.
Lexbor differs from the standard in a few places; `docs/how-it-works.md` lists them."""

from __future__ import annotations

import re
from collections.abc import MutableMapping

import numpy as np
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from fastwrap.page.arrays import TOUCHES, Int32Array, NodeArrays
from fastwrap.page.names import (
    ATTRIBUTE_NUMBER,
    FORMATTING,
    GOES_ON,
    GOES_ON_BEFORE,
    JOINTS,
    NO_NODE,
    TAG_NUMBER,
    TEXT,
    number_of,
)
from fastwrap.page.tree import LEFT_OUT, RAW_TEXT

DIFFERENT = re.compile(b"|".join((
        rb"<sup\b",  # ends foreign content; in Lexbor it is a part of it
        rb"<textarea\b",  # opens no formatting elements again; in Lexbor it does, within the field
        rb"<image\b",  # in a table it is put before the table, as an img is
        rb"<template\b.*<frameset\b",  # a page that has a template has no frames
        rb"<(?:math|svg)\b.*</",  # no end of elements of MathML is implied, whatever they are called
        rb"<col.*<!doctype",  # a document type that comes late is nothing
        rb"<(?:a|b|i|font|nobr|code|em|big)\b.*<.*<.*<.*<.*</",  # counts entries that were removed
        rb"<selectedcontent",  # shows a copy of an option, which Lexbor makes
)), re.DOTALL)  # fmt: skip
"""What may come out differently in Lexbor: `docs/how-it-works.md`, section page."""


def may_differ(html: bytes) -> bool:
    """Whether a page has something that Lexbor may read in another way than the standard."""
    return DIFFERENT.search(html) is not None


def parse(html: bytes) -> LexborHTMLParser:
    """The tree of a page in UTF-8: as in a browser, noscript is one text."""
    return LexborHTMLParser(html, scripting=True, options=LexborDocumentOptions.WO_EVENTS)


FORMATTING_NUMBERS = frozenset(TAG_NUMBER[name] for name in FORMATTING)
JOINT_NUMBERS = frozenset(TAG_NUMBER[name] for name in JOINTS)
AMOUNT = re.compile(rb"(?:\$|\xc2[\xa3\xa5]|\xe2\x82[\x80-\xbf])?[0-9]")


def frozen(numbers: list[int]) -> Int32Array:
    """A read-only array."""
    array = np.array(numbers, dtype=np.int32)
    array.flags.writeable = False
    return array


BEGINNING, LEAST_DATA, MOST_DATA = 1024, 48, 1 << 23
"""Bytes of a script that are looked at for data, and how many one that has data may have."""
LEAST_MARKUP = 1024
"""Bytes of a noscript that has more than a picture or a word of regret."""
DATA = re.compile(rb'\{[ \t\n\f\r]*"|JSON\.parse\("|\(\[1,"')
"""What begins JSON in a script: an object, a string that is parsed, a chunk that Next.js streams."""


def holds_data(text: bytes) -> bool:
    """Whether a script that does not say so may hold JSON, by its first kilobyte.

    >>> holds_data(b'window.state = {"items": [{"name": "Tea"}, {"name": "Milk"}]}'), holds_data(b"f(1);" * 10)
    (True, False)
    """
    return LEAST_DATA <= len(text) <= MOST_DATA and DATA.search(text[:BEGINNING]) is not None


def data_texts(script: LexborNode) -> list[bytes]:
    """The texts of a script that holds data: one, or none."""
    kind = script.attributes.get("type") or ""
    return [text for text in texts_in(script) if "json" in kind.lower() or holds_data(text)]


def texts_in(node: LexborNode) -> list[bytes]:
    """The texts right below an element."""
    return [(child.text_content or "").encode() for child in node.iter(include_text=True) if child.is_text_node]


def touches(nodes: list[list[int]], text: int, following: int, last: bytes, said: bytes) -> bool:
    """Whether two texts, without white space between them, touch. `last` is the last byte of the text, and `said` what
    follows; numbers do not touch numbers."""
    opened = [nodes[node][0] for node in range(text + 1, following)]
    closed = []
    node, common = nodes[text][1], nodes[following][1]
    while common > text:
        common = nodes[common][1]
    while node != common:
        closed.append(nodes[node][0])
        node = nodes[node][1]
    if not FORMATTING_NUMBERS.issuperset(opened + closed) or (last.isdigit() and AMOUNT.match(said)):
        return False
    is_joined = not JOINT_NUMBERS.isdisjoint(opened + closed) or last in GOES_ON or said[:1] in GOES_ON_BEFORE
    return is_joined or not (opened and closed)


def walk(parser: LexborHTMLParser, custom: MutableMapping[int, str]) -> NodeArrays:
    """The node arrays of a parsed document; names outside the tables are entered into `custom`.

    >>> arrays = walk(LexborHTMLParser("<ul><li>one <li> two</ul>"), {})
    >>> arrays.text
    b'one two '
    >>> arrays.size.tolist()
    [8, 1, 6, 5, 2, 1, 2, 1]
    >>> walk(LexborHTMLParser("H<sub>2</sub>O"), {}).text
    b'H\\xff2\\xffO '
    """
    nodes: list[list[int]] = []  # of each: tag, parent, size, depth, where its text and its attributes start
    names: list[int] = []
    value_start: list[int] = []
    text, values = bytearray(), bytearray()
    scripts: list[bytes] = []
    noscripts: list[bytes] = []
    last = NO_NODE  # the last text, if there is no white space behind it
    # A stack of what is still to be visited: a node with its parent and depth, or None and a node to close.
    stack: list[tuple[LexborNode | None, int, int]] = [(parser.root, NO_NODE, 0)]
    while stack:
        node, up, level = stack.pop()
        if node is None:
            nodes[up][2] = len(nodes) - up
            continue
        if node.next is not None and level > 0:
            stack.append((node.next, up, level))
        name = (node.tag or "").encode().lower().decode()  # of bytes: HTML folds the case of ASCII alone
        if node.is_text_node:
            written = node.text_content or ""
            words = written.split()
            if words:
                nodes.append([TEXT, up, 1, level, len(text), len(names)])
                following = " ".join(words).encode() + b" "
                goes_on = last != NO_NODE and not written[0].isspace()
                if goes_on and touches(nodes, last, len(nodes) - 1, bytes(text[-2:-1]), following):
                    text[-1:] = TOUCHES
                text += following
            if written:
                last = NO_NODE if written[-1].isspace() else len(nodes) - 1
        elif name == "script":
            scripts += data_texts(node)
        elif name == "noscript":
            noscripts += [markup for markup in texts_in(node) if LEAST_MARKUP <= len(markup) <= MOST_DATA]
        elif node.is_element_node and name not in LEFT_OUT:
            here = len(nodes)
            nodes.append([number_of(name, TAG_NUMBER, custom), up, 1, level, len(text), len(names)])
            for attribute, value in node.attributes.items():
                names.append(number_of(attribute, ATTRIBUTE_NUMBER, custom))
                value_start.append(len(values))
                values += (value or "").encode()
            if node.first_child is not None and name not in RAW_TEXT:
                stack.append((None, here, level))
                stack.append((node.first_child, here, level + 1))
    value_start.append(len(values))
    kept: list[list[int]] = []
    for texts in (scripts, noscripts):
        kept.append([len(values)])
        for each in texts:
            values += each
            kept[-1].append(len(values))
    tag, parent, size, depth, text_start, attribute_start = map(list, zip(*nodes, strict=True))
    numbers = tag, parent, size, depth, [*text_start, len(text)], [*attribute_start, len(names)], names, value_start
    return NodeArrays._make((*map(frozen, numbers), bytes(text), bytes(values), *map(frozen, kept)))
