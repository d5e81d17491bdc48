"""Headings above groups of records: a column of each record of the group.
There must be at least two different ones, of one kind, above groups of which some have several records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from fastwrap._core.columns import headings as kernel
from fastwrap.columns.records import Records
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE, TAG_NUMBER, TAGS

HEADING_TAGS = frozenset(TAG_NUMBER[name] for name in "h1 h2 h3 h4 h5 h6 th caption legend dt summary".split())

IS_HEADING = bytes(number in HEADING_TAGS for number in range(len(TAGS)))
"""The same, for the kernel: by the number of the tag."""

MAX_SHARE = 0.7
"""Groups, of the records: with more of them, what stands between records belongs to these."""

FOUND_SHARE = 0.6
"""Groups, of all, that must have a heading."""

LONGEST = 120
"""Characters of a heading."""

MAX_GAP = 80
"""Nodes between groups in which a heading is looked for; also before the first group."""

MAX_GROUPS = 2_000

LEVELS = kernel.LEVELS
"""Elements from the text of a heading up that tell its kind."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The kind of the headings: the tags of the elements that the text of one is in, the nearest first."""

    tags: tuple[str, ...]
    prefix: str = ""
    """Words that all of them begin with, which are dropped, ..."""
    suffix: str = ""
    """... and those that they end with."""

    def texts(self, page: Page, spans: npt.ArrayLike) -> list[str | None]:
        """For each record the heading of its group; None if there is none before the first records."""
        kind = tuple(tag_number(page, name) for name in self.tags)
        return self.cut(*heading_texts(page, Records(page, spans).spans, kind))

    def cut(self, nodes: list[int], texts: dict[int, str]) -> list[str | None]:
        """The headings of records, given their nodes and the texts of these, without words that all of them have."""
        if self.prefix or self.suffix:
            texts = {
                node: text.removeprefix(self.prefix).removesuffix(self.suffix) or text for node, text in texts.items()
            }
        return list(map(texts.get, nodes))

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"tags": list(self.tags), "prefix": self.prefix, "suffix": self.suffix}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Heading:
        """A heading from what `to_json` gives."""
        return cls(tuple(data["tags"]), data["prefix"], data["suffix"])


def find_heading(page: Page, spans: npt.ArrayLike) -> tuple[Heading, list[str | None]] | None:
    """The kind of the headings above groups of records, and the heading of each record; None if there are none.

    >>> page = Page("<h2>A</h2><p>1<p>2<p>3<h2>B</h2><p>4<p>5<p>6")
    >>> find_heading(page, [[k, k + 2] for k in (5, 7, 9, 13, 15, 17)])
    (Heading(tags=('h2',), prefix='', suffix=''), ['A', 'A', 'A', 'B', 'B', 'B'])
    """
    spans = Records(page, spans).spans
    groups, kinds = kernel.kinds(page.native, spans, IS_HEADING, MAX_GAP, MAX_SHARE, MAX_GROUPS)
    for kind, times in kinds:
        if times < FOUND_SHARE * (groups - 1):
            break
        nodes, texts = heading_texts(page, spans, kind)
        different = set(texts.values())
        if len(different) > 1 and max(map(len, different)) <= LONGEST:
            tags = tuple(page.tag_name_of(tag) for tag in kind)
            heading = Heading(tags, *shared_words(sorted(different)))
            return heading, heading.cut(nodes, texts)
    return None


def shared_words(texts: list[str]) -> tuple[str, str]:
    """Whole words that different texts all begin with, and all end with.

    >>> shared_words(["Featured Bed & Breakfast Inns", "Other Bed & Breakfast Inns"])
    ('', ' Bed & Breakfast Inns')
    """
    words = [text.split(" ") for text in texts]
    fewest = min(map(len, words)) - 1  # at least one word is left of each
    first = last = 0
    while first < fewest and len({own[first] for own in words}) == 1:
        first += 1
    while last < fewest - first and len({own[-1 - last] for own in words}) == 1:
        last += 1
    prefix = " ".join(words[0][:first]) + " " if first else ""
    return prefix, " " + " ".join(words[0][len(words[0]) - last :]) if last else ""


def heading_texts(page: Page, spans: Int32Array, kind: tuple[int, ...]) -> tuple[list[int], dict[int, str]]:
    """For each record the last text of a kind before its group, or before the groups above it: its node, NO_NODE if
    there is none; and the headings that these nodes are in."""
    nodes = kernel.nodes(page.native, spans, IS_HEADING, MAX_GAP, kind)
    return nodes, {node: heading_text(page, node, kind) for node in dict.fromkeys(nodes) if node != NO_NODE}


def heading_text(page: Page, node: int, kind: tuple[int, ...]) -> str:
    """The text of the heading that a text is in, or else the text itself."""
    if kind[-1] in HEADING_TAGS:
        for _ in kind:
            node = page.parent.item(node)
    return page.text(node)


def tag_number(page: Page, name: str) -> int:
    """The number of a tag on a page; NO_NODE if no element there is called so."""
    known = TAG_NUMBER.get(name)
    if known is not None:
        return known
    return next((number for number, own in page.custom_names.items() if own == name), NO_NODE)
