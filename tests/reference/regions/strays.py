"""Records that stand elsewhere: single ones, and lists that were chosen as two: part of the twin of `record_sets`."""

from __future__ import annotations

from fastwrap.page.names import TEXT
from tests.reference.regions.chosen import ChosenSet, Search, kind_of_most
from tests.reference.regions.segmentation import SINGLE_NODES

FEWEST = 3
"""Records of a set whose strays are looked for."""
SMALLEST = 0.4
"""Of the content and the items of a record on average, what other records have."""
JOINED, LOOKED_AT = 8, 24
"""Chosen sets, the best ones, that others may belong to; and how many of all are looked at."""
KINDRED, ALIKE = 0.6, 0.7
"""Of the records, those that link to one kind of page; and the likeness of what is in two records."""


def of_a_size(one: float, other: float) -> bool:
    """Whether neither is much smaller."""
    return min(one, other) >= SMALLEST * max(one, other)


def gather_strays(search: Search, chosen: ChosenSet) -> None:
    """Add to a set of single nodes what has their tag and style, about their content and a tree like theirs, within the
    deepest node that has all of them, unless that is their parent."""
    spans, records = chosen.spans, chosen.starts
    styles, above = {search.style[node] for node in records}, search.scope(spans)
    if chosen.form != SINGLE_NODES or search.tag[records[0]] == TEXT or len(records) < FEWEST:
        return
    if len(styles) > 1 or 0 in styles or above in (-1, search.parent[records[0]]):
        return
    tag, style, middle = search.tag[records[0]], search.style[records[0]], spans[len(spans) // 2]
    letters = sum(search.letters(*span) / len(spans) for span in spans)
    own = {node for span in spans for node in range(*span)}
    found: list[int] = []
    for node in range(above + 1, search.end(above)):
        end = search.end(node)
        if (
            search.tag[node] == tag
            and search.style[node] == style
            and own.isdisjoint(range(node, end))
            and (not found or node >= search.end(found[-1]))
            and of_a_size(search.letters_of(node), letters)
            and search.is_free(node, end)
            and search.alike((node, end), middle) >= search.nodes.options.similarity
        ):
            found.append(node)
    chosen.spans = sorted(spans + [(node, search.end(node)) for node in found])
    chosen.added += len(found)


def are_near(search: Search, one: int, other: int) -> bool:
    """Whether two nodes have a parent or grandparent in common, or the parent of one is the other's grandparent."""
    above, other_above = search.parent[one], search.parent[other]
    if above == other_above:
        return True
    if above <= 0 or other_above <= 0:
        return False
    return not {above, search.parent[above]}.isdisjoint({other_above, search.parent[other_above]})


def belong_together(search: Search, one: ChosenSet, other: ChosenSet) -> bool:
    """Whether two sets are one list: near each other, with links to one kind of page or to any, of a size, alike."""
    middles = [sets.starts[len(sets.spans) // 2] for sets in (one, other)]
    if any(sets.form != SINGLE_NODES for sets in (one, other)) or any(search.size[node] < 2 for node in middles):
        return False
    kinds = [[search.first_kind(*span) for span in sets.spans] for sets in (one, other)]
    letters = [sum(search.letters(*span) / len(sets.spans) for span in sets.spans) for sets in (one, other)]
    items = [sum(search.items_of(node) / len(sets.spans) for node in sets.starts) for sets in (one, other)]
    return (
        are_near(search, *middles)
        and all(any(kind is not None for kind in own) for own in kinds)
        and kind_of_most(kinds[0], KINDRED) == kind_of_most(kinds[1], KINDRED)
        and of_a_size(*letters)
        and of_a_size(*items)
        and search.alike_within(*middles) >= ALIKE
    )


def join_chosen(search: Search, chosen: list[ChosenSet]) -> list[ChosenSet]:
    """The chosen sets, where those that are one list are one."""
    place = 0
    while place < min(len(chosen), JOINED):
        one, kept = chosen[place], chosen[: place + 1]
        for number, other in enumerate(chosen[place + 1 :], place + 1):
            if number < LOOKED_AT and belong_together(search, one, other):
                one.spans = sorted(one.spans + other.spans)
                one.parts += other.parts
                one.scores = one.scores[0] + other.scores[0], *one.scores[1:]
            else:
                kept.append(other)
        chosen = kept
        place += 1
    return chosen
