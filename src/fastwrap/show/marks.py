"""Marks: which nodes of a page a view outlines and tints, as attributes of their elements.
A text gets an element of its own for that, where there may be one.

- data-fastwrap-region="0"         holds records of region 0
- data-fastwrap-record="0.3"       a node at the top of record 3 of region 0
- data-fastwrap-items="0.1 0.2"    holds values of the columns 1 and 2 of region 0
- data-fastwrap-of="0", data-fastwrap-hue="2"    has the colour of column 2, when region 0 is shown
- data-fastwrap-kind="text"        what of it the value is: a text is tinted, for an attribute the element is outlined
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from fastwrap.columns.layout import TEXT_ITEM
from fastwrap.extraction import DataRegion, Region
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE, TAG_NUMBER, TEXT
from fastwrap.show.frame import MARK, NO_ELEMENTS
from fastwrap.show.regions import ShownRegion

SEEN = frozenset((TEXT_ITEM, "href", "src", "alt", "title"))
"""Items that a reader sees something of, or can use: these are coloured. Others show when they are pointed at."""


def as_read(page: Page) -> tuple[Page, Int32Array]:
    """The page as it was before any cleaning, and the number that each node has there."""
    numbers = np.arange(len(page), dtype=np.int32)
    while page.original is not None and page.origin is not None:
        numbers = page.origin[numbers]
        page = page.original
    return page, numbers


def marks(regions: Sequence[ShownRegion]) -> dict[int, str]:
    """For nodes of the page as it was read, the attributes that mark them."""
    values: dict[int, dict[str, list[str]]] = {}
    pages = [shown.region.page for shown in regions if shown.region is not None]
    if not pages:
        return {}
    size = pages[0].size
    page, number = as_read(pages[0])
    bare = without_elements(page)

    def attributes(node: int) -> dict[str, list[str]]:
        node = int(number[node])
        if page.tag[node] == TEXT and bare[node] and page.size[page.parent[node]] == 2:
            node = int(page.parent[node])
        return values.setdefault(node, {})

    # What the page is about comes last: the lists within it keep their records.
    for shown in sorted(regions, key=lambda each: each.region is None):
        if isinstance(shown.region, DataRegion):
            continue  # it stands in a script
        if shown.region is not None:
            for node in parents(shown.region):
                attributes(node).setdefault("region", []).append(str(shown.number))
        for record, (top, end) in enumerate(shown.spans.tolist()):
            while top < end:
                attributes(top).setdefault("record", [f"{shown.number}.{record}"])
                top += int(size[top])
        # Of several columns that a node is in, the first text gives the colour, or else the last attribute.
        for place in shown.places:
            marked = attributes(place.node)
            marked.setdefault("items", []).append(f"{shown.number}.{place.column}")
            if place.kind not in SEEN or marked.get("kind") == [TEXT_ITEM]:
                continue
            if shown.columns[place.column].name not in shown.left_out:
                marked["of"], marked["hue"] = [str(shown.number)], [str(place.column)]
                marked["kind"] = [place.kind]
    return {
        node: " ".join(f'{MARK}-{name}="{" ".join(dict.fromkeys(entries))}"' for name, entries in marked.items())
        for node, marked in values.items()
    }


def without_elements(page: Page) -> npt.NDArray[np.bool_]:
    """[n] Which nodes are in a list of choices, a text field, SVG or MathML: no element of ours can be there."""
    found = np.zeros(len(page), dtype=bool)
    for name in (*NO_ELEMENTS, "svg", "math"):
        for node in np.flatnonzero(page.tag == TAG_NUMBER[name]).tolist():
            found[node : node + int(page.size[node])] = True
    return found


def parents(region: Region) -> Iterable[int]:
    """The elements that hold the records: their parents if these are few, else what holds all of them."""
    page = region.page
    found = {int(page.parent[start]) for start, _ in region.spans.tolist()} - {NO_NODE}
    if 2 * len(found) <= len(region):
        return found
    first, last = int(region.spans[0, 0]), int(region.spans[-1, 1])
    return [up for up in page.ancestors(first) if up + page.size[up] >= last][:1]
