"""Chooses the link that leads to the next page: labels and numbers propose, the addresses of link and page decide.
Each link has points for what it says, how it is marked, for its number, and for its address."""

from __future__ import annotations

from typing import NamedTuple

from fastwrap.page import Page
from fastwrap.paging.addresses import Relation, joined
from fastwrap.paging.labels import MARK, PREVIOUS
from fastwrap.paging.links import Links
from fastwrap.paging.marks import NEVER, PAGER, label, labelled, surroundings
from fastwrap.paging.numbers import following
from fastwrap.paging.scanning import HREF, LINK_ELEMENT, scan

# How many points make a next page. A full label or number (4) needs nothing but an address that is not against it; a
# weak one (2) needs an address that pages on from this one (3).
ENOUGH = 5
SURE = 7
"""A known number and an address that pages on: labels would add nothing."""

MAX_ALIKE = 4
"""Links to one address."""
MAX_CANDIDATES = 8
"""Links that are compared with others in the end."""

RELATION_POINTS = {
    Relation.STEP: 3,
    Relation.BACK: -6,
    Relation.SAME: NEVER,
    Relation.PAGED: 1,
    Relation.KIN: 0,
    Relation.OTHER: -2,
    Relation.FOREIGN: -4,
    Relation.NOWHERE: NEVER,
    Relation.LIKELY: 2,
    Relation.UNKNOWN: 1,
}


class Candidate:
    """A link that may lead to the next page, with the points of all links to the same address."""

    __slots__ = ("label", "node", "number", "relation", "surroundings")

    def __init__(self, node: int, relation: Relation, number: int = 0) -> None:
        self.node = node
        self.relation = relation
        self.number = number
        self.label = 0
        self.surroundings = 0

    @property
    def points(self) -> int:
        """The sum."""
        # Which way is next is the page's own word: what it calls so may have the smaller number.
        labelled_back = self.relation is Relation.BACK and self.label >= MARK
        direction = RELATION_POINTS[Relation.STEP if labelled_back else self.relation]
        return self.label + self.number + direction + self.surroundings


def ranked(links: Links) -> list[Candidate]:
    """The links that may lead to the next page, best first; of sure ones no more than that."""
    scanned, numbers = scan(links.page)
    found: dict[bytes, Candidate] = {}
    for node, points in following(links, numbers).items():
        href = links.href(node)
        found[href] = Candidate(node, links.relation(href), number=points)
    sure = [candidate for candidate in found.values() if candidate.points >= SURE]
    if len(sure) == 1:
        return sure
    for href, node, points in labelled(links, scanned):
        candidate = found.get(href)
        if candidate is None:
            candidate = found[href] = Candidate(node, links.relation(href))
        candidate.label = max(candidate.label, points)
    likely = [candidate for candidate in found.values() if candidate.points >= ENOUGH - PAGER]
    for candidate in likely:
        if candidate.relation is not Relation.STEP:
            candidate.surroundings = surroundings(links, candidate.node)
    return sorted(likely, key=lambda candidate: (-candidate.points, -candidate.number, candidate.node))


def is_previous(links: Links, candidate: Candidate) -> bool:
    """Whether another link to the same address is labelled as previous."""
    # Only what the head says may be at odds with what is seen, and only what leads back is worth the doubt.
    if candidate.relation is not Relation.BACK and links.page.tag[candidate.node] != LINK_ELEMENT:
        return False
    nodes = links.with_value(HREF, links.href(candidate.node))
    if len(nodes) > MAX_ALIKE:
        links.limits.add("labels")
    return any(
        label(links, node, links.attributes(node)) == PREVIOUS for node in nodes[:MAX_ALIKE] if node != candidate.node
    )


class NextPage(NamedTuple):
    """What was found of the next page."""

    address: str | None
    limits: tuple[str, ...]
    """Steps whose budget was met: there may be another link that leads on. "labels" if the page has very many links
    with labels like those of pagers, "numbers" if very many rows of numbers, or long ones, "addresses" if a link has
    an address too long to be looked at."""


def find(page: Page) -> NextPage:
    """The next page of the listing that a page is of, and which limits the search for it met.

    >>> find(Page("<a href='/list/2'>Next</a>"))
    NextPage(address='/list/2', limits=())
    """
    while page.original is not None:
        page = page.original
    links = Links(page)
    found = None
    candidates = ranked(links)
    for candidate in candidates[:MAX_CANDIDATES]:
        if candidate.points >= ENOUGH and not is_previous(links, candidate):
            found = joined(links.base, links.href(candidate.node))
            break
    else:
        if len(candidates) > MAX_CANDIDATES:
            links.limits.add("labels")
    return NextPage(found, tuple(sorted(links.limits)))


def next_page(page: Page) -> str | None:
    """The address of the next page of the listing that a page is of; None where there is none.

    It is absolute where the address of the page is known, else as it stands; never that of the page itself. Of a page
    that noise was removed from, the original is asked.

    >>> html = "<ul><li>one<li>two</ul> <a href='?page=1'>1</a> <b>2</b> <a href='?page=3'>3</a>"
    >>> next_page(Page(html, "http://example.org/list?page=2"))
    'http://example.org/list?page=3'
    >>> next_page(Page("<a href='/list/2'>Suivant &rsaquo;</a>"))
    '/list/2'
    >>> next_page(Page("<a href='/list/1'>Previous</a>")) is None
    True
    """
    return find(page).address
