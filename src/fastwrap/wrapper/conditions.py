"""Conditions of a selector's step: what tells the nodes that it should select from their siblings of the same tag.
Of the conditions that hold for all of these nodes the fewest are taken, greedily, within a budget for all steps."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fastwrap.common.lazy import lazy_property
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE, SVG_CASE, TAG_NUMBER, TEXT
from fastwrap.page.selectors import PLAIN_NAME, xpath_string
from fastwrap.wrapper.hashes import tokens_without_digits
from fastwrap.wrapper.location import class_of

MOST_CONDITIONS = 4
"""Conditions per step."""

MOST_PLACES = 9
"""Places from either end at which a step may begin or end; also how many counts of children are tried."""

MOST_ABSENT = 64
"""Names that only nodes have which should not be selected: those that most of them have are tried."""

MOST_BELOW = 200
"""Nodes of a subtree whose paths are conditions, ..."""

DEEPEST_BELOW = 3
"""... and steps of these paths."""

BUDGET = 200_000_000
"""For all selectors of a list: about a second. A condition costs one per node that it is tried on, ..."""

NAME_WORK = 200
"""... a name (class token, path below) or a condition costs as much as so many nodes, ..."""

STEP_WORK = 2_000
"""... and a step of a path as much as so many."""

Truths: TypeAlias = npt.NDArray[np.bool_]
Name: TypeAlias = tuple[str, ...]
"""A class token, alone, or a path of tags."""


class BudgetMetError(Exception):
    """The search for selectors would take more than is left of its budget."""


class SearchBudget:
    """What is left of the budget of a search."""

    def __init__(self, budget: int) -> None:
        self.left = budget

    def take(self, amount: int) -> None:
        """Use some of it; BudgetMetError, and none of it is used, if there is not enough."""
        if amount > self.left:
            raise BudgetMetError
        self.left -= amount


class Condition(NamedTuple):
    """Something that may be true of a node, in XPath and in CSS; None where CSS has no way to say it."""

    xpath: str
    css: str | None
    cost: int
    """Of conditions that exclude as many nodes, the one of least cost is taken."""
    counts: bool = False
    """Whether it is about the place among the siblings of the tag."""


def has_class(token: str) -> Condition:
    """The condition that a node has a class token.

    >>> has_class("item").css
    '.item'
    """
    holds = f"contains(concat(' ', normalize-space(@class), ' '), {xpath_string(f' {token} ')})"
    return Condition(holds, f".{escaped(token)}", 1)


def has_no_class(token: str) -> Condition:
    """The condition that a node does not have a class token."""
    has = has_class(token)
    return Condition(f"not({has.xpath})", f":not({has.css})", 3)


def from_first(place: int) -> Condition:
    """The condition that a node has so many siblings of its tag before it."""
    # Near the end, the place from there is more likely to stay the same.
    return Condition(f"position() = {place + 1}", f":nth-of-type({place + 1})", 2 if place < MOST_PLACES else 4, True)


def from_last(place: int) -> Condition:
    """The condition that a node has so many siblings of its tag after it."""
    cost = 3 if place < MOST_PLACES else 5
    return Condition(f"position() = {_last(place)}", f":nth-last-of-type({place + 1})", cost, True)


def _last(place: int) -> str:
    return f"last() - {place}" if place else "last()"


class Candidates(NamedTuple):
    """Conditions that are true of all nodes that should be selected."""

    conditions: list[Condition]
    true: list[Truths]
    """For each condition, which nodes it is true of."""

    def add(self, condition: Condition, true: Truths) -> None:
        """One more."""
        self.conditions.append(condition)
        self.true.append(true)


class NodesByName(NamedTuple):
    """Which nodes have which names. Nodes with the same names are one group, so that much is done once for all."""

    group_of: npt.NDArray[np.intp]
    """[nodes] The group of each."""
    names: list[Name]
    """All of them, in order."""
    starts: npt.NDArray[np.intp]
    """[names + 1] Where the groups of each name begin in `having`."""
    having: npt.NDArray[np.intp]
    """The groups that have the first name, then those that have the second, and so on."""
    size: int
    """How many groups there are."""

    @classmethod
    def of(cls, group_of: npt.NDArray[np.intp], names_of_groups: Iterable[set[Name]]) -> NodesByName:
        """From the group of each node, and the names of each group."""
        having: dict[Name, list[int]] = {}
        size = 0
        for names_of_group in names_of_groups:
            for name in names_of_group:
                having.setdefault(name, []).append(size)
            size += 1
        names = sorted(having)
        return cls(
            group_of,
            names,
            np.cumsum([0, *(len(having[name]) for name in names)]),
            np.array([number for name in names for number in having[name]], dtype=np.intp),
            size,
        )

    def telling(self, meant: Truths, others: Truths) -> tuple[list[int], list[int]]:
        """The names that all nodes have which are meant, and those that only others have, most others first."""
        ours = np.bincount(self.group_of[meant], minlength=self.size) > 0
        theirs = np.bincount(self.group_of[others], minlength=self.size)
        have = self._sums(ours)
        lost = np.where(have == 0, self._sums(theirs), 0)
        absent = np.argsort(-lost, kind="stable")[:MOST_ABSENT]
        return np.flatnonzero(have == np.count_nonzero(ours)).tolist(), absent[lost[absent] > 0].tolist()

    def _sums(self, weights: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """For each name the sum of the weights of its groups."""
        sums = np.cumsum(np.append(0, weights[self.having]))
        differences: npt.NDArray[np.int64] = sums[self.starts[1:]] - sums[self.starts[:-1]]
        return differences

    def true(self, name: int) -> Truths:
        """Which nodes have a name."""
        has = np.zeros(self.size, dtype=np.bool_)
        has[self.having[self.starts[name] : self.starts[name + 1]]] = True
        true: Truths = has[self.group_of]
        return true


class Siblings:
    """All children of one tag of some elements, in document order, and the conditions that tell them apart.

    In its methods `meant` are the nodes that a step should select, and `others` those that it should not.
    """

    def __init__(self, page: Page, parents: Int32Array, tag: int, budget: SearchBudget) -> None:
        self.page = page
        self.budget = budget
        budget.take(len(page))
        self.nodes = children_of(page, parents, tag) if len(parents) else parents

    @lazy_property
    def places(self) -> tuple[Int32Array, Int32Array]:
        """For each node how many siblings of its tag are before it, and how many after it."""
        return places_of(self.page, self.nodes)

    @lazy_property
    def classes(self) -> NodesByName:
        """The class tokens of the nodes."""
        first, group_of = grouped(self.page.style_symbol[self.nodes])
        return NodesByName.of(group_of, (self._tokens(node) for node in self.nodes[first].tolist()))

    def has_class(self, token: str) -> Truths:
        """Which nodes have a class token."""
        place = bisect_left(self.classes.names, (token,))
        if self.classes.names[place : place + 1] != [(token,)]:
            return np.zeros(len(self.nodes), dtype=np.bool_)
        return self.classes.true(place)

    @lazy_property
    def below(self) -> NodesByName:
        """The tag paths of the elements below the nodes."""
        first, group_of = grouped(self.page.structural_class[self.nodes])
        return NodesByName.of(group_of, (self._paths_below(node) for node in self.nodes[first].tolist()))

    @lazy_property
    def child_counts(self) -> Int32Array:
        """How many children of each node are elements."""
        first, group_of = grouped(self.page.structural_class[self.nodes])
        counts = []
        for node in self.nodes[first].tolist():
            below = slice(node + 1, node + int(self.page.size[node]))
            self.budget.take(NAME_WORK + below.stop - below.start)
            counts.append(np.count_nonzero((self.page.parent[below] == node) & (self.page.tag[below] != TEXT)))
        return np.array(counts, dtype=np.int32)[group_of]

    def _tokens(self, node: int) -> set[Name]:
        name = class_of(self.page, node)
        self.budget.take(NAME_WORK + len(name))
        return {(token.decode("utf-8", "replace"),) for token in tokens_without_digits(name)}

    def _paths_below(self, node: int) -> set[Name]:
        """The tag paths of the elements below a node, but for those through a tbody, which other parsers do not add."""
        page = self.page
        names: set[Name] = set()
        paths: dict[int, tuple[str, ...]] = {node: ()}
        end = min(node + int(page.size[node]), node + MOST_BELOW)
        self.budget.take(NAME_WORK * (end - node))
        for below in range(node + 1, end):
            above = paths.get(int(page.parent[below]))
            if above is None or len(above) == DEEPEST_BELOW or page.tag[below] == TEXT:
                continue
            tag = page.tag_name(below)
            if tag != "tbody" and plain(tag):
                paths[below] = (*above, tag)
                names.add(paths[below])
        return names

    def _named(self, nodes: NodesByName, meant: Truths, others: Truths) -> Iterator[tuple[Name, bool, Truths]]:
        """Names that all or none of the meant nodes have: the name, whether all have it, and which nodes have it."""
        self.budget.take(len(nodes.having) + len(self.nodes))
        common, absent = nodes.telling(meant, others)
        self.budget.take(len(common + absent) * (NAME_WORK + len(self.nodes)))
        for number in sorted(common + absent):
            yield nodes.names[number], number in common, nodes.true(number)

    def outside(self, meant: Truths, others: Truths) -> Candidates:
        """The conditions on nodes that do not look into them."""
        candidates = Candidates([], [])
        for (token,), has, true in self._named(self.classes, meant, others):
            candidates.add(has_class(token) if has else has_no_class(token), true if has else ~true)
        for places, is_last in zip(self.places, (False, True), strict=True):
            least, most = int(places[meant].min()), int(places[meant].max())
            if least == most:  # which says more, and at less cost, than that they come after others
                candidates.add(from_last(least) if is_last else from_first(least), places == least)
                continue
            for place in np.unique(places[meant | others])[1:MOST_PLACES].tolist():
                if place <= least:
                    said, nth = (f"<= {_last(place)}", "last-") if is_last else (f"> {place}", "")
                    condition = Condition(f"position() {said}", f":nth-{nth}of-type(n+{place + 1})", 5, True)
                    candidates.add(condition, places >= place)
        return candidates

    def inside(self, meant: Truths, others: Truths) -> Candidates:
        """The conditions on what is in nodes."""
        candidates = Candidates([], [])
        page = self.page
        for path, has, true in self._named(self.below, meant, others):
            inside = f":has(> {' > '.join(map(escaped, path))})"
            steps = "/".join(map(xpath_tag, path))
            if has:
                candidates.add(Condition(steps, inside, 4), true)
            else:
                candidates.add(Condition(f"not({steps})", f":not({inside})", 6), ~true)
        # Not of tables: whether rows are their children depends on the parser.
        if page.tag[self.nodes[0]] != TAG_NUMBER["table"]:
            counts = self.child_counts
            least, most = int(counts[meant].min()), int(counts[meant].max())
            for count in np.unique(counts[meant | others])[1:MOST_PLACES].tolist():
                has_child = f":has(> :nth-child({count}))"
                if count <= least:
                    candidates.add(Condition(f"*[{count}]", has_child, 5), counts >= count)
                if most < count:
                    candidates.add(Condition(f"not(*[{count}])", f":not({has_child})", 6), counts < count)
        has_text = page.text_start[self.nodes] < page.text_start[self.nodes + page.size[self.nodes]]
        if has_text[meant].all():
            candidates.add(Condition("normalize-space()", None, 7), has_text)
        return candidates

    def tell_apart(self, chosen: Int32Array, among: Truths | None = None) -> tuple[tuple[Condition, ...], Int32Array]:
        """The fewest conditions that are true of all chosen nodes, and of as few others as possible; and the nodes that
        they are true of. With `among`, other nodes are ignored."""
        considered = np.ones(len(self.nodes), dtype=np.bool_) if among is None else among
        meant = considered & marked(self.nodes, chosen)
        others = considered & ~meant
        if not others.any() or not meant.any():
            return (), self.nodes[considered]
        outside = self.outside(meant, others)
        best, left = self._choose(outside, others)
        if left.any():
            inside = self.inside(meant, others)
            best, left = self._choose(inside, others)
            if left.any():
                both = Candidates(outside.conditions + inside.conditions, outside.true + inside.true)
                best, left = self._choose(both, others)
        return tuple(best), self.nodes[left | meant]

    def _choose(self, candidates: Candidates, others: Truths) -> tuple[list[Condition], Truths]:
        """Conditions that hold for few of the others, chosen greedily; and the others that they still hold for."""
        best: list[Condition] = []
        left = others
        while left.any() and candidates.conditions and len(best) < MOST_CONDITIONS:
            self.budget.take(len(candidates.conditions) * (NAME_WORK + len(left)))
            counts = [int(np.count_nonzero(true & left)) for true in candidates.true]
            number = min(range(len(counts)), key=lambda k: (counts[k], candidates.conditions[k].cost))
            if counts[number] == np.count_nonzero(left):
                break
            left = left & candidates.true[number]
            best.append(candidates.conditions[number])
        return best, left


def children_of(page: Page, parents: Int32Array, tag: int) -> Int32Array:
    """The children of one tag of elements, which are in document order and not inside each other."""
    first, end = int(parents[0]) + 1, int(parents[-1] + page.size[parents[-1]])
    nodes = np.flatnonzero(page.tag[first:end] == tag).astype(np.int32) + np.int32(first)
    return nodes[within(page.parent[nodes], parents)]


def within(nodes: Int32Array, chosen: Int32Array) -> Truths:
    """Which of the nodes are among the chosen ones, of which there is at least one, in order."""
    places = np.searchsorted(chosen, nodes)
    places[places == len(chosen)] = 0
    true: Truths = chosen[places] == nodes
    return true


def places_of(page: Page, siblings: Int32Array) -> tuple[Int32Array, Int32Array]:
    """How many siblings are before each node, and how many after it, of all children of one tag of some elements."""
    up = page.parent[siblings]
    numbers = np.arange(len(up), dtype=np.int32)
    starts = np.flatnonzero(np.append(True, up[1:] != up[:-1])[: len(up)])
    lengths = np.diff(np.append(starts, len(up))).astype(np.int32)
    before = numbers - np.repeat(numbers[starts], lengths)
    return before, np.repeat(lengths, lengths) - np.int32(1) - before


def marked(nodes: Int32Array, chosen: Int32Array) -> Truths:
    """Which of the nodes are among the chosen ones; both are in order, and few are chosen."""
    true = np.zeros(len(nodes) + 1, dtype=np.bool_)
    places = np.searchsorted(nodes, chosen)
    true[places[np.append(nodes, NO_NODE)[places] == chosen]] = True
    return true[:-1]


def grouped(numbers: Int32Array) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The first place of each different number, and for each place which of these numbers it has."""
    _, first, group_of = np.unique(numbers, return_index=True, return_inverse=True)
    return first, group_of


