"""Random trees for the tests: nested tuples, and the node arrays that stand for them.
The arrays are made by recursion and a dictionary of tuples, so that they are right at sight."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

Tree: TypeAlias = "tuple[int, tuple[Tree, ...]]"
"""A node: its tag and its children. Tag 0 is a text node and has no children."""

TEXT = 0
NO_NODE = -1


@dataclass(frozen=True)
class Arrays:
    """The node arrays of one page, or of several one after the other, in preorder."""

    tag: npt.NDArray[np.int32]
    parent: npt.NDArray[np.int32]
    size: npt.NDArray[np.int32]
    depth: npt.NDArray[np.int32]
    class_id: npt.NDArray[np.int32]


def arrays_from_forest(forest: Iterable[Tree]) -> Arrays:
    """Arrays of several trees one after the other; each root has no parent and depth 0."""
    tag: list[int] = []
    parent: list[int] = []
    size: list[int] = []
    depth: list[int] = []
    class_id: list[int] = []
    classes: dict[Tree, int] = {}

    def visit(tree: Tree, above: int, level: int) -> None:
        node = len(tag)
        tag.append(tree[0])
        parent.append(above)
        size.append(0)
        depth.append(level)
        class_id.append(classes.setdefault(tree, len(classes)))
        for child in tree[1]:
            visit(child, node, level + 1)
        size[node] = len(tag) - node

    for tree in forest:
        visit(tree, NO_NODE, 0)
    return Arrays(*(np.array(values, dtype=np.int32) for values in (tag, parent, size, depth, class_id)))


def arrays_from_tuple(tree: Tree) -> Arrays:
    """Arrays of one tree: the subtree of node i is the slice [i, i + size[i])."""
    return arrays_from_forest((tree,))


def tuples_from_span(arrays: Arrays, start: int, end: int) -> tuple[Tree, ...]:
    """The run of sibling subtrees that fills [start, end), as nested tuples again."""
    run: list[Tree] = []
    while start < end:
        after = start + int(arrays.size[start])
        run.append((int(arrays.tag[start]), tuples_from_span(arrays, start + 1, after)))
        start = after
    return tuple(run)


@cache
def _branches(max_leaves: int, tags: int) -> st.SearchStrategy[list[tuple[int, tuple[int, ...]]]]:
    """How each leaf follows the one before it: levels to climb, then a leaf, or an element with a leaf."""
    leaves = range(TEXT, tags + 1)
    chains = [(leaf,) for leaf in leaves] + [(label, leaf) for label in range(1, tags + 1) for leaf in leaves]
    branch = st.sampled_from([(climb, chain) for chain in chains for climb in (1, 2, 3)])
    return st.lists(branch, max_size=max_leaves)


@st.composite
def trees(draw: st.DrawFn, max_leaves: int = 12, tags: int = 3) -> Tree:
    """Trees over TEXT and the element tags 1..tags; few tags, so that equal nodes are frequent.

    They are drawn as a flat list of branches, because hypothesis is much faster at it than at nesting.
    """
    branches = draw(_branches(max_leaves, tags))
    if not branches:
        return (draw(st.integers(TEXT, tags)), ())
    root: _Node = (draw(st.integers(1, tags)), [])
    path = [root, root]  # the second stands for a leaf before the first one, to climb from
    for climb, chain in branches:
        del path[max(1, len(path) - climb) :]
        for label in chain:
            node: _Node = (label, [])
            path[-1][1].append(node)
            path.append(node)
    return _frozen(root)


_Node: TypeAlias = "tuple[int, list[_Node]]"


def _frozen(node: _Node) -> Tree:
    return (node[0], tuple(_frozen(child) for child in node[1]))


@st.composite
def record_pages(draw: st.DrawFn, max_records: int = 12, max_leaves: int = 8, tags: int = 4) -> Tree:
    """A list-like page: a root, whatever comes before and after, and one list of similar records.

    Every record is the same template in which one child was left out, repeated or replaced, or none.
    """
    label, children = draw(trees(max_leaves, tags))
    label = max(label, 1)
    variants: list[Tree] = [(label, children)]
    for position in draw(st.lists(st.integers(0, max_leaves), max_size=3)):
        child = children[position : position + 1]
        middle = draw(st.sampled_from([(), child + child, (draw(trees(2, tags)),)]))
        variants.append((label, children[:position] + middle + children[position + 1 :]))
    records = draw(st.lists(st.sampled_from(variants), min_size=2, max_size=max_records))
    noise = st.lists(trees(3, tags), max_size=2)
    listing: Tree = (draw(st.integers(1, tags)), tuple(records))
    return (draw(st.integers(1, tags)), (*draw(noise), listing, *draw(noise)))
