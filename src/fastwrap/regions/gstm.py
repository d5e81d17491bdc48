"""G-STM (Jindal & Liu 2010): a page is matched with itself, or with another, and what repeats under a node is a list.
Lists are folded to one item from the leaves up, so that their lengths do not weigh when what holds them is compared."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fastwrap._core.regions import folding
from fastwrap.errors import FastwrapError
from fastwrap.limits import union
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import TAG_NUMBER, TEXT
from fastwrap.page.sources import HtmlSource, page_of
from fastwrap.regions import FoundRegion, Search, disjoint
from fastwrap.regions.side_by_side import ABOVE, Budget, Pair

THRESHOLD = 0.5
"""Tau 1 of the paper: parts of one list match in more than this share of their nodes."""

RELATIVE = 0.7
"""Tau 2: and in this share of the best match that either of them has with a sibling."""

BUDGET = 5_000_000
"""Cells per page: some hundredths of a second, a thousand times what an ordinary page takes."""

LINK_WEIGHT = 0.1
"""What a letter inside a link counts: a list of nothing but links is a menu."""

FIXED_WEIGHT = 0.1
"""What a record counts that says the same on another page: a menu does, the records of a list do not."""

NO_PAGE = ""
"""In place of another page: there is none."""

ITEMS = 5
"""Texts of a full record; one with fewer counts less. The choices of a menu or a filter have one or two."""


def find(
    page: Page, *, threshold: float = THRESHOLD, relative: float = RELATIVE, other: HtmlSource = NO_PAGE
) -> Search:
    """The lists of a page, those with the same tag path and like items as one region.

    `threshold` and `relative` are the paper's two thresholds, tau 1 and tau 2; docs/methods.md tells what differs, and
    the order. `regularity` is the mean likeness of a record to the one before it, 0 for the first of each list. So a
    list wins over the lists inside its records, unless these have nearly all of its text and are longer: cells over
    rows, records over sections.

    With `other`, a second page of the same template, both are matched: a list that either of them has is one, even
    where this page has a single record of it, and what says the same on both pages counts less.

    >>> page = Page("<p>Found:</p><dl>" + "<dt>Name</dt><dd>12 EUR</dd><dd>new</dd>" * 3 + "</dl>")
    >>> [page.span_text(start, end) for start, end in find(page).regions[0].records.tolist()]
    ['Name 12 EUR new', 'Name 12 EUR new', 'Name 12 EUR new']
    >>> one = Page("<p>Found:</p><dl><dt>Thing</dt><dd>7 EUR</dd><dd>old</dd></dl>")
    >>> [one.span_text(*span) for span in find(one, other=page).regions[0].records.tolist()]
    ['Thing 7 EUR old']
    """
    if not (0 <= threshold <= 1 and 0 <= relative <= 1):
        raise FastwrapError("threshold and relative are shares, from 0 to 1")
    if other is not NO_PAGE:
        return find_on_both(Pair.of(page, page_of(other)), threshold, relative)
    region, first, items, likeness, met = folding.find_lists(page.native, threshold, relative, BUDGET)
    item_region = np.repeat(region, np.diff(first))
    found = scored(item_region, items, likeness, *text_before(page))
    return Search(disjoint([each for each in found if each.score > 0], len(page)), ("regions.folding",) if met else ())


def scored(
    item_region: npt.NDArray[Any],
    items: Int32Array,
    likeness: npt.NDArray[np.float64],
    letters: npt.NDArray[np.float64],
    texts: npt.NDArray[np.int64],
) -> list[FoundRegion]:
    """The regions of items, by their numbers; each has the items that have its number."""
    start, end = items.T
    items = items[np.lexsort((start, item_region))]
    records = np.bincount(item_region)
    text = np.bincount(item_region, letters[end] - letters[start])
    texts_each = np.bincount(item_region, texts[end] - texts[start]) / np.maximum(1, records)
    regularity = np.bincount(item_region, likeness) / np.maximum(1, records)
    scores = text * regularity * np.log2(np.maximum(1, records)) * np.minimum(1, texts_each / ITEMS)
    why = np.column_stack((text, regularity, texts_each)).tolist()
    return [
        FoundRegion(spans, score, dict(zip(("text", "regularity", "items"), reasons, strict=True)))
        for spans, score, reasons in zip(np.split(items, np.cumsum(records)[:-1]), scores.tolist(), why, strict=False)
    ]


def find_on_both(pair: Pair, threshold: float, relative: float) -> Search:
    """The lists that the first of two pages has, found by matching both."""
    tree, (page, other) = pair.tree, pair.pages
    region, first, items, likeness, met = folding.find_lists(tree.native, threshold, relative, BUDGET)
    item_region = np.repeat(region, np.diff(first))
    within = tree.parent[items[:, 0]] > 1  # the two pages are alike, but no records
    item_region, items, likeness = item_region[within], items[within], likeness[within]
    is_second = items[:, 0] >= pair.second
    # A list that only one of the pages has may have a single item on the other one.
    records, theirs = np.bincount(item_region), np.bincount(item_region, is_second)
    alone = np.flatnonzero((records > 0) & ((theirs == 0) | (theirs == records))).tolist()
    budget = Budget(BUDGET // max(1, len(alone)))
    order = np.argsort(item_region, kind="stable")
    ends = np.cumsum(records)
    known = items
    for number in alone:
        own = known[order[ends[number] - records[number] : ends[number]]]
        more, shares = pair.alike(own, threshold, budget)
        if len(more):
            items = np.concatenate([items, more])
            item_region = np.append(item_region, np.full(len(more), number, dtype=item_region.dtype))
            likeness = np.append(likeness, shares)
    found = []
    for each in scored(item_region, items, likeness, *text_before_both(pair)) if len(items) else []:
        mine, others = pair.own(each.records)
        if len(mine) and each.score > 0:
            said = {other.span_text(*span) for span in others.tolist()}
            same = sum(page.span_text(*span) in said for span in mine.tolist()) / max(len(mine), len(others))
            score = each.score * (1 - same + FIXED_WEIGHT * same)
            found.append(each._replace(records=np.ascontiguousarray(mine), score=score, why={**each.why, "same": same}))
    return Search(disjoint(found, len(page)), union(("regions.folding",) if met else (), budget.limits))


def text_before_both(pair: Pair) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """The same as `text_before` for the tree of two pages, which has no texts of its own."""
    letters, texts = np.zeros(ABOVE + 1), np.zeros(ABOVE + 1, dtype=np.int64)
    for page in pair.pages:
        body, end = page.body, page.body + int(page.size[page.body])
        more_letters, more_texts = text_before(page)
        letters = np.concatenate([letters, letters[-1] + more_letters[body + 1 : end + 1] - more_letters[body]])
        texts = np.concatenate([texts, texts[-1] + more_texts[body + 1 : end + 1] - more_texts[body]])
    return letters, texts


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
