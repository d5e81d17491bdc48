"""Headings above groups of records: a column of each record of the group.
There must be at least two different ones, of one kind, above groups of which some have several records."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from fastwrap.arrays import Int32Array
from fastwrap.names import NO_NODE, TAG_NUMBER, TEXT
from fastwrap.page import Page

HEADING_TAGS = frozenset(TAG_NUMBER[name] for name in "h1 h2 h3 h4 h5 h6 th caption legend dt summary".split())

MAX_SHARE = 0.7
"""Groups, of the records: with more of them, what stands between records belongs to these."""

FOUND_SHARE = 0.6
"""Groups, of all, that must have a heading."""

LONGEST = 120
"""Characters of a heading."""

MAX_GAP = 80
"""Nodes between groups in which a heading is looked for; also before the first group."""

MAX_GROUPS = 2_000

LEVELS = 4
"""Elements from the text of a heading up that tell its kind."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The kind of the headings: the tags of the elements that the text of one is in, the nearest first."""

    tags: tuple[str, ...]
    prefix: str = ""
    """Words that all of them begin with, which are dropped, ..."""
    suffix: str = ""
    """... and those that they end with."""

    def texts(self, page: Page, spans: Int32Array) -> list[str | None]:
        """For each record the heading of its group; None if there is none before the first records."""
        tags = tuple(tag_number(page, name) for name in self.tags)
        groups = groups_of(spans)
        return self.cut(heading_texts(page, groups, texts_between(page, groups), tags))

    def cut(self, texts: list[str | None]) -> list[str | None]:
        """Headings without the words that all of them have."""
        if not (self.prefix or self.suffix):
            return texts
        return [text and (text.removeprefix(self.prefix).removesuffix(self.suffix) or text) for text in texts]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"tags": list(self.tags), "prefix": self.prefix, "suffix": self.suffix}

    @classmethod
    def from_json(cls, data: Any) -> Heading:
        """A heading from plain data; ValueError for what is none."""
        if not isinstance(data, dict) or data.keys() != {"tags", "prefix", "suffix"}:
            raise ValueError("the heading is not an object with tags, prefix and suffix")
        tags = data["tags"]
        if not (isinstance(tags, list) and 0 < len(tags) <= LEVELS):
            raise ValueError("the heading has no tags, or too many")
        if not all(isinstance(text, str) and len(text) <= LONGEST for text in (*tags, data["prefix"], data["suffix"])):
            raise ValueError("the heading has something that is not a short text")
        return cls(tuple(tags), data["prefix"], data["suffix"])


class Group(NamedTuple):
    """A run of records with nothing between them."""

    first: int
    last: int
    """The record after its last one."""
    gap: tuple[int, int]
    """The nodes before it, the last of them after the group before it."""


def groups_of(spans: Int32Array) -> list[Group]:
    """The groups of records."""
    if not len(spans):
        return []
    start, end = spans.T.tolist()
    firsts = [0, *(first for first in range(1, len(start)) if start[first] != end[first - 1])]
    return [
        Group(first, last, (max(end[first - 1] if first else 0, start[first] - MAX_GAP), start[first]))
        for first, last in zip(firsts, [*firsts[1:], len(start)], strict=True)
    ]


def find_heading(page: Page, spans: Int32Array) -> tuple[Heading, list[str | None]] | None:
    """The kind of the headings above groups of records, and the heading of each record; None if there are none.

    >>> page = Page("<h2>A</h2><p>1<p>2<p>3<h2>B</h2><p>4<p>5<p>6")
    >>> find_heading(page, np.array([[k, k + 2] for k in (5, 7, 9, 13, 15, 17)]))
    (Heading(tags=('h2',), prefix='', suffix=''), ['A', 'A', 'A', 'B', 'B', 'B'])
    """
    gaps = int(np.count_nonzero(spans[1:, 0] != spans[:-1, 1])) if len(spans) > 2 else 0
    if not 0 < gaps < min(MAX_SHARE * len(spans), MAX_GROUPS):
        return None
    groups = groups_of(spans)
    texts = texts_between(page, groups)
    kinds: Counter[tuple[int, ...]] = Counter()
    for own in texts[1:]:
        # Each kind once a gap, in the order of the page: of equally many kinds the first one is the headings'.
        found_kinds = dict.fromkeys(kind_of(page, node) for node in own)
        kinds.update(kind for kind in found_kinds if len(own) == 1 or kind[-1] in HEADING_TAGS)
    for kind, times in kinds.most_common(3):
        if times < FOUND_SHARE * (len(groups) - 1):
            break
        found = heading_texts(page, groups, texts, kind)
        different = {text for text in found if text is not None}
        if len(different) > 1 and all(len(text) <= LONGEST for text in different):
            tags = tuple(page.tag_name_of(tag) for tag in kind)
            heading = Heading(tags, *shared_words(sorted(different)))
            return heading, heading.cut(found)
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


def texts_between(page: Page, groups: list[Group]) -> list[list[int]]:
    """The texts in the gap before each group."""
    if not groups:
        return []
    first = groups[0].gap[0]
    texts = np.flatnonzero(page.tag[first : groups[-1].gap[1]] == TEXT) + first
    ends = np.searchsorted(texts, [group.gap for group in groups]).tolist()
    nodes = texts.tolist()
    return [nodes[begin:end] for begin, end in ends]


def heading_texts(page: Page, groups: list[Group], texts: list[list[int]], kind: tuple[int, ...]) -> list[str | None]:
    """For each record the last text of that kind before its group, or before the groups above it."""
    found: list[str | None] = []
    current = None
    tag, parent = page.tag.item, page.parent.item
    for group, own in zip(groups, texts, strict=True):
        for node in reversed(own):
            if tag(parent(node)) == kind[0] and kind_of(page, node) == kind:
                current = heading_text(page, node, kind)
                break
        found += [current] * (group.last - group.first)
    return found


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


def kind_of(page: Page, node: int) -> tuple[int, ...]:
    """The tags of the elements around a text, the nearest first, up to one that is for headings."""
    tag, parent = page.tag.item, page.parent.item
    found: list[int] = []
    while len(found) < LEVELS and (node := parent(node)) != NO_NODE:
        found.append(tag(node))
        if found[-1] in HEADING_TAGS:
            break
    return tuple(found)
