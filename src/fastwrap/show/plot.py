"""The plot of a tag path sequence (Velloso 2014, definition 3): the path of every node in order, as inline SVG.
What repeats is a pattern in it; the regions and their records are marked below."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from fastwrap.extraction import DataRegion
from fastwrap.page import Page
from fastwrap.show.regions import ShownRegion

WIDTH, HEIGHT = 1400, 132
LEFT, RIGHT, TOP, BOTTOM = 34, 8, 6, 30
STRIP = 9  # height of the line of records
MAX_DOTS = 20_000
MAX_BARS = 1_000  # of a region: from more records on, one bar stands for several


def plot(page: Page, regions: Sequence[ShownRegion]) -> str:
    """The plot as an element for HTML.

    >>> import fastwrap
    >>> plot(fastwrap.Page("<p>a<p>b"), []).count("<path")
    2
    """
    nodes = len(page)
    right, floor = WIDTH - RIGHT, HEIGHT - BOTTOM
    _, rank = np.unique(page.path_symbol, return_inverse=True)
    paths = int(rank.max()) + 1 if nodes else 1
    x = LEFT + (right - LEFT) * (np.arange(nodes + 1) / max(1, nodes))
    y = floor - (floor - TOP) * ((rank + 0.5) / paths)
    parts = [
        f'<path class="axis" d="M{LEFT} {TOP}V{floor}H{right}"/>',
        f'<text x="{LEFT - 6}" y="{TOP + 9}" text-anchor="end">{paths:,}</text>',
        f'<text x="{LEFT - 6}" y="{floor}" text-anchor="end">1</text>',
        f'<text x="{LEFT}" y="{HEIGHT - 4}">node 0</text>',
        f'<text x="{right}" y="{HEIGHT - 4}" text-anchor="end">{nodes:,}</text>',
        f'<text class="title" x="{(LEFT + right) / 2}" y="{HEIGHT - 4}" text-anchor="middle">'
        "nodes in document order; height: the tag path of each; below: the records</text>",
    ]
    within = np.full(nodes, -1)
    marked = []
    for shown in regions:
        if shown.region is None or isinstance(shown.region, DataRegion):
            continue  # the page as a whole, or nothing that it shows
        spans = shown.region.spans
        for start, end in spans.tolist():
            within[start:end] = shown.number
        first, last = x[int(spans[:, 0].min())], x[int(spans[:, 1].max())]
        together = 1 + (len(spans) - 1) // MAX_BARS
        bars = ""
        for start in range(0, len(spans), together):
            end = min(start + together, len(spans))
            left, width = x[spans[start, 0]], x[spans[end - 1, 1]] - x[spans[start, 0]]
            says = f"record {end}" if end == start + 1 else f"records {start + 1} to {end}"
            bars += (
                f'<rect class="bar" data-record="{shown.number}.{start}" x="{left:.1f}" y="{floor + 4}"'
                f' width="{max(0.6, width - 0.8):.1f}" height="{STRIP}"><title>{says}</title></rect>'
            )
        marked.append(
            f'<g class="region" data-region="{shown.number}"><rect class="band" x="{first:.1f}" y="{TOP}"'
            f' width="{last - first:.1f}" height="{floor - TOP}"/>{bars}'
            f'<path class="dots" d="{dots(x[:-1][within == shown.number], y[within == shown.number])}"/></g>'
        )
    parts.append(f'<path class="dots" d="{dots(x[:-1][within == -1], y[within == -1])}"/>')
    label = f"Tag path sequence of {nodes:,} nodes with {paths:,} paths"
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">{"".join(parts + marked)}</svg>'


def dots(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> str:
    """A path of dots: those that fall on the same spot are one, and of too many every k-th is drawn."""
    fine = 1 if len(x) > MAX_DOTS else 4
    places = np.unique((fine * x).astype(np.int64) * 4096 + (fine * y).astype(np.int64))
    places = places[:: 1 + len(places) // MAX_DOTS]
    return "".join(f"M{place // 4096 / fine:g} {place % 4096 / fine:g}h0" for place in places.tolist())
