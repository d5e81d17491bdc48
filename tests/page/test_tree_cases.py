"""The arrays are the parser's tree: cases written by hand, in the format of html5lib-tests, on all that HTML mends.
Each document is compared with what the parser made of the data, and, without what a Page leaves out, with the Page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from fastwrap import Page
from fastwrap.page.arrays import NodeArrays
from fastwrap.page.names import NO_NODE, TEXT
from tests.reference.page.walk import walk as public_walk

CASES = Path(__file__).parent / "tree_cases.txt"

LEFT_OUT = {"script", "style", "template", "noscript"}
"""Elements that a Page does not have."""

RAW_TEXT = {"iframe", "noframes", "noembed"}
"""Elements whose text, which is never shown, a Page does not have."""


class Node(NamedTuple):
    """An element ('p', attributes), a text ('#text', its text as 'value'), or a comment ('#comment')."""

    name: str
    attributes: dict[str, str]
    depth: int


class Case(NamedTuple):
    """HTML, and the tree that it is."""

    line: int
    data: str
    document: list[Node]


def cases(text: str) -> Iterator[Case]:
    r"""Read cases: `#data`, the HTML on one line with \n, \t, \f, \r, \0 and \x escapes, `#document`, the tree."""
    number = 1
    for block in text.split("\n\n"):
        lines = [line for line in block.split("\n") if not line.startswith(("# ", "#="))]
        if lines and lines != [""]:
            head, data, middle, *tree = (line for line in lines if line)
            assert (head, middle) == ("#data", "#document"), block
            yield Case(number, unescaped(data), document(tree))
        number += block.count("\n") + 2


ESCAPES = {"n": "\n", "t": "\t", "f": "\f", "r": "\r", "0": "\0"}


def unescaped(text: str) -> str:
    """Characters that cannot be seen are written as escapes."""
    return re.sub(
        r"\\(?:([ntfr0])|u([0-9a-f]{4}))", lambda match: ESCAPES[match[1]] if match[1] else chr(int(match[2], 16)), text
    )


def document(lines: list[str]) -> list[Node]:
    """The nodes of a tree in document order, each with its depth."""
    nodes: list[Node] = []
    for line in lines:
        match = re.fullmatch(r'\| ( *)(?:<!--(.*)-->|<([^>]*)>|"(.*)"|(.+?)="(.*)")', line)
        assert match is not None, line
        spaces, comment, tag, text, name, value = match.groups()
        depth = len(spaces) // 2
        if comment is not None:
            nodes.append(Node("#comment", {"value": unescaped(comment)}, depth))
        elif tag is not None:
            nodes.append(Node(tag, {}, depth))
        elif text is not None:
            nodes.append(Node("#text", {"value": unescaped(text)}, depth))
        else:
            assert nodes[-1].depth == depth - 1, line
            nodes[-1].attributes[name] = unescaped(value)
    return nodes


def of_parser(root: LexborNode | None) -> list[Node]:
    """The whole tree as the parser has it, through its public API alone."""
    found = []
    stack = [(root, 0)]
    while stack:
        node, depth = stack.pop()
        if node is None:
            continue
        if depth:
            stack.append((node.next, depth))
        if node.is_text_node:
            found.append(Node("#text", {"value": node.text_content or ""}, depth))
        elif node.is_comment_node:
            found.append(Node("#comment", {"value": node.comment_content or ""}, depth))
        elif node.is_element_node:
            found.append(Node(node.tag or "", {name: value or "" for name, value in node.attributes.items()}, depth))
            stack.append((node.first_child, depth + 1))
    return found


def without_what_is_left_out(nodes: list[Node]) -> list[Node]:
    """What a Page has of a tree: no comments, scripts or blank texts; white space normalised, names in lower case."""
    kept: list[Node] = []
    hidden = None
    """The depth of an element of which nothing below is kept."""
    for node in nodes:
        if hidden is not None and node.depth > hidden:
            continue
        hidden = node.depth if node.name in LEFT_OUT | RAW_TEXT else None
        if node.name == "#text":
            words = node.attributes["value"].split()
            if words:
                kept.append(Node("#text", {"value": " ".join(words)}, node.depth))
        elif node.name != "#comment" and node.name not in LEFT_OUT:
            kept.append(node._replace(name=node.name.lower()))
    return kept


def of_page(page: Page) -> list[Node]:
    """The tree that the arrays of a page are; the redundant ones are compared with each other on the way."""
    found = []
    ends: list[int] = []
    for node in range(len(page)):
        while ends and ends[-1] <= node:
            ends.pop()
        assert int(page.depth[node]) == len(ends)
        parent = int(page.parent[node])
        assert (parent == NO_NODE) == (node == 0)
        assert node == 0 or ends[-1] == parent + int(page.size[parent])
        if page.tag[node] == TEXT:
            assert int(page.size[node]) == 1
            found.append(Node("#text", {"value": page.text(node)}, len(ends)))
        else:
            found.append(Node(page.tag_name(node), page.attributes(node), len(ends)))
        ends.append(node + int(page.size[node]))
    assert int(page.size[0]) == len(page)
    return found


ALL = list(cases(CASES.read_text(encoding="utf-8")))


def test_there_are_cases() -> None:
    assert len(ALL) >= 100
    assert len({case.data for case in ALL}) == len(ALL)


@pytest.mark.parametrize("case", ALL, ids=lambda case: f"line {case.line}")
def test_tree(case: Case) -> None:
    parser = LexborHTMLParser(case.data.encode(), scripting=True, options=LexborDocumentOptions.WO_EVENTS)
    assert of_parser(parser.root) == case.document
    page = Page(case.data)
    assert of_page(page) == without_what_is_left_out(case.document)
    custom: dict[int, str] = {}
    expected = public_walk(parser, custom)
    assert page.custom_names == custom
    for name, ours, theirs in zip(NodeArrays._fields, page.arrays, expected, strict=True):
        assert np.array_equal(np.asarray(ours), np.asarray(theirs)), name
