"""Conditions of a selector's step: what tells the nodes that it should select from their siblings of the same tag.
Of the conditions that hold for all of these nodes the fewest are taken, greedily, within a budget for all steps."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fastwrap.common.lazy import lazy_property
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import SVG_CASE, TAG_NUMBER, TEXT
from fastwrap.page.selectors import PLAIN_NAME, xpath_string
from fastwrap.wrapper.hashes import tokens_without_digits
from fastwrap.wrapper.location import children_of, class_of, places_of, within

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


@dataclass
class SearchBudget:
    """What is left of the budget of a search."""

    left: int

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


def negated(condition: Condition, cost: int) -> Condition:
    """The condition that another one is not true of a node."""
    return Condition(f"not({condition.xpath})", f":not({condition.css})", cost)


def at_place(place: int, from_last: bool) -> Condition:
    """The condition that a node has so many siblings of its tag before it or, with `from_last`, after it."""
    # Near the end, the place from there is more likely to stay the same.
    cost = (2 if place < MOST_PLACES else 4) + from_last
    xpath, nth = (_last(place), "last-") if from_last else (place + 1, "")
    return Condition(f"position() = {xpath}", f":nth-{nth}of-type({place + 1})", cost, True)


def _last(place: int) -> str:
    return f"last() - {place}" if place else "last()"


Candidates: TypeAlias = list[tuple[Condition, Truths]]
"""Conditions that are true of all nodes that should be selected, and for each which nodes it is true of."""


class NodesByName:
    """Which nodes have which names. Nodes with the same names are one group, so that much is done once for all."""

    def __init__(self, group_of: npt.NDArray[np.intp], names_of_groups: Iterable[set[Name]]) -> None:
        self.group_of = group_of
        """[nodes] The group of each."""
        groups: dict[Name, list[int]] = {}
        self.size = 0
        """How many groups there are."""
        for names_of_group in names_of_groups:
            for name in names_of_group:
                groups.setdefault(name, []).append(self.size)
            self.size += 1
        self.names = sorted(groups)
        self.starts = np.cumsum([0, *(len(groups[name]) for name in self.names)])
        """[names + 1] Where the groups of each name begin in `having`."""
        self.having = np.array([number for name in self.names for number in groups[name]], dtype=np.intp)
        """The groups that have the first name, then those that have the second, and so on."""

    def telling(self, meant: Truths, others: Truths) -> tuple[list[int], list[int]]:
        """The names that all nodes have which are meant, and those that only others have, most others first."""
        ours = (np.bincount(self.group_of[meant], minlength=self.size) > 0).astype(np.intp)
        theirs = np.bincount(self.group_of[others], minlength=self.size)
        have, others_have = (np.add.reduceat(weights[self.having], self.starts[:-1]) for weights in (ours, theirs))
        lost = np.where(have == 0, others_have, 0)
        absent = np.argsort(-lost, kind="stable")[:MOST_ABSENT]
        return np.flatnonzero(have == np.count_nonzero(ours)).tolist(), absent[lost[absent] > 0].tolist()

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

    def _by_name(self, groups: Int32Array, names_of: Callable[[int], set[Name]]) -> NodesByName:
        """The names of the nodes; those of one group, of all groups of the page, have the same ones."""
        _, first, group_of = np.unique(groups[self.nodes], return_index=True, return_inverse=True)
        return NodesByName(group_of, map(names_of, self.nodes[first].tolist()))

    @lazy_property
    def classes(self) -> NodesByName:
        """The class tokens of the nodes."""
        return self._by_name(self.page.style_symbol, self._tokens)

    def has_class(self, token: str) -> Truths:
        """Which nodes have a class token."""
        number = bisect_left(names := self.classes.names, (token,))
        has = number < len(names) and names[number] == (token,)
        return self.classes.true(number) if has else np.zeros(len(self.nodes), dtype=np.bool_)

    @lazy_property
    def below(self) -> NodesByName:
        """The tag paths of the elements below the nodes."""
        return self._by_name(self.page.structural_class, self._paths_below)

    @lazy_property
    def child_counts(self) -> npt.NDArray[np.intp]:
        """How many children of each node are elements."""
        self.budget.take(len(self.page))
        elements = np.flatnonzero(self.page.tag[1:] != TEXT) + 1
        return np.bincount(self.page.parent[elements], minlength=len(self.page))[self.nodes]

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
        """Names that all or none of the meant nodes have: the name, whether all have it, and which nodes are like them
        in that."""
        self.budget.take(len(nodes.having) + len(self.nodes))
        common, absent = nodes.telling(meant, others)
        self.budget.take(len(common + absent) * (NAME_WORK + len(self.nodes)))
        for number in sorted(common + absent):
            has = number in common
            yield nodes.names[number], has, nodes.true(number) == has

    def outside(self, meant: Truths, others: Truths) -> Candidates:
        """The conditions on nodes that do not look into them."""
        candidates: Candidates = []
        for (token,), has, true in self._named(self.classes, meant, others):
            candidates.append((has_class(token) if has else negated(has_class(token), 3), true))
        for places, from_last in zip(self.places, (False, True), strict=True):
            least, most = int(places[meant].min()), int(places[meant].max())
            if least == most:  # which says more, and at less cost, than that they come after others
                candidates.append((at_place(least, from_last), places == least))
                continue
            for place in np.unique(places[meant | others])[1:MOST_PLACES].tolist():
                if place <= least:
                    said, nth = (f"<= {_last(place)}", "last-") if from_last else (f"> {place}", "")
                    condition = Condition(f"position() {said}", f":nth-{nth}of-type(n+{place + 1})", 5, True)
                    candidates.append((condition, places >= place))
        return candidates

    def inside(self, meant: Truths, others: Truths) -> Candidates:
        """The conditions on what is in nodes."""
        candidates: Candidates = []
        page = self.page
        for path, has, true in self._named(self.below, meant, others):
            below = Condition("/".join(map(xpath_tag, path)), f":has(> {' > '.join(map(escaped, path))})", 4)
            candidates.append((below if has else negated(below, 6), true))
        # Not of tables: whether rows are their children depends on the parser.
        if page.tag[self.nodes[0]] != TAG_NUMBER["table"]:
            counts = self.child_counts
            least, most = int(counts[meant].min()), int(counts[meant].max())
            for count in np.unique(counts[meant | others])[1:MOST_PLACES].tolist():
                has_child = Condition(f"*[{count}]", f":has(> :nth-child({count}))", 5)
                if count <= least:
                    candidates.append((has_child, counts >= count))
                if most < count:
                    candidates.append((negated(has_child, 6), counts < count))
        has_text = page.text_start[self.nodes] < page.text_start[self.nodes + page.size[self.nodes]]
        if has_text[meant].all():
            candidates.append((Condition("normalize-space()", None, 7), has_text))
        return candidates

    def tell_apart(self, chosen: Int32Array, among: Truths | None = None) -> tuple[tuple[Condition, ...], Int32Array]:
        """The fewest conditions that are true of all chosen nodes, and of as few others as possible; and the nodes that
        they are true of. With `among`, other nodes are ignored."""
        considered = np.ones(len(self.nodes), dtype=np.bool_) if among is None else among
        meant = considered & within(self.nodes, chosen)
        others = considered & ~meant
        if not others.any() or not meant.any():
            return (), self.nodes[considered]
        outside = self.outside(meant, others)
        best, left = self._choose(outside, others)
        if left.any():
            inside = self.inside(meant, others)
            best, left = self._choose(inside, others)
            if left.any():
                best, left = self._choose(outside + inside, others)
        return tuple(best), self.nodes[left | meant]

    def _choose(self, candidates: Candidates, others: Truths) -> tuple[list[Condition], Truths]:
        """Conditions that hold for few of the others, chosen greedily; and the others that they still hold for."""
        best: list[Condition] = []
        left = others
        while left.any() and candidates and len(best) < MOST_CONDITIONS:
            self.budget.take(len(candidates) * (NAME_WORK + len(left)))
            counts = [int(np.count_nonzero(true & left)) for _, true in candidates]
            number = min(range(len(counts)), key=lambda k: (counts[k], candidates[k][0].cost))
            if counts[number] == np.count_nonzero(left):
                break
            condition, true = candidates[number]
            left = left & true
            best.append(condition)
        return best, left


def plain(tag: str) -> bool:
    """Whether a tag can be written in CSS as it is."""
    return PLAIN_NAME.fullmatch(tag) is not None and tag not in ("svg", "math")


OUTSIDE_NAMES = re.compile(r"[^\w\x80-\U0010ffff-]|^\d|(?<=^-)\d")
"""What cannot stand in an identifier of CSS as it is; what is not ASCII can."""


def escaped(name: str) -> str:
    """A name as an identifier of CSS.

    >>> escaped("a:b"), escaped("-2"), escaped("--c")
    ('a\\\\3a b', '-\\\\32 ', '\\\\--c')
    """
    if name == "-" or name.startswith("--"):  # CSS allows two, but cssselect does not read them
        return "\\-" + OUTSIDE_NAMES.sub(escape, name[1:])
    return OUTSIDE_NAMES.sub(escape, name)


def escape(letter: re.Match[str]) -> str:
    """A letter as CSS escapes it."""
    return f"\\{ord(letter[0]):x} "


def xpath_tag(tag: str) -> str:
    """A tag as a step of XPath."""
    return tag if plain(tag) else f"*[local-name()={xpath_string(SVG_CASE.get(tag, tag))}]"


def predicates(conditions: Sequence[Condition]) -> str:
    """Conditions in XPath. Places come first, in one predicate: a second one would count only what the first leaves."""
    counted = " and ".join(condition.xpath for condition in conditions if condition.counts)
    return (f"[{counted}]" if counted else "") + "".join(
        f"[{condition.xpath}]" for condition in conditions if not condition.counts
    )
