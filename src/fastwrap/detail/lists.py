"""Whether a page surely exists for its main list: told by the list and what stands around it, without reading what the
page says of one thing, which takes longer than all the rest."""

from __future__ import annotations

import numpy as np

from fastwrap._core.detail.names import others_around
from fastwrap.columns.roles import fold
from fastwrap.detail.lines import IS_BOLD
from fastwrap.detail.places import is_heading, word_table
from fastwrap.detail.words import EDGE, RELATED_HEADINGS, SPACES
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array, joined
from fastwrap.page.names import TAGS

SURE = 0.85
"""The confidence of a list from which on no page is known that is about one thing, if the list is one of its own. A
page would have to have nearly everything that speaks for one thing (`fastwrap.detail.confidence`)."""
LEAST_LETTERS, LEAST_LETTERS_OF_ALL = 50, 1_000
"""Bytes of text of a record, on average, and of all: labels with values, which may look like a list, have fewer."""
MOST_HEADINGS = 60
"""Texts that are read as headings."""
LONGEST_HEADING = 160
"""Bytes of a text that are read."""
MOST_WORDS = max(heading.count(" ") + 1 for heading in RELATED_HEADINGS)

SET_APART = IS_BOLD.astype(np.uint8)
"""Whether an element may make a heading of its text, by the number of its tag; the last entry is that of unknown
names."""
SET_APART[: len(TAGS)] |= is_heading(np.arange(len(TAGS), dtype=np.int32))


def is_of_others(text: str) -> bool:
    """Whether a text begins as the headings do that other things stand below, of the kind of what the page is about.

    >>> is_of_others("Ähnliche Artikel (12)"), is_of_others("Similar: oak tables"), is_of_others("Dissimilar")
    (True, True, False)
    """
    words = SPACES.sub(" ", fold(text).replace("-", " ").replace("\u2019", "'")).strip(EDGE)
    parts = words.replace(":", " ").replace("(", " ").split()[:MOST_WORDS]
    return any(" ".join(parts[:count]).strip(EDGE) in RELATED_HEADINGS for count in range(1, len(parts) + 1))


def is_surely_main(page: Page, spans: Int32Array, confidence: float) -> bool:
    """Whether a page surely exists for a list of records that it shows, given how sure the list looks by itself.

    >>> rows = "".join(f"<li><b>Tea number {k}</b> <i>{k}.50 EUR</i> {'grown on hills ' * 9}" for k in range(9))
    >>> page, spans = Page(f"<h2>All teas</h2><ul>{rows}</ul>"), np.array([[6, 12]], dtype=np.int32).repeat(9, axis=0)
    >>> is_surely_main(page, spans, 0.9), is_surely_main(page, spans, 0.6)
    (True, False)
    >>> is_surely_main(Page(f"<h2>Similar products</h2><ul>{rows}</ul>"), spans, 0.9)
    False
    """
    if confidence < SURE or not len(spans):
        return False
    letters = int((page.text_start[spans[:, 1]] - page.text_start[spans[:, 0]]).sum())
    if letters < max(LEAST_LETTERS_OF_ALL, LEAST_LETTERS * len(spans)):
        return False
    is_named, nodes = others_around(page.native, spans, *word_table(), SET_APART)
    if is_named or len(nodes) > MOST_HEADINGS:
        return False
    text, starts = page.arrays.text, page.text_start
    return not any(
        is_of_others(joined(text[starts.item(node) : starts.item(node) + LONGEST_HEADING])) for node in nodes
    )
