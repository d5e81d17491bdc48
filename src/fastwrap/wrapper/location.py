"""Where the records of a wrapper are: the path of tags from the root to the elements whose children they are.
Of elements with that tag path, class tokens choose first, and places among siblings where classes do not suffice."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Meta, Struct, field, structs

from fastwrap._core.wrapper import finding
from fastwrap.common.lazy import lazy_property
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import ATTRIBUTE_NUMBER, NO_NODE, TAG_NUMBER, number_of
from fastwrap.wrapper.hashes import tokens_without_digits

if TYPE_CHECKING:
    from fastwrap.page import Page

CLASS = ATTRIBUTE_NUMBER["class"]

MOST_TOKENS = 12
"""Class tokens of a step that is learned, ..."""

MAX_TOKENS = 100
"""... and of one in a file: each is looked for in all elements that the step may lead to."""

MOST_PLACES = 50
"""Steps of a path that have a place among their siblings: each takes a look at the page."""

LONGEST_PATH = 1_000
"""Steps: pages are not that deep, and a file with a longer path is refused."""


MAX_NAME = 1_000
MAX_COUNT = 10**9

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
Tokens: TypeAlias = Annotated[tuple[Name, ...], Meta(max_length=MAX_NAME)]
Nth: TypeAlias = Annotated[int, Meta(ge=-MAX_COUNT, le=MAX_COUNT)]


class Step(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An element of a path."""

    tag: Name
    tokens: Annotated[tuple[Name, ...], Meta(max_length=MAX_TOKENS)] = field(name="class", default=())
    """Class tokens that it has. Those with digits, which are often numbers of things, do not count."""
    nth: Annotated[Nth, Meta(description="Place among those of its tag: from the first (1) or last (-1); 0: any.")] = 0


class Steps(NamedTuple):
    """A path as the kernels take it."""

    tags: Int32Array
    first_token: Int32Array
    """[steps + 1] The tokens of step k are those from `first_token[k]` up to `first_token[k + 1]`."""
    token_start: Int32Array
    """[tokens + 1] Token t is `tokens[token_start[t] : token_start[t + 1]]`."""
    tokens: bytes
    nth: Int32Array


@dataclasses.dataclass(frozen=True)
class Location:
    """A path from the root to the elements whose children the records are.

    >>> from fastwrap.page import Page
    >>> page = Page("<div><p>a<p>b</div><div class='main x3'><p>c<p>d</div>")
    >>> location = learn_location([(page, [8])])
    >>> location.path[-1]
    Step(tag='div', tokens=('main',), nth=0)
    >>> location.find(page)[0].tolist()
    [8]
    """

    path: tuple[Step, ...]
    limits: tuple[str, ...] = dataclasses.field(default=(), compare=False)
    """"wrapper.location" if the elements could only be told from others by more places than a path may have."""

    @lazy_property
    def steps(self) -> Steps:
        """The path in numbers."""
        tokens = [token.encode("utf-8", "surrogatepass") for step in self.path for token in step.tokens]
        return Steps(
            tags=np.array([number_of(step.tag, TAG_NUMBER, {}) for step in self.path], dtype=np.int32),
            first_token=np.cumsum([0, *(len(step.tokens) for step in self.path)], dtype=np.int32),
            token_start=np.cumsum([0, *map(len, tokens)], dtype=np.int32),
            tokens=b"".join(tokens),
            nth=np.array([step.nth for step in self.path], dtype=np.int32),
        )

    def find(self, page: Page, by_tags: bool = False) -> tuple[Int32Array, int]:
        """The elements at the end of the path, or, with `by_tags`, all that have its tags; and how much they differ
        from what it says, 0 if not at all."""
        return finding.locate(page.native, self.steps, by_tags)


def class_of(page: Page, node: int) -> bytes:
    """The class of an element, as it stands."""
    arrays = page.arrays
    for entry in range(int(page.attribute_start[node]), int(page.attribute_start[node + 1])):
        if arrays.attribute_name[entry] == CLASS:
            return arrays.values[int(arrays.value_start[entry]) : int(arrays.value_start[entry + 1])]
    return b""


def path_of(page: Page, node: int) -> list[int]:
    """The elements from the root down to a node."""
    return [*reversed([*page.ancestors(node)]), node]


def in_one_place(page: Page, spans: Int32Array) -> Int32Array:
    """The records whose parents have one tag path: that of most, or of the first ones. A thread has others, too: the
    post that opened it, and replies at every level.

    >>> from fastwrap.page import Page
    >>> page = Page("<p>a</p><ul><li>b<li>c</ul>")
    >>> in_one_place(page, np.array([[3, 5], [6, 8], [8, 10]])).tolist()
    [[6, 8], [8, 10]]
    """
    parents, owner = np.unique(page.parent[spans[:, 0]], return_inverse=True)
    if len(parents) == 1:
        return spans
    paths = [tuple(page.tag[path_of(page, parent)].tolist()) for parent in parents.tolist()]
    number = {path: place for place, path in enumerate(dict.fromkeys(paths))}
    if len(number) == 1:
        return spans
    own = np.array([number[path] for path in paths])[owner]
    return np.ascontiguousarray(spans[own == np.bincount(own).argmax()])


