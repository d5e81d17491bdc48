"""Symbols and classes by comparing what they stand for: strings of paths, and whole trees.
The twins of `fastwrap._core.page.symbols`."""

from __future__ import annotations

import re
from typing import Any

from fastwrap import Page

Tree = tuple[int, tuple[Any, ...]]


def path_strings(page: Page) -> list[str]:
    """The tag path of every node with the styles on the way, as text (TPS, seed 004 algorithm 2)."""
    paths: list[str] = []
    for node in range(len(page)):
        up = int(page.parent[node])
        given = page.attributes(node)
        step = repr((page.tag_name(node), given.get("class", ""), given.get("style", "")))
        paths.append((paths[up] if up >= 0 else "") + "/" + step)
    return paths


def numbered(things: list[Any]) -> list[int]:
    """The same things with numbers in order of first appearance."""
    numbers: dict[Any, int] = {}
    return [numbers.setdefault(thing, len(numbers)) for thing in things]


def tree(page: Page, node: int) -> Tree:
    """The subtree of a node as nested tuples."""
    return int(page.tag[node]), tuple(tree(page, child) for child in page.children(node))


def without_leaves(given: Tree) -> Tree | None:
    """The tree without its leaves; None where it is one."""
    tag, children = given
    if not children:
        return None
    kept = (without_leaves(child) for child in children)
    return tag, tuple(child for child in kept if child is not None)


HIDES = re.compile(r"\s*(display\s*:\s*none|visibility\s*:\s*hidden)(?![\w-])", re.IGNORECASE | re.ASCII)


def is_hidden(page: Page, node: int) -> bool:
    """Whether a declaration on the node or above it hides it."""
    for step in [node, *page.ancestors(node)]:
        given = page.attributes(step)
        declarations = given.get("style", "").split(";")
        if "hidden" in given or any(HIDES.match(said) for said in declarations):
            return True
    return False
