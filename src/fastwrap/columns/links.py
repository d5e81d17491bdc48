"""Links: which column leads to the records' own pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastwrap.columns.layout import TEXT_ITEM
from fastwrap.page.names import NO_NODE

if TYPE_CHECKING:
    from fastwrap.columns.table import Table

NO_PAGES = ("javascript:", "mailto:", "tel:", "#", "data:")
"""What links that lead to no page begin with."""


LONGEST_START = max(map(len, NO_PAGES))


def main_link(table: Table) -> int:
    """The column of the links to the records' own pages: of those that differ most, the one with a title in it.
    NO_NODE if there is none."""
    layout, texts = table.layout, table.texts
    best, best_score = NO_NODE, 0.0
    # Items are in the order of slots.
    differing = [item.slot for item in layout.items if item.kind == TEXT_ITEM and not table.fixed[item.column]]
    for item in layout.items:
        if item.kind != "href" or item.list != NO_NODE:
            continue
        links = [cell for row in texts if isinstance(cell := row[item.column], str)]
        links = [link for link in links if not link[:LONGEST_START].lower().startswith(NO_PAGES)]
        if 2 * len(links) < len(texts) or not links:
            continue
        score = len(set(links)) / len(texts)
        if layout.has_below(item.slot, differing):
            score += 0.5  # a text that differs is in it
        if layout.in_heading[item.slot] or layout.has_below(item.slot, layout.heading_slots):
            score += 0.3
        if score > best_score:
            best, best_score = item.column, score
    return best
