"""Noise removal: keeps the main region of a page, found by its tag path sequence, and prunes the rest.
TPS (Velloso 2014, algorithms 1 to 5), and a mode of ours that keeps the lists that it loses (4.5 there)."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from fastwrap._core.noise import richness, selection
from fastwrap.common.arguments import expect
from fastwrap.common.backend import kernel
from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.page import restore
from fastwrap.page.sources import HtmlSource, page_of

MODES = ("plain", "printed", "joined")
"""What `clean` keeps: the main region of TPS, the one that TPS finds as it is printed, or the regions richest in text
with all that continues them."""

STEPS_PER_NODE = 64
"""Budget of the search: steps per node. Pages take under 5; only sequences made to hurt take more."""

# Of the mode "joined": between keeping lists and removing noise. On the pages of Velloso 2014, LEAST_SHARE and
# LINK_WEIGHT halved or doubled change either by 2 in a hundred at most; RIVAL or ALIKE halved remove 6 less, and at 1,
# where they are off, keep up to 5 fewer lists.
LEAST_SHARE = 0.1
"""Parts of a page that are smaller than this are not searched for regions of their own."""
LINK_WEIGHT = 0.5
"""What text in links counts: menus are nothing else, but lists may be too."""
RIVAL = 0.5
"""Regions that score this share of the best score are kept with it."""
ALIKE = 0.5
"""The Jaccard coefficient from which the kinds of node of two parts of a page are alike."""

Span: TypeAlias = tuple[int, int]
"""The first node, and the node after the last."""


class MainRegion(NamedTuple):
    """The main region of a page's tag path sequence."""

    start: int
    """Its first node."""
    end: int
    """The node after its last one."""
    cuts: Int32Array
    """[k, 3] How it was reached: node before which the window was split, threshold in force, side kept (0 left, 1
    right)."""
    complete: bool
    """False when the search ran out of its budget: the region may then be larger than it need be."""


def body_span(page: Page) -> Span:
    """The nodes of the body."""
    return page.body, page.body + int(page.size[page.body])


def main_region(page: Page, span: Span | None = None, *, printed: bool = False) -> MainRegion:
    """The largest part of the body, or of a span, whose tag paths no other part of it shares (TPS, algorithm 3).

    Texts are nodes of the sequence: with them, and only with them, pages have about as many nodes as in table 2 of
    Velloso 2014. Where the halves are too even to choose from, the scan goes on to the next place where the page can be
    split. As `printed` it gives up there (line 33), and what is after that place is never cut off. The figures of the
    thesis come out when it goes on, and not when it gives up (docs/methods.md).

    >>> page = Page("<ul><li>a<li>b</ul>" + "<p class=x><b>1</b> <i>2</i></p>" * 9)
    >>> region = main_region(page)
    >>> page.tag_name(region.start), region.end - region.start, region.complete
    ('p', 45, True)
    """
    start, end = span or body_span(page)
    symbols, budget = dense(page.path_symbol[start:end]), STEPS_PER_NODE * (end - start) + 100_000
    first, last, cuts, complete = kernel("noise.tag_path").search_region(symbols, budget, printed)
    cuts[:, 0] += start
    return MainRegion(start + first, start + last, cuts, complete)


def dense(symbols: Int32Array) -> Int32Array:
    """The same symbols with other numbers, all below the length of the sequence, as the kernel wants them.

    >>> dense(np.array([7, 9, 7], dtype=np.int32)).tolist(), dense(np.array([1, 900, 1], dtype=np.int32)).tolist()
    ([0, 2, 0], [0, 1, 0])
    """
    lowest, highest = int(symbols.min()), int(symbols.max())
    if highest - lowest < len(symbols):
        return np.ascontiguousarray(symbols - lowest)
    occurs = np.zeros(highest + 1, dtype=np.int32)
    occurs[symbols] = 1
    numbers: Int32Array = np.cumsum(occurs, dtype=np.int32) - 1
    return numbers[symbols]


def regions(page: Page) -> tuple[list[Span], bool]:
    """The main region of the body, then those of all larger parts that were cut off on the way to another; and whether
    all searches were complete.

    >>> menu = "<ul>" + "<li><a href='#'>menu</a></li>" * 5 + "</ul>"
    >>> spans, complete = regions(Page(menu + "<p class=x><b>1</b> <i>2</i></p>" * 9))
    >>> [end - start for start, end in spans], complete
    ([45, 15], True)
    """
    first, last = body_span(page)
    least = LEAST_SHARE * (last - first)
    spans = []
    complete = True
    waiting = [(first, last)]
    # A part cut off has less than two fifths of what it is cut off from (line 30), so this ends soon.
    while waiting:
        start, end = waiting.pop()
        region = main_region(page, (start, end))
        spans.append((region.start, region.end))
        complete = complete and region.complete
        if (end - start) - (region.end - region.start) >= least:
            parts = cut_off(region.cuts, start, end)
            waiting += parts[parts[:, 1] - parts[:, 0] >= least].tolist()
    return spans, complete


