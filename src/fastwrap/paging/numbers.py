"""Rows of numbers: which link follows the number of the current page.
Where the row does not show it, the addresses of link and page do."""

from __future__ import annotations

from itertools import groupby, pairwise
from operator import itemgetter

from fastwrap.limits import union
from fastwrap.page.names import NO_NODE
from fastwrap.paging.addresses import Relation, limits_met
from fastwrap.paging.links import Links
from fastwrap.paging.scanning import LINK

NUMBER_KNOWN = 4
NUMBER_GUESSED = 3

MAX_FOLLOWING = 8
"""Links that follow a current number: the first and last ones."""
MAX_ROW = 32
"""Numbers of a row of links alone."""
MAX_UNCLEAR = 4
"""Rows of links alone."""


def following(links: Links, numbers: list[list[int]]) -> tuple[dict[int, int], tuple[str, ...]]:
    """The links that follow the number of the current page in a row of numbers, with points; and the limits met."""
    points = {}
    unclear = []  # rows of links alone, which do not show where the reader is
    limits: tuple[str, ...] = ()
    for _, group in groupby(numbers, key=itemgetter(4)):
        row = [*group]
        for (_, _, last, last_kind, _), (node, first, _, kind, _) in pairwise(row):
            if last_kind != LINK and kind == LINK and first == last + 1:
                points[node] = NUMBER_KNOWN
        if all(number[3] == LINK for number in row):
            unclear.append(row)
    # Many such rows are the pages of as many threads, not those of a listing.
    if len(unclear) <= MAX_UNCLEAR and links.here is not None:
        for row in unclear:
            node, met = first_step(links, row)
            limits = union(limits, met)
            if node != NO_NODE:
                points[node] = NUMBER_GUESSED
    if len(points) > MAX_FOLLOWING:
        limits = union(limits, ["paging.numbers"])
        nodes = [*points]
        points = {node: points[node] for node in nodes[: MAX_FOLLOWING // 2] + nodes[-MAX_FOLLOWING // 2 :]}
    return points, limits


def first_step(links: Links, row: list[list[int]]) -> tuple[int, tuple[str, ...]]:
    """The first link of a row that leads on from this page, NO_NODE if none does or the last one does not; and the
    limits met."""
    of_last = links.relation(links.href(row[-1][0]))
    if of_last is not Relation.STEP:
        return NO_NODE, limits_met([of_last])
    relations = []
    last = 1
    for node, first, end, _, _ in row[:MAX_ROW]:
        if first == last + 1:
            relations.append(links.relation(links.href(node)))
            if relations[-1] is Relation.STEP:
                return node, limits_met(relations)
        last = end
    return NO_NODE, union(limits_met(relations), ["paging.numbers"] if len(row) > MAX_ROW else [])
