"""The whole tree of a page, with what its node arrays leave out: scripts, comments, white space as it stands.
One object a node, so it is slow: for what shows a page, reads its preformatted texts, or tests the reader."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from fastwrap._core.page.reading import recorded_tree

TEXT, COMMENT, DOCTYPE, DOCUMENT = "#text", "#comment", "#doctype", "#document"
NAMESPACES = {"H": "", "S": "svg", "M": "math"}
LENGTH = struct.Struct("=I")

LEFT_OUT = frozenset(("script", "style", "template", "noscript"))
"""Elements that a Page does not have, with all in them."""

RAW_TEXT = frozenset(("iframe", "noframes", "noembed"))
"""Elements whose text, which is never shown, a Page does not have."""


class Node:
    """An element, by the name of its tag in lower case; or a text, a comment, a document type or the document."""

    __slots__ = ("attributes", "children", "name", "namespace", "parent", "text")

    def __init__(self, name: str, parent: Node | None, namespace: str = "", text: str = "") -> None:
        self.name, self.namespace, self.text, self.parent = name, namespace, text, parent
        self.attributes: dict[str, str] = {}
        self.children: list[Node] = []
        if parent is not None:
            parent.children.append(self)

    @property
    def is_element(self) -> bool:
        """Whether it is an element."""
        return not self.name.startswith("#")

    def walk(self) -> Iterator[Node]:
        """The node and all below it, in document order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack += reversed(node.children)


class Recorded:
    """Reads what the reader has recorded, part by part."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def letter(self) -> str:
        """What the next part is; "" at the end."""
        self.at += 1
        return self.data[self.at - 1 : self.at].decode("ascii")

    def number(self) -> int:
        """A count."""
        self.at += LENGTH.size
        return int(LENGTH.unpack_from(self.data, self.at - LENGTH.size)[0])

    def string(self) -> str:
        """A name, a text or a value."""
        length = self.number()
        self.at += length
        return self.data[self.at - length : self.at].decode("utf-8", "replace")


def tree(html: bytes) -> Node:
    """The document that a page in UTF-8 is.

    >>> root = tree(b"<!-- x --><p class=a>one<br>two").children[1]
    >>> [node.name for node in root.walk()]
    ['html', 'head', 'body', 'p', '#text', 'br', '#text']
    """
    record = Recorded(recorded_tree(html))
    document = node = Node(DOCUMENT, None)
    leaves = {"T": TEXT, "C": COMMENT, "D": DOCTYPE}
    while letter := record.letter():
        if letter == "U":
            assert node.parent is not None
            node = node.parent
        elif letter == "+":
            node.children[-1].text += record.string()
        elif letter in leaves:
            Node(leaves[letter], node, text=record.string())
        else:
            node = Node(record.string(), node, NAMESPACES[letter])
            node.attributes = {record.string(): record.string() for _ in range(record.number())}
    return document
