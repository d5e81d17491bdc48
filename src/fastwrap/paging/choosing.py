"""Chooses the link that leads to the next page: labels and numbers propose, the addresses of link and page decide.
Each link has points for what it says, how it is marked, for its number, and for its address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from fastwrap.limits import union
from fastwrap.page import Page
from fastwrap.paging.addresses import Relation, joined, limits_met
from fastwrap.paging.labels import LABEL, MARK, PREVIOUS
from fastwrap.paging.links import Links
from fastwrap.paging.marks import PAGER, label, labelled, surroundings
from fastwrap.paging.numbers import following
from fastwrap.paging.scanning import LINK_ELEMENT, scan

# How many points make a next page. A full label or number (4) needs nothing but an address that is not against it; a
# weak one (2) needs an address that pages on from this one (3).
ENOUGH = 5
SURE = 7
"""A known number and an address that pages on: labels elsewhere would add nothing."""

NEAR = 64
"""Nodes between a number that is sure and links that may say the same in words."""
MAX_ALIKE = 4
"""Links to one address whose labels are compared."""
MAX_CANDIDATES = 8
"""Links that are compared with others in the end."""


@dataclass(slots=True)
class Candidate:
    """A link that may lead to the next page, with the points of all links to the same address."""

    node: int
    relation: Relation
    number: int = 0
    label: int = 0
    surroundings: int = 0
    in_head: bool = False

    @property
    def points(self) -> int:
        """The sum."""
        # Which way is next is the page's own word: what it calls so may have the smaller number.
        labelled_back = self.relation is Relation.BACK and self.label >= MARK
        _, by_address = Relation.STEP.value if labelled_back else self.relation.value
        return self.label + self.number + by_address + self.surroundings


def ranked(links: Links) -> tuple[list[Candidate], tuple[str, ...]]:
    """The links that may lead to the next page, best first, of sure ones no more than that; and the limits met."""
    scanned, numbers = scan(links.page)
    by_href: dict[str, Candidate] = {}
    followers, limits = following(links, numbers)
    for node, points in followers.items():
        href = links.href(node)
        by_href[href] = Candidate(node, links.relation(href), number=points)
    sure = [candidate for candidate in by_href.values() if candidate.points >= SURE]
    if len(sure) == 1:
        # Only words beside the number matter now, and they where they lead by another address.
        node = sure[0].node
        near = [link for link in scanned if abs(link[0] - node) <= NEAR]
        scanned = [link for link in near if links.href(link[0]) != links.href(node)] if near else near
    speaking, met = labelled(links.page, scanned)
    limits = union(limits, met)
    for href, node, points in speaking:
        candidate = by_href.get(href)
        if candidate is None:
            candidate = by_href[href] = Candidate(node, links.relation(href))
        candidate.label = max(candidate.label, points)
    limits = union(limits, limits_met(candidate.relation for candidate in by_href.values()))
    if len(sure) == 1:
        return with_word(links, sure, by_href), limits
    likely = [candidate for candidate in by_href.values() if candidate.points >= ENOUGH - PAGER]
    for candidate in likely:
        if candidate.relation is not Relation.STEP:
            candidate.surroundings = surroundings(links.page, candidate.node)
    for candidate in likely:
        candidate.in_head = bool(links.page.tag[candidate.node] == LINK_ELEMENT)
    # What is seen goes before what the head says, unless that has more to say for it.
    likely.sort(key=lambda each: (each.in_head - each.points, each.in_head, -each.number, each.node))
    return with_word(links, likely, by_href), limits


def with_word(links: Links, candidates: list[Candidate], by_href: dict[str, Candidate]) -> list[Candidate]:
    """The candidates; where the first is but a number, behind the link, if any, that says "next" and leads to the same
    page by an address of its own."""
    if not candidates or not candidates[0].number or candidates[0].label:
        return candidates
    href = links.href(candidates[0].node)
    same = [
        candidate
        for candidate in by_href.values()
        if candidate.label >= LABEL
        and candidate.points >= ENOUGH
        and links.is_same_page(links.href(candidate.node), href)
    ]
    return same[:1] + candidates


class NextPage(NamedTuple):
    """The next page of a listing."""

    address: str | None
    """None where none was found."""
    limits: tuple[str, ...]
    """Steps whose budget was met (`fastwrap.limits`): there may be another link that leads on."""


def find(page: Page) -> NextPage:
    """The next page of the listing that a page is of, and which limits the search for it met.

    >>> find(Page("<a href='/list/2'>Next</a>"))
    NextPage(address='/list/2', limits=())
    """
    while page.original is not None:
        page = page.original
    links = Links(page)
    candidates, limits = ranked(links)
    for candidate in candidates[:MAX_CANDIDATES]:
        if candidate.points < ENOUGH:
            break
        href = links.href(candidate.node)
        in_head = page.tag[candidate.node] == LINK_ELEMENT
        # Only what the head says may be at odds with what is seen, and only what leads back is worth the doubt.
        alike = links.with_value("href", href) if in_head or candidate.relation is Relation.BACK else []
        seen = [node for node in alike if page.tag[node] != LINK_ELEMENT]
        if in_head and links.is_front and not seen:
            continue  # front pages have it from their software, whether or not their list goes on there
        if len(seen) > MAX_ALIKE:
            limits = union(limits, ["paging.labels"])
        if PREVIOUS not in (label(page, node) for node in seen[:MAX_ALIKE] if node != candidate.node):
            return NextPage(joined(links.base, href), limits)
    if len(candidates) > MAX_CANDIDATES:
        limits = union(limits, ["paging.labels"])
    return NextPage(None, limits)


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
