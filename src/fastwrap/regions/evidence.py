"""Evidence of a whole page for or against a main list: what it says it is about, and whether it has a next page.
What its regions say for themselves is `fastwrap.regions.ranking`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastwrap import paging, structured
from fastwrap.page import Page
from fastwrap.page.names import ATTRIBUTE_NUMBER

LISTS = frozenset(("ItemList", "SearchResultsPage", "CollectionPage", "ProfilePage", "DiscussionForumPosting"))
"""Types of schema.org that a page has whose point is a list."""
DETAILS = frozenset(
    """
    Article NewsArticle BlogPosting TechArticle ScholarlyArticle Report Recipe Product Book Movie JobPosting Event
    Course SoftwareApplication VideoObject HowTo Review AdvertiserContentArticle OpinionNewsArticle
    """.split()
)
"""Types of things that have a page of their own."""
FEW = 2
"""Things of one type: a page with more of them lists them."""
PROPERTY, CONTENT = ATTRIBUTE_NUMBER["property"], ATTRIBUTE_NUMBER["content"]


class Evidence(NamedTuple):
    """What a page says of itself, each from 0 to 1."""

    data: float
    """Its JSON-LD is about one thing."""
    meta: float
    """Its Open Graph type is that of an article or a product."""
    next_page: float
    """It links to its next page."""


def says_detail(page: Page) -> bool:
    """Whether the JSON-LD of a page is about one thing, and names no list."""
    found = structured.types(page)
    return any(0 < found[name] <= FEW for name in DETAILS) and LISTS.isdisjoint(found)


def open_graph_type(page: Page) -> bytes:
    """The type that a page has by the Open Graph protocol, or nothing."""
    arrays = page.arrays
    for entry in np.flatnonzero(arrays.attribute_name == PROPERTY).tolist():
        if arrays.values[arrays.value_start.item(entry) : arrays.value_start.item(entry + 1)] == b"og:type":
            node = int(np.searchsorted(page.attribute_start, entry, side="right")) - 1
            for other in range(page.attribute_start.item(node), page.attribute_start.item(node + 1)):
                if arrays.attribute_name.item(other) == CONTENT:
                    start, end = arrays.value_start.item(other), arrays.value_start.item(other + 1)
                    return arrays.values[start:end].lower()
    return b""


def read(page: Page) -> Evidence:
    """The evidence of a page.

    >>> read(Page('<meta property="og:type" content="article"><p>Text'))
    Evidence(data=0.0, meta=1.0, next_page=0.0)
    """
    kind = open_graph_type(page)
    return Evidence(
        float(says_detail(page)),
        float(b"article" in kind or b"product" in kind and b"group" not in kind),
        float(paging.find(page).address is not None),
    )
