"""The lines of a page, as a reader sees them: texts between which nothing breaks the line, with what they look like.
Counted in the node arrays all at once; what is hidden, or beside the point of the page, is left out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap.detail.places import beside
from fastwrap.detail.words import JUNK
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array, joined
from fastwrap.page.names import FORMATTING, TAG_NUMBER, TAGS, TEXT

MOST_LINES = 20_000
"""Of a page that are looked at."""

DEEPEST = 60
"""Levels around a line that are looked at."""

INLINE_NAMES = FORMATTING | frozenset(
    """
    #text span a font label time data del ins s strike q img picture source svg path g use input output ruby rt rb rp
    audio video canvas object embed track map area meter progress noscript script style template blink basefont
    """.split()
)
"""Elements within a line; every other one begins a line, and ends it."""
INLINE = np.array([name in INLINE_NAMES for name in TAGS], dtype=bool)
HEADINGS = tuple(TAG_NUMBER[f"h{level}"] for level in range(1, 7))
BOLD = tuple(TAG_NUMBER[name] for name in ("b", "strong", "th", "dt"))
LINKS = (TAG_NUMBER["a"], TAG_NUMBER["button"])


class Line(NamedTuple):
    """One line of a page."""

    number: int
    """Which of the lines it is."""
    first: int
    """Its first text."""
    end: int
    """The node after its last one."""
    text: str
    heading: int
    """The level of the heading that it is in; 0 for none."""
    linked: float
    """How much of it is in links or buttons, from 0 to 1."""
    bold: float
    """How much of it is set in bold."""


class Lines(NamedTuple):
    """The lines of a page that may tell something about the thing that it is about."""

    page: Page
    lines: list[Line]
    tag: list[int]
    parent: list[int]
    size: list[int]
    out: npt.NDArray[np.bool_]
    """[n] Whether a node is hidden or beside the point."""
    others: npt.NDArray[np.bool_]
    """[n] Whether it is within something that is about other things."""
    named: list[tuple[str, int]]
    """The elements that are named for what they have, with that."""
    letters: int
    """Bytes of all texts of the page that are not hidden."""
    linked: int
    """Of these, the bytes in links."""
    limits: tuple[str, ...]


class ClassNames:
    """The class names of elements, looked up once for all elements that have the same."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.symbols: list[int] = page.style_symbol.tolist()
        self.known: dict[int, str] = {0: ""}

    def at(self, node: int) -> str:
        """Those of an element; nothing if it has none."""
        symbol = self.symbols[node]
        names = self.known.get(symbol)
        if names is None:
            names = self.known[symbol] = self.page.attributes(node).get("class", "")
        return names


def shown_text(lines: Lines, start: int, end: int) -> str:
    """The text of the nodes from one up to another, without those that are hidden or beside the point."""
    page = lines.page
    texts = [node for node in range(start, end) if lines.tag[node] == TEXT]
    if not any(lines.out[node] for node in texts):
        return page.span_text(start, end)
    buffer, starts = page.arrays.text, page.text_start
    kept = [buffer[starts.item(node) : starts.item(node + 1)] for node in texts if not lines.out[node]]
    return joined(b"".join(kept)).strip()


def covered(page: Page, nodes: npt.NDArray[np.intp]) -> npt.NDArray[np.int32]:
    """[n] Within how many of some nodes each node stands."""
    change = np.zeros(len(page) + 1, dtype=np.int32)
    np.add.at(change, nodes, 1)
    np.add.at(change, nodes + page.size[nodes], -1)
    counted: npt.NDArray[np.int32] = np.cumsum(change[:-1], dtype=np.int32)
    return counted


def line_starts(page: Page) -> Int32Array:
    """[n] How many lines may have begun before each node: texts with the same number are in one line."""
    tag = page.tag
    breaks = np.flatnonzero(~INLINE[np.minimum(tag, len(TAGS) - 1)] | (tag >= len(TAGS)))
    change = np.zeros(len(page) + 1, dtype=np.int32)
    change[breaks] = 1
    change[breaks + page.size[breaks]] = 1
    counted: Int32Array = np.cumsum(change[:-1], dtype=np.int32)
    return counted


def read(page: Page) -> Lines:
    """The lines of a page.

    >>> lines = read(Page("<h1>Oak</h1><p>A <b>tree</b>, tall<br>and old<nav>Home</nav>")).lines
    >>> [(line.text, line.heading) for line in lines]
    [('Oak', 1), ('A tree, tall', 0), ('and old', 0)]
    """
    tag, size = page.tag, page.size
    out, others, named = beside(page)
    texts = np.flatnonzero(tag == TEXT)
    starts = page.text_start[texts]
    lengths = page.text_start[texts + 1] - starts - 1
    shown = ~page.hidden[texts]
    in_link = covered(page, np.flatnonzero(np.isin(tag, LINKS)))[texts] > 0
    letters, linked = int(lengths[shown].sum()), int(lengths[shown & in_link].sum())
    kept = ~out[texts]
    texts, starts, lengths, in_link = texts[kept], starts[kept], lengths[kept], in_link[kept]
    limits: tuple[str, ...] = ()
    tags, parents, sizes = tag.tolist(), page.parent.tolist(), size.tolist()
    if not len(texts):
        return Lines(page, [], tags, parents, sizes, out, others, named, letters, linked, limits)
    number = line_starts(page)[texts]
    first = np.flatnonzero(np.diff(number, prepend=-1))
    if len(first) > MOST_LINES:
        last_text = int(first[MOST_LINES])
        first, texts, starts = first[:MOST_LINES], texts[:last_text], starts[:last_text]
        lengths, in_link = lengths[:last_text], in_link[:last_text]
        limits = ("detail.lines",)
    last = np.append(first[1:], len(texts)) - 1
    bold = covered(page, np.flatnonzero(np.isin(tag, BOLD)))[texts] > 0
    levels = np.zeros(len(texts), dtype=np.int32)
    for level, heading in enumerate(HEADINGS, 1):
        nodes = np.flatnonzero(tag == heading)
        if len(nodes):
            levels[covered(page, nodes)[texts] > 0] = level
    total = np.maximum(np.add.reduceat(lengths, first), 1)
    buffer = page.arrays.text
    whole = np.flatnonzero(tag == TEXT)
    skipped = np.searchsorted(whole, texts[last]) - np.searchsorted(whole, texts[first]) != last - first
    text_ends = (starts[last] + lengths[last]).tolist()
    wordings = [joined(buffer[start:end]) for start, end in zip(starts[first].tolist(), text_ends, strict=True)]
    for place in np.flatnonzero(skipped).tolist():
        part = slice(int(first[place]), int(last[place]) + 1)
        pieces = zip(starts[part].tolist(), (starts[part] + lengths[part] + 1).tolist(), strict=True)
        wordings[place] = joined(b"".join(buffer[start:end] for start, end in pieces)).strip()
    lines = [
        Line(place, *line)
        for place, line in enumerate(
            line for line in zip(
                texts[first].tolist(),
                (texts[last] + 1).tolist(),
                wordings,
                levels[first].tolist(),
                (np.add.reduceat(np.where(in_link, lengths, 0), first) / total).tolist(),
                (np.add.reduceat(np.where(bold, lengths, 0), first) / total).tolist(),
                strict=True,
            )
            if line[2].lower() not in JUNK
        )
    ]
    return Lines(page, lines, tags, parents, sizes, out, others, named, letters, linked, limits)
