"""Headings above groups of records in plain Python: the oracle of `fastwrap._core.columns.headings`."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE, TEXT

LEVELS = 4
"""Tags of a kind, at most."""

MOST_KINDS = 3


class Group(NamedTuple):
    """A run of records with nothing between them."""

    first: int
    last: int
    """The record after its last one."""
    gap: tuple[int, int]
    """The nodes before it, the last of them after the group before it."""


class Above(NamedTuple):
    """What the kinds of texts are read from."""

    tag: list[int]
    parent: list[int]
    is_heading: bytes

    def is_for_headings(self, tag: int) -> bool:
        """Whether elements of a tag are headings."""
        return 0 <= tag < len(self.is_heading) and self.is_heading[tag] != 0

    def kind_of(self, node: int) -> tuple[int, ...]:
        """The tags of the elements around a text, the nearest first, up to one that is for headings."""
        found: list[int] = []
        while len(found) < LEVELS and (above := self.parent[node]) != NO_NODE:
            node = above
            found.append(self.tag[node])
            if self.is_for_headings(found[-1]):
                break
        return tuple(found)


def groups_of(spans: Int32Array, max_gap: int) -> list[Group]:
    """The groups of records."""
    if not len(spans):
        return []
    start, end = spans.T.tolist()
    firsts = [0, *(first for first in range(1, len(start)) if start[first] != end[first - 1])]
    return [
        Group(first, last, (max(end[first - 1] if first else 0, start[first] - max_gap), start[first]))
        for first, last in zip(firsts, [*firsts[1:], len(start)], strict=True)
    ]


def texts_between(tag: Int32Array, groups: list[Group]) -> list[list[int]]:
    """The texts in the gap before each group."""
    texts = np.flatnonzero(tag == TEXT)
    ends = np.searchsorted(texts, [group.gap for group in groups]).tolist() if groups else []
    nodes = texts.tolist()
    return [nodes[begin:end] for begin, end in ends]


def check(native: NativePage, spans: Int32Array, max_gap: int) -> None:
    """Refuse records that are not within the page."""
    nodes = len(native.node_arrays.tag)
    if spans.ndim != 2 or spans.shape[1] != 2:
        raise ValueError("a span is a first node and the one after the last")
    if ((spans[:, 0] < 0) | (spans[:, 0] >= spans[:, 1]) | (spans[:, 1] > nodes)).any():
        raise ValueError(f"a span is not within the {nodes} nodes of the page")
    if max_gap < 0:
        raise ValueError("a gap has no nodes or more")


def kinds(
    native: NativePage, spans: Int32Array, is_heading: bytes, max_gap: int, max_share: float, max_groups: int
) -> tuple[int, list[tuple[tuple[int, ...], int]]]:
    """The number of groups, and the three most frequent kinds of texts between them, with the gaps that have each."""
    check(native, spans, max_gap)
    groups = groups_of(spans, max_gap)
    if len(spans) < 3 or not 0 < len(groups) - 1 < min(max_share * len(spans), max_groups):
        return len(groups), []
    above = Above(native.node_arrays.tag.tolist(), native.node_arrays.parent.tolist(), is_heading)
    counted: Counter[tuple[int, ...]] = Counter()
    for own in texts_between(native.node_arrays.tag, groups)[1:]:
        # Each kind once a gap, in the order of the page: of equally many kinds the first one is the headings'.
        found = dict.fromkeys(above.kind_of(node) for node in own)
        counted.update(kind for kind in found if kind and (len(own) == 1 or above.is_for_headings(kind[-1])))
    return len(groups), counted.most_common(MOST_KINDS)


def nodes(native: NativePage, spans: Int32Array, is_heading: bytes, max_gap: int, kind: tuple[int, ...]) -> list[int]:
    """For each record the last text of a kind in the gap before its group, or else before the groups above it."""
    check(native, spans, max_gap)
    if not 0 < len(kind) <= LEVELS:
        raise ValueError(f"a kind has 1 to {LEVELS} tags")
    above = Above(native.node_arrays.tag.tolist(), native.node_arrays.parent.tolist(), is_heading)
    groups = groups_of(spans, max_gap)
    found: list[int] = []
    current = NO_NODE
    for group, own in zip(groups, texts_between(native.node_arrays.tag, groups), strict=True):
        current = next((node for node in reversed(own) if above.kind_of(node) == kind), current)
        found += [current] * (group.last - group.first)
    return found
