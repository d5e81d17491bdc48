"""A page that is searched for records, a set that was chosen on it, and how sets are measured: part of the twin of
`record_sets`, for its steps to share."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np

from fastwrap import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import ATTRIBUTE_NUMBER
from tests.reference.regions import quality
from tests.reference.regions.content import Content, Floats, Nodes, alike, likeness, tag_paths
from tests.reference.regions.ranking import Kind, href_of, kind_of_address

CLASS = ATTRIBUTE_NUMBER["class"]
Span: TypeAlias = tuple[int, int]
T = TypeVar("T", bound=Hashable)


class RecordSets(NamedTuple):
    """Sets of records, one after the other."""

    records: Int32Array
    """[r, 2] The spans of the records, in order within a set."""
    first: Int32Array
    """[s + 1] Set i has the records first[i] up to first[i + 1], at least two."""
    coverage: Floats
    """[s] Property 3: the share of the page's content that is in the records."""
    similarity: Floats
    """[s] Property 4: of the records to each other."""
    variety: Floats
    """[s] Property 4: of the items within a record."""
    cuts: Int32Array
    """[s, 3] The form, the sets that were joined, and the odd records that were left out."""
    odd: list[tuple[Span | None, Span | None]]
    """[s] The first and the last record, where these were left out as odd ones."""

    @property
    def quality(self) -> Floats:
        """[s] The product of the three."""
        product: Floats = self.coverage * self.similarity * self.variety
        return product


def measure(
    nodes: Nodes, content: Content, records: Int32Array, first: Int32Array, form: Int32Array, parts: Int32Array
) -> RecordSets:
    """The sets without the odd records at their ends, and with their quality."""
    last = first[1:] - 1
    has_next = np.ones(len(records), dtype=np.bool_)
    has_next[last] = False
    place = np.flatnonzero(has_next)
    to_next = np.zeros(len(records))
    to_next[place] = likeness(nodes, records[place], records[place + 1])
    kept, letters, similarity, variety = quality.measure(
        records, first, to_next, content.before, content.item, nodes.options.odd_record, nodes.options.full_record
    )
    narrowed = np.append(np.int32(0), np.cumsum(kept, dtype=np.int32)[last])
    cuts = np.stack((form, parts, np.diff(first) - np.diff(narrowed)), axis=1).astype(np.int32)
    spans = [None if own else (int(start), int(end)) for own, (start, end) in zip(kept, records, strict=True)]
    odd = [(spans[start], spans[end]) for start, end in zip(first[:-1], last, strict=True)]
    return RecordSets(records[kept], narrowed, letters / content.total, similarity, variety, cuts, odd)


@dataclass
class ChosenSet:
    """A set of records that was chosen, which the further steps change."""

    spans: list[Span]
    form: int
    parts: int
    left_out: int
    scores: tuple[float, float, float]
    """Coverage, similarity and variety."""
    odd: tuple[Span | None, Span | None]
    refused: int | None = None
    """A node that was left out because of its links."""
    added: int = 0

    @classmethod
    def of(cls, sets: RecordSets, number: int) -> ChosenSet:
        """One of many sets."""
        form, parts, left_out = sets.cuts[number].tolist()
        spans = [(start, end) for start, end in sets.records[sets.first[number] : sets.first[number + 1]].tolist()]
        scores = float(sets.coverage[number]), float(sets.similarity[number]), float(sets.variety[number])
        return cls(spans, form, parts, left_out, scores, sets.odd[number])

    @property
    def starts(self) -> list[int]:
        """Where the records start: the records themselves, if they are single nodes."""
        return [start for start, _ in self.spans]


