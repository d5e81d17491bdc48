"""How links are marked: by their labels, rel, the names of elements in and around them; as points.
A label on many different links is part of every record, and says nothing."""

from __future__ import annotations

from fastwrap.page.names import NO_NODE, TEXT
from fastwrap.paging.labels import LABEL, MARK, PREVIOUS, WEAK, parts, saying, words_of
from fastwrap.paging.links import Links
from fastwrap.paging.scanning import (
    ALT,
    ARIA_LABEL,
    CLASS,
    HREF,
    ID,
    LINK_ELEMENT,
    MARKED,
    MAX_MORE,
    POINTING,
    REL,
    SRC,
    TITLE,
)
from fastwrap.paging.words import DISABLED_PARTS, NEXT_PARTS, PAGER_PARTS, PREVIOUS_PARTS, TRAP_PARTS

NEVER = -100
PAGER = 1
TRAP = -6

MAX_WITHIN = 8
"""Nodes of a link that are looked into."""
MAX_LINKS = 128
"""Links that have labels or marks: the first and last ones."""
READ_MORE = 3
"""A label on more different links than this is part of every record."""


def label(links: Links, node: int, attributes: dict[int, bytes]) -> int:
    """Points of a link's label and marks; PREVIOUS where they say so, NEVER where the link is disabled."""
    page = links.page
    rel = attributes.get(REL, b"").lower().split()
    title = attributes.get(TITLE, b"").decode("utf-8", "replace").strip()
    if b"prev" in rel or b"previous" in rel:
        return PREVIOUS
    if page.tag[node] == LINK_ELEMENT:
        # With a title that is no label it leads to the next article, whose title this is.
        return 0 if b"next" not in rel else LABEL if not title or saying(title) > 0 else WEAK
    text = page.text(node)
    labels = [text, title]
    labels += [attributes[name].decode("utf-8", "replace") for name in (ALT, ARIA_LABEL) if name in attributes]
    names = [attributes.get(CLASS, b""), attributes.get(ID, b"")]
    size = int(page.size[node])
    for below in range(node + 1, node + size if size <= MAX_WITHIN else 0):
        if page.tag[below] != TEXT:
            inner = links.attributes(below)
            labels += [inner[name].decode("utf-8", "replace") for name in (ALT, TITLE) if name in inner]
            names += [inner.get(CLASS, b""), inner.get(SRC, b"").rpartition(b"/")[2]]
    up = int(page.parent[node])
    for _ in range(2):
        if up == NO_NODE or page.size[up] > size + MAX_MORE:
            break
        outer = links.attributes(up)
        names += [outer.get(CLASS, b""), outer.get(ID, b"")]
        up = int(page.parent[up])
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
        LABEL if b"next" in rel else 0,
        MARK if is_next and not is_previous else 0,
        WEAK if not text and "right" in named else 0,
    ]
    agreeing = sum(point > 0 for point in points)
    best = min(LABEL, max(points) + agreeing - 1) if agreeing else 0
    # A link of many words is the title of something: of the next article, say.
    return min(best, WEAK) if says == 0 and len(words_of(text)) > 2 else best


def surroundings(links: Links, node: int) -> int:
    """Points for what the elements around a link are called."""
    names = []
    up = int(links.page.parent[node])
    for _ in range(5):
        if up == NO_NODE:
            break
        attributes = links.attributes(up)
        names += [attributes.get(CLASS, b""), attributes.get(ID, b"")]
        up = int(links.page.parent[up])
    named = parts(names)
    return (0 if TRAP_PARTS.isdisjoint(named) else TRAP) + (0 if PAGER_PARTS.isdisjoint(named) else PAGER)


def labelled(links: Links, scanned: list[list[int]]) -> tuple[list[tuple[bytes, int, int]], tuple[str, ...]]:
    """The links whose label speaks for them: address as it stands, node, and points; and the limits met."""
    # Icons that point to the right say little: they count where nothing else is said, and where they are few.
    candidates = [link for link in scanned if link[1] != POINTING] or (scanned if len(scanned) <= READ_MORE else [])
    limits: tuple[str, ...] = ()
    if len(candidates) > MAX_LINKS:
        limits = ("paging.labels",)
        candidates = candidates[: MAX_LINKS // 2] + candidates[-MAX_LINKS // 2 :]
    by_text: dict[str, dict[bytes, tuple[int, dict[int, bytes]]]] = {}
    for node, kinds in candidates:
        text = links.page.text(node)
        # What starts like a label need not be one.
        if kinds & MARKED or not text or saying(text) > 0:
            attributes = links.attributes(node)
            same = by_text.setdefault(text.lower() or str(node), {})
            same.setdefault(attributes.get(HREF, b""), (node, attributes))
    speaking = [
        (href, node, points)
        for same in by_text.values()
        if len(same) <= READ_MORE
        for href, (node, attributes) in same.items()
        if (points := label(links, node, attributes)) > 0
    ]
    return speaking, limits
