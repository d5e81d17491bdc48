"""The text of blocks of a page, as a reader of plain text expects it: paragraphs apart, items and rows in lines.
Nothing is added but line breaks and tabs, so that every word is one of the page, and can be searched and counted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from fastwrap._core.noise import rendering as kernel
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import INLINE_NAMES, TAG_NUMBER, TAGS, TEXT

PREFORMATTED = TAG_NUMBER["pre"]

NAMES_BY_KIND = {
    kernel.INLINE: " ".join(INLINE_NAMES),
    kernel.BREAK: "br",
    kernel.PARAGRAPH: "p figure figcaption hr center",
    kernel.APART: "h1 h2 h3 h4 h5 h6 blockquote",
    kernel.VERBATIM: "pre listing xmp plaintext",
    kernel.ITEM: "li dt option",
    kernel.DETAILS: "dd",
    kernel.TABLE: "table",
    kernel.PART: "html head body thead tbody tfoot colgroup col",
    kernel.ROW: "tr",
    kernel.CELL: "td th",
}
"""What elements are to lines of text; all others are divisions."""

KIND_OF_NAME = {name: kind for kind, names in NAMES_BY_KIND.items() for name in re.split(r"\s+", names)}
KINDS = bytes(KIND_OF_NAME.get(name, kernel.DIVISION) for name in (*TAGS, ""))
"""By the number of a tag, what it is; the last entry is that of unknown names."""


class Places(NamedTuple):
    """Where blocks stand on their page."""

    before: bytes
    """[k] What is between a block and the one before it: SPACE, TAB, LINE or TWO_LINES of the kernel."""
    table: Int32Array
    """[k] The table that it is in a cell of; NO_NODE in none, or in one that only arranges what is in it."""
    row: Int32Array
    """[k] The row of that table."""
    cell: Int32Array
    """[k] The cell."""


def places(page: Page, starts: Int32Array, ends: Int32Array) -> Places:
    """Where blocks stand: `starts` and `ends` are those of `labelling.Labels`, or of some of its blocks.

    >>> from fastwrap.noise.labelling import label
    >>> labels = label(Page("<table><tr><td>a<td>b<tr><td>c<td>d</table>"))
    >>> found = places(labels.page, labels.starts, labels.ends)
    >>> list(found.before) == [kernel.LINE, kernel.TAB, kernel.LINE, kernel.TAB], found.row.tolist()
    (True, [5, 5, 10, 10])
    """
    return Places(*kernel.places(page.native, starts, ends, KINDS))


def text(page: Page, starts: Int32Array, ends: Int32Array) -> str:
    """The text of blocks. A `pre` that has only such blocks stands as on the page, if that is known.

    >>> from fastwrap.noise.labelling import label
    >>> html = "<h1>Tea</h1><p>Green<br>or black<ul><li>Assam<li>Ceylon</ul><table><tr><td>1 g<td>2 EUR"
    >>> labels = label(Page(html))
    >>> print(text(labels.page, labels.starts, labels.ends).expandtabs(8))
    Tea
    <BLANKLINE>
    Green
    or black
    <BLANKLINE>
    Assam
    Ceylon
    <BLANKLINE>
    1 g     2 EUR
    """
    return kernel.text(page.native, starts, ends, KINDS, list(verbatim(page, starts, ends)))


def verbatim(page: Page, starts: Int32Array, ends: Int32Array) -> Iterator[tuple[int, int, bytes]]:
    """The elements that stand as on the page: their first and last block, and what they say."""
    nodes = np.flatnonzero(page.tag == PREFORMATTED)
    if not len(nodes):
        return
    node_ends = nodes + page.size[nodes]
    # How many texts there are up to each node, and up to the end of each block.
    texts = np.concatenate([[0], np.cumsum(page.tag == TEXT)])
    kept = np.concatenate([[0], np.cumsum(texts[ends] - texts[starts])])
    first, behind = np.searchsorted(starts, nodes), np.searchsorted(starts, node_ends)
    holds_none = np.append(nodes[1:], len(page)) >= node_ends
    is_whole = (kept[behind] - kept[first] == texts[node_ends] - texts[nodes]) & (first < behind)
    for place in np.flatnonzero(holds_none & is_whole).tolist():
        if ends.item(behind.item(place) - 1) <= node_ends.item(place) and (said := page.verbatim(nodes.item(place))):
            yield first.item(place), behind.item(place) - 1, said.encode("utf-8", "replace")