def cut_off(cuts: Int32Array, start: int, end: int) -> Int32Array:
    """[k, 2] The parts that these cuts removed, one after the other, from the nodes from `start` up to `end`.

    >>> cut_off(np.array([[4, 1, 1], [8, 1, 0], [5, 1, 1]], dtype=np.int32), 0, 10).tolist()
    [[0, 4], [8, 10], [4, 5]]
    """
    node = cuts[:, 0]
    right_kept = cuts[:, 2] == 1
    window_start = np.maximum.accumulate(np.append(np.int32(start), np.where(right_kept, node, start)))[:-1]
    window_end = np.minimum.accumulate(np.append(np.int32(end), np.where(right_kept, end, node)))[:-1]
    return np.stack([np.where(right_kept, window_start, node), np.where(right_kept, node, window_end)], axis=1)


def rich_regions(page: Page) -> tuple[Int32Array, bool]:
    """[k, 2] The regions of the body that hold most, each with what continues it beside it; and whether the searches
    for them were complete.

    TPS loses the list (Velloso 2014, 4.5) where it is smaller than something else, or split into several regions.
    So all regions are compared, not only the two sides of a cut, and not by size: a main list has much text
    beyond its links, of many kinds that come again with every record; menus have one or two kinds. Where two
    regions are close, both stay. Then a region is joined with those beside it that are like it but for their
    style: records set off from the others, sections of a list, a record that a cut went through.
    """
    spans, complete = regions(page)
    return richness.richest(page.native, np.array(spans, dtype=np.int32), LINK_WEIGHT, RIVAL, ALIKE), complete


def keep(page: Page, spans: Int32Array) -> Page:
    """The page with nothing in its body but the nodes of these spans [k, 2] and their ancestors.

    A node goes when it is in no span and no child of it is left (TPS, algorithm 5). The head stays.
    """
    kept = selection.spanned(page.native, spans)
    return restore(
        selection.select(page.native, kept),
        page.custom_names,
        page.url,
        page.encoding,
        page if page.original is None else page.original,
        kept if page.origin is None else page.origin[kept],
    )


def clean(html: HtmlSource, mode: str = "plain", *, url: str | None = None, encoding: str | None = None) -> Page:
    """The page with its noise removed: menus, advertisements and footers around the main region.

    `html`, `url` and `encoding` are those of `fastwrap.extract`. `mode` is "plain" for TPS, which takes the largest
    region for the main one; "printed" for TPS to the letter, which removes less (see `main_region`); or "joined", which
    takes the region that is richest in text, along with close rivals, and joins the parts of a list: it keeps more. The
    `limits` of the page say whether the search met its budget.

    >>> menu = "<ul>" + "<li><a href='#'>menu</a></li>" * 3 + "</ul>"
    >>> page = clean(menu + "<p class=item><b>name</b> <i>price</i></p>" * 9)
    >>> page.text().startswith("name price name"), len(page)
    (True, 48)

    A list that is smaller than the menu, and has a record in another style:

    >>> menu = "<ul>" + "<li><a href='#'>menu</a></li>" * 30 + "</ul>"
    >>> offer = "<p class=offer><b>A fine thing</b> <i>1 EUR, in stock</i></p>"
    >>> html = menu + offer + offer.replace(" class=offer", "").replace("A", "Another") * 9
    >>> clean(html).text()[:9], clean(html, "joined").text()[:12]
    ('menu menu', 'A fine thing')
    """
    expect(mode, str, "mode is a str")
    if mode not in MODES:
        raise FastwrapError(f"mode is {mode!r}: expected {' or '.join(map(repr, MODES))}")
    page = page_of(html, url, encoding)
    if mode == "joined":
        spans, complete = rich_regions(page)
    else:
        start, end, _, complete = main_region(page, printed=mode == "printed")
        spans = np.array([[start, end]], dtype=np.int32)
    kept = keep(page, spans)
    if not complete:
        kept.limits = ("noise.search",)
    return kept
