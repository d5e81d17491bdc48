"""Noise removal: keeps the main region of a page, found by its tag path sequence, and prunes the rest.
TPS, Velloso & Dorneles (seed 004, algorithms 1 to 5), and a mode of ours that looks past size (seed 004, 4.5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fastwrap import backend
from fastwrap.arrays import Int32Array
from fastwrap.errors import FastwrapError
from fastwrap.names import TAG_NUMBER, TAGS
from fastwrap.page import Page, restore

if backend.compiled():
    from fastwrap._core import richness, selection
else:
    from fastwrap._plain import richness, selection  # type: ignore[no-redef]

MODES = ("plain", "joined")
"""What `clean` keeps: the main region of TPS, or the regions richest in text with all that continues them."""

STEPS_A_NODE = 64
"""Budget of the search: steps a node. Pages take under 5; only sequences made to hurt take more."""

TURNS = 8
"""Budget of the search: how often it turns round. Pages take 2 or 3 turns."""

# Of the mode "joined". None is critical: from half to twice as much, each moves the share of lists kept by one or
# two pages in a hundred.
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
    """[k, 3] How it was reached: node before which the window was split, frequency threshold in force, side
    kept (0 left, 1 right)."""
    complete: bool
    """False when the search ran out of its budget: the region may then be larger than it need be."""


def body_span(page: Page) -> Span:
    """The nodes of the body."""
    return page.body, page.body + int(page.size[page.body])


def main_region(page: Page) -> MainRegion:
    """The largest part of the body whose tag paths no other part shares (TPS, algorithm 3).

    >>> page = Page("<ul><li>a<li>b</ul>" + "<p class=x><b>1</b> <i>2</i></p>" * 9)
    >>> region = main_region(page)
    >>> page.tag_name(region.start), region.end - region.start, region.complete
    ('p', 45, True)
    """
    return search(page, *body_span(page))


def search(page: Page, start: int, end: int) -> MainRegion:
    """The main region of the nodes from `start` up to `end`, searched for from both ends in turn.

    As printed, a scan ends at the first place where the page can be split, even if the halves are too even to
    choose from (line 33); whatever is behind that place is never cut off. That keeps more than the author's
    program did: with the scan from the other end, 43 of the 50 pages of his table 2 that we have shrink to what
    they shrink to there, without it 40. Texts are nodes of the sequence: so the table counts them.
    """
    search_region = backend.kernel("tag_path").search_region
    trail = []
    complete = True
    for turn in range(TURNS):
        backwards = turn % 2 == 1
        symbols = dense(page.path_symbol[start:end][:: -1 if backwards else 1])
        first, last, cuts, within_budget = search_region(symbols, STEPS_A_NODE * len(symbols) + 100_000)
        complete &= within_budget
        if len(cuts) == 0 and turn > 0:
            break
        if backwards:
            cuts[:, 0] = end - cuts[:, 0]
            cuts[:, 2] = 1 - cuts[:, 2]
            start, end = end - last, end - first
        else:
            cuts[:, 0] += start
            start, end = start + first, start + last
        trail.append(cuts)
    else:
        complete = False
    return MainRegion(start, end, np.concatenate(trail), complete)


def dense(symbols: Int32Array) -> Int32Array:
    """The same symbols, numbered without gaps: the kernel wants none above the length of its sequence."""
    occurs = np.zeros(int(symbols.max()) + 1, dtype=np.int32)
    occurs[symbols] = 1
    numbers: Int32Array = np.cumsum(occurs, dtype=np.int32) - 1
    return numbers[symbols]


def regions(page: Page) -> list[Span]:
    """The main region of the body, then those of all larger parts that were cut off on the way to another.

    >>> menu = "<ul>" + "<li><a href='#'>menu</a></li>" * 5 + "</ul>"
    >>> [end - start for start, end in regions(Page(menu + "<p class=x><b>1</b> <i>2</i></p>" * 9))]
    [45, 16]
    """
    first, last = body_span(page)
    least = LEAST_SHARE * (last - first)
    found = []
    waiting = [(first, last)]
    # A part cut off has less than two fifths of what it is cut off from (line 30), so this ends soon.
    while waiting:
        start, end = waiting.pop()
        region = search(page, start, end)
        found.append((region.start, region.end))
        for node, _, right_kept in region.cuts.tolist():
            cut_off = (start, node) if right_kept else (node, end)
            start, end = (node, end) if right_kept else (start, node)
            if cut_off[1] - cut_off[0] >= least:
                waiting.append(cut_off)
    return found


def rich_regions(page: Page) -> Int32Array:
    """[k, 2] The regions of the body that hold most, each with what continues it beside it.

    Seed 004, 4.5, has the list lost where it is smaller than something else, or split into several regions.
    So all regions are compared, not only the two sides of a cut, and not by size: a main list has much text
    beyond its links, of many kinds that come again with every record; menus have one or two kinds. Where two
    regions are close, both stay. Then a region is joined with those beside it that are like it but for their
    style: records set off from the others, sections of a list, a record that a cut went through.
    """
    arrays = page.arrays
    return richness.richest(
        np.array(regions(page), dtype=np.int32),
        arrays.tag,
        arrays.parent,
        arrays.size,
        arrays.depth,
        arrays.text_start,
        page.body,
        len(TAGS),
        TAG_NUMBER["a"],
        LINK_WEIGHT,
        RIVAL,
        ALIKE,
    )


def prune(page: Page, start: int, end: int) -> Page:
    """The page with nothing in its body but the nodes from `start` up to `end` and their ancestors.

    A node goes when it is not in the region and no child of it is left (TPS, algorithm 5). The head stays.
    """
    return keep(page, [(start, end)])


def keep(page: Page, spans: Iterable[Span]) -> Page:
    """The page with nothing in its body but these nodes and their ancestors."""
    wanted = np.zeros(len(page) + 1, dtype=np.int32)
    for start, end in spans:
        wanted[start + 1 : end + 1] = 1
    before = np.cumsum(wanted)
    nodes = np.arange(len(page))
    kept = before[nodes + page.size] > before[:-1]
    kept[: page.body] = True
    return select(page, np.flatnonzero(kept))


def select(page: Page, kept: npt.NDArray[np.intp]) -> Page:
    """The page with only these nodes, given in order, each with its ancestors among them."""
    origin = kept.astype(np.int32)
    return restore(
        selection.select(origin, *page.arrays),
        page.custom_names,
        page.url,
        page.encoding,
        page if page.original is None else page.original,
        origin if page.origin is None else page.origin[origin],
    )


def clean(html: bytes | str | Page, url: str | None = None, *, mode: str = "plain") -> Page:
    """The page with its noise removed: menus, advertisements and footers around the main region.

    `mode` is "plain" for TPS as published, which takes the largest region for the main one, or "joined", which
    takes the one that is richest in text, along with close rivals, and joins the parts of a list.

    >>> menu = "<ul>" + "<li><a href='#'>menu</a></li>" * 3 + "</ul>"
    >>> page = clean(menu + "<p class=item><b>name</b> <i>price</i></p>" * 9)
    >>> page.text().startswith("name price name"), len(page)
    (True, 48)

    A list that is smaller than the menu, and has a record in another style:

    >>> menu = "<ul>" + "<li><a href='#'>menu</a></li>" * 30 + "</ul>"
    >>> offers = "<p class=offer><b>a</b> <i>1 EUR</i></p>" + "<p><b>b</b> <i>2 EUR</i></p>" * 9
    >>> clean(menu + offers).text()[:9], clean(menu + offers, mode="joined").text()[:9]
    ('menu menu', 'a 1 EUR b')
    """
    if mode not in MODES:
        raise FastwrapError(f"mode is {mode!r}: expected {' or '.join(map(repr, MODES))}")
    page = html if isinstance(html, Page) else Page(html, url)
    if mode == "joined":
        return keep(page, rich_regions(page).tolist())
    region = main_region(page)
    return prune(page, region.start, region.end)
