"""What the `meta` elements of a page say: Open Graph, Twitter cards, and the ordinary ones with a name.
Names are in small letters; a name that stands several times has several values, in order."""

from __future__ import annotations

import numpy as np

from fastwrap.page import Page
from fastwrap.page.names import TAG_NUMBER

META = TAG_NUMBER["meta"]
MOST_META = 2000
"""Elements that are read."""


def read_meta(page: Page) -> dict[str, list[str]]:
    """The values of the `meta` elements of a page by their names.

    >>> read_meta(Page('<meta property="og:title" content="Tea"><meta name="Author" content="Ann">'))
    {'og:title': ['Tea'], 'author': ['Ann']}
    """
    found: dict[str, list[str]] = {}
    for node in np.flatnonzero(page.tag == META)[:MOST_META].tolist():
        attributes = page.attributes(node)
        name = attributes.get("property") or attributes.get("name")
        content = attributes.get("content", "").strip()
        if name and content:
            for word in name.lower().split():
                found.setdefault(word, []).append(content)
    return found
