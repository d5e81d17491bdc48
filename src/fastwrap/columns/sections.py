"""Headings above groups of records: a column of each record of the group.
There must be at least two different ones, of one kind, above groups of which some have several records."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

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
        found: list[str | None] = []
        current = None
        groups = groups_of(spans)
        for (first, last, _), texts in zip(groups, texts_between(page, [gap for _, _, gap in groups]), strict=True):
            for node in texts:
                if kind_of(page, node) == self.tags:
                    whole = heading_text(page, node)
                    current = whole.removeprefix(self.prefix).removesuffix(self.suffix) or whole
            found += [current] * (last - first)
        return found

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


def groups_of(spans: Int32Array) -> list[tuple[int, int, tuple[int, int]]]:
    """Runs of records with nothing between them: the first one, the one after the last, and the nodes before them."""
    if not len(spans):
        return []
    start, end = spans.T.tolist()
    firsts = [0, *(first for first in range(1, len(start)) if start[first] != end[first - 1])]
    lasts = [*firsts[1:], len(spans)]
    gaps = [(max(end[first - 1] if first else 0, start[first] - MAX_GAP), start[first]) for first in firsts]
    return list(zip(firsts, lasts, gaps, strict=True))


def find_heading(page: Page, spans: Int32Array) -> Heading | None:
    """The kind of the headings above groups of records; None if there are none.

    >>> page = Page("<h2>A</h2><p>1<p>2<p>3<h2>B</h2><p>4<p>5<p>6")
    >>> heading = find_heading(page, spans := np.array([[k, k + 2] for k in (5, 7, 9, 13, 15, 17)]))
    >>> heading.texts(page, spans)
    ['A', 'A', 'A', 'B', 'B', 'B']
    """
    gaps = int(np.count_nonzero(spans[1:, 0] != spans[:-1, 1])) if len(spans) > 2 else 0
    if not 0 < gaps < min(MAX_SHARE * len(spans), MAX_GROUPS):
        return None
    groups = groups_of(spans)
    kinds: Counter[tuple[str, ...]] = Counter()
    for texts in texts_between(page, [gap for _, _, gap in groups[1:]]):
        lone = len(texts) == 1
        # Each kind once a gap, in the order of the page: of equally many kinds the first one is the headings'.
        kinds.update(
            dict.fromkeys(kind_of(page, node) for node in texts if lone or heading_above(page, node) != NO_NODE).keys()
        )
    for kind, times in kinds.most_common(3):
        if times < FOUND_SHARE * (len(groups) - 1):
            break
        heading = Heading(kind)
        found = {text for text in heading.texts(page, spans) if text is not None}
        if len(found) > 1 and all(len(text) <= LONGEST for text in found):
            return Heading(kind, *shared_words(sorted(found)))
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


def texts_between(page: Page, gaps: list[tuple[int, int]]) -> list[list[int]]:
    """The texts in each of some runs of nodes, which ascend."""
    if not gaps:
        return []
    first = gaps[0][0]
    texts = np.flatnonzero(page.tag[first : gaps[-1][1]] == TEXT) + first
    ends = np.searchsorted(texts, gaps).tolist()
    return [texts[begin:end].tolist() for begin, end in ends]


def heading_above(page: Page, node: int) -> int:
    """The nearest element around a text that is for headings, among the nearest few."""
    for _ in range(LEVELS):
        node = int(page.parent[node])
        if node == NO_NODE:
            break
        if int(page.tag[node]) in HEADING_TAGS:
            return node
    return NO_NODE


def heading_text(page: Page, node: int) -> str:
    """The text of the heading that a text is in, or else the text itself."""
    above = heading_above(page, node)
    return page.text(node if above == NO_NODE else above)


def kind_of(page: Page, node: int) -> tuple[str, ...]:
    """The tags of the elements around a text, the nearest first, up to one that is for headings."""
    found: list[str] = []
    for _ in range(LEVELS):
        node = int(page.parent[node])
        if node == NO_NODE:
            break
        found.append(page.tag_name(node))
        if int(page.tag[node]) in HEADING_TAGS:
            break
    return tuple(found)