class Search:
    """A page, what is seen of it, where its links lead, and what is taken by the sets that were chosen so far."""

    def __init__(self, page: Page, nodes: Nodes, content: Content) -> None:
        self.nodes, self.content = nodes, content
        self.tag, self.parent, self.size = nodes.tag.tolist(), nodes.parent.tolist(), nodes.size.tolist()
        self.style, self.path_with_styles = nodes.style_symbol.tolist(), nodes.path_symbol.tolist()
        self.paths: list[int] = tag_paths(nodes).tolist()
        self.before: list[float] = content.before.tolist()
        self.is_item: list[bool] = (content.item >= 0).tolist()
        self.address = [href_of(page, node) for node in range(len(self.tag))]
        self.kind = [None if address is None else kind_of_address(address) for address in self.address]
        self.taken = bytearray(len(self.tag))
        self.body = page.body
        self.classes = [class_of(page, node) for node in range(len(self.tag))]

    def end(self, node: int) -> int:
        """The node after all those below one."""
        return int(node + self.size[node])

    def letters(self, start: int, end: int) -> float:
        """The content of some nodes."""
        return self.before[end] - self.before[start]

    def letters_of(self, node: int) -> float:
        """The content of a node and all below it."""
        return self.letters(node, self.end(node))

    def items_of(self, node: int) -> int:
        """How many nodes have content, of a node and all below it."""
        return sum(self.is_item[node : self.end(node)])

    def children(self, node: int) -> Iterator[int]:
        """The children of a node."""
        child = node + 1
        while child < self.end(node):
            yield child
            child = self.end(child)

    def text(self, node: int) -> bytes:
        """The text of a node and all below it."""
        start = self.nodes.text_start
        return self.nodes.text[start[node] : start[self.end(node)]]

    def kinds(self, start: int, end: int) -> list[Kind]:
        """The kinds of pages that some nodes link to, in order."""
        return [kind for kind in self.kind[start:end] if kind is not None]

    def first_kind(self, start: int, end: int) -> Kind | None:
        """The first of them."""
        return next(iter(self.kinds(start, end)), None)

    def is_free(self, start: int, end: int) -> bool:
        """Whether none of these nodes is taken."""
        return self.taken.find(1, start, end) < 0

    def alike(self, left: Span, right: Span) -> float:
        """The likeness of two runs."""
        return alike(self.nodes, left, right)

    def alike_within(self, one: int, other: int) -> float:
        """The likeness of what is below two nodes, which have children."""
        return self.alike((one + 1, self.end(one)), (other + 1, self.end(other)))

    def scope(self, spans: Sequence[Span]) -> int:
        """The deepest node that all these are within, or -1."""
        above = self.parent[spans[0][0]]
        while above >= 0 and self.end(above) < spans[-1][1]:
            above = self.parent[above]
        return int(above)

    def give(self, chosen: ChosenSet, spans: list[Span]) -> None:
        """Give a set other records."""
        chosen.spans, chosen.form = spans, 0

    def measure(self, chosen: ChosenSet, odd_record: float | None = None) -> None:
        """Measure a set anew, and leave its odd ends out."""
        records = np.array(chosen.spans, dtype=np.int32)
        bounds, form = np.array([0, len(records)], dtype=np.int32), np.array([chosen.form], dtype=np.int32)
        options = self.nodes.options
        if odd_record is not None:
            self.nodes.options = options._replace(odd_record=odd_record)
        found = ChosenSet.of(measure(self.nodes, self.content, records, bounds, form, form), 0)
        self.nodes.options = options
        chosen.spans, chosen.left_out, chosen.scores, chosen.odd = found.spans, found.left_out, found.scores, found.odd


def class_of(page: Page, node: int) -> bytes | None:
    """The attribute `class` of a node."""
    start, value_start = page.attribute_start, page.arrays.value_start
    for entry in range(int(start[node]), int(start[node + 1])):
        if page.arrays.attribute_name[entry] == CLASS:
            return page.arrays.values[value_start[entry] : value_start[entry + 1]]
    return None


def vote(ballots: Iterable[T | None]) -> tuple[T | None, int]:
    """What most have of those that have any, and how many do; something else if there is no majority (Boyer & Moore
    1981)."""
    lead, candidate, cast = 0, None, [ballot for ballot in ballots if ballot is not None]
    for ballot in cast:
        if lead == 0:
            candidate = ballot
        lead += 1 if ballot == candidate else -1
    return candidate, cast.count(candidate) if candidate is not None else 0


def kind_of_most(kinds: Sequence[T | None], share: float) -> T | None:
    """What at least this share have, more than half."""
    return next((kind for kind in set(kinds) - {None} if kinds.count(kind) >= share * len(kinds)), None)
