"""Columns: aligns the items of records, so that what means the same thing is in the same column.
Partial tree alignment (PTA, Zhai & Liu 2005): one tree is grown until every record's nodes have a slot in it.

Items are texts, and the attributes href, src, alt and title of elements. The grown tree starts as the record with
most texts. Every record is mapped into it by tree matching, in which nodes of one tag weigh more if they also have
the same class and style, and texts if they are the same label (a text that many records have), so that an optional
item does not take the place of another one. Nodes without a partner are inserted between the partners of their
neighbours if these adjoin; else the record waits until others have shown the order. Equal records are placed once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fastwrap import backend
from fastwrap.arrays import Int32Array
from fastwrap.errors import FastwrapError
from fastwrap.names import ATTRIBUTE_NUMBER, ATTRIBUTES, NO_NODE
from fastwrap.page import Page

if backend.compiled():
    from fastwrap._core import alignment as kernel
else:
    from fastwrap._plain import alignment as kernel  # type: ignore[no-redef]

BUDGET = 10_000_000
"""Cells a call, some hundredths of a second: records beyond it are mapped from left to right, by tags alone."""

TEMPLATE_SHARE = 0.8
"""An item that is the same in more of the records belongs to the template (seed 000, 4.1)."""

LABEL_SHARE = 0.5
"""A text that so many of the records have is a label."""

TEXT_ITEM = -1
"""In place of an attribute's number: the item is the text itself."""

MAX_CELLS = 20_000_000
"""Records times columns: of more columns than that, those with fewest items are left out."""

ITEM_KINDS = np.array(
    [*(ATTRIBUTE_NUMBER[name] for name in ("href", "src", "alt", "title")), TEXT_ITEM], dtype=np.int32
)
"""What an element or a text may give, in the order of columns."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """The items of some records in columns. In every record, items are in the order of their columns."""

    spans: Int32Array
    """[records, 2] The records."""
    nodes: Int32Array
    """[records, columns] The node of each item: a text, or the element that has the attribute. NO_NODE: absent."""
    attribute: Int32Array
    """[columns] Number of the attribute's name (`fastwrap.names`), TEXT_ITEM for a text."""
    slot: Int32Array
    """[columns] Where the items are in the grown tree, whose nodes are numbered in document order. The columns of
    one slot are attributes of the same elements."""
    template: npt.NDArray[np.bool_]
    """[columns] Whether the items are equal in more than 80% of the records."""


def align(page: Page, spans: npt.ArrayLike, budget: int = BUDGET) -> Alignment:
    """Align records, given as spans of nodes (runs of siblings with all below them).

    >>> page = Page("<ul><li><b>a</b><i>1</i><li><b>b</b><u>new</u><i>2</i><li><b>c</b></ul>")
    >>> aligned = align(page, [[4, 9], [9, 16], [16, 19]])
    >>> texts(page, aligned)
    [['a', None, '1'], ['b', 'new', '2'], ['c', None, None]]
    >>> paths(page, aligned)
    ['li/b/#text', 'li/u/#text', 'li/i/#text']
    """
    records = np.array(spans, dtype=np.int32).reshape(-1, 2)
    start, end = np.ascontiguousarray(records.T)
    arrays = page.arrays
    enough = max(2, math.ceil(LABEL_SHARE * len(records)))
    try:
        symbols = kernel.node_symbols(
            page.tag, page.size, page.style_symbol, page.text_start, arrays.text, start, end, enough
        )
    except ValueError as error:
        raise FastwrapError(f"the records cannot be aligned: {error}") from None
    slots = kernel.align(page.tag, page.size, page.parent, start, end, symbols, budget)
    nodes, key, equal = kernel.tabulate(
        page.tag, page.size, page.attribute_start, arrays.attribute_name, arrays.value_start, arrays.values,
        page.text_start, arrays.text, ITEM_KINDS[:-1], start, end, slots, MAX_CELLS,
    )  # fmt: skip
    return Alignment(
        spans=records,
        nodes=nodes,
        attribute=ITEM_KINDS[key % len(ITEM_KINDS)],
        slot=(key // len(ITEM_KINDS)).astype(np.int32),
        template=equal > TEMPLATE_SHARE * len(records),
    )


def texts(page: Page, alignment: Alignment) -> list[list[str | None]]:
    """For each record the items in column order, as they stand on the page; None where one is absent.

    >>> page = Page("<p><a href='/1'>one</a></p><p><a href='/2' title='t'>two</a></p>")
    >>> texts(page, align(page, [[3, 6], [6, 9]]))
    [['/1', None, 'one'], ['/2', 't', 'two']]
    """
    arrays = page.arrays
    record, column = np.nonzero(alignment.nodes != NO_NODE)
    node, attribute = alignment.nodes[record, column], alignment.attribute[column]
    is_text = attribute == TEXT_ITEM
    entry = attribute_entries(page, node[~is_text], attribute[~is_text])
    start, end = np.empty_like(node), np.empty_like(node)
    start[is_text], end[is_text] = page.text_start[node[is_text]], page.text_start[node[is_text] + 1] - 1
    start[~is_text], end[~is_text] = arrays.value_start[entry], arrays.value_start[entry + 1]
    rows: list[list[str | None]] = [[None] * alignment.nodes.shape[1] for _ in alignment.nodes]
    pieces = (part.tolist() for part in (record, column, is_text, start, end))
    for at, place, in_text, first, last in zip(*pieces, strict=True):
        rows[at][place] = (arrays.text if in_text else arrays.values)[first:last].decode("utf-8", "replace")
    return rows


def attribute_entries(page: Page, nodes: Int32Array, attributes: Int32Array) -> Int32Array:
    """Which entry of the attribute arrays each node's attribute is; all are there."""
    entry = page.attribute_start[nodes]
    while (wrong := page.arrays.attribute_name[entry] != attributes).any():
        entry += wrong
    return entry


def paths(page: Page, alignment: Alignment) -> list[str]:
    """For each column the tags from the top of the record down to its items.

    >>> page = Page("<p><a href='/1'>one</a></p><p><a href='/2'>two</a></p>")
    >>> paths(page, align(page, [[3, 6], [6, 9]]))
    ['p/a/@href', 'p/a/#text']
    """
    found = []
    first = (alignment.nodes != NO_NODE).argmax(axis=0).tolist() if len(alignment.spans) else []
    for column, record in enumerate(first):
        attribute = int(alignment.attribute[column])
        steps = [] if attribute == TEXT_ITEM else [f"@{ATTRIBUTES[attribute]}"]
        node = int(alignment.nodes[record, column])
        while node >= alignment.spans[record, 0]:
            steps.append(page.tag_name(node))
            node = int(page.parent[node])
        found.append("/".join(reversed(steps)))
    return found
