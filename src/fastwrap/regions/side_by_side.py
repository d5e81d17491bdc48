"""Two pages of one template as one tree, so that what compares the nodes of a page compares those of both.
An item of a list that one page has many of is then found on the other, which may have one of it alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastwrap._core.similarity import matching
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE, TAG_NUMBER
from fastwrap.page.page import restore

MOST_PLACES = 20_000
"""Children that are looked at where a list of the other page may have an item, for all lists together."""

ABOVE = 2
"""Nodes before those of the first page: html and body."""

NONE = np.zeros(1, dtype=np.int32)


class Pair(NamedTuple):
    """Two pages in one tree: below its body the body of each. It has their nodes, without texts and attributes."""

    tree: Page
    pages: tuple[Page, Page]
    second: int
    """The first node of the second page."""

    @classmethod
    def of(cls, one: Page, other: Page) -> Pair:
        """Put two pages side by side.

        >>> pair = Pair.of(Page("<p>a"), Page("<p>b<p>c"))
        >>> [pair.tree.tag_name(node) for node in range(len(pair.tree))]
        ['html', 'body', 'div', 'p', '#text', 'div', 'p', '#text', 'p', '#text']
        >>> pair.second
        5
        """
        bodies = [(page, page.body, page.body + int(page.size[page.body])) for page in (one, other)]
        tag = [np.array([TAG_NUMBER["html"], TAG_NUMBER["body"]], dtype=np.int32)]
        parent = [np.array([NO_NODE, 0], dtype=np.int32)]
        depth = [np.array([0, 1], dtype=np.int32)]
        size = [np.empty(0, dtype=np.int32)]
        first = [ABOVE]
        for page, start, end in bodies:
            at = first[-1]
            tag.append(np.append(np.int32(TAG_NUMBER["div"]), page.tag[start + 1 : end]))
            parent.append(np.append(np.int32(1), page.parent[start + 1 : end] + np.int32(at - start)))
            depth.append(page.depth[start:end] + np.int32(2 - page.depth[start]))
            size.append(page.size[start:end])
            first.append(at + end - start)
        sizes = np.concatenate([np.array([first[-1], first[-1] - 1], dtype=np.int32), *size])
        nothing = np.zeros(first[-1] + 1, dtype=np.int32)
        arrays = (
            np.concatenate(tag), np.concatenate(parent), sizes, np.concatenate(depth), nothing, nothing.copy(),
            NONE[:0].copy(), NONE.copy(), b"", b"", NONE.copy(), NONE.copy(),
        )  # fmt: skip
        names = one.custom_names | other.custom_names
        return cls(restore(arrays, names, None, "utf-8", None, None), (one, other), first[1])

    def own(self, spans: Int32Array) -> list[Int32Array]:
        """Spans of the tree as those of each page."""
        is_second = spans[:, 0] >= self.second
        shifts = (self.pages[0].body - ABOVE, self.pages[1].body - self.second)
        return [spans[is_second == which] + np.int32(shifts[which]) for which in (0, 1)]

    def alike(self, spans: Int32Array, threshold: float, budget: Budget) -> tuple[Int32Array, list[float]]:
        """What is alike to an item of a list of one page on the other page: [k, 2], in order, and how alike each is.
        `spans` are the items of the list, all on one page."""
        tree = self.tree
        start, end = spans[np.argmax(spans[:, 1] - spans[:, 0])].tolist()
        tags = tree.tag[tops_of(tree, start, end)].tolist()
        there = range(ABOVE, self.second) if start >= self.second else range(self.second, len(tree))
        same_path = tree.path_symbol[there.start : there.stop] == tree.path_symbol[tree.parent[start]]
        places: list[tuple[int, int]] = []
        for parent in (np.flatnonzero(same_path) + there.start).tolist():
            children = list(tree.children(parent))
            budget.places -= len(children)
            if budget.places < 0:
                return NO_SPANS, []
            children_tags = tree.tag[children].tolist()
            for k in range(len(children) - len(tags) + 1):
                if children_tags[k : k + len(tags)] == tags:
                    last = children[k + len(tags) - 1]
                    places.append((children[k], last + int(tree.size[last])))
        if not places:
            return NO_SPANS, []
        pairs = np.array([(*place, start, end) for place in places], dtype=np.int32)
        scores = matching.scores(tree.native, pairs, budget.cells)
        budget.met = budget.met or bool((scores == matching.UNKNOWN).any())
        larger = np.maximum(np.diff(pairs[:, :2]).ravel(), end - start)
        chosen: list[tuple[int, int]] = []
        likeness: list[float] = []
        for place, share in zip(places, (scores / larger).tolist(), strict=True):
            if share > threshold and (not chosen or place[0] >= chosen[-1][1]):
                chosen.append(place)
                likeness.append(share)
        return np.array(chosen, dtype=np.int32).reshape(-1, 2), likeness


class Budget:
    """What looking for items on the other page may take."""

    def __init__(self, cells: int) -> None:
        self.cells = cells
        """Of the tables that one list needs."""
        self.places = MOST_PLACES
        """Children that may still be looked at."""
        self.met = False

    @property
    def limits(self) -> tuple[str, ...]:
        """ "regions.folding" if one was met."""
        return ("regions.folding",) if self.met or self.places < 0 else ()


def tops_of(page: Page, start: int, end: int) -> list[int]:
    """The siblings that a span is made of."""
    tops = [start]
    while (after := tops[-1] + int(page.size[tops[-1]])) < end:
        tops.append(after)
    return tops


NO_SPANS = np.empty((0, 2), dtype=np.int32)
