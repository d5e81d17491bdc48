"""G-STM (Jindal & Liu 2010): the page is matched with itself, and what repeats under a node is a list.
Lists are folded to one item from the leaves up, so that their lengths do not weigh when what holds them is compared."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fastwrap._core.regions import folding
from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.page.names import TAG_NUMBER, TEXT
from fastwrap.regions import FoundRegion, Search, disjoint

THRESHOLD = 0.5
"""Tau 1 of the paper: parts of one list match in more than this share of their nodes."""

RELATIVE = 0.7
"""Tau 2: and in this share of the best match that either of them has with a sibling."""

BUDGET = 5_000_000
"""Cells per page: some hundredths of a second, a thousand times what an ordinary page takes."""

LINK_WEIGHT = 0.1
"""What a letter inside a link counts: a list of nothing but links is a menu."""

ITEMS = 5
"""Texts of a full record; one with fewer counts less. The choices of a menu or a filter have one or two."""


def find(page: Page, *, threshold: float = THRESHOLD, relative: float = RELATIVE) -> Search:
    """The lists of a page, those with the same tag path and like items as one region.

    `threshold` and `relative` are the paper's two thresholds, tau 1 and tau 2; docs/methods.md tells what differs, and
    the order. `regularity` is the mean likeness of a record to the one before it, 0 for the first of each list. So a
    list wins over the lists inside its records, unless these have nearly all of its text and are longer: cells over
    rows, records over sections.

    >>> page = Page("<p>Found:</p><dl>" + "<dt>Name</dt><dd>12 EUR</dd><dd>new</dd>" * 3 + "</dl>")
    >>> [page.span_text(start, end) for start, end in find(page).regions[0].records.tolist()]
    ['Name 12 EUR new', 'Name 12 EUR new', 'Name 12 EUR new']
    """
    if not (0 <= threshold <= 1 and 0 <= relative <= 1):
        raise FastwrapError("threshold and relative are shares, from 0 to 1")
    region, first, items, likeness, met = folding.find_lists(page.native, threshold, relative, BUDGET)
    start, end = items.T
    item_region = np.repeat(region, np.diff(first))
    spans = items[np.lexsort((start, item_region))]

    records = np.bincount(item_region)
    letters, texts = text_before(page)
    text = np.bincount(item_region, letters[end] - letters[start])
    texts_each = np.bincount(item_region, texts[end] - texts[start]) / records
    regularity = np.bincount(item_region, likeness) / records
    scores = text * regularity * np.log2(records) * np.minimum(1, texts_each / ITEMS)

    ends = np.cumsum(records)
    reasons = np.column_stack((text, regularity, texts_each)).tolist()
    measured = zip((ends - records).tolist(), ends.tolist(), scores.tolist(), reasons, strict=True)
    found = [
        FoundRegion(spans[first_item:end_item], score, dict(zip(("text", "regularity", "items"), why, strict=True)))
        for first_item, end_item, score, why in measured
        if score > 0
    ]
    return Search(disjoint(found, len(page)), ("regions.folding",) if met else ())


def text_before(page: Page) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """The length of the text before each node, with linked text at its weight, and the texts before it.

    >>> length, texts = text_before(Page("<p>one<a>two</a>"))
    >>> length.round(1).tolist(), texts.tolist()
    ([0.0, 0.0, 0.0, 0.0, 0.0, 4.0, 4.0, 4.4], [0, 0, 0, 0, 0, 1, 1, 2])
    """
    nodes = len(page)
    is_text = page.tag == TEXT
    links = np.flatnonzero((page.tag == TAG_NUMBER["a"]) | (page.tag == TAG_NUMBER["option"]))
    opened = np.bincount(links, minlength=nodes) - np.bincount(links + page.size[links], minlength=nodes)[:nodes]
    weight = np.where(np.cumsum(opened) > 0, LINK_WEIGHT, 1.0)
    letters = np.zeros(nodes + 1)
    np.cumsum(np.diff(page.text_start) * is_text * weight, out=letters[1:])
    texts = np.zeros(nodes + 1, dtype=np.int64)
    np.cumsum(is_text, out=texts[1:])
    return letters, texts
