"""Evidence of a whole page for or against a main list: what it says it is about, and whether it has a next page.
What its regions say for themselves is `fastwrap.regions.ranking`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastwrap import structured
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
    """What a page says of itself: each is 1 if it does, else 0. Or what each of them weighs."""

    data: float
    """Its JSON-LD is about one thing."""
    meta: float
    """Its Open Graph type is that of an article or a product."""
    next_page: float
    """It links to its next page."""


def is_about_one_thing(page: Page) -> bool:
    """Whether the JSON-LD of a page is about one thing, and names no list."""
    found = structured.types(page)
    return LISTS.isdisjoint(found) and any(found[name] <= FEW for name in DETAILS.intersection(found))


def is_called_a_detail(page: Page) -> bool:
    """Whether the Open Graph type of a page is that of an article or a product.

    >>> is_called_a_detail(Page('<meta property="og:type" content="product">'))
    True
    >>> is_called_a_detail(Page('<meta property="og:type" content="product.group">'))
    False
    """
    kind = open_graph_type(page)
    return b"article" in kind or (b"product" in kind and b"group" not in kind)


def open_graph_type(page: Page) -> bytes:
    """The type that a page has by the Open Graph protocol, in small letters, or nothing."""
    names, values, start = page.arrays.attribute_name, page.arrays.values, page.arrays.value_start
    for entry in np.flatnonzero(names == PROPERTY).tolist():
        if values[start.item(entry) : start.item(entry + 1)] == b"og:type":
            node = int(np.searchsorted(page.attribute_start, entry, side="right")) - 1
            for other in range(page.attribute_start.item(node), page.attribute_start.item(node + 1)):
                if names.item(other) == CONTENT:
                    return values[start.item(other) : start.item(other + 1)].lower()
    return b""


def has_next_page(page: Page) -> bool:
    """Whether a page links to its next page."""
    from fastwrap import paging  # only when it is asked for: its word lists take time to load

    return paging.find(page).address is not None


def read(page: Page) -> Evidence:
    """All evidence of a page.

    >>> read(Page('<meta property="og:type" content="article"><p>Text'))
    Evidence(data=0.0, meta=1.0, next_page=0.0)
    """
    return Evidence(float(is_about_one_thing(page)), float(is_called_a_detail(page)), float(has_next_page(page)))
