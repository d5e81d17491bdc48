"""Rows of numbers: which link follows the number of the current page.
Where the row does not show it, the addresses of link and page do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby, pairwise
from operator import itemgetter

from fastwrap.limits import union
from fastwrap.page.names import NO_NODE
from fastwrap.paging.addresses import DIGITS, LAST_NAME, MAX_ADDRESS, Relation, as_number, is_date, limits_met
from fastwrap.paging.links import Links
from fastwrap.paging.scanning import CURRENT, LINK
from fastwrap.paging.words import TIME_NAMES

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
    following_known: dict[int, list[list[int]]] = {}  # the links, with their rows
    unclear = []  # rows of links alone, which do not show where the reader is
    limits: tuple[str, ...] = ()
    for row in rows_of(numbers):
        for node in followers(row):
            following_known[node] = row
        if all(number[3] == LINK for number in row):
            unclear.append(row)
    if len(following_known) > MAX_FOLLOWING:
        limits = union(limits, ["paging.numbers"])
        nodes = [*following_known]
        kept = nodes[: MAX_FOLLOWING // 2] + nodes[-MAX_FOLLOWING // 2 :]
        following_known = {node: following_known[node] for node in kept}
    points = {node: NUMBER_KNOWN + is_steady(links, row) for node, row in following_known.items()}
    # Many such rows are the pages of as many threads, not those of a listing.
    if len(unclear) <= MAX_UNCLEAR:
        for row in unclear:
            node, met = first_step(links, row)
            limits = union(limits, met)
            if node != NO_NODE:
                points[node] = NUMBER_GUESSED
        if not points:
            points = dict.fromkeys(after_gaps(links, unclear), NUMBER_GUESSED)
    return points, limits


def rows_of(numbers: list[list[int]]) -> Iterator[list[list[int]]]:
    """The numbers by row."""
    for _, group in groupby(numbers, key=itemgetter(4)):
        yield without_doubtful([*group])


def followers(row: list[list[int]]) -> list[int]:
    """The links of a row that follow the number of the current page."""
    return [
        node
        for (_, _, last, last_kind, _), (node, first, _, kind, _) in pairwise(row)
        if last_kind != LINK and kind == LINK and first == last + 1
    ]


def after_gaps(links: Links, rows: list[list[list[int]]]) -> list[int]:
    """Of rows of links alone, the link after the number that is left out, if all agree on it: there the reader is."""
    steady = [row for row in rows if is_steady(links, row)]
    nodes = {links.href(node): node for node in map(after_gap, steady) if node != NO_NODE}
    return [*nodes.values()] if len(nodes) == 1 else []


def without_doubtful(row: list[list[int]]) -> list[list[int]]:
    """A row in which at most one link is that of the current page: where several are marked, as those next to it are
    on some pages, the marks say something else."""
    if sum(number[3] == CURRENT for number in row) < 2:
        return row
    return [[*number[:3], LINK if number[3] == CURRENT else number[3], number[4]] for number in row]


def is_steady(links: Links, row: list[list[int]]) -> bool:
    """Whether the addresses of a row's first links count as the row does: one number in them grows by as much for each
    page, and it is not that of a day."""
    shown = [number for number in row if number[3] == LINK and number[1] > 0][:2]
    pages = shown[1][1] - shown[0][1] if len(shown) == 2 else 0  # ranges may run backwards
    if pages <= 0:
        return False
    first, second = (re.split(DIGITS, links.href(node)[:MAX_ADDRESS]) for node, *_ in shown)
    if first[::2] != second[::2]:
        return False
    places = [k for k in range(1, len(first), 2) if first[k] != second[k]]
    return bool(places) and all(counts_on(first, second, place, pages) for place in places)


def counts_on(first: list[str], second: list[str], place: int, pages: int) -> bool:
    """Whether the number at a place of an address grows by the same for each of so many pages, and is not of a date."""
    before, number = as_number(first[place]), as_number(second[place])
    if before is None or number is None or number <= before or (number - before) % pages:
        return False
    name = re.search(LAST_NAME, first[place - 1][-40:])
    return not is_date(second, place) and not (name and TIME_NAMES.fits(name[1].lower()))


def after_gap(row: list[list[int]]) -> int:
    """In a row of links alone, the one after the only number that is left out; NO_NODE if there is no such number."""
    last = 0
    found = NO_NODE
    for node, first, end, _, _ in row:
        if first == last + 2:
            if found != NO_NODE:
                return NO_NODE
            found = node
        last = end
    return found


def first_step(links: Links, row: list[list[int]]) -> tuple[int, tuple[str, ...]]:
    """The first link of a row that leads on from this page, NO_NODE if none does or the last one does not; and the
    limits met."""
    for (node, *_), (follower, *_) in pairwise(row[:MAX_ROW]):
        if links.page.attributes(node).get("aria-current", "false") != "false":
            return follower, ()
    if links.here is None:
        return NO_NODE, ()
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
