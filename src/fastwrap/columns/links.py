"""Links: which column leads to the records' own pages, and the addresses in it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urljoin

from fastwrap.columns.layout import TEXT_ITEM
from fastwrap.columns.naming import HEADINGS
from fastwrap.page.names import NO_NODE

if TYPE_CHECKING:
    from fastwrap.columns.table import Table

NO_PAGES = ("javascript:", "mailto:", "tel:", "#", "data:")
"""What links that lead to no page begin with."""


def main_link(table: Table) -> int:
    """The column of the links to the records' own pages: of those that differ most, the one with a title in it.
    NO_NODE if there is none."""
    layout, texts = table.layout, table.texts
    tag = layout.tree[0]
    best, best_score = NO_NODE, 0.0
    text_items = {item.slot: item for item in layout.items if item.kind == TEXT_ITEM}
    for item in layout.items:
        if item.kind != "href" or item.list != NO_NODE:
            continue
        links = [cell for row in texts if isinstance(cell := row[item.column], str)]
        links = [link for link in links if not link.lower().startswith(NO_PAGES)]
        if 2 * len(links) < len(texts) or not links:
            continue
        score = len(set(links)) / len(texts)
        below = layout.slots_below(item.slot)
        if any(slot in text_items and not table.fixed[text_items[slot].column] for slot in below):
            score += 0.5  # a text that differs is in it
        if any(int(tag[slot]) in HEADINGS for slot in (*layout.slots_around(item.slot), *below)):
            score += 0.3
        if score > best_score:
            best, best_score = item.column, score
    return best


def absolute(url: str | None, link: str) -> str:
    """The absolute address of a link on the page at `url`; the link as it stands if there is none.

    >>> absolute("https://a.example/list?page=2", " item/1"), absolute(None, "item/1"), absolute("https://[", "x")
    ('https://a.example/item/1', 'item/1', 'x')
    """
    if not url:
        return link
    try:
        return urljoin(url, link.strip())
    except ValueError:
        return link