def learn_location(examples: Sequence[tuple[Page, Sequence[int]]]) -> Location:
    """The location of elements of one tag path, on one page or on several."""
    location = Location(_common_path(examples))
    levels: list[Levels] = []
    for places in range(MOST_PLACES + 1):
        found = [location.find(page)[0] for page, _ in examples]
        if all(set(parents).issuperset(nodes.tolist()) for nodes, (_, parents) in zip(found, examples, strict=True)):
            return location
        if not levels:
            levels = [Levels(page, parents, location.find(page, by_tags=True)[0]) for page, parents in examples]
        place = _telling_place(location, levels, found)
        if place is None:
            return location
        if places == MOST_PLACES:
            break
        step, nth = place
        path = location.path
        location = Location((*path[:step], structs.replace(path[step], nth=nth), *path[step + 1 :]))
    return Location(location.path, ("wrapper.location",))


def _common_path(examples: Sequence[tuple[Page, Sequence[int]]]) -> tuple[Step, ...]:
    """The path from the root to the elements of the examples, with the class tokens that all of a level have."""
    first, parents = examples[0]
    nodes = path_of(first, parents[0])
    tokens = [dict.fromkeys(_tokens(first, node)) for node in nodes]
    for page, parents in examples:
        level = list(parents)
        for depth in range(len(nodes) - 1, -1, -1):
            # Elements of one style have the same class.
            for node in dict(zip(page.style_symbol[level].tolist(), level, strict=True)).values():
                here = _tokens(page, node)
                tokens[depth] = {token: None for token in tokens[depth] if token in here}
            level = list(set(page.parent[level].tolist()))
    return tuple(Step(first.tag_name(node), tuple(common)) for node, common in zip(nodes, tokens, strict=True))


def _tokens(page: Page, node: int) -> list[str]:
    return [token.decode("utf-8", "replace") for token in tokens_without_digits(class_of(page, node))[:MOST_TOKENS]]


class Levels:
    """All elements of one tag path, and those above them, level by level from the root, with their places."""

    def __init__(self, page: Page, meant: Sequence[int], nodes: Int32Array) -> None:
        self.nodes = nodes
        self.meant = within(nodes, np.array(sorted(meant), dtype=np.int32))
        self.places: list[npt.NDArray[Any]] = []
        """[2, elements] The places among the siblings of the tag, from the first (1) and from the last (-1)."""
        self.above: list[npt.NDArray[np.intp]] = []
        """For each element the number of its parent in the level above."""
        level, tag_of = nodes, page.tag.item
        while level[0] > 0:
            up = page.parent[level]
            is_first = np.append(True, up[1:] != up[:-1])
            places: dict[int, tuple[int, int]] = {}
            for parent in up[is_first].tolist():
                alike = [child for child in page.children(parent) if tag_of(child) == tag_of(level[0])]
                places.update({child: (before + 1, before - len(alike)) for before, child in enumerate(alike)})
            self.places.append(np.array([places[node] for node in level.tolist()]).T)
            self.above.append(np.cumsum(is_first) - 1)
            level = up[is_first]
        self.places = [np.array([[1], [-1]]), *reversed(self.places)]
        self.above.reverse()

    def counts(self, nodes: npt.NDArray[np.bool_]) -> list[npt.NDArray[Any]]:
        """For each element of each level how many of some of the nodes are below it."""
        counts: list[npt.NDArray[Any]] = [nodes]
        for above in reversed(self.above):
            counts.append(np.bincount(above, counts[-1]))
        return counts[::-1]


def children_of(page: Page, parents: Int32Array, tag: int) -> Int32Array:
    """The children of one tag of elements, which are in document order and not inside each other."""
    first, end = int(parents[0]) + 1, int(parents[-1] + page.size[parents[-1]])
    nodes = np.flatnonzero(page.tag[first:end] == tag).astype(np.int32) + np.int32(first)
    return nodes[within(page.parent[nodes], parents)]


def within(nodes: Int32Array, chosen: Int32Array) -> npt.NDArray[np.bool_]:
    """Which of the nodes are among the chosen ones, which are in order; `np.isin` takes ten times as long for few."""
    true: npt.NDArray[np.bool_] = np.append(chosen, NO_NODE)[np.searchsorted(chosen, nodes)] == nodes
    return true


def places_of(page: Page, siblings: Int32Array) -> tuple[Int32Array, Int32Array]:
    """How many siblings are before each node, and how many after it, of all children of one tag of some elements."""
    up = page.parent[siblings]
    starts = np.flatnonzero(np.append(True, up[1:] != up[:-1])[: len(up)])
    lengths = np.diff(np.append(starts, len(up))).astype(np.int32)
    before = np.arange(len(up), dtype=np.int32) - np.repeat(starts.astype(np.int32), lengths)
    return before, np.repeat(lengths, lengths) - np.int32(1) - before


def _telling_place(location: Location, levels: Sequence[Levels], found: Sequence[Int32Array]) -> tuple[int, int] | None:
    """The step, and the place there, that all elements which are meant have and that excludes most of the others that
    were found; None if no place excludes any."""
    meant = [page.counts(page.meant) for page in levels]
    others = [page.counts(within(page.nodes, nodes) & ~page.meant) for page, nodes in zip(levels, found, strict=True)]
    best, most = None, 0.0
    for step in range(len(location.path) - 1, 0, -1):
        if location.path[step].nth:
            continue
        for direction in (0, 1):
            places = [page.places[step][direction] for page in levels]
            wanted = [here[counts[step] > 0] for here, counts in zip(places, meant, strict=True)]
            nth = int(wanted[0][0])
            if any((here != nth).any() for here in wanted):
                continue
            excluded = sum(float(counts[step][here != nth].sum()) for here, counts in zip(places, others, strict=True))
            if excluded > most:
                best, most = (step, nth), excluded
    return best
