"""Preformatted text as it stands, with the line breaks and indents that the node arrays do not keep.
Each `pre` is read again from the HTML alone, and believed only where it says what the arrays say."""

from __future__ import annotations

import itertools
import re

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from fastwrap.errors import FastwrapError
from fastwrap.page import nesting
from fastwrap.page.names import INLINE_NAMES
from fastwrap.page.reading import parse

TAG = re.compile(rb"<(/?)pre(?=[\s/>])", re.IGNORECASE)
NAME = re.compile(rb"<([a-zA-Z][^\s/>]*)")
BREAK = re.compile(rb"<br(?:\s[^>]*|/)?>", re.IGNORECASE)
BLANK_LINES = re.compile(r"\A(?:[ \t]*\n)+|\s+\Z")
LEFT_OUT = frozenset(("script", "style", "template", "noscript"))
IN_LINE = INLINE_NAMES | {"td", "th", "tbody", "thead", "tfoot"}
"""Elements that begin no line in a `pre`."""
SIMPLE = frozenset(name.encode() for name in {*IN_LINE, "br", "pre"} - LEFT_OUT)
"""Elements of which all texts count, one behind the other."""


def preformatted(html: bytes) -> dict[str, str]:
    """The texts of all `pre` of a page in UTF-8, by what they say without white space.

    >>> preformatted(b"<p>x<pre class=a>if a:\\n    b<br>c</pre>")
    {'ifa:bc': 'if a:\\n    b\\nc'}
    """
    tags = list(TAG.finditer(html))
    ends = itertools.chain((tag.start() for tag in tags[1:]), [len(html)])
    parts = [html[tag.start() : end] for tag, end in zip(tags, ends, strict=True) if not tag[1]]
    simple: list[bytes] = []
    others: list[bytes] = []
    for part in parts:
        is_simple = SIMPLE.issuperset(map(bytes.lower, set(NAME.findall(part))))
        (simple if is_simple else others).append(part)
    texts = [element.text() for element in elements_of([BREAK.sub(b"\n", part) for part in simple])]
    texts += [text_of(element) for element in elements_of(others)]
    # Of those that differ in white space alone, the first counts.
    return {"".join(text.split()): BLANK_LINES.sub("", text) for text in reversed(texts)}


def elements_of(parts: list[bytes]) -> list[LexborNode]:
    """The `pre` elements of parts of a page that begin with one each; none if they cannot be parsed."""
    source = b"</pre>".join(parts)
    try:
        nesting.check(source)
        tree: LexborHTMLParser = parse(source)
    except (FastwrapError, SelectolaxError, OverflowError, ValueError):
        return []  # parts alone may be worse than the page that they are from
    return tree.css("pre")


def text_of(pre: LexborNode) -> str:
    """The text of a `pre` that has elements which begin lines, or are left out."""
    parts: list[str] = []
    for node in pre.traverse(include_text=True):
        if node.is_text_node:
            if node.parent is None or node.parent.tag not in LEFT_OUT:
                parts.append(node.text_content or "")
        elif node.tag == "br" or (begins_a_line(node) and parts and not parts[-1].endswith("\n")):
            parts.append("\n")
    return "".join(parts)


def begins_a_line(node: LexborNode) -> bool:
    """Whether a node is an element that stands on lines of its own."""
    return node.is_element_node and node.tag not in IN_LINE
