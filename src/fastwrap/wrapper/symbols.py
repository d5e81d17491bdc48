"""Symbols: what the children of one kind have in common, spelled out for files; the kernels compute them as hashes.
A symbol is the tag and, as its level says, the class tokens, the tags below without leaves, whether there is a text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

import numpy as np

from fastwrap.page.names import CUSTOM, TAG_NUMBER, TAGS, number_of
from fastwrap.wrapper.hashes import BY_CLASS, BY_SHAPE, BY_TEXT, symbol_hash, tokens_without_digits
from fastwrap.wrapper.location import class_of

if TYPE_CHECKING:
    from fastwrap.page import Page


_SHAPE = re.compile(r"[()]|[^() ]+")


class Symbol(NamedTuple):
    """What the children of one kind have in common; the fields beyond the level are empty."""

    tag: str
    tokens: tuple[str, ...] = ()
    shape: str = ""
    """The tags below that have something below them, such as `td(a(b))td`; unusual letters as in addresses."""
    has_text: bool = False

    def hash(self, level: int) -> int:
        """The hash that the kernels compute of such children."""
        name = " ".join(self.tokens).encode("utf-8", "surrogatepass")
        return symbol_hash(level, number_of(self.tag, TAG_NUMBER, {}), name, read_shape(self.shape), self.has_text)


def read_shape(shape: str) -> list[tuple[int, int]]:
    """The depths and tag numbers of the elements that a shape names.

    >>> read_shape("td(a)td") == [(1, TAG_NUMBER["td"]), (2, TAG_NUMBER["a"]), (1, TAG_NUMBER["td"])]
    True
    """
    elements = []
    depth = 1
    numbers: dict[str, int] = {}
    for part in _SHAPE.findall(shape):
        if part == "(":
            depth += 1
        elif part == ")":
            depth -= 1
        else:
            if part not in numbers:
                numbers[part] = number_of(unquote(part), TAG_NUMBER, {})
            elements.append((depth, numbers[part]))
    return elements


def write_shape(page: Page, node: int) -> str:
    """The shape of a node: the tags below it, without leaves.

    >>> from fastwrap.page import Page
    >>> write_shape(Page("<table><tr><td><a href=/>x</a><br><td>y"), 5)
    'td(a)td'
    """
    parts: list[str] = []
    top = before = int(page.depth[node])
    below = np.flatnonzero(page.size[node + 1 : node + int(page.size[node])] > 1) + node + 1
    for tag, depth in zip(page.tag[below].tolist(), page.depth[below].tolist(), strict=True):
        if depth > before:
            parts.append("(" if before > top else "")
        else:
            parts.append(")" * (before - depth) or " ")
        parts.append(TAGS[tag] if tag < CUSTOM else quote(page.custom_names[tag], safe=":"))
        before = depth
    return "".join(parts) + ")" * max(0, before - top - 1)


def symbol_of(page: Page, node: int, level: int) -> Symbol:
    """The symbol of a node, spelled out."""
    tokens = tokens_without_digits(class_of(page, node)) if level >= BY_CLASS else []
    return Symbol(
        page.tag_name(node),
        tuple(token.decode("utf-8", "replace") for token in tokens),
        write_shape(page, node) if level >= BY_SHAPE else "",
        level >= BY_TEXT and bool(page.text_start[node] < page.text_start[node + int(page.size[node])]),
    )
