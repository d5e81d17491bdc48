"""The ends of a chosen set, once more, by their links: part of the twin of `record_sets`."""

from __future__ import annotations

from tests.reference.regions.chosen import ChosenSet, Search, Span, kind_of_most

FEWEST = 4
"""Records that say what the others link to."""
SAME = 0.2
"""Of the records, those that link to the kind of page that one left out links to."""
LINKED = 0.95
"""Of the other records, those that have a link, for one without to be none."""
LARGER, SMALLER, TINY = 2.5, 0.4, 0.2
"""Times the content of a record on average: what is no record has more, or less; the last where it links as all do."""


def links_like(search: Search, chosen: ChosenSet, odd: Span) -> bool:
    """Whether what was left out as odd links where some of the records do, and is not small."""
    kind = search.first_kind(*odd)
    same = sum(search.first_kind(*span) == kind for span in chosen.spans)
    mean = sum(search.letters(*span) / len(chosen.spans) for span in chosen.spans)
    if kind is None or same < SAME * len(chosen.spans) or not search.is_free(*odd):
        return False
    return search.letters(*odd) >= (TINY if same >= LINKED * len(chosen.spans) else SMALLER) * mean


def is_none(search: Search, chosen: ChosenSet, place: int) -> bool:
    """Whether a record has no link where the others do; or links elsewhere, and is of another size."""
    others = len(chosen.spans) - 1
    kinds = [search.first_kind(*span) for span in chosen.spans]
    if kinds[place] is None:
        return sum(kind is not None for kind in kinds) >= LINKED * others
    kind = kind_of_most(kinds, LINKED * others / len(kinds))
    hosts = [None if kind is None else kind[0] for kind in kinds]
    if kind is not None:
        links_elsewhere = kind not in search.kinds(*chosen.spans[place])
    else:
        host = kind_of_most(hosts, LINKED * others / len(kinds))
        links_elsewhere = host is not None and hosts[place] != host
    if not links_elsewhere:
        return False
    letters = search.letters(*chosen.spans[place])
    mean = (sum(search.letters(*span) for span in chosen.spans) - letters) / others
    return not SMALLER * mean <= letters <= LARGER * mean


def settle_ends(search: Search, chosen: ChosenSet) -> None:
    """Take odd ends back that link where the records do; else leave one out that does not."""
    if len(chosen.spans) < FEWEST:
        return
    first, last = ([odd] if odd and links_like(search, chosen, odd) else [] for odd in chosen.odd)
    if first or last:
        chosen.spans = [*first, *chosen.spans, *last]
        chosen.left_out -= len(first) + len(last)
        return
    for place in (0, -1):
        if is_none(search, chosen, place):
            chosen.refused, _ = chosen.spans.pop(place)
            chosen.left_out += 1
            return
