"""Noise removal: keeps the main region of a page, found by its tag path sequence, and prunes the rest.
TPS, Velloso & Dorneles (seed 004, algorithms 1 to 5), with the corrections of ALGORITHMS.md."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap.arrays import Int32Array, NodeArrays
from fastwrap.backend import kernel
from fastwrap.names import NO_NODE, TEXT
from fastwrap.page import Page, restore

STEPS_A_NODE = 64
"""Budget of the search: steps a node. Pages take under 5; only sequences made to hurt take more."""


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


def main_region(page: Page) -> MainRegion:
    """The largest part of the body whose tag paths no other part shares (TPS, algorithm 3).

    >>> page = Page("<ul><li>a<li>b</ul>" + "<p class=x><b>1</b> <i>2</i></p>" * 9)
    >>> region = main_region(page)
    >>> page.tag_name(region.start), region.end - region.start, region.complete
    ('p', 45, True)
    """
    body = page.body
    # Symbols are numbered in order of appearance, so those of the body follow that of the body itself.
    sequence = page.path_symbol[body : body + int(page.size[body])]
    sequence = np.ascontiguousarray(sequence - sequence[0])
    budget = STEPS_A_NODE * len(sequence) + 100_000
    start, end, cuts, complete = kernel("tag_path").search_region(sequence, budget)
    cuts[:, 0] += body
    return MainRegion(body + start, body + end, cuts, complete)


def prune(page: Page, start: int, end: int) -> Page:
    """The page with nothing in its body but the nodes from `start` up to `end` and their ancestors.

    A node goes when it is not in the region and no child of it is left (TPS, algorithm 5). The head stays.
    """
    nodes = np.arange(len(page))
    kept = np.flatnonzero((nodes < page.body) | ((nodes < end) & (nodes + page.size > start)))
    return select(page, kept)


def select(page: Page, kept: npt.NDArray[np.intp]) -> Page:
    """The page with only these nodes, given in order, each with its ancestors among them."""
    arrays = page.arrays
    number = np.full(len(page) + 1, NO_NODE, dtype=np.int32)  # the last entry is that of NO_NODE itself
    number[kept] = np.arange(len(kept))
    before = np.searchsorted(kept, np.arange(len(page) + 1)).astype(np.int32)
    text_lengths = np.where(page.tag[kept] == TEXT, page.text_start[kept + 1] - page.text_start[kept], 0)
    # The kept nodes are a few runs of neighbours, whose texts and attributes are slices.
    runs = [(int(run[0]), int(run[-1]) + 1) for run in np.split(kept, np.flatnonzero(np.diff(kept) != 1) + 1)]
    texts = [arrays.text[page.text_start[first] : page.text_start[last]] for first, last in runs]
    spans = [(int(page.attribute_start[first]), int(page.attribute_start[last])) for first, last in runs]
    values = [arrays.values[arrays.value_start[a] : arrays.value_start[b]] for a, b in spans]
    value_start = starts(np.concatenate([np.diff(arrays.value_start[a : b + 1]) for a, b in spans]))
    origin = kept.astype(np.int32)
    return restore(
        NodeArrays(
            tag=page.tag[kept],
            parent=number[page.parent[kept]],
            size=before[kept + page.size[kept]] - before[kept],
            depth=page.depth[kept],
            text_start=starts(text_lengths),
            attribute_start=starts(page.attribute_start[kept + 1] - page.attribute_start[kept]),
            attribute_name=np.concatenate([arrays.attribute_name[a:b] for a, b in spans]),
            value_start=value_start,
            text=b"".join(texts),
            values=b"".join([*values, arrays.values[arrays.script_start[0] :]]),
            script_start=arrays.script_start - arrays.script_start[0] + value_start[-1],
        ),
        page.custom_names,
        page.url,
        page.encoding,
        page if page.original is None else page.original,
        origin if page.origin is None else page.origin[origin],
    )


def starts(lengths: npt.NDArray[np.int32]) -> Int32Array:
    """Where parts of these lengths start when they are laid end to end, and where the last one ends."""
    return np.concatenate([np.zeros(1, dtype=np.int32), np.cumsum(lengths, dtype=np.int32)])


def clean(html: bytes | str | Page, url: str | None = None) -> Page:
    """The page with its noise removed: menus, advertisements and footers around the main region.

    >>> menu = "<ul>" + "<li><a href='#'>menu</a></li>" * 3 + "</ul>"
    >>> page = clean(menu + "<p class=item><b>name</b> <i>price</i></p>" * 9)
    >>> page.text().startswith("name price name"), len(page)
    (True, 48)
    """
    page = html if isinstance(html, Page) else Page(html, url)
    region = main_region(page)
    return prune(page, region.start, region.end)
