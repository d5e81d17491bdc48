"""Rows of numbers: which link follows the number of the current page.
Where the row does not show it, the addresses of link and page do."""

from __future__ import annotations

from fastwrap.page.names import NO_NODE
from fastwrap.paging.addresses import Relation
from fastwrap.paging.links import Links
from fastwrap.paging.scanning import LINK

NUMBER_KNOWN = 4
NUMBER_GUESSED = 3

MAX_FOLLOWING = 8
"""Links that follow a current number: the first and last ones."""
MAX_ROW = 32
"""Numbers of a row of links alone."""
MAX_UNCLEAR = 4
"""Rows of links alone, which do not show where the reader is."""


def following(links: Links, numbers: list[list[int]]) -> dict[int, int]:
    """The links that follow the number of the current page in a row of numbers, with points."""
    found = {}
    unclear: dict[int, list[list[int]]] = {}
    clear = set()
    last, was, before = 0, LINK, NO_NODE
    for number in numbers:
        node, first, end, kind, row = number
        if kind != LINK:
            clear.add(row)
        elif was != LINK and first == last + 1 and row == before:
            found[node] = NUMBER_KNOWN
        unclear.setdefault(row, []).append(number)
        last, was, before = end, kind, row
    # Many rows of links alone are the pages of as many threads, not those of a listing.
    if len(unclear) - len(clear) <= MAX_UNCLEAR and links.here is not None:
        for row in [row for row in unclear if row not in clear]:
            if (node := first_step(links, unclear[row])) != NO_NODE:
                found[node] = NUMBER_GUESSED
    if len(found) > MAX_FOLLOWING:
        links.limits.add("numbers")
        nodes = [*found]
        found = {node: found[node] for node in nodes[: MAX_FOLLOWING // 2] + nodes[-MAX_FOLLOWING // 2 :]}
    return found


def first_step(links: Links, row: list[list[int]]) -> int:
    """The first link of a row that leads on from this page; NO_NODE if none does, or the last one does not."""
    if links.relation(links.href(row[-1][0])) is Relation.STEP:
        last = 1
        for node, first, end, _, _ in row[:MAX_ROW]:
            if first == last + 1 and links.relation(links.href(node)) is Relation.STEP:
                return node
            last = end
        if len(row) > MAX_ROW:
            links.limits.add("numbers")
    return NO_NODE