def plain(tag: str) -> bool:
    """Whether a tag can be written in CSS as it is."""
    return PLAIN_NAME.fullmatch(tag) is not None and tag not in ("svg", "math")


def escaped(name: str) -> str:
    """A name as an identifier of CSS.

    >>> escaped("a:b"), escaped("-2")
    ('a\\\\3a b', '-\\\\32 ')
    """
    identifier = ""
    for place, letter in enumerate(name):
        starts = place == 0 or (place == 1 and name[0] == "-")
        if (letter.isdigit() and starts) or not (letter.isalnum() or letter in "-_" or ord(letter) > 127):
            identifier += f"\\{ord(letter):x} "
        else:
            identifier += letter
    return identifier if identifier != "-" else "\\-"


def xpath_tag(tag: str) -> str:
    """A tag as a step of XPath."""
    return tag if plain(tag) else f"*[local-name()={xpath_string(SVG_CASE.get(tag, tag))}]"


def predicates(conditions: Sequence[Condition]) -> str:
    """Conditions in XPath. Places come first, in one predicate: a second one would count only what the first leaves."""
    counted = " and ".join(condition.xpath for condition in conditions if condition.counts)
    return (f"[{counted}]" if counted else "") + "".join(
        f"[{condition.xpath}]" for condition in conditions if not condition.counts
    )
