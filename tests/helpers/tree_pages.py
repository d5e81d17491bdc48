"""Pages made of nested tuples, the random trees of `tests.reference.trees`: what kernels take in place of HTML."""

from __future__ import annotations

from fastwrap.page import Page
from fastwrap.page.names import TAG_NUMBER, TEXT
from tests.helpers.pages import page_of
from tests.reference.trees import NO_NODE, Tree

ORDINARY = 100
"""Added to the numbers of tags, so that none of them is that of the body or of another tag that means something."""


def tree_page(tree: Tree, body: int | None = None) -> Page:
    """A page of this tree; `body` is the child of the root that is its body, if it is not all of the page."""
    tags: list[int] = []
    parents: list[int] = []

    def visit(node: Tree, above: int) -> None:
        number = len(tags)
        tags.append(ORDINARY + node[0] if node[0] != TEXT else TEXT)
        parents.append(above)
        for child in node[1]:
            visit(child, number)

    visit(tree, NO_NODE)
    if body is not None:
        assert parents[body] == 0
        tags[body] = TAG_NUMBER["body"]
    return page_of(tags, parents)
