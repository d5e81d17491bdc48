"""Sets on the wrong level: records that are groups of records, or parts of them: part of the twin of `record_sets`."""

from __future__ import annotations

import itertools

from fastwrap.page.names import TAG_NUMBER
from tests.reference.regions.chosen import ChosenSet, Search, Span, kind_of_most, vote
from tests.reference.regions.ranking import Kind
from tests.reference.structured.listed import essence

KINDRED = 0.6
"""Of the records, those that link to one kind of page, for it to be theirs."""
MORE_LINKS = 1.4
"""Links to different pages for each record, from which on records are groups."""
HELD, ALIKE, CONTENT = 0.7, 0.8, 0.25
"""Of the content of groups, what the records in them have; of these records, those that are at one tag path, and those
that have at least this share of the content of one on average."""
SINGLE = 0.9
"""Of the records of groups, those that link to one page of the kind."""
COMPARED = 32
"""Pairs of neighbours."""
FEWEST_ITEMS, FEWEST_WHOLE, OUTSIDE = 2, 3, 0.04
"""Items that a record has besides its parts, records that have parts, and the share of its content besides them."""


# Groups of records


def kind_of_set(search: Search, spans: list[Span]) -> Kind | None:
    """The kind of page that half of the links or more lead to, if most records have one to it."""
    kinds = [kind for span in spans for kind in search.kinds(*span)]
    kind, count = vote(kinds)
    have = sum(kind in search.kinds(*span) for span in spans)
    return kind if 2 * count >= len(kinds) and have >= KINDRED * len(spans) else None


class Links:
    """The links of a page to one kind of page."""

    def __init__(self, search: Search, kind: Kind) -> None:
        self.search, self.kind = search, kind

    def addresses(self, start: int, end: int) -> list[bytes]:
        """Where links lead to, one after the other; several to one page in a row count once."""
        own = [node for node in range(start, end) if self.search.kind[node] == self.kind]
        return [address for address, _ in itertools.groupby(essence(self.search.address[node] or b"") for node in own)]

    def holders(self, start: int, end: int) -> list[int]:
        """Of each link of a record to several pages, the largest tree around it that links to one page."""
        if len(self.addresses(start, end)) < 2:
            return []
        found = []
        for node in range(start, end):
            if self.search.kind[node] == self.kind:
                holder, above = node, self.search.parent[node]
                while above >= start and len(self.addresses(above, self.search.end(above))) == 1:
                    holder, above = above, self.search.parent[above]
                found.append(holder)
        return found


def tops(search: Search, span: Span) -> list[int]:
    """The siblings that a run is made of."""
    found = [span[0]]
    while search.end(found[-1]) < span[1]:
        found.append(search.end(found[-1]))
    return found


def are_records(search: Search, links: Links, found: list[int], letters: float) -> bool:
    """Whether these have most of the content of groups, about the same each, link to one page each, and are alike."""
    each = [search.letters_of(node) for node in found]
    single = sum(len(links.addresses(node, search.end(node))) == 1 for node in found)
    enough = sum(own * len(found) >= CONTENT * sum(each) for own in each)
    if sum(each) < HELD * letters or enough < ALIKE * len(found) or single < SINGLE * len(found):
        return False
    pairs = list(itertools.pairwise(found))[:COMPARED]
    alike = sum(search.alike_within(*pair) for pair in pairs if min(search.size[node] for node in pair) > 1)
    return alike >= search.nodes.options.similarity * len(pairs)


def split_groups(search: Search, chosen: ChosenSet) -> None:
    """Give a set the records of its groups, if its records are groups."""
    spans = chosen.spans
    kind = kind_of_set(search, spans)
    if kind is None:
        return
    links = Links(search, kind)
    if sum(len(links.addresses(*span)) for span in spans) < MORE_LINKS * len(spans):
        return
    held = [search.paths[holder] for span in spans for holder in links.holders(*span)]
    path = kind_of_most(held, ALIKE)
    are_runs = path is None and 2 * sum(len(tops(search, span)) > 1 for span in spans) >= len(spans)
    if are_runs:
        nodes = [node for span in spans for node in tops(search, span)]
    else:
        nodes = [node for span in spans for node in range(*span) if search.paths[node] == path]
    found = [node for node in nodes if links.addresses(node, search.end(node))]
    letters = sum(search.letters(*span) for span in spans)
    if len(found) < MORE_LINKS * len(spans) or not are_records(search, links, found, letters):
        return
    if not are_runs and search.tag[found[0]] in (TAG_NUMBER["td"], TAG_NUMBER["th"]):
        return
    search.give(chosen, [(node, search.end(node)) for node in found])
    if not are_runs:
        search.measure(chosen)


# Parts of records


def is_whole(search: Search, node: int, parts: set[int]) -> bool:
    """Whether a node has a link, several items and enough content besides its parts, given by their nodes."""
    outside = [inner for inner in range(node, search.end(node)) if inner not in parts]
    is_linked = any(search.kind[inner] is not None for inner in outside)
    items = sum(search.is_item[inner] for inner in outside)
    letters = sum(search.letters(inner, inner + 1) for inner in outside)
    return is_linked and items >= FEWEST_ITEMS and letters >= OUTSIDE * search.letters_of(node)


def lift_parts(search: Search, chosen: ChosenSet) -> None:
    """Give a set that was joined the siblings around its records, if these are parts of them."""
    linked = sum(search.first_kind(*span) is not None for span in chosen.spans)
    above = search.scope(chosen.spans)
    if chosen.parts < 2 or 2 * linked >= len(chosen.spans) or above < 0:
        return
    parts = {node for span in chosen.spans for node in range(*span)}
    around = [child for child in search.children(above) if not parts.isdisjoint(range(child, search.end(child)))]
    if not all(is_whole(search, node, parts) for node in around) or len({search.tag[node] for node in around}) > 1:
        return
    if len(around) < FEWEST_WHOLE or 2 * len(around) > len(chosen.spans):
        return
    if all(search.is_free(node, search.end(node)) for node in around):
        search.give(chosen, [(node, search.end(node)) for node in around])
        search.measure(chosen)
