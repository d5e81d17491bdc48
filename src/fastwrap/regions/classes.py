"""The method `classes`: records start where a frequent structural class comes again (Ribeiro & Miranda 2011).
Classes (Valiente 2001) are exact and ignore leaves: records have the same elements, whatever their texts.

What differs from Ribeiro & Miranda is in docs/methods.md: the children of one element are read at a time, so that a
record is a run of siblings; and there are several lists.
"""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np

from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.regions import FoundRegion, Search, disjoint


def find(page: Page, *, classes: int = 10, min_size: int = 3, decay: float = 0.1) -> Search:
    """The lists of a page, those with the most text first.

    `classes` is how many may be chosen, `min_size` the nodes of the smallest subtree, leaves counted, and `decay` the
    part of the frequency before it below which a class and those after it are not frequent. No limit is ever met: every
    step is linear.

    >>> page = Page("<h1>Found</h1><dl>" + "<dt><b>name</b><dd><i>price</i> <a>more</a>" * 9 + "</dl>")
    >>> [region] = find(page).regions
    >>> len(region.records), page.span_text(*region.records[0])
    (9, 'name price more')
    """
    first, end = page.body + 1, page.body + int(page.size[page.body])
    nodes = np.flatnonzero(page.size[first:end] >= min_size) + first
    labels = page.leafless_class[nodes]
    frequent = most_frequent(labels.tolist(), classes, decay)
    if not frequent:
        return Search([], ())
    is_frequent = np.zeros(int(labels.max()) + 1, dtype=np.bool_)
    is_frequent[list(frequent)] = True
    kept = is_frequent[labels]
    children = chosen_children(page, nodes[kept].tolist(), labels[kept].tolist())
    return Search(disjoint(read_lists(page, children, frequent), len(page)), ())


def most_frequent(labels: list[int], classes: int, decay: float) -> dict[int, int]:
    """The most frequent classes with their frequencies, those of one frequency in order of appearance.

    >>> most_frequent([1] * 30 + [2] * 20 + [3, 4] * 2 + [5], classes=3, decay=0.1)
    {1: 30, 2: 20, 3: 2}
    >>> most_frequent([1] * 30 + [3, 3], classes=3, decay=0.1)
    {1: 30}
    """
    chosen: dict[int, int] = {}
    before = 0
    for label, frequency in Counter(labels).most_common(classes):
        if frequency < max(2, decay * before):
            break
        chosen[label] = before = frequency
    return chosen


def chosen_children(page: Page, nodes: list[int], labels: list[int]) -> dict[int, list[tuple[int, int]]]:
    """By parent, the nodes (with their classes) of classes that occur in no other chosen one."""
    sizes, parents = page.size[nodes].tolist(), page.parent[nodes].tolist()
    nested = set()
    end = 0
    for node, label, size in zip(nodes, labels, sizes, strict=True):
        if node < end:
            nested.add(label)
        else:
            end = node + size
    children: dict[int, list[tuple[int, int]]] = {}
    for node, label, parent in zip(nodes, labels, parents, strict=True):
        if label not in nested:
            children.setdefault(parent, []).append((node, label))
    return children


def read_lists(page: Page, children: dict[int, list[tuple[int, int]]], frequent: dict[int, int]) -> list[FoundRegion]:
    """The chosen children of each element read one after the other, elements of the same kind together."""
    regions = []
    while children:
        # Elements are of one kind when their tag paths and the classes of their first chosen children are equal.
        kinds: dict[tuple[int, int], list[int]] = {}
        for parent, chosen in children.items():
            kinds.setdefault((int(page.path_symbol[parent]), chosen[0][1]), []).append(parent)
        again: dict[int, list[tuple[int, int]]] = {}
        for (_, first_class), parents in kinds.items():
            siblings = [children[parent] for parent in parents]
            spans = read_records(page, siblings, first_class)
            if len(spans) > 1:
                text = float((page.text_start[spans[:, 1]] - page.text_start[spans[:, 0]]).sum())
                regions.append(FoundRegion(spans, text, {"text": text, "frequency": float(frequent[first_class])}))
            elif len(siblings[0]) > 1:
                again[parents[0]] = siblings[0][1:]
        children = again
    return regions


def read_records(page: Page, lists: list[list[tuple[int, int]]], first_class: int) -> Int32Array:
    """[k, 2] The records of lists of chosen siblings: each starts at a node of the first class."""
    records: list[list[int]] = []  # the first node of each and the last of its chosen ones
    for node, label in itertools.chain.from_iterable(lists):
        if label == first_class:
            records.append([node, node])
        else:
            records[-1][1] = node
    spans = np.array(records, dtype=np.int32)
    spans[:, 1] += page.size[spans[:, 1]]
    return spans
