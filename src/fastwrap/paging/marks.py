"""How links are marked: by their labels, rel, the names of elements in and around them; as points.
A label on many different links is part of every record, and says nothing."""

from __future__ import annotations

from itertools import islice

from fastwrap.page import Page
from fastwrap.page.names import TEXT
from fastwrap.paging.labels import LABEL, MARK, NEVER, PREVIOUS, WEAK, parts, saying, words_of
from fastwrap.paging.scanning import LINK_ELEMENT, MARKED, MAX_MORE, POINTING
from fastwrap.paging.words import (
    DISABLED_PARTS,
    ITEM_PARTS,
    NEXT_PARTS,
    PAGER_PARTS,
    POINTING_PARTS,
    PREVIOUS_PARTS,
    TRAP_PARTS,
)

PAGER = 1
TRAP = -6

MAX_WITHIN = 8
"""Nodes of a link that are looked into."""
MAX_LINKS = 128
"""Links that have labels or marks: the first and last ones."""
READ_MORE = 3
"""A label on more different links than this is part of every record."""


def names_around(page: Page, node: int, levels: int, most: int) -> list[str]:
    """Classes and ids of the elements around a link, so many levels up or up to one of more than `most` nodes."""
    names = []
    for above in islice(page.ancestors(node), levels):
        if page.size[above] > most:
            break
        attributes = page.attributes(above)
        names += [attributes.get("class", ""), attributes.get("id", "")]
    return names


def is_right_to_left(page: Page, node: int) -> bool:
    """Whether a node is in what is written from right to left, where to the right is back."""
    directions = (page.attributes(above).get("dir", "").lower() for above in page.ancestors(node))
    return next(filter(None, directions), "ltr") == "rtl"


def label(page: Page, node: int) -> int:
    """Points of a link's label and marks; PREVIOUS where they say so, NEVER where the link is disabled."""
    attributes = page.attributes(node)
    rel = attributes.get("rel", "").lower().split()
    title = attributes.get("title", "").strip()
    if "prev" in rel or "previous" in rel:
        return PREVIOUS
    if attributes.get("aria-disabled") == "true":
        return NEVER
    if page.tag[node] == LINK_ELEMENT:
        # With a title that is no label it leads to the next article, whose title this is.
        return 0 if "next" not in rel else LABEL if not title or saying(title) > 0 else WEAK
    text = page.text(node)
    labels = [text, title, attributes.get("alt", ""), attributes.get("aria-label", "")]
    names = [attributes.get("class", ""), attributes.get("id", "")]
    size = int(page.size[node])
    for below in range(node + 1, node + size if size <= MAX_WITHIN else 0):
        if page.tag[below] != TEXT:
            inner = page.attributes(below)
            labels += [inner.get("alt", ""), inner.get("title", ""), inner.get("aria-label", "")]
            names += [inner.get("class", ""), inner.get("src", "").rpartition("/")[2]]
            names += [inner.get("href", ""), inner.get("xlink:href", "")]  # of a picture drawn elsewhere
    names += names_around(page, node, 2, size + MAX_MORE)
    says = max(map(saying, labels), key=lambda points: (abs(points), -points))
    if says < 0:
        return PREVIOUS if says == PREVIOUS else 0
    named = parts(names)
    if not DISABLED_PARTS.isdisjoint(named):
        return NEVER
    is_next, is_previous = not NEXT_PARTS.isdisjoint(named), not PREVIOUS_PARTS.isdisjoint(named)
    if is_previous and not is_next:
        return PREVIOUS
    points = [
        says,
        LABEL if "next" in rel else 0,
        MARK if is_next and not is_previous else 0,
        WEAK if not text and not POINTING_PARTS.isdisjoint(named) and not is_right_to_left(page, node) else 0,
    ]
    agreeing = sum(point > 0 for point in points)
    best = min(LABEL, max(points) + agreeing - 1) if agreeing else 0
    # A link of many words is the title of something, of the next article, say; whatever is told to those who listen.
    seen, spoken = saying(text), words_of(text)
    if seen <= WEAK and len(spoken) > 1:
        best = min(best, WEAK if seen <= 0 and len(spoken) > 2 else MARK)
    return best if ITEM_PARTS.isdisjoint(named) else min(best, WEAK)


def surroundings(page: Page, node: int) -> int:
    """Points for what the elements around a link are called."""
    named = parts(names_around(page, node, 5, len(page)))
    return (0 if TRAP_PARTS.isdisjoint(named) else TRAP) + (0 if PAGER_PARTS.isdisjoint(named) else PAGER)


def labelled(page: Page, scanned: list[list[int]]) -> tuple[list[tuple[str, int, int]], tuple[str, ...]]:
    """The links whose label speaks for them: address as it stands, node, and points; and the limits met."""
    # Icons that point to the right say little: they count where nothing else is said, and where they are few.
    candidates = [link for link in scanned if link[1] != POINTING] or (scanned if len(scanned) <= READ_MORE else [])
    limits: tuple[str, ...] = ()
    if len(candidates) > MAX_LINKS:
        limits = ("paging.labels",)
        candidates = candidates[: MAX_LINKS // 2] + candidates[-MAX_LINKS // 2 :]
    by_text: dict[str, dict[str, int]] = {}
    for node, kinds in candidates:
        text = page.text(node)
        # What starts like a label need not be one.
        if kinds & MARKED or not text or saying(text) > 0:
            same = by_text.setdefault(text.lower() or str(node), {})
            same.setdefault(page.attributes(node).get("href", ""), node)
    speaking = [
        (href, node, points)
        for same in by_text.values()
        if len(same) <= READ_MORE
        for href, node in same.items()
        if (points := label(page, node)) > 0
    ]
    return speaking, limits
