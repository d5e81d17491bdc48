"""The lines of a page, as a reader sees them: texts between which nothing breaks the line, with what they look like.
Counted in the node arrays all at once; what is hidden, or beside the point of the page, is left out."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap.detail.places import beside, outermost
from fastwrap.detail.words import JUNK
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array, joined
from fastwrap.page.names import ATTRIBUTE_NUMBER, INLINE_NAMES, TAG_NUMBER, TAGS, TEXT

MOST_LINES = 20_000
"""Of a page that are looked at."""

DEEPEST = 60
"""Levels around a line that are looked at."""

IS_INLINE = [name in INLINE_NAMES for name in TAGS]
"""By the number of a tag; unknown names are none."""
INLINE = np.array(IS_INLINE, dtype=bool)
ARIA_HIDDEN, CLASS = ATTRIBUTE_NUMBER["aria-hidden"], ATTRIBUTE_NUMBER["class"]
FIRST_HEADING, LINK, BUTTON = (TAG_NUMBER[name] for name in ("h1", "a", "button"))
IS_BOLD = np.zeros(len(TAGS) + 1, dtype=bool)
"""Whether an element is set in bold, by the number of its tag; the last entry is that of unknown names."""
IS_BOLD[[TAG_NUMBER[name] for name in ("b", "strong", "th", "dt")]] = True


LONGEST_JUNK = max(map(len, JUNK))


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
        self.symbols = page.style_symbol
        entries = np.flatnonzero(page.arrays.attribute_name == CLASS)
        nodes = np.searchsorted(page.attribute_start, entries, side="right") - 1
        self.entry: Int32Array = np.full(int(self.symbols.max(initial=0)) + 1, -1, dtype=np.int32)
        """By symbol of class and style: an attribute that has the class names; -1 for none."""
        self.entry[self.symbols[nodes]] = entries
        self.known: dict[int, str] = {0: ""}

    def of_symbol(self, symbol: int) -> str:
        """Those that a symbol of class and style stands for."""
        names = self.known.get(symbol)
        if names is None:
            arrays, entry, names = self.page.arrays, self.entry.item(symbol), ""
            if entry >= 0:
                starts = arrays.value_start
                names = arrays.values[starts.item(entry) : starts.item(entry + 1)].decode("utf-8", "replace")
            self.known[symbol] = names
        return names

    def at(self, node: int) -> str:
        """Those of an element; nothing if it has none."""
        return self.of_symbol(self.symbols.item(node))

    def where(self, says: Callable[[str], bool], nodes: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
        """Those of some elements whose class names say what is asked for.

        >>> page = Page("<p class=a>one<p class=b>two<br class=a>")
        >>> ClassNames(page).where("a".__eq__, np.array([3, 5])).tolist()
        [3]
        """
        symbols = self.symbols[nodes]
        wanted = np.zeros(len(self.entry), dtype=bool)
        wanted[symbols] = True
        wanted &= self.entry >= 0
        there = np.flatnonzero(wanted).tolist()
        wanted[[symbol for symbol in there if not says(self.of_symbol(symbol))]] = False
        found: npt.NDArray[np.intp] = nodes[wanted[symbols]]
        return found


def shown_text(lines: Lines, start: int, end: int) -> str:
    """The text of the nodes from one up to another, without those that are hidden or beside the point."""
    page = lines.page
    texts = [node for node in range(start, end) if lines.tag[node] == TEXT]
    if not any(lines.out[node] for node in texts):
        return page.span_text(start, end)
    buffer, starts = page.arrays.text, page.text_start
    kept = [buffer[starts.item(node) : starts.item(node + 1)] for node in texts if not lines.out[node]]
    return joined(b"".join(kept)).strip()


def covered(page: Page, nodes: npt.NDArray[np.intp], weight: Int32Array | int = 1) -> npt.NDArray[np.int32]:
    """[n] Within how many of some nodes each node stands, or the sum of their weights."""
    change = np.zeros(len(page) + 1, dtype=np.int32)
    change[nodes] = weight
    np.subtract.at(change, nodes + page.size[nodes], weight)
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


def read_aloud(page: Page, unseen: list[int], line: Int32Array, out: npt.NDArray[np.bool_]) -> None:
    """Where a line has words for screen readers, and others that these skip, take the former: "5 minutes", not "5 mins"
    (WAI-ARIA 1.2, aria-hidden)."""
    if not unseen:
        return
    arrays, size = page.arrays, page.size
    entries = np.flatnonzero(arrays.attribute_name == ARIA_HIDDEN)
    skipped: dict[int, list[int]] = {}
    for entry, node in zip(
        entries.tolist(), (np.searchsorted(page.attribute_start, entries, side="right") - 1).tolist(), strict=True
    ):
        is_hidden = arrays.values[arrays.value_start.item(entry) : arrays.value_start.item(entry + 1)] == b"true"
        if is_hidden and not out[node] and size.item(node) > 1:
            skipped.setdefault(line.item(node), []).append(node)
    heard = [node for node in unseen if line.item(node) in skipped and not page.hidden[node]]
    for node in heard:
        out[node : node + size.item(node)] = False
    for number in {line.item(node) for node in heard}:
        for node in outermost(skipped[number], size):
            out[node : node + size.item(node)] = True


def read(page: Page) -> Lines:
    """The lines of a page.

    >>> lines = read(Page("<h1>Oak</h1><p>A <b>tree</b>, tall<br>and old<nav>Home</nav>")).lines
    >>> [(line.text, line.heading) for line in lines]
    [('Oak', 1), ('A tree, tall', 0), ('and old', 0)]
    """
    tag, size = page.tag, page.size
    out, others, named, unseen = beside(page)
    number_of_line = line_starts(page)
    read_aloud(page, unseen, number_of_line, out)
    texts = np.flatnonzero(tag == TEXT)
    starts = page.text_start[texts]
    lengths = page.text_start[texts + 1] - starts - 1
    shown = ~page.hidden[texts]
    in_link = covered(page, np.flatnonzero((tag == LINK) | (tag == BUTTON)))[texts] > 0
    letters, linked = int(lengths[shown].sum()), int(lengths[shown & in_link].sum())
    kept = ~out[texts]
    texts, starts, lengths, in_link = texts[kept], starts[kept], lengths[kept], in_link[kept]
    limits: tuple[str, ...] = ()
    tags, parents, sizes = tag.tolist(), page.parent.tolist(), size.tolist()
    if not len(texts):
        return Lines(page, [], tags, parents, sizes, out, others, named, letters, linked, limits)
    number = number_of_line[texts]
    first = np.flatnonzero(np.diff(number, prepend=-1))
    if len(first) > MOST_LINES:
        last_text = int(first[MOST_LINES])
        first, texts, starts = first[:MOST_LINES], texts[:last_text], starts[:last_text]
        lengths, in_link = lengths[:last_text], in_link[:last_text]
        limits = ("detail.lines",)
    last = np.append(first[1:], len(texts)) - 1
    bold = covered(page, np.flatnonzero(IS_BOLD[np.minimum(tag, len(TAGS))]))[texts] > 0
    headings = np.flatnonzero((tag >= FIRST_HEADING) & (tag < FIRST_HEADING + 6))
    # Headings do not stand in each other; where they do, what is deeper counts.
    levels = np.minimum(covered(page, headings, tag[headings] - FIRST_HEADING + 1)[texts], 6)
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
    # No character has none in small letters: what is longer than all junk is none.
    is_kept = [len(wording) > LONGEST_JUNK or wording.lower() not in JUNK for wording in wordings]
    parts: tuple[list[Any], ...] = (
        texts[first].tolist(),
        (texts[last] + 1).tolist(),
        wordings,
        levels[first].tolist(),
        (np.add.reduceat(np.where(in_link, lengths, 0), first) / total).tolist(),
        (np.add.reduceat(np.where(bold, lengths, 0), first) / total).tolist(),
    )
    if not all(is_kept):
        parts = tuple(list(itertools.compress(part, is_kept)) for part in parts)
    lines = list(map(Line._make, zip(range(sum(is_kept)), *parts, strict=True)))
    return Lines(page, lines, tags, parents, sizes, out, others, named, letters, linked, limits)
